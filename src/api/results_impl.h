/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs with values: what is kept of a run while it goes on, and instants as the caller sees them. */
#ifndef HBG_API_RESULTS_IMPL_H
#define HBG_API_RESULTS_IMPL_H

#include "api/run_impl.h"
#include "hbg/simulation.h"

typedef struct hbg_results_keeper hbg_results_keeper;

/* Made in a session, which has it as `results` until the run has ended: then it is the caller's, or dropped where the status is no HBG_OK. */
hbg_results_keeper *hbg_api_results_new(hbg_session *session);
HBG_MUST_CHECK hbg_status hbg_api_results_end(hbg_session *session, const hbg_run_story *story,
                                              hbg_status status, const hbg_results **results);
void hbg_api_results_drop(hbg_session *session); /* if there is one */
/* The run is about to begin: what it will record. */
void hbg_api_results_begin(const hbg_run_story *story);
/* A row, time first; and an instant. Neither jumps out: false, and no further rows, where memory ends. */
bool hbg_api_results_row(hbg_results_keeper *keeper, const double *row);
void hbg_api_results_event(hbg_results_keeper *keeper, const hbg_sim_event *event);

/* An instant in the words of the public header. Of its modes there are no more than HBG_RESULTS_MODES; these and all else belong to the event. */
enum { HBG_RESULTS_MODES = 64 };
hbg_event hbg_api_results_told(const hbg_sim_event *event, hbg_event_mode modes[HBG_RESULTS_MODES]);
/* Names, copied to the arena. */
hbg_value_info hbg_api_results_info(hbg_arena *arena, const hbg_rt_variable *of);
const hbg_automaton_info *hbg_api_results_automata(hbg_arena *arena, const hbg_rt_description *system);

#endif
