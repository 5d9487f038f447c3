#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# No mutable globals: two handles in one process must not notice each other. And every name the library shows to the
# linker starts with hbg_.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# check_tree LIBRARY: names in writable sections (relocated constants lie in .data.rel.ro), then foreign names. Skipped
# are names the compiler makes: with a dot, or of its instrumentation
check_tree() {
    objdump -t "$1" | awk '
        /file format/ { object = $1 }
        $NF ~ /^(__|_sub_|DW\.|\.|asan|sancov)/ || $NF ~ /^[.]|^\.L/ { next }
        / O (\.bss|\.data|\.data\.rel|\.data\.rel\.local|\.tbss|\.tdata|\*COM\*)[ \t]/ { print object " a mutable global: " $NF }'
    nm -g --defined-only "$1" | awk 'NF == 3 && $3 !~ /^(hbg_|_|asan)/ { print "not hbg_: " $3 }'
}

accept "$HBG_BUILD_DIR/libhbg.a"

# library NAME TEXT: compiles the text into NAME.o
library() {
    put "$1.c" "$2"
    gcc -c -fPIC "$1.c" -o "$1.o"
}

library good 'static const char *const texts[] = {"a", "b"}; const char *hbg_text(int i); const char *hbg_text(int i) { return texts[i]; }'
accept good.o
library counter 'int hbg_next(void); int hbg_next(void) { static int counter; return ++counter; }'
reject counter.o 'a mutable global: counter'
library table 'static int table[] = {1, 2}; int *hbg_table(void); int *hbg_table(void) { return table; }'
reject table.o 'a mutable global: table'
library foreign 'int helper(void); int helper(void) { return 1; }'
reject foreign.o 'not hbg_: helper'
