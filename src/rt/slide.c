/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The field on a surface that the fields of both its sides lead to (Filippov): share·f₁ + (1 − share)·f₂,
 * with the share for which the surface's difference stands still. This is the limit of ever faster
 * chattering. All values read there, outputs and powers, are the mean with the same share, as over many
 * changes of side.
 *
 * A side is a discrete state with the guards it watches, or a choice of branches inside laws, or both. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"
#include "rt/slide_impl.h"

static bool make_side(hbg_rt_slide_side *side, hbg_rt_room *room, const hbg_rt_instance *run, int32_t laws,
                      int32_t roots) {
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    int32_t values = roots;
    if (run->system->output_count > values) values = run->system->output_count;
    if (run->system->power_count > values) values = run->system->power_count;
    side->states = HBG_RT_TAKE(room, int32_t, counts->automata + 1);
    side->branch = HBG_RT_TAKE(room, double, laws + 1);
    side->sign = HBG_RT_TAKE(room, int8_t, roots + 1);
    side->watched = HBG_RT_TAKE(room, int32_t, counts->relations + 1);
    side->truth = HBG_RT_TAKE(room, bool, counts->relations + 1);
    side->by_area = HBG_RT_TAKE(room, bool, counts->relations + 1);
    side->muted = HBG_RT_TAKE(room, uint8_t, counts->relations + 1);
    side->exits = HBG_RT_TAKE(room, int32_t, roots + 1);
    side->rates = HBG_RT_TAKE(room, double, run->system->state_count + 1);
    side->values = HBG_RT_TAKE(room, double, values + 1);
    return !room->is_exhausted;
}

hbg_rt_slide *hbg_rt_slide_new(hbg_rt_room *room, hbg_rt_instance *run, int32_t laws, int32_t roots) {
    hbg_rt_slide *slide = run->by_hand ? NULL : HBG_RT_TAKE(room, hbg_rt_slide, 1);
    if (!slide) return NULL;
    slide->place = HBG_RT_TAKE(room, double, run->system->state_count + 1);
    slide->slack = HBG_RT_TAKE(room, double, roots + 1);
    for (int s = 0; s < 2 && !room->is_exhausted; s++)
        (void)make_side(&slide->side[s], room, run, laws, roots);
    if (room->is_exhausted) return NULL;
    run->slide = slide;
    return slide;
}

void hbg_rt_slide_end(hbg_rt_slide *slide, hbg_rt_instance *run) {
    if (slide) run->slide = NULL;
}

/* ---- sides -------------------------------------------------------------------------------------------- */

static int32_t law_count(const hbg_rt_instance *run) {
    return run->mark.located < run->branches.located_capacity ? run->mark.located
                                                              : run->branches.located_capacity;
}

static bool is_like(const hbg_rt_slide_side *side, const hbg_rt_instance *run) {
    return memcmp(side->states, run->states,
                  (size_t)run->image->instants.counts.automata * sizeof(int32_t)) == 0 &&
           memcmp(side->branch, run->branches.branch,
                  (size_t)law_count(run) * sizeof *run->branches.branch) == 0;
}

static void keep(hbg_rt_slide_side *side, const hbg_rt_instance *run, const hbg_rt_roots *roots) {
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    size_t relations = (size_t)counts->relations;
    memcpy(side->states, run->states, (size_t)counts->automata * sizeof *side->states);
    memcpy(side->branch, run->branches.branch, (size_t)law_count(run) * sizeof *side->branch);
    memcpy(side->sign, roots->side, (size_t)roots->count * sizeof *side->sign);
    memcpy(side->watched, run->at.watch.watched, relations * sizeof *side->watched);
    memcpy(side->truth, run->at.watch.truth, relations * sizeof *side->truth);
    memcpy(side->by_area, run->at.watch.by_area, relations * sizeof *side->by_area);
    memcpy(side->muted, run->at.watch.muted, relations * sizeof *side->muted);
}

void hbg_rt_slide_note(hbg_rt_slide *slide, hbg_rt_instance *run, const hbg_rt_roots *roots) {
    int32_t left = slide->home, home = 1 - left;
    bool again = is_like(&slide->side[home], run);
    slide->side[left].exit_count = roots->crossed_count;
    memcpy(slide->side[left].exits, roots->crossed, (size_t)roots->crossed_count * sizeof *roots->crossed);
    keep(&slide->side[home], run, roots);
    slide->home = home;
    slide->noted = again ? slide->noted + 1 : 1;
}

hbg_rt_status hbg_rt_slide_take(hbg_rt_slide *slide, hbg_rt_instance *run, int32_t side) {
    const hbg_rt_slide_side *of = &slide->side[side];
    memcpy(run->branches.branch, of->branch, (size_t)law_count(run) * sizeof *run->branches.branch);
    run->lines.at = NAN;
    return hbg_rt_set_mode(run, of->states);
}

/* ---- the surface -------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_slide_difference(hbg_rt_instance *run, int32_t root, double t, const double *x,
                                      double *value) {
    int32_t guard = root - run->system->guard_first;
    if (guard >= 0) return hbg_rt_difference_at(run, guard, t, x, value);
    hbg_rt_status status = hbg_rt_run_field(run, t, x);
    *value = run->branches.root[root];
    return status;
}

/* How far ahead along these rates a slope is sought. */
static double trial_of(const hbg_rt_slide *slide, const double *rates, int32_t n) {
    double pace = 0;
    for (int32_t i = 0; i < n; i++)
        if (slide->size[i] > 0) pace = fmax(pace, fabs(rates[i]) / slide->size[i]);
    return pace * slide->longest > HBG_RT_SLIDE_REACH ? HBG_RT_SLIDE_REACH / pace : slide->longest;
}

/* The slope of the difference along the rates of a side, in the mode that is taken: by five values on a
 * straight line, exact to the fourth power. */
static hbg_rt_status find_slope(hbg_rt_slide *slide, hbg_rt_instance *run, hbg_rt_slide_side *side, double t,
                                const double *x) {
    static const double weights[] = {-25, 48, -36, 16, -3};
    int32_t n = run->system->state_count;
    double ahead = trial_of(slide, side->rates, n), sum = 0, value;
    for (int k = 0; k < 5; k++) {
        for (int32_t i = 0; i < n; i++) slide->place[i] = x[i] + k * ahead * side->rates[i];
        hbg_rt_status status = hbg_rt_slide_difference(run, slide->root, t + k * ahead, slide->place, &value);
        if (status != HBG_RT_OK) return status;
        if (k == 0) slide->offset = value;
        sum += weights[k] * value;
    }
    side->slope = sum / (12 * ahead);
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_slide_mix(hbg_rt_slide *slide, hbg_rt_instance *run, double t, const double *x) {
    bool on = slide->on;
    hbg_rt_status status = HBG_RT_OK;
    slide->on = false; // each side has its own field
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++) {
        status = hbg_rt_slide_take(slide, run, s);
        if (status == HBG_RT_OK) status = hbg_rt_rates(run, t, x, slide->side[s].rates);
    }
    hbg_rt_status back = hbg_rt_slide_take(slide, run, slide->home);
    for (int s = 0; s < 2 && status == HBG_RT_OK && back == HBG_RT_OK; s++)
        status = find_slope(slide, run, &slide->side[s], t, x);
    slide->on = on;
    // errors of steps that lead off the surface decay, slowly enough for any step
    slide->share =
        (slide->side[1].slope + slide->pull * slide->offset) / (slide->side[1].slope - slide->side[0].slope);
    return status == HBG_RT_OK ? back : status;
}

static void add_exit(hbg_rt_slide_side *side, int32_t root) {
    for (int32_t i = 0; i < side->exit_count; i++)
        if (side->exits[i] == root) return;
    side->exits[side->exit_count++] = root;
}

hbg_rt_status hbg_rt_slide_clear(hbg_rt_slide *slide, hbg_rt_instance *run, double t, const double *x,
                                 double away, const int32_t *listed, int32_t count) {
    hbg_rt_slide_side *a = &slide->side[0], *b = &slide->side[1];
    double by = away / (a->slope - b->slope);
    hbg_rt_status status = HBG_RT_OK;
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++) {
        hbg_rt_slide_side *side = &slide->side[s];
        double to = side->slope > 0 ? -by : by; // the side its field comes from
        status = hbg_rt_slide_take(slide, run, s);
        for (int32_t i = 0; i < run->system->state_count; i++)
            slide->place[i] = x[i] + to * (a->rates[i] - b->rates[i]);
        if (status == HBG_RT_OK) status = hbg_rt_freeze_anew(run, t, slide->place, listed, count, side->sign);
        memcpy(side->branch, run->branches.branch, (size_t)law_count(run) * sizeof *side->branch);
    }
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++) {
        if (a->branch[listed[i]] == b->branch[listed[i]]) continue;
        add_exit(a, listed[i]);
        add_exit(b, listed[i]);
    }
    return status;
}

hbg_rt_status hbg_rt_slide_roots(hbg_rt_slide *slide, hbg_rt_instance *run, double t, const double *x) {
    instant_watch own = run->at.watch;
    hbg_rt_status status = HBG_RT_OK, back;
    bool on = slide->on;
    slide->on = false;
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++) {
        hbg_rt_slide_side *side = &slide->side[s];
        status = hbg_rt_slide_take(slide, run, s);
        run->at.watch.watched = side->watched; // guards of this side
        run->at.watch.truth = side->truth;
        run->at.watch.by_area = side->by_area;
        run->at.watch.muted = side->muted;
        if (status == HBG_RT_OK) status = hbg_rt_indicators(run, t, x, side->values);
    }
    run->at.watch = own;
    back = hbg_rt_slide_take(slide, run, slide->home);
    slide->on = on;
    return status == HBG_RT_OK ? back : status;
}

bool hbg_rt_slides(const hbg_rt_instance *run) {
    return run->slide->on;
}

/* ---- values on the surface ----------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_slide_rates(hbg_rt_instance *run, double t, const double *x, double *dx) {
    hbg_rt_slide *slide = run->slide;
    const double *a = slide->side[0].rates, *b = slide->side[1].rates;
    hbg_rt_status status = hbg_rt_slide_mix(slide, run, t, x);
    for (int32_t i = 0; i < run->system->state_count && status == HBG_RT_OK; i++)
        dx[i] = slide->share * a[i] + (1 - slide->share) * b[i];
    return status;
}

hbg_rt_status hbg_rt_slide_values(hbg_rt_instance *run, double t, const double *x, int32_t count,
                                  slide_reader read, double *values) {
    hbg_rt_slide *slide = run->slide;
    hbg_rt_status status = hbg_rt_slide_mix(slide, run, t, x), back;
    slide->on = false;
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++) {
        status = hbg_rt_slide_take(slide, run, s);
        if (status == HBG_RT_OK) status = read(run, t, x, slide->side[s].values);
    }
    back = hbg_rt_slide_take(slide, run, slide->home);
    slide->on = true;
    const double *a = slide->side[0].values, *b = slide->side[1].values;
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++)
        values[i] = a[i] == b[i] ? a[i] : slide->share * a[i] + (1 - slide->share) * b[i];
    return status == HBG_RT_OK ? back : status;
}
