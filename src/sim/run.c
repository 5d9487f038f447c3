/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run: prepare, start, then step after step — integrate, locate, book, record, pass the instant — and finish. What an
 * instant is stands in run_instant.c, what a row is in run_record.c, how states are judged in field.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/run_impl.h"

hbg_sim_options hbg_sim_options_default(void) {
    return (hbg_sim_options){.solver = HBG_SIM_AUTO, .stop = 1, .ledger = true};
}

/* ---- options ------------------------------------------------------------------------------------------ */

static bool is_at_least_zero(double value) {
    return value >= 0 && isfinite(value);
}

static bool has_target(const hbg_rt_system *system, const hbg_sim_override *override) {
    switch (override->kind) {
    case HBG_SIM_SET_PARAM:
        return override->index < system->param_count && (!override->is_line || system->set_line);
    case HBG_SIM_HOLD:
        return override->index < system->automaton_count && system->hold && system->has_events &&
               override->state < system->automata[override->index].state_count;
    default: return override->index < system->clock_count && system->set_sensor;
    }
}

static const char *find_override_fault(const hbg_rt_system *system, const hbg_sim_options *options) {
    double before = -INFINITY;
    for (int32_t i = 0; i < options->override_count; i++) {
        const hbg_sim_override *override = &options->overrides[i];
        if (!(override->time >= before)) return "overrides have to be in order of time";
        if (override->index < 0 || !has_target(system, override)) return "an override of what is not there";
        before = override->time;
    }
    return NULL;
}

const char *hbg_sim_options_fault(const hbg_rt_system *system, const hbg_sim_options *options) {
    const char *fault;
    if ((int)options->solver < HBG_SIM_AUTO || options->solver > HBG_SIM_TRAPEZOIDAL)
        return "there is no such solver";
    if (!is_at_least_zero(options->stop)) return "the stop time has to be 0 or more";
    if (!is_at_least_zero(options->step)) return "the step has to be 0 or more";
    if (options->solver >= HBG_SIM_EULER && options->step == 0 && options->stop > 0)
        return "a fixed-step method needs a step";
    if (!is_at_least_zero(options->rtol) || options->rtol >= 1) return "rtol has to be in [0, 1)";
    if (!is_at_least_zero(options->atol)) return "atol has to be 0 or more";
    if (!is_at_least_zero(options->record_every)) return "the time between rows has to be 0 or more";
    if (!is_at_least_zero(options->look_every)) return "the time between looks has to be 0 or more";
    if (options->step_limit < 0) return "the limit of steps has to be 0 or more";
    double before = -INFINITY;
    for (int32_t i = 0; i < options->action_count; i++) {
        const hbg_sim_action *action = &options->actions[i];
        if (!(action->time >= before)) return "actions have to be in order of time";
        if (action->input < 0 || action->input >= system->input_count)
            return "an action on an input that is not there";
        before = action->time;
    }
    fault = find_override_fault(system, options);
    if (fault != NULL) return fault;
    for (int32_t i = 0; i < system->clock_count; i++)
        if (!(system->clocks[i].period > 0)) return "the period of a clock has to be more than 0";
    return NULL;
}

/* ---- preparation -------------------------------------------------------------------------------------- */

double hbg_sim_on_grid(const hbg_rt_grid *grid, double t) {
    double on_grid = grid->step > 0 ? hbg_rt_grid_time(grid, nearbyint(t / grid->step)) : t;
    return hbg_sim_same_instant(on_grid, t) ? on_grid : t;
}

void hbg_sim_lay_grids(hbg_sim_engine *engine) {
    const hbg_sim_options *options = engine->options;
    engine->steps = hbg_rt_grid_of(options->solver >= HBG_SIM_EULER ? options->step : 0);
    engine->records = hbg_rt_grid_of(options->record_every);
    engine->looks = hbg_rt_grid_of(options->look ? options->look_every : 0);
}

void hbg_sim_prepare(hbg_sim_engine *engine) {
    const hbg_rt_system *system = engine->system;
    hbg_arena *arena = engine->arena;
    hbg_sim_result *result = engine->result;
    hbg_sim_field_init(&engine->field, arena, system, engine->instance, engine->options);
    engine->field.books = engine->options->ledger;
    engine->row_at = NAN;
    hbg_sim_lay_grids(engine);
    hbg_sim_roots_init(&engine->roots, arena, &engine->field);
    hbg_sim_ledger_init(&engine->ledger, arena, &engine->field, engine->options->ledger);
    engine->x = HBG_NEW_ARRAY(arena, double, system->state_count);
    engine->x_other = HBG_NEW_ARRAY(arena, double, system->state_count);
    engine->y = HBG_NEW_ARRAY(arena, double, system->output_count);
    engine->y_after = HBG_NEW_ARRAY(arena, double, system->output_count);
    engine->y_size = HBG_NEW_ARRAY(arena, double, system->output_count);
    engine->tick_next = HBG_NEW_ARRAY(arena, double, system->clock_count);
    engine->ticks = HBG_NEW_ARRAY(arena, hbg_rt_grid, system->clock_count);
    for (int32_t i = 0; i < system->clock_count; i++)
        engine->ticks[i] = hbg_rt_grid_of(system->clocks[i].period);
    engine->tick_rates = HBG_NEW_ARRAY(arena, double, system->clock_count > 0 ? system->state_count : 0);
    engine->ticking = HBG_NEW_ARRAY(arena, int32_t, system->clock_count);
    result->work = HBG_NEW_ARRAY(arena, double, system->power_count);
    result->stored_at_start = HBG_NEW_ARRAY(arena, double, system->storage_count);
    result->stored_at_end = HBG_NEW_ARRAY(arena, double, system->storage_count);
    result->state = HBG_NEW_ARRAY(arena, double, system->state_count);
    engine->states_before = HBG_NEW_ARRAY(arena, int32_t, system->automaton_count);
    engine->search = (hbg_rt_search){.system = system, .instance = engine->instance};
    engine->search.states = result->modes = HBG_NEW_ARRAY(arena, int32_t, system->automaton_count);
    if (system->lend) {
        engine->lent = hbg_sim_lent_new(arena);
        system->lend(engine->instance, hbg_sim_lent_solver(engine->lent));
    }
    hbg_sim_listen(engine);
    engine->zenos = HBG_NEW_ARRAY(arena, hbg_sim_zeno, engine->roots.count - engine->roots.guard_first + 1);
    if (system->open) engine->search.scratch = hbg_arena_alloc(arena, hbg_rt_instant_scratch(system));
    /* outputs without states are worth a look more often than a hundred times */
    if (system->state_count == 0 && engine->options->step == 0)
        engine->field.max_step = fmin(engine->field.max_step, engine->options->stop / 1000);
}

void hbg_sim_lay_out_jacobian(hbg_sim_engine *engine) {
    hbg_rt_pattern pattern = engine->system->jacobian_pattern(engine->instance);
    if (!hbg_sim_jacobian_take(&engine->field.jacobian, pattern)) {
        hbg_sim_jacobian_widen(&engine->field.jacobian, engine->arena, pattern);
        engine->wider_jacobian = true;
    }
    engine->other_jacobian = false;
}

static hbg_rt_status choose(hbg_sim_engine *engine, hbg_sim_solver *solver) {
    hbg_sim_choice choice;
    *solver = engine->options->solver;
    if (*solver != HBG_SIM_AUTO) return HBG_RT_OK;
    hbg_rt_status status =
        hbg_sim_choose(engine->arena, &engine->field, engine->x, hbg_sim_instant_count(engine), &choice);
    if (status != HBG_RT_OK) return status;
    *solver = choice.solver;
    engine->result->why = choice.why;
    return HBG_RT_OK;
}

static hbg_rt_status make_stepper(hbg_sim_engine *engine, hbg_sim_solver solver) {
    hbg_sim_field *field = &engine->field;
    bool multistep = (solver == HBG_SIM_BDF || solver == HBG_SIM_ADAMS) && field->n > 0;
    if (multistep)
        engine->stepper = hbg_sim_cvode_new(engine->arena, field, solver == HBG_SIM_ADAMS);
    else if (solver < HBG_SIM_EULER)
        engine->stepper = hbg_sim_erk_new(engine->arena, field);
    else
        engine->stepper = hbg_sim_fixed_new(engine->arena, field, (hbg_rt_method)(solver - HBG_SIM_EULER),
                                            engine->options->step);
    if (engine->stepper == NULL) return HBG_RT_NO_MEMORY;
    engine->wider_jacobian = false;
    engine->stepper->solver = solver;
    engine->stepper->remembers = multistep;
    engine->stepper->implicit = multistep || solver == HBG_SIM_TRAPEZOIDAL;
    engine->result->solver = engine->stepper->name;
    return engine->stepper->begin(engine->stepper, engine->t, engine->x);
}

hbg_rt_status hbg_sim_choose_stepper(hbg_sim_engine *engine) {
    hbg_sim_solver solver;
    hbg_rt_status status = choose(engine, &solver);
    return status == HBG_RT_OK ? make_stepper(engine, solver) : status;
}

hbg_rt_status hbg_sim_start(hbg_sim_engine *engine) {
    const hbg_rt_system *system = engine->system;
    hbg_rt_status status = system->start(engine->instance, engine->x);
    if (status == HBG_RT_OK) status = system->enter(engine->instance, NULL);
    if (status != HBG_RT_OK) return hbg_sim_refused(engine, status);
    for (int32_t i = 0; i < system->automaton_count; i++) engine->search.states[i] = system->start_states[i];
    hbg_sim_jacobian_widen(&engine->field.jacobian, engine->arena,
                           system->jacobian_pattern(engine->instance));
    system->thaw(engine->instance);
    status =
        hbg_sim_ledger_stored(&engine->ledger, &engine->field, 0, engine->x, engine->result->stored_at_start);
    return status;
}

/* ---- the loop ----------------------------------------------------------------------------------------- */

bool hbg_sim_goes_on(hbg_sim_engine *engine) {
    const hbg_sim_options *options = engine->options;
    const int64_t pause = 50000000;
    struct timespec now;
    if (options->progress == NULL) return true;
    bool often = engine->field.n > 1000 || (engine->strides && engine->stride.done * engine->field.n > 8192);
    if ((++engine->asked % 8 != 0 && !often && engine->progress_at != 0) ||
        clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return true;
    int64_t time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (engine->progress_at != 0 && time - engine->progress_at < pause) return true;
    engine->progress_at = time;
    return options->progress(options->context, engine->t, options->stop);
}

/* A guard that nobody can follow is told once. */
static void warn_of_hurry(hbg_sim_engine *engine) {
    hbg_sim_result *result = engine->result;
    char name[120];
    if (engine->roots.hurried < 0 || engine->hurry_told) return;
    engine->hurry_told = true;
    engine->system->root_name(engine->instance, engine->roots.hurried, name, sizeof name);
    if (result->warnings++ > 0) return;
    (void)snprintf(result->warning, sizeof result->warning,
                   "at t = %.9g s: `%s` varies too fast to be followed over a step of %.3g s: events may be "
                   "missed; --step limits the step",
                   engine->stepper->t0, name, engine->stepper->t1 - engine->stepper->t0);
}

/* Where the last step crosses something, and whether it does. A run that is cut time and again would not come to its end. */
static hbg_rt_status locate(hbg_sim_engine *engine, double *end) {
    hbg_sim_stepper *stepper = engine->stepper;
    hbg_rt_status status = hbg_sim_roots_find(&engine->roots, &engine->field, stepper, &engine->crossed, end);
    warn_of_hurry(engine);
    if (status == HBG_RT_OK && engine->crossed && engine->cuts < 100 + engine->result->steps / 4)
        status = hbg_sim_roots_confirm(&engine->roots, &engine->field, stepper, *end, &engine->crossed);
    engine->cut = status == HBG_RT_OK && !engine->crossed && *end < stepper->t1;
    engine->cuts += engine->cut;
    if (!engine->cut) engine->roots.doubted = 0;
    return status;
}

hbg_rt_status hbg_sim_advance(hbg_sim_engine *engine) {
    hbg_sim_stepper *stepper = engine->stepper;
    hbg_rt_status status = stepper->step(stepper, engine->limit);
    if (status != HBG_RT_OK) return status;
    double end = stepper->t1;
    const double *x = stepper->x1;
    engine->result->steps++;
    engine->crossed = engine->cut = false;
    bool waits = engine->strides && end < engine->limit; // the next stride looks at the guards here
    engine->unlooked = waits;
    if (stepper->fixed && engine->system->has_events && !waits) {
        status = hbg_sim_refused(engine, hbg_sim_roots_sample(&engine->roots, &engine->field, end, x));
        if (status != HBG_RT_OK) return status;
        engine->crossed = engine->roots.crossed_count > 0;
        if (!engine->crossed && engine->system->accept)
            status = hbg_sim_refused(engine, engine->system->accept(engine->instance, end, x));
        if (status != HBG_RT_OK) return status;
    }
    if (!stepper->fixed) {
        status = locate(engine, &end);
        if (engine->cut) stepper->dense(stepper, end, engine->x_other);
        if (engine->cut) x = engine->x_other;
        if (status == HBG_RT_OK && !engine->crossed && engine->system->accept)
            status = hbg_sim_refused(engine, engine->system->accept(engine->instance, end, x));
        if (status != HBG_RT_OK) return status;
    }
    engine->end = end;
    return HBG_RT_OK;
}

void hbg_sim_state_at_end(const hbg_sim_engine *engine, double *x) {
    hbg_sim_stepper *stepper = engine->stepper;
    bool inside = engine->crossed || engine->cut;
    if (inside) stepper->dense(stepper, engine->end, x);
    if (inside && stepper->polish) stepper->polish(stepper, engine->end, x);
    if (!inside) memcpy(x, stepper->x1, (size_t)engine->field.n * sizeof *x);
}

void hbg_sim_arrive(hbg_sim_engine *engine) {
    hbg_sim_state_at_end(engine, engine->x);
    engine->t = engine->end;
    engine->is_instant = engine->crossed || engine->end >= engine->limit;
    hbg_sim_size_update(&engine->field, engine->x);
    hbg_sim_rounding_note(&engine->field, engine->stepper, engine->t, engine->x);
}

/* One step, cut where a relation changes. */
static hbg_rt_status integrate(hbg_sim_engine *engine) {
    hbg_rt_status status = hbg_sim_advance(engine);
    double end = engine->end;
    if (status == HBG_RT_OK)
        status = hbg_sim_ledger_step(&engine->ledger, &engine->field, engine->stepper, engine->t, end);
    if (status == HBG_RT_OK) status = hbg_sim_record_middle(engine, end);
    if (status == HBG_RT_OK) status = hbg_sim_record_inside(engine, end);
    if (status == HBG_RT_OK) hbg_sim_arrive(engine);
    return status;
}

static hbg_rt_status check_chattering(hbg_sim_engine *engine) {
    char name[120];
    bool loose;
    hbg_sim_roots *roots = &engine->roots;
    hbg_sim_field *field = &engine->field;
    hbg_rt_status status = hbg_sim_roots_rest(roots, field, engine->t, engine->x, &loose);
    int32_t root = loose ? -1 : hbg_sim_roots_chattering(roots);
    if (status != HBG_RT_OK || root < 0) return status;
    status = hbg_sim_roots_loosen(roots, field, engine->t, engine->x, &loose);
    if (status != HBG_RT_OK || loose) return status;
    engine->system->root_name(engine->instance, root, name, sizeof name);
    (void)snprintf(engine->words, sizeof engine->words,
                   "%.80s switches back and forth without end; a slope, such as tanh(x/x0), or an automaton "
                   "that sticks is a way out",
                   name);
    engine->field.reason = engine->words;
    return HBG_RT_VERDICT;
}

/* What `auto` took for harmless has turned stiff. */
static hbg_rt_status change_over(hbg_sim_engine *engine) {
    char when[32];
    /* memory is taken here, and its exhaustion jumps: with ordinary arithmetic */
    hbg_sim_subnormal_restore(engine->arithmetic);
    engine->stepper->end(engine->stepper);
    engine->stepper = NULL;
    hbg_sim_duration_print(when, sizeof when, engine->t);
    engine->result->why = hbg_arena_print(engine->arena, "not stiff at the start, stiff from %s on", when);
    if (engine->other_jacobian) hbg_sim_lay_out_jacobian(engine);
    hbg_rt_status status = make_stepper(engine, HBG_SIM_BDF);
    (void)hbg_sim_subnormal_skip();
    return status;
}

/* Another mode has another Jacobian. One whose entries have all been there before needs no new memory. */
static hbg_rt_status change_mode(hbg_sim_engine *engine) {
    hbg_sim_stepper *stepper = engine->stepper;
    hbg_sim_solver solver = stepper->solver;
    hbg_rt_pattern pattern = engine->system->jacobian_pattern(engine->instance);
    if (!engine->wider_jacobian && hbg_sim_jacobian_take(&engine->field.jacobian, pattern)) {
        engine->other_jacobian = false;
        return stepper->begin(stepper, engine->t, engine->x);
    }
    hbg_sim_subnormal_restore(engine->arithmetic); // as above
    engine->stepper->end(engine->stepper);
    engine->stepper = NULL;
    hbg_sim_lay_out_jacobian(engine);
    hbg_rt_status status = make_stepper(engine, solver);
    (void)hbg_sim_subnormal_skip();
    return status;
}

hbg_rt_status hbg_sim_go_on(hbg_sim_engine *engine) {
    hbg_sim_stepper *stepper = engine->stepper;
    if (engine->is_instant && engine->new_mode)
        engine->field.rounding.step = 0; // what contributes to what is to be asked anew
    if (!engine->is_instant && stepper->stiff && engine->options->solver == HBG_SIM_AUTO)
        return change_over(engine);
    if (!engine->is_instant) return engine->cut ? stepper->begin(stepper, engine->t, engine->x) : HBG_RT_OK;
    hbg_rt_status status = engine->crossed ? check_chattering(engine) : HBG_RT_OK;
    if (status != HBG_RT_OK || engine->t >= engine->options->stop) return status;
    if (engine->new_mode && stepper->implicit) return change_mode(engine);
    if (hbg_sim_tick_closes(engine)) return HBG_RT_OK;
    return stepper->begin(stepper, engine->t, engine->x);
}

void hbg_sim_count_instant(hbg_sim_engine *engine) {
    if (engine->crossed && !engine->stepper->fixed) engine->result->crossings += engine->roots.crossed_count;
    engine->field.instants += engine->crossed; // those known in advance have been counted
}

/* What the end of a step brings. */
static hbg_rt_status pass(hbg_sim_engine *engine) {
    bool written;
    hbg_rt_status status;
    if (engine->is_instant) {
        hbg_sim_count_instant(engine);
        status = hbg_sim_instant(engine);
    } else {
        status = hbg_sim_record_end(engine, &written);
    }
    return status == HBG_RT_OK ? hbg_sim_go_on(engine) : status;
}

static hbg_rt_status flow(hbg_sim_engine *engine) {
    const hbg_sim_options *options = engine->options;
    if (!hbg_sim_goes_on(engine)) return HBG_RT_INTERRUPTED;
    while (engine->t < options->stop && !hbg_sim_same_instant(engine->t, options->stop)) {
        if (options->step_limit > 0 && engine->result->steps >= options->step_limit)
            return HBG_RT_TOO_MANY_STEPS;
        bool strode;
        hbg_rt_status status = hbg_sim_stride(engine, &strode);
        if (status == HBG_RT_OK && !strode) status = integrate(engine);
        if (status == HBG_RT_OK && !strode) status = pass(engine);
        if (status == HBG_RT_OK && !hbg_sim_goes_on(engine)) status = HBG_RT_INTERRUPTED;
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

hbg_rt_status hbg_sim_finish(hbg_sim_engine *engine, hbg_rt_status status) {
    hbg_sim_result *result = engine->result;
    hbg_sim_field *field = &engine->field;
    if (status != HBG_RT_OK) {
        const char *solver = engine->stepper != NULL ? engine->stepper->name : "";
        hbg_sim_explain(field, status, solver, engine->t, engine->x, result);
    }
    /* a system that did not enter its mode has nothing to say; energies as declared are not to be settled */
    bool entered = field->jacobian.start != NULL, flowed = engine->stepper != NULL;
    hbg_rt_status settled = entered ? HBG_RT_OK : status;
    if (entered && flowed && !engine->taken_back)
        settled = engine->system->settle(engine->instance, engine->t, engine->x);
    if (settled == HBG_RT_OK)
        settled = hbg_sim_ledger_stored(&engine->ledger, field, engine->t, engine->x, result->stored_at_end);
    hbg_sim_stride_book(engine);
    if (settled == HBG_RT_OK) hbg_sim_ledger_close(&engine->ledger, field, result);
    if (status == HBG_RT_OK && settled != HBG_RT_OK) {
        status = hbg_sim_refused(engine, settled);
        hbg_sim_explain(field, status, result->solver, engine->t, engine->x, result);
    }
    memcpy(result->state, engine->x, (size_t)field->n * sizeof *result->state);
    result->t = engine->t;
    if (engine->stepper != NULL) engine->stepper->end(engine->stepper);
    if (engine->lent != NULL) {
        engine->system->lend(engine->instance, NULL);
        hbg_sim_lent_end(engine->lent);
    }
    result->rates = field->rates;
    result->jacobians = field->jacobians;
    result->rejected = field->rejected;
    return status;
}

hbg_rt_status hbg_sim_run(hbg_arena *arena, const hbg_rt_system *system, hbg_rt_instance *instance,
                          const hbg_sim_options *options, hbg_sim_result *result) {
    hbg_sim_engine *engine = HBG_NEW(arena, hbg_sim_engine);
    *result = (hbg_sim_result){.solver = "", .why = ""};
    *engine = (hbg_sim_engine){
        .system = system, .instance = instance, .options = options, .result = result, .arena = arena};
    const char *fault = hbg_sim_options_fault(system, options);
    if (fault != NULL) {
        (void)snprintf(result->failure, sizeof result->failure, "%s", fault);
        return HBG_RT_BAD_OPTION;
    }
    hbg_sim_prepare(engine);
    hbg_rt_status status = hbg_sim_start(engine);
    if (status == HBG_RT_OK) status = hbg_sim_instant_start(engine);
    if (status == HBG_RT_OK) status = hbg_sim_choose_stepper(engine);
    if (status == HBG_RT_OK) hbg_sim_stride_prepare(engine);
    if (status == HBG_RT_OK) {
        engine->arithmetic = hbg_sim_subnormal_skip();
        status = flow(engine);
        hbg_sim_subnormal_restore(engine->arithmetic);
    }
    return hbg_sim_finish(engine, status);
}
