/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration, first pass: every declaration of every instance becomes an object of the model, with its path
 * and span and without expressions yet. */
#include "lang/elaborate_impl.h"

#include <string.h>
#include <strings.h>

static void declare_instance(hbg_elaborator *elaborator, int32_t scope, int depth);

static hbg_identity identity_of(int32_t scope, const syntax_declaration *declaration) {
    return (hbg_identity){scope, declaration->name, declaration->span};
}

static void declare_param(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration) {
    int32_t index = hbg_model_add_param(elaborator->model, identity_of(scope, declaration));
    elaborator->model->params.items[index].doc = declaration->doc;
}

static void declare_element(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                            hbg_element_kind form, int32_t ports) {
    int32_t index = hbg_model_add_element(elaborator->model, identity_of(scope, declaration), form, ports);
    elaborator->model->elements.items[index].place = declaration->place;
}

/* `Sw s` is the junction `s` with a source of no effort, `s.zero`, attached. */
static void declare_switch_source(hbg_elaborator *elaborator, int32_t scope,
                                  const syntax_declaration *declaration) {
    hbg_names *names = elaborator->lang->names;
    const char *text =
        hbg_base_arena_print(elaborator->arena, "%s.zero", hbg_base_names_get(names, declaration->name));
    hbg_identity id = {scope, hbg_base_names_add(names, text, strlen(text)), declaration->span};
    hbg_model_add_element(elaborator->model, id, HBG_KIND_SE, 1);
}

static void declare_automaton(hbg_elaborator *elaborator, int32_t scope,
                              const syntax_declaration *declaration) {
    hbg_model *model = elaborator->model;
    const syntax_automaton *syntax = declaration->automaton;
    int32_t index = hbg_model_add_automaton(model, identity_of(scope, declaration));
    hbg_automaton *automaton = &model->automata.items[index];
    automaton->doc = declaration->doc;
    automaton->first_state = model->states.count;
    automaton->state_count = syntax->states.count;
    for (int32_t i = 0; i < syntax->states.count; i++) {
        const syntax_state *state = &syntax->states.items[i];
        hbg_automaton_state added = {.name = state->name, .span = state->span, .on = state->on};
        HBG_PUSH(model->arena, model->states, added);
        hbg_base_pair_map_add(&elaborator->state_names, index, state->name, i);
    }
}

static void declare_signal(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration) {
    const syntax_signal *syntax = declaration->signal;
    int32_t index =
        hbg_model_add_signal(elaborator->model, identity_of(scope, declaration), syntax->kind, syntax->type);
    elaborator->model->signals.items[index].doc = declaration->doc;
}

static void declare_port(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration) {
    const char *text = hbg_base_names_get(elaborator->lang->names, declaration->domain.name);
    hbg_domain domain = hbg_model_domain_find(text, strlen(text));
    if (domain == HBG_DOMAIN_COUNT) {
        hbg_nearest nearest;
        hbg_base_nearest_init(&nearest, text);
        for (int i = 0; i < HBG_DOMAIN_COUNT; i++) hbg_base_nearest_offer(&nearest, hbg_model_domain_name(i));
        hbg_diagnostic *report = hbg_base_report(elaborator->lang->diagnostics, HBG_E_UNKNOWN,
                                                 declaration->domain.span, "there is no domain `%s`", text);
        if (nearest.best)
            hbg_base_report_meant(elaborator->lang->diagnostics, report, declaration->domain.span,
                                  nearest.best);
        else
#define X(id, name, effort, flow, p) " `" name "`"
            hbg_base_report_fix(elaborator->lang->diagnostics, report, "domains are" HBG_DOMAIN_LIST(X));
#undef X
        domain = HBG_DOMAIN_ANY;
    }
    int32_t index = hbg_model_add_port(elaborator->model, identity_of(scope, declaration), domain);
    elaborator->model->ports.items[index].doc = declaration->doc;
}

/* ---- instances ---------------------------------------------------------------------------------------- */

static syntax_definition *find_component(hbg_elaborator *elaborator, const syntax_instance *instance) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    int32_t index = hbg_base_pair_map_find(&elaborator->definition_names, 0, instance->component);
    syntax_definition *found = index < 0 ? NULL : elaborator->definitions.items[index];
    if (found && !found->is_model) return found;
    const char *text = hbg_base_names_get(elaborator->lang->names, instance->component);
    if (found) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_NOT_A, instance->component_span,
                            "`%s` is a model, and only components can be used inside others", text);
        hbg_base_report_note(diagnostics, report, found->span, "the model is declared here");
        return NULL;
    }
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_UNKNOWN, instance->component_span,
                                             "there is no element or component `%s`", text);
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR) ||
        !hbg_lang_elaborate_may_suggest(elaborator, elaborator->definitions.count))
        return NULL;
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, text);
    for (int i = 0; i < HBG_KIND_COUNT; i++)
        hbg_base_nearest_offer(&nearest, hbg_model_element_info_get(i)->text);
    for (int32_t i = 0; i < elaborator->definitions.count; i++)
        if (!elaborator->definitions.items[i]->is_model)
            hbg_base_nearest_offer(&nearest, hbg_base_names_get(elaborator->lang->names,
                                                                elaborator->definitions.items[i]->name));
    const char *declared, *file;
    bool same = nearest.best && strcasecmp(nearest.best, text) == 0;
    if (!same && hbg_lang_elaborate_find_component_file(elaborator, text, &declared, &file)) {
        if (strcmp(declared, text) == 0)
            hbg_base_report_fix(diagnostics, report, "it is in a file of the library: `import \"%s\";`",
                                file);
        else
            hbg_base_report_fix(diagnostics, report, "did you mean `%s`, from `import \"%s\";`?", declared,
                                file);
    } else if (!same && strcmp(text, "L") == 0) {
        hbg_base_report_fix(diagnostics, report, "a coil is an inertia: `I`");
        hbg_base_report_edit(diagnostics, report, instance->component_span, "I");
    } else if (nearest.best)
        hbg_base_report_meant(diagnostics, report, instance->component_span, nearest.best);
    else
        hbg_base_report_fix(
            diagnostics, report,
            "components come from files named in `import \"…\";`, those of the library from "
            "\"electrical.hbg\", \"hydraulic.hbg\" and others; `hbg list --library WORD` looks for one");
    return NULL;
}

/* True where the instance is allowed: no component inside itself, unless `if` may end it, and no tower of
 * instances. */
static bool may_enter(hbg_elaborator *elaborator, const syntax_declaration *declaration,
                      syntax_definition *component, int depth) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const char *text = hbg_base_names_get(elaborator->lang->names, component->name);
    if (component->visiting && !component->structural) {
        hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_RECURSION, declaration->span,
                                                 "component `%s` contains itself without end", text);
        hbg_base_report_note(diagnostics, report, component->span, "the component is declared here");
        return false;
    }
    if (depth >= HBG_LANG_DEPTH_LIMIT) {
        hbg_base_report(diagnostics, HBG_E_NESTING, declaration->span,
                        "components are nested deeper than %d levels", HBG_LANG_DEPTH_LIMIT);
        if (component->visiting) elaborator->too_large = true; // the report would be repeated in every branch
        return false;
    }
    return true;
}

static void declare_component(hbg_elaborator *elaborator, int32_t scope,
                              const syntax_declaration *declaration, int depth) {
    const syntax_instance *instance = declaration->instance;
    syntax_definition *component = find_component(elaborator, instance);
    if (!component || !may_enter(elaborator, declaration, component, depth)) return;
    int32_t inner = hbg_model_add_scope(elaborator->model, identity_of(scope, declaration), component->name,
                                        declaration->doc ? declaration->doc : component->doc);
    elaborator->model->scopes.items[inner].place = declaration->place;
    hbg_instance added = {.definition = component, .instance = declaration, .parent = scope};
    HBG_PUSH(elaborator->arena, elaborator->instances, added);
    HBG_ASSERT(elaborator->instances.count == inner + 1);
    component->visiting = true;
    declare_instance(elaborator, inner, depth + 1);
    component->visiting = false;
}

static void declare(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                    int depth) {
    switch (declaration->kind) {
    case DECLARE_PARAM: declare_param(elaborator, scope, declaration); break;
    case DECLARE_ELEMENT:
        declare_element(elaborator, scope, declaration, declaration->element->form,
                        declaration->element->ports);
        break;
    case DECLARE_JUNCTION:
        declare_element(elaborator, scope, declaration, declaration->junction->kind, 0);
        if (declaration->junction->is_switch) declare_switch_source(elaborator, scope, declaration);
        break;
    case DECLARE_AUTOMATON: declare_automaton(elaborator, scope, declaration); break;
    case DECLARE_SIGNAL: declare_signal(elaborator, scope, declaration); break;
    case DECLARE_PORT: declare_port(elaborator, scope, declaration); break;
    case DECLARE_INSTANCE: declare_component(elaborator, scope, declaration, depth); break;
    default: break;
    }
}

/* Objects of one instance are adjacent in each table: instances inside it come after its own, so that
 * `define` can walk the declarations again and count along. */
static void declare_instance(hbg_elaborator *elaborator, int32_t scope, int depth) {
    const syntax_definition *definition = hbg_lang_elaborate_expand(elaborator, scope);
    elaborator->instances.items[scope].definition = (syntax_definition *)definition;
    int32_t *first = elaborator->instances.items[scope].first_object;
    const hbg_model *model = elaborator->model;
    first[DECLARE_PARAM] = model->params.count;
    first[DECLARE_ELEMENT] = model->elements.count;
    first[DECLARE_AUTOMATON] = model->automata.count;
    first[DECLARE_SIGNAL] = model->signals.count;
    first[DECLARE_PORT] = model->ports.count;
    for (int32_t i = 0; i < definition->declarations.count; i++)
        if (definition->declarations.items[i].kind != DECLARE_INSTANCE)
            declare(elaborator, scope, &definition->declarations.items[i], depth);
    for (int32_t i = 0; i < definition->declarations.count && !elaborator->too_large; i++)
        if (definition->declarations.items[i].kind == DECLARE_INSTANCE)
            declare(elaborator, scope, &definition->declarations.items[i], depth);
}

void hbg_lang_elaborate_declare(hbg_elaborator *elaborator, syntax_definition *model) {
    hbg_instance root = {.definition = model};
    HBG_PUSH(elaborator->arena, elaborator->instances, root);
    elaborator->model->name = model->name;
    elaborator->model->span = model->span;
    elaborator->model->doc = model->doc;
    elaborator->model->scopes.items[0].id.name = model->name;
    elaborator->model->scopes.items[0].id.span = model->span;
    elaborator->model->scopes.items[0].doc = model->doc;
    declare_instance(elaborator, 0, 0);
}
