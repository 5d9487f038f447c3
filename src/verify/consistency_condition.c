/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas as programs on plain numbers: one step for every part, arguments first. They outlive the prover's context. */
#include <math.h>

#include "verify/region_impl.h"

typedef enum {
    STEP_NUMBER,
    STEP_STATE, /* index: of the system */
    STEP_SIGNAL,
    STEP_SIGNAL_BEFORE,
    STEP_PARAM,
    STEP_TIME,
    STEP_TICK,   /* index: automaton */
    STEP_WAITED, /* index: transition */
    STEP_ADD,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_POWER,
    STEP_FUNCTION, /* index: operator of the model */
    STEP_CHOOSE,
    STEP_AND,
    STEP_OR,
    STEP_NOT,
    STEP_LESS,
    STEP_LESS_EQUAL,
    STEP_EQUAL
} step_kind;

typedef struct {
    step_kind kind;
    int32_t index;
    double number;
    int32_t first, count; /* in `arguments`: earlier steps */
} condition_step;

struct hbg_condition {
    HBG_VEC(condition_step) steps;
    HBG_VEC(int32_t) arguments;
    double *values; /* by step */
    double *sizes;  /* by step: the largest contribution to its value */
};

typedef struct {
    group_proof *proof;
    hbg_condition *made;
    hbg_pair_map place; /* Z3's number -> step */
} condition_writer;

static int32_t write_formula(condition_writer *w, formula a);

static int32_t add_step(condition_writer *w, condition_step step) {
    HBG_PUSH(w->proof->arena, w->made->steps, step);
    return w->made->steps.count - 1;
}

static int32_t add_number(condition_writer *w, double number) {
    return add_step(w, (condition_step){.kind = STEP_NUMBER, .number = number});
}

static int32_t add_operator(condition_writer *w, step_kind kind, int32_t index, const int32_t *arguments,
                            int32_t count) {
    condition_step step = {.kind = kind, .index = index, .first = w->made->arguments.count, .count = count};
    for (int32_t i = 0; i < count; i++) HBG_PUSH(w->proof->arena, w->made->arguments, arguments[i]);
    return add_step(w, step);
}

/* ---- symbols ------------------------------------------------------------------------------------------------ */

static bool is_symbol(const exact_value *of, int32_t signal, formula a) {
    return of[signal].fin == a;
}

static int32_t write_function(condition_writer *w, const exact_symbol *symbol) {
    int32_t arguments[2], count = 0;
    if (symbol->op == HBG_OP_PI) return add_number(w, 3.14159265358979323846);
    if (symbol->op >= HBG_OP_TABLE) return add_number(w, NAN);
    if (symbol->argument) arguments[count++] = write_formula(w, symbol->argument);
    if (symbol->second) arguments[count++] = write_formula(w, symbol->second);
    return add_operator(w, STEP_FUNCTION, symbol->op, arguments, count);
}

/* What stood in laws before is 0, as where a run begins. */
static int32_t write_symbol(condition_writer *w, formula a) {
    group_proof *proof = w->proof;
    const formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        if (proof->x[i] == a) return add_step(w, (condition_step){.kind = STEP_STATE, .index = i});
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int before = 0; before < 2; before++) {
            if (is_symbol(proof->input[before], i, a) || is_symbol(proof->held[before], i, a))
                return add_step(
                    w, (condition_step){.kind = before ? STEP_SIGNAL_BEFORE : STEP_SIGNAL, .index = i});
            if (is_symbol(proof->given[before], i, a)) return add_number(w, 1);
        }
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (proof->param_open[i] && proof->param[i].fin == a)
            return add_step(w, (condition_step){.kind = STEP_PARAM, .index = i});
    if (proof->time == a) return add_step(w, (condition_step){.kind = STEP_TIME});
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].symbol == a) return write_function(w, &f->symbols.items[i]);
    for (int32_t i = 0; i < proof->model->automata.count; i++)
        if (proof->tick[i] == a) return add_step(w, (condition_step){.kind = STEP_TICK, .index = i});
    for (int32_t i = 0; i < proof->model->transitions.count; i++)
        if (proof->waited[i] == a) return add_step(w, (condition_step){.kind = STEP_WAITED, .index = i});
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (proof->law_pre[proof->of.pres[i]] == a) return add_number(w, 0);
    return add_number(w, NAN); // an unknown of a loop
}

/* ---- operators ---------------------------------------------------------------------------------------------- */

static int32_t write_application(condition_writer *w, formula a) {
    formulas *f = &w->proof->f;
    Z3_app app = Z3_to_app(f->z3, a);
    int32_t count = (int32_t)Z3_get_app_num_args(f->z3, app);
    Z3_decl_kind kind = Z3_get_decl_kind(f->z3, Z3_get_app_decl(f->z3, app));
    if (kind == Z3_OP_TRUE || kind == Z3_OP_FALSE) return add_number(w, kind == Z3_OP_TRUE);
    if (count == 0) return write_symbol(w, a);
    int32_t *arguments = HBG_NEW_ARRAY(w->proof->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++)
        arguments[i] = write_formula(w, Z3_get_app_arg(f->z3, app, (unsigned)i));
    int32_t turned[] = {count > 1 ? arguments[1] : 0, arguments[0]};
    int32_t minus[] = {arguments[0], 0};
    switch (kind) {
    case Z3_OP_ADD: return add_operator(w, STEP_ADD, 0, arguments, count);
    case Z3_OP_MUL: return add_operator(w, STEP_MULTIPLY, 0, arguments, count);
    case Z3_OP_DIV: return add_operator(w, STEP_DIVIDE, 0, arguments, count);
    case Z3_OP_POWER: return add_operator(w, STEP_POWER, 0, arguments, count);
    case Z3_OP_UMINUS: minus[1] = add_number(w, -1); return add_operator(w, STEP_MULTIPLY, 0, minus, 2);
    case Z3_OP_ITE: return add_operator(w, STEP_CHOOSE, 0, arguments, count);
    case Z3_OP_AND: return add_operator(w, STEP_AND, 0, arguments, count);
    case Z3_OP_OR: return add_operator(w, STEP_OR, 0, arguments, count);
    case Z3_OP_NOT: return add_operator(w, STEP_NOT, 0, arguments, count);
    case Z3_OP_EQ: return add_operator(w, STEP_EQUAL, 0, arguments, count);
    case Z3_OP_LT: return add_operator(w, STEP_LESS, 0, arguments, count);
    case Z3_OP_LE: return add_operator(w, STEP_LESS_EQUAL, 0, arguments, count);
    case Z3_OP_GT: return add_operator(w, STEP_LESS, 0, turned, count);
    case Z3_OP_GE: return add_operator(w, STEP_LESS_EQUAL, 0, turned, count);
    default: return add_number(w, NAN);
    }
}

static int32_t write_formula(condition_writer *w, formula a) {
    formulas *f = &w->proof->f;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_pair_map_find(&w->place, id, 0);
    if (found >= 0) return found;
    double number = hbg_formula_to_double(f, a);
    int32_t step = isnan(number) ? write_application(w, a) : add_number(w, number);
    hbg_pair_map_add(&w->place, id, 0, step);
    return step;
}

const hbg_condition *hbg_condition_make(group_proof *proof, formula a) {
    condition_writer writer = {.proof = proof, .made = HBG_NEW(proof->arena, hbg_condition)};
    hbg_pair_map_init(&writer.place, proof->arena);
    write_formula(&writer, a);
    writer.made->values = HBG_NEW_ARRAY(proof->arena, double, writer.made->steps.count + 1);
    writer.made->sizes = HBG_NEW_ARRAY(proof->arena, double, writer.made->steps.count + 1);
    return writer.made;
}

/* ---- looking at numbers ------------------------------------------------------------------------------------- */

/* Nearer than this share of what they are made of two numbers are equal: what remains is rounding. */
static const double rounding = 1e-12;

static double at(const double *values, int32_t index) {
    return values ? values[index] : 0;
}

static double run_symbol(const condition_step *step, const hbg_point *point) {
    switch (step->kind) {
    case STEP_STATE: return point->states[step->index];
    case STEP_SIGNAL: return at(point->signals, step->index);
    case STEP_SIGNAL_BEFORE:
        return at(point->signals_before ? point->signals_before : point->signals, step->index);
    case STEP_PARAM: return at(point->params, step->index);
    case STEP_TIME: return point->time;
    case STEP_TICK: return point->ticks ? point->ticks[step->index] : 1;
    case STEP_WAITED: return point->waited ? point->waited[step->index] : 0;
    default: return step->number;
    }
}

/* The difference of two steps, 0 where only rounding makes one. */
static double difference(const hbg_condition *c, const int32_t *arguments) {
    double found = c->values[arguments[0]] - c->values[arguments[1]];
    double size = fmax(c->sizes[arguments[0]], c->sizes[arguments[1]]);
    return fabs(found) <= rounding * size ? 0 : found;
}

static double run_step(const hbg_condition *c, const condition_step *step, const hbg_point *point) {
    const int32_t *arguments = c->arguments.items + step->first;
    const double *v = c->values;
    double result = step->kind == STEP_MULTIPLY || step->kind == STEP_AND ? 1 : 0;
    if (step->count == 0) return run_symbol(step, point);
    switch (step->kind) {
    case STEP_DIVIDE: return v[arguments[0]] / v[arguments[1]];
    case STEP_POWER: return pow(v[arguments[0]], v[arguments[1]]);
    case STEP_FUNCTION:
        return hbg_operator_evaluate((hbg_operator)step->index, v[arguments[0]],
                                     step->count > 1 ? v[arguments[1]] : 0, 0);
    case STEP_CHOOSE: return v[arguments[0]] != 0 ? v[arguments[1]] : v[arguments[2]];
    case STEP_NOT: return v[arguments[0]] == 0;
    case STEP_LESS: return difference(c, arguments) < 0;
    case STEP_LESS_EQUAL: return difference(c, arguments) <= 0;
    case STEP_EQUAL: return difference(c, arguments) == 0;
    default: break;
    }
    for (int32_t i = 0; i < step->count; i++) {
        double value = v[arguments[i]];
        if (step->kind == STEP_ADD) result += value;
        if (step->kind == STEP_MULTIPLY) result *= value;
        if (step->kind == STEP_AND) result = result != 0 && value != 0;
        if (step->kind == STEP_OR) result = result != 0 || value != 0;
    }
    return result;
}

/* How large the largest part of a value is. */
static double size_of(const hbg_condition *c, const condition_step *step, double value) {
    const int32_t *arguments = c->arguments.items + step->first;
    double size = step->kind == STEP_MULTIPLY ? 1 : fabs(value);
    if (step->kind == STEP_CHOOSE) return c->sizes[arguments[c->values[arguments[0]] != 0 ? 1 : 2]];
    if (step->kind == STEP_DIVIDE) return c->sizes[arguments[0]] / fabs(c->values[arguments[1]]);
    for (int32_t i = 0; i < step->count; i++) {
        if (step->kind == STEP_ADD) size = fmax(size, c->sizes[arguments[i]]);
        if (step->kind == STEP_MULTIPLY) size *= c->sizes[arguments[i]];
    }
    return size;
}

double hbg_condition_value(const hbg_condition *condition, const hbg_point *point) {
    for (int32_t i = 0; i < condition->steps.count; i++) {
        condition->values[i] = run_step(condition, &condition->steps.items[i], point);
        condition->sizes[i] = size_of(condition, &condition->steps.items[i], condition->values[i]);
    }
    return condition->values[condition->steps.count - 1];
}

bool hbg_condition_holds(const hbg_condition *condition, const hbg_point *point) {
    double value = hbg_condition_value(condition, point);
    return value != 0 && !isnan(value);
}

double hbg_condition_margin(const hbg_condition *condition, const hbg_point *point) {
    double margin = INFINITY;
    hbg_condition_value(condition, point);
    for (int32_t i = 0; i < condition->steps.count; i++) {
        const condition_step *step = &condition->steps.items[i];
        if (step->kind != STEP_LESS && step->kind != STEP_LESS_EQUAL && step->kind != STEP_EQUAL) continue;
        const int32_t *sides = condition->arguments.items + step->first;
        double size = fmax(condition->sizes[sides[0]], condition->sizes[sides[1]]);
        double apart = difference(condition, sides);
        if (apart != 0) margin = fmin(margin, fabs(apart) / size);
    }
    return margin;
}

bool hbg_condition_reads(const hbg_condition *condition, int32_t state) {
    for (int32_t i = 0; i < condition->steps.count; i++)
        if (condition->steps.items[i].kind == STEP_STATE && condition->steps.items[i].index == state)
            return true;
    return false;
}
