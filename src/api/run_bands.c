/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What events add to the plot of a run: strips with the modes of the automata that switched, and points where a plotted
 * state was for an instant only. */
#include <math.h>
#include <string.h>

#include "api/run_events_impl.h"

#define MOST_STRIPS    6
#define MOST_CHANGES   (1 << 20)
#define MOST_PINNACLES 16384

/* ---- while it runs ------------------------------------------------------------------------------------ */

/* The state of the system that an expression is, or HBG_NONE: an output that only passes a state on is one too. */
static int32_t state_of(hbg_session *session, const hbg_run_state *state, hbg_expr expr) {
    const hbg_model *model = state->model;
    for (int depth = 0; depth < 8; depth++) {
        const hbg_expr_node *node = &model->exprs.items[expr];
        if (node->op != HBG_OP_SIGNAL) break;
        const hbg_signal *signal = &model->signals.items[node->a];
        bool passes_on = signal->kind == HBG_SIGNAL_OUTPUT || signal->kind == HBG_SIGNAL_SIGNAL;
        if (!passes_on || signal->value == HBG_NONE) break;
        expr = signal->value;
    }
    const char *text = hbg_text_expr(session, model, expr);
    for (int32_t i = 0; i < state->system->state_count; i++)
        if (strcmp(state->system->states[i].name, text) == 0) return i;
    return HBG_NONE;
}

void hbg_run_bands_init(hbg_session *session, hbg_run_bands *bands) {
    const hbg_run_state *state = session->run;
    int32_t automata = state->system->automaton_count;
    bands->first = HBG_NEW_ARRAY(&session->scratch, int32_t, automata + 1);
    bands->plot_state = HBG_NEW_ARRAY(&session->scratch, int32_t, state->plot_count + 1);
    for (int32_t i = 0; i < state->plot_count; i++)
        bands->plot_state[i] = state_of(session, state, state->outputs[state->plots[i]].value);
    bands->now = HBG_NEW_ARRAY(&session->scratch, int32_t, automata + 1);
    for (int32_t i = 0; i < automata; i++) bands->first[i] = bands->now[i] = state->system->start_states[i];
}

/* A place more in an array; false where memory ends. */
static bool make_room(hbg_run_bands *bands, void **items, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity) return true;
    int32_t more = *capacity * 2 + 64;
    void *place = hbg_memory_alloc(bands->memory, (size_t)more * size);
    bands->failed = bands->failed || place == NULL;
    if (!place) return false;
    if (count > 0) memcpy(place, *items, (size_t)count * size);
    hbg_memory_free(bands->memory, *items, (size_t)*capacity * size);
    *items = place;
    *capacity = more;
    return true;
}

static void add_change(hbg_run_bands *bands, hbg_run_change change) {
    void *items = bands->changes;
    bands->too_many = bands->too_many || bands->count == MOST_CHANGES;
    if (bands->too_many) return;
    if (!make_room(bands, &items, bands->count, &bands->capacity, sizeof change)) return;
    bands->changes = items;
    bands->changes[bands->count++] = change;
}

static void add_pinnacles(hbg_run_events *events, double t, const hbg_sim_visit *visit) {
    hbg_run_bands *bands = &events->bands;
    for (int32_t i = 0; i < events->state->plot_count; i++) {
        int32_t state = bands->plot_state[i];
        if (state == HBG_NONE || !hbg_run_event_jumped(events, visit, state)) continue;
        void *items = bands->pinnacles;
        if (bands->pinnacle_count == MOST_PINNACLES ||
            !make_room(bands, &items, bands->pinnacle_count, &bands->pinnacle_capacity,
                       sizeof *bands->pinnacles))
            return;
        bands->pinnacles = items;
        bands->pinnacles[bands->pinnacle_count++] = (hbg_run_pinnacle){t, visit->x_plus[state], i};
    }
}

void hbg_run_bands_take(hbg_run_events *events, const hbg_sim_event *event) {
    hbg_run_bands *bands = &events->bands;
    int32_t automata = events->state->system->automaton_count;
    for (int32_t k = 0; k < event->visit_count; k++) {
        const hbg_sim_visit *visit = &event->visits[k];
        if (visit->kind == HBG_RT_MYTHICAL) continue;
        for (int32_t i = 0; i < automata; i++) {
            if (bands->now[i] == visit->states[i]) continue;
            bands->now[i] = visit->states[i];
            if (!bands->begun && events->count == 0)
                bands->first[i] = visit->states[i]; // the start mode was mythical
            else
                add_change(bands, (hbg_run_change){event->t, i, visit->states[i]});
        }
        bands->begun = true;
        if (visit->kind != HBG_RT_CONTINUOUS) add_pinnacles(events, event->t, visit);
    }
}

void hbg_run_bands_free(hbg_run_bands *bands) {
    hbg_memory_free(bands->memory, bands->changes, (size_t)bands->capacity * sizeof *bands->changes);
    hbg_memory_free(bands->memory, bands->pinnacles,
                    (size_t)bands->pinnacle_capacity * sizeof *bands->pinnacles);
    bands->changes = NULL;
    bands->pinnacles = NULL;
    bands->count = bands->capacity = bands->pinnacle_count = bands->pinnacle_capacity = 0;
}

/* ---- the plot ----------------------------------------------------------------------------------------- */

static void make_strip(hbg_session *session, const hbg_run_story *story, int32_t automaton, int32_t changes,
                       hbg_draw_strip *strip) {
    const hbg_run_bands *bands = &story->rows.events->bands;
    const hbg_rt_automaton *of = &story->state->system->automata[automaton];
    hbg_draw_band *list = HBG_NEW_ARRAY(&session->scratch, hbg_draw_band, changes + 1);
    int32_t count = 0, state = bands->first[automaton];
    double from = 0;
    for (int32_t i = 0; i <= bands->count; i++) {
        bool end = i == bands->count;
        if (!end && bands->changes[i].automaton != automaton) continue;
        double to = end ? story->result.t : bands->changes[i].t;
        list[count++] = (hbg_draw_band){from, to, of->states[state], state};
        if (end) break;
        from = to;
        state = bands->changes[i].state;
    }
    *strip = (hbg_draw_strip){of->name, list, count};
}

int32_t hbg_run_make_strips(hbg_session *session, const hbg_run_story *story, hbg_draw_strip **strips,
                            int32_t *left_out) {
    const hbg_run_events *events = story->rows.events;
    *strips = NULL;
    *left_out = 0;
    if (!events || !events->bands.now) return 0;
    const hbg_run_bands *bands = &events->bands;
    int32_t automata = story->state->system->automaton_count, count = 0;
    int32_t *changes = HBG_NEW_ARRAY(&session->scratch, int32_t, automata + 1);
    *strips = HBG_NEW_ARRAY(&session->scratch, hbg_draw_strip, MOST_STRIPS);
    for (int32_t i = 0; i < bands->count; i++) changes[bands->changes[i].automaton]++;
    for (int32_t i = 0; i < automata; i++) {
        if (changes[i] == 0) continue;
        if (count < MOST_STRIPS && !bands->too_many)
            make_strip(session, story, i, changes[i], &(*strips)[count++]);
        else
            (*left_out)++;
    }
    return count;
}

void hbg_run_put_pinnacles(hbg_session *session, const hbg_run_story *story, hbg_draw_series *series) {
    const hbg_run_events *events = story->rows.events;
    if (!events) return;
    const hbg_run_bands *bands = &events->bands;
    for (int32_t plot = 0; plot < story->state->plot_count && bands->pinnacle_count > 0; plot++) {
        hbg_draw_point *points = HBG_NEW_ARRAY(&session->scratch, hbg_draw_point, bands->pinnacle_count);
        for (int32_t i = 0; i < bands->pinnacle_count; i++)
            if (bands->pinnacles[i].plot == plot)
                points[series[plot].pinnacle_count++] =
                    (hbg_draw_point){bands->pinnacles[i].t, bands->pinnacles[i].value};
        series[plot].pinnacles = points;
    }
}
