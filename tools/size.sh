#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# size.sh: prints functions longer than 40 lines, C files longer than 500, headers longer than 250, largest first, and
# the median. A look, not a gate: a dispatch loop or a constant table may be long.
. "$(dirname "$0")/common.sh"

# with our formatting a function starts in column 1 at its name's line and ends with a brace in column 1
find src include -name '*.[ch]' -print0 | xargs -0 awk '
    FNR == 1 { if (file) print "file", lines, file; file = FILENAME; head = 0; inside = 0 }
    { lines = FNR }
    /^[A-Za-z_].*\(/ && !inside { head = FNR; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^[^#].*\) \{$/ && !inside && head { inside = 1 }
    /^}$/ && inside { print "function", FNR - head + 1, name, FILENAME; inside = 0; head = 0 }
    /^[^ ].*;$/ && !inside { head = 0 }
    END { if (file) print "file", lines, file }' | sort -k1,1 -k2,2nr | awk '
    $1 == "function" { all[++count] = $2 }
    $1 == "function" && $2 > 40 { print $2 " lines  " $3 " (" $4 ")" }
    $1 == "file" && ($2 > 500 || ($3 ~ /\.h$/ && $2 > 250)) { print $2 " lines  " $3 }
    END { if (count) print "functions: " count ", median " all[int((count + 1) / 2)] " lines" }'
