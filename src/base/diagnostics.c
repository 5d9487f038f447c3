/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Collected diagnostics of a model. The first HBG_DIAGNOSTICS_KEPT errors and as many warnings are kept with
 * their texts; later ones are only counted, so a file with a million errors stays cheap. */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

static const hbg_diagnostic_kind kinds[] = {
#define HBG_DIAGNOSTIC_KIND(identifier, code, severity, name, summary) {code, severity, name, summary},
    HBG_DIAGNOSTIC_LIST(HBG_DIAGNOSTIC_KIND)
#undef HBG_DIAGNOSTIC_KIND
};

const hbg_diagnostic_kind *hbg_base_diagnostic_kind_get(hbg_diagnostic_id id) {
    HBG_ASSERT((unsigned)id < HBG_DIAGNOSTIC_COUNT);
    return &kinds[id];
}

hbg_diagnostic_id hbg_base_diagnostic_find_warning(const char *name) {
    for (int id = 0; id < HBG_DIAGNOSTIC_COUNT; id++)
        if (kinds[id].severity == HBG_WARNING && strcmp(kinds[id].name, name) == 0)
            return (hbg_diagnostic_id)id;
    return HBG_DIAGNOSTIC_COUNT;
}

void hbg_base_diagnostics_init(hbg_diagnostics *diagnostics, hbg_arena *arena) {
    *diagnostics = (hbg_diagnostics){.arena = arena};
}

bool hbg_base_report_wanted(const hbg_diagnostics *diagnostics, hbg_severity severity) {
    if (severity == HBG_NOTE || (severity == HBG_WARNING && !diagnostics->warnings_are_errors))
        return diagnostics->kept_warnings < HBG_DIAGNOSTICS_KEPT;
    return diagnostics->items.count - diagnostics->kept_warnings < HBG_DIAGNOSTICS_KEPT;
}

/* Whether the last report was the same, word for word. `size` is that of the whole text; if it does not fit
 * into `start`, only the beginning is compared. */
static bool repeats(const hbg_diagnostics *diagnostics, const hbg_diagnostic *report, const char *start,
                    int size) {
    if (diagnostics->items.count == 0 || size < 0) return false;
    const hbg_diagnostic *last = &diagnostics->items.items[diagnostics->items.count - 1];
    if (last->id != report->id) return false;
    if (last->span.start != report->span.start || last->span.end != report->span.end) return false;
    return strlen(last->text) == (size_t)size && strncmp(last->text, start, strlen(start)) == 0;
}

hbg_diagnostic *hbg_base_report(hbg_diagnostics *diagnostics, hbg_diagnostic_id id, hbg_span span,
                                const char *format, ...) {
    hbg_diagnostic *discarded = &diagnostics->discarded;
    *discarded =
        (hbg_diagnostic){.id = id, .severity = hbg_base_diagnostic_kind_get(id)->severity, .span = span};
    bool warning = discarded->severity == HBG_WARNING;
    if (warning && diagnostics->disabled[id]) return discarded;
    if (warning && diagnostics->warnings_are_errors) discarded->severity = HBG_ERROR;
    warning = discarded->severity == HBG_WARNING;
    int64_t notes = 0; // they do not count
    int64_t *found = discarded->severity == HBG_NOTE ? &notes
                     : warning                       ? &diagnostics->warnings
                                                     : &diagnostics->errors;
    if (!hbg_base_report_wanted(diagnostics, discarded->severity)) {
        (*found)++;
        return discarded;
    }

    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hbg_base_utf8_clean(text, false);
    if (repeats(diagnostics, discarded, text, size)) return discarded;

    hbg_diagnostic kept = *discarded;
    va_start(arguments, format);
    kept.text = hbg_base_utf8_clean(hbg_base_arena_vprint(diagnostics->arena, format, arguments), false);
    va_end(arguments);
    HBG_PUSH(diagnostics->arena, diagnostics->items, kept);
    diagnostics->kept_warnings += kept.severity != HBG_ERROR;
    (*found)++;
    return &diagnostics->items.items[diagnostics->items.count - 1];
}

void hbg_base_report_note(hbg_diagnostics *diagnostics, hbg_diagnostic *to, hbg_span span, const char *format,
                          ...) {
    if (to == &diagnostics->discarded) return;
    va_list arguments;
    va_start(arguments, format);
    hbg_diagnostic_note note = {
        span, hbg_base_utf8_clean(hbg_base_arena_vprint(diagnostics->arena, format, arguments), false)};
    va_end(arguments);
    HBG_PUSH(diagnostics->arena, to->notes, note);
}

void hbg_base_report_fix(hbg_diagnostics *diagnostics, hbg_diagnostic *to, const char *format, ...) {
    if (to == &diagnostics->discarded) return;
    va_list arguments;
    va_start(arguments, format);
    to->fix = hbg_base_utf8_clean(hbg_base_arena_vprint(diagnostics->arena, format, arguments), false);
    va_end(arguments);
}

void hbg_base_report_edit(hbg_diagnostics *diagnostics, hbg_diagnostic *to, hbg_span span, const char *format,
                          ...) {
    if (to == &diagnostics->discarded) return;
    va_list arguments;
    va_start(arguments, format);
    to->edit = span;
    to->replacement = hbg_base_arena_vprint(diagnostics->arena, format, arguments);
    va_end(arguments);
}

void hbg_base_report_meant(hbg_diagnostics *diagnostics, hbg_diagnostic *to, hbg_span span,
                           const char *name) {
    hbg_base_report_fix(diagnostics, to, "did you mean `%s`?", name);
    hbg_base_report_edit(diagnostics, to, span, "%s", name);
}

void hbg_base_diagnostics_forget(hbg_diagnostics *diagnostics, int32_t from) {
    int32_t kept = from;
    for (int32_t i = from; i < diagnostics->items.count; i++) {
        const hbg_diagnostic *item = &diagnostics->items.items[i];
        bool forget = item->severity == HBG_WARNING && item->span.end == 0;
        diagnostics->warnings -= forget;
        diagnostics->kept_warnings -= forget;
        if (!forget) diagnostics->items.items[kept++] = *item;
    }
    diagnostics->items.count = kept;
}

/* Nowhere (0) becomes the largest position. */
static uint32_t rank(const hbg_diagnostic *diagnostic) {
    return diagnostic->span.start - 1;
}

void hbg_base_diagnostics_sort(hbg_diagnostics *diagnostics) {
    /* by insertion: it is stable, and the few thousand items are nearly sorted already */
    hbg_diagnostic *items = diagnostics->items.items;
    for (int32_t i = 1; i < diagnostics->items.count; i++) {
        hbg_diagnostic moved = items[i];
        int32_t place = i;
        while (place > 0 && rank(&items[place - 1]) > rank(&moved)) {
            items[place] = items[place - 1];
            place--;
        }
        items[place] = moved;
    }
}
