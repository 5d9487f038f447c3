#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh TARGET: replays the regression inputs of a libFuzzer target (tests/fuzz/TARGET.c, e.g. language_fuzz), then
# looks for new ones: for FUZZ_SECONDS, going on where the last hunt ended; without that briefly and from a fixed start.
# Seeds are tests/fuzz/seeds/TARGET and every .hbg file of the tree; words of the language in tests/fuzz/TARGET.dict
# help. A finding stays in tests/fuzz/regressions/TARGET and fails from then on until it is mended.
# needs: build test
. "$(dirname "$0")/common.sh"

target=$1
program=build/fuzz/$target
regressions=tests/fuzz/regressions/$target
seeds=build/fuzz/seeds/$target
corpus=build/fuzz/corpus/$target
[ -x "$program" ] || { echo "fuzz.sh: $program is not built; tools/test.sh builds it" >&2; exit 2; }

mkdir -p "$regressions" "$corpus"
trap 'rmdir --ignore-fail-on-non-empty -p "$regressions"' EXIT
limits=(-timeout=60 -rss_limit_mb=2048)
find "$regressions" -type f -print0 | xargs -0 -r "$program" "${limits[@]}"

# each file below its own folder, so that of two with one name both count
rm -rf "$seeds"
mkdir -p "$seeds"
find . -path ./build -prune -o -name '*.hbg' -type f -print0 | xargs -0 cp --parents -t "$seeds"
[ ! -d "tests/fuzz/seeds/$target" ] || cp -r "tests/fuzz/seeds/$target/." "$seeds"

options=("${limits[@]}" -max_len=4096 -artifact_prefix="$regressions/" -print_final_stats=1)
[ ! -f "tests/fuzz/$target.dict" ] || options+=(-dict="tests/fuzz/$target.dict")
if [ -n "${FUZZ_SECONDS:-}" ]; then
    "$program" "${options[@]}" -max_total_time="$FUZZ_SECONDS" "$corpus" "$seeds"
else
    "$program" "${options[@]}" -max_total_time=2 -seed=1 "$seeds"
fi
