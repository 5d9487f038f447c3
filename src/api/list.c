/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The contents of a model. For people there are aligned columns, one section per kind of object. */
#include "api/report_impl.h"

#include <math.h>
#include <string.h>

#define COLUMNS      4
#define COLUMN_LIMIT 40 /* a wider cell does not widen its column */

typedef struct {
    const char *cell[COLUMNS]; /* NULL after the last */
} table_row;

typedef struct {
    hbg_session *session;
    const hbg_model *model;
    hbg_api_report *report;
    HBG_VEC(table_row) rows;
} list_writer;

/* ---- tables ------------------------------------------------------------------------------------------- */

static int characters(const char *text) {
    int count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void add_row(list_writer *writer, const char *a, const char *b, const char *c, const char *d) {
    table_row row = {{a, b, c, d}};
    HBG_PUSH(&writer->session->scratch, writer->rows, row);
}

/* Writes the rows collected since the last section, in columns as wide as they need. */
static void put_section(list_writer *writer, const char *title) {
    if (writer->rows.count == 0) return;
    int width[COLUMNS] = {0};
    for (int32_t i = 0; i < writer->rows.count; i++)
        for (int k = 0; k < COLUMNS; k++) {
            const char *cell = writer->rows.items[i].cell[k];
            int wide = cell ? characters(cell) : 0;
            if (wide > width[k] && wide <= COLUMN_LIMIT) width[k] = wide;
        }
    hbg_buffer *out = hbg_api_words(writer->report);
    hbg_base_buffer_print(out, "\n%s\n", title);
    for (int32_t i = 0; i < writer->rows.count; i++) {
        int pending = 2;
        for (int k = 0; k < COLUMNS; k++) {
            const char *cell = writer->rows.items[i].cell[k] ? writer->rows.items[i].cell[k] : "";
            int wide = characters(cell);
            if (wide > 0) {
                hbg_base_buffer_print(out, "%*s%s", pending, "", cell);
                pending = 0;
            }
            pending += (wide < width[k] ? width[k] - wide : 0) + 2;
        }
        hbg_base_buffer_char(out, '\n');
    }
    writer->rows.count = 0;
}

static const char *print(list_writer *writer, const char *format, ...) HBG_PRINTF(2, 3);
static const char *print(list_writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = hbg_base_arena_vprint(&writer->session->scratch, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- cells -------------------------------------------------------------------------------------------- */

static const char *const letters[] = {
#define X(id, text) text,
    HBG_VARIABLE_LIST(X)
#undef X
};

static const char *name_of(list_writer *writer, hbg_object_kind kind, int32_t index) {
    return hbg_api_text_path(writer->session, writer->model, (hbg_object){kind, index});
}

static const char *number(list_writer *writer, double value) {
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, value);
    return print(writer, "%s", text);
}

/* A value as written and, where it is constant, its number in SI: `R1 = 330 Ohm`. */
static const char *value_cell(list_writer *writer, hbg_expr expr) {
    const hbg_model *model = writer->model;
    double value;
    const char *text = hbg_api_text_expr(writer->session, model, expr);
    if (!hbg_model_constant(model, expr, &value)) return text;
    const char *unit = hbg_api_text_expr_unit(writer->session, model, expr);
    const char *digits = number(writer, value);
    const char *quantity = unit[0] ? print(writer, "%s %s", digits, unit) : digits;
    return model->exprs.items[expr].op == HBG_OP_NUMBER ? quantity : print(writer, "%s = %s", text, quantity);
}

static const char *laws_cell(list_writer *writer, const hbg_element *element, int32_t first, int32_t count,
                             const char *separator) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &writer->session->scratch);
    for (int32_t i = 0; i < count; i++) {
        const hbg_binding *law = &writer->model->bindings.items[first + i];
        hbg_base_buffer_print(&buffer, "%s%s", i ? separator : "", letters[law->variable]);
        if (element->ports > 1) hbg_base_buffer_print(&buffer, "[%d]", law->port);
        hbg_base_buffer_print(&buffer, " = %s",
                              hbg_api_text_expr(writer->session, writer->model, law->value));
    }
    return buffer.data;
}

static const char *control_cell(list_writer *writer, const hbg_element *junction) {
    if (junction->control == HBG_NONE) return "";
    const char *control = hbg_api_text_expr(writer->session, writer->model, junction->control);
    const char *off = !junction->dual_off               ? ""
                      : junction->kind == HBG_KIND_ZERO ? " off flow"
                                                        : " off effort";
    if (junction->restitution == HBG_NONE) return print(writer, "when %s%s", control, off);
    int32_t index = (int32_t)(junction - writer->model->elements.items);
    const hbg_choice *choice = hbg_model_choice_of(writer->model, (hbg_object){HBG_OBJECT_ELEMENT, index});
    if (choice)
        return print(writer, "when %s%s restitution %s%s .. %s", control, off, choice->loss ? "loss " : "",
                     hbg_api_text_expr(writer->session, writer->model, choice->low),
                     hbg_api_text_expr(writer->session, writer->model, choice->high));
    return print(writer, "when %s%s restitution %s", control, off,
                 hbg_api_text_expr(writer->session, writer->model, junction->restitution));
}

static const char *element_cell(list_writer *writer, const hbg_element *element) {
    if (element->ports == 0) return control_cell(writer, element);
    if (element->law_count > 0)
        return laws_cell(writer, element, element->first_law, element->law_count, ", ");
    if (element->value_count == 1)
        return value_cell(writer, writer->model->entries.items[element->first_value]);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &writer->session->scratch);
    for (int32_t i = 0; i < element->value_count; i++) {
        hbg_expr entry = writer->model->entries.items[element->first_value + i];
        const char *before = i == 0 ? "[[" : i % element->ports == 0 ? "], [" : ", ";
        hbg_base_buffer_print(&buffer, "%s%s", before,
                              hbg_api_text_expr(writer->session, writer->model, entry));
    }
    if (element->value_count > 0) hbg_base_buffer_text(&buffer, "]]");
    return buffer.data;
}

/* ---- fields ------------------------------------------------------------------------------------------- */

/* A pure number has none. */
static void put_unit(hbg_api_report *object, const char *unit) {
    if (unit[0]) hbg_api_text(object, "unit", unit);
}

static void put_expr(list_writer *writer, hbg_api_report *object, const char *key, hbg_expr expr) {
    if (expr != HBG_NONE) hbg_api_text(object, key, hbg_api_text_expr(writer->session, writer->model, expr));
}

/* An object with its path and where it was declared. */
static hbg_api_report *add_named(list_writer *writer, hbg_api_report *list, hbg_object_kind kind,
                                 int32_t index) {
    hbg_place place;
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_text(object, "name", name_of(writer, kind, index));
    hbg_span span = hbg_model_identity(writer->model, (hbg_object){kind, index})->span;
    if (!hbg_base_sources_place(&writer->session->sources, span, &place)) return object;
    hbg_api_text(object, "file", place.path);
    hbg_api_count(object, "line", place.line);
    return object;
}

/* A constant in SI; NaN for what is computed while time advances. */
static double number_of(const hbg_model *model, hbg_expr expr) {
    double value;
    return hbg_model_constant(model, expr, &value) ? value : NAN;
}

static void put_bindings(list_writer *writer, hbg_api_report *object, const char *key, int32_t first,
                         int32_t count) {
    if (count == 0) return;
    hbg_api_report *list = hbg_api_list(object, key);
    for (int32_t i = 0; i < count; i++) {
        const hbg_binding *binding = &writer->model->bindings.items[first + i];
        hbg_api_report *entry = hbg_api_object(list, NULL);
        double number;
        hbg_api_text(entry, "variable", letters[binding->variable]);
        hbg_api_count(entry, "port", binding->port);
        put_expr(writer, entry, "value", binding->value);
        if (!hbg_model_constant(writer->model, binding->value, &number)) continue;
        hbg_api_number(entry, "number", number);
        put_unit(entry, hbg_api_text_expr_unit(writer->session, writer->model, binding->value));
    }
}

/* The values of an element: as written, as numbers, and their units, in three lists of one length. */
static void put_values(list_writer *writer, hbg_api_report *object, const hbg_element *element) {
    const hbg_model *model = writer->model;
    hbg_api_report *values = hbg_api_list(object, "values");
    hbg_api_report *numbers = hbg_api_list(object, "numbers");
    hbg_api_report *units = hbg_api_list(object, "units");
    for (int32_t i = 0; i < element->value_count; i++) {
        hbg_expr entry = model->entries.items[element->first_value + i];
        const char *unit = hbg_api_text_expr_unit(writer->session, model, entry);
        hbg_api_text(values, NULL, hbg_api_text_expr(writer->session, model, entry));
        hbg_api_number(numbers, NULL, number_of(model, entry));
        hbg_api_text(units, NULL, unit[0] ? unit : NULL);
    }
}

/* ---- sections ----------------------------------------------------------------------------------------- */

static void add_element_row(list_writer *writer, const hbg_element *element, const char *name) {
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    const char *cell = element_cell(writer, element);
    if (element->initial_count > 0)
        cell = print(writer, "%s, initially %s", cell,
                     laws_cell(writer, element, element->first_initial, element->initial_count, ", "));
    if (element->ports > 1 && info->field) name = print(writer, "%s[%d]", name, element->ports);
    add_row(writer, info->text, name, cell, NULL);
}

static void list_elements(list_writer *writer) {
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "elements");
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        hbg_api_report *object = add_named(writer, list, HBG_OBJECT_ELEMENT, i);
        hbg_api_text(object, "kind", hbg_model_element_info_get(element->form)->text);
        if (element->ports > 0) hbg_api_count(object, "ports", element->ports);
        if (element->value_count > 0) put_values(writer, object, element);
        put_bindings(writer, object, "laws", element->first_law, element->law_count);
        put_bindings(writer, object, "initial", element->first_initial, element->initial_count);
        put_expr(writer, object, "when", element->control);
        put_expr(writer, object, "restitution", element->restitution);
        if (element->dual_off)
            hbg_api_text(object, "off", element->kind == HBG_KIND_ZERO ? "flow" : "effort");
        add_element_row(writer, element, object->first->text);
    }
    put_section(writer, "elements");
}

static const char *end_cell(list_writer *writer, const hbg_bond_end *end) {
    const char *name = name_of(writer, HBG_OBJECT_ELEMENT, end->element);
    return writer->model->elements.items[end->element].ports > 1 ? print(writer, "%s[%d]", name, end->port)
                                                                 : name;
}

static void list_bonds(list_writer *writer) {
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "bonds");
    for (int32_t i = 0; i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        hbg_domain domain = model->net_domain[bond->net];
        const char *from = end_cell(writer, &bond->from), *to = end_cell(writer, &bond->to);
        hbg_api_report *object = add_named(writer, list, HBG_OBJECT_BOND, i);
        hbg_api_text(object, "from", from);
        hbg_api_text(object, "to", to);
        hbg_api_text(object, "domain", hbg_model_domain_name(domain));
        add_row(writer, bond->id.name ? object->first->text : "", print(writer, "%s -> %s", from, to),
                domain == HBG_DOMAIN_ANY ? "" : hbg_model_domain_name(domain), NULL);
    }
    put_section(writer, "bonds");
}

static const char *transition_cell(list_writer *writer, const hbg_automaton *automaton,
                                   const hbg_transition *transition) {
    const hbg_model *model = writer->model;
    hbg_name target = model->states.items[automaton->first_state + transition->target].name;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &writer->session->scratch);
    hbg_base_buffer_print(&buffer, "-> %s", hbg_base_names_get(model->names, target));
    if (transition->guard != HBG_NONE)
        hbg_base_buffer_print(&buffer, " when %s",
                              hbg_api_text_expr(writer->session, model, transition->guard));
    if (transition->after != HBG_NONE)
        hbg_base_buffer_print(&buffer, " after %s", value_cell(writer, transition->after));
    return buffer.data;
}

static const char *state_name(const hbg_model *model, const hbg_automaton *automaton, int32_t state) {
    return hbg_base_names_get(model->names, model->states.items[automaton->first_state + state].name);
}

/* A state and its transitions; `name` is that of its automaton where it comes first. */
static void list_state(list_writer *writer, hbg_api_report *list, const hbg_automaton *automaton,
                       int32_t index, const char *name) {
    const hbg_model *model = writer->model;
    const hbg_automaton_state *state = &model->states.items[automaton->first_state + index];
    const char *own = hbg_base_names_get(model->names, state->name);
    const char *text =
        print(writer, "%s %s%s", state->on ? "on " : "off", own, index == automaton->start ? " (start)" : "");
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_text(object, "name", own);
    hbg_api_flag(object, "on", state->on);
    hbg_api_report *transitions = hbg_api_list(object, "transitions");
    if (state->transition_count == 0) add_row(writer, name, text, "", NULL);
    for (int32_t i = 0; i < state->transition_count; i++) {
        const hbg_transition *transition = &model->transitions.items[state->first_transition + i];
        hbg_api_report *entry = hbg_api_object(transitions, NULL);
        hbg_api_text(entry, "to", state_name(model, automaton, transition->target));
        put_expr(writer, entry, "when", transition->guard);
        put_expr(writer, entry, "after", transition->after);
        add_row(writer, i ? "" : name, i ? "" : text, transition_cell(writer, automaton, transition), NULL);
    }
}

static void list_automata(list_writer *writer) {
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "automata");
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        hbg_api_report *object = add_named(writer, list, HBG_OBJECT_AUTOMATON, i);
        const char *name = object->first->text;
        put_expr(writer, object, "every", automaton->every);
        if (automaton->every != HBG_NONE)
            name = print(writer, "%s every %s", name, value_cell(writer, automaton->every));
        if (automaton->state_count > 0)
            hbg_api_text(object, "start", state_name(model, automaton, automaton->start));
        hbg_api_report *states = hbg_api_list(object, "states");
        for (int32_t k = 0; k < automaton->state_count; k++)
            list_state(writer, states, automaton, k, k ? "" : name);
    }
    put_section(writer, "automata");
}

/* In the unit it was written in, without rounding errors; NULL if that is SI. */
static const char *written_cell(list_writer *writer, const hbg_param *param, double value) {
    const hbg_display *display = &param->display;
    if (!display->unit || (display->scale == 1 && display->offset == 0) || !isfinite(value)) return NULL;
    return print(writer, "%.12g %s", hbg_model_displayed(display, value), display->unit);
}

/* The threshold chosen in the band of a guard has a name, but `-p` cannot set it. */
static bool is_threshold(const hbg_model *model, int32_t param) {
    const hbg_choice *of = hbg_model_choice_of(model, (hbg_object){HBG_OBJECT_PARAM, param});
    return of && of->anew && of->automaton != HBG_NONE;
}

static int32_t count_params(const hbg_model *model) {
    int32_t count = 0;
    for (int32_t i = 0; i < model->params.count; i++) count += !is_threshold(model, i);
    return count;
}

static void list_params(list_writer *writer) {
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "parameters");
    for (int32_t i = 0; i < model->params.count; i++) {
        const hbg_param *param = &model->params.items[i];
        if (is_threshold(model, i)) continue;
        const char *unit =
            hbg_api_text_object_unit(writer->session, model, (hbg_object){HBG_OBJECT_PARAM, i});
        hbg_api_report *object = add_named(writer, list, HBG_OBJECT_PARAM, i);
        hbg_api_number(object, "value", model->param_values[i]);
        put_unit(object, unit);
        if (param->unit) hbg_api_text(object, "written_unit", param->unit);
        const char *si = print(writer, "%s %s", number(writer, model->param_values[i]), unit);
        const char *written = written_cell(writer, param, model->param_values[i]);
        if (written)
            hbg_api_number(object, "written_value",
                           hbg_model_displayed(&param->display, model->param_values[i]));
        put_expr(writer, object, "expression", param->value);
        if (param->doc) hbg_api_text(object, "doc", param->doc);
        bool literal = param->value != HBG_NONE && model->exprs.items[param->value].op == HBG_OP_NUMBER;
        add_row(writer, object->first->text, written ? written : si,
                literal ? (written ? print(writer, "= %s", si) : "")
                        : print(writer, "= %s", hbg_api_text_expr(writer->session, model, param->value)),
                param->doc);
    }
    put_section(writer, "parameters");
}

/* How often, in words. */
static const char *choice_pace(list_writer *writer, const hbg_choice *of) {
    const hbg_model *model = writer->model;
    if (of->target.kind == HBG_OBJECT_ELEMENT) return "anew at each collision";
    if (!of->anew) return "once for a run";
    if (of->automaton == HBG_NONE) return "anew whenever an automaton moves";
    return print(
        writer, "anew whenever %s moves",
        hbg_api_text_path(writer->session, model, (hbg_object){HBG_OBJECT_AUTOMATON, of->automaton}));
}

/* What a run decides: intervals of parameters, restitutions and thresholds. */
static void list_choices(list_writer *writer) {
    static const char *const losses[HBG_LOSS_COUNT] = {
        [HBG_LOSS_NONE] = "", [HBG_LOSS_SHARE] = "loss ", [HBG_LOSS_ENERGY] = "loss "};
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "choices");
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *of = &model->choices.items[i];
        const char *unit = of->loss == HBG_LOSS_ENERGY ? "J"
                           : of->target.kind == HBG_OBJECT_ELEMENT
                               ? ""
                               : hbg_api_text_object_unit(writer->session, model, of->target);
        double low, high;
        if (!hbg_model_constant(model, of->low, &low) || !hbg_model_constant(model, of->high, &high))
            continue;
        hbg_api_report *object = add_named(writer, list, of->target.kind, of->target.index);
        hbg_api_number(object, "least", low);
        hbg_api_number(object, "greatest", high);
        put_unit(object, unit);
        hbg_api_flag(object, "loss", of->loss != HBG_LOSS_NONE);
        hbg_api_text(object, "chosen", choice_pace(writer, of));
        add_row(
            writer, object->first->text,
            print(writer, "%s%s .. %s %s", losses[of->loss], number(writer, low), number(writer, high), unit),
            choice_pace(writer, of), NULL);
    }
    put_section(writer, "choices");
}

static const char *signal_cell(list_writer *writer, const hbg_signal *signal) {
    const hbg_model *model = writer->model;
    const char *value =
        signal->value == HBG_NONE ? "" : hbg_api_text_expr(writer->session, model, signal->value);
    if (signal->kind == HBG_SIGNAL_STATE)
        value =
            print(writer, "%s : der = %s", hbg_api_text_expr(writer->session, model, signal->initial), value);
    if (signal->every != HBG_NONE)
        value = print(writer, "%s every %s", value, value_cell(writer, signal->every));
    return value;
}

static void list_signals(list_writer *writer) {
    static const char *const kinds[] = {
#define X(id, text) text,
        HBG_SIGNAL_LIST(X)
#undef X
    };
    static const char *const types[] = {"real", "bool", "event"};
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "signals");
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        const char *unit =
            hbg_api_text_object_unit(writer->session, model, (hbg_object){HBG_OBJECT_SIGNAL, i});
        hbg_api_report *object = add_named(writer, list, HBG_OBJECT_SIGNAL, i);
        hbg_api_text(object, "kind", kinds[signal->kind]);
        hbg_api_text(object, "type", types[signal->type]);
        put_unit(object, unit);
        if (signal->display.unit) {
            hbg_api_text(object, "shown_in", signal->display.unit);
            unit = signal->display.unit;
        }
        put_expr(writer, object, signal->kind == HBG_SIGNAL_STATE ? "der" : "value", signal->value);
        put_expr(writer, object, "initial", signal->initial);
        put_expr(writer, object, "every", signal->every);
        if (signal->doc) hbg_api_text(object, "doc", signal->doc);
        const char *kind = kinds[signal->kind], *name = object->first->text;
        add_row(writer, signal->type ? print(writer, "%s %s", kind, types[signal->type]) : kind,
                unit[0] ? print(writer, "%s [%s]", name, unit) : name, signal_cell(writer, signal),
                signal->doc);
    }
    put_section(writer, "signals");
}

static void list_experiments(list_writer *writer) {
    const hbg_model *model = writer->model;
    hbg_api_report *list = hbg_api_list(writer->report, "experiments");
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        int32_t actions = experiment->actions.count, faults = experiment->faults.count;
        if (experiment->name == 0) continue; // the request of a run
        const char *name = hbg_base_names_get(model->names, experiment->name);
        const char *stop = experiment->stop == HBG_NONE
                               ? "no stop time"
                               : print(writer, "stop %s", value_cell(writer, experiment->stop));
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "name", name);
        put_expr(writer, object, "stop", experiment->stop);
        hbg_api_count(object, "actions", actions);
        hbg_api_count(object, "faults", faults);
        if (experiment->doc) hbg_api_text(object, "doc", experiment->doc);
        add_row(writer, name, stop,
                print(writer, "%d action%s, %d fault%s", actions, actions == 1 ? "" : "s", faults,
                      faults == 1 ? "" : "s"),
                experiment->doc);
    }
    put_section(writer, "experiments");
}

static void put_count(list_writer *writer, const char *before, int32_t count, const char *one,
                      const char *many) {
    hbg_api_say(writer->report, "%s%d %s", before, count, count == 1 ? one : many);
}

static void put_summary(list_writer *writer) {
    const hbg_model *model = writer->model;
    int32_t junctions = 0, controlled = 0, experiments = 0;
    for (int32_t i = 0; i < model->experiments.count; i++)
        experiments += model->experiments.items[i].name != 0;
    for (int32_t i = 0; i < model->elements.count; i++) {
        junctions += model->elements.items[i].ports == 0;
        controlled += model->elements.items[i].control != HBG_NONE;
    }
    hbg_api_say(writer->report, "%s: ", hbg_base_names_get(model->names, model->name));
    put_count(writer, "", model->elements.count, "element", "elements");
    put_count(writer, " (", junctions, "junction", "junctions");
    hbg_api_say(writer->report, ", %d controlled)", controlled);
    put_count(writer, ", ", model->bonds.count, "bond", "bonds");
    put_count(writer, ", ", model->automata.count, "automaton", "automata");
    put_count(writer, ", ", count_params(model), "parameter", "parameters");
    put_count(writer, ", ", model->signals.count, "signal", "signals");
    put_count(writer, ", ", experiments, "experiment", "experiments");
    hbg_api_say(writer->report, "\n");
}

/* ---- the door ----------------------------------------------------------------------------------------- */

static hbg_status list(hbg_session *session, const hbg_model *model, bool json, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    list_writer writer = {.session = session, .model = model, .report = hbg_api_report_new(session)};
    hbg_api_text(writer.report, "model", hbg_model_title(model));
    put_summary(&writer);
    if (model->doc) {
        hbg_api_text(writer.report, "doc", model->doc);
        hbg_api_say(writer.report, "%s\n", model->doc);
    }
    list_elements(&writer);
    list_bonds(&writer);
    list_automata(&writer);
    list_params(&writer);
    list_choices(&writer);
    list_signals(&writer);
    list_experiments(&writer);
    return hbg_api_session_leave(session, hbg_api_report_print(writer.report, json, text));
}

hbg_status hbg_list_text(hbg_session *session, const hbg_model *model, hbg_text *text) {
    return list(session, model, false, text);
}

hbg_status hbg_list_json(hbg_session *session, const hbg_model *model, hbg_text *text) {
    return list(session, model, true, text);
}

hbg_status hbg_summary_text(hbg_session *session, const hbg_model *model, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    list_writer writer = {.session = session, .model = model, .report = hbg_api_report_new(session)};
    put_summary(&writer);
    return hbg_api_session_leave(session, hbg_api_report_print(writer.report, false, text));
}

hbg_status hbg_dump_text(hbg_session *session, const hbg_model *model, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &session->scratch);
    hbg_model_dump(model, &buffer);
    return hbg_api_session_leave(session, hbg_api_text_of(session, buffer.data, buffer.size, text));
}

const char *hbg_model_title(const hbg_model *model) {
    return hbg_base_names_get(model->names, model->name);
}
