/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C text of native_text.c, for shipping with an image: it includes the headers of the engine instead of
 * its own declarations, and its table is ordered by number of program, so that it needs no binding. */
#include "code/native_impl.h"

/* Some values are read at one place and not at another: the compiler drops them and should not warn. */
static const char *const head = "#include \"rt/native.h\"\n\n"
                                "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
                                "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n"
                                "#define grid_time hbg_rt_grid_time\n"
                                "typedef hbg_rt_grid time_grid;\n"
                                "typedef hbg_rt_native_stride stride_call;\n";

/* If the compiler may not use fused products, the engine's own functions check the processor, and give the
 * same results. */
static void print_elementary(hbg_buffer *out) {
    hbg_base_buffer_text(out, "#if defined(__FMA__) || defined(__FP_FAST_FMA)\n");
    hbg_code_native_elementary(out);
    hbg_base_buffer_text(out, "#else\n#define elementary_exp hbg_rt_exp\n#define elementary_log hbg_rt_ln\n"
                              "#define elementary_pow hbg_rt_pow\n#define elementary_sin hbg_rt_sin\n"
                              "#define elementary_cos hbg_rt_cos\n#endif\n");
}

static const char *const parameters =
    "double *r, hbg_rt_instance *run, const hbg_rt_native_host *host, const hbg_rt_instruction *code";

typedef struct {
    const hbg_code *code;
    hbg_buffer *out;
    int32_t count;
} printing;

static void print_function(void *context, int32_t program) {
    printing *p = context;
    native_function function = {program, program, parameters};
    hbg_code_native_print_function(p->code, &function, p->out);
}

static void print_entry(void *context, int32_t program) {
    printing *p = context;
    const char *between = p->count == 0 ? "\n    " : p->count % 8 == 0 ? ",\n    " : ", ";
    hbg_base_buffer_print(p->out, "%s[%d] = p%d", between, (int)program, (int)program);
    p->count++;
}

static const char *yes_or_no(bool is) {
    return is ? "true" : "false";
}

void hbg_code_print_shipped(hbg_code *code, const hbg_rt_native_options *options, const char *symbol,
                            hbg_buffer *out) {
    printing p = {code, out, 0};
    bool outputs = false;
    hbg_base_buffer_text(out, head);
    hbg_base_buffer_text(out, hbg_code_native_masks);
    hbg_code_native_declare(options->books, out); // powers read the same values as rates
    print_elementary(out);
    hbg_code_native_each_program(code, print_function, &p);
    bool strides = options->strides && hbg_code_native_print_stride(code, out->arena, options, out, &outputs);
    hbg_base_buffer_text(out,
                         "\n/* by number of program */\nstatic const hbg_rt_native_program programs[] = {");
    hbg_code_native_each_program(code, print_entry, &p);
    if (p.count == 0) hbg_base_buffer_text(out, "0");
    hbg_base_buffer_print(
        out,
        "};\nstatic const hbg_rt_native_table table = {HBG_RT_NATIVE_VERSION, %d, programs, "
        "%s, %d, 0, 0};\n",
        (int)p.count, strides ? "stride" : "0", outputs);
    hbg_base_buffer_print(
        out,
        "extern const hbg_rt_native %s;\n"
        "const hbg_rt_native %s = {&table,\n    {.strides = %s, .method = (hbg_rt_method)%d, "
        ".books = %s, .lines = %s, .extent = %d},\n"
        "    programs, (int32_t)(sizeof programs / sizeof *programs)};\n",
        symbol, symbol, yes_or_no(options->strides), (int)options->method, yes_or_no(options->books),
        yes_or_no(options->lines), (int)options->extent);
}
