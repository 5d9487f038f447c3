#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every visible header compiles alone, also when included twice: the public ones and those of the run-time as plain C11
# (and as C++ where there is a compiler for it), the others as the project is compiled.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# compile COMPILER TOP HEADER OPTION...: prints a problem if a file with nothing but the header does not compile
compile() {
    compiler=$1 top=$2 header=$3
    shift 3
    printf '#include "%s"\n#include "%s"\nextern int not_empty;\n' "$header" "$header" >alone.src
    "$compiler" "$@" -Wall -Wextra -Werror -fsyntax-only "-I$top/include" "-I$top/src" alone.src >log 2>&1 ||
        { echo "$header does not compile alone:"; head -n 5 log; }
}

check_tree() {
    for file in "$1"/include/hbg/*.h "$1"/src/rt/rt.h "$1"/src/rt/instants.h; do
        [ -f "$file" ] || continue
        header=${file#"$1"/include/}
        header=${header#"$1"/src/}
        compile gcc "$1" "$header" -x c -std=c11 -pedantic-errors -Wstrict-prototypes
        if command -v c++ >/dev/null; then compile c++ "$1" "$header" -x c++ -std=c++11; fi
    done
    for file in "$1"/src/*/*.h; do
        header=${file#"$1"/src/}
        [ "$header" = "${header%/*}/${header%/*}.h" ] && [ -f "$file" ] || continue
        compile gcc "$1" "$header" -x c -std=gnu17 -Wstrict-prototypes
    done
}

accept "$HBG_SOURCE_DIR"

put good/include/hbg/good.h '#ifndef GOOD_H' '#define GOOD_H' '#include <stddef.h>' 'typedef struct { size_t n; } good;' '#endif'
accept good
put needy/include/hbg/needy.h 'size_t hbg_needy(void);'
reject needy 'hbg/needy.h does not compile alone'
put gnu/include/hbg/gnu.h '#ifndef GNU_H' '#define GNU_H' '#define F(...) ({ 1; })' 'enum { A = F() };' '#endif'
reject gnu 'hbg/gnu.h does not compile alone'
put needy2/src/base/base.h 'int32_t hbg_needy(void);'
reject needy2 'base/base.h does not compile alone'
put twice/src/base/base.h 'typedef struct { int n; } twice;'
reject twice 'base/base.h does not compile alone'
