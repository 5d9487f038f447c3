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

# every command has help, in both ways
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

# With a small address space, as limited by a queue of jobs, the command ends: threads of OpenBLAS without
# memory keep trying to allocate, and exit would wait for them. And inconsistent switching is never proved,
# whichever allocation fails. The command is the optimised one: the sanitizers need more address space
# themselves.
cat >relay.hbg <<'END'
model Relay {
    Se s(10); R r(1); C c(1); 1 j when a; s -> j -> r; j -> c;
    automaton a { off open -> closed when c.e < 2; on closed -> open when c.e > 1; }
}
END
"$HBG_RELEASE" verify relay.hbg >out 2>err && fail 'the relay is consistent'
within() {
    code=0
    # shellcheck disable=SC3045 # dash has it
    (ulimit -v "$1" && shift && exec timeout 60 "$HBG_RELEASE" "$@") >out 2>err </dev/null || code=$?
}
ended=0 answered=0
for room in 100000 120000 140000 160000 200000 250000 300000 400000; do
    within "$room" --version
    [ "$code" -ne 124 ] || fail "hbg --version does not end within $room kB"
    [ "$code" -ne 0 ] || ended=$((ended + 1))
    within "$room" verify relay.hbg
    [ "$code" -ne 124 ] || fail "hbg verify does not end within $room kB"
    [ "$code" -ne 0 ] || { fail "consistent within $room kB"; cat out >&2; }
    [ "$code" -ne 1 ] || answered=$((answered + 1))
done
[ "$ended" -ge 3 ] && [ "$answered" -ge 1 ] || fail "within these limits $ended of the commands ended, and $answered answered"
finish
