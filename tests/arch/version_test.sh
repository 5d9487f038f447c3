#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The version stands in include/hbg/version.h; the command and the build say the same.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# number WORD TOP: one part of the version
number() {
    sed -n "s/^#define HBG_VERSION_$1 //p" "$2/include/hbg/version.h"
}

check_tree() {
    version=$(number MAJOR "$1").$(number MINOR "$1").$(number PATCH "$1")
    "$HBG" --version | grep -qF "hbg $version" || echo "hbg --version does not say $version"
    built=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$HBG_BUILD_DIR/CMakeCache.txt")
    [ "$built" = "$version" ] || echo "CMake took the version for $built, not $version"
}

accept "$HBG_SOURCE_DIR"

put other/include/hbg/version.h '#define HBG_VERSION_MAJOR 7' '#define HBG_VERSION_MINOR 8' '#define HBG_VERSION_PATCH 9'
reject other 'hbg --version does not say 7.8.9'
reject other 'not 7.8.9'
