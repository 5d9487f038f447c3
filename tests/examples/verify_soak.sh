#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The same as verify_test.sh for the examples on which `hbg verify` takes long: up to minutes for rods at any angle.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/examples/verify.sh"

hbg=$HBG_RELEASE # with sanitizers they take hours
examined=0
for model in "$HBG_SOURCE_DIR"/examples/*/*.hbg; do
    grep -q '^verify slowly ' "${model%/*}/facts" || continue
    verify_example "$model" 'verify slowly' 40
    examined=$((examined + 1))
done
[ "$examined" -gt 0 ] || fail "there is none"

finish
