# shellcheck shell=bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# For tests of engines, after tool.sh: all outputs of a run, once interpreted and once compiled. Compiled code
# is kept in the folder of the test.
# needs: test
unset HOME
export XDG_CACHE_HOME=$PWD/cache HBG_PATH=$HBG_SOURCE_DIR/lib

# answers FOLDER ENGINE OPTION...: all outputs of a run, except the name of the engine
answers() {
    local folder=$1 engine=$2 code=0
    shift 2
    mkdir -p "$folder"
    (
        cd "$folder" || exit
        timeout 100 "${hbg:?}" run "$@" --engine "$engine" --json -o rows.csv >json 2>words </dev/null || code=$?
        echo "$code" >code
        grep '"engine"' json >engine || true
        sed -i '/"engine"/d' json
    )
}

# same WHAT FOLDER FOLDER
same() {
    diff -r -q -x engine "$2" "$3" >differences || fail "$1: $(cat differences)"
}

# compare NAME OPTION...
compare() {
    local name=$1
    shift
    rm -rf interpreted compiled
    answers interpreted interpreter "$@"
    answers compiled native "$@"
    same "$name" interpreted compiled
    [ ! -s compiled/engine ] || says compiled/engine native
}
