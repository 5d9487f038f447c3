#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The energy ledger of every experiment of every example balances: what is stored, dissipated and lost is what was there and
# was supplied, but for a share of the largest of these that the tolerance accounts for. A run may end early only by a verdict
# that the facts of its bundle expect, and its ledger balances up to there. What the friction of a component takes is dissipated,
# not supplied below 0.
# needs: test
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

BOUND=1e-5 # at rtol 1e-8, over up to a thousand periods

# share: residual over scale of the JSON on the standard input, as a number; or what stands in its place
share() {
    awk '/"residual":/ { gsub(/[",]/, ""); r = $2 }
        /"scale":/ { gsub(/[",]/, ""); s = $2 }
        END {
            number = "^-?[0-9.]+(e[-+]?[0-9]+)?$"
            if (r !~ number || s !~ number) { print "residual " (r == "" ? "none" : r) ", scale " (s == "" ? "none" : s); exit }
            if (r < 0) r = -r
            print (s > 0 ? r / s : r + 0)
        }'
}

# expected BUNDLE EXPERIMENT VERDICT: whether the facts say that the run ends so
expected() {
    [ -n "$3" ] && grep -qx "run $2 verdict $3" "$1/facts"
}

# experiments FILE: a line for each, the model it is in and its name
experiments() {
    sed -n 's/^model \([A-Za-z0-9_]*\).*/model \1/p; s/^ *experiment \([A-Za-z0-9_]*\).*/experiment \1/p' "$1" |
        awk '$1 == "model" { model = $2 } $1 == "experiment" { print model, $2 }'
}

# try BUNDLE EXPERIMENT MODEL: what is wrong, or nothing
try() {
    model=$1/${1##*/}.hbg
    code=0
    "$HBG" run "$model" -I lib -m "$3" -x "$2" --rtol 1e-8 --json >ledger 2>messages </dev/null || code=$?
    case $code in
    0) ;;
    3)
        verdict=$(sed -n 's/^ *"verdict": "\([a-z-]*\)".*/\1/p' ledger | tail -n 1)
        if ! expected "$1" "$2" "$verdict"; then
            echo "$1, $2: the run ends early (verdict ${verdict:-none}): $(tail -n 1 messages)"
            return
        fi
        echo "$verdict" >>../other
        ;;
    *)
        echo "$1, $2: exit code $code: $(tail -n 1 messages)"
        return
        ;;
    esac
    echo "$1 $2" >>../tried
    given=$(awk '/"name":/ { name = $2 } /"kind": "supplied"/ && name ~ /\.friction",$/ { printf "%s", name }' ledger)
    [ -z "$given" ] || { echo "$1, $2: supplied, not dissipated: $given"; return; }
    lacks=$(share <ledger)
    case $lacks in
    [0-9]*) awk -v share="$lacks" -v bound="$BOUND" 'BEGIN { exit !(share + 0 <= bound + 0) }' && return ;;
    esac
    echo "$1, $2: the ledger lacks $lacks of the largest energy"
}

# check_tree TOP: problems on the standard output; ledgers tried, and runs that end otherwise, in the files `tried`, `other`
check_tree() {
    rm -rf tree tried other
    mkdir tree
    : >tried
    : >other
    cp -r "$1/examples" tree
    [ ! -d "$1/lib" ] || cp -r "$1/lib" tree
    cd tree
    for bundle in examples/*/; do
        bundle=${bundle%/}
        experiments "$bundle/${bundle##*/}.hbg" | while read -r of experiment; do
            try "$bundle" "$experiment" "$of"
        done
    done
    cd ..
}

accept "$HBG_SOURCE_DIR"
tried=$(wc -l <tried)
echo "$tried ledgers balance within $BOUND"
sort other | uniq -c | sed 's/^ *\([0-9]*\) /  \1 end with: /'
[ "$tried" -ge 100 ] || { echo "only $tried experiments were tried" >&2; exit 1; }

# one TOP LAW FACT: a capacitor that discharges through a resistor with this law
one() {
    put "$1/examples/a/a.hbg" 'model M {' '    input bool sw = false;' '    param limit = 0;' '    C store(1, q = 1);' \
        "    R load : $2;" '    I coil(1);' '    Se drop(-1);' '    1 loop;' '    0 node;' '    store -> loop -> load;' \
        '    1 j_sw when manual;' '    1 j_d when diode;' '    Se supply(10);' '    R series(5);' '    supply -> j_sw -> node -> coil;' \
        '    j_sw -> series;' '    j_d -> node;' '    drop -> j_d;' \
        '    automaton manual { off open -> closed when sw; on closed -> open when !sw; }' \
        '    automaton diode { off blocking -> conducting when node.e <= -1; on conducting -> blocking when j_d.f < limit; }' \
        '    experiment e {' '        stop 2 [s];' '        set limit = 9;' '        at 0.25 [s]: sw = true;' \
        '        at 0.5 [s]: sw = false;' '        record store.q;' '    }' '}'
    put "$1/examples/a/facts" 'automata 2' "$3"
}

# with so high a holding current the diode can neither conduct nor block when the switch opens: time does not diverge
one told 'e = f' 'run e verdict divergence'
accept told
one silent 'e = f' 'run e verdict none'
reject silent 'a, e: the run ends early (verdict divergence)'
one another 'e = f' 'run e verdict zeno'
reject another 'a, e: the run ends early (verdict divergence)'
# log(-1) is no number: neither is the power in the load
one senseless 'f = e + log(-1 - e^2)' 'run e verdict divergence'
reject senseless 'a, e: the run ends early (verdict none)'
one broken 'e = ' 'run e verdict divergence'
reject broken 'a, e: exit code 2'

# friction as a source would be booked as energy supplied
put source/examples/a/a.hbg 'component Pad {' '    port p : translational;' '    Se friction(-0.1);' '    friction -> p;' '}' 'model M {' \
    '    I body(1, p = 1);' '    Pad pad;' '    pad.p -> body;' '    experiment e {' '        stop 1 [s];' '    }' '}'
put source/examples/a/facts 'automata 0'
reject source 'a, e: supplied, not dissipated: "pad.friction",'

# the share itself: what is no number is no balance
[ "$(printf '"residual": 1.5e-3,\n"scale": 3\n' | share)" = 0.0005 ]
[ "$(printf '"residual": -2,\n"scale": 0.0\n' | share)" = 2 ]
for word in nan -nan inf null '"nan"'; do
    case $(printf '"residual": %s,\n"scale": 1.0\n' "$word" | share) in
    residual*) ;;
    *) echo "$word passes for a residual" >&2; exit 1 ;;
    esac
done
