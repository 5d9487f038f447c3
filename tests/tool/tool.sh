# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of the command: its answers, their places, and its exit code. Each test runs in its own
# empty folder.
# needs: test
set -eu

failures=0

# The command, sanitized. A test of many answers, each on a path that others test with the sanitizers, may
# select the optimised one (tests/support/optimised.sh).
hbg=$HBG
optimised() {
    hbg=$HBG_OPTIMISED
}
sanitized() {
    hbg=$HBG
}

# fail WORDS...: counts and reports a failure; `finish` ends the test with it
fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

finish() {
    [ "$failures" -eq 0 ] || { echo "$failures failures" >&2; exit 1; }
}

# run CODE ARGUMENT...: hbg with these arguments ends with this code; its output is in out and err
run() {
    wanted=$1
    shift
    code=0
    timeout 60 "$hbg" "$@" >out 2>err </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || { fail "exit code $code, not $wanted: hbg $*"; cat out err >&2; }
}

# says FILE TEXT: the file contains the text
says() {
    grep -qF -- "$2" "$1" || { fail "no \"$2\" in $1:"; cat "$1" >&2; }
}

# silent FILE: the file is empty
silent() {
    [ ! -s "$1" ] || { fail "$1 should be empty:"; cat "$1" >&2; }
}

# absent FILE...: none of them exists, nor any partial file next to them
absent() {
    for file in "$@"; do
        [ ! -e "$file" ] || fail "$file should not exist"
        for other in "$file"?*; do [ ! -e "$other" ] || fail "$other was left behind"; done
    done
}

# waits CONDITION...: until it holds, or a minute has passed
waits() {
    for _ in $(seq 600); do
        ! "$@" || return 0
        sleep 0.1
    done
    fail "waited in vain: $*"
}

# a valid model, one with a warning, and a faulty one
models() {
    cat >good.hbg <<'END'
model Good "a small circuit" {
    param R1 = 330 [Ohm], V = 10 [V];
    Se supply(V);
    R series(R1);
    I coil(5 [mH]);
    1 loop;
    supply -> loop -> series;
    loop -> coil;
}

model Second {
    param R1 = 1 [Ohm];
    Se supply(1 [V]);
    R load(R1);
    supply -> load;
}
END
    printf 'model Warned {\n    param unused = 1;\n    Se s(1 [V]);\n    R r(1 [Ohm]);\n    s -> r;\n}\n' >warned.hbg
    printf 'model Wrong {\n    Se s(unknown);\n    R r(1 [Ohm]);\n    s -> r;\n}\n' >wrong.hbg
    printf 'model Broken {\n    Se s(1 [V]\n}\n' >broken.hbg
}
