# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of the tree itself. Such a test defines check_tree TOP, which prints every problem of the tree
# TOP and nothing for a good one, then calls accept for our tree and reject for small broken ones, so that each proves
# that it can fail.
set -eu

# A folder shows one header, src/x/x.h. The run-time has readers of several kinds and shows these as well: what an integrator sees, the
# run, the bands, the compiled model, the operators. Equations have two readers: proofs see eqn.h, the compiler equation.h and system.h as well.
# shellcheck disable=SC2034 # for the tests
more_visible_headers='rt/field.h rt/engine.h rt/bands.h rt/image.h rt/native.h rt/package.h rt/instance.h rt/description.h rt/by_hand.h rt/operator.h rt/sensor.h rt/room.h rt/linear.h rt/grid.h rt/step.h rt/stride.h rt/search.h rt/rows.h rt/ship.h eqn/equation.h eqn/system.h'

# accept TOP: the tree has no problem
accept() {
    found=$(check_tree "$1")
    [ -z "$found" ] || { echo "$found" >&2; exit 1; }
}

# reject TOP TEXT: the tree has a problem, and it is told in these words
reject() {
    found=$(check_tree "$1")
    case $found in
    *"$2"*) ;;
    *) echo "the broken tree '$1' should give: $2; the check said: ${found:-nothing}" >&2; exit 1 ;;
    esac
}

# put FILE LINE...: makes a file with these lines
put() {
    mkdir -p "$(dirname "$1")"
    put_file=$1
    shift
    printf '%s\n' "$@" >"$put_file"
}

# objects_of TOP: the object files of the sources of a tree: ours are in the build tree, those of a small broken one in
# its build/. A build tree also keeps objects of sources that are gone, and has the engine a second time, as it goes into FMUs.
objects_of() {
    objects_tree=$1/build
    [ "$1" != "$HBG_SOURCE_DIR" ] || objects_tree=$HBG_BUILD_DIR
    find "$objects_tree/CMakeFiles" -path '*/src/*' -name '*.c.o' ! -path '*/hbg_engine.dir/*' | sort | while read -r object; do
        source=src/${object##*/src/}
        [ ! -f "$1/${source%.o}" ] || echo "$object"
    done
}
