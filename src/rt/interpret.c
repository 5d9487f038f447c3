/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The interpreter of register code. */
#include <math.h>

#include "rt/run_impl.h"

/* ---- branches ----------------------------------------------------------------------------------------- */

const uint8_t hbg_rt_branches[HBG_RT_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = BRANCH_##branch,
    HBG_OPERATOR_LIST(X)
#undef X
        [HBG_RT_OP_SLOPE] = BRANCH_TABLE,
};

/* ---- tables ------------------------------------------------------------------------------------------- */

typedef struct {
    int32_t count;
    const double *x, *y;
    const int32_t *turns;
} table_view;

static table_view table_of(const hbg_rt_image *image, int32_t number) {
    const hbg_rt_table *of = HBG_RT_AT(image->pool.tables, number);
    return (table_view){of->count, HBG_RT_AT(image->pool.numbers, of->x),
                        HBG_RT_AT(image->pool.numbers, of->y), hbg_rt_ints(image, of->turns)};
}

/* The last point at or before `at`: −1 before the first. Points with the same x are a jump: the later one
 * counts. */
static int32_t table_interval(const table_view *table, double at) {
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

static double table_slope(const table_view *table, int32_t interval) {
    if (interval < 0 || interval >= table->count - 1) return 0;
    return (table->y[interval + 1] - table->y[interval]) / (table->x[interval + 1] - table->x[interval]);
}

static double table_value(const table_view *table, int32_t interval, double at) {
    if (interval < 0) return table->y[0];
    return table->y[interval] + table_slope(table, interval) * (at - table->x[interval]);
}

double hbg_rt_table_at(const hbg_rt_instance *run, int op, int32_t number, double at, double across) {
    table_view view = table_of(run->image, number), *table = &view;
    int32_t interval = table_interval(table, at), above = table_interval(table, at + across);
    if (across > 0) interval = above != interval ? above : table_interval(table, at - across);
    return op == HBG_RT_OP_SLOPE ? table_slope(table, interval) : table_value(table, interval, at);
}

double hbg_rt_next_point(const hbg_rt_instance *run, int32_t number, double after) {
    table_view view = table_of(run->image, number), *table = &view;
    int32_t next = table_interval(table, after) + 1;
    return next < table->count ? table->x[next] : INFINITY;
}

/* ---- located relations -------------------------------------------------------------------------------- */

/* The branch an operator is on, and a function whose sign changes where the operator leaves it: the sign
 * alternates from cell to cell. */
typedef struct {
    double branch, root;
} located;

static located cell_of(double at, double low, double high) {
    return (located){0, isinf(low) ? high - at : isinf(high) ? at - low : (at - low) * (high - at)};
}

static located table_branch(const table_view *table, double at, double frozen, bool is_frozen) {
    int32_t interval = is_frozen ? (int32_t)frozen : table_interval(table, at);
    double low = interval < 0 ? -INFINITY : table->x[interval];
    double high = interval >= table->count - 1 ? INFINITY : table->x[interval + 1];
    located found = cell_of(at, low, high);
    if (isinf(low) && isinf(high)) found.root = 1;
    found.branch = interval;
    if (table->turns[interval + 1]) found.root = -found.root;
    return found;
}

/* Of a whole number; of what is none as fmod has it. */
static bool is_odd(double whole) {
    const double exact = 0x1p53;
    return fabs(whole) < exact ? (int64_t)whole & 1 : fmod(whole, 2) != 0;
}

/* floor, ceil and whole multiples: cells of length 1. */
static located cell_branch(double at, double own, double frozen, bool is_frozen) {
    double whole = is_frozen ? frozen : own;
    located found = cell_of(at, whole, whole + 1);
    found.branch = whole;
    if (is_odd(whole)) found.root = -found.root;
    return found;
}

static double no_branch(void) {
    assert(false && "an operator with branches");
    return 0;
}

static located branch_of(hbg_rt_instance *run, const hbg_rt_instruction *code, hbg_rt_branch kind, double a,
                         double b, bool frozen) {
    double branch = frozen ? run->branches.branch[code->located] : 0;
    switch (kind) {
    case BRANCH_NONE: break;
    case BRANCH_BELOW:
    case BRANCH_ABOVE:
        return (located){frozen ? branch : hbg_rt_evaluate((hbg_operator)code->op, a, b, 0), a - b};
    case BRANCH_LESSER: return (located){frozen ? branch : a < b, a - b};
    case BRANCH_GREATER: return (located){frozen ? branch : a > b, a - b};
    case BRANCH_ABSOLUTE: return (located){frozen ? branch : a >= 0, a};
    case BRANCH_SIGN: return (located){frozen ? branch : (a > 0) - (a < 0), a};
    case BRANCH_FLOOR: return cell_branch(a, floor(a), branch, frozen);
    case BRANCH_CEIL: return cell_branch(a, ceil(a) - 1, branch, frozen);
    case BRANCH_REMAINDER: { // below 0 a cell ends with its whole number, as truncation requires
        double at = hbg_rt_quotient(a, b);
        return cell_branch(at, at < 0 ? ceil(at) - 1 : floor(at), branch, frozen);
    }
    case BRANCH_TABLE: {
        table_view table = table_of(run->image, code->argument[1]);
        return table_branch(&table, a, branch, frozen);
    }
    }
    return (located){no_branch(), 0};
}

/* The value past a root that was crossed. */
static double beyond(const hbg_rt_instance *run, const hbg_rt_instruction *code, double a, double b,
                     double old) {
    hbg_rt_branch kind = hbg_rt_branch_of(code->op);
    double at = kind == BRANCH_REMAINDER ? a / b : a;
    switch (kind) {
    case BRANCH_NONE: break;
    case BRANCH_BELOW:
    case BRANCH_ABOVE:
    case BRANCH_LESSER:
    case BRANCH_GREATER:
    case BRANCH_ABSOLUTE: return old == 0;
    case BRANCH_SIGN: return old != 0 ? -old : (a > 0) - (a < 0);
    case BRANCH_FLOOR:
    case BRANCH_CEIL:
    case BRANCH_REMAINDER: return at - old > 0.5 ? old + 1 : old - 1;
    case BRANCH_TABLE: {
        table_view view = table_of(run->image, code->argument[1]), *table = &view;
        double low = old < 0 ? -INFINITY : table->x[(int32_t)old];
        double high = old >= table->count - 1 ? INFINITY : table->x[(int32_t)old + 1];
        int step = high - at > at - low ? -1 : 1;
        do // past the whole jump
            old += step;
        while (old >= 0 && old < table->count - 1 && table->x[(int32_t)old + 1] == table->x[(int32_t)old]);
        return old;
    }
    }
    return no_branch();
}

/* The branch at equality, where rounding may have moved the value to either side. */
static double branch_at_equality(const hbg_rt_instance *run, const hbg_rt_instruction *code, double a,
                                 double b, double old) {
    hbg_rt_branch kind = hbg_rt_branch_of(code->op);
    double whole = nearbyint(kind == BRANCH_REMAINDER ? hbg_rt_quotient(a, b) : a);
    switch (kind) {
    case BRANCH_NONE: break;
    case BRANCH_BELOW:
    case BRANCH_ABOVE: return hbg_rt_evaluate((hbg_operator)code->op, 0, 0, 0);
    case BRANCH_LESSER:
    case BRANCH_GREATER:
    case BRANCH_SIGN: return 0;
    case BRANCH_ABSOLUTE: return 1;
    case BRANCH_FLOOR: return whole;
    case BRANCH_CEIL: return whole - 1;
    case BRANCH_REMAINDER: return whole < 0 ? whole - 1 : whole;
    case BRANCH_TABLE: {
        table_view view = table_of(run->image, code->argument[1]), *table = &view;
        double low = old < 0 ? -INFINITY : table->x[(int32_t)old];
        double high = old >= table->count - 1 ? INFINITY : table->x[(int32_t)old + 1];
        return table_interval(table, high - a > a - low ? low : high);
    }
    }
    return no_branch();
}

/* The sign of the root on a branch, 0 on one that is a point. */
static int8_t side_of(const hbg_rt_instance *run, const hbg_rt_instruction *code, double branch) {
    switch (hbg_rt_branch_of(code->op)) {
    case BRANCH_NONE: break;
    case BRANCH_BELOW:
    case BRANCH_LESSER: return branch != 0 ? -1 : 1;
    case BRANCH_ABOVE:
    case BRANCH_GREATER:
    case BRANCH_ABSOLUTE: return branch != 0 ? 1 : -1;
    case BRANCH_SIGN: return (int8_t)branch;
    case BRANCH_FLOOR:
    case BRANCH_CEIL:
    case BRANCH_REMAINDER: return is_odd(branch) ? -1 : 1;
    case BRANCH_TABLE: return table_of(run->image, code->argument[1]).turns[(int32_t)branch + 1] ? -1 : 1;
    }
    return (int8_t)no_branch();
}

/* The branch that a recording takes: the one kept, or the other one for a relation that is listed; only once
 * in a recording, even if a loop evaluates it again. */
static void record_branch(hbg_rt_instance *run, const hbg_rt_instruction *code, double a, double b) {
    double *branch = &run->branches.branch[code->located];
    uint8_t *crossed = &run->branches.crossed[code->located];
    if (*crossed == LISTED_BEYOND) *branch = beyond(run, code, a, b, *branch);
    if (*crossed == LISTED_ANEW || (*crossed == LISTED_NOT && !run->branches.keeps_branches))
        *branch = branch_of(run, code, hbg_rt_branch_of(code->op), a, b, false).branch;
    if (*crossed == LISTED_EQUAL) *branch = branch_at_equality(run, code, a, b, *branch);
    (void)hbg_rt_law_branch(run, code, branch); // where time decides, values do not count
    if (*crossed != LISTED_NOT) *crossed = LISTED_DONE;
    run->branches.side[code->located] = side_of(run, code, *branch);
}

static double value_on(const hbg_rt_instance *run, const hbg_rt_instruction *code, hbg_rt_branch kind,
                       double branch, double a, double b, bool free) {
    switch (kind) {
    case BRANCH_NONE: break;
    case BRANCH_BELOW:
    case BRANCH_ABOVE:
    case BRANCH_SIGN:
    case BRANCH_FLOOR: return branch;
    case BRANCH_LESSER:
    case BRANCH_GREATER: return branch != 0 ? a : b;
    case BRANCH_ABSOLUTE: return branch != 0 ? a : -a;
    case BRANCH_CEIL: return branch + 1;
    case BRANCH_REMAINDER: { // truncated towards 0
        double whole = branch < 0 ? branch + 1 : branch;
        return free ? hbg_rt_remainder(a, b) : a - b * whole;
    }
    case BRANCH_TABLE: {
        table_view table = table_of(run->image, code->argument[1]);
        return code->op == HBG_RT_OP_SLOPE ? table_slope(&table, (int32_t)branch)
                                           : table_value(&table, (int32_t)branch, a);
    }
    }
    return no_branch();
}

/* The relation of an operator with branches, if this run locates it. */
static int32_t located_here(const hbg_rt_instance *run, const hbg_rt_instruction *code) {
    int32_t number = code->located;
    bool here = number != HBG_RT_NONE &&
                (number < run->image->code.located_params || hbg_rt_located_in(run, number) != 0);
    return here ? number : HBG_RT_NONE;
}

/* An operator with branches: on the branch of its value, or on the frozen one. */
static double evaluate_located(hbg_rt_instance *run, const hbg_rt_instruction *code, hbg_rt_branch kind) {
    double a = run->r[code->argument[0]];
    double b = kind != BRANCH_TABLE && code->argument[1] != HBG_RT_NONE ? run->r[code->argument[1]] : 0;
    int32_t number = located_here(run, code);
    bool free = run->located == LOCATED_DIRECT || number == HBG_RT_NONE;
    bool loose = number != HBG_RT_NONE && run->branches.loose[number] != HBG_RT_FROZEN;
    bool at_zero = loose && kind == BRANCH_SIGN && run->branches.loose[number] == HBG_RT_AT_ZERO;
    if (at_zero && !(run->located == LOCATED_RECORD && run->branches.crossed[number])) {
        run->branches.root[number] = a;
        return 0;
    }
    bool frozen = number != HBG_RT_NONE && run->located == LOCATED_FROZEN && !loose;
    bool recorded = number != HBG_RT_NONE && run->located == LOCATED_RECORD;
    if (recorded) record_branch(run, code, a, b);
    double planned; // at an instant that time alone causes, rounding does not decide
    if (!frozen && !recorded && hbg_rt_is_at_plan(run) && hbg_rt_law_branch(run, code, &planned))
        return value_on(run, code, kind, planned, a, b, free);
    located now = branch_of(run, code, kind, a, b, frozen || recorded);
    if (number != HBG_RT_NONE)
        run->branches.root[number] = run->branches.loose[number] == HBG_RT_AS_IT_IS ? 0 : now.root;
    return value_on(run, code, kind, now.branch, a, b, free);
}

bool hbg_rt_is_on_branches(hbg_rt_instance *run, int32_t program) {
    hbg_rt_program code = hbg_rt_program_at(run->image, program);
    for (int32_t i = 0; i < code.count; i++) {
        const hbg_rt_instruction *at = &code.code[i];
        if (located_here(run, at) == HBG_RT_NONE || run->branches.loose[at->located]) continue;
        if (hbg_rt_law_is_planned(run, at->located)) continue;
        hbg_rt_branch kind = hbg_rt_branch_of(at->op);
        double a = run->r[at->argument[0]];
        double b = kind != BRANCH_TABLE && at->argument[1] != HBG_RT_NONE ? run->r[at->argument[1]] : 0;
        located own = branch_of(run, at, kind, a, b, false);
        if (own.root != 0 && own.branch != run->branches.branch[at->located])
            return false; // a border belongs to both cells
    }
    return true;
}

/* ---- the loop ----------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_execute(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count) {
    if (count == 0) return HBG_RT_OK; // there is no such program
    double *r = run->r;
    for (const hbg_rt_instruction *at = code, *end = code + count; at < end; at++) {
        const int32_t *arg = at->argument;
        switch (at->op) {
        case HBG_OP_ADD: r[at->d] = r[arg[0]] + r[arg[1]]; break;
        case HBG_OP_SUBTRACT: r[at->d] = r[arg[0]] - r[arg[1]]; break;
        case HBG_OP_MULTIPLY: r[at->d] = r[arg[0]] * r[arg[1]]; break;
        case HBG_OP_DIVIDE: r[at->d] = r[arg[0]] / r[arg[1]]; break;
        case HBG_OP_NEGATE: r[at->d] = -r[arg[0]]; break;
        case HBG_OP_SELECT: r[at->d] = r[arg[0]] != 0 ? r[arg[1]] : r[arg[2]]; break;
        case HBG_OP_PI: r[at->d] = 3.14159265358979323846; break;
        case HBG_RT_OP_CHARGE: r[at->d] = hbg_rt_charge_up(run, arg[1], r[arg[0]]); break;
        case HBG_RT_OP_COPY: r[at->d] = r[arg[0]]; break;
        case HBG_RT_OP_DEFAULT:
            if (!run->outside.overridden[arg[2]]) r[at->d] = r[arg[0]];
            break;
        case HBG_RT_OP_SOLVE: {
            hbg_rt_status status = hbg_rt_solve_loop(run, arg[0]);
            if (status != HBG_RT_OK) return status;
            break;
        }
        default: {
            hbg_rt_branch kind = hbg_rt_branch_of(at->op);
            r[at->d] = kind != BRANCH_NONE
                           ? evaluate_located(run, at, kind)
                           : hbg_rt_evaluate((hbg_operator)at->op, r[arg[0]], arg[1] < 0 ? 0 : r[arg[1]],
                                             arg[2] < 0 ? 0 : r[arg[2]]);
        }
        }
    }
    return HBG_RT_OK;
}

static int execute_one(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t index) {
    return (int)hbg_rt_execute(run, code + index, 1);
}

hbg_rt_status hbg_rt_run_program(hbg_rt_instance *run, int32_t program) {
    return hbg_rt_run_code(run, program, hbg_rt_program_at(run->image, program));
}

hbg_rt_status hbg_rt_run_code(hbg_rt_instance *run, int32_t program, hbg_rt_program code) {
    static const hbg_rt_native_host host = {execute_one};
    if (code.count == 0) return HBG_RT_OK;
    hbg_rt_native_program native = program < run->native->count ? run->native->code[program] : NULL;
    if (!native) return hbg_rt_execute(run, code.code, code.count);
    return (hbg_rt_status)native(run->r, run, &host, code.code);
}
