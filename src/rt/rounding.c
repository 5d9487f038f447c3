/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The effect of rounding alone on a state. Two bodies that fall side by side keep a distance of 0, except for
 * the rounding of their velocities: a state whose rate is a difference of large numbers consists of that, its
 * size is the size of that, and with errors that are a share of it a run would follow noise. So the tolerance
 * of a state is never less than the rounding that all states contribute to it in a step.
 *
 * This contribution is found by perturbing the states a little, as for roots: the change of the rates shows
 * what states contribute to them. The rounding that such states pass on to others is found by perturbing
 * these in turn. What loops amplify is found by following their code: a choke between the arms of a bridge of
 * diodes that block has a current of 0, but for the rounding of voltages that are volts. A state with damping forgets the rounding of its rate in its time constant, which a step of
 * an implicit method may greatly exceed.
 *
 * Short runs skip this; others repeat it when sizes or steps have grown. */
#include "rt/field.h"

enum { OFTEN = 64 }; /* steps from one look to the next */
enum { SHAKES = 3 };
enum { HANDS = 3 }; /* states in a chain that rounding passes through */

static const double grown = 4; /* times its earlier value */

void hbg_rt_field_shake(const hbg_rt_field *field, const double *x, const double *size, uint32_t seed,
                        double by, double *shaken) {
    uint32_t random = seed;
    for (int32_t i = 0; i < field->n; i++) {
        random = random * 1664525u + 1013904223u;
        double share = by * (0.5 + (double)(random >> 8) / (1 << 25));
        shaken[i] = x[i] + (random >> 31 ? share : -share) * size[i];
    }
}

/* Adds the change of the rates, `dx` at x, when states are perturbed by a share of `size`. */
static bool take_answer(hbg_rt_field *field, double t, const double *x, const double *dx, uint32_t seed) {
    hbg_rt_rounding *of = &field->rounding;
    hbg_rt_field_shake(field, x, of->size, seed, HBG_RT_SHAKE, field->work[1]);
    if (hbg_rt_field_rates(field, t, field->work[1], field->work[2]) != HBG_RT_OK) return false;
    for (int32_t i = 0; i < field->n; i++)
        of->rate[i] =
            fmax(of->rate[i], HBG_RT_VALUE_ROUNDING * fabs(field->work[2][i] - dx[i]) / HBG_RT_SHAKE);
    return true;
}

/* Sets the sizes whose rounding is what has reached the states so far; returns whether it exceeds their
 * own. */
static bool hand_on(hbg_rt_field *field) {
    hbg_rt_rounding *of = &field->rounding;
    bool more = false;
    for (int32_t i = 0; i < field->n; i++) {
        double size = hbg_rt_rounding_of(field, i) / HBG_RT_VALUE_ROUNDING;
        if (size > of->size[i]) more = true, of->size[i] = size;
    }
    return more;
}

/* How long a state remembers its rounding. Steps of an explicit method are not longer than that. */
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
    told = told && hbg_rt_rate_errors(field->instance, t, x, of->rate) == HBG_RT_OK;
    for (int32_t i = 0; i < field->n; i++) {
        of->then[i] = of->size[i] = field->size[i];
        if (!told) of->rate[i] = 0;
    }
    bool more = true;
    for (int i = 0; i < HANDS && more && told; i++) {
        // contributions may cancel by chance, but not repeatedly
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
    field->status = before; // values at perturbed states say nothing about the run
}
