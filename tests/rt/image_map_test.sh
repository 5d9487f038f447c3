#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The head of src/rt/image.h explains every pool and every array of an image: those that src/rt/package_impl.h writes to files.
# needs: test
set -eu

sed -n '/^ \* The map/,/\*\/$/p' "$HBG_SOURCE_DIR/src/rt/image.h" | tr -c 'a-z_' '\n' | sort -u >explained
sed -n 's/^    X(\([a-z_.]*\), .*/\1/p' "$HBG_SOURCE_DIR/src/rt/package_impl.h" | sed 's/.*\.//' >pools
sed -n 's/^    X([a-z_.]*, \([a-z_]*\), hbg_[a-z_]*, .*/\1/p; s/^    X([a-z_.]*, \([a-z_]*\), int32_t, .*/\1/p' \
    "$HBG_SOURCE_DIR/src/rt/package_impl.h" >arrays
[ "$(wc -l <pools)" -gt 45 ] && [ "$(wc -l <arrays)" -gt 28 ] || { echo 'the lists of package_impl.h were not found' >&2; exit 1; }
missing=$(sort -u pools arrays | comm -23 - explained)
[ -z "$missing" ] || { echo "not in the map of image.h: $missing" >&2; exit 1; }
