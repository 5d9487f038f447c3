# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced: what `hbg verify` says about an example, as facts.
#
#     verify AUTOMATON[,AUTOMATON...] proved
#     verify AUTOMATON[,AUTOMATON...] violated: KIND[, KIND...]
#     verify AUTOMATON[,AUTOMATON...] not decided: REASON
#
# Of more than six automata the first is named, and how many there are beside it: `first,+55`. Kinds are in order of the
# alphabet; those that are no violation, as temporal evolution, are told too. `verify slowly …` is the same where it takes seconds or more.
# needs: test

optimised # tests/verify and tool/verify prove with the sanitizers

# as_facts: the answer as JSON, one fact for each group
as_facts() {
    awk '
        function text(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
        function tell(   i, k, kinds, name) {
            name = automata[1]
            for (i = 2; i <= count && count <= 6; i++) name = name "," automata[i]
            if (count > 6) name = name ",+" (count - 1)
            kinds = ""
            while (1) { # the least that is left
                k = ""
                for (i in met) if (k == "" || i < k) k = i
                if (k == "") break
                kinds = kinds (kinds == "" ? "" : ", ") k
                delete met[k]
            }
            if (verdict == "not decided") print "verify " name " not decided: " reason
            else print "verify " name " " verdict (kinds == "" ? "" : ": " kinds)
        }
        /^    \{/ { count = 0; verdict = reason = ""; listing = 0 }
        /^      "automata": \[/ { listing = 1; next }
        listing && /^      \]/ { listing = 0 }
        listing { automata[++count] = $0; gsub(/^ *"|",?$/, "", automata[count]) }
        /^      "verdict": / { verdict = text($0) }
        /^      "reason": / { reason = text($0) }
        /^          "kind": / { met[text($0)] = 1 }
        /^    \}/ && verdict != "" { tell(); verdict = "" }'
}

# verify_example MODEL WORDS SECONDS: its facts that begin with the words are those of the answer, no more and no fewer; where it is
# proved, so is the weaker condition, a real mode for every distribution of energy
verify_example() {
    code=0
    timeout $(($3 * 20)) "${hbg:?}" verify "$1" -I "$HBG_SOURCE_DIR/lib" --timeout "$3" --json >answer 2>err || code=$?
    as_facts <answer >found
    sed -n "s/^$2 /verify /p" "${1%/*}/facts" >expected
    diff -u expected found >difference || fail "$1: its facts are not what verify says (exit code $code): $(cat difference err)"
    wanted=0
    grep -q ' not decided: ' found && wanted=4
    grep -q ' violated' found && wanted=1
    [ "$code" = "$wanted" ] || fail "$1: exit code $code, not $wanted: $(cat err)"
    if [ "$code" = 0 ] && grep '"real_mode"' answer | grep -qv '"proved"'; then
        fail "$1: proved, but not that a mode is real"
    fi
    # what is not proved is explained
    [ "$code" = 0 ] || grep -q '^## Verification' "${1%/*}/readme.md" || fail "$1: $(cat found), and its readme does not say why"
}
