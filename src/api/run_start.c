/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The start of a run, examined before the run begins: which declared energies do not fit each other, what
 * becomes of them, and what that costs. What fails here fails in the run too, and is reported there. */
#include <math.h>

#include "api/run_impl.h"
#include "rt/bands.h"

bool hbg_api_run_started_otherwise(const hbg_run_story *story, int32_t state) {
    if (!story->declared) return false;
    double before = story->declared[state], after = story->started[state];
    return fabs(after - before) > HBG_RT_BAND * fmax(fabs(before), fabs(after));
}

static double sum(const double *values, int32_t count) {
    double total = 0;
    for (int32_t i = 0; i < count; i++) total += values[i];
    return total;
}

/* The energy stored before, plus what sources gave in the jump, less the energy stored now. */
static double lost_at_start(hbg_session *session, const hbg_run_story *story) {
    hbg_run_state *state = story->state;
    const hbg_rt_description *system = state->system;
    double *energies = HBG_NEW_ARRAY(&session->scratch, double, system->storage_count + 1);
    double *work = HBG_NEW_ARRAY(&session->scratch, double, system->power_count + 1);
    double given = 0;
    if (hbg_rt_jump_work(state->instance, work) == HBG_RT_OK)
        for (int32_t i = 0; i < system->power_count; i++)
            given += system->powers[i].kind == HBG_RT_SUPPLIED ? work[i] : 0;
    if (hbg_rt_energies(state->instance, 0, story->declared, energies) != HBG_RT_OK) return NAN;
    double before = sum(energies, system->storage_count);
    if (hbg_rt_energies(state->instance, 0, story->started, energies) != HBG_RT_OK) return NAN;
    return before + given - sum(energies, system->storage_count);
}

/* Without automata there is one jump, which the instance of the run repeats later. */
static hbg_rt_status look_at_jump(hbg_session *session, hbg_run_story *story) {
    const hbg_rt_description *system = story->state->system;
    hbg_rt_instance *instance = story->state->instance;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < story->sim.action_count && story->sim.actions[i].time <= 0; i++)
        if (status == HBG_RT_OK)
            status = hbg_rt_set_input(instance, story->sim.actions[i].input, story->sim.actions[i].value);
    if (status == HBG_RT_OK) status = hbg_rt_declare(instance, story->declared);
    if (status == HBG_RT_OK) status = hbg_rt_enter(instance, NULL);
    if (status == HBG_RT_OK) status = hbg_rt_jump(instance, 0, story->declared, story->started);
    for (int32_t i = 0; i < system->bond_count && status == HBG_RT_OK; i++)
        hbg_rt_pulse(instance, i, &story->start_effort[i], &story->start_flow[i]);
    if (status == HBG_RT_OK) story->lost_at_start = lost_at_start(session, story);
    return status;
}

/* Automata may leave the start mode at once, and then its jump never happens: only the whole instant shows
 * it. A separate instance goes through it, since that changes pre and samples. */
static hbg_rt_status look_at_instant(hbg_session *session, hbg_run_story *story) {
    hbg_run_state *state = story->state;
    const hbg_rt_description *system = state->system;
    hbg_sim_options sim = story->sim;
    hbg_sim_result *result = HBG_NEW(&session->scratch, hbg_sim_result);
    sim.solver = HBG_SIM_ERK; // no other solver needs so little to begin with
    sim.stop = 0;
    sim.ledger = true;
    sim.strict = false;
    state->probe = hbg_code_run(state->code);
    if (!state->probe) return HBG_RT_NO_MEMORY;
    hbg_rt_status status = hbg_api_run_set_params(state, state->probe);
    if (status == HBG_RT_OK) status = hbg_rt_declare(state->probe, story->declared);
    if (status == HBG_RT_OK) status = hbg_sim_run(&session->scratch, system, state->probe, &sim, result);
    for (int32_t i = 0; i < system->state_count && status == HBG_RT_OK; i++)
        story->started[i] = result->state[i];
    story->lost_at_start = result->lost_in_jumps;
    hbg_rt_free(state->probe);
    state->probe = NULL;
    return status;
}

hbg_status hbg_api_run_look_at_start(hbg_session *session, hbg_run_story *story) {
    const hbg_rt_description *system = story->state->system;
    const hbg_run_options *options = story->options;
    bool logged = !system->has_events && (options->events || options->explain != 0);
    bool any = false, told = !options->no_summary || options->json || logged;
    if (!told) return HBG_OK;
    story->declared = HBG_NEW_ARRAY(&session->scratch, double, system->state_count + 1);
    story->started = HBG_NEW_ARRAY(&session->scratch, double, system->state_count + 1);
    story->start_effort = HBG_NEW_ARRAY(&session->scratch, double, system->bond_count + 1);
    story->start_flow = HBG_NEW_ARRAY(&session->scratch, double, system->bond_count + 1);
    hbg_rt_status status =
        system->has_events ? look_at_instant(session, story) : look_at_jump(session, story);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    for (int32_t i = 0; i < system->state_count && status == HBG_RT_OK; i++)
        any = any || hbg_api_run_started_otherwise(story, i);
    if (any) return HBG_OK;
    story->declared = story->started = NULL;
    story->lost_at_start = 0;
    return HBG_OK;
}
