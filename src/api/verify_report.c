/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The report of `hbg verify`: the verdict first, then for every group what was proved, or where and why the
 * switching is inconsistent. */
#include <math.h>
#include <string.h>

#include "api/verify_impl.h"

/* Whether what was sought exists. */
const char *hbg_api_verify_existence_word(hbg_verdict verdict) {
    static const char *const words[] = {
        [HBG_VERDICT_PROVED] = "no", [HBG_VERDICT_WITNESS] = "yes", [HBG_VERDICT_UNDECIDED] = "not decided"};
    return words[verdict];
}

void hbg_api_verify_put_states(const verify_report *report, hbg_api_report *object, const char *key,
                               const hbg_group_result *group, const int32_t *states) {
    hbg_api_report *own = hbg_api_object(object, key);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        const hbg_rt_automaton *of = &report->system->automata[group->of.automata[i]];
        hbg_api_text(own, of->name, of->states[states[group->of.automata[i]]]);
    }
}

/* ---- a group ----------------------------------------------------------------------------------------------- */

#define TOLD_COUPLINGS 8

/* Why its automata belong together. */
static void put_reasons(const hbg_group_result *group, hbg_api_report *object) {
    hbg_api_report *list = hbg_api_lines(object, "coupled", group->reasons);
    const hbg_api_report *line = list->first;
    int32_t count = 0, told = 0;
    for (const hbg_api_report *one = line; one; one = one->next) count++;
    for (; line && (told < TOLD_COUPLINGS || count <= TOLD_COUPLINGS + 1); line = line->next, told++)
        hbg_api_say(object, "  coupled: %s\n", line->text);
    if (told < count)
        hbg_api_say(object, "  coupled: and %d more pairs (--json has all)\n", (int)(count - told));
}

static void put_dead(const verify_report *report, const hbg_group_result *group, hbg_api_report *object) {
    hbg_api_report *states = hbg_api_list(object, "never_entered");
    hbg_api_report *guards = hbg_api_list(object, "never_fires");
    for (int32_t i = 0; i < group->dead_count; i++) {
        const hbg_dead_end *dead = &group->dead[i];
        const hbg_rt_automaton *of = &report->system->automata[dead->automaton];
        const char *state = of->states[dead->state];
        if (dead->transition == HBG_NONE) {
            hbg_api_text(states, NULL,
                         hbg_base_arena_print(&report->session->scratch, "%s.%s", of->name, state));
            hbg_api_say(object, "  note: %s is never entered: %s\n", of->name, state);
        } else {
            const char *guard =
                hbg_api_verify_transition_text(report, dead->automaton, dead->state, dead->transition);
            hbg_api_text(guards, NULL, guard);
            hbg_api_say(object, "  note: this guard never fires: %s\n", guard);
        }
    }
}

/* The condition the papers check: it is necessary, not sufficient. */
static void say_real(const verify_report *report, const hbg_group_result *group, hbg_api_report *object) {
    if (group->real_mode == HBG_VERDICT_PROVED && group->verdict == HBG_VERDICT_PROVED) return;
    if (group->real_mode == HBG_VERDICT_PROVED)
        hbg_api_say(object,
                    "  for every distribution of energy some mode, as it is entered, is real: the weaker "
                    "condition holds\n");
    if (group->real_mode != HBG_VERDICT_WITNESS) return;
    const char *from = "";
    if (group->never_real_from)
        from = hbg_base_arena_print(&report->session->scratch, " for an instant that begins in %s",
                                    hbg_api_verify_states_text(report, group, group->never_real_from));
    if (group->never_real_from_some) from = " for an instant that begins in one of several states";
    if (hbg_api_verify_is_everywhere(group->never_real, group->never_real_count)) {
        hbg_api_say(object, "  no mode is real%s, whatever the energies and inputs\n", from);
        return;
    }
    int32_t told = hbg_api_verify_told_of(group->never_real_count);
    for (int32_t i = 0; i < told; i++) {
        hbg_api_say(object, "%s%s where ", i ? "                  nor" : "  no mode is real", i ? "" : from);
        hbg_api_verify_put_conjunction(group->never_real[i], hbg_api_words(object));
        hbg_api_say(object, "\n");
    }
    if (told < group->never_real_count || !group->never_real_complete)
        hbg_api_say(object, "                  nor in some more regions (--json has what is known)\n");
}

/* Where several modes are real the path to them decides which one a run is in, as with hysteresis. */
static void put_overlap(const verify_report *report, const hbg_group_result *group, hbg_api_report *object) {
    const hbg_overlap *both = &group->both;
    hbg_api_text(object, "overlap", hbg_api_verify_existence_word(group->overlap));
    if (group->overlap != HBG_VERDICT_WITNESS) return;
    hbg_api_report *states = hbg_api_list(object, "overlap_states");
    for (int i = 0; i < 2; i++)
        hbg_api_verify_put_states(report, hbg_api_object(states, NULL), "states", group, both->states[i]);
    hbg_api_texts(object, "overlap_where", both->where, both->where_count);
    hbg_api_flag(object, "overlap_complete", both->where_complete);
    bool everywhere = hbg_api_verify_is_everywhere(both->where, both->where_count);
    int32_t told = everywhere ? 0 : hbg_api_verify_told_of(both->where_count);
    hbg_api_say(object, "  %s", hbg_api_verify_states_text(report, group, both->states[0]));
    hbg_api_say(object, " and %s are both real%s", hbg_api_verify_states_text(report, group, both->states[1]),
                everywhere ? ", whatever the energies and inputs"
                : told > 0 ? " where "
                           : " for some distribution of energy");
    for (int32_t i = 0; i < told; i++) {
        hbg_api_say(object, "%s", i ? "; or " : "");
        hbg_api_verify_put_conjunction(both->where[i], hbg_api_words(object));
    }
    if (told > 0 && (told < both->where_count || !both->where_complete))
        hbg_api_say(object, "; and elsewhere");
    hbg_api_say(object, ": which one a run is in depends on the way there\n");
}

#define TOLD_AREAS 8 /* discrete states whose areas are shown */

/* "touch=free is left at once where x > 1": for a run that begins there, or for a state that is entered. */
static void say_area(const char *states, const char *how, const char *const *words, int32_t count,
                     bool complete, hbg_api_report *in) {
    if (count == 0 && complete) hbg_api_say(in, "  %s%s is never left at once\n", states, how);
    if (count == 0) return;
    if (hbg_api_verify_is_everywhere(words, count)) {
        hbg_api_say(in, "  %s%s is left at once, whatever the energies and inputs\n", states, how);
        return;
    }
    int32_t told = hbg_api_verify_told_of(count);
    hbg_api_say(in, "  %s%s is left at once where ", states, how);
    for (int32_t k = 0; k < told; k++) {
        hbg_api_say(in, "%s", k ? "; or " : "");
        hbg_api_verify_put_conjunction(words[k], hbg_api_words(in));
    }
    if (told < count) hbg_api_say(in, "; or in %d more regions (--json has all)", (int)(count - told));
    hbg_api_say(in, complete ? "\n" : "; and elsewhere\n");
}

static bool is_same_area(const hbg_phase *phase, const hbg_phase_entered *at) {
    if (phase->word_count != at->word_count || phase->words_complete != at->words_complete) return false;
    for (int32_t i = 0; i < at->word_count; i++)
        if (strcmp(phase->words[i], at->words[i]) != 0) return false;
    return true;
}

/* Guards in terms of energy: where a discrete state is left at once, and where that differs for one that is
 * entered. */
static void put_area(const verify_report *report, const hbg_group_result *group, const hbg_phase *phase,
                     bool told, hbg_api_report *entry) {
    const char *states = hbg_api_verify_states_text(report, group, phase->states);
    bool apart = false;
    for (int32_t k = 0; k < phase->entered_count; k++) apart |= !is_same_area(phase, &phase->entered[k]);
    hbg_api_verify_put_states(report, entry, "states", group, phase->states);
    hbg_api_texts(entry, "left_where", phase->words, phase->word_count);
    hbg_api_flag(entry, "complete", phase->words_complete);
    if (told)
        say_area(states, apart ? ", where a run begins in it," : "", phase->words, phase->word_count,
                 phase->words_complete, entry);
    if (phase->entered_count == 0) return;
    hbg_api_report *list = hbg_api_list(entry, "entered");
    for (int32_t k = 0; k < phase->entered_count; k++) {
        const hbg_phase_entered *at = &phase->entered[k];
        const char *how = hbg_base_arena_print(&report->session->scratch, ", entered from %s,",
                                               hbg_api_verify_states_text(report, group, at->from));
        hbg_api_report *own = hbg_api_object(list, NULL);
        hbg_api_verify_put_states(report, own, "from", group, at->from);
        hbg_api_texts(own, "left_where", at->words, at->word_count);
        hbg_api_flag(own, "complete", at->words_complete);
        if (told && apart) say_area(states, how, at->words, at->word_count, at->words_complete, own);
    }
}

static void put_areas(const verify_report *report, const hbg_group_result *group, hbg_api_report *object) {
    bool told = group->verdict == HBG_VERDICT_WITNESS && group->phase_count <= TOLD_AREAS;
    hbg_api_report *list = hbg_api_list(object, "areas");
    for (int32_t i = 0; i < group->phase_count; i++)
        put_area(report, group, &group->phases[i], told, hbg_api_object(list, NULL));
}

/* Something is wrong with its switching, not only with conditions on jumps. */
static bool is_inconsistent(const hbg_group_result *group) {
    for (int32_t i = 0; i < group->finding_count; i++)
        if (hbg_verify_finding_is_wrong(group->findings[i].kind) &&
            group->findings[i].kind != HBG_FINDING_LIMIT)
            return true;
    return false;
}

/* The verdict, and the other facts about its reason. */
static void put_verdict(const verify_report *report, const hbg_group_result *group, hbg_api_report *object) {
    static const char *const verdicts[] = {[HBG_VERDICT_PROVED] =
                                               "consistent: every search ends, and every chain of modes",
                                           [HBG_VERDICT_WITNESS] = "INCONSISTENT",
                                           [HBG_VERDICT_UNDECIDED] = "not decided"};
    hbg_api_text(object, "verdict", hbg_answer_text(group->verdict));
    if (group->reason) hbg_api_text(object, "reason", group->reason);
    bool limits = group->verdict == HBG_VERDICT_WITNESS && !is_inconsistent(group);
    hbg_api_say(object, "\n%s: %s", hbg_api_verify_group_text(report, group),
                limits ? "EXCEEDS A LIMIT" : verdicts[group->verdict]);
    if (group->verdict == HBG_VERDICT_UNDECIDED) hbg_api_say(object, ": %s", group->reason);
    hbg_api_say(object, "\n");
    if (group->verdict == HBG_VERDICT_WITNESS && group->reason)
        hbg_api_say(object, "  and there may be more: %s\n", group->reason);
}

/* What the proof leaves out, or covers instead. */
static void put_limits(const hbg_group_result *group, hbg_api_report *object) {
    hbg_api_texts(object, "left_out", group->undefined, group->undefined_count);
    for (int32_t i = 0; i < group->undefined_count; i++)
        hbg_api_say(object, "  note: left out where %s\n", group->undefined[i]);
    hbg_api_texts(object, "nearby", group->nearby, group->nearby_count);
    for (int32_t i = 0; i < group->nearby_count; i++)
        hbg_api_say(object, "  note: sine and cosine of %s are those of an angle within 1e-10 of it\n",
                    group->nearby[i]);
    hbg_api_flag(object, "energy_examined", !group->of.shares_source);
    if (group->of.shares_source)
        hbg_api_say(object, "  note: energy is not accounted for: a source feeds this group and others\n");
}

static void put_group(const verify_report *report, hbg_api_report *list, const hbg_group_result *group) {
    hbg_api_report *object = hbg_api_object(list, NULL), *automata = hbg_api_list(object, "automata");
    for (int32_t i = 0; i < group->of.automaton_count; i++)
        hbg_api_text(automata, NULL, report->system->automata[group->of.automata[i]].name);
    put_verdict(report, group, object);
    put_reasons(group, object);
    hbg_api_report *findings = hbg_api_list(object, "findings");
    for (int32_t i = 0; i < group->finding_count; i++)
        hbg_api_verify_put_finding(report, group, &group->findings[i], findings);
    hbg_api_text(object, "real_mode", hbg_answer_text(group->real_mode));
    hbg_api_texts(object, "never_real", group->never_real, group->never_real_count);
    hbg_api_flag(object, "never_real_complete", group->never_real_complete);
    if (group->never_real_from)
        hbg_api_verify_put_states(report, object, "never_real_from", group, group->never_real_from);
    put_areas(report, group, object);
    say_real(report, group, object);
    put_overlap(report, group, object);
    put_limits(group, object);
    put_dead(report, group, object);
    hbg_api_count(object, "discrete_states", group->states);
    hbg_api_count(object, "ways", group->ways);
    hbg_api_count(object, "questions", group->questions);
    hbg_api_number(object, "seconds", group->seconds);
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static void say_effort(const hbg_consistency_result *result, hbg_api_report *root) {
    int32_t states = 0, ways = 0, questions = 0;
    for (int32_t i = 0; i < result->group_count; i++) {
        states += result->groups[i].states;
        ways += result->groups[i].ways;
        questions += result->groups[i].questions;
    }
    hbg_api_say(root, "\n%d group%s, %d discrete states, %d ways to a mode, %d questions to the prover\n",
                result->group_count, result->group_count == 1 ? "" : "s", states, ways, questions);
    if (result->verdict == HBG_VERDICT_PROVED && result->group_count > 0)
        hbg_api_say(root, "not asked: whether events come ever faster (Zeno); a run notices\n");
}

void hbg_api_verify_list_group(void *listener, const hbg_group_result *group) {
    verify_report *report = listener;
    if (!report->groups) {
        report->groups = hbg_api_report_new(report->session);
        report->groups->kind = HBG_REPORT_LIST;
        report->groups->key = "groups";
    }
    put_group(report, report->groups, group);
    hbg_api_own(report->groups->last);
    report->inconsistent |= is_inconsistent(group);
    for (int32_t i = 0; i < group->finding_count; i++)
        report->enters_invalid |= group->findings[i].kind == HBG_FINDING_NO_CAUSALITY;
}

/* For a model in which nothing switches, the one line there is; "" for any other. */
static const char *still_words(const verify_report *report) {
    const hbg_consistency_result *result = report->result;
    if (result->group_count == 0 && result->verdict == HBG_VERDICT_PROVED)
        return "nothing switches: there is nothing to prove";
    if (report->model->automata.count == 0 && result->causality.verdict == HBG_VERDICT_WITNESS)
        return "nothing switches, but the model has no valid causal assignment (`hbg causality`)";
    return "";
}

/* Open choices are symbols of the proof: the verdict covers all of them. */
static void put_choices(const verify_report *report, hbg_api_report *root, bool still) {
    const hbg_model *model = report->model;
    bool proved = report->result->verdict == HBG_VERDICT_PROVED;
    if (model->choices.count == 0) return;
    hbg_api_report *list = hbg_api_list(root, "for_all_choices");
    if (!still)
        hbg_api_say(root, proved ? "\nwhatever is chosen for" : "\nasked of all that can be chosen for");
    for (int32_t i = 0; i < model->choices.count; i++) {
        const char *name = hbg_api_text_path(report->session, model, model->choices.items[i].target);
        hbg_api_text(list, NULL, name);
        if (!still) hbg_api_say(root, "%s `%s`", i > 0 ? "," : "", name);
    }
    if (!still) hbg_api_say(root, "\n");
}

hbg_api_report *hbg_api_verify_report(const verify_report *report) {
    static const char *const verdicts[] = {
        [HBG_VERDICT_PROVED] = "the switching is consistent: at every instant it comes to an end",
        [HBG_VERDICT_WITNESS] = "the switching is not consistent",
        [HBG_VERDICT_UNDECIDED] = "not decided whether the switching is consistent"};
    const hbg_consistency_result *result = report->result;
    const char *title = hbg_model_title(report->model), *still = still_words(report);
    hbg_api_report *root = hbg_api_report_new(report->session);
    hbg_api_text(root, "model", title);
    hbg_api_text(root, "verdict", hbg_answer_text(result->verdict));
    hbg_api_text(root, "causality", hbg_answer_text(result->causality.verdict));
    bool limits = result->verdict == HBG_VERDICT_WITNESS && result->group_count > 0 && !report->inconsistent;
    hbg_api_say(root, "%s: %s\n", title,
                still[0] ? still
                : limits ? "at some jump something does not hold that always should"
                         : verdicts[result->verdict]);
    if (result->causality.verdict == HBG_VERDICT_WITNESS) {
        const char *mode = hbg_api_mode_text(report->session, report->model, result->causality.states);
        hbg_api_text(root, "mode_without_causality", mode);
        if (!still[0])
            hbg_api_say(
                root, "\nnote: the combination %s has no valid causal assignment (`hbg causality --all`)%s\n",
                mode,
                result->group_count == 0 ? "; it is the start"
                : report->enters_invalid ? ""
                                         : ", but no search enters such a one");
    }
    put_choices(report, root, still[0] != 0);
    if (report->groups)
        hbg_api_adopt(root, report->groups);
    else
        (void)hbg_api_list(root, "groups");
    if (!still[0]) say_effort(result, root);
    return root;
}
