/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything that changes in an engine between two steps, as one list that is written or read: its time and
 * state, the schedule, the integrator, relations, event times, the ledger, and the counts. */
#include "rt/door_impl.h"

static void keep_field(hbg_rt_field *field, hbg_rt_archive *archive) {
    HBG_RT_KEEP(archive, field->max_step);
    HBG_RT_KEEP_ARRAY(archive, field->size, field->n);
    HBG_RT_KEEP(archive, field->stiff_from);
    HBG_RT_KEEP(archive, field->instants);
    HBG_RT_KEEP(archive, field->floor);
    HBG_RT_KEEP(archive, field->step);
    HBG_RT_KEEP_ARRAY(archive, field->rounding.rate, field->n);
    HBG_RT_KEEP_ARRAY(archive, field->rounding.memory, field->n);
    HBG_RT_KEEP_ARRAY(archive, field->rounding.size, field->n);
    HBG_RT_KEEP_ARRAY(archive, field->rounding.then, field->n);
    HBG_RT_KEEP(archive, field->rounding.step);
    HBG_RT_KEEP(archive, field->rounding.steps);
    HBG_RT_KEEP(archive, field->rates);
    HBG_RT_KEEP(archive, field->jacobians);
    HBG_RT_KEEP(archive, field->rejected);
    HBG_RT_KEEP(archive, field->status);
    HBG_RT_KEEP(archive, field->when);
    HBG_RT_KEEP(archive, field->worst);
}

#define ROOT_ARRAYS(X)                                                                                       \
    X(now)                                                                                                   \
    X(before)                                                                                                \
    X(shaken)                                                                                                \
    X(size)                                                                                                  \
    X(size_before)                                                                                           \
    X(reach)                                                                                                 \
    X(clear)                                                                                                 \
    X(sides)                                                                                                 \
    X(told)                                                                                                  \
    X(doubt)                                                                                                 \
    X(side)                                                                                                  \
    X(armed)                                                                                                 \
    X(was_armed)                                                                                             \
    X(begun)                                                                                                 \
    X(lag)                                                                                                   \
    X(wide)                                                                                                  \
    X(excursion)                                                                                             \
    X(came)                                                                                                  \
    X(beyond)                                                                                                \
    X(returns)                                                                                               \
    X(tries)                                                                                                 \
    X(rest)                                                                                                  \
    X(crossed)                                                                                               \
    X(carried)                                                                                               \
    X(tip)                                                                                                   \
    X(not_before)                                                                                            \
    X(lost)                                                                                                  \
    X(beside)

static void keep_roots(hbg_rt_roots *roots, int32_t states, hbg_rt_archive *archive) {
    for (int i = 0; i < HBG_RT_SAMPLES; i++) HBG_RT_KEEP_ARRAY(archive, roots->sample[i], roots->count);
#define X(name) HBG_RT_KEEP_ARRAY(archive, roots->name, roots->count);
    ROOT_ARRAYS(X)
#undef X
    HBG_RT_KEEP_ARRAY(archive, roots->then, states);
    HBG_RT_KEEP(archive, roots->pace);
    HBG_RT_KEEP(archive, roots->asked.when);
    HBG_RT_KEEP(archive, roots->asked.here);
    HBG_RT_KEEP(archive, roots->crossed_count);
    HBG_RT_KEEP(archive, roots->touched);
    HBG_RT_KEEP(archive, roots->has_tips);
    if (archive->from) hbg_rt_course_forget(roots->course); // the mode may be another one
}

static void keep_ledger(hbg_rt_ledger *ledger, int32_t powers, hbg_rt_archive *archive) {
    HBG_RT_KEEP_ARRAY(archive, ledger->work, powers);
    HBG_RT_KEEP_ARRAY(archive, ledger->rest, powers);
    HBG_RT_KEEP(archive, ledger->lost);
    HBG_RT_KEEP(archive, ledger->lost_rest);
    HBG_RT_KEEP(archive, ledger->given);
    HBG_RT_KEEP(archive, ledger->given_rest);
    HBG_RT_KEEP(archive, ledger->before);
    HBG_RT_KEEP(archive, ledger->scale);
}

static void keep_schedule(hbg_rt_engine *engine, hbg_rt_archive *archive) {
    hbg_rt_schedule *of = &engine->schedule;
    int32_t clocks = engine->system->clock_count;
    HBG_RT_KEEP(archive, of->limit);
    HBG_RT_KEEP(archive, of->pauses);
    HBG_RT_KEEP(archive, of->given);
    HBG_RT_KEEP(archive, of->turn);
    HBG_RT_KEEP(archive, of->flip);
    HBG_RT_KEEP(archive, of->horizon);
    HBG_RT_KEEP(archive, of->next_break);
    HBG_RT_KEEP(archive, of->action);
    HBG_RT_KEEP(archive, of->override);
    HBG_RT_KEEP(archive, of->overrides_before);
    HBG_RT_KEEP_ARRAY(archive, of->tick_next, clocks);
    HBG_RT_KEEP_ARRAY(archive, of->tick_rates, clocks > 0 ? engine->field.n : 0);
    HBG_RT_KEEP(archive, of->is_compared);
    HBG_RT_KEEP(archive, of->tick_changes);
    HBG_RT_KEEP(archive, of->tick_wait);
}

static void keep_result(hbg_rt_engine *engine, hbg_rt_archive *archive) {
    hbg_rt_result *of = engine->result;
    HBG_RT_KEEP(archive, of->steps);
    HBG_RT_KEEP(archive, of->crossings);
    HBG_RT_KEEP(archive, of->commits);
    HBG_RT_KEEP(archive, of->verdict);
    HBG_RT_KEEP(archive, of->warnings);
    HBG_RT_KEEP(archive, of->warning);
    HBG_RT_KEEP(archive, of->rests);
    HBG_RT_KEEP(archive, of->rests_first);
    HBG_RT_KEEP(archive, of->rested);
    HBG_RT_KEEP_ARRAY(archive, of->stored_at_start, engine->system->storage_count);
    HBG_RT_KEEP_ARRAY(archive, of->modes, engine->system->automaton_count);
}

void hbg_rt_engine_keep(hbg_rt_engine *engine, hbg_rt_archive *archive) {
    const hbg_rt_description *system = engine->system;
    HBG_RT_KEEP_ARRAY(archive, engine->x, engine->field.n);
    HBG_RT_KEEP_ARRAY(archive, engine->x_other, engine->field.n);
    HBG_RT_KEEP(archive, engine->t);
    HBG_RT_KEEP(archive, engine->end);
    HBG_RT_KEEP(archive, engine->pause);
    HBG_RT_KEEP(archive, engine->row_next);
    HBG_RT_KEEP(archive, engine->hurry_told);
    HBG_RT_KEEP(archive, engine->unanswered_told);
    HBG_RT_KEEP(archive, engine->other_jacobian);
    HBG_RT_KEEP(archive, engine->strides.unlooked);
    HBG_RT_KEEP(archive, engine->strides.stale);
    HBG_RT_KEEP(archive, engine->moment);
    keep_field(&engine->field, archive);
    keep_roots(engine->roots, engine->field.n, archive);
    HBG_RT_KEEP_ARRAY(archive, engine->zenos, engine->roots->count - engine->roots->guard_first + 1);
    keep_ledger(engine->ledger, system->power_count, archive);
    keep_schedule(engine, archive);
    keep_result(engine, archive);
    engine->stepper->keep(engine->stepper, archive);
}
