/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration: a syntax tree of an expression becomes nodes of the model's expression graph. Names get their
 * meaning, literals their SI value; calls are in call.c. */
#include "lang/elaborate_impl.h"
#include "lang/unit_parts_impl.h"

#include <string.h>

static hbg_diagnostics *diagnostics_of(const hbg_lowering *lowering) {
    return lowering->elaborator->lang->diagnostics;
}

static const char *name_text(const hbg_lowering *lowering, hbg_name name) {
    return hbg_base_names_get(lowering->elaborator->lang->names, name);
}

static hbg_expr add(const hbg_lowering *lowering, hbg_operator op, int32_t a, int32_t b, int32_t c,
                    hbg_span span) {
    return hbg_model_add_expr(lowering->elaborator->model, op, a, b, c, span);
}

/* ---- observables -------------------------------------------------------------------------------------- */

#define ALONE "nothing below it: write its name alone"

static hbg_expr not_an_attribute(const hbg_lowering *lowering, const syntax_path *path, int32_t at,
                                 const char *of, const char *has) {
    const syntax_segment *segment = &path->segments[at < path->count ? at : path->count - 1];
    hbg_diagnostics *diagnostics = diagnostics_of(lowering);
    if (at >= path->count) {
        hbg_diagnostic *report = hbg_base_report(
            diagnostics, HBG_E_NOT_A, hbg_lang_path_span(path), "`%s` is %s %s and has no value of its own",
            hbg_lang_elaborate_path_text(lowering->elaborator, path), hbg_lang_elaborate_article(of), of);
        hbg_base_report_fix(diagnostics, report, "it has %s", has);
        return HBG_NONE;
    }
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNKNOWN, segment->span, "%s %s has no `%s`",
                        hbg_lang_elaborate_article(of), of, name_text(lowering, segment->name));
    hbg_base_report_fix(diagnostics, report, "it has %s", has);
    return HBG_NONE;
}

/* e, f, q, p of an element's port: the leaf operators are in the order of the variables. */
static hbg_operator variable_leaf(hbg_variable variable) {
    static const hbg_operator leaves[] = {HBG_OP_EFFORT, HBG_OP_FLOW, HBG_OP_DISPLACEMENT, HBG_OP_MOMENTUM};
    return leaves[variable];
}

static bool element_has(const hbg_element *element, hbg_variable variable) {
    switch (variable) {
    case HBG_VARIABLE_DISPLACEMENT: return element->kind == HBG_KIND_C;
    case HBG_VARIABLE_MOMENTUM: return element->kind == HBG_KIND_I;
    case HBG_VARIABLE_EFFORT: return element->kind != HBG_KIND_ONE;
    default: return element->kind != HBG_KIND_ZERO;
    }
}

static const char *element_attributes(hbg_element_kind kind) {
    switch (kind) {
    case HBG_KIND_ZERO:
        return "its common effort `.e`; the flow of one of its bonds is read from that bond or element";
    case HBG_KIND_ONE:
        return "its common flow `.f`; the effort of one of its bonds is read from that bond or element";
    case HBG_KIND_C: return "`.e`, `.f`, `.q`, `.energy` and `.power`";
    case HBG_KIND_I: return "`.e`, `.f`, `.p`, `.energy` and `.power`";
    default: return "`.e`, `.f` and `.power`";
    }
}

static hbg_expr element_port_missing(const hbg_lowering *lowering, const syntax_path *path,
                                     const hbg_element *element) {
    const char *name = name_text(lowering, element->id.name);
    hbg_diagnostic *report =
        hbg_base_report(diagnostics_of(lowering), HBG_E_PORT, hbg_lang_path_span(path),
                        "`%s` has %d ports: say which one is meant", name, element->ports);
    hbg_base_report_fix(diagnostics_of(lowering), report, "write `%s[1].%s`", name,
                        name_text(lowering, path->segments[path->count - 1].name));
    return HBG_NONE;
}

static hbg_expr lower_element(const hbg_lowering *lowering, const syntax_path *path, hbg_resolved found) {
    hbg_elaborator *elaborator = lowering->elaborator;
    const hbg_element *element = &elaborator->model->elements.items[found.object.index];
    const char *of = hbg_model_element_info_get(element->form)->name;
    if (found.used + 1 != path->count)
        return not_an_attribute(lowering, path, found.used, of, element_attributes(element->kind));
    if (found.index != HBG_NONE && found.index > element->ports) {
        hbg_base_report(diagnostics_of(lowering), HBG_E_PORT, hbg_lang_path_span(path), "`%s` has no port %d",
                        name_text(lowering, element->id.name), found.index);
        return HBG_NONE;
    }
    hbg_name attribute = path->segments[found.used].name;
    hbg_variable variable = hbg_lang_elaborate_variable(elaborator, attribute);
    const char *text = name_text(lowering, attribute);
    bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
    if (strcmp(text, "energy") == 0 && storage && found.index == HBG_NONE)
        return add(lowering, HBG_OP_ENERGY, found.object.index, HBG_NONE, HBG_NONE, hbg_lang_path_span(path));
    bool power = strcmp(text, "power") == 0 && element->ports > 0;
    if (!power && (variable == HBG_VARIABLE_COUNT || !element_has(element, variable)))
        return not_an_attribute(lowering, path, found.used, of, element_attributes(element->kind));
    if (element->ports > 1 && found.index == HBG_NONE) return element_port_missing(lowering, path, element);
    int32_t port = element->ports == 0 ? 0 : found.index == HBG_NONE ? 1 : found.index;
    return add(lowering, power ? HBG_OP_POWER : variable_leaf(variable), found.object.index, port, HBG_NONE,
               hbg_lang_path_span(path));
}

static hbg_expr lower_bond(const hbg_lowering *lowering, const syntax_path *path, int32_t bond, int32_t used,
                           const char *of) {
    if (used + 1 == path->count) {
        const char *text = name_text(lowering, path->segments[used].name);
        if (strcmp(text, "e") == 0)
            return add(lowering, HBG_OP_BOND_EFFORT, bond, HBG_NONE, HBG_NONE, hbg_lang_path_span(path));
        if (strcmp(text, "f") == 0)
            return add(lowering, HBG_OP_BOND_FLOW, bond, HBG_NONE, HBG_NONE, hbg_lang_path_span(path));
        if (strcmp(text, "power") == 0)
            return add(lowering, HBG_OP_BOND_POWER, bond, HBG_NONE, HBG_NONE, hbg_lang_path_span(path));
    }
    return not_an_attribute(lowering, path, used, of, "`.e`, `.f` and `.power`");
}

static hbg_expr lower_port(const hbg_lowering *lowering, const syntax_path *path, hbg_resolved found) {
    int32_t bond = lowering->elaborator->model->ports.items[found.object.index].bond;
    if (bond != HBG_NONE) return lower_bond(lowering, path, bond, found.used, "port");
    hbg_diagnostic *report =
        hbg_base_report(diagnostics_of(lowering), HBG_E_UNBONDED, hbg_lang_path_span(path),
                        "port `%s` is open: it has no effort or flow",
                        hbg_lang_elaborate_name_of(lowering->elaborator, found.object));
    hbg_base_report_fix(diagnostics_of(lowering), report, "bond it inside and outside its component");
    return HBG_NONE;
}

static hbg_expr lower_automaton(const hbg_lowering *lowering, const syntax_path *path, hbg_resolved found) {
    if (found.used == path->count)
        return add(lowering, HBG_OP_AUTOMATON, found.object.index, HBG_NONE, HBG_NONE,
                   hbg_lang_path_span(path));
    const syntax_segment *segment = &path->segments[found.used];
    if (found.used + 1 < path->count)
        return not_an_attribute(lowering, path, found.used + 1, "state", "nothing below it");
    int32_t state =
        hbg_lang_elaborate_find_state(lowering->elaborator, found.object.index, segment->name, segment->span);
    if (state == HBG_NONE) return HBG_NONE;
    return add(lowering, HBG_OP_ACTIVE, found.object.index, state, HBG_NONE, hbg_lang_path_span(path));
}

static hbg_expr lower_object(const hbg_lowering *lowering, const syntax_path *path, hbg_resolved found) {
    hbg_span span = hbg_lang_path_span(path);
    switch (found.object.kind) {
    case HBG_OBJECT_PARAM:
        if (found.used < path->count) return not_an_attribute(lowering, path, found.used, "parameter", ALONE);
        return add(lowering, HBG_OP_PARAM, found.object.index, HBG_NONE, HBG_NONE, span);
    case HBG_OBJECT_SIGNAL:
        if (found.used < path->count) return not_an_attribute(lowering, path, found.used, "signal", ALONE);
        return add(lowering, HBG_OP_SIGNAL, found.object.index, HBG_NONE, HBG_NONE, span);
    case HBG_OBJECT_ELEMENT: return lower_element(lowering, path, found);
    case HBG_OBJECT_BOND: return lower_bond(lowering, path, found.object.index, found.used, "bond");
    case HBG_OBJECT_PORT: return lower_port(lowering, path, found);
    case HBG_OBJECT_AUTOMATON: return lower_automaton(lowering, path, found);
    default:
        return not_an_attribute(lowering, path, path->count, "component", "members: name one after a `.`");
    }
}

/* ---- names -------------------------------------------------------------------------------------------- */

/* The argument of the present call of a function; false if the function has no such argument. */
static bool lower_argument(const hbg_lowering *lowering, const syntax_path *path, hbg_expr *result) {
    if (!lowering->frame || path->count != 1) return false;
    const syntax_function *function = lowering->frame->function->function;
    for (int32_t i = 0; i < function->parameters.count; i++) {
        if (function->parameters.items[i].name != path->segments[0].name) continue;
        *result = lowering->frame->arguments[i];
        return true;
    }
    return false;
}

/* In a law, `e` `f` `q` `p` are the element's own. */
static bool lower_own_variable(const hbg_lowering *lowering, const syntax_path *path, hbg_expr *result) {
    if (lowering->element == HBG_NONE || path->count != 1) return false;
    const hbg_element *element = &lowering->elaborator->model->elements.items[lowering->element];
    const char *text = name_text(lowering, path->segments[0].name);
    if (strlen(text) != 1 || !strchr(hbg_model_element_info_get(element->form)->variables, text[0]))
        return false;
    int32_t port = path->segments[0].index;
    if (port == HBG_NONE && element->ports == 1) port = 1;
    *result = HBG_NONE;
    if (port == HBG_NONE || port > element->ports) {
        hbg_base_report(diagnostics_of(lowering), HBG_E_PORT, hbg_lang_path_span(path),
                        "say which of the %d ports is meant: `%s[1]`", element->ports, text);
        return true;
    }
    hbg_variable variable = hbg_lang_elaborate_variable(lowering->elaborator, path->segments[0].name);
    *result =
        add(lowering, variable_leaf(variable), lowering->element, port, HBG_NONE, hbg_lang_path_span(path));
    return true;
}

/* In a law, a letter that is a variable of other elements and not the name of anything else. */
static bool is_foreign_variable(const hbg_lowering *lowering, const syntax_path *path) {
    if (lowering->element == HBG_NONE || path->count != 1) return false;
    hbg_elaborator *elaborator = lowering->elaborator;
    hbg_name name = path->segments[0].name;
    if (hbg_lang_elaborate_variable(elaborator, name) == HBG_VARIABLE_COUNT) return false;
    if (hbg_model_find(elaborator->model, lowering->scope, name).kind != HBG_OBJECT_NONE) return false;
    const hbg_element *element = &elaborator->model->elements.items[lowering->element];
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    hbg_base_report(diagnostics_of(lowering), HBG_E_LAW, hbg_lang_path_span(path),
                    "a law of %s %s is about %c and %c: it cannot use `%s`",
                    hbg_lang_elaborate_article(info->name), info->name, info->variables[0],
                    info->variables[1], name_text(lowering, name));
    return true;
}

static hbg_expr lower_path(const hbg_lowering *lowering, const syntax_path *path) {
    hbg_expr result;
    if (lower_argument(lowering, path, &result) || lower_own_variable(lowering, path, &result)) return result;
    if (path->count == 1) {
        const char *text = name_text(lowering, path->segments[0].name);
        if (strcmp(text, "time") == 0)
            return add(lowering, HBG_OP_TIME, HBG_NONE, HBG_NONE, HBG_NONE, hbg_lang_path_span(path));
        if (strcmp(text, "pi") == 0)
            return add(lowering, HBG_OP_PI, HBG_NONE, HBG_NONE, HBG_NONE, hbg_lang_path_span(path));
    }
    if (lowering->scope == HBG_NONE) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics_of(lowering), HBG_E_UNKNOWN, hbg_lang_path_span(path),
                            "a function at the top of a file knows only its arguments, not `%s`",
                            hbg_lang_elaborate_path_text(lowering->elaborator, path));
        hbg_base_report_fix(diagnostics_of(lowering), report,
                            "make it an argument, or declare the function in the model");
        return HBG_NONE;
    }
    if (is_foreign_variable(lowering, path)) return HBG_NONE;
    hbg_resolved found;
    if (!hbg_lang_elaborate_resolve_value(lowering->elaborator, lowering->scope, path, &found))
        return HBG_NONE;
    return lower_object(lowering, path, found);
}

/* ---- literals ----------------------------------------------------------------------------------------- */

static hbg_expr lower_bad_number(const hbg_lowering *lowering, const syntax_expr *expr) {
    hbg_base_report(diagnostics_of(lowering), HBG_E_NUMBER, expr->span,
                    "this number cannot be read: it has more than %d digits or an exponent beyond %d",
                    HBG_DECIMAL_DIGITS, HBG_DECIMAL_EXPONENT);
    return HBG_NONE;
}

/* The digits may belong to a unit, whose memory ends with the reading. */
static hbg_decimal kept(hbg_model *model, hbg_decimal value) {
    value.digits = hbg_base_arena_copy(model->arena, value.digits, strlen(value.digits));
    return value;
}

static hbg_expr lower_number(const hbg_lowering *lowering, const syntax_expr *expr, bool negative) {
    hbg_elaborator *elaborator = lowering->elaborator;
    hbg_model *model = elaborator->model;
    const char *text = hbg_lang_elaborate_text(elaborator, expr->span);
    hbg_decimal value;
    if (!hbg_base_decimal_parse(model->arena, text, strlen(text), &value))
        return lower_bad_number(lowering, expr);
    value.negative = negative && value.digits[0] != '0';
    if (expr->unit.end == 0) return hbg_model_add_number(model, value, hbg_model_dimension_any, expr->span);
    hbg_span span = hbg_base_span_join(expr->span, expr->unit);
    const hbg_unit *unit = hbg_lang_elaborate_unit(elaborator, expr->unit);
    if (!unit) return HBG_NONE;
    hbg_multiple exact = {0};
    bool inexact = hbg_lang_unit_multiple(model->arena, *unit, value, &exact);
    if (!hbg_lang_unit_to_si(model->arena, *unit, value, &value)) return lower_bad_number(lowering, expr);
    hbg_expr number = hbg_model_add_number(model, kept(model, value), unit->dimension, span);
    hbg_literal *literal = &model->literals.items[model->literals.count - 1];
    if (inexact) {
        hbg_multiple *kept_exact = HBG_NEW(model->arena, hbg_multiple);
        *kept_exact = (hbg_multiple){kept(model, exact.times), kept(model, exact.divisor), exact.pi_power};
        literal->exact = kept_exact;
    }
    literal->unit = hbg_lang_elaborate_unit_label(elaborator, expr->unit);
    literal->scale = !unit->logarithmic && hbg_lang_unit_alone(unit);
    return number;
}

/* Whether a sign before the number belongs to it: -20 [degC] is not the negative of 20 [degC]. */
static bool owns_sign(const hbg_lowering *lowering, const syntax_expr *expr) {
    if (expr->kind != SYNTAX_NUMBER || expr->unit.end == 0) return false;
    const hbg_unit *unit = hbg_lang_elaborate_unit(lowering->elaborator, expr->unit);
    return unit && hbg_lang_unit_alone(unit);
}

/* ---- operators ---------------------------------------------------------------------------------------- */

/* Long sums are left-deep: their spine is walked in a loop, so that 10^6 terms need no stack. */
static hbg_expr lower_operator(const hbg_lowering *lowering, const syntax_expr *expr) {
    if (expr->op == HBG_OP_NEGATE && owns_sign(lowering, expr->arguments[0]))
        return lower_number(lowering, expr->arguments[0], true);
    if (expr->argument_count != 2) {
        hbg_expr arguments[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
        for (int32_t i = 0; i < expr->argument_count; i++)
            arguments[i] = hbg_lang_elaborate_lower(lowering, expr->arguments[i]);
        for (int32_t i = 0; i < expr->argument_count; i++)
            if (arguments[i] == HBG_NONE) return HBG_NONE;
        return add(lowering, expr->op, arguments[0], arguments[1], arguments[2], expr->span);
    }
    HBG_VEC(const syntax_expr *) spine = {0};
    const syntax_expr *leftmost = expr;
    while (leftmost->kind == SYNTAX_OPERATOR && leftmost->argument_count == 2) {
        HBG_PUSH(lowering->elaborator->arena, spine, leftmost);
        leftmost = leftmost->arguments[0];
    }
    hbg_expr left = hbg_lang_elaborate_lower(lowering, leftmost);
    for (int32_t i = spine.count - 1; i >= 0; i--) {
        const syntax_expr *operation = spine.items[i];
        hbg_expr right = hbg_lang_elaborate_lower(lowering, operation->arguments[1]);
        bool good = left != HBG_NONE && right != HBG_NONE;
        left = good ? add(lowering, operation->op, left, right, HBG_NONE, operation->span) : HBG_NONE;
    }
    return left;
}

static hbg_expr lower_any(const hbg_lowering *lowering, const syntax_expr *expr) {
    switch (expr->kind) {
    case SYNTAX_NUMBER: return lower_number(lowering, expr, false);
    case SYNTAX_INTEGER: {
        hbg_decimal value =
            hbg_base_decimal_of_double(lowering->elaborator->model->arena, (double)expr->integer);
        return hbg_model_add_number(lowering->elaborator->model, value, hbg_model_dimension_any, expr->span);
    }
    case SYNTAX_BOOLEAN: return add(lowering, expr->op, HBG_NONE, HBG_NONE, HBG_NONE, expr->span);
    case SYNTAX_PATH: return lower_path(lowering, &expr->path);
    case SYNTAX_CALL: return hbg_lang_elaborate_call(lowering, expr);
    case SYNTAX_OPERATOR: return lower_operator(lowering, expr);
    case SYNTAX_STRING: {
        hbg_diagnostic *report = hbg_base_report(
            diagnostics_of(lowering), HBG_E_TYPE, expr->span,
            "a text is no value: it can only name a file or column of `table`, or be given to a parameter "
            "whose default is a text");
        hbg_base_report_fix(diagnostics_of(lowering), report, "write `table(\"load.csv\", \"current\")`");
        return HBG_NONE;
    }
    default: return HBG_NONE;
    }
}

hbg_expr hbg_lang_elaborate_lower(const hbg_lowering *lowering, const syntax_expr *expr) {
    hbg_elaborator *elaborator = lowering->elaborator;
    if (!expr || elaborator->too_large) return HBG_NONE;
    // the parser bounds the depth of a text, but functions add theirs
    if (elaborator->depth >= HBG_LANG_LOWER_LIMIT) {
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_NESTING, expr->span,
                        "with its functions unfolded, this expression is nested deeper than %d levels",
                        HBG_LANG_LOWER_LIMIT);
        return HBG_NONE;
    }
    elaborator->depth++;
    hbg_expr result = lower_any(lowering, expr);
    elaborator->depth--;
    return result;
}
