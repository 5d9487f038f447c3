/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs beside the verifier. Between src/sim and the system of a random graph stands a system that writes down with what
 * every instant begins: energies, states, inputs before and after, clocks, waits. When the instant is over, what became of
 * it is compared with what was foretold there. Where time flows into a guard its relation is at equality, and a run has rules of
 * its own for that (semantics, section 5): energies are taken a moment behind, and a second run begins an instant with them. */
#ifndef HBG_TESTS_VERIFY_PATHS_FLOW_IMPL_H
#define HBG_TESTS_VERIFY_PATHS_FLOW_IMPL_H

#include "paths_compare_impl.h"

enum { FLOW_INSTANTS = 40, FLOW_ACTIONS = 5 };

typedef struct {
    comparison *c;
    const hbg_rt_description *real;
    hbg_rt_instance *run; /* the one that is watched */
    int32_t states[HYBRID_AUTOMATA + 4];
    double entered[HYBRID_AUTOMATA + 4], entered_beside[HYBRID_AUTOMATA + 4];
    double now[PATHS_SIGNALS], before[PATHS_SIGNALS];
    double t;
    int instants;
    bool fine;

    /* the instant that is under way */
    bool waiting, usable;
    double x[NET_BONDS], time;
    double largest[NET_BONDS]; /* by state, at the instants so far */
    double inputs[PATHS_SIGNALS], inputs_before[PATHS_SIGNALS];
    int32_t left[HYBRID_AUTOMATA + 4];
    bool ticks[HYBRID_AUTOMATA + 4], waited[PATHS_TRANSITIONS];
    instant_cause cause;
    hbg_rt_verdict verdict;
    char words[HBG_RT_WORDS];
} flow_watch;

static flow_watch flow; /* functions on an instance have no context of their own */

/* The linker puts __wrap_NAME between the engine and __real_NAME, which is what the run-time defines. */
hbg_rt_status __wrap_hbg_rt_open(hbg_rt_instance *run, double t, const double *x, bool at_start,
                                 const int32_t *crossed, int32_t count);
hbg_rt_status __real_hbg_rt_open(hbg_rt_instance *run, double t, const double *x, bool at_start,
                                 const int32_t *crossed, int32_t count);
hbg_rt_status __wrap_hbg_rt_declare(hbg_rt_instance *run, double *x);
hbg_rt_status __real_hbg_rt_declare(hbg_rt_instance *run, double *x);
hbg_rt_status __wrap_hbg_rt_enter(hbg_rt_instance *run, const int32_t *states);
hbg_rt_status __real_hbg_rt_enter(hbg_rt_instance *run, const int32_t *states);
hbg_rt_status __wrap_hbg_rt_set_input(hbg_rt_instance *run, int32_t input, double value);
hbg_rt_status __real_hbg_rt_set_input(hbg_rt_instance *run, int32_t input, double value);
hbg_rt_status __wrap_hbg_rt_move(hbg_rt_instance *run, const int32_t *states, int32_t *next,
                                 const bool *alone);
hbg_rt_status __real_hbg_rt_move(hbg_rt_instance *run, const int32_t *states, int32_t *next,
                                 const bool *alone);
hbg_rt_status __wrap_hbg_rt_flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
hbg_rt_status __real_hbg_rt_flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x);

/* ---- an instant that is over ------------------------------------------------------------------------------ */

/* What is foretold there; false if rounding decides. */
static inline bool foretell_instant(unsigned *foretold, bool *partly, hbg_point *point) {
    memcpy(flow.c->states, flow.left, sizeof flow.left);
    *point = (hbg_point){.states = flow.x,
                         .signals = flow.inputs,
                         .signals_before = flow.inputs_before,
                         .params = flow.c->params,
                         .time = flow.time,
                         .ticks = flow.ticks,
                         .waited = flow.waited};
    double most = 0;
    for (int32_t i = 0; i < flow.real->state_count; i++) most = fmax(most, flow.largest[i]);
    for (int32_t i = 0; i < flow.real->state_count; i++)
        if (flow.x[i] != 0 && fabs(flow.x[i]) < fmax(1e-9 * flow.largest[i], 1e-16 * most)) return false;
    return foretell(flow.c, point, foretold, partly);
}

/* Whether a finding is there that no exit of a real mode is said to lead to. */
static inline bool is_out_of_reach(const hbg_point *point) {
    const hbg_consistency_result *result = &flow.c->result;
    for (int32_t g = 0; g < result->group_count && flow.cause != CAUSE_START; g++)
        for (int32_t i = 0; i < result->groups[g].finding_count; i++) {
            const hbg_finding *finding = &result->groups[g].findings[i];
            for (int32_t k = 0; k < finding->where_count && finding->reachable == HBG_VERDICT_PROVED; k++)
                if (begins_there(flow.c, &result->groups[g], finding->where[k].start) &&
                    hbg_verify_condition_holds(finding->where[k].where, point)) {
                    print_error("%s is out of reach, and reached:\n", hbg_verify_finding_word(finding->kind));
                    return true;
                }
        }
    return false;
}

static inline void end_instant(hbg_rt_status status) {
    unsigned foretold = 0, met = 0;
    bool partly;
    hbg_point point;
    if (!flow.waiting) return;
    flow.waiting = false;
    flow.c->count->samples++;
    if (!flow.usable || !foretell_instant(&foretold, &partly, &point) ||
        !kinds_met(status, flow.verdict, &met)) {
        flow.c->count->skipped++;
        return;
    }
    flow.c->count->instants[flow.cause]++;
    flow.c->count->wrong_instants[flow.cause] += met != 0 && met != 1u << HBG_FINDING_TEMPORAL;
    if (agrees(flow.c, &point, foretold, partly, met) && !is_out_of_reach(&point)) return;
    static const char *const causes[] = {"start", "input", "guard", "wait", "clock"};
    print_error("seed %llu, in a run, by a %s: verifier %x, run %x (%s)\n", (unsigned long long)flow.c->seed,
                causes[flow.cause], foretold, met, flow.words);
    show_point(flow.c, &point);
    for (int32_t i = 0; i < PATHS_TRANSITIONS; i++)
        if (flow.waited[i]) print_error("  transition %d has waited\n", (int)i);
    for (int32_t i = 0; i < flow.real->state_count; i++)
        print_error("  the run began with %s = %.17g\n", flow.real->states[i].name, flow.c->x[i]);
    flow.fine = false;
}

/* ---- an instant that begins ------------------------------------------------------------------------------- */

/* Which waits are over; whether any is. */
static inline bool read_waits(const double *entered, double t) {
    const hbg_model *model = flow.c->m.model;
    bool over = false;
    memset(flow.waited, 0, sizeof flow.waited);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        const hbg_automaton_state *state = &model->states.items[of->first_state + flow.states[i]];
        for (int32_t k = 0; k < state->transition_count; k++) {
            double after;
            int32_t transition = state->first_transition + k;
            if (model->transitions.items[transition].after == HBG_NONE) continue;
            assert_true(transition < PATHS_TRANSITIONS);
            assert_true(hbg_model_constant(model, model->transitions.items[transition].after, &after));
            flow.waited[transition] = t >= entered[i] + after - 1e-12;
            over |= flow.waited[transition];
        }
    }
    return over;
}

static inline void read_clocks(void) {
    bool ticks = false, over = read_waits(flow.entered, flow.t);
    for (int32_t i = 0; i < flow.real->automaton_count; i++) {
        double every = flow.real->automata[i].every, turns = every > 0 ? flow.t / every : 0;
        flow.ticks[i] = fabs(turns - round(turns)) < 1e-9;
        ticks |= every > 0 && flow.ticks[i];
    }
    flow.cause = memcmp(flow.now, flow.before, sizeof flow.now) != 0 ? CAUSE_INPUT
                 : over                                              ? CAUSE_WAIT
                 : ticks                                             ? CAUSE_TICK
                                                                     : CAUSE_GUARD;
}

/* As if time had flowed on in the mode that is left: a run that has been in this mode from 0 on begins a moment later, so that all
 * guards are looked at. */
static inline void look_behind(void) {
    static double memory[1 << 16], rates[NET_BONDS], x[NET_BONDS];
    static int32_t states[HYBRID_AUTOMATA + 4];
    const hbg_rt_description *system = flow.real;
    const double moment = 1e-4;
    hbg_rt_instance *beside = hbg_code_run(flow.c->m.code);
    assert_non_null(beside);
    hbg_rt_search search = {
        .system = system, .instance = beside, .states = states, .x = x, .scratch = memory};
    set_params(flow.c, beside);
    for (int32_t i = 0; i < system->input_count; i++)
        if (strcmp(system->inputs[i].name, "kick") != 0)
            assert_int_equal(hbg_rt_set_input(beside, i, flow.before[i]), HBG_RT_OK);
    flow.usable = hbg_rt_enter(beside, flow.states) == HBG_RT_OK &&
                  hbg_rt_rates(beside, flow.t, flow.x, rates) == HBG_RT_OK;
    flow.time = flow.t + moment;
    for (int32_t i = 0; i < system->state_count; i++) flow.x[i] += moment * rates[i];
    memcpy(x, flow.x, sizeof x);
    memcpy(states, flow.states, sizeof states);
    for (int32_t i = 0; i < system->automaton_count; i++) flow.entered_beside[i] = 0;
    read_waits(flow.entered_beside, flow.time);
    for (int32_t i = 0; i < system->automaton_count; i++) flow.ticks[i] = system->automata[i].every <= 0;
    hbg_rt_status status =
        flow.usable ? hbg_rt_instant(&search, flow.time, true, NULL, 0) : HBG_RT_INTERRUPTED;
    flow.verdict = search.verdict;
    snprintf(flow.words, sizeof flow.words, "%s", search.words);
    hbg_rt_free(beside);
    end_instant(status);
}

hbg_rt_status __wrap_hbg_rt_open(hbg_rt_instance *run, double t, const double *x, bool at_start,
                                 const int32_t *crossed, int32_t count) {
    if (run != flow.run) return __real_hbg_rt_open(run, t, x, at_start, crossed, count);
    end_instant(HBG_RT_OK);
    if (!flow.fine || flow.instants++ == FLOW_INSTANTS) return HBG_RT_INTERRUPTED;
    flow.t = flow.time = t;
    flow.waiting = flow.usable = true;
    flow.verdict = HBG_RT_FINE;
    flow.words[0] = 0;
    memcpy(flow.x, x, (size_t)flow.real->state_count * sizeof *x);
    for (int32_t i = 0; i < flow.real->state_count; i++) flow.largest[i] = fmax(flow.largest[i], fabs(x[i]));
    memcpy(flow.left, flow.states, sizeof flow.left);
    for (int32_t i = 0; i < flow.real->input_count && at_start; i++)
        if (strcmp(flow.real->inputs[i].name, "kick") != 0) flow.before[i] = flow.now[i];
    read_clocks();
    memcpy(flow.inputs, flow.now, sizeof flow.inputs);
    memcpy(flow.inputs_before, flow.before, sizeof flow.inputs_before);
    if (at_start) flow.cause = CAUSE_START;
    flow.usable &=
        count == 0 || flow.cause == CAUSE_GUARD; // else a guard is reached as something else happens
    if (count > 0 && flow.usable) look_behind();
    for (int32_t i = 0; i < flow.real->input_count; i++)
        if (strcmp(flow.real->inputs[i].name, "kick") == 0) {
            flow.usable &= flow.now[i] == 0 || flow.c->reads_event; // else only the run knows of it
            flow.now[i] = 0;
        }
    memcpy(flow.before, flow.now, sizeof flow.before);
    return __real_hbg_rt_open(run, t, x, at_start, crossed, count);
}

/* ---- between instants ------------------------------------------------------------------------------------- */

hbg_rt_status __wrap_hbg_rt_declare(hbg_rt_instance *run, double *x) {
    if (run != flow.run) return __real_hbg_rt_declare(run, x);
    memcpy(x, flow.c->x, (size_t)flow.real->state_count * sizeof *x);
    return HBG_RT_OK;
}

/* Where no states are given, those drawn are meant. */
hbg_rt_status __wrap_hbg_rt_enter(hbg_rt_instance *run, const int32_t *states) {
    if (run != flow.run) return __real_hbg_rt_enter(run, states);
    hbg_rt_status status = states ? HBG_RT_OK : __real_hbg_rt_enter(run, NULL);
    return status == HBG_RT_OK ? __real_hbg_rt_enter(run, states ? states : flow.states) : status;
}

hbg_rt_status __wrap_hbg_rt_set_input(hbg_rt_instance *run, int32_t input, double value) {
    if (run != flow.run) return __real_hbg_rt_set_input(run, input, value);
    flow.now[input] = value;
    return __real_hbg_rt_set_input(run, input, value);
}

hbg_rt_status __wrap_hbg_rt_move(hbg_rt_instance *run, const int32_t *states, int32_t *next,
                                 const bool *alone) {
    if (run != flow.run) return __real_hbg_rt_move(run, states, next, alone);
    hbg_rt_status status = __real_hbg_rt_move(run, states, next, alone);
    for (int32_t i = 0; i < flow.real->automaton_count; i++)
        if (status == HBG_RT_OK && next[i] != states[i]) flow.entered[i] = flow.t;
    return status;
}

hbg_rt_status __wrap_hbg_rt_flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    if (run != flow.run) return __real_hbg_rt_flow(run, states, t, x);
    memcpy(flow.states, states, (size_t)flow.real->automaton_count * sizeof *states);
    return __real_hbg_rt_flow(run, states, t, x);
}

static void take_verdict(void *context, const hbg_sim_event *event) {
    (void)context;
    flow.verdict = event->verdict;
    snprintf(flow.words, sizeof flow.words, "%s", event->words);
}

/* ---- a run -------------------------------------------------------------------------------------------------- */

static inline int draw_actions(const hbg_rt_description *system, test_random *random,
                               hbg_sim_action *actions) {
    int count = system->input_count > 0 ? random_below(random, FLOW_ACTIONS + 1) : 0;
    double time = 0;
    for (int i = 0; i < count; i++) {
        int32_t input = random_below(random, system->input_count);
        bool event = strcmp(system->inputs[input].name, "kick") == 0;
        time += random_eighths(random, random_chance(random, 25) && time > 0 ? 0 : 1, 3);
        actions[i] = (hbg_sim_action){time, input,
                                      event                           ? 1
                                      : system->inputs[input].is_bool ? random_below(random, 2)
                                                                      : random_eighths(random, -16, 16)};
    }
    return count;
}

/* From the point drawn last, with inputs that change: false where the verifier and the run do not agree. */
static inline bool follow_run(comparison *c, test_random *random) {
    const hbg_rt_description *real = c->m.system;
    hbg_rt_description watched = *real;
    hbg_sim_action actions[FLOW_ACTIONS];
    hbg_sim_options options = hbg_sim_options_default();
    hbg_sim_result result;
    flow = (flow_watch){.c = c, .real = real, .fine = true};
    memcpy(flow.states, c->states, sizeof flow.states);
    watched.start_states = flow.states;
    options.stop = 2;
    options.step_limit = 20000;
    options.actions = actions;
    options.action_count = draw_actions(real, random, actions);
    options.event = take_verdict;
    hbg_rt_instance *run = hbg_code_run(c->m.code);
    assert_non_null(run);
    flow.run = run;
    set_params(c, run);
    for (int32_t i = 0; i < real->input_count; i++)
        if (strcmp(real->inputs[i].name, "kick") != 0)
            assert_int_equal(hbg_rt_set_input(run, i, c->signals[i]), HBG_RT_OK);
    end_instant(hbg_sim_run(&c->m.arena, &watched, run, &options, &result));
    hbg_rt_free(run);
    flow.run = NULL;
    return flow.fine;
}

#endif
