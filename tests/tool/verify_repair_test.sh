#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The suggestion of `hbg verify` repairs the model: the line is pasted over the one it names, and no flaw is
# found any more.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
optimised # verify_test.sh and tests/verify prove with the sanitizers

examples=$HBG_SOURCE_DIR/examples
HBG_PATH=$HBG_SOURCE_DIR/lib
export HBG_PATH

# paste FILE: applies the answer in `out` to this file
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

# warned: warnings of the last check
warned() {
    sed -n 's/^warning\[\(W[0-9]*\)\].*/\1/p' err | sort
}

# mends FILE [OPTION...]: the reported flaw is gone after the repair
mends() {
    file=$1
    shift
    run 0 check "$file" "$@"
    before=$(warned)
    run 1 verify "$file" "$@"
    paste_line "$file"
    run 0 verify "$file" "$@"
    run 0 check "$file" "$@"
    [ "$(warned)" = "$before" ] || { fail "the line warns:"; cat err >&2; }
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

# into a collision the condition is strict: at rest nothing collides, and the check gives no warning
says elastic-pair.hbg '&& pre(mass_1.p) > pre(mass_2.p);'
cat >floor.hbg <<'END'
model Floor "A ball that is thrown back wherever it is below the floor" {
    I ball(1 [kg], f = -1 [m/s]);
    Sf floor(0 [m/s]);
    1 body;
    0 contact when touch restitution 0.8;
    state x = 1 [m] : der = body.f;
    body -> ball;
    contact -> body;
    floor -> contact;
    automaton touch {
        off flying -> hitting when x <= 0;
        on hitting -> flying when body.f > 0;
    }
}
END
mends floor.hbg
says floor.hbg 'when x <= 0 && pre(ball.p) < 0;'

# every example with a flaw that a condition could repair: either there is such a line, or the report says
# that none was found
for folder in "$examples"/*/; do
    name=$(basename "$folder")
    case $name in *rod*) continue ;; esac                           # minutes
    grep -q '^verify .* violated' "$folder/facts" || continue # as tests/examples/verify_test.sh has seen
    code=0
    timeout 100 "$hbg" verify "$folder$name.hbg" >out 2>err || code=$?
    [ "$code" -eq 1 ] || continue
    if grep -q '^    to mend it, write in ' out; then
        take "$name"
        file=$name.hbg
        run 0 check "$file"
        before=$(warned)
        run 1 verify "$file"
        paste_line "$file"
        run 0 verify "$file"
        run 0 check "$file"
        [ "$(warned)" = "$before" ] || { fail "the line for $name warns:"; cat err >&2; }
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
grep -qF '&& pre(c.q) >= 0.625 [C];' cubic.hbg || { fail "not 0.625"; cat cubic.hbg >&2; }
run 0 verify cubic.hbg

# sums of terms with different units: the factors take the difference, also if they are 1
cat >mixed.hbg <<'END'
model Mixed {
    param Rm = 1 [Ohm], lo = 3 [V], hi = 5 [V];
    C store(1 [F], e = 1 [V]);
    I coil(1 [H]);
    R load(10 [Ohm]);
    R wire(1 [Ohm]);
    0 node;
    1 branch;
    1 j when relay;

    node -> store;
    node -> branch -> coil;
    branch -> wire;
    node -> j -> load;

    automaton relay {
        off open -> closed when node.e + Rm*coil.f > lo;
        on closed -> open when node.e + Rm*coil.f < hi;
    }
}
END
mends mixed.hbg
grep -qF '&& pre(coil.p) + 1*pre(store.q) >= 5 [Wb];' mixed.hbg || { fail "no factors"; cat mixed.hbg >&2; }
cat >times.hbg <<'END'
model Times {
    C c(1 [F], q = 1 [C]);
    R r(1 [Ohm]);
    0 n;
    1 j when k;

    n -> c;
    n -> j -> r;

    automaton k {
        off o -> x when time > 1;
        on x -> o when n.e < 1 [V/s]*time - 3 [V];
    }
}
END
mends times.hbg

# an orifice: a condition on a root becomes one on the charge
cat >orifice.hbg <<'END'
model Orifice {
    C tank(1, q = 1);
    R o : f = sign(e)*sqrt(abs(e));
    0 n;
    1 v when valve;
    tank -> n;
    n -> v -> o;
    automaton valve {
        on open -> shut when v.f > 2;
        off shut -> open when n.e > 3;
    }
    verify {
        range tank.q in [0, 10];
    }
}
END
run 1 verify orifice.hbg
grep -q 'where tank.q > 4$' out || { fail "no charge"; cat out >&2; }
mends orifice.hbg
grep -qF '&& pre(tank.q) <= 4;' orifice.hbg || { fail "not 4"; cat orifice.hbg >&2; }

# constants that are not fractions are named, and a factor takes the unit they lack; no other term has a
# factor of 1
cat >digits.hbg <<'END'
model Digits {
    C c(1 [F], q = 1 [C]);
    R r(1 [Ohm]);
    0 n;
    1 j when k;
    n -> c;
    n -> j -> r;
    automaton k {
        off o -> x when n.e > 1 [V]*pi;
        on x -> o when n.e < 1 [V]*(pi + sqrt(2));
    }
}
END
mends digits.hbg
grep -qF '&& 1*pi + 1*sqrt(2) <= pre(c.q);' digits.hbg || { fail "no constants"; cat digits.hbg >&2; }
cat >plain.hbg <<'END'
model Plain {
    param lo = 1, hi = 2;
    C c(1, q = 0.5);
    R r(1);
    0 n;
    1 j when k;
    n -> c;
    n -> j -> r;
    automaton k {
        off o -> x when n.e >= lo;
        on x -> o when n.e <= hi;
    }
    verify {
        range lo in [0, 2];
        range hi in [1, 3];
    }
}
END
mends plain.hbg
! grep -qF '1*' plain.hbg || { fail "a factor of 1"; cat plain.hbg >&2; }

# a region with two sides: the guard stays possible on both
cat >sides.hbg <<'END'
model Sides {
    C c(1, q = 1);
    R r(1);
    0 n;
    1 j when k;
    n -> c;
    n -> j -> r;
    automaton k {
        off o -> x when n.e < 3 && n.e > -3;
        on x -> o when n.e < 2 && n.e > -2;
    }
}
END
mends sides.hbg
grep -qF '(pre(c.q) >= 2 || pre(c.q) <= -2);' sides.hbg || { fail "not both sides"; cat sides.hbg >&2; }

# a body that sticks has to be able to slip again: its momentum is 0, and no bound of it may forbid that
cat >stick.hbg <<'END'
model Stick {
    param Fth = 2;
    input real u = 0;
    1 v;
    I m(1, f = 1);
    v -> m;
    Sf g(0);
    0 c when st;
    g -> c -> v;
    Se drive(u);
    drive -> v;
    automaton st {
        off slip -> stick when abs(v.f) < 0.1;
        on stick -> slip when abs(c.e) > Fth;
    }
}
END
mends stick.hbg
grep -qF 'on stick -> slip when abs(c.e) > Fth;' stick.hbg || { fail "it never slips"; cat stick.hbg >&2; }

# a condition that cannot be written directly is not offered as a line
cat >power.hbg <<'END'
model Power {
    C c(1, q = 1);
    R r(1);
    0 n;
    1 j when k;
    n -> c;
    n -> j -> r;
    automaton k {
        off o -> x when n.e^7 > 1;
        on x -> o when n.e^7 < 128;
    }
}
END
run 1 verify power.hbg
if grep -q 'to mend it, write in\|^ *&& .*…' out; then
    fail "a line that cannot be read"
    cat out >&2
fi
grep -q 'as told here it cannot be written:' out || { fail "no repair in words"; cat out >&2; }
run 1 verify power.hbg --json
if grep -q '"write"' out; then fail "a line that cannot be read, for programs"; fi

finish
