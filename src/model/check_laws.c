/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Laws: every element has the value or the law its kind needs, for variables it has, one for each port;
 * initial values are given once; switching junctions are declared in a meaningful way. */
#include "model/model_impl.h"

typedef struct {
    hbg_check *check;
    hbg_pair_map bindings; /* (element, port and variable) -> binding, for elements with several */
    int32_t *visited;      /* by expression: law that was searched last, plus 1 */
    HBG_VEC(hbg_expr) stack;
} law_check;

static const char *path_of(law_check *laws, int32_t element) {
    return hbg_model_check_path(laws->check, HBG_OBJECT_ELEMENT, element);
}

static const hbg_element *element_of(const law_check *laws, int32_t element) {
    return &laws->check->model->elements.items[element];
}

/* "an effort source", "a capacitor" */
static const char *form_text(law_check *laws, hbg_element_kind form) {
    return hbg_model_check_article(laws->check, hbg_model_element_info_get(form)->name);
}

/* ---- values ------------------------------------------------------------------------------------------- */

static void report_no_value(law_check *laws, int32_t index) {
    const hbg_element *element = element_of(laws, index);
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    if (laws->check->had_errors || !hbg_model_check_first(laws->check, HBG_E_LAW, element->id.span)) return;
    const char *name = hbg_base_names_get(laws->check->model->names, element->id.name);
    bool has_laws = hbg_model_element_info_get(element->form)->field;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_LAW, element->id.span, "`%s` is %s without a value%s",
                        path_of(laws, index), form_text(laws, element->form), has_laws ? " or a law" : "");
    const char *kind = hbg_model_element_info_get(element->form)->text;
    if (has_laws)
        hbg_base_report_fix(diagnostics, report, "write `%s %s(value);` or `%s %s : %s = …;`", kind, name,
                            kind, name, element->kind == HBG_KIND_I ? "f" : "e");
    else
        hbg_base_report_fix(diagnostics, report, "write `%s %s(value);`", kind, name);
}

/* One value for several ports most likely means several elements. */
static void report_matrix(law_check *laws, int32_t index, int64_t wanted) {
    const hbg_model *model = laws->check->model;
    const hbg_element *element = &model->elements.items[index];
    int ports = (int)element->ports;
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    hbg_diagnostic *report = hbg_base_report(
        diagnostics, HBG_E_LAW, element->id.span,
        "`%s` has %d ports: its matrix has %d rows of %d values, %lld in all, not %d", path_of(laws, index),
        ports, ports, ports, (long long)wanted, (int)element->value_count);
    if (element->value_count == 1)
        hbg_base_report_fix(
            diagnostics, report,
            "%d elements of one port each are declared in a loop: `for i in 1 .. %d { %s %s[i](…); }`", ports,
            ports, hbg_model_element_info_get(element->form)->text,
            hbg_base_names_get(model->names, element->id.name));
}

static void check_values(law_check *laws, int32_t index) {
    const hbg_element *element = element_of(laws, index);
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    if (element->ports == 0) return; // a junction has none
    bool field = hbg_model_element_info_get(element->form)->field;
    int64_t wanted = field ? (int64_t)element->ports * element->ports : 1;
    if (element->value_count == 0 && element->law_count == 0) {
        report_no_value(laws, index);
        return;
    }
    if (element->value_count > 0 && element->law_count > 0) {
        if (!hbg_model_check_first(laws->check, HBG_E_LAW, element->id.span)) return;
        hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_LAW, element->id.span,
                                                 "`%s` has both a value and a law", path_of(laws, index));
        const hbg_binding *law = &laws->check->model->bindings.items[element->first_law];
        hbg_base_report_note(diagnostics, report, law->span, "the law is here");
        return;
    }
    if (element->law_count > 0 || element->value_count == wanted) return;
    if (!hbg_model_check_first(laws->check, HBG_E_LAW, element->id.span)) return;
    if (wanted == 1)
        hbg_base_report(diagnostics, HBG_E_LAW, element->id.span, "`%s` is %s: it has one value, not %d",
                        path_of(laws, index), form_text(laws, element->form), (int)element->value_count);
    else
        report_matrix(laws, index, wanted);
}

/* ---- laws --------------------------------------------------------------------------------------------- */

static const char *law_form(const hbg_element *element) {
    if (!hbg_model_element_info_get(element->form)->field) return "no law";
    switch (element->kind) {
    case HBG_KIND_R: return "`e = …` of f, `f = …` of e, or both";
    case HBG_KIND_C: return "`e = …` of q";
    case HBG_KIND_I: return "`f = …` of p";
    default: return "no law";
    }
}

static bool law_fits(const hbg_element *element, hbg_variable variable) {
    if (!hbg_model_element_info_get(element->form)->field) return false;
    switch (element->kind) {
    case HBG_KIND_R: return variable == HBG_VARIABLE_EFFORT || variable == HBG_VARIABLE_FLOW;
    case HBG_KIND_C: return variable == HBG_VARIABLE_EFFORT;
    case HBG_KIND_I: return variable == HBG_VARIABLE_FLOW;
    default: return false;
    }
}

static int32_t binding_key(hbg_variable variable, int32_t port) {
    return port * HBG_VARIABLE_COUNT + (int32_t)variable;
}

/* Enters the law under its variable and port, and under its port alone for fields. False: it is the second.
 */
static bool enter_law(law_check *laws, int32_t index, int32_t item) {
    const hbg_element *element = element_of(laws, index);
    const hbg_binding *law = &laws->check->model->bindings.items[item];
    hbg_variable slot = element->ports > 1 ? HBG_VARIABLE_EFFORT : law->variable;
    int32_t owner = hbg_base_pair_map_add(&laws->bindings, index, binding_key(slot, law->port), item);
    if (owner == item) return true;
    if (!hbg_model_check_first(laws->check, HBG_E_TWICE, law->span)) return false;
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    const char *path = path_of(laws, index);
    hbg_diagnostic *report =
        element->ports > 1 ? hbg_base_report(diagnostics, HBG_E_TWICE, law->span,
                                             "port %d of `%s` has two laws", (int)law->port, path)
                           : hbg_base_report(diagnostics, HBG_E_TWICE, law->span, "`%s` has two laws for %s",
                                             path, hbg_model_variable_text(law->variable));
    hbg_base_report_note(diagnostics, report, laws->check->model->bindings.items[owner].span,
                         "the first is here");
    return false;
}

/* Whether a leaf reads a variable of the element that one of its laws computes. */
static bool is_own_result(const law_check *laws, const hbg_binding *law, int32_t index,
                          const hbg_expr_node *leaf) {
    if ((leaf->op != HBG_OP_EFFORT && leaf->op != HBG_OP_FLOW) || leaf->a != index) return false;
    const hbg_element *element = element_of(laws, index);
    hbg_variable read = leaf->op == HBG_OP_EFFORT ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    if (element->ports == 1 || element->kind != HBG_KIND_R) return read == law->variable;
    int32_t other = hbg_base_pair_map_find(&laws->bindings, index, binding_key(HBG_VARIABLE_EFFORT, leaf->b));
    return other >= 0 && laws->check->model->bindings.items[other].variable == read;
}

/* The first leaf in the law that is_own_result, or HBG_NONE. */
static hbg_expr find_own_result(law_check *laws, int32_t index, int32_t item) {
    const hbg_model *model = laws->check->model;
    const hbg_binding *law = &model->bindings.items[item];
    laws->stack.count = 0;
    if (law->value >= 0) HBG_PUSH(laws->check->scratch, laws->stack, law->value);
    while (laws->stack.count > 0) {
        hbg_expr expr = laws->stack.items[--laws->stack.count];
        if (laws->visited[expr] == item + 1) continue;
        laws->visited[expr] = item + 1;
        const hbg_expr_node *node = &model->exprs.items[expr];
        if (is_own_result(laws, law, index, node)) return expr;
        for (int k = hbg_model_expr_arity(node) - 1; k >= 0; k--) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0) HBG_PUSH(laws->check->scratch, laws->stack, argument);
        }
    }
    return HBG_NONE;
}

static void check_own_use(law_check *laws, int32_t index, int32_t item) {
    const hbg_binding *law = &laws->check->model->bindings.items[item];
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    hbg_expr own = find_own_result(laws, index, item);
    if (own < 0) return;
    hbg_span span = hbg_model_check_span(laws->check, own, law->span);
    if (!hbg_model_check_first(laws->check, HBG_E_LAW, span)) return;
    const hbg_element *element = element_of(laws, index);
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_LAW, span, "the law of `%s` uses `%s`, which the law has to give",
                        path_of(laws, index), hbg_model_check_expr(laws->check, own));
    hbg_base_report_fix(diagnostics, report, "%s has %s", form_text(laws, element->form), law_form(element));
}

static bool check_law(law_check *laws, int32_t index, int32_t item) {
    const hbg_element *element = element_of(laws, index);
    const hbg_binding *law = &laws->check->model->bindings.items[item];
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    if (!law_fits(element, law->variable)) {
        if (!hbg_model_check_first(laws->check, HBG_E_LAW, law->span)) return false;
        hbg_diagnostic *report = hbg_base_report(
            diagnostics, HBG_E_LAW, law->span, "`%s` is %s: it cannot have a law for %s",
            path_of(laws, index), form_text(laws, element->form), hbg_model_variable_text(law->variable));
        hbg_base_report_fix(diagnostics, report, "%s has %s", form_text(laws, element->form),
                            law_form(element));
        return false;
    }
    if (law->port < 1 || law->port > element->ports) {
        if (hbg_model_check_first(laws->check, HBG_E_PORT, law->span))
            hbg_base_report(diagnostics, HBG_E_PORT, law->span, "`%s` has no port %d for this law",
                            path_of(laws, index), (int)law->port);
        return false;
    }
    return element->law_count == 1 || enter_law(laws, index, item);
}

static void check_element_laws(law_check *laws, int32_t index) {
    const hbg_element *element = element_of(laws, index);
    bool fine = true;
    for (int32_t i = 0; i < element->law_count; i++)
        fine = check_law(laws, index, element->first_law + i) && fine;
    if (!fine || element->law_count == 0) return;
    if (element->ports > 1 && element->law_count < element->ports &&
        hbg_model_check_first(laws->check, HBG_E_LAW, element->id.span))
        hbg_base_report(laws->check->diagnostics, HBG_E_LAW, element->id.span,
                        "`%s` has %d ports but %d law%s: each port needs one", path_of(laws, index),
                        (int)element->ports, (int)element->law_count, element->law_count == 1 ? "" : "s");
    if (!laws->visited)
        laws->visited = HBG_NEW_ARRAY(laws->check->scratch, int32_t, laws->check->model->exprs.count + 1);
    for (int32_t i = 0; i < element->law_count; i++) check_own_use(laws, index, element->first_law + i);
}

/* ---- initial values ----------------------------------------------------------------------------------- */

static bool initial_fits(hbg_element_kind kind, hbg_variable variable) {
    if (kind == HBG_KIND_C) return variable == HBG_VARIABLE_DISPLACEMENT || variable == HBG_VARIABLE_EFFORT;
    if (kind == HBG_KIND_I) return variable == HBG_VARIABLE_MOMENTUM || variable == HBG_VARIABLE_FLOW;
    return false;
}

static void check_initial(law_check *laws, int32_t index, int32_t item) {
    const hbg_element *element = element_of(laws, index);
    const hbg_binding *initial = &laws->check->model->bindings.items[item];
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    if (!initial_fits(element->kind, initial->variable)) {
        if (!hbg_model_check_first(laws->check, HBG_E_LAW, initial->span)) return;
        hbg_diagnostic *report = hbg_base_report(
            diagnostics, HBG_E_LAW, initial->span, "`%s` is %s: it cannot start from %s",
            path_of(laws, index), form_text(laws, element->form), hbg_model_variable_text(initial->variable));
        hbg_base_report_fix(diagnostics, report,
                            "a C starts from `q = …` or `e = …`, an I from `p = …` or `f = …`");
        return;
    }
    if (initial->port < 1 || initial->port > element->ports) {
        if (hbg_model_check_first(laws->check, HBG_E_PORT, initial->span))
            hbg_base_report(diagnostics, HBG_E_PORT, initial->span,
                            "`%s` has no port %d for this initial value", path_of(laws, index),
                            (int)initial->port);
        return;
    }
    if (element->initial_count == 1) return;
    // under a variable that laws never have, so that the two do not collide in the map
    int32_t key = binding_key(HBG_VARIABLE_MOMENTUM, initial->port);
    int32_t owner = hbg_base_pair_map_add(&laws->bindings, index, key, item);
    if (owner == item || !hbg_model_check_first(laws->check, HBG_E_TWICE, initial->span)) return;
    const char *path = path_of(laws, index);
    hbg_diagnostic *report =
        element->ports > 1
            ? hbg_base_report(diagnostics, HBG_E_TWICE, initial->span,
                              "port %d of `%s` starts from two values", (int)initial->port, path)
            : hbg_base_report(diagnostics, HBG_E_TWICE, initial->span, "`%s` starts from two values", path);
    hbg_base_report_note(diagnostics, report, laws->check->model->bindings.items[owner].span,
                         "the first is here");
    hbg_base_report_fix(diagnostics, report, "give the energy variable or the co-energy variable, not both");
}

/* ---- junctions ---------------------------------------------------------------------------------------- */

static void check_control(law_check *laws, int32_t index) {
    const hbg_element *element = element_of(laws, index);
    uint8_t flags = laws->check->flags[element->control];
    if (!(flags & HBG_EXPR_NOT_CONTROL) || (flags & HBG_EXPR_BROKEN)) return;
    hbg_expr offender = hbg_model_check_offender(laws->check, element->control, HBG_EXPR_NOT_CONTROL);
    hbg_span span = hbg_model_check_span(laws->check, offender, element->id.span);
    if (!hbg_model_check_first(laws->check, HBG_E_JUNCTION, span)) return;
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_JUNCTION, span,
                        "`%s` can switch with automata only, and `%s` is not the state of one",
                        path_of(laws, index), hbg_model_check_expr(laws->check, offender));
    hbg_base_report_fix(diagnostics, report,
                        "make it the guard of an automaton and write `when` with its name");
}

static void check_junction(law_check *laws, int32_t index) {
    const hbg_element *element = element_of(laws, index);
    hbg_diagnostics *diagnostics = laws->check->diagnostics;
    if (element->control >= 0) {
        check_control(laws, index);
        return;
    }
    if (laws->check->had_errors) return; // its condition may have been lost
    bool odd = element->restitution >= 0 || element->dual_off;
    if (!odd || !hbg_model_check_first(laws->check, HBG_E_JUNCTION, element->id.span)) return;
    hbg_diagnostic *report = hbg_base_report(
        diagnostics, HBG_E_JUNCTION, element->id.span, "`%s` never switches, so %s has no meaning",
        path_of(laws, index), element->restitution >= 0 ? "its `restitution`" : "its `off` behaviour");
    hbg_base_report_fix(diagnostics, report, "say when it is on: `when automaton`");
}

void hbg_model_check_laws(hbg_check *check) {
    law_check laws = {.check = check};
    hbg_base_pair_map_init(&laws.bindings, check->scratch);
    for (int32_t i = 0; i < check->model->elements.count; i++) {
        const hbg_element *element = &check->model->elements.items[i];
        check_values(&laws, i);
        check_element_laws(&laws, i);
        for (int32_t k = 0; k < element->initial_count; k++)
            check_initial(&laws, i, element->first_initial + k);
        if (element->ports == 0) check_junction(&laws, i);
    }
}
