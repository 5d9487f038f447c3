/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Checks of what a file holds, before anything runs: every number that is an index is below its count, every range is inside its pool,
 * every program ends. */
#include <string.h>

#include "rt/package_check_impl.h"

/* ---- numbers ------------------------------------------------------------------------------------------ */

bool hbg_rt_check_refuse(hbg_rt_checking *c, const char *what, int32_t number) {
    if (c->fine) c->fine = hbg_rt_package_refuse(c->loaded, "%s %d is out of its range", what, (int)number);
    return false;
}

bool hbg_rt_check_below(hbg_rt_checking *c, const char *what, int32_t number, int32_t count) {
    return number >= 0 && number < count ? c->fine : hbg_rt_check_refuse(c, what, number);
}

bool hbg_rt_check_below_or_none(hbg_rt_checking *c, const char *what, int32_t number, int32_t count) {
    return number == -1 || hbg_rt_check_below(c, what, number, count);
}

bool hbg_rt_check_register(hbg_rt_checking *c, int32_t reg) {
    return hbg_rt_check_below(c, "register", reg, c->registers);
}

bool hbg_rt_check_register_or_none(hbg_rt_checking *c, int32_t reg) {
    return hbg_rt_check_below_or_none(c, "register", reg, c->registers);
}

bool hbg_rt_check_inside(hbg_rt_checking *c, const char *what, hbg_rt_range range, int32_t count) {
    bool fine =
        range.first >= 0 && range.count >= 0 && range.first <= count && range.count <= count - range.first;
    return fine ? c->fine : hbg_rt_check_refuse(c, what, range.first);
}

/* A list among the ints of the pools, or of the instants, whose items are below a count. */
bool hbg_rt_check_list(hbg_rt_checking *c, const char *what, hbg_rt_range range, int32_t count,
                       bool or_none) {
    if (!hbg_rt_check_inside(c, what, range, c->image->pool.ints.count)) return false;
    for (int32_t i = 0; i < range.count && c->fine; i++) {
        int32_t item = *HBG_RT_AT(c->image->pool.ints, range.first + i);
        if (!(or_none && item == -1)) hbg_rt_check_below(c, what, item, count);
    }
    return c->fine;
}

bool hbg_rt_check_instant_list(hbg_rt_checking *c, const char *what, hbg_rt_range range, int32_t count) {
    if (!hbg_rt_check_inside(c, what, range, c->instants->counts.ints)) return false;
    for (int32_t i = 0; i < range.count && c->fine; i++)
        hbg_rt_check_below(c, what, c->instants->ints[range.first + i], count);
    return c->fine;
}

bool hbg_rt_check_program_number(hbg_rt_checking *c, int32_t program) {
    return hbg_rt_check_below_or_none(c, "program", program, c->image->pool.programs.count);
}

bool hbg_rt_check_text(hbg_rt_checking *c, int32_t text) {
    if (!hbg_rt_check_below_or_none(c, "text", text, c->image->pool.texts.count) || text < 0) return c->fine;
    size_t left = (size_t)(c->image->pool.texts.count - text);
    return memchr(HBG_RT_AT(c->image->pool.texts, text), 0, left) ? c->fine
                                                                  : hbg_rt_check_refuse(c, "text", text);
}

void hbg_rt_check_mark(hbg_rt_checking *c, const hbg_rt_mark *mark) {
    const hbg_rt_pools *pool = &c->image->pool;
    const hbg_rt_mark *whole = &c->image->code.mark;
    hbg_rt_check_below(c, "mark of registers", mark->registers, c->registers + 1);
    hbg_rt_check_below(c, "mark of constants", mark->constants, pool->constants.count + 1);
    hbg_rt_check_below(c, "mark of the prologue", mark->prologue, pool->prologue.count + 1);
    hbg_rt_check_below(c, "mark of relations", mark->located, pool->located.count + 1);
    hbg_rt_check_below(c, "mark of loops", mark->loops, pool->loops.count + 1);
    if (!hbg_rt_check_below(c, "widest loop", whole->widest_loop, pool->ints.count + 1) ||
        !hbg_rt_check_below(c, "entries of a loop", whole->most_entries, pool->entries.count + 1))
        return;
    hbg_rt_check_below(c, "mark of loops", mark->widest_loop, whole->widest_loop + 1);
    hbg_rt_check_below(c, "mark of loops", mark->most_entries, whole->most_entries + 1);
}

int32_t hbg_rt_check_states_of(const hbg_rt_checking *c, int32_t automaton) {
    return c->instants->switching.automata[automaton].states.count;
}

/* ---- operators ---------------------------------------------------------------------------------------- */

static const uint8_t arities[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = arity,
    HBG_OPERATOR_LIST(X)
#undef X
};

int hbg_rt_check_arity(int32_t op) {
    return arities[op];
}

/* Operators that code computes with: leaves but for π are none, nor is what belongs to events. */
bool hbg_rt_check_computed(int32_t op) {
    return op == HBG_OP_PI || (op >= 0 && op < HBG_OP_PRE && arities[op] > 0);
}

/* ---- names -------------------------------------------------------------------------------------------- */

static bool is_string(hbg_rt_checking *c, int32_t at) {
    return hbg_rt_check_below(c, "string", at, c->loaded->string_size) &&
           (memchr(c->loaded->strings + at, 0, (size_t)(c->loaded->string_size - at))
                ? c->fine
                : hbg_rt_check_refuse(c, "string", at));
}

static void check_strings(hbg_rt_checking *c) {
    const hbg_rt_loaded *loaded = c->loaded;
    int32_t at = 0, states = 0, automaton = -1;
    for (int i = 0; i < 3 && is_string(c, at); i++) at += (int32_t)strlen(loaded->strings + at) + 1;
    for (int32_t i = 0; i < loaded->word_count && c->fine; i++) is_string(c, loaded->words[i].text);
    for (int32_t i = 0; i < loaded->name_count && c->fine; i++) {
        const hbg_rt_package_name *of = &loaded->names[i];
        hbg_rt_check_below(c, "list of names", of->list, HBG_RT_NAMES_COUNT);
        is_string(c, of->name);
        if (of->unit != -1) is_string(c, of->unit);
        if (of->list == HBG_RT_NAMES_POWER)
            hbg_rt_check_below(c, "kind of power", of->flag, HBG_RT_MODULATED + 1);
        if (of->list == HBG_RT_NAMES_CLOCK && !(of->number > 0)) hbg_rt_check_refuse(c, "clock", i);
        if (states > 0 && of->list != HBG_RT_NAMES_DISCRETE) hbg_rt_check_refuse(c, "name of a state", i);
        if (of->list == HBG_RT_NAMES_DISCRETE && states-- <= 0) hbg_rt_check_refuse(c, "name of a state", i);
        if (of->list != HBG_RT_NAMES_AUTOMATON) continue;
        automaton++;
        if (hbg_rt_check_below(c, "automaton", automaton, c->instants->counts.automata) &&
            of->flag != hbg_rt_check_states_of(c, automaton))
            hbg_rt_check_refuse(c, "states of automaton", automaton);
        states = of->flag;
    }
    if (states > 0) hbg_rt_check_refuse(c, "name of a state", states);
}

/* As many names as there are things. */
static void check_lengths(hbg_rt_checking *c) {
    int32_t found[HBG_RT_NAMES_COUNT] = {0};
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    for (int32_t i = 0; i < c->loaded->name_count && c->fine; i++) found[c->loaded->names[i].list]++;
    const int32_t wanted[HBG_RT_NAMES_COUNT] = {[HBG_RT_NAMES_STATE] = counts->states,
                                                [HBG_RT_NAMES_OUTPUT] =
                                                    c->image->code.finals[HBG_RT_OUTPUTS].reg.count,
                                                [HBG_RT_NAMES_INPUT] = c->instants->outside.input_count,
                                                [HBG_RT_NAMES_PARAM] = c->instants->outside.param_count,
                                                [HBG_RT_NAMES_STORAGE] = counts->storages,
                                                [HBG_RT_NAMES_BOND] = counts->bonds,
                                                [HBG_RT_NAMES_CLOCK] = c->instants->outside.clock_count,
                                                [HBG_RT_NAMES_POWER] = counts->powers,
                                                [HBG_RT_NAMES_AUTOMATON] = counts->automata,
                                                [HBG_RT_NAMES_DISCRETE] = found[HBG_RT_NAMES_DISCRETE]};
    for (int i = 0; i < HBG_RT_NAMES_COUNT && c->fine; i++)
        if (found[i] != wanted[i]) hbg_rt_check_refuse(c, "number of names", found[i]);
    if (c->loaded->key_count != found[HBG_RT_NAMES_OUTPUT])
        hbg_rt_check_refuse(c, "number of keys", c->loaded->key_count);
}

static void check_numbers(hbg_rt_checking *c) {
    const hbg_rt_package_numbers *numbers = c->loaded->numbers;
    const int32_t *all = (const int32_t *)(const void *)numbers,
                  *counts = (const int32_t *)(const void *)&c->instants->counts;
    for (size_t i = 0; i < sizeof *numbers / sizeof *all; i++)
        if (all[i] < 0 || all[i] > INT32_MAX / 8) hbg_rt_check_refuse(c, "number", all[i]);
    for (size_t i = 0; i < sizeof c->instants->counts / sizeof *counts; i++)
        if (counts[i] < 0 || counts[i] > INT32_MAX / 8) hbg_rt_check_refuse(c, "count", counts[i]);
    int32_t limit = c->image->code.located_limit, relations = c->instants->counts.relations;
    int32_t roots = limit + (c->instants->has_events ? relations : 0);
    if (numbers->guard_first != limit || numbers->root_count != roots || numbers->idle_roots > roots)
        hbg_rt_check_refuse(c, "number of roots", numbers->root_count);
    for (int32_t i = 0; i < c->loaded->package.action_count && c->fine; i++)
        hbg_rt_check_below(c, "input", c->loaded->package.actions[i].input, c->instants->outside.input_count);
    for (int32_t i = 0; i < c->loaded->package.setting_count && c->fine; i++)
        hbg_rt_check_below(c, "parameter", c->loaded->package.settings[i].param,
                           c->instants->outside.param_count);
}

static void check_overrides(hbg_rt_checking *c) {
    const hbg_rt_package *package = &c->loaded->package;
    for (int32_t i = 0; i < package->override_count && c->fine; i++) {
        const hbg_rt_package_override *of = &package->overrides[i];
        hbg_rt_check_below_or_none(c, "sensor", of->sensor, package->sensor_count);
        if (of->kind == HBG_RT_SET_PARAM) {
            hbg_rt_check_below(c, "parameter", of->index, c->instants->outside.param_count);
        } else if (of->kind == HBG_RT_SENSE) {
            hbg_rt_check_below(c, "clock", of->index, c->instants->outside.clock_count);
        } else if (of->kind == HBG_RT_HOLD) {
            if (hbg_rt_check_below(c, "automaton", of->index, c->instants->counts.automata) &&
                (of->state < HBG_RT_HOLD_OFF || of->state >= hbg_rt_check_states_of(c, of->index)))
                hbg_rt_check_refuse(c, "state", of->state);
        } else {
            hbg_rt_check_refuse(c, "kind of override", of->kind);
        }
        if (!(of->time >= 0) || (i > 0 && of->time < package->overrides[i - 1].time))
            hbg_rt_check_refuse(c, "time of override", i);
    }
    for (int32_t i = 1; i < package->action_count && c->fine; i++)
        if (!(package->actions[i].time >= package->actions[i - 1].time))
            hbg_rt_check_refuse(c, "time of action", i);
}

static void check_layout(hbg_rt_checking *c) {
    const hbg_rt_layout *layout = &c->image->layout;
    int32_t states = c->instants->counts.states;
    hbg_rt_check_register(c, layout->time);
    hbg_rt_check_list(c, "register", layout->state, c->registers, false);
    hbg_rt_check_list(c, "register", layout->old, c->registers, false);
    hbg_rt_check_list(c, "register", layout->seed, c->registers, false);
    if (layout->state.count != states || layout->old.count != states || layout->seed.count != states)
        hbg_rt_check_refuse(c, "number of states", layout->state.count);
    if (hbg_rt_check_inside(c, "name", layout->names, c->image->pool.ints.count) &&
        layout->names.count % 2 != 0)
        hbg_rt_check_refuse(c, "name", layout->names.count);
}

bool hbg_rt_package_check(const hbg_rt_loaded *loaded) {
    const hbg_rt_image *image = &loaded->image;
    hbg_rt_checking c = {.loaded = loaded,
                         .image = image,
                         .instants = &image->instants,
                         .registers = image->code.mark.registers,
                         .fine = true};
    void (*const checks[])(hbg_rt_checking *) = {
        check_numbers,         check_layout,      hbg_rt_check_code,    hbg_rt_check_values,
        hbg_rt_check_automata, hbg_rt_check_kept, hbg_rt_check_outside, check_overrides,
        hbg_rt_check_modes,    check_strings,     check_lengths};
    for (size_t i = 0; i < sizeof checks / sizeof *checks && c.fine; i++) checks[i](&c);
    return c.fine;
}
