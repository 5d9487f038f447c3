/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Checks of what a file holds, before anything runs: every number that is an index is below its count, every range is inside its pool,
 * every program ends. */
#include <math.h>
#include <string.h>

#include "rt/package_impl.h"

enum { MOST_REGISTERS = 1 << 26 };
#define MOST_WORK 1e8 /* instructions of one program, with all that it solves */

typedef struct {
    const hbg_rt_loaded *loaded;
    const hbg_rt_image *image;
    const hbg_rt_instants *instants;
    int32_t registers;
    bool fine;
} checking;

/* ---- numbers ------------------------------------------------------------------------------------------ */

static bool refuse(checking *c, const char *what, int32_t number) {
    if (c->fine) c->fine = hbg_rt_package_refuse(c->loaded, "%s %d is out of its range", what, (int)number);
    return false;
}

static bool below(checking *c, const char *what, int32_t number, int32_t count) {
    return number >= 0 && number < count ? c->fine : refuse(c, what, number);
}

static bool below_or_none(checking *c, const char *what, int32_t number, int32_t count) {
    return number == -1 || below(c, what, number, count);
}

static bool is_register(checking *c, int32_t reg) {
    return below(c, "register", reg, c->registers);
}

static bool is_register_or_none(checking *c, int32_t reg) {
    return below_or_none(c, "register", reg, c->registers);
}

static bool inside(checking *c, const char *what, hbg_rt_range range, int32_t count) {
    bool fine =
        range.first >= 0 && range.count >= 0 && range.first <= count && range.count <= count - range.first;
    return fine ? c->fine : refuse(c, what, range.first);
}

/* A list among the ints of the pools, or of the instants, whose items are below a count. */
static bool is_list(checking *c, const char *what, hbg_rt_range range, int32_t count, bool or_none) {
    if (!inside(c, what, range, c->image->pool.ints.count)) return false;
    for (int32_t i = 0; i < range.count && c->fine; i++) {
        int32_t item = *HBG_RT_AT(c->image->pool.ints, range.first + i);
        if (!(or_none && item == -1)) below(c, what, item, count);
    }
    return c->fine;
}

static bool is_instant_list(checking *c, const char *what, hbg_rt_range range, int32_t count) {
    if (!inside(c, what, range, c->instants->counts.ints)) return false;
    for (int32_t i = 0; i < range.count && c->fine; i++)
        below(c, what, c->instants->ints[range.first + i], count);
    return c->fine;
}

static bool is_program(checking *c, int32_t program) {
    return below_or_none(c, "program", program, c->image->pool.programs.count);
}

static bool is_text(checking *c, int32_t text) {
    if (!below_or_none(c, "text", text, c->image->pool.texts.count) || text < 0) return c->fine;
    size_t left = (size_t)(c->image->pool.texts.count - text);
    return memchr(HBG_RT_AT(c->image->pool.texts, text), 0, left) ? c->fine : refuse(c, "text", text);
}

/* ---- code --------------------------------------------------------------------------------------------- */

static const uint8_t arities[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = arity,
    HBG_OPERATOR_LIST(X)
#undef X
};

/* Operators that code computes with: leaves but for π are none, nor is what belongs to events. */
static bool is_computed(int32_t op) {
    return op == HBG_OP_PI || (op >= 0 && op < HBG_OP_PRE && arities[op] > 0);
}

static void check_instruction(checking *c, const hbg_rt_instruction *at, int32_t loops, bool in_charge) {
    const hbg_rt_pools *pool = &c->image->pool;
    int32_t located = at->located;
    if (at->op == HBG_RT_OP_SOLVE) {
        below(c, "loop", at->argument[0], in_charge ? 0 : loops);
        return;
    }
    is_register(c, at->d);
    below_or_none(c, "located relation", located, pool->located.count);
    int registers = 1;
    switch (at->op) {
    case HBG_RT_OP_COPY: break;
    case HBG_RT_OP_DEFAULT: below(c, "parameter", at->argument[2], c->instants->outside.param_count); break;
    case HBG_RT_OP_CHARGE:
        below(c, "law of charge", at->argument[1], in_charge ? 0 : pool->charges.count);
        break;
    case HBG_OP_TABLE:
    case HBG_RT_OP_SLOPE: below(c, "table", at->argument[1], pool->tables.count); break;
    default:
        if (!is_computed(at->op)) refuse(c, "operator", at->op);
        registers = c->fine ? arities[at->op] : 0;
    }
    for (int k = 0; k < registers; k++) is_register(c, at->argument[k]);
    if (registers < 3 && at->op < HBG_OP_COUNT && at->op != HBG_OP_TABLE)
        for (int k = registers; k < 3; k++) is_register_or_none(c, at->argument[k]);
    if (c->fine && located >= 0 && hbg_rt_branch_of(at->op) == BRANCH_NONE)
        refuse(c, "located relation", located);
}

static void check_program(checking *c, int32_t program, int32_t loops, bool in_charge) {
    if (!is_program(c, program) || program < 0) return;
    hbg_rt_range range = *HBG_RT_AT(c->image->pool.programs, program);
    if (!inside(c, "instruction", range, c->image->pool.instructions.count)) return;
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

static void check_pattern(checking *c, const hbg_rt_loop *of) {
    const hbg_rt_image *image = c->image;
    int32_t entries = of->entries.count;
    is_list(c, "start of a column", (hbg_rt_range){of->start, of->count + 1}, entries + 1, false);
    is_list(c, "row", (hbg_rt_range){of->row, entries}, of->count, false);
    is_list(c, "entry", (hbg_rt_range){of->entry_of, entries}, entries, false);
    if (!c->fine) return;
    const int32_t *start = hbg_rt_ints(image, of->start);
    for (int32_t i = 0; i < of->count; i++)
        if (start[i] > start[i + 1]) refuse(c, "start of a column", start[i]);
    if (start[0] != 0 || start[of->count] != entries) refuse(c, "start of a column", start[of->count]);
}

static void check_loop(checking *c, int32_t number) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_loop *of = HBG_RT_AT(image->pool.loops, number);
    int32_t most = c->image->code.mark.widest_loop;
    if (of->count < 1 || of->count > most) refuse(c, "size of loop", of->count);
    if (!c->fine) return;
    is_list(c, "register", (hbg_rt_range){of->reg, of->count}, c->registers, false);
    is_list(c, "register", (hbg_rt_range){of->residual, of->count}, c->registers, false);
    inside(c, "name", (hbg_rt_range){of->name, of->count}, image->pool.ints.count);
    inside(c, "area", (hbg_rt_range){of->area, of->count}, image->pool.ints.count);
    if (!inside(c, "entry", of->entries, image->pool.entries.count)) return;
    for (int32_t i = 0; i < of->entries.count && c->fine; i++) {
        const hbg_rt_entry *entry = HBG_RT_AT(image->pool.entries, of->entries.first + i);
        below(c, "row", entry->row, of->count);
        below(c, "column", entry->column, of->count);
        is_register(c, entry->reg);
    }
    if (of->sparse && of->entries.count > image->code.mark.most_entries) refuse(c, "entries of loop", number);
    if (of->sparse) check_pattern(c, of);
    check_program(c, of->body, number, false); // it solves those before it, so that all of them end
}

static void check_loops(checking *c, hbg_rt_room *room) {
    const hbg_rt_image *image = c->image;
    int32_t count = image->pool.loops.count;
    double *work = HBG_RT_TAKE(room, double, count + 1);
    if (image->code.mark.widest_loop > 4096 || !work) refuse(c, "size of loop", image->code.mark.widest_loop);
    for (int32_t i = 0; i < count && c->fine; i++) {
        check_loop(c, i);
        if (c->fine) work[i] = 64.0 * work_of(image, HBG_RT_AT(image->pool.loops, i)->body, work);
        if (c->fine && work[i] > MOST_WORK) refuse(c, "work of loop", i);
    }
    for (int32_t i = 0; i < image->pool.programs.count && c->fine; i++) {
        check_program(c, i, count, false);
        if (c->fine && work_of(image, i, work) > MOST_WORK) refuse(c, "work of program", i);
    }
    for (int32_t i = 0; i < image->pool.prologue.count && c->fine; i++)
        check_instruction(c, HBG_RT_AT(image->pool.prologue, i), count, false);
    hbg_rt_room_return(room, work);
}

static void check_table(checking *c, const hbg_rt_table *of) {
    const hbg_rt_image *image = c->image;
    if (of->count < 1) refuse(c, "size of table", of->count);
    inside(c, "table", (hbg_rt_range){of->x, of->count}, image->pool.numbers.count);
    inside(c, "table", (hbg_rt_range){of->y, of->count}, image->pool.numbers.count);
    if (of->count < INT32_MAX)
        inside(c, "table", (hbg_rt_range){of->turns, of->count + 1}, image->pool.ints.count);
    if (!c->fine) return;
    const double *x = HBG_RT_AT(image->pool.numbers, of->x), *y = HBG_RT_AT(image->pool.numbers, of->y);
    for (int32_t i = 0; i < of->count; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]) || (i > 0 && x[i] < x[i - 1]))
            refuse(c, "point of a table", i);
}

static void check_mark(checking *c, const hbg_rt_mark *mark) {
    const hbg_rt_pools *pool = &c->image->pool;
    const hbg_rt_mark *whole = &c->image->code.mark;
    below(c, "mark of registers", mark->registers, c->registers + 1);
    below(c, "mark of constants", mark->constants, pool->constants.count + 1);
    below(c, "mark of the prologue", mark->prologue, pool->prologue.count + 1);
    below(c, "mark of relations", mark->located, pool->located.count + 1);
    below(c, "mark of loops", mark->loops, pool->loops.count + 1);
    below(c, "mark of loops", mark->widest_loop, whole->widest_loop + 1);
    below(c, "mark of loops", mark->most_entries, whole->most_entries + 1);
}

static void check_readout(checking *c, const hbg_rt_readout *of, int32_t least, int32_t most) {
    is_program(c, of->code);
    is_list(c, "register", of->reg, c->registers, false);
    if (of->reg.count < least || of->reg.count > most) refuse(c, "length of a readout", of->reg.count);
}

static void check_small_pools(checking *c) {
    const hbg_rt_pools *pool = &c->image->pool;
    for (int32_t i = 0; i < pool->constants.count && c->fine; i++)
        is_register(c, HBG_RT_AT(pool->constants, i)->reg);
    for (int32_t i = 0; i < pool->tables.count && c->fine; i++) check_table(c, HBG_RT_AT(pool->tables, i));
    for (int32_t i = 0; i < pool->located.count && c->fine; i++)
        below_or_none(c, "table", HBG_RT_AT(pool->located, i)->over_time, pool->tables.count);
    for (int32_t i = 0; i < pool->charges.count && c->fine; i++) {
        const hbg_rt_charge *of = HBG_RT_AT(pool->charges, i);
        is_register(c, of->state_reg);
        is_register(c, of->law_reg);
        check_program(c, of->code, 0, true);
    }
}

static void check_colours(checking *c) {
    const hbg_rt_colours *of = &c->image->code.colours;
    int32_t n = c->instants->counts.states;
    if (!atomic_load(&c->image->has_colours)) return;
    if (of->count != n || of->colour_count < 0 || of->colour_count > n)
        refuse(c, "size of the Jacobian", of->count);
    if (!c->fine || !inside(c, "column", (hbg_rt_range){of->start, n + 1}, c->image->pool.ints.count)) return;
    const int32_t *start = hbg_rt_ints(c->image, of->start);
    for (int32_t i = 0; i < n; i++)
        if (start[i] < 0 || start[i] > start[i + 1]) refuse(c, "column", i);
    if (!c->fine) return;
    is_list(c, "row", (hbg_rt_range){of->row, start[n]}, n, false);
    is_list(c, "column", (hbg_rt_range){of->columns, n}, n, false);
    is_list(c, "colour", (hbg_rt_range){of->column_start, of->colour_count + 1}, n + 1, false);
    is_list(c, "register", (hbg_rt_range){of->reg, n}, c->registers, true);
    if (!c->fine) return;
    const int32_t *reg = hbg_rt_ints(c->image, of->reg), *row = hbg_rt_ints(c->image, of->row),
                  *column = hbg_rt_ints(c->image, of->column_start);
    for (int32_t k = 0; k < start[n]; k++)
        if (reg[row[k]] < 0) refuse(c, "register of a row", row[k]);
    for (int32_t i = 0; i < of->colour_count; i++)
        if (column[i] > column[i + 1]) refuse(c, "colour", i);
    check_mark(c, &of->mark);
}

static void check_code(checking *c) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_code *code = &image->code;
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    if (code->mark.registers < 1 || code->mark.registers > MOST_REGISTERS)
        refuse(c, "number of registers", code->mark.registers);
    check_mark(c, &code->mark);
    check_small_pools(c);
    if (c->fine) check_loops(c, (hbg_rt_room *)&c->loaded->room);
    int32_t located = image->pool.located.count;
    if (code->located_limit < located || code->located_limit > INT32_MAX / 4)
        refuse(c, "located relations", code->located_limit);
    below(c, "located relations", code->located_params, located + 1);
    below(c, "located relations", code->located_always, located + 1);
    check_readout(c, &code->start, 0, counts->states);
    check_readout(c, &code->finals[HBG_RT_FIELD], counts->states, counts->states);
    check_readout(c, &code->finals[HBG_RT_OUTPUTS], 0, INT32_MAX);
    check_readout(c, &code->finals[HBG_RT_POWERS], counts->powers, counts->powers);
    int32_t ticks = c->instants->outside.clock_count + c->instants->outside.tick_pre_count;
    check_readout(c, &code->finals[HBG_RT_TICKS], ticks, ticks);
    check_readout(c, &code->finals[HBG_RT_WATCH], counts->relations, INT32_MAX);
    check_readout(c, &code->energies, counts->storages, counts->storages);
    is_list(c, "register", code->waves, c->registers, false);
    check_colours(c);
}

/* ---- modes -------------------------------------------------------------------------------------------- */

static void check_variant(checking *c, const hbg_rt_variant *of) {
    for (int r = 0; r < HBG_RT_READINGS; r++) is_program(c, of->code[r]);
    is_list(c, "located relation", of->located, c->image->pool.located.count, false);
    inside(c, "name", of->names, c->image->pool.ints.count);
    if (of->names.count % 2 != 0) refuse(c, "name", of->names.count);
    is_text(c, of->refused);
    check_mark(c, &of->mark);
    if (of->has_tangent) check_mark(c, &of->tangent_mark);
}

static void check_event(checking *c, const hbg_rt_event *of) {
    is_program(c, of->code);
    is_list(c, "register", of->inputs, c->registers, false);
    is_list(c, "state", of->olds, c->instants->counts.states, false);
    is_list(c, "register", of->reg, c->registers, true);
    is_list(c, "register", of->work, c->registers, false);
    if (inside(c, "check", of->checks, c->image->pool.ints.count) && of->checks.count % 2 != 0)
        refuse(c, "check", of->checks.count);
    for (int32_t i = 0; i < of->checks.count && c->fine; i += 2)
        is_register(c, *HBG_RT_AT(c->image->pool.ints, of->checks.first + i));
    is_text(c, of->refused);
    check_mark(c, &of->mark);
}

enum { OF_NOTHING, OF_VALIDITY, OF_BLOCK, OF_ISLAND };

/* What a choice is of, and of which number: one thing each. */
static void own_choice(checking *c, int32_t *owner, int32_t choice, int32_t kind, int32_t number) {
    if (!below(c, "choice", choice, c->image->pool.choices.count)) return;
    if (owner[2 * choice] != OF_NOTHING) refuse(c, "choice", choice);
    owner[2 * choice] = kind;
    owner[2 * choice + 1] = number;
}

static void check_answer(checking *c, const int32_t *owner, const hbg_rt_answer *of) {
    const hbg_rt_pools *pool = &c->image->pool;
    if (!below(c, "choice", of->choice, pool->choices.count)) return;
    int32_t places = HBG_RT_AT(pool->choices, of->choice)->places.count, number = owner[2 * of->choice + 1];
    inside(c, "key", (hbg_rt_range){of->key, (places + 63) / 64}, pool->keys.count);
    switch (owner[2 * of->choice]) {
    case OF_VALIDITY: below(c, "validity", of->value, pool->validities.count); break;
    case OF_BLOCK: below(c, "variant", of->value, pool->variants.count); break;
    case OF_ISLAND: {
        if (!below(c, "event", of->value, pool->events.count)) return;
        const hbg_rt_event *event = HBG_RT_AT(pool->events, of->value);
        const hbg_rt_island *island = &c->instants->kept.islands[number];
        if (event->reg.count != island->asked.count || event->work.count != island->powers.count)
            refuse(c, "event of an island", of->value);
        break;
    }
    default: refuse(c, "choice", of->choice);
    }
}

static void own_choices(checking *c, int32_t *owner) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_modes *modes = &image->modes;
    for (int32_t i = 0; i < modes->judged.count && c->fine; i++)
        own_choice(c, owner, hbg_rt_ints(image, modes->judged.first)[i], OF_VALIDITY, i);
    for (int32_t i = 0; i < modes->islands.count && c->fine; i++)
        own_choice(c, owner, hbg_rt_ints(image, modes->islands.first)[i], OF_ISLAND, i);
    for (int32_t i = 0; i < image->pool.blocks.count && c->fine; i++) {
        const hbg_rt_block *of = HBG_RT_AT(image->pool.blocks, i);
        for (int r = 0; r < HBG_RT_READINGS; r++) is_program(c, of->code[r]);
        if (of->choice != -1) own_choice(c, owner, of->choice, OF_BLOCK, i);
    }
}

static void check_choices(checking *c, hbg_rt_room *room) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_pools *pool = &image->pool;
    int32_t *owner = HBG_RT_TAKE(room, int32_t, 2 * (size_t)pool->choices.count + 2);
    if (!owner) refuse(c, "number of choices", pool->choices.count);
    for (int32_t i = 0; i < pool->choices.count && c->fine; i++)
        is_list(c, "place", HBG_RT_AT(pool->choices, i)->places, c->instants->places.count, false);
    if (c->fine) own_choices(c, owner);
    for (int32_t i = 0; i < pool->variants.count && c->fine; i++)
        check_variant(c, HBG_RT_AT(pool->variants, i));
    for (int32_t i = 0; i < pool->events.count && c->fine; i++) check_event(c, HBG_RT_AT(pool->events, i));
    for (int32_t i = 0; i < pool->answers.count && c->fine; i++)
        check_answer(c, owner, HBG_RT_AT(pool->answers, i));
    hbg_rt_room_return(room, owner);
}

static void check_modes(checking *c) {
    const hbg_rt_image *image = c->image;
    const hbg_rt_modes *modes = &image->modes;
    int32_t blocks = image->pool.blocks.count, islands = c->instants->kept.island_count;
    if (modes->words != (c->instants->places.count + 63) / 64) refuse(c, "words of a mode", modes->words);
    if (modes->regions != image->pool.regions.count) refuse(c, "number of regions", modes->regions);
    is_list(c, "choice", modes->judged, image->pool.choices.count, false);
    is_list(c, "choice", modes->islands, image->pool.choices.count, false);
    if (modes->islands.count != islands) refuse(c, "number of islands", modes->islands.count);
    if (inside(c, "dependent state", modes->dependent, image->pool.ints.count) &&
        modes->dependent.count % 2 != 0)
        refuse(c, "dependent state", modes->dependent.count);
    for (int32_t i = 0; i < modes->dependent.count && c->fine; i += 2) {
        below(c, "state", *HBG_RT_AT(image->pool.ints, modes->dependent.first + i),
              c->instants->counts.states);
        is_register(c, *HBG_RT_AT(image->pool.ints, modes->dependent.first + i + 1));
    }
    for (int32_t i = 0; i < modes->regions && c->fine; i++) {
        const hbg_rt_region *of = HBG_RT_AT(image->pool.regions, i);
        is_list(c, "block", of->blocks, blocks, false);
        is_list(c, "island", of->islands, islands, false);
        is_list(c, "validity", of->judged, modes->judged.count, false);
        if (!c->fine) return;
        const int32_t *listed = hbg_rt_ints(image, of->blocks.first);
        for (int32_t k = 0; k < of->blocks.count && c->fine; k++)
            if (HBG_RT_AT(image->pool.blocks, listed[k])->choice < 0) refuse(c, "block", listed[k]);
    }
    is_text(c, modes->refused);
    check_mark(c, &modes->first);
    check_mark(c, &modes->built);
    if (c->fine) check_choices(c, (hbg_rt_room *)&c->loaded->room);
}

/* ---- instants ----------------------------------------------------------------------------------------- */

static void check_node(checking *c, int32_t number) {
    const hbg_rt_node *of = &c->instants->values.nodes[number];
    const int32_t arguments[] = {of->a, of->b, of->c};
    int arity = of->op < HBG_OP_COUNT ? arities[of->op] : of->op == HBG_RT_OP_VARIABLE ? 0 : 1;
    if (of->op > HBG_RT_OP_RATE || of->op == HBG_RT_OP_CHARGE) refuse(c, "operator", of->op);
    bool leaf = of->op == HBG_OP_NUMBER || of->op == HBG_OP_PI || of->op == HBG_RT_OP_VARIABLE;
    if ((arity == 0 && !leaf) || of->op == HBG_OP_PRE || of->op == HBG_OP_IMPULSE || of->op == HBG_OP_DER ||
        of->op == HBG_OP_IN || of->arity != arity)
        refuse(c, "operator", of->op);
    for (int k = 0; k < of->arity && k < 3 && c->fine; k++) below(c, "node", arguments[k], number);
    if (of->op == HBG_OP_TABLE || of->op == HBG_RT_OP_SLOPE)
        below(c, "table", of->b, c->image->pool.tables.count);
    if (of->op == HBG_RT_OP_VARIABLE) below(c, "cell", of->cell, c->instants->values.cell_count);
    below_or_none(c, "cell", of->cell, c->instants->values.cell_count);
    below_or_none(c, "relation", of->relation, c->instants->counts.relations);
}

static void check_cell(checking *c, const hbg_rt_cell *of) {
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    below(c, "kind of a cell", of->kind, HBG_RT_CELL_UNDEFINED + 1);
    below(c, "view of a cell", of->view, HBG_RT_VIEW_AREA + 1);
    is_register_or_none(c, of->home);
    below_or_none(c, "cell", of->area, c->instants->values.cell_count);
    below_or_none(c, "left limit", of->left, c->instants->values.left_count);
    if (of->kind == HBG_RT_CELL_PRE) below(c, "pre", of->index, counts->pres);
    if (of->kind == HBG_RT_CELL_IN) below(c, "in", of->index, counts->ins);
    if (of->kind == HBG_RT_CELL_UNDEFINED) below(c, "place", of->index, c->instants->places.count);
    if (of->kind == HBG_RT_CELL_PARAM) is_register(c, of->home);
}

/* A walk ends with what it is of, and has its arguments before it. */
static void check_walk(checking *c, hbg_rt_range walk, bool may_be_empty) {
    if (!inside(c, "walk", walk, c->instants->counts.walks)) return;
    if (walk.count == 0 && !may_be_empty) refuse(c, "walk", walk.first);
    for (int32_t i = 0; i < walk.count && c->fine; i++)
        below(c, "node", c->instants->values.walks[walk.first + i], c->instants->values.node_count);
}

static void check_values(checking *c) {
    const hbg_rt_values *values = &c->instants->values;
    if (values->left_count < 0 || values->left_count > values->cell_count)
        refuse(c, "left limits", values->left_count);
    for (int32_t i = 0; i < values->cell_count && c->fine; i++) check_cell(c, &values->cells[i]);
    for (int32_t i = 0; i < values->node_count && c->fine; i++) check_node(c, i);
}

static void check_relation(checking *c, const hbg_rt_relation *of) {
    int32_t nodes = c->instants->values.node_count;
    if (of->op < HBG_OP_EQUAL || of->op > HBG_OP_GREATER_EQUAL) refuse(c, "relation", of->op);
    below(c, "node", of->node, nodes);
    below(c, "node", of->left, nodes);
    below(c, "node", of->right, nodes);
    check_walk(c, of->difference, false);
    is_register(c, of->watch);
    is_register_or_none(c, of->watch_area);
    if (inside(c, "named state", of->named, c->instants->counts.named))
        for (int32_t i = 0; i < of->named.count && c->fine; i++)
            below(c, "state", c->instants->guards.named[of->named.first + i].state,
                  c->instants->counts.states);
    is_instant_list(c, "island", of->islands, c->instants->kept.island_count);
}

static void check_guard(checking *c, int32_t number) {
    const hbg_rt_guards *guards = &c->instants->guards;
    const hbg_rt_guard *of = &guards->guards[number];
    check_walk(c, of->condition, true);
    if (inside(c, "relation of a guard", of->relations, c->instants->counts.enablings))
        for (int32_t i = 0; i < of->relations.count && c->fine; i++)
            below(c, "relation", guards->enablings[of->relations.first + i].relation,
                  c->instants->counts.relations);
    if (!inside(c, "step", of->steps, c->instants->counts.steps)) return;
    if (of->steps.count > c->instants->counts.longest_condition)
        refuse(c, "steps of a guard", of->steps.count);
    for (int32_t i = 0; i < of->steps.count && c->fine; i++) {
        const hbg_rt_guard_step *step = &guards->steps[of->steps.first + i];
        if (step->op == HBG_RT_STEP_RELATION) {
            below(c, "relation", step->a, c->instants->counts.relations);
        } else if (step->op == HBG_RT_STEP_REGISTER) {
            is_register(c, step->a);
        } else if (step->op != HBG_RT_STEP_NUMBER) {
            if (!is_computed(step->op) || step->op == HBG_OP_TABLE || step->op == HBG_OP_PI)
                refuse(c, "operator", step->op);
            below(c, "step", step->a, i);
            below_or_none(c, "step", step->b, i);
            below_or_none(c, "step", step->c, i);
        }
    }
}

static int32_t states_of(const checking *c, int32_t automaton) {
    return c->instants->switching.automata[automaton].states.count;
}

static void check_automaton(checking *c, int32_t number) {
    const hbg_rt_switching *switching = &c->instants->switching;
    const hbg_rt_automaton_data *of = &switching->automata[number];
    is_register(c, of->reg);
    if (!inside(c, "state", of->states, c->instants->counts.discretes)) return;
    below(c, "start state", of->start, of->states.count);
    if (!(of->every >= 0)) refuse(c, "sample period of automaton", number);
    if (inside(c, "place", of->places, c->instants->counts.controlled))
        for (int32_t i = 0; i < of->places.count && c->fine; i++)
            below(c, "place", switching->controlled[of->places.first + i], c->instants->places.count);
    for (int32_t s = 0; s < of->states.count && c->fine; s++) {
        hbg_rt_range transitions = switching->discretes[of->states.first + s].transitions;
        if (!inside(c, "transition", transitions, c->instants->counts.transitions)) return;
        for (int32_t i = 0; i < transitions.count && c->fine; i++) {
            const hbg_rt_transition *at = &switching->transitions[transitions.first + i];
            if (at->automaton != number || at->state != s || at->after < 0)
                refuse(c, "transition", transitions.first + i);
            below(c, "target state", at->target, of->states.count);
        }
    }
}

static void check_automata(checking *c) {
    const hbg_rt_instants *instants = c->instants;
    int32_t automata = instants->counts.automata;
    for (int32_t i = 0; i < automata && c->fine; i++) check_automaton(c, i);
    for (int32_t i = 0; i < instants->counts.timed && c->fine; i++)
        below(c, "automaton", instants->switching.timed[i], automata);
    for (int32_t i = 0; i < instants->counts.tests && c->fine; i++) {
        const hbg_rt_test *of = &instants->places.tests[i];
        if (!below(c, "automaton", of->automaton, automata)) return;
        below_or_none(c, "state", of->state, states_of(c, of->automaton));
        if (of->yes < HBG_RT_PLACE_OFF || of->yes >= i || of->no < HBG_RT_PLACE_OFF || of->no >= i)
            refuse(c, "test", i);
    }
    for (int32_t i = 0; i < instants->places.count && c->fine; i++) {
        const hbg_rt_place *of = &instants->places.places[i];
        if (of->control < HBG_RT_PLACE_OFF || of->control >= instants->counts.tests)
            refuse(c, "test", of->control);
        is_register(c, of->reg);
        is_register_or_none(c, of->undefined);
        below(c, "region", of->region, c->image->modes.regions);
    }
    for (int32_t i = 0; i < instants->counts.relations && c->fine; i++)
        check_relation(c, &instants->guards.relations[i]);
    for (int32_t i = 0; i < instants->counts.transitions && c->fine; i++) check_guard(c, i);
}

static void check_island(checking *c, const hbg_rt_island *of) {
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    is_instant_list(c, "automaton", of->automata, counts->automata);
    is_instant_list(c, "relation", of->relations, counts->relations);
    is_instant_list(c, "state", of->states, counts->states);
    is_instant_list(c, "pre", of->pres, counts->pres);
    is_instant_list(c, "in", of->ins, counts->ins);
    is_instant_list(c, "cell", of->left, c->instants->values.cell_count);
    is_instant_list(c, "power", of->powers, counts->powers);
    is_instant_list(c, "bond", of->bonds, counts->bonds);
    is_instant_list(c, "restitution", of->restitution, counts->restitution);
    is_instant_list(c, "cell", of->asked, c->instants->values.cell_count);
    for (int32_t i = 0; i < of->left.count && c->fine; i++)
        if (c->instants->values.cells[c->instants->ints[of->left.first + i]].left < 0)
            refuse(c, "left limit", i);
}

static void check_restitution(checking *c, const hbg_rt_restitution *of) {
    below(c, "place", of->place, c->instants->places.count);
    is_register(c, of->reg);
    below(c, "group of rebounds", of->throws, c->instants->kept.throw_count);
    check_walk(c, of->coefficient, false);
    if (inside(c, "share", of->sum, c->instants->counts.shares))
        for (int32_t i = 0; i < of->sum.count && c->fine; i++) {
            int32_t cell = c->instants->kept.shares[of->sum.first + i].cell;
            if (below(c, "cell", cell, c->instants->values.cell_count) &&
                c->instants->values.cells[cell].left < 0)
                refuse(c, "left limit", cell);
        }
}

static void check_kept(checking *c) {
    const hbg_rt_kept *kept = &c->instants->kept;
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    int32_t cells = c->instants->values.cell_count, lefts = c->instants->values.left_count;
    for (int32_t i = 0; i < kept->island_count && c->fine; i++) check_island(c, &kept->islands[i]);
    for (int32_t i = 0; i < counts->pres && c->fine; i++) {
        is_register(c, kept->pres[i].reg);
        check_walk(c, kept->pres[i].walk, false);
    }
    for (int32_t i = 0; i < counts->ins && c->fine; i++) {
        const hbg_rt_in *of = &kept->ins[i];
        if (below(c, "automaton", of->automaton, counts->automata))
            below(c, "state", of->state, states_of(c, of->automaton));
        is_register(c, of->fin);
        is_register(c, of->area);
        check_walk(c, of->walk, false);
    }
    for (int32_t i = 0; i < counts->restitution && c->fine; i++) check_restitution(c, &kept->restitution[i]);
    for (int32_t i = 0; i < counts->powers && c->fine; i++) {
        below_or_none(c, "cell", kept->sources[i].area, cells);
        below_or_none(c, "left limit", kept->sources[i].other, lefts);
    }
    for (int32_t i = 0; i < counts->states && c->fine; i++) {
        below_or_none(c, "cell", kept->states[i].cell, cells);
        below_or_none(c, "left limit", kept->states[i].left, lefts);
        is_register(c, kept->states[i].old);
        below_or_none(c, "storage", kept->states[i].storage, counts->storages);
    }
    for (int32_t i = 0; i < counts->bonds && c->fine; i++) {
        below_or_none(c, "cell", kept->bonds[i].effort, cells);
        below_or_none(c, "cell", kept->bonds[i].flow, cells);
        below_or_none(c, "island", kept->bonds[i].island, kept->island_count);
    }
    for (int32_t i = 0; i < counts->automata && c->fine; i++) {
        below(c, "automaton", kept->leaders[i], counts->automata);
        below_or_none(c, "island", kept->automaton_island[i], kept->island_count);
        if (kept->automaton_throws)
            below(c, "group of rebounds", kept->automaton_throws[i], kept->throw_count);
    }
}

static void check_outside(checking *c) {
    const hbg_rt_outside *outside = &c->instants->outside;
    const hbg_rt_calm *calm = &c->instants->calm;
    for (int32_t i = 0; i < outside->input_count && c->fine; i++) {
        is_register(c, outside->inputs[i].value);
        is_register(c, outside->inputs[i].given);
    }
    for (int32_t i = 0; i < outside->param_count && c->fine; i++) {
        is_register(c, outside->params[i].value);
        is_register_or_none(c, outside->params[i].rate);
    }
    for (int32_t i = 0; i < outside->clock_count && c->fine; i++) {
        const hbg_rt_clock_data *of = &outside->clocks[i];
        if (of->automaton == -1) is_register(c, of->held);
        if (of->automaton == -1) is_register(c, of->shown);
        below_or_none(c, "automaton", of->automaton, c->instants->counts.automata);
    }
    for (int32_t i = 0; i < outside->tick_pre_count && c->fine; i++)
        below(c, "pre", outside->tick_pres[i], c->instants->counts.pres);
    is_register(c, outside->live);
    is_register(c, outside->open);
    is_instant_list(c, "automaton", calm->automata, c->instants->counts.automata);
    is_instant_list(c, "island", calm->islands, c->instants->kept.island_count);
    is_instant_list(c, "relation", calm->relations, c->instants->counts.relations);
    is_instant_list(c, "relation", calm->others, c->instants->counts.relations);
}

/* ---- names -------------------------------------------------------------------------------------------- */

static bool is_string(checking *c, int32_t at) {
    return below(c, "string", at, c->loaded->string_size) &&
           (memchr(c->loaded->strings + at, 0, (size_t)(c->loaded->string_size - at))
                ? c->fine
                : refuse(c, "string", at));
}

static void check_strings(checking *c) {
    const hbg_rt_loaded *loaded = c->loaded;
    int32_t at = 0, states = 0, automaton = -1;
    for (int i = 0; i < 3 && is_string(c, at); i++) at += (int32_t)strlen(loaded->strings + at) + 1;
    for (int32_t i = 0; i < loaded->word_count && c->fine; i++) is_string(c, loaded->words[i].text);
    for (int32_t i = 0; i < loaded->name_count && c->fine; i++) {
        const hbg_rt_package_name *of = &loaded->names[i];
        below(c, "list of names", of->list, HBG_RT_NAMES_COUNT);
        is_string(c, of->name);
        if (of->unit != -1) is_string(c, of->unit);
        if (of->list == HBG_RT_NAMES_POWER) below(c, "kind of power", of->flag, HBG_RT_MODULATED + 1);
        if (of->list == HBG_RT_NAMES_CLOCK && !(of->number > 0)) refuse(c, "clock", i);
        if (states > 0 && of->list != HBG_RT_NAMES_DISCRETE) refuse(c, "name of a state", i);
        if (of->list == HBG_RT_NAMES_DISCRETE && states-- <= 0) refuse(c, "name of a state", i);
        if (of->list != HBG_RT_NAMES_AUTOMATON) continue;
        automaton++;
        if (below(c, "automaton", automaton, c->instants->counts.automata) &&
            of->flag != states_of(c, automaton))
            refuse(c, "states of automaton", automaton);
        states = of->flag;
    }
    if (states > 0) refuse(c, "name of a state", states);
}

/* As many names as there are things. */
static void check_lengths(checking *c) {
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
        if (found[i] != wanted[i]) refuse(c, "number of names", found[i]);
}

static void check_numbers(checking *c) {
    const hbg_rt_package_numbers *numbers = c->loaded->numbers;
    const int32_t *all = (const int32_t *)(const void *)numbers,
                  *counts = (const int32_t *)(const void *)&c->instants->counts;
    for (size_t i = 0; i < sizeof *numbers / sizeof *all; i++)
        if (all[i] < 0 || all[i] > INT32_MAX / 8) refuse(c, "number", all[i]);
    for (size_t i = 0; i < sizeof c->instants->counts / sizeof *counts; i++)
        if (counts[i] < 0 || counts[i] > INT32_MAX / 8) refuse(c, "count", counts[i]);
    int32_t limit = c->image->code.located_limit, relations = c->instants->counts.relations;
    int32_t roots = limit + (c->instants->has_events ? relations : 0);
    if (numbers->guard_first != limit || numbers->root_count != roots || numbers->idle_roots > roots)
        refuse(c, "number of roots", numbers->root_count);
    for (int32_t i = 0; i < c->loaded->package.action_count && c->fine; i++)
        below(c, "input", c->loaded->package.actions[i].input, c->instants->outside.input_count);
    for (int32_t i = 0; i < c->loaded->package.setting_count && c->fine; i++)
        below(c, "parameter", c->loaded->package.settings[i].param, c->instants->outside.param_count);
}

static void check_overrides(checking *c) {
    const hbg_rt_package *package = &c->loaded->package;
    for (int32_t i = 0; i < package->override_count && c->fine; i++) {
        const hbg_rt_package_override *of = &package->overrides[i];
        below_or_none(c, "sensor", of->sensor, package->sensor_count);
        if (of->kind == HBG_RT_SET_PARAM) {
            below(c, "parameter", of->index, c->instants->outside.param_count);
        } else if (of->kind == HBG_RT_SENSE) {
            below(c, "clock", of->index, c->instants->outside.clock_count);
        } else if (of->kind == HBG_RT_HOLD) {
            if (below(c, "automaton", of->index, c->instants->counts.automata) &&
                (of->state < HBG_RT_HOLD_OFF || of->state >= states_of(c, of->index)))
                refuse(c, "state", of->state);
        } else {
            refuse(c, "kind of override", of->kind);
        }
        if (!(of->time >= 0) || (i > 0 && of->time < package->overrides[i - 1].time))
            refuse(c, "time of override", i);
    }
    for (int32_t i = 1; i < package->action_count && c->fine; i++)
        if (!(package->actions[i].time >= package->actions[i - 1].time)) refuse(c, "time of action", i);
}

static void check_layout(checking *c) {
    const hbg_rt_layout *layout = &c->image->layout;
    int32_t states = c->instants->counts.states;
    is_register(c, layout->time);
    is_list(c, "register", layout->state, c->registers, false);
    is_list(c, "register", layout->old, c->registers, false);
    is_list(c, "register", layout->seed, c->registers, false);
    if (layout->state.count != states || layout->old.count != states || layout->seed.count != states)
        refuse(c, "number of states", layout->state.count);
    if (inside(c, "name", layout->names, c->image->pool.ints.count) && layout->names.count % 2 != 0)
        refuse(c, "name", layout->names.count);
}

bool hbg_rt_package_check(const hbg_rt_loaded *loaded) {
    const hbg_rt_image *image = &loaded->image;
    checking c = {.loaded = loaded,
                  .image = image,
                  .instants = &image->instants,
                  .registers = image->code.mark.registers,
                  .fine = true};
    void (*const checks[])(checking *) = {check_numbers,  check_layout,  check_code,    check_values,
                                          check_automata, check_kept,    check_outside, check_overrides,
                                          check_modes,    check_strings, check_lengths};
    for (size_t i = 0; i < sizeof checks / sizeof *checks && c.fine; i++) checks[i](&c);
    return c.fine;
}
