/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reports of facts that contradict the domain of their net, or fit no domain at all. */
#include <string.h>

#include "model/inference_impl.h"

const char *hbg_model_check_is_in(hbg_check *check, hbg_dimension dimension) {
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_text(text, hbg_model_dimension_is_pure(dimension) ? "is " : "is in ");
    hbg_model_dimension_print(text, dimension);
    return text->data;
}

const char *hbg_model_check_expr_is_in(hbg_check *check, hbg_expr expr) {
    if (expr < 0) return hbg_model_check_is_in(check, hbg_model_dimension_any);
    const char *unit = hbg_model_spoken_unit(check->model, expr);
    if (!unit) return hbg_model_check_is_in(check, check->model->expr_dimension[expr]);
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_print(text, "is in %s", unit);
    return text->data;
}

/* ---- the reason for a domain -------------------------------------------------------------------------- */

/* The domains that a single fact supports in its net. */
static hbg_domain_set opinion(const hbg_inference *inference, const hbg_fact *fact) {
    const hbg_check *check = inference->check;
    if (fact->kind == HBG_FACT_PORT) return HBG_DOMAIN_BIT(check->model->ports.items[fact->object].domain);
    if (fact->kind == HBG_FACT_MOMENTUM || hbg_model_fact_is_pair(check, fact)) return 0;
    hbg_expr expr = hbg_model_fact_expr(check, fact);
    if (expr < 0) return 0;
    return hbg_model_quantity_domains(hbg_model_fact_quantity(check, fact),
                                      check->model->expr_dimension[expr]);
}

/* Finds for every net the first fact that supports its domain, or else the first that couples it to
 * another. */
static void find_support(hbg_inference *inference) {
    const hbg_check *check = inference->check;
    int32_t *support = HBG_NEW_ARRAY(check->scratch, int32_t, check->model->net_count + 1);
    for (int32_t i = 0; i < check->model->net_count; i++) support[i] = HBG_NONE;
    for (int32_t i = 0; i < check->facts.count; i++) {
        int32_t nets[2];
        hbg_model_fact_nets(check, &check->facts.items[i], nets);
        if (nets[0] < 0 || support[nets[0]] >= 0) continue;
        if (opinion(inference, &check->facts.items[i]) & inference->candidates[nets[0]]) support[nets[0]] = i;
    }
    for (int32_t i = 0; i < check->facts.count; i++) {
        int32_t nets[2];
        hbg_model_fact_nets(check, &check->facts.items[i], nets);
        if (!hbg_model_fact_is_pair(check, &check->facts.items[i])) continue;
        for (int k = 0; k < 2; k++)
            if (nets[k] >= 0 && support[nets[k]] < 0) support[nets[k]] = i;
    }
    inference->support = support;
}

/* The first demand that supports the domain of the net, or NULL. */
static const hbg_demand *find_demand(const hbg_inference *inference, int32_t net) {
    const hbg_model *model = inference->check->model;
    for (int32_t i = 0; i < inference->demands.count; i++) {
        const hbg_expr_node *leaf = &model->exprs.items[inference->demands.items[i].leaf];
        hbg_quantity quantity;
        if (hbg_model_expr_net(model, leaf) != net || !hbg_model_expr_quantity(leaf, &quantity)) continue;
        hbg_domain_set set = hbg_model_quantity_domains(quantity, inference->demands.items[i].dimension);
        if (set & inference->candidates[net]) return &inference->demands.items[i];
    }
    return NULL;
}

void hbg_model_check_note_domain(hbg_inference *inference, hbg_diagnostic *report, int32_t net) {
    hbg_check *check = inference->check;
    hbg_domain domain = hbg_model_inference_domain(inference, net);
    if (domain == HBG_DOMAIN_ANY || !hbg_base_report_wanted(check->diagnostics, HBG_ERROR)) return;
    if (!inference->support) find_support(inference);
    const char *name = hbg_model_check_article(check, hbg_model_domain_name(domain));
    if (inference->support[net] < 0) {
        const hbg_demand *demand = find_demand(inference, net);
        if (demand)
            hbg_base_report_note(check->diagnostics, report, check->model->exprs.items[demand->leaf].span,
                                 "`%s` is used as what %s here, which makes it %s net",
                                 hbg_model_check_expr(check, demand->leaf),
                                 hbg_model_check_is_in(check, demand->dimension), name);
        return;
    }
    const hbg_fact *fact = &check->facts.items[inference->support[net]];
    hbg_object_kind kind = fact->kind == HBG_FACT_PORT ? HBG_OBJECT_PORT : HBG_OBJECT_ELEMENT;
    const char *path = hbg_model_check_path(check, kind, fact->object);
    if (fact->kind == HBG_FACT_PORT)
        hbg_base_report_note(check->diagnostics, report, hbg_model_fact_span(check, fact),
                             "port `%s` is declared %s", path, hbg_model_domain_name(domain));
    else
        hbg_base_report_note(check->diagnostics, report, hbg_model_fact_span(check, fact),
                             "`%s` makes it %s net", path, name);
}

/* ---- single values ------------------------------------------------------------------------------------ */

/* "Ohm, N·s/m, … or K/W" */
static const char *all_units(hbg_check *check, hbg_quantity quantity) {
    hbg_buffer *text = hbg_model_check_text(check);
    int left = 0;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++)
        left += hbg_model_domain_unit(d, quantity) != NULL;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++) {
        const char *unit = hbg_model_domain_unit(d, quantity);
        if (!unit) continue;
        hbg_base_buffer_text(text, unit);
        left--;
        if (left > 0) hbg_base_buffer_text(text, left > 1 ? ", " : " or ");
    }
    return text->data;
}

/* "its value", "its law gives e", "its initial q" */
static const char *fact_subject(hbg_check *check, const hbg_fact *fact) {
    if (fact->kind == HBG_FACT_VALUE) return "its value";
    hbg_buffer *text = hbg_model_check_text(check);
    const char *variable = hbg_model_variable_text((hbg_variable)hbg_model_fact_quantity(check, fact));
    hbg_base_buffer_print(text, fact->kind == HBG_FACT_LAW ? "its law gives %s, which" : "its initial %s",
                          variable);
    return text->data;
}

/* Another element whose parameter has this dimension in the domain; HBG_KIND_COUNT if there is none. */
static hbg_element_kind form_with_unit(hbg_domain domain, hbg_dimension dimension) {
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        hbg_quantity quantity = hbg_model_element_info_get(form)->quantity;
        if (quantity == HBG_QUANTITY_NONE) continue;
        if (hbg_model_quantity_domains(quantity, dimension) & HBG_DOMAIN_BIT(domain)) return form;
    }
    return HBG_KIND_COUNT;
}

/* By its name in the domain. */
static const char *unit_in(hbg_check *check, hbg_domain domain, hbg_dimension dimension) {
    for (int i = 0; i < HBG_QUANTITY_COUNT; i++) {
        hbg_quantity quantity = (hbg_quantity)i;
        const char *unit = hbg_model_domain_unit(domain, quantity);
        if (unit && (hbg_model_quantity_domains(quantity, dimension) & HBG_DOMAIN_BIT(domain))) return unit;
    }
    return hbg_model_check_unit(check, dimension);
}

static void offer_repair(hbg_check *check, hbg_diagnostic *report, const hbg_fact *fact, hbg_domain domain,
                         hbg_dimension found) {
    if (fact->kind != HBG_FACT_VALUE) return;
    hbg_quantity quantity = hbg_model_fact_quantity(check, fact);
    hbg_dimension reciprocal = hbg_model_dimension_divide(hbg_model_dimension_pure, found);
    if (hbg_model_quantity_domains(quantity, reciprocal) & HBG_DOMAIN_BIT(domain)) {
        hbg_base_report_fix(check->diagnostics, report, "this is the reciprocal of %s: write `1/…`",
                            hbg_model_quantity_name(quantity));
        return;
    }
    hbg_element_kind other = form_with_unit(domain, found);
    if (other == HBG_KIND_COUNT) return;
    hbg_base_report_fix(
        check->diagnostics, report, "%s has a value in %s: did you mean `%s %s`?",
        hbg_model_check_article(check, hbg_model_element_info_get(other)->name),
        unit_in(check, domain, found), hbg_model_element_info_get(other)->text,
        hbg_base_names_get(check->model->names, check->model->elements.items[fact->object].id.name));
}

/* An inherited parameter is marked where it got its value. */
static void note_source(hbg_check *check, hbg_diagnostic *report, hbg_expr expr) {
    hbg_expr source = hbg_model_check_source(check, expr);
    if (source == expr) return;
    hbg_base_report_note(check->diagnostics, report, check->model->exprs.items[source].span,
                         "`%s` is given here", hbg_model_check_expr(check, expr));
}

static void report_single(hbg_inference *inference, const hbg_fact *fact, int32_t net, hbg_dimension found) {
    hbg_check *check = inference->check;
    hbg_span span = hbg_model_fact_span(check, fact);
    if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
    hbg_quantity quantity = hbg_model_fact_quantity(check, fact);
    hbg_domain domain = hbg_model_inference_domain(inference, net);
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, fact->object);
    const hbg_element *element = &check->model->elements.items[fact->object];
    const char *kind = hbg_model_check_article(check, hbg_model_element_info_get(element->form)->text);
    const char *value = hbg_model_check_expr(check, hbg_model_fact_expr(check, fact));
    const char *unit = hbg_model_domain_unit(domain, quantity);
    if (!unit) {
        hbg_base_report(check->diagnostics, HBG_E_UNIT, span, "`%s` is %s: %s is in %s, but `%s` %s", path,
                        kind, fact_subject(check, fact), all_units(check, quantity), value,
                        hbg_model_check_expr_is_in(check, hbg_model_fact_expr(check, fact)));
        return;
    }
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, span, "`%s` is %s in %s net: %s is in %s, but `%s` %s", path, kind,
        hbg_model_check_article(check, hbg_model_domain_name(domain)), fact_subject(check, fact), unit, value,
        hbg_model_check_expr_is_in(check, hbg_model_fact_expr(check, fact)));
    hbg_model_check_note_domain(inference, report, net);
    note_source(check, report, hbg_model_fact_expr(check, fact));
    offer_repair(check, report, fact, domain, found);
}

static void check_single(hbg_inference *inference, const hbg_fact *fact, int32_t net) {
    hbg_expr expr = hbg_model_fact_expr(inference->check, fact);
    if (expr < 0) return;
    hbg_dimension found = inference->check->model->expr_dimension[expr];
    if (!found.known) return;
    hbg_domain_set fitting =
        hbg_model_quantity_domains(hbg_model_fact_quantity(inference->check, fact), found);
    if (fitting & inference->candidates[net]) return;
    report_single(inference, fact, net, found);
}

/* ---- pairs -------------------------------------------------------------------------------------------- */

/* "is in V/(m/s)": numerator and denominator as the two domains write them. */
static const char *pair_is_in(hbg_check *check, const hbg_fact *fact, hbg_domain first, hbg_domain second) {
    hbg_dimension readings[2];
    hbg_model_fact_pair_dimensions(check, fact, first, second, readings);
    hbg_element_kind kind = check->model->elements.items[fact->object].kind;
    hbg_quantity above = HBG_QUANTITY_EFFORT, below = HBG_QUANTITY_FLOW; // R and GY
    if (kind == HBG_KIND_TF || kind == HBG_KIND_C) below = HBG_QUANTITY_EFFORT;
    if (kind == HBG_KIND_C) above = HBG_QUANTITY_DISPLACEMENT;
    if (kind == HBG_KIND_I) above = HBG_QUANTITY_MOMENTUM;
    const char *over = hbg_model_domain_unit(first, above), *under = hbg_model_domain_unit(second, below);
    if (first == second || !over || !under) return hbg_model_check_is_in(check, readings[0]);
    bool compound = strpbrk(under, "/^") || strstr(under, "·");
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_print(text, compound ? "is in %s/(%s)" : "is in %s/%s", over, under);
    return text->data;
}

static void report_pair(hbg_inference *inference, const hbg_fact *fact, const int32_t nets[2]) {
    hbg_check *check = inference->check;
    hbg_span span = hbg_model_fact_span(check, fact);
    if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, fact->object);
    const char *value = hbg_model_check_expr(check, hbg_model_fact_expr(check, fact));
    hbg_domain first = hbg_model_inference_domain(inference, nets[0]),
               second = hbg_model_inference_domain(inference, nets[1]);
    hbg_diagnostic *report;
    if (first == HBG_DOMAIN_ANY || second == HBG_DOMAIN_ANY) {
        report = hbg_base_report(check->diagnostics, HBG_E_UNIT, span,
                                 "`%s` %s: no two domains fit that as a value of `%s`", value,
                                 hbg_model_check_expr_is_in(check, hbg_model_fact_expr(check, fact)), path);
    } else {
        report = hbg_base_report(check->diagnostics, HBG_E_UNIT, span,
                                 "`%s` couples %s net to %s one: this value %s, but `%s` %s", path,
                                 hbg_model_check_article(check, hbg_model_domain_name(first)),
                                 hbg_model_check_article(check, hbg_model_domain_name(second)),
                                 pair_is_in(check, fact, first, second), value,
                                 hbg_model_check_expr_is_in(check, hbg_model_fact_expr(check, fact)));
    }
    hbg_model_check_note_domain(inference, report, nets[0]);
    hbg_model_check_note_domain(inference, report, nets[1]);
}

static void check_pair(hbg_inference *inference, const hbg_fact *fact, const int32_t nets[2]) {
    hbg_expr expr = hbg_model_fact_expr(inference->check, fact);
    if (expr < 0 || nets[0] < 0 || nets[1] < 0) return;
    hbg_dimension found = inference->check->model->expr_dimension[expr];
    if (!found.known) return;
    hbg_domain_set first = inference->candidates[nets[0]], second = inference->candidates[nets[1]];
    hbg_model_fact_pair_project(inference->check, fact, found, &first, &second);
    if (first == 0) report_pair(inference, fact, nets);
}

/* ---- domains ------------------------------------------------------------------------------------------ */

static void report_port(hbg_inference *inference, const hbg_fact *fact, int32_t net) {
    hbg_check *check = inference->check;
    const hbg_port *port = &check->model->ports.items[fact->object];
    hbg_span span = hbg_model_check_bond_span(check, port->bond);
    if (!hbg_model_check_first(check, HBG_E_DOMAIN, span)) return;
    if (!inference->support) find_support(inference);
    const char *own = hbg_model_check_article(check, hbg_model_domain_name(port->domain));
    const char *path = hbg_model_check_path(check, HBG_OBJECT_PORT, fact->object);
    const char *other =
        hbg_model_check_article(check, hbg_model_domain_name(hbg_model_inference_domain(inference, net)));
    int32_t support = inference->support[net];
    bool by_port = support >= 0 && check->facts.items[support].kind == HBG_FACT_PORT;
    hbg_diagnostic *report =
        by_port ? hbg_base_report(
                      check->diagnostics, HBG_E_DOMAIN, span, "%s port, `%s`, is bonded to %s one, `%s`", own,
                      path, other,
                      hbg_model_check_path(check, HBG_OBJECT_PORT, check->facts.items[support].object))
                : hbg_base_report(check->diagnostics, HBG_E_DOMAIN, span,
                                  "%s port, `%s`, is bonded into %s net", own, path, other);
    hbg_base_report_note(check->diagnostics, report, port->id.span, "port `%s` is declared %s", path,
                         hbg_model_domain_name(port->domain));
    hbg_model_check_note_domain(inference, report, net);
    hbg_base_report_fix(check->diagnostics, report,
                        "domains are joined by a transformer (TF) or gyrator (GY)");
}

static void check_momentum(hbg_inference *inference, const hbg_fact *fact, int32_t net) {
    hbg_check *check = inference->check;
    hbg_domain domain = hbg_model_inference_domain(inference, net);
    if (domain != HBG_DOMAIN_THERMAL && domain != HBG_DOMAIN_MAGNETIC) return;
    hbg_span span = check->model->elements.items[fact->object].id.span;
    if (!hbg_model_check_first(check, HBG_E_DOMAIN, span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_DOMAIN, span, "`%s` is an I in %s net, and there is no %s momentum",
        hbg_model_check_path(check, HBG_OBJECT_ELEMENT, fact->object),
        hbg_model_check_article(check, hbg_model_domain_name(domain)), hbg_model_domain_name(domain));
    hbg_model_check_note_domain(inference, report, net);
}

static void check_fact(hbg_inference *inference, const hbg_fact *fact) {
    int32_t nets[2];
    hbg_model_fact_nets(inference->check, fact, nets);
    if (nets[0] < 0) return;
    if (fact->kind == HBG_FACT_PORT) {
        if (!(opinion(inference, fact) & inference->candidates[nets[0]]))
            report_port(inference, fact, nets[0]);
    } else if (fact->kind == HBG_FACT_MOMENTUM) {
        check_momentum(inference, fact, nets[0]);
    } else if (hbg_model_fact_is_pair(inference->check, fact)) {
        check_pair(inference, fact, nets);
    } else {
        check_single(inference, fact, nets[0]);
    }
}

/* ---- demands no domain fulfils ------------------------------------------------------------------------ */

static void check_demand(hbg_inference *inference, const hbg_demand *demand) {
    hbg_check *check = inference->check;
    const hbg_expr_node *leaf = &check->model->exprs.items[demand->leaf];
    hbg_quantity quantity;
    if (check->model->expr_dimension[demand->leaf].known || !hbg_model_expr_quantity(leaf, &quantity)) return;
    if (hbg_model_quantity_domains(quantity, demand->dimension) != 0) return;
    hbg_span span = hbg_model_check_span(check, demand->origin, leaf->span);
    if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_UNIT, span, "`%s` is used as what %s, but %s is in %s",
        hbg_model_check_expr(check, demand->leaf), hbg_model_check_is_in(check, demand->dimension),
        hbg_model_quantity_name(quantity), all_units(check, quantity));
    hbg_base_report_note(check->diagnostics, report, leaf->span, "`%s` is %s",
                         hbg_model_check_expr(check, demand->leaf), hbg_model_quantity_name(quantity));
}

/* ---- magnetic nets ------------------------------------------------------------------------------------ */

#define SUPPORTED (-1)

/* Enters a fact's opinion into `lone`: by net, the only fact that says magnetic plus 1, or SUPPORTED. */
static void weigh_magnetic(const hbg_inference *inference, int32_t index, int32_t *lone) {
    const hbg_check *check = inference->check;
    const hbg_fact *fact = &check->facts.items[index];
    int32_t nets[2];
    hbg_model_fact_nets(check, fact, nets);
    bool of_value = fact->kind == HBG_FACT_VALUE;
    bool gyrator = of_value && check->model->elements.items[fact->object].kind == HBG_KIND_GY;
    for (int k = 0; k < 2 && gyrator; k++)
        if (nets[k] >= 0) lone[nets[k]] = SUPPORTED;
    if (nets[0] < 0 || gyrator || !(opinion(inference, fact) & HBG_DOMAIN_BIT(HBG_DOMAIN_MAGNETIC))) return;
    int32_t *own = &lone[nets[0]];
    bool second = *own > 0 && check->facts.items[*own - 1].object != fact->object;
    if (fact->kind == HBG_FACT_PORT || second) *own = SUPPORTED;
    if (*own == 0) *own = index + 1;
}

static void report_magnetic(hbg_check *check, const hbg_fact *fact) {
    hbg_span span = hbg_model_fact_span(check, fact);
    if (!hbg_model_check_first(check, HBG_E_UNIT, span)) return;
    hbg_expr value = hbg_model_fact_expr(check, fact);
    hbg_dimension found = check->model->expr_dimension[value];
    hbg_quantity quantity = hbg_model_fact_quantity(check, fact);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_E_UNIT, span,
                        "`%s` %s, but %s is in %s, and nothing else says that `%s` is magnetic",
                        hbg_model_check_expr(check, value), hbg_model_check_is_in(check, found),
                        hbg_model_quantity_name(quantity), all_units(check, quantity),
                        hbg_model_check_path(check, HBG_OBJECT_ELEMENT, fact->object));
    offer_repair(check, report, fact, HBG_DOMAIN_ELECTRICAL, found);
}

/* A single unit never makes a net magnetic: an R in siemens or a C in henry is far more likely a slip than a
 * lone magnetic element. A declared port, a gyrator, or a second opinion makes it believable. */
static void check_magnetic(hbg_inference *inference) {
    hbg_check *check = inference->check;
    const hbg_model *model = check->model;
    int32_t *lone = HBG_NEW_ARRAY(check->scratch, int32_t, model->net_count + 1);
    for (int32_t i = 0; i < check->facts.count; i++) weigh_magnetic(inference, i, lone);
    for (int32_t i = 0; i < inference->demands.count; i++) {
        int32_t net = hbg_model_expr_net(model, &model->exprs.items[inference->demands.items[i].leaf]);
        lone[net] = SUPPORTED;
    }
    for (int32_t net = 0; net < model->net_count; net++)
        if (lone[net] > 0 && model->net_domain[net] == HBG_DOMAIN_MAGNETIC)
            report_magnetic(check, &check->facts.items[lone[net] - 1]);
}

void hbg_model_check_facts(hbg_inference *inference) {
    hbg_check *check = inference->check;
    for (int32_t i = 0; i < check->facts.count; i++) check_fact(inference, &check->facts.items[i]);
    for (int32_t i = 0; i < inference->demands.count; i++)
        check_demand(inference, &inference->demands.items[i]);
    check_magnetic(inference);
}
