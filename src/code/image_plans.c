/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Plans of relations that time alone decides between instants (rt/plan.c), as arrays: each plan has its own
 * steps, arguments first. */
#include <stdlib.h>

#include "code/image_impl.h"

typedef struct {
    image_maker *maker;
    int32_t *step_of; /* by term: its step in the plan being made */
    HBG_VEC(hbg_rt_plan) plans;
    HBG_VEC(hbg_rt_plan_step) steps;
} plan_maker;

static hbg_rt_plan_step make_step(const plan_maker *m, hbg_term term) {
    const hbg_terms *terms = &m->maker->code->eqn->terms;
    const term_node *node = &terms->nodes.items[term];
    int arity = hbg_term_arity(node);
    hbg_rt_plan_step made = {.op = node->op,
                             .arity = (uint16_t)arity,
                             .a = arity > 0 ? m->step_of[node->a] : HBG_NONE,
                             .b = arity > 1 ? m->step_of[node->b] : HBG_NONE,
                             .c = arity > 2 ? m->step_of[node->c] : HBG_NONE,
                             .cell = HBG_NONE};
    if (node->op == HBG_OP_TABLE || node->op == TERM_SLOPE) made.b = node->b;
    if (node->op == HBG_OP_NUMBER) made.number = hbg_base_decimal_to_double(terms->numbers.items[node->a]);
    if (node->op == TERM_VARIABLE) made.cell = hbg_code_image_cell(m->maker, node->a);
    return made;
}

void hbg_code_image_make_plans(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    hbg_arena *arena = maker->code->arena;
    plan_maker m = {.maker = maker,
                    .step_of = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->instants.term_count + 1)};
    for (int32_t i = 0; i < eqn->instants.plans.count; i++) {
        const term_plan *of = &eqn->instants.plans.items[i];
        HBG_PUSH(arena, m.plans, ((hbg_rt_plan){of->term, {m.steps.count, of->walk.count}}));
        for (int32_t k = 0; k < of->walk.count; k++) {
            hbg_rt_plan_step made = make_step(&m, of->walk.terms[k]);
            m.step_of[of->walk.terms[k]] = m.steps.count;
            HBG_PUSH(arena, m.steps, made);
        }
    }
    maker->to->plans = (hbg_rt_plans){m.plans.items, m.steps.items};
    maker->to->counts.plans = m.plans.count;
    maker->to->counts.plan_steps = m.steps.count;
}

static int by_term(const void *a, const void *b) {
    const hbg_rt_plan *left = a, *right = b;
    return (left->term > right->term) - (left->term < right->term);
}

/* Plans are in the order of their terms. */
int32_t hbg_code_image_plan(const image_maker *maker, hbg_term term) {
    const hbg_rt_plan *plans = maker->to->plans.list, key = {.term = term};
    int32_t count = maker->to->counts.plans;
    const hbg_rt_plan *found = count > 0 ? bsearch(&key, plans, (size_t)count, sizeof *plans, by_term) : NULL;
    return found ? (int32_t)(found - plans) : HBG_NONE;
}
