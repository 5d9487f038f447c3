/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that inputs are given on the command line: `--input sw=true`, `--input 'u=5*sin(time)'`, `--input
 * u=file.csv`. What is given there holds all the time, so experiments cannot change that input. A constant
 * keeps it an input; anything else makes it a signal. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <string.h>

/* The value as an expression: a file is a table over time, whose column has the name of the input. */
static const char *value_text(hbg_elaborator *elaborator, const char *name, size_t name_size,
                              const char *value, bool is_bool) {
    size_t size = strlen(value);
    if (size < 4 || strcmp(value + size - 4, ".csv") != 0 || strchr(value, '"'))
        return hbg_lang_elaborate_with_brackets(elaborator, value);
    const char *column = name;
    for (size_t i = 0; i < name_size; i++)
        if (name[i] == '.') column = name + i + 1;
    return hbg_base_arena_print(elaborator->arena, "table(\"%s\", \"%.*s\")%s", value,
                                (int)(name_size - (size_t)(column - name)), column, is_bool ? " > 0.5" : "");
}

/* The input that the text before `=` names; NULL with a report. */
static hbg_signal *find_input(hbg_elaborator *elaborator, const syntax_path *path) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_resolved found;
    if (!hbg_lang_elaborate_resolve(elaborator, 0, path, &found)) return NULL;
    hbg_signal *signal =
        found.object.kind == HBG_OBJECT_SIGNAL ? &elaborator->model->signals.items[found.object.index] : NULL;
    const char *text = hbg_lang_elaborate_path_text(elaborator, path);
    if (!signal || signal->kind != HBG_SIGNAL_INPUT || found.used < path->count) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_NOT_A, hbg_lang_path_span(path), "`%s` is not an input", text);
        hbg_base_report_fix(diagnostics, report,
                            "`hbg list` shows the inputs; parameters are given with `-p`");
        return NULL;
    }
    if (signal->type != HBG_TYPE_EVENT) return signal;
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_EXPERIMENT, hbg_lang_path_span(path),
                                             "`%s` is an event: it happens and has no value", text);
    hbg_base_report_fix(diagnostics, report, "an experiment says when: `at 1 [s]: %s;`", text);
    return NULL;
}

/* Whether it consists of numbers and parameters alone. */
static bool is_constant(const hbg_model *model, hbg_expr expr) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (node->op == HBG_OP_NUMBER || node->op == HBG_OP_PARAM || node->op == HBG_OP_PI ||
        node->op == HBG_OP_TRUE || node->op == HBG_OP_FALSE)
        return true;
    if (node->op < HBG_OP_OR || node->op >= HBG_OP_TABLE) return false;
    for (int i = 0; i < hbg_model_expr_arity(node); i++)
        if (!is_constant(model, hbg_model_expr_argument(node, i))) return false;
    return true;
}

static void drop_actions(hbg_model *model, int32_t signal) {
    for (int32_t i = 0; i < model->experiments.count; i++) {
        hbg_experiment *experiment = &model->experiments.items[i];
        int32_t kept = 0;
        for (int32_t k = 0; k < experiment->actions.count; k++)
            if (experiment->actions.items[k].signal != signal)
                experiment->actions.items[kept++] = experiment->actions.items[k];
        experiment->actions.count = kept;
    }
}

/* Reads a text of the command line; false with reports. */
static bool parse(hbg_elaborator *elaborator, const char *text, syntax_setting *setting) {
    hbg_lang *lang = elaborator->lang;
    int32_t source = hbg_base_sources_add(lang->sources, "the command line", text, strlen(text));
    int64_t errors = lang->diagnostics->errors;
    return source >= 0 && hbg_lang_lexer_check_text(lang, &lang->sources->items.items[source]) &&
           hbg_lang_parser_parse_setting(lang, source, setting) && lang->diagnostics->errors == errors;
}

/* Reads the name at the beginning of a text of the command line, which reports show as it was typed. */
static bool parse_name(hbg_elaborator *elaborator, const char *given, size_t size, syntax_path *name) {
    hbg_lang *lang = elaborator->lang;
    int32_t source = hbg_base_sources_add(lang->sources, "the command line", given, strlen(given));
    if (source < 0) return false;
    const hbg_source *text = &lang->sources->items.items[source];
    if (!hbg_lang_lexer_check_text(lang, text)) return false;
    hbg_parser parser;
    hbg_span part = {text->base, text->base + (uint32_t)size};
    hbg_lang_parser_init_part(&parser, lang, source, part, "`=`");
    if (!hbg_lang_parser_path(&parser, name) || parser.failed) return false;
    if (!hbg_lang_parser_at(&parser, TOKEN_END)) hbg_lang_parser_fail(&parser, "`=`");
    return !parser.failed;
}

static void give_input(hbg_elaborator *elaborator, const char *given) {
    const char *equals = strchr(given, '=');
    syntax_setting setting = {0};
    syntax_path name = {0};
    if (!equals) {
        hbg_diagnostic *report = hbg_base_report(elaborator->lang->diagnostics, HBG_E_SYNTAX,
                                                 (hbg_span){0, 0}, "`--input %s` gives no value", given);
        hbg_base_report_fix(elaborator->lang->diagnostics, report, "write `--input NAME=VALUE`");
        return;
    }
    // the name first: the meaning of the value depends on the input
    if (!parse_name(elaborator, given, (size_t)(equals - given), &name)) return;
    hbg_signal *signal = find_input(elaborator, &name);
    if (!signal) return;
    int32_t index = (int32_t)(signal - elaborator->model->signals.items);
    const char *value = value_text(elaborator, given, (size_t)(equals - given),
                                   equals + 1 + strspn(equals + 1, " "), signal->type == HBG_TYPE_BOOL);
    const char *text =
        hbg_base_arena_print(elaborator->arena, "%.*s=%s", (int)(equals - given), given, value);
    if (!parse(elaborator, text, &setting)) return;
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    hbg_expr lowered = hbg_lang_elaborate_lower(&lowering, setting.value);
    if (lowered == HBG_NONE) return;
    signal = &elaborator->model->signals.items[index];
    signal->value = lowered;
    signal->asked = true;
    if (!is_constant(elaborator->model, lowered)) signal->kind = HBG_SIGNAL_SIGNAL;
    drop_actions(elaborator->model, index);
}

void hbg_lang_elaborate_inputs(hbg_elaborator *elaborator, const hbg_lang_options *options) {
    for (int i = 0; i < options->input_count; i++) give_input(elaborator, options->inputs[i]);
}
