#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# tools/page.sh, on machines that are made up: without npm, or with one that cannot fetch, there is a C file without a page, a word about it and no
# failure; packages are fetched once, and again when the lock file has changed.
set -eu

# machine NAME: a tree with the script and a PATH of its own
machine() {
    mkdir -p "$1/tools" "$1/web" "$1/bin"
    cp "$HBG_SOURCE_DIR/tools/page.sh" "$1/tools"
    echo '{}' >"$1/web/package.json"
    echo '{"lockfileVersion": 3}' >"$1/web/package-lock.json"
    : >"$1/web/.npmrc"
    for tool in bash env dirname mkdir flock cat cksum cp rm tail sh; do ln -s "$(command -v "$tool")" "$1/bin/$tool"; done
}

# program MACHINE NAME TEXT
program() {
    printf '#!/bin/sh\n%s\n' "$3" >"$1/bin/$2"
    chmod +x "$1/bin/$2"
}

page() {
    PATH=$PWD/$1/bin "$1/tools/page.sh" "$PWD/$1/page.c" >"$1/said" 2>&1
}

without_page() {
    grep -q "built without the page of the studio: $2" "$1/said" && grep -q 'hbg_studio_asset_count = 0' "$1/page.c" || { cat "$1/said" >&2; exit 1; }
}

machine bare
page bare
without_page bare 'npm is missing'

machine away
program away npm 'exit 1'
program away node 'exit 1'
page away
without_page away 'npm cannot fetch its packages'

machine whole
program whole npm "echo fetched >>'$PWD/whole/calls'"
program whole node "echo '/* a page */' >\"\$3\""
for _ in 1 2; do page whole; done
[ "$(cat whole/page.c)" = '/* a page */' ] && [ "$(wc -l <whole/calls)" -eq 1 ] || { echo "packages are not fetched once" >&2; exit 1; }
echo '{"lockfileVersion": 4}' >whole/web/package-lock.json
page whole
[ "$(wc -l <whole/calls)" -eq 2 ] || { echo "a new lock file fetches nothing" >&2; exit 1; }
