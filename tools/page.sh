#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# page.sh OUT: builds the page of the studio (web/) into the C file OUT, as the build of hbg asks for it. Packages are fetched only when the
# lock file has changed. Where npm is missing, or cannot fetch, OUT has no page and this says so: hbg is complete but for `hbg studio`.
# page.sh tests: fetches what the tests of the page need, too.
# needs: page
set -euo pipefail
cd "$(dirname "$0")/.."

modules=build/page/node_modules

# fetch WHAT [OPTION...]: the packages of the lock file, unless they are there
fetch() {
    local what=$1 mark
    shift
    mark=$(cat web/package.json web/package-lock.json | cksum)
    for done in "$what" all; do
        [ "$(cat "build/page/fetched.$done" 2>/dev/null)" != "$mark" ] || return 0
    done
    mkdir -p build/page
    cp web/package.json web/package-lock.json web/.npmrc build/page
    rm -f build/page/fetched.*
    (cd build/page && npm ci --ignore-scripts "$@" >fetch.log 2>&1) || return 1
    echo "$mark" >"build/page/fetched.$what"
}

# no_page WHY
no_page() {
    printf '%s\n' '/* no page: made by tools/page.sh */' '#include "studio/studio_impl.h"' \
        'const hbg_studio_asset hbg_studio_assets[1] = {{0}};' 'const int hbg_studio_asset_count = 0;' >"$out"
    echo "hbg is built without the page of the studio: $1" >&2
}

out=$1
mkdir -p build
exec 9>build/page.lock
flock 9 # several trees may be built at once
if [ "$out" = tests ]; then
    fetch all || { tail -n 5 build/page/fetch.log >&2; exit 1; }
elif ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    no_page "npm is missing"
elif ! fetch page --omit=dev; then
    tail -n 5 build/page/fetch.log >&2
    no_page "npm cannot fetch its packages"
else
    node web/build.mjs "$modules" "$out"
fi
