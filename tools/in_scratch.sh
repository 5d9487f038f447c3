#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# in_scratch.sh FOLDER COMMAND...: runs a command inside the folder, emptied before; how ctest starts every test. Leaves
# the processor time that it took, as `times` prints it, in FOLDER.times.
set -eu
scratch=$1
shift
rm -rf "$scratch" "$scratch.times" "$scratch.calls"
export HBG_SCRATCH="$scratch"
mkdir -p "$scratch"
cd "$scratch"
status=0
"$@" || status=$?
times >"$scratch.times"
exit "$status"
