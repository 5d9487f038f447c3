/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What reaches a run from outside while it goes on: parameters, inputs, automata that are held, what sensors make of the truth,
 * ticks of clocks, and the times that are known beforehand. */
#include <math.h>

#include "eqn/instance_impl.h"

/* ---- parameters, inputs, automata ---------------------------------------------------------------------- */

hbg_rt_status hbg_eqn_follow_params(hbg_rt_instance *run) {
    run->version++; // factors of constant loops are those of old parameters
    return hbg_eqn_run_prologue(run, 0);
}

/* Sets what is held until it changes again; the next instant begins with what it was before. */
static void change(hbg_rt_instance *run, variable_kind kind, int32_t signal, double value) {
    instant_data *at = &run->at;
    int32_t reg = run->eqn->home[run->eqn->first[kind] + signal], k = 0;
    while (k < at->changed_count && at->changed[k] != reg) k++;
    if (k == at->changed_count &&
        k < 3 * run->eqn->model->signals.count + 2 * run->eqn->model->params.count) {
        at->changed[k] = reg;
        at->before[k] = run->r[reg];
        at->changed_count++;
    }
    run->r[reg] = value;
}

static hbg_rt_status set_input(hbg_rt_instance *run, int32_t input, double value) {
    int32_t signal = run->eqn->input_signal[input];
    change(run, VARIABLE_INPUT, signal, value);
    change(run, VARIABLE_GIVEN, signal, 1);
    run->inputs_changed = true;
    return HBG_RT_OK;
}

static void change_param(hbg_rt_instance *run, int32_t param, double value) {
    if (run->has_mode)
        change(run, VARIABLE_PARAM, param, value);
    else
        *hbg_eqn_home_of(run, VARIABLE_PARAM, param) = value;
}

void hbg_eqn_change_rate(hbg_rt_instance *run, int32_t param, double rate) {
    change_param(run, param + run->eqn->terms.to_rate, rate);
}

/* Before a run has begun there is nothing before it. */
static hbg_rt_status set_param(hbg_rt_instance *run, int32_t param, double value) {
    change_param(run, param, value);
    run->at.params_changed |= run->has_mode;
    run->overridden[param] = true;
    run->inputs_changed = true;
    return hbg_eqn_follow_params(run);
}

/* Where an automaton that is to be on, or off, gets stuck. */
static int32_t stuck_state(const hbg_rt_instance *run, int32_t automaton, bool on) {
    const hbg_model *model = run->eqn->model;
    const hbg_automaton *of = &model->automata.items[automaton];
    const hbg_automaton_state *states = model->states.items + of->first_state;
    const hbg_automaton_state *now = &states[run->states[automaton]];
    if (now->on == on) return run->states[automaton];
    for (int32_t i = 0; i < now->transition_count; i++) {
        int32_t target = model->transitions.items[now->first_transition + i].target;
        if (states[target].on == on) return target;
    }
    for (int32_t i = 0; i < of->state_count; i++)
        if (states[i].on == on) return i;
    return run->states[automaton]; // it has no such state
}

static hbg_rt_status hold(hbg_rt_instance *run, int32_t automaton, int32_t state) {
    bool names_mode = state == HBG_RT_HOLD_ON || state == HBG_RT_HOLD_OFF;
    run->held[automaton] = state == HBG_RT_HOLD_NOT ? HBG_NONE
                           : names_mode             ? stuck_state(run, automaton, state == HBG_RT_HOLD_ON)
                                                    : state;
    run->inputs_changed = true;
    return HBG_RT_OK;
}

static hbg_rt_status set_sensor(hbg_rt_instance *run, int32_t clock, const hbg_rt_sensor *sensor) {
    run->sensors[clock] = sensor;
    return HBG_RT_OK;
}

static void lend(hbg_rt_instance *run, const hbg_rt_solver *solver) {
    run->lent = solver;
    run->version++;
}

/* What a clock takes of the truth. */
static double sensed(const hbg_rt_instance *run, int32_t clock, double t, double truth) {
    const hbg_rt_sensor *sensor = run->sensors[clock];
    if (!sensor) return truth;
    int64_t sample = llround(t / run->eqn->system.clocks[clock].period);
    return hbg_rt_sensor_read(sensor, sample, t, truth);
}

/* Exchanges the values of pre(…) with those beside the ticks. */
static void swap_pres(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    double *other = run->ticked + eqn->system.clock_count;
    for (int32_t i = 0; i < eqn->tick_pres.count; i++) {
        double *now = hbg_eqn_home_of(run, VARIABLE_PRE, eqn->tick_pres.items[i]), kept = *now;
        *now = other[i];
        other[i] = kept;
    }
}

static hbg_rt_status read_pres(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_readout *of = &run->image->code.finals[READ_TICKS];
    hbg_rt_status status = hbg_eqn_read(run, t, x, READ_TICKS);
    const int32_t *reg = hbg_eqn_registers(run->image, of);
    for (int32_t i = run->eqn->system.clock_count; i < of->reg.count; i++) run->ticked[i] = run->r[reg[i]];
    return status;
}

/* The values before this instant, and before inputs changed at it. Before the start there is nothing but the start. */
static hbg_rt_status read_before(hbg_rt_instance *run, double t, const double *x) {
    if (!(t > 0)) return read_pres(run, t, x);
    hbg_rt_status status = hbg_eqn_swap_changed(run);
    if (status == HBG_RT_OK) status = read_pres(run, t, x);
    hbg_rt_status back = hbg_eqn_swap_changed(run);
    return status == HBG_RT_OK ? back : status;
}

hbg_rt_status hbg_eqn_begin_pres(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = read_pres(run, t, x);
    if (status != HBG_RT_OK) return status;
    swap_pres(run);
    for (int32_t i = 0; i < eqn->tick_pres.count; i++) {
        int32_t pre = eqn->tick_pres.items[i];
        run->at.pre_law[pre] = *hbg_eqn_home_of(run, VARIABLE_PRE, pre);
    }
    return HBG_RT_OK;
}

/* Where others that tick at this instant read what a clock takes. */
static double *taken(hbg_rt_instance *run, int32_t clock) {
    int32_t signal = run->eqn->clock_signal[clock];
    return signal < 0 ? NULL : hbg_eqn_home_of(run, VARIABLE_TICK, signal);
}

/* Clocks that do not tick now show what they hold. */
static void show_held(hbg_rt_instance *run) {
    for (int32_t i = 0; run->eqn->tick_levels > 1 && i < run->eqn->system.clock_count; i++)
        if (run->eqn->clock_signal[i] >= 0)
            *taken(run, i) = *hbg_eqn_home_of(run, VARIABLE_SIGNAL, run->eqn->clock_signal[i]);
}

/* What has been read is there; those of the level take their values from it. */
static void take_level(hbg_rt_instance *run, double t, const int32_t *clocks, int32_t count, int32_t level) {
    const hbg_rt_readout *of = &run->image->code.finals[READ_TICKS];
    for (int32_t i = 0; i < count; i++) {
        if (run->eqn->tick_level[clocks[i]] != level) continue;
        run->ticked[i] = sensed(run, clocks[i], t, run->r[hbg_eqn_registers(run->image, of)[clocks[i]]]);
        double *shown = taken(run, clocks[i]);
        if (shown) *shown = run->ticked[i];
    }
}

/* Behind one another as they read each other. The bond graph stands as it did before the tick: what drives it is changed when all
 * have been taken. */
static hbg_rt_status read_ticks(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                                int32_t count) {
    const hbg_rt_readout *of = &run->image->code.finals[READ_TICKS];
    bool reads_pre = run->eqn->ticks_read_pre;
    show_held(run);
    hbg_rt_status status = reads_pre ? read_before(run, t, x) : HBG_RT_OK;
    if (status != HBG_RT_OK) return status;
    if (reads_pre) swap_pres(run);
    status = hbg_eqn_read(run, t, x, READ_TICKS);
    for (int32_t level = 0; level < run->eqn->tick_levels && status == HBG_RT_OK; level++) {
        if (level > 0) status = hbg_eqn_run_program(run, of->code);
        if (status == HBG_RT_OK) take_level(run, t, clocks, count, level);
    }
    if (reads_pre) swap_pres(run);
    return status;
}

static hbg_rt_status tick(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                          int32_t count) {
    hbg_rt_status status = read_ticks(run, t, x, clocks, count);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < count; i++) {
        int32_t signal = run->eqn->clock_signal[clocks[i]];
        if (signal < 0)
            run->ticks[-1 - signal] = true;
        else
            change(run, VARIABLE_SIGNAL, signal, run->ticked[i]);
        run->inputs_changed |= signal >= 0;
    }
    return HBG_RT_OK;
}

/* ---- times known beforehand ---------------------------------------------------------------------------- */

/* The end of a wait: `after` in the states the automata are in. */
static double next_wait(const hbg_rt_instance *run, double t) {
    const hbg_model *model = run->eqn->model;
    double next = INFINITY;
    for (int32_t n = 0; n < run->eqn->timed.count; n++) {
        int32_t i = run->eqn->timed.items[n];
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + run->states[i]];
        for (int32_t k = 0; k < state->transition_count; k++) {
            double due = run->entered[i] + run->eqn->guards[state->first_transition + k].after;
            if (due > t && due < next) next = due;
        }
    }
    return next;
}

/* Kinks of tables over time, and waits. */
static double next_break(hbg_rt_instance *run, double t) {
    double next = next_wait(run, t);
    for (int32_t i = 0; i < run->mark.located; i++) {
        int32_t number = HBG_RT_AT(run->image->pool.located, i)->over_time;
        if (number < 0 || !run->met[i]) continue;
        const hbg_rt_table *table = HBG_RT_AT(run->image->pool.tables, number);
        const double *x = HBG_RT_AT(run->image->pool.numbers, table->x);
        for (int32_t k = 0; k < table->count && x[k] < next; k++)
            if (x[k] > t) next = x[k];
    }
    return next;
}

void hbg_eqn_outside_functions(hbg_rt_system *system) {
    system->lend = lend;
    system->set_param = set_param;
    system->set_line = hbg_eqn_set_line;
    system->set_input = set_input;
    system->hold = hold;
    system->set_sensor = set_sensor;
    system->next_break = next_break;
    system->tick = tick;
}
