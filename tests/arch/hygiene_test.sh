#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Small things no reviewer should have to look for: licence lines, blanks, open ends without an issue, conflicts of
# merges, paths of somebody's machine, files left at the top, and a library that prints, exits or aborts.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

scratch=$PWD

# list_files: what belongs to the tree: as git sees it where that can be asked, else all but build/
list_files() {
    if [ -e .git ] && git ls-files >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -print | sed 's|^\./||'
    fi | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | sort
}

# files NAME-PATTERN: those of the list
files() {
    grep -E "$1" "$scratch/list" || true
}

# unlicensed FILE...: those without the two lines at their head
unlicensed() {
    [ $# -gt 0 ] || return 0
    for file; do [ -s "$file" ] || echo "$file: no SPDX lines"; done
    awk 'FNR == 1 { if (name != "" && !(owner && licence)) print name ": no SPDX lines"
                    name = FILENAME; owner = licence = 0 }
         FNR <= 4 && /SPDX-FileCopyrightText: / { owner = 1 }
         FNR <= 5 && /SPDX-License-Identifier: Apache-2[.]0/ { licence = 1 }
         FNR == 5 && owner && licence { nextfile }
         END { if (name != "" && !(owner && licence)) print name ": no SPDX lines" }' "$@"
}

# each PROBLEM PATTERN FILES: a problem for every line of the files that matches
each() {
    xargs -r grep -HnIE "$2" | sed -E "s|^([^:]*:[0-9]*):.*|\1: $1|"
}

# code FILE...: file:line:text without comments and literals
code() {
    awk 'FNR == 1 { comment = 0 }
         { line = $0
           if (comment && !sub(/^.*\*\//, "", line)) next
           comment = 0
           gsub(/\\./, "", line); gsub(/"[^"]*"/, "", line); gsub(/\/\*[^*]*(\*[^\/*][^*]*)*\*\//, "", line)
           sub(/\/\/.*/, "", line)
           if (sub(/\/\*.*/, "", line)) comment = 1
           print FILENAME ":" FNR ":" line }' "$@"
}

check_tree() (
    cd "$1"
    sources='\.([ch]|sh|awk|cmake)$|(^|/)(CMakeLists.txt|Makefile)$|^\.ci/run$'
    list_files >"$scratch/list"
    # shellcheck disable=SC2046 # no name of the tree has a blank
    unlicensed $(files "$sources")
    files '\.[ch]$' | each 'a tab' "$(printf '\t')"
    files "$sources|\.md$|\.hbg$" | grep -v '^tests/' | each 'blanks at the end' '[[:blank:]]+$'
    # the patterns are put together here so that they do not find themselves
    to_do=TO''DO
    fix_me=FIX''ME
    files "$sources|\.hbg$" | each "$to_do without an issue: $to_do(#7)" "$to_do(\$|[^(]|\([^#])"
    files "$sources|\.hbg$" | each "a $fix_me" "$fix_me"
    files '.' | grep -v '^tests/fuzz/\(regressions\|seeds\)/' |
        each 'a path of somebody'"'"'s machine' '(^|[^A-Za-z0-9_.}~-])/(wo''rk|ro''ot|ho''me)/'
    files '.' | grep -v '^tests/fuzz/' | each 'a conflict of a merge' '^(<<<<<<<|>>>>>>>) '
    # what a test or a command leaves where it is started is easily committed
    files '^[^/]*$' | grep -vxE '[.][a-z-]+|[A-Z]+([.]md)?|Makefile|CMake(Lists[.]txt|Presets[.]json)|packages' |
        sed 's/$/: a file that does not belong at the top/'
    files '^tests/tool/.*_test\.sh$' | while read -r file; do
        # failures are counted: what stands behind `finish` could not fail
        ! grep -q '/tool\.sh"$' "$file" || [ "$(tail -n 1 "$file")" = finish ] ||
            echo "$file: ends without finish, so that it cannot fail"
    done
    # shellcheck disable=SC2046
    code /dev/null $(files '^src/.*\.[ch]$' | grep -v '^src/tool/') |
        grep -E '[^A-Za-z0-9_](printf|puts|putchar|perror|exit|abort|quick_exit)[[:space:]]*\(|[^A-Za-z0-9_](stdout|stderr)[^A-Za-z0-9_]' |
        sed -E 's|^([^:]*:[0-9]*):.*|\1: the library prints, exits or aborts|'
)

accept "$HBG_SOURCE_DIR"

head1='/* SPDX-FileCopyrightText: The hbg authors'
head2=' * SPDX-License-Identifier: Apache-2.0 */'
put good/src/base/a.c "$head1" "$head2" '/* never exit(1), abort() or printf("x") */' 'child_exit("abort()"); // exit(1)'
put good/src/tool/main.c "$head1" "$head2" 'printf("fine");'
accept good
put unlicensed/src/base/a.c 'int a;'
reject unlicensed 'src/base/a.c: no SPDX lines'
put blanks/src/base/a.c "$head1" "$head2" 'int a; '
reject blanks 'src/base/a.c:3: blanks at the end'
put tabs/src/base/a.c "$head1" "$head2" "$(printf '\tint a;')"
reject tabs 'src/base/a.c:3: a tab'
put later/src/base/a.c "$head1" "$head2" "// TO""DO: later"
reject later 'src/base/a.c:3: TO''DO without an issue'
put later2/src/base/a.c "$head1" "$head2" "// FIX""ME"
reject later2 'src/base/a.c:3: a FIX''ME'
put machine/docs/a.md 'see /wo''rk/somewhere'
reject machine 'docs/a.md:1: a path of'
put merged/docs/a.md '<<<<''<<< HEAD'
reject merged 'docs/a.md:1: a conflict of a merge'
put left/rows.csv 't,x'
reject left 'rows.csv: a file that does not belong at the top'
put listed/pools 'ints'
reject listed 'pools: a file that does not belong at the top'
put prints/src/base/a.c "$head1" "$head2" 'void f(void) {' '    if (x) /* no */ exit(1);' '}'
reject prints 'src/base/a.c:4: the library prints, exits or aborts'
put stream/src/base/a.c "$head1" "$head2" 'fprintf(stderr, "x");'
reject stream 'src/base/a.c:3: the library prints'
put early/tests/tool/a_test.sh '# SPDX-FileCopyrightText: The hbg authors' '# SPDX-License-Identifier: Apache-2.0' \
    ". \"\$HBG_SOURCE_DIR/tests/tool/tool.sh\"" 'finish' 'run 0 help'
reject early 'tests/tool/a_test.sh: ends without finish'
