/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiled model: its registers and memory, its start, its failures; the functions of the system
 * on it. */
#include <math.h>
#include <stdio.h>

#include "rt/run_impl.h"

/* ---- memory ------------------------------------------------------------------------------------------- */

void hbg_rt_free(hbg_rt_instance *run) {
    if (!run) return;
    hbg_rt_memory memory = run->room.memory;
    hbg_rt_room_end(&run->room);
    memory.release(memory.context, run, sizeof *run);
}

/* Registers and their values before anything has happened. */
static hbg_rt_status fill_registers(hbg_rt_instance *run) {
    const hbg_rt_image *image = run->image;
    const hbg_rt_outside *outside = &image->instants.outside;
    run->register_capacity = image->modes.first.registers;
    run->r = HBG_RT_TAKE(&run->room, double, run->register_capacity);
    if (!run->r) return HBG_RT_NO_MEMORY;
    for (int32_t i = 0; i < outside->param_count; i++)
        run->r[outside->params[i].value] = outside->params[i].declared;
    for (int32_t i = 0; i < image->instants.places.count; i++)
        if (image->instants.places.places[i].undefined >= 0)
            run->r[image->instants.places.places[i].undefined] = NAN;
    run->r[outside->open] = NAN;
    return hbg_rt_keep_up(run, &image->modes.first);
}

static void take_arrays(hbg_rt_instance *run) {
    const hbg_rt_instants *instants = &run->image->instants;
    int32_t automata = instants->counts.automata, clocks = instants->outside.clock_count;
    hbg_rt_room *room = &run->room;
    run->outside.overridden = HBG_RT_TAKE(room, bool, instants->outside.param_count);
    run->states = HBG_RT_TAKE(room, int32_t, automata);
    run->other_states = HBG_RT_TAKE(room, int32_t, automata);
    run->entered = HBG_RT_TAKE(room, double, automata);
    run->outside.ticks = HBG_RT_TAKE(room, bool, automata);
    run->outside.held = HBG_RT_TAKE(room, int32_t, automata);
    run->outside.sensors = HBG_RT_TAKE(room, const hbg_rt_sensor *, clocks);
    run->mode_states = HBG_RT_TAKE(room, int32_t, 2 * automata);
    run->moved = HBG_RT_TAKE(room, int32_t, automata);
    run->outside.ticked = HBG_RT_TAKE(room, double, clocks + instants->outside.tick_pre_count);
    run->pre_next = HBG_RT_TAKE(room, double, instants->counts.pres);
    run->in_values = HBG_RT_TAKE(room, instant_value, instants->counts.ins);
}

hbg_rt_instance *hbg_rt_instance_new(const hbg_rt_description *system, const hbg_rt_image *image,
                                     const hbg_rt_provider *provider, const hbg_rt_native *native,
                                     hbg_rt_memory memory) {
    hbg_rt_instance *run = memory.allocate(memory.context, sizeof *run);
    if (!run) return NULL;
    run->system = system;
    run->image = image;
    run->provider = *provider;
    run->native = native;
    run->room.memory = memory;
    run->refused = run->doubted = HBG_RT_NONE;
    run->loops.version = 1;
    take_arrays(run);
    bool fine = !run->room.is_exhausted && hbg_rt_instant_init(run) && hbg_rt_stride_init(run) &&
                hbg_rt_lines_init(run);
    for (int32_t i = 0; fine && i < image->instants.counts.automata; i++) run->outside.held[i] = HBG_RT_NONE;
    if (fine && fill_registers(run) == HBG_RT_OK) return run;
    hbg_rt_free(run);
    return NULL;
}

/* ---- failures ----------------------------------------------------------------------------------------- */

const hbg_rt_failure *hbg_rt_failed(const hbg_rt_instance *run) {
    bool told = run->by_hand && run->by_hand->failure;
    return told ? run->by_hand->failure : &run->failure;
}

/* ---- the start, and modes ------------------------------------------------------------------------------ */

hbg_rt_status hbg_rt_declare(hbg_rt_instance *run, double *x) {
    if (run->by_hand) return hbg_rt_hand_declare(run, x);
    run->r[run->image->layout.time] = 0;
    const hbg_rt_readout *of = &run->image->code.start;
    const int32_t *reg = hbg_rt_readout_registers(run->image, of);
    hbg_rt_program code = hbg_rt_program_at(run->image, of->code);
    hbg_rt_status status = hbg_rt_execute(run, code.code, code.count);
    for (int32_t i = 0; i < of->reg.count && status == HBG_RT_OK; i++) x[i] = run->r[reg[i]];
    return status == HBG_RT_OK ? hbg_rt_check_finite(run, 0, of, -1, run->system->states) : status;
}

hbg_rt_status hbg_rt_enter(hbg_rt_instance *run, const int32_t *states) {
    if (run->by_hand) return HBG_RT_OK;
    const hbg_rt_instants *instants = &run->image->instants;
    for (int32_t i = 0; i < instants->counts.automata; i++)
        run->states[i] = states ? states[i] : instants->switching.automata[i].start;
    run->r[instants->outside.live] = 0; // between instants nothing jumps
    hbg_rt_status status = hbg_rt_set_mode(run, run->states);
    if (status == HBG_RT_OK) status = hbg_rt_ready_blocks(run);
    // sizes of relations are computed later, at instants that visit no new mode
    return status == HBG_RT_OK && run->system->root_count > 0 ? hbg_rt_instant_room(run) : status;
}
