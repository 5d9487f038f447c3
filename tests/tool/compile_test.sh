#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg compile: a run of an image gives, byte by byte, what a run of its model gives: rows in all formats,
# events, story, ledger, picture, report and warnings; so do sweeps, faults and other values. The files of the
# model are not needed. Requests for things that are not in an image are refused with the reason, and so is a
# file that is not an image.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models
examples=$HBG_SOURCE_DIR/examples

# answer FOLDER CODE COMMAND SOURCE OPTION...: all outputs of hbg, in the folder, without the name of the
# source
answer() {
    rm -rf "$1"
    mkdir "$1"
    folder=$1 wanted=$2 command=$3 source=$4
    shift 4
    code=0
    (cd "$folder" && timeout 120 "$hbg" "$command" "$source" "$@" >out 2>err </dev/null) || code=$?
    [ "$code" -eq "$wanted" ] || { fail "exit code $code, not $wanted: $command $source $*"; cat "$folder/err" >&2; }
    sed -i "s|$source|SOURCE|g" "$folder/err"
}

# compare CODE COMMAND MODEL OPTION...: the image in image.hbi and the model give the same, except warnings
# about the text of the model, which were reported when it was compiled
compare() {
    code_of_both=$1 command_of_both=$2 model=$3
    shift 3
    optimised # runs of models are for other tests
    answer of-model "$code_of_both" "$command_of_both" "$model" "$@"
    hbg=$HBG
    sed -i '/^warning\[/,/^$/d' of-model/err
    answer of-image "$code_of_both" "$command_of_both" "$PWD/image.hbi" "$@"
    sed -i "s|$model|SOURCE|g" of-image/err
    diff -r of-model of-image >differences || { fail "$command_of_both of $model $*"; head -20 differences >&2; }
}

compile() {
    run 0 compile "$@" -o image.hbi
    says out 'wrote image.hbi'
}

# all files of a run; of more models in a soak
names='bridge-rectifier dog-clutch table-input construct-every construct-sensors'
[ -z "${HBG_SOAK-}" ] || names="$names diode-inductor ball-restitution construct-pre-impulse-in construct-field construct-off-effort \
    sliding-bodies bulb-and-breaker stiff-network diode-relay"
for name in $names; do
    model=$examples/$name/$name.hbg
    compile "$model"
    compare 0 run "$model" -o rows.csv -o rows.h5 -o rows.mat --events log.jsonl --explain --ledger --plot picture.svg
    compare 0 run "$model" --json
done
# a run that ends before its time
model=$examples/ball-elastic/ball-elastic.hbg
compile "$model"
compare 3 run "$model" -o rows.csv --events log.jsonl --explain --stop '10 [s]'

# an impossible mode, with the bonds in conflict
cat >conflict.hbg <<'END'
model Conflict {
    Sf s(5 [A]);
    Sf t(4 [A]);
    R r(1 [Ohm]);
    1 n when k off effort;
    0 o;
    s -> o -> n;
    t -> n -> r;
    state x = 1 : der = -x/(2 [s]);
    automaton k {
        off cut -> shut when x < 0.9;
        on shut -> cut when x > 2;
    }
    experiment e { stop 1 [s]; }
}
END
compile conflict.hbg
compare 3 run "$PWD/conflict.hbg" -o rows.csv
says of-image/err 'in conflict: `o>n`, `s>o`, `t>n`'

# the file has the tables of the model, and none of its text
compile "$examples/bulb-and-breaker/bulb-and-breaker.hbg"
grep -v '^ *\(//.*\)\?$' "$examples/bulb-and-breaker/bulb-and-breaker.hbg" | awk 'length > 12' >lines
[ -s lines ] || fail 'the model has no lines'
LC_ALL=C grep -a -F -f lines image.hbi >found && fail 'text of the model in its image'
LC_ALL=C grep -a -q 'breaker' image.hbi || fail 'no names in an image'

# options when it is compiled, and when it is run
printf 'at,until,target,kind,value\n50 [us],,series,abrupt,-30 [%%]\n60 [us],90 [us],R1,abrupt,10 [%%]\n' >table.csv
diode=$examples/diode-inductor/diode-inductor.hbg
compile "$diode" --solver bdf --rtol 1e-8 -p 'L=4 [mH]'
answer of-image 0 run "$PWD/image.hbi" -o rows.csv
answer of-model 0 run "$diode" -o rows.csv --solver bdf --rtol 1e-8 -p 'L=4 [mH]'
diff -r of-model of-image >/dev/null || fail 'options when it is compiled'
compile "$diode" --stop '300 [us]' --record v_node --fault 'at 50 [us]: R1 abrupt 10 [%]' --faults "$PWD/table.csv"
answer of-model 0 run "$diode" --stop '200 [us]' --record v_node --fault 'at 50 [us]: R1 abrupt 10 [%]' --faults "$PWD/table.csv" \
    --fault 'at 90 [us]: series abrupt 5 [%]' -o rows.csv
answer of-image 0 run "$PWD/image.hbi" --stop '200 [us]' --fault 'at 90 [us]: series abrupt 5 [%]' -o rows.csv
cmp of-model/rows.csv of-image/rows.csv || fail 'options when it is run, on top of others'
answer of-model 0 sweep "$diode" --stop '300 [us]' --record v_node --fault 'at 50 [us]: R1 abrupt 10 [%]' --faults "$PWD/table.csv" -o of.csv
answer of-image 0 sweep "$PWD/image.hbi" -o of.csv
cmp of-model/of.csv of-image/of.csv || fail 'a table of faults that was compiled'
compile "$examples/two-capacitors/two-capacitors.hbg" -x reopening
compare 0 run "$examples/two-capacitors/two-capacitors.hbg" -x reopening -o rows.csv
compile "$diode"
compare 0 run "$diode" -p 'L=20 [mH]' -p Vin=12 --rtol 1e-9 -o rows.csv
compare 0 run "$diode" --record 'v_node, i_coil' --every '2 [us]' --stop '300 [us]' -o rows.csv
compare 0 run "$diode" --solver rk4 --step '1 [us]' --every '10 [us]' -o rows.csv --engine native
compare 0 run "$diode" -o rows.csv --engine native

# faults: of elements, parameters and automata; for a while, creeping, from a table
compare 0 run "$diode" --fault 'at 200 [us]: series abrupt -30 [%]' -o rows.csv --events log.jsonl
compare 0 run "$diode" --fault 'at 50 [us]: R1 incipient 10 [%/s]' -o rows.csv --explain
compare 0 run "$diode" --fault 'at 50 [us] until 70 [us]: manual stuck open' -o rows.csv --plot picture.svg
compare 0 run "$diode" --faults "$PWD/table.csv" -o rows.csv --json
compile "$examples/construct-faults/construct-faults.hbg" -x sensor_faults
compare 0 run "$examples/construct-faults/construct-faults.hbg" -x sensor_faults --seed 3 -o rows.csv --explain
compare 0 run "$examples/construct-faults/construct-faults.hbg" -x sensor_faults --fault 'at 1 [s]: V abrupt 10 [%]' -o rows.csv

# sweeps: grids, lists, distributions, faults, resuming
compile "$diode"
compare 0 sweep "$diode" -p 'L=1mH:3mH:1mH' -p 'R1~normal(330, 10)' --runs 2 --seed 7 -o table.csv
compare 0 sweep "$diode" -p 'Vin=8,12' --faults "$PWD/table.csv" --nominal -o table.csv --trace all
compare 0 sweep "$diode" -p 'L=1mH,5mH' --solver rk4 --step '1 [us]' --engine native -o table.csv
# an image resumes what a sweep of the model left
many='-p L=1mH:5mH:1uH --stop 2ms'
optimised # sweeps of images are above
# shellcheck disable=SC2086
run 0 sweep image.hbi $many -o whole.csv
sanitized
# shellcheck disable=SC2086
"$HBG" sweep "$diode" $many -o cut.csv >out 2>err &
sweeping=$!
while kill -0 "$sweeping" 2>/dev/null && [ ! -e cut.csv.resume ]; do sleep 0.01; done
kill -KILL "$sweeping" 2>/dev/null || :
wait "$sweeping" 2>/dev/null || :
if [ -e cut.csv.resume ]; then
    optimised
    # shellcheck disable=SC2086
    run 0 sweep image.hbi $many --resume -o cut.csv
    sanitized # in sweep_test.sh it resumes
fi
cmp whole.csv cut.csv || fail 'a resumed table'

# independent parts, and more modes than can be compiled
for name in stiff-network adapt-plain-relay adapt-testbed; do
    [ -n "${HBG_SOAK-}" ] || [ "$name" != adapt-plain-relay ] || continue
    compile "$examples/$name/$name.hbg"
    compare 0 run "$examples/$name/$name.hbg" -o rows.csv
done

# the files of the model may be missing, and its table
mkdir elsewhere
cp "$examples/table-input/"* elsewhere/
compile elsewhere/table-input.hbg
answer of-model 0 run "$PWD/elsewhere/table-input.hbg" -o rows.csv
rm -r elsewhere
answer of-image 0 run "$PWD/image.hbi" -o rows.csv
diff -r of-model of-image || fail 'an image without the files of its model'

# things that are not in an image
compile "$diode"
run 2 run image.hbi -x holding
says err 'an image holds one experiment, `opening`: compile the model with `-x holding`'
run 2 run image.hbi --record coil.f
says err '`coil.f` was not compiled and cannot be recorded'
run 2 run image.hbi -m Other
says err 'an image holds one model, `DiodeInductor`'
run 0 run image.hbi -m DiodeInductor
run 2 run image.hbi -o image.hbi
says err 'would be lost'
run 2 run image.hbi -p nothing=1
says err 'nothing'
cat >clock.hbg <<'END'
model Clock {
    param period = 10 [ms], gain = 2;
    sensor s = gain*time every period;
    output y = s;
    experiment e { stop 50 [ms]; }
}
END
run 0 compile clock.hbg -o clock.hbi
run 2 run clock.hbi -p 'period=5 [ms]'
says err 'no code for another value of `period`, which decides the structure, a period or a wait'
run 0 run clock.hbi -p gain=3
run 2 sweep clock.hbi -p 'period=5ms,6ms' -o -
run 2 compile image.hbi -o other.hbi
run 2 compile "$diode"
says err 'needs a file to write to'
run 2 compile "$diode" -o -
says err 'needs a file to write to'
run 2 compile wrong.hbg -o wrong.hbi
[ ! -e wrong.hbi ] || fail 'an image of a wrong model'
printf 'model Two {\n    Se a(1 [V]);\n    Se b(2 [V]);\n    0 n;\n    a -> n;\n    b -> n;\n    experiment e { stop 1 [s]; }\n}\n' >two.hbg
run 2 compile two.hbg -o two.hbi

# files that are not images
: >empty.hbi
run 2 run empty.hbi
says err 'too short to be an image'
cp "$diode" text.hbi
run 2 run text.hbi
says err 'does not begin as an image does'
head -c 3000 image.hbi >cut.hbi
run 2 run cut.hbi
says err 'cut off'
cp image.hbi changed.hbi
printf 'x' | dd of=changed.hbi bs=1 seek=4000 conv=notrunc 2>dd.err
run 2 run changed.hbi
says err 'the sum of item 0 is wrong'

# one byte changed anywhere in the file, in items that the command uses and in others: 60 places of a seed,
# and the last byte. One more than 255 is 0, so that every change has an effect
compile "$diode"
size=$(wc -c <image.hbi)
awk -v seed=18 -v size="$size" 'BEGIN {
    srand(seed)
    for (i = 0; i < 60; i++) print int((i + rand())*size/60)
    print size - 1
}' >places
[ "$(sort -u places | wc -l)" -eq 61 ] || fail 'places that are the same'
number=0
optimised # tests/rt/bundle_test.c changes every bit of a file with the sanitizers
while read -r place; do
    old=$(od -An -tu1 -j "$place" -N 1 image.hbi)
    cp image.hbi changed.hbi
    # shellcheck disable=SC2059
    printf "\\$(printf %03o $(((old + 1) % 256)))" | dd of=changed.hbi bs=1 seek="$place" conv=notrunc 2>dd.err
    cmp -s image.hbi changed.hbi && fail "byte $place is as it was"
    number=$((number + 1))
    case $((number % 4)) in
    0) set -- run changed.hbi ;;
    1) set -- sweep changed.hbi -o - ;;
    2) set -- export c changed.hbi -o changed.c ;;
    3) set -- run changed.hbi --fault 'at 200 [us]: series abrupt -30 [%]' ;;
    esac
    run 2 "$@"
    says err 'this is no image that hbg can run: '
done <places
sanitized
cp image.hbi other.hbi
printf '\010' | dd of=other.hbi bs=1 seek=12 conv=notrunc 2>dd.err
run 2 run other.hbi
says err 'compile it again'
run 2 run missing.hbi
says err 'cannot be read'

# commands that do not take images say that it is one
for command in check list equations verify; do
    run 2 $command image.hbi
    says err '`image.hbi` is an image that `hbg compile` made, and no model'
    says err 'name the model it was compiled from'
done
finish
