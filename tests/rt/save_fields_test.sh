#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every field of a run is saved with it, or listed in tests/rt/save_fields with the reason why not: the effect
# of most fields is visible only in few models. A name is saved as many times as there are fields of that
# name. A copy without one of them is noticed.
# needs: test
set -eu

# the fields of the structs of a run: NAME of each; steppers have theirs in one struct
fields() {
    printf '%s\n' t0 t1 stiff t0 t1 t0 t1
    sed 's|//.*||; /^ *#/d' "$1"/src/rt/*_impl.h "$1/src/rt/engine.h" "$1/src/rt/field.h" "$1/src/rt/erk.c" "$1/src/rt/rodas.c" "$1/src/rt/fixed.c" |
        awk -v listed="$structs" '
        BEGIN { count = split(listed, names, " "); for (i = 1; i <= count; i++) wanted[names[i]] = 1 }
        { text = text " " $0 }
        END {
            gsub(/\/\*[^*]*(\*+[^\/*][^*]*)*\*+\//, " ", text)
            while (match(text, /struct +[a-z_0-9]* *\{/)) {
                head = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
                sub(/struct +/, "", head); sub(/ *\{/, "", head)
                for (depth = at = 1; depth > 0; at++) depth += (substr(text, at, 1) == "{") - (substr(text, at, 1) == "}")
                body = substr(text, 1, at - 2); text = substr(text, at)
                name = text; sub(/^ */, "", name); sub(/[^a-z_0-9].*/, "", name)
                if (!(name in wanted) && !(head in wanted)) continue
                gsub(/(struct|union) *[a-z_0-9]* *\{|\}/, " ; ", body)
                gsub(/\[[^]]*\]/, "", body)
                count = split(body, parts, /[;,]/)
                for (i = 1; i <= count; i++) {
                    sub(/ +$/, "", parts[i]); sub(/.*[^a-z_0-9A-Z]/, "", parts[i])
                    if (parts[i] != "") print parts[i]
                }
            }
        }'
}

# saved fields: NAME of each, without other names
saved() {
    {
        sed -n 's/.*HBG_RT_KEEP[A-Z_]*(archive, \([^,)]*\).*/\1/p' "$1"/src/rt/*.c
        sed -n 's/^    X(\([a-z_.]*\)[,)].*/\1/p' "$1/src/rt/instant_memory.c" "$1/src/rt/save_engine.c" | grep -vE '^(judged|watch\.plan\.value|words)'
    } | sed 's/\[.*//; s/.*->//; s/.*\.//' | grep -vxE 'name|awake|island|number|is_measured'
}

# check TREE: fields that are neither saved nor listed, or no longer exist
check() {
    { fields "$1" | sed 's/^/field /'; saved "$1" | sed 's/^/saved /'; sed 's/#.*//' "$list" | tr -s ' ' '\n' | sed '/^$/d; s/^/apart /'; } |
        awk '{ seen[$2] = 1; count[$1, $2]++ }
             END { for (name in seen) {
                 missing = count["field", name] - count["saved", name] - count["apart", name]
                 if (missing > 0) print name ": a field that is not saved, and not in tests/rt/save_fields"
                 if (missing < 0) print name ": saved, or in tests/rt/save_fields, and no field"
             } }'
}

list=$HBG_SOURCE_DIR/tests/rt/save_fields
structs="hbg_rt_instance instant_limits instant_watch instant_plan instant_change instant_bounce instant_look instant_judged instant_words instant_answers
    instant_data param_lines run_branches run_loops run_outside hbg_rt_engine hbg_rt_field hbg_rt_roots hbg_rt_ledger
    hbg_rt_schedule hbg_rt_result hbg_rt_rounding
    hbg_rt_strides erk rodas pair fixed"
[ "$(fields "$HBG_SOURCE_DIR" | wc -l)" -gt 250 ] && [ "$(saved "$HBG_SOURCE_DIR" | wc -l)" -gt 150 ] ||
    { echo 'fields were not found' >&2; exit 1; }
check "$HBG_SOURCE_DIR" >wrong
[ ! -s wrong ] || { cat wrong >&2; exit 1; }

# a missing one of each kind is noticed
mkdir -p copy/src/rt
for line in 'HBG_RT_KEEP(archive, field->rounding.step)' 'HBG_RT_KEEP_ARRAY(archive, of->tick_next' '    X(bounce.resting,' '    X(armed)'; do
    cp "$HBG_SOURCE_DIR"/src/rt/*.[ch] copy/src/rt
    grep -qF "$line" copy/src/rt/*.c || { echo "there is no $line" >&2; exit 1; }
    for file in copy/src/rt/save_engine.c copy/src/rt/instant_memory.c; do
        grep -vF "$line" "$file" >less || :
        mv less "$file"
    done
    check copy >wrong
    grep -q 'a field that is not saved' wrong || { echo "nothing is said without $line" >&2; exit 1; }
done
