/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Regions: what a mode change can touch. */
#include "walk_impl.h"

static bool is_together(const fixture *f, const char *a, const char *b) {
    return f->structure->place_region[fixture_place(f, a)] == f->structure->place_region[fixture_place(f, b)];
}

/* Nodes with a capacitor and a resistor behind keep their bonds in all modes. */
static void fixed_bonds_part_regions(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "1 s when a; R r(1); Se v(1); 0 n; C c(1); R u(1); 1 t; R w(1); R x(1);\n"
                                    "v -> s; s -> r; s -> n; n -> c; n -> u; n -> t; t -> w; t -> x; }",
        false);
    assert_false(is_together(&f, "s", "n"));
    assert_false(is_together(&f, "n", "t"));
    assert_int_equal(f.structure->region_count, 3);
    fixture_close(&f);
}

static void open_bonds_join_regions(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "1 s when a; R r(1); Se v(1); 0 n; R u(1); 1 t; R w(1); R x(1);\n"
                                    "v -> s; s -> r; s -> n; n -> u; n -> t; t -> w; t -> x; }",
        false);
    assert_true(is_together(&f, "s", "n"));
    assert_true(is_together(&f, "n", "t"));
    fixture_close(&f);
}

/* A zero spreads along a bond between like junctions, fixed or not. */
static void fixed_bonds_that_hand_a_variable_on_join_regions(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "0 s when a; Se v(1); R r(1); 0 n; 0 m; I l(1); v -> s; s -> r;\n"
                                    "s -> n; x: n -> m; m -> l; }",
        true);
    assert_int_not_equal(f.structure->link_fixed[fixture_link(&f, "x")], HBG_NONE);
    assert_true(is_together(&f, "n", "m"));
    fixture_close(&f);
}

static void every_place_is_in_one_region(void **state) {
    (void)state;
    static graph g;
    walk_plan plan = {.graphs = 300, .seed = 1, .most = {WALK_SMALL, .gyrators = 20}};
    plan.most.junctions = 12;
    for (int i = 0; i < plan.graphs; i++) {
        test_random random;
        fixture f;
        fixture_open(&f, walk_text(&plan, i, &g, &random), false);
        const hbg_causal_structure *s = f.structure;
        bool listed[GRAPH_JUNCTIONS] = {0};
        for (int32_t region = 0; region < s->region_count; region++)
            for (int32_t k = s->region_start[region]; k < s->region_start[region + 1]; k++) {
                assert_false(listed[s->region_places[k]]);
                listed[s->region_places[k]] = true;
                assert_int_equal(s->place_region[s->region_places[k]], region);
            }
        for (int32_t place = 0; place < s->place_count; place++) assert_true(listed[place]);
        for (int32_t link = 0; link < s->link_count; link++) {
            int32_t a = s->links[link].end[0].place, b = s->links[link].end[1].place;
            if (a == HBG_NONE || b == HBG_NONE) continue;
            if (s->place_region[a] != s->place_region[b]) assert_int_not_equal(s->link_fixed[link], HBG_NONE);
        }
        fixture_close(&f);
    }
}

/* Marks of another region stand still, however a region switches. */
static void check_alone(const walk_visit *visit) {
    const hbg_causal_structure *s = visit->f->structure;
    hbg_causal_assignment *assignment = fixture_assign(visit->f);
    uint8_t before[4 * GRAPH_LINKS];
    if (!hbg_causal_valid(assignment)) return;
    for (int32_t place = 0; place < s->place_count; place++) {
        if (!s->controlled[place]) continue;
        memcpy(before, assignment->mark, 2 * (size_t)s->link_count);
        if (!hbg_causal_switch(assignment, &place, 1)) return;
        for (int32_t slot = 0; slot < 2 * s->link_count; slot++) {
            int32_t at = causal_place(s, slot);
            if (at != HBG_NONE && s->place_region[at] != s->place_region[place])
                WALK_ASSERT(visit, assignment->mark[slot] == before[slot]);
        }
    }
}

static void marks_of_other_regions_stand_still(void **state) {
    (void)state;
    walk_plan plan = {
        .graphs = 400, .steps = 2, .moving = 50, .seed = 2, .most = {WALK_SMALL, .gyrators = 10}};
    plan.most.junctions = 12;
    plan.most.elements = 20;
    plan.most.sources = 8;
    plan.most.shared = 0; // each junction switches alone here
    walk_graphs(&plan, check_alone, NULL);
}

static void cycles_with_an_odd_number_of_gyrators_are_listed(void **state) {
    (void)state;
    for (int gyrators = 0; gyrators < 4; gyrators++) {
        fixture f;
        char text[512];
        const char *const kind[] = {"TF", "GY"};
        snprintf(text, sizeof text,
                 "model M { " AUTOMATON(
                     "a") "0 i when a; 0 j; 0 k; %s g(1); %s h(1); %s l(1); i -> g; g -> j; j -> h;\n"
                          "h -> k; k -> l; l -> i; R r(1); i -> r; }",
                 kind[gyrators > 0], kind[gyrators > 1], kind[gyrators > 2]);
        fixture_open(&f, text, false);
        int32_t region = f.structure->place_region[fixture_place(&f, "i")];
        int32_t odd = f.structure->region_odd_start[region + 1] - f.structure->region_odd_start[region];
        assert_int_equal(odd, gyrators % 2);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_bonds_part_regions),
        cmocka_unit_test(open_bonds_join_regions),
        cmocka_unit_test(fixed_bonds_that_hand_a_variable_on_join_regions),
        cmocka_unit_test(every_place_is_in_one_region),
        cmocka_unit_test(marks_of_other_regions_stand_still),
        cmocka_unit_test(cycles_with_an_odd_number_of_gyrators_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
