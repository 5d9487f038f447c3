# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The importer is strict: it takes a good small FMU, and notices each defect that is put into its code, its description or its archive, by
# the rule that is violated. VERSIONS are those of FMI; without ALL only every other defect of the code is tried with each of them.
. "$HBG_SOURCE_DIR/tests/fmu/fmu.sh"
tiny=$HBG_SOURCE_DIR/tests/fmu/tiny

# compile FMI DEFECT FLAG...: the FMU's binary, as tiny.so
compile() {
    version=$1 defect=$2
    shift 2
    gcc -std=gnu17 -O1 -shared -fPIC -fvisibility=hidden -I"$HBG_SOURCE_DIR/tests/fmu" -I"$tiny" -DDEFECT="$defect" \
        "$tiny/tiny.c" "$tiny/fmi$version.c" -o tiny.so "$@" -lm
}

# build FMI DESCRIPTION [NAME=FILE...]: tiny.fmu
build() {
    version=$1 description=$2
    shift 2
    rm -f tiny.fmu
    "$importer" pack tiny.fmu "modelDescription.xml=$description" "binaries/$(platform "$version")/tiny.so=tiny.so" "$@"
}

# good: the importer finds nothing
good() {
    "$importer" check tiny.fmu --glibc 99 >said 2>&1 || { fail "the good FMU of FMI $version is refused"; cat said >&2; }
}

# breaks RULE WHAT: it finds this, and does not crash
breaks() {
    code=0
    "$importer" check tiny.fmu --glibc 99 ${3:+"$3"} >said 2>&1 || code=$?
    [ "$code" = 1 ] || fail "FMI $version, $2: exit code $code, not 1"
    grep -q "^rule $1 " said || { fail "FMI $version, $2: rule $1 is not told"; cat said >&2; }
}

# ---- code -----------------------------------------------------------------------------------------------------------

# number, rule, versions, what is wrong: DEFECT of tiny.h
defects='
1 7 23 something else is visible
3 10 23 instances share a state
4 18 23 rates depend on the number of calls
5 12 23 an indicator jumps
6 12 23 an indicator is zero after events
7 13 23 states are always said to have changed
8 13 23 states are never said to have changed
9 13 23 the event iteration does not end
10 14 23 a restored state is incomplete
11 14 23 damaged bytes are taken for a state
12 11 23 resources of one form only
13 22 23 a reset that resets nothing
14 23 23 a parameter that is not heard during initialisation
15 17 23 a fixed parameter can always be set
16 17 23 any reference is taken
17 17 23 calls before initialisation
18 21 23 a wrong directional derivative
19 15 23 rounded communication points are refused
21 17 23 any token is taken
22 24 23 steps lose events
23 19 3 a step returns early uninvited
24 4 23 another start value than described
25 17 23 event mode that was not agreed on
26 17 2 a message without a category
28 7 23 a function is missing
29 3 23 a dependency that is no straight line
30 3 23 a dependency on time that is not said
'

try_code() {
    echo "$defects" | while read -r number rule versions what; do
        case $versions in '' | *"$1"*) ;; *) continue ;; esac
        [ -n "$number" ] || continue
        # every other one, the others with the other version
        [ -n "${ALL:-}" ] || [ "$versions" != 23 ] || [ "$((number % 2 + 2))" = "$1" ] || continue
        echo "$number $rule $what"
    done >tried
    while read -r number rule what; do
        compile "$1" "$number"
        build "$1" "$tiny/description$1.xml"
        breaks "$rule" "$what"
    done <tried
    compile "$1" 0 -Wl,--no-as-needed -lgcc_s
    build "$1" "$tiny/description$1.xml"
    breaks 9 'another library'
    compile "$1" 20 # a leak, which the sanitizer finds where the importer has it
    build "$1" "$tiny/description$1.xml"
    code=0
    "$importer" check tiny.fmu --glibc 99 >said 2>&1 || code=$?
    [ "$code" = 99 ] || fail "FMI $1: leaked memory is not noticed"
}

# ---- description ----------------------------------------------------------------------------------------------------

# wrong RULE WHAT SED: the description with one thing changed
wrong() {
    sed "$3" "$tiny/description$version.xml" >wrong.xml
    ! cmp -s wrong.xml "$tiny/description$version.xml" || fail "FMI $version, $2: nothing is changed"
    build "$version" wrong.xml
    breaks "$1" "$2" --description
}

try_description() {
    version=$1
    wrong 16 'another version' 's/fmiVersion="[0-9.]*"/fmiVersion="1.0"/'
    wrong 16 'not well-formed' 's/<ModelVariables>/<ModelVariables/'
    wrong 16 'another identifier' 's/modelIdentifier="tiny"/modelIdentifier="other"/'
    wrong 4 'a parameter without a start value' '/name="k"/s/ *start="1"//'
    wrong 4 'a computed output with a start value' '/name="y"/s/unit="m"/unit="m" start="1"/'
    wrong 4 'a fixed input' '/name="u"/s/continuous/fixed/'
    wrong 4 'a continuous integer' '/name="ticks"/s/discrete/continuous/'
    wrong 4 'a computed parameter' '/name="k"/s/exact/calculated/'
    wrong 4 'an unknown causality' '/name="y"/s/causality="output"/causality="result"/'
    wrong 4 'an enumeration without items' 's/declaredType="Heating"//'
    wrong 4 'a start value out of range' '/name="gain"/s/start="2"/start="9"/'
    wrong 4 'a reinitialised output' '/name="y"/s/unit="m"/unit="m" reinit="true"/'
    wrong 4 'no start value at an input' '/name="u"/s/start="0"//'
    wrong 3 'two independent variables' '/name="u"/s/causality="input"/causality="independent"/'
    wrong 5 'an unknown unit' '/name="y"/s/unit="m"/unit="furlong"/'
    wrong 5 'an unknown display unit' 's/displayUnit="mm"/displayUnit="km"/'
    wrong 5 'a unit without a base' 's/<BaseUnit m="1"\/>//'
    wrong 6 'a port with a dot' 's/name="y"/name="box.y"/'
    wrong 6 'a name that is not structured' 's/name="gain"/name="two words"/'
    wrong 6 'a name twice' 's/name="gain"/name="k"/'
    wrong 19 'states that cannot be got' 's/canGetAndSetFMU[sS]tate="true"//'
    wrong 19 'a tool is needed' 's/modelIdentifier/needsExecutionTool="true" &/'
    wrong 19 'no interface' '/<ModelExchange/d; /<CoSimulation/d'
    wrong 1 'a date in words' 's/2026-01-01T00:00:00Z/today/'
}

try_structure_2() {
    wrong 2 'an initial unknown too few' 's/<Unknown index="10"\/>//'
    wrong 2 'an initial unknown too many' 's/<Unknown index="10"\/>/<Unknown index="2"\/>&/'
    wrong 2 'unknowns out of order' 's/<Unknown index="3"\/><Unknown index="4"\/>/<Unknown index="4"\/><Unknown index="3"\/>/'
    wrong 3 'an output that is not listed' 's/<Unknown index="4" dependencies="2"\/>//'
    wrong 3 'a derivative that is not listed' 's/<Unknown index="3" dependencies="2 7"[^>]*>//'
    wrong 3 'a derivative that is not marked' 's/derivative="2"//'
    wrong 3 'dependencies of too few kinds' 's/dependenciesKind="tunable dependent"/dependenciesKind="dependent"/'
    sed 's/dependencies="2 7"/dependencies="7"/; s/dependenciesKind="tunable dependent"/dependenciesKind="dependent"/' "$tiny/description2.xml" >wrong.xml
}

try_structure_3() {
    wrong 2 'an initial unknown too few' '/<InitialUnknown valueReference="10"/d'
    wrong 2 'an initial unknown too many' 's/<InitialUnknown valueReference="10"\/>/<InitialUnknown valueReference="1"\/>&/'
    wrong 3 'an output that is not listed' '/<Output/d'
    wrong 3 'a derivative that is not listed' '/<ContinuousStateDerivative/d'
    wrong 3 'a derivative that is not marked' 's/derivative="1"//'
    wrong 3 'dependencies of too few kinds' 's/dependenciesKind="tunable dependent"/dependenciesKind="dependent"/'
    wrong 4 'a reference twice' 's/valueReference="5" caus/valueReference="4" caus/'
    sed 's/dependencies="1 6"/dependencies="6"/; s/dependenciesKind="tunable dependent"/dependenciesKind="dependent"/' "$tiny/description3.xml" >wrong.xml
}

# ---- all of it ------------------------------------------------------------------------------------------------------

# across processes: a state that one process saves is continued by another, in the same bits
try_processes() {
    for interface in me cs; do
        "$importer" save tiny.fmu state --interface "$interface" >saved || fail "FMI $1: no state can be saved"
        "$importer" resume tiny.fmu state >resumed || fail "FMI $1: no state can be continued"
        [ -s saved ] && cmp saved resumed || fail "FMI $1, $interface: another process goes another way"
    done
}

for version in ${VERSIONS:-2 3}; do
    validate "$version" "$tiny/description$version.xml" || fail "the description of FMI $version is not valid"
    compile "$version" 0
    build "$version" "$tiny/description$version.xml"
    good
    try_processes "$version"
    try_description "$version"
    "try_structure_$version"
    build "$version" wrong.xml
    breaks 3 'a dependency that is not said'
    build "$version" "$tiny/description$version.xml" "../outside=$tiny/tiny.h"
    breaks 16 'a path out of the archive' --description
    build "$version" "$tiny/description$version.xml" "notes.txt=$tiny/tiny.h"
    breaks 16 'a file that has no place' --description
    head -c 2000 tiny.fmu >cut.fmu && mv cut.fmu tiny.fmu
    breaks 16 'a truncated archive'
    try_code "$version"
done
exit "$failed"
