/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Outputs in a compiled stride: rows within its steps, on the cubic of rt, and the values updated at the end
 * of every step. The arithmetic is that of rt/stride.c, operation by operation. Nothing of a step is kept
 * unless all of it is finite. */
#include <stdio.h>

#include "code/native_impl.h"

void hbg_code_native_print_tree(hbg_buffer *out, const char *format, int32_t first, int32_t end) {
    if (end - first == 1) {
        hbg_base_buffer_print(out, format, (int)first, (int)first);
        return;
    }
    hbg_base_buffer_text(out, "(");
    hbg_code_native_print_tree(out, format, first, first + (end - first) / 2);
    hbg_base_buffer_text(out, " + ");
    hbg_code_native_print_tree(out, format, first + (end - first) / 2, end);
    hbg_base_buffer_text(out, ")");
}

/* Prints outputs at a place, as variables of this name; the differences of all with themselves are 0 unless
 * one is NaN or infinite. */
void hbg_code_native_print_outputs(stride_text *text, const char *name, const char *place, const char *time) {
    const hbg_rt_readout *outputs = &text->code->image.code.finals[READ_OUTPUTS];
    char difference[64];
    hbg_code_native_begin_place(text, place, time);
    hbg_code_native_print_reading(text, READ_OUTPUTS);
    for (int32_t i = 0; i < outputs->reg.count; i++)
        hbg_base_buffer_print(text->out, "        const %s %s%d = %s;\n", text->type, name, (int)i,
                              hbg_code_native_coarse(text, outputs, i));
    if (outputs->reg.count == 0) return;
    snprintf(difference, sizeof difference, "(%s%%d - %s%%d)", name, name);
    hbg_base_buffer_text(text->out, text->lanes ? "        good &= IS(" : "        if (__builtin_expect(!(");
    hbg_code_native_print_tree(text->out, difference, 0, outputs->reg.count);
    hbg_base_buffer_text(text->out, text->lanes ? ", ==, K(0));\n" : " == 0), 0)) { end = 2; break; }\n");
}

/* ---- the end of every step ----------------------------------------------------------------------------- */

void hbg_code_native_print_extent(stride_text *text, int last) {
    char place[24];
    snprintf(place, sizeof place, "z%d_", last);
    if (text->options->extent > 0) hbg_code_native_print_outputs(text, "o", place, "t_end");
}

void hbg_code_native_print_extent_taken(stride_text *text) {
    for (int32_t i = 0; i < text->options->extent; i++)
        hbg_base_buffer_print(
            text->out,
            "        area%d += h * (last%d + o%d) / 2, last%d = o%d;\n"
            "        low%d = o%d < low%d ? o%d : low%d, high%d = o%d > high%d ? o%d : high%d;\n",
            (int)i, (int)i, (int)i, (int)i, (int)i, (int)i, (int)i, (int)i, (int)i, (int)i, (int)i, (int)i,
            (int)i, (int)i, (int)i);
}

void hbg_code_native_print_extent_exchange(stride_text *text, bool in) {
    static const char *const names[] = {"last", "low", "high", "area"};
    for (int32_t i = 0; i < text->options->extent; i++)
        for (int k = 0; k < 4; k++)
            if (in)
                hbg_base_buffer_print(text->out, "    double %s%d = a->%s[%d];\n", names[k], (int)i, names[k],
                                      (int)i);
            else
                hbg_base_buffer_print(text->out, "    a->%s[%d] = %s%d;\n", names[k], (int)i, names[k],
                                      (int)i);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Saves the beginning of a step with rows, so that other steps need not keep their beginning up to their
 * end. */
void hbg_code_native_print_rows_begin(stride_text *text) {
    hbg_base_buffer_text(text->out, "        if (__builtin_expect(done == drawn, 0)) {\n");
    for (int32_t i = 0; i < text->code->image.layout.state.count; i++)
        hbg_base_buffer_print(text->out, "        a->x0[%d] = x%d, a->dx0[%d] = k0_%d;\n", (int)i, (int)i,
                              (int)i, (int)i);
    hbg_base_buffer_text(text->out, "        }\n");
}

/* Prints rates at the end, in the mode of the step, for rows within it. */
static void print_end_rates(stride_text *text, const char *place) {
    const hbg_rt_readout *field = &text->code->image.code.finals[READ_FIELD];
    for (int32_t i = 0; i < field->reg.count; i++)
        hbg_base_buffer_print(text->out, "        double g%d = 0;\n", (int)i);
    hbg_base_buffer_text(text->out, "        if (a->rows[row].time != t_end) {\n");
    hbg_code_native_begin_place(text, place, "t_end");
    hbg_code_native_print_reading(text, READ_FIELD);
    for (int32_t i = 0; i < field->reg.count; i++)
        hbg_base_buffer_print(text->out, "        g%d = %s;\n", (int)i,
                              hbg_code_native_value(text, field, i));
    hbg_base_buffer_text(text->out, "        if (!(");
    hbg_code_native_print_tree(text->out, "(g%d - g%d)", 0, field->reg.count);
    hbg_base_buffer_text(text->out, " == 0)) { end = 2; break; }\n        }\n");
}

void hbg_code_native_print_rows(stride_text *text, int last) {
    hbg_buffer *out = text->out;
    int32_t outputs = text->code->image.code.finals[READ_OUTPUTS].reg.count;
    char place[24];
    snprintf(place, sizeof place, "z%d_", last);
    hbg_base_buffer_text(out, "        if (__builtin_expect(done == drawn, 0)) {\n");
    print_end_rates(text, place);
    hbg_base_buffer_text(
        out, "        int32_t next = row;\n"
             "        for (; next < a->row_count && a->rows[next].step - a->base == done; next++) {\n"
             "        const double when = a->rows[next].time, s = (when - t) / h;\n"
             "        const double pa = (1 + 2 * s) * (1 - s) * (1 - s), pb = s * s * (3 - 2 * s);\n"
             "        const double pc = h * s * (1 - s) * (1 - s), pd = h * s * s * (s - 1);\n"
             "        const int at_end = when == t_end;\n");
    for (int32_t i = 0; i < text->code->image.layout.state.count; i++)
        hbg_base_buffer_print(
            out,
            "        const double p%d = at_end ? z%d_%d : pa * a->x0[%d] + pb * z%d_%d + pc * "
            "a->dx0[%d] + pd * g%d;\n",
            (int)i, last, (int)i, (int)i, last, (int)i, (int)i, (int)i);
    hbg_code_native_print_outputs(text, "u", "p", "when");
    hbg_base_buffer_print(out, "        double *y = a->outputs + (int64_t)next * %d;\n", (int)outputs);
    for (int32_t i = 0; i < outputs; i++)
        hbg_base_buffer_print(out, "        y[%d] = u%d;\n", (int)i, (int)i);
    hbg_base_buffer_text(
        out, "        }\n        if (end) break;\n"
             "        row = next;\n"
             "        drawn = row < a->row_count ? a->rows[row].step - a->base : -1;\n        }\n");
}
