/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Facts about the domains of nets: a declared port, a value, law or initial value with a unit, an I
 * (thermal and magnetic nets have no momentum). A fact is three numbers; its meaning is derived here from
 * the model. */
#include <string.h>

#include "model/inference_impl.h"

static const hbg_element *element_of(const hbg_check *check, const hbg_fact *fact) {
    return &check->model->elements.items[fact->object];
}

static const hbg_binding *binding_of(const hbg_check *check, const hbg_fact *fact) {
    const hbg_element *element = element_of(check, fact);
    int32_t first = fact->kind == HBG_FACT_LAW ? element->first_law : element->first_initial;
    return &check->model->bindings.items[first + fact->item];
}

static void add_element_facts(hbg_check *check, int32_t index) {
    const hbg_element *element = &check->model->elements.items[index];
    for (int32_t i = 0; i < element->value_count; i++)
        HBG_PUSH(check->scratch, check->facts, (hbg_fact){HBG_FACT_VALUE, index, i});
    for (int32_t i = 0; i < element->law_count; i++)
        HBG_PUSH(check->scratch, check->facts, (hbg_fact){HBG_FACT_LAW, index, i});
    for (int32_t i = 0; i < element->initial_count; i++)
        HBG_PUSH(check->scratch, check->facts, (hbg_fact){HBG_FACT_INITIAL, index, i});
    if (element->kind != HBG_KIND_I) return;
    int32_t bonds = check->model->incidence_start[index + 1] - check->model->incidence_start[index];
    for (int32_t i = 0; i < element->ports && i < bonds; i++)
        HBG_PUSH(check->scratch, check->facts, (hbg_fact){HBG_FACT_MOMENTUM, index, i});
}

void hbg_model_facts_build(hbg_check *check) {
    const hbg_model *model = check->model;
    // declared ports first: where facts disagree, the declaration is named as the reason
    for (int32_t i = 0; i < model->ports.count; i++) {
        bool says = model->ports.items[i].domain != HBG_DOMAIN_ANY && model->ports.items[i].bond >= 0;
        if (says) HBG_PUSH(check->scratch, check->facts, (hbg_fact){HBG_FACT_PORT, i, 0});
    }
    for (int32_t i = 0; i < model->elements.count; i++)
        if (model->elements.items[i].ports > 0) add_element_facts(check, i);
}

/* Row and column of a matrix entry, from 1; both 1 for single values. */
static void entry_ports(const hbg_check *check, const hbg_fact *fact, int32_t *row, int32_t *column) {
    const hbg_element *element = element_of(check, fact);
    bool field = hbg_model_element_info_get(element->form)->field && element->ports > 1;
    *row = field ? fact->item / element->ports + 1 : 1;
    *column = field ? fact->item % element->ports + 1 : 1;
    if (element->kind == HBG_KIND_TF || element->kind == HBG_KIND_GY) *column = 2;
}

bool hbg_model_fact_is_pair(const hbg_check *check, const hbg_fact *fact) {
    if (fact->kind != HBG_FACT_VALUE) return false;
    int32_t row, column;
    entry_ports(check, fact, &row, &column);
    return row != column;
}

void hbg_model_fact_nets(const hbg_check *check, const hbg_fact *fact, int32_t nets[2]) {
    const hbg_model *model = check->model;
    int32_t row, column;
    nets[0] = nets[1] = HBG_NONE;
    switch (fact->kind) {
    case HBG_FACT_PORT: nets[0] = model->bonds.items[model->ports.items[fact->object].bond].net; break;
    case HBG_FACT_MOMENTUM: nets[0] = hbg_model_net(model, fact->object, fact->item + 1); break;
    case HBG_FACT_LAW:
    case HBG_FACT_INITIAL: nets[0] = hbg_model_net(model, fact->object, binding_of(check, fact)->port); break;
    case HBG_FACT_VALUE:
        entry_ports(check, fact, &row, &column);
        nets[0] = hbg_model_net(model, fact->object, row);
        if (row != column) nets[1] = hbg_model_net(model, fact->object, column);
    }
}

hbg_expr hbg_model_fact_expr(const hbg_check *check, const hbg_fact *fact) {
    switch (fact->kind) {
    case HBG_FACT_PORT:
    case HBG_FACT_MOMENTUM: return HBG_NONE;
    case HBG_FACT_LAW:
    case HBG_FACT_INITIAL: return binding_of(check, fact)->value;
    case HBG_FACT_VALUE: break;
    }
    return check->model->entries.items[element_of(check, fact)->first_value + fact->item];
}

hbg_span hbg_model_fact_span(const hbg_check *check, const hbg_fact *fact) {
    if (fact->kind == HBG_FACT_PORT) return check->model->ports.items[fact->object].id.span;
    return hbg_model_check_span(check, hbg_model_fact_expr(check, fact), element_of(check, fact)->id.span);
}

hbg_quantity hbg_model_fact_quantity(const hbg_check *check, const hbg_fact *fact) {
    if (fact->kind == HBG_FACT_LAW || fact->kind == HBG_FACT_INITIAL)
        return (hbg_quantity)binding_of(check, fact)->variable;
    return hbg_model_element_info_get(element_of(check, fact)->form)->quantity;
}

/* ---- sets of domains ---------------------------------------------------------------------------------- */

static bool is_dimension(hbg_dimension a, hbg_dimension b) {
    return a.known && b.known && hbg_model_dimension_agree(a, b);
}

static hbg_dimension ratio(hbg_domain above, hbg_variable over, hbg_domain below, hbg_variable under) {
    return hbg_model_dimension_divide(hbg_model_domain_dimension(above, over),
                                      hbg_model_domain_dimension(below, under));
}

void hbg_model_fact_pair_dimensions(const hbg_check *check, const hbg_fact *fact, hbg_domain first,
                                    hbg_domain second, hbg_dimension readings[2]) {
    const hbg_variable e = HBG_VARIABLE_EFFORT, f = HBG_VARIABLE_FLOW;
    readings[1] = hbg_model_dimension_any;
    switch (element_of(check, fact)->kind) {
    case HBG_KIND_TF: // n = e1/e2 = f2/f1
        readings[0] = ratio(first, e, second, e);
        readings[1] = ratio(second, f, first, f);
        break;
    case HBG_KIND_GY: // r = e1/f2 = e2/f1
        readings[0] = ratio(first, e, second, f);
        readings[1] = ratio(second, e, first, f);
        break;
    case HBG_KIND_C: readings[0] = ratio(first, HBG_VARIABLE_DISPLACEMENT, second, e); break;
    case HBG_KIND_I: readings[0] = ratio(first, HBG_VARIABLE_MOMENTUM, second, f); break;
    default: readings[0] = ratio(first, e, second, f);
    }
}

void hbg_model_fact_pair_project(const hbg_check *check, const hbg_fact *fact, hbg_dimension dimension,
                                 hbg_domain_set *first, hbg_domain_set *second) {
    hbg_domain_set kept_first = 0, kept_second = 0;
    for (int a = HBG_DOMAIN_ANY + 1; a < HBG_DOMAIN_COUNT; a++) {
        for (int b = HBG_DOMAIN_ANY + 1; b < HBG_DOMAIN_COUNT; b++) {
            if (!(*first & HBG_DOMAIN_BIT(a)) || !(*second & HBG_DOMAIN_BIT(b))) continue;
            hbg_dimension readings[2];
            hbg_model_fact_pair_dimensions(check, fact, a, b, readings);
            if (!is_dimension(dimension, readings[0]) && !is_dimension(dimension, readings[1])) continue;
            kept_first |= HBG_DOMAIN_BIT(a);
            kept_second |= HBG_DOMAIN_BIT(b);
        }
    }
    *first = kept_first;
    *second = kept_second;
}

/* ---- observables -------------------------------------------------------------------------------------- */

bool hbg_model_expr_quantity(const hbg_expr_node *node, hbg_quantity *quantity) {
    switch (node->op) {
    case HBG_OP_EFFORT:
    case HBG_OP_BOND_EFFORT: *quantity = HBG_QUANTITY_EFFORT; return true;
    case HBG_OP_FLOW:
    case HBG_OP_BOND_FLOW: *quantity = HBG_QUANTITY_FLOW; return true;
    case HBG_OP_DISPLACEMENT: *quantity = HBG_QUANTITY_DISPLACEMENT; return true;
    case HBG_OP_MOMENTUM: *quantity = HBG_QUANTITY_MOMENTUM; return true;
    default: return false;
    }
}

int32_t hbg_model_expr_net(const hbg_model *model, const hbg_expr_node *node) {
    hbg_quantity quantity;
    if (node->a < 0 || !hbg_model_expr_quantity(node, &quantity)) return HBG_NONE;
    bool bond = node->op == HBG_OP_BOND_EFFORT || node->op == HBG_OP_BOND_FLOW;
    return bond ? model->bonds.items[node->a].net : hbg_model_net(model, node->a, node->b);
}
