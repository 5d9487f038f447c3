#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: `when … for` waits until the condition has held without a break, `after` counts from the entry of
# the state; start states of instances; the tolerance of an experiment.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >delay.hbg <<'END'
model Delay {
    input bool c = false;
    Se s(10 [V]);
    R r(10 [Ohm]);
    1 j when relay;
    s -> j -> r;
    automaton relay {
        off open -> closed when c for 50 [ms];
        on closed -> open when !c for 20 [ms];
    }
    R q(10 [Ohm]);
    Se t(10 [V]);
    1 k when other;
    t -> k -> q;
    automaton other {
        off open -> closed when c after 50 [ms];
        on closed -> open when !c;
    }
    experiment e {
        stop 300 [ms];
        at 10 [ms]: c = true;
        at 40 [ms]: c = false; // 30 ms are too short
        at 60 [ms]: c = true;
        at 150 [ms]: c = false; // and so are 10 ms to open again
        at 160 [ms]: c = true;
        at 200 [ms]: c = false;
        record relay, other;
    }
}
END
# moves AUTOMATON SOLVER...: when it moved, ms
moves() {
    local column=$1
    shift
    run 0 run delay.hbg -q --solver "$@" -o rows.csv
    awk -F, -v column="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) k = i; next }
        NR > 2 && $k != last { printf "%s%.6g", sep, $1*1000; sep = " " } { last = $k }' rows.csv
}
for solver in erk bdf 'rk4 --step 1e-3'; do
    # shellcheck disable=SC2086 # a solver and its step
    set -- $solver
    [ "$(moves relay "$@")" = '110 220' ] || fail "$solver: the relay moves at $(moves relay "$@")"
    # at 60 ms it has been open for 50 ms; it opens at once, and at 200 ms, when it has been open for 50 ms again, c ends
    [ "$(moves other "$@")" = '60 150' ] || fail "$solver: the other moves at $(moves other "$@")"
done
run 0 verify delay.hbg
says out 'consistent'

cat >start.hbg <<'END'
component Key {
    port in shut : bool = false;
    port a : electrical;
    port k : electrical;
    1 j when lever;
    a -> j -> k;
    automaton lever { off open -> closed when shut; on closed -> open when false; }
}
model Start {
    for i in 1 .. 2 {
        Se s[i](10 [V]);
        R r[i](10 [Ohm]);
        s[i] -> key[i].a;
        key[i].k -> r[i];
    }
    Key key[1];
    experiment e { stop 1 [ms]; record r[1].f, r[2].f; }
}
END
sed -i 's/Key key\[1\];/for i in 1 .. 2 { if i == 1 { Key key[i](start = closed); } else { Key key[i]; } }/' start.hbg
run 0 run start.hbg -q -o start.csv
[ "$(tail -n 1 start.csv)" = '0.001,1,0' ] || fail "starts: $(tail -n 1 start.csv)"

# a tighter tolerance takes more steps; the command line takes precedence
cat >swing.hbg <<'END'
model Swing {
    I m(1 [kg], f = 1 [m/s]);
    C k(1 [m/N]);
    1 j;
    j -> m;
    j -> k;
    experiment loose { stop 10; }
    experiment tight { stop 10; tolerance 1e-12; }
}
END
steps() {
    run 0 run swing.hbg --solver erk "$@"
    sed -n 's/^\([0-9]*\) steps.*/\1/p' out
}
[ "$(steps -x tight)" -gt $((3 * $(steps -x loose))) ] || fail 'the tolerance of the experiment has no effect'
[ "$(steps -x tight --rtol 1e-6)" = "$(steps -x loose)" ] || fail '--rtol has no effect'
finish
