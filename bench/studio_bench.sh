#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The studio: how soon the page is there, how soon a key press is answered, how fast a million points move, and what a thousand runs leave behind.
# needs: build bench
set -eu
"$HBG_SOURCE_DIR/tools/page.sh" tests

mkdir folder
cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" folder
: >log
"$HBG" studio folder/diode-inductor.hbg --no-open --token bench >log 2>err &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 100); do
    address=$(sed -n 's/^hbg studio: \([^ ]*\).*/\1/p' log)
    [ -z "$address" ] || break
    sleep 0.1
done
timeout 900 node "$HBG_SOURCE_DIR/bench/studio.mjs" "$address" "$PWD/folder" "$server"
