#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The tests mirror the sources: src/x/y.c is tested by tests/x/y_test.c or tests/x/y_test.sh; for src/x/y_part.c a test
# of the whole, tests/x/y_test.c, does too. What is tested otherwise stands in tests/arch/untested with the reason.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

check_tree() (
    cd "$1"
    list=tests/arch/untested
    [ -f "$list" ] || list=/dev/null
    for file in src/*/*.c; do
        stem=${file#src/}
        stem=tests/${stem%.c}_test
        whole=${stem%_test}
        whole=${whole%_*}_test
        known=$(sed -n "s|^$file  *||p" "$list")
        if [ -f "$stem.c" ] || [ -f "$stem.sh" ] || [ -f "$whole.c" ] || [ -f "$whole.sh" ]; then
            [ -z "$known" ] || echo "$list: $file has a test now"
        elif [ -z "$known" ]; then
            echo "$file: no $stem.c or .sh, and no reason in tests/arch/untested"
        fi
    done
    sed 's/#.*//' "$list" | while read -r file _; do
        [ -z "$file" ] || [ -f "$file" ] || echo "$list: there is no $file"
    done
)

accept "$HBG_SOURCE_DIR"

put good/src/base/a.c '' && put good/src/base/b.c '' && put good/src/tool/c.c ''
put good/src/base/a_part.c '' && put good/tests/base/a_test.c '' && put good/tests/tool/c_test.sh ''
put good/tests/arch/untested '# why' 'src/base/b.c  a table, seen through a.c'
accept good
put untested/src/base/a.c ''
reject untested 'src/base/a.c: no tests/base/a_test.c'
put part/src/base/a_part.c '' && put part/tests/base/b_test.c ''
reject part 'src/base/a_part.c: no tests/base/a_part_test.c'
put silent/src/base/a.c '' && put silent/tests/arch/untested 'src/base/a.c'
reject silent 'src/base/a.c: no tests/base/a_test.c'
put stale/src/base/a.c '' && put stale/tests/base/a_test.c '' && put stale/tests/arch/untested 'src/base/a.c was hard'
reject stale 'src/base/a.c has a test now'
put gone/src/base/a.c '' && put gone/tests/base/a_test.c '' && put gone/tests/arch/untested 'src/base/b.c gone'
reject gone 'there is no src/base/b.c'
