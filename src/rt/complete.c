/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Completes an image: every local mode that automata can lead to is asked for, so that a run of it needs no compiler. Automata that switch
 * the places of a choice go through all their states together; what others do makes no difference to it. Where these are too many only
 * modes that are named can be asked for. */
#include <stdio.h>
#include <string.h>

#include "rt/package.h"
#include "rt/run_impl.h"

typedef struct {
    const hbg_rt_image *image;
    const hbg_rt_provider *provider;
    int32_t *states;  /* by automaton */
    int32_t *turning; /* automata of the choice at hand */
    int32_t turning_count;
    uint64_t *mode, *key;
    bool is_partial; /* a choice has too many local modes */
    char *reason;
    size_t reason_size;
} completing;

static void set_mode(completing *c) {
    const hbg_rt_places *places = &c->image->instants.places;
    memset(c->mode, 0, (size_t)c->image->modes.words * sizeof *c->mode);
    for (int32_t i = 0; i < places->count; i++)
        if (places->places[i].is_select || hbg_rt_place_is_on(c->image, i, c->states))
            c->mode[i >> 6] |= (uint64_t)1 << (i & 63);
}

static hbg_rt_status ask(completing *c, hbg_rt_need what, int32_t number, int32_t choice, int32_t *found) {
    *found = choice < 0 ? -1 : hbg_rt_choose(c->image, choice, c->mode, c->key);
    return *found >= 0 ? HBG_RT_OK : c->provider->need(c->provider->context, what, number, c->mode, found);
}

/* Whether the mode has a valid causal assignment, by all regions. */
static hbg_rt_status judge(completing *c, bool *valid) {
    const hbg_rt_image *image = c->image;
    hbg_rt_status status = HBG_RT_OK;
    *valid = true;
    for (int32_t i = 0; i < image->modes.judged.count && status == HBG_RT_OK; i++) {
        int32_t found;
        status = ask(c, HBG_RT_NEED_REGION, i, hbg_rt_ints(image, image->modes.judged.first)[i], &found);
        if (status == HBG_RT_OK && !HBG_RT_AT(image->pool.validities, found)->valid) *valid = false;
    }
    return status;
}

/* Automata that switch a place of the choice; how many local modes they have together. */
static double find_turning(completing *c, int32_t choice) {
    const hbg_rt_switching *switching = &c->image->instants.switching;
    hbg_rt_range places = HBG_RT_AT(c->image->pool.choices, choice)->places;
    const int32_t *place = hbg_rt_ints(c->image, places.first);
    double modes = 1;
    c->turning_count = 0;
    for (int32_t i = 0; i < c->image->instants.counts.automata; i++) {
        const hbg_rt_automaton_data *of = &switching->automata[i];
        bool turns = false;
        for (int32_t k = 0; k < of->places.count && !turns; k++)
            for (int32_t m = 0; m < places.count && !turns; m++)
                turns = switching->controlled[of->places.first + k] == place[m];
        if (!turns) continue;
        c->turning[c->turning_count++] = i;
        modes *= of->states.count;
    }
    return modes;
}

/* The next combination of their states; false behind the last. */
static bool turn(completing *c) {
    const hbg_rt_automaton_data *automata = c->image->instants.switching.automata;
    for (int32_t i = 0; i < c->turning_count; i++) {
        int32_t automaton = c->turning[i];
        if (++c->states[automaton] < automata[automaton].states.count) return true;
        c->states[automaton] = 0;
    }
    return false;
}

static void start_states(completing *c) {
    for (int32_t i = 0; i < c->image->instants.counts.automata; i++)
        c->states[i] = c->image->instants.switching.automata[i].start;
}

/* The tangent of a block, and slopes of guards in it where there are any. */
static hbg_rt_status ask_tangents(completing *c, int32_t number, int32_t variant) {
    const hbg_rt_provider *provider = c->provider;
    const hbg_rt_variant *of = HBG_RT_AT(c->image->pool.variants, variant);
    hbg_rt_status status = HBG_RT_OK;
    if (!atomic_load(&of->has_tangent))
        status = provider->need(provider->context, HBG_RT_NEED_TANGENT, number, c->mode, &variant);
    if (status == HBG_RT_OK && c->image->instants.counts.relations > 0 && !atomic_load(&of->has_slopes))
        status = provider->need(provider->context, HBG_RT_NEED_BLOCK_SLOPES, number, c->mode, &variant);
    return status;
}

/* All local modes of a choice. */
static hbg_rt_status complete_choice(completing *c, hbg_rt_need what, int32_t number, int32_t choice) {
    hbg_rt_status status = HBG_RT_OK;
    if (find_turning(c, choice) > HBG_RT_MOST_LOCAL_MODES) {
        snprintf(c->reason, c->reason_size,
                 "%d automata that switch junctions of one part have more than %d modes together",
                 (int)c->turning_count, (int)HBG_RT_MOST_LOCAL_MODES);
        c->is_partial = true;
        return HBG_RT_OK;
    }
    start_states(c);
    for (int32_t i = 0; i < c->turning_count; i++) c->states[c->turning[i]] = 0;
    do {
        bool valid;
        int32_t found;
        set_mode(c);
        status = judge(c, &valid);
        if (status != HBG_RT_OK || !valid) continue; // nothing runs there
        if (what != HBG_RT_NEED_REGION) status = ask(c, what, number, choice, &found);
        if (status == HBG_RT_OK && what == HBG_RT_NEED_BLOCK) status = ask_tangents(c, number, found);
    } while (status == HBG_RT_OK && turn(c));
    return status;
}

static hbg_rt_status complete_all(completing *c) {
    const hbg_rt_image *image = c->image;
    bool valid;
    start_states(c);
    set_mode(c);
    hbg_rt_status status = judge(c, &valid);
    if (status == HBG_RT_OK && !valid) {
        snprintf(c->reason, c->reason_size, "its start mode has no valid causal assignment");
        return HBG_RT_NO_CAUSALITY;
    }
    if (status == HBG_RT_OK && !atomic_load(&image->is_built))
        status = c->provider->need(c->provider->context, HBG_RT_NEED_START, 0, c->mode, NULL);
    if (status == HBG_RT_OK && !atomic_load(&image->has_colours))
        status = c->provider->need(c->provider->context, HBG_RT_NEED_COLOURS, 0, c->mode, NULL);
    if (status == HBG_RT_OK && image->instants.counts.relations > 0 && !atomic_load(&image->has_slopes))
        status = c->provider->need(c->provider->context, HBG_RT_NEED_SLOPES, 0, c->mode, NULL);
    for (int32_t i = 0; i < image->modes.judged.count && status == HBG_RT_OK; i++)
        status = complete_choice(c, HBG_RT_NEED_REGION, i, hbg_rt_ints(image, image->modes.judged.first)[i]);
    for (int32_t i = 0; i < image->pool.blocks.count && status == HBG_RT_OK; i++)
        if (HBG_RT_AT(image->pool.blocks, i)->choice >= 0)
            status = complete_choice(c, HBG_RT_NEED_BLOCK, i, HBG_RT_AT(image->pool.blocks, i)->choice);
    for (int32_t i = 0; i < image->modes.islands.count && status == HBG_RT_OK; i++)
        status = complete_choice(c, HBG_RT_NEED_EVENT, i, hbg_rt_ints(image, image->modes.islands.first)[i]);
    return status;
}

static bool take_room(completing *c, hbg_rt_room *room) {
    int32_t automata = c->image->instants.counts.automata;
    c->states = HBG_RT_TAKE(room, int32_t, automata + 1);
    c->turning = HBG_RT_TAKE(room, int32_t, automata + 1);
    c->mode = HBG_RT_TAKE(room, uint64_t, c->image->modes.words + 1);
    c->key = HBG_RT_TAKE(room, uint64_t, c->image->modes.words + 1);
    return !room->is_exhausted;
}

hbg_rt_status hbg_rt_image_complete(const hbg_rt_image *image, const hbg_rt_provider *provider,
                                    hbg_rt_memory memory, char *reason, size_t reason_size) {
    hbg_rt_room room = {.memory = memory};
    completing c = {.image = image, .provider = provider, .reason = reason, .reason_size = reason_size};
    reason[0] = 0;
    hbg_rt_status status = take_room(&c, &room) ? complete_all(&c) : HBG_RT_NO_MEMORY;
    hbg_rt_room_end(&room);
    return status == HBG_RT_OK && c.is_partial ? HBG_RT_NOT_THERE : status;
}

int32_t hbg_rt_image_widest(const hbg_rt_image *image, int32_t *automata, double *modes) {
    completing c = {.image = image};
    int32_t widest = -1;
    c.turning = automata;
    *modes = 0;
    for (int32_t i = 0; i < image->pool.choices.count; i++) {
        double count = find_turning(&c, i);
        if (count > *modes) widest = i;
        *modes = count > *modes ? count : *modes;
    }
    if (widest >= 0) (void)find_turning(&c, widest);
    return widest >= 0 ? c.turning_count : 0;
}

static hbg_rt_status visit(completing *c, const int32_t *states) {
    const hbg_rt_image *image = c->image;
    bool valid;
    int32_t found;
    for (int32_t i = 0; i < image->instants.counts.automata; i++) c->states[i] = states[i];
    set_mode(c);
    hbg_rt_status status = judge(c, &valid);
    if (!valid) return status;
    for (int32_t i = 0; i < image->pool.blocks.count && status == HBG_RT_OK; i++) {
        int32_t choice = HBG_RT_AT(image->pool.blocks, i)->choice;
        if (choice < 0) continue;
        status = ask(c, HBG_RT_NEED_BLOCK, i, choice, &found);
        if (status == HBG_RT_OK) status = ask_tangents(c, i, found);
    }
    for (int32_t i = 0; i < image->modes.islands.count && status == HBG_RT_OK; i++)
        status = ask(c, HBG_RT_NEED_EVENT, i, hbg_rt_ints(image, image->modes.islands.first)[i], &found);
    return status;
}

hbg_rt_status hbg_rt_image_visit(const hbg_rt_image *image, const hbg_rt_provider *provider,
                                 hbg_rt_memory memory, const int32_t *states) {
    hbg_rt_room room = {.memory = memory};
    completing c = {.image = image, .provider = provider};
    hbg_rt_status status = take_room(&c, &room) ? visit(&c, states) : HBG_RT_NO_MEMORY;
    hbg_rt_room_end(&room);
    return status;
}

static void tell_refused(completing *c, int32_t choice,
                         void (*tell)(void *context, int32_t answer, const int32_t *states), void *context) {
    if (find_turning(c, choice) > HBG_RT_MOST_LOCAL_MODES) return;
    start_states(c);
    for (int32_t i = 0; i < c->turning_count; i++) c->states[c->turning[i]] = 0;
    do {
        set_mode(c);
        int32_t answer = hbg_rt_answer_of(c->image, choice, c->mode, c->key);
        int32_t value = answer < 0 ? -1 : HBG_RT_AT(c->image->pool.answers, answer)->value;
        if (value >= 0 && !HBG_RT_AT(c->image->pool.validities, value)->valid)
            tell(context, answer, c->states);
    } while (turn(c));
}

hbg_rt_status hbg_rt_image_each_refused(const hbg_rt_image *image, hbg_rt_memory memory,
                                        void (*tell)(void *context, int32_t answer, const int32_t *states),
                                        void *context) {
    hbg_rt_room room = {.memory = memory};
    completing c = {.image = image};
    bool has_room = take_room(&c, &room);
    for (int32_t i = 0; has_room && i < image->modes.judged.count; i++)
        tell_refused(&c, hbg_rt_ints(image, image->modes.judged.first)[i], tell, context);
    hbg_rt_room_end(&room);
    return has_room ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}
