#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg equations: text, JSON, modes and exit codes.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 0 equations good.hbg
says out 'der(coil.p) = '
silent err
run 0 equations good.hbg --json
says out '"equations"'
run 2 equations wrong.hbg
run 2 equations good.hbg --mode k=on
says err 'there is no automaton `k`'
printf 'model Two {\n    Se a(1 [V]);\n    Se b(2 [V]);\n    0 n;\n    a -> n;\n    b -> n;\n}\n' >two.hbg
run 1 equations two.hbg
says out 'no valid causal assignment'
finish
