#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# adapt_figures.sh [FOLDER]: runs the whole of experiment 1 of Virtual ADAPT, 20 s nominal and faulty, draws what Figs 22 and 23 of
# 001 show into FOLDER (default: docs/pictures), and prints the rows of the table in the readme of the example. It fails
# when a number is not where it has to be. HBG is the command, otherwise the one that `make` built.
#
# Runs of 2.67 million steps: some seconds in all, a minute where there is no compiler. The pictures are taken over by
# `HBG_REFRESH=1 ctest --test-dir build/test -R docs/adapt_figures_soak`.
# needs: test
. "$(dirname "$0")/common.sh"

hbg=$(realpath "${HBG:-build/hbg}")
folder=${1:-docs/pictures}
mkdir -p "$folder"
folder=$(realpath "$folder")
model=$PWD/examples/adapt-experiment-1/adapt-experiment-1.hbg
library=$PWD/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# whole EXPERIMENT [OPTION...]: its rows in EXPERIMENT.csv, its summary in EXPERIMENT.txt
whole() {
    local name=$1
    shift
    "$hbg" run "$model" -I "$library" -x "$name" -p pace=1 -o "$name.csv" "$@" >"$name.txt"
}

# picture FILE TITLE COLUMNS: of the rows on the standard input
picture() {
    cat >"$2.csv"
    "$hbg" plot "$2.csv" --columns "$3" -o "$folder/$1" >/dev/null
    # the title of a plot is the name of its file
    sed -i "s|$2\.csv|Virtual ADAPT: $2|g" "$folder/$1"
}

# both FROM TO: rows of both runs side by side, with units in the names; of rows at one instant the last
both() {
    awk -F, -v OFS=, -v from="$1" -v to="$2" '
        function head(run) { return "v_battery " run " [V],i_battery " run " [A],v_inverter " run " [V],i_inverter " run " [A],fan " run " [rad/s]" }
        FNR == 1 { if (NR == 1) print "time [s]", head("nominal"), head("faulty"); next }
        $1 < from || $1 > to { next }
        { row = $2 OFS $3 OFS $4 OFS $5 OFS $6 }
        FILENAME == "nominal.csv" { other[$1] = row; next }
        last != "" && $1 != time { print time, other[time], last }
        { time = $1; last = row }
        END { print time, other[time], last }' nominal.csv faulty.csv
}

# ---- Fig. 22: the whole of both runs ---------------------------------------------------------------------------------

whole nominal &
whole faulty
wait $!
both 0 20 | picture adapt-experiment-1.svg 'bulb from 2 to 5 s, fan from 7 to 15 s' \
    'v_battery faulty, v_battery nominal; i_battery faulty, i_battery nominal; v_inverter faulty, v_inverter nominal; i_inverter faulty, i_inverter nominal; fan faulty, fan nominal'

# ---- the numbers -----------------------------------------------------------------------------------------------------

# mean FROM TO EXPRESSION: over the rows of the nominal run with FROM <= time < TO, whole mains cycles; v, i, w, b are voltage and
# current of the inverter, speed and current of the battery, s and c sine and cosine of the mains
mean() {
    awk -F, "\$1 >= $1 && \$1 < $2 && \$1 != last { last = \$1; v = \$4; i = \$5; w = \$6; b = \$3
        s = sin(120 * 3.14159265358979 * \$1); c = cos(120 * 3.14159265358979 * \$1); n++; sum += $3 }
        END { printf \"%.9g\", sum / n }" nominal.csv
}
calc() {
    awk "BEGIN { printf \"${2:-%.9g}\", $1 }"
}
# root FROM TO EXPRESSION DIGITS: root of the mean square
root() {
    calc "sqrt($(mean "$1" "$2" "($3)^2"))" "%.$4f"
}
# within NAME VALUE LEAST MOST
within() {
    awk "BEGIN { exit !($2 >= $3 && $2 <= $4) }" || {
        echo "$1 is $2, which is not between $3 and $4" >&2
        outside=1
    }
}
outside=0
idle=$(root 1 2 v 2)
bulb=$(root 4 5 v 2)
fan=$(root 14 15 v 2)
for voltage in "$idle" "$bulb" "$fan"; do within 'the voltage of the inverter, V RMS,' "$voltage" 118.8 121.2; done
# the angle by which the first harmonic of the current lags behind that of the voltage
phase=$(calc "atan2($(mean 14 15 'v*c'), $(mean 14 15 'v*s')) - atan2($(mean 14 15 'i*c'), $(mean 14 15 'i*s'))" %.3f)
within 'the phase, rad,' "$phase" 0.143 0.153
speed=$(calc "$(mean 14 15 w)" %.2f)
within 'the speed of the fan, rad/s,' "$speed" 77 81
changes=$(sed -n 's/.* \([0-9]*\) mode changes.*/\1/p' nominal.txt)
within 'the number of mode changes in 20 s' "$changes" 1400000 1700000
cat <<END
| voltage of the inverter without load, with bulb, with fan, V RMS | $idle, $bulb, $fan | 120 |
| current of bulb, of fan, A RMS | $(root 4 5 i 3), $(root 14 15 i 3) | – |
| phase between current and voltage of the fan, rad | $phase | 0.1346 |
| speed of the fan, mean from 14 to 15 s, rad/s | $speed | 78.5 |
| current of the battery with bulb, with fan, A | $(calc "$(mean 4 5 b)" %.2f), $(calc "$(mean 14 15 b)" %.2f) | – |
| mode changes in 20 s | ${changes%??????} ${changes: -6:3} ${changes: -3} | – |
END

# ---- Fig. 23: around the fault; and the phase of the fan -------------------------------------------------------------

awk -F, -v OFS=, 'NR == 1 { print "time [s],v_inverter/100 V,i_inverter/1 A" }
    NR > 1 && $1 >= 14.9 && $1 <= 14.95 { print $1, $4 / 100, $5 }' nominal.csv |
    picture adapt-experiment-1-phase.svg 'the current of the fan lags behind the voltage' 'v_inverter/100 V, i_inverter/1 A;'
whole nominal --stop 3.06 --every 30us
whole faulty --stop 3.06 --every 30us
both 2.96 3.04 | picture adapt-experiment-1-fault.svg 'the bulb loses 30 % of its resistance at 3 s' \
    'i_battery faulty, i_battery nominal; i_inverter faulty, i_inverter nominal; v_inverter faulty, v_inverter nominal'
exit "$outside"
