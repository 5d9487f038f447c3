/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A point of continuous time looked at closely. Rates and indicators are functions of time and states alone: the same point gives the same
 * bits in whatever order it is asked. Indicators are continuous along the way a step would take: a jump is found by halving. What is not
 * among the dependencies of an unknown does not change it, and where a dependency is said to be linear twice the way makes twice the
 * difference. Directional derivatives lie between the differences to both sides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/behaviour.h"

enum { MOST_INDICATORS = 4, MOST_STATES = 40, MOST_PAIRS = 40, MOST_MODES = 60 };

typedef struct {
    double *x, *rates, *z;
} values;

static void reserve(values *of, const fmu_unit *unit) {
    size_t x = (size_t)unit->states, z = (size_t)unit->indicators;
    of->x = fmu_allocate(2 * x + z, sizeof *of->x);
    of->rates = of->x + x;
    of->z = of->rates + x;
}

static bool put(fmu_unit *unit, double time, const double *x) {
    return fmu_must(unit, fmu_set_time(unit, time), "SetTime") &&
           fmu_must(unit, fmu_set_states(unit, x), "SetContinuousStates");
}

static bool ask(fmu_unit *unit, values *into, bool indicators_first) {
    bool good = true;
    if (indicators_first) good = fmu_must(unit, fmu_get_indicators(unit, into->z), "GetEventIndicators");
    good = good && fmu_must(unit, fmu_get_rates(unit, into->rates), "GetDerivatives");
    if (good && !indicators_first)
        good = fmu_must(unit, fmu_get_indicators(unit, into->z), "GetEventIndicators");
    return good;
}

static bool same(const values *a, const values *b, const fmu_unit *unit) {
    size_t count = (size_t)unit->states + (size_t)unit->indicators;
    return memcmp(a->rates, b->rates, count * sizeof *a->rates) == 0; // indicators lie behind the rates
}

// the point a share of the way to the end of the step
static void between(const fmu_course *course, const values *from, double limit, double share, double *time,
                    double *x) {
    double span = limit - course->time;
    *time = course->time + share * span;
    for (int i = 0; i < course->unit->states; i++) x[i] = course->x[i] + share * span * from->rates[i];
}

static void check_purity(fmu_course *course, double limit, const values *here, values *there) {
    static const double shares[] = {1, 0.5, 0, -0.25, 0};
    fmu_unit *unit = course->unit;
    for (int i = 0; i < 5; i++) {
        double time;
        between(course, here, limit, shares[i], &time, there->x);
        if (!put(unit, time, there->x) || !ask(unit, there, i % 2 == 0)) return;
        if (shares[i] == 0 && !same(here, there, unit)) {
            fmu_violated(unit->report, FMU_PURITY,
                         "at %.9g s the same time and states give other rates or indicators", course->time);
            return;
        }
    }
}

// z of one indicator at a share of the way
static double indicator_at(fmu_course *course, const values *here, values *there, double limit, double share,
                           int which) {
    double time;
    between(course, here, limit, share, &time, there->x);
    if (!put(course->unit, time, there->x)) return 0;
    (void)fmu_must(course->unit, fmu_get_indicators(course->unit, there->z), "GetEventIndicators");
    return there->z[which];
}

static void check_continuity(fmu_course *course, double limit, const values *here, values *there, int which) {
    double low = 0, high = 1, at_low = here->z[which];
    double at_high = indicator_at(course, here, there, limit, 1, which), whole = fabs(at_high - at_low);
    if (!(whole > 1e-6 * fmax(fabs(at_low), fabs(at_high)))) return;
    for (int i = 0; i < 45; i++) {
        double middle = (low + high) / 2, value = indicator_at(course, here, there, limit, middle, which);
        if (fabs(value - at_low) > fabs(at_high - value)) {
            high = middle;
            at_high = value;
        } else {
            low = middle;
            at_low = value;
        }
    }
    if (fabs(at_high - at_low) > 1e-3 * whole)
        fmu_violated(course->unit->report, FMU_INDICATORS, "between %.9g and %.9g s indicator %d jumps by %g",
                     course->time, limit, which, at_high - at_low);
}

// the place of a variable among the dependencies of an unknown; -1: it is not there
static int find_dependency(const fmu_unknown *unknown, int variable) {
    for (int i = 0; i < unknown->dependency_count; i++)
        if (unknown->dependencies[i] == variable) return i;
    return -1;
}

static int state_variable(const fmu_description *d, int state) {
    int rate = d->lists[FMU_RATES].items[state].variable;
    return rate < 0 ? -1 : d->variables[rate].derivative_of;
}

static int time_variable(const fmu_description *d) {
    for (int i = 0; i < d->variable_count; i++)
        if (d->variables[i].causality == FMU_INDEPENDENT) return i;
    return -1;
}

// outputs and rates where a known is, a way from there, and twice that way
typedef struct {
    int moved; // the known
    double *at[3];
} moves;

static void check_list(fmu_course *course, fmu_list_kind kind, const moves *m, size_t first) {
    const fmu_description *d = course->unit->description;
    const fmu_list *list = &d->lists[kind];
    for (int i = 0; i < list->count; i++) {
        const fmu_unknown *unknown = &list->items[i];
        if (unknown->variable < 0 || !unknown->dependent || unknown->variable == m->moved) continue;
        size_t at = first + (size_t)i;
        double before = m->at[0][at], after = m->at[1][at], beyond = m->at[2][at];
        int place = find_dependency(unknown, m->moved);
        if (place < 0 && memcmp(&before, &after, sizeof before) != 0)
            fmu_violated(course->unit->report, FMU_STRUCTURE, "`%s` depends on `%s`, which is not said",
                         d->variables[unknown->variable].name, d->variables[m->moved].name);
        double bend = beyond - 2 * after + before, size = fmax(fabs(before), fmax(fabs(after), fabs(beyond)));
        if (place >= 0 && unknown->straight[place] && fabs(bend) > 1e-9 * size + 1e-5 * fabs(after - before))
            fmu_violated(course->unit->report, FMU_STRUCTURE,
                         "at %.9g s `%s` does not depend on `%s` by a straight line, which is said",
                         course->time, d->variables[unknown->variable].name, d->variables[m->moved].name);
    }
}

static bool get_unknowns(fmu_unit *unit, double *into) {
    const fmu_list *list = &unit->description->lists[FMU_OUTPUTS];
    for (int i = 0; i < list->count; i++)
        if (list->items[i].variable >= 0)
            (void)fmu_get_value(unit, &unit->description->variables[list->items[i].variable], &into[i]);
    return fmu_must(unit, fmu_get_rates(unit, into + list->count), "GetDerivatives");
}

// moves a state, or time where `state` is that of none
static void check_moves(fmu_course *course, moves *m, int state, double way, double *x) {
    fmu_unit *unit = course->unit;
    for (int k = 1; k <= 2; k++) {
        memcpy(x, course->x, (size_t)unit->states * sizeof *x);
        if (state >= 0) x[state] += k * way;
        if (!put(unit, state >= 0 ? course->time : course->time + k * way, x)) return;
        if (!get_unknowns(unit, m->at[k])) return;
    }
    check_list(course, FMU_OUTPUTS, m, 0);
    check_list(course, FMU_RATES, m, (size_t)unit->description->lists[FMU_OUTPUTS].count);
}

static void check_dependencies(fmu_course *course, double limit, values *there) {
    fmu_unit *unit = course->unit;
    size_t count = (size_t)unit->description->lists[FMU_OUTPUTS].count + (size_t)unit->states;
    double *room = fmu_allocate(3 * count, sizeof *room);
    moves m = {.at = {room, room + count, room + 2 * count}};
    if (put(unit, course->time, course->x) && get_unknowns(unit, m.at[0])) {
        for (int j = 0; j < unit->states && j < MOST_STATES; j++) {
            m.moved = state_variable(unit->description, j);
            double way = 1e-3 * fmax(fabs(course->x[j]), course->nominals[j]);
            if (m.moved >= 0) check_moves(course, &m, j, way, there->x);
        }
        m.moved = time_variable(unit->description);
        if (m.moved >= 0) check_moves(course, &m, -1, (limit - course->time) / 8, there->x);
    }
    free(room);
}

// row i of the rates by state j: the sensitivity is between the differences to both sides, as far as rounding lets them be known
static void check_sensitivity(fmu_course *course, const values *here, values *there, int i, int j) {
    fmu_unit *unit = course->unit;
    const fmu_description *d = unit->description;
    int known = state_variable(d, j), unknown = d->lists[FMU_RATES].items[i].variable;
    double sensitivity, side[2], step = 1e-6 * fmax(fabs(course->x[j]), course->nominals[j]);
    if (known < 0 || unknown < 0 || !put(unit, course->time, course->x)) return;
    if (!fmu_must(unit,
                  fmu_directional(unit, d->variables[unknown].reference, d->variables[known].reference,
                                  &sensitivity),
                  "GetDirectionalDerivative"))
        return;
    for (int k = 0; k < 2; k++) {
        memcpy(there->x, course->x, (size_t)unit->states * sizeof *there->x);
        there->x[j] += k ? step : -step;
        if (!put(unit, course->time, there->x) || !ask(unit, there, false)) return;
        side[k] = (there->rates[i] - here->rates[i]) / (there->x[j] - course->x[j]);
    }
    double size = 0;
    for (int k = 0; k < unit->states; k++) size = fmax(size, fabs(here->rates[k]));
    double low = fmin(side[0], side[1]), high = fmax(side[0], side[1]);
    double room = 1e-4 * fmax(fabs(low), fabs(high)) + 1e-11 * size / step;
    if (!(sensitivity >= low - room && sensitivity <= high + room))
        fmu_violated(unit->report, FMU_DERIVATIVES,
                     "at %.9g s `%s` by `%s` is %g, and differences give %g to %g", course->time,
                     d->variables[unknown].name, d->variables[known].name, sensitivity, low, high);
}

static void check_directional(fmu_course *course, const values *here, values *there) {
    int count = course->unit->states, pairs = 0;
    if (!fmu_interface_of(course->unit)->directional) return;
    for (int j = 0; j < count && pairs < MOST_PAIRS; j++)
        for (int i = 0; i < count && pairs < MOST_PAIRS; i++, pairs++)
            check_sensitivity(course, here, there, i, j);
}

// the first ones, then fewer and fewer: 0 1 2 4 8 ...
static bool chosen(long number) {
    return (number & (number - 1)) == 0;
}

// the first point behind an event that has changed something: what depends on what is another matter in every mode
static bool is_new_mode(fmu_course *course) {
    if (course->trace->changes == course->changes || course->changes >= MOST_MODES) return false;
    course->changes = course->trace->changes;
    return true;
}

void fmu_check_point(fmu_course *course, double limit) {
    fmu_unit *unit = course->unit;
    values here, there;
    bool closely = chosen(course->checks++);
    if (!is_new_mode(course) && !closely) return;
    reserve(&here, unit);
    reserve(&there, unit);
    if (!closely) {
        check_dependencies(course, limit, &there);
        (void)put(unit, course->time, course->x);
    } else if (put(unit, course->time, course->x) && ask(unit, &here, false)) {
        check_purity(course, limit, &here, &there);
        for (int i = 0; i < unit->indicators && i < MOST_INDICATORS; i++)
            check_continuity(course, limit, &here, &there, (int)((course->checks + i) % unit->indicators));
        check_dependencies(course, limit, &there);
        check_directional(course, &here, &there);
        (void)put(unit, course->time, course->x);
    }
    free(here.x);
    free(there.x);
}
