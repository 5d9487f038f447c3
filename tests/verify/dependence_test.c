/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dependent storages over all modes. Small circuits with answers derived by hand; then random graphs, where
 * the verdict on each storage is what trying every assignment of every mode gives. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "causal/causal_impl.h"
#include "sample_impl.h"

#define MANUAL(name) "automaton " name " { off open -> closed when go; on closed -> open when !go; }\n"

/* ---- by hand ---------------------------------------------------------------------------------------------
 */

typedef struct {
    const char *element;
    int32_t port;
    hbg_verdict verdict;
    const char *automaton, *state; /* in the witness; NULL if it does not matter */
} expected;

static void check_answers(sample *s, void *context) {
    for (const expected *e = context; e->element; e++) {
        hbg_verify_result result = hbg_verify_dependence(s->modes, sample_find(s, e->element), e->port);
        if (result.verdict != e->verdict) print_message("%s\n", e->element);
        assert_int_equal(result.verdict, e->verdict);
        if (e->automaton) assert_true(sample_is_in(s, result.states, e->automaton, e->state));
    }
}

#define WITNESS HBG_VERDICT_WITNESS
#define PROVED  HBG_VERDICT_PROVED

/* Either may be the one that depends on the other. */
static void capacitors_joined_by_a_switch_depend_on_each_other(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL("a")
                   MANUAL("b") "0 n; C c(1); n -> c; 0 m; C d(1); m -> d; 1 j when a; n -> j -> m;\n"
                               "R r(1); 1 k when b; m -> k -> r; }",
               NULL, check_answers,
               (expected[]){{"c", 1, WITNESS, "a", "closed"}, {"d", 1, WITNESS, "a", "closed"}, {0}});
}

static void a_resistance_between_them_keeps_capacitors_independent(void **state) {
    (void)state;
    sample_run(
        "model M { input bool go = false;\n" MANUAL(
            "a") "0 n; C c(1); n -> c; 0 m; C d(1); m -> d; 1 j when a; n -> j -> m; R r(1); j -> r; }",
        NULL, check_answers, (expected[]){{"c", 1, PROVED, NULL, NULL}, {"d", 1, PROVED, NULL, NULL}, {0}});
}

/* An open 1-junction sets the flow of the coil, a closed one does not; an off 0-junction sets the effort of the
 * capacitor. */
static void off_junctions_set_what_a_storage_would(void **state) {
    (void)state;
    sample_run(
        "model M { input bool go = false;\n" MANUAL("a") MANUAL(
            "b") "Se v(1); 1 j when a; v -> j; I coil(1); j -> coil; R r(1); j -> r; C front(1); j -> "
                 "front;\n"
                 "Sf i(1); 0 n when b; i -> n; C c(1); n -> c; R t(1); n -> t; I back(1); n -> back; }",
        NULL, check_answers,
        (expected[]){{"coil", 1, WITNESS, "a", "open"},
                     {"front", 1, PROVED, NULL, NULL},
                     {"c", 1, WITNESS, "b", "open"},
                     {"back", 1, PROVED, NULL, NULL},
                     {0}});
}

/* Sources and a storage on one junction or one bond; in a field one port can be dependent, the other not. */
static void sources_make_storages_dependent_port_by_port(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL(
                   "a") "C f[2]([[1, 0], [0, 1]]); 0 n; 0 m; n -> f[1]; m -> f[2]; Se v(1); v -> n; R r(1); "
                        "m -> r;\n"
                        "Se w(1); C straight(1); w -> straight; I coil(1); Se u(1); u -> coil;\n"
                        "1 j when a; R t(1); n -> j -> m; j -> t; }",
               NULL, check_answers,
               (expected[]){{"f", 1, WITNESS, NULL, NULL},
                            {"f", 2, PROVED, NULL, NULL},
                            {"straight", 1, WITNESS, NULL, NULL},
                            {"coil", 1, PROVED, NULL, NULL},
                            {0}});
}

/* The bar and the coil behind the tie are cut off while a is open: nothing moves there, the coil included. */
static void a_coil_in_a_part_that_is_cut_off_is_dependent(void **state) {
    (void)state;
    sample_run(
        "model M { input bool go = false;\n" MANUAL("a") "Se v(1); 0 s; v -> s; 1 j when a; s -> j -> n; R "
                                                         "r(1); j -> r; 0 n; I coil(1); n -> coil; }",
        NULL, check_answers, (expected[]){{"coil", 1, WITNESS, "a", "open"}, {0}});
}

static void nothing_is_dependent_where_that_is_refused(void **state) {
    (void)state;
    sample_run("model M { input bool go = false;\n" MANUAL(
                   "a") "0 n; C c(1); n -> c; 0 m; C d(1); m -> d; 1 j when a; n -> j -> m; }",
               &(sample_options){.integral = true}, check_answers,
               (expected[]){{"c", 1, PROVED, NULL, NULL}, {"d", 1, PROVED, NULL, NULL}, {0}});
}

static void check_undecided(sample *s, void *context) {
    (void)context;
    hbg_verify_result result = hbg_verify_dependence(s->modes, sample_find(s, "c"), 1);
    assert_int_equal(result.verdict, HBG_VERDICT_UNDECIDED);
    assert_string_equal(result.reason, "no answer within the effort allowed");
}

static void what_is_not_decided_comes_with_the_reason(void **state) {
    (void)state;
    hbg_verify_options little = hbg_verify_options_default();
    little.effort = 1;
    sample_run("model M { input bool go = false;\n" MANUAL("a")
                   MANUAL("b") "0 n; C c(1); n -> c; 0 m; C d(1); m -> d; 1 j when a; n -> j -> m;\n"
                               "R r(1); 1 k when b; m -> k -> r; }",
               &(sample_options){.limits = &little}, check_undecided, NULL);
}

/* ---- random graphs ---------------------------------------------------------------------------------------
 */

typedef struct {
    int graphs, storages, dependent, shared, searches;
    int rings; /* storages that are not compared */
    int vain;  /* modes judged of storages that are not dependent: the certificate is not exact there */
} statistics;

typedef enum { INDEPENDENT, DEPENDENT, ONE_OF_SEVERAL } finding;

/* All that is on around the storage is determined, or harmless, as src/causal sees it. */
static bool is_assigned(const sample *s, const sample_judge *j) {
    for (int32_t place = 0; place < s->structure->place_count; place++)
        if (j->in_part[place] && hbg_causal_determining_bond(s->assignment, place) == HBG_NONE &&
            !hbg_causal_is_floating(s->assignment, place))
            return false;
    return true;
}

/* What the storage at this end of a link is in one mode. */
static finding judge_storage(const sample *s, int32_t slot, const int32_t *states) {
    const hbg_causal_structure *structure = s->structure;
    const hbg_causal_link *link = &structure->links[slot >> 1];
    const hbg_causal_end *end = &link->end[slot & 1];
    int32_t place = link->end[1 - (slot & 1)].place;
    bool on[SAMPLE_PLACES];
    hbg_causal_mode(s->arena, structure, states, on);
    sample_judge j = {.structure = structure, .on = on};
    if (!on[place])
        return (sets_effort(&j, place) != link->odd) == end->wants_effort ? INDEPENDENT : DEPENDENT;
    hbg_causal_assign(s->assignment, on);
    judge_around(&j, place, HBG_NONE);
    int best = j.best;
    assert_int_equal(is_part_good(&j), is_assigned(s, &j));
    if (!is_part_good(&j)) return INDEPENDENT;
    if (is_dead(&j)) return DEPENDENT;
    judge_around(&j, place, slot);
    if (j.best != best || j.lacking > 0) return INDEPENDENT;
    return hbg_causal_is_derivative(s->assignment, end->element, end->port) ? DEPENDENT : ONE_OF_SEVERAL;
}

static void check_storage(sample *s, int32_t slot, statistics *sums) {
    const hbg_causal_end *end = &s->structure->links[slot >> 1].end[slot & 1];
    int32_t states[SAMPLE_AUTOMATA];
    int found[3] = {0};
    for (int i = 0; i < SAMPLE_AUTOMATA; i++) states[i] = -1;
    while (next_states(s->structure->model, states)) found[judge_storage(s, slot, states)]++;
    // The verifier and the judge of samples both count strokes. Where elements gave way to the equations of a ring
    // (src/causal/rings.c) more storages are dependent than strokes ask for, or others: there is nothing to compare.
    sums->rings += s->assignment->rings.has_turned;
    if (s->assignment->rings.has_turned) return;
    bool dependent = found[DEPENDENT] + found[ONE_OF_SEVERAL] > 0;
    hbg_verify_result result = hbg_verify_dependence(s->modes, end->element, end->port);
    if (result.verdict != (dependent ? WITNESS : PROVED)) {
        print_message("%s\nstorage %d: dependent in %d modes, one of several in %d, verdict %d %s\n", s->text,
                      end->element, found[DEPENDENT], found[ONE_OF_SEVERAL], (int)result.verdict,
                      result.reason ? result.reason : "");
        fail();
    }
    if (dependent) {
        assert_true(states_can_be(s->structure->model, result.states));
        assert_int_not_equal(judge_storage(s, slot, result.states), INDEPENDENT);
    }
    sums->storages++;
    sums->dependent += dependent;
    sums->shared += dependent && found[DEPENDENT] == 0;
    sums->searches += result.searches;
    sums->vain += dependent ? 0 : result.judged;
}

static void check_random(sample *s, void *context) {
    const hbg_causal_structure *structure = s->structure;
    statistics *sums = context;
    sums->graphs++;
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        const hbg_causal_end *end = &structure->links[slot >> 1].end[slot & 1];
        if (end->place == HBG_NONE && end->demand == HBG_DEMAND_PREFER) check_storage(s, slot, sums);
    }
}

static statistics run_many(int count, uint64_t seed, const sample_shape *most) {
    static sample_text text;
    hbg_memory memory = {0};
    sample_options options = {.prover = hbg_verify_prover_new(&memory)};
    statistics sums = {0};
    for (int i = 0; i < count; i++) {
        sample_random random = {seed * 1000003 + (uint64_t)i * 7919};
        text_sample(&text, &random, most);
        sample_run(text.data, &options, check_random, &sums);
    }
    hbg_verify_prover_free(options.prover);
    assert_int_equal(memory.used, 0);
    print_message(
        "%d graphs, %d storages: %d dependent in some mode, %d only as one of several; %d searches, %d "
        "modes judged in vain; %d storages at rings\n",
        sums.graphs, sums.storages, sums.dependent, sums.shared, sums.searches, sums.vain, sums.rings);
    assert_true(sums.rings < sums.storages / 4);
    return sums;
}

#define PLAIN                                                                                                \
    .automata = 3, .junctions = 6, .extra_links = 2, .elements = 8, .controlled = 45, .transformers = 10

static void plain_storages_get_the_verdict_of_all_modes(void **state) {
    (void)state;
    statistics sums = run_many(500, 1, &(sample_shape){PLAIN});
    assert_true(sums.vain * 30 < sums.storages); // without odd cycles the certificate hardly ever misleads
}

static void storages_among_gyrators_get_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(500, 2, &(sample_shape){PLAIN, .gyrators = 35});
}

static void storages_at_dual_junctions_get_the_verdict_of_all_modes(void **state) {
    (void)state;
    run_many(500, 3, &(sample_shape){PLAIN, .gyrators = 10, .dual = 40});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacitors_joined_by_a_switch_depend_on_each_other),
        cmocka_unit_test(a_resistance_between_them_keeps_capacitors_independent),
        cmocka_unit_test(off_junctions_set_what_a_storage_would),
        cmocka_unit_test(sources_make_storages_dependent_port_by_port),
        cmocka_unit_test(a_coil_in_a_part_that_is_cut_off_is_dependent),
        cmocka_unit_test(nothing_is_dependent_where_that_is_refused),
        cmocka_unit_test(what_is_not_decided_comes_with_the_reason),
        cmocka_unit_test(plain_storages_get_the_verdict_of_all_modes),
        cmocka_unit_test(storages_among_gyrators_get_the_verdict_of_all_modes),
        cmocka_unit_test(storages_at_dual_junctions_get_the_verdict_of_all_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
