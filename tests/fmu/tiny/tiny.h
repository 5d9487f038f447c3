/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A heater between two thresholds, written by hand to test the importer: x' = -k x + gain while heating + u. It is switched off above 0.8 and
 * on below 0.6; every 0.25 s x is raised by 0.125. DEFECT chooses what is wrong with it; 0 is a good FMU. */
#ifndef TESTS_FMU_TINY_H
#define TESTS_FMU_TINY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef DEFECT
#define DEFECT 0
#endif

#define TINY_TOKEN "{tiny}"

enum {
    OFF,
    HELPER,
    LIBRARY,
    SHARED,
    IMPURE,
    JUMPING,
    ZERO,
    ALWAYS_CHANGED,
    NEVER_CHANGED,
    ENDLESS,
    FORGETFUL,
    UNCHECKED,
    PICKY,
    NO_RESET,
    DEAF,
    SETTABLE,
    ANY_REFERENCE,
    EAGER,
    WRONG_SLOPE,
    EXACT_POINTS,
    LEAK,
    ANY_TOKEN,
    LOSES_EVENTS,
    EARLY,
    OTHER_START,
    UNINVITED,
    NAMELESS,
    HIDDEN_DEPENDENCY,
    MISSING,
    CURVED,
    TIMELY
};

enum {
    TINY_TIME,
    TINY_X,
    TINY_RATE,
    TINY_Y,
    TINY_K,
    TINY_GAIN,
    TINY_U,
    TINY_HEATING,
    TINY_TICKS,
    TINY_Z,
    TINY_PRODUCT
};
enum { TINY_INSTANTIATED, TINY_INITIALIZING, TINY_EVENTS, TINY_CONTINUOUS, TINY_STEPS, TINY_TERMINATED };

typedef struct {
    double t, x, k, gain, u, next;
    int heating, ticks, mode;
    bool cosimulation, event_mode, early, changed;
} tiny_state;

typedef struct {
    tiny_state now;
    long asked;
    void (*log)(void *environment, const char *text);
    void *environment;
    char *name;
    void *own; // of the interface
} tiny;

double tiny_rate(tiny *of);
double tiny_indicator(tiny *of);
void tiny_start(tiny *of);
void tiny_initialize(tiny *of, double start);
bool tiny_event_due(tiny *of);
bool tiny_update(tiny *of); // true: once more
// true: stopped at an event
bool tiny_step(tiny *of, double from, double span, bool stop_at_events);
bool tiny_get(tiny *of, unsigned reference, double *value);
bool tiny_set(tiny *of, unsigned reference, double value);
size_t tiny_pack(const tiny_state *state, unsigned char *bytes); // its size, also without bytes
bool tiny_unpack(tiny_state *state, const unsigned char *bytes, size_t size);

#endif
