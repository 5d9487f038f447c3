/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text that grows without jumping out where memory ends. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/run_events_impl.h"

static bool reserve(hbg_run_notes *notes, size_t more) {
    if (notes->failed) return false;
    if (more <= notes->capacity - notes->size) return true;
    size_t capacity = (notes->size + more) * 2 + 256;
    char *data = hbg_memory_alloc(notes->memory, capacity);
    notes->failed = data == NULL;
    if (!data) return false;
    if (notes->size > 0) memcpy(data, notes->data, notes->size);
    hbg_memory_free(notes->memory, notes->data, notes->capacity);
    notes->data = data;
    notes->capacity = capacity;
    return true;
}

void hbg_run_notes_free(hbg_run_notes *notes) {
    hbg_memory_free(notes->memory, notes->data, notes->capacity);
    *notes = (hbg_run_notes){.memory = notes->memory};
}

void hbg_run_note_bytes(hbg_run_notes *notes, const char *data, size_t size) {
    if (size == 0 || !reserve(notes, size)) return;
    memcpy(notes->data + notes->size, data, size);
    notes->size += size;
}

void hbg_run_note(hbg_run_notes *notes, const char *text) {
    hbg_run_note_bytes(notes, text, strlen(text));
}

void hbg_run_note_count(hbg_run_notes *notes, int64_t count) {
    char text[24];
    (void)snprintf(text, sizeof text, "%lld", (long long)count);
    hbg_run_note(notes, text);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

void hbg_run_note_number(hbg_run_notes *notes, double value) {
    char text[HBG_DOUBLE_TEXT];
    if (isfinite(value))
        hbg_run_note_bytes(notes, text, (size_t)hbg_double_print(text, value));
    else
        hbg_run_note(notes, "null");
}

void hbg_run_note_string(hbg_run_notes *notes, const char *text) {
    hbg_run_note(notes, "\"");
    for (; *text; text++) {
        char escaped[8];
        if (*text == '"' || *text == '\\') hbg_run_note(notes, "\\");
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*text);
            hbg_run_note(notes, escaped);
        } else {
            hbg_run_note_bytes(notes, text, 1);
        }
    }
    hbg_run_note(notes, "\"");
}

/* ---- quantities --------------------------------------------------------------------------------------- */

/* Before these a prefix means what it seems to. */
static bool takes_prefix(const char *unit) {
    static const char *const units[] = {"s", "m",  "A",  "V",   "W",   "J",   "N",   "Pa",
                                        "C", "Wb", "Hz", "N·s", "V·s", "A·s", "N·m", "Pa·s"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i], unit) == 0) return true;
    return false;
}

void hbg_run_note_quantity(hbg_run_notes *notes, double value, const char *unit) {
    static const struct {
        double factor;
        const char *text;
    } prefixes[] = {{1e-12, "p"}, {1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, {1, ""}, {1e3, "k"}, {1e6, "M"}};
    char text[64];
    double size = fabs(value);
    int prefix = 4;
    if (!unit) unit = "";
    bool seconds = strcmp(unit, "s") == 0; // nobody counts kiloseconds
    if (takes_prefix(unit) && isfinite(value) && (size < 0.1 || (size >= 1e4 && !seconds)))
        for (prefix = 6; prefix > 0 && size < 0.9999995 * prefixes[prefix].factor; prefix--) {
        }
    if (size < 0.9999995 * prefixes[0].factor) prefix = 4;
    (void)snprintf(text, sizeof text, "%.6g", value / prefixes[prefix].factor);
    hbg_run_note(notes, text);
    if (!unit[0]) return;
    hbg_run_note(notes, " ");
    hbg_run_note(notes, prefixes[prefix].text);
    hbg_run_note(notes, unit);
}
