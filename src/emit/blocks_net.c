/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks and what they read. Equal blocks are one block, so common parts of local modes are computed once;
 * unread blocks are left out. A block comes after those it reads now: integrators, automata and the value of
 * a constraint are read with their present values. */
#include <string.h>

#include "emit/blocks_impl.h"

const char *hbg_emit_block_kind_text(block_kind kind) {
    static const char *const texts[] = {
#define X(id, text) text,
        BLOCK_LIST(X)
#undef X
    };
    return texts[kind];
}

/* ---- equal blocks ------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, uint64_t more) {
    sum = (sum ^ more) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t sum_of(const block *of, const int32_t *in, const int32_t *data) {
    uint64_t sum = mix(mix((uint64_t)of->kind, (uint64_t)of->of), bits_of(of->number));
    for (int32_t i = 0; i < of->in_count; i++) sum = mix(sum, (uint64_t)in[i]);
    for (int32_t i = 0; i < of->data_count; i++) sum = mix(sum, (uint64_t)data[i]);
    return sum;
}

static bool is_same(const hbg_emit_blocks *d, const block *a, const block *b, const int32_t *in,
                    const int32_t *data) {
    return a->kind == b->kind && a->of == b->of && bits_of(a->number) == bits_of(b->number) &&
           a->is_fact == b->is_fact && a->in_count == b->in_count && a->data_count == b->data_count &&
           memcmp(hbg_emit_block_in(d, a), in, (size_t)a->in_count * sizeof *in) == 0 &&
           memcmp(hbg_emit_block_data(d, a), data, (size_t)a->data_count * sizeof *data) == 0;
}

static int32_t find_slot(const hbg_emit_blocks *d, const block *of, const int32_t *in, const int32_t *data) {
    uint64_t at = sum_of(of, in, data);
    for (;; at++) {
        int32_t slot = (int32_t)(at & (uint64_t)(d->slot_count - 1));
        if (d->slots[slot] == 0 || is_same(d, &d->blocks.items[d->slots[slot] - 1], of, in, data))
            return slot;
    }
}

static void grow(hbg_emit_blocks *d) {
    if (d->slot_count > 2 * (d->blocks.count + 1)) return;
    d->slot_count = d->slot_count ? 2 * d->slot_count : 1024;
    d->slots = HBG_NEW_ARRAY(d->arena, int32_t, d->slot_count);
    for (int32_t i = 0; i < d->blocks.count; i++) {
        const block *of = &d->blocks.items[i];
        d->slots[find_slot(d, of, hbg_emit_block_in(d, of), hbg_emit_block_data(d, of))] = i + 1;
    }
}

static bool is_shared(block_kind kind) {
    return kind != BLOCK_CONSTRAINT && kind != BLOCK_INTEGRATOR && kind != BLOCK_REFUSED;
}

int32_t hbg_emit_block(hbg_emit_blocks *d, block of, const int32_t *in, const int32_t *data) {
    static const int32_t none[1];
    grow(d);
    in = of.in_count > 0 ? in : none;
    data = of.data_count > 0 ? data : none;
    int32_t slot = is_shared(of.kind) ? find_slot(d, &of, in, data) : HBG_NONE;
    if (slot != HBG_NONE && d->slots[slot] != 0) return d->slots[slot] - 1;
    of.in = d->ints.count;
    for (int32_t i = 0; i < of.in_count; i++) HBG_PUSH(d->arena, d->ints, in[i]);
    of.data = d->ints.count;
    for (int32_t i = 0; i < of.data_count; i++) HBG_PUSH(d->arena, d->ints, data[i]);
    if (d->ints.count == 0) HBG_PUSH(d->arena, d->ints, 0); // so that there is an address
    HBG_PUSH(d->arena, d->blocks, of);
    if (slot != HBG_NONE) d->slots[slot] = d->blocks.count;
    return d->blocks.count - 1;
}

int32_t hbg_emit_block_constant(hbg_emit_blocks *d, double number) {
    return hbg_emit_block(d, (block){.kind = BLOCK_CONSTANT, .number = number == 0 ? 0 : number}, NULL, NULL);
}

int32_t hbg_emit_block_refused(hbg_emit_blocks *d, const char *why) {
    return hbg_emit_block(d, (block){.kind = BLOCK_REFUSED, .name = why}, NULL, NULL);
}

/* ---- order -------------------------------------------------------------------------------------------- */

/* Blocks that hold their output: their readers need not wait for them. */
static bool holds(block_kind kind) {
    return kind == BLOCK_INTEGRATOR || kind == BLOCK_CONSTRAINT;
}

typedef struct {
    hbg_emit_blocks *d;
    uint8_t *seen; /* by block: 1 while its inputs are visited, 2 done */
    int32_map stack, pending;
} ordering;

/* Depth first, without recursion: a block is done when all its inputs are. */
static void visit(ordering *o, int32_t root) {
    hbg_emit_blocks *d = o->d;
    HBG_PUSH(d->arena, o->stack, root);
    while (o->stack.count > 0) {
        int32_t at = o->stack.items[o->stack.count - 1];
        const block *of = &d->blocks.items[at];
        if (o->seen[at] > 0) {
            o->stack.count--;
            if (o->seen[at] == 1) d->order[d->order_count++] = at;
            o->seen[at] = 2;
            continue;
        }
        o->seen[at] = 1;
        if (holds(of->kind)) HBG_PUSH(d->arena, o->pending, at);
        for (int32_t i = 0; i < of->in_count && !holds(of->kind); i++)
            if (o->seen[hbg_emit_block_in(d, of)[i]] == 0)
                HBG_PUSH(d->arena, o->stack, hbg_emit_block_in(d, of)[i]);
    }
}

void hbg_emit_blocks_order(hbg_emit_blocks *d) {
    ordering o = {.d = d, .seen = HBG_NEW_ARRAY(d->arena, uint8_t, d->blocks.count + 1)};
    const hbg_model *model = d->of->eqn->model;
    d->order = HBG_NEW_ARRAY(d->arena, int32_t, d->blocks.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++)
        visit(&o, hbg_emit_block(d, (block){.kind = BLOCK_AUTOMATON, .of = i}, NULL, NULL));
    for (int32_t i = 0; i < d->of->system->state_count; i++) visit(&o, d->integrators[i]);
    for (int32_t i = 0; i < model->transitions.count; i++)
        if (d->guards[i] != HBG_NONE) visit(&o, d->guards[i]);
    for (int32_t i = 0; i < d->of->columns; i++) visit(&o, d->outputs[i]);
    for (int32_t i = 0; i < o.pending.count; i++) {
        const block *of = &d->blocks.items[o.pending.items[i]];
        for (int32_t k = 0; k < of->in_count; k++) visit(&o, hbg_emit_block_in(d, of)[k]);
    }
    for (int32_t i = 0; i < d->order_count; i++) d->blocks.items[d->order[i]].used = true;
}
