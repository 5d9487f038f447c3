/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operating point: states at which nothing moves. Newton's method comes first, damped so that each
 * simplified correction is smaller than the one before (the natural monotonicity test of Deuflhard, which no
 * choice of units affects). Where the Jacobian is singular, because a charge is conserved, an integrator has
 * no effect or a storage depends on others, or where Newton's method diverges, time advances instead:
 * linearized implicit Euler steps, ever longer while the field permits, lead to where the system itself would
 * settle. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_impl.h"

enum { NEWTON = 50, HALVINGS = 20, FLOW = 1000, BEYOND = 40 };
#define LOST 1e50 /* of the largest state at the start: a search that far away has diverged */

typedef struct {
    hbg_rt_field field;
    hbg_sim_sparse *matrix;
    double t;
    double *x, *dx, *change;
    double *x_next, *dx_next, *change_next;
    double *start_size; /* of the states, before the search */
    double *kept;       /* states and rates, during a trial */
} search;

/* The largest change relative to the size of its state. */
static double measure(search *s, const double *change) {
    double largest = 0;
    for (int32_t i = 0; i < s->field.n; i++) {
        double size = fmax(fmax(fabs(s->x[i]), s->field.size[i]), s->field.floor);
        double ratio = fabs(change[i]) / size;
        if (!(ratio <= largest)) largest = ratio;
        if (isnan(ratio)) return INFINITY;
    }
    return largest;
}

/* Resets sizes to those at the start and at the present point, ignoring points that the search was thrown
 * to. */
static void forget_excursions(search *s) {
    memcpy(s->field.size, s->start_size, (size_t)s->field.n * sizeof *s->field.size);
    hbg_rt_field_size_update(&s->field, s->x);
}

/* The last correction leaves the states where they are. */
static bool stands(search *s) {
    if (measure(s, s->change) > HBG_RT_STANDS) return false;
    forget_excursions(s);
    return measure(s, s->change) <= HBG_RT_STANDS;
}

static bool is_lost(const search *s) {
    double largest = 0, start = 0;
    for (int32_t i = 0; i < s->field.n; i++) {
        largest = fmax(largest, fabs(s->x[i]));
        start = fmax(start, s->start_size[i]);
    }
    return largest > LOST * (start > 0 ? start : 1);
}

static bool is_still(const search *s) {
    for (int32_t i = 0; i < s->field.n; i++)
        if (s->dx[i] != 0) return false;
    return true;
}

/* Moves to x_next, where the rates are already known. */
static void take(search *s) {
    double *x = s->x, *dx = s->dx;
    s->x = s->x_next;
    s->dx = s->dx_next;
    s->x_next = x;
    s->dx_next = dx;
    hbg_rt_field_size_update(&s->field, s->x);
}

static bool try_place(search *s, double share, double factor) {
    for (int32_t i = 0; i < s->field.n; i++) s->x_next[i] = s->x[i] + share * s->change[i];
    if (hbg_rt_field_rates(&s->field, s->t, s->x_next, s->dx_next) != HBG_RT_OK) return false;
    for (int32_t i = 0; i < s->field.n; i++) s->change_next[i] = factor * s->dx_next[i];
    return true;
}

/* The largest share of the correction after which the next one is smaller, halved from the given share; 0 if
 * there is none. If that leads far away, the Jacobian has to predict the field there, as it does in a linear
 * field: near a turning point, as of a pendulum on its side, the correction may point anywhere. */
static double damp(search *s, double share, double whole) {
    for (int i = 0; i < HALVINGS; i++, share /= 2) {
        if (!try_place(s, share, -1)) continue;
        hbg_sim_sparse_solve(s->matrix, s->change_next);
        double next = measure(s, s->change_next);
        bool told = share * whole <= HBG_RT_LEAP || (share == 1 && next <= HBG_RT_LANDED * whole);
        if ((told && next <= (1 - share / 4) * whole) || whole <= HBG_RT_STANDS) return share;
    }
    return 0;
}

/* True: x is an operating point. */
static bool newton(search *s) {
    double share = 1;
    for (int i = 0; i < NEWTON; i++) {
        if (is_still(s)) return true;
        if (hbg_sim_sparse_factor(s->matrix, s->t, s->x, 0, -1) != HBG_RT_OK) return false;
        for (int32_t k = 0; k < s->field.n; k++) s->change[k] = -s->dx[k];
        hbg_sim_sparse_solve(s->matrix, s->change);
        double whole = measure(s, s->change);
        if (!isfinite(whole)) return false;
        share = damp(s, fmin(1, 4 * share), whole);
        if (share == 0) return false;
        take(s);
        if (whole <= HBG_RT_STANDS && stands(s)) return true;
    }
    return false;
}

/* One step of length h; false: too long for how the field changes on the way. */
static bool flow_step(search *s, double h, double *size) {
    *size = INFINITY;
    if (hbg_sim_sparse_factor(s->matrix, s->t, s->x, 1, h) != HBG_RT_OK) return false;
    for (int32_t i = 0; i < s->field.n; i++) s->change[i] = h * s->dx[i];
    hbg_sim_sparse_solve(s->matrix, s->change);
    *size = measure(s, s->change);
    if (!isfinite(*size) || !try_place(s, 1, h)) return false;
    /* the residual of the step's own equation, solved with the same matrix, estimates its error */
    for (int32_t i = 0; i < s->field.n; i++) s->change_next[i] -= s->change[i];
    hbg_sim_sparse_solve(s->matrix, s->change_next);
    return measure(s, s->change_next) <= 0.5 * *size + HBG_RT_STANDS;
}

/* The pace of the field at the present point; the last pace if it cannot be computed. */
static double pace_here(search *s, double last) {
    double *values = s->field.jacobian.values;
    if (hbg_rt_jacobian_at(&s->field, s->t, s->x, values) != HBG_RT_OK) return last;
    double pace = hbg_rt_jacobian_pace(&s->field.jacobian, values, NULL);
    return isfinite(pace) && pace > 0 ? pace : last;
}

/* Newton's method from the end of a step that was too long: past the kink in the field that made it so, as of
 * a controller that leaves its limits. If that fails, the search stays where it was. */
static bool newton_beyond(search *s) {
    size_t size = (size_t)s->field.n * sizeof *s->x;
    memcpy(s->kept, s->x, size);
    memcpy(s->kept + s->field.n, s->dx, size);
    memcpy(s->x, s->x_next, size);
    bool found = hbg_rt_field_rates(&s->field, s->t, s->x, s->dx) == HBG_RT_OK && newton(s);
    if (found) return true;
    memcpy(s->x, s->kept, size);
    memcpy(s->dx, s->kept + s->field.n, size);
    forget_excursions(s);
    return false;
}

static bool flow(search *s) {
    double pace = pace_here(s, 1), h = 0.1 / pace, longest = 0, size;
    int beyond = 0;
    for (int i = 0; i < FLOW && h > HBG_RT_NO_STEP / pace && h < 1e18 / pace && !is_lost(s); i++) {
        if (is_still(s)) return true;
        if (!flow_step(s, h, &size)) {
            bool stuck = h < HBG_RT_STUCK * longest && isfinite(size) && beyond++ < BEYOND;
            if (stuck && newton_beyond(s)) return true;
            h /= 4;
            continue;
        }
        take(s);
        longest = fmax(longest, h);
        pace = pace_here(s, pace);
        if (h >= 1e6 / pace && stands(s)) return true;
        h *= 2;
    }
    return false;
}

static void say(search *s, char *failure, size_t size) {
    int32_t worst = 0;
    double most = -1;
    for (int32_t i = 0; i < s->field.n; i++) {
        double ratio = fabs(s->dx[i]) / fmax(fmax(fabs(s->x[i]), s->field.size[i]), s->field.floor);
        if (ratio > most) {
            most = ratio;
            worst = i;
        }
    }
    const hbg_rt_variable *state = &s->field.system->states[worst];
    const char *unit = state->unit != NULL ? state->unit : "";
    (void)snprintf(failure, size, "no state of rest was found: %s = %.6g%s%s still moves by %.6g%s%s/s",
                   state->name, s->x[worst], *unit != '\0' ? " " : "", unit, s->dx[worst],
                   *unit != '\0' ? " " : " 1", unit);
}

static hbg_rt_status look_for(search *s, const double *start, char *failure, size_t failure_size) {
    hbg_rt_status status = hbg_rt_field_rates(&s->field, s->t, s->x, s->dx);
    if (status == HBG_RT_OK) status = hbg_rt_field_size_start(&s->field, s->t, s->x);
    if (status == HBG_RT_OK) status = hbg_rt_jacobian_at(&s->field, s->t, s->x, s->field.jacobian.values);
    if (status != HBG_RT_OK) {
        const hbg_rt_failure *said = hbg_rt_failed(s->field.instance);
        (void)snprintf(failure, failure_size, "%s",
                       said->text[0] != '\0' ? said->text : hbg_rt_status_text(status));
        return status;
    }
    memcpy(s->start_size, s->field.size, (size_t)s->field.n * sizeof *s->start_size);
    if (newton(s)) return HBG_RT_OK;
    memcpy(s->x, start, (size_t)s->field.n * sizeof *s->x);
    forget_excursions(s);
    status = hbg_rt_field_rates(&s->field, s->t, s->x, s->dx);
    if (status == HBG_RT_OK && flow(s)) return HBG_RT_OK;
    say(s, failure, failure_size);
    return HBG_RT_NO_CONVERGENCE;
}

hbg_rt_status hbg_sim_steady(hbg_arena *arena, const hbg_rt_description *system, hbg_rt_instance *instance,
                             double t, double *x, char *failure, size_t failure_size) {
    search *s = HBG_NEW(arena, search);
    hbg_rt_demand demand = {.stop = 1};
    hbg_rt_room room = {.memory = hbg_sim_memory(arena)};
    size_t n = (size_t)system->state_count;
    if (failure_size > 0) failure[0] = '\0';
    if (n == 0) return HBG_RT_OK;
    s->t = t;
    hbg_rt_field_init(&s->field, &room, system, instance, &demand);
    double **vectors[] = {&s->x,       &s->dx,          &s->change,    &s->x_next,
                          &s->dx_next, &s->change_next, &s->start_size};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = HBG_NEW_ARRAY(arena, double, n);
    s->kept = HBG_NEW_ARRAY(arena, double, 2 * n);
    hbg_rt_status status =
        hbg_rt_jacobian_widen(&s->field.jacobian, &room, hbg_rt_jacobian_pattern(instance));
    if (status != HBG_RT_OK) return status;
    hbg_rt_thaw(instance);
    memcpy(s->x, x, n * sizeof *x);
    s->matrix = hbg_sim_sparse_new(arena, &s->field);
    if (s->matrix == NULL) return HBG_RT_NO_MEMORY;
    status = look_for(s, x, failure, failure_size);
    hbg_sim_sparse_end(s->matrix);
    if (status != HBG_RT_OK) return status;
    memcpy(x, s->x, n * sizeof *x);
    return hbg_rt_settle(instance, t, x);
}
