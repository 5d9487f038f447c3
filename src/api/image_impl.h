/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models that were read from an image, with their code. */
#ifndef HBG_API_IMAGE_IMPL_H
#define HBG_API_IMAGE_IMPL_H

#include "api/api_impl.h"
#include "rt/package.h"
#include "sim/sim.h"

typedef struct hbg_origin {
    struct hbg_origin *next;
    const hbg_model *model;
    const char *path; /* of the file */
    hbg_rt_bundle image;
    const char *solver; /* that it was compiled with; NULL: none was asked for */
    double rtol, atol;  /* likewise; 0 */
} hbg_origin;

/* Of a model of this session; NULL: it was read from text. */
const hbg_origin *hbg_api_origin_of(const hbg_session *session, const hbg_model *model);
/* Options of a run, with those of the image where nothing else is asked for. */
hbg_run_options hbg_api_run_options(const hbg_session *session, const hbg_model *model,
                                    const hbg_run_options *options);
/* compile.c: a copy of bytes in scratch memory, NULL where that is exhausted */
const char *hbg_api_keep_bytes(hbg_session *session, const void *bytes, size_t size);
hbg_lang_options hbg_api_lang_options(const hbg_load_options *options);

#endif
