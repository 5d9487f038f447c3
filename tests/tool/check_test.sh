#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg check: exit codes, messages and their places, and input that is not a model.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 0 check good.hbg
says out 'good.hbg: fine'
says out '4 elements'
silent err

run 0 check warned.hbg
says out 'no errors, 1 warning'
says err 'warning[W0704]'
run 0 check warned.hbg -W no-unused-parameter
says out 'warned.hbg: fine'
silent err
run 2 check warned.hbg -W error
says err 'error[W0704]'
run 2 check warned.hbg -W no-nonsense
says err 'hbg help check'
run 2 check warned.hbg -W nonsense

run 2 check wrong.hbg
silent out
says err 'error[E0301]: nothing here is called `unknown`'
says err 'wrong.hbg:2:10'
says err '1 error'
run 2 check broken.hbg
says err 'error[E0201]'

# several files: all are checked, the worst decides
run 2 check good.hbg wrong.hbg warned.hbg
says out 'good.hbg: fine'
says out 'warned.hbg: no errors'
says err 'wrong.hbg: 1 error'

# values of the command line are checked like the rest
run 0 check good.hbg -p 'R1=4.7 [kOhm]'
run 2 check good.hbg -p 'R1=5 [V]'
says err 'error[E0403]'
run 2 check good.hbg -p R2=5
says err 'did you mean `R1`?'
says err 'the command line:1:1'
run 2 check good.hbg -p R1
run 2 check good.hbg -p 'R1='
run 2 check good.hbg -p ''

# answers for programs
run 0 check good.hbg --json
says out '"errors": 0'
silent err
run 2 check wrong.hbg --json
says out '"code": "E0301"'
says out '"line": 2'
silent err
run 0 check warned.hbg --json
says out '"name": "unused-parameter"'

# not a model, or not a file
run 2 check nowhere.hbg
says err 'cannot read `nowhere.hbg`'
run 2 check .
says err 'directory'
run 2 check /dev/zero
run 2 check /dev/null
mkfifo pipe
run 2 check pipe
run 2 check ''
printf '' >empty.hbg
run 2 check empty.hbg
says err 'declares no model'
printf 'model M { \377 }' >bytes.hbg
run 2 check bytes.hbg
says err 'E0105'
printf 'model M { \0 }' >zero.hbg
run 2 check zero.hbg
says err 'E0105'
chmod 000 wrong.hbg
if [ "$(id -u)" -ne 0 ]; then
    run 2 check wrong.hbg
    says err 'cannot read'
fi
finish
