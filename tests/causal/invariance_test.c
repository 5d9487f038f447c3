/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A graph written otherwise is the same graph: other names, declarations in another order, the bonds of
 * one-ports turned round (semantics, section 1), transformers of ratio 1 put into bonds. Validity, the number of
 * dependent storages, what is forced and, where it is, what determines the junction stay the same. */
#include "walk_impl.h"

typedef struct {
    fixture f;
    hbg_causal_assignment *assignment;
    const graph_writing *writing;
    const int8_t *spread; /* links in fixed causality that is not arbitrary */
    bool forced[GRAPH_JUNCTIONS];
} written;

static void open_written(written *w, const graph *g, const graph_writing *writing, bool integral) {
    static char memory[1 << 16];
    graph_text text = {memory, 0, sizeof memory};
    text_model(&text, g, writing);
    fixture_open(&w->f, memory, integral);
    w->writing = writing;
    w->spread = fixture_spread_alone(&w->f);
    w->assignment = hbg_causal_assignment_new(&w->f.arena, w->f.structure);
}

static int32_t place_of(const written *w, int junction) {
    char name[32];
    return fixture_place(&w->f, graph_name(name, w->writing, 'j', junction));
}

/* Puts automaton a<i> into state i-th bit of the number. */
static bool enter(written *w, const graph *g, uint32_t modes) {
    for (int i = 0; i < g->junction_count; i++) {
        char name[32];
        fixture_state(&w->f, graph_name(name, w->writing, 'a', i), (modes >> i) & 1);
    }
    bool valid = hbg_causal_assign(w->assignment, w->f.on);
    hbg_causal_forced(&w->f.arena, w->assignment, w->forced);
    return valid;
}

/* What determines a junction, in a way that does not depend on names: junction j is j, one-port e is 1000 + e. */
static int neighbour(const written *w, const graph *g, int junction) {
    int32_t place = place_of(w, junction), slot = w->assignment->determining[place];
    int32_t element = w->f.structure->links[slot >> 1].end[1 - (slot & 1)].element;
    char name[32];
    for (int i = 0; i < g->junction_count; i++)
        if (fixture_element(&w->f, graph_name(name, w->writing, 'j', i)) == element) return i;
    for (int i = 0; i < g->element_count; i++)
        if (fixture_element(&w->f, graph_name(name, w->writing, 'e', i)) == element) return 1000 + i;
    return -1;
}

/* The junction is forced, and not by a choice that was made once for a part no switch reaches. */
static bool is_told(const written *w, int32_t place) {
    if (!w->forced[place] || !hbg_causal_is_on(w->assignment, place)) return false;
    int32_t link = w->assignment->determining[place] >> 1;
    return w->spread[link] != HBG_NONE || w->f.structure->link_fixed[link] == HBG_NONE;
}

static int compared, compared_forced;

static bool is_same(const written *a, const written *b, const graph *g) {
    compared++;
    if (hbg_causal_derivative_count(a->assignment) != hbg_causal_derivative_count(b->assignment))
        return false;
    for (int i = 0; i < g->junction_count; i++) {
        int32_t one = place_of(a, i), other = place_of(b, i);
        if (a->forced[one] != b->forced[other]) return false;
        if (!is_told(a, one)) continue;
        if (neighbour(a, g, i) != neighbour(b, g, i)) return false;
        compared_forced++;
    }
    return true;
}

static void check_graph(const graph *g, const graph_writing *writing, bool integral, test_random *random) {
    written plain, other;
    open_written(&plain, g, NULL, integral);
    open_written(&other, g, writing, integral);
    for (int i = 0; i < 4; i++) {
        uint32_t modes = random_next(random);
        bool valid = enter(&plain, g, modes), valid_too = enter(&other, g, modes);
        bool same = valid == valid_too;
        // which part of a floating one has no determining bond, and which of two zeros is waived, is arbitrary
        if (same && valid && !walk_is_excused(plain.assignment)) same = is_same(&plain, &other, g);
        if (!same) fixture_print(&other.f, "not the same");
        assert_true(same);
    }
    fixture_close(&plain.f);
    fixture_close(&other.f);
}

typedef enum { RENAME = 1, SHUFFLE = 2, TURN = 4, INSERT = 8 } change;

static void run(int changes) {
    static graph g;
    walk_plan plan = {.seed = (uint64_t)changes, .most = {WALK_SMALL, .gyrators = 15, .dual = 10}};
    plan.most.sources = 12;
    plan.most.resistors = 40;
    compared = compared_forced = 0;
    for (int i = 0; i < 200; i++) {
        test_random random, own = {(uint64_t)i};
        walk_text(&plan, i, &g, &random);
        graph_writing writing = {.shuffle = changes & SHUFFLE ? &own : NULL,
                                 .turn = changes & TURN ? &own : NULL,
                                 .insert = changes & INSERT ? &own : NULL,
                                 .rename = changes & RENAME};
        check_graph(&g, &writing, i % 4 == 0, &random);
    }
    print_message("%d modes, %d forced junctions compared\n", compared, compared_forced);
    assert_true(compared > 200 && compared_forced > 200);
}

static void names_do_not_matter(void **state) {
    (void)state;
    run(RENAME);
}

static void the_order_of_declarations_does_not_matter(void **state) {
    (void)state;
    run(SHUFFLE);
}

static void bonds_of_one_ports_may_be_turned_round(void **state) {
    (void)state;
    run(TURN);
}

static void transformers_of_ratio_one_do_not_matter(void **state) {
    (void)state;
    run(INSERT);
}

static void all_of_it_at_once_does_not_matter(void **state) {
    (void)state;
    run(RENAME | SHUFFLE | TURN | INSERT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_do_not_matter),
        cmocka_unit_test(the_order_of_declarations_does_not_matter),
        cmocka_unit_test(bonds_of_one_ports_may_be_turned_round),
        cmocka_unit_test(transformers_of_ratio_one_do_not_matter),
        cmocka_unit_test(all_of_it_at_once_does_not_matter),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations_test.sh
    return cmocka_run_group_tests(tests, NULL, NULL);
}
