#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg fmt: in place, to another file, to standard output, checking only; a file that does not parse is left
# alone.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

printf 'model M{R r(1);}\n' >loose.hbg
printf 'model M {\n    R r(1);\n}\n' >tidy.hbg
cp loose.hbg before

run 1 fmt --check loose.hbg
says out 'loose.hbg is not in canonical form'
cmp -s loose.hbg before || fail '--check changed the file'
run 0 fmt --check tidy.hbg
silent out

run 0 fmt loose.hbg -o -
cmp -s out tidy.hbg || fail 'standard output is not the canonical form'
cmp -s loose.hbg before || fail '-o - changed the file'
run 0 fmt loose.hbg -o new.hbg
cmp -s new.hbg tidy.hbg || fail 'the other file is not the canonical form'
cmp -s loose.hbg before || fail '-o changed the file'

run 0 fmt loose.hbg tidy.hbg
says out 'formatted loose.hbg'
grep -qF tidy.hbg out && fail 'a tidy file was formatted'
cmp -s loose.hbg tidy.hbg || fail 'the file is not in canonical form'
run 0 fmt loose.hbg
silent out
run 0 fmt --check loose.hbg

# many files: the good ones are done, the worst decides
cp before loose.hbg
cp broken.hbg kept
run 2 fmt loose.hbg broken.hbg nowhere.hbg
cmp -s loose.hbg tidy.hbg || fail 'a wrong neighbour kept a file from being formatted'
cmp -s broken.hbg kept || fail 'a file that does not parse was changed'
says err 'error[E0201]'
says err 'nowhere.hbg'
run 2 fmt --check broken.hbg
run 2 fmt broken.hbg -o never.hbg
absent never.hbg
run 2 fmt loose.hbg tidy.hbg -o both.hbg
says err 'one file at a time'
absent both.hbg

# a failed write leaves nothing behind, and the file unchanged
cp before loose.hbg
run 2 fmt loose.hbg -o no/such/folder/x.hbg
run 2 fmt loose.hbg -o .
cmp -s loose.hbg before || fail 'the file was changed though -o failed'
mkfifo pipe
run 2 fmt pipe
run 2 fmt /dev/zero
run 2 fmt .

# permissions and links are kept
cp before linked.hbg
chmod 640 linked.hbg
ln -s linked.hbg link.hbg
run 0 fmt link.hbg
cmp -s linked.hbg tidy.hbg || fail 'the file behind a link is not formatted'
[ -L link.hbg ] || fail 'a link became a file'
[ "$(stat -c %a linked.hbg)" = 640 ] || fail 'the rights of the file changed'
finish
