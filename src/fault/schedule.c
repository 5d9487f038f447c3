/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults in time. The faults of each target begin and end in order; at each of these moments the combined
 * effect of those in force is computed and its changes are set: faults are the leaves of a tree of sums, so a
 * moment costs the logarithm of their number. Biases, slopes and percentages of the nominal value add up; of
 * several that hold the target, or change its noise, the last that began wins. */
#include <math.h>
#include <stdlib.h>

#include "fault/fault_impl.h"
#include "rt/sensor.h"

/* A fault begins or ends. */
typedef struct {
    double time;
    int32_t fault;
    bool ends;
} moment;

/* The combined effect of the faults in force on a target. */
typedef struct {
    double place[PLACE_COUNT];       /* as for values; of sensors too */
    double rate[PLACE_COUNT];        /* rate of each */
    const hbg_fault *holder, *noise; /* the last that began, or NULL */
} effect;

/* Effects of the faults of one target, empty while a fault is not in force, and of pairs of them up to the
 * root, which is number 1. */
typedef struct {
    effect *node;
    int32_t leaves; /* a power of two; they begin at this number */
} effect_tree;

typedef struct {
    hbg_arena *arena;
    const hbg_fault_plan *plan;
    double stop;
    uint64_t seed;
    const hbg_fault *faults; /* of this run */
    const int32_t *numbers;  /* their numbers in the plan; NULL: the same */
    int32_t count;
    bool has_noise;
    int32_t *began; /* by fault: how many began before it */
    int32_t *leaf;  /* by fault: its place among those of its target */
    int32_t begun;
    HBG_VEC(hbg_sim_override) overrides;
} scheduler;

static int32_t number_of(const scheduler *s, int32_t fault) {
    return s->numbers ? s->numbers[fault] : fault;
}

static double constant(const scheduler *s, hbg_expr expr, double otherwise) {
    double value;
    return expr >= 0 && hbg_model_constant(s->plan->model, expr, &value) ? value : otherwise;
}

/* ---- combined faults ---------------------------------------------------------------------------------- */

static const hbg_fault *later(const scheduler *s, const hbg_fault *one, const hbg_fault *other) {
    if (!one || !other) return one ? one : other;
    return s->began[one - s->faults] > s->began[other - s->faults] ? one : other;
}

/* The effect of a single fault in force, added to places that are 0. */
static effect effect_of(const scheduler *s, const hbg_fault *fault) {
    double value = constant(s, fault->value, 0), at = constant(s, fault->at, 0);
    place on = fault->relative ? PLACE_SCALE : PLACE_BIAS;
    effect e = {0};
    switch (hbg_model_fault_effect_of(fault)) {
    case HBG_EFFECT_ADDS: e.place[on] = value; break;
    case HBG_EFFECT_GROWS: // value·(t − at)
        e.place[on] = -value * at;
        e.rate[on] = value;
        break;
    case HBG_EFFECT_HOLDS: e.holder = fault; break;
    case HBG_EFFECT_SHAKES: e.noise = fault; break;
    }
    return e;
}

static effect_tree new_tree(const scheduler *s, int32_t count) {
    effect_tree tree = {.leaves = 1};
    while (tree.leaves < count) tree.leaves *= 2;
    tree.node = HBG_NEW_ARRAY(s->arena, effect, 2 * (size_t)tree.leaves);
    return tree;
}

static void put_leaf(const scheduler *s, effect_tree *tree, int32_t leaf, effect e) {
    int32_t number = tree->leaves + leaf;
    tree->node[number] = e;
    for (number /= 2; number > 0; number /= 2) {
        const effect *left = &tree->node[2 * number], *right = left + 1;
        effect *sum = &tree->node[number];
        for (int i = 0; i < PLACE_COUNT; i++) {
            sum->place[i] = left->place[i] + right->place[i];
            sum->rate[i] = left->rate[i] + right->rate[i];
        }
        sum->holder = later(s, left->holder, right->holder);
        sum->noise = later(s, left->noise, right->noise);
    }
}

/* The combined effect of those in force. */
static effect amount(const effect_tree *tree) {
    effect e = tree->node[1];
    e.place[PLACE_SCALE] += 1;
    return e;
}

/* ---- overrides ---------------------------------------------------------------------------------------- */

static void emit(scheduler *s, hbg_sim_override override) {
    HBG_PUSH(s->arena, s->overrides, override);
}

/* A held value has scale 0: it is only bias. */
static effect as_place(const scheduler *s, effect e) {
    if (!e.holder) return e;
    effect held = {.holder = e.holder};
    held.place[PLACE_BIAS] = constant(s, e.holder->value, 0);
    return held;
}

/* Sets the parameters of the places that have changed. */
static void set_value(scheduler *s, hbg_sim_override begin, int32_t fault, const effect *before, effect now) {
    const int32_t *params = &s->plan->places[number_of(s, fault) * PLACE_COUNT];
    effect old = as_place(s, *before);
    bool any = false;
    begin.kind = HBG_RT_SET_PARAM;
    begin.index = HBG_NONE;
    now = as_place(s, now);
    for (int i = 0; i < PLACE_COUNT; i++) {
        if (params[i] == HBG_NONE) continue;
        begin.index = params[i];
        begin.value = now.place[i];
        begin.is_line = s->plan->lines;
        begin.slope = now.rate[i];
        if (now.place[i] == old.place[i] && now.rate[i] == old.rate[i]) continue;
        emit(s, begin);
        any = true;
    }
    if (!any && begin.index != HBG_NONE) emit(s, begin); // so that it is reported
}

static void set_automaton(scheduler *s, hbg_sim_override begin, hbg_object target, const effect *now) {
    begin.kind = HBG_RT_HOLD;
    begin.index = target.index;
    begin.state = !now->holder              ? HBG_RT_HOLD_NOT
                  : now->holder->state >= 0 ? now->holder->state
                  : now->holder->on         ? HBG_RT_HOLD_ON
                                            : HBG_RT_HOLD_OFF;
    emit(s, begin);
}

/* Clocks of signals come first, in the order of the signals. */
static int32_t clock_of(const hbg_model *model, int32_t signal) {
    int32_t count = 0;
    for (int32_t i = 0; i < signal; i++) count += model->signals.items[i].every != HBG_NONE;
    return count;
}

static void set_sensor(scheduler *s, hbg_sim_override begin, int32_t signal, const effect *now) {
    const hbg_model *model = s->plan->model;
    const hbg_signal *of = &model->signals.items[signal];
    hbg_rt_sensor *sensor = HBG_NEW(s->arena, hbg_rt_sensor);
    hbg_buffer path;
    hbg_base_buffer_init(&path, s->arena);
    hbg_model_path(model, (hbg_object){HBG_OBJECT_SIGNAL, signal}, &path);
    double variance = constant(s, now->noise ? now->noise->value2 : of->noise_variance, 0);
    *sensor = (hbg_rt_sensor){.scale = now->place[PLACE_SCALE],
                              .scale_rate = now->rate[PLACE_SCALE],
                              .bias = now->place[PLACE_BIAS],
                              .bias_rate = now->rate[PLACE_BIAS],
                              .mean = constant(s, now->noise ? now->noise->value : of->noise_mean, 0),
                              .deviation = sqrt(fmax(variance, 0)),
                              .is_stuck = now->holder != NULL,
                              .stuck = now->holder ? constant(s, now->holder->value, 0) : 0,
                              .seed = s->seed,
                              .key = hbg_rt_sensor_key(path.data)};
    s->has_noise = s->has_noise || sensor->deviation > 0;
    begin.kind = HBG_RT_SENSE;
    begin.index = clock_of(model, signal);
    begin.sensor = sensor;
    emit(s, begin);
}

static void set_target(scheduler *s, const moment *m, const effect *before, const effect *now) {
    const hbg_fault *fault = &s->faults[m->fault];
    hbg_sim_override begin = {.time = m->time, .cause = 2 * number_of(s, m->fault) + m->ends};
    if (hbg_fault_on_value(s->plan->model, fault))
        set_value(s, begin, m->fault, before, *now);
    else if (fault->target.kind == HBG_OBJECT_AUTOMATON)
        set_automaton(s, begin, fault->target, now);
    else
        set_sensor(s, begin, fault->target.index, now);
}

/* ---- targets ------------------------------------------------------------------------------------------ */

/* Faults that end at a moment come before those that begin there. */
static int by_time(const void *a, const void *b) {
    const moment *one = a, *other = b;
    if (one->time != other->time) return one->time < other->time ? -1 : 1;
    if (one->ends != other->ends) return one->ends ? -1 : 1;
    return (one->fault > other->fault) - (one->fault < other->fault);
}

static void schedule_target(scheduler *s, const int32_t *faults, int32_t count) {
    moment *moments = HBG_NEW_ARRAY(s->arena, moment, 2 * (size_t)count + 1);
    size_t made = 0;
    for (int32_t i = 0; i < count; i++) {
        const hbg_fault *fault = &s->faults[faults[i]];
        s->leaf[faults[i]] = i;
        double at = constant(s, fault->at, NAN), until = constant(s, fault->until, INFINITY);
        if (!(at <= s->stop) || !(until > at)) continue;
        moments[made++] = (moment){at, faults[i], false};
        if (until <= s->stop) moments[made++] = (moment){until, faults[i], true};
    }
    qsort(moments, made, sizeof *moments, by_time);
    effect_tree tree = new_tree(s, count);
    effect before = amount(&tree);
    for (size_t i = 0; i < made; i++) {
        int32_t fault = moments[i].fault;
        if (!moments[i].ends) s->began[fault] = s->begun++;
        put_leaf(s, &tree, s->leaf[fault], moments[i].ends ? (effect){0} : effect_of(s, &s->faults[fault]));
        effect now = amount(&tree);
        set_target(s, &moments[i], &before, &now);
        before = now;
    }
}

/* Faults by target: each target's in a row, targets as they first appear. */
static void schedule_faults(scheduler *s) {
    int32_t count = s->count, groups = 0, next = 0;
    hbg_pair_map numbers;
    hbg_base_pair_map_init(&numbers, s->arena);
    int32_t *group = HBG_NEW_ARRAY(s->arena, int32_t, count + 1);
    int32_t *start = HBG_NEW_ARRAY(s->arena, int32_t, count + 2);
    int32_t *place_in = HBG_NEW_ARRAY(s->arena, int32_t, count + 1);
    int32_t *sorted = HBG_NEW_ARRAY(s->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) {
        hbg_object target = s->faults[i].target;
        group[i] = hbg_base_pair_map_add(&numbers, (int32_t)target.kind, target.index, groups);
        groups += group[i] == groups;
        start[group[i] + 1]++;
    }
    for (int32_t g = 0; g < groups; g++) {
        place_in[g] = next;
        next += start[g + 1];
        start[g + 1] = next;
    }
    for (int32_t i = 0; i < count; i++) sorted[place_in[group[i]]++] = i;
    for (int32_t g = 0; g < groups; g++) schedule_target(s, sorted + start[g], start[g + 1] - start[g]);
}

/* Sensors that have noise by themselves. */
static void schedule_noise(scheduler *s) {
    const hbg_model *model = s->plan->model;
    effect nothing = {.place = {[PLACE_SCALE] = 1}};
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].noise_variance != HBG_NONE && model->signals.items[i].every != HBG_NONE)
            set_sensor(s, (hbg_sim_override){.cause = HBG_NONE}, i, &nothing);
}

/* ---- in order of time --------------------------------------------------------------------------------- */

typedef struct {
    hbg_sim_override override;
    int32_t order;
} ordered;

static int by_override(const void *a, const void *b) {
    const ordered *one = a, *other = b;
    if (one->override.time != other->override.time) return one->override.time < other->override.time ? -1 : 1;
    return (one->order > other->order) - (one->order < other->order);
}

static void choose(scheduler *s, const hbg_fault_choice *choice) {
    hbg_fault *faults = HBG_NEW_ARRAY(s->arena, hbg_fault, choice->count + 1);
    for (int32_t i = 0; i < choice->count; i++) faults[i] = s->plan->faults[choice->faults[i]];
    s->faults = faults;
    s->numbers = choice->faults;
    s->count = choice->count;
}

hbg_fault_schedule hbg_fault_schedule_new(hbg_arena *arena, const hbg_fault_plan *plan, double stop,
                                          uint64_t seed, const hbg_fault_choice *choice) {
    scheduler s = {.arena = arena, .plan = plan, .stop = stop, .seed = seed};
    s.faults = plan->faults;
    s.count = plan->fault_count;
    if (choice) choose(&s, choice);
    s.leaf = HBG_NEW_ARRAY(arena, int32_t, s.count + 1);
    s.began = HBG_NEW_ARRAY(arena, int32_t, s.count + 1);
    schedule_noise(&s);
    schedule_faults(&s);
    size_t count = (size_t)s.overrides.count;
    ordered *list = HBG_NEW_ARRAY(arena, ordered, count + 1);
    hbg_sim_override *overrides = HBG_NEW_ARRAY(arena, hbg_sim_override, count + 1);
    for (size_t i = 0; i < count; i++) list[i] = (ordered){s.overrides.items[i], (int32_t)i};
    qsort(list, count, sizeof *list, by_override);
    for (size_t i = 0; i < count; i++) overrides[i] = list[i].override;
    return (hbg_fault_schedule){overrides, (int32_t)count, s.has_noise};
}
