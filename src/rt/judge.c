/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values at an instant: finite part plus pulse (semantics, section 2), and relations between them with their band
 * (semantics, section 5).
 * Areas decide first, finite parts only where areas are equal. What is linear in pulses carries them; anything else of a
 * pulse has no meaning. */
#include <math.h>

#include "rt/run_impl.h"

static instant_value number(double value) {
    bool truth = value != 0;
    return (instant_value){
        .fin = value, .fin_size = fabs(value), .low = truth, .high = truth, .sharp = truth};
}

/* What physics decides in a shorted mode, where that does not. */
static instant_value unknown(void) {
    instant_value value = number(NAN);
    value.is_far = true;
    return value;
}

static instant_value boolean(bool value) {
    return number(value);
}

void hbg_rt_new_values(hbg_rt_instance *run) {
    run->at.judged.stamp++;
    run->at.refused = HBG_RT_NONE;
}

/* ---- variables ---------------------------------------------------------------------------------------- */

static instant_value in_register(const hbg_rt_instance *run, int32_t fin, int32_t area) {
    const double *r = run->r, *size = run->at.size;
    if (fin == HBG_RT_NONE) return number(NAN); // nothing has computed it
    instant_value value = number(r[fin]);
    value.fin_size = fmax(value.fin_size, size[fin]);
    if (area == HBG_RT_NONE) return value;
    value.area = r[area];
    value.area_size = fmax(fabs(r[area]), size[area]);
    return value;
}

/* As it was found in the other state. */
static instant_value in_value(const hbg_rt_instance *run, const hbg_rt_cell *of) {
    instant_value value = run->in_values[of->index];
    if (of->view == HBG_RT_VIEW_VALUE) return value;
    bool area = of->view == HBG_RT_VIEW_AREA;
    instant_value part = number(area ? value.area : 0);
    if (area) part.fin_size = value.area_size;
    return part;
}

/* The left limit; what has none is 0 there. In a collision it comes with the pulse that the collision brings (semantics, section 6). */
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

/* Of pre: it is compared as what it recorded is. */
static instant_value recorded(const hbg_rt_instance *run, const hbg_rt_cell *of) {
    instant_value value = in_register(run, of->home, HBG_RT_NONE);
    value.fin_size = fmax(value.fin_size, run->at.limits.pre_size[of->index]);
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
        return of->view == HBG_RT_VIEW_VALUE ? hbg_rt_far_at(run, run->at.far.cell[cell]) : unknown();
    bool pulses = known != HBG_RT_NONE && !run->at.without_pulses;
    if (of->view == HBG_RT_VIEW_AREA) return pulses ? in_register(run, known, HBG_RT_NONE) : number(0);
    if (of->view != HBG_RT_VIEW_VALUE) return in_register(run, known, HBG_RT_NONE);
    if (known == HBG_RT_NONE) return in_register(run, of->home, HBG_RT_NONE);
    return in_register(run, known, pulses ? hbg_rt_event_register(run, of->area) : HBG_RT_NONE);
}

/* ---- relations ---------------------------------------------------------------------------------------- */

static bool holds_strictly(int op, double difference) { // the difference is clear of 0
    switch (op) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL: return difference < 0;
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return difference > 0;
    default: return op == HBG_OP_NOT_EQUAL;
    }
}

/* A relation that was found to touch is at equality where it was found, as near as states are exact; that may be more than the band. */
static double equality(const hbg_rt_instance *run, const hbg_rt_node *node, double fin, double size) {
    const double most = 0.02; /* of its size: what is farther has jumped meanwhile */
    double band = HBG_RT_BAND * size;
    int32_t index = node->relation;
    if (index == HBG_RT_NONE && run->at.limits.branches)
        return node->flags & HBG_RT_NODE_TIMED ? HBG_RT_SLACK * size : 0;
    if (index == HBG_RT_NONE || run->at.crossed[index] != TOUCHED) return band;
    const instant_data *at = &run->at;
    int op = node->op;
    bool enables = hbg_rt_at_equality(op) ? !at->watch.truth[index]
                                          : at->watch.truth[index] && at->watch.watched_negative[index] > 0;
    if (hbg_rt_is_equality(op)) enables = true; // it is neither side
    if (!enables) return band;                  // what holds anyway is not to be doubted
    double *near = &run->at.near[index];
    if (*near < 0) *near = fabs(fin) <= most * size ? fabs(fin) : 0;
    return fmax(band, *near);
}

/* What a band is a share of: the largest contributions of the run. Near a pole, like that of a tangent, they have any size, and have it
 * for a moment only. There the difference is more than anything that was known before, or than what it is compared with: that is no
 * equality, and little of its size is kept. What is much more than there is now was such a pole, and is forgotten: energies have
 * their own memory. */
static double remember(double *known, instant_value a, instant_value b, double compared) {
    const double usual = 1e3, far = 1e6;
    double before = *known, size = fmax(a.fin_size, b.fin_size), difference = fabs(a.fin - b.fin);
    double least = before > 0 ? before : far * compared; // a difference that is more is clear of equality
    if (size > before)
        *known = least > 0 && difference > least ? fmin(size, usual * fmax(before, compared)) : size;
    if (size < before && size > 0) *known = fmin(before, usual * size);
    return *known;
}

/* The smaller of what is compared: of a difference beside 0, like x − y > 0, its terms. */
static double compared_size(const hbg_rt_instance *run, const hbg_rt_node *node, instant_value a,
                            instant_value b) {
    const hbg_rt_node *difference = &run->image->instants.values.nodes[node->a];
    const instant_data *at = &run->at;
    if (difference->op != HBG_OP_SUBTRACT || b.fin_size != 0) return fmin(a.fin_size, b.fin_size);
    if (at->judged.value_stamp[difference->a] != at->judged.stamp ||
        at->judged.value_stamp[difference->b] != at->judged.stamp)
        return 0;
    return fmin(at->judged.values[difference->a].fin_size, at->judged.values[difference->b].fin_size);
}

static instant_value relation(hbg_rt_instance *run, const hbg_rt_node *node, instant_value a,
                              instant_value b) {
    int op = node->op, decisive;
    if (node->flags & HBG_RT_NODE_STATES) return boolean((a.fin == b.fin) == (op == HBG_OP_EQUAL));
    int far = hbg_rt_far_order(a, b, &decisive);
    if (far != 0) return boolean(holds_strictly(op, far));
    if (a.is_far || b.is_far) return unknown();
    int32_t index = node->relation;
    double fin_size = fmax(a.fin_size, b.fin_size), area_size = fmax(a.area_size, b.area_size);
    bool crossed = false, found = false;
    if (index != HBG_RT_NONE) {
        instant_data *at = &run->at;
        fin_size = remember(&at->fin_band[index], a, b, compared_size(run, node, a, b));
        area_size = at->area_band[index] = fmax(at->area_band[index], area_size);
        found = at->crossed[index] != 0;
        crossed = at->crossed[index] == CROSSED;
    }
    double area = a.area - b.area, fin = a.fin - b.fin;
    if (run->image->instants.has_open && (isnan(fin) || isnan(area)))
        return number(NAN); // nothing determines it
    if (isnan(fin)) {       // of what is no number nothing else holds
        instant_value none = boolean(op == HBG_OP_NOT_EQUAL);
        none.low = false;
        none.high = true;
        return none;
    }
    if (fabs(area) > HBG_RT_BAND * area_size) return boolean(holds_strictly(op, area));
    bool by_area = crossed && run->at.watch.by_area[index]; // it was its area that was crossed
    bool planned = crossed && hbg_rt_guard_is_planned(run, index),
         equal = fabs(fin) <= equality(run, node, fin, fin_size);
    bool turned = planned && hbg_rt_guard_holds_after(run, index, run->at.watch.plan.t);
    if (!equal && !by_area) return boolean(planned ? turned : holds_strictly(op, fin));
    bool truth = hbg_rt_at_equality(op);
    if (crossed && !hbg_rt_is_equality(op)) truth = planned ? turned : !run->at.watch.truth[index];
    instant_value at_equality = boolean(truth);
    at_equality.low = false;
    at_equality.high = true;
    double rounding = HBG_RT_SHARP * fin_size;
    at_equality.sharp = fabs(fin) > rounding && !by_area ? holds_strictly(op, fin) : truth;
    if (found) at_equality.area_size = 1; // remembers that a located relation decided
    return at_equality;
}

/* −1, 0, 1 by the order of values; areas that differ by rounding alone leave it to the finite parts, as in a relation. */
static int order(instant_value a, instant_value b) {
    int decisive, far = hbg_rt_far_order(a, b, &decisive);
    if (far != 0) return far;
    double area = a.area - b.area;
    if (fabs(area) > HBG_RT_BAND * fmax(a.area_size, b.area_size)) return area < 0 ? -1 : 1;
    return a.fin < b.fin ? -1 : a.fin > b.fin;
}

/* ---- operators ---------------------------------------------------------------------------------------- */

/* Where finite parts decide what abs, min or max are, areas are equal but for rounding. They go their own way all the same: those of
 * abs do not jump below 0 there, which would be a crossing. */
static instant_value with_area(instant_value value, double area) {
    value.area = area;
    return value;
}

/* One side alone may decide; else a truth that nothing determines leaves the whole so. */
static instant_value logical(int op, instant_value a, instant_value b) {
    bool both = op == HBG_OP_AND;
    bool decided =
        both ? a.fin == 0 || b.fin == 0 : (a.fin != 0 && !isnan(a.fin)) || (b.fin != 0 && !isnan(b.fin));
    if (!decided && (isnan(a.fin) || isnan(b.fin))) return a.is_far || b.is_far ? unknown() : number(NAN);
    instant_value value = boolean(both ? a.fin != 0 && b.fin != 0 : a.fin != 0 || b.fin != 0);
    value.low = both ? a.low && b.low : a.low || b.low;
    value.high = both ? a.high && b.high : a.high || b.high;
    value.sharp = both ? a.sharp && b.sharp : a.sharp || b.sharp;
    value.area_size = fmax(a.area_size, b.area_size);
    return value;
}

static instant_value negation(instant_value a) {
    if (isnan(a.fin)) return a;
    instant_value value = boolean(a.fin == 0);
    value.low = !a.high;
    value.high = !a.low;
    value.sharp = !a.sharp;
    value.area_size = a.area_size;
    return value;
}

static instant_value scaled(instant_value a, double factor) {
    double size = fabs(factor);
    instant_value value = {.fin = a.fin * factor,
                           .area = a.area * factor,
                           .fin_size = a.fin_size * size,
                           .area_size = a.area_size * size,
                           .is_far = a.is_far};
    for (int k = 0; k < HBG_RT_ORDERS && a.is_far; k++) {
        value.far[k] = a.far[k] * factor;
        value.far_size[k] = a.far_size[k] * size;
    }
    return value;
}

static instant_value sum(instant_value a, instant_value b, int sign) {
    instant_value value = {.fin = a.fin + sign * b.fin,
                           .area = a.area + sign * b.area,
                           .fin_size = fmax(a.fin_size, b.fin_size),
                           .area_size = fmax(a.area_size, b.area_size),
                           .is_far = a.is_far || b.is_far};
    for (int k = 0; k < HBG_RT_ORDERS && value.is_far; k++) {
        value.far[k] = a.far[k] + sign * b.far[k];
        value.far_size[k] = fmax(a.far_size[k], b.far_size[k]);
    }
    return value;
}

static bool is_constant(const hbg_rt_instance *run, int32_t node) {
    return run->image->instants.values.nodes[node].flags & HBG_RT_NODE_CONSTANT;
}

/* Of something unbounded, by what is no parameter: its derivatives are not known here. */
static instant_value without_meaning(hbg_rt_instance *run, const hbg_rt_node *node, instant_value a,
                                     instant_value b) {
    if (hbg_rt_is_unbounded(a) || hbg_rt_is_unbounded(b)) run->at.refused = node->term;
    return unknown();
}

static instant_value product(hbg_rt_instance *run, const hbg_rt_node *node, instant_value a,
                             instant_value b) {
    if (a.is_far && is_constant(run, node->b)) return scaled(a, b.fin);
    if (b.is_far && is_constant(run, node->a)) return scaled(b, a.fin);
    if (a.is_far || b.is_far) return without_meaning(run, node, a, b);
    if (a.area != 0 && b.area != 0) run->at.refused = node->term;
    instant_value value = a.area != 0 ? scaled(a, b.fin) : scaled(b, a.fin);
    value.fin_size = fmax(fabs(a.fin) * b.fin_size, fabs(b.fin) * a.fin_size);
    value.area_size = fmax(fabs(a.fin) * b.area_size, fabs(b.fin) * a.area_size);
    return value;
}

static instant_value quotient(hbg_rt_instance *run, const hbg_rt_node *node, instant_value a,
                              instant_value b) {
    if (a.is_far && is_constant(run, node->b)) return scaled(a, 1 / b.fin);
    if (a.is_far || b.is_far) return without_meaning(run, node, a, b);
    if (b.area != 0) run->at.refused = node->term;
    instant_value value = scaled(a, 1 / b.fin);
    value.fin = a.fin / b.fin;
    value.fin_size = fmax(value.fin_size, fabs(value.fin) / fabs(b.fin) * b.fin_size);
    return value;
}

/* Steps of time: whole numbers but for rounding are whole. */
static double slackened(int op, instant_value a) {
    double slack = HBG_RT_SLACK * a.fin_size;
    return op == HBG_OP_FLOOR ? a.fin + slack : a.fin - slack;
}

/* What floor and its like make of an argument at the border of a cell, where rounding decides on which side that is: where it was
 * found to be on the other side it is. */
static double across(int op, double value, double size) {
    double border = nearbyint(value);
    bool below = op == HBG_OP_CEIL ? value <= border : value < border;
    if (!(fabs(value - border) <= HBG_RT_BORDER * size)) return value;
    if (op == HBG_OP_CEIL) return below ? nextafter(border, INFINITY) : border;
    return below ? border : nextafter(border, -INFINITY);
}

/* A remainder by the whole multiple that is on the other side, of those that differ by rounding. */
static double remainder_across(instant_value a, instant_value b) {
    double quotient = hbg_rt_quotient(a.fin, b.fin), border = nearbyint(quotient);
    double size = fmax(a.fin_size / fabs(b.fin), fabs(quotient));
    if (!(fabs(quotient - border) <= HBG_RT_BORDER * size)) return hbg_rt_remainder(a.fin, b.fin);
    double before = border - copysign(1, quotient);
    return a.fin - b.fin * (fabs(quotient) < fabs(border) ? border : before);
}

static double evaluate(const hbg_rt_instance *run, const hbg_rt_node *node, const instant_value *a) {
    bool other = run->at.any_across && run->at.across[node - run->image->instants.values.nodes];
    double first = node->flags & HBG_RT_NODE_TIMED ? slackened(node->op, a[0]) : a[0].fin;
    if (node->op == HBG_OP_TABLE || node->op == HBG_RT_OP_SLOPE)
        return hbg_rt_table_at(run, node->op, node->b, first, other ? HBG_RT_BORDER * a[0].fin_size : 0);
    if (other && node->op == HBG_OP_REMAINDER) return remainder_across(a[0], a[1]);
    if (other) first = across(node->op, first, a[0].fin_size);
    return hbg_rt_evaluate((hbg_operator)node->op, first, a[1].fin, a[2].fin);
}

/* Functions that are not linear take finite values only. */
static instant_value function(hbg_rt_instance *run, const hbg_rt_node *node, const instant_value *a) {
    for (int i = 0; i < node->arity; i++)
        if (a[i].area != 0) run->at.refused = node->term;
    if (a[0].is_far || a[1].is_far) return without_meaning(run, node, a[0], a[1]);
    instant_value value = number(evaluate(run, node, a));
    if (node->op == HBG_OP_TABLE || node->op == HBG_RT_OP_SLOPE) return value;
    value.fin_size = fmax(value.fin_size, a[0].fin_size);
    return value;
}

/* The column `pulse` of the list of operators: at_… is the value of a term by those of its arguments. */
typedef struct {
    hbg_rt_instance *run;
    const hbg_rt_node *node;
    const instant_value *a;
} operands;

static instant_value at_none(operands of) {
    assert(!"an operator of terms");
    return of.a[0];
}

static instant_value at_number(operands of) {
    return number(of.node->number);
}

static instant_value at_sum(operands of) {
    return sum(of.a[0], of.a[1], 1);
}

static instant_value at_difference(operands of) {
    return sum(of.a[0], of.a[1], -1);
}

static instant_value at_opposite(operands of) {
    return scaled(of.a[0], -1);
}

static instant_value at_product(operands of) {
    return product(of.run, of.node, of.a[0], of.a[1]);
}

static instant_value at_quotient(operands of) {
    return quotient(of.run, of.node, of.a[0], of.a[1]);
}

static const instant_value zero = {0};

static instant_value at_absolute(operands of) {
    return with_area(order(of.a[0], zero) < 0 ? scaled(of.a[0], -1) : of.a[0], fabs(of.a[0].area));
}

static instant_value at_lesser(operands of) {
    const instant_value *a = of.a;
    return with_area(order(a[0], a[1]) <= 0 ? a[0] : a[1], fmin(a[0].area, a[1].area));
}

static instant_value at_greater(operands of) {
    const instant_value *a = of.a;
    return with_area(order(a[0], a[1]) >= 0 ? a[0] : a[1], fmax(a[0].area, a[1].area));
}

static instant_value at_sign(operands of) {
    int sign = order(of.a[0], zero);
    return sign == 0 && of.a[0].is_far ? unknown() : number(sign);
}

static instant_value at_select(operands of) {
    return isnan(of.a[0].fin) ? of.a[0] : of.a[0].fin != 0 ? of.a[1] : of.a[2];
}

static instant_value at_finite(operands of) {
    const instant_value *a = of.a;
    return (instant_value){.fin = a->fin,
                           .fin_size = a->fin_size,
                           .is_far = a->is_far,
                           .low = a->low,
                           .high = a->high,
                           .sharp = a->sharp};
}

static instant_value at_both(operands of) {
    return logical(HBG_OP_AND, of.a[0], of.a[1]);
}

static instant_value at_either(operands of) {
    return logical(HBG_OP_OR, of.a[0], of.a[1]);
}

static instant_value at_negation(operands of) {
    return negation(of.a[0]);
}

static instant_value at_relation(operands of) {
    return relation(of.run, of.node, of.a[0], of.a[1]);
}

static instant_value at_refuse(operands of) {
    return function(of.run, of.node, of.a);
}

static instant_value apply(operands of) {
    switch (of.node->op) {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    case HBG_OP_##id: return at_##pulse(of);
        HBG_OPERATOR_LIST(X)
#undef X
    case HBG_RT_OP_VARIABLE: return hbg_rt_cell_at(of.run, of.node->cell);
    case HBG_RT_OP_RATE: return at_finite(of);
    case HBG_RT_OP_SLOPE: return at_refuse(of);
    default: return at_none(of);
    }
}

bool hbg_rt_side_of(const hbg_rt_instance *run, int32_t relation, double difference) {
    int op = run->image->instants.guards.relations[relation].op;
    return op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL ? difference < 0 : difference > 0;
}

instant_value hbg_rt_walk_at(hbg_rt_instance *run, hbg_rt_range walk) {
    const hbg_rt_values *of = &run->image->instants.values;
    const int32_t *first = of->walks + walk.first, *last = first + walk.count - 1;
    instant_data *at = &run->at;
    for (const int32_t *next = first; next <= last; next++) {
        const hbg_rt_node *node = &of->nodes[*next];
        instant_value values[3] = {{0}};
        if (at->judged.value_stamp[*next] == at->judged.stamp) continue;
        if (node->arity > 0) values[0] = at->judged.values[node->a];
        if (node->arity > 1) values[1] = at->judged.values[node->b];
        if (node->arity > 2) values[2] = at->judged.values[node->c];
        at->judged.values[*next] = apply((operands){run, node, values});
        at->judged.value_stamp[*next] = at->judged.stamp;
    }
    return at->judged.values[*last];
}
