#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# test.sh [CTEST OPTION...]: builds with sanitizers and runs every test but the long ones, e.g. tools/test.sh -R lang.
# needs: build page test
. "$(dirname "$0")/common.sh"

phase "install packages" tools/packages.sh build page test
phase "fetch packages of the page" tools/page.sh tests
phase "build" build_tree release build # tests/recorded runs the optimised command
phase "build for tests" build_tree test build/test
# a selection without fuzz targets does not wait for them
if [ $# -eq 0 ] || ctest --test-dir build/test -N -LE soak "$@" | grep -q ' fuzz/'; then
    phase "build fuzz targets" build_tree fuzz build/fuzz
fi
touch build/test/tests-began
trap tools/costs.sh EXIT
phase "tests" ctest --test-dir build/test --output-on-failure --no-tests=error -j "$(jobs)" --timeout 180 -LE soak "$@"
