/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times at which relations aside change (aside.c). Outputs get a row on either side, and integrals of powers end
 * and begin anew. States and modes are not affected: there is no event iteration, and the integrator continues
 * in the same step. */
#include <math.h>

#include "rt/advance_impl.h"

/* Time alone may change them where something is crossed, which ends the step then. */
void hbg_rt_engine_flip(hbg_rt_engine *engine, double *end) {
    hbg_rt_roots *roots = engine->roots;
    int32_t count = engine->moment.crossed ? roots->crossed_count : 0;
    if (engine->moment.cut || !hbg_rt_is_due(engine->schedule.flip, *end)) return;
    int32_t more = hbg_rt_plan_due(engine->instance, *end, roots->crossed + count);
    for (int32_t i = 0; i < count && roots->touched; i++) roots->beside[roots->crossed[i]] = true;
    for (int32_t i = count; i < count + more; i++) roots->beside[roots->crossed[i]] = false;
    roots->crossed_count = count + more;
    roots->touched = false;
    *end = fmin(fmax(*end, engine->schedule.flip), engine->stepper->t1);
    engine->moment.crossed = engine->moment.turned = true;
}

bool hbg_rt_engine_is_aside(const hbg_rt_engine *engine, double end) {
    const hbg_rt_roots *roots = engine->roots;
    if (!engine->moment.crossed || end >= engine->schedule.limit) return false;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (!hbg_rt_is_aside(engine->instance, roots->crossed[i])) return false;
    return true;
}

hbg_rt_status hbg_rt_engine_pass_aside(hbg_rt_engine *engine) {
    hbg_rt_plan_reach(engine->instance, engine->t);
    return hbg_rt_engine_refused(engine,
                                 hbg_rt_roots_cross(engine->roots, &engine->field, engine->t, engine->x));
}

/* One that changes back and forth on the spot is as it is from now on, or is not asked again in this step. */
static void calm_down(hbg_rt_engine *engine) {
    hbg_rt_roots *roots = engine->roots;
    for (int32_t k = hbg_rt_roots_chattering(roots); k >= 0; k = hbg_rt_roots_chattering(roots)) {
        roots->returns[k] = 0;
        if (hbg_rt_loosen(engine->instance, k, HBG_RT_AS_IT_IS))
            roots->rest[k] = -1;
        else
            roots->not_before[k] = engine->stepper->t1;
    }
}

void hbg_rt_engine_leave_aside(hbg_rt_engine *engine) {
    calm_down(engine);
    engine->moment.inside = engine->t < engine->stepper->t1;
}

int32_t hbg_rt_engine_list_causes(const hbg_rt_engine *engine, int32_t *causes) {
    const hbg_rt_roots *roots = engine->roots;
    int32_t count = 0;
    if (!engine->moment.crossed && !engine->moment.turned) return 0;
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (!hbg_rt_is_aside(engine->instance, roots->crossed[i])) causes[count++] = roots->crossed[i];
    return count;
}
