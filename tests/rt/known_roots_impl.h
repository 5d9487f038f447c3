/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models whose first automaton moves at known times, on every method that locates and at tolerances from 1e-4
 * to 1e-10. */
#ifndef HBG_TESTS_KNOWN_ROOTS_IMPL_H
#define HBG_TESTS_KNOWN_ROOTS_IMPL_H

#include "eqn/fixture_impl.h"
#include "sim/moves_impl.h"

static const hbg_sim_solver solvers[] = {HBG_SIM_AUTO, HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};
static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
enum { SOLVERS = 4, TOLERANCES = 4 };

#define CLOCK "state x = 0 : der = 1;"
/* Goes back and forth on two guards. */
#define MODEL(states, there, back)                                                                           \
    "model M { " states " automaton a { off o -> n when " there "; on n -> o when " back "; } }"

static inline void run_model(fixture *f, hbg_sim_solver solver, double rtol, double stop, double step,
                             moves *told) {
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.stop = stop;
    options.step = step;
    options.rtol = rtol;
    options.event = take_moves;
    options.context = told;
    told->count = 0;
    hbg_base_arena_init(&arena, &f->memory);
    hbg_rt_status status = hbg_sim_run(&arena, f->system, f->run, &options, &result);
    if (status != HBG_RT_OK) fail_msg("%s", result.failure);
    hbg_base_arena_fini(&arena);
}

/* The permitted error of a time: share·rtol + root·√rtol + error. */
typedef struct {
    double share, root, error;
} allowance;

/* Every solver and tolerance finds just these moves. */
static inline void assert_moves_within(const char *text, double stop, double step, const double *times,
                                       int count, allowance may) {
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            fixture f;
            moves told;
            double rtol = tolerances[r], error = may.share * rtol + may.root * sqrt(rtol) + may.error;
            fixture_open(&f, text);
            run_model(&f, solvers[s], tolerances[r], stop, step, &told);
            if (told.count != count)
                fail_msg("%d moves, not %d, solver %d, rtol %g, the last at %.17g, of\n%s", told.count, count,
                         solvers[s], tolerances[r], told.count ? told.times[told.count - 1] : 0, text);
            for (int i = 0; i < count; i++)
                if (!(fabs(told.times[i] - times[i]) <= error))
                    fail_msg("move %d at %.17g, not %.17g, solver %d, rtol %g, of\n%s", i, told.times[i],
                             times[i], solvers[s], tolerances[r], text);
            fixture_close(&f);
        }
}

static inline void assert_moves(const char *text, double stop, double step, const double *times, int count,
                                double share, double error) {
    assert_moves_within(text, stop, step, times, count, (allowance){.share = share, .error = error});
}

#endif
