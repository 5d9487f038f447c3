/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The integrators of a run: those of the engine itself, CVODE, and the trapezoidal method with KLU for many
 * states. What `auto` selects, and why, is decided when the first one is made. */
#include "sim/run_impl.h"

/* ---- the trapezoidal method with a sparse matrix ------------------------------------------------------ */

static hbg_rt_status factor(void *context, double t, const double *x, double scale) {
    return hbg_sim_sparse_factor(context, t, x, 1, scale);
}

static void solve(void *context, double *b) {
    hbg_sim_sparse_solve(context, b);
}

static void end(void *context) {
    hbg_sim_sparse_end(context);
}

static hbg_rt_integrator *make_fixed(const hbg_sim_maker *maker, hbg_rt_engine *engine) {
    hbg_rt_field *field = &engine->field;
    hbg_rt_method method = (hbg_rt_method)(maker->solver - HBG_SIM_EULER);
    double step = maker->options->step;
    bool sparse = method == HBG_RT_TRAPEZOIDAL && field->n > HBG_RT_DENSE_STATES;
    if (!sparse) return hbg_rt_fixed_new(&engine->room, field, method, step, NULL);
    hbg_rt_linear linear = {hbg_sim_sparse_new(maker->arena, field), factor, solve, end};
    if (linear.context == NULL) return NULL;
    hbg_rt_integrator *made = hbg_rt_fixed_new(&engine->room, field, method, step, &linear);
    if (made == NULL) end(linear.context);
    return made;
}

/* ---- the choice --------------------------------------------------------------------------------------- */

static hbg_rt_status choose(hbg_sim_maker *maker, hbg_rt_engine *engine) {
    hbg_sim_choice choice;
    maker->solver = maker->options->solver;
    if (maker->solver != HBG_SIM_AUTO) return HBG_RT_OK;
    hbg_rt_status status =
        hbg_sim_choose(maker->arena, &engine->field, engine->x, hbg_rt_engine_instant_count(engine), &choice);
    if (status != HBG_RT_OK) return status;
    maker->solver = choice.solver;
    engine->result->why = choice.why;
    return HBG_RT_OK;
}

static void change_over(hbg_sim_maker *maker, hbg_rt_engine *engine) {
    char when[32];
    hbg_sim_duration_print(when, sizeof when, engine->t);
    engine->result->why =
        hbg_base_arena_print(maker->arena, "not stiff at the start, stiff from %s on", when);
    maker->solver = HBG_SIM_BDF;
}

static hbg_rt_status make(hbg_sim_maker *maker, hbg_rt_engine *engine, hbg_rt_wish wish,
                          hbg_rt_integrator **made) {
    hbg_rt_field *field = &engine->field;
    if (wish == HBG_RT_STIFF) change_over(maker, engine);
    hbg_rt_status status = wish == HBG_RT_FIRST ? choose(maker, engine) : HBG_RT_OK;
    if (status != HBG_RT_OK) return status;
    bool multistep = (maker->solver == HBG_SIM_BDF || maker->solver == HBG_SIM_ADAMS) && field->n > 0;
    if (multistep)
        *made = hbg_sim_cvode_new(maker->arena, field, maker->solver == HBG_SIM_ADAMS);
    else if (maker->solver < HBG_SIM_EULER)
        *made = hbg_rt_erk_new(&engine->room, field);
    else
        *made = make_fixed(maker, engine);
    return *made != NULL ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}

hbg_rt_status hbg_sim_make(void *context, hbg_rt_engine *engine, hbg_rt_wish wish, hbg_rt_integrator **made) {
    hbg_sim_maker *maker = context;
    hbg_memory *memory = maker->arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        return HBG_RT_NO_MEMORY;
    }
    hbg_rt_status status = make(maker, engine, wish, made);
    memory->exhausted = outer;
    return status;
}
