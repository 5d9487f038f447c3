/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * When a run begins to slide along a surface, and when it ends. Sliding begins where instants lead from one
 * side to the other and back without progress, by relations that are one and the same surface, and where both
 * fields lead to it. It ends where one of the fields no longer leads to it, and the run continues with that
 * field; or where anything else happens, on either side.
 *
 * Where two surfaces meet there is no such rule: the model does not say which of the possible fields is the
 * right one. */
#include <stdio.h>
#include <string.h>

#include "rt/advance_impl.h"
#include "rt/slide_impl.h"

enum {
    SLIDE_AFTER = 6, /* changes of side without progress */
    SLIDE_VAIN = 20, /* times in a row that sliding may get nowhere */
    SLIDE_PARTS = 4, /* of a step, that are checked */
    BISECTIONS = 80
};
static const double still = 100;   /* times HBG_RT_HEADWAY: so soon sliding begins again */
static const double unclear = 1e3; /* bands: how far a root next to the surface may move away from 0 */

bool hbg_rt_engine_slides(const hbg_rt_engine *engine) {
    return engine->slide && engine->slide->on;
}

/* ---- words -------------------------------------------------------------------------------------------- */

static void say(hbg_rt_engine *engine, const char *what) {
    if (engine->t >= engine->setup->demand.stop) return; // everything ends there
    const hbg_rt_observer *observer = &engine->setup->observer;
    hbg_rt_slide *slide = engine->slide;
    char name[120];
    hbg_rt_indicator_name(engine->instance, slide->root, name, sizeof name);
    (void)snprintf(slide->words, sizeof slide->words, "%s `%s`", what, name);
    hbg_rt_story story = {.t = engine->t, .words = "", .slide = slide->words, .sizes = engine->field.size};
    if (engine->log && observer->story) observer->story(observer->context, &story);
}

/* ---- the beginning ------------------------------------------------------------------------------------ */

static bool is_small(double value, double beside) {
    return isfinite(value) && fabs(value) <= HBG_RT_SLIDE_ALIKE * beside;
}

/* Whether the slopes found last, along both fields, are those of the first root up to a factor. */
static bool is_parallel(const hbg_rt_slide *slide, const double *first) {
    double a = slide->side[0].slope * first[1], b = slide->side[1].slope * first[0];
    return is_small(a - b, fabs(a) + fabs(b));
}

/* Whether a root, in the mode of a side, is the surface that the slopes of the first one belong to. */
static hbg_rt_status compare(hbg_rt_engine *engine, int32_t root, int32_t side, const double *first,
                             bool *same) {
    hbg_rt_slide *slide = engine->slide;
    int32_t home = slide->home, known = slide->root;
    slide->root = root;
    slide->home = side;
    hbg_rt_status status = hbg_rt_slide_mix(slide, engine->instance, engine->t, engine->x);
    slide->root = known;
    slide->home = home;
    *same = *same && is_parallel(slide, first);
    return status;
}

/* A law at its border here takes the branch it has next to the surface, on either side: a relation that holds
 * only on the surface, such as x > y and y > x at x = y, has no time to act. */
static hbg_rt_status clear_sides(hbg_rt_engine *engine) {
    hbg_rt_slide *slide = engine->slide;
    hbg_rt_roots *roots = engine->roots;
    int32_t count = 0;
    hbg_rt_status status = hbg_rt_slide_mix(slide, engine->instance, engine->t, engine->x);
    if (status == HBG_RT_OK) status = hbg_rt_slide_roots(slide, engine->instance, engine->t, engine->x);
    for (int32_t k = 0; k < roots->guard_first && status == HBG_RT_OK; k++) {
        double nearest = fmin(fabs(slide->side[0].values[k]), fabs(slide->side[1].values[k]));
        if (roots->rest[k] == 0 && nearest <= unclear * hbg_rt_root_band(roots, k))
            roots->carried[count++] = k;
    }
    if (status != HBG_RT_OK || count == 0 || !isfinite(slide->share)) return status;
    return hbg_rt_slide_clear(slide, engine->instance, engine->t, engine->x,
                              HBG_RT_SLIDE_ASIDE * roots->size[slide->root], roots->carried, count);
}

/* Whether all relations that were crossed from either side are one surface, the same on both. */
static hbg_rt_status find_surface(hbg_rt_engine *engine, bool *found) {
    hbg_rt_slide *slide = engine->slide;
    hbg_rt_status status = clear_sides(engine);
    if (status == HBG_RT_OK) status = hbg_rt_slide_mix(slide, engine->instance, engine->t, engine->x);
    double first[2] = {slide->side[0].slope, slide->side[1].slope};
    *found = isfinite(slide->share) && first[0] * first[1] < 0;
    for (int s = 0; s < 2 && *found && status == HBG_RT_OK; s++) {
        status = compare(engine, slide->root, s, first, found);
        for (int32_t i = 0; i < slide->side[s].exit_count && *found && status == HBG_RT_OK; i++)
            status = compare(engine, slide->side[s].exits[i], slide->home, first, found);
    }
    for (int s = 0; s < 2; s++) slide->side[s].direction = first[s] > 0 ? 1 : -1;
    return status == HBG_RT_OK ? hbg_rt_slide_take(slide, engine->instance, slide->home) : status;
}

/* Whether no dependence between energies holds on one side only. */
static hbg_rt_status stand_still(hbg_rt_engine *engine, bool *still_there) {
    hbg_rt_slide *slide = engine->slide;
    hbg_rt_status status = HBG_RT_OK;
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++) {
        status = hbg_rt_slide_take(slide, engine->instance, s);
        memcpy(slide->place, engine->x, (size_t)engine->field.n * sizeof *slide->place);
        if (status == HBG_RT_OK) status = hbg_rt_settle(engine->instance, engine->t, slide->place);
        for (int32_t i = 0; i < engine->field.n && status == HBG_RT_OK; i++)
            *still_there = *still_there && is_small(slide->place[i] - engine->x[i], engine->field.size[i]);
    }
    return status == HBG_RT_OK ? hbg_rt_slide_take(slide, engine->instance, slide->home) : status;
}

/* A root at 0 next to the surface may stay there. */
static hbg_rt_status find_slack(hbg_rt_engine *engine) {
    hbg_rt_slide *slide = engine->slide;
    hbg_rt_roots *roots = engine->roots;
    hbg_rt_status status = hbg_rt_slide_roots(slide, engine->instance, engine->t, engine->x);
    for (int32_t k = 0; k < roots->count && status == HBG_RT_OK; k++) {
        double band = hbg_rt_root_band(roots, k);
        double nearest = fmin(fabs(slide->side[0].values[k]), fabs(slide->side[1].values[k]));
        slide->slack[k] = nearest <= unclear * band ? 2 * unclear * band : 0;
    }
    for (int s = 0; s < 2; s++)
        for (int32_t i = 0; i < slide->side[s].exit_count; i++) {
            int32_t k = slide->side[s].exits[i]; // the surface itself
            slide->slack[k] = INFINITY;
            roots->returns[k] = 0;
            roots->armed[k] = roots->begun[k] = false;
            if (k < roots->guard_first) roots->side[k] = slide->side[slide->home].sign[k];
        }
    return status;
}

/* Sliding begins again and again at the same place. */
static hbg_rt_status refuse(hbg_rt_engine *engine) {
    char name[120];
    hbg_rt_indicator_name(engine->instance, engine->slide->root, name, sizeof name);
    (void)snprintf(engine->words, sizeof engine->words,
                   "chattering: the surface of `%s` meets another one, and no single field leads along both; "
                   "give one of them two thresholds, or a slope",
                   name);
    engine->field.reason = engine->words;
    engine->result->verdict = HBG_RT_CHATTERING;
    return HBG_RT_VERDICT;
}

static bool is_at_rest(const hbg_rt_engine *engine) {
    const hbg_rt_roots *roots = engine->roots;
    const hbg_rt_slide *slide = engine->slide;
    if (roots->crossed_count == 0 || slide->noted < SLIDE_AFTER) return false;
    int32_t root = roots->crossed[0];
    return root < roots->guard_first ? roots->returns[root] >= SLIDE_AFTER
                                     : engine->moment.close >= SLIDE_AFTER;
}

hbg_rt_status hbg_rt_engine_slide_begin(hbg_rt_engine *engine, bool *slides) {
    hbg_rt_slide *slide = engine->slide;
    double soon = still * HBG_RT_HEADWAY * engine->setup->demand.stop;
    *slides = false;
    hbg_rt_slide_note(slide, engine->instance, engine->roots);
    if (!is_at_rest(engine)) return HBG_RT_OK;
    slide->root = engine->roots->crossed[0];
    slide->size = engine->field.size;
    slide->longest = HBG_RT_SLIDE_TRIAL * engine->field.max_step;
    slide->pull = 1 / engine->field.max_step;
    hbg_rt_status status = find_surface(engine, slides);
    if (status == HBG_RT_OK && *slides) status = stand_still(engine, slides);
    if (status == HBG_RT_OK && *slides) status = find_slack(engine);
    if (status != HBG_RT_OK || !*slides) return hbg_rt_engine_refused(engine, status);
    slide->vain = engine->t - slide->began <= soon ? slide->vain + 1 : 0;
    if (slide->vain > SLIDE_VAIN) return refuse(engine);
    slide->began = engine->t;
    slide->on = true;
    hbg_rt_locate_aside(engine->instance, false, false);
    engine->moment.close = 0;
    engine->moment.new_mode = true; // another field
    say(engine, "slides from here on along the surface of");
    return HBG_RT_OK;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

typedef struct {
    int32_t side; /* side that no longer holds the run, or has found a crossing; -1: none */
    int32_t root; /* root that is crossed; -1: the field leads away */
} slide_end;

/* Whether sliding ends at t, inside the last step, and why. */
static hbg_rt_status look(hbg_rt_engine *engine, double t, slide_end *end) {
    hbg_rt_slide *slide = engine->slide;
    const hbg_rt_roots *roots = engine->roots;
    *end = (slide_end){-1, -1};
    engine->stepper->dense(engine->stepper, t, engine->x_other);
    hbg_rt_status status = hbg_rt_slide_mix(slide, engine->instance, t, engine->x_other);
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++)
        if (slide->side[s].slope * slide->side[s].direction <= 0 && end->side < 0) end->side = s;
    if (status == HBG_RT_OK) status = hbg_rt_slide_roots(slide, engine->instance, t, engine->x_other);
    for (int s = 0; s < 2 && status == HBG_RT_OK; s++)
        for (int32_t k = 0; k < roots->count; k++) {
            if (hbg_rt_is_aside(engine->instance, k)) continue;
            double inside = slide->side[s].sign[k] * slide->side[s].values[k];
            if (inside < -slide->slack[k]) *end = (slide_end){s, k};
        }
    return hbg_rt_engine_refused(engine, status);
}

/* Bisects between a, where sliding continues, and b, where it has ended. */
static hbg_rt_status narrow(hbg_rt_engine *engine, double a, double *b, slide_end *end) {
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = a + (*b - a) / 2;
        slide_end there;
        if (middle <= a || middle >= *b) return HBG_RT_OK;
        hbg_rt_status status = look(engine, middle, &there);
        if (status != HBG_RT_OK) return status;
        if (there.side < 0) {
            a = middle;
        } else {
            *b = middle;
            *end = there;
        }
    }
    return HBG_RT_OK;
}

/* Lists the roots to cross: those that lead out of the side committed last, if the run continues on the other
 * one; and the one that was found. */
static void list(hbg_rt_engine *engine, slide_end end) {
    hbg_rt_slide *slide = engine->slide;
    hbg_rt_roots *roots = engine->roots;
    const hbg_rt_slide_side *home = &slide->side[slide->home];
    roots->crossed_count = 0;
    roots->touched = false;
    for (int32_t i = 0; i < home->exit_count && end.side != slide->home; i++)
        roots->crossed[roots->crossed_count++] = home->exits[i];
    if (end.root >= 0) roots->crossed[roots->crossed_count++] = end.root;
    for (int32_t i = 0; i < roots->crossed_count; i++) roots->beside[roots->crossed[i]] = false;
    engine->moment.crossed = roots->crossed_count > 0;
}

hbg_rt_status hbg_rt_engine_slide_locate(hbg_rt_engine *engine, double *t) {
    hbg_rt_integrator *stepper = engine->stepper;
    double a = stepper->t0;
    slide_end end = {-1, -1};
    for (int i = 1; i <= SLIDE_PARTS && end.side < 0; i++) {
        double b =
            i == SLIDE_PARTS ? stepper->t1 : stepper->t0 + (stepper->t1 - stepper->t0) * i / SLIDE_PARTS;
        hbg_rt_status status = look(engine, b, &end);
        if (status == HBG_RT_OK && end.side >= 0) status = narrow(engine, a, &b, &end);
        if (status != HBG_RT_OK) return status;
        a = *t = b;
    }
    if (end.side < 0) return HBG_RT_OK;
    list(engine, end);
    engine->slide->leaves = end.root < 0;
    engine->moment.cut = !engine->moment.crossed;
    return HBG_RT_OK;
}

bool hbg_rt_engine_slide_stop(hbg_rt_engine *engine) {
    hbg_rt_slide *slide = engine->slide;
    if (!slide || !slide->on) return false;
    say(engine, slide->leaves ? "leaves the surface of" : "stops sliding, something else happens, along");
    slide->on = slide->leaves = false;
    slide->noted = 0;
    return true;
}

hbg_rt_status hbg_rt_engine_slide_left(hbg_rt_engine *engine) {
    hbg_rt_locate_aside(engine->instance, engine->setup->shows, engine->setup->ledger);
    hbg_rt_status status = hbg_rt_roots_take_aside(engine->roots, &engine->field, engine->t, engine->x);
    if (status == HBG_RT_OK) hbg_rt_engine_pause_at(engine, engine->pause);
    return hbg_rt_engine_refused(engine, status);
}

void hbg_rt_engine_slide_last(hbg_rt_engine *engine) {
    hbg_rt_slide *slide = engine->slide;
    slide->on = engine->t >= engine->setup->demand.stop && engine->search.commits == 0 &&
                hbg_rt_slide_take(slide, engine->instance, slide->home) == HBG_RT_OK;
    if (slide->on) hbg_rt_locate_aside(engine->instance, false, false);
}

hbg_rt_status hbg_rt_engine_slide_on(hbg_rt_engine *engine) {
    hbg_rt_status status = HBG_RT_OK;
    if (!engine->slide->leaves) return HBG_RT_OK;
    (void)hbg_rt_engine_slide_stop(engine); // the run stays on the side committed last: nothing more to do
    if (engine->system->has_events)
        status = hbg_rt_roots_refresh(engine->roots, &engine->field, engine->t, engine->x, false);
    if (status != HBG_RT_OK) return hbg_rt_engine_refused(engine, status);
    status = hbg_rt_engine_slide_left(engine);
    if (status != HBG_RT_OK) return status;
    return engine->stepper->begin(engine->stepper, engine->t, engine->x);
}
