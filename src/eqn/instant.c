/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instants of a run: modes under consideration with their pulses, guards judged on them, what `pre` means when, and which
 * relations are watched while time flows (semantics, sections 4 to 6). The iteration itself is in src/rt. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/eqn_impl.h"

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
    X(truth, (eqn)->relations.count)                                                                         \
    X(active, (eqn)->relations.count)                                                                        \
    X(work, (eqn)->system.power_count)                                                                       \
    X(muted, (eqn)->relations.count)                                                                         \
    X(resting, (eqn)->model->elements.count)                                                                 \
    X(bounced, (eqn)->model->elements.count)                                                                 \
    X(off_earlier, (eqn)->model->elements.count)                                                             \
    X(came_from, (eqn)->model->automata.count)                                                               \
    X(suspect, (eqn)->state_count)                                                                           \
    X(state_size, (eqn)->state_count)

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
    for (int32_t i = 0; i < eqn->base_count * LAYER_COUNT; i++) at->left_of[i] = HBG_NONE;
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

/* Room for registers and terms that compiling has added; their contents are made anew each time. */
static hbg_rt_status make_room(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    hbg_memory *memory = run->memory;
    if (at->size_capacity < run->register_capacity) {
        if (at->size) hbg_memory_free(memory, at->size, (size_t)at->size_capacity * sizeof *at->size);
        at->size = hbg_memory_alloc(memory, (size_t)run->register_capacity * sizeof *at->size);
        at->size_capacity = at->size ? run->register_capacity : 0;
        if (!at->size) return HBG_RT_NO_MEMORY;
    }
    int32_t terms = run->eqn->terms.nodes.count;
    if (at->value_capacity >= terms) return HBG_RT_OK;
    size_t old = (size_t)at->value_capacity, room = (size_t)terms + 64;
    if (at->values) hbg_memory_free(memory, at->values, old * sizeof *at->values);
    if (at->value_stamp) hbg_memory_free(memory, at->value_stamp, old * sizeof *at->value_stamp);
    at->values = hbg_memory_alloc(memory, room * sizeof *at->values);
    at->value_stamp = hbg_memory_alloc(memory, room * sizeof *at->value_stamp);
    at->value_capacity = (int32_t)room;
    return at->values && at->value_stamp ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}

/* ---- values in a mode --------------------------------------------------------------------------------- */

static double *home(hbg_rt_instance *run, variable_kind kind, int32_t index) {
    return &run->r[run->eqn->home[run->eqn->first[kind] + index]];
}

/* Sizes of what the code starts from. */
static void measure_known(hbg_rt_instance *run, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    for (int32_t i = 0; i < run->register_capacity; i++) at->size[i] = fabs(run->r[i]);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        at->state_size[i] = fmax(at->state_size[i], fabs(x[i]));
        at->size[eqn->home[eqn->first[VARIABLE_OLD] + i]] = at->state_size[i];
    }
}

/* Finite parts and areas in the mode of the states, entered with x. */
static hbg_rt_status values_in(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_eqn *eqn = run->eqn;
    compiled_mode *mode;
    hbg_rt_status status = hbg_eqn_find_mode(run, states, &mode);
    if (status == HBG_RT_OK) status = make_room(run);
    if (status != HBG_RT_OK) return status;
    run->at.mode = mode;
    run->at.t = t;
    *home(run, VARIABLE_TIME, 0) = t;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) *home(run, VARIABLE_AUTOMATON, i) = states[i];
    for (int32_t i = 0; i < eqn->state_count; i++) *home(run, VARIABLE_OLD, i) = x[i];
    located_use used = run->located;
    run->located = LOCATED_DIRECT;
    status = hbg_eqn_execute(run, mode->jump.code.code, mode->jump.code.count);
    run->located = used;
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    measure_known(run, x);
    hbg_eqn_measure(run, mode->jump.code.code, mode->jump.code.count);
    hbg_eqn_new_values(run);
    return HBG_RT_OK;
}

static instant_value evaluate_term(hbg_rt_instance *run, hbg_term term) {
    hbg_terms *terms = &run->eqn->terms;
    hbg_terms_walk(terms, term);
    return hbg_eqn_value_at(run, term, terms->walk.items, terms->walk.count);
}

/* in(automaton.state, …): the same energies in the other state, the jump included; nothing else changes. */
static hbg_rt_status evaluate_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->in.count; i++) {
        const hbg_expr_node *node = &eqn->model->exprs.items[eqn->in.items[i]];
        int32_t *changed = run->other_states;
        memcpy(changed, states, (size_t)eqn->model->automata.count * sizeof *changed);
        changed[node->b] = node->c;
        hbg_rt_status status = values_in(run, changed, t, x);
        if (status != HBG_RT_OK) return status;
        bool a_priori = run->at.a_priori;
        run->at.a_priori = false;
        instant_value value = evaluate_term(run, eqn->in_terms[i]);
        run->at.a_priori = a_priori;
        run->in_values[i] = value;
    }
    for (int32_t i = 0; i < eqn->in.count; i++) {
        *home(run, VARIABLE_IN, i) = run->in_values[i].fin;
        run->r[eqn->home[eqn->first[VARIABLE_IN] + i + LAYER_AREA * eqn->base_count]] =
            run->in_values[i].area;
    }
    return HBG_RT_OK;
}

/* Keeps the finite values guards read, and those of pre. */
static void record(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    at->a_priori = false;
    hbg_eqn_new_values(run);
    for (int32_t i = 0; i < eqn->event_variables.count; i++)
        at->left[i] = evaluate_term(run, hbg_term_variable(&eqn->terms, eqn->event_variables.items[i])).fin;
    for (int32_t i = 0; i < eqn->pre.count; i++) run->pre_next[i] = evaluate_term(run, eqn->pre_terms[i]).fin;
}

static void use_pre(hbg_rt_instance *run, const double *values) {
    for (int32_t i = 0; i < run->eqn->pre.count; i++) *home(run, VARIABLE_PRE, i) = values[i];
}

static void keep_pre(const hbg_rt_instance *run, double *values) {
    for (int32_t i = 0; i < run->eqn->pre.count; i++)
        values[i] = run->r[run->eqn->home[run->eqn->first[VARIABLE_PRE] + i]];
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
    double coefficient = evaluate_term(run, eqn->expr_term[model->elements.items[element].restitution]).fin;
    run->at.a_priori = a_priori;
    return coefficient * sum;
}

/* Junctions with restitution that are on and were off earlier in this search bounce. */
static bool set_bounces(hbg_rt_instance *run, const compiled_mode *mode) {
    hbg_eqn *eqn = run->eqn;
    bool any = false;
    for (int32_t i = 0; i < eqn->restitution.count; i++) {
        int32_t element = eqn->restitution.items[i];
        bool on = mode->on[eqn->structure->element_place[element]];
        bool bounces = on && run->at.off_earlier[element] && run->at.resting[element] == REST_NONE;
        run->at.bounced[element] |= bounces;
        double value = bounces ? bounce_of(run, element) : 0;
        *home(run, VARIABLE_BOUNCE, element) = value;
        if (!on) run->at.off_earlier[element] = true;
        any = any || bounces;
    }
    return any;
}

/* ---- the functions of the system ---------------------------------------------------------------------- */

static void open_search(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    memset(run->at.suspect, 0, (size_t)eqn->state_count * sizeof *run->at.suspect);
    memset(run->at.off_earlier, 0, (size_t)eqn->model->elements.count);
    for (int32_t i = 0; i < eqn->restitution.count; i++) { // the state it begins in counts
        int32_t element = eqn->restitution.items[i];
        bool on = run->mode && run->mode->on[eqn->structure->element_place[element]];
        run->at.off_earlier[element] = !on;
    }
}

static hbg_rt_status consider(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                              double *x_plus, bool *a_priori) {
    compiled_mode *mode;
    hbg_rt_status status = hbg_eqn_find_mode(run, states, &mode);
    if (status == HBG_RT_OK) status = make_room(run);
    if (status != HBG_RT_OK) return status;
    if (!run->at.mode) run->at.mode = mode;
    bool bounces = set_bounces(run, mode);
    if (run->eqn->in.count > 0) status = evaluate_ins(run, states, t, x);
    if (status == HBG_RT_OK) status = values_in(run, states, t, x);
    if (status != HBG_RT_OK) return status;
    run->at.a_priori = bounces;
    *a_priori = bounces;
    for (int32_t i = 0; i < run->eqn->state_count; i++) {
        int32_t reg = mode->jump.reg[i];
        x_plus[i] = run->r[reg];
        run->at.state_size[i] = fmax(run->at.state_size[i], fmax(run->at.size[reg], fabs(x_plus[i])));
        if (!isfinite(x_plus[i])) return hbg_eqn_failed(run, t, HBG_RT_NOT_FINITE);
    }
    return HBG_RT_OK;
}

static hbg_rt_status open_instant(hbg_rt_instance *run, double t, const double *x, bool at_start,
                                  const int32_t *crossed, int32_t count) {
    hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    hbg_rt_status status = HBG_RT_OK;
    memset(at->crossed, 0, (size_t)eqn->relations.count);
    memset(at->bounced, 0, (size_t)eqn->model->elements.count);
    memset(at->work, 0, (size_t)eqn->system.power_count * sizeof *at->work);
    for (int32_t i = 0; i < count; i++)
        if (crossed[i] >= eqn->system.guard_first) at->crossed[crossed[i] - eqn->system.guard_first] = 1;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) at->came_from[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->restitution.count; i++)
        *home(run, VARIABLE_BOUNCE, eqn->restitution.items[i]) = 0;
    at->first_pass = true;
    if (eqn->in.count > 0) status = evaluate_ins(run, run->states, t, x);
    if (status == HBG_RT_OK) status = values_in(run, run->states, t, x);
    if (status != HBG_RT_OK) return status;
    record(run);
    for (int32_t i = 0; i < eqn->state_count && at_start; i++) { // energies as declared
        int32_t left = at->left_of[eqn->first[VARIABLE_STATE] + i];
        if (left != HBG_NONE) at->left[left] = x[i];
    }
    if (at_start) { // pre of a declared energy too
        at->a_priori = true;
        hbg_eqn_new_values(run);
        for (int32_t i = 0; i < eqn->pre.count; i++)
            run->pre_next[i] = evaluate_term(run, eqn->pre_terms[i]).fin;
        at->a_priori = false;
        memcpy(at->pre_law, run->pre_next, (size_t)eqn->pre.count * sizeof *at->pre_law);
    }
    use_pre(run, run->pre_next);
    return HBG_RT_OK;
}

/* ---- transitions -------------------------------------------------------------------------------------- */

static void describe(hbg_rt_instance *run, int32_t automaton, int32_t from, int32_t to,
                     const guard_info *guard) {
    const hbg_rt_automaton *of = &run->eqn->system.automata[automaton];
    instant_data *at = &run->at;
    size_t left = sizeof at->taken - at->taken_size;
    int used = snprintf(at->taken + at->taken_size, left, "%s`%s` %s -> %s", at->taken_size ? "; " : "",
                        of->name, of->states[from], of->states[to]);
    if (used > 0) at->taken_size += (size_t)used < left ? (size_t)used : left - 1;
    for (int32_t i = 0; i < guard->relation_count; i++) {
        const term_node *node =
            &run->eqn->terms.nodes.items[run->eqn->relations.items[guard->relations[i]].term];
        if (at->value_stamp[node->a] != at->stamp || at->value_stamp[node->b] != at->stamp) continue;
        instant_value a = at->values[node->a], b = at->values[node->b];
        left = sizeof at->taken - at->taken_size;
        const char *sign = hbg_operator_info_get((hbg_operator)node->op)->text;
        if (a.area != 0 || b.area != 0)
            used = snprintf(at->taken + at->taken_size, left, " (pulses %.6g %s %.6g)", a.area, sign, b.area);
        else
            used = snprintf(at->taken + at->taken_size, left, " (%.6g %s %.6g)", a.fin, sign, b.fin);
        if (used > 0) at->taken_size += (size_t)used < left ? (size_t)used : left - 1;
    }
}

/* Storages that the relation names and that jumped in the mode considered. */
static void suspect_named(hbg_rt_instance *run, hbg_term relation) {
    hbg_eqn *eqn = run->eqn;
    hbg_terms_walk(&eqn->terms, relation);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE || node->a >= eqn->base_count) continue;
        for (int32_t k = eqn->named_start[node->a]; k < eqn->named_start[node->a + 1]; k++) {
            int32_t state = eqn->named_states[k];
            double before = run->r[eqn->home[eqn->first[VARIABLE_OLD] + state]], after = run->r[run->at.mode->jump.reg[state]];
            if (fabs(after - before) > HBG_EQN_BAND * run->at.state_size[state]) run->at.suspect[state] = node->a + 1;
        }
    }
}

/* A transition is taken: what its relations, decided by finite parts, read may be forbidden. */
static void suspect(hbg_rt_instance *run, const guard_info *guard) {
    instant_data *at = &run->at;
    for (int32_t i = 0; i < guard->relation_count && !at->a_priori; i++) {
        hbg_term relation = run->eqn->relations.items[guard->relations[i]].term;
        const term_node *node = &run->eqn->terms.nodes.items[relation];
        double area = at->values[node->a].area - at->values[node->b].area;
        if (fabs(area) <= HBG_EQN_BAND * at->area_band[guard->relations[i]]) suspect_named(run, relation);
    }
}

static bool forbidden(hbg_rt_instance *run, const double *x, const double *x_plus, char *text, size_t size) {
    for (int32_t i = 0; i < run->eqn->state_count; i++) {
        if (!run->at.suspect[i] || fabs(x[i] - x_plus[i]) > HBG_EQN_BAND * run->at.state_size[i]) continue;
        char name[96];
        hbg_eqn_copy_name(run, run->at.suspect[i] - 1, name, sizeof name);
        snprintf(text, size,
                 "forbidden guard: it read `%s` in a mythical mode, where that had jumped, but the storage keeps its energy: "
                 "what was read never was; use `pre`, or compare what pulses",
                 name);
        return true;
    }
    return false;
}

static void rest(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->eqn->restitution.count; i++) {
        int32_t element = run->eqn->restitution.items[i];
        if (run->at.bounced[element]) run->at.resting[element] = REST_WANTED;
    }
}

/* A contact at rest that opens bounces again the next time. */
static void follow_rest(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->restitution.count; i++) {
        int32_t element = eqn->restitution.items[i];
        bool on = run->mode->on[eqn->structure->element_place[element]];
        uint8_t *kind = &run->at.resting[element];
        if (*kind == REST_WANTED && on) *kind = REST_ENTERED;
        if (*kind == REST_ENTERED && !on) *kind = REST_NONE;
    }
}

static bool held_back(hbg_rt_instance *run) {
    return run->at.held_back;
}

static void pulse(hbg_rt_instance *run, int32_t bond, double *effort, double *flow) {
    const hbg_eqn *eqn = run->eqn;
    const int32_t *where = run->at.mode->event_register + LAYER_AREA * eqn->base_count;
    int32_t e = where[eqn->first[VARIABLE_EFFORT] + bond], f = where[eqn->first[VARIABLE_FLOW] + bond];
    *effort = e == HBG_NONE ? 0 : run->r[e];
    *flow = f == HBG_NONE ? 0 : run->r[f];
}

static bool is_enabled(hbg_rt_instance *run, const guard_info *guard, int32_t target, bool *located) {
    instant_data *at = &run->at;
    bool waited = true;
    *located = false;
    if (!isnan(guard->after) && run->states[guard->automaton] != guard->state) {
        waited = false; // entered in this very search
    } else if (!isnan(guard->after)) {
        double due = run->entered[guard->automaton] + guard->after;
        waited = at->t >= due - 8 * 2.22e-16 * fabs(due);
    }
    if (!waited || guard->condition == HBG_NONE) return waited;
    instant_value value = hbg_eqn_value_at(run, guard->condition, guard->walk, guard->walk_count);
    if (value.fin == 0) {
        at->held_back |= value.high;
        return false;
    }
    *located = value.area_size == 1;
    return target != at->came_from[guard->automaton] || value.low;
}

static hbg_rt_status refuse(hbg_rt_instance *run) {
    char text[200];
    hbg_eqn_copy_term(run, run->at.refused, text, sizeof text);
    snprintf(run->failure.text, sizeof run->failure.text,
             "`%s` has no meaning at t = %.9g s: it is no linear function of a pulse", text, run->at.t);
    run->failure.time = run->at.t;
    return run->failure.status = HBG_RT_UNDEFINED;
}

static bool looks_now(const hbg_rt_instance *run, int32_t automaton) {
    return run->eqn->system.automata[automaton].every <= 0 || run->ticks[automaton];
}

static hbg_rt_status move(hbg_rt_instance *run, const int32_t *states, int32_t *next) {
    const hbg_model *model = run->eqn->model;
    instant_data *at = &run->at;
    at->taken_size = 0;
    at->taken[0] = 0;
    at->held_back = false;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + states[i]];
        next[i] = states[i];
        for (int32_t k = 0; k < state->transition_count && looks_now(run, i); k++) {
            const guard_info *guard = &run->eqn->guards[state->first_transition + k];
            int32_t target = model->transitions.items[state->first_transition + k].target;
            bool located;
            if (!is_enabled(run, guard, target, &located)) continue;
            next[i] = target;
            at->came_from[i] = located ? states[i] : HBG_NONE;
            describe(run, i, states[i], target, guard);
            suspect(run, guard);
            break;
        }
    }
    if (at->first_pass) { // event inputs are true in the first pass only
        at->first_pass = false;
        for (int32_t i = 0; i < run->eqn->system.input_count; i++) {
            int32_t signal = run->eqn->input_signal[i];
            if (model->signals.items[signal].type == HBG_TYPE_EVENT) *home(run, VARIABLE_INPUT, signal) = 0;
        }
        hbg_eqn_new_values(run);
    }
    return at->refused == HBG_NONE ? HBG_RT_OK : refuse(run);
}

static void describe_move(hbg_rt_instance *run, char *text, size_t size) {
    snprintf(text, size, "%s", run->at.taken);
}

/* ---- commits and time ----------------------------------------------------------------------------------- */

/* Pulses are over: what follows is judged on the finite parts recorded. */
static hbg_rt_status resume(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = HBG_RT_OK;
    if (run->eqn->in.count > 0) status = evaluate_ins(run, run->states, t, x);
    for (int32_t i = 0; i < run->eqn->model->automata.count; i++)
        *home(run, VARIABLE_AUTOMATON, i) = run->states[i];
    run->at.mode = run->mode;
    run->at.a_priori = true;
    hbg_eqn_new_values(run);
    return status;
}

static bool event_is_true(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->system.input_count; i++) {
        int32_t signal = eqn->input_signal[i];
        if (eqn->model->signals.items[signal].type == HBG_TYPE_EVENT &&
            *home(run, VARIABLE_INPUT, signal) != 0)
            return true;
    }
    return false;
}

static hbg_rt_status commit(hbg_rt_instance *run, const int32_t *states, double t, const double *x_plus) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t k = 0; k < eqn->system.power_count; k++)
        run->at.work[k] += run->r[run->at.mode->event_work[k]];
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        if (run->states[i] != states[i]) run->entered[i] = t;
    memcpy(run->states, states, (size_t)eqn->model->automata.count * sizeof *states);
    run->mode = run->at.mode;
    record(run);
    keep_pre(run, run->at.pre_law); // the values of the commit stand in laws
    use_pre(run, run->pre_next);
    for (int32_t i = 0; i < eqn->restitution.count; i++)
        *home(run, VARIABLE_BOUNCE, eqn->restitution.items[i]) = 0;
    return resume(run, t, x_plus);
}

static bool same(hbg_rt_instance *run, const double *a, const double *b) {
    for (int32_t i = 0; i < run->eqn->state_count; i++)
        if (fabs(a[i] - b[i]) > HBG_EQN_BAND * run->at.state_size[i]) return false;
    return true;
}

static double source_work(hbg_rt_instance *run) {
    double sum = 0;
    for (int32_t k = 0; k < run->eqn->system.power_count; k++) sum += run->r[run->at.mode->event_work[k]];
    return sum;
}

static hbg_rt_status jump_work(hbg_rt_instance *run, double *work) {
    memcpy(work, run->at.work, (size_t)run->eqn->system.power_count * sizeof *work);
    return HBG_RT_OK;
}

static void watch_active(hbg_rt_instance *run) {
    const hbg_model *model = run->eqn->model;
    memset(run->at.active, 0, (size_t)run->eqn->relations.count);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + run->states[i]];
        if (run->eqn->system.automata[i].every > 0) continue; // looked at on its ticks
        for (int32_t k = 0; k < state->transition_count; k++) {
            const guard_info *guard = &run->eqn->guards[state->first_transition + k];
            for (int32_t m = 0; m < guard->relation_count; m++) run->at.active[guard->relations[m]] = true;
        }
    }
}

static hbg_rt_status watch_values(hbg_rt_instance *run, double t, const double *x) {
    const readout *of = &run->mode->watch;
    hbg_rt_status status = HBG_RT_OK;
    if (run->eqn->in.count > 0) {
        compiled_mode *mode = run->at.mode;
        status = evaluate_ins(run, run->states, t, x);
        run->at.mode = mode;
        for (int32_t i = 0; i < run->eqn->model->automata.count; i++)
            *home(run, VARIABLE_AUTOMATON, i) = run->states[i];
    }
    if (status == HBG_RT_OK) status = hbg_eqn_evaluate(run, t, x);
    if (status == HBG_RT_OK) status = hbg_eqn_execute(run, of->code.code, of->code.count);
    return status;
}

static hbg_rt_status flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    compiled_mode *mode;
    hbg_rt_status status = hbg_eqn_find_mode(run, states, &mode);
    if (status != HBG_RT_OK) return status;
    run->mode = mode;
    memset(run->ticks, 0, (size_t)eqn->model->automata.count);
    for (int32_t i = 0; i < eqn->model->automata.count; i++) *home(run, VARIABLE_AUTOMATON, i) = states[i];
    use_pre(run, run->at.pre_law);
    run->at.any_muted = false;
    follow_rest(run);
    watch_active(run);
    status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        const relation_info *of = &eqn->relations.items[k];
        double difference = run->r[run->mode->watch.reg[k]];
        int op = eqn->terms.nodes.items[of->term].op;
        bool less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL;
        bool in_band = fabs(difference) <= HBG_EQN_BAND * run->at.fin_band[k];
        // at equality only the side that can enable a guard is an event; what was crossed waits until it is clear of it
        run->at.muted[k] = in_band && run->at.crossed[k];
        run->at.any_muted |= run->at.muted[k];
        run->at.truth[k] = in_band ? of->polarity == POLARITY_NEGATIVE
                           : less  ? difference < 0
                                   : difference > 0;
    }
    return HBG_RT_OK;
}

/* Positive while the relation keeps its truth. */
hbg_rt_status hbg_eqn_watch(hbg_rt_instance *run, double t, const double *x, double *g) {
    const hbg_eqn *eqn = run->eqn;
    hbg_rt_status status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        int op = eqn->terms.nodes.items[eqn->relations.items[k].term].op;
        double difference = run->r[run->mode->watch.reg[k]];
        bool less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL;
        g[k] = !run->at.active[k] || run->at.muted[k] ? 1
               : less == run->at.truth[k]             ? -difference
                                                      : difference;
    }
    return HBG_RT_OK;
}

/* Relations that have left equality since the instant count again. */
static hbg_rt_status accept(hbg_rt_instance *run, double t, const double *x) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->state_count; i++) // bands are shares of what there was in this run
        run->at.state_size[i] = fmax(run->at.state_size[i], fabs(x[i]));
    if (!run->at.any_muted) return HBG_RT_OK;
    hbg_rt_status status = watch_values(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    run->at.any_muted = false;
    for (int32_t k = 0; k < eqn->relations.count; k++) {
        int op = eqn->terms.nodes.items[eqn->relations.items[k].term].op;
        bool less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL;
        double difference = run->r[run->mode->watch.reg[k]];
        if (!run->at.muted[k]) continue;
        run->at.muted[k] = fabs(difference) <= HBG_EQN_BAND * run->at.fin_band[k];
        run->at.any_muted |= run->at.muted[k];
        if (!run->at.muted[k]) run->at.truth[k] = less ? difference < 0 : difference > 0;
    }
    return HBG_RT_OK;
}

void hbg_eqn_instant_functions(hbg_rt_system *system) {
    system->accept = accept;
    system->jump_work = jump_work;
    system->open = open_instant;
    system->open_search = open_search;
    system->consider = consider;
    system->move = move;
    system->commit = commit;
    system->rest = rest;
    system->held_back = held_back;
    system->forbidden = forbidden;
    system->pulse = pulse;
    system->resume = resume;
    system->event_is_true = event_is_true;
    system->same = same;
    system->source_work = source_work;
    system->flow = flow;
    system->describe_move = describe_move;
}
