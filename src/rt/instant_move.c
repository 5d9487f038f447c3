/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Transitions at an instant: guards are judged on the values considered, all enabled automata move at once,
 * and of each state the first enabled transition in source order is taken (semantics, sections 5 and 6). Also
 * finds what a guard read in a mythical mode although it must not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

static instant_value side_of(const hbg_rt_instance *run, const hbg_rt_relation *relation, bool right) {
    return hbg_rt_side_at(run, &run->image->instants.values.comparisons[relation->comparison], right);
}

/* The value of a state after the jump considered; a state that never jumps keeps its value. */
static double state_behind(const hbg_rt_instance *run, const hbg_rt_state *state) {
    int32_t reg = hbg_rt_event_register(run, state->cell);
    return run->r[reg == HBG_RT_NONE ? state->old : reg];
}

/* Notes storages that the relation names and that jumped in the mode considered. */
static void suspect_named(hbg_rt_instance *run, const hbg_rt_relation *relation) {
    for (int32_t i = 0; i < relation->named.count; i++) {
        const hbg_rt_named *named = &run->image->instants.guards.named[relation->named.first + i];
        const hbg_rt_state *state = &run->image->instants.kept.states[named->state];
        double before = run->r[state->old], after = state_behind(run, state);
        if (fabs(after - before) > HBG_RT_BAND * run->at.state_size[named->state])
            run->at.suspect[named->state] = named->name + 1;
    }
}

/* Notes what the relations of a transition taken read: it may be forbidden if finite parts decided them. */
static void suspect(hbg_rt_instance *run, const hbg_rt_guard *guard) {
    const hbg_rt_guards *guards = &run->image->instants.guards;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < guard->relations.count && !at->a_priori; i++) {
        int32_t number = guards->enablings[guard->relations.first + i].relation;
        const hbg_rt_relation *relation = &guards->relations[number];
        instant_value left = side_of(run, relation, false), right = side_of(run, relation, true);
        bool by_area = fabs(left.area - right.area) > HBG_RT_BAND * at->area_band[number];
        if (!left.is_far && !right.is_far && !by_area) suspect_named(run, relation);
    }
}

/* A state that a transition read in a mode where it had jumped, although it keeps its energy in the end;
 * HBG_RT_NONE if there is none. */
static int32_t find_forbidden(const hbg_rt_instance *run, const double *x, const double *x_plus) {
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range states = hbg_rt_active_island(run, n)->states;
        for (int32_t k = 0; k < states.count; k++) {
            int32_t i = hbg_rt_list(run, states)[k];
            bool kept = fabs(x[i] - x_plus[i]) <= HBG_RT_BAND * run->at.state_size[i];
            if (run->at.suspect[i] && kept) return i;
        }
    }
    return HBG_RT_NONE;
}

bool hbg_rt_forbidden(hbg_rt_instance *run, const double *x, const double *x_plus, char *text, size_t size) {
    if (run->by_hand) return hbg_rt_hand_forbidden(run, text, size);
    int32_t found = find_forbidden(run, x, x_plus);
    char name[96];
    if (found == HBG_RT_NONE) return false;
    hbg_rt_tell(run, HBG_RT_WORD_VARIABLE, run->at.suspect[found] - 1, name, sizeof name);
    snprintf(text, size,
             "forbidden guard: it read `%s` in a mythical mode, where that had jumped, but the storage "
             "keeps its energy: "
             "what was read never was; use `pre`, or compare what pulses",
             name);
    return true;
}

bool hbg_rt_held_back(hbg_rt_instance *run) {
    if (run->by_hand) return hbg_rt_hand_held_back(run);
    return run->at.held_back;
}

/* Notes a guard that is false but might be true if one of its relations compared numbers: 0/0 is none. */
static void note_unanswered(hbg_rt_instance *run, const hbg_rt_guard *guard) {
    const hbg_rt_guards *guards = &run->image->instants.guards;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < guard->relations.count && at->unanswered == HBG_RT_NONE; i++) {
        int32_t number = guards->enablings[guard->relations.first + i].relation;
        const hbg_rt_relation *relation = &guards->relations[number];
        if (isnan(side_of(run, relation, false).fin - side_of(run, relation, true).fin))
            at->unanswered = number;
    }
}

int32_t hbg_rt_unanswered(hbg_rt_instance *run) {
    int32_t relation = run->at.unanswered;
    return relation == HBG_RT_NONE ? -1 : relation + run->system->guard_first;
}

static uint8_t *answered_at(const hbg_rt_instance *run, int32_t automaton, int32_t state) {
    return &run->at.answers.answered[run->image->instants.switching.automata[automaton].states.first + state];
}

bool hbg_rt_is_back(const hbg_rt_instance *run, int32_t automaton, int32_t state) {
    uint8_t answered = *answered_at(run, automaton, state);
    return answered == BACK_NOW || answered == BACK_AGAIN;
}

static bool is_enabled(hbg_rt_instance *run, int32_t number, bool *located) {
    const hbg_rt_transition *of = &run->image->instants.switching.transitions[number];
    const hbg_rt_guard *guard = &run->image->instants.guards.guards[number];
    instant_data *at = &run->at;
    bool waited = true;
    *located = false;
    if (!isnan(of->after) && at->entered_now[of->automaton]) {
        waited = false; // even if it was in this state before
    } else if (!isnan(of->after)) {
        double due = run->entered[of->automaton] + of->after;
        waited = at->t >= due - HBG_RT_WAITED * fabs(due);
    }
    if (!waited || guard->condition == HBG_RT_NONE) return waited;
    instant_value value = hbg_rt_judge(run, guard->condition);
    if (isnan(value.fin) && value.is_far) return false; // what resists the conflict moves first
    if (isnan(value.fin) && (run->image->instants.has_undefined || run->image->instants.has_open)) {
        at->undefined = number;
        return false;
    }
    bool back = hbg_rt_is_back(run, of->automaton, of->state);
    if (back ? !(value.truth & HBG_RT_PLAINLY) : value.fin == 0) {
        at->held_back |= (value.truth & HBG_RT_SHARPLY) != 0;
        if (value.truth & HBG_RT_HIGH) note_unanswered(run, guard);
        return false;
    }
    *located = !back && value.truth & HBG_RT_FOUND;
    return of->target != at->came_from[of->automaton] || value.truth & HBG_RT_LOW;
}

/* The failure of a guard that read an undetermined value: names the first variable in it that is not a
 * number. If all are numbers, the guard computes NaN from them, as in 0/0. */
static hbg_rt_status refuse_open(hbg_rt_instance *run, const hbg_rt_guard *guard, const char *reader) {
    const hbg_rt_values *values = &run->image->instants.values;
    hbg_rt_range code = values->judged[guard->condition].code;
    for (int32_t i = 0; i < code.count; i++) {
        const hbg_rt_judgement *at = &values->judgements[code.first + i];
        char name[96];
        if (at->op != HBG_RT_JUDGE_LOAD) continue;
        int32_t area = values->parts[at->argument[1]].area;
        if (!isnan(run->at.judged.j[at->d]) && (area == HBG_RT_NONE || !isnan(run->at.judged.j[area])))
            continue;
        hbg_rt_tell(run, HBG_RT_WORD_VARIABLE, values->cells[at->argument[0]].name, name, sizeof name);
        return hbg_rt_fail_undetermined(run, run->at.t, name, reader);
    }
    note_unanswered(run, guard);
    return HBG_RT_OK;
}

/* The failure of a guard that read a common variable without a value. */
static hbg_rt_status refuse_undefined(hbg_rt_instance *run) {
    const hbg_rt_values *values = &run->image->instants.values;
    const hbg_rt_transition *transition = &run->image->instants.switching.transitions[run->at.undefined];
    const hbg_rt_guard *guard = &run->image->instants.guards.guards[run->at.undefined];
    hbg_rt_range code = values->judged[guard->condition].code;
    const hbg_rt_automaton *of = &run->system->automata[transition->automaton];
    int32_t found = HBG_RT_NONE;
    char reader[160];
    for (int32_t i = 0; i < code.count; i++) {
        const hbg_rt_judgement *at = &values->judgements[code.first + i];
        if (at->op != HBG_RT_JUDGE_LOAD) continue;
        const hbg_rt_cell *cell = &values->cells[at->argument[0]];
        if (cell->kind != HBG_RT_CELL_UNDEFINED) continue;
        int32_t place = cell->index;
        if (found == HBG_RT_NONE || !hbg_rt_is_on(run, place)) found = place;
    }
    snprintf(reader, sizeof reader, "a guard of `%s` in `%s`", of->name, of->states[transition->state]);
    if (found != HBG_RT_NONE) return hbg_rt_fail_undefined(run, run->at.t, found, reader);
    return refuse_open(run, guard, reader);
}

static bool looks_now(const hbg_rt_instance *run, int32_t automaton) {
    return run->image->instants.switching.automata[automaton].every <= 0 || run->outside.ticks[automaton];
}

/* An automaton that is stuck goes to the state it is stuck in, whatever its guards say. */
static void move_held(hbg_rt_instance *run, int32_t automaton, const int32_t *states, int32_t *next) {
    int32_t held = run->outside.held[automaton];
    if (states[automaton] == held) return;
    next[automaton] = held;
    run->at.entered_now[automaton] = true;
    run->entered[automaton] = run->at.t;
    run->at.came_from[automaton] = HBG_RT_NONE;
    hbg_rt_note_taken(run, automaton, states[automaton], held, HBG_RT_NONE);
}

/* A crossing shows where values go in the mode in which it was located. An automaton that comes back to a
 * state it left on a crossing, in another mode, has answered the crossing: there nothing counts as crossed
 * for it. */
static void answer(uint8_t *from, uint8_t *to, bool located) {
    if (*from == BACK_AGAIN) *from = LEFT_AGAIN;
    if (located) *from = LEFT_ON_CROSSING;
    if (*to == LEFT_ON_CROSSING) *to = BACK_NOW;
    if (*to == LEFT_AGAIN) *to = BACK_AGAIN;
}

/* Whether the group of the automaton is in the mode in which crossings were located. */
static bool is_where_it_was_found(const hbg_rt_instance *run, int32_t automaton, const int32_t *states) {
    const int32_t *leaders = run->image->instants.kept.leaders;
    for (int32_t i = 0; i < run->image->instants.counts.automata; i++)
        if (leaders[i] == leaders[automaton] && states[i] != run->at.answers.opened[i]) return false;
    return true;
}

bool hbg_rt_takes_answer(hbg_rt_instance *run, int32_t automaton, const int32_t *states) {
    if (run->by_hand) return false;
    uint8_t *answered = answered_at(run, automaton, states[automaton]);
    if (*answered != BACK_NOW) return false;
    bool home = is_where_it_was_found(run, automaton, states);
    *answered = home ? LEFT_ON_CROSSING : BACK_AGAIN;
    return !home;
}

static void move_one(hbg_rt_instance *run, int32_t automaton, const int32_t *states, int32_t *next) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    int32_t state = switching->automata[automaton].states.first + states[automaton];
    hbg_rt_range own = switching->discretes[state].transitions;
    for (int32_t k = own.first; k < own.first + own.count; k++) {
        int32_t target = switching->transitions[k].target;
        bool located;
        if (!is_enabled(run, k, &located)) continue;
        next[automaton] = target;
        run->at.entered_now[automaton] = true;
        run->entered[automaton] = run->at.t; // even if a search comes back to it
        run->at.came_from[automaton] = located ? states[automaton] : HBG_RT_NONE;
        answer(&run->at.answers.answered[state], answered_at(run, automaton, target), located);
        hbg_rt_note_taken(run, automaton, states[automaton], target, k);
        suspect(run, &run->image->instants.guards.guards[k]);
        return;
    }
}

static bool is_thrown(const hbg_rt_instance *run, int32_t automaton) {
    const int32_t *throws = run->image->instants.kept.automaton_throws;
    return run->at.resumed || (throws && run->at.throws[throws[automaton]]);
}

/* Moves one automaton, whose guards are judged on the values before or on those considered. Values before a
 * collision come with its pulses; after a commit there are none. */
static void move_automaton(hbg_rt_instance *run, int32_t automaton, const int32_t *states, int32_t *next) {
    instant_data *at = &run->at;
    bool a_priori = is_thrown(run, automaton);
    at->bounce.struck = a_priori && !at->resumed;
    if (at->a_priori != a_priori) { // terms were judged on the other values
        int32_t refused = at->refused;
        at->a_priori = a_priori;
        hbg_rt_new_values(run);
        at->refused = refused;
    }
    if (run->outside.held[automaton] != HBG_RT_NONE)
        move_held(run, automaton, states, next);
    else if (looks_now(run, automaton))
        move_one(run, automaton, states, next);
}

/* Moves the automata of an island whose guards are judged on the values before, or those judged on the values
 * considered. */
static void move_automata(hbg_rt_instance *run, hbg_rt_range automata, const int32_t *states, int32_t *next,
                          bool a_priori) {
    for (int32_t i = 0; i < automata.count; i++) {
        int32_t automaton = hbg_rt_list(run, automata)[i];
        if (is_thrown(run, automaton) == a_priori) move_automaton(run, automaton, states, next);
    }
}

/* Moves islands in which something bounces, or the others. In an island with a bounce not all automata need
 * be judged on the values before it. */
static void move_islands(hbg_rt_instance *run, const int32_t *states, int32_t *next, bool bouncing,
                         const bool *alone) {
    instant_data *at = &run->at;
    for (int32_t n = 0; n < run->active_count; n++) {
        if ((at->resumed || at->bouncing[run->active[n]]) != bouncing) continue;
        int32_t from = at->words.taken.count;
        bool held_back = at->held_back;
        hbg_rt_range automata = hbg_rt_active_island(run, n)->automata;
        if (alone && automata.count > 0 && alone[hbg_rt_list(run, automata)[0]]) continue;
        move_automata(run, automata, states, next, false);
        if (bouncing) move_automata(run, automata, states, next, true);
        if (!at->moved[run->active[n]])
            at->held_back = held_back; // the sequence of modes belongs to other islands
        if (automata.count > 0)
            at->words.told[hbg_rt_list(run, automata)[0]] =
                (hbg_rt_range){from, at->words.taken.count - from};
    }
}

/* Moves the first automaton of a group, in source order, that can move. */
static void move_first(hbg_rt_instance *run, int32_t leader, const int32_t *states, int32_t *next) {
    const hbg_rt_kept *kept = &run->image->instants.kept;
    int32_t from = run->at.words.taken.count;
    for (int32_t i = 0; i < run->image->instants.counts.automata; i++) {
        int32_t automaton = kept->source_order[i], island = kept->automaton_island[automaton];
        if (kept->leaders[automaton] != leader || !run->is_active[island]) continue;
        move_automaton(run, automaton, states, next);
        run->at.words.told[leader] = (hbg_rt_range){from, run->at.words.taken.count - from};
        if (next[automaton] != states[automaton]) return;
    }
}

hbg_rt_status hbg_rt_move(hbg_rt_instance *run, const int32_t *states, int32_t *next, const bool *alone) {
    if (run->by_hand) return hbg_rt_hand_move(run, states, next, alone);
    const hbg_rt_outside *outside = &run->image->instants.outside;
    instant_data *at = &run->at;
    at->words.taken.count = at->words.taken.decision_count = 0;
    at->held_back = false;
    at->undefined = HBG_RT_NONE;
    memcpy(next, states, (size_t)run->image->instants.counts.automata * sizeof *next);
    for (int32_t i = 0; i < run->image->instants.counts.automata && alone; i++)
        if (alone[i]) move_first(run, i, states, next);
    if (!at->resumed) move_islands(run, states, next, false, alone);
    move_islands(run, states, next, true, alone);
    at->bounce.struck = false;
    if (at->first_pass) { // event inputs are true in the first pass only
        at->first_pass = false;
        for (int32_t i = 0; i < outside->input_count; i++)
            if (outside->inputs[i].is_event) run->r[outside->inputs[i].value] = 0;
        hbg_rt_new_values(run);
    }
    if (at->refused != HBG_RT_NONE) return hbg_rt_refuse_term(run);
    hbg_rt_status status = at->undefined == HBG_RT_NONE ? HBG_RT_OK : refuse_undefined(run);
    if (status != HBG_RT_OK) return status;
    size_t size = (size_t)run->image->instants.counts.automata * sizeof *next;
    return memcmp(states, next, size) == 0 && hbg_rt_is_shorted(run) ? HBG_RT_VERDICT : HBG_RT_OK;
}

const int32_t *hbg_rt_groups(hbg_rt_instance *run) {
    if (run->by_hand) return hbg_rt_hand_groups(run);
    return run->image->instants.kept.leaders;
}
