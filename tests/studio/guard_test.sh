#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Attacks on the server, each of which has to fail: wrong tokens, foreign hosts and origins, paths that lead out of the folder, files that have
# changed, questions that are too large or no questions. And the command: what it says of ports, folders and browsers.
# needs: test
. "$HBG_SOURCE_DIR/tests/studio/studio.sh"

mkdir -p folder/below outside
cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" folder
echo 'model Secret {}' >outside/secret.hbg
ln -s ../outside folder/door
ln -s ../outside/secret.hbg folder/window.hbg
ln -s nowhere folder/nowhere.hbg
start folder
if timeout 60 node "$HBG_SOURCE_DIR/tests/studio/attacks.mjs" "$base" "$token" "$PWD/folder"; then pass; else fail "an attack"; fi
[ "$(cat outside/secret.hbg)" = 'model Secret {}' ] && pass || fail "a file outside was written"

# nothing but the loopback address is listened at
port=${base##*:}
here=$(awk -v port="$(printf '%04X' "$port")" '$4 == "0A" && $2 ~ ":" port "$" { print $2 }' /proc/net/tcp /proc/net/tcp6)
[ "$here" = "0100007F:$(printf '%04X' "$port")" ] && pass || fail "it listens at $here"

# the port is taken
if "$HBG" studio folder --no-open --port "$port" >out 2>err; then fail "two studios on one port"; else pass; fi
grep -q 'the port is taken' err && pass || fail "no word about the port: $(cat err)"
stop INT # Ctrl-C

# says WHAT PATTERN ARGUMENT...: the command refuses, and says so
says() {
    local what=$1 pattern=$2
    shift 2
    if "$HBG" studio "$@" >out 2>err; then fail "$what is accepted"; elif grep -q "$pattern" err; then pass; else fail "$what: $(cat err)"; fi
}
says 'a folder that is not there' 'neither a folder nor a model' missing --no-open
says 'a port that is none' 'not a number from 0 to 65535' folder --no-open --port 70000
says 'a token with a slash' 'a token is up to 127' folder --no-open --token a/b

# the browser that is wanted is started on the address
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$PWD" >browser
chmod +x browser
BROWSER=$PWD/browser "$HBG" studio folder --token x >out 2>err &
server=$!
for _ in $(seq 100); do [ ! -s opened ] || break; sleep 0.05; done
grep -q "^http://127.0.0.1:[0-9]*/?token=x\$" opened && pass || fail "the browser is not opened: $(cat err)"
stop INT

# without a display no browser is started, and the address is told all the same
unset DISPLAY WAYLAND_DISPLAY BROWSER
"$HBG" studio folder --token x >out 2>err &
server=$!
for _ in $(seq 100); do grep -q ssh err && break; sleep 0.05; done
grep -q 'no browser could be started' err && grep -q '?token=x' out && pass || fail "no browser: $(cat err)"
kill -TERM "$server"
wait "$server" && pass || fail "SIGTERM does not end it cleanly"
finish
