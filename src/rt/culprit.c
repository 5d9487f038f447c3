/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where a value that is not finite comes from. From the register that holds it a trail leads back through
 * arguments that are not finite either, to the operator that made the first of them out of finite numbers.
 * The branch that a `?:` did not choose is not on the trail: it may have any value. Registers are written
 * once in a program, so one pass from its end is enough. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

enum { WAY = 64 }; /* registers remembered on the way back, the last ones */

typedef struct {
    hbg_rt_instance *run;
    const hbg_rt_instruction *made; /* the instruction that wrote the register, once found */
    const hbg_rt_instruction *last; /* the instruction that led there, copies skipped */
    int32_t read;                   /* the argument to blame */
    int32_t reg;
    int32_t way[WAY];
    int32_t length;
} trail;

static void go_to(trail *at, int32_t reg) {
    at->reg = reg;
    at->way[at->length++ % WAY] = reg;
}

/* Registers among the arguments; a table and a law of charge have numbers in place of one. */
static int argument_count(const hbg_rt_instruction *code) {
    bool one = code->op == HBG_OP_TABLE || code->op == HBG_RT_OP_SLOPE || code->op == HBG_RT_OP_CHARGE ||
               code->op == HBG_RT_OP_DEFAULT;
    if (one) return 1;
    int count = 0;
    while (count < 3 && code->argument[count] >= 0) count++;
    return count;
}

/* An argument to blame, or HBG_RT_NONE. */
static int32_t guilty_argument(const trail *at, const hbg_rt_instruction *code) {
    const double *r = at->run->r;
    if (code->op == HBG_OP_SELECT) return code->argument[r[code->argument[0]] != 0 ? 1 : 2];
    for (int i = 0; i < argument_count(code); i++)
        if (!isfinite(r[code->argument[i]])) return code->argument[i];
    return HBG_RT_NONE;
}

/* If the instruction wrote the register: goes on to the argument to blame, or ends here. */
static void step_back(trail *at, const hbg_rt_instruction *code) {
    if (at->made || code->d != at->reg) return;
    int32_t argument = guilty_argument(at, code);
    if (argument != HBG_RT_NONE && argument != at->reg) {
        go_to(at, argument);
        if (code->op != HBG_RT_OP_COPY) at->last = code, at->read = argument;
    } else {
        at->made = code;
    }
}

/* Goes back through a program; registers that it did not write keep their earlier values. */
static void follow(trail *at, const hbg_rt_instruction *code, int32_t count) {
    for (int32_t i = count - 1; i >= 0 && !at->made; i--) {
        if (code[i].op != HBG_RT_OP_SOLVE) {
            step_back(at, &code[i]);
            continue;
        }
        hbg_rt_program body =
            hbg_rt_program_at(at->run->image, hbg_rt_loop_at(at->run->image, code[i].argument[0]).body);
        for (int32_t k = body.count - 1; k >= 0; k--) step_back(at, &body.code[k]);
    }
}

static void follow_program(trail *at, int32_t program) {
    hbg_rt_program code = hbg_rt_program_at(at->run->image, program);
    follow(at, code.code, code.count);
}

/* Goes back through the values that parameters decide. */
static void follow_prologue(trail *at) {
    for (int32_t i = at->run->mark.prologue - 1; i >= 0 && !at->made; i--)
        follow(at, HBG_RT_AT(at->run->image->pool.prologue, i), 1);
}

/* ---- words -------------------------------------------------------------------------------------------- */

/* The variable nearest to the operator on the trail. */
static bool find_name(const trail *at, char *name, size_t size) {
    int32_t first = at->length > WAY ? at->length - WAY : 0;
    for (int32_t k = at->length - 1; k >= first; k--) {
        hbg_rt_tell(at->run, HBG_RT_WORD_VARIABLE, hbg_rt_name_in(at->run, at->way[k % WAY]), name, size);
        if (name[0]) return true;
    }
    return false;
}

/* The register from which this one was copied for the field. */
static int32_t source_of(const hbg_rt_instance *run, int32_t reg) {
    for (int32_t i = 0; i < run->mark.prologue; i++) {
        const hbg_rt_instruction *code = HBG_RT_AT(run->image->pool.prologue, i);
        if (code->op == HBG_RT_OP_COPY && code->d == reg) return code->argument[0];
    }
    return reg;
}

/* The owner of a divisor: a parameter, or an element with a value. */
static void put_divisor(const trail *at, const char *because, char *text, size_t size) {
    const hbg_rt_instruction *code = at->made;
    char name[80];
    if (!code || code->op != HBG_OP_DIVIDE || at->run->r[code->argument[1]] != 0) return;
    int32_t reg = source_of(at->run, code->argument[1]);
    hbg_rt_tell(at->run, HBG_RT_WORD_VARIABLE, hbg_rt_name_in(at->run, reg), name, sizeof name);
    if (name[0]) {
        snprintf(text, size, "%s `%s` is 0", because, name);
        return;
    }
    hbg_rt_tell(at->run, HBG_RT_WORD_VALUE, reg, name, sizeof name);
    if (name[0]) snprintf(text, size, "%s the value of `%s` is 0", because, name);
}

/* Division by a parameter is multiplication by its inverse, so 1 stands for the dividend. */
static double dividend_of(const trail *at, double given) {
    const double *r = at->run->r;
    const hbg_rt_instruction *code = at->last;
    bool inverse = at->made->op == HBG_OP_DIVIDE && given == 1 && code && code->op == HBG_OP_MULTIPLY;
    if (!inverse) return given;
    double other = r[code->argument[code->argument[0] == at->read ? 1 : 0]];
    return isfinite(other) ? other : given;
}

/* The argument of a function, with its name if it has one: "level = -0.5". */
static void put_argument(const trail *at, double value, char *text, size_t size) {
    char name[80];
    hbg_rt_tell(at->run, HBG_RT_WORD_VARIABLE, hbg_rt_name_in(at->run, at->made->argument[0]), name,
                sizeof name);
    snprintf(text, size, "%s%s%.6g", name, name[0] ? " = " : "", value);
}

/* Appends what the model says of the signal that a function reads. */
static void add_words(const trail *at, char *text, size_t size) {
    char words[161];
    size_t used = strlen(text);
    if (!at->made || argument_count(at->made) != 1) return;
    hbg_rt_tell(at->run, HBG_RT_WORD_DOC, hbg_rt_name_in(at->run, at->made->argument[0]), words,
                sizeof words);
    if (words[0]) snprintf(text + used, size - used, ", \"%s\"", words);
}

/* "5 / 0", "log(level = -0.5)" */
static void put_operation(const trail *at, char *text, size_t size) {
    const hbg_rt_instruction *code = at->made;
    int count = argument_count(code);
    double a = count > 0 ? dividend_of(at, at->run->r[code->argument[0]]) : 0,
           b = count > 1 ? at->run->r[code->argument[1]] : 0;
    const char *op = code->op < HBG_OP_COUNT ? hbg_rt_operator_text((hbg_operator)code->op) : "a law";
    if (code->op == HBG_RT_OP_CHARGE)
        snprintf(text, size, "the integral of its law, from 0 to %.6g", a);
    else if (code->op == HBG_OP_SELECT || count == 0)
        snprintf(text, size, "%.6g", at->run->r[at->reg]);
    else if (count > 1 && !isalpha((unsigned char)op[0]))
        snprintf(text, size, "%.6g %s %.6g", a, op, b);
    else if (count > 1)
        snprintf(text, size, "%s(%.6g, %.6g)", op, a, b);
    else {
        char argument[112];
        put_argument(at, a, argument, sizeof argument);
        snprintf(text, size, "%s(%s)", op, argument);
    }
}

/* Segments of a reading, from the last one back. */
static void follow_segments(trail *at, hbg_rt_reading reading) {
    const hbg_rt_instance *run = at->run;
    for (int32_t s = run->variants.segment_count - 1; s >= 0; s--) {
        const hbg_rt_block *block = HBG_RT_AT(run->image->pool.blocks, s);
        if (block->choice >= 0 && !run->variants.variant[s]) continue;
        follow_program(at,
                       block->choice >= 0 ? run->variants.variant[s]->code[reading] : block->code[reading]);
    }
}

/* A junction whose common variable the register stands for while it is undefined, or HBG_RT_NONE. */
static int32_t undefined_in(const hbg_rt_instance *run, int32_t reg) {
    const hbg_rt_places *places = &run->image->instants.places;
    for (int32_t i = 0; run->image->instants.has_undefined && i < places->count; i++)
        if (places->places[i].undefined == reg) return i;
    return HBG_RT_NONE;
}

static void put_mode(const hbg_rt_instance *run, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (int32_t i = 0; i < run->system->automaton_count && used + 1 < size; i++) {
        const hbg_rt_automaton *of = &run->system->automata[i];
        int part = snprintf(text + used, size - used, "%s%s=%s", i ? "," : "", of->name,
                            of->states[run->mode_states[i]]);
        if (part > 0) used += (size_t)part;
    }
}

hbg_rt_status hbg_rt_fail_undetermined(hbg_rt_instance *run, double t, const char *name, const char *reader) {
    char mode[96];
    run->failure.time = t;
    if (run->doubted >= 0) return hbg_rt_refuse_text(run, run->doubted);
    put_mode(run, mode, sizeof mode);
    snprintf(run->failure.text, sizeof run->failure.text,
             "`%.80s` has no value%s%.80s%s: in mode %s junctions that are off set the same zero more than "
             "once, and nothing determines what each of them contributes; read it in other modes only",
             name, reader ? ", and " : "", reader ? reader : "", reader ? " reads it" : "", mode);
    return run->failure.status = HBG_RT_UNDEFINED;
}

hbg_rt_status hbg_rt_fail_undefined(hbg_rt_instance *run, double t, int32_t place, const char *reader) {
    const hbg_rt_place *junction = &run->image->instants.places.places[place];
    char name[64], mode[96];
    hbg_rt_tell(run, HBG_RT_WORD_VARIABLE, junction->name, name, sizeof name);
    int length = (int)strlen(name) - 2; // without .e or .f
    put_mode(run, mode, sizeof mode);
    bool on = hbg_rt_is_on(run, place);
    snprintf(
        run->failure.text, sizeof run->failure.text,
        "`%s` has no value, and %.80s reads it: in mode %s%s junction `%.*s` is off, and its bonds each have "
        "%s of their own; read it only while the junction is on, or name one of its bonds",
        name, reader, mode, on ? ", with the state that `in` looks at," : "", length, name,
        junction->is_zero ? "an effort" : "a flow");
    run->failure.time = t;
    return run->failure.status = HBG_RT_UNDEFINED;
}

hbg_rt_status hbg_rt_fail_not_finite(hbg_rt_instance *run, double t, int32_t last, int reading, int32_t reg,
                                     const char *what) {
    trail at = {.run = run};
    char name[128] = "", operation[160] = "", cause[256] = "";
    double value = run->r[reg];
    go_to(&at, reg);
    follow_program(&at, last);
    if (reading >= HBG_RT_FIELD) follow_segments(&at, (hbg_rt_reading)reading);
    follow_prologue(&at);
    int32_t place = undefined_in(run, at.reg);
    if (place != HBG_RT_NONE) {
        snprintf(cause, sizeof cause, "`%s`", what);
        return hbg_rt_fail_undefined(run, t, place, cause);
    }
    if (at.reg == run->image->instants.outside.open) return hbg_rt_fail_undetermined(run, t, what, NULL);
    if (at.made) put_operation(&at, operation, sizeof operation);
    bool is_named = find_name(&at, name, sizeof name) && strcmp(name, what) != 0;
    int length = is_named ? snprintf(cause, sizeof cause, " because of `%s`", name) : 0;
    put_divisor(&at, is_named ? ", for" : " because", cause + length, sizeof cause - (size_t)length);
    const char *kind = isnan(value) ? "not a number" : value < 0 ? "minus infinity" : "infinite";
    snprintf(run->failure.text, sizeof run->failure.text, "`%s` is %s%s%s%s", what, kind, cause,
             operation[0] ? ": " : "", operation);
    add_words(&at, run->failure.text, sizeof run->failure.text);
    run->failure.time = t;
    return run->failure.status = HBG_RT_NOT_FINITE;
}

/* The first value read that is not finite. */
hbg_rt_status hbg_rt_check_finite(hbg_rt_instance *run, double t, const hbg_rt_readout *of, int reading,
                                  const hbg_rt_variable *names) {
    const int32_t *reg = hbg_rt_readout_registers(run->image, of);
    double sum = 0;
    for (int32_t i = 0; i < of->reg.count; i++) sum += run->r[reg[i]] - run->r[reg[i]]; // 0 or NaN
    if (sum == 0) return HBG_RT_OK;
    int32_t i = 0;
    while (isfinite(run->r[reg[i]])) i++;
    return hbg_rt_fail_not_finite(run, t, of->code, reading, reg[i], names[i].name);
}

/* ---- other failures ------------------------------------------------------------------------------------ */

hbg_rt_status hbg_rt_note_failure(hbg_rt_instance *run, double t, hbg_rt_status status) {
    run->failure.status = status;
    run->failure.time = t;
    return status;
}

hbg_rt_status hbg_rt_refuse_term(hbg_rt_instance *run) {
    char text[200];
    hbg_rt_tell(run, HBG_RT_WORD_TERM, run->at.refused, text, sizeof text);
    snprintf(run->failure.text, sizeof run->failure.text,
             "`%s` has no meaning at t = %.9g s: it is no linear function of a pulse", text, run->at.t);
    run->failure.time = run->at.t;
    return run->failure.status = HBG_RT_UNDEFINED;
}
