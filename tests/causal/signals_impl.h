/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Signals followed by bonds and causal strokes alone: along each bond run an effort and a flow, in the
 * directions its stroke gives; junctions, transformers and gyrators pass them on, resistors where they are
 * asked to, sources and storages never. */
#ifndef HBG_TESTS_CAUSAL_SIGNALS_IMPL_H
#define HBG_TESTS_CAUSAL_SIGNALS_IMPL_H

#include "walk_impl.h"

#define SIGNALS 128

typedef struct {
    const fixture *f;
    const hbg_causal_assignment *assignment;
    bool resistors;                 /* they pass signals on too */
    bool reaches[SIGNALS][SIGNALS]; /* signal bond*2 + (0 effort, 1 flow) to another */
} signals;

static inline int32_t signals_element_at(const signals *s, int32_t bond, int end) {
    const hbg_bond *b = &s->f->model->bonds.items[bond];
    return end ? b->to.element : b->from.element;
}

/* Effort runs to the end with the stroke, flow to the other. */
static inline bool signals_runs_to(const signals *s, int32_t signal, int end) {
    return (hbg_causal_stroke(s->assignment, signal >> 1) == end) != (signal & 1);
}

/* Whether an element passes a signal from one of its bond ends on to another. */
static inline bool signals_passes(const signals *s, int32_t element, int32_t from, int32_t to,
                                  bool same_end) {
    hbg_element_kind kind = s->f->model->elements.items[element].kind;
    bool same_kind = (from & 1) == (to & 1);
    switch (kind) {
    case HBG_KIND_ZERO:
    case HBG_KIND_ONE: return same_kind && !same_end && s->f->on[s->f->structure->element_place[element]];
    case HBG_KIND_TF: return same_kind && !same_end;
    case HBG_KIND_GY: return !same_kind && !same_end;
    case HBG_KIND_R: return s->resistors;
    default: return false;
    }
}

/* The signals that each hands on to directly. */
static inline void signals_join(signals *s) {
    int32_t count = s->f->model->bonds.count;
    assert_true(2 * count <= SIGNALS);
    for (int32_t from = 0; from < 2 * count; from++)
        for (int32_t to = 0; to < 2 * count; to++)
            for (int ends = 0; ends < 4; ends++) {
                int32_t element = signals_element_at(s, from >> 1, ends & 1);
                bool same_end = from >> 1 == to >> 1 && (ends & 1) == ends >> 1;
                if (element == signals_element_at(s, to >> 1, ends >> 1) &&
                    signals_passes(s, element, from, to, same_end) && signals_runs_to(s, from, ends & 1) &&
                    !signals_runs_to(s, to, ends >> 1))
                    s->reaches[from][to] = true;
            }
}

/* And all that come after those. */
static inline void signals_close(signals *s) {
    int32_t count = s->f->model->bonds.count;
    for (int32_t k = 0; k < 2 * count; k++)
        for (int32_t i = 0; i < 2 * count; i++)
            for (int32_t j = 0; j < 2 * count && s->reaches[i][k]; j++)
                s->reaches[i][j] = s->reaches[i][j] || s->reaches[k][j];
}

#endif
