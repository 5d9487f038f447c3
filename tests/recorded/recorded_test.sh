#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What hbg computes is what was recorded, to the bit: about one case of twenty of the file sums, with the optimised command, which
# tools/test.sh builds, and a few with the sanitized one. Every model has been recorded. recorded_soak.sh compares all.
set -euo pipefail
recorded=$HBG_SOURCE_DIR/tests/recorded
release=$HBG_SOURCE_DIR/build/hbg
failed=0

# fail WORDS...
fail() {
    echo "FAILED: $*" >&2
    failed=1
}

# compare CODE HBG PART: compare.sh ends with this code
compare() {
    local code=0
    HBG_CPU=60 "$recorded/compare.sh" "$2" "$3" >told 2>&1 || code=$?
    [ "$code" = "$1" ] || { cat told >&2 && fail "exit code $code, not $1: tests/recorded/compare.sh $2 $3"; }
}

# says TEXT
says() {
    grep -qF -- "$1" told || { cat told >&2 && fail "nothing of \"$1\""; }
}

"$recorded/record.sh" --missing >missing
[ ! -s missing ] || fail "not recorded yet, or gone; tests/recorded/record.sh build/hbg $(tr '\n' ' ' <missing)"

compare 0 "$release" 20
compare 0 "$HBG" '^run:(dog-clutch|bridge-rectifier|ball-restitution):[a-z_]*:(auto|bdf:1e-6|rk4).*:interpreter$|^verify:diode-|^sweep:ball'

# a difference is noticed: of a sum here, of a value on other machines
one='^run:dog-clutch:engage:bdf:1e-6:steps:interpreter$'
export HBG_SUMS=$PWD/sums
awk -v one="$one" '$1 ~ one { $3 = "0" substr($3, 2) "x" } { print }' "$recorded/sums" >sums
compare 1 "$release" "$one"
says 'run:dog-clutch:engage:bdf:1e-6:steps:interpreter: rows'
says '1 of 1 cases differ'
says 'hbg run examples/dog-clutch/dog-clutch.hbg -I lib -x engage --solver bdf'
sed -i '1s/.*/# platform: another/' sums
compare 0 "$release" "$one"
awk -v one="$one" '$1 ~ one { sub(/[^\/]*/, $9*1.1, $9) } { print }' sums >other && mv other sums
compare 1 "$release" "$one"
says 'final values by'
compare 2 "$release" '^run:no-such-example:'
says 'no case'

exit "$failed"
