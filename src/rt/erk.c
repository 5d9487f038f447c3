/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The explicit Runge–Kutta pair 5(4) of Dormand and Prince (J. Comput. Appl. Math. 6, 1980) with its
 * continuous extension of order 4, steps chosen by a proportional-integral controller (Hairer, Nørsett,
 * Wanner: Solving Ordinary Differential Equations I, II.4, II.6). It is a one-step method, so a restart after
 * an event costs one evaluation of the field: the method for runs with many of them.
 *
 * Stiffness shows in a step size held down by stability: then the last two stages, both at the end of the
 * step, give an estimate of the dominant eigenvalue, and h·λ is close to the border of the stability region,
 * 3.3 (ibid. vol. II, IV.2). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "rt/archive_impl.h"

enum { STAGES = 7, STIFF_STEPS = 15, CALM_STEPS = 6, DRAGGED_STEPS = 2000 };

static const double c[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double error_weight[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double dense_weight[STAGES] = {-12715105075.0 / 11282082432,  0,
                                            87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                            701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                            69997945.0 / 29380423};

typedef struct {
    hbg_rt_integrator stepper;
    hbg_rt_field *field;
    double h;            /* to try next; 0: unknown */
    double error_before; /* of the last accepted step */
    bool rejected;       /* the last attempt was */
    bool dense_ready;
    int stiff_steps, calm_steps, dragged_steps;
    double *x0, *x1, *stage;
    double *k[STAGES];
    double *bend[4]; /* of the continuous extension, apart from x0 */
} erk;

/* out = x + h·Σ a_j·k_j, with the zero weight of the last row skipped */
static void combine(const erk *e, int stage, double h, double *restrict out) {
    const double *restrict w = a[stage];
    const double *restrict x = e->x0, *restrict k0 = e->k[0], *restrict k1 = e->k[1], *restrict k2 = e->k[2];
    const double *restrict k3 = e->k[3], *restrict k4 = e->k[4], *restrict k5 = e->k[5];
    int32_t n = e->field->n;
    switch (stage) {
    case 1:
        for (int32_t i = 0; i < n; i++) out[i] = x[i] + h * (w[0] * k0[i]);
        break;
    case 2:
        for (int32_t i = 0; i < n; i++) out[i] = x[i] + h * (w[0] * k0[i] + w[1] * k1[i]);
        break;
    case 3:
        for (int32_t i = 0; i < n; i++) out[i] = x[i] + h * (w[0] * k0[i] + w[1] * k1[i] + w[2] * k2[i]);
        break;
    case 4:
        for (int32_t i = 0; i < n; i++)
            out[i] = x[i] + h * (w[0] * k0[i] + w[1] * k1[i] + w[2] * k2[i] + w[3] * k3[i]);
        break;
    case 5:
        for (int32_t i = 0; i < n; i++)
            out[i] = x[i] + h * (w[0] * k0[i] + w[1] * k1[i] + w[2] * k2[i] + w[3] * k3[i] + w[4] * k4[i]);
        break;
    default:
        for (int32_t i = 0; i < n; i++)
            out[i] = x[i] + h * (w[0] * k0[i] + w[2] * k2[i] + w[3] * k3[i] + w[4] * k4[i] + w[5] * k5[i]);
        break;
    }
}

static hbg_rt_status stages(erk *e, double t, double t_end) {
    double h = t_end - t;
    for (int i = 1; i < STAGES; i++) {
        double *place = i == STAGES - 1 ? e->x1 : e->stage;
        combine(e, i, h, place);
        hbg_rt_status status = hbg_rt_field_rates(e->field, c[i] == 1 ? t_end : t + c[i] * h, place, e->k[i]);
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

/* Root mean square of the errors, each relative to its tolerance; the worst state is remembered. */
static double error_norm(erk *e, double h) {
    hbg_rt_field *field = e->field;
    const double *const *k = (const double *const *)e->k;
    const double *w = error_weight;
    double sum = 0, largest = -1;
    field->step = h;
    for (int32_t i = 0; i < field->n; i++) {
        double error = h * (w[0] * k[0][i] + w[2] * k[2][i] + w[3] * k[3][i] + w[4] * k[4][i] +
                            w[5] * k[5][i] + w[6] * k[6][i]);
        double ratio = error / hbg_rt_field_tolerance(field, i, fmax(fabs(e->x0[i]), fabs(e->x1[i])));
        ratio *= ratio;
        sum += ratio;
        if (ratio > largest) {
            largest = ratio;
            field->worst = i;
        }
    }
    return field->n > 0 ? sqrt(sum / field->n) : 0;
}

static double weighted(const erk *e, const double *v, const double *minus) {
    double sum = 0;
    for (int32_t i = 0; i < e->field->n; i++) {
        double value =
            (v[i] - (minus != NULL ? minus[i] : 0)) / hbg_rt_field_tolerance(e->field, i, fabs(e->x0[i]));
        sum += value * value;
    }
    return e->field->n > 0 ? sqrt(sum / e->field->n) : 0;
}

/* A first step from the size of the state, its rate and the change of its rate. */
static double first_step(erk *e, double t, double limit) {
    double span = fmin(limit - t, e->field->max_step);
    double size = weighted(e, e->x0, NULL), rate = weighted(e, e->k[0], NULL);
    double h = size < HBG_RT_FIRST_UNKNOWN || rate < HBG_RT_FIRST_UNKNOWN ? HBG_RT_FIRST_SHARE * span
                                                                          : 0.01 * size / rate;
    h = fmin(h, span);
    combine(e, 1, 5 * h, e->stage);
    if (hbg_rt_field_rates(e->field, t + h, e->stage, e->k[1]) != HBG_RT_OK) return HBG_RT_FIRST_CAUTION * h;
    double bend = weighted(e, e->k[1], e->k[0]) / h, most = fmax(rate, bend);
    double guess = most <= HBG_RT_FIRST_STILL ? fmax(HBG_RT_FIRST_SHARE * span, h * HBG_RT_FIRST_CAUTION)
                                              : pow(0.01 / most, 1.0 / 5);
    return fmin(fmin(100 * h, guess), span);
}

static hbg_rt_status begin(hbg_rt_integrator *stepper, double t, const double *x) {
    erk *e = (erk *)stepper;
    stepper->t0 = stepper->t1 = t;
    memcpy(e->x1, x, (size_t)e->field->n * sizeof *x);
    e->error_before = HBG_RT_LEAST_ERROR;
    e->rejected = false;
    e->dense_ready = false;
    return hbg_rt_field_rates(e->field, t, x, e->k[6]);
}

/* The end of the next step: never past the limit, and without a sliver left before it. */
static double next_end(erk *e, double t, double limit) {
    double h = fmin(e->h, e->field->max_step);
    if (t + 1.01 * h >= limit) return limit;
    if (t + 2 * h > limit) return t + (limit - t) / 2;
    return t + h;
}

/* A law with unbounded slope, such as an orifice at zero flow, holds steps below the stability limit for
 * ever: it pulls the state back, step by step, and a smooth law would allow far longer steps. A state that
 * oscillates is not pulled back. */
static void notice_drag(erk *e, double h, double rate, double towards) {
    bool drags =
        h * rate > 0.5 && towards < -0.9 && hbg_rt_field_is_stiff(e->field, e->stepper.t1, 0.1 * rate);
    e->dragged_steps = drags ? e->dragged_steps + 1 : 0;
    if (e->dragged_steps >= DRAGGED_STEPS) e->stepper.stiff = true;
}

static void notice_stiffness(erk *e, double h) {
    double above = 0, below = 0, across = 0;
    for (int32_t i = 0; i < e->field->n; i++) {
        double tolerance = hbg_rt_field_tolerance(e->field, i, fabs(e->x1[i]));
        double rates = (e->k[6][i] - e->k[5][i]) / tolerance, places = (e->x1[i] - e->stage[i]) / tolerance;
        above += rates * rates;
        below += places * places;
        across += rates * places;
    }
    double rate = below > 0 ? sqrt(above / below) : 0;
    notice_drag(e, h, rate, rate > 0 ? across / (rate * below) : 0);
    /* loose tolerances bring steps close to the limit by themselves */
    double border = e->field->rtol <= HBG_RT_LOOSE_RTOL ? 2.5 : 3.25;
    if (h * rate > border && hbg_rt_field_is_stiff(e->field, e->stepper.t1, rate)) {
        e->calm_steps = 0;
        if (++e->stiff_steps >= STIFF_STEPS) e->stepper.stiff = true;
    } else if (e->stiff_steps > 0 && ++e->calm_steps >= CALM_STEPS) {
        e->stiff_steps = 0;
    }
}

static void accept(erk *e, double t, double t_end, double error) {
    double h = t_end - t;
    double factor = error > 0 ? 0.9 * pow(error, -0.17) * pow(e->error_before, 0.04) : 10;
    factor = fmin(fmax(factor, 0.2), e->rejected ? 1 : 10);
    /* a step cut short by the limit is no reason to reduce the planned length */
    double planned = h < e->h ? e->h : 0;
    e->h = fmax(h * factor, e->rejected ? 0 : planned);
    e->error_before = fmax(error, HBG_RT_LEAST_ERROR);
    e->rejected = false;
    e->dense_ready = false;
    e->field->status = HBG_RT_OK;
    e->stepper.t0 = t;
    e->stepper.t1 = t_end;
    notice_stiffness(e, h);
}

static void reject(erk *e, double h, double error) {
    e->field->rejected++;
    e->rejected = true;
    e->h = h * (isfinite(error) ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2);
}

static hbg_rt_status step(hbg_rt_integrator *stepper, double limit) {
    erk *e = (erk *)stepper;
    double t = stepper->t1, *kept = e->x0, *rates = e->k[0];
    /* the end of the last step is the start of this one */
    e->x0 = e->x1;
    e->x1 = kept;
    e->k[0] = e->k[6];
    e->k[6] = rates;
    stepper->x1 = e->x1;
    if (e->h <= 0) e->h = first_step(e, t, limit);
    for (;;) {
        double t_end = next_end(e, t, limit), h = t_end - t;
        if (h <= HBG_RT_SHORTEST_STEP * fabs(t) || h <= DBL_MIN) {
            if (t_end != limit || h <= 0) break;
        }
        hbg_rt_status status = stages(e, t, t_end);
        double error = status == HBG_RT_OK ? error_norm(e, h) : INFINITY;
        if (status == HBG_RT_OK) e->field->status = status; // a failure in longer steps no longer counts
        if (error <= 1) {
            accept(e, t, t_end, error);
            return HBG_RT_OK;
        }
        if (status == HBG_RT_NO_MEMORY || status == HBG_RT_INTERRUPTED) return status;
        reject(e, h, error);
        if (t + e->h <= t) break;
    }
    memcpy(e->x1, e->x0, (size_t)e->field->n * sizeof *e->x1);
    e->field->reason = e->field->status == HBG_RT_OK
                           ? "no step is short enough for the error asked for"
                           : "the rates could not be computed in ever shorter steps";
    return HBG_RT_STEP_TOO_SMALL;
}

/* The polynomial of the step, computed on first use. */
static void bend(erk *e) {
    const double *const *k = (const double *const *)e->k;
    const double *w = dense_weight;
    double h = e->stepper.t1 - e->stepper.t0;
    for (int32_t i = 0; i < e->field->n; i++) {
        double change = e->x1[i] - e->x0[i], lead = h * k[0][i] - change;
        e->bend[0][i] = change;
        e->bend[1][i] = lead;
        e->bend[2][i] = change - h * k[6][i] - lead;
        e->bend[3][i] = h * (w[0] * k[0][i] + w[2] * k[2][i] + w[3] * k[3][i] + w[4] * k[4][i] +
                             w[5] * k[5][i] + w[6] * k[6][i]);
    }
    e->dense_ready = true;
}

static void dense(hbg_rt_integrator *stepper, double t, double *x) {
    erk *e = (erk *)stepper;
    if (!e->dense_ready) bend(e);
    double h = stepper->t1 - stepper->t0, s = h > 0 ? (t - stepper->t0) / h : 1, r = 1 - s;
    const double *restrict b0 = e->bend[0], *restrict b1 = e->bend[1], *restrict b2 = e->bend[2],
                           *restrict b3 = e->bend[3];
    for (int32_t i = 0; i < e->field->n; i++)
        x[i] = e->x0[i] + s * (b0[i] + r * (b1[i] + s * (b2[i] + r * b3[i])));
}

static void slope(hbg_rt_integrator *stepper, double t, double *dx) {
    erk *e = (erk *)stepper;
    if (!e->dense_ready) bend(e);
    double h = stepper->t1 - stepper->t0, s = (t - stepper->t0) / h, r = 1 - s;
    for (int32_t i = 0; i < e->field->n; i++) {
        double inner = e->bend[2][i] + r * e->bend[3][i], middle = e->bend[1][i] + s * inner;
        double outer = e->bend[0][i] + r * middle, of_middle = inner - s * e->bend[3][i];
        dx[i] = (outer + s * (r * of_middle - middle)) / h;
    }
}

static void end(hbg_rt_integrator *stepper) {
    (void)stepper;
}

static void keep(hbg_rt_integrator *stepper, hbg_rt_archive *archive) {
    erk *e = (erk *)stepper;
    HBG_RT_KEEP(archive, stepper->t0);
    HBG_RT_KEEP(archive, stepper->t1);
    HBG_RT_KEEP(archive, stepper->stiff);
    HBG_RT_KEEP(archive, e->h);
    HBG_RT_KEEP(archive, e->error_before);
    HBG_RT_KEEP(archive, e->rejected);
    HBG_RT_KEEP(archive, e->dense_ready);
    HBG_RT_KEEP(archive, e->stiff_steps);
    HBG_RT_KEEP(archive, e->calm_steps);
    HBG_RT_KEEP(archive, e->dragged_steps);
    HBG_RT_KEEP_ARRAY(archive, e->x0, e->field->n);
    HBG_RT_KEEP_ARRAY(archive, e->x1, e->field->n);
    for (int i = 0; i < STAGES; i++) HBG_RT_KEEP_ARRAY(archive, e->k[i], e->field->n);
    for (int i = 0; i < 4; i++) HBG_RT_KEEP_ARRAY(archive, e->bend[i], e->field->n);
}

hbg_rt_integrator *hbg_rt_erk_new(hbg_rt_room *room, hbg_rt_field *field) {
    erk *e = HBG_RT_TAKE(room, erk, 1);
    if (e == NULL) return NULL;
    e->stepper = (hbg_rt_integrator){.name = "erk",
                                     .begin = begin,
                                     .step = step,
                                     .dense = dense,
                                     .slope = slope,
                                     .end = end,
                                     .keep = keep};
    e->field = field;
    e->x0 = HBG_RT_TAKE(room, double, field->n);
    e->x1 = HBG_RT_TAKE(room, double, field->n);
    e->stage = HBG_RT_TAKE(room, double, field->n);
    for (int i = 0; i < STAGES; i++) e->k[i] = HBG_RT_TAKE(room, double, field->n);
    for (int i = 0; i < 4; i++) e->bend[i] = HBG_RT_TAKE(room, double, field->n);
    e->stepper.x1 = e->x1;
    return room->is_exhausted ? NULL : &e->stepper;
}
