/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The composition of 003's constitutive processes as a document for LaTeX, with the symbols of 003: round
 * brackets for clauses, square ones for jumps, hats for pulses, W for the work of a bond. */
#include <string.h>

#include "emit/latex_impl.h"

typedef struct {
    const hbg_paper *of;
    const char *name;
    hbg_buffer *out;
} printer;

/* ---- brackets ------------------------------------------------------------------------------------------ */

static void open(printer *p, const char *bracket) {
    hbg_base_buffer_print(p->out, "\\left%s\\begin{array}{l}\n", bracket);
}

static void close(printer *p, const char *bracket) {
    hbg_base_buffer_print(p->out, "\\end{array}\\right%s", bracket);
}

static void put_all(printer *p, const hbg_process_all *all) {
    for (int32_t i = 0; i < all->count; i++) {
        hbg_emit_latex_term(&p->of->process, all->items[i], p->out);
        hbg_base_buffer_text(p->out, " \\\\\n");
    }
}

static void put_row(printer *p, const hbg_paper_row *row) {
    hbg_base_buffer_text(p->out, "\\jumpclause{");
    open(p, "[");
    put_all(p, &row->before);
    put_all(p, &row->jump);
    close(p, "]");
    hbg_base_buffer_text(p->out, "}{");
    open(p, "(");
    put_all(p, &row->clause);
    close(p, ")");
    hbg_base_buffer_char(p->out, '}');
}

/* ---- constitutive processes ---------------------------------------------------------------------------- */

static void put_part(printer *p, const hbg_paper_part *part, int32_t number) {
    bool any = false;
    if (part->like != HBG_NONE) return;
    hbg_base_buffer_print(p->out, "\\paragraph{%s}", part->kind);
    for (int32_t i = 0; i < p->of->parts.count && number != HBG_NONE; i++) {
        if (p->of->parts.items[i].like != number) continue;
        hbg_base_buffer_text(p->out, any ? ", " : "but for names the same: ");
        hbg_base_buffer_char(p->out, '$');
        hbg_emit_latex_name(p->out, p->of->parts.items[i].name);
        hbg_base_buffer_char(p->out, '$');
        any = true;
    }
    hbg_base_buffer_text(p->out, "\n\\begin{align*}\n");
    hbg_emit_latex_name(p->out, part->name);
    hbg_base_buffer_text(p->out, " :{} & ");
    for (int32_t i = 0; i < part->rows.count; i++) {
        if (i > 0) hbg_base_buffer_text(p->out, " \\\\\n & \\oplus ");
        put_row(p, &part->rows.items[i]);
    }
    hbg_base_buffer_text(p->out, " \\\\\n & \\blacktriangleright ");
    hbg_emit_latex_name(p->out, part->name);
    hbg_base_buffer_text(p->out, "\n\\end{align*}\n");
}

#define LINE 70 /* letters of names */

static void put_composition(printer *p) {
    const hbg_paper *of = p->of;
    int32_t count = of->parts.count + of->others.count;
    size_t letters = strlen(p->name);
    hbg_base_buffer_text(p->out, "\\subsection*{Composition}\n\\begin{align*}\n");
    hbg_emit_latex_name(p->out, p->name);
    for (int32_t i = 0; i < count; i++) {
        bool part = i < of->parts.count;
        const hbg_paper_part *at = part ? &of->parts.items[i] : &of->others.items[i - of->parts.count];
        letters += strlen(at->name) + 3;
        bool breaks = i > 0 && letters > LINE;
        if (breaks) letters = strlen(p->name) + strlen(at->name);
        hbg_base_buffer_text(p->out, i == 0 ? " :{} & " : breaks ? " \\\\\n & \\parallel " : " \\parallel ");
        hbg_emit_latex_name(p->out, at->name);
    }
    hbg_base_buffer_text(p->out, "\n\\end{align*}\n");
    for (int32_t i = 0; i < of->parts.count; i++) put_part(p, &of->parts.items[i], i);
    for (int32_t i = 0; i < of->others.count; i++) put_part(p, &of->others.items[i], HBG_NONE);
}

/* ---- the linear form ----------------------------------------------------------------------------------- */

static void put_alternatives(printer *p) {
    int32_t told = 0;
    hbg_base_buffer_text(p->out, "\\subsection*{Linear form}\n\\begin{align*}\n");
    hbg_emit_latex_name(p->out, p->name);
    hbg_base_buffer_text(p->out, "' :{} & \\bigl(");
    for (int32_t i = 0; i < p->of->alternatives.count; i++) {
        const hbg_paper_alternative *of = &p->of->alternatives.items[i];
        if (of->feasible == HBG_VIOLATED) continue;
        if (told++ > 0) hbg_base_buffer_text(p->out, " \\\\\n & \\oplus ");
        hbg_base_buffer_print(p->out, "\\fit{(d_{%d}", (int)of->jump + 1);
        for (int32_t k = 0; k < of->when.count; k++) {
            hbg_base_buffer_text(p->out, " \\land [");
            hbg_emit_latex_term(&p->of->process, of->when.items[k], p->out);
            hbg_base_buffer_char(p->out, ']');
        }
        hbg_base_buffer_print(p->out, ") \\gg c_{%d}}", (int)of->after + 1);
    }
    hbg_base_buffer_text(p->out, told == 0 ? "\\delta\\bigr) \\\\\n & \\blacktriangleright "
                                           : "\\bigr) \\\\\n & \\blacktriangleright ");
    hbg_emit_latex_name(p->out, p->name);
    hbg_base_buffer_text(p->out, "'\n\\end{align*}\n");
}

static void put_invariants(printer *p, const hbg_process_any *any) {
    if (any->count == 1 && any->items[0].count == 0) return;
    for (int32_t i = 0; i < any->count; i++) {
        if (i > 0) hbg_base_buffer_text(p->out, "{}\\lor ");
        for (int32_t k = 0; k < any->items[i].count; k++) {
            if (k > 0) hbg_base_buffer_text(p->out, " \\land ");
            hbg_emit_latex_term(&p->of->process, any->items[i].items[k], p->out);
        }
        hbg_base_buffer_text(p->out, " \\\\\n");
    }
    if (any->count == 0) hbg_base_buffer_text(p->out, "\\mathit{false} \\\\\n");
}

static void put_clauses(printer *p) {
    for (int32_t i = 0; i < p->of->clauses.count; i++) {
        const hbg_paper_clause *of = &p->of->clauses.items[i];
        hbg_base_buffer_print(p->out, "\\[ \\fit{c_{%d} = ", (int)i + 1);
        open(p, "(");
        put_all(p, &of->equations);
        put_all(p, &of->constraints);
        put_invariants(p, &of->invariants);
        close(p, ")");
        hbg_base_buffer_text(p->out, "\\quad\\text{(");
        hbg_emit_latex_escaped(p->out, of->mode, strlen(of->mode));
        hbg_base_buffer_print(p->out, "%sorder %d)}} \\]\n", of->mode[0] ? ", " : "", (int)of->order);
    }
}

static void put_jumps(printer *p) {
    for (int32_t i = 0; i < p->of->jumps.count; i++) {
        const hbg_paper_jump *of = &p->of->jumps.items[i];
        hbg_base_buffer_print(p->out, "\\[ \\fit{d_{%d} = ", (int)i + 1);
        for (int32_t k = 0; k < of->cases.count; k++) {
            if (k > 0) hbg_base_buffer_text(p->out, " \\lor ");
            open(p, "[");
            put_all(p, &of->cases.items[k].equations);
            put_all(p, &of->cases.items[k].inequalities);
            close(p, "]");
        }
        hbg_base_buffer_text(p->out, "} \\]\n");
    }
}

static void put_included(printer *p) {
    for (int32_t i = 0; i < p->of->included.count; i++) {
        const hbg_paper_included *at = &p->of->included.items[i];
        hbg_base_buffer_print(p->out, "\\noindent $c_{%d}$ is $c_{%d}$", (int)at->clause + 1,
                              (int)at->in + 1);
        for (int32_t k = 0; k < at->where.count; k++) {
            hbg_base_buffer_text(p->out, k == 0 ? " with $" : ", $");
            hbg_emit_latex_term(&p->of->process, at->where.items[k], p->out);
            hbg_base_buffer_char(p->out, '$');
        }
        hbg_base_buffer_text(p->out, ": it may be read either way.\n\n");
    }
}

/* ---- the document -------------------------------------------------------------------------------------- */

static void put_notes(printer *p) {
    for (int32_t i = 0; i < p->of->notes.count; i++) {
        hbg_base_buffer_text(p->out, "\\noindent ");
        hbg_emit_latex_escaped(p->out, p->of->notes.items[i], strlen(p->of->notes.items[i]));
        hbg_base_buffer_text(p->out, "\n\n");
    }
    if (p->of->differences.count == 0) return;
    hbg_base_buffer_text(p->out, "\\subsection*{How hbg differs}\n\\begin{description}\n");
    for (int32_t i = 0; i < p->of->differences.count; i++) {
        const hbg_paper_difference *at = &p->of->differences.items[i];
        hbg_base_buffer_print(p->out, "\\item[%s] ", hbg_verify_difference_code(at->code));
        hbg_emit_latex_escaped(p->out, at->object, strlen(at->object));
        hbg_base_buffer_text(p->out, ": ");
        hbg_emit_latex_escaped(p->out, at->words, strlen(at->words));
        hbg_base_buffer_char(p->out, '\n');
    }
    hbg_base_buffer_text(p->out, "\\end{description}\n");
}

void hbg_emit_paper_latex(const hbg_emit_paper *of, hbg_buffer *out) {
    hbg_emit_latex_head(out, of->model);
    hbg_base_buffer_print(
        out,
        "}\nWritten by hbg %s, form \\emph{paper}, reading \\emph{%s}; SI units, numbers to six digits. "
        "$W_b$ is the work that passes bond $b$ in a jump.\n",
        of->version, of->part_count > 0 ? hbg_emit_paper_reading(of->parts[0].reading) : "settled");
    for (int32_t i = 0; i < of->part_count; i++) {
        printer p = {&of->parts[i], of->names[i], out};
        if (of->composition) put_composition(&p);
        if (of->linear && !p.of->reason) {
            put_alternatives(&p);
            put_clauses(&p);
            put_jumps(&p);
            put_included(&p);
        }
        put_notes(&p);
    }
    hbg_base_buffer_text(out, "\\end{document}\n");
}
