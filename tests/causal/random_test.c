/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Thousands of random hybrid bond graphs: after any sequence of switchings the assignment obeys every rule by
 * an independent judge, has as many integral storages as the best of all assignments, and a mode is rejected
 * only if no assignment exists. Large graphs, too large for trying everything, are compared with an assignment
 * from nothing. */
#include "brute_impl.h"
#include "judge_impl.h"
#include "walk_impl.h"

typedef struct {
    int modes, valid, dependence, loops, excused, large, tried;
} statistics;

static void count(const walk_visit *visit, statistics *s) {
    const hbg_causal_assignment *assignment = visit->assignment;
    int32_t *loop = HBG_NEW_ARRAY(&visit->f->arena, int32_t, visit->f->structure->place_count + 1);
    bool valid = hbg_causal_valid(assignment);
    s->modes++;
    s->valid += valid;
    s->dependence += valid && hbg_causal_derivative_count(assignment) > 0;
    s->excused += valid && walk_is_excused(assignment);
    s->loops += valid && hbg_causal_loops(&visit->f->arena, assignment, loop) > 0;
}

static void print_statistics(const walk_plan *plan, const statistics *s) {
    print_message("%d graphs, %d modes: %d with dependent storages, %d with loops, %d rejected, %d with "
                  "repeated zeros or floating parts; %d compared with all assignments\n",
                  plan->graphs, s->modes, s->dependence, s->loops, s->modes - s->valid, s->excused, s->tried);
}

static void check_against_fresh(const walk_visit *visit) {
    hbg_causal_assignment *fresh = fixture_assign(visit->f);
    WALK_ASSERT(visit, hbg_causal_valid(fresh) == hbg_causal_valid(visit->assignment));
    if (!hbg_causal_valid(fresh)) return;
    WALK_ASSERT(visit, hbg_causal_derivative_count(fresh) == hbg_causal_derivative_count(visit->assignment) ||
                           walk_gave_way(fresh) || walk_gave_way(visit->assignment));
    WALK_ASSERT(visit, judge_accepts(&visit->f->arena, visit->f->structure, fresh));
}

static void check_small(const walk_visit *visit) {
    statistics *s = visit->user;
    const hbg_causal_assignment *assignment = visit->assignment;
    bool valid = hbg_causal_valid(assignment), excused = walk_is_excused(assignment);
    int best = brute_best(visit->f->structure, visit->f->on);
    if (best >= 0) {
        WALK_ASSERT(visit, valid && !excused);
        WALK_ASSERT(visit, hbg_causal_derivative_count(assignment) == best ||
                               (walk_closes_ring(visit->f->structure) &&
                                hbg_causal_derivative_count(assignment) > best));
    } else {
        WALK_ASSERT(visit, !valid || excused);
    }
    WALK_ASSERT(visit, !valid || judge_accepts(&visit->f->arena, visit->f->structure, assignment));
    check_against_fresh(visit);
    count(visit, s);
    s->tried++;
}

static void check_large(const walk_visit *visit) {
    const hbg_causal_assignment *assignment = visit->assignment;
    bool valid = hbg_causal_valid(assignment);
    WALK_ASSERT(visit, !valid || judge_accepts(&visit->f->arena, visit->f->structure, assignment));
    check_against_fresh(visit);
    count(visit, visit->user);
}

static void run_small(walk_plan plan) {
    statistics s = {0};
    plan.steps = 8;
    plan.moving = 50;
    walk_graphs(&plan, check_small, &s);
    print_statistics(&plan, &s);
    assert_true(s.valid > s.modes / 5 && s.valid < s.modes); // neither side is empty
}

static void run_large(walk_plan plan) {
    statistics s = {0};
    plan.steps = 30;
    plan.moving = 6;
    walk_graphs(&plan, check_large, &s);
    print_statistics(&plan, &s);
    assert_true(s.valid > s.modes / 20 && s.valid < s.modes);
}

static void plain_graphs_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    run_small((walk_plan){.graphs = 900, .seed = 1, .most = {WALK_SMALL}});
}

static void graphs_with_gyrators_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    run_small((walk_plan){.graphs = 900, .seed = 2, .most = {WALK_SMALL, .gyrators = 40}});
}

static void graphs_with_dual_junctions_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    run_small((walk_plan){.graphs = 600, .seed = 3, .most = {WALK_SMALL, .gyrators = 10, .dual = 40}});
}

static void graphs_of_eight_junctions_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    graph_shape most = {WALK_SMALL, .gyrators = 15};
    most.junctions = 8;
    most.elements = 9;
    most.sources = 15;
    run_small((walk_plan){.graphs = 250, .seed = 4, .least = {.junctions = 7, .elements = 5}, .most = most});
}

static void integral_causality_alone_is_found_wherever_it_exists(void **state) {
    (void)state;
    walk_plan plan = {.graphs = 600, .seed = 5, .integral = true, .most = {WALK_SMALL, .gyrators = 10}};
    run_small(plan);
}

#define LARGE                                                                                                \
    .resistors = 45, .controlled = 20, .transformers = 10, .chained = 5, .shared = 20, .junctions = 200,     \
    .loops_scaled = false

static void large_trees_are_assigned_as_well_as_from_nothing(void **state) {
    (void)state;
    graph_shape most = {LARGE, .sources = 2, .elements = 400};
    run_large((walk_plan){.graphs = 25, .seed = 6, .least = {.junctions = 20, .elements = 60}, .most = most});
}

static void large_nets_are_assigned_as_well_as_from_nothing(void **state) {
    (void)state;
    graph_shape most = {LARGE, .sources = 1, .elements = 300, .extra_links = 40, .gyrators = 5};
    run_large((walk_plan){.graphs = 25, .seed = 7, .least = {.junctions = 20, .elements = 60}, .most = most});
}

static void large_nets_full_of_gyrators_are_assigned_as_well_as_from_nothing(void **state) {
    (void)state;
    graph_shape most = {LARGE, .sources = 1, .elements = 400, .extra_links = 80, .gyrators = 60, .dual = 10};
    walk_plan plan = {.graphs = 20, .seed = 8, .least = {.junctions = 20, .elements = 100}, .most = most};
    plan.least.extra_links = 20;
    run_large(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_graphs_are_assigned_as_well_as_can_be),
        cmocka_unit_test(graphs_with_gyrators_are_assigned_as_well_as_can_be),
        cmocka_unit_test(graphs_with_dual_junctions_are_assigned_as_well_as_can_be),
        cmocka_unit_test(graphs_of_eight_junctions_are_assigned_as_well_as_can_be),
        cmocka_unit_test(integral_causality_alone_is_found_wherever_it_exists),
        cmocka_unit_test(large_trees_are_assigned_as_well_as_from_nothing),
        cmocka_unit_test(large_nets_are_assigned_as_well_as_from_nothing),
        cmocka_unit_test(large_nets_full_of_gyrators_are_assigned_as_well_as_from_nothing),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations_test.sh
    return cmocka_run_group_tests(tests, NULL, NULL);
}
