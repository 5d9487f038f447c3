/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Unbounded parts at an instant (semantics, section 3a). A mode in which an unbounded part, or one of its
 * first two time derivatives, is not 0 is shorted: it is never real, and these parts alone decide relations
 * of physical values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/rt_impl.h"
#include "rt/run_impl.h"

/* ---- the mode considered ------------------------------------------------------------------------------- */

/* Layout of an entry in the conflicts of an event. */
enum { ELEMENT, IS_EFFORT, FIRST, ENTRY = FIRST + HBG_RT_ORDERS };

static bool is_nonzero(const hbg_rt_instance *run, int32_t reg) {
    return fabs(run->r[reg]) > HBG_RT_BAND * run->at.size[reg];
}

static bool is_in_conflict(const hbg_rt_instance *run, const int32_t *entry) {
    for (int k = 0; k < HBG_RT_ORDERS; k++)
        if (is_nonzero(run, entry[FIRST + k])) return true;
    return false;
}

hbg_rt_status hbg_rt_run_limit(hbg_rt_instance *run, int32_t island) {
    const hbg_rt_event *event = run->event[island];
    bool *shorted = &run->at.far.shorted[island];
    *shorted = false;
    if (event->limit < 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_instant_room(run);
    hbg_rt_program code = hbg_rt_program_at(run->image, event->limit);
    if (status == HBG_RT_OK) status = hbg_rt_execute(run, code.code, code.count);
    if (status != HBG_RT_OK) return status;
    hbg_rt_measure_inputs(run, event);
    hbg_rt_measure_code(run, code.code, code.count);
    const int32_t *conflicts = hbg_rt_ints(run->image, event->conflicts.first);
    for (int32_t i = 0; i < event->conflicts.count && !*shorted; i += ENTRY)
        *shorted = is_in_conflict(run, conflicts + i);
    return HBG_RT_OK;
}

void hbg_rt_take_far(hbg_rt_instance *run, int32_t island) {
    const hbg_rt_event *event = run->event[island];
    hbg_rt_range asked = run->image->instants.kept.islands[island].asked;
    const int32_t *cells = hbg_rt_list(run, asked), *far = hbg_rt_ints(run->image, event->far.first);
    bool shorted = run->at.far.shorted[island];
    for (int32_t i = 0; i < asked.count; i++) {
        int32_t first = shorted ? far[HBG_RT_ORDERS * i] : HBG_RT_USUAL;
        run->at.far.cell[cells[i]] = first < 0 ? first : event->far.first + HBG_RT_ORDERS * i;
    }
}

bool hbg_rt_is_shorted(const hbg_rt_instance *run) {
    for (int32_t n = 0; n < run->active_count; n++)
        if (run->at.far.shorted[run->active[n]]) return true;
    return false;
}

/* ---- values -------------------------------------------------------------------------------------------- */

int hbg_rt_far_order(instant_value a, instant_value b, int *order) {
    for (int k = 0; k < HBG_RT_ORDERS && (a.is_far || b.is_far); k++) {
        double difference = a.far[k] - b.far[k];
        *order = k;
        if (fabs(difference) > HBG_RT_BAND * fmax(a.far_size[k], b.far_size[k]))
            return difference < 0 ? -1 : 1;
    }
    return 0;
}

bool hbg_rt_is_unbounded(instant_value value) {
    int order;
    return hbg_rt_far_order(value, (instant_value){.fin = 0}, &order) != 0;
}

/* ---- words --------------------------------------------------------------------------------------------- */

enum { TOLD = 8, AFTER_NAMES = 80 }; /* elements that words list; bytes for the text after them */

/* Appends the names of the elements in conflict, and the size of the largest unbounded part. */
static void tell_conflict(const hbg_rt_instance *run, const hbg_rt_event *event, bool effort, char *text,
                          size_t size) {
    const int32_t *conflicts = hbg_rt_ints(run->image, event->conflicts.first);
    size_t used = strlen(text);
    int32_t told = 0;
    double largest = 0;
    for (int32_t i = 0; i < event->conflicts.count; i += ENTRY) {
        if ((conflicts[i + IS_EFFORT] != 0) != effort || !is_in_conflict(run, conflicts + i)) continue;
        largest = fmax(largest, fabs(run->r[conflicts[i + FIRST]]));
        char name[HBG_RT_WORDS];
        hbg_rt_tell(run, HBG_RT_WORD_ELEMENT, conflicts[i + ELEMENT], name, sizeof name);
        bool fits = used + strlen(name) + AFTER_NAMES < size; // a name is listed as a whole, or not at all
        if (!fits) told = TOLD;
        if (told++ >= TOLD) continue;
        used += (size_t)snprintf(text + used, size - used, "%s`%s`", told > 1 ? ", " : "", name);
    }
    if (used + 1 >= size) return;
    const char *what = effort ? "effort" : "flow", *more = told > TOLD ? ", …" : "";
    if (largest > 0)
        snprintf(text + used, size - used, "%s: an unbounded %s of %.6g/η", more, what, largest);
    else // a derivative in time decides
        snprintf(text + used, size - used, "%s: an unbounded %s that begins to grow here", more, what);
}

hbg_rt_verdict hbg_rt_conflict(const hbg_rt_instance *run, char *text, size_t size) {
    for (int effort = 0; effort < 2; effort++)
        for (int32_t n = 0; n < run->active_count; n++) {
            const hbg_rt_event *event = run->event[run->active[n]];
            const int32_t *conflicts = hbg_rt_ints(run->image, event->conflicts.first);
            bool found = false;
            if (!run->at.far.shorted[run->active[n]]) continue;
            for (int32_t i = 0; i < event->conflicts.count && !found; i += ENTRY)
                found = conflicts[i + IS_EFFORT] == effort && is_in_conflict(run, conflicts + i);
            if (!found) continue;
            snprintf(text, size,
                     effort ? "a flow source has nowhere to go: " : "sources are short-circuited: ");
            tell_conflict(run, event, effort, text, size);
            return effort ? HBG_RT_OPEN_FLOW_SOURCE : HBG_RT_SHORT_CIRCUIT;
        }
    return HBG_RT_FINE;
}
