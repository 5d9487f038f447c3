# shellcheck shell=bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Read by the scripts behind the doors of the Makefile: goes to the top of the tree, times phases, builds trees.
# needs: build test
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# what a developer's shell may carry along must not decide how we build
unset CFLAGS CPPFLAGS LDFLAGS CC

jobs() {
    echo "${JOBS:-$(nproc)}"
}

# phase NAME COMMAND...: runs the command and says how long it took; .ci/run collects the times in HBG_PHASES. A failure
# ends the script, or, with keep_going=1, is remembered in `failed`.
failed=0 # the scripts that keep going look at it
phase() {
    local name=$1 start=$SECONDS status=0
    shift
    # a subshell, and not `||`, so that the first failure inside a function ends it
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    set -e
    local seconds=$((SECONDS - start))
    [ "$seconds" -eq 0 ] || echo "[$name: $seconds s]" >&2
    [ -z "${HBG_PHASES:-}" ] || echo "$seconds $name" >>"$HBG_PHASES"
    [ "$status" -eq 0 ] && return
    echo "[$name: failed]" >&2
    # shellcheck disable=SC2034
    failed=1
    [ -n "${keep_going:-}" ] || exit "$status"
}

# configure PRESET: quiet unless it fails
configure() {
    local log=build/configure-$1.log
    mkdir -p build
    cmake --preset "$1" -Wno-dev >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
}

# build_tree PRESET FOLDER [TARGET...]: configures when the preset is new, then lets ninja find out what to do
build_tree() {
    local preset=$1 folder=$2
    shift 2
    [ "$folder/build.ninja" -nt CMakePresets.json ] || configure "$preset"
    # what was built without npm is built again once it is there
    if [ -f "$folder/page/page.c" ] && command -v npm >/dev/null && head -n 1 "$folder/page/page.c" | grep -q 'no page'; then
        rm "$folder/page/page.c"
    fi
    ninja -C "$folder" -j "$(jobs)" "$@" | sed -u '/^ninja: Entering directory\|Re-checking globbed directories/d'
}
