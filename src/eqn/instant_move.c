/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Transitions at an instant: guards judged on the values considered, all enabled automata at once, the first transition of a state in
 * source order (semantics, sections 5 and 6); what a guard read in a mythical mode and may not have. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* What of a guard decided that it holds: of `||` the sides that hold, of `&&` all, under `!` the other way round; of `?:` the condition
 * and the side it takes. */
static void find_decided(hbg_rt_instance *run, const guard_info *guard) {
    instant_value *values = run->at.values;
    for (int32_t i = 0; i < guard->walk_count; i++) values[guard->walk[i]].decided = false;
    if (guard->condition != HBG_NONE) values[guard->condition].decided = true;
    for (int32_t i = guard->walk_count - 1; i >= 0; i--) {
        const term_node *node = &run->view.nodes[guard->walk[i]];
        const instant_value *value = &values[guard->walk[i]];
        bool holds = value->fin != 0, either = node->op == (holds ? HBG_OP_OR : HBG_OP_AND);
        int unused = node->op != HBG_OP_SELECT ? -1 : values[node->a].fin != 0 ? 2 : 1;
        for (int k = 0; k < hbg_term_arity(node) && value->decided; k++) {
            instant_value *part = &values[hbg_term_argument(node, k)];
            part->decided |= k != unused && (!either || (part->fin != 0) == holds);
        }
    }
}

/* The comparison that is true where this one is not. */
static int opposite(int op) {
    switch (op) {
    case HBG_OP_LESS: return HBG_OP_GREATER_EQUAL;
    case HBG_OP_LESS_EQUAL: return HBG_OP_GREATER;
    case HBG_OP_GREATER: return HBG_OP_LESS_EQUAL;
    case HBG_OP_GREATER_EQUAL: return HBG_OP_LESS;
    case HBG_OP_EQUAL: return HBG_OP_NOT_EQUAL;
    default: return HBG_OP_EQUAL;
    }
}

/* Figures that tell the two apart, 6 if they do. */
static int figures(double a, double b) {
    char one[32], other[32];
    int count = 5;
    do {
        count++;
        snprintf(one, sizeof one, "%.*g", count, a);
        snprintf(other, sizeof other, "%.*g", count, b);
    } while (a != b && count < 17 && strcmp(one, other) == 0);
    return count;
}

/* A relation as it was decided: by areas only if they differ by more than their band. Finite parts within theirs are told as equal,
 * since what rounding left would only puzzle; a strict relation holds there if it was crossed. */
static int say_decision(const hbg_rt_instance *run, int32_t relation, char *text, size_t size) {
    const instant_data *at = &run->at;
    hbg_term term = run->eqn->relations.items[relation].term;
    const term_node *node = &run->view.nodes[term];
    instant_value a = at->values[node->a], b = at->values[node->b];
    int op = at->values[term].fin != 0 ? node->op : opposite(node->op);
    const char *sign = hbg_operator_info_get((hbg_operator)op)->text;
    int digits = figures(a.area, b.area);
    if (fabs(a.area - b.area) > HBG_EQN_BAND * at->area_band[relation])
        return snprintf(text, size, " (pulses %.*g %s %.*g)", digits, a.area + 0.0, sign, digits,
                        b.area + 0.0);
    if (isinf(a.fin - b.fin)) return snprintf(text, size, " (through infinity)"); // just at a pole
    bool equal = fabs(a.fin - b.fin) <= HBG_EQN_BAND * at->fin_band[relation];
    bool strict = op == HBG_OP_LESS || op == HBG_OP_GREATER || op == HBG_OP_NOT_EQUAL;
    if (equal) a.fin = b.fin;
    digits = figures(a.fin, b.fin);
    return snprintf(text, size, " (%.*g %s %.*g%s)", digits, a.fin + 0.0, sign, digits, b.fin + 0.0,
                    equal && strict ? ", crossed here" : "");
}

static void describe(hbg_rt_instance *run, int32_t automaton, int32_t from, int32_t to,
                     const guard_info *guard) {
    const hbg_rt_automaton *of = &run->eqn->system.automata[automaton];
    instant_data *at = &run->at;
    size_t left = sizeof at->taken - at->taken_size;
    int used = snprintf(at->taken + at->taken_size, left, "%s`%s` %s -> %s", at->taken_size ? "; " : "",
                        of->name, of->states[from], of->states[to]);
    if (used > 0) at->taken_size += (size_t)used < left ? (size_t)used : left - 1;
    find_decided(run, guard);
    for (int32_t i = 0; i < guard->relation_count; i++) {
        hbg_term term = run->eqn->relations.items[guard->relations[i]].term;
        const term_node *node = &run->view.nodes[term];
        if (at->value_stamp[node->a] != at->stamp || at->value_stamp[node->b] != at->stamp) continue;
        if (!at->values[term].decided) continue;
        left = sizeof at->taken - at->taken_size;
        used = say_decision(run, guard->relations[i], at->taken + at->taken_size, left);
        if (used > 0) at->taken_size += (size_t)used < left ? (size_t)used : left - 1;
    }
}

/* What a state is behind the jump considered; one that never jumps is what it was. */
static double state_behind(const hbg_rt_instance *run, int32_t state) {
    int32_t reg = run->at.event_register[run->eqn->first[VARIABLE_STATE] + state];
    return reg == HBG_NONE ? run->r[run->eqn->home[run->eqn->first[VARIABLE_OLD] + state]] : run->r[reg];
}

/* Storages that the relation names and that jumped in the mode considered. */
static void suspect_named(hbg_rt_instance *run, const relation_info *relation) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < relation->variable_count; i++) {
        int32_t variable = relation->variables[i];
        for (int32_t k = eqn->named_start[variable]; k < eqn->named_start[variable + 1]; k++) {
            int32_t state = eqn->named_states[k];
            double before = run->r[eqn->home[eqn->first[VARIABLE_OLD] + state]],
                   after = state_behind(run, state);
            if (fabs(after - before) > HBG_EQN_BAND * run->at.state_size[state])
                run->at.suspect[state] = variable + 1;
        }
    }
}

/* A transition is taken: what its relations, decided by finite parts, read may be forbidden. */
static void suspect(hbg_rt_instance *run, const guard_info *guard) {
    instant_data *at = &run->at;
    for (int32_t i = 0; i < guard->relation_count && !at->a_priori; i++) {
        const relation_info *relation = &run->eqn->relations.items[guard->relations[i]];
        const term_node *node = &run->view.nodes[relation->term];
        double area = at->values[node->a].area - at->values[node->b].area;
        if (fabs(area) <= HBG_EQN_BAND * at->area_band[guard->relations[i]]) suspect_named(run, relation);
    }
}

/* A state that a transition read where it had jumped, and that keeps its energy after all; HBG_NONE if there is none. */
static int32_t find_forbidden(const hbg_rt_instance *run, const double *x, const double *x_plus) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *states = &run->eqn->islands.items[run->active[n]].states;
        for (int32_t k = 0; k < states->count; k++) {
            int32_t i = states->items[k];
            bool kept = fabs(x[i] - x_plus[i]) <= HBG_EQN_BAND * run->at.state_size[i];
            if (run->at.suspect[i] && kept) return i;
        }
    }
    return HBG_NONE;
}

static bool forbidden(hbg_rt_instance *run, const double *x, const double *x_plus, char *text, size_t size) {
    int32_t found = find_forbidden(run, x, x_plus);
    char name[96];
    if (found == HBG_NONE) return false;
    hbg_eqn_copy_name(run, run->at.suspect[found] - 1, name, sizeof name);
    snprintf(text, size,
             "forbidden guard: it read `%s` in a mythical mode, where that had jumped, but the storage "
             "keeps its energy: "
             "what was read never was; use `pre`, or compare what pulses",
             name);
    return true;
}

static bool held_back(hbg_rt_instance *run) {
    return run->at.held_back;
}

/* A guard that is false, and might not be if a relation in it were one of numbers: 0/0 is none. */
static void note_unanswered(hbg_rt_instance *run, const guard_info *guard) {
    instant_data *at = &run->at;
    for (int32_t i = 0; i < guard->relation_count && at->unanswered == HBG_NONE; i++) {
        const term_node *node = &run->view.nodes[run->eqn->relations.items[guard->relations[i]].term];
        if (isnan(at->values[node->a].fin - at->values[node->b].fin)) at->unanswered = guard->relations[i];
    }
}

static int32_t unanswered(hbg_rt_instance *run) {
    int32_t relation = run->at.unanswered;
    return relation == HBG_NONE ? -1 : relation + run->eqn->system.guard_first;
}

static bool is_enabled(hbg_rt_instance *run, const guard_info *guard, int32_t target, bool *located) {
    instant_data *at = &run->at;
    bool waited = true;
    *located = false;
    if (!isnan(guard->after) && at->entered_now[guard->automaton]) {
        waited = false; // whether or not it was in this state before
    } else if (!isnan(guard->after)) {
        double due = run->entered[guard->automaton] + guard->after;
        waited = at->t >= due - 8 * 2.22e-16 * fabs(due);
    }
    if (!waited || guard->condition == HBG_NONE) return waited;
    instant_value value = hbg_eqn_value_at(run, guard->condition, guard->walk, guard->walk_count);
    if (isnan(value.fin) && (run->eqn->has_undefined || run->eqn->has_open)) {
        at->undefined = guard;
        return false;
    }
    if (value.fin == 0) {
        at->held_back |= value.sharp;
        if (value.high) note_unanswered(run, guard);
        return false;
    }
    *located = value.area_size == 1;
    return target != at->came_from[guard->automaton] || value.low;
}

hbg_rt_status hbg_eqn_refuse(hbg_rt_instance *run) {
    char text[200];
    hbg_eqn_copy_written(run, run->at.refused, text, sizeof text);
    snprintf(run->failure.text, sizeof run->failure.text,
             "`%s` has no meaning at t = %.9g s: it is no linear function of a pulse", text, run->at.t);
    run->failure.time = run->at.t;
    return run->failure.status = HBG_RT_UNDEFINED;
}

/* A guard met what nothing determines: the first variable in it that is no number. */
static hbg_rt_status refuse_open(hbg_rt_instance *run, const guard_info *guard, const char *reader) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < guard->walk_count; i++) {
        const term_node *node = &eqn->terms.nodes.items[guard->walk[i]];
        const instant_value *value = &run->at.values[guard->walk[i]];
        char name[96];
        if (node->op != TERM_VARIABLE || (!isnan(value->fin) && !isnan(value->area))) continue;
        hbg_eqn_copy_name(run, node->a, name, sizeof name);
        return hbg_eqn_undetermined(run, run->at.t, name, reader);
    }
    return HBG_RT_OK;
}

/* A guard met a common variable that has no value. */
static hbg_rt_status refuse_undefined(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    const guard_info *guard = run->at.undefined;
    const hbg_rt_automaton *of = &eqn->system.automata[guard->automaton];
    int32_t found = HBG_NONE;
    char reader[160];
    for (int32_t i = 0; i < guard->walk_count; i++) {
        const term_node *node = &run->view.nodes[guard->walk[i]];
        if (node->op != TERM_VARIABLE || hbg_eqn_kind_of(eqn, node->a) != VARIABLE_UNDEFINED) continue;
        int32_t junction = node->a - eqn->first[VARIABLE_UNDEFINED];
        bool off = !hbg_eqn_is_on(run, junction);
        if (found == HBG_NONE || off) found = junction;
    }
    snprintf(reader, sizeof reader, "a guard of `%s` in `%s`", of->name, of->states[guard->state]);
    if (found != HBG_NONE) return hbg_eqn_undefined(run, run->at.t, found, reader);
    return refuse_open(run, guard, reader);
}

static bool looks_now(const hbg_rt_instance *run, int32_t automaton) {
    return run->eqn->system.automata[automaton].every <= 0 || run->ticks[automaton];
}

/* An automaton that is stuck goes where it is stuck, whatever its guards say. */
static void move_held(hbg_rt_instance *run, int32_t automaton, const int32_t *states, int32_t *next) {
    static const guard_info nothing = {.condition = HBG_NONE};
    int32_t held = run->held[automaton];
    if (states[automaton] == held) return;
    next[automaton] = held;
    run->at.entered_now[automaton] = true;
    run->entered[automaton] = run->at.t;
    run->at.came_from[automaton] = HBG_NONE;
    describe(run, automaton, states[automaton], held, &nothing);
}

static void move_one(hbg_rt_instance *run, int32_t automaton, const int32_t *states, int32_t *next) {
    const hbg_model *model = run->eqn->model;
    const hbg_automaton_state *state =
        &model->states.items[model->automata.items[automaton].first_state + states[automaton]];
    for (int32_t k = 0; k < state->transition_count; k++) {
        const guard_info *guard = &run->eqn->guards[state->first_transition + k];
        int32_t target = model->transitions.items[state->first_transition + k].target;
        bool located;
        if (!is_enabled(run, guard, target, &located)) continue;
        next[automaton] = target;
        run->at.entered_now[automaton] = true;
        run->entered[automaton] = run->at.t; // where a search comes back to it too
        run->at.came_from[automaton] = located ? states[automaton] : HBG_NONE;
        describe(run, automaton, states[automaton], target, guard);
        suspect(run, guard);
        return;
    }
}

static bool is_thrown(const hbg_rt_instance *run, int32_t automaton) {
    const hbg_eqn *eqn = run->eqn;
    return run->at.resumed || (eqn->automaton_throw && run->at.throws[eqn->automaton_throw[automaton]]);
}

/* Guards of the automata of an island that are judged on the values before, or of those judged on the values considered. */
static void move_automata(hbg_rt_instance *run, const int32_map *automata, const int32_t *states,
                          int32_t *next, bool a_priori) {
    instant_data *at = &run->at;
    for (int32_t i = 0; i < automata->count; i++) {
        int32_t automaton = automata->items[i];
        if (is_thrown(run, automaton) != a_priori) continue;
        if (at->a_priori != a_priori) { // what is known of terms was judged the other way
            int32_t refused = at->refused;
            at->a_priori = a_priori;
            hbg_eqn_new_values(run);
            at->refused = refused;
        }
        if (run->held[automaton] != HBG_NONE)
            move_held(run, automaton, states, next);
        else if (looks_now(run, automaton))
            move_one(run, automaton, states, next);
    }
}

/* Islands in which something bounces, or the others, whose business that is not; nor is it that of all automata of its own. */
static void move_islands(hbg_rt_instance *run, const int32_t *states, int32_t *next, bool bouncing) {
    instant_data *at = &run->at;
    for (int32_t n = 0; n < run->active_count; n++) {
        if ((at->resumed || at->bouncing[run->active[n]]) != bouncing) continue;
        size_t from = at->taken_size;
        bool held_back = at->held_back;
        const int32_map *automata = &run->eqn->islands.items[run->active[n]].automata;
        move_automata(run, automata, states, next, false);
        if (bouncing) move_automata(run, automata, states, next, true);
        if (!at->moved[run->active[n]]) at->held_back = held_back; // a sequence of others ends here
        if (automata->count > 0) at->told[automata->items[0]] = (text_part){from, at->taken_size};
    }
}

static hbg_rt_status move(hbg_rt_instance *run, const int32_t *states, int32_t *next) {
    const hbg_model *model = run->eqn->model;
    instant_data *at = &run->at;
    at->taken_size = 0;
    at->taken[0] = 0;
    at->held_back = false;
    at->undefined = NULL;
    memcpy(next, states, (size_t)model->automata.count * sizeof *next);
    if (!at->resumed) move_islands(run, states, next, false);
    move_islands(run, states, next, true);
    if (at->first_pass) { // event inputs are true in the first pass only
        at->first_pass = false;
        for (int32_t i = 0; i < run->eqn->system.input_count; i++) {
            int32_t signal = run->eqn->input_signal[i];
            if (model->signals.items[signal].type == HBG_TYPE_EVENT)
                *hbg_eqn_home_of(run, VARIABLE_INPUT, signal) = 0;
        }
        hbg_eqn_new_values(run);
    }
    if (at->refused != HBG_NONE) return hbg_eqn_refuse(run);
    return at->undefined ? refuse_undefined(run) : HBG_RT_OK;
}

/* Each group has its part of the words, in the order in which they were judged. */
static void describe_move(hbg_rt_instance *run, int32_t group, char *text, size_t size) {
    text_part part = {0, run->at.taken_size};
    if (group >= 0) part = run->at.told[group];
    const char *from = run->at.taken + part.from;
    if (part.to > part.from + 2 && strncmp(from, "; ", 2) == 0) part.from += 2;
    snprintf(text, size, "%.*s", (int)(part.to - part.from), run->at.taken + part.from);
}

static const int32_t *groups(hbg_rt_instance *run) {
    return run->eqn->automaton_leader;
}

void hbg_eqn_move_functions(hbg_rt_system *system) {
    system->move = move;
    system->describe_move = describe_move;
    system->groups = groups;
    system->held_back = held_back;
    system->unanswered = unanswered;
    system->forbidden = forbidden;
}
