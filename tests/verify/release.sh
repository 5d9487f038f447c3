# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced by what puts thousands of questions to the prover: with sanitizers that would take hours.
# needs: build

# release_tree TARGET...: makes these targets in a tree of their own, optimised, and sets `release` to it
release_tree() {
    release=$HBG_BUILD_DIR/verify-release
    mkdir -p "$release"
    (
        flock 9 # two tests may want it at once
        cmake -S "$HBG_SOURCE_DIR" -B "$release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHBG_TESTS=ON -Wno-dev &&
            ninja -C "$release" "$@"
    ) 9>"$release/lock" >release.log 2>&1 || {
        tail -n 30 release.log
        exit 1
    }
}
