/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs with values: what is kept during a run, and instants as the caller sees them. */
#ifndef HBG_API_RESULTS_IMPL_H
#define HBG_API_RESULTS_IMPL_H

#include "api/run_impl.h"
#include "hbg/simulation.h"

typedef struct hbg_results_keeper hbg_results_keeper;

/* Made in a session, which has it as `results` until the run has ended: then it belongs to the caller, or is
 * dropped if the status is not HBG_OK. */
hbg_results_keeper *hbg_api_results_new(hbg_session *session);
HBG_MUST_CHECK hbg_status hbg_api_results_end(hbg_session *session, const hbg_run_story *story,
                                              hbg_status status, const hbg_results **results);
void hbg_api_results_drop(hbg_session *session); /* if there is one */
/* The run is about to begin: what it will record. */
void hbg_api_results_begin(const hbg_run_story *story);
/* A row, time first; and an instant. Neither jumps out: if memory runs out they return false, and there are
 * no further rows. */
bool hbg_api_results_row(hbg_results_keeper *keeper, const double *row);
void hbg_api_results_event(hbg_results_keeper *keeper, const hbg_sim_event *event);

/* An instant in the words of the public header. It has at most HBG_RESULTS_MODES modes; these and all else
 * belong to the event. */
enum { HBG_RESULTS_MODES = 64 };
hbg_event hbg_api_results_told(const hbg_sim_event *event, hbg_event_mode modes[HBG_RESULTS_MODES]);
/* Names, copied to the arena. */
hbg_value_info hbg_api_results_info(hbg_arena *arena, const hbg_rt_variable *of);
const hbg_automaton_info *hbg_api_results_automata(hbg_arena *arena, const hbg_rt_description *system);

#endif
