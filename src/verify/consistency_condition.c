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
    STEP_ROOT,     /* index: of the law that is 0 at it */
    STEP_TRIAL,    /* in a law: where it is looked at */
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
    HBG_VEC(hbg_condition *) laws; /* of unknowns */
    double trial;                  /* of a law */
    double *values;                /* by step */
    double *sizes;                 /* by step: the largest contribution to its value */
};

typedef struct {
    group_proof *proof;
    hbg_condition *made;
    formula trial;      /* of a law: its unknown; else NULL */
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

static hbg_condition *make(group_proof *proof, formula a, formula trial);

/* An unknown of a loop: the point where its law is 0, found with plain numbers; without a law nothing is
 * known of it. */
static int32_t write_unknown(condition_writer *w, formula a) {
    const exact_unknown *unknown = hbg_verify_unknowns_find(w->proof, a);
    if (a == w->trial) return add_step(w, (condition_step){.kind = STEP_TRIAL});
    if (!unknown || !unknown->law) return add_number(w, NAN);
    HBG_PUSH(w->proof->arena, w->made->laws, make(w->proof, unknown->law, a));
    return add_step(w, (condition_step){.kind = STEP_ROOT, .index = w->made->laws.count - 1});
}

/* Values recorded in laws before are 0, as where a run begins. */
static int32_t write_symbol(condition_writer *w, formula a) {
    group_proof *proof = w->proof;
    const formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        if (proof->x[i] == a) return add_step(w, (condition_step){.kind = STEP_STATE, .index = i});
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int before = 0; before < 2; before++) {
            if (is_symbol(proof->signals.input[before], i, a) || is_symbol(proof->signals.held[before], i, a))
                return add_step(
                    w, (condition_step){.kind = before ? STEP_SIGNAL_BEFORE : STEP_SIGNAL, .index = i});
            if (is_symbol(proof->signals.given[before], i, a)) return add_number(w, 1);
        }
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (proof->params.open[i] && proof->params.value[i].fin == a)
            return add_step(w, (condition_step){.kind = STEP_PARAM, .index = i});
    if (proof->time == a) return add_step(w, (condition_step){.kind = STEP_TIME});
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].symbol == a) return write_function(w, &f->symbols.items[i]);
    for (int32_t i = 0; i < proof->model->automata.count; i++)
        if (proof->timing.tick[i] == a) return add_step(w, (condition_step){.kind = STEP_TICK, .index = i});
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) // of samples alone: as where a run begins
        if (proof->timing.clocks.items[i].ticks == a) return add_number(w, 1);
    for (int32_t i = 0; i < proof->model->transitions.count; i++)
        if (proof->timing.waited[i] == a)
            return add_step(w, (condition_step){.kind = STEP_WAITED, .index = i});
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (proof->law_pre[proof->of.pres[i]] == a) return add_number(w, 0);
    return write_unknown(w, a);
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
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&w->place, id, 0);
    if (found >= 0) return found;
    double number = hbg_verify_formula_to_double(f, a);
    int32_t step = isnan(number) ? write_application(w, a) : add_number(w, number);
    hbg_base_pair_map_add(&w->place, id, 0, step);
    return step;
}

static hbg_condition *make(group_proof *proof, formula a, formula trial) {
    condition_writer writer = {.proof = proof, .made = HBG_NEW(proof->arena, hbg_condition), .trial = trial};
    hbg_base_pair_map_init(&writer.place, proof->arena);
    write_formula(&writer, a);
    writer.made->values = HBG_NEW_ARRAY(proof->arena, double, writer.made->steps.count + 1);
    writer.made->sizes = HBG_NEW_ARRAY(proof->arena, double, writer.made->steps.count + 1);
    return writer.made;
}

const hbg_condition *hbg_verify_condition_make(group_proof *proof, formula a) {
    return make(proof, hbg_verify_unknowns_eliminate(proof, hbg_verify_choices_default(proof, a)), NULL);
}

/* ---- looking at numbers ------------------------------------------------------------------------------------- */

/* Two numbers closer than this share of their contributions are equal: what remains is rounding. */
static const double rounding = 1e-12;

static double at(const double *values, int32_t index) {
    return values ? values[index] : 0;
}

/* The difference of two steps, 0 if only rounding makes it differ from 0. */
static double difference(const hbg_condition *c, const int32_t *arguments) {
    double found = c->values[arguments[0]] - c->values[arguments[1]];
    double size = fmax(c->sizes[arguments[0]], c->sizes[arguments[1]]);
    return fabs(found) <= rounding * size ? 0 : found;
}

/* Truths are 0 and 1, and NaN if unknown: nothing follows from such a part unless the others decide. */
static double compare(step_kind kind, double apart) {
    if (isnan(apart)) return NAN;
    return kind == STEP_LESS ? apart < 0 : kind == STEP_LESS_EQUAL ? apart <= 0 : apart == 0;
}

static double both(double a, double b) {
    if (a == 0 || b == 0) return 0;
    return isnan(a) || isnan(b) ? NAN : 1;
}

static double negation(double a) {
    return isnan(a) ? NAN : a == 0;
}

static double law_at(hbg_condition *law, const hbg_point *point, double trial) {
    law->trial = trial;
    return hbg_verify_condition_value(law, point);
}

/* A law is strictly monotone: step away from 0 in ever larger steps until the sign changes, then bisect. */
static double find_root(hbg_condition *law, const hbg_point *point) {
    double at_zero = law_at(law, point, 0), low = 0, high = 0;
    if (at_zero == 0 || isnan(at_zero)) return at_zero;
    bool above = law_at(law, point, 1) > at_zero, negative = at_zero < 0; // it rises
    double sign = above == negative ? 1 : -1;
    for (double size = 1e-12; size < 1e18; size *= 8) {
        low = high;
        high = sign * size;
        if ((law_at(law, point, high) < 0) != negative) break;
    }
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if ((law_at(law, point, middle) < 0) == negative)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static double run_symbol(const hbg_condition *c, const condition_step *step, const hbg_point *point) {
    switch (step->kind) {
    case STEP_STATE: return point->states[step->index];
    case STEP_SIGNAL: return at(point->signals, step->index);
    case STEP_SIGNAL_BEFORE:
        return at(point->signals_before ? point->signals_before : point->signals, step->index);
    case STEP_PARAM: return at(point->params, step->index);
    case STEP_TIME: return point->time;
    case STEP_TICK: return point->ticks ? point->ticks[step->index] : 1;
    case STEP_WAITED: return point->waited ? point->waited[step->index] : 0;
    case STEP_ROOT: return find_root(c->laws.items[step->index], point);
    case STEP_TRIAL: return c->trial;
    default: return step->number;
    }
}

static double run_step(const hbg_condition *c, const condition_step *step, const hbg_point *point) {
    const int32_t *arguments = c->arguments.items + step->first;
    const double *v = c->values;
    double result = step->kind == STEP_MULTIPLY || step->kind == STEP_AND ? 1 : 0;
    if (step->count == 0) return run_symbol(c, step, point);
    switch (step->kind) {
    case STEP_DIVIDE: return v[arguments[0]] / v[arguments[1]];
    case STEP_POWER: return pow(v[arguments[0]], v[arguments[1]]);
    case STEP_FUNCTION:
        return hbg_rt_evaluate((hbg_operator)step->index, v[arguments[0]],
                               step->count > 1 ? v[arguments[1]] : 0, 0);
    case STEP_CHOOSE:
        if (isnan(v[arguments[0]])) return v[arguments[1]] == v[arguments[2]] ? v[arguments[1]] : NAN;
        return v[arguments[0]] != 0 ? v[arguments[1]] : v[arguments[2]];
    case STEP_NOT: return negation(v[arguments[0]]);
    case STEP_LESS:
    case STEP_LESS_EQUAL:
    case STEP_EQUAL: return compare(step->kind, difference(c, arguments));
    default: break;
    }
    for (int32_t i = 0; i < step->count; i++) {
        double value = v[arguments[i]];
        if (step->kind == STEP_ADD) result += value;
        if (step->kind == STEP_MULTIPLY) result *= value;
        if (step->kind == STEP_AND) result = both(result, value);
        if (step->kind == STEP_OR) result = negation(both(negation(result), negation(value)));
    }
    return result;
}

/* The magnitude of the largest part of a value. */
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

double hbg_verify_condition_value(const hbg_condition *condition, const hbg_point *point) {
    for (int32_t i = 0; i < condition->steps.count; i++) {
        condition->values[i] = run_step(condition, &condition->steps.items[i], point);
        condition->sizes[i] = size_of(condition, &condition->steps.items[i], condition->values[i]);
    }
    return condition->values[condition->steps.count - 1];
}

bool hbg_verify_condition_holds(const hbg_condition *condition, const hbg_point *point) {
    double value = hbg_verify_condition_value(condition, point);
    return value != 0 && !isnan(value);
}

double hbg_verify_condition_margin(const hbg_condition *condition, const hbg_point *point) {
    double margin = INFINITY;
    hbg_verify_condition_value(condition, point);
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

static bool is_part(const condition_step *step, hbg_point_part part, int32_t index) {
    static const step_kind kinds[] = {[HBG_POINT_STATE] = STEP_STATE,
                                      [HBG_POINT_SIGNAL] = STEP_SIGNAL,
                                      [HBG_POINT_PARAM] = STEP_PARAM,
                                      [HBG_POINT_TIME] = STEP_TIME};
    return step->kind == kinds[part] && step->index == index;
}

bool hbg_verify_condition_turns(const hbg_condition *condition, hbg_point_part part, int32_t index) {
    double *reads = condition->values; // by step; computed anew for every point
    for (int32_t i = 0; i < condition->steps.count; i++) {
        const condition_step *step = &condition->steps.items[i];
        bool below = false;
        for (int32_t k = 0; k < step->count; k++)
            below |= reads[condition->arguments.items[step->first + k]] != 0;
        bool angle = step->kind == STEP_FUNCTION && (step->index == HBG_OP_SIN || step->index == HBG_OP_COS);
        if (angle && below) return true;
        reads[i] = below || is_part(step, part, index);
    }
    for (int32_t i = 0; i < condition->laws.count; i++)
        if (hbg_verify_condition_turns(condition->laws.items[i], part, index)) return true;
    return false;
}

bool hbg_verify_condition_reads(const hbg_condition *condition, hbg_point_part part, int32_t index) {
    for (int32_t i = 0; i < condition->steps.count; i++)
        if (is_part(&condition->steps.items[i], part, index)) return true;
    for (int32_t i = 0; i < condition->laws.count; i++)
        if (hbg_verify_condition_reads(condition->laws.items[i], part, index)) return true;
    return false;
}
