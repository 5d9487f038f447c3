#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A second `make` has nothing to do and says so.
# needs: test
set -u

make -C "$HBG_SOURCE_DIR" >first.txt 2>&1 || {
    cat first.txt
    exit 1
}
make -C "$HBG_SOURCE_DIR" >second.txt 2>&1
if grep -q 'nothing to do' second.txt && ! grep -q 'Building\|Linking' second.txt; then
    echo "1 passed, 0 failed"
else
    cat second.txt
    echo "0 passed, 1 failed"
    exit 1
fi
