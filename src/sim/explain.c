/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A failed run in words: when, what the integrator reports, which state was the hardest and how it moved, and
 * what the system reports if the failure is its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_impl.h"

typedef struct {
    char *text;
    size_t size, used;
} writer;

static void HBG_PRINTF(2, 3) put(writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
    if (length > 0) w->used += (size_t)length < w->size - w->used ? (size_t)length : w->size - w->used - 1;
}

/* A value with few digits and its unit. */
static void put_value(writer *w, double value, const char *unit, const char *per) {
    put(w, "%.6g", value);
    if (unit != NULL && *unit != '\0')
        put(w, " %s%s", unit, per);
    else if (*per != '\0')
        put(w, " 1%s", per);
}

/* The state named by the integrator, else the first that is not finite. */
static int32_t hardest(const hbg_rt_field *field, const double *x) {
    if (field->worst >= 0 && field->worst < field->n) return field->worst;
    for (int32_t i = 0; i < field->n; i++)
        if (!isfinite(x[i])) return i;
    return -1;
}

static void put_state(writer *w, hbg_rt_field *field, double t, const double *x) {
    int32_t worst = hardest(field, x);
    if (worst < 0) return;
    const hbg_rt_variable *state = &field->system->states[worst];
    put(w, "; hardest for %s = ", state->name);
    put_value(w, x[worst], state->unit, "");
    if (field->jacobian.start == NULL) return; /* the mode was not entered */
    if (hbg_rt_rates(field->instance, t, x, field->work[0]) != HBG_RT_OK) return;
    put(w, ", changing by ");
    put_value(w, field->work[0][worst], state->unit, "/s");
}

/* The system's own message about its failure, or the fault found in its values. It is read first: computing
 * rates would change it. */
static void hear(hbg_rt_field *field, hbg_rt_failure *said) {
    *said = (hbg_rt_failure){.status = HBG_RT_OK};
    if (field->status == HBG_RT_OK || field->status == HBG_RT_INTERRUPTED) return;
    const hbg_rt_failure *last = field->words[0] == '\0' ? hbg_rt_failed(field->instance) : NULL;
    if (last != NULL) *said = *last;
    if (field->words[0] != '\0') (void)snprintf(said->text, sizeof said->text, "%s", field->words);
    said->text[sizeof said->text - 1] = '\0';
    said->status = field->status;
}

void hbg_sim_explain(hbg_rt_field *field, hbg_rt_status status, const char *solver, double t, const double *x,
                     hbg_sim_result *result) {
    writer w = {.text = result->failure, .size = sizeof result->failure};
    char time[32];
    hbg_rt_failure said;
    hear(field, &said);
    bool own_time = said.status == HBG_RT_NOT_FINITE && status == said.status && field->when > t;
    // the third sample of `every 0.3` is at 0.9, whatever the rounding
    (void)snprintf(time, sizeof time, "%.15g", own_time ? field->when : t);
    if (status == HBG_RT_VERDICT) { // the reason says everything
        put(&w, "at t = %s s: %s", time, *field->reason != '\0' ? field->reason : hbg_rt_status_text(status));
        return;
    }
    if (status == HBG_RT_NO_CAUSALITY && said.text[0] != '\0') { // neither solver nor state is the cause
        put(&w, "at t = %s s: %s", time, said.text);
        if (said.way_out) put(&w, "; way out: %s (docs/events.md, modes without causality)", said.way_out);
        return;
    }
    bool told =
        status == HBG_RT_SINGULAR && said.status == status && said.text[0] != '\0'; // with its variables
    put(&w, "at t = %s s: %s", time, told ? said.text : hbg_rt_status_text(status));
    if (*solver != '\0') put(&w, " (%s%s%s)", solver, *field->reason != '\0' ? ": " : "", field->reason);
    if (told) {
        // nothing more to say
    } else if (said.text[0] != '\0') {
        put(&w, "; %s", said.text);
    } else if (said.status != HBG_RT_OK && said.status != status) {
        put(&w, "; %s", hbg_rt_status_text(said.status));
    }
    if (status == HBG_RT_UNDEFINED) return; // no state is the cause
    if (status != HBG_RT_NOT_FINITE || said.text[0] == '\0') put_state(&w, field, t, x);
}
