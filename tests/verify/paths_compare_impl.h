/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instant of a run beside what the verifier says about the point it begins at: what goes wrong has to be foretold, by its
 * kind, and what is foretold has to go wrong. */
#ifndef HBG_TESTS_VERIFY_PATHS_COMPARE_IMPL_H
#define HBG_TESTS_VERIFY_PATHS_COMPARE_IMPL_H

#include "eqn/hybrid_trial_impl.h"
#include "verify/verify.h"

enum { PATHS_SIGNALS = 64, PATHS_TRANSITIONS = 64 };

/* What brought an instant about. */
typedef enum { CAUSE_START, CAUSE_INPUT, CAUSE_GUARD, CAUSE_WAIT, CAUSE_TICK, CAUSE_COUNT } instant_cause;

typedef struct {
    int graphs, samples, wrong, skipped, proved, violated, undecided, groups;
    int verdicts[HBG_FINDING_COUNT];
    int instants[CAUSE_COUNT], wrong_instants[CAUSE_COUNT]; /* of runs: those that were compared */
} statistics;

typedef struct {
    hybrid h;
    hybrid_model m;
    hbg_consistency_result result;
    statistics *count;
    bool reads_event;
    double x[NET_BONDS], signals[PATHS_SIGNALS], params[PATHS_SIGNALS];
    bool sets_params; /* those with a range are drawn, too */
    int32_t states[HYBRID_AUTOMATA + 4];
    hbg_rt_status status; /* how the run that was begun last at the point ended */
    uint64_t seed;
} comparison;

static inline void count_verdicts(comparison *c) {
    statistics *s = c->count;
    s->graphs++;
    for (int32_t g = 0; g < c->result.group_count; g++) {
        s->groups++;
        s->proved += c->result.groups[g].verdict == HBG_VERDICT_PROVED;
        s->violated += c->result.groups[g].verdict == HBG_VERDICT_WITNESS;
        s->undecided += c->result.groups[g].verdict == HBG_VERDICT_UNDECIDED;
    }
}

/* ---- what the verifier says about a point -------------------------------------------------------------- */

static inline bool begins_there(const comparison *c, const hbg_group_result *group, const int32_t *start) {
    for (int32_t i = 0; i < group->of.automaton_count; i++)
        if (start[group->of.automata[i]] != c->states[group->of.automata[i]]) return false;
    return true;
}

/* Kinds foretold at the point, as bits; false where rounding decides. */
static inline bool foretell(const comparison *c, const hbg_point *point, unsigned *kinds, bool *partly) {
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
                if (hbg_verify_condition_margin(finding->where[k].where, point) < 1e-7) return false;
                if (hbg_verify_condition_holds(finding->where[k].where, point)) *kinds |= 1u << finding->kind;
            }
        }
        for (int32_t i = 0; i < group->phase_count; i++) {
            if (hbg_verify_condition_margin(group->phases[i].departed, point) < 1e-7) return false;
            // what is not assumed: time may flow out of a range
            if (begins_there(c, group, group->phases[i].states) &&
                !hbg_verify_condition_holds(group->phases[i].allowed, point) && c->sets_params)
                return false;
        }
    }
    return true;
}

/* ---- what the run does there --------------------------------------------------------------------------- */

/* The kinds one of which has to be foretold; 0: nothing is wrong. False: the run says nothing. */
static inline bool kinds_met(hbg_rt_status status, hbg_rt_verdict verdict, unsigned *kinds) {
    *kinds = 0;
    if (status == HBG_RT_NO_CAUSALITY) *kinds = 1u << HBG_FINDING_NO_CAUSALITY;
    if (status != HBG_RT_VERDICT && status != HBG_RT_OK) return status == HBG_RT_NO_CAUSALITY;
    switch (verdict) {
    case HBG_RT_DIVERGENCE: *kinds = 1u << HBG_FINDING_CYCLE | 1u << HBG_FINDING_CHAIN; return true;
    case HBG_RT_SHORT_CIRCUIT: *kinds = 1u << HBG_FINDING_SHORT_CIRCUIT; return true;
    case HBG_RT_OPEN_FLOW_SOURCE: *kinds = 1u << HBG_FINDING_OPEN_FLOW_SOURCE; return true;
    case HBG_RT_LOST_PINNACLE: *kinds = 1u << HBG_FINDING_LOST_PINNACLE; return true;
    case HBG_RT_FORBIDDEN_GUARD: *kinds = 1u << HBG_FINDING_FORBIDDEN; return true;
    case HBG_RT_ENERGY_CREATED: *kinds = 1u << HBG_FINDING_ENERGY; return true;
    case HBG_RT_TEMPORAL_EVOLUTION: *kinds = 1u << HBG_FINDING_TEMPORAL; return true;
    default: return true; // events that accumulate are no business of one instant
    }
}

/* ---- both ----------------------------------------------------------------------------------------------- */

static inline void show_point(const comparison *c, const hbg_point *point) {
    const hbg_rt_description *system = c->m.system;
    print_error("  t = %.17g\n", point->time);
    for (int32_t i = 0; i < system->state_count; i++)
        print_error("  %s = %.17g\n", system->states[i].name, point->states[i]);
    for (int32_t i = 0; i < system->automaton_count; i++)
        print_error("  %s in %s%s\n", system->automata[i].name, system->automata[i].states[c->states[i]],
                    point->ticks && !point->ticks[i] ? ", does not look" : "");
    for (int32_t i = 0; i < system->param_count && c->sets_params; i++)
        print_error("  %s = %.17g\n", system->params[i].name, c->params[i]);
    for (int32_t i = 0; i < system->input_count; i++)
        print_error("  %s = %g, was %g\n", system->inputs[i].name, point->signals[i],
                    point->signals_before ? point->signals_before[i] : point->signals[i]);
}

static inline bool has_zero(const comparison *c, const hbg_point *point) {
    for (int32_t i = 0; i < c->m.system->state_count; i++)
        if (point->states[i] == 0) return true;
    return false;
}

/* Where a source feeds several groups their energies cannot be told apart, and the verifier says so. */
static inline bool shares_source(const comparison *c) {
    for (int32_t g = 0; g < c->result.group_count; g++)
        if (c->result.groups[g].of.shares_source) return true;
    return false;
}

/* Whether an instant that begins at the point with what is foretold goes as it was met. */
static inline bool agrees(comparison *c, const hbg_point *point, unsigned foretold, bool partly,
                          unsigned met) {
    const unsigned temporal = 1u << HBG_FINDING_TEMPORAL;
    for (int i = 0; i < HBG_FINDING_COUNT; i++) c->count->verdicts[i] += (met >> i) & 1;
    c->count->wrong += (met & ~temporal) != 0;
    if (met == 1u << HBG_FINDING_FORBIDDEN && !(foretold & met) && has_zero(c, point)) {
        c->count->skipped++; // an energy that is 0 and stays so is kept by chance
        return true;
    }
    partly |= met == 1u << HBG_FINDING_ENERGY && shares_source(c);
    if (met & ~temporal) return (foretold & met) != 0 || partly;
    if (foretold & ~temporal) return false;
    // of several groups each has its last commit, a run one for all of them
    return foretold == met || c->result.group_count > 1 || (partly && met);
}

static inline void set_params(const comparison *c, hbg_rt_instance *run) {
    const hbg_rt_description *system = c->m.system;
    for (int32_t i = 0; i < system->param_count && c->sets_params; i++)
        assert_int_equal(hbg_rt_set_param(run, i, c->params[i]), HBG_RT_OK);
}

/* ---- an instant where a run begins ------------------------------------------------------------------------ */

/* The kinds one of which has to be foretold; 0: nothing is wrong. False: the run says nothing. */
static inline bool run_there(comparison *c, unsigned *kinds, hbg_rt_search *search) {
    const hbg_rt_description *system = c->m.system;
    static double memory[1 << 16];
    static double x[NET_BONDS];
    static int32_t states[HYBRID_AUTOMATA + 4], clocks[HYBRID_AUTOMATA + 4];
    assert_true(hbg_rt_instant_scratch(system) <= sizeof memory && system->clock_count <= HYBRID_AUTOMATA);
    memcpy(x, c->x, sizeof x);
    memcpy(states, c->states, sizeof states);
    for (int32_t i = 0; i < system->clock_count; i++) clocks[i] = i;
    hbg_rt_instance *run = hbg_code_run(c->m.code);
    assert_non_null(run);
    set_params(c, run);
    for (int32_t i = 0; i < system->input_count; i++)
        if (!system->inputs[i].is_bool || strcmp(system->inputs[i].name, "kick") != 0)
            assert_int_equal(hbg_rt_set_input(run, i, c->signals[i]), HBG_RT_OK);
    *search = (hbg_rt_search){.system = system, .instance = run, .states = states, .x = x, .scratch = memory};
    hbg_rt_status status = hbg_rt_enter(run, states);
    bool begins = status == HBG_RT_OK; // else it does not even begin there
    if (begins && system->clock_count > 0) status = hbg_rt_tick(run, 0, x, clocks, system->clock_count);
    if (begins && status == HBG_RT_OK) status = hbg_rt_instant(search, 0, true, NULL, 0);
    hbg_rt_free(run);
    c->status = begins ? status : HBG_RT_OK;
    return begins && kinds_met(status, search->verdict, kinds);
}

static inline bool lacks_value(hbg_rt_status status) {
    return status == HBG_RT_UNDEFINED || status == HBG_RT_NOT_FINITE;
}

/* Whether all has a value everywhere, as the verifier says. */
static inline bool leaves_nothing_out(const comparison *c) {
    for (int32_t g = 0; g < c->result.group_count; g++) {
        const hbg_group_result *group = &c->result.groups[g];
        if (group->undefined_count > 0 || group->verdict == HBG_VERDICT_UNDECIDED || group->reason)
            return false;
    }
    return true;
}

static inline bool compare(comparison *c) {
    unsigned foretold, met;
    bool partly;
    hbg_rt_search search;
    hbg_point point = {.states = c->x, .signals = c->signals, .params = c->params};
    c->count->samples++;
    bool foreseen = foretell(c, &point, &foretold, &partly), lived = run_there(c, &met, &search);
    if (lacks_value(c->status) && leaves_nothing_out(c)) {
        print_error("seed %llu: the verifier leaves nothing out, the run finds no value\n",
                    (unsigned long long)c->seed);
        show_point(c, &point);
        return false;
    }
    if (!foreseen || !lived) {
        c->count->skipped++;
        return true;
    }
    if (agrees(c, &point, foretold, partly, met)) return true;
    print_error("seed %llu, verifier %x, run %x (%s)\n", (unsigned long long)c->seed, foretold, met,
                search.words);
    show_point(c, &point);
    return false;
}

#endif
