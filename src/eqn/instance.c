/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiled model: its registers and memory, where it starts, how it fails; the functions of the system on it. */
#include <math.h>
#include <stdio.h>

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
    if (run->side) hbg_memory_free(memory, run->side, located * sizeof *run->side);
    if (run->loose) hbg_memory_free(memory, run->loose, located * sizeof *run->loose);
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
    if (run->moved) hbg_memory_free(memory, run->moved, automata * sizeof *run->moved);
    if (run->mode_states) hbg_memory_free(memory, run->mode_states, 2 * automata * sizeof *run->mode_states);
    hbg_eqn_mode_fini(run);
    size_t ticked = (size_t)run->eqn->system.clock_count + (size_t)run->eqn->tick_pres.count + 1;
    if (run->ticked) hbg_memory_free(memory, run->ticked, ticked * sizeof *run->ticked);
    if (run->pre_next) hbg_memory_free(memory, run->pre_next, pre * sizeof *run->pre_next);
    if (run->in_values)
        hbg_memory_free(memory, run->in_values, ((size_t)run->eqn->ins.count + 1) * sizeof *run->in_values);
    hbg_eqn_instant_fini(run);
    hbg_eqn_stride_fini(run);
    hbg_eqn_lines_fini(run);
    hbg_memory_free(memory, run, sizeof *run);
}

/* Registers and what is in them before anything has happened. */
static hbg_rt_status fill_registers(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    run->r = hbg_memory_alloc(run->memory, (size_t)run->image->modes.first.registers * sizeof *run->r);
    if (!run->r) return HBG_RT_NO_MEMORY;
    run->register_capacity = run->image->modes.first.registers;
    for (int32_t i = 0; i < eqn->model->params.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_PARAM, i) = eqn->model->param_values[i];
    for (int32_t i = 0; eqn->has_undefined && i < eqn->model->elements.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_UNDEFINED, i) = NAN;
    *hbg_eqn_home_of(run, VARIABLE_OPEN, 0) = NAN;
    return hbg_eqn_keep_up(run, &run->image->modes.first);
}

hbg_rt_instance *hbg_eqn_run_new(hbg_eqn *eqn, hbg_memory *memory) {
    hbg_rt_instance *run = hbg_memory_alloc(memory, sizeof *run);
    if (!run) return NULL;
    run->eqn = eqn;
    run->image = &eqn->image;
    run->refused = HBG_NONE;
    run->instants = &eqn->instants;
    run->memory = memory;
    run->version = 1;
    run->overridden = hbg_memory_alloc(memory, (size_t)eqn->model->params.count + 1);
    run->states = hbg_memory_alloc(memory, ((size_t)eqn->model->automata.count + 1) * sizeof *run->states);
    size_t automata = (size_t)eqn->model->automata.count + 1;
    run->other_states = hbg_memory_alloc(memory, automata * sizeof *run->other_states);
    run->entered = hbg_memory_alloc(memory, automata * sizeof *run->entered);
    run->ticks = hbg_memory_alloc(memory, automata);
    run->held = hbg_memory_alloc(memory, automata * sizeof *run->held);
    run->sensors = hbg_memory_alloc(memory, ((size_t)eqn->system.clock_count + 1) * sizeof *run->sensors);
    run->mode_states = hbg_memory_alloc(memory, 2 * automata * sizeof *run->mode_states);
    run->moved = hbg_memory_alloc(memory, automata * sizeof *run->moved);
    size_t ticked = (size_t)eqn->system.clock_count + (size_t)eqn->tick_pres.count + 1;
    run->ticked = hbg_memory_alloc(memory, ticked * sizeof *run->ticked);
    run->pre_next = hbg_memory_alloc(memory, ((size_t)eqn->pre.count + 1) * sizeof *run->pre_next);
    run->in_values = hbg_memory_alloc(memory, ((size_t)eqn->ins.count + 1) * sizeof *run->in_values);
    bool fine = hbg_eqn_instant_init(run) && hbg_eqn_stride_init(run) && hbg_eqn_lines_init(run) &&
                run->other_states && run->entered && run->ticks && run->ticked && run->pre_next &&
                run->in_values && run->mode_states && run->moved;
    if (!fine || !run->overridden || !run->states || !run->held || !run->sensors) {
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

hbg_rt_status hbg_eqn_failed(hbg_rt_instance *run, double t, hbg_rt_status status) {
    run->failure.status = status;
    run->failure.time = t;
    return status;
}

static const hbg_rt_failure *failure(hbg_rt_instance *run) {
    return &run->failure;
}

/* ---- the start, and modes ------------------------------------------------------------------------------ */

static hbg_rt_status start(hbg_rt_instance *run, double *x) {
    *hbg_eqn_home_of(run, VARIABLE_TIME, 0) = 0;
    const hbg_rt_readout *of = &run->image->code.start;
    const int32_t *reg = hbg_eqn_registers(run->image, of);
    hbg_rt_program code = hbg_rt_program_at(run->image, of->code);
    hbg_rt_status status = hbg_eqn_execute(run, code.code, code.count);
    for (int32_t i = 0; i < of->reg.count && status == HBG_RT_OK; i++) x[i] = run->r[reg[i]];
    return status == HBG_RT_OK ? hbg_eqn_check_finite(run, 0, of, -1, run->eqn->system.states) : status;
}

static hbg_rt_status enter(hbg_rt_instance *run, const int32_t *states) {
    const hbg_rt_instants *instants = run->instants;
    for (int32_t i = 0; i < instants->counts.automata; i++)
        run->states[i] = states ? states[i] : instants->switching.automata[i].start;
    run->r[instants->outside.live] = 0; // between instants nothing jumps
    hbg_rt_status status = hbg_eqn_set_mode(run, run->states);
    return status == HBG_RT_OK ? hbg_eqn_ready(run) : status;
}

/* ---- the system --------------------------------------------------------------------------------------- */

void hbg_eqn_fill_functions(hbg_eqn *eqn) {
    hbg_rt_system *system = &eqn->system;
    system->make = make;
    system->end = end;
    system->start = start;
    system->enter = enter;
    system->failure = failure;
    hbg_eqn_outside_functions(system);
    hbg_eqn_field_functions(system);
    hbg_eqn_instant_functions(system);
    hbg_eqn_native_functions(system);
}
