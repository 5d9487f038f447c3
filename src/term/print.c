/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms as readable text. */
#include <string.h>

#include "term/term.h"

typedef struct {
    const hbg_terms *terms;
    hbg_term_names names;
    hbg_buffer *out;
    size_t end; /* where a term is truncated */
    bool is_cut;
} printer;

static void print_term(printer *print, hbg_term term, int outer, int depth);

static int precedence_of(const term_node *node) {
    if (node->op >= TERM_VARIABLE) return 100;
    int precedence = hbg_model_operator_info_get((hbg_operator)node->op)->precedence;
    return precedence == 0 ? 100 : precedence;
}

static void print_call(printer *print, const char *name, const term_node *node, int depth) {
    hbg_base_buffer_print(print->out, "%s(", name);
    for (int i = 0; i < hbg_term_arity(node); i++) {
        if (i > 0) hbg_base_buffer_text(print->out, ", ");
        print_term(print, hbg_term_argument(node, i), 0, depth + 1);
    }
    hbg_base_buffer_char(print->out, ')');
}

static void print_operator(printer *print, const term_node *node, int depth) {
    const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)node->op);
    int own = info->precedence;
    if (node->op == HBG_OP_SELECT) {
        print_term(print, node->a, own + 1, depth + 1);
        hbg_base_buffer_text(print->out, " ? ");
        print_term(print, node->b, own + 1, depth + 1);
        hbg_base_buffer_text(print->out, " : ");
        print_term(print, node->c, own, depth + 1);
    } else if (info->arity == 1) {
        hbg_base_buffer_text(print->out, info->text);
        print_term(print, node->a, own, depth + 1);
    } else {
        bool tight = node->op == HBG_OP_MULTIPLY || node->op == HBG_OP_DIVIDE || node->op == HBG_OP_POWER_OF;
        bool right = node->op == HBG_OP_POWER_OF;
        print_term(print, node->a, right ? own + 1 : own, depth + 1);
        hbg_base_buffer_print(print->out, tight ? "%s" : " %s ", info->text);
        print_term(print, node->b, right ? own : own + 1, depth + 1);
    }
}

static void print_number(printer *print, const term_node *node) {
    hbg_base_decimal_print(print->out, print->terms->numbers.items[node->a]);
}

/* Larger terms are truncated: a sum over thousands of bonds is unreadable, and shared parts are written
 * repeatedly. */
#define DEPTH  200
#define LENGTH 4000

static void print_term(printer *print, hbg_term term, int outer, int depth) {
    term_node node = print->terms->nodes.items[term];
    if ((depth > DEPTH && !print->names.is_whole) || print->out->size > print->end) {
        if (!print->is_cut) hbg_base_buffer_text(print->out, "…");
        print->is_cut = print->out->size > print->end;
        return;
    }
    if (node.op == HBG_OP_FINITE) { // it differs from its argument only for pulses
        print_term(print, node.a, outer, depth);
        return;
    }
    bool negative = node.op == HBG_OP_NUMBER && print->terms->numbers.items[node.a].negative;
    bool brackets = precedence_of(&node) < outer || (negative && outer > 6);
    if (brackets) hbg_base_buffer_char(print->out, '(');
    if (node.op == TERM_VARIABLE)
        print->names.put(print->names.owner, node.a, print->out);
    else if (node.op == HBG_OP_NUMBER)
        print_number(print, &node);
    else if (node.op == HBG_OP_PI)
        hbg_base_buffer_text(print->out, "pi");
    else if (node.op == TERM_CHARGE)
        print_call(print, "energy", &node, depth);
    else if (node.op == TERM_RATE)
        print_call(print, "rate", &node, depth);
    else if (node.op == TERM_SLOPE)
        print_call(print, "slope", &node, depth);
    else if (hbg_model_operator_info_get((hbg_operator)node.op)->precedence == 0)
        print_call(print, hbg_model_operator_info_get((hbg_operator)node.op)->text, &node, depth);
    else
        print_operator(print, &node, depth);
    if (brackets) hbg_base_buffer_char(print->out, ')');
}

void hbg_term_print(const hbg_terms *terms, hbg_term term, hbg_term_names names, hbg_buffer *out) {
    printer print = {.terms = terms, .names = names, .out = out};
    print.end = names.is_whole ? SIZE_MAX : out->size + LENGTH;
    print_term(&print, term, 0, 0);
}
