/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The modes committed at one instant, for rows: outputs after the jump into each. The last of them lasts, and
 * its row is that after the instant; those before it lasted no time. A mode with a field gives its outputs.
 * One without a field, a collision with rebound, would change the energies if it were evaluated: its outputs
 * are those of the mode before the instant, or of the one after it, in which just these energies are
 * possible; its booleans are still those of the collision. */
#include <math.h>
#include <string.h>

#include "rt/rows.h"

enum { MOST = 64, FEWEST = 2, NUMBERS = 1 << 20 };

struct hbg_rt_commits {
    int32_t capacity, count;
    int32_t *states[MOST];
    double *x[MOST], *y[MOST];
    bool has_row[MOST];
    double *settled, *own;
    bool no_memory; /* in evaluating a mode */
};

hbg_rt_commits *hbg_rt_commits_new(hbg_rt_room *room, const hbg_rt_description *system) {
    hbg_rt_commits *commits = HBG_RT_TAKE(room, hbg_rt_commits, 1);
    size_t numbers = (size_t)system->state_count + (size_t)system->output_count;
    if (!commits) return NULL;
    commits->capacity = numbers * MOST <= NUMBERS ? MOST : (int32_t)(NUMBERS / numbers);
    if (commits->capacity < FEWEST) commits->capacity = FEWEST;
    for (int32_t i = 0; i < commits->capacity; i++) {
        commits->states[i] = HBG_RT_TAKE(room, int32_t, system->automaton_count + 1);
        commits->x[i] = HBG_RT_TAKE(room, double, system->state_count + 1);
        commits->y[i] = HBG_RT_TAKE(room, double, system->output_count + 1);
    }
    commits->settled = HBG_RT_TAKE(room, double, system->state_count + 1);
    commits->own = HBG_RT_TAKE(room, double, system->output_count + 1);
    return room->is_exhausted ? NULL : commits;
}

/* ---- during the search -------------------------------------------------------------------------------- */

/* What does not fit is left out; the last one is always kept. */
void hbg_rt_commits_visit(hbg_rt_rows *rows, const hbg_rt_visit *visit) {
    hbg_rt_commits *commits = rows->commits;
    const hbg_rt_description *system = rows->engine->system;
    if (visit->kind == HBG_RT_MYTHICAL || visit->returns) return;
    int32_t place = commits->count < commits->capacity ? commits->count++ : commits->capacity - 1;
    memcpy(commits->states[place], visit->states, (size_t)system->automaton_count * sizeof(int32_t));
    memcpy(commits->x[place], visit->x_plus, (size_t)system->state_count * sizeof(double));
}

/* ---- afterwards --------------------------------------------------------------------------------------- */

/* A mode that cannot be evaluated gives no row; only lack of memory is an error. */
static bool is_fine(hbg_rt_rows *rows, hbg_rt_status status) {
    rows->commits->no_memory |= status == HBG_RT_NO_MEMORY;
    return status == HBG_RT_OK;
}

/* Whether energies can have these values in a mode. The system is in that mode then. */
static bool stands(hbg_rt_rows *rows, const int32_t *states, const double *x) {
    const hbg_rt_description *system = rows->engine->system;
    double *settled = rows->commits->settled;
    if (!is_fine(rows, hbg_rt_enter(rows->engine->instance, states))) return false;
    memcpy(settled, x, (size_t)system->state_count * sizeof *settled);
    if (!is_fine(rows, hbg_rt_settle(rows->engine->instance, rows->engine->t, settled))) return false;
    return hbg_rt_same_states(rows->engine->instance, settled, x);
}

static bool has_booleans(const hbg_rt_description *system) {
    for (int32_t i = 0; i < system->output_count; i++)
        if (system->outputs[i].is_bool) return true;
    return false;
}

static bool find_outputs(hbg_rt_rows *rows, int32_t commit) {
    const hbg_rt_description *system = rows->engine->system;
    hbg_rt_commits *commits = rows->commits;
    const double *x = commits->x[commit];
    double *y = commits->y[commit];
    const int32_t *modes[] = {commits->states[commit], rows->engine->states_before,
                              rows->engine->search.states};
    int mode = 0;
    while (mode < 3 && !stands(rows, modes[mode], x)) mode++;
    if (mode == 3 || !is_fine(rows, hbg_rt_outputs(rows->engine->instance, rows->engine->t, x, y)))
        return false;
    if (mode == 0 || !has_booleans(system) ||
        !is_fine(rows, hbg_rt_enter(rows->engine->instance, modes[0])) ||
        !is_fine(rows, hbg_rt_outputs(rows->engine->instance, rows->engine->t, x, commits->own)))
        return true;
    for (int32_t i = 0; i < system->output_count; i++)
        if (system->outputs[i].is_bool) y[i] = commits->own[i];
    return true;
}

hbg_rt_status hbg_rt_commits_look(hbg_rt_rows *rows) {
    const hbg_rt_description *system = rows->engine->system;
    hbg_rt_commits *commits = rows->commits;
    if (!commits || commits->count < 2 || system->output_count == 0) return HBG_RT_OK;
    hbg_rt_thaw(rows->engine->instance); // branches are recorded again after a commit
    for (int32_t i = 0; i < commits->count - 1; i++) commits->has_row[i] = find_outputs(rows, i);
    if (commits->no_memory) return HBG_RT_NO_MEMORY;
    return hbg_rt_enter(rows->engine->instance, rows->engine->search.states);
}

int32_t hbg_rt_commits_count(const hbg_rt_rows *rows) {
    return rows->commits ? rows->commits->count : 0;
}

hbg_rt_status hbg_rt_commits_record(hbg_rt_rows *rows) {
    hbg_rt_commits *commits = rows->commits;
    hbg_rt_status status = HBG_RT_OK;
    if (!commits) return HBG_RT_OK;
    for (int32_t i = 0; i < commits->count - 1 && status == HBG_RT_OK; i++)
        if (commits->has_row[i]) status = hbg_rt_rows_row(rows, rows->engine->t, commits->y[i], true);
    return status;
}

void hbg_rt_commits_forget(hbg_rt_rows *rows) {
    if (rows->commits) rows->commits->count = 0;
}

/* ---- of a run in parts -------------------------------------------------------------------------------- */

const double *hbg_rt_commits_outputs(const hbg_rt_commits *commits, int32_t commit) {
    return commits->has_row[commit] ? commits->y[commit] : NULL;
}

void hbg_rt_commits_drop(hbg_rt_commits *commits, int32_t commit) {
    commits->has_row[commit] = false;
}

double *hbg_rt_commits_add(hbg_rt_commits *commits, int32_t commit, int32_t outputs) {
    if (commit >= commits->capacity) return NULL;
    for (; commits->count <= commit; commits->count++) {
        commits->has_row[commits->count] = true;
        for (int32_t i = 0; i < outputs; i++) commits->y[commits->count][i] = NAN;
    }
    return commits->y[commit];
}
