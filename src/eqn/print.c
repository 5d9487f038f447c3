/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations for people: assignments in the order they are computed, loops with what is found together. */
#include <stdio.h>
#include <string.h>

#include "eqn/eqn_impl.h"

typedef struct {
    const hbg_eqn *eqn;
    hbg_buffer *out;
    size_t end; /* where a term is cut */
    bool is_cut;
} printer;

static void print_term(printer *print, hbg_term term, int outer, int depth);

static int precedence_of(const term_node *node) {
    if (node->op >= TERM_VARIABLE) return 100;
    int precedence = hbg_operator_info_get((hbg_operator)node->op)->precedence;
    return precedence == 0 ? 100 : precedence;
}

static void print_call(printer *print, const char *name, const term_node *node, int depth) {
    hbg_buffer_print(print->out, "%s(", name);
    for (int i = 0; i < hbg_term_arity(node); i++) {
        if (i > 0) hbg_buffer_text(print->out, ", ");
        print_term(print, hbg_term_argument(node, i), 0, depth + 1);
    }
    hbg_buffer_char(print->out, ')');
}

static void print_operator(printer *print, const term_node *node, int depth) {
    const hbg_operator_info *info = hbg_operator_info_get((hbg_operator)node->op);
    int own = info->precedence;
    if (node->op == HBG_OP_SELECT) {
        print_term(print, node->a, own + 1, depth + 1);
        hbg_buffer_text(print->out, " ? ");
        print_term(print, node->b, own + 1, depth + 1);
        hbg_buffer_text(print->out, " : ");
        print_term(print, node->c, own, depth + 1);
    } else if (info->arity == 1) {
        hbg_buffer_text(print->out, info->text);
        print_term(print, node->a, own, depth + 1);
    } else {
        bool tight = node->op == HBG_OP_MULTIPLY || node->op == HBG_OP_DIVIDE || node->op == HBG_OP_POWER_OF;
        bool right = node->op == HBG_OP_POWER_OF;
        print_term(print, node->a, right ? own + 1 : own, depth + 1);
        hbg_buffer_print(print->out, tight ? "%s" : " %s ", info->text);
        print_term(print, node->b, right ? own : own + 1, depth + 1);
    }
}

static void print_number(printer *print, const term_node *node) {
    hbg_decimal_print(print->out, print->eqn->terms.numbers.items[node->a]);
}

/* Larger terms are cut: a sum over thousands of bonds is not for reading, and shared parts are written again and again. */
#define DEPTH  200
#define LENGTH 4000

static void print_term(printer *print, hbg_term term, int outer, int depth) {
    term_node node = print->eqn->terms.nodes.items[term];
    if (depth > DEPTH || print->out->size > print->end) {
        if (!print->is_cut) hbg_buffer_text(print->out, "…");
        print->is_cut = print->out->size > print->end;
        return;
    }
    if (node.op == HBG_OP_FINITE) { // only pulses tell it from its argument
        print_term(print, node.a, outer, depth);
        return;
    }
    bool negative = node.op == HBG_OP_NUMBER && print->eqn->terms.numbers.items[node.a].negative;
    bool brackets = precedence_of(&node) < outer || (negative && outer > 6);
    if (brackets) hbg_buffer_char(print->out, '(');
    if (node.op == TERM_VARIABLE)
        hbg_eqn_variable_name(print->eqn, node.a, print->out);
    else if (node.op == HBG_OP_NUMBER)
        print_number(print, &node);
    else if (node.op == HBG_OP_PI)
        hbg_buffer_text(print->out, "pi");
    else if (node.op == TERM_CHARGE)
        print_call(print, "energy", &node, depth);
    else if (node.op == TERM_RATE)
        print_call(print, "rate", &node, depth);
    else if (node.op == TERM_SLOPE)
        print_call(print, "slope", &node, depth);
    else if (hbg_operator_info_get((hbg_operator)node.op)->precedence == 0)
        print_call(print, hbg_operator_info_get((hbg_operator)node.op)->text, &node, depth);
    else
        print_operator(print, &node, depth);
    if (brackets) hbg_buffer_char(print->out, ')');
}

static void print_whole(printer *print, hbg_term term) {
    print->end = print->out->size + LENGTH;
    print->is_cut = false;
    print_term(print, term, 0, 0);
}

void hbg_eqn_print_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out) {
    printer print = {.eqn = eqn, .out = out};
    print_whole(&print, term);
}

/* An input is what it is given; its default is what it is until then. */
static bool print_input(printer *print, int32_t variable) {
    const hbg_eqn *eqn = print->eqn;
    int32_t index = variable - eqn->first[VARIABLE_SIGNAL];
    if (variable >= eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_SIGNAL) return false;
    const hbg_signal *signal = &eqn->model->signals.items[index];
    if (signal->kind != HBG_SIGNAL_INPUT) return false;
    if (signal->value == HBG_NONE) return true;
    hbg_eqn_variable_name(eqn, variable, print->out);
    hbg_buffer_text(print->out, " = ");
    print_whole(print, eqn->expr_term[signal->value]);
    hbg_buffer_text(print->out, " (input, until it is given)\n");
    return true;
}

/* der(c.e) as it is written and as the equations have it are told by their pulses only. */
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
    equation of = *hbg_equations_get(all, variable);
    if (goes_without_saying(print->eqn, variable, of.term)) return;
    if (of.kind == EQUATION_IMPLICIT)
        hbg_buffer_text(print->out, "0");
    else
        hbg_eqn_variable_name(print->eqn, variable, print->out);
    hbg_buffer_text(print->out, " = ");
    print_whole(print, of.term);
    hbg_buffer_char(print->out, '\n');
}

static void print_block(printer *print, equations *all, const int32_t *variables, const sorted_block *block) {
    if (!block->is_loop) {
        if (hbg_equations_get(all, variables[0])->kind != EQUATION_KNOWN)
            print_equation(print, all, variables[0]);
        return;
    }
    hbg_buffer_text(print->out, "solve for ");
    for (int32_t i = 0; i < block->count; i++) {
        if (i > 0) hbg_buffer_text(print->out, ", ");
        hbg_eqn_variable_name(print->eqn, variables[i], print->out);
    }
    hbg_buffer_text(print->out, ":\n");
    for (int32_t i = 0; i < block->count; i++) {
        hbg_buffer_text(print->out, "    ");
        print_equation(print, all, variables[i]);
    }
}

/* Rates and dependent states first, then what is recorded and signals; without states, everything. */
static void list_targets(hbg_eqn *eqn, int32_map *targets) {
    const hbg_model *model = eqn->model;
    hbg_arena *scratch = &eqn->scratch;
    int32_t state = eqn->first[VARIABLE_STATE];
    for (int32_t i = 0; i < eqn->state_count; i++)
        HBG_PUSH(scratch, *targets, LAYER_RATE * eqn->base_count + state + i);
    for (int32_t i = 0; i < eqn->state_count; i++) HBG_PUSH(scratch, *targets, state + i);
    for (int32_t i = 0; i < eqn->outline.output_count; i++) {
        hbg_terms_walk(&eqn->terms, eqn->readouts.outputs[i]);
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
        hbg_buffer_text(out, i == 0 ? " `" : i + 1 == count ? " and `" : ", `");
        hbg_model_path(model, (hbg_object){HBG_OBJECT_ELEMENT, junctions[i]}, out);
        hbg_buffer_text(out, "`");
    }
    if (count > NAMED) hbg_buffer_text(out, ", …");
}

/* Why a mode has no valid causal assignment. True: something in it floats. */
static bool explain(const hbg_model *model, const hbg_causal_structure *structure, hbg_arena *arena,
                    const bool *on, hbg_buffer *out) {
    hbg_causal_conflict_set conflict = hbg_causal_conflict(arena, structure, on);
    hbg_causal_floating_set floating = {0};
    if (hbg_causal_floating(arena, structure, on, &conflict, &floating)) {
        hbg_buffer_text(out, "; nothing determines the effort of");
        put_junctions(model, floating.nodes.items, floating.nodes.count, out);
        hbg_buffer_text(out, " while");
        put_junctions(model, floating.cuts.items, floating.cuts.count, out);
        hbg_buffer_text(out, floating.cuts.count == 1 ? " is off" : " are off");
        return true;
    }
    for (int32_t i = 0; i < conflict.count && i < 6; i++) {
        hbg_buffer_text(out, i ? ", `" : "; in conflict: `");
        hbg_model_path(model, (hbg_object){HBG_OBJECT_BOND, conflict.bonds[i]}, out);
        hbg_buffer_text(out, "`");
    }
    return false;
}

bool hbg_eqn_explain_mode(const hbg_model *model, const hbg_causal_structure *structure,
                          const int32_t *states, char *text, size_t size) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    bool *floats = &(bool){false}; // kept across the guard
    hbg_arena_init(&arena, &memory);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_buffer words;
        bool *on = HBG_NEW_ARRAY(&arena, bool, structure->place_count + 1);
        for (int32_t i = 0; i < structure->place_count; i++)
            on[i] = hbg_causal_place_mode(structure, i, states);
        hbg_buffer_init(&words, &arena);
        *floats = explain(model, structure, &arena, on, &words);
        snprintf(text, size, "%s", words.data);
    }
    hbg_arena_fini(&arena);
    return *floats;
}

static void print_all(hbg_eqn *eqn, const hbg_causal_assignment *assignment, hbg_buffer *out) {
    equations all;
    sorted_equations sorted;
    int32_map targets = {0};
    printer print = {.eqn = eqn, .out = out};
    hbg_eqn_begin_work(eqn);
    hbg_equations_init(&all, &eqn->scratch, eqn, assignment, PURPOSE_FIELD);
    all.plain = true;
    list_targets(eqn, &targets);
    hbg_equations_sort(&all, targets.items, targets.count, NULL, &sorted);
    for (int32_t i = 0; i < sorted.block_count; i++)
        print_block(&print, &all, sorted.variables + sorted.blocks[i].first, &sorted.blocks[i]);
    hbg_equations_end(&all);
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
    hbg_buffer_text(out, "the mode has no valid causal assignment");
    (void)explain(eqn->model, eqn->structure, scratch, on, out);
    hbg_eqn_clear(eqn);
    return false;
}
