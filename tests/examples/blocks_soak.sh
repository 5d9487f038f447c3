#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Block diagrams in Scilab's simulator: the running circuit of 001 in all its modes, a thermostat, a converter and ADAPT agree with `hbg run`
# within the bounds of tests/examples/blocks.sh; a diagram that is broken on purpose does not.
# needs: soak
set -eu
. "$HBG_SOURCE_DIR/tests/examples/blocks.sh"
# shellcheck disable=SC2034 # for xcos_apart
scilab='scilab-cli'
command -v scilab-cli >/dev/null || { echo "skipped: there is no scilab-cli"; exit 0; }
failed=0

xcos_cases >cases
while read -r name experiment step end bound; do
    found=$(xcos_apart "$name" "$experiment" "$step" "$end") || { echo "$name $experiment does not run" >&2; failed=1; continue; }
    echo "$name $experiment: off by ${found% *} in ${found#* } rows"
    awk -v found="${found% *}" -v rows="${found#* }" -v bound="$bound" 'BEGIN { exit !(found <= bound && rows > 0) }' || {
        echo "$name $experiment is off by more than $bound" >&2
        failed=1
    }
done <cases

# the comparison notices a resistance that is another one
"$HBG" run "$HBG_SOURCE_DIR/examples/running-circuit/running-circuit.hbg" -q --solver rk4 --step 250us -p R2=6 -o other.csv
"$HBG" export blocks "$HBG_SOURCE_DIR/examples/running-circuit/running-circuit.hbg" -q --solver rk4 --step 250us --to xcos --name diagram -o diagram.sce
scilab-cli -nb -f diagram.sce >scilab.said 2>&1 </dev/null
found=$(awk -f "$HBG_SOURCE_DIR/tests/examples/rows_off.awk" other.csv diagram.csv)
awk -v found="${found% *}" 'BEGIN { exit !(found > 1e-3) }' || { echo "another resistance makes no difference" >&2; failed=1; }
exit "$failed"
