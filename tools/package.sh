#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# package.sh: makes a Debian package of the optimised build, in build/.
# needs: build page package
. "$(dirname "$0")/common.sh"

phase "install packages" tools/packages.sh build page package
phase "build" build_tree release build
(cd build && rm -f hbg_*.deb && cpack -G DEB >package.log 2>&1) || { cat build/package.log >&2; exit 1; }
for package in build/hbg_*.deb; do
    echo "made $package; install it with: apt-get install ./$package"
done
