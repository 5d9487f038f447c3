#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: effects of instants on energies, waits and the log, on small models with known answers.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# Boxes of any mass on one another, at rest: nothing happens, and each contact carries the boxes above it.
# Those that begin apart fall until they approach each other by more than a band of equality, which is soon
stack() { # TOGETHER|APART MASS...
    how=$1 n=0 below=ground
    shift
    {
        echo 'import "translational.hbg"; model Stack { Sf earth(0 [m/s]); 1 ground; earth -> ground;'
        for mass; do
            n=$((n + 1))
            echo "I m$n($mass [kg]); Se w$n(-$mass*9.81 [N]); 1 b$n; b$n -> m$n; w$n -> b$n;"
            echo "Contact c$n; $below -> c$n.a; c$n.b -> b$n;"
            below=b$n
        done
        echo "experiment rest { stop 1 [s];"
        [ "$how" = apart ] || for k in $(seq $n); do echo "set c$k.touch = together;"; done
        for k in $(seq $n); do echo "record c$k.force, c$k.distance;"; done
        echo '} }'
    } >stack.hbg
    HBG_PATH=$HBG_SOURCE_DIR/lib run 0 run stack.hbg -o stack.csv --events stack.json
    echo "$*" | awk -F, -v fallen="$([ "$how" = apart ] && echo 1e-10 || echo 1e-20)" 'NR == FNR { n = split($0, mass, " "); next }
        END {
            for (k = n; k >= 1; k--) {
                above += mass[k]*9.81
                if (($(2*k) - above)^2 > 1e-16*above^2 || $(2*k + 1)^2 > fallen^2) exit 1
            }
        }' - stack.csv || fail "stack of $*, $how: $(tail -1 stack.csv)"
    [ "$how" = apart ] || [ "$(wc -l <stack.json)" -eq 1 ] || fail "stack of $*: $(tail -1 stack.json)"
}
for state in together apart; do
    stack $state 1 1
    stack $state 2 1 7
    stack $state 1 3 0.5 7 2
done

# two storages are joined, one of them empty: its law has no slope there, but the answer is unique
join() { # CHARGE LAW LAW
    cat >join.hbg <<END
model Join {
    C c1(q = $1) : e = $2;
    C c2(q = 0) : e = $3;
    0 a;
    0 b;
    1 j when s;
    a -> c1;
    b -> c2;
    a -> j -> b;
    input bool close = false;
    automaton s { off open -> closed when close; on closed -> open when !close; }
    output q1 = c1.q, q2 = c2.q;
    experiment e { stop 2; at 1: close = true; }
}
END
    run 0 run join.hbg
}
join 8 'cbrt(q)' 'cbrt(q)' # half of it each
says out 'q1            4'
says out 'q2            4'
join 9 'sqrt(q)' 'sqrt(q)'
says out 'q2            4.5'
join 9 'q^0.5' 'q^0.5'
says out 'q2            4.5'
join 1 q 'cbrt(q)' # q^3 + q = 1
says out 'q1            0.682328'
says out 'q2            0.317672'

# three of them: 8 = q + q + q/2
cat >three.hbg <<'END'
model Three {
    C c1(q = 8) : e = cbrt(q);
    C c2(q = 0) : e = cbrt(q);
    C c3(q = 0) : e = cbrt(2*q);
    0 a;
    0 b;
    0 c;
    1 j when s;
    1 k when s;
    a -> c1;
    b -> c2;
    c -> c3;
    a -> j -> b -> k -> c;
    input bool close = false;
    automaton s { off open -> closed when close; on closed -> open when !close; }
    output q1 = c1.q, q3 = c3.q;
    experiment e { stop 2; at 1: close = true; }
}
END
run 0 run three.hbg
says out 'q1            3.2'
says out 'q3            1.6'

# a contact that would close now bounces: half of 2 m/s back, with a pulse of 1 kg times the difference. Other
# values read there are those before, as in the guards of a collision
cat >seen.hbg <<'END'
model Seen {
    1 ball;
    I mass(1, f = -2);
    Sf floor(0);
    0 contact when touch restitution pre(mass.p) < 0 ? 0.5 : 0;
    ball -> mass;
    floor -> contact -> ball;
    state x = 1 : der = ball.f;
    automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when mass.p > 0; }
    automaton spy { off no -> yes when in(touch.bouncing, ball.f) > 0.9; on yes; }
    output v = in(touch.bouncing, ball.f), area = in(touch.bouncing, impulse(contact.e)), spied = spy.yes;
    experiment e { stop 1; }
}
END
run 0 run seen.hbg -o seen.csv --every 0.25
grep -qx '0.25,-2,3,0' seen.csv || fail "in() without the rebound: $(cat seen.csv)"
says out 'v             1' # it flies away at half the speed; a contact now would stop it, without a bounce
says out 'area          -1'
run 0 run seen.hbg --explain --quiet
says out 'spy: no -> yes, when in(touch.bouncing, ball.f) > 0.9 (1 > 0.9)'

# a state that is left and entered again in one search has been entered again: its wait starts again
cat >again.hbg <<'END'
model Again {
    state x = 0 : der = 1;
    automaton a { off h -> g after 1; off g -> h when true; }
    automaton k { off p -> q when a.g; on q; }
    output o = k.q;
    experiment e { stop 1.9; }
}
END
run 0 run again.hbg --explain --quiet
says out 'k: p -> q, when a.g'
[ "$(grep -c 'after 1 s' out)" -eq 1 ] || fail 'a wait that begins anew was over at once'

# without automata: an input moves a charge from 10 C to 14 C; the supply gives 28 J, of which 24 J are stored
cat >supply.hbg <<'END'
model Supply {
    input real v = 5 [V];
    Se supply(v);
    C c(2 [F], q = 10 [C]);
    0 node;
    supply -> node -> c;
    output charge = c.q;
    experiment e { stop 3 [s]; at 1 [s]: v = 7 [V]; at 2 [s]: v = 7 [V]; }
}
END
run 0 run supply.hbg --quiet --events supply.jsonl --explain
[ "$(wc -l <supply.jsonl)" -eq 3 ] || fail 'three instants: the start, and two of the input'
sed -n 2p supply.jsonl >second
says second '"t":1,"cause":["v = 7"]'
says second '"jump":{"c.q":[10,14]}'
says second '"energy_lost":4'
sed -n 3p supply.jsonl | grep -qF '"trace":[],"energy_lost":0' || fail 'an input that moves nothing'
says out 'it takes c.q from 10 C to 14 C'

# a block that slides comes to rest: the rest of its momentum there is rounding, not a jump
cat >block.hbg <<'END'
model Block {
    1 v;
    I m(1);
    Se drive(4*sin(time));
    Sf wall(0);
    0 stop when s;
    Se friction(s.right ? -3 : s.left ? 3 : 0);
    drive -> v -> m;
    wall -> stop -> v;
    friction -> v;
    automaton s {
        on stuck { -> right when -stop.e > 3; -> left when -stop.e < -3; }
        off right -> stuck when v.f <= 0;
        off left -> stuck when v.f >= 0;
    }
    output f = v.f;
    experiment e { stop 10; }
}
END
run 0 run block.hbg --quiet --events block.jsonl
[ "$(wc -l <block.jsonl)" -eq 7 ] || fail 'three times it begins to slide and ends'
[ "$(grep -c '"jump":{},"impulses":{}}\],"energy_lost":0,' block.jsonl)" -eq 6 ] || { fail 'rounding is told'; cat block.jsonl; }

# causes have the names in the guards, also several at one instant: signals, powers, common variables of
# junctions
cat >words.hbg <<'END'
model Words {
    I l(1, f = 1);
    C c(1);
    1 j;
    l -> j -> c;
    signal s = 1 - (time - 1)^2;
    automaton a { off no -> yes when l.power > 0; on yes; }
    automaton b { off no -> yes when j.f < 0; on yes; }
    automaton d { off no -> yes when s >= 1; on yes; }
    automaton e { off no -> yes when s > 1; on yes; }
    output o = a.yes || b.yes || d.yes || e.yes;
    experiment e { stop 2; }
}
END
run 0 run words.hbg --quiet --explain --events words.jsonl
says words.jsonl '"cause":["s >= 1","s > 1"]'
says words.jsonl '"cause":["l.power > 0","j.f < 0"]'
says out 't = 1.5708 s: l.power > 0; j.f < 0'

# relations that are at equality at the start and leave it together give one instant, whatever the rounding
cat >leave.hbg <<'END'
model Leave {
    state x = 0 : der = 1;
    state y = 0 : der = -1;
    automaton a { off no -> yes when x > 0; on yes; }
    automaton b { off no -> yes when y < 0; on yes; }
    automaton c { off no -> yes when 2*x - y != 0; on yes; }
    automaton d { off no -> yes when x < 0; on yes; }
    output o = a.yes && b.yes && c.yes, never = d.yes;
    experiment e { stop 2; }
}
END
run 0 run leave.hbg --quiet --explain --events leave.jsonl
[ "$(wc -l <leave.jsonl)" -eq 2 ] || { fail 'one departure, and no more'; cat leave.jsonl; }
says leave.jsonl '"changed":{"a":"yes","b":"yes","c":"yes"}'

# a capacitor that a diode begins to charge from 0: the rounding of the drop is not a jump, however small its
# charge was
run 0 run "$HBG_SOURCE_DIR/examples/half-wave-rectifier/half-wave-rectifier.hbg" -I "$HBG_SOURCE_DIR/lib" --quiet --events first.jsonl
sed -n 2p first.jsonl >second.jsonl
says second.jsonl '"kind":"continuous","jump":{},"impulses":{}}'

# for a choice the story gives the condition and its branch
cat >choice.hbg <<'END'
model Choice {
    state x = 0 : der = 1;
    automaton a { off u -> v when (x < 1.5 ? sin(x) > 2 : x > 2); on v; }
    output y = x, z = a.v;
    experiment e { stop 3; }
}
END
run 0 run choice.hbg --quiet --explain
says out '(2 >= 1.5) (at 2)'

# samples are at exact multiples of the period, in the log, the story and a verdict: 3·0.3 is 0.9
cat >sampled.hbg <<'END'
model Sampled {
    state x = 0 : der = 1;
    automaton k every 0.3 [s] { off u -> v when x > 0.6; on v -> w when x > 1.6; off w -> v when x > 1.6; }
    output y = x, z = k.v;
    experiment e { stop 2 [s]; }
}
END
run 3 run sampled.hbg --quiet --explain --events sampled.jsonl
says sampled.jsonl.partial '{"t":0.9,'
says out 't = 0.9 s: a sample is due'
says err 'at t = 1.8 s: the switching never settles at this instant'
run 3 run sampled.hbg --quiet --solver rk4 --step 0.1 --events sampled.jsonl
says sampled.jsonl.partial '{"t":0.9,'

# reports about decisions are true. When the plates have one speed the pulse that joins them is rounding: the
# torque decides, 4.155 N.m, that is 0.8 of the remaining 5 - 0.02*38.79 N.m of the drive and the 0.776 of the
# bearing, which is more than they can hold
cat >plates.hbg <<'END'
model Plates {
    param sliding = 8 [N.m], sticking = 3 [N.m];
    1 s1;
    1 s2;
    0 plates;
    1 slip when !stick;
    Se motor(5 [N.m]);
    I j1(0.05 [kg.m2], f = 100 [rad/s]);
    I j2(0.2 [kg.m2]);
    R bearing(0.02 [N.m.s/rad]);
    Se friction(stick.back ? sliding : -sliding);
    motor -> s1 -> j1;
    s1 -> plates -> s2 -> j2;
    plates -> slip;
    friction -> slip;
    s2 -> bearing;
    automaton stick {
        off fwd -> stuck when slip.f < 0;
        on stuck { -> fwd when plates.e > sticking; -> back when plates.e < -sticking; }
        off back -> stuck when slip.f > 0;
    }
    experiment e { stop 3 [s]; }
}
END
run 3 run plates.hbg
says err '`stick` stuck -> fwd (4.15517 > 3); verdict divergence'

# a relation under ! is reported as it is
cat >not.hbg <<'END'
model Not {
    state x = 0 : der = 1 [1/s];
    automaton a { off one -> two when !(x <= 1); on two -> three when !(x > 2); off three; }
    output o = a.two, p = x;
    experiment e { stop 3 [s]; }
}
END
run 0 run not.hbg --quiet --explain
says out 'a: one -> two, when !(x <= 1) (at 1)'
says out 'a: two -> three, when !(x > 2) (1 <= 2)'

# a strict guard holds at equality where it is crossed, for the whole instant; the digits show what is
# distinct
cat >border.hbg <<'END'
model Border {
    state x = 0 : der = 1 [1/s];
    automaton b { off one -> two when x > 0.5; on two -> three when x > 0.5; off three -> two when x > 0.5; }
    output p = x, q = b.two;
    experiment b { stop 3 [s]; }
}
END
run 3 run border.hbg --quiet --explain
says out 'b: one -> two, when x > 0.5 (at 0.5)'
says out 'b: two -> three, when x > 0.5 (0.5 > 0.5, crossed here)'
says err '`b` two -> three (0.5000000001 > 0.5); verdict divergence'

# a relation that changes at a pole, or jumps, was never at its threshold
cat >pole.hbg <<'END'
model Pole {
    state x = 3.7 : der = 1;
    state y = 3.5 : der = 1;
    automaton a { off lo -> hi when 1/(x - 5) > 10; on hi -> lo when x > 8; }
    automaton b { off lo -> hi when 1/(5 - y) > 10; on hi -> lo when 1/(5 - y) < 10; }
    automaton d { off lo -> hi when x % 1 > 0.3; on hi -> lo when x % 1 < 0.3; }
    output o = a.hi, p = b.hi, q = d.hi;
    experiment e { stop 3 [s]; }
}
END
run 0 run pole.hbg --quiet --explain
says out 'a: lo -> hi, when 1/(x - 5) > 10 (through infinity)'
says out 'b: lo -> hi, when 1/(5 - y) > 10 (at 10)'
says out 'b: hi -> lo, when 1/(5 - y) < 10 (through infinity)'
says out 'd: hi -> lo, when x % 1 < 0.3 (jumps past 0.3)'
says out 'd: lo -> hi, when x % 1 > 0.3 (at 0.3)'

# a heavy cart drives a light one against a stop it touches: all collisions are at one instant. Separate
# arithmetic shows whether they end; if they do not, no other verdict is given, although the last ones are as
# small as rounding
cat >carts.hbg <<'END'
model Carts {
    param m1 = 2 [kg], eps = 0.6;
    1 cart1;
    1 cart2;
    I mass1(m1, f = 3 [m/s]);
    I mass2(1 [kg]);
    0 bumper when hit restitution eps;
    0 stop when wall restitution 0.5;
    Sf ground(0 [m/s]);
    cart1 -> mass1;
    cart1 -> bumper -> cart2 -> mass2;
    cart2 -> stop;
    ground -> stop;
    state x1 = 0 [m] : der = cart1.f;
    state x2 = 1.5 [m] : der = cart2.f;
    automaton hit { off apart -> touch when x1 >= x2 && cart1.f > cart2.f; on touch -> apart when cart1.f < cart2.f; }
    automaton wall { off away -> touch when x2 >= 1.5 [m] && cart2.f > 0; on touch -> away when cart2.f < 0; }
    output v1 = cart1.f, v2 = cart2.f;
    experiment e { stop 1 [s]; }
}
END
for mass in 8 10 11 12 15 30 50; do
    for eps in 0.6 0.3; do
        awk -v m="$mass" -v e=$eps 'BEGIN { v = 3; w = 0
            for (n = 0; n < 3000; n++)
                if (v > w) { p = (1 + e)*(v - w)/(1/m + 1); v -= p/m; w += p } else if (w > 0) w *= -0.5; else break
            if (n < 3000) printf "%.5g %.5g", v, w }' >wanted
        run "$([ -s wanted ] && echo 0 || echo 3)" run carts.hbg -p "m1=$mass" -p eps=$eps -o rows.csv
        [ -s wanted ] || says err 'verdict divergence'
        [ ! -s wanted ] || [ "$(tail -n 1 rows.csv | awk -F, '{ printf "%.5g %.5g", $2, $3 }')" = "$(cat wanted)" ] ||
            fail "m1 = $mass, eps = $eps: $(tail -n 1 rows.csv), not $(cat wanted)"
    done
done

# two such pairs at once, each by itself
awk '/^model/ { print "component Carts(m1 = 2 [kg], eps = 0.6) {"; next } /param m1|experiment|output/ { next } { print }
    END { print "model Two { Carts a(m1 = 12 [kg]); Carts b(m1 = 12 [kg]); experiment e { stop 1 [s]; record a.x1 + b.x1; } }" }' carts.hbg >two.hbg
run 3 run two.hbg --engine native
says err 'verdict divergence'

# a relation that stays at equality does not lead back to the state left at a crossing; the next instant
# evaluates it anew
cat >level.hbg <<'END'
model Level {
    state x = 0 : der = 1 [1/s];
    input real other = 0;
    automaton a { off one -> two when min(x, 1) >= 1; on two -> one when abs(x - 2) <= 0; }
    output o = a.two ? 1 : 0, p = x + other;
    experiment e { stop 4 [s]; at 3 [s]: other = 1; record o every 0.7 [s]; }
}
END
run 0 run level.hbg --quiet -o rows.csv
[ "$(awk -F, 'NR > 1 { printf "%.9g,%s ", $1, $2 }' rows.csv)" = '0,0 0.7,0 1,0 1,1 1.4,1 2,1 2,0 2.1,0 2.8,0 3,0 3,1 3.5,1 4,1 ' ] || fail "level: $(cat rows.csv)"
sed 's/min(x, 1)/x/' level.hbg >above.hbg # not at equality it leads back at once, which never ends
run 3 run above.hbg --quiet
says err '`a` one -> two (2 >= 1); verdict divergence'

# six diodes with inductances in the lines: as one takes over, its current is the rounding of currents of 30
# A, which is not a reverse current; every commutation is one mode, and in the last one reported time advances
{
    echo 'import "electrical.hbg";'
    echo 'model Bridge {'
    echo '    param A = 325 [V], w = 314.1592653589793 [1/s], Ls = 2 [mH], Id = 30 [A];'
    echo '    Se ua(A*sin(w*time)); Se ub(A*sin(w*time - 2*pi/3)); Se uc(A*sin(w*time + 2*pi/3));'
    echo '    1 la; 1 lb; 1 lc; I xa(Ls); I xb(Ls, f = -Id); I xc(Ls, f = Id); 0 a; 0 b; 0 c; 0 plus; 0 minus;'
    echo '    ua -> la -> a; la -> xa; ub -> lb -> b; lb -> xb; uc -> lc -> c; lc -> xc;'
    echo '    Diode d1(forward_drop = 0 [V]); Diode d2(forward_drop = 0 [V]); Diode d3(forward_drop = 0 [V]);'
    echo '    Diode d4(forward_drop = 0 [V]); Diode d5(forward_drop = 0 [V]); Diode d6(forward_drop = 0 [V]);'
    echo '    a -> d1.a; d1.k -> plus; b -> d2.a; d2.k -> plus; c -> d3.a; d3.k -> plus;'
    echo '    minus -> d4.a; d4.k -> a; minus -> d5.a; d5.k -> b; minus -> d6.a; d6.k -> c;'
    echo '    1 load; plus -> load -> minus; I ld(1 [H], f = Id); R rd(9 [Ohm]); load -> ld; load -> rd;'
    echo '    experiment e { stop 40 [ms]; record xa.f; set d3.conduction = conducting, d5.conduction = conducting; }'
    echo '}'
} >bridge.hbg
run 0 run bridge.hbg -I "$HBG_SOURCE_DIR/lib" --quiet --events log.jsonl
! grep -q mythical log.jsonl || fail "bridge: $(grep mythical log.jsonl)"
[ "$(wc -l <log.jsonl)" -eq 25 ] || fail "bridge: $(wc -l <log.jsonl) instants"

# A mass of 100 kg at 5 m/s hits one at rest that a wheel without mass couples to a locked brake of 1 N·m, a second after the start. Locked, it
# would have to take 750 N·m·s: it slips, and v1 + v2 = 5, v2 - v1 = 5·bounce. In 0.1 ms of slipping it takes 1e-6 m/s.
cat >struck.hbg <<'END'
import "translational.hbg";
import "rotational.hbg";
model Struck {
    param bounce = 0.5;
    Mass striker(mass = 100 [kg], velocity = 5 [m/s]);
    Mass struck(mass = 100 [kg]);
    Contact contact(bounce = bounce, gap = 5 [m]);
    TF wheel(1 [1/m]);
    Brake brake(max_torque = 1 [Nm], pressure = 1);
    1 first; 1 second;
    first -> striker.p; second -> struck.p; first -> contact.a; contact.b -> second; second -> wheel -> brake.p;
    output v1 = striker.v, v2 = struck.v;
    experiment e { stop 1.0001 [s]; record v1, v2; }
}
END
after() { # BOUNCE V1 V2
    for solver in erk bdf 'rk4 --step 1e-4'; do
        # shellcheck disable=SC2086 # a solver with its step
        run 0 run struck.hbg -I "$HBG_SOURCE_DIR/lib" --quiet -o rows.csv -p "bounce=$1" --solver $solver
        tail -n 1 rows.csv | awk -F, -v a="$2" -v b="$3" '{ d = $2 - a; f = $3 - b; exit !(d*d < 4e-12 && f*f < 4e-12) }' ||
            fail "struck, $1, $solver: $(tail -n 1 rows.csv), not $2 and $3"
    done
}
after 0.5 1.25 3.75
after 0 2.5 2.5
after 1 0 5
finish
