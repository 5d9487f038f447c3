#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: a crossing is answered once (semantics, section 5). A diode that blocks because its current came down to 0, and that the search
# turns on again in another mode, stays on at a current of 0; one that comes back to the mode it blocked in never settles.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"

# at TIME COLUMN WANTED: in interpreted/rows.csv
at() {
    awk -F, -v t="$1" -v column="$2" -v wanted="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) k = i; next }
        $1 <= t*(1 + 1e-9) { found = $k }
        END { d = found - wanted; if (found == "" || d*d > 1e-10) { print column " is " found " at " t ", not " wanted; exit 1 } }' interpreted/rows.csv ||
        fail "$model, $solver"
}

# A coil of 10 µH runs out into 1 V through two diodes: 1 A in 10 µs. With both off the primary winding floats between its open switches
# and would bring more than 1 V to the rectifier, which turns on, at no current; the secondary winding has the 1 V of the battery then. From
# 15 µs on it has a quarter of 48 V, and the coil gets 11 V: 5.5 A at 20 µs.
cat >forward.hbg <<'END'
import "electrical.hbg";
model Forward {
    input bool up = false, down = false;
    VoltageSource supply(voltage = 48 [V]);
    Switch s1(closed = up);
    Switch s2(closed = down);
    Transformer winding(ratio = 4);
    Diode rectifier(forward_drop = 0 [V]);
    Diode freewheel(forward_drop = 0 [V]);
    Inductor coil(inductance = 10 [uH], current = 1 [A]);
    VoltageSource battery(voltage = 1 [V]);
    Ground ground;
    0 earth; 0 plus; 0 x; 0 u; 0 node; 0 out;
    earth -> supply.n; supply.p -> plus; plus -> s1.a; s1.k -> x; x -> s2.a; s2.k -> earth; x -> winding.a; winding.k -> u;
    earth -> freewheel.a; freewheel.k -> u; u -> rectifier.a; rectifier.k -> node; node -> coil.a; coil.k -> out;
    earth -> battery.n; battery.p -> out; earth -> ground.p;
    output i = coil.i, v = u.e;
    experiment e { stop 20 [us]; at 15 [us]: up = true; record i, v; }
}
END
# The same current in a bridge of two legs: at 10 µs all four diodes block, and two of them turn on together.
cat >bridge.hbg <<'END'
import "electrical.hbg";
model Bridge {
    input bool up = false, down = false;
    VoltageSource supply(voltage = 48 [V]);
    Switch s1(closed = up);
    Switch s2(closed = down);
    1 primary; 1 secondary; TF winding(4);
    Diode d1(forward_drop = 0 [V]);
    Diode d2(forward_drop = 0 [V]);
    Diode d3(forward_drop = 0 [V]);
    Diode d4(forward_drop = 0 [V]);
    Inductor coil(inductance = 10 [uH], current = 1 [A]);
    VoltageSource battery(voltage = 1 [V]);
    Ground ground;
    0 earth; 0 plus; 0 x; 0 u; 0 w; 0 node; 0 out;
    earth -> supply.n; supply.p -> plus; plus -> s1.a; s1.k -> x; x -> s2.a; s2.k -> earth; x -> primary -> earth; primary -> winding -> secondary;
    w -> secondary -> u; u -> d1.a; d1.k -> node; w -> d2.a; d2.k -> node; earth -> d3.a; d3.k -> u; earth -> d4.a; d4.k -> w;
    node -> coil.a; coil.k -> out; earth -> battery.n; battery.p -> out; earth -> ground.p;
    output i = coil.i, v = u.e - w.e;
    experiment e { stop 20 [us]; at 15 [us]: up = true; record i, v; }
}
END
for model in forward bridge; do
    for solver in erk bdf adams 'rk4 --step 1e-7'; do
        # shellcheck disable=SC2086 # a solver with its step
        compare "$model" "../$model.hbg" --every 1e-6 --rtol 1e-8 --solver $solver
        says interpreted/code 0
        at 5e-6 i 0.5
        at 14e-6 i 0
        at 14e-6 v 1
        at 20e-6 i 5.5
        at 20e-6 v 12
    done
done

# 20 mA hold a diode: once the current has fallen to that it blocks, the coil turns it on again, in the mode in which it fell
model=holding
cat >holding.hbg <<'END'
model Holding {
    I coil(5 [mH], f = 30 [mA]); Se drop(-0.6 [V]); 0 node; 1 j when d; node -> coil; drop -> j -> node;
    automaton d { off blocking -> conducting when node.e <= -0.6 [V]; on conducting -> blocking when j.f < 20 [mA]; }
    experiment e { stop 1 [ms]; record coil.f; }
}
END
for solver in erk bdf; do
    answers interpreted interpreter ../holding.hbg --solver $solver
    says interpreted/code 3
    grep -q 't = 8.33333.*never settles' interpreted/words || fail "holding: $(cat interpreted/words)"
done
finish
