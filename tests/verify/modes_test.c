/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes as literals: which automaton states can be, when a place is on, zero or live. On random graphs every
 * mode is compared with what src/causal and an independent walk say. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "sample_impl.h"
#include "verify/verify_impl.h"

#define GRAPHS 150

/* ---- modes that can exist --------------------------------------------------------------------------------
 */

typedef struct {
    bool *found; /* by state */
    int modes;   /* combinations found */
} survey;

/* Asks for one mode after the other until there are no more. */
static survey find_all(sample *s) {
    const hbg_model *model = s->structure->model;
    survey all = {HBG_NEW_ARRAY(s->arena, bool, model->states.count + 1), 0};
    hbg_verify_begin(s->modes, NULL);
    for (int32_t place = 0; place < s->structure->place_count; place++) hbg_verify_on(s->modes, place);
    bool *values = HBG_NEW_ARRAY(s->arena, bool, s->modes->clauses.variables + 1);
    for (; hbg_verify_search(s->modes, values) == ANSWER_FOUND; all.modes++) {
        hbg_verify_read_states(s->modes, values);
        for (int32_t i = 0; i < model->automata.count; i++) {
            int32_t at = model->automata.items[i].first_state + s->modes->states[i];
            all.found[at] = true;
            hbg_verify_literal(&s->modes->clauses, -s->modes->literals.state[at]);
        }
        hbg_verify_clause_end(&s->modes->clauses);
    }
    return all;
}

static void check_reached(sample *s, void *context) {
    const hbg_model *model = s->structure->model;
    survey all = find_all(s);
    assert_int_equal(all.modes, *(const int *)context);
    for (int32_t i = 0; i < model->states.count; i++) {
        const char *name = hbg_base_names_get(model->names, model->states.items[i].name);
        assert_int_equal(all.found[i], strncmp(name, "never", 5) != 0);
    }
}

/* Of p three states can be: its start, the next, and the one an experiment starts in; q stays where it is; r
 * has two. */
static void every_combination_of_states_that_can_be_is_a_mode(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n"
               "automaton p { start first; off never { -> first when go; } on first { -> next when go; }\n"
               "              off next { -> first when go; } on set { -> next when go; } }\n"
               "automaton q { on stays { } off never_too { -> stays when go; } }\n"
               "automaton r { on one -> two when go; off two -> one when go; }\n"
               "0 n when p && q.stays; 1 j when r; Se v(1); R x(1); v -> j -> n -> x;\n"
               "experiment e { stop 1; set p = set; } }",
               NULL, check_reached, &(int){6});
}

/* ---- random graphs ---------------------------------------------------------------------------------------
 */

typedef struct {
    int modes, zeros, live, idle; /* places, in all modes */
} statistics;

/* The literal of a place is on in the modes in which the place is. */
static void check_on(sample *s, void *context) {
    const hbg_causal_structure *structure = s->structure;
    statistics *sums = context;
    hbg_verify_begin(s->modes, NULL);
    int32_t literal[SAMPLE_PLACES];
    for (int32_t place = 0; place < structure->place_count; place++)
        literal[place] = hbg_verify_on(s->modes, place);
    bool *values = HBG_NEW_ARRAY(s->arena, bool, s->modes->clauses.variables + 1);
    for (int more = 0; more < 4 && hbg_verify_search(s->modes, values) == ANSWER_FOUND;
         more++, sums->modes++) {
        bool on[SAMPLE_PLACES];
        hbg_verify_read_states(s->modes, values);
        assert_true(states_can_be(structure->model, s->modes->states));
        hbg_causal_mode(s->arena, structure, s->modes->states, on);
        for (int32_t place = 0; place < structure->place_count; place++) {
            bool value = literal[place] > 0 ? values[literal[place]] : !values[-literal[place]];
            assert_int_equal(value, on[place]);
            hbg_verify_literal(&s->modes->clauses, value ? -literal[place] : literal[place]);
        }
        hbg_verify_clause_end(&s->modes->clauses);
    }
}

/* In a mode known in advance, zero is a constant, and live can be had exactly if it should be. */
static void check_parts(sample *s, const bool *on, statistics *sums) {
    const hbg_causal_structure *structure = s->structure;
    sample_judge j = {.structure = structure, .on = on};
    judge_zeros(&j);
    hbg_verify_begin(s->modes, on);
    for (int32_t place = 0; place < structure->place_count; place++) {
        int32_t zero = hbg_verify_zero(s->modes, place), live = hbg_verify_live(s->modes, place);
        assert_int_equal(zero, j.zero[place] ? LITERAL_TRUE : LITERAL_FALSE);
        judge_part(&j, place);
        bool expected = on[place] && j.sources + j.storages > 0;
        if (expected) VERIFY_CLAUSE(&s->modes->clauses, live);
        sums->zeros += j.zero[place];
        sums->live += expected;
        sums->idle += on[place] && !expected;
        if (!on[place] || expected) continue;
        // what is not live cannot be made so: alone, it contradicts
        bool values[4096];
        verify_clauses kept = s->modes->clauses;
        VERIFY_CLAUSE(&s->modes->clauses, live);
        assert_in_range(s->modes->clauses.variables, 1, 4095);
        assert_int_equal(hbg_verify_search(s->modes, values), ANSWER_NONE);
        s->modes->clauses.literals.count = s->modes->clauses.open = kept.literals.count;
    }
    bool *values = HBG_NEW_ARRAY(s->arena, bool, s->modes->clauses.variables + 1);
    assert_int_equal(hbg_verify_search(s->modes, values), ANSWER_FOUND);
}

static void check_known(sample *s, void *context) {
    int32_t states[SAMPLE_AUTOMATA];
    bool on[SAMPLE_PLACES];
    for (int i = 0; i < SAMPLE_AUTOMATA; i++) states[i] = -1;
    for (int more = 0; more < 4 && next_states(s->structure->model, states); more++) {
        hbg_causal_mode(s->arena, s->structure, states, on);
        check_parts(s, on, context);
    }
}

static void run_many(sample_check check, uint64_t seed, statistics *sums) {
    static const sample_shape most = {.automata = 4,
                                      .junctions = 8,
                                      .extra_links = 2,
                                      .elements = 4,
                                      .controlled = 60,
                                      .dual = 20,
                                      .transformers = 10,
                                      .gyrators = 10};
    static sample_text text;
    hbg_memory memory = {0};
    sample_options options = {.prover = hbg_verify_prover_new(&memory)};
    for (int i = 0; i < GRAPHS; i++) {
        sample_random random = {seed * 1000003 + (uint64_t)i * 7919};
        text_sample(&text, &random, &most);
        sample_run(text.data, &options, check, sums);
    }
    hbg_verify_prover_free(options.prover);
}

static void conditions_hold_in_the_modes_they_should(void **state) {
    (void)state;
    statistics sums = {0};
    run_many(check_on, 5, &sums);
    assert_true(sums.modes > GRAPHS);
}

static void zeros_and_live_parts_are_those_of_the_mode(void **state) {
    (void)state;
    statistics sums = {0};
    run_many(check_known, 6, &sums);
    print_message("%d places zero, %d live, %d idle\n", sums.zeros, sums.live, sums.idle);
    assert_true(sums.zeros > 100 && sums.live > 100 && sums.idle > 100);
}

static void check_patience(sample *s, void *context) {
    (void)context;
    static const int32_t times[] = {6400, 3200, 1600, 800, 400, 200, 100, 100};
    s->modes->options.timeout_ms = times[0];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char reason[64];
        snprintf(reason, sizeof reason, "no answer within %d ms", times[i]);
        hbg_verify_result result = hbg_verify_question_begin(s->modes);
        assert_false(hbg_verify_is_spent(s->modes));
        s->modes->budget.deadline_ms = 1; // long ago
        assert_true(hbg_verify_is_spent(s->modes));
        hbg_verify_conclude(s->modes, &result, HBG_VERDICT_UNDECIDED);
        assert_string_equal(result.reason, reason);
    }
    hbg_verify_result result = hbg_verify_question_begin(s->modes);
    hbg_verify_conclude(s->modes, &result, HBG_VERDICT_PROVED);
    assert_null(result.reason);
    assert_int_equal(s->modes->budget.patience_ms, 100);
}

static void questions_that_run_out_of_time_halve_it(void **state) {
    (void)state;
    sample_run("model M { 0 n; C c(1); n -> c; R r(1); n -> r; }", NULL, check_patience, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_of_states_that_can_be_is_a_mode),
        cmocka_unit_test(conditions_hold_in_the_modes_they_should),
        cmocka_unit_test(zeros_and_live_parts_are_those_of_the_mode),
        cmocka_unit_test(questions_that_run_out_of_time_halve_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
