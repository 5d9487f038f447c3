#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg linearize: matrices, eigenvalues, Bode plots.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

# R/L = 330/5e-3
run 0 linearize good.hbg
says out '-66000 1/s: time constant 1.51515e-05 s'
run 0 linearize good.hbg --json
says out '"eigenvalues"'
run 0 linearize good.hbg --at 1ms --record coil.f
says out 'Good at 0.001 s'
says out '0.030303 A'
run 0 linearize good.hbg --bode V coil.f -o bode.svg
says out 'wrote bode.svg'
says bode.svg 'coil.f / V'
run 0 linearize good.hbg --bode V coil.f -o -
says out '<svg'
rm bode.svg
run 2 linearize good.hbg --bode V coil.f
says err 'where should the Bode plot go?'
run 2 linearize good.hbg --bode W coil.f -o bode.svg
says err '`W`'
run 2 linearize good.hbg --bode V
says err 'needs an input and an output'
run 2 linearize good.hbg --bode V coil.g -o bode.svg
run 2 linearize good.hbg --bode V coil.f -o bode.csv
run 2 linearize good.hbg -o bode.svg
run 2 linearize wrong.hbg
absent bode.svg
finish
