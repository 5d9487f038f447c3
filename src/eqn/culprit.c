/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where a value that is not finite comes from. From the register that holds it the way leads back through arguments that are
 * not finite either, to the operator that made the first of them out of finite numbers. What a `?:` did not choose
 * is not on the way: it may be anything. Registers are written once in a program, so one look at it from its end is enough. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

enum { WAY = 64 }; /* registers remembered of the way back, the last ones */

typedef struct {
    hbg_rt_instance *run;
    const instruction *made; /* what wrote the register, as far as it was found */
    int32_t reg;
    int32_t way[WAY];
    int32_t length;
} trail;

static void go_to(trail *at, int32_t reg) {
    at->reg = reg;
    at->way[at->length++ % WAY] = reg;
}

/* Registers among the arguments; a table and a law of charge are numbers in place of one. */
static int argument_count(const instruction *code) {
    bool one = code->op == HBG_OP_TABLE || code->op == TERM_SLOPE || code->op == TERM_CHARGE ||
               code->op == CODE_DEFAULT;
    if (one) return 1;
    int count = 0;
    while (count < 3 && code->argument[count] >= 0) count++;
    return count;
}

/* An argument that is to blame, or HBG_NONE. */
static int32_t guilty_argument(const trail *at, const instruction *code) {
    const double *r = at->run->r;
    if (code->op == HBG_OP_SELECT) return code->argument[r[code->argument[0]] != 0 ? 1 : 2];
    for (int i = 0; i < argument_count(code); i++)
        if (!isfinite(r[code->argument[i]])) return code->argument[i];
    return HBG_NONE;
}

/* Where the instruction wrote the register: to the argument that is to blame, or it is the one. */
static void step_back(trail *at, const instruction *code) {
    if (at->made || code->d != at->reg) return;
    int32_t argument = guilty_argument(at, code);
    if (argument != HBG_NONE && argument != at->reg)
        go_to(at, argument);
    else
        at->made = code;
}

/* Goes back through a program; what it did not write is as it was before. */
static void follow(trail *at, const instruction *code, int32_t count) {
    for (int32_t i = count - 1; i >= 0 && !at->made; i--) {
        if (code[i].op != CODE_SOLVE) {
            step_back(at, &code[i]);
            continue;
        }
        const program *body = &at->run->eqn->loops.items[code[i].argument[0]].body;
        for (int32_t k = body->count - 1; k >= 0; k--) step_back(at, &body->code[k]);
    }
}

/* ---- words -------------------------------------------------------------------------------------------- */

static bool is_param(const hbg_eqn *eqn, int32_t variable, int32_t reg) {
    return hbg_eqn_kind_of(eqn, variable) == VARIABLE_PARAM && eqn->home[variable] == reg;
}

/* The variable nearest to the operator on the way. */
static bool find_name(const trail *at, char *name, size_t size) {
    const compiled_mode *mode = at->run->mode;
    int32_t first = at->length > WAY ? at->length - WAY : 0;
    for (int32_t k = at->length - 1; k >= first && mode && mode->registers; k--)
        for (int32_t v = 0; v < at->run->eqn->base_count; v++)
            if (mode->registers[v] == at->way[k % WAY] || is_param(at->run->eqn, v, at->way[k % WAY])) {
                hbg_eqn_copy_name(at->run, v, name, size);
                return true;
            }
    return false;
}

/* "1 / 0", "log(-0.5)" */
static void put_operation(const trail *at, char *text, size_t size) {
    const instruction *code = at->made;
    int count = argument_count(code);
    double a = count > 0 ? at->run->r[code->argument[0]] : 0,
           b = count > 1 ? at->run->r[code->argument[1]] : 0;
    const char *op = code->op < HBG_OP_COUNT ? hbg_operator_info_get((hbg_operator)code->op)->text : "a law";
    if (code->op == HBG_OP_SELECT || count == 0)
        snprintf(text, size, "%.6g", at->run->r[at->reg]);
    else if (count > 1 && !isalpha((unsigned char)op[0]))
        snprintf(text, size, "%.6g %s %.6g", a, op, b);
    else if (count > 1)
        snprintf(text, size, "%s(%.6g, %.6g)", op, a, b);
    else
        snprintf(text, size, "%s(%.6g)", op, a);
}

/* Code that ran before the readout and whose registers still are as it left them. */
static const program *program_before(const hbg_rt_instance *run, const readout *of) {
    const compiled_mode *mode = run->mode;
    bool behind = mode && (of == &mode->outputs || of == &mode->powers || of == &mode->ticks);
    return behind ? &mode->field.code : NULL;
}

hbg_rt_status hbg_eqn_not_finite(hbg_rt_instance *run, double t, const readout *of, int32_t which,
                                 const char *what) {
    const program *before = program_before(run, of);
    trail at = {.run = run};
    char name[128] = "", operation[96] = "", cause[256] = "";
    double value = run->r[of->reg[which]];
    go_to(&at, of->reg[which]);
    follow(&at, of->code.code, of->code.count);
    if (before) follow(&at, before->code, before->count);
    follow(&at, run->eqn->prologue.items, run->prologue_done);
    if (at.made) put_operation(&at, operation, sizeof operation);
    if (find_name(&at, name, sizeof name) && strcmp(name, what) != 0)
        snprintf(cause, sizeof cause, " because of `%s`", name);
    const char *kind = isnan(value) ? "not a number" : value < 0 ? "minus infinity" : "infinite";
    snprintf(run->failure.text, sizeof run->failure.text, "`%s` is %s%s%s%s", what, kind, cause,
             operation[0] ? ": " : "", operation);
    run->failure.time = t;
    return run->failure.status = HBG_RT_NOT_FINITE;
}

/* The first of the values read that is not finite. */
hbg_rt_status hbg_eqn_check_finite(hbg_rt_instance *run, double t, const readout *of,
                                   const hbg_rt_variable *names) {
    double sum = 0;
    for (int32_t i = 0; i < of->count; i++) sum += run->r[of->reg[i]] - run->r[of->reg[i]]; // 0 or no number
    if (sum == 0) return HBG_RT_OK;
    int32_t i = 0;
    while (isfinite(run->r[of->reg[i]])) i++;
    return hbg_eqn_not_finite(run, t, of, i, names[i].name);
}
