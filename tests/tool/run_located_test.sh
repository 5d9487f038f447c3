#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: relations inside laws and guards, through the whole program: those that read one another, cells of
# floor and tables, waves of time, equality at the start, islands that meet at one instant.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised # last rows are compared with closed forms; tests/rt locates with the sanitizers

# last MODEL SOLVER: the last row
last() { "$hbg" run "$1" --solver "$2" --rtol 1e-9 -q -o - 2>/dev/null | tail -n 1; }

# near WHAT ROW VALUE…: the columns after the time, to 1e-6
near() {
    what=$1 row=$2
    shift 2
    echo "$row" | awk -F, -v wanted="$*" 'BEGIN { n = split(wanted, w, " ") }
        { for (i = 1; i <= n; i++) if ($(i + 1) - w[i] > 1e-6 || w[i] - $(i + 1) > 1e-6 || $(i + 1) == "") exit 1 }
        END { if (NR == 0) exit 1 }' || fail "$what: $row where it should be $*"
}

# y jumps at 0.5 s and carries q with it: 1·0.5 + 7·1.5
cat >nested.hbg <<'EOF'
model Nested {
    state x = 0 : der = 1;
    signal y = x > 0.5 ? 5 : 0, s = sign(x - 0.5);
    state q = 0 : der = y > 3 ? 7 : 1;
    state p = 0 : der = s > 0 ? 2 : 0;
    experiment e { stop 2; record q, p; }
}
EOF
# ∫floor(t), ∫ceil, ∫(t % 0.5), ∫table(x) with a jump in the table, over 0 to 2.5
printf 'x,y\n0,0\n1,2\n1,5\n2,3\n' >steps.csv
cat >cells.hbg <<'EOF'
model Cells {
    state x = 0 : der = 1;
    state a = 0 : der = floor(time);
    state b = 0 : der = ceil(x);
    state c = 0 : der = x % 0.5;
    state d = 0 : der = table("steps.csv", "y", x);
    experiment e { stop 2.5; record a, b, c, d; }
}
EOF
# an orifice that is off below 0: the branch not taken has an infinite slope
cat >orifice.hbg <<'EOF'
model Orifice { state v = -1 : der = 1 + (v > 0 ? v^0.5 : 0)*0; experiment e { stop 0.5; record v; } }
EOF
# a tank that fills through 0 against an orifice: e is 0.01 when inflow equals outflow
cat >through.hbg <<'EOF'
model Through {
    C c(1, q = -1); R r : f = sign(e)*sqrt(abs(e)); Sf s(0.1); 0 n; n -> c; n -> r; s -> n;
    experiment e { stop 6; record c.e; }
}
EOF
# one that runs empty, and stays empty: sqrt(e) falls by 1/2 each second, from 1
cat >empty.hbg <<'EOF'
model Empty {
    C c(1, q = 1); R r : f = e > 0 ? sqrt(e) : 0; c -> r;
    experiment e { stop 4; record c.e; }
}
EOF
for solver in erk bdf adams; do
    near "through 0, $solver" "$(last through.hbg $solver)" 0.01
    near "empty, $solver" "$(last empty.hbg $solver)" 0
    near "nested, $solver" "$(last nested.hbg $solver)" 11 3
    near "cells, $solver" "$(last cells.hbg $solver)" 2 4.5 0.625 6.5
    near "orifice, $solver" "$(last orifice.hbg $solver)" -0.5
done

# 50 Hz over 4 s: 200 half waves, each located at both ends, however quiet the rest is
cat >wave.hbg <<'EOF'
model Wave {
    param f = 50 [Hz];
    state on = 0 : der = a.up ? 1 : 0;
    automaton a { off down -> up when sin(2*pi*f*time) > 0; on up -> down when sin(2*pi*f*time) < 0; }
    experiment e { stop 4; record on; }
}
EOF
# x begins at the threshold of a guard and of its negation
cat >edge.hbg <<'EOF'
model Edge {
    state x = 0 : der = 1;
    state on = 0 : der = a.up ? 1 : 0;
    automaton a { off down -> up when x > 0; on up -> down when !(x > 0); }
    experiment e { stop 1; record on; }
}
EOF
# both junctions open: the node between them floats, which is not a conflict
cat >floating.hbg <<'EOF'
model Floating {
    Sf s(1); 1 j when a; 0 n; 1 k when b; C c(1); R r(1);
    s -> j -> n -> k; k -> c; k -> r;
    automaton a { off open -> closed after 1; on closed -> open after 10; }
    automaton b { off open -> closed after 0.5; on closed -> open after 10; }
    experiment e { stop 2; record c.q; }
}
EOF
near wave "$(last wave.hbg auto)" 2
near edge "$(last edge.hbg auto)" 1
near floating "$(last floating.hbg auto)" 1

HBG_PATH=$HBG_SOURCE_DIR/lib
export HBG_PATH
# A switch that shuts early in the run shuts once: the counter stays at one, the current comes to 10·(1 - exp(-0.999)) A
cat >early.hbg <<'EOF'
import "electrical.hbg";
model Early {
    param t0 = 1 [us];
    VoltageSource v(voltage = 10 [V]); Switch s(closed = time > t0); Resistor r(resistance = 1 [Ohm]);
    Inductor l(inductance = 1 [mH]); Ground g; 0 a; 0 b; 0 c; 0 d;
    v.p -> a -> s.a; s.k -> b -> r.a; r.k -> c -> l.a; l.k -> d -> v.n; d -> g.p;
    automaton n { off none -> one when s.lever.shut; on one -> back when !s.lever.shut; off back; }
    output once = n.one ? 1 : 0;
    experiment e { stop 1 [ms]; record l.i, once; }
}
EOF
# a coil is handed over from one switch to another: one opens when the other shuts, permanently
cat >handed.hbg <<'EOF'
model Handed {
    param t0 = 1 [us];
    1 loop; I coil(1 [mH], f = 2 [A]); R r(1 [Ohm]); 0 n; Se y(0 [V]); Se z(0 [V]); R shunt(1 [mOhm]);
    1 j when a; 1 k when b; loop -> coil; loop -> r; y -> j -> n; z -> k -> n; k -> shunt; n -> loop;
    signal late = time > t0;
    automaton a { off open -> shut when late; on shut -> open when !late; }
    automaton b { on shut -> open when time >= t0; off open; }
    experiment e { stop 1 [ms]; record coil.f; }
}
EOF
for solver in auto erk bdf adams; do
    near "early, $solver" "$(last early.hbg $solver)" 6.317525 1
    for rtol in 1e-4 1e-6 1e-8 1e-10; do
        run 0 run handed.hbg -q --solver $solver --rtol $rtol --events handed.jsonl
        [ "$(grep -c '"cause":."' handed.jsonl)" = 1 ] || fail "$solver, $rtol: $(cat handed.jsonl)"
    done
done

# a touch at the instant at which another automaton's wait ends shares its search
cat >together.hbg <<'EOF'
model Together {
    state x = 0 : der = 1;
    signal y = 1 - (x - 1)^2;
    automaton a { off low -> high when y >= 1; on high -> low when false; }
    automaton b { off low -> high after 1; on high -> low when false; }
    experiment e { stop 2; record x; }
}
EOF
run 0 run together.hbg -q --events together.jsonl
says together.jsonl '"changed":{"a":"high","b":"high"}'

# half the capacitance, twice the energy: work of the parameter, not energy from nowhere
cat >modulated.hbg <<'EOF'
model Modulated {
    C c(s.half ? 0.5 : 1, q = 2);
    R r(1e9); c -> r;
    automaton s { on whole -> half after 1; off half -> whole when false; }
    experiment e { stop 2; record c.e; }
}
EOF
run 0 run modulated.hbg
grep -q 'by parameters  *2 J' out || fail "its work is not told: $(cat out)"

# a switch that shorts a source has no valid mode: time, bonds in conflict, amount (5 V over two closed
# switches), status 3
cat >short.hbg <<'EOF'
model Short {
    Se u(5); Se z(0); 0 n; 1 j when a; 1 k when b; R r(1); u -> j -> n; z -> k -> n; n -> r;
    automaton a { on shut -> open when false; off open -> shut when false; }
    automaton b { off open -> shut after 1; on shut -> open when false; }
    experiment e { stop 2; record r.f; }
}
EOF
run 3 run short.hbg -q
says err 'at t = 1 s'
says err 'sources are short-circuited: `j`, `k`, `u`, `z`: an unbounded flow of 2.5/η; taken: `b` open -> shut'

# A body that comes to rest as it reaches another at rest touches it at speed 0: the rounding of that speed is
# equal to 0 relative to the speeds of this run, also for the guard that is evaluated there for the first
# time. Pushed by 0.7 N from -0.3 N·s on it touches at 3/7 s; both then share the push for 4/7 s, 0.2 N·s
# each.
cat >touch.hbg <<'END'
model Touch {
    1 a; 1 b; I m1(1, p = -0.3); I m2(1); Se push(0.7); 0 c when t restitution 0.25;
    push -> a -> m1; b -> m2; a -> c -> b;
    automaton t { off free -> hit when a.f - b.f > 0; on hit -> free when a.f - b.f < 0; }
    experiment z { stop 1; record m1.p, m2.p; }
}
END
run 0 run touch.hbg -o touch.csv
tail -n 1 touch.csv | awk -F, '{ exit !($2 > 0.199999 && $2 < 0.200001 && $3 > 0.199999 && $3 < 0.200001) }' ||
    fail "they do not share the push: $(tail -n 1 touch.csv)"

# A pulse-width modulator by complementary guards on cells of time: on for every other 0.05 s, 200 events up to 10.02 s
cat >pwm.hbg <<'END'
model Pwm {
    param d = 0.05 [s];
    state x = 0 : der = a.on ? 1 : 0;
    automaton a { off idle -> on when floor(time/d) % 2 < 1; on on -> idle when BACK; }
    experiment e { stop 10.02; record x; }
}
END
for back in 'floor(time\/d) % 2 >= 1' '!(floor(time\/d) % 2 < 1)'; do
    sed "s/BACK/$back/" pwm.hbg >width.hbg
    run 0 run width.hbg -q -o width.csv --events width.jsonl
    near "pulse width, $back" "$(tail -n 1 width.csv)" 5.02
    [ "$(wc -l <width.jsonl)" = 201 ] || fail "$back: $(wc -l <width.jsonl) lines"
done

# Relations of laws that read others: a table that jumps onto a threshold, and values that jump with a step of
# time
printf 't,v\n0,0\n1,0\n1,2\n3,2\n3,0.3\n4,0.3\n' >stairs.csv
cat >onto.hbg <<'END'
model Onto {
    state x = 0 : der = table("stairs.csv", "v") >= 2 ? 1 : 0;
    state y = 0 : der = floor(time/(0.1 [s])) % 2;
    Se s(floor(4*time/(1 [s]))*1 [V]); R r(1 [Ohm]); 1 j; s -> j -> r;
    state z = 0 : der = r.f >= 2 [A] ? 5 : 1;
    experiment e { stop 4; record x, y, z; }
}
END
for solver in auto erk bdf adams; do near "onto, $solver" "$(last onto.hbg $solver)" 2 2 18; done

finish
