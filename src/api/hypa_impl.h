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
    int32_t limit, timeout_ms;
    const char *name; /* of the model */
    hbg_process *parts;
    const char **names;       /* by part */
    const hbg_model **models; /* by part */
    int32_t part_count;
} hypa_work;

/* hypa.c: makes session->run, and the parts. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_make(hypa_work *work, const hbg_model *given);
/* The parts of the model of session->run, with the settings of its experiment, or HBG_NONE. */
HBG_MUST_CHECK hbg_status hbg_api_hypa_parts(hypa_work *work, hbg_model *model, int32_t experiment);

/* hypa_report.c: the same for programs. */
hbg_api_report *hbg_api_hypa_report(const hypa_work *work);

#endif
