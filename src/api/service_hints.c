/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service of the public header: units and domains that were found, and the causal strokes of the start mode at the
 * bonds of the document. */
#include "api/service_impl.h"

#include "causal/causal.h"

#include <stdlib.h>
#include <string.h>

typedef HBG_VEC(hbg_service_hint) hint_list;

static int by_offset(const void *a, const void *b) {
    const hbg_service_hint *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* `a |-> b` or `a ->| b`: the stroke is where the effort arrives. */
static void add_stroke(hint_list *hints, hbg_arena *arena, const service_document *document,
                       const hbg_bond *bond, int stroke) {
    hbg_span span = stroke == 0 ? bond->from.span : bond->to.span;
    hbg_service_place place = hbg_lang_reading_place(document->now.reading, span);
    if (!place.path || strcmp(place.path, document->path) != 0) return;
    hbg_service_hint hint = {stroke == 0 ? place.end : place.start, "|",
                             "causal stroke in the start mode: the effort arrives here"};
    HBG_PUSH(arena, *hints, hint);
}

static void add_causality(hint_list *hints, hbg_arena *arena, const service_document *document,
                          const hbg_model *model) {
    hbg_causal_options options = hbg_causal_options_default();
    hbg_causal_structure *structure = hbg_causal_structure_new(arena, model, &options);
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(arena, structure);
    int32_t *states = HBG_NEW_ARRAY(arena, int32_t, model->automata.count + 1);
    bool *on = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) states[i] = model->automata.items[i].start;
    hbg_causal_mode(arena, structure, states, on);
    if (!hbg_causal_assign(assignment, on)) return;
    for (int32_t i = 0; i < model->bonds.count; i++)
        add_stroke(hints, arena, document, &model->bonds.items[i], hbg_causal_stroke(assignment, i));
}

hbg_status hbg_service_hints_of(hbg_service *service, const char *path, hbg_service_hints *hints) {
    *hints = (hbg_service_hints){0};
    HBG_ENTER_SERVICE(service);
    service_document *document = hbg_api_service_read(service, path);
    if (!document) return hbg_api_service_leave(service, HBG_NOT_FOUND);
    const hbg_model *model = hbg_lang_reading_model(document->now.reading);
    hbg_service_hints found;
    hint_list all = {0};
    hbg_lang_service_hints(document->now.reading, &service->answer, &found);
    for (int32_t i = 0; i < found.count; i++) HBG_PUSH(&service->answer, all, found.items[i]);
    if (model) add_causality(&all, &service->answer, document, model);
    if (all.count > 1) qsort(all.items, (size_t)all.count, sizeof *all.items, by_offset);
    *hints = (hbg_service_hints){all.items, all.count};
    return hbg_api_service_leave(service, HBG_OK);
}
