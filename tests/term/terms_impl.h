/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms without a model: variables 0 … 7 change while a run goes on, 8 and 9 are parameters. Values of terms by a
 * plain recursion, and random terms. */
#ifndef HBG_TESTS_TERM_TERMS_IMPL_H
#define HBG_TESTS_TERM_TERMS_IMPL_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "causal/graph_impl.h"
#include "term/term.h"

#define FIRST_PARAM 8
#define END_PARAM   10

typedef struct {
    hbg_memory memory;
    hbg_arena arena, scratch;
    hbg_terms terms;
} algebra;

static inline int setup(void **state) {
    algebra *a = calloc(1, sizeof *a);
    if (!a) return -1;
    hbg_base_arena_init(&a->arena, &a->memory);
    hbg_base_arena_init(&a->scratch, &a->memory);
    hbg_term_init(&a->terms, &a->arena, FIRST_PARAM, END_PARAM);
    *state = a;
    return 0;
}

static inline int teardown(void **state) {
    algebra *a = *state;
    hbg_base_arena_fini(&a->scratch);
    hbg_base_arena_fini(&a->arena);
    size_t left = a->memory.used;
    free(a);
    return left == 0 ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static inline hbg_term variable(algebra *a, int32_t number) {
    return hbg_term_variable(&a->terms, number);
}

static inline hbg_term number(algebra *a, double value) {
    return hbg_term_double(&a->terms, value);
}

static inline hbg_term apply(algebra *a, int op, hbg_term x, hbg_term y) {
    return hbg_term_make(&a->terms, op, x, y, HBG_NONE);
}

static inline double value_of(const algebra *a, hbg_term term, const double *values) {
    const term_node *node = &a->terms.nodes.items[term];
    double argument[3] = {0};
    if (node->op == HBG_OP_NUMBER) return hbg_base_decimal_to_double(a->terms.numbers.items[node->a]);
    if (node->op == HBG_OP_PI) return 3.14159265358979323846;
    if (node->op == TERM_VARIABLE) return values[node->a];
    for (int i = 0; i < hbg_term_arity(node); i++)
        argument[i] = value_of(a, hbg_term_argument(node, i), values);
    return hbg_rt_evaluate((hbg_operator)node->op, argument[0], argument[1], argument[2]);
}

/* A random term of the operators given, and the value it has if nothing is simplified. */
typedef struct {
    const int *ops;
    int op_count;
    const double *values; /* by variable */
    double value;
    bool lost; /* a part of it is no finite number */
} random_term_plan;

static inline hbg_term random_term(algebra *a, test_random *random, random_term_plan *plan, int depth) {
    static const double numbers[] = {0, 1, -1, 2, -3, 0.5};
    if (depth == 0 || random_chance(random, 15)) {
        int draw = random_below(random, 12);
        plan->value = draw < 6 ? numbers[draw] : plan->values[draw - 6];
        return draw < 6 ? number(a, plan->value) : variable(a, draw - 6);
    }
    int op = plan->ops[random_below(random, plan->op_count)];
    double argument[3] = {0};
    hbg_term term[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
    for (int i = 0; i < hbg_model_operator_info_get((hbg_operator)op)->arity; i++) {
        term[i] = random_term(a, random, plan, depth - 1);
        argument[i] = plan->value;
    }
    plan->value = hbg_rt_evaluate((hbg_operator)op, argument[0], argument[1], argument[2]);
    plan->lost |= !isfinite(plan->value);
    return hbg_term_make(&a->terms, op, term[0], term[1], term[2]);
}

#endif
