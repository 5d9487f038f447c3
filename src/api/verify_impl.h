/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The result of `hbg verify`, for people and for programs. */
#ifndef HBG_API_VERIFY_IMPL_H
#define HBG_API_VERIFY_IMPL_H

#include "api/mode_impl.h"
#include "api/run_impl.h"
#include "verify/verify.h"

typedef struct {
    hbg_session *session;
    const hbg_model *model; /* sorted */
    const hbg_eqn_outline *system;
    const hbg_consistency_result *result;
    hbg_api_report *groups; /* as far as they are listed; NULL: none is */
    bool inconsistent;      /* the switching of one of them is wrong */
    bool enters_invalid;    /* a search of one of them enters a mode without a valid assignment */
} verify_report;

/* verify_report.c */
hbg_api_report *hbg_api_verify_report(const verify_report *report);
/* Adds a group to the report that is the listener; see hbg_verify_options. */
void hbg_api_verify_list_group(void *listener, const hbg_group_result *group);
/* "yes", "no", "not decided": whether what was sought exists */
const char *hbg_api_verify_existence_word(hbg_verdict verdict);
/* A discrete state of a group, by the names of its automata. */
void hbg_api_verify_put_states(const verify_report *report, hbg_api_report *object, const char *key,
                               const hbg_group_result *group, const int32_t *states);

/* verify_plot.c: what the picture shows, before anything is proved: false names and values are refused. */
typedef struct {
    const char *axes;
    const char *const *at;
    int at_count;
} verify_plot_request;
hbg_status hbg_api_verify_check_plot(const verify_report *report, const verify_plot_request *request);
/* The phase space of a group over two variables, as an SVG document. */
hbg_status hbg_api_verify_put_phases(const verify_report *report, const verify_plot_request *request,
                                     hbg_buffer *out);

/* verify_repair.c: the new line of a source, with the condition of a repair; false if there is none. */
typedef struct {
    const char *path;
    int32_t line, lines; /* from 1; how many lines it replaces */
    const char *write;
    bool refused; /* it cannot be written in this way: the model would have errors */
} verify_edit;
bool hbg_api_verify_repair(const verify_report *report, const hbg_repair *repair, verify_edit *edit);

/* "diode=blocking, relay=open": the automata of a group */
const char *hbg_api_verify_states_text(const verify_report *report, const hbg_group_result *group,
                                       const int32_t *states);
/* The transitions of a step: "diode: blocking -> conducting when node.e <= -Vd" */
const char *hbg_api_verify_taken_text(const verify_report *report, const hbg_group_result *group,
                                      const hbg_witness_step *step);
const char *hbg_api_verify_transition_text(const verify_report *report, int32_t automaton, int32_t state,
                                           int32_t transition);

/* verify_finding.c */
const char *hbg_api_verify_state_name(const verify_report *report, int32_t automaton, int32_t state);
/* "diode, relay and 4 more" */
const char *hbg_api_verify_group_text(const verify_report *report, const hbg_group_result *group);
void hbg_api_verify_put_finding(const verify_report *report, const hbg_group_result *group,
                                const hbg_finding *finding, hbg_api_report *list);
/* Inequalities that hold together, without those that add nothing for a reader. */
void hbg_api_verify_put_conjunction(const char *text, hbg_buffer *out);
int32_t hbg_api_verify_told_of(int32_t count); /* of so many alternatives */
bool hbg_api_verify_is_everywhere(const char *const *words, int32_t count);

#endif
