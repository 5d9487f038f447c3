/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One finding of `hbg verify`: where it is, values to try, the way the search goes, whether it is within
 * reach, and a repair. The text shows regions up to a readable length. */
#include <math.h>
#include <string.h>

#include "api/verify_impl.h"

/* ---- words ------------------------------------------------------------------------------------------------- */

const char *hbg_api_verify_state_name(const verify_report *report, int32_t automaton, int32_t state) {
    const hbg_automaton *of = &report->model->automata.items[automaton];
    return hbg_base_names_get(report->model->names,
                              report->model->states.items[of->first_state + state].name);
}

const char *hbg_api_verify_states_text(const verify_report *report, const hbg_group_result *group,
                                       const int32_t *states) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &report->session->scratch);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        int32_t automaton = group->of.automata[i];
        hbg_base_buffer_print(&text, "%s%s=%s", i ? ", " : "", report->system->automata[automaton].name,
                              hbg_api_verify_state_name(report, automaton, states[automaton]));
    }
    return text.data;
}

const char *hbg_api_verify_transition_text(const verify_report *report, int32_t automaton, int32_t state,
                                           int32_t transition) {
    const hbg_transition *of = &report->model->transitions.items[transition];
    hbg_buffer text;
    hbg_base_buffer_init(&text, &report->session->scratch);
    hbg_base_buffer_print(&text, "%s: %s -> %s", report->system->automata[automaton].name,
                          hbg_api_verify_state_name(report, automaton, state),
                          hbg_api_verify_state_name(report, automaton, of->target));
    if (of->after != HBG_NONE) {
        hbg_base_buffer_text(&text, " after ");
        hbg_model_print_expr(report->model, of->after, &text);
    }
    if (of->guard != HBG_NONE) {
        hbg_base_buffer_text(&text, " when ");
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

const char *hbg_api_verify_taken_text(const verify_report *report, const hbg_group_result *group,
                                      const hbg_witness_step *step) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &report->session->scratch);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        if (step->taken[i] == HBG_NONE) continue;
        int32_t automaton = group->of.automata[i];
        hbg_base_buffer_print(&text, "%s%s", text.size ? "; " : "",
                              hbg_api_verify_transition_text(report, automaton,
                                                             left_by(report, automaton, step->taken[i]),
                                                             step->taken[i]));
    }
    return text.size ? text.data : "";
}

#define TOLD_AUTOMATA 6 /* names of a group */

const char *hbg_api_verify_group_text(const verify_report *report, const hbg_group_result *group) {
    hbg_buffer text;
    int32_t count = group->of.automaton_count, told = count > TOLD_AUTOMATA + 1 ? TOLD_AUTOMATA : count;
    hbg_base_buffer_init(&text, &report->session->scratch);
    for (int32_t i = 0; i < told; i++)
        hbg_base_buffer_print(&text, "%s%s", i ? ", " : "",
                              report->system->automata[group->of.automata[i]].name);
    if (told < count) hbg_base_buffer_print(&text, " and %d more", (int)(count - told));
    return text.data;
}

/* ---- regions ----------------------------------------------------------------------------------------------- */

#define LONGEST_INEQUALITY  110 /* bytes that are shown; --json has all */
#define LONGEST_CONJUNCTION 320
#define TOLD_ALTERNATIVES   4

/* The length of the first inequality: up to a comma outside brackets. */
static size_t first_part(const char *text) {
    size_t size = 0;
    for (int depth = 0; text[size] && !(depth == 0 && text[size] == ','); size++) {
        depth += text[size] == '(' || text[size] == '[';
        depth -= text[size] == ')' || text[size] == ']';
    }
    return size;
}

/* Inequalities that hold together, without those that add nothing for a reader. */
void hbg_api_verify_put_conjunction(const char *text, hbg_buffer *out) {
    size_t told = 0;
    int32_t left_out = 0;
    while (*text) {
        size_t size = first_part(text);
        if (size <= LONGEST_INEQUALITY && told + size <= LONGEST_CONJUNCTION) {
            hbg_base_buffer_print(out, "%s%.*s", told ? ", " : "", (int)size, text);
            told += size + 2;
        } else {
            left_out++;
        }
        text += size;
        while (*text == ',' || *text == ' ') text++;
    }
    if (left_out > 0)
        hbg_base_buffer_print(out, "%s%d %sinequalit%s too long to read (--json has all)",
                              told ? ", and " : "", (int)left_out, told ? "more " : "",
                              left_out == 1 ? "y" : "ies");
}

int32_t hbg_api_verify_told_of(int32_t count) {
    return count > TOLD_ALTERNATIVES + 1 ? TOLD_ALTERNATIVES : count;
}

bool hbg_api_verify_is_everywhere(const char *const *words, int32_t count) {
    return count > 0 && strcmp(words[0], "everywhere") == 0;
}

/* ---- a finding --------------------------------------------------------------------------------------------- */

/* Six digits, or as many more as the number has: it was rounded to those it needs. */
static const char *value_text(const verify_report *report, double value) {
    const char *text = "";
    double back;
    for (int digits = 6; digits <= 17; digits++) {
        text = hbg_base_arena_print(&report->session->scratch, "%.*g", digits, value);
        if (hbg_base_double_parse(text, strlen(text), &back) && back == value) break;
    }
    return text;
}

static void put_values(const verify_report *report, const hbg_finding *finding, hbg_api_report *object) {
    hbg_api_report *list = hbg_api_list(object, "values");
    for (int32_t i = 0; i < finding->value_count; i++) {
        const hbg_witness_value *value = &finding->values[i];
        hbg_api_report *entry = hbg_api_object(list, NULL);
        hbg_api_text(entry, "name", value->name);
        hbg_api_say(entry, i ? ", " : "    for example at ");
        if (isnan(value->value)) {
            hbg_api_flag(entry, "value", value->truth);
            hbg_api_say(entry, "%s%s", value->truth ? "" : "not ", value->name);
        } else {
            hbg_api_number(entry, "value", value->value);
            hbg_api_say(entry, "%s = %s%s%s", value->name, value_text(report, value->value),
                        value->unit && value->unit[0] ? " " : "", value->unit ? value->unit : "");
        }
        hbg_api_text(entry, "unit", value->unit);
    }
    if (finding->value_count > 0) hbg_api_say(list, "\n");
}

static void say_region(const hbg_finding *finding, hbg_api_report *list) {
    int32_t told = hbg_api_verify_told_of(finding->region_count);
    if (hbg_api_verify_is_everywhere(finding->region, finding->region_count)) {
        hbg_api_say(list, "    whatever the energies and inputs\n");
        return;
    }
    for (int32_t i = 0; i < told; i++) {
        hbg_api_say(list, "    %s ", i ? "or   " : "where");
        hbg_api_verify_put_conjunction(finding->region[i], hbg_api_words(list));
        hbg_api_say(list, "\n");
    }
    if (told < finding->region_count)
        hbg_api_say(list, "    or in %d more regions (--json has all)\n",
                    (int)(finding->region_count - told));
    if (finding->region_count == 0)
        hbg_api_say(list, "    where that is, is too hard to put into words\n");
    else if (!finding->region_complete)
        hbg_api_say(list, "    and perhaps elsewhere: whether this is all of it was too hard to tell\n");
}

/* The transitions that led to a step, each with its place. */
static void put_taken(const verify_report *report, const hbg_group_result *group,
                      const hbg_witness_step *step, hbg_api_report *object) {
    hbg_session *session = report->session;
    hbg_api_report *list = hbg_api_list(object, "taken");
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        int32_t automaton = group->of.automata[i], taken = step->taken[i];
        hbg_place place;
        if (taken == HBG_NONE) continue;
        hbg_api_report *entry = hbg_api_object(list, NULL);
        hbg_api_text(entry, "automaton", report->system->automata[automaton].name);
        hbg_api_say(
            entry, "           %s %s", entry == list->first ? "by" : "and",
            hbg_api_verify_transition_text(report, automaton, left_by(report, automaton, taken), taken));
        if (hbg_base_sources_place(&session->sources, report->model->transitions.items[taken].span, &place)) {
            const char *name = strrchr(place.path, '/');
            hbg_api_text(entry, "file", place.path);
            hbg_api_count(entry, "line", place.line);
            hbg_api_say(entry, "  (%s:%d)", name ? name + 1 : place.path, (int)place.line);
        }
        hbg_api_say(entry, "\n");
    }
}

static void put_steps(const verify_report *report, const hbg_group_result *group, const hbg_finding *finding,
                      hbg_api_report *object) {
    hbg_api_report *list = hbg_api_list(object, "steps");
    for (int32_t i = 0; i < finding->step_count; i++) {
        const hbg_witness_step *step = &finding->steps[i];
        bool back = finding->back_to != HBG_NONE && i == finding->step_count - 1;
        hbg_api_report *entry = hbg_api_object(list, NULL);
        hbg_api_verify_put_states(report, entry, "states", group, step->states);
        hbg_api_text(entry, "by", hbg_api_verify_taken_text(report, group, step));
        hbg_api_say(entry, "      %s %s%s%s\n", i ? "->" : "  ",
                    hbg_api_verify_states_text(report, group, step->states),
                    step->committed ? "  (real: becomes what is)"
                    : back          ? "  (again)"
                                    : "",
                    i == finding->back_to && !back ? "  <- here it comes back to" : "");
        put_taken(report, group, step, entry);
        hbg_api_flag(entry, "real", step->committed);
    }
}

static void put_reach(const hbg_finding *finding, hbg_api_report *object) {
    hbg_api_text(object, "reached", hbg_api_verify_existence_word(finding->reachable));
    if (finding->reachable == HBG_VERDICT_WITNESS) {
        hbg_api_say(object, "    within reach: a real mode can be left for there while time flows\n");
    } else if (finding->reachable == HBG_VERDICT_PROVED) {
        hbg_api_say(
            object,
            "    out of reach: no real mode is left for there while time flows; only a start is there\n");
    } else if (finding->reach_reason) {
        hbg_api_text(object, "reached_reason", finding->reach_reason);
        hbg_api_say(object, "    whether it is within reach is not decided: %s\n", finding->reach_reason);
    }
}

/* What usually helps; a condition that was proved to is better. */
static const char *const remedies[HBG_FINDING_COUNT] = {
    [HBG_FINDING_CHAIN] =
        "let bodies that are slower than some velocity stay together, as in 004, section 3.3.2",
    [HBG_FINDING_LOST_PINNACLE] = "a guard has to leave this state on the values with which it is entered",
    [HBG_FINDING_NO_CAUSALITY] =
        "`hbg causality MODEL --mode …` says which elements contradict each other there",
    [HBG_FINDING_SHORT_CIRCUIT] =
        "a guard has to leave this mode, or none to enter it: a dead time between switches of a leg is usual",
    [HBG_FINDING_OPEN_FLOW_SOURCE] =
        "a guard has to leave this mode, or none to enter it: a diode or an overlap gives the flow a way",
    [HBG_FINDING_ENERGY] =
        "a restitution above 1, or a modulated source that feeds energy in, is a usual cause",
    [HBG_FINDING_FORBIDDEN] =
        "read the value before the instant, pre(…), or a pulse, impulse(…), in that guard"};

/* If the condition cannot be put into the source it is shown alone. */
static void say_condition(const verify_report *report, const hbg_repair *repair, const verify_edit *edit,
                          hbg_api_report *own) {
    const char *transition = hbg_api_verify_transition_text(
        report, repair->automaton, left_by(report, repair->automaton, repair->transition),
        repair->transition);
    hbg_api_say(own,
                edit->refused ? "    to mend it, this besides the guard of %s; as told here it "
                                "cannot be written:\n        %s\n"
                              : "    to mend it, add to the guard of %s:\n        && %s\n",
                transition, repair->condition);
}

static void put_edit(const verify_report *report, const hbg_repair *repair, const verify_edit *edit,
                     hbg_api_report *own) {
    const char *automaton = report->system->automata[repair->automaton].name;
    hbg_api_text(own, "file", edit->path);
    hbg_api_count(own, "line", edit->line);
    hbg_api_count(own, "lines", edit->lines);
    hbg_api_text(own, "write", edit->write);
    hbg_api_say(own, "    to mend it, write in %s:%d", edit->path, (int)edit->line);
    if (edit->lines > 1) hbg_api_say(own, " to %d", (int)(edit->line + edit->lines - 1));
    hbg_api_say(own, "\n        %s\n", edit->write);
    if (strchr(automaton, '.'))
        hbg_api_say(own, "        (a component: all its instances change, not only that of %s)\n", automaton);
}

static void put_repair(const verify_report *report, const hbg_finding *finding, hbg_api_report *object) {
    verify_edit edit;
    const hbg_repair *repair = &finding->repair;
    if (repair->condition) {
        hbg_api_report *own = hbg_api_object(object, "repair");
        hbg_api_text(own, "automaton", report->system->automata[repair->automaton].name);
        hbg_api_text(own, "condition", repair->condition);
        if (hbg_api_verify_repair(report, repair, &edit))
            put_edit(report, repair, &edit, own);
        else
            say_condition(report, repair, &edit, own);
    } else if (repair->sought) {
        hbg_api_say(object, "    no single further condition was found that mends it\n");
    }
}

void hbg_api_verify_put_finding(const verify_report *report, const hbg_group_result *group,
                                const hbg_finding *finding, hbg_api_report *list) {
    const char *subject = finding->subject;
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_text(object, "kind", hbg_verify_finding_word(finding->kind));
    hbg_api_text(object, "text", hbg_verify_finding_text(finding->kind));
    hbg_api_flag(object, "wrong", hbg_verify_finding_is_wrong(finding->kind));
    if (subject) hbg_api_text(object, "subject", subject);
    hbg_api_say(object, "  %s: %s%s%s%s%s\n", hbg_verify_finding_word(finding->kind),
                hbg_verify_finding_text(finding->kind), subject ? ": `" : "", subject ? subject : "",
                subject ? "`" : "",
                finding->after_commit && finding->kind == HBG_FINDING_CYCLE
                    ? ", after a first mode was found real"
                    : "");
    say_region(finding, hbg_api_texts(object, "region", finding->region, finding->region_count));
    hbg_api_flag(object, "region_complete", finding->region_complete);
    put_values(report, finding, object);
    put_steps(report, group, finding, object);
    if (finding->back_to != HBG_NONE) hbg_api_count(object, "back_to", finding->back_to);
    hbg_api_flag(object, "after_commit", finding->after_commit);
    put_reach(finding, object);
    put_repair(report, finding, object);
    bool is_first = true; // of its kind
    for (const hbg_finding *other = group->findings; other < finding; other++)
        is_first &= other->kind != finding->kind;
    if (is_first && remedies[finding->kind])
        hbg_api_say(object, "    what helps: %s\n", remedies[finding->kind]);
}
