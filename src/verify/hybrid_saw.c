/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Remainders of time as clocks. `(a*time + c) % T` with a > 0 and c >= 0 is a saw: it begins at c % T, rises
 * at the rate a, and restarts when it reaches T. So a carrier or the period of a converter is a variable like
 * a clock that ticks. */
#include <math.h>

#include "verify/hybrid_impl.h"

#define MOST_TURNS 1e6 /* of c by T: a larger quotient would not be exact */

/* Where the model writes it: no closer source is known for the symbol. */
static hbg_span place_of(const group_proof *proof) {
    for (int32_t i = 0; i < proof->model->exprs.count; i++)
        if (proof->model->exprs.items[i].op == HBG_OP_REMAINDER) return proof->model->exprs.items[i].span;
    return proof->model->span;
}

static bool is_positive(formulas *f, formula a) {
    return hbg_verify_formula_is_number(f, a) && hbg_verify_formula_less(f, f->zero, a) == f->yes;
}

/* c % T, exactly; NULL: it begins below 0, or too far above. */
static formula start_of(formulas *f, formula c, formula period) {
    if (!hbg_verify_formula_is_number(f, c) || hbg_verify_formula_less(f, c, f->zero) == f->yes) return NULL;
    double turns = floor(hbg_verify_formula_to_double(f, hbg_verify_formula_divide(f, c, period)));
    if (!(turns < MOST_TURNS)) return NULL;
    for (int about = -1; about <= 1; about++) { // the quotient was rounded
        formula whole = hbg_verify_formula_integer(f, (int64_t)turns + about);
        formula rest = hbg_verify_formula_subtract(f, c, hbg_verify_formula_multiply(f, whole, period));
        if (hbg_verify_formula_less_equal(f, f->zero, rest) == f->yes &&
            hbg_verify_formula_less(f, rest, period) == f->yes)
            return rest;
    }
    return NULL;
}

/* False: its argument does not rise with time alone. */
static bool make_saw(hybrid_map *map, const exact_symbol *of, hybrid_saw *saw) {
    formulas *f = &map->proof->f;
    formula time = map->proof->time;
    hbg_hybrid_sum sum;
    if (!is_positive(f, of->second) || !hbg_verify_hybrid_sum(map, of->argument, &sum)) return false;
    for (int32_t i = 0; i < map->made->variables.count; i++)
        if (sum.factors[i] != 0 && map->symbols[i] != time) return false;
    formula at_start = hbg_verify_formula_replace(f, of->argument, 1, &time, &f->zero);
    formula after = hbg_verify_formula_replace(f, of->argument, 1, &time, &f->one);
    saw->remainder = of->symbol;
    saw->period = of->second;
    saw->rate = hbg_verify_formula_subtract(f, after, at_start);
    saw->start = start_of(f, at_start, of->second);
    saw->own = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "saw'%d", (int)map->saws.count));
    return is_positive(f, saw->rate) && saw->start;
}

/* Two that rise together keep their distance, up to a period. */
static formula relation(formulas *f, const hybrid_saw *a, const hybrid_saw *b) {
    formula apart = hbg_verify_formula_subtract(f, b->start, a->start);
    formula sooner = hbg_verify_formula_add(f, a->own, apart);
    formula turned = hbg_verify_formula_less(f, apart, f->zero) == f->yes
                         ? hbg_verify_formula_add(f, sooner, a->period)
                         : hbg_verify_formula_subtract(f, sooner, a->period);
    return hbg_verify_formula_or(f, hbg_verify_formula_equal(f, b->own, sooner),
                                 hbg_verify_formula_equal(f, b->own, turned));
}

static bool rise_together(formulas *f, const hybrid_saw *a, const hybrid_saw *b) {
    return hbg_verify_formula_is_same(f, a->period, b->period) &&
           hbg_verify_formula_is_same(f, a->rate, b->rate);
}

static void add_saw(hybrid_map *map, const hybrid_saw *saw) {
    formulas *f = &map->proof->f;
    formula within = hbg_verify_formula_and(f, hbg_verify_formula_less_equal(f, f->zero, saw->own),
                                            hbg_verify_formula_less_equal(f, saw->own, saw->period));
    map->known = hbg_verify_formula_and(f, map->known, within);
    for (int32_t i = 0; i < map->saws.count; i++)
        if (rise_together(f, &map->saws.items[i], saw))
            map->known = hbg_verify_formula_and(f, map->known, relation(f, &map->saws.items[i], saw));
    HBG_PUSH(map->proof->arena, map->saws, *saw);
}

void hbg_verify_hybrid_saws(hybrid_map *map) {
    formulas *f = &map->proof->f;
    map->known = f->yes;
    for (int32_t i = 0; i < f->symbols.count && !map->made->reason; i++) {
        const exact_symbol of = f->symbols.items[i];
        hybrid_saw saw = {.remainder = NULL};
        if (of.op != HBG_OP_REMAINDER || of.constant || !hbg_verify_paths_map_reads(&map->ways, of.symbol))
            continue;
        if (!make_saw(map, &of, &saw)) {
            hbg_verify_hybrid_refuse(
                map, place_of(map->proof),
                "`%s` is no saw of time: that is `(a*time + c) %% T` with numbers a and T "
                "above 0, and c not below",
                of.text);
            return;
        }
        add_saw(map, &saw);
        map->symbols[map->made->variables.count] = saw.own;
        HBG_PUSH(map->proof->arena, map->made->variables,
                 ((hbg_hybrid_variable){.kind = HBG_HYBRID_SAW,
                                        .of = map->saws.count - 1,
                                        .text = of.text,
                                        .start = hbg_verify_formula_to_double(f, saw.start),
                                        .rate = hbg_verify_formula_to_double(f, saw.rate),
                                        .period = hbg_verify_formula_to_double(f, saw.period)}));
    }
}

bool hbg_verify_hybrid_saws_meet(hybrid_map *map, uint32_t ticks) {
    formulas *f = &map->proof->f;
    int32_t clocks = map->proof->timing.clocks.count;
    for (int32_t i = 0; i < map->saws.count; i++)
        for (int32_t k = 0; k < i; k++) {
            const hybrid_saw *a = &map->saws.items[i], *b = &map->saws.items[k];
            if (!rise_together(f, a, b)) continue;
            bool same = hbg_verify_formula_is_same(f, a->start, b->start);
            bool both = (ticks >> (clocks + i) & 1) && (ticks >> (clocks + k) & 1);
            if (same ? (ticks >> (clocks + i) & 1) != (ticks >> (clocks + k) & 1) : both) return false;
        }
    return true;
}
