#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg verify: results that the papers derive by hand, for the examples; answers and exit codes.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

examples=$HBG_SOURCE_DIR/examples
HBG_PATH=$HBG_SOURCE_DIR/lib
export HBG_PATH

# example NAME: the path of its model
example() {
    echo "$examples/$1/$1.hbg"
}

# says TEXT: the last answer has a line with this text
says() {
    grep -qF -- "$1" out || { fail "no \"$1\" in the answer"; cat out >&2; }
}

# says_not TEXT
says_not() {
    if grep -qF -- "$1" out; then
        fail "\"$1\" in the answer"
        cat out >&2
    fi
}

# 002, Figs 7 and 8: no holding current, no inconsistency; with one, exactly where 0 < p < L*I_th the diode cannot stay in
# either state. With p = 0 it is the capacitor's negative voltage that opens the diode.
run 0 verify "$(example diode-relay)"
says 'the switching is consistent'
run 1 verify "$(example diode-relay)" -p Ith=0.3
says '0 < coil.p < 0.003 [Wb], store.q <= 0.0005 [C]'
says '0 < coil.p < 0.003 [Wb], store.q >= 0.0002 [C]'
says 'coil.p = 0, store.q <= -6e-05 [C]'
says 'no mode is real where 0 < coil.p < 0.003 [Wb]'
says 'when j_d.f < Ith && !in(diode.blocking, node_l.e + node_c.e <= -Vd);'
says 'by diode: conducting -> blocking when j_d.f < Ith'
run 0 verify "$(example diode-inductor)"
run 1 verify "$(example diode-inductor)" -p Ith=0.01
says 'coil.p < 5e-05 [Wb]'

# 000, Figs 19 to 21: the ball below the floor with upward momentum; gone with the guards of Fig. 21
run 1 verify "$(example ball-printed-guards)"
says 'where x <= 0, mass.p > 0'
says 'out of reach: no real mode is left for there while time flows'
says 'ball-printed-guards.hbg:25'
says '        off away -> there when x <= 0 && pre(mass.p) <= 0;'
says 'no mode is real where x <= 0, mass.p > 0'
run 0 verify "$(example ball-combined)"
run 0 verify "$(example ball-nonelastic)"
run 0 verify "$(example ball-elastic)"
run 0 verify "$(example ball-restitution)"

# 000, Fig. 26: the cam
optimised # these take long, and short ones test the same paths
run 0 verify "$(example cam-valve)"
sanitized

# 004, section 4.1: two bodies that collide whenever they overlap collide for ever; not with v1 - v2 > v_th
run 0 verify "$(example elastic-pair)"
run 0 verify "$(example elastic-pair)" -p v_th=0.1
run 1 verify "$(example elastic-pair)" -p v_th=-1
says 'where x_1 >= x_2, -1 < mass_1.p - mass_2.p < 0'
sed -e 's/ && body_1.f - body_2.f > v_th;/;/' -e 's/, v_th = 0 .m.s. "faster than this they collide"//' \
    -e '/any_velocity/,/^    }/d' "$(example elastic-pair)" >pair.hbg
run 1 verify pair.hbg
says 'where x_1 >= x_2, mass_1.p < mass_2.p'
says 'cycle: a search comes back to a state it has been in, after a first mode was found real'

# three masses: collisions that lose the same share again and again never end below 7 - 4*sqrt(3), and do above
optimised
run 1 verify "$(example inelastic-collapse)" -p epsilon=0.05
says 'chain: commits follow one another without end'
run 0 verify "$(example inelastic-collapse)" -p epsilon=0.08
sanitized
run 0 verify "$(example three-masses-bouncing)"
run 0 verify "$(example three-masses-sticking)"

# a guard that reads a value that was never defined, 000, Fig. 7
run 1 verify "$(example inconsistent-relay)"
says 'forbidden guard: a guard reads what never was: `store_1.e`'
run 0 verify "$(example refined-relay)"

# 004, Fig. 16: sliding and stuck overlap in the slab |v_Ax| <= v_th; not with the precondition and two stuck states
. "$HBG_SOURCE_DIR/tests/tool/rod.sh"
optimised
run 1 verify overlap.hbg
says 'cycle: a search comes back to a state it has been in'
says '-> slip=left'
run 1 verify held.hbg
says_not 'cycle:'
says_not 'there may be more'

# the same at every angle: the overlap is found, and without it no path of a search comes back
sed -e '/verify {/d' overlap.hbg >overlap-any.hbg
run 1 verify overlap-any.hbg --timeout 1
says 'cycle: a search comes back to a state it has been in'
says 'theta = '
sanitized

# symbolic parameters: a range in place of a number
cat >range.hbg <<'END'
model Range {
    param L = 1 [H], Vd = 0.6 [V], Ith = 0 [A];
    I coil(L);
    Se drop(-Vd);
    0 node;
    1 j_d when diode;
    node -> coil;
    drop -> j_d -> node;
    automaton diode {
        off blocking -> conducting when node.e <= -Vd;
        on conducting -> blocking when j_d.f < Ith;
    }
    verify { range Ith in [0, 1]; range L in [0.1, 10]; }
}
END
run 1 verify range.hbg
says 'Ith'
sed 's/range Ith in \[0, 1\]/range Ith in [-1, 0]/' range.hbg >negative.hbg
run 0 verify negative.hbg

# undecided cases give the reason
cat >exp.hbg <<'END'
model Exponential {
    C store(1);
    R r(1);
    0 node;
    1 j when a;
    node -> store;
    node -> j -> r;
    automaton a {
        off open -> closed when exp(store.q) > 2;
        on closed -> open when exp(store.q) < 3;
    }
}
END
run 4 verify exp.hbg
says 'not decided: only bounds are known of `exp(store.q)`'

# an input in a range stays there when it changes
cat >input.hbg <<'END'
model Input {
    input real u [V] = 0 [V];
    Se s(u);
    R r(1 [Ohm]);
    C c(1 [F]);
    0 n;
    1 j when cmp;
    s -> n -> j -> r;
    j -> c;
    automaton cmp { off lo -> hi when n.e > 5 [V]; on hi -> lo when j.f > 2 [A]; }
    verify { range u in [0, 4 [V]]; }
}
END
run 0 verify input.hbg
says 'this guard never fires: cmp: lo -> hi when n.e > 5'
says 'not asked: whether events come ever faster (Zeno)'
sed '/verify {/d' input.hbg >any.hbg
run 1 verify any.hbg

# one bond graph, contacts of one input: both closed would be two sources on one node
cat >contacts.hbg <<'END'
model Contacts {
    input bool a = true;
    Se s1(12 [V]);
    Se s2(14 [V]);
    R load(6 [Ohm]);
    0 n;
    1 j1 when k1;
    1 j2 when k2;
    s1 -> j1 -> n;
    s2 -> j2 -> n;
    n -> load;
    automaton k1 { on c -> o when !a; off o -> c when a; }
    automaton k2 { off o -> c when !a; on c -> o when a; }
}
END
run 0 verify contacts.hbg
says 'coupled: k1 and k2 by sources that both can set against each other'
sed -e 's/k2 { off o -> c when !a; on c -> o when a/k2 { off o -> c when a; on c -> o when !a/' contacts.hbg >short.hbg
run 1 verify short.hbg
says 'short circuit: sources are short-circuited, and no guard is enabled'

# the line to write is in the component's own names
cat >component.hbg <<'END'
component Freewheel "a coil with its diode" {
    param hold = 0.01 [A];
    port k : electrical "node";
    Se drop(-0.6 [V]);
    1 j_d when diode;
    0 node;
    I coil(5 [mH]);
    drop -> j_d -> node -> coil;
    k -> node;
    automaton diode { off blocking -> conducting when node.e <= -0.6; on conducting -> blocking when j_d.f < hold; }
}
model M {
    Freewheel w;
    Sf none(0 [A]);
    none -> w.k;
}
END
run 1 verify component.hbg
says 'to mend it, write in component.hbg:10'
says 'off blocking -> conducting when node.e <= -0.6 && pre(coil.p) >= 5e-05 [Wb]; on conducting'
says '(a component: all its instances change, not only that of w.diode)'

# a restitution above 1 creates energy; 1 does not
cat >bounce.hbg <<'END'
model Bounce {
    param epsilon = 1.5;
    1 a;
    1 b;
    I m1(1 [kg]);
    I m2(1 [kg]);
    0 c when t restitution epsilon + 0*x1/x2; // not known to be constant: otherwise 1.5 is refused
    a -> m1;
    b -> m2;
    a -> c -> b;
    state x1 = 0 [m] : der = a.f;
    state x2 = 1 [m] : der = b.f;
    automaton t { off free -> hit when x1 >= x2 && a.f > b.f; on hit -> free when a.f < b.f; }
}
END
run 1 verify bounce.hbg
says 'energy created: a jump creates energy'
run 0 verify bounce.hbg -p epsilon=1
says_not 'energy created'

# pictures and reports name the files written, and have the proof's exit code
run 1 verify bounce.hbg --plot m1.p,m2.p -o bounce.svg
says 'wrote bounce.svg; the switching is not consistent'
run 0 verify bounce.hbg -p epsilon=1 --plot m1.p,m2.p -o bounce.svg
says 'wrote bounce.svg; the switching is consistent'
run 2 verify bounce.hbg -o report.svg
grep -q 'the report is not a picture' err || fail 'a report became a picture'
run 1 verify bounce.hbg -o report.txt
says 'wrote report.txt'
grep -q '^Bounce: the switching is not consistent' report.txt || fail "no report in report.txt"
run 2 verify bounce.hbg --timeout 0
run 2 verify bounce.hbg --timeout soon

# contradicting options and unknown names are refused with alternatives; nothing is left behind
run 2 verify bounce.hbg --plot m1.p,m2.p
grep -q 'say where the phase space goes: -o FILE.svg' err || fail "no word about -o"
run 2 verify bounce.hbg --plot m1.p,m2.q -o no.svg
grep -q 'there is no energy variable or real input `m2.q`; did you mean `m2.p`?' err || { fail "no suggestion"; cat err >&2; }
run 2 verify bounce.hbg --plot m1.p -o no.svg
grep -q 'a phase space has two axes' err || fail "no word about two axes"
run 2 verify bounce.hbg --plot m1.p,m2.p --at x1=far -o no.svg
grep -q '`far` is no value of `x1`: a number, in m' err || { fail "no word about the value"; cat err >&2; }
run 2 verify bounce.hbg --plot m1.p,m2.p -o no.gif
run 2 verify bounce.hbg --plot m1.p,m2.p --json -o no.svg
run 2 verify bounce.hbg --at x1=1
run 1 verify bounce.hbg --plot m1.p,m2.p --at x1=2,x2=1 -o there.svg
grep -q 'Slice at x1 = 2 m, x2 = 1 m' there.svg || fail "the slice is not told"
run 2 verify bounce.hbg --plot m1.p,m2.p -o no/such/folder.svg
run 2 verify bounce.hbg -o no/such/folder.txt
[ ! -e no.svg ] && [ ! -e no ] || fail "something was written"
if [ -e /dev/full ]; then
    run 2 verify bounce.hbg -o /dev/full
    run 2 verify bounce.hbg --plot m1.p,m2.p -o /dev/full
fi
cat >still.hbg <<'END'
model Still { Se s(1 [V]); R r(1 [Ohm]); 1 j; s -> j -> r; }
END
run 0 verify still.hbg
says 'Still: nothing switches: there is nothing to prove'
echo 'model Torn { Se a(1); Se b(2); 0 n; a -> n; b -> n; }' >torn.hbg
run 1 verify torn.hbg
says 'Torn: nothing switches, but the model has no valid causal assignment'
run 2 verify still.hbg --plot a,b -o no.svg
grep -q 'Still stores no energy and has no state: it has no phase space to draw' err || { fail "no word"; cat err >&2; }

# for programs
run 1 verify "$(example ball-printed-guards)" --json
says '"verdict": "violated"'
says '"region": ['
run 0 verify "$(example diode-relay)" --json
says '"verdict": "proved"'
run 2 verify nothing.hbg
run 2 verify "$(example diode-relay)" -p nothing=1

finish
