#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg hypa --check over the examples: each has the verdict that is recorded in tests/tool/hypa_verdicts, and
# every example is listed. Long ones run only if HBG_SOAK is set.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
# judge MODEL...: its exit code is the answer
judge() {
    timeout 120 "$hbg" "hypa" --check "$@" >out 2>err </dev/null
}

optimised # the sanitized one judges some of them in api/hypa_check

record=$HBG_SOURCE_DIR/tests/tool/hypa_verdicts
for model in "$HBG_SOURCE_DIR"/examples/*/*.hbg; do
    name=${model##*/} name=${name%.hbg}
    case $model in */"$name/$name.hbg") ;; *) continue ;; esac
    grep -q "^$name " "$record" || fail "$name is not in tests/tool/hypa_verdicts"
done
asked=0
while read -r name verdict when _; do
    case $name:$when in \#*) continue ;; *:test) ;; *:soak) [ -n "${HBG_SOAK:-}" ] || continue ;; *) continue ;; esac
    case $verdict in accepted) wanted=0 ;; refused) wanted=1 ;; not-decided) wanted=4 ;; no-process) wanted=2 ;; *) continue ;; esac
    code=0
    judge "$HBG_SOURCE_DIR/examples/$name/$name.hbg" -I "$HBG_SOURCE_DIR/lib" || code=$?
    [ "$code" -eq "$wanted" ] || { fail "$name: exit code $code, and $verdict is recorded"; head -3 out err >&2; }
    asked=$((asked + 1))
done <"$record"
[ "$asked" -gt 60 ] || fail "only $asked examples were judged"
finish
