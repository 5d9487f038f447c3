/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: deleting objects, with their bonds, the outputs that read them, and what experiments
 * record of them. Other uses keep them: a guard without its variable would be a wrong one. */
#include "lang/edit_impl.h"

#include <string.h>

typedef struct {
    service_editing *editing;
    int32_t definition;
    const syntax_definition *syntax;
    bool *gone;         /* by symbol */
    bool *bond_gone;    /* by declaration and end: the bond that starts at this end; see bond_index */
    int32_t *first_end; /* by declaration */
} deletion;

static int32_t symbol_of(const deletion *d, const syntax_segment *segment) {
    return hbg_lang_service_member(d->editing->reading, d->definition, segment->name);
}

static bool end_gone(const deletion *d, const syntax_path *path) {
    int32_t symbol = symbol_of(d, &path->segments[0]);
    return symbol != HBG_NONE && d->gone[symbol];
}

/* Whether a span contains an occurrence of something deleted. */
static bool mentions(const deletion *d, hbg_span span) {
    const hbg_lang_reading *reading = d->editing->reading;
    for (int32_t i = 0; i < reading->occurrences.count; i++) {
        const service_occurrence *occurrence = &reading->occurrences.items[i];
        if (d->gone[occurrence->symbol] && occurrence->span.start >= span.start &&
            occurrence->span.end <= span.end)
            return true;
    }
    return false;
}

/* ---- what goes ------------------------------------------------------------------------------------------- */

static void mark_bond(deletion *d, const edit_bond *bond) {
    for (int32_t i = 0; i < d->syntax->declarations.count; i++)
        if (&d->syntax->declarations.items[i] == bond->declaration)
            d->bond_gone[d->first_end[i] + bond->segment] = true;
}

static void mark(deletion *d, const char *path) {
    service_editing *editing = d->editing;
    edit_bond bond;
    int32_t owner;
    if (path && strchr(path, '>')) {
        if (hbg_lang_edit_find_bond(editing, d->definition, path, &bond)) mark_bond(d, &bond);
        return;
    }
    int32_t symbol = hbg_lang_edit_find(editing, d->definition, path, &owner);
    if (symbol == HBG_NONE) return;
    if (owner != d->definition) {
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "`%s` is part of component `%s`: delete it there",
                             path, hbg_lang_service_name_of(editing->reading, owner));
        return;
    }
    if (editing->reading->symbols.items[symbol].kind == HBG_SERVICE_BOND) {
        if (hbg_lang_edit_find_bond(editing, d->definition, path, &bond)) mark_bond(d, &bond);
        return;
    }
    d->gone[symbol] = true;
}

/* Outputs that read something deleted are deleted too; others may read those. */
static void mark_outputs(deletion *d) {
    const hbg_lang_reading *reading = d->editing->reading;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < reading->symbols.count; i++) {
            const service_symbol *symbol = &reading->symbols.items[i];
            if (symbol->owner != d->definition || symbol->kind != HBG_SERVICE_SIGNAL || d->gone[i] ||
                symbol->declaration->signal->kind != HBG_SIGNAL_OUTPUT || !mentions(d, symbol->whole))
                continue;
            d->gone[i] = more = true;
        }
    }
}

/* ---- edits of lists -------------------------------------------------------------------------------------- */

/* One of several separated by commas: its comma is deleted too. */
static void remove_items(deletion *d, hbg_span statement, const hbg_span *items, const bool *gone,
                         int32_t count) {
    int32_t left = 0;
    for (int32_t i = 0; i < count; i++) left += !gone[i];
    if (left == 0) {
        hbg_lang_edit_remove(d->editing, statement);
        return;
    }
    int32_t kept = HBG_NONE; // the last that stays, so far
    for (int32_t i = 0; i < count; i++) {
        if (!gone[i]) {
            kept = i;
            continue;
        }
        int32_t end = i;
        while (end + 1 < count && gone[end + 1]) end++;
        hbg_span span = kept == HBG_NONE ? (hbg_span){items[i].start, items[end + 1].start}
                                         : (hbg_span){items[kept].end, items[end].end};
        hbg_lang_edit_replace(d->editing, span, "%s", "");
        i = end;
    }
}

static bool same(hbg_span a, hbg_span b) {
    return a.start == b.start && a.end == b.end;
}

static void remove_declarations(deletion *d) {
    const hbg_lang_reading *reading = d->editing->reading;
    int32_t count = d->syntax->declarations.count;
    hbg_span *items = HBG_NEW_ARRAY(d->editing->arena, hbg_span, count + 1);
    bool *gone = HBG_NEW_ARRAY(d->editing->arena, bool, count + 1);
    for (int32_t i = d->syntax->header_count; i < count;) {
        hbg_span statement = d->syntax->declarations.items[i].statement;
        int32_t first = i;
        bool any = false;
        for (; i < count && same(d->syntax->declarations.items[i].statement, statement); i++) {
            const syntax_declaration *declaration = &d->syntax->declarations.items[i];
            int32_t symbol = declaration->kind == DECLARE_CHAIN
                                 ? HBG_NONE
                                 : hbg_lang_service_member(reading, d->definition, declaration->name);
            items[i - first] = declaration->whole;
            gone[i - first] = symbol != HBG_NONE && d->gone[symbol] &&
                              reading->symbols.items[symbol].declaration == declaration;
            any = any || gone[i - first];
        }
        if (any) remove_items(d, statement, items, gone, i - first);
    }
}

/* ---- bonds ----------------------------------------------------------------------------------------------- */

/* What is left of a chain: runs of ends with bonds between them. */
static void cut_chain(deletion *d, int32_t index) {
    const syntax_declaration *declaration = &d->syntax->declarations.items[index];
    const syntax_chain *chain = declaration->chain;
    bool first, any = false;
    const char *indent = hbg_lang_edit_indent(d->editing, declaration->statement.start, &first);
    hbg_buffer left;
    hbg_base_buffer_init(&left, d->editing->arena);
    for (int32_t k = 0; k + 1 < chain->count;) {
        bool gone = d->bond_gone[d->first_end[index] + k] || end_gone(d, &chain->ends[k]) ||
                    end_gone(d, &chain->ends[k + 1]);
        any = any || gone;
        if (gone) {
            k++;
            continue;
        }
        if (left.size) hbg_base_buffer_print(&left, "\n%s", indent);
        hbg_base_buffer_text(&left, hbg_lang_edit_end_text(d->editing, &chain->ends[k]));
        while (k + 1 < chain->count && !d->bond_gone[d->first_end[index] + k] &&
               !end_gone(d, &chain->ends[k]) && !end_gone(d, &chain->ends[k + 1]))
            hbg_base_buffer_print(&left, " -> %s", hbg_lang_edit_end_text(d->editing, &chain->ends[++k]));
        hbg_base_buffer_char(&left, ';');
    }
    if (!any) return;
    if (left.size)
        hbg_lang_edit_replace(d->editing, declaration->statement, "%s", left.data);
    else
        hbg_lang_edit_remove(d->editing, declaration->statement);
    if (declaration->name != 0) { // it was one bond: nothing can read it any more
        int32_t symbol = hbg_lang_service_member(d->editing->reading, d->definition, declaration->name);
        if (symbol != HBG_NONE) d->gone[symbol] = true;
    }
}

static void cut_chains(deletion *d) {
    for (int32_t i = 0; i < d->syntax->declarations.count; i++)
        if (d->syntax->declarations.items[i].kind == DECLARE_CHAIN) cut_chain(d, i);
}

/* ---- experiments ----------------------------------------------------------------------------------------- */

static bool is_in(const syntax_path *path, hbg_span span) {
    return path->count > 0 && path->segments[0].span.start >= span.start &&
           path->segments[0].span.end <= span.end;
}

static void remove_records(deletion *d, const syntax_experiment *experiment, hbg_span sentence) {
    int32_t total = experiment->records.count + experiment->plots.count, count = 0;
    hbg_span *items = HBG_NEW_ARRAY(d->editing->arena, hbg_span, total + 1);
    bool *gone = HBG_NEW_ARRAY(d->editing->arena, bool, total + 1);
    for (int32_t i = 0; i < total; i++) {
        const syntax_expr *expr = i < experiment->records.count
                                      ? experiment->records.items[i]
                                      : experiment->plots.items[i - experiment->records.count];
        if (expr->span.start < sentence.start || expr->span.end > sentence.end) continue;
        items[count] = expr->span;
        gone[count] = mentions(d, expr->span);
        count++;
    }
    remove_items(d, sentence, items, gone, count);
}

/* What a sentence sets, changes or breaks. */
static int32_t sentence_items(const syntax_experiment *experiment, hbg_span sentence) {
    int32_t count = 0;
    for (int32_t i = 0; i < experiment->settings.count; i++)
        count += is_in(&experiment->settings.items[i].target, sentence);
    for (int32_t i = 0; i < experiment->actions.count; i++)
        count += is_in(&experiment->actions.items[i].target, sentence);
    for (int32_t i = 0; i < experiment->faults.count; i++)
        count += is_in(&experiment->faults.items[i].target, sentence);
    return count;
}

/* Sentences only about deleted things are deleted. */
static void clean_experiment(deletion *d, const syntax_experiment *experiment) {
    for (int32_t i = 0; i < experiment->sentences.count; i++) {
        hbg_span sentence = experiment->sentences.items[i];
        if (!mentions(d, sentence)) continue;
        const char *text = hbg_lang_service_copy(d->editing->reading, d->editing->arena, sentence, true);
        if (strncmp(text, "record", 6) == 0 || strncmp(text, "plot", 4) == 0)
            remove_records(d, experiment, sentence);
        else if (sentence_items(experiment, sentence) == 1)
            hbg_lang_edit_remove(d->editing, sentence);
    }
}

/* ---- what keeps it --------------------------------------------------------------------------------------- */

static bool is_removed(const deletion *d, hbg_span span) {
    hbg_service_place place = hbg_lang_service_place(d->editing->reading, span);
    for (int32_t i = 0; i < d->editing->edits.count; i++) {
        hbg_service_place edit = d->editing->edits.items[i].place;
        if (strcmp(edit.path, place.path) == 0 && edit.start <= place.start && place.end <= edit.end)
            return true;
    }
    return false;
}

static void refuse_what_is_named(deletion *d) {
    const hbg_lang_reading *reading = d->editing->reading;
    for (int32_t i = 0; i < reading->occurrences.count; i++) {
        const service_occurrence *occurrence = &reading->occurrences.items[i];
        if (!d->gone[occurrence->symbol] || is_removed(d, occurrence->span)) continue;
        hbg_place place;
        hbg_sources *sources = (hbg_sources *)&reading->sources;
        (void)hbg_base_sources_place(sources, occurrence->span, &place);
        uint32_t blank = 0;
        while (blank < place.text_size && (place.text[blank] == ' ' || place.text[blank] == '\t')) blank++;
        uint32_t size = place.text_size - blank < 80 ? place.text_size - blank : 80;
        hbg_lang_edit_refuse(d->editing, HBG_BAD_ARGUMENT, "`%s` is still needed in line %d: `%.*s`",
                             hbg_lang_service_name_of(reading, occurrence->symbol), place.line, (int)size,
                             place.text + blank);
        return;
    }
}

void hbg_lang_edit_delete(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    const hbg_lang_reading *reading = editing->reading;
    deletion d = {editing, definition, reading->symbols.items[definition].definition, NULL, NULL, NULL};
    int32_t ends = 0;
    d.gone = HBG_NEW_ARRAY(editing->arena, bool, reading->symbols.count + 1);
    d.first_end = HBG_NEW_ARRAY(editing->arena, int32_t, d.syntax->declarations.count + 1);
    for (int32_t i = 0; i < d.syntax->declarations.count; i++) {
        d.first_end[i] = ends;
        if (d.syntax->declarations.items[i].kind == DECLARE_CHAIN)
            ends += d.syntax->declarations.items[i].chain->count;
    }
    d.bond_gone = HBG_NEW_ARRAY(editing->arena, bool, ends + 1);
    if (gesture->object) mark(&d, gesture->object);
    for (int32_t i = 0; i < gesture->object_count; i++) mark(&d, gesture->objects[i]);
    if (!gesture->object && gesture->object_count == 0)
        hbg_lang_edit_refuse(editing, HBG_BAD_ARGUMENT, "say what to delete");
    if (editing->reason) return;
    cut_chains(&d); // before all else: a named bond that is deleted has no readers any more
    mark_outputs(&d);
    remove_declarations(&d);
    for (int32_t i = 0; i < d.syntax->experiments.count; i++)
        clean_experiment(&d, &d.syntax->experiments.items[i]);
    refuse_what_is_named(&d);
}
