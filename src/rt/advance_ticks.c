/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ticks that change nothing the field depends on: a sample that is only recorded or compared, an automaton
 * that stays in its state. A multistep method would restart at each of them, with the shortest steps and the
 * lowest order: it takes more steps, and their errors add up to many times the tolerance. So it continues
 * where states and rates are unchanged, to the last bit. A change that shows only later, such as a factor of
 * a value that is 0 now, is a kink that error control handles.
 *
 * A tick that does change something has wasted two evaluations: after such ticks the comparison is made less
 * often. */
#include <math.h>
#include <string.h>

#include "rt/advance_impl.h"

enum { RAREST = 6 }; /* once in 2^6 ticks */

/* Clocks only: actions and the kinks of tables need new steps. */
static bool is_tick(const hbg_rt_engine *engine) {
    const hbg_rt_setup *setup = engine->setup;
    double t = engine->t;
    bool acts = engine->schedule.action < setup->action_count &&
                hbg_rt_engine_is_due(engine, setup->actions[engine->schedule.action].time);
    bool overrides = engine->schedule.override < setup->override_count &&
                     hbg_rt_engine_is_due(engine, setup->overrides[engine->schedule.override].time);
    return engine->system->clock_count > 0 && engine->moment.planned && !acts && !overrides &&
           !hbg_rt_engine_is_due(engine, engine->schedule.next_break) && t == engine->stepper->t1 &&
           t < setup->demand.stop;
}

/* Without rates nothing is compared: the next step finds out whether that is a failure. */
static bool find_rates(hbg_rt_engine *engine, double *rates) {
    hbg_rt_status before = engine->field.status;
    bool found = hbg_rt_field_rates(&engine->field, engine->t, engine->x, rates) == HBG_RT_OK;
    engine->field.status = before;
    return found;
}

void hbg_rt_engine_tick_opens(hbg_rt_engine *engine) {
    const hbg_rt_integrator *stepper = engine->stepper;
    size_t size = (size_t)engine->field.n * sizeof *engine->x;
    engine->schedule.is_compared = false;
    if (!stepper->remembers || !is_tick(engine) || memcmp(engine->x, stepper->x1, size) != 0) return;
    if (engine->schedule.tick_wait-- > 0) return;
    engine->schedule.tick_wait = 0;
    engine->schedule.is_compared = find_rates(engine, engine->schedule.tick_rates);
}

static bool is_same(const hbg_rt_engine *engine, const double *rates) {
    const hbg_rt_field *field = &engine->field;
    bool entered = engine->system->has_events && (engine->moment.new_mode || engine->search.commits > 0);
    if (entered || engine->other_jacobian) return false;
    for (int32_t i = 0; i < field->n; i++) // energies of dependent storages follow the others
        if (fabs(engine->x[i] - engine->stepper->x1[i]) > HBG_RT_BAND * field->size[i]) return false;
    return memcmp(rates, engine->schedule.tick_rates, (size_t)field->n * sizeof *rates) == 0;
}

bool hbg_rt_engine_tick_closes(hbg_rt_engine *engine) {
    double *rates = engine->field.work[0];
    if (!engine->schedule.is_compared) return false;
    bool same = find_rates(engine, rates) && is_same(engine, rates);
    if (same) engine->schedule.tick_changes = 0;
    if (!same && engine->schedule.tick_changes < RAREST) engine->schedule.tick_changes++;
    engine->schedule.tick_wait = (1 << engine->schedule.tick_changes) - 1;
    return same;
}
