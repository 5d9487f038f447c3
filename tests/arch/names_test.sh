#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A name says where it is defined: what a file of src/x shows to the linker starts with hbg_x_. Names of the public
# headers are free. tests/arch/names lists, by folder, the first words of names that are older than this rule; a new
# name does not use them, and a word that no name uses leaves the list.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# defined TOP: FOLDER NAME for each name with external linkage
defined() {
    objects_of "$1" | xargs nm -o -g --defined-only |
        sed -nE 's|^.*/src/([a-z]+)/[^:]*:.* [TDRBWVC] ([A-Za-z0-9_]+)$|\1 \2|p' | grep -vE ' (_|asan)'
}

check_tree() {
    list=$1/tests/arch/names
    [ -f "$list" ] || list=/dev/null
    grep -ohE 'hbg_[a-z0-9_]+\(' "$1"/include/hbg/*.h | tr -d '(' >public_names
    defined "$1" | awk '
        FILENAME == "public_names" { public[$1] = 1; next }
        FILENAME != "-" { sub(/#.*/, ""); for (i = 2; i <= NF; i++) allowed[$1, $i] = $1 " " $i; next }
        {
            if ($2 in public || index($2, "hbg_" $1 "_") == 1) next
            # the longest word of the list that begins the name, whole words only
            name = $2
            while (!(($1, name) in allowed) && sub(/_[^_]*$/, "", name));
            if (($1, name) in allowed) used[$1, name] = 1
            else print "src/" $1 ": the name " $2 " does not start with hbg_" $1 "_"
        }
        END { for (key in allowed) if (!(key in used)) print "tests/arch/names: no name needs " allowed[key] }' public_names "$list" -
}

accept "$HBG_SOURCE_DIR"

# one_name TREE NAME: a tree whose src/base defines a function of this name
one_name() {
    put "$1/src/base/a.c" "int $2(void); int $2(void) { return 1; }"
    put "$1/include/hbg/hbg.h" 'int hbg_open(void);'
    mkdir -p "$1/build/CMakeFiles/hbg_base.dir/src/base"
    gcc -c "$1/src/base/a.c" -o "$1/build/CMakeFiles/hbg_base.dir/src/base/a.c.o"
}

one_name good hbg_base_open
accept good
one_name public hbg_open
accept public
one_name foreign hbg_model_open
reject foreign 'src/base: the name hbg_model_open does not start with hbg_base_'
one_name short hbg_baseless
reject short 'the name hbg_baseless does not start'
put foreign/tests/arch/names '# why' 'base hbg_other hbg_model'
reject foreign 'no name needs base hbg_other'
put foreign/tests/arch/names 'base hbg_model'
accept foreign
put foreign/tests/arch/names 'model hbg_model'
reject foreign 'src/base: the name hbg_model_open'
