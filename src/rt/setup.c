/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Checks of the setup of a run. */
#include <math.h>

#include "rt/engine.h"

static bool is_at_least_zero(double value) {
    return value >= 0 && isfinite(value);
}

static bool has_target(const hbg_rt_description *system, const hbg_rt_override *override) {
    switch (override->kind) {
    case HBG_RT_SET_PARAM: return override->index < system->param_count;
    case HBG_RT_HOLD:
        return override->index < system->automaton_count && system->has_events &&
               override->state < system->automata[override->index].state_count;
    default: return override->index < system->clock_count;
    }
}

static const char *find_override_fault(const hbg_rt_description *system, const hbg_rt_setup *setup) {
    double before = -INFINITY;
    for (int32_t i = 0; i < setup->override_count; i++) {
        const hbg_rt_override *override = &setup->overrides[i];
        if (!(override->time >= before)) return "overrides have to be in order of time";
        if (override->index < 0 || !has_target(system, override))
            return "an override of something that does not exist";
        before = override->time;
    }
    return NULL;
}

const char *hbg_rt_setup_fault(const hbg_rt_description *system, const hbg_rt_setup *setup) {
    const char *fault;
    if (setup->fixed && ((int)setup->method < HBG_RT_EULER || setup->method > HBG_RT_TRAPEZOIDAL))
        return "there is no such solver";
    if (!is_at_least_zero(setup->demand.stop)) return "the stop time has to be 0 or more";
    if (!is_at_least_zero(setup->demand.step)) return "the step has to be 0 or more";
    if (setup->fixed && setup->demand.step == 0 && setup->demand.stop > 0)
        return "a fixed-step method needs a step";
    if (setup->fixed && setup->slides)
        return "sliding needs a solver that locates relations: with a fixed step they change once a step, "
               "and "
               "the run stays within a step of the surface by itself";
    if (!is_at_least_zero(setup->demand.rtol) || setup->demand.rtol >= 1) return "rtol has to be in [0, 1)";
    if (!is_at_least_zero(setup->demand.atol)) return "atol has to be 0 or more";
    if (!is_at_least_zero(setup->observer.rows_every)) return "the time between rows has to be 0 or more";
    if (setup->step_limit < 0) return "the limit of steps has to be 0 or more";
    double before = -INFINITY;
    for (int32_t i = 0; i < setup->action_count; i++) {
        const hbg_rt_action *action = &setup->actions[i];
        if (!(action->time >= before)) return "actions have to be in order of time";
        if (action->input < 0 || action->input >= system->input_count)
            return "an action on an input that does not exist";
        before = action->time;
    }
    fault = find_override_fault(system, setup);
    if (fault != NULL) return fault;
    for (int32_t i = 0; i < system->clock_count; i++)
        if (!(system->clocks[i].period > 0)) return "the period of a clock has to be more than 0";
    return NULL;
}
