/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Algebraic loops are what following every signal through every element says: along each bond run an effort
 * and a flow, in the directions its causal stroke gives; junctions, transformers, gyrators and resistors pass
 * them on, sources and storages do not. */
#include "walk_impl.h"

#define SIGNALS 128

/* ---- signals by bonds and strokes --------------------------------------------------------------------- */

typedef struct {
    const fixture *f;
    const hbg_causal_assignment *assignment;
    bool reaches[SIGNALS][SIGNALS]; /* signal bond*2 + (0 effort, 1 flow) to another */
} signals;

static int32_t element_at(const signals *s, int32_t bond, int end) {
    const hbg_bond *b = &s->f->model->bonds.items[bond];
    return end ? b->to.element : b->from.element;
}

/* Effort runs to the end with the stroke, flow to the other. */
static bool runs_to(const signals *s, int32_t signal, int end) {
    return (hbg_causal_stroke(s->assignment, signal >> 1) == end) != (signal & 1);
}

static void join(signals *s, int32_t from, int end_from, int32_t to, int end_to) {
    if (runs_to(s, from, end_from) && !runs_to(s, to, end_to)) s->reaches[from][to] = true;
}

/* Whether an element passes a signal from one of its bond ends on to another. */
static bool passes(const signals *s, int32_t element, int32_t from, int32_t to, bool same_end) {
    hbg_element_kind kind = s->f->model->elements.items[element].kind;
    bool same_kind = (from & 1) == (to & 1);
    switch (kind) {
    case HBG_KIND_ZERO:
    case HBG_KIND_ONE: return same_kind && !same_end && s->f->on[s->f->structure->element_place[element]];
    case HBG_KIND_TF: return same_kind && !same_end;
    case HBG_KIND_GY: return !same_kind && !same_end;
    case HBG_KIND_R: return !same_kind;
    default: return false;
    }
}

static void follow(signals *s) {
    int32_t count = s->f->model->bonds.count;
    assert_true(2 * count <= SIGNALS);
    for (int32_t from = 0; from < 2 * count; from++)
        for (int32_t to = 0; to < 2 * count; to++)
            for (int ends = 0; ends < 4; ends++) {
                int32_t element = element_at(s, from >> 1, ends & 1);
                bool same_end = from >> 1 == to >> 1 && (ends & 1) == ends >> 1;
                if (element == element_at(s, to >> 1, ends >> 1) && passes(s, element, from, to, same_end))
                    join(s, from, ends & 1, to, ends >> 1);
            }
    for (int32_t k = 0; k < 2 * count; k++)
        for (int32_t i = 0; i < 2 * count; i++)
            for (int32_t j = 0; j < 2 * count && s->reaches[i][k]; j++)
                s->reaches[i][j] = s->reaches[i][j] || s->reaches[k][j];
}

/* How many sets of signals depend on themselves; `in_loop` by place. */
static int count_loops(const signals *s, bool *in_loop) {
    const hbg_causal_structure *structure = s->f->structure;
    int32_t count = 2 * s->f->model->bonds.count;
    int loops = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!s->reaches[i][i]) continue;
        bool first = true;
        for (int32_t k = 0; k < i; k++) first = first && !(s->reaches[i][k] && s->reaches[k][i]);
        loops += first;
        for (int end = 0; end < 2; end++) {
            int32_t place = structure->element_place[element_at(s, i >> 1, end)];
            if (place != HBG_NONE) in_loop[place] = true;
        }
    }
    return loops;
}

typedef struct {
    int modes, with_loops, loops;
} statistics;

static void check(const walk_visit *visit) {
    static signals s;
    statistics *counted = visit->user;
    if (!hbg_causal_valid(visit->assignment) || walk_is_excused(visit->assignment)) return;
    memset(&s, 0, sizeof s);
    s.f = visit->f;
    s.assignment = visit->assignment;
    follow(&s);
    bool in_loop[GRAPH_JUNCTIONS] = {0};
    int32_t loop[GRAPH_JUNCTIONS];
    int expected = count_loops(&s, in_loop);
    int32_t found = hbg_causal_loops(&visit->f->arena, visit->assignment, loop);
    WALK_ASSERT(visit, found == expected);
    for (int32_t place = 0; place < visit->f->structure->place_count; place++) {
        WALK_ASSERT(visit, (loop[place] != HBG_NONE) == in_loop[place]);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_what_following_the_signals_says),
        cmocka_unit_test(a_voltage_divider_is_a_loop),
        cmocka_unit_test(a_capacitor_between_resistors_breaks_the_loop),
        cmocka_unit_test(two_dividers_are_two_loops),
        cmocka_unit_test(a_ring_of_junctions_is_a_loop_without_a_resistor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
