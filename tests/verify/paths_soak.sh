#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Proofs against runs on thousands of random graphs; tests/verify/paths_test.c takes a few. Piece by piece, so that a piece that
# fails can be looked at again by its seed.
# needs: test
set -eu
. "$HBG_SOURCE_DIR/tests/verify/release.sh"

release_tree verify_paths_test_c
failed=0
for piece in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    export HBG_VERIFY_GRAPHS=250 HBG_VERIFY_SEED=$((1000003 + 250 * piece))
    "$release/tests/verify/paths_test" >"$piece.log" 2>&1 || {
        cat "$piece.log"
        failed=1
    }
done
exit "$failed"
