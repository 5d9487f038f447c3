/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The proof against the run. Random hybrid graphs, thousands in the soak, are examined by the verifier and, at sampled energies, inputs and
 * discrete states, gone through by the event iteration of src/rt: where the verifier says that something goes wrong the run
 * has to go wrong, in a way the verifier names, and nowhere else. Points at which a number decides by rounding are left out.
 * HBG_VERIFY_GRAPHS=… takes so many graphs, HBG_VERIFY_SEED=… one and shows it. */
#include "eqn/hybrid_trial_impl.h"
#include "verify/verify.h"

typedef struct {
    int graphs, samples, wrong, skipped, proved, violated, undecided, groups;
    int verdicts[HBG_FINDING_COUNT];
} statistics;

typedef struct {
    hybrid h;
    hybrid_model m;
    hbg_consistency_result result;
    statistics *count;
    double x[NET_BONDS], signals[64];
    int32_t states[HYBRID_AUTOMATA + 4];
    uint64_t seed;
} comparison;

static const hybrid_plan plan = {
    .junctions = 3, .sources = 50, .cubes = 0, .fields = 10, .collisions = 35, .duals = 15};

/* ---- what the verifier says about a point -------------------------------------------------------------- */

static bool begins_there(const comparison *c, const hbg_group_result *group, const int32_t *start) {
    for (int32_t i = 0; i < group->of.automaton_count; i++)
        if (start[group->of.automata[i]] != c->states[group->of.automata[i]]) return false;
    return true;
}

/* Kinds foretold at the point, as bits; false where rounding decides. */
static bool foretell(const comparison *c, unsigned *kinds, bool *partly) {
    hbg_point point = {.states = c->x, .signals = c->signals};
    *kinds = 0;
    *partly = false;
    for (int32_t g = 0; g < c->result.group_count; g++) {
        const hbg_group_result *group = &c->result.groups[g];
        *partly |= group->verdict == HBG_VERDICT_UNDECIDED || group->reason || group->undefined_count > 0;
        for (int32_t i = 0; i < group->finding_count; i++) {
            const hbg_finding *finding = &group->findings[i];
            *partly |= finding->kind == HBG_FINDING_CHAIN;
            for (int32_t k = 0; k < finding->where_count; k++) {
                if (!begins_there(c, group, finding->where[k].start)) continue;
                if (hbg_condition_margin(finding->where[k].where, &point) < 1e-7) return false;
                if (hbg_finding_is_wrong(finding->kind) &&
                    hbg_condition_holds(finding->where[k].where, &point))
                    *kinds |= 1u << finding->kind;
            }
        }
        for (int32_t i = 0; i < group->phase_count; i++)
            if (hbg_condition_margin(group->phases[i].departed, &point) < 1e-7) return false;
    }
    return true;
}

/* ---- what the run does there --------------------------------------------------------------------------- */

/* The kinds one of which has to be foretold; 0: nothing is wrong. False: the run says nothing. */
static bool run_there(comparison *c, unsigned *kinds, hbg_rt_search *search) {
    const hbg_rt_system *system = c->m.system;
    static double memory[1 << 16];
    static double x[NET_BONDS];
    static int32_t states[HYBRID_AUTOMATA + 4];
    assert_true(hbg_rt_instant_scratch(system) <= sizeof memory);
    memcpy(x, c->x, sizeof x);
    memcpy(states, c->states, sizeof states);
    hbg_rt_instance *run = system->make(system->self);
    assert_non_null(run);
    for (int32_t i = 0; i < system->input_count; i++)
        if (!system->inputs[i].is_bool || strcmp(system->inputs[i].name, "kick") != 0)
            assert_int_equal(system->set_input(run, i, c->signals[i]), HBG_RT_OK);
    *search = (hbg_rt_search){.system = system, .instance = run, .states = states, .x = x, .scratch = memory};
    hbg_rt_status status = system->enter(run, states);
    bool begins = status == HBG_RT_OK; // else it does not even begin there
    if (begins) status = hbg_rt_instant(search, 0, true, NULL, 0);
    system->end(run);
    *kinds = 0;
    if (!begins) return false;
    if (status == HBG_RT_NO_CAUSALITY) *kinds = 1u << HBG_FINDING_NO_CAUSALITY;
    if (status != HBG_RT_VERDICT) return status == HBG_RT_OK || status == HBG_RT_NO_CAUSALITY;
    switch (search->verdict) {
    case HBG_RT_DIVERGENCE: *kinds = 1u << HBG_FINDING_CYCLE | 1u << HBG_FINDING_CHAIN; return true;
    case HBG_RT_LOST_PINNACLE: *kinds = 1u << HBG_FINDING_LOST_PINNACLE; return true;
    case HBG_RT_FORBIDDEN_GUARD: *kinds = 1u << HBG_FINDING_FORBIDDEN; return true;
    case HBG_RT_ENERGY_CREATED: *kinds = 1u << HBG_FINDING_ENERGY; return true;
    default: return true;
    }
}

/* ---- one graph ------------------------------------------------------------------------------------------ */

static void show(const comparison *c, unsigned foretold, unsigned met, const hbg_rt_search *search) {
    print_error("seed %llu, verifier %x, run %x (%s)\n", (unsigned long long)c->seed, foretold, met,
                search->words);
    for (int32_t i = 0; i < c->m.system->state_count; i++)
        print_error("  %s = %.17g\n", c->m.system->states[i].name, c->x[i]);
    for (int32_t i = 0; i < c->m.system->automaton_count; i++)
        print_error("  %s in %s\n", c->m.system->automata[i].name,
                    c->m.system->automata[i].states[c->states[i]]);
    for (int32_t i = 0; i < c->m.system->input_count; i++)
        print_error("  %s = %g\n", c->m.system->inputs[i].name, c->signals[i]);
}

static bool has_zero(const comparison *c) {
    for (int32_t i = 0; i < c->m.system->state_count; i++)
        if (c->x[i] == 0) return true;
    return false;
}

/* Where a source feeds several groups their energies cannot be told apart, and the verifier says so. */
static bool shares_source(const comparison *c) {
    for (int32_t g = 0; g < c->result.group_count; g++)
        if (c->result.groups[g].of.shares_source) return true;
    return false;
}

static bool compare(comparison *c) {
    unsigned foretold, met;
    bool partly;
    hbg_rt_search search;
    c->count->samples++;
    if (!foretell(c, &foretold, &partly) || !run_there(c, &met, &search)) {
        c->count->skipped++;
        return true;
    }
    for (int i = 0; i < HBG_FINDING_COUNT; i++) c->count->verdicts[i] += (met >> i) & 1;
    c->count->wrong += met != 0;
    if (met == 1u << HBG_FINDING_FORBIDDEN && !(foretold & met) && has_zero(c)) {
        c->count->skipped++; // an energy that is 0 and stays so is kept by chance
        return true;
    }
    partly |= met == 1u << HBG_FINDING_ENERGY && shares_source(c);
    bool agrees = met ? (foretold & met) != 0 || partly : foretold == 0;
    if (!agrees) show(c, foretold, met, &search);
    return agrees;
}

/* Energies around 0, some of them 0; inputs; states from which the verifier begins. */
static void draw_point(comparison *c, test_random *random) {
    const hbg_rt_system *system = c->m.system;
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

/* Where something rebounds a run judges all automata on the values before, also those it has nothing to do with. */
static bool is_coupled_by_rebound(const comparison *c) {
    bool rebounds = false;
    for (int32_t g = 0; g < c->result.group_count; g++)
        rebounds |= c->result.groups[g].of.restitution_count > 0;
    return rebounds && c->result.group_count > 1;
}

static void count_verdicts(comparison *c) {
    statistics *s = c->count;
    s->graphs++;
    for (int32_t g = 0; g < c->result.group_count; g++) {
        s->groups++;
        s->proved += c->result.groups[g].verdict == HBG_VERDICT_PROVED;
        s->violated += c->result.groups[g].verdict == HBG_VERDICT_WITNESS;
        s->undecided += c->result.groups[g].verdict == HBG_VERDICT_UNDECIDED;
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
    if (is_coupled_by_rebound(c)) samples = 0;
    for (int i = 0; i < samples && fine && c->result.group_count > 0; i++) {
        draw_point(c, random);
        fine = compare(c);
    }
    hbg_verify_prover_free(prover);
    model_close(&c->m);
    return fine;
}

static bool examine(comparison *c, uint64_t seed, int samples) {
    test_random random = {seed};
    c->seed = seed;
    random_hybrid(&c->h, &random, &plan);
    const char *text = write_hybrid(&c->h, &random);
    if (getenv("HBG_VERIFY_SEED")) print_message("%s\n", text);
    int combinations = 1;
    for (int i = 0; i < c->h.automaton_count; i++) combinations *= c->h.automata[i].state_count;
    const char *graphs = getenv("HBG_VERIFY_GRAPHS");
    bool soak = (graphs && atoi(graphs) >= 1000) || getenv("HBG_VERIFY_SEED");
    if (combinations > (soak ? 8 : 6)) return true; // small ones, and many of them
    return examine_text(c, text, &random, samples);
}

static statistics examine_many(int graphs, uint64_t first, int samples) {
    static comparison c;
    statistics count = {0};
    const char *one = getenv("HBG_VERIFY_SEED");
    int failed = 0;
    c.count = &count;
    if (one) {
        assert_true(examine(&c, strtoull(one, NULL, 10), 400));
        return count;
    }
    for (int i = 0; i < graphs && failed < 5; i++)
        failed += !examine(&c, first * 1000003 + (uint64_t)i, samples);
    print_message(
        "%d graphs, %d groups: %d proved, %d violated, %d undecided; %d points, %d wrong, %d left out\n",
        count.graphs, count.groups, count.proved, count.violated, count.undecided, count.samples, count.wrong,
        count.skipped);
    assert_int_equal(failed, 0);
    return count;
}

static void a_run_goes_wrong_where_the_verifier_says_and_nowhere_else(void **state) {
    (void)state;
    const char *wanted = getenv("HBG_VERIFY_GRAPHS");
    statistics s = examine_many(wanted ? atoi(wanted) : 110, 1, 60);
    if (wanted || getenv("HBG_VERIFY_SEED")) return;
    assert_true(s.violated > s.graphs / 20 && s.proved > s.graphs / 4);
    assert_true(10 * s.undecided < s.groups);
    assert_true(s.wrong > s.samples / 200 && 3 * s.skipped < s.samples);
    assert_true(s.verdicts[HBG_FINDING_CYCLE] > 0 && s.verdicts[HBG_FINDING_LOST_PINNACLE] > 0 &&
                s.verdicts[HBG_FINDING_FORBIDDEN] > 0);
}

/* ---- choices --------------------------------------------------------------------------------------------- */

/* A value with a choice in it, that exists everywhere. */
static void write_choice(test_random *random, char *text, size_t size) {
    static const char *const reads[] = {"c.q", "d.q", "(c.q - d.q)"};
    const char *x = reads[random_below(random, 3)], *y = reads[random_below(random, 3)];
    switch (random_below(random, 7)) {
    case 0: snprintf(text, size, "max(%s, %g)", x, random_eighths(random, -8, 8)); break;
    case 1: snprintf(text, size, "min(%s, %s)", x, y); break;
    case 2: snprintf(text, size, "abs(%s)", x); break;
    case 3: snprintf(text, size, "sign(%s)*%s", x, y); break;
    case 4: snprintf(text, size, "(%s >= 0 ? sqrt(%s) : -sqrt(-%s))", x, x, x); break;
    case 5: snprintf(text, size, "(%s != 0 ? 1/%s : 0)", x, x); break;
    default: snprintf(text, size, "(%s > 0.5 ? %s : max(-%s, %s))", x, y, x, y); break;
    }
}

static void write_guard(test_random *random, const char *other, char *text, size_t size) {
    char choice[160];
    const char *relation = random_chance(random, 50) ? ">" : "<=";
    double edge = random_eighths(random, -12, 12);
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
    const char *wanted = getenv("HBG_VERIFY_GRAPHS");
    int failed = 0;
    c.count = &count;
    for (int i = 0; i < (wanted ? atoi(wanted) : 40) && failed < 5; i++) {
        test_random random = {7000 + (uint64_t)i};
        char text[2000], guards[4][400];
        for (int k = 0; k < 4; k++) write_guard(&random, k < 2 ? "b" : "a", guards[k], sizeof guards[k]);
        snprintf(text, sizeof text,
                 "model M { C c(1); C d(1); 0 n; 0 m; R r(1); R s(1); 1 j when a; 1 l when b;\n"
                 "n -> c; m -> d; n -> j -> r; m -> l -> s;\n"
                 "automaton a { off o -> x when %s; on x -> o when %s; }\n"
                 "automaton b { off o -> x when %s; on x -> o when %s; }\nexperiment z { stop 0; } }\n",
                 guards[0], guards[1], guards[2], guards[3]);
        c.seed = (uint64_t)i;
        if (examine_text(&c, text, &random, 40)) continue;
        print_error("%s\n", text);
        failed++;
    }
    print_message("%d models: %d proved, %d violated, %d undecided; %d points, %d wrong, %d left out\n",
                  count.graphs, count.proved, count.violated, count.undecided, count.samples, count.wrong,
                  count.skipped);
    assert_int_equal(failed, 0);
    assert_true(count.violated > 0 && count.wrong > 0 && 3 * count.undecided < count.groups);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_wrong_where_the_verifier_says_and_nowhere_else),
        cmocka_unit_test(choices_are_settled_on_their_own_way_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
