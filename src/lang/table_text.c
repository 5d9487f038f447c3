/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that are texts: names of files and of columns, which an instance is given. They are not values
 * of the model: a table follows them outwards to the text in quotes. */
#include "lang/elaborate_impl.h"

#include <string.h>

static const char *name_text(const hbg_elaborator *elaborator, hbg_name name) {
    return hbg_base_names_get(elaborator->lang->names, name);
}

static const syntax_declaration *find(const hbg_elaborator *elaborator, int32_t scope, hbg_name name,
                                      int32_t *index) {
    if (scope == HBG_NONE) return NULL;
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    for (*index = 0; *index < definition->declarations.count; ++*index) {
        const syntax_declaration *declaration = &definition->declarations.items[*index];
        if (declaration->kind == DECLARE_TEXT && declaration->name == name) return declaration;
    }
    return NULL;
}

bool hbg_lang_elaborate_is_text(const hbg_elaborator *elaborator, int32_t scope, hbg_name name) {
    int32_t index;
    return find(elaborator, scope, name, &index) != NULL;
}

static const syntax_expr *refuse(hbg_elaborator *elaborator, const syntax_expr *expr, const char *fix) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_ARGUMENT, expr->span,
                        "`%s` is no text: a file and a column are named in quotes, or by a parameter whose "
                        "default is a text",
                        hbg_lang_elaborate_text(elaborator, expr->span));
    hbg_base_report_fix(diagnostics, report, "%s", fix);
    return NULL;
}

/* The name of a parameter alone; 0 for anything else. */
static hbg_name plain_name(const syntax_expr *expr) {
    if (expr->kind != SYNTAX_PATH || expr->path.count != 1) return 0;
    const syntax_segment *segment = &expr->path.segments[0];
    return segment->index == HBG_NONE && !segment->indices ? segment->name : 0;
}

static const syntax_expr *not_given(hbg_elaborator *elaborator, const hbg_instance *instance,
                                    const syntax_declaration *declaration) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const char *name = name_text(elaborator, declaration->name);
    hbg_span span = instance->instance ? instance->instance->span : declaration->span;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNASSIGNED, span, "parameter `%s` has no value", name);
    hbg_base_report_note(diagnostics, report, declaration->span, "it is declared here as a text");
    if (instance->instance)
        hbg_base_report_fix(diagnostics, report, "write `%s(%s = \"…\")`",
                            name_text(elaborator, instance->instance->name), name);
    return NULL;
}

const syntax_expr *hbg_lang_elaborate_find_text(hbg_elaborator *elaborator, int32_t scope,
                                                const syntax_expr *expr) {
    while (expr->kind != SYNTAX_STRING) {
        int32_t index;
        hbg_name name = plain_name(expr);
        const syntax_declaration *declaration = find(elaborator, scope, name, &index);
        if (!declaration)
            return refuse(elaborator, expr,
                          "write `table(\"load.csv\", \"current\")`, or `param file = \"load.csv\";`");
        const hbg_instance *instance = &elaborator->instances.items[scope];
        const syntax_expr *asked = hbg_lang_elaborate_asked(elaborator, scope, name), *given = NULL;
        if (asked && asked->kind != SYNTAX_STRING)
            return refuse(elaborator, asked,
                          "write it in quotes, and these in quotes of the shell: `-p 'file=\"load.csv\"'`");
        if (!asked && index < instance->definition->header_count)
            given = hbg_lang_elaborate_given(instance, name);
        expr = asked ? asked : given ? given : declaration->param;
        if (expr->kind == SYNTAX_STRING && expr->span.end - expr->span.start <= 2)
            return not_given(elaborator, instance, declaration);
        if (given && !asked) scope = instance->parent;
    }
    return expr;
}

void hbg_lang_elaborate_check_text(hbg_elaborator *elaborator, int32_t scope,
                                   const syntax_declaration *declaration, const syntax_argument *argument) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const hbg_instance *instance = &elaborator->instances.items[scope];
    if (declaration->unit.end > 0)
        hbg_base_report(diagnostics, HBG_E_UNIT, declaration->unit, "a text has no unit");
    if (declaration->chosen)
        hbg_base_report(diagnostics, HBG_E_VALUE, declaration->span,
                        "`%s` is a text, and an interval has numbers",
                        name_text(elaborator, declaration->name));
    for (int32_t i = 0; i < instance->definition->declarations.count; i++) {
        const syntax_declaration *other = &instance->definition->declarations.items[i];
        if (other == declaration || other->name != declaration->name || other->kind == DECLARE_FUNCTION)
            continue;
        if (other->kind == DECLARE_TEXT && other > declaration) continue; // the later one reports
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_DUPLICATE, declaration->span, "`%s` is declared twice",
                            name_text(elaborator, declaration->name));
        hbg_base_report_note(diagnostics, report, other->span, "and here");
    }
    if (!argument || argument->value->kind == SYNTAX_STRING || argument->value->kind == SYNTAX_BAD) return;
    hbg_name name = plain_name(argument->value);
    if (name == 0 || !hbg_lang_elaborate_is_text(elaborator, instance->parent, name))
        refuse(elaborator, argument->value, "write it in quotes: `file = \"load.csv\"`");
}
