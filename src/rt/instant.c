/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instants of a run: the modes considered with their pulses, restitution, and the values of `pre` at each
 * stage (semantics, sections 4 to 6). search.c holds the iteration itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

/* ---- restitution -------------------------------------------------------------------------------------- */

/* Whether a junction with restitution is on; by its number among these. */
static bool is_on(const hbg_rt_instance *run, int32_t restitution) {
    return hbg_rt_is_on(run, run->image->instants.kept.restitution[restitution].place);
}

/* Junctions with restitution that are on and were off earlier in this search bounce. */
static bool set_bounces(hbg_rt_instance *run) {
    const hbg_rt_restitution *restitution = run->image->instants.kept.restitution;
    bool any = false;
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range range = hbg_rt_active_island(run, n)->restitution;
        const int32_t *numbers = hbg_rt_list(run, range);
        bool *own = &run->at.bouncing[run->active[n]];
        *own = false;
        for (int32_t i = 0; i < range.count; i++) run->at.throws[restitution[numbers[i]].throws] = false;
        for (int32_t i = 0; i < range.count; i++) {
            int32_t k = numbers[i];
            bool on = is_on(run, k);
            if (!on) { // most are off
                run->at.bounce.chooses[k] = run->at.bounce.bounces[k] = false;
                run->at.bounce.off_earlier[k] = true;
                run->r[restitution[k].reg] = 0;
                continue;
            }
            bool bounces = run->at.bounce.off_earlier[k] && run->at.bounce.resting[k] == REST_NONE;
            run->at.bounce.bounced[k] |= bounces;
            run->at.bounce.chooses[k] = bounces;
            double value = bounces ? hbg_rt_bounce_of(run, k) : 0;
            run->at.bounce.bounces[k] = value != 0; // without restitution it may stay on
            run->r[restitution[k].reg] = value;
            *own |= bounces;
            run->at.throws[restitution[k].throws] |= bounces;
        }
        any |= *own;
    }
    return any;
}

/* ---- searches --------------------------------------------------------------------------------------- */

/* After a commit, crossings count again for states that were left on them, but not in a state that was
 * entered again: there the crossing has been answered. */
static void forget_left(hbg_rt_instance *run, int32_t automaton) {
    hbg_rt_range own = run->image->instants.switching.automata[automaton].states;
    for (int32_t i = own.first; i < own.first + own.count; i++)
        if (run->at.answers.answered[i] != BACK_AGAIN) run->at.answers.answered[i] = 0;
}

void hbg_rt_open_search(hbg_rt_instance *run) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        const int32_t *states = hbg_rt_list(run, of->states), *automata = hbg_rt_list(run, of->automata),
                      *restitution = hbg_rt_list(run, of->restitution);
        for (int32_t i = 0; i < of->states.count; i++) run->at.suspect[states[i]] = 0;
        for (int32_t i = 0; i < of->automata.count; i++) {
            run->at.entered_now[automata[i]] = false;
            forget_left(run, automata[i]);
        }
        for (int32_t i = 0; i < of->restitution.count; i++) // the state in which the search begins counts
            run->at.bounce.off_earlier[restitution[i]] = !is_on(run, restitution[i]);
    }
}

/* Appends the moves that led to an impossible mode. */
static void say_how_entered(hbg_rt_instance *run) {
    char *text = run->failure.text;
    size_t used = strlen(text), size = sizeof run->failure.text;
    char taken[HBG_RT_TAKEN];
    hbg_rt_describe_move(run, -1, taken, sizeof taken);
    if (taken[0] && used < size) snprintf(text + used, size - used, "; entered by %s", taken);
}

/* Energies after the jump, of the states of an island. */
static hbg_rt_status take_states(hbg_rt_instance *run, int32_t island, double t, double *x_plus) {
    const hbg_rt_kept *kept = &run->image->instants.kept;
    hbg_rt_range states = kept->islands[island].states;
    for (int32_t k = 0; k < states.count; k++) {
        int32_t i = hbg_rt_list(run, states)[k], reg = run->at.event_register[kept->states[i].cell];
        if (run->at.far.shorted[island] && !isfinite(run->r[reg])) continue; // it is never entered
        x_plus[i] = run->r[reg];
        hbg_rt_keep_larger(&run->at.state_size[i], run->at.size[reg]);
        hbg_rt_keep_larger(&run->at.state_size[i], fabs(x_plus[i]));
        if (!isfinite(x_plus[i]))
            return hbg_rt_fail_not_finite(run, t, run->event[island]->code, -1, reg,
                                          run->system->states[i].name);
    }
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_consider(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                              double *x_plus, bool *a_priori) {
    *a_priori = false;
    if (run->by_hand) return hbg_rt_hand_consider(run, states, t, x, x_plus);
    hbg_rt_status status = run->at.bounce.choices ? hbg_rt_draw(run, states) : HBG_RT_OK;
    if (status == HBG_RT_OK) status = hbg_rt_set_mode(run, states);
    if (status == HBG_RT_NO_CAUSALITY) say_how_entered(run);
    if (status == HBG_RT_OK) status = hbg_rt_ready_events(run);
    if (status == HBG_RT_OK) status = hbg_rt_instant_room(run);
    if (status != HBG_RT_OK) return status;
    bool bounces = set_bounces(run);
    if (bounces) {
        status = hbg_rt_lose_energies(run, states, t, x);
        if (status != HBG_RT_OK) return status;
    }
    if (run->image->instants.counts.ins > 0) {
        hbg_rt_ready_bounces(run, run->at.bounce.off_earlier);
        status = hbg_rt_evaluate_ins(run, states, t, x);
    }
    if (status == HBG_RT_OK) status = hbg_rt_values_here(run, t, x);
    if (status != HBG_RT_OK) return status;
    run->at.a_priori = run->at.resumed = false;
    *a_priori = bounces;
    memmove(x_plus, x, (size_t)run->image->instants.counts.states * sizeof *x);
    for (int32_t n = 0; n < run->active_count && status == HBG_RT_OK; n++)
        status = take_states(run, run->active[n], t, x_plus);
    return status;
}

/* Activates all islands except those that only wait, as a crossing may coincide with a planned event. */
static void activate_all_but_waiting(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->island_count; i++)
        if (!run->image->instants.kept.islands[i].only_waits) hbg_rt_activate(run, i);
}

/* Whether the clock of the automaton ticks, or one of its waits is over. */
static bool is_due(const hbg_rt_instance *run, int32_t automaton, double t) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    int32_t state = switching->automata[automaton].states.first + run->states[automaton];
    hbg_rt_range own = switching->discretes[state].transitions;
    bool due = run->outside.ticks[automaton];
    for (int32_t k = own.first; k < own.first + own.count && !due; k++) {
        double end = run->entered[automaton] + switching->transitions[k].after;
        due = t >= end - HBG_RT_WAITED * fabs(end);
    }
    return due;
}

/* Activates the islands in which something happens: a relation was crossed, a wait is over, a clock ticks. A
 * change from outside concerns all islands. */
static void wake_islands(hbg_rt_instance *run, double t, bool at_start, const int32_t *crossed,
                         int32_t count) {
    const hbg_rt_instants *instants = &run->image->instants;
    int32_t guard_first = run->system->guard_first;
    hbg_rt_rest_islands(run);
    for (int32_t i = 0; i < count; i++) {
        int32_t root = crossed[i] < 0 ? ~crossed[i] : crossed[i];
        if (root < guard_first) {
            at_start = true; // a branch of a law: its islands are unknown
            continue;
        }
        hbg_rt_range islands = instants->guards.relations[root - guard_first].islands;
        for (int32_t k = 0; k < islands.count; k++) hbg_rt_activate(run, hbg_rt_list(run, islands)[k]);
    }
    if (at_start || run->outside.inputs_changed || hbg_rt_draws(run)) // any island may read drawn values
        hbg_rt_activate_all(run);
    else if (count == 0)
        activate_all_but_waiting(run);
    run->outside.inputs_changed = false;
    for (int32_t n = 0; n < instants->counts.timed; n++) {
        int32_t i = instants->switching.timed[n];
        if (is_due(run, i, t)) hbg_rt_activate(run, instants->kept.automaton_island[i]);
    }
    if (run->active_count == 0) hbg_rt_activate_all(run);
}

/* The declared energies count as the left limits of the first instant, in pre as well. */
static void begin_with_declared(hbg_rt_instance *run, const double *x) {
    const hbg_rt_instants *instants = &run->image->instants;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < instants->counts.states; i++) {
        int32_t left = instants->kept.states[i].left;
        if (left == HBG_RT_NONE) continue;
        at->limits.left[left] = x[i];
        at->limits.left_size[left] = fmax(at->limits.left_size[left], fabs(x[i]));
    }
    at->a_priori = true;
    hbg_rt_new_values(run);
    for (int32_t i = 0; i < instants->counts.pres; i++) run->pre_next[i] = hbg_rt_record_pre(run, i);
    hbg_rt_record_ders(run);
    at->a_priori = false;
    memcpy(at->limits.pre_law, run->pre_next, (size_t)instants->counts.pres * sizeof *at->limits.pre_law);
}

/* Arguments of pre(…) and der(…) may jump because a branch was crossed, and at the instant that branch has
 * already switched. A moment earlier it had not; a value that differs by more than the moment can change it
 * jumped, and the earlier value is its left limit. */
static hbg_rt_status record_before_branches(hbg_rt_instance *run, double t, const double *x,
                                            const int32_t *crossed, int32_t count) {
    const hbg_rt_description *system = run->system;
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    instant_data *at = &run->at;
    double moment = HBG_RT_BEFORE * fabs(t);
    at->limits.branches = false;
    for (int32_t i = 0; i < count; i++)
        at->limits.branches |= crossed[i] >= 0 && crossed[i] < system->guard_first;
    at->limits.before_branches = at->limits.branches && counts->pres > 0 && counts->ins == 0;
    if (!at->limits.before_branches) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_rates(run, t, x, at->settled);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < counts->states; i++) at->limits.earlier[i] = x[i] - moment * at->settled[i];
    status = hbg_rt_values_in(run, run->states, t - moment, at->limits.earlier);
    if (status != HBG_RT_OK) return status;
    hbg_rt_record_values(run);
    memcpy(at->limits.pre_earlier, run->pre_next, (size_t)counts->pres * sizeof *at->limits.pre_earlier);
    return HBG_RT_OK;
}

static void use_before_branches(hbg_rt_instance *run) {
    const instant_data *at = &run->at;
    for (int32_t i = 0; i < run->image->instants.counts.pres && at->limits.before_branches; i++) {
        double size = fmax(fabs(at->limits.pre_earlier[i]), fabs(run->pre_next[i]));
        if (fabs(at->limits.pre_earlier[i] - run->pre_next[i]) > HBG_RT_BEFORE_JUMP * size)
            run->pre_next[i] = at->limits.pre_earlier[i];
    }
}

/* Clears what is known of an instant: nothing has been found, moved or bounced yet. `crossed` are the roots
 * found here. */
static void forget_instant(hbg_rt_instance *run, const int32_t *crossed, int32_t count) {
    const hbg_rt_instant_counts *counts = &run->image->instants.counts;
    int32_t guard_first = run->system->guard_first;
    instant_data *at = &run->at;
    memset(at->crossed, 0, (size_t)counts->relations);
    memset(at->bounce.bounced, 0, (size_t)counts->restitution);
    memset(at->bounce.bounces, 0, (size_t)counts->restitution);
    memset(at->bounce.bounced_last, 0, (size_t)counts->restitution);
    memset(at->work, 0, (size_t)counts->powers * sizeof *at->work);
    for (int32_t i = 0; i < count; i++) {
        int32_t root = crossed[i] < 0 ? ~crossed[i] : crossed[i];
        if (root < guard_first) continue;
        at->crossed[root - guard_first] = crossed[i] < 0 ? TOUCHED : CROSSED;
        at->near[root - guard_first] = -1;
    }
    for (int32_t i = 0; i < counts->automata; i++) at->came_from[i] = HBG_RT_NONE;
    memset(at->answers.answered, 0, (size_t)counts->discretes);
    memcpy(at->answers.opened, run->states, (size_t)counts->automata * sizeof *at->answers.opened);
    for (int32_t i = 0; i < counts->restitution; i++)
        run->r[run->image->instants.kept.restitution[i].reg] = 0;
}

hbg_rt_status hbg_rt_open(hbg_rt_instance *run, double t, const double *x, bool at_start,
                          const int32_t *crossed, int32_t count) {
    if (run->by_hand) return HBG_RT_OK;
    const hbg_rt_instants *instants = &run->image->instants;
    instant_data *at = &run->at;
    hbg_rt_status status = HBG_RT_OK;
    hbg_rt_keep_judged(run, false);
    forget_instant(run, crossed, count);
    at->first_pass = true;
    run->r[instants->outside.live] = 0;
    status = hbg_rt_see_cells(run, t, x, crossed, count);
    if (status != HBG_RT_OK) return status;
    wake_islands(run, t, at_start, crossed, count);
    if (at_start) at->change.changed_count = 0;
    at->change.params_changed = at->change.params_changed && at->change.changed_count > 0;
    if (status == HBG_RT_OK) status = hbg_rt_set_time(run, t);
    if (status != HBG_RT_OK) return status;
    status = hbg_rt_swap_changed(run);
    if (status == HBG_RT_OK && instants->counts.ins > 0) {
        status = hbg_rt_record_sums(run, t, x);
        if (status == HBG_RT_OK) status = hbg_rt_evaluate_ins(run, run->states, t, x);
    }
    if (status == HBG_RT_OK) status = record_before_branches(run, t, x, crossed, count);
    if (status == HBG_RT_OK) status = hbg_rt_values_in(run, run->states, t, x);
    if (status == HBG_RT_OK) {
        hbg_rt_record_values(run);
        hbg_rt_match_cells(run);
        use_before_branches(run);
    }
    hbg_rt_status back = hbg_rt_swap_changed(run);
    at->change.changed_count = 0;
    at->change.params_changed = false;
    if (status != HBG_RT_OK || back != HBG_RT_OK) return status != HBG_RT_OK ? status : back;
    if (at_start) begin_with_declared(run, x);
    hbg_rt_keep_judged(run, true);
    hbg_rt_use_pre(run, run->pre_next);
    run->r[instants->outside.live] = 1;
    return HBG_RT_OK;
}

bool hbg_rt_rest(hbg_rt_instance *run, char *rested, size_t size) {
    size_t used = 0;
    bool any = false;
    rested[0] = 0;
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++) {
        if (!run->at.bounce.bounced[i]) continue;
        run->at.bounce.resting[i] = is_on(run, i) ? REST_ENTERED : REST_WANTED;
        if (used < size) used += (size_t)snprintf(rested + used, size - used, "%s`", any ? ", " : "");
        if (used < size) {
            int32_t element = run->image->instants.kept.restitution[i].element;
            hbg_rt_tell(run, HBG_RT_WORD_ELEMENT, element, rested + used, size - used);
            used += strlen(rested + used);
            used += (size_t)snprintf(rested + used, size - used, "`");
        }
        any = true;
    }
    return any;
}

/* A mode with restitution exists at a point in time; a contact that stays on had nothing left to bounce. If
 * that happens sooner after the last bounce than the interval between the last two, its rebound has become
 * too small to tell from 0. */
bool hbg_rt_settles(hbg_rt_instance *run, double t) {
    instant_data *at = &run->at;
    bool any = false;
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++) {
        if (!at->bounce.bounced[i]) continue;
        double *last = &at->bounce.bounce_times[i].last, *before = &at->bounce.bounce_times[i].before;
        if (is_on(run, i)) {
            any |= at->bounce.elastic[i] && t - *last < *last - *before;
        } else {
            *before = *last;
            *last = t;
        }
    }
    return any;
}

/* The area in a cell; what nothing determines is not told. */
static double area_of(const hbg_rt_instance *run, int32_t cell) {
    int32_t reg = hbg_rt_event_register(run, cell);
    return reg == HBG_RT_NONE || isnan(run->r[reg]) ? 0 : run->r[reg];
}

int32_t hbg_rt_pulsing(hbg_rt_instance *run, int32_t *bonds) {
    const hbg_rt_bond *of = run->image->instants.kept.bonds;
    int32_t count = 0;
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range own = hbg_rt_active_island(run, n)->bonds;
        for (int32_t i = 0; i < own.count; i++) {
            int32_t bond = hbg_rt_list(run, own)[i];
            if (area_of(run, of[bond].effort) == 0 && area_of(run, of[bond].flow) == 0) continue;
            if (count == 0 || bonds[count - 1] != bond) bonds[count++] = bond;
        }
    }
    return count;
}

void hbg_rt_pulse(hbg_rt_instance *run, int32_t bond, double *effort, double *flow) {
    const hbg_rt_bond *of = &run->image->instants.kept.bonds[bond];
    bool active = of->island != HBG_RT_NONE && run->is_active[of->island];
    *effort = active ? area_of(run, of->effort) : 0;
    *flow = active ? area_of(run, of->flow) : 0;
}

/* ---- commits and time ---------------------------------------------------------------------------------- */

/* Pulses are over: from here on guards are judged on the finite parts recorded. */
hbg_rt_status hbg_rt_resume(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = HBG_RT_OK;
    run->at.resumed = true;
    if (run->by_hand) return HBG_RT_OK;
    if (run->at.bounce.choices) status = hbg_rt_draw(run, run->states);
    if (status == HBG_RT_OK && run->image->instants.counts.ins > 0) {
        hbg_rt_ready_bounces(run, NULL);
        status = hbg_rt_evaluate_ins(run, run->states, t, x);
    }
    if (status == HBG_RT_OK) status = hbg_rt_set_mode(run, run->states);
    run->at.a_priori = run->at.resumed = true;
    hbg_rt_new_values(run);
    return status;
}

bool hbg_rt_event_is_true(hbg_rt_instance *run) {
    if (run->by_hand) return hbg_rt_hand_event_is_true(run);
    const hbg_rt_outside *outside = &run->image->instants.outside;
    for (int32_t i = 0; i < outside->input_count; i++)
        if (outside->inputs[i].is_event && run->r[outside->inputs[i].value] != 0) return true;
    return false;
}

/* The work of a source that pulses by itself: its area times the mean of the other variable before and after
 * the pulse. The code computes the half with the value after the pulse; this is the other half. */
static double work_of_pulse(const hbg_rt_instance *run, int32_t line) {
    const hbg_rt_pulse_source *of = &run->image->instants.kept.sources[line];
    int32_t area = hbg_rt_event_register(run, of->area);
    if (area == HBG_RT_NONE || of->other == HBG_RT_NONE) return 0;
    double work = of->sign * run->r[area] * run->at.limits.left[of->other] / 2;
    return isnan(work) ? 0 : work;
}

double hbg_rt_work_of_line(const hbg_rt_instance *run, int32_t island_number, int32_t k) {
    int32_t line = hbg_rt_list(run, run->image->instants.kept.islands[island_number].powers)[k];
    const int32_t *work = hbg_rt_ints(run->image, run->event[island_number]->work.first);
    return run->r[work[k]] + work_of_pulse(run, line);
}

/* Adds the work of the sources in the mode considered last, by line of the ledger. */
static void add_work(hbg_rt_instance *run, double *work) {
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range powers = hbg_rt_active_island(run, n)->powers;
        for (int32_t k = 0; k < powers.count; k++)
            work[hbg_rt_list(run, powers)[k]] += hbg_rt_work_of_line(run, run->active[n], k);
    }
}

static void note_moved(hbg_rt_instance *run, const int32_t *states) {
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range range = hbg_rt_active_island(run, n)->automata;
        const int32_t *automata = hbg_rt_list(run, range);
        bool *moved = &run->at.moved[run->active[n]];
        *moved = false;
        for (int32_t i = 0; i < range.count; i++) *moved |= run->states[automata[i]] != states[automata[i]];
    }
}

hbg_rt_status hbg_rt_commit(hbg_rt_instance *run, const int32_t *states, double t, const double *x_plus) {
    if (run->by_hand) return hbg_rt_hand_commit(run, states, x_plus);
    const hbg_rt_instants *instants = &run->image->instants;
    add_work(run, run->at.work);
    note_moved(run, states);
    if (run->at.bounce.choices) hbg_rt_note_drawn(run, states);
    memcpy(run->states, states, (size_t)instants->counts.automata * sizeof *states);
    hbg_rt_record_values(run);
    hbg_rt_keep_pre(run, run->at.limits.pre_law); // laws use the values of the commit
    hbg_rt_use_pre(run, run->pre_next);
    for (int32_t i = 0; i < instants->counts.restitution; i++) {
        run->r[instants->kept.restitution[i].reg] = 0;
        run->at.bounce.bounced_last[i] = run->at.bounce.bounces[i];
    }
    if (run->at.bounce.choices) hbg_rt_note_chosen(run);
    hbg_rt_status status = hbg_rt_resume(run, t, x_plus);
    return status == HBG_RT_OK ? hbg_rt_ready_blocks(run) : status; // a real mode has a field
}

hbg_rt_status hbg_rt_renew(hbg_rt_instance *run, double t, const double *x) {
    if (run->by_hand) return HBG_RT_OK; // no guard reads pre
    hbg_rt_record_values(run);
    hbg_rt_use_pre(run, run->pre_next);
    return hbg_rt_resume(run, t, x);
}

bool hbg_rt_still_on(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++)
        if (run->at.bounce.bounced_last[i] && is_on(run, i) && !run->at.bounce.bounces[i]) return true;
    return false;
}

bool hbg_rt_same_states(hbg_rt_instance *run, const double *a, const double *b) {
    if (run->by_hand) return hbg_rt_hand_same_states(run, a, b);
    for (int32_t i = 0; i < run->image->instants.counts.states; i++)
        if (fabs(a[i] - b[i]) > HBG_RT_BAND * run->at.state_size[i]) return false;
    return true;
}

const double *hbg_rt_state_sizes(hbg_rt_instance *run) {
    return run->at.state_size;
}

double hbg_rt_source_work(hbg_rt_instance *run) {
    double sum = 0;
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range powers = hbg_rt_active_island(run, n)->powers;
        for (int32_t k = 0; k < powers.count; k++) sum += hbg_rt_work_of_line(run, run->active[n], k);
    }
    return sum;
}

hbg_rt_status hbg_rt_jump_work(hbg_rt_instance *run, double *work) {
    if (run->by_hand) return hbg_rt_hand_jump_work(run, work);
    memcpy(work, run->at.work, (size_t)run->image->instants.counts.powers * sizeof *work);
    return HBG_RT_OK;
}
