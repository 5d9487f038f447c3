/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults in the plot of a run: a strip for each, pale while it is not in force, so that a reader sees which
 * kink it causes. */
#include <math.h>
#include <string.h>

#include "api/run_events_impl.h"

enum { LONGEST_NAME = 32 }; /* bytes of a sentence that fit beside the plot */

static bool is_chosen(const hbg_run_state *state, int32_t fault) {
    for (int32_t i = 0; state->choice && i < state->choice->count; i++)
        if (state->choice->faults[i] == fault) return true;
    return state->choice == NULL;
}

/* The sentence without its times, cut if it is long. */
static const char *name_of(hbg_session *session, const hbg_fault *fault) {
    const char *text = fault->text ? fault->text : "fault";
    size_t size = strlen(text), shown = size > LONGEST_NAME ? LONGEST_NAME : size;
    while (shown < size && shown > 0 && ((unsigned char)text[shown] & 0xC0) == 0x80) shown--;
    return hbg_base_arena_print(&session->scratch, "%.*s%s", (int)shown, text, shown < size ? "…" : "");
}

static void make_strip(hbg_session *session, const hbg_fault *fault, double at, double until, double end,
                       hbg_draw_strip *strip) {
    hbg_draw_band *list = HBG_NEW_ARRAY(&session->scratch, hbg_draw_band, 3);
    int32_t count = 0;
    if (at > 0) list[count++] = (hbg_draw_band){.label = "", .from = 0, .to = at};
    list[count++] =
        (hbg_draw_band){.label = "fault", .from = at, .to = fmin(until, end), .colour = 1, .strong = true};
    if (until < end) list[count++] = (hbg_draw_band){.label = "", .from = until, .to = end};
    *strip = (hbg_draw_strip){name_of(session, fault), list, count};
}

int32_t hbg_api_run_make_fault_strips(hbg_session *session, const hbg_run_story *story, int32_t most,
                                      hbg_draw_strip *strips) {
    const hbg_run_state *state = story->state;
    const hbg_fault_plan *plan = state->plan;
    int32_t count = 0;
    for (int32_t i = 0; plan && i < plan->fault_count && count < most; i++) {
        const hbg_fault *fault = &plan->faults[i];
        double at, until = INFINITY;
        if (!is_chosen(state, i) || !hbg_model_constant(plan->model, fault->at, &at) ||
            !(at < story->result.t))
            continue;
        if (fault->until != HBG_NONE && !hbg_model_constant(plan->model, fault->until, &until))
            until = INFINITY;
        make_strip(session, fault, at, until, story->result.t, &strips[count++]);
    }
    return count;
}
