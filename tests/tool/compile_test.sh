#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg compile: an image gives the rows of its model to the bit, also where its experiment sets parameters, acts on inputs or has a fixed
# step or faults; what an image cannot do is refused with the reason, and so is a file that is none.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

# same MODEL OPTION...: rows of the image and of the model
same() {
    model=$1
    shift
    run 0 compile "$model" -o image.hbi "$@"
    says out 'wrote image.hbi'
    run 0 run image.hbi -o image.csv
    run 0 run "$model" -o model.csv --engine interpreter "$@"
    cmp image.csv model.csv || fail "rows of $model $*"
}

for name in diode-inductor ball-restitution bridge-rectifier dog-clutch table-input construct-every \
    construct-pre-impulse-in construct-field construct-off-effort sliding-bodies \
    bulb-and-breaker construct-sensors; do
    same "$HBG_SOURCE_DIR/examples/$name/$name.hbg"
done
same "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" --solver bdf --rtol 1e-8
same "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" --solver rk4 --step '1 [us]' --every '10 [us]'
same "$HBG_SOURCE_DIR/examples/two-capacitors/two-capacitors.hbg" -x reopening

# the tolerance of a run may be another one
example=$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg
run 0 compile "$example" -o image.hbi
run 0 run image.hbi -o image.csv --rtol 1e-9
run 0 run "$example" -o model.csv --engine interpreter --rtol 1e-9
cmp image.csv model.csv || fail 'rows at another tolerance'
run 0 run image.hbi --json
says out '"compiled_by"'

# what needs the model
run 2 run image.hbi --stop 1
says err 'an image holds one experiment as it was compiled; --stop needs the model'
run 2 run image.hbi -p R1=3
says err '--param needs the model'
run 2 run image.hbi --events log.jsonl
run 2 compile "$example"
says err 'needs a file to write to'
run 2 compile "$example" -o -
says err 'needs a file to write to'
run 2 compile wrong.hbg -o wrong.hbi
[ ! -e wrong.hbi ] || fail 'an image of a wrong model'
printf 'model Two {\n    Se a(1 [V]);\n    Se b(2 [V]);\n    0 n;\n    a -> n;\n    b -> n;\n    experiment e { stop 1 [s]; }\n}\n' >two.hbg
run 2 compile two.hbg -o two.hbi

# what is no image
: >empty.hbi
run 2 run empty.hbi
says err 'too short to be an image'
cp "$example" text.hbi
run 2 run text.hbi
says err 'does not begin as an image does'
head -c 3000 image.hbi >cut.hbi
run 2 run cut.hbi
says err 'cut off'
cp image.hbi changed.hbi
printf 'x' | dd of=changed.hbi bs=1 seek=4000 conv=notrunc 2>dd.err
run 2 run changed.hbi
says err 'the sum of section'
cp image.hbi other.hbi
printf '\007' | dd of=other.hbi bs=1 seek=12 conv=notrunc 2>dd.err
run 2 run other.hbi
says err 'compile it again'
run 2 run missing.hbi
says err 'cannot be read'
finish
