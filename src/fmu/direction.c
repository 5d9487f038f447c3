/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Directional derivatives in the present mode: of rates by the engine's exact Jacobian, of outputs by
 * differences on the present branches, where outputs are smooth. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "fmu/fmu_impl.h"

/* A direction in the states from seeds of states. */
static bool take_seed(hbg_fmu_instance *instance, const uint32_t *knowns, size_t count, const double *seed,
                      double *direction) {
    memset(direction, 0, (size_t)instance->system->state_count * sizeof *direction);
    for (size_t i = 0; i < count; i++) {
        int32_t index;
        if (hbg_fmu_find(&instance->layout, knowns[i], &index) != HBG_FMU_STATE)
            return hbg_fmu_fail(instance,
                                "derivatives are by continuous states, and the value reference %u is not one",
                                (unsigned)knowns[i]);
        direction[index] += seed[i];
    }
    return true;
}

static bool add_rates(hbg_fmu_instance *instance, const double *direction, double *rates) {
    const hbg_fmu_point *at = &instance->at;
    hbg_rt_pattern pattern;
    hbg_rt_status status = hbg_rt_run_jacobian(instance->run, at->t, at->x, &pattern, NULL);
    if (!hbg_fmu_check(instance, status)) return false;
    hbg_rt_memory memory = instance->options.memory;
    size_t size = ((size_t)pattern.start[pattern.count] + 1) * sizeof(double);
    double *values = memory.allocate(memory.context, size);
    if (!values) return hbg_fmu_fail(instance, "out of memory");
    status = hbg_rt_run_jacobian(instance->run, at->t, at->x, &pattern, values);
    memset(rates, 0, (size_t)pattern.count * sizeof *rates);
    for (int32_t j = 0; j < pattern.count && status == HBG_RT_OK; j++)
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1] && direction[j] != 0; k++)
            rates[pattern.row[k]] += values[k] * direction[j];
    memory.release(memory.context, values, size);
    return hbg_fmu_check(instance, status);
}

/* The length of the difference along the direction, which leaves it half of the digits. */
static double reach_of(const hbg_fmu_instance *instance, const double *direction) {
    double reach = INFINITY;
    for (int32_t i = 0; i < instance->system->state_count; i++) {
        double scale = fmax(fabs(instance->at.x[i]), instance->nominals[i]);
        if (direction[i] != 0) reach = fmin(reach, (scale > 0 ? scale : 1) / fabs(direction[i]));
    }
    return reach < INFINITY ? cbrt(DBL_EPSILON) * reach : 0;
}

static bool add_outputs(hbg_fmu_instance *instance, const double *direction, double *outputs) {
    hbg_fmu_point *at = &instance->at;
    int32_t states = instance->system->state_count, count = instance->system->output_count;
    double reach = reach_of(instance, direction);
    hbg_rt_status status = HBG_RT_OK;
    memset(outputs, 0, (size_t)count * sizeof *outputs);
    for (int side = -1; side <= 1 && reach > 0 && status == HBG_RT_OK; side += 2) {
        for (int32_t i = 0; i < states; i++) at->before[i] = at->x[i] + side * reach * direction[i];
        status = hbg_rt_run_at(instance->run, HBG_RT_READ_OUTPUTS, at->t, at->before, at->outputs);
        for (int32_t i = 0; i < count; i++) outputs[i] += side * at->outputs[i] / (2 * reach);
    }
    at->has_outputs = false;
    return hbg_fmu_check(instance, status);
}

static bool differentiate(hbg_fmu_instance *instance, const uint32_t *unknowns, size_t count,
                          const double *direction, double *work, double *result) {
    double *rates = work, *outputs = work + instance->system->state_count;
    bool has_rates = false, has_outputs = false;
    for (size_t i = 0; i < count; i++) {
        int32_t index;
        hbg_fmu_class class = hbg_fmu_find(&instance->layout, unknowns[i], &index);
        if (class != HBG_FMU_RATE && class != HBG_FMU_OUTPUT)
            return hbg_fmu_fail(instance, "the value reference %u is neither a derivative nor an output",
                                (unsigned)unknowns[i]);
        if (class == HBG_FMU_RATE && !has_rates && !add_rates(instance, direction, rates)) return false;
        if (class == HBG_FMU_OUTPUT && !has_outputs && !add_outputs(instance, direction, outputs))
            return false;
        has_rates |= class == HBG_FMU_RATE;
        has_outputs |= class == HBG_FMU_OUTPUT;
        result[i] = class == HBG_FMU_RATE ? rates[index] : outputs[index];
    }
    return true;
}

bool hbg_fmu_derivative(hbg_fmu_instance *instance, const uint32_t *unknowns, size_t unknown_count,
                        const uint32_t *knowns, size_t known_count, const double *seed, double *result) {
    hbg_rt_memory memory = instance->options.memory;
    size_t states = (size_t)instance->system->state_count,
           size = (2 * states + (size_t)instance->system->output_count + 1) * sizeof(double);
    if (instance->phase == HBG_FMU_INITIALIZING && !hbg_fmu_begin(instance)) return false;
    double *work = memory.allocate(memory.context, size);
    if (!work) return hbg_fmu_fail(instance, "out of memory");
    bool done = take_seed(instance, knowns, known_count, seed, work) &&
                differentiate(instance, unknowns, unknown_count, work, work + states, result);
    memory.release(memory.context, work, size);
    return done;
}
