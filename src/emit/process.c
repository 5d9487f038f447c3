/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process of HyPA as text. Predicates are expressions of the language over der(x) in clauses, old(x) and
 * new(x) in jumps; the rest is the notation of docs/processes.md. */
#include "emit/emit.h"

typedef struct {
    const hbg_process *of;
    const char *name;
    hbg_buffer *out;
    bool any; /* a predicate is there already */
} printer;

/* ---- predicates ---------------------------------------------------------------------------------------- */

void hbg_emit_process_term(const hbg_process *of, hbg_term term, hbg_buffer *out) {
    hbg_verify_process_print(of, term, true, out);
}

static bool is_loose(const hbg_process *of, hbg_term term) {
    int op = of->terms.nodes.items[term].op;
    return op == HBG_OP_OR || op == HBG_OP_SELECT;
}

static void put_all(const hbg_process *of, const hbg_process_all *all, bool alone, hbg_buffer *out) {
    for (int32_t i = 0; i < all->count; i++) {
        bool brackets = all->count > 1 && is_loose(of, all->items[i]);
        if (i > 0) hbg_base_buffer_text(out, alone ? "; " : " && ");
        if (brackets) hbg_base_buffer_char(out, '(');
        hbg_emit_process_term(of, all->items[i], out);
        if (brackets) hbg_base_buffer_char(out, ')');
    }
    if (all->count == 0) hbg_base_buffer_text(out, "true");
}

void hbg_emit_process_any(const hbg_process *of, const hbg_process_any *any, hbg_buffer *out) {
    if (any->count == 0) hbg_base_buffer_text(out, "false");
    for (int32_t i = 0; i < any->count; i++) {
        bool alone = any->count == 1;
        hbg_base_buffer_text(out, i > 0 ? " || " : "");
        if (!alone && any->items[i].count > 1) hbg_base_buffer_char(out, '(');
        put_all(of, &any->items[i], alone, out);
        if (!alone && any->items[i].count > 1) hbg_base_buffer_char(out, ')');
    }
}

/* ---- clauses and jumps --------------------------------------------------------------------------------- */

/* Text before the next predicate, which gets its own line. */
static void next(printer *p) {
    hbg_base_buffer_text(p->out, p->any ? ";\n        " : " ");
    p->any = true;
}

static void put_condition(printer *p, const hbg_process_any *any) {
    if (any->count == 1 && any->items[0].count == 0) return; // it always holds
    next(p);
    hbg_emit_process_any(p->of, any, p->out);
}

static void put_places(printer *p, const hbg_process_clause *clause, const char *format) {
    for (int32_t i = 0; i < p->of->automaton_count; i++) {
        if (i == 0) next(p);
        hbg_base_buffer_text(p->out, i > 0 ? "; " : "");
        hbg_base_buffer_print(p->out, format, clause->places[i]);
    }
}

static void put_clause(printer *p, int32_t number) {
    const hbg_process_clause *clause = &p->of->clauses.items[number];
    p->any = false;
    hbg_base_buffer_print(p->out, "%s_c%d : {", p->name, (int)number + 1);
    put_places(p, clause, "%s");
    for (int32_t i = 0; i < p->of->variables.count; i++) {
        const hbg_process_variable *of = &p->of->variables.items[i];
        if (of->role == HBG_PROCESS_TIME || of->role == HBG_PROCESS_HIDDEN) continue;
        if (of->role != HBG_PROCESS_INPUT || !of->is_truth) {
            if (clause->rates[i] == HBG_NONE && of->role != HBG_PROCESS_HELD && of->role != HBG_PROCESS_PRE)
                continue; // an input, as a function of time
            next(p);
            hbg_base_buffer_print(p->out, "der(%s) == ", of->name);
            if (clause->rates[i] == HBG_NONE)
                hbg_base_buffer_char(p->out, '0');
            else
                hbg_emit_process_term(p->of, clause->rates[i], p->out);
        }
    }
    for (int32_t i = 0; i < clause->constraints.count; i++) {
        next(p);
        hbg_emit_process_term(p->of, clause->constraints.items[i], p->out);
    }
    put_condition(p, &clause->invariants);
    hbg_base_buffer_text(p->out, p->any ? " } .\n" : " true } .\n");
}

/* After a jump every variable has a value: an undetermined one is free, all others are listed. */
static void put_changes(printer *p, const hbg_process_alternative *of) {
    for (int32_t i = 0; i < p->of->variables.count; i++) {
        const hbg_process_variable *at = &p->of->variables.items[i];
        if (at->role == HBG_PROCESS_INPUT || at->role == HBG_PROCESS_HELD || at->role == HBG_PROCESS_TIME ||
            at->role == HBG_PROCESS_HIDDEN)
            continue;
        next(p);
        hbg_base_buffer_print(p->out, "new(%s) == ", at->name);
        if (of->becomes[i] != HBG_NONE)
            hbg_emit_process_term(p->of, of->becomes[i], p->out);
        else
            hbg_base_buffer_print(p->out, "old(%s)", at->name);
    }
    for (int32_t i = 0; i < of->samples.count; i++) {
        next(p);
        hbg_emit_process_term(p->of, of->samples.items[i], p->out);
    }
}

static void put_note(printer *p, const hbg_process_alternative *of) {
    const hbg_process_clause *clauses = p->of->clauses.items;
    hbg_base_buffer_print(p->out, "    // %s -> %s", clauses[of->from].mode, clauses[of->to].mode);
    if (of->stays) hbg_base_buffer_text(p->out, ", nothing moves");
    if (of->by_start) hbg_base_buffer_text(p->out, ", only where a run begins");
    if (!of->is_certain && !of->stays)
        hbg_base_buffer_text(p->out, ", not decided whether only where a run begins");
    for (int32_t i = 0; i < of->through_count; i++)
        if (of->through[i][0])
            hbg_base_buffer_print(p->out, "%s through %s", i > 0 ? " or" : ",", of->through[i]);
    hbg_base_buffer_char(p->out, '\n');
}

static void put_alternative(printer *p, const hbg_process_alternative *of) {
    put_note(p, of);
    p->any = false;
    hbg_base_buffer_text(p->out, "    [");
    put_places(p, &p->of->clauses.items[of->from], "old(%s)");
    put_condition(p, &of->when);
    put_changes(p, of);
    put_places(p, &p->of->clauses.items[of->to], "new(%s)");
    hbg_base_buffer_print(p->out, "%s ] >> %s_c%d\n", p->any ? "" : " true", p->name, (int)of->to + 1);
}

static void put_end(printer *p, const hbg_process_end *of) {
    hbg_base_buffer_print(p->out, "    // %s: %s\n    [", p->of->clauses.items[of->from].mode,
                          hbg_verify_finding_text(of->kind));
    p->any = false;
    put_places(p, &p->of->clauses.items[of->from], "old(%s)");
    put_condition(p, &of->when);
    hbg_base_buffer_text(p->out, p->any ? " ] >> delta\n" : " true ] >> delta\n");
}

/* ---- the text ------------------------------------------------------------------------------------------ */

static void put_part(printer *p) {
    const hbg_process *of = p->of;
    int32_t count = 0;
    if (!of->is_whole) hbg_base_buffer_text(p->out, "\n// what follows from where runs start");
    for (int32_t i = 0; i < of->warnings.count; i++)
        hbg_base_buffer_print(p->out, "\n// warning: %s", of->warnings.items[i]);
    hbg_base_buffer_print(p->out, "\n%s : (\n", p->name);
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        hbg_base_buffer_text(p->out, count++ > 0 ? "  (+)\n" : "");
        put_alternative(p, &of->alternatives.items[i]);
    }
    for (int32_t i = 0; i < of->ends.count; i++) {
        hbg_base_buffer_text(p->out, count++ > 0 ? "  (+)\n" : "");
        put_end(p, &of->ends.items[i]);
    }
    if (count == 0) hbg_base_buffer_text(p->out, "    delta\n");
    hbg_base_buffer_print(p->out, ") |> %s .\n", p->name);
    for (int32_t i = 0; i < of->clauses.count; i++)
        if (of->clauses.items[i].flows) put_clause(p, i);
}

void hbg_emit_process_text(const hbg_emit_process *of, hbg_buffer *out) {
    hbg_base_buffer_print(
        out,
        "// %s as a process, form exact, by hbg %s. SI units. In a clause der(x) is a rate; "
        "in a jump\n// old(x) is before it, new(x) after it. An instant begins where time "
        "has advanced in its mode, or where a run\n// begins: conditions say what else has to "
        "hold.\n",
        of->model, of->version);
    if (of->part_count > 1) {
        hbg_base_buffer_print(out, "\n%s :", of->model);
        for (int32_t i = 0; i < of->part_count; i++)
            hbg_base_buffer_print(out, "%s %s", i > 0 ? " ||" : "", of->names[i]);
        hbg_base_buffer_text(out, " .\n");
    }
    for (int32_t i = 0; i < of->part_count; i++) {
        printer p = {&of->parts[i], of->names[i], out, false};
        put_part(&p);
    }
}
