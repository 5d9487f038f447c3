/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a jump might have led to, with other choices of the junctions in it (docs/processes.md). The jump is
 * affine in their coefficients, so energies and what depends on them fill a zonotope: a centre, and a
 * generator for each junction. What is lost is quadratic, and has its extremes at a corner of the box of
 * coefficients, or at a stationary point inside of it or of one of its faces. Where a law bends that, the
 * ends are those of the computed points, and are not called exact. */
#include <math.h>
#include <string.h>

#include "api/run_events_impl.h"
#include "rt/bands.h"

enum { MOST_TOLD = 6 };

typedef struct {
    const hbg_rt_outcome_set *set;
    hbg_arena *arena;
    int32_t points;
    bool exact;
} spread;

typedef struct {
    double low, high;
} range;

/* ---- affine values and their ranges --------------------------------------------------------------------- */

/* Values at the points of a set become a centre and generators; false: they bend. */
static bool make_affine(const spread *of, const double *at, double *generators) {
    int32_t count = of->set->count, point = 1 + 2 * count;
    double size = 0;
    bool affine = true;
    for (int32_t i = 0; i < of->points; i++) size = fmax(size, fabs(at[i]));
    for (int32_t i = 0; i < count; i++) {
        double low = at[1 + 2 * i], high = at[2 + 2 * i];
        generators[i] = (high - low) / 2;
        affine = affine && fabs(low + high - 2 * at[0]) <= HBG_RT_BEND * size;
    }
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = i + 1; j < count; j++, point++)
            affine = affine && fabs(at[point] - at[0] - generators[i] - generators[j]) <= HBG_RT_BEND * size;
    return affine;
}

static range range_of(spread *of, const double *at, double *generators) {
    range found = {at[0], at[0]};
    if (make_affine(of, at, generators)) {
        for (int32_t i = 0; i < of->set->count; i++) {
            found.low -= fabs(generators[i]);
            found.high += fabs(generators[i]);
        }
        return found;
    }
    of->exact = false;
    for (int32_t i = 1; i < of->points; i++) found = (range){fmin(found.low, at[i]), fmax(found.high, at[i])};
    return found;
}

/* ---- what is quadratic ---------------------------------------------------------------------------------- */

typedef struct { /* c + b·u + u·Q·u for u in a box from -1 to 1 */
    int32_t count;
    double c, b[HBG_RT_CHOOSERS], q[HBG_RT_CHOOSERS][HBG_RT_CHOOSERS];
} quadratic;

static quadratic make_quadratic(const spread *of, const double *at) {
    quadratic made = {.count = of->set->count, .c = at[0]};
    int32_t point = 1 + 2 * made.count;
    for (int32_t i = 0; i < made.count; i++) {
        made.b[i] = (at[2 + 2 * i] - at[1 + 2 * i]) / 2;
        made.q[i][i] = (at[2 + 2 * i] + at[1 + 2 * i]) / 2 - made.c;
    }
    for (int32_t i = 0; i < made.count; i++)
        for (int32_t j = i + 1; j < made.count; j++, point++) {
            double mixed = at[point] - made.c - made.b[i] - made.b[j] - made.q[i][i] - made.q[j][j];
            made.q[i][j] = made.q[j][i] = mixed / 2;
        }
    return made;
}

static double value_at(const quadratic *of, const double *u) {
    double sum = of->c;
    for (int32_t i = 0; i < of->count; i++) {
        sum += of->b[i] * u[i];
        for (int32_t j = 0; j < of->count; j++) sum += of->q[i][j] * u[i] * u[j];
    }
    return sum;
}

/* Solves for the free coordinates of a face, 2·Q·u = -b, with the others fixed; false: the solution is not a
 * single point, and then a smaller face has an extreme that is as good. */
static bool stationary(const quadratic *of, const int32_t *free, int32_t count, double *u) {
    double m[HBG_RT_CHOOSERS][HBG_RT_CHOOSERS + 1];
    for (int32_t i = 0; i < count; i++) {
        m[i][count] = -of->b[free[i]];
        for (int32_t j = 0; j < of->count; j++) m[i][count] -= 2 * of->q[free[i]][j] * u[j];
        for (int32_t j = 0; j < count; j++) m[i][j] = 2 * of->q[free[i]][free[j]];
    }
    for (int32_t k = 0; k < count; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < count; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (m[best][k] == 0) return false;
        for (int32_t j = 0; j <= count; j++) {
            double kept = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = kept;
        }
        for (int32_t i = 0; i < count; i++) {
            double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int32_t j = k; j <= count; j++) m[i][j] -= factor * m[k][j];
        }
    }
    for (int32_t k = 0; k < count; k++) {
        u[free[k]] = m[k][count] / m[k][k];
        if (!(fabs(u[free[k]]) <= 1)) return false;
    }
    return true;
}

/* Each coordinate is at its lower end, at its upper end, or free: 3^n faces. */
static range extremes_of(const quadratic *of) {
    range found = {INFINITY, -INFINITY};
    int32_t faces = 1;
    for (int32_t i = 0; i < of->count; i++) faces *= 3;
    for (int32_t face = 0; face < faces; face++) {
        double u[HBG_RT_CHOOSERS] = {0};
        int32_t free[HBG_RT_CHOOSERS], count = 0, rest = face;
        for (int32_t i = 0; i < of->count; i++, rest /= 3) {
            u[i] = rest % 3 == 2 ? 0 : rest % 3 == 1 ? 1 : -1;
            if (rest % 3 == 2) free[count++] = i;
        }
        if (count > 0 && !stationary(of, free, count, u)) continue;
        double value = value_at(of, u);
        found = (range){fmin(found.low, value), fmax(found.high, value)};
    }
    return found;
}

/* ---- an event ------------------------------------------------------------------------------------------- */

void hbg_api_run_outcomes_init(hbg_session *session, hbg_run_state *state) {
    if (!state->choices) return;
    hbg_rt_outcomes *made = HBG_NEW(&session->scratch, hbg_rt_outcomes);
    for (int32_t i = 0; i < HBG_RT_OUTCOME_SETS; i++)
        made->sets[i].x_plus =
            HBG_NEW_ARRAY(&session->scratch, double, HBG_RT_OUTCOME_POINTS *(state->system->state_count + 1));
    state->choices->engine.outcomes = made;
}

static hbg_rt_outcomes *outcomes_of(const hbg_run_events *events) {
    return events->state->choices ? events->state->choices->engine.outcomes : NULL;
}

void hbg_api_run_outcomes_read(const hbg_run_events *events) {
    hbg_rt_outcomes *outcomes = outcomes_of(events);
    if (outcomes) outcomes->count = 0;
}

static const hbg_rt_outcome_set *find_set(const hbg_run_events *events, const hbg_sim_visit *visit) {
    const hbg_rt_outcomes *outcomes = outcomes_of(events);
    for (int32_t i = 0; outcomes && i < outcomes->count && visit->kind != HBG_RT_MYTHICAL; i++)
        if (outcomes->sets[i].order == visit->order) return &outcomes->sets[i];
    return NULL;
}

static const hbg_run_choice *choice_of(const hbg_run_events *events, int32_t restitution) {
    const hbg_run_choices *choices = events->state->choices;
    for (int32_t i = 0; i < choices->count; i++)
        if (choices->items[i].restitution == restitution) return &choices->items[i];
    return NULL;
}

/* "        might be, with contact 0.5 .. 0.9:" */
static void put_choosers(const hbg_run_events *events, const spread *of, hbg_api_report *object) {
    hbg_api_report *list = hbg_api_list(object, "choices");
    hbg_api_say(list, "        it might be, with ");
    for (int32_t k = 0; k < of->set->count; k++) {
        const hbg_run_choice *choice = choice_of(events, of->set->which[k]);
        hbg_api_report *one = hbg_api_object(list, NULL);
        char low[HBG_DOUBLE_TEXT], high[HBG_DOUBLE_TEXT];
        hbg_base_double_print(low, of->set->low[k]);
        hbg_base_double_print(high, of->set->high[k]);
        hbg_api_text(one, "name", choice->name);
        hbg_api_number(one, "least", of->set->low[k]);
        hbg_api_number(one, "greatest", of->set->high[k]);
        hbg_api_number(one, "chosen", of->set->chosen[k]);
        hbg_api_say(one, "%s%s %s .. %s", k > 0 ? ", " : "", choice->name, low, high);
    }
}

typedef struct {
    hbg_api_report *ranges, *centre, *generators;
    int32_t told;
} writer;

/* A value that depends on choices: its range for people, the whole zonotope for programs. */
static void put_value(spread *of, writer *out, const hbg_rt_variable *variable, const double *at,
                      double size) {
    double *generators = HBG_NEW_ARRAY(of->arena, double, HBG_RT_CHOOSERS);
    range found = range_of(of, at, generators);
    if (!hbg_api_run_event_matters(found.high - found.low, size)) return;
    double ends[] = {hbg_api_run_event_matters(found.low, size) ? found.low : 0,
                     hbg_api_run_event_matters(found.high, size) ? found.high : 0};
    double *kept = HBG_NEW_ARRAY(of->arena, double, 2);
    memcpy(kept, ends, sizeof ends);
    hbg_api_report *list = hbg_api_numbers(out->ranges, variable->name, kept, 2);
    hbg_api_number(out->centre, variable->name, at[0]);
    hbg_api_numbers(out->generators, variable->name, generators, of->set->count);
    if (out->told++ >= MOST_TOLD) return;
    hbg_buffer *words = hbg_api_words(list);
    hbg_base_buffer_print(words, "%s%s from ", out->told > 1 ? ", " : ": ", variable->name);
    hbg_api_run_put_quantity(words, ends[0], variable->unit);
    hbg_base_buffer_text(words, " to ");
    hbg_api_run_put_quantity(words, ends[1], variable->unit);
}

static void put_states(hbg_run_events *events, spread *of, writer *out) {
    const hbg_rt_description *system = events->state->system;
    double *at = HBG_NEW_ARRAY(of->arena, double, of->points);
    for (int32_t i = 0; i < system->state_count; i++) {
        for (int32_t p = 0; p < of->points; p++) at[p] = of->set->x_plus[p * system->state_count + i];
        put_value(of, out, &system->states[i], at, events->state_size[i]);
    }
}

/* What is recorded, in the mode in which time advances again: where no jump came between. */
static void put_outputs(hbg_run_events *events, const hbg_sim_event *event, const hbg_sim_visit *visit,
                        spread *of, writer *out) {
    const hbg_run_state *state = events->state;
    int32_t count = state->record_count, all = state->system->output_count, n = state->system->state_count;
    const hbg_sim_visit *last = &event->visits[event->visit_count - 1];
    double *y = HBG_NEW_ARRAY(of->arena, double, (of->points + 1) * all + 1);
    double *at = HBG_NEW_ARRAY(of->arena, double, of->points);
    bool known = event->verdict == HBG_RT_FINE || event->verdict == HBG_RT_TEMPORAL_EVOLUTION;
    for (int32_t i = 0; i < n; i++) known = known && last->x_plus[i] == visit->x_plus[i];
    for (int32_t p = 0; p < of->points && known; p++)
        known = hbg_rt_outputs(state->instance, event->t, of->set->x_plus + p * n, y + p * all) == HBG_RT_OK;
    // the instance continues from where it was
    (void)hbg_rt_outputs(state->instance, event->t, last->x_plus, y + of->points * all);
    for (int32_t i = 0; i < count && known; i++) {
        double size = 0;
        for (int32_t p = 0; p < of->points; p++) size = fmax(size, fabs(at[p] = y[p * all + i]));
        if (isfinite(size)) put_value(of, out, &state->system->outputs[i], at, size);
    }
}

static bool find_lost(hbg_run_events *events, const hbg_sim_visit *visit, double t, spread *of,
                      range *found) {
    const hbg_run_state *state = events->state;
    int32_t storages = state->system->storage_count, n = state->system->state_count;
    double *at = HBG_NEW_ARRAY(of->arena, double, of->points), before = 0, size = 0;
    for (int32_t p = -1; p < of->points; p++) {
        const double *x = p < 0 ? visit->x : of->set->x_plus + p * n;
        double sum = 0;
        if (hbg_rt_energies(state->instance, t, x, events->energy) != HBG_RT_OK) return false;
        for (int32_t i = 0; i < storages; i++) sum += events->energy[i];
        if (p < 0) before = sum;
        if (p >= 0) at[p] = before - sum + of->set->supplied[p];
        size = fmax(size, fabs(sum));
    }
    quadratic lost = make_quadratic(of, at);
    *found = extremes_of(&lost);
    if (!hbg_api_run_event_matters(found->low, size)) found->low = 0;
    if (!hbg_api_run_event_matters(found->high, size)) found->high = 0;
    return isfinite(found->low) && isfinite(found->high);
}

static void put_lost(hbg_api_report *object, const spread *of, range lost) {
    double *ends = HBG_NEW_ARRAY(of->arena, double, 2);
    ends[0] = lost.low;
    ends[1] = lost.high;
    hbg_buffer *words = hbg_api_words(hbg_api_numbers(object, "lost", ends, 2));
    hbg_base_buffer_text(words, "; from ");
    hbg_api_run_put_quantity(words, lost.low, "J");
    hbg_base_buffer_text(words, " to ");
    hbg_api_run_put_quantity(words, lost.high, "J");
    hbg_base_buffer_text(words, " lost");
}

void hbg_api_run_put_outcomes(hbg_run_events *events, const hbg_sim_event *event, const hbg_sim_visit *visit,
                              hbg_api_report *into) {
    const hbg_rt_outcome_set *set = find_set(events, visit);
    if (!set) return;
    hbg_api_report *object = hbg_api_object(into, "outcomes");
    if (set->count > HBG_RT_CHOOSERS) {
        hbg_api_count(object, "together", set->count);
        hbg_api_say(object, "        %d collisions chose together: too many for the set of all outcomes\n",
                    (int)set->count);
        return;
    }
    spread of = {set, &events->instant, hbg_rt_outcome_points(set->count), true};
    range lost;
    put_choosers(events, &of, object);
    writer states = {.ranges = hbg_api_object(object, "ranges")};
    states.centre = hbg_api_object(object, "centre");
    states.generators = hbg_api_object(object, "generators");
    put_states(events, &of, &states);
    if (event->visit_count > 0) put_outputs(events, event, visit, &of, &states);
    if (states.told > MOST_TOLD) hbg_api_say(object, " and %d more", (int)states.told - MOST_TOLD);
    if (find_lost(events, visit, event->t, &of, &lost)) put_lost(object, &of, lost);
    hbg_api_flag(object, "exact", of.exact);
    hbg_api_say(object, of.exact ? "\n" : "; ends of what was tried, since a law bends\n");
}
