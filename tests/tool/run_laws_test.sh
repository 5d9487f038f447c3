#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run: laws whose slope is 0 or infinite at 0 flow, given in one direction and needed in the other. A
# turbulent orifice as effort by flow runs as one that is flow by effort does, through 0, with every solver,
# in about as many steps.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"
optimised # answers and engines are compared; engine_choice_test.sh and tests/code compile with the sanitizers

# steps FILE: how many a run took
steps() {
    sed -n 's/^ *"steps": \([0-9]*\).*/\1/p' "$1"
}

# last FOLDER: the last row
last() {
    tail -n 1 "$1/rows.csv"
}

# near FOLDER FOLDER TOLERANCE: the last rows agree
near() {
    paste -d, <(last "$1") <(last "$2") | awk -F, -v tolerance="$3" '{
        for (i = 1; i <= NF/2; i++) { d = $i - $(i + NF/2); if (d*d > tolerance*tolerance) exit 1 } }' ||
        fail "$name: $(last "$1") and $(last "$2")"
}

# pair MODEL LAW LAW [METHOD]: both forms with all solvers, one of each kind with both engines; the text of
# the model contains LAW
pair() {
    local model=$1 solver one other
    sed "s/LAW/$2/" "$model" >asked.hbg
    sed "s/LAW/$3/" "$model" >given.hbg
    for solver in auto bdf adams erk "${4:-trapezoidal} --step 2ms" 'rk4 --step 2ms'; do
        name="$model, $2, $solver"
        # shellcheck disable=SC2086
        case $solver in
        bdf | rk4*) compare "$name" "$PWD/asked.hbg" --rtol 1e-7 --solver $solver ;;
        *) answers interpreted interpreter "$PWD/asked.hbg" --rtol 1e-7 --solver $solver ;;
        esac
        [ "$(cat interpreted/code)" -eq 0 ] || { fail "$name: $(cat interpreted/words)"; continue; }
        # shellcheck disable=SC2086
        answers given interpreter "$PWD/given.hbg" --rtol 1e-7 --solver $solver
        near interpreted given 2e-5
        one=$(steps interpreted/json)
        other=$(steps given/json)
        [ "$one" -gt 0 ] || fail "$name: no steps told"
        [ "$one" -le $((other + other / 5 + 10)) ] || fail "$name: $one steps, not about $other"
    done
}

# the level of a tank follows an oscillating pressure; the flow starts at 0 and crosses it at every turn
cat >driven.hbg <<'END'
model Driven {
    Se pressure(sin(time));
    C tank(1, q = 0);
    1 pipe;
    pressure -> pipe;
    pipe -> tank;
    LAW
    output level = tank.e, flow = pipe.f;
    experiment e { stop 9.5 [s]; record level, flow; }
}
END
pair driven.hbg 'R orifice : e = 0.25*f*abs(f); pipe -> orifice;' 'R orifice : f = 2*sign(e)*sqrt(abs(e)); pipe -> orifice;'
pair driven.hbg 'R a : e = 0.25*f*abs(f); R b : e = 0.31*sign(f)*f^2; pipe -> a; pipe -> b;' \
    'R a : f = sign(e)*sqrt(abs(e)\/0.56); pipe -> a;'
pair driven.hbg 'R orifice : e = 0.2*f^3; pipe -> orifice;' 'R orifice : f = cbrt(5*e); pipe -> orifice;' heun

# water oscillates in a tube, damped by drag that is given as flow by effort
cat >tube.hbg <<'END'
model Tube {
    C left(1, q = 1);
    I water(1);
    1 along;
    along -> left;
    along -> water;
    LAW
    output level = left.e, flow = along.f;
    experiment e { stop 9.5 [s]; record level, flow; }
}
END
pair tube.hbg 'R drag : f = 2*sign(e)*sqrt(abs(e)); along -> drag;' 'R drag : e = 0.25*f*abs(f); along -> drag;'

# sums of different powers have no formula: a solver finds them, on the right side of 0. 0.1·f³ + 0.25·f·|f|
# beside it by a fixed step that does not locate branches
sed 's/LAW/R orifice : e = 0.25*f*abs(f) + 0.1*f^3; pipe -> orifice;/' driven.hbg >mixed.hbg
for solver in auto bdf adams erk; do
    name="mixed, $solver"
    compare "$name" "$PWD/mixed.hbg" --rtol 1e-7 --solver $solver
    [ "$(cat interpreted/code)" -eq 0 ] || fail "$name: $(cat interpreted/words)"
    answers given interpreter "$PWD/mixed.hbg" --solver rk4 --step 1ms
    near interpreted given 2e-5
    [ "$(steps interpreted/json)" -lt 2000 ] || fail "$name: $(steps interpreted/json) steps"
done

# a tank that empties, (1 - t)^2 of its level until it is empty
cat >drain.hbg <<'END'
model Drain {
    C tank(1, q = 1);
    0 bottom;
    bottom -> tank;
    bottom -> orifice;
    R orifice : e = 0.25*f*abs(f);
    output level = tank.e, flow = orifice.f;
    experiment e { stop 0.9 [s]; record level, flow; }
}
END
for solver in auto bdf adams erk; do
    name="drain, $solver"
    compare "$name" "$PWD/drain.hbg" --rtol 1e-9 --solver $solver
    mkdir -p exact
    echo '0.9,0.01,0.2' >exact/rows.csv
    near interpreted exact 1e-7
done
# a tank runs empty, q = (1 - t/2)^2 until 2 s, and stays so: the law has no slope where it rests, and time
# still advances
cat >empty.hbg <<'END'
model Empty {
    C tank(1, q = 1);
    0 n;
    n -> tank;
    LAW
    output level = tank.e;
    experiment e { stop 10 [s]; record level; }
}
END
for law in 'R hole : f = sign(e)*sqrt(abs(e));' 'R hole : e = f*abs(f);'; do
    sed "s/LAW/$law n -> hole;/" empty.hbg >asked.hbg
    for solver in auto bdf; do
        for rtol in 1e-4 1e-6 1e-8 1e-9 1e-10; do
            name="empty, $law $solver $rtol"
            answers rest interpreter "$PWD/asked.hbg" --rtol "$rtol" --solver "$solver"
            [ "$(cat rest/code)" -eq 0 ] || { fail "$name: $(cat rest/words)"; continue; }
            [ "$(steps rest/json)" -le 6000 ] || fail "$name: $(steps rest/json) steps"
            awk -F, -v rtol="$rtol" '
                NR > 1 { level = $1 < 2 ? (1 - $1/2)^2 : 0; off = $2 - level; if (off*off > (50*rtol)^2 + 1e-20) exit 1 }' rest/rows.csv ||
                fail "$name: not the parabola"
        done
    done
done

finish
