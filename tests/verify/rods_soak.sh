#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# 004's rod at any angle, which takes minutes. On the floor: with the precondition and two stuck states no search comes back
# (section 7.1), and nothing is left open. Falling: a rod that slides fast into the floor has no mode (section 5).
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >held.hbg <<'END'
model Rod {
    param m = 1 [kg], J = 1 [kg.m2], g = 1 [m/s2], l = -0.1 [m], mu = 0.005, v_th = 0.0015 [m/s], theta_0 = 0.862 [rad];
    1 horizontal;
    1 vertical;
    1 rotation;
    I mass_x(m);
    I mass_y(m);
    I inertia(J);
    Se weight(-m*g);
    state theta = theta_0 : der = rotation.f;
    signal v_Ax = horizontal.f - l*rotation.f*sin(theta);
    TF arm_y(-l*cos(theta));
    TF arm_x(l*sin(theta));
    0 normal;
    Sf floor(0 [m/s]);
    0 tangential;
    1 sliding when slip;
    Se friction(slip.left ? mu*F_n : slip.right ? -mu*F_n : 0);
    signal F_n = normal.e, F_x = tangential.e;
    horizontal -> mass_x;
    vertical -> mass_y;
    rotation -> inertia;
    weight -> vertical;
    floor -> normal -> vertical;
    rotation -> arm_y -> normal;
    rotation -> arm_x -> tangential -> horizontal;
    friction -> sliding -> tangential;
    automaton slip {
        off rest { -> left when F_x > mu*F_n; -> right when -F_x > mu*F_n; }
        on left { -> held when abs(v_Ax) <= v_th && in(slip.held, abs(finite(F_x)) <= mu*finite(F_n)); }
        on right { -> held when abs(v_Ax) <= v_th && in(slip.held, abs(finite(F_x)) <= mu*finite(F_n)); }
        off held { -> left when finite(F_x) > mu*finite(F_n); -> right when -finite(F_x) > mu*finite(F_n); }
    }
}
END

# verify MODEL: its answer goes to `out`; what it finds wrong is no mistake of the tool
verify() {
    code=0
    set -- verify "$1" --timeout 120
    "$HBG" "$@" >out 2>err || code=$?
    [ "$code" = 1 ] || fail "$1 $2: exit code $code: $(cat err)"
}

verify held.hbg
! grep -q 'cycle:\|chain:\|there may be more' out || fail "a search comes back, or something is open: $(cat out)"

verify "$HBG_SOURCE_DIR/examples/falling-rod/falling-rod.hbg"
grep -q 'contact=touching, slip=rest' out || fail "no rod at rest that is pulled up: $(cat out)"
grep -q 'within reach: a real mode can be left for there while time flows' out || fail "it is not within reach: $(cat out)"

finish
