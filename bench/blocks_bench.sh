#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Block diagrams in Scilab's simulator beside `hbg run`: how far they are apart, and what Scilab takes for it.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"
# shellcheck source=tests/examples/blocks.sh
. "$HBG_SOURCE_DIR/tests/examples/blocks.sh"
# shellcheck disable=SC2034 # for xcos_apart
scilab='scilab-cli'

met=0
cat <<END
## Block diagrams in Xcos

Diagrams of \`hbg export blocks --to xcos\`, run by Scilab's simulator (CVODE, tolerance 1e-9), beside \`hbg run\` with the fixed step of the
diagram: the largest difference of any recorded value, as a share of the largest value of its column.

| model | experiment | apart | rows | bar | met | Scilab, s |
|---|---|--:|--:|--:|---|--:|
END
while read -r name experiment step end bound; do
    start=$(date +%s)
    found=$(xcos_apart "$name" "$experiment" "$step" "$end") || found='inf 0'
    verdict=yes
    awk -v found="${found% *}" -v bound="$bound" 'BEGIN { exit !(found != "inf" && found <= bound) }' || { verdict='**missed**' && met=1; }
    echo "| $name | $experiment | ${found% *} | ${found#* } | <= $bound | $verdict | $(($(date +%s) - start)) |"
done < <(xcos_cases)
exit "$met"
