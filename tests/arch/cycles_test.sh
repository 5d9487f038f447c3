#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Inside a folder no cycle of calls runs through more than eight files: files that all need each other are one file in
# pieces. What the linker sees counts, calls and references to a function or a table alike, so that a call through a
# table does not hide a cycle. tests/arch/cycles lists folders that are not there yet, with the size of their largest
# cycle today; the sizes only go down.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

limit=8

# cycles TOP: FOLDER COUNT FILE... for every folder
cycles() {
    objects_of "$1" | xargs nm -o | awk -f "$HBG_SOURCE_DIR/tests/arch/cycles.awk" | sort
}

check_tree() {
    list=$1/tests/arch/cycles
    [ -f "$list" ] || list=/dev/null
    cycles "$1" | awk -v limit="$limit" '
        FILENAME != "-" { sub(/#.*/, ""); if (NF) allowed[$1] = $2; next }
        {
            most = $1 in allowed ? allowed[$1] : limit
            seen[$1] = 1
            if ($2 > most) print "src/" $1 ": a cycle of calls through " $2 " files, at most " most ":" substr($0, length($1 $2) + 2)
            else if ($1 in allowed && $2 <= limit) print "tests/arch/cycles: src/" $1 " needs no allowance now"
            else if ($1 in allowed && $2 < most) print "tests/arch/cycles: the largest cycle of src/" $1 " is down to " $2
        }
        END { for (folder in allowed) if (!(folder in seen)) print "tests/arch/cycles: there is no src/" folder }' "$list" -
}

cycles "$HBG_SOURCE_DIR" | awk '$2 > 1 { print "largest cycle of src/" $1 ": " $2 " files" }'
accept "$HBG_SOURCE_DIR"

# ring TREE COUNT: a tree whose src/base holds COUNT files, each of which calls the next and the last the first
ring() {
    for i in $(seq "$2"); do
        after=$((i % $2 + 1))
        put "$1/src/base/f$i.c" "int hbg_f$i(int n); int hbg_f$after(int n);" \
            "int hbg_f$i(int n) { return n ? hbg_f$after(n - 1) : 0; }"
        mkdir -p "$1/build/CMakeFiles/hbg_base.dir/src/base"
        gcc -c "$1/src/base/f$i.c" -o "$1/build/CMakeFiles/hbg_base.dir/src/base/f$i.c.o"
    done
}

ring small 8
accept small
ring large 9
reject large 'src/base: a cycle of calls through 9 files, at most 8: f1'
put large/tests/arch/cycles '# why' 'base 9'
accept large
put large/tests/arch/cycles 'base 10'
reject large 'the largest cycle of src/base is down to 9'
put small/tests/arch/cycles 'base 9'
reject small 'src/base needs no allowance now'
put small/tests/arch/cycles 'gone 9'
reject small 'there is no src/gone'
rm large/src/base/f5.c large/tests/arch/cycles
accept large # what is left is a chain
