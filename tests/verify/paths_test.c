/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The proof against the run. Random hybrid graphs, thousands in the soak, are examined by the verifier and gone through by the
 * event iteration of src/rt: at sampled energies, inputs and discrete states where a run begins, and at every instant of runs
 * from there: where inputs change, where time flows to the exit of a mode, where waits end and clocks tick. Where the verifier
 * says that something goes wrong the run has to go wrong, in a way the verifier names, and nowhere else. Points at which a
 * number decides by rounding are left out. HBG_VERIFY_GRAPHS=… takes so many graphs, HBG_VERIFY_SEED=… begins with this one;
 * of a single graph the text is shown. */
#include "paths_flow_impl.h"
#include "support/soak.h"

enum {
    ENOUGH_GRAPHS = 60, /* for counts to be judged */
    FLOW_EVERY = 6      /* points from one of which a run is followed */
};

static const hybrid_plan plan = {
    .junctions = 3, .sources = 50, .cubes = 0, .fields = 10, .collisions = 35, .duals = 15, .sampled = 12};

/* ---- one graph ------------------------------------------------------------------------------------------ */

/* Energies around 0, some of them 0; inputs; states from which the verifier begins. */
static void draw_point(comparison *c, test_random *random) {
    const hbg_rt_description *system = c->m.system;
    for (int32_t i = 0; i < system->state_count; i++) {
        double size = random_chance(random, 50) ? 4 : 0.25;
        c->x[i] = random_chance(random, 15) ? 0 : size * (random_below(random, 2000001) - 1000000) / 1e6;
    }
    for (int32_t i = 0; i < system->input_count; i++) {
        bool event = strcmp(system->inputs[i].name, "kick") == 0; // there is none where a run begins
        c->signals[i] = event                       ? 0
                        : system->inputs[i].is_bool ? random_below(random, 2)
                                                    : random_eighths(random, -16, 16);
    }
    for (int32_t g = 0; g < c->result.group_count; g++) {
        const hbg_group_result *group = &c->result.groups[g];
        if (group->phase_count == 0) continue;
        const int32_t *states = group->phases[random_below(random, group->phase_count)].states;
        for (int32_t i = 0; i < group->of.automaton_count; i++)
            c->states[group->of.automata[i]] = states[group->of.automata[i]];
    }
}

/* Signals of the model in the order of the system's inputs: the graphs have no other signals. */
static bool examine_text(comparison *c, const char *text, test_random *random, int samples) {
    hbg_verify_options limits = hbg_verify_options_default();
    jmp_buf guard;
    bool fine = true;
    model_open(&c->m, text);
    memset(c->states, 0, sizeof c->states);
    for (int32_t i = 0; i < c->m.system->automaton_count; i++) c->states[i] = c->m.system->start_states[i];
    limits.timeout_ms = 1000;
    limits.bare = true;
    hbg_verify_prover *prover = hbg_verify_prover_new(&c->m.memory);
    assert_non_null(prover);
    if (HBG_GUARD(&c->m.memory, guard)) fail();
    c->result = hbg_verify_consistency(&c->m.arena, prover, c->m.eqn, c->m.model, &limits);
    HBG_GUARD_END(&c->m.memory);
    count_verdicts(c);
    bool has_pole = strstr(text, "1/");       // a run may flow across it without an event
    const char *event = strstr(text, "kick"); // where it is declared, and where it is read
    c->reads_event =
        event && (strstr(text, "kick)") || strstr(event + 1, "kick;")) && c->result.group_count == 1;
    for (int i = 0; i < samples && fine && c->result.group_count > 0; i++) {
        draw_point(c, random);
        fine = compare(c) && (i % FLOW_EVERY != 0 || has_pole || follow_run(c, random));
    }
    hbg_verify_prover_free(prover);
    model_close(&c->m);
    return fine;
}

/* Some transitions are taken after a time instead. */
static void add_waits(hybrid *h, test_random *random) {
    for (int i = 0; i < h->automaton_count; i++) {
        hybrid_automaton *of = &h->automata[i];
        hybrid_state *state = &of->states[random_below(random, of->state_count)];
        if (!random_chance(random, 20) || state->transition_count == 0) continue;
        hybrid_transition *way = &state->transitions[random_below(random, state->transition_count)];
        *way = (hybrid_transition){.target = way->target,
                                   .input = -1,
                                   .automaton = -1,
                                   .second = -1,
                                   .after = random_eighths(random, 1, 6)};
    }
}

static bool examine(comparison *c, uint64_t seed, int samples, bool show) {
    test_random random = {seed};
    c->seed = seed;
    random_hybrid(&c->h, &random, &plan);
    add_waits(&c->h, &random);
    const char *text = write_hybrid(&c->h, &random);
    if (show) print_message("%s\n", text);
    int combinations = 1;
    for (int i = 0; i < c->h.automaton_count; i++) combinations *= c->h.automata[i].state_count;
    bool soak = getenv("HBG_VERIFY_GRAPHS") || getenv("HBG_VERIFY_SEED");
    if (combinations > (soak ? 8 : 6)) return true; // small ones, and many of them
    return examine_text(c, text, &random, samples);
}

static int asked_graphs(int usual) {
    const char *wanted = getenv("HBG_VERIFY_GRAPHS");
    return wanted ? atoi(wanted) : usual;
}

static uint64_t asked_seed(uint64_t usual) {
    const char *wanted = getenv("HBG_VERIFY_SEED");
    return wanted ? strtoull(wanted, NULL, 10) : usual;
}

static statistics examine_many(int graphs, uint64_t first, int samples) {
    static comparison c;
    statistics count = {0};
    int failed = 0;
    c.count = &count;
    for (int i = 0; i < graphs && failed < 5; i++)
        failed += !examine(&c, first + (uint64_t)i, samples, graphs == 1);
    print_message(
        "%d graphs, %d groups: %d proved, %d violated, %d undecided; %d points, %d wrong, %d left out\n",
        count.graphs, count.groups, count.proved, count.violated, count.undecided, count.samples, count.wrong,
        count.skipped);
    print_message("of runs: %d starts, %d inputs (%d wrong), %d guards (%d), %d waits (%d), %d clocks (%d)\n",
                  count.instants[CAUSE_START], count.instants[CAUSE_INPUT], count.wrong_instants[CAUSE_INPUT],
                  count.instants[CAUSE_GUARD], count.wrong_instants[CAUSE_GUARD], count.instants[CAUSE_WAIT],
                  count.wrong_instants[CAUSE_WAIT], count.instants[CAUSE_TICK],
                  count.wrong_instants[CAUSE_TICK]);
    print_message("met:");
    for (int i = 0; i < HBG_FINDING_COUNT; i++)
        print_message(" %s %d%s", hbg_verify_finding_word((hbg_finding_kind)i), count.verdicts[i],
                      i + 1 < HBG_FINDING_COUNT ? "," : "\n");
    assert_int_equal(failed, 0);
    return count;
}

static void a_run_goes_wrong_where_the_verifier_says_and_nowhere_else(void **state) {
    (void)state;
    statistics s = examine_many(asked_graphs(trials(20, ENOUGH_GRAPHS)), asked_seed(1000003), 60);
    if (s.graphs < ENOUGH_GRAPHS && s.graphs > 1) assert_true(s.violated > 0 && s.proved > 0 && s.wrong > 0);
    if (s.graphs < ENOUGH_GRAPHS) return; // too few to say how many there have to be of a kind
    assert_true(s.violated > s.graphs / 20 && s.proved > s.graphs / 4);
    assert_true(10 * s.undecided < s.groups);
    assert_true(s.wrong > s.samples / 200 && 3 * s.skipped < s.samples);
    assert_true(s.verdicts[HBG_FINDING_CYCLE] > s.graphs / 4 &&
                s.verdicts[HBG_FINDING_LOST_PINNACLE] >= s.graphs / 50 &&
                s.verdicts[HBG_FINDING_FORBIDDEN] >= s.graphs / 50 &&
                s.verdicts[HBG_FINDING_TEMPORAL] >= s.graphs / 50);
    for (int i = 0; i < CAUSE_COUNT; i++) assert_true(s.instants[i] >= s.graphs / 4);
    assert_true(s.wrong_instants[CAUSE_INPUT] > 0 && s.wrong_instants[CAUSE_GUARD] > 0);
}

/* ---- choices --------------------------------------------------------------------------------------------- */

/* A value with a choice in it, that exists everywhere. */
static void write_choice(test_random *random, char *text, size_t size) {
    static const char *const reads[] = {"c.q", "d.q", "(c.q - d.q)"};
    const char *x = reads[random_below(random, 3)], *y = reads[random_below(random, 3)];
    switch (random_below(random, 10)) {
    case 0: // no bound it is compared with
        snprintf(text, size, "max(%s, %g)", x, random_eighths(random, -8, 8) + 0.0625);
        break;
    case 1: snprintf(text, size, "min(%s, %s)", x, y); break;
    case 2: snprintf(text, size, "abs(%s)", x); break;
    case 3: snprintf(text, size, "sign(%s)*%s", x, y); break;
    case 4: snprintf(text, size, "(%s >= 0 ? sqrt(%s) : -sqrt(-%s))", x, x, x); break;
    case 5: snprintf(text, size, "(%s != 0 ? 1/%s : 0)", x, x); break;
    case 6: snprintf(text, size, "sqrt(2)*%s", x); break;
    case 7: snprintf(text, size, "pi*min(%s, in(a.x, r.f))", x); break;
    case 8: snprintf(text, size, "pre(max(%s, %s))", x, y); break;
    default: snprintf(text, size, "(%s > 0.5 ? %s : max(-%s, %s))", x, y, x, y); break;
    }
}

/* Bounds of different guards are never the same: at one of them only one relation is at equality. */
static void write_guard(test_random *random, const char *other, double apart, char *text, size_t size) {
    char choice[160];
    const char *relation = random_chance(random, 50) ? ">" : "<=";
    double edge = random_eighths(random, -12, 12) + apart;
    write_choice(random, choice, sizeof choice);
    if (random_chance(random, 25))
        snprintf(text, size, "%s %s %g && %s.%s", choice, relation, edge, other,
                 random_chance(random, 50) ? "o" : "x");
    else if (random_chance(random, 25))
        snprintf(text, size, "c.q > 0 && sqrt(c.q) %s %g || %s > 2", relation, edge, choice);
    else
        snprintf(text, size, "%s %s %g", choice, relation, edge);
}

/* Values that are settled on one way and not on the next: guards with choices, in automata that are gone through one after
 * the other. */
static void choices_are_settled_on_their_own_way_only(void **state) {
    (void)state;
    static comparison c;
    statistics count = {0};
    int failed = 0;
    c.count = &count;
    for (int i = 0; i < asked_graphs(40) && failed < 5; i++) {
        test_random random = {asked_seed(7000) + (uint64_t)i};
        char text[2000], guards[4][400];
        for (int k = 0; k < 4; k++)
            write_guard(&random, k < 2 ? "b" : "a", k / 64.0, guards[k], sizeof guards[k]);
        snprintf(text, sizeof text,
                 "model M { C c(1); C d(1); 0 n; 0 m; R r(1); R s(1); 1 j when a; 1 l when b;\n"
                 "n -> c; m -> d; n -> j -> r; m -> l -> s;\n"
                 "automaton a { off o -> x when %s; on x -> o when %s; }\n"
                 "automaton b { off o -> x when %s; on x -> o when %s; }\nexperiment z { stop 0; } }\n",
                 guards[0], guards[1], guards[2], guards[3]);
        c.seed = asked_seed(7000) + (uint64_t)i;
        if (examine_text(&c, text, &random, 40)) continue;
        print_error("%s\n", text);
        failed++;
    }
    print_message("%d models: %d proved, %d violated, %d undecided; %d points, %d wrong, %d left out\n",
                  count.graphs, count.proved, count.violated, count.undecided, count.samples, count.wrong,
                  count.skipped);
    assert_int_equal(failed, 0);
    if (count.graphs < 20) return;
    assert_true(10 * count.violated > count.graphs && count.wrong > count.samples / 20);
    assert_true(3 * count.undecided < count.groups);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_wrong_where_the_verifier_says_and_nowhere_else),
        cmocka_unit_test(choices_are_settled_on_their_own_way_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
