/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The studio: a server on the loopback address whose page shows, runs, breaks and proves the models of a
 * folder (docs/studio.md). */
#ifndef HBG_STUDIO_H
#define HBG_STUDIO_H

#include "hbg/hbg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hbg_studio hbg_studio;

typedef struct {
    const char *folder;        /* the page may read and write this folder and everything below */
    const char *file;          /* opened first, a path below the folder; NULL: none */
    int port;                  /* 0: any free one */
    const char *token;         /* the end of the address; NULL: random */
    const char *const *search; /* folders for imports, in order */
    int search_count;
    const char *sources, *engine; /* as in hbg_export_fmu_options; NULL: exports that need them are refused */
} hbg_studio_options;

/* Starts to serve, in separate threads. On failure *reason, of `size` bytes, says why: a port in use, a
 * missing folder, a page that was not built. */
HBG_MUST_CHECK hbg_status hbg_studio_new(const hbg_studio_options *options, hbg_studio **studio, char *reason,
                                         size_t size);
/* http://127.0.0.1:PORT/?token=TOKEN */
const char *hbg_studio_address(const hbg_studio *studio);
/* Whether the page is part of this program: not if npm was missing during the build. */
bool hbg_studio_has_page(void);
/* Ends all work and every connection. NULL does nothing. */
void hbg_studio_free(hbg_studio *studio);

#ifdef __cplusplus
}
#endif

#endif
