/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests to a model that exists already, as its tables: values of parameters, times, faults, what to
 * record. Names are looked up in these tables; they also give the declarations of each component, for
 * suggestions. */
#include "lang/elaborate_impl.h"

/* ---- what there is -------------------------------------------------------------------------------------- */

static void add_declaration(hbg_elaborator *elaborator, const hbg_identity *id,
                            syntax_declaration_kind kind) {
    syntax_definition *definition = elaborator->instances.items[id->scope].definition;
    syntax_declaration declaration = {.kind = kind, .name = id->name};
    if (id->name != 0) HBG_PUSH(elaborator->arena, definition->declarations, declaration);
}

static void list_declarations(hbg_elaborator *elaborator) {
    const hbg_model *model = elaborator->model;
    for (int32_t i = 0; i < model->scopes.count; i++) {
        hbg_instance instance = {
            HBG_NEW(elaborator->arena, syntax_definition), NULL, model->scopes.items[i].id.scope, {0}};
        instance.definition->number = i;
        HBG_PUSH(elaborator->arena, elaborator->instances, instance);
        if (i > 0) add_declaration(elaborator, &model->scopes.items[i].id, DECLARE_INSTANCE);
    }
    for (int32_t i = 0; i < model->params.count; i++)
        add_declaration(elaborator, &model->params.items[i].id, DECLARE_PARAM);
    for (int32_t i = 0; i < model->elements.count; i++)
        add_declaration(elaborator, &model->elements.items[i].id, DECLARE_JUNCTION);
    for (int32_t i = 0; i < model->bonds.count; i++)
        add_declaration(elaborator, &model->bonds.items[i].id, DECLARE_CHAIN);
    for (int32_t i = 0; i < model->automata.count; i++)
        add_declaration(elaborator, &model->automata.items[i].id, DECLARE_AUTOMATON);
    for (int32_t i = 0; i < model->ports.count; i++)
        add_declaration(elaborator, &model->ports.items[i].id, DECLARE_PORT);
}

static void list_signals(hbg_elaborator *elaborator) {
    syntax_signal *plain = HBG_NEW(elaborator->arena, syntax_signal); // all that are distinguished are ports
    const hbg_model *model = elaborator->model;
    for (int32_t i = 0; i < model->signals.count; i++) {
        syntax_definition *home = elaborator->instances.items[model->signals.items[i].id.scope].definition;
        add_declaration(elaborator, &model->signals.items[i].id, DECLARE_SIGNAL);
        home->declarations.items[home->declarations.count - 1].signal = plain;
    }
}

static void list_states(hbg_elaborator *elaborator) {
    const hbg_model *model = elaborator->model;
    for (int32_t i = 0; i < model->automata.count; i++)
        for (int32_t k = 0; k < model->automata.items[i].state_count; k++)
            hbg_base_pair_map_add(&elaborator->state_names, i,
                                  model->states.items[model->automata.items[i].first_state + k].name, k);
}

/* The parts of an image are fixed. */
static void refuse_structural(hbg_elaborator *elaborator) {
    for (int32_t i = 0; i < elaborator->overrides.count; i++) {
        const hbg_override *given = &elaborator->overrides.items[i];
        if (given->param == HBG_NONE || !elaborator->model->params.items[given->param].structural) continue;
        hbg_diagnostic *report = hbg_base_report(
            elaborator->lang->diagnostics, HBG_E_NOT_CONSTANT, hbg_lang_path_span(&given->setting.target),
            "`%s` decides what parts the model has: in an image they are made",
            hbg_lang_elaborate_path_text(elaborator, &given->setting.target));
        hbg_base_report_fix(elaborator->lang->diagnostics, report, "compile the model again with this value");
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

hbg_model *hbg_lang_ask(hbg_lang *lang, hbg_model *restored, const hbg_lang_options *options) {
    hbg_elaborator elaborator;
    hbg_lang_elaborate_init(&elaborator, lang, restored);
    elaborator.bonds_made = true;
    list_declarations(&elaborator);
    list_signals(&elaborator);
    list_states(&elaborator);
    hbg_lang_elaborate_overrides(&elaborator, options);
    hbg_lang_elaborate_find_overrides(&elaborator);
    refuse_structural(&elaborator);
    hbg_lang_elaborate_give(&elaborator);
    hbg_lang_elaborate_request(&elaborator, options);
    return hbg_lang_elaborate_check(&elaborator);
}
