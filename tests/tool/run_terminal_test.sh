#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run on a terminal: after a second it shows its progress and the time left; Ctrl-C, as typed there, ends
# it cleanly. `script` provides the terminal.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

printf 'model Ever {\n    state x = 0 : der = cos(time*1e3);\n    output y = x;\n    experiment e { stop 1e9 [s]; }\n}\n' >ever.hbg
printf 'model Soon {\n    state x = 0 : der = 1;\n    output y = x;\n    experiment e { stop 1 [s]; }\n}\n' >soon.hbg

# shown: the line of progress; rows_written: the file of rows has some
shown() {
    grep -q ' left' seen
}
rows_written() {
    [ -s soon.csv.partial ]
}

# on_terminal CODE CONDITION ARGUMENT...: hbg on a terminal, where Ctrl-C is typed as soon as the condition holds; the
# screen is in out
on_terminal() {
    wanted=$1
    condition=$2
    shift 2
    code=0
    : >seen
    { waits "$condition"; printf '\003'; sleep 1; } | script -fqec "$HBG $*" seen >/dev/null || code=$?
    tr '\r' '\n' <seen >out
    [ "$code" -eq "$wanted" ] || { fail "exit code $code, not $wanted: hbg $*"; cat out >&2; }
}

on_terminal 130 shown run ever.hbg -o ever.csv --plot ever.svg
grep -qE '^ *[0-9]+ %, t = [0-9.e+]+ s, .* left' out || { fail 'no progress'; cat out >&2; }
says out 'interrupted at t = '
says out 'the rows so far are in `ever.csv.partial`; the picture so far is in `ever.svg.partial`'
[ ! -e ever.csv ] && [ ! -e ever.svg ] || fail 'files that look complete'
[ -s ever.csv.partial ] && [ -s ever.svg.partial ] || fail 'no partial files'
# the line of progress is cleared before other output
escape=$(printf '\033')
grep -qF "${escape}[KEver, experiment e" out || { fail 'progress stands in the way'; cat out >&2; }

# signals are handled even with many rows in each step
rm -f ever.*.partial
on_terminal 130 rows_written run soon.hbg --every 1ns -o soon.csv
says out '`soon.csv.partial`'
rm -f soon.csv.partial

# a quick run shows no line, nor does a run without a terminal
script -qec "$HBG run soon.hbg --no-ledger" seen >/dev/null </dev/null || fail 'a quick run'
says seen 'Soon, experiment e: 0 to 1 s'
grep -qF ' left' seen && fail 'progress of a quick run'
code=0
timeout --preserve-status --signal=INT --kill-after=20 2 "$HBG" run ever.hbg >out 2>err || code=$?
[ "$code" -eq 130 ] || fail "exit code $code after an interrupt"
grep -qF ' left' err && fail 'progress where nobody looks'
finish
