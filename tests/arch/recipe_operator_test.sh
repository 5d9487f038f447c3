#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The recipe for a function, followed for asinh: models that use it parse, run in both engines, are differentiated and proved
# about. And a column of its line that is left out, empty or misspelt does not compile in the folder that owes it.
. "$HBG_SOURCE_DIR/tests/arch/recipe.sh"

begin
list=src/rt/operator_list_impl.h
line='    X(ASINH, "asinh", 1, 0, REAL, PURE, asinh, NONE, none, asinh, refuse, function, asinh, call("asinh")) '"\\"
insert $list 'X(TANH, "tanh"' "$line"
insert src/rt/operator.c 'VALUE(tanh, tanh(a))' 'VALUE(asinh, asinh(a))'
# 1/√(1 + a²)
replace src/term/derivative.c 'static hbg_term slope_exp(slope s) {' 'static hbg_term slope_asinh(slope s) {
    hbg_term sum = hbg_term_add(s.terms, s.one, square(s.terms, s.a));
    return hbg_term_divide(s.terms, s.one, one_argument(s.terms, HBG_OP_SQRT, sum));
}

static hbg_term slope_exp(slope s) {'
# log(a + √(a² + 1)), an odd function
replace src/verify/formula_interval.c 'static interval asin_at(formulas *f, formula a) {' 'static interval asinh_at(formulas *f, formula a) {
    if (is_less(f, a, f->zero)) return hbg_verify_interval_negate(f, asinh_at(f, hbg_verify_formula_negate(f, a)));
    formula sum = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, a, a), f->one);
    interval all = hbg_verify_interval_add(f, hbg_verify_interval_point(a), square_root_at(f, sum));
    return (interval){log_at(f, all.low).low, log_at(f, all.high).high};
}

static interval asin_at(formulas *f, formula a) {'
insert src/verify/formula_interval.c 'INTERVAL(tanh, ' 'INTERVAL(asinh, rising(f, a, asinh_at))'
insert src/verify/consistency_functions.c 'static const enclosure enclose_tanh' \
    'static const enclosure enclose_asinh = {enclosed, no_axioms, zero_at_zero, everywhere};'
insert tests/rt/operator_test.c 'assert_true(on(HBG_OP_NEGATE, 2, 0) == -2' \
    '    assert_true(fabs(on(HBG_OP_ASINH, 0.75, 0) - log(2)) < 1e-15);'
replace tests/term/derivative_test.c '{HBG_OP_ADD, 0.7, 0.3},' '{HBG_OP_ASINH, -0.7, 0}, {HBG_OP_ADD, 0.7, 0.3},'
replace docs/language.md 'sinh cosh tanh exp' 'sinh cosh tanh asinh exp'
follows 'Add a function or operator.'

# every object that knows a number of an operator, or of what is counted on from there
rebuild 'HBG_OP_|HBG_RT_OP_|HBG_OPERATOR_LIST|HBG_EXACT_|TERM_[A-Z]|CONDITION_[A-Z]'
make_hbg
passes rt/operator
passes term/derivative

# asinh(3/4) = log 2; p'"'"' = 2 - asinh(p), whose slope is -1/√(1 + p²)
model() {
    cat >model.hbg <<END
model M {
    I mass(1, p = 0.75); Se push(2); R brake : e = asinh(f); 1 body; 0 grip when clutch; R drum(3);
    push -> body; body -> mass; body -> brake; body -> grip -> drum;
    automaton clutch { off free -> held when $1; on held -> free when $2; }
    output value = asinh(time/1 [s]);
    experiment e { stop 0.75; record value; }
}
END
}
# answers CODE COMMAND...: its exit code; the answer is in `out`
answers() {
    local code=0 wanted=$1
    shift
    "$hbg" "$@" >out 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { cat out >&2; fail "hbg $* ended with $code, not $wanted"; }
}
model 'mass.p > 1e9' 'mass.p < 0'
for engine in interpreter native; do
    answers 0 run model.hbg -q --engine $engine -o values.csv
    near "asinh(0.75), $engine" "$(tail -n 1 values.csv | cut -d , -f 2)" 0.6931471805599453 1e-15
done
answers 0 linearize model.hbg
near 'the slope of -asinh' "$(awk '/mass.p  *-/ { print $2 }' out)" -0.8 1e-6

# proofs: by the symbol alone; by its value as a constant, on either side of it; what bounds do not decide is left open
model 'asinh(mass.p) > 1' 'asinh(mass.p) < 0.5'
answers 0 verify model.hbg
model 'mass.p > 0.7' 'mass.p < asinh(0.75)'
answers 0 verify model.hbg
model 'mass.p > 0.69' 'mass.p < asinh(0.75)'
answers 1 verify model.hbg
model 'asinh(mass.p) > 1' 'asinh(mass.p) < 1.5'
answers 4 verify model.hbg
grep -q 'only bounds are known of `asinh(mass.p)`' out || fail "verify does not say what it does not know"

# columns: number, and the files that owe them
columns='5 src/model/operator.c   6 src/model/operator.c   7 src/rt/operator.c   8 src/rt/interpret.c   9 src/eqn/wave.c
    10 src/term/derivative.c   11 src/term/pulse.c
    12 src/rt/size.c   13 src/verify/formula_interval.c   13 src/verify/consistency_functions.c   14 src/code/native_text.c'
compiles() { gcc "${strict[@]}" "${flags[@]}" -fsyntax-only "$tree/$1" 2>log; }
# with_column NUMBER TEXT: the line of asinh with this column instead; none: without
with_column() {
    awk -F ', ' -v OFS=', ' -v number="$1" -v text="$2" '/X[(]ASINH,/ {
            end = ") \\"; sub(/[)] \\$/, ""); made = ""
            for (i = 1; i <= NF; i++) if (i != number || text != "none") made = made (i > 1 ? ", " : "") (i == number ? text : $i)
            print made end; next } { print }' good >"$tree/$list"
}
cp "$tree/$list" good
# texts NUMBER: what a column is tried with: all in a soak, one in turn otherwise
texts() {
    local all=('""' misspelt none)
    [ -z "${HBG_SOAK:-}" ] || { echo "${all[*]}"; return; }
    echo "${all[$1 % 3]}"
}
# shellcheck disable=SC2086
printf '%s %s\n' $columns | while read -r number file; do
    compiles "$file" || { cat log >&2; fail "$file does not compile"; }
    for text in $(texts "$number"); do
        [ "$text" != '""' ] || text=
        with_column "$number" "$text"
        ! cmp -s good "$tree/$list" || fail "column $number was not changed"
        if compiles "$file"; then fail "$file compiles with column $number of asinh as \"$text\""; fi
    done
    cp good "$tree/$list"
done
