/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures of the diagram as edits of the text, and what can be put into it. */
#include <string.h>

#include "hbg/service.h"
#include "studio/studio_impl.h"

/* A service with the text of the question open in it; NULL after an answer that says why not. */
static hbg_service *open_text(hbg_studio_question *question, hbg_studio_answer *answer, char path[PATH_MAX]) {
    const char *text = hbg_studio_asked_text(question, "text"), *why;
    const char *name = hbg_studio_asked_text(question, "path");
    if (!text || !name || !hbg_studio_resolve(question->studio, name, path, &why)) {
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN, "%s", text && name ? why : "the question has no text");
        return NULL;
    }
    hbg_service_options options = hbg_service_options_default();
    options.search = (const char *const *)question->studio->search;
    options.search_count = question->studio->search_count;
    options.folder = question->studio->folder;
    options.memory_limit = HBG_STUDIO_SESSION_MOST;
    hbg_service *service;
    if (hbg_service_new(&options, &service) != HBG_OK) {
        answer->body.failed = true;
        return NULL;
    }
    if (hbg_service_open(service, path, text, strlen(text)) == HBG_OK) return service;
    hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "%s", hbg_service_reason(service));
    hbg_service_free(service);
    return NULL;
}

static const char *text_of(json_t *asked, const char *key) {
    return json_string_value(json_object_get(asked, key));
}

static bool find_kind(const char *text, hbg_gesture_kind *kind) {
    for (int i = 0; text && i < HBG_GESTURE_COUNT; i++) {
        *kind = (hbg_gesture_kind)i;
        if (strcmp(hbg_gesture_text(*kind), text) == 0) return true;
    }
    return false;
}

/* What the page counts in is not bytes: UTF-16 units. */
static size_t units(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)text[i];
        count += (byte & 0xC0) != 0x80;
        count += byte >= 0xF0;
    }
    return count;
}

static void put_edits(hbg_studio_answer *answer, hbg_service *service, const hbg_service_edits *edits) {
    hbg_studio_text_put(&answer->body, "{\"name\":");
    hbg_studio_text_json(&answer->body, edits->name ? edits->name : "");
    hbg_studio_text_put(&answer->body, ",\"edits\":[");
    for (int32_t i = 0; i < edits->count; i++) {
        const hbg_service_edit *edit = &edits->items[i];
        size_t size;
        const char *text = hbg_service_text(service, edit->place.path, &size);
        size_t start = text ? units(text, edit->place.start) : edit->place.start;
        size_t end = text ? units(text, edit->place.end) : edit->place.end;
        hbg_studio_text_print(&answer->body, "%s{\"start\":%zu,\"end\":%zu,\"file\":", i ? "," : "", start,
                              end);
        hbg_studio_text_json(&answer->body, edit->place.path);
        hbg_studio_text_put(&answer->body, ",\"text\":");
        hbg_studio_text_json(&answer->body, edit->text);
        hbg_studio_text_put(&answer->body, "}");
    }
    hbg_studio_text_put(&answer->body, "]}");
}

#define OBJECTS_MOST 256

void hbg_studio_answer_gesture(hbg_studio_question *question, hbg_studio_answer *answer) {
    char path[PATH_MAX];
    json_t *asked = json_object_get(question->asked, "gesture"), *list = json_object_get(asked, "objects");
    hbg_gesture gesture = {.model = hbg_studio_asked_text(question, "model"),
                           .object = text_of(asked, "object"),
                           .other = text_of(asked, "other"),
                           .name = text_of(asked, "name"),
                           .what = text_of(asked, "what"),
                           .text = text_of(asked, "text"),
                           .placed = json_is_number(json_object_get(asked, "x")),
                           .x = json_number_value(json_object_get(asked, "x")),
                           .y = json_number_value(json_object_get(asked, "y"))};
    const char *objects[OBJECTS_MOST];
    for (size_t i = 0; i < json_array_size(list) && gesture.object_count < OBJECTS_MOST; i++)
        if (json_is_string(json_array_get(list, i)))
            objects[gesture.object_count++] = json_string_value(json_array_get(list, i));
    gesture.objects = objects;
    if (!find_kind(text_of(asked, "kind"), &gesture.kind)) {
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "there is no such gesture");
        return;
    }
    hbg_service *service = open_text(question, answer, path);
    if (!service) return;
    hbg_service_edits edits = {0};
    hbg_status status = hbg_service_gesture(service, path, &gesture, &edits);
    if (status == HBG_OK) {
        put_edits(answer, service, &edits);
    } else {
        hbg_studio_text_put(&answer->body, "{\"error\":");
        hbg_studio_text_json(&answer->body, hbg_service_reason(service)[0] ? hbg_service_reason(service)
                                                                           : hbg_status_text(status));
        hbg_studio_text_put(&answer->body, "}");
    }
    hbg_service_free(service);
}

void hbg_studio_answer_palette(hbg_studio_question *question, hbg_studio_answer *answer) {
    char path[PATH_MAX];
    hbg_service *service = open_text(question, answer, path);
    if (!service) return;
    hbg_service_pieces pieces = {0};
    if (hbg_service_palette(service, path, &pieces) != HBG_OK) pieces.count = 0;
    hbg_studio_text_put(&answer->body, "{\"pieces\":[");
    for (int32_t i = 0; i < pieces.count; i++) {
        const hbg_service_piece *piece = &pieces.items[i];
        hbg_studio_text_print(&answer->body, "%s{\"component\":%s,\"name\":", i ? "," : "",
                              piece->kind == HBG_SERVICE_COMPONENT ? "true" : "false");
        hbg_studio_text_json(&answer->body, piece->name);
        hbg_studio_text_put(&answer->body, ",\"title\":");
        hbg_studio_text_json(&answer->body, piece->title);
        hbg_studio_text_put(&answer->body, ",\"file\":");
        hbg_studio_text_json(&answer->body, piece->file);
        hbg_studio_text_put(&answer->body, ",\"ports\":");
        hbg_studio_text_json(&answer->body, piece->ports);
        hbg_studio_text_put(&answer->body, "}");
    }
    hbg_studio_text_put(&answer->body, "]}");
    hbg_service_free(service);
}
