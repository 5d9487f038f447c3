/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a run is a behaviour of a process: every continuous phase by its clause, every instant by an
 * alternative. The engine is not used: terms are computed here, and rates integrated by a separate method. */
#include <math.h>
#include <string.h>

#include "rt/bands.h"
#include "verify/process_check_impl.h"

#define INSIDE 1e-6 /* distance from the ends of a phase at which it is checked */

typedef struct {
    const hbg_process *of;
    process_scope scope;
    hbg_process_judgement *made;
    double *moved_at;  /* by automaton: s */
    double *old, *now; /* by variable: the two sides of what is judged, times included */
    double tolerance;
} judge;

/* ---- two sides -------------------------------------------------------------------------------------------------- */

/* A clock ticks at multiples of its period, first where a run begins. */
static double since_tick(double t, double period, bool starts) {
    double ticks = floor(t / period * (1 + 1e-12) + 1e-9), since = t - ticks * period;
    return starts || fabs(since) <= 1e-9 * fmax(period, t) ? period : since;
}

static void fill(const judge *j, const hbg_process_point *from, bool starts, double *values) {
    for (int32_t i = 0; i < j->of->variables.count; i++) {
        const hbg_process_variable *at = &j->of->variables.items[i];
        values[i] = from->values[i];
        if (at->role == HBG_PROCESS_TIME) values[i] = from->t;
        if (at->role == HBG_PROCESS_WAIT) values[i] = from->t - j->moved_at[at->of];
        if (at->role == HBG_PROCESS_CLOCK) values[i] = since_tick(from->t, at->period, starts);
    }
}

static int32_t clause_of(const judge *j, const int32_t *states) {
    size_t size = (size_t)j->of->automaton_count * sizeof *states;
    for (int32_t i = 0; i < j->of->clauses.count; i++)
        if (memcmp(j->of->clauses.items[i].states, states, size) == 0) return i;
    return HBG_NONE;
}

/* By HBG_REFUSED_…. */
static const char *const reasons[] = {
    [HBG_REFUSED_MODE] = "the process has no such mode",
    [HBG_REFUSED_LATE] = "the mode should have been left",
    [HBG_REFUSED_WAY] = "no alternative leads there",
    [HBG_REFUSED_JUMP] = "no alternative allows this jump",
    [HBG_REFUSED_FLOW] = "it flows otherwise",
};

static bool refuse(judge *j, double t, int kind, process_miss miss) {
    hbg_process_judgement *made = j->made;
    if (made->verdict == HBG_VERDICT_WITNESS) return false;
    made->verdict = HBG_VERDICT_WITNESS;
    made->t = t;
    made->kind = kind;
    made->why = reasons[kind];
    made->by = miss.by;
    made->law = miss.term;
    return false;
}

static bool accept(judge *j, process_miss miss) {
    if (isnan(miss.by)) j->made->unjudged++;
    if (miss.by > j->made->worst) j->made->worst = miss.by;
    return true;
}

/* ---- instants ----------------------------------------------------------------------------------------------------- */

static bool is_unchanged(const judge *j, const hbg_process_point *before, const hbg_process_point *after) {
    size_t size = (size_t)j->of->automaton_count * sizeof *before->states;
    if (memcmp(before->states, after->states, size) != 0) return false;
    for (int32_t i = 0; i < j->of->variables.count; i++) {
        hbg_process_role role = j->of->variables.items[i].role;
        bool told = role == HBG_PROCESS_ENERGY || role == HBG_PROCESS_INPUT || role == HBG_PROCESS_HELD;
        if (told && before->values[i] != after->values[i]) return false;
    }
    return true;
}

/* By how much it violates an alternative. */
static process_miss misses(judge *j, const hbg_process_alternative *of) {
    process_miss most = hbg_verify_check_any(&j->scope, &of->when);
    for (int32_t i = 0; i < of->samples.count; i++)
        most = hbg_verify_check_worse(most, hbg_verify_check_term(&j->scope, of->samples.items[i]));
    for (int32_t i = 0; i < j->of->variables.count; i++) {
        if (j->of->variables.items[i].role != HBG_PROCESS_ENERGY) continue;
        process_value to = {j->old[i], fabs(j->old[i])};
        if (of->becomes[i] != HBG_NONE) to = hbg_verify_check_value(&j->scope, of->becomes[i]);
        double size = fmax(to.size, j->scope.sizes[i]);
        process_miss own = {size > 0 ? fabs(j->now[i] - to.value) / size : 0, of->becomes[i]};
        most = hbg_verify_check_worse(most, own);
    }
    return most;
}

static bool hides(const judge *j) {
    for (int32_t i = 0; i < j->of->variables.count; i++)
        if (j->of->variables.items[i].role == HBG_PROCESS_HIDDEN) return true;
    return false;
}

static bool judge_instant(judge *j, const hbg_process_point *before, const hbg_process_point *after,
                          bool starts) {
    int32_t from = clause_of(j, before->states), to = clause_of(j, after->states), best = HBG_NONE;
    process_miss least = {INFINITY, HBG_NONE};
    j->made->instants++;
    if (starts ? !j->of->is_whole : is_unchanged(j, before, after)) return true;
    fill(j, before, starts, j->old);
    fill(j, after, starts, j->now);
    hbg_verify_check_begin(&j->scope, j->old, j->now);
    j->scope.snaps = true;
    j->made->from = from;
    j->made->to = to;
    if (from == HBG_NONE || to == HBG_NONE)
        return refuse(j, after->t, HBG_REFUSED_MODE, (process_miss){NAN, HBG_NONE});
    for (int32_t i = 0; i < j->of->alternatives.count; i++) {
        const hbg_process_alternative *at = &j->of->alternatives.items[i];
        if (at->from != from || at->to != to) continue;
        process_miss own = misses(j, at);
        if (best != HBG_NONE && !(own.by < least.by)) continue;
        least = own;
        best = i;
    }
    if (best == HBG_NONE) return refuse(j, after->t, HBG_REFUSED_WAY, (process_miss){NAN, HBG_NONE});
    if (least.by > j->tolerance && hides(j)) least.by = NAN; // a hidden choice may allow it
    if (least.by > j->tolerance) return refuse(j, after->t, HBG_REFUSED_JUMP, least);
    j->made->used[best]++;
    return accept(j, least);
}

/* ---- flows ---------------------------------------------------------------------------------------------------------- */

/* At an end of it, seen from inside: a clock has not ticked yet, and what jumps with the time has not
 * jumped. */
static process_miss flow_misses(judge *j, const hbg_process_clause *clause, const hbg_process_point *at,
                                double inside) {
    fill(j, at, false, j->now);
    for (int32_t i = 0; i < j->of->variables.count; i++) {
        if (j->of->variables.items[i].role == HBG_PROCESS_CLOCK) j->now[i] = 0;
        if (j->of->variables.items[i].role == HBG_PROCESS_TIME) j->now[i] += inside;
    }
    hbg_verify_check_begin(&j->scope, j->now, j->now);
    j->scope.snaps = false;
    process_miss most = hbg_verify_check_any(&j->scope, &clause->invariants);
    for (int32_t i = 0; i < clause->constraints.count; i++)
        most = hbg_verify_check_worse(most, hbg_verify_check_term(&j->scope, clause->constraints.items[i]));
    return most;
}

/* An input that is not constant is known at the ends only. An event is over where time advances. */
static bool inputs_stand(const judge *j, const hbg_process_point *from, const hbg_process_point *to) {
    for (int32_t i = 0; i < j->of->variables.count; i++) {
        const hbg_process_variable *of = &j->of->variables.items[i];
        if (of->role == HBG_PROCESS_INPUT && !of->is_event && from->values[i] != to->values[i]) return false;
    }
    return true;
}

static bool judge_flow(judge *j, const hbg_process_point *from, const hbg_process_point *to) {
    int32_t number = clause_of(j, from->states);
    j->made->flows++;
    j->made->from = j->made->to = number;
    if (number == HBG_NONE) return refuse(j, to->t, HBG_REFUSED_MODE, (process_miss){NAN, HBG_NONE});
    const hbg_process_clause *clause = &j->of->clauses.items[number];
    if (!clause->flows) return refuse(j, to->t, HBG_REFUSED_LATE, (process_miss){NAN, HBG_NONE});
    double inside = INSIDE * (to->t - from->t);
    process_miss begin = flow_misses(j, clause, from, inside), end = flow_misses(j, clause, to, -inside);
    process_miss most = hbg_verify_check_worse(begin, end);
    if (most.by > j->tolerance) return refuse(j, to->t, HBG_REFUSED_LATE, most);
    accept(j, most);
    if (!inputs_stand(j, from, to)) {
        j->made->unjudged++;
        return true;
    }
    fill(j, from, false, j->old);
    memcpy(j->now, j->old, (size_t)j->of->variables.count * sizeof *j->now);
    if (!hbg_verify_check_flow(&j->scope, clause, to->t - from->t, 0.01 * j->tolerance, j->now)) {
        j->made->unjudged++;
        return true;
    }
    most = (process_miss){0, HBG_NONE};
    for (int32_t i = 0; i < j->of->variables.count; i++) {
        if (j->of->variables.items[i].role != HBG_PROCESS_ENERGY || j->scope.sizes[i] == 0) continue;
        process_miss own = {fabs(j->now[i] - to->values[i]) / j->scope.sizes[i], clause->rates[i]};
        most = hbg_verify_check_worse(most, own);
    }
    if (most.by > j->tolerance) return refuse(j, to->t, HBG_REFUSED_FLOW, most);
    return accept(j, most);
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------- */

static void find_sizes(judge *j, const hbg_process_point *points, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < j->of->variables.count; k++)
            if (isfinite(points[i].values[k]))
                j->scope.sizes[k] = fmax(j->scope.sizes[k], fabs(points[i].values[k]));
    for (int32_t k = 0; k < j->of->variables.count; k++)
        if (j->of->variables.items[k].role >= HBG_PROCESS_WAIT) j->scope.sizes[k] = points[count - 1].t;
}

/* Crossings that are simultaneous in theory may be located one after another, a band apart (D14). The last
 * point of those instants that can be seen as one with this. */
static int32_t last_of_instant(const hbg_process_point *points, int32_t count, int32_t first) {
    double apart = 10 * HBG_RT_BAND * points[count - 1].t;
    int32_t last = first;
    for (int32_t i = first + 1; i < count && points[i].t - points[first].t <= apart; i++)
        if (points[i].is_instant) last = i;
    return last;
}

/* An instant, alone or with those that are one with it; the point that comes last. */
static int32_t judge_instants(judge *j, const hbg_process_point *points, int32_t count, int32_t first) {
    hbg_process_judgement so_far = *j->made;
    if (judge_instant(j, &points[first - 1], &points[first], first == 1)) return first;
    int32_t last = last_of_instant(points, count, first);
    if (last == first) return first;
    hbg_process_judgement refused = *j->made;
    *j->made = so_far;
    if (judge_instant(j, &points[first - 1], &points[last], first == 1)) return last;
    *j->made = refused;
    return first;
}

hbg_process_judgement hbg_verify_process_check(hbg_arena *arena, const hbg_process *of,
                                               const hbg_process_point *points, int32_t count,
                                               double tolerance) {
    int32_t variables = of->variables.count;
    hbg_process_judgement made = {.verdict = HBG_VERDICT_PROVED, .law = HBG_NONE};
    judge j = {.of = of, .made = &made, .tolerance = tolerance};
    made.used = HBG_NEW_ARRAY(arena, int32_t, of->alternatives.count + 1);
    j.moved_at = HBG_NEW_ARRAY(arena, double, of->automaton_count + 1);
    j.old = HBG_NEW_ARRAY(arena, double, variables + 1);
    j.now = HBG_NEW_ARRAY(arena, double, variables + 1);
    hbg_verify_check_init(&j.scope, arena, of);
    find_sizes(&j, points, count);
    for (int32_t i = 1; i < count && made.verdict == HBG_VERDICT_PROVED; i++) {
        const hbg_process_point *before = &points[i - 1];
        if (points[i].is_instant)
            i = judge_instants(&j, points, count, i);
        else
            judge_flow(&j, before, &points[i]);
        for (int32_t k = 0; k < of->automaton_count; k++)
            if (points[i].states[k] != before->states[k]) j.moved_at[k] = points[i].t;
    }
    if (made.verdict == HBG_VERDICT_PROVED && made.unjudged > 0) made.verdict = HBG_VERDICT_UNDECIDED;
    return made;
}
