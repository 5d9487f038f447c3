/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements that faults act on and that the system modulates, or that bend with time: what they will be is not known before the run, so that it is looked at
 * with every step, whatever rows are asked for. One that was fine and becomes something it cannot be ends the run. Their values are further outputs, which nobody
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

/* A resistance that comes to 0 may seem to be below it by what states may be wrong. */
static bool is_lost(const hbg_run_rows *rows, int32_t number, double value) {
    const hbg_run_state *state = rows->state;
    int32_t element = state->plan->unknown[number];
    bool resistance = state->model->elements.items[element].kind == HBG_KIND_R;
    if (resistance && isfinite(value) && value >= -rows->options->rtol * rows->largest[number]) return false;
    return hbg_element_minds(state->model, element, 0, value);
}

bool hbg_run_watched_fine(hbg_run_rows *rows, const double *outputs) {
    const hbg_run_state *state = rows->state;
    for (int32_t i = 0; i < state->watched_count; i++) {
        double value = outputs[state->watched_first + i];
        if (!is_lost(rows, i, value)) {
            rows->was_fine[i] = true;
            rows->largest[i] = fmax(rows->largest[i], fabs(value));
        } else if (rows->was_fine[i] && rows->refused == HBG_NONE) {
            rows->refused = i;
            rows->refused_value = value;
            return false;
        }
    }
    return true;
}

bool hbg_run_watch_step(void *context, double t, const double *outputs, bool inside) {
    (void)t, (void)inside;
    return hbg_run_watched_fine(context, outputs);
}

const char *hbg_run_refused_text(hbg_session *session, const hbg_run_rows *rows) {
    const hbg_run_state *state = rows->state;
    if (rows->refused == HBG_NONE) return NULL;
    int32_t element = state->plan->unknown[rows->refused];
    char value[HBG_DOUBLE_TEXT];
    hbg_double_print(value, rows->refused_value);
    return hbg_arena_print(
        &session->scratch, "the value of `%s` has become %s, with the faults of this run: it has to stay %s",
        hbg_text_path(session, state->model, (hbg_object){HBG_OBJECT_ELEMENT, element}), value,
        state->model->elements.items[element].kind == HBG_KIND_R ? "0 or more" : "positive");
}
