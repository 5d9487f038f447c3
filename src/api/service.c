/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service of the public header: the open documents, and their last readings. A document is read
 * when a question about it comes and something has changed since. */
#include "api/service_impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

hbg_service_options hbg_service_options_default(void) {
    return (hbg_service_options){.memory_limit = (size_t)2 << 30};
}

const char *hbg_service_kind_text(hbg_service_kind kind) {
    return hbg_lang_service_kind_text(kind);
}

const char *hbg_gesture_text(hbg_gesture_kind kind) {
    static const char *const texts[] = {
#define X(id, name, needs) name,
        HBG_GESTURE_LIST(X)
#undef X
    };
    return kind >= 0 && kind < HBG_GESTURE_COUNT ? texts[kind] : "";
}

/* ---- the service ----------------------------------------------------------------------------------------- */

static hbg_status fill(hbg_service *service, const hbg_service_options *options) {
    HBG_ENTER_SERVICE(service);
    const char **search = HBG_NEW_ARRAY(&service->arena, const char *, options->search_count + 1);
    for (int i = 0; i < options->search_count; i++)
        search[i] = hbg_base_arena_copy(&service->arena, options->search[i], strlen(options->search[i]));
    service->workspace.search = search;
    service->workspace.search_count = options->search_count;
    if (options->folder)
        service->workspace.folder =
            hbg_base_arena_copy(&service->arena, options->folder, strlen(options->folder));
    service->workspace.units = hbg_lang_units_new();
    if (!service->workspace.units) hbg_base_memory_exhausted(&service->memory);
    return hbg_api_service_leave(service, HBG_OK);
}

hbg_status hbg_service_new(const hbg_service_options *options, hbg_service **service) {
    hbg_service_options used = options ? *options : hbg_service_options_default();
    *service = NULL;
    hbg_service *made = calloc(1, sizeof *made);
    if (!made) return HBG_NO_MEMORY;
    made->memory.limit = used.memory_limit;
    made->memory.fail_at = used.fail_at;
    made->reason = "";
    hbg_base_arena_init(&made->arena, &made->memory);
    hbg_base_arena_init(&made->answer, &made->memory);
    hbg_status status = fill(made, &used);
    if (status != HBG_OK) {
        hbg_service_free(made);
        return status;
    }
    *service = made;
    return HBG_OK;
}

static void forget(service_reading *reading) {
    hbg_base_arena_fini(&reading->arena);
    reading->reading = NULL;
}

static void free_document(hbg_service *service, service_document *document) {
    forget(&document->now);
    forget(&document->good);
    free(document->path);
    free(document->real);
    if (document->text) hbg_base_memory_free(&service->memory, document->text, document->room);
    free(document);
}

void hbg_service_free(hbg_service *service) {
    if (!service) return;
    for (int i = 0; i < service->document_count; i++) free_document(service, service->documents[i]);
    free(service->documents);
    free(service->overlays);
    hbg_lang_units_free(service->workspace.units);
    hbg_base_arena_fini(&service->answer);
    hbg_base_arena_fini(&service->arena);
    free(service);
}

const char *hbg_service_reason(const hbg_service *service) {
    return service->reason;
}

hbg_status hbg_api_service_leave(hbg_service *service, hbg_status status) {
    HBG_GUARD_END(&service->memory);
    return status;
}

/* Whatever was being read is incomplete: it is read again. */
hbg_status hbg_api_service_exhausted(hbg_service *service) {
    HBG_GUARD_END(&service->memory);
    for (int i = 0; i < service->document_count; i++) {
        forget(&service->documents[i]->now);
        forget(&service->documents[i]->good);
    }
    hbg_base_arena_fini(&service->answer);
    hbg_base_arena_init(&service->answer, &service->memory);
    service->reason = "";
    return HBG_NO_MEMORY;
}

/* ---- documents ------------------------------------------------------------------------------------------- */

static service_document *find_document(const hbg_service *service, const char *path) {
    for (int i = 0; i < service->document_count; i++)
        if (strcmp(service->documents[i]->path, path) == 0) return service->documents[i];
    return NULL;
}

/* The texts of all documents, as the front end sees them in place of files. */
static void renew_overlays(hbg_service *service) {
    for (int i = 0; i < service->document_count; i++) {
        const service_document *document = service->documents[i];
        service->overlays[i] =
            (hbg_lang_overlay){document->path, document->real, document->text, document->size};
    }
    service->workspace.overlays = service->overlays;
    service->workspace.overlay_count = service->document_count;
    service->revision++;
}

static service_document *add_document(hbg_service *service, const char *path) {
    size_t count = (size_t)service->document_count + 1;
    service_document **documents = realloc(service->documents, count * sizeof *documents);
    if (documents) service->documents = documents;
    hbg_lang_overlay *overlays = realloc(service->overlays, count * sizeof *overlays);
    if (overlays) service->overlays = overlays;
    service_document *document = calloc(1, sizeof *document);
    char real[PATH_MAX];
    if (document) {
        document->path = strdup(path);
        document->real = strdup(realpath(path, real) ? real : path);
        hbg_base_arena_init(&document->now.arena, &service->memory);
        hbg_base_arena_init(&document->good.arena, &service->memory);
    }
    if (!documents || !overlays || !document || !document->path || !document->real) {
        if (document) free_document(service, document);
        return NULL;
    }
    service->documents[service->document_count++] = document;
    return document;
}

/* Replaces a part of the text. */
static hbg_status splice(hbg_service *service, service_document *document, size_t start, size_t end,
                         const char *text, size_t size) {
    size_t left = document->size - (end - start);
    if (size > HBG_LANG_FILE_LIMIT || left + size > HBG_LANG_FILE_LIMIT) return HBG_TOO_LARGE;
    size_t room = left + size + 1;
    char *made = hbg_base_memory_alloc(&service->memory, room);
    if (!made) return HBG_NO_MEMORY;
    if (start > 0) memcpy(made, document->text, start);
    if (size > 0) memcpy(made + start, text, size);
    if (document->size > end) memcpy(made + start + size, document->text + end, document->size - end);
    made[room - 1] = 0;
    if (document->text) hbg_base_memory_free(&service->memory, document->text, document->room);
    document->text = made;
    document->size = room - 1;
    document->room = room;
    renew_overlays(service);
    return HBG_OK;
}

hbg_status hbg_service_open(hbg_service *service, const char *path, const char *text, size_t size) {
    service->reason = "";
    if (strlen(path) >= PATH_MAX) return HBG_BAD_ARGUMENT;
    service_document *document = find_document(service, path);
    bool fresh = !document;
    if (fresh) document = add_document(service, path);
    if (!document) return HBG_NO_MEMORY;
    hbg_status status = splice(service, document, 0, document->size, text, size);
    if (status != HBG_OK && fresh) hbg_service_close(service, path);
    return status;
}

hbg_status hbg_service_change(hbg_service *service, const char *path, size_t start, size_t end,
                              const char *text, size_t size) {
    service->reason = "";
    service_document *document = find_document(service, path);
    if (!document) return HBG_NOT_FOUND;
    if (start > end || end > document->size) return HBG_BAD_ARGUMENT;
    return splice(service, document, start, end, text, size);
}

void hbg_service_close(hbg_service *service, const char *path) {
    for (int i = 0; i < service->document_count; i++) {
        if (strcmp(service->documents[i]->path, path) != 0) continue;
        free_document(service, service->documents[i]);
        service->documents[i] = service->documents[--service->document_count];
        renew_overlays(service);
        return;
    }
}

void hbg_service_touch(hbg_service *service) {
    service->revision++;
}

const char *hbg_service_text(const hbg_service *service, const char *path, size_t *size) {
    const service_document *document = find_document(service, path);
    *size = document ? document->size : 0;
    return document ? document->text : NULL;
}

/* ---- readings -------------------------------------------------------------------------------------------- */

service_document *hbg_api_service_read(hbg_service *service, const char *path) {
    service_document *document = find_document(service, path);
    hbg_base_arena_fini(&service->answer);
    hbg_base_arena_init(&service->answer, &service->memory);
    if (!document) return NULL;
    if (document->now.reading && document->revision == service->revision) return document;
    // the last model stays until there is another
    if (document->now.reading && hbg_lang_reading_model(document->now.reading)) {
        forget(&document->good);
        document->good = document->now;
        hbg_base_arena_init(&document->now.arena, &service->memory);
    } else {
        forget(&document->now);
        hbg_base_arena_init(&document->now.arena, &service->memory);
    }
    document->now.reading = NULL;
    document->now.reading = hbg_lang_reading_new(&document->now.arena, &service->workspace, document->path,
                                                 document->text, document->size, true);
    document->revision = service->revision;
    return document;
}

hbg_status hbg_api_service_fail(hbg_service *service, hbg_status status, const char *reason) {
    service->reason = reason;
    return status;
}
