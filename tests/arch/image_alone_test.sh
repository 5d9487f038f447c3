#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# An image needs no compiler: a command that is linked without the folders that read and translate models, of which nothing is left but
# functions that end the program, runs images as the whole command does. What is asked for in the language needs its parser, and nothing
# behind it.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
top=$PWD
examples=$HBG_SOURCE_DIR/examples

# link NAME FOLDER...: the command without these folders, as NAME. Units are made with every session; nothing is read of them.
link() {
    name=$1
    shift
    : >"$name.objects"
    : >"$name.gone"
    find "$HBG_BUILD_DIR/CMakeFiles" -path '*/src/*' -name '*.c.o' ! -path '*/src/tool/*' ! -path '*/hbg_engine.dir/*' | sort | while read -r object; do
        source=src/${object##*/src/}
        [ -f "$HBG_SOURCE_DIR/${source%.o}" ] || continue
        folder=${source#src/}
        case " $* " in
        *" ${folder%%/*} "*) echo "$object" >>"$name.gone" ;;
        *) echo "$object" >>"$name.objects" ;;
        esac
    done
    find "$HBG_BUILD_DIR/CMakeFiles" -path '*/page/page.c.o' >>"$name.objects" # the page of the studio, made of web/
    xargs nm -g --defined-only <"$name.gone" | awk '
        BEGIN { print "#include <stdio.h>\n#include <stdlib.h>" }
        NF == 3 && $2 == "T" && $3 ~ /^hbg_/ && $3 !~ /^hbg_lang_units_(new|free)$/ {
            printf "void %s(void);\nvoid %s(void) { fputs(\"the compiler is asked for: %s\\n\", stderr); exit(70); }\n", $3, $3, $3
        }' >"$name.c"
    case " $* " in
    *' lang '*)
        printf '%s\n' 'void *hbg_lang_units_new(void);' 'void hbg_lang_units_free(void *of);' \
            'void *hbg_lang_units_new(void) { return malloc(1); }' 'void hbg_lang_units_free(void *of) { free(of); }' >>"$name.c"
        ;;
    esac
    "${CC:-cc}" -c "$name.c" -o "$name.o"
    tr '\n' ' ' <"$name.objects" >"$name.list"
    command=$(ninja -C "$HBG_BUILD_DIR" -t commands hbg_command | tail -n 1 |
        sed "s| -o hbg | -o $top/$name |; s| libhbg.a | $top/$name.o @$top/$name.list |")
    (cd "$HBG_BUILD_DIR" && eval "$command") >log 2>&1 || { fail "$name cannot be linked"; head -n 5 log >&2; }
}

link bare lang causal term eqn verify
link words causal term eqn verify

# same COMMAND IMAGE OPTION...: a command and the whole one leave the same
same() {
    with=$1 image=$2
    shift 2
    for who in "$top/$with" "$HBG"; do
        rm -rf left
        mkdir left
        code=0
        (cd left && timeout 60 "$who" "$@" "$image" >out 2>err </dev/null) || code=$?
        [ "$code" -eq 0 ] || { fail "exit code $code: $who $*"; head -n 5 left/err >&2; }
        rm -rf "left-${who##*/}"
        mv left "left-${who##*/}"
    done
    diff -r "left-$with" "left-${HBG##*/}" >differences || { fail "$with: $*"; head -n 5 differences >&2; }
}

for name in diode-inductor ball-restitution construct-faults construct-sensors table-input; do
    run 0 compile "$examples/$name/$name.hbg" -o "$name.hbi"
    same bare "$top/$name.hbi" run -o rows.csv --events log.jsonl --explain --ledger --plot picture.svg
done
same words "$top/diode-inductor.hbi" run -p 'L=20 [mH]' --fault 'at 50 [us]: R1 abrupt 10 [%]' --stop '300 [us]' -o rows.csv
same words "$top/diode-inductor.hbi" sweep -p 'L=1mH:3mH:1mH' -o table.csv

# the functions that are left do end the program
code=0
"$top/bare" run "$examples/diode-inductor/diode-inductor.hbg" >out 2>err || code=$?
[ "$code" -eq 70 ] || fail "a text is read without the folder that reads it: exit code $code"
says err 'the compiler is asked for: hbg_lang_'
code=0
"$top/words" run "$examples/diode-inductor/diode-inductor.hbg" >out 2>err || code=$?
[ "$code" -eq 70 ] || fail "a model is compiled without equations: exit code $code"
finish
