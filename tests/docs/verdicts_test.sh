#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The manual knows every verdict: docs/events.md has a section for each verdict of a run, docs/verify.md a row for each
# finding, the words of an answer, and its exit codes. The lists in the source are what they are compared with.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# entries FILE LIST: the lines X(...) of a list, without quotes: ID, TEXT, ...
entries() {
    awk -v list="$2" '
        $0 ~ "^#define " list { on = 1; next }
        on { if (match($0, /X\(.*\)/)) { line = substr($0, RSTART + 2, RLENGTH - 3); gsub(/"/, "", line); print line } }
        on && !/\\$/ { exit }' "$1"
}

# compare PAGE WHAT: the lines of `wanted` and `found` are the same
compare() {
    diff wanted found >difference || echo "$1: its $2 are not those of the list: $(cat difference)"
}

check_tree() {
    entries "$1/src/rt/search.h" HBG_RT_VERDICT_LIST | awk -F ', ' '$1 != "FINE" { print $2 }' | sort >wanted
    awk '/^## / { on = $0 == "## Verdicts" } on && /^### / { print $2 }' "$1/docs/events.md" | sort >found
    compare docs/events.md 'sections on verdicts'

    entries "$1/src/verify/verify.h" HBG_FINDING_LIST | awk -F ', ' '{ print $2 }' >wanted
    awk -F ' *[|] *' '/^[|] finding / { on = 1; getline; next } !/^[|]/ { on = 0 } on { print $2 }' "$1/docs/verify.md" >found
    compare docs/verify.md findings

    entries "$1/include/hbg/status.h" HBG_ANSWER_LIST | awk -F ', ' '{ print $3 " " $2 }' | sort >wanted
    sed -n 's/.*Exit codes[^:]*: \(.*\), 2 bad input.*/\1/p' "$1/docs/verify.md" | sed 's/, /\n/g' | sort >found
    compare docs/verify.md 'exit codes'
    awk '{ sub(/^[0-9]+ /, ""); print "\"" $0 "\"" }' wanted | while read -r word; do
        grep -q "^| .verdict. | .*$word" "$1/docs/verify.md" || echo "docs/verify.md: no verdict $word in the JSON"
    done
}

accept "$HBG_SOURCE_DIR"

# tree NAME: a good tree with a verdict, a finding and an answer
tree() {
    put "$1/src/rt/search.h" "#define HBG_RT_VERDICT_LIST(X) \\" "    X(FINE, \"none\") \\" '    X(ZENO, "zeno")' '    X(NOT, "not")'
    put "$1/src/verify/verify.h" "#define HBG_FINDING_LIST(X) \\" '    X(CYCLE, "a cycle", true, "it comes back")'
    put "$1/include/hbg/status.h" "#define HBG_ANSWER_LIST(X) \\" "    X(PROVED, \"proved\", 0) \\" '    X(OPEN, "not decided", 4)'
    put "$1/docs/events.md" '### other' '## Verdicts' '### zeno' '## Else' '### more'
    put "$1/docs/verify.md" '| finding | meaning |' '|---|---|' '| a cycle | it |' '' \
        'Exit codes: 0 proved, 4 not decided, 2 bad input.' "| \`verdict\` | \"proved\" or \"not decided\" |"
}

tree good
accept good
tree unknown && put unknown/docs/events.md '## Verdicts' '### zeno' '### chaos'
reject unknown 'docs/events.md: its sections on verdicts are not those of the list'
tree silent && put silent/docs/events.md '## Verdicts'
reject silent 'docs/events.md: its sections on verdicts are not those of the list'
tree finding && sed -i 's/a cycle/the cycle/' finding/docs/verify.md
reject finding 'docs/verify.md: its findings are not those of the list'
tree code && sed -i 's/4 not decided/3 not decided/' code/docs/verify.md
reject code 'docs/verify.md: its exit codes are not those of the list'
tree word && sed -i 's/ or "not decided"//' word/docs/verify.md
reject word 'docs/verify.md: no verdict "not decided" in the JSON'
