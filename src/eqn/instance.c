/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiled model: registers, parameters, the mode it is in; the functions of the system on it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* ---- memory ------------------------------------------------------------------------------------------- */

static void end(hbg_rt_instance *run) {
    if (!run) return;
    hbg_memory *memory = run->memory;
    const hbg_model *model = run->eqn->model;
    size_t located = (size_t)run->located_capacity, wide = (size_t)run->loop_capacity;
    if (run->r) hbg_memory_free(memory, run->r, (size_t)run->register_capacity * sizeof *run->r);
    if (run->reach) hbg_memory_free(memory, run->reach, (size_t)run->reach_capacity * sizeof *run->reach);
    if (run->kept) hbg_memory_free(memory, run->kept, (size_t)run->reach_capacity * sizeof *run->kept);
    if (run->branch) hbg_memory_free(memory, run->branch, located * sizeof *run->branch);
    if (run->root) hbg_memory_free(memory, run->root, located * sizeof *run->root);
    if (run->crossed) hbg_memory_free(memory, run->crossed, located * sizeof *run->crossed);
    if (run->met) hbg_memory_free(memory, run->met, located * sizeof *run->met);
    size_t dense = (size_t)run->dense_capacity;
    if (run->matrix) hbg_memory_free(memory, run->matrix, dense * dense * sizeof *run->matrix);
    if (run->entries)
        hbg_memory_free(memory, run->entries, (size_t)run->entry_capacity * sizeof *run->entries);
    if (run->factored)
        hbg_memory_free(memory, run->factored, (size_t)run->factored_capacity * sizeof *run->factored);
    if (run->step) hbg_memory_free(memory, run->step, wide * sizeof *run->step);
    if (run->origin) hbg_memory_free(memory, run->origin, wide * sizeof *run->origin);
    if (run->pivot) hbg_memory_free(memory, run->pivot, wide * sizeof *run->pivot);
    if (run->overridden) hbg_memory_free(memory, run->overridden, (size_t)model->params.count + 1);
    if (run->on) hbg_memory_free(memory, run->on, (size_t)run->eqn->structure->place_count + 1);
    if (run->states)
        hbg_memory_free(memory, run->states, ((size_t)model->automata.count + 1) * sizeof *run->states);
    size_t automata = (size_t)model->automata.count + 1, pre = (size_t)run->eqn->pre.count + 1;
    if (run->other_states) hbg_memory_free(memory, run->other_states, automata * sizeof *run->other_states);
    if (run->entered) hbg_memory_free(memory, run->entered, automata * sizeof *run->entered);
    if (run->held) hbg_memory_free(memory, run->held, automata * sizeof *run->held);
    if (run->sensors)
        hbg_memory_free(memory, run->sensors,
                        ((size_t)run->eqn->system.clock_count + 1) * sizeof *run->sensors);
    if (run->ticks) hbg_memory_free(memory, run->ticks, automata);
    size_t places = (size_t)run->eqn->structure->place_count + 1;
    if (run->places) hbg_memory_free(memory, run->places, places * sizeof *run->places);
    if (run->moved) hbg_memory_free(memory, run->moved, automata * sizeof *run->moved);
    if (run->mode_states) hbg_memory_free(memory, run->mode_states, automata * sizeof *run->mode_states);
    hbg_eqn_mode_fini(run);
    hbg_arena_fini(&run->arena);
    if (run->ticked)
        hbg_memory_free(memory, run->ticked,
                        ((size_t)run->eqn->system.clock_count + 1) * sizeof *run->ticked);
    if (run->pre_next) hbg_memory_free(memory, run->pre_next, pre * sizeof *run->pre_next);
    if (run->in_values)
        hbg_memory_free(memory, run->in_values, ((size_t)run->eqn->ins.count + 1) * sizeof *run->in_values);
    hbg_eqn_instant_fini(run);
    hbg_eqn_stride_fini(run);
    hbg_memory_free(memory, run, sizeof *run);
}

static double *variable(hbg_rt_instance *run, variable_kind kind, int32_t index) {
    int32_t reg = run->eqn->home[run->eqn->first[kind] + index];
    return &run->r[reg];
}

/* Registers and what is in them before anything has happened. */
static hbg_rt_status fill_registers(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    run->r = hbg_memory_alloc(run->memory, (size_t)eqn->register_count * sizeof *run->r);
    if (!run->r) return HBG_RT_NO_MEMORY;
    run->register_capacity = eqn->register_count;
    for (int32_t i = 0; i < eqn->model->params.count; i++)
        *variable(run, VARIABLE_PARAM, i) = eqn->model->param_values[i];
    for (int32_t i = 0; eqn->has_undefined && i < eqn->model->elements.count; i++)
        *variable(run, VARIABLE_UNDEFINED, i) = NAN;
    *variable(run, VARIABLE_OPEN, 0) = NAN;
    return hbg_eqn_catch_up(run);
}

hbg_rt_instance *hbg_eqn_run_new(hbg_eqn *eqn, hbg_memory *memory) {
    hbg_rt_instance *run = hbg_memory_alloc(memory, sizeof *run);
    if (!run) return NULL;
    run->eqn = eqn;
    run->memory = memory;
    run->version = 1;
    hbg_arena_init(&run->arena, memory);
    run->on = hbg_memory_alloc(memory, (size_t)eqn->structure->place_count + 1);
    run->overridden = hbg_memory_alloc(memory, (size_t)eqn->model->params.count + 1);
    run->states = hbg_memory_alloc(memory, ((size_t)eqn->model->automata.count + 1) * sizeof *run->states);
    size_t automata = (size_t)eqn->model->automata.count + 1;
    run->other_states = hbg_memory_alloc(memory, automata * sizeof *run->other_states);
    run->entered = hbg_memory_alloc(memory, automata * sizeof *run->entered);
    run->ticks = hbg_memory_alloc(memory, automata);
    run->held = hbg_memory_alloc(memory, automata * sizeof *run->held);
    run->sensors = hbg_memory_alloc(memory, ((size_t)eqn->system.clock_count + 1) * sizeof *run->sensors);
    run->mode_states = hbg_memory_alloc(memory, automata * sizeof *run->mode_states);
    run->moved = hbg_memory_alloc(memory, automata * sizeof *run->moved);
    run->places = hbg_memory_alloc(memory, ((size_t)eqn->structure->place_count + 1) * sizeof *run->places);
    run->ticked = hbg_memory_alloc(memory, ((size_t)eqn->system.clock_count + 1) * sizeof *run->ticked);
    run->pre_next = hbg_memory_alloc(memory, ((size_t)eqn->pre.count + 1) * sizeof *run->pre_next);
    run->in_values = hbg_memory_alloc(memory, ((size_t)eqn->ins.count + 1) * sizeof *run->in_values);
    bool fine = hbg_eqn_instant_init(run) && hbg_eqn_stride_init(run) && run->other_states && run->entered &&
                run->ticks && run->ticked && run->pre_next && run->in_values && run->mode_states &&
                run->moved && run->places;
    if (!fine || !run->on || !run->overridden || !run->states || !run->held || !run->sensors) {
        end(run);
        return NULL;
    }
    for (size_t i = 0; i < automata; i++) run->held[i] = HBG_NONE;
    hbg_eqn_lock(eqn);
    hbg_rt_status status = fill_registers(run);
    hbg_eqn_unlock(eqn);
    if (status == HBG_RT_OK) return run;
    end(run);
    return NULL;
}

static hbg_rt_instance *make(void *self) {
    hbg_eqn *eqn = self;
    return hbg_eqn_run_new(eqn, eqn->arena->memory);
}

/* ---- failures ----------------------------------------------------------------------------------------- */

void hbg_eqn_copy_name(const hbg_rt_instance *run, int32_t variable_number, char *text, size_t size) {
    char *data = text;
    hbg_arena arena;
    hbg_buffer name;
    hbg_memory memory = {0};
    jmp_buf guard;
    snprintf(data, size, "?");
    hbg_arena_init(&arena, &memory);
    hbg_eqn_lock(run->eqn);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_buffer_init(&name, &arena);
        hbg_eqn_variable_name(run->eqn, variable_number, &name);
        snprintf(data, size, "%s", name.data);
    }
    hbg_eqn_unlock(run->eqn);
    hbg_arena_fini(&arena);
}

/* A term, or an expression of the model where there is one. */
static void copy_text(const hbg_rt_instance *run, hbg_term term, hbg_expr expr, char *text, size_t size) {
    hbg_arena arena;
    hbg_buffer out;
    hbg_memory memory = {0};
    jmp_buf guard;
    snprintf(text, size, "?");
    hbg_arena_init(&arena, &memory);
    hbg_eqn_lock(run->eqn);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_buffer_init(&out, &arena);
        if (expr == HBG_NONE)
            hbg_eqn_print_term(run->eqn, term, &out);
        else
            hbg_model_print_expr(run->eqn->model, expr, &out);
        snprintf(text, size, "%s", out.data);
    }
    hbg_eqn_unlock(run->eqn);
    hbg_arena_fini(&arena);
}

void hbg_eqn_copy_term(const hbg_rt_instance *run, hbg_term term, char *text, size_t size) {
    copy_text(run, term, HBG_NONE, text, size);
}

void hbg_eqn_copy_written(const hbg_rt_instance *run, hbg_term term, char *text, size_t size) {
    const hbg_eqn *eqn = run->eqn;
    hbg_expr found = HBG_NONE;
    for (hbg_expr i = 0; i < eqn->model->exprs.count && found == HBG_NONE; i++)
        if (eqn->expr_term[i] == term) found = i;
    copy_text(run, term, found, text, size);
}

hbg_rt_status hbg_eqn_failed(hbg_rt_instance *run, double t, hbg_rt_status status) {
    run->failure.status = status;
    run->failure.time = t;
    return status;
}

static const hbg_rt_failure *failure(hbg_rt_instance *run) {
    return &run->failure;
}

/* ---- parameters, inputs, modes ------------------------------------------------------------------------- */

hbg_rt_status hbg_eqn_follow_params(hbg_rt_instance *run) {
    run->version++; // factors of constant loops are those of old parameters
    return hbg_eqn_execute(run, run->view.prologue, run->prologue_done);
}

/* Sets what is held until it changes again; the next instant begins with what it was before. */
static void change(hbg_rt_instance *run, variable_kind kind, int32_t signal, double value) {
    instant_data *at = &run->at;
    int32_t reg = run->eqn->home[run->eqn->first[kind] + signal], k = 0;
    while (k < at->changed_count && at->changed[k] != reg) k++;
    if (k == at->changed_count && k < 3 * run->eqn->model->signals.count + run->eqn->model->params.count) {
        at->changed[k] = reg;
        at->before[k] = run->r[reg];
        at->changed_count++;
    }
    run->r[reg] = value;
}

static hbg_rt_status set_input(hbg_rt_instance *run, int32_t input, double value) {
    int32_t signal = run->eqn->input_signal[input];
    change(run, VARIABLE_INPUT, signal, value);
    change(run, VARIABLE_GIVEN, signal, 1);
    run->inputs_changed = true;
    return HBG_RT_OK;
}

/* Before a run has begun there is nothing before it. */
static hbg_rt_status set_param(hbg_rt_instance *run, int32_t param, double value) {
    if (run->has_mode)
        change(run, VARIABLE_PARAM, param, value);
    else
        *variable(run, VARIABLE_PARAM, param) = value;
    run->at.params_changed |= run->has_mode;
    run->overridden[param] = true;
    run->inputs_changed = true;
    return hbg_eqn_follow_params(run);
}

/* Where an automaton that is to be on, or off, gets stuck. */
static int32_t stuck_state(const hbg_rt_instance *run, int32_t automaton, bool on) {
    const hbg_model *model = run->eqn->model;
    const hbg_automaton *of = &model->automata.items[automaton];
    const hbg_automaton_state *states = model->states.items + of->first_state;
    const hbg_automaton_state *now = &states[run->states[automaton]];
    if (now->on == on) return run->states[automaton];
    for (int32_t i = 0; i < now->transition_count; i++) {
        int32_t target = model->transitions.items[now->first_transition + i].target;
        if (states[target].on == on) return target;
    }
    for (int32_t i = 0; i < of->state_count; i++)
        if (states[i].on == on) return i;
    return run->states[automaton]; // it has no such state
}

static hbg_rt_status hold(hbg_rt_instance *run, int32_t automaton, int32_t state) {
    bool names_mode = state == HBG_RT_HOLD_ON || state == HBG_RT_HOLD_OFF;
    run->held[automaton] = state == HBG_RT_HOLD_NOT ? HBG_NONE
                           : names_mode             ? stuck_state(run, automaton, state == HBG_RT_HOLD_ON)
                                                    : state;
    run->inputs_changed = true;
    return HBG_RT_OK;
}

static hbg_rt_status set_sensor(hbg_rt_instance *run, int32_t clock, const hbg_rt_sensor *sensor) {
    run->sensors[clock] = sensor;
    return HBG_RT_OK;
}

static void lend(hbg_rt_instance *run, const hbg_rt_solver *solver) {
    run->lent = solver;
    run->version++;
}

static hbg_rt_status start(hbg_rt_instance *run, double *x) {
    *variable(run, VARIABLE_TIME, 0) = 0;
    hbg_rt_status status = hbg_eqn_execute(run, run->eqn->start.code.code, run->eqn->start.code.count);
    for (int32_t i = 0; i < run->eqn->start.count && status == HBG_RT_OK; i++)
        x[i] = run->r[run->eqn->start.reg[i]];
    return status == HBG_RT_OK ? hbg_eqn_check_finite(run, 0, &run->eqn->start, -1, run->eqn->system.states)
                               : status;
}

static hbg_rt_status enter(hbg_rt_instance *run, const int32_t *states) {
    const hbg_model *model = run->eqn->model;
    for (int32_t i = 0; i < model->automata.count; i++)
        run->states[i] = states ? states[i] : run->eqn->start_state[i];
    *variable(run, VARIABLE_LIVE, 0) = 0; // between instants nothing jumps
    hbg_rt_status status = hbg_eqn_set_mode(run, run->states);
    return status == HBG_RT_OK ? hbg_eqn_ready(run) : status;
}

/* ---- the field ---------------------------------------------------------------------------------------- */

static hbg_rt_status run_segments(hbg_rt_instance *run, reading_kind reading) {
    const segment *segments = run->eqn->segments.items;
    for (int32_t i = 0; i < run->segment_count; i++) {
        const program *code =
            segments[i].varies ? &run->variant[i]->code[reading] : &segments[i].code[reading];
        hbg_rt_status status = hbg_eqn_run_program(run, code);
        if (status != HBG_RT_OK) return status;
    }
    return HBG_RT_OK;
}

static void set_states(hbg_rt_instance *run, variable_kind kind, const double *x) {
    const int32_t *home = run->eqn->home + run->eqn->first[kind];
    for (int32_t i = 0; i < run->eqn->state_count; i++) run->r[home[i]] = x[i];
}

hbg_rt_status hbg_eqn_evaluate(hbg_rt_instance *run, double t, const double *x) {
    hbg_rt_status status = hbg_eqn_refresh_ins(run, t, x, READ_FIELD);
    if (status == HBG_RT_OK) status = hbg_eqn_ready(run);
    if (status != HBG_RT_OK) return status;
    *variable(run, VARIABLE_TIME, 0) = t;
    set_states(run, VARIABLE_STATE, x);
    return run_segments(run, READ_FIELD);
}

hbg_rt_status hbg_eqn_read(hbg_rt_instance *run, double t, const double *x, reading_kind reading) {
    const program *last = &run->eqn->finals[reading].code;
    hbg_rt_status status = hbg_eqn_refresh_ins(run, t, x, reading);
    if (status == HBG_RT_OK) status = hbg_eqn_ready(run);
    if (status != HBG_RT_OK) return status;
    *variable(run, VARIABLE_TIME, 0) = t;
    set_states(run, VARIABLE_STATE, x);
    status = run_segments(run, reading);
    if (status == HBG_RT_OK) status = hbg_eqn_run_program(run, last);
    return status == HBG_RT_OK ? status : hbg_eqn_failed(run, t, status);
}

static hbg_rt_status rate_is_not_finite(hbg_rt_instance *run, double t) {
    const readout *field = &run->eqn->finals[READ_FIELD];
    char rate[160];
    int32_t i = 0;
    while (isfinite(run->r[field->reg[i]])) i++;
    snprintf(rate, sizeof rate, "der(%s)", run->eqn->system.states[i].name);
    return hbg_eqn_not_finite(run, t, NULL, READ_FIELD, field->reg[i], rate);
}

static bool take_rates(const hbg_rt_instance *run, double *dx) {
    const readout *field = &run->eqn->finals[READ_FIELD];
    double sum = 0;
    for (int32_t i = 0; i < field->count; i++) {
        dx[i] = run->r[field->reg[i]];
        sum += dx[i] - dx[i]; // not 0 if one of them is no number
    }
    return sum == 0;
}

/* A branch that goes on beyond its border may leave the domain of a function there, as the root of an orifice does: then the
 * branches are taken as they are, until the border has been found. */
static hbg_rt_status rates(hbg_rt_instance *run, double t, const double *x, double *dx) {
    hbg_rt_status status = hbg_eqn_evaluate(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    if (take_rates(run, dx)) return HBG_RT_OK;
    if (run->located != LOCATED_FROZEN) return rate_is_not_finite(run, t);
    run->located = LOCATED_DIRECT;
    status = hbg_eqn_evaluate(run, t, x);
    run->located = LOCATED_FROZEN;
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    return take_rates(run, dx) ? HBG_RT_OK : rate_is_not_finite(run, t);
}

static hbg_rt_status read(hbg_rt_instance *run, double t, const double *x, reading_kind reading,
                          double *values) {
    const readout *of = &run->eqn->finals[reading];
    hbg_rt_status status = hbg_eqn_read(run, t, x, reading);
    for (int32_t i = 0; i < of->count && status == HBG_RT_OK; i++) values[i] = run->r[of->reg[i]];
    return status;
}

static hbg_rt_status outputs_at(hbg_rt_instance *run, double t, const double *x, double *y) {
    hbg_rt_status status = read(run, t, x, READ_OUTPUTS, y);
    if (status != HBG_RT_OK) return status;
    return hbg_eqn_check_finite(run, t, &run->eqn->finals[READ_OUTPUTS], READ_OUTPUTS,
                                run->eqn->system.outputs);
}

static hbg_rt_status powers_at(hbg_rt_instance *run, double t, const double *x, double *power) {
    const readout *of = &run->eqn->finals[READ_POWERS];
    hbg_rt_status status = read(run, t, x, READ_POWERS, power);
    for (int32_t i = 0; i < of->count && status == HBG_RT_OK; i++) {
        char name[160];
        if (isfinite(power[i])) continue;
        snprintf(name, sizeof name, "power of %s", run->eqn->system.powers[i].name);
        status = hbg_eqn_not_finite(run, t, &of->code, READ_POWERS, of->reg[i], name);
    }
    return status;
}

static hbg_rt_status energies_at(hbg_rt_instance *run, double t, const double *x, double *energy) {
    const readout *of = &run->eqn->energies;
    hbg_rt_status status = HBG_RT_OK;
    *variable(run, VARIABLE_TIME, 0) = t;
    if (run->eqn->energies_need_field) status = hbg_eqn_evaluate(run, t, x);
    // the field may have found dependent states in their own registers: here they count as they are
    set_states(run, VARIABLE_STATE, x);
    if (status == HBG_RT_OK) status = hbg_eqn_run_program(run, &of->code);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t i = 0; i < of->count; i++) energy[i] = run->r[of->reg[i]];
    return hbg_eqn_check_finite(run, t, of, -1, run->eqn->system.storages);
}

static hbg_rt_status settle(hbg_rt_instance *run, double t, double *x) {
    const hbg_eqn *eqn = run->eqn;
    if (hbg_causal_derivative_count(run->assignment) == 0) return HBG_RT_OK; // nothing is dependent
    hbg_rt_status status = hbg_eqn_evaluate(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t i = 0; i < eqn->dependents.count; i++) {
        int32_t state = eqn->dependents.items[i];
        x[state] = run->r[eqn->where[eqn->first[VARIABLE_STATE] + state]];
    }
    return HBG_RT_OK;
}

static hbg_rt_status jump(hbg_rt_instance *run, double t, const double *x, double *x_plus) {
    const hbg_eqn *eqn = run->eqn;
    memset(run->at.work, 0, (size_t)eqn->system.power_count * sizeof *run->at.work);
    memmove(x_plus, x, (size_t)eqn->state_count * sizeof *x);
    if (hbg_causal_derivative_count(run->assignment) == 0) return HBG_RT_OK;
    hbg_eqn_activate_all(run);
    hbg_rt_status status = hbg_eqn_run_events(run, t, x_plus);
    for (int32_t n = 0; n < run->active_count && status == HBG_RT_OK; n++) {
        const island *of = &eqn->islands.items[run->active[n]];
        const event_variant *event = run->event[run->active[n]];
        for (int32_t k = 0; k < of->powers.count; k++)
            run->at.work[of->powers.items[k]] = run->r[event->event_work[k]];
        for (int32_t k = 0; k < of->states.count && status == HBG_RT_OK; k++) {
            int32_t i = of->states.items[k];
            int32_t reg = run->at.event_register[eqn->first[VARIABLE_STATE] + i];
            x_plus[i] = run->r[reg];
            if (!isfinite(x_plus[i]))
                status = hbg_eqn_not_finite(run, t, &event->code, -1, reg, eqn->system.states[i].name);
        }
    }
    return status; // islands stay awake: their pulses may be asked for
}

/* ---- located relations, clocks, breaks ----------------------------------------------------------------- */

static hbg_rt_status freeze(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                            int32_t count) {
    memset(run->crossed, 0, (size_t)run->located_capacity);
    for (int32_t i = 0; i < count; i++)
        if (crossed[i] < run->view.located_count) run->crossed[crossed[i]] = 1; // guards are not frozen here
    run->located = LOCATED_RECORD;
    run->keeps_branches = count > 0;
    hbg_rt_status status = hbg_eqn_evaluate(run, t, x);
    run->located = LOCATED_FROZEN;
    return status == HBG_RT_OK ? status : hbg_eqn_failed(run, t, status);
}

static void thaw(hbg_rt_instance *run) {
    run->located = LOCATED_DIRECT;
}

static hbg_rt_status roots_at(hbg_rt_instance *run, double t, const double *x, double *g) {
    hbg_rt_status status = run->met_count > 0 ? hbg_eqn_evaluate(run, t, x) : hbg_eqn_ready(run);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    for (int32_t i = 0; i < run->eqn->located_limit; i++)
        g[i] = i < run->view.located_count ? run->root[i] : 1;
    return run->eqn->has_events ? hbg_eqn_watch(run, t, x, g + run->eqn->located_limit) : HBG_RT_OK;
}

static void root_name(hbg_rt_instance *run, int32_t root, char *text, size_t size) {
    const hbg_eqn *eqn = run->eqn;
    bool guard = root >= eqn->located_limit;
    if (!guard && root >= run->view.located_count) {
        snprintf(text, size, "?");
        return;
    }
    hbg_term term = guard ? eqn->relations.items[root - eqn->located_limit].term : run->view.located[root];
    hbg_eqn_copy_term(run, term, text, size);
}

/* The end of a wait: `after` in the states the automata are in. */
static double next_wait(const hbg_rt_instance *run, double t) {
    const hbg_model *model = run->eqn->model;
    double next = INFINITY;
    for (int32_t n = 0; n < run->eqn->timed.count; n++) {
        int32_t i = run->eqn->timed.items[n];
        const hbg_automaton_state *state =
            &model->states.items[model->automata.items[i].first_state + run->states[i]];
        for (int32_t k = 0; k < state->transition_count; k++) {
            double due = run->entered[i] + run->eqn->guards[state->first_transition + k].after;
            if (due > t && due < next) next = due;
        }
    }
    return next;
}

/* Kinks of tables over time, and waits. */
static double next_break(hbg_rt_instance *run, double t) {
    const hbg_eqn *eqn = run->eqn;
    double next = next_wait(run, t);
    for (int32_t i = 0; i < run->view.located_count; i++) {
        const term_node *node = &run->view.nodes[run->view.located[i]];
        if (node->op != HBG_OP_TABLE || !run->met[i]) continue;
        const term_node *argument = &run->view.nodes[node->a];
        if (argument->op != TERM_VARIABLE || argument->a != eqn->first[VARIABLE_TIME]) continue;
        const hbg_table *table = &eqn->model->tables.items[node->b];
        for (int32_t k = 0; k < table->count && table->x[k] < next; k++)
            if (table->x[k] > t) next = table->x[k];
    }
    return next;
}

/* What a clock takes of the truth. */
static double sensed(const hbg_rt_instance *run, int32_t clock, double t, double truth) {
    const hbg_rt_sensor *sensor = run->sensors[clock];
    if (!sensor) return truth;
    int64_t sample = llround(t / run->eqn->system.clocks[clock].period);
    return hbg_rt_sensor_read(sensor, sample, t, truth);
}

static hbg_rt_status tick(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                          int32_t count) {
    const readout *of = &run->eqn->finals[READ_TICKS];
    hbg_rt_status status = hbg_eqn_read(run, t, x, READ_TICKS);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < count; i++) // all at once: what one takes may be where another one is held
        run->ticked[i] = sensed(run, clocks[i], t, run->r[of->reg[clocks[i]]]);
    for (int32_t i = 0; i < count; i++) {
        int32_t signal = run->eqn->clock_signal[clocks[i]];
        if (signal < 0)
            run->ticks[-1 - signal] = true;
        else
            change(run, VARIABLE_SIGNAL, signal, run->ticked[i]);
        run->inputs_changed |= signal >= 0;
    }
    return HBG_RT_OK;
}

/* ---- the Jacobian ------------------------------------------------------------------------------------- */

static hbg_rt_pattern jacobian_pattern(hbg_rt_instance *run) {
    if (hbg_eqn_ready_tangents(run) != HBG_RT_OK) return (hbg_rt_pattern){-1, NULL, NULL};
    const jacobian_plan *plan = atomic_load_explicit(&run->eqn->jacobian, memory_order_acquire);
    return (hbg_rt_pattern){plan->count, plan->start, plan->row};
}

static hbg_rt_status jacobian(hbg_rt_instance *run, double t, const double *x, double *values) {
    hbg_rt_status status = hbg_eqn_ready_tangents(run);
    if (status == HBG_RT_OK) status = hbg_eqn_evaluate(run, t, x);
    if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
    const jacobian_plan *plan = atomic_load_explicit(&run->eqn->jacobian, memory_order_acquire);
    const int32_t *seed = run->eqn->home + run->eqn->first[VARIABLE_SEED];
    for (int32_t i = 0; i < plan->count; i++) run->r[seed[i]] = 0;
    for (int32_t c = 0; c < plan->colour_count; c++) {
        const int32_t *columns = plan->columns + plan->column_start[c];
        int32_t count = plan->column_start[c + 1] - plan->column_start[c];
        for (int32_t i = 0; i < count; i++) run->r[seed[columns[i]]] = 1;
        status = run_segments(run, READ_TANGENT);
        if (status != HBG_RT_OK) return hbg_eqn_failed(run, t, status);
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = plan->start[columns[i]]; k < plan->start[columns[i] + 1]; k++)
                values[k] = run->r[plan->reg[plan->row[k]]];
        for (int32_t i = 0; i < count; i++) run->r[seed[columns[i]]] = 0; // a tangent may be the seed itself
    }
    return HBG_RT_OK;
}

/* ---- the system --------------------------------------------------------------------------------------- */

void hbg_eqn_fill_functions(hbg_eqn *eqn) {
    hbg_rt_system *system = &eqn->system;
    // what is known from outside has a register from the start
    for (int kind = VARIABLE_SIGNAL; kind < VARIABLE_KIND_COUNT; kind++)
        for (int32_t v = eqn->first[kind]; v < eqn->first[kind + 1]; v++) hbg_eqn_home(eqn, v);
    for (int32_t i = 0; i < eqn->ins.count; i++)
        hbg_eqn_home(eqn, eqn->first[VARIABLE_IN] + i + LAYER_AREA * eqn->base_count);
    system->make = make;
    system->end = end;
    system->lend = lend;
    system->set_param = set_param;
    system->set_input = set_input;
    system->hold = hold;
    system->set_sensor = set_sensor;
    system->start = start;
    system->enter = enter;
    system->jump = jump;
    system->settle = settle;
    system->rates = rates;
    system->outputs_at = outputs_at;
    system->powers_at = powers_at;
    system->energies_at = energies_at;
    system->jacobian_pattern = jacobian_pattern;
    system->jacobian = jacobian;
    system->freeze = freeze;
    system->thaw = thaw;
    system->roots_at = roots_at;
    system->root_name = root_name;
    system->next_break = next_break;
    system->longest_step = hbg_eqn_longest_step;
    system->tick = tick;
    system->failure = failure;
    hbg_eqn_instant_functions(system);
    hbg_eqn_native_functions(system);
}
