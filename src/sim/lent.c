/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * KLU lent to a system for its large loops: one analysis for each loop, made when it is first met; numbers
 * are refactored in the pivot order found first, and from scratch if that order has become bad. */
#include <stdlib.h>

#include <klu.h>

#include "sim/sim_impl.h"

typedef struct {
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    hbg_rt_pattern pattern;
} factors;

struct hbg_sim_lent {
    hbg_rt_solver solver;
    hbg_memory *memory;
    klu_common common;
    factors *loops; /* by key */
    int32_t count;
};

static bool make_room(hbg_sim_lent *lent, int32_t key) {
    if (key < lent->count) return true;
    int32_t count = 2 * key + 8;
    factors *larger = hbg_base_memory_alloc(lent->memory, (size_t)count * sizeof *larger);
    if (larger == NULL) return false;
    for (int32_t i = 0; i < lent->count; i++) larger[i] = lent->loops[i];
    if (lent->loops) hbg_base_memory_free(lent->memory, lent->loops, (size_t)lent->count * sizeof *larger);
    lent->loops = larger;
    lent->count = count;
    return true;
}

static bool refactor(hbg_sim_lent *lent, factors *of, const double *values) {
    if (of->numeric == NULL) return false;
    int32_t *start = (int32_t *)of->pattern.start, *row = (int32_t *)of->pattern.row;
    if (!klu_refactor(start, row, (double *)values, of->symbolic, of->numeric, &lent->common)) return false;
    if (!klu_rcond(of->symbolic, of->numeric, &lent->common)) return false;
    return lent->common.status == KLU_OK && lent->common.rcond > HBG_RT_CONDITION;
}

static bool factor(void *context, int32_t key, hbg_rt_pattern pattern, const double *values) {
    hbg_sim_lent *lent = context;
    int32_t *start = (int32_t *)pattern.start, *row = (int32_t *)pattern.row;
    if (!make_room(lent, key)) return false;
    factors *of = &lent->loops[key];
    of->pattern = pattern;
    if (of->symbolic == NULL) of->symbolic = klu_analyze(pattern.count, start, row, &lent->common);
    if (of->symbolic == NULL) return false;
    if (refactor(lent, of, values)) return true;
    klu_free_numeric(&of->numeric, &lent->common);
    of->numeric = klu_factor(start, row, (double *)values, of->symbolic, &lent->common);
    return of->numeric != NULL && lent->common.status == KLU_OK;
}

static void solve(void *context, int32_t key, double *b) {
    hbg_sim_lent *lent = context;
    factors *of = &lent->loops[key];
    klu_solve(of->symbolic, of->numeric, of->pattern.count, 1, b, &lent->common);
}

hbg_sim_lent *hbg_sim_lent_new(hbg_arena *arena) {
    hbg_sim_lent *lent = HBG_NEW(arena, hbg_sim_lent);
    lent->memory = arena->memory;
    lent->solver = (hbg_rt_solver){lent, factor, solve};
    klu_defaults(&lent->common);
    return lent;
}

const hbg_rt_solver *hbg_sim_lent_solver(const hbg_sim_lent *lent) {
    return &lent->solver;
}

void hbg_sim_lent_end(hbg_sim_lent *lent) {
    for (int32_t i = 0; i < lent->count; i++) {
        if (lent->loops[i].numeric) klu_free_numeric(&lent->loops[i].numeric, &lent->common);
        if (lent->loops[i].symbolic) klu_free_symbolic(&lent->loops[i].symbolic, &lent->common);
    }
    if (lent->loops)
        hbg_base_memory_free(lent->memory, lent->loops, (size_t)lent->count * sizeof *lent->loops);
    lent->loops = NULL;
    lent->count = 0;
}
