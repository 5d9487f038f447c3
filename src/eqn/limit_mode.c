/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What can be unbounded in a mode: the null space N of a cluster (semantics, section 3a), by elimination. The
 * parameter of a controlled junction is its common variable while it is on, and its sum while it is off.
 * Parameters are eliminated last, so that the free unknowns are parameters of as many junctions as N has
 * dimensions. These junctions are reversed: the parasite gives their parameter, from which N gives everything
 * else. The left null space is the same, since the structure conserves power: multipliers of the rows obey
 * the laws of junctions, transformers and gyrators again. */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- elimination --------------------------------------------------------------------------------------- */

/* Unknowns are the variables of the cluster, then the parameters of its places. */
typedef struct {
    int32_t unknown;
    coefficient factor;
} part;
typedef HBG_VEC(part) row;

typedef struct {
    hbg_eqn *eqn;
    const limit_cluster *of;
    const bool *on;    /* by place */
    int32_t count;     /* unknowns */
    row *solved;       /* by unknown: the sum that it equals */
    bool *is_solved;   /* by unknown */
    coefficient *sum;  /* by unknown: the present row */
    bool *listed;      /* by unknown: it is in `touched` */
    const bool *parts; /* by part of the cluster: its laws count; NULL: all do */
    int32_map touched; /* unknowns of that row, including those that cancelled */
} elimination;

static void put(elimination *e, int32_t unknown, coefficient factor) {
    if (!e->listed[unknown]) {
        e->listed[unknown] = true;
        e->sum[unknown] = factor;
        HBG_PUSH(&e->eqn->scratch, e->touched, unknown);
        return;
    }
    e->sum[unknown] = hbg_eqn_coefficient_add(e->eqn, e->sum[unknown], factor);
}

/* Substitutes solved unknowns. Rows never lead back to unknowns solved before them. */
static void reduce(elimination *e) {
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < e->touched.count; i++) {
            int32_t unknown = e->touched.items[i];
            coefficient factor = e->sum[unknown];
            if (!e->is_solved[unknown] || factor.value == 0) continue;
            again = true;
            e->sum[unknown] = hbg_eqn_coefficient_whole(e->eqn, 0);
            for (int32_t k = 0; k < e->solved[unknown].count; k++) {
                part of = e->solved[unknown].items[k];
                put(e, of.unknown, hbg_eqn_coefficient_multiply(e->eqn, factor, of.factor));
            }
        }
    }
}

static bool is_dual(const elimination *e, int32_t place) {
    return e->eqn->model->elements.items[e->eqn->structure->place_element[place]].dual_off;
}

/* Whether a place should be reversed only if there is no other: it is off the other way, or cuts a source. */
static bool is_reluctant(const elimination *e, int32_t place) {
    const hbg_causal_structure *structure = e->eqn->structure;
    if (is_dual(e, place)) return true;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1] && !e->on[place];
         i++) {
        int32_t gate =
            structure->links[structure->place_links[i] >> 1].end[1 - (structure->place_links[i] & 1)].place;
        if (gate != HBG_NONE && structure->gate_of[gate] == place) return true;
    }
    return false;
}

/* The rank of an unknown as pivot: variables before parameters, and among these first those that should not
 * be reversed; coefficients that need no division are preferred. */
static int worth(const elimination *e, int32_t unknown) {
    int32_t place = unknown - e->of->variables.count;
    bool unit = e->sum[unknown].value == 1 || hbg_base_modular_negate(e->sum[unknown].value) == 1;
    return (place < 0 ? 4 : 0) + (place >= 0 && is_reluctant(e, e->of->places.items[place]) ? 2 : 0) + unit;
}

static void clear(elimination *e) {
    for (int32_t i = 0; i < e->touched.count; i++) e->listed[e->touched.items[i]] = false;
    e->touched.count = 0;
}

/* Closes a row, which is 0: one of its unknowns follows from the others. */
static void close_row(elimination *e) {
    int32_t pivot = HBG_NONE;
    reduce(e);
    for (int32_t i = 0; i < e->touched.count; i++) {
        int32_t unknown = e->touched.items[i];
        if (e->sum[unknown].value == 0) continue;
        if (pivot == HBG_NONE || worth(e, unknown) >= worth(e, pivot)) pivot = unknown;
    }
    for (int32_t i = 0; i < e->touched.count && pivot != HBG_NONE; i++) {
        int32_t unknown = e->touched.items[i];
        if (unknown == pivot || e->sum[unknown].value == 0) continue;
        part of = {unknown, hbg_eqn_coefficient_solve(e->eqn, e->sum[unknown], e->sum[pivot])};
        HBG_PUSH(&e->eqn->scratch, e->solved[pivot], of);
    }
    if (pivot != HBG_NONE) e->is_solved[pivot] = true;
    clear(e);
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

static int32_t unknown_of(const elimination *e, int32_t variable) {
    const limit_structure *limits = &e->eqn->limits;
    int32_t cluster = limits->variable_cluster[variable];
    return cluster != HBG_NONE && &limits->clusters.items[cluster] == e->of ? limits->local[variable]
                                                                            : HBG_NONE;
}

static void put_variable(elimination *e, int32_t variable, coefficient factor) {
    int32_t unknown = unknown_of(e, variable);
    if (unknown != HBG_NONE) put(e, unknown, factor);
}

static void close_zero(elimination *e, int32_t variable) {
    put_variable(e, variable, hbg_eqn_coefficient_whole(e->eqn, 1));
    close_row(e);
}

/* The parameter of a controlled place. */
static int32_t parameter_of(const elimination *e, int32_t place) {
    const limit_structure *limits = &e->eqn->limits;
    int32_t cluster = limits->cluster_of[place];
    bool own = cluster != HBG_NONE && &limits->clusters.items[cluster] == e->of;
    return own ? e->of->variables.count + limits->place_number[place] : HBG_NONE;
}

static void put_sum(elimination *e, int32_t junction, int summed) {
    const hbg_model *model = e->eqn->model;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        bool in = model->bonds.items[model->incidence[k]].to.element == junction;
        put_variable(e, 2 * model->incidence[k] + summed, hbg_eqn_coefficient_whole(e->eqn, in ? 1 : -1));
    }
}

/* Closes a row that gives the parameter of a place. */
static void close_parameter(elimination *e, int32_t place) {
    int32_t parameter = parameter_of(e, place);
    if (parameter == HBG_NONE) {
        clear(e);
        return;
    }
    put(e, parameter, hbg_eqn_coefficient_whole(e->eqn, -1));
    close_row(e);
}

/* Adds the gates of a junction that can be off the other way: while it is, each gate has the variable of its
 * bond as its parameter. */
static void add_gates(elimination *e, int32_t junction, int32_t place, int common) {
    const hbg_model *model = e->eqn->model;
    if (!is_dual(e, place)) return;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        int32_t gate = hbg_causal_gate_at(e->eqn->structure, place, model->incidence[k]);
        if (gate == HBG_NONE) continue;
        if (!e->on[place])
            put_variable(e, 2 * model->incidence[k] + common, hbg_eqn_coefficient_whole(e->eqn, 1));
        close_parameter(e, gate);
    }
}

/* Adds the law of a junction that is off: common variables are 0 or, the other way, summed ones are. */
static void add_off(elimination *e, int32_t junction, int32_t place, int common) {
    const hbg_model *model = e->eqn->model;
    bool dual = is_dual(e, place);
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        close_zero(e, 2 * model->incidence[k] + (dual ? 1 - common : common));
    if (!dual) put_sum(e, junction, 1 - common);
    close_parameter(e, place);
}

static void add_on(elimination *e, int32_t junction, int32_t place, int common) {
    const hbg_model *model = e->eqn->model;
    int32_t first = HBG_NONE;
    bool held = false; // by a bond on which it is bounded in every mode
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        int32_t variable = 2 * model->incidence[k] + common;
        if (unknown_of(e, variable) == HBG_NONE) {
            held = true;
            continue;
        }
        if (first != HBG_NONE) {
            put_variable(e, first, hbg_eqn_coefficient_whole(e->eqn, 1));
            put_variable(e, variable, hbg_eqn_coefficient_whole(e->eqn, -1));
            close_row(e);
        }
        first = variable;
    }
    if (held && first != HBG_NONE) close_zero(e, first);
    put_sum(e, junction, 1 - common);
    close_row(e);
    if (first != HBG_NONE) put_variable(e, first, hbg_eqn_coefficient_whole(e->eqn, 1));
    close_parameter(e, place);
}

/* TF: e1 = n·e2, f2 = n·f1; GY: e1 = r·f2, e2 = r·f1, as the element counts them. */
static void add_two_port(elimination *e, int32_t element) {
    hbg_eqn *eqn = e->eqn;
    const hbg_model *model = eqn->model;
    bool gyrates = model->elements.items[element].kind == HBG_KIND_GY;
    hbg_term term = hbg_eqn_value(eqn, element);
    coefficient modulus = hbg_eqn_coefficient_of(eqn, term);
    for (int k = 0; k < 2; k++) { // the output, and its input
        int32_t port = k == 0 ? 1 : 2;
        hbg_variable given = gyrates || k == 0 ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
        hbg_variable by = gyrates || k == 1 ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
        int32_t one = hbg_eqn_bond_of(model, element, port), two = hbg_eqn_bond_of(model, element, 3 - port);
        coefficient sign = hbg_eqn_coefficient_whole(eqn, hbg_eqn_sign(model, element, port, given));
        coefficient other = hbg_eqn_coefficient_whole(eqn, -hbg_eqn_sign(model, element, 3 - port, by));
        put_variable(e, 2 * one + (given == HBG_VARIABLE_FLOW), sign);
        put_variable(e, 2 * two + (by == HBG_VARIABLE_FLOW),
                     hbg_eqn_coefficient_multiply(eqn, other, modulus));
        close_row(e);
    }
}

/* Adds sources that are cut: they carry nothing. */
static void add_cuts(elimination *e) {
    for (int32_t i = 0; i < e->of->variables.count; i++) {
        if (e->parts && !e->parts[e->of->part[i]]) continue;
        int32_t link = e->eqn->structure->bond_link[e->of->variables.items[i] / 2];
        int32_t place = link == HBG_NONE ? HBG_NONE : hbg_causal_cutting_place(e->eqn->structure, link);
        if (place != HBG_NONE && !e->on[place]) close_zero(e, e->of->variables.items[i]);
    }
}

/* Whether an element of the cluster has laws of the parts that count. */
static bool counts(const elimination *e, int32_t number) {
    const hbg_model *model = e->eqn->model;
    int32_t element = e->of->elements.items[number];
    if (!e->parts) return true;
    if (e->of->element_part[number] != HBG_NONE) return e->parts[e->of->element_part[number]];
    for (int32_t k = 2 * model->incidence_start[element]; k < 2 * model->incidence_start[element + 1]; k++) {
        int32_t unknown = unknown_of(e, 2 * model->incidence[k / 2] + k % 2);
        if (unknown != HBG_NONE && e->parts[e->of->part[unknown]]) return true;
    }
    return false;
}

static void add_laws(elimination *e) {
    const hbg_model *model = e->eqn->model;
    add_cuts(e);
    for (int32_t i = 0; i < e->of->elements.count; i++) {
        int32_t element = e->of->elements.items[i], place = e->eqn->structure->element_place[element];
        if (!counts(e, i)) continue;
        hbg_element_kind kind = model->elements.items[element].kind;
        int common = kind == HBG_KIND_ONE;
        if (kind == HBG_KIND_TF || kind == HBG_KIND_GY) add_two_port(e, element);
        if (place == HBG_NONE) continue;
        if (e->on[place])
            add_on(e, element, place, common);
        else
            add_off(e, element, place, common);
        add_gates(e, element, place, common);
    }
}

/* ---- the result ---------------------------------------------------------------------------------------- */

/* Lists the free unknowns: parameters of reversed places. */
static void list_reversed(elimination *e, limit_mode *mode) {
    int32_t variables = e->of->variables.count;
    mode->reversed = HBG_NEW_ARRAY(e->eqn->arena, int32_t, e->of->places.count + 1);
    for (int32_t i = 0; i < e->of->places.count; i++)
        if (!e->is_solved[variables + i]) mode->reversed[mode->reversed_count++] = e->of->places.items[i];
}

static int32_t number_of(const limit_mode *mode, int32_t place) {
    int32_t number = 0;
    while (number < mode->reversed_count && mode->reversed[number] != place) number++;
    return number == mode->reversed_count ? HBG_NONE : number;
}

static void keep_shares(elimination *e, limit_mode *mode) {
    HBG_VEC(limit_share) shares = {0};
    int32_t variables = e->of->variables.count;
    mode->start = HBG_NEW_ARRAY(e->eqn->arena, int32_t, e->count + 1);
    for (int32_t unknown = 0; unknown < e->count; unknown++) {
        mode->start[unknown] = shares.count;
        put(e, unknown, hbg_eqn_coefficient_whole(e->eqn, 1));
        reduce(e);
        for (int32_t i = 0; i < e->touched.count; i++) {
            int32_t free = e->touched.items[i], place = free - variables;
            int32_t number = place < 0 ? HBG_NONE : number_of(mode, e->of->places.items[place]);
            if (e->sum[free].value == 0 || number == HBG_NONE) continue;
            HBG_PUSH(e->eqn->arena, shares, (limit_share){number, e->sum[free].term});
        }
        clear(e);
    }
    mode->start[e->count] = shares.count;
    mode->shares = shares.items;
}

/* Adds the products of the vectors' components at an unknown. */
static void add_products(elimination *e, const limit_mode *mode, int32_t unknown, coefficient *gram) {
    for (int32_t i = mode->start[unknown]; i < mode->start[unknown + 1]; i++)
        for (int32_t k = mode->start[unknown]; k < mode->start[unknown + 1]; k++) {
            HBG_ASSERT(mode->shares);
            limit_share a = mode->shares[i], b = mode->shares[k];
            coefficient *sum = &gram[a.reversed * mode->reversed_count + b.reversed];
            coefficient one = hbg_eqn_coefficient_of(e->eqn, a.factor);
            coefficient other = hbg_eqn_coefficient_of(e->eqn, b.factor);
            *sum = hbg_eqn_coefficient_add(e->eqn, *sum, hbg_eqn_coefficient_multiply(e->eqn, one, other));
        }
}

/* Keeps the products of the vectors over the parameters of all places. */
static void keep_gram(elimination *e, limit_mode *mode) {
    int32_t count = mode->reversed_count, variables = e->of->variables.count;
    coefficient *gram = HBG_NEW_ARRAY(&e->eqn->scratch, coefficient, (size_t)count * (size_t)count);
    mode->gram = HBG_NEW_ARRAY(e->eqn->arena, hbg_term, (size_t)count * (size_t)count);
    for (int32_t i = 0; i < count * count; i++) gram[i] = hbg_eqn_coefficient_whole(e->eqn, 0);
    for (int32_t unknown = variables; unknown < e->count; unknown++) add_products(e, mode, unknown, gram);
    for (int32_t i = 0; i < count * count; i++) mode->gram[i] = gram[i].term;
}

static bool is_driven(const hbg_eqn *eqn, const limit_cluster *of, const limit_mode *mode) {
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t unknown = hbg_eqn_limit_source(eqn, of, of->elements.items[i]);
        if (unknown != HBG_NONE && mode->start[unknown] < mode->start[unknown + 1]) return true;
    }
    for (int32_t i = 0; i < of->places.count; i++) {
        int32_t junction = eqn->structure->place_element[of->places.items[i]],
                unknown = of->variables.count + i;
        bool bounces = mode->on[i] && eqn->model->elements.items[junction].restitution != HBG_NONE;
        if (bounces && mode->start[unknown] < mode->start[unknown + 1]) return true;
    }
    return false;
}

static elimination begin(hbg_eqn *eqn, const limit_cluster *of, const bool *on) {
    int32_t count = of->variables.count + of->places.count;
    elimination e = {.eqn = eqn, .of = of, .on = on, .count = count};
    e.solved = HBG_NEW_ARRAY(&eqn->scratch, row, count + 1);
    e.is_solved = HBG_NEW_ARRAY(&eqn->scratch, bool, count + 1);
    e.sum = HBG_NEW_ARRAY(&eqn->scratch, coefficient, count + 1);
    e.listed = HBG_NEW_ARRAY(&eqn->scratch, bool, count + 1);
    return e;
}

static limit_mode *solve(hbg_eqn *eqn, const limit_cluster *of, const bool *on) {
    limit_mode *mode = HBG_NEW(eqn->arena, limit_mode);
    elimination e = begin(eqn, of, on);
    mode->on = HBG_NEW_ARRAY(eqn->arena, bool, of->places.count + 1);
    for (int32_t i = 0; i < of->places.count; i++) mode->on[i] = on[of->places.items[i]];
    add_laws(&e);
    list_reversed(&e, mode);
    if (mode->reversed_count == 0) return mode;
    keep_shares(&e, mode);
    keep_gram(&e, mode);
    mode->driven = is_driven(eqn, of, mode);
    return mode;
}

limit_mode **hbg_eqn_limit_find(limit_cluster *of, const bool *on) {
    limit_mode **link = &of->modes;
    for (int32_t i = 0; i < of->places.count; i++) of->asked[i] = on[of->places.items[i]];
    while (*link && memcmp((*link)->on, of->asked, (size_t)of->places.count * sizeof *of->asked) != 0)
        link = &(*link)->next;
    return link;
}

const limit_mode *hbg_eqn_limit_in(hbg_eqn *eqn, int32_t cluster, const bool *on) {
    limit_cluster *of = &eqn->limits.clusters.items[cluster];
    limit_mode **link = hbg_eqn_limit_find(of, on);
    limit_mode *found = *link ? *link : solve(eqn, of, on);
    if (*link) *link = found->next; // most recently used first
    found->next = of->modes;
    of->modes = found;
    return found;
}

/* ---- what is reversed ---------------------------------------------------------------------------------- */

enum { FEWEST_PLACES = 16 }; /* least number for which parts are checked first: below it that does not pay */

/* Whether a place separates its bonds while it is off: their common variables do not lead through it, and the
 * summed ones are 0 whatever is on. */
static bool separates(const hbg_eqn *eqn, const limit_cluster *of, int32_t place) {
    const hbg_model *model = eqn->model;
    int32_t junction = eqn->structure->place_element[place];
    elimination e = {.eqn = (hbg_eqn *)eqn, .of = of};
    if (place >= eqn->structure->junction_count || is_dual(&e, place)) return false;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        if (unknown_of(&e, 2 * model->incidence[k] + eqn->structure->is_zero[place]) != HBG_NONE)
            return false;
    return true;
}

static int32_t part_of(const limit_cluster *of, int32_t unknown) {
    while (of->part[unknown] != unknown) unknown = of->part[unknown] = of->part[of->part[unknown]];
    return unknown;
}

/* Finds the parts that laws connect while all controlled junctions are off. Returns false if a controlled
 * junction connects its part anyway. */
static bool find_parts(hbg_eqn *eqn, limit_cluster *of) {
    const hbg_model *model = eqn->model;
    const elimination e = {.eqn = eqn, .of = of};
    bool *open = HBG_NEW_ARRAY(&eqn->scratch, bool, model->elements.count + 1);
    of->part = HBG_NEW_ARRAY(eqn->arena, int32_t, of->variables.count + 1);
    of->element_part = HBG_NEW_ARRAY(eqn->arena, int32_t, of->elements.count + 1);
    for (int32_t i = 0; i < of->variables.count; i++) of->part[i] = i;
    for (int32_t i = 0; i < of->places.count; i++) {
        if (!separates(eqn, of, of->places.items[i])) return false;
        open[eqn->structure->place_element[of->places.items[i]]] = true;
    }
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i], first = HBG_NONE;
        of->element_part[i] = HBG_NONE;
        if (open[element]) continue;
        for (int32_t k = 2 * model->incidence_start[element]; k < 2 * model->incidence_start[element + 1];
             k++) {
            int32_t unknown = unknown_of(&e, 2 * model->incidence[k / 2] + k % 2);
            if (unknown == HBG_NONE) continue;
            if (first != HBG_NONE) of->part[part_of(of, first)] = part_of(of, unknown);
            first = unknown;
        }
        of->element_part[i] = first;
    }
    for (int32_t i = 0; i < of->variables.count; i++) of->part[i] = part_of(of, i);
    for (int32_t i = 0; i < of->elements.count; i++)
        if (of->element_part[i] != HBG_NONE) of->element_part[i] = of->part[of->element_part[i]];
    return true;
}

/* Whether nothing is reversed in the cluster: in the parts with junctions that are on, everything follows
 * from the laws; in the others there is nothing to reverse. */
static bool is_quiet(hbg_eqn *eqn, limit_cluster *of, const bool *on) {
    const hbg_model *model = eqn->model;
    if (of->places.count < FEWEST_PLACES) return false;
    if (!of->part) of->has_parts = find_parts(eqn, of);
    if (!of->has_parts) return false;
    bool *parts = HBG_NEW_ARRAY(&eqn->scratch, bool, of->variables.count + 1), any = false;
    elimination e = begin(eqn, of, on);
    e.parts = parts;
    for (int32_t i = 0; i < of->places.count; i++) {
        int32_t junction = eqn->structure->place_element[of->places.items[i]];
        for (int32_t k = 2 * model->incidence_start[junction];
             on[of->places.items[i]] && k < 2 * model->incidence_start[junction + 1]; k++) {
            int32_t unknown = unknown_of(&e, 2 * model->incidence[k / 2] + k % 2);
            if (unknown != HBG_NONE) any = parts[of->part[unknown]] = true;
        }
    }
    if (any) add_laws(&e);
    for (int32_t i = 0; i < of->places.count; i++)
        if (on[of->places.items[i]] && !e.is_solved[of->variables.count + i]) return false;
    return true;
}

void hbg_eqn_reverse(hbg_eqn *eqn, const bool *on, bool *reversed) {
    memset(reversed, 0, (size_t)eqn->structure->place_count * sizeof *reversed);
    for (int32_t i = 0; i < eqn->limits.clusters.count; i++) {
        if (is_quiet(eqn, &eqn->limits.clusters.items[i], on)) continue;
        const limit_mode *mode = hbg_eqn_limit_in(eqn, i, on);
        for (int32_t k = 0; k < mode->reversed_count; k++) reversed[mode->reversed[k]] = true;
    }
}

bool hbg_eqn_assign(hbg_eqn *eqn, hbg_causal_assignment *assignment, const bool *on) {
    int32_t places = eqn->structure->place_count;
    if (eqn->limits.clusters.count == 0) return hbg_causal_assign(assignment, on);
    bool *reversed = HBG_NEW_ARRAY(&eqn->scratch, bool, places + 1);
    bool *causality = HBG_NEW_ARRAY(&eqn->scratch, bool, places + 1);
    for (int32_t i = 0; i < places; i++) causality[i] = on[i] || eqn->varies.select[i];
    hbg_eqn_reverse(eqn, causality, reversed);
    for (int32_t i = 0; i < places; i++) {
        causality[i] = on[i] != reversed[i];
        hbg_causal_set_reversed(assignment, i, reversed[i]);
    }
    return hbg_causal_assign(assignment, causality);
}
