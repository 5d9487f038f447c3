#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# 004's rod at any angle, which takes minutes. On the floor: with the precondition and two stuck states no search is found
# that comes back (004, section 7.1); the prover does not decide all of it. Falling: a rod that slides fast into the floor has no mode
# (004, section 5).
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/verify/release.sh"

release_tree hbg_command
HBG=$release/hbg
. "$HBG_SOURCE_DIR/tests/tool/rod.sh"
sed '/verify {/d' held.hbg >held-any.hbg

# verify MODEL: its answer goes to `out`; what it finds wrong is no mistake of the tool
verify() {
    code=0
    set -- verify "$1" --timeout 120
    "$HBG" "$@" >out 2>err || code=$?
    [ "$code" = 1 ] || fail "$1 $2: exit code $code: $(cat err)"
}

verify held-any.hbg
! grep -q 'cycle:\|chain:' out || fail "a search comes back: $(cat out)"

verify "$HBG_SOURCE_DIR/examples/falling-rod/falling-rod.hbg"
grep -q 'contact=touching, slip=rest' out || fail "no rod at rest that is pulled up: $(cat out)"
grep -q 'within reach: a real mode can be left for there while time flows' out || fail "it is not within reach: $(cat out)"

finish
