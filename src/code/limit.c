/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The code of the unbounded parts of an island in a local mode (semantics, section 3a): those of what guards read, with the first two
 * derivatives in time, and those of all that is in conflict, by which a mode is known to be shorted and a verdict names it. */
#include "code/code_impl.h"

typedef struct {
    hbg_code *code;
    const island *of;
    equations *all;
    HBG_VEC(hbg_term) terms; /* in threes: a value and its derivatives; HBG_NONE: there is none */
    int32_map
        names; /* of what is in conflict, behind what is asked for, in pairs: element, whether it is an effort */
} limit_maker;

/* An unbounded part, with its derivatives. */
static void add_part(limit_maker *maker, hbg_term value) {
    hbg_arena *scratch = &maker->code->eqn->scratch;
    for (int order = 0; order < 3; order++) {
        HBG_PUSH(scratch, maker->terms, value);
        if (value != HBG_NONE && order < 2) value = hbg_eqn_equations_layer(maker->all, value, LAYER_RATE);
    }
}

static void add_conflict(limit_maker *maker, int32_t element, bool effort, hbg_term value) {
    hbg_arena *scratch = &maker->code->eqn->scratch;
    if (hbg_term_is_zero(&maker->code->eqn->terms, value)) return;
    HBG_PUSH(scratch, maker->names, element);
    HBG_PUSH(scratch, maker->names, effort);
    add_part(maker, value);
}

/* Sources and controlled junctions of a cluster that have a part in a conflict. */
static void add_cluster(limit_maker *maker, int32_t cluster) {
    hbg_eqn *eqn = maker->code->eqn;
    const limit_cluster *of = &eqn->limits.clusters.items[cluster];
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i], place = eqn->structure->element_place[element];
        if (place != HBG_NONE && eqn->limits.cluster_of[place] == cluster) {
            bool effort = eqn->structure->is_zero[place] == hbg_causal_is_on(maker->all->assignment, place);
            add_conflict(maker, element, effort, hbg_eqn_equations_drop(maker->all, place));
        }
        hbg_element_kind kind = eqn->model->elements.items[element].kind;
        if (kind != HBG_KIND_SE && kind != HBG_KIND_SF) continue;
        variable_kind given = kind == HBG_KIND_SE ? VARIABLE_FLOW : VARIABLE_EFFORT;
        int32_t bond = eqn->model->incidence[eqn->model->incidence_start[element]];
        hbg_term value = hbg_eqn_equations_unbounded(maker->all, eqn->first[given] + bond);
        if (value != HBG_NONE) add_conflict(maker, element, kind == HBG_KIND_SF, value);
    }
}

/* Clusters of the island that sources have a part in, each once. */
static bool add_clusters(limit_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    bool *done = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->limits.clusters.count + 1), any = false;
    for (int32_t i = 0; i < maker->of->facts.places.count; i++) {
        int32_t cluster = eqn->limits.cluster_of[maker->of->facts.places.items[i]];
        if (cluster == HBG_NONE || done[cluster]) continue;
        done[cluster] = true;
        if (!hbg_eqn_equations_is_driven(maker->all, cluster)) continue;
        any = true;
        add_cluster(maker, cluster);
    }
    return any;
}

/* All that the parts are computed from. */
static void sort_parts(limit_maker *maker, sorted_equations *sorted) {
    int32_map targets = {0};
    for (int32_t i = 0; i < maker->terms.count; i++)
        if (maker->terms.items[i] != HBG_NONE)
            hbg_eqn_equations_read_term(maker->all, maker->terms.items[i], &targets);
    hbg_eqn_equations_sort(maker->all, targets.items, targets.count, NULL, sorted);
}

static int32_t register_of(hbg_code_stage *stage, hbg_term term) {
    return term == HBG_NONE ? HBG_NONE : hbg_code_stage_term(stage, term);
}

void hbg_code_limit(hbg_code *code, const island *of, int32_map *temps, equations *all, hbg_rt_event *made) {
    hbg_eqn *eqn = code->eqn;
    limit_maker maker = {.code = code, .of = of, .all = all};
    int32_map far = {0}, conflicts = {0};
    sorted_equations sorted;
    made->limit = HBG_NONE;
    made->far = made->conflicts = (hbg_rt_range){0, 0};
    if (eqn->limits.clusters.count == 0) return;
    for (int32_t i = 0; i < of->asked.count; i++) {
        bool value = of->asked.items[i] < eqn->base_count;
        add_part(&maker, value ? hbg_eqn_equations_unbounded(all, of->asked.items[i]) : HBG_NONE);
    }
    if (!add_clusters(&maker)) return;
    sort_parts(&maker, &sorted);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, code, temps, false);
    hbg_code_stage_add(stage, all, &sorted);
    for (int32_t i = 0; i < maker.terms.count; i++) {
        int32_t entry = i / 3 - of->asked.count;
        bool usual = entry < 0 && !hbg_eqn_is_physical(eqn, of->asked.items[i / 3]);
        int32_t reg = usual ? HBG_RT_USUAL : register_of(stage, maker.terms.items[i]);
        if (entry >= 0 && i % 3 == 0) {
            HBG_PUSH(&eqn->scratch, conflicts, maker.names.items[2 * entry]);
            HBG_PUSH(&eqn->scratch, conflicts, maker.names.items[2 * entry + 1]);
        }
        if (entry < 0)
            HBG_PUSH(&eqn->scratch, far, reg);
        else
            HBG_PUSH(&eqn->scratch, conflicts, reg);
    }
    made->limit = hbg_code_stage_program(stage);
    made->far = (hbg_rt_range){hbg_code_add_ints(code, far.items, far.count), far.count};
    made->conflicts =
        (hbg_rt_range){hbg_code_add_ints(code, conflicts.items, conflicts.count), conflicts.count};
    hbg_code_stage_end(stage);
}
