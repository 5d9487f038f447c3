#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: models whose strokes need the rate of a storage to find it. Storages tied by a ring of bonds,
# sources modulated by their own flow, and junctions that remove both: closed forms with every solver and both
# engines; check, verify, equations.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"
optimised # closed forms and engines are compared; engine_choice_test.sh and tests/code compile with the sanitizers

# last COLUMN: of interpreted/rows.csv
last() {
    awk -F, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) k = i } END { print $k }' interpreted/rows.csv
}

# ends MODEL SHARE COLUMN WANTED...: with every solver and both engines; the model is valid, and its switching
# is proved
ends() {
    local model=$1 share=$2 solver
    shift 2
    "$hbg" check "$model.hbg" >check.txt 2>&1 || fail "$model: $(cat check.txt)"
    "$hbg" verify "$model.hbg" >verify.txt 2>&1 || fail "$model: $(cat verify.txt)"
    ! grep -q 'not decided' verify.txt || fail "$model: $(cat verify.txt)"
    "$hbg" equations "$model.hbg" >/dev/null || fail "$model: equations"
    for solver in erk bdf adams rk4; do
        if [ "$solver" = rk4 ]; then
            compare "$model" "../$model.hbg" --solver "$solver" --step 1e-3
        else
            compare "$model" "../$model.hbg" --solver "$solver" --rtol 1e-7
        fi
        says interpreted/code 0
        local i=1 k column
        while [ "$i" -lt $# ]; do
            k=$((i + 1))
            column=${!i}
            i=$((i + 2))
            awk -v a="$(last "$column")" -v b="${!k}" -v s="$share" 'BEGIN { d = a - b; exit !(a != "" && d*d <= s*s*(b*b + 1e-6)) }' ||
                fail "$model, $solver: $column is $(last "$column"), not ${!k}"
        done
    done
}

# s holds the C at 1 V, 1 C, and the resistor at 1 A, until the junction lets go of both and the C is emptied
cat >held.hbg <<'END'
model Held {
    input bool on = true;
    C c(1); Se s(1); R r(1); 1 j0; 0 j2 when a; 0 j3;
    j2 -> j0 -> c; s -> j2 -> j3 -> r;
    automaton a { on closed -> open when !on; off open -> closed when on; }
    experiment e { stop 2; at 1: on = false; record c.q, r.f; }
}
END
ends held 1e-9 c.q 0 r.f 0
answers interpreted interpreter ../held.hbg --stop 0.5
[ "$(last c.q) $(last r.f)" = '1 1' ] || fail "held: $(last c.q) $(last r.f)"

# q = 0.25·q': q is exp(4·t), 54.598150 at 1 s; the same for a momentum. Through a transformer 2·e = 0.25·f/2: exp(16·t)
cat >grows.hbg <<'END'
model Grows {
    Se s(0.25*j.f); C c(1, q = 1); 1 j; s -> j -> c;
    Sf u(0.25*k.e); I m(1, p = 1); 0 k; u -> k -> m;
    signal half = 0.25*g.f; Se v(half); TF t(2); C d(1, q = 1); 1 g; v -> g -> t -> d;
    experiment e { stop 1; record c.q, m.p, d.q; }
}
END
ends grows 1e-4 c.q 54.598150 m.p 54.598150 d.q 8886110.5

# c = 0.25·d' and d/2 = 0.5·c': c is cosh(2·t), d is 2·sinh(2·t), until a junction holds d still and with it c' = d
cat >crossed.hbg <<'END'
model Crossed {
    input bool on = true;
    Se s(0.25*d.f); Se u(0.5*c.f); C c(1, q = 1); C d(2); 1 j; 1 k; s -> j -> c; u -> k -> d;
    R r(1); C b(1, q = 1); 0 n; 1 w when a; n -> b; n -> w -> r;
    automaton a { on closed -> open when !on; off open -> closed when on; }
    experiment e { stop 1; at 0.5: on = false; record c.q, d.q, b.q; }
}
END
ends crossed 1e-4 c.q 3.7621957 d.q 7.2537208 b.q 0.60653066

# Two capacitors, 1 F at 1 V and 2 F empty, between nodes that 2.5 Ohm in all lead to 0.5 V: apart until 1 s, when the first has
# 0.5 + 0.5·exp(-0.4) V; then joined, with a third of that and 0.5 - 0.22161334·exp(-1/7.5) V at 2 s.
cat >parallel.hbg <<'END'
model Parallel {
    input bool on = false;
    Se v(1); R r0(1); 1 feed; 0 a; 0 c; 1 b; 1 d when w; C c1(1, q = 1); C c2(2); R r1(1); R r2(2);
    v -> feed -> a; feed -> r0; a -> b -> c; a -> d -> c; b -> c1; d -> c2; a -> r1; c -> r2;
    automaton w { off open -> closed when on; on closed -> open when !on; }
    experiment e { stop 2; at 1: on = true; record c1.q, c2.q; }
}
END
ends parallel 1e-4 c1.q 0.30605011 c2.q 0.61210022

# Opposite bonds cancel: the C at the 1-junction reads 0, and the other one discharges over 2 Ohm
cat >opposite.hbg <<'END'
model Opposite {
    0 n; 1 j; R r(2); C c(1, q = 1); C b(1, q = 1); n -> j; j -> n; n -> r; n -> b; j -> c;
    experiment e { stop 1; record c.q, b.q; }
}
END
ends opposite 1e-4 c.q 0 b.q 0.60653066

# A capacitor of 1 F at 3 V that a switch shorts at 1 s, beside two in parallel, 11 F in all, that empty from 2 V over 10 Ohm: 2·exp(-2/110). In the ring of
# switch and capacitor a dependent storage gives way, not the resistor, which would leave both of the others without a state.
cat >shorted.hbg <<'END'
model Shorted {
    input bool on = false;
    Se ground(0); 0 n0; 0 n; 0 m; 1 j0; 1 j2; 1 j4 when w; 1 j5; 1 j6; R r(10); C c2(1, e = 2); C c5(10, e = 2); C c6(1, e = 3);
    ground -> n0; n0 -> j0 -> n; j0 -> r; n -> j2 -> n0; j2 -> c2; m -> j4 -> n; n -> j5 -> n0; j5 -> c5; n -> j6 -> m; j6 -> c6;
    automaton w { off open -> closed when on; on closed -> open when !on; }
    experiment e { stop 2; at 1: on = true; record c2.q, c5.q, c6.q; }
}
END
ends shorted 1e-4 c2.q 1.9639649 c5.q 19.639649 c6.q 0

# An autotransformer: its windings share nodes, a ring that only the modulus resolves. The whole winding has n
# times the turns of one half, so that the other half has n - 1 times as many, b.e = (n - 1)*a.e. Joined at 1
# s, 3 C in the one of 1 F and nothing in the one of 2 F leave a.e = 3/(1 + 2*(n - 1)^2).
for turns in 2 -2; do
    cat >tapped$turns.hbg <<END
model Tapped {
    param turns = $turns;
    input bool on = false;
    0 middle; 0 left; 0 right; 0 end; 1 whole; 1 half; 1 drain; 1 first; 1 second; 1 shut when w; TF t(turns);
    C a(1, e = 3); C b(2); R r(1); Se ground(0);
    left -> whole -> right; whole -> t -> half; middle -> half -> left;
    middle -> first -> left; first -> a; right -> shut -> end; end -> second -> middle; second -> b;
    ground -> drain -> right; drain -> r;
    automaton w { off open -> closed when on; on closed -> open when !on; }
    experiment e { stop 2; at 1: on = true; record a.e, b.e; }
}
END
done
ends tapped2 1e-9 a.e 1 b.e 1
ends tapped-2 1e-9 a.e 0.15789473684 b.e -0.47368421053

# Windings of as many turns in a ring: n1.e - n4.e = n1.e - n0.e, so that n4 is at ground and n1, which carries as much in as out, is free of them. n3 is
# at -10 V, and 5 F at n1 go from 0 towards -70/9 V through 2 and 7 Ohm side by side, in 70/9 s: q = -350/9*(1 - exp(-9/70)) after 1 s. A ratio that is
# written as a formula of numbers is that number.
for ratio in 1 4/4 2-1 0.5*2 -3/-3; do
    cat >even.hbg <<END
model Even {
    Se ground(0); 0 n0; 0 n1; 0 n2; 0 n3; 0 n4; ground -> n0;
    1 j0; n3 -> j0 -> n4; Se e0(10); e0 -> j0;
    1 j1; n1 -> j1 -> n0; C c1(5); j1 -> c1;
    1 j2; n2 -> j2 -> n1; I l2(1); j2 -> l2;
    1 j3; n1 -> j3 -> n3; R r3(2); j3 -> r3;
    1 j4; n4 -> j4 -> n0; C c4(1); j4 -> c4;
    1 j5; n1 -> j5 -> n4; R r5(7); j5 -> r5;
    1 p6; 1 s6; TF t6($ratio); n1 -> p6 -> n4; n0 -> s6 -> n1; p6 -> t6 -> s6;
    experiment x { stop 1; record c1.q; }
}
END
    ends even 1e-6 c1.q -4.6919153
done
finish
