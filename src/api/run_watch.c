/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements that faults act on and the system modulates: what they will be is not known before the run, so that it is looked at in
 * every row. One that was fine and becomes something it cannot be ends the run. Their values are further outputs, which nobody
 * records. */
#include <math.h>

#include "api/run_impl.h"

void hbg_run_watch(hbg_session *session, hbg_run_state *state, hbg_run_records *list) {
    const hbg_model *model = state->model;
    state->watched_first = list->count;
    if (!state->plan) return;
    for (int32_t i = 0; i < state->plan->unknown_count; i++) {
        int32_t element = state->plan->unknown[i];
        hbg_expr entry = model->entries.items[model->elements.items[element].first_value];
        const char *path = hbg_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, element});
        HBG_PUSH(&session->scratch, *list, (hbg_record){entry, path});
    }
    state->watched_count = list->count - state->watched_first;
}

bool hbg_run_watched_fine(hbg_run_rows *rows, const double *outputs) {
    const hbg_run_state *state = rows->state;
    for (int32_t i = 0; i < state->watched_count; i++) {
        double value = outputs[state->watched_first + i];
        if (!hbg_element_minds(state->model, state->plan->unknown[i], 0, value)) {
            rows->was_fine[i] = true;
        } else if (rows->was_fine[i] && rows->refused == HBG_NONE) {
            rows->refused = i;
            return false;
        }
    }
    return true;
}

const char *hbg_run_refused_text(hbg_session *session, const hbg_run_rows *rows) {
    const hbg_run_state *state = rows->state;
    if (rows->refused == HBG_NONE) return NULL;
    int32_t element = state->plan->unknown[rows->refused];
    char value[HBG_DOUBLE_TEXT];
    hbg_double_print(value, rows->last[state->watched_first + rows->refused]);
    return hbg_arena_print(
        &session->scratch, "the value of `%s` has become %s, with the faults of this run: it has to stay %s",
        hbg_text_path(session, state->model, (hbg_object){HBG_OBJECT_ELEMENT, element}), value,
        state->model->elements.items[element].kind == HBG_KIND_R ? "0 or more" : "positive");
}
