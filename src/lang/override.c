/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that parameters are given on the command line, `-p R1=220`. Their names are paths from the top of
 * the model, and they replace its values: one expression of its table by another. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <string.h>

/* ---- what is said --------------------------------------------------------------------------------------- */

/* `C1=1nF` as `C1=1 [nF]`. */
static const char *setting_text(hbg_elaborator *elaborator, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals) return text;
    const char *value = equals + 1 + strspn(equals + 1, " ");
    return hbg_base_arena_print(elaborator->arena, "%.*s%s", (int)(value - text), text,
                                hbg_lang_elaborate_with_brackets(elaborator, value));
}

static void read_override(hbg_elaborator *elaborator, const char *given) {
    hbg_lang *lang = elaborator->lang;
    const char *text = setting_text(elaborator, given);
    int32_t source = hbg_base_sources_add(lang->sources, "the command line", text, strlen(text));
    int64_t errors = lang->diagnostics->errors;
    syntax_setting setting = {0};
    if (source < 0 || !hbg_lang_lexer_check_text(lang, &lang->sources->items.items[source])) return;
    if (!hbg_lang_parser_parse_setting(lang, source, &setting) || lang->diagnostics->errors > errors) return;
    HBG_PUSH(elaborator->arena, elaborator->overrides, ((hbg_override){setting, HBG_NONE}));
}

/* Whether it leads to a parameter that is a text: the model has no such values. */
static bool is_text(hbg_elaborator *elaborator, const syntax_path *target) {
    int32_t scope = 0, index;
    for (int32_t i = 0; i + 1 < target->count; i++) {
        hbg_object object = hbg_lang_elaborate_find(elaborator, scope, &target->segments[i], &index);
        if (object.kind != HBG_OBJECT_SCOPE || index != HBG_NONE) return false;
        scope = object.index;
    }
    return hbg_lang_elaborate_is_text(elaborator, scope, target->segments[target->count - 1].name);
}

static void report_twice(hbg_elaborator *elaborator, const syntax_path *target) {
    hbg_base_report(elaborator->lang->diagnostics, HBG_E_TWICE, hbg_lang_path_span(target),
                    "`%s` is given twice", hbg_lang_elaborate_path_text(elaborator, target));
}

static void find_override(hbg_elaborator *elaborator, int32_t index) {
    hbg_lang *lang = elaborator->lang;
    const syntax_path *target = &elaborator->overrides.items[index].setting.target;
    hbg_resolved found;
    if (is_text(elaborator, target)) { // read when a table asks for it
        const char *path = hbg_lang_elaborate_path_text(elaborator, target);
        for (int32_t i = 0; i < index; i++)
            if (strcmp(
                    hbg_lang_elaborate_path_text(elaborator, &elaborator->overrides.items[i].setting.target),
                    path) == 0)
                report_twice(elaborator, target);
        return;
    }
    if (!hbg_lang_elaborate_resolve_parameter(elaborator, target, &found)) return;
    if (found.object.kind != HBG_OBJECT_PARAM || found.used < target->count) {
        hbg_diagnostic *report =
            hbg_base_report(lang->diagnostics, HBG_E_NOT_A, hbg_lang_path_span(target),
                            "`%s` is not a parameter", hbg_lang_elaborate_path_text(elaborator, target));
        hbg_lang_elaborate_advise_parameter(elaborator, report, target);
        return;
    }
    int32_t first = hbg_base_pair_map_add(&elaborator->override_params, 0, found.object.index, index);
    if (first != index) report_twice(elaborator, target);
    elaborator->overrides.items[index].param = found.object.index;
}

void hbg_lang_elaborate_overrides(hbg_elaborator *elaborator, const hbg_lang_options *options) {
    for (int i = 0; i < options->parameter_count; i++) read_override(elaborator, options->parameters[i]);
    for (int i = 0; i < options->sweep_count; i++)
        if (!hbg_lang_elaborate_is_sweep(options->sweeps[i])) read_override(elaborator, options->sweeps[i]);
}

void hbg_lang_elaborate_find_overrides(hbg_elaborator *elaborator) {
    for (int32_t i = 0; i < elaborator->overrides.count; i++) find_override(elaborator, i);
}

/* ---- what becomes of it --------------------------------------------------------------------------------- */

/* The dimension that a value shows as written: of a number with a unit, perhaps after a sign, or of a
 * parameter beside it. Parameters may refer to one another in a circle, which is reported elsewhere. */
static hbg_dimension shown_dimension(const hbg_model *model, hbg_expr value, int32_t scope, int depth) {
    const hbg_expr_node *node = value < 0 ? NULL : &model->exprs.items[value];
    if (!node || depth > 8) return hbg_model_dimension_any;
    if (node->op == HBG_OP_NUMBER) return model->literals.items[node->a].dimension;
    if (node->op == HBG_OP_NEGATE) return shown_dimension(model, node->a, scope, depth + 1);
    if (node->op != HBG_OP_PARAM || model->params.items[node->a].id.scope != scope)
        return hbg_model_dimension_any;
    const hbg_param *other = &model->params.items[node->a];
    hbg_expr own = other->asked ? other->declared : other->value;
    return other->in_unit ? other->dimension : shown_dimension(model, own, scope, depth + 1);
}

static void give(hbg_elaborator *elaborator, const hbg_override *given) {
    hbg_model *model = elaborator->model;
    const syntax_expr *value = given->setting.value;
    const hbg_param was = model->params.items[given->param];
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    hbg_lang_elaborate_check_scale(elaborator, was.id.name, was.in_unit ? was.unit : NULL, value);
    if (!was.in_unit)
        hbg_lang_elaborate_check_bare(
            elaborator, hbg_lang_elaborate_path_text(elaborator, &given->setting.target), was.unit, value);
    hbg_span unit = hbg_lang_number_unit(value);
    bool number = value->kind == SYNTAX_NUMBER;
    if (number) elaborator->expected_unit = was.unit;
    hbg_expr lowered = hbg_lang_elaborate_lower(&lowering, value);
    elaborator->expected_unit = NULL;
    lowered = hbg_lang_elaborate_anchor(&lowering, value, lowered);
    hbg_param *param = &model->params.items[given->param];
    if (!param->asked) param->declared = param->value;
    // the default shows what is meant, also where another value is given
    if (!param->dimension.known && !param->overridden)
        param->dimension = shown_dimension(model, param->value, param->id.scope, 0);
    if (!param->in_unit && (number || unit.end > 0)) {
        param->unit = hbg_lang_elaborate_unit_label(elaborator, unit);
        param->display = hbg_lang_elaborate_display(elaborator, unit);
    }
    param->value = lowered;
    param->overridden = param->asked = true;
}

void hbg_lang_elaborate_give(hbg_elaborator *elaborator) {
    for (int32_t i = 0; i < elaborator->overrides.count; i++)
        if (elaborator->overrides.items[i].param != HBG_NONE)
            give(elaborator, &elaborator->overrides.items[i]);
}
