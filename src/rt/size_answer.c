/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finds values to which nothing contributes because their terms cancel, whatever energies and sources are.
 * Example: a loop makes two currents of 4 A equal, so the resistance of 1e6 Ω between them has no voltage. By
 * sums and products alone (size.c) it might have 4e6 V, a diode in series with 1e-3 Ω might then have 4e9 A,
 * and a band that is a share of this is useless. So all values that code starts from are perturbed a little,
 * all at once, each by a share without a pattern, and the response is propagated through code and loops to
 * first order. The largest response of several such probes bounds what contributes; if there is none, there is
 * only rounding. Rounding is found in the same way: every intermediate result is off by a unit in its last
 * place, or half of one, up or down. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

static const double least =
    2; /* times a response: bounds the largest contribution, as shares are at least a half */
static const double missed = 8; /* times an error found: bounds those not found */

/* From a half to 1, with a sign. */
static double share_of(int32_t index, int probe) {
    uint32_t bits =
        ((uint32_t)index + 1) * UINT32_C(2654435769) ^ ((uint32_t)probe + 1) * UINT32_C(2246822519);
    bits = (bits ^ bits >> 15) * UINT32_C(2246822519);
    bits ^= bits >> 13;
    double share = 0.5 + 0.5 * (bits & 0xffff) / 0x10000;
    return bits & 0x10000 ? -share : share;
}

/* Responses first, then errors. */
enum { ALL_PROBES = 2 * HBG_RT_PROBES };

typedef struct {
    hbg_rt_instance *run;
    double *answer; /* by register; valid where the register has this stamp */
    int number;
    int32_t stamp;
    bool rounds;  /* probes rounding: the values that code starts from are exact, its results are not */
    bool carried; /* answers of the code followed before are kept, and this code starts from them */
} probing;

/* Shares are numbered in the order in which they are needed: registers depend on which modes were compiled
 * before. */
static double moved(const probing *p, int32_t reg) {
    return (p->rounds ? p->run->r[reg] : p->run->at.size[reg]) * share_of(p->run->loops.shares++, p->number);
}

static double answer_in(const probing *p, int32_t reg) {
    bool known = p->carried ? !isnan(p->answer[reg]) : p->run->loops.stamp[reg] == p->stamp;
    if (!known) {
        p->answer[reg] = p->rounds ? 0 : moved(p, reg);
        p->run->loops.stamp[reg] = p->stamp;
    }
    return p->answer[reg];
}

static void put(const probing *p, int32_t reg, double answer) {
    p->answer[reg] = isfinite(answer) ? answer : moved(p, reg);
    p->run->loops.stamp[reg] = p->stamp;
}

static double answer_of(const probing *p, const hbg_rt_instruction *at) {
    const double *r = p->run->r;
    int32_t a = at->argument[0], b = at->argument[1], c = at->argument[2];
    switch (at->op) {
    case HBG_OP_ADD: return answer_in(p, a) + answer_in(p, b);
    case HBG_OP_SUBTRACT: return answer_in(p, a) - answer_in(p, b);
    case HBG_OP_NEGATE: return -answer_in(p, a);
    case HBG_OP_MULTIPLY: return r[a] * answer_in(p, b) + r[b] * answer_in(p, a);
    case HBG_OP_DIVIDE: return (answer_in(p, a) - r[at->d] * answer_in(p, b)) / r[b];
    case HBG_OP_SELECT: return answer_in(p, r[a] != 0 ? b : c);
    case HBG_OP_ABS: return r[a] < 0 ? -answer_in(p, a) : answer_in(p, a);
    case HBG_OP_MIN:
    case HBG_OP_MAX: return answer_in(p, r[at->d] == r[a] ? a : b);
    case HBG_RT_OP_COPY: return answer_in(p, a);
    default: return moved(p, at->d);
    }
}

static void follow(const probing *p, const hbg_rt_instruction *code, int32_t count);

/* The response of the unknowns is such that no residual changes. */
static bool solve(const probing *p, const hbg_rt_loop_view *of) {
    hbg_rt_instance *run = p->run;
    size_t n = (size_t)of->count;
    for (int32_t i = 0; i < of->count; i++) run->loops.step[i] = -answer_in(p, of->residual[i]);
    // elimination rounds the term of each coefficient separately
    for (int32_t i = 0; i < of->entry_count && p->rounds; i++)
        run->loops.step[of->entries[i].row] +=
            share_of(i, p->number) * run->r[of->entries[i].reg] * run->r[of->reg[of->entries[i].column]];
    if (of->is_sparse && run->loops.lent) {
        if (run->loops.factored[of->number] != run->loops.version) return false;
        run->loops.lent->solve(run->loops.lent->context, of->number, run->loops.step);
        return true;
    }
    if (run->loops.dense_capacity < of->count) return false;
    memset(run->loops.matrix, 0, n * n * sizeof *run->loops.matrix);
    for (int32_t i = 0; i < of->entry_count; i++)
        run->loops.matrix[(size_t)of->entries[i].row * n + (size_t)of->entries[i].column] =
            run->r[of->entries[i].reg];
    if (!hbg_rt_lu_factor(of->count, run->loops.matrix, run->loops.pivot, NULL)) return false;
    hbg_rt_lu_solve(of->count, run->loops.matrix, run->loops.pivot, run->loops.step);
    return true;
}

static void follow_loop(const probing *p, int32_t number) {
    hbg_rt_loop_view of = hbg_rt_loop_at(p->run->image, number);
    hbg_rt_program body = hbg_rt_program_at(p->run->image, of.body);
    for (int32_t i = 0; i < of.count; i++) put(p, of.reg[i], 0);
    follow(p, body.code, body.count);
    bool solved = solve(p, &of);
    for (int32_t i = 0; i < of.count; i++) {
        double own = p->rounds || !solved ? moved(p, of.reg[i]) : 0; // the solution is rounded as well
        put(p, of.reg[i], (solved ? p->run->loops.step[i] : 0) + own);
    }
    // the residual that was brought to 0 and what is computed from the solution are not rounded alike
    probing after = *p;
    if (p->rounds) after.number += ALL_PROBES;
    follow(&after, body.code, body.count);
}

static void follow(const probing *p, const hbg_rt_instruction *code, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (code[i].op == HBG_RT_OP_SOLVE) {
            follow_loop(p, code[i].argument[0]);
            continue;
        }
        put(p, code[i].d, answer_of(p, &code[i]) + (p->rounds ? moved(p, code[i].d) : 0));
    }
}

static double largest_of(const hbg_rt_instance *run, int32_t reg, int first) {
    double found = 0; // of code that was not followed it is not a number
    for (int k = first; k < first + HBG_RT_PROBES; k++)
        found = fmax(found, fabs(run->loops.answer[(size_t)k * (size_t)run->at.size_capacity + (size_t)reg]));
    return found;
}

double hbg_rt_response_of(const hbg_rt_instance *run, int32_t reg) {
    return least * largest_of(run, reg, 0);
}

double hbg_rt_rounding_seen(const hbg_rt_instance *run, int32_t reg) {
    return largest_of(run, reg, HBG_RT_PROBES);
}

double hbg_rt_error_of(const hbg_rt_instance *run, int32_t reg) {
    return HBG_RT_VALUE_ROUNDING * missed * hbg_rt_rounding_seen(run, reg);
}

static void lessen(const hbg_rt_instance *run, int32_t reg) {
    double *size = &run->at.size[reg], answer = hbg_rt_response_of(run, reg);
    double rounding = hbg_rt_error_of(run, reg) / HBG_RT_BAND;
    double known = fmax(fmax(answer, rounding), fabs(run->r[reg]));
    if (known < *size) *size = known;
}

static void lessen_all(const hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (code[i].op != HBG_RT_OP_SOLVE) {
            lessen(run, code[i].d);
            continue;
        }
        hbg_rt_loop_view of = hbg_rt_loop_at(run->image, code[i].argument[0]);
        hbg_rt_program body = hbg_rt_program_at(run->image, of.body);
        for (int32_t k = 0; k < of.count; k++) lessen(run, of.reg[k]);
        lessen_all(run, body.code, body.count);
    }
}

bool hbg_rt_has_loops(hbg_rt_program of) {
    for (int32_t i = 0; i < of.count; i++)
        if (of.code[i].op == HBG_RT_OP_SOLVE) return true;
    return false;
}

/* Stamps restart from 1 before they overflow. */
static int32_t new_stamp(hbg_rt_instance *run) {
    if (run->loops.probe == INT32_MAX) {
        memset(run->loops.stamp, 0, (size_t)run->at.size_capacity * sizeof *run->loops.stamp);
        run->loops.probe = 0;
    }
    return ++run->loops.probe;
}

static double *probe_of(const hbg_rt_instance *run, int number) {
    return run->loops.answer + (size_t)number * (size_t)run->at.size_capacity;
}

void hbg_rt_forget_answers(hbg_rt_instance *run) {
    run->loops.shares = 0;
    for (int k = 0; k < ALL_PROBES; k++)
        for (int32_t i = 0; i < run->at.size_capacity; i++) probe_of(run, k)[i] = NAN;
}

static void take(hbg_rt_instance *run, hbg_rt_program of, int first, bool carried) {
    int32_t begin = carried ? run->loops.shares : 0;
    for (int k = first; k < ALL_PROBES; k++) {
        bool rounds = k >= HBG_RT_PROBES;
        run->loops.shares = begin;
        probing p = {run, probe_of(run, k), k, new_stamp(run), rounds, carried};
        follow(&p, of.code, of.count);
    }
}

void hbg_rt_take_answers(hbg_rt_instance *run, hbg_rt_program of, bool carried) {
    take(run, of, 0, carried);
    lessen_all(run, of.code, of.count);
}

void hbg_rt_take_errors(hbg_rt_instance *run, hbg_rt_program of) {
    take(run, of, HBG_RT_PROBES, true);
}
