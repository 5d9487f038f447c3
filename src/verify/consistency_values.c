/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms as formulas. Values are a finite part plus a pulse and are compared lexicographically, areas first
 * (semantics, section 2); nothing is rounded and there is no band of equality. */
#include <stdarg.h>

#include "verify/group_impl.h"

/* ---- what is not defined everywhere ------------------------------------------------------------------------ */

static void note_undefined(group_proof *proof, const char *text) {
    for (int32_t i = 0; i < proof->doubts.undefined.count; i++)
        if (strcmp(proof->doubts.undefined.items[i], text) == 0) return;
    HBG_PUSH(proof->arena, proof->doubts.undefined, text);
}

void hbg_verify_group_require(group_proof *proof, formula condition, const char *format, ...) {
    formulas *f = &proof->f;
    if (condition == f->yes) return;
    if (!proof->evaluation.collects &&
        hbg_verify_formulas_try(f, hbg_verify_formula_not(f, condition)) == ANSWER_NONE) {
        hbg_verify_formulas_assert(f, condition);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const char *text = hbg_base_arena_vprint(proof->arena, format, arguments);
    va_end(arguments);
    if (proof->evaluation.collects) {
        proof->evaluation.collected = hbg_verify_formula_and(f, proof->evaluation.collected, condition);
        if (!proof->evaluation.collected_text) proof->evaluation.collected_text = text;
        return;
    }
    note_undefined(proof, text);
    bool anywhere = hbg_verify_formulas_try(f, NULL) != ANSWER_NONE;
    hbg_verify_formulas_assert(f, condition);
    // a proof that leaves everything out would prove nothing
    if (anywhere && hbg_verify_formulas_try(f, NULL) == ANSWER_NONE && !proof->doubts.impossible)
        proof->doubts.impossible = text;
}

void hbg_verify_value_require(group_proof *proof, formula condition, const char *format, ...) {
    formulas *f = &proof->f;
    if (condition == f->yes) return;
    proof->evaluation.pending = proof->evaluation.pending
                                    ? hbg_verify_formula_and(f, proof->evaluation.pending, condition)
                                    : condition;
    if (proof->evaluation.pending_text) return;
    va_list arguments;
    va_start(arguments, format);
    proof->evaluation.pending_text = hbg_base_arena_vprint(proof->arena, format, arguments);
    va_end(arguments);
}

/* ---- truths and numbers ------------------------------------------------------------------------------------ */

static exact_value number(formula fin) {
    return (exact_value){.fin = fin};
}

formula hbg_verify_value_truth(group_proof *proof, exact_value value) {
    formulas *f = &proof->f;
    if (value.is_truth) return value.fin;
    formula holds = hbg_verify_formula_not(f, hbg_verify_formula_equal(f, value.fin, f->zero));
    return value.open ? hbg_verify_formula_and(f, holds, hbg_verify_formula_not(f, value.open)) : holds;
}

formula hbg_verify_value_number(group_proof *proof, exact_value value) {
    formulas *f = &proof->f;
    return value.is_truth ? hbg_verify_formula_choose(f, value.fin, f->one, f->zero) : value.fin;
}

exact_terms hbg_verify_terms_below(group_proof *proof, hbg_exact_term root) {
    exact_terms list = {0};
    hbg_pair_map seen;
    HBG_PUSH(proof->arena, list, root);
    hbg_base_pair_map_init(&seen, proof->arena);
    hbg_base_pair_map_add(&seen, root, 0, 0);
    for (int32_t i = 0; i < list.count; i++) {
        hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, list.items[i]);
        const hbg_exact_term arguments[] = {node.a, node.b, node.c};
        for (int k = 0; k < 3 && k < node.arity && node.op != HBG_EXACT_VARIABLE; k++) {
            if (hbg_base_pair_map_find(&seen, arguments[k], 0) >= 0) continue;
            hbg_base_pair_map_add(&seen, arguments[k], 0, 0);
            HBG_PUSH(proof->arena, list, arguments[k]);
        }
    }
    return list;
}

/* ---- variables --------------------------------------------------------------------------------------------- */

static bool is_physical(hbg_exact_role role) {
    return role == HBG_EXACT_COMPUTED || role == HBG_EXACT_STATE || role == HBG_EXACT_HELD;
}

/* The area of a rate is the jump of its variable; only states remember that. */
static exact_value rate_value(exact_scope *scope, const hbg_exact_variable *of, const exact_value *found) {
    group_proof *proof = scope->proof;
    exact_value value = *found;
    if (of->role != HBG_EXACT_STATE || of->view != HBG_EXACT_RATE) return value;
    const exact_value *behind = hbg_verify_values_find(scope->values, of->value);
    if (behind) value.area = hbg_verify_formula_subtract(&proof->f, behind->fin, scope->past->x[of->index]);
    if (value.area == proof->f.zero) value.area = NULL;
    return value;
}

/* The area of a variable, where it has one. */
static formula area_of(const exact_scope *scope, const hbg_exact_variable *of) {
    const exact_value *area = hbg_verify_values_find(scope->values, of->area);
    return area && area->fin != scope->proof->f.zero ? area->fin : NULL;
}

/* Its past value, in a collision with the pulse that it brings. */
static exact_value a_priori_value(exact_scope *scope, const hbg_exact_variable *of, int32_t variable) {
    group_proof *proof = scope->proof;
    int32_t place = hbg_base_pair_map_find(&proof->left_of, variable, 0);
    bool pulses = scope->struck && of->role != HBG_EXACT_HELD && scope->values->values;
    const exact_value *found = pulses ? hbg_verify_values_find(scope->values, variable) : NULL;
    if (of->view == HBG_EXACT_AREA) return found ? *found : number(proof->f.zero);
    exact_value value = place < 0 ? number(proof->f.zero) : scope->past->left[place];
    if (!found) return value;
    value.area = of->view == HBG_EXACT_VALUE ? area_of(scope, of) : rate_value(scope, of, found).area;
    return value;
}

/* What guards see of a mode that is not shorted: with pulses, or the past values. */
static exact_value bounded_value(exact_scope *scope, int32_t variable) {
    group_proof *proof = scope->proof;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, variable);
    if (scope->a_priori && is_physical(of.role)) return a_priori_value(scope, &of, variable);
    if (of.role == HBG_EXACT_IN) {
        exact_value in = scope->past->in[of.index];
        if (of.view != HBG_EXACT_AREA) return in;
        exact_value area = number(in.area ? in.area : proof->f.zero);
        area.open = in.open;
        return area;
    }
    bool computed = of.role == HBG_EXACT_COMPUTED || of.role == HBG_EXACT_STATE; // the rest is as in the past
    const exact_value *found =
        computed && scope->values->values ? hbg_verify_values_find(scope->values, variable) : NULL;
    if (of.view == HBG_EXACT_AREA) return found ? *found : number(proof->f.zero);
    if (!found) {
        exact_value known = hbg_verify_known_value(proof, scope->past, scope->values->of, variable);
        return known.fin ? known : number(proof->f.zero);
    }
    if (of.view != HBG_EXACT_VALUE) return rate_value(scope, &of, found);
    exact_value value = *found;
    formula area = area_of(scope, &of);
    if (area) value.area = area;
    return value;
}

/* What guards see. */
static exact_value seen_value(exact_scope *scope, int32_t variable) {
    exact_value value = bounded_value(scope, variable);
    hbg_exact_variable of = hbg_eqn_exact_variable(scope->proof->eqn, variable);
    bool decided = of.role == HBG_EXACT_COMPUTED || of.role == HBG_EXACT_STATE;
    if (!scope->shorted || scope->a_priori || !decided) return value;
    return hbg_verify_far_value(scope, variable, value);
}

void hbg_verify_scope_init(exact_scope *scope, group_proof *proof, const exact_values *values,
                           const exact_past *past, bool a_priori) {
    *scope = (exact_scope){
        .proof = proof, .variable = seen_value, .values = values, .past = past, .a_priori = a_priori};
    if (values && values->far) scope->shorted = values->far->shorted;
    hbg_base_pair_map_init(&scope->memo, proof->arena);
}

exact_scope *hbg_verify_scope_seen(group_proof *proof, exact_values *values, const exact_past *past,
                                   bool shorted) {
    bool kept = values->kept && !past->first_pass;
    if (kept && values->seen[shorted]) return values->seen[shorted];
    exact_scope *made = HBG_NEW(proof->arena, exact_scope);
    exact_past *own = HBG_NEW(proof->arena, exact_past);
    *own = *past;
    hbg_verify_scope_init(made, proof, values, own, false);
    made->shorted = shorted ? proof->f.yes : NULL;
    if (kept) values->seen[shorted] = made;
    return made;
}

/* ---- all of a term ----------------------------------------------------------------------------------------- */

/* What was decided on a level is forgotten when the level is left. */
static scope_entry *find_entry(exact_scope *scope, hbg_exact_term term) {
    int32_t place = hbg_base_pair_map_find(&scope->memo, term, 0);
    if (place < 0) return NULL;
    scope_entry *entry = &scope->results.items[place];
    return hbg_verify_formulas_is_open(&scope->proof->f, entry->level) ? entry : NULL;
}

static void keep(exact_scope *scope, hbg_exact_term term, scope_entry entry) {
    int32_t place = hbg_base_pair_map_find(&scope->memo, term, 0);
    if (scope->proof->evaluation.touched) entry.level = hbg_verify_formulas_level(&scope->proof->f);
    if (place >= 0) {
        scope->results.items[place] = entry;
        return;
    }
    hbg_base_pair_map_add(&scope->memo, term, 0, scope->results.count);
    HBG_PUSH(scope->proof->arena, scope->results, entry);
}

/* Has a value where both have one. */
static void join(group_proof *proof, scope_entry *entry, const scope_entry *argument, formula when) {
    formulas *f = &proof->f;
    if (argument->level.depth > entry->level.depth) entry->level = argument->level;
    if (!argument->defined) return;
    formula defined = hbg_verify_formula_or(f, hbg_verify_formula_not(f, when), argument->defined);
    entry->defined = entry->defined ? hbg_verify_formula_and(f, entry->defined, defined) : defined;
    if (!entry->undefined) entry->undefined = argument->undefined;
}

/* Under which condition an argument matters: `&&`, `||` and `?:` look at one only where it decides. */
static formula matters(group_proof *proof, int op, const exact_value *values, int i) {
    formulas *f = &proof->f;
    if (i == 0 || (op != HBG_OP_AND && op != HBG_OP_OR && op != HBG_OP_SELECT)) return f->yes;
    formula first = hbg_verify_value_truth(proof, values[0]);
    bool positive = op == HBG_OP_AND || (op == HBG_OP_SELECT && i == 1);
    return positive ? first : hbg_verify_formula_not(f, first);
}

static scope_entry operate(exact_scope *scope, const hbg_exact_node *node, const scope_entry *arguments,
                           hbg_exact_term term) {
    group_proof *proof = scope->proof;
    exact_value values[3] = {{0}};
    scope_entry entry = {0};
    for (int i = 0; i < node->arity; i++) values[i] = arguments[i].value;
    for (int i = 0; i < node->arity; i++)
        join(proof, &entry, &arguments[i], matters(proof, node->op, values, i));
    proof->evaluation.pending = NULL;
    proof->evaluation.pending_text = NULL;
    entry.value = hbg_verify_value_apply(proof, node, values, term);
    scope_entry own = {.defined = proof->evaluation.pending, .undefined = proof->evaluation.pending_text};
    join(proof, &entry, &own, proof->f.yes);
    return entry;
}

/* Of a choice that is decided, the branch taken; false if it is not decided. `missing` becomes an argument to
 * evaluate first. */
static bool take_branch(exact_scope *scope, const hbg_exact_node *node, hbg_exact_term *missing,
                        scope_entry *entry) {
    group_proof *proof = scope->proof;
    const scope_entry *first = find_entry(scope, node->a);
    *missing = HBG_NONE;
    if (!first) {
        *missing = node->a;
        return false;
    }
    if (first->value.open) return false; // it may be neither
    formula condition = hbg_verify_value_settled(proof, hbg_verify_value_truth(proof, first->value));
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

/* A variable of a junction that is off has no value anywhere (semantics, section 1). */
static void need_junction(group_proof *proof, int32_t variable, scope_entry *entry) {
    hbg_buffer name;
    hbg_base_buffer_init(&name, proof->arena);
    hbg_eqn_exact_name(proof->eqn, variable, &name);
    entry->defined = proof->f.no;
    entry->undefined =
        hbg_base_arena_print(proof->arena, "`%s` is read while its junction is off", name.data);
}

/* The equations of these variables must have a value. */
static void add_equations(exact_scope *scope, const int32_t *read, int count, scope_entry *entry) {
    for (int i = 0; i < count; i++) {
        int32_t place =
            read[i] == HBG_NONE ? -1 : hbg_base_pair_map_find(&scope->values->of->place, read[i], 0);
        if (place < 0) continue;
        scope_entry own = {.defined = scope->values->defined[place],
                           .undefined = scope->values->undefined[place]};
        join(scope->proof, entry, &own, scope->proof->f.yes);
    }
}

/* Past values existed then; the pulse of a collision is that of an equation now. */
static void add_past_needs(exact_scope *scope, const hbg_exact_variable *of, int32_t variable,
                           scope_entry *entry) {
    int32_t left = hbg_base_pair_map_find(&scope->proof->left_of, variable, 0);
    const int32_t pulse = of->view == HBG_EXACT_AREA    ? variable
                          : of->view == HBG_EXACT_VALUE ? of->area
                                                        : of->value;
    if (of->view != HBG_EXACT_AREA && left >= 0) {
        entry->defined = scope->past->left_defined[left];
        entry->undefined = scope->past->left_undefined[left];
    }
    if (scope->struck && scope->values && scope->values->defined) add_equations(scope, &pulse, 1, entry);
}

/* A value in another state need not exist, nor that of an equation. */
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
        add_past_needs(scope, &of, variable, entry);
        return;
    }
    const int32_t read[] = {variable, of.area, of.value};
    if (scope->values && scope->values->defined) add_equations(scope, read, 3, entry);
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
    proof->evaluation.touched = false;
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

/* Arguments first; of a decided choice only the branch taken. */
exact_value hbg_verify_scope_evaluate_when(exact_scope *scope, hbg_exact_term root, formula when) {
    group_proof *proof = scope->proof;
    formulas *f = &proof->f;
    bool touched = proof->evaluation.touched;
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
        hbg_verify_group_require(proof,
                                 hbg_verify_formula_or(f, hbg_verify_formula_not(f, when), entry->defined),
                                 "%s", entry->undefined);
        if (when == f->yes) { // from now on that is known
            entry->defined = NULL;
            entry->level = hbg_verify_formulas_level(f);
        }
        touched = true;
    }
    proof->evaluation.touched = touched || entry->level.depth > 0;
    return value;
}

exact_value hbg_verify_scope_evaluate(exact_scope *scope, hbg_exact_term root) {
    return hbg_verify_scope_evaluate_when(scope, root, scope->proof->f.yes);
}
