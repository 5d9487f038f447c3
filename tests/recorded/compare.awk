# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads the file sums and then measured lines; tells every case that differs, and in what. `exact`: sums decide; otherwise, on a
# machine of another class, exit code, number of instants and final values within a tolerance.
function size(x) { return x < 0 ? -x : x + 0 }

# difference A B: the largest difference of final values, as a part of the column's largest value
function difference(a, b, na, nb,    i, x, y, largest, found, most) {
    if (na != nb) return 1e9
    for (i = 9; i <= na; i++) {
        split(a[i], x, "/")
        split(b[i], y, "/")
        largest = size(x[2]) > size(y[2]) ? size(x[2]) : size(y[2])
        found = largest > 0 ? size(x[1] - y[1])/largest : 0
        if (found > most) most = found
    }
    return most + 0
}

# tolerance CASE: how far final values may be apart on another machine: a thousand times what the solver was asked for
function tolerance(name,    field) {
    split(name, field, ":")
    return field[4] ~ /^(auto|bdf|adams|erk)$/ && field[5]*1000 > 1e-3 ? field[5]*1000 : 1e-3
}

FNR == NR { line[$1] = $0; next }
{
    cases++
    n = split(line[$1], old, " ")
    m = split($0, new, " ")
    words = ""
    if (old[2] != new[2]) words = words ", exit code " old[2] " -> " new[2]
    split("rows events answer words", part, " ")
    for (i = 1; exact && i <= 4; i++) if (old[i + 2] != new[i + 2]) words = words ", " part[i]
    if (exact && words == "" && line[$1] != $0) words = ", numbers"
    apart = difference(old, new, n, m)
    if (!exact && old[8] != new[8]) words = words ", instants"
    if (!exact && apart > tolerance($1)) words = words ", final values"
    if (words == "") next
    differ++
    printf "%s:%s", $1, substr(words, 2)
    if (old[7] != new[7]) printf "; rows %s -> %s", old[7], new[7]
    if (old[8] != new[8]) printf "; instants %s -> %s", old[8], new[8]
    if (apart > 0) printf "; final values by %.1e", apart
    print ""
}
END {
    printf "%d of %d cases differ\n", differ, cases
    exit differ > 0 || cases == 0
}
