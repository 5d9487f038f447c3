#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# How numbers are written along axes and in tables.
# needs: test
node "$HBG_SOURCE_DIR/tests/studio/numbers.mjs"
