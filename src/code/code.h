/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiler: turns the equations of a model (src/eqn) into register programs in an image (rt/image.h),
 * which the engine runs.
 *
 * A compiled model is shared by all of its runs; modes are compiled when first entered, and kept. */
#ifndef HBG_CODE_H
#define HBG_CODE_H

#include "eqn/eqn.h"
#include "rt/image.h"
#include "rt/native.h"
#include "rt/package.h"

typedef struct hbg_code hbg_code;

/* Compiles a model; it and the result live in the arena. Errors of the model are reported to its diagnostics
 * (NULL then). Runs on several threads may share the compiled model, if each has memory of its own and the
 * arena's memory belongs to the compiled model alone meanwhile. All functions below except hbg_code_run_new
 * and those on instances are for one thread. */
hbg_code *hbg_code_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options);
/* A compiled model from a file, in three steps, so that it can be freed after each: allocate it; read the
 * package into hbg_code_loaded; and, once its outputs are chosen, begin. */
hbg_code *hbg_code_reserve(hbg_arena *arena);
hbg_rt_loaded **hbg_code_loaded(hbg_code *code);
void hbg_code_begin(hbg_code *code);
/* Frees everything that runs have added, and the equations. */
void hbg_code_free(hbg_code *code);
hbg_eqn *hbg_code_equations(const hbg_code *code); /* what it was compiled from */
const hbg_rt_image *hbg_code_image(const hbg_code *code);
hbg_rt_provider hbg_code_provider(hbg_code *code); /* adds to the image, and knows the words */
void hbg_code_index_values(hbg_code *code);        /* call it before requesting the words of all registers */
hbg_rt_memory hbg_code_memory(hbg_memory *memory); /* the same memory, for the engine */
const hbg_rt_description *hbg_code_system(const hbg_code *code);
/* An instance that takes its memory from here; NULL if there is not enough. Code that it is the first to
 * compile is allocated in the arena of the model. */
hbg_rt_instance *hbg_code_run_new(hbg_code *code, hbg_memory *memory);
hbg_rt_instance *hbg_code_run(hbg_code *code); /* one that takes all its memory from the arena */
/* How many pieces of code have been compiled so far: blocks and islands in local modes, tangents. */
int64_t hbg_code_compiled(const hbg_code *code);

/* Blocks and islands with at least so many links are compiled piece by piece: for small ones that does not
 * pay. Call it before the first mode. */
enum { HBG_CODE_FEWEST_LINKS = 48 };
void hbg_code_take_apart(hbg_code *code, int32_t links);

/* ---- what depends on what ------------------------------------------------------------------------------ */

/* How a rate or an output depends on a state or on time, in any mode: not at all; with a factor that only an
 * instant or a parameter changes; in any other way. */
typedef enum { HBG_CODE_INDEPENDENT, HBG_CODE_STRAIGHT, HBG_CODE_CURVED } hbg_code_dependence;

typedef struct {
    int32_t known_count;                        /* states, and then time */
    const hbg_code_dependence *rates, *outputs; /* by rate or output, and in it by known */
} hbg_code_dependences;

/* Finds the dependences in a complete image that does not slide, with constant parameters; the result is in
 * the arena. Returns false if the image is too large. */
bool hbg_code_depend(const hbg_rt_image *image, hbg_arena *arena, hbg_code_dependences *found);

/* ---- native code -------------------------------------------------------------------------------------- */

/* Number of instructions compiled so far; each evaluation of the field runs each at most once. */
int32_t hbg_code_size(hbg_code *code);

#define HBG_CODE_NATIVE "hbg_native" /* the table that the compiled text exports */
/* Appends the code compiled so far as C text: same operations, same bits. A mode must have been entered; code
 * of blocks met later stays with the interpreter. */
void hbg_code_print_native(hbg_code *code, const hbg_rt_native_options *options, hbg_buffer *out);
/* The same, for compiling with the engine: a constant hbg_rt_native of this name. */
void hbg_code_print_shipped(hbg_code *code, const hbg_rt_native_options *options, const char *symbol,
                            hbg_buffer *out);
#define HBG_CODE_DEVICE "hbg_device" /* the hbg_rt_native_device that the next text exports */
/* Appends strides of many runs, as CUDA or C++. `varies`: by parameter, whether it differs from run to run.
 * Returns why the model has no such strides; NULL: it has. */
const char *hbg_code_print_device(hbg_code *code, const hbg_rt_native_options *options, const bool *varies,
                                  hbg_buffer *out);
/* From now on runs the code that was last printed with these options by the table compiled from it; returns
 * false if the table is not of that text. NULL: the interpreter again. The table must outlive the runs. */
bool hbg_code_use_native(hbg_code *code, const hbg_rt_native_options *options, const void *table);
const hbg_rt_native_table *hbg_code_native_table(const hbg_code *code); /* NULL: the interpreter */

#endif
