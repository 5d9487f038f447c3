#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# libhbg.so shows the functions that the headers of include/hbg declare, as the compiler reads them, and the name of its version, and nothing else.
# needs: test
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# check_tree TOP: its headers, and its libhbg.so with the version that version.h gives
check_tree() {
    node=HBG_$(sed -n 's/^#define HBG_VERSION_MAJOR //p' "$1/include/hbg/version.h")
    : >all.c
    for header in "$1"/include/hbg/*.h; do echo "#include <hbg/${header##*/}>" >>all.c; done
    gcc -std=c11 -I"$1/include" -fsyntax-only -aux-info prototypes all.c
    sed -nE "s|^/\* [^ ]*/include/hbg/[^ ]* \*/ extern ([^(]*[ *])?([A-Za-z0-9_]+) \(.*|\2@@$node|p" prototypes | sort -u >declared
    library=$1/build/libhbg.so
    [ "$1" != "$HBG_SOURCE_DIR" ] || library=${HBG_RELEASE%/*}/libhbg.so
    nm -D --defined-only "$library" | awk -v node="$node" '$2 == "A" && $3 == node { next } { print $3 }' | sort -u >shown
    nm -D --defined-only "$library" | grep -q " A $node\$" || echo "no version $node"
    comm -13 declared shown | sed 's/^/shown, but not declared: /'
    comm -23 declared shown | sed 's/^/declared, but not shown: /'
}

accept "$HBG_SOURCE_DIR"
[ "$(wc -l <declared)" -ge 100 ] || { echo "only $(wc -l <declared) functions were read" >&2; exit 1; }

# tree NAME VERSION EXPORTS: a small one, whose libhbg.so shows what matches
tree() {
    put "$1/include/hbg/version.h" '#define HBG_VERSION_MAJOR 3'
    put "$1/include/hbg/hbg.h" '#include <stddef.h>' '/* as hbg_gone() was */' 'const char *hbg_text(int i);' 'int *' \
        'hbg_next(void);' 'void hbg_each(void (*call)(int), size_t count);' 'static inline int hbg_small(void) { return 1; }'
    put "$1/hbg.c" '#include <hbg/hbg.h>' 'int hbg_inside(void);' 'int hbg_inside(void) { return 1; }' \
        'const char *hbg_text(int i) { return i > 0 ? "a" : "b"; }' 'int *hbg_next(void) { return NULL; }' \
        'void hbg_each(void (*call)(int), size_t count) { while (count--) call(1); }'
    put "$1/map" "$2 { global: $3 local: *; };"
    mkdir -p "$1/build"
    gcc -shared -fPIC -I"$1/include" "$1/hbg.c" -Wl,--version-script="$1/map" -o "$1/build/libhbg.so"
}
tree good HBG_3 'hbg_text; hbg_next; hbg_each;'
accept good
tree open HBG_3 'hbg_*;'
reject open 'shown, but not declared: hbg_inside@@HBG_3'
tree shut HBG_3 'hbg_text; hbg_next;'
reject shut 'declared, but not shown: hbg_each@@HBG_3'
tree other HBG_2 'hbg_text; hbg_next; hbg_each;'
reject other 'no version HBG_3'
