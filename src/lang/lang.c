/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From text to a checked model: load, declare, connect, define, check. A later pass runs only if the earlier
 * ones give it enough to work with. */
#include "lang/elaborate_impl.h"

#include <string.h>

#define MODELS_LISTED 8 /* if none of them is similar to the requested one */

void hbg_lang_elaborate_init(hbg_elaborator *elaborator, hbg_lang *lang, hbg_model *model) {
    *elaborator = (hbg_elaborator){.lang = lang, .arena = lang->scratch};
    elaborator->suggestions_left = HBG_LANG_SUGGESTIONS;
    hbg_pair_map *maps[] = {&elaborator->definition_names, &elaborator->function_names,
                            &elaborator->arguments,        &elaborator->state_names,
                            &elaborator->unit_texts,       &elaborator->table_texts,
                            &elaborator->override_params,  &elaborator->structural_params};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) hbg_base_pair_map_init(maps[i], lang->scratch);
    elaborator->model = model ? model : hbg_model_new(lang->arena, lang->names, lang->diagnostics);
}

hbg_model *hbg_lang_elaborate_check(hbg_elaborator *elaborator) {
    const hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_model *model = elaborator->model;
    if (elaborator->too_large) return NULL;
    // the syntax trees are no longer needed: the check gets their memory
    if (!elaborator->lang->tolerant) hbg_base_arena_fini(elaborator->arena);
    model->scratch = elaborator->arena;
    hbg_model_check(model);
    return diagnostics->errors == model->before.errors ? model : NULL;
}

static void report_no_model(hbg_elaborator *elaborator, const char *wanted) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    if (!wanted) {
        hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_NO_MODEL, (hbg_span){0, 0},
                                                 "`%s` declares no model", elaborator->files.items[0].path);
        hbg_base_report_fix(diagnostics, report, "write `model NAME { … }`");
        return;
    }
    hbg_nearest nearest;
    hbg_buffer names;
    int32_t count = 0;
    hbg_base_nearest_init(&nearest, wanted);
    hbg_base_buffer_init(&names, elaborator->arena);
    for (int32_t i = 0; i < elaborator->definitions.count; i++) {
        if (!elaborator->definitions.items[i]->is_model) continue;
        const char *name =
            hbg_base_names_get(elaborator->lang->names, elaborator->definitions.items[i]->name);
        hbg_base_nearest_offer(&nearest, name);
        if (count++ < MODELS_LISTED) hbg_base_buffer_print(&names, "%s`%s`", names.size ? ", " : "", name);
    }
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_NO_MODEL, (hbg_span){0, 0}, "there is no model `%s` in `%s`",
                        wanted, elaborator->files.items[0].path);
    if (nearest.best)
        hbg_base_report_fix(diagnostics, report, "did you mean `%s`?", nearest.best);
    else if (count > 0)
        hbg_base_report_fix(diagnostics, report, "there %s %s%s", count == 1 ? "is" : "are", names.data,
                            count > MODELS_LISTED ? ", …" : "");
}

/* The model asked for, else the first of the file. */
static syntax_definition *choose_model(hbg_elaborator *elaborator, const char *wanted) {
    for (int32_t i = 0; i < elaborator->definitions.count; i++) {
        syntax_definition *definition = elaborator->definitions.items[i];
        const char *name = hbg_base_names_get(elaborator->lang->names, definition->name);
        if (definition->is_model && (!wanted || strcmp(name, wanted) == 0)) return definition;
    }
    report_no_model(elaborator, wanted);
    return NULL;
}

/* Whether the text could be read. Half a text would only make its correct half look wrong; but a misused
 * word, such as a word of the language for a name, does not suppress other errors. */
static bool is_readable(const hbg_elaborator *elaborator) {
    const hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR)) return false;
    for (int32_t i = elaborator->model->before.items; i < diagnostics->items.count; i++) {
        if (diagnostics->items.items[i].severity != HBG_ERROR) continue;
        switch (diagnostics->items.items[i].id) {
        case HBG_E_RESERVED:
        case HBG_E_TWICE:
        case HBG_E_DUPLICATE:
        case HBG_E_PORT:
        case HBG_E_BOND:
        case HBG_E_AUTOMATON:
        case HBG_W_EMPTY_FUNCTION: break;
        default: return false;
        }
    }
    return true;
}

hbg_model *hbg_lang_elaborate(hbg_elaborator *elaborator, const hbg_lang_options *options) {
    if (elaborator->files.count == 0 || !is_readable(elaborator)) return NULL;
    syntax_definition *model = choose_model(elaborator, options ? options->model : NULL);
    if (!model) return NULL;
    if (!hbg_lang_elaborate_fits(elaborator, model)) return NULL;
    if (options) hbg_lang_elaborate_overrides(elaborator, options);
    hbg_lang_elaborate_declare(elaborator, model);
    if (elaborator->too_large) return NULL;
    hbg_lang_elaborate_mark_structural(elaborator);
    hbg_lang_elaborate_find_overrides(elaborator);
    hbg_lang_elaborate_connect(elaborator);
    hbg_lang_elaborate_define(elaborator);
    hbg_lang_elaborate_give(elaborator);
    hbg_lang_elaborate_experiments(elaborator);
    if (options) hbg_lang_elaborate_inputs(elaborator, options);
    if (options) hbg_lang_elaborate_request(elaborator, options);
    hbg_model *checked = hbg_lang_elaborate_check(elaborator);
    bool draft = options && options->draft && !elaborator->too_large;
    return checked || !draft ? checked : elaborator->model;
}

hbg_model *hbg_lang_read_file(hbg_lang *lang, const char *path, const hbg_lang_options *options) {
    hbg_elaborator elaborator;
    hbg_lang_elaborate_init(&elaborator, lang, NULL);
    hbg_lang_elaborate_load_file(&elaborator, path);
    return hbg_lang_elaborate(&elaborator, options);
}

hbg_model *hbg_lang_read_text(hbg_lang *lang, const char *path, const char *text, size_t size,
                              const hbg_lang_options *options) {
    hbg_elaborator elaborator;
    hbg_lang_elaborate_init(&elaborator, lang, NULL);
    hbg_lang_elaborate_load_text(&elaborator, path, text, size);
    return hbg_lang_elaborate(&elaborator, options);
}
