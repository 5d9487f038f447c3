# shellcheck shell=bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced by tests that show other tests to catch a broken build. A line of a source file is changed, the file
# compiled and linked in front of the library, and the test has to fail by its own judgement: not by a crash. Without a
# change the same road leads to a test that passes.

flags=(-std=gnu17 -O1 -w -ffp-contract=off -I"$HBG_SOURCE_DIR/src" -I"$HBG_SOURCE_DIR/include"
    -I"$HBG_SOURCE_DIR/tests" -DHBG_SOURCE_DIR="\"$HBG_SOURCE_DIR\"")
export CMOCKA_TEST_ABORT=1 ASAN_OPTIONS=detect_leaks=0:handle_abort=0 # the first failure is enough

mutated_tree=$HBG_BUILD_DIR                    # the library in it is the one that is broken
mutated_flags=("-fsanitize=address,undefined") # as it was compiled
mutated_folder=                                # below src, of files that are named without theirs
mutated_limit=150                              # s a test may take
mutated_all=                                   # not empty: goes on after a change that is not noticed
mutated_share=1                                # outside soak one of so many is built; of the others only the pattern is looked for

# test_of FOLDER/NAME...: where tests are; each is compiled under its name when the first build needs it
declare -A path_of_test
test_of() {
    local test
    for test; do path_of_test[${test##*/}]=$test; done
}

# object_of TEST: compiles it, unless that is done; two builds at once may both want it
object_of() {
    local part=$1.o.$BASHPID
    [ ! -e "$1.o" ] && [ -n "${path_of_test[$1]:-}" ] || return 0
    gcc "${flags[@]}" -c "$HBG_SOURCE_DIR/tests/${path_of_test[$1]}_test.c" -o "$part" && mv "$part" "$1.o"
}

# make_program NAME TEST [OBJECT]: links the test with the object in front of the library; objects_of says of what it is made
objects_of() { objects=("$1.o"); }
make_program() {
    local name=$1 objects libraries
    libraries=$(sed -n 's/^Libs.private: //p' "$mutated_tree/hbg.pc")
    object_of "$2" || return 1
    objects_of "$2"
    shift 2
    # shellcheck disable=SC2086 # options, one per word
    gcc -fuse-ld=lld "${mutated_flags[@]}" "${objects[@]}" "$@" "$mutated_tree/libhbg.a" -lcmocka $libraries -o "$name"
}

# run PROGRAM TEST [CASES]: its output goes to PROGRAM.log; in a folder of its own, for the files it writes. command_of says how
command_of() { command=("../$1"); }
run() {
    local command
    command_of "$1" "$2"
    mkdir -p "$1.dir"
    { (ulimit -c 0; cd "$1.dir" && HBG_TEST_CASES=${3:-*} timeout "$mutated_limit" "${command[@]}") >"$1.log" 2>&1; } 2>/dev/null
}

# unchanged TEST[:CASES]: passes as it is
unchanged() {
    local test=${1%%:*} cases=${1#"${1%%:*}"} name
    name=unchanged_$test
    make_program "$name" "$test"
    if run "$name" "$test" "${cases#:}"; then
        rm -rf "$name" "$name.dir"
        return 0
    fi
    echo "$1 fails without a change:"
    tail -n 20 "$name.log"
    return 1
}

# mutate NAME FILE TEST[:CASES] PATTERN TEXT [WORDS]: replaces the pattern, which has to occur, by the text; the test has to fail
# and say so. The first that is not noticed is the end, or they are counted in `missed`
missed=0
mutated_number=0
mutate() {
    judge "$@" || {
        missed=$((missed + 1))
        [ -n "$mutated_all" ]
    }
}

judge() {
    local name=$1 file=$2 test=${3%%:*} cases=${3#"${3%%:*}"} pattern=$4 text=$5 words=${6:-Failure!}
    case $file in */*) ;; *) file=$mutated_folder/$file ;; esac
    sed "s#$pattern#$text#" "$HBG_SOURCE_DIR/src/$file" >"$name.c"
    if cmp -s "$name.c" "$HBG_SOURCE_DIR/src/$file"; then
        echo "$name: nothing in $file matches: $pattern"
        return 1
    fi
    mutated_number=$((mutated_number + 1))
    [ -n "${HBG_SOAK:-}" ] || [ $((mutated_number % mutated_share)) -eq 0 ] || return 0
    gcc "${flags[@]}" -c "$name.c" -o "$name.o" && make_program "$name.run" "$test" "$name.o" || return 1
    if run "$name.run" "$test" "${cases#:}"; then
        echo "$name: $test$cases passes with a broken $file"
        return 1
    fi
    if ! grep -q -- "$words" "$name.run.log"; then
        echo "$name: $test does not say \"$words\":"
        tail -n 5 "$name.run.log"
        return 1
    fi
    rm -rf "$name.run" "$name.o" "$name.run.dir"
}
