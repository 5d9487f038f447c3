/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether other parameters make an element invalid: a storage with negative energy, a resistor that gives
 * energy. Values and matrices that are constant are checked directly. Laws are tried at many arguments: a
 * property that held for all of them and no longer does is lost. Where the system modulates an element, its
 * variables are drawn as well, and a property is lost if it is lost for all draws for which it held: the run
 * finds the rest. */
#include <math.h>
#include <string.h>

#include "model/passive_impl.h"
#include "rt/bands.h"

enum {
    DECADES = 4, /* arguments are tried from 10^-4 to 10^4, of either sign */
    IN_A_DECADE = 4,
    MAGNITUDES = 2 * DECADES * IN_A_DECADE + 1,
    ARGUMENTS = 2 * MAGNITUDES + 1,
    LEAST_FINE = 3 /* of the draws of what modulates */
};

/* What holds for a law, at all arguments. */
enum { HAS_NUMBERS = 1, TAKES_POWER = 2, RISES = 4 };

typedef struct {
    const hbg_passive *of;
    hbg_value_at *value_at;
    const void *context;
    double *slots, *values, *matrix; /* room */
    uint64_t drawn;
} trial;

/* ---- draws ----------------------------------------------------------------------------------------------- */

static double uniform(trial *t) { // [0, 1): a linear congruential generator is good enough for trials
    t->drawn = t->drawn * 6364136223846793005u + 1442695040888963407u;
    return (double)(t->drawn >> 11) * 0x1p-53; // exact: 53 bits
}

static double draw(trial *t) {
    double size = hbg_rt_exp((2 * uniform(t) - 1) * 2.302585092994046 * 3);
    return uniform(t) < 0.5 ? -size : size;
}

/* In order from the least to the largest, without one in the middle. */
static double argument(int i) {
    int step = i - MAGNITUDES, size = step < 0 ? -step : step;
    if (step == 0) return 0;
    double value = hbg_rt_exp(2.302585092994046 * ((size - 1.0) / IN_A_DECADE - DECADES));
    return step < 0 ? -value : value;
}

static void draw_others(trial *t) {
    const hbg_passive *p = t->of;
    for (int32_t i = 0; i < p->slot_count; i++)
        if (!p->is_argument[i]) t->slots[i] = draw(t);
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static double value_of(const trial *t, passive_value value) {
    return value < 0 ? t->value_at(t->context, ~value) : t->values[value];
}

static void work_out(const trial *t) {
    const hbg_passive *p = t->of;
    for (int32_t i = 0; i < p->step_count; i++) {
        const passive_step *step = &p->steps[i];
        if (step->op == PASSIVE_LEAF) {
            double slot = t->slots[step->part[0]];
            t->values[i] = step->is_bool ? slot > 0 : step->leaf == HBG_OP_TIME ? fabs(slot) : slot;
            continue;
        }
        int arity = hbg_model_operator_info_get((hbg_operator)step->op)->arity;
        double part[3] = {0};
        for (int k = 0; k < arity; k++) part[k] = value_of(t, step->part[k]);
        t->values[i] = hbg_rt_evaluate((hbg_operator)step->op, part[0], part[1], part[2]);
    }
}

/* ---- values and matrices --------------------------------------------------------------------------------- */

/* The value, or the smallest pivot of a matrix; the matrix stays in the room after it. */
static double least(const trial *t) {
    const hbg_passive *p = t->of;
    size_t size = (size_t)p->ports * (size_t)p->ports;
    work_out(t);
    for (size_t i = 0; i < size; i++) t->matrix[i] = t->matrix[size + i] = value_of(t, p->entries[i]);
    if (size == 1) return t->matrix[0];
    int32_t row, column;
    if (p->kind != HBG_KIND_R && hbg_model_matrix_asymmetry(t->matrix, p->ports, &row, &column)) return -1;
    return hbg_model_matrix_least(t->matrix, p->ports);
}

static bool minds(hbg_element_kind kind, double nominal, double value) {
    bool storage = kind != HBG_KIND_R;
    double rounding = isfinite(nominal) ? HBG_RT_MEANT * fabs(nominal) : 0;
    if (!isfinite(value)) return true;
    return storage ? value <= rounding : !(nominal < 0) && value < -rounding;
}

static void describe_matrix(hbg_element_kind kind, const double *matrix, int32_t n, double value,
                            hbg_lost *lost) {
    lost->kind = n > 1 ? HBG_LOST_MATRIX : HBG_LOST_VALUE;
    lost->value = value;
    lost->row = HBG_NONE;
    if (n == 1 || !isfinite(value)) return;
    if (kind != HBG_KIND_R && hbg_model_matrix_asymmetry(matrix, n, &lost->row, &lost->column)) {
        lost->kind = HBG_LOST_SYMMETRY;
        lost->value = matrix[lost->row * n + lost->column];
        lost->limit = matrix[lost->column * n + lost->row];
        return;
    }
    if (!hbg_model_matrix_culprit(matrix, n, &lost->row, &lost->column, &lost->limit)) lost->row = HBG_NONE;
    if (lost->row != HBG_NONE)
        lost->value = matrix[lost->row * n + lost->column] / 2 + matrix[lost->column * n + lost->row] / 2;
}

/* ---- laws ------------------------------------------------------------------------------------------------ */

typedef struct {
    int holds;
    hbg_lost power, rise, number; /* where it did not */
} law_sight;

static hbg_lost at(const trial *t, int32_t law, hbg_lost_kind kind) {
    const passive_law *l = &t->of->laws[law];
    return (hbg_lost){.kind = kind,
                      .value = value_of(t, l->root),
                      .at = t->slots[l->slot],
                      .given = l->given,
                      .argument = l->argument,
                      .row = HBG_NONE};
}

/* One law of one port, from the least argument to the largest. */
static void look_along(trial *t, int32_t law, law_sight *sight) {
    const passive_law *l = &t->of->laws[law];
    double before = NAN;
    for (int i = 0; i < ARGUMENTS; i++) {
        double x = argument(i);
        t->slots[l->slot] = x;
        work_out(t);
        double y = value_of(t, l->root);
        if (isnan(y) && sight->holds & HAS_NUMBERS) sight->number = at(t, law, HBG_LOST_NUMBER);
        if (isnan(y)) sight->holds &= ~HAS_NUMBERS;
        if (!isfinite(y)) continue;
        bool gives = x * y < 0, falls = y < before - HBG_RT_PASSIVE * fmax(fabs(y), fabs(before));
        if (gives &&
            (sight->holds & TAKES_POWER || fabs(log10(fabs(x))) <= fabs(log10(fabs(sight->power.at)))))
            sight->power = at(t, law, HBG_LOST_POWER); // reported with a number near one
        if (falls && sight->holds & RISES) sight->rise = at(t, law, HBG_LOST_RISE);
        if (gives) sight->holds &= ~TAKES_POWER;
        if (falls) sight->holds &= ~RISES;
        before = y;
    }
}

/* Laws of several ports, at arguments drawn: the sum over the ports, of one draw against none and against the
 * one before. */
static void look_around(trial *t, law_sight *sight) {
    const hbg_passive *p = t->of;
    double *x = t->matrix, *y = x + p->law_count;
    for (int i = 0; i < ARGUMENTS; i++) {
        double power = 0, rise = 0, size = 0, rise_size = 0;
        for (int32_t k = 0; k < p->law_count; k++)
            if (p->laws[k].slot != HBG_NONE) t->slots[p->laws[k].slot] = draw(t);
        work_out(t);
        for (int32_t k = 0; k < p->law_count; k++) {
            double a = p->laws[k].slot == HBG_NONE ? 0 : t->slots[p->laws[k].slot];
            double b = value_of(t, p->laws[k].root);
            power += a * b;
            size += fabs(a * b);
            rise += i > 0 ? (a - x[k]) * (b - y[k]) : 0;
            rise_size += i > 0 ? fabs((a - x[k]) * (b - y[k])) : 0;
            x[k] = a;
            y[k] = b;
        }
        if (isnan(power)) sight->holds &= ~HAS_NUMBERS;
        if (power < -HBG_RT_PASSIVE * size) sight->holds &= ~TAKES_POWER;
        if (rise < -HBG_RT_PASSIVE * rise_size) sight->holds &= ~RISES;
    }
    sight->number = (hbg_lost){.kind = HBG_LOST_NUMBER, .row = HBG_NONE};
    sight->power = (hbg_lost){.kind = HBG_LOST_POWER, .row = HBG_NONE};
    sight->rise = (hbg_lost){.kind = HBG_LOST_RISE, .row = HBG_NONE};
}

static law_sight look(trial *t) {
    const hbg_passive *p = t->of;
    law_sight sight = {.holds = HAS_NUMBERS | TAKES_POWER | RISES};
    if (p->ports > 1)
        look_around(t, &sight);
    else
        for (int32_t i = 0; i < p->law_count; i++)
            if (p->laws[i].slot != HBG_NONE) look_along(t, i, &sight);
    return sight;
}

/* ---- against what it was --------------------------------------------------------------------------------- */

static bool law_lost(const trial *t, int nominal, const law_sight *now, hbg_lost *lost) {
    bool power = t->of->kind == HBG_KIND_R && nominal & TAKES_POWER;
    int minded = nominal & (HAS_NUMBERS | (power ? TAKES_POWER : RISES)), gone = minded & ~now->holds;
    if (gone & HAS_NUMBERS)
        *lost = now->number;
    else if (gone)
        *lost = power ? now->power : now->rise;
    return gone != 0;
}

/* Valid draws count, and among them those that became invalid. */
typedef struct {
    int fine, lost;
} count;

static void compare(trial *t, double nominal, count *c, hbg_lost *lost) {
    const hbg_passive *p = t->of;
    if (p->entries) {
        double value = least(t);
        if (minds(p->kind, nominal, nominal) || (p->other_count > 0 && nominal == 0)) return;
        c->fine++;
        if (!minds(p->kind, nominal, value)) return;
        c->lost++;
        describe_matrix(p->kind, t->matrix + (size_t)p->ports * (size_t)p->ports, p->ports, value, lost);
        if (p->other_count > 0) lost->kind = HBG_LOST_SIGN;
        return;
    }
    law_sight now = look(t);
    bool power = p->kind == HBG_KIND_R && (int)nominal & TAKES_POWER;
    if (!((int)nominal & (power ? TAKES_POWER : RISES))) return;
    c->fine++;
    c->lost += law_lost(t, (int)nominal, &now, lost);
}

static trial trial_of(const hbg_passive *p, double *room, hbg_value_at *value_at, const void *context) {
    trial t = {.of = p, .value_at = value_at, .context = context, .drawn = 1};
    t.slots = room;
    t.values = t.slots + p->slot_count;
    t.matrix = t.values + p->step_count;
    return t;
}

static int draws_of(const hbg_passive *p) {
    return p->other_count > 0 ? HBG_PASSIVE_DRAWS : 1;
}

size_t hbg_model_passive_room(const hbg_passives *all) {
    size_t most = 1;
    for (int32_t i = 0; i < all->count; i++) {
        const hbg_passive *p = all->of[i];
        if (!p) continue;
        size_t matrix = p->entries ? (size_t)p->ports * (size_t)p->ports : (size_t)p->law_count;
        size_t size = (size_t)p->slot_count + (size_t)p->step_count + 2 * matrix + 1;
        if (size > most) most = size;
    }
    return most;
}

void hbg_model_passive_nominal(const hbg_passives *all, int32_t element, double *room, hbg_value_at *value_at,
                               const void *context, double nominal[HBG_PASSIVE_DRAWS]) {
    trial t = trial_of(all->of[element], room, value_at, context);
    for (int i = 0; i < draws_of(t.of); i++) {
        t.drawn = (uint64_t)i + 1;
        draw_others(&t);
        nominal[i] = t.of->entries ? least(&t) : look(&t).holds;
    }
}

bool hbg_model_passive_lost(const hbg_passives *all, int32_t element, double *room, hbg_value_at *value_at,
                            const void *context, const double nominal[HBG_PASSIVE_DRAWS], hbg_lost *lost) {
    trial t = trial_of(all->of[element], room, value_at, context);
    count c = {0, 0};
    int draws = draws_of(t.of);
    for (int i = 0; i < draws; i++) {
        t.drawn = (uint64_t)i + 1;
        draw_others(&t);
        compare(&t, nominal[i], &c, lost);
        if (c.fine > c.lost) return false;
    }
    lost->element = element;
    return c.lost > 0 && (draws == 1 || c.lost >= LEAST_FINE);
}

/* The rule for a number known already. */
bool hbg_model_element_minds(const hbg_model *model, int32_t element, double nominal, double value) {
    hbg_element_kind kind = model->elements.items[element].kind;
    bool judged = kind == HBG_KIND_C || kind == HBG_KIND_I || kind == HBG_KIND_R;
    return judged && minds(kind, nominal, value);
}

bool hbg_model_element_minds_matrix(const hbg_model *model, int32_t element, const double *matrix,
                                    double slack, double *room, hbg_lost *lost) {
    const hbg_element *of = &model->elements.items[element];
    int32_t row, column, n = of->ports;
    memcpy(room, matrix, (size_t)n * (size_t)n * sizeof *room);
    double value = of->kind != HBG_KIND_R && hbg_model_matrix_asymmetry(matrix, n, &row, &column)
                       ? -1
                       : hbg_model_matrix_least(room, n);
    if (of->kind == HBG_KIND_R && value >= -slack) return false;
    if (!hbg_model_element_minds(model, element, 0, value)) return false;
    describe_matrix(of->kind, matrix, n, value, lost);
    lost->element = element;
    return true;
}

double hbg_model_value_in_array(const void *values, hbg_expr expr) {
    return ((const double *)values)[expr];
}
