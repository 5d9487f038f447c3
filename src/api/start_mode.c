/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A start mode in which sources are in conflict (semantics, section 3a): the conflict and its size, and what
 * the first search does about it. Both come from the instant at t = 0 of a run: with all automata held it
 * ends with the conflict as its verdict, and with none held it shows what moves first. */
#include <stdio.h>
#include <string.h>

#include "api/mode_impl.h"
#include "api/run_impl.h"

enum { MOST_MOVES = 4 };

typedef struct {
    hbg_session *session;
    const hbg_model *model; /* as it was read */
    const char *mode;
    const hbg_run_state *state;
    hbg_rt_verdict verdict;
    char words[HBG_RT_WORDS]; /* of the verdict */
    bool moves;               /* something moves out of the start mode */
    char first[HBG_RT_WORDS]; /* what does */
} start_story;

static void add(char *text, size_t size, const char *format, const char *a, const char *b) {
    size_t used = strlen(text);
    if (used + 1 < size) snprintf(text + used, size - used, format, a, b);
}

static void listen(void *context, const hbg_sim_event *event) {
    start_story *story = context;
    const hbg_rt_description *system = story->state->system;
    int32_t count = 0;
    if (event->words) snprintf(story->words, sizeof story->words, "%s", event->words);
    story->verdict = event->verdict;
    if (event->t > 0 || event->visit_count < 2) return;
    const hbg_sim_visit *next = &event->visits[1];
    story->moves = true;
    for (int32_t i = 0; i < system->automaton_count; i++) {
        const hbg_rt_automaton *of = &system->automata[i];
        if (next->before[i] == next->states[i]) continue;
        if (count++ >= MOST_MOVES) continue;
        add(story->first, sizeof story->first, count == 1 ? "`%s` %s" : ", `%s` %s", of->name, "");
        add(story->first, sizeof story->first, "from `%s` to `%s`", of->states[next->before[i]],
            of->states[next->states[i]]);
    }
    if (count > MOST_MOVES) add(story->first, sizeof story->first, "%s%s", ", …", "");
}

/* The instant at t = 0. Other failures occur in a run too, and are reported there. */
static hbg_status pass(start_story *story, bool hold) {
    hbg_session *session = story->session;
    hbg_run_options options = hbg_run_options_default();
    hbg_sim_options sim;
    hbg_sim_result *result = HBG_NEW(&session->scratch, hbg_sim_result);
    hbg_run_wish wish = {.mode = hold ? story->mode : NULL};
    options.ledger = false;
    HBG_TRY(hbg_api_run_prepare(session, story->model, &wish));
    story->state = session->run;
    if (hold) HBG_TRY(hbg_api_run_hold_mode(session, true));
    HBG_TRY(hbg_api_run_sim_options(session, &options, 0, &sim));
    sim.event = listen;
    sim.context = story;
    hbg_rt_status status =
        hbg_sim_run(&session->scratch, story->state->system, story->state->instance, &sim, result);
    hbg_api_run_release(session);
    return status == HBG_RT_NO_MEMORY ? HBG_NO_MEMORY : HBG_OK;
}

const char *hbg_api_mode_first(hbg_session *session, const hbg_model *model) {
    const hbg_experiment *first = NULL;
    for (int32_t i = 0; !first && i < model->experiments.count; i++)
        if (model->experiments.items[i].name != 0) first = &model->experiments.items[i];
    int32_t *states = HBG_NEW_ARRAY(&session->scratch, int32_t, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) states[i] = model->automata.items[i].start;
    for (int32_t i = 0; first && i < first->settings.count; i++) {
        const hbg_setting *setting = &first->settings.items[i];
        if (setting->target.kind == HBG_OBJECT_AUTOMATON) states[setting->target.index] = setting->state;
    }
    return hbg_api_mode_text(session, model, states);
}

static bool is_conflict(hbg_rt_verdict verdict) {
    return verdict == HBG_RT_SHORT_CIRCUIT || verdict == HBG_RT_OPEN_FLOW_SOURCE;
}

static bool is_source(const hbg_model *model, int32_t element) {
    hbg_element_kind kind = model->elements.items[element].kind;
    return kind == HBG_KIND_SE || kind == HBG_KIND_SF;
}

/* Where the report points: the first source involved. */
static hbg_span place_of(const hbg_model *model, const hbg_mode_causality *causality) {
    for (int32_t i = 0; i < model->bonds.count; i++) {
        int32_t ends[] = {model->bonds.items[i].from.element, model->bonds.items[i].to.element};
        for (int k = 0; k < 2 && causality->limit.bonds[i] > 0; k++)
            if (is_source(model, ends[k])) return model->elements.items[ends[k]].id.span;
    }
    return model->elements.items[0].id.span;
}

static void report(const start_story *held, const start_story *free, hbg_span place) {
    hbg_session *session = held->session;
    bool stuck = is_conflict(free->verdict) && !free->moves;
    hbg_diagnostic *report =
        hbg_base_report(&session->diagnostics, stuck ? HBG_W_SHORTED : HBG_N_START, place,
                        stuck ? "no guard is enabled in the start mode %s, and %s"
                              : "the start mode %s is only passed through: %s",
                        held->mode, held->words);
    if (stuck) {
        hbg_base_report_fix(
            &session->diagnostics, report,
            "a run stops here at once: start in another state, or add the %s between the sources",
            free->verdict == HBG_RT_SHORT_CIRCUIT ? "resistance" : "leak");
        return;
    }
    hbg_span nowhere = {0};
    if (free->moves)
        hbg_base_report_note(&session->diagnostics, report, nowhere, "the first search leaves it: %s",
                             free->first);
}

/* An input that nothing sets is not known before a run. */
static bool knows_inputs(const hbg_model *model) {
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_INPUT && model->signals.items[i].value == HBG_NONE)
            return false;
    return true;
}

/* The elements in conflict, if their size is not known. */
static void describe(start_story *held, const hbg_mode_causality *causality) {
    const hbg_model *model = held->model;
    bool *told = HBG_NEW_ARRAY(&held->session->scratch, bool, model->elements.count + 1);
    for (int32_t i = 0; i < model->bonds.count; i++) {
        int32_t ends[] = {model->bonds.items[i].from.element, model->bonds.items[i].to.element};
        int marks = causality->limit.bonds[i] & (HBG_EQN_UNBOUNDED_EFFORT | HBG_EQN_UNBOUNDED_FLOW);
        for (int k = 0; k < 2 && marks; k++) {
            bool source = is_source(model, ends[k]) || model->elements.items[ends[k]].control != HBG_NONE;
            if (told[ends[k]] || !source) continue;
            told[ends[k]] = true;
            add(held->words, sizeof held->words, "%s`%s`",
                held->words[0] ? ", " : "unless its sources agree, there is a conflict of ",
                hbg_api_text_path(held->session, model, (hbg_object){HBG_OBJECT_ELEMENT, ends[k]}));
        }
    }
}

static hbg_status tell(hbg_session *session, const hbg_model *model) {
    hbg_mode_causality causality;
    const char *mode = hbg_api_mode_first(session, model);
    HBG_TRY(hbg_api_mode_causality_find(session, model, mode, HBG_MODE_PLAIN, &causality));
    start_story *held = HBG_NEW(&session->scratch, start_story),
                *free = HBG_NEW(&session->scratch, start_story);
    held->session = free->session = session;
    held->model = free->model = model;
    held->mode = mode;
    if (knows_inputs(model)) {
        HBG_TRY(pass(held, true));
        if (!is_conflict(held->verdict)) return HBG_OK; // they agree, at this instant
        HBG_TRY(pass(free, false));
    } else {
        describe(held, &causality);
    }
    report(held, free, place_of(model, &causality));
    return HBG_OK;
}

hbg_status hbg_api_mode_tell_start(hbg_session *session, const hbg_model *model) {
    HBG_RUN_ENTER(session);
    hbg_status status = tell(session, model);
    bool ends = status == HBG_NO_MEMORY || status == HBG_BAD_MODEL;
    return hbg_api_run_leave(session, ends ? status : HBG_OK);
}
