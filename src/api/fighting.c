/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sources that contradict each other in every mode, since only junctions, transformers and gyrators lie
 * between them: two voltage sources across the same two nodes. At one junction causality detects it; around a
 * ring of bonds strokes may still fit, and a run would end with a loop that has no unique solution. With
 * effort and flow 0 at every R, C and I, at every switching junction and at every source that the system
 * modulates, effort 0 at the other Se and flow 0 at the other Sf, something then remains undetermined
 * (semantics, section 3a). Equations are solved modulo a prime. */
#include "api/mode_impl.h"

enum { MOST_UNKNOWNS = 400 }; /* left where junctions tie nothing to a zero; with more, no report */

/* Unknowns are effort and flow of each link at its end 0: 2·link, and 1 more. */
typedef struct {
    hbg_arena *arena;
    const hbg_model *model;
    const hbg_causal_structure *structure;
    bool *zero;      /* by unknown */
    int32_t *column; /* by unknown that is left */
    int32_t count;   /* columns */
    HBG_VEC(uint64_t *) rows;
    bool *met; /* by signal: it is in `signals` */
    HBG_VEC(int32_t) signals;
} fight;

/* The unknown that a variable at an end of a link is a multiple of. */
static int32_t unknown_at(const fight *f, int32_t slot, int flow) {
    bool turned = (slot & 1) == 1 && f->structure->links[slot >> 1].odd;
    return 2 * (slot >> 1) + (turned ? 1 - flow : flow);
}

static uint64_t factor_at(const fight *f, int32_t slot, int flow) {
    return (slot & 1) == 1 ? f->structure->transmission[2 * slot + flow] : 1;
}

static bool points_in(const fight *f, int32_t slot) {
    const hbg_causal_link *link = &f->structure->links[slot >> 1];
    int32_t entry = f->structure->chain[link->first_bond + ((slot & 1) == 0 ? 0 : link->bond_count - 1)];
    return ((entry & 1) == 0) == ((slot & 1) == 1);
}

/* Notes signals that an expression reads. False: the system changes it. */
static bool read_given(fight *f, hbg_expr expr) {
    const hbg_expr_node *node = &f->model->exprs.items[expr];
    if (node->op == HBG_OP_SIGNAL && node->a < 0) return false;
    if (node->op == HBG_OP_SIGNAL) {
        if (!f->met[node->a]) HBG_PUSH(f->arena, f->signals, node->a);
        f->met[node->a] = true;
        return true;
    }
    if (node->op >= HBG_OP_EFFORT && node->op <= HBG_OP_AUTOMATON) return false;
    for (int i = 0; i < hbg_model_expr_arity(node); i++)
        if (!read_given(f, hbg_model_expr_argument(node, i))) return false;
    return true;
}

/* The system does not change its value. Signals may be defined by each other. */
static bool is_given(fight *f, hbg_expr expr) {
    bool given = read_given(f, expr);
    for (int32_t i = 0; i < f->signals.count && given; i++) {
        const hbg_signal *signal = &f->model->signals.items[f->signals.items[i]];
        bool plain = signal->kind == HBG_SIGNAL_SIGNAL || signal->kind == HBG_SIGNAL_OUTPUT;
        given = plain && signal->every == HBG_NONE && signal->value >= 0 && read_given(f, signal->value);
    }
    while (f->signals.count > 0) f->met[f->signals.items[--f->signals.count]] = false;
    return given;
}

static bool is_fixed_source(fight *f, const hbg_causal_end *end) {
    if (end->place != HBG_NONE || !end->is_source) return false;
    const hbg_element *source = &f->model->elements.items[end->element];
    return source->value_count == 1 && is_given(f, f->model->entries.items[source->first_value]);
}

/* ---- what is 0 ------------------------------------------------------------------------------------------ */

static void hold_ends(fight *f) {
    for (int32_t slot = 0; slot < 2 * f->structure->link_count; slot++) {
        const hbg_causal_end *end = &f->structure->links[slot >> 1].end[slot & 1];
        if (end->place != HBG_NONE && !f->structure->controlled[end->place]) continue;
        bool source = is_fixed_source(f, end);
        bool effort = f->model->elements.items[end->element].kind == HBG_KIND_SE;
        if (!source || effort) f->zero[unknown_at(f, slot, 0)] = true;
        if (!source || !effort) f->zero[unknown_at(f, slot, 1)] = true;
    }
}

/* The common variable of a junction is 0 if one bond says so, and so is a sum with one term left. */
static bool spread(fight *f, int32_t place) {
    const hbg_causal_structure *structure = f->structure;
    int common = structure->is_zero[place] ? 0 : 1;
    int32_t left = 0, last = HBG_NONE;
    bool held = false, any = false;
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i], summed = unknown_at(f, slot, 1 - common);
        held |= f->zero[unknown_at(f, slot, common)];
        if (f->zero[summed]) continue;
        left++;
        last = summed;
    }
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1] && held; i++) {
        int32_t unknown = unknown_at(f, structure->place_links[i], common);
        any |= !f->zero[unknown];
        f->zero[unknown] = true;
    }
    if (left == 1) f->zero[last] = any = true;
    return any;
}

static void spread_all(fight *f) {
    for (bool again = true; again;) {
        again = false;
        for (int32_t place = 0; place < f->structure->place_count; place++)
            if (!f->structure->controlled[place]) again |= spread(f, place);
    }
}

/* ---- what is left --------------------------------------------------------------------------------------- */

static void add(fight *f, uint64_t *row, int32_t slot, int flow, bool positive) {
    int32_t unknown = unknown_at(f, slot, flow);
    uint64_t factor = factor_at(f, slot, flow);
    if (f->zero[unknown]) return;
    uint64_t *at = &row[f->column[unknown]];
    *at = hbg_base_modular_add(*at, positive ? factor : hbg_base_modular_negate(factor));
}

/* Solves the row, which is 0, for its first unknown, and eliminates it from the rows before. */
static void close_row(fight *f, uint64_t *row) {
    int32_t pivot = 0;
    for (int32_t i = 0; i < f->rows.count; i++) {
        const uint64_t *solved = f->rows.items[i];
        int32_t own = 0;
        while (solved[own] == 0) own++;
        uint64_t factor = hbg_base_modular_negate(row[own]);
        for (int32_t k = 0; k < f->count && factor != 0; k++)
            row[k] = hbg_base_modular_add(row[k], hbg_base_modular_multiply(factor, solved[k]));
    }
    while (pivot < f->count && row[pivot] == 0) pivot++;
    if (pivot == f->count) return;
    uint64_t scale = hbg_base_modular_invert(row[pivot]);
    for (int32_t k = 0; k < f->count; k++) row[k] = hbg_base_modular_multiply(row[k], scale);
    HBG_PUSH(f->arena, f->rows, row);
}

static uint64_t *new_row(fight *f) {
    return HBG_NEW_ARRAY(f->arena, uint64_t, f->count + 1);
}

static void add_place(fight *f, int32_t place) {
    const hbg_causal_structure *structure = f->structure;
    int common = structure->is_zero[place] ? 0 : 1;
    uint64_t *sum = new_row(f);
    for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
        int32_t slot = structure->place_links[i];
        add(f, sum, slot, 1 - common, points_in(f, slot));
        if (i == structure->place_start[place]) continue;
        uint64_t *equal = new_row(f);
        add(f, equal, slot, common, true);
        add(f, equal, structure->place_links[i - 1], common, false);
        close_row(f, equal);
    }
    close_row(f, sum);
}

/* For each free unknown in turn: the value of every unknown if this one is 1 and the others are 0. */
static bool next_solution(const fight *f, int32_t *free, uint64_t *value) {
    bool *pivots = HBG_NEW_ARRAY(f->arena, bool, f->count + 1);
    for (int32_t i = 0; i < f->rows.count; i++) {
        int32_t own = 0;
        while (f->rows.items[i][own] == 0) own++;
        pivots[own] = true;
    }
    do ++*free;
    while (*free < f->count && pivots[*free]);
    if (*free >= f->count) return false;
    for (int32_t k = 0; k < f->count; k++) value[k] = k == *free;
    for (int32_t i = f->rows.count - 1; i >= 0; i--) { // a row may read what later ones are solved for
        const uint64_t *row = f->rows.items[i];
        uint64_t sum = 0;
        int32_t own = 0;
        while (row[own] == 0) own++;
        for (int32_t k = own + 1; k < f->count; k++)
            sum = hbg_base_modular_add(sum, hbg_base_modular_multiply(row[k], value[k]));
        value[own] = hbg_base_modular_negate(sum);
    }
    return true;
}

static void list_sources(fight *f, const uint64_t *value, hbg_causal_conflict_set *set) {
    for (int32_t slot = 0; slot < 2 * f->structure->link_count; slot++) {
        const hbg_causal_end *end = &f->structure->links[slot >> 1].end[slot & 1];
        if (!is_fixed_source(f, end)) continue;
        for (int flow = 0; flow < 2; flow++) {
            int32_t unknown = unknown_at(f, slot, flow);
            if (f->zero[unknown] || value[f->column[unknown]] == 0) continue;
            set->bonds[set->count++] = f->model->incidence[f->model->incidence_start[end->element]];
        }
    }
}

hbg_causal_conflict_set hbg_api_mode_fighting(hbg_arena *arena, const hbg_causal_structure *structure) {
    int32_t unknowns = 2 * structure->link_count, free = HBG_NONE;
    fight f = {.arena = arena, .model = structure->model, .structure = structure};
    hbg_causal_conflict_set set = {HBG_NEW_ARRAY(arena, int32_t, unknowns + 1), 0};
    f.zero = HBG_NEW_ARRAY(arena, bool, unknowns + 1);
    f.met = HBG_NEW_ARRAY(arena, bool, f.model->signals.count + 1);
    f.column = HBG_NEW_ARRAY(arena, int32_t, unknowns + 1);
    hold_ends(&f);
    spread_all(&f);
    for (int32_t i = 0; i < unknowns; i++)
        if (!f.zero[i]) f.column[i] = f.count++;
    if (f.count == 0 || f.count > MOST_UNKNOWNS) return set;
    for (int32_t place = 0; place < structure->place_count; place++)
        if (!structure->controlled[place]) add_place(&f, place);
    uint64_t *value = HBG_NEW_ARRAY(arena, uint64_t, f.count + 1);
    while (set.count == 0 && next_solution(&f, &free, value)) list_sources(&f, value, &set);
    return set;
}
