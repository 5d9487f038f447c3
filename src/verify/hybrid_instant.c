/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A way through an instant with all external values known: inputs before and now, which clocks tick, and how
 * long automata have waited by the clocks that stand for that. */
#include <math.h>

#include "verify/hybrid_impl.h"

/* ---- what is given ------------------------------------------------------------------------------------------- */

typedef HBG_VEC(formula) formula_list;

typedef struct {
    group_proof *proof;
    formula_list from, to;
} giving;

static void give(giving *g, formula symbol, formula value) {
    formulas *f = &g->proof->f;
    if (!symbol || symbol == f->yes || symbol == f->no || symbol == value) return;
    HBG_PUSH(g->proof->arena, g->from, symbol);
    HBG_PUSH(g->proof->arena, g->to, value);
}

static void give_input(giving *g, const hbg_hybrid_phase *phase, int32_t signal, bool before, bool fires) {
    formulas *f = &g->proof->f;
    hbg_type type = g->proof->model->signals.items[signal].type;
    bool holds =
        type == HBG_TYPE_EVENT ? !before && fires && phase->fires[signal] : phase->inputs[signal] != 0;
    formula value = type == HBG_TYPE_REAL ? hbg_verify_formula_double(f, phase->inputs[signal])
                    : holds               ? f->yes
                                          : f->no;
    give(g, g->proof->signals.input[before][signal].fin, value);
    give(g, g->proof->signals.given[before][signal].fin, phase->given[signal] ? f->yes : f->no);
}

static bool ticks_of(const group_proof *proof, hybrid_instant instant, formula ticks) {
    for (int32_t i = 0; i < proof->timing.clocks.count; i++)
        if (proof->timing.clocks.items[i].ticks == ticks) return instant.ticks >> i & 1;
    return false;
}

static formula wait_symbol(const hybrid_map *map, int32_t automaton) {
    for (int32_t i = 0; i < map->made->variables.count; i++)
        if (map->made->variables.items[i].kind == HBG_HYBRID_WAIT &&
            map->made->variables.items[i].of == automaton)
            return map->symbols[i];
    return map->proof->f.zero;
}

static void give_waits(const hybrid_map *map, giving *g) {
    group_proof *proof = map->proof;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        const hbg_automaton *of = &proof->model->automata.items[proof->of.automata[i]];
        for (int32_t k = 0; k < of->state_count; k++) {
            const hbg_automaton_state *state = &proof->model->states.items[of->first_state + k];
            for (int32_t m = 0; m < state->transition_count; m++) {
                int32_t transition = state->first_transition + m;
                if (!proof->timing.waited[transition]) continue;
                double after = hbg_eqn_exact_guard(proof->eqn, transition).after;
                formula least = hbg_verify_formula_double(&proof->f, after);
                give(
                    g, proof->timing.waited[transition],
                    hbg_verify_formula_less_equal(&proof->f, least, wait_symbol(map, proof->of.automata[i])));
            }
        }
    }
}

static giving given_at(const hybrid_map *map, hybrid_instant instant) {
    group_proof *proof = map->proof;
    const hbg_hybrid_phase *phases = map->request->phases;
    giving g = {.proof = proof};
    for (int32_t i = 0; i < proof->model->signals.count; i++) {
        if (proof->model->signals.items[i].kind == HBG_SIGNAL_INPUT) {
            give_input(&g, &phases[instant.before], i, true, false);
            give_input(&g, &phases[instant.now], i, false, instant.before != instant.now);
        }
        const exact_sample *sample = &proof->timing.samples[i];
        if (proof->signals.held[1][i].fin && !(sample->ticks && ticks_of(proof, instant, sample->ticks)))
            give(&g, proof->signals.held[0][i].fin, proof->signals.held[1][i].fin);
    }
    for (int32_t i = 0; i < proof->timing.clocks.count; i++)
        give(&g, proof->timing.clocks.items[i].ticks, instant.ticks >> i & 1 ? proof->f.yes : proof->f.no);
    for (int32_t i = 0; i < map->saws.count; i++)
        give(&g, map->saws.items[i].remainder,
             instant.ticks >> (proof->timing.clocks.count + i) & 1 ? proof->f.zero : map->saws.items[i].own);
    give_waits(map, &g);
    return g;
}

static formula put_in(const giving *g, formula a) {
    return hbg_verify_formula_replace(&g->proof->f, a, g->from.count, g->from.items, g->to.items);
}

formula hbg_verify_hybrid_at(hybrid_map *map, hybrid_instant instant, formula a) {
    giving g = given_at(map, instant);
    return put_in(&g, a);
}

bool hbg_verify_hybrid_can_tick(hybrid_map *map, uint32_t ticks) {
    formulas *f = &map->proof->f;
    formula all = f->yes;
    for (int32_t i = 0; i < map->proof->timing.clocks.count; i++) {
        formula own = map->proof->timing.clocks.items[i].ticks;
        all = hbg_verify_formula_and(f, all, ticks >> i & 1 ? own : hbg_verify_formula_not(f, own));
    }
    return hbg_verify_hybrid_saws_meet(map, ticks) && hbg_verify_formulas_check(f, all) != ANSWER_NONE;
}

/* ---- samples -------------------------------------------------------------------------------------------------- */

/* The value that an equation gives the symbol; NULL: none. */
static formula solve_for(formulas *f, formula equation, formula symbol) {
    if (hbg_verify_formula_kind(f, equation) != Z3_OP_EQ) return NULL;
    formula a = hbg_verify_formula_argument(f, equation, 0), b = hbg_verify_formula_argument(f, equation, 1);
    if (Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, a)) != Z3_REAL_SORT) return NULL;
    if (a == symbol && !hbg_verify_formula_reads(f, b, &symbol, 1)) return b;
    if (b == symbol && !hbg_verify_formula_reads(f, a, &symbol, 1)) return a;
    formula difference = hbg_verify_formula_subtract(f, a, b);
    formula none = hbg_verify_formula_replace(f, difference, 1, &symbol, &f->zero);
    formula one = hbg_verify_formula_replace(f, difference, 1, &symbol, &f->one);
    formula slope = hbg_verify_formula_subtract(f, one, none);
    if (slope == f->zero || !hbg_verify_formula_is_number(f, slope)) return NULL;
    return hbg_verify_formula_negate(f, hbg_verify_formula_divide(f, none, slope));
}

/* A sample that was taken has the value that the instant gives it, everywhere. False if it gives none. */
static bool take_sample(hybrid_map *map, int32_t signal, formula *conditions, int32_t count, formula *ends) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    formula symbol = proof->signals.held[0][signal].fin, value = NULL;
    for (int32_t i = 0; i < count && !value; i++) value = solve_for(f, conditions[i], symbol);
    if (!value) return false;
    for (int32_t i = 0; i < count; i++)
        conditions[i] = hbg_verify_formula_replace(f, conditions[i], 1, &symbol, &value);
    for (int32_t i = 0; i < map->made->variables.count; i++)
        ends[i] = hbg_verify_formula_replace(f, ends[i], 1, &symbol, &value);
    return true;
}

static bool take_samples(hybrid_map *map, hybrid_instant instant, formula *conditions, int32_t count,
                         formula *ends) {
    group_proof *proof = map->proof;
    for (int32_t i = 0; i < map->made->variables.count; i++) {
        const hbg_hybrid_variable *of = &map->made->variables.items[i];
        if (of->kind != HBG_HYBRID_HELD) continue;
        if (!ticks_of(proof, instant, proof->timing.samples[of->of].ticks)) continue;
        if (take_sample(map, of->of, conditions, count, ends)) continue;
        hbg_verify_hybrid_refuse(map, proof->model->signals.items[of->of].id.span,
                                 "what a sample is taken from is not affine in every mode");
        return false;
    }
    return true;
}

/* ---- a way ---------------------------------------------------------------------------------------------------- */

/* A variable at the end of the way, as the proof has it. */
static formula end_of(const hybrid_map *map, hybrid_instant instant, const path_way *way, int32_t variable) {
    const group_proof *proof = map->proof;
    const hbg_hybrid_variable *of = &map->made->variables.items[variable];
    switch (of->kind) {
    case HBG_HYBRID_STATE: return way->x_plus[of->of];
    case HBG_HYBRID_HELD: return proof->signals.held[0][of->of].fin;
    case HBG_HYBRID_PRE: return way->stays ? map->symbols[variable] : way->pre[of->of].fin;
    case HBG_HYBRID_WAIT: return way->moved[of->of] ? proof->f.zero : map->symbols[variable];
    case HBG_HYBRID_CLOCK: return instant.ticks >> of->of & 1 ? proof->f.zero : map->symbols[variable];
    case HBG_HYBRID_SAW:
        return instant.ticks >> (proof->timing.clocks.count + of->of) & 1 ? proof->f.zero
                                                                          : map->symbols[variable];
    default: return map->symbols[variable];
    }
}

bool hbg_verify_hybrid_way(hybrid_map *map, hybrid_instant instant, const path_way *way, formula *region,
                           formula *ends) {
    formulas *f = &map->proof->f;
    giving g = given_at(map, instant);
    int32_t count = way->condition_count;
    formula *conditions = HBG_NEW_ARRAY(map->proof->arena, formula, count + 1);
    for (int32_t i = 0; i < count; i++) {
        conditions[i] = put_in(&g, way->conditions[i]);
        if (conditions[i] == f->no) return false;
    }
    for (int32_t i = 0; i < map->made->variables.count; i++)
        ends[i] = put_in(&g, end_of(map, instant, way, i));
    if (!take_samples(map, instant, conditions, count, ends)) return false;
    *region = f->yes;
    for (int32_t i = 0; i < count; i++) *region = hbg_verify_formula_and(f, *region, conditions[i]);
    return *region != f->no;
}
