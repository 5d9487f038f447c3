#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The program in docs/embedding.md compiles as C11 without a warning, with the library linked as the command has it, and says what the page
# says that it says.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
top=$PWD
page=$HBG_SOURCE_DIR/docs/embedding.md

# block WORD: the first block of the page that is marked so
block() {
    awk -v mark='```'"$1" '$0 == mark && !done { inside = 1; next } inside && $0 == "```" { inside = 0; done = 1 } inside' "$page"
}

block c >program.c
block text >expected
[ -s program.c ] || fail 'no program on the page'
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c11 -pedantic -Wall -Wextra -Wconversion -Werror -I"$HBG_SOURCE_DIR/include" -c program.c -o "$compiler.o" >log 2>&1 ||
        { fail "the program does not compile with $compiler"; head -n 10 log >&2; }
done
"${CC:-cc}" -std=c11 -I"$HBG_SOURCE_DIR/include" -c program.c -o program.o
command=$(ninja -C "$HBG_BUILD_DIR" -t commands hbg_command | tail -n 1 |
    sed "s| CMakeFiles/hbg_command.dir/[^ ]*||g; s| -o hbg | $top/program.o -o $top/program |")
(cd "$HBG_BUILD_DIR" && eval "$command") >log 2>&1 || { fail 'the program cannot be linked'; head -n 10 log >&2; }
./program >out 2>err || { fail 'the program fails'; head -n 10 err >&2; }
diff expected out >differences || { fail 'the page says something else'; cat differences >&2; }
finish
