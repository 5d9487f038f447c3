# shellcheck shell=bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of the studio: starts one on a free port with a known token, and asks it.
set -um # -m: a studio in the background hears Ctrl-C, too
passed=0
failed=0
token=secret-of-the-test

fail() {
    echo "FAILED: $*" >&2
    failed=$((failed + 1))
}

pass() {
    passed=$((passed + 1))
}

# start FOLDER|MODEL [OPTION...]: a studio; sets address, base and server
start() {
    : >studio.log
    "$HBG" studio "$@" --no-open --token "$token" >studio.log 2>studio.err &
    server=$!
    for _ in $(seq 200); do
        address=$(sed -n 's/^hbg studio: \([^ ]*\).*/\1/p' studio.log)
        [ -n "$address" ] && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    [ -n "$address" ] || { fail "the studio does not start"; cat studio.err >&2; finish; }
    # shellcheck disable=SC2034 # for the tests
    base=${address%%/\?*}
}

# open_folder EXAMPLE...: a studio on a folder with copies of these, of which the first is open
open_folder() {
    rm -rf folder
    mkdir folder
    for example; do cp "$HBG_SOURCE_DIR/examples/$example/$example.hbg" folder; done
    start "folder/$1.hbg"
    export HBG_STUDIO_FOLDER=$PWD/folder
}

# stories NAME...: told in one browser
stories() {
    if timeout 900 node "$HBG_SOURCE_DIR/tests/studio/browser.mjs" "$address" "$@"; then pass; else fail "a story"; fi
}

# stop [SIGNAL]: it has to end by itself, cleanly, and soon
# shellcheck disable=SC2120 # most stop as a user would
stop() {
    local code=0
    kill "-${1:-TERM}" "$server"
    for _ in $(seq 600); do kill -0 "$server" 2>/dev/null || break; sleep 0.05; done
    ! kill -KILL "$server" 2>/dev/null || fail "the studio does not end"
    wait "$server" || code=$?
    if [ "$code" -eq 0 ]; then pass; else fail "the studio ends with $code"; tail -n 20 studio.err >&2; fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
