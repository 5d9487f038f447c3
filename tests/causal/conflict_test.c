/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bonds named for a mode without a valid assignment are in conflict by themselves, with every other bond
 * dropped, and no longer in conflict when any one of them is dropped too. Dropping a bond means that its ends
 * need not agree; for the equations (oracle_impl.h) that is a bond cut through with a resistor at each end. */
#include "brute_impl.h"
#include "oracle_impl.h"
#include "walk_impl.h"

typedef struct {
    int conflicts, bonds, largest;
} statistics;

typedef struct {
    const walk_visit *visit;
    bool dropped_link[BRUTE_LINKS];
    bool dropped_bond[128];
    bool on[ORACLE_ELEMENTS];
} question;

/* A link is dropped by cutting the first bond of its chain. */
static void drop(question *q, int32_t link, bool dropped) {
    const hbg_causal_structure *structure = q->visit->f->structure;
    q->dropped_link[link] = dropped;
    q->dropped_bond[structure->chain[structure->links[link].first_bond] >> 2] = dropped;
}

static bool is_solvable(const question *q) {
    const fixture *f = q->visit->f;
    oracle_verdict v = oracle_judge(f->model, q->on, q->dropped_bond, q->visit->seed);
    return v.accepted && !(f->structure->options.integral && v.dependent > 0);
}

static bool has_assignment(const question *q) {
    brute b = {.structure = q->visit->f->structure, .on = q->visit->f->on, .limit = INT32_MAX};
    b.dropped = q->dropped_link;
    return brute_run(&b) >= 0;
}

static void check(const walk_visit *visit) {
    const hbg_causal_structure *structure = visit->f->structure;
    statistics *s = visit->user;
    hbg_causal_conflict_set set = hbg_causal_conflict(&visit->f->arena, structure, visit->f->on);
    WALK_ASSERT(visit, (set.count == 0) == hbg_causal_valid(visit->assignment));
    if (set.count == 0 || walk_has_ring(structure)) return;
    question q = {.visit = visit};
    for (int32_t i = 0; i < visit->f->model->elements.count; i++)
        q.on[i] = structure->element_place[i] == HBG_NONE || visit->f->on[structure->element_place[i]];
    for (int32_t link = 0; link < structure->link_count; link++) drop(&q, link, true);
    for (int32_t i = 0; i < set.count; i++) drop(&q, structure->bond_link[set.bonds[i]], false);
    WALK_ASSERT(visit, !has_assignment(&q));
    WALK_ASSERT(visit, !is_solvable(&q));
    for (int32_t i = 0; i < set.count; i++) {
        drop(&q, structure->bond_link[set.bonds[i]], true);
        WALK_ASSERT(visit, is_solvable(&q));
        drop(&q, structure->bond_link[set.bonds[i]], false);
    }
    s->conflicts++;
    s->bonds += set.count;
    s->largest = set.count > s->largest ? set.count : s->largest;
}

static void run(walk_plan plan) {
    statistics s = {0};
    plan.steps = 4;
    plan.moving = 50;
    plan.most.sources = 35;
    plan.most.loops_scaled = true;
    walk_graphs(&plan, check, &s);
    print_message("%d conflicts, %.1f bonds each, %d at most\n", s.conflicts,
                  (double)s.bonds / (s.conflicts ? s.conflicts : 1), s.largest);
    assert_true(s.conflicts > 100 && s.largest >= 5);
}

static void conflicts_are_irreducible(void **state) {
    (void)state;
    run((walk_plan){.graphs = 350, .seed = 1, .most = {WALK_SMALL, .gyrators = 10, .dual = 10}});
}

static void conflicts_of_integral_storages_are_irreducible(void **state) {
    (void)state;
    run((walk_plan){.graphs = 200, .seed = 2, .integral = true, .most = {WALK_SMALL, .gyrators = 10}});
}

/* ---- single cases ------------------------------------------------------------------------------------- */

/* The conflict of the mode with everything on, as the names of its bonds in order, e.g. "b1 b2 ". */
static void assert_conflict(const char *text, const char *expected) {
    fixture f;
    char names[64] = "";
    fixture_open(&f, text, false);
    hbg_causal_conflict_set set = hbg_causal_conflict(&f.arena, f.structure, f.on);
    for (int32_t bond = 0; bond < f.model->bonds.count; bond++)
        for (int32_t i = 0; i < set.count; i++)
            if (set.bonds[i] == bond) {
                strcat(names, hbg_base_names_get(f.model->names, f.model->bonds.items[bond].id.name));
                strcat(names, " ");
            }
    assert_string_equal(names, expected);
    fixture_close(&f);
}

static void two_effort_sources_on_a_node_are_both_named(void **state) {
    (void)state;
    assert_conflict("model M { Se v(1); Se w(1); R r(1); 0 j; b1: v -> j; b2: w -> j; b3: j -> r; }",
                    "b1 b2 ");
}

static void sources_apart_are_named_with_what_joins_them(void **state) {
    (void)state;
    assert_conflict("model M { Se v(1); Se w(1); 0 i; 0 j; R r(1); b1: v -> i; b2: i -> j; b3: w -> j;\n"
                    "b4: j -> r; }",
                    "b1 b2 b3 ");
}

static void a_chain_of_transformers_is_named_as_a_whole(void **state) {
    (void)state;
    assert_conflict("model M { Se v(1); Se w(1); 0 j; TF t(2); b1: v -> t; b2: t -> j; b3: w -> j; }",
                    "b1 b2 b3 ");
}

static void sources_joined_without_a_junction_are_in_conflict(void **state) {
    (void)state;
    assert_conflict("model M { Se v(1); Se w(1); b1: v -> w; }", "b1 ");
}

static void only_one_conflict_is_named(void **state) {
    (void)state;
    assert_conflict(
        "model M { Se v(1); Se w(1); Sf x(1); Sf y(1); 0 j; 1 k; R r(1); b1: v -> j; b2: w -> j;\n"
        "b3: j -> r; b4: x -> k; b5: y -> k; }",
        "b1 b2 ");
}

static void a_valid_mode_has_none(void **state) {
    (void)state;
    assert_conflict("model M { Se v(1); R r(1); 0 j; b1: v -> j; b2: j -> r; }", "");
}

/* Two sources at the ends of a chain: every bond between them takes part. */
static void a_long_conflict_is_named_whole(void **state) {
    (void)state;
    enum { NODES = 201 };
    static char memory[NODES * 60];
    graph_text text = {memory, 0, sizeof memory};
    text_add(&text, "model M { 0 j0; Se v(1); v -> j0; C c(1); 1 k; j0 -> k -> c; R r(1); k -> r;\n");
    for (int i = 1; i < NODES; i++) text_add(&text, "%d j%d; j%d -> j%d;\n", i % 2, i, i - 1, i);
    text_add(&text, "Se w(1); w -> j%d; }\n", NODES - 1);
    fixture f;
    fixture_open(&f, memory, false);
    hbg_causal_conflict_set set = hbg_causal_conflict(&f.arena, f.structure, f.on);
    assert_int_equal(set.count, NODES + 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conflicts_are_irreducible),
        cmocka_unit_test(conflicts_of_integral_storages_are_irreducible),
        cmocka_unit_test(two_effort_sources_on_a_node_are_both_named),
        cmocka_unit_test(sources_apart_are_named_with_what_joins_them),
        cmocka_unit_test(a_chain_of_transformers_is_named_as_a_whole),
        cmocka_unit_test(sources_joined_without_a_junction_are_in_conflict),
        cmocka_unit_test(only_one_conflict_is_named),
        cmocka_unit_test(a_long_conflict_is_named_whole),
        cmocka_unit_test(a_valid_mode_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
