/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms of the composition as formulas. A variable has one symbol while time advances and after a jump, and
 * one before it. Parameters are numbers. What is not a polynomial is a separate symbol; a constant that is no
 * fraction is a number of 16 digits. */
#include <math.h>

#include "verify/paper_impl.h"

#define POWER_LIMIT 8

/* ---- symbols ---------------------------------------------------------------------------------------------------------- */

static formula make_symbol(paper_work *work, const hbg_process_variable *variable, const char *behind) {
    formulas *f = &work->proof->f;
    const char *name = hbg_base_arena_print(work->arena, "%s%s", variable->name, behind);
    return variable->is_truth ? hbg_verify_formula_truth(f, name) : hbg_verify_formula_real(f, name);
}

void hbg_verify_paper_add(paper_work *work, hbg_process_variable variable) {
    formula now = make_symbol(work, &variable, "");
    bool one = hbg_process_is_plain(variable.role);
    HBG_PUSH(work->arena, work->map.symbols, now);
    HBG_PUSH(work->arena, work->map.before, one ? now : make_symbol(work, &variable, "'"));
    hbg_base_pair_map_add(&work->number_of, (int32_t)Z3_get_ast_id(work->proof->f.z3, now), 0,
                          work->made->process.variables.count);
    HBG_PUSH(work->arena, work->made->process.variables, variable);
}

static void read_below(paper_work *work, formula a, const hbg_pair_map *numbers, hbg_pair_map *seen,
                       paper_numbers *into) {
    formulas *f = &work->proof->f;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a);
    unsigned count = Z3_get_ast_kind(f->z3, a) == Z3_APP_AST ? hbg_verify_formula_argument_count(f, a) : 0;
    int32_t number = count == 0 ? hbg_base_pair_map_find(numbers, id, 0) : HBG_NONE;
    if (hbg_base_pair_map_find(seen, id, 0) >= 0) return;
    hbg_base_pair_map_add(seen, id, 0, 1);
    if (number >= 0) HBG_PUSH(work->arena, *into, number);
    for (unsigned i = 0; i < count; i++)
        read_below(work, hbg_verify_formula_argument(f, a, i), numbers, seen, into);
}

paper_numbers hbg_verify_paper_leaves(paper_work *work, formula a, const hbg_pair_map *numbers) {
    paper_numbers made = {0};
    hbg_pair_map seen;
    hbg_base_pair_map_init(&seen, work->arena);
    read_below(work, a, numbers, &seen, &made);
    return made;
}

paper_numbers hbg_verify_paper_reads(paper_work *work, formula a) {
    return hbg_verify_paper_leaves(work, a, &work->number_of);
}

formula hbg_verify_paper_symbol(paper_work *work, int32_t variable, hbg_process_view view) {
    return view == HBG_PROCESS_OLD ? work->map.before.items[variable] : work->map.symbols.items[variable];
}

formula hbg_verify_paper_before(paper_work *work, formula a) {
    return hbg_verify_formula_replace(&work->proof->f, a, work->map.symbols.count, work->map.symbols.items,
                                      work->map.before.items);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

/* As it was written, unless something has given it another value. */
static formula param_value(paper_work *work, int32_t param) {
    formulas *f = &work->proof->f;
    double value = work->model->param_values[param];
    hbg_term term =
        hbg_verify_paper_expression(work, work->model->params.items[param].value, HBG_PROCESS_NOW);
    formula exact = hbg_verify_paper_number(work, term);
    double own = hbg_verify_formula_to_double(f, exact);
    return fabs(own - value) <= 1e-14 * fabs(value) ? exact : hbg_verify_formula_double(f, value);
}

static formula variable_value(paper_work *work, int32_t code) {
    int32_t variable = hbg_process_variable_of(code);
    const hbg_process_variable *of = &work->made->process.variables.items[variable];
    if (of->role == HBG_PROCESS_PARAM) return param_value(work, of->of);
    return hbg_verify_paper_symbol(work, variable, hbg_process_view_of(code));
}

#define NAME 100 /* characters of an expression that names its value */

/* Of a symbol: the expression it stands for, or a word and a note where that is long. */
static const char *opaque_name(paper_work *work, hbg_term term) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, work->arena);
    hbg_verify_process_print(&work->made->process, term, false, &text);
    if (text.size <= NAME) return text.data;
    const char *name = hbg_base_arena_print(work->arena, "unknown_%d", (int)work->unknowns.count + 1);
    hbg_verify_paper_note(work, "`%s` is %s", name, text.data);
    return name;
}

/* Which sides of a jump a term reads, where they differ. */
static void read_views(paper_work *work, hbg_term term, bool *now, bool *old) {
    hbg_process *of = &work->made->process;
    hbg_term_walk(&of->terms, term);
    for (int32_t i = 0; i < of->terms.walk.count; i++) {
        const term_node *node = &of->terms.nodes.items[of->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE) continue;
        bool plain = hbg_process_is_plain(of->variables.items[hbg_process_variable_of(node->a)].role);
        bool before = hbg_process_view_of(node->a) == HBG_PROCESS_OLD;
        *now = *now || (!plain && !before);
        *old = *old || (!plain && before);
    }
}

static hbg_term in_flow(void *context, int32_t variable) {
    paper_work *work = context;
    return hbg_verify_paper_variable(work, hbg_process_variable_of(variable), HBG_PROCESS_NOW);
}

static formula add_function(paper_work *work, hbg_term term, hbg_process_role role) {
    hbg_verify_paper_add(
        work, (hbg_process_variable){.role = role, .of = HBG_NONE, .name = opaque_name(work, term)});
    HBG_PUSH(work->arena, work->unknowns, work->map.symbols.count - 1);
    return work->map.symbols.items[work->map.symbols.count - 1];
}

/* What a jump leaves alone gives the same value after it. */
static void keep_value(paper_work *work, formula value, const formula *a, int arity) {
    formulas *f = &work->proof->f;
    formula fact = hbg_verify_formula_equal(f, value, hbg_verify_paper_before(work, value));
    for (int i = 0; i < arity; i++) {
        formula same = hbg_verify_formula_equal(f, a[i], hbg_verify_paper_before(work, a[i]));
        fact = hbg_verify_formula_or(f, fact, hbg_verify_formula_not(f, same));
    }
    if (fact != f->yes) HBG_PUSH(f->arena, f->axioms.all, fact);
}

/* What is not a polynomial: a constant becomes its number, all else a symbol, and one for its value before a
 * jump. */
static formula function(paper_work *work, hbg_term term, const term_node *node, const formula *a) {
    formulas *f = &work->proof->f;
    double x = a[0] ? hbg_verify_formula_to_double(f, a[0]) : 0,
           y = a[1] ? hbg_verify_formula_to_double(f, a[1]) : 0,
           z = a[2] ? hbg_verify_formula_to_double(f, a[2]) : 0;
    double value = node->op == HBG_OP_PI              ? 3.14159265358979323846
                   : isnan(x) || isnan(y) || isnan(z) ? NAN
                                                      : hbg_rt_evaluate((hbg_operator)node->op, x, y, z);
    bool now = false, old = false;
    if (isfinite(value)) return hbg_verify_formula_double(f, value);
    hbg_verify_paper_note(work,
                          "`%s` is no polynomial: what it gives stands for any number, and the theorem "
                          "prover knows nothing of it",
                          hbg_model_operator_info_get((hbg_operator)node->op)->text);
    read_views(work, term, &now, &old);
    if (now == old) return add_function(work, term, HBG_PROCESS_HIDDEN);
    hbg_term flow = hbg_term_substitute(&work->made->process.terms, work->arena, term, in_flow, work);
    if (flow != term) {
        formula made = hbg_verify_paper_number(work, flow);
        return old ? hbg_verify_paper_before(work, made) : made;
    }
    formula made = add_function(work, term, HBG_PROCESS_FUNCTION);
    keep_value(work, made, a, hbg_term_arity(node));
    return made;
}

static formula power(paper_work *work, hbg_term term, const term_node *node, const formula *a) {
    formulas *f = &work->proof->f;
    double exponent = hbg_verify_formula_to_double(f, a[1]);
    if (!(exponent >= 0 && exponent <= POWER_LIMIT && exponent == floor(exponent)))
        return function(work, term, node, a);
    formula made = f->one;
    for (int i = 0; i < (int)exponent; i++) made = hbg_verify_formula_multiply(f, made, a[0]);
    return made;
}

static formula quotient(paper_work *work, hbg_term term, const term_node *node, const formula *a) {
    formulas *f = &work->proof->f;
    double divisor = hbg_verify_formula_to_double(f, a[1]);
    if (isnan(divisor) || divisor == 0) return function(work, term, node, a);
    return hbg_verify_formula_divide(f, a[0], a[1]);
}

static formula operation(paper_work *work, hbg_term term, const term_node *node, const formula *a) {
    formulas *f = &work->proof->f;
    switch (node->op) {
    case HBG_OP_ADD: return hbg_verify_formula_add(f, a[0], a[1]);
    case HBG_OP_SUBTRACT: return hbg_verify_formula_subtract(f, a[0], a[1]);
    case HBG_OP_MULTIPLY: return hbg_verify_formula_multiply(f, a[0], a[1]);
    case HBG_OP_NEGATE: return hbg_verify_formula_negate(f, a[0]);
    case HBG_OP_DIVIDE: return quotient(work, term, node, a);
    case HBG_OP_POW:
    case HBG_OP_POWER_OF: return power(work, term, node, a);
    case HBG_OP_ABS:
        return hbg_verify_formula_choose(f, hbg_verify_formula_less(f, a[0], f->zero),
                                         hbg_verify_formula_negate(f, a[0]), a[0]);
    case HBG_OP_MIN: return hbg_verify_formula_choose(f, hbg_verify_formula_less(f, a[1], a[0]), a[1], a[0]);
    case HBG_OP_MAX: return hbg_verify_formula_choose(f, hbg_verify_formula_less(f, a[0], a[1]), a[1], a[0]);
    default: return function(work, term, node, a);
    }
}

static formula *place_of(paper_work *work, paper_formulas *in, hbg_term term) {
    while (in->count <= term) HBG_PUSH(work->arena, *in, NULL);
    return &in->items[term];
}

static formula number_of(paper_work *work, hbg_term term, const term_node *node) {
    formulas *f = &work->proof->f;
    hbg_process *of = &work->made->process;
    formula a[3] = {NULL, NULL, NULL};
    if (node->op == HBG_OP_NUMBER) return hbg_verify_formula_decimal(f, of->terms.numbers.items[node->a]);
    if (node->op == TERM_VARIABLE) return variable_value(work, node->a);
    if (node->op == HBG_OP_SELECT)
        return hbg_verify_formula_choose(f, hbg_verify_paper_holds(work, node->a),
                                         hbg_verify_paper_number(work, node->b),
                                         hbg_verify_paper_number(work, node->c));
    for (int i = 0; i < hbg_term_arity(node); i++)
        a[i] = hbg_verify_paper_number(work, hbg_term_argument(node, i));
    return operation(work, term, node, a);
}

formula hbg_verify_paper_number(paper_work *work, hbg_term term) {
    formula known = *place_of(work, &work->numbers, term);
    if (known) return known;
    const term_node node = work->made->process.terms.nodes.items[term];
    formula made = number_of(work, term, &node);
    *place_of(work, &work->numbers, term) = made;
    return made;
}

/* ---- truths -------------------------------------------------------------------------------------------------------------- */

static formula relation(paper_work *work, const term_node *node) {
    formulas *f = &work->proof->f;
    if (hbg_verify_paper_is_truth(work, node->a) || hbg_verify_paper_is_truth(work, node->b)) {
        formula same = hbg_verify_formula_equal(f, hbg_verify_paper_holds(work, node->a),
                                                hbg_verify_paper_holds(work, node->b));
        return node->op == HBG_OP_EQUAL ? same : hbg_verify_formula_not(f, same);
    }
    formula a = hbg_verify_paper_number(work, node->a), b = hbg_verify_paper_number(work, node->b);
    switch (node->op) {
    case HBG_OP_LESS: return hbg_verify_formula_less(f, a, b);
    case HBG_OP_LESS_EQUAL: return hbg_verify_formula_less_equal(f, a, b);
    case HBG_OP_GREATER: return hbg_verify_formula_less(f, b, a);
    case HBG_OP_GREATER_EQUAL: return hbg_verify_formula_less_equal(f, b, a);
    case HBG_OP_EQUAL: return hbg_verify_formula_equal(f, a, b);
    default: return hbg_verify_formula_not(f, hbg_verify_formula_equal(f, a, b));
    }
}

static formula truth_of(paper_work *work, const term_node *node) {
    formulas *f = &work->proof->f;
    switch (node->op) {
    case HBG_OP_NUMBER:
        return node->a >= 0 && hbg_verify_formula_decimal(
                                   f, work->made->process.terms.numbers.items[node->a]) != f->zero
                   ? f->yes
                   : f->no;
    case TERM_VARIABLE: return variable_value(work, node->a);
    case HBG_OP_AND:
        return hbg_verify_formula_and(f, hbg_verify_paper_holds(work, node->a),
                                      hbg_verify_paper_holds(work, node->b));
    case HBG_OP_OR:
        return hbg_verify_formula_or(f, hbg_verify_paper_holds(work, node->a),
                                     hbg_verify_paper_holds(work, node->b));
    case HBG_OP_NOT: return hbg_verify_formula_not(f, hbg_verify_paper_holds(work, node->a));
    case HBG_OP_SELECT:
        return hbg_verify_formula_choose(f, hbg_verify_paper_holds(work, node->a),
                                         hbg_verify_paper_holds(work, node->b),
                                         hbg_verify_paper_holds(work, node->c));
    default: return relation(work, node);
    }
}

formula hbg_verify_paper_holds(paper_work *work, hbg_term term) {
    formula known = *place_of(work, &work->truths, term);
    if (known) return known;
    const term_node node = work->made->process.terms.nodes.items[term];
    formula made = truth_of(work, &node);
    *place_of(work, &work->truths, term) = made;
    return made;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------------------ */

static formula derivative_of_product(paper_work *work, formula a, formula symbol) {
    formulas *f = &work->proof->f;
    unsigned count = hbg_verify_formula_argument_count(f, a);
    formula sum = f->zero;
    for (unsigned i = 0; i < count; i++) {
        formula own = hbg_verify_paper_derivative(work, hbg_verify_formula_argument(f, a, i), symbol);
        if (!own) return NULL;
        if (own == f->zero) continue;
        for (unsigned k = 0; k < count; k++)
            if (k != i) own = hbg_verify_formula_multiply(f, own, hbg_verify_formula_argument(f, a, k));
        sum = hbg_verify_formula_add(f, sum, own);
    }
    return sum;
}

static formula derivative_of_power(paper_work *work, formula a, formula symbol) {
    formulas *f = &work->proof->f;
    formula base = hbg_verify_formula_argument(f, a, 0),
            own = hbg_verify_paper_derivative(work, base, symbol);
    double exponent = hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 1));
    if (!own || !(exponent >= 1 && exponent <= POWER_LIMIT)) return NULL;
    own = hbg_verify_formula_multiply(f, own, hbg_verify_formula_double(f, exponent));
    for (int i = 1; i < (int)exponent; i++) own = hbg_verify_formula_multiply(f, own, base);
    return own;
}

formula hbg_verify_paper_derivative(paper_work *work, formula a, formula symbol) {
    formulas *f = &work->proof->f;
    if (a == symbol) return f->one;
    if (!hbg_verify_formula_reads(f, a, &symbol, 1)) return f->zero;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_MUL) return derivative_of_product(work, a, symbol);
    if (kind == Z3_OP_POWER) return derivative_of_power(work, a, symbol);
    if (kind != Z3_OP_ADD && kind != Z3_OP_SUB && kind != Z3_OP_UMINUS) return NULL;
    formula sum = f->zero;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
        formula own = hbg_verify_paper_derivative(work, hbg_verify_formula_argument(f, a, i), symbol);
        if (!own) return NULL;
        bool less = kind == Z3_OP_UMINUS || (kind == Z3_OP_SUB && i > 0);
        sum = less ? hbg_verify_formula_subtract(f, sum, own) : hbg_verify_formula_add(f, sum, own);
    }
    return sum;
}
