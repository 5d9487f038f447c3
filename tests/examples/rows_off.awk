# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# awk -f rows_off.awk ONE.csv OTHER.csv: how far rows of the second are from those of the first at the same time, at most, as a share of the
# largest value of the column; then the number of rows. Where the first has several rows at a time the nearest counts.
BEGIN { FS = "," }
FNR == 1 { file++; next }
file == 1 {
    key = sprintf("%.10g", $1)
    n = ++count[key]
    for (i = 2; i <= NF; i++) {
        value[key, n, i] = $i
        size = $i < 0 ? -$i : $i
        if (size > largest[i]) largest[i] = size
    }
    next
}
{
    key = sprintf("%.10g", $1)
    if (!(key in count)) { missing++; next }
    rows++
    best = -1
    for (n = 1; n <= count[key]; n++) {
        off = 0
        for (i = 2; i <= NF; i++) {
            d = ($i - value[key, n, i]) / (largest[i] > 0 ? largest[i] : 1)
            if (d != d || $i == "nan" || $i == "Nan") d = 1e300
            if (d < 0) d = -d
            if (d > off) off = d
        }
        if (best < 0 || off < best) best = off
    }
    if (best > worst) worst = best
}
END { printf "%.3g %d\n", worst, rows }
