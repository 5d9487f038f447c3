/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Interprets the programs that are judged at instants, on registers of their own. Variables are loaded with
 * their pulses (semantics, section 2), instructions compute each part and its size, and relations between
 * values have a band (semantics, section 5). Areas decide first; finite parts decide only where areas are
 * equal. Each instruction runs once for each set of values: a relation updates what it remembers, and must
 * not do so twice. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

void hbg_rt_new_values(hbg_rt_instance *run) {
    run->at.judged.stamp++;
    run->at.refused = HBG_RT_NONE;
}

/* ---- sides -------------------------------------------------------------------------------------------- */

/* The value held in the registers of its parts. */
static instant_value gathered(const hbg_rt_instance *run, int32_t number, bool is_truth) {
    const hbg_rt_parts *of = &run->image->instants.values.parts[number];
    const double *j = run->at.judged.j, *size = run->at.judged.size;
    instant_value value = {.fin = j[of->fin], .fin_size = size[of->fin]};
    if (is_truth) {
        value.truth = (uint8_t)hbg_rt_bits(j[of->fin]);
        value.fin = value.truth & HBG_RT_UNTOLD ? NAN : value.truth & HBG_RT_TRUE;
        value.fin_size = value.fin;
        value.is_far = value.truth & HBG_RT_OPEN;
        return value;
    }
    if (of->area != HBG_RT_NONE) {
        value.area = j[of->area];
        value.area_size = size[of->area];
    }
    if (of->open == HBG_RT_NONE || j[of->open] == 0) return value;
    value.is_far = true;
    for (int k = 0; k < HBG_RT_ORDERS; k++)
        if (of->far[k] != HBG_RT_NONE) {
            value.far[k] = j[of->far[k]];
            value.far_size[k] = size[of->far[k]];
        }
    return value;
}

instant_value hbg_rt_side_at(const hbg_rt_instance *run, const hbg_rt_comparison *of, bool right) {
    return gathered(run, right ? of->right : of->left,
                    of->flags & (right ? HBG_RT_JUDGED_TRUTHS : HBG_RT_JUDGED_TRUTH));
}

/* The parts that decide, except unbounded ones. */
typedef struct {
    double fin, area, fin_size, area_size;
    bool is_far;
} side;

static side side_of(const hbg_rt_instance *run, int32_t number, bool is_truth) {
    const hbg_rt_parts *of = &run->image->instants.values.parts[number];
    const double *j = run->at.judged.j, *size = run->at.judged.size;
    if (is_truth) {
        instant_value value = gathered(run, number, true);
        return (side){value.fin, 0, value.fin_size, 0, value.is_far};
    }
    return (side){.fin = j[of->fin],
                  .area = of->area == HBG_RT_NONE ? 0 : j[of->area],
                  .fin_size = size[of->fin],
                  .area_size = of->area == HBG_RT_NONE ? 0 : size[of->area],
                  .is_far = of->open != HBG_RT_NONE && j[of->open] != 0};
}

static int far_order(const hbg_rt_instance *run, const hbg_rt_comparison *of) {
    int decisive;
    return hbg_rt_far_order(hbg_rt_side_at(run, of, false), hbg_rt_side_at(run, of, true), &decisive);
}

/* ---- relations ---------------------------------------------------------------------------------------- */

static bool holds_strictly(int op, double difference) { // for a difference clear of 0
    switch (op) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL: return difference < 0;
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return difference > 0;
    default: return op == HBG_OP_NOT_EQUAL;
    }
}

/* How far from 0 a difference still counts as equality. A relation that was found to touch equality is at
 * equality where it was found, to the accuracy of states; that may be more than the band. */
static double equality(const hbg_rt_instance *run, const hbg_rt_comparison *of, double fin, double size) {
    const double most = 0.02; /* of its size: a larger difference has jumped meanwhile */
    double band = HBG_RT_BAND * size;
    int32_t index = of->relation;
    if (index == HBG_RT_NONE && run->at.limits.branches)
        return of->flags & HBG_RT_JUDGED_TIMED ? HBG_RT_SLACK * size : 0;
    if (index != HBG_RT_NONE && run->at.crossed[index] == TURNED)
        return fmax(HBG_RT_TURNED * size, run->at.near[index]);
    if (index == HBG_RT_NONE || run->at.crossed[index] != TOUCHED) return band;
    const instant_data *at = &run->at;
    bool enables = hbg_rt_at_equality(of->op)
                       ? !at->watch.truth[index]
                       : at->watch.truth[index] && at->watch.watched_negative[index] > 0;
    if (hbg_rt_is_equality(of->op)) enables = true; // it holds on neither side, or on both
    if (!enables) return band;                      // a relation that holds anyway needs no wider band
    double *near = &run->at.near[index];
    if (*near < 0) *near = fabs(fin) <= most * size ? fabs(fin) : 0;
    return fmax(band, *near);
}

/* Updates the size that a band is a share of: the largest contribution in this run. Near a pole, such as that
 * of a tangent, contributions may have any size, but only for a moment. There the difference exceeds all
 * sizes known before, or the values compared: the sides are not equal, and only a small part of the size is
 * kept. A remembered size that is far larger than the present one came from such a pole, and can be
 * dropped: energies have a memory of their own. */
static double remember(double *known, const side *a, const side *b, double compared) {
    const double usual = 1e3, far = 1e6;
    double before = *known, size = hbg_rt_larger(a->fin_size, b->fin_size),
           difference = fabs(a->fin - b->fin);
    double least = before > 0 ? before : far * compared; // a larger difference is clear of equality
    if (size > before)
        *known = least > 0 && difference > least ? fmin(size, usual * fmax(before, compared)) : size;
    if (size < before && size > 0) *known = fmin(before, usual * size);
    return *known;
}

/* The smaller size of the two sides; of a difference compared with 0, like x − y > 0, that of its terms. */
static double compared_size(const hbg_rt_instance *run, const hbg_rt_comparison *of, const side *a,
                            const side *b) {
    const double *size = run->at.judged.size;
    if (of->compared[0] == HBG_RT_NONE || b->fin_size != 0) return fmin(a->fin_size, b->fin_size);
    return fmin(size[of->compared[0]], size[of->compared[1]]);
}

static int truth_of(double value) {
    return isnan(value) ? HBG_RT_UNTOLD | HBG_RT_CERTAIN : value != 0 ? HBG_RT_TRUE | HBG_RT_CERTAIN : 0;
}

/* The truth at equality, with separate bits for each way in which guards may decide it. */
static int at_equality(bool truth, bool sharp, bool plain) {
    return (truth ? HBG_RT_TRUE : 0) | HBG_RT_HIGH | (sharp ? HBG_RT_SHARPLY : 0) |
           (plain ? HBG_RT_PLAINLY : 0);
}

/* Where a side is not a number, only != holds. */
static int at_no_number(int op) {
    bool holds = op == HBG_OP_NOT_EQUAL;
    return at_equality(holds, holds, holds);
}

static int relation(hbg_rt_instance *run, const hbg_rt_comparison *of, const side *a, const side *b) {
    int op = of->op;
    if (of->flags & HBG_RT_JUDGED_STATES) return truth_of((a->fin == b->fin) == (op == HBG_OP_EQUAL));
    run->at.judged.unsettled |= a->is_far || b->is_far || of->plan != HBG_RT_NONE;
    int far = a->is_far || b->is_far ? far_order(run, of) : 0;
    if (far != 0) return truth_of(holds_strictly(op, far));
    if (a->is_far || b->is_far) return truth_of(NAN) | HBG_RT_OPEN;
    int32_t index = of->relation;
    double fin_size = hbg_rt_larger(a->fin_size, b->fin_size),
           area_size = hbg_rt_larger(a->area_size, b->area_size);
    bool crossed = false, found = false, turned_back = false;
    if (index != HBG_RT_NONE) {
        instant_data *at = &run->at;
        double size = fin_size;
        fin_size = remember(&at->fin_band[index], a, b, compared_size(run, of, a, b));
        area_size = at->area_band[index] = hbg_rt_larger(at->area_band[index], area_size);
        found = at->crossed[index] != 0;
        at->judged.unsettled |= found || size > fin_size; // otherwise its band does not change
        crossed = at->crossed[index] == CROSSED;
        turned_back = at->crossed[index] == TURNED;
    }
    if (index == HBG_RT_NONE && hbg_rt_plan_is_on(run, of->plan) && !hbg_rt_is_equality(op))
        return truth_of(hbg_rt_plan_branch(run, of->plan)); // a signal has its value after the border
    double area = a->area - b->area, fin = a->fin - b->fin;
    if (run->image->instants.has_open && (isnan(fin) || isnan(area))) return truth_of(NAN); // undetermined
    if (isnan(fin)) return at_no_number(op);
    if (fabs(area) > HBG_RT_BAND * area_size) return truth_of(holds_strictly(op, area));
    if (index != HBG_RT_NONE && hbg_rt_is_doubted(run, index, fin))
        return truth_of(run->at.watch.truth[index]);
    bool by_area = crossed && run->at.watch.by_area[index]; // its area crossed 0
    bool planned = crossed && hbg_rt_guard_is_planned(run, index),
         equal = fabs(fin) <= equality(run, of, fin, fin_size);
    bool turned = planned && hbg_rt_guard_holds_after(run, index, run->at.watch.plan.t);
    if (!equal && !by_area) return truth_of(planned ? turned : holds_strictly(op, fin));
    bool truth = hbg_rt_at_equality(op);
    if (crossed && !hbg_rt_is_equality(op)) truth = planned ? turned : !run->at.watch.truth[index];
    if (turned_back) return truth_of(truth) | HBG_RT_FOUND;
    double rounding = HBG_RT_SHARP * fin_size;
    bool sharp = fabs(fin) > rounding && !by_area ? holds_strictly(op, fin) : truth;
    bool in_band = fabs(fin) <= HBG_RT_BAND * fin_size;
    bool plain = planned ? turned : in_band ? hbg_rt_at_equality(op) : holds_strictly(op, fin);
    return at_equality(truth, sharp, plain) | (found ? HBG_RT_FOUND : 0);
}

/* Compares by the order of values. Areas that differ only by rounding leave the decision to the finite parts,
 * as in a relation. */
static bool is_in_order(hbg_rt_instance *run, const hbg_rt_comparison *of, const side *a, const side *b) {
    int op = of->op, far = a->is_far || b->is_far ? far_order(run, of) : 0;
    double area = a->area - b->area, order = far;
    if (far == 0 && fabs(area) > HBG_RT_BAND * fmax(a->area_size, b->area_size))
        order = area;
    else if (far == 0)
        order = a->fin < b->fin ? -1 : a->fin > b->fin;
    return order != 0 ? holds_strictly(op, order) : hbg_rt_at_equality(op);
}

/* ---- borders ------------------------------------------------------------------------------------------ */

/* Counts of time steps: a number that is whole up to rounding counts as whole. */
static double slackened(int op, double value, double size) {
    return op == HBG_OP_FLOOR ? value + HBG_RT_SLACK * size : value - HBG_RT_SLACK * size;
}

/* Moves the argument of floor or ceil to the other side of the border of a cell, if it is so close to it that
 * rounding decides the side: root finding found it there. */
static double across(int op, double value, double size) {
    double border = nearbyint(value);
    bool below = op == HBG_OP_CEIL ? value <= border : value < border;
    if (!(fabs(value - border) <= HBG_RT_BORDER * size)) return value;
    if (op == HBG_OP_CEIL) return below ? nextafter(border, INFINITY) : border;
    return below ? border : nextafter(border, -INFINITY);
}

/* The remainder by the whole multiple on the other side of the border, if the quotient is whole up to
 * rounding. */
static double remainder_across(double a, double b, double size_of_a) {
    double quotient = hbg_rt_quotient(a, b), border = nearbyint(quotient);
    double size = fmax(size_of_a / fabs(b), fabs(quotient));
    if (!(fabs(quotient - border) <= HBG_RT_BORDER * size)) return hbg_rt_remainder(a, b);
    double before = border - copysign(1, quotient);
    return a - b * (fabs(quotient) < fabs(border) ? border : before);
}

/* ---- instructions -------------------------------------------------------------------------------------- */

static void put(instant_judged *to, int32_t reg, double value, double size) {
    to->j[reg] = value;
    to->size[reg] = size;
}

/* The truth of an argument; a nonzero number is true. */
static int argument_truth(const hbg_rt_instance *run, const hbg_rt_judgement *at, int k) {
    double value = run->at.judged.j[at->argument[k]];
    return at->flags & HBG_RT_JUDGED_TRUTHS << k ? hbg_rt_bits(value) : truth_of(value);
}

/* One side alone may decide; otherwise an undetermined side leaves the result undetermined. */
static int logical(int op, int a, int b) {
    bool both = op == HBG_OP_AND;
    bool decided = both ? !(a & (HBG_RT_TRUE | HBG_RT_UNTOLD)) || !(b & (HBG_RT_TRUE | HBG_RT_UNTOLD))
                        : (a | b) & HBG_RT_TRUE;
    if (!decided && (a | b) & HBG_RT_UNTOLD) return truth_of(NAN) | ((a | b) & HBG_RT_OPEN);
    const int bits = HBG_RT_TRUE | HBG_RT_CERTAIN;
    return ((both ? a & b : a | b) & bits) | ((a | b) & HBG_RT_FOUND);
}

static int negation(int a) {
    if (a & HBG_RT_UNTOLD) return a;
    int low = a & HBG_RT_HIGH ? 0 : HBG_RT_LOW, high = a & HBG_RT_LOW ? 0 : HBG_RT_HIGH;
    return (~a & (HBG_RT_TRUE | HBG_RT_SHARPLY | HBG_RT_PLAINLY)) | low | high | (a & HBG_RT_FOUND);
}

static void choose(hbg_rt_instance *run, const hbg_rt_judgement *at) {
    instant_judged *to = &run->at.judged;
    int condition = argument_truth(run, at, 0), taken = condition & HBG_RT_TRUE ? 1 : 2;
    int32_t from = at->argument[taken];
    bool truth = at->flags & HBG_RT_JUDGED_TRUTH;
    if (condition & HBG_RT_UNTOLD)
        put(to, at->d, truth ? (double)condition : (double)NAN, 0);
    else
        put(to, at->d, truth ? argument_truth(run, at, taken) : to->j[from], to->size[from]);
}

/* Operators with borders: an argument may be across one, and counts of time steps are whole up to
 * rounding. */
static double beside_border(const hbg_rt_instance *run, const hbg_rt_judgement *at) {
    const double *j = run->at.judged.j;
    bool other = run->at.any_across && run->at.across[at->note];
    double first = j[at->argument[0]], size = run->at.judged.size[at->argument[0]];
    if (at->flags & HBG_RT_JUDGED_TIMED) first = slackened(at->op, first, size);
    if (at->op == HBG_OP_TABLE || at->op == HBG_RT_OP_SLOPE)
        return hbg_rt_table_at(run, at->op, at->argument[1], first, other ? HBG_RT_BORDER * size : 0);
    double second = at->argument[1] == HBG_RT_NONE ? 0 : j[at->argument[1]];
    if (other && at->op == HBG_OP_REMAINDER) return remainder_across(first, second, size);
    return hbg_rt_evaluate((hbg_operator)at->op, other ? across(at->op, first, size) : first, second, 0);
}

/* All other operators, by their entry in the list of operators. */
static void compute(hbg_rt_instance *run, const hbg_rt_judgement *at) {
    instant_judged *to = &run->at.judged;
    const double *j = to->j;
    double b = at->argument[1] < 0 ? 0 : j[at->argument[1]];
    to->unsettled |= at->note != HBG_RT_NONE;
    if (at->note != HBG_RT_NONE)
        to->j[at->d] = beside_border(run, at);
    else
        to->j[at->d] =
            hbg_rt_evaluate((hbg_operator)at->op, at->argument[0] < 0 ? 0 : j[at->argument[0]], b, 0);
    to->size[at->d] = hbg_rt_size_of(j, to->size, at->op, at->d, at->argument);
}

/* Sums are the most frequent operators; the size of a sum is the larger size of its terms. Returns false for
 * other operators. */
static inline bool compute_sum(instant_judged *to, const hbg_rt_judgement *at) {
    if (at->op != HBG_OP_ADD && at->op != HBG_OP_SUBTRACT) return false;
    int32_t a = at->argument[0], b = at->argument[1];
    double size = hbg_rt_larger(to->size[a], to->size[b]);
    to->j[at->d] = at->op == HBG_OP_ADD ? to->j[a] + to->j[b] : to->j[a] - to->j[b];
    to->size[at->d] = isfinite(size) ? size : fabs(to->j[at->d]);
    return true;
}

static const hbg_rt_comparison *comparison_of(const hbg_rt_instance *run, const hbg_rt_judgement *at) {
    return &run->image->instants.values.comparisons[at->argument[0]];
}

/* Only multiples of an unbounded value are known: a side with an unbounded part is refused here. */
static bool is_unbounded(const hbg_rt_instance *run, const hbg_rt_comparison *of) {
    return hbg_rt_is_unbounded(hbg_rt_side_at(run, of, false)) ||
           hbg_rt_is_unbounded(hbg_rt_side_at(run, of, true));
}

static double truth_at(hbg_rt_instance *run, const hbg_rt_comparison *of, bool is_relation) {
    side a = side_of(run, of->left, of->flags & HBG_RT_JUDGED_TRUTH);
    side b = side_of(run, of->right, of->flags & HBG_RT_JUDGED_TRUTHS);
    return is_relation ? relation(run, of, &a, &b) : is_in_order(run, of, &a, &b);
}

static void refuse(hbg_rt_instance *run, const hbg_rt_judgement *at) {
    run->at.refused = at->note;
    run->at.judged.unsettled = true;
}

static void judge(hbg_rt_instance *run, const hbg_rt_judgement *at) {
    double *j = run->at.judged.j;
    switch (at->op) {
    case HBG_RT_JUDGE_LOAD: hbg_rt_judge_load(run, at); break;
    case HBG_RT_JUDGE: j[at->d] = truth_at(run, comparison_of(run, at), true); break;
    case HBG_RT_JUDGE_ORDER: j[at->d] = truth_at(run, comparison_of(run, at), false); break;
    case HBG_RT_JUDGE_OPEN: j[at->d] = (argument_truth(run, at, 0) & HBG_RT_OPEN) != 0; break;
    case HBG_RT_JUDGE_PULSES:
        if (fabs(j[at->argument[0]]) > 0 && fabs(j[at->argument[1]]) > 0) refuse(run, at);
        break;
    case HBG_RT_JUDGE_UNBOUNDED:
        if (is_unbounded(run, comparison_of(run, at))) refuse(run, at);
        break;
    case HBG_OP_AND:
    case HBG_OP_OR: j[at->d] = logical(at->op, argument_truth(run, at, 0), argument_truth(run, at, 1)); break;
    case HBG_OP_NOT: j[at->d] = negation(argument_truth(run, at, 0)); break;
    case HBG_OP_SELECT: choose(run, at); break;
    default: compute(run, at);
    }
}

/* Whether judging the program again would give the same result: it was judged at this instant, and nothing it
 * reads has changed since. Many guards are far from what moves. */
static bool is_settled(hbg_rt_instance *run, int32_t program) {
    const hbg_rt_values *of = &run->image->instants.values;
    instant_judged *to = &run->at.judged;
    const hbg_rt_judgement *code = of->judgements + of->judged[program].code.first;
    if (to->settled[program] < to->epoch) return false;
    for (int32_t i = 0; i < to->loads[program]; i++) {
        const hbg_rt_judgement *at = &code[i];
        if (at->op != HBG_RT_JUDGE_LOAD) continue;
        if (to->known[at->d] != to->stamp) {
            to->known[at->d] = to->stamp;
            hbg_rt_judge_load(run, at);
        }
        if (to->changed[at->d] > to->settled[program]) return false;
    }
    return true;
}

instant_value hbg_rt_judge(hbg_rt_instance *run, int32_t program) {
    const hbg_rt_values *of = &run->image->instants.values;
    const hbg_rt_judged *judged = &of->judged[program];
    const hbg_rt_judgement *at = of->judgements + judged->code.first, *end = at + judged->code.count;
    instant_judged *to = &run->at.judged;
    const hbg_rt_judgement *code = at;
    bool settled = to->keeps && is_settled(run, program);
    to->unsettled = false;
    for (; at < end && !settled; at++) {
        if (at->op == HBG_RT_JUDGE_LOAD) to->loads[program] = (int32_t)(at - code) + 1;
        if (to->known[at->d] == to->stamp) {
            to->unsettled |= at->op != HBG_RT_JUDGE_LOAD; // it may have been unsettled when it was judged
            continue;
        }
        to->known[at->d] = to->stamp;
        if (!compute_sum(to, at)) judge(run, at);
    }
    instant_value value = gathered(run, judged->parts, judged->is_truth);
    bool holds = !judged->is_truth || value.fin != 0; // its words need what decided it
    if (!settled) to->settled[program] = to->keeps && !to->unsettled && !holds ? to->stamp : 0;
    if (!judged->is_truth) value.truth = (uint8_t)truth_of(value.fin);
    return value;
}

/* ---- what decided -------------------------------------------------------------------------------------- */

static void mark_parts(const hbg_rt_values *values, int32_t number, bool *decided) {
    const hbg_rt_parts *of = &values->parts[number];
    decided[of->fin] = true;
    if (of->area != HBG_RT_NONE) decided[of->area] = true;
    if (of->open != HBG_RT_NONE) decided[of->open] = true;
    for (int k = 0; k < HBG_RT_ORDERS; k++)
        if (of->far[k] != HBG_RT_NONE) decided[of->far[k]] = true;
}

/* Marks the arguments on which the result depends. */
static void mark_arguments(const hbg_rt_instance *run, const hbg_rt_judgement *at, bool *decided) {
    bool logic = at->op == HBG_OP_AND || at->op == HBG_OP_OR, table = at->op == HBG_OP_TABLE;
    int holds = logic ? hbg_rt_bits(run->at.judged.j[at->d]) & HBG_RT_TRUE : 0;
    bool either = at->op == (holds ? HBG_OP_OR : HBG_OP_AND);
    int unused = at->op != HBG_OP_SELECT ? -1 : argument_truth(run, at, 0) & HBG_RT_TRUE ? 2 : 1;
    for (int k = 0; k < (table || at->op == HBG_RT_OP_SLOPE ? 1 : 3); k++) {
        if (at->argument[k] == HBG_RT_NONE || k == unused) continue;
        if (!either || (argument_truth(run, at, k) & HBG_RT_TRUE) == holds) decided[at->argument[k]] = true;
    }
}

/* Marks the parts of a guard that decided it: of `||` the sides that hold, of `&&` both, under `!` the other
 * way round; of `?:` the condition and the side it takes. */
void hbg_rt_find_decided(hbg_rt_instance *run, int32_t program) {
    const hbg_rt_values *of = &run->image->instants.values;
    const hbg_rt_judged *judged = &of->judged[program];
    const hbg_rt_judgement *code = of->judgements + judged->code.first;
    bool *decided = run->at.judged.decided;
    for (int32_t i = 0; i < judged->code.count; i++)
        decided[code[i].d] = false; // no other registers are read
    decided[of->parts[judged->parts].fin] = true;
    for (int32_t i = judged->code.count - 1; i >= 0; i--) {
        const hbg_rt_judgement *at = &code[i];
        if (!decided[at->d]) continue;
        if (at->op == HBG_RT_JUDGE || at->op == HBG_RT_JUDGE_ORDER) {
            const hbg_rt_comparison *sides = comparison_of(run, at);
            mark_parts(of, sides->left, decided);
            mark_parts(of, sides->right, decided);
        }
        if (at->op >= HBG_RT_JUDGE_LOAD && at->op != HBG_RT_JUDGE_OPEN) continue;
        mark_arguments(run, at, decided);
    }
}

bool hbg_rt_side_of(const hbg_rt_instance *run, int32_t relation, double difference) {
    bool above = hbg_rt_holds_above(run->image->instants.guards.relations[relation].op);
    return above ? difference > 0 : difference < 0;
}
