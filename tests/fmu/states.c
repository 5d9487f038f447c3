/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Saved states: a run that is taken back to a saved state goes the same way again, bit by bit, in the same instance, in a new one from bytes,
 * and in another process. Damaged bytes are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/behaviour.h"

typedef struct {
    double time;
    long steps;
    fmu_update update;
    fmu_mode mode;
    int exchange;
    size_t size;
} place; // what a saved course holds beside the bytes of the FMU

static double middle(const fmu_subject *subject) {
    return subject->plan.start + 0.4 * (subject->plan.stop - subject->plan.start);
}

static void must_be_same(const fmu_subject *subject, const fmu_trace *a, const fmu_trace *b,
                         const char *what) {
    if (fmu_trace_differs(a, b) >= 0) fmu_violated(subject->report, FMU_STATES, "%s goes another way", what);
}

// sets the state and runs to the end
static void go_on(const fmu_subject *subject, const fmu_course *from, fmu_unit *unit, void *state,
                  fmu_mode mode, fmu_trace *trace) {
    fmu_course course;
    fmu_trace_clear(trace);
    if (!fmu_must(unit, fmu_set_state(unit, state, mode), "SetFMUState")) return;
    fmu_course_resume(&course, from, unit);
    course.trace = trace;
    (void)fmu_course_advance(&course, subject->plan.stop);
    fmu_course_fini(&course);
}

static void check_damaged(const fmu_subject *subject, fmu_unit *unit, unsigned char *bytes, size_t size) {
    size_t places[] = {0, 9, size / 2, size - 1};
    void *state;
    if (size < 16) return;
    for (size_t i = 0; i < 2; i++)
        if (fmu_deserialize(unit, bytes, i ? size - 1 : 3, &state) < FMU_DISCARD) {
            fmu_violated(subject->report, FMU_STATES, "a truncated state is accepted");
            (void)fmu_free_state(unit, &state);
        }
    for (size_t i = 0; i < 4; i++) {
        bytes[places[i]] ^= 0x40;
        if (fmu_deserialize(unit, bytes, size, &state) < FMU_DISCARD) {
            fmu_violated(subject->report, FMU_STATES, "a state with a wrong byte at %zu of %zu is accepted",
                         places[i], size);
            (void)fmu_free_state(unit, &state);
        }
        bytes[places[i]] ^= 0x40;
    }
}

static void check_bytes(const fmu_subject *subject, const fmu_course *from, fmu_unit *unit, void *state,
                        const fmu_trace *first) {
    unsigned char *bytes, *again;
    size_t size, size_again;
    fmu_unit other;
    fmu_trace second;
    void *copy = NULL;
    if (!fmu_must(unit, fmu_serialize(unit, state, &bytes, &size), "SerializeFMUState")) return;
    if (fmu_must(unit, fmu_serialize(unit, state, &again, &size_again), "SerializeFMUState") &&
        (size != size_again || memcmp(bytes, again, size) != 0))
        fmu_violated(subject->report, FMU_STATES, "serialized twice, a state has other bytes");
    fmu_trace_init(&second, subject->description, true);
    if (fmu_unit_init(&other, subject->library, subject->description, &unit->settings, subject->report) &&
        fmu_must(&other, fmu_deserialize(&other, bytes, size, &copy), "DeserializeFMUState")) {
        go_on(subject, from, &other, copy,
              from->unit->settings.exchange ? FMU_CONTINUOUS_MODE : FMU_STEP_MODE, &second);
        must_be_same(subject, first, &second, "a new instance with a state from bytes");
        (void)fmu_must(&other, fmu_free_state(&other, &copy), "FreeFMUState");
    }
    fmu_unit_fini(&other);
    if (fmu_unit_init(&other, subject->library, subject->description, &unit->settings, subject->report))
        check_damaged(subject, &other, bytes, size);
    fmu_unit_fini(&other);
    fmu_trace_fini(&second);
    free(bytes);
    free(again);
}

static void check_interface(const fmu_subject *subject, bool exchange) {
    fmu_settings settings = fmu_usual(subject, exchange);
    fmu_unit unit;
    fmu_course course = {0}, at;
    fmu_trace first, second;
    void *state = NULL;
    fmu_trace_init(&first, subject->description, true);
    fmu_trace_init(&second, subject->description, true);
    if (fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report) &&
        fmu_course_init(&course, &unit, &subject->plan, &first) &&
        fmu_course_advance(&course, middle(subject)) &&
        fmu_must(&unit, fmu_get_state(&unit, &state), "GetFMUState")) {
        fmu_mode mode = unit.mode;
        at = course;
        fmu_trace_clear(&first);
        (void)fmu_course_advance(&course, subject->plan.stop);
        go_on(subject, &at, &unit, state, mode, &second);
        must_be_same(subject, &first, &second, "a run taken back");
        if (unit.mode != FMU_BROKEN && fmu_interface_of(&unit)->serialized)
            check_bytes(subject, &at, &unit, state, &first);
        (void)fmu_must(&unit, fmu_free_state(&unit, &state), "FreeFMUState");
        if (state) fmu_violated(subject->report, FMU_STATES, "a freed state is not NULL");
        (void)fmu_must(&unit, fmu_free_state(&unit, &state), "FreeFMUState of NULL");
    }
    fmu_course_fini(&course);
    fmu_unit_fini(&unit);
    fmu_trace_fini(&first);
    fmu_trace_fini(&second);
}

void fmu_check_saved_states(const fmu_subject *subject) {
    for (int exchange = 0; exchange < 2; exchange++) {
        const fmu_interface *offered =
            exchange ? &subject->description->exchange : &subject->description->cosimulation;
        if (!offered->there) continue;
        if (!offered->states)
            fmu_skipped(FMU_STATES, "%s does not offer saved states",
                        exchange ? "model exchange" : "co-simulation");
        else
            check_interface(subject, exchange);
    }
}

// ---- two processes --------------------------------------------------------------------------------------------------------------

static void print_rows(const fmu_trace *trace) {
    for (int i = 0; i < trace->count; i++)
        for (int k = 0; k <= trace->columns; k++)
            printf("%a%c", trace->rows[(size_t)i * ((size_t)trace->columns + 1) + (size_t)k],
                   k == trace->columns ? '\n' : ' ');
}

static bool write_place(const fmu_course *course, void *state, const char *file) {
    fmu_unit *unit = course->unit;
    place at = {course->time, course->steps, course->update, unit->mode, unit->settings.exchange, 0};
    unsigned char *bytes = NULL;
    bool good = fmu_must(unit, fmu_serialize(unit, state, &bytes, &at.size), "SerializeFMUState");
    FILE *out = good ? fopen(file, "wb") : NULL;
    good = out && fwrite(&at, sizeof at, 1, out) == 1 && fwrite(bytes, 1, at.size, out) == at.size;
    if (out && fclose(out) != 0) good = false;
    free(bytes);
    return good;
}

int fmu_save(const fmu_subject *subject, bool exchange, const char *file) {
    fmu_settings settings = fmu_usual(subject, exchange);
    fmu_unit unit;
    fmu_course course = {0};
    fmu_trace trace;
    void *state = NULL;
    bool good = false;
    fmu_trace_init(&trace, subject->description, true);
    if (fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report) &&
        fmu_course_init(&course, &unit, &subject->plan, &trace) &&
        fmu_course_advance(&course, middle(subject)) &&
        fmu_must(&unit, fmu_get_state(&unit, &state), "GetFMUState")) {
        good = write_place(&course, state, file);
        (void)fmu_free_state(&unit, &state);
        fmu_trace_clear(&trace);
        good = good && fmu_course_advance(&course, subject->plan.stop);
        print_rows(&trace);
    }
    fmu_course_fini(&course);
    fmu_unit_fini(&unit);
    fmu_trace_fini(&trace);
    return good ? 0 : 1;
}

static unsigned char *read_place(place *at, const char *file) {
    FILE *in = fopen(file, "rb");
    unsigned char *bytes = NULL;
    if (in && fread(at, sizeof *at, 1, in) == 1) {
        bytes = fmu_allocate(at->size, 1);
        if (fread(bytes, 1, at->size, in) != at->size) at->size = 0;
    }
    if (in) fclose(in);
    return bytes;
}

int fmu_continue(const fmu_subject *subject, const char *file) {
    place at = {0};
    unsigned char *bytes = read_place(&at, file);
    fmu_settings settings = fmu_usual(subject, at.exchange);
    fmu_unit unit;
    fmu_trace trace;
    void *state = NULL;
    fmu_trace_init(&trace, subject->description, true);
    bool good =
        bytes && fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report);
    if (good && fmu_must(&unit, fmu_deserialize(&unit, bytes, at.size, &state), "DeserializeFMUState")) {
        fmu_course from = {.unit = &unit,
                           .plan = &subject->plan,
                           .trace = &trace,
                           .time = at.time,
                           .steps = at.steps,
                           .update = at.update};
        go_on(subject, &from, &unit, state, at.mode, &trace);
        (void)fmu_must(&unit, fmu_free_state(&unit, &state), "FreeFMUState");
        print_rows(&trace);
    }
    if (good) fmu_unit_fini(&unit);
    fmu_trace_fini(&trace);
    free(bytes);
    return good && subject->report->violations == 0 ? 0 : 1;
}
