/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What `hbg verify` tells people: the verdict first, then for every group what was proved, or where and why the switching is
 * inconsistent. */
#include <math.h>
#include <string.h>

#include "api/verify_impl.h"

/* ---- a group ----------------------------------------------------------------------------------------------- */

#define TOLD_COUPLINGS 8

static void put_reasons(const hbg_group_result *group, hbg_buffer *out) {
    const char *text = group->reasons;
    int32_t count = 0, told = 0;
    for (const char *at = text; *at; at++) count += *at == '\n' || !at[1];
    while (*text && (told < TOLD_COUPLINGS || count <= TOLD_COUPLINGS + 1)) {
        size_t size = strcspn(text, "\n");
        hbg_buffer_print(out, "  coupled: %.*s\n", (int)size, text);
        text += size + (text[size] == '\n');
        told++;
    }
    if (*text) hbg_buffer_print(out, "  coupled: and %d more pairs (--json has all)\n", (int)(count - told));
}

static void put_dead(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    for (int32_t i = 0; i < group->dead_count; i++) {
        const hbg_dead_end *dead = &group->dead[i];
        if (dead->transition == HBG_NONE)
            hbg_buffer_print(out, "  note: %s is never entered: %s\n",
                             report->system->automata[dead->automaton].name,
                             hbg_verify_state_name(report, dead->automaton, dead->state));
        else
            hbg_buffer_print(
                out, "  note: this guard never fires: %s\n",
                hbg_verify_transition_text(report, dead->automaton, dead->state, dead->transition));
    }
}

/* The condition the papers check: it is necessary, not sufficient. */
static void put_real(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    if (group->real_mode == HBG_VERDICT_PROVED && group->verdict == HBG_VERDICT_PROVED) return;
    if (group->real_mode == HBG_VERDICT_PROVED)
        hbg_buffer_text(out,
                        "  for every distribution of energy some mode, as it is entered, is real: the weaker "
                        "condition holds\n");
    if (group->real_mode != HBG_VERDICT_WITNESS) return;
    const char *from = "";
    if (group->never_real_from)
        from = hbg_arena_print(&report->session->scratch, " for an instant that begins in %s",
                               hbg_verify_states_text(report, group, group->never_real_from));
    if (group->never_real_from_some) from = " for an instant that begins in one of several states";
    if (hbg_verify_is_everywhere(group->never_real, group->never_real_count)) {
        hbg_buffer_print(out, "  no mode is real%s, whatever the energies and inputs\n", from);
        return;
    }
    int32_t told = hbg_verify_told_of(group->never_real_count);
    for (int32_t i = 0; i < told; i++) {
        hbg_buffer_print(out, "%s%s where ", i ? "                  nor" : "  no mode is real",
                         i ? "" : from);
        hbg_verify_put_conjunction(group->never_real[i], out);
        hbg_buffer_char(out, '\n');
    }
    if (told < group->never_real_count || !group->never_real_complete)
        hbg_buffer_text(out, "                  nor in some more regions (--json has what is known)\n");
}

#define TOLD_AREAS 8 /* discrete states whose areas are told */

/* "touch=free is left at once where x > 1": of a run that begins there, or of a state that is entered. */
static void put_area(const char *states, const char *how, const char *const *words, int32_t count,
                     bool complete, hbg_buffer *out) {
    if (count == 0 && complete) hbg_buffer_print(out, "  %s%s is never left at once\n", states, how);
    if (count == 0) return;
    if (hbg_verify_is_everywhere(words, count)) {
        hbg_buffer_print(out, "  %s%s is left at once, whatever the energies and inputs\n", states, how);
        return;
    }
    int32_t told = hbg_verify_told_of(count);
    hbg_buffer_print(out, "  %s%s is left at once where ", states, how);
    for (int32_t k = 0; k < told; k++) {
        hbg_buffer_text(out, k ? "; or " : "");
        hbg_verify_put_conjunction(words[k], out);
    }
    if (told < count) hbg_buffer_print(out, "; or in %d more regions (--json has all)", (int)(count - told));
    hbg_buffer_text(out, complete ? "\n" : "; and elsewhere\n");
}

static bool is_same_area(const hbg_phase *phase, const hbg_phase_entered *at) {
    if (phase->word_count != at->word_count || phase->words_complete != at->words_complete) return false;
    for (int32_t i = 0; i < at->word_count; i++)
        if (strcmp(phase->words[i], at->words[i]) != 0) return false;
    return true;
}

/* Guards in terms of energy. */
static void put_areas(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    if (group->verdict != HBG_VERDICT_WITNESS || group->phase_count > TOLD_AREAS) return;
    for (int32_t i = 0; i < group->phase_count; i++) {
        const hbg_phase *phase = &group->phases[i];
        const char *states = hbg_verify_states_text(report, group, phase->states);
        bool apart = false;
        for (int32_t k = 0; k < phase->entered_count; k++) apart |= !is_same_area(phase, &phase->entered[k]);
        put_area(states, apart ? ", where a run begins in it," : "", phase->words, phase->word_count,
                 phase->words_complete, out);
        for (int32_t k = 0; k < phase->entered_count && apart; k++) {
            const hbg_phase_entered *at = &phase->entered[k];
            const char *how = hbg_arena_print(&report->session->scratch, ", entered from %s,",
                                              hbg_verify_states_text(report, group, at->from));
            put_area(states, how, at->words, at->word_count, at->words_complete, out);
        }
    }
}

static void put_group(const verify_report *report, const hbg_group_result *group, hbg_buffer *out) {
    static const char *const verdicts[] = {[HBG_VERDICT_PROVED] =
                                               "consistent: every search ends, and every chain of modes",
                                           [HBG_VERDICT_WITNESS] = "INCONSISTENT",
                                           [HBG_VERDICT_UNDECIDED] = "not decided"};
    hbg_buffer_print(out, "\n%s: %s", hbg_verify_group_text(report, group), verdicts[group->verdict]);
    if (group->verdict == HBG_VERDICT_UNDECIDED) hbg_buffer_print(out, ": %s", group->reason);
    hbg_buffer_char(out, '\n');
    if (group->verdict == HBG_VERDICT_WITNESS && group->reason)
        hbg_buffer_print(out, "  and there may be more: %s\n", group->reason);
    put_reasons(group, out);
    for (int32_t i = 0; i < group->finding_count; i++)
        hbg_verify_put_finding(report, group, &group->findings[i], out);
    put_areas(report, group, out);
    put_real(report, group, out);
    for (int32_t i = 0; i < group->undefined_count; i++)
        hbg_buffer_print(out, "  note: left out where %s\n", group->undefined[i]);
    for (int32_t i = 0; i < group->nearby_count; i++)
        hbg_buffer_print(out, "  note: sine and cosine of %s are those of an angle within 1e-10 of it\n",
                         group->nearby[i]);
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
    if (result->group_count == 0 && result->verdict == HBG_VERDICT_PROVED) {
        hbg_buffer_print(out, "%s: nothing switches: there is nothing to prove\n",
                         hbg_model_title(report->model));
        return;
    }
    if (report->model->automata.count == 0 && result->causality.verdict == HBG_VERDICT_WITNESS) {
        hbg_buffer_print(
            out, "%s: nothing switches, but the model has no valid causal assignment (`hbg causality`)\n",
            hbg_model_title(report->model));
        return;
    }
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
