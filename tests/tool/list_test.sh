#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg list: text, JSON, and nothing where there is no model.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 0 list good.hbg
says out 'Good: 4 elements'
says out 'a small circuit'
says out 'R1  330 Ohm'
says out 'supply -> loop'
silent err

run 0 list good.hbg --json
says out '"model": "Good"'
says out '"unit": "Ohm"'
says out '0.005'
silent err

run 0 list warned.hbg
says err 'warning[W0704]'
says out 'Warned'
run 0 list warned.hbg --json
says err 'warning[W0704]'
grep -qF warning out && fail 'a warning among the JSON'

run 2 list wrong.hbg
silent out
says err 'E0301'
run 2 list wrong.hbg --json
silent out
run 2 list nowhere.hbg
silent out
finish
