/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration of calls: the functions of the language become operators; the user's functions are unfolded
 * with their arguments shared, within bounds on depth and size. */
#include "lang/elaborate_impl.h"

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

/* ---- functions of the language -------------------------------------------------------------------------- */

static hbg_diagnostic *wrong_count(const hbg_lowering *lowering, const syntax_expr *expr, const char *name,
                                   int takes) {
    return hbg_base_report(diagnostics_of(lowering), HBG_E_ARGUMENT, expr->span,
                           "`%s` takes %d argument%s, not %d", name, takes, takes == 1 ? "" : "s",
                           expr->argument_count);
}

/* in(slip.stuck, expression) */
static hbg_expr lower_in(const hbg_lowering *lowering, const syntax_expr *expr) {
    if (expr->argument_count != 2) {
        wrong_count(lowering, expr, "in", 2);
        return HBG_NONE;
    }
    const syntax_expr *where = expr->arguments[0];
    hbg_expr state = where->kind == SYNTAX_PATH ? hbg_lang_elaborate_lower(lowering, where) : HBG_NONE;
    if (where->kind == SYNTAX_PATH && state == HBG_NONE) return HBG_NONE;
    const hbg_expr_node *node = state == HBG_NONE ? NULL : &lowering->elaborator->model->exprs.items[state];
    if (!node || node->op != HBG_OP_ACTIVE) {
        hbg_diagnostic *report = hbg_base_report(diagnostics_of(lowering), HBG_E_ARGUMENT, where->span,
                                                 "the first argument of `in` is a state of an automaton");
        hbg_base_report_fix(diagnostics_of(lowering), report, "write `in(slip.stuck, …)`");
        return HBG_NONE;
    }
    int32_t automaton = node->a, index = node->b;
    hbg_expr value = hbg_lang_elaborate_lower(lowering, expr->arguments[1]);
    return value == HBG_NONE ? HBG_NONE : add(lowering, HBG_OP_IN, value, automaton, index, expr->span);
}

/* table("file", "column") of time, or table("file", "column", x) */
static hbg_expr lower_table(const hbg_lowering *lowering, const syntax_expr *expr) {
    int32_t table = hbg_lang_elaborate_table(lowering->elaborator, lowering->scope, expr);
    if (table == HBG_NONE) return HBG_NONE;
    hbg_expr argument = expr->argument_count == 3
                            ? hbg_lang_elaborate_lower(lowering, expr->arguments[2])
                            : add(lowering, HBG_OP_TIME, HBG_NONE, HBG_NONE, HBG_NONE, expr->span);
    return argument == HBG_NONE ? HBG_NONE
                                : add(lowering, HBG_OP_TABLE, argument, table, HBG_NONE, expr->span);
}

/* min and max take any number of arguments; the operator table knows two at a time. */
static hbg_expr lower_builtin(const hbg_lowering *lowering, const syntax_expr *expr, hbg_operator op) {
    if (op == HBG_OP_IN) return lower_in(lowering, expr);
    if (op == HBG_OP_TABLE) return lower_table(lowering, expr);
    const hbg_operator_info *info = hbg_model_operator_info_get(op);
    bool many = (op == HBG_OP_MIN || op == HBG_OP_MAX) && expr->argument_count > 2;
    if (expr->argument_count != info->arity && !many) {
        wrong_count(lowering, expr, info->text, info->arity);
        return HBG_NONE;
    }
    hbg_expr result = hbg_lang_elaborate_lower(lowering, expr->arguments[0]);
    bool good = result != HBG_NONE;
    if (info->arity == 1) return good ? add(lowering, op, result, HBG_NONE, HBG_NONE, expr->span) : HBG_NONE;
    for (int32_t i = 1; i < expr->argument_count; i++) {
        hbg_expr next = hbg_lang_elaborate_lower(lowering, expr->arguments[i]);
        good = good && next != HBG_NONE;
        if (good) result = add(lowering, op, result, next, HBG_NONE, expr->span);
    }
    return good ? result : HBG_NONE;
}

/* ---- the user's functions ----------------------------------------------------------------------------- */

/* A function of the component, else one at the top of a file; where its body is evaluated. */
static syntax_declaration *find_function(const hbg_lowering *lowering, hbg_name name, int32_t *scope) {
    hbg_elaborator *elaborator = lowering->elaborator;
    int32_t index = -1;
    *scope = lowering->scope;
    if (lowering->scope != HBG_NONE)
        index = hbg_base_pair_map_find(&elaborator->function_names,
                                       elaborator->instances.items[lowering->scope].definition->number, name);
    if (index < 0) {
        *scope = HBG_NONE;
        index = hbg_base_pair_map_find(&elaborator->function_names, -1, name);
    }
    return index < 0 ? NULL : elaborator->functions.items[index];
}

static hbg_expr unknown_function(const hbg_lowering *lowering, const syntax_segment *name) {
    hbg_diagnostics *diagnostics = diagnostics_of(lowering);
    const char *text = name_text(lowering, name->name);
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNKNOWN, name->span, "there is no function `%s`", text);
    const char *advice = hbg_lang_foreign_function(text);
    if (advice) {
        hbg_base_report_fix(diagnostics, report, "%s", advice);
        return HBG_NONE;
    }
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR) ||
        !hbg_lang_elaborate_may_suggest(lowering->elaborator, lowering->elaborator->functions.count))
        return HBG_NONE;
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, text);
    for (int op = 0; op < HBG_OP_COUNT; op++)
        if (hbg_model_operator_info_get(op)->precedence == 0)
            hbg_base_nearest_offer(&nearest, hbg_model_operator_info_get(op)->text);
    for (int32_t i = 0; i < lowering->elaborator->functions.count; i++)
        hbg_base_nearest_offer(&nearest, name_text(lowering, lowering->elaborator->functions.items[i]->name));
    if (nearest.best) hbg_base_report_meant(diagnostics, report, name->span, nearest.best);
    return HBG_NONE;
}

/* The same for all calls together. */
static bool has_room(const hbg_lowering *lowering, const syntax_expr *expr) {
    hbg_elaborator *elaborator = lowering->elaborator;
    if (elaborator->unfolded < HBG_LANG_UNFOLD_ALL) return true;
    hbg_base_report(diagnostics_of(lowering), HBG_E_TOO_LARGE, expr->span,
                    "the functions of this model unfold into more than %d operations", HBG_LANG_UNFOLD_ALL);
    elaborator->too_large = true;
    return false;
}

/* Functions that call each other twice and twice again unfold into more than was meant. */
static bool may_unfold(const hbg_lowering *lowering, const syntax_expr *expr) {
    hbg_elaborator *elaborator = lowering->elaborator;
    int32_t exprs = elaborator->model->exprs.count;
    if (!lowering->frame) elaborator->unfold_start = exprs;
    if (exprs - elaborator->unfold_start < HBG_LANG_UNFOLD_LIMIT) return has_room(lowering, expr);
    const hbg_frame *outermost = lowering->frame;
    while (outermost->outer) outermost = outermost->outer;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics_of(lowering), HBG_E_TOO_LARGE, outermost->function->span,
                        "function `%s` unfolds into more than %d operations",
                        name_text(lowering, outermost->function->name), HBG_LANG_UNFOLD_LIMIT);
    hbg_base_report_note(diagnostics_of(lowering), report, expr->span, "the functions it calls multiply");
    elaborator->too_large = true;
    return false;
}

/* True where the function may be inlined: it does not call itself, and the calls are not too deep. */
static bool may_inline(const hbg_lowering *lowering, const syntax_expr *expr,
                       const syntax_declaration *function) {
    const char *name = name_text(lowering, function->name);
    if (expr->argument_count != function->function->parameters.count) {
        hbg_diagnostic *report = wrong_count(lowering, expr, name, function->function->parameters.count);
        hbg_base_report_note(diagnostics_of(lowering), report, function->span,
                             "the function is declared here");
        return false;
    }
    if (function->function->visiting) {
        hbg_diagnostic *report = hbg_base_report(diagnostics_of(lowering), HBG_E_RECURSION, expr->span,
                                                 "function `%s` calls itself", name);
        hbg_base_report_note(diagnostics_of(lowering), report, function->span,
                             "the function is declared here");
        return false;
    }
    if (lowering->frame && lowering->frame->depth >= HBG_LANG_DEPTH_LIMIT) {
        hbg_base_report(diagnostics_of(lowering), HBG_E_NESTING, expr->span,
                        "functions are nested deeper than %d calls", HBG_LANG_DEPTH_LIMIT);
        return false;
    }
    return may_unfold(lowering, expr);
}

static hbg_expr lower_function(const hbg_lowering *lowering, const syntax_expr *expr,
                               syntax_declaration *function, int32_t scope) {
    if (!may_inline(lowering, expr, function)) return HBG_NONE;
    hbg_expr *arguments = HBG_NEW_ARRAY(lowering->elaborator->arena, hbg_expr, expr->argument_count + 1);
    bool good = true;
    for (int32_t i = 0; i < expr->argument_count; i++) {
        arguments[i] = hbg_lang_elaborate_lower(lowering, expr->arguments[i]);
        good = good && arguments[i] != HBG_NONE;
    }
    if (!good) return HBG_NONE;
    if (!function->function->body) { // warned about where it is declared
        hbg_decimal zero = {"0", 0, false};
        return hbg_model_add_number(lowering->elaborator->model, zero, hbg_model_dimension_any, expr->span);
    }
    int depth = lowering->frame ? lowering->frame->depth + 1 : 1;
    hbg_frame frame = {function, arguments, lowering->frame, depth};
    hbg_lowering inner = {lowering->elaborator, scope, HBG_NONE, &frame};
    function->function->visiting = true;
    hbg_expr result = hbg_lang_elaborate_lower(&inner, function->function->body);
    function->function->visiting = false;
    if (!lowering->frame)
        lowering->elaborator->unfolded +=
            lowering->elaborator->model->exprs.count - lowering->elaborator->unfold_start;
    return result;
}

hbg_expr hbg_lang_elaborate_call(const hbg_lowering *lowering, const syntax_expr *expr) {
    const syntax_segment *name = expr->function;
    const char *text = name_text(lowering, name->name);
    hbg_operator op = hbg_model_operator_find_function(text, strlen(text));
    if (op != HBG_OP_COUNT) return lower_builtin(lowering, expr, op);
    int32_t scope;
    syntax_declaration *function = find_function(lowering, name->name, &scope);
    return function ? lower_function(lowering, expr, function, scope) : unknown_function(lowering, name);
}
