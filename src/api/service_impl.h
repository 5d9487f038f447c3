/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The inside of a language service. */
#ifndef HBG_API_SERVICE_IMPL_H
#define HBG_API_SERVICE_IMPL_H

#include "hbg/service.h"
#include "lang/lang.h"

typedef struct {
    hbg_arena arena;
    hbg_lang_reading *reading; /* in the arena; NULL: there is none */
} service_reading;

typedef struct {
    char *path, *real; /* in the spelling of the editor, and resolved */
    char *text;        /* NUL behind it */
    size_t size, room;
    service_reading now;  /* as it stood at the revision */
    service_reading good; /* the last before that was a model */
    int64_t revision;
} service_document;

struct hbg_service {
    hbg_memory memory;
    hbg_arena arena;  /* of what lasts as long as the service */
    hbg_arena answer; /* emptied by the next question */
    hbg_lang_workspace workspace;
    service_document **documents;
    hbg_lang_overlay *overlays; /* room for as many */
    int document_count;
    int64_t revision; /* counts what has changed */
    const char *reason;
};

/* Opens a public function: if memory runs out, all readings are forgotten. */
#define HBG_ENTER_SERVICE(service)                                                                           \
    jmp_buf guard_;                                                                                          \
    (service)->reason = "";                                                                                  \
    if (HBG_GUARD(&(service)->memory, guard_)) return hbg_api_service_exhausted(service)

hbg_status hbg_api_service_exhausted(hbg_service *service);
hbg_status hbg_api_service_leave(hbg_service *service, hbg_status status);
hbg_status hbg_api_service_fail(hbg_service *service, hbg_status status, const char *reason);
/* The document with its present reading; NULL if it is not open. Begins a new answer. */
service_document *hbg_api_service_read(hbg_service *service, const char *path);

#endif
