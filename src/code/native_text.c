/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Register code as C text: one function for each program, on the same registers as the interpreter, one
 * statement for each instruction, so that both compute the same bits. Loops, tables and located relations go
 * back to the interpreter, one instruction at a time. The text contains no names of the model, only registers
 * and numbers.
 *
 * The compiler treats functions of libm like any others (-fno-builtin), so that it calls the same ones as the
 * interpreter; those that are exact and a single instruction are requested by name. Our own elementary
 * functions are part of the text (rt.h). */
#include <stdio.h>

#include "code/native_impl.h"

enum { LONGEST_FUNCTION = 128 }; /* instructions: compilers take more than proportional time */

/* ---- one instruction ---------------------------------------------------------------------------------- */

/* The column `c` of the list of operators: a function of libm, one of our own if there is one, or a pattern
 * with the operands as %1$s, %2$s, %3$s. Operators with branches are as in the interpreter when nothing is
 * frozen. */
typedef enum { TEXT_NONE, TEXT_CALL, TEXT_OURS, TEXT_PATTERN } text_kind;

typedef struct {
    text_kind kind;
    const char *text, *lanes;
    int arity;
} operator_text;

#define C_none           TEXT_NONE, NULL /* goes back to the interpreter */
#define C_call(name)     TEXT_CALL, name
#define C_ours(name)     TEXT_OURS, name
#define C_infix(sign)    TEXT_PATTERN, "(%1$s " sign " %2$s)"
#define C_relation(sign) TEXT_PATTERN, "(double)(%1$s " sign " %2$s)"
#define C_lesser         TEXT_PATTERN, "(%1$s < %2$s ? %1$s : %2$s)"
#define C_greater        TEXT_PATTERN, "(%1$s > %2$s ? %1$s : %2$s)"
#define C_absolute       TEXT_PATTERN, "(%1$s >= 0 ? %1$s : -%1$s)"
#define C_sign           TEXT_PATTERN, "(double)((%1$s > 0) - (%1$s < 0))"
#define C_remainder      TEXT_PATTERN, "wrapped_remainder(%1$s, %2$s)"
#define C_ceil           TEXT_PATTERN, "(ceil(%1$s) - 1 + 1)"
#define C_sqrt           TEXT_PATTERN, "__builtin_sqrt(%1$s)"
#define C_select         TEXT_PATTERN, "(%1$s != 0 ? %2$s : %3$s)"
#define C_both           TEXT_PATTERN, "(double)((%1$s != 0) & (%2$s != 0))"
#define C_either         TEXT_PATTERN, "(double)((%1$s != 0) | (%2$s != 0))"
#define C_negation       TEXT_PATTERN, "(double)(%1$s == 0)"
#define C_opposite       TEXT_PATTERN, "-%1$s"
#define C_pi             TEXT_PATTERN, "0x1.921fb54442d18p+1"

/* The same for lanes, in the words of native_lanes.c. */
#define L_none           NULL
#define L_call(name)     NULL
#define L_ours(name)     NULL
#define L_infix(sign)    "(%1$s " sign " %2$s)"
#define L_relation(sign) "ONE(IS(%1$s, " sign ", %2$s))"
#define L_lesser         "LESSER(%1$s, %2$s)"
#define L_greater        "GREATER(%1$s, %2$s)"
#define L_absolute       "PICK(IS(%1$s, >=, K(0)), %1$s, -%1$s)"
#define L_sign           "(ONE(IS(%1$s, >, K(0))) - ONE(IS(%1$s, <, K(0))))"
#define L_remainder      "CALL_TWO(wrapped_remainder, %1$s, %2$s)"
#define L_ceil           "(CALL(ceil, %1$s) - K(1) + K(1))"
#define L_sqrt           "CALL(__builtin_sqrt, %1$s)"
#define L_select         "PICK(IS(%1$s, !=, K(0)), %2$s, %3$s)"
#define L_both           "ONE(IS(%1$s, !=, K(0)) & IS(%2$s, !=, K(0)))"
#define L_either         "ONE(IS(%1$s, !=, K(0)) | IS(%2$s, !=, K(0)))"
#define L_negation       "ONE(IS(%1$s, ==, K(0)))"
#define L_opposite       "-%1$s"
#define L_pi             "K(0x1.921fb54442d18p+1)"

static const operator_text texts[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = {C_##c, L_##c, arity},
    HBG_OPERATOR_LIST(X)
#undef X
};

bool hbg_code_native_is_elementary(int op) {
    return op < HBG_OP_COUNT && texts[op].kind == TEXT_OURS && hbg_rt_has_elementary();
}

const char *hbg_code_native_library_function(int op) {
    if (op >= HBG_OP_COUNT || op == HBG_OP_FLOOR || hbg_code_native_is_elementary(op)) return NULL;
    return texts[op].kind == TEXT_CALL || texts[op].kind == TEXT_OURS ? texts[op].text : NULL;
}

static void print_lanes(int op, bool ours, operand_text of, hbg_buffer *out) {
    const operator_text *as = &texts[op];
    if (op == HBG_OP_DIVIDE ||
        (op == HBG_OP_MULTIPLY && !of.plain)) // checked on machines that keep subnormal numbers
        hbg_base_buffer_print(out, "%s(%s, %s)", op == HBG_OP_MULTIPLY ? "TIMES" : "OVER", of.a, of.b);
    else if (as->kind == TEXT_PATTERN)
        hbg_base_buffer_print(out, as->lanes, of.a, of.b, of.c);
    else if (as->arity == 1)
        hbg_base_buffer_print(out, ours ? "lanes_%s(%s)" : "CALL(%s, %s)", as->text, of.a);
    else
        hbg_base_buffer_print(out, ours ? "lanes_%s(%s, %s)" : "CALL_TWO(%s, %s, %s)", as->text, of.a, of.b);
}

bool hbg_code_native_expression(const instruction *code, operand_text of, hbg_buffer *out) {
    if (code->op == CODE_COPY) hbg_base_buffer_text(out, of.a);
    if (code->op >= HBG_OP_COUNT) return code->op == CODE_COPY;
    const operator_text *as = &texts[code->op];
    bool ours = hbg_code_native_is_elementary(code->op);
    const char *whose = ours ? "elementary_" : "";
    if (of.lanes && as->kind != TEXT_NONE) {
        print_lanes(code->op, ours, of, out);
        return true;
    }
    switch (as->kind) {
    case TEXT_NONE: return false;
    case TEXT_CALL:
    case TEXT_OURS:
        if (as->arity == 1)
            hbg_base_buffer_print(out, "%s%s(%s)", whose, as->text, of.a);
        else
            hbg_base_buffer_print(out, "%s%s(%s, %s)", whose, as->text, of.a, of.b);
        return true;
    case TEXT_PATTERN: hbg_base_buffer_print(out, as->text, of.a, of.b, of.c); return true;
    }
    return false;
}

/* ---- programs ----------------------------------------------------------------------------------------- */

static void print_instruction(hbg_rt_program code, int32_t index, hbg_buffer *out) {
    const instruction *at = &code.code[index];
    char text[3][24];
    for (int i = 0; i < 3; i++) snprintf(text[i], sizeof text[i], "r[%d]", (int)at->argument[i]);
    size_t start = out->size;
    hbg_base_buffer_print(out, "    r[%d] = ", (int)at->d);
    if (at->located == HBG_NONE &&
        hbg_code_native_expression(at, (operand_text){text[0], text[1], text[2], false, true}, out)) {
        hbg_base_buffer_text(out, ";\n");
        return;
    }
    out->size = start;
    out->data[start] = '\0';
    hbg_base_buffer_print(out, "    if ((status = host->execute(run, code, %d))) return status;\n",
                          (int)index);
}

static const char *const parameters =
    "double *r, void *run, const struct host *host, const void *code"; // the host writes registers, too

static void print_part(const native_function *of, hbg_rt_program code, int32_t part, hbg_buffer *out) {
    int32_t first = part * LONGEST_FUNCTION, end = first + LONGEST_FUNCTION;
    hbg_base_buffer_print(out, "static int p%d_%d(%s) {\n    int status = 0;\n", (int)of->number, (int)part,
                          of->parameters);
    for (int32_t i = first; i < end && i < code.count; i++) print_instruction(code, i, out);
    hbg_base_buffer_text(out, "    (void)r, (void)run, (void)host, (void)code;\n    return status;\n}\n");
}

void hbg_code_native_print_function(const hbg_code *of, const native_function *function, hbg_buffer *out) {
    hbg_rt_program code = hbg_rt_program_at(&of->image, function->program);
    int number = (int)function->number;
    int32_t parts = (code.count + LONGEST_FUNCTION - 1) / LONGEST_FUNCTION;
    for (int32_t i = 0; i < parts; i++) print_part(function, code, i, out);
    hbg_base_buffer_print(out, "static int p%d(%s) {\n    int status = 0;\n", number, function->parameters);
    for (int32_t i = 0; i < parts; i++)
        hbg_base_buffer_print(out, "    if (!status) status = p%d_%d(r, run, host, code);\n", number, (int)i);
    hbg_base_buffer_text(out, "    return status;\n}\n");
}

typedef struct {
    const hbg_code *code;
    hbg_buffer *out;
    int count;
} printing;

static void print_program(void *context, int32_t program) {
    printing *p = context;
    native_function function = {program, p->count++, parameters};
    hbg_code_native_print_function(p->code, &function, p->out);
}

/* A value or 0, without a branch. */
const char *const hbg_code_native_masks =
    "#define SELDOM static inline __attribute__((unused))\n"
    "union both { double value; int64_t bits; };\n"
    "#if defined(__AVX__)\n" // vector instructions: compilers would move the value to integer registers
    "typedef double mask;\n"
    "SELDOM mask mask_of(int64_t bits) { const union both w = {.bits = bits}; return w.value; }\n"
    "SELDOM double keep(mask on, double a) {\n"
    "    double kept; __asm__(\"vandpd %2, %1, %0\" : \"=x\"(kept) : \"x\"(on), \"x\"(a)); return kept;\n"
    "}\n"
    "SELDOM double drop(mask on, double a) {\n"
    "    double kept; __asm__(\"vandnpd %2, %1, %0\" : \"=x\"(kept) : \"x\"(on), \"x\"(a)); return kept;\n"
    "}\n"
    "SELDOM double join(double a, double b) {\n"
    "    double both; __asm__(\"vorpd %2, %1, %0\" : \"=x\"(both) : \"x\"(a), \"x\"(b)); return both;\n"
    "}\n"
    "#else\n"
    "typedef int64_t mask;\n"
    "SELDOM mask mask_of(int64_t bits) { return bits; }\n"
    "SELDOM double keep(mask on, double a) { union both w = {a}; w.bits &= on; return w.value; }\n"
    "SELDOM double drop(mask on, double a) { return keep(~on, a); }\n"
    "SELDOM double join(double a, double b) {\n"
    "    union both x = {a}; const union both y = {b}; x.bits |= y.bits; return x.value;\n"
    "}\n"
    "#endif\n";

static const char *const head =
    "struct host { int (*execute)(void *run, const void *code, int32_t index); };\n"
    "typedef int (*program)(double *r, void *run, const struct host *host, const void *code);\n"
    "struct row { int64_t step; double time; };\n"
    "struct grid { double step, numerator, denominator, most; };\n"
    "static inline double grid_time(const struct grid *grid, double number) {\n"
    "    return number <= grid->most ? number * grid->numerator / grid->denominator : number * grid->step;\n"
    "}\n"
    "struct stride {\n"
    "    struct grid grid; double first; int64_t count; int32_t looked, end; double *x; int32_t *states;\n"
    "    const int64_t *on;\n"
    "    const double *near, *near_others; uint8_t *truth; const uint8_t *watched_others, *truth_others;\n"
    "    double *work, *last, *low, *high, *area; const struct row *rows; double *outputs;\n"
    "    double *x0, *dx0; void *run; int (*follow)(void *run, double t); int32_t row, row_count; int64_t "
    "base; int64_t done, commits, moves, looks;\n"
    "};\n"
    "typedef struct grid time_grid;\ntypedef struct stride stride_call;\n";

/* Declares the functions of libm. They give the same result for the same argument, so repeated calls may be
 * merged. If few calls repeat, this only lengthens the life of values. */
void hbg_code_native_declare(bool repeats, hbg_buffer *out) {
    const char *constant = repeats ? " __attribute__((const))" : "";
    for (int op = 0; op < HBG_OP_COUNT; op++)
        if (texts[op].kind == TEXT_CALL || texts[op].kind == TEXT_OURS)
            hbg_base_buffer_print(out, "double %s(double%s)%s;\n", texts[op].text,
                                  texts[op].arity == 2 ? ", double" : "", constant);
    hbg_base_buffer_print(out, "double fmod(double, double)%s;\ndouble ceil(double)%s;\n", constant,
                          constant);
    hbg_base_buffer_print(out, "#ifndef WRAPPED\n#define WRAPPED\n__attribute__((unused)) %s\n#endif\n",
                          hbg_rt_remainder_text());
}

void hbg_code_native_elementary(hbg_buffer *out) {
    hbg_base_buffer_text(
        out, "#include <stdint.h>\n#ifndef FUNCTION\n#define FUNCTION static inline __attribute__((unused))\n"
             "#define RARE static __attribute__((noinline, cold, unused))\n#define TABLE static\n");
    hbg_base_buffer_text(out, hbg_rt_elementary_text());
    hbg_base_buffer_text(out, "#endif\n");
}

void hbg_code_print_native(hbg_code *code, const hbg_rt_native_options *options, hbg_buffer *out) {
    printing p = {code, out, 0};
    hbg_base_buffer_text(out, "#include <stdint.h>\n");
    hbg_base_buffer_text(out, hbg_code_native_masks);
    hbg_base_buffer_text(out, head);
    hbg_code_native_declare(options->books, out); // powers read the same values as rates
    if (hbg_rt_has_elementary()) hbg_code_native_elementary(out);
    hbg_code_native_each_program(code, print_program, &p);
    bool outputs = false;
    bool strides = options->strides && hbg_code_native_print_stride(code, out->arena, options, out, &outputs);
    bool lanes =
        strides && options->lanes > 1 && hbg_code_native_print_lanes(code, out->arena, options, outputs, out);
    hbg_base_buffer_print(out, "static const program programs[] = {");
    for (int i = 0; i < p.count; i++) hbg_base_buffer_print(out, "p%d%s", i, i + 1 < p.count ? ", " : "");
    hbg_base_buffer_print(
        out,
        "};\nconst struct { int32_t version, count; const program *programs; void (*stride)(const "
        "double *, stride_call *); int32_t outputs, width; uint32_t (*lanes)(int32_t, const double *const *, "
        "stride_call *const *, int64_t, int64_t *); } %s = {%d, %d, programs, %s, %d, %d, %s};\n",
        HBG_CODE_NATIVE, HBG_RT_NATIVE_VERSION, p.count, strides ? "stride" : "0", outputs,
        lanes ? (int)options->lanes : 0, lanes ? "lanes" : "0");
}
