/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What rounding alone makes of a state. Of two bodies that fall side by side the distance stays 0, but for the rounding of their
 * velocities: a state whose rate is a difference of large numbers is made of that, its size is the size of that, and errors that are a
 * share of it would have a run follow noise. So a state may always be wrong by what the rounding of all states brings to it in a step.
 *
 * How large that is, is found by shaking the states a little, as for roots: the rates answer with what states contribute to them. What
 * states that are nothing but rounding hand on to others is found by shaking these in turn. A state that is drawn back forgets the
 * rounding of its rate in its own time, which a step of an implicit method may be far longer than.
 *
 * Short runs are not troubled with it, and others are when sizes or steps have grown. */
#include "rt/field.h"

enum { OFTEN = 64 }; /* steps from one look to the next */
enum { SHAKES = 3 };
enum { HANDS = 3 }; /* states that rounding goes through, one after another */

static const double grown = 4; /* times what it was */

void hbg_rt_field_shake(const hbg_rt_field *field, const double *x, const double *size, uint32_t seed,
                        double by, double *shaken) {
    uint32_t random = seed;
    for (int32_t i = 0; i < field->n; i++) {
        random = random * 1664525u + 1013904223u;
        double share = by * (0.5 + (double)(random >> 8) / (1 << 25));
        shaken[i] = x[i] + (random >> 31 ? share : -share) * size[i];
    }
}

/* Takes what the rates, `dx` at x, answer to states shaken by a share of `size`. */
static bool take_answer(hbg_rt_field *field, double t, const double *x, const double *dx, uint32_t seed) {
    hbg_rt_rounding *of = &field->rounding;
    hbg_rt_field_shake(field, x, of->size, seed, HBG_RT_SHAKE, field->work[1]);
    if (hbg_rt_field_rates(field, t, field->work[1], field->work[2]) != HBG_RT_OK) return false;
    for (int32_t i = 0; i < field->n; i++)
        of->rate[i] =
            fmax(of->rate[i], HBG_RT_VALUE_ROUNDING * fabs(field->work[2][i] - dx[i]) / HBG_RT_SHAKE);
    return true;
}

/* The sizes of which states have the rounding that has come to them by now; whether it is more than their own. */
static bool hand_on(hbg_rt_field *field) {
    hbg_rt_rounding *of = &field->rounding;
    bool more = false;
    for (int32_t i = 0; i < field->n; i++) {
        double size = hbg_rt_rounding_of(field, i) / HBG_RT_VALUE_ROUNDING;
        if (size > of->size[i]) more = true, of->size[i] = size;
    }
    return more;
}

/* How long a state keeps what has come to it. An explicit method has no steps longer than that. */
static bool find_memories(hbg_rt_field *field, double t, const double *x, bool implicit) {
    hbg_rt_rounding *of = &field->rounding;
    for (int32_t i = 0; i < field->n; i++) of->memory[i] = INFINITY;
    if (!implicit) return true;
    double *pace = field->work[0];
    if (hbg_rt_jacobian_near(field, t, x, field->jacobian.values) != HBG_RT_OK) return false;
    (void)hbg_rt_jacobian_pace(&field->jacobian, field->jacobian.values, pace);
    for (int32_t i = 0; i < field->n; i++) of->memory[i] = 1 / pace[i];
    return true;
}

static void look(hbg_rt_field *field, double t, const double *x, bool implicit) {
    hbg_rt_rounding *of = &field->rounding;
    double *dx = field->work[0];
    bool told = find_memories(field, t, x, implicit) && hbg_rt_field_rates(field, t, x, dx) == HBG_RT_OK;
    for (int32_t i = 0; i < field->n; i++) {
        of->then[i] = of->size[i] = field->size[i];
        of->rate[i] = 0;
    }
    bool more = true;
    for (int i = 0; i < HANDS && more && told; i++) {
        // by chance contributions may cancel: not time and again
        for (uint32_t k = 0; k < SHAKES && told; k++) told = take_answer(field, t, x, dx, k * 0x9e3779b9u);
        more = hand_on(field);
    }
}

static bool have_grown(const hbg_rt_field *field) {
    const hbg_rt_rounding *of = &field->rounding;
    if (!(field->step <= grown * of->step)) return true;
    for (int32_t i = 0; i < field->n; i++)
        if (field->size[i] > grown * of->then[i]) return true;
    return false;
}

void hbg_rt_rounding_note(hbg_rt_field *field, const hbg_rt_integrator *stepper, double t, const double *x) {
    hbg_rt_rounding *of = &field->rounding;
    if (stepper->fixed || ++of->steps < OFTEN) return;
    of->steps = 0;
    if (!have_grown(field)) return;
    hbg_rt_status before = field->status;
    of->step = field->step;
    look(field, t, x, stepper->implicit);
    field->status = before; // what lies beside says nothing about the run
}
