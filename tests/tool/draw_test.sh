#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg draw: formats by name, the place of the picture, and that nothing is written when it fails.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

run 0 draw good.hbg
says out 'wrote good.svg'
says good.svg '<svg'
run 0 draw good.hbg -o x.png
[ "$(od -An -tx1 -N4 x.png | tr -d ' ')" = 89504e47 ] || fail 'x.png is no PNG'
run 0 draw good.hbg -o x.dot
says x.dot 'graph'
run 0 draw good.hbg -o x.gv
run 0 draw good.hbg -o -
says out '<svg'
grep -qF wrote out && fail 'words among the picture'
mkdir folder
cp good.hbg folder/deep.hbg
run 0 draw folder/deep.hbg
says deep.svg '<svg'
absent folder/deep.svg
rm -f ./*.svg x.*

run 2 draw good.hbg -o x.jpeg
says err 'has to end in .svg, .png or .dot'
absent x.jpeg
run 2 draw good.hbg -o svg
run 2 draw wrong.hbg -o x.svg
says err 'E0301'
absent x.svg
run 2 draw broken.hbg
absent broken.svg
run 2 draw nowhere.hbg -o x.svg
absent x.svg
run 2 draw good.hbg -o no/such/folder/x.svg
run 2 draw good.hbg -p R1=5V -o x.svg
absent x.svg

# an old picture stays when the new one cannot be made
echo old >x.svg
run 2 draw wrong.hbg -o x.svg
[ "$(cat x.svg)" = old ] || fail 'the old picture is gone'
rm x.svg

# a folder in place of the file, and one that cannot be written to
mkdir taken.svg
run 2 draw good.hbg -o taken.svg
[ -d taken.svg ] || fail 'a folder was replaced'
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod 555 locked
    run 2 draw good.hbg -o locked/x.svg
    absent locked/x.svg
fi

# a mode, the differences in another one, one in which sources are in conflict, and one without a valid
# assignment: each gives a picture
cat >relays.hbg <<'END'
model Relays {
    Se a(1 [V]);
    Se b(2 [V]);
    C c(1 [F]);
    R r(1 [Ohm]);
    0 n;
    1 ja when x;
    1 jb when y;
    a -> ja -> n;
    b -> jb -> n;
    n -> c;
    n -> r;
    automaton x { off open -> closed when time > 1 [s]; on closed -> open when time > 5 [s]; }
    automaton y { off open -> closed when time > 2 [s]; on closed -> open when time > 5 [s]; }
}
END
run 0 draw relays.hbg -o - --mode x=closed
says out 'Mode x=closed,y=open'
says out 'dependent storage (derivative causality)'
run 0 draw relays.hbg -o - --mode x=closed --compare x=open
says out 'differs in mode x=open,y=open'
run 0 draw relays.hbg -o - --mode x=closed,y=closed
says out 'unbounded: sources in conflict'
sed 's/1 ja when x;/1 ja;/; s/1 jb when y;/1 jb;/; s/0 n;/0 n when x;/' relays.hbg >node.hbg
run 0 draw node.hbg -o - --mode x=closed
says out 'contradict each other: no valid causal assignment'
run 0 draw relays.hbg -o - --no-strokes --mode x=closed
grep -qF 'dependent storage' out && fail 'marks of a mode without its strokes'
run 2 draw relays.hbg -o x.svg --mode z=closed
says err 'there is no automaton `z`'
run 2 draw relays.hbg -o x.svg --compare x=shut
says err 'has no state `shut`'
absent x.svg

# more than 2000 nodes need --force
{
    echo 'model Large { 0 n0;'
    for i in $(seq 2100); do echo "$((i % 2)) n$i; n$((i - 1)) -> n$i;"; done
    echo '}'
} >large.hbg
run 2 draw large.hbg -o large.dot
says err '--force'
absent large.dot
run 0 draw large.hbg -o large.dot --force

# a missing program is named
code=0
PATH=/nonexistent "$HBG" draw good.hbg -o x.svg >out 2>err || code=$?
[ "$code" -eq 2 ] || fail "exit code $code without dot"
says err 'dot'
absent x.svg
finish
