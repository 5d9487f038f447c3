/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process of HyPA as a document for LaTeX, with the symbols of 003: round brackets for clauses, square ones
 * for jumps, a minus or a plus for values before and after a jump, a dot for a rate. */
#include <stdio.h>
#include <string.h>

#include "emit/latex_impl.h"

typedef struct {
    const hbg_process *of;
    hbg_buffer *out;
} printer;

/* ---- names --------------------------------------------------------------------------------------------- */

void hbg_emit_latex_escaped(hbg_buffer *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (strchr("_&%#{}$", text[i])) hbg_base_buffer_char(out, '\\');
        if (text[i] == '^' || text[i] == '~' || text[i] == '\\')
            hbg_base_buffer_print(out, "\\char`\\%c{}", text[i]);
        else
            hbg_base_buffer_char(out, text[i]);
    }
}

/* The text in the brackets of a name: b4.e of impulse(b4.e). */
static const char *inside(const char *name, size_t *size) {
    const char *open = strchr(name, '(');
    if (!open) {
        *size = strlen(name);
        return name;
    }
    *size = strlen(open) - 2;
    return open + 1;
}

/* A letter with its owner as the index, as p of the coil; `over` goes above the letter: a dot or a hat. */
static void put_letter(printer *p, const char *letter, const char *of, size_t size, const char *over) {
    hbg_base_buffer_print(p->out, over[0] ? "%s{%s}_{\\mathrm{" : "{%s%s}_{\\mathrm{", over, letter);
    hbg_emit_latex_escaped(p->out, of, size);
    hbg_base_buffer_text(p->out, "}}");
}

/* coil.p is p of the coil, and b4.e is e of b4; other names are unchanged. */
static void put_parted(printer *p, const char *name, size_t size, const char *over) {
    bool part = size > 2 && name[size - 2] == '.' && strchr("efqp", name[size - 1]);
    char letter[2] = {name[size - 1], 0};
    if (part) {
        put_letter(p, letter, name, size - 2, over);
        return;
    }
    hbg_base_buffer_print(p->out, over[0] ? "%s{\\mathit{" : "{%s\\mathit{", over);
    hbg_emit_latex_escaped(p->out, name, size);
    hbg_base_buffer_text(p->out, "}}");
}

/* `sign`: its superscript, "" for none. */
static void put_variable(printer *p, const hbg_process_variable *of, bool rate, const char *sign) {
    size_t size;
    const char *name = inside(of->name, &size);
    switch (of->role) {
    case HBG_PROCESS_WORK: put_letter(p, "W", name, size, ""); break;
    case HBG_PROCESS_CHOICE: put_letter(p, "\\varepsilon", name, size, ""); break;
    case HBG_PROCESS_STORED: put_letter(p, "H", name, size - strlen(".energy"), ""); break;
    case HBG_PROCESS_PULSE: put_parted(p, name, size, "\\hat"); break;
    case HBG_PROCESS_RATE: put_parted(p, name, size, "\\dot"); break;
    case HBG_PROCESS_ENERGY:
    case HBG_PROCESS_BOND: put_parted(p, of->name, strlen(of->name), rate ? "\\dot" : ""); break;
    default:
        hbg_base_buffer_text(p->out, rate ? "\\dot{\\mathit{" : "{\\mathit{");
        hbg_emit_latex_escaped(p->out, of->name, strlen(of->name));
        hbg_base_buffer_text(p->out, "}}");
    }
    if (sign[0]) hbg_base_buffer_print(p->out, "^{%s}", sign);
}

/* ---- predicates ---------------------------------------------------------------------------------------- */

static void put_term(printer *p, hbg_term term, int outer);

/* To six digits, for reading. */
static void put_number(printer *p, double value) {
    char text[HBG_DOUBLE_TEXT];
    snprintf(text, sizeof text, "%.6g", value);
    const char *power = strchr(text, 'e');
    if (!power) {
        hbg_base_buffer_text(p->out, text);
        return;
    }
    bool minus = power[1] == '-';
    const char *digits = power + 1 + (power[1] == '-' || power[1] == '+');
    while (digits[0] == '0' && digits[1]) digits++;
    hbg_base_buffer_print(p->out, "%.*s\\cdot 10^{%s%s}", (int)(power - text), text, minus ? "-" : "",
                          digits);
}

static const char *symbol_of(int op) {
    switch (op) {
    case HBG_OP_OR: return " \\lor ";
    case HBG_OP_AND: return " \\land ";
    case HBG_OP_EQUAL: return " = ";
    case HBG_OP_NOT_EQUAL: return " \\ne ";
    case HBG_OP_LESS: return " < ";
    case HBG_OP_LESS_EQUAL: return " \\le ";
    case HBG_OP_GREATER: return " > ";
    case HBG_OP_GREATER_EQUAL: return " \\ge ";
    case HBG_OP_ADD: return " + ";
    case HBG_OP_SUBTRACT: return " - ";
    case HBG_OP_MULTIPLY: return " \\, ";
    default: return " ";
    }
}

static void put_call(printer *p, const term_node *node) {
    hbg_base_buffer_print(p->out, "\\operatorname{%s}(",
                          hbg_model_operator_info_get((hbg_operator)node->op)->text);
    for (int i = 0; i < hbg_term_arity(node); i++) {
        if (i > 0) hbg_base_buffer_text(p->out, ", ");
        put_term(p, hbg_term_argument(node, i), 0);
    }
    hbg_base_buffer_char(p->out, ')');
}

static void put_choice(printer *p, const term_node *node) {
    hbg_base_buffer_text(p->out, "\\begin{cases}");
    put_term(p, node->b, 0);
    hbg_base_buffer_text(p->out, " & ");
    put_term(p, node->a, 0);
    hbg_base_buffer_text(p->out, " \\\\ ");
    put_term(p, node->c, 0);
    hbg_base_buffer_text(p->out, " & \\text{else}\\end{cases}");
}

static void put_operation(printer *p, const term_node *node, int own) {
    switch (node->op) {
    case HBG_OP_SELECT: put_choice(p, node); return;
    case HBG_OP_NEGATE:
    case HBG_OP_NOT:
        hbg_base_buffer_text(p->out, node->op == HBG_OP_NOT ? "\\lnot " : "-");
        put_term(p, node->a, node->op == HBG_OP_NOT ? own : 7); // a product needs no brackets
        return;
    case HBG_OP_DIVIDE:
        hbg_base_buffer_text(p->out, "\\frac{");
        put_term(p, node->a, 0);
        hbg_base_buffer_text(p->out, "}{");
        put_term(p, node->b, 0);
        hbg_base_buffer_char(p->out, '}');
        return;
    case HBG_OP_POWER_OF:
        hbg_base_buffer_char(p->out, '{'); // a variable with a superscript has no room for a second
        put_term(p, node->a, own + 1);
        hbg_base_buffer_text(p->out, "}^{");
        put_term(p, node->b, 0);
        hbg_base_buffer_char(p->out, '}');
        return;
    default: break;
    }
    put_term(p, node->a, own);
    hbg_base_buffer_text(p->out, symbol_of(node->op));
    put_term(p, node->b, own + 1);
}

static void put_leaf(printer *p, const term_node *node) {
    static const char *const signs[] = {"", "-", "+"};
    if (node->op == HBG_OP_PI) {
        hbg_base_buffer_text(p->out, "\\pi ");
    } else if (node->op == HBG_OP_NUMBER) {
        put_number(p, hbg_base_decimal_to_double(p->of->terms.numbers.items[node->a]));
    } else {
        const hbg_process_variable *of = &p->of->variables.items[hbg_process_variable_of(node->a)];
        bool plain = hbg_process_is_plain(of->role);
        put_variable(p, of, false, plain ? "" : signs[hbg_process_view_of(node->a)]);
    }
}

static void put_term(printer *p, hbg_term term, int outer) {
    const term_node node = p->of->terms.nodes.items[term];
    bool leaf = node.op == TERM_VARIABLE || node.op == HBG_OP_NUMBER || node.op == HBG_OP_PI;
    bool negative = node.op == HBG_OP_NUMBER && p->of->terms.numbers.items[node.a].negative;
    int own = leaf ? 100 : hbg_model_operator_info_get((hbg_operator)node.op)->precedence;
    bool closed = node.op == HBG_OP_SELECT || node.op == HBG_OP_DIVIDE || own == 0;
    bool brackets = (!closed && own < outer) || (negative && outer > 6);
    if (brackets) hbg_base_buffer_text(p->out, "\\left(");
    if (leaf)
        put_leaf(p, &node);
    else if (own == 0)
        put_call(p, &node);
    else
        put_operation(p, &node, own);
    if (brackets) hbg_base_buffer_text(p->out, "\\right)");
}

void hbg_emit_latex_term(const hbg_process *of, hbg_term term, hbg_buffer *out) {
    printer p = {of, out};
    put_term(&p, term, 4);
}

/* ---- clauses and jumps --------------------------------------------------------------------------------- */

/* Each on its own line. */
static void put_all(printer *p, const hbg_process_all *all, const char *between) {
    for (int32_t i = 0; i < all->count; i++) {
        if (i > 0) hbg_base_buffer_text(p->out, between);
        put_term(p, all->items[i], 4);
    }
    if (all->count == 0) hbg_base_buffer_text(p->out, "\\mathit{true}");
}

static void put_condition(printer *p, const hbg_process_any *any) {
    bool alone = any->count == 1;
    if (alone && any->items[0].count == 0) return; // it always holds
    for (int32_t i = 0; i < any->count; i++) {
        bool brackets = !alone && any->items[i].count > 1;
        if (i > 0) hbg_base_buffer_text(p->out, " \\\\ {}\\lor ");
        if (brackets) hbg_base_buffer_char(p->out, '(');
        put_all(p, &any->items[i], alone ? " \\\\\n" : " \\\\\n\\qquad {}\\land ");
        if (brackets) hbg_base_buffer_char(p->out, ')');
    }
    hbg_base_buffer_text(p->out, any->count == 0 ? "\\mathit{false} \\\\\n" : " \\\\\n");
}

static void put_places(printer *p, const hbg_process_clause *clause, const char *sign) {
    for (int32_t i = 0; i < p->of->automaton_count; i++) {
        const char *place = clause->places[i], *dot = strrchr(place, '.');
        hbg_base_buffer_text(p->out, i > 0 ? ", \\; \\mathit{" : "\\mathit{");
        hbg_emit_latex_escaped(p->out, place, (size_t)(dot - place));
        hbg_base_buffer_print(p->out, sign[0] ? "}^{%s} = \\mathsf{" : "}%s = \\mathsf{", sign);
        hbg_emit_latex_escaped(p->out, dot + 1, strlen(dot + 1));
        hbg_base_buffer_char(p->out, '}');
    }
    if (p->of->automaton_count > 0) hbg_base_buffer_text(p->out, " \\\\\n");
}

static bool is_told(const hbg_process_variable *of) {
    return of->role != HBG_PROCESS_TIME && of->role != HBG_PROCESS_HIDDEN;
}

static void put_clause(printer *p, int32_t number) {
    const hbg_process_clause *clause = &p->of->clauses.items[number];
    hbg_base_buffer_print(p->out, "\\[ \\fit{c_{%d} = \\left(\\begin{array}{l}\n", (int)number + 1);
    put_places(p, clause, "");
    for (int32_t i = 0; i < p->of->variables.count; i++) {
        const hbg_process_variable *of = &p->of->variables.items[i];
        bool still = of->role == HBG_PROCESS_HELD || of->role == HBG_PROCESS_PRE;
        if (!is_told(of) || (clause->rates[i] == HBG_NONE && !still)) continue;
        put_variable(p, of, true, "");
        hbg_base_buffer_text(p->out, " = ");
        if (still)
            hbg_base_buffer_char(p->out, '0');
        else
            put_term(p, clause->rates[i], 0);
        hbg_base_buffer_text(p->out, " \\\\\n");
    }
    for (int32_t i = 0; i < clause->constraints.count; i++) {
        put_term(p, clause->constraints.items[i], 0);
        hbg_base_buffer_text(p->out, " \\\\\n");
    }
    put_condition(p, &clause->invariants);
    hbg_base_buffer_text(p->out, "\\end{array}\\right)} \\]\n");
}

static void put_alternative(printer *p, int32_t number) {
    const hbg_process_alternative *of = &p->of->alternatives.items[number];
    hbg_base_buffer_print(p->out, "\\[ \\fit{d_{%d} = \\left[\\begin{array}{l}\n", (int)number + 1);
    put_places(p, &p->of->clauses.items[of->from], "-");
    put_condition(p, &of->when);
    for (int32_t i = 0; i < p->of->variables.count; i++) {
        const hbg_process_variable *at = &p->of->variables.items[i];
        if (!is_told(at) || at->role == HBG_PROCESS_INPUT || at->role == HBG_PROCESS_HELD) continue;
        put_variable(p, at, false, "+");
        hbg_base_buffer_text(p->out, " = ");
        if (of->becomes[i] == HBG_NONE)
            put_variable(p, at, false, "-");
        else
            put_term(p, of->becomes[i], 0);
        hbg_base_buffer_text(p->out, " \\\\\n");
    }
    for (int32_t i = 0; i < of->samples.count; i++) {
        put_term(p, of->samples.items[i], 0);
        hbg_base_buffer_text(p->out, " \\\\\n");
    }
    put_places(p, &p->of->clauses.items[of->to], "+");
    hbg_base_buffer_text(p->out, "\\end{array}\\right]");
    hbg_base_buffer_text(p->out, of->by_start ? "\\quad\\text{(only where a run begins)}} \\]\n"
                                 : of->stays  ? "\\quad\\text{(nothing moves)}} \\]\n"
                                              : "} \\]\n");
}

static void put_end(printer *p, int32_t number) {
    const hbg_process_end *of = &p->of->ends.items[number];
    hbg_base_buffer_print(p->out, "\\[ \\fit{d_{%d} = \\left[\\begin{array}{l}\n",
                          (int)(p->of->alternatives.count + number) + 1);
    put_places(p, &p->of->clauses.items[of->from], "-");
    put_condition(p, &of->when);
    hbg_base_buffer_print(p->out, "\\end{array}\\right]\\quad\\text{(%s)}} \\]\n",
                          hbg_verify_finding_text(of->kind));
}

/* ---- the document -------------------------------------------------------------------------------------- */

void hbg_emit_latex_name(hbg_buffer *out, const char *name) {
    hbg_base_buffer_text(out, "\\mathrm{");
    hbg_emit_latex_escaped(out, name, strlen(name));
    hbg_base_buffer_char(out, '}');
}

/* The sum of all alternatives, a few in a line. */
static void put_sum(printer *p, const char *name) {
    int32_t count = p->of->alternatives.count, all = count + p->of->ends.count;
    hbg_base_buffer_text(p->out, "\\begin{align*}\n");
    hbg_emit_latex_name(p->out, name);
    hbg_base_buffer_text(p->out, " \\approx{} & \\bigl(");
    for (int32_t i = 0; i < all; i++) {
        if (i > 0) hbg_base_buffer_text(p->out, i % 5 == 0 ? " \\\\\n & \\oplus " : " \\oplus ");
        if (i < count)
            hbg_base_buffer_print(p->out, "d_{%d} \\gg c_{%d}", (int)i + 1,
                                  (int)p->of->alternatives.items[i].to + 1);
        else
            hbg_base_buffer_print(p->out, "d_{%d} \\gg \\delta", (int)i + 1);
    }
    if (all == 0) hbg_base_buffer_text(p->out, "\\delta");
    hbg_base_buffer_text(p->out, "\\bigr) \\blacktriangleright ");
    hbg_emit_latex_name(p->out, name);
    hbg_base_buffer_text(p->out, "\n\\end{align*}\n");
}

static void put_part(printer *p, const char *name) {
    if (!p->of->is_whole) hbg_base_buffer_text(p->out, "What follows from where runs start:\n");
    put_sum(p, name);
    for (int32_t i = 0; i < p->of->clauses.count; i++)
        if (p->of->clauses.items[i].flows) put_clause(p, i);
    for (int32_t i = 0; i < p->of->alternatives.count; i++) put_alternative(p, i);
    for (int32_t i = 0; i < p->of->ends.count; i++) put_end(p, i);
}

/* Up to the heading, whose brace stays open. A formula wider than a line is scaled down to it, and a jump
 * with its clause is two lines then. */
void hbg_emit_latex_head(hbg_buffer *out, const char *model) {
    hbg_base_buffer_text(out,
                         "\\documentclass[fleqn]{article}\n\\usepackage[margin=2cm]{geometry}\n"
                         "\\usepackage{amsmath,amssymb,graphicx}\n"
                         "\\newsavebox{\\first}\\newsavebox{\\second}\n"
                         "\\newcommand{\\scaled}[1]{\\ifdim\\wd#1>.88\\linewidth"
                         "\\resizebox{.88\\linewidth}{!}{\\usebox#1}\\else\\usebox#1\\fi}\n"
                         "\\newcommand{\\fit}[1]{\\sbox{\\first}{$\\displaystyle #1$}\\scaled{\\first}}\n"
                         "\\newcommand{\\jumpclause}[2]{\\sbox{\\first}{$\\displaystyle #1$}"
                         "\\sbox{\\second}{$\\displaystyle {}\\gg #2$}%\n"
                         "\\ifdim\\dimexpr\\wd\\first+\\wd\\second\\relax>.88\\linewidth"
                         "\\begin{array}{@{}l@{}}\\scaled{\\first}\\\\[2ex]"
                         "\\scaled{\\second}\\end{array}\\else\\usebox{\\first}\\usebox{\\second}\\fi}\n"
                         "\\allowdisplaybreaks\n\\begin{document}\n\\section*{");
    hbg_emit_latex_escaped(out, model, strlen(model));
}

void hbg_emit_process_latex(const hbg_emit_process *of, hbg_buffer *out) {
    hbg_emit_latex_head(out, of->model);
    hbg_base_buffer_print(out,
                          "}\nWritten by hbg %s, form \\emph{exact}; SI units, numbers to six digits. An "
                          "instant begins where time "
                          "has advanced in its mode, or\nwhere a run begins.\n",
                          of->version);
    if (of->part_count > 1) {
        hbg_base_buffer_text(out, "\\[ ");
        hbg_emit_latex_name(out, of->model);
        for (int32_t i = 0; i < of->part_count; i++) {
            hbg_base_buffer_text(out, i > 0 ? " \\parallel " : " \\approx ");
            hbg_emit_latex_name(out, of->names[i]);
        }
        hbg_base_buffer_text(out, " \\]\n");
    }
    for (int32_t i = 0; i < of->part_count; i++) {
        printer p = {&of->parts[i], out};
        put_part(&p, of->names[i]);
    }
    hbg_base_buffer_text(out, "\\end{document}\n");
}
