#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What the documentation shows is true: every model in it is accepted, every mistake in it gives the report it is said to
# give, every command prints what stands below it, the pictures are what hbg draws. tests/docs/blocks.awk says how blocks are marked.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

export HBG="$HBG_OPTIMISED" # the words are compared; tests of the command take these routes with the sanitizers

top=$PWD
export HBG_PATH="$HBG_SOURCE_DIR/lib" TERM=dumb

# a fragment shows one thing: what is not used or not joined in it is no fault
lenient='-W no-unused-parameter -W no-unused-automaton -W no-lonely-junction'

# run_block PAGE WHAT LINE FILE REST: does what blocks.awk says, in the folder of the page; prints what is wrong
run_block() {
    case $2 in
    file) cp "$4" "$5" ;;
    check)
        options=
        ! grep -q '^model Fragment {$' "$4" || options=$lenient
        # shellcheck disable=SC2086
        "$HBG" check -W error $options "$4" >said 2>&1 || echo "$1:$3: hbg does not accept this: $(cat said)"
        ;;
    report)
        "$HBG" check "$4" >said 2>&1 || true
        grep -q "^[a-z]*\[$5\]" said || echo "$1:$3: no $5, but: $(cat said)"
        ;;
    console)
        sh "$4" >said 2>&1 || true
        diff "$4.expected" said >difference || echo "$1:$3: the output is another: $(cat difference)"
        ;;
    esac
}

# check_page TOP PAGE: in a folder of its own, where files made by one block wait for the next
check_page() (
    mkdir -p "$top/pages/$2"
    cd "$top/pages/$2"
    awk -v folder=. -f "$HBG_SOURCE_DIR/tests/docs/blocks.awk" "$1/$2" >plan
    while read -r what line file rest; do run_block "$2" "$what" "$line" "$file" "$rest"; done <plan
    # a picture the page draws is the one that is shown
    for picture in *.svg; do
        shown=$1/docs/pictures/$picture
        if [ ! -f "$shown" ] || cmp -s "$picture" "$shown"; then continue; fi
        if [ -n "${HBG_REFRESH:-}" ] && [ "$1" = "$HBG_SOURCE_DIR" ]; then cp "$picture" "$shown"; else
            echo "docs/pictures/$picture: $2 draws another one now; if it is good: HBG_REFRESH=1 tools/test.sh -R docs/examples"
        fi
    done
)

check_tree() {
    rm -rf "$top/pages"
    (cd "$1" && find README.md CONTRIBUTING.md docs examples lib -name '*.md' 2>/dev/null) | sort | while read -r page; do
        check_page "$(cd "$1" && pwd)" "$page"
    done
}

accept "$HBG_SOURCE_DIR"

# page NAME LINE...: a tree with one page
page() {
    page_name=$1
    shift
    put "$page_name/README.md" "$@"
}

page good '```hbg' 'model M { Se s(1 [V]); R r(2 [Ohm]); s -> r; }' '```' \
    '<!-- with: Se s(1 [V]); s -> r; -->' '```hbg fragment' 'R r(2 [Ohm]);' '```' \
    '<!-- above:' 'function half(x) = x/2;' '-->' '<!-- with: Se s(1 [V]); s -> r; -->' '```hbg fragment' 'R r(half(2 [Ohm]));' '```' \
    '```hbg error E0301' 'model M { R r(x); }' '```' '```c' 'int a = b;' '```' \
    '```hbg m.hbg' 'model M { Se s(1 [V]); R r(2 [Ohm]); s -> r; }' '```' \
    '```console' '$ hbg fmt --check m.hbg' 'm.hbg is not in canonical form' '$ echo $?' '1' \
    "\$ echo 'one' \"two\"" 'one two' '```'
accept good
page refused '```hbg' 'model M {}' 'nonsense' '```'
reject refused 'README.md:1: hbg does not accept this: error[E0201]'
page warned '```hbg' 'model M { param unused = 3; }' '```'
reject warned 'unused-parameter'
page lost '' '```hbg fragment' 'R r(2 [Ohm]);' '```'
reject lost 'README.md:2: hbg does not accept this: error[E0502]'
page forgiving '```hbg error E0403' 'model M { R r(x); }' '```'
reject forgiving 'README.md:1: no E0403, but: error[E0301]'
page harmless '```hbg warning W0704' 'model M { Se s(1 [V]); R r(2 [Ohm]); s -> r; }' '```'
reject harmless 'README.md:1: no W0704'
page says '```console' '$ hbg --version' 'hbg 9.9.9' '```'
reject says 'README.md:1: the output is another'
page silent '```console' '$ echo one' '```'
reject silent 'README.md:1: the output is another'
page drawn '```console' '$ echo new >x.svg' '$ echo own >y.svg' '```'
put drawn/docs/pictures/x.svg 'old'
reject drawn 'docs/pictures/x.svg: README.md draws another one'
page carried '<!-- with: 0 node; -->' '```hbg fragment' '1 loop;' '```' '```hbg fragment' 'signal v = node.e;' '```'
reject carried 'README.md:5: hbg does not accept this: error[E0301]'
