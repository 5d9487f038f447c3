/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instant as a line of JSON (docs/events.md). Only what changed is listed. */
#include "api/run_events_impl.h"

static void put_key(hbg_run_notes *line, int *count, const char *key) {
    if ((*count)++ > 0) hbg_run_note(line, ",");
    hbg_run_note_string(line, key);
    hbg_run_note(line, ":");
}

static void put_states(hbg_run_notes *line, const hbg_rt_description *system) {
    int count = 0;
    hbg_run_note(line, ",\"states\":{");
    for (int32_t i = 0; i < system->automaton_count; i++) {
        put_key(line, &count, system->automata[i].name);
        hbg_run_note_string(line, system->automata[i].states[system->start_states[i]]);
    }
    hbg_run_note(line, "}");
}

static void put_input(hbg_run_events *events, int32_t input, double t) {
    hbg_run_notes *line = &events->line;
    const hbg_rt_variable *of = &events->state->system->inputs[input];
    double value = hbg_run_event_input(events, input, t);
    hbg_run_note(line, "\"");
    hbg_run_note(line, of->name);
    if (!events->input_is_event[input]) {
        hbg_run_note(line, " = ");
        if (of->is_bool)
            hbg_run_note(line, value != 0 ? "true" : "false");
        else
            hbg_run_note_number(line, value);
    }
    hbg_run_note(line, "\"");
}

/* An entry of a list, and the end of its text. */
static void put_text(hbg_run_notes *line, int *count, hbg_run_notes *text) {
    hbg_run_note_bytes(text, "", 1);
    if ((*count)++ > 0) hbg_run_note(line, ",");
    hbg_run_note_string(line, text->failed ? "" : text->data);
    line->failed = line->failed || text->failed;
    hbg_run_notes_free(text);
}

/* Of an instant known in advance, like the end of a wait: the guards of what moved first and not because of an input. */
static void put_first_guards(hbg_run_events *events, const hbg_sim_event *event, int *count) {
    for (int32_t i = 0; i < events->state->system->automaton_count; i++) {
        if (!hbg_run_event_unexplained(events, event, i)) continue;
        const int32_t *from = event->visits[0].before, *to = event->visits[0].states;
        hbg_run_notes text = {.memory = events->line.memory};
        hbg_run_event_guard(events, &text, i, from[i], to[i]);
        put_text(&events->line, count, &text);
    }
}

static void put_cause(hbg_run_events *events, const hbg_sim_event *event) {
    hbg_run_notes *line = &events->line;
    int count = 0;
    hbg_run_note(line, ",\"cause\":[");
    for (int32_t i = 0; i < event->root_count; i++) {
        hbg_run_notes text = {.memory = line->memory};
        hbg_run_event_relation(events, &text, event, i);
        put_text(line, &count, &text);
    }
    for (int32_t i = 0; i < event->input_count; i++) {
        if (!hbg_run_event_input_changes(events, event->inputs[i], event->t)) continue;
        if (count++ > 0) hbg_run_note(line, ",");
        put_input(events, event->inputs[i], event->t);
    }
    for (int32_t i = 0; i < events->course_count; i++) {
        double value;
        hbg_run_notes text = {.memory = line->memory};
        if (!hbg_run_event_course(events, event, i, &value)) continue;
        hbg_run_note(&text, events->courses[i].name);
        hbg_run_note(&text, " = ");
        hbg_run_note_number(&text, value);
        put_text(line, &count, &text);
    }
    for (int32_t i = 0; i < event->override_count; i++) {
        int32_t cause = hbg_run_event_cause(events, event, i);
        hbg_run_notes text = {.memory = line->memory};
        if (cause < 0) continue;
        hbg_run_event_fault(events, &text, cause);
        put_text(line, &count, &text);
    }
    put_first_guards(events, event, &count);
    hbg_run_note(line, "]");
}

static void put_impulses(hbg_run_events *events, const hbg_sim_visit *visit) {
    hbg_run_notes *line = &events->line;
    const hbg_rt_description *system = events->state->system;
    int count = 0;
    hbg_run_note(line, "},\"impulses\":{");
    for (int32_t i = 0; i < system->bond_count; i++) {
        bool effort = hbg_run_event_pulsed(events, visit, 0, i);
        bool flow = hbg_run_event_pulsed(events, visit, 1, i);
        if (!effort && !flow) continue;
        put_key(line, &count, events->bonds[i].name);
        if (effort) hbg_run_note(line, "{\"e\":");
        if (effort) hbg_run_note_number(line, hbg_run_event_area(events, visit, 0, i));
        if (flow) hbg_run_note(line, effort ? ",\"f\":" : "{\"f\":");
        if (flow) hbg_run_note_number(line, hbg_run_event_area(events, visit, 1, i));
        hbg_run_note(line, "}");
    }
    hbg_run_note(line, "}}");
}

static void put_visit(hbg_run_events *events, const hbg_sim_event *event, int32_t index) {
    static const char *const kinds[] = {[HBG_RT_MYTHICAL] = "mythical",
                                        [HBG_RT_PINNACLE] = "pinnacle",
                                        [HBG_RT_BOUNDARY] = "boundary",
                                        [HBG_RT_CONTINUOUS] = "continuous"};
    hbg_run_notes *line = &events->line;
    const hbg_rt_description *system = events->state->system;
    const hbg_sim_visit *visit = &event->visits[index];
    const int32_t *before = hbg_run_event_before(event, index);
    int count = 0;
    hbg_run_note(line, index > 0 ? ",{\"changed\":{" : "{\"changed\":{");
    for (int32_t i = 0; i < system->automaton_count; i++) {
        if (before[i] == visit->states[i]) continue;
        put_key(line, &count, system->automata[i].name);
        hbg_run_note_string(line, system->automata[i].states[visit->states[i]]);
    }
    hbg_run_note(line, "},\"kind\":\"");
    hbg_run_note(line, kinds[visit->kind]);
    hbg_run_note(line, "\",\"jump\":{");
    count = 0;
    for (int32_t i = 0; i < system->state_count; i++) {
        if (!hbg_run_event_jumped(events, visit, i)) continue;
        put_key(line, &count, system->states[i].name);
        hbg_run_note(line, "[");
        hbg_run_note_number(line, visit->x[i]);
        hbg_run_note(line, ",");
        hbg_run_note_number(line, visit->x_plus[i]);
        hbg_run_note(line, "]");
    }
    put_impulses(events, visit);
}

void hbg_run_events_line(hbg_run_events *events, const hbg_sim_event *event) {
    hbg_run_notes *line = &events->line;
    line->size = 0;
    hbg_run_note(line, "{\"t\":");
    hbg_run_note_number(line, event->t);
    if (events->count == 0) put_states(line, events->state->system);
    put_cause(events, event);
    hbg_run_note(line, ",\"trace\":[");
    for (int32_t i = 0; i < event->visit_count; i++) put_visit(events, event, i);
    hbg_run_note(line, "],\"energy_lost\":");
    double lost = 0;
    for (int32_t i = 0; i < event->visit_count; i++)
        lost += hbg_run_event_lost(events, &event->visits[i], event->t);
    hbg_run_note_number(line, lost);
    hbg_run_note(line, ",\"verdict\":");
    if (event->verdict == HBG_RT_FINE) {
        hbg_run_note(line, "null");
    } else {
        hbg_run_note_string(line, hbg_rt_verdict_name(event->verdict));
        hbg_run_note(line, ",\"words\":");
        hbg_run_note_string(line, event->words);
    }
    if (event->rest) {
        hbg_run_note(line, ",\"rest\":");
        hbg_run_note_string(line, event->rest);
    }
    if (event->slide) {
        hbg_run_note(line, ",\"slide\":");
        hbg_run_note_string(line, event->slide);
    }
    hbg_run_note(line, "}\n");
}
