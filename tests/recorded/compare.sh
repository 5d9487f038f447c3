#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# compare.sh [HBG] [PART]: does the command compute what was recorded? Lists the cases that differ, and how much. PART is 1 for
# all, N for about one of N, or a pattern of cases: compare.sh build/hbg '^run:dog-clutch:.*:bdf:'. If not said, one of ten.
# JOBS processes at once. HBG_REFRESH=1 records the cases that differ anew; changes.md says what differs by now, and why. HBG_SUMS is another
# file of sums. HBG_BASE is a command that computes what was recorded: the rows of cases that differ are compared with its own.
# needs: test
. "$(dirname "$0")/common.sh"

# tell_apart: of each case of the standard input, how far its rows are from those of HBG_BASE
tell_apart() {
    mkdir "$work/old" "$work/new"
    tee "$work/differ" | HBG_KEEP=$work/new measure_all >/dev/null
    HBG=$(realpath "$HBG_BASE") HBG_KEEP=$work/old measure_all <"$work/differ" >/dev/null
    while read -r case; do
        name=${case//\//_}
        [ ! -s "$work/new/$name" ] || echo "$case: $(awk -f "$recorded/apart.awk" "$work/old/$name" "$work/new/$name")"
    done <"$work/differ"
}

choose_hbg "${1:-}"
awk -v part="${2:-10}" -f "$recorded/select.awk" "$sums" | sort >"$work/cases"
[ -s "$work/cases" ] || { echo "no case is like $2" >&2 && exit 2; }
measure_all <"$work/cases" | sort >"$work/measured"
[ "$(wc -l <"$work/cases")" = "$(wc -l <"$work/measured")" ] || { echo "not every case was measured" >&2 && exit 2; }
exact=1
[ "$(head -n 1 "$sums")" = "# platform: $(platform)" ] || exact=0
[ "$exact" = 1 ] || echo "recorded on another class of machines: values are compared within a tolerance"
code=0
awk -v exact="$exact" -f "$recorded/compare.awk" "$sums" "$work/measured" >"$work/told" || code=$?
cat "$work/told"
[ "$code" != 0 ] || exit 0
[ -z "${HBG_BASE:-}" ] || sed -n 's/^\([a-z]*:[^ ]*\): .*/\1/p' "$work/told" | tell_apart
if [ -n "${HBG_REFRESH:-}" ]; then
    [ "$exact" = 1 ] || { echo "this machine is of another class than the record" >&2 && exit 2; }
    awk 'FNR == NR { new[$1] = $0; next } $1 in new { $0 = new[$1] } { print }' "$work/measured" "$sums" >"$work/sums"
    cp "$work/sums" "$sums"
    exit 0
fi
case=$(sed 's/: .*//; q' "$work/told")
echo "the first of them, in $top: $("$recorded/measure.sh" --print "$case")"
echo "if the new results are right: HBG_REFRESH=1 tests/recorded/compare.sh build/hbg 1, and say in the commit and in tests/recorded/changes.md why they changed"
exit "$code"
