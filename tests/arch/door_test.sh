#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Who only runs a compiled model reads src/rt/rt.h and what it includes: at most 300 lines, fourteen functions, and five more for an
# integrator of their own.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

check_tree() (
    cd "$1/src"
    all='' more=rt/rt.h
    while [ "$more" != "$all" ]; do
        all=$more
        # shellcheck disable=SC2086 # no name of a header has a blank
        more=$({ printf '%s\n' $all; sed -n 's/^#include "\(.*\)"$/\1/p' $all; } | sort -u)
    done
    # shellcheck disable=SC2086
    awk '
    FNR == 1 { own = 0 }
    /^\/\* ---- for an integrator/ { own = 1 }
    /^\/\* ---- saved runs/ { own = 0 }
    /^[a-z].*[ *]hbg_rt_[a-z_]+\(/ { count[own + 0]++ }
    END {
        if (NR > 300) print "src/rt/rt.h: " NR " lines with what it includes, at most 300"
        if (count[0] > 14) print "src/rt/rt.h: " count[0] " functions to run a model, at most 14"
        if (count[1] > 5) print "src/rt/rt.h: " count[1] " functions for an integrator of the caller, at most 5"
        if (!count[0] || !count[1]) print "src/rt/rt.h: the parts of the header have other names"
    }' $all
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

door good 14 5
accept good
door wide 15 5
reject wide 'src/rt/rt.h: 15 functions to run a model, at most 14'
door own 14 6
reject own '6 functions for an integrator of the caller, at most 5'
door long 14 5 "$(yes '/* more */' | head -n 290)"
reject long 'lines with what it includes, at most 300'
# what it includes counts as well, however far away
door far 14 5 '#include "rt/near.h"'
put far/src/rt/near.h '#include "rt/far.h"'
put far/src/rt/far.h 'int hbg_rt_more(int a);'
reject far '15 functions to run a model, at most 14'
