/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What `hbg verify` tells programs. */
#include <math.h>
#include <string.h>

#include "api/verify_impl.h"

static json_t *add_array(hbg_session *session, json_t *object, const char *key) {
    json_t *array = json_array();
    hbg_json_set(session, object, key, array);
    return array;
}

static json_t *append_object(hbg_session *session, json_t *array) {
    json_t *object = json_object();
    hbg_json_append(session, array, object);
    return object;
}

static const char *verdict_word(hbg_verdict verdict) {
    static const char *const words[] = {[HBG_VERDICT_PROVED] = "proved",
                                        [HBG_VERDICT_WITNESS] = "violated",
                                        [HBG_VERDICT_UNDECIDED] = "not decided"};
    return words[verdict];
}

static const char *reach_word(hbg_verdict verdict) {
    static const char *const words[] = {
        [HBG_VERDICT_PROVED] = "no", [HBG_VERDICT_WITNESS] = "yes", [HBG_VERDICT_UNDECIDED] = "not decided"};
    return words[verdict];
}

static void set_texts(hbg_session *session, json_t *object, const char *key, const char *const *texts,
                      int32_t count) {
    json_t *array = add_array(session, object, key);
    for (int32_t i = 0; i < count; i++) hbg_json_append(session, array, hbg_json_text(session, texts[i]));
}

/* A discrete state of a group, by the names of its automata. */
static void set_states(const verify_report *report, json_t *object, const char *key,
                       const hbg_group_result *group, const int32_t *states) {
    hbg_session *session = report->session;
    json_t *own = json_object();
    hbg_json_set(session, object, key, own);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        int32_t automaton = group->of.automata[i];
        const hbg_rt_automaton *of = &report->system->automata[automaton];
        hbg_json_set(session, own, of->name, hbg_json_text(session, of->states[states[automaton]]));
    }
}

/* ---- findings ----------------------------------------------------------------------------------------------- */

static void set_values(hbg_session *session, json_t *object, const hbg_finding *finding) {
    json_t *values = add_array(session, object, "values");
    for (int32_t i = 0; i < finding->value_count; i++) {
        const hbg_witness_value *value = &finding->values[i];
        json_t *entry = append_object(session, values);
        hbg_json_set(session, entry, "name", hbg_json_text(session, value->name));
        hbg_json_set(session, entry, "value",
                     isnan(value->value) ? json_boolean(value->truth) : hbg_run_json_number(value->value));
        hbg_json_set(session, entry, "unit", hbg_run_json_unit(session, value->unit));
    }
}

/* The transitions that led to a step, each with its place. */
static void set_taken(const verify_report *report, json_t *object, const hbg_group_result *group,
                      const hbg_witness_step *step) {
    hbg_session *session = report->session;
    json_t *taken = add_array(session, object, "taken");
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        hbg_place place;
        if (step->taken[i] == HBG_NONE) continue;
        json_t *entry = append_object(session, taken);
        hbg_json_set(session, entry, "automaton",
                     hbg_json_text(session, report->system->automata[group->of.automata[i]].name));
        if (!hbg_sources_place(&session->sources, report->model->transitions.items[step->taken[i]].span,
                               &place))
            continue;
        hbg_json_set(session, entry, "file", hbg_json_text(session, place.path));
        hbg_json_set(session, entry, "line", json_integer(place.line));
    }
}

static void set_steps(const verify_report *report, json_t *object, const hbg_group_result *group,
                      const hbg_finding *finding) {
    hbg_session *session = report->session;
    json_t *steps = add_array(session, object, "steps");
    for (int32_t i = 0; i < finding->step_count; i++) {
        const hbg_witness_step *step = &finding->steps[i];
        json_t *entry = append_object(session, steps);
        set_states(report, entry, "states", group, step->states);
        hbg_json_set(session, entry, "by",
                     hbg_json_text(session, hbg_verify_taken_text(report, group, step)));
        set_taken(report, entry, group, step);
        hbg_json_set(session, entry, "real", json_boolean(step->committed));
    }
}

static void set_repair(const verify_report *report, json_t *object, const hbg_finding *finding) {
    hbg_session *session = report->session;
    const hbg_repair *repair = &finding->repair;
    verify_edit edit;
    if (!repair->condition) return;
    json_t *own = json_object();
    hbg_json_set(session, object, "repair", own);
    hbg_json_set(session, own, "automaton",
                 hbg_json_text(session, report->system->automata[repair->automaton].name));
    hbg_json_set(session, own, "condition", hbg_json_text(session, repair->condition));
    if (!hbg_verify_repair(report, repair, &edit)) return;
    hbg_json_set(session, own, "file", hbg_json_text(session, edit.path));
    hbg_json_set(session, own, "line", json_integer(edit.line));
    hbg_json_set(session, own, "lines", json_integer(edit.lines));
    hbg_json_set(session, own, "write", hbg_json_text(session, edit.write));
}

static void put_finding(const verify_report *report, json_t *array, const hbg_group_result *group,
                        const hbg_finding *finding) {
    hbg_session *session = report->session;
    json_t *object = append_object(session, array);
    hbg_json_set(session, object, "kind", json_string(hbg_finding_word(finding->kind)));
    hbg_json_set(session, object, "text", json_string(hbg_finding_text(finding->kind)));
    hbg_json_set(session, object, "wrong", json_boolean(hbg_finding_is_wrong(finding->kind)));
    if (finding->subject) hbg_json_set(session, object, "subject", hbg_json_text(session, finding->subject));
    set_texts(session, object, "region", finding->region, finding->region_count);
    hbg_json_set(session, object, "region_complete", json_boolean(finding->region_complete));
    set_values(session, object, finding);
    set_steps(report, object, group, finding);
    if (finding->back_to != HBG_NONE)
        hbg_json_set(session, object, "back_to", json_integer(finding->back_to));
    hbg_json_set(session, object, "after_commit", json_boolean(finding->after_commit));
    hbg_json_set(session, object, "reached", json_string(reach_word(finding->reachable)));
    if (finding->reachable == HBG_VERDICT_UNDECIDED && finding->reach_reason)
        hbg_json_set(session, object, "reached_reason", hbg_json_text(session, finding->reach_reason));
    set_repair(report, object, finding);
}

/* ---- groups ------------------------------------------------------------------------------------------------- */

static void set_reasons(hbg_session *session, json_t *object, const char *text) {
    json_t *array = add_array(session, object, "coupled");
    while (*text) {
        size_t size = strcspn(text, "\n");
        const char *line = hbg_arena_copy(&session->scratch, text, size);
        hbg_json_append(session, array, hbg_json_text(session, line));
        text += size + (text[size] == '\n');
    }
}

static void set_dead(const verify_report *report, json_t *object, const hbg_group_result *group) {
    hbg_session *session = report->session;
    json_t *states = add_array(session, object, "never_entered");
    json_t *guards = add_array(session, object, "never_fires");
    for (int32_t i = 0; i < group->dead_count; i++) {
        const hbg_dead_end *dead = &group->dead[i];
        const hbg_rt_automaton *of = &report->system->automata[dead->automaton];
        if (dead->transition == HBG_NONE)
            hbg_json_append(session, states,
                            hbg_json_text(session, hbg_arena_print(&session->scratch, "%s.%s", of->name,
                                                                   of->states[dead->state])));
        else
            hbg_json_append(
                session, guards,
                hbg_json_text(session, hbg_verify_transition_text(report, dead->automaton, dead->state,
                                                                  dead->transition)));
    }
}

/* Where that is not the same for a state that is entered. */
static void set_entered(const verify_report *report, json_t *object, const hbg_group_result *group,
                        const hbg_phase *phase) {
    hbg_session *session = report->session;
    if (phase->entered_count == 0) return;
    json_t *array = add_array(session, object, "entered");
    for (int32_t i = 0; i < phase->entered_count; i++) {
        const hbg_phase_entered *at = &phase->entered[i];
        json_t *entry = append_object(session, array);
        set_states(report, entry, "from", group, at->from);
        set_texts(session, entry, "left_where", at->words, at->word_count);
        hbg_json_set(session, entry, "complete", json_boolean(at->words_complete));
    }
}

/* Guards in terms of energy: where each discrete state is left at once. */
static void set_areas(const verify_report *report, json_t *object, const hbg_group_result *group) {
    hbg_session *session = report->session;
    json_t *areas = add_array(session, object, "areas");
    for (int32_t i = 0; i < group->phase_count; i++) {
        const hbg_phase *phase = &group->phases[i];
        json_t *entry = append_object(session, areas);
        set_states(report, entry, "states", group, phase->states);
        set_texts(session, entry, "left_where", phase->words, phase->word_count);
        hbg_json_set(session, entry, "complete", json_boolean(phase->words_complete));
        set_entered(report, entry, group, phase);
    }
}

static void put_group(const verify_report *report, json_t *array, const hbg_group_result *group) {
    hbg_session *session = report->session;
    json_t *object = append_object(session, array), *automata = add_array(session, object, "automata");
    for (int32_t i = 0; i < group->of.automaton_count; i++)
        hbg_json_append(session, automata,
                        hbg_json_text(session, report->system->automata[group->of.automata[i]].name));
    hbg_json_set(session, object, "verdict", json_string(verdict_word(group->verdict)));
    if (group->reason) hbg_json_set(session, object, "reason", hbg_json_text(session, group->reason));
    set_reasons(session, object, group->reasons);
    json_t *findings = add_array(session, object, "findings");
    for (int32_t i = 0; i < group->finding_count; i++)
        put_finding(report, findings, group, &group->findings[i]);
    hbg_json_set(session, object, "real_mode", json_string(verdict_word(group->real_mode)));
    set_texts(session, object, "never_real", group->never_real, group->never_real_count);
    hbg_json_set(session, object, "never_real_complete", json_boolean(group->never_real_complete));
    if (group->never_real_from) set_states(report, object, "never_real_from", group, group->never_real_from);
    set_areas(report, object, group);
    hbg_json_set(session, object, "overlap", json_string(reach_word(group->overlap)));
    set_texts(session, object, "left_out", group->undefined, group->undefined_count);
    set_texts(session, object, "nearby", group->nearby, group->nearby_count);
    hbg_json_set(session, object, "energy_examined", json_boolean(!group->of.shares_source));
    set_dead(report, object, group);
    hbg_json_set(session, object, "discrete_states", json_integer(group->states));
    hbg_json_set(session, object, "ways", json_integer(group->ways));
    hbg_json_set(session, object, "questions", json_integer(group->questions));
    hbg_json_set(session, object, "seconds", hbg_run_json_number(group->seconds));
}

void hbg_verify_put_json(const verify_report *report) {
    hbg_session *session = report->session;
    const hbg_consistency_result *result = report->result;
    json_t *root = session->json = hbg_json_new(session, json_object());
    hbg_json_set(session, root, "model", hbg_json_text(session, hbg_model_title(report->model)));
    hbg_json_set(session, root, "verdict", json_string(verdict_word(result->verdict)));
    hbg_json_set(session, root, "causality", json_string(verdict_word(result->causality.verdict)));
    if (result->causality.verdict == HBG_VERDICT_WITNESS)
        hbg_json_set(session, root, "mode_without_causality",
                     hbg_json_text(session, hbg_mode_text(session, report->model, result->causality.states)));
    json_t *groups = add_array(session, root, "groups");
    for (int32_t i = 0; i < result->group_count; i++) put_group(report, groups, &result->groups[i]);
}
