/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The equations of an instant as data, for proofs: nothing is rounded and nothing is compiled. They are the
 * same islands, sorted equations and guards from which runs are made (semantics, section 8). */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- modes -------------------------------------------------------------------------------------------- */

/* The assignment that a run would have in these states; NULL if it has none. In scratch memory. */
static hbg_causal_assignment *assign_mode(hbg_eqn *eqn, const int32_t *states) {
    bool *on = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++)
        on[i] = eqn->varies.select[i] || hbg_causal_place_mode(eqn->structure, i, states);
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&eqn->scratch, eqn->structure);
    return hbg_eqn_assign(eqn, assignment, on) ? assignment : NULL;
}

bool hbg_eqn_exact_is_valid(hbg_eqn *eqn, const int32_t *states) {
    hbg_eqn_begin_work(eqn);
    bool valid = assign_mode(eqn, states) != NULL;
    hbg_eqn_end_work(eqn);
    return valid;
}

bool hbg_eqn_exact_open(hbg_eqn *eqn, const int32_t *contested) {
    if (eqn->proof.groups) return true;
    eqn->proof.contested = contested;
    hbg_eqn_begin_work(eqn);
    hbg_causal_assignment *assignment = assign_mode(eqn, eqn->start.state);
    if (assignment && !eqn->has_islands) hbg_eqn_make_islands(eqn, assignment);
    if (assignment) hbg_eqn_make_groups(eqn, assignment);
    hbg_eqn_end_work(eqn);
    return assignment != NULL;
}

bool hbg_eqn_exact_open_whole(hbg_eqn *eqn) {
    eqn->proof.whole = true;
    return hbg_eqn_exact_open(eqn, NULL);
}

int32_t hbg_eqn_exact_group_count(const hbg_eqn *eqn) {
    return eqn->proof.group_count;
}

hbg_exact_group hbg_eqn_exact_group(const hbg_eqn *eqn, int32_t group) {
    const island *of = &eqn->proof.groups[group];
    return (hbg_exact_group){.automata = of->automata.items,
                             .states = of->states.items,
                             .variables = of->variables.items,
                             .pres = of->pres.items,
                             .ins = of->ins.items,
                             .restitution = of->restitution.items,
                             .powers = of->powers.items,
                             .automaton_count = of->automata.count,
                             .state_count = of->states.count,
                             .variable_count = of->variables.count,
                             .pre_count = of->pres.count,
                             .in_count = of->ins.count,
                             .restitution_count = of->restitution.count,
                             .power_count = of->powers.count,
                             .shares_source = of->shares_source};
}

/* Copies the sorted equations to the arena. */
static void export_equations(equations *all, const sorted_equations *sorted, hbg_arena *arena,
                             hbg_exact_mode *mode) {
    mode->equations = HBG_NEW_ARRAY(arena, hbg_exact_equation, sorted->variable_count + 1);
    mode->blocks = HBG_NEW_ARRAY(arena, hbg_exact_block, sorted->block_count + 1);
    mode->checks = HBG_NEW_ARRAY(arena, hbg_exact_check, all->checks.count + 1);
    for (int32_t i = 0; i < sorted->variable_count; i++) {
        const equation *of = hbg_eqn_equations_get(all, sorted->variables[i]);
        mode->equations[i] = (hbg_exact_equation){sorted->variables[i], of->kind == EQUATION_KNOWN,
                                                  of->kind == EQUATION_IMPLICIT, of->term};
    }
    for (int32_t i = 0; i < sorted->block_count; i++) {
        const sorted_block *block = &sorted->blocks[i];
        mode->blocks[i] = (hbg_exact_block){block->first, block->count, block->is_loop};
    }
    for (int32_t i = 0; i < all->checks.count; i++)
        mode->checks[i] = (hbg_exact_check){all->checks.items[i].area, all->checks.items[i].term};
    mode->count = sorted->variable_count;
    mode->block_count = sorted->block_count;
    mode->check_count = all->checks.count;
    mode->refused = all->refused;
}

static hbg_exact_part *export_parts(hbg_arena *arena, const limit_part *parts, int32_t count) {
    hbg_exact_part *made = HBG_NEW_ARRAY(arena, hbg_exact_part, count + 1);
    for (int32_t i = 0; i < count; i++) {
        made[i] = (hbg_exact_part){.of = parts[i].of, .usual = parts[i].usual, .effort = parts[i].effort};
        memcpy(made[i].order, parts[i].order, sizeof made[i].order);
    }
    return made;
}

/* The unbounded parts of a mode; NULL: none. */
static const hbg_exact_limit *export_limit(equations *all, const island *of, hbg_arena *arena) {
    hbg_eqn *eqn = all->eqn;
    limit_parts parts;
    sorted_equations sorted;
    int32_map places = {0}; // includes places that influence no guard
    for (int32_t i = 0; i < of->facts.places.count; i++)
        HBG_PUSH(&eqn->scratch, places, of->facts.places.items[i]);
    for (int32_t i = 0; i < of->automata.count; i++) {
        const int32_map *own = &eqn->automaton_places[of->automata.items[i]];
        for (int32_t k = 0; k < own->count; k++) HBG_PUSH(&eqn->scratch, places, own->items[k]);
    }
    if (!hbg_eqn_limit_parts(of, &places, all, &parts, &sorted)) return NULL;
    hbg_exact_limit *made = HBG_NEW(arena, hbg_exact_limit);
    export_equations(all, &sorted, arena, &made->mode);
    made->mode.valid = true;
    made->mode.check_count = 0; // checks are those of the jump
    made->asked = export_parts(arena, parts.asked.items, parts.asked.count);
    made->asked_count = parts.asked.count;
    made->conflicts = export_parts(arena, parts.conflicts.items, parts.conflicts.count);
    made->conflict_count = parts.conflicts.count;
    return made;
}

/* Whether an instant reads an undetermined value in this mode. Variables are in order, so one pass is
 * enough. */
static bool reads_open(equations *all, const sorted_equations *sorted, const island *of) {
    hbg_eqn *eqn = all->eqn;
    bool *open = HBG_NEW_ARRAY(&eqn->scratch, bool, (size_t)eqn->base_count *LAYER_COUNT);
    open[eqn->first[VARIABLE_OPEN]] = true;
    for (int32_t i = 0; i < sorted->variable_count; i++) {
        const equation *made = hbg_eqn_equations_get(all, sorted->variables[i]);
        if (made->kind != EQUATION_ASSIGN) continue;
        hbg_term_walk(&eqn->terms, made->term);
        for (int32_t k = 0; k < eqn->terms.walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[k]];
            if (node->op == TERM_VARIABLE && open[node->a]) open[sorted->variables[i]] = true;
        }
    }
    for (int32_t i = 0; i < of->variables.count; i++)
        if (open[of->variables.items[i]]) return true;
    return false;
}

/* Variables of a term that no parameter settles. */
static void list_variables(hbg_eqn *eqn, hbg_term term, int32_map *variables) {
    if (term == HBG_NONE) return;
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN)
            HBG_PUSH(&eqn->scratch, *variables, node->a);
    }
}

hbg_exact_mode hbg_eqn_exact_jump(hbg_eqn *eqn, hbg_arena *arena, int32_t group, const int32_t *states,
                                  const hbg_exact_term *terms, int32_t term_count) {
    hbg_exact_mode mode = {.valid = false};
    int32_map more = {0};
    equations all;
    sorted_equations sorted;
    hbg_eqn_begin_work(eqn);
    hbg_causal_assignment *assignment = assign_mode(eqn, states);
    if (assignment) {
        for (int32_t i = 0; i < term_count; i++) list_variables(eqn, terms[i], &more);
        hbg_eqn_sort_event(eqn, &eqn->proof.groups[group], assignment, &more, &all, &sorted);
        export_equations(&all, &sorted, arena, &mode);
        if (eqn->has_open && !mode.refused && reads_open(&all, &sorted, &eqn->proof.groups[group]))
            mode.refused = "a value that nothing determines, where junctions that are off repeat a zero";
        mode.limit = export_limit(&all, &eqn->proof.groups[group], arena);
        if (all.refused) mode.refused = all.refused; // names the source that causes it
        hbg_eqn_equations_end(&all);
        mode.valid = true;
    }
    hbg_eqn_end_work(eqn);
    return mode;
}

hbg_exact_term hbg_eqn_exact_rate(hbg_eqn *eqn, int32_t state) {
    return hbg_term_variable(&eqn->terms, LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + state);
}

hbg_exact_mode hbg_eqn_exact_field(hbg_eqn *eqn, hbg_arena *arena, const int32_t *states,
                                   const int32_t *wanted, int32_t count) {
    hbg_exact_mode mode = {.valid = false};
    int32_map targets = {0};
    equations all;
    sorted_equations sorted;
    hbg_eqn_begin_work(eqn);
    hbg_causal_assignment *assignment = assign_mode(eqn, states);
    if (assignment) {
        for (int32_t i = 0; i < count; i++)
            HBG_PUSH(&eqn->scratch, targets,
                     LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + wanted[i]);
        hbg_eqn_sort_field(eqn, assignment, &targets, false, &all, &sorted);
        export_equations(&all, &sorted, arena, &mode);
        hbg_eqn_equations_end(&all);
        mode.valid = true;
    }
    hbg_eqn_end_work(eqn);
    return mode;
}

int32_t hbg_eqn_exact_cluster(const hbg_eqn *eqn, int32_t place) {
    int32_t cluster = eqn->limits.cluster_of[place];
    const limit_cluster *of = cluster == HBG_NONE ? NULL : &eqn->limits.clusters.items[cluster];
    for (int32_t i = 0; of && i < of->elements.count; i++)
        if (hbg_eqn_limit_source(eqn, of, of->elements.items[i]) != HBG_NONE) return cluster;
    for (int32_t i = 0; of && i < of->places.count; i++)
        if (eqn->model->elements.items[eqn->structure->place_element[of->places.items[i]]].restitution !=
            HBG_NONE)
            return cluster;
    return HBG_NONE;
}

/* ---- groups of terms ---------------------------------------------------------------------------------- */

static bool follows(const hbg_eqn *eqn, const island *of, int32_t place) {
    bool own = false, other = false;
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        for (int32_t k = 0; k < eqn->automaton_places[i].count; k++) {
            if (eqn->automaton_places[i].items[k] != place) continue;
            bool in_group = eqn->proof.automaton_group[i] == (int32_t)(of - eqn->proof.groups);
            own |= in_group;
            other |= !in_group;
        }
    return own || !other;
}

static bool belongs(hbg_eqn *eqn, const island *of, equations *all, hbg_term term) {
    int32_map targets = {0};
    fact_set facts = {0};
    sorted_equations sorted;
    list_variables(eqn, term, &targets);
    hbg_eqn_equations_sort(all, targets.items, targets.count, NULL, &sorted);
    for (int32_t i = 0; i < sorted.variable_count; i++) {
        int32_t variable = sorted.variables[i], base = variable % eqn->base_count;
        if (hbg_eqn_kind_of(eqn, variable) == VARIABLE_ON &&
            !follows(eqn, of, base - eqn->first[VARIABLE_ON]))
            return false;
        if (hbg_eqn_varies(eqn, variable)) hbg_eqn_add_facts(eqn, &eqn->scratch, variable, &facts);
    }
    hbg_eqn_close_facts(eqn, &eqn->scratch, &facts);
    for (int32_t i = 0; i < facts.places.count; i++)
        if (!follows(eqn, of, facts.places.items[i])) return false;
    return true;
}

bool hbg_eqn_exact_belongs(hbg_eqn *eqn, int32_t group, hbg_exact_term term) {
    equations all;
    bool result = false;
    hbg_eqn_begin_work(eqn);
    hbg_causal_assignment *assignment = assign_mode(eqn, eqn->start.state);
    if (assignment) {
        hbg_eqn_equations_init(&all, &eqn->scratch, eqn, assignment, PURPOSE_FIELD);
        result = belongs(eqn, &eqn->proof.groups[group], &all, term);
        hbg_eqn_equations_end(&all);
    }
    hbg_eqn_end_work(eqn);
    return result;
}

/* ---- reasons ------------------------------------------------------------------------------------------ */

typedef struct {
    const hbg_eqn *eqn;
    hbg_buffer *out;
} reason_writer;

#define REASON_LENGTH 4 /* variables of a chain that are named */

static void put_automaton(const reason_writer *writer, int32_t automaton) {
    hbg_model_path(writer->eqn->model, (hbg_object){HBG_OBJECT_AUTOMATON, automaton}, writer->out);
}

/* Appends a variable of a chain, once for all its views; returns true if it was named. */
static bool put_link(const reason_writer *writer, int32_t variable, int32_t *last) {
    const hbg_eqn *eqn = writer->eqn;
    int32_t base = variable % eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    if (base == *last || kind == VARIABLE_ON || kind == VARIABLE_BOUNCE || kind == VARIABLE_PRE ||
        kind == VARIABLE_PARASITE || kind == VARIABLE_CONFLICT)
        return false;
    hbg_base_buffer_text(writer->out, *last == HBG_NONE ? " through " : ", ");
    hbg_eqn_variable_name(eqn, base, writer->out);
    *last = base;
    return true;
}

/* Whether both automata switch places in one cluster of sources that can be in conflict. */
static bool share_cluster(const hbg_eqn *eqn, int32_t from, int32_t to) {
    const int32_map *own = &eqn->automaton_places[from], *other = &eqn->automaton_places[to];
    for (int32_t i = 0; i < own->count; i++)
        for (int32_t k = 0; k < other->count; k++) {
            int32_t cluster = hbg_eqn_exact_cluster(eqn, own->items[i]);
            if (cluster != HBG_NONE && cluster == hbg_eqn_exact_cluster(eqn, other->items[k])) return true;
        }
    return false;
}

static void put_chain(void *context, int32_t from, int32_t to, const int32_t *variables, int32_t count) {
    const reason_writer *writer = context;
    int32_t last = HBG_NONE, named = 0;
    put_automaton(writer, from);
    hbg_base_buffer_text(writer->out, " and ");
    put_automaton(writer, to);
    if (count == HBG_NONE) {
        hbg_base_buffer_text(writer->out, share_cluster(writer->eqn, from, to)
                                              ? " by sources that both can set against each other\n"
                                              : " by a mode of both that has no valid causal assignment\n");
        return;
    }
    for (int32_t i = 0; i < count && named < REASON_LENGTH; i++)
        named += put_link(writer, variables[i], &last);
    if (named == REASON_LENGTH) hbg_base_buffer_text(writer->out, ", …");
    if (named == 0) hbg_base_buffer_text(writer->out, " directly: one reads or controls with the other");
    hbg_base_buffer_char(writer->out, '\n');
}

void hbg_eqn_exact_reasons(hbg_eqn *eqn, int32_t group, hbg_buffer *out) {
    reason_writer writer = {eqn, out};
    if (eqn->proof.groups[group].automata.count < 2) return;
    hbg_eqn_begin_work(eqn);
    hbg_causal_assignment *assignment = assign_mode(eqn, eqn->start.state);
    if (assignment) hbg_eqn_explain_island(eqn, assignment, &eqn->proof.groups[group], put_chain, &writer);
    hbg_eqn_end_work(eqn);
}

/* ---- terms -------------------------------------------------------------------------------------------- */

hbg_exact_node hbg_eqn_exact_node(const hbg_eqn *eqn, hbg_exact_term term) {
    const term_node *node = &eqn->terms.nodes.items[term];
    hbg_exact_node result = {.op = node->op, .a = node->a, .b = node->b, .c = node->c};
    result.arity = hbg_term_arity(node);
    if (node->op != HBG_OP_NUMBER) return result;
    if (node->b != HBG_NONE) return hbg_eqn_exact_node(eqn, node->b);
    result.number = eqn->terms.numbers.items[node->a];
    return result;
}

static hbg_exact_role role_of(const hbg_eqn *eqn, variable_kind kind, int32_t index) {
    switch (kind) {
    case VARIABLE_EFFORT:
    case VARIABLE_FLOW:
    case VARIABLE_DER: return HBG_EXACT_COMPUTED;
    case VARIABLE_LIVE: return HBG_EXACT_LIVE;
    case VARIABLE_SIGNAL:
        return eqn->model->signals.items[index].every == HBG_NONE ? HBG_EXACT_COMPUTED : HBG_EXACT_HELD;
    case VARIABLE_GIVEN: return HBG_EXACT_GIVEN;
    case VARIABLE_INPUT: return HBG_EXACT_INPUT;
    case VARIABLE_PARAM: return HBG_EXACT_PARAM;
    case VARIABLE_AUTOMATON: return HBG_EXACT_AUTOMATON;
    case VARIABLE_PRE: return HBG_EXACT_PRE;
    case VARIABLE_IN: return HBG_EXACT_IN;
    case VARIABLE_BOUNCE: return HBG_EXACT_BOUNCE;
    case VARIABLE_ON: return HBG_EXACT_ON;
    case VARIABLE_STATE: return HBG_EXACT_STATE;
    case VARIABLE_OLD: return HBG_EXACT_OLD;
    case VARIABLE_TIME: return HBG_EXACT_TIME;
    case VARIABLE_UNDEFINED: return HBG_EXACT_UNDEFINED;
    case VARIABLE_OPEN: return HBG_EXACT_OPEN;
    default: return HBG_EXACT_OTHER;
    }
}

hbg_exact_variable hbg_eqn_exact_variable(const hbg_eqn *eqn, int32_t variable) {
    static const hbg_exact_view views[LAYER_COUNT] = {[LAYER_VALUE] = HBG_EXACT_VALUE,
                                                      [LAYER_RATE] = HBG_EXACT_RATE,
                                                      [LAYER_RATE2] = HBG_EXACT_NO_VIEW,
                                                      [LAYER_TANGENT] = HBG_EXACT_NO_VIEW,
                                                      [LAYER_TANGENT_RATE] = HBG_EXACT_NO_VIEW,
                                                      [LAYER_TANGENT_RATE2] = HBG_EXACT_NO_VIEW,
                                                      [LAYER_AREA] = HBG_EXACT_AREA};
    int32_t base = variable % eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind];
    return (hbg_exact_variable){.role = role_of(eqn, kind, index),
                                .view = views[variable / eqn->base_count],
                                .index = index,
                                .effort = kind == VARIABLE_EFFORT,
                                .value = base,
                                .rate = base + LAYER_RATE * eqn->base_count,
                                .area = base + LAYER_AREA * eqn->base_count};
}

int32_t hbg_eqn_exact_old(const hbg_eqn *eqn, int32_t state) {
    return eqn->first[VARIABLE_OLD] + state;
}

int32_t hbg_eqn_exact_state(const hbg_eqn *eqn, int32_t state) {
    return eqn->first[VARIABLE_STATE] + state;
}

hbg_exact_guard hbg_eqn_exact_guard(const hbg_eqn *eqn, int32_t transition) {
    return (hbg_exact_guard){eqn->guards[transition].condition, eqn->guards[transition].after};
}

hbg_exact_term hbg_eqn_exact_pre(const hbg_eqn *eqn, int32_t pre) {
    return eqn->pres.terms[pre];
}

hbg_exact_in hbg_eqn_exact_in(const hbg_eqn *eqn, int32_t in) {
    const in_info *of = &eqn->in.list.items[in];
    return (hbg_exact_in){of->automaton, of->state, of->term};
}

hbg_exact_bounce hbg_eqn_exact_bounce(hbg_eqn *eqn, int32_t junction) {
    const hbg_model *model = eqn->model;
    const hbg_element *element = &model->elements.items[junction];
    bool zero = element->kind == HBG_KIND_ZERO;
    variable_kind summed = zero ? VARIABLE_FLOW : VARIABLE_EFFORT;
    int32_t common = eqn->first[zero ? VARIABLE_EFFORT : VARIABLE_FLOW] +
                     model->incidence[model->incidence_start[junction]];
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        int32_t bond = model->incidence[k];
        hbg_term value = hbg_eqn_var(eqn, summed, bond);
        sum = model->bonds.items[bond].to.element == junction ? hbg_term_add(&eqn->terms, sum, value)
                                                              : hbg_term_subtract(&eqn->terms, sum, value);
    }
    return (hbg_exact_bounce){eqn->structure->element_place[junction], sum,
                              hbg_eqn_written_out(eqn, eqn->expr_term[element->restitution]),
                              hbg_term_variable(&eqn->terms, common + LAYER_AREA * eqn->base_count)};
}

hbg_exact_term hbg_eqn_exact_expression(hbg_eqn *eqn, hbg_expr expr) {
    hbg_term term = hbg_eqn_written_out(eqn, eqn->expr_term[expr]);
    hbg_eqn_clear(eqn);
    return term;
}

hbg_exact_term hbg_eqn_exact_compare(hbg_eqn *eqn, hbg_operator op, hbg_expr left, hbg_expr right) {
    hbg_term a = hbg_eqn_exact_expression(eqn, left), b = hbg_eqn_exact_expression(eqn, right);
    return hbg_term_make(&eqn->terms, op, a, b, HBG_NONE);
}

hbg_exact_term hbg_eqn_exact_energy(const hbg_eqn *eqn, int32_t storage) {
    return eqn->readouts.energies[storage];
}

hbg_exact_term hbg_eqn_exact_work(const hbg_eqn *eqn, int32_t power) {
    return eqn->readouts.works[power];
}

int32_t hbg_eqn_state_part(const hbg_eqn *eqn, int32_t state) {
    int32_t storage = eqn->readouts.state_storage[state];
    return storage == HBG_NONE ? HBG_NONE : eqn->readouts.storage_part[storage];
}

int32_t hbg_eqn_storage_part(const hbg_eqn *eqn, int32_t storage) {
    return eqn->readouts.storage_part[storage];
}

int32_t hbg_eqn_power_part(const hbg_eqn *eqn, int32_t power) {
    return eqn->readouts.power_part[power];
}

int32_t hbg_eqn_exact_named(const hbg_eqn *eqn, int32_t variable, const int32_t **states) {
    if (variable >= eqn->base_count) return 0;
    *states = eqn->named.states + eqn->named.start[variable];
    return eqn->named.start[variable + 1] - eqn->named.start[variable];
}

const hbg_causal_structure *hbg_eqn_exact_structure(const hbg_eqn *eqn) {
    return eqn->structure;
}

void hbg_eqn_exact_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out) {
    hbg_eqn_variable_name(eqn, variable, out);
}

void hbg_eqn_exact_print(const hbg_eqn *eqn, hbg_exact_term term, hbg_buffer *out) {
    hbg_eqn_print_term(eqn, term, out);
}

bool hbg_eqn_exact_throws(const hbg_eqn *eqn, int32_t junction, int32_t automaton) {
    return eqn->throws.junction[junction] == eqn->throws.automaton[automaton];
}
