/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The story of an instant in words: what caused it, the modes it went through, what jumped and pulsed in each, and how
 * it ended. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/run_events_impl.h"

#define MOST_AUTOMATA 8 /* named at once */
#define MOST_JUMPS    6
#define MOST_PULSES   3

typedef struct {
    hbg_run_events *events;
    const hbg_rt_description *system;
    hbg_run_notes *out;
    const hbg_sim_event *event;
} teller;

static void say(const teller *tell, const char *text) {
    hbg_run_note(tell->out, text);
}

static void say_more(const teller *tell, int64_t count, int64_t most, const char *what) {
    if (count <= most) return;
    say(tell, " and ");
    hbg_run_note_count(tell->out, count - most);
    say(tell, " more");
    say(tell, what);
}

/* ---- the cause ---------------------------------------------------------------------------------------- */

static void say_input(const teller *tell, int32_t input) {
    const hbg_rt_variable *of = &tell->system->inputs[input];
    double value = hbg_run_event_input(tell->events, input, tell->event->t);
    say(tell, of->name);
    if (tell->events->input_is_event[input]) {
        say(tell, " happens");
        return;
    }
    say(tell, " becomes ");
    if (of->is_bool)
        say(tell, value != 0 ? "true" : "false");
    else
        hbg_run_note_quantity(tell->out, value, of->unit);
}

static void say_states(const teller *tell, const int32_t *states) {
    int32_t count = tell->system->automaton_count;
    for (int32_t i = 0; i < count && i < MOST_AUTOMATA; i++) {
        if (i > 0) say(tell, ", ");
        say(tell, tell->system->automata[i].name);
        say(tell, " ");
        say(tell, tell->system->automata[i].states[states[i]]);
    }
    say_more(tell, count, MOST_AUTOMATA, "");
}

/* Whether a way from one state to the other waits. */
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

/* What no relation and no input caused: the first transitions say. A guard may come to hold at a moment that was planned for
 * something else, like the end of the run. */
static void say_moment(const teller *tell, int32_t *count) {
    const hbg_sim_event *event = tell->event;
    for (int32_t i = 0; i < tell->system->automaton_count; i++) {
        if (!hbg_run_event_unexplained(tell->events, event, i)) continue;
        int32_t from = event->visits[0].before[i], to = event->visits[0].states[i];
        if (*count >= MOST_AUTOMATA) return;
        if ((*count)++ > 0) say(tell, "; ");
        if (tell->system->automata[i].every > 0)
            say(tell, "a sample is due");
        else if (waits(tell, i, from, to))
            say(tell, "a wait is over");
        else
            hbg_run_event_guard(tell->events, tell->out, i, from, to);
    }
    if (*count == 0) say(tell, event->slide ? "sliding" : "a planned moment");
}

static void say_cause(const teller *tell) {
    const hbg_sim_event *event = tell->event;
    int32_t count = 0;
    say(tell, "t = ");
    hbg_run_note_quantity(tell->out, event->t, "s");
    say(tell, ": ");
    if (tell->events->count == 0) {
        say(tell, tell->system->automaton_count > 0 ? "start with " : "start");
        say_states(tell, tell->system->start_states);
        count++;
    }
    for (int32_t i = 0; i < event->root_count; i++) {
        if (count++ > 0) say(tell, "; ");
        hbg_run_event_relation(tell->events, tell->out, event, i);
    }
    for (int32_t i = 0; i < event->input_count; i++) {
        if (!hbg_run_event_input_changes(tell->events, event->inputs[i], event->t)) continue;
        if (count++ > 0) say(tell, "; ");
        say_input(tell, event->inputs[i]);
    }
    for (int32_t i = 0; i < tell->events->course_count; i++) {
        const hbg_run_course *course = &tell->events->courses[i];
        double value;
        if (!hbg_run_event_course(tell->events, event, i, &value)) continue;
        if (count++ > 0) say(tell, "; ");
        say(tell, course->name);
        say(tell, " becomes ");
        hbg_run_note_quantity(tell->out, value, course->unit ? course->unit : "");
    }
    for (int32_t i = 0; i < event->override_count; i++) {
        int32_t cause = hbg_run_event_cause(tell->events, event, i);
        if (cause < 0) continue;
        if (count++ > 0) say(tell, "; ");
        hbg_run_event_fault(tell->events, tell->out, cause);
    }
    say_moment(tell, &count);
    say(tell, "\n");
}

/* ---- transitions -------------------------------------------------------------------------------------- */

/* What a relation does at its crossing: comes to its threshold, or has gone past it without having been there, by way of a pole or at a
 * jump. Where the threshold is 0 only a pole is known to be far from it. */
static void say_crossing(const teller *tell, double left, double right) {
    const double pole = 1e8, apart = 0.03;
    double largest = fmax(fabs(left), fabs(right));
    bool jumps = right != 0 && fabs(left - right) > apart * largest;
    if (largest > pole * fmax(1, fabs(right))) {
        say(tell, " (through infinity)");
        return;
    }
    say(tell, jumps ? " (jumps past " : " (at ");
    hbg_run_note_quantity(tell->out, right == 0 ? 0 : right, "");
    say(tell, ")");
}

/* One comparison, "(0.12 > 0.1)" or "(pulses -12 <= 0)". At a crossing both sides are the same but for rounding, and that would
 * only puzzle: "(at 0.12)". */
static void say_comparison(const teller *tell, const char *text, size_t size, bool crossing, bool alone) {
    const double same = 1e-9, nothing = 1e-13;
    const char *number = text + strspn(text, " (");
    bool pulses = strncmp(number, "pulses ", 7) == 0;
    char *end;
    double left = strtod(pulses ? number + 7 : number, &end);
    const char *sign = end + strspn(end, " ");
    size_t sign_size = strcspn(sign, " ");
    if (sign_size == 0) return;
    if (end == number) { // words
        hbg_run_note_bytes(tell->out, text, size);
        return;
    }
    double right = strtod(sign + sign_size, &end);
    bool equal = fabs(left - right) <= fmax(same * fmax(fabs(left), fabs(right)), nothing);
    bool holds = sign[sign_size - 1] == '='; // also where both are the same
    if (!pulses && ((equal && (crossing || holds)) || (crossing && alone))) {
        say_crossing(tell, left, right);
    } else if (pulses && right == 0) { // also the negative one
        hbg_run_note_bytes(tell->out, text, (size_t)(sign - text) + sign_size);
        say(tell, " 0)");
    } else {
        hbg_run_note_bytes(tell->out, text, size);
    }
}

/* The values that decided, out of the words of the move: "`name` a -> b (1 < 2) (3 > 1)" between semicolons. The first
 * transition of an instant that was found by its crossing, on one comparison, was taken at that crossing. */
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

static int32_t say_transitions(const teller *tell, int32_t index) {
    const hbg_sim_visit *visit = &tell->event->visits[index];
    const int32_t *before = hbg_run_event_before(tell->event, index);
    int32_t count = 0;
    for (int32_t i = 0; i < tell->system->automaton_count; i++) {
        const hbg_rt_automaton *of = &tell->system->automata[i];
        if (before[i] == visit->states[i] || count++ >= MOST_AUTOMATA) continue;
        say(tell, "    ");
        say(tell, of->name);
        say(tell, ": ");
        say(tell, of->states[before[i]]);
        say(tell, " -> ");
        say(tell, of->states[visit->states[i]]);
        say(tell, ", ");
        if (hbg_run_event_held(tell->events, i, tell->event->t)) {
            say(tell, "stuck\n");
            continue;
        }
        hbg_run_notes guard = {.memory = tell->out->memory};
        hbg_run_event_guard(tell->events, &guard, i, before[i], visit->states[i]);
        if (guard.size < 6 || memcmp(guard.data, "after ", 6) != 0) say(tell, "when ");
        if (guard.size > 0) hbg_run_note_bytes(tell->out, guard.data, guard.size);
        tell->out->failed = tell->out->failed || guard.failed;
        hbg_run_notes_free(&guard);
        say_values(tell, visit->why, of->name, index == 0 && tell->event->root_count > 0);
        say(tell, "\n");
    }
    if (count > MOST_AUTOMATA) {
        say(tell, "   ");
        say_more(tell, count, MOST_AUTOMATA, " automata move\n");
    }
    return count;
}

/* ---- what a mode does --------------------------------------------------------------------------------- */

/* "coil.p from 151.116 µWb to 0 Wb"; 0 of them: nothing said */
static int32_t say_jumps(const teller *tell, const hbg_sim_visit *visit, const char *lead) {
    int32_t count = 0;
    for (int32_t i = 0; i < tell->system->state_count; i++) {
        if (!hbg_run_event_jumped(tell->events, visit, i) || count++ >= MOST_JUMPS) continue;
        const hbg_rt_variable *of = &tell->system->states[i];
        double after = visit->x_plus[i], size = tell->events->state_size[i];
        say(tell, count == 1 ? lead : ", ");
        say(tell, of->name);
        say(tell, " from ");
        hbg_run_note_quantity(tell->out, hbg_run_event_matters(visit->x[i], size) ? visit->x[i] : 0,
                              of->unit);
        say(tell, " to ");
        hbg_run_note_quantity(tell->out, hbg_run_event_matters(after, size) ? after : 0, of->unit);
    }
    say_more(tell, count, MOST_JUMPS, "");
    return count;
}

/* A pulse that goes on from bond to bond is told once, of the element that takes it; storages take each their own. */
static bool is_told(const teller *tell, const hbg_sim_visit *visit, int side, int32_t bond) {
    const hbg_run_events *events = tell->events;
    const double *area = side ? visit->flow : visit->effort;
    int32_t group = events->area_group[side][bond], rank = events->bonds[bond].rank;
    if (!hbg_run_event_pulsed(events, visit, side, bond)) return false;
    if (rank == 0) return true;
    for (int32_t i = 0; i < tell->system->bond_count; i++) {
        bool same = events->area_group[side][i] == group &&
                    !hbg_run_event_matters(fabs(area[i]) - fabs(area[bond]), events->area_size[group]);
        bool better = events->bonds[i].rank < rank || (events->bonds[i].rank == rank && i < bond);
        if (same && better) return false;
    }
    return true;
}

static void say_pulses(const teller *tell, const hbg_sim_visit *visit, const char *lead) {
    int32_t count = 0, bonds = 2 * tell->system->bond_count;
    for (int32_t i = 0; i < HBG_RUN_RANKS * bonds; i++) { // what names an element comes first
        int32_t bond = i % bonds / 2, side = i % 2;
        if (tell->events->bonds[bond].rank != i / bonds || !is_told(tell, visit, side, bond)) continue;
        if (count++ >= MOST_PULSES) continue;
        say(tell, count == 1 ? lead : ", ");
        hbg_run_note_quantity(tell->out, hbg_run_event_area(tell->events, visit, side, bond),
                              tell->events->area_unit[side][bond]);
        say(tell, " on ");
        say(tell, tell->events->bonds[bond].name);
    }
    say_more(tell, count, MOST_PULSES, "");
}

static void say_visit(const teller *tell, int32_t index) {
    static const char *const kinds[] = {[HBG_RT_MYTHICAL] = "mythical: left again before anything happens",
                                        [HBG_RT_PINNACLE] = "pinnacle: real, but for this instant only",
                                        [HBG_RT_BOUNDARY] =
                                            "boundary: real for this instant, and left at once",
                                        [HBG_RT_CONTINUOUS] = "time flows on"};
    const hbg_sim_visit *visit = &tell->event->visits[index];
    bool mythical = visit->kind == HBG_RT_MYTHICAL;
    if (say_transitions(tell, index) == 0 && mythical) say(tell, "    the start mode\n");
    say(tell, "        ");
    say(tell, kinds[visit->kind]);
    int32_t jumps = say_jumps(tell, visit, mythical ? "; it would take " : "; it takes ");
    say_pulses(tell, visit, jumps > 0 ? ", with a pulse of " : "; with a pulse of ");
    if (!mythical && jumps > 0) {
        say(tell, "; ");
        double lost = hbg_run_event_lost(tell->events, visit, tell->event->t);
        if (lost == 0) say(tell, "no energy");
        if (lost != 0) hbg_run_note_quantity(tell->out, lost, "J");
        say(tell, " lost");
    }
    say(tell, "\n");
}

void hbg_run_explain(hbg_run_events *events, const hbg_sim_event *event) {
    teller tell = {events, events->state->system, &events->story, event};
    say_cause(&tell);
    for (int32_t i = 0; i < event->visit_count; i++) say_visit(&tell, i);
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
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

void hbg_run_put_story(const hbg_run_story *story, hbg_buffer *out) {
    const hbg_run_events *events = story->rows.events;
    if (story->options->explain == 0 || !events) return;
    if (events->story.size > 0) hbg_buffer_add(out, events->story.data, events->story.size);
    int64_t left = events->explain < 0 ? 0 : events->count - events->explain;
    if (left > 0) hbg_buffer_print(out, "… and %lld more; --explain=all tells them all\n", (long long)left);
}
