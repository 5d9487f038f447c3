/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiler: equations of a model (src/eqn) become register programs in an image (rt/image.h), which the engine runs.
 *
 * A compiled model is shared by all of its runs; modes are compiled when first entered and kept. */
#ifndef HBG_CODE_H
#define HBG_CODE_H

#include "eqn/eqn.h"
#include "rt/image.h"
#include "rt/native.h"
#include "rt/package.h"

typedef struct hbg_code hbg_code;

/* Compiles a model; it and the result live in the arena. What is wrong with the model is reported to its diagnostics (NULL
 * then). Runs on several threads may share it, if each has memory of its own and the arena's belongs to the compiled model
 * alone meanwhile; everything below but hbg_code_run_new and the functions on instances is for one thread. */
hbg_code *hbg_code_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options);
/* A compiled model that is read from a file, in three steps, so that it can be freed after each: room for it; the package, to be read
 * into hbg_code_loaded; and, once its outputs are chosen, the code. */
hbg_code *hbg_code_reserve(hbg_arena *arena);
hbg_rt_loaded **hbg_code_loaded(hbg_code *code);
void hbg_code_begin(hbg_code *code);
/* Gives back what runs have added, and the equations. */
void hbg_code_free(hbg_code *code);
hbg_eqn *hbg_code_equations(const hbg_code *code); /* what it was compiled from */
const hbg_rt_image *hbg_code_image(const hbg_code *code);
hbg_rt_provider hbg_code_provider(hbg_code *code); /* it adds to the image, and knows the words */
void hbg_code_index_values(hbg_code *code);        /* before it is asked for the words of all registers */
hbg_rt_memory hbg_code_memory(hbg_memory *memory); /* the same memory, as the engine takes it */
const hbg_rt_description *hbg_code_system(const hbg_code *code);
/* An instance that takes what it needs from this memory; NULL if there is not enough. What it is the first to compile comes from
 * the arena of the model. */
hbg_rt_instance *hbg_code_run_new(hbg_code *code, hbg_memory *memory);
hbg_rt_instance *hbg_code_run(hbg_code *code); /* that takes everything from there */
/* How many pieces of code have been compiled so far: blocks and islands in local modes, tangents. */
int64_t hbg_code_compiled(const hbg_code *code);

/* Blocks and islands with at least so many links are compiled piece by piece: for small ones that does not pay. Before the first mode. */
enum { HBG_CODE_FEWEST_LINKS = 48 };
void hbg_code_take_apart(hbg_code *code, int32_t links);

/* ---- what depends on what ------------------------------------------------------------------------------ */

/* How a rate or an output depends on a state or on time, in any mode: not at all; with a factor that nothing but an instant or a parameter
 * changes; otherwise. */
typedef enum { HBG_CODE_INDEPENDENT, HBG_CODE_STRAIGHT, HBG_CODE_CURVED } hbg_code_dependence;

typedef struct {
    int32_t known_count;                        /* states, and then time */
    const hbg_code_dependence *rates, *outputs; /* by rate or output, and in it by known */
} hbg_code_dependences;

/* Of an image that is complete and does not slide, with parameters that stand still, in the arena. False: it is too large for that. */
bool hbg_code_depend(const hbg_rt_image *image, hbg_arena *arena, hbg_code_dependences *found);

/* ---- native code -------------------------------------------------------------------------------------- */

/* Instructions in all of the code there is by now, each evaluation of the field one of each at most. */
int32_t hbg_code_size(hbg_code *code);

#define HBG_CODE_NATIVE "hbg_native" /* the table that the compiled text exports */
/* Appends the code there is by now as C text: same operations, same bits. A mode has to have been entered; code of blocks that are
 * met later stays with the interpreter. */
void hbg_code_print_native(hbg_code *code, const hbg_rt_native_options *options, hbg_buffer *out);
/* The same, to be compiled with the engine: a constant hbg_rt_native of this name. */
void hbg_code_print_shipped(hbg_code *code, const hbg_rt_native_options *options, const char *symbol,
                            hbg_buffer *out);
#define HBG_CODE_DEVICE "hbg_device" /* the hbg_rt_native_device that the next text exports */
/* Appends strides of many runs, as CUDA or C++. `varies`: by parameter, whether it differs from run to run. Answers why the model has none;
 * NULL: it has. */
const char *hbg_code_print_device(hbg_code *code, const hbg_rt_native_options *options, const bool *varies,
                                  hbg_buffer *out);
/* From now on what was printed with these options last is run by the table compiled from it; false if it is not one of that text.
 * NULL: by the interpreter again. The table has to outlive the runs. */
bool hbg_code_use_native(hbg_code *code, const hbg_rt_native_options *options, const void *table);
const hbg_rt_native_table *hbg_code_native_table(const hbg_code *code); /* NULL: the interpreter */

#endif
