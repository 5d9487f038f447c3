/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as processes, one for each independent part. Part of src/api. */
#ifndef HBG_API_HYPA_IMPL_H
#define HBG_API_HYPA_IMPL_H

#include "api/image_impl.h"
#include "api/run_impl.h"
#include "verify/verify.h"

typedef HBG_VEC(const int32_t *) hypa_modes;

typedef struct {
    hbg_session *session;
    const hbg_hypa_options *asked; /* NULL: nothing was */
    int32_t limit, timeout_ms;
    bool chooses;     /* what is left open is free */
    const char *name; /* of the model */
    hbg_process *parts;
    const char **names;        /* by part */
    hbg_model **models;        /* by part */
    int32_t experiment;        /* of these; HBG_NONE: none */
    const hypa_modes *visited; /* by part: modes that form exact covers; NULL: all */
    int32_t part_count;
    hbg_paper_request request;
    hbg_paper *papers; /* by part */
} hypa_work;

/* A run in terms of a part. */
typedef struct {
    const hbg_process *of;
    HBG_VEC(hbg_process_point) points;
    bool cut; /* the run continues after them: its verdict was a warning */
} hypa_part_trace;

typedef struct {
    hypa_part_trace *parts; /* by part */
    double tolerance;       /* relative error that a law may have */
    const char *broke;      /* why the run did not get to its end; NULL: it did */
    hbg_rt_verdict verdict;
    double end;
    bool fits; /* its steps have variable size, though those of the experiment are fixed */
} hypa_trace;

enum {
    HBG_API_PART_MS = 300000,
    HBG_API_QUESTION_MS = 5000
}; /* computing time for a part, and for one question */

/* hypa.c: makes session->run, and finds the parts; their processes in form exact. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_begin(hypa_work *work, const hbg_model *given);
HBG_MUST_CHECK hbg_status hbg_api_hypa_split(hypa_work *work, hbg_model *model, int32_t experiment);
HBG_MUST_CHECK hbg_status hbg_api_hypa_exact(hypa_work *work);

/* hypa_report.c: the same for programs. */
hbg_api_report *hbg_api_hypa_report(const hypa_work *work);
const char *hbg_api_hypa_term(const hypa_work *work, const hbg_process *of, hbg_term term);
void hbg_api_hypa_put_all(const hypa_work *work, const hbg_process *of, hbg_api_report *in, const char *key,
                          const hbg_process_all *all);

/* hypa_trace.c: runs the model and makes the process of each part for the modes it was in. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_trace(hypa_work *work, const hbg_model *model,
                                             const hbg_run_options *options, hypa_trace *made);

/* hypa_check.c: which difference between 003 and hbg explains a refusal; HBG_DIFFERENCE_COUNT: none. */
hbg_difference hbg_api_hypa_explain(const hbg_model *model, const hbg_process_judgement *made);

/* hypa_paper.c: the meaning of option words; the parts in form paper, printed. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_options(hypa_work *work);
HBG_MUST_CHECK hbg_status hbg_api_hypa_paper(hypa_work *work, hbg_text *text);
hbg_verify_options hbg_api_hypa_limits(const hypa_work *work);
/* hypa_paper_report.c */
hbg_api_report *hbg_api_hypa_paper_report(const hypa_work *work);

#endif
