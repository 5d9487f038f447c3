/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instant as a report: its cause, the modes it went through, what jumped and pulsed in each, and how it
 * ended. Its fields are a line of the event log (docs/events.md), its words a part of the story. Only changes
 * are listed in fields. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/run_events_impl.h"
#include "rt/bands.h"

#define MOST_AUTOMATA 8 /* named at once */
#define MOST_JUMPS    6
#define MOST_PULSES   3

typedef struct {
    hbg_run_events *events;
    const hbg_rt_description *system;
    hbg_api_report *at; /* the node that is filled */
    const hbg_sim_event *event;
    bool fields, words; /* which of them are needed */
} teller;

/* The same writer at another node. */
static teller inside(const teller *tell, hbg_api_report *at) {
    teller other = *tell;
    other.at = at;
    return other;
}

static void say(const teller *tell, const char *text) {
    if (tell->words) hbg_base_buffer_text(hbg_api_words(tell->at), text);
}

static void say_quantity(const teller *tell, double value, const char *unit) {
    if (tell->words) hbg_api_run_put_quantity(hbg_api_words(tell->at), value, unit);
}

static void say_more(const teller *tell, int64_t count, int64_t most, const char *what) {
    if (count > most && tell->words)
        hbg_api_say(tell->at, " and %lld more%s", (long long)(count - most), what);
}

/* Room for a text that a field or a sentence has. */
static hbg_buffer new_text(const teller *tell) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &tell->events->instant);
    return text;
}

/* ---- the cause ---------------------------------------------------------------------------------------- */

/* A separate cause for programs; for people, joined to the one before. */
static void begin_cause(const teller *tell, const char *text, int32_t *count) {
    hbg_api_text(tell->at, NULL, text);
    if ((*count)++ > 0) say(tell, "; ");
}

static void put_becomes(const teller *tell, const char *name, const char *value, int32_t *count) {
    begin_cause(tell, hbg_base_arena_print(&tell->events->instant, "%s = %s", name, value), count);
    say(tell, name);
    say(tell, " becomes ");
}

static void put_value(const teller *tell, const char *name, double value, const char *unit, int32_t *count) {
    char text[HBG_DOUBLE_TEXT] = "null";
    if (isfinite(value)) hbg_base_double_print(text, value);
    put_becomes(tell, name, text, count);
    say_quantity(tell, value, unit);
}

static void put_input(const teller *tell, int32_t input, int32_t *count) {
    const hbg_rt_variable *of = &tell->system->inputs[input];
    double value = hbg_api_run_event_input(tell->events, input, tell->event->t);
    if (tell->events->input_is_event[input]) {
        begin_cause(tell, of->name, count);
        say(tell, of->name);
        say(tell, " happens");
    } else if (of->is_bool) {
        put_becomes(tell, of->name, value != 0 ? "true" : "false", count);
        say(tell, value != 0 ? "true" : "false");
    } else {
        put_value(tell, of->name, value, of->unit, count);
    }
}

/* The discrete states that a run starts with. */
static void put_states(const teller *tell, const int32_t *states) {
    int32_t count = tell->system->automaton_count;
    teller here = inside(tell, hbg_api_object(tell->at, "states"));
    say(&here, count > 0 ? "start with " : "start");
    for (int32_t i = 0; i < count; i++) {
        const char *name = tell->system->automata[i].name,
                   *state = tell->system->automata[i].states[states[i]];
        hbg_api_text(here.at, name, state);
        if (i >= MOST_AUTOMATA) continue;
        if (i > 0) say(&here, ", ");
        say(&here, name);
        say(&here, " ");
        say(&here, state);
    }
    say_more(&here, count, MOST_AUTOMATA, "");
}

/* Whether a transition from one state to the other waits. */
static bool waits(const teller *tell, int32_t automaton, int32_t from, int32_t to) {
    const hbg_model *model = tell->events->state->model;
    const hbg_automaton_state *state =
        &model->states.items[model->automata.items[automaton].first_state + from];
    for (int32_t i = 0; i < state->transition_count; i++) {
        const hbg_transition *way = &model->transitions.items[state->first_transition + i];
        if (way->target == to && way->after != HBG_NONE) return true;
    }
    return false;
}

/* A cause that is neither a relation nor an input: the first transitions tell it. A guard may come to hold at
 * a moment that was planned for something else, like the end of the run. */
static void say_moment(const teller *tell, int32_t *count) {
    const hbg_sim_event *event = tell->event;
    for (int32_t i = 0; i < tell->system->automaton_count; i++) {
        if (!hbg_api_run_event_unexplained(tell->events, event, i)) continue;
        int32_t from = event->visits[0].before[i], to = event->visits[0].states[i];
        hbg_buffer guard = new_text(tell);
        hbg_api_run_event_guard(tell->events, &guard, i, from, to);
        hbg_api_text(tell->at, NULL, guard.data);
        if (*count >= MOST_AUTOMATA) continue;
        if ((*count)++ > 0) say(tell, "; ");
        bool sampled = tell->system->automata[i].every > 0;
        say(tell, sampled ? "a sample is due" : waits(tell, i, from, to) ? "a wait is over" : guard.data);
    }
    if (*count == 0) say(tell, event->slide ? "sliding" : "a planned moment");
}

static void put_causes(const teller *tell, int32_t *count) {
    const hbg_sim_event *event = tell->event;
    for (int32_t i = 0; i < event->root_count; i++) {
        hbg_buffer relation = new_text(tell);
        hbg_api_run_event_relation(tell->events, &relation, event, i);
        begin_cause(tell, relation.data, count);
        say(tell, relation.data);
    }
    for (int32_t i = 0; i < event->input_count; i++)
        if (hbg_api_run_event_input_changes(tell->events, event->inputs[i], event->t))
            put_input(tell, event->inputs[i], count);
    for (int32_t i = 0; i < tell->events->course_count; i++) {
        const hbg_run_course *course = &tell->events->courses[i];
        double value;
        if (hbg_api_run_event_course(tell->events, event, i, &value))
            put_value(tell, course->name, value, course->unit ? course->unit : "", count);
    }
    for (int32_t i = 0; i < event->override_count; i++) {
        int32_t cause = hbg_api_run_event_cause(tell->events, event, i);
        if (cause < 0) continue;
        hbg_buffer fault = new_text(tell);
        hbg_api_run_event_fault(tell->events, &fault, cause);
        begin_cause(tell, fault.data, count);
        say(tell, fault.data);
    }
    say_moment(tell, count);
}

static void say_cause(const teller *tell) {
    int32_t count = 0;
    hbg_api_number(tell->at, "t", tell->event->t);
    say(tell, "t = ");
    say_quantity(tell, tell->event->t, "s");
    say(tell, ": ");
    if (tell->events->count == 0) {
        put_states(tell, tell->system->start_states);
        count++;
    }
    teller list = inside(tell, hbg_api_list(tell->at, "cause"));
    put_causes(&list, &count);
    say(&list, "\n");
}

/* ---- transitions -------------------------------------------------------------------------------------- */

/* What a relation does at its crossing: it reaches its threshold, or has passed it without reaching it, at a
 * pole or a jump. If the threshold is 0, only a pole is known to be far from it. */
static void say_crossing(const teller *tell, double left, double right) {
    const double pole = 1e8, apart = 0.03;
    double largest = fmax(fabs(left), fabs(right));
    bool jumps = right != 0 && fabs(left - right) > apart * largest;
    if (largest > pole * fmax(1, fabs(right))) {
        say(tell, " (through infinity)");
        return;
    }
    say(tell, jumps ? " (jumps past " : " (at ");
    say_quantity(tell, right == 0 ? 0 : right, "");
    say(tell, ")");
}

/* One comparison, "(0.12 > 0.1)" or "(pulses -12 <= 0)". At a crossing both sides are the same except for
 * rounding, which would only confuse: "(at 0.12)". */
static void say_comparison(const teller *tell, const char *text, size_t size, bool crossing, bool alone) {
    const char *number = text + strspn(text, " (");
    bool pulses = strncmp(number, "pulses ", 7) == 0;
    char *end;
    double left = strtod(pulses ? number + 7 : number, &end);
    const char *sign = end + strspn(end, " ");
    size_t sign_size = strcspn(sign, " ");
    if (sign_size == 0) return;
    if (end == number) { // words
        hbg_base_buffer_add(hbg_api_words(tell->at), text, size);
        return;
    }
    double right = strtod(sign + sign_size, &end);
    bool equal =
        fabs(left - right) <= fmax(HBG_RT_TOLD_EQUAL * fmax(fabs(left), fabs(right)), HBG_RT_TOLD_ZERO);
    bool holds = sign[sign_size - 1] == '='; // also where both are the same
    if (!pulses && ((equal && (crossing || holds)) || (crossing && alone))) {
        say_crossing(tell, left, right);
    } else if (pulses && right == 0) { // also the negative one
        hbg_base_buffer_add(hbg_api_words(tell->at), text, (size_t)(sign - text) + sign_size);
        say(tell, " 0)");
    } else {
        hbg_base_buffer_add(hbg_api_words(tell->at), text, size);
    }
}

/* The values that decided, from the words of the move: "`name` a -> b (1 < 2) (3 > 1)" between semicolons.
 * The first transition of an instant that was found by its crossing, on one comparison, was taken at that
 * crossing. */
static void say_values(const teller *tell, const char *why, const char *automaton, bool crossing) {
    char mark[128];
    (void)snprintf(mark, sizeof mark, "`%s` ", automaton);
    const char *start = strstr(why, mark);
    if (!start) return;
    start += strlen(mark);
    const char *end = strstr(start, "; `");
    if (!end) end = start + strlen(start);
    const char *first = strstr(start, " ("), *open = first;
    while (open && open < end) {
        const char *close = strchr(open, ')');
        if (!close || close >= end) return; // cut short
        const char *next = strstr(close, " (");
        bool alone = open == first && (!next || next >= end);
        say_comparison(tell, open, (size_t)(close + 1 - open), crossing, alone);
        open = next;
    }
}

/* "    relay: open -> closed, when sw" */
static void say_transition(const teller *tell, int32_t index, int32_t automaton) {
    const hbg_sim_visit *visit = &tell->event->visits[index];
    const hbg_rt_automaton *of = &tell->system->automata[automaton];
    int32_t from = hbg_api_run_event_before(tell->event, index)[automaton], to = visit->states[automaton];
    if (!tell->words) return;
    hbg_api_say(tell->at, "    %s: %s -> %s, ", of->name, of->states[from], of->states[to]);
    if (hbg_api_run_event_held(tell->events, automaton, tell->event->t)) {
        say(tell, "stuck\n");
        return;
    }
    hbg_buffer guard = new_text(tell);
    hbg_api_run_event_guard(tell->events, &guard, automaton, from, to);
    if (strncmp(guard.data, "after ", 6) != 0) say(tell, "when ");
    say(tell, guard.data);
    say_values(tell, hbg_rt_visit_why(visit), of->name, index == 0 && tell->event->root_count > 0);
    say(tell, "\n");
}

static int32_t say_transitions(const teller *tell, int32_t index) {
    const hbg_sim_visit *visit = &tell->event->visits[index];
    const int32_t *before = hbg_api_run_event_before(tell->event, index);
    teller here = inside(tell, hbg_api_object(tell->at, "changed"));
    int32_t count = 0;
    for (int32_t i = 0; i < tell->system->automaton_count; i++) {
        const hbg_rt_automaton *of = &tell->system->automata[i];
        if (before[i] == visit->states[i]) continue;
        hbg_api_text(here.at, of->name, of->states[visit->states[i]]);
        if (count++ < MOST_AUTOMATA) say_transition(&here, index, i);
    }
    if (count > MOST_AUTOMATA) say(&here, "   ");
    say_more(&here, count, MOST_AUTOMATA, " automata move\n");
    return count;
}

/* ---- what a mode does --------------------------------------------------------------------------------- */

/* "coil.p from 151.116 µWb to 0 Wb"; 0 of them: nothing written */
static int32_t say_jumps(const teller *tell, const hbg_sim_visit *visit, const char *lead) {
    teller here = inside(tell, hbg_api_object(tell->at, "jump"));
    int32_t count = 0;
    for (int32_t i = 0; i < tell->system->state_count; i++) {
        if (!hbg_api_run_event_jumped(tell->events, visit, i)) continue;
        const hbg_rt_variable *of = &tell->system->states[i];
        double before = visit->x[i], after = visit->x_plus[i], size = tell->events->state_size[i];
        hbg_api_report *both = hbg_api_list(here.at, of->name);
        hbg_api_number(both, NULL, before);
        hbg_api_number(both, NULL, after);
        if (count++ >= MOST_JUMPS) continue;
        say(&here, count == 1 ? lead : ", ");
        say(&here, of->name);
        say(&here, " from ");
        say_quantity(&here, hbg_api_run_event_matters(before, size) ? before : 0, of->unit);
        say(&here, " to ");
        say_quantity(&here, hbg_api_run_event_matters(after, size) ? after : 0, of->unit);
    }
    say_more(&here, count, MOST_JUMPS, "");
    return count;
}

static void put_impulses(const teller *tell, const hbg_sim_visit *visit) {
    hbg_api_report *list = hbg_api_object(tell->at, "impulses");
    for (int32_t i = 0; i < tell->system->bond_count && tell->fields; i++) {
        bool effort = hbg_api_run_event_pulsed(tell->events, visit, 0, i);
        bool flow = hbg_api_run_event_pulsed(tell->events, visit, 1, i);
        if (!effort && !flow) continue;
        hbg_api_report *of = hbg_api_object(list, tell->events->bonds[i].name);
        if (effort) hbg_api_number(of, "e", hbg_api_run_event_area(tell->events, visit, 0, i));
        if (flow) hbg_api_number(of, "f", hbg_api_run_event_area(tell->events, visit, 1, i));
    }
}

/* A pulse that passes from bond to bond is reported once, for the element that takes it; storages each take
 * their own. */
static bool is_told(const teller *tell, const hbg_sim_visit *visit, int side, int32_t bond) {
    const hbg_run_events *events = tell->events;
    const double *area = side ? visit->flow : visit->effort;
    int32_t group = events->area_group[side][bond], rank = events->bonds[bond].rank;
    if (!hbg_api_run_event_pulsed(events, visit, side, bond)) return false;
    if (rank == 0) return true;
    for (int32_t i = 0; i < tell->system->bond_count; i++) {
        bool same = events->area_group[side][i] == group &&
                    !hbg_api_run_event_matters(fabs(area[i]) - fabs(area[bond]), events->area_size[group]);
        bool better = events->bonds[i].rank < rank || (events->bonds[i].rank == rank && i < bond);
        if (same && better) return false;
    }
    return true;
}

static void say_pulses(const teller *tell, const hbg_sim_visit *visit, const char *lead) {
    int32_t count = 0, bonds = 2 * tell->system->bond_count;
    for (int32_t i = 0; i < HBG_RUN_RANKS * bonds && tell->words; i++) { // what names an element comes first
        int32_t bond = i % bonds / 2, side = i % 2;
        if (tell->events->bonds[bond].rank != i / bonds || !is_told(tell, visit, side, bond)) continue;
        if (count++ >= MOST_PULSES) continue;
        say(tell, count == 1 ? lead : ", ");
        say_quantity(tell, hbg_api_run_event_area(tell->events, visit, side, bond),
                     tell->events->area_unit[side][bond]);
        say(tell, " on ");
        say(tell, tell->events->bonds[bond].name);
    }
    say_more(tell, count, MOST_PULSES, "");
}

static void say_visit(const teller *tell, int32_t index) {
    static const struct {
        const char *kind, *words;
    } kinds[] = {[HBG_RT_MYTHICAL] = {"mythical", "mythical: left again before anything happens"},
                 [HBG_RT_PINNACLE] = {"pinnacle", "pinnacle: real, but for this instant only"},
                 [HBG_RT_BOUNDARY] = {"boundary", "boundary: real for this instant, and left at once"},
                 [HBG_RT_CONTINUOUS] = {"continuous", "time flows on"}};
    const hbg_sim_visit *visit = &tell->event->visits[index];
    bool mythical = visit->kind == HBG_RT_MYTHICAL;
    if (say_transitions(tell, index) == 0 && mythical) say(tell, "    the start mode\n");
    hbg_api_text(tell->at, "kind", kinds[visit->kind].kind);
    say(tell, "        ");
    say(tell, kinds[visit->kind].words);
    int32_t jumps = say_jumps(tell, visit, mythical ? "; it would take " : "; it takes ");
    put_impulses(tell, visit);
    say_pulses(tell, visit, jumps > 0 ? ", with a pulse of " : "; with a pulse of ");
    if (!mythical && jumps > 0 && tell->words) {
        say(tell, "; ");
        double lost = hbg_api_run_event_lost(tell->events, visit, tell->event->t);
        if (lost == 0) say(tell, "no energy");
        if (lost != 0) say_quantity(tell, lost, "J");
        say(tell, " lost");
    }
    say(tell, "\n");
    hbg_api_run_put_outcomes(tell->events, tell->event, visit, tell->at);
}

static void put_verdict(const teller *tell) {
    const hbg_sim_event *event = tell->event;
    bool fine = event->verdict == HBG_RT_FINE;
    hbg_api_text(tell->at, "verdict", fine ? NULL : hbg_rt_verdict_name(event->verdict));
    if (!fine) hbg_api_text(tell->at, "words", event->words);
    if (event->rest) hbg_api_text(tell->at, "rest", event->rest);
    if (event->slide) hbg_api_text(tell->at, "slide", event->slide);
}

hbg_api_report *hbg_api_run_explain(hbg_run_events *events, const hbg_sim_event *event, bool fields,
                                    bool words) {
    hbg_api_report *root = hbg_api_report_begin(events->session, &events->instant);
    teller tell = {events, events->state->system, root, event, fields, words};
    double lost = 0;
    for (int32_t i = 0; i < event->visit_count && fields; i++)
        lost += hbg_api_run_event_lost(events, &event->visits[i], event->t);
    say_cause(&tell);
    hbg_api_report *trace = hbg_api_list(root, "trace");
    for (int32_t i = 0; i < event->visit_count; i++) {
        teller visit = inside(&tell, hbg_api_object(trace, NULL));
        say_visit(&visit, i);
    }
    hbg_api_number(root, "energy_lost", lost);
    put_verdict(&tell);
    if (event->visit_count == 0 && events->count > 0 && event->verdict == HBG_RT_FINE &&
        event->override_count == 0 && !event->slide)
        say(&tell, "    nothing switches\n");
    if (event->slide) {
        say(&tell, "    the run ");
        say(&tell, event->slide);
        say(&tell, "\n");
    }
    if (event->rest) {
        say(&tell, "    what bounced rests from here on: ");
        say(&tell, event->rest);
        say(&tell, "\n");
    }
    if (event->verdict != HBG_RT_FINE) {
        say(&tell, "    verdict ");
        say(&tell, hbg_rt_verdict_name(event->verdict));
        say(&tell, ": ");
        say(&tell, event->words);
        say(&tell, "\n");
    }
    return root;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

void hbg_api_run_put_story(const hbg_run_story *story, hbg_buffer *out) {
    const hbg_run_events *events = story->rows.events;
    if (story->options->explain == 0 || !events) return;
    hbg_base_buffer_add(out, events->story.data, events->story.size);
    int64_t left = events->explain < 0 ? 0 : events->count - events->explain;
    if (left > 0)
        hbg_base_buffer_print(out, "… and %lld more; --explain=all tells them all\n", (long long)left);
}
