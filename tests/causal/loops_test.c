/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Algebraic loops are what following every signal through junctions, transformers, gyrators and resistors
 * says. */
#include "signals_impl.h"

/* By element, for junctions and resistors: a signal on the loop of signal i arrives there. */
static void find_loop(const signals *s, int32_t i, bool on_loop[SIGNALS]) {
    const hbg_model *model = s->f->model;
    assert_true(model->elements.count <= SIGNALS);
    memset(on_loop, 0, SIGNALS * sizeof *on_loop);
    for (int32_t k = 0; k < 2 * model->bonds.count; k++) {
        if (!s->reaches[i][k] || !s->reaches[k][i]) continue;
        int32_t element = signals_element_at(s, k >> 1, signals_runs_to(s, k, 1));
        hbg_element_kind kind = model->elements.items[element].kind;
        on_loop[element] = kind != HBG_KIND_TF && kind != HBG_KIND_GY;
    }
}

/* The members have a loop with just these elements. */
static bool has_loop(const hbg_causal_loop_members *members, const bool on_loop[SIGNALS]) {
    for (int32_t loop = 0; loop < members->loop_count; loop++) {
        bool found[SIGNALS] = {0};
        for (int32_t i = 0; i < members->count; i++)
            if (members->items[i].loop == loop) found[members->items[i].element] = true;
        if (memcmp(found, on_loop, sizeof found) == 0) return true;
    }
    return false;
}

typedef struct {
    int modes, with_loops, loops;
} statistics;

/* How many loops there are; each is one of those found. */
static int check_loops(const walk_visit *visit, const signals *s, const hbg_causal_loop_members *members,
                       bool in_loop[SIGNALS]) {
    int loops = 0;
    for (int32_t i = 0; i < 2 * s->f->model->bonds.count; i++) {
        bool first = s->reaches[i][i], on_loop[SIGNALS];
        for (int32_t k = 0; k < i; k++) first = first && !(s->reaches[i][k] && s->reaches[k][i]);
        if (!first) continue;
        find_loop(s, i, on_loop);
        WALK_ASSERT(visit, has_loop(members, on_loop));
        for (int32_t k = 0; k < SIGNALS; k++) in_loop[k] = in_loop[k] || on_loop[k];
        loops++;
    }
    return loops;
}

static void check(const walk_visit *visit) {
    static signals s;
    const hbg_causal_structure *structure = visit->f->structure;
    statistics *counted = visit->user;
    if (!hbg_causal_valid(visit->assignment) || walk_is_excused(visit->assignment)) return;
    s = (signals){.f = visit->f, .assignment = visit->assignment, .resistors = true};
    signals_join(&s);
    signals_close(&s);
    bool in_loop[SIGNALS] = {0};
    int32_t loop[GRAPH_JUNCTIONS];
    hbg_causal_loop_members members = hbg_causal_loops_with_members(&visit->f->arena, visit->assignment);
    int expected = check_loops(visit, &s, &members, in_loop);
    int32_t found = hbg_causal_loops(&visit->f->arena, visit->assignment, loop);
    WALK_ASSERT(visit, found == expected && members.loop_count == found);
    for (int32_t place = 0; place < structure->place_count; place++) {
        WALK_ASSERT(visit, (loop[place] != HBG_NONE) == in_loop[structure->place_element[place]]);
        WALK_ASSERT(visit, loop[place] < found);
    }
    counted->modes++;
    counted->with_loops += found > 0;
    counted->loops += found;
}

static void loops_are_what_following_the_signals_says(void **state) {
    (void)state;
    statistics s = {0};
    walk_plan plan = {
        .graphs = 350, .steps = 4, .moving = 50, .seed = 1, .most = {WALK_SMALL, .gyrators = 20}};
    plan.most.resistors = 50;
    plan.most.sources = 15;
    walk_graphs(&plan, check, &s);
    print_message("%d modes: %d with loops, %d loops\n", s.modes, s.with_loops, s.loops);
    assert_true(s.with_loops > s.modes / 10 && s.with_loops < s.modes && s.loops > s.with_loops);
}

/* ---- single cases ------------------------------------------------------------------------------------- */

static int32_t loops_in(const char *text) {
    fixture f;
    int32_t loop[8];
    fixture_open(&f, text, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    int32_t count = hbg_causal_loops(&f.arena, assignment, loop);
    fixture_close(&f);
    return count;
}

static void a_voltage_divider_is_a_loop(void **state) {
    (void)state;
    // one resistor gives the flow, the other turns it into an effort
    assert_int_equal(loops_in("model M { Se v(1); R r1(1); R r2(1); 1 j; v -> j; j -> r1; j -> r2; }"), 1);
}

static void a_capacitor_between_resistors_breaks_the_loop(void **state) {
    (void)state;
    assert_int_equal(loops_in("model M { Se v(1); R r1(1); R r2(1); C c(1); 1 j; 0 n; v -> j; j -> r1;\n"
                              "j -> n; n -> c; n -> r2; }"),
                     0);
}

static void two_dividers_are_two_loops(void **state) {
    (void)state;
    assert_int_equal(loops_in("model M { Se v(1); R r1(1); R r2(1); 1 j; v -> j; j -> r1; j -> r2;\n"
                              "Se w(1); R r3(1); R r4(1); 1 k; w -> k; k -> r3; k -> r4; }"),
                     2);
}

static void a_ring_of_junctions_is_a_loop_without_a_resistor(void **state) {
    (void)state;
    // e = 2 e around the transformer
    assert_int_equal(loops_in("model M { 0 j; TF t(2); j -> t; t -> j; R r(1); j -> r; }") > 0, true);
}

static void a_resistor_with_two_ports_closes_a_loop(void **state) {
    (void)state;
    const char *text =
        "model M { Se v(1); R r[2]([[2, 1], [1, 2]]); R a(1); R b(1); 1 i; 1 j; v -> i; i -> r[1];\n"
        "i -> a; Se w(1); w -> j; j -> r[2]; j -> b; }";
    fixture f;
    fixture_open(&f, text, false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    hbg_causal_loop_members members = hbg_causal_loops_with_members(&f.arena, assignment);
    // each divider is a loop of its own, and the field makes one of the two
    assert_int_equal(members.loop_count, 1);
    int32_t r = fixture_element(&f, "r"), a = fixture_element(&f, "a"), b = fixture_element(&f, "b");
    int32_t i = fixture_element(&f, "i"), j = fixture_element(&f, "j");
    const hbg_causal_loop_member expected[] = {{0, r, 1}, {0, r, 2}, {0, a, 1},
                                               {0, b, 1}, {0, i, 0}, {0, j, 0}};
    assert_int_equal(members.count, 6);
    assert_memory_equal(members.items, expected, sizeof expected);
    fixture_close(&f);
}

/* Two dividers: the members of the first loop come first, each in the order of the elements. */
static void members_are_in_the_order_of_loops(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { Se v(1); R r1(1); R r3(1); 1 j; v -> j; j -> r1; j -> r2;\n"
                 "Se w(1); R r2(1); R r4(1); 1 k; w -> k; k -> r3; k -> r4; }",
                 false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    hbg_causal_loop_members members = hbg_causal_loops_with_members(&f.arena, assignment);
    int32_t loop[2],
        first[] = {fixture_element(&f, "r1"), fixture_element(&f, "j"), fixture_element(&f, "r2")};
    assert_int_equal(hbg_causal_loops(&f.arena, assignment, loop), 2);
    assert_int_equal(members.loop_count, 2);
    assert_int_equal(members.count, 6);
    int32_t begin = 3 * loop[fixture_place(&f, "j")];
    for (int32_t i = 0; i < 6; i++) assert_int_equal(members.items[i].loop, i / 3);
    for (int32_t i = 0; i < 3; i++) assert_int_equal(members.items[begin + i].element, first[i]);
    fixture_close(&f);
}

/* Effort goes round the ring, and so does flow the other way; the resistor makes flow of effort, and none of
 * that comes back. */
static void a_resistor_between_two_loops_is_on_none(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { 0 j; TF t(2); j -> t; t -> j; R r(1); j -> r; }", false);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    hbg_causal_loop_members members = hbg_causal_loops_with_members(&f.arena, assignment);
    assert_int_equal(members.loop_count, 2);
    assert_int_equal(members.count, 2);
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(members.items[i].loop, i);
        assert_int_equal(members.items[i].element, fixture_element(&f, "j"));
        assert_int_equal(members.items[i].port, 0);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_what_following_the_signals_says),
        cmocka_unit_test(a_voltage_divider_is_a_loop),
        cmocka_unit_test(a_capacitor_between_resistors_breaks_the_loop),
        cmocka_unit_test(two_dividers_are_two_loops),
        cmocka_unit_test(a_ring_of_junctions_is_a_loop_without_a_resistor),
        cmocka_unit_test(a_resistor_with_two_ports_closes_a_loop),
        cmocka_unit_test(members_are_in_the_order_of_loops),
        cmocka_unit_test(a_resistor_between_two_loops_is_on_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
