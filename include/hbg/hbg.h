/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg: hybrid bond graphs from text. The `hbg` command is built on this header alone.
 *
 *     hbg_session *session;
 *     hbg_model *model;
 *     if (hbg_session_new(NULL, &session) != HBG_OK) …
 *     hbg_status status = hbg_load_file(session, "diode.hbg", NULL, &model);
 *     if (status == HBG_BAD_MODEL) { hbg_text text; hbg_diagnostics_text(session, false, &text); … }
 *     hbg_session_free(session);
 *
 * Ownership: a session owns everything made in it but hbg_text, which is given back with hbg_text_free.
 * Arguments are borrowed for the call. Sessions share nothing: each may run in a thread of its own. No
 * function prints, exits, or keeps state outside its session. */
#ifndef HBG_HBG_H
#define HBG_HBG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbg/status.h"
#include "hbg/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hbg_session hbg_session; /* sources, diagnostics and models of one piece of work */
typedef struct hbg_model hbg_model;     /* a checked, flat hybrid bond graph; lives as long as its session */

/* The version of the library, "0.1.0"; compare with HBG_VERSION_MAJOR and so on of the header. */
const char *hbg_version(void);

/* ---- sessions ----------------------------------------------------------------------------------------- */

typedef struct {
    size_t memory_limit;       /* bytes; 0: none */
    int64_t fail_at;           /* the n-th allocation fails, for tests; 0: none */
    const char *const *search; /* folders for imports, in order */
    int search_count;
    bool warnings_are_errors;
} hbg_session_options;

hbg_session_options hbg_session_options_default(void);

/* Makes a session; NULL options are the default ones. */
HBG_MUST_CHECK hbg_status hbg_session_new(const hbg_session_options *options, hbg_session **session);
void hbg_session_free(hbg_session *session); /* NULL is fine */

/* Turns a warning off by its name ("unused-parameter"). HBG_NOT_FOUND if there is none such. */
HBG_MUST_CHECK hbg_status hbg_session_disable_warning(hbg_session *session, const char *name);
/* The names of all warnings and what they mean, by number; NULL beyond the last. */
const char *hbg_warning_name(int number, const char **summary);

/* In words, why the last failed call failed; "" if there is nothing to add to the status. */
const char *hbg_session_reason(const hbg_session *session);
size_t hbg_session_peak_memory(const hbg_session *session);

/* A text made for the caller. */
typedef struct {
    char *data; /* NUL behind it */
    size_t size;
} hbg_text;
void hbg_text_free(hbg_session *session, hbg_text *text);

/* ---- reading models ----------------------------------------------------------------------------------- */

typedef struct {
    const char *model;             /* which one of the file; NULL: the first */
    const char *const *parameters; /* "R1=220", "inverter.L=5 [mH]" */
    int parameter_count;
} hbg_load_options;

/* Reads, elaborates and checks a model. HBG_BAD_MODEL: the diagnostics say why. */
HBG_MUST_CHECK hbg_status hbg_load_file(hbg_session *session, const char *path,
                                        const hbg_load_options *options, hbg_model **model);
HBG_MUST_CHECK hbg_status hbg_load_text(hbg_session *session, const char *path, const char *text, size_t size,
                                        const hbg_load_options *options, hbg_model **model);

/* ---- diagnostics -------------------------------------------------------------------------------------- */

int64_t hbg_error_count(const hbg_session *session);
int64_t hbg_warning_count(const hbg_session *session);

/* All diagnostics for people: place, source line with a mark, notes, likely fix. */
HBG_MUST_CHECK hbg_status hbg_diagnostics_text(hbg_session *session, bool colour, hbg_text *text);
/* The same for programs, as JSON. */
HBG_MUST_CHECK hbg_status hbg_diagnostics_json(hbg_session *session, hbg_text *text);

/* ---- what a model holds ------------------------------------------------------------------------------- */

const char *hbg_model_title(const hbg_model *model); /* its name */
/* Elements, bonds, automata, parameters with units and values, as aligned text or as JSON. */
HBG_MUST_CHECK hbg_status hbg_list_text(hbg_session *session, const hbg_model *model, hbg_text *text);
HBG_MUST_CHECK hbg_status hbg_list_json(hbg_session *session, const hbg_model *model, hbg_text *text);
/* One line: "9 elements (3 junctions, 2 controlled), 8 bonds, 2 automata, …". */
HBG_MUST_CHECK hbg_status hbg_summary_text(hbg_session *session, const hbg_model *model, hbg_text *text);
/* Every table of the model, one line an object: for tests. */
HBG_MUST_CHECK hbg_status hbg_dump_text(hbg_session *session, const hbg_model *model, hbg_text *text);

/* ---- causality ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *mode; /* "relay=closed,breaker.latch=on"; automata not named are in their start states */
    bool integral;    /* refuse derivative causality */
} hbg_causality_options;

/* Determining bonds, dependent storages, loops and conflicts in one mode; *valid says whether it has a valid
 * assignment. HBG_NOT_FOUND: the mode names something that is not there. */
HBG_MUST_CHECK hbg_status hbg_causality_text(hbg_session *session, const hbg_model *model,
                                             const hbg_causality_options *options, bool *valid,
                                             hbg_text *text);
HBG_MUST_CHECK hbg_status hbg_causality_json(hbg_session *session, const hbg_model *model,
                                             const hbg_causality_options *options, bool *valid,
                                             hbg_text *text);
typedef enum { HBG_PROVED, HBG_VIOLATED, HBG_NOT_DECIDED } hbg_answer;

typedef struct {
    bool integral; /* refuse derivative causality */
    bool json;     /* answer as JSON instead of text */
} hbg_causality_all_options;

/* Whether every mode that can exist has a valid assignment, and which storages some mode makes dependent, decided
 * without walking the modes; a violated answer names a mode. */
HBG_MUST_CHECK hbg_status hbg_causality_all(hbg_session *session, const hbg_model *model,
                                            const hbg_causality_all_options *options, hbg_answer *answer,
                                            hbg_text *text);
/* Reports a diagnostic and returns HBG_BAD_MODEL if the start mode has no valid assignment. */
HBG_MUST_CHECK hbg_status hbg_check_start_mode(hbg_session *session, const hbg_model *model);

/* ---- drawing ------------------------------------------------------------------------------------------ */

typedef enum { HBG_DRAW_SVG, HBG_DRAW_PNG, HBG_DRAW_DOT } hbg_draw_format;

typedef struct {
    hbg_draw_format format;
    bool force;          /* also above 2000 nodes */
    bool values;         /* show values at elements */
    bool automata;       /* show states and transitions */
    bool strokes;        /* show the causality of a mode, where it has a valid one */
    const char *mode;    /* as in hbg_causality_options; NULL: the start mode */
    const char *compare; /* mark what is different in this mode; NULL: nothing */
} hbg_draw_options;

hbg_draw_options hbg_draw_options_default(void);
/* HBG_TOO_LARGE: see force. HBG_NOT_FOUND: a mode names what is not there. HBG_NO_PROGRAM: a program it calls is missing; the reason says which. */
HBG_MUST_CHECK hbg_status hbg_draw(hbg_session *session, const hbg_model *model,
                                   const hbg_draw_options *options, hbg_text *picture);

/* ---- text and files ----------------------------------------------------------------------------------- */

/* The canonical form of a text. HBG_BAD_MODEL if it does not parse. */
HBG_MUST_CHECK hbg_status hbg_format(hbg_session *session, const char *path, const char *text, size_t size,
                                     hbg_text *formatted);
/* Reads a regular file whole; writes one so that it is only ever complete. */
HBG_MUST_CHECK hbg_status hbg_read_file(hbg_session *session, const char *path, hbg_text *text);
HBG_MUST_CHECK hbg_status hbg_write_file(hbg_session *session, const char *path, const char *data,
                                         size_t size);

#ifdef __cplusplus
}
#endif

#endif
