#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# How large the source is, by folder: what has to be read to know it all.
set -euo pipefail

cat <<END
## Size of the source

Lines of C in src, comments and blank lines included. No bar; the aim is 75000 for all of it.

| folder | files | lines |
|---|--:|--:|
END
cd "$HBG_SOURCE_DIR/src"
for folder in */; do
    files=("$folder"*.[ch])
    printf '| %s | %d | %d |\n' "${folder%/}" "${#files[@]}" "$(cat "${files[@]}" | wc -l)"
done
all=(*/*.[ch])
printf '| all | %d | %d |\n' "${#all[@]}" "$(cat "${all[@]}" | wc -l)"
