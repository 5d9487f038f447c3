/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finds where a model can be in conflict with itself or float (semantics, section 3a). Without sources, and
 * with empty storages, resistors take no power, so effort and flow of every R, C and I are 0. The variables
 * that can be unbounded in some mode are those that junctions, transformers and gyrators do not tie to these
 * zeros, whatever is on. They divide into clusters, connected by the laws of junctions and two-ports; the
 * controlled junctions of a cluster decide together what happens in it. Most models have none. */
#include "eqn/eqn_impl.h"

/* Variables of bonds are numbered by bond: effort, flow. */
static int32_t variable_of(int32_t bond, hbg_variable asked) {
    return 2 * bond + (asked == HBG_VARIABLE_FLOW);
}

typedef struct {
    hbg_eqn *eqn;
    bool *zero;      /* by variable: bounded in every mode */
    int32_map queue; /* elements to visit */
    int32_t *parent; /* by variable, then by element: sets that belong together */
} finding;

static const hbg_element *element_at(const finding *f, int32_t element) {
    return &f->eqn->model->elements.items[element];
}

static bool is_junction(const finding *f, int32_t element) {
    return element_at(f, element)->ports == 0;
}

/* Whether an element is a controlled junction. One that switches by a select lies between bounded variables
 * whether it is on or off: it counts as on, once that is known. */
static bool is_controlled(const finding *f, int32_t element) {
    int32_t place = f->eqn->structure->element_place[element];
    return element_at(f, element)->control != HBG_NONE && !f->eqn->varies.select[place];
}

/* ---- what is bounded in every mode --------------------------------------------------------------------- */

static void set_zero(finding *f, int32_t variable) {
    const hbg_bond *bond = &f->eqn->model->bonds.items[variable / 2];
    if (f->zero[variable]) return;
    f->zero[variable] = true;
    HBG_PUSH(&f->eqn->scratch, f->queue, bond->from.element);
    HBG_PUSH(&f->eqn->scratch, f->queue, bond->to.element);
}

static void settle_one_port(finding *f, int32_t element) {
    const hbg_model *model = f->eqn->model;
    hbg_element_kind kind = element_at(f, element)->kind;
    for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++) {
        if (kind != HBG_KIND_SF) set_zero(f, variable_of(model->incidence[k], HBG_VARIABLE_EFFORT));
        if (kind != HBG_KIND_SE) set_zero(f, variable_of(model->incidence[k], HBG_VARIABLE_FLOW));
    }
}

/* A gyrator ties effort to flow. */
static void settle_two_port(finding *f, int32_t element) {
    const hbg_model *model = f->eqn->model;
    int32_t one = hbg_eqn_bond_of(model, element, 1), two = hbg_eqn_bond_of(model, element, 2);
    bool gyrates = element_at(f, element)->kind == HBG_KIND_GY;
    for (int flow = 0; flow < 2; flow++) {
        int32_t here = 2 * one + flow, there = 2 * two + (gyrates ? 1 - flow : flow);
        if (f->zero[here]) set_zero(f, there);
        if (f->zero[there]) set_zero(f, here);
    }
}

/* The common variables are equal or, while the junction is off, 0; off the other way they are arbitrary. */
static void settle_common(finding *f, int32_t junction, hbg_variable common) {
    const hbg_model *model = f->eqn->model;
    bool any = false;
    if (is_controlled(f, junction) && element_at(f, junction)->dual_off) return;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        any |= f->zero[variable_of(model->incidence[k], common)];
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1] && any; k++)
        set_zero(f, variable_of(model->incidence[k], common));
}

/* Whether the junction, while it is off, cuts a source at this bond. */
static bool is_cut_by(const finding *f, int32_t junction, int32_t bond) {
    int32_t link = f->eqn->structure->bond_link[bond];
    return link != HBG_NONE &&
           hbg_causal_cutting_place(f->eqn->structure, link) == f->eqn->structure->element_place[junction];
}

/* Whether the junction at the other end of the bond is off whenever this one is, and sets to 0 the variable
 * that this one sums: a switch of two junctions. */
static bool is_off_beyond(const finding *f, int32_t junction, int32_t bond) {
    const hbg_causal_structure *structure = f->eqn->structure;
    const hbg_bond *of = &f->eqn->model->bonds.items[bond];
    int32_t other = of->from.element == junction ? of->to.element : of->from.element;
    int32_t place = structure->element_place[junction], there = structure->element_place[other];
    if (there == HBG_NONE || structure->control_group[there] != structure->control_group[place]) return false;
    return element_at(f, other)->kind != element_at(f, junction)->kind && !element_at(f, other)->dual_off;
}

/* A sum with one part left is settled; a junction that can be off does not always sum, but the part it cuts
 * is 0 then. */
static void settle_sum(finding *f, int32_t junction, hbg_variable summed) {
    const hbg_model *model = f->eqn->model;
    int32_t left = 0, last = HBG_NONE;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        int32_t variable = variable_of(model->incidence[k], summed);
        if (f->zero[variable]) continue;
        left++;
        last = variable;
    }
    if (left == 1 && (!is_controlled(f, junction) || is_cut_by(f, junction, last / 2) ||
                      is_off_beyond(f, junction, last / 2)))
        set_zero(f, last);
}

static void settle(finding *f, int32_t element) {
    hbg_element_kind kind = element_at(f, element)->kind;
    if (kind == HBG_KIND_TF || kind == HBG_KIND_GY) {
        settle_two_port(f, element);
    } else if (is_junction(f, element)) {
        bool zero = kind == HBG_KIND_ZERO;
        settle_common(f, element, zero ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW);
        settle_sum(f, element, zero ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT);
    } else {
        settle_one_port(f, element);
    }
}

/* ---- clusters ------------------------------------------------------------------------------------------ */

static int32_t root_of(finding *f, int32_t item) {
    while (f->parent[item] != item) item = f->parent[item] = f->parent[f->parent[item]];
    return item;
}

static void join(finding *f, int32_t a, int32_t b) {
    int32_t low = root_of(f, a), high = root_of(f, b);
    if (low < high) f->parent[high] = low;
    if (high < low) f->parent[low] = high;
}

static int32_t item_of(const finding *f, int32_t element) {
    return 2 * f->eqn->model->bonds.count + element;
}

/* Joins the common variables of a junction, and its summed ones; at a controlled junction all of them. */
static void join_junction(finding *f, int32_t junction) {
    const hbg_model *model = f->eqn->model;
    int32_t first[2] = {HBG_NONE, HBG_NONE};
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++)
        for (int flow = 0; flow < 2; flow++) {
            int32_t variable = 2 * model->incidence[k] + flow;
            if (f->zero[variable]) continue;
            if (first[flow] != HBG_NONE) join(f, first[flow], variable);
            if (is_controlled(f, junction)) join(f, variable, item_of(f, junction));
            first[flow] = variable;
        }
}

static void join_two_port(finding *f, int32_t element) {
    const hbg_model *model = f->eqn->model;
    int32_t one = hbg_eqn_bond_of(model, element, 1), two = hbg_eqn_bond_of(model, element, 2);
    bool gyrates = element_at(f, element)->kind == HBG_KIND_GY;
    for (int flow = 0; flow < 2; flow++) {
        int32_t here = 2 * one + flow, there = 2 * two + (gyrates ? 1 - flow : flow);
        if (!f->zero[here] && !f->zero[there]) join(f, here, there);
    }
}

static bool has_part(const finding *f, int32_t element) {
    const hbg_model *model = f->eqn->model;
    for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++)
        if (!f->zero[2 * model->incidence[k]] || !f->zero[2 * model->incidence[k] + 1]) return true;
    return false;
}

/* The cluster of a root, which its first controlled junction creates. */
static limit_cluster *cluster_at(finding *f, int32_t *number, int32_t item, bool begins) {
    limit_structure *limits = &f->eqn->limits;
    int32_t *found = &number[root_of(f, item)];
    if (*found == HBG_NONE && begins) {
        *found = limits->clusters.count;
        HBG_PUSH(f->eqn->arena, limits->clusters, (limit_cluster){.modes = NULL});
    }
    return *found == HBG_NONE ? NULL : &limits->clusters.items[*found];
}

/* Lists the places of clusters. A gate has a parasite if its junction is off the other way; a gate in front
 * of a source has none. */
static void list_places(finding *f, int32_t *number) {
    hbg_eqn *eqn = f->eqn;
    for (int32_t place = 0; place < eqn->structure->place_count; place++) {
        int32_t element = eqn->structure->place_element[place];
        if (!is_controlled(f, element) || !has_part(f, element)) continue;
        if (place >= eqn->structure->junction_count && !element_at(f, element)->dual_off) continue;
        limit_cluster *of = cluster_at(f, number, item_of(f, element), true);
        eqn->limits.cluster_of[place] = (int32_t)(of - eqn->limits.clusters.items);
        eqn->limits.place_number[place] = of->places.count;
        HBG_PUSH(eqn->arena, of->places, place);
    }
}

static void list_variables(finding *f, int32_t *number) {
    hbg_eqn *eqn = f->eqn;
    for (int32_t variable = 0; variable < 2 * eqn->model->bonds.count; variable++) {
        eqn->limits.local[variable] = eqn->limits.variable_cluster[variable] = HBG_NONE;
        limit_cluster *of = f->zero[variable] ? NULL : cluster_at(f, number, variable, false);
        if (!of) continue;
        eqn->limits.variable_cluster[variable] = (int32_t)(of - eqn->limits.clusters.items);
        eqn->limits.local[variable] = of->variables.count;
        HBG_PUSH(eqn->arena, of->variables, variable);
    }
}

/* Lists the elements at the variables of clusters, each once in a cluster. */
static void list_elements(finding *f) {
    hbg_eqn *eqn = f->eqn;
    const hbg_model *model = eqn->model;
    for (int32_t element = 0; element < model->elements.count; element++)
        for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++)
            for (int flow = 0; flow < 2; flow++) {
                int32_t cluster = eqn->limits.variable_cluster[2 * model->incidence[k] + flow];
                if (cluster == HBG_NONE) continue;
                int32_map *list = &eqn->limits.clusters.items[cluster].elements;
                if (list->count > 0 && list->items[list->count - 1] == element) continue;
                HBG_PUSH(eqn->arena, *list, element);
                hbg_element_kind kind = model->elements.items[element].kind;
                if (kind == HBG_KIND_TF || kind == HBG_KIND_GY)
                    HBG_PUSH(eqn->arena, eqn->limits.clusters.items[cluster].two_ports, element);
            }
}

static bool may_be_driven(const hbg_eqn *eqn, const limit_cluster *of) {
    for (int32_t i = 0; i < of->elements.count; i++)
        if (hbg_eqn_limit_source(eqn, of, of->elements.items[i]) != HBG_NONE) return true;
    for (int32_t i = 0; i < of->places.count; i++) {
        int32_t junction = eqn->structure->place_element[of->places.items[i]];
        if (eqn->model->elements.items[junction].restitution != HBG_NONE) return true;
    }
    return false;
}

/* Marks the variables that are bounded in every mode. */
static void settle_all(finding *f) {
    const hbg_model *model = f->eqn->model;
    f->zero = HBG_NEW_ARRAY(&f->eqn->scratch, bool, 2 * model->bonds.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) settle(f, i);
    while (f->queue.count > 0) settle(f, f->queue.items[--f->queue.count]);
}

bool hbg_eqn_bar_selects(hbg_eqn *eqn, bool *barred) {
    finding f = {.eqn = eqn};
    const hbg_causal_structure *structure = eqn->structure;
    bool any = false, *select = eqn->varies.select;
    bool *none = HBG_NEW_ARRAY(&eqn->scratch, bool, structure->place_count + 1);
    for (int32_t i = 0; i < structure->place_count; i++) any |= select[i];
    if (!any) return false;
    eqn->varies.select = none; // none switches by a select here
    settle_all(&f);
    eqn->varies.select = select;
    any = false;
    for (int32_t i = 0; i < structure->place_count; i++) {
        if (!select[i] || !has_part(&f, structure->place_element[i])) continue;
        barred[i] = any = true;
    }
    return any;
}

bool hbg_eqn_find_gated(const hbg_eqn *eqn, bool *gated) {
    const hbg_causal_structure *structure = eqn->structure;
    bool any = false;
    for (int32_t place = 0; place < structure->place_count; place++) {
        if (eqn->limits.cluster_of[place] == HBG_NONE) continue;
        gated[place] = structure->dual_off[place];
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++)
            gated[place] |= hbg_causal_cutting_place(structure, structure->place_links[i] >> 1) == place;
        any |= gated[place];
    }
    return any;
}

void hbg_eqn_find_limits(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    int32_t variables = 2 * model->bonds.count, items = variables + model->elements.count;
    finding f = {.eqn = eqn};
    eqn->limits.cluster_of = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->structure->place_count + 1);
    eqn->limits.place_number = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) eqn->limits.cluster_of[i] = HBG_NONE;
    f.parent = HBG_NEW_ARRAY(&eqn->scratch, int32_t, items + 1);
    int32_t *number = HBG_NEW_ARRAY(&eqn->scratch, int32_t, items + 1);
    for (int32_t i = 0; i < items; i++) {
        f.parent[i] = i;
        number[i] = HBG_NONE;
    }
    settle_all(&f);
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element_kind kind = model->elements.items[i].kind;
        if (is_junction(&f, i)) join_junction(&f, i);
        if (kind == HBG_KIND_TF || kind == HBG_KIND_GY) join_two_port(&f, i);
    }
    list_places(&f, number);
    if (eqn->limits.clusters.count == 0) return;
    eqn->limits.local = HBG_NEW_ARRAY(eqn->arena, int32_t, variables + 1);
    eqn->limits.variable_cluster = HBG_NEW_ARRAY(eqn->arena, int32_t, variables + 1);
    list_variables(&f, number);
    list_elements(&f);
    for (int32_t i = 0; i < eqn->limits.clusters.count; i++) {
        limit_cluster *of = &eqn->limits.clusters.items[i];
        of->may_be_driven = may_be_driven(eqn, of);
        of->asked = HBG_NEW_ARRAY(eqn->arena, bool, of->places.count + 1);
    }
}

int32_t hbg_eqn_limit_source(const hbg_eqn *eqn, const limit_cluster *of, int32_t element) {
    const limit_structure *limits = &eqn->limits;
    hbg_element_kind kind = eqn->model->elements.items[element].kind;
    if (kind != HBG_KIND_SE && kind != HBG_KIND_SF) return HBG_NONE;
    int32_t variable = 2 * hbg_eqn_bond_of(eqn->model, element, 1) + (kind == HBG_KIND_SE);
    int32_t cluster = limits->variable_cluster[variable];
    return cluster != HBG_NONE && &limits->clusters.items[cluster] == of ? limits->local[variable] : HBG_NONE;
}
