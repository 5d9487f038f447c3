#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# install.sh: installs the command, libhbg.a, headers, components and documents below PREFIX, inside DESTDIR if set.
# needs: build
. "$(dirname "$0")/common.sh"

tools/build.sh
cmake --install build --strip --prefix "${PREFIX:-/usr/local}" >build/install.log || { cat build/install.log >&2; exit 1; }
echo "installed below ${DESTDIR:-}${PREFIX:-/usr/local}"
