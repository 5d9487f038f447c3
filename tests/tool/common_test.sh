#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the commands: the search path of imports, colour, and standard output that cannot be written.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

# part FOLDER VALUE: a component whose parameter shows where it was found
part() {
    mkdir -p "$1"
    printf 'component Part { param p = %d; signal s = p; }\n' "$2" >"$1/part.hbg"
}

# found VALUE ARGUMENT...: the part with this value is taken
found() {
    value=$1
    shift
    run 0 list models/use.hbg "$@"
    says out "part.p  $value"
}

mkdir models
printf 'import "part.hbg";\nmodel Use { Part part; }\n' >models/use.hbg
run 2 check models/use.hbg
says err 'looked beside `models/use.hbg`'
part path 3
part other 4
HBG_PATH=path:other
export HBG_PATH
found 3
HBG_PATH=:nowhere::other:
found 4
HBG_PATH=path
part include 2
found 2 -I include
found 2 --include nowhere -I include -I other
part models 1
found 1 -I include
HBG_PATH=

# without a model, a program that requested JSON gets the reason
for command in run list steady linearize verify; do
    run 2 $command broken.hbg --json
    says out '"code": "E0201"'
done

# a folder for the model in it, and a name without its ending
run 2 check models
says err 'it is a directory'
mkdir good && cp good.hbg good/
run 2 check good/
says err 'did you mean `good.hbg`?'
printf 'model Use { R r(1 [Ohm]); Se s(1 [V]); s -> r; }\n' >good/use.hbg
run 2 check good/use
says err 'did you mean `good/use.hbg`?'
mv good.hbg kept.hbg
run 2 check good
says err 'did you mean `good/good.hbg`?'
mv kept.hbg good.hbg

# the program finds its library without options
printf 'import "electrical.hbg";\nmodel Use { Se s(1 [V]); R r(1 [Ohm]); s -> r; }\n' >library.hbg
run 0 check library.hbg

# if its import is missing, the message names the file with the component
printf 'model Use { DCMotor m; resistor r; Nonsense n; }\n' >unimported.hbg
run 2 check unimported.hbg
says err 'it is in a file of the library: `import "electromechanical.hbg";`'
says err 'did you mean `Resistor`, from `import "electrical.hbg";`?'
says err 'components come from files named in'

# colour on a terminal only, unless asked for
escape=$(printf '\033')
run 2 check wrong.hbg
grep -qF "$escape" err && fail 'colour without a terminal'
run 2 check wrong.hbg --color always
says err "${escape}[1;31merror"
run 2 check wrong.hbg --color never
grep -qF "$escape" err && fail 'colour with --color never'

# on_terminal ASSIGNMENT...: output of check for wrong.hbg on a terminal
on_terminal() {
    env TERM=xterm "$@" script -qec "'$HBG' check wrong.hbg" /dev/null >out </dev/null || true
}
on_terminal
says out "${escape}[1;31merror"
on_terminal NO_COLOR=1
grep -qF "$escape" out && fail 'colour in spite of NO_COLOR'
on_terminal TERM=dumb
grep -qF "$escape" out && fail 'colour on a dumb terminal'

# a full disk is an error
if [ -c /dev/full ]; then
    code=0
    "$HBG" list good.hbg >/dev/full 2>err || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code when standard output cannot be written"
    says err 'cannot write'
fi
# no output overwrites its input, under any name
cat >loaded.hbg <<'END'
import "part.hbg";
model Loaded {
    param R1 = 1 [Ohm];
    Se s(table("load.csv", "u", time));
    R r(R1);
    s -> r;
    output i = r.f;
    experiment e { stop 1 [s]; }
}
END
echo 'function f(x) = 2*x;' >part.hbg
printf 'time [s],u [V]\n0,1\n1,2\n' >load.csv
printf 'at,target,kind,value\n0.5,R1,abrupt,1\n' >faults.csv
mkdir kept
cp loaded.hbg part.hbg load.csv faults.csv kept
ln -s load.csv other.csv
ln loaded.hbg linked.svg
for output in loaded.hbg ./part.hbg load.csv other.csv; do
    run 2 sweep loaded.hbg -p R1=1,2 -o "$output"
    says err 'would be lost'
done
run 2 sweep loaded.hbg --faults faults.csv -o faults.csv
says err '`faults.csv` is read for this model, and would be lost'
run 2 run loaded.hbg -o other.csv
run 2 run loaded.hbg --events load.csv
run 2 run loaded.hbg --plot linked.svg
run 2 draw loaded.hbg -o linked.svg
for file in loaded.hbg part.hbg load.csv faults.csv; do cmp "$file" "kept/$file" || fail "$file was written over"; done
run 0 sweep loaded.hbg -p R1=1,2 -o new.csv
run 0 sweep loaded.hbg -p R1=1,2 -o new.csv

# arguments and names of files cannot steer the terminal: escapes, marks of direction, ends of lines
escape=$(printf '\033')
evil=$(printf 'e\033]0;x\007\342\200\256v\nil')
cp good.hbg "$evil.hbg"
printf 'model Wrong {\n    Se s(unknown);\n}\n' >"wrong$evil.hbg"
printf 'time,x\n0,1\n1,2\n' >"$evil.csv"
spoken() {
    run "$@"
    for file in out err; do
        ! grep -q "$escape" "$file" || { fail "an escape in $file: hbg $*"; cat -v "$file" >&2; }
        ! grep -q "$(printf '\342\200\256')" "$file" || { fail "a mark of direction in $file: hbg $*"; cat -v "$file" >&2; }
        ! grep -qx 'il.*' "$file" || { fail "a line of its own in $file: hbg $*"; cat -v "$file" >&2; }
    done
}
spoken 2 "$evil"
spoken 2 help "$evil"
spoken 2 run good.hbg "--$evil"
spoken 2 check good.hbg -W "$evil"
spoken 2 run good.hbg --engine "$evil"
spoken 0 check "$evil.hbg"
spoken 2 check "wrong$evil.hbg"
spoken 2 check "none$evil.hbg"
spoken 2 run "none$evil.hbi"
spoken 2 run good.hbg -o "$evil/none.csv"
spoken 2 run good.hbg -o "$evil"
spoken 2 run good.hbg -o "$evil.svg"
spoken 0 run "$evil.hbg" --stop 1us -o "$evil.csv"
spoken 0 sweep "$evil.hbg" --stop 1us -p R1=1,2 -o "$evil.csv" --resume
spoken 0 draw "$evil.hbg" -o "$evil.dot"
spoken 2 draw "$evil.hbg" -o "$evil"
spoken 0 verify "$evil.hbg" -o "$evil.txt"
spoken 2 plot "$evil" -o x.svg
spoken 0 fmt "$evil.hbg"
spoken 2 plot "$evil.csv" --columns "$evil" -o x.svg

finish
