#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The energy ledger of every experiment of every example balances: what is stored, dissipated and lost is what was there and
# was supplied, but for a share of the largest of these that the tolerance accounts for. Experiments with faults, and those
# that end by a verdict, are counted.
# needs: test
set -eu

bound=1e-5 # at rtol 1e-8, over up to a thousand periods
tried=0
other=0
failed=0
cd "$HBG_SOURCE_DIR"
for folder in examples/*/; do
    name=$(basename "$folder")
    model=$folder$name.hbg
    [ -f "$model" ] || continue
    for experiment in $(sed -n 's/^ *experiment \([A-Za-z0-9_]*\).*/\1/p' "$model"); do
        if ! out=$("$HBG" run "$model" -I lib -x "$experiment" --rtol 1e-8 --json 2>/dev/null); then
            other=$((other + 1))
            continue
        fi
        tried=$((tried + 1))
        share=$(printf '%s\n' "$out" | awk '/"residual":/ { gsub(/[",]/, ""); r = $2 } /"scale":/ { gsub(/[",]/, ""); s = $2 }
            END { if (r == "") print "none"; else if (r < 0) r = -r; if (r != "") print (s > 0 ? r / s : r) }')
        if ! awk -v share="$share" -v bound="$bound" 'BEGIN { exit !(share != "none" && share + 0 <= bound + 0) }'; then
            echo "$name, $experiment: the ledger lacks $share of the largest energy" >&2
            failed=1
        fi
    done
done
echo "$tried ledgers balance within $bound; $other experiments have faults or end by a verdict"
[ "$tried" -ge 100 ] || { echo "only $tried experiments were tried" >&2; failed=1; }
exit "$failed"
