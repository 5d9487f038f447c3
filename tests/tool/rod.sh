# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced: 004's rod with its tip on the floor, as overlap.hbg, with one stuck state, and held.hbg, with the precondition and
# two of them (004, section 7.1); at a fixed angle and without rotation until the line `verify` is taken out.

cat >rod.hbg <<'END'
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
    verify { range theta in [theta_0, theta_0]; assume rotation.f == 0; assume vertical.f == 0; }
AUTOMATON
}
END
sed '/^AUTOMATON/c\    automaton slip {\
        off stuck { -> left when F_x > mu*F_n; -> right when -F_x > mu*F_n; }\
        on left { -> stuck when abs(v_Ax) <= v_th; }\
        on right { -> stuck when abs(v_Ax) <= v_th; }\
    }' rod.hbg >overlap.hbg
sed '/^AUTOMATON/c\    automaton slip {\
        off rest { -> left when F_x > mu*F_n; -> right when -F_x > mu*F_n; }\
        on left { -> held when abs(v_Ax) <= v_th \&\& in(slip.held, abs(finite(F_x)) <= mu*finite(F_n)); }\
        on right { -> held when abs(v_Ax) <= v_th \&\& in(slip.held, abs(finite(F_x)) <= mu*finite(F_n)); }\
        off held { -> left when finite(F_x) > mu*finite(F_n); -> right when -finite(F_x) > mu*finite(F_n); }\
    }' rod.hbg >held.hbg
