#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A line of 1000 sections, L in series and C to ground, struck by a step of 1 V: the voltage at section n of an endless line
# is the integral of 2n·J_2n(s)/s from 0 to 2t/√(LC), which for n = 500 at t = 500·√(LC), when the front arrives, is
# 0.3345696539 (about a third); nothing has come back from the far end by then.
set -eu

awk 'BEGIN {
    print "model Line { Se source(1 [V]); 1 j1; source -> j1;"
    for (i = 1; i <= 1000; i++) {
        printf "I l%d(1 [H]); C c%d(1 [F]); 0 n%d; j%d -> l%d; j%d -> n%d; n%d -> c%d;\n", i, i, i, i, i, i, i, i, i
        if (i < 1000) printf "1 j%d; n%d -> j%d;\n", i + 1, i, i + 1
    }
    print "experiment front { stop 500 [s]; record n500.e every 500 [s]; } }"
}' >line.hbg
value=$("$HBG" run line.hbg --solver erk --rtol 1e-7 --no-ledger -o - 2>/dev/null | tail -1 | cut -d, -f2)
awk -v value="$value" 'BEGIN { error = value - 0.33456965394; exit !(error < 1e-7 && error > -1e-7) }' || {
    echo "the front is $value V high where it should be 0.33456965 V" >&2
    exit 1
}
