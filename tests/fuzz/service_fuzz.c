/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a document of the language service: every question at places drawn from it, every gesture on names of it. Edits
 * that come back lie inside the text, in order; the first byte draws places and names. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *claim) {
    if (condition) return;
    fprintf(stderr, "does not hold: %s\n", claim);
    abort();
}

static void judge(hbg_status status, const hbg_service_edits *edits, size_t size) {
    if (status != HBG_OK) return;
    size_t at = 0;
    for (int32_t i = 0; i < edits->count; i++) {
        hbg_service_place place = edits->items[i].place;
        if (strcmp(place.path, "fuzz.hbg") != 0) continue;
        expect(place.start >= at && place.end >= place.start && place.end <= size,
               "edits are in order and in the text");
        at = place.end;
    }
}

/* The word at a place, as the name of an object. */
static void word_at(const char *text, size_t size, size_t offset, char word[64]) {
    size_t length = 0;
    while (offset + length < size && length < 63 && text[offset + length] > ' ') length++;
    memcpy(word, text + offset, length);
    word[length] = 0;
}

static void ask(hbg_service *service, size_t size, size_t offset) {
    hbg_service_hover hover;
    hbg_service_place place;
    hbg_service_completions completions;
    hbg_service_signature signature;
    hbg_service_edits edits;
    (void)!hbg_service_hover_at(service, "fuzz.hbg", offset, &hover);
    (void)!hbg_service_definition(service, "fuzz.hbg", offset, &place);
    if (hbg_service_complete(service, "fuzz.hbg", offset, &completions) == HBG_OK)
        expect(completions.place.start <= size && completions.place.end <= size,
               "a completion is in the text");
    (void)!hbg_service_signature_at(service, "fuzz.hbg", offset, &signature);
    judge(hbg_service_rename(service, "fuzz.hbg", offset, "renamed", &edits), &edits, size);
}

static void gesture(hbg_service *service, size_t size, const char *one, const char *other) {
    hbg_service_edits edits;
    const char *objects[] = {one, other};
    for (int kind = 0; kind < HBG_GESTURE_COUNT; kind++) {
        hbg_gesture made = {
            .kind = kind, .object = one, .other = other, .name = "Fresh", .what = one, .text = other};
        made.objects = objects;
        made.object_count = 2;
        judge(hbg_service_gesture(service, "fuzz.hbg", &made, &edits), &edits, size);
        made.what = "R";
        made.text = NULL;
        made.placed = true;
        judge(hbg_service_gesture(service, "fuzz.hbg", &made, &edits), &edits, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    hbg_service_options options = hbg_service_options_default();
    options.memory_limit = (size_t)256 << 20;
    options.folder = "/nonexistent";
    hbg_service *service;
    if (hbg_service_new(&options, &service) != HBG_OK) return 0;
    hbg_service_diagnostics diagnostics;
    hbg_service_symbols symbols;
    hbg_service_tokens tokens;
    hbg_service_hints hints;
    hbg_service_edits edits;
    if (hbg_service_open(service, "fuzz.hbg", text, size) == HBG_OK) {
        (void)!hbg_service_diagnose(service, "fuzz.hbg", &diagnostics);
        (void)!hbg_service_outline(service, "fuzz.hbg", &symbols);
        (void)!hbg_service_tokens_of(service, "fuzz.hbg", &tokens);
        (void)!hbg_service_hints_of(service, "fuzz.hbg", &hints);
        judge(hbg_service_format(service, "fuzz.hbg", &edits), &edits, size);
        size_t step = size > 0 ? 1 + (size_t)data[0] * 7 % size : 1;
        char words[2][64] = {"", ""};
        for (int i = 0; i < 6 && size > 0; i++) {
            size_t offset = (step * (size_t)(i + 1) * 13) % (size + 1);
            ask(service, size, offset);
            word_at(text, size, offset < size ? offset : 0, words[i % 2]);
            if (i % 2) gesture(service, size, words[0], words[1]);
        }
    }
    hbg_service_free(service);
    return 0;
}
