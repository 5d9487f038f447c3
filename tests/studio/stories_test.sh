#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The shortest story of each panel, in one browser.
# needs: test
. "$HBG_SOURCE_DIR/tests/studio/studio.sh"

mkdir -p folder
cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" folder
start folder
if timeout 120 node "$HBG_SOURCE_DIR/tests/studio/browser.mjs" "$address" run; then pass; else fail "a story"; fi
stop
finish
