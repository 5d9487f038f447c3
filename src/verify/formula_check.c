/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions about formulas. What is asserted in levels goes to one solver that remembers what it learned; a question it
 * gives up on, for it may be one about polynomials, is put again as a whole to a decision procedure for these. */
#include <time.h>

#include "verify/formula_impl.h"

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hbg_formulas_push(formulas *f) {
    HBG_PUSH(f->arena, f->marks, f->asserted.count);
    HBG_PUSH(f->arena, f->axiom_marks, f->asserted_axioms);
    Z3_solver_push(f->z3, f->solver);
}

void hbg_formulas_pop(formulas *f) {
    f->asserted.count = f->marks.items[--f->marks.count];
    f->asserted_axioms = f->axiom_marks.items[--f->axiom_marks.count];
    Z3_solver_pop(f->z3, f->solver, 1);
}

void hbg_formulas_assert(formulas *f, formula a) {
    if (a == f->yes) return;
    HBG_PUSH(f->arena, f->asserted, a);
    Z3_solver_assert(f->z3, f->solver, a);
    if (Z3_get_error_code(f->z3) != Z3_OK) f->failed = true;
}

bool hbg_formulas_spent(formulas *f) {
    if (f->failed) return true;
    if (f->question_limit > 0 && f->questions >= f->question_limit) return true;
    return f->deadline_ms > 0 && seconds_now() * 1e3 > (double)f->deadline_ms;
}

/* The answer of one solver, with the time it took. */
static Z3_lbool ask(formulas *f, Z3_solver solver, formula also) {
    double start = seconds_now();
    Z3_lbool answer =
        also ? Z3_solver_check_assumptions(f->z3, solver, 1, &also) : Z3_solver_check(f->z3, solver);
    double took = seconds_now() - start;
    f->seconds += took;
    if (took > f->longest) f->longest = took;
    if (Z3_get_error_code(f->z3) != Z3_OK) f->failed = true;
    return f->failed ? Z3_L_UNDEF : answer;
}

static void keep_model(formulas *f, Z3_solver solver) {
    if (f->model) Z3_model_dec_ref(f->z3, f->model);
    f->model = Z3_solver_get_model(f->z3, solver);
    if (f->model) Z3_model_inc_ref(f->z3, f->model);
}

/* A solver for polynomial arithmetic, asked as a whole. */
static Z3_lbool ask_again(formulas *f, const formula *all, int32_t count, formula also) {
    Z3_solver solver = Z3_mk_solver_for_logic(f->z3, Z3_mk_string_symbol(f->z3, "QF_NRA"));
    if (!solver) return Z3_L_UNDEF;
    Z3_solver_inc_ref(f->z3, solver);
    hbg_formulas_set_limits(f, solver);
    for (int32_t i = 0; i < f->axioms.count; i++) Z3_solver_assert(f->z3, solver, f->axioms.items[i]);
    for (int32_t i = 0; i < count; i++) Z3_solver_assert(f->z3, solver, all[i]);
    if (also) Z3_solver_assert(f->z3, solver, also);
    Z3_lbool answer = ask(f, solver, NULL);
    if (answer == Z3_L_TRUE) keep_model(f, solver);
    Z3_solver_dec_ref(f->z3, solver);
    return answer;
}

static verify_answer conclude(formulas *f, Z3_lbool answer, const char *why) {
    if (answer == Z3_L_TRUE) return ANSWER_FOUND;
    if (answer == Z3_L_FALSE) return ANSWER_NONE;
    f->undecided++;
    f->why = why;
    return ANSWER_UNKNOWN;
}

verify_answer hbg_formulas_check(formulas *f, formula also) {
    if (also == f->no) return ANSWER_NONE;
    if (also == f->yes) also = NULL;
    if (hbg_formulas_spent(f))
        return conclude(f, Z3_L_UNDEF,
                        f->failed ? "the prover failed" : "the effort for this group is used up");
    f->questions++;
    while (f->asserted_axioms < f->axioms.count)
        Z3_solver_assert(f->z3, f->solver, f->axioms.items[f->asserted_axioms++]);
    if (also) { // assumptions have to be literals: a level of its own
        hbg_formulas_push(f);
        Z3_solver_assert(f->z3, f->solver, also);
    }
    Z3_lbool answer = ask(f, f->solver, NULL);
    if (answer == Z3_L_TRUE) keep_model(f, f->solver);
    if (also) hbg_formulas_pop(f);
    if (answer == Z3_L_UNDEF && !f->failed) answer = ask_again(f, f->asserted.items, f->asserted.count, also);
    return conclude(f, answer, "the prover gave up on a question about polynomials");
}

verify_answer hbg_formulas_check_alone(formulas *f, formula a) {
    if (a == f->no) return ANSWER_NONE;
    if (hbg_formulas_spent(f)) return conclude(f, Z3_L_UNDEF, "the effort for this group is used up");
    f->questions++;
    return conclude(f, ask_again(f, &a, 1, NULL), "the prover gave up on a question about polynomials");
}

formula hbg_formula_in_model(formulas *f, formula a) {
    Z3_ast value = NULL;
    if (!f->model || !Z3_model_eval(f->z3, f->model, a, true, &value)) return NULL;
    return value;
}
