/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Validity over all modes: on random graphs the verdict is what judging every mode gives; a witness is a mode
 * that can exist and has no valid assignment. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "sample_impl.h"

typedef struct {
    int graphs, bad, good, harmless, searches, modes, bad_modes, doubtful;
} statistics;

typedef struct {
    hbg_verify_prover *prover;
    hbg_arena *arena;
    hbg_causal_structure *structure;
    hbg_causal_assignment *assignment;
    const char *text;
} question;

typedef struct {
    int invalid; /* modes without a valid assignment, by trying all */
    int refused; /* modes for which src/causal finds none */
    int modes;
} tally;

static void count_mode(const question *q, const int32_t *states, tally *t) {
    bool on[SAMPLE_PLACES];
    hbg_causal_mode(q->arena, q->structure, states, on);
    t->modes++;
    t->invalid += !judge_mode(q->structure, on);
    t->refused += !hbg_causal_assign(q->assignment, on);
}

static tally count_all(const question *q) {
    tally all = {0};
    int32_t states[SAMPLE_AUTOMATA];
    for (int i = 0; i < SAMPLE_AUTOMATA; i++) states[i] = -1;
    while (next_states(q->structure->model, states)) count_mode(q, states, &all);
    return all;
}

static void check_verdict(const question *q, const hbg_verify_result *result, const tally *all) {
    if (result->verdict != (all->invalid > 0 ? HBG_VERDICT_WITNESS : HBG_VERDICT_PROVED)) {
        print_message("%s\n%d invalid modes, verdict %d %s\n", q->text, all->invalid, (int)result->verdict,
                      result->reason ? result->reason : "");
        fail();
    }
    if (result->verdict != HBG_VERDICT_WITNESS) return;
    tally witness = {0};
    assert_true(states_can_be(q->structure->model, result->states));
    count_mode(q, result->states, &witness);
    assert_int_equal(witness.invalid, 1);
}

static void check(const question *q, statistics *s) {
    hbg_verify_modes *modes = hbg_verify_modes_new(q->arena, q->prover, q->structure, NULL);
    hbg_verify_result result = hbg_verify_causality(modes);
    tally all = count_all(q);
    s->graphs++;
    s->modes += all.modes;
    s->doubtful += all.refused != all.invalid; // the judge of single modes errs: nothing to compare with
    if (all.refused != all.invalid) return;
    check_verdict(q, &result, &all);
    s->bad += all.invalid > 0;
    s->bad_modes += all.invalid;
    s->good += all.invalid == 0 && result.searches > 0;
    s->harmless += all.invalid == 0 && result.judged > 1;
    s->searches += result.searches;
}

/* Reads a model and asks the question. */
static void run_text(hbg_verify_prover *prover, const char *text, size_t size, bool integral, statistics *s) {
    hbg_session *session;
    hbg_model *model;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    if (hbg_load_text(session, "random.hbg", text, size, NULL, &model) != HBG_OK) {
        hbg_text words;
        assert_int_equal(hbg_diagnostics_text(session, false, &words), HBG_OK);
        print_message("%s\n%s\n", text, words.data);
        fail();
    }
    jmp_buf guard;
    if (HBG_GUARD(&session->memory, guard)) fail();
    hbg_arena arena;
    hbg_arena_init(&arena, &session->memory);
    hbg_causal_options options = {.integral = integral};
    question q = {prover, &arena, hbg_causal_structure_new(&arena, model, &options), NULL, text};
    q.assignment = hbg_causal_assignment_new(&arena, q.structure);
    check(&q, s);
    HBG_GUARD_END(&session->memory);
    hbg_arena_fini(&arena);
    hbg_session_free(session);
}

static void run_many(int count, uint64_t seed, const sample_shape *most, bool integral) {
    static sample_text text;
    hbg_memory own = {0};
    hbg_verify_prover *prover = hbg_verify_prover_new(&own);
    statistics s = {0};
    for (int i = 0; i < count; i++) {
        sample_random random = {seed * 1000003 + (uint64_t)i * 7919};
        text_sample(&text, &random, most);
        run_text(prover, text.data, text.size, integral, &s);
    }
    hbg_verify_prover_free(prover);
    assert_int_equal(own.used, 0);
    print_message(
        "%d graphs, %d modes: %d graphs with an invalid mode (%d modes), %d proved by a search, %d of "
        "them past harmless modes; %d searches; %d graphs src/causal itself misjudges\n",
        s.graphs, s.modes, s.bad, s.bad_modes, s.good, s.harmless, s.searches, s.doubtful);
    assert_true(s.doubtful * 20 < s.graphs);
}

#define PLAIN                                                                                                \
    .automata = 4, .junctions = 8, .extra_links = 3, .elements = 9, .controlled = 50, .transformers = 10

static void plain_graphs_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(1000, 1, &(sample_shape){PLAIN}, false);
}

static void graphs_with_gyrators_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(800, 2, &(sample_shape){PLAIN, .gyrators = 35}, false);
}

static void graphs_with_dual_junctions_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(600, 3, &(sample_shape){PLAIN, .gyrators = 10, .dual = 40}, false);
}

static void integral_causality_gets_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(600, 4, &(sample_shape){PLAIN, .gyrators = 10}, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_graphs_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(graphs_with_gyrators_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(graphs_with_dual_junctions_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(integral_causality_gets_the_verdict_of_all_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
