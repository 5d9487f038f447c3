/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Implicit switching (003, section 6.2): a clause is redundant if another clause allows all its solutions. It
 * is removed, and what leads to it leads to the other one, with its constraints after the jump. */
#include "verify/paper_impl.h"

/* Whether no point of clause a, with its values, rates and hidden constraints, is outside of clause b. */
static bool is_included(paper_linear *linear, int32_t a, int32_t b) {
    formulas *f = &linear->work->proof->f;
    const paper_clause *own = &linear->clauses.items[a], *other = &linear->clauses.items[b];
    formula within = hbg_verify_paper_put(&own->system, hbg_verify_formula_and(f, other->raw, other->hidden));
    formula outside =
        hbg_verify_formula_and(f, hbg_verify_formula_and(f, own->hidden, own->predicate),
                               hbg_verify_formula_not(f, hbg_verify_formula_simplify(f, within)));
    return hbg_verify_formulas_check(f, outside) == ANSWER_NONE;
}

/* Constraints of a clause that the other one lacks. */
static hbg_process_all beyond(paper_linear *linear, int32_t a, int32_t b) {
    hbg_process_all made = {0};
    const hbg_paper *of = linear->work->made;
    const hbg_process_all *own = &of->clauses.items[a].constraints,
                          *other = &of->clauses.items[b].constraints;
    for (int32_t i = 0; i < own->count; i++) {
        bool there = false;
        for (int32_t k = 0; k < other->count; k++) there = there || other->items[k] == own->items[i];
        if (!there) HBG_PUSH(linear->work->arena, made, own->items[i]);
    }
    return made;
}

static hbg_process_all behind(paper_work *work, const hbg_process_all *where) {
    hbg_process_all made = {0};
    for (int32_t i = 0; i < where->count; i++)
        HBG_PUSH(work->arena, made, hbg_verify_paper_seen(work, where->items[i], HBG_PROCESS_NEW));
    return made;
}

static bool has_gone(const hbg_paper *made, int32_t clause, int32_t *in) {
    for (int32_t i = 0; i < made->included.count; i++)
        if (made->included.items[i].clause == clause) {
            *in = made->included.items[i].in;
            return true;
        }
    *in = clause;
    return false;
}

static void merge(paper_linear *linear) {
    hbg_paper *made = linear->work->made;
    hbg_arena *arena = linear->work->arena;
    for (int32_t i = 0; i < made->alternatives.count; i++) {
        const hbg_paper_alternative *of = &made->alternatives.items[i];
        int32_t after = of->after, place = 0;
        while (has_gone(made, after, &after)) continue;
        while (place < made->merged.count &&
               (made->merged.items[place].before != of->before || made->merged.items[place].after != after))
            place++;
        if (place == made->merged.count)
            HBG_PUSH(arena, made->merged, (hbg_paper_merged){of->before, after, {0}});
        HBG_PUSH(arena, made->merged.items[place].alternatives, i);
    }
}

/* Clauses in which time never advances are dropped. */
void hbg_verify_paper_include(paper_linear *linear) {
    hbg_paper *made = linear->work->made;
    int32_t in;
    for (int32_t a = 0; a < linear->clauses.count; a++)
        for (int32_t b = 0; b < linear->clauses.count; b++) {
            bool flow =
                made->clauses.items[a].flows != HBG_VIOLATED && made->clauses.items[b].flows != HBG_VIOLATED;
            if (a == b || !flow || has_gone(made, a, &in) || has_gone(made, b, &in) ||
                !is_included(linear, a, b))
                continue;
            hbg_process_all where = beyond(linear, a, b);
            HBG_PUSH(linear->work->arena, made->included,
                     (hbg_paper_included){a, b, where, behind(linear->work, &where)});
        }
    made->merged_clauses = made->clauses.count - made->included.count;
    if (made->included.count > 0) merge(linear);
}
