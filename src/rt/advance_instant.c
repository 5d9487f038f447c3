/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instants of a run: the start; instants known in advance, namely actions on inputs, ticks of clocks, and
 * breaks of inputs over time; and crossings, located on the way. At each of them everything due at that time
 * happens together: left limits are recorded, inputs and held values change, relations choose their branches,
 * and energies jump if conservation requires it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/advance_impl.h"

hbg_rt_status hbg_rt_engine_refused(hbg_rt_engine *engine, hbg_rt_status status) {
    if (status == HBG_RT_OK) return status;
    engine->field.status = status;
    engine->field.when = engine->t;
    engine->field.words[0] = '\0';
    return status;
}

/* ---- what comes next ---------------------------------------------------------------------------------- */

static double find_break(const hbg_rt_engine *engine) {
    double t = engine->t, after = t;
    for (int i = 0; i < 8; i++) {
        double next = hbg_rt_next_break(engine->instance, after);
        if (!(next > t)) return INFINITY;
        if (!hbg_rt_same_instant(next, t)) return next;
        after = next;
    }
    return INFINITY;
}

/* Finds the next instant known in advance. One that coincides with the end of a fixed step or with a recorded
 * instant gets exactly that time. */
static void find_limit(hbg_rt_engine *engine) {
    const hbg_rt_setup *setup = engine->setup;
    engine->schedule.next_break = find_break(engine);
    double limit = fmin(setup->demand.stop, engine->schedule.next_break);
    if (engine->schedule.action < setup->action_count)
        limit = fmin(limit, setup->actions[engine->schedule.action].time);
    if (engine->schedule.override < setup->override_count)
        limit = fmin(limit, setup->overrides[engine->schedule.override].time);
    for (int32_t i = 0; i < engine->system->clock_count; i++)
        limit = fmin(limit, hbg_rt_grid_time(&engine->schedule.ticks[i], engine->schedule.tick_next[i]));
    engine->schedule.turn = hbg_rt_plan_next(engine->instance, engine->t, &engine->schedule.horizon);
    engine->schedule.flip = hbg_rt_plan_aside(engine->instance);
    if (engine->schedule.flip < INFINITY)
        engine->schedule.flip = hbg_rt_on_grid(&engine->rows, engine->schedule.flip);
    double next = fmin(limit, engine->schedule.turn);
    engine->schedule.pauses = engine->pause < next && !hbg_rt_same_instant(engine->pause, next);
    limit = fmin(limit, engine->pause);
    engine->schedule.given = limit;
    limit = fmin(limit, engine->schedule.turn);
    limit = hbg_rt_on_grid(&engine->rows, hbg_rt_on_grid(&engine->steps, limit));
    if (hbg_rt_same_instant(limit, setup->demand.stop))
        limit = setup->demand.stop; // the stop is reached exactly
    engine->schedule.limit = limit;
}

void hbg_rt_engine_pause_at(hbg_rt_engine *engine, double t) {
    engine->pause = t;
    find_limit(engine);
}

/* Estimates the number of edges that time alone decides: their number, or the number expected from the mean
 * distance of the first. */
static double count_turns(const hbg_rt_engine *engine) {
    enum { FIRST = 16 };
    double begin = engine->t, stop = engine->setup->demand.stop, t = begin, next = engine->schedule.turn,
           horizon;
    int count = 0;
    for (; count < FIRST && next > t && next < stop; count++) {
        t = next;
        next = hbg_rt_plan_next(engine->instance, t, &horizon);
    }
    (void)hbg_rt_plan_next(engine->instance, begin, &horizon); // restore the plan of the beginning
    return count < FIRST ? count : count * (stop - begin) / (t - begin);
}

double hbg_rt_engine_instant_count(const hbg_rt_engine *engine) {
    double count = engine->setup->action_count + engine->setup->override_count;
    for (int32_t i = 0; i < engine->system->clock_count; i++)
        count += engine->setup->demand.stop / engine->system->clocks[i].period;
    /* breaks are counted as if the next ones came as soon as the first */
    if (engine->schedule.next_break < engine->setup->demand.stop)
        count += engine->setup->demand.stop / (engine->schedule.next_break - engine->t);
    return count + count_turns(engine);
}

/* ---- what happens ------------------------------------------------------------------------------------- */

static hbg_rt_status put_in_force(hbg_rt_engine *engine, const hbg_rt_override *override) {
    switch (override->kind) {
    case HBG_RT_SET_PARAM:
        if (!override->is_line) return hbg_rt_set_param(engine->instance, override->index, override->value);
        return hbg_rt_set_line(engine->instance, override->index, engine->t, override->value,
                               override->slope);
    case HBG_RT_HOLD: return hbg_rt_hold_automaton(engine->instance, override->index, override->state);
    default: return hbg_rt_set_sensor(engine->instance, override->index, override->sensor);
    }
}

/* Applies faults that begin or end here. Changed parameters do work on stored energy, and inputs may do so
 * too. */
static hbg_rt_status override_due(hbg_rt_engine *engine, bool moved) {
    const hbg_rt_setup *setup = engine->setup;
    hbg_rt_status status = HBG_RT_OK;
    engine->schedule.overrides_before = engine->schedule.override;
    for (; engine->schedule.override < setup->override_count && status == HBG_RT_OK;
         engine->schedule.override++) {
        const hbg_rt_override *override = &setup->overrides[engine->schedule.override];
        if (!hbg_rt_engine_is_due(engine, override->time)) break;
        moved = moved || override->kind == HBG_RT_SET_PARAM;
        status = put_in_force(engine, override);
    }
    if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    return moved ? hbg_rt_ledger_moved(engine->ledger, &engine->field, engine->t, engine->x) : HBG_RT_OK;
}

static hbg_rt_status act(hbg_rt_engine *engine) {
    const hbg_rt_setup *setup = engine->setup;
    bool moved = false;
    for (; engine->schedule.action < setup->action_count; engine->schedule.action++) {
        const hbg_rt_action *action = &setup->actions[engine->schedule.action];
        if (!hbg_rt_engine_is_due(engine, action->time)) break;
        hbg_rt_status status = hbg_rt_set_input(engine->instance, action->input, action->value);
        if (engine->log) hbg_rt_log_input(engine->log, action->input);
        moved = engine->t > 0;
        if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    }
    return override_due(engine, moved);
}

static hbg_rt_status tick(hbg_rt_engine *engine, const double *x) {
    int32_t count = 0;
    for (int32_t i = 0; i < engine->system->clock_count; i++) {
        const hbg_rt_grid *ticks = &engine->schedule.ticks[i];
        if (!hbg_rt_engine_is_due(engine, hbg_rt_grid_time(ticks, engine->schedule.tick_next[i]))) continue;
        engine->schedule.ticking[count++] = i;
        engine->schedule.tick_next[i] =
            fmax(engine->schedule.tick_next[i], floor(engine->t / ticks->step)) + 1;
        while (hbg_rt_engine_is_due(engine, hbg_rt_grid_time(ticks, engine->schedule.tick_next[i])))
            engine->schedule.tick_next[i]++;
    }
    if (count == 0) return HBG_RT_OK;
    return hbg_rt_engine_refused(
        engine, hbg_rt_tick(engine->instance, engine->t, x, engine->schedule.ticking, count));
}

static bool has_moved(const hbg_rt_engine *engine, const double *before, const double *after) {
    for (int32_t i = 0; i < engine->field.n; i++) {
        double size = fmax(engine->field.size[i], fmax(fabs(before[i]), fabs(after[i])));
        if (fabs(after[i] - before[i]) > HBG_RT_BAND * size) return true;
    }
    return false;
}

/* ---- the event iteration ------------------------------------------------------------------------------ */

/* Whether a fault begins or ends here. */
static bool has_cause(const hbg_rt_engine *engine) {
    for (int32_t i = engine->schedule.overrides_before; i < engine->schedule.override; i++)
        if (engine->setup->overrides[i].cause >= 0) return true;
    return false;
}

static void tell(const hbg_rt_engine *engine) {
    const hbg_rt_search *search = &engine->search;
    if (!engine->log) return;
    hbg_rt_story event = {.t = engine->t,
                          .roots = engine->roots->carried,
                          .root_count = hbg_rt_engine_list_causes(engine, engine->roots->carried),
                          .planned = !engine->moment.crossed,
                          .first_override = engine->schedule.overrides_before,
                          .override_count = engine->schedule.override - engine->schedule.overrides_before,
                          .lost = search->lost,
                          .verdict = search->verdict,
                          .words = search->words,
                          .rest = engine->moment.rests ? engine->words : NULL,
                          .sizes = engine->field.size};
    event.contributions = hbg_rt_state_sizes(engine->instance);
    hbg_rt_log_fill(engine->log, &event);
    bool quiet = event.visit_count == 0 && event.verdict == HBG_RT_FINE && event.input_count == 0 &&
                 !has_cause(engine);
    const hbg_rt_observer *observer = &engine->setup->observer;
    if ((!quiet || engine->stepper == NULL) && observer->story) observer->story(observer->context, &event);
}

enum { CHATTER_WARNS = 100, CHATTER_ENDS = 10000 };

/* Whether a guard was crossed as soon as it had left equality, in one instant after another, and not only
 * several times in a step. */
static bool has_returned(const hbg_rt_engine *engine) {
    const hbg_rt_roots *roots = engine->roots;
    double step = engine->stepper ? engine->stepper->t1 - engine->stepper->t0 : 0;
    if (engine->t - engine->moment.last_event > HBG_RT_RETURN * step) return false;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->crossed[i] >= roots->guard_first && roots->returns[roots->crossed[i]] > 1) return true;
    return false;
}

static void say_chattering(hbg_rt_engine *engine) {
    hbg_rt_search *search = &engine->search;
    char name[120] = "a guard";
    if (engine->moment.crossed && engine->roots->crossed_count > 0)
        hbg_rt_indicator_name(engine->instance, engine->roots->crossed[0], name, sizeof name);
    if (engine->moment.crossed)
        (void)snprintf(search->words, sizeof search->words,
                       "chattering: `%s` and its opposite follow one another without progress; give the two "
                       "guards different thresholds",
                       name);
    else
        (void)snprintf(search->words, sizeof search->words,
                       "chattering: planned changes follow one another without progress, less than a "
                       "billionth of the run apart; wait longer (`after`), sample less often, or run for a "
                       "shorter time (`--stop`)");
}

/* Whether events follow one another so closely that time makes no headway. */
static bool chatters(hbg_rt_engine *engine) {
    hbg_rt_search *search = &engine->search;
    bool stepped =
        engine->stepper != NULL && engine->stepper->fixed; // a whole step is headway, however short
    bool returned = !stepped && has_returned(engine),
         before = engine->moment.returned; // with two guards, one may be armed in between
    bool close = engine->t - engine->moment.last_event <=
                     (stepped ? 0 : HBG_RT_HEADWAY * engine->setup->demand.stop) ||
                 returned || before;
    engine->moment.returned = returned;
    engine->moment.close = close ? engine->moment.close + 1 : 0;
    engine->moment.last_event = engine->t;
    if (engine->moment.close != CHATTER_WARNS && engine->moment.close != CHATTER_ENDS) return false;
    search->verdict = HBG_RT_CHATTERING;
    say_chattering(engine);
    hbg_rt_put_moves(search);
    return engine->moment.close == CHATTER_ENDS;
}

/* Puts into words where events accumulate, and which relation is crossed again and again. */
static void say_zeno(hbg_rt_engine *engine, double end, char *words, size_t size) {
    char name[120];
    hbg_rt_indicator_name(engine->instance, hbg_rt_zeno_root(engine), name, sizeof name);
    if (engine->stepper->fixed)
        (void)snprintf(
            words, size,
            "events accumulate (Zeno): `%s` leads to one collision after another, too close for the "
            "step of %g s",
            name, engine->setup->demand.step);
    else
        (void)snprintf(words, size,
                       "events accumulate (Zeno): infinitely many of them before t = %.12g s, at `%s`", end,
                       name);
}

/* Whether events accumulate here, by their times or because a contact settles. If contacts may rest, those
 * that bounced come to rest; if none bounced, nothing can rest. */
static bool accumulates(hbg_rt_engine *engine) {
    double end = engine->t;
    bool settles = hbg_rt_settles(engine->instance, engine->t);
    if (!engine->moment.crossed || (!hbg_rt_zeno_add(engine, &end) && !settles)) return false;
    if (engine->setup->zeno_rest &&
        hbg_rt_rest(engine->instance, engine->moment.rested, sizeof engine->moment.rested)) {
        say_zeno(engine, end, engine->words, sizeof engine->words);
        engine->moment.rests = true;
        // requested, but readers of the results should still know
        if (engine->result->warnings++ == 0) {
            engine->result->rests_first = true;
            (void)snprintf(engine->result->warning, sizeof engine->result->warning, "at t = %.9g s: %.400s",
                           engine->t, engine->words);
        }
        hbg_rt_note_rest(engine->result, engine->moment.rested, engine->t);
        hbg_rt_zeno_rest(engine);
        return false;
    }
    engine->search.verdict = HBG_RT_ZENO;
    say_zeno(engine, end, engine->search.words, sizeof engine->search.words);
    hbg_rt_put_moves(&engine->search);
    return true;
}

/* Applies the verdict to the run. */
static hbg_rt_status judge(hbg_rt_engine *engine, hbg_rt_status status) {
    hbg_rt_result *result = engine->result;
    hbg_rt_search *search = &engine->search;
    bool changed = status == HBG_RT_OK && search->commits > 0 && engine->stepper != NULL;
    engine->moment.rests = false;
    if (changed && accumulates(engine)) status = HBG_RT_VERDICT;
    if (changed && status == HBG_RT_OK && chatters(engine)) status = HBG_RT_VERDICT;
    if (status == HBG_RT_OK && search->verdict != HBG_RT_FINE) {
        if (result->warnings++ == 0)
            (void)snprintf(result->warning, sizeof result->warning, "at t = %.9g s: %s", engine->t,
                           search->words);
        if (engine->setup->strict) status = HBG_RT_VERDICT;
    }
    if (status == HBG_RT_VERDICT) {
        result->verdict = search->verdict;
        engine->field.reason = search->words;
    }
    return status;
}

/* Warns of a guard that compares NaN, which does not hold: the author of the model should know. */
static void tell_unanswered(hbg_rt_engine *engine) {
    hbg_rt_result *result = engine->result;
    int32_t root = !engine->unanswered_told ? hbg_rt_unanswered(engine->instance) : -1;
    char name[160];
    if (root < 0) return;
    double lost = engine->roots->lost[root];
    engine->unanswered_told = true;
    hbg_rt_indicator_name(engine->instance, root, name, sizeof name);
    if (result->warnings++ > 0) return;
    (void)snprintf(result->warning, sizeof result->warning,
                   "at t = %.9g s: `%s` compares what is no number, like 0/0: it counts as false",
                   isnan(lost) ? engine->t : lost, name);
}

/* Undoes an instant that did not settle: the run ends with the state before it. */
static void take_back(hbg_rt_engine *engine) {
    int32_t automata = engine->system->automaton_count;
    memcpy(engine->x, engine->x_other, (size_t)engine->field.n * sizeof *engine->x);
    memcpy(engine->search.states, engine->states_before, (size_t)automata * sizeof *engine->states_before);
    (void)hbg_rt_enter(engine->instance, engine->states_before);
    engine->moment.taken_back = true; // inputs keep their new values: dependent storages must not follow them
}

/* Guards evaluated once a step are counted by the automata they move: a stride knows no more of them. */
static int64_t count_moved(const hbg_rt_engine *engine) {
    int64_t moved = 0;
    for (int32_t i = 0; i < engine->system->automaton_count; i++)
        moved += engine->states_before[i] != engine->search.states[i];
    return moved == 0 && engine->search.commits > 0 ? 1 : moved;
}

/* Searches modes and energies until time advances. The state before is in x_other. A verdict on a completed
 * instant ends the run after it. */
static hbg_rt_status search(hbg_rt_engine *engine, bool *moved) {
    hbg_rt_search *search = &engine->search;
    int32_t automata = engine->system->automaton_count;
    if (!search->is_open) {
        memcpy(engine->x_other, engine->x, (size_t)engine->field.n * sizeof *engine->x);
        memcpy(engine->states_before, search->states, (size_t)automata * sizeof *search->states);
        search->x = engine->x;
    }
    bool at_start = engine->stepper == NULL;
    hbg_rt_roots *roots = engine->roots;
    bool located = !at_start && !engine->stepper->fixed;
    search->outlook = (hbg_rt_outlook){.ahead = located ? HBG_RT_SLIDE_TRIAL * engine->field.max_step : 0,
                                       .error = engine->field.rtol};
    int32_t count = engine->moment.crossed || engine->moment.turned ? roots->crossed_count : 0;
    /* a guard that was only touched has not crossed: the band of equality decides whether it holds */
    for (int32_t i = 0; i < count; i++) {
        int32_t k = roots->crossed[i];
        roots->carried[i] = roots->touched || roots->beside[k] ? ~k : k;
    }
    hbg_rt_tell_doubts(engine->instance,
                       at_start || engine->stepper->fixed ? NULL : roots->wide + roots->guard_first);
    hbg_rt_status found = hbg_rt_instant(search, engine->t, at_start, roots->carried, count);
    hbg_rt_tell_doubts(engine->instance, NULL);
    if (found == HBG_RT_OK && search->is_open) return found;
    hbg_rt_status status = judge(engine, found);
    tell_unanswered(engine);
    tell(engine);
    engine->moment.ends = status == HBG_RT_VERDICT;
    if (found != HBG_RT_OK) {
        take_back(engine);
        return found == HBG_RT_VERDICT ? found : hbg_rt_engine_refused(engine, found);
    }
    engine->moment.new_mode =
        memcmp(engine->states_before, search->states, (size_t)automata * sizeof *search->states) != 0;
    engine->other_jacobian = engine->other_jacobian || engine->moment.new_mode;
    engine->result->commits += search->commits;
    if (engine->moment.crossed && engine->stepper->fixed) engine->result->crossings += count_moved(engine);
    *moved = engine->moment.new_mode || search->commits > 0;
    return hbg_rt_engine_refused(engine, hbg_rt_engine_show(engine, engine->setup->observer.searched));
}

/* x := x⁺; the state before is in x_other. */
static hbg_rt_status jump(hbg_rt_engine *engine, bool *moved) {
    if (engine->system->has_events) return search(engine, moved);
    double *before = engine->x;
    hbg_rt_status status = hbg_rt_jump(engine->instance, engine->t, before, engine->x_other);
    if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    *moved = has_moved(engine, before, engine->x_other);
    bool on_the_way =
        engine->stepper != NULL || engine->setup->tells_start; // everything about the start is known before
    if (*moved && on_the_way && engine->log)
        hbg_rt_log_jump(engine->log, engine->t, engine->search.states, before, engine->x_other);
    if (on_the_way || has_cause(engine))
        tell(engine); // nothing switches, but a fault or an input is an event
    engine->schedule.overrides_before = engine->schedule.override;
    engine->x = engine->x_other;
    engine->x_other = before;
    return HBG_RT_OK;
}

static hbg_rt_status freeze(hbg_rt_engine *engine) {
    if (engine->stepper != NULL && engine->stepper->fixed) return HBG_RT_OK;
    return hbg_rt_engine_refused(engine,
                                 hbg_rt_roots_freeze(engine->roots, &engine->field, engine->t, engine->x));
}

/* Relations choose their branches where some crossed, or a planned event happened. */
static hbg_rt_status branch(hbg_rt_engine *engine) {
    hbg_rt_roots *roots = engine->roots;
    if (engine->stepper->fixed)
        return HBG_RT_OK; // methods that evaluate guards once a step freeze no branches
    return hbg_rt_engine_refused(engine, (engine->moment.crossed ? hbg_rt_roots_cross : hbg_rt_roots_meet)(
                                             roots, &engine->field, engine->t, engine->x));
}

/* ---- the start ---------------------------------------------------------------------------------------- */

/* Takes the first samples, which guards read, after the jump into the start mode and before any guard is
 * evaluated. */
static hbg_rt_status tick_at_start(hbg_rt_engine *engine) {
    if (engine->system->clock_count == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_jump(engine->instance, 0, engine->x, engine->x_other);
    return status == HBG_RT_OK ? tick(engine, engine->x_other) : hbg_rt_engine_refused(engine, status);
}

/* Shows values in the start mode, which may be left at once: those after the jump into it, before any guard
 * is evaluated. If that jump cannot be computed there is no row; only lack of memory is an error. */
static hbg_rt_status look_behind_jump(hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    hbg_rt_status status = hbg_rt_jump(engine->instance, 0, engine->x, engine->x_other);
    if (status == HBG_RT_OK && observer->declared) observer->declared(observer->context, engine->x_other);
    return status == HBG_RT_NO_MEMORY ? hbg_rt_engine_refused(engine, status) : HBG_RT_OK;
}

static hbg_rt_status jump_at_start(hbg_rt_engine *engine, bool *moved) {
    bool again = false;
    hbg_rt_status status = act(engine);
    if (status == HBG_RT_OK && engine->system->has_events) status = tick_at_start(engine);
    if (status == HBG_RT_OK && engine->system->has_events) status = look_behind_jump(engine);
    if (status == HBG_RT_OK) status = jump(engine, moved);
    if (status == HBG_RT_OK)
        status =
            hbg_rt_ledger_after(engine->ledger, &engine->field, 0, engine->x, engine->search.by_parameters);
    if (status != HBG_RT_OK || engine->system->clock_count == 0 || engine->system->has_events) return status;
    /* samples are taken after the jump, and values that depend on them may jump in turn */
    status = hbg_rt_ledger_before(engine->ledger, &engine->field, 0, engine->x);
    if (status == HBG_RT_OK) status = tick(engine, engine->x);
    if (status == HBG_RT_OK) status = jump(engine, &again);
    if (status == HBG_RT_OK)
        status =
            hbg_rt_ledger_after(engine->ledger, &engine->field, 0, engine->x, engine->search.by_parameters);
    *moved = *moved || again;
    return status;
}

hbg_rt_status hbg_rt_engine_pass_start(hbg_rt_engine *engine, bool *moved) {
    hbg_rt_field *field = &engine->field;
    memcpy(engine->result->state, engine->x, (size_t)field->n * sizeof *engine->x); // as declared
    hbg_rt_status status = hbg_rt_ledger_before(engine->ledger, field, 0, engine->x);
    if (status == HBG_RT_OK) status = jump_at_start(engine, moved);
    if (status == HBG_RT_OK && engine->setup->fixed) hbg_rt_field_size_update(field, engine->x);
    if (status == HBG_RT_OK && engine->other_jacobian) status = hbg_rt_engine_lay_out_jacobian(engine);
    if (status == HBG_RT_OK && !engine->setup->fixed) {
        status = hbg_rt_field_size_start(field, 0, engine->x);
        if (status == HBG_RT_OK) status = freeze(engine);
    }
    return status;
}

hbg_rt_status hbg_rt_engine_close_start(hbg_rt_engine *engine) {
    find_limit(engine);
    return engine->moment.ends ? HBG_RT_VERDICT : HBG_RT_OK;
}

hbg_rt_status hbg_rt_engine_instant_at_start(hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    bool moved = false;
    hbg_rt_status status = hbg_rt_engine_pass_start(engine, &moved);
    if (status == HBG_RT_OK && observer->started) status = observer->started(observer->context, moved);
    return status == HBG_RT_OK ? hbg_rt_engine_close_start(engine) : status;
}

/* ---- an instant on the way ---------------------------------------------------------------------------- */

/* A state at rest so far may move in another mode, and its size is found from its rate; the new Jacobian has
 * to be laid out first. Relations that compare the state get a size, too. */
static hbg_rt_status find_sizes(hbg_rt_engine *engine, bool moved) {
    hbg_rt_field *field = &engine->field;
    if (engine->stepper->fixed || !hbg_rt_field_has_no_size(field)) return HBG_RT_OK;
    hbg_rt_status status = engine->other_jacobian ? hbg_rt_engine_lay_out_jacobian(engine) : HBG_RT_OK;
    if (status == HBG_RT_OK) status = hbg_rt_field_size_start(field, engine->t, engine->x);
    return status == HBG_RT_OK && moved ? freeze(engine) : status;
}

/* Relations choose branches, energies jump, and relations choose branches again if energies moved. */
static hbg_rt_status settle_down(hbg_rt_engine *engine) {
    hbg_rt_field *field = &engine->field;
    bool moved = false;
    hbg_rt_status status = engine->search.is_open ? HBG_RT_OK : branch(engine);
    if (status == HBG_RT_OK) status = jump(engine, &moved);
    if (status != HBG_RT_OK || engine->search.is_open) return status;
    hbg_rt_field_size_update(field, engine->x);
    if (moved) status = freeze(engine);
    if (status == HBG_RT_OK) status = find_sizes(engine, moved);
    if (status == HBG_RT_OK && engine->system->has_events)
        status =
            hbg_rt_engine_refused(engine, hbg_rt_roots_refresh(engine->roots, field, engine->t, engine->x,
                                                               moved && !engine->stepper->fixed));
    return status;
}

hbg_rt_status hbg_rt_engine_open(hbg_rt_engine *engine) {
    engine->moment.planned = false;
    if (engine->moment.aside) return HBG_RT_OK;
    if (engine->log) hbg_rt_log_begin(engine->log);
    engine->schedule.overrides_before = engine->schedule.override;
    engine->moment.planned = hbg_rt_engine_is_due(engine, engine->schedule.given) ||
                             (engine->moment.turned && hbg_rt_engine_slides(engine));
    hbg_rt_engine_tick_opens(engine);
    hbg_rt_status status = hbg_rt_settle(engine->instance, engine->t, engine->x);
    if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    return hbg_rt_ledger_before(engine->ledger, &engine->field, engine->t, engine->x);
}

/* At a planned instant, only relations that time alone decides count as crossed. */
static void take_turns(hbg_rt_engine *engine) {
    hbg_rt_roots *roots = engine->roots;
    roots->crossed_count = hbg_rt_plan_due(engine->instance, engine->t, roots->crossed);
    roots->touched = false;
    for (int32_t i = 0; i < roots->crossed_count; i++) roots->beside[roots->crossed[i]] = false;
    hbg_rt_ask_all(engine->instance);
}

hbg_rt_status hbg_rt_engine_pass(hbg_rt_engine *engine) {
    if (engine->moment.aside) return hbg_rt_engine_pass_aside(engine);
    bool slid = hbg_rt_engine_slide_stop(engine);
    bool begins = engine->moment.planned && !engine->search.is_open;
    hbg_rt_status status = begins ? act(engine) : HBG_RT_OK;
    if (status == HBG_RT_OK && begins) status = tick(engine, engine->x);
    hbg_rt_plan_reach(engine->instance, engine->t);
    /* a planned event changes more than the relations crossed: all choose their branches again */
    engine->moment.crossed = engine->moment.crossed && !engine->moment.planned;
    if (begins && engine->moment.turned) take_turns(engine);
    if (status == HBG_RT_OK) status = settle_down(engine);
    if (status == HBG_RT_OK && !engine->search.is_open)
        status = hbg_rt_ledger_after(engine->ledger, &engine->field, engine->t, engine->x,
                                     engine->search.by_parameters);
    if (slid && status == HBG_RT_OK) status = hbg_rt_engine_slide_left(engine);
    if (slid && status == HBG_RT_OK) hbg_rt_engine_slide_last(engine);
    return status;
}

hbg_rt_status hbg_rt_engine_close(hbg_rt_engine *engine) {
    // a discrete state that was entered may wait
    bool may_wait = engine->system->has_events && !engine->moment.aside;
    if (engine->moment.planned || engine->moment.turned || may_wait) find_limit(engine);
    return engine->moment.ends ? HBG_RT_VERDICT : HBG_RT_OK;
}

hbg_rt_status hbg_rt_engine_instant(hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    hbg_rt_status status = engine->search.is_open ? HBG_RT_OK : hbg_rt_engine_open(engine);
    if (status == HBG_RT_OK && !engine->search.is_open) status = hbg_rt_engine_show(engine, observer->ended);
    if (status == HBG_RT_OK) status = hbg_rt_engine_pass(engine);
    if (status == HBG_RT_OK && engine->search.is_open) return status; // more commits follow
    if (status == HBG_RT_OK) status = hbg_rt_engine_show(engine, observer->passed);
    return status == HBG_RT_OK ? hbg_rt_engine_close(engine) : status;
}
