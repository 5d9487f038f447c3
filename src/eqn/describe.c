/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The outline of the system: names and units of states, outputs, inputs, parameters and clocks, and the lines
 * of the ledger. */
#include <math.h>

#include "eqn/eqn_impl.h"

static const char *unit_text(hbg_eqn *eqn, hbg_dimension dimension) {
    hbg_buffer text;
    if (!dimension.known) return NULL;
    bool pure = true;
    for (int i = 0; i < HBG_BASE_UNITS; i++) pure &= dimension.exponent[i] == 0;
    if (pure) return "";
    hbg_base_buffer_init(&text, eqn->arena);
    hbg_model_dimension_print(&text, dimension);
    return text.data;
}

/* The unit as written, if the dimension has several names. */
static const char *written_text(hbg_eqn *eqn, hbg_dimension dimension, const char *written) {
    const char *unit = hbg_model_dimension_spoken(dimension, written);
    return unit ? unit : unit_text(eqn, dimension);
}

static const char *path_text(hbg_eqn *eqn, hbg_object_kind kind, int32_t index) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, eqn->arena);
    hbg_model_path(eqn->model, (hbg_object){kind, index}, &text);
    return text.data;
}

static hbg_dimension state_dimension(const hbg_eqn *eqn, int32_t state) {
    const hbg_model *model = eqn->model;
    const state_info *info = &eqn->states[state];
    if (info->element == HBG_NONE) return model->signals.items[info->signal].dimension;
    int32_t net = model->bonds.items[hbg_eqn_bond_of(model, info->element, info->port)].net;
    bool capacitor = model->elements.items[info->element].kind == HBG_KIND_C;
    return hbg_model_domain_dimension(model->net_domain[net],
                                      capacitor ? HBG_VARIABLE_DISPLACEMENT : HBG_VARIABLE_MOMENTUM);
}

static void describe_states(hbg_eqn *eqn) {
    hbg_rt_variable *states = HBG_NEW_ARRAY(eqn->arena, hbg_rt_variable, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        hbg_buffer name;
        hbg_base_buffer_init(&name, eqn->arena);
        hbg_eqn_variable_name(eqn, eqn->first[VARIABLE_STATE] + i, &name);
        states[i] = (hbg_rt_variable){name.data, unit_text(eqn, state_dimension(eqn, i)), false};
    }
    eqn->outline.states = states;
    eqn->outline.state_count = eqn->state_count;
}

/* Returns a term that the run needs; a model without it cannot be run. */
static hbg_term needed(hbg_eqn *eqn, hbg_term term, const char *what) {
    if (term != HBG_NONE) return term;
    if (!eqn->refused) eqn->refused = what;
    return hbg_term_integer(&eqn->terms, 0);
}

enum { DEEP = 16 }; /* depth of signals of signals that are followed */

/* Whether a term is an effort or a flow, as wanted, of a rotational bond, or a sum of such. */
static bool is_rotational(const hbg_eqn *eqn, hbg_term term, variable_kind wanted, int depth) {
    const hbg_model *model = eqn->model;
    if (term == HBG_NONE || depth > DEEP) return false;
    const term_node *node = &eqn->terms.nodes.items[term];
    if (node->op == HBG_OP_NEGATE) return is_rotational(eqn, node->a, wanted, depth + 1);
    if (node->op == HBG_OP_ADD || node->op == HBG_OP_SUBTRACT)
        return is_rotational(eqn, node->a, wanted, depth + 1) &&
               is_rotational(eqn, node->b, wanted, depth + 1);
    if (node->op != TERM_VARIABLE || node->a >= eqn->base_count) return false;
    variable_kind kind = hbg_eqn_kind_of(eqn, node->a);
    if (kind == wanted) {
        int32_t net = model->bonds.items[node->a - eqn->first[kind]].net;
        return net >= 0 && model->net_domain[net] == HBG_DOMAIN_ROTATIONAL;
    }
    if (kind != VARIABLE_SIGNAL) return false;
    const hbg_signal *signal = &model->signals.items[node->a - eqn->first[VARIABLE_SIGNAL]];
    if (signal->kind == HBG_SIGNAL_STATE || signal->value == HBG_NONE) return false;
    return is_rotational(eqn, eqn->expr_term[signal->value], wanted, depth + 1);
}

/* The unit of an output. A radian is a pure number: an angular velocity has the dimension of a frequency, a
 * torque that of an energy. */
static const char *output_unit(hbg_eqn *eqn, hbg_expr expr) {
    if (is_rotational(eqn, eqn->expr_term[expr], VARIABLE_FLOW, 0)) return "rad/s";
    if (is_rotational(eqn, eqn->expr_term[expr], VARIABLE_EFFORT, 0)) return "N·m";
    const char *unit = hbg_model_expr_unit(eqn->arena, eqn->model, expr);
    return *unit ? unit : eqn->model->expr_dimension[expr].known ? "" : NULL;
}

static void describe_outputs(hbg_eqn *eqn, const hbg_eqn_options *options) {
    const hbg_model *model = eqn->model;
    hbg_rt_variable *outputs = HBG_NEW_ARRAY(eqn->arena, hbg_rt_variable, options->output_count + 1);
    eqn->readouts.outputs = HBG_NEW_ARRAY(eqn->arena, hbg_term, options->output_count + 1);
    for (int32_t i = 0; i < options->output_count; i++) {
        hbg_expr expr = options->outputs[i].value;
        const char *unit = options->outputs[i].unit ? options->outputs[i].unit : output_unit(eqn, expr);
        outputs[i] =
            (hbg_rt_variable){options->outputs[i].label, unit, model->expr_type[expr] == HBG_TYPE_BOOL};
        hbg_term term = needed(eqn, eqn->expr_term[expr], options->outputs[i].label);
        eqn->readouts.outputs[i] = hbg_eqn_checked(eqn, term);
    }
    eqn->outline.outputs = outputs;
    eqn->outline.output_count = options->output_count;
}

static void describe_inputs(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    hbg_rt_variable *inputs = HBG_NEW_ARRAY(eqn->arena, hbg_rt_variable, model->signals.count + 1);
    hbg_rt_variable *params = HBG_NEW_ARRAY(eqn->arena, hbg_rt_variable, model->params.count + 1);
    eqn->readouts.input_signal = HBG_NEW_ARRAY(eqn->arena, int32_t, model->signals.count + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        if (signal->kind != HBG_SIGNAL_INPUT) continue;
        eqn->readouts.input_signal[count] = i;
        inputs[count++] = (hbg_rt_variable){path_text(eqn, HBG_OBJECT_SIGNAL, i),
                                            written_text(eqn, signal->dimension, signal->unit),
                                            signal->type != HBG_TYPE_REAL};
    }
    for (int32_t i = 0; i < model->params.count; i++)
        params[i] = (hbg_rt_variable){
            path_text(eqn, HBG_OBJECT_PARAM, i),
            written_text(eqn, model->params.items[i].dimension, model->params.items[i].unit), false};
    eqn->outline.inputs = inputs;
    eqn->outline.input_count = count;
    eqn->outline.params = params;
    eqn->outline.param_count = model->params.count;
}

/* Lists the pre(…) that clocks read. A clock samples at an instant, where pre(…) is the value before, and has
 * to be read first. Elsewhere pre(…) is the value left by the last mode entered, at least that of the
 * start. */
static void read_pres(hbg_eqn *eqn, int32_t clock_count) {
    for (int32_t i = 0; i < clock_count; i++) {
        hbg_term_walk(&eqn->terms, hbg_eqn_written_out(eqn, eqn->ticks.terms[i]));
        for (int32_t k = 0; k < eqn->terms.walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[k]];
            int32_t pre = node->op == TERM_VARIABLE ? node->a - eqn->first[VARIABLE_PRE] : HBG_NONE;
            eqn->ticks.read_pre |= pre >= 0 && pre < eqn->pres.exprs.count;
        }
    }
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) {
        if (eqn->model->exprs.items[eqn->pres.exprs.items[i]].op != HBG_OP_PRE) continue;
        eqn->ticks.terms[clock_count + eqn->ticks.pres.count] = eqn->pres.terms[i];
        HBG_PUSH(eqn->arena, eqn->ticks.pres, i);
    }
}

static void describe_clocks(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    int32_t most = model->signals.count + model->automata.count + eqn->pres.exprs.count + 1;
    hbg_rt_clock *clocks = HBG_NEW_ARRAY(eqn->arena, hbg_rt_clock, most);
    eqn->ticks.signal = HBG_NEW_ARRAY(eqn->arena, int32_t, most);
    eqn->ticks.terms = HBG_NEW_ARRAY(eqn->arena, hbg_term, most);
    int32_t count = 0;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        if (signal->every == HBG_NONE) continue;
        double period = NAN;
        hbg_model_constant(model, signal->every, &period);
        eqn->ticks.signal[count] = i;
        eqn->ticks.terms[count] = needed(eqn, eqn->expr_term[signal->value], "a sampled signal");
        clocks[count++] = (hbg_rt_clock){path_text(eqn, HBG_OBJECT_SIGNAL, i), period};
    }
    for (int32_t i = 0; i < model->automata.count; i++) {
        if (!(eqn->outline.automata[i].every > 0)) continue;
        eqn->ticks.signal[count] = -1 - i;
        eqn->ticks.terms[count] = hbg_term_integer(&eqn->terms, 0);
        clocks[count++] = (hbg_rt_clock){eqn->outline.automata[i].name, eqn->outline.automata[i].every};
    }
    eqn->outline.clocks = clocks;
    eqn->outline.clock_count = count;
    read_pres(eqn, count);
    hbg_eqn_order_ticks(eqn);
}

/* ---- the ledger --------------------------------------------------------------------------------------- */

static bool is_thermal(const hbg_eqn *eqn, const hbg_element *element) {
    return element->net >= 0 && eqn->model->net_domain[element->net] == HBG_DOMAIN_THERMAL;
}

static hbg_term power_of_all_ports(hbg_eqn *eqn, int32_t element) {
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    for (int32_t port = 1; port <= eqn->model->elements.items[element].ports; port++)
        sum = hbg_term_add(&eqn->terms, sum, hbg_eqn_power(eqn, element, port));
    return sum;
}

/* −½ C' of an entry. */
static hbg_term half_rate(hbg_eqn *eqn, const hbg_element *of, int32_t row, int32_t column) {
    hbg_expr entry = eqn->model->entries.items[of->first_value + row * of->ports + column];
    hbg_term rate = hbg_eqn_rate_by_params(eqn, eqn->expr_term[entry]);
    return hbg_term_multiply(&eqn->terms, hbg_term_double(&eqn->terms, -0.5), rate);
}

/* Of x = C·z with a symmetric C the energy is ½ xᵀz: while x stays it changes by −½ zᵀC'z. */
static hbg_term work_of_entries(hbg_eqn *eqn, int32_t element) {
    hbg_terms *terms = &eqn->terms;
    const hbg_element *of = &eqn->model->elements.items[element];
    hbg_variable output = of->kind == HBG_KIND_C ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    hbg_term sum = hbg_term_integer(terms, 0);
    for (int32_t i = 0; i < of->ports; i++)
        for (int32_t k = i; k < of->ports; k++) {
            hbg_term rate = half_rate(eqn, of, i, k);
            if (k > i) rate = hbg_term_add(terms, rate, half_rate(eqn, of, k, i));
            hbg_term pair = hbg_term_multiply(terms, hbg_eqn_port(eqn, element, i + 1, output),
                                              hbg_eqn_port(eqn, element, k + 1, output));
            sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, pair, rate));
        }
    return sum;
}

/* The rate at which moving parameters change the energy of a storage. */
static hbg_term work_of_params(hbg_eqn *eqn, int32_t element, hbg_term energy) {
    hbg_terms *terms = &eqn->terms;
    if (hbg_eqn_is_linear(&eqn->model->elements.items[element])) return work_of_entries(eqn, element);
    const term_node *node = &terms->nodes.items[energy];
    if (node->op != TERM_CHARGE) return hbg_eqn_rate_by_params(eqn, energy);
    int32_t state = node->a, number = element + eqn->model->elements.count;
    hbg_term rate = hbg_eqn_rate_by_params(eqn, hbg_eqn_charged(eqn, element));
    eqn->readouts.law_rate[element] = rate;
    return hbg_term_is_zero(terms, rate) ? rate : hbg_term_make(terms, TERM_CHARGE, state, number, HBG_NONE);
}

/* Work of modulating a storage: the growth of its energy beyond the inflow. 0 if it is not modulated. */
static hbg_term modulation_work(hbg_eqn *eqn, int32_t element, hbg_term energy) {
    const hbg_element *of = &eqn->model->elements.items[element];
    bool modulated = false;
    for (int32_t i = 0; i < of->value_count; i++) {
        hbg_term entry = eqn->expr_term[eqn->model->entries.items[of->first_value + i]];
        modulated |= entry != HBG_NONE && eqn->terms.nodes.items[entry].level == LEVEL_RUN;
    }
    for (int32_t i = 0; i < of->law_count && !modulated; i++) {
        hbg_term law = eqn->expr_term[eqn->model->bindings.items[of->first_law + i].value];
        if (law == HBG_NONE) continue;
        hbg_term_walk(&eqn->terms, law);
        for (int32_t k = 0; k < eqn->terms.walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[k]];
            int32_t state = node->op == TERM_VARIABLE ? node->a - eqn->first[VARIABLE_STATE] : 0;
            bool own = state >= 0 && state < eqn->state_count && eqn->states[state].element == element;
            modulated |= node->op == TERM_VARIABLE && node->level == LEVEL_RUN && !own;
        }
    }
    if (is_thermal(eqn, of)) return hbg_term_integer(&eqn->terms, 0);
    if (!modulated) return work_of_params(eqn, element, energy);
    hbg_term growth = hbg_eqn_chain(eqn, energy, LAYER_RATE);
    if (growth == HBG_NONE) return hbg_term_integer(&eqn->terms, 0);
    return hbg_term_subtract(&eqn->terms, growth, power_of_all_ports(eqn, element));
}

typedef struct {
    hbg_rt_power *powers;
    hbg_term *terms, *works;
    int32_t *elements; /* element of each line */
    int32_t count;
} power_lines;

static void add_line(power_lines *lines, int32_t element, hbg_rt_power line, hbg_term term, hbg_term work) {
    lines->powers[lines->count] = line;
    lines->elements[lines->count] = element;
    lines->works[lines->count] = work;
    lines->terms[lines->count++] = term;
}

/* Adds the line of a source. A source that is part of a switch has the line of what it takes, which is
 * negated. */
static void add_source_line(hbg_eqn *eqn, power_lines *lines, const char *name, int32_t element) {
    hbg_term power = power_of_all_ports(eqn, element), work = hbg_eqn_jump_work(eqn, element);
    pulse_source pulse = hbg_eqn_pulse_source(eqn, element);
    bool takes = !is_thermal(eqn, &eqn->model->elements.items[element]) && hbg_eqn_dissipates(eqn, element);
    if (takes) {
        power = hbg_term_negate(&eqn->terms, power);
        work = hbg_term_integer(&eqn->terms, 0); // what it takes in a jump counts as lost
        pulse.sign = -pulse.sign;
    }
    eqn->readouts.pulse_sources[lines->count] = pulse;
    add_line(lines, element, (hbg_rt_power){name, takes ? HBG_RT_DISSIPATED : HBG_RT_SUPPLIED}, power, work);
}

static int32_t top_of(int32_t *above, int32_t element) {
    while (above[element] != element) element = above[element] = above[above[element]];
    return element;
}

/* Describes the parts that bonds connect: by storage, and by line of the ledger, the first storage of its
 * part. */
static void describe_bonded(hbg_eqn *eqn, const power_lines *lines) {
    const hbg_model *model = eqn->model;
    int32_t count = model->elements.count, storages = 0;
    int32_t *above = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    int32_t *first = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) above[i] = i, first[i] = HBG_NONE;
    for (int32_t i = 0; i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        above[top_of(above, bond->from.element)] = top_of(above, bond->to.element);
    }
    eqn->readouts.storage_part = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    eqn->readouts.power_part = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) {
        if (eqn->element_state[i] == HBG_NONE) continue;
        int32_t *of = &first[top_of(above, i)];
        if (*of == HBG_NONE) *of = storages;
        eqn->readouts.storage_part[storages++] = *of;
    }
    for (int32_t k = 0; k < lines->count; k++)
        eqn->readouts.power_part[k] = first[top_of(above, lines->elements[k])];
}

static void describe_ledger(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    int32_t count = model->elements.count;
    power_lines lines = {
        HBG_NEW_ARRAY(eqn->arena, hbg_rt_power, count + 1), HBG_NEW_ARRAY(eqn->arena, hbg_term, count + 1),
        HBG_NEW_ARRAY(eqn->arena, hbg_term, count + 1), HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1), 0};
    hbg_term zero = hbg_term_integer(&eqn->terms, 0);
    eqn->readouts.law_rate = HBG_NEW_ARRAY(eqn->arena, hbg_term, count + 1);
    eqn->readouts.pulse_sources = HBG_NEW_ARRAY(eqn->arena, pulse_source, count + 1);
    for (int32_t i = 0; i < count; i++) eqn->readouts.pulse_sources[i].own = HBG_NONE;
    hbg_rt_variable *storages = HBG_NEW_ARRAY(eqn->arena, hbg_rt_variable, count + 1);
    eqn->readouts.energies = HBG_NEW_ARRAY(eqn->arena, hbg_term, count + 1);
    int32_t storage_count = 0;
    eqn->readouts.state_storage = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) eqn->readouts.state_storage[i] = HBG_NONE;
    for (int32_t i = 0; i < count; i++) {
        const hbg_element *element = &model->elements.items[i];
        const char *name = path_text(eqn, HBG_OBJECT_ELEMENT, i);
        if (element->kind == HBG_KIND_SE || element->kind == HBG_KIND_SF)
            add_source_line(eqn, &lines, name, i);
        if (element->kind == HBG_KIND_R && !is_thermal(eqn, element))
            add_line(&lines, i, (hbg_rt_power){name, HBG_RT_DISSIPATED}, power_of_all_ports(eqn, i), zero);
        if (eqn->element_state[i] == HBG_NONE) continue;
        hbg_term energy = hbg_eqn_energy(eqn, i);
        energy = energy == HBG_NONE ? zero : energy;
        hbg_term work = modulation_work(eqn, i, energy);
        if (!hbg_term_is_zero(&eqn->terms, work))
            add_line(&lines, i, (hbg_rt_power){name, HBG_RT_MODULATED}, work, zero);
        for (int32_t port = 0; port < element->ports; port++)
            eqn->readouts.state_storage[eqn->element_state[i] + port] = storage_count;
        eqn->readouts.energies[storage_count] = energy;
        storages[storage_count++] = (hbg_rt_variable){name, "J", false};
    }
    describe_bonded(eqn, &lines);
    eqn->readouts.powers = lines.terms;
    eqn->readouts.works = lines.works;
    eqn->outline.powers = lines.powers;
    eqn->outline.power_count = lines.count;
    eqn->outline.storages = storages;
    eqn->outline.storage_count = storage_count;
}

static void describe_automata(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    hbg_rt_automaton *automata = HBG_NEW_ARRAY(eqn->arena, hbg_rt_automaton, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        const char **states = HBG_NEW_ARRAY(eqn->arena, const char *, of->state_count + 1);
        for (int32_t k = 0; k < of->state_count; k++)
            states[k] = hbg_base_names_get(model->names, model->states.items[of->first_state + k].name);
        double every = 0;
        if (of->every != HBG_NONE) hbg_model_constant(model, of->every, &every);
        automata[i] =
            (hbg_rt_automaton){path_text(eqn, HBG_OBJECT_AUTOMATON, i), states, of->state_count, every};
    }
    eqn->outline.automata = automata;
    eqn->outline.automaton_count = model->automata.count;
}

static void describe_bonds(hbg_eqn *eqn) {
    hbg_rt_variable *bonds = HBG_NEW_ARRAY(eqn->arena, hbg_rt_variable, eqn->model->bonds.count + 1);
    for (int32_t i = 0; i < eqn->model->bonds.count; i++)
        bonds[i] = (hbg_rt_variable){path_text(eqn, HBG_OBJECT_BOND, i), NULL, false};
    eqn->outline.bonds = bonds;
    eqn->outline.bond_count = eqn->model->bonds.count;
}

void hbg_eqn_describe(hbg_eqn *eqn, const hbg_eqn_options *options) {
    eqn->outline.name = hbg_base_names_get(eqn->model->names, eqn->model->name);
    describe_automata(eqn);
    describe_bonds(eqn);
    describe_states(eqn);
    describe_outputs(eqn, options);
    describe_inputs(eqn);
    describe_clocks(eqn);
    describe_ledger(eqn);
}
