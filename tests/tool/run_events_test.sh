#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: the event log, the story, verdicts and their exit codes.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# the switch opens at 1 s and a diode takes over; one that needs 9 A has no mode to be in
cat >coil.hbg <<'END'
model Coil {
    param hold = 0 [A];
    input bool sw = true;
    Se drop(-4 [V]);
    Se short(0 [V]);
    I coil(2 [H], p = 12 [Wb]);
    1 j_sw when manual;
    0 node;
    1 j_d when diode;
    short -> j_sw -> node -> coil;
    j_d -> node;
    drop -> j_d;
    automaton manual { on closed -> open when !sw; off open -> closed when sw; }
    automaton diode { off blocking -> conducting when node.e <= -4 [V]; on conducting -> blocking when j_d.f < hold; }
    output i = coil.f;
    experiment opening { stop 5 [s]; at 1 [s]: sw = false; }
    experiment nowhere { stop 5 [s]; set hold = 9 [A]; at 1 [s]: sw = false; }
}
END
# bounces that accumulate before 3 s
cat >ball.hbg <<'END'
model Ball {
    1 ball;
    I mass(2 [kg]);
    Se gravity(-20 [N]);
    Sf floor(0 [m/s]);
    0 contact when touch restitution 0.5;
    gravity -> ball -> mass;
    floor -> contact -> ball;
    state x = 1.25 [m] : der = ball.f;
    automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when mass.p > 0; }
    output height = x;
    experiment always { stop 3 [s]; }
}
END

# the log is a file, and reported
run 0 run coil.hbg --events e.jsonl
says out 'wrote e.jsonl'
[ "$(wc -l <e.jsonl)" -eq 3 ] || fail 'three instants: start, opening, no current'
says e.jsonl '"cause":["sw = false"],"trace":[{"changed":{"manual":"open"},"kind":"mythical"'
absent e.jsonl.partial

# or the standard output: messages go elsewhere
run 0 run coil.hbg --events -
[ "$(grep -c '^{"t":' out)" -eq 3 ] || fail 'the log is not on the standard output'
says err 'Coil, experiment opening'
run 2 run coil.hbg --events - -o -
says err 'results and events are both to go to `-`'
run 2 run coil.hbg --events - --json
says err 'both want the standard output'

# the story
run 0 run coil.hbg --explain
says out 'Coil, experiment opening'
says out 't = 1 s: sw becomes false'
says out 'mythical'
run 0 run coil.hbg --explain --quiet
[ "$(head -n 1 out)" = 't = 0 s: start with diode blocking, manual closed' ] || fail 'quiet: only the story'
run 0 run coil.hbg --explain -o -
says err 't = 1 s: sw becomes false'
[ "$(head -n 1 out)" = 'time,i' ] || fail 'rows and nothing else'
run 0 run coil.hbg --explain=all --quiet
says out 't = 4 s'
run 2 run coil.hbg --explain=some
says err '`--explain=some` is neither'

# verdicts end a run with status 3; the log up to then is kept
run 3 run coil.hbg -x nowhere --events e2.jsonl
says err 'the switching never settles at this instant'
says err 'verdict divergence'
says err 'the events so far are in `e2.jsonl.partial`'
says e2.jsonl.partial '"verdict":"divergence"'
[ ! -e e2.jsonl ] || fail 'an unfinished log has its name'
run 3 run coil.hbg -x nowhere --json
says out '"verdict": "divergence"'
run 3 run ball.hbg --plot bounces.svg
says err 'verdict zeno'
says bounces.svg.partial 'verdict: zeno' # the picture says why it ends
run 3 run ball.hbg --zeno stop
run 0 run ball.hbg --zeno rest
says err 'warning: at t = '
says err 'from here on the contact rests'
run 0 run ball.hbg --zeno rest --json
says out '"count": 1'
says out 'from here on the contact rests'

# if several come to rest all are named: two at once, a third one later, whether or not they run as one
balls() { # RECORD
    cat >balls.hbg <<END
component Ball(height = 1 [m]) {
    1 ball;
    I mass(1 [kg]);
    Se gravity(-9.8 [N]);
    Sf floor(0 [m/s]);
    0 contact when touch restitution 0.8;
    gravity -> ball -> mass;
    floor -> contact -> ball;
    state x = height : der = ball.f;
    automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when mass.p > 0; }
}
model Balls {
    Ball a;
    Ball b(height = 2 [m]);
    Ball c;
    experiment e { stop 8 [s]; record $1 every 1 [s]; }
}
END
}
for engine in interpreter native; do
    balls 'a.x + b.x + c.x'
    run 0 run balls.hbg --zeno rest --engine $engine
    says err 'contacts at rest from here on: `a.contact`, `c.contact`; `b.contact` from t = 5.74'
    balls 'a.x, b.x, c.x'
    run 0 run balls.hbg --zeno rest --engine $engine --json
    for ball in a b c; do says err "\`$ball.contact\`"; done
    says out '`b.contact` from t = 5.74'
done
# a law that jumps under its own force: the way out is named
printf 'model M {\n    Se push(1 [N]);\n    I mass(1 [kg], f = 1 [m/s]);\n    R friction : e = 2 [N]*sign(f);\n    1 j;\n    push -> j -> mass;\n    j -> friction;\n}\n' >sticks.hbg
run 3 run sticks.hbg --stop 5
says err 'chattering: `sign(friction.f)` in a law switches back and forth without progress; a slope, such as tanh(x/x0)'
says err 'verdict chattering'
# so does a source: x falls by 2 and y rises by 1.5 until they meet at 2/7 s
printf 'model M {\n    C x(1, q = 1); C y(1); 0 a; 0 b; Sf s(a.e > b.e ? -2 : 2); Sf u(b.e > a.e ? -3 : 1.5);\n    s -> a -> x; u -> b -> y;\n}\n' >meet.hbg
for solver in erk bdf adams; do
    run 3 run meet.hbg --stop 2 --json --solver $solver
    says out '"verdict": "chattering"'
    says out 'at t = 0.28571'
done
run 2 run ball.hbg --zeno perhaps
says err '`--zeno perhaps` is neither stop nor rest'

# p and q go back and forth together, so that p alone moves; r and s, which are independent of them, go on
# together to their end
cat >apart.hbg <<'END'
model Apart {
    input bool go = false;
    automaton p { off a -> b when go && q.a; on b -> a when q.b; }
    automaton q { off a -> b when go && p.a; on b -> a when p.b; }
    automaton r { off a -> b when go && s.a; on b -> c when s.b; off c -> d when s.c; on d; }
    automaton s { off a -> b when go && r.a; on b -> c when r.b; off c -> d when r.c; on d; }
    C x(1); 0 n; 1 i when p; 1 j when q; 1 k when r; 1 l when s; R e(1); R f(1); R g(1); R h(1);
    n -> x; n -> i -> e; n -> j -> f; n -> k -> g; n -> l -> h;
    output ends = (p.b ? 1 : 0) + (q.a ? 10 : 0) + (r.d ? 100 : 0) + (s.d ? 1000 : 0);
    experiment e { stop 2; at 1: go = true; record ends; }
}
END
run 0 run apart.hbg -q -o apart.csv
[ "$(tail -n 1 apart.csv)" = 2,1111 ] || fail "groups that search side by side: $(tail -n 1 apart.csv)"
run 0 verify apart.hbg
says out 'p, q: consistent'
says out 'r, s: consistent'

# energy is created in one of the parts that bonds connect, 0.8125 - 0.5 J with the coefficient 1.5, whatever another one loses at that instant:
# here 5 J - 5/3 J
cat >parts.hbg <<'END'
model Parts {
    1 first; 1 second; I mass_1(1 [kg], f = 1 [m/s]); I mass_2(1 [kg]);
    signal epsilon = 1 + abs(pre(first.f) - pre(second.f))/(2 [m/s]);
    0 bumper when touch restitution epsilon;
    first -> mass_1; first -> bumper -> second -> mass_2;
    state gap = 1 [m] : der = second.f - first.f;
    C full(1 [mF], e = 100 [V]); C empty(2 [mF]); 0 left; 0 right; 1 contact when latch;
    left -> full; left -> contact -> right -> empty;
    automaton touch { off apart -> touching when gap <= 0 && first.f > second.f; on touching -> apart when first.f < second.f; }
    automaton latch { off open -> closed when touch.touching; on closed -> open when false; }
    experiment meet { stop 2 [s]; }
}
END
run 3 run parts.hbg --quiet
says err 'a jump creates energy: 0.5 J before, 0.8125 J after, 0 J from sources'
run 1 verify parts.hbg
says out 'energy created'

# a warning is one line, and an end with --strict
run 0 run "$HBG_SOURCE_DIR/examples/inelastic-collapse/inelastic-collapse.hbg" -x resting --quiet
[ "$(grep -c 'warning: at t = 1 s: the mode that persists changed the energies again' err)" -eq 1 ] || fail 'one warning'
silent out
run 3 run "$HBG_SOURCE_DIR/examples/inelastic-collapse/inelastic-collapse.hbg" -x resting --strict
says err 'verdict temporal-evolution'

# every verdict has its instant, the transitions taken and the values that decided, on the terminal and as JSON
verdict() { # NAME WORDS EXAMPLE OPTION...
    name=$1 words=$2 example=$3
    shift 3
    model=$HBG_SOURCE_DIR/examples/$example/$example.hbg
    run 3 run "$model" --quiet "$@"
    for part in 'at t = ' "$words" '; taken: ' "verdict $name"; do says err "$part"; done
    run 3 run "$model" --json "$@"
    for part in "\"verdict\": \"$name\"" "$words" '; taken: ' '"trace": ['; do says out "$part"; done
}
verdict divergence 'too close to tell apart' inelastic-collapse -x collapse
verdict lost-pinnacle 'entered again it would take mass.p from 0.708350196 to 0' stuck-contact -x kept
verdict forbidden-guard 'then `relay` closed -> open (4 == 4)' inconsistent-relay -x closing
verdict energy-created 'mass_1.p from 2 to -1.3' lively-ball -x lively
says out '"kind": "pinnacle"' # it has no field, although it was not reached
verdict zeno 'at `x <= 0`' ball-restitution -x zeno
verdict temporal-evolution 'it takes mass_3.p from 0.331843994 to 0.333333333' inelastic-collapse -x resting --strict
verdict chattering '`oven.e > T_off`' bang-bang-oven -x one_threshold
run 3 run "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" -x holding --quiet
says err 'at t = 0.0001 s'
says err 'last: `diode` conducting -> blocking (0.0302233 < 0.1)'

# all causes of an instant are reported: an input, an event, a crossing, a sample, the end of a wait
cat >causes.hbg <<'END'
model Causes {
    input bool sw = false;
    input event ping;
    state x = 0 : der = 1 [1/s];
    automaton lever { off open -> closed when sw; on closed -> open when !sw; }
    automaton level { off low -> high when x >= 1; on high; }
    automaton wait { off a -> b after 1 [s]; on b; }
    automaton tick every 0.5 [s] { off a -> b when x > 0.9; on b; }
    automaton bell { off q -> r when ping; on r -> q when ping; }
    output l = lever.closed, h = level.high, w = wait.b, t = tick.b, b = bell.r;
    experiment e { stop 3 [s]; at 1 [s]: sw = true; at 1 [s]: ping; }
}
END
run 0 run causes.hbg --quiet --events -
says out '{"t":1,"cause":["sw = true","ping","x >= 1","x > 0.9","after 1 s"]'
run 0 run causes.hbg --quiet --explain
says out 't = 1 s: sw becomes true; ping happens; x >= 1; a sample is due; a wait is over'

# each body that gets the same pulse is reported
run 0 run "$HBG_SOURCE_DIR/examples/elastic-pair/elastic-pair.hbg" -x elastic --quiet --explain
says out 'with a pulse of -1 N·s on mass_1, 1 N·s on mass_2'

# without automata the start is an event too, with its pulses, whatever else is reported
cat >caps.hbg <<'END'
model Caps {
    param spare = 3;
    C a(1 [F], e = 3 [V]);
    C b(2 [F], e = 1 [V]);
    R r(1 [Ohm]);
    0 n;
    n -> a;
    n -> b;
    n -> r;
    input real u = 1;
    output v = a.e;
    experiment short { stop 1 [s]; }
    experiment open { at 5 [s]: u = 2; }
}
END
run 0 run caps.hbg --stop 1 --quiet --events - # 3 C and 2 C become 5/3 C and 10/3 C
says out '"jump":{"a.q":[3,1.66666'
says out '"impulses":{"a":{"f":-1.33333'
says out '"b":{"f":1.33333'

# with a stop time on the command line, later events need not be reached
run 0 run caps.hbg -x open --stop 1
says out '1 action of the experiment lies after the end and is not reached'
run 0 run caps.hbg -x open --stop 6
! grep -q 'not reached' out || fail 'an action that is reached'

# warnings of the model are printed once, also if the run is refused
run 2 run caps.hbg --stop -1
says err 'error[E'
[ "$(grep -c 'unused-parameter' err)" = 1 ] || fail 'a warning said twice'

# a comparator that is crossed several times in a step: 2 crossings a second are not chattering
cat >sine.hbg <<'END'
model Sine {
    state x = 0 : der = 1 [1/s];
    automaton c {
        off low -> high when sin(2*pi*x) > 0.5;
        on high -> low when sin(2*pi*x) < 0.5;
    }
    output h = c;
    experiment e { stop 200 [s]; }
}
END
run 0 run sine.hbg --strict --step 2
says out '400 crossings'

# waits that are over as soon as they begin are chattering too, and end
cat >wait.hbg <<'END'
model Wait {
    state x = 0 : der = 1 [1/s];
    automaton w {
        off low -> high after 1e-20 [s];
        on high -> low after 1e-20 [s];
    }
    output y = x, h = w;
    experiment e { stop 1 [s]; }
}
END
run 3 run wait.hbg
says err 'chattering: planned changes follow one another without progress'
says err '`w` high -> low'

# automata that follow one another in a long chain do not diverge
awk 'BEGIN {
    print "model Chain {\n    input bool go = false;\n    state x = 0 : der = 1 [1/s];"
    print "    automaton k0 { off a -> b when go; on b; }"
    for (i = 1; i < 300; i++) printf "    automaton k%d { off a -> b when k%d.b; on b; }\n", i, i - 1
    print "    output y = x, last = k299;\n    experiment e { stop 2 [s]; at 1 [s]: go = true; }\n}"
}' >chain.hbg
run 0 run chain.hbg
says out 'last          true'

# of many automata a verdict names those that moved
awk 'BEGIN {
    print "model Many {\n    input bool go = false;\n    state x = 0 : der = 1 [1/s];"
    for (i = 0; i < 60; i++) printf "    automaton idle_%d { off a -> b when x > 10; on b; }\n", i
    print "    automaton one { off a -> b when go; on b -> a when two.b; }"
    print "    automaton two { off a -> b when one.b; on b -> a when one.a; }"
    print "    output y = x;\n    experiment e { stop 2 [s]; at 1 [s]: go = true; }\n}"
}' >many.hbg
run 3 run many.hbg
says err 'one=a,two=a -> one=b,two=a'
# a force that follows the speed that two masses would have if joined: v' = -4*(v/4), so that v = 4*exp(-t)
cat >joined.hbg <<'END'
model Joined {
    input bool sw = false;
    I ma(1 [kg], f = 4 [m/s]);
    I mb(3 [kg]);
    1 a;
    1 b;
    0 ab when stick;
    Se push(-(4 [N.s/m])*in(stick.held, ma.f));
    a -> ma;
    b -> mb;
    a -> ab -> b;
    push -> a;
    automaton stick {
        off free -> held when sw;
        on held -> free when !sw;
    }
    output v = a.f, seen = in(stick.held, ma.f);
    experiment e { stop 2 [s]; }
}
END
for way in '--rtol 1e-10' '--solver rk4 --step 0.01'; do
    # shellcheck disable=SC2086
    run 0 run joined.hbg $way
    says out 'v             0.541341 m/s'
    says out 'seen          0.135335 m/s'
done
# an input that is set twice to its old value is not a cause; one with a new value is reported once
cat >twice.hbg <<'END'
model Twice {
    input bool b = false, c = false;
    automaton a { off o -> p when b || c; on p -> o when !b && !c; }
    experiment e { stop 3; at 1: b = true; at 1: b = false; at 2: c = true; at 2: c = false; at 2: c = true; record a.p; }
}
END
run 0 run twice.hbg --quiet --events -
says out '{"t":1,"cause":[],"trace":[]'
says out '{"t":2,"cause":["c = true"],"trace":[{"changed":{"a":"p"}'

# 0/0 is NaN, so a guard does not hold: this is reported once; a guard that does not hold for another reason
# is not reported
cat >none.hbg <<'END'
model None {
    state x = 0 : der = 1;
    automaton a { off o -> p when QUOTIENT > 1; on p; }
    experiment e { stop 1; record a.p; }
}
END
sed 's/QUOTIENT/min(x, 0)\/max(-x, 0)/' none.hbg >zero.hbg
run 0 run zero.hbg
says err '`min(x, 0)/max(-x, 0) > 1` compares what is no number'
sed 's/QUOTIENT/time % 0/' none.hbg >rest.hbg
run 0 run rest.hbg
says err '`time % 0 > 1` compares what is no number'
# also if a mode leaves a value open
cat >parts.hbg <<'END'
model Parts {
    param T = 0 [s]; C c(1, q = 1); R r(1); 0 n; 1 j when s; n -> c; n -> j -> r;
    automaton s { on a -> b when time % T < 1 [s]; off b -> a when time % T > 1 [s]; }
    experiment e { stop 1; record c.q; }
}
END
run 0 run parts.hbg
says err '`time % T < 1` compares what is no number'
sed 's/QUOTIENT/x > 2 \&\& sqrt(x - 2)/' none.hbg >root.hbg
run 0 run root.hbg
! grep -q 'no number' err || fail "a guard that does not ask: $(cat err)"

# A relation that cannot be located is reported with time and reason. A value that is NaN from 0.5 s on, as
# far as steps show.
sed 's/QUOTIENT > 1/sqrt(0.5 - x) > 2/; s/stop 1/stop 5/' none.hbg >lost.hbg
# A phase of 1e15 rad a second, in a guard that may hold from 0.5 s on: no search follows that. One of 1e18
# rad a second of a state: after 1 ms that is exact to a tenth of a radian, and its sine is unknown.
sed 's/QUOTIENT > 1/x*sin(1e15 [rad\/s]*time) > 0.5/' none.hbg >hurried.hbg
sed 's/der = 1/der = 1e18/; s/QUOTIENT > 1/sin(x) > 2 - x\/1e17/' none.hbg >unknown.hbg
# Two guards with one threshold, and a law with a jump: the field leads back from both sides.
cat >slides.hbg <<'END'
model Slides { state x = 0 : der = a.p ? -1 : 1; automaton a { off o -> p when x > 1; on p -> o when x < 1; } experiment e { stop 2; record x; } }
END
cat >law.hbg <<'END'
model Law { state x = 0 : der = x > 0.5 ? -1 : 1; experiment e { stop 1; record x; } }
END
# told PATTERN: in the messages of the last run
told() { grep -qE -- "$1" err || { fail "$solver: not told: $1"; cat err >&2; }; }
for solver in erk bdf adams; do
    run 0 run lost.hbg -q --solver $solver
    told 'at t = 0\.50[0-9]* s: `sqrt\(0\.5 - x\) > 2` compares what is no number'
    for name in hurried unknown; do
        run 0 run $name.hbg -q --solver $solver
        told 'at t = [0-9.e-]+ s: `.*sin\(.*` varies too fast to be followed'
    done
    run 3 run slides.hbg -q --solver $solver
    told 'at t = 1\.00000[0-9]* s: chattering: `x > 1` and its opposite follow one another without progress'
    run 3 run law.hbg -q --solver $solver
    told 'at t = 0\.50000[0-9]* s: chattering: `x > 0\.5` in a law switches back and forth without progress'
done

# automata in a row, one state after the other: no state occurs twice, so it ends, however long it is
{
    echo 'model Row { input event go; automaton a { off s0 -> s1 when go;'
    for i in $(seq 400); do echo "on s$i -> s$((i + 1)) when true;"; done
    echo 'off s401; } output there = a.s401 ? 1 : 0; experiment e { stop 2; at 1: go; } }'
} >row.hbg
run 0 run row.hbg --quiet -o row.csv
[ "$(tail -n 1 row.csv)" = 2,1 ] || fail "the end of the row: $(tail -n 1 row.csv)"
finish
