#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# optimised.sh ARGUMENT...: hbg for tests of many answers whose routes others take with the sanitizers: the optimised command,
# which starts in a quarter of the time, but at every fiftieth call, and in a soak at each, the sanitized one.
# needs: test
[ -z "${HBG_SOAK-}" ] || exec "$HBG_SANITIZED" "$@"
calls=0
[ ! -s "$HBG_SCRATCH.calls" ] || read -r calls <"$HBG_SCRATCH.calls"
calls=$((calls + 1))
echo "$calls" >"$HBG_SCRATCH.calls"
[ $((calls % 50)) -ne 0 ] || exec "$HBG_SANITIZED" "$@"
exec "$HBG_RELEASE" "$@"
