/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The story of an instant, recorded while the event iteration goes through its modes and reported when it is
 * over. Memory for it is allocated before the run; what does not fit is left out, and the last visit is
 * always kept. */
#include <string.h>

#include "rt/advance_impl.h"

enum { VISITS = 64 };

/* The transitions taken into a mode; put into words on request. */
struct hbg_rt_why {
    hbg_rt_instance *instance;
    hbg_rt_taken_list taken;
    bool is_told; /* the words are there */
    char words[HBG_RT_TAKEN];
};

/* Areas by bond, and the bonds with nonzero areas: an event in a corner of a large model is reported without
 * a scan of all bonds. */
typedef struct {
    double *area[2]; /* effort and flow, by bond */
    int32_t *bonds;
    int32_t count;
} pulse_list;

struct hbg_rt_log {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    hbg_rt_story_visit visits[VISITS];
    int32_t count;
    int32_t *states[VISITS][2];
    double *x[VISITS][2];
    pulse_list pulse[VISITS];
    hbg_rt_why why[VISITS];
    pulse_list now, committed; /* of the mode considered last, and of the mode committed last */
    hbg_rt_why why_now, why_committed;
    int32_t order[VISITS];
    int32_t *inputs;
    int32_t input_count;
    double *energy, *work; /* by storage, and by line of the ledger */
};

/* ---- pulses ------------------------------------------------------------------------------------------- */

static void make_list(hbg_rt_room *room, pulse_list *list, int32_t count) {
    list->area[0] = HBG_RT_TAKE(room, double, count + 1);
    list->area[1] = HBG_RT_TAKE(room, double, count + 1);
    list->bonds = HBG_RT_TAKE(room, int32_t, count + 1);
}

static void clear_list(pulse_list *list) {
    for (int32_t i = 0; i < list->count; i++)
        list->area[0][list->bonds[i]] = list->area[1][list->bonds[i]] = 0;
    list->count = 0;
}

static void copy_list(pulse_list *to, const pulse_list *from) {
    clear_list(to);
    to->count = from->count;
    for (int32_t i = 0; i < from->count; i++) {
        int32_t bond = to->bonds[i] = from->bonds[i];
        to->area[0][bond] = from->area[0][bond];
        to->area[1][bond] = from->area[1][bond];
    }
}

static void read_list(hbg_rt_log *log, pulse_list *list) {
    clear_list(list);
    int32_t count = hbg_rt_pulsing(log->instance, list->bonds); // many bonds may have a pulse, few do
    for (int32_t i = 0; i < count; i++) {
        int32_t bond = list->bonds[i];
        double effort, flow;
        hbg_rt_pulse(log->instance, bond, &effort, &flow);
        if (effort == 0 && flow == 0) continue;
        list->area[0][bond] = effort;
        list->area[1][bond] = flow;
        list->bonds[list->count++] = bond;
    }
}

/* ---- why ---------------------------------------------------------------------------------------------- */

static void read_why(hbg_rt_instance *instance, hbg_rt_why *why) {
    why->instance = instance;
    why->is_told = !hbg_rt_take_move(instance, &why->taken);
    if (why->is_told) hbg_rt_describe_move(instance, -1, why->words, sizeof why->words);
}

static void copy_why(hbg_rt_why *to, const hbg_rt_why *from) {
    to->instance = from->instance;
    to->is_told = from->is_told;
    if (from->is_told)
        memcpy(to->words, from->words, sizeof to->words);
    else
        hbg_rt_copy_taken(&to->taken, &from->taken);
}

static void clear_why(hbg_rt_why *why) {
    why->is_told = true;
    why->words[0] = 0;
}

const char *hbg_rt_visit_why(const hbg_rt_story_visit *visit) {
    hbg_rt_why *taken = visit->taken;
    if (visit->why) return visit->why;
    if (!taken->is_told)
        hbg_rt_describe_taken(taken->instance, &taken->taken, taken->words, sizeof taken->words);
    taken->is_told = true;
    return taken->words;
}

/* ---- the log ------------------------------------------------------------------------------------------ */

hbg_rt_log *hbg_rt_log_new(hbg_rt_room *room, const hbg_rt_description *system, hbg_rt_instance *instance) {
    hbg_rt_log *log = HBG_RT_TAKE(room, hbg_rt_log, 1);
    if (log == NULL) return NULL;
    log->system = system;
    log->instance = instance;
    log->inputs = HBG_RT_TAKE(room, int32_t, system->input_count + 1);
    log->energy = HBG_RT_TAKE(room, double, system->storage_count + 1);
    log->work = HBG_RT_TAKE(room, double, system->power_count + 1);
    make_list(room, &log->now, system->bond_count);
    make_list(room, &log->committed, system->bond_count);
    for (int i = 0; i < VISITS; i++) {
        make_list(room, &log->pulse[i], system->bond_count);
        for (int side = 0; side < 2; side++) {
            log->states[i][side] = HBG_RT_TAKE(room, int32_t, system->automaton_count + 1);
            log->x[i][side] = HBG_RT_TAKE(room, double, system->state_count + 1);
        }
    }
    return room->is_exhausted ? NULL : log;
}

void hbg_rt_log_bind(hbg_rt_log *log, const hbg_rt_description *system, hbg_rt_instance *instance) {
    clear_list(&log->now);
    clear_list(&log->committed);
    for (int i = 0; i < VISITS; i++) clear_list(&log->pulse[i]);
    log->system = system;
    log->instance = instance;
}

void hbg_rt_log_begin(hbg_rt_log *log) {
    log->count = 0;
    log->input_count = 0;
}

/* Listed once, however often it was set at this instant. */
void hbg_rt_log_input(hbg_rt_log *log, int32_t input) {
    for (int32_t i = 0; i < log->input_count; i++)
        if (log->inputs[i] == input) return;
    if (log->input_count < log->system->input_count) log->inputs[log->input_count++] = input;
}

void hbg_rt_log_considered(void *context) {
    hbg_rt_log *log = context;
    read_list(log, &log->now);
    read_why(log->instance, &log->why_now);
}

void hbg_rt_log_committed(void *context) {
    hbg_rt_log *log = context;
    copy_list(&log->committed, &log->now);
    copy_why(&log->why_committed, &log->why_now);
}

void hbg_rt_log_visit(void *context, const hbg_rt_visit *visit) {
    hbg_rt_log *log = context;
    const hbg_rt_description *system = log->system;
    int32_t i = log->count < VISITS ? log->count++ : VISITS - 1;
    const int32_t *states[] = {visit->before, visit->states};
    const double *x[] = {visit->x, visit->x_plus};
    bool real = visit->kind != HBG_RT_MYTHICAL && !visit->returns;
    for (int side = 0; side < 2; side++) {
        memcpy(log->states[i][side], states[side], (size_t)system->automaton_count * sizeof(int32_t));
        memcpy(log->x[i][side], x[side], (size_t)system->state_count * sizeof(double));
    }
    copy_list(&log->pulse[i], real ? &log->committed : &log->now);
    copy_why(&log->why[i], real ? &log->why_committed : &log->why_now);
    hbg_rt_story_visit told = {.kind = visit->kind,
                               .before = log->states[i][0],
                               .states = log->states[i][1],
                               .x = log->x[i][0],
                               .x_plus = log->x[i][1],
                               .effort = log->pulse[i].area[0],
                               .flow = log->pulse[i].area[1],
                               .lost = visit->lost,
                               .taken = &log->why[i],
                               .bonds = log->pulse[i].bonds,
                               .bond_count = log->pulse[i].count,
                               .order = visit->order};
    int32_t place = log->count - 1; // the result of a commit is reported late: sort it in
    for (; place > 0 && log->order[place - 1] > visit->order; place--) {
        log->visits[place] = log->visits[place - 1];
        log->order[place] = log->order[place - 1];
    }
    log->visits[place] = told;
    log->order[place] = visit->order;
}

/* The loss of stored energy plus the work of sources; 0 if it cannot be computed. */
static double lost_in(hbg_rt_log *log, double t, const double *x, const double *x_plus) {
    const hbg_rt_description *system = log->system;
    double lost = 0;
    const double *states[] = {x, x_plus};
    for (int side = 0; side < 2; side++) {
        if (hbg_rt_energies(log->instance, t, states[side], log->energy) != HBG_RT_OK) return 0;
        for (int32_t i = 0; i < system->storage_count; i++) lost += side ? -log->energy[i] : log->energy[i];
    }
    if (hbg_rt_jump_work(log->instance, log->work) != HBG_RT_OK) return lost;
    for (int32_t i = 0; i < system->power_count; i++)
        lost += system->powers[i].kind == HBG_RT_DISSIPATED ? -log->work[i] : log->work[i];
    return lost;
}

void hbg_rt_log_jump(hbg_rt_log *log, double t, const int32_t *states, const double *x,
                     const double *x_plus) {
    read_list(log, &log->committed); // before anything else is computed by the instance
    clear_why(&log->why_committed);
    hbg_rt_visit visit = {HBG_RT_CONTINUOUS, 0, states, states, x, x_plus, lost_in(log, t, x, x_plus), false};
    hbg_rt_log_visit(log, &visit);
}

void hbg_rt_log_fill(const hbg_rt_log *log, hbg_rt_story *event) {
    event->visits = log->visits;
    event->visit_count = log->count;
    event->inputs = log->inputs;
    event->input_count = log->input_count;
}
