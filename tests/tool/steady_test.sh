#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg steady: an operating point, or none.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

# 10 V over 330 Ohm
run 0 steady good.hbg --record coil.f
says out 'coil.f        0.030303 A'
run 0 steady good.hbg --json
says out '"found": true'
printf 'model Up {\n    state x = 0 : der = 1 [1/s];\n    output y = x;\n}\n' >up.hbg
run 3 steady up.hbg
says out 'no point was found'
says err 'up.hbg: '
run 2 steady wrong.hbg
run 2 steady good.hbg -x e
says err 'the model has none'
finish
