/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What `hbg verify` tells people: the verdict first, then for every group what was proved, or where and why the switching is
 * inconsistent. */
#include <math.h>
#include <string.h>

#include "api/verify_impl.h"

/* ---- words ------------------------------------------------------------------------------------------------- */

static const char *state_name(const verify_report *report, int32_t automaton, int32_t state) {
    const hbg_automaton *of = &report->model->automata.items[automaton];
    return hbg_names_get(report->model->names, report->model->states.items[of->first_state + state].name);
}

const char *hbg_verify_states_text(const verify_report *report, const hbg_group_result *group,
                                   const int32_t *states) {
    hbg_buffer text;
    hbg_buffer_init(&text, &report->session->scratch);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        int32_t automaton = group->of.automata[i];
        hbg_buffer_print(&text, "%s%s=%s", i ? ", " : "", report->system->automata[automaton].name,
                         state_name(report, automaton, states[automaton]));
    }
    return text.data;
}

const char *hbg_verify_transition_text(const verify_report *report, int32_t automaton, int32_t state,
                                       int32_t transition) {
    const hbg_transition *of = &report->model->transitions.items[transition];
    hbg_buffer text;
    hbg_buffer_init(&text, &report->session->scratch);
    hbg_buffer_print(&text, "%s: %s -> %s", report->system->automata[automaton].name,
                     state_name(report, automaton, state), state_name(report, automaton, of->target));
    if (of->after != HBG_NONE) {
        hbg_buffer_text(&text, " after ");
        hbg_model_print_expr(report->model, of->after, &text);
    }
    if (of->guard != HBG_NONE) {
        hbg_buffer_text(&text, " when ");
        hbg_model_print_expr(report->model, of->guard, &text);
    }
    return text.data;
}

/* Which state a transition leaves. */
static int32_t left_by(const verify_report *report, int32_t automaton, int32_t transition) {
    const hbg_automaton *of = &report->model->automata.items[automaton];
    for (int32_t i = 0; i < of->state_count; i++) {
        const hbg_automaton_state *state = &report->model->states.items[of->first_state + i];
        if (transition >= state->first_transition &&
            transition < state->first_transition + state->transition_count)
            return i;
    }
    return 0;
}

const char *hbg_verify_taken_text(const verify_report *report, const hbg_group_result *group,
                                  const hbg_witness_step *step) {
    hbg_buffer text;
    hbg_buffer_init(&text, &report->session->scratch);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        if (step->taken[i] == HBG_NONE) continue;
        int32_t automaton = group->of.automata[i];
        hbg_buffer_print(&text, "%s%s", text.size ? "; " : "",
                         hbg_verify_transition_text(
                             report, automaton, left_by(report, automaton, step->taken[i]), step->taken[i]));
    }
    return text.size ? text.data : "";
}

static const char *group_name(const verify_report *report, const hbg_group_result *group) {
    hbg_buffer text;
    hbg_buffer_init(&text, &report->session->scratch);
    for (int32_t i = 0; i < group->of.automaton_count; i++)
        hbg_buffer_print(&text, "%s%s", i ? ", " : "", report->system->automata[group->of.automata[i]].name);
    return text.data;
}

/* ---- a finding --------------------------------------------------------------------------------------------- */

static void put_values(const hbg_finding *finding, hbg_buffer *out) {
    if (finding->value_count == 0) return;
    hbg_buffer_text(out, "    for example at ");
    for (int32_t i = 0; i < finding->value_count; i++) {
        const hbg_witness_value *value = &finding->values[i];
        if (i > 0) hbg_buffer_text(out, ", ");
        if (isnan(value->value))
            hbg_buffer_print(out, "%s%s", value->truth ? "" : "not ", value->name);
        else
            hbg_buffer_print(out, "%s = %.6g%s%s", value->name, value->value,
                             value->unit && value->unit[0] ? " " : "", value->unit ? value->unit : "");
    }
    hbg_buffer_char(out, '\n');
}

static void put_region(const hbg_finding *finding, hbg_buffer *out) {
    for (int32_t i = 0; i < finding->region_count; i++)
        hbg_buffer_print(out, "    %s %s\n", i ? "or   " : "where", finding->region[i]);
    if (finding->region_count == 0)
        hbg_buffer_text(out, "    where that is, is too hard to put into words\n");
    else if (!finding->region_complete)
        hbg_buffer_text(out, "    and elsewhere\n");
}

static void put_steps(const verify_report *report, const hbg_group_result *group, const hbg_finding *finding,
                      hbg_buffer *out) {
    for (int32_t i = 0; i < finding->step_count; i++) {
        const hbg_witness_step *step = &finding->steps[i];
        const char *taken = hbg_verify_taken_text(report, group, step);
        bool back = finding->back_to != HBG_NONE && i == finding->step_count - 1;
        hbg_buffer_print(out, "      %s %s%s%s\n", i ? "->" : "  ",
                         hbg_verify_states_text(report, group, step->states),
                         step->committed ? "  (real: becomes what is)"
                         : back          ? "  (again)"
                                         : "",
                         i == finding->back_to && !back ? "  <- here it comes back to" : "");
        if (taken[0]) hbg_buffer_print(out, "           by %s\n", taken);
    }
}

static void put_reach(const hbg_finding *finding, hbg_buffer *out) {
    if (finding->reachable == HBG_VERDICT_WITNESS)
        hbg_buffer_text(out, "    within reach: a real mode can be left for there while time flows\n");
    else if (finding->reachable == HBG_VERDICT_PROVED)
        hbg_buffer_text(
            out,
            "    out of reach: no real mode is left for there while time flows; only a start is there\n");
    else if (finding->reach_reason)
        hbg_buffer_print(out, "    whether it is within reach is not decided: %s\n", finding->reach_reason);
}

static void put_finding(const verify_report *report, const hbg_group_result *group,
                        const hbg_finding *finding, hbg_buffer *out) {
    hbg_buffer_print(
        out, "  %s: %s%s%s%s%s\n", hbg_finding_word(finding->kind), hbg_finding_text(finding->kind),
        finding->subject ? ": `" : "", finding->subject ? finding->subject : "", finding->subject ? "`" : "",
        finding->after_commit && finding->kind == HBG_FINDING_CYCLE ? ", after a first mode was found real"
                                                                    : "");
    put_region(finding, out);
    put_values(finding, out);
    put_steps(report, group, finding, out);
    put_reach(finding, out);
    if (finding->repair) hbg_buffer_print(out, "    to mend it, write: %s\n", finding->repair);
}

/* ---- a group ----------------------------------------------------------------------------------------------- */

static void put_reasons(const hbg_group_result *group, hbg_buffer *out) {
    const char *text = group->reasons;
    while (*text) {
        size_t size = strcspn(text, "\n");
        hbg_buffer_print(out, "  coupled: %.*s\n", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static void put_dead(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    for (int32_t i = 0; i < group->dead_count; i++) {
        const hbg_dead_end *dead = &group->dead[i];
        if (dead->transition == HBG_NONE)
            hbg_buffer_print(out, "  note: %s is never entered: %s\n",
                             report->system->automata[dead->automaton].name,
                             state_name(report, dead->automaton, dead->state));
        else
            hbg_buffer_print(
                out, "  note: this guard never fires: %s\n",
                hbg_verify_transition_text(report, dead->automaton, dead->state, dead->transition));
    }
}

/* The condition the papers check: it is necessary, not sufficient. */
static void put_real(const hbg_group_result *group, hbg_buffer *out) {
    if (group->real_mode == HBG_VERDICT_PROVED && group->verdict == HBG_VERDICT_PROVED) return;
    if (group->real_mode == HBG_VERDICT_PROVED)
        hbg_buffer_text(
            out, "  a real mode exists for every distribution of energy: the weaker condition holds\n");
    if (group->real_mode != HBG_VERDICT_WITNESS) return;
    for (int32_t i = 0; i < group->never_real_count; i++)
        hbg_buffer_print(out, "  %s %s\n", i ? "                nor where" : "no mode is real where",
                         group->never_real[i]);
}

#define TOLD_AREAS 8 /* discrete states whose areas are told */

/* Guards in terms of energy. */
static void put_areas(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    if (group->verdict != HBG_VERDICT_WITNESS || group->phase_count > TOLD_AREAS) return;
    for (int32_t i = 0; i < group->phase_count; i++) {
        const hbg_phase *phase = &group->phases[i];
        const char *states = hbg_verify_states_text(report, group, phase->states);
        if (phase->word_count == 0 && phase->words_complete)
            hbg_buffer_print(out, "  %s is never left at once\n", states);
        for (int32_t k = 0; k < phase->word_count; k++) {
            if (k == 0) hbg_buffer_print(out, "  %s is left at once where ", states);
            hbg_buffer_print(out, "%s%s", k ? "; or " : "", phase->words[k]);
        }
        if (phase->word_count > 0) hbg_buffer_text(out, phase->words_complete ? "\n" : "; and elsewhere\n");
    }
}

static void put_group(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    static const char *const verdicts[] = {[HBG_VERDICT_PROVED] =
                                               "consistent: every search ends, and every chain of modes",
                                           [HBG_VERDICT_WITNESS] = "INCONSISTENT",
                                           [HBG_VERDICT_UNDECIDED] = "not decided"};
    hbg_buffer_print(out, "\n%s: %s", group_name(report, group), verdicts[group->verdict]);
    if (group->verdict == HBG_VERDICT_UNDECIDED) hbg_buffer_print(out, ": %s", group->reason);
    hbg_buffer_char(out, '\n');
    if (group->verdict == HBG_VERDICT_WITNESS && group->reason)
        hbg_buffer_print(out, "  and there may be more: %s\n", group->reason);
    put_reasons(group, out);
    for (int32_t i = 0; i < group->finding_count; i++) put_finding(report, group, &group->findings[i], out);
    put_areas(report, group, out);
    put_real(group, out);
    for (int32_t i = 0; i < group->undefined_count; i++)
        hbg_buffer_print(out, "  note: left out where %s\n", group->undefined[i]);
    if (group->of.shares_source)
        hbg_buffer_text(out, "  note: energy is not accounted for: a source feeds this group and others\n");
    put_dead(report, group, out);
}

static void put_effort(const hbg_consistency_result *result, hbg_buffer *out) {
    int32_t states = 0, ways = 0, questions = 0;
    for (int32_t i = 0; i < result->group_count; i++) {
        states += result->groups[i].states;
        ways += result->groups[i].ways;
        questions += result->groups[i].questions;
    }
    hbg_buffer_print(out, "\n%d group%s, %d discrete states, %d ways to a mode, %d questions to the prover\n",
                     result->group_count, result->group_count == 1 ? "" : "s", states, ways, questions);
}

static bool enters_invalid(const hbg_consistency_result *result) {
    for (int32_t i = 0; i < result->group_count; i++)
        for (int32_t k = 0; k < result->groups[i].finding_count; k++)
            if (result->groups[i].findings[k].kind == HBG_FINDING_NO_CAUSALITY) return true;
    return false;
}

void hbg_verify_put_text(const verify_report *report, hbg_buffer *out) {
    static const char *const verdicts[] = {
        [HBG_VERDICT_PROVED] = "the switching is consistent: at every instant it comes to an end",
        [HBG_VERDICT_WITNESS] = "the switching is not consistent",
        [HBG_VERDICT_UNDECIDED] = "not decided whether the switching is consistent"};
    const hbg_consistency_result *result = report->result;
    hbg_buffer_print(out, "%s: %s\n", hbg_model_title(report->model), verdicts[result->verdict]);
    if (result->causality.verdict == HBG_VERDICT_WITNESS)
        hbg_buffer_print(
            out, "\nnote: the combination %s has no valid causal assignment (`hbg causality --all`)%s\n",
            hbg_mode_text(report->session, report->model, result->causality.states),
            result->group_count == 0 ? "; it is the start"
            : enters_invalid(result) ? ""
                                     : ", but no search enters such a one");
    for (int32_t i = 0; i < result->group_count; i++) put_group(report, &result->groups[i], out);
    put_effort(result, out);
    if (result->verdict == HBG_VERDICT_PROVED && result->group_count > 0)
        hbg_buffer_text(out, "not asked: whether events come ever faster (Zeno); a run notices\n");
}
