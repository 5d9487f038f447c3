/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Checks of code and modes in a file: instructions work on registers that are there, loops solve only those before them, and what a mode
 * chooses is of the kind that is asked for. */
#include <math.h>

#include "rt/package_check_impl.h"

enum { MOST_REGISTERS = 1 << 26 };
#define MOST_WORK 1e8 /* instructions of one program, with all that it solves */

/* ---- code --------------------------------------------------------------------------------------------- */

static void check_instruction(hbg_rt_checking *c, const hbg_rt_instruction *at, int32_t loops,
                              bool in_charge) {
    const hbg_rt_pools *pool = &c->image->pool;
    int32_t located = at->located;
    if (at->op == HBG_RT_OP_SOLVE) {
        hbg_rt_check_below(c, "loop", at->argument[0], in_charge ? 0 : loops);
        return;
    }
    hbg_rt_check_register(c, at->d);
    hbg_rt_check_below_or_none(c, "located relation", located, pool->located.count);
    int registers = 1;
    switch (at->op) {
    case HBG_RT_OP_COPY: break;
    case HBG_RT_OP_DEFAULT:
        hbg_rt_check_below(c, "parameter", at->argument[2], c->instants->outside.param_count);
        break;
    case HBG_RT_OP_CHARGE:
        hbg_rt_check_below(c, "law of charge", at->argument[1], in_charge ? 0 : pool->charges.count);
        break;
    case HBG_OP_TABLE:
    case HBG_RT_OP_SLOPE: hbg_rt_check_below(c, "table", at->argument[1], pool->tables.count); break;
    default:
        if (!hbg_rt_check_computed(at->op)) hbg_rt_check_refuse(c, "operator", at->op);
        registers = c->fine ? hbg_rt_check_arity(at->op) : 0;
    }
    for (int k = 0; k < registers; k++) hbg_rt_check_register(c, at->argument[k]);
    if (registers < 3 && at->op < HBG_OP_COUNT && at->op != HBG_OP_TABLE)
        for (int k = registers; k < 3; k++) hbg_rt_check_register_or_none(c, at->argument[k]);
    if (c->fine && located >= 0 && hbg_rt_branch_of(at->op) == BRANCH_NONE)
        hbg_rt_check_refuse(c, "located relation", located);
}

static void check_program(hbg_rt_checking *c, int32_t program, int32_t loops, bool in_charge) {
    if (!hbg_rt_check_program_number(c, program) || program < 0) return;
    hbg_rt_range range = *HBG_RT_AT(c->image->pool.programs, program);
    if (!hbg_rt_check_inside(c, "instruction", range, c->image->pool.instructions.count)) return;
    for (int32_t i = 0; i < range.count && c->fine; i++)
        check_instruction(c, HBG_RT_AT(c->image->pool.instructions, range.first + i), loops, in_charge);
}

/* The work of a program, those loops included that come before; loops[i] is that of loop i. */
static double work_of(const hbg_rt_image *image, int32_t program, const double *loops) {
    hbg_rt_program code = hbg_rt_program_at(image, program);
    double work = code.count;
    for (int32_t i = 0; i < code.count; i++)
        if (code.code[i].op == HBG_RT_OP_SOLVE) work += loops[code.code[i].argument[0]];
    return work;
}

static void check_pattern(hbg_rt_checking *c, const hbg_rt_loop *of) {
    const hbg_rt_image *image = c->image;
    int32_t entries = of->entries.count;
    hbg_rt_check_list(c, "start of a column", (hbg_rt_range){of->start, of->count + 1}, entries + 1, false);
    hbg_rt_check_list(c, "row", (hbg_rt_range){of->row, entries}, of->count, false);
    hbg_rt_check_list(c, "entry", (hbg_rt_range){of->entry_of, entries}, entries, false);
    if (!c->fine) return;
    const int32_t *start = hbg_rt_ints(image, of->start);
    for (int32_t i = 0; i < of->count; i++)
        if (start[i] > start[i + 1]) hbg_rt_check_refuse(c, "start of a column", start[i]);
    if (start[0] != 0 || start[of->count] != entries)
        hbg_rt_check_refuse(c, "start of a column", start[of->count]);
}

static void check_loop(hbg_rt_checking *c, int32_t number) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_loop *of = HBG_RT_AT(image->pool.loops, number);
    int32_t most = c->image->code.mark.widest_loop;
    if (of->count < 1 || of->count > most) hbg_rt_check_refuse(c, "size of loop", of->count);
    if (!c->fine) return;
    hbg_rt_check_list(c, "register", (hbg_rt_range){of->reg, of->count}, c->registers, false);
    hbg_rt_check_list(c, "register", (hbg_rt_range){of->residual, of->count}, c->registers, false);
    hbg_rt_check_inside(c, "name", (hbg_rt_range){of->name, of->count}, image->pool.ints.count);
    hbg_rt_check_inside(c, "area", (hbg_rt_range){of->area, of->count}, image->pool.ints.count);
    if (!hbg_rt_check_inside(c, "entry", of->entries, image->pool.entries.count)) return;
    for (int32_t i = 0; i < of->entries.count && c->fine; i++) {
        const hbg_rt_entry *entry = HBG_RT_AT(image->pool.entries, of->entries.first + i);
        hbg_rt_check_below(c, "row", entry->row, of->count);
        hbg_rt_check_below(c, "column", entry->column, of->count);
        hbg_rt_check_register(c, entry->reg);
    }
    if (of->sparse && of->entries.count > image->code.mark.most_entries)
        hbg_rt_check_refuse(c, "entries of loop", number);
    if (of->sparse) check_pattern(c, of);
    check_program(c, of->body, number, false); // it solves those before it, so that all of them end
}

static void check_loops(hbg_rt_checking *c, hbg_rt_room *room) {
    const hbg_rt_image *image = c->image;
    int32_t count = image->pool.loops.count;
    double *work = HBG_RT_TAKE(room, double, count + 1);
    if (image->code.mark.widest_loop > 4096 || !work)
        hbg_rt_check_refuse(c, "size of loop", image->code.mark.widest_loop);
    for (int32_t i = 0; i < count && c->fine; i++) {
        check_loop(c, i);
        if (c->fine) work[i] = 64.0 * work_of(image, HBG_RT_AT(image->pool.loops, i)->body, work);
        if (c->fine && work[i] > MOST_WORK) hbg_rt_check_refuse(c, "work of loop", i);
    }
    for (int32_t i = 0; i < image->pool.programs.count && c->fine; i++) {
        check_program(c, i, count, false);
        if (c->fine && work_of(image, i, work) > MOST_WORK) hbg_rt_check_refuse(c, "work of program", i);
    }
    for (int32_t i = 0; i < image->pool.prologue.count && c->fine; i++)
        check_instruction(c, HBG_RT_AT(image->pool.prologue, i), count, false);
    hbg_rt_room_return(room, work);
}

static void check_table(hbg_rt_checking *c, const hbg_rt_table *of) {
    const hbg_rt_image *image = c->image;
    if (of->count < 1) hbg_rt_check_refuse(c, "size of table", of->count);
    hbg_rt_check_inside(c, "table", (hbg_rt_range){of->x, of->count}, image->pool.numbers.count);
    hbg_rt_check_inside(c, "table", (hbg_rt_range){of->y, of->count}, image->pool.numbers.count);
    if (of->count < INT32_MAX)
        hbg_rt_check_inside(c, "table", (hbg_rt_range){of->turns, of->count + 1}, image->pool.ints.count);
    if (!c->fine) return;
    const double *x = HBG_RT_AT(image->pool.numbers, of->x), *y = HBG_RT_AT(image->pool.numbers, of->y);
    for (int32_t i = 0; i < of->count; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]) || (i > 0 && x[i] < x[i - 1]))
            hbg_rt_check_refuse(c, "point of a table", i);
}

static void check_readout(hbg_rt_checking *c, const hbg_rt_readout *of, int32_t least, int32_t most) {
    hbg_rt_check_program_number(c, of->code);
    hbg_rt_check_list(c, "register", of->reg, c->registers, false);
    if (of->reg.count < least || of->reg.count > most)
        hbg_rt_check_refuse(c, "length of a readout", of->reg.count);
}

static void check_small_pools(hbg_rt_checking *c) {
    const hbg_rt_pools *pool = &c->image->pool;
    for (int32_t i = 0; i < pool->constants.count && c->fine; i++)
        hbg_rt_check_register(c, HBG_RT_AT(pool->constants, i)->reg);
    for (int32_t i = 0; i < pool->tables.count && c->fine; i++) check_table(c, HBG_RT_AT(pool->tables, i));
    for (int32_t i = 0; i < pool->located.count && c->fine; i++)
        hbg_rt_check_below_or_none(c, "table", HBG_RT_AT(pool->located, i)->over_time, pool->tables.count);
    for (int32_t i = 0; i < pool->charges.count && c->fine; i++) {
        const hbg_rt_charge *of = HBG_RT_AT(pool->charges, i);
        hbg_rt_check_register(c, of->state_reg);
        hbg_rt_check_register(c, of->law_reg);
        check_program(c, of->code, 0, true);
    }
}

static void check_colours(hbg_rt_checking *c) {
    const hbg_rt_colours *of = &c->image->code.colours;
    int32_t n = c->instants->counts.states;
    if (!atomic_load(&c->image->has_colours)) return;
    if (of->count != n || of->colour_count < 0 || of->colour_count > n)
        hbg_rt_check_refuse(c, "size of the Jacobian", of->count);
    if (!c->fine ||
        !hbg_rt_check_inside(c, "column", (hbg_rt_range){of->start, n + 1}, c->image->pool.ints.count))
        return;
    const int32_t *start = hbg_rt_ints(c->image, of->start);
    for (int32_t i = 0; i < n; i++)
        if (start[i] < 0 || start[i] > start[i + 1]) hbg_rt_check_refuse(c, "column", i);
    if (!c->fine) return;
    hbg_rt_check_list(c, "row", (hbg_rt_range){of->row, start[n]}, n, false);
    hbg_rt_check_list(c, "column", (hbg_rt_range){of->columns, n}, n, false);
    hbg_rt_check_list(c, "colour", (hbg_rt_range){of->column_start, of->colour_count + 1}, n + 1, false);
    hbg_rt_check_list(c, "register", (hbg_rt_range){of->reg, n}, c->registers, true);
    if (!c->fine) return;
    const int32_t *reg = hbg_rt_ints(c->image, of->reg), *row = hbg_rt_ints(c->image, of->row),
                  *column = hbg_rt_ints(c->image, of->column_start);
    for (int32_t k = 0; k < start[n]; k++)
        if (reg[row[k]] < 0) hbg_rt_check_refuse(c, "register of a row", row[k]);
    for (int32_t i = 0; i < of->colour_count; i++)
        if (column[i] > column[i + 1]) hbg_rt_check_refuse(c, "colour", i);
    hbg_rt_check_mark(c, &of->mark);
}

/* Of a relation there may be none. */
static void check_slopes(hbg_rt_checking *c) {
    const hbg_rt_readout *of = &c->image->code.finals[HBG_RT_SLOPES];
    if (!atomic_load(&c->image->has_slopes)) return;
    if (of->reg.count != c->instants->counts.relations)
        hbg_rt_check_refuse(c, "slope of a guard", of->reg.count);
    hbg_rt_check_program_number(c, of->code);
    hbg_rt_check_list(c, "register", of->reg, c->registers, true);
    hbg_rt_check_mark(c, &c->image->code.slopes);
}

static void check_located(hbg_rt_checking *c, const hbg_rt_range *by_reading) {
    for (int r = 0; r < HBG_RT_LOCATING; r++)
        hbg_rt_check_list(c, "located relation", by_reading[r], c->image->pool.located.count, false);
}

void hbg_rt_check_code(hbg_rt_checking *c) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_code *code = &image->code;
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    if (code->mark.registers < 1 || code->mark.registers > MOST_REGISTERS)
        hbg_rt_check_refuse(c, "number of registers", code->mark.registers);
    hbg_rt_check_mark(c, &code->mark);
    check_small_pools(c);
    if (c->fine) check_loops(c, (hbg_rt_room *)&c->loaded->room);
    int32_t located = image->pool.located.count;
    if (code->located_limit < located || code->located_limit > INT32_MAX / 4)
        hbg_rt_check_refuse(c, "located relations", code->located_limit);
    hbg_rt_check_below(c, "located relations", code->located_params, located + 1);
    check_located(c, code->located);
    check_readout(c, &code->start, 0, counts->states);
    check_readout(c, &code->finals[HBG_RT_FIELD], counts->states, counts->states);
    check_readout(c, &code->finals[HBG_RT_OUTPUTS], 0, INT32_MAX);
    check_readout(c, &code->finals[HBG_RT_POWERS], counts->powers, counts->powers);
    int32_t ticks = c->instants->outside.clock_count + c->instants->outside.tick_pre_count;
    check_readout(c, &code->finals[HBG_RT_TICKS], ticks, ticks);
    check_readout(c, &code->finals[HBG_RT_WATCH], counts->relations, INT32_MAX);
    check_readout(c, &code->energies, counts->storages, counts->storages);
    hbg_rt_check_list(c, "register", code->waves, c->registers, false);
    check_colours(c);
    check_slopes(c);
}

/* ---- modes -------------------------------------------------------------------------------------------- */

static void check_variant(hbg_rt_checking *c, const hbg_rt_variant *of) {
    for (int r = 0; r < HBG_RT_READINGS; r++) hbg_rt_check_program_number(c, of->code[r]);
    check_located(c, of->located);
    hbg_rt_check_inside(c, "name", of->names, c->image->pool.ints.count);
    if (of->names.count % 2 != 0) hbg_rt_check_refuse(c, "name", of->names.count);
    hbg_rt_check_text(c, of->doubted);
    hbg_rt_check_mark(c, &of->mark);
    if (of->has_tangent) hbg_rt_check_mark(c, &of->tangent_mark);
    if (of->has_slopes) hbg_rt_check_mark(c, &of->slopes_mark);
}

/* Unbounded parts: registers in threes, of a cell all of them or none; of conflicts all. */
static void check_limit(hbg_rt_checking *c, const hbg_rt_event *of) {
    hbg_rt_check_program_number(c, of->limit);
    if (!hbg_rt_check_inside(c, "unbounded part", of->far, c->image->pool.ints.count)) return;
    if (!hbg_rt_check_inside(c, "conflict", of->conflicts, c->image->pool.ints.count)) return;
    int32_t wanted = of->limit < 0 ? 0 : 3 * of->reg.count;
    if (of->far.count != wanted) hbg_rt_check_refuse(c, "unbounded part", of->far.count);
    if (of->conflicts.count % 5 != 0 || (of->limit < 0 && of->conflicts.count > 0))
        hbg_rt_check_refuse(c, "conflict", of->conflicts.count);
    for (int32_t i = 0; i < of->far.count && c->fine; i++) {
        int32_t reg = *HBG_RT_AT(c->image->pool.ints, of->far.first + i);
        int32_t first = *HBG_RT_AT(c->image->pool.ints, of->far.first + i - i % 3);
        if (first >= 0)
            hbg_rt_check_register(c, reg);
        else if (reg != first || first < HBG_RT_USUAL)
            hbg_rt_check_refuse(c, "unbounded part", reg);
    }
    for (int32_t i = 0; i < of->conflicts.count && c->fine; i++)
        if (i % 5 >= 2) hbg_rt_check_register(c, *HBG_RT_AT(c->image->pool.ints, of->conflicts.first + i));
}

static void check_event(hbg_rt_checking *c, const hbg_rt_event *of) {
    hbg_rt_check_program_number(c, of->code);
    hbg_rt_check_list(c, "register", of->inputs, c->registers, false);
    hbg_rt_check_list(c, "state", of->olds, c->instants->counts.states, false);
    hbg_rt_check_list(c, "register", of->reg, c->registers, true);
    hbg_rt_check_list(c, "register", of->work, c->registers, false);
    if (hbg_rt_check_inside(c, "check", of->checks, c->image->pool.ints.count) && of->checks.count % 2 != 0)
        hbg_rt_check_refuse(c, "check", of->checks.count);
    for (int32_t i = 0; i < of->checks.count && c->fine; i += 2)
        hbg_rt_check_register(c, *HBG_RT_AT(c->image->pool.ints, of->checks.first + i));
    check_limit(c, of);
    hbg_rt_check_text(c, of->refused);
    hbg_rt_check_mark(c, &of->mark);
}

enum { OF_NOTHING, OF_VALIDITY, OF_BLOCK, OF_ISLAND };

/* What a choice is of, and of which number: one thing each. */
static void own_choice(hbg_rt_checking *c, int32_t *owner, int32_t choice, int32_t kind, int32_t number) {
    if (!hbg_rt_check_below(c, "choice", choice, c->image->pool.choices.count)) return;
    if (owner[2 * choice] != OF_NOTHING) hbg_rt_check_refuse(c, "choice", choice);
    owner[2 * choice] = kind;
    owner[2 * choice + 1] = number;
}

static void check_answer(hbg_rt_checking *c, const int32_t *owner, const hbg_rt_answer *of) {
    const hbg_rt_pools *pool = &c->image->pool;
    if (!hbg_rt_check_below(c, "choice", of->choice, pool->choices.count)) return;
    int32_t places = HBG_RT_AT(pool->choices, of->choice)->places.count, number = owner[2 * of->choice + 1];
    hbg_rt_check_inside(c, "key", (hbg_rt_range){of->key, (places + 63) / 64}, pool->keys.count);
    switch (owner[2 * of->choice]) {
    case OF_VALIDITY: hbg_rt_check_below(c, "validity", of->value, pool->validities.count); break;
    case OF_BLOCK: hbg_rt_check_below(c, "variant", of->value, pool->variants.count); break;
    case OF_ISLAND: {
        if (!hbg_rt_check_below(c, "event", of->value, pool->events.count)) return;
        const hbg_rt_event *event = HBG_RT_AT(pool->events, of->value);
        const hbg_rt_island *island = &c->instants->kept.islands[number];
        if (event->reg.count != island->asked.count || event->work.count != island->powers.count)
            hbg_rt_check_refuse(c, "event of an island", of->value);
        break;
    }
    default: hbg_rt_check_refuse(c, "choice", of->choice);
    }
}

static void own_choices(hbg_rt_checking *c, int32_t *owner) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_modes *modes = &image->modes;
    for (int32_t i = 0; i < modes->judged.count && c->fine; i++)
        own_choice(c, owner, hbg_rt_ints(image, modes->judged.first)[i], OF_VALIDITY, i);
    for (int32_t i = 0; i < modes->islands.count && c->fine; i++)
        own_choice(c, owner, hbg_rt_ints(image, modes->islands.first)[i], OF_ISLAND, i);
    for (int32_t i = 0; i < image->pool.blocks.count && c->fine; i++) {
        const hbg_rt_block *of = HBG_RT_AT(image->pool.blocks, i);
        for (int r = 0; r < HBG_RT_READINGS; r++) hbg_rt_check_program_number(c, of->code[r]);
        if (of->choice != -1) own_choice(c, owner, of->choice, OF_BLOCK, i);
    }
}

static void check_choices(hbg_rt_checking *c, hbg_rt_room *room) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_pools *pool = &image->pool;
    int32_t *owner = HBG_RT_TAKE(room, int32_t, 2 * (size_t)pool->choices.count + 2);
    if (!owner) hbg_rt_check_refuse(c, "number of choices", pool->choices.count);
    for (int32_t i = 0; i < pool->choices.count && c->fine; i++)
        hbg_rt_check_list(c, "place", HBG_RT_AT(pool->choices, i)->places, c->instants->places.count, false);
    if (c->fine) own_choices(c, owner);
    for (int32_t i = 0; i < pool->validities.count && c->fine; i++)
        hbg_rt_check_below(c, "dependent storages", HBG_RT_AT(pool->validities, i)->dependent,
                           c->instants->counts.states + 1);
    for (int32_t i = 0; i < pool->variants.count && c->fine; i++)
        check_variant(c, HBG_RT_AT(pool->variants, i));
    for (int32_t i = 0; i < pool->events.count && c->fine; i++) check_event(c, HBG_RT_AT(pool->events, i));
    for (int32_t i = 0; i < pool->answers.count && c->fine; i++)
        check_answer(c, owner, HBG_RT_AT(pool->answers, i));
    hbg_rt_room_return(room, owner);
}

void hbg_rt_check_modes(hbg_rt_checking *c) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_modes *modes = &image->modes;
    int32_t blocks = image->pool.blocks.count, islands = c->instants->kept.island_count;
    if (modes->words != (c->instants->places.count + 63) / 64)
        hbg_rt_check_refuse(c, "words of a mode", modes->words);
    if (modes->regions != image->pool.regions.count)
        hbg_rt_check_refuse(c, "number of regions", modes->regions);
    hbg_rt_check_list(c, "choice", modes->judged, image->pool.choices.count, false);
    hbg_rt_check_list(c, "choice", modes->islands, image->pool.choices.count, false);
    if (modes->islands.count != islands) hbg_rt_check_refuse(c, "number of islands", modes->islands.count);
    if (hbg_rt_check_inside(c, "dependent state", modes->dependent, image->pool.ints.count) &&
        modes->dependent.count % 2 != 0)
        hbg_rt_check_refuse(c, "dependent state", modes->dependent.count);
    for (int32_t i = 0; i < modes->dependent.count && c->fine; i += 2) {
        hbg_rt_check_below(c, "state", *HBG_RT_AT(image->pool.ints, modes->dependent.first + i),
                           c->instants->counts.states);
        hbg_rt_check_register(c, *HBG_RT_AT(image->pool.ints, modes->dependent.first + i + 1));
    }
    for (int32_t i = 0; i < modes->regions && c->fine; i++) {
        const hbg_rt_region *of = HBG_RT_AT(image->pool.regions, i);
        hbg_rt_check_list(c, "block", of->blocks, blocks, false);
        hbg_rt_check_list(c, "island", of->islands, islands, false);
        hbg_rt_check_list(c, "validity", of->judged, modes->judged.count, false);
        if (!c->fine) return;
        const int32_t *listed = hbg_rt_ints(image, of->blocks.first);
        for (int32_t k = 0; k < of->blocks.count && c->fine; k++)
            if (HBG_RT_AT(image->pool.blocks, listed[k])->choice < 0)
                hbg_rt_check_refuse(c, "block", listed[k]);
    }
    hbg_rt_check_text(c, modes->refused);
    hbg_rt_check_mark(c, &modes->first);
    hbg_rt_check_mark(c, &modes->built);
    if (c->fine) check_choices(c, (hbg_rt_room *)&c->loaded->room);
}
