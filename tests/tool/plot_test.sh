#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg plot: pictures of results files.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

printf 'time,i_coil,"max(a, b)"\n0,1,2\n1,3,4\n' >r.csv
run 0 plot r.csv -o r.svg
says out 'wrote r.svg'
says r.svg 'i_coil'
says r.svg 'max(a, b)'
run 0 plot r.csv -o r.png --columns 'max(a, b)'
[ "$(od -An -tx1 -N4 r.png | tr -d ' ')" = 89504e47 ] || fail 'r.png is no PNG'
run 0 plot r.csv -o -
says out '<svg'
rm r.svg r.png
run 2 plot r.csv
says err '`-o plot.svg`'
run 2 plot r.csv -o r.gif
says err ".svg, .png or .pdf"
run 2 plot r.csv -o r.svg --columns i_coli
says err 'did you mean `i_coil`?'
run 2 plot nowhere.csv -o r.svg
printf 'time,x\n0,zero\n' >bad.csv
run 2 plot bad.csv -o r.svg
printf 'time,x\n0,1\n2,3\n1,2\n' >back.csv
run 2 plot back.csv -o r.svg
says err '`time` goes back from 2 to 1 in row 3: sort the rows by the first column'
absent r.svg
finish
