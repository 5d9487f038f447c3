/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run walked through an automaton: every stretch of time is a flow inside the invariant of a location, by the exponential of its matrix, and
 * every instant a chain of transitions whose guards hold before and whose resets give what is after. What the run does not show, clocks and
 * waits, the automaton itself computes. All that may happen is followed; where nothing is left the walk ends. */
#ifndef HBG_TEST_SPACEEX_WALK_H
#define HBG_TEST_SPACEEX_WALK_H

#include <math.h>

#include "emit/spaceex_file_impl.h"
#include "hbg/simulation.h"

enum { MOST_PLACES = 64, MOST_MET = 1000, CHAIN = 6, FORCED = 40, STEPS = 8 };

typedef struct { /* where the automaton may be */
    int location;
    double values[MOST_VARIABLES];
} walk_place;

typedef struct {
    const file_component *c;
    const hbg_results *run;
    const hbg_column *columns[MOST_VARIABLES]; /* NULL: the run does not show it */
    double size[MOST_VARIABLES], within;       /* of each variable; share of it that counts as equal */
    char mode[LINE];                           /* states of the automata of this component */
    walk_place places[MOST_PLACES], next[MOST_PLACES];
    int count, next_count;
    walk_place met[MOST_MET]; /* where the chains of an instant have been */
    int met_count;
    int flows, instants; /* that were walked */
    char fault[LINE];
} walk;

/* ---- sums ------------------------------------------------------------------------------------------------- */

static inline double walk_value(const walk *w, const file_sum *sum, const double *values) {
    double total = sum->constant;
    for (int i = 0; i < w->c->variable_count; i++) total += sum->factors[i] * values[i];
    return total;
}

/* How much of a sum is rounding. */
static inline double walk_slack(const walk *w, const file_sum *sum) {
    double slack = w->within * fabs(sum->constant);
    for (int i = 0; i < w->c->variable_count; i++)
        slack = fmax(slack, w->within * fabs(sum->factors[i]) * w->size[i]);
    return slack;
}

static inline bool walk_holds(const walk *w, const file_region *region, const double *values) {
    for (int i = 0; i < region->count; i++) {
        double sum = walk_value(w, &region->items[i].sum, values);
        if ((region->items[i].equal ? fabs(sum) : sum) > walk_slack(w, &region->items[i].sum)) return false;
    }
    return true;
}

static inline bool walk_is_near(const walk *w, int variable, double a, double b) {
    return fabs(a - b) <= 10 * w->within * w->size[variable];
}

/* ---- time flows ------------------------------------------------------------------------------------------- */

typedef struct { /* of the variables and 1 */
    double at[MOST_VARIABLES + 1][MOST_VARIABLES + 1];
} walk_matrix;

static inline void walk_multiply(int n, const walk_matrix *a, const walk_matrix *b, walk_matrix *product) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int m = 0; m < n; m++) sum += a->at[i][m] * b->at[m][k];
            product->at[i][k] = sum;
        }
}

/* x(t) of x' = A·x + b: the series of the exponential over a short part of the time, squared so often. */
static inline void walk_flow(const walk *w, const file_location *at, double time, double *values) {
    int n = w->c->variable_count + 1, halves = 0;
    walk_matrix field = {0}, power = {0}, sum = {0}, product;
    double most = 0, start[MOST_VARIABLES + 1] = {0};
    for (int i = 0; i < n; i++) power.at[i][i] = sum.at[i][i] = 1;
    for (int i = 0; i + 1 < n; i++)
        for (int k = 0; k < n; k++) {
            field.at[i][k] = time * (k + 1 < n ? at->flow[i].factors[k] : at->flow[i].constant);
            if (k + 1 < n) most += fabs(field.at[i][k]);
        }
    while (ldexp(most, -halves) > 0.25) halves++;
    for (int order = 1; order < 14; order++) {
        walk_multiply(n, &field, &power, &product);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                power.at[i][k] = ldexp(product.at[i][k], -halves) / order;
                sum.at[i][k] += power.at[i][k];
            }
    }
    for (int i = 0; i < halves; i++) {
        walk_multiply(n, &sum, &sum, &product);
        sum = product;
    }
    memcpy(start, values, (size_t)(n - 1) * sizeof *values);
    start[n - 1] = 1;
    for (int i = 0; i + 1 < n; i++) {
        values[i] = 0;
        for (int k = 0; k < n; k++) values[i] += sum.at[i][k] * start[k];
    }
}

/* Adds a place that is not among them. */
static inline bool walk_note(const walk *w, walk_place *list, int *count, int most, const walk_place *place) {
    for (int i = 0; i < *count; i++) {
        bool same = list[i].location == place->location;
        for (int k = 0; same && k < w->c->variable_count; k++)
            same = walk_is_near(w, k, list[i].values[k], place->values[k]);
        if (same) return false;
    }
    if (*count < most) list[(*count)++] = *place;
    return true;
}

static inline void walk_add(walk *w, const walk_place *place) {
    walk_note(w, w->next, &w->next_count, MOST_PLACES, place);
}

static inline bool walk_take(const walk *w, const file_transition *by, const walk_place *from,
                             walk_place *to) {
    if (by->source != from->location || !walk_holds(w, &by->guard, from->values)) return false;
    *to = *from;
    to->location = by->target;
    for (int i = 0; i < w->c->variable_count; i++)
        if (by->changes[i]) to->values[i] = walk_value(w, &by->reset[i], from->values);
    return walk_holds(w, &w->c->locations[by->target].invariant, to->values);
}

/* The last moment at which the invariant still holds. */
static inline double walk_stay(const walk *w, const walk_place *from, double time) {
    const file_location *at = &w->c->locations[from->location];
    double low = 0, high = time;
    for (int step = 1; step <= STEPS; step++) {
        double values[MOST_VARIABLES];
        memcpy(values, from->values, sizeof values);
        walk_flow(w, at, time * step / STEPS, values);
        if (walk_holds(w, &at->invariant, values)) {
            low = time * step / STEPS;
            continue;
        }
        high = time * step / STEPS;
        for (int i = 0; i < 60 && high > low; i++) {
            double middle = 0.5 * (low + high);
            memcpy(values, from->values, sizeof values);
            walk_flow(w, at, middle, values);
            *(walk_holds(w, &at->invariant, values) ? &low : &high) = middle;
        }
        return low;
    }
    return time;
}

/* Up to a moment, without an event of the run: the automaton may go from one piece of a mode to another, and its clocks tick. */
static inline void walk_on(walk *w, const walk_place *from, double time, int forced) {
    walk_place at = *from, next;
    double stays = walk_stay(w, from, time);
    walk_flow(w, &w->c->locations[from->location], stays, at.values);
    if (stays >= time) {
        walk_add(w, &at);
        return;
    }
    for (int i = 0; i < w->c->transition_count && forced < FORCED; i++)
        if (strcmp(w->c->locations[w->c->transitions[i].target].mode, w->mode) == 0 &&
            walk_take(w, &w->c->transitions[i], &at, &next) && (stays > 0 || next.location != from->location))
            walk_on(w, &next, time - stays, forced + 1);
}

/* ---- instants --------------------------------------------------------------------------------------------- */

static inline bool walk_fits(const walk *w, const walk_place *place, int64_t row) {
    for (int i = 0; i < w->c->variable_count; i++)
        if (w->columns[i] && !walk_is_near(w, i, place->values[i], w->columns[i]->values[row])) return false;
    return true;
}

/* Chains of transitions to the mode and the values that the run has then. */
static inline void walk_chain(walk *w, const walk_place *from, int64_t row, int depth) {
    walk_place next;
    if (!walk_note(w, w->met, &w->met_count, MOST_MET, from)) return;
    if (strcmp(w->c->locations[from->location].mode, w->mode) == 0 && walk_fits(w, from, row))
        walk_add(w, from);
    for (int i = 0; i < w->c->transition_count && depth < CHAIN; i++)
        if (walk_take(w, &w->c->transitions[i], from, &next)) walk_chain(w, &next, row, depth + 1);
}

/* ---- the run ---------------------------------------------------------------------------------------------- */

/* What the automaton may be in by now; the run says what it shows of it. */
static inline bool walk_settle(walk *w, int64_t row, const char *what, double time) {
    w->count = 0;
    for (int i = 0; i < w->next_count; i++) {
        if (!walk_fits(w, &w->next[i], row)) continue;
        w->places[w->count] = w->next[i];
        for (int k = 0; k < w->c->variable_count; k++)
            if (w->columns[k]) w->places[w->count].values[k] = w->columns[k]->values[row];
        w->count++;
    }
    if (w->count == 0)
        snprintf(w->fault, sizeof w->fault, "%s at t = %.10g in %.200s: %s", what, time, w->mode,
                 w->next_count > 0 ? "its values are others" : "nothing leads there");
    w->next_count = 0;
    return w->count > 0;
}

/* Automata of the component that an event moves. */
static inline void walk_set_mode(walk *w, const int32_t *states) {
    char made[LINE] = "", *save = NULL, old[LINE];
    snprintf(old, sizeof old, "%s", w->mode);
    for (char *part = strtok_r(old, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
        char *equal = strchr(part, '=');
        size_t size = equal ? (size_t)(equal - part) : strlen(part), used = strlen(made);
        const char *state = equal ? equal + 1 : "";
        for (int32_t i = 0; i < w->run->automaton_count; i++)
            if (strlen(w->run->automata[i].name) == size &&
                strncmp(w->run->automata[i].name, part, size) == 0)
                state = w->run->automata[i].states[states[i]];
        snprintf(made + used, sizeof made - used, "%s%.*s=%s", used ? "," : "", (int)size, part, state);
    }
    snprintf(w->mode, sizeof w->mode, "%s", made);
}

static inline const hbg_event *walk_event(const walk *w, double time, int64_t *next) {
    while (*next < w->run->event_count && w->run->events[*next].time < time) (*next)++;
    return *next < w->run->event_count && w->run->events[*next].time == time ? &w->run->events[*next] : NULL;
}

static inline bool walk_instant(walk *w, int64_t row, const hbg_event *event) {
    if (event && event->mode_count > 0) walk_set_mode(w, event->modes[event->mode_count - 1].states);
    w->met_count = 0;
    for (int i = 0; i < w->count; i++) walk_chain(w, &w->places[i], row, 0);
    w->instants++;
    return walk_settle(w, row, "an instant", w->run->columns[0].values[row]);
}

static inline bool walk_rows(walk *w) {
    const double *time = w->run->columns[0].values;
    int64_t rows = w->run->row_count, next = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t last = row;
        while (last + 1 < rows && time[last + 1] == time[row]) last++;
        if (row > 0) {
            for (int i = 0; i < w->count; i++) walk_on(w, &w->places[i], time[row] - time[row - 1], 0);
            w->flows++;
            if (!walk_settle(w, row, "time flows", time[row])) return false;
        }
        const hbg_event *event = walk_event(w, time[row], &next);
        bool verdict = event && event->verdict;
        if (verdict) return true; // the run ends there
        if (row > 0 && (event || last > row) && !walk_instant(w, last, event)) return false;
        row = last;
    }
    return true;
}

/* A number of the settings: " & name==". */
static inline double walk_start(const char *settings, const char *name) {
    char text[NAME + 8];
    snprintf(text, sizeof text, " & %s==", name);
    const char *at = strstr(settings, text);
    return at ? strtod(at + strlen(text), NULL) : NAN;
}

/* The location and the values that the settings begin with. */
static inline bool walk_begin(walk *w, const char *settings) {
    char text[3 * NAME];
    walk_place start = {.location = -1};
    for (int i = 0; i < w->c->location_count; i++) {
        snprintf(text, sizeof text, "loc(%s)==%s & ", w->c->instance, w->c->locations[i].name);
        if (strstr(settings, text)) start.location = i;
    }
    if (start.location < 0) return false;
    for (int i = 0; i < w->c->variable_count; i++) {
        start.values[i] = walk_start(settings, w->c->variables[i]);
        if (isnan(start.values[i])) return false;
    }
    snprintf(w->mode, sizeof w->mode, "%s", w->c->locations[start.location].mode);
    int64_t first = 0;
    while (first + 1 < w->run->row_count && w->run->columns[0].values[first + 1] == 0) first++;
    char begun[LINE];
    snprintf(begun, sizeof begun, "%s", w->mode);
    const hbg_event *event = w->run->event_count > 0 ? &w->run->events[0] : NULL;
    if (event && event->mode_count > 0) walk_set_mode(w, event->modes[event->mode_count - 1].states);
    if (strcmp(begun, w->mode) != 0) return false;
    if (!walk_holds(w, &w->c->locations[start.location].invariant, start.values)) return false;
    w->next[w->next_count++] = start;
    return walk_settle(w, first, "the start", 0);
}

/* What is wrong; NULL: the run is one of the automaton. */
static inline const char *walk_run(walk *w, const file_component *c, const hbg_results *run,
                                   const char *settings, double within) {
    memset(w, 0, sizeof *w);
    w->c = c;
    w->run = run;
    w->within = within;
    for (int i = 0; i < c->variable_count; i++) {
        w->columns[i] =
            strcmp(c->originals[i], "time") == 0 ? &run->columns[0] : hbg_results_find(run, c->originals[i]);
        w->size[i] = 1e-12;
        for (int64_t k = 0; w->columns[i] && k < run->row_count; k++)
            w->size[i] = fmax(w->size[i], fabs(w->columns[i]->values[k]));
        if (!w->columns[i]) w->size[i] = run->columns[0].values[run->row_count - 1];
    }
    if (!walk_begin(w, settings)) return w->fault[0] ? w->fault : "it does not begin where the run does";
    return walk_rows(w) ? NULL : w->fault;
}

#endif
