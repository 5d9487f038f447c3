/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Islands: what can influence one another at an instant. Energies stand still while a mode is searched for, so that what
 * reads only storages that never jump, inputs and time is calm; between two islands everything is calm. An event
 * in one of them is no business of the others (semantics, section 8, has the same groups). */
#include <string.h>

#include "eqn/eqn_impl.h"

typedef struct {
    hbg_eqn *eqn;
    hbg_arena *arena;
    equations all;          /* of the field, in any mode */
    bool *pulses;           /* by variable of the value layer: in some mode */
    int32_t *number;        /* by variable of all layers: its node plus 1 */
    int32_map nodes;        /* variables met */
    int32_map start, heads; /* by node: nodes of what it may read at an instant */
    bool *lively;           /* by node */
    int32_t *parent;        /* by node: for joining */
    int32_t *island_of;     /* by node that stands for its group: island, or HBG_NONE */
    int32_map reads;
    const int32_t
        *contested; /* by place: a number that those have in common whose automata belong together; or NULL */
    void (*noted)(void *context, int32_t a, int32_t b); /* told of every join, or NULL */
    void *noting;
} mapping;

/* ---- what may pulse ----------------------------------------------------------------------------------- */

/* Pulses come from the rates of dependent storages and from der(…), and go where equations read them. */
static void find_pulses(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    sorted_equations sorted;
    int32_map targets = {0};
    for (int32_t i = 0; i < eqn->pre.count; i++) {
        if (eqn->der_terms[i] == HBG_NONE) continue;
        map->pulses[eqn->first[VARIABLE_DER] + i] = true;
        HBG_PUSH(map->arena, targets, eqn->first[VARIABLE_DER] + i);
    }
    if (eqn->dependents.count == 0 && targets.count == 0) return;
    for (int32_t i = 0; i < eqn->first[VARIABLE_SIGNAL + 1]; i++) HBG_PUSH(map->arena, targets, i);
    hbg_equations_sort(&map->all, targets.items, targets.count, NULL, &sorted);
    for (int32_t i = 0; i < sorted.variable_count;) {
        int32_t component = sorted.component[i], end = i;
        bool pulse = false;
        for (; end < sorted.variable_count && sorted.component[end] == component; end++) {
            if (sorted.variables[end] >= eqn->base_count) continue;
            for (int32_t k = sorted.start[end]; k < sorted.start[end + 1]; k++) {
                int32_t read = sorted.variables[sorted.heads[k]];
                pulse |= read >= eqn->base_count || map->pulses[read];
            }
        }
        for (; i < end; i++)
            if (pulse && sorted.variables[i] < eqn->base_count &&
                hbg_eqn_kind_of(eqn, sorted.variables[i]) != VARIABLE_STATE)
                map->pulses[sorted.variables[i]] = true;
    }
}

/* ---- what is read at an instant ------------------------------------------------------------------------ */

static void read_variable(mapping *map, int32_t variable) {
    HBG_PUSH(map->arena, map->reads, variable);
}

static void read_term(mapping *map, hbg_term term) {
    hbg_terms *terms = &map->eqn->terms;
    if (term == HBG_NONE) return;
    hbg_terms_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) read_variable(map, node->a);
    }
}

static bool can_pulse(const mapping *map, int32_t variable) {
    return variable < map->eqn->base_count && map->pulses[variable];
}

/* What looks at values sees their pulses too. */
static void look_at_term(mapping *map, hbg_term term) {
    int32_t from = map->reads.count;
    read_term(map, term);
    for (int32_t i = from, count = map->reads.count; i < count; i++)
        if (can_pulse(map, map->reads.items[i]))
            read_variable(map, map->reads.items[i] + LAYER_AREA * map->eqn->base_count);
}

/* A state behind a jump: what it was and what pulses into it, or what it depends on. */
static bool state_jumps(mapping *map, int32_t state) {
    if (map->eqn->varies.may_dependent[state]) return true;
    map->reads.count = 0;
    read_term(map, hbg_equations_rate_term(&map->all, state));
    for (int32_t i = 0; i < map->reads.count; i++)
        if (can_pulse(map, map->reads.items[i])) return true;
    return false;
}

static void read_state(mapping *map, int32_t state) {
    hbg_eqn *eqn = map->eqn;
    int32_t from = map->reads.count, kept = from;
    if (eqn->varies.may_integral[state]) read_term(map, hbg_equations_rate_term(&map->all, state));
    for (int32_t i = from; i < map->reads.count; i++)
        if (can_pulse(map, map->reads.items[i]))
            map->reads.items[kept++] = map->reads.items[i] + LAYER_AREA * eqn->base_count;
    map->reads.count = kept;
    if (eqn->varies.may_dependent[state])
        read_term(map, hbg_eqn_storage_state(eqn, eqn->states[state].element, eqn->states[state].port).term);
}

static void read_area(mapping *map, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    int32_t from = map->reads.count;
    hbg_equations_reads(&map->all, variable, &map->reads);
    for (int32_t i = from, count = map->reads.count; i < count; i++) {
        int32_t read = map->reads.items[i];
        if (can_pulse(map, read)) read_variable(map, read + LAYER_AREA * eqn->base_count);
        if (read >= eqn->base_count && hbg_eqn_kind_of(eqn, read) == VARIABLE_STATE)
            read_variable(map, read % eqn->base_count); // a rate has the area of its jump
    }
}

static void read_bounce(mapping *map, int32_t junction) {
    const hbg_model *model = map->eqn->model;
    const hbg_element *element = &model->elements.items[junction];
    variable_kind summed = element->kind == HBG_KIND_ZERO ? VARIABLE_FLOW : VARIABLE_EFFORT;
    if (element->ports != 0 || element->restitution == HBG_NONE) return;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        read_variable(map, map->eqn->first[summed] + model->incidence[k]);
    read_term(map, map->eqn->expr_term[element->restitution]);
}

static void read_for(mapping *map, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    int32_t base = variable % eqn->base_count, layer = variable / eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind];
    switch (kind) {
    case VARIABLE_PRE: look_at_term(map, eqn->pre_terms[index]); return;
    case VARIABLE_IN:
        if (index >= eqn->ins.count) return;
        look_at_term(map, eqn->ins.items[index].term);
        read_variable(map, eqn->first[VARIABLE_AUTOMATON] + eqn->ins.items[index].automaton);
        return;
    case VARIABLE_BOUNCE: read_bounce(map, index); return;
    case VARIABLE_DER:
        if (layer == LAYER_AREA) {
            look_at_term(map, eqn->pre_terms[index]);
            read_variable(map, eqn->first[VARIABLE_PRE] + index);
            return;
        }
        break;
    case VARIABLE_STATE:
        if (layer == LAYER_VALUE) {
            read_state(map, index);
            return;
        }
        break;
    case VARIABLE_EFFORT:
    case VARIABLE_FLOW:
    case VARIABLE_SIGNAL: break;
    default: return;
    }
    if (layer == LAYER_AREA)
        read_area(map, base);
    else
        hbg_equations_reads(&map->all, variable, &map->reads);
}

/* ---- the graph ---------------------------------------------------------------------------------------- */

static int32_t node_of(mapping *map, int32_t variable) {
    if (map->number[variable] == 0) {
        HBG_PUSH(map->arena, map->nodes, variable);
        map->number[variable] = map->nodes.count;
    }
    return map->number[variable] - 1;
}

/* Variable and, where it may pulse, its area. */
static void meet(mapping *map, int32_t variable) {
    node_of(map, variable);
    if (can_pulse(map, variable)) node_of(map, variable + LAYER_AREA * map->eqn->base_count);
}

static void meet_term(mapping *map, hbg_term term) {
    map->reads.count = 0;
    read_term(map, term);
    for (int32_t i = 0; i < map->reads.count; i++) meet(map, map->reads.items[i]);
}

static void meet_all(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) node_of(map, eqn->first[VARIABLE_AUTOMATON] + i);
    for (int32_t i = 0; i < eqn->event_variables.count; i++) meet(map, eqn->event_variables.items[i]);
    for (int32_t i = 0; i < eqn->pre.count; i++) node_of(map, eqn->first[VARIABLE_PRE] + i);
    for (int32_t i = 0; i < eqn->ins.count; i++) node_of(map, eqn->first[VARIABLE_IN] + i);
    for (int32_t i = 0; i < eqn->restitution.count; i++)
        node_of(map, eqn->first[VARIABLE_BOUNCE] + eqn->restitution.items[i]);
    for (int32_t i = 0; i < eqn->state_count; i++)
        if (state_jumps(map, i)) node_of(map, eqn->first[VARIABLE_STATE] + i);
    for (int32_t i = 0; i < eqn->first[VARIABLE_FLOW + 1]; i++)
        if (map->pulses[i]) node_of(map, i + LAYER_AREA * eqn->base_count);
    for (int32_t i = 0; i < eqn->system.power_count; i++) meet_term(map, eqn->work_terms[i]);
    for (int32_t i = 0; i < map->nodes.count; i++) {
        HBG_PUSH(map->arena, map->start, map->heads.count);
        map->reads.count = 0;
        read_for(map, map->nodes.items[i]);
        for (int32_t k = 0; k < map->reads.count; k++)
            HBG_PUSH(map->arena, map->heads, node_of(map, map->reads.items[k]));
    }
    HBG_PUSH(map->arena, map->start, map->heads.count);
}

/* ---- lively ones, joined ------------------------------------------------------------------------------ */

/* What an instant can change by itself, and what a commit can. */
static bool is_origin(mapping *map, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    if (hbg_eqn_varies(eqn, variable)) return true;
    switch (hbg_eqn_kind_of(eqn, variable)) {
    case VARIABLE_ON:
    case VARIABLE_AUTOMATON:
    case VARIABLE_IN:
    case VARIABLE_BOUNCE: return true;
    case VARIABLE_STATE:
        return variable < eqn->base_count && state_jumps(map, variable - eqn->first[VARIABLE_STATE]);
    default: return variable / eqn->base_count == LAYER_AREA;
    }
}

static void find_lively(mapping *map) {
    int32_t count = map->nodes.count, filled = 0;
    int32_t *readers_start = HBG_NEW_ARRAY(map->arena, int32_t, count + 2);
    int32_t *readers = HBG_NEW_ARRAY(map->arena, int32_t, map->heads.count + 1);
    int32_t *queue = HBG_NEW_ARRAY(map->arena, int32_t, count + 1);
    for (int32_t k = 0; k < map->heads.count; k++) readers_start[map->heads.items[k] + 2]++;
    for (int32_t i = 0; i < count; i++) readers_start[i + 2] += readers_start[i + 1];
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = map->start.items[i]; k < map->start.items[i + 1]; k++)
            readers[readers_start[map->heads.items[k] + 1]++] = i;
    map->lively = HBG_NEW_ARRAY(map->arena, bool, count + 1);
    for (int32_t i = 0; i < count; i++)
        if (is_origin(map, map->nodes.items[i])) {
            map->lively[i] = true;
            queue[filled++] = i;
        }
    for (int32_t i = 0; i < filled; i++)
        for (int32_t k = readers_start[queue[i]]; k < readers_start[queue[i] + 1]; k++)
            if (!map->lively[readers[k]]) {
                map->lively[readers[k]] = true;
                queue[filled++] = readers[k];
            }
}

static int32_t find(mapping *map, int32_t node) {
    while (map->parent[node] != node) node = map->parent[node] = map->parent[map->parent[node]];
    return node;
}

static void join(mapping *map, int32_t a, int32_t b) {
    if (a < 0 || b < 0 || !map->lively[a] || !map->lively[b]) return;
    if (map->noted) map->noted(map->noting, a, b);
    int32_t x = find(map, a), y = find(map, b);
    if (x < y) map->parent[y] = x;
    if (y < x) map->parent[x] = y;
}

static void join_place(mapping *map, int32_t automaton, int32_t place) {
    hbg_eqn *eqn = map->eqn;
    const hbg_model *model = eqn->model;
    int32_t junction = eqn->structure->place_element[place];
    int32_t own = map->number[eqn->first[VARIABLE_AUTOMATON] + automaton] - 1;
    join(map, own, map->number[eqn->first[VARIABLE_ON] + place] - 1);
    join(map, own, map->number[eqn->first[VARIABLE_BOUNCE] + junction] - 1);
    if (eqn->varies.select[place]) return;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        for (int32_t layer = 0; layer < LAYER_COUNT; layer++) {
            int32_t shift = layer * eqn->base_count + model->incidence[k];
            join(map, own, map->number[eqn->first[VARIABLE_EFFORT] + shift] - 1);
            join(map, own, map->number[eqn->first[VARIABLE_FLOW] + shift] - 1);
        }
}

/* Automata that can make a mode without a valid causal assignment between them. */
static void join_contested(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    int32_t *first = HBG_NEW_ARRAY(map->arena, int32_t, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) first[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        for (int32_t k = 0; k < eqn->automaton_places[i].count; k++) {
            int32_t number = map->contested[eqn->automaton_places[i].items[k]];
            if (number == HBG_NONE) continue;
            int32_t own = map->number[eqn->first[VARIABLE_AUTOMATON] + i] - 1;
            if (first[number] == HBG_NONE) first[number] = own;
            join(map, first[number], own);
        }
}

static void join_all(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    map->parent = HBG_NEW_ARRAY(map->arena, int32_t, map->nodes.count + 1);
    for (int32_t i = 0; i < map->nodes.count; i++) map->parent[i] = i;
    for (int32_t i = 0; i < map->nodes.count; i++)
        for (int32_t k = map->start.items[i]; k < map->start.items[i + 1]; k++)
            join(map, i, map->heads.items[k]);
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        for (int32_t k = 0; k < eqn->automaton_places[i].count; k++)
            join_place(map, i, eqn->automaton_places[i].items[k]);
    if (map->contested) join_contested(map);
    for (int32_t i = 0; i < eqn->model->transitions.count; i++) {
        int32_t own = map->number[eqn->first[VARIABLE_AUTOMATON] + eqn->guards[i].automaton] - 1;
        map->reads.count = 0;
        look_at_term(map, eqn->guards[i].condition);
        for (int32_t k = 0; k < map->reads.count; k++) join(map, own, map->number[map->reads.items[k]] - 1);
    }
}

/* ---- islands ------------------------------------------------------------------------------------------ */

static island *island_at(mapping *map, int32_t variable, int32_t *number) {
    hbg_eqn *eqn = map->eqn;
    int32_t node = map->number[variable] - 1;
    if (node < 0 || !map->lively[node]) return NULL;
    int32_t *found = &map->island_of[find(map, node)];
    if (*found == HBG_NONE) {
        *found = eqn->islands.count;
        HBG_PUSH(eqn->arena, eqn->islands, (island){0});
    }
    if (number) *number = *found;
    return &eqn->islands.items[*found];
}

/* Variables of a term, each once in an island, and their areas among what is asked. */
static void ask_variable(mapping *map, island *of, int32_t *last, int32_t variable) {
    hbg_eqn *eqn = map->eqn;
    int32_t own = (int32_t)(of - eqn->islands.items) + 1;
    if (last[variable] == own) return;
    last[variable] = own;
    HBG_PUSH(eqn->arena, of->asked, variable);
    if (can_pulse(map, variable)) ask_variable(map, of, last, variable + LAYER_AREA * eqn->base_count);
}

static void ask_term(mapping *map, island *of, int32_t *last, int32_t *listed, hbg_term term) {
    hbg_eqn *eqn = map->eqn;
    int32_t own = (int32_t)(of - eqn->islands.items) + 1;
    map->reads.count = 0;
    read_term(map, term);
    for (int32_t i = 0; i < map->reads.count; i++) {
        int32_t variable = map->reads.items[i];
        ask_variable(map, of, last, variable);
        if (listed[variable] == own) continue;
        listed[variable] = own;
        HBG_PUSH(eqn->arena, of->variables, variable);
    }
}

static void fill_states(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->state_count; i++) {
        eqn->state_island[i] = HBG_NONE;
        if (!state_jumps(map, i)) continue;
        island *of = island_at(map, eqn->first[VARIABLE_STATE] + i, &eqn->state_island[i]);
        if (of) HBG_PUSH(eqn->arena, of->states, i);
    }
    for (int32_t i = 0; i < eqn->model->automata.count; i++) {
        island *of = island_at(map, eqn->first[VARIABLE_AUTOMATON] + i, &eqn->automaton_island[i]);
        HBG_PUSH(eqn->arena, of->automata, i);
    }
    for (int32_t i = 0; i < eqn->model->bonds.count; i++) {
        int32_t area = LAYER_AREA * eqn->base_count + i;
        eqn->bond_island[i] = HBG_NONE;
        for (int kind = VARIABLE_EFFORT; kind <= VARIABLE_FLOW; kind++) {
            if (!map->pulses[eqn->first[kind] + i]) continue;
            island *of = island_at(map, eqn->first[kind] + area, &eqn->bond_island[i]);
            if (of) HBG_PUSH(eqn->arena, of->bonds, eqn->first[kind] + i);
        }
    }
    for (int32_t i = 0; i < eqn->restitution.count; i++) {
        island *of = island_at(map, eqn->first[VARIABLE_BOUNCE] + eqn->restitution.items[i], NULL);
        HBG_PUSH(eqn->arena, of->restitution, eqn->restitution.items[i]);
    }
    for (int32_t i = 0; i < eqn->ins.count; i++) {
        island *of = island_at(map, eqn->first[VARIABLE_IN] + i, NULL);
        if (of) HBG_PUSH(eqn->arena, of->ins, i); // of a group: only where somebody reads it
    }
}

/* A line of the ledger is worked on where its area is. */
static void fill_powers(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->system.power_count; i++) {
        island *of = NULL;
        map->reads.count = 0;
        read_term(map, eqn->work_terms[i]);
        for (int32_t k = 0; k < map->reads.count && !of; k++)
            if (map->reads.items[k] / eqn->base_count == LAYER_AREA &&
                can_pulse(map, map->reads.items[k] % eqn->base_count))
                of = island_at(map, map->reads.items[k], NULL);
        if (of) HBG_PUSH(eqn->arena, of->powers, i);
    }
}

/* pre of what is calm belongs to all who read it; where nobody does at an instant, to everybody. What der(…) jumps from belongs
 * where its area is, if anywhere. */
static void fill_pres(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->pre.count; i++) {
        bool der = eqn->model->exprs.items[eqn->pre.items[i]].op == HBG_OP_DER;
        int32_t variable = eqn->first[VARIABLE_PRE] + i;
        if (der) variable = eqn->first[VARIABLE_DER] + i + LAYER_AREA * eqn->base_count;
        island *of = island_at(map, variable, NULL);
        if (of) HBG_PUSH(eqn->arena, of->pres, i);
        for (int32_t k = 0; k < eqn->islands.count && !of && !der; k++)
            HBG_PUSH(eqn->arena, eqn->islands.items[k].pres, i);
    }
}

static void fill_asked(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    size_t variables = (size_t)eqn->base_count * LAYER_COUNT;
    int32_t *last = HBG_NEW_ARRAY(map->arena, int32_t, variables);
    int32_t *listed = HBG_NEW_ARRAY(map->arena, int32_t, variables);
    for (int32_t n = 0; n < eqn->islands.count; n++) {
        island *of = &eqn->islands.items[n];
        for (int32_t i = 0; i < of->states.count; i++)
            ask_variable(map, of, last, eqn->first[VARIABLE_STATE] + of->states.items[i]);
        for (int32_t i = 0; i < of->automata.count; i++) {
            const hbg_automaton *automaton = &eqn->model->automata.items[of->automata.items[i]];
            for (int32_t k = 0; k < automaton->state_count; k++) {
                const hbg_automaton_state *state = &eqn->model->states.items[automaton->first_state + k];
                for (int32_t m = 0; m < state->transition_count; m++)
                    ask_term(map, of, last, listed, eqn->guards[state->first_transition + m].condition);
            }
        }
        for (int32_t i = 0; i < of->pres.count; i++)
            ask_term(map, of, last, listed, eqn->pre_terms[of->pres.items[i]]);
        for (int32_t i = 0; i < of->ins.count; i++)
            ask_term(map, of, last, listed, eqn->ins.items[of->ins.items[i]].term);
        for (int32_t i = 0; i < of->restitution.count; i++) {
            int32_t junction = of->restitution.items[i];
            map->reads.count = 0;
            read_bounce(map, junction);
            int32_t *items = HBG_NEW_ARRAY(map->arena, int32_t, map->reads.count + 1),
                    count = map->reads.count;
            if (count > 0) memcpy(items, map->reads.items, (size_t)count * sizeof *items);
            for (int32_t k = 0; k < count; k++)
                ask_term(map, of, last, listed, hbg_term_variable(&eqn->terms, items[k]));
        }
        for (int32_t i = 0; i < of->bonds.count; i++)
            ask_variable(map, of, last, of->bonds.items[i] + LAYER_AREA * eqn->base_count);
    }
}

static void fill_facts(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    eqn->place_islands = HBG_NEW_ARRAY(eqn->arena, int32_map, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < map->nodes.count; i++) {
        int32_t found = map->lively[i] ? map->island_of[find(map, i)] : HBG_NONE;
        if (found != HBG_NONE)
            hbg_eqn_add_facts(eqn, eqn->arena, map->nodes.items[i], &eqn->islands.items[found].facts);
    }
    for (int32_t n = 0; n < eqn->islands.count; n++) {
        island *of = &eqn->islands.items[n];
        hbg_eqn_close_facts(&of->facts);
        for (int32_t i = 0; i < of->facts.places.count; i++)
            HBG_PUSH(eqn->arena, eqn->place_islands[of->facts.places.items[i]], n);
    }
    eqn->relation_islands = HBG_NEW_ARRAY(eqn->arena, int32_map, eqn->relations.count + 1);
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        for (int32_t k = 0; k < eqn->guards[i].relation_count; k++) {
            int32_map *of = &eqn->relation_islands[eqn->guards[i].relations[k]];
            int32_t own = eqn->automaton_island[eqn->guards[i].automaton];
            bool there = false;
            for (int32_t m = 0; m < of->count; m++) there |= of->items[m] == own;
            if (there) continue;
            HBG_PUSH(eqn->arena, *of, own);
            HBG_PUSH(eqn->arena, eqn->islands.items[own].relations, eqn->guards[i].relations[k]);
        }
}

/* The graph of what may be read at an instant, and what of it is lively. */
static void draw_map(mapping *map, const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = map->eqn;
    map->pulses = HBG_NEW_ARRAY(map->arena, bool, eqn->base_count + 1);
    map->number = HBG_NEW_ARRAY(map->arena, int32_t, (size_t)eqn->base_count * LAYER_COUNT);
    hbg_equations_init(&map->all, map->arena, eqn, assignment, PURPOSE_FIELD);
    map->all.in_any_mode = eqn->varies.any;
    find_pulses(map);
    meet_all(map);
    find_lively(map);
}

static void fill_all(mapping *map) {
    join_all(map);
    map->island_of = HBG_NEW_ARRAY(map->arena, int32_t, map->nodes.count + 1);
    for (int32_t i = 0; i < map->nodes.count; i++) map->island_of[i] = HBG_NONE;
    fill_states(map);
    fill_powers(map);
    fill_pres(map);
    fill_asked(map);
    fill_facts(map);
}

static void make_room(hbg_eqn *eqn) {
    eqn->automaton_island = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->automata.count + 1);
    eqn->state_island = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->state_count + 1);
    eqn->bond_island = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->bonds.count + 1);
}

void hbg_eqn_make_islands(hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    mapping map = {.eqn = eqn, .arena = &eqn->scratch};
    eqn->islands.count = 0;
    make_room(eqn);
    draw_map(&map, assignment);
    fill_all(&map);
    hbg_equations_end(&map.all);
    eqn->automaton_leader = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->model->automata.count + 1);
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        eqn->automaton_leader[i] = eqn->islands.items[eqn->automaton_island[i]].automata.items[0];
}

/* ---- groups ------------------------------------------------------------------------------------------- */

/* What reads of two islands' affairs but is read by nobody, as the ledger's line of a source that feeds both, joins nothing: lively
 * is left only what a guard, a jump or a rebound depends on. */
static void keep_useful(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    bool *useful = HBG_NEW_ARRAY(map->arena, bool, map->nodes.count + 1);
    int32_map queue = {0};
    map->reads.count = 0;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++) look_at_term(map, eqn->guards[i].condition);
    for (int32_t i = 0; i < map->reads.count; i++) {
        int32_t node = map->number[map->reads.items[i]] - 1;
        if (node >= 0) HBG_PUSH(map->arena, queue, node);
    }
    for (int32_t i = 0; i < map->nodes.count; i++) {
        variable_kind kind = hbg_eqn_kind_of(eqn, map->nodes.items[i]);
        bool root = kind == VARIABLE_AUTOMATON || kind == VARIABLE_BOUNCE ||
                    (kind == VARIABLE_STATE && map->nodes.items[i] < eqn->base_count);
        if (root) HBG_PUSH(map->arena, queue, i);
    }
    for (int32_t i = 0; i < queue.count; i++) useful[queue.items[i]] = true;
    for (int32_t i = 0; i < queue.count; i++)
        for (int32_t k = map->start.items[queue.items[i]]; k < map->start.items[queue.items[i] + 1]; k++) {
            int32_t read = map->heads.items[k];
            if (useful[read]) continue;
            useful[read] = true;
            HBG_PUSH(map->arena, queue, read);
        }
    for (int32_t i = 0; i < map->nodes.count; i++) map->lively[i] = map->lively[i] && useful[i];
}

/* Groups whose affairs a node reads, through whatever nobody else reads. */
static int32_t find_readers(mapping *map, int32_t start, int32_map *found) {
    int32_map queue = {0};
    bool *met = HBG_NEW_ARRAY(map->arena, bool, map->nodes.count + 1);
    HBG_PUSH(map->arena, queue, start);
    met[start] = true;
    for (int32_t i = 0; i < queue.count; i++) {
        int32_t node = queue.items[i], group = map->lively[node] ? map->island_of[find(map, node)] : HBG_NONE;
        bool known = false;
        for (int32_t k = 0; k < found->count; k++) known |= found->items[k] == group;
        if (group != HBG_NONE && !known) HBG_PUSH(map->arena, *found, group);
        if (group != HBG_NONE) continue;
        for (int32_t k = map->start.items[node]; k < map->start.items[node + 1]; k++) {
            int32_t read = map->heads.items[k];
            if (!met[read]) HBG_PUSH(map->arena, queue, read);
            met[read] = true;
        }
    }
    return found->count;
}

/* A source that feeds one group belongs to it; one that feeds several to none, and their energies cannot be told apart. */
static void share_powers(mapping *map) {
    hbg_eqn *eqn = map->eqn;
    for (int32_t i = 0; i < eqn->islands.count; i++) eqn->islands.items[i].powers.count = 0;
    for (int32_t i = 0; i < eqn->system.power_count; i++) {
        int32_map found = {0}, areas = {0};
        map->reads.count = 0;
        read_term(map, eqn->work_terms[i]);
        for (int32_t k = 0; k < map->reads.count; k++) {
            int32_t read = map->reads.items[k];
            bool area = read / eqn->base_count == LAYER_AREA && can_pulse(map, read % eqn->base_count);
            if (area && map->number[read] > 0) HBG_PUSH(map->arena, areas, map->number[read] - 1);
        }
        for (int32_t k = 0; k < areas.count; k++) find_readers(map, areas.items[k], &found);
        for (int32_t k = 0; k < found.count; k++) {
            island *of = &eqn->islands.items[found.items[k]];
            of->shares_source |= found.count > 1;
            HBG_PUSH(eqn->arena, of->powers, i);
        }
    }
    for (int32_t i = 0; i < eqn->islands.count; i++)
        if (eqn->islands.items[i].shares_source) eqn->islands.items[i].powers.count = 0;
}

/* As islands are made, but finer; the islands of runs stay what they are. */
void hbg_eqn_make_groups(hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    mapping map = {.eqn = eqn, .arena = &eqn->scratch, .contested = eqn->contested};
    hbg_eqn kept = *eqn;
    memset(&eqn->islands, 0, sizeof eqn->islands);
    make_room(eqn);
    draw_map(&map, assignment);
    keep_useful(&map);
    fill_all(&map);
    share_powers(&map);
    hbg_equations_end(&map.all);
    eqn->groups = eqn->islands.items;
    eqn->group_count = eqn->islands.count;
    eqn->automaton_group = eqn->automaton_island;
    eqn->islands = kept.islands;
    eqn->automaton_island = kept.automaton_island;
    eqn->state_island = kept.state_island;
    eqn->bond_island = kept.bond_island;
    eqn->place_islands = kept.place_islands;
    eqn->relation_islands = kept.relation_islands;
}

/* ---- reasons ------------------------------------------------------------------------------------------ */

typedef struct { /* the lively arcs, in both directions, of the graph and of what join_all adds to it */
    mapping *map;
    int32_map *near; /* by node */
    int32_t *before; /* by node: the one it was reached from; HBG_NONE: not reached */
} reasoning;

static void note_join(void *context, int32_t a, int32_t b) {
    reasoning *why = context;
    if (a < 0 || b < 0 || !why->map->lively[a] || !why->map->lively[b]) return;
    HBG_PUSH(why->map->arena, why->near[a], b);
    HBG_PUSH(why->map->arena, why->near[b], a);
}

/* The shortest chains from an automaton to those that come after it and have no chain yet. */
static void tell_chains(reasoning *why, const island *of, int32_t from, bool *told,
                        void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                     int32_t count),
                        void *context) {
    mapping *map = why->map;
    hbg_eqn *eqn = map->eqn;
    int32_map queue = {0}, chain = {0};
    int32_t start = map->number[eqn->first[VARIABLE_AUTOMATON] + of->automata.items[from]] - 1;
    for (int32_t i = 0; i < map->nodes.count; i++) why->before[i] = HBG_NONE;
    why->before[start] = start;
    HBG_PUSH(map->arena, queue, start);
    for (int32_t i = 0; i < queue.count; i++) {
        int32_t node = queue.items[i];
        bool automaton = hbg_eqn_kind_of(eqn, map->nodes.items[node]) == VARIABLE_AUTOMATON;
        if (automaton && node != start) continue; // what lies behind another one is its affair
        for (int32_t k = 0; k < why->near[node].count; k++) {
            int32_t next = why->near[node].items[k];
            if (why->before[next] != HBG_NONE) continue;
            why->before[next] = node;
            HBG_PUSH(map->arena, queue, next);
        }
    }
    for (int32_t to = 0; to < of->automata.count; to++) {
        int32_t node = map->number[eqn->first[VARIABLE_AUTOMATON] + of->automata.items[to]] - 1;
        if (told[to] || to == from || why->before[node] == HBG_NONE) continue;
        told[to] = true;
        chain.count = 0;
        for (node = why->before[node]; node != start; node = why->before[node])
            HBG_PUSH(map->arena, chain, map->nodes.items[node]);
        tell(context, of->automata.items[from], of->automata.items[to], chain.items, chain.count);
    }
}

/* The first automaton that has no chain yet is there because of a mode without a valid causal assignment. */
static void tell_contested(const island *of, bool *told, int32_map *open, hbg_arena *arena,
                           void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                        int32_t count),
                           void *context) {
    int32_t next = 0;
    while (next < of->automata.count && told[next]) next++;
    if (next == of->automata.count) return;
    told[next] = true;
    tell(context, of->automata.items[0], of->automata.items[next], NULL, HBG_NONE);
    HBG_PUSH(arena, *open, next);
}

void hbg_eqn_explain_island(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const island *of,
                            void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                         int32_t count),
                            void *context) {
    mapping map = {.eqn = eqn, .arena = &eqn->scratch};
    draw_map(&map, assignment);
    keep_useful(&map);
    reasoning why = {.map = &map};
    why.near = HBG_NEW_ARRAY(map.arena, int32_map, map.nodes.count + 1);
    why.before = HBG_NEW_ARRAY(map.arena, int32_t, map.nodes.count + 1);
    map.noted = note_join;
    map.noting = &why;
    join_all(&map);
    bool *told = HBG_NEW_ARRAY(map.arena, bool, of->automata.count + 1);
    int32_map open = {0};
    if (of->automata.count > 0) told[0] = true;
    HBG_PUSH(map.arena, open, 0);
    for (int32_t i = 0; i < of->automata.count; i++) {
        if (i == open.count) tell_contested(of, told, &open, map.arena, tell, context);
        if (i == open.count) break;
        bool *before = HBG_NEW_ARRAY(map.arena, bool, of->automata.count + 1);
        memcpy(before, told, (size_t)of->automata.count);
        tell_chains(&why, of, open.items[i], told, tell, context);
        for (int32_t k = 0; k < of->automata.count; k++)
            if (told[k] && !before[k]) HBG_PUSH(map.arena, open, k);
    }
    hbg_equations_end(&map.all);
}
