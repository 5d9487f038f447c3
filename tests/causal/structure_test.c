/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Junctions become places, bonds and chains of transformers and gyrators become links. */
#include "fixture_impl.h"

static void a_chain_of_transformers_is_one_link(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { 0 i; 1 j; TF s(2); TF t(3); R r(1); i -> r; a: i -> s; b: s -> t; c: t -> j; }",
                 false);
    assert_int_equal(f.structure->place_count, 2);
    assert_int_equal(f.structure->link_count, 2);
    int32_t link = fixture_link(&f, "a");
    assert_int_equal(fixture_link(&f, "b"), link);
    assert_int_equal(fixture_link(&f, "c"), link);
    assert_int_equal(f.structure->links[link].bond_count, 3);
    assert_false(f.structure->links[link].odd);
    fixture_close(&f);
}

static void gyrators_turn_a_link_over_once_each(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f, "model M { 0 i; 1 j; GY g(2); GY h(3); GY k(2); a: i -> g; g -> j; b: i -> h; h -> k; k -> j; }",
        false);
    assert_true(f.structure->links[fixture_link(&f, "a")].odd);
    assert_false(f.structure->links[fixture_link(&f, "b")].odd);
    fixture_close(&f);
}

/* Like junctions, and unlike ones across a gyrator: one of the two is determined, whatever the causality. */
static void links_that_always_determine_one_end_are_vertices(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { 0 i; 0 j; 1 k; GY g(2); GY h(2); a: i -> j; b: j -> k; c: i -> g; d: g -> k;\n"
                 "e: i -> h; h -> j; }",
                 false);
    const char *const names[] = {"a", "b", "c", "e"};
    const bool own[] = {true, false, true, false};
    for (int i = 0; i < 4; i++) {
        int32_t link = fixture_link(&f, names[i]), vertex = f.structure->link_vertex[link];
        assert_int_equal(vertex != HBG_NONE, own[i]);
        assert_int_equal(causal_partner(f.structure, 2 * link, 1), !own[i]);
        if (own[i]) assert_int_equal(f.structure->vertex_link[vertex], link);
    }
    assert_int_equal(f.structure->vertex_count, 5);
    fixture_close(&f);
}

static void ends_know_their_element_and_what_it_wants(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { 0 j; Se v(1); C c(1); R r(1); I w[2]([[2, 1], [1, 2]]); 1 k; a: v -> j; b: j -> c;\n"
        "c1: j -> r; d: j -> w[2]; j -> k; k -> w[1]; }",
        false);
    const char *const names[] = {"a", "b", "c1", "d"};
    const hbg_causal_demand demands[] = {HBG_DEMAND_MUST, HBG_DEMAND_PREFER, HBG_DEMAND_FREE,
                                         HBG_DEMAND_PREFER};
    for (int i = 0; i < 4; i++) {
        const hbg_causal_end *end = f.structure->links[fixture_link(&f, names[i])].end;
        const hbg_causal_end *far = end[0].place == HBG_NONE ? &end[0] : &end[1];
        assert_int_equal(far->demand, demands[i]);
        assert_int_equal(far->is_source, i == 0);
        assert_int_equal(far->port, i == 3 ? 2 : 1);
        if (i != 2) assert_int_equal(far->wants_effort, i == 3);
    }
    fixture_close(&f);
}

static void integral_storages_demand(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { 0 j; C c(1); R r(1); b: j -> c; j -> r; }", true);
    assert_int_equal(f.structure->links[fixture_link(&f, "b")].end[1].demand, HBG_DEMAND_MUST);
    assert_false(f.structure->links[fixture_link(&f, "b")].end[1].is_source);
    fixture_close(&f);
}

static void a_closed_ring_of_transformers_is_no_link(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { TF s(2); TF t(3); a: s -> t; b: t -> s; 0 j; R r(1); j -> r; }", false);
    assert_int_equal(f.structure->bond_link[fixture_bond(&f, "a")], HBG_NONE);
    assert_int_equal(f.structure->link_count, 1);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_in_range(hbg_causal_stroke(assignment, fixture_bond(&f, "b")), 0, 1);
    fixture_close(&f);
}

static void equal_conditions_are_one_control(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a")
                     AUTOMATON("b") "0 i when a && !b; 1 j when a && !b; 1 k when a; 0 l;\n"
                                    "i -> j -> l -> k; R r(1); l -> r; }",
                 false);
    const int32_t *group = f.structure->control_group;
    assert_int_equal(group[fixture_place(&f, "i")], group[fixture_place(&f, "j")]);
    assert_int_not_equal(group[fixture_place(&f, "i")], group[fixture_place(&f, "k")]);
    assert_int_equal(group[fixture_place(&f, "l")], HBG_NONE);
    fixture_close(&f);
}

static void a_mode_follows_from_the_states(void **state) {
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "model M { " AUTOMATON("a") "automaton b { off x -> y when false; on y -> z when false; off z; }\n"
                                    "0 i when a; 0 j when !a; 0 k when b; 0 l when b.z || a; 0 m;\n"
                                    "R r(1); i -> j -> k -> l -> m -> r; }",
        false);
    const char *const names[] = {"i", "j", "k", "l", "m"};
    const bool expected[2][3][5] = {{{1, 0, 0, 1, 1}, {1, 0, 1, 1, 1}, {1, 0, 0, 1, 1}},
                                    {{0, 1, 0, 0, 1}, {0, 1, 1, 0, 1}, {0, 1, 0, 1, 1}}};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 3; b++) {
            fixture_state(&f, "a", a);
            fixture_state(&f, "b", b);
            for (int i = 0; i < 5; i++)
                assert_int_equal(f.on[fixture_place(&f, names[i])], expected[a][b][i]);
        }
    fixture_close(&f);
}

static void a_model_without_junctions_has_a_structure(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, "model M { Se v(1); R r(1); v -> r; }", false);
    assert_int_equal(f.structure->place_count, 0);
    assert_int_equal(f.structure->link_count, 1);
    assert_true(hbg_causal_valid(fixture_assign(&f)));
    fixture_close(&f);
}

/* Few conditions need no memory, many give it back. */
static void asking_for_a_mode_keeps_no_memory(void **state) {
    (void)state;
    for (int many = 0; many < 2; many++) {
        static char memory[1 << 20];
        graph_text text = {memory, 0, sizeof memory};
        fixture f;
        text_add(&text, "model M { " AUTOMATON("a") AUTOMATON("b") "R r(1); 1 k; k -> r;\n");
        for (int i = 0; i < (many ? 5000 : 5); i++) text_add(&text, "0 j%d when a && !b; j%d -> k;\n", i, i);
        text_add(&text, "}\n");
        fixture_open(&f, memory, false);
        assert_int_equal(f.model->exprs.count > 4096, many);
        size_t used = f.session->memory.used;
        const char *next = f.arena.next;
        for (int32_t i = 0; i < 100; i++) {
            f.states[0] = i & 1;
            f.states[1] = i >> 1 & 1;
            hbg_causal_mode(&f.arena, f.structure, f.states, f.on);
            assert_int_equal(f.on[fixture_place(&f, "j3")], f.states[0] == 0 && f.states[1] == 1);
        }
        assert_int_equal(f.session->memory.used, used);
        assert_ptr_equal(f.arena.next, next);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_transformers_is_one_link),
        cmocka_unit_test(gyrators_turn_a_link_over_once_each),
        cmocka_unit_test(links_that_always_determine_one_end_are_vertices),
        cmocka_unit_test(ends_know_their_element_and_what_it_wants),
        cmocka_unit_test(integral_storages_demand),
        cmocka_unit_test(a_closed_ring_of_transformers_is_no_link),
        cmocka_unit_test(equal_conditions_are_one_control),
        cmocka_unit_test(a_mode_follows_from_the_states),
        cmocka_unit_test(asking_for_a_mode_keeps_no_memory),
        cmocka_unit_test(a_model_without_junctions_has_a_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
