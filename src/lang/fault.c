/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The meaning of fault sentences: `at 3 [s] until 4 [s]: TARGET KIND VALUE`, in an experiment or on the
 * command line. A target is a parameter, an element (its value: `bulb`, or `bulb.R` after its kind), an
 * automaton or a sensor. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <string.h>

static hbg_expr lower(hbg_elaborator *elaborator, const syntax_expr *expr) {
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    return hbg_lang_elaborate_lower(&lowering, expr);
}

static bool wrong_fault(hbg_elaborator *elaborator, const syntax_fault *syntax, const char *what,
                        const char *kinds) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_EXPERIMENT, syntax->kind_span,
                                             "`%s` is %s: it cannot have this fault",
                                             hbg_lang_elaborate_path_text(elaborator, &syntax->target), what);
    hbg_base_report_fix(diagnostics, report, "it can be %s", kinds);
    return false;
}

/* ---- targets ------------------------------------------------------------------------------------------ */

/* `stuck on`, `stuck off` or `stuck STATE`; a state of that name wins. */
static bool read_stuck(hbg_elaborator *elaborator, const syntax_fault *syntax, hbg_fault *fault) {
    const syntax_expr *value = syntax->value;
    if (!hbg_model_fault_info_get(syntax->kind)->on_automaton)
        return wrong_fault(elaborator, syntax, "an automaton", "`stuck on`, `stuck off` or `stuck STATE`");
    hbg_name name = value->kind == SYNTAX_PATH && value->path.count == 1 ? value->path.segments[0].name : 0;
    const char *text = hbg_base_names_get(elaborator->lang->names, name);
    bool own = hbg_base_pair_map_find(&elaborator->state_names, fault->target.index, name) >= 0;
    fault->on = strcmp(text, "on") == 0;
    if (!own && (fault->on || strcmp(text, "off") == 0)) return true;
    return hbg_lang_elaborate_state(elaborator, value, fault->target.index, &fault->state);
}

static bool read_sensor_fault(hbg_elaborator *elaborator, const syntax_fault *syntax,
                              const hbg_fault *fault) {
    const hbg_signal *signal = &elaborator->model->signals.items[fault->target.index];
    if (signal->kind == HBG_SIGNAL_INPUT)
        return wrong_fault(elaborator, syntax, "an input, and no sensor",
                           hbg_base_arena_print(elaborator->arena,
                                                "given another value in an experiment: `at 3 [s]: %s = …;`",
                                                hbg_lang_elaborate_path_text(elaborator, &syntax->target)));
    if (signal->kind != HBG_SIGNAL_SENSOR)
        return wrong_fault(elaborator, syntax, "no sensor", "faulted only if declared with `sensor`");
    const hbg_fault_info *info = hbg_model_fault_info_get(syntax->kind);
    if (!info->on_sensor)
        return wrong_fault(elaborator, syntax, "a sensor",
                           "`bias`, `drift`, `stuck` or `noise(mean, variance)`");
    if (info->effect == HBG_EFFECT_SHAKES && signal->every == HBG_NONE)
        return wrong_fault(elaborator, syntax, "a sensor that is not sampled, and white noise has samples",
                           "given noise where it is declared with `every`");
    return true;
}

/* A value has no states, but a parameter may have the name of one. */
static bool is_stuck_on(hbg_elaborator *elaborator, const syntax_fault *syntax) {
    const syntax_expr *value = syntax->value;
    bool holds = hbg_model_fault_info_get(syntax->kind)->effect == HBG_EFFECT_HOLDS;
    if (!holds || !value || value->kind != SYNTAX_PATH || value->path.count != 1) return false;
    hbg_name name = value->path.segments[0].name;
    const char *text = hbg_base_names_get(elaborator->lang->names, name);
    return (strcmp(text, "on") == 0 || strcmp(text, "off") == 0) &&
           hbg_model_find(elaborator->model, 0, name).kind == HBG_OBJECT_NONE;
}

static bool read_value_fault(hbg_elaborator *elaborator, const syntax_fault *syntax, const char *what) {
    if (is_stuck_on(elaborator, syntax))
        return wrong_fault(elaborator, syntax,
                           hbg_base_arena_print(elaborator->arena, "%s, and no automaton", what),
                           "`stuck` at a value, such as `stuck 0`");
    return hbg_model_fault_info_get(syntax->kind)->on_value ||
           wrong_fault(elaborator, syntax, what, "`abrupt`, `incipient` or `stuck`");
}

/* `bulb`, `bulb.R`, `bulb.value` */
static bool names_value(const hbg_elaborator *elaborator, const syntax_path *path, hbg_resolved found,
                        const hbg_element *element) {
    if (found.index != HBG_NONE) return false;
    if (found.used == path->count) return true;
    const char *last = hbg_base_names_get(elaborator->lang->names, path->segments[found.used].name);
    bool kind = strcmp(last, hbg_model_element_info_get(element->form)->text) == 0;
    return found.used + 1 == path->count && (kind || strcmp(last, "value") == 0);
}

typedef HBG_VEC(int32_t) param_list;

enum { MOST_NAMED = 3, MOST_PARTS = 1000 };

/* Parameters that an expression reads, in order, as "`L` or `M`". */
static void name_params(hbg_elaborator *elaborator, hbg_expr root, param_list *named, hbg_buffer *out) {
    const hbg_model *model = elaborator->model;
    hbg_expr stack[MOST_PARTS];
    int count = 0;
    if (root >= 0) stack[count++] = root;
    while (count > 0) {
        const hbg_expr_node *node = &model->exprs.items[stack[--count]];
        for (int k = hbg_model_expr_arity(node) - 1; k >= 0; k--) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            if (part >= 0 && count < MOST_PARTS) stack[count++] = part;
        }
        bool known = node->op != HBG_OP_PARAM || node->a < 0 || named->count >= MOST_NAMED;
        for (int32_t k = 0; k < named->count && !known; k++) known = named->items[k] == node->a;
        if (known) continue;
        hbg_base_buffer_text(out, named->count > 0 ? " or `" : "`");
        hbg_model_path(model, (hbg_object){HBG_OBJECT_PARAM, node->a}, out);
        hbg_base_buffer_text(out, "`");
        HBG_PUSH(elaborator->arena, *named, node->a);
    }
}

/* How to address a parameter of an element with more than one value. */
static const char *with_parameter(hbg_arena *arena, const hbg_model *model, const hbg_element *element,
                                  const char *name) {
    const char *kind = hbg_model_element_info_get(element->form)->text;
    if (element->law_count == 0)
        return hbg_base_arena_print(arena, "`param x = …; %s %s[%d]([[x, …], …]);`", kind, name,
                                    (int)element->ports);
    const hbg_binding *law = &model->bindings.items[element->first_law];
    bool effort = law->variable == HBG_VARIABLE_EFFORT;
    const char *form = element->kind == HBG_KIND_C   ? effort ? "e = q/x" : "q = x*e"
                       : element->kind == HBG_KIND_I ? effort ? "p = x*f" : "f = p/x"
                       : effort                      ? "e = x*f"
                                                     : "f = e/x";
    return hbg_base_arena_print(arena, "`param x = …; %s %s : %s;`", kind, name, form);
}

/* What to use instead: existing parameters, or how to make one. */
static const char *through_parameter(hbg_elaborator *elaborator, const hbg_element *element,
                                     const char *name) {
    const hbg_model *model = elaborator->model;
    param_list named = {0};
    hbg_buffer params;
    hbg_base_buffer_init(&params, elaborator->arena);
    for (int32_t i = 0; i < element->value_count; i++)
        name_params(elaborator, model->entries.items[element->first_value + i], &named, &params);
    for (int32_t i = 0; i < element->law_count; i++)
        name_params(elaborator, model->bindings.items[element->first_law + i].value, &named, &params);
    name_params(elaborator, element->restitution, &named, &params);
    if (named.count > 0)
        return hbg_base_arena_print(elaborator->arena, "faulted through what it reads: %s", params.data);
    return hbg_base_arena_print(elaborator->arena, "faulted through a parameter: %s",
                                with_parameter(elaborator->arena, model, element, name));
}

/* The automaton that switches a junction, the first if there are several; HBG_NONE if there is none. */
static int32_t automaton_of(const hbg_model *model, hbg_expr control, int depth) {
    if (control < 0 || depth > 20) return HBG_NONE;
    const hbg_expr_node *node = &model->exprs.items[control];
    if (node->op == HBG_OP_AUTOMATON || node->op == HBG_OP_ACTIVE) return node->a;
    int32_t found = HBG_NONE;
    for (int i = 0; i < hbg_model_expr_arity(node) && found == HBG_NONE; i++)
        found = automaton_of(model, hbg_model_expr_argument(node, i), depth + 1);
    return found;
}

static bool refuse_junction(hbg_elaborator *elaborator, const syntax_fault *syntax,
                            const hbg_element *element) {
    int32_t automaton = automaton_of(elaborator->model, element->control, 0);
    if (automaton == HBG_NONE)
        return wrong_fault(
            elaborator, syntax, "a junction that nothing switches",
            "given one: `when NAME`, and `automaton NAME { … }`; or faulted through an element beside it");
    return wrong_fault(
        elaborator, syntax, "a junction",
        hbg_base_arena_print(
            elaborator->arena, "faulted through the automaton that switches it, `%s`",
            hbg_lang_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_AUTOMATON, automaton})));
}

static bool read_element_fault(hbg_elaborator *elaborator, const syntax_fault *syntax, hbg_resolved found) {
    const hbg_element *element = &elaborator->model->elements.items[found.object.index];
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    const char *name = hbg_base_names_get(elaborator->lang->names, element->id.name);
    hbg_arena *arena = elaborator->arena;
    if (element->ports > 0 && element->value_count == 1 &&
        names_value(elaborator, &syntax->target, found, element))
        return read_value_fault(elaborator, syntax, "the value of an element");
    if (element->ports > 0 && element->value_count == 1)
        return wrong_fault(elaborator, syntax, "no parameter, automaton or sensor",
                           hbg_base_arena_print(arena, "faulted through the value of `%s`, called `%s.%s`",
                                                name, name, info->text));
    if (element->ports == 0) return refuse_junction(elaborator, syntax, element);
    return wrong_fault(elaborator, syntax, "no parameter, automaton or sensor, nor an element with one value",
                       through_parameter(elaborator, element, name));
}

static bool read_target(hbg_elaborator *elaborator, const syntax_fault *syntax, hbg_resolved found,
                        hbg_fault *fault) {
    bool whole = found.used == syntax->target.count;
    if (found.object.kind == HBG_OBJECT_ELEMENT) return read_element_fault(elaborator, syntax, found);
    if (whole && found.object.kind == HBG_OBJECT_AUTOMATON) return read_stuck(elaborator, syntax, fault);
    if (whole && found.object.kind == HBG_OBJECT_SIGNAL) return read_sensor_fault(elaborator, syntax, fault);
    if (whole && found.object.kind == HBG_OBJECT_PARAM)
        return read_value_fault(elaborator, syntax, "a parameter");
    return wrong_fault(elaborator, syntax, "no parameter, automaton or sensor",
                       "faulted through a parameter: `param R1 = …; R r(R1);`");
}

/* ---- sentences ---------------------------------------------------------------------------------------- */

static bool no_percentage(hbg_elaborator *elaborator, const syntax_fault *syntax, const char *what,
                          const char *fix) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNIT, hbg_lang_elaborate_amount_span(syntax->value), "%s", what);
    hbg_base_report_fix(diagnostics, report, "%s", fix);
    return false;
}

/* An addition may be a percentage of the nominal value, but not a point on a scale. */
static bool read_value(hbg_elaborator *elaborator, const syntax_fault *syntax, hbg_fault *fault) {
    hbg_fault_effect effect = hbg_model_fault_info_get(syntax->kind)->effect;
    bool slope = effect == HBG_EFFECT_GROWS, adds = slope || effect == HBG_EFFECT_ADDS;
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    fault->value = hbg_lang_elaborate_anchor(&lowering, syntax->value, lower(elaborator, syntax->value));
    fault->value2 = lower(elaborator, syntax->value2);
    if (adds) hbg_lang_elaborate_check_difference(elaborator, syntax->value, "what a fault adds");
    if (effect == HBG_EFFECT_SHAKES)
        hbg_lang_elaborate_check_difference(elaborator, syntax->value, "the mean of noise");
    hbg_amount amount = hbg_lang_elaborate_amount(elaborator, syntax->value);
    if (adds && amount == HBG_AMOUNT_MIXED)
        return no_percentage(
            elaborator, syntax, "this has `%` in it, but is no percentage: of what it would be is not clear",
            "write a number in `[%]`, such as `-30 [%]` or `2*15 [%]`, which is of the nominal "
            "value; or an amount without `%`");
    if (adds && !slope && amount == HBG_AMOUNT_PERCENT_RATE)
        return no_percentage(elaborator, syntax, "this changes with time, and the fault comes at once",
                             "write `[%]`; or `incipient`, or `drift` of a sensor, for a fault that grows");
    fault->relative = adds && (amount == HBG_AMOUNT_PERCENT || amount == HBG_AMOUNT_PERCENT_RATE);
    return true;
}

bool hbg_lang_elaborate_fault(hbg_elaborator *elaborator, const syntax_fault *syntax, hbg_fault *fault) {
    hbg_resolved found;
    if (!hbg_lang_elaborate_fault_target(elaborator, syntax, &found)) return false;
    *fault = (hbg_fault){.until = HBG_NONE, .value = HBG_NONE, .value2 = HBG_NONE, .state = HBG_NONE};
    fault->target = found.object;
    fault->kind = syntax->kind;
    fault->span = syntax->span;
    if (!read_target(elaborator, syntax, found, fault)) return false;
    const char *text =
        syntax->text
            ? syntax->text
            : hbg_lang_elaborate_text(
                  elaborator, (hbg_span){hbg_lang_path_span(&syntax->target).start, syntax->span.end});
    fault->text = hbg_base_arena_copy(elaborator->model->arena, text, strlen(text));
    fault->at = lower(elaborator, syntax->at);
    fault->until = lower(elaborator, syntax->until);
    if (found.object.kind == HBG_OBJECT_AUTOMATON) return true;
    return read_value(elaborator, syntax, fault);
}

/* A sentence of the command line with brackets around its units, as for times and parameters there: `at 1h:
 * R1 abrupt 50%`. */
static const char *with_brackets(hbg_elaborator *elaborator, const char *text) {
    static const char between[] = " \t,:;()";
    hbg_buffer out;
    int depth = 0;
    hbg_base_buffer_init(&out, elaborator->arena);
    while (*text) {
        size_t size = depth > 0 || strchr(between, *text) ? 0 : strcspn(text, " \t,:;()[");
        if (size == 0) {
            depth += (*text == '[') - (*text == ']');
            hbg_base_buffer_char(&out, *text++);
            continue;
        }
        const char *word = hbg_base_arena_copy(elaborator->arena, text, size);
        hbg_base_buffer_text(&out, hbg_lang_elaborate_with_brackets(elaborator, word));
        text += size;
    }
    return out.data;
}

void hbg_lang_elaborate_fault_sentences(hbg_elaborator *elaborator, const hbg_lang_options *options,
                                        hbg_experiment *experiment) {
    hbg_lang *lang = elaborator->lang;
    for (int i = 0; i < options->fault_count; i++) {
        const char *text = with_brackets(elaborator, options->faults[i]);
        int32_t source = hbg_base_sources_add(lang->sources, "the command line", text, strlen(text));
        int64_t errors = lang->diagnostics->errors;
        syntax_fault syntax = {0};
        hbg_fault fault;
        if (source < 0 || !hbg_lang_lexer_check_text(lang, &lang->sources->items.items[source])) continue;
        if (!hbg_lang_parser_parse_fault(lang, source, &syntax) || lang->diagnostics->errors > errors)
            continue;
        if (hbg_lang_elaborate_fault(elaborator, &syntax, &fault))
            HBG_PUSH(elaborator->model->arena, experiment->faults, fault);
    }
    if (options->fault_table) hbg_lang_elaborate_fault_table(elaborator, options->fault_table, experiment);
}
