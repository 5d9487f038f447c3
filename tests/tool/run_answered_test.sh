#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: a crossing is answered once (semantics, section 5). A diode that blocks because its current came
# down to 0, and that the search turns on again in another mode, stays on at a current of 0; a diode that
# comes back to the mode it blocked in never settles. And a crossing caused only by errors of steps is
# reversed by the field.
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

# A coil of 10 µH runs out into 1 V through two diodes: 1 A in 10 µs. With both off the primary winding floats
# between its open switches and would bring more than 1 V to the rectifier, which turns on, at a current of 0;
# the secondary winding has the 1 V of the battery then. From 15 µs on it has a quarter of 48 V, and the coil
# gets 11 V: 5.5 A at 20 µs.
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

# A loaded Cockcroft-Walton pump. Each diode that blocks does so at a voltage of 0, which the errors of a step bring to one side or the
# other: where it turns on again its current is negative by then, and its voltage falls.
model=pump
cat >pump.hbg <<'END'
import "electrical.hbg";
model Pump {
    ControlledVoltageSource mains(v = 100 [V]*sin(2*pi*50 [Hz]*time));
    Capacitor c1(capacitance = 1 [uF]);
    Capacitor c2(capacitance = 1 [uF]);
    Capacitor c3(capacitance = 1 [uF]);
    Capacitor c4(capacitance = 1 [uF]);
    Diode d1(forward_drop = 0 [V]);
    Diode d2(forward_drop = 0 [V]);
    Diode d3(forward_drop = 0 [V]);
    Diode d4(forward_drop = 0 [V]);
    Resistor load(resistance = 100 [kOhm]);
    Ground ground;
    0 earth; 0 x; 0 a; 0 b; 0 c; 0 d;
    earth -> mains.n; mains.p -> x; x -> c1.a; c1.k -> a; earth -> c2.a; c2.k -> b; earth -> d1.a; d1.k -> a; a -> d2.a; d2.k -> b;
    a -> c3.a; c3.k -> c; b -> c4.a; c4.k -> d; b -> d3.a; d3.k -> c; c -> d4.a; d4.k -> d; d -> load.a; load.k -> earth; earth -> ground.p;
    output v = d.e;
    experiment e { stop 40 [ms]; record v; }
}
END
answers interpreted interpreter ../pump.hbg --solver erk --rtol 1e-10
says interpreted/code 0
wanted=$(tail -n 1 interpreted/rows.csv | cut -d, -f2)
for solver in 'bdf --rtol 1e-6' 'bdf --rtol 1e-8' 'adams --rtol 1e-6' 'adams --rtol 1e-8'; do
    # shellcheck disable=SC2086 # a solver with its tolerance
    answers interpreted interpreter ../pump.hbg --solver $solver
    says interpreted/code 0
    tail -n 1 interpreted/rows.csv | awk -F, -v w="$wanted" '{ d = ($2 - w)/w; exit d*d > 1e-8 }' || fail "pump, $solver: $(tail -n 1 interpreted/rows.csv), not $wanted"
done

# Five diodes on two sines in opposition: the second and the third block at their peak, in the same instant as the charge of three capacitors
# is what the sources make it. A step of bdf takes the voltage of the third 4e-9 V above 0, more than the band, and it falls from there.
model=five
cat >five.hbg <<'END'
import "electrical.hbg";
model Five {
    VoltageSource supply(voltage = 5 [V]);
    ControlledVoltageSource one(v = 5 [V]*sin(2*pi*50 [kHz]*time));
    ControlledVoltageSource other(v = -5 [V]*sin(2*pi*50 [kHz]*time));
    Diode d1(forward_drop = 0 [V]);
    Diode d2(forward_drop = 0 [V]);
    Diode d3(forward_drop = 0 [V]);
    Diode d4(forward_drop = 0 [V]);
    Diode d5(forward_drop = 0 [V]);
    Capacitor c1(capacitance = 100 [nF]);
    Capacitor c2(capacitance = 100 [nF]);
    Capacitor c3(capacitance = 100 [nF]);
    Capacitor c4(capacitance = 100 [nF]);
    Capacitor store(capacitance = 1 [uF]);
    Resistor load(resistance = 100 [kOhm]);
    Ground ground;
    0 earth; 0 plus; 0 p; 0 q; 0 a; 0 b; 0 c; 0 d; 0 out;
    earth -> supply.n; supply.p -> plus; earth -> one.n; one.p -> p; earth -> other.n; other.p -> q;
    plus -> d1.a; d1.k -> a; a -> c1.a; c1.k -> p; a -> d2.a; d2.k -> b; b -> c2.a; c2.k -> q; b -> d3.a; d3.k -> c; c -> c3.a; c3.k -> p;
    c -> d4.a; d4.k -> d; d -> c4.a; c4.k -> q; d -> d5.a; d5.k -> out; out -> store.a; store.k -> earth; out -> load.a; load.k -> earth;
    earth -> ground.p;
    output v = out.e;
    experiment e { stop 100 [us]; record v; }
}
END
answers interpreted interpreter ../five.hbg --solver erk --rtol 1e-10
says interpreted/code 0
wanted=$(tail -n 1 interpreted/rows.csv | cut -d, -f2)
for digits in 3e-5 1e-5 3e-6 1e-6 3e-7 1e-7; do
    answers interpreted interpreter ../five.hbg --solver bdf --rtol "$digits"
    says interpreted/code 0
    tail -n 1 interpreted/rows.csv | awk -F, -v w="$wanted" '{ d = ($2 - w)/w; exit d*d > 1e-6 }' ||
        fail "five, bdf, $digits: $(tail -n 1 interpreted/rows.csv), not $wanted"
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
