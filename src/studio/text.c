/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Growing texts, and the fields of a question. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "studio/studio_impl.h"

void hbg_studio_text_add(hbg_studio_text *text, const void *data, size_t size) {
    if (text->failed) return;
    if (size >= text->room - text->size) {
        size_t room = text->room < 256 ? 256 : text->room;
        while (room - text->size <= size && room <= SIZE_MAX / 2) room *= 2;
        char *larger = realloc(text->data, room);
        if (!larger) {
            text->failed = true;
            return;
        }
        text->data = larger;
        text->room = room;
    }
    if (size > 0) memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void hbg_studio_text_put(hbg_studio_text *text, const char *words) {
    hbg_studio_text_add(text, words, strlen(words));
}

static void print(hbg_studio_text *text, const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *made = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!made) {
        text->failed = true;
        return;
    }
    (void)vsnprintf(made, (size_t)size + 1, format, values);
    hbg_studio_text_add(text, made, (size_t)size);
    free(made);
}

void hbg_studio_text_print(hbg_studio_text *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    print(text, format, values);
    va_end(values);
}

/* Bytes that are not UTF-8, for example in the name of a file, become question marks. */
void hbg_studio_text_json(hbg_studio_text *text, const char *words) {
    if (!words) {
        hbg_studio_text_put(text, "null");
        return;
    }
    json_t *value = json_string(words);
    if (!value) {
        char *clean = strdup(words);
        value = clean ? json_string(hbg_text_clean(clean, true)) : NULL;
        free(clean);
    }
    char *printed = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    if (printed)
        hbg_studio_text_put(text, printed);
    else
        text->failed = true;
    free(printed);
}

void hbg_studio_text_free(hbg_studio_text *text) {
    free(text->data);
    *text = (hbg_studio_text){0};
}

/* ---- questions and answers ----------------------------------------------------------------------------- */

const char *hbg_studio_asked_text(const hbg_studio_question *question, const char *key) {
    return json_string_value(json_object_get(question->asked, key));
}

double hbg_studio_asked_number(const hbg_studio_question *question, const char *key) {
    return json_number_value(json_object_get(question->asked, key));
}

bool hbg_studio_asked_yes(const hbg_studio_question *question, const char *key) {
    return json_is_true(json_object_get(question->asked, key));
}

void hbg_studio_refuse(hbg_studio_answer *answer, unsigned status, const char *format, ...) {
    hbg_studio_text words = {0};
    va_list values;
    va_start(values, format);
    print(&words, format, values);
    va_end(values);
    answer->body.size = 0;
    answer->status = status;
    answer->type = NULL;
    hbg_studio_text_put(&answer->body, "{\"error\":");
    hbg_studio_text_json(&answer->body, words.data ? words.data : "");
    hbg_studio_text_put(&answer->body, "}");
    hbg_studio_text_free(&words);
}
