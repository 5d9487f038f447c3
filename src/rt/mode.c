/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode of a run: which junctions are on. Junctions that switch make choices stale. Whether their regions
 * are valid is found at once, from the junctions that are on; code of blocks and islands is found when it is
 * needed. What the image does not have yet is requested (provide.c). Choices without a junction that switched
 * stay as they are. */
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

/* ---- what has changed --------------------------------------------------------------------------------- */

static void switch_place(hbg_rt_instance *run, int32_t place) {
    int32_t region = run->image->instants.places.places[place].region;
    run->on[place >> 6] ^= (uint64_t)1 << (place & 63);
    if (run->variants.switched.is_listed[region]) return;
    run->variants.switched.is_listed[region] = true;
    run->variants.switched.regions[run->variants.switched.count++] = region;
}

static void set_place(hbg_rt_instance *run, int32_t place) {
    const hbg_rt_place *of = &run->image->instants.places.places[place];
    bool on = hbg_rt_place_on(run, place, run->mode_states);
    run->r[of->reg] = on;
    if (!of->is_select && on != hbg_rt_bit(run->on, place)) switch_place(run, place);
}

static void make_stale(hbg_rt_instance *run, int32_t region) {
    const hbg_rt_region *of = HBG_RT_AT(run->image->pool.regions, region);
    const int32_t *blocks = hbg_rt_ints(run->image, of->blocks.first),
                  *islands = hbg_rt_ints(run->image, of->islands.first);
    for (int32_t i = 0; i < HBG_RT_TANGENT && of->blocks.count > 0; i++)
        run->variants.listed[i].is_known = false;
    for (int32_t i = 0; i < of->blocks.count; i++) {
        if (run->variants.variant[blocks[i]]) run->variants.stale[run->variants.stale_count++] = blocks[i];
        run->variants.variant[blocks[i]] = NULL;
    }
    for (int32_t i = 0; i < of->islands.count; i++) run->event[islands[i]] = NULL;
}

/* ---- whether it is valid ------------------------------------------------------------------------------- */

static void count_answer(hbg_rt_instance *run, int32_t number, int sign) {
    const hbg_rt_validity *of = run->variants.answer[number];
    if (!of) return;
    run->variants.bad_count += of->valid ? 0 : sign;
    run->dependent_count += sign * of->dependent;
}

static hbg_rt_status judge_region(hbg_rt_instance *run, int32_t number) {
    const hbg_rt_image *image = run->image;
    int32_t choice = hbg_rt_ints(image, image->modes.judged.first)[number];
    int32_t found = hbg_rt_choose(image, choice, run->on, run->variants.key);
    hbg_rt_status status = HBG_RT_OK;
    if (found < 0)
        status = run->provider.need(run->provider.context, HBG_RT_NEED_REGION, number, run->on, &found);
    count_answer(run, number, -1);
    run->variants.answer[number] = status == HBG_RT_OK ? HBG_RT_AT(image->pool.validities, found) : NULL;
    count_answer(run, number, 1);
    return status;
}

/* Updates the regions that switched, with everything that depends on them. */
static hbg_rt_status follow_switched(hbg_rt_instance *run) {
    hbg_rt_status status = HBG_RT_OK;
    while (run->variants.switched.count > 0) {
        int32_t region = run->variants.switched.regions[--run->variants.switched.count];
        hbg_rt_range judged = HBG_RT_AT(run->image->pool.regions, region)->judged;
        const int32_t *numbers = hbg_rt_ints(run->image, judged.first);
        run->variants.switched.is_listed[region] = false;
        make_stale(run, region);
        for (int32_t i = 0; i < judged.count && status == HBG_RT_OK; i++)
            status = judge_region(run, numbers[i]);
    }
    return status;
}

static hbg_rt_status judge_all(hbg_rt_instance *run) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < run->image->modes.judged.count && status == HBG_RT_OK; i++)
        status = judge_region(run, i);
    return status;
}

static size_t name_mode(hbg_rt_instance *run) {
    const hbg_rt_description *system = run->system;
    char *text = run->failure.text;
    size_t size = sizeof run->failure.text / 2;
    size_t used = (size_t)snprintf(text, size, "the mode");
    for (int32_t i = 0; i < system->automaton_count && used + 1 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s`%s` %s", i ? ", " : " ",
                                 system->automata[i].name, system->automata[i].states[run->mode_states[i]]);
    if (used + 1 >= size) used = (size_t)snprintf(text, size, "the mode");
    return used +
           (size_t)snprintf(text + used, sizeof run->failure.text - used, " has no valid causal assignment");
}

static const char *const conflict_way_out =
    "what is between them in the real thing, like the resistance of a "
    "switch, in one of these bonds, or guards that do not lead here";
static const char *const floats_way_out = "what holds it in the real thing and is never off, like a large "
                                          "resistance beside one of these, or a small capacity";

static hbg_rt_status refuse_mode(hbg_rt_instance *run) {
    size_t used = name_mode(run), size = sizeof run->failure.text;
    int32_t automata = run->image->instants.counts.automata, *refused = run->mode_states + automata;
    memcpy(refused, run->mode_states, (size_t)automata * sizeof *refused);
    run->failure.states = refused;
    bool floats =
        run->provider.explain(run->provider.context, run->mode_states, run->failure.text + used, size - used);
    run->failure.way_out = floats ? floats_way_out : conflict_way_out;
    return run->failure.status = HBG_RT_NO_CAUSALITY;
}

/* ---- arrays that follow the number of segments and islands --------------------------------------------- */

/* Allocates the data of the mode itself, whose length is known with the model. */
static bool make_bits(hbg_rt_instance *run) {
    const hbg_rt_image *image = run->image;
    size_t words = (size_t)image->modes.words + 1, regions = (size_t)image->modes.regions + 1;
    if (!run->on) run->on = hbg_rt_room_take(&run->room, 1, words * sizeof *run->on);
    if (!run->variants.key)
        run->variants.key = hbg_rt_room_take(&run->room, 1, words * sizeof *run->variants.key);
    if (!run->variants.switched.regions)
        run->variants.switched.regions =
            hbg_rt_room_take(&run->room, 1, regions * sizeof *run->variants.switched.regions);
    if (!run->variants.switched.is_listed)
        run->variants.switched.is_listed = hbg_rt_room_take(&run->room, 1, regions);
    if (!run->variants.answer)
        run->variants.answer =
            hbg_rt_room_take(&run->room, 1, (size_t)image->modes.judged.count * sizeof *run->variants.answer);
    return run->on && run->variants.key && run->variants.switched.regions &&
           run->variants.switched.is_listed && run->variants.answer;
}

hbg_rt_status hbg_rt_mode_init(hbg_rt_instance *run) {
    const hbg_rt_image *image = run->image;
    run->variants.segment_count = image->pool.blocks.count;
    run->island_count = image->modes.islands.count;
    run->variants.variant = hbg_rt_room_take(
        &run->room, 1, ((size_t)run->variants.segment_count + 1) * sizeof *run->variants.variant);
    run->variants.stale = hbg_rt_room_take(
        &run->room, 1, ((size_t)run->variants.segment_count + 1) * sizeof *run->variants.stale);
    run->variants.taken = hbg_rt_room_take(
        &run->room, 1, ((size_t)run->variants.segment_count + 1) * sizeof *run->variants.taken);
    for (int i = 0; i < HBG_RT_TANGENT; i++) {
        run->variants.listed[i].programs =
            HBG_RT_TAKE(&run->room, listed_program, run->variants.segment_count + 1);
        if (!run->variants.listed[i].programs) return HBG_RT_NO_MEMORY;
    }
    run->event = hbg_rt_room_take(&run->room, 1, ((size_t)run->island_count + 1) * sizeof *run->event);
    run->active = hbg_rt_room_take(&run->room, 1, ((size_t)run->island_count + 1) * sizeof *run->active);
    run->is_active = hbg_rt_room_take(&run->room, 1, (size_t)run->island_count + 1);
    run->at.bouncing = hbg_rt_room_take(&run->room, 1, (size_t)run->island_count + 1);
    run->at.moved = hbg_rt_room_take(&run->room, 1, (size_t)run->island_count + 1);
    run->throw_count = run->image->instants.kept.throw_count;
    run->at.throws = hbg_rt_room_take(&run->room, 1, (size_t)run->throw_count + 1);
    if (!run->at.bouncing || !run->at.moved || !run->at.throws) return HBG_RT_NO_MEMORY;
    if (!run->variants.variant || !run->variants.stale || !run->variants.taken || !run->event ||
        !run->active || !run->is_active)
        return HBG_RT_NO_MEMORY;
    for (int32_t i = 0; i < run->variants.segment_count; i++)
        if (HBG_RT_AT(image->pool.blocks, i)->choice >= 0)
            run->variants.stale[run->variants.stale_count++] = i;
    return HBG_RT_OK;
}

/* ---- the mode ----------------------------------------------------------------------------------------- */

static void set_states(hbg_rt_instance *run, const int32_t *states) {
    const hbg_rt_instants *instants = &run->image->instants;
    memcpy(run->mode_states, states, (size_t)instants->counts.automata * sizeof *states);
    memset(run->on, 0, (size_t)run->image->modes.words * sizeof *run->on);
    for (int32_t i = 0; i < instants->counts.automata; i++)
        run->r[instants->switching.automata[i].reg] = states[i];
    for (int32_t i = 0; i < instants->places.count; i++) {
        const hbg_rt_place *place = &instants->places.places[i];
        bool on = hbg_rt_place_on(run, i, states);
        run->r[place->reg] = on;
        run->on[i >> 6] |= (uint64_t)(on || place->is_select) << (i & 63);
    }
}

static void meet_located(hbg_rt_instance *run, const hbg_rt_range *by_reading) {
    for (int r = 0; r < HBG_RT_LOCATING; r++) {
        const int32_t *located = hbg_rt_ints(run->image, by_reading[r].first);
        for (int32_t i = 0; i < by_reading[r].count; i++) hbg_rt_meet(run, located[i], (hbg_rt_reading)r);
    }
}

static hbg_rt_status first_mode(hbg_rt_instance *run, const int32_t *states) {
    const hbg_rt_image *image = run->image;
    if (!make_bits(run)) return HBG_RT_NO_MEMORY;
    set_states(run, states);
    hbg_rt_status status = judge_all(run);
    if (status != HBG_RT_OK) return status;
    if (run->variants.bad_count > 0) return refuse_mode(run);
    if (!atomic_load_explicit(&image->is_built, memory_order_acquire))
        status = run->provider.need(run->provider.context, HBG_RT_NEED_START, 0, run->on, NULL);
    if (status == HBG_RT_OK) status = hbg_rt_keep_up(run, &image->modes.built);
    if (status == HBG_RT_OK) meet_located(run, image->code.located);
    if (status == HBG_RT_OK && !run->variants.variant) status = hbg_rt_mode_init(run);
    if (status != HBG_RT_OK) run->variants.variant = NULL; // the next attempt starts over
    if (status == HBG_RT_OK) status = hbg_rt_instant_fit(run);
    run->has_mode = status == HBG_RT_OK;
    return status;
}

/* Follows the automata in run->moved to their new states. */
static hbg_rt_status follow_moved(hbg_rt_instance *run, int32_t count, const int32_t *states) {
    const hbg_rt_switching *switching = &run->image->instants.switching;
    for (int32_t i = 0; i < count; i++) {
        int32_t automaton = run->moved[i];
        run->mode_states[automaton] = states[automaton];
        run->r[switching->automata[automaton].reg] = states[automaton];
    }
    for (int32_t i = 0; i < count; i++) { // conditions may read several automata: all have moved by now
        hbg_rt_range places = switching->automata[run->moved[i]].places;
        for (int32_t k = 0; k < places.count; k++) set_place(run, switching->controlled[places.first + k]);
    }
    hbg_rt_status status = follow_switched(run);
    return status == HBG_RT_OK && run->variants.bad_count > 0 ? refuse_mode(run) : status;
}

static hbg_rt_status next_mode(hbg_rt_instance *run, const int32_t *states) {
    int32_t automata = run->image->instants.counts.automata, moved = 0;
    if (memcmp(run->mode_states, states, (size_t)automata * sizeof *states) == 0)
        return run->variants.bad_count == 0 ? HBG_RT_OK : refuse_mode(run);
    for (int32_t i = 0; i < automata; i++)
        if (run->mode_states[i] != states[i]) run->moved[moved++] = i;
    return follow_moved(run, moved, states);
}

hbg_rt_status hbg_rt_refuse_text(hbg_rt_instance *run, int32_t text) {
    const char *what = HBG_RT_AT(run->image->pool.texts, text);
    snprintf(run->failure.text, sizeof run->failure.text, "the model asks for %s, which hbg cannot compute",
             what);
    return run->failure.status = HBG_RT_UNDEFINED;
}

static hbg_rt_status refused(hbg_rt_instance *run) {
    int32_t text = run->image->modes.refused >= 0 ? run->image->modes.refused : run->refused;
    return text < 0 ? HBG_RT_OK : hbg_rt_refuse_text(run, text);
}

hbg_rt_status hbg_rt_change_mode(hbg_rt_instance *run, const int32_t *moved, int32_t count,
                                 const int32_t *states) {
    memcpy(run->moved, moved, (size_t)count * sizeof *moved);
    hbg_rt_status status = follow_moved(run, count, states);
    return status == HBG_RT_OK ? refused(run) : status;
}

hbg_rt_status hbg_rt_set_mode(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_status status = run->has_mode ? next_mode(run, states) : first_mode(run, states);
    return status == HBG_RT_OK ? refused(run) : status;
}

/* ---- code, found or compiled -------------------------------------------------------------------------- */

/* Takes over the data of a block, which counts for the run from now on. */
static hbg_rt_status meet_block(hbg_rt_instance *run, const hbg_rt_variant *block) {
    hbg_rt_status status = hbg_rt_keep_up(run, &block->mark);
    if (status != HBG_RT_OK) return status;
    meet_located(run, block->located);
    if (block->doubted >= 0) run->doubted = block->doubted;
    return HBG_RT_OK;
}

/* Takes blocks that have been compiled already; the others stay stale. */
static void look_up_blocks(hbg_rt_instance *run) {
    int32_t left = 0;
    for (int32_t i = 0; i < run->variants.stale_count; i++) {
        int32_t number = run->variants.stale[i];
        int32_t choice = HBG_RT_AT(run->image->pool.blocks, number)->choice;
        int32_t found = hbg_rt_choose(run->image, choice, run->on, run->variants.key);
        if (found >= 0)
            run->variants.variant[number] = HBG_RT_AT(run->image->pool.variants, found);
        else
            run->variants.stale[left++] = number;
    }
    run->variants.stale_count = left;
}

static hbg_rt_status need_blocks(hbg_rt_instance *run) {
    while (run->variants.stale_count > 0) {
        int32_t number = run->variants.stale[run->variants.stale_count - 1];
        int32_t found = HBG_RT_NONE;
        hbg_rt_status status =
            run->provider.need(run->provider.context, HBG_RT_NEED_BLOCK, number, run->on, &found);
        if (status != HBG_RT_OK) return status;
        run->variants.variant[number] = HBG_RT_AT(run->image->pool.variants, found);
        run->variants.stale_count--;
    }
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_take_blocks(hbg_rt_instance *run) {
    int32_t count = run->variants.stale_count;
    memcpy(run->variants.taken, run->variants.stale, (size_t)count * sizeof *run->variants.taken);
    look_up_blocks(run);
    hbg_rt_status status = need_blocks(run);
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++)
        status = meet_block(run, run->variants.variant[run->variants.taken[i]]);
    return status == HBG_RT_OK ? refused(run) : status;
}

static hbg_rt_status find_event(hbg_rt_instance *run, int32_t number) {
    const hbg_rt_image *image = run->image;
    int32_t choice = hbg_rt_ints(image, image->modes.islands.first)[number];
    int32_t found = hbg_rt_choose(image, choice, run->on, run->variants.key);
    hbg_rt_status status = HBG_RT_OK;
    if (found < 0)
        status = run->provider.need(run->provider.context, HBG_RT_NEED_EVENT, number, run->on, &found);
    if (status != HBG_RT_OK) return status;
    run->event[number] = HBG_RT_AT(image->pool.events, found);
    return hbg_rt_keep_up(run, &run->event[number]->mark);
}

static hbg_rt_status take_events(hbg_rt_instance *run) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++)
        if (!run->event[run->active[i]]) status = find_event(run, run->active[i]);
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++) {
        int32_t text = run->event[run->active[i]]->refused;
        if (text >= 0) run->refused = text;
    }
    return status == HBG_RT_OK ? refused(run) : status;
}

hbg_rt_status hbg_rt_ready_events(hbg_rt_instance *run) {
    bool all = true;
    for (int32_t i = 0; i < run->active_count; i++) all = all && run->event[run->active[i]];
    return all ? HBG_RT_OK : take_events(run);
}

/* ---- the Jacobian, and slopes of guards --------------------------------------------------------------- */

static hbg_rt_status need_behind(hbg_rt_instance *run, hbg_rt_need what, int32_t number) {
    const hbg_rt_variant *variant = run->variants.variant[number];
    bool slopes = what == HBG_RT_NEED_BLOCK_SLOPES;
    hbg_rt_status status = HBG_RT_OK;
    if (!variant) return HBG_RT_OK;
    if (!atomic_load_explicit(slopes ? &variant->has_slopes : &variant->has_tangent, memory_order_acquire)) {
        int32_t choice = HBG_RT_AT(run->image->pool.blocks, number)->choice;
        int32_t found = hbg_rt_choose(run->image, choice, run->on, run->variants.key);
        status = run->provider.need(run->provider.context, what, number, run->on, &found);
    }
    if (status != HBG_RT_OK) return status;
    return hbg_rt_keep_up(run, slopes ? &variant->slopes_mark : &variant->tangent_mark);
}

hbg_rt_status hbg_rt_ready_tangents(hbg_rt_instance *run) {
    hbg_rt_status status = hbg_rt_ready_blocks(run);
    if (status == HBG_RT_OK && !atomic_load_explicit(&run->image->has_colours, memory_order_acquire))
        status = run->provider.need(run->provider.context, HBG_RT_NEED_COLOURS, 0, run->on, NULL);
    if (status == HBG_RT_OK) status = hbg_rt_keep_up(run, &run->image->code.colours.mark);
    for (int32_t i = 0; i < run->variants.segment_count && status == HBG_RT_OK; i++)
        status = need_behind(run, HBG_RT_NEED_TANGENT, i);
    return status;
}

hbg_rt_status hbg_rt_ready_slopes(hbg_rt_instance *run) {
    hbg_rt_status status = hbg_rt_ready_blocks(run);
    if (status == HBG_RT_OK && !atomic_load_explicit(&run->image->has_slopes, memory_order_acquire))
        status = run->provider.need(run->provider.context, HBG_RT_NEED_SLOPES, 0, run->on, NULL);
    if (status == HBG_RT_OK) status = hbg_rt_keep_up(run, &run->image->code.slopes);
    for (int32_t i = 0; i < run->variants.segment_count && status == HBG_RT_OK; i++)
        status = need_behind(run, HBG_RT_NEED_BLOCK_SLOPES, i);
    return status;
}
