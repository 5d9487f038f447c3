/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values around a cluster as forms: sums of variables of bonds and of a constant, modulo the laws of
 * junctions, transformers, gyrators and sources in and near it, in a local mode. A resistor without flow, and
 * a storage that is held, have laws, too. Two values are the same, whatever the contents of storages, if
 * their forms are. */
#include <math.h>

#include "eqn/limit_impl.h"
#include "rt/bands.h"

/* ---- terms as numbers ---------------------------------------------------------------------------------- */

static double leaf_value(const hbg_eqn *eqn, const term_node *node, bool *constant) {
    double value = 0;
    if (node->op == HBG_OP_NUMBER) return hbg_base_decimal_to_double(eqn->terms.numbers.items[node->a]);
    bool param = node->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, node->a) == VARIABLE_PARAM;
    if (param &&
        hbg_model_constant(eqn->model, eqn->model->params.items[node->a - eqn->first[VARIABLE_PARAM]].value,
                           &value))
        return value;
    *constant = false;
    return 0;
}

double hbg_eqn_constant(hbg_eqn *eqn, hbg_term term, bool *constant) {
    hbg_terms *terms = &eqn->terms;
    *constant = true;
    if (hbg_term_arity(&terms->nodes.items[term]) == 0 && terms->nodes.items[term].op != HBG_OP_PI)
        return leaf_value(eqn, &terms->nodes.items[term], constant);
    size_t size = ((size_t)term + 1) * sizeof(double);
    double *values = HBG_NEW_ARRAY(&eqn->scratch, double, term + 1);
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        int arity = hbg_term_arity(node);
        bool plain =
            node->op < HBG_OP_COUNT && node->op != HBG_OP_TABLE && (arity > 0 || node->op == HBG_OP_PI);
        values[terms->walk.items[i]] =
            plain ? hbg_rt_evaluate((hbg_operator)node->op, arity > 0 ? values[node->a] : 0,
                                    arity > 1 ? values[node->b] : 0, arity > 2 ? values[node->c] : 0)
                  : leaf_value(eqn, node, constant);
    }
    double value = values[term];
    hbg_base_arena_release(&eqn->scratch, values, size);
    return value;
}

/* The value of a modulus; any number serves for one that is not constant. */
static double number_of(hbg_eqn *eqn, hbg_term term) {
    bool constant;
    double value = hbg_eqn_constant(eqn, term, &constant);
    return constant && isfinite(value) ? value : 0.7318 + (double)(term % 997) / 1000;
}

/* ---- forms --------------------------------------------------------------------------------------------- */

double *hbg_eqn_form_new(shared_mode *of) {
    return HBG_NEW_ARRAY(&of->eqn->scratch, double, of->width);
}

static int32_t column_of(shared_mode *of, int32_t variable) {
    while (of->columns.count <= variable) HBG_PUSH(&of->eqn->scratch, of->columns, HBG_NONE);
    int32_t *column = &of->columns.items[variable];
    if (*column == HBG_NONE && of->column_count < of->width - 1) *column = of->column_count++;
    return *column;
}

/* Adds a variable to a form. Variables beyond the room of a row are left out: forms may then look more alike
 * than they are, and nothing is reported. */
static void add(shared_mode *of, double *form, int32_t variable, double factor) {
    int32_t column = column_of(of, variable);
    if (column != HBG_NONE) form[column] += factor;
}

static int32_t variable_at(const shared_mode *of, int32_t bond, int flow) {
    return of->eqn->first[flow ? VARIABLE_FLOW : VARIABLE_EFFORT] + bond;
}

void hbg_eqn_form_reduce(const shared_mode *of, double *form) {
    for (int32_t i = 0; i < of->laws.count; i++) {
        double factor = form[of->pivots.items[i]];
        if (factor == 0) continue;
        for (int32_t k = 0; k < of->width; k++) form[k] -= factor * of->laws.items[i][k];
        form[of->pivots.items[i]] = 0;
    }
}

double hbg_eqn_form_size(const shared_mode *of, const double *form) {
    double size = 0;
    for (int32_t k = 0; k < of->width; k++) size = fmax(size, fabs(form[k]));
    return size;
}

/* Adds the law that a form is 0. */
void hbg_eqn_form_law(shared_mode *of, double *form) {
    int32_t pivot = 0;
    hbg_eqn_form_reduce(of, form);
    for (int32_t k = 1; k < of->width - 1; k++)
        if (fabs(form[k]) > fabs(form[pivot])) pivot = k;
    double scale = form[pivot];
    if (fabs(scale) < HBG_RT_FORM) return;
    for (int32_t k = 0; k < of->width; k++)
        form[k] = fabs(form[k]) < HBG_RT_FORM * fabs(scale) ? 0 : form[k] / scale;
    HBG_PUSH(&of->eqn->scratch, of->laws, form);
    HBG_PUSH(&of->eqn->scratch, of->pivots, pivot);
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

static void add_sum(shared_mode *of, double *form, int32_t junction, int summed) {
    const hbg_model *model = of->eqn->model;
    for (int32_t k = model->incidence_start[junction]; k < model->incidence_start[junction + 1]; k++) {
        bool in = model->bonds.items[model->incidence[k]].to.element == junction;
        add(of, form, variable_at(of, model->incidence[k], summed), in ? 1 : -1);
    }
}

static void add_junction(shared_mode *of, int32_t junction, int32_t place) {
    const hbg_model *model = of->eqn->model;
    int common = model->elements.items[junction].kind == HBG_KIND_ONE;
    int zeroed = model->elements.items[junction].dual_off ? 1 - common : common;
    int32_t first = model->incidence_start[junction], end = model->incidence_start[junction + 1];
    for (int32_t k = of->on[place] ? first + 1 : first; k < end; k++) {
        double *form = hbg_eqn_form_new(of);
        add(of, form, variable_at(of, model->incidence[k], of->on[place] ? common : zeroed), 1);
        if (of->on[place]) add(of, form, variable_at(of, model->incidence[first], common), -1);
        hbg_eqn_form_law(of, form);
    }
    if (!of->on[place]) return;
    double *sum = hbg_eqn_form_new(of);
    add_sum(of, sum, junction, 1 - common);
    hbg_eqn_form_law(of, sum);
}

static void add_two_port(shared_mode *of, int32_t element) {
    hbg_eqn *eqn = of->eqn;
    const hbg_model *model = eqn->model;
    bool gyrates = model->elements.items[element].kind == HBG_KIND_GY;
    double modulus = number_of(eqn, hbg_eqn_value(eqn, element));
    for (int k = 0; k < 2; k++) { // e1 = n·e2 and f2 = n·f1; e1 = r·f2 and e2 = r·f1
        int32_t port = k == 0 ? 1 : 2;
        bool flow = !gyrates && k == 1, by_flow = gyrates || k == 1;
        hbg_variable given = flow ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
        hbg_variable by = by_flow ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
        double *form = hbg_eqn_form_new(of);
        add(of, form, variable_at(of, hbg_eqn_bond_of(model, element, port), flow),
            hbg_eqn_sign(model, element, port, given));
        add(of, form, variable_at(of, hbg_eqn_bond_of(model, element, 3 - port), by_flow),
            -modulus * hbg_eqn_sign(model, element, 3 - port, by));
        hbg_eqn_form_law(of, form);
    }
}

/* Adds the law of a source: a constant, or a multiple of a term of which others may be multiples, too; such
 * terms have columns after those of variables. */
static void add_source(shared_mode *of, int32_t element) {
    hbg_eqn *eqn = of->eqn;
    const hbg_terms *terms = &eqn->terms;
    bool constant, flow = eqn->model->elements.items[element].kind == HBG_KIND_SF;
    hbg_term term = hbg_eqn_source_value(eqn, element);
    double value = hbg_eqn_constant(eqn, term, &constant), factor = 1, *form = hbg_eqn_form_new(of);
    while (!constant && terms->nodes.items[term].op == HBG_OP_NEGATE) {
        factor = -factor;
        term = terms->nodes.items[term].a;
    }
    add(of, form, variable_at(of, hbg_eqn_bond_of(eqn->model, element, 1), flow),
        hbg_eqn_sign(eqn->model, element, 1, flow ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT));
    if (constant)
        form[of->width - 1] = -value;
    else
        add(of, form, eqn->base_count + term, -factor);
    hbg_eqn_form_law(of, form);
}

/* A resistor without flow has no effort, and the other way round; nor has a storage whose other variable is
 * held. */
static bool settle_passive(shared_mode *of, int32_t bond, hbg_element_kind kind) {
    bool any = false;
    for (int flow = 0; flow < 2; flow++) { // which variable is tested
        if (kind == HBG_KIND_C && flow == 1) continue;
        if (kind == HBG_KIND_I && flow == 0) continue;
        double *asked = hbg_eqn_form_new(of), *other = hbg_eqn_form_new(of);
        add(of, asked, variable_at(of, bond, flow), 1);
        add(of, other, variable_at(of, bond, 1 - flow), 1);
        hbg_eqn_form_reduce(of, asked);
        if (kind != HBG_KIND_R) asked[of->width - 1] = 0; // a constant has no rate
        if (hbg_eqn_form_size(of, asked) > HBG_RT_FORM) continue;
        int32_t before = of->laws.count;
        hbg_eqn_form_law(of, other);
        any |= of->laws.count > before;
    }
    return any;
}

/* Settles passive elements repeatedly, as one of them may hold another. */
void hbg_eqn_form_settle(shared_mode *of) {
    const hbg_model *model = of->eqn->model;
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < of->elements.count; i++) {
            const hbg_element *element = &model->elements.items[of->elements.items[i]];
            bool passive =
                element->kind == HBG_KIND_R || element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
            int32_t bond = model->incidence[model->incidence_start[of->elements.items[i]]];
            if (passive && element->ports == 1) again |= settle_passive(of, bond, element->kind);
        }
    }
}

static void add_laws(shared_mode *of) {
    const hbg_model *model = of->eqn->model;
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i], place = of->eqn->structure->element_place[element];
        hbg_element_kind kind = model->elements.items[element].kind;
        if (kind == HBG_KIND_TF || kind == HBG_KIND_GY) add_two_port(of, element);
        if (kind == HBG_KIND_SE || kind == HBG_KIND_SF) add_source(of, element);
        if (place != HBG_NONE) add_junction(of, element, place);
    }
    hbg_eqn_form_settle(of);
}

/* Lists the elements of the cluster, and those around them as far as there is room. */
static void list_elements(shared_mode *of) {
    const hbg_model *model = of->eqn->model;
    bool *listed = HBG_NEW_ARRAY(&of->eqn->scratch, bool, model->elements.count + 1);
    for (int32_t i = 0; i < of->of->elements.count; i++) {
        HBG_PUSH(&of->eqn->scratch, of->elements, of->of->elements.items[i]);
        listed[of->of->elements.items[i]] = true;
    }
    int32_t most = of->elements.count + LIMIT_AROUND;
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i];
        for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++) {
            const hbg_bond *bond = &model->bonds.items[model->incidence[k]];
            int32_t other = bond->from.element == element ? bond->to.element : bond->from.element;
            if (listed[other] || of->elements.count >= most) continue;
            listed[other] = true;
            HBG_PUSH(&of->eqn->scratch, of->elements, other);
        }
    }
}

/* ---- the mode ------------------------------------------------------------------------------------------ */

static void take_null_space(shared_mode *of) {
    int32_t unknowns = of->of->variables.count + of->of->places.count, count = of->mode->reversed_count;
    of->null_space = HBG_NEW_ARRAY(&of->eqn->scratch, double, unknowns *count + 1);
    for (int32_t i = 0; i < unknowns; i++)
        for (int32_t k = of->mode->start[i]; k < of->mode->start[i + 1]; k++)
            of->null_space[i * count + of->mode->shares[k].reversed] +=
                number_of(of->eqn, of->mode->shares[k].factor);
}

static void take_parameters(shared_mode *of) {
    const hbg_model *model = of->eqn->model;
    of->forms = HBG_NEW_ARRAY(&of->eqn->scratch, double, of->of->places.count * of->width + 1);
    for (int32_t i = 0; i < of->of->places.count; i++) {
        int32_t place = of->of->places.items[i], junction = of->eqn->structure->place_element[place];
        int common = model->elements.items[junction].kind == HBG_KIND_ONE;
        double *form = &of->forms[i * of->width];
        bool gate = place >= of->eqn->structure->junction_count;
        if (gate ? of->on[place] : !of->on[place] && model->elements.items[junction].dual_off) continue;
        if (gate)
            add(of, form, variable_at(of, of->eqn->structure->gate_bond[place], common), 1);
        else if (of->on[place])
            add(of, form, variable_at(of, model->incidence[model->incidence_start[junction]], common), 1);
        else
            add_sum(of, form, junction, 1 - common);
        hbg_eqn_form_reduce(of, form);
    }
}

shared_mode *hbg_eqn_shared_mode(hbg_eqn *eqn, int32_t cluster, const limit_mode *mode, const bool *on) {
    enum { SPARE = 16 }; /* for variables that lines read besides the bonds of the cluster */
    shared_mode *of = HBG_NEW(&eqn->scratch, shared_mode);
    *of = (shared_mode){.eqn = eqn, .of = &eqn->limits.clusters.items[cluster], .mode = mode, .on = on};
    of->width = SPARE;
    list_elements(of);
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i];
        of->width +=
            1 + 2 * (eqn->model->incidence_start[element + 1] - eqn->model->incidence_start[element]);
    }
    add_laws(of);
    take_null_space(of);
    take_parameters(of);
    return of;
}

/* The line as a form; and its part in the null space by reversed place, unless `along` is NULL. */
double *hbg_eqn_form_of(shared_mode *of, const shared_line *line, double *along) {
    const limit_structure *limits = &of->eqn->limits;
    int32_t n = of->mode->reversed_count;
    double *form = hbg_eqn_form_new(of);
    for (int32_t i = 0; i < line->parts.count; i++) {
        int32_t variable = line->parts.items[i].variable;
        variable_kind kind = hbg_eqn_kind_of(of->eqn, variable);
        bool bond = kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW;
        int32_t own = bond ? 2 * (variable - of->eqn->first[kind]) + (kind == VARIABLE_FLOW) : HBG_NONE;
        add(of, form, variable, line->parts.items[i].factor);
        if (!along || !bond || limits->variable_cluster[own] == HBG_NONE) continue;
        if (&limits->clusters.items[limits->variable_cluster[own]] != of->of) continue;
        for (int32_t k = 0; k < n; k++)
            along[k] += line->parts.items[i].factor * of->null_space[limits->local[own] * n + k];
    }
    form[of->width - 1] += line->constant;
    hbg_eqn_form_reduce(of, form);
    return form;
}
