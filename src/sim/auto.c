/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The solver that `auto` selects, and a one-line reason.
 *
 * An explicit method needs a step for about three of the shortest time constants, from the first to the last
 * second of the run; BDF follows what remains once those have decayed, but restarts with small steps after
 * every instant. So the number of shortest time constants in the run is weighed against a few thousand plus a
 * handful for each known instant. Where a system turns stiff only later, in another mode or another state,
 * the explicit method itself notices it.
 *
 * Of the explicit methods, Adams evaluates the rates once or twice in a step instead of six times, but takes
 * more steps and more work in each. Measured on chains of masses and on the nonlinear spring, over 10³ to 10⁵
 * periods: the one-step pair is faster by 2 to 4 at six digits and never slower for few states; with ten
 * digits and more, and 50 states and more, Adams needs a fifth to a third less time. Adams is selected there,
 * unless events interrupt it. */
#include <math.h>
#include <stdio.h>

#include "sim/sim_impl.h"

void hbg_sim_duration_print(char *text, size_t size, double seconds) {
    static const struct {
        double factor;
        const char *unit;
    } units[] = {{1e-15, "fs"}, {1e-12, "ps"}, {1e-9, "ns"}, // exact: factors of units
                 {1e-6, "µs"},  {1e-3, "ms"},  {1, "s"},     // exact
                 {1e3, "ks"},   {1e6, "Ms"},   {1e9, "Gs"}};
    size_t i = 0, last = sizeof units / sizeof *units - 1;
    /* a value that would be printed as 1000 of a unit is 1 of the next */
    while (i < last && seconds >= 0.9995 * units[i + 1].factor) i++;
    double value = seconds / units[i].factor;
    if (value >= 1e4 || value < HBG_RT_TOLD)
        (void)snprintf(text, size, "%.3g s", seconds);
    else
        (void)snprintf(text, size, "%.3g %s", value, units[i].unit);
}

static const char *why_stiff(hbg_arena *arena, const hbg_rt_field *field, const hbg_sim_spectrum *s) {
    char fast[32], slow[32];
    hbg_sim_duration_print(fast, sizeof fast, 1 / s->fastest_decay);
    if (s->slowest_decay > 0 && s->slowest_decay < 0.5 * s->fastest_decay &&
        s->slowest_decay * field->stop > HBG_RT_SLOWEST) {
        hbg_sim_duration_print(slow, sizeof slow, 1 / s->slowest_decay);
        return hbg_base_arena_print(arena, "stiff: time constants from %s to %s", fast, slow);
    }
    hbg_sim_duration_print(slow, sizeof slow, field->stop);
    return hbg_base_arena_print(arena, "stiff: a time constant of %s in a run of %s", fast, slow);
}

static const char *why_not_stiff(hbg_arena *arena, const hbg_rt_field *field, const hbg_sim_spectrum *s) {
    char fast[32], run[32];
    if (!(s->fastest > 0)) return "not stiff: nothing swings or decays at the start";
    hbg_sim_duration_print(fast, sizeof fast, 1 / s->fastest);
    hbg_sim_duration_print(run, sizeof run, field->stop);
    return hbg_base_arena_print(arena, "not stiff: nothing is faster than %s in a run of %s", fast, run);
}

static bool adams_pays(const hbg_rt_field *field, double events) {
    const hbg_rt_description *system = field->system;
    return field->n >= 50 && field->rtol <= HBG_RT_ADAMS_RTOL && system->root_count == system->idle_roots &&
           !system->has_events && events <= 10;
}

hbg_rt_status hbg_sim_choose(hbg_arena *arena, hbg_rt_field *field, const double *x, double events,
                             hbg_sim_choice *choice) {
    hbg_sim_spectrum spectrum;
    *choice = (hbg_sim_choice){.solver = HBG_SIM_ERK, .why = "no states"};
    if (field->n == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_sim_spectrum_at(arena, field, 0, x, &spectrum);
    if (status == HBG_RT_SINGULAR || status == HBG_RT_NOT_FINITE) { // a law has no slope at the start
        field->status = HBG_RT_OK;
        choice->why = "not known to be stiff: the rates have no derivative at the start";
        return HBG_RT_OK;
    }
    if (status != HBG_RT_OK) return status;
    double constants = spectrum.fastest_decay * field->stop, alone = field->stiff_from;
    field->stiff_from += HBG_RT_RESTART * events;
    if (constants <= alone && adams_pays(field, events)) {
        choice->solver = HBG_SIM_ADAMS;
        choice->why = hbg_base_arena_print(arena, "smooth, %d states, many digits; %s", (int)field->n,
                                           why_not_stiff(arena, field, &spectrum));
    } else if (constants <= alone) {
        choice->why = why_not_stiff(arena, field, &spectrum);
    } else if (constants <= field->stiff_from) {
        choice->why =
            hbg_base_arena_print(arena, "%.0f instants known in advance: restarts have to be cheap", events);
    } else {
        choice->solver = HBG_SIM_BDF;
        spectrum.slowest_decay = hbg_sim_spectrum_slowest(arena, field, 0, x, &spectrum);
        choice->why = why_stiff(arena, field, &spectrum);
    }
    return HBG_RT_OK;
}
