/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The composition of 003's constitutive processes as text: parts, all of them in parallel, the linear process
 * with named clauses and jumps, what can be read either way, and how it differs from hbg. */
#include <string.h>

#include "emit/emit.h"

#define LINE 110 /* characters of predicates that fit in one line */

typedef struct {
    const hbg_paper *of;
    const char *name;
    hbg_buffer *out;
} printer;

/* ---- predicates ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *words; /* the name of a jump, or NULL: the term */
    hbg_term term;
} predicate;
typedef HBG_VEC(predicate) predicates;

static void add_all(printer *p, predicates *into, const hbg_process_all *all) {
    for (int32_t i = 0; i < all->count; i++) HBG_PUSH(p->out->arena, *into, (predicate){NULL, all->items[i]});
}

static void put(printer *p, const predicate *of) {
    if (of->words)
        hbg_base_buffer_text(p->out, of->words);
    else
        hbg_emit_process_term(&p->of->process, of->term, p->out);
}

/* Puts predicates in brackets, as many in a line as fit. */
static void put_brackets(printer *p, const predicates *all, char open, char close) {
    size_t line = 0;
    hbg_base_buffer_print(p->out, "%c ", open);
    for (int32_t i = 0; i < all->count; i++) {
        hbg_buffer text;
        printer own = {p->of, p->name, &text};
        hbg_base_buffer_init(&text, p->out->arena);
        put(&own, &all->items[i]);
        bool fits = line + text.size <= LINE;
        if (i > 0) hbg_base_buffer_text(p->out, fits ? "; " : ";\n        ");
        line = fits || i == 0 ? line + text.size + 2 : text.size + 2;
        hbg_base_buffer_text(p->out, text.data);
    }
    hbg_base_buffer_print(p->out, all->count == 0 ? "true %c" : " %c", close);
}

static void put_clause(printer *p, const hbg_process_all *all) {
    predicates list = {0};
    add_all(p, &list, all);
    put_brackets(p, &list, '{', '}');
}

/* ---- constitutive processes ---------------------------------------------------------------------------- */

static void put_row(printer *p, const hbg_paper_row *row) {
    predicates jump = {0};
    add_all(p, &jump, &row->before);
    add_all(p, &jump, &row->jump);
    put_brackets(p, &jump, '[', ']');
    hbg_base_buffer_text(p->out, "\n    >> ");
    put_clause(p, &row->clause);
}

/* Parts that differ only in names are described by the first of them. */
static void put_likewise(printer *p, int32_t number) {
    bool any = false;
    for (int32_t i = 0; i < p->of->parts.count; i++) {
        if (p->of->parts.items[i].like != number) continue;
        hbg_base_buffer_print(p->out, "%s %s",
                              any ? "," : "; but for names the same:", p->of->parts.items[i].name);
        any = true;
    }
}

static void put_part(printer *p, const hbg_paper_part *part, int32_t number) {
    if (part->like != HBG_NONE) return;
    hbg_base_buffer_print(p->out, "\n// %s", part->kind);
    if (number != HBG_NONE) put_likewise(p, number);
    hbg_base_buffer_print(p->out, "\n%s : (", part->name);
    for (int32_t i = 0; i < part->rows.count; i++) {
        const hbg_paper_row *row = &part->rows.items[i];
        if (i > 0) hbg_base_buffer_text(p->out, "\n  (+)");
        if (row->note) hbg_base_buffer_print(p->out, "\n    // %s", row->note);
        hbg_base_buffer_text(p->out, "\n    ");
        put_row(p, row);
    }
    hbg_base_buffer_print(p->out, " ) |> %s .\n", part->name);
}

static void put_composition(printer *p) {
    const hbg_paper *of = p->of;
    int32_t count = of->parts.count + of->others.count;
    hbg_base_buffer_print(p->out, "\n// %d parts\n%s :", (int)of->parts.count, p->name);
    for (int32_t i = 0; i < count; i++) {
        bool part = i < of->parts.count;
        const hbg_paper_part *at = part ? &of->parts.items[i] : &of->others.items[i - of->parts.count];
        hbg_base_buffer_print(p->out, "%s%s", i == 0 ? " " : i % 10 == 0 ? "\n    || " : " || ", at->name);
    }
    hbg_base_buffer_text(p->out, count == 0 ? " delta .\n" : " .\n");
    for (int32_t i = 0; i < of->parts.count; i++) put_part(p, &of->parts.items[i], i);
    for (int32_t i = 0; i < of->others.count; i++) put_part(p, &of->others.items[i], HBG_NONE);
}

/* ---- the linear form ----------------------------------------------------------------------------------- */

static const char *jump_name(printer *p, int32_t jump) {
    return hbg_base_arena_print(p->out->arena, "d%d", (int)jump + 1);
}

static void put_alternative(printer *p, const hbg_paper_alternative *of) {
    const hbg_paper_clause *clauses = p->of->clauses.items;
    predicates list = {0};
    hbg_base_buffer_print(p->out, "    // %s -> %s%s%s%s\n    ", clauses[of->before].mode,
                          clauses[of->after].mode, of->impact ? ", impact" : "",
                          of->feasible == HBG_NOT_DECIDED ? ", not decided whether it can be" : "",
                          of->entry_open ? ": entry not decided" : "");
    HBG_PUSH(p->out->arena, list, (predicate){jump_name(p, of->jump), HBG_NONE});
    add_all(p, &list, &of->when);
    put_brackets(p, &list, '[', ']');
    hbg_base_buffer_print(p->out, " >> c%d\n", (int)of->after + 1);
}

static void put_alternatives(printer *p) {
    int32_t told = 0, gone = 0;
    hbg_base_buffer_print(p->out, "\n%s_linear : (\n", p->name);
    for (int32_t i = 0; i < p->of->alternatives.count; i++) {
        const hbg_paper_alternative *of = &p->of->alternatives.items[i];
        if (of->feasible == HBG_VIOLATED) {
            gone++;
            continue;
        }
        if (told++ > 0) hbg_base_buffer_text(p->out, "  (+)\n");
        put_alternative(p, of);
    }
    if (told == 0) hbg_base_buffer_text(p->out, "    delta\n");
    hbg_base_buffer_print(p->out, ") |> %s_linear .\n", p->name);
    if (gone > 0) hbg_base_buffer_print(p->out, "// %d more can never be taken\n", (int)gone);
}

static void put_clauses(printer *p) {
    int32_t states = 0;
    for (int32_t i = 0; i < p->of->process.variables.count; i++)
        states += p->of->process.variables.items[i].role == HBG_PROCESS_ENERGY;
    for (int32_t i = 0; i < p->of->clauses.count; i++) {
        const hbg_paper_clause *of = &p->of->clauses.items[i];
        predicates list = {0};
        add_all(p, &list, &of->equations);
        add_all(p, &list, &of->constraints);
        hbg_base_buffer_print(p->out, "\n// %s%sorder %d of %d%s%s", of->mode, of->mode[0] ? ": " : "",
                              (int)of->order, (int)states,
                              of->contradicts                ? "; its equations contradict each other"
                              : of->flows == HBG_VIOLATED    ? "; time never advances in it"
                              : of->flows == HBG_NOT_DECIDED ? "; not decided whether time advances in it"
                                                             : "",
                              of->undecided && !of->contradicts ? "; something in it is free" : "");
        hbg_base_buffer_print(p->out, "\nc%d : ", (int)i + 1);
        bool always = of->invariants.count == 1 && of->invariants.items[0].count == 0;
        if (!always) {
            hbg_buffer text;
            hbg_base_buffer_init(&text, p->out->arena);
            hbg_emit_process_any(&p->of->process, &of->invariants, &text);
            HBG_PUSH(p->out->arena, list, (predicate){text.data, HBG_NONE});
        }
        put_brackets(p, &list, '{', '}');
        hbg_base_buffer_text(p->out, " .\n");
    }
}

static void put_jumps(printer *p) {
    for (int32_t i = 0; i < p->of->jumps.count; i++) {
        const hbg_paper_jump *of = &p->of->jumps.items[i];
        hbg_base_buffer_print(p->out, "\n// %s",
                              !of->moves  ? "nothing changes"
                              : of->loses ? "energies change, some may be lost"
                                          : "energies change");
        if (of->on_energies != i)
            hbg_base_buffer_print(p->out, "; on energies alone the same as d%d", (int)of->on_energies + 1);
        hbg_base_buffer_print(p->out, "\nd%d : ", (int)i + 1);
        for (int32_t k = 0; k < of->cases.count; k++) {
            predicates list = {0};
            add_all(p, &list, &of->cases.items[k].equations);
            add_all(p, &list, &of->cases.items[k].inequalities);
            if (k > 0) hbg_base_buffer_text(p->out, "\n  (+) ");
            put_brackets(p, &list, '[', ']');
        }
        hbg_base_buffer_text(p->out, of->cases.count == 0 ? "[ false ] .\n" : " .\n");
    }
}

/* Whether an earlier edge says the same. */
static bool is_told(const hbg_paper *of, int32_t edge) {
    const hbg_paper_edge *own = &of->edges.items[edge];
    const hbg_paper_alternative *by = &of->alternatives.items[own->alternative];
    for (int32_t i = 0; i < edge; i++) {
        const hbg_paper_edge *at = &of->edges.items[i];
        const hbg_paper_alternative *other = &of->alternatives.items[at->alternative];
        if (at->from == own->from && other->after == by->after && other->jump == by->jump &&
            (at->jumps != HBG_VIOLATED) == (own->jumps != HBG_VIOLATED) && at->certain == own->certain)
            return true;
    }
    return false;
}

static void put_edges(printer *p) {
    const hbg_paper *of = p->of;
    for (int jumps = 1; jumps >= 0; jumps--) {
        int32_t told = 0;
        for (int32_t i = 0; i < of->edges.count; i++) {
            const hbg_paper_edge *at = &of->edges.items[i];
            const hbg_paper_alternative *by = &of->alternatives.items[at->alternative];
            if ((at->jumps != HBG_VIOLATED) != jumps || is_told(of, i)) continue;
            if (told == 0)
                hbg_base_buffer_text(p->out, jumps ? "\n// energies can jump:" : "\n// nothing jumps:");
            hbg_base_buffer_print(p->out, "%s c%d -> c%d by d%d%s",
                                  told == 0       ? ""
                                  : told % 8 == 0 ? ",\n//    "
                                                  : ",",
                                  (int)at->from + 1, (int)by->after + 1, (int)by->jump + 1,
                                  at->certain ? "" : " (not decided)");
            told++;
        }
        if (told == 0 && jumps && of->edges.count > 0)
            hbg_base_buffer_text(p->out, "\n// no energy ever jumps");
    }
    hbg_base_buffer_text(p->out, of->edges.count > 0 ? "\n" : "");
}

/* ---- implicit switching -------------------------------------------------------------------------------- */

static void put_merged_one(printer *p, const hbg_paper_merged *of) {
    const hbg_paper *paper = p->of;
    bool alone = of->alternatives.count == 1, any = false;
    hbg_base_buffer_text(p->out, "    [ ");
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_paper_alternative *at = &paper->alternatives.items[of->alternatives.items[i]];
        if (at->feasible == HBG_VIOLATED) continue;
        hbg_base_buffer_print(p->out, "%s%sd%d", any ? " || " : "", alone ? "" : "(", (int)at->jump + 1);
        any = true;
        for (int32_t k = 0; k < at->when.count; k++) {
            hbg_base_buffer_text(p->out, alone ? "; " : " && ");
            hbg_emit_process_term(&paper->process, at->when.items[k], p->out);
        }
        for (int32_t k = 0; k < paper->included.count; k++)
            for (int32_t n = 0;
                 n < paper->included.items[k].behind.count && paper->included.items[k].clause == at->after;
                 n++) {
                hbg_base_buffer_text(p->out, alone ? "; " : " && ");
                hbg_emit_process_term(&paper->process, paper->included.items[k].behind.items[n], p->out);
            }
        hbg_base_buffer_text(p->out, alone ? "" : ")");
    }
    hbg_base_buffer_print(p->out, "%s ] >> c%d\n", any ? "" : "false", (int)of->after + 1);
}

static void put_merged(printer *p) {
    const hbg_paper *of = p->of;
    for (int32_t i = 0; i < of->included.count; i++) {
        const hbg_paper_included *at = &of->included.items[i];
        hbg_base_buffer_print(p->out, "\n// c%d is c%d", (int)at->clause + 1, (int)at->in + 1);
        for (int32_t k = 0; k < at->where.count; k++) {
            hbg_base_buffer_text(p->out, k == 0 ? " with " : ", ");
            hbg_emit_process_term(&of->process, at->where.items[k], p->out);
        }
        hbg_base_buffer_text(p->out, ": it may be read either way");
    }
    if (of->included.count == 0) return;
    hbg_base_buffer_print(p->out, "\n// so that %d clauses and %d alternatives are enough\n%s_merged : (\n",
                          (int)of->merged_clauses, (int)of->merged.count, p->name);
    for (int32_t i = 0; i < of->merged.count; i++) {
        hbg_base_buffer_text(p->out, i > 0 ? "  (+)\n" : "");
        put_merged_one(p, &of->merged.items[i]);
    }
    hbg_base_buffer_print(p->out, ") |> %s_merged .\n", p->name);
}

/* ---- the text ------------------------------------------------------------------------------------------ */

static void put_notes(printer *p) {
    const hbg_paper *of = p->of;
    for (int32_t i = 0; i < of->notes.count; i++)
        hbg_base_buffer_print(p->out, "\n// %s", of->notes.items[i]);
    if (of->notes.count > 0) hbg_base_buffer_char(p->out, '\n');
    if (of->differences.count > 0) hbg_base_buffer_text(p->out, "\n// how hbg differs\n");
    for (int32_t i = 0; i < of->differences.count; i++) {
        const hbg_paper_difference *at = &of->differences.items[i];
        hbg_base_buffer_print(p->out, "// %-3s %s: %s\n", hbg_verify_difference_code(at->code), at->object,
                              at->words);
    }
}

static void put_linear(printer *p) {
    const hbg_paper *of = p->of;
    if (of->reason) {
        hbg_base_buffer_print(p->out, "\n// there is no linear form: %s\n", of->reason);
        return;
    }
    hbg_base_buffer_print(
        p->out,
        "\n// linear form: %d clauses, %d alternatives out of %d products, %d jumps, %d on energies alone%s",
        (int)of->clauses.count, (int)of->alternatives.count, (int)of->composed, (int)of->jumps.count,
        (int)of->distinct_on_energies,
        of->is_whole ? "" : "; what the start mode leads to, as far as the limit");
    put_alternatives(p);
    put_clauses(p);
    put_jumps(p);
    put_edges(p);
    put_merged(p);
}

static const char *word_of(hbg_paper_reading reading) {
    static const char *const words[] = {
#define X(id, word) word,
        HBG_PAPER_READING_LIST(X)
#undef X
    };
    return words[reading];
}

const char *hbg_emit_paper_reading(hbg_paper_reading reading) {
    return word_of(reading);
}

void hbg_emit_paper_text(const hbg_emit_paper *of, hbg_buffer *out) {
    hbg_base_buffer_print(out,
                          "// %s as a composition of constitutive processes (003), form paper, reading %s, "
                          "by hbg %s. SI units.\n"
                          "// In a clause der(x) is a rate. In a jump old(x) is before it, new(x) after it, "
                          "impulse(x) the area of a "
                          "pulse,\n// and work(b) the energy that passes a bond, as its half arrow counts.\n",
                          of->model, of->part_count > 0 ? word_of(of->parts[0].reading) : "settled",
                          of->version);
    if (of->part_count > 1) {
        hbg_base_buffer_print(out, "\n%s :", of->model);
        for (int32_t i = 0; i < of->part_count; i++)
            hbg_base_buffer_print(out, "%s %s", i > 0 ? " ||" : "", of->names[i]);
        hbg_base_buffer_text(out, " .\n");
    }
    for (int32_t i = 0; i < of->part_count; i++) {
        printer p = {&of->parts[i], of->names[i], out};
        if (of->composition) put_composition(&p);
        if (of->linear) put_linear(&p);
        put_notes(&p);
    }
}
