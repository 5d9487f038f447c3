/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that decide what parts a model has: sizes of arrays, ends of loops, conditions, indices. They are
 * needed before any part exists, so they are computed from the syntax: from numbers, loop variables and
 * parameters, which an instance may be given by the one that contains it, and the model by the command line.
 * A parameter used here is remembered: nothing later, neither a sweep nor an experiment, can change it. */
#include "lang/elaborate_impl.h"
#include "rt/operator.h"

#include <math.h>
#include <string.h>

#define PARAMETER_DEPTH 64 /* parameters that are given by parameters, functions that call functions */

typedef struct {
    hbg_elaborator *elaborator;
    const char *what; /* "the size of an array": begins the message */
    int depth;
} reading;

static bool read_value(reading *r, int32_t scope, const hbg_loop *loop, const syntax_expr *expr,
                       double *value);

static const char *name_text(const reading *r, hbg_name name) {
    return hbg_base_names_get(r->elaborator->lang->names, name);
}

static bool refuse(reading *r, hbg_span span, const char *reason) {
    hbg_diagnostics *diagnostics = r->elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_NOT_CONSTANT, span,
                        "%s has to be known before the model has any parts: %s", r->what, reason);
    hbg_base_report_fix(diagnostics, report, "use numbers, loop variables and parameters");
    return false;
}

/* ---- names ---------------------------------------------------------------------------------------------- */

const syntax_expr *hbg_lang_elaborate_asked(hbg_elaborator *elaborator, int32_t scope, hbg_name name) {
    for (int32_t i = elaborator->overrides.count - 1; i >= 0; i--) {
        const syntax_path *path = &elaborator->overrides.items[i].setting.target;
        int32_t at = scope, k = path->count - 1;
        if (path->segments[k].name != name || path->segments[k].index != HBG_NONE) continue;
        while (k > 0 && at > 0) {
            const syntax_segment *segment = &path->segments[--k];
            if (hbg_lang_elaborate_indexed(elaborator, segment->name, segment->index) !=
                elaborator->instances.items[at].instance->name)
                break;
            at = elaborator->instances.items[at].parent;
        }
        if (at == 0 && k == 0) return elaborator->overrides.items[i].setting.value;
    }
    return NULL;
}

static const syntax_declaration *find_parameter(const syntax_definition *definition, hbg_name name,
                                                int32_t *index) {
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        *index = i;
        if (declaration->name == name && declaration->kind == DECLARE_PARAM && !declaration->indices)
            return declaration;
    }
    return NULL;
}

const syntax_expr *hbg_lang_elaborate_given(const hbg_instance *instance, hbg_name name) {
    if (!instance->instance) return NULL;
    const syntax_arguments *arguments = &instance->instance->instance->arguments;
    for (int32_t i = 0; i < arguments->count; i++)
        if (arguments->items[i].name == name && arguments->items[i].index == HBG_NONE)
            return arguments->items[i].value;
    return NULL;
}

static bool read_parameter(reading *r, int32_t scope, const syntax_segment *segment, double *value) {
    const hbg_instance *instance = &r->elaborator->instances.items[scope];
    int32_t index, known = hbg_base_pair_map_find(&r->elaborator->structural_params, scope, segment->name);
    if (known >= 0) {
        *value = r->elaborator->structural.items[known].value;
        return true;
    }
    const syntax_declaration *declaration = find_parameter(instance->definition, segment->name, &index);
    if (!declaration)
        return refuse(
            r, segment->span,
            hbg_base_arena_print(r->elaborator->arena, "`%s` is no parameter", name_text(r, segment->name)));
    if (r->depth >= PARAMETER_DEPTH)
        return refuse(r, segment->span, "its parameters are defined by each other");
    const syntax_expr *asked = hbg_lang_elaborate_asked(r->elaborator, scope, segment->name);
    const syntax_expr *given =
        index < instance->definition->header_count ? hbg_lang_elaborate_given(instance, segment->name) : NULL;
    const syntax_expr *expr = asked ? asked : given ? given : declaration->param;
    if (!expr)
        return refuse(r, segment->span,
                      hbg_base_arena_print(r->elaborator->arena, "parameter `%s` has no value",
                                           name_text(r, segment->name)));
    r->depth++;
    bool good = read_value(r, asked ? 0 : given ? instance->parent : scope, NULL, expr, value);
    r->depth--;
    if (!good) return false;
    hbg_structural found = {scope, segment->name, *value};
    (void)hbg_base_pair_map_add(&r->elaborator->structural_params, scope, segment->name,
                                r->elaborator->structural.count);
    HBG_PUSH(r->elaborator->arena, r->elaborator->structural, found);
    return true;
}

static bool read_path(reading *r, int32_t scope, const hbg_loop *loop, const syntax_expr *expr,
                      double *value) {
    const syntax_segment *first = &expr->path.segments[0];
    if (expr->path.count > 1 || first->index != HBG_NONE || first->indices)
        return refuse(r, expr->span,
                      hbg_base_arena_print(r->elaborator->arena, "`%s` is no parameter beside it",
                                           hbg_lang_elaborate_text(r->elaborator, expr->span)));
    for (; loop; loop = loop->outer)
        if (loop->name == first->name) {
            *value = loop->value;
            return true;
        }
    if (strcmp(name_text(r, first->name), "pi") == 0) {
        *value = hbg_rt_evaluate(HBG_OP_PI, 0, 0, 0);
        return true;
    }
    if (strcmp(name_text(r, first->name), "time") == 0) return refuse(r, expr->span, "time passes in a run");
    if (scope == HBG_NONE)
        return refuse(r, expr->span, "a function at the top of a file knows only its arguments");
    return read_parameter(r, scope, first, value);
}

/* ---- numbers, operators, functions -------------------------------------------------------------------------- */

static bool read_number(reading *r, const syntax_expr *expr, double *value) {
    hbg_elaborator *elaborator = r->elaborator;
    const char *text = hbg_lang_elaborate_text(elaborator, expr->span);
    hbg_decimal decimal;
    if (!hbg_base_decimal_parse(elaborator->arena, text, strlen(text), &decimal))
        return refuse(r, expr->span, "this number cannot be read");
    if (expr->unit.end > 0) {
        const hbg_unit *unit = hbg_lang_elaborate_unit(elaborator, expr->unit);
        if (!unit) return false;
        if (!hbg_lang_unit_to_si(elaborator->arena, *unit, decimal, &decimal))
            return refuse(r, expr->span, "this number cannot be read");
    }
    *value = hbg_base_decimal_to_double(decimal);
    return true;
}

/* Whether the operator makes a number of numbers. */
static bool is_plain(hbg_operator op) {
    return op >= HBG_OP_OR && op < HBG_OP_TABLE;
}

/* Chains such as a + b + c lean to the left: they are walked in a loop, however long they are. */
static bool read_operator(reading *r, int32_t scope, const hbg_loop *loop, const syntax_expr *expr,
                          double *value) {
    HBG_VEC(const syntax_expr *) spine = {0};
    while (expr->kind == SYNTAX_OPERATOR) {
        HBG_PUSH(r->elaborator->arena, spine, expr);
        expr = expr->arguments[0];
    }
    if (!read_value(r, scope, loop, expr, value)) return false;
    for (int32_t i = spine.count - 1; i >= 0; i--) {
        double others[2] = {0, 0};
        for (int32_t k = 1; k < spine.items[i]->argument_count; k++)
            if (!read_value(r, scope, loop, spine.items[i]->arguments[k], &others[k - 1])) return false;
        *value = hbg_rt_evaluate(spine.items[i]->op, *value, others[0], others[1]);
    }
    return true;
}

static bool read_builtin(reading *r, int32_t scope, const hbg_loop *loop, const syntax_expr *expr,
                         hbg_operator op, double *value) {
    const hbg_operator_info *info = hbg_model_operator_info_get(op);
    bool many = op == HBG_OP_MIN || op == HBG_OP_MAX;
    if (!is_plain(op))
        return refuse(r, expr->span,
                      hbg_base_arena_print(r->elaborator->arena, "`%s` has a value in a run", info->text));
    if (expr->argument_count != info->arity && !(many && expr->argument_count > 2))
        return refuse(r, expr->span,
                      hbg_base_arena_print(r->elaborator->arena, "`%s` takes %d argument%s", info->text,
                                           info->arity, info->arity == 1 ? "" : "s"));
    if (!read_value(r, scope, loop, expr->arguments[0], value)) return false;
    if (info->arity == 1) *value = hbg_rt_evaluate(op, *value, 0, 0);
    for (int32_t i = 1; i < expr->argument_count; i++) {
        double other;
        if (!read_value(r, scope, loop, expr->arguments[i], &other)) return false;
        *value = hbg_rt_evaluate(op, *value, other, 0);
    }
    return true;
}

/* Arguments of a function are bound like variables of a loop. */
static bool read_function(reading *r, int32_t scope, const hbg_loop *loop, const syntax_expr *expr,
                          double *value) {
    hbg_elaborator *elaborator = r->elaborator;
    int32_t inner, index = -1;
    if (scope != HBG_NONE)
        index = hbg_base_pair_map_find(&elaborator->function_names,
                                       elaborator->instances.items[scope].definition->number,
                                       expr->function->name);
    inner = index < 0 ? HBG_NONE : scope;
    if (index < 0) index = hbg_base_pair_map_find(&elaborator->function_names, -1, expr->function->name);
    const char *name = name_text(r, expr->function->name);
    if (index < 0)
        return refuse(r, expr->span,
                      hbg_base_arena_print(elaborator->arena, "there is no function `%s`", name));
    const syntax_function *function = elaborator->functions.items[index]->function;
    if (expr->argument_count != function->parameters.count || !function->body)
        return refuse(r, expr->span,
                      hbg_base_arena_print(elaborator->arena, "`%s` takes %d argument%s", name,
                                           function->parameters.count,
                                           function->parameters.count == 1 ? "" : "s"));
    if (r->depth >= PARAMETER_DEPTH) return refuse(r, expr->span, "its functions call each other");
    hbg_loop *bound = HBG_NEW_ARRAY(elaborator->arena, hbg_loop, expr->argument_count + 1);
    for (int32_t i = 0; i < expr->argument_count; i++) {
        bound[i] = (hbg_loop){function->parameters.items[i].name, 0, i ? &bound[i - 1] : NULL};
        if (!read_value(r, scope, loop, expr->arguments[i], &bound[i].value)) return false;
    }
    r->depth++;
    bool good = read_value(r, inner, expr->argument_count ? &bound[expr->argument_count - 1] : NULL,
                           function->body, value);
    r->depth--;
    return good;
}

static bool read_value(reading *r, int32_t scope, const hbg_loop *loop, const syntax_expr *expr,
                       double *value) {
    *value = NAN;
    switch (expr->kind) {
    case SYNTAX_NUMBER: return read_number(r, expr, value);
    case SYNTAX_INTEGER: *value = (double)expr->integer; return true;
    case SYNTAX_BOOLEAN: *value = expr->op == HBG_OP_TRUE; return true;
    case SYNTAX_PATH: return read_path(r, scope, loop, expr, value);
    case SYNTAX_OPERATOR: return read_operator(r, scope, loop, expr, value);
    case SYNTAX_CALL: {
        const char *text = name_text(r, expr->function->name);
        hbg_operator op = hbg_model_operator_find_function(text, strlen(text));
        return op != HBG_OP_COUNT ? read_builtin(r, scope, loop, expr, op, value)
                                  : read_function(r, scope, loop, expr, value);
    }
    case SYNTAX_STRING: return refuse(r, expr->span, "a text is no number");
    default: return false; // reported by the parser
    }
}

/* ---- the door ----------------------------------------------------------------------------------------------- */

bool hbg_lang_elaborate_structural(hbg_elaborator *elaborator, int32_t scope, const hbg_loop *loop,
                                   const syntax_expr *expr, const char *what, double *value) {
    reading r = {elaborator, what, 0};
    if (!read_value(&r, scope, loop, expr, value)) return false;
    if (isfinite(*value)) return true;
    hbg_base_report(elaborator->lang->diagnostics, HBG_E_VALUE, expr->span, "%s has no finite value", what);
    return false;
}

bool hbg_lang_elaborate_whole(hbg_elaborator *elaborator, int32_t scope, const hbg_loop *loop,
                              const syntax_expr *expr, const char *what, int64_t *value) {
    double number;
    if (!hbg_lang_elaborate_structural(elaborator, scope, loop, expr, what, &number)) return false;
    *value = (int64_t)fmax(fmin(round(number), 1e15), -1e15);
    if (number == (double)*value) return true;
    hbg_base_report(elaborator->lang->diagnostics, HBG_E_VALUE, expr->span,
                    "%s has to be a whole number, not %g", what, number);
    return false;
}

void hbg_lang_elaborate_mark_structural(hbg_elaborator *elaborator) {
    hbg_model *model = elaborator->model;
    for (int32_t i = 0; i < elaborator->structural.count; i++) {
        const hbg_structural *used = &elaborator->structural.items[i];
        hbg_object object = hbg_model_find(model, used->scope, used->name);
        if (object.kind != HBG_OBJECT_PARAM) continue;
        model->params.items[object.index].structural = true;
        model->params.items[object.index].used = true;
    }
}
