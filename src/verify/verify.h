/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions over all modes, answered without walking them (semantics, section 8): is there a mode without a
 * valid causal assignment, is there one in which a storage is dependent? Modes are never listed; a theorem
 * prover looks for the mode together with a certificate of what is wrong with it, and every mode it names is
 * judged again by src/causal before it is reported.
 *
 * Modes that can exist. Every automaton is in one of its states that its transitions, whatever their guards,
 * lead to from its start or from where an experiment starts it; the automata are taken as independent. A
 * junction is on where its condition over these states holds, so that shared, inverted and combined conditions
 * are respected. */
#ifndef HBG_VERIFY_H
#define HBG_VERIFY_H

#include "causal/causal.h"

typedef enum {
    HBG_VERDICT_PROVED,   /* no mode that can exist is of the kind asked for */
    HBG_VERDICT_WITNESS,  /* here is one */
    HBG_VERDICT_UNDECIDED /* not decided, and why */
} hbg_verdict;

typedef struct {
    /* For one question, 0: none. Each one that runs out of it halves it for those that follow, down to a
     * sixty-fourth, so that many hopeless questions take minutes and not hours. */
    int32_t timeout_ms;
    uint32_t effort;    /* steps of the prover for one search, the same on every machine; 0: no limit */
    int32_t mode_limit; /* most single modes judged in one question before it stays undecided */
} hbg_verify_options;
hbg_verify_options hbg_verify_options_default(void);

/* The theorem prover's memory is its own: it does not belong to an arena, so whoever asks holds it. It carries
 * nothing from one question to the next. NULL if there is no memory for it. */
typedef struct hbg_verify_prover hbg_verify_prover;
hbg_verify_prover *hbg_verify_prover_new(hbg_memory *memory);
void hbg_verify_prover_free(hbg_verify_prover *prover); /* NULL is fine */

/* What all questions about one structure share; everything borrowed outlives it. */
typedef struct hbg_verify_modes hbg_verify_modes;
hbg_verify_modes *hbg_verify_modes_new(hbg_arena *arena, hbg_verify_prover *prover,
                                       const hbg_causal_structure *structure,
                                       const hbg_verify_options *options);

typedef struct {
    hbg_verdict verdict;
    int32_t *states;    /* of a witness, by automaton: index of the state; else NULL */
    const char *reason; /* why it is undecided; else NULL */
    int32_t searches;   /* questions put to the prover */
    int32_t judged;     /* single modes judged */
} hbg_verify_result;

/* Whether a mode that can exist has no valid assignment. Of the automata in a witness as few as the search
 * could manage are away from their start. */
hbg_verify_result hbg_verify_causality(hbg_verify_modes *modes);

/* Whether there is a mode in which a storage is dependent: some assignment with the fewest derivative storages
 * has this port in derivative causality (of two capacitors in parallel either may be the one, so both are).
 * Counted are modes in which the part of the graph around it, all that is joined to it through junctions that
 * are on, has a valid assignment. */
hbg_verify_result hbg_verify_dependence(hbg_verify_modes *modes, int32_t element, int32_t port);

#endif
