#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Many pages at once, and Ctrl-C in the middle of what they do. `make soak` runs it under the thread sanitizer, which has the studio fail if it has seen a race.
# needs: test
. "$HBG_SOURCE_DIR/tests/studio/studio.sh"

pages=4 rounds=2
[ -z "${HBG_SOAK:-}" ] || { pages=12; rounds=14; }
open_folder diode-inductor
if timeout 900 node "$HBG_SOURCE_DIR/tests/studio/crowd.mjs" "$base" "$token" "$HBG_STUDIO_FOLDER" "$pages" "$rounds"; then pass; else fail "a crowd"; fi
stop INT
finish
