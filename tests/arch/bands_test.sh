#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every band and tolerance of a run, of what is told of it and of the numbers in a model has a name and a reason in src/rt/bands.h: the code
# of rt, sim, fmu, model, term, eqn, code, fault and api has no bare number such as 1e-10 or 0x1p-50. Pictures (verify_plot_*) go by pixels,
# and proofs are exact. A factor that is exact, and no tolerance, says so in a comment on its line; elementary_impl.h has nothing
# but tables and coefficients of polynomials. Every band is used, and says what it is for.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

check_tree() (
    cd "$1"
    for file in src/rt/*.[ch] src/sim/*.[ch] src/fmu/*.[ch] src/model/*.[ch] src/term/*.[ch] src/eqn/*.[ch] src/code/*.[ch] src/fault/*.[ch] src/api/*.[ch]; do
        case $file in src/rt/bands.h | src/rt/elementary_impl.h | src/api/verify_plot_*) continue ;; esac
        [ -f "$file" ] || continue
        awk '{ line = $0; exact = /\/[\/*] exact/ }
             comment && !sub(/^.*\*\//, "", line) { next }
             { comment = 0
               gsub(/\\./, "", line); gsub(/"[^"]*"/, "", line); gsub(/\/\*[^*]*(\*[^\/*][^*]*)*\*\//, "", line)
               sub(/\/\/.*/, "", line)
               if (sub(/\/\*.*/, "", line)) comment = 1
               if (!exact && line ~ /[0-9.][eE]-[0-9]|0[xX][0-9a-fA-F.]+[pP]-[0-9]/)
                   print FILENAME ":" FNR ": a bare number; src/rt/bands.h names what it is a share of" }' "$file"
    done
    [ -f src/rt/bands.h ] || exit 0
    # a comment stands above a group of definitions
    awk '/^#define HBG_RT_[A-Z0-9_]+ / { if (before !~ /\*\/$/ && before !~ /^#define HBG_RT_[A-Z0-9_]+ /) print FILENAME ":" FNR ": " $2 " without its meaning" }
         { before = $0 }' src/rt/bands.h
    sed -n 's/^#define \(HBG_RT_[A-Z0-9_]*\) .*/\1/p' src/rt/bands.h | while read -r name; do
        grep -rqw "$name" src --include='*.[ch]' --exclude=bands.h ||
            grep -qE "^#define .* .*\<$name\>" src/rt/bands.h || echo "src/rt/bands.h: nobody uses $name"
    done
)

accept "$HBG_SOURCE_DIR"

put good/src/rt/bands.h '/* Of a size: equal. */' '#define HBG_RT_BAND 1e-10'
put good/src/rt/a.c 'double a = HBG_RT_BAND * 2; /* about 1e-10 */' 'double b = 0x1p-53; // exact: 53 bits' '/* 1e-3' ' * 1e-4 */'
accept good
put bare/src/sim/a.c 'if (x < 1e-9 * y) return;'
reject bare 'src/sim/a.c:1: a bare number'
put equations/src/eqn/a_impl.h '#define TINY 1e-9 /* less is rounding */'
reject equations 'src/eqn/a_impl.h:1: a bare number'
put told/src/api/a.c 'if (x < 1e-12 * y) return;'
reject told 'src/api/a.c:1: a bare number'
put mantissa/src/rt/a.h '#define A (2 * 2.22e-16)'
reject mantissa 'src/rt/a.h:1: a bare number'
put binary/src/rt/a.c 'double a = 0x1.8p-50;'
reject binary 'src/rt/a.c:1: a bare number'
put unused/src/rt/bands.h '/* Of a size: equal. */' '#define HBG_RT_BAND 1e-10'
reject unused 'nobody uses HBG_RT_BAND'
put mute/src/rt/bands.h '' '#define HBG_RT_BAND 1e-10'
put mute/src/rt/a.c 'double a = HBG_RT_BAND;'
reject mute 'HBG_RT_BAND without its meaning'
