/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes that are accepted can be solved, and modes that can be solved are accepted: the verdict and the number
 * of dependent storages agree with the ranks of the equations themselves (oracle_impl.h), in the harmless
 * cases too. Links that close a loop hold a transformer or gyrator of random modulus here: in a loop of plain
 * bonds signs may cancel, which is a matter of numbers and not of structure. Rings of junctions that hand
 * their variable round to themselves are counted apart: such a ring forces a zero of its own. */
#include "brute_impl.h"
#include "oracle_impl.h"
#include "support/soak.h"
#include "walk_impl.h"

typedef struct {
    int modes, accepted, excused, dependent, rings, differ, milder;
} statistics;

/* The mode by element, as the oracle wants it. */
static const bool *on_by_element(const walk_visit *visit) {
    const hbg_causal_structure *structure = visit->f->structure;
    bool *on = HBG_NEW_ARRAY(&visit->f->arena, bool, visit->f->model->elements.count + 1);
    for (int32_t i = 0; i < visit->f->model->elements.count; i++)
        on[i] = structure->element_place[i] == HBG_NONE || visit->f->on[structure->element_place[i]];
    return on;
}

static void check(const walk_visit *visit) {
    statistics *s = visit->user;
    bool integral = visit->f->structure->options.integral;
    bool valid = hbg_causal_valid(visit->assignment);
    oracle_verdict v = oracle_judge(visit->f->model, on_by_element(visit), NULL, visit->seed);
    bool accepted = v.accepted && !(integral && v.dependent > 0);
    s->modes++;
    s->accepted += accepted;
    s->dependent += accepted && v.dependent > 0;
    s->excused += valid && walk_is_excused(visit->assignment);
    s->milder += !accepted && !integral && v.consistent && v.definite && !v.singular && v.readable;
    if (walk_has_ring(visit->f->structure)) {
        s->rings++;
        s->differ += valid != accepted;
        return;
    }
    WALK_ASSERT(visit, valid == accepted);
    if (valid && !integral)
        WALK_ASSERT(visit, hbg_causal_derivative_count(visit->assignment) == v.dependent ||
                               walk_closes_ring(visit->f->structure));
}

static void run(walk_plan plan) {
    statistics s = {0};
    plan.steps = 6;
    plan.moving = 50;
    plan.most.loops_scaled = true;
    walk_graphs(&plan, check, &s);
    print_message(
        "%d graphs, %d modes: %d solvable, of them %d with repeated zeros or floating parts and %d "
        "with dependent storages; %d more would be if live parts might float; %d modes of graphs with "
        "rings, judged otherwise in %d\n",
        plan.graphs, s.modes, s.accepted, s.excused, s.dependent, s.milder, s.rings, s.differ);
    assert_true(s.accepted > s.modes / 5 && s.accepted < s.modes && s.excused > 0);
    assert_true(s.rings < s.modes / 2);
}

static void trees_are_accepted_exactly_if_they_can_be_solved(void **state) {
    (void)state;
    graph_shape most = {WALK_SMALL};
    most.extra_links = 0;
    run((walk_plan){.graphs = trials(300, 900), .seed = 1, .most = most});
}

static void nets_are_accepted_exactly_if_they_can_be_solved(void **state) {
    (void)state;
    run((walk_plan){.graphs = trials(233, 700), .seed = 2, .most = {WALK_SMALL}});
}

static void nets_with_gyrators_are_accepted_exactly_if_they_can_be_solved(void **state) {
    (void)state;
    run((walk_plan){.graphs = trials(233, 700), .seed = 3, .most = {WALK_SMALL, .gyrators = 40}});
}

static void nets_with_dual_junctions_are_accepted_exactly_if_they_can_be_solved(void **state) {
    (void)state;
    run((walk_plan){.graphs = trials(233, 700), .seed = 4, .most = {WALK_SMALL, .gyrators = 10, .dual = 40}});
}

static void integral_causality_is_accepted_exactly_if_nothing_is_dependent(void **state) {
    (void)state;
    walk_plan plan = {
        .graphs = trials(166, 500), .seed = 5, .integral = true, .most = {WALK_SMALL, .gyrators = 10}};
    run(plan);
}

static void nets_of_sixteen_junctions_are_accepted_exactly_if_they_can_be_solved(void **state) {
    (void)state;
    graph_shape most = {WALK_SMALL, .gyrators = 15, .dual = 10};
    most.junctions = 16;
    most.elements = 18;
    most.sources = 8;
    most.chained = 0;
    walk_plan plan = {.graphs = trials(50, 150), .seed = 6, .most = most};
    plan.least = (graph_shape){.junctions = 10, .elements = 8};
    run(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_accepted_exactly_if_they_can_be_solved),
        cmocka_unit_test(nets_are_accepted_exactly_if_they_can_be_solved),
        cmocka_unit_test(nets_with_gyrators_are_accepted_exactly_if_they_can_be_solved),
        cmocka_unit_test(nets_with_dual_junctions_are_accepted_exactly_if_they_can_be_solved),
        cmocka_unit_test(integral_causality_is_accepted_exactly_if_nothing_is_dependent),
        cmocka_unit_test(nets_of_sixteen_junctions_are_accepted_exactly_if_they_can_be_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
