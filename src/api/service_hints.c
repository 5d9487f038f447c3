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

/* Strokes of a bond as it is written; instances of a component and turns of a loop share it. */
typedef struct {
    hbg_span from, to;
    bool at[2]; /* the stroke of some of them is at `from`, at `to` */
} written_stroke;
typedef HBG_VEC(written_stroke) stroke_list;

static int by_place(const void *a, const void *b) {
    const written_stroke *x = a, *y = b;
    int order = (x->from.start > y->from.start) - (x->from.start < y->from.start);
    return order ? order : (x->to.start > y->to.start) - (x->to.start < y->to.start);
}

/* `a |-> b` or `a ->| b`: the stroke is where the effort arrives. */
static void add_stroke(hint_list *hints, hbg_arena *arena, const service_document *document,
                       const written_stroke *stroke, int end) {
    if (!stroke->at[end]) return;
    hbg_service_place place =
        hbg_lang_reading_place(document->now.reading, end == 0 ? stroke->from : stroke->to);
    if (!place.path || strcmp(place.path, document->path) != 0) return;
    hbg_service_hint hint = {
        end == 0 ? place.end : place.start, "|",
        stroke->at[!end] ? "causal stroke of some instances in the start mode: the effort arrives here"
                         : "causal stroke in the start mode: the effort arrives here"};
    HBG_PUSH(arena, *hints, hint);
}

/* One mark for all that share a place. */
static void add_strokes(hint_list *hints, hbg_arena *arena, const service_document *document,
                        stroke_list *strokes) {
    if (strokes->count > 1) qsort(strokes->items, (size_t)strokes->count, sizeof *strokes->items, by_place);
    for (int32_t i = 0; i < strokes->count; i++) {
        written_stroke shared = strokes->items[i];
        for (; i + 1 < strokes->count && by_place(&shared, &strokes->items[i + 1]) == 0; i++)
            for (int end = 0; end < 2; end++) shared.at[end] |= strokes->items[i + 1].at[end];
        for (int end = 0; end < 2; end++) add_stroke(hints, arena, document, &shared, end);
    }
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
    stroke_list strokes = {0};
    for (int32_t i = 0; i < model->bonds.count; i++) {
        bool at_to = hbg_causal_stroke(assignment, i) != 0;
        written_stroke stroke = {
            model->bonds.items[i].from.span, model->bonds.items[i].to.span, {!at_to, at_to}};
        HBG_PUSH(arena, strokes, stroke);
    }
    add_strokes(hints, arena, document, &strokes);
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
