/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run as bytes. First what the rest depends on: which image, how much of it the run has taken over, the
 * mode and the islands that are awake. Then everything that changes, by one list for both directions. Bytes
 * of another image, or changed ones, are refused; an index is checked before it is used. */
#include <string.h>

#include "rt/door_impl.h"

enum { SAVE_VERSION = 4, NOT_OURS = -2 };

typedef struct {
    unsigned char magic[8];
    uint32_t version, image; /* the sum of the heads of its sections */
    uint64_t size;
    uint32_t sum; /* of all bytes after the head */
    int32_t solver;
    double step;
} save_head;

static const unsigned char magic[8] = {'H', 'B', 'G', 'S', 'A', 'V', 'E', '\n'};

/* ---- what comes first --------------------------------------------------------------------------------- */

static int32_t sensor_number(const hbg_rt_run *run, const hbg_rt_sensor *sensor) {
    for (int32_t i = 0; i < run->sensor_count; i++)
        if (sensor == &run->sensors[i]) return i;
    return sensor ? NOT_OURS : HBG_RT_NONE;
}

/* Sensors outside the experiment are the caller's: they do not change. */
static bool keep_sensors(const hbg_rt_run *run, hbg_rt_archive *archive) {
    for (int32_t i = 0; i < run->system->clock_count; i++) {
        const hbg_rt_sensor **sensor = &run->instance->outside.sensors[i];
        int32_t number = sensor_number(run, *sensor);
        HBG_RT_KEEP(archive, number);
        if (number < NOT_OURS || number >= run->sensor_count) return false;
        if (archive->from && number != NOT_OURS) *sensor = number < 0 ? NULL : &run->sensors[number];
    }
    return true;
}

static bool states_are_there(const hbg_rt_description *system, const int32_t *states) {
    for (int32_t i = 0; i < system->automaton_count; i++)
        if (states[i] < 0 || states[i] >= system->automata[i].state_count) return false;
    return true;
}

/* The mode, and the islands that are awake in it. Their code is found again. */
static hbg_rt_status keep_mode(hbg_rt_instance *run, hbg_rt_archive *archive) {
    int32_t automata = run->system->automaton_count, awake = run->active_count;
    hbg_rt_status status = HBG_RT_OK;
    HBG_RT_KEEP_ARRAY(archive, run->states, automata);
    if (archive->from && !states_are_there(run->system, run->states)) return HBG_RT_BAD_OPTION;
    if (archive->from) status = hbg_rt_set_mode(run, run->states);
    if (archive->from && status == HBG_RT_OK) status = hbg_rt_ready_blocks(run);
    if (status != HBG_RT_OK) return status;
    HBG_RT_KEEP(archive, awake);
    if (awake < 0 || awake > run->island_count) return HBG_RT_BAD_OPTION;
    if (archive->from) hbg_rt_rest_islands(run);
    for (int32_t i = 0; i < awake; i++) {
        int32_t island = run->active[i];
        HBG_RT_KEEP(archive, island);
        if (island < 0 || island >= run->island_count) return HBG_RT_BAD_OPTION;
        if (archive->from) hbg_rt_activate(run, island);
    }
    return archive->from ? hbg_rt_ready_events(run) : HBG_RT_OK;
}

/* ---- what was read ------------------------------------------------------------------------------------ */

static bool lies_in(const int32_t *numbers, int32_t count, int32_t from, int32_t end) {
    for (int32_t i = 0; i < count; i++)
        if (numbers[i] < from || numbers[i] >= end) return false;
    return true;
}

static bool instance_is_sound(const hbg_rt_instance *run) {
    const hbg_rt_instants *instants = &run->image->instants;
    const instant_data *at = &run->at;
    int32_t automata = instants->counts.automata;
    for (int32_t i = 0; i < automata; i++) {
        int32_t states = run->system->automata[i].state_count;
        if (run->outside.held[i] >= states || at->watch.watched_state[i] >= states ||
            at->came_from[i] >= states || run->other_states[i] < 0 || run->other_states[i] >= states)
            return false;
    }
    return states_are_there(run->system, run->states) && at->change.changed_count >= 0 &&
           at->change.changed_count <= instants->outside.most_held &&
           lies_in(at->change.changed, at->change.changed_count, 0, run->mark.registers) &&
           lies_in(at->event_register, instants->values.cell_count, HBG_RT_NONE, run->mark.registers) &&
           lies_in(at->far.cell, instants->values.cell_count, HBG_RT_USUAL, run->image->pool.ints.count) &&
           run->lines.count >= 0 && run->lines.count <= instants->outside.param_count &&
           lies_in(run->lines.moving, run->lines.count, 0, instants->outside.param_count);
}

static bool engine_is_sound(hbg_rt_engine *engine) {
    const hbg_rt_roots *roots = engine->roots;
    const hbg_rt_schedule *schedule = &engine->schedule;
    hbg_rt_result *result = engine->result;
    result->warning[sizeof result->warning - 1] = result->rested[sizeof result->rested - 1] = 0;
    engine->moment.rested[sizeof engine->moment.rested - 1] = 0;
    return states_are_there(engine->system, result->modes) && roots->crossed_count >= 0 &&
           roots->crossed_count <= roots->count &&
           lies_in(roots->crossed, roots->crossed_count, 0, roots->count) &&
           lies_in(roots->carried, roots->count, -roots->count - 1, roots->count + 1) &&
           schedule->action >= 0 && schedule->action <= engine->setup->action_count &&
           schedule->override >= 0 && schedule->override <= engine->setup->override_count &&
           schedule->overrides_before >= 0 && schedule->overrides_before <= schedule->override;
}

/* ---- both directions ---------------------------------------------------------------------------------- */

static save_head head_of(const hbg_rt_run *run) {
    save_head head = {.version = SAVE_VERSION, .image = run->image_sum, .step = run->setup.demand.step};
    memcpy(head.magic, magic, sizeof magic);
    head.solver = run->setup.fixed ? 1 + (int32_t)run->setup.method : -(int32_t)run->setup.stiffness;
    return head;
}

size_t hbg_rt_run_save(const hbg_rt_run *run, void *bytes, size_t size) {
    bool waits = run->actions_set > 0 || run->overrides_set > 0 || run->engine->search.is_open;
    save_head head = head_of(run);
    if (!run->is_started || waits || run->engine->slide || !run->engine->stepper->keep) return 0;
    // one list for both directions: writing changes nothing
    hbg_rt_archive archive = {.to = bytes, .used = sizeof head, .size = bytes ? size : 0};
    (void)keep_mode(run->instance, &archive);
    (void)keep_sensors(run, &archive);
    hbg_rt_instance_keep(run->instance, &archive);
    hbg_rt_engine_keep(run->engine, &archive);
    head.size = archive.used;
    if (!bytes || archive.used > size) return archive.used;
    head.sum = hbg_rt_crc32c((const unsigned char *)bytes + sizeof head, archive.used - sizeof head);
    memcpy(bytes, &head, sizeof head);
    return archive.used;
}

/* An integrator for a run that has not been started: it is laid out for the mode that was read. It begins
 * where there may be no field, since the state is read later: that is not a failure. */
static hbg_rt_status make_ready(hbg_rt_engine *engine) {
    if (engine->stepper) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_jacobian_widen(&engine->field.jacobian, &engine->room,
                                                 hbg_rt_jacobian_pattern(engine->instance));
    if (status == HBG_RT_OK) status = hbg_rt_engine_choose(engine);
    if (status != HBG_RT_NO_MEMORY && engine->stepper) status = HBG_RT_OK;
    return status == HBG_RT_OK ? hbg_rt_engine_stride_prepare(engine) : status;
}

/* The instance is read once to evaluate the field of its mode, and again afterwards. */
static hbg_rt_status read_all(hbg_rt_run *run, hbg_rt_archive *archive) {
    hbg_rt_status status = keep_mode(run->instance, archive);
    if (status == HBG_RT_OK && !keep_sensors(run, archive)) status = HBG_RT_BAD_OPTION;
    if (status != HBG_RT_OK) return status;
    size_t begin = archive->used;
    run->engine->search.is_open = false;
    hbg_rt_instance_keep(run->instance, archive);
    if (archive->used > archive->size || !instance_is_sound(run->instance)) return HBG_RT_BAD_OPTION;
    status = make_ready(run->engine);
    if (status != HBG_RT_OK) return status;
    bool laid_out = run->engine->field.jacobian.start != NULL && !run->engine->other_jacobian;
    hbg_rt_engine_keep(run->engine, archive);
    if (archive->used != archive->size || !engine_is_sound(run->engine)) return HBG_RT_BAD_OPTION;
    if (!run->engine->other_jacobian || !laid_out) status = hbg_rt_engine_lay_out_jacobian(run->engine);
    archive->used = begin;
    hbg_rt_instance_keep(run->instance, archive);
    return status;
}

hbg_rt_status hbg_rt_run_restore(hbg_rt_run *run, const void *bytes, size_t size) {
    save_head head, own = head_of(run);
    run->failure =
        (hbg_rt_failure){.status = HBG_RT_BAD_OPTION,
                         .text = "the bytes are not a run saved with this image and these options"};
    if (size < sizeof head) return HBG_RT_BAD_OPTION;
    memcpy(&head, bytes, sizeof head);
    own.size = head.size;
    own.sum = head.sum;
    if (memcmp(&head, &own, sizeof head) != 0 || head.size != size ||
        hbg_rt_crc32c((const unsigned char *)bytes + sizeof head, size - sizeof head) != head.sum)
        return HBG_RT_BAD_OPTION;
    hbg_rt_archive archive = {.from = bytes, .used = sizeof head, .size = size};
    run->actions_set = run->overrides_set = 0;
    hbg_rt_status status = read_all(run, &archive);
    run->is_started = status == HBG_RT_OK; // a run that was read in part cannot continue
    run->failure.status = status;
    if (status != HBG_RT_OK) return status;
    run->failure.text[0] = 0;
    return hbg_rt_run_note(run, HBG_RT_OK); // with the findings until it was saved
}
