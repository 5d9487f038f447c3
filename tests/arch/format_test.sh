#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every C file has the look of .clang-format (`make format` gives it).
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

check_tree() {
    "$HBG_SOURCE_DIR/tools/format.sh" check "$1" 2>&1 || true
}

accept "$HBG_SOURCE_DIR"

mkdir -p ugly
cp "$HBG_SOURCE_DIR/.clang-format" ugly
put ugly/src/base/a.c 'int  f( void ){return 1;}'
reject "$PWD/ugly" 'code should be clang-formatted'
