/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes by name, and a model's causality in one of them. */
#ifndef HBG_API_MODE_IMPL_H
#define HBG_API_MODE_IMPL_H

#include "api/api_impl.h"
#include "causal/causal.h"

/* The state of every automaton, in scratch memory. HBG_NOT_FOUND with a reason if the text names none such.
 */
HBG_MUST_CHECK hbg_status hbg_mode_read(hbg_session *session, const hbg_model *model, const char *text,
                                        int32_t **states);
const char *hbg_mode_text(hbg_session *session, const hbg_model *model, const int32_t *states);

/* Everything there is to say about the causality of one mode; all in scratch memory. */
typedef struct {
    const hbg_model *model;
    hbg_causal_structure *structure;
    hbg_causal_assignment *assignment;
    int32_t *states;
    bool *on;      /* by place */
    bool *forced;  /* by place; NULL if the mode has no valid assignment */
    int32_t *loop; /* by place; likewise */
    int32_t loop_count;
    hbg_causal_conflict_set conflict; /* empty if the mode is valid */
} hbg_mode_causality;

HBG_MUST_CHECK hbg_status hbg_mode_causality_find(hbg_session *session, const hbg_model *model,
                                                  const char *mode, bool integral,
                                                  hbg_mode_causality *result);

/* Words for a place: "fixed", "constrained", … joined by commas. */
const char *hbg_mode_place_words(hbg_session *session, const hbg_mode_causality *causality, int32_t place);
/* All links of the place are in fixed causality. */
bool hbg_mode_place_fixed(const hbg_mode_causality *causality, int32_t place);

#endif
