#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every folder of examples/ is a whole bundle: model, readme and facts. The model is without errors and in canonical
# form, its counts and warnings are the facts' own, every experiment the facts name exists, and every component of
# lib/ is used by some example.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# the sanitized command looks at all of them at once, the optimised one at each
(cd "$HBG_SOURCE_DIR" && "$HBG" check -I lib examples/*/*.hbg && "$HBG" fmt --check examples/*/*.hbg lib/*.hbg) >all 2>&1 || {
    cat all >&2
    exit 1
}
HBG=$HBG_RELEASE

# counts: the summary line of `hbg check` as facts
counts() {
    sed -n 's/^ *[A-Za-z0-9_]*: \([0-9]*\) elements* (\([0-9]*\) junctions*, \([0-9]*\) controlled), \([0-9]*\) bonds*, \([0-9]*\) automat[a-z]*, \([0-9]*\) parameters*, .*/elements \1\
junctions \2\
controlled \3\
bonds \4\
automata \5\
parameters \6/p'
}

# same_counts BUNDLE: the facts say what the summary says, each exactly once
same_counts() {
    counts <checked | awk -v bundle="$1" '
        FNR == NR { key = $1; sub(/^[^ ]* /, ""); said[key] = times[key]++ ? said[key] "\n" $0 : $0; next }
        said[$1] "" != $2 "" { printf "%s/facts: %s is %s, not '\''%s'\''\n", bundle, $1, $2, said[$1] }
        { counts++ }
        END { if (!counts) print bundle ": no counts in what check says" }' "$1/facts" -
}

# same_warnings BUNDLE
same_warnings() {
    found=$(grep -c '^warning\[' messages || true)
    said=$(sed -n 's/^warnings //p' "$1/facts")
    [ "$said" = "$found" ] || echo "$1/facts: warnings is $found, not '$said'"
    sed -n 's/^warning //p' "$1/facts" | while read -r name; do
        grep -q "$name" messages || echo "$1/facts: check does not warn of $name"
    done
}

# known_lines BUNDLE: a fact nobody checks is a mistake
known_lines() {
    number='-\{0,1\}[0-9][0-9.]*\(e-\{0,1\}[0-9]*\)\{0,1\}'
    sed "/^#/d; /^$/d
         /^\(elements\|junctions\|controlled\|bonds\|automata\|parameters\|warnings\) [0-9]*\$/d
         /^warning [a-z-]*\$/d
         s/ limit\$//
         /^run [a-z0-9_]* final [A-Za-z0-9_.]* $number $number\$/d
         /^run [a-z0-9_]* at $number [A-Za-z0-9_.]* $number $number\$/d
         /^run [a-z0-9_]* event [1-9][0-9]* $number $number\$/d
         /^run [a-z0-9_]* jump [0-9]* []A-Za-z0-9_.[]* $number $number $number\$/d
         /^run [a-z0-9_]* verdict [a-z-]*\$/d
         /^run [a-z0-9_]* modes [0-9][0-9]*: [a-z0-9_=,.; ]*\$/d
         /^verify \(slowly \)\{0,1\}[a-z0-9_.,+]* \(proved\|violated: [a-z, ]*\|not decided: .*\)\$/d
         s|^|$1/facts: not a fact: |" "$1/facts"
}

# experiments_exist BUNDLE MODEL
experiments_exist() {
    awk -v bundle="$1" '
        FNR == NR { if ($1 == "experiment") { sub(/[^A-Za-z0-9_].*/, "", $2); has[$2] = 1 } next }
        $1 == "run" && !($2 in has) && !told[$2]++ { print bundle "/facts: the model has no experiment " $2 }' "$2" "$1/facts"
}

# other_models BUNDLE MODEL: those behind the first pass check as well, without warnings
other_models() {
    sed -n 's/^model \([A-Za-z0-9_]*\).*/\1/p' "$2" | sed 1d | while read -r name; do
        "$HBG" check -I lib -W error -m "$name" "$2" >/dev/null 2>&1 || [ "$(sed -n 's/^warnings //p' "$1/facts")" != 0 ] ||
            echo "$2: model $name does not pass check"
    done
}

# check_bundle BUNDLE, called in the tree
check_bundle() {
    model=$1/${1##*/}.hbg
    for file in "$model" "$1/readme.md" "$1/facts"; do
        [ -s "$file" ] || { echo "$file: missing or empty"; return; }
    done
    if ! "$HBG" check -I lib "$model" >checked 2>messages; then
        cat messages
        echo "$model: does not pass check"
        return
    fi
    "$HBG" fmt --check "$model" >/dev/null 2>&1 || echo "$model: not in canonical form"
    same_counts "$1"
    same_warnings "$1"
    known_lines "$1"
    experiments_exist "$1" "$model"
    other_models "$1" "$model"
}

# unused_components: what lib/ offers and no example takes
unused_components() {
    for library in lib/*.hbg; do
        [ -f "$library" ] || continue
        "$HBG" fmt --check "$library" >/dev/null 2>&1 || echo "$library: not in canonical form"
        sed -n 's/^component \([A-Za-z0-9_]*\).*/\1/p' "$library" | while read -r name; do
            cat examples/*/*.hbg | grep -qE "^ *$name +[a-z]" || echo "$library: no example uses $name"
        done
    done
}

check_tree() (
    rm -rf tree
    mkdir tree
    cp -r "$1/examples" tree
    [ ! -d "$1/lib" ] || cp -r "$1/lib" tree
    cd tree
    for bundle in examples/*/; do check_bundle "${bundle%/}"; done
    unused_components
)

accept "$HBG_SOURCE_DIR"
[ "$(find "$HBG_SOURCE_DIR/examples" -name facts | wc -l)" -ge 30 ] || { echo "examples are missing" >&2; exit 1; }

# bundle TOP [FIRST LINE OF THE MODEL [FIRST FACT]]: a tree with one example
bundle() {
    put "$1/examples/a/a.hbg" "${2-model M {}" '    Se supply(1 [V]);' '    R load(2 [Ohm]);' '    1 loop;' \
        '    supply -> loop -> load;' '    experiment e {' '        stop 1 [s];' '        record load.f;' '    }' '}'
    put "$1/examples/a/readme.md" '# A'
    put "$1/examples/a/facts" "${3-elements 3}" 'junctions 1' 'controlled 0' 'bonds 2' 'automata 0' 'parameters 0' \
        'warnings 0' 'run e final load.f 0.5 1e-9'
}

bundle good
accept good
bundle no_readme
rm no_readme/examples/a/readme.md
reject no_readme 'examples/a/readme.md: missing or empty'
bundle counted 'model M {' 'elements 4'
reject counted "examples/a/facts: elements is 3, not '4'"
bundle silent 'model M {' ''
reject silent "examples/a/facts: elements is 3, not ''"
bundle worded 'model M {' 'elements three'
reject worded 'not a fact: elements three'
bundle untidy 'model M{'
reject untidy 'examples/a/a.hbg: not in canonical form'
bundle wrong 'model M { oops'
reject wrong 'examples/a/a.hbg: does not pass check'
bundle warned 'model M {
    param unused = 1 [V];'
reject warned "examples/a/facts: warnings is 1, not '0'"
bundle second
printf 'model N {\n    param unused = 1 [V];\n}\n' >>second/examples/a/a.hbg
reject second 'examples/a/a.hbg: model N does not pass check'
bundle strange
put strange/examples/a/facts 'elements 3' 'run f final load.f 0.5 1e-9'
reject strange 'the model has no experiment f'
bundle idle
put idle/lib/a.hbg 'component Lamp {' '    port p : electrical;' '    R filament(1 [Ohm]);' '    p -> filament;' '}'
reject idle 'lib/a.hbg: no example uses Lamp'
