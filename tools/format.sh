#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# format.sh check|fix [TOP]: says whether every C file below TOP has the look of .clang-format, or gives it that look.
# needs: build test
mode=${1:-}
top=${2:-}
. "$(dirname "$0")/common.sh"

case $mode in
check) option=(--dry-run --Werror) ;;
fix) option=(-i) ;;
*) echo "usage: tools/format.sh check|fix [TOP]" >&2; exit 2 ;;
esac
tools/packages.sh test
cd "${top:-.}"
for folder in src include tests bench; do
    [ ! -d "$folder" ] || find "$folder" -name '*.[ch]' -print0
done | xargs -0 -r clang-format "${option[@]}" --style=file
