/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Chains of commits that never end although no two are alike: collisions that lose the same share of their
 * velocities again and again. The search looks for energies whose state after some commit recurs, a few
 * commits later, scaled by a factor λ; if the whole way can be taken from every smaller multiple as well, it
 * repeats for ever. */
#include "verify/paths_impl.h"

#define RAY_PERIOD 6 /* commits of a period */

typedef struct {
    path_explorer *e;
    const path_search *early, *late;
    formula factor;     /* λ */
    int32_t count;      /* symbols that are scaled, and those that stay */
    formula *from, *to; /* symbols, and μ times the value found or the value itself */
} ray;

/* After the later commit everything that jumps is λ times its value after the earlier one. */
static formula is_scaled(const ray *r) {
    group_proof *proof = r->e->proof;
    formulas *f = &proof->f;
    formula all = f->yes, some = f->no;
    for (int32_t i = 0; i < proof->of.state_count; i++) {
        int32_t state = proof->of.states[i];
        formula was = r->early->past.x[state];
        all =
            hbg_verify_formula_and(f, all,
                                   hbg_verify_formula_equal(f, r->late->past.x[state],
                                                            hbg_verify_formula_multiply(f, r->factor, was)));
        some = hbg_verify_formula_or(f, some,
                                     hbg_verify_formula_not(f, hbg_verify_formula_equal(f, was, f->zero)));
    }
    return hbg_verify_formula_and(f, all, some);
}

static bool jumps(const group_proof *proof, int32_t state) {
    for (int32_t i = 0; i < proof->of.state_count; i++)
        if (proof->of.states[i] == state) return true;
    return false;
}

/* The values found, times μ where they are energies that jump. */
static bool read_values(ray *r, formula scale) {
    group_proof *proof = r->e->proof;
    formulas *f = &proof->f;
    int32_t states = proof->system->state_count, pres = proof->of.pre_count;
    r->from = HBG_NEW_ARRAY(proof->arena, formula, states + pres + 1);
    r->to = HBG_NEW_ARRAY(proof->arena, formula, states + pres + 1);
    for (int32_t i = 0; i < states; i++) {
        if (hbg_verify_formula_is_number(f, proof->x[i])) continue;
        formula value = hbg_verify_formula_in_model(f, proof->x[i]);
        if (!value) return false;
        r->from[r->count] = proof->x[i];
        r->to[r->count++] = jumps(proof, i) ? hbg_verify_formula_multiply(f, scale, value) : value;
    }
    for (int32_t i = 0; i < pres; i++) { // where a run begins
        r->from[r->count] = proof->law_pre[proof->of.pres[i]];
        r->to[r->count++] = f->zero;
    }
    return true;
}

static formula on_ray(const ray *r, formula a) {
    return hbg_verify_formula_replace(&r->e->proof->f, a, r->count, r->from, r->to);
}

/* Whether on the ray everything recorded after the later commit is λ times what was recorded after the
 * earlier one, so that what follows is the same. */
static formula differs(const ray *r, const ray *next) {
    group_proof *proof = r->e->proof;
    formulas *f = &proof->f;
    formula same = f->yes;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        same = hbg_verify_formula_and(
            f, same,
            hbg_verify_formula_equal(f, on_ray(r, r->late->past.x[i]), on_ray(next, r->early->past.x[i])));
    for (int32_t i = 0; i < proof->of.variable_count; i++)
        same = hbg_verify_formula_and(f, same,
                                      hbg_verify_formula_equal(f, on_ray(r, r->late->past.left[i].fin),
                                                               on_ray(next, r->early->past.left[i].fin)));
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        int32_t pre = proof->of.pres[i];
        same = hbg_verify_formula_and(f, same,
                                      hbg_verify_formula_equal(f, on_ray(r, r->late->past.pre[pre].fin),
                                                               on_ray(next, r->early->past.pre[pre].fin)));
    }
    return hbg_verify_formula_not(f, same);
}

/* The way to the later commit, as asserted. */
static formula way_to(const ray *r) {
    formulas *f = &r->e->proof->f;
    formula all = f->yes;
    for (int32_t i = r->e->base; i < r->late->asserted; i++)
        all = hbg_verify_formula_and(f, all, f->levels.asserted.items[i]);
    return all;
}

/* Nothing new is asserted during this question: the levels of the way stay. */
static bool never_ends(path_explorer *e, const path_search *early, const path_search *late) {
    formulas *f = &e->proof->f;
    ray r = {.e = e, .early = early, .late = late};
    r.factor = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "factor'%d", f->fresh++));
    formula scale = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "scale'%d", f->fresh++));
    formula proper = hbg_verify_formula_and(f, hbg_verify_formula_less(f, f->zero, r.factor),
                                            hbg_verify_formula_less_equal(f, r.factor, f->one));
    formula way = way_to(&r);
    formula wanted = hbg_verify_formula_and(f, way, hbg_verify_formula_and(f, proper, is_scaled(&r)));
    if (hbg_verify_formulas_check_alone(f, wanted) != ANSWER_FOUND || !read_values(&r, scale)) return false;
    formula factor = hbg_verify_formula_in_model(f, r.factor);
    if (!factor) return false;
    ray next = r;
    next.from = r.from;
    next.to = HBG_NEW_ARRAY(e->proof->arena, formula, r.count + 1);
    formula smaller = hbg_verify_formula_multiply(f, factor, scale);
    for (int32_t i = 0; i < r.count; i++)
        next.to[i] = hbg_verify_formula_replace(f, r.to[i], 1, &scale, &smaller);
    formula range = hbg_verify_formula_and(f, hbg_verify_formula_less(f, f->zero, scale),
                                           hbg_verify_formula_less_equal(f, scale, f->one));
    formula fails = hbg_verify_formula_or(f, hbg_verify_formula_not(f, on_ray(&r, way)), differs(&r, &next));
    return hbg_verify_formulas_check_alone(f, hbg_verify_formula_and(f, range, fails)) == ANSWER_NONE;
}

bool hbg_verify_paths_ray(path_explorer *e, const path_search *search) {
    size_t size = (size_t)e->proof->model->automata.count * sizeof *search->start;
    int32_t depth = search->commits;
    // short periods early in the chain are the easiest to prove
    for (int32_t first = 1; first <= 4 && first < depth; first++)
        for (int32_t period = 1; period <= RAY_PERIOD && first + period <= depth; period++) {
            const path_search *early = search, *late = search;
            while (early->commits > first) early = early->outer;
            while (late->commits > first + period) late = late->outer;
            if (memcmp(early->start, late->start, size) != 0) continue;
            if (never_ends(e, early, late)) {
                e->ray_step = early->first_step - 1;
                e->ray_end = late->first_step;
                return true;
            }
        }
    return false;
}
