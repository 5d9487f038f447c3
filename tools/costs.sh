#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# costs.sh [NUMBER]: what tests cost when they ran last: seconds of processor time by folder, and of the NUMBER (ten) most
# expensive ones. Unlike times they hardly depend on what else the machine does. tools/test.sh ends with it.
# needs: test
. "$(dirname "$0")/common.sh"

# costs: seconds and name of each test that in_scratch.sh has measured since the tests began
costs() {
    (
        cd build/test/scratch
        find . -name '*.times' -newer ../tests-began -exec awk '
            FNR == 2 {
                split($1, user, /[ms]/); split($2, kernel, /[ms]/)
                name = FILENAME
                gsub(/^\.\/|(_test|_fuzz)?\.(c|sh)\.times$/, "", name)
                printf "%.2f %s\n", 60 * (user[1] + kernel[1]) + user[2] + kernel[2], name
            }' {} +
    ) | sort -rn
}

costs >build/test/costs
echo "seconds of processor time by folder:"
awk '{ split($2, part, "/"); sum[part[1]] += $1; all += $1 }
    END { for (folder in sum) printf "%.0f %s\n", sum[folder], folder; printf "%.0f in all\n", all }' build/test/costs |
    sort -rn | awk '{ printf "%s%s %s", (NR > 1 ? ", " : "  "), ($2 == "in" ? "all" : $2), $1 } END { print "" }' | fold -s -w 118
echo "the most expensive:"
head -n "${1:-10}" build/test/costs | sed 's/^/  /'
