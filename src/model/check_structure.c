/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Structure: which bonds meet at which element, whether every port has exactly one, which port of a
 * transformer or gyrator a bond belongs to, and the nets. While this pass runs, `incidence` holds half bonds
 * (2·bond, plus 1 for the end the half arrow points at), so a bond from an element to itself has two
 * entries. */
#include "model/model_impl.h"

static hbg_bond_end *end_of(const hbg_model *model, int32_t half) {
    hbg_bond *bond = &model->bonds.items[half / 2];
    return half % 2 == 0 ? &bond->from : &bond->to;
}

static void build_incidence(hbg_model *model) {
    int32_t count = model->elements.count;
    int32_t halves = 2 * model->bonds.count;
    model->incidence_start = HBG_NEW_ARRAY(model->arena, int32_t, count + 1);
    model->incidence = HBG_NEW_ARRAY(model->arena, int32_t, halves + 1);
    for (int32_t half = 0; half < halves; half++) {
        int32_t element = end_of(model, half)->element;
        if (element >= 0) model->incidence_start[element + 1]++;
    }
    for (int32_t i = 0; i < count; i++) model->incidence_start[i + 1] += model->incidence_start[i];
    for (int32_t half = 0; half < halves; half++) {
        int32_t element = end_of(model, half)->element;
        if (element >= 0) model->incidence[model->incidence_start[element]++] = half;
    }
    // every start has moved to the next element's
    for (int32_t i = count; i > 0; i--) model->incidence_start[i] = model->incidence_start[i - 1];
    model->incidence_start[0] = 0;
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static void report_two_bonds(hbg_check *check, int32_t element, int32_t port, int32_t first, int32_t second) {
    const hbg_model *model = check->model;
    hbg_span span = hbg_model_check_bond_span(check, second / 2);
    if (!hbg_model_check_first(check, HBG_E_PORT, span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element);
    const hbg_element *e = &model->elements.items[element];
    hbg_diagnostic *report = e->ports > 1
                                 ? hbg_base_report(check->diagnostics, HBG_E_PORT, span,
                                                   "port %d of `%s` has more than one bond", (int)port, path)
                                 : hbg_base_report(check->diagnostics, HBG_E_PORT, span,
                                                   "`%s` has more than one bond: `%s` and `%s`", path,
                                                   hbg_model_check_path(check, HBG_OBJECT_BOND, first / 2),
                                                   hbg_model_check_path(check, HBG_OBJECT_BOND, second / 2));
    hbg_base_report_note(check->diagnostics, report, hbg_model_check_bond_span(check, first / 2),
                         "its first bond, `%s`, is here",
                         hbg_model_check_path(check, HBG_OBJECT_BOND, first / 2));
    hbg_base_report_note(check->diagnostics, report, e->id.span, "`%s` is %s, one bond to a port", path,
                         hbg_model_check_article(check, hbg_model_element_info_get(e->form)->name));
    hbg_base_report_fix(check->diagnostics, report, "put a junction between them and join `%s` to it", path);
}

/* A port of the component without a bond: the bond inside it vanished. */
static int32_t find_open_port(const hbg_model *model, int32_t scope) {
    for (int32_t i = 0; i < model->ports.count; i++)
        if (model->ports.items[i].id.scope == scope && model->ports.items[i].bond == HBG_NONE) return i;
    return HBG_NONE;
}

static void report_unbonded(hbg_check *check, int32_t element, int32_t port) {
    const hbg_element *e = &check->model->elements.items[element];
    if (check->bonds_lost || !hbg_model_check_first(check, HBG_E_UNBONDED, e->id.span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element);
    int32_t bonds = check->model->incidence_start[element + 1] - check->model->incidence_start[element];
    hbg_diagnostic *report;
    if (bonds == 0)
        report = hbg_base_report(check->diagnostics, HBG_E_UNBONDED, e->id.span, "`%s` has no bond", path);
    else if (e->kind == HBG_KIND_TF || e->kind == HBG_KIND_GY)
        report = hbg_base_report(check->diagnostics, HBG_E_UNBONDED, e->id.span,
                                 "`%s` has one bond, but a %s has two ports", path,
                                 hbg_model_element_info_get(e->form)->name);
    else
        report = hbg_base_report(check->diagnostics, HBG_E_UNBONDED, e->id.span,
                                 "port %d of `%s` has no bond", (int)port, path);
    int32_t open = find_open_port(check->model, e->id.scope);
    if (open != HBG_NONE)
        hbg_base_report_fix(check->diagnostics, report,
                            "its bond leads to port `%s`, which is open: bond that port",
                            hbg_model_check_path(check, HBG_OBJECT_PORT, open));
    else if (e->ports > 1)
        hbg_base_report_fix(check->diagnostics, report, "join it to a junction: `node -> %s[%d];`", path,
                            (int)port);
    else
        hbg_base_report_fix(check->diagnostics, report, "join it to a junction: `node -> %s;`", path);
}

/* ---- ports -------------------------------------------------------------------------------------------- */

/* Whether the port numbers written exist. */
static bool check_numbers(hbg_check *check, int32_t element, const int32_t *halves, int32_t count) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    bool two_port = e->kind == HBG_KIND_TF || e->kind == HBG_KIND_GY;
    bool fine = true;
    for (int32_t i = 0; i < count; i++) {
        hbg_bond_end *end = end_of(model, halves[i]);
        if (end->port == 0 && e->ports == 1) end->port = 1;
        if (end->port == 0 && (two_port || e->ports == 0)) continue;
        if (end->port >= 1 && end->port <= e->ports) continue;
        fine = false;
        hbg_span span = end->span.end > 0 ? end->span : hbg_model_check_bond_span(check, halves[i] / 2);
        if (!hbg_model_check_first(check, HBG_E_PORT, span)) continue;
        const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element);
        hbg_diagnostic *report;
        if (e->ports == 0)
            report = hbg_base_report(check->diagnostics, HBG_E_PORT, span,
                                     "`%s` is a junction: it has no numbered ports", path);
        else if (end->port == 0)
            report = hbg_base_report(check->diagnostics, HBG_E_PORT, span, "`%s` has %d ports: which one?",
                                     path, (int)e->ports);
        else
            report = hbg_base_report(check->diagnostics, HBG_E_PORT, span, "`%s` has no port %d: it has %s%d",
                                     path, (int)end->port, e->ports > 1 ? "1 to " : "", (int)e->ports);
        hbg_base_report_note(check->diagnostics, report, e->id.span, "`%s` is declared here", path);
        if (e->ports == 0)
            hbg_base_report_fix(check->diagnostics, report, "write `%s`", path);
        else
            hbg_base_report_fix(check->diagnostics, report, "write `%s[1]`", path);
    }
    return fine;
}

static void report_direction(hbg_check *check, int32_t element, const int32_t *halves) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    hbg_span span = hbg_model_check_bond_span(check, halves[1] / 2);
    if (!hbg_model_check_first(check, HBG_E_DIRECTION, span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element);
    hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_DIRECTION, span,
                                             "both bonds of `%s` point %s: nothing says which one is port 1",
                                             path, halves[0] % 2 == 1 ? "in" : "out");
    hbg_base_report_note(check->diagnostics, report, hbg_model_check_bond_span(check, halves[0] / 2),
                         "the other bond is `%s`",
                         hbg_model_check_path(check, HBG_OBJECT_BOND, halves[0] / 2));
    hbg_base_report_note(check->diagnostics, report, e->id.span, "port 1 of a %s is the bond that points in",
                         hbg_model_element_info_get(e->form)->name);
    hbg_base_report_fix(check->diagnostics, report, "write `%s[1]` and `%s[2]`", path, path);
}

/* Gives the two bonds of a TF or GY their ports: as written, or port 1 is the bond that points in. */
static bool resolve_two_port(hbg_check *check, int32_t element, const int32_t *halves) {
    hbg_bond_end *a = end_of(check->model, halves[0]), *b = end_of(check->model, halves[1]);
    if (a->port == 0 && b->port == 0) {
        bool a_in = halves[0] % 2 == 1, b_in = halves[1] % 2 == 1;
        if (a_in == b_in) {
            report_direction(check, element, halves);
            return false;
        }
        a->port = a_in ? 1 : 2;
        b->port = b_in ? 1 : 2;
    }
    if (a->port == 0) a->port = 3 - b->port;
    if (b->port == 0) b->port = 3 - a->port;
    if (a->port != b->port) return true;
    report_two_bonds(check, element, a->port, halves[0], halves[1]);
    return false;
}

/* Whether every port has one bond; puts the bonds into port order. `by_port` has room for `count`. */
static void check_bijection(hbg_check *check, int32_t element, int32_t *halves, int32_t count,
                            int32_t *by_port) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    bool fine = true;
    for (int32_t i = 0; i < count; i++) by_port[i] = HBG_NONE;
    for (int32_t i = 0; i < count; i++) {
        int32_t port = end_of(model, halves[i])->port;
        if (port > count) continue; // then another port has no bond, or has two
        if (by_port[port - 1] >= 0) {
            report_two_bonds(check, element, port, by_port[port - 1], halves[i]);
            fine = false;
        } else {
            by_port[port - 1] = halves[i];
        }
    }
    int32_t missing = 0;
    while (missing < count && by_port[missing] >= 0) missing++;
    if (missing < e->ports) report_unbonded(check, element, missing + 1);
    if (!fine || missing < e->ports || count != e->ports) return;
    for (int32_t i = 0; i < count; i++) halves[i] = by_port[i];
}

static void check_ports(hbg_check *check, int32_t element, int32_t *by_port) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    int32_t *halves = &model->incidence[model->incidence_start[element]];
    int32_t count = model->incidence_start[element + 1] - model->incidence_start[element];
    if (!check_numbers(check, element, halves, count)) return;
    if (e->ports == 0) return;
    bool two_port = e->kind == HBG_KIND_TF || e->kind == HBG_KIND_GY;
    if (two_port && count > 2)
        report_two_bonds(check, element, 1, halves[0], halves[2]);
    else if (two_port && count < 2)
        report_unbonded(check, element, count == 1 && end_of(model, halves[0])->port != 2 ? 2 : 1);
    else if (!two_port || resolve_two_port(check, element, halves))
        check_bijection(check, element, halves, count, by_port);
}

/* ---- bonds, junctions, component ports ---------------------------------------------------------------- */

static void check_self_bonds(hbg_check *check) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        if (bond->from.element < 0 || bond->from.element != bond->to.element) continue;
        hbg_span span = hbg_model_check_bond_span(check, i);
        if (!hbg_model_check_first(check, HBG_E_BOND, span)) continue;
        hbg_base_report(check->diagnostics, HBG_E_BOND, span, "this bond joins `%s` to itself",
                        hbg_model_check_path(check, HBG_OBJECT_ELEMENT, bond->from.element));
    }
}

static void check_lonely(hbg_check *check, int32_t element) {
    const hbg_model *model = check->model;
    const hbg_element *e = &model->elements.items[element];
    int32_t count = model->incidence_start[element + 1] - model->incidence_start[element];
    if (count >= 2 || check->bonds_lost || !hbg_model_check_first(check, HBG_W_LONELY, e->id.span)) return;
    hbg_base_report(check->diagnostics, HBG_W_LONELY, e->id.span, "the %s `%s` has %s: it joins nothing",
                    hbg_model_element_info_get(e->form)->name,
                    hbg_model_check_path(check, HBG_OBJECT_ELEMENT, element),
                    count == 1 ? "only one bond" : "no bonds");
}

static void check_open_ports(hbg_check *check) {
    const hbg_model *model = check->model;
    for (int32_t i = 0; i < model->ports.count; i++) {
        const hbg_port *port = &model->ports.items[i];
        hbg_span span = model->scopes.items[port->id.scope].id.span; // the instance, not the component
        if (span.end == 0) span = port->id.span;
        if (port->bond >= 0 || check->bonds_lost) continue;
        const char *path = hbg_model_check_path(check, HBG_OBJECT_PORT, i);
        hbg_diagnostic *report =
            hbg_base_report(check->diagnostics, HBG_W_OPEN_PORT, span, "port `%s` is left open", path);
        hbg_base_report_note(check->diagnostics, report, port->id.span, "the port is declared here");
        hbg_base_report_fix(check->diagnostics, report, "join it: `%s -> node;`", path);
    }
}

/* Numbers the unnamed bonds between the same two ends, in order. */
static void number_twins(hbg_check *check) {
    hbg_model *model = check->model;
    int32_t *seen_from = HBG_NEW_ARRAY(check->scratch, int32_t, model->elements.count + 1);
    int32_t *seen = HBG_NEW_ARRAY(check->scratch, int32_t, model->elements.count + 1);
    for (int32_t from = 0; from < model->elements.count; from++) {
        for (int32_t i = model->incidence_start[from]; i < model->incidence_start[from + 1]; i++) {
            hbg_bond *bond = &model->bonds.items[model->incidence[i] / 2];
            int32_t to = bond->to.element;
            if (model->incidence[i] % 2 != 0 || to < 0 || bond->id.name != 0) continue;
            if (seen_from[to] != from + 1) seen[to] = 0;
            seen_from[to] = from + 1;
            bond->ordinal = ++seen[to];
        }
    }
}

/* ---- nets --------------------------------------------------------------------------------------------- */

static int32_t find_root(int32_t *parent, int32_t bond) {
    while (parent[bond] != bond) {
        parent[bond] = parent[parent[bond]];
        bond = parent[bond];
    }
    return bond;
}

/* Junctions join all their bonds into one net; elements with ports separate them. */
static void build_nets(hbg_check *check) {
    hbg_model *model = check->model;
    int32_t *parent = HBG_NEW_ARRAY(check->scratch, int32_t, model->bonds.count + 1);
    for (int32_t i = 0; i < model->bonds.count; i++) parent[i] = i;
    for (int32_t e = 0; e < model->elements.count; e++) {
        if (hbg_model_element_info_get(model->elements.items[e].form)->ports > 0) continue;
        for (int32_t i = model->incidence_start[e] + 1; i < model->incidence_start[e + 1]; i++) {
            int32_t a = find_root(parent, model->incidence[model->incidence_start[e]]);
            int32_t b = find_root(parent, model->incidence[i]);
            if (a < b) // the lower number stays, so that roots come before their bonds
                parent[b] = a;
            else
                parent[a] = b;
        }
    }
    model->net_count = 0;
    for (int32_t i = 0; i < model->bonds.count; i++) {
        int32_t root = find_root(parent, i);
        model->bonds.items[i].net = root == i ? model->net_count++ : model->bonds.items[root].net;
    }
    for (int32_t e = 0; e < model->elements.count; e++) {
        int32_t first = model->incidence_start[e];
        bool bonded = first < model->incidence_start[e + 1];
        model->elements.items[e].net = bonded ? model->bonds.items[model->incidence[first]].net : HBG_NONE;
    }
}

int32_t hbg_model_net(const hbg_model *model, int32_t element, int32_t port) {
    if (element < 0) return HBG_NONE;
    if (port <= 1) return model->elements.items[element].net;
    int32_t place = model->incidence_start[element] + port - 1;
    if (place >= model->incidence_start[element + 1]) return HBG_NONE;
    return model->bonds.items[model->incidence[place]].net;
}

void hbg_model_check_structure(hbg_check *check) {
    hbg_model *model = check->model;
    build_incidence(model);
    number_twins(check);
    check_self_bonds(check);
    int32_t *by_port = HBG_NEW_ARRAY(check->scratch, int32_t, 2 * model->bonds.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        check_ports(check, i, by_port);
        if (model->elements.items[i].ports == 0) check_lonely(check, i);
    }
    check_open_ports(check);
    for (int32_t i = 0; i < model->incidence_start[model->elements.count]; i++) model->incidence[i] /= 2;
    build_nets(check);
}
