#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# All answers of the verifier against runs, on a thousand random models; tests/verify/answers_test.c takes a few.
# needs: test
set -eu
. "$HBG_SOURCE_DIR/tests/verify/release.sh"

release_tree verify_answers_test_c
failed=0
for piece in 0 1 2 3 4 5 6 7; do
    export HBG_VERIFY_GRAPHS=125 HBG_VERIFY_SEED=$((60000 + 125 * piece))
    "$release/tests/verify/answers_test" >"$piece.log" 2>&1 || {
        cat "$piece.log"
        failed=1
    }
done
exit "$failed"
