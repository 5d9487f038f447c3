/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: what is wrong with a document, reported at places of that document. */
#include "lang/service_impl.h"

#include <string.h>

#define MODELS_CHECKED 16 /* of one document: each costs a reading */

typedef struct {
    hbg_lang_reading *reading;
    hbg_arena *arena;
    HBG_VEC(hbg_service_diagnostic) found;
} diagnosis;

/* The import by which the document gets a source: the import of that file, or else the first. */
static hbg_service_place import_of(const hbg_lang_reading *reading, const char *path) {
    const syntax_file *file = reading->file;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    hbg_span found = {0, 0};
    for (int32_t i = 0; i < file->imports.count; i++) {
        const char *written = file->imports.items[i].path, *last = strrchr(written, '/');
        if (i == 0 || strcmp(last ? last + 1 : written, name) == 0) found = file->imports.items[i].span;
    }
    if (found.end == 0) return (hbg_service_place){reading->path, 0, 0};
    return hbg_lang_service_place(reading, found);
}

static hbg_service_place place_of(diagnosis *d, const hbg_lang_reading *from, hbg_span span, bool *foreign) {
    *foreign = false;
    if (span.end == 0) { // about nothing in particular: at the name of the model
        int32_t model = hbg_lang_service_definition(from, NULL);
        if (model == HBG_NONE) return (hbg_service_place){d->reading->path, 0, 0};
        span = from->symbols.items[model].span;
    }
    hbg_service_place place = hbg_lang_service_place(from, span);
    if (strcmp(place.path, d->reading->path) == 0) return place;
    *foreign = true;
    return import_of(d->reading, place.path);
}

static void add_note(hbg_service_diagnostic *to, hbg_service_note *notes, const hbg_lang_reading *from,
                     hbg_span span, const char *text) {
    hbg_service_note note = {hbg_lang_reading_place(from, span), text};
    notes[to->note_count++] = note;
}

static bool is_known(const diagnosis *d, const hbg_service_diagnostic *item) {
    for (int32_t i = 0; i < d->found.count; i++) {
        const hbg_service_diagnostic *known = &d->found.items[i];
        if (known->place.start == item->place.start && known->place.end == item->place.end &&
            strcmp(known->text, item->text) == 0)
            return true;
    }
    return false;
}

/* A library has no model, which is not an error; nor has a document that is still empty. */
static bool is_about_no_model(const diagnosis *d, const hbg_diagnostic *diagnostic) {
    const syntax_file *file = d->reading->file;
    return diagnostic->id == HBG_E_NO_MODEL &&
           (file->tokens.count == 0 || file->definitions.count > 0 || file->functions.count > 0);
}

static void add(diagnosis *d, const hbg_lang_reading *from, const hbg_diagnostic *diagnostic, bool again) {
    const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get(diagnostic->id);
    bool foreign;
    if (is_about_no_model(d, diagnostic)) return;
    hbg_service_diagnostic item = {.error = diagnostic->severity == HBG_ERROR,
                                   .code = kind->code,
                                   .name = kind->name,
                                   .place = place_of(d, from, diagnostic->span, &foreign),
                                   .help = diagnostic->fix};
    item.text = diagnostic->text;
    if (foreign)
        item.text = hbg_base_arena_print(
            d->arena, "in `%s`: %s", hbg_lang_service_place(from, diagnostic->span).path, diagnostic->text);
    if (again && is_known(d, &item)) return;
    hbg_service_note *notes =
        HBG_NEW_ARRAY(d->arena, hbg_service_note, diagnostic->notes.count + (foreign ? 1 : 0));
    if (foreign) add_note(&item, notes, from, diagnostic->span, diagnostic->text);
    for (int32_t i = 0; i < diagnostic->notes.count; i++)
        add_note(&item, notes, from, diagnostic->notes.items[i].span, diagnostic->notes.items[i].text);
    item.notes = notes;
    if (diagnostic->replacement && !foreign) {
        hbg_service_edit *edit = HBG_NEW(d->arena, hbg_service_edit);
        *edit = (hbg_service_edit){hbg_lang_service_place(from, diagnostic->edit), diagnostic->replacement};
        item.edit = edit;
    }
    HBG_PUSH(d->arena, d->found, item);
}

/* The other models of a document are each checked in a separate reading. */
static void check_others(diagnosis *d) {
    const hbg_lang_reading *reading = d->reading;
    int32_t models = 0;
    for (int32_t i = 0; i < reading->file->definitions.count; i++) {
        const syntax_definition *definition = reading->file->definitions.items[i];
        if (!definition->is_model || models++ == 0 || models > MODELS_CHECKED) continue;
        hbg_lang_reading *other = hbg_lang_reading_new(reading->arena, reading->workspace, reading->path,
                                                       reading->source->text, reading->source->size, false);
        hbg_lang_options options = {.model = hbg_lang_service_name(reading, definition->name)};
        (void)hbg_lang_elaborate(&other->elaborator, &options);
        hbg_base_diagnostics_sort(&other->diagnostics);
        for (int32_t k = 0; k < other->diagnostics.items.count; k++)
            add(d, other, &other->diagnostics.items.items[k], true);
    }
}

void hbg_lang_service_diagnose(hbg_lang_reading *reading, hbg_arena *arena, hbg_service_diagnostics *found) {
    diagnosis d = {.reading = reading, .arena = arena};
    hbg_base_diagnostics_sort(&reading->diagnostics);
    for (int32_t i = 0; i < reading->diagnostics.items.count; i++)
        add(&d, reading, &reading->diagnostics.items.items[i], false);
    if (!reading->unreadable) check_others(&d);
    *found = (hbg_service_diagnostics){d.found.items, d.found.count};
}
