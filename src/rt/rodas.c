/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An implicit method for stiff systems, without iterations: RODAS, a Rosenbrock method of order 4(3) that is
 * L-stable (Hairer, Wanner: Solving Ordinary Differential Equations II, IV.7, IV.10). Each of its six stages
 * solves a linear system with the same matrix, I/(γ·h) − J, with the exact Jacobian at the beginning of the
 * step. Its continuous extension is of order 3. It is a one-step method, so a restart after an event costs no
 * more than a step.
 *
 * In addition the combination of two methods: the explicit pair, and this method once the pair finds the
 * system stiff. All memory is allocated at creation, for programs that allocate nothing later. Matrices are
 * dense. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "rt/archive_impl.h"
#include "rt/linear.h"

enum { STAGES = 6, BENDS = 5 };

static const double gamma_of_all = 0.25;
static const double place[STAGES] = {0, 0.386, 0.21, 0.63, 1, 1};           /* of a stage in the step */
static const double drift[STAGES] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0}; /* weights of ∂f/∂t */
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
};
static const double c[STAGES][STAGES - 1] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
};
static const double bend[2][BENDS] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872}};

typedef struct {
    hbg_rt_integrator stepper;
    hbg_rt_field *field;
    double h;       /* to try next; 0: unknown */
    bool rejected;  /* the last attempt was */
    bool has_rates; /* f0 is known at the start of the next step */
    double *x0, *x1, *f0;
    double *moves; /* ∂f/∂t */
    double *trial;
    double *u[STAGES];
    double *values, *matrix; /* of the Jacobian, and factors */
    int32_t *pivot;
} rodas;

/* ---- one step ----------------------------------------------------------------------------------------- */

/* ∂f/∂t from times inside the step: before it the field may differ. */
static hbg_rt_status look_ahead(rodas *r, double t, double h) {
    double d = h / 64;
    double *near = r->trial, *far = r->moves;
    hbg_rt_status status = hbg_rt_field_rates(r->field, t + d, r->x0, near);
    if (status == HBG_RT_OK) status = hbg_rt_field_rates(r->field, t + 2 * d, r->x0, far);
    double d1 = t + d - t, d2 = t + 2 * d - t; // as rounded times
    for (int32_t i = 0; i < r->field->n && status == HBG_RT_OK; i++) {
        double one = (near[i] - r->f0[i]) / d1, two = (far[i] - r->f0[i]) / d2;
        r->moves[i] = d1 > 0 && d2 > d1 ? (d2 * one - d1 * two) / (d2 - d1) : 0;
    }
    return status;
}

/* A law may have no slope at a point, such as √ at 0: the error tells whether a step does without. */
static hbg_rt_status factor(rodas *r, double h) {
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(r->field->instance);
    size_t n = (size_t)r->field->n;
    memset(r->matrix, 0, n * n * sizeof *r->matrix);
    for (size_t j = 0; j < n; j++) {
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++)
            r->matrix[(size_t)pattern.row[k] * n + j] = isfinite(r->values[k]) ? -r->values[k] : 0;
        r->matrix[j * n + j] += 1 / (gamma_of_all * h);
    }
    return hbg_rt_lu_factor(r->field->n, r->matrix, r->pivot, NULL) ? HBG_RT_OK : HBG_RT_SINGULAR;
}

static void add_up(const rodas *r, const double *weights, int count, double factor, double *out) {
    for (int k = 0; k < count; k++) {
        double weight = factor * weights[k];
        for (int32_t i = 0; i < r->field->n; i++) out[i] += weight * r->u[k][i];
    }
}

static hbg_rt_status stage(rodas *r, int i, double t, double h) {
    size_t size = (size_t)r->field->n * sizeof(double);
    double *u = r->u[i];
    hbg_rt_status status = HBG_RT_OK;
    memcpy(r->trial, r->x0, size);
    add_up(r, a[i], i, 1, r->trial);
    if (i == 0)
        memcpy(u, r->f0, size);
    else
        status = hbg_rt_field_rates(r->field, t + place[i] * h, r->trial, u);
    if (status != HBG_RT_OK) return status;
    add_up(r, c[i], i, 1 / h, u);
    for (int32_t k = 0; k < r->field->n; k++) u[k] += drift[i] * h * r->moves[k];
    hbg_rt_lu_solve(r->field->n, r->matrix, r->pivot, u);
    return HBG_RT_OK;
}

/* x1, and from the last stage its error. */
static hbg_rt_status attempt(rodas *r, double t, double h) {
    hbg_rt_status status = look_ahead(r, t, h);
    if (status == HBG_RT_OK) status = factor(r, h);
    for (int i = 0; i < STAGES && status == HBG_RT_OK; i++) status = stage(r, i, t, h);
    for (int32_t i = 0; i < r->field->n && status == HBG_RT_OK; i++)
        r->x1[i] = r->trial[i] + r->u[STAGES - 1][i];
    return status;
}

/* Root mean square of the errors, each relative to its tolerance; the worst state is remembered. */
static double error_norm(rodas *r, double h) {
    hbg_rt_field *field = r->field;
    double sum = 0, largest = -1;
    field->step = h;
    for (int32_t i = 0; i < field->n; i++) {
        double most = fmax(fabs(r->x0[i]), fabs(r->x1[i]));
        double ratio = r->u[STAGES - 1][i] / hbg_rt_field_tolerance(field, i, most);
        sum += ratio * ratio;
        if (!(ratio * ratio <= largest)) {
            largest = ratio * ratio;
            field->worst = i;
        }
    }
    return field->n > 0 ? sqrt(sum / field->n) : 0;
}

/* ---- steps -------------------------------------------------------------------------------------------- */

static hbg_rt_status begin(hbg_rt_integrator *stepper, double t, const double *x) {
    rodas *r = (rodas *)stepper;
    stepper->t0 = stepper->t1 = t;
    memcpy(r->x1, x, (size_t)r->field->n * sizeof *x);
    r->rejected = false;
    r->has_rates = true;
    return hbg_rt_field_rates(r->field, t, x, r->f0);
}

/* A share of the time in which the state would change by its size; error control does the rest. */
static double first_step(const rodas *r, double t, double limit) {
    double span = fmin(limit - t, r->field->max_step), size = 0, rate = 0;
    for (int32_t i = 0; i < r->field->n; i++) {
        double tolerance = hbg_rt_field_tolerance(r->field, i, fabs(r->x0[i]));
        size = fmax(size, fabs(r->x0[i]) / tolerance);
        rate = fmax(rate, fabs(r->f0[i]) / tolerance);
    }
    bool unknown = size < HBG_RT_FIRST_UNKNOWN || rate < HBG_RT_FIRST_UNKNOWN;
    return fmin(span, unknown ? HBG_RT_FIRST_SHARE * span : 0.01 * size / rate);
}

/* The end of the next step: never past the limit, and without a sliver left before it. */
static double next_end(const rodas *r, double t, double limit) {
    double h = fmin(r->h, r->field->max_step);
    if (t + 1.01 * h >= limit) return limit;
    return t + 2 * h > limit ? t + (limit - t) / 2 : t + h;
}

static void accept(rodas *r, double t, double t_end, double error) {
    double h = t_end - t, factor = error > 0 ? 0.9 * pow(error, -0.25) : 6;
    factor = fmin(fmax(factor, 0.2), r->rejected ? 1 : 6);
    /* a step cut short by the limit is no reason to reduce the planned length */
    double planned = h < r->h && !r->rejected ? r->h : 0;
    r->h = fmax(h * factor, planned);
    r->rejected = r->has_rates = false;
    r->field->status = HBG_RT_OK;
    r->stepper.t0 = t;
    r->stepper.t1 = t_end;
}

/* The Jacobian at the beginning of the step. Entries without a slope are not finite, which is not a
 * failure. */
static hbg_rt_status prepare(rodas *r, double t, double limit) {
    double *kept = r->x0;
    r->x0 = r->x1; // the end of the last step is the start of this one
    r->x1 = kept;
    r->stepper.x1 = r->x1;
    hbg_rt_status status = r->has_rates ? HBG_RT_OK : hbg_rt_field_rates(r->field, t, r->x0, r->f0);
    r->has_rates = true;
    if (status != HBG_RT_OK) return status;
    if (r->h <= 0) r->h = first_step(r, t, limit);
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(r->field->instance);
    if (pattern.count < 0) return HBG_RT_NO_MEMORY;
    memset(r->values, 0, (size_t)pattern.start[pattern.count] * sizeof *r->values);
    r->field->jacobians++;
    status = hbg_rt_jacobian(r->field->instance, t, r->x0, r->values);
    return status == HBG_RT_NO_MEMORY ? status : HBG_RT_OK;
}

static hbg_rt_status step(hbg_rt_integrator *stepper, double limit) {
    rodas *r = (rodas *)stepper;
    double t = stepper->t1;
    hbg_rt_status status = prepare(r, t, limit);
    while (status == HBG_RT_OK) {
        double t_end = next_end(r, t, limit), h = t_end - t;
        bool short_of = h <= HBG_RT_SHORTEST_STEP * fabs(t) || h <= DBL_MIN;
        if (short_of && (t_end != limit || h <= 0)) break;
        status = attempt(r, t, h);
        double error = status == HBG_RT_OK ? error_norm(r, h) : INFINITY;
        if (error <= 1) {
            accept(r, t, t_end, error);
            return HBG_RT_OK;
        }
        if (status == HBG_RT_NO_MEMORY || status == HBG_RT_INTERRUPTED) return status;
        status = HBG_RT_OK; // a shorter step may succeed
        r->field->rejected++;
        r->rejected = true;
        r->h = h * (isfinite(error) ? fmax(0.2, 0.9 * pow(error, -0.25)) : 0.2);
        if (t + r->h <= t) break;
    }
    memcpy(r->x1, r->x0, (size_t)r->field->n * sizeof *r->x1);
    if (status != HBG_RT_OK) return status;
    r->field->reason = r->field->status == HBG_RT_OK
                           ? "no step is short enough for the error asked for"
                           : "the rates could not be computed in ever shorter steps";
    return HBG_RT_STEP_TOO_SMALL;
}

/* By a state: how far the step deviates from a straight line, to second and third order. */
static void bends_of(const rodas *r, int32_t i, double *second, double *third) {
    *second = *third = 0;
    for (int k = 0; k < BENDS; k++) {
        *second += bend[0][k] * r->u[k][i];
        *third += bend[1][k] * r->u[k][i];
    }
}

static void dense(hbg_rt_integrator *stepper, double t, double *x) {
    const rodas *r = (const rodas *)stepper;
    double h = stepper->t1 - stepper->t0, s = h > 0 ? (t - stepper->t0) / h : 1, left = 1 - s;
    for (int32_t i = 0; i < r->field->n; i++) {
        double second, third;
        bends_of(r, i, &second, &third);
        x[i] = left * r->x0[i] + s * (r->x1[i] + left * (second + s * third));
    }
}

static void slope(hbg_rt_integrator *stepper, double t, double *dx) {
    const rodas *r = (const rodas *)stepper;
    double h = stepper->t1 - stepper->t0, s = (t - stepper->t0) / h, left = 1 - s;
    for (int32_t i = 0; i < r->field->n; i++) {
        double second, third;
        bends_of(r, i, &second, &third);
        double bent = second + s * third;
        dx[i] = (r->x1[i] - r->x0[i] + left * bent + s * (left * third - bent)) / h;
    }
}

static void end(hbg_rt_integrator *stepper) {
    (void)stepper;
}

static void keep(hbg_rt_integrator *stepper, hbg_rt_archive *archive) {
    rodas *r = (rodas *)stepper;
    HBG_RT_KEEP(archive, stepper->t0);
    HBG_RT_KEEP(archive, stepper->t1);
    HBG_RT_KEEP(archive, r->h);
    HBG_RT_KEEP(archive, r->rejected);
    HBG_RT_KEEP(archive, r->has_rates);
    HBG_RT_KEEP_ARRAY(archive, r->x0, r->field->n);
    HBG_RT_KEEP_ARRAY(archive, r->x1, r->field->n);
    HBG_RT_KEEP_ARRAY(archive, r->f0, r->field->n);
    for (int i = 0; i < STAGES; i++) HBG_RT_KEEP_ARRAY(archive, r->u[i], r->field->n);
}

hbg_rt_integrator *hbg_rt_rodas_new(hbg_rt_room *room, hbg_rt_field *field) {
    rodas *r = HBG_RT_TAKE(room, rodas, 1);
    if (r == NULL) return NULL;
    int32_t n = field->n, square = n * n + 1;
    r->stepper = (hbg_rt_integrator){.name = "rodas",
                                     .begin = begin,
                                     .step = step,
                                     .dense = dense,
                                     .slope = slope,
                                     .end = end,
                                     .keep = keep};
    r->field = field;
    r->x0 = HBG_RT_TAKE(room, double, n);
    r->x1 = HBG_RT_TAKE(room, double, n);
    r->f0 = HBG_RT_TAKE(room, double, n);
    r->moves = HBG_RT_TAKE(room, double, n);
    r->trial = HBG_RT_TAKE(room, double, n);
    for (int i = 0; i < STAGES; i++) r->u[i] = HBG_RT_TAKE(room, double, n);
    r->values = HBG_RT_TAKE(room, double, square);
    r->matrix = HBG_RT_TAKE(room, double, square);
    r->pivot = HBG_RT_TAKE(room, int32_t, n + 1);
    r->stepper.x1 = r->x1;
    return room->is_exhausted ? NULL : &r->stepper;
}

/* ---- two in one --------------------------------------------------------------------------------------- */

typedef struct {
    hbg_rt_integrator stepper;
    hbg_rt_integrator *explicit_one, *implicit_one;
    bool is_stiff;
} pair;

static hbg_rt_integrator *active(const pair *p) {
    return p->is_stiff ? p->implicit_one : p->explicit_one;
}

static hbg_rt_status follow(pair *p, hbg_rt_status status) {
    const hbg_rt_integrator *of = active(p);
    p->stepper.t0 = of->t0;
    p->stepper.t1 = of->t1;
    p->stepper.x1 = of->x1;
    return status;
}

static hbg_rt_status pair_begin(hbg_rt_integrator *stepper, double t, const double *x) {
    pair *p = (pair *)stepper;
    return follow(p, active(p)->begin(active(p), t, x));
}

static hbg_rt_status pair_step(hbg_rt_integrator *stepper, double limit) {
    pair *p = (pair *)stepper;
    hbg_rt_status status = HBG_RT_OK;
    if (!p->is_stiff && p->explicit_one->stiff) {
        p->is_stiff = true;
        status = p->implicit_one->begin(p->implicit_one, p->explicit_one->t1, p->explicit_one->x1);
    }
    return status == HBG_RT_OK ? follow(p, active(p)->step(active(p), limit)) : status;
}

static void pair_slope(hbg_rt_integrator *stepper, double t, double *dx) {
    pair *p = (pair *)stepper;
    active(p)->slope(active(p), t, dx);
}

static void pair_dense(hbg_rt_integrator *stepper, double t, double *x) {
    const pair *p = (const pair *)stepper;
    active(p)->dense(active(p), t, x);
}

static void pair_keep(hbg_rt_integrator *stepper, hbg_rt_archive *archive) {
    pair *p = (pair *)stepper;
    HBG_RT_KEEP(archive, p->is_stiff);
    p->explicit_one->keep(p->explicit_one, archive);
    p->implicit_one->keep(p->implicit_one, archive);
    (void)follow(p, HBG_RT_OK);
}

hbg_rt_integrator *hbg_rt_pair_new(hbg_rt_room *room, hbg_rt_field *field, bool is_stiff) {
    pair *p = HBG_RT_TAKE(room, pair, 1);
    if (p == NULL) return NULL;
    p->explicit_one = hbg_rt_erk_new(room, field);
    p->implicit_one = hbg_rt_rodas_new(room, field);
    if (!p->explicit_one || !p->implicit_one) return NULL;
    p->is_stiff = is_stiff;
    p->stepper = (hbg_rt_integrator){.name = is_stiff ? "rodas" : "erk",
                                     .begin = pair_begin,
                                     .step = pair_step,
                                     .dense = pair_dense,
                                     .slope = pair_slope,
                                     .end = end,
                                     .keep = pair_keep};
    p->stepper.x1 = active(p)->x1;
    return &p->stepper;
}
