/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Processes for programs: variables, clauses, alternatives and endless chains, with predicates as text. */
#include "api/hypa_impl.h"

const char *hbg_api_hypa_term(const hypa_work *work, const hbg_process *of, hbg_term term) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &work->session->scratch);
    hbg_emit_process_term(of, term, &text);
    return text.data;
}

void hbg_api_hypa_put_all(const hypa_work *work, const hbg_process *of, hbg_api_report *in, const char *key,
                          const hbg_process_all *all) {
    hbg_api_report *list = hbg_api_list(in, key);
    for (int32_t i = 0; i < all->count; i++)
        hbg_api_text(list, NULL, hbg_api_hypa_term(work, of, all->items[i]));
}

/* Conjunctions of which one holds. */
static void put_any(const hypa_work *work, const hbg_process *of, hbg_api_report *in, const char *key,
                    const hbg_process_any *any) {
    hbg_api_report *list = hbg_api_list(in, key);
    for (int32_t i = 0; i < any->count; i++) hbg_api_hypa_put_all(work, of, list, NULL, &any->items[i]);
}

static void put_variables(const hbg_process *of, hbg_api_report *in) {
    static const char *const roles[] = {
        [HBG_PROCESS_ENERGY] = "energy", [HBG_PROCESS_INPUT] = "input",  [HBG_PROCESS_HELD] = "sample",
        [HBG_PROCESS_PRE] = "pre",       [HBG_PROCESS_WAIT] = "wait",    [HBG_PROCESS_CLOCK] = "clock",
        [HBG_PROCESS_TIME] = "time",     [HBG_PROCESS_HIDDEN] = "hidden"};
    hbg_api_report *list = hbg_api_list(in, "variables");
    for (int32_t i = 0; i < of->variables.count; i++) {
        const hbg_process_variable *at = &of->variables.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", at->name);
        hbg_api_text(one, "unit", at->unit);
        hbg_api_text(one, "role", roles[at->role]);
        hbg_api_flag(one, "truth", at->is_truth);
    }
}

/* "name == term" for each that has one. */
static void put_laws(const hypa_work *work, const hbg_process *of, hbg_api_report *in, const char *key,
                     const char *format, const hbg_term *terms) {
    hbg_api_report *list = hbg_api_list(in, key);
    for (int32_t i = 0; i < of->variables.count; i++) {
        if (of->variables.items[i].role == HBG_PROCESS_HIDDEN) break; // these come last
        if (of->variables.items[i].role == HBG_PROCESS_TIME || terms[i] == HBG_NONE) continue;
        hbg_buffer text;
        hbg_base_buffer_init(&text, &work->session->scratch);
        hbg_base_buffer_print(&text, format, of->variables.items[i].name);
        hbg_base_buffer_text(&text, " == ");
        hbg_emit_process_term(of, terms[i], &text);
        hbg_api_text(list, NULL, text.data);
    }
}

static const char *clause_name(const hypa_work *work, int32_t number) {
    return hbg_base_arena_print(&work->session->scratch, "c%d", (int)number + 1);
}

static void put_clauses(const hypa_work *work, const hbg_process *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "clauses");
    for (int32_t i = 0; i < of->clauses.count; i++) {
        const hbg_process_clause *at = &of->clauses.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", clause_name(work, i));
        hbg_api_text(one, "mode", at->mode);
        put_laws(work, of, one, "equations", "der(%s)", at->rates);
        hbg_api_hypa_put_all(work, of, one, "constraints", &at->constraints);
        put_any(work, of, one, "invariants", &at->invariants);
        hbg_api_flag(one, "invariants_complete", at->invariants.complete);
        hbg_api_count(one, "order", at->order);
        hbg_api_flag(one, "time_can_flow", at->flows);
    }
}

static void put_alternatives(const hypa_work *work, const hbg_process *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "alternatives");
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_process_alternative *at = &of->alternatives.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "before", clause_name(work, at->from));
        hbg_api_text(one, "after", clause_name(work, at->to));
        put_any(work, of, one, "when", &at->when);
        hbg_api_flag(one, "when_complete", at->when.complete);
        put_laws(work, of, one, "jump", "new(%s)", at->becomes);
        hbg_api_hypa_put_all(work, of, one, "samples", &at->samples);
        hbg_api_texts(one, "through", at->through, at->through_count);
        hbg_api_flag(one, "stays", at->stays);
        hbg_api_flag(one, "jumps", at->jumps);
        hbg_api_text(one, "in_reach",
                     at->stays || !at->by_start ? (at->stays || at->is_certain ? "yes" : "not decided")
                                                : "no");
    }
}

static void put_ends(const hypa_work *work, const hbg_process *of, hbg_api_report *in) {
    hbg_api_report *list = hbg_api_list(in, "delta");
    for (int32_t i = 0; i < of->ends.count; i++) {
        const hbg_process_end *at = &of->ends.items[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "before", clause_name(work, at->from));
        hbg_api_text(one, "what", hbg_verify_finding_word(at->kind));
        put_any(work, of, one, "when", &at->when);
        hbg_api_flag(one, "when_complete", at->when.complete);
    }
}

static void put_counts(const hbg_process *of, hbg_api_report *in) {
    hbg_api_report *counts = hbg_api_object(in, "counts");
    int32_t flows = 0, reach = 0, start = 0, stays = 0, open = 0;
    for (int32_t i = 0; i < of->clauses.count; i++) flows += of->clauses.items[i].flows;
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_process_alternative *at = &of->alternatives.items[i];
        stays += at->stays;
        open += !at->stays && !at->is_certain;
        reach += !at->stays && at->is_certain && !at->by_start;
        start += !at->stays && at->by_start;
    }
    hbg_api_count(counts, "clauses", flows);
    hbg_api_count(counts, "in_reach", reach);
    hbg_api_count(counts, "not_decided", open);
    hbg_api_count(counts, "by_start", start);
    hbg_api_count(counts, "stays", stays);
    hbg_api_count(counts, "delta", of->ends.count);
    hbg_api_count(counts, "questions", of->questions);
    hbg_api_number(counts, "seconds", of->seconds);
}

hbg_api_report *hbg_api_hypa_report(const hypa_work *work) {
    hbg_api_report *report = hbg_api_report_new(work->session);
    hbg_api_text(report, "model", work->name);
    hbg_api_text(report, "form", "exact");
    hbg_api_report *list = hbg_api_list(report, "islands");
    for (int32_t i = 0; i < work->part_count; i++) {
        const hbg_process *of = &work->parts[i];
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "name", work->names[i]);
        hbg_api_flag(one, "whole", of->is_whole);
        put_variables(of, one);
        put_clauses(work, of, one);
        put_alternatives(work, of, one);
        put_ends(work, of, one);
        put_counts(of, one);
        hbg_api_texts(one, "warnings", of->warnings.items, of->warnings.count);
    }
    return report;
}
