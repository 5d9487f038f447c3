/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration, third pass: the objects get their expressions. An instance's declarations are walked in the
 * order in which `declare` made the objects, counting along. */
#include "lang/elaborate_impl.h"

#include <string.h>

static hbg_expr lower_in(hbg_elaborator *elaborator, int32_t scope, const syntax_expr *expr) {
    hbg_lowering lowering = {elaborator, scope, HBG_NONE, NULL};
    return hbg_lang_elaborate_lower(&lowering, expr);
}

static const char *name_text(const hbg_elaborator *elaborator, hbg_name name) {
    return hbg_base_names_get(elaborator->lang->names, name);
}

/* ---- arguments of an instance ------------------------------------------------------------------------- */

/* An argument that names something in the component that cannot be given. */
static void report_member(hbg_elaborator *elaborator, const syntax_definition *definition, int32_t member,
                          const syntax_argument *argument) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const syntax_declaration *declaration = &definition->declarations.items[member];
    const char *name = name_text(elaborator, argument->name);
    if (hbg_lang_elaborate_takes_argument(definition, member)) {
        hbg_base_report(diagnostics, HBG_E_ARGUMENT, argument->span, "`%s` is one value and takes no index",
                        name);
        return;
    }
    hbg_diagnostic *report = hbg_base_report(
        diagnostics, HBG_E_ARGUMENT, argument->span,
        "`%s` of component `%s` cannot be given: it is no parameter of its header and no `port in`", name,
        name_text(elaborator, definition->name));
    hbg_base_report_note(diagnostics, report, declaration->span, "it is declared here");
    if (declaration->kind == DECLARE_PARAM || declaration->kind == DECLARE_TEXT)
        hbg_base_report_fix(diagnostics, report, "declare it in the header: `component %s(%s = …)`",
                            name_text(elaborator, definition->name), name);
}

static void report_argument(hbg_elaborator *elaborator, const hbg_instance *instance,
                            const syntax_argument *argument) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const syntax_definition *definition = instance->definition;
    const char *component = name_text(elaborator, definition->name);
    if (argument->name == 0) {
        hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_ARGUMENT, argument->span,
                                                 "arguments of component `%s` are given by name", component);
        if (definition->header_count > 0)
            hbg_base_report_fix(diagnostics, report, "write `%s = …`",
                                name_text(elaborator, definition->declarations.items[0].name));
        return;
    }
    const char *name = name_text(elaborator, argument->name);
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR)) {
        hbg_base_report(diagnostics, HBG_E_ARGUMENT, argument->span, "no such argument");
        return;
    }
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        if (definition->declarations.items[i].name != argument->name) continue;
        report_member(elaborator, definition, i, argument);
        return;
    }
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_ARGUMENT, argument->span,
                        "component `%s` has no parameter or `port in` called `%s`", component, name);
    if (!hbg_lang_elaborate_may_suggest(elaborator, definition->declarations.count)) return;
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, name);
    for (int32_t i = 0; i < definition->declarations.count; i++)
        if (hbg_lang_elaborate_takes_argument(definition, i))
            hbg_base_nearest_offer(&nearest, name_text(elaborator, definition->declarations.items[i].name));
    if (nearest.best)
        hbg_base_report_meant(diagnostics, report,
                              (hbg_span){argument->span.start, argument->span.start + (uint32_t)strlen(name)},
                              nearest.best);
    else
        hbg_lang_elaborate_list(elaborator, definition, hbg_lang_elaborate_takes_argument, report);
    hbg_base_report_note(diagnostics, report, definition->span, "the component is declared here");
}

/* `Switch s(start = closed)`: the start of the automaton inside, unless a parameter has that name. */
static bool is_start(const hbg_elaborator *elaborator, const syntax_argument *argument) {
    return argument->name != 0 && argument->index == HBG_NONE &&
           strcmp(name_text(elaborator, argument->name), "start") == 0;
}

/* The arguments, indexed by the declaration they are for: as many as the definition has declarations. */
static const syntax_argument **sort_arguments(hbg_elaborator *elaborator, const hbg_instance *instance) {
    const syntax_definition *definition = instance->definition;
    const syntax_argument **given =
        HBG_NEW_ARRAY(elaborator->arena, const syntax_argument *, definition->declarations.count + 1);
    const syntax_arguments *arguments = &instance->instance->instance->arguments;
    for (int32_t i = 0; i < arguments->count; i++) {
        const syntax_argument *argument = &arguments->items[i];
        int32_t index = hbg_base_pair_map_find(&elaborator->arguments, definition->taking, argument->name);
        if (index < 0 && is_start(elaborator, argument)) continue; // see define_start
        if (argument->name == 0 || argument->index != HBG_NONE || index < 0) {
            report_argument(elaborator, instance, argument);
        } else if (given[index]) {
            hbg_diagnostic *report =
                hbg_base_report(elaborator->lang->diagnostics, HBG_E_TWICE, argument->span,
                                "`%s` is given twice", name_text(elaborator, argument->name));
            hbg_base_report_note(elaborator->lang->diagnostics, report, given[index]->span,
                                 "the first is here");
        } else {
            given[index] = argument;
        }
    }
    return given;
}

/* ---- parameters --------------------------------------------------------------------------------------- */

static void no_value(hbg_elaborator *elaborator, const hbg_instance *instance,
                     const syntax_declaration *declaration, const char *what) {
    hbg_span span = instance->instance ? instance->instance->span : declaration->span;
    hbg_diagnostic *report =
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_UNASSIGNED, span, "%s `%s` has no value", what,
                        name_text(elaborator, declaration->name));
    if (!instance->instance) {
        hbg_base_report_fix(
            elaborator->lang->diagnostics, report, "write `%s = …`, or give it with `-p %s=…`",
            name_text(elaborator, declaration->name), name_text(elaborator, declaration->name));
        return;
    }
    hbg_base_report_note(elaborator->lang->diagnostics, report, declaration->span,
                         "it is declared here without a default");
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "write `%s(%s = …)`",
                        name_text(elaborator, instance->instance->name),
                        name_text(elaborator, declaration->name));
}

/* The dimension that a default shows as written: that of a number with a unit, perhaps after a sign, or of a
 * parameter of the same component. Parameters may refer to one another in a circle, which is reported
 * elsewhere. */
static hbg_dimension default_dimension(hbg_elaborator *elaborator, const syntax_definition *definition,
                                       const syntax_expr *value, int depth) {
    if (!value || depth > 8) return hbg_model_dimension_any;
    if (value->kind == SYNTAX_NUMBER) return hbg_lang_elaborate_dimension(elaborator, value->unit);
    if (value->kind == SYNTAX_OPERATOR && value->op == HBG_OP_NEGATE)
        return default_dimension(elaborator, definition, value->arguments[0], depth + 1);
    if (value->kind != SYNTAX_PATH || value->path.count != 1) return hbg_model_dimension_any;
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *other = &definition->declarations.items[i];
        if (other->kind != DECLARE_PARAM || other->name != value->path.segments[0].name) continue;
        if (other->unit.end > 0) return hbg_lang_elaborate_dimension(elaborator, other->unit);
        return default_dimension(elaborator, definition, other->param, depth + 1);
    }
    return hbg_model_dimension_any;
}

/* The ends as written show whether a loss is an energy. */
static hbg_loss loss_of(hbg_elaborator *elaborator, int32_t scope, const syntax_interval *syntax) {
    if (!syntax || !syntax->loss) return HBG_LOSS_NONE;
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    const syntax_expr *ends[] = {syntax->high, syntax->low};
    for (int i = 0; i < 2; i++) {
        hbg_dimension found = default_dimension(elaborator, definition, ends[i], 0);
        if (found.known && hbg_model_dimension_agree(found, hbg_model_dimension_joule()))
            return HBG_LOSS_ENERGY;
    }
    return HBG_LOSS_SHARE;
}

/* The automaton whose moves count; HBG_NONE: the moves of all. */
static int32_t mover_of(hbg_elaborator *elaborator, int32_t scope, const syntax_interval *syntax) {
    hbg_expr named = syntax->automaton ? lower_in(elaborator, scope, syntax->automaton) : HBG_NONE;
    const hbg_expr_node *node = named >= 0 ? &elaborator->model->exprs.items[named] : NULL;
    return node && node->op == HBG_OP_AUTOMATON ? node->a : HBG_NONE;
}

static void define_choice(hbg_elaborator *elaborator, int32_t scope, hbg_object target,
                          const syntax_interval *syntax) {
    if (!syntax) return;
    hbg_choice choice = {.target = target, .anew = syntax->anew, .span = syntax->span};
    choice.loss = loss_of(elaborator, scope, syntax);
    choice.automaton = mover_of(elaborator, scope, syntax);
    choice.low = lower_in(elaborator, scope, syntax->low);
    choice.high = lower_in(elaborator, scope, syntax->high);
    if (choice.low != HBG_NONE && choice.high != HBG_NONE)
        HBG_PUSH(elaborator->model->arena, elaborator->model->choices, choice);
}

static void define_param(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                         int32_t index, const syntax_argument *argument) {
    const hbg_instance *instance = &elaborator->instances.items[scope];
    const syntax_expr *value = argument ? argument->value : declaration->param;
    bool asked = hbg_base_pair_map_find(&elaborator->override_params, 0, index) >= 0;
    const char *own = hbg_lang_elaborate_unit_label(elaborator, declaration->unit);
    if (!value && !asked) no_value(elaborator, instance, declaration, "parameter");
    if (!asked) hbg_lang_elaborate_check_scale(elaborator, declaration->name, own, value);
    if (!asked && !own && argument && value)
        hbg_lang_elaborate_check_argument(elaborator, declaration, value);
    hbg_expr lowered = lower_in(elaborator, argument ? instance->parent : scope, value);
    hbg_span unit = declaration->unit;
    if (unit.end == 0) unit = hbg_lang_number_unit(value);
    if (declaration->chosen) {
        const syntax_interval *chosen = declaration->chosen;
        hbg_lang_elaborate_check_scale(elaborator, declaration->name, own, chosen->low);
        hbg_lang_elaborate_check_scale(elaborator, declaration->name, own, chosen->high);
        if (unit.end == 0) unit = hbg_lang_number_unit(chosen->high);
    }
    hbg_param *param = &elaborator->model->params.items[index];
    param->value = lowered;
    param->overridden = argument != NULL;
    // the middle of an interval is a quotient by 2, which says nothing about its unit
    hbg_span meant = declaration->unit;
    if (meant.end == 0 && declaration->chosen) meant = hbg_lang_number_unit(declaration->chosen->high);
    param->dimension = hbg_lang_elaborate_dimension(elaborator, meant);
    param->unit = hbg_lang_elaborate_unit_label(elaborator, unit);
    param->display = hbg_lang_elaborate_display(elaborator, unit);
    param->in_unit = own != NULL;
    // a given value is decided
    if (!argument && !asked)
        define_choice(elaborator, scope, (hbg_object){HBG_OBJECT_PARAM, index}, declaration->chosen);
    param = &elaborator->model->params.items[index];
    // the default shows what is meant, also where another value is given
    if (!param->dimension.known && param->overridden)
        param->dimension = default_dimension(elaborator, instance->definition, declaration->param, 0);
}

/* ---- elements ----------------------------------------------------------------------------------------- */

static bool is_digits(const char *text) {
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* `4,7 [Ohm]`: two whole numbers with only a comma between. */
static bool advise_comma(hbg_elaborator *elaborator, const syntax_declaration *declaration,
                         const syntax_argument *argument, hbg_diagnostic *report) {
    const syntax_argument *before = argument - 1;
    if (argument == declaration->element->arguments.items || before->name != 0 ||
        before->value->kind != SYNTAX_NUMBER || before->value->unit.end > 0 ||
        argument->value->kind != SYNTAX_NUMBER || before->value->span.end + 1 != argument->value->span.start)
        return false;
    const char *whole = hbg_lang_elaborate_text(elaborator, before->value->span),
               *rest = hbg_lang_elaborate_text(elaborator, argument->value->span);
    if (!is_digits(whole) || strspn(rest, "0123456789") == 0 || strchr(rest, '.')) return false;
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "a number has a decimal point: `%s.%s`", whole,
                        rest);
    hbg_span comma = {before->value->span.end, argument->value->span.start};
    hbg_base_report_edit(elaborator->lang->diagnostics, report, comma, ".");
    return true;
}

static void bad_element_argument(hbg_elaborator *elaborator, const syntax_declaration *declaration,
                                 const syntax_argument *argument) {
    const hbg_element_info *info = hbg_model_element_info_get(declaration->element->form);
    hbg_diagnostic *report =
        argument->name == 0
            ? hbg_base_report(elaborator->lang->diagnostics, HBG_E_ARGUMENT, argument->span,
                              "%s %s takes one value; this is a second one",
                              hbg_lang_elaborate_article(info->name), info->name)
            : hbg_base_report(elaborator->lang->diagnostics, HBG_E_ARGUMENT, argument->span,
                              "%s %s has no initial value `%s`", hbg_lang_elaborate_article(info->name),
                              info->name, name_text(elaborator, argument->name));
    if (argument->name == 0 && advise_comma(elaborator, declaration, argument, report)) return;
    if (info->variables[0] && info->kind != HBG_KIND_R)
        hbg_base_report_fix(elaborator->lang->diagnostics, report,
                            "initial values of it are `%c = …` or `%c = …`", info->variables[0],
                            info->variables[1]);
}

/* e, f, q or p of one port, as the left side of a law or an initial value; false with a report. */
static bool read_binding(hbg_elaborator *elaborator, const syntax_declaration *declaration,
                         const syntax_argument *argument, hbg_binding *binding) {
    const syntax_element *element = declaration->element;
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    const char *text = name_text(elaborator, argument->name);
    if (argument->name == 0 || strlen(text) != 1 || !strchr(info->variables, text[0])) return false;
    int32_t port = argument->index != HBG_NONE ? argument->index : element->ports == 1 ? 1 : HBG_NONE;
    if (port == HBG_NONE || port > element->ports) {
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_PORT, argument->span,
                        "say which of the %d ports is meant: `%s[1]`", element->ports, text);
        port = 1;
    }
    *binding = (hbg_binding){hbg_lang_elaborate_variable(elaborator, argument->name), port, HBG_NONE,
                             argument->span};
    return true;
}

static void report_matrix(hbg_elaborator *elaborator, const syntax_declaration *declaration, int32_t ports) {
    const syntax_matrix *matrix = declaration->element->matrix;
    const hbg_element_info *info = hbg_model_element_info_get(declaration->element->form);
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    if (!info->field) {
        hbg_base_report(diagnostics, HBG_E_LAW, matrix->span, "%s %s takes one value, not a matrix",
                        hbg_lang_elaborate_article(info->name), info->name);
        return;
    }
    hbg_diagnostic *report = hbg_base_report(
        diagnostics, HBG_E_LAW, matrix->span, "%s %s with %d port%s needs %d row%s of %d value%s",
        hbg_lang_elaborate_article(info->name), info->name, ports, ports == 1 ? "" : "s", ports,
        ports == 1 ? "" : "s", ports, ports == 1 ? "" : "s");
    if (ports == 1 && matrix->rows > 1)
        hbg_base_report_fix(diagnostics, report, "write `%s[%d]` to give it %d ports",
                            name_text(elaborator, declaration->name), matrix->rows, matrix->rows);
}

static void define_matrix(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                          int32_t index) {
    const syntax_matrix *matrix = declaration->element->matrix;
    hbg_model *model = elaborator->model;
    int32_t ports = model->elements.items[index].ports;
    const hbg_element_info *info = hbg_model_element_info_get(declaration->element->form);
    if (!info->field || matrix->ragged || matrix->rows != ports || matrix->columns != ports) {
        report_matrix(elaborator, declaration, ports);
        return;
    }
    int32_t count = ports * ports;
    hbg_expr *values = HBG_NEW_ARRAY(elaborator->arena, hbg_expr, count);
    for (int32_t i = 0; i < count; i++) values[i] = lower_in(elaborator, scope, matrix->entries[i]);
    model->elements.items[index].first_value = model->entries.count;
    model->elements.items[index].value_count = count;
    for (int32_t i = 0; i < count; i++) HBG_PUSH(model->arena, model->entries, values[i]);
}

static void define_arguments(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                             int32_t index) {
    hbg_model *model = elaborator->model;
    const syntax_element *syntax = declaration->element;
    model->elements.items[index].first_initial = model->bindings.count;
    for (int32_t i = 0; i < syntax->arguments.count; i++) {
        const syntax_argument *argument = &syntax->arguments.items[i];
        hbg_expr value = lower_in(elaborator, scope, argument->value);
        hbg_element *element = &model->elements.items[index];
        hbg_binding binding;
        if (argument->name == 0 && i == 0 && !syntax->matrix) {
            element->first_value = model->entries.count;
            element->value_count = 1;
            HBG_PUSH(model->arena, model->entries, value);
        } else if (element->kind != HBG_KIND_R && read_binding(elaborator, declaration, argument, &binding)) {
            binding.value = value;
            HBG_PUSH(model->arena, model->bindings, binding);
            element->initial_count++;
        } else {
            bad_element_argument(elaborator, declaration, argument);
        }
    }
}

static void define_laws(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                        int32_t index) {
    hbg_model *model = elaborator->model;
    const syntax_element *syntax = declaration->element;
    hbg_lowering lowering = {elaborator, scope, index, NULL};
    model->elements.items[index].first_law = model->bindings.count;
    for (int32_t i = 0; i < syntax->laws.count; i++) {
        const syntax_argument *law = &syntax->laws.items[i];
        hbg_binding binding;
        if (!read_binding(elaborator, declaration, law, &binding)) {
            const char *kind = hbg_model_element_info_get(syntax->form)->name;
            hbg_base_report(elaborator->lang->diagnostics, HBG_E_LAW, law->span, "%s %s has no law for `%s`",
                            hbg_lang_elaborate_article(kind), kind, name_text(elaborator, law->name));
            continue;
        }
        binding.value = hbg_lang_elaborate_lower(&lowering, law->value);
        HBG_PUSH(model->arena, model->bindings, binding);
        model->elements.items[index].law_count++;
    }
}

static void define_element(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                           int32_t index) {
    if (declaration->element->matrix) define_matrix(elaborator, scope, declaration, index);
    define_arguments(elaborator, scope, declaration, index);
    define_laws(elaborator, scope, declaration, index);
}

static void define_junction(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                            int32_t index) {
    hbg_model *model = elaborator->model;
    const syntax_junction *syntax = declaration->junction;
    hbg_expr control = lower_in(elaborator, scope, syntax->control);
    // the remaining speed after a loss of energy is known only in the collision
    bool energy = loss_of(elaborator, scope, syntax->chosen) == HBG_LOSS_ENERGY;
    hbg_expr restitution = lower_in(elaborator, scope, energy ? syntax->chosen->middle : syntax->restitution);
    hbg_element *junction = &model->elements.items[index];
    junction->control = control;
    junction->restitution = restitution;
    define_choice(elaborator, scope, (hbg_object){HBG_OBJECT_ELEMENT, index}, syntax->chosen);
    junction->dual_off = syntax->dual_off;
    if (!syntax->control && (syntax->restitution || syntax->dual_off)) {
        hbg_diagnostic *report = hbg_base_report(
            elaborator->lang->diagnostics, HBG_E_JUNCTION, declaration->span,
            "junction `%s` never switches, so `%s` has no meaning", name_text(elaborator, declaration->name),
            syntax->restitution ? "restitution" : "off");
        hbg_base_report_fix(elaborator->lang->diagnostics, report, "say what switches it: `when …`");
    }
    if (!syntax->is_switch) return;
    hbg_decimal zero = {"0", 0, false};
    hbg_expr nothing = hbg_model_add_number(model, zero, hbg_model_dimension_any, declaration->span);
    model->elements.items[index + 1].first_value = model->entries.count;
    model->elements.items[index + 1].value_count = 1;
    HBG_PUSH(model->arena, model->entries, nothing);
}

/* ---- automata ----------------------------------------------------------------------------------------- */

static void define_transitions(hbg_elaborator *elaborator, int32_t scope, int32_t automaton, int32_t state,
                               const syntax_state *syntax) {
    hbg_model *model = elaborator->model;
    model->states.items[state].first_transition = model->transitions.count;
    for (int32_t i = 0; i < syntax->transitions.count; i++) {
        const syntax_transition *transition = &syntax->transitions.items[i];
        hbg_transition added = {.span = transition->span};
        added.target =
            hbg_lang_elaborate_find_state(elaborator, automaton, transition->target, transition->target_span);
        added.guard = lower_in(elaborator, scope, transition->guard);
        added.after = lower_in(elaborator, scope, transition->after);
        if (added.target == HBG_NONE) continue;
        HBG_PUSH(model->arena, model->transitions, added);
        model->states.items[state].transition_count++;
    }
}

static void define_automaton(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                             int32_t index) {
    hbg_model *model = elaborator->model;
    const syntax_automaton *syntax = declaration->automaton;
    model->automata.items[index].every = lower_in(elaborator, scope, syntax->every);
    if (syntax->start_span.end > 0) {
        int32_t start = hbg_lang_elaborate_find_state(elaborator, index, syntax->start, syntax->start_span);
        model->automata.items[index].start = start == HBG_NONE ? 0 : start;
    }
    for (int32_t i = 0; i < syntax->states.count; i++)
        define_transitions(elaborator, scope, index, model->automata.items[index].first_state + i,
                           &syntax->states.items[i]);
}

/* The only automaton of the instance; timers of its transitions do not count. HBG_NONE with a report if there
 * is not exactly one. */
static int32_t only_automaton(hbg_elaborator *elaborator, const hbg_instance *instance,
                              const syntax_argument *argument) {
    const syntax_definition *definition = instance->definition;
    int32_t found = HBG_NONE, count = 0, next = instance->first_object[DECLARE_AUTOMATON];
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        if (declaration->kind != DECLARE_AUTOMATON) continue;
        if (!strchr(name_text(elaborator, declaration->name), '.') && ++count == 1) found = next;
        next++;
    }
    if (count == 1) return found;
    const char *name = name_text(elaborator, instance->instance->name);
    hbg_diagnostic *report = hbg_base_report(elaborator->lang->diagnostics, HBG_E_ARGUMENT, argument->span,
                                             count == 0 ? "component `%s` has no automaton that could start"
                                                        : "component `%s` has several automata to start",
                                             name_text(elaborator, definition->name));
    if (count > 1)
        hbg_base_report_fix(elaborator->lang->diagnostics, report,
                            "say in the experiment where each of them starts: `set %s.%s = …;`", name,
                            name_text(elaborator, elaborator->model->automata.items[found].id.name));
    return HBG_NONE;
}

static void define_start(hbg_elaborator *elaborator, const hbg_instance *instance) {
    const syntax_arguments *arguments = &instance->instance->instance->arguments;
    for (int32_t i = 0; i < arguments->count; i++) {
        const syntax_argument *argument = &arguments->items[i];
        if (!is_start(elaborator, argument) ||
            hbg_base_pair_map_find(&elaborator->arguments, instance->definition->taking, argument->name) >= 0)
            continue;
        int32_t automaton = only_automaton(elaborator, instance, argument), state;
        if (automaton != HBG_NONE && hbg_lang_elaborate_state(elaborator, argument->value, automaton, &state))
            elaborator->model->automata.items[automaton].start = state;
    }
}

/* ---- signals ------------------------------------------------------------------------------------------ */

static void define_signal(hbg_elaborator *elaborator, int32_t scope, const syntax_declaration *declaration,
                          int32_t index, const syntax_argument *argument) {
    const hbg_instance *instance = &elaborator->instances.items[scope];
    const syntax_signal *syntax = declaration->signal;
    hbg_signal result = elaborator->model->signals.items[index];
    if (syntax->direction != PORT_NOT && !instance->instance)
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_PORT, declaration->span,
                        "a model has no ports: use `input` and `output`");
    else if (syntax->direction == PORT_IN && !argument && !syntax->value)
        no_value(elaborator, instance, declaration, "port");
    hbg_lang_elaborate_check_scale(elaborator, declaration->name,
                                   hbg_lang_elaborate_unit_label(elaborator, declaration->unit),
                                   argument          ? argument->value
                                   : syntax->initial ? syntax->initial
                                                     : syntax->value);
    result.value = argument ? lower_in(elaborator, instance->parent, argument->value)
                            : lower_in(elaborator, scope, syntax->value);
    result.initial = lower_in(elaborator, scope, syntax->initial);
    result.every = lower_in(elaborator, scope, syntax->every);
    hbg_lang_elaborate_check_difference(elaborator, syntax->noise_mean, "the mean of noise");
    result.noise_mean = lower_in(elaborator, scope, syntax->noise_mean);
    result.noise_variance = lower_in(elaborator, scope, syntax->noise_variance);
    result.dimension = hbg_lang_elaborate_dimension(elaborator, declaration->unit);
    if (!result.dimension.known && argument)
        result.dimension = default_dimension(elaborator, instance->definition, syntax->value, 0);
    result.unit = hbg_lang_elaborate_unit_label(elaborator, declaration->unit);
    result.display = hbg_lang_elaborate_display(elaborator, syntax->display);
    result.display_span = syntax->display;
    const hbg_unit *shown = hbg_lang_elaborate_unit(elaborator, syntax->display);
    if (shown && !result.display.unit)
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_UNIT, syntax->display,
                        "an output cannot be shown in a logarithmic unit: write its logarithm");
    elaborator->model->signals.items[index] = result;
}

/* ---- the walk ----------------------------------------------------------------------------------------- */

static void define_instance(hbg_elaborator *elaborator, int32_t scope) {
    const hbg_instance instance = elaborator->instances.items[scope];
    int32_t next[DECLARE_FUNCTION + 1];
    memcpy(next, instance.first_object, sizeof next);
    const syntax_argument **given = instance.instance ? sort_arguments(elaborator, &instance) : NULL;
    for (int32_t i = 0; i < instance.definition->declarations.count; i++) {
        const syntax_declaration *declaration = &instance.definition->declarations.items[i];
        const syntax_argument *argument = given ? given[i] : NULL;
        switch (declaration->kind) {
        case DECLARE_PARAM:
            define_param(elaborator, scope, declaration, next[DECLARE_PARAM]++, argument);
            break;
        case DECLARE_ELEMENT: define_element(elaborator, scope, declaration, next[DECLARE_ELEMENT]++); break;
        case DECLARE_JUNCTION:
            define_junction(elaborator, scope, declaration, next[DECLARE_ELEMENT]++);
            next[DECLARE_ELEMENT] += declaration->junction->is_switch;
            break;
        case DECLARE_AUTOMATON:
            define_automaton(elaborator, scope, declaration, next[DECLARE_AUTOMATON]++);
            break;
        case DECLARE_SIGNAL:
            define_signal(elaborator, scope, declaration, next[DECLARE_SIGNAL]++, argument);
            break;
        case DECLARE_TEXT: hbg_lang_elaborate_check_text(elaborator, scope, declaration, argument); break;
        case DECLARE_PORT:
            if (scope == 0)
                hbg_base_report(elaborator->lang->diagnostics, HBG_E_PORT, declaration->span,
                                "a model has no ports: nothing is outside it");
            break;
        default: break;
        }
    }
    if (instance.instance) define_start(elaborator, &instance);
}

void hbg_lang_elaborate_define(hbg_elaborator *elaborator) {
    for (int32_t scope = 0; scope < elaborator->instances.count && !elaborator->too_large; scope++)
        define_instance(elaborator, scope);
}
