/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of the ideal junction as a limit (semantics, section 3a). With N the null space of a mode,
 * written for the parameters of its reversed places, G = Nᵀ·N over the parameters of all controlled places,
 * and h the power that sources would give to N,
 *
 *     G·unb = h        Nᵀ·parameters = 0
 *
 * are as many equations as places are reversed. The first gives the unbounded parts. The second is solved for
 * the values given by the parasites of reversed places, and closes the equations of finite parts, areas and
 * rates. The parameter of any place, in N, is its loss: its sum while it is on, and its common variable while
 * it is off. */
#include "eqn/eqn_impl.h"

/* The maker of the assignment has solved it, or has no limits. */
const limit_mode *hbg_eqn_equations_limit(equations *all, int32_t cluster) {
    hbg_eqn *eqn = all->eqn;
    if (all->no_limits) return NULL;
    if (!all->on) {
        all->on = HBG_NEW_ARRAY(all->arena, bool, eqn->structure->place_count + 1);
        for (int32_t i = 0; i < eqn->structure->place_count; i++)
            all->on[i] = hbg_causal_is_on(all->assignment, i);
        all->limits = HBG_NEW_ARRAY(all->arena, const limit_mode *, eqn->limits.clusters.count + 1);
    }
    if (!all->limits[cluster])
        all->limits[cluster] = *hbg_eqn_limit_find(&eqn->limits.clusters.items[cluster], all->on);
    const limit_mode *mode = all->limits[cluster];
    if (!mode || mode->reversed_count == 0) return NULL;
    return hbg_causal_is_reversed(all->assignment, mode->reversed[0]) ? mode : NULL;
}

bool hbg_eqn_equations_is_driven(equations *all, int32_t cluster) {
    const limit_mode *mode = hbg_eqn_equations_limit(all, cluster);
    return mode && mode->driven;
}

/* The share of a reversed place in an unknown of a mode; HBG_NONE: none. */
static hbg_term share_of(const limit_mode *mode, int32_t unknown, int32_t reversed) {
    for (int32_t i = mode->start[unknown]; i < mode->start[unknown + 1]; i++)
        if (mode->shares[i].reversed == reversed) return mode->shares[i].factor;
    return HBG_NONE;
}

static hbg_term unbounded_sum(hbg_eqn *eqn, const limit_mode *mode, int32_t unknown) {
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    for (int32_t i = mode->start[unknown]; i < mode->start[unknown + 1]; i++) {
        hbg_term conflict = hbg_eqn_var(eqn, VARIABLE_CONFLICT, mode->reversed[mode->shares[i].reversed]);
        sum =
            hbg_term_add(&eqn->terms, sum, hbg_term_multiply(&eqn->terms, mode->shares[i].factor, conflict));
    }
    return sum;
}

/* ---- places -------------------------------------------------------------------------------------------- */

static int32_t unknown_of_place(const hbg_eqn *eqn, int32_t place) {
    const limit_cluster *of = &eqn->limits.clusters.items[eqn->limits.cluster_of[place]];
    return of->variables.count + eqn->limits.place_number[place];
}

hbg_term hbg_eqn_equations_drop(equations *all, int32_t place) {
    int32_t cluster = all->eqn->limits.cluster_of[place];
    const limit_mode *mode = cluster == HBG_NONE ? NULL : hbg_eqn_equations_limit(all, cluster);
    if (!mode || !mode->driven) return hbg_term_integer(&all->eqn->terms, 0);
    return unbounded_sum(all->eqn, mode, unknown_of_place(all->eqn, place));
}

hbg_term hbg_eqn_equations_leak(equations *all, int32_t place, int32_t bond) {
    hbg_eqn *eqn = all->eqn;
    int32_t cluster = eqn->limits.cluster_of[place],
            variable = 2 * bond + (eqn->structure->is_zero[place] ? 0 : 1);
    const limit_mode *mode = cluster == HBG_NONE ? NULL : hbg_eqn_equations_limit(all, cluster);
    if (!mode || !mode->driven || eqn->limits.variable_cluster[variable] != cluster)
        return hbg_term_integer(&eqn->terms, 0);
    hbg_term sum = unbounded_sum(eqn, mode, eqn->limits.local[variable]);
    bool in = eqn->model->bonds.items[bond].to.element == eqn->structure->place_element[place];
    return in ? sum : hbg_term_negate(&eqn->terms, sum);
}

/* The parameter of a place: its common variable, or its sum; of a gate, the one of these that its bond
 * has. */
static hbg_term parameter(hbg_eqn *eqn, int32_t place, bool on) {
    const hbg_model *model = eqn->model;
    int32_t junction = eqn->structure->place_element[place];
    bool effort = eqn->structure->is_zero[place] == on;
    variable_kind kind = effort ? VARIABLE_EFFORT : VARIABLE_FLOW;
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    if (place >= eqn->structure->junction_count)
        return hbg_eqn_var(eqn, kind, eqn->structure->gate_bond[place]);
    if (on) return hbg_eqn_var(eqn, kind, model->incidence[model->incidence_start[junction]]);
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        hbg_term part = hbg_eqn_var(eqn, kind, model->incidence[k]);
        bool in = model->bonds.items[model->incidence[k]].to.element == junction;
        sum = in ? hbg_term_add(&eqn->terms, sum, part) : hbg_term_subtract(&eqn->terms, sum, part);
    }
    return sum;
}

static const limit_mode *mode_at(equations *all, int32_t place, int32_t *number) {
    int32_t cluster = all->eqn->limits.cluster_of[place];
    const limit_mode *mode = cluster == HBG_NONE ? NULL : hbg_eqn_equations_limit(all, cluster);
    *number = 0;
    while (mode && *number < mode->reversed_count && mode->reversed[*number] != place) (*number)++;
    return mode && *number < mode->reversed_count ? mode : NULL;
}

equation hbg_eqn_parasite(equations *all, int32_t place) {
    hbg_eqn *eqn = all->eqn;
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    int32_t number;
    const limit_mode *mode = mode_at(all, place, &number);
    const int32_map none = {0};
    const int32_map *places =
        mode ? &eqn->limits.clusters.items[eqn->limits.cluster_of[place]].places : &none;
    for (int32_t i = 0; i < places->count; i++) {
        int32_t other = places->items[i];
        hbg_term factor = share_of(mode, unknown_of_place(eqn, other), number);
        if (factor == HBG_NONE || other == place) continue;
        hbg_term part = hbg_term_multiply(&eqn->terms, factor, parameter(eqn, other, all->on[other]));
        sum = hbg_term_subtract(&eqn->terms, sum, part);
    }
    return (equation){EQUATION_ASSIGN, sum};
}

/* ---- conflicts ----------------------------------------------------------------------------------------- */

void hbg_eqn_refuse_source(equations *all, int32_t element, const char *why) {
    hbg_eqn *eqn = all->eqn;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &eqn->scratch);
    hbg_eqn_print_term(eqn, hbg_eqn_source_value(eqn, element), &text);
    all->refused = hbg_base_arena_print(
        eqn->arena, "`%s` as the value of `%s`, in a mode in which sources are in conflict and %s", text.data,
        hbg_base_names_get(eqn->model->names, eqn->model->elements.items[element].id.name), why);
}

/* Checks a source in a conflict. It must not pulse, since the flow would be more than unbounded; nor be a
 * derivative, since derivatives of its own decide where it is 0. */
static void check_supply(equations *all, int32_t element) {
    hbg_eqn *eqn = all->eqn;
    int32_map reads = {0};
    hbg_term value = hbg_eqn_source_value(eqn, element);
    hbg_eqn_equations_read_term(all, hbg_eqn_written_out(eqn, value), &reads);
    for (int32_t i = 0; i < reads.count; i++) {
        int32_t read = reads.items[i];
        if (read >= eqn->base_count || hbg_eqn_kind_of(eqn, read) == VARIABLE_DER)
            hbg_eqn_refuse_source(all, element, "it is a derivative");
        else if (all->may_pulse && all->may_pulse[read])
            HBG_PUSH(all->arena, all->checks, (pulse_check){read + LAYER_AREA * eqn->base_count, value});
    }
}

/* The power that sources, and junctions with restitution, would give to a vector of the null space. */
static hbg_term supply(equations *all, const limit_mode *mode, int32_t cluster, int32_t number) {
    hbg_eqn *eqn = all->eqn;
    hbg_terms *terms = &eqn->terms;
    const limit_cluster *of = &eqn->limits.clusters.items[cluster];
    hbg_term sum = hbg_term_integer(terms, 0);
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i], unknown = hbg_eqn_limit_source(eqn, of, element);
        hbg_term factor = unknown == HBG_NONE ? HBG_NONE : share_of(mode, unknown, number);
        if (factor == HBG_NONE) continue;
        bool flow = eqn->model->elements.items[element].kind == HBG_KIND_SE;
        if (hbg_eqn_sign(eqn->model, element, 1, flow ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT) < 0)
            factor = hbg_term_negate(terms, factor);
        sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, factor, hbg_eqn_source_value(eqn, element)));
        check_supply(all, element);
    }
    for (int32_t i = 0; i < of->places.count && all->purpose == PURPOSE_JUMP; i++) {
        int32_t junction = eqn->structure->place_element[of->places.items[i]];
        bool bounces = mode->on[i] && eqn->model->elements.items[junction].restitution != HBG_NONE;
        hbg_term factor = bounces ? share_of(mode, of->variables.count + i, number) : HBG_NONE;
        if (factor == HBG_NONE) continue;
        hbg_term bounce = hbg_eqn_var(eqn, VARIABLE_BOUNCE, junction);
        sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, factor, bounce));
    }
    return sum;
}

equation hbg_eqn_conflict(equations *all, int32_t place) {
    hbg_eqn *eqn = all->eqn;
    hbg_terms *terms = &eqn->terms;
    int32_t number;
    const limit_mode *mode = mode_at(all, place, &number);
    if (!mode || !mode->driven) return (equation){EQUATION_ASSIGN, hbg_term_integer(terms, 0)};
    const hbg_term *gram = mode->gram + (size_t)number * (size_t)mode->reversed_count;
    hbg_term given = supply(all, mode, eqn->limits.cluster_of[place], number),
             sum = hbg_term_integer(terms, 0);
    bool alone = true;
    for (int32_t i = 0; i < mode->reversed_count; i++) {
        if (hbg_term_is_zero(terms, gram[i])) continue;
        alone &= i == number;
        hbg_term other = hbg_eqn_var(eqn, VARIABLE_CONFLICT, mode->reversed[i]);
        sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, gram[i], other));
    }
    if (alone) return (equation){EQUATION_ASSIGN, hbg_term_divide(terms, given, gram[number])};
    return (equation){EQUATION_IMPLICIT, hbg_term_subtract(terms, sum, given)};
}

hbg_term hbg_eqn_equations_unbounded(equations *all, int32_t variable) {
    hbg_eqn *eqn = all->eqn;
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    if (eqn->limits.clusters.count == 0 || (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW))
        return HBG_NONE;
    int32_t own = 2 * (variable - eqn->first[kind]) + (kind == VARIABLE_FLOW);
    int32_t cluster = eqn->limits.variable_cluster[own];
    const limit_mode *mode = cluster == HBG_NONE ? NULL : hbg_eqn_equations_limit(all, cluster);
    if (!mode || !mode->driven) return HBG_NONE;
    hbg_term sum = unbounded_sum(eqn, mode, eqn->limits.local[own]);
    return hbg_term_is_zero(&eqn->terms, sum) ? HBG_NONE : sum;
}

/* ---- what they may read in some mode ------------------------------------------------------------------- */

static void read_moduli(equations *all, const limit_cluster *of, int32_map *reads) {
    for (int32_t i = 0; i < of->two_ports.count; i++)
        hbg_eqn_equations_read_term(all, hbg_eqn_value(all->eqn, of->two_ports.items[i]), reads);
}

static void read_bonds(equations *all, int32_t junction, int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    const hbg_model *model = eqn->model;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        HBG_PUSH(all->arena, *reads, eqn->first[VARIABLE_EFFORT] + model->incidence[k]);
        HBG_PUSH(all->arena, *reads, eqn->first[VARIABLE_FLOW] + model->incidence[k]);
    }
}

static void read_supplies(equations *all, const limit_cluster *of, int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i];
        if (hbg_eqn_limit_source(eqn, of, element) != HBG_NONE)
            hbg_eqn_equations_read_term(all, hbg_eqn_source_value(eqn, element), reads);
        if (all->purpose == PURPOSE_JUMP && eqn->model->elements.items[element].restitution != HBG_NONE)
            HBG_PUSH(all->arena, *reads, eqn->first[VARIABLE_BOUNCE] + element);
    }
}

/* Parasites of a cluster are one component, and so are its conflicts: each may read anything that the others
 * read. It is enough that they read one another in a ring, and that one of them reads everything that any of
 * them may; a bond, which may read any conflict, reads the first. For the complete list see
 * hbg_eqn_limit_ring. */
void hbg_eqn_limit_reads(equations *all, variable_kind kind, int32_t place, int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    if (eqn->limits.cluster_of[place] == HBG_NONE) return;
    const limit_cluster *of = &eqn->limits.clusters.items[eqn->limits.cluster_of[place]];
    int32_t number = eqn->limits.place_number[place];
    bool one_of_bond = kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW;
    int32_t next = of->places.items[(number + 1) % of->places.count];
    if (!one_of_bond) HBG_PUSH(all->arena, *reads, eqn->first[kind] + next);
    if (kind == VARIABLE_PARASITE) read_bonds(all, eqn->structure->place_element[place], reads);
    if (kind == VARIABLE_CONFLICT && number == 0) read_supplies(all, of, reads);
    if (one_of_bond && of->may_be_driven)
        HBG_PUSH(all->arena, *reads, eqn->first[VARIABLE_CONFLICT] + of->places.items[0]);
    if (one_of_bond) HBG_PUSH(all->arena, *reads, eqn->first[VARIABLE_PARASITE] + place);
    if (one_of_bond || number == 0) read_moduli(all, of, reads);
}

int32_t hbg_eqn_limit_ring(const hbg_eqn *eqn, int32_t reader, int32_t read) {
    variable_kind from = hbg_eqn_kind_of(eqn, reader % eqn->base_count);
    int32_t base = read % eqn->base_count;
    if (from != VARIABLE_EFFORT && from != VARIABLE_FLOW) return HBG_NONE;
    if (hbg_eqn_kind_of(eqn, base) != VARIABLE_CONFLICT) return HBG_NONE;
    return eqn->limits.cluster_of[base - eqn->first[VARIABLE_CONFLICT]];
}
