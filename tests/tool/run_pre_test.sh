#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: pre(…) outside guards. In a sample it is the value before the tick, whether or not anything
# switches; in a row it is the value left by the last mode entered, in one part or in many, with every engine
# and kind of step.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"
optimised # rows are compared; tests/rt and tests/eqn take these routes with the sanitizers

# at TIME COLUMN: of the last row of this time, in rows.csv
at() {
    awk -F, -v time="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) k = i } $1 == time { value = $k } END { print value }' \
        interpreted/rows.csv
}

# is TIME COLUMN VALUE: to 1e-5 of it
is() {
    awk -v a="$(at "$1" "$2")" -v b="$3" 'BEGIN { d = a - b; exit !(a != "" && d*d <= 1e-10*b*b) }' ||
        fail "$steps: $2 at $1 is $(at "$1" "$2"), not $3"
}

# a counter, an input that changes at a tick, a level that falls as exp(-t), and a value that passes through a
# signal; nothing switches
cat >calm.hbg <<'END'
model Calm {
    input real u = 1;
    C c(1 [F], q = 5 [C]);
    R r(1 [Ohm]);
    0 n;
    n -> c;
    n -> r;
    signal next = pre(count) + 10;
    sample count every 0.5 [s] = pre(count) + 1, through every 0.5 [s] = next;
    sample before every 0.5 [s] = pre(u), now every 0.5 [s] = u;
    sensor level = pre(c.e) every 0.5 [s];
    output start_level = pre(c.e);
    experiment e {
        stop 2 [s];
        at 1 [s]: u = 7;
        record count, through, before, now, level, start_level every 0.5 [s];
    }
}
END
# the same next to two circuits that switch, each an independent part, at ln(5/4) and ln(5/3)
cat >parts.hbg <<'END'
model Parts {
    C c(1 [F], q = 5 [C]);
    R r(1 [Ohm]);
    1 i when b;
    i -> c;
    i -> r;
    C d(1 [F], q = 5 [C]);
    R r2(1 [Ohm]);
    1 j when a;
    j -> d;
    j -> r2;
    automaton a { on closed -> open when d.e < 4 [V]; off open; }
    automaton b { on closed -> open when c.e < 3 [V]; off open; }
    sample count every 0.5 [s] = pre(count) + 1;
    sensor level = pre(c.e) every 0.5 [s];
    output shown = pre(c.e);
    experiment apart { stop 2 [s]; record count, level, d.e every 0.5 [s]; }
    experiment whole { stop 2 [s]; record count, level, d.e, shown every 0.5 [s]; }
}
END
for steps in '--rtol 1e-9' '--solver bdf --rtol 1e-9' '--solver rk4 --step 5ms'; do
    # shellcheck disable=SC2086
    compare "calm, $steps" "$PWD/calm.hbg" $steps
    for k in 0 1 2 3 4; do
        t=$(awk -v k=$k 'BEGIN { print k/2 }')
        is "$t" count $((k + 1))
        is "$t" through $((k + 10))
        is "$t" now $((k < 2 ? 1 : 7))
        is "$t" before $((k < 3 ? 1 : 7))
        is "$t" level "$(awk -v t="$t" 'BEGIN { print 5*exp(-t) }')"
        is "$t" start_level 5
    done
    for experiment in apart whole; do
        # shellcheck disable=SC2086
        compare "parts, $experiment, $steps" "$PWD/parts.hbg" -x $experiment $steps
        is 2 count 5
        is 0.5 level 3.03265330
    done
done
steps=parts

# the events of another part count in a row: the voltage of c when d was cut off
answers interpreted auto "$PWD/parts.hbg" -x whole --rtol 1e-9
is 0.5 shown 4
is 2 shown 3

# at 27 s the voltage is 2e-12 of its initial value, and counts as 0, also for pre
cat >fades.hbg <<'END'
model Fades {
    input bool asked = false;
    C c(1 [F], q = 1 [C]);
    R r(1 [Ohm]);
    0 n;
    n -> c;
    n -> r;
    automaton now { off no -> yes when asked && n.e > 0; on yes; }
    automaton before { off no -> yes when asked && pre(n.e) > 0; on yes; }
    automaton none { off no -> yes when asked && pre(n.e) <= 0; on yes; }
    signal seen = (now ? 1 : 0) + (before ? 2 : 0) + (none ? 4 : 0);
    experiment e { stop 28 [s]; at 27 [s]: asked = true; record seen every 1 [s]; }
}
END
steps=fades
compare fades "$PWD/fades.hbg" --rtol 1e-10
is 28 seen 4

# The derivative of pre(…) is 0 also when a mode is entered: the sum jumps only by 3 V - 1 V. Recorded values
# have no pulses: the charge of 2 C that closing brings is over when pre of the commit is read.
cat >still.hbg <<'END'
model Still {
    input bool b = false;
    Se s(3 [V]); C c(1 [F], q = 1 [C]); 1 j when k; s -> j -> c;
    automaton k { off open -> shut when b; on shut; }
    automaton one { off o -> p when pre(c.f) > 1; on p; }
    automaton two { off o -> p when pre(c.f > 1 [A]); on p; }
    automaton three { off o -> p when pre(impulse(c.f)) > 1; on p; }
    state alone = 0 [V] : der = der(pre(c.e));
    state sum = 0 [V] : der = der(pre(c.e) + c.e);
    output seen = one.p || two.p || three.p ? 1 : 0;
    experiment e { stop 2; at 1: b = true; record alone, sum, seen; }
}
END
run 0 run still.hbg -q -o still.csv
[ "$(tail -n 1 still.csv)" = "2,0,2,0" ] || fail "pre stands still: $(tail -n 1 still.csv)"

finish
