#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# lint.sh [FILE.c...]: slow readers of the code: clang-tidy over every C file (or those named), shellcheck over every
# script, mypy over the Python module, clang-format. Findings are errors.
# needs: build test lint
. "$(dirname "$0")/common.sh"

# tidy FILE...: the test tree knows how every file is compiled
tidy() {
    # clang-tidy counts on stderr what it leaves out; only what remains is of interest
    printf '%s\n' "$@" | xargs -P "$(jobs)" -n 4 clang-tidy --quiet -p build/test \
        --extra-arg=-Wno-unknown-warning-option 2>&1 |
        sed -u '/warnings\? generated\.$/d'
}

# scripts: every file that a shell runs
scripts() {
    grep -rlE "^#!.*sh$|^# shellcheck shell=" tools tests .ci bench
}

phase "install packages" tools/packages.sh build test lint
phase "configure" configure test
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(find src tests -name '*.c' ! -name '*_fuzz.c' | sort)
mapfile -t scripts < <(scripts | sort -u)
keep_going=1
phase "clang-tidy" tidy "${files[@]}"
phase "shellcheck" shellcheck -x "${scripts[@]}"
# what ctypes returns has no types
phase "mypy" mypy --strict --no-warn-return-any --allow-untyped-calls --ignore-missing-imports --cache-dir=/dev/null python/hbg
phase "clang-format" tools/format.sh check
exit "$failed"
