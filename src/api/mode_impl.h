/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes by name, and a model's causality in one of them. */
#ifndef HBG_API_MODE_IMPL_H
#define HBG_API_MODE_IMPL_H

#include "api/report_impl.h"
#include "causal/causal.h"
#include "eqn/eqn.h"

/* The state of every automaton, and which of them the text names (NULL: not asked for), in scratch memory.
 * HBG_NOT_FOUND with a reason if there is no such automaton or state. */
HBG_MUST_CHECK hbg_status hbg_api_mode_read(hbg_session *session, const hbg_model *model, const char *text,
                                            int32_t **states, bool **named);
/* The object with this path, given by its length; else HBG_OBJECT_NONE. */
hbg_object hbg_api_mode_find_path(const hbg_model *model, const char *path, size_t size);
const char *hbg_api_mode_text(hbg_session *session, const hbg_model *model, const int32_t *states);

/* The report on the causality of one mode; all in scratch memory. */
typedef struct {
    const hbg_model *model;
    const hbg_causal_structure *structure;
    hbg_causal_assignment *assignment;
    int32_t *states;
    bool *on;                      /* by place */
    bool *forced;                  /* by place; NULL if the mode has no valid assignment, or not asked for */
    hbg_causal_loop_members loops; /* likewise */
    hbg_causal_conflict_set conflict; /* empty if the mode is valid, if only as a limit */
    hbg_eqn_mode_limit limit;         /* not asked for where derivative causality is refused */
    hbg_eqn_shared_list shared;       /* of all modes, where asked for */
} hbg_mode_causality;

typedef enum {
    HBG_MODE_PLAIN,
    HBG_MODE_INTEGRAL, /* derivative causality is refused */
    HBG_MODE_START     /* what a check reports: neither `forced` nor `loops`, but `shared` */
} hbg_mode_wish;
HBG_MUST_CHECK hbg_status hbg_api_mode_causality_find(hbg_session *session, const hbg_model *model,
                                                      const char *mode, hbg_mode_wish wish,
                                                      hbg_mode_causality *result);

/* start_mode.c: the mode in which a run of the first experiment begins, its `set` included. */
const char *hbg_api_mode_first(hbg_session *session, const hbg_model *model);
/* start_mode.c: reports a start mode in which sources are in conflict. A separate public function, since it
 * makes a run. */
HBG_MUST_CHECK hbg_status hbg_api_mode_tell_start(hbg_session *session, const hbg_model *model);

/* fighting.c: bonds of sources that contradict each other in every mode, though the strokes of a ring fit;
 * usually none. */
hbg_causal_conflict_set hbg_api_mode_fighting(hbg_arena *arena, const hbg_causal_structure *structure);

/* shared_values.c: warns of guards and outputs that only the ratio of parasites decides. */
void hbg_api_mode_tell_shared(hbg_session *session, const hbg_model *model, const hbg_eqn_shared_list *list);

/* All links of the place are in fixed causality. */
bool hbg_api_mode_place_fixed(const hbg_mode_causality *causality, int32_t place);
/* The bonds that can ever determine a place, in any mode, as indices in scratch memory; returns how many. */
int32_t hbg_api_mode_place_candidates(hbg_session *session, const hbg_mode_causality *causality,
                                      int32_t place, int32_t **bonds);
/* The path of an element, with the port if it has several: `winding[2]`. */
const char *hbg_api_mode_port_text(hbg_session *session, const hbg_model *model, int32_t element,
                                   int32_t port);

/* causality_report.c: bonds that contradict each other, as a list, and the text before it. */
const char *hbg_api_mode_conflict_words(const hbg_causal_conflict_set *conflict);
void hbg_api_mode_put_conflict(hbg_api_report *report, const hbg_model *model,
                               const hbg_causal_conflict_set *conflict);

/* Causal paths, all in scratch memory. */
typedef struct {
    int32_t from, from_port, to, to_port; /* elements and their ports */
    int32_t first_step, step_count;       /* in list.steps */
} hbg_mode_path;

typedef struct {
    int32_t bond;
    bool effort;
} hbg_mode_path_step;

typedef struct {
    HBG_VEC(hbg_mode_path) items;
    HBG_VEC(hbg_mode_path_step) steps;
    bool complete; /* false: there are too many to read */
} hbg_mode_path_list;

hbg_mode_path_list hbg_api_mode_paths(hbg_session *session, const hbg_mode_causality *causality);
/* What a step carries, as the language names it: `b3.f`. */
const char *hbg_api_mode_step_text(hbg_session *session, const hbg_model *model, hbg_mode_path_step step);

/* causality_limit.c: adds the meaning of a mode that has a valid assignment only as a limit (semantics,
 * section 3a), with its bonds; `about` is its subject, with the text before it: " mode a=on". Nothing about
 * other modes. */
void hbg_api_mode_put_limit(hbg_api_report *report, const hbg_model *model, const hbg_eqn_mode_limit *limit,
                            const char *about);

#endif
