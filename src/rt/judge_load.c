/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loads variables for the programs that are judged at instants: as the event left them, as they were before,
 * or as they were found in another state, with their pulses (semantics, section 2). A register that is loaded
 * with the value it holds already is not marked as changed, which tells judge.c what need not be judged
 * again. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

static instant_value number(double value) {
    return (instant_value){.fin = value, .fin_size = fabs(value)};
}

/* A value that physics would decide, but does not in this shorted mode. */
static instant_value unknown(void) {
    instant_value value = number(NAN);
    value.is_far = true;
    return value;
}

static instant_value in_register(const hbg_rt_instance *run, int32_t fin, int32_t area) {
    const double *r = run->r, *size = run->at.size;
    if (fin == HBG_RT_NONE) return number(NAN); // nothing has computed it
    instant_value value = number(r[fin]);
    value.fin_size = hbg_rt_larger(value.fin_size, size[fin]);
    if (area == HBG_RT_NONE) return value;
    value.area = r[area];
    value.area_size = hbg_rt_larger(fabs(r[area]), size[area]);
    return value;
}

/* The value found in the other state. */
static instant_value in_value(const hbg_rt_instance *run, const hbg_rt_cell *of) {
    instant_value value = run->in_values[of->index];
    if (of->view == HBG_RT_VIEW_VALUE) return value;
    bool area = of->view == HBG_RT_VIEW_AREA;
    instant_value part = number(area ? value.area : 0);
    if (area) part.fin_size = value.area_size;
    return part;
}

/* The left limit; 0 if there is none. In a collision it comes with the pulse of the collision (semantics,
 * section 6). */
static instant_value left_value(const hbg_rt_instance *run, const hbg_rt_cell *of, int32_t known) {
    const instant_data *at = &run->at;
    if (of->view == HBG_RT_VIEW_AREA)
        return at->bounce.struck && known != HBG_RT_NONE ? in_register(run, known, HBG_RT_NONE) : number(0);
    instant_value value = number(of->left == HBG_RT_NONE ? 0 : at->limits.left[of->left]);
    if (of->left != HBG_RT_NONE)
        value.fin_size = fmax(at->limits.left_share[of->left], at->limits.left_size[of->left]);
    int32_t area =
        of->view == HBG_RT_VIEW_VALUE && at->bounce.struck ? hbg_rt_event_register(run, of->area) : -1;
    if (area == HBG_RT_NONE) return value;
    value.area = run->r[area];
    value.area_size = fmax(fabs(value.area), at->size[area]);
    return value;
}

/* The value of pre(…), with the size of the value it recorded. */
static instant_value recorded(const hbg_rt_instance *run, const hbg_rt_cell *of) {
    instant_value value = in_register(run, of->home, HBG_RT_NONE);
    value.fin_size = fmax(value.fin_size, run->at.limits.pre_size[of->index]);
    return value;
}

/* The unbounded part in a shorted mode, from the registers listed at this place; a place less than 0 has
 * none. */
static instant_value far_value(const hbg_rt_instance *run, int32_t place) {
    instant_value value = {.fin = NAN, .is_far = true};
    const int32_t *reg = place < 0 ? NULL : hbg_rt_ints(run->image, place);
    for (int k = 0; k < HBG_RT_ORDERS && reg; k++) {
        value.far[k] = run->r[reg[k]];
        value.far_size[k] = fmax(fabs(value.far[k]), run->at.size[reg[k]]);
    }
    return value;
}

instant_value hbg_rt_cell_at(const hbg_rt_instance *run, int32_t cell) {
    const hbg_rt_cell *of = &run->image->instants.values.cells[cell];
    int32_t known = run->at.event_register[cell];
    if (of->kind == HBG_RT_CELL_IN) return in_value(run, of);
    if (of->kind == HBG_RT_CELL_PARAM) return in_register(run, of->home, HBG_RT_NONE); // or its rate
    if (of->kind == HBG_RT_CELL_PHYSICAL && run->at.a_priori) return left_value(run, of, known);
    if (of->kind == HBG_RT_CELL_PRE) return recorded(run, of);
    if (run->at.far.cell[cell] != HBG_RT_USUAL && !run->at.without_pulses)
        return of->view == HBG_RT_VIEW_VALUE ? far_value(run, run->at.far.cell[cell]) : unknown();
    bool pulses = known != HBG_RT_NONE && !run->at.without_pulses;
    if (of->view == HBG_RT_VIEW_AREA) return pulses ? in_register(run, known, HBG_RT_NONE) : number(0);
    if (of->view != HBG_RT_VIEW_VALUE) return in_register(run, known, HBG_RT_NONE);
    if (known == HBG_RT_NONE) return in_register(run, of->home, HBG_RT_NONE);
    return in_register(run, known, pulses ? hbg_rt_event_register(run, of->area) : HBG_RT_NONE);
}

/* ---- into registers ----------------------------------------------------------------------------------- */

/* Compares bits: 1/0 and 1/−0 differ, and NaN is not equal to itself. */
static bool differs(double a, double b) {
    return memcmp(&a, &b, sizeof a) != 0;
}

/* Writes one part of the value that is loaded into `d`. */
static void put(instant_judged *to, int32_t d, int32_t reg, double value, double size) {
    if (!differs(to->j[reg], value) && !differs(to->size[reg], size)) return;
    to->j[reg] = value;
    to->size[reg] = size;
    to->changed[d] = to->stamp;
}

/* Unbounded parts. Where nothing is unbounded they are 0; they are still 0 if nothing was unbounded
 * before. */
static void put_far(instant_judged *to, int32_t d, const hbg_rt_parts *of, const instant_value *value) {
    if (!value->is_far && to->j[of->open] == 0) return;
    put(to, d, of->open, value->is_far, 0);
    for (int k = 0; k < HBG_RT_ORDERS; k++)
        if (of->far[k] != HBG_RT_NONE) put(to, d, of->far[k], value->far[k], value->far_size[k]);
}

/* Most loads: a value that code has computed, or a left limit, with its pulse. Returns false for the
 * others. */
static bool load_plain(hbg_rt_instance *run, const hbg_rt_judgement *at, const hbg_rt_parts *of) {
    const instant_data *now = &run->at;
    const hbg_rt_cell *cell = &run->image->instants.values.cells[at->argument[0]];
    const double *r = run->r, *size = now->size;
    bool elsewhere =
        cell->kind == HBG_RT_CELL_IN || cell->kind == HBG_RT_CELL_PARAM || cell->kind == HBG_RT_CELL_PRE;
    if (elsewhere || cell->view != HBG_RT_VIEW_VALUE || at->flags & HBG_RT_JUDGED_TRUTH) return false;
    int32_t known = now->event_register[at->argument[0]], area = HBG_RT_NONE;
    if (cell->kind == HBG_RT_CELL_PHYSICAL && now->a_priori) {
        if (cell->left == HBG_RT_NONE) return false;
        put(&run->at.judged, at->d, of->fin, now->limits.left[cell->left],
            hbg_rt_larger(now->limits.left_share[cell->left], now->limits.left_size[cell->left]));
        if (now->bounce.struck) area = hbg_rt_event_register(run, cell->area);
    } else {
        int32_t reg = known == HBG_RT_NONE ? cell->home : known;
        if (reg == HBG_RT_NONE || now->far.cell[at->argument[0]] != HBG_RT_USUAL) return false;
        put(&run->at.judged, at->d, of->fin, r[reg], hbg_rt_larger(fabs(r[reg]), size[reg]));
        if (known != HBG_RT_NONE && !now->without_pulses) area = hbg_rt_event_register(run, cell->area);
    }
    bool none = area == HBG_RT_NONE;
    if (of->area != HBG_RT_NONE)
        put(&run->at.judged, at->d, of->area, none ? 0 : r[area],
            none ? 0 : hbg_rt_larger(fabs(r[area]), size[area]));
    if (of->open != HBG_RT_NONE) put_far(&run->at.judged, at->d, of, &(instant_value){.is_far = false});
    return true;
}

void hbg_rt_judge_load(hbg_rt_instance *run, const hbg_rt_judgement *at) {
    const hbg_rt_parts *of = &run->image->instants.values.parts[at->argument[1]];
    instant_judged *to = &run->at.judged;
    if (load_plain(run, at, of)) return;
    instant_value value = hbg_rt_cell_at(run, at->argument[0]);
    put(to, at->d, of->fin, at->flags & HBG_RT_JUDGED_TRUTH ? value.truth : value.fin, value.fin_size);
    if (of->area != HBG_RT_NONE) put(to, at->d, of->area, value.area, value.area_size);
    if (of->open != HBG_RT_NONE) put_far(to, at->d, of, &value);
}
