/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The heater itself; the two interfaces are in fmi2.c and fmi3.c. */
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if DEFECT == 3 // SHARED
static double shared_x;
#define X(of) (*((void)(of), &shared_x))
#else
#define X(of) ((of)->now.x)
#endif

double tiny_rate(tiny *of) {
    double rate = -of->now.k * X(of) + (of->now.heating ? of->now.gain : 0) + of->now.u;
    if (DEFECT == IMPURE) rate += 1e-12 * (double)of->asked++;
    if (DEFECT == CURVED) rate += 0.01 * X(of) * X(of);
    if (DEFECT == TIMELY) rate += 1e-3 * of->now.t;
    return rate;
}

double tiny_indicator(tiny *of) {
    double z = of->now.heating ? 0.8 - X(of) : X(of) - 0.6;
    if (DEFECT == JUMPING) z += of->now.t > 0.085 ? 3 : 0;
    if (DEFECT == ZERO && of->now.t > 0.5) z = 0;
    return z;
}

void tiny_start(tiny *of) {
    bool cosimulation = of->now.cosimulation, event_mode = of->now.event_mode, early = of->now.early;
    of->now = (tiny_state){.x = 0.5,
                           .k = 1,
                           .gain = 2,
                           .next = 0.25,
                           .heating = 1,
                           .cosimulation = cosimulation,
                           .event_mode = event_mode,
                           .early = early};
    if (DEFECT == OTHER_START) of->now.x = 0.25;
    X(of) = of->now.x;
}

void tiny_initialize(tiny *of, double start) {
    of->now.t = start;
    of->now.next = start + 0.25;
}

bool tiny_event_due(tiny *of) {
    bool ticking = of->now.t >= of->now.next - 1e-12;
    if (DEFECT == LOSES_EVENTS && of->now.cosimulation) ticking = fabs(of->now.t - of->now.next) < 1e-9;
    return ticking || tiny_indicator(of) <= 0;
}

bool tiny_update(tiny *of) {
    if (of->now.t >= of->now.next - 1e-12) {
        X(of) += 0.125;
        of->now.next += 0.25;
        of->now.ticks++;
        of->now.changed = DEFECT != NEVER_CHANGED;
        return true; // the jump may pass a threshold
    }
    if (tiny_indicator(of) <= 0 && DEFECT != ZERO) of->now.heating = !of->now.heating;
    if (DEFECT == ALWAYS_CHANGED) of->now.changed = true;
    return DEFECT == ENDLESS;
}

static void handle(tiny *of) {
    for (int i = 0; i < 100 && tiny_event_due(of) && tiny_update(of); i++) continue;
    of->now.changed = false;
}

bool tiny_step(tiny *of, double from, double span, bool stop_at_events) {
    double target = from + span;
    while (target - of->now.t > 1e-12) {
        double end = of->now.t + 0.005;
        if (of->now.next < end && DEFECT != LOSES_EVENTS) end = of->now.next;
        if (end > target - 1e-12) end = target;
        X(of) += (end - of->now.t) * tiny_rate(of);
        of->now.t = end;
        if (!tiny_event_due(of)) continue;
        if (stop_at_events) return true;
        handle(of);
    }
    return false;
}

bool tiny_get(tiny *of, unsigned reference, double *value) {
    switch (reference) {
    case TINY_TIME: *value = of->now.t; return true;
    case TINY_X: *value = X(of); return true;
    case TINY_RATE: *value = tiny_rate(of); return true;
    case TINY_Y: *value = 2 * X(of); return true;
    case TINY_K: *value = of->now.k; return true;
    case TINY_GAIN: *value = of->now.gain; return true;
    case TINY_U: *value = of->now.u; return true;
    case TINY_HEATING: *value = of->now.heating + 1; return true;
    case TINY_TICKS: *value = of->now.ticks; return true;
    case TINY_Z: *value = tiny_indicator(of); return true;
    case TINY_PRODUCT: *value = of->now.k * of->now.gain; return true;
    default: *value = 0; return DEFECT == ANY_REFERENCE;
    }
}

bool tiny_set(tiny *of, unsigned reference, double value) {
    bool before = of->now.mode <= TINY_INITIALIZING;
    switch (reference) {
    case TINY_X:
        if (!before) return false;
        X(of) = value;
        return true;
    case TINY_K:
        if (!before && DEFECT != SETTABLE) return false;
        if (DEFECT == DEAF && of->now.mode == TINY_INITIALIZING) return true;
        of->now.k = value;
        return true;
    case TINY_GAIN: of->now.gain = value; return true;
    case TINY_U: of->now.u = value; return true;
    default: return DEFECT == ANY_REFERENCE && reference > TINY_PRODUCT;
    }
}

static uint64_t sum(const unsigned char *bytes, size_t size) {
    uint64_t total = 1469598103934665603u;
    for (size_t i = 0; i < size; i++) total = (total ^ bytes[i]) * 1099511628211u;
    return total;
}

size_t tiny_pack(const tiny_state *state, unsigned char *bytes) {
    size_t size = sizeof *state + sizeof(uint64_t);
    if (!bytes) return size;
    memcpy(bytes, state, sizeof *state);
    uint64_t total = sum(bytes, sizeof *state);
    memcpy(bytes + sizeof *state, &total, sizeof total);
    return size;
}

bool tiny_unpack(tiny_state *state, const unsigned char *bytes, size_t size) {
    uint64_t total;
    if (DEFECT == UNCHECKED) {
        memcpy(state, bytes, size < sizeof *state ? size : sizeof *state);
        return true;
    }
    if (size != tiny_pack(state, NULL)) return false;
    memcpy(&total, bytes + sizeof *state, sizeof total);
    if (total != sum(bytes, sizeof *state)) return false;
    memcpy(state, bytes, sizeof *state);
    return true;
}
