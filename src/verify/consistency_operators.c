/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operators on exact values, by the rules of pulses (term/pulse.c): here is what these are made of, operators on parts that are
 * formulas, and relations, decided by unbounded parts, areas and finite parts in this order (semantics, sections 2 and 3a). Functions
 * are in consistency_functions.c. */
#include <assert.h>

#include "term/term.h"
#include "verify/group_impl.h"

static const char *term_text(group_proof *proof, hbg_exact_term term) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    hbg_eqn_exact_print(proof->eqn, term, &text);
    return text.data;
}

static exact_value truth(formula fin) {
    return (exact_value){.fin = fin, .is_truth = true};
}

static formula area_of(group_proof *proof, exact_value value) {
    return value.area ? value.area : proof->f.zero;
}

/* Where either is open. */
static formula open_of(group_proof *proof, exact_value a, exact_value b) {
    if (!a.open || !b.open) return a.open ? a.open : b.open;
    return hbg_verify_formula_or(&proof->f, a.open, b.open);
}

/* ---- relations --------------------------------------------------------------------------------------------- */

/* a < b, or a <= b, or a == b: by areas, and by finite parts where these are equal. */
static formula compare_bounded(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    formula left = hbg_verify_value_number(proof, a), right = hbg_verify_value_number(proof, b);
    formula fin = op == HBG_OP_LESS         ? hbg_verify_formula_less(f, left, right)
                  : op == HBG_OP_LESS_EQUAL ? hbg_verify_formula_less_equal(f, left, right)
                                            : hbg_verify_formula_equal(f, left, right);
    if (!a.area && !b.area) return fin;
    formula same = hbg_verify_formula_equal(f, area_of(proof, a), area_of(proof, b));
    formula decided = hbg_verify_formula_and(f, same, fin);
    if (op == HBG_OP_EQUAL) return decided;
    return hbg_verify_formula_or(f, hbg_verify_formula_less(f, area_of(proof, a), area_of(proof, b)),
                                 decided);
}

/* Before that by unbounded parts. Where a side has nothing else and these are equal, it is open. */
static exact_value compare(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    exact_value result = truth(compare_bounded(proof, op, a, b));
    formula open = open_of(proof, a, b);
    if (!open) return result;
    formula decides = hbg_verify_far_decides(proof, a, b), less = hbg_verify_far_less(proof, a, b);
    formula by_far = op == HBG_OP_EQUAL ? f->no : less;
    formula known = hbg_verify_formula_and(f, hbg_verify_formula_not(f, open), result.fin);
    result.fin = hbg_verify_formula_or(f, hbg_verify_formula_and(f, open, by_far), known);
    result.open = hbg_verify_formula_and(f, open, hbg_verify_formula_not(f, decides));
    return result;
}

static exact_value negated(group_proof *proof, exact_value a) {
    formulas *f = &proof->f;
    exact_value result = truth(hbg_verify_formula_not(f, hbg_verify_value_truth(proof, a)));
    if (!a.open) return result;
    result.fin = hbg_verify_formula_and(f, result.fin, hbg_verify_formula_not(f, a.open));
    result.open = a.open;
    return result;
}

/* Sides that are the same for all energies never become equal: such an edge is not crossed, for example by
 * the current of a diode that conducts in series with one that blocks. */
static bool moves(group_proof *proof, exact_value a, exact_value b) {
    formula apart = hbg_verify_formula_subtract(&proof->f, hbg_verify_value_number(proof, a),
                                                hbg_verify_value_number(proof, b));
    return hbg_verify_formula_to_double(&proof->f, apart) != 0;
}

static exact_value relation(group_proof *proof, int op, exact_value a, exact_value b) {
    if (proof->evaluation.closes && (op == HBG_OP_LESS || op == HBG_OP_GREATER) && moves(proof, a, b))
        op = op == HBG_OP_LESS ? HBG_OP_LESS_EQUAL : HBG_OP_GREATER_EQUAL;
    switch (op) {
    case HBG_OP_GREATER: return compare(proof, HBG_OP_LESS, b, a);
    case HBG_OP_GREATER_EQUAL: return compare(proof, HBG_OP_LESS_EQUAL, b, a);
    case HBG_OP_NOT_EQUAL: return negated(proof, compare(proof, HBG_OP_EQUAL, a, b));
    default: return compare(proof, op, a, b);
    }
}

/* What the condition of the way decides is no choice any more. */
formula hbg_verify_value_settled(group_proof *proof, formula condition) {
    formulas *f = &proof->f;
    if (condition == f->yes || condition == f->no) return condition;
    proof->evaluation.rests = true; // on other ways it may be different
    if (f->levels.marks.count == 0 || proof->evaluation.keeps_choices) return condition;
    bool never = hbg_verify_formulas_try(f, condition) == ANSWER_NONE;
    if (!never && hbg_verify_formulas_try(f, hbg_verify_formula_not(f, condition)) != ANSWER_NONE)
        return condition;
    proof->evaluation.touched = true;
    return never ? f->no : f->yes;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

/* A number, or a truth that may be left open: neither. */
typedef struct {
    formula value;
    bool is_truth;
    formula open; /* of a truth; NULL: nowhere */
} part;

enum { PARTS = 96 }; /* more than any rule makes, with those of three arguments */

/* An operator while its rule is followed: parts are identified by numbers. */
typedef struct {
    group_proof *proof;
    const hbg_exact_node *node;
    const exact_value *a;
    hbg_exact_term term;
    part parts[PARTS];
    int32_t count;
    formula condition, settled; /* what was settled last */
} operation;

static hbg_term add_part(operation *of, part made) {
    HBG_ASSERT(of->count < PARTS);
    of->parts[of->count] = made;
    return of->count++;
}

/* Equal parts have one number. */
static hbg_term number_part(operation *of, formula value) {
    for (int32_t i = 0; i < of->count; i++)
        if (of->parts[i].value == value && !of->parts[i].open) return i;
    return add_part(of, (part){.value = value});
}

static hbg_term truth_part(operation *of, formula value, formula open) {
    return add_part(of, (part){value, true, open});
}

static exact_value value_of(part of) {
    return (exact_value){.fin = of.value, .is_truth = of.is_truth, .open = of.open};
}

static formula number_of(operation *of, hbg_term at) {
    return hbg_verify_value_number(of->proof, value_of(of->parts[at]));
}

static formula truth_of(operation *of, hbg_term at) {
    return hbg_verify_value_truth(of->proof, value_of(of->parts[at]));
}

static formula formula_of(const operation *of, hbg_term at) {
    return at == HBG_NONE ? NULL : of->parts[at].value;
}

static hbg_term_value parts_of(operation *of, exact_value value) {
    hbg_term_value made = HBG_TERM_NO_VALUE;
    made.fin = value.is_truth ? truth_part(of, value.fin, value.open) : number_part(of, value.fin);
    if (value.area) made.area = number_part(of, value.area);
    if (value.open && !value.is_truth) made.open = truth_part(of, value.open, NULL);
    for (int k = 0; k < FAR_ORDERS; k++)
        if (value.far[k]) made.far[k] = number_part(of, value.far[k]);
    return made;
}

static exact_value value_by_parts(operation *of, hbg_term_value parts) {
    exact_value made = {.fin = of->proof->f.zero};
    if (parts.fin != HBG_NONE) made = value_of(of->parts[parts.fin]);
    formula open = formula_of(of, parts.open);
    made.area = formula_of(of, parts.area);
    if (open) made.open = made.open ? hbg_verify_formula_or(&of->proof->f, made.open, open) : open;
    for (int k = 0; k < FAR_ORDERS; k++) made.far[k] = formula_of(of, parts.far[k]);
    return made;
}

/* ---- operators on parts ------------------------------------------------------------------------------------ */

static formula settle(operation *of, formula condition) {
    if (of->condition == condition) return of->settled;
    of->condition = condition;
    return of->settled = hbg_verify_value_settled(of->proof, condition);
}

/* Where the condition is open neither branch is taken. */
static hbg_term choose(operation *of, hbg_term by, hbg_term a, hbg_term b) {
    formulas *f = &of->proof->f;
    const part *x = &of->parts[a], *y = &of->parts[b];
    formula open = of->parts[by].open, condition = truth_of(of, by);
    if (!open) condition = settle(of, condition);
    if (!x->is_truth && !y->is_truth) {
        formula taken = hbg_verify_formula_choose(f, condition, x->value, y->value);
        return number_part(of, open ? hbg_verify_formula_choose(f, open, f->zero, taken) : taken);
    }
    formula taken = hbg_verify_formula_choose(f, condition, truth_of(of, a), truth_of(of, b));
    formula left = NULL;
    if (x->open || y->open)
        left = hbg_verify_formula_choose(f, condition, x->open ? x->open : f->no, y->open ? y->open : f->no);
    if (!open) return truth_part(of, taken, left);
    return truth_part(of, hbg_verify_formula_and(f, taken, hbg_verify_formula_not(f, open)),
                      left ? hbg_verify_formula_or(f, left, open) : open);
}

static hbg_term choose_number(operation *of, formula condition, formula a, formula b) {
    return number_part(of, hbg_verify_formula_choose(&of->proof->f, settle(of, condition), a, b));
}

/* A known argument may decide alone. */
static hbg_term join(operation *of, bool both, hbg_term a, hbg_term b) {
    formulas *f = &of->proof->f;
    exact_value x = value_of(of->parts[a]), y = value_of(of->parts[b]);
    formula left = hbg_verify_value_truth(of->proof, x), right = hbg_verify_value_truth(of->proof, y);
    formula holds = both ? hbg_verify_formula_and(f, left, right) : hbg_verify_formula_or(f, left, right);
    formula open = open_of(of->proof, x, y);
    if (!open) return truth_part(of, holds, NULL);
    formula decided =
        both ? hbg_verify_formula_or(f, negated(of->proof, x).fin, negated(of->proof, y).fin) : holds;
    return truth_part(of, holds, hbg_verify_formula_and(f, open, hbg_verify_formula_not(f, decided)));
}

/* For two truths, as where values are open, the greater is that either holds. */
static hbg_term extreme(operation *of, bool greater, hbg_term a, hbg_term b) {
    formulas *f = &of->proof->f;
    if (of->parts[a].is_truth) return join(of, !greater, a, b);
    formula x = number_of(of, a), y = number_of(of, b);
    formula first = greater ? hbg_verify_formula_less_equal(f, y, x) : hbg_verify_formula_less_equal(f, x, y);
    return choose_number(of, first, x, y);
}

static hbg_term sign(operation *of, formula a) {
    formulas *f = &of->proof->f;
    hbg_term above = choose_number(of, hbg_verify_formula_less(f, f->zero, a), f->one, f->zero);
    return choose_number(of, hbg_verify_formula_less(f, a, f->zero), hbg_verify_formula_integer(f, -1),
                         number_of(of, above));
}

static hbg_term divide(operation *of, formula a, formula divisor) {
    formulas *f = &of->proof->f;
    if (!hbg_verify_formula_is_closed(f, divisor) || hbg_verify_formula_sign(f, divisor) == 0)
        hbg_verify_value_require(of->proof,
                                 hbg_verify_formula_not(f, hbg_verify_formula_equal(f, divisor, f->zero)),
                                 "`%s` divides by 0", term_text(of->proof, of->term));
    return number_part(of, divisor == f->zero ? f->zero : hbg_verify_formula_divide(f, a, divisor));
}

static hbg_term arithmetic(operation *of, int op, formula a, formula b) {
    formulas *f = &of->proof->f;
    switch (op) {
    case HBG_OP_ADD: return number_part(of, hbg_verify_formula_add(f, a, b));
    case HBG_OP_SUBTRACT: return number_part(of, hbg_verify_formula_subtract(f, a, b));
    case HBG_OP_MULTIPLY: return number_part(of, hbg_verify_formula_multiply(f, a, b));
    default: return divide(of, a, b);
    }
}

static hbg_term make(void *owner, int op, hbg_term a, hbg_term b, hbg_term c) {
    operation *of = owner;
    formulas *f = &of->proof->f;
    switch (op) {
    case HBG_OP_NUMBER: return number_part(of, hbg_verify_formula_decimal(f, of->node->number));
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_MULTIPLY:
    case HBG_OP_DIVIDE: return arithmetic(of, op, number_of(of, a), number_of(of, b));
    case HBG_OP_NEGATE: return number_part(of, hbg_verify_formula_negate(f, number_of(of, a)));
    case HBG_OP_SELECT: return choose(of, a, b, c);
    case HBG_OP_AND:
    case HBG_OP_OR: return join(of, op == HBG_OP_AND, a, b);
    case HBG_OP_NOT: {
        exact_value made = negated(of->proof, value_of(of->parts[a]));
        return truth_part(of, made.fin, made.open);
    }
    case HBG_OP_ABS: {
        formula value = number_of(of, a);
        return choose_number(of, hbg_verify_formula_less(f, value, f->zero),
                             hbg_verify_formula_negate(f, value), value);
    }
    case HBG_OP_MIN:
    case HBG_OP_MAX: return extreme(of, op == HBG_OP_MAX, a, b);
    case HBG_OP_SIGN: return sign(of, number_of(of, a));
    default: { // of finite parts
        exact_value made = hbg_verify_value_function(of->proof, of->node, of->a, of->term);
        return made.is_truth ? truth_part(of, made.fin, made.open) : number_part(of, made.fin);
    }
    }
}

static hbg_term integer(void *owner, int32_t value) {
    operation *of = owner;
    return number_part(of, hbg_verify_formula_integer(&of->proof->f, value));
}

/* abs, min, max and sign take the argument that is not larger; where neither is, either is as good. */
static hbg_term compare_parts(void *owner, hbg_term term, int op, hbg_term_value a, hbg_term_value b) {
    operation *of = owner;
    exact_value made = relation(of->proof, op, value_by_parts(of, a), value_by_parts(of, b));
    return truth_part(of, made.fin, term == HBG_NONE ? NULL : made.open);
}

static void refuse_open(operation *of, exact_value a) {
    formulas *f = &of->proof->f;
    if (!a.open) return;
    formula unbounded = hbg_verify_formula_and(f, a.open, hbg_verify_far_is_unbounded(of->proof, a));
    hbg_verify_value_require(of->proof, hbg_verify_formula_not(f, unbounded),
                             "`%s` is no linear function of an unbounded value",
                             term_text(of->proof, of->term));
}

static void refuse(void *owner, hbg_term term, hbg_term_value a, hbg_term_value b) {
    operation *of = owner;
    formulas *f = &of->proof->f;
    exact_value x = value_by_parts(of, a), y = value_by_parts(of, b);
    (void)term;
    if (a.open != HBG_NONE || b.open != HBG_NONE) {
        refuse_open(of, x);
        refuse_open(of, y);
        return;
    }
    formula none = hbg_verify_formula_equal(f, x.area, f->zero);
    if (x.area != y.area) none = hbg_verify_formula_or(f, none, hbg_verify_formula_equal(f, y.area, f->zero));
    hbg_verify_value_require(of->proof, none,
                             of->node->op == HBG_OP_MULTIPLY ? "`%s` is a product of two pulses"
                                                             : "`%s` is no linear function of a pulse",
                             term_text(of->proof, of->term));
}

static hbg_term openness(void *owner, hbg_term_value condition) {
    operation *of = owner;
    const part *at = &of->parts[condition.fin];
    if (!at->is_truth || !at->open) return condition.open;
    return truth_part(of, at->open, NULL);
}

/* ---- operators --------------------------------------------------------------------------------------------- */

/* Whether a term is a parameter, or made of parameters: it stands still. */
static bool is_constant(group_proof *proof, hbg_exact_term root) {
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, root);
    const hbg_exact_term arguments[] = {node.a, node.b, node.c};
    assert(node.arity <= 3);
    if (node.op == HBG_EXACT_VARIABLE)
        return hbg_eqn_exact_variable(proof->eqn, node.a).role == HBG_EXACT_PARAM;
    for (int i = 0; i < node.arity; i++)
        if (!is_constant(proof, arguments[i])) return false;
    return true;
}

exact_value hbg_verify_value_apply(group_proof *proof, const hbg_exact_node *node, const exact_value *a,
                                   hbg_exact_term term) {
    operation of = {.proof = proof, .node = node, .a = a, .term = term};
    const hbg_exact_term arguments[] = {node->a, node->b};
    hbg_term_value parts[3] = {HBG_TERM_NO_VALUE, HBG_TERM_NO_VALUE, HBG_TERM_NO_VALUE};
    hbg_term_operation rule = {.op = node->op, .term = term, .a = parts};
    const hbg_term_algebra by = {.owner = &of,
                                 .make = make,
                                 .integer = integer,
                                 .compare = compare_parts,
                                 .refuse = refuse,
                                 .openness = openness,
                                 .nothing = HBG_NONE};
    for (int i = 0; i < node->arity; i++) parts[i] = parts_of(&of, a[i]);
    for (int i = 0; i < 2 && i < node->arity; i++) // where an unbounded value is scaled
        rule.constant[i] = a[1 - i].open && is_constant(proof, arguments[i]);
    return value_by_parts(&of, hbg_term_operate(&by, rule));
}
