#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The run-time stands alone, so that it can be shipped with emitted code: it compiles as plain C11 with no other folder in
# sight, without a conversion that may change a value unseen, and needs nothing but the C library and its mathematics.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# What the C standard declares and a run may need: no allocation, no end of the program, no files. Compilers make bcmp and
# sincos of memcmp, sin and cos; names that begin with an underline are theirs.
tr -s ' \n' '\n' >standard <<'END'
acos asin atan atan2 bcmp bsearch cbrt ceil copysign cos cosh erf exp exp2 expm1 fabs floor fma fmax fmin fmod frexp hypot
ldexp llround log log10 log1p log2 lround memchr memcmp memcpy memmove memset modf nearbyint nextafter pow qsort remainder
rint round scalbn sin sincos sinh snprintf sqrt strchr strcmp strcpy strlen strncmp strrchr strstr strtod strtol tan tanh
tgamma trunc vsnprintf
END

# compile COMPILER FILE: prints a problem if it does not compile. Before every change objects are made by gcc alone, and not optimised:
# what they need is then at least what they need otherwise.
compile() {
    set -- "$@" -std=c11 -pedantic -Wall -Wextra -Wconversion -Werror -ffp-contract=off -Ialone
    case ${HBG_SOAK:+soak}$1 in
    soak*) "$@" -O1 -c -o "$2.$1.o" ;;
    gcc) "$@" -c -o "$2.$1.o" ;;
    *) "$@" -fsyntax-only ;;
    esac >log 2>&1 || { echo "${2#alone/} does not compile alone with $1:"; head -n 5 log; }
}

# check_tree TOP: copied first, so that nothing else can be found
check_tree() {
    rm -rf alone && mkdir -p alone/rt && cp "$1"/src/rt/*.[ch] alone/rt
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        for file in alone/rt/*.c; do compile "$compiler" "$file"; done
        ls alone/rt/*."$compiler".o >/dev/null 2>&1 || continue
        nm -g --defined-only alone/rt/*."$compiler".o 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >defined
        nm -u alone/rt/*."$compiler".o 2>/dev/null | awk '$1 == "U" && $2 !~ /^_[_A-Z]/ { print $2 }' | sort -u |
            grep -vxFf defined | grep -vxFf standard | sed 's/^/the run-time needs /'
    done
}

accept "$HBG_SOURCE_DIR"

put good/src/rt/a.c '#include "rt/a.h"' '#include <math.h>' 'double hbg_rt_a(double x) { return sin(x); }'
put good/src/rt/a.h 'double hbg_rt_a(double x);'
accept good
put neighbour/src/rt/a.c '#include "base/base.h"' 'extern int a;'
put neighbour/src/base/base.h 'extern int b;'
reject neighbour 'rt/a.c does not compile alone'
put call/src/rt/a.c 'int hbg_base_help(void);' 'int hbg_rt_a(void);' 'int hbg_rt_a(void) { return hbg_base_help(); }'
reject call 'the run-time needs hbg_base_help'
put heap/src/rt/a.c '#include <stdlib.h>' 'void *hbg_rt_a(void);' 'void *hbg_rt_a(void) { return malloc(7); }'
reject heap 'the run-time needs malloc'
put system/src/rt/a.c 'int usleep(unsigned);' 'int hbg_rt_a(void);' 'int hbg_rt_a(void) { return usleep(1); }'
reject system 'the run-time needs usleep'
put gnu/src/rt/a.c 'int hbg_rt_a(void);' 'int hbg_rt_a(void) { return ({ 1; }); }'
reject gnu 'rt/a.c does not compile alone'
put narrow/src/rt/a.c 'int hbg_rt_a(double x);' 'int hbg_rt_a(double x) { return x; }'
reject narrow 'rt/a.c does not compile alone'
