/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One evaluation: the code of all segments in their order, then a reading; and the states that depend on
 * others. */
#include "rt/run_impl.h"

/* The program of a block in the mode of the run; none while the block is stale. */
int32_t hbg_rt_code_of(const hbg_rt_instance *run, int32_t number, hbg_rt_reading reading) {
    const hbg_rt_block *block = HBG_RT_AT(run->image->pool.blocks, number);
    if (block->choice < 0) return block->code[reading];
    return run->variants.variant[number] ? run->variants.variant[number]->code[reading] : HBG_RT_NONE;
}

static void list_program(hbg_rt_instance *run, hbg_rt_reading reading, int32_t number) {
    hbg_rt_program code = hbg_rt_program_at(run->image, number);
    int32_t *count = &run->variants.listed[reading].count;
    if (code.count > 0) run->variants.listed[reading].programs[(*count)++] = (listed_program){number, code};
}

/* Programs of a reading that do something, in the order of their segments, and what comes behind them. */
static void list_programs(hbg_rt_instance *run, hbg_rt_reading reading) {
    run->variants.listed[reading].count = 0;
    for (int32_t i = 0; i < run->variants.segment_count; i++)
        list_program(run, reading, hbg_rt_code_of(run, i, reading));
    if (reading != HBG_RT_FIELD) list_program(run, reading, run->image->code.finals[reading].code);
    run->variants.listed[reading].is_known = true;
}

/* Code of tangents and slopes: it comes to blocks later than they do, and is seldom run. */
hbg_rt_status hbg_rt_run_segments(hbg_rt_instance *run, hbg_rt_reading reading) {
    for (int32_t i = 0; i < run->variants.segment_count; i++) {
        hbg_rt_status status = hbg_rt_run_program(run, hbg_rt_code_of(run, i, reading));
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

static hbg_rt_status run_listed(hbg_rt_instance *run, hbg_rt_reading reading) {
    if (!run->variants.listed[reading].is_known) list_programs(run, reading);
    const listed_program *programs = run->variants.listed[reading].programs;
    for (int32_t i = 0; i < run->variants.listed[reading].count; i++) {
        hbg_rt_status status = hbg_rt_run_code(run, programs[i].number, programs[i].code);
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

void hbg_rt_set_states(hbg_rt_instance *run, const double *x) {
    hbg_rt_range states = run->image->layout.state;
    const int32_t *home = hbg_rt_ints(run->image, states.first);
    for (int32_t i = 0; i < states.count; i++) run->r[home[i]] = x[i];
}

hbg_rt_status hbg_rt_run_field(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = hbg_rt_refresh_ins(run, t, x, HBG_RT_FIELD);
    if (status == HBG_RT_OK) status = hbg_rt_ready_blocks(run);
    if (status == HBG_RT_OK) status = hbg_rt_set_time(run, t);
    if (status != HBG_RT_OK) return status;
    hbg_rt_set_states(run, x);
    return run_listed(run, HBG_RT_FIELD);
}

hbg_rt_status hbg_rt_run_reading(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading) {
    hbg_rt_status status = hbg_rt_refresh_ins(run, t, x, reading);
    if (status == HBG_RT_OK) status = hbg_rt_ready_blocks(run);
    if (status == HBG_RT_OK) status = hbg_rt_set_time(run, t);
    if (status != HBG_RT_OK) return status;
    hbg_rt_set_states(run, x);
    status = run_listed(run, reading);
    return status == HBG_RT_OK ? status : hbg_rt_note_failure(run, t, status);
}

hbg_rt_status hbg_rt_settle(hbg_rt_instance *run, double t, double *x) {
    if (run->by_hand) return hbg_rt_hand_settle(run, t, x);
    hbg_rt_range dependent = run->image->modes.dependent;
    const int32_t *pairs = hbg_rt_ints(run->image, dependent.first);
    if (run->dependent_count == 0) return HBG_RT_OK; // nothing is dependent
    hbg_rt_status status = hbg_rt_run_field(run, t, x);
    if (status != HBG_RT_OK) return hbg_rt_note_failure(run, t, status);
    for (int32_t i = 0; i < dependent.count; i += 2) x[pairs[i]] = run->r[pairs[i + 1]];
    return HBG_RT_OK;
}
