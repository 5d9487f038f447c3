#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Proofs against runs on thousands of random graphs; tests/verify/paths_test.c takes a few.
# needs: test
HBG_VERIFY_GRAPHS=4000 exec "$HBG_BUILD_DIR/tests/verify/paths_test"
