/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The inside of a session. Every public function that allocates sets the guard of the session's memory, does
 * its work, and ends the guard: exhaustion anywhere below comes back here as a status. */
#ifndef HBG_API_IMPL_H
#define HBG_API_IMPL_H

#include "api/api.h"
#include "lang/lang.h"

struct hbg_origin; /* image_impl.h */

struct hbg_session {
    hbg_memory memory;
    hbg_arena arena;   /* names, sources, diagnostics, models */
    hbg_arena scratch; /* emptied at the end of every call */
    hbg_arena trial;   /* likewise: for a text that is read within a call to test whether it can be */
    hbg_arena tried;   /* what was read of it */
    hbg_names names;
    hbg_sources sources;
    hbg_diagnostics diagnostics;
    hbg_lang lang;
    const char *reason;
    struct hbg_verify_prover *prover;   /* made on first use */
    struct json_t *json;                /* under construction: freed also when memory runs out halfway, */
    char *printed;                      /* as is its text, */
    struct hbg_run_state *run;          /* and a run on its way, */
    struct hbg_sweep_state *sweep;      /* or many, */
    struct hbg_explore_state *explore;  /* or those that explore choices */
    struct hbg_origin *origins;         /* of the models */
    struct hbg_results_keeper *results; /* of a run on its way, */
    struct hbg_session *making;         /* or memory of a simulation that is being made */
    struct hbg_simulation *simulation;  /* that lives in this one */
};

/* Opens a public function: on exhaustion the function `exhausted` cleans up, and its status is returned. */
#define HBG_ENTER_OR(session, exhausted)                                                                     \
    jmp_buf guard_;                                                                                          \
    (session)->reason = "";                                                                                  \
    if (HBG_GUARD(&(session)->memory, guard_)) return exhausted(session)
/* The same for a function that gives back only memory. Close with hbg_api_session_leave. */
#define HBG_ENTER(session) HBG_ENTER_OR(session, hbg_api_session_exhausted)

hbg_status hbg_api_session_exhausted(hbg_session *session);
/* Ends the guard and empties the scratch arena; returns its status argument. */
hbg_status hbg_api_session_leave(hbg_session *session, hbg_status status);
/* Fails with a reason in words. */
hbg_status hbg_api_session_fail(hbg_session *session, hbg_status status, const char *format, ...)
    HBG_PRINTF(3, 4);

/* Copies a finished text out of the scratch arena for the caller. */
hbg_status hbg_api_text_of(hbg_session *session, const char *data, size_t size, hbg_text *text);

/* Path, expression and value as text in the scratch arena. */
const char *hbg_api_text_path(hbg_session *session, const hbg_model *model, hbg_object object);
const char *hbg_api_text_expr(hbg_session *session, const hbg_model *model, hbg_expr expr);
const char *hbg_api_text_unit(hbg_session *session,
                              hbg_dimension dimension); /* "" if unknown or a pure number */
/* Likewise of a parameter, a signal or an expression: by the name it was written with, or that of its
 * domain. */
const char *hbg_api_text_object_unit(hbg_session *session, const hbg_model *model, hbg_object object);
const char *hbg_api_text_expr_unit(hbg_session *session, const hbg_model *model, hbg_expr expr);

#endif
