#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The recipe for an element, followed for a resistor with the law e = k·f·|f|, and for a capacitor that the same law makes:
# both run in every causality and in both engines, have units, energy and faults, and are listed, drawn and refused like others.
# And a column of their lines that is left out, empty or misspelt does not compile in the folder that owes it.
. "$HBG_SOURCE_DIR/tests/arch/recipe.sh"

begin
kinds=src/model/kinds_impl.h
line='"1-junction", ONE, 0, false, "", NONE, none)'
replace $kinds "$line" "$line"' \
    X(SQUARE_R, "Rq", "square-law resistor", R, 1, false, "ef", SQUARE_RESISTANCE, square) \
    X(SQUARE_C, "Cq", "square-law capacitor", C, 1, false, "eq", SQUARE_CAPACITANCE, square)'
line='"Pa·s^2/m^3", NULL, NULL)'
replace $kinds "$line" "$line"' \
    X(SQUARE_RESISTANCE, "a square-law resistance", (1, -2, 0, 0), \
      "V/A^2", "N·s^2/m^2", "N·m·s^2/rad^2", "Pa·s^2/m^6", "K/W^2", "A/V^2") \
    X(SQUARE_CAPACITANCE, "a square-law capacitance", (-2, 0, 1, 0), \
      "C/V^2", "m/N^2", "rad/(N·m)^2", "m^3/Pa^2", "J/K^2", "Wb/A^2")'
# y = v·x·|x|, x = sign(y)·√(|y|/v)
replace src/eqn/law.c 'static const value_law law_none' 'static hbg_term square(hbg_terms *terms, hbg_term value, hbg_term x) {
    hbg_term size = hbg_term_make(terms, HBG_OP_ABS, x, HBG_NONE, HBG_NONE);
    return hbg_term_multiply(terms, value, hbg_term_multiply(terms, x, size));
}

static hbg_term inverse_square(hbg_terms *terms, hbg_term value, hbg_term y) {
    hbg_term size = hbg_term_make(terms, HBG_OP_ABS, y, HBG_NONE, HBG_NONE);
    hbg_term root = hbg_term_make(terms, HBG_OP_SQRT, hbg_term_divide(terms, size, value), HBG_NONE, HBG_NONE);
    return hbg_term_multiply(terms, hbg_term_make(terms, HBG_OP_SIGN, y, HBG_NONE, HBG_NONE), root);
}

static const value_law law_square = {square, inverse_square};
static const value_law law_none'
insert tests/model/kinds_test.c 'assert_false(hbg_model_element_info_get(HBG_KIND_GY)->field)' \
    '    assert_int_equal(hbg_model_element_info_get(HBG_KIND_SQUARE_R)->kind, HBG_KIND_R);
    assert_int_equal(hbg_model_element_info_get(HBG_KIND_SQUARE_C)->kind, HBG_KIND_C);'
insert tests/eqn/law_test.c 'Sf s(6); R r(3); s -> r; " RECORD("r.e")' \
    '    assert_close(output_in("model M { Se s(-27); Rq r(3); s -> r; " RECORD("r.f"), "r.f"), -3);
    assert_close(output_in("model M { Sf s(-3); Rq r(3); s -> r; " RECORD("r.e"), "r.e"), -27);'
insert docs/language.md '| resistor | 1 or n |' '| square-law resistor | 1 | `Rq r(k);` | e = k·f·abs(f) |'
insert docs/language.md '| capacitor | 1 or n |' '| square-law capacitor | 1 | `Cq c(k);` | q = k·e·abs(e), q'"'"' = f |'
replace docs/language.md '"I" | "TF" | "GY" )' '"I" | "TF" | "GY" | "Rq" | "Cq" )'
follows 'Add an element.'

# every object that knows how many elements or quantities there are
rebuild 'HBG_KIND_COUNT|HBG_ELEMENT_LIST|HBG_QUANTITY_(LIST|COUNT|NONE)'
make_hbg
passes model/kinds
passes model/domain
passes eqn/law
mkdir words
(cd words && HBG_SOURCE_DIR=$tree sh "$tree/tests/docs/words_test.sh") || fail "the grammar is not in step"

# answers CODE COMMAND...: its exit code; the answer is in `out`
answers() {
    local code=0 wanted=$1
    shift
    "$hbg" "$@" >out 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { cat out >&2; fail "hbg $* ended with $code, not $wanted"; }
}
says() { grep -qF -- "$1" out || { cat out >&2; fail "it does not say: $1"; }; }
# model TEXT RECORDS
model() { printf 'model M {\n%s\nexperiment e { stop 1 [s]; record %s; }\n}\n' "$1" "$2" >model.hbg; }
# ends WHAT RIGHT WITHIN [OPTION...]: the last value of the first record, in both engines
ends() {
    local engine
    for engine in interpreter native; do
        answers 0 run model.hbg -q --rtol 1e-10 --engine $engine -o values.csv "${@:4}"
        near "$1, $engine," "$(tail -n 1 values.csv | cut -d , -f 2)" "$2" "$3"
    done
}

# it is given the flow: v' = -k·v·|v|/m from 3 m/s, v = 3/(1 + 3·t·k/m); nothing is lost, m·v²/2 goes into the resistor
slows='I mass(2 [kg], f = 3 [m/s]); Rq drag(0.5 [N.s^2/m^2]); 1 body; mass -> body -> drag; state lost = 0 [J] : der = drag.power;'
model "$slows" mass.f
ends 'the speed' 1.7142857142857142 1e-7
model "$slows" lost
ends 'the heat' 6.061224489795919 1e-7
# -2·k·|v|/m
answers 0 linearize model.hbg
near 'the slope of the drag' "$(awk '/mass.p  *-/ { print $2 }' out)" -1.5 1e-6
# while the value is four times as large, from the start
model "$slows" mass.f
ends 'the speed with a fault' 0.75 1e-7 --fault 'at 0 [s]: drag.Rq abrupt 300 [%]'
ends 'the speed with another' 0.75 1e-7 --fault 'at 0 [s]: drag abrupt 1.5 [N.s^2/m^2]'
# it is given the effort: q' = -√(q/(C·k)), √q falls by t/2; and from the other side
tank='C tank(1 [m^3/Pa], q = 4 [m^3]); Rq hole(1 [Pa.s^2/m^6]); 0 floor;'
model "$tank tank -> floor -> hole;" tank.q
ends 'the tank' 2.25 1e-7
model "${tank/= 4/= -4} hole -> floor; floor -> tank;" tank.q
ends 'the tank below its floor' -2.25 1e-7

# the capacitor: e = √(q/k) = 2 V of 8 C, the energy ∫ e dq = 2/3·q·e; it starts from e as well, and follows a source
for start in 'q = 8 [C]' 'e = 2 [V]'; do
    model "Cq cell(2 [C/V^2], $start); R load(1e12 [Ohm]); cell -> load;" cell.energy
    ends 'the energy' 10.666666666666666 1e-7
done
model 'Se push(2 [V]); Cq cell(2 [C/V^2], e = 2 [V]); 0 n; push -> n -> cell;' cell.q
ends 'the charge' 8 1e-9
# while its value grows from 2 to 8 the energy halves, and so much comes back: the books balance
model 'Cq cell(2 [C/V^2], q = 8 [C]); R load(1e12 [Ohm]); cell -> load;' cell.energy
answers 0 run model.hbg -q --json --rtol 1e-10 --fault 'at 0 [s]: cell incipient 6 [C/(V^2.s)]' -o values.csv
near 'the work of the fault' "$(awk '/"modulated"/ { getline; print $2 }' out)" -5.333333333333333 1e-7
# two of them that a switch joins share their charge in a jump
model 'Cq a(1 [C/V^2], q = 4 [C]); Cq b(1 [C/V^2], q = 1 [C]); 0 n; 1 j when s; 0 m; a -> n -> j -> m -> b;
    automaton s { off open -> closed when time > 0.5 [s]; on closed; }' a.q
ends 'the charge after the jump' 2.5 1e-9
# with a load of its own kind: q' = -√(√(q/2)/1), (q/2)^(3/4) falls by 3/8·t
model 'Cq cell(2 [C/V^2], q = 2 [C]); Rq load(1 [V/A^2]); cell -> load;' cell.q
ends 'both' 1.0687349666729355 1e-7

# units: what the value says of its net, and what its net says of the value
model "$tank tank -> floor -> hole;" hole.f
answers 0 list model.hbg
says 'Rq  hole'
says hydraulic
answers 0 list model.hbg --json
says '"kind": "Rq"'
model 'Se push(12 [V]); Rq r(3 [Ohm]); push -> r;' r.f
answers 2 check model.hbg
says '`r` is an Rq in an electrical net: its value is in V/A^2, but `3 [Ohm]` is in Ohm'
says 'did you mean `R r`?'
model 'Se push(12 [V]); R r(3 [V/A^2]); push -> r;' r.f
answers 2 check model.hbg
says 'a square-law resistor has a value in V/A^2: did you mean `Rq r`?'
model 'Se push(12 [V]); Rq r(3); push -> r;' r.f
answers 2 run model.hbg -q --fault 'at 0 [s]: r abrupt 1 [Ohm]' -o values.csv

# drawing, and what it cannot have
model 'Se push(12 [V]); Rq r(3); push -> r;' r.f
answers 0 draw model.hbg -o drawing.svg
grep -q 'r: square-law resistor' drawing.svg && grep -q '>Rq<' drawing.svg || fail "it is not drawn"
grep -q '3 V/A²' drawing.svg || fail "it is drawn without its unit"
model 'Se push(12 [V]); Rq r; push -> r;' r.f
answers 2 check model.hbg
says '`r` is a square-law resistor without a value'
model 'Se push(12 [V]); Rq r : e = 3*f; push -> r;' r.f
answers 2 check model.hbg
says '`r` is a square-law resistor: it cannot have a law for e'
model 'Se push(12 [V]); Rq r[2]([[1, 0], [0, 1]]); push -> r[1];' push.e
answers 2 check model.hbg
says 'cannot be chosen'
model 'Se push(12 [V]); Rq r(-3); push -> r;' push.e
answers 0 check model.hbg
says W0713
model 'Sf push(1 [A]); Cq c(0); push -> c;' push.f
answers 2 check model.hbg
says 'stores energy and needs a positive one'

# a column of the element or of the quantity that is left out, misspelt or empty
compiles() { gcc "${strict[@]}" "${flags[@]}" -fsyntax-only "$tree/$1" 2>log; }
# rejects FILE TEXT OTHER: with the other text in the list the file does not compile
rejects() {
    replace $kinds "$2" "$3"
    if compiles "$1"; then fail "$1 compiles with $3"; fi
    cp good "$tree/$kinds"
}
cp "$tree/$kinds" good
for file in src/model/kinds.c src/model/domain.c src/eqn/law.c; do
    compiles $file || { cat log >&2; fail "$file does not compile"; }
done
for other in '' 'R9, ' ', '; do
    rejects src/model/kinds.c 'square-law resistor", R, ' "square-law resistor\", $other"
    rejects src/model/kinds.c 'SQUARE_RESISTANCE, square' "${other}square"
done
for other in '' ', ' ', squares'; do rejects src/eqn/law.c 'SQUARE_RESISTANCE, square' "SQUARE_RESISTANCE$other"; done
# a form of what has no law, of more ports, or without a unit
rejects src/model/kinds.c 'resistor", R, 1, false, "ef", SQUARE_RESISTANCE' 'resistor", SE, 1, false, "ef", SQUARE_RESISTANCE'
rejects src/model/kinds.c 'resistor", R, 1, false, "ef", SQUARE_RESISTANCE' 'resistor", R, 1, true, "ef", SQUARE_RESISTANCE'
rejects src/model/kinds.c 'resistor", R, 1, false, "ef", SQUARE_RESISTANCE' 'resistor", R, 1, false, "ef", NONE'
rejects src/model/domain.c '"a square-law resistance", (1, -2, 0, 0)' '"a square-law resistance"'
rejects src/model/domain.c '"K/W^2", "A/V^2"' '"K/W^2"'
