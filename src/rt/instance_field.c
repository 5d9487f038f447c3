/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The field of a run in its mode, and the values read from it: rates, outputs, powers, energies, roots, the
 * Jacobian; jumps and dependent states. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

/* ---- the field ---------------------------------------------------------------------------------------- */

static hbg_rt_status rate_is_not_finite(hbg_rt_instance *run, double t) {
    const int32_t *reg = hbg_rt_readout_registers(run->image, &run->image->code.finals[HBG_RT_FIELD]);
    char rate[160];
    int32_t i = 0;
    while (isfinite(run->r[reg[i]])) i++;
    snprintf(rate, sizeof rate, "der(%s)", run->system->states[i].name);
    return hbg_rt_fail_not_finite(run, t, HBG_RT_NONE, HBG_RT_FIELD, reg[i], rate);
}

static bool take_rates(const hbg_rt_instance *run, double *dx) {
    const hbg_rt_readout *field = &run->image->code.finals[HBG_RT_FIELD];
    const int32_t *reg = hbg_rt_readout_registers(run->image, field);
    double sum = 0;
    for (int32_t i = 0; i < field->reg.count; i++) {
        dx[i] = run->r[reg[i]];
        sum += dx[i] - dx[i]; // not 0 if one of them is NaN or infinite
    }
    return sum == 0;
}

/* A branch that continues past its border may leave the domain of a function there, such as the root of an
 * orifice: then branches follow the values until the border has been located. */
hbg_rt_status hbg_rt_rates(hbg_rt_instance *run, double t, const double *x, double *dx) {
    if (run->by_hand) return hbg_rt_hand_rates(run, t, x, dx);
    if (run->slide && hbg_rt_slides(run)) return hbg_rt_slide_rates(run, t, x, dx);
    hbg_rt_status status = hbg_rt_run_field(run, t, x);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    if (take_rates(run, dx)) return HBG_RT_OK;
    if (run->located != LOCATED_FROZEN) return rate_is_not_finite(run, t);
    run->located = LOCATED_DIRECT;
    status = hbg_rt_run_field(run, t, x);
    run->located = LOCATED_FROZEN;
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    return take_rates(run, dx) ? HBG_RT_OK : rate_is_not_finite(run, t);
}

static bool take_values(const hbg_rt_instance *run, const hbg_rt_readout *of, double *values) {
    const int32_t *reg = hbg_rt_readout_registers(run->image, of);
    bool finite = true;
    for (int32_t i = 0; i < of->reg.count; i++) {
        values[i] = run->r[reg[i]];
        finite = finite && isfinite(values[i]);
    }
    return finite;
}

/* Values read from the field may leave a domain where the field itself does not: they are read likewise. */
static inline hbg_rt_status read(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading,
                                 double *values, bool *finite) {
    const hbg_rt_readout *of = &run->image->code.finals[reading];
    hbg_rt_status status = hbg_rt_run_reading(run, t, x, reading);
    *finite = status == HBG_RT_OK && take_values(run, of, values);
    if (status != HBG_RT_OK || *finite || run->located != LOCATED_FROZEN) return status;
    run->located = LOCATED_DIRECT;
    status = hbg_rt_run_reading(run, t, x, reading);
    run->located = LOCATED_FROZEN;
    *finite = status == HBG_RT_OK && take_values(run, of, values);
    return status;
}

hbg_rt_status hbg_rt_outputs(hbg_rt_instance *run, double t, const double *x, double *y) {
    if (run->by_hand) return hbg_rt_hand_outputs(run, t, x, y);
    if (run->slide && hbg_rt_slides(run))
        return hbg_rt_slide_values(run, t, x, run->system->output_count, hbg_rt_outputs, y);
    bool finite;
    hbg_rt_status status = read(run, t, x, HBG_RT_OUTPUTS, y, &finite);
    if (status != HBG_RT_OK || finite) return status;
    return hbg_rt_check_finite(run, t, &run->image->code.finals[HBG_RT_OUTPUTS], HBG_RT_OUTPUTS,
                               run->system->outputs);
}

hbg_rt_status hbg_rt_powers(hbg_rt_instance *run, double t, const double *x, double *power) {
    if (run->by_hand) return hbg_rt_hand_powers(run, t, x, power);
    if (run->slide && hbg_rt_slides(run))
        return hbg_rt_slide_values(run, t, x, run->system->power_count, hbg_rt_powers, power);
    const hbg_rt_readout *of = &run->image->code.finals[HBG_RT_POWERS];
    const int32_t *reg = hbg_rt_readout_registers(run->image, of);
    char name[160];
    bool finite;
    hbg_rt_status status = read(run, t, x, HBG_RT_POWERS, power, &finite);
    if (status != HBG_RT_OK || finite) return status;
    int32_t i = 0;
    while (isfinite(power[i])) i++;
    snprintf(name, sizeof name, "power of %s", run->system->powers[i].name);
    return hbg_rt_fail_not_finite(run, t, of->code, HBG_RT_POWERS, reg[i], name);
}

hbg_rt_status hbg_rt_energies(hbg_rt_instance *run, double t, const double *x, double *energy) {
    if (run->by_hand) return hbg_rt_hand_energies(run, t, x, energy);
    const hbg_rt_readout *of = &run->image->code.energies;
    hbg_rt_status status = hbg_rt_set_time(run, t);
    if (status == HBG_RT_OK && run->image->code.energies_need_field) status = hbg_rt_run_field(run, t, x);
    // the field may have put dependent states into their registers: here the given values count
    hbg_rt_set_states(run, x);
    if (status == HBG_RT_OK) status = hbg_rt_run_program(run, of->code);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    (void)take_values(run, of, energy);
    return hbg_rt_check_finite(run, t, of, -1, run->system->storages);
}

static hbg_rt_status take_jump(hbg_rt_instance *run, double t, const double *x, double *x_plus) {
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    memset(run->at.work, 0, (size_t)counts->powers * sizeof *run->at.work);
    memmove(x_plus, x, (size_t)counts->states * sizeof *x);
    if (run->dependent_count == 0) return HBG_RT_OK;
    hbg_rt_activate_all(run);
    hbg_rt_status status = hbg_rt_run_events(run, t, x_plus);
    for (int32_t n = 0; n < run->active_count && status == HBG_RT_OK; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        const hbg_rt_event *event = run->event[run->active[n]];
        const int32_t *powers = hbg_rt_list(run, of->powers), *states = hbg_rt_list(run, of->states),
                      *work = hbg_rt_ints(run->image, event->work.first);
        for (int32_t k = 0; k < of->powers.count; k++) run->at.work[powers[k]] = run->r[work[k]];
        for (int32_t k = 0; k < of->states.count && status == HBG_RT_OK; k++) {
            int32_t i = states[k], reg = run->at.event_register[run->image->instants.kept.states[i].cell];
            x_plus[i] = run->r[reg];
            if (!isfinite(x_plus[i]))
                status = hbg_rt_fail_not_finite(run, t, event->code, -1, reg, run->system->states[i].name);
        }
    }
    return status; // islands stay awake: their pulses may be read later
}

/* At the start pre(…) is the value after the jump, if it exists: the mode may be left at once. Reading it
 * clears the pulses. */
hbg_rt_status hbg_rt_jump(hbg_rt_instance *run, double t, const double *x, double *x_plus) {
    if (run->by_hand) return hbg_rt_hand_jump(run, t, x, x_plus);
    hbg_rt_status status = take_jump(run, t, x, x_plus);
    if (!run->image->instants.has_events) run->at.change.changed_count = 0; // no search reads them later
    if (status != HBG_RT_OK || t != 0 || run->image->instants.outside.tick_pre_count == 0) return status;
    status = hbg_rt_begin_pres(run, t, x_plus);
    return status == HBG_RT_NO_MEMORY ? status : take_jump(run, t, x, x_plus);
}

/* ---- located relations --------------------------------------------------------------------------------- */

/* Where no mode so far has had a law with branches there is nothing to record; loops are solved where they are followed from. */
static hbg_rt_status record_branches(hbg_rt_instance *run, double t, const double *x, bool keeps) {
    run->located = LOCATED_RECORD;
    run->branches.keeps_branches = keeps;
    hbg_rt_status status = hbg_rt_ready_blocks(run);
    bool records = run->branches.met_count[HBG_RT_FIELD] > 0 || run->mark.loops > 0 || run->lines.count > 0;
    if (status == HBG_RT_OK && records) status = hbg_rt_run_field(run, t, x);
    if (status == HBG_RT_OK) status = hbg_rt_record_aside(run, t, x);
    run->located = LOCATED_FROZEN;
    return status == HBG_RT_OK ? status : hbg_rt_note_failure(run, t, status);
}

hbg_rt_status hbg_rt_freeze(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                            int32_t count) {
    if (run->by_hand) return hbg_rt_hand_freeze(run, t, x, crossed, count);
    memset(run->branches.crossed, 0, (size_t)run->branches.located_capacity);
    for (int32_t i = 0; i < count; i++) // guards are not frozen here
        if (crossed[i] < run->mark.located) run->branches.crossed[crossed[i]] = LISTED_BEYOND;
    if (count == 0) memset(run->branches.loose, 0, (size_t)run->branches.located_capacity);
    return record_branches(run, t, x, count > 0);
}

hbg_rt_status hbg_rt_freeze_anew(hbg_rt_instance *run, double t, const double *x, const int32_t *listed,
                                 int32_t count, int8_t *sides) {
    if (run->by_hand) return hbg_rt_hand_freeze_anew(run, t, x, listed, count, sides);
    memset(run->branches.crossed, 0, (size_t)run->branches.located_capacity);
    for (int32_t i = 0; i < count; i++) {
        int32_t root = listed[i] < 0 ? ~listed[i] : listed[i];
        if (root < run->mark.located)
            run->branches.crossed[root] = listed[i] < 0 ? LISTED_EQUAL : LISTED_ANEW;
    }
    hbg_rt_status status = record_branches(run, t, x, true);
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++) {
        int32_t root = listed[i] < 0 ? ~listed[i] : listed[i];
        if (root < run->mark.located) sides[root] = run->branches.side[root];
    }
    return status;
}

/* A law in a loop may have no slope at its border, such as e = f·|f| solved for f: then the iteration has no
 * slope to use. */
static bool loops_locate(const hbg_rt_instance *run, int32_t program, int32_t root, bool inside) {
    hbg_rt_program code = hbg_rt_program_at(run->image, program);
    for (int32_t i = 0; i < code.count; i++) {
        const hbg_rt_instruction *at = &code.code[i];
        if (inside && at->op != HBG_RT_OP_SOLVE && at->located == root) return true;
        if (at->op != HBG_RT_OP_SOLVE) continue;
        int32_t body = HBG_RT_AT(run->image->pool.loops, at->argument[0])->body;
        if (loops_locate(run, body, root, true)) return true;
    }
    return false;
}

static bool is_in_loop(const hbg_rt_instance *run, int32_t root) {
    for (int r = 0; r < HBG_RT_LOCATING; r++)
        for (int32_t i = 0; i < run->variants.segment_count; i++)
            if (loops_locate(run, hbg_rt_code_of(run, i, (hbg_rt_reading)r), root, false)) return true;
    return false;
}

bool hbg_rt_loosen(hbg_rt_instance *run, int32_t root, hbg_rt_hold hold) {
    if (run->by_hand) return false;
    if (root >= run->mark.located) return false;
    if (hold == HBG_RT_AS_IT_IS && is_in_loop(run, root)) return false;
    run->branches.loose[root] = (uint8_t)hold;
    run->lines.at = NAN;
    return true;
}

bool hbg_rt_loosens(const hbg_rt_instance *run) {
    return !run->by_hand;
}

void hbg_rt_thaw(hbg_rt_instance *run) {
    run->located = LOCATED_DIRECT;
}

hbg_rt_status hbg_rt_indicators(hbg_rt_instance *run, double t, const double *x, double *g) {
    if (run->by_hand) return hbg_rt_hand_indicators(run, t, x, g);
    hbg_rt_status status = hbg_rt_look_aside(run, t, x);
    if (status == HBG_RT_OK)
        status = run->branches.met_count[HBG_RT_FIELD] > 0 ? hbg_rt_run_field(run, t, x)
                                                           : hbg_rt_ready_blocks(run);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    for (int32_t i = 0; i < run->image->code.located_limit; i++)
        g[i] = i < run->mark.located && !hbg_rt_law_is_planned(run, i) ? run->branches.root[i] : 1;
    return run->image->instants.has_events
               ? hbg_rt_watch_guards(run, t, x, g + run->image->code.located_limit)
               : HBG_RT_OK;
}

void hbg_rt_indicator_name(hbg_rt_instance *run, int32_t root, char *text, size_t size) {
    if (run->by_hand)
        hbg_rt_hand_indicator_name(root, text, size);
    else
        hbg_rt_tell(run, HBG_RT_WORD_ROOT, root, text, size);
}

/* ---- the Jacobian ------------------------------------------------------------------------------------- */

hbg_rt_pattern hbg_rt_jacobian_pattern(hbg_rt_instance *run) {
    if (run->by_hand) return run->by_hand->pattern;
    if (hbg_rt_ready_tangents(run) != HBG_RT_OK) return (hbg_rt_pattern){-1, NULL, NULL};
    const hbg_rt_colours *of = &run->image->code.colours;
    return (hbg_rt_pattern){of->count, hbg_rt_ints(run->image, of->start), hbg_rt_ints(run->image, of->row)};
}

static hbg_rt_status tangents(hbg_rt_instance *run, double t, const double *x, double *values) {
    hbg_rt_status status = hbg_rt_ready_tangents(run);
    if (status == HBG_RT_OK) status = hbg_rt_run_field(run, t, x);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    const hbg_rt_colours *of = &run->image->code.colours;
    const int32_t *begin = hbg_rt_ints(run->image, of->start), *row = hbg_rt_ints(run->image, of->row),
                  *column_start = hbg_rt_ints(run->image, of->column_start),
                  *reg = hbg_rt_ints(run->image, of->reg);
    const int32_t *seed = hbg_rt_ints(run->image, run->image->layout.seed.first);
    for (int32_t i = 0; i < of->count; i++) run->r[seed[i]] = 0;
    for (int32_t c = 0; c < of->colour_count; c++) {
        const int32_t *columns = hbg_rt_ints(run->image, of->columns) + column_start[c];
        int32_t count = column_start[c + 1] - column_start[c];
        for (int32_t i = 0; i < count; i++) run->r[seed[columns[i]]] = 1;
        status = hbg_rt_run_segments(run, HBG_RT_TANGENT);
        if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = begin[columns[i]]; k < begin[columns[i] + 1]; k++)
                values[k] = run->r[reg[row[k]]];
        for (int32_t i = 0; i < count; i++) run->r[seed[columns[i]]] = 0; // a tangent may be its own seed
    }
    return HBG_RT_OK;
}

static bool are_finite(int32_t count, const double *values) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += values[i] - values[i];
    return sum == 0;
}

/* Slopes are those of the branches that rates take, past a border too. */
hbg_rt_status hbg_rt_jacobian(hbg_rt_instance *run, double t, const double *x, double *values) {
    if (run->by_hand) return hbg_rt_hand_jacobian(run, t, x, values);
    hbg_rt_status status = tangents(run, t, x, values);
    if (status != HBG_RT_OK || run->located != LOCATED_FROZEN) return status;
    const hbg_rt_colours *of = &run->image->code.colours;
    if (are_finite(hbg_rt_ints(run->image, of->start)[of->count], values)) return HBG_RT_OK;
    run->located = LOCATED_DIRECT;
    status = tangents(run, t, x, values);
    run->located = LOCATED_FROZEN;
    return status;
}
