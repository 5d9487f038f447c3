/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of an instance: states and rates, variables of any type as numbers, saved states. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/unit.h"

#define TWO   unit->library->two
#define THREE unit->library->three

int fmu_set_time(fmu_unit *unit, double time) {
    return unit->library->version == 2 ? TWO.SetTime(unit->instance, time)
                                       : THREE.SetTime(unit->instance, time);
}

int fmu_set_states(fmu_unit *unit, const double *x) {
    size_t count = (size_t)unit->states;
    if (count == 0) return FMU_OK;
    return unit->library->version == 2 ? TWO.SetContinuousStates(unit->instance, x, count)
                                       : THREE.SetContinuousStates(unit->instance, x, count);
}

int fmu_get_states(fmu_unit *unit, double *x) {
    size_t count = (size_t)unit->states;
    if (count == 0) return FMU_OK;
    return unit->library->version == 2 ? TWO.GetContinuousStates(unit->instance, x, count)
                                       : THREE.GetContinuousStates(unit->instance, x, count);
}

int fmu_get_nominals(fmu_unit *unit, double *nominals) {
    size_t count = (size_t)unit->states;
    if (count == 0) return FMU_OK;
    return unit->library->version == 2 ? TWO.GetNominalsOfContinuousStates(unit->instance, nominals, count)
                                       : THREE.GetNominalsOfContinuousStates(unit->instance, nominals, count);
}

int fmu_get_rates(fmu_unit *unit, double *rates) {
    size_t count = (size_t)unit->states;
    if (count == 0) return FMU_OK;
    return unit->library->version == 2 ? TWO.GetDerivatives(unit->instance, rates, count)
                                       : THREE.GetContinuousStateDerivatives(unit->instance, rates, count);
}

int fmu_get_indicators(fmu_unit *unit, double *indicators) {
    size_t count = (size_t)unit->indicators;
    if (count == 0) return FMU_OK;
    return unit->library->version == 2 ? TWO.GetEventIndicators(unit->instance, indicators, count)
                                       : THREE.GetEventIndicators(unit->instance, indicators, count);
}

int fmu_get_reals(fmu_unit *unit, const unsigned *references, size_t count, double *values) {
    return unit->library->version == 2 ? TWO.GetReal(unit->instance, references, count, values)
                                       : THREE.GetFloat64(unit->instance, references, count, values, count);
}

static int get_two(fmu_unit *unit, const fmu_variable *variable, double *value) {
    int word = 0;
    const char *text = NULL;
    int status;
    switch (variable->type) {
    case FMU_REAL: return TWO.GetReal(unit->instance, &variable->reference, 1, value);
    case FMU_BOOLEAN: status = TWO.GetBoolean(unit->instance, &variable->reference, 1, &word); break;
    case FMU_STRING: status = TWO.GetString(unit->instance, &variable->reference, 1, &text); break;
    default: status = TWO.GetInteger(unit->instance, &variable->reference, 1, &word); break;
    }
    *value = word;
    return status;
}

static int get_three(fmu_unit *unit, const fmu_variable *variable, double *value) {
    int status = FMU_OK;
    const uint32_t *reference = &variable->reference;
    *value = 0;
    switch (variable->type) {
#define GET_AS(kind, function, c_type)                                                                       \
    case kind: {                                                                                             \
        c_type one = 0;                                                                                      \
        status = THREE.function(unit->instance, reference, 1, &one, 1);                                      \
        *value = (double)one;                                                                                \
        break;                                                                                               \
    }
        GET_AS(FMU_REAL, GetFloat64, double)
        GET_AS(FMU_FLOAT32, GetFloat32, float)
        GET_AS(FMU_INTEGER, GetInt32, int32_t)
        GET_AS(FMU_BOOLEAN, GetBoolean, bool)
        GET_AS(FMU_ENUMERATION, GetInt64, int64_t)
        GET_AS(FMU_INT64, GetInt64, int64_t)
        GET_AS(FMU_UINT64, GetUInt64, uint64_t)
        GET_AS(FMU_UINT32, GetUInt32, uint32_t)
#undef GET_AS
    case FMU_STRING: {
        const char *text = NULL;
        status = THREE.GetString(unit->instance, reference, 1, &text, 1);
        break;
    }
    default: break; // small integers, binaries and clocks are not looked at
    }
    return status;
}

int fmu_get_value(fmu_unit *unit, const fmu_variable *variable, double *value) {
    if (variable->array) return *value = 0, FMU_OK;
    return unit->library->version == 2 ? get_two(unit, variable, value) : get_three(unit, variable, value);
}

int fmu_set_value(fmu_unit *unit, const fmu_variable *variable, double value) {
    const unsigned *reference = &variable->reference;
    int word = (int)value;
    int64_t wide = (int64_t)value;
    bool truth = value != 0;
    if (unit->library->version == 2) switch (variable->type) {
        case FMU_REAL: return TWO.SetReal(unit->instance, reference, 1, &value);
        case FMU_BOOLEAN: return TWO.SetBoolean(unit->instance, reference, 1, &word);
        case FMU_STRING: return FMU_OK;
        default: return TWO.SetInteger(unit->instance, reference, 1, &word);
        }
    switch (variable->type) {
    case FMU_REAL: return THREE.SetFloat64(unit->instance, reference, 1, &value, 1);
    case FMU_BOOLEAN: return THREE.SetBoolean(unit->instance, reference, 1, &truth, 1);
    case FMU_INTEGER: return THREE.SetInt32(unit->instance, reference, 1, &word, 1);
    case FMU_ENUMERATION:
    case FMU_INT64: return THREE.SetInt64(unit->instance, reference, 1, &wide, 1);
    default: return FMU_OK;
    }
}

int fmu_directional(fmu_unit *unit, unsigned unknown, unsigned known, double *sensitivity) {
    double seed = 1;
    *sensitivity = 0;
    if (unit->library->version == 2)
        return TWO.GetDirectionalDerivative(unit->instance, &unknown, 1, &known, 1, &seed, sensitivity);
    return THREE.GetDirectionalDerivative(unit->instance, &unknown, 1, &known, 1, &seed, 1, sensitivity, 1);
}

int fmu_get_state(fmu_unit *unit, void **state) {
    *state = NULL;
    return unit->library->version == 2 ? TWO.GetFMUstate(unit->instance, state)
                                       : THREE.GetFMUState(unit->instance, state);
}

int fmu_set_state(fmu_unit *unit, void *state, fmu_mode mode) {
    int status = unit->library->version == 2 ? TWO.SetFMUstate(unit->instance, state)
                                             : THREE.SetFMUState(unit->instance, state);
    if (status == FMU_OK) unit->mode = mode;
    return status;
}

int fmu_free_state(fmu_unit *unit, void **state) {
    return unit->library->version == 2 ? TWO.FreeFMUstate(unit->instance, state)
                                       : THREE.FreeFMUState(unit->instance, state);
}

int fmu_serialize(fmu_unit *unit, void *state, unsigned char **bytes, size_t *size) {
    bool two = unit->library->version == 2;
    *bytes = NULL;
    *size = 0;
    int status = two ? TWO.SerializedFMUstateSize(unit->instance, state, size)
                     : THREE.SerializedFMUStateSize(unit->instance, state, size);
    if (status != FMU_OK) return status;
    *bytes = fmu_allocate(*size, 1);
    return two ? TWO.SerializeFMUstate(unit->instance, state, (char *)*bytes, *size)
               : THREE.SerializeFMUState(unit->instance, state, *bytes, *size);
}

int fmu_deserialize(fmu_unit *unit, const unsigned char *bytes, size_t size, void **state) {
    *state = NULL;
    if (unit->library->version == 2)
        return TWO.DeSerializeFMUstate(unit->instance, (const char *)bytes, size, state);
    return THREE.DeserializeFMUState(unit->instance, bytes, size, state);
}
