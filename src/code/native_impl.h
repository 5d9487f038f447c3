/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declarations shared by the printers of native code. */
#ifndef HBG_CODE_NATIVE_IMPL_H
#define HBG_CODE_NATIVE_IMPL_H

#include "code/code_impl.h"

/* Visits programs in the order of printing; `visit` gets the number of each. */
typedef void (*program_visitor)(void *context, int32_t program);
void hbg_code_native_each_program(hbg_code *code, program_visitor visit, void *context);

/* native_text.c: appends the value of an instruction as a C expression over the texts of its arguments.
 * Returns false if it has none. */
typedef struct {
    const char *a, *b, *c;
    bool lanes; /* in the words of native_lanes.c */
    bool plain; /* the product cannot be too small (native_grain.c) */
} operand_text;
bool hbg_code_native_expression(const instruction *code, operand_text of, hbg_buffer *out);
bool hbg_code_native_is_elementary(int op); /* one of our own, whose text is printed */
/* Name of the function of libm for an operator; NULL: there is none, or it is exact, so that all versions
 * give the same bits. */
const char *hbg_code_native_library_function(int op);
/* A program as the function p<number>, called with these parameters. */
typedef struct {
    int32_t program, number;
    const char *parameters;
} native_function;
void hbg_code_native_print_function(const hbg_code *of, const native_function *function, hbg_buffer *out);
extern const char *const hbg_code_native_masks; /* selects of strides */
/* The functions that expressions call. */
void hbg_code_native_declare(bool repeats, hbg_buffer *out);
void hbg_code_native_elementary(hbg_buffer *out); /* our own, as text */

/* native_place.c: programs at a place of a stride, and the masks of junctions. */
enum {
    LONGEST_STRIDE = 3000, /* values: a compiler takes more than proportional time for one function */
    MOST_INLINE = 100      /* calls of elementary functions that are inlined */
};
typedef struct {
    hbg_code *code;
    hbg_buffer *out;
    const hbg_rt_native_options *options;
    bool lanes;        /* several runs side by side (native_lanes.c): a value has one number of each */
    bool device;       /* lanes on a device, each run alone, without libm (native_device.c) */
    const char *type;  /* of a value */
    const char **name; /* by register: its name at this place; NULL: it is read from r */
    int32_t *mask;     /* by register that selects: m<number> is its mask; HBG_NONE: none */
    int32_t *kept;     /* by register: the mask without which it is 0; HBG_NONE: none */
    int32_t *grain;    /* by register, on a device: it is a multiple of 2^-grain */
    int32_map read;    /* registers that lanes read from runs */
    int32_t *read_at;  /* by register: its place among them, from 1; 0: none */
    int32_map held;    /* constant registers that select: masks made before the loop */
    const char *at;    /* name of the time that parameters were moved to last; NULL: none in this step */
    int32_t values;    /* variables made so far */
    int32_t calls;     /* of elementary functions, so far */
    bool outputs;      /* with rows and an extent */
    bool fine;
    const char *why; /* why not, if known */
} stride_text;
const char *hbg_code_native_operand(stride_text *text, int32_t reg);
const char *hbg_code_native_value(stride_text *text, const hbg_rt_readout *of, int32_t index);
/* Begins a place: names the registers of states and time, and forgets values computed elsewhere. */
void hbg_code_native_begin_place(stride_text *text, const char *state, const char *time);
void hbg_code_native_print_reading(stride_text *text, reading_kind reading);
/* The register of whether a junction is on; the junctions of an automaton; automata or relations of the calm
 * plan. */
int32_t hbg_code_native_on_register(const hbg_code *code, int32_t place);
const int32_t *hbg_code_native_places(const hbg_code *code, int32_t automaton, int32_t *count);
const int32_t *hbg_code_native_calm(const hbg_code *code, hbg_rt_range of);
void hbg_code_native_name_masks(stride_text *text, hbg_arena *scratch);

/* native_grain.c: which results may be too small on a device. Begins a place; takes an instruction, false:
 * its result must be checked; a result of a readout that is then multiplied by a part of a step, as text,
 * with a check if it needs one; why a model has numbers that are too small, or NULL. */
void hbg_code_native_begin_grains(stride_text *text);
bool hbg_code_native_take_grain(stride_text *text, const instruction *at);
const char *hbg_code_native_coarse(stride_text *text, const hbg_rt_readout *of, int32_t index);
const char *hbg_code_native_too_fine(const hbg_code *code);

/* native_outputs.c: values of outputs from a step that has been made, but not accepted yet. `last` is the
 * stage that ends it. */
void hbg_code_native_print_extent(stride_text *text, int last); /* values and whether they are finite */
void hbg_code_native_print_extent_taken(stride_text *text);
void hbg_code_native_print_extent_exchange(stride_text *text, bool in);
void hbg_code_native_print_rows_begin(stride_text *text);
void hbg_code_native_print_rows(stride_text *text, int last);
/* Prints terms of a sum as a tree, which shortens chains of dependent sums; the format has two numbers, both
 * that of the term. */
void hbg_code_native_print_tree(hbg_buffer *out, const char *format, int32_t first, int32_t end);

/* native_stride.c: parts that lanes share. */
const char *hbg_code_native_side_of(const hbg_code *code, int32_t relation);
const hbg_rt_automaton_data *hbg_code_native_calm_automaton(const hbg_code *code, int32_t number);
void hbg_code_native_print_condition(stride_text *text, int32_t transition, const char *pass,
                                     const char *state);
void hbg_code_native_print_sum(stride_text *text, const char *prefix, const char *between);
void hbg_code_native_print_step(stride_text *text);
void hbg_code_native_print_sum_of_all(stride_text *text, const char *state, const char *work);
void hbg_code_native_begin_text(stride_text *text, hbg_arena *scratch); /* clears its arrays */
void hbg_code_native_print_outputs(stride_text *text, const char *name, const char *place, const char *time);

/* native_lanes.c: the same stride for several runs at once; false if there is none. `outputs`: whether the
 * stride updates them. */
bool hbg_code_native_print_lanes(hbg_code *code, hbg_arena *scratch, const hbg_rt_native_options *options,
                                 bool outputs, hbg_buffer *out);
/* Its parts: the loop; masks of registers; values kept from step to step, copied from the runs or back; those
 * of events likewise. */
void hbg_code_native_print_lanes_loop(stride_text *text);
void hbg_code_native_print_lanes_masks(stride_text *text);
void hbg_code_native_print_lanes_exchange(stride_text *text, bool in);
void hbg_code_native_print_lanes_events(stride_text *text, bool in);
int32_t hbg_code_native_mode_count(const hbg_code *code); /* of a->on */

/* native_stride.c: false if the model has none. *outputs: whether it updates them. */
bool hbg_code_native_print_stride(hbg_code *code, hbg_arena *scratch, const hbg_rt_native_options *options,
                                  hbg_buffer *out, bool *outputs);
/* Why there is none, as far as that is known before printing; NULL: no known reason. */
const char *hbg_code_native_no_stride(const hbg_code *code, hbg_arena *scratch,
                                      const hbg_rt_native_options *options);

#endif
