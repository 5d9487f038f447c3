#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# in_scratch.sh FOLDER COMMAND...: runs a command inside the folder, emptied before; how ctest starts every test.
set -eu
scratch=$1
shift
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
exec "$@"
