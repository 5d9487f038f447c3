#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run and sweep: edges and kinks that no state feels, through the whole program, interpreted, compiled and from an image. Energies,
# means and rows are those of the curve.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/tool/engines.sh"

# energy WHAT OPTION...: what a run supplies, J
energy() { "$HBG" run "$@" --json 2>/dev/null | awk '/"supplied"/ { on = 1 } /"work":/ { gsub(/[^-0-9.e]/, "", $0); value = $0 } on { print value; exit }'; }

# is WHAT VALUE WANTED ERROR
is() {
    awk -v found="$2" -v wanted="$3" -v error="$4" 'BEGIN { off = found - wanted; exit !(found != "" && off <= error && -off <= error) }' ||
        fail "$1: $2, not $3"
}

# 1 V on 1 Ω for 0.3 ms in each ms
cat >pulse.hbg <<'EOF'
model Pulse {
    Se s(time % 1 [ms] < 0.3 [ms] ? 1 [V] : 0 [V]);
    R load(1 [Ohm]);
    1 loop;
    s -> loop -> load;
    experiment run { stop 0.1 [s]; record load.f; }
}
EOF
# the curve 0, 1, 0 over a second, with a jump to 2 at its end
printf 'x,y\n0,0\n0.5,1\n1,0\n1,2\n2,2\n' >shape.csv
cat >shape.hbg <<'EOF'
model Shape {
    Se s(table("shape.csv", "y") * 1 [V]);
    R load(1 [Ohm]);
    1 loop;
    s -> loop -> load;
    output half = table("shape.csv", "y", 0.5*time);
    experiment run { stop 2 [s]; record load.f, half; }
}
EOF
# half waves of 100 V at 50 Hz, and a lamp that counts as lit above 50 V: 120 of 360 degrees
cat >rectified.hbg <<'EOF'
model Rectified {
    param w = 314.1592653589793;
    Se s(abs(sin(w*time)) * 100 [V]);
    R load(100 [Ohm]);
    1 loop;
    s -> loop -> load;
    output lit = sin(w*time) > 0.5 ? 1 : 0;
    experiment run { stop 0.2 [s]; record load.f, lit; }
}
EOF
for solver in auto erk bdf adams; do
    for rtol in 1e-3 1e-6 1e-10; do
        is "pulse, $solver, $rtol" "$(energy pulse.hbg --solver $solver --rtol $rtol)" 0.03 1e-14
    done
    # ∫ (2t)² twice over half a second, then 4 W for a second
    is "shape, $solver" "$(energy shape.hbg --solver $solver)" 4.333333333333333 1e-12
    is "rectified, $solver" "$(energy rectified.hbg --solver $solver)" 10 1e-6
done
compare pulse pulse.hbg
compare shape shape.hbg --solver erk
compare rectified rectified.hbg --every 3ms
run 0 compile pulse.hbg -q -o pulse.hbi
is 'an image' "$(energy pulse.hbi)" 0.03 1e-14

# means in the table of a sweep: column NAME of its only run
mean() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' table.csv; }
run 0 sweep pulse.hbg -q -o table.csv
is 'mean of the pulse' "$(mean 'load.f mean')" 0.3 1e-13
run 0 sweep rectified.hbg -q -o table.csv
is 'share of lit' "$(mean 'lit mean')" 0.3333333333333333 1e-9
run 0 sweep shape.hbg -q -o table.csv
is 'mean of the shape' "$(mean 'load.f mean')" 1.25 1e-12
is 'mean of its half speed' "$(mean 'half mean')" 0.5 1e-12

# along a surface, x = 0.2*sin(t) from 0.85 s on, what is recorded is as it is: x is negative from pi on
cat >along.hbg <<'EOF'
model Along {
    param w = 1 [rad/s];
    state x = 1 : der = -sign(x - 0.2*sin(w*time));
    signal y = x > 0 ? 1 : 0, q = floor(10*x), r = time % 0.5 < 0.1 ? 1 : 0;
    experiment e { stop 6 [s]; record x, y, q, r; }
}
EOF
run 0 run along.hbg --chattering slide --every 0.5 -q -o -
awk -F, 'NR > 1 && $1 > 1 { if ($3 != ($2 > 0) || ($4 > 10 * $2 || 10 * $2 - $4 >= 1) || $5 != ($1 * 2 == int($1 * 2))) exit 1; rows++ } END { exit rows < 10 }' out ||
    fail "along a surface: $(cat out)"

# an edge has its two rows however seldom rows are written
run 0 run pulse.hbg --every 50ms --stop 1.2ms -q -o -
printf 'time,load.f\n0,1\n0.0003,1\n0.0003,0\n0.001,0\n0.001,1\n0.0012,1\n' | cmp - out || fail "rows: $(cat out)"
finish
