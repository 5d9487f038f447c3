/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of a hybrid bond graph: from the causal graph of a mode to sorted assignments and loops, as exact terms first,
 * then as register programs, run by an interpreter behind the system of rt.h.
 *
 * A compiled model is made from a sorted model (hbg_model_sorted), so that nothing depends on the order of
 * declarations. It is shared by all runs; modes are compiled when first entered and kept. */
#ifndef HBG_EQN_H
#define HBG_EQN_H

#include "causal/causal.h"
#include "rt/rt.h"

typedef struct hbg_eqn hbg_eqn;

typedef struct {
    int32_t experiment;        /* its settings are declared values too; HBG_NONE: none */
    const hbg_record *outputs; /* what the system gives out, in this order */
    int32_t output_count;
    bool may_hold; /* automata may be held in states their guards would not lead to */
} hbg_eqn_options;

/* Compiles a model; it and the result live in the arena. What is wrong with the model is reported to its diagnostics (NULL
 * then). */
hbg_eqn *hbg_eqn_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options);
/* Gives back what runs have added. */
void hbg_eqn_free(hbg_eqn *eqn);
const hbg_rt_system *hbg_eqn_system(const hbg_eqn *eqn);

/* ---- native code -------------------------------------------------------------------------------------- */

/* What the text is made for, beside single evaluations. */
typedef struct {
    bool strides; /* many steps in one go (hbg_rt_stride) */
    hbg_rt_method method;
    bool books; /* with the works of their steps */
} hbg_eqn_native_options;

/* Instructions in all of the code there is by now, each evaluation of the field one of each at most. */
int32_t hbg_eqn_size(hbg_eqn *eqn);

#define HBG_EQN_NATIVE "hbg_native" /* the table that the compiled text exports */
/* Appends the code there is by now as C text: same operations, same bits. A mode has to have been entered; code of blocks that are
 * met later stays with the interpreter. */
void hbg_eqn_print_native(hbg_eqn *eqn, const hbg_eqn_native_options *options, hbg_buffer *out);
/* From now on what was printed with these options last is run by the table compiled from it; false if it is not one of that text.
 * NULL: by the interpreter again. The table has to outlive the runs. */
bool hbg_eqn_use_native(hbg_eqn *eqn, const hbg_eqn_native_options *options, const void *table);

/* The equations of a mode (states of the automata, NULL: the start states) in the order they are computed, as text. False if
 * the mode has no valid assignment. */
bool hbg_eqn_print(hbg_eqn *eqn, const int32_t *states, hbg_buffer *out);

#endif
