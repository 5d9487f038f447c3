/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which guards and outputs read values decided only by the ratio of parasites (semantics, section 3a), in a
 * mode that can be real: sources are not in conflict in it. For an output the value counts. For a guard the
 * sign of a relation's difference counts: the current of a diode in parallel with a closed switch depends on
 * both of their resistances, but it is forward for any of them.
 *
 * A switch that depends only on the sign of its own voltage or current is a diode, and is left out. Passive
 * networks with diodes are monotone: all their solutions agree in everything that neither floats nor shares,
 * so nothing else depends on which diodes conduct. */
#include <math.h>

#include "eqn/limit_impl.h"

/* Of a cluster: limits of its modes, and of their total cost, the cube of the number of elements in and
 * around it for each. */
enum { MOST_MODES = 1024, MOST_WORK = 2000000000 };

typedef struct {
    hbg_eqn_shared told;
    int32_t automaton, state; /* of a guard; HBG_NONE */
    shared_line line;
    bool straight; /* false: the line represents only the derivatives */
    bool alone;    /* the guard is this relation and nothing else */
    int op;        /* of the relation */
} reader;

typedef struct {
    hbg_eqn *eqn;
    hbg_arena *arena;
    HBG_VEC(reader) readers;
    int32_map automata; /* automata that switch the present cluster */
    int32_t *states;    /* by automaton */
    bool *on;           /* by place */
    bool *followed;     /* by signal: it was followed and reads no cluster */
    hbg_eqn_shared_list *list;
} search;

/* ---- what is read -------------------------------------------------------------------------------------- */

/* Whether a variable can float or share in some mode. */
static bool is_in_cluster(const hbg_eqn *eqn, int32_t variable) {
    variable_kind kind = variable < eqn->base_count ? hbg_eqn_kind_of(eqn, variable) : VARIABLE_TIME;
    if (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW) return false;
    int32_t own = 2 * (variable - eqn->first[kind]) + (kind == VARIABLE_FLOW);
    return eqn->limits.variable_cluster[own] != HBG_NONE;
}

/* Whether a term reads a variable of a cluster, itself or through the formulas of signals. Signals that were
 * followed in vain are not followed again. */
static bool reads_cluster(search *s, hbg_term root) {
    hbg_eqn *eqn = s->eqn;
    const hbg_terms *terms = &eqn->terms;
    int32_map open = {0}, followed = {0};
    bool reads = false;
    HBG_PUSH(&eqn->scratch, open, root);
    for (int32_t i = 0; i < open.count && !reads; i++) {
        hbg_term_walk_variables(&eqn->terms, open.items[i]);
        for (int32_t k = 0; k < terms->walk.count && !reads; k++) {
            int32_t variable = terms->nodes.items[terms->walk.items[k]].a % eqn->base_count;
            reads = is_in_cluster(eqn, variable);
            if (hbg_eqn_kind_of(eqn, variable) != VARIABLE_SIGNAL) continue;
            int32_t signal = variable - eqn->first[VARIABLE_SIGNAL];
            hbg_expr formula = eqn->model->signals.items[signal].value;
            if (s->followed[signal] || formula == HBG_NONE) continue;
            s->followed[signal] = true;
            HBG_PUSH(&eqn->scratch, followed, signal);
            HBG_PUSH(&eqn->scratch, open, eqn->expr_term[formula]);
        }
    }
    for (int32_t i = 0; i < followed.count && reads; i++) s->followed[followed.items[i]] = false;
    return reads;
}

static void add_reader(search *s, reader made, hbg_term term) {
    hbg_eqn *eqn = s->eqn;
    gradient of = {0};
    bool constant, reads = false;
    hbg_term_gradient(&eqn->terms, &eqn->scratch, term, &of);
    for (int32_t i = 0; i < of.count; i++)
        reads |= of.items[i].variable != HBG_NONE && is_in_cluster(eqn, of.items[i].variable);
    if (!reads) return;
    made.straight = true;
    made.line.constant = hbg_eqn_constant(eqn, term, &constant);
    for (int32_t i = 0; i < of.count; i++) {
        if (of.items[i].variable == HBG_NONE || of.items[i].variable >= eqn->base_count) continue;
        double factor = hbg_eqn_constant(eqn, of.items[i].partial, &constant);
        if (!constant || !isfinite(factor)) {
            made.straight = false;
            factor = 0.6180 + (double)(of.items[i].partial % 991) / 1000;
        }
        HBG_PUSH(s->arena, made.line.parts, (shared_part){of.items[i].variable, factor});
    }
    HBG_PUSH(s->arena, s->readers, made);
}

static void add_guard(search *s, int32_t automaton, int32_t state, int32_t transition) {
    hbg_eqn *eqn = s->eqn;
    hbg_expr guard = eqn->model->transitions.items[transition].guard;
    hbg_term term = guard == HBG_NONE ? HBG_NONE : eqn->expr_term[guard];
    if (term == HBG_NONE || !reads_cluster(s, term)) return;
    hbg_term whole = hbg_eqn_written_out(eqn, term);
    hbg_term_walk(&eqn->terms, whole);
    int32_map relations = {0};
    for (int32_t i = 0; i < eqn->terms.walk.count; i++)
        if (hbg_eqn_compares_numbers(eqn, &eqn->terms.nodes.items[eqn->terms.walk.items[i]]))
            HBG_PUSH(&eqn->scratch, relations, eqn->terms.walk.items[i]);
    for (int32_t i = 0; i < relations.count; i++) {
        term_node node = eqn->terms.nodes.items[relations.items[i]];
        reader made = {.told = {.transition = transition, .automaton = automaton, .output = HBG_NONE},
                       .automaton = automaton,
                       .state = state,
                       .alone = relations.items[i] == whole &&
                                eqn->model->transitions.items[transition].after == HBG_NONE,
                       .op = node.op};
        add_reader(s, made, hbg_term_subtract(&eqn->terms, node.a, node.b));
    }
}

static void add_output(search *s, hbg_expr value, int32_t signal) {
    hbg_eqn *eqn = s->eqn;
    hbg_term term = value == HBG_NONE ? HBG_NONE : eqn->expr_term[value];
    reader made = {.told = {.transition = HBG_NONE, .automaton = HBG_NONE, .output = value, .signal = signal},
                   .automaton = HBG_NONE};
    if (term != HBG_NONE && reads_cluster(s, term)) add_reader(s, made, hbg_eqn_written_out(eqn, term));
}

static void list_readers(search *s) {
    const hbg_model *model = s->eqn->model;
    for (int32_t i = 0; i < model->automata.count; i++)
        for (int32_t k = 0; k < model->automata.items[i].state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[model->automata.items[i].first_state + k];
            for (int32_t t = 0; t < state->transition_count; t++)
                add_guard(s, i, k, state->first_transition + t);
        }
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_OUTPUT)
            add_output(s, model->signals.items[i].value, i);
    for (int32_t i = 0; i < model->experiments.count; i++)
        for (int32_t k = 0; k < model->experiments.items[i].records.count; k++) {
            hbg_expr value = model->experiments.items[i].records.items[k].value;
            const hbg_expr_node *node = &model->exprs.items[value];
            bool output =
                node->op == HBG_OP_SIGNAL && model->signals.items[node->a].kind == HBG_SIGNAL_OUTPUT;
            if (!output) add_output(s, value, HBG_NONE);
        }
}

/* ---- modes --------------------------------------------------------------------------------------------- */

static void list_automata(search *s, int32_t cluster) {
    s->automata.count = 0;
    for (int32_t i = 0; i < s->eqn->model->automata.count; i++) {
        const int32_map *places = &s->eqn->automaton_places[i];
        bool switches = false;
        for (int32_t k = 0; k < places->count; k++)
            switches |= s->eqn->limits.cluster_of[places->items[k]] == cluster;
        if (switches) HBG_PUSH(s->arena, s->automata, i);
    }
}

static bool belongs(const search *s, const reader *of) {
    if (of->automaton == HBG_NONE) return true;
    for (int32_t i = 0; i < s->automata.count; i++)
        if (s->automata.items[i] == of->automaton) return s->states[of->automaton] == of->state;
    return true;
}

static void tell(search *s, const reader *of) {
    hbg_eqn_shared told = of->told;
    for (int32_t i = 0; i < s->list->count; i++) { // once is enough
        const hbg_eqn_shared *other = &s->list->items[i];
        if (other->transition == told.transition && other->output == told.output) return;
    }
    told.states = HBG_NEW_ARRAY(s->arena, int32_t, s->eqn->model->automata.count + 1);
    for (int32_t i = 0; i < s->eqn->model->automata.count; i++) told.states[i] = HBG_NONE;
    for (int32_t i = 0; i < s->automata.count; i++)
        told.states[s->automata.items[i]] = s->states[s->automata.items[i]];
    HBG_PUSH(s->arena, *s->list, told);
}

/* Whether a mode can be real, by its guards. */
static bool can_be_real(const search *s, shared_mode *forms) {
    HBG_VEC(shared_bound) bounds = {0};
    for (int32_t i = 0; i < s->readers.count; i++) {
        const reader *of = &s->readers.items[i];
        bool switches = false;
        for (int32_t k = 0; k < s->automata.count; k++) switches |= s->automata.items[k] == of->automaton;
        bool below = of->op == HBG_OP_LESS || of->op == HBG_OP_LESS_EQUAL;
        bool above = of->op == HBG_OP_GREATER || of->op == HBG_OP_GREATER_EQUAL;
        if (!switches || !belongs(s, of) || !of->alone || !of->straight || !(below || above)) continue;
        HBG_PUSH(&s->eqn->scratch, bounds, (shared_bound){&of->line, below});
    }
    return hbg_eqn_shared_bounds(forms, bounds.items, bounds.count);
}

static bool is_told(shared_mode *forms, const reader *of) {
    shared_answer answer = hbg_eqn_shared_line(forms, &of->line);
    bool value = of->automaton == HBG_NONE || !of->straight;
    if (answer == SHARED_NOT || (answer == SHARED_VALUE && !value)) return false;
    return !of->alone || !of->straight || !hbg_eqn_shared_is_own(forms, &of->line, of->automaton);
}

static void look(search *s, int32_t cluster) {
    hbg_eqn *eqn = s->eqn;
    for (int32_t i = 0; i < eqn->structure->place_count; i++)
        s->on[i] = eqn->varies.select[i] || hbg_causal_place_mode(eqn->structure, i, s->states);
    const limit_mode *mode = hbg_eqn_limit_in(eqn, cluster, s->on);
    if (mode->reversed_count == 0 || hbg_eqn_is_contested(eqn, cluster, mode)) return;
    shared_mode *forms = hbg_eqn_shared_mode(eqn, cluster, mode, s->on);
    if (!can_be_real(s, forms)) return;
    for (int32_t i = 0; i < s->readers.count; i++)
        if (belongs(s, &s->readers.items[i]) && is_told(forms, &s->readers.items[i]))
            tell(s, &s->readers.items[i]);
}

/* The next combination of states of the automata; false: it was the last. */
static bool go_on(search *s) {
    for (int32_t i = 0; i < s->automata.count; i++) {
        int32_t automaton = s->automata.items[i];
        const hbg_automaton *of = &s->eqn->model->automata.items[automaton];
        s->states[automaton] = (s->states[automaton] + 1) % of->state_count;
        if (s->states[automaton] != of->start) return true;
    }
    return false;
}

static bool is_small(const search *s, int32_t cluster) {
    int64_t modes = 1, size = s->eqn->limits.clusters.items[cluster].elements.count + LIMIT_AROUND;
    for (int32_t i = 0; i < s->automata.count && modes <= MOST_MODES; i++)
        modes *= s->eqn->model->automata.items[s->automata.items[i]].state_count;
    return modes <= MOST_MODES && size < 1000 && modes * size * size * size <= MOST_WORK;
}

static void find(search *s) {
    hbg_eqn *eqn = s->eqn;
    const hbg_model *model = eqn->model;
    s->followed = HBG_NEW_ARRAY(s->arena, bool, model->signals.count + 1);
    list_readers(s);
    s->states = HBG_NEW_ARRAY(s->arena, int32_t, model->automata.count + 1);
    s->on = HBG_NEW_ARRAY(s->arena, bool, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) s->states[i] = model->automata.items[i].start;
    for (int32_t i = 0; i < eqn->limits.clusters.count; i++) {
        list_automata(s, i);
        for (bool more = s->readers.count > 0 && is_small(s, i); more; more = go_on(s)) {
            look(s, i);
            hbg_eqn_clear(eqn);
        }
    }
}

hbg_eqn_shared_list hbg_eqn_find_shared(hbg_eqn *eqn, hbg_arena *arena) {
    hbg_eqn_shared_list list = {0};
    search s = {.eqn = eqn, .arena = arena, .list = &list};
    if (eqn->limits.clusters.count > 0) find(&s);
    return list;
}
