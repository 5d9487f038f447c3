/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Validity over all modes. Small buses with answers derived by hand; then random graphs, where the verdict is
 * what trying every assignment of every mode gives, and a witness is a mode that can exist and has none. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "sample_impl.h"

#define MANUAL(name) "automaton " name " { off open -> closed when go; on closed -> open when !go; }\n"

/* ---- by hand ---------------------------------------------------------------------------------------------
 */

typedef struct {
    hbg_verdict verdict;
    const char *closed; /* automata that are closed in the witness, letters; all others are open */
    int judged;         /* single modes, if not 0 */
} expected;

static void check_answer(sample *s, void *context) {
    const expected *e = context;
    hbg_verify_result result = hbg_verify_causality(s->modes);
    assert_int_equal(result.verdict, e->verdict);
    if (e->judged > 0) assert_int_equal(result.judged, e->judged);
    if (e->verdict != HBG_VERDICT_WITNESS) {
        assert_null(result.states);
        return;
    }
    for (int32_t i = 0; i < s->structure->model->automata.count; i++) {
        const hbg_automaton *automaton = &s->structure->model->automata.items[i];
        char letter = hbg_base_names_get(s->structure->model->names, automaton->id.name)[0];
        char name[2] = {letter, 0};
        assert_int_equal(sample_is_in(s, result.states, name, "closed"), strchr(e->closed, letter) != NULL);
    }
}

static void two_sources_meet_only_while_both_switches_are_closed(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a") MANUAL("b")
                   MANUAL("c") "0 bar; R load(1); bar -> load;\n"
                               "Se v(1); 1 j when a; v -> j -> bar;\n"
                               "Se w(1); 1 k when b; w -> k -> bar;\n"
                               "R idle(1); 1 l when c; bar -> l -> idle; }",
               NULL, check_answer, &(expected){HBG_VERDICT_WITNESS, "ab", 0});
}

static void an_interlock_keeps_two_sources_apart(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a") "0 bar; R load(1); bar -> load;\n"
                                                                "Se v(1); 1 j when a; v -> j -> bar;\n"
                                                                "Se w(1); 1 k when !a; w -> k -> bar; }",
               NULL, check_answer, &(expected){HBG_VERDICT_PROVED, "", 1});
}

static void of_eight_switches_the_four_that_matter_are_named(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a") MANUAL("b") MANUAL("c") MANUAL("d")
                   MANUAL("e") MANUAL("f") MANUAL("g")
                       MANUAL("h") "0 bar; Se v(1); v -> bar; 1 x when a && c && !e && (f || b) && h; Se "
                                   "w(1); w -> x -> bar;\n"
                                   "1 y when d; R r(1); bar -> y -> r; 1 z when g; R t(1); bar -> z -> t; }",
               NULL, check_answer, &(expected){HBG_VERDICT_WITNESS, "acfh", 0});
}

static void a_state_that_is_never_reached_does_no_harm(void **state) {
    (void)state;
    const char *text = "model M { input bool go = false;\n"
                       "automaton a { off open { -> shut when go; } off shut { -> open when !go; }\n"
                       "              on closed { -> open when go; } }\n"
                       "0 bar; Se v(1); v -> bar; 1 x when a; Se w(1); w -> x -> bar;%s }";
    char with[512], without[512];
    snprintf(without, sizeof without, text, "");
    snprintf(with, sizeof with, text, " experiment odd { stop 1; set a = closed; }");
    sample_run(without, NULL, check_answer, &(expected){HBG_VERDICT_PROVED, "", 0});
    sample_run(with, NULL, check_answer, &(expected){HBG_VERDICT_WITNESS, "a", 0});
}

/* With a and c open, b closed, the flow of the middle junction is zero twice over; with all closed the source
 * drives the coil. */
static void three_switches_in_a_row_repeat_a_zero(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a") MANUAL("b")
                   MANUAL("c") "Se v(1); 1 j when a; 1 k when b; 1 l when c; I coil(1); R r(1);\n"
                               "v -> j -> k -> l -> coil; k -> r; }",
               NULL, check_answer, &(expected){HBG_VERDICT_PROVED, "", 1});
}

/* Bars n and m, with nothing of their own, are cut off from the source in most modes. */
static void bars_that_float_are_harmless(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a") MANUAL("b") MANUAL(
                   "c") "Se v(1); 0 s; v -> s; 0 n; 0 m;\n"
                        "1 j when a; R x(1); s -> j -> n; j -> x; 1 k when b; R y(1); n -> k -> m; k -> y;\n"
                        "1 l when c; R z(1); m -> l -> z; }",
               NULL, check_answer, &(expected){HBG_VERDICT_PROVED, "", 1});
}

/* Efforts of three bars joined in a triangle by ideal ties and fed by a source: one tie too many. */
static void a_ring_of_ideal_ties_around_a_source_is_found(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a") MANUAL("b")
                   MANUAL("c") "Se v(1); 0 s; v -> s; 0 n; R r(1); n -> r; 0 m; R t(1); m -> t;\n"
                               "1 j when a; s -> j -> n; 1 k when b; n -> k -> m; 1 l when c; m -> l -> s; }",
               NULL, check_answer, &(expected){HBG_VERDICT_WITNESS, "abc", 0});
}

/* ---- limits ----------------------------------------------------------------------------------------------
 */

static const char *const bus = "model M { input bool go = false;\n" MANUAL("a")
    MANUAL("b") "0 bar; R load(1); bar -> load; Se v(1); 1 j when a; v -> j -> bar; R r(1); j -> r;\n"
                "Se w(1); 1 k when b; w -> k -> bar; R t(1); k -> t; }";

static void check_undecided(sample *s, void *context) {
    hbg_verify_result result = hbg_verify_causality(s->modes);
    assert_int_equal(result.verdict, HBG_VERDICT_UNDECIDED);
    assert_string_equal(result.reason, (const char *)context);
}

static void what_is_not_decided_comes_with_the_reason(void **state) {
    (void)state;
    hbg_verify_options little = hbg_verify_options_default(), none = little;
    little.effort = 1;
    none.mode_limit = 0;
    sample_run(bus, &(sample_options){.limits = &little}, check_undecided,
               (void *)"no answer within the effort allowed");
    sample_run(bus, &(sample_options){.limits = &none}, check_undecided,
               (void *)"more than 0 modes would have to be judged one by one");
    sample_run(bus, NULL, check_answer, &(expected){HBG_VERDICT_PROVED, "", 1});
}

/* Asks with memory that fails at the given allocation; true if all went through. */
static bool ask_failing_at(const hbg_model *model, int64_t failing) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    hbg_verify_prover *volatile prover = NULL;
    volatile bool done = false;
    memory.fail_at = failing;
    hbg_base_arena_init(&arena, &memory);
    if (!HBG_GUARD(&memory, guard)) {
        prover = hbg_verify_prover_new(&memory);
        if (prover) {
            const hbg_causal_structure *structure = hbg_causal_structure_new(&arena, model, NULL);
            hbg_verify_result result =
                hbg_verify_causality(hbg_verify_modes_new(&arena, prover, structure, NULL));
            done = result.verdict == HBG_VERDICT_PROVED;
        }
    }
    HBG_GUARD_END(&memory);
    hbg_verify_prover_free(prover);
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
    return done;
}

static void check_exhaustion(sample *s, void *context) {
    (void)context;
    int64_t failing = 1;
    while (!ask_failing_at(s->structure->model, failing)) assert_in_range(failing++, 1, 1000);
    assert_true(failing > 5);
}

static void memory_that_fails_anywhere_leaves_nothing_behind(void **state) {
    (void)state;
    sample_run(bus, NULL, check_exhaustion, NULL);
}

/* ---- random graphs ---------------------------------------------------------------------------------------
 */

typedef struct {
    int graphs, modes, bad, bad_modes; /* with an invalid mode; how many such modes there are */
    int searched, excluding;           /* proved by a search; after ruling out harmless modes */
    int searches;
} statistics;

static bool is_valid(const sample *s, const int32_t *states) {
    bool on[SAMPLE_PLACES];
    hbg_causal_mode(s->arena, s->structure, states, on);
    bool valid = judge_mode(s->structure, on);
    assert_int_equal(valid, hbg_causal_assign(s->assignment, on));
    return valid;
}

static void check_random(sample *s, void *context) {
    const hbg_model *model = s->structure->model;
    statistics *sums = context;
    int invalid = 0;
    int32_t states[SAMPLE_AUTOMATA];
    for (int i = 0; i < SAMPLE_AUTOMATA; i++) states[i] = -1;
    for (; next_states(model, states); sums->modes++) invalid += !is_valid(s, states);
    hbg_verify_result result = hbg_verify_causality(s->modes);
    if (result.verdict != (invalid > 0 ? HBG_VERDICT_WITNESS : HBG_VERDICT_PROVED)) {
        print_message("%s\n%d invalid modes, verdict %d %s\n", s->text, invalid, (int)result.verdict,
                      result.reason ? result.reason : "");
        fail();
    }
    if (invalid > 0) {
        assert_true(states_can_be(model, result.states));
        assert_false(is_valid(s, result.states));
    }
    sums->graphs++;
    sums->bad += invalid > 0;
    sums->bad_modes += invalid;
    sums->searched += invalid == 0 && result.searches > 0;
    sums->excluding += invalid == 0 && result.judged > 1;
    sums->searches += result.searches;
}

static void run_many(int count, uint64_t seed, const sample_shape *most, bool integral) {
    static sample_text text;
    hbg_memory memory = {0};
    sample_options options = {.integral = integral, .prover = hbg_verify_prover_new(&memory)};
    statistics sums = {0};
    for (int i = 0; i < count; i++) {
        sample_random random = {seed * 1000003 + (uint64_t)i * 7919};
        text_sample(&text, &random, most);
        sample_run(text.data, &options, check_random, &sums);
    }
    hbg_verify_prover_free(options.prover);
    assert_int_equal(memory.used, 0);
    print_message(
        "%d graphs, %d modes: %d graphs with an invalid mode (%d modes), %d proved by a search, %d of "
        "them past harmless modes; %d searches\n",
        sums.graphs, sums.modes, sums.bad, sums.bad_modes, sums.searched, sums.excluding, sums.searches);
}

#define PLAIN                                                                                                \
    .automata = 4, .junctions = 8, .extra_links = 3, .elements = 9, .controlled = 50, .transformers = 10

static void plain_graphs_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(1200, 1, &(sample_shape){PLAIN}, false);
}

static void graphs_with_gyrators_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(1000, 2, &(sample_shape){PLAIN, .gyrators = 35}, false);
}

static void graphs_with_dual_junctions_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(800, 3, &(sample_shape){PLAIN, .gyrators = 10, .dual = 40}, false);
}

/* With many cycles of gyrators modes are judged one by one. */
static void tangles_of_gyrators_get_the_verdict_of_all_their_modes(void **state) {
    (void)state;
    run_many(
        400, 5,
        &(sample_shape){
            .automata = 3, .junctions = 5, .extra_links = 6, .elements = 5, .controlled = 60, .gyrators = 50},
        false);
}

static void integral_causality_gets_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(800, 4, &(sample_shape){PLAIN, .gyrators = 10}, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sources_meet_only_while_both_switches_are_closed),
        cmocka_unit_test(an_interlock_keeps_two_sources_apart),
        cmocka_unit_test(of_eight_switches_the_four_that_matter_are_named),
        cmocka_unit_test(a_state_that_is_never_reached_does_no_harm),
        cmocka_unit_test(three_switches_in_a_row_repeat_a_zero),
        cmocka_unit_test(bars_that_float_are_harmless),
        cmocka_unit_test(a_ring_of_ideal_ties_around_a_source_is_found),
        cmocka_unit_test(what_is_not_decided_comes_with_the_reason),
        cmocka_unit_test(memory_that_fails_anywhere_leaves_nothing_behind),
        cmocka_unit_test(plain_graphs_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(graphs_with_gyrators_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(graphs_with_dual_junctions_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(tangles_of_gyrators_get_the_verdict_of_all_their_modes),
        cmocka_unit_test(integral_causality_gets_the_verdict_of_all_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
