#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg export: exported C compiles without a warning with gcc and clang and writes the bytes that `hbg run`
# writes; models that cannot be exported are refused with the reason, and nothing is left behind. All
# examples: tests/examples/export_soak.sh.
# needs: test
. "$HBG_SOURCE_DIR/tests/examples/export.sh"
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models
export XDG_CACHE_HOME="$PWD/cache"
diode=$examples/diode-inductor/diode-inductor.hbg

# ---- what is refused ------------------------------------------------------------------------------------------------

nothing() { [ ! -e out.c ] && [ ! -e out.c.partial ] || fail "something was written: $*"; }

run 2 export simulink "$diode" -o out.c
says err 'models are not exported as `simulink`; the targets are `c`, `fmu`, `spaceex` and `blocks`'
run 2 export c
says err 'no model is named to be exported as `c`'
run 2 export c "$diode"
says err 'needs a folder to write to'
run 2 export c "$diode" -o -
says err 'needs a folder to write to'
run 2 export c wrong.hbg -o out.c
nothing a wrong model
run 2 export c "$diode" -x nowhere -o out.c
says err 'there is no experiment `nowhere`'
run 2 export c "$diode" --solver rk4 -o out.c
says err 'rk4 has a fixed step and is not told which'
for name in 2fast 'a-b' '' _x main rt_x hbg_x 'a"b'; do
    run 2 export c "$diode" --name "$name" -o out.c
    says err 'names in C cannot begin with'
done
printf 'model rt_own { Se s(1 [V]); R r(1 [ohm]); s -> r; experiment e { stop 1 [s]; record r.f; } }\n' >named.hbg
run 2 export c named.hbg -o out.c
says err 'give another one with `--name`'
run 2 export c "$diode" -o missing/out.c
says err 'the folder it is to be in does not exist'
echo full >out.file
run 2 export c "$diode" -o out.file
says err 'it is a file'
mkdir busy && : >busy/file
run 2 export c "$diode" -o busy
says err 'it is there and not empty'
mkdir shut && chmod 500 shut
if ! : 2>/dev/null >shut/probe; then # root may write anywhere
    run 2 export c "$diode" -o shut/out
    says err 'cannot be written'
fi
rm -rf shut
run 2 export c "$diode" -o /proc/out.c # nor can root here
says err 'cannot be written'
nothing refused
run 2 export c "$examples/adapt-testbed/adapt-testbed.hbg" -I "$HBG_SOURCE_DIR/lib" -o out.c
says err 'and 53 more switch junctions whose equations are solved together, and have 7.21e+16 local modes, more than 4096'
awk 'BEGIN {
    print "model Ladder { Se s(1 [V]); R r0(1 [ohm]); 1 j0; s -> j0; j0 -> r0; 0 n0; j0 -> n0;"
    for (i = 1; i <= 2500; i++) printf "R r%d(1 [ohm]); 1 j%d; R g%d(1 [ohm]); 0 n%d; n%d -> j%d; j%d -> r%d; j%d -> n%d; n%d -> g%d;\n", i, i, i, i, i - 1, i, i, i, i, i, i, i
    print "output v = n2500.e; experiment e { stop 1 [s]; record v; } }" }' >ladder.hbg
run 2 export c ladder.hbg -o out.c
says err 'depend on each other, and without a sparse solver more than 2000 take too long'
awk 'BEGIN {
    print "model Star { Se s(1 [V]); 0 n; s -> n;"
    for (i = 1; i <= 30000; i++) printf "R r%d(1 [ohm]); n -> r%d;\n", i, i
    print "experiment e { stop 1 [s]; record n.e; } }" }' >star.hbg
run 2 export c star.hbg -o out.c
says err 'it has 30002 elements, and the constants of more than 30000 are too many'
nothing too large

# ---- the report, names of any kind ----------------------------------------------------------------------------------

run 0 export --help
says out 'what names in the C text begin with'
run 0 export c "$diode" --solver bdf -o stiff --json
says out '"solver": "rodas"'
says out 'the solver bdf belongs to another library and is not shipped'
says out '"instance_bytes": '
says out '"relations": 2'
[ "$(find stiff -name '*.c' | grep -c /rt_)" = "$(find "$HBG_SOURCE_DIR/src/rt" -name '*.c' | wc -l)" ] || fail 'the engine is not whole'
# a run has sparse solvers for what is large: 20 states by the trapezoidal method, a loop through a hundred resistors
chain() { # STATES RESISTORS
    awk -v states="$1" -v resistors="$2" 'BEGIN {
        print "model Chain { Se s(1 [V]); R r0(1 [ohm]); 1 j0; s -> j0; j0 -> r0; 0 n0; j0 -> n0;"
        for (i = 1; i <= states + resistors; i++) {
            printf "R r%d(1 [ohm]); 1 j%d; 0 n%d; n%d -> j%d; j%d -> r%d; j%d -> n%d; ", i, i, i, i - 1, i, i, i, i, i
            printf i <= states ? "C c%d(1 [F]); n%d -> c%d;\n" : "R g%d(1 [ohm]); n%d -> g%d;\n", i, i, i
        }
        print "experiment e { stop 1 [s]; solver trapezoidal step 0.1 [s]; record n0.e; } }" }' >chain.hbg
}
chain 16 0
run 0 export c chain.hbg -o chain-16 --json
says out '"warnings": []'
chain 20 0
run 0 export c chain.hbg -o chain-20 --json
says out 'the sparse solver for the trapezoidal method of 20 states is not shipped: values agree within rounding'
run 0 export fmu chain.hbg --no-binary -o chain.fmu --json
says out 'the sparse solver for the trapezoidal method of 20 states is not shipped'
run 0 export c chain.hbg -q --solver rk4 -o chain-rk4 --json
says out '"warnings": []'
chain 2 100
run 0 export c chain.hbg -o chain-loop --json
says out 'the sparse solver for loops, of up to '
run 0 export c "$diode" -q -p 'L=4 [mH]' --name coil -o named --solver rk4 --step 1us
[ ! -s out ] || fail '-q says something'
cat >hostile.hbg <<'END'
model Hostile "*/ a < b & 'd' %s `id` ??/ \" {
    param int = 1 [ohm] "*/ int x; /*", class = 2 "\";
    Se s(1 [V]) "*/ #error"; R r(int); 0 n; 1 j; s -> n; n -> j; j -> r;
    C while(1 [F]) "??/"; R goto(1 [ohm]); 1 k when default; n -> k; k -> while; k -> goto;
    automaton default "*/" { on case -> return when k.f < 0.5 [A]; off return -> case when j.f > class*1 [A]; }
    experiment e "*/ ??/" { stop 1 [s]; solver euler step 0.25 [s]; record r.f, 2*r.f, min(r.f, 2*j.f), j.f, while.q, auto; }
    output auto = k.f in [mA]; // heads name the unit
}
END
run 0 export c hostile.hbg -q -o hostile

run 2 export spaceex "$diode" --breakable -o out.c
says err '`--breakable` has no meaning for `export spaceex`; it is for c fmu'

# ---- the same bytes -------------------------------------------------------------------------------------------------

# all files at once, without further flags: there are no other files, and no writable globals
(cd hostile && gcc -std=c11 -Wall -Wextra -Wconversion -Werror -c ./*.c && gcc -o program ./*.o -lm) || fail 'gcc'
! objdump -t hostile/*.o | grep -E ' O (\.data|\.bss|\*COM\*)[^.]' || fail 'there are globals that can be written'
mkdir engine.gcc && cp hostile/rt_*.o hostile/base_*.o engine.gcc && ar rc engine.gcc.a engine.gcc/*.o
run_both hostile hostile.hbg
cmp hostile/wanted.csv hostile/found.csv || fail 'names of any kind'

# same NAME OPTION...: of an example, with the engine compiled above
same() {
    name=$1
    shift
    export_and_compile gcc "$name" "$examples/$name/$name.hbg" "$@" || { fail "$name is not exported"; cat "$name.refused" >&2; return; }
    run_both "$name" "$examples/$name/$name.hbg" "$@"
    cmp "$name/wanted.csv" "$name/found.csv" || fail "$name $*"
}
compile_model gcc named -O1 && run_both named "$diode" -p 'L=4 [mH]' --solver rk4 --step 1us
cmp named/wanted.csv named/found.csv || fail 'a parameter'
same bridge-rectifier --solver trapezoidal --step 1e-4 --every 7e-4
same ball-restitution --solver rk4 --step 1e-3
same construct-sensors --solver heun --step 1e-2
same construct-faults -x sensor_faults --solver euler --step 1e-2
same table-input --solver erk
# edges that no state feels: of time, of a state, of a junction
cat >edges.hbg <<'END'
model Edges {
    Se supply(10 [V]); R r(2 [Ohm]); C c(1 [mF]); 1 way; supply -> way; way -> r; way -> c;
    Se pulse(time % 1 [ms] < 0.3 [ms] ? 1 [V] : 0 [V]); R load(1 [Ohm]); 1 other when lever; pulse -> other -> load;
    automaton lever { on shut -> open when c.e > 8 [V]; off open; }
    output lit = c.e > 5 [V] ? 1 : 0, steps = floor(c.e), cut = min(c.e, 7.5 [V]);
    experiment e { stop 10 [ms]; record c.e, load.f, lit, steps, cut; }
}
END
for options in '--solver erk' '--solver erk --every 0.7ms' '--solver rk4 --step 0.1ms'; do
    # shellcheck disable=SC2086
    export_and_compile gcc edges edges.hbg $options || fail "edges.hbg is not exported with $options"
    # shellcheck disable=SC2086
    run_both edges edges.hbg $options
    cmp edges/wanted.csv edges/found.csv || fail "edges.hbg $options"
done

# an image works like the model: settings from its compilation are kept
run 0 compile "$diode" -q -p 'L=4 [mH]' -o coil.hbi
run 0 export c coil.hbi -q --name coil -o image --solver rk4 --step 1us
compile_model gcc image -O1 && image/program >image.csv
cmp named/found.csv image.csv || fail 'an image'
run 0 export blocks "$examples/thermostat-oven/thermostat-oven.hbg" -q --solver rk4 --step 1ms -o oven.json
run 0 compile "$examples/thermostat-oven/thermostat-oven.hbg" -q -o oven.hbi
run 0 export blocks oven.hbi -q --solver rk4 --step 1ms -o again.json
cmp oven.json again.json || fail 'a diagram of an image'
printf 'HBI, more or less\n' >broken.hbi
run 2 export fmu broken.hbi -o out.fmu
says err 'this is no image that hbg can run'

# with clang and sanitizers
export_and_compile_clang() {
    rm -rf checked
    "$HBG" export c "$diode" -q -o checked --solver ode3 --step 1us
    if [ -n "${HBG_SOAK:-}" ]; then
        compile_engine clang checked -O0 -fsanitize=address,undefined -fno-sanitize-recover=all
    else
        cp engine.gcc.a engine.clang.a # arch/alone compiles it with clang, and all else runs it with the sanitizers of gcc
    fi
    compile_model clang checked -O0 -fsanitize=address,undefined -fno-sanitize-recover=all
    run_both checked "$diode" --solver ode3 --step 1us
    cmp checked/wanted.csv checked/found.csv || fail 'clang'
}
if command -v clang >/dev/null; then export_and_compile_clang; else echo 'no clang: not compiled with it'; fi
if echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o narrow 2>/dev/null; then
    "$HBG" export c "$diode" -q -o small --solver rk4 --step 1us
    gcc -m32 -O0 -std=c11 -Wall -Wextra -Wconversion -Werror -ffp-contract=off small/*.c -lm -o small/program
    run_both small "$diode" --solver rk4 --step 1us
    [ -z "$(apart small/wanted.csv small/found.csv 1e-9)" ] || fail '32 bits'
else
    echo 'no compiler for 32 bits: not compiled for them'
fi

# ---- the program of docs/export.md ----------------------------------------------------------------------------------

awk '/^```c embedded/ { on = 1; next } /^```/ { on = 0 } on' "$HBG_SOURCE_DIR/docs/export.md" >embedded.c
awk '/^```hbg tank.hbg/ { on = 1; next } /^```/ { on = 0 } on' "$HBG_SOURCE_DIR/docs/export.md" >tank.hbg
run 0 export c tank.hbg -q -o tank
rm tank/main.c && cp embedded.c tank/
compile_model gcc tank -O1
tank/program >told || fail 'the embedded program'
awk '/^```text embedded/ { on = 1; next } /^```/ { on = 0 } on' "$HBG_SOURCE_DIR/docs/export.md" | diff - told || fail 'what it prints'
finish
