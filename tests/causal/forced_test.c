/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Forced causality (001, Definition 4) is what trying all assignments of a mode says. All assignments are those
 * that keep the links in fixed causality; a storage that is not fixed is free, since nothing follows from a
 * preference. A junction that is off is forced, as Algorithm 4 labels it; one that floats has no determining
 * bond and is not. */
#include "brute_impl.h"
#include "walk_impl.h"

typedef struct {
    int modes, places, forced;
} statistics;

typedef struct {
    int32_t first[BRUTE_PLACES]; /* by place: what determines it in the first assignment */
    bool varies[BRUTE_PLACES];
} determined;

static void note(brute *b, void *user) {
    determined *d = user;
    for (int32_t place = 0; place < b->structure->place_count; place++) {
        if (b->count == 1) d->first[place] = b->determining[place];
        d->varies[place] = d->varies[place] || d->first[place] != b->determining[place];
    }
}

static void check(const walk_visit *visit) {
    const hbg_causal_structure *structure = visit->f->structure;
    statistics *s = visit->user;
    if (!hbg_causal_valid(visit->assignment) || walk_is_excused(visit->assignment)) return;
    bool forced[BRUTE_PLACES];
    hbg_causal_forced(&visit->f->arena, visit->assignment, forced);
    determined d = {0};
    brute b = {.structure = structure,
               .on = visit->f->on,
               .held = structure->link_fixed,
               .limit = INT32_MAX,
               .found = note,
               .user = &d};
    brute_run(&b);
    WALK_ASSERT(visit, b.count > 0);
    s->modes++;
    for (int32_t place = 0; place < structure->place_count; place++) {
        bool expected = !visit->f->on[place] || !d.varies[place];
        WALK_ASSERT(visit, forced[place] == expected);
        s->places += visit->f->on[place];
        s->forced += visit->f->on[place] && expected;
    }
}

static void run(walk_plan plan) {
    statistics s = {0};
    plan.steps = 5;
    plan.moving = 50;
    plan.most.resistors = 50;
    plan.most.sources = 15;
    walk_graphs(&plan, check, &s);
    print_message("%d modes: %d junctions on, %d of them forced\n", s.modes, s.places, s.forced);
    assert_true(s.forced > s.places / 10 && s.forced < s.places);
}

static void forced_is_what_all_assignments_share(void **state) {
    (void)state;
    run((walk_plan){.graphs = 500, .seed = 1, .most = {WALK_SMALL, .dual = 10}});
}

static void forced_is_what_all_assignments_with_gyrators_share(void **state) {
    (void)state;
    run((walk_plan){.graphs = 400, .seed = 2, .most = {WALK_SMALL, .gyrators = 50}});
}

static void forced_is_what_all_integral_assignments_share(void **state) {
    (void)state;
    run((walk_plan){.graphs = 400, .seed = 3, .integral = true, .most = {WALK_SMALL, .gyrators = 10}});
}

/* Whether the place is forced in the mode where everything is on. */
static bool is_forced(const char *text, const char *place) {
    fixture f;
    bool forced[8];
    fixture_open(&f, text, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    hbg_causal_forced(&f.arena, assignment, forced);
    bool answer = forced[fixture_place(&f, place)];
    fixture_close(&f);
    return answer;
}

static void a_source_forces_its_junction(void **state) {
    (void)state;
    assert_true(is_forced("model M { Se v(1); R r(1); 0 j; v -> j -> r; }", "j"));
}

static void two_resistors_leave_a_choice(void **state) {
    (void)state;
    // not fixed: a switch reaches the junction
    const char *text = "model M { automaton a { on n -> f when false; off f -> n when false; }\n"
                       "R r1(1); R r2(1); Se v(1); 1 j when a; v -> j; j -> r1; j -> r2; }";
    assert_false(is_forced(text, "j"));
}

static void one_resistor_leaves_none(void **state) {
    (void)state;
    const char *text = "model M { automaton a { on n -> f when false; off f -> n when false; }\n"
                       "R r(1); Se v(1); 1 j when a; v -> j -> r; }";
    assert_true(is_forced(text, "j"));
}

static void a_preference_forces_nothing(void **state) {
    (void)state;
    // two capacitors in parallel: either can determine the node
    const char *text = "model M { automaton a { on n -> f when false; off f -> n when false; }\n"
                       "C c1(1); C c2(1); 0 j when a; j -> c1; j -> c2; }";
    assert_false(is_forced(text, "j"));
}

static void a_bond_beside_another_leaves_a_choice(void **state) {
    (void)state;
    // either bond determines both junctions; that k floats beside them does not matter
    const char *text = "model M { automaton a { on n -> f when false; off f -> n when false; }\n"
                       "0 i; 1 j when a; 1 k; i -> j; i -> k; j -> i; }";
    assert_false(is_forced(text, "i"));
    assert_false(is_forced(text, "j"));
    assert_false(is_forced(text, "k"));
}

/* The source decides all along the chain; only its last junction can choose between two resistors. */
static void a_long_chain_is_forced_as_a_whole(void **state) {
    (void)state;
    enum { NODES = 3001 };
    static char memory[NODES * 60];
    static bool forced[NODES];
    graph_text text = {memory, 0, sizeof memory};
    text_add(&text, "model M { " AUTOMATON("a") "1 j0 when a; Se v(1); v -> j0;\n");
    for (int i = 1; i < NODES; i++) text_add(&text, "%d j%d; j%d -> j%d;\n", (i + 1) % 2, i, i - 1, i);
    text_add(&text, "R r1(1); R r2(1); j%d -> r1; j%d -> r2; }\n", NODES - 1, NODES - 1);
    fixture f;
    fixture_open(&f, memory, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    hbg_causal_forced(&f.arena, assignment, forced);
    for (int i = 0; i < NODES - 1; i++) assert_true(forced[i]);
    assert_false(forced[NODES - 1]);
    fixture_close(&f);
}

static void asking_leaves_the_assignment_as_it_is(void **state) {
    (void)state;
    fixture f;
    bool forced[8];
    fixture_open(&f,
                 "model M { automaton a { on n -> f when false; off f -> n when false; }\n"
                 "R r1(1); R r2(1); Se v(1); 1 j when a; v -> j; b1: j -> r1; b2: j -> r2; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    int32_t bond = hbg_causal_determining_bond(assignment, 0);
    hbg_causal_forced(&f.arena, assignment, forced);
    assert_int_equal(hbg_causal_determining_bond(assignment, 0), bond);
    assert_int_equal(assignment->pending.count, 0);
    assert_int_equal(assignment->touched.count, 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forced_is_what_all_assignments_share),
        cmocka_unit_test(forced_is_what_all_assignments_with_gyrators_share),
        cmocka_unit_test(forced_is_what_all_integral_assignments_share),
        cmocka_unit_test(a_source_forces_its_junction),
        cmocka_unit_test(two_resistors_leave_a_choice),
        cmocka_unit_test(one_resistor_leaves_none),
        cmocka_unit_test(a_preference_forces_nothing),
        cmocka_unit_test(a_bond_beside_another_leaves_a_choice),
        cmocka_unit_test(a_long_chain_is_forced_as_a_whole),
        cmocka_unit_test(asking_leaves_the_assignment_as_it_is),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations_test.sh
    return cmocka_run_group_tests(tests, NULL, NULL);
}
