/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of small models that slide: where they end, and when they report that sliding begins or ends. */
#ifndef HBG_TESTS_RT_SLIDE_FIXTURE_IMPL_H
#define HBG_TESTS_RT_SLIDE_FIXTURE_IMPL_H

#include "eqn/fixture_impl.h"
#include "sim/sim.h"

typedef struct {
    hbg_rt_status status;
    hbg_rt_verdict verdict;
    double t, x[4], residual, scale;
    double told[16]; /* times at which sliding began or ended */
    int count;
} outcome;

static inline void take_event(void *context, const hbg_sim_event *event) {
    outcome *end = context;
    if (event->slide && end->count < 16) end->told[end->count++] = event->t;
}

static inline outcome run_model(const char *text, hbg_sim_options options) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    outcome end = {0};
    fixture_open(&f, text);
    hbg_base_arena_init(&arena, &f.memory);
    options.event = take_event;
    options.context = &end;
    end.status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
    end.verdict = result.verdict;
    end.t = result.t;
    end.residual = result.residual;
    end.scale = result.scale;
    for (int32_t i = 0; i < f.system->state_count && i < 4 && end.status != HBG_RT_BAD_OPTION; i++)
        end.x[i] = result.state[i];
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return end;
}

static inline hbg_sim_options sliding(hbg_sim_solver solver, double stop) {
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.rtol = 1e-9;
    options.stop = stop;
    options.slides = true;
    return options;
}

static const hbg_sim_solver solvers[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};
enum { SOLVERS = 3 };

#endif
