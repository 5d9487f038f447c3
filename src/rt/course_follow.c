/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether samples follow an operator: its value is smooth for smooth arguments, unless they move far relative
 * to the operator. A sine may turn by at most half a turn in an interval, an exponential grow by at most e³;
 * a divisor stays on one side of 0 and grows less than tenfold; abs, min, max, floor, % and tables stay on
 * one piece. Otherwise the interval is to end at the border, or earlier. */
#include <math.h>

#include "rt/course_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1, FINE = 16 };
enum { MANY = 3 }; /* more pieces than this are not separated one by one */

static const double half_turn = 3.14159265358979323846;

static const double unseen = 0.1; /* of the range of samples: the range between them may be wider by this */

static const hbg_rt_unfollowed followed = {LAST, NAN, false};

static bool is_relation(int op) {
    return op >= HBG_OP_EQUAL && op <= HBG_OP_GREATER_EQUAL;
}

bool hbg_rt_may_be_wild(const hbg_rt_instance *run, const hbg_rt_instruction *of) {
    if (of->located != HBG_RT_NONE && !run->branches.loose[of->located]) return false; // frozen
    switch (of->op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_MULTIPLY:
    case HBG_OP_NEGATE:
    case HBG_OP_SELECT:
    case HBG_OP_PI:
    case HBG_OP_OR:
    case HBG_OP_AND:
    case HBG_OP_NOT:
    case HBG_OP_FINITE: return false;
    default: return of->op < HBG_OP_COUNT || of->op == HBG_RT_OP_SLOPE;
    }
}

static hbg_rt_span with(hbg_rt_span a, double value) {
    return (hbg_rt_span){fmin(a.low, value), fmax(a.high, value)};
}

/* The bounds of the quartic through samples. Near a turning point it is practically a parabola. */
static hbg_rt_span bounds_of(const double *f) {
    hbg_rt_span made = {f[0], f[0]};
    double fine[FINE + 1];
    for (int i = 1; i <= LAST; i++) made = with(made, f[i]);
    if (!(made.low < made.high)) return made;
    hbg_rt_quartic through = hbg_rt_quartic_through(f);
    for (int i = 0; i <= FINE; i++) {
        fine[i] = hbg_rt_quartic_at(&through, (double)i * LAST / FINE);
        made = with(made, fine[i]);
    }
    for (int i = 1; i < FINE; i++) {
        double before = fine[i] - fine[i - 1], after = fine[i + 1] - fine[i];
        if (before * after >= 0) continue;
        made = with(made, fine[i] - (before + after) * (before + after) / (8 * (after - before)));
    }
    return made;
}

hbg_rt_span hbg_rt_span_of(const double *f) {
    hbg_rt_span made = bounds_of(f);
    if (!(made.low < made.high)) return made;
    double error = hbg_rt_root_error(f) + (made.high - made.low) / (2 * FINE);
    return (hbg_rt_span){made.low - error, made.high + error};
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

double hbg_rt_switched(const hbg_rt_instruction *of, const double *r) {
    double a = r[of->argument[0]];
    switch (of->op) {
    case HBG_OP_DIVIDE: return r[of->argument[1]];
    case HBG_OP_REMAINDER: return a / r[of->argument[1]];
    case HBG_OP_MIN:
    case HBG_OP_MAX: return a - r[of->argument[1]];
    default: return is_relation(of->op) ? a - r[of->argument[1]] : a;
    }
}

/* The piece of an operator that contains a value. */
static hbg_rt_span piece_of(const hbg_rt_instance *run, const hbg_rt_instruction *of, double at) {
    double whole = floor(at), turns = floor(at / half_turn - 0.5);
    switch (of->op) {
    case HBG_OP_FLOOR:
    case HBG_OP_CEIL:
    case HBG_OP_REMAINDER: return (hbg_rt_span){whole, whole + 1};
    case HBG_OP_TAN: return (hbg_rt_span){(turns + 0.5) * half_turn, (turns + 1.5) * half_turn};
    case HBG_OP_TABLE:
    case HBG_RT_OP_SLOPE: {
        double next = hbg_rt_next_point(run, of->argument[1], at), last = -INFINITY;
        for (double point = hbg_rt_next_point(run, of->argument[1], -INFINITY); point <= at;
             point = hbg_rt_next_point(run, of->argument[1], point))
            last = point;
        return (hbg_rt_span){last, next};
    }
    default: return at < 0 ? (hbg_rt_span){-INFINITY, 0} : (hbg_rt_span){0, INFINITY};
    }
}

static bool has_pieces(int op) {
    return (op < HBG_OP_COUNT && hbg_rt_branch_of(op) != BRANCH_NONE) || op == HBG_OP_TAN ||
           op == HBG_OP_DIVIDE || op == HBG_OP_EQUAL || op == HBG_OP_NOT_EQUAL || op == HBG_RT_OP_SLOPE;
}

static bool is_steady(int op) {
    return op == HBG_OP_ABS || op == HBG_OP_MIN || op == HBG_OP_MAX;
}

/* Where the switching value leaves the piece in which it starts the interval. */
static hbg_rt_unfollowed leave_piece(const hbg_rt_instance *run, const hbg_rt_instruction *of,
                                     const double *f) {
    hbg_rt_quartic through = hbg_rt_quartic_through(f);
    hbg_rt_span all = hbg_rt_span_of(f),
                piece = piece_of(run, of, hbg_rt_quartic_at(&through, 0.1 * LAST / FINE));
    double least = HBG_RT_BORDER_END * (all.high - all.low);
    if (all.low >= piece.low && all.high <= piece.high) return followed;
    if (all.high - all.low > MANY * (piece.high - piece.low))
        return (hbg_rt_unfollowed){LAST / 2.0, NAN, false};
    for (int i = 1; i <= FINE; i++) {
        double value = i < FINE ? hbg_rt_quartic_at(&through, (double)i * LAST / FINE) : f[LAST];
        bool above = value > piece.high + least;
        if (above || value < piece.low - least)
            return (hbg_rt_unfollowed){(double)i * LAST / FINE, above ? piece.high : piece.low,
                                       !is_steady(of->op)};
    }
    return followed;
}

/* ---- paces -------------------------------------------------------------------------------------------- */

static double length_of(hbg_rt_span a) {
    return a.high - a.low;
}

/* By how many powers of e it grows; infinite if it reaches 0. */
static double growth_of(hbg_rt_span a) {
    double least = fmin(fabs(a.low), fabs(a.high)), most = fmax(fabs(a.low), fabs(a.high));
    return a.low < 0 && a.high > 0 ? INFINITY : log(most / least);
}

static double pace_of_power(hbg_rt_span a, hbg_rt_span b) {
    bool whole = b.low == b.high && nearbyint(b.low) == b.low;
    double most = fmax(fabs(b.low), fabs(b.high));
    if (whole && b.low >= 0 && b.low <= 4) return 0;
    if (whole && b.low > 0 && !(growth_of(a) < 3)) return most / 6;
    if (b.low != b.high) return growth_of(a) * most / 3 + length_of(b) * fabs(log(fabs(a.high))) / 3;
    return growth_of(a) * fmax(most, 1) / 3;
}

/* How far arguments move, in units that samples can follow. */
static double pace_of(int op, hbg_rt_span a, hbg_rt_span b) {
    switch (op) {
    case HBG_OP_SIN:
    case HBG_OP_COS: return length_of(a) / half_turn;
    case HBG_OP_EXP:
    case HBG_OP_SINH:
    case HBG_OP_COSH: return length_of(a) / 3;
    case HBG_OP_TAN: return length_of(a);
    case HBG_OP_TANH:
    case HBG_OP_ATAN: return length_of(a) / 2;
    case HBG_OP_LOG:
    case HBG_OP_LOG10:
    case HBG_OP_SQRT:
    case HBG_OP_CBRT: return growth_of(a) / 2;
    case HBG_OP_POWER_OF:
    case HBG_OP_POW: return pace_of_power(a, b);
    case HBG_OP_DIVIDE: return growth_of(b) / 2;
    case HBG_OP_HYPOT:
    case HBG_OP_ATAN2: return fmin(growth_of(a), growth_of(b)) / 2;
    default: return 0;
    }
}

/* ---- both ---------------------------------------------------------------------------------------------- */

static void take(const hbg_rt_instruction *of, double *const *lanes, double *switched, double *a, double *b) {
    bool two = of->argument[1] != HBG_RT_NONE && of->op != HBG_OP_TABLE && of->op != HBG_RT_OP_SLOPE;
    for (int i = 0; i <= LAST; i++) {
        switched[i] = hbg_rt_switched(of, lanes[i]);
        a[i] = lanes[i][of->argument[0]];
        b[i] = two ? lanes[i][of->argument[1]] : 0;
    }
}

static bool stands(const double *f) {
    for (int i = 1; i <= LAST; i++)
        if (f[i] != f[0]) return false;
    return true;
}

/* Whether samples show everything that a power or a root may do to its argument: what they miss of it is
 * small in them. */
static bool is_seen(const hbg_rt_instance *run, const hbg_rt_instruction *of, double *const *lanes,
                    const double *a, const double *b) {
    hbg_rt_span arguments[3] = {bounds_of(a), bounds_of(b), {0, 0}}, own = {INFINITY, -INFINITY};
    bool is_power = of->op == HBG_OP_POWER_OF || of->op == HBG_OP_POW || of->op == HBG_OP_SQRT ||
                    of->op == HBG_OP_CBRT || of->op == HBG_OP_HYPOT;
    if (!is_power) return false;
    for (int i = 0; i <= LAST; i++) {
        double value = lanes[i][of->d];
        own = (hbg_rt_span){fmin(own.low, value), fmax(own.high, value)};
    }
    hbg_rt_span all = hbg_rt_enclose(run, of, arguments);
    double more = unseen * (own.high - own.low);
    return all.low >= own.low - more && all.high <= own.high + more;
}

/* An operator that ends at a border of its domain, such as a root, is followed up to a thousandth of a step
 * from it. */
hbg_rt_unfollowed hbg_rt_follow(const hbg_rt_instance *run, const hbg_rt_instruction *of,
                                double *const *lanes, bool is_short) {
    double switched[HBG_RT_SAMPLES], a[HBG_RT_SAMPLES], b[HBG_RT_SAMPLES];
    take(of, lanes, switched, a, b);
    if (stands(a) && stands(b)) return followed;
    if (of->op == HBG_OP_DIVIDE && stands(b)) return followed;
    if (has_pieces(of->op) && !stands(switched)) {
        hbg_rt_unfollowed made = leave_piece(run, of, switched);
        if (made.place < LAST || !isnan(made.border)) return made;
    }
    double pace = pace_of(of->op, hbg_rt_span_of(a), hbg_rt_span_of(b));
    if (!(pace > 1) || (is_short && isinf(pace)) || is_seen(run, of, lanes, a, b)) return followed;
    return (hbg_rt_unfollowed){LAST * fmin(fmax(1 / pace, 0.125), 0.5), NAN, false};
}
