#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Options: long and short, glued and apart, unknown ones, and those of another command.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 2 check
says err 'no file is named'
run 2 check good.hbg --nonsense
says err 'unknown option `--nonsense`'
says err '`hbg help check` lists the options'
run 2 draw good.hbg --mdoe=a=b
says err 'unknown option `--mdoe=a=b`; did you mean `--mode`?'
run 2 check good.hbg --mdoe a=b
says err '`hbg help check` lists the options'
run 2 check -z good.hbg
says err 'unknown option `-z`'
run 2 check good.hbg --force
says err 'unknown option `--force`'
run 2 list --check good.hbg
says err 'unknown option `--check`'
run 2 check good.hbg -p
says err 'needs a value'
run 2 draw good.hbg --output
says err 'needs a value'
run 2 check --json=yes good.hbg
says err 'takes no value'
run 2 check --color sometimes good.hbg
says err 'takes auto, always or never'
run 2 list good.hbg warned.hbg
says err 'one model at a time'
run 2 draw good.hbg warned.hbg
says err 'one model at a time'
# options that users expect to accumulate
run 2 run good.hbg --record a --record b
says err 'given twice; put all into one list: `--record a,b,c`'
run 2 run good.hbg --faults a.csv --faults b.csv
says err 'given twice; put all into one table: `--faults FILE`'

# an option may be anywhere, its value separate or attached
for arguments in '-p R1=220 list good.hbg' '--param R1=220' '--param=R1=220' '-pR1=220'; do
    case $arguments in *list*) continue ;; esac
    # shellcheck disable=SC2086
    run 0 list $arguments good.hbg
    says out '220 Ohm'
    # shellcheck disable=SC2086
    run 0 list good.hbg $arguments
    says out '220 Ohm'
done
run 0 list good.hbg -p R1=220 -p 'V=5 [V]'
says out '220 Ohm'
says out '5 V'
run 0 list good.hbg -m Second
says out 'Second'
run 2 list good.hbg -m Third
says err 'there is no model `Third`'

# arguments after -- are files
cp good.hbg ./-odd.hbg
run 0 check -- -odd.hbg
says out '-odd.hbg: fine'
run 2 check -odd.hbg

# more of them than there is room for
many=
for i in $(seq 300); do many="$many -p R1=$i"; done
# shellcheck disable=SC2086
run 2 check good.hbg $many
says err 'too many'
finish
