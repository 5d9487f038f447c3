#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What hbg computes is what was recorded, to the bit: all of the file sums.
set -euo pipefail
exec "$HBG_SOURCE_DIR/tests/recorded/compare.sh" "$HBG_SOURCE_DIR/build/hbg" 1
