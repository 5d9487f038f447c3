/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dependent storages over all modes: on random graphs the verdict on each storage is what trying every
 * assignment of every mode gives. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "sample_impl.h"

typedef struct {
    int graphs, storages, dependent, shared, off_only, searches, judged, doubtful;
} statistics;

typedef struct {
    hbg_verify_prover *prover;
    hbg_arena *arena;
    hbg_causal_structure *structure;
    hbg_causal_assignment *assignment;
    const char *text;
} question;

typedef enum { INDEPENDENT, DEPENDENT, ONE_OF_SEVERAL, MISJUDGED } finding;

/* The part around the place is determined throughout, as src/causal sees it. */
static bool is_assigned(const question *q, const sample_judge *j) {
    for (int32_t place = 0; place < q->structure->place_count; place++)
        if (j->in_part[place] && hbg_causal_determining_bond(q->assignment, place) == HBG_NONE &&
            !hbg_causal_is_floating(q->assignment, place))
            return false;
    return true;
}

/* What the storage at this end of a link is in one mode. */
static finding judge_storage(const question *q, int32_t slot, const int32_t *states) {
    const hbg_causal_structure *structure = q->structure;
    const hbg_causal_link *link = &structure->links[slot >> 1];
    const hbg_causal_end *end = &link->end[slot & 1];
    int32_t place = link->end[1 - (slot & 1)].place;
    bool on[SAMPLE_PLACES];
    hbg_causal_mode(q->arena, structure, states, on);
    sample_judge j = {.structure = structure, .on = on};
    if (!on[place]) {
        bool effort = sets_effort(&j, place) != link->odd;
        return effort == end->wants_effort ? INDEPENDENT : DEPENDENT;
    }
    hbg_causal_assign(q->assignment, on);
    judge_around(&j, place, HBG_NONE);
    if (is_part_good(&j) != is_assigned(q, &j)) return MISJUDGED;
    int best = j.best;
    if (!is_part_good(&j)) return INDEPENDENT;
    if (is_dead(&j)) return DEPENDENT;
    judge_around(&j, place, slot);
    if (j.lacking > 0 || j.best != best) return INDEPENDENT;
    return hbg_causal_is_derivative(q->assignment, end->element, end->port) ? DEPENDENT : ONE_OF_SEVERAL;
}

static void check_storage(const question *q, hbg_verify_modes *modes, int32_t slot, statistics *s) {
    const hbg_causal_end *end = &q->structure->links[slot >> 1].end[slot & 1];
    int32_t states[SAMPLE_AUTOMATA];
    for (int i = 0; i < SAMPLE_AUTOMATA; i++) states[i] = -1;
    int found[4] = {0};
    while (next_states(q->structure->model, states)) found[judge_storage(q, slot, states)]++;
    s->storages++;
    s->doubtful += found[MISJUDGED] > 0;
    if (found[MISJUDGED] > 0) return;
    bool dependent = found[DEPENDENT] + found[ONE_OF_SEVERAL] > 0;
    hbg_verify_result result = hbg_verify_dependence(modes, end->element, end->port);
    if (result.verdict != (dependent ? HBG_VERDICT_WITNESS : HBG_VERDICT_PROVED)) {
        print_message("%s\nstorage %d: dependent in %d modes, one of several in %d, verdict %d %s\n", q->text,
                      end->element, found[DEPENDENT], found[ONE_OF_SEVERAL], (int)result.verdict,
                      result.reason ? result.reason : "");
        fail();
    }
    if (dependent) {
        assert_true(states_can_be(q->structure->model, result.states));
        assert_int_not_equal(judge_storage(q, slot, result.states), INDEPENDENT);
    }
    s->dependent += dependent;
    s->shared += dependent && found[DEPENDENT] == 0;
    s->searches += result.searches;
    s->judged += result.judged;
}

static void check(const question *q, statistics *s) {
    const hbg_causal_structure *structure = q->structure;
    hbg_verify_modes *modes = hbg_verify_modes_new(q->arena, q->prover, structure, NULL);
    s->graphs++;
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        if (end->place == HBG_NONE && end->demand == HBG_DEMAND_PREFER &&
            structure->links[slot >> 1].end[1 - (slot & 1)].place != HBG_NONE)
            check_storage(q, modes, slot, s);
    }
}

static void run_text(hbg_verify_prover *prover, const sample_text *text, statistics *s) {
    hbg_session *session;
    hbg_model *model;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "random.hbg", text->data, text->size, NULL, &model), HBG_OK);
    jmp_buf guard;
    if (HBG_GUARD(&session->memory, guard)) fail();
    hbg_arena arena;
    hbg_arena_init(&arena, &session->memory);
    question q = {prover, &arena, hbg_causal_structure_new(&arena, model, NULL), NULL, text->data};
    q.assignment = hbg_causal_assignment_new(&arena, q.structure);
    check(&q, s);
    HBG_GUARD_END(&session->memory);
    hbg_arena_fini(&arena);
    hbg_session_free(session);
}

static void run_many(int count, uint64_t seed, const sample_shape *most) {
    static sample_text text;
    hbg_memory own = {0};
    hbg_verify_prover *prover = hbg_verify_prover_new(&own);
    statistics s = {0};
    for (int i = 0; i < count; i++) {
        sample_random random = {seed * 1000003 + (uint64_t)i * 7919};
        text_sample(&text, &random, most);
        run_text(prover, &text, &s);
    }
    hbg_verify_prover_free(prover);
    assert_int_equal(own.used, 0);
    print_message(
        "%d graphs, %d storages: %d dependent in some mode, %d only as one of several; %d searches, %d "
        "modes judged; %d storages in modes src/causal misjudges\n",
        s.graphs, s.storages, s.dependent, s.shared, s.searches, s.judged, s.doubtful);
}

#define PLAIN                                                                                                \
    .automata = 3, .junctions = 6, .extra_links = 2, .elements = 8, .controlled = 45, .transformers = 10

static void plain_storages_get_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(400, 1, &(sample_shape){PLAIN});
}

static void storages_among_gyrators_get_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(400, 2, &(sample_shape){PLAIN, .gyrators = 35});
}

static void storages_at_dual_junctions_get_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(400, 3, &(sample_shape){PLAIN, .gyrators = 10, .dual = 40});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_storages_get_the_verdict_of_all_modes),
        cmocka_unit_test(storages_among_gyrators_get_the_verdict_of_all_modes),
        cmocka_unit_test(storages_at_dual_junctions_get_the_verdict_of_all_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
