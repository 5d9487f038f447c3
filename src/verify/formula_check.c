/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions about formulas. Values found before may answer one at once. Linear questions go to a solver that
 * remembers what it learned on every level; a question with products of symbols goes as a whole to a decision
 * procedure for polynomials. */
#include <time.h>

#include "verify/formula_impl.h"

/* Computing time: other work on the machine does not count. */
static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A product of symbols, or a power. */
static bool is_product(formulas *f, formula a, Z3_decl_kind kind) {
    Z3_app app = Z3_to_app(f->z3, a);
    unsigned count = Z3_get_app_num_args(f->z3, app), open = 0;
    for (unsigned i = 0; i < count; i++) open += !Z3_is_numeral_ast(f->z3, Z3_get_app_arg(f->z3, app, i));
    if (kind == Z3_OP_MUL) return open > 1;
    if (kind == Z3_OP_DIV) return count == 2 && !Z3_is_numeral_ast(f->z3, Z3_get_app_arg(f->z3, app, 1));
    return kind == Z3_OP_POWER;
}

bool hbg_verify_formula_is_nonlinear(formulas *f, formula a) {
    HBG_VEC(formula) stack = {0};
    HBG_PUSH(f->arena, stack, a);
    while (stack.count > 0) {
        formula at = stack.items[--stack.count];
        if (Z3_get_ast_kind(f->z3, at) != Z3_APP_AST) continue;
        int32_t id = (int32_t)Z3_get_ast_id(f->z3, at);
        if (hbg_base_pair_map_find(&f->memo.linear, id, 0) >= 0) continue;
        Z3_app app = Z3_to_app(f->z3, at);
        if (is_product(f, at, Z3_get_decl_kind(f->z3, Z3_get_app_decl(f->z3, app)))) return true;
        for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, app); i++)
            HBG_PUSH(f->arena, stack, Z3_get_app_arg(f->z3, app, i));
    }
    hbg_base_pair_map_add(&f->memo.linear, (int32_t)Z3_get_ast_id(f->z3, a), 0, 1);
    return false;
}

void hbg_verify_formulas_push(formulas *f) {
    HBG_PUSH(f->arena, f->levels.marks, f->levels.asserted.count);
    HBG_PUSH(f->arena, f->levels.product_marks, f->levels.products);
    HBG_PUSH(f->arena, f->levels.other_marks, f->levels.others);
    HBG_PUSH(f->arena, f->axioms.marks, f->axioms.asserted);
    HBG_PUSH(f->arena, f->bounds.marks, f->bounds.asserted);
    HBG_PUSH(f->arena, f->levels.serials, ++f->levels.serial);
    Z3_solver_push(f->z3, f->solver);
}

void hbg_verify_formulas_pop(formulas *f) {
    f->levels.asserted.count = f->levels.marks.items[--f->levels.marks.count];
    f->levels.serials.count--;
    f->axioms.asserted = f->axioms.marks.items[--f->axioms.marks.count];
    f->bounds.asserted = f->bounds.marks.items[--f->bounds.marks.count];
    f->levels.products = f->levels.product_marks.items[--f->levels.product_marks.count];
    f->levels.others = f->levels.other_marks.items[--f->levels.other_marks.count];
    Z3_solver_pop(f->z3, f->solver, 1);
}

formula_level hbg_verify_formulas_level(const formulas *f) {
    int32_t depth = f->levels.serials.count;
    return (formula_level){depth, depth > 0 ? f->levels.serials.items[depth - 1] : 0};
}

bool hbg_verify_formulas_is_open(const formulas *f, formula_level level) {
    return level.depth == 0 || (level.depth <= f->levels.serials.count &&
                                f->levels.serials.items[level.depth - 1] == level.serial);
}

/* Losing one assertion makes a question weaker, so each is checked. */
static void give(formulas *f, Z3_solver solver, formula a) {
    Z3_solver_assert(f->z3, solver, a);
    hbg_verify_formulas_note(f);
}

/* The solver that remembers gets the linear part. */
static void tell_solver(formulas *f, formula a) {
    formula squares = f->yes;
    give(f, f->solver, hbg_verify_formula_linear(f, a, &squares));
    if (squares != f->yes) give(f, f->solver, squares);
}

void hbg_verify_formulas_assert(formulas *f, formula a) {
    if (a == f->yes) return;
    HBG_PUSH(f->arena, f->levels.asserted, a);
    if (hbg_verify_formula_is_nonlinear(f, a)) f->levels.products++;
    if (!hbg_verify_formula_is_cone(f, a)) f->levels.others++;
    tell_solver(f, a);
}

void hbg_verify_formulas_allow(formulas *f, double seconds) {
    f->limits.deadline_ms = (int64_t)(1e3 * (seconds_now() + seconds));
}

bool hbg_verify_formulas_spent(formulas *f) {
    if (f->account.failed || f->prover->watch.stopped) return true;
    if (f->limits.questions > 0 && f->account.questions >= f->limits.questions) return true;
    return f->limits.deadline_ms > 0 && seconds_now() * 1e3 > (double)f->limits.deadline_ms;
}

const char *hbg_verify_formulas_why_spent(const formulas *f) {
    return f->prover->watch.stopped ? VERIFY_STOPPED : FORMULA_SPENT;
}

/* The answer of one solver, with the time it took. */
static Z3_lbool ask(formulas *f, Z3_solver solver, int32_t limit_ms) {
    double start = seconds_now();
    Z3_lbool answer = hbg_verify_watch_check(&f->prover->watch, f->z3, solver, limit_ms);
    double took = seconds_now() - start;
    f->account.seconds += took;
    if (took > f->account.longest) f->account.longest = took;
    hbg_verify_formulas_note(f);
    return f->account.failed ? Z3_L_UNDEF : answer;
}

/* Roots of polynomials are numbers too, but computing with them takes longer than asking. */
static bool has_fractions_only(formulas *f, Z3_model model) {
    for (unsigned i = 0; i < Z3_model_get_num_consts(f->z3, model); i++) {
        Z3_ast value = Z3_model_get_const_interp(f->z3, model, Z3_model_get_const_decl(f->z3, model, i));
        if (value && Z3_is_algebraic_number(f->z3, value)) return false;
    }
    return true;
}

/* The values found become the first to try. */
static void keep_model(formulas *f, Z3_solver solver) {
    Z3_model model = Z3_solver_get_model(f->z3, solver);
    if (!model) return;
    Z3_model_inc_ref(f->z3, model);
    if (f->models[FORMULA_MODELS - 1]) Z3_model_dec_ref(f->z3, f->models[FORMULA_MODELS - 1]);
    memmove(f->models + 1, f->models, (FORMULA_MODELS - 1) * sizeof *f->models);
    memmove(f->is_simple + 1, f->is_simple, (FORMULA_MODELS - 1) * sizeof *f->is_simple);
    f->models[0] = model;
    f->is_simple[0] = has_fractions_only(f, model);
}

static bool fulfils(formulas *f, Z3_model model, formula a) {
    Z3_ast value = NULL;
    return Z3_model_eval(f->z3, model, a, true, &value) && Z3_get_bool_value(f->z3, value) == Z3_L_TRUE;
}

/* Values found before a constant was made have an arbitrary number for it: it must be near the constant. */
static bool has_constants(formulas *f, Z3_model model) {
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        Z3_ast value = NULL;
        if (!at->constant) continue;
        if (!Z3_model_eval(f->z3, model, at->symbol, true, &value)) return false;
        bool between = hbg_verify_formula_less_equal(f, at->between.low, value) == f->yes &&
                       hbg_verify_formula_less_equal(f, value, at->between.high) == f->yes;
        if (value != at->sample && !between) return false;
    }
    return true;
}

/* Whether values found before fulfil all present assertions, and this; they move to the front then. */
static bool is_answered(formulas *f, formula also, bool products) {
    int most = products ? FORMULA_MODELS : 1; // a linear question is answered faster than values are tried
    for (int i = 0; i < most && f->models[i]; i++) {
        Z3_model model = f->models[i];
        bool fine = f->is_simple[i] && has_constants(f, model) && (!also || fulfils(f, model, also));
        for (int32_t k = f->levels.asserted.count - 1; k >= 0 && fine; k--)
            fine = fulfils(f, model, f->levels.asserted.items[k]);
        for (int32_t k = 0; k < f->axioms.all.count && fine; k++)
            fine = fulfils(f, model, f->axioms.all.items[k]);
        for (int32_t k = 0; k < f->bounds.all.count && fine && f->exactly; k++)
            fine = fulfils(f, model, f->bounds.all.items[k]);
        if (!fine) continue;
        memmove(f->models + 1, f->models, (size_t)i * sizeof *f->models);
        memmove(f->is_simple + 1, f->is_simple, (size_t)i * sizeof *f->is_simple);
        f->models[0] = model;
        f->is_simple[0] = true;
        return true;
    }
    return false;
}

/* A solver for polynomial arithmetic, or NULL. */
static Z3_solver new_solver(formulas *f) {
    Z3_tactic tactic = Z3_mk_tactic(f->z3, "qfnra-nlsat");
    if (!hbg_verify_formulas_note(f) || !tactic) return NULL;
    Z3_tactic_inc_ref(f->z3, tactic);
    Z3_solver solver = Z3_mk_solver_from_tactic(f->z3, tactic);
    hbg_verify_formulas_note(f);
    if (solver) Z3_solver_inc_ref(f->z3, solver);
    Z3_tactic_dec_ref(f->z3, tactic);
    if (solver) hbg_verify_formulas_set_limits(f, solver);
    return solver;
}

/* All of it asked as a whole; `at` (or NULL) holds as well. */
static Z3_lbool ask_whole(formulas *f, const formula *all, int32_t count, formula also, formula at) {
    Z3_solver solver = new_solver(f);
    if (!solver) return Z3_L_UNDEF;
    for (int32_t i = 0; i < f->axioms.all.count; i++) give(f, solver, f->axioms.all.items[i]);
    for (int32_t i = 0; i < f->bounds.all.count; i++) give(f, solver, f->bounds.all.items[i]);
    for (int32_t i = 0; i < count; i++) give(f, solver, all[i]);
    if (also) give(f, solver, also);
    if (at) give(f, solver, at);
    Z3_lbool answer = ask(f, solver, f->limits.timeout_ms);
    if (answer == Z3_L_TRUE) keep_model(f, solver);
    Z3_solver_dec_ref(f->z3, solver);
    return answer;
}

/* Angles whose sine and cosine are fractions, by the tangent of their half. */
static const struct {
    int up, down;
} half_tangents[] = {{1, 2}, {-1, 2}, {0, 1}, {1, 9}, {-1, 9}, {2, 1}, {-2, 1}, {1, 1}, {-1, 1}};
#define ANGLES ((int)(sizeof half_tangents / sizeof half_tangents[0]))

/* Sine and cosine at one of these. */
static void sample_angle(formulas *f, int angle, formula *s, formula *c) {
    int64_t p = half_tangents[angle % ANGLES].up, q = half_tangents[angle % ANGLES].down;
    formula whole = hbg_verify_formula_integer(f, p * p + q * q);
    *s = hbg_verify_formula_divide(f, hbg_verify_formula_integer(f, 2 * p * q), whole);
    *c = hbg_verify_formula_divide(f, hbg_verify_formula_integer(f, q * q - p * p), whole);
}

/* All angles are at one of these, the first at number `first`. */
static formula at_angles(formulas *f, int first) {
    formula all = f->yes, s, c;
    for (int32_t i = 0, angle = first; i < f->symbols.count; i++) {
        const exact_symbol *sine = &f->symbols.items[i], *cosine = sine + 1;
        if (sine->op != HBG_OP_SIN || sine->constant) continue; // its cosine follows
        sample_angle(f, angle++, &s, &c);
        all = hbg_verify_formula_and(f, all, hbg_verify_formula_equal(f, sine->symbol, s));
        all = hbg_verify_formula_and(f, all, hbg_verify_formula_equal(f, cosine->symbol, c));
    }
    return all;
}

/* Values are first sought at a few angles: the rest of the question is simple then. */
static Z3_lbool ask_again(formulas *f, const formula *all, int32_t count, formula also) {
    for (int i = 0; i < ANGLES && f->has_free_angles; i++)
        if (ask_whole(f, all, count, also, at_angles(f, i)) == Z3_L_TRUE) return Z3_L_TRUE;
    return ask_whole(f, all, count, also, NULL);
}

/* ---- constants ---------------------------------------------------------------------------------------------- */

typedef struct {
    formulas *f;
    formula *from, *to;
    int32_t count;
    HBG_VEC(formula) all; /* that is asked */
    bool linear;
} sampling;

static void add_sample(sampling *s, formula from, formula to) {
    s->from[s->count] = from;
    s->to[s->count++] = to;
}

/* A fraction for every constant, and angles as above. */
static void list_samples(sampling *s, int first) {
    formulas *f = s->f;
    s->from = HBG_NEW_ARRAY(f->arena, formula, f->symbols.count + 1);
    s->to = HBG_NEW_ARRAY(f->arena, formula, f->symbols.count + 1);
    for (int32_t i = 0, angle = first; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        formula sine, cosine;
        if (at->constant) add_sample(s, at->symbol, at->sample);
        if (at->op != HBG_OP_SIN || at->constant) continue;
        sample_angle(f, angle++, &sine, &cosine);
        add_sample(s, at->symbol, sine);
        add_sample(s, (at + 1)->symbol, cosine);
    }
}

static void put_sample(sampling *s, formula a) {
    formula made = hbg_verify_formula_replace(s->f, a, s->count, s->from, s->to);
    s->linear = s->linear && !hbg_verify_formula_is_nonlinear(s->f, made);
    HBG_PUSH(s->f->arena, s->all, made);
}

static Z3_solver new_linear_solver(formulas *f) {
    Z3_solver solver = Z3_mk_simple_solver(f->z3);
    if (!hbg_verify_formulas_note(f) || !solver) return NULL;
    Z3_solver_inc_ref(f->z3, solver);
    hbg_verify_formulas_set_limits(f, solver);
    return solver;
}

/* Without constants only the part that becomes linear is new to ask. */
static bool ask_sample(formulas *f, formula also, int first, bool *asked) {
    sampling s = {.f = f, .linear = true};
    list_samples(&s, first);
    if (also) put_sample(&s, also);
    for (int32_t i = f->levels.asserted.count - 1; i >= 0; i--) put_sample(&s, f->levels.asserted.items[i]);
    for (int32_t i = 0; i < f->axioms.all.count; i++) put_sample(&s, f->axioms.all.items[i]);
    *asked = s.linear || f->bounds.all.count > 0;
    if (!*asked) return false;
    Z3_solver solver = s.linear ? new_linear_solver(f) : new_solver(f);
    if (!solver) return false;
    for (int32_t i = 0; i < s.all.count; i++) give(f, solver, s.all.items[i]);
    for (int32_t i = 0; i < s.count; i++) give(f, solver, hbg_verify_formula_equal(f, s.from[i], s.to[i]));
    bool found = ask(f, solver, s.linear ? 0 : f->limits.timeout_ms) == Z3_L_TRUE;
    if (found) keep_model(f, solver);
    Z3_solver_dec_ref(f->z3, solver);
    return found;
}

/* The question at a few angles, with fractions near the constants: most of what is possible is possible there
 * too, and the rest is often linear. Where it matters whether it is possible for the constants themselves,
 * that is asked again. FALSE: not at these. */
static Z3_lbool ask_sampled(formulas *f, formula also) {
    bool asked = true;
    if (f->exactly || (f->bounds.all.count == 0 && !f->has_free_angles)) return Z3_L_UNDEF;
    for (int i = 0; i < (f->has_free_angles ? ANGLES : 1) && asked; i++)
        if (ask_sample(f, also, i, &asked)) return Z3_L_TRUE;
    return asked ? Z3_L_FALSE : Z3_L_UNDEF;
}

/* ---- questions ---------------------------------------------------------------------------------------------- */

static verify_answer conclude(formulas *f, Z3_lbool answer, const char *why) {
    if (answer == Z3_L_TRUE) return ANSWER_FOUND;
    if (answer == Z3_L_FALSE) return ANSWER_NONE;
    f->account.undecided++;
    f->account.why = why;
    return ANSWER_UNKNOWN;
}

static bool has_products(formulas *f, formula also) {
    if (f->levels.products > 0 || (also && hbg_verify_formula_is_nonlinear(f, also))) return true;
    for (; f->axioms.linear < f->axioms.all.count; f->axioms.linear++)
        if (hbg_verify_formula_is_nonlinear(f, f->axioms.all.items[f->axioms.linear])) return true;
    for (; f->bounds.linear < f->bounds.all.count; f->bounds.linear++)
        if (hbg_verify_formula_is_nonlinear(f, f->bounds.all.items[f->bounds.linear])) return true;
    return false;
}

/* Its products are about directions of angles only. */
static bool has_cones_only(formulas *f, formula also) {
    if (f->levels.others > 0 || (also && !hbg_verify_formula_is_cone(f, also))) return false;
    for (; f->axioms.cones < f->axioms.all.count; f->axioms.cones++)
        if (!hbg_verify_formula_is_cone(f, f->axioms.all.items[f->axioms.cones])) return false;
    return true;
}

/* On the levels of the solver, with one more for the question. Where there are products only a refusal
 * counts: they are separate symbols there. */
static Z3_lbool ask_linear(formulas *f, formula also, bool products) {
    while (f->axioms.asserted < f->axioms.all.count)
        tell_solver(f, f->axioms.all.items[f->axioms.asserted++]);
    while (f->bounds.asserted < f->bounds.all.count)
        tell_solver(f, f->bounds.all.items[f->bounds.asserted++]);
    if (also) {
        hbg_verify_formulas_push(f);
        tell_solver(f, also);
    }
    Z3_lbool answer = ask(f, f->solver, 0);
    if (answer == Z3_L_TRUE && !products) keep_model(f, f->solver);
    if (also) hbg_verify_formulas_pop(f);
    return answer;
}

static Z3_lbool ask_products(formulas *f, formula also) {
    Z3_lbool sampled = ask_sampled(f, also);
    if (sampled == Z3_L_TRUE) return sampled;
    if (sampled == Z3_L_FALSE)
        return ask_whole(f, f->levels.asserted.items, f->levels.asserted.count, also, NULL);
    return ask_again(f, f->levels.asserted.items, f->levels.asserted.count, also);
}

/* A formula that could not be made stands as false: after a failure not even a refusal is an answer. */
static const char *why_not_asked(formulas *f) {
    if (f->account.failed) return hbg_verify_formulas_failure(f);
    if (!hbg_verify_watch_goes_on(&f->prover->watch)) return VERIFY_STOPPED;
    return hbg_verify_formulas_spent(f) ? hbg_verify_formulas_why_spent(f) : NULL;
}

static verify_answer check(formulas *f, formula also, bool values) {
    if (also == f->no && !f->account.failed) return ANSWER_NONE;
    if (also == f->yes) also = NULL;
    const char *why = why_not_asked(f);
    if (why) return conclude(f, Z3_L_UNDEF, why);
    f->account.questions++;
    bool products = has_products(f, also), cones = products && !values && has_cones_only(f, also);
    if (!cones && is_answered(f, also, products)) return ANSWER_FOUND;
    Z3_lbool answer = ask_linear(f, also, products);
    if (products && !cones && answer != Z3_L_FALSE) answer = ask_products(f, also);
    return conclude(f, answer, "the prover gave up on a question about polynomials");
}

verify_answer hbg_verify_formulas_check(formulas *f, formula also) {
    return check(f, also, true);
}

verify_answer hbg_verify_formulas_try(formulas *f, formula also) {
    return check(f, also, false);
}

verify_answer hbg_verify_formulas_check_alone(formulas *f, formula a) {
    if (a == f->no && !f->account.failed) return ANSWER_NONE;
    const char *why = why_not_asked(f);
    if (why) return conclude(f, Z3_L_UNDEF, why);
    f->account.questions++;
    return conclude(f, ask_again(f, &a, 1, NULL), "the prover gave up on a question about polynomials");
}

formula hbg_verify_formula_in_model(formulas *f, formula a) {
    Z3_ast value = NULL;
    if (!f->models[0] || !Z3_model_eval(f->z3, f->models[0], a, true, &value)) return NULL;
    return value;
}
