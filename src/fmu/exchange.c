/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Model exchange: an integrator of the importer requests rates and indicators, and reports the instants it
 * has located.
 *
 * An indicator is the relation's difference as a share of its size, with the sign such that it is positive on
 * the present branch, and shifted by a part of the band within which sides count as equal: no indicator is 0
 * after an instant, and one that was just crossed is not found again. Importers do not report where they
 * stopped: indicators that have left their side by then have crossed.
 *
 * In an experiment with a fixed step, guards are evaluated at the ends of steps, however an importer
 * integrates, as in a run of hbg: each end of a step is a time event, and there are no indicators. So a
 * controller without hysteresis switches once a step and does not chatter. */
#include <math.h>
#include <string.h>

#include "fmu/fmu_impl.h"
#include "rt/bands.h"
#include "rt/grid.h"

int32_t hbg_fmu_state_count(const hbg_fmu_instance *instance) {
    return instance->system->state_count;
}

int32_t hbg_fmu_indicators_of(const hbg_rt_description *system, const hbg_rt_options *options) {
    return options->fixed ? 0 : system->root_count;
}

int32_t hbg_fmu_indicator_count(const hbg_fmu_instance *instance) {
    return hbg_fmu_indicators_of(instance->system, &instance->model->shipped.options);
}

/* ---- the point ----------------------------------------------------------------------------------------- */

bool hbg_fmu_set_time(hbg_fmu_instance *instance, double t) {
    if (!isfinite(t)) return hbg_fmu_fail(instance, "the time is not a finite number");
    if (instance->at.t != t) hbg_fmu_forget(instance);
    instance->at.t = t;
    return true;
}

bool hbg_fmu_set_states(hbg_fmu_instance *instance, const double *x) {
    size_t size = (size_t)instance->system->state_count * sizeof *x;
    for (int32_t i = 0; i < instance->system->state_count; i++)
        if (!isfinite(x[i])) return hbg_fmu_fail(instance, "a continuous state is not a finite number");
    memcpy(instance->at.x, x, size);
    hbg_fmu_forget(instance);
    return true;
}

bool hbg_fmu_get_states(hbg_fmu_instance *instance, double *x) {
    if (instance->phase == HBG_FMU_INITIALIZING && !hbg_fmu_begin(instance)) return false;
    memcpy(x, instance->at.x, (size_t)instance->system->state_count * sizeof *x);
    return true;
}

bool hbg_fmu_get_rates(hbg_fmu_instance *instance, double *rates) {
    hbg_fmu_point *at = &instance->at;
    if (instance->phase == HBG_FMU_INITIALIZING && !hbg_fmu_begin(instance)) return false;
    if (!at->has_rates)
        at->has_rates =
            hbg_fmu_check(instance, hbg_rt_run_at(instance->run, HBG_RT_READ_RATES, at->t, at->x, at->rates));
    memcpy(rates, at->rates, (size_t)instance->system->state_count * sizeof *rates);
    return at->has_rates;
}

bool hbg_fmu_get_nominals(hbg_fmu_instance *instance, double *nominals) {
    if (instance->phase == HBG_FMU_INITIALIZING && !hbg_fmu_begin(instance)) return false;
    memcpy(nominals, instance->nominals, (size_t)instance->system->state_count * sizeof *nominals);
    return true;
}

/* ---- indicators ---------------------------------------------------------------------------------------- */

/* A relation that rests at 0 has left it when it is outside its band. */
static double shift_of(const hbg_fmu_branches *of, int32_t k) {
    return of->sides[k] == 0 ? of->bands[k] : HBG_RT_PASSED_BY;
}

bool hbg_fmu_evaluate(hbg_fmu_instance *instance) {
    hbg_fmu_branches *of = &instance->branches;
    const hbg_fmu_point *at = &instance->at;
    if (hbg_fmu_indicator_count(instance) == 0 || instance->options.kind == HBG_FMU_STEPS) return true;
    if (!hbg_fmu_check(instance,
                       hbg_rt_run_at(instance->run, HBG_RT_READ_INDICATORS, at->t, at->x, of->values)))
        return false;
    for (int32_t k = 0; k < hbg_fmu_indicator_count(instance); k++) {
        double share = of->values[k] / of->sizes[k];
        of->values[k] = shift_of(of, k) + (of->sides[k] == 0 ? -fabs(share) : of->sides[k] * share);
        if (of->values[k] == 0) of->values[k] = shift_of(of, k) / 4;
    }
    return true;
}

bool hbg_fmu_get_indicators(hbg_fmu_instance *instance, double *indicators) {
    if (instance->phase == HBG_FMU_INITIALIZING && !hbg_fmu_begin(instance)) return false;
    if (!hbg_fmu_evaluate(instance)) return false;
    memcpy(indicators, instance->branches.values,
           (size_t)hbg_fmu_indicator_count(instance) * sizeof *indicators);
    return true;
}

/* Whether a root has left its side: an armed one when it passes 0; others when they are outside the band, up
 * to the tolerance of the importer's search. */
static bool has_left(const hbg_fmu_branches *of, int32_t k) {
    double shift = shift_of(of, k), edge = of->sides[k] != 0 && of->armed[k] ? shift : shift / 2;
    return of->values[k] <= edge;
}

static void arm(hbg_fmu_instance *instance) {
    hbg_fmu_branches *of = &instance->branches;
    for (int32_t k = 0; k < hbg_fmu_indicator_count(instance); k++)
        of->armed[k] |= of->sides[k] != 0 && of->values[k] > shift_of(of, k) + of->bands[k];
}

static int32_t list_crossed(hbg_fmu_instance *instance) {
    hbg_fmu_branches *of = &instance->branches;
    int32_t count = 0;
    for (int32_t k = 0; k < hbg_fmu_indicator_count(instance); k++)
        if (has_left(of, k)) of->crossed[count++] = k;
    return count;
}

/* Scales of states for the importer's tolerances: those the FMU was made with, or the largest values so far
 * if these are much larger. */
static bool take_nominals(hbg_fmu_instance *instance) {
    double *sizes = instance->at.rates;
    hbg_fmu_forget(instance);
    if (!hbg_fmu_check(instance, hbg_rt_run_read(instance->run, HBG_RT_READ_SIZES, sizes))) return false;
    for (int32_t i = 0; i < instance->system->state_count; i++) {
        double *nominal = &instance->nominals[i];
        if (*nominal == 0) *nominal = instance->model->nominals[i];
        if (!(sizes[i] > 8 * *nominal) || isinf(sizes[i])) continue;
        instance->nominals_changed = true;
        *nominal = sizes[i];
    }
    return true;
}

/* The end of the next step of the experiment; the last one ends with the run. */
static double next_step(const hbg_fmu_instance *instance) {
    double t = instance->at.t, step = instance->model->shipped.options.step;
    hbg_rt_grid grid = hbg_rt_grid_of(step);
    double number = floor(t / step) + 1, next = hbg_rt_grid_time(&grid, number);
    if (!(next > t + HBG_RT_COME * step)) next = hbg_rt_grid_time(&grid, number + 1);
    return instance->stop > t ? fmin(next, instance->stop) : next;
}

/* The next instant known in advance, or the time up to which instants are known: there event mode plans
 * further ahead. Guards of a run with a fixed step are evaluated at the ends of steps. */
static bool find_next(hbg_fmu_instance *instance) {
    double known;
    hbg_rt_status status = hbg_rt_run_read(instance->run, HBG_RT_READ_NEXT, &instance->next);
    if (status == HBG_RT_OK) status = hbg_rt_run_read(instance->run, HBG_RT_READ_KNOWN, &known);
    if (status == HBG_RT_OK) instance->next = fmin(instance->next, known);
    const hbg_rt_options *options = &instance->model->shipped.options;
    double ends = options->fixed && instance->system->has_events ? next_step(instance) : INFINITY;
    // an instant planned for the end of a step, up to rounding, is one instant with it
    if (!(fabs(instance->next - ends) <= HBG_RT_COME * options->step))
        instance->next = fmin(instance->next, ends);
    return hbg_fmu_check(instance, status);
}

bool hbg_fmu_take_branches(hbg_fmu_instance *instance) {
    hbg_fmu_branches *of = &instance->branches;
    if (instance->options.kind == HBG_FMU_STEPS) return true;
    if (hbg_fmu_indicator_count(instance) > 0)
        hbg_rt_run_branches(instance->run, of->sides, of->sizes, of->bands);
    memset(of->armed, 0, (size_t)instance->system->root_count * sizeof *of->armed);
    if (!take_nominals(instance) || !hbg_fmu_evaluate(instance)) return false;
    arm(instance);
    return find_next(instance);
}

/* ---- steps of the importer ----------------------------------------------------------------------------- */

/* Whether energies of dependent storages are wrong by more than a share of their largest values. */
static bool has_drifted(hbg_fmu_instance *instance, bool *drifted) {
    hbg_fmu_point *at = &instance->at;
    int32_t count = instance->system->state_count;
    double rtol = instance->rtol > 0 ? instance->rtol : instance->model->shipped.options.rtol;
    memcpy(at->before, at->x, (size_t)count * sizeof *at->x);
    if (!hbg_fmu_check(instance,
                       hbg_rt_run_at(instance->run, HBG_RT_READ_STATES, at->t, at->before, at->before)))
        return false;
    for (int32_t i = 0; i < count; i++)
        *drifted |= fabs(at->before[i] - at->x[i]) > HBG_RT_DRIFT * (rtol > 0 ? rtol : HBG_RT_RTOL) *
                                                         fmax(fabs(at->x[i]), instance->nominals[i]);
    return true;
}

bool hbg_fmu_completed_step(hbg_fmu_instance *instance, bool *event) {
    hbg_fmu_point *at = &instance->at;
    *event = false;
    if (!hbg_fmu_evaluate(instance)) return false;
    if (list_crossed(instance) > 0) return true; // the importer reports it
    arm(instance);
    if (!hbg_fmu_check(instance, hbg_rt_run_accept(instance->run, at->t, at->x))) return false;
    if (!has_drifted(instance, event)) return false;
    instance->drifted = *event;
    return true;
}

/* ---- event mode ---------------------------------------------------------------------------------------- */

bool hbg_fmu_enter_events(hbg_fmu_instance *instance) {
    if (instance->options.kind == HBG_FMU_STEPS && !instance->options.event_mode)
        return hbg_fmu_fail(instance, "the instance was made without event mode");
    instance->phase = HBG_FMU_AT_EVENT;
    instance->opens = instance->options.kind == HBG_FMU_EXCHANGE;
    instance->states_changed = instance->nominals_changed = false;
    return true;
}

bool hbg_fmu_enter_continuous(hbg_fmu_instance *instance) {
    if (instance->is_open || instance->opens || instance->set.waits)
        return hbg_fmu_fail(instance,
                            "time cannot go on: the discrete states have not been updated to the end");
    instance->phase = HBG_FMU_CONTINUOUS;
    instance->states_changed = instance->nominals_changed = false;
    return true;
}

/* The time of the instant: hbg's own if one is due, since importers pass rounded ones. */
static double time_of(const hbg_fmu_instance *instance) {
    double t = instance->at.t, next = instance->next;
    return t >= next - HBG_RT_COME * fmax(fabs(t), fabs(next)) ? next : t;
}

/* Events at the very end are part of a run, too, even if they are past it by rounding. */
static void tell_next(const hbg_fmu_instance *instance, hbg_fmu_update *update) {
    double next = instance->next, stop = instance->stop;
    if (next > stop && next <= (1 + HBG_RT_COME) * stop) next = stop;
    update->has_next = next <= stop && next < INFINITY;
    update->next = update->has_next ? next : 0;
}

/* Records the rates up to the instant. */
static void look_before(hbg_fmu_instance *instance, double t) {
    hbg_rt_status status = hbg_rt_run_at(instance->run, HBG_RT_READ_RATES, nextafter(t, -INFINITY),
                                         instance->at.x, instance->rates_before);
    instance->knows_before = status == HBG_RT_OK;
}

/* Some importers continue with the history of their integrator unless states or nominal values have changed,
 * and it may have stepped past the instant, along branches that have ended there. So a nominal value changes
 * in its last bit, which makes them restart: at each instant, or, if every step ends with one, at instants
 * where rates jump. */
static bool tell_jump(hbg_fmu_instance *instance) {
    bool jumps = !instance->knows_before || !instance->model->shipped.options.fixed;
    int32_t count = instance->system->state_count;
    if (count == 0 || instance->states_changed || instance->nominals_changed) return true;
    double *rates = instance->at.before;
    if (!hbg_fmu_get_rates(instance, rates)) return false;
    for (int32_t i = 0; i < count && !jumps; i++) {
        double before = instance->rates_before[i];
        jumps = !(fabs(rates[i] - before) <= HBG_RT_COME * fmax(fabs(rates[i]), fabs(before)));
    }
    uint64_t bits;
    if (!jumps) return true;
    memcpy(&bits, &instance->nominals[0], sizeof bits);
    bits ^= 1;
    memcpy(&instance->nominals[0], &bits, sizeof bits);
    return instance->nominals_changed = true;
}

static bool pass_commit(hbg_fmu_instance *instance, bool *again) {
    hbg_fmu_point *at = &instance->at;
    size_t size = (size_t)instance->system->state_count * sizeof *at->x;
    int32_t count = 0;
    double t = instance->opens ? time_of(instance) : at->t;
    if (instance->opens) {
        if (!hbg_fmu_evaluate(instance)) return false;
        count = list_crossed(instance);
        look_before(instance, t);
        if (!hbg_fmu_hand_over(instance, false)) return false;
        hbg_fmu_stop_at(instance, 2 * t);
    }
    memcpy(at->before, at->x, size);
    if (instance->drifted &&
        !hbg_fmu_check(instance, hbg_rt_run_at(instance->run, HBG_RT_READ_STATES, t, at->x, at->x)))
        return false;
    hbg_rt_status status =
        hbg_rt_run_instant(instance->run, t, at->x, instance->branches.crossed, count, again);
    instance->is_open = *again;
    instance->opens = instance->drifted = false;
    instance->states_changed |= memcmp(at->before, at->x, size) != 0;
    hbg_fmu_forget(instance);
    if (!hbg_fmu_check(instance, status)) return false;
    return *again || (hbg_fmu_take_branches(instance) && tell_jump(instance));
}

bool hbg_fmu_update_discrete(hbg_fmu_instance *instance, hbg_fmu_update *update) {
    bool again = true;
    *update = (hbg_fmu_update){0};
    if (instance->options.kind == HBG_FMU_STEPS) {
        if (instance->set.waits && !(hbg_fmu_hand_over(instance, false) && hbg_fmu_follow(instance)))
            return false;
        instance->next = INFINITY; // steps find their events themselves
        tell_next(instance, update);
        return true;
    }
    instance->opens |= instance->set.waits && !instance->is_open;
    if ((instance->opens || instance->is_open) && !pass_commit(instance, &again)) return false;
    update->again = instance->is_open;
    update->states_changed = instance->states_changed;
    update->nominals_changed = instance->nominals_changed;
    tell_next(instance, update);
    return true;
}
