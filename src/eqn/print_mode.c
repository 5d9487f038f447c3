/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of a mode as text: assignments in order of computation, loops with the variables that are solved
 * together. */
#include <stdio.h>

#include "eqn/eqn_impl.h"

typedef struct {
    const hbg_eqn *eqn;
    hbg_buffer *out;
} printer;

/* Prints an input: its default holds until it is given a value. */
static bool print_input(printer *print, int32_t variable) {
    const hbg_eqn *eqn = print->eqn;
    int32_t index = variable - eqn->first[VARIABLE_SIGNAL];
    if (variable >= eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_SIGNAL) return false;
    const hbg_signal *signal = &eqn->model->signals.items[index];
    if (signal->kind != HBG_SIGNAL_INPUT) return false;
    if (signal->value == HBG_NONE) return true;
    hbg_eqn_variable_name(eqn, variable, print->out);
    hbg_base_buffer_text(print->out, " = ");
    hbg_eqn_print_term(print->eqn, eqn->expr_term[signal->value], print->out);
    hbg_base_buffer_text(print->out, " (input, until it is given)\n");
    return true;
}

/* Whether a der(…) is not printed: der(c.e) as written differs from that in the equations only by its
 * pulses. */
static bool goes_without_saying(const hbg_eqn *eqn, int32_t variable, hbg_term term) {
    const term_node *node = &eqn->terms.nodes.items[term];
    if (variable >= eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_DER) return false;
    if (node->op != TERM_VARIABLE || node->a / eqn->base_count != LAYER_RATE) return false;
    int32_t read = eqn->model->exprs.items[eqn->pres.exprs.items[variable - eqn->first[VARIABLE_DER]]].a;
    const term_node *argument = &eqn->terms.nodes.items[eqn->expr_term[read]];
    return argument->op == TERM_VARIABLE && argument->a == node->a % eqn->base_count;
}

static void print_equation(printer *print, equations *all, int32_t variable) {
    if (print_input(print, variable)) return;
    equation of = *hbg_eqn_equations_get(all, variable);
    if (goes_without_saying(print->eqn, variable, of.term)) return;
    if (of.kind == EQUATION_IMPLICIT)
        hbg_base_buffer_text(print->out, "0");
    else
        hbg_eqn_variable_name(print->eqn, variable, print->out);
    hbg_base_buffer_text(print->out, " = ");
    hbg_eqn_print_term(print->eqn, of.term, print->out);
    hbg_base_buffer_char(print->out, '\n');
}

static void print_block(printer *print, equations *all, const int32_t *variables, const sorted_block *block) {
    if (!block->is_loop) {
        if (hbg_eqn_equations_get(all, variables[0])->kind != EQUATION_KNOWN)
            print_equation(print, all, variables[0]);
        return;
    }
    hbg_base_buffer_text(print->out, "solve for ");
    for (int32_t i = 0; i < block->count; i++) {
        if (i > 0) hbg_base_buffer_text(print->out, ", ");
        hbg_eqn_variable_name(print->eqn, variables[i], print->out);
    }
    hbg_base_buffer_text(print->out, ":\n");
    for (int32_t i = 0; i < block->count; i++) {
        hbg_base_buffer_text(print->out, "    ");
        print_equation(print, all, variables[i]);
    }
}

/* Lists rates and dependent states first, then outputs and signals; without states, everything. */
static void list_targets(hbg_eqn *eqn, int32_map *targets) {
    const hbg_model *model = eqn->model;
    hbg_arena *scratch = &eqn->scratch;
    int32_t state = eqn->first[VARIABLE_STATE];
    for (int32_t i = 0; i < eqn->state_count; i++)
        HBG_PUSH(scratch, *targets, LAYER_RATE * eqn->base_count + state + i);
    for (int32_t i = 0; i < eqn->state_count; i++) HBG_PUSH(scratch, *targets, state + i);
    for (int32_t i = 0; i < eqn->outline.output_count; i++) {
        hbg_term_walk(&eqn->terms, eqn->readouts.outputs[i]);
        for (int32_t k = 0; k < eqn->terms.walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[k]];
            if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) HBG_PUSH(scratch, *targets, node->a);
        }
    }
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind != HBG_SIGNAL_STATE)
            HBG_PUSH(scratch, *targets, eqn->first[VARIABLE_SIGNAL] + i);
    for (int32_t i = 0; i < eqn->first[VARIABLE_FLOW + 1] && eqn->state_count == 0; i++)
        HBG_PUSH(scratch, *targets, i);
}

enum { NAMED = 4 }; /* junctions */

static void put_junctions(const hbg_model *model, const int32_t *junctions, int32_t count, hbg_buffer *out) {
    for (int32_t i = 0; i < count && i < NAMED; i++) {
        hbg_base_buffer_text(out, i == 0 ? " `" : i + 1 == count ? " and `" : ", `");
        hbg_model_path(model, (hbg_object){HBG_OBJECT_ELEMENT, junctions[i]}, out);
        hbg_base_buffer_text(out, "`");
    }
    if (count > NAMED) hbg_base_buffer_text(out, ", …");
}

/* Explains why a mode has no valid causal assignment. Returns true if something in it floats. */
static bool explain(const hbg_model *model, const hbg_causal_structure *structure, hbg_arena *arena,
                    const bool *on, hbg_buffer *out) {
    hbg_causal_conflict_set conflict = hbg_causal_conflict(arena, structure, on);
    hbg_causal_floating_set floating = {0};
    if (hbg_causal_floating(arena, structure, on, &conflict, &floating)) {
        hbg_base_buffer_text(out, "; nothing determines the effort of");
        put_junctions(model, floating.nodes.items, floating.nodes.count, out);
        hbg_base_buffer_text(out, " while");
        put_junctions(model, floating.cuts.items, floating.cuts.count, out);
        hbg_base_buffer_text(out, floating.cuts.count == 1 ? " is off" : " are off");
        return true;
    }
    for (int32_t i = 0; i < conflict.count && i < 6; i++) {
        hbg_base_buffer_text(out, i ? ", `" : "; in conflict: `");
        hbg_model_path(model, (hbg_object){HBG_OBJECT_BOND, conflict.bonds[i]}, out);
        hbg_base_buffer_text(out, "`");
    }
    return false;
}

bool hbg_eqn_explain_mode(const hbg_model *model, const hbg_causal_structure *structure,
                          const int32_t *states, char *text, size_t size) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    bool *floats = &(bool){false}; // kept across the guard
    hbg_base_arena_init(&arena, &memory);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_buffer words;
        bool *on = HBG_NEW_ARRAY(&arena, bool, structure->place_count + 1);
        for (int32_t i = 0; i < structure->place_count; i++)
            on[i] = hbg_causal_place_mode(structure, i, states);
        hbg_base_buffer_init(&words, &arena);
        *floats = explain(model, structure, &arena, on, &words);
        snprintf(text, size, "%s", words.data);
    }
    hbg_base_arena_fini(&arena);
    return *floats;
}

static void print_all(hbg_eqn *eqn, const hbg_causal_assignment *assignment, hbg_buffer *out) {
    equations all;
    sorted_equations sorted;
    int32_map targets = {0};
    printer print = {.eqn = eqn, .out = out};
    hbg_eqn_begin_work(eqn);
    list_targets(eqn, &targets);
    hbg_eqn_sort_field(eqn, assignment, &targets, true, &all, &sorted);
    for (int32_t i = 0; i < sorted.block_count; i++)
        print_block(&print, &all, sorted.variables + sorted.blocks[i].first, &sorted.blocks[i]);
    hbg_eqn_equations_end(&all);
    hbg_eqn_end_work(eqn);
}

bool hbg_eqn_print(hbg_eqn *eqn, const int32_t *states, hbg_buffer *out) {
    hbg_arena *scratch = &eqn->scratch;
    bool *on = HBG_NEW_ARRAY(scratch, bool, eqn->structure->place_count + 1);
    hbg_causal_mode(scratch, eqn->structure, states ? states : eqn->start.state, on);
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(scratch, eqn->structure);
    if (hbg_eqn_assign(eqn, assignment, on)) {
        print_all(eqn, assignment, out);
        return true;
    }
    hbg_base_buffer_text(out, "the mode has no valid causal assignment");
    (void)explain(eqn->model, eqn->structure, scratch, on, out);
    hbg_eqn_clear(eqn);
    return false;
}
