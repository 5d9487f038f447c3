# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# How far the rows of two results files are apart: the largest difference in a column, as a part of its largest value.
BEGIN { FS = "," }
function size(x) { return x < 0 ? -x : x + 0 }

FNR == 1 { count = split($0, name, ",") }
FNR == NR { row[FNR] = $0; rows = FNR; next }
FNR > 1 && FNR <= rows {
    split(row[FNR], old, ",")
    for (i = 1; i <= count; i++) {
        if (size($i) > largest[i]) largest[i] = size($i)
        if (size($i - old[i]) > apart[i]) apart[i] = size($i - old[i])
    }
}
{ others = FNR }
END {
    for (i = 1; i <= count; i++) if (largest[i] > 0 && apart[i]/largest[i] > most) { most = apart[i]/largest[i]; where = name[i] }
    if (others != rows) printf "%d rows, not %d\n", others - 1, rows - 1
    else printf "rows by %.1e%s\n", most, where == "" ? "" : " (" where ")"
}
