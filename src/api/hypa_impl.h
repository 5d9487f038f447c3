/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as processes, one for each independent part. Part of src/api. */
#ifndef HBG_API_HYPA_IMPL_H
#define HBG_API_HYPA_IMPL_H

#include "api/image_impl.h"
#include "api/run_impl.h"
#include "verify/verify.h"

typedef struct {
    hbg_session *session;
    const hbg_hypa_options *asked; /* NULL: nothing was */
    int32_t limit, timeout_ms;
    bool chooses;     /* what is left open is free */
    const char *name; /* of the model */
    hbg_process *parts;
    const char **names; /* by part */
    hbg_model **models; /* by part */
    int32_t experiment; /* of these; HBG_NONE: none */
    int32_t part_count;
    hbg_paper_request request;
    hbg_paper *papers; /* by part */
} hypa_work;

enum {
    HBG_API_PART_MS = 300000,
    HBG_API_QUESTION_MS = 5000
}; /* computing time for a part, and for one question */

/* hypa.c: makes session->run, and finds the parts; their processes in form exact. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_begin(hypa_work *work, const hbg_model *given);
HBG_MUST_CHECK hbg_status hbg_api_hypa_split(hypa_work *work, hbg_model *model, int32_t experiment);
HBG_MUST_CHECK hbg_status hbg_api_hypa_exact(hypa_work *work);
/* The parts of the model of session->run, with the settings of its experiment, or HBG_NONE. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_parts(hypa_work *work, hbg_model *model, int32_t experiment);

/* hypa_report.c: the same for programs. */
hbg_api_report *hbg_api_hypa_report(const hypa_work *work);

/* hypa_paper.c: words of options as what they mean; the parts in form paper, printed. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_options(hypa_work *work);
HBG_MUST_CHECK hbg_status hbg_api_hypa_paper(hypa_work *work, hbg_text *text);
hbg_verify_options hbg_api_hypa_limits(const hypa_work *work);
/* hypa_paper_report.c */
hbg_api_report *hbg_api_hypa_paper_report(const hypa_work *work);

#endif
