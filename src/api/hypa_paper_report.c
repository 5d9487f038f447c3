/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Form paper for programs: variables, parts, and of each independent part clauses, jumps, alternatives, edges and what is merged. */
#include "api/hypa_impl.h"

static const char *const answers[] = {
    [HBG_PROVED] = "yes", [HBG_VIOLATED] = "no", [HBG_NOT_DECIDED] = "not decided"};

static const char *number_text(const hypa_work *work, char letter, int32_t number) {
    return hbg_base_arena_print(&work->session->scratch, "%c%d", letter, (int)number + 1);
}

/* ---- what it is made of ------------------------------------------------------------------------------------ */

static void put_variables(const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "variables");
    for (int32_t i = 0; i < of->process.variables.count; i++) {
        const hbg_process_variable *at = &of->process.variables.items[i];
        const char *role = at->role == HBG_PROCESS_ENERGY     ? "energy"
                           : at->role == HBG_PROCESS_BOND     ? "bond"
                           : at->role == HBG_PROCESS_INPUT    ? "input"
                           : at->role == HBG_PROCESS_HELD     ? "sample"
                           : at->role == HBG_PROCESS_DISCRETE ? "discrete"
                                                              : NULL;
        if (!role) continue;
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", at->name);
        hbg_api_text(one, "unit", at->unit);
        hbg_api_text(one, "role", role);
    }
}

static void put_parts(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    for (int others = 0; others < 2; others++) {
        hbg_api_report *list = hbg_api_list(in, others ? "others" : "parts");
        int32_t count = others ? of->others.count : of->parts.count;
        for (int32_t i = 0; i < count; i++) {
            const hbg_paper_part *at = others ? &of->others.items[i] : &of->parts.items[i];
            hbg_api_report *one = hbg_api_object(list, NULL);
            hbg_api_text(one, "name", at->name);
            hbg_api_text(one, "kind", at->kind);
            hbg_api_report *rows = hbg_api_list(one, "alternatives");
            for (int32_t k = 0; k < at->rows.count; k++) {
                hbg_api_report *row = hbg_api_object(rows, NULL);
                hbg_api_text(row, "note", at->rows.items[k].note);
                hbg_api_hypa_put_all(work, &of->process, row, "before", &at->rows.items[k].before);
                hbg_api_hypa_put_all(work, &of->process, row, "jump", &at->rows.items[k].jump);
                hbg_api_hypa_put_all(work, &of->process, row, "clause", &at->rows.items[k].clause);
            }
        }
    }
}

/* ---- the linear form ------------------------------------------------------------------------------------------ */

static void put_clauses(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "clauses");
    for (int32_t i = 0; i < of->clauses.count; i++) {
        const hbg_paper_clause *at = &of->clauses.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", number_text(work, 'c', i));
        hbg_api_text(one, "mode", at->mode);
        hbg_api_hypa_put_all(work, &of->process, one, "equations", &at->equations);
        hbg_api_report *any = hbg_api_list(one, "invariants");
        for (int32_t k = 0; k < at->invariants.count; k++)
            hbg_api_hypa_put_all(work, &of->process, any, NULL, &at->invariants.items[k]);
        hbg_api_flag(one, "invariants_complete", at->invariants.complete);
        hbg_api_hypa_put_all(work, &of->process, one, "constraints", &at->constraints);
        hbg_api_count(one, "order", at->order);
        hbg_api_text(one, "time_can_flow", answers[at->flows]);
    }
}

static void put_jumps(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "jumps");
    for (int32_t i = 0; i < of->jumps.count; i++) {
        const hbg_paper_jump *at = &of->jumps.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", number_text(work, 'd', i));
        hbg_api_text(one, "on_energies", number_text(work, 'd', at->on_energies));
        hbg_api_flag(one, "moves", at->moves);
        hbg_api_report *cases = hbg_api_list(one, "cases");
        for (int32_t k = 0; k < at->cases.count; k++) {
            hbg_api_report *own = hbg_api_object(cases, NULL);
            hbg_api_hypa_put_all(work, &of->process, own, "equations", &at->cases.items[k].equations);
            hbg_api_hypa_put_all(work, &of->process, own, "inequalities", &at->cases.items[k].inequalities);
        }
    }
}

static void put_alternatives(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "alternatives");
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_paper_alternative *at = &of->alternatives.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "before", of->clauses.items[at->before].mode);
        hbg_api_text(one, "after", of->clauses.items[at->after].mode);
        hbg_api_hypa_put_all(work, &of->process, one, "when", &at->when);
        hbg_api_text(one, "jump", number_text(work, 'd', at->jump));
        hbg_api_text(one, "clause", number_text(work, 'c', at->after));
        hbg_api_text(one, "feasible", answers[at->feasible]);
        hbg_api_flag(one, "entry_not_decided", at->entry_open);
        hbg_api_flag(one, "jumps", of->jumps.items[at->jump].moves);
    }
}

static void put_edges(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "edges");
    for (int32_t i = 0; i < of->edges.count; i++) {
        const hbg_paper_edge *at = &of->edges.items[i];
        const hbg_paper_alternative *by = &of->alternatives.items[at->alternative];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "from", number_text(work, 'c', at->from));
        hbg_api_text(one, "to", number_text(work, 'c', by->after));
        hbg_api_count(one, "alternative", at->alternative + 1);
        hbg_api_text(one, "jump", number_text(work, 'd', by->jump));
        hbg_api_text(one, "jumps", answers[at->jumps]);
        hbg_api_flag(one, "certain", at->certain);
    }
}

static void put_merged(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "included");
    for (int32_t i = 0; i < of->included.count; i++) {
        const hbg_paper_included *at = &of->included.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "clause", number_text(work, 'c', at->clause));
        hbg_api_text(one, "in", number_text(work, 'c', at->in));
        hbg_api_hypa_put_all(work, &of->process, one, "where", &at->where);
    }
    hbg_api_report *merged = hbg_api_object(in, "merged");
    bool any = of->included.count > 0;
    hbg_api_count(merged, "clauses", of->merged_clauses);
    hbg_api_count(merged, "alternatives", any ? of->merged.count : of->alternatives.count);
    hbg_api_report *ways = hbg_api_list(merged, "united");
    for (int32_t i = 0; i < of->merged.count; i++) {
        hbg_api_report *one = hbg_api_object(ways, NULL);
        hbg_api_text(one, "before", of->clauses.items[of->merged.items[i].before].mode);
        hbg_api_text(one, "clause", number_text(work, 'c', of->merged.items[i].after));
        hbg_api_report *of_them = hbg_api_list(one, "alternatives");
        for (int32_t k = 0; k < of->merged.items[i].alternatives.count; k++)
            hbg_api_count(of_them, NULL, of->merged.items[i].alternatives.items[k] + 1);
    }
}

static void put_counts(const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *counts = hbg_api_object(in, "counts");
    int32_t feasible = 0;
    for (int32_t i = 0; i < of->alternatives.count; i++)
        feasible += of->alternatives.items[i].feasible != HBG_VIOLATED;
    hbg_api_count(counts, "composed", of->composed);
    hbg_api_count(counts, "alternatives", of->alternatives.count);
    hbg_api_count(counts, "feasible", feasible);
    hbg_api_count(counts, "distinct", of->jumps.count);
    hbg_api_count(counts, "distinct_on_energies", of->distinct_on_energies);
    hbg_api_count(counts, "clauses", of->clauses.count);
    hbg_api_count(counts, "questions", of->questions);
    hbg_api_number(counts, "seconds", of->seconds);
}

static void put_linear(const hypa_work *work, const hbg_paper *of, hbg_api_report *in) {
    hbg_api_text(in, "reason", of->reason);
    hbg_api_texts(in, "junctions", of->junctions.items, of->junctions.count);
    hbg_api_flag(in, "whole", of->is_whole);
    put_clauses(work, of, in);
    put_jumps(work, of, in);
    put_alternatives(work, of, in);
    put_edges(work, of, in);
    put_merged(work, of, in);
    put_counts(of, in);
}

static void put_differences(const hbg_paper *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "differences");
    for (int32_t i = 0; i < of->differences.count; i++) {
        const hbg_paper_difference *at = &of->differences.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "code", hbg_verify_difference_code(at->code));
        hbg_api_text(one, "object", at->object);
        hbg_api_text(one, "words", at->words);
    }
}

hbg_api_report *hbg_api_hypa_paper_report(const hypa_work *work) {
    hbg_api_report *report = hbg_api_report_new(work->session);
    hbg_api_text(report, "model", work->name);
    hbg_api_text(report, "form", "paper");
    hbg_api_text(report, "reading", hbg_emit_paper_reading(work->request.reading));
    hbg_api_report *list = hbg_api_list(report, "islands");
    for (int32_t i = 0; i < work->part_count; i++) {
        const hbg_paper *of = &work->papers[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", work->names[i]);
        put_variables(of, one);
        put_parts(work, of, one);
        if (!work->request.composition_only) put_linear(work, of, one);
        hbg_api_texts(one, "notes", of->notes.items, of->notes.count);
        put_differences(of, one);
    }
    return report;
}
