#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What `hbg verify` says to write mends the model: the line is pasted over the one it names, and nothing is found wrong any more.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

examples=$HBG_SOURCE_DIR/examples
HBG_PATH=$HBG_SOURCE_DIR/lib
export HBG_PATH

# paste FILE: does what the answer in `out` says, to this file
paste_line() {
    place=$(sed -n 's/^    to mend it, write in //p' out | head -n 1)
    [ -n "$place" ] || { fail "no repair for $1"; cat out >&2; return; }
    first=${place##*:}
    file=${place%:*}
    case $file in *"$1") ;; *) fail "the repair is for $file, not $1" ;; esac
    last=${first#* to }
    first=${first%% to *}
    sed -n '/^    to mend it, write in /{n;p;q;}' out >line
    awk -v first="$first" -v last="$last" 'NR == FNR { line = $0; next }
        FNR == first { print line }
        FNR < first || FNR > last' line "$1" >pasted
    mv pasted "$1"
}

# mends FILE [OPTION...]: what is said to be wrong is not so any more behind the repair
mends() {
    file=$1
    shift
    run 1 verify "$file" "$@"
    paste_line "$file"
    run 0 verify "$file" "$@"
    run 0 check "$file" "$@"
    run 0 fmt --check "$file"
}

take() {
    cp "$examples/$1/$1.hbg" .
}

take ball-printed-guards
mends ball-printed-guards.hbg
take impact-module
mends impact-module.hbg
take diode-relay
mends diode-relay.hbg -p Ith=0.3
take diode-inductor
mends diode-inductor.hbg -p Ith=0.01
take elastic-pair
mends elastic-pair.hbg -p v_th=-1

# every example in which something is wrong that a condition could mend: either there is a line that does, or it is said that
# none was found
for folder in "$examples"/*/; do
    name=$(basename "$folder")
    case $name in *rod*) continue ;; esac                           # minutes
    grep -q '^verify .* violated' "$folder/facts" || continue # as tests/examples/verify_test.sh has seen
    code=0
    timeout 100 "$HBG" verify "$folder$name.hbg" >out 2>err || code=$?
    [ "$code" -eq 1 ] || continue
    if grep -q '^    to mend it, write in ' out; then
        take "$name"
        file=$name.hbg
        run 1 verify "$file"
        paste_line "$file"
        run 0 verify "$file"
    elif grep -q '^  cycle: ' out && ! grep -q 'no single further condition was found' out; then
        fail "$name: a cycle, and no word about mending it"
    fi
done

# the guard of a component, with brackets, over several lines and in a block; numbers and names stay the user's
cat >block.hbg <<'END'
component Cell "A store that a relay joins to a load" {
    param low = 1 [V], high = 2 [V];
    port a : electrical "terminal";
    C store(2 [F], q = 0 [C]);
    R load(1 [Ohm]);
    0 node;
    1 j when relay;
    a -> node -> store;
    node -> j -> load;

    automaton relay {
        off open {
            -> closed when (node.e > low ||
                node.e > high);
        }
        on closed {
            -> open when (node.e < high);
        }
    }
}

model Block {
    Sf none(0 [A]);
    Cell cell;

    none -> cell.a;
}
END
run 1 verify block.hbg
paste_line block.hbg
run 0 verify block.hbg
grep -q '^    param low = 1 \[V\], high = 2 \[V\];$' block.hbg || fail "another line was changed"

# a loop that is not linear
cat >cubic.hbg <<'END'
model Cubic {
    C c(1 [F], q = 1 [C]);
    0 n;
    1 j when d;
    R r : e = 1 [Ohm]*f + 1 [V/A3]*f^3;

    n -> c;
    n -> j -> r;

    automaton d {
        off b -> x when n.e > 0;
        on x -> b when j.f < 0.5 [A];
    }
}
END
run 1 verify cubic.hbg
paste_line cubic.hbg
grep -q '&& pre(c.q) >= 0.625;' cubic.hbg || { fail "not 0.625"; cat cubic.hbg >&2; }
run 0 verify cubic.hbg

finish
