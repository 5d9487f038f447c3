# shellcheck shell=bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced by tests that follow a recipe of CONTRIBUTING.md in a copy of the tree: what they edit has to be what the
# recipe names, no more and no less. Only the files whose objects change are compiled again, and linked in front of the library.
set -euo pipefail

tree=$PWD/tree
strict=(-std=gnu17 -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow=local -Werror)
flags=(-ffp-contract=off -DHBG_SOURCE_DIR="\"$HBG_SOURCE_DIR\"" -I"$tree/src" -I"$tree/include" -I"$tree/tests"
    -isystem /usr/include/suitesparse -isystem /usr/include/hdf5/serial)
sanitizers=$(sed -n 's/^HBG_SANITIZE:STRING=//p' "$HBG_BUILD_DIR/CMakeCache.txt")
libraries=$(sed -n 's/^Libs.private: //p' "$HBG_BUILD_DIR/hbg.pc")
export ASAN_OPTIONS=detect_leaks=0

fail() {
    echo "$*" >&2
    exit 1
}

begin() {
    mkdir "$tree"
    cp -r "$HBG_SOURCE_DIR"/{src,include,tests,docs} "$tree"
}

# insert FILE TEXT LINES: puts the lines behind the one line of the file that has the text
insert() {
    [ "$(grep -cF -- "$2" "$tree/$1")" = 1 ] || fail "$1: not one line has: $2"
    text=$2 lines=$3 awk 'BEGIN { text = ENVIRON["text"]; lines = ENVIRON["lines"] }
        { print } index($0, text) { print lines }' "$tree/$1" >edited
    cp edited "$tree/$1"
}

# replace FILE TEXT OTHER: in the one line that has the text
replace() {
    [ "$(grep -cF -- "$2" "$tree/$1")" = 1 ] || fail "$1: not one line has: $2"
    text=$2 other=$3 awk 'BEGIN { text = ENVIRON["text"]; other = ENVIRON["other"] }
        { at = index($0, text); print at ? substr($0, 1, at - 1) other substr($0, at + length(text)) : $0 }' "$tree/$1" >edited
    cp edited "$tree/$1"
}

# follows RECIPE: the files edited are those that its paragraph in CONTRIBUTING.md names, in backquotes with their folder
follows() {
    awk -v start="**$1" 'index($0, start) == 1 { on = 1 } /^$/ { on = 0 } on' "$HBG_SOURCE_DIR/CONTRIBUTING.md" >recipe
    grep -oE '`[a-z]+/[a-z_/]+\.(c|h|md)`' recipe | tr -d '\140' | sort -u >named
    (cd "$tree" && find src include tests docs -type f) | while read -r file; do
        cmp -s "$tree/$file" "$HBG_SOURCE_DIR/$file" || echo "$file"
    done | sort >changed
    diff named changed >difference || fail "named by the recipe (<) and edited (>) are not the same files:
$(cat difference)"
}

# rebuild PATTERN: compiles every file that has the pattern, or was edited; the edited ones as strictly as the project is
rebuild() {
    local folder file files
    for folder in "$tree"/src/*/; do
        mapfile -t files < <(grep -lE "$1" "$folder"*.c || true)
        while read -r file; do files+=("$tree/$file"); done < <(grep "^src/$(basename "$folder")/.*\.c$" changed || true)
        [ ${#files[@]} -gt 0 ] || continue
        mapfile -t files < <(printf '%s\n' "${files[@]}" | sort -u)
        mkdir -p "objects/$(basename "$folder")"
        (cd "objects/$(basename "$folder")" && gcc -std=gnu17 -O0 -w "${flags[@]}" -c "${files[@]}")
    done
    grep '\.c$' changed | grep '^src' | while read -r file; do
        gcc "${strict[@]}" "${flags[@]}" -fsyntax-only "$tree/$file"
    done
}

# link_with NAME OBJECT...: a program of these objects, what was compiled again and the library
link_with() {
    local name=$1
    shift
    # shellcheck disable=SC2086 # options, one per word
    gcc -fuse-ld=lld ${sanitizers:+"-fsanitize=$sanitizers"} "$@" objects/*/*.o "$HBG_BUILD_DIR/libhbg.a" -lcmocka $libraries -o "$name"
}

# make_hbg: the command
make_hbg() {
    link_with hbg "$HBG_BUILD_DIR"/CMakeFiles/hbg_command.dir/src/tool/*.o
    export hbg=$PWD/hbg
    export HBG_PATH=$HBG_SOURCE_DIR/lib
}

# passes FOLDER/NAME: the test of this name in the copy
passes() {
    gcc -std=gnu17 -O0 -w "${flags[@]}" -c "$tree/tests/${1}_test.c" -o test.o
    link_with "${1##*/}_test" test.o
    "./${1##*/}_test" >log 2>&1 || { cat log >&2; fail "tests/${1}_test.c fails"; }
}

# near WHAT FOUND RIGHT WITHIN
near() {
    awk -v a="$2" -v b="$3" -v within="$4" 'BEGIN { d = a - b; exit !(a != "" && d <= within && d >= -within) }' || fail "$1 is $2, not $3"
}
