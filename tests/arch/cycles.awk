# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads `nm -o` of object files …/src/FOLDER/FILE.c.o and prints, for each folder, the largest set of its files in which
# every file reaches every other by references from file to file: FOLDER COUNT FILE...

{
    path = $1; sub(/:.*/, "", path)
    if (!match(path, /src\/[a-z]+\/[a-z0-9_]+\.c\.o$/)) next
    file = substr(path, RSTART + 4, RLENGTH - 8) # folder/file
    symbol = $NF; kind = $(NF - 1)
    folder = file; sub(/\/.*/, "", folder)
    if (!(file in number)) { number[file] = ++count[folder]; name[folder, count[folder]] = file }
    if (kind ~ /^[TDRBWVC]$/) definer[folder, symbol] = file
    if (kind == "U") { references++; from[references] = file; wanted[references] = symbol }
}

# marks what `file` of `folder` reaches, itself included only if it comes back to itself
function reach(folder, origin, file,   i, total, next_file) {
    total = edges[file]
    for (i = 1; i <= total; i++) {
        next_file = edge[file, i]
        if ((origin, next_file) in reached) continue
        reached[origin, next_file] = 1
        reach(folder, origin, next_file)
    }
}

END {
    for (i = 1; i <= references; i++) {
        folder = from[i]; sub(/\/.*/, "", folder)
        if (!((folder, wanted[i]) in definer)) continue
        target = definer[folder, wanted[i]]
        if (target == from[i] || (from[i], target) in known) continue
        known[from[i], target] = 1
        edge[from[i], ++edges[from[i]]] = target
    }
    for (folder in count) {
        for (i = 1; i <= count[folder]; i++) reach(folder, name[folder, i], name[folder, i])
        best = 1; members = ""
        for (i = 1; i <= count[folder]; i++) {
            size = 1; list = ""
            for (j = 1; j <= count[folder]; j++) {
                a = name[folder, i]; b = name[folder, j]
                if (!((a, b) in reached) || !((b, a) in reached)) continue
                if (a != b) size++
                list = list " " substr(b, length(folder) + 2)
            }
            if (size > best) { best = size; members = list }
        }
        print folder, best members
    }
}
