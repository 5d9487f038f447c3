/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The unbounded parts of an island in a local mode, as terms (semantics, section 3a): those of values that
 * guards read, with the first two time derivatives, and those of everything in conflict, which show whether a
 * mode is shorted. Runs and proofs read the same terms. */
#include "eqn/eqn_impl.h"

typedef struct {
    equations *all;
    limit_parts *made;
} part_maker;

/* Makes a part with its derivatives. */
static limit_part part_of(part_maker *maker, hbg_term value) {
    limit_part part = {.order = {value, HBG_NONE, HBG_NONE}};
    for (int k = 1; k < LIMIT_ORDERS && value != HBG_NONE; k++)
        part.order[k] = value = hbg_eqn_equations_layer(maker->all, value, LAYER_RATE);
    return part;
}

static void add_conflict(part_maker *maker, int32_t element, bool effort, hbg_term value) {
    hbg_eqn *eqn = maker->all->eqn;
    if (hbg_term_is_zero(&eqn->terms, value)) return;
    limit_part part = part_of(maker, value);
    part.of = element;
    part.effort = effort;
    HBG_PUSH(&eqn->scratch, maker->made->conflicts, part);
}

/* Adds the sources and controlled junctions of a cluster that take part in a conflict. */
static void add_cluster(part_maker *maker, int32_t cluster) {
    hbg_eqn *eqn = maker->all->eqn;
    const limit_cluster *of = &eqn->limits.clusters.items[cluster];
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i], place = eqn->structure->element_place[element];
        if (place != HBG_NONE && eqn->limits.cluster_of[place] == cluster) {
            bool effort = eqn->structure->is_zero[place] == hbg_causal_is_on(maker->all->assignment, place);
            add_conflict(maker, element, effort, hbg_eqn_equations_drop(maker->all, place));
        }
        for (int32_t k = 0; k < of->places.count; k++) {
            int32_t gate = of->places.items[k];
            if (place != HBG_NONE && eqn->structure->gate_of[gate] == place)
                add_conflict(maker, element, !eqn->structure->is_zero[gate],
                             hbg_eqn_equations_drop(maker->all, gate));
        }
        hbg_element_kind kind = eqn->model->elements.items[element].kind;
        if (kind != HBG_KIND_SE && kind != HBG_KIND_SF) continue;
        variable_kind given = kind == HBG_KIND_SE ? VARIABLE_FLOW : VARIABLE_EFFORT;
        int32_t bond = eqn->model->incidence[eqn->model->incidence_start[element]];
        hbg_term value = hbg_eqn_equations_unbounded(maker->all, eqn->first[given] + bond);
        if (value != HBG_NONE) add_conflict(maker, element, kind == HBG_KIND_SF, value);
    }
}

/* Adds the clusters of these places in which sources take part, each once. */
static bool add_clusters(part_maker *maker, const int32_map *places) {
    hbg_eqn *eqn = maker->all->eqn;
    bool *done = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->limits.clusters.count + 1), any = false;
    for (int32_t i = 0; i < places->count; i++) {
        int32_t cluster = eqn->limits.cluster_of[places->items[i]];
        if (cluster == HBG_NONE || done[cluster]) continue;
        done[cluster] = true;
        if (!hbg_eqn_equations_is_driven(maker->all, cluster)) continue;
        any = true;
        add_cluster(maker, cluster);
    }
    return any;
}

/* Refuses a source whose value reads an unbounded variable of this mode: it would make a higher pole, which
 * has no meaning. */
static void refuse_modulated(equations *all) {
    hbg_eqn *eqn = all->eqn;
    const hbg_model *model = eqn->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element_kind kind = model->elements.items[i].kind;
        int32_map reads = {0};
        if (kind != HBG_KIND_SE && kind != HBG_KIND_SF) continue;
        hbg_eqn_equations_read_term(all, hbg_eqn_written_out(eqn, hbg_eqn_source_value(eqn, i)), &reads);
        for (int32_t k = 0; k < reads.count; k++)
            if (reads.items[k] < eqn->base_count &&
                hbg_eqn_equations_unbounded(all, reads.items[k]) != HBG_NONE)
                hbg_eqn_refuse_source(all, i, "it is unbounded");
    }
}

static void read_parts(equations *all, const limit_part *parts, int32_t count, int32_map *targets) {
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < LIMIT_ORDERS; k++)
            if (parts[i].order[k] != HBG_NONE) hbg_eqn_equations_read_term(all, parts[i].order[k], targets);
}

bool hbg_eqn_limit_parts(const island *of, const int32_map *places, equations *all, limit_parts *made,
                         sorted_equations *sorted) {
    hbg_eqn *eqn = all->eqn;
    part_maker maker = {all, made};
    int32_map targets = {0};
    *made = (limit_parts){0};
    if (eqn->limits.clusters.count == 0) return false;
    for (int32_t i = 0; i < of->asked.count; i++) {
        int32_t variable = of->asked.items[i];
        bool value = variable < eqn->base_count;
        limit_part part = part_of(&maker, value ? hbg_eqn_equations_unbounded(all, variable) : HBG_NONE);
        part.of = variable;
        part.usual = !hbg_eqn_is_physical(eqn, variable);
        HBG_PUSH(&eqn->scratch, made->asked, part);
    }
    if (!add_clusters(&maker, places)) return false;
    refuse_modulated(all);
    read_parts(all, made->asked.items, made->asked.count, &targets);
    read_parts(all, made->conflicts.items, made->conflicts.count, &targets);
    hbg_eqn_equations_sort(all, targets.items, targets.count, NULL, sorted);
    return true;
}
