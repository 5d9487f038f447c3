#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The command itself: finding the subcommand, version, help.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 2
silent out
says err 'Usage: hbg COMMAND'

run 0 --version
says out 'hbg '
silent err
run 0 version
says out 'hbg '

for word in help --help -h; do
    run 0 $word
    says out 'Usage: hbg COMMAND'
    silent err
done

# every command has help of its own, by both ways
for command in check draw fmt list; do
    run 0 help
    says out "  $command "
    run 0 help $command
    says out "Usage: hbg $command"
    silent err
    cp out first
    run 0 $command --help
    cmp -s out first || fail "hbg $command --help and hbg help $command differ"
    run 0 $command good.hbg -h
    cmp -s out first || fail "hbg $command good.hbg -h shows no help"
done
run 0 help check
says out 'unused-parameter'

run 2 help nonsense
says err 'there is no command `nonsense`'
run 2 nonsense
silent out
says err 'there is no command `nonsense`'
run 2 chekc good.hbg
says err 'there is no command `chekc`; did you mean `check`?'
run 2 help drwa
says err 'did you mean `draw`?'
run 2 ''
run 2 --nonsense
finish
