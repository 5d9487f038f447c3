# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Of the file sums, cases to compare. `part`: 1 is all; a number N takes one of N by a hash of its name, of native runs, which call
# the compiler, one of 4 N, and no long run, but of every model and of every solver with each engine at least one; anything else is a
# pattern.
BEGIN {
    for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i
    by_number = part ~ /^[0-9]+$/
}

function hash(text,    i, sum) {
    for (i = 1; i <= length(text); i++) sum = (sum*131 + code[substr(text, i, 1)]) % 16777213
    return sum
}

# a case counts for its model, and for its solver with when and engine
function kinds(name,    field, count) {
    count = split(name, field, ":")
    model = field[1] == "say" ? field[3] : field[2]
    method = count > 5 ? field[4] ":" field[6] ":" field[7] : field[1]
}

/^#/ || $2 == "left-out" { next }
!by_number { if ($1 ~ part) print $1; next }
part == 1 { print $1; next }
/^long:/ { next }
{
    kinds($1)
    if (hash($1) % ($1 ~ /:native$/ ? 4*part : part) == 0) {
        print $1
        seen[model] = seen[method] = 1
    }
    # an engine that is slow to start is the last to stand for a model
    if (!(model in first) || first[model] ~ /:native$/) first[model] = $1
    if (!(method in first)) first[method] = $1
}
END {
    for (kind in first) if (!(kind in seen) && !(first[kind] in told)) { told[first[kind]] = 1; print first[kind] }
}
