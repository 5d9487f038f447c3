/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Changes of a run from outside: parameters, inputs, automata that are held, sensors, ticks of clocks, and
 * the times that are known in advance. */
#include <math.h>

#include "rt/run_impl.h"
#include "rt/sensor.h"

/* ---- parameters, inputs, automata ---------------------------------------------------------------------- */

hbg_rt_status hbg_rt_set_input(hbg_rt_instance *run, int32_t input, double value) {
    if (run->by_hand) return hbg_rt_hand_set_input(run, input, value);
    const hbg_rt_input *of = &run->image->instants.outside.inputs[input];
    hbg_rt_change(run, of->value, value);
    hbg_rt_change(run, of->given, 1);
    run->outside.inputs_changed = true;
    return HBG_RT_OK;
}

/* Before the start there are no earlier values to keep. */
hbg_rt_status hbg_rt_set_param(hbg_rt_instance *run, int32_t param, double value) {
    if (run->by_hand) return hbg_rt_hand_set_param(run, param, value);
    hbg_rt_change_param(run, run->image->instants.outside.params[param].value, value);
    run->at.change.params_changed |= run->has_mode;
    run->outside.overridden[param] = true;
    run->outside.inputs_changed = true;
    return hbg_rt_follow_params(run);
}

hbg_rt_status hbg_rt_set_line(hbg_rt_instance *run, int32_t param, double t, double value, double slope) {
    if (run->by_hand) return HBG_RT_BAD_OPTION;
    param_lines *lines = &run->lines;
    hbg_rt_status status = HBG_RT_OK;
    if (lines->count > 0) status = hbg_rt_follow_lines(run, t); // values just before, at this very time
    if (status == HBG_RT_OK && run->image->instants.outside.params[param].rate >= 0)
        hbg_rt_change_rate(run, param, slope);
    if (status == HBG_RT_OK) status = hbg_rt_set_param(run, param, value + slope * t);
    lines->value[param] = value;
    lines->slope[param] = slope;
    lines->count = 0;
    for (int32_t i = 0; i < run->image->instants.outside.param_count; i++)
        if (lines->slope[i] != 0) lines->moving[lines->count++] = i;
    lines->known = -1;
    lines->at = NAN;
    if (lines->count > 0 && status == HBG_RT_OK) status = hbg_rt_follow_lines(run, t);
    return status;
}

/* The state in which an automaton gets stuck on, or off. */
static int32_t stuck_state(const hbg_rt_instance *run, int32_t automaton, bool on) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    hbg_rt_range states = switching->automata[automaton].states;
    const hbg_rt_discrete *of = switching->discretes + states.first, *now = &of[run->states[automaton]];
    if (now->on == on) return run->states[automaton];
    for (int32_t i = 0; i < now->transitions.count; i++) {
        int32_t target = switching->transitions[now->transitions.first + i].target;
        if (of[target].on == on) return target;
    }
    for (int32_t i = 0; i < states.count; i++)
        if (of[i].on == on) return i;
    return run->states[automaton]; // it has no such state
}

hbg_rt_status hbg_rt_hold_automaton(hbg_rt_instance *run, int32_t automaton, int32_t state) {
    if (run->by_hand) return HBG_RT_BAD_OPTION;
    bool names_mode = state == HBG_RT_HOLD_ON || state == HBG_RT_HOLD_OFF;
    run->outside.held[automaton] = state == HBG_RT_HOLD_NOT ? HBG_RT_NONE
                                   : names_mode ? stuck_state(run, automaton, state == HBG_RT_HOLD_ON)
                                                : state;
    run->outside.inputs_changed = true;
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_set_sensor(hbg_rt_instance *run, int32_t clock, const hbg_rt_sensor *sensor) {
    if (run->by_hand) return HBG_RT_BAD_OPTION;
    run->outside.sensors[clock] = sensor;
    return HBG_RT_OK;
}

void hbg_rt_lend(hbg_rt_instance *run, const hbg_rt_solver *solver) {
    run->loops.lent = solver;
    run->loops.version++;
}

/* The value that a clock reads through its sensor. */
static double sensed(const hbg_rt_instance *run, int32_t clock, double t, double truth) {
    const hbg_rt_sensor *sensor = run->outside.sensors[clock];
    if (!sensor) return truth;
    int64_t sample = llround(t / run->system->clocks[clock].period);
    return hbg_rt_sensor_read(sensor, sample, t, truth);
}

/* Exchanges the values of pre(…) with those kept for ticks. */
static void swap_pres(hbg_rt_instance *run) {
    const hbg_rt_outside *outside = &run->image->instants.outside;
    double *other = run->outside.ticked + outside->clock_count;
    for (int32_t i = 0; i < outside->tick_pre_count; i++) {
        double *now = &run->r[run->image->instants.kept.pres[outside->tick_pres[i]].reg], kept = *now;
        *now = other[i];
        other[i] = kept;
    }
}

static hbg_rt_status read_pres(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_readout *of = &run->image->code.finals[HBG_RT_TICKS];
    hbg_rt_status status = hbg_rt_run_reading(run, t, x, HBG_RT_TICKS);
    const int32_t *reg = hbg_rt_readout_registers(run->image, of);
    for (int32_t i = run->image->instants.outside.clock_count; i < of->reg.count; i++)
        run->outside.ticked[i] = run->r[reg[i]];
    return status;
}

/* The values before this instant, and before inputs changed at it. At the start these are the values of the
 * start. */
static hbg_rt_status read_before(hbg_rt_instance *run, double t, const double *x) {
    if (!(t > 0)) return read_pres(run, t, x);
    hbg_rt_status status = hbg_rt_swap_changed(run);
    if (status == HBG_RT_OK) status = read_pres(run, t, x);
    hbg_rt_status back = hbg_rt_swap_changed(run);
    return status == HBG_RT_OK ? back : status;
}

hbg_rt_status hbg_rt_begin_pres(hbg_rt_instance *run, double t, const double *x) {
    const hbg_rt_outside *outside = &run->image->instants.outside;
    hbg_rt_status status = read_pres(run, t, x);
    if (status != HBG_RT_OK) return status;
    swap_pres(run);
    for (int32_t i = 0; i < outside->tick_pre_count; i++) {
        int32_t pre = outside->tick_pres[i];
        run->at.limits.pre_law[pre] = run->r[run->image->instants.kept.pres[pre].reg];
    }
    return HBG_RT_OK;
}

/* Clocks that do not tick now show their held values. */
static void show_held(hbg_rt_instance *run) {
    const hbg_rt_outside *outside = &run->image->instants.outside;
    for (int32_t i = 0; outside->tick_levels > 1 && i < outside->clock_count; i++) {
        const hbg_rt_clock_data *clock = &outside->clocks[i];
        if (clock->automaton == HBG_RT_NONE) run->r[clock->shown] = run->r[clock->held];
    }
}

/* The values have been computed; clocks of this level take theirs. */
static void take_level(hbg_rt_instance *run, double t, const int32_t *clocks, int32_t count, int32_t level) {
    const hbg_rt_readout *of = &run->image->code.finals[HBG_RT_TICKS];
    for (int32_t i = 0; i < count; i++) {
        const hbg_rt_clock_data *clock = &run->image->instants.outside.clocks[clocks[i]];
        if (clock->level != level) continue;
        run->outside.ticked[i] =
            sensed(run, clocks[i], t, run->r[hbg_rt_readout_registers(run->image, of)[clocks[i]]]);
        if (clock->automaton == HBG_RT_NONE) run->r[clock->shown] = run->outside.ticked[i];
    }
}

/* One after another in the order in which they read each other. The bond graph keeps its values from before
 * the tick: its inputs change after all have been taken. */
static hbg_rt_status read_ticks(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                                int32_t count) {
    const hbg_rt_readout *of = &run->image->code.finals[HBG_RT_TICKS];
    const hbg_rt_outside *outside = &run->image->instants.outside;
    bool reads_pre = outside->ticks_read_pre;
    show_held(run);
    hbg_rt_status status = reads_pre ? read_before(run, t, x) : HBG_RT_OK;
    if (status != HBG_RT_OK) return status;
    if (reads_pre) swap_pres(run);
    status = hbg_rt_run_reading(run, t, x, HBG_RT_TICKS);
    for (int32_t level = 0; level < outside->tick_levels && status == HBG_RT_OK; level++) {
        if (level > 0) status = hbg_rt_run_program(run, of->code);
        if (status == HBG_RT_OK) take_level(run, t, clocks, count, level);
    }
    if (reads_pre) swap_pres(run);
    return status;
}

hbg_rt_status hbg_rt_tick(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                          int32_t count) {
    if (run->by_hand) return hbg_rt_hand_tick(run, t, x, clocks, count);
    hbg_rt_status status = read_ticks(run, t, x, clocks, count);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < count; i++) {
        const hbg_rt_clock_data *clock = &run->image->instants.outside.clocks[clocks[i]];
        bool own = clock->automaton != HBG_RT_NONE;
        if (own)
            run->outside.ticks[clock->automaton] = true;
        else
            hbg_rt_change(run, clock->held, run->outside.ticked[i]);
        run->outside.inputs_changed |= !own;
    }
    return HBG_RT_OK;
}

void hbg_rt_ask_all(hbg_rt_instance *run) {
    run->outside.inputs_changed = true;
}

/* ---- times known in advance ---------------------------------------------------------------------------- */

/* The end of a wait: `after` in the present states of automata. */
static double next_wait(const hbg_rt_instance *run, double t) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    double next = INFINITY;
    for (int32_t n = 0; n < run->image->instants.counts.timed; n++) {
        int32_t i = switching->timed[n];
        int32_t state = switching->automata[i].states.first + run->states[i];
        hbg_rt_range own = switching->discretes[state].transitions;
        for (int32_t k = own.first; k < own.first + own.count; k++) {
            double due = run->entered[i] + switching->transitions[k].after;
            if (due > t && due < next) next = due;
        }
    }
    return next;
}

/* Kinks of tables over time in the field, and waits. */
double hbg_rt_next_break(hbg_rt_instance *run, double t) {
    if (run->by_hand) return hbg_rt_hand_next_break(run, t);
    double next = next_wait(run, t);
    for (int32_t i = 0; i < run->mark.located; i++) {
        int32_t table = HBG_RT_AT(run->image->pool.located, i)->over_time;
        bool moves = hbg_rt_located_in(run, i) & 1U << HBG_RT_FIELD;
        if (table != HBG_RT_NONE && moves) next = fmin(next, hbg_rt_next_point(run, table, t));
    }
    return next;
}

/* Waves and saw-teeth of time (wave.c): an integrator would step over whole periods of them. */
double hbg_rt_longest_step(hbg_rt_instance *run) {
    const double share = 0.125; /* of a period */
    hbg_rt_range waves = run->image->code.waves;
    double fastest = 0;
    for (int32_t i = 0; i < waves.count; i++)
        fastest = fmax(fastest, fabs(run->r[hbg_rt_ints(run->image, waves.first)[i]]));
    return fastest > 0 ? share / fastest : INFINITY;
}
