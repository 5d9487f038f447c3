/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables by reference: which can be read, and which can be set in which phase. Set values are kept, and
 * passed to the run when they take effect: in event mode with the next update, in co-simulation as soon as a
 * value is read or a step is made. */
#include <math.h>
#include <string.h>

#include "fmu/fmu_impl.h"
#include "rt/search.h"

/* ---- references ---------------------------------------------------------------------------------------- */

static int32_t count_of(const hbg_rt_description *system, hbg_fmu_class class) {
    switch (class) {
    case HBG_FMU_STATE:
    case HBG_FMU_RATE: return system->state_count;
    case HBG_FMU_OUTPUT: return system->output_count;
    case HBG_FMU_INPUT: return system->input_count;
    case HBG_FMU_PARAM: return system->param_count;
    case HBG_FMU_MODE:
    case HBG_FMU_HOLD: return system->automaton_count;
    case HBG_FMU_EFFORT_AREA:
    case HBG_FMU_FLOW_AREA: return system->bond_count;
    case HBG_FMU_INDICATOR: return system->root_count;
    default: return 1;
    }
}

hbg_fmu_layout hbg_fmu_layout_of(const hbg_rt_description *system) {
    hbg_fmu_layout layout = {{0}};
    for (int c = 0; c < HBG_FMU_CLASS_COUNT; c++)
        layout.first[c + 1] = layout.first[c] + (uint32_t)count_of(system, (hbg_fmu_class)c);
    return layout;
}

hbg_fmu_class hbg_fmu_find(const hbg_fmu_layout *layout, uint32_t reference, int32_t *index) {
    int c = 0;
    while (c < HBG_FMU_CLASS_COUNT && reference >= layout->first[c + 1]) c++;
    *index = c < HBG_FMU_CLASS_COUNT ? (int32_t)(reference - layout->first[c]) : 0;
    return (hbg_fmu_class)c;
}

hbg_fmu_type hbg_fmu_type_of(const hbg_rt_description *system, hbg_fmu_class class, int32_t index) {
    switch (class) {
    case HBG_FMU_OUTPUT: return system->outputs[index].is_bool ? HBG_FMU_TRUTH : HBG_FMU_REAL;
    case HBG_FMU_INPUT: return system->inputs[index].is_bool ? HBG_FMU_TRUTH : HBG_FMU_REAL;
    case HBG_FMU_PARAM: return system->params[index].is_bool ? HBG_FMU_TRUTH : HBG_FMU_REAL;
    case HBG_FMU_MODE:
    case HBG_FMU_HOLD:
    case HBG_FMU_COMMITS:
    case HBG_FMU_VERDICT: return HBG_FMU_WHOLE;
    default: return HBG_FMU_REAL;
    }
}

/* Finds a variable, and reports if there is none of this type. */
static bool find(hbg_fmu_instance *instance, hbg_fmu_type type, uint32_t reference, hbg_fmu_class *class,
                 int32_t *index) {
    static const char *const types[] = {"a real number", "a whole number or an enumeration", "a Boolean"};
    *class = hbg_fmu_find(&instance->layout, reference, index);
    if (*class == HBG_FMU_CLASS_COUNT)
        return hbg_fmu_fail(instance, "there is no variable with the value reference %u",
                            (unsigned)reference);
    if (hbg_fmu_type_of(instance->system, *class, *index) == type) return true;
    return hbg_fmu_fail(instance, "the variable with the value reference %u is not %s", (unsigned)reference,
                        types[type]);
}

/* ---- marks of set variables ---------------------------------------------------------------------------- */

static uint8_t *mark_of(hbg_fmu_instance *instance, hbg_fmu_class class, int32_t index) {
    const hbg_rt_description *system = instance->system;
    int32_t first = class == HBG_FMU_INPUT   ? 0
                    : class == HBG_FMU_PARAM ? system->input_count
                                             : system->input_count + system->param_count;
    return &instance->set.marks[first + index];
}

static hbg_rt_set setting_of(const hbg_fmu_instance *instance, hbg_fmu_class class, int32_t index) {
    switch (class) {
    case HBG_FMU_INPUT:
        return (hbg_rt_set){.kind = HBG_RT_INPUT, .index = index, .value = instance->set.inputs[index]};
    case HBG_FMU_PARAM:
        return (hbg_rt_set){.kind = HBG_RT_PARAM, .index = index, .value = instance->set.params[index]};
    default:
        return (hbg_rt_set){.kind = HBG_RT_AUTOMATON, .index = index, .state = instance->set.holds[index]};
    }
}

/* An event ends once it has been passed on: the next one is another event. */
static void forget_event(hbg_fmu_instance *instance, int32_t input) {
    if (instance->phase == HBG_FMU_MADE || instance->phase == HBG_FMU_INITIALIZING) return;
    *mark_of(instance, HBG_FMU_INPUT, input) = 0;
    instance->set.inputs[input] = 0;
}

bool hbg_fmu_hand_over(hbg_fmu_instance *instance, bool all) {
    static const hbg_fmu_class classes[] = {HBG_FMU_INPUT, HBG_FMU_PARAM, HBG_FMU_HOLD};
    hbg_rt_status status = HBG_RT_OK;
    for (int c = 0; c < 3; c++)
        for (int32_t i = 0; i < count_of(instance->system, classes[c]) && status == HBG_RT_OK; i++) {
            uint8_t *mark = mark_of(instance, classes[c], i);
            hbg_rt_set setting = setting_of(instance, classes[c], i);
            if (*mark == 2 || (all && *mark == 1)) status = hbg_rt_run_set(instance->run, &setting);
            if (*mark == 2) *mark = 1;
            if (classes[c] == HBG_FMU_INPUT && instance->model->read_by[i] == HBG_FMU_EVENT)
                forget_event(instance, i);
        }
    instance->set.waits = false;
    return hbg_fmu_check(instance, status);
}

/* In co-simulation without event mode set values take effect at the present time, before anything is read. */
static bool catch_up(hbg_fmu_instance *instance) {
    if (!instance->set.waits || instance->phase != HBG_FMU_STEPPING) return true;
    return hbg_fmu_hand_over(instance, false) && hbg_fmu_follow(instance);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool need_outputs(hbg_fmu_instance *instance) {
    hbg_fmu_point *at = &instance->at;
    if (!at->has_outputs)
        at->has_outputs = hbg_fmu_check(
            instance, hbg_rt_run_at(instance->run, HBG_RT_READ_OUTPUTS, at->t, at->x, at->outputs));
    return at->has_outputs;
}

static bool need_rates(hbg_fmu_instance *instance) {
    hbg_fmu_point *at = &instance->at;
    if (!at->has_rates)
        at->has_rates =
            hbg_fmu_check(instance, hbg_rt_run_at(instance->run, HBG_RT_READ_RATES, at->t, at->x, at->rates));
    return at->has_rates;
}

static bool read_param(hbg_fmu_instance *instance, int32_t index, double *value) {
    if (*mark_of(instance, HBG_FMU_PARAM, index) > 0) {
        *value = instance->set.params[index];
        return true;
    }
    if (!hbg_fmu_check(instance, hbg_rt_run_read(instance->run, HBG_RT_READ_PARAMS, instance->params)))
        return false;
    *value = instance->params[index];
    return true;
}

static bool read_input(hbg_fmu_instance *instance, int32_t index, double *value) {
    int32_t output = instance->model->read_by[index];
    bool is_set = *mark_of(instance, HBG_FMU_INPUT, index) > 0;
    *value = is_set ? instance->set.inputs[index] : instance->model->input_starts[index];
    if (is_set || output < 0 || !instance->is_started) return true;
    if (!need_outputs(instance)) return false;
    *value = instance->at.outputs[output];
    return true;
}

/* An open instant has committed modes that the run does not show yet. */
static bool read_mode(hbg_fmu_instance *instance, int32_t index, double *value) {
    if (instance->is_started && !instance->is_open &&
        !hbg_fmu_check(instance, hbg_rt_run_read(instance->run, HBG_RT_READ_MODES, instance->modes)))
        return false;
    *value = (instance->is_started ? instance->modes[index] : instance->system->start_states[index]) + 1;
    return true;
}

static bool read_commits(hbg_fmu_instance *instance, double *value) {
    *value = 0;
    if (!instance->is_started || instance->is_open) return true;
    return hbg_fmu_check(instance, hbg_rt_run_read(instance->run, HBG_RT_READ_COMMITS, value));
}

static bool read(hbg_fmu_instance *instance, hbg_fmu_class class, int32_t index, double *value) {
    switch (class) {
    case HBG_FMU_TIME: *value = instance->at.t; return true;
    case HBG_FMU_STATE: *value = instance->at.x[index]; return true;
    case HBG_FMU_RATE:
        if (!need_rates(instance)) return false;
        *value = instance->at.rates[index];
        return true;
    case HBG_FMU_OUTPUT:
        if (!need_outputs(instance)) return false;
        *value = instance->at.outputs[index];
        return true;
    case HBG_FMU_INPUT: return read_input(instance, index, value);
    case HBG_FMU_PARAM: return read_param(instance, index, value);
    case HBG_FMU_MODE: return read_mode(instance, index, value);
    case HBG_FMU_HOLD: *value = instance->set.holds[index] + 1; return true;
    case HBG_FMU_EFFORT_AREA: *value = instance->areas[index]; return true;
    case HBG_FMU_FLOW_AREA: *value = instance->areas[instance->system->bond_count + index]; return true;
    case HBG_FMU_COMMITS: return read_commits(instance, value);
    case HBG_FMU_VERDICT: *value = 1 + hbg_rt_run_failed(instance->run)->verdict; return true;
    default:
        if (!hbg_fmu_evaluate(instance)) return false;
        *value = instance->branches.values[index];
        return true;
    }
}

bool hbg_fmu_get(hbg_fmu_instance *instance, hbg_fmu_type type, const uint32_t *references, size_t count,
                 double *values) {
    if (instance->phase == HBG_FMU_INITIALIZING && count > 0 && !hbg_fmu_begin(instance)) return false;
    if (!catch_up(instance)) return false;
    for (size_t i = 0; i < count; i++) {
        hbg_fmu_class class;
        int32_t index;
        if (!find(instance, type, references[i], &class, &index)) return false;
        if (!read(instance, class, index, &values[i])) return false;
    }
    return true;
}

/* ---- setting ------------------------------------------------------------------------------------------- */

/* Phases in which the variables of a class are set. */
static int phases_of(hbg_fmu_class class) {
    switch (class) {
    case HBG_FMU_INPUT:
    case HBG_FMU_PARAM:
    case HBG_FMU_HOLD: return HBG_FMU_MADE | HBG_FMU_INITIALIZING | HBG_FMU_AT_EVENT | HBG_FMU_STEPPING;
    default: return 0;
    }
}

static bool keep(hbg_fmu_instance *instance, hbg_fmu_class class, int32_t index, double value) {
    if (!isfinite(value)) return hbg_fmu_fail(instance, "the value is not a finite number");
    if (class == HBG_FMU_INPUT) instance->set.inputs[index] = value;
    if (class == HBG_FMU_PARAM) instance->set.params[index] = value;
    if (class != HBG_FMU_HOLD) return true;
    if (!(value >= 0 && value <= instance->system->automata[index].state_count))
        return hbg_fmu_fail(instance, "the automaton `%s` has no state %.0f",
                            instance->system->automata[index].name, value);
    instance->set.holds[index] = (int32_t)value - 1;
    return true;
}

static bool is_new(hbg_fmu_instance *instance, hbg_fmu_class class, int32_t index, double value) {
    if (class == HBG_FMU_HOLD) return instance->set.holds[index] + 1 != value;
    bool is_event = class == HBG_FMU_INPUT && instance->model->read_by[index] == HBG_FMU_EVENT;
    if (*mark_of(instance, class, index) == 0) return !is_event || value != 0;
    return (class == HBG_FMU_INPUT ? instance->set.inputs : instance->set.params)[index] != value;
}

static bool set_one(hbg_fmu_instance *instance, hbg_fmu_class class, int32_t index, double value) {
    if (!is_new(instance, class, index, value)) return true;
    if (!keep(instance, class, index, value)) return false;
    *mark_of(instance, class, index) = 2;
    instance->set.waits = true;
    bool early = instance->phase == HBG_FMU_MADE || instance->phase == HBG_FMU_INITIALIZING;
    if (!early) return true;
    if (instance->is_started) return hbg_fmu_make_run(instance); // it began with another value
    return hbg_fmu_hand_over(instance, false);
}

bool hbg_fmu_set(hbg_fmu_instance *instance, hbg_fmu_type type, const uint32_t *references, size_t count,
                 const double *values) {
    for (size_t i = 0; i < count; i++) {
        hbg_fmu_class class;
        int32_t index;
        if (!find(instance, type, references[i], &class, &index)) return false;
        if ((phases_of(class) & (int)instance->phase) == 0)
            return hbg_fmu_fail(instance, "the variable with the value reference %u cannot be set now",
                                (unsigned)references[i]);
        if (!set_one(instance, class, index, values[i])) return false;
    }
    return true;
}
