# shellcheck shell=bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced by the scripts that record and compare what hbg computes.
# needs: test
set -euo pipefail
recorded=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=${recorded%/*/*}
# shellcheck disable=SC2034
sums=${HBG_SUMS:-$recorded/sums}
export LC_ALL=C.UTF-8

# a folder for what is between two commands
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# choose_hbg [FILE]: the command to look at: this one, HBG, or what `make` built
choose_hbg() {
    HBG=$(realpath "${1:-${HBG:-$top/build/hbg}}")
    export HBG
    [ -x "$HBG" ] || { echo "there is no $HBG" >&2 && exit 2; }
}

# platform: sums are those of machines of this class; whether one can multiply and add at once decides on last digits
platform() {
    local fma=without
    ! grep -qw fma /proc/cpuinfo 2>/dev/null || fma=with
    echo "$(uname -m) $fma fma"
}

# models: names of examples, files of tests
models() {
    (cd "$top" && for folder in examples/*/; do basename "$folder"; done && find tests -name '*.hbg' -not -path '*/parts/*' | sort)
}

# parallel NUMBER COMMAND...: the command with so many of the lines at once, on all processors
parallel() {
    local number=$1
    shift
    tr '\n' '\0' | xargs -0 -r -n "$number" -P "${JOBS:-$(nproc)}" "$@"
}

# measure_all: cases of the standard input, measured
measure_all() {
    parallel 20 "$recorded/measure.sh"
}
