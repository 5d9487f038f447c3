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

/* The equations of a mode (states of the automata, NULL: the start states) in the order they are computed, as text. False if
 * the mode has no valid assignment. */
bool hbg_eqn_print(hbg_eqn *eqn, const int32_t *states, hbg_buffer *out);

#endif
