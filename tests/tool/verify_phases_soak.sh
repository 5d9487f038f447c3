#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg verify of a three-phase inverter whose six switches follow three phases of one angle, a third of a turn apart.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised

# inverter BACK FORTH: phases b and c beside phase a
inverter() {
    sed -e "s|signal phase_a = .*|signal turn = 3000 [rpm]*time, phase_a = cos(turn), phase_b = cos(turn $1), phase_c = cos(turn $2);|" \
        -e 's|>= dead && phase_. < T/2|> 0.1|; s|>= T/2 + dead|< -0.1|' \
        "$HBG_SOURCE_DIR/examples/three-phase-inverter/three-phase-inverter.hbg" >inverter.hbg
    [ "$(grep -c 'closed = phase_. [<>] -\?0.1)' inverter.hbg)" = 6 ] || fail "the inverter has other switches"
    timeout 600 "$hbg" verify inverter.hbg >out 2>err || fail "not proved: $*"
    says out 'consistent: every search ends, and every chain of modes'
}

inverter '- 120 [deg]' '+ 120 [deg]'
inverter '- 2*pi/3' '- 4*pi/3'

finish
