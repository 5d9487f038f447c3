#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Who only runs a compiled model reads src/rt/rt.h: at most 300 lines, fourteen functions, and six more for an integrator
# of their own.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

check_tree() (
    cd "$1"
    awk '
    /^\/\* ---- for an integrator/ { own = 1 }
    /^\/\* ---- saved runs/ { own = 0 }
    /^[a-z].*[ *]hbg_rt_[a-z_]+\(/ { count[own + 0]++ }
    END {
        if (NR > 300) print FILENAME ": " NR " lines, at most 300"
        if (count[0] > 14) print FILENAME ": " count[0] " functions to run a model, at most 14"
        if (count[1] > 6) print FILENAME ": " count[1] " functions for an integrator of the caller, at most 6"
        if (!count[0] || !count[1]) print FILENAME ": the parts of the header have other names"
    }' src/rt/rt.h
)

accept "$HBG_SOURCE_DIR"

# functions COUNT: so many declarations
functions() {
    i=0
    while [ $((i += 1)) -le "$1" ]; do printf 'int hbg_rt_f%s(int a);\n' "$(printf %s "$i" | tr 0-9 a-j)"; done
}

# door TREE COUNT OWN [TEXT]: a header with so many functions of each kind
door() {
    put "$1/src/rt/rt.h" "$(functions "$2")" '/* ---- for an integrator */' "$(functions "$3")" '/* ---- saved runs */' "${4:-}"
}

door good 14 6
accept good
door wide 15 6
reject wide 'src/rt/rt.h: 15 functions to run a model, at most 14'
door own 14 7
reject own '7 functions for an integrator of the caller, at most 6'
door long 14 6 "$(yes '/* more */' | head -n 290)"
reject long 'lines, at most 300'
