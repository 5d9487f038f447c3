/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instants of a run: modes under consideration with their pulses, restitution, and what `pre` means when (semantics,
 * sections 4 to 6). The iteration itself is in src/rt. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* ---- restitution -------------------------------------------------------------------------------------- */

/* ε·Σ⁻ of a junction, on the values before. */
double hbg_eqn_bounce_of(hbg_rt_instance *run, int32_t element) {
    hbg_eqn *eqn = run->eqn;
    const hbg_model *model = eqn->model;
    variable_kind summed =
        model->elements.items[element].kind == HBG_KIND_ZERO ? VARIABLE_FLOW : VARIABLE_EFFORT;
    double sum = 0;
    for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++) {
        int32_t bond = model->incidence[k];
        double value = run->at.left[run->at.left_of[eqn->first[summed] + bond]];
        sum += model->bonds.items[bond].to.element == element ? value : -value;
    }
    bool a_priori = run->at.a_priori;
    run->at.a_priori = true;
    hbg_eqn_new_values(run);
    double coefficient = hbg_eqn_walk_at(run, &eqn->restitution_walks[element]).fin;
    run->at.a_priori = a_priori;
    run->at.elastic[element] = coefficient != 0;
    return coefficient * sum;
}

bool hbg_eqn_is_on(const hbg_rt_instance *run, int32_t junction) {
    return run->on && hbg_eqn_bit(run->on, run->eqn->structure->element_place[junction]);
}

/* Junctions with restitution that are on and were off earlier in this search bounce. */
static bool set_bounces(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    bool any = false;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *junctions = &eqn->islands.items[run->active[n]].restitution;
        bool *own = &run->at.bouncing[run->active[n]];
        *own = false;
        for (int32_t i = 0; i < junctions->count; i++)
            run->at.throws[eqn->junction_throw[junctions->items[i]]] = false;
        for (int32_t i = 0; i < junctions->count; i++) {
            int32_t element = junctions->items[i];
            bool on = hbg_eqn_is_on(run, element);
            bool bounces = on && run->at.off_earlier[element] && run->at.resting[element] == REST_NONE;
            run->at.bounced[element] |= bounces;
            double value = bounces ? hbg_eqn_bounce_of(run, element) : 0;
            run->at.bounces[element] = value != 0; // without restitution it may stay on
            *hbg_eqn_home_of(run, VARIABLE_BOUNCE, element) = value;
            if (!on) run->at.off_earlier[element] = true;
            *own |= bounces;
            run->at.throws[eqn->junction_throw[element]] |= bounces;
        }
        any |= *own;
    }
    return any;
}

/* ---- the functions of the system ---------------------------------------------------------------------- */

static void open_search(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        for (int32_t i = 0; i < of->states.count; i++) run->at.suspect[of->states.items[i]] = 0;
        for (int32_t i = 0; i < of->automata.count; i++) run->at.entered_now[of->automata.items[i]] = false;
        for (int32_t i = 0; i < of->restitution.count; i++) // the state it begins in counts
            run->at.off_earlier[of->restitution.items[i]] = !hbg_eqn_is_on(run, of->restitution.items[i]);
    }
}

/* A mode that nobody can be in: which moves led to it. */
static void say_how_entered(hbg_rt_instance *run) {
    char *text = run->failure.text;
    size_t used = strlen(text), size = sizeof run->failure.text;
    if (run->at.taken_size > 0 && used < size)
        snprintf(text + used, size - used, "; entered by %s", run->at.taken);
}

static hbg_rt_status consider(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                              double *x_plus, bool *a_priori) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = hbg_eqn_set_mode(run, states);
    if (status == HBG_RT_NO_CAUSALITY) say_how_entered(run);
    if (status == HBG_RT_OK) status = hbg_eqn_ready_events(run);
    if (status == HBG_RT_OK) status = hbg_eqn_instant_room(run);
    if (status != HBG_RT_OK) return status;
    bool bounces = set_bounces(run);
    if (eqn->ins.count > 0) {
        hbg_eqn_ready_bounces(run, run->at.off_earlier);
        status = hbg_eqn_evaluate_ins(run, states, t, x);
    }
    if (status == HBG_RT_OK) status = hbg_eqn_values_in(run, states, t, x);
    if (status != HBG_RT_OK) return status;
    run->at.a_priori = run->at.resumed = false;
    *a_priori = bounces;
    memmove(x_plus, x, (size_t)eqn->state_count * sizeof *x);
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        for (int32_t k = 0; k < of->states.count; k++) {
            int32_t i = of->states.items[k];
            int32_t reg = run->at.event_register[eqn->first[VARIABLE_STATE] + i];
            x_plus[i] = run->r[reg];
            run->at.state_size[i] = fmax(run->at.state_size[i], fmax(run->at.size[reg], fabs(x_plus[i])));
            if (!isfinite(x_plus[i]))
                return hbg_eqn_not_finite(run, t, run->event[run->active[n]]->code, -1, reg,
                                          eqn->system.states[i].name);
        }
    }
    return HBG_RT_OK;
}

/* Where nothing is compared, recorded or able to jump, only the end of an own wait, or something from outside, makes a difference. */
static bool only_waits(const island *of) {
    return of->relations.count == 0 && of->states.count == 0 && of->pres.count == 0 && of->ins.count == 0 &&
           of->restitution.count == 0;
}

/* A crossing may lie where something planned happens. */
static void activate_all_but_waiting(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->island_count; i++)
        if (!only_waits(&run->eqn->islands.items[i])) hbg_eqn_activate(run, i);
}

/* Islands that something happens in: a relation was crossed, a wait is over, a clock ticks; anything given from outside is
 * for all of them. */
static void wake_islands(hbg_rt_instance *run, double t, bool at_start, const int32_t *crossed,
                         int32_t count) {
    const hbg_eqn *eqn = run->eqn;
    const hbg_model *model = eqn->model;
    hbg_eqn_rest_islands(run);
    for (int32_t i = 0; i < count; i++) {
        int32_t root = crossed[i] < 0 ? ~crossed[i] : crossed[i];
        if (root < eqn->system.guard_first) {
            at_start = true; // a branch of a law: whose it is nobody knows
            continue;
        }
        const int32_map *islands = &eqn->relation_islands[root - eqn->system.guard_first];
        for (int32_t k = 0; k < islands->count; k++) hbg_eqn_activate(run, islands->items[k]);
    }
    if (at_start || run->inputs_changed)
        hbg_eqn_activate_all(run);
    else if (count == 0)
        activate_all_but_waiting(run);
    run->inputs_changed = false;
    for (int32_t n = 0; n < eqn->timed.count; n++) {
        int32_t i = eqn->timed.items[n];
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + run->states[i]];
        bool due = run->ticks[i];
        for (int32_t k = 0; k < state->transition_count && !due; k++) {
            double end = run->entered[i] + eqn->guards[state->first_transition + k].after;
            due = t >= end - 8 * 2.22e-16 * fabs(end);
        }
        if (due) hbg_eqn_activate(run, eqn->automaton_island[i]);
    }
    if (run->active_count == 0) hbg_eqn_activate_all(run);
}

/* The declared energies count as what was before the first instant, in pre too. */
static void begin_with_declared(hbg_rt_instance *run, const double *x) {
    hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < eqn->state_count; i++) {
        int32_t left = at->left_of[eqn->first[VARIABLE_STATE] + i];
        if (left == HBG_NONE) continue;
        at->left[left] = x[i];
        at->left_size[left] = fmax(at->left_size[left], fabs(x[i]));
    }
    at->a_priori = true;
    hbg_eqn_new_values(run);
    for (int32_t i = 0; i < eqn->pre.count; i++) run->pre_next[i] = hbg_eqn_record_pre(run, i);
    hbg_eqn_record_ders(run);
    at->a_priori = false;
    memcpy(at->pre_law, run->pre_next, (size_t)eqn->pre.count * sizeof *at->pre_law);
}

/* Inputs, samples and parameters as they were before they changed, and back. */
hbg_rt_status hbg_eqn_swap_changed(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->at.changed_count; i++) {
        double *now = &run->r[run->at.changed[i]], kept = *now;
        *now = run->at.before[i];
        run->at.before[i] = kept;
    }
    run->lines.wait =
        !run->lines.wait && run->at.params_changed; // what led here before is not known any more
    return run->at.params_changed ? hbg_eqn_follow_params(run) : HBG_RT_OK;
}

/* What pre(…) and der(…) read may jump because a branch was crossed, and here it is on the other side already. A moment before it was
 * not; what differs by more than the moment brings is what it was. */
static hbg_rt_status record_before_branches(hbg_rt_instance *run, double t, const double *x,
                                            const int32_t *crossed, int32_t count) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    double moment = 1e-12 * fabs(t);
    at->branches = false;
    for (int32_t i = 0; i < count; i++)
        at->branches |= crossed[i] >= 0 && crossed[i] < eqn->system.guard_first;
    at->before_branches = at->branches && eqn->pre.count > 0 && eqn->ins.count == 0;
    if (!at->before_branches) return HBG_RT_OK;
    hbg_rt_status status = eqn->system.rates(run, t, x, at->settled);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < eqn->state_count; i++) at->earlier[i] = x[i] - moment * at->settled[i];
    status = hbg_eqn_values_in(run, run->states, t - moment, at->earlier);
    if (status != HBG_RT_OK) return status;
    hbg_eqn_record(run);
    memcpy(at->pre_earlier, run->pre_next, (size_t)eqn->pre.count * sizeof *at->pre_earlier);
    return HBG_RT_OK;
}

static void use_before_branches(hbg_rt_instance *run) {
    const instant_data *at = &run->at;
    for (int32_t i = 0; i < run->eqn->pre.count && at->before_branches; i++) {
        double size = fmax(fabs(at->pre_earlier[i]), fabs(run->pre_next[i]));
        if (fabs(at->pre_earlier[i] - run->pre_next[i]) > 1e-9 * size) run->pre_next[i] = at->pre_earlier[i];
    }
}

static hbg_rt_status open_instant(hbg_rt_instance *run, double t, const double *x, bool at_start,
                                  const int32_t *crossed, int32_t count) {
    hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    hbg_rt_status status = HBG_RT_OK;
    memset(at->crossed, 0, (size_t)eqn->relations.count);
    memset(at->bounced, 0, (size_t)eqn->model->elements.count);
    memset(at->bounces, 0, (size_t)eqn->model->elements.count);
    memset(at->bounced_last, 0, (size_t)eqn->model->elements.count);
    memset(at->work, 0, (size_t)eqn->system.power_count * sizeof *at->work);
    for (int32_t i = 0; i < count; i++) {
        int32_t root = crossed[i] < 0 ? ~crossed[i] : crossed[i];
        if (root < eqn->system.guard_first) continue;
        at->crossed[root - eqn->system.guard_first] = crossed[i] < 0 ? TOUCHED : CROSSED;
        at->near[root - eqn->system.guard_first] = -1;
    }
    for (int32_t i = 0; i < eqn->model->automata.count; i++) at->came_from[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->restitution.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_BOUNCE, eqn->restitution.items[i]) = 0;
    at->first_pass = true;
    *hbg_eqn_home_of(run, VARIABLE_LIVE, 0) = 0;
    status = hbg_eqn_see_cells(run, t, x, crossed, count);
    if (status != HBG_RT_OK) return status;
    wake_islands(run, t, at_start, crossed, count);
    if (at_start) at->changed_count = 0;
    at->params_changed = at->params_changed && at->changed_count > 0;
    if (status == HBG_RT_OK) status = hbg_eqn_set_time(run, t);
    if (status != HBG_RT_OK) return status;
    status = hbg_eqn_swap_changed(run);
    if (status == HBG_RT_OK && eqn->ins.count > 0) {
        status = hbg_eqn_record_sums(run, t, x);
        if (status == HBG_RT_OK) status = hbg_eqn_evaluate_ins(run, run->states, t, x);
    }
    if (status == HBG_RT_OK) status = record_before_branches(run, t, x, crossed, count);
    if (status == HBG_RT_OK) status = hbg_eqn_values_in(run, run->states, t, x);
    if (status == HBG_RT_OK) {
        hbg_eqn_record(run);
        hbg_eqn_match_cells(run);
        use_before_branches(run);
    }
    hbg_rt_status back = hbg_eqn_swap_changed(run);
    at->changed_count = 0;
    at->params_changed = false;
    if (status != HBG_RT_OK || back != HBG_RT_OK) return status != HBG_RT_OK ? status : back;
    if (at_start) begin_with_declared(run, x);
    hbg_eqn_use_pre(run, run->pre_next);
    *hbg_eqn_home_of(run, VARIABLE_LIVE, 0) = 1;
    return HBG_RT_OK;
}

static bool rest(hbg_rt_instance *run, char *rested, size_t size) {
    size_t used = 0;
    bool any = false;
    rested[0] = 0;
    for (int32_t i = 0; i < run->eqn->restitution.count; i++) {
        int32_t element = run->eqn->restitution.items[i];
        if (!run->at.bounced[element]) continue;
        run->at.resting[element] = hbg_eqn_is_on(run, element) ? REST_ENTERED : REST_WANTED;
        const char *name = run->eqn->restitution_name[i];
        if (used < size)
            used += (size_t)snprintf(rested + used, size - used, "%s`%s`", any ? ", " : "", name);
        any = true;
    }
    return any;
}

/* A contact with restitution exists at a point: one that stays got nothing to throw back. If it did so sooner than after the
 * interval between its last bounces, what it would throw back has become too small to tell from 0. */
static bool settles(hbg_rt_instance *run, double t) {
    instant_data *at = &run->at;
    bool any = false;
    for (int32_t i = 0; i < run->eqn->restitution.count; i++) {
        int32_t element = run->eqn->restitution.items[i];
        if (!at->bounced[element]) continue;
        double *last = &at->bounce_at[element], *before = &at->bounce_before[element];
        if (hbg_eqn_is_on(run, element)) {
            any |= at->elastic[element] && t - *last < *last - *before;
        } else {
            *before = *last;
            *last = t;
        }
    }
    return any;
}

/* A contact at rest that opens bounces again the next time. */
void hbg_eqn_follow_rest(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->eqn->restitution.count; i++) {
        int32_t element = run->eqn->restitution.items[i];
        uint8_t *kind = &run->at.resting[element];
        if (*kind == REST_WANTED && hbg_eqn_is_on(run, element)) *kind = REST_ENTERED;
        if (*kind == REST_ENTERED && !hbg_eqn_is_on(run, element)) *kind = REST_NONE;
    }
}

static int32_t pulsing(hbg_rt_instance *run, int32_t *bonds) {
    const hbg_eqn *eqn = run->eqn;
    int32_t count = 0;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *own = &eqn->islands.items[run->active[n]].bonds; // efforts and flows, bond by bond
        for (int32_t i = 0; i < own->count; i++) {
            int32_t bond = own->items[i] % eqn->first[VARIABLE_FLOW];
            if (count == 0 || bonds[count - 1] != bond) bonds[count++] = bond;
        }
    }
    return count;
}

static void pulse(hbg_rt_instance *run, int32_t bond, double *effort, double *flow) {
    const hbg_eqn *eqn = run->eqn;
    const int32_t *where = run->at.event_register + LAYER_AREA * eqn->base_count;
    int32_t e = where[eqn->first[VARIABLE_EFFORT] + bond], f = where[eqn->first[VARIABLE_FLOW] + bond];
    if (eqn->bond_island[bond] == HBG_NONE || !run->is_active[eqn->bond_island[bond]]) e = f = HBG_NONE;
    *effort = e == HBG_NONE || isnan(run->r[e]) ? 0 : run->r[e]; // what nothing determines is not told
    *flow = f == HBG_NONE || isnan(run->r[f]) ? 0 : run->r[f];
}

/* ---- commits and time ----------------------------------------------------------------------------------- */

/* Pulses are over: what follows is judged on the finite parts recorded. */
static hbg_rt_status resume(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = HBG_RT_OK;
    if (run->eqn->ins.count > 0) {
        hbg_eqn_ready_bounces(run, NULL);
        status = hbg_eqn_evaluate_ins(run, run->states, t, x);
    }
    if (status == HBG_RT_OK) status = hbg_eqn_set_mode(run, run->states);
    run->at.a_priori = run->at.resumed = true;
    hbg_eqn_new_values(run);
    return status;
}

static bool event_is_true(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->system.input_count; i++) {
        int32_t signal = eqn->input_signal[i];
        if (eqn->model->signals.items[signal].type == HBG_TYPE_EVENT &&
            *hbg_eqn_home_of(run, VARIABLE_INPUT, signal) != 0)
            return true;
    }
    return false;
}

/* Of a source that pulses by itself: its area times the mean of what the other variable was and is. The half that is there behind the
 * pulse is in the code; this is the other one. */
static double work_of_pulse(const hbg_rt_instance *run, int32_t line) {
    const hbg_eqn *eqn = run->eqn;
    const pulse_source *of = &eqn->pulse_sources[line];
    const instant_data *at = &run->at;
    if (of->own == HBG_NONE) return 0;
    int32_t area = at->event_register[of->own + LAYER_AREA * eqn->base_count], left = at->left_of[of->other];
    if (area == HBG_NONE || left == HBG_NONE) return 0;
    double work = of->sign * run->r[area] * at->left[left] / 2;
    return isnan(work) ? 0 : work;
}

/* Work of the k-th line of an island in what was considered last. */
static double work_of_line(const hbg_rt_instance *run, int32_t island_number, int32_t k) {
    int32_t line = run->eqn->islands.items[island_number].powers.items[k];
    return run->r[run->event[island_number]->event_work[k]] + work_of_pulse(run, line);
}

/* Work of the sources in what was considered last, by line of the ledger. */
static void add_work(hbg_rt_instance *run, double *work) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *powers = &run->eqn->islands.items[run->active[n]].powers;
        for (int32_t k = 0; k < powers->count; k++)
            work[powers->items[k]] += work_of_line(run, run->active[n], k);
    }
}

static void note_moved(hbg_rt_instance *run, const int32_t *states) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *automata = &run->eqn->islands.items[run->active[n]].automata;
        bool *moved = &run->at.moved[run->active[n]];
        *moved = false;
        for (int32_t i = 0; i < automata->count; i++)
            *moved |= run->states[automata->items[i]] != states[automata->items[i]];
    }
}

static hbg_rt_status commit(hbg_rt_instance *run, const int32_t *states, double t, const double *x_plus) {
    const hbg_eqn *eqn = run->eqn;
    add_work(run, run->at.work);
    note_moved(run, states);
    memcpy(run->states, states, (size_t)eqn->model->automata.count * sizeof *states);
    hbg_eqn_record(run);
    hbg_eqn_keep_pre(run, run->at.pre_law); // the values of the commit stand in laws
    hbg_eqn_use_pre(run, run->pre_next);
    for (int32_t i = 0; i < eqn->restitution.count; i++) {
        int32_t element = eqn->restitution.items[i];
        *hbg_eqn_home_of(run, VARIABLE_BOUNCE, element) = 0;
        run->at.bounced_last[element] = run->at.bounces[element];
    }
    hbg_rt_status status = resume(run, t, x_plus);
    return status == HBG_RT_OK ? hbg_eqn_ready(run) : status; // what is real has a field
}

static hbg_rt_status renew(hbg_rt_instance *run, double t, const double *x) {
    hbg_eqn_record(run);
    hbg_eqn_use_pre(run, run->pre_next);
    return resume(run, t, x);
}

static bool still_on(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->restitution.count; i++) {
        int32_t element = eqn->restitution.items[i];
        if (run->at.bounced_last[element] && hbg_eqn_is_on(run, element) && !run->at.bounces[element])
            return true;
    }
    return false;
}

static bool same(hbg_rt_instance *run, const double *a, const double *b) {
    for (int32_t i = 0; i < run->eqn->state_count; i++)
        if (fabs(a[i] - b[i]) > HBG_EQN_BAND * run->at.state_size[i]) return false;
    return true;
}

static const double *state_sizes(hbg_rt_instance *run) {
    return run->at.state_size;
}

static double source_work(hbg_rt_instance *run) {
    double sum = 0;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *powers = &run->eqn->islands.items[run->active[n]].powers;
        for (int32_t k = 0; k < powers->count; k++) sum += work_of_line(run, run->active[n], k);
    }
    return sum;
}

/* Energies of an island among those of all storages. */
static double energy_of(const hbg_rt_instance *run, const island *of, const double *energies) {
    int32_t last = HBG_NONE;
    double sum = 0;
    for (int32_t i = 0; i < of->states.count; i++) {
        int32_t storage = run->eqn->state_storage[of->states.items[i]];
        if (storage == HBG_NONE || storage == last) continue; // ports of a field follow one another
        last = storage;
        sum += energies[storage];
    }
    return sum;
}

/* Each island by itself, where several are awake. States that count as equal have energies that differ by nothing. */
static bool creates(hbg_rt_instance *run, double t, const double *x, const double *x_plus, double *before,
                    double *after, double *supplied) {
    const hbg_eqn *eqn = run->eqn;
    int32_t count = eqn->system.storage_count;
    double *old = run->at.energy, *now = old + count, *most = now + count;
    if (run->active_count < 2) return false;
    bool sized = eqn->system.energies_at(run, t, run->at.state_size, most) == HBG_RT_OK;
    // in this order: what is asked behind it reads the states after the jump
    if (eqn->system.energies_at(run, t, x, old) != HBG_RT_OK ||
        eqn->system.energies_at(run, t, x_plus, now) != HBG_RT_OK)
        return false;
    double all = 0; // what is small beside it is rounding
    for (int32_t i = 0; i < 2 * count; i++) all += fabs(old[i]);
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        *before = energy_of(run, of, old);
        *after = energy_of(run, of, now);
        *supplied = 0;
        for (int32_t k = 0; k < of->powers.count; k++) *supplied += work_of_line(run, run->active[n], k);
        double gain = *after - *before - *supplied;
        double nothing = sized ? hbg_rt_no_energy(fmax(*before, *after), energy_of(run, of, most)) : 0;
        if (gain > 1e-9 * fmax(all, fabs(*supplied)) && gain > nothing) return true;
    }
    return false;
}

static hbg_rt_status jump_work(hbg_rt_instance *run, double *work) {
    memcpy(work, run->at.work, (size_t)run->eqn->system.power_count * sizeof *work);
    return HBG_RT_OK;
}

void hbg_eqn_instant_functions(hbg_rt_system *system) {
    hbg_eqn_move_functions(system);
    hbg_eqn_look_functions(system);
    hbg_eqn_size_functions(system);
    hbg_eqn_flow_functions(system);
    system->jump_work = jump_work;
    system->open = open_instant;
    system->open_search = open_search;
    system->consider = consider;
    system->commit = commit;
    system->rest = rest;
    system->settles = settles;
    system->still_on = still_on;
    system->renew = renew;
    system->pulse = pulse;
    system->pulsing = pulsing;
    system->resume = resume;
    system->event_is_true = event_is_true;
    system->same = same;
    system->state_sizes = state_sizes;
    system->source_work = source_work;
    system->creates = creates;
}
