#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Curves that are thinned for the screen: random ones, of which every pixel has to keep its lowest and highest value, its first and its last.
# needs: test
node "$HBG_SOURCE_DIR/tests/studio/decimate.mjs"
