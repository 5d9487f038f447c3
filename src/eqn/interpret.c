/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The interpreter of register code. */
#include <math.h>

#include "eqn/native_impl.h"

/* ---- tables ------------------------------------------------------------------------------------------- */

/* The last point at or before `at`: −1 before the first. Points with one x are a jump: the later one counts. */
static int32_t table_interval(const hbg_table *table, double at) {
    int32_t low = -1, high = table->count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (table->x[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double table_slope(const hbg_table *table, int32_t interval) {
    if (interval < 0 || interval >= table->count - 1) return 0;
    return (table->y[interval + 1] - table->y[interval]) / (table->x[interval + 1] - table->x[interval]);
}

static double table_value(const hbg_table *table, int32_t interval, double at) {
    if (interval < 0) return table->y[0];
    return table->y[interval] + table_slope(table, interval) * (at - table->x[interval]);
}

double hbg_eqn_table(const hbg_rt_instance *run, int op, int32_t number, double at, double across) {
    const hbg_table *table = &run->eqn->model->tables.items[number];
    int32_t interval = table_interval(table, at), above = table_interval(table, at + across);
    if (across > 0) interval = above != interval ? above : table_interval(table, at - across);
    return op == TERM_SLOPE ? table_slope(table, interval) : table_value(table, interval, at);
}

double hbg_eqn_next_point(const hbg_rt_instance *run, int32_t number, double after) {
    const hbg_table *table = &run->eqn->model->tables.items[number];
    int32_t next = table_interval(table, after) + 1;
    return next < table->count ? table->x[next] : INFINITY;
}

/* ---- located relations -------------------------------------------------------------------------------- */

/* The branch an operator is on, and a function whose sign changes where it leaves it: from cell to cell it alternates. */
typedef struct {
    double branch, root;
} located;

static located cell_of(double at, double low, double high) {
    return (located){0, isinf(low) ? high - at : isinf(high) ? at - low : (at - low) * (high - at)};
}

static located table_branch(const hbg_table *table, const bool *turns, double at, double frozen,
                            bool is_frozen) {
    int32_t interval = is_frozen ? (int32_t)frozen : table_interval(table, at);
    double low = interval < 0 ? -INFINITY : table->x[interval];
    double high = interval >= table->count - 1 ? INFINITY : table->x[interval + 1];
    located found = cell_of(at, low, high);
    if (isinf(low) && isinf(high)) found.root = 1;
    found.branch = interval;
    if (turns[interval + 1]) found.root = -found.root;
    return found;
}

/* floor, ceil and whole multiples: cells of length 1. */
static located cell_branch(double at, double own, double frozen, bool is_frozen) {
    double whole = is_frozen ? frozen : own;
    located found = cell_of(at, whole, whole + 1);
    found.branch = whole;
    if (fmod(whole, 2) != 0) found.root = -found.root;
    return found;
}

static located branch_of(hbg_rt_instance *run, const instruction *code, double a, double b, bool frozen) {
    double branch = frozen ? run->branch[code->located] : 0;
    switch (code->op) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL:
        return (located){frozen ? branch : hbg_operator_evaluate((hbg_operator)code->op, a, b, 0), a - b};
    case HBG_OP_MIN: return (located){frozen ? branch : a < b, a - b};
    case HBG_OP_MAX: return (located){frozen ? branch : a > b, a - b};
    case HBG_OP_ABS: return (located){frozen ? branch : a >= 0, a};
    case HBG_OP_SIGN: return (located){frozen ? branch : (a > 0) - (a < 0), a};
    case HBG_OP_FLOOR: return cell_branch(a, floor(a), branch, frozen);
    case HBG_OP_CEIL: return cell_branch(a, ceil(a) - 1, branch, frozen);
    case HBG_OP_REMAINDER: { // below 0 a cell ends with its whole number, as truncation wants it
        double at = hbg_quotient(a, b);
        return cell_branch(at, at < 0 ? ceil(at) - 1 : floor(at), branch, frozen);
    }
    default:
        return table_branch(&run->eqn->model->tables.items[code->argument[1]],
                            run->eqn->table_turns[code->argument[1]], a, branch, frozen);
    }
}

/* What lies beyond a root that was crossed. */
static double beyond(const hbg_rt_instance *run, const instruction *code, double a, double b, double old) {
    double at = code->op == HBG_OP_REMAINDER ? a / b : a;
    switch (code->op) {
    case HBG_OP_SIGN: return old != 0 ? -old : (a > 0) - (a < 0);
    case HBG_OP_FLOOR:
    case HBG_OP_CEIL:
    case HBG_OP_REMAINDER: return at - old > 0.5 ? old + 1 : old - 1;
    case HBG_OP_TABLE:
    case TERM_SLOPE: {
        const hbg_table *table = &run->eqn->model->tables.items[code->argument[1]];
        double low = old < 0 ? -INFINITY : table->x[(int32_t)old];
        double high = old >= table->count - 1 ? INFINITY : table->x[(int32_t)old + 1];
        int step = high - at > at - low ? -1 : 1;
        do // a jump is left behind whole
            old += step;
        while (old >= 0 && old < table->count - 1 && table->x[(int32_t)old + 1] == table->x[(int32_t)old]);
        return old;
    }
    default: return old == 0;
    }
}

/* The branch at equality, where rounding may have left the value on either side of it. */
static double branch_at_equality(const hbg_rt_instance *run, const instruction *code, double a, double b,
                                 double old) {
    double whole = nearbyint(code->op == HBG_OP_REMAINDER ? hbg_quotient(a, b) : a);
    switch (code->op) {
    case HBG_OP_MIN:
    case HBG_OP_MAX:
    case HBG_OP_SIGN: return 0;
    case HBG_OP_ABS: return 1;
    case HBG_OP_FLOOR: return whole;
    case HBG_OP_CEIL: return whole - 1;
    case HBG_OP_REMAINDER: return whole < 0 ? whole - 1 : whole;
    case HBG_OP_TABLE:
    case TERM_SLOPE: {
        const hbg_table *table = &run->eqn->model->tables.items[code->argument[1]];
        double low = old < 0 ? -INFINITY : table->x[(int32_t)old];
        double high = old >= table->count - 1 ? INFINITY : table->x[(int32_t)old + 1];
        return table_interval(table, high - a > a - low ? low : high);
    }
    default: return hbg_operator_evaluate((hbg_operator)code->op, 0, 0, 0);
    }
}

/* The sign of the root on a branch, 0 on one that is a point. */
static int8_t side_of(const hbg_rt_instance *run, const instruction *code, double branch) {
    switch (code->op) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_MIN: return branch != 0 ? -1 : 1;
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL:
    case HBG_OP_MAX:
    case HBG_OP_ABS: return branch != 0 ? 1 : -1;
    case HBG_OP_SIGN: return (int8_t)branch;
    case HBG_OP_FLOOR:
    case HBG_OP_CEIL:
    case HBG_OP_REMAINDER: return fmod(branch, 2) != 0 ? -1 : 1;
    default: return run->eqn->table_turns[code->argument[1]][(int32_t)branch + 1] ? -1 : 1;
    }
}

/* The branch that a recording takes: the one kept, or another for a relation that is listed; once in a recording, also where a loop
 * evaluates it again. */
static void record_branch(hbg_rt_instance *run, const instruction *code, double a, double b) {
    double *branch = &run->branch[code->located];
    uint8_t *crossed = &run->crossed[code->located];
    if (*crossed == LISTED_BEYOND) *branch = beyond(run, code, a, b, *branch);
    if (*crossed == LISTED_ANEW || (*crossed == LISTED_NOT && !run->keeps_branches))
        *branch = branch_of(run, code, a, b, false).branch;
    if (*crossed == LISTED_EQUAL) *branch = branch_at_equality(run, code, a, b, *branch);
    if (*crossed != LISTED_NOT) *crossed = LISTED_DONE;
    run->side[code->located] = side_of(run, code, *branch);
}

static double value_on(const hbg_rt_instance *run, const instruction *code, double branch, double a,
                       double b) {
    const hbg_table *tables = run->eqn->model->tables.items;
    switch (code->op) {
    case HBG_OP_MIN:
    case HBG_OP_MAX: return branch != 0 ? a : b;
    case HBG_OP_ABS: return branch != 0 ? a : -a;
    case HBG_OP_CEIL: return branch + 1;
    case HBG_OP_REMAINDER: { // truncated towards 0
        double whole = branch < 0 ? branch + 1 : branch;
        bool free = run->located == LOCATED_DIRECT || code->located == HBG_NONE;
        return free ? hbg_remainder(a, b) : a - b * whole;
    }
    case HBG_OP_TABLE: return table_value(&tables[code->argument[1]], (int32_t)branch, a);
    case TERM_SLOPE: return table_slope(&tables[code->argument[1]], (int32_t)branch);
    default: return branch; // relations, sign, floor
    }
}

/* An operator with branches: as it is, or on the branch that was frozen. */
static double evaluate_located(hbg_rt_instance *run, const instruction *code) {
    double a = run->r[code->argument[0]];
    bool table = code->op == HBG_OP_TABLE || code->op == TERM_SLOPE;
    double b = !table && code->argument[1] != HBG_NONE ? run->r[code->argument[1]] : 0;
    int32_t number = code->located;
    bool loose = number != HBG_NONE && run->loose[number] != HBG_RT_FROZEN;
    bool at_zero = loose && code->op == HBG_OP_SIGN && run->loose[number] == HBG_RT_AT_ZERO;
    if (at_zero && !(run->located == LOCATED_RECORD && run->crossed[number])) {
        run->root[number] = a;
        return 0;
    }
    bool frozen = number != HBG_NONE && run->located == LOCATED_FROZEN && !loose;
    bool recorded = number != HBG_NONE && run->located == LOCATED_RECORD;
    if (recorded) record_branch(run, code, a, b);
    located now = branch_of(run, code, a, b, frozen || recorded);
    if (number != HBG_NONE) run->root[number] = run->loose[number] == HBG_RT_AS_IT_IS ? 0 : now.root;
    return value_on(run, code, now.branch, a, b);
}

bool hbg_eqn_is_on_branches(hbg_rt_instance *run, const program *code) {
    for (int32_t i = 0; i < code->count; i++) {
        const instruction *at = &code->code[i];
        if (at->located == HBG_NONE || run->loose[at->located]) continue;
        bool table = at->op == HBG_OP_TABLE || at->op == TERM_SLOPE;
        double a = run->r[at->argument[0]];
        double b = !table && at->argument[1] != HBG_NONE ? run->r[at->argument[1]] : 0;
        located own = branch_of(run, at, a, b, false);
        if (own.root != 0 && own.branch != run->branch[at->located]) return false; // a border belongs to both
    }
    return true;
}

/* ---- the loop ----------------------------------------------------------------------------------------- */

hbg_rt_status hbg_eqn_execute(hbg_rt_instance *run, const instruction *code, int32_t count) {
    double *r = run->r;
    for (const instruction *at = code, *end = code + count; at < end; at++) {
        const int32_t *arg = at->argument;
        switch (at->op) {
        case HBG_OP_ADD: r[at->d] = r[arg[0]] + r[arg[1]]; break;
        case HBG_OP_SUBTRACT: r[at->d] = r[arg[0]] - r[arg[1]]; break;
        case HBG_OP_MULTIPLY: r[at->d] = r[arg[0]] * r[arg[1]]; break;
        case HBG_OP_DIVIDE: r[at->d] = r[arg[0]] / r[arg[1]]; break;
        case HBG_OP_NEGATE: r[at->d] = -r[arg[0]]; break;
        case HBG_OP_SELECT: r[at->d] = r[arg[0]] != 0 ? r[arg[1]] : r[arg[2]]; break;
        case HBG_OP_PI: r[at->d] = 3.14159265358979323846; break;
        case TERM_CHARGE: r[at->d] = hbg_eqn_charge(run, arg[1], r[arg[0]]); break;
        case CODE_COPY: r[at->d] = r[arg[0]]; break;
        case CODE_DEFAULT:
            if (!run->overridden[arg[2]]) r[at->d] = r[arg[0]];
            break;
        case CODE_SOLVE: {
            hbg_rt_status status = hbg_eqn_solve(run, arg[0]);
            if (status != HBG_RT_OK) return status;
            break;
        }
        case HBG_OP_LESS:
        case HBG_OP_LESS_EQUAL:
        case HBG_OP_GREATER:
        case HBG_OP_GREATER_EQUAL:
        case HBG_OP_ABS:
        case HBG_OP_MIN:
        case HBG_OP_MAX:
        case HBG_OP_SIGN:
        case HBG_OP_FLOOR:
        case HBG_OP_CEIL:
        case HBG_OP_REMAINDER:
        case HBG_OP_TABLE:
        case TERM_SLOPE: r[at->d] = evaluate_located(run, at); break;
        default:
            r[at->d] = hbg_operator_evaluate((hbg_operator)at->op, r[arg[0]], arg[1] < 0 ? 0 : r[arg[1]],
                                             arg[2] < 0 ? 0 : r[arg[2]]);
        }
    }
    return HBG_RT_OK;
}

static int execute_one(hbg_rt_instance *run, const instruction *code, int32_t index) {
    return hbg_eqn_execute(run, code + index, 1);
}

hbg_rt_status hbg_eqn_run_program(hbg_rt_instance *run, const program *code) {
    static const native_host host = {execute_one};
    if (!code->native) return hbg_eqn_execute(run, code->code, code->count);
    return (hbg_rt_status)code->native(run->r, run, &host, code->code);
}
