/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms as formulas. Values are finite part plus pulse and compared lexicographically, areas first (semantics, section 2);
 * nothing is rounded and there is no band of equality. */
#include <stdarg.h>

#include "verify/group_impl.h"

/* ---- what is not defined everywhere ------------------------------------------------------------------------ */

static void note_undefined(group_proof *proof, const char *text) {
    for (int32_t i = 0; i < proof->undefined.count; i++)
        if (strcmp(proof->undefined.items[i], text) == 0) return;
    HBG_PUSH(proof->arena, proof->undefined, text);
}

void hbg_group_require(group_proof *proof, formula condition, const char *format, ...) {
    formulas *f = &proof->f;
    if (condition == f->yes) return;
    if (!proof->collects && hbg_formulas_check(f, hbg_formula_not(f, condition)) == ANSWER_NONE) {
        hbg_formulas_assert(f, condition);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const char *text = hbg_arena_vprint(proof->arena, format, arguments);
    va_end(arguments);
    if (proof->collects) {
        proof->collected = hbg_formula_and(f, proof->collected, condition);
        if (!proof->collected_text) proof->collected_text = text;
        return;
    }
    note_undefined(proof, text);
    bool anywhere = hbg_formulas_check(f, NULL) != ANSWER_NONE;
    hbg_formulas_assert(f, condition);
    // a proof that leaves everything out would be none
    if (anywhere && hbg_formulas_check(f, NULL) == ANSWER_NONE && !proof->impossible)
        proof->impossible = text;
}

void hbg_value_require(group_proof *proof, formula condition, const char *format, ...) {
    formulas *f = &proof->f;
    if (condition == f->yes) return;
    proof->pending = proof->pending ? hbg_formula_and(f, proof->pending, condition) : condition;
    if (proof->pending_text) return;
    va_list arguments;
    va_start(arguments, format);
    proof->pending_text = hbg_arena_vprint(proof->arena, format, arguments);
    va_end(arguments);
}

static const char *term_text(group_proof *proof, hbg_exact_term term) {
    hbg_buffer text;
    hbg_buffer_init(&text, proof->arena);
    hbg_eqn_exact_print(proof->eqn, term, &text);
    return text.data;
}

/* ---- truths and numbers ------------------------------------------------------------------------------------ */

static exact_value number(formula fin) {
    return (exact_value){fin, NULL, false};
}

static exact_value truth(formula fin) {
    return (exact_value){fin, NULL, true};
}

formula hbg_value_truth(group_proof *proof, exact_value value) {
    formulas *f = &proof->f;
    return value.is_truth ? value.fin : hbg_formula_not(f, hbg_formula_equal(f, value.fin, f->zero));
}

formula hbg_value_number(group_proof *proof, exact_value value) {
    formulas *f = &proof->f;
    return value.is_truth ? hbg_formula_choose(f, value.fin, f->one, f->zero) : value.fin;
}

static formula area_of(group_proof *proof, exact_value value) {
    return value.area ? value.area : proof->f.zero;
}

/* ---- relations --------------------------------------------------------------------------------------------- */

/* a < b, or a <= b, or a == b: by areas, and by finite parts where these are equal. */
static formula compare(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    formula left = hbg_value_number(proof, a), right = hbg_value_number(proof, b);
    formula fin = op == HBG_OP_LESS         ? hbg_formula_less(f, left, right)
                  : op == HBG_OP_LESS_EQUAL ? hbg_formula_less_equal(f, left, right)
                                            : hbg_formula_equal(f, left, right);
    if (!a.area && !b.area) return fin;
    formula same = hbg_formula_equal(f, area_of(proof, a), area_of(proof, b));
    formula decided = hbg_formula_and(f, same, fin);
    if (op == HBG_OP_EQUAL) return decided;
    return hbg_formula_or(f, hbg_formula_less(f, area_of(proof, a), area_of(proof, b)), decided);
}

static formula relation(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    switch (op) {
    case HBG_OP_GREATER: return compare(proof, HBG_OP_LESS, b, a);
    case HBG_OP_GREATER_EQUAL: return compare(proof, HBG_OP_LESS_EQUAL, b, a);
    case HBG_OP_NOT_EQUAL: return hbg_formula_not(f, compare(proof, HBG_OP_EQUAL, a, b));
    default: return compare(proof, op, a, b);
    }
}

/* ---- arithmetic -------------------------------------------------------------------------------------------- */

static exact_value sum(group_proof *proof, exact_value a, exact_value b, bool minus) {
    formulas *f = &proof->f;
    formula left = hbg_value_number(proof, a), right = hbg_value_number(proof, b);
    exact_value result =
        number(minus ? hbg_formula_subtract(f, left, right) : hbg_formula_add(f, left, right));
    if (!a.area && !b.area) return result;
    formula x = area_of(proof, a), y = area_of(proof, b);
    result.area = minus ? hbg_formula_subtract(f, x, y) : hbg_formula_add(f, x, y);
    return result;
}

static exact_value scaled(group_proof *proof, exact_value a, formula factor) {
    formulas *f = &proof->f;
    exact_value result = number(hbg_formula_multiply(f, hbg_value_number(proof, a), factor));
    if (a.area) result.area = hbg_formula_multiply(f, a.area, factor);
    return result;
}

/* A product of two pulses has no meaning. */
static exact_value product(group_proof *proof, exact_value a, exact_value b, hbg_exact_term term) {
    formulas *f = &proof->f;
    formula x = hbg_value_number(proof, a), y = hbg_value_number(proof, b);
    if (a.area && b.area)
        hbg_value_require(
            proof,
            hbg_formula_or(f, hbg_formula_equal(f, a.area, f->zero), hbg_formula_equal(f, b.area, f->zero)),
            "`%s` is a product of two pulses", term_text(proof, term));
    exact_value result = number(hbg_formula_multiply(f, x, y));
    if (a.area || b.area)
        result.area = hbg_formula_add(f, hbg_formula_multiply(f, area_of(proof, a), y),
                                      hbg_formula_multiply(f, area_of(proof, b), x));
    return result;
}

static void require_finite(group_proof *proof, exact_value a, hbg_exact_term term) {
    if (a.area)
        hbg_value_require(proof, hbg_formula_equal(&proof->f, a.area, proof->f.zero),
                          "`%s` is no linear function of a pulse", term_text(proof, term));
}

static exact_value quotient(group_proof *proof, exact_value a, exact_value b, hbg_exact_term term) {
    formulas *f = &proof->f;
    require_finite(proof, b, term);
    formula divisor = hbg_value_number(proof, b);
    if (!hbg_formula_is_closed(f, divisor) || hbg_formula_sign(f, divisor) == 0)
        hbg_value_require(proof, hbg_formula_not(f, hbg_formula_equal(f, divisor, f->zero)),
                          "`%s` divides by 0", term_text(proof, term));
    if (divisor == f->zero) return number(f->zero);
    exact_value result = number(hbg_formula_divide(f, hbg_value_number(proof, a), divisor));
    if (a.area) result.area = hbg_formula_divide(f, a.area, divisor);
    return result;
}

/* What is settled by the condition of the way is no choice any more. */
static formula settled(group_proof *proof, formula condition) {
    formulas *f = &proof->f;
    if (condition == f->yes || condition == f->no || f->marks.count == 0 || proof->keeps_choices)
        return condition;
    bool never = hbg_formulas_check(f, condition) == ANSWER_NONE;
    if (!never && hbg_formulas_check(f, hbg_formula_not(f, condition)) != ANSWER_NONE) return condition;
    proof->touched = true; // on other ways it may be otherwise
    return never ? f->no : f->yes;
}

static exact_value choose(group_proof *proof, formula condition, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    condition = settled(proof, condition);
    if (a.is_truth && b.is_truth) return truth(hbg_formula_choose(f, condition, a.fin, b.fin));
    exact_value result =
        number(hbg_formula_choose(f, condition, hbg_value_number(proof, a), hbg_value_number(proof, b)));
    if (a.area || b.area)
        result.area = hbg_formula_choose(f, condition, area_of(proof, a), area_of(proof, b));
    return result;
}

/* ---- operators --------------------------------------------------------------------------------------------- */

static exact_value apply(group_proof *proof, const hbg_exact_node *node, const exact_value *a,
                         hbg_exact_term term) {
    formulas *f = &proof->f;
    exact_value zero = number(f->zero);
    switch (node->op) {
    case HBG_OP_NUMBER: return number(hbg_formula_decimal(f, node->number));
    case HBG_OP_ADD: return sum(proof, a[0], a[1], false);
    case HBG_OP_SUBTRACT: return sum(proof, a[0], a[1], true);
    case HBG_OP_NEGATE: return scaled(proof, a[0], hbg_formula_integer(f, -1));
    case HBG_OP_MULTIPLY: return product(proof, a[0], a[1], term);
    case HBG_OP_DIVIDE: return quotient(proof, a[0], a[1], term);
    case HBG_OP_ABS:
        return choose(proof, compare(proof, HBG_OP_LESS, a[0], zero),
                      scaled(proof, a[0], hbg_formula_integer(f, -1)), a[0]);
    case HBG_OP_MIN: return choose(proof, compare(proof, HBG_OP_LESS_EQUAL, a[0], a[1]), a[0], a[1]);
    case HBG_OP_MAX: return choose(proof, compare(proof, HBG_OP_LESS_EQUAL, a[1], a[0]), a[0], a[1]);
    case HBG_OP_SIGN:
        return choose(proof, compare(proof, HBG_OP_LESS, a[0], zero), number(hbg_formula_integer(f, -1)),
                      choose(proof, compare(proof, HBG_OP_LESS, zero, a[0]), number(f->one), zero));
    case HBG_OP_SELECT: return choose(proof, hbg_value_truth(proof, a[0]), a[1], a[2]);
    case HBG_OP_FINITE: return (exact_value){a[0].fin, NULL, a[0].is_truth};
    case HBG_OP_AND:
        return truth(hbg_formula_and(f, hbg_value_truth(proof, a[0]), hbg_value_truth(proof, a[1])));
    case HBG_OP_OR:
        return truth(hbg_formula_or(f, hbg_value_truth(proof, a[0]), hbg_value_truth(proof, a[1])));
    case HBG_OP_NOT: return truth(hbg_formula_not(f, hbg_value_truth(proof, a[0])));
    case HBG_OP_EQUAL:
    case HBG_OP_NOT_EQUAL:
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return truth(relation(proof, node->op, a[0], a[1]));
    default:
        for (int i = 0; i < node->arity; i++) require_finite(proof, a[i], term);
        return hbg_value_function(proof, node, a, term);
    }
}

/* ---- variables --------------------------------------------------------------------------------------------- */

static bool is_physical(hbg_exact_role role) {
    return role == HBG_EXACT_COMPUTED || role == HBG_EXACT_STATE || role == HBG_EXACT_HELD;
}

/* A rate has the area of what its variable jumps by; only states remember that. */
static exact_value rate_value(exact_scope *scope, const hbg_exact_variable *of, const exact_value *found) {
    group_proof *proof = scope->proof;
    exact_value value = *found;
    if (of->role != HBG_EXACT_STATE || of->view != HBG_EXACT_RATE) return value;
    const exact_value *behind = hbg_values_find(scope->values, of->value);
    if (behind) value.area = hbg_formula_subtract(&proof->f, behind->fin, scope->past->x[of->index]);
    if (value.area == proof->f.zero) value.area = NULL;
    return value;
}

static exact_value a_priori_value(exact_scope *scope, const hbg_exact_variable *of, int32_t variable) {
    group_proof *proof = scope->proof;
    int32_t place = hbg_pair_map_find(&proof->left_of, variable, 0);
    if (of->view == HBG_EXACT_AREA || place < 0) return number(proof->f.zero);
    return scope->past->left[place];
}

/* What guards see: with pulses, or as it was. */
static exact_value seen_value(exact_scope *scope, int32_t variable) {
    group_proof *proof = scope->proof;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, variable);
    if (scope->a_priori && is_physical(of.role)) return a_priori_value(scope, &of, variable);
    if (of.role == HBG_EXACT_IN) {
        exact_value in = scope->past->in[of.index];
        return of.view == HBG_EXACT_AREA ? number(area_of(proof, in)) : in;
    }
    bool computed =
        of.role == HBG_EXACT_COMPUTED || of.role == HBG_EXACT_STATE; // the rest is as the past has it
    const exact_value *found =
        computed && scope->values->values ? hbg_values_find(scope->values, variable) : NULL;
    if (of.view == HBG_EXACT_AREA) return found ? *found : number(proof->f.zero);
    if (!found) {
        exact_value known = hbg_known_value(proof, scope->past, scope->values->of, variable);
        return known.fin ? known : number(proof->f.zero);
    }
    if (of.view != HBG_EXACT_VALUE) return rate_value(scope, &of, found);
    exact_value value = *found;
    const exact_value *area = hbg_values_find(scope->values, of.area);
    if (area && area->fin != proof->f.zero) value.area = area->fin;
    return value;
}

void hbg_scope_init(exact_scope *scope, group_proof *proof, const exact_values *values,
                    const exact_past *past, bool a_priori) {
    *scope = (exact_scope){
        .proof = proof, .variable = seen_value, .values = values, .past = past, .a_priori = a_priori};
    hbg_pair_map_init(&scope->memo, proof->arena);
}

/* ---- all of a term ----------------------------------------------------------------------------------------- */

/* What was settled on a level that is left is not known any more. */
static scope_entry *find_entry(exact_scope *scope, hbg_exact_term term) {
    int32_t place = hbg_pair_map_find(&scope->memo, term, 0);
    if (place < 0) return NULL;
    scope_entry *entry = &scope->results.items[place];
    return hbg_formulas_is_open(&scope->proof->f, entry->level) ? entry : NULL;
}

static void keep(exact_scope *scope, hbg_exact_term term, scope_entry entry) {
    int32_t place = hbg_pair_map_find(&scope->memo, term, 0);
    if (scope->proof->touched) entry.level = hbg_formulas_level(&scope->proof->f);
    if (place >= 0) {
        scope->results.items[place] = entry;
        return;
    }
    hbg_pair_map_add(&scope->memo, term, 0, scope->results.count);
    HBG_PUSH(scope->proof->arena, scope->results, entry);
}

/* Has a value where both have one. */
static void join(group_proof *proof, scope_entry *entry, const scope_entry *argument, formula when) {
    formulas *f = &proof->f;
    if (argument->level.depth > entry->level.depth) entry->level = argument->level;
    if (!argument->defined) return;
    formula defined = hbg_formula_or(f, hbg_formula_not(f, when), argument->defined);
    entry->defined = entry->defined ? hbg_formula_and(f, entry->defined, defined) : defined;
    if (!entry->undefined) entry->undefined = argument->undefined;
}

/* Under which condition an argument matters: `&&`, `||` and `?:` look at one only where it does. */
static formula matters(group_proof *proof, int op, const exact_value *values, int i) {
    formulas *f = &proof->f;
    if (i == 0 || (op != HBG_OP_AND && op != HBG_OP_OR && op != HBG_OP_SELECT)) return f->yes;
    formula first = hbg_value_truth(proof, values[0]);
    bool positive = op == HBG_OP_AND || (op == HBG_OP_SELECT && i == 1);
    return positive ? first : hbg_formula_not(f, first);
}

static scope_entry operate(exact_scope *scope, const hbg_exact_node *node, const scope_entry *arguments,
                           hbg_exact_term term) {
    group_proof *proof = scope->proof;
    exact_value values[3] = {{0}};
    scope_entry entry = {0};
    for (int i = 0; i < node->arity; i++) values[i] = arguments[i].value;
    for (int i = 0; i < node->arity; i++)
        join(proof, &entry, &arguments[i], matters(proof, node->op, values, i));
    proof->pending = NULL;
    proof->pending_text = NULL;
    entry.value = apply(proof, node, values, term);
    scope_entry own = {.defined = proof->pending, .undefined = proof->pending_text};
    join(proof, &entry, &own, proof->f.yes);
    return entry;
}

/* Of a choice that is settled, the branch taken; false if it is not settled. `missing` becomes an argument to look at first. */
static bool take_branch(exact_scope *scope, const hbg_exact_node *node, hbg_exact_term *missing,
                        scope_entry *entry) {
    group_proof *proof = scope->proof;
    const scope_entry *first = find_entry(scope, node->a);
    *missing = HBG_NONE;
    if (!first) {
        *missing = node->a;
        return false;
    }
    formula condition = settled(proof, hbg_value_truth(proof, first->value));
    if (condition != proof->f.yes && condition != proof->f.no) return false;
    hbg_exact_term taken = condition == proof->f.yes ? node->b : node->c;
    const scope_entry *branch = find_entry(scope, taken);
    if (!branch) {
        *missing = taken;
        return false;
    }
    *entry = (scope_entry){.value = branch->value};
    join(proof, entry, first, proof->f.yes);
    join(proof, entry, branch, proof->f.yes);
    return true;
}

/* What a junction that is off has no more is nowhere (semantics, section 1). */
static void need_junction(group_proof *proof, int32_t variable, scope_entry *entry) {
    hbg_buffer name;
    hbg_buffer_init(&name, proof->arena);
    hbg_eqn_exact_name(proof->eqn, variable, &name);
    entry->defined = proof->f.no;
    entry->undefined = hbg_arena_print(proof->arena, "`%s` is read while its junction is off", name.data);
}

/* A value in another state need not be there, nor that of an equation. */
static void add_needs(exact_scope *scope, int32_t variable, scope_entry *entry) {
    group_proof *proof = scope->proof;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, variable);
    if (of.role == HBG_EXACT_UNDEFINED) {
        need_junction(proof, of.value, entry);
        return;
    }
    if (of.role == HBG_EXACT_OPEN) {
        entry->defined = proof->f.no;
        entry->undefined = "a value that nothing determines, where junctions that are off repeat a zero";
        return;
    }
    if (of.role == HBG_EXACT_IN && scope->past) {
        entry->defined = scope->past->in_defined[of.index];
        entry->undefined = scope->past->in_undefined[of.index];
    }
    if (scope->a_priori && is_physical(of.role)) {
        int32_t left = hbg_pair_map_find(&proof->left_of, variable, 0);
        if (of.view == HBG_EXACT_AREA || left < 0) return;
        entry->defined = scope->past->left_defined[left];
        entry->undefined = scope->past->left_undefined[left];
        return;
    }
    if (!scope->values || !scope->values->defined) return;
    const int32_t read[] = {variable, of.area, of.value};
    for (int i = 0; i < 3; i++) {
        int32_t place = read[i] == HBG_NONE ? -1 : hbg_pair_map_find(&scope->values->of->place, read[i], 0);
        if (place < 0) continue;
        scope_entry own = {.defined = scope->values->defined[place],
                           .undefined = scope->values->undefined[place]};
        join(proof, entry, &own, proof->f.yes);
    }
}

typedef HBG_VEC(hbg_exact_term) term_stack;

/* The term on top, if its arguments are known; else these go on top of it. */
static void evaluate_top(exact_scope *scope, term_stack *stack) {
    group_proof *proof = scope->proof;
    hbg_exact_term term = stack->items[stack->count - 1], missing;
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, term);
    const hbg_exact_term terms[] = {node.a, node.b, node.c};
    scope_entry arguments[3], entry;
    memset(arguments, 0, sizeof arguments);
    proof->touched = false;
    if (node.op == HBG_EXACT_VARIABLE) {
        entry = (scope_entry){.value = scope->variable(scope, node.a)};
        add_needs(scope, node.a, &entry);
        keep(scope, term, entry);
        return;
    }
    if (node.op == HBG_OP_SELECT) {
        if (take_branch(scope, &node, &missing, &entry)) {
            keep(scope, term, entry);
            return;
        }
        if (missing != HBG_NONE) {
            HBG_PUSH(proof->arena, *stack, missing);
            return;
        }
    }
    bool ready = true;
    HBG_ASSERT(node.arity <= 3);
    for (int i = 0; i < node.arity; i++) {
        const scope_entry *known = find_entry(scope, terms[i]);
        if (known) {
            arguments[i] = *known;
            continue;
        }
        HBG_PUSH(proof->arena, *stack, terms[i]);
        ready = false;
    }
    if (ready) keep(scope, term, operate(scope, &node, arguments, term));
}

/* Arguments first; only the branch taken of a choice that is settled. */
exact_value hbg_scope_evaluate_when(exact_scope *scope, hbg_exact_term root, formula when) {
    group_proof *proof = scope->proof;
    formulas *f = &proof->f;
    bool touched = proof->touched;
    term_stack stack = {0};
    HBG_PUSH(proof->arena, stack, root);
    while (stack.count > 0) {
        if (find_entry(scope, stack.items[stack.count - 1]))
            stack.count--;
        else
            evaluate_top(scope, &stack);
    }
    scope_entry *entry = find_entry(scope, root);
    exact_value value = entry->value;
    if (entry->defined) {
        hbg_group_require(proof, hbg_formula_or(f, hbg_formula_not(f, when), entry->defined), "%s",
                          entry->undefined);
        if (when == f->yes) { // from now on that is known
            entry->defined = NULL;
            entry->level = hbg_formulas_level(f);
        }
        touched = true;
    }
    proof->touched = touched || entry->level.depth > 0;
    return value;
}

exact_value hbg_scope_evaluate(exact_scope *scope, hbg_exact_term root) {
    return hbg_scope_evaluate_when(scope, root, scope->proof->f.yes);
}
