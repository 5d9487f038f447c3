#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What an array costs beside the same instances written out, and whether elaboration is linear in their number. Counted in
# instructions, which do not depend on how busy a machine is.
# shellcheck source=bench/peers/common.sh
. "$HBG_SOURCE_DIR/bench/peers/common.sh"

met=0

# count FILE: instructions of reading, checking and listing a model, in `counted`
count() {
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out "$HBG" list "$1" >output 2>messages </dev/null
    counted=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' messages)
}

# head_of: the component, and the ends of the chain
head_of() {
    echo 'component Cell { port a : electrical; port b : electrical; 1 j; R r(1 [Ohm]); a -> j -> b; j -> r; }'
    echo 'model M { Se s(1 [V]); Se g(0 [V]);'
}

# array COUNT and written COUNT: a chain of so many cells
array() {
    head_of
    echo "Cell c[$1]; s -> c[1].a; for i in 1 .. $(($1 - 1)) { c[i].b -> c[i+1].a; } c[$1].b -> g; }"
}
written() {
    head_of
    seq "$1" | sed 's/.*/Cell c&;/'
    echo 's -> c1.a;'
    seq $(($1 - 1)) | awk '{ print "c" $1 ".b -> c" $1 + 1 ".a;" }'
    echo "c$1.b -> g; }"
}

# row WHAT FOUND BAR
row() {
    local verdict=yes
    holds "$2 <= $3" || verdict='**missed**' met=1
    echo "| $1 | $2 | $3 | $verdict |"
}

array 10000 >array.hbg
array 5000 >half.hbg
written 10000 >written.hbg
count array.hbg
of_array=$counted
count half.hbg
of_half=$counted
count written.hbg
of_written=$counted
cat <<END
## Arrays

A chain of resistors, instances of a component, read, checked and listed; $(calc "$of_array / 1e6" %.0f) million instructions by callgrind for 10 000 in an array.

| ratio of instructions | found | bar | met |
|---|--:|--:|---|
END
row '10 000 in an array, against the same written out' "$(calc "$of_array / $of_written" %.3f)" 1.2
row '10 000 against 5000' "$(calc "$of_array / $of_half" %.3f)" 2.1
exit $met
