/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the printers of native code share. */
#ifndef HBG_CODE_NATIVE_IMPL_H
#define HBG_CODE_NATIVE_IMPL_H

#include "code/code_impl.h"

/* Programs in the order they are printed in; `visit` gets the number of each. */
typedef void (*program_visitor)(void *context, int32_t program);
void hbg_code_native_each_program(hbg_code *code, program_visitor visit, void *context);

/* native_text.c: the value of an instruction as a C expression over the texts of its arguments. False: it has none. */
typedef struct {
    const char *a, *b, *c;
    bool lanes; /* in the words of native_lanes.c */
    bool plain; /* the product cannot be too small (native_grain.c) */
} operand_text;
bool hbg_code_native_expression(const instruction *code, operand_text of, hbg_buffer *out);
bool hbg_code_native_is_elementary(int op); /* one whose text stands there */
/* Name of the function of libm that answers for an operator; NULL: there is none, or it is exact, so that all give the same bits. */
const char *hbg_code_native_library_function(int op);
/* A program as the function p<number>, called with these parameters. */
typedef struct {
    int32_t program, number;
    const char *parameters;
} native_function;
void hbg_code_native_print_function(const hbg_code *of, const native_function *function, hbg_buffer *out);
extern const char *const hbg_code_native_masks; /* what strides select by */
/* The functions that expressions call. */
void hbg_code_native_declare(bool repeats, hbg_buffer *out);
void hbg_code_native_elementary(hbg_buffer *out); /* those of our own, as text */

/* native_place.c: programs at a place of a stride, and the masks of junctions. */
enum {
    LONGEST_STRIDE = 3000, /* values: a compiler takes more than proportional time for one function */
    MOST_INLINE = 100      /* calls of elementary functions whose text takes their place */
};
typedef struct {
    hbg_code *code;
    hbg_buffer *out;
    const hbg_rt_native_options *options;
    bool lanes;        /* several runs side by side (native_lanes.c): every value is one of each */
    bool device;       /* in these words each run by itself, far from libm and the others (native_device.c) */
    const char *type;  /* of a value */
    const char **name; /* by register: what it is called at this place; NULL: it is read from r */
    int32_t *mask;     /* by register that selects: m<number> is its mask; HBG_NONE: it has none */
    int32_t *kept;     /* by register: the mask without which it is 0; HBG_NONE: none */
    int32_t *grain;    /* by register, on a device: it is a multiple of 2 to the power of minus this */
    int32_map read;    /* registers that lanes read from runs */
    int32_t *read_at;  /* by register: its place among them, from 1; 0: none */
    int32_map held;    /* registers that select and stay as they are: masks made before the loop */
    const char
        *at; /* what the time is called that parameters were moved to last; NULL: not yet in this step */
    int32_t values; /* variables made so far */
    int32_t calls;  /* of elementary functions, so far */
    bool outputs;   /* with rows and an extent */
    bool fine;
    const char *why; /* not, where that is known */
} stride_text;
const char *hbg_code_native_operand(stride_text *text, int32_t reg);
const char *hbg_code_native_value(stride_text *text, const hbg_rt_readout *of, int32_t index);
/* Registers of states and time are called as at this place; what was computed elsewhere is forgotten. */
void hbg_code_native_begin_place(stride_text *text, const char *state, const char *time);
void hbg_code_native_print_reading(stride_text *text, reading_kind reading);
/* Of a junction the register that says whether it is on; the junctions of an automaton; automata or relations of the calm plan. */
int32_t hbg_code_native_on_register(const hbg_code *code, int32_t place);
const int32_t *hbg_code_native_places(const hbg_code *code, int32_t automaton, int32_t *count);
const int32_t *hbg_code_native_calm(const hbg_code *code, hbg_rt_range of);
void hbg_code_native_name_masks(stride_text *text, hbg_arena *scratch);

/* native_grain.c: which results may be too small on a device. At a place; of an instruction, false: its result has to be looked at; a value
 * that is then multiplied by a part of a step; why a model has numbers that are too small, or NULL. */
void hbg_code_native_begin_grains(stride_text *text);
bool hbg_code_native_take_grain(stride_text *text, const instruction *at);
const char *hbg_code_native_coarse(stride_text *text, const hbg_rt_readout *of, int32_t index);
const char *hbg_code_native_too_fine(const hbg_code *code);

/* native_outputs.c: what a step that has been made, and not taken yet, leaves of outputs. `last` is the stage that ends it. */
void hbg_code_native_print_extent(stride_text *text, int last); /* values and whether they are finite */
void hbg_code_native_print_extent_taken(stride_text *text);
void hbg_code_native_print_extent_exchange(stride_text *text, bool in);
void hbg_code_native_print_rows_begin(stride_text *text);
void hbg_code_native_print_rows(stride_text *text, int last);
/* Terms of a sum as a tree, which does not wait for itself; the format has two numbers, both that of the term. */
void hbg_code_native_print_tree(hbg_buffer *out, const char *format, int32_t first, int32_t end);

/* native_stride.c: parts that lanes share. */
const char *hbg_code_native_side_of(const hbg_code *code, int32_t relation);
const hbg_rt_automaton_data *hbg_code_native_calm_automaton(const hbg_code *code, int32_t number);
void hbg_code_native_print_condition(stride_text *text, int32_t transition, const char *pass,
                                     const char *state);
void hbg_code_native_print_sum(stride_text *text, const char *prefix, const char *between);
void hbg_code_native_print_step(stride_text *text);
void hbg_code_native_print_sum_of_all(stride_text *text, const char *state, const char *work);
void hbg_code_native_begin_text(stride_text *text,
                                hbg_arena *scratch); /* its arrays, as nothing is known yet */
void hbg_code_native_print_outputs(stride_text *text, const char *name, const char *place, const char *time);

/* native_lanes.c: the same stride for several runs at once; false if it cannot be. `outputs`: what the stride says of them. */
bool hbg_code_native_print_lanes(hbg_code *code, hbg_arena *scratch, const hbg_rt_native_options *options,
                                 bool outputs, hbg_buffer *out);
/* Its parts: the loop; masks of registers; what is kept from step to step, from the runs or back to them; of events likewise. */
void hbg_code_native_print_lanes_loop(stride_text *text);
void hbg_code_native_print_lanes_masks(stride_text *text);
void hbg_code_native_print_lanes_exchange(stride_text *text, bool in);
void hbg_code_native_print_lanes_events(stride_text *text, bool in);
int32_t hbg_code_native_mode_count(const hbg_code *code); /* of a->on */

/* native_stride.c: false if the model has none. *outputs: whether it takes care of them. */
bool hbg_code_native_print_stride(hbg_code *code, hbg_arena *scratch, const hbg_rt_native_options *options,
                                  hbg_buffer *out, bool *outputs);
/* Why there is none, as far as that can be said before it is printed; NULL: nothing is known to forbid it. */
const char *hbg_code_native_no_stride(const hbg_code *code, hbg_arena *scratch,
                                      const hbg_rt_native_options *options);

#endif
