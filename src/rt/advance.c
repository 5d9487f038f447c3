/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run: prepare, start, then step after step — integrate, locate, book, pass the instant — and finish.
 * advance_instant.c handles instants, field.c judges the error of states. The observer is called along the
 * way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/advance_impl.h"
#include "rt/slide_impl.h"

/* ---- preparation -------------------------------------------------------------------------------------- */

double hbg_rt_on_grid(const hbg_rt_grid *grid, double t) {
    double on_grid = grid->step > 0 ? hbg_rt_grid_time(grid, nearbyint(t / grid->step)) : t;
    return hbg_rt_same_instant(on_grid, t) ? on_grid : t;
}

static void considered(void *context) {
    const hbg_rt_engine *engine = context;
    hbg_rt_log_considered(engine->log);
}

static void committed(void *context) {
    const hbg_rt_engine *engine = context;
    hbg_rt_log_committed(engine->log);
}

static void visit(void *context, const hbg_rt_visit *visit) {
    const hbg_rt_engine *engine = context;
    const hbg_rt_observer *observer = &engine->setup->observer;
    if (engine->log) hbg_rt_log_visit(engine->log, visit);
    if (observer->visit) observer->visit(observer->context, visit);
}

/* What the search reports on its way goes to the log and to the observer. */
static void listen(hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    hbg_rt_search *search = &engine->search;
    engine->log = engine->setup->log;
    if (observer->story) {
        if (!engine->log) engine->log = hbg_rt_log_new(&engine->room, engine->system, engine->instance);
        search->considered = considered;
        search->committed = committed;
    }
    if (engine->log || observer->visit) search->visit = visit;
    search->context = engine;
}

static void prepare_schedule(hbg_rt_schedule *schedule, hbg_rt_room *room, const hbg_rt_description *system) {
    schedule->tick_next = HBG_RT_TAKE(room, double, system->clock_count);
    schedule->ticks = HBG_RT_TAKE(room, hbg_rt_grid, system->clock_count);
    for (int32_t i = 0; i < system->clock_count && !room->is_exhausted; i++)
        schedule->ticks[i] = hbg_rt_grid_of(system->clocks[i].period);
    schedule->tick_rates = HBG_RT_TAKE(room, double, system->clock_count > 0 ? system->state_count : 0);
    schedule->ticking = HBG_RT_TAKE(room, int32_t, system->clock_count);
}

static void prepare(hbg_rt_engine *engine) {
    const hbg_rt_description *system = engine->system;
    const hbg_rt_setup *setup = engine->setup;
    hbg_rt_room *room = &engine->room;
    hbg_rt_locate_aside(engine->instance, !setup->fixed && setup->shows, !setup->fixed && setup->ledger);
    hbg_rt_field_init(&engine->field, room, system, engine->instance, &setup->demand);
    engine->field.books = setup->ledger;
    engine->steps = hbg_rt_grid_of(setup->fixed ? setup->demand.step : 0);
    engine->rows = hbg_rt_grid_of(setup->observer.rows_every);
    engine->roots = hbg_rt_roots_new(room, &engine->field);
    engine->ledger = hbg_rt_ledger_new(room, &engine->field, setup->ledger);
    engine->x = HBG_RT_TAKE(room, double, system->state_count);
    engine->x_other = HBG_RT_TAKE(room, double, system->state_count);
    prepare_schedule(&engine->schedule, room, system);
    engine->states_before = HBG_RT_TAKE(room, int32_t, system->automaton_count);
    engine->search = (hbg_rt_search){.system = system, .instance = engine->instance};
    engine->search.states = engine->result->modes;
    listen(engine);
    int32_t guards = engine->roots ? engine->roots->count - engine->roots->guard_first : 0;
    engine->zenos = HBG_RT_TAKE(room, hbg_rt_zeno, guards + 1);
    if (setup->slides && !setup->fixed && engine->roots)
        engine->slide =
            hbg_rt_slide_new(room, engine->instance, engine->roots->guard_first, engine->roots->count);
    engine->search.scratch = HBG_RT_TAKE(room, char, hbg_rt_instant_scratch(system));
    /* outputs without states are recorded more often than a hundred times */
    if (system->state_count == 0 && setup->demand.step == 0)
        engine->field.max_step = fmin(engine->field.max_step, setup->demand.stop / 1000);
}

hbg_rt_status hbg_rt_engine_new(const hbg_rt_description *system, hbg_rt_instance *instance,
                                const hbg_rt_setup *setup, hbg_rt_result *result, hbg_rt_engine **made) {
    hbg_rt_room room = {.memory = setup->memory};
    const char *fault = hbg_rt_setup_fault(system, setup);
    *made = NULL;
    if (fault != NULL) {
        (void)snprintf(result->failure, sizeof result->failure, "%s", fault);
        return HBG_RT_BAD_OPTION;
    }
    hbg_rt_engine *engine = HBG_RT_TAKE(&room, hbg_rt_engine, 1);
    if (engine == NULL) return HBG_RT_NO_MEMORY;
    engine->system = system;
    engine->instance = instance;
    engine->setup = setup;
    engine->result = result;
    engine->room = room;
    engine->pause = INFINITY;
    prepare(engine);
    if (engine->room.is_exhausted) {
        hbg_rt_engine_free(engine);
        return HBG_RT_NO_MEMORY;
    }
    if (setup->solver) hbg_rt_lend(instance, setup->solver);
    *made = engine;
    return HBG_RT_OK;
}

void hbg_rt_engine_free(hbg_rt_engine *engine) {
    if (engine == NULL) return;
    hbg_rt_slide_end(engine->slide, engine->instance);
    hbg_rt_room room = engine->room; // the engine is allocated in it
    hbg_rt_room_end(&room);
}

/* ---- the start ---------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_engine_lay_out_jacobian(hbg_rt_engine *engine) {
    hbg_rt_jacobian_matrix *jacobian = &engine->field.jacobian;
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(engine->instance);
    if (!hbg_rt_jacobian_take(jacobian, pattern)) {
        hbg_rt_status status = hbg_rt_jacobian_widen(jacobian, &engine->room, pattern);
        if (status != HBG_RT_OK) return status;
        engine->wider_jacobian = true;
    }
    engine->other_jacobian = false;
    return HBG_RT_OK;
}

static hbg_rt_integrator *make_own(hbg_rt_engine *engine) {
    const hbg_rt_setup *setup = engine->setup;
    if (!setup->fixed && setup->stiffness != HBG_RT_EXPLICIT)
        return hbg_rt_pair_new(&engine->room, &engine->field, setup->stiffness == HBG_RT_IMPLICIT);
    if (!setup->fixed) return hbg_rt_erk_new(&engine->room, &engine->field);
    return hbg_rt_fixed_new(&engine->room, &engine->field, setup->method, setup->demand.step, NULL);
}

static hbg_rt_status make_stepper(hbg_rt_engine *engine, hbg_rt_wish wish) {
    const hbg_rt_setup *setup = engine->setup;
    hbg_rt_integrator *made = NULL;
    hbg_rt_status status = HBG_RT_OK;
    if (setup->make)
        status = setup->make(setup->make_context, engine, wish, &made);
    else
        made = make_own(engine);
    if (status == HBG_RT_OK && made == NULL) status = HBG_RT_NO_MEMORY;
    if (status != HBG_RT_OK) return status;
    engine->stepper = made;
    engine->wider_jacobian = false;
    engine->result->solver = made->name;
    return made->begin(made, engine->t, engine->x);
}

hbg_rt_status hbg_rt_engine_choose(hbg_rt_engine *engine) {
    return make_stepper(engine, HBG_RT_FIRST);
}

hbg_rt_status hbg_rt_engine_declare(hbg_rt_engine *engine) {
    const hbg_rt_description *system = engine->system;
    hbg_rt_status status = hbg_rt_declare(engine->instance, engine->x);
    if (status == HBG_RT_OK) status = hbg_rt_enter(engine->instance, NULL);
    if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    hbg_rt_plan_begin(engine->instance, !engine->setup->fixed);
    for (int32_t i = 0; i < system->automaton_count; i++) engine->search.states[i] = system->start_states[i];
    status = hbg_rt_jacobian_widen(&engine->field.jacobian, &engine->room,
                                   hbg_rt_jacobian_pattern(engine->instance));
    if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    hbg_rt_thaw(engine->instance);
    return hbg_rt_ledger_stored(engine->ledger, &engine->field, 0, engine->x,
                                engine->result->stored_at_start);
}

hbg_rt_status hbg_rt_engine_start(hbg_rt_engine *engine) {
    hbg_rt_status status = hbg_rt_engine_declare(engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_instant_at_start(engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_choose(engine);
    return status == HBG_RT_OK ? hbg_rt_engine_stride_prepare(engine) : status;
}

/* ---- the loop ----------------------------------------------------------------------------------------- */

static bool goes_on(const hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    return !observer->goes_on || observer->goes_on(observer->context);
}

/* A guard that varies too fast to be followed is reported once. */
static void warn_of_hurry(hbg_rt_engine *engine) {
    hbg_rt_result *result = engine->result;
    char name[120];
    if (engine->roots->pace.hurried < 0 || engine->hurry_told) return;
    engine->hurry_told = true;
    hbg_rt_indicator_name(engine->instance, engine->roots->pace.hurried, name, sizeof name);
    if (result->warnings++ > 0) return;
    (void)snprintf(result->warning, sizeof result->warning,
                   "at t = %.9g s: `%s` varies too fast to be followed over a step of %.3g s: events may be "
                   "missed; --step limits the step",
                   engine->stepper->t0, name, engine->stepper->t1 - engine->stepper->t0);
}

/* Crossings per step that are checked for being spurious; further ones are accepted unchecked. */
enum { DOUBTED = 64 };

/* Finds a crossing in the last step, from the time given to *end, and confirms it. Where fast components follow slow ones a spurious
 * crossing cuts the step; a run whose steps are cut again and again would never finish. */
static hbg_rt_status locate(hbg_rt_engine *engine, double from, double *end) {
    hbg_rt_integrator *stepper = engine->stepper;
    hbg_rt_roots *roots = engine->roots;
    bool *crossed = &engine->moment.crossed, doubtful, cuts = stepper->polish != NULL;
    double last = *end;
    hbg_rt_status status;
    int tries = cuts && roots->pace.cuts >= 100 + engine->result->steps / 4 ? DOUBTED : 0;
    do {
        *end = last;
        status = hbg_rt_roots_find(roots, &engine->field, stepper, from, crossed, end);
        warn_of_hurry(engine);
        doubtful = status == HBG_RT_OK && *crossed && tries++ < DOUBTED;
        if (doubtful) status = hbg_rt_roots_confirm(roots, &engine->field, stepper, *end, crossed);
        from = *end;
    } while (status == HBG_RT_OK && doubtful && !*crossed && from < last && !roots->pace.cut);
    engine->moment.cut = status == HBG_RT_OK && roots->pace.cut && !*crossed && *end < last;
    roots->pace.cuts += engine->moment.cut;
    if (!engine->moment.cut) roots->pace.doubted = 0;
    if (!*crossed && !engine->moment.cut) *end = last;
    return status;
}

/* Relations that time alone decides change at the end of the step, together with the crossings found
 * there. */
static hbg_rt_status turn(hbg_rt_engine *engine, double *end) {
    hbg_rt_roots *roots = engine->roots;
    int32_t count = engine->moment.crossed ? roots->crossed_count : 0;
    for (int32_t i = 0; i < count && roots->touched; i++) roots->beside[roots->crossed[i]] = true;
    int32_t more = hbg_rt_plan_due(engine->instance, *end, roots->crossed + count);
    for (int32_t i = count; i < count + more; i++) roots->beside[roots->crossed[i]] = false;
    roots->crossed_count = count + more;
    roots->touched = false;
    engine->moment.crossed = engine->moment.turned = true;
    engine->moment.cut = false;
    *end = engine->stepper->t1;
    return hbg_rt_roots_join(roots, &engine->field, engine->stepper, *end, engine->stepper->x1);
}

/* What happens first in a step, from the time given on. */
static hbg_rt_status find_end(hbg_rt_engine *engine, double from, double *end) {
    bool slides = hbg_rt_engine_slides(engine);
    if (engine->schedule.flip > from && !slides) *end = fmin(*end, engine->schedule.flip);
    hbg_rt_status status = slides ? hbg_rt_engine_slide_locate(engine, end) : locate(engine, from, end);
    if (status != HBG_RT_OK) return status;
    if (hbg_rt_is_due(engine->schedule.turn, *end)) return turn(engine, end);
    if (!slides) hbg_rt_engine_flip(engine, end);
    engine->moment.aside = !slides && hbg_rt_engine_is_aside(engine, *end);
    return HBG_RT_OK;
}

/* A step; none while the run is inside the last. */
static hbg_rt_status make_step(hbg_rt_engine *engine) {
    if (engine->moment.inside) return HBG_RT_OK;
    if (engine->t >= engine->schedule.horizon)
        hbg_rt_engine_pause_at(engine, engine->pause); // look farther ahead
    double limit = fmin(engine->schedule.limit, engine->schedule.horizon);
    hbg_rt_status status = engine->stepper->step(engine->stepper, limit);
    engine->result->steps += status == HBG_RT_OK;
    return status;
}

hbg_rt_status hbg_rt_engine_step(hbg_rt_engine *engine) {
    hbg_rt_integrator *stepper = engine->stepper;
    hbg_rt_status status = make_step(engine);
    if (status != HBG_RT_OK) return status;
    double end = stepper->t1;
    const double *x = stepper->x1;
    engine->moment.crossed = engine->moment.cut = engine->moment.turned = engine->moment.aside = false;
    bool waits = engine->strides.on && end < engine->schedule.limit; // the next stride checks the guards here
    engine->strides.unlooked = waits;
    if (stepper->fixed && engine->system->has_events && !waits) {
        status = hbg_rt_engine_refused(engine, hbg_rt_roots_sample(engine->roots, &engine->field, end, x));
        if (status != HBG_RT_OK) return status;
        engine->moment.crossed = engine->roots->crossed_count > 0;
        if (!engine->moment.crossed)
            status = hbg_rt_engine_refused(engine, hbg_rt_accept(engine->instance, end, x));
        if (status != HBG_RT_OK) return status;
    }
    if (!stepper->fixed) {
        bool slides = hbg_rt_engine_slides(engine);
        status = find_end(engine, engine->moment.inside ? engine->t : stepper->t0, &end);
        if (engine->moment.cut) stepper->dense(stepper, end, engine->x_other);
        if (engine->moment.cut) x = engine->x_other;
        if (status == HBG_RT_OK && !engine->moment.crossed && !slides)
            status = hbg_rt_engine_refused(engine, hbg_rt_accept(engine->instance, end, x));
        if (status != HBG_RT_OK) return status;
    }
    engine->end = end;
    return HBG_RT_OK;
}

void hbg_rt_engine_state_at_end(const hbg_rt_engine *engine, double *x) {
    hbg_rt_integrator *stepper = engine->stepper;
    bool inside = (engine->moment.crossed || engine->moment.cut) && engine->end < stepper->t1;
    if (inside) stepper->dense(stepper, engine->end, x);
    if (inside && stepper->polish) stepper->polish(stepper, engine->end, x);
    if (!inside) memcpy(x, stepper->x1, (size_t)engine->field.n * sizeof *x);
}

bool hbg_rt_engine_only_pauses(const hbg_rt_engine *engine, double t) {
    return engine->schedule.pauses && engine->stepper->fixed &&
           hbg_rt_grid_time(&engine->steps, nearbyint(t / engine->steps.step)) == t;
}

void hbg_rt_engine_arrive(hbg_rt_engine *engine) {
    bool known = engine->end >= engine->schedule.limit && !hbg_rt_engine_only_pauses(engine, engine->end);
    hbg_rt_engine_state_at_end(engine, engine->x);
    engine->t = engine->end;
    engine->moment.is_instant = engine->moment.crossed || known;
    if (engine->moment.aside) return; // sizes and rounding are those of the ends of steps
    hbg_rt_field_size_update(&engine->field, engine->x);
    hbg_rt_rounding_note(&engine->field, engine->stepper, engine->t, engine->x);
}

hbg_rt_status hbg_rt_engine_book(hbg_rt_engine *engine, double end) {
    return hbg_rt_ledger_step(engine->ledger, &engine->field, engine->stepper, engine->t, end);
}

/* One step, cut where a relation changes. */
static hbg_rt_status integrate(hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    hbg_rt_status status = hbg_rt_engine_step(engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_book(engine, engine->end);
    if (status == HBG_RT_OK && observer->inside) status = observer->inside(observer->context, engine->end);
    if (status == HBG_RT_OK) hbg_rt_engine_arrive(engine);
    return status;
}

static hbg_rt_status check_chattering(hbg_rt_engine *engine) {
    char name[120];
    bool loose;
    hbg_rt_roots *roots = engine->roots;
    hbg_rt_field *field = &engine->field;
    hbg_rt_status status = hbg_rt_roots_rest(roots, field, engine->t, engine->x, &loose);
    if (status == HBG_RT_OK && !loose && engine->slide) status = hbg_rt_engine_slide_begin(engine, &loose);
    int32_t root = loose ? -1 : hbg_rt_roots_chattering(roots);
    if (status != HBG_RT_OK || root < 0) return status;
    status = hbg_rt_roots_loosen(roots, field, engine->t, engine->x, &loose);
    if (status != HBG_RT_OK || loose) return status;
    hbg_rt_indicator_name(engine->instance, root, name, sizeof name);
    (void)snprintf(engine->words, sizeof engine->words,
                   "chattering: `%.80s` in a law switches back and forth without progress; a slope, such as "
                   "tanh(x/x0), an automaton that sticks, or `--chattering slide` is a way out",
                   name);
    engine->field.reason = engine->words;
    engine->result->verdict = HBG_RT_CHATTERING;
    return HBG_RT_VERDICT;
}

/* The problem has turned out to be stiff. */
static hbg_rt_status change_over(hbg_rt_engine *engine) {
    hbg_rt_status status = HBG_RT_OK;
    /* solvers are made with ordinary arithmetic, as at the start */
    hbg_rt_subnormal_restore(engine->arithmetic);
    engine->stepper->end(engine->stepper);
    engine->stepper = NULL;
    if (engine->other_jacobian) status = hbg_rt_engine_lay_out_jacobian(engine);
    if (status == HBG_RT_OK) status = make_stepper(engine, HBG_RT_STIFF);
    (void)hbg_rt_subnormal_skip();
    return status;
}

/* Another mode has another Jacobian. If all its entries existed before, it needs no new memory. */
static hbg_rt_status change_mode(hbg_rt_engine *engine) {
    hbg_rt_integrator *stepper = engine->stepper;
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(engine->instance);
    if (!engine->wider_jacobian && hbg_rt_jacobian_take(&engine->field.jacobian, pattern)) {
        engine->other_jacobian = false;
        return stepper->begin(stepper, engine->t, engine->x);
    }
    hbg_rt_subnormal_restore(engine->arithmetic); // as above
    engine->stepper->end(engine->stepper);
    engine->stepper = NULL;
    hbg_rt_status status = hbg_rt_engine_lay_out_jacobian(engine);
    if (status == HBG_RT_OK) status = make_stepper(engine, HBG_RT_WIDER);
    (void)hbg_rt_subnormal_skip();
    return status;
}

hbg_rt_status hbg_rt_engine_go_on(hbg_rt_engine *engine) {
    hbg_rt_integrator *stepper = engine->stepper;
    engine->moment.inside = false;
    if (engine->moment.aside) {
        hbg_rt_engine_leave_aside(engine);
        return HBG_RT_OK;
    }
    if (engine->moment.is_instant && engine->moment.new_mode)
        engine->field.rounding.step = 0; // contributions to rates have to be found again
    if (!engine->moment.is_instant && stepper->stiff && engine->setup->changes_over)
        return change_over(engine);
    if (!engine->moment.is_instant && hbg_rt_engine_slides(engine)) return hbg_rt_engine_slide_on(engine);
    if (!engine->moment.is_instant)
        return engine->moment.cut ? stepper->begin(stepper, engine->t, engine->x) : HBG_RT_OK;
    hbg_rt_status status = engine->moment.crossed ? check_chattering(engine) : HBG_RT_OK;
    if (status != HBG_RT_OK || engine->t >= engine->setup->demand.stop) return status;
    if (engine->moment.new_mode && stepper->implicit) return change_mode(engine);
    if (hbg_rt_engine_tick_closes(engine)) return HBG_RT_OK;
    return stepper->begin(stepper, engine->t, engine->x);
}

void hbg_rt_engine_count_instant(hbg_rt_engine *engine) {
    const hbg_rt_roots *roots = engine->roots;
    if (engine->moment.aside) return;
    for (int32_t i = 0; engine->moment.crossed && !engine->stepper->fixed && i < roots->crossed_count; i++)
        engine->result->crossings += !hbg_rt_is_aside(engine->instance, roots->crossed[i]);
    engine->field.instants += engine->moment.crossed; // planned instants have been counted already
}

/* What happens at the end of a step. */
static hbg_rt_status pass(hbg_rt_engine *engine) {
    hbg_rt_status status;
    if (engine->moment.is_instant) {
        hbg_rt_engine_count_instant(engine);
        status = hbg_rt_engine_instant(engine);
    } else {
        status = hbg_rt_engine_show(engine, engine->setup->observer.ended);
    }
    return status == HBG_RT_OK ? hbg_rt_engine_go_on(engine) : status;
}

static hbg_rt_status flow(hbg_rt_engine *engine) {
    const hbg_rt_setup *setup = engine->setup;
    if (!goes_on(engine)) return HBG_RT_INTERRUPTED;
    double stop = fmin(setup->demand.stop, engine->pause);
    while (engine->t < stop && !hbg_rt_same_instant(engine->t, stop)) {
        if (setup->step_limit > 0 && engine->result->steps >= setup->step_limit) return HBG_RT_TOO_MANY_STEPS;
        bool strode;
        hbg_rt_status status = hbg_rt_engine_stride(engine, &strode);
        if (status == HBG_RT_OK && !strode) status = integrate(engine);
        if (status == HBG_RT_OK && !strode) status = pass(engine);
        // an interrupted run continues with a step of its own
        if (status == HBG_RT_OK && !engine->moment.inside && !goes_on(engine)) status = HBG_RT_INTERRUPTED;
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_engine_advance(hbg_rt_engine *engine) {
    engine->arithmetic = hbg_rt_subnormal_skip();
    hbg_rt_status status = flow(engine);
    hbg_rt_subnormal_restore(engine->arithmetic);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

hbg_rt_status hbg_rt_engine_finish(hbg_rt_engine *engine, hbg_rt_status status) {
    hbg_rt_result *result = engine->result;
    hbg_rt_field *field = &engine->field;
    /* a system that did not enter its mode has no values; declared energies must not be settled */
    bool entered = field->jacobian.start != NULL, flowed = engine->stepper != NULL;
    hbg_rt_status settled = entered ? HBG_RT_OK : status;
    if (entered && flowed && !engine->moment.taken_back)
        settled = hbg_rt_settle(engine->instance, engine->t, engine->x);
    if (settled == HBG_RT_OK)
        settled = hbg_rt_ledger_stored(engine->ledger, field, engine->t, engine->x, result->stored_at_end);
    hbg_rt_engine_stride_book(engine);
    if (settled == HBG_RT_OK) hbg_rt_ledger_close(engine->ledger, field, result);
    if (status == HBG_RT_OK && settled != HBG_RT_OK) status = hbg_rt_engine_refused(engine, settled);
    memcpy(result->state, engine->x, (size_t)field->n * sizeof *result->state);
    result->t = engine->t;
    if (engine->stepper != NULL) engine->stepper->end(engine->stepper);
    engine->stepper = NULL;
    if (engine->setup->solver) hbg_rt_lend(engine->instance, NULL);
    result->rates = field->rates;
    result->jacobians = field->jacobians;
    result->rejected = field->rejected;
    return status;
}
