#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# soak.sh: what takes too long for every change. All tests and those labelled soak (the allocation sweep among them)
# with HBG_SOAK=1, by which a test may do more; everything compiled by clang and the unit tests of that build under
# valgrind; what runs on threads under the thread sanitizer; every fuzz target for FUZZ_SECONDS. One failure does not
# keep the rest from running.
# needs: build page test soak
. "$(dirname "$0")/common.sh"

phase "install packages" tools/packages.sh build page test soak
phase "fetch packages of the page" tools/page.sh tests
phase "build" build_tree release build # tests/recorded runs the optimised command
phase "build for tests" build_tree test build/test
phase "build fuzz targets" build_tree fuzz build/fuzz
phase "build with clang" build_tree clang build/clang
phase "build for threads" build_tree threads build/threads hbg_command api_tests sim_tests rt_tests

export FUZZ_SECONDS=${FUZZ_SECONDS:-600}
patient=(--output-on-failure -j "$(jobs)" --timeout $((FUZZ_SECONDS + 3600)))
keep_going=1
phase "all tests" env HBG_SOAK=1 ctest --test-dir build/test "${patient[@]}" -E ^fuzz/
# valgrind turns vfork into fork: what some tests ask of a program that is missing cannot come true there; the inputs of
# lang/hostile are too large for it
not_there='^(draw/(layout|process)|emit/diagram|lang/hostile)$'
phase "valgrind" ctest --test-dir build/clang "${patient[@]}" -LE soak -E "$not_there"
phase "threads" ctest --test-dir build/threads "${patient[@]}" -R '^(api/(sweep|simulation)|sim/ensemble|tool/sweep|rt/take_over|rt/choice)$'
phase "threads of the studio" env HBG_SOAK=1 ctest --test-dir build/threads "${patient[@]}" -R '^studio/(crowd|guard|stories)$'
phase "fuzz" ctest --test-dir build/test "${patient[@]}" -R ^fuzz/
exit "$failed"
