/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether the tables of a model that was read back are as a front end makes them: every reference leads to
 * something of the right kind, every expression comes after its parts, and nothing is its own parent.
 * Mistakes that a text can make are left to hbg_model_check. */
#include <math.h>
#include <string.h>

#include "model/store_impl.h"

/* ---- expressions ---------------------------------------------------------------------------------------- */

static bool is_in(int32_t index, int32_t count) {
    return index >= 0 && index < count;
}

static bool is_state(const hbg_model *model, int32_t automaton, int32_t state) {
    return is_in(automaton, model->automata.count) &&
           is_in(state, model->automata.items[automaton].state_count);
}

/* A port of an element with ports, or none of a junction; such an element has the variable. */
static bool reads_port(const hbg_model *model, const hbg_expr_node *node) {
    if (!is_in(node->a, model->elements.count)) return false;
    const hbg_element *of = &model->elements.items[node->a];
    if (of->ports == 0 ? node->b != 0 : node->b < 1 || node->b > of->ports) return false;
    switch (node->op) {
    case HBG_OP_EFFORT: return of->kind != HBG_KIND_ONE;
    case HBG_OP_FLOW: return of->kind != HBG_KIND_ZERO;
    case HBG_OP_DISPLACEMENT: return of->kind == HBG_KIND_C;
    case HBG_OP_MOMENTUM: return of->kind == HBG_KIND_I;
    default: return of->ports > 0;
    }
}

static bool is_storage(const hbg_model *model, int32_t element) {
    if (!is_in(element, model->elements.count)) return false;
    hbg_element_kind kind = model->elements.items[element].kind;
    return kind == HBG_KIND_C || kind == HBG_KIND_I;
}

static bool is_leaf_fine(const hbg_model *model, const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_NUMBER: return is_in(node->a, model->literals.count);
    case HBG_OP_PARAM: return is_in(node->a, model->params.count);
    case HBG_OP_SIGNAL: return is_in(node->a, model->signals.count);
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
    case HBG_OP_POWER: return reads_port(model, node);
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_BOND_FLOW:
    case HBG_OP_BOND_POWER: return is_in(node->a, model->bonds.count);
    case HBG_OP_ENERGY: return is_storage(model, node->a);
    case HBG_OP_ACTIVE: return is_state(model, node->a, node->b);
    case HBG_OP_AUTOMATON: return is_in(node->a, model->automata.count);
    case HBG_OP_TABLE: return is_in(node->b, model->tables.count);
    case HBG_OP_IN: return is_state(model, node->b, node->c);
    default: return true;
    }
}

static const char *expressions_wrong(const hbg_model *model) {
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; k < hbg_model_expr_arity(node); k++)
            if (!is_in(hbg_model_expr_argument(node, k), i)) return "an expression has no such part";
        if (!is_leaf_fine(model, node)) return "an expression reads what is not there";
    }
    for (int32_t i = 0; i < model->entries.count; i++)
        if (model->entries.items[i] < 0) return "a value is missing";
    for (int32_t i = 0; i < model->bindings.count; i++)
        if (model->bindings.items[i].value < 0) return "a law is missing";
    return NULL;
}

static bool is_decimal(const hbg_decimal *of) {
    size_t size = of->digits ? strlen(of->digits) : 0;
    if (size == 0 || size > HBG_DECIMAL_DIGITS || strspn(of->digits, "0123456789") != size) return false;
    if (size == 1 && of->digits[0] == '0') return of->exponent == 0 && !of->negative;
    return of->digits[0] != '0' && of->digits[size - 1] != '0';
}

static bool is_table(const hbg_table *of) {
    if (of->count < 1 || !of->file || !of->column) return false;
    for (int32_t i = 0; i < of->count; i++) {
        if (!isfinite(of->x[i]) || !isfinite(of->y[i])) return false;
        if (i > 0 && of->x[i] < of->x[i - 1]) return false;
        if (i > 1 && of->x[i] == of->x[i - 2]) return false;
    }
    return true;
}

static const char *numbers_wrong(const hbg_model *model) {
    for (int32_t i = 0; i < model->literals.count; i++)
        if (!is_decimal(&model->literals.items[i].value)) return "a number of the model is malformed";
    for (int32_t i = 0; i < model->tables.count; i++)
        if (!is_table(&model->tables.items[i])) return "a table of the model is malformed";
    return NULL;
}

/* ---- objects -------------------------------------------------------------------------------------------- */

static bool are_bindings_fine(const hbg_model *model, const hbg_element *of, int32_t first, int32_t count) {
    const char *letters = hbg_model_element_info_get(of->form)->variables;
    for (int32_t i = 0; i < count; i++) {
        const hbg_binding *binding = &model->bindings.items[first + i];
        if (binding->port > of->ports || !strchr(letters, hbg_model_variable_text(binding->variable)[0]))
            return false;
    }
    return true;
}

static bool is_element_fine(const hbg_model *model, const hbg_element *of) {
    const hbg_element_info *info = hbg_model_element_info_get(of->form);
    bool ports = info->field ? of->ports >= 1 : of->ports == info->ports;
    if (!ports || of->ports > 2 * model->bonds.count + 2) return false;
    if (of->value_count > 1 && of->value_count != (int64_t)of->ports * of->ports) return false;
    if (of->ports == 0 && of->value_count + of->law_count + of->initial_count > 0) return false;
    if (of->ports > 0 && (of->control >= 0 || of->restitution >= 0 || of->dual_off)) return false;
    if (of->control < 0 && (of->restitution >= 0 || of->dual_off)) return false;
    return are_bindings_fine(model, of, of->first_law, of->law_count) &&
           are_bindings_fine(model, of, of->first_initial, of->initial_count) &&
           (of->initial_count == 0 || of->kind == HBG_KIND_C || of->kind == HBG_KIND_I);
}

static bool is_choice_fine(const hbg_model *model, const hbg_choice *of) {
    if (of->low < 0 || of->high < 0) return false;
    if (of->automaton != HBG_NONE && !of->anew) return false;
    if (of->target.kind == HBG_OBJECT_PARAM) return of->loss == HBG_LOSS_NONE;
    if (of->anew) return false;
    return of->target.kind == HBG_OBJECT_ELEMENT && model->elements.items[of->target.index].restitution >= 0;
}

static bool is_signal_fine(const hbg_signal *of) {
    bool clocked = of->kind == HBG_SIGNAL_SAMPLE || of->kind == HBG_SIGNAL_SENSOR;
    bool noisy = of->noise_mean >= 0 || of->noise_variance >= 0;
    if (of->kind != HBG_SIGNAL_INPUT && of->value < 0) return false;
    if (of->kind == HBG_SIGNAL_INPUT && of->type == HBG_TYPE_EVENT && of->value >= 0) return false;
    if ((of->kind == HBG_SIGNAL_STATE) != (of->initial >= 0) && of->kind != HBG_SIGNAL_SAMPLE) return false;
    if (of->kind == HBG_SIGNAL_SAMPLE && of->every < 0) return false;
    if (!clocked && of->every >= 0) return false;
    if ((of->noise_mean >= 0) != (of->noise_variance >= 0)) return false;
    return !noisy || of->kind == HBG_SIGNAL_SENSOR;
}

/* States and transitions belong to one automaton each, one after the other. */
static bool are_automata_fine(const hbg_model *model) {
    int32_t states = 0, transitions = 0;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        if (of->first_state != states || of->state_count < 1) return false;
        for (int32_t k = 0; k < of->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[states++];
            if (state->name == 0 || (state->transition_count > 0 && state->first_transition != transitions))
                return false;
            transitions += state->transition_count;
            for (int32_t n = 0; n < state->transition_count; n++) {
                const hbg_transition *leads = &model->transitions.items[state->first_transition + n];
                if (leads->target >= of->state_count || (leads->guard < 0 && leads->after < 0)) return false;
            }
        }
    }
    return states == model->states.count && transitions == model->transitions.count;
}

static bool are_names_fine(const hbg_model *model) {
    static const hbg_object_kind named[] = {HBG_OBJECT_SCOPE, HBG_OBJECT_PARAM,     HBG_OBJECT_ELEMENT,
                                            HBG_OBJECT_PORT,  HBG_OBJECT_AUTOMATON, HBG_OBJECT_SIGNAL};
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        for (int32_t i = 0; i < hbg_model_object_count(model, named[k]); i++)
            if (hbg_model_identity(model, (hbg_object){named[k], i})->name == 0) return false;
    for (int32_t i = 1; i < model->scopes.count; i++)
        if (model->scopes.items[i].id.scope >= i) return false; // so that every path ends at the model
    return model->scopes.count > 0 && model->scopes.items[0].id.scope == 0;
}

static const char *objects_wrong(const hbg_model *model) {
    if (!are_names_fine(model)) return "an object has no name, or no place";
    for (int32_t i = 0; i < model->params.count; i++)
        if (model->params.items[i].value < 0) return "a parameter has no value";
    for (int32_t i = 0; i < model->elements.count; i++)
        if (!is_element_fine(model, &model->elements.items[i])) return "an element is malformed";
    for (int32_t i = 0; i < model->signals.count; i++)
        if (!is_signal_fine(&model->signals.items[i])) return "a signal is malformed";
    for (int32_t i = 0; i < model->choices.count; i++)
        if (!is_choice_fine(model, &model->choices.items[i])) return "a choice is malformed";
    return are_automata_fine(model) ? NULL : "an automaton is malformed";
}

/* ---- experiments ---------------------------------------------------------------------------------------- */

static bool is_setting_fine(const hbg_model *model, const hbg_setting *of) {
    if (of->target.kind == HBG_OBJECT_AUTOMATON) return is_state(model, of->target.index, of->state);
    if (of->value < 0) return false;
    if (of->target.kind == HBG_OBJECT_PARAM) return true;
    if (of->target.kind != HBG_OBJECT_ELEMENT || !is_storage(model, of->target.index)) return false;
    const hbg_element *element = &model->elements.items[of->target.index];
    const char *letters = hbg_model_element_info_get(element->form)->variables;
    return of->port >= 1 && of->port <= element->ports &&
           strchr(letters, hbg_model_variable_text(of->variable)[0]) != NULL;
}

static bool is_action_fine(const hbg_model *model, const hbg_action *of) {
    const hbg_signal *input = &model->signals.items[of->signal];
    return of->time >= 0 && input->kind == HBG_SIGNAL_INPUT &&
           (input->type == HBG_TYPE_EVENT) == (of->value < 0);
}

static bool is_fault_fine(const hbg_model *model, const hbg_fault *of) {
    const hbg_fault_info *info = hbg_model_fault_info_get(of->kind);
    int32_t index = of->target.index;
    bool shakes = info->effect == HBG_EFFECT_SHAKES;
    if (of->at < 0 || !of->text) return false;
    if (of->target.kind == HBG_OBJECT_AUTOMATON)
        return info->on_automaton && (of->state < 0 || is_state(model, index, of->state));
    if (of->value < 0 || shakes != (of->value2 >= 0)) return false;
    if (of->target.kind == HBG_OBJECT_PARAM) return info->on_value;
    if (of->target.kind == HBG_OBJECT_ELEMENT)
        return info->on_value && model->elements.items[index].ports > 0 &&
               model->elements.items[index].value_count == 1;
    if (of->target.kind != HBG_OBJECT_SIGNAL) return false;
    const hbg_signal *sensor = &model->signals.items[index];
    return info->on_sensor && sensor->kind == HBG_SIGNAL_SENSOR && (!shakes || sensor->every >= 0);
}

static bool are_records_fine(const hbg_record *of, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (of[i].value < 0 || !of[i].label) return false;
    return true;
}

static bool is_experiment_fine(const hbg_model *model, const hbg_experiment *of) {
    bool fine = are_records_fine(of->records.items, of->records.count) &&
                are_records_fine(of->plots.items, of->plots.count);
    for (int32_t i = 0; i < of->settings.count; i++)
        fine = fine && is_setting_fine(model, &of->settings.items[i]);
    for (int32_t i = 0; i < of->actions.count; i++)
        fine = fine && is_action_fine(model, &of->actions.items[i]);
    for (int32_t i = 0; i < of->faults.count; i++) fine = fine && is_fault_fine(model, &of->faults.items[i]);
    return fine && of->tolerance >= 0 && of->tolerance < 1;
}

/* One of the model, then the request; either may be missing. */
static const char *experiments_wrong(const hbg_model *model) {
    int32_t named = 0, asked = 0;
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *of = &model->experiments.items[i];
        named += of->name != 0;
        asked += of->name == 0;
        if ((of->name != 0 && asked > 0) || !is_experiment_fine(model, of))
            return "its experiment is malformed";
    }
    return named > 1 || asked > 1 ? "it has more than one experiment" : NULL;
}

const char *hbg_model_restored_wrong(const hbg_model *model) {
    const char *wrong = expressions_wrong(model);
    if (!wrong) wrong = numbers_wrong(model);
    if (!wrong) wrong = objects_wrong(model);
    return wrong ? wrong : experiments_wrong(model);
}
