/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Computing a block diagram, on demand: a switch asks for the input it selects and no other. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/block_diagram_impl.h"

typedef diagram_block block;
typedef diagram_transition transition;
typedef diagram_automaton automaton;

/* ---- values ------------------------------------------------------------------------------------------- */

static double value_of(hbg_test_diagram *d, int id);

static double in(hbg_test_diagram *d, const block *of, int number) {
    return value_of(d, of->in[number]);
}

/* With the sign of a; 0 where a is a multiple of b but for rounding. */
static double remainder_of(double a, double b) {
    double rest = fmod(a, b), slack = 4 * DBL_EPSILON * fabs(a);
    return fabs(rest) <= slack || fabs(b) - fabs(rest) <= slack ? 0 : rest;
}

typedef double (*unary)(double x);

static double sign_of(double x) {
    return (x > 0) - (x < 0);
}

static unary find_unary(const char *name) {
    static const struct {
        const char *name;
        unary function;
    } known[] = {{"sin", sin},      {"cos", cos},     {"tan", tan},   {"asin", asin}, {"acos", acos},
                 {"atan", atan},    {"sinh", sinh},   {"cosh", cosh}, {"tanh", tanh}, {"exp", exp},
                 {"log", log},      {"log10", log10}, {"sqrt", sqrt}, {"cbrt", cbrt}, {"abs", fabs},
                 {"sign", sign_of}, {"floor", floor}, {"ceil", ceil}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) return known[i].function;
    return NULL;
}

static double binary_of(hbg_test_diagram *d, const char *name, double a, double b) {
    if (strcmp(name, "<") == 0) return a < b;
    if (strcmp(name, "<=") == 0) return a <= b;
    if (strcmp(name, ">") == 0) return a > b;
    if (strcmp(name, ">=") == 0) return a >= b;
    if (strcmp(name, "==") == 0) return a == b;
    if (strcmp(name, "!=") == 0) return a != b;
    if (strcmp(name, "&&") == 0) return a != 0 && b != 0;
    if (strcmp(name, "||") == 0) return a != 0 || b != 0;
    if (strcmp(name, "%") == 0) return remainder_of(a, b);
    if (strcmp(name, "pow") == 0) return pow(a, b);
    if (strcmp(name, "min") == 0) return a < b ? a : b;
    if (strcmp(name, "max") == 0) return a > b ? a : b;
    if (strcmp(name, "atan2") == 0) return atan2(a, b);
    if (strcmp(name, "hypot") == 0) return hypot(a, b);
    d->wrong = "a function is not known";
    return NAN;
}

static double function_of(hbg_test_diagram *d, const block *of) {
    unary one = of->in_count == 1 ? find_unary(of->function) : NULL;
    if (strcmp(of->function, "?:") == 0) return in(d, of, 0) != 0 ? in(d, of, 1) : in(d, of, 2);
    if (strcmp(of->function, "!") == 0) return in(d, of, 0) == 0;
    if (one) return one(in(d, of, 0));
    return of->in_count == 2 ? binary_of(d, of->function, in(d, of, 0), in(d, of, 1))
                             : (d->wrong = "a function is not known", NAN);
}

static bool same_time(const hbg_test_diagram *d, double a, double b) {
    return fabs(a - b) <= 1e-9 * d->step;
}

static double table_of(const block *of, double at) {
    int i = 0;
    while (i < of->points && of->x[i] <= at) i++;
    if (i == 0) return of->y[0];
    if (i == of->points) return of->y[i - 1];
    return of->y[i - 1] + (of->y[i] - of->y[i - 1]) / (of->x[i] - of->x[i - 1]) * (at - of->x[i - 1]);
}

static double lookup_of(hbg_test_diagram *d, const block *of) {
    const json_t *sizes = json_object_get(of->of, "sizes");
    int index = 0, stride = 1;
    for (int i = 0; i < of->in_count; i++) {
        index += stride * (int)in(d, of, i);
        stride *= (int)json_integer_value(json_array_get(sizes, (size_t)i));
    }
    if (index < of->int_count && stride == of->int_count) return of->ints[index];
    d->wrong = "a lookup is too small";
    return NAN;
}

static double switch_of(hbg_test_diagram *d, const block *of) {
    double selector = in(d, of, 0);
    for (int i = 0; i < of->int_count; i++)
        if (of->ints[i] == selector) return in(d, of, i + 1);
    d->wrong = "a switch has no case: the mode has no valid causality";
    return NAN;
}

static double solve(hbg_test_diagram *d, int id);

static double compute(hbg_test_diagram *d, int id) {
    const block *of = &d->blocks[id];
    double value;
    switch (of->kind[0] << 8 | of->kind[2]) {
    case 'c' << 8 | 'n': return of->kind[5] == 'a' ? of->number : solve(d, id); // constant, constraint
    case 't' << 8 | 'm': return d->t;
    case 't' << 8 | 'b': return table_of(of, in(d, of, 0));
    case 's' << 8 | 'u': return of->event && !d->first_pass ? 0 : of->held;
    case 'i' << 8 | 's': return d->searching;
    case 'a' << 8 | 't': return d->automata[json_integer_value(json_object_get(of->of, "automaton"))].state;
    case 'g' << 8 | 'i': return of->number * in(d, of, 0);
    case 's' << 8 | 'm':
        value = 0;
        for (int i = 0; i < of->in_count; i++) value += of->signs[i] == '+' ? in(d, of, i) : -in(d, of, i);
        return value;
    case 'p' << 8 | 'o':
        return of->signs[1] == '*' ? in(d, of, 0) * in(d, of, 1) : in(d, of, 0) / in(d, of, 1);
    case 'f' << 8 | 'n': return function_of(d, of);
    case 'l' << 8 | 'o': return lookup_of(d, of);
    case 's' << 8 | 'i': return switch_of(d, of);
    default: break;
    }
    for (int i = 0; i < d->integrator_count; i++)
        if (d->integrators[i] == id) return d->x[i];
    return NAN;
}

static double value_of(hbg_test_diagram *d, int id) {
    block *of = &d->blocks[id];
    if (of->stamp == d->stamp) return of->value;
    if (++d->depth > MOST_DEPTH) d->wrong = "blocks read each other in a circle";
    double value = d->wrong ? NAN : compute(d, id);
    d->depth--;
    of->value = value;
    of->stamp = d->stamp;
    return value;
}

/* ---- constraints -------------------------------------------------------------------------------------- */

/* Residuals of all that are solved together; some that turn out to belong to them are added. */
static void residuals(hbg_test_diagram *d, double *into) {
    d->stamp++;
    for (int i = 0; i < d->wanted_count && !d->wrong; i++)
        into[i] = value_of(d, d->blocks[d->wanted[i]].in[0]);
}

/* Gauss with pivots; b becomes the solution. */
static bool gauss(int n, double a[][MOST_UNKNOWNS], double *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (!(fabs(a[best][k]) > 0)) return false;
        for (int j = 0; j < n; j++) {
            double other = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = other;
        }
        double other = b[k];
        b[k] = b[best];
        b[best] = other;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return true;
}

/* One step of Newton's method with slopes by differences; how far it went, as a share of the size. */
static double newton(hbg_test_diagram *d) {
    double at[MOST_UNKNOWNS], moved[MOST_UNKNOWNS], slope[MOST_UNKNOWNS][MOST_UNKNOWNS], far = 0;
    residuals(d, at);
    int n = d->wanted_count;
    for (int k = 0; k < n && !d->wrong; k++) {
        double *unknown = &d->blocks[d->wanted[k]].solved, kept = *unknown;
        double by = 1e-6 * fmax(fabs(kept), 1e-3);
        *unknown = kept + by;
        residuals(d, moved);
        *unknown = kept;
        if (d->wanted_count > n) return INFINITY;
        for (int i = 0; i < n; i++) slope[i][k] = (moved[i] - at[i]) / by;
    }
    if (d->wrong || d->wanted_count > n) return INFINITY;
    if (!gauss(n, slope, at)) {
        d->wrong = "a constraint has no slope";
        return INFINITY;
    }
    for (int i = 0; i < n; i++) {
        double *unknown = &d->blocks[d->wanted[i]].solved;
        *unknown -= at[i];
        far = fmax(far, fabs(at[i]) / fmax(fabs(*unknown), 1e-9));
    }
    return far;
}

/* Another constraint that is read on the way is solved with it. */
static double solve(hbg_test_diagram *d, int id) {
    block *of = &d->blocks[id];
    if (of->solved_at == d->epoch || of->trial) return of->solved;
    if (d->wanted_count == MOST_UNKNOWNS) return d->wrong = "too many constraints", NAN;
    bool outermost = d->wanted_count == 0;
    of->trial = 1;
    if (of->in_count > 1) of->solved = in(d, of, 1);
    d->wanted[d->wanted_count++] = id;
    if (!outermost) return of->solved;
    double far = INFINITY;
    for (int i = 0; i < 60 && far > 1e-14 && !d->wrong; i++) far = newton(d);
    if (far > 1e-9) d->wrong = "a constraint is not solved";
    for (int i = 0; i < d->wanted_count; i++) {
        d->blocks[d->wanted[i]].trial = 0;
        d->blocks[d->wanted[i]].solved_at = d->epoch;
    }
    d->wanted_count = 0;
    d->stamp++;
    return of->solved;
}

/* ---- time --------------------------------------------------------------------------------------------- */

static void look(hbg_test_diagram *d, double t) {
    d->t = t;
    d->stamp++;
    d->epoch++;
}

static void rates(hbg_test_diagram *d, double t, double *into) {
    look(d, t);
    for (int i = 0; i < d->integrator_count; i++) into[i] = value_of(d, d->blocks[d->integrators[i]].in[0]);
}

static const struct {
    const char *name;
    int stages;
    double through[4], weight[4];
} methods[] = {{"euler", 1, {0}, {1}},
               {"heun", 2, {0, 1}, {0.5, 0.5}},
               {"ode3", 3, {0, 0.5, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
               {"rk4", 4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};

static void step(hbg_test_diagram *d, double end) {
    size_t m = 0, n = (size_t)d->integrator_count;
    double h = end - d->t, t = d->t;
    double *x = malloc((3 * n + 1) * sizeof *x), *sum = x + n, *rate = sum + n;
    while (m < 3 && strcmp(methods[m].name, d->method) != 0) m++;
    memcpy(x, d->x, n * sizeof *x);
    memcpy(sum, d->x, n * sizeof *x);
    for (int s = 0; s < methods[m].stages; s++) {
        for (size_t i = 0; i < n && s > 0; i++) d->x[i] = x[i] + h * methods[m].through[s] * rate[i];
        rates(d, methods[m].through[s] == 1 ? end : t + h * methods[m].through[s], rate);
        for (size_t i = 0; i < n; i++) sum[i] += h * methods[m].weight[s] * rate[i];
    }
    memcpy(d->x, sum, n * sizeof *x);
    free(x);
    look(d, end);
}

/* Whether something about the block is known to happen at the times it lists. */
static bool is_timed(const hbg_test_diagram *d, int id) {
    const block *of = &d->blocks[id];
    if (strcmp(of->kind, "table") == 0) return strcmp(d->blocks[of->in[0]].kind, "time") == 0;
    return strcmp(of->kind, "source") == 0;
}

static double next_end(const hbg_test_diagram *d) {
    double end = (floor(d->t / d->step) + 1) * d->step;
    if (end <= d->t || same_time(d, end, d->t)) end = (floor(d->t / d->step) + 2) * d->step;
    for (int i = 0; i < d->count; i++)
        for (int k = 0; is_timed(d, i) && k < d->blocks[i].points; k++) {
            double at = d->blocks[i].x[k];
            if (at > d->t && !same_time(d, at, d->t) && at < end) end = at;
        }
    for (int i = 0; i < d->automaton_count; i++)
        for (int k = 0; k < d->automata[i].count; k++) {
            const transition *of = &d->automata[i].transitions[k];
            double at = d->automata[i].entered + of->after;
            bool waits = of->from == d->automata[i].state && of->after > 0;
            if (waits && at > d->t && !same_time(d, at, d->t) && at < end) end = at;
        }
    return end >= d->stop || same_time(d, end, d->stop) ? d->stop : end;
}

/* ---- instants ----------------------------------------------------------------------------------------- */

static void put_row(hbg_test_diagram *d, hbg_test_rows *rows) {
    size_t size = (size_t)rows->columns;
    if ((rows->count & (rows->count - 1)) == 0)
        rows->values = realloc(rows->values, 2 * (size_t)(rows->count + 1) * size * sizeof *rows->values);
    double *row = rows->values + (size_t)rows->count++ * size;
    row[0] = d->t;
    for (int i = 0; i < d->output_count; i++) row[i + 1] = value_of(d, d->outputs[i]);
}

static bool has_waited(const hbg_test_diagram *d, const automaton *of, const transition *at) {
    return at->from == of->state &&
           (d->t >= of->entered + at->after || same_time(d, d->t, of->entered + at->after));
}

/* Every automaton with an enabled guard moves, judged on the same values; true if one did. */
static bool move(hbg_test_diagram *d) {
    bool any = false;
    for (int i = 0; i < d->automaton_count; i++) {
        automaton *of = &d->automata[i];
        of->next = of->state;
        for (int k = 0; k < of->count && of->next == of->state; k++) {
            const transition *at = &of->transitions[k];
            if (has_waited(d, of, at) && (at->guard < 0 || value_of(d, at->guard) != 0)) of->next = at->to;
        }
        any |= of->next != of->state;
    }
    for (int i = 0; i < d->automaton_count && any; i++) {
        if (d->automata[i].next != d->automata[i].state) d->automata[i].entered = d->t;
        d->automata[i].state = d->automata[i].next;
    }
    d->first_pass = false;
    look(d, d->t);
    return any;
}

/* States are reset to what they are in the mode that was found; true if one of them is another number then. */
static bool reset(hbg_test_diagram *d) {
    bool any = false;
    double *x = malloc(((size_t)d->integrator_count + 1) * sizeof *x);
    for (int i = 0; i < d->integrator_count; i++) {
        x[i] = value_of(d, d->blocks[d->integrators[i]].in[1]);
        any |= fabs(x[i] - d->x[i]) > 1e-10 * fmax(fabs(x[i]), fabs(d->x[i]));
    }
    if (any) memcpy(d->x, x, (size_t)d->integrator_count * sizeof *x);
    free(x);
    look(d, d->t);
    return any;
}

/* Sources take what they have from here on; true if anything was planned for this time. */
static bool set_sources(hbg_test_diagram *d) {
    bool planned = false;
    for (int i = 0; i < d->count; i++) {
        block *of = &d->blocks[i];
        if (strcmp(of->kind, "source") != 0) continue;
        if (of->event) of->held = 0;
        for (int k = 0; k < of->points; k++) {
            bool now = same_time(d, of->x[k], d->t);
            planned |= now;
            if (now || (!of->event && of->x[k] < d->t)) of->held = of->y[k];
        }
    }
    return planned;
}

static bool is_enabled(hbg_test_diagram *d) {
    for (int i = 0; i < d->automaton_count; i++)
        for (int k = 0; k < d->automata[i].count; k++) {
            const transition *at = &d->automata[i].transitions[k];
            if (has_waited(d, &d->automata[i], at) && (at->guard < 0 || value_of(d, at->guard) != 0))
                return true;
        }
    return false;
}

static void instant(hbg_test_diagram *d, hbg_test_rows *rows) {
    bool planned = set_sources(d);
    d->first_pass = true;
    look(d, d->t);
    if (!planned && d->t > 0 && !is_enabled(d)) return;
    d->searching = true;
    for (int passes = 0; !d->wrong;) {
        bool moved = false;
        look(d, d->t);
        while (passes++ < MOST_PASSES && !d->wrong && move(d)) moved = true;
        if (passes > MOST_PASSES) d->wrong = "the switching never settles";
        bool jumped = !d->wrong && reset(d);
        d->switchings += moved || jumped;
        put_row(d, rows);
        if (!moved && !jumped) break;
    }
    d->searching = d->first_pass = false;
    look(d, d->t);
}

const char *hbg_test_diagram_run(hbg_test_diagram *d, hbg_test_rows *rows) {
    *rows = (hbg_test_rows){.columns = d->output_count + 1};
    for (int i = 0; i < d->integrator_count; i++) d->x[i] = d->blocks[d->integrators[i]].number;
    look(d, 0);
    put_row(d, rows);
    instant(d, rows);
    while (d->t < d->stop && !d->wrong) {
        step(d, next_end(d));
        put_row(d, rows);
        instant(d, rows);
    }
    return d->wrong;
}

int hbg_test_diagram_switchings(const hbg_test_diagram *d) {
    return d->switchings;
}

double hbg_test_rows_off(const hbg_test_rows *rows, const double *row, const double *sizes, double same) {
    double best = INFINITY;
    long low = 0, high = rows->count;
    while (low < high) { // the first row that is not before
        long middle = (low + high) / 2;
        if (rows->values[middle * rows->columns] < row[0] - same)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < rows->count && rows->values[low * rows->columns] <= row[0] + same; low++) {
        double off = 0;
        for (int i = 1; i < rows->columns; i++) {
            double share = fabs(rows->values[low * rows->columns + i] - row[i]) / sizes[i];
            off = share <= off ? off : share; // NaN is off
        }
        best = fmin(best, off);
    }
    return best;
}
