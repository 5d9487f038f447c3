/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model holds, for people: aligned columns, one section a kind of object. */
#include "api/api_impl.h"

#include <string.h>

#define COLUMNS      4
#define COLUMN_LIMIT 40 /* a wider cell does not widen its column */

typedef struct {
    const char *cell[COLUMNS]; /* NULL behind the last */
} table_row;

typedef struct {
    hbg_session *session;
    const hbg_model *model;
    hbg_buffer out;
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
    hbg_buffer_print(&writer->out, "\n%s\n", title);
    for (int32_t i = 0; i < writer->rows.count; i++) {
        int pending = 2;
        for (int k = 0; k < COLUMNS; k++) {
            const char *cell = writer->rows.items[i].cell[k] ? writer->rows.items[i].cell[k] : "";
            int wide = characters(cell);
            if (wide > 0) {
                hbg_buffer_print(&writer->out, "%*s%s", pending, "", cell);
                pending = 0;
            }
            pending += (wide < width[k] ? width[k] - wide : 0) + 2;
        }
        hbg_buffer_char(&writer->out, '\n');
    }
    writer->rows.count = 0;
}

static const char *print(list_writer *writer, const char *format, ...) HBG_PRINTF(2, 3);
static const char *print(list_writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = hbg_arena_vprint(&writer->session->scratch, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- cells -------------------------------------------------------------------------------------------- */

static const char *name_of(list_writer *writer, hbg_object_kind kind, int32_t index) {
    return hbg_text_path(writer->session, writer->model, (hbg_object){kind, index});
}

static const char *number(list_writer *writer, double value) {
    char text[HBG_DOUBLE_TEXT];
    hbg_double_print(text, value);
    return print(writer, "%s", text);
}

/* A value as written and, where it is constant, its number in SI: `R1 = 330 Ohm`. */
static const char *value_cell(list_writer *writer, hbg_expr expr) {
    const hbg_model *model = writer->model;
    double value;
    const char *text = hbg_text_expr(writer->session, model, expr);
    if (!hbg_model_constant(model, expr, &value)) return text;
    const char *unit = hbg_text_expr_unit(writer->session, model, expr);
    const char *digits = number(writer, value);
    const char *quantity = unit[0] ? print(writer, "%s %s", digits, unit) : digits;
    return model->exprs.items[expr].op == HBG_OP_NUMBER ? quantity : print(writer, "%s = %s", text, quantity);
}

static const char *laws_cell(list_writer *writer, const hbg_element *element, int32_t first, int32_t count,
                             const char *separator) {
    static const char *const letters[] = {
#define X(id, text) text,
        HBG_VARIABLE_LIST(X)
#undef X
    };
    hbg_buffer buffer;
    hbg_buffer_init(&buffer, &writer->session->scratch);
    for (int32_t i = 0; i < count; i++) {
        const hbg_binding *law = &writer->model->bindings.items[first + i];
        hbg_buffer_print(&buffer, "%s%s", i ? separator : "", letters[law->variable]);
        if (element->ports > 1) hbg_buffer_print(&buffer, "[%d]", law->port);
        hbg_buffer_print(&buffer, " = %s", hbg_text_expr(writer->session, writer->model, law->value));
    }
    return buffer.data;
}

static const char *control_cell(list_writer *writer, const hbg_element *junction) {
    if (junction->control == HBG_NONE) return "";
    const char *control = hbg_text_expr(writer->session, writer->model, junction->control);
    const char *off = !junction->dual_off               ? ""
                      : junction->kind == HBG_KIND_ZERO ? " off flow"
                                                        : " off effort";
    if (junction->restitution == HBG_NONE) return print(writer, "when %s%s", control, off);
    return print(writer, "when %s%s restitution %s", control, off,
                 hbg_text_expr(writer->session, writer->model, junction->restitution));
}

static const char *element_cell(list_writer *writer, const hbg_element *element) {
    if (element->ports == 0) return control_cell(writer, element);
    if (element->law_count > 0)
        return laws_cell(writer, element, element->first_law, element->law_count, ", ");
    if (element->value_count == 1)
        return value_cell(writer, writer->model->entries.items[element->first_value]);
    hbg_buffer buffer;
    hbg_buffer_init(&buffer, &writer->session->scratch);
    for (int32_t i = 0; i < element->value_count; i++) {
        hbg_expr entry = writer->model->entries.items[element->first_value + i];
        const char *before = i == 0 ? "[[" : i % element->ports == 0 ? "], [" : ", ";
        hbg_buffer_print(&buffer, "%s%s", before, hbg_text_expr(writer->session, writer->model, entry));
    }
    if (element->value_count > 0) hbg_buffer_text(&buffer, "]]");
    return buffer.data;
}

/* ---- sections ----------------------------------------------------------------------------------------- */

static void list_elements(list_writer *writer) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        const char *name = name_of(writer, HBG_OBJECT_ELEMENT, i);
        const char *cell = element_cell(writer, element);
        if (element->initial_count > 0)
            cell = print(writer, "%s, initially %s", cell,
                         laws_cell(writer, element, element->first_initial, element->initial_count, ", "));
        if (element->ports > 1 && hbg_element_info_get(element->kind)->field)
            name = print(writer, "%s[%d]", name, element->ports);
        add_row(writer, hbg_element_info_get(element->kind)->text, name, cell, NULL);
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
    for (int32_t i = 0; i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        hbg_domain domain = model->net_domain[bond->net];
        const char *ends =
            print(writer, "%s -> %s", end_cell(writer, &bond->from), end_cell(writer, &bond->to));
        add_row(writer, bond->id.name ? name_of(writer, HBG_OBJECT_BOND, i) : "", ends,
                domain == HBG_DOMAIN_ANY ? "" : hbg_domain_name(domain), NULL);
    }
    put_section(writer, "bonds");
}

static const char *transition_cell(list_writer *writer, const hbg_automaton *automaton,
                                   const hbg_transition *transition) {
    const hbg_model *model = writer->model;
    hbg_name target = model->states.items[automaton->first_state + transition->target].name;
    hbg_buffer buffer;
    hbg_buffer_init(&buffer, &writer->session->scratch);
    hbg_buffer_print(&buffer, "-> %s", hbg_names_get(model->names, target));
    if (transition->guard != HBG_NONE)
        hbg_buffer_print(&buffer, " when %s", hbg_text_expr(writer->session, model, transition->guard));
    if (transition->after != HBG_NONE)
        hbg_buffer_print(&buffer, " after %s", value_cell(writer, transition->after));
    return buffer.data;
}

static void list_automaton(list_writer *writer, int32_t index) {
    const hbg_model *model = writer->model;
    const hbg_automaton *automaton = &model->automata.items[index];
    const char *name = name_of(writer, HBG_OBJECT_AUTOMATON, index);
    if (automaton->every != HBG_NONE)
        name = print(writer, "%s every %s", name, value_cell(writer, automaton->every));
    for (int32_t k = 0; k < automaton->state_count; k++) {
        const hbg_automaton_state *state = &model->states.items[automaton->first_state + k];
        const char *text =
            print(writer, "%s %s%s", state->on ? "on " : "off", hbg_names_get(model->names, state->name),
                  k == automaton->start ? " (start)" : "");
        if (state->transition_count == 0) add_row(writer, k ? "" : name, text, "", NULL);
        for (int32_t t = 0; t < state->transition_count; t++)
            add_row(
                writer, k == 0 && t == 0 ? name : "", t ? "" : text,
                transition_cell(writer, automaton, &model->transitions.items[state->first_transition + t]),
                NULL);
    }
}

static void list_params(list_writer *writer) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->params.count; i++) {
        const hbg_param *param = &model->params.items[i];
        bool literal = param->value != HBG_NONE && model->exprs.items[param->value].op == HBG_OP_NUMBER;
        const char *from =
            literal ? "" : print(writer, "= %s", hbg_text_expr(writer->session, model, param->value));
        const char *value =
            print(writer, "%s %s", number(writer, model->param_values[i]),
                  hbg_text_object_unit(writer->session, model, (hbg_object){HBG_OBJECT_PARAM, i}));
        add_row(writer, name_of(writer, HBG_OBJECT_PARAM, i), value, from, param->doc);
    }
    put_section(writer, "parameters (SI)");
}

static void list_signals(list_writer *writer) {
    static const char *const kinds[] = {
#define X(id, text) text,
        HBG_SIGNAL_LIST(X)
#undef X
    };
    static const char *const types[] = {"", " bool", " event"};
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        const char *unit = hbg_text_object_unit(writer->session, model, (hbg_object){HBG_OBJECT_SIGNAL, i});
        const char *name = name_of(writer, HBG_OBJECT_SIGNAL, i);
        const char *value =
            signal->value == HBG_NONE ? "" : hbg_text_expr(writer->session, model, signal->value);
        if (signal->kind == HBG_SIGNAL_STATE)
            value =
                print(writer, "%s : der = %s", hbg_text_expr(writer->session, model, signal->initial), value);
        if (signal->every != HBG_NONE)
            value = print(writer, "%s every %s", value, value_cell(writer, signal->every));
        add_row(writer, print(writer, "%s%s", kinds[signal->kind], types[signal->type]),
                unit[0] ? print(writer, "%s [%s]", name, unit) : name, value, signal->doc);
    }
    put_section(writer, "signals");
}

static void list_experiments(list_writer *writer) {
    const hbg_model *model = writer->model;
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        if (experiment->name == 0) continue; // what a run was asked for
        const char *stop = experiment->stop == HBG_NONE
                               ? "no stop time"
                               : print(writer, "stop %s", value_cell(writer, experiment->stop));
        add_row(writer, hbg_names_get(model->names, experiment->name), stop,
                print(writer, "%d action%s, %d fault%s", experiment->actions.count,
                      experiment->actions.count == 1 ? "" : "s", experiment->faults.count,
                      experiment->faults.count == 1 ? "" : "s"),
                experiment->doc);
    }
    put_section(writer, "experiments");
}

static void put_count(list_writer *writer, const char *before, int32_t count, const char *one,
                      const char *many) {
    hbg_buffer_print(&writer->out, "%s%d %s", before, count, count == 1 ? one : many);
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
    hbg_buffer_print(&writer->out, "%s: ", hbg_names_get(model->names, model->name));
    put_count(writer, "", model->elements.count, "element", "elements");
    put_count(writer, " (", junctions, "junction", "junctions");
    hbg_buffer_print(&writer->out, ", %d controlled)", controlled);
    put_count(writer, ", ", model->bonds.count, "bond", "bonds");
    put_count(writer, ", ", model->automata.count, "automaton", "automata");
    put_count(writer, ", ", model->params.count, "parameter", "parameters");
    put_count(writer, ", ", model->signals.count, "signal", "signals");
    put_count(writer, ", ", experiments, "experiment", "experiments");
    hbg_buffer_char(&writer->out, '\n');
}

/* ---- the door ----------------------------------------------------------------------------------------- */

hbg_status hbg_summary_text(hbg_session *session, const hbg_model *model, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    list_writer writer = {.session = session, .model = model};
    hbg_buffer_init(&writer.out, &session->scratch);
    put_summary(&writer);
    return hbg_session_leave(session, hbg_text_of(session, writer.out.data, writer.out.size, text));
}

hbg_status hbg_list_text(hbg_session *session, const hbg_model *model, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    list_writer writer = {.session = session, .model = model};
    hbg_buffer_init(&writer.out, &session->scratch);
    put_summary(&writer);
    if (model->doc) hbg_buffer_print(&writer.out, "%s\n", model->doc);
    list_elements(&writer);
    list_bonds(&writer);
    for (int32_t i = 0; i < model->automata.count; i++) list_automaton(&writer, i);
    put_section(&writer, "automata");
    list_params(&writer);
    list_signals(&writer);
    list_experiments(&writer);
    return hbg_session_leave(session, hbg_text_of(session, writer.out.data, writer.out.size, text));
}

hbg_status hbg_dump_text(hbg_session *session, const hbg_model *model, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_buffer buffer;
    hbg_buffer_init(&buffer, &session->scratch);
    hbg_model_dump(model, &buffer);
    return hbg_session_leave(session, hbg_text_of(session, buffer.data, buffer.size, text));
}

const char *hbg_model_title(const hbg_model *model) {
    return hbg_names_get(model->names, model->name);
}
