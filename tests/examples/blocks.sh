# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by what compares block diagrams in Scilab's simulator with `hbg run`: cases, and one comparison. $scilab is the program.

# The cases: example, experiment (-: the first), step (-: that of the experiment), end (-: likewise), bound. Scilab integrates with its own
# method, to 1e-9; what is left is the error of hbg's method at that step.
xcos_cases() {
    cat <<'END'
running-circuit trip_and_reset 250us - 1e-5
running-circuit both_open 250us - 1e-12
running-circuit with_capacitors_charged 250us - 1e-5
thermostat-oven - 9s - 1e-5
boost-buck-inverter - - 20ms 1e-5
adapt-experiment-1 - - 50ms 1e-5
END
}

# xcos_apart EXAMPLE EXPERIMENT STEP END: the largest difference as a share of the largest value of its column, and the rows compared
xcos_apart() {
    path=$HBG_SOURCE_DIR/examples/$1/$1.hbg
    set -- "$1" "$2" "$3" "$4" -I "$HBG_SOURCE_DIR/lib" --quiet
    [ "$2" = - ] || set -- "$@" -x "$2"
    [ "$3" = - ] || set -- "$@" --solver rk4 --step "$3"
    [ "$4" = - ] || set -- "$@" --stop "$4"
    shift 4
    "$HBG" run "$path" -o wanted.csv "$@" && "$HBG" export blocks "$path" --to xcos --name diagram -o diagram.sce "$@" || return
    rm -f diagram.csv
    # shellcheck disable=SC2154 # of the caller
    "$scilab" -nb -f diagram.sce >scilab.said 2>&1 </dev/null || { tail -n 3 scilab.said >&2; return 1; }
    awk -f "$HBG_SOURCE_DIR/tests/examples/rows_off.awk" wanted.csv diagram.csv
}
