/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Locations and transitions of an experiment. A location is a discrete state in a phase of the experiment,
 * one for each convex piece of where it is real; transitions are the ways out of it: those that time alone
 * leads to, and those by which a clock ticks or the next phase begins. Only reachable ones are kept,
 * beginning where time begins to advance. */
#include <math.h>

#include "verify/hybrid_impl.h"

#define LOCATION_LIMIT 1000
#define START_SHARE    1e-6 /* relative to a bound: a run may begin this far beside it */

/* A step out of a place: where to, and when. */
typedef struct {
    int32_t mode, phase;
    hybrid_piece guard;
} joined_step;

/* A discrete state in a phase. */
typedef struct {
    int32_t mode, phase;
    hybrid_pieces pieces;
    int32_t *locations; /* by piece: its location, or HBG_NONE as long as nothing leads there */
    HBG_VEC(joined_step) steps;
    bool has_steps; /* they were looked for */
} joined_place;

typedef struct {
    hybrid_map *map;
    HBG_VEC(joined_place) places;
    hbg_pair_map place_of;   /* (mode, phase) -> place */
    HBG_VEC(int32_t) owner;  /* by location: place */
    HBG_VEC(formula) closed; /* by location: its invariant */
    HBG_VEC(formula) guards; /* by transition: where it can be taken */
} joining;

/* ---- places ---------------------------------------------------------------------------------------------------- */

static double end_of(const hybrid_map *map, int32_t phase) {
    bool last = phase + 1 == map->request->phase_count;
    return last ? map->request->stop : map->request->phases[phase + 1].time;
}

/* The top of a clock or a saw, as exactly as the proof has it: what meets there would otherwise not. */
static formula limit_of(hybrid_map *map, int32_t variable, double most) {
    const hbg_hybrid_variable *of = &map->made->variables.items[variable];
    return of->kind == HBG_HYBRID_SAW ? map->saws.items[of->of].period
                                      : hbg_verify_formula_double(&map->proof->f, most);
}

/* variable <= most, or variable == most */
static void add_bound(hybrid_map *map, hybrid_piece *piece, int32_t variable, double most, bool equal) {
    formulas *f = &map->proof->f;
    hbg_hybrid_bound bound = {.equal = equal};
    bound.sum.factors = HBG_NEW_ARRAY(f->arena, double, map->made->variables.count + 1);
    bound.sum.factors[variable] = 1;
    bound.sum.constant = -most;
    HBG_PUSH(f->arena, piece->bounds, bound);
    formula limit = limit_of(map, variable, most), symbol = map->symbols[variable];
    piece->closed = hbg_verify_formula_and(f, piece->closed,
                                           equal ? hbg_verify_formula_equal(f, symbol, limit)
                                                 : hbg_verify_formula_less_equal(f, symbol, limit));
}

/* No clock is past its period, and time not past the phase. */
static void add_time_bounds(hybrid_map *map, int32_t phase, hybrid_piece *piece) {
    for (int32_t i = 0; i < map->made->variables.count; i++) {
        const hbg_hybrid_variable *of = &map->made->variables.items[i];
        if (of->kind == HBG_HYBRID_CLOCK || of->kind == HBG_HYBRID_SAW)
            add_bound(map, piece, i, of->period, false);
        if (of->kind == HBG_HYBRID_TIME) add_bound(map, piece, i, end_of(map, phase), false);
    }
}

/* The rate of each variable. */
static formula *rates_of(hybrid_map *map, const path_mode *mode, int32_t phase) {
    formulas *f = &map->proof->f;
    formula *terms = HBG_NEW_ARRAY(f->arena, formula, map->made->variables.count + 1);
    for (int32_t i = 0; i < map->made->variables.count; i++) {
        const hbg_hybrid_variable *of = &map->made->variables.items[i];
        formula rate = of->kind == HBG_HYBRID_STATE && mode->rates ? mode->rates[of->of] : NULL;
        bool runs =
            of->kind == HBG_HYBRID_WAIT || of->kind == HBG_HYBRID_CLOCK || of->kind == HBG_HYBRID_TIME;
        terms[i] = runs ? f->one : f->zero;
        if (of->kind == HBG_HYBRID_SAW) terms[i] = map->saws.items[of->of].rate;
        if (rate) terms[i] = hbg_verify_hybrid_at(map, (hybrid_instant){phase, phase, 0}, rate);
    }
    return terms;
}

/* Where time can advance: nothing happens, and no state is left. */
static bool make_place(joining *j, joined_place *place) {
    hybrid_map *map = j->map;
    formulas *f = &map->proof->f;
    const path_mode *mode = &map->ways.modes.items[place->mode];
    formula region = f->no, own, *ends = HBG_NEW_ARRAY(f->arena, formula, map->made->variables.count + 1);
    hybrid_terms terms = {"where time flows in a mode, or how it does,", mode->states,
                          rates_of(map, mode, place->phase), map->made->variables.count};
    for (int32_t i = mode->first_way; i < mode->first_way + mode->way_count; i++) {
        const path_way *way = &map->ways.explorer.ways_found.items[i];
        if (way->stays && !way->on_edge &&
            hbg_verify_hybrid_way(map, (hybrid_instant){place->phase, place->phase, 0}, way, &own, ends))
            region = hbg_verify_formula_or(f, region, own);
    }
    if (map->made->reason || !hbg_verify_hybrid_pieces(map, map->known, region, &terms, &place->pieces))
        return false;
    place->locations = HBG_NEW_ARRAY(f->arena, int32_t, place->pieces.count + 1);
    for (int32_t i = 0; i < place->pieces.count; i++) {
        place->locations[i] = HBG_NONE;
        add_time_bounds(map, place->phase, &place->pieces.items[i]);
    }
    return true;
}

/* HBG_NONE: refused. */
static int32_t place_of(joining *j, int32_t mode, int32_t phase) {
    int32_t found = hbg_base_pair_map_find(&j->place_of, mode, phase);
    if (found >= 0) return found;
    joined_place made = {.mode = mode, .phase = phase};
    if (!make_place(j, &made)) return HBG_NONE;
    HBG_PUSH(j->map->proof->arena, j->places, made);
    return hbg_base_pair_map_add(&j->place_of, mode, phase, j->places.count - 1);
}

static int32_t location_of(joining *j, int32_t place, int32_t piece) {
    joined_place *of = &j->places.items[place];
    hbg_arena *arena = j->map->proof->arena;
    if (of->locations[piece] != HBG_NONE) return of->locations[piece];
    hbg_hybrid_location made = {.states = j->map->ways.modes.items[of->mode].states,
                                .phase = of->phase,
                                .piece = piece,
                                .piece_count = of->pieces.count,
                                .invariant = of->pieces.items[piece].bounds,
                                .flow = of->pieces.items[piece].sums};
    HBG_PUSH(arena, j->map->made->locations, made);
    HBG_PUSH(arena, j->owner, place);
    HBG_PUSH(arena, j->closed, of->pieces.items[piece].closed);
    of->locations[piece] = j->map->made->locations.count - 1;
    return of->locations[piece];
}

/* ---- transitions ----------------------------------------------------------------------------------------------- */

static bool is_same_sum(const hybrid_map *map, const hbg_hybrid_sum *a, const hbg_hybrid_sum *b) {
    size_t size = (size_t)map->made->variables.count * sizeof *a->factors;
    if (!a->factors || !b->factors) return a->factors == b->factors;
    return a->constant == b->constant && memcmp(a->factors, b->factors, size) == 0;
}

static bool is_same_bound(const hybrid_map *map, const hbg_hybrid_bound *a, const hbg_hybrid_bound *b) {
    return a->equal == b->equal && is_same_sum(map, &a->sum, &b->sum);
}

static bool has_bound(const hybrid_map *map, const hbg_hybrid_region *region, const hbg_hybrid_bound *bound) {
    for (int32_t i = 0; i < region->count; i++)
        if (is_same_bound(map, &region->items[i], bound)) return true;
    return false;
}

/* A transition that another one with the same jump includes, such as ways that differ only in the modes they
 * pass. */
static bool is_there(joining *j, const hbg_hybrid_transition *of, formula closed) {
    const hybrid_map *map = j->map;
    formulas *f = &map->proof->f;
    for (int32_t i = map->made->transitions.count - 1; i >= 0; i--) {
        const hbg_hybrid_transition *at = &map->made->transitions.items[i];
        if (at->source != of->source) return false; // those of one source are adjacent
        bool same = at->target == of->target;
        for (int32_t k = 0; same && k < map->made->variables.count; k++)
            same = is_same_sum(map, &at->reset[k], &of->reset[k]);
        if (!same) continue;
        formula more = hbg_verify_formula_and(f, closed, hbg_verify_formula_not(f, j->guards.items[i]));
        if (hbg_verify_formulas_check(f, more) == ANSWER_NONE) return true;
    }
    return false;
}

static void add_transition(joining *j, int32_t source, int32_t target, const hybrid_piece *guard) {
    hybrid_map *map = j->map;
    int32_t count = map->made->variables.count;
    hbg_hybrid_sum *reset = HBG_NEW_ARRAY(map->proof->arena, hbg_hybrid_sum, count + 1);
    formula closed = hbg_verify_formula_and(&map->proof->f, j->closed.items[source], guard->closed);
    for (int32_t i = 0; i < count && guard->values; i++)
        if (guard->values[i] != map->symbols[i]) reset[i] = guard->sums[i];
    hbg_hybrid_transition made = {source, target, {0}, reset};
    if (is_there(j, &made, closed)) return;
    for (int32_t i = 0; i < guard->bounds.count; i++)
        if (!has_bound(map, &map->made->locations.items[source].invariant, &guard->bounds.items[i]))
            HBG_PUSH(map->proof->arena, made.guard, guard->bounds.items[i]);
    HBG_PUSH(map->proof->arena, map->made->transitions, made);
    HBG_PUSH(map->proof->arena, j->guards, closed);
}

/* From a location to the pieces of a place that its guard and jump can lead to. */
static void lead_on(joining *j, int32_t source, const joined_step *step) {
    hybrid_map *map = j->map;
    formulas *f = &map->proof->f;
    formula here = hbg_verify_formula_and(f, j->closed.items[source], step->guard.closed);
    here = hbg_verify_formula_and(f, here, map->known);
    if (hbg_verify_formulas_check(f, here) == ANSWER_NONE) return;
    int32_t target = place_of(j, step->mode, step->phase);
    for (int32_t i = 0; target != HBG_NONE && i < j->places.items[target].pieces.count; i++) {
        formula there =
            hbg_verify_formula_replace(f, j->places.items[target].pieces.items[i].closed,
                                       map->made->variables.count, map->symbols, step->guard.values);
        if (hbg_verify_formulas_check(f, hbg_verify_formula_and(f, here, there)) == ANSWER_NONE) continue;
        add_transition(j, source, location_of(j, target, i), &step->guard);
    }
}

/* From one piece of a place to another, where they meet. */
static void cross_over(joining *j, int32_t source) {
    formulas *f = &j->map->proof->f;
    int32_t own = j->owner.items[source], count = j->places.items[own].pieces.count;
    for (int32_t i = 0; i < count; i++) {
        hybrid_piece guard = j->places.items[own].pieces.items[i];
        if (j->places.items[own].locations[i] == source) continue;
        formula both = hbg_verify_formula_and(f, j->closed.items[source], guard.closed);
        if (hbg_verify_formulas_check(f, both) == ANSWER_NONE) continue;
        guard.values = NULL;
        add_transition(j, source, location_of(j, own, i), &guard);
    }
}

/* Clocks that tick are at their periods; a phase begins at its time. */
static void add_instant_bounds(hybrid_map *map, hybrid_instant instant, hybrid_piece *guard) {
    for (int32_t i = 0; i < map->made->variables.count; i++) {
        const hbg_hybrid_variable *of = &map->made->variables.items[i];
        if (of->kind == HBG_HYBRID_CLOCK && (instant.ticks >> of->of & 1))
            add_bound(map, guard, i, of->period, true);
        if (of->kind == HBG_HYBRID_SAW && (instant.ticks >> (map->proof->timing.clocks.count + of->of) & 1))
            add_bound(map, guard, i, of->period, true);
        if (of->kind == HBG_HYBRID_TIME && instant.before != instant.now)
            add_bound(map, guard, i, map->request->phases[instant.now].time, true);
    }
}

static void list_way(joining *j, int32_t place, hybrid_instant instant, const path_way *way) {
    hybrid_map *map = j->map;
    formulas *f = &map->proof->f;
    formula region, *ends = HBG_NEW_ARRAY(f->arena, formula, map->made->variables.count + 1);
    hybrid_pieces guards;
    hybrid_terms terms = {"a transition", way->start, ends, map->made->variables.count};
    if (!hbg_verify_hybrid_way(map, instant, way, &region, ends)) return;
    if (!hbg_verify_hybrid_pieces(map, map->known, region, &terms, &guards)) return;
    for (int32_t i = 0; i < guards.count; i++) {
        joined_step step = {hbg_verify_paths_map_find(&map->ways, way->states), instant.now, guards.items[i]};
        add_instant_bounds(map, instant, &step.guard);
        HBG_PUSH(f->arena, j->places.items[place].steps, step);
    }
}

/* What is left by itself, or at a planned instant. */
static void list_instant(joining *j, int32_t place, hybrid_instant instant) {
    const path_mode *mode = &j->map->ways.modes.items[j->places.items[place].mode];
    bool planned = instant.ticks > 0 || instant.before != instant.now;
    if (instant.ticks > 0 && !hbg_verify_hybrid_can_tick(j->map, instant.ticks)) return;
    for (int32_t i = mode->first_way; i < mode->first_way + mode->way_count && !j->map->made->reason; i++) {
        const path_way *way = &j->map->ways.explorer.ways_found.items[i];
        if (way->on_edge ? !planned && !way->stays : planned || !way->stays) list_way(j, place, instant, way);
    }
}

static void list_steps(joining *j, int32_t place) {
    const hybrid_map *map = j->map;
    int32_t phase = j->places.items[place].phase;
    uint32_t sets = 1U << (map->proof->timing.clocks.count + map->saws.count);
    j->places.items[place].has_steps = true;
    for (uint32_t ticks = 0; ticks < sets && !map->made->reason; ticks++) {
        list_instant(j, place, (hybrid_instant){phase, phase, ticks});
        if (phase + 1 < map->request->phase_count)
            list_instant(j, place, (hybrid_instant){phase, phase + 1, ticks});
    }
}

static void leave(joining *j, int32_t source) {
    int32_t own = j->owner.items[source];
    if (!j->places.items[own].has_steps) list_steps(j, own);
    cross_over(j, source);
    for (int32_t i = 0; i < j->places.items[own].steps.count && !j->map->made->reason; i++) {
        joined_step step = j->places.items[own].steps.items[i]; // places may move
        lead_on(j, source, &step);
    }
}

/* ---- where it begins ------------------------------------------------------------------------------------------- */

/* All clocks tick when a run begins: samples take the values of that moment, and so do laws that hold one. */
static void start_held(joining *j, int32_t mode) {
    hybrid_map *map = j->map;
    int32_t count = map->made->variables.count;
    formula region, *ends = HBG_NEW_ARRAY(map->proof->arena, formula, count + 1);
    double *values = HBG_NEW_ARRAY(map->proof->arena, double, count + 1);
    hybrid_instant start = {0, 0, (1U << map->proof->timing.clocks.count) - 1};
    const path_mode *of = &map->ways.modes.items[mode];
    for (int32_t i = 0; i < count; i++) values[i] = map->made->variables.items[i].start;
    for (int32_t i = of->first_way; i < of->first_way + of->way_count; i++) {
        const path_way *way = &map->ways.explorer.ways_found.items[i];
        if (!way->stays || way->on_edge || !hbg_verify_hybrid_way(map, start, way, &region, ends)) continue;
        for (int32_t k = 0; k < count; k++) {
            hbg_hybrid_variable *own = &map->made->variables.items[k];
            hbg_hybrid_sum sum;
            if (own->kind == HBG_HYBRID_PRE)
                ends[k] = hbg_verify_hybrid_at(map, start, way->pre[own->of].fin);
            if (own->kind != HBG_HYBRID_HELD && own->kind != HBG_HYBRID_PRE) continue;
            if (hbg_verify_hybrid_sum(map, ends[k], &sum))
                own->start = hbg_verify_hybrid_value(map, &sum, values);
        }
        return;
    }
}

/* How far the values are outside a piece, as a share of the largest contribution; not positive inside. */
static double outside(const hybrid_map *map, const hybrid_piece *piece, const double *values) {
    double most = -1;
    for (int32_t i = 0; i < piece->bounds.count; i++) {
        const hbg_hybrid_bound *bound = &piece->bounds.items[i];
        double sum = hbg_verify_hybrid_value(map, &bound->sum, values), size = fabs(bound->sum.constant);
        for (int32_t k = 0; k < map->made->variables.count; k++)
            if (bound->sum.factors[k] != 0) size = fmax(size, fabs(bound->sum.factors[k] * values[k]));
        double own = size > 0 ? (bound->equal ? fabs(sum) : sum) / size : 0;
        most = fmax(most, own);
    }
    return most;
}

static int32_t find_start(joining *j) {
    hybrid_map *map = j->map;
    int32_t count = map->made->variables.count;
    int32_t mode = hbg_verify_paths_map_find(&map->ways, map->request->start);
    double *values = HBG_NEW_ARRAY(map->proof->arena, double, count + 1), least = START_SHARE;
    int32_t place = place_of(j, mode, 0), best = HBG_NONE;
    if (place == HBG_NONE) return HBG_NONE;
    start_held(j, mode);
    for (int32_t i = 0; i < count; i++) values[i] = map->made->variables.items[i].start;
    for (int32_t i = 0; i < j->places.items[place].pieces.count; i++) {
        double own = outside(map, &j->places.items[place].pieces.items[i], values);
        if (own > least) continue;
        least = own;
        best = i;
    }
    if (best == HBG_NONE)
        hbg_verify_hybrid_refuse(map, map->proof->model->span,
                                 "time does not flow from where a run begins, in %s",
                                 hbg_verify_paths_mode_text(map->proof, map->request->start));
    return best == HBG_NONE ? HBG_NONE : location_of(j, place, best);
}

void hbg_verify_hybrid_join(hybrid_map *map) {
    joining j = {.map = map};
    hbg_base_pair_map_init(&j.place_of, map->proof->arena);
    map->made->first = find_start(&j);
    for (int32_t i = 0; i < map->made->locations.count && !map->made->reason; i++) {
        leave(&j, i);
        if (map->made->locations.count > LOCATION_LIMIT)
            hbg_verify_hybrid_refuse(
                map, map->proof->model->span,
                "it has more than %d locations (modes, phases of the experiment and convex pieces)",
                LOCATION_LIMIT);
    }
}
