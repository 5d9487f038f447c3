/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as text: every table, one line per object, in order. For tests and for reading; the same model
 * gives the same text. */
#include "model/model_impl.h"

static void path(const hbg_model *model, hbg_buffer *out, hbg_object_kind kind, int32_t index) {
    hbg_model_path(model, (hbg_object){kind, index}, out);
}

/* ` label expression`, if there is one. */
static void field(const hbg_model *model, hbg_buffer *out, const char *label, hbg_expr expr) {
    if (expr < 0) return;
    hbg_base_buffer_print(out, label[0] ? " %s " : " ", label);
    hbg_model_print_expr(model, expr, out);
}

static void unit(hbg_buffer *out, hbg_dimension dimension) {
    if (!dimension.known) return;
    hbg_base_buffer_text(out, " [");
    hbg_model_dimension_print(out, dimension);
    hbg_base_buffer_char(out, ']');
}

static void dump_param(const hbg_model *model, hbg_buffer *out, int32_t index) {
    const hbg_param *param = &model->params.items[index];
    hbg_base_buffer_text(out, "param ");
    path(model, out, HBG_OBJECT_PARAM, index);
    unit(out, param->dimension);
    field(model, out, "=", param->value);
    double value;
    if (model->param_values && hbg_model_constant(model, param->value, &value)) {
        char text[HBG_DOUBLE_TEXT];
        hbg_base_double_print(text, value);
        hbg_base_buffer_print(out, " -> %s", text);
    }
    if (!param->used) hbg_base_buffer_text(out, " unused");
    hbg_base_buffer_char(out, '\n');
}

static void dump_bindings(const hbg_model *model, hbg_buffer *out, const char *label, int32_t first,
                          int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const hbg_binding *binding = &model->bindings.items[first + i];
        hbg_base_buffer_print(out, " %s %s[%d] =", label, hbg_model_variable_text(binding->variable),
                              (int)binding->port);
        field(model, out, "", binding->value);
    }
}

static void dump_element(const hbg_model *model, hbg_buffer *out, int32_t index) {
    const hbg_element *element = &model->elements.items[index];
    hbg_base_buffer_print(out, "element %s ", hbg_model_element_info_get(element->form)->text);
    path(model, out, HBG_OBJECT_ELEMENT, index);
    if (element->ports > 0) hbg_base_buffer_print(out, " ports %d", (int)element->ports);
    for (int32_t i = 0; i < element->value_count; i++)
        field(model, out, "value", model->entries.items[element->first_value + i]);
    dump_bindings(model, out, "law", element->first_law, element->law_count);
    dump_bindings(model, out, "initial", element->first_initial, element->initial_count);
    field(model, out, "when", element->control);
    field(model, out, "restitution", element->restitution);
    if (element->dual_off)
        hbg_base_buffer_text(out, element->kind == HBG_KIND_ZERO ? " off flow" : " off effort");
    if (model->frozen) hbg_base_buffer_print(out, " net %d", (int)element->net);
    hbg_base_buffer_char(out, '\n');
}

static void dump_end(const hbg_model *model, hbg_buffer *out, const hbg_bond_end *end) {
    if (end->element >= 0)
        path(model, out, HBG_OBJECT_ELEMENT, end->element);
    else
        hbg_base_buffer_char(out, '?');
    if (end->port > 0) hbg_base_buffer_print(out, "[%d]", (int)end->port);
}

static void dump_bond(const hbg_model *model, hbg_buffer *out, int32_t index) {
    const hbg_bond *bond = &model->bonds.items[index];
    hbg_base_buffer_text(out, "bond ");
    path(model, out, HBG_OBJECT_BOND, index);
    hbg_base_buffer_text(out, ": ");
    dump_end(model, out, &bond->from);
    hbg_base_buffer_text(out, " -> ");
    dump_end(model, out, &bond->to);
    if (model->frozen) hbg_base_buffer_print(out, " net %d", (int)bond->net);
    hbg_base_buffer_char(out, '\n');
}

static void dump_port(const hbg_model *model, hbg_buffer *out, int32_t index) {
    const hbg_port *port = &model->ports.items[index];
    hbg_base_buffer_text(out, "port ");
    path(model, out, HBG_OBJECT_PORT, index);
    hbg_base_buffer_print(out, " : %s bond ", hbg_model_domain_name(port->domain));
    if (port->bond >= 0)
        path(model, out, HBG_OBJECT_BOND, port->bond);
    else
        hbg_base_buffer_text(out, "none");
    hbg_base_buffer_char(out, '\n');
}

static void dump_automaton(const hbg_model *model, hbg_buffer *out, int32_t index) {
    const hbg_automaton *automaton = &model->automata.items[index];
    hbg_base_buffer_text(out, "automaton ");
    path(model, out, HBG_OBJECT_AUTOMATON, index);
    field(model, out, "every", automaton->every);
    hbg_base_buffer_char(out, '\n');
    for (int32_t s = 0; s < automaton->state_count; s++) {
        const hbg_automaton_state *state = &model->states.items[automaton->first_state + s];
        hbg_base_buffer_print(out, "  %s %s%s\n", state->on ? "on" : "off",
                              hbg_base_names_get(model->names, state->name),
                              s == automaton->start ? " start" : "");
        for (int32_t t = 0; t < state->transition_count; t++) {
            const hbg_transition *transition = &model->transitions.items[state->first_transition + t];
            bool known = transition->target >= 0 && transition->target < automaton->state_count;
            hbg_name target =
                known ? model->states.items[automaton->first_state + transition->target].name : 0;
            hbg_base_buffer_print(out, "    -> %s", hbg_base_names_get(model->names, target));
            field(model, out, "when", transition->guard);
            field(model, out, "after", transition->after);
            hbg_base_buffer_char(out, '\n');
        }
    }
}

static void dump_signal(const hbg_model *model, hbg_buffer *out, int32_t index) {
    static const char *const types[] = {"real", "bool", "event", "unknown"};
    const hbg_signal *signal = &model->signals.items[index];
    hbg_base_buffer_print(out, "%s %s ", hbg_model_signal_kind_text(signal->kind), types[signal->type]);
    path(model, out, HBG_OBJECT_SIGNAL, index);
    unit(out, signal->dimension);
    field(model, out, signal->kind == HBG_SIGNAL_STATE ? "der" : "=", signal->value);
    field(model, out, "initial", signal->initial);
    field(model, out, "every", signal->every);
    field(model, out, "mean", signal->noise_mean);
    field(model, out, "variance", signal->noise_variance);
    hbg_base_buffer_char(out, '\n');
}

static void dump_changes(const hbg_model *model, hbg_buffer *out, const hbg_experiment *experiment) {
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        hbg_base_buffer_text(out, "  set ");
        hbg_model_path(model, setting->target, out);
        if (setting->target.kind == HBG_OBJECT_ELEMENT)
            hbg_base_buffer_print(out, "[%d].%s", (int)setting->port,
                                  hbg_model_variable_text(setting->variable));
        if (setting->target.kind == HBG_OBJECT_AUTOMATON)
            hbg_base_buffer_print(out, " state %d", (int)setting->state);
        field(model, out, "=", setting->value);
        hbg_base_buffer_char(out, '\n');
    }
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        hbg_base_buffer_text(out, "  action ");
        path(model, out, HBG_OBJECT_SIGNAL, experiment->actions.items[i].signal);
        field(model, out, "at", experiment->actions.items[i].time);
        field(model, out, "=", experiment->actions.items[i].value);
        hbg_base_buffer_char(out, '\n');
    }
    for (int32_t i = 0; i < experiment->faults.count; i++) {
        const hbg_fault *fault = &experiment->faults.items[i];
        hbg_base_buffer_print(out, "  fault %s ", hbg_model_fault_kind_text(fault->kind));
        hbg_model_path(model, fault->target, out);
        field(model, out, "at", fault->at);
        field(model, out, "until", fault->until);
        field(model, out, fault->relative ? "relative" : "value", fault->value);
        field(model, out, "variance", fault->value2);
        if (fault->target.kind == HBG_OBJECT_AUTOMATON)
            hbg_base_buffer_print(out, " state %d %s", (int)fault->state, fault->on ? "on" : "off");
        hbg_base_buffer_char(out, '\n');
    }
}

static void dump_experiment(const hbg_model *model, hbg_buffer *out, int32_t index) {
    const hbg_experiment *experiment = &model->experiments.items[index];
    hbg_base_buffer_print(out, "experiment %s solver %s", hbg_base_names_get(model->names, experiment->name),
                          hbg_model_solver_text(experiment->solver));
    field(model, out, "stop", experiment->stop);
    field(model, out, "step", experiment->step);
    field(model, out, "every", experiment->record_every);
    if (experiment->tolerance > 0) hbg_base_buffer_print(out, " tolerance %g", experiment->tolerance);
    hbg_base_buffer_char(out, '\n');
    dump_changes(model, out, experiment);
    for (int32_t i = 0; i < experiment->records.count; i++) {
        field(model, out, " record", experiment->records.items[i].value);
        hbg_base_buffer_char(out, '\n');
    }
    for (int32_t i = 0; i < experiment->plots.count; i++) {
        field(model, out, " plot", experiment->plots.items[i].value);
        hbg_base_buffer_char(out, '\n');
    }
}

static void dump_verification(const hbg_model *model, hbg_buffer *out) {
    for (int32_t i = 0; i < model->ranges.count; i++) {
        hbg_base_buffer_text(out, "range");
        field(model, out, "", model->ranges.items[i].value);
        field(model, out, "from", model->ranges.items[i].low);
        field(model, out, "to", model->ranges.items[i].high);
        hbg_base_buffer_char(out, '\n');
    }
    for (int32_t i = 0; i < model->assumptions.count; i++) {
        hbg_base_buffer_text(out, "assume");
        field(model, out, "", model->assumptions.items[i]);
        hbg_base_buffer_char(out, '\n');
    }
    for (int32_t i = 0; i < model->always.count; i++) {
        const hbg_always *always = &model->always.items[i];
        hbg_base_buffer_text(out, "always");
        if (always->junction != HBG_NONE) {
            hbg_base_buffer_text(out, " lost ");
            path(model, out, HBG_OBJECT_ELEMENT, always->junction);
        }
        field(model, out,
              always->junction == HBG_NONE ? ""
              : always->strict             ? "below"
                                           : "most",
              always->value);
        hbg_base_buffer_char(out, '\n');
    }
}

static void dump_choice(const hbg_model *model, hbg_buffer *out, const hbg_choice *choice) {
    hbg_base_buffer_text(out, choice->loss == HBG_LOSS_SHARE    ? "choice of loss "
                              : choice->loss == HBG_LOSS_ENERGY ? "choice of energy "
                                                                : "choice ");
    path(model, out, choice->target.kind, choice->target.index);
    field(model, out, "from", choice->low);
    field(model, out, "to", choice->high);
    if (choice->anew) hbg_base_buffer_text(out, " anew");
    if (choice->automaton != HBG_NONE) {
        hbg_base_buffer_text(out, " by ");
        path(model, out, HBG_OBJECT_AUTOMATON, choice->automaton);
    }
    hbg_base_buffer_char(out, '\n');
}

void hbg_model_dump(const hbg_model *model, hbg_buffer *buffer) {
    hbg_base_buffer_print(buffer, "model %s\n", hbg_base_names_get(model->names, model->name));
    for (int32_t i = 1; i < model->scopes.count; i++) {
        hbg_base_buffer_text(buffer, "scope ");
        path(model, buffer, HBG_OBJECT_SCOPE, i);
        hbg_base_buffer_print(buffer, " of %s\n",
                              hbg_base_names_get(model->names, model->scopes.items[i].component));
    }
    for (int32_t i = 0; i < model->params.count; i++) dump_param(model, buffer, i);
    for (int32_t i = 0; i < model->elements.count; i++) dump_element(model, buffer, i);
    for (int32_t i = 0; i < model->bonds.count; i++) dump_bond(model, buffer, i);
    for (int32_t i = 0; i < model->ports.count; i++) dump_port(model, buffer, i);
    for (int32_t i = 0; i < model->automata.count; i++) dump_automaton(model, buffer, i);
    for (int32_t i = 0; i < model->signals.count; i++) dump_signal(model, buffer, i);
    for (int32_t i = 0; i < model->tables.count; i++)
        hbg_base_buffer_print(buffer, "table %s %s points %d\n", model->tables.items[i].file,
                              model->tables.items[i].column, (int)model->tables.items[i].count);
    for (int32_t i = 0; i < model->experiments.count; i++) dump_experiment(model, buffer, i);
    for (int32_t i = 0; i < model->choices.count; i++) dump_choice(model, buffer, &model->choices.items[i]);
    dump_verification(model, buffer);
    for (int32_t i = 0; i < model->net_count; i++)
        hbg_base_buffer_print(buffer, "net %d %s\n", (int)i,
                              model->net_domain ? hbg_model_domain_name(model->net_domain[i]) : "unknown");
}
