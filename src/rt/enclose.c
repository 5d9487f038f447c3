/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of an operator's values for arguments that are known by bounds. They are safe, not tight: an
 * operator without a rule may have any value. */
#include <math.h>

#include "rt/course_impl.h"

#define HALF_TURN 3.14159265358979323846

static const hbg_rt_span anything = {-INFINITY, INFINITY}, either = {0, 1};

static hbg_rt_span hull(hbg_rt_span a, hbg_rt_span b) {
    return (hbg_rt_span){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static bool holds(hbg_rt_span a, double value) {
    return a.low <= value && a.high >= value;
}

static bool is_one(hbg_rt_span a) {
    return a.low == a.high;
}

/* 0 times infinity is 0: that bound is not reached. */
static double product(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static hbg_rt_span times(hbg_rt_span a, hbg_rt_span b) {
    double p = product(a.low, b.low), q = product(a.low, b.high), r = product(a.high, b.low),
           s = product(a.high, b.high);
    return (hbg_rt_span){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

static hbg_rt_span over(hbg_rt_span a, hbg_rt_span b) {
    if (holds(b, 0)) return anything;
    return times(a, (hbg_rt_span){1 / b.high, 1 / b.low});
}

static hbg_rt_span opposite(hbg_rt_span a) {
    return (hbg_rt_span){-a.high, -a.low};
}

static hbg_rt_span absolute(hbg_rt_span a) {
    return (hbg_rt_span){holds(a, 0) ? 0 : fmin(fabs(a.low), fabs(a.high)), fmax(fabs(a.low), fabs(a.high))};
}

/* Of a monotone function; past the end of its domain nothing is known. */
static hbg_rt_span between(int op, hbg_rt_span a) {
    double p = hbg_rt_evaluate((hbg_operator)op, a.low, 0, 0),
           q = hbg_rt_evaluate((hbg_operator)op, a.high, 0, 0);
    return isnan(p) || isnan(q) ? anything : (hbg_rt_span){fmin(p, q), fmax(p, q)};
}

/* Whether a multiple of `period`, shifted by `first`, lies within. */
static bool meets(hbg_rt_span a, double first, double period) {
    return first + period * ceil((a.low - first) / period) <= a.high;
}

static hbg_rt_span sine(hbg_rt_span a, double ahead) {
    hbg_rt_span made = between(ahead > 0 ? HBG_OP_COS : HBG_OP_SIN, a);
    if (!(a.high - a.low < 2 * HALF_TURN)) return (hbg_rt_span){-1, 1};
    if (meets(a, HALF_TURN / 2 - ahead, 2 * HALF_TURN)) made.high = 1;
    if (meets(a, -HALF_TURN / 2 - ahead, 2 * HALF_TURN)) made.low = -1;
    return made;
}

/* On one side of 0 the extremes are at the corners; a whole power is defined on both. */
static hbg_rt_span power(hbg_rt_span a, hbg_rt_span b) {
    bool whole = is_one(b) && nearbyint(b.low) == b.low;
    if (a.low < 0 && !whole) return anything;
    if (holds(a, 0) && b.low < 0) return anything;
    hbg_rt_span made = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double value = hbg_rt_evaluate(HBG_OP_POWER_OF, i & 1 ? a.high : a.low, i & 2 ? b.high : b.low, 0);
        made = hull(made, (hbg_rt_span){value, value});
    }
    if (whole && holds(a, 0) && fmod(b.low, 2) == 0) made.low = 0;
    return made;
}

/* With the sign of the dividend, and less than the divisor. */
static hbg_rt_span remainder_of(hbg_rt_span a, hbg_rt_span b) {
    double most = fmax(fabs(b.low), fabs(b.high));
    return (hbg_rt_span){a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
}

static hbg_rt_span relation(int op, hbg_rt_span a, hbg_rt_span b) {
    bool apart = a.high < b.low || a.low > b.high;
    if (!apart && !(is_one(a) && is_one(b))) return either;
    double truth = hbg_rt_evaluate((hbg_operator)op, a.low, b.low, 0);
    return (hbg_rt_span){truth, truth};
}

static hbg_rt_span distance(hbg_rt_span a, hbg_rt_span b) {
    hbg_rt_span p = absolute(a), q = absolute(b);
    return (hbg_rt_span){hypot(p.low, q.low), hypot(p.high, q.high)};
}

static hbg_rt_span chosen(hbg_rt_span condition, hbg_rt_span a, hbg_rt_span b) {
    if (!holds(condition, 0)) return a;
    return is_one(condition) ? b : hull(a, b);
}

static hbg_rt_span table(const hbg_rt_instance *run, int32_t number, hbg_rt_span a) {
    double p = hbg_rt_table_at(run, HBG_OP_TABLE, number, a.low, 0),
           q = hbg_rt_table_at(run, HBG_OP_TABLE, number, a.high, 0);
    hbg_rt_span made = {fmin(p, q), fmax(p, q)};
    for (double at = hbg_rt_next_point(run, number, a.low); at <= a.high;
         at = hbg_rt_next_point(run, number, at)) {
        double here = hbg_rt_table_at(run, HBG_OP_TABLE, number, at, 0),
               before = hbg_rt_table_at(run, HBG_OP_TABLE, number, nextafter(at, -INFINITY), 0);
        made = hull(made, (hbg_rt_span){fmin(here, before), fmax(here, before)});
    }
    return made;
}

static hbg_rt_span enclose(const hbg_rt_instance *run, const hbg_rt_instruction *of, const hbg_rt_span *a) {
    switch (of->op) {
    case HBG_OP_ADD: return (hbg_rt_span){a[0].low + a[1].low, a[0].high + a[1].high};
    case HBG_OP_SUBTRACT: return (hbg_rt_span){a[0].low - a[1].high, a[0].high - a[1].low};
    case HBG_OP_MULTIPLY:
        return of->argument[0] == of->argument[1] ? times(absolute(a[0]), absolute(a[0])) : times(a[0], a[1]);
    case HBG_OP_DIVIDE: return over(a[0], a[1]);
    case HBG_OP_NEGATE: return opposite(a[0]);
    case HBG_OP_FINITE:
    case HBG_RT_OP_COPY: return a[0];
    case HBG_OP_SELECT: return chosen(a[0], a[1], a[2]);
    case HBG_OP_SIN: return sine(a[0], 0);
    case HBG_OP_COS: return sine(a[0], HALF_TURN / 2);
    case HBG_OP_TAN: return meets(a[0], HALF_TURN / 2, HALF_TURN) ? anything : between(of->op, a[0]);
    case HBG_OP_POWER_OF:
    case HBG_OP_POW: return power(a[0], a[1]);
    case HBG_OP_ABS: return absolute(a[0]);
    case HBG_OP_MIN: return (hbg_rt_span){fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high)};
    case HBG_OP_MAX: return (hbg_rt_span){fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high)};
    case HBG_OP_REMAINDER: return remainder_of(a[0], a[1]);
    case HBG_OP_TABLE: return table(run, of->argument[1], a[0]);
    case HBG_OP_HYPOT: return distance(a[0], a[1]);
    case HBG_OP_ATAN2: return (hbg_rt_span){-HALF_TURN, HALF_TURN};
    case HBG_OP_COSH: return between(of->op, absolute(a[0]));
    case HBG_OP_ASIN:
    case HBG_OP_ACOS:
    case HBG_OP_ATAN:
    case HBG_OP_SINH:
    case HBG_OP_TANH:
    case HBG_OP_EXP:
    case HBG_OP_LOG:
    case HBG_OP_LOG10:
    case HBG_OP_SQRT:
    case HBG_OP_CBRT:
    case HBG_OP_SIGN:
    case HBG_OP_FLOOR:
    case HBG_OP_CEIL: return between(of->op, a[0]);
    case HBG_OP_OR:
    case HBG_OP_AND:
    case HBG_OP_NOT: return either;
    default:
        if (of->op >= HBG_OP_EQUAL && of->op <= HBG_OP_GREATER_EQUAL) return relation(of->op, a[0], a[1]);
        return anything;
    }
}

hbg_rt_span hbg_rt_enclose(const hbg_rt_instance *run, const hbg_rt_instruction *of, const hbg_rt_span *a) {
    hbg_rt_span made = enclose(run, of, a);
    if (isnan(made.low) || isnan(made.high)) return anything;
    double below = isinf(made.low) ? 0 : HBG_RT_BOUND * fabs(made.low),
           above = isinf(made.high) ? 0 : HBG_RT_BOUND * fabs(made.high);
    return (hbg_rt_span){made.low - below, made.high + above};
}
