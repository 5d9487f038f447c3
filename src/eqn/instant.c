/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instants of a run: modes under consideration with their pulses, restitution, and what `pre` means when (semantics,
 * sections 4 to 6). The iteration itself is in src/rt. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* ---- memory ------------------------------------------------------------------------------------------- */

/* One list of what is allocated, with its size. */
#define INSTANT_ARRAYS(X, eqn)                                                                               \
    X(left, (eqn)->event_variables.count)                                                                    \
    X(left_of, (eqn)->base_count *LAYER_COUNT)                                                               \
    X(pre_law, (eqn)->pre.count)                                                                             \
    X(pre_used, (eqn)->pre.count)                                                                            \
    X(fin_band, (eqn)->relations.count)                                                                      \
    X(area_band, (eqn)->relations.count)                                                                     \
    X(crossed, (eqn)->relations.count)                                                                       \
    X(by_area, (eqn)->relations.count)                                                                       \
    X(in_area, (eqn)->ins.count)                                                                             \
    X(truth, (eqn)->relations.count)                                                                         \
    X(watched, (eqn)->relations.count)                                                                       \
    X(watched_negative, (eqn)->relations.count)                                                              \
    X(watched_state, (eqn)->model->automata.count)                                                           \
    X(event_register, (eqn)->base_count *LAYER_COUNT)                                                        \
    X(work, (eqn)->system.power_count)                                                                       \
    X(changed, 3 * (eqn)->model->signals.count + (eqn)->model->params.count)                                 \
    X(before, 3 * (eqn)->model->signals.count + (eqn)->model->params.count)                                  \
    X(muted, (eqn)->relations.count)                                                                         \
    X(resting, (eqn)->model->elements.count)                                                                 \
    X(bounced, (eqn)->model->elements.count)                                                                 \
    X(bounces, (eqn)->model->elements.count)                                                                 \
    X(bounced_last, (eqn)->model->elements.count)                                                            \
    X(off_earlier, (eqn)->model->elements.count)                                                             \
    X(came_from, (eqn)->model->automata.count)                                                               \
    X(suspect, (eqn)->state_count)                                                                           \
    X(settled, (eqn)->state_count)                                                                           \
    X(energy, 2 * (eqn)->system.storage_count)                                                               \
    X(state_size, (eqn)->state_count)                                                                        \
    X(movers, (eqn)->model->automata.count)                                                                  \
    X(next, (eqn)->model->automata.count)                                                                    \
    X(step, longest_condition(eqn))

static int32_t longest_condition(const hbg_eqn *eqn) {
    int32_t longest = 0;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        longest = longest > eqn->guards[i].walk_count ? longest : eqn->guards[i].walk_count;
    return longest;
}

bool hbg_eqn_instant_init(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    bool fine = true;
#define X(name, count)                                                                                       \
    at->name = hbg_memory_alloc(run->memory, ((size_t)(count) + 1) * sizeof *at->name);                      \
    fine = fine && at->name;
    INSTANT_ARRAYS(X, eqn)
#undef X
    if (!fine) return false;
    for (int32_t i = 0; i < eqn->base_count * LAYER_COUNT; i++)
        at->left_of[i] = at->event_register[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) at->watched_state[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->event_variables.count; i++) at->left_of[eqn->event_variables.items[i]] = i;
    return true;
}

void hbg_eqn_instant_fini(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
#define X(name, count)                                                                                       \
    if (at->name) hbg_memory_free(run->memory, at->name, ((size_t)(count) + 1) * sizeof *at->name);
    INSTANT_ARRAYS(X, eqn)
#undef X
    size_t sizes = (size_t)at->size_capacity, values = (size_t)at->value_capacity;
    if (at->size) hbg_memory_free(run->memory, at->size, sizes * sizeof *at->size);
    if (at->values) hbg_memory_free(run->memory, at->values, values * sizeof *at->values);
    if (at->value_stamp) hbg_memory_free(run->memory, at->value_stamp, values * sizeof *at->value_stamp);
}

/* Room for registers that compiling has added, and for values. What is there stays: when somebody compiles must make no
 * difference. */
static hbg_rt_status make_room(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    hbg_memory *memory = run->memory;
    if (at->size_capacity < run->register_capacity) {
        size_t old = (size_t)at->size_capacity * sizeof *at->size;
        double *size = hbg_memory_alloc(memory, (size_t)run->register_capacity * sizeof *size);
        if (!size) return HBG_RT_NO_MEMORY;
        if (at->size) memcpy(size, at->size, old);
        if (at->size) hbg_memory_free(memory, at->size, old);
        at->size = size;
        at->size_capacity = run->register_capacity;
    }
    size_t terms = (size_t)run->eqn->instant_terms + 1;
    at->value_capacity = (int32_t)terms;
    if (!at->values) at->values = hbg_memory_alloc(memory, terms * sizeof *at->values);
    if (!at->value_stamp) at->value_stamp = hbg_memory_alloc(memory, terms * sizeof *at->value_stamp);
    return at->values && at->value_stamp ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}

/* ---- values in a mode --------------------------------------------------------------------------------- */

double *hbg_eqn_home_of(hbg_rt_instance *run, variable_kind kind, int32_t index) {
    return &run->r[run->eqn->home[run->eqn->first[kind] + index]];
}

/* ---- islands ------------------------------------------------------------------------------------------ */

void hbg_eqn_activate(hbg_rt_instance *run, int32_t island) {
    if (island == HBG_NONE || run->is_active[island]) return;
    run->is_active[island] = true;
    run->active[run->active_count++] = island;
}

void hbg_eqn_activate_all(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->island_count; i++) hbg_eqn_activate(run, i);
}

void hbg_eqn_rest_islands(hbg_rt_instance *run) {
    while (run->active_count > 0) run->is_active[run->active[--run->active_count]] = false;
}

static void set_old(hbg_rt_instance *run, int32_t state, double value) {
    instant_data *at = &run->at;
    int32_t home = run->eqn->home[run->eqn->first[VARIABLE_OLD] + state];
    run->r[home] = value;
    at->state_size[state] = fmax(at->state_size[state], fabs(value));
    if (home < at->size_capacity) at->size[home] = at->state_size[state];
}

/* One for whom something happens; finite parts and areas in the mode the run is in. */
static hbg_rt_status run_island(hbg_rt_instance *run, int32_t number, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    const island *of = &eqn->islands.items[number];
    const event_variant *event = run->event[number];
    instant_data *at = &run->at;
    for (int32_t i = 0; i < event->old_count; i++) set_old(run, event->olds[i], x[event->olds[i]]);
    hbg_rt_status status = hbg_eqn_execute(run, event->code.code, event->code.count);
    for (int32_t i = 0; i < of->asked.count; i++)
        at->event_register[of->asked.items[i]] = event->registers[i];
    return status;
}

hbg_rt_status hbg_eqn_run_events(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = hbg_eqn_ready_events(run);
    located_use used = run->located;
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    run->at.t = t;
    *hbg_eqn_home_of(run, VARIABLE_TIME, 0) = t;
    run->located = LOCATED_DIRECT;
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++)
        status = run_island(run, run->active[i], x);
    run->located = used;
    return status == HBG_RT_OK ? status : hbg_eqn_failed(run, t, status);
}

/* How large what contributed is. */
static void measure(hbg_rt_instance *run, const event_variant *event) {
    for (int32_t i = 0; i < event->input_count; i++)
        run->at.size[event->inputs[i]] = fabs(run->r[event->inputs[i]]);
    hbg_eqn_measure(run, event->code.code, event->code.count);
}

/* Finite parts and areas in the mode of the states, entered with x. */
hbg_rt_status hbg_eqn_values_in(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_rt_status status = hbg_eqn_set_mode(run, states);
    if (status == HBG_RT_OK) status = hbg_eqn_ready_events(run);
    if (status == HBG_RT_OK) status = make_room(run);
    if (status == HBG_RT_OK) status = hbg_eqn_run_events(run, t, x);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < run->active_count; i++) measure(run, run->event[run->active[i]]);
    hbg_eqn_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const event_variant *event = run->event[run->active[n]];
        for (int32_t i = 0; i < event->check_count; i++) {
            int32_t area = event->checks[i].area;
            if (fabs(run->r[area]) <= HBG_EQN_BAND * run->at.size[area]) continue;
            run->at.refused = event->checks[i].term;
            return hbg_eqn_refuse(run);
        }
    }
    return HBG_RT_OK;
}

static instant_value evaluate(hbg_rt_instance *run, const term_walk *walk) {
    return hbg_eqn_value_at(run, walk->terms[walk->count - 1], walk->terms, walk->count);
}

static void give_in(hbg_rt_instance *run, int32_t i) {
    const hbg_eqn *eqn = run->eqn;
    *hbg_eqn_home_of(run, VARIABLE_IN, i) = run->in_values[i].fin;
    run->r[eqn->home[eqn->first[VARIABLE_IN] + i + LAYER_AREA * eqn->base_count]] = run->in_values[i].area;
}

instant_value hbg_eqn_difference(hbg_rt_instance *run, int32_t relation) {
    const relation_info *of = &run->eqn->relations.items[relation];
    run->at.a_priori = true;
    return hbg_eqn_value_at(run, of->difference, of->walk, of->walk_count);
}

/* An area that is rounding is none: beside it finite parts would not count. */
static instant_value without_rounding(hbg_rt_instance *run, int32_t i, instant_value value) {
    double *size = &run->at.in_area[i];
    *size = fmax(*size, value.area_size);
    value.area_size = *size;
    if (fabs(value.area) <= 1e-13 * *size) value.area = 0;
    return value;
}

/* in(automaton.state, …): the same energies in the other state, the jump included; nothing else changes. */
hbg_rt_status hbg_eqn_evaluate_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_eqn *eqn = run->eqn;
    bool a_priori = run->at.a_priori;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t n = 0; n < run->active_count && status == HBG_RT_OK; n++) {
        const int32_map *ins = &eqn->islands.items[run->active[n]].ins;
        for (int32_t k = 0; k < ins->count && status == HBG_RT_OK; k++) {
            const in_info *in = &eqn->ins.items[ins->items[k]];
            const in_info *last = k > 0 ? &eqn->ins.items[ins->items[k - 1]] : NULL;
            bool same = last && last->automaton == in->automaton && last->state == in->state;
            int32_t *changed = run->other_states;
            memcpy(changed, states, (size_t)eqn->model->automata.count * sizeof *changed);
            changed[in->automaton] = in->state;
            if (!same) status = hbg_eqn_values_in(run, changed, t, x);
            if (status != HBG_RT_OK) return status;
            run->at.a_priori = false;
            run->in_values[ins->items[k]] =
                without_rounding(run, ins->items[k], evaluate(run, &eqn->in_walks[ins->items[k]]));
            run->at.a_priori = a_priori;
        }
    }
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *ins = &eqn->islands.items[run->active[n]].ins;
        for (int32_t k = 0; k < ins->count; k++) give_in(run, ins->items[k]);
    }
    return hbg_eqn_set_mode(run, states);
}

/* Keeps the finite values guards read, and those of pre. */
static void record(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    at->a_priori = false;
    hbg_eqn_new_values(run);
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        for (int32_t i = 0; i < of->variables.count; i++) {
            int32_t variable = of->variables.items[i];
            at->left[at->left_of[variable]] = hbg_eqn_finite_at(run, variable);
        }
        for (int32_t i = 0; i < of->pres.count; i++)
            run->pre_next[of->pres.items[i]] = evaluate(run, &eqn->pre_walks[of->pres.items[i]]).fin;
    }
}

void hbg_eqn_use_pre(hbg_rt_instance *run, const double *values) {
    for (int32_t i = 0; i < run->eqn->pre.count; i++) *hbg_eqn_home_of(run, VARIABLE_PRE, i) = values[i];
}

/* What stands in laws of islands in which something became real; those of the others stay. */
static void keep_pre(const hbg_rt_instance *run, double *values) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *pres = &eqn->islands.items[run->active[n]].pres;
        for (int32_t i = 0; i < pres->count; i++)
            values[pres->items[i]] = run->r[eqn->home[eqn->first[VARIABLE_PRE] + pres->items[i]]];
    }
}

/* ---- restitution -------------------------------------------------------------------------------------- */

/* ε·Σ⁻ of a junction, on the values before. */
static double bounce_of(hbg_rt_instance *run, int32_t element) {
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
    double coefficient = evaluate(run, &eqn->restitution_walks[element]).fin;
    run->at.a_priori = a_priori;
    return coefficient * sum;
}

static bool is_on(const hbg_rt_instance *run, int32_t junction) {
    return run->assignment && hbg_causal_is_on(run->assignment, run->eqn->structure->element_place[junction]);
}

/* Junctions with restitution that are on and were off earlier in this search bounce. */
static bool set_bounces(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    bool any = false;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *junctions = &eqn->islands.items[run->active[n]].restitution;
        bool *own = &run->at.bouncing[run->active[n]];
        *own = false;
        for (int32_t i = 0; i < junctions->count; i++) {
            int32_t element = junctions->items[i];
            bool on = is_on(run, element);
            bool bounces = on && run->at.off_earlier[element] && run->at.resting[element] == REST_NONE;
            run->at.bounced[element] |= bounces;
            double value = bounces ? bounce_of(run, element) : 0;
            run->at.bounces[element] = value != 0; // without restitution it may stay on
            *hbg_eqn_home_of(run, VARIABLE_BOUNCE, element) = value;
            if (!on) run->at.off_earlier[element] = true;
            *own |= bounces;
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
        for (int32_t i = 0; i < of->restitution.count; i++) // the state it begins in counts
            run->at.off_earlier[of->restitution.items[i]] = !is_on(run, of->restitution.items[i]);
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
    if (status == HBG_RT_OK) status = make_room(run);
    if (status != HBG_RT_OK) return status;
    bool bounces = set_bounces(run);
    if (eqn->ins.count > 0) status = hbg_eqn_evaluate_ins(run, states, t, x);
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
                return hbg_eqn_not_finite(run, t, &run->event[run->active[n]]->code, -1, reg,
                                          eqn->system.states[i].name);
        }
    }
    return HBG_RT_OK;
}

/* Islands that something happens in: a relation was crossed, a wait is over, a clock ticks; anything given from outside is
 * for all of them. */
static void wake_islands(hbg_rt_instance *run, double t, bool at_start, const int32_t *crossed,
                         int32_t count) {
    const hbg_eqn *eqn = run->eqn;
    const hbg_model *model = eqn->model;
    hbg_eqn_rest_islands(run);
    for (int32_t i = 0; i < count; i++) {
        if (crossed[i] < eqn->system.guard_first) {
            at_start = true; // a branch of a law: whose it is nobody knows
            continue;
        }
        const int32_map *islands = &eqn->relation_islands[crossed[i] - eqn->system.guard_first];
        for (int32_t k = 0; k < islands->count; k++) hbg_eqn_activate(run, islands->items[k]);
    }
    if (at_start || count == 0 || run->inputs_changed)
        hbg_eqn_activate_all(run); // planned: a crossing may lie there too
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
        if (left != HBG_NONE) at->left[left] = x[i];
    }
    at->a_priori = true;
    hbg_eqn_new_values(run);
    for (int32_t i = 0; i < eqn->pre.count; i++) run->pre_next[i] = evaluate(run, &eqn->pre_walks[i]).fin;
    at->a_priori = false;
    memcpy(at->pre_law, run->pre_next, (size_t)eqn->pre.count * sizeof *at->pre_law);
}

/* Inputs, samples and parameters as they were before they changed, and back. */
static hbg_rt_status swap_changed(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->at.changed_count; i++) {
        double *now = &run->r[run->at.changed[i]], kept = *now;
        *now = run->at.before[i];
        run->at.before[i] = kept;
    }
    return run->at.params_changed ? hbg_eqn_follow_params(run) : HBG_RT_OK;
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
    for (int32_t i = 0; i < count; i++)
        if (crossed[i] >= eqn->system.guard_first) at->crossed[crossed[i] - eqn->system.guard_first] = 1;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) at->came_from[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->restitution.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_BOUNCE, eqn->restitution.items[i]) = 0;
    at->first_pass = true;
    wake_islands(run, t, at_start, crossed, count);
    if (at_start) at->changed_count = 0;
    at->params_changed = at->params_changed && at->changed_count > 0;
    status = swap_changed(run);
    if (status == HBG_RT_OK && eqn->ins.count > 0) status = hbg_eqn_evaluate_ins(run, run->states, t, x);
    if (status == HBG_RT_OK) status = hbg_eqn_values_in(run, run->states, t, x);
    if (status == HBG_RT_OK) record(run);
    hbg_rt_status back = swap_changed(run);
    at->changed_count = 0;
    at->params_changed = false;
    if (status != HBG_RT_OK || back != HBG_RT_OK) return status != HBG_RT_OK ? status : back;
    if (at_start) begin_with_declared(run, x);
    hbg_eqn_use_pre(run, run->pre_next);
    return HBG_RT_OK;
}

static void rest(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->eqn->restitution.count; i++) {
        int32_t element = run->eqn->restitution.items[i];
        if (run->at.bounced[element]) run->at.resting[element] = REST_WANTED;
    }
}

/* A contact at rest that opens bounces again the next time. */
void hbg_eqn_follow_rest(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->eqn->restitution.count; i++) {
        int32_t element = run->eqn->restitution.items[i];
        uint8_t *kind = &run->at.resting[element];
        if (*kind == REST_WANTED && is_on(run, element)) *kind = REST_ENTERED;
        if (*kind == REST_ENTERED && !is_on(run, element)) *kind = REST_NONE;
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
    *effort = e == HBG_NONE ? 0 : run->r[e];
    *flow = f == HBG_NONE ? 0 : run->r[f];
}

/* ---- commits and time ----------------------------------------------------------------------------------- */

/* Pulses are over: what follows is judged on the finite parts recorded. */
static hbg_rt_status resume(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = HBG_RT_OK;
    if (run->eqn->ins.count > 0) status = hbg_eqn_evaluate_ins(run, run->states, t, x);
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

/* Work of the sources in what was considered last, by line of the ledger. */
static void add_work(hbg_rt_instance *run, double *work) {
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *powers = &run->eqn->islands.items[run->active[n]].powers;
        for (int32_t k = 0; k < powers->count; k++)
            work[powers->items[k]] += run->r[run->event[run->active[n]]->event_work[k]];
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
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        if (run->states[i] != states[i]) run->entered[i] = t;
    memcpy(run->states, states, (size_t)eqn->model->automata.count * sizeof *states);
    record(run);
    keep_pre(run, run->at.pre_law); // the values of the commit stand in laws
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
    record(run);
    hbg_eqn_use_pre(run, run->pre_next);
    return resume(run, t, x);
}

static bool still_on(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->restitution.count; i++) {
        int32_t element = eqn->restitution.items[i];
        if (run->at.bounced_last[element] && is_on(run, element) && !run->at.bounces[element]) return true;
    }
    return false;
}

static bool same(hbg_rt_instance *run, const double *a, const double *b) {
    for (int32_t i = 0; i < run->eqn->state_count; i++)
        if (fabs(a[i] - b[i]) > HBG_EQN_BAND * run->at.state_size[i]) return false;
    return true;
}

static double source_work(hbg_rt_instance *run) {
    double sum = 0;
    for (int32_t n = 0; n < run->active_count; n++) {
        const int32_map *powers = &run->eqn->islands.items[run->active[n]].powers;
        for (int32_t k = 0; k < powers->count; k++) sum += run->r[run->event[run->active[n]]->event_work[k]];
    }
    return sum;
}

/* Each island by itself, where several are awake. */
static bool creates(hbg_rt_instance *run, double t, const double *x, const double *x_plus, double *before,
                    double *after, double *supplied) {
    const hbg_eqn *eqn = run->eqn;
    double *old = run->at.energy, *now = run->at.energy + eqn->system.storage_count;
    if (run->active_count < 2 || eqn->system.energies_at(run, t, x, old) != HBG_RT_OK ||
        eqn->system.energies_at(run, t, x_plus, now) != HBG_RT_OK)
        return false;
    double all = 0; // what is small beside it is rounding
    for (int32_t i = 0; i < 2 * eqn->system.storage_count; i++) all += fabs(old[i]);
    for (int32_t n = 0; n < run->active_count; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        int32_t last = HBG_NONE;
        *before = *after = *supplied = 0;
        for (int32_t i = 0; i < of->states.count; i++) {
            int32_t storage = eqn->state_storage[of->states.items[i]];
            if (storage == HBG_NONE || storage == last) continue; // ports of a field follow one another
            last = storage;
            *before += old[storage];
            *after += now[storage];
        }
        for (int32_t k = 0; k < of->powers.count; k++)
            *supplied += run->r[run->event[run->active[n]]->event_work[k]];
        if (*before - *after + *supplied < -1e-9 * fmax(all, fabs(*supplied))) return true;
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
    hbg_eqn_flow_functions(system);
    system->jump_work = jump_work;
    system->open = open_instant;
    system->open_search = open_search;
    system->consider = consider;
    system->commit = commit;
    system->rest = rest;
    system->still_on = still_on;
    system->renew = renew;
    system->pulse = pulse;
    system->pulsing = pulsing;
    system->resume = resume;
    system->event_is_true = event_is_true;
    system->same = same;
    system->source_work = source_work;
    system->creates = creates;
}
