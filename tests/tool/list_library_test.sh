#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# `hbg list --library` names every component with a line; words find matching ones, with equations, ports and
# parameters, as text and as JSON; words without a match are reported. Without --library a model is needed as
# before.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
export HBG_PATH="$HBG_SOURCE_DIR/lib"

run 0 list --library
says out 'electrical.hbg'
says out 'Ideal switch, closed while `closed` holds'
says out 'StribeckFriction'

# components of that name come first
run 0 list --library contact
[ "$(head -n 1 out)" = "Contact, translational.hbg: Contact between two bodies, with rebound or rest" ] || fail "Contact is not the first: $(head -n 1 out)"
run 0 list --library gear
[ "$(sed -n "s/,.*\.hbg:.*//p" out | head -n 2 | tr "\n" " ")" = "Gear PlanetaryGear " ] || fail "gears are not the first"

run 0 list --library relief
says out 'ReliefValve, hydraulic.hbg: Relief valve: holds the pressure difference at its setting by letting flow pass'
says out '  | Shut up to the setting; beyond it e_a - e_k = setting + override*flow.'
says out '    a     hydraulic  pressure side, power in'
says out '    flow  out [m3/s]  from a to k'
says out '    setting   = 100 [bar]  opens it'
! grep -qF 'CheckValve' out || fail 'CheckValve is found'

# every word counts, in upper or lower case, also that of a port or a parameter
run 0 list --library THERMAL emissivity
says out 'Radiation, thermal.hbg'
! grep -qF 'Convection' out || fail 'Convection is found'

# ports in the branches of a condition are listed once
run 0 list --library Diode forward_drop holding
[ "$(grep -c '^    i ' out)" = 1 ] || fail "the current of a diode is not told once: $(cat out)"

run 0 list --library relief --json
says out '"name": "ReliefValve"'
says out '"kind": "out"'
says out '"default": "100 [bar]"'

# the comment in front of a component, indented or not, and no text before it
mkdir own
cat >own/own.hbg <<'END'
component First "one" {
    port a : electrical; /* not of the second */
    R r(1 [Ohm]);
    a -> r;
} /* nor this */
    /* e = r*f
       in a block */
component Second "two" {
    port a : electrical;
    R r(2 [Ohm]);
    a -> r;
}
    // e = 3*f
component Third "three" {
    port a : electrical;
    R r(3 [Ohm]);
    a -> r;
}
END
run 0 list --library -I own own.hbg
[ "$(grep -c '^  |' out)" = 3 ] || fail "the comments: $(cat out)"
says out '  | e = r*f'
says out '  | in a block'
says out '  | e = 3*f'
run 2 list --library -p x=3 own.hbg
says err '--param does nothing beside it'
run 2 list --library nonesuch
says err 'no component has to do with `nonesuch`'
run 2 list
says err 'no file is named'

finish
