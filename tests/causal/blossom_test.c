/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Alternating paths where a cycle holds an odd number of gyrators. Junctions of one kind joined by gyrators are
 * determined in pairs: a link determines both or none, so that choosing is a matching in the graph as drawn. */
#include "brute_impl.h"
#include "walk_impl.h"

/* A stem v1 v2 v3 and a ring v3 v4 v5; the only resistor hangs on v4. With v1 off the pairs are v2 v3 and
 * v4 v5; with v1 on v4 has to take the resistor, and the way to that leads round the ring. */
static void a_path_leads_round_an_odd_ring(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "0 v1 when a; 0 v2; 0 v3; 0 v4; 0 v5; R r(1);\n"
                                    "GY g12(1); GY g23(1); GY g34(1); GY g45(1); GY g53(1);\n"
                                    "b12: v1 -> g12; g12 -> v2; b23: v2 -> g23; g23 -> v3; v3 -> g34;\n"
                                    "g34 -> v4; b45: v4 -> g45; g45 -> v5; v5 -> g53; b53: g53 -> v3;\n"
                                    "b: v4 -> r; }",
        false);
    fixture_state(&f, "a", 1);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    assert_determines(&f, assignment, "v2", "b23");
    assert_determines(&f, assignment, "v4", "b45");
    assert_true(FLIP(&f, assignment, "v1"));
    assert_determines(&f, assignment, "v1", "b12");
    assert_determines(&f, assignment, "v3", "b53");
    assert_determines(&f, assignment, "v4", "b");
    assert_true(FLIP(&f, assignment, "v1"));
    assert_determines(&f, assignment, "v4", "b45");
    fixture_close(&f);
}

/* Three junctions in a ring cannot be paired; two of them can, and the third needs a resistor. */
static void an_odd_ring_needs_a_resistor(void **state) {
    (void)state;
    for (int resistor = 0; resistor < 2; resistor++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "model M { 0 i; 0 j; 0 k; GY g(1); GY h(1); GY l(1); i -> g; g -> j; j -> h; h -> k; k -> l;\n"
            "l -> i; I m(1); i -> m; Sf s(1); s -> i; %s }",
            resistor ? "R r(1); k -> r;" : "");
        fixture f;
        fixture_open(&f, text, false);
        hbg_causal_assignment *assignment = fixture_assign(&f);
        // without it the inertia has to give way
        assert_true(hbg_causal_valid(assignment));
        assert_int_equal(hbg_causal_derivative_count(assignment), !resistor);
        fixture_close(&f);
    }
}

/* Rings within rings, in any order: every mode as well as can be. */
typedef struct {
    int modes, valid;
} statistics;

static void check(const walk_visit *visit) {
    statistics *s = visit->user;
    int best = brute_best(visit->f->structure, visit->f->on);
    bool strict = hbg_causal_valid(visit->assignment) && !walk_is_excused(visit->assignment);
    WALK_ASSERT(visit, strict == (best >= 0));
    WALK_ASSERT(visit, best < 0 || hbg_causal_derivative_count(visit->assignment) == best ||
                           walk_gave_way(visit->assignment));
    s->modes++;
    s->valid += strict;
}

static void rings_within_rings_are_matched_as_well_as_can_be(void **state) {
    (void)state;
    statistics s = {0};
    walk_plan plan = {
        .graphs = 250, .steps = 6, .moving = 50, .seed = 1, .most = {WALK_SMALL, .gyrators = 95}};
    plan.least = (graph_shape){.junctions = 6, .extra_links = 3, .elements = 2};
    plan.most.junctions = 9;
    plan.most.extra_links = 6;
    plan.most.elements = 4;
    plan.most.transformers = 0;
    plan.most.controlled = 30;
    plan.most.bare = 0;
    walk_graphs(&plan, check, &s);
    print_message("%d modes, %d matched\n", s.modes, s.valid);
    assert_true(s.valid > s.modes / 10 && s.valid < s.modes);
}

static void numbers_of_searches_begin_anew(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f, "model M { " AUTOMATON("a") "R r1(1); R r2(1); Se v(1); 1 j when a; v -> j; j -> r1; j -> r2; }",
        false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assignment->search.number = INT32_MAX;
    assignment->search.stamped = INT32_MAX - 1;
    assignment->search.outer[0] = 1; // of a search long ago
    hbg_causal_begin_search(assignment);
    assert_int_equal(assignment->search.number, 1);
    assert_int_equal(assignment->search.stamped, 0);
    assert_int_equal(assignment->search.outer[0], 0);
    assert_true(FLIP(&f, assignment, "j"));
    assert_true(FLIP(&f, assignment, "j"));
    fixture_close(&f);
}

/* Counts who the last search has met. */
static void count_met(const hbg_causal_assignment *assignment, int32_t before, int *met) {
    if (assignment->search.number == before) return;
    for (int32_t i = 0; i < assignment->structure->vertex_count; i++)
        met[i] += assignment->search.outer[i] == assignment->search.number ||
                  assignment->search.inner[i] == assignment->search.number;
}

/* A train of bodies, one of them integral: the others look for a way in vain, and none looks where another has
 * been. */
static void no_search_goes_where_one_has_failed(void **state) {
    (void)state;
    enum { BODIES = 60 };
    static char memory[BODIES * 100];
    int met[4 * BODIES] = {0}, most = 0;
    graph_text text = {memory, 0, sizeof memory};
    text_add(&text, "model M { " AUTOMATON("a") "1 k when a; 0 m; k -> m -> j0; 1 j0; I i0(1); j0 -> i0;\n");
    for (int i = 1; i < BODIES; i++)
        text_add(&text, "1 j%d; I i%d(1); j%d -> i%d; j%d -> j%d;\n", i, i, i, i, i - 1, i);
    text_add(&text, "}\n");
    fixture f;
    fixture_open(&f, memory, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_int_equal(hbg_causal_derivative_count(assignment), BODIES - 1);
    hbg_causal_begin_round(assignment);
    for (int32_t slot = 0; slot < 2 * f.structure->link_count; slot++) {
        const hbg_causal_end *end = &f.structure->links[slot >> 1].end[slot & 1];
        int32_t before = assignment->search.number;
        if (end->demand != HBG_DEMAND_PREFER || assignment->mark[slot] == end->wants_effort) continue;
        assert_false(hbg_causal_improve(assignment, slot));
        count_met(assignment, before, met);
    }
    hbg_causal_end_round(assignment);
    for (int32_t i = 0; i < f.structure->vertex_count; i++) most = met[i] > most ? met[i] : most;
    assert_int_equal(most, 1);
    fixture_close(&f);
}

static void numbers_of_rounds_begin_anew(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { 0 j; C c1(1); C c2(1); j -> c1; j -> c2; }", false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assignment->search.round = INT32_MAX;
    assignment->search.closed[0] = 1; // of a round long ago
    hbg_causal_begin_round(assignment);
    assert_int_equal(assignment->search.round, 1);
    assert_int_equal(assignment->search.closed[0], 0);
    hbg_causal_end_round(assignment);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_leads_round_an_odd_ring),
        cmocka_unit_test(an_odd_ring_needs_a_resistor),
        cmocka_unit_test(rings_within_rings_are_matched_as_well_as_can_be),
        cmocka_unit_test(numbers_of_searches_begin_anew),
        cmocka_unit_test(no_search_goes_where_one_has_failed),
        cmocka_unit_test(numbers_of_rounds_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
