/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Thousands of random hybrid bond graphs: after any sequence of switchings the assignment obeys every rule,
 * has as many integral storages as the best of all assignments, and a mode is rejected only if no assignment
 * exists. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "causal/causal_impl.h"
#include "graph_impl.h"

#define BONDS_LIMIT 13 /* of a graph judged by trying everything */

typedef struct {
    int graphs, modes, dependence, loops, rejected, floating, repeated, too_large;
} statistics;

/* The best assignment by trying all: fewest derivative storages without a place out of balance; -1 if none.
 * Links, not bonds, are tried, so that transformers and gyrators are right by construction. */
static int best_by_trying(const hbg_causal_structure *structure, const bool *on) {
    int best = -1;
    for (uint32_t bits = 0; bits < (uint32_t)1 << structure->link_count; bits++) {
        int derivative = 0;
        bool good = true;
        int determined[64] = {0};
        for (int32_t link = 0; link < structure->link_count && good; link++) {
            const hbg_causal_link *l = &structure->links[link];
            bool off_both = l->end[0].place != HBG_NONE && l->end[1].place != HBG_NONE &&
                            !on[l->end[0].place] && !on[l->end[1].place];
            for (int e = 0; e < 2 && good && !off_both; e++) {
                bool arrives = hbg_causal_arrives(l, e, (bits >> link) & 1);
                int32_t place = l->end[e].place, other = l->end[1 - e].place;
                if (place != HBG_NONE) {
                    bool determines = arrives == structure->is_zero[place];
                    if (on[place])
                        determined[place] += determines;
                    else
                        good = determines == structure->dual_off[place];
                } else if (l->end[e].demand == HBG_DEMAND_MUST) {
                    bool cut = other != HBG_NONE && !on[other];
                    good = cut || arrives == l->end[e].wants_effort;
                } else if (l->end[e].demand == HBG_DEMAND_PREFER) {
                    derivative += arrives != l->end[e].wants_effort;
                }
            }
        }
        for (int32_t place = 0; place < structure->place_count && good; place++)
            good = !on[place] || determined[place] == 1;
        if (good && (best < 0 || derivative < best)) best = derivative;
    }
    return best;
}

/* Whatever the verdict, links and places obey the rules or are excused by name. */
static void check_rules(const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t place = 0; place < structure->place_count; place++) {
        int32_t determined = 0;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            bool repeated = hbg_causal_is_repeated(assignment, slot >> 1);
            bool arrives = hbg_causal_arrives(&structure->links[slot >> 1], slot & 1,
                                              hbg_causal_value(assignment, slot >> 1));
            if (!repeated) {
                determined += arrives == structure->is_zero[place];
                if (!assignment->on[place])
                    assert_int_equal(arrives == structure->is_zero[place], structure->dual_off[place]);
            }
            const hbg_causal_end *far = &structure->links[slot >> 1].end[1 - (slot & 1)];
            if (far->place == HBG_NONE && far->demand == HBG_DEMAND_MUST && assignment->on[place])
                assert_int_equal(!arrives != structure->links[slot >> 1].odd, far->wants_effort);
        }
        if (!assignment->on[place]) continue;
        if (hbg_causal_is_floating(assignment, place))
            assert_int_equal(determined, 0);
        else
            assert_int_equal(determined, 1);
    }
}

static bool has_excuse(const hbg_causal_assignment *assignment) {
    for (int32_t place = 0; place < assignment->structure->place_count; place++)
        if (hbg_causal_is_floating(assignment, place)) return true;
    for (int32_t link = 0; link < assignment->structure->link_count; link++)
        if (assignment->waived[link]) return true;
    return false;
}

static void check_mode(hbg_arena *arena, const hbg_causal_assignment *assignment, statistics *s,
                       const char *text) {
    const hbg_causal_structure *structure = assignment->structure;
    int best = best_by_trying(structure, assignment->on);
    bool valid = hbg_causal_valid(assignment);
    bool excused = has_excuse(assignment);
    if (best >= 0 ? !valid || excused || hbg_causal_derivative_count(assignment) != best
                  : valid && !excused) {
        print_message("%s\nmode:", text);
        for (int32_t i = 0; i < structure->place_count; i++) print_message(" %d", assignment->on[i]);
        print_message("\nbest %d, valid %d, excused %d, derivative %d\n", best, valid, excused,
                      hbg_causal_derivative_count(assignment));
        fail();
    }
    if (valid) check_rules(assignment);
    s->modes++;
    s->dependence += valid && hbg_causal_derivative_count(assignment) > 0;
    s->rejected += !valid;
    s->floating += excused;
    int32_t *loop = HBG_NEW_ARRAY(arena, int32_t, structure->place_count + 1);
    s->loops += valid && hbg_causal_loops(arena, assignment, loop) > 0;
}

static void run_graph(uint64_t seed, const graph_shape *shape, bool integral, statistics *s) {
    static char memory[65536];
    graph_text text = {memory, 0, sizeof memory};
    test_random random = {seed};
    text_model(&text, &random, shape);
    hbg_session *session;
    hbg_model *model;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    if (hbg_load_text(session, "random.hbg", text.text, text.size, NULL, &model) != HBG_OK) {
        hbg_text words;
        assert_int_equal(hbg_diagnostics_text(session, false, &words), HBG_OK);
        print_message("%s\n%s\n", text.text, words.data);
        fail();
    }
    jmp_buf guard;
    if (HBG_GUARD(&session->memory, guard)) fail();
    hbg_arena arena;
    hbg_arena_init(&arena, &session->memory);
    hbg_causal_options options = {.integral = integral};
    hbg_causal_structure *structure = hbg_causal_structure_new(&arena, model, &options);
    if (structure->link_count > BONDS_LIMIT) {
        s->too_large++;
    } else {
        hbg_causal_assignment *assignment = hbg_causal_assignment_new(&arena, structure);
        bool on[64];
        for (int32_t i = 0; i < structure->place_count; i++) on[i] = true;
        hbg_causal_assign(assignment, on);
        check_mode(&arena, assignment, s, text.text);
        for (int step = 0; step < 8; step++) {
            int32_t places[64], count = 0;
            for (int32_t i = 0; i < structure->place_count; i++)
                if (structure->controlled[i] && random_chance(&random, 40)) places[count++] = i;
            hbg_causal_switch(assignment, places, count);
            check_mode(&arena, assignment, s, text.text);
        }
        s->graphs++;
    }
    HBG_GUARD_END(&session->memory);
    hbg_arena_fini(&arena);
    hbg_session_free(session);
}

static void run_many(int count, uint64_t seed, int gyrators, int dual, bool integral) {
    statistics s = {0};
    for (int i = 0; i < count; i++) {
        test_random random = {seed + (uint64_t)i * 7919};
        graph_shape shape = {.junctions = 1 + random_below(&random, 6),
                             .extra_links = random_below(&random, 3),
                             .elements = random_below(&random, 7),
                             .controlled = 45,
                             .transformers = 10,
                             .gyrators = gyrators,
                             .shared = 30,
                             .dual = dual};
        run_graph(random_next(&random), &shape, integral, &s);
    }
    print_message(
        "%d graphs, %d modes: %d with dependent storages, %d with loops, %d rejected, %d with harmless "
        "zeros or floating parts; %d graphs too large\n",
        s.graphs, s.modes, s.dependence, s.loops, s.rejected, s.floating, s.too_large);
}

static void plain_graphs_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    run_many(1500, 1, 0, 0, false);
}

static void graphs_with_gyrators_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    run_many(1000, 2, 35, 0, false);
}

static void graphs_with_dual_junctions_are_assigned_as_well_as_can_be(void **state) {
    (void)state;
    run_many(1000, 3, 10, 40, false);
}

static void integral_causality_alone_is_found_wherever_it_exists(void **state) {
    (void)state;
    run_many(1000, 4, 10, 0, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_graphs_are_assigned_as_well_as_can_be),
        cmocka_unit_test(graphs_with_gyrators_are_assigned_as_well_as_can_be),
        cmocka_unit_test(graphs_with_dual_junctions_are_assigned_as_well_as_can_be),
        cmocka_unit_test(integral_causality_alone_is_found_wherever_it_exists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
