#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Rectifiers whose diodes have a small resistance and, beside it, a small conductance: elimination rounds off what the conductance amplifies.
# Nothing of that is a verdict, and where it is all that a state consists of it is not followed.
set -euo pipefail

# A resistive load on three phases: the six diodes turn on one after the other, 1/300 s apart, and each once a period.
{
    cat <<'END'
import "electrical.hbg";

model SixPulse {
    Ground ground;
    Resistor load(resistance = 1 [Ohm]);
    0 minus;
    0 n;
    0 p;
    minus -> ground.p;
    p -> load.a;
    load.k -> n;
END
    for phase in 0 1 2; do
        cat <<END
    ControlledVoltageSource s$phase(v = 20 [V]*sin(2*pi*50 [Hz]*time - $phase*2*pi/3));
    Resistor w$phase(resistance = 0.1 [Ohm]);
    Diode u$phase(Ron = 10 [mOhm], Goff = 1e-8 [S]);
    Diode l$phase(Ron = 10 [mOhm], Goff = 1e-8 [S]);
    0 x$phase;
    minus -> s$phase.n;
    s$phase.p -> w$phase.a;
    w$phase.k -> x$phase;
    x$phase -> u$phase.a;
    u$phase.k -> p;
    n -> l$phase.a;
    l$phase.k -> x$phase;
END
    done
    echo "    experiment run { stop 41 [ms]; record load.i; }"
    echo "}"
} >six.hbg
for solver in erk bdf adams; do
    "$HBG" run six.hbg -q --no-ledger --solver $solver --events events.jsonl -o rows.csv
    # when diodes turn on after the first instant
    grep -o '"t":[0-9.e-]*\|"[ul][012].conduction":"conducting"' events.jsonl |
        awk -F'[:"]' '/"t"/ { t = $0; sub(/.*:/, "", t) } /conducting/ && t > 0 { print t }' >turned
    awk -v solver=$solver '{ place = $1 - int($1*300)/300 } NR == 1 { first = place }
        { off = place - first; if (off < 0) off = -off; if (off > 1e-7) { print solver ": at " $1; exit 1 } }
        END { if (NR != 12) { print solver ": " NR " times"; exit 1 } }' turned
done

# A bridge before a choke: while no diode conducts both its arms are at one level, and the current is rounding that decays in 1 ns.
cat >bridge.hbg <<'END'
import "electrical.hbg";

model Bridge {
    ControlledVoltageSource mains(v = 20 [V]*sin(2*pi*50 [Hz]*time));
    Resistor winding(resistance = 0.5 [Ohm]);
    Inductor choke(inductance = 1 [mH]);
    Resistor load(resistance = 1 [Ohm]);
    Diode d1(Ron = 0.1 [mOhm], Goff = 1e-6 [S]);
    Diode d2(Ron = 0.1 [mOhm], Goff = 1e-6 [S]);
    Diode d3(Ron = 0.1 [mOhm], Goff = 1e-6 [S]);
    Diode d4(Ron = 0.1 [mOhm], Goff = 1e-6 [S]);
    Ground ground;
    0 a;
    0 b;
    0 p;
    0 q;
    0 minus;
    minus -> ground.p;
    b -> mains.n;
    mains.p -> winding.a;
    winding.k -> a;
    a -> d1.a;
    d1.k -> p;
    b -> d2.a;
    d2.k -> p;
    minus -> d3.a;
    d3.k -> a;
    minus -> d4.a;
    d4.k -> b;
    p -> choke.a;
    choke.k -> q;
    q -> load.a;
    load.k -> minus;
    experiment run { stop 5 [ms]; record load.v; }
}
END
timeout 60 "$HBG" run bridge.hbg -q --no-ledger --json -o rows.csv >answer
# 1.36 million steps were made in the first 4 ns when it was followed
[ "$(sed -n 's/.*"steps": *\([0-9]*\).*/\1/p' answer)" -lt 1000000 ]
# L*i' + R*i = 20 sin(w*t) - 1.2 from the time on at which the right side is 0
tail -n 1 rows.csv | awk -F, '{
    R = 1.5002; w = 100*atan2(0, -1); L = 1e-3; Z = sqrt(R^2 + (w*L)^2); phase = atan2(w*L, R)
    begin = atan2(0.06, sqrt(1 - 0.06^2))/w
    i = 20/Z*sin(w*$1 - phase) - 1.2/R - (20/Z*sin(w*begin - phase) - 1.2/R)*exp(-($1 - begin)*R/L)
    off = $2 - i; if (off < 0) off = -off
    if (off > 1e-4) { print "load at " $2 " V, not " i; exit 1 } }'
