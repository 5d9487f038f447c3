/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes of random switched networks: what the limit of small parasitics claims of itself (semantics, section 3a), and what a jump
 * conserves (semantics, section 4). HBG_LIMIT_SEED=… shows one network; HBG_SOAK=1 takes many more. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdlib.h>

#include "limit_net_impl.h"
#include "limit_step_impl.h"

static const limit_plan plan = {.junctions = 6,
                                .elements = 6,
                                .controlled = 65,
                                .duals = 15,
                                .sources = 45,
                                .resistances = 20,
                                .two_ports = 25,
                                .moving = 40};

static char text_memory[1 << 14];

static const char *text_of(const limit_net *n) {
    graph_text text = {text_memory, 0, sizeof text_memory};
    text_limit_net(&text, n, NULL);
    return text_memory;
}

typedef struct {
    int modes, large, unsolvable, floating, shorted, jumps, steps;
} statistics;

static int wanted(int count) {
    return getenv("HBG_SOAK") ? 20 * count : count;
}

/* Calls the claim for one mode after another, with its answer; modes whose fractions grow too large are left out and counted. */
static statistics each_mode(int count, uint64_t seed,
                            void (*claim)(const limit_net *n, const limit_values *v)) {
    static limit_net n;
    static limit_values v;
    statistics s = {0};
    const char *only = getenv("HBG_LIMIT_SEED");
    for (int i = 0; i < wanted(count); i++) {
        test_random random = {only ? strtoull(only, NULL, 0) : seed * 1000003 + (uint64_t)i};
        random_limit_net(&n, &random, &plan);
        random_limit_mode(&n, &random);
        rational_overflow = false;
        limit_consider(&n, &v);
        s.modes++;
        s.large += rational_overflow;
        if (rational_overflow) continue;
        s.unsolvable += !v.unique;
        s.floating += v.floating > 0;
        s.shorted += v.shorted;
        for (int k = 0; k < n.node_count && v.unique; k++)
            if (limit_is_storage(&n.nodes[k]) && !rational_equal(v.x_plus[k], n.nodes[k].x)) {
                s.jumps++;
                break;
            }
        claim(&n, &v);
        if (only) break;
    }
    if (getenv("HBG_LIMIT_TELL"))
        print_message("modes %d, too large %d, unsolvable %d, floating %d, shorted %d, jumps %d\n", s.modes,
                      s.large, s.unsolvable, s.floating, s.shorted, s.jumps);
    return s;
}

#define CLAIM(n, condition)                                                                                  \
    do {                                                                                                     \
        if (!(condition)) fail_msg("%s in\n%s", #condition, text_of(n));                                     \
    } while (0)

/* det(A0 + A1) is not 0. */
static bool has_solution(const limit_net *n) {
    static limit_laws laws;
    limit_build(&laws, n);
    rational_begin(&limit_system, laws.columns);
    for (int i = 0; i < laws.rows; i++) {
        rational_row(&limit_system);
        for (int k = 0; k < laws.columns; k++)
            rational_term(&limit_system, k, rational_add(laws.a0[i][k], laws.a1[i][k]));
    }
    rational_solve(&limit_system);
    for (int k = 0; k < laws.columns; k++)
        if (limit_system.pivot_row[k] < 0) return false;
    return laws.rows == laws.columns;
}

static void claim_solvable(const limit_net *n, const limit_values *v) {
    bool solvable = has_solution(n);
    CLAIM(n, rational_overflow || v->unique == solvable);
    CLAIM(n, !v->unique || v->determined); // and no value is left open
}

static void k_has_an_inverse_iff_parasitics_leave_one_solution(void **state) {
    (void)state;
    statistics s = each_mode(3000, 1, claim_solvable);
    if (getenv("HBG_LIMIT_SEED")) return;
    assert_true(20 * s.large < s.modes && 20 * s.unsolvable > s.modes && 5 * s.floating > s.modes);
    assert_true(20 * s.shorted > s.modes && 20 * s.jumps > s.modes);
}

/* Without anything that floats nothing is unbounded. */
static void claim_regular(const limit_net *n, const limit_values *v) {
    if (!v->unique || v->floating > 0) return;
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < 2 * n->bond_count; k++) CLAIM(n, v->unb[order][k].up == 0);
}

static void regular_modes_have_no_unbounded_part(void **state) {
    (void)state;
    each_mode(1000, 2, claim_regular);
}

/* Stored energies do not enter the unbounded part. */
static void claim_sources_alone(const limit_net *n, const limit_values *v) {
    static limit_net other;
    static limit_values values;
    if (!v->shorted) return;
    other = *n;
    for (int i = 0; i < n->node_count; i++) other.nodes[i].x = rational_number(5 - i);
    limit_consider(&other, &values);
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < 2 * n->bond_count; k++)
            CLAIM(n, rational_overflow || rational_equal(v->unb[order][k], values.unb[order][k]));
}

static void stored_energy_does_not_enter_the_unbounded_part(void **state) {
    (void)state;
    each_mode(1000, 3, claim_sources_alone);
}

static rational power_of(const rational *w, int bond) {
    return rational_multiply(w[2 * bond], w[2 * bond + 1]);
}

/* area·finite, both ways */
static rational pulse_work(const limit_values *v, int bond) {
    return rational_add(rational_multiply(v->area[2 * bond], v->fin[2 * bond + 1]),
                        rational_multiply(v->area[2 * bond + 1], v->fin[2 * bond]));
}

/* Junctions, transformers and gyrators keep nothing of a pulse: what it changes in the storages, weighed with their new co-energy
 * variables, is the work of the sources, and resistances see none (semantics, section 4). */
static void claim_conserved(const limit_net *n, const limit_values *v) {
    rational sum = rational_number(0);
    if (!v->unique || v->shorted) return;
    for (int i = 0; i < n->node_count; i++) {
        const limit_node *at = &n->nodes[i];
        if (limit_is_source(at)) sum = rational_add(sum, pulse_work(v, limit_bond_of(n, i, false)));
        if (at->kind == LIMIT_R) CLAIM(n, v->area[2 * limit_bond_of(n, i, true)].up == 0);
        if (!limit_is_storage(at)) continue;
        rational change = rational_subtract(v->x_plus[i], at->x);
        sum = rational_subtract(sum, rational_multiply(change, rational_divide(v->x_plus[i], at->value)));
    }
    CLAIM(n, rational_overflow || sum.up == 0);
}

static void a_jump_conserves_what_the_structure_conserves(void **state) {
    (void)state;
    each_mode(1000, 4, claim_conserved);
}

/* A mode that is entered again does not jump again. */
static void claim_settled(const limit_net *n, const limit_values *v) {
    static limit_net other;
    static limit_values again;
    if (!v->unique) return;
    other = *n;
    for (int i = 0; i < n->node_count; i++) other.nodes[i].x = v->x_plus[i];
    limit_consider(&other, &again);
    for (int k = 0; k < 2 * n->bond_count; k++) CLAIM(n, rational_overflow || again.area[k].up == 0);
    for (int i = 0; i < n->node_count; i++)
        CLAIM(n, rational_overflow || rational_equal(again.x_plus[i], v->x_plus[i]));
}

static void a_jump_ends_where_it_leads(void **state) {
    (void)state;
    each_mode(1000, 7, claim_settled);
}

/* While time advances, what sources give is what resistances and storages take: junctions and two-ports keep nothing. Parasitics take
 * unbounded parts only, so shorted modes are left out. */
static void claim_power(const limit_net *n, const limit_values *v) {
    rational sum = rational_number(0);
    if (!v->unique || v->shorted) return;
    for (int i = 0; i < n->node_count; i++) {
        const limit_node *at = &n->nodes[i];
        if (limit_is_source(at)) sum = rational_add(sum, power_of(v->fin, limit_bond_of(n, i, false)));
        if (limit_is_storage(at) || at->kind == LIMIT_R)
            sum = rational_subtract(sum, power_of(v->fin, limit_bond_of(n, i, true)));
    }
    CLAIM(n, rational_overflow || sum.up == 0);
}

static void power_balances_in_modes_that_are_not_shorted(void **state) {
    (void)state;
    each_mode(1000, 5, claim_power);
}

/* The pole is simple, and the implicit step says the same of everything. */
static int compared_steps;

static void claim_step(const limit_net *n, const limit_values *v) {
    if (!v->unique || n->bond_count > 14) return;
    const char *differs = limit_step_differs(n, v);
    if (differs) fail_msg("%s in\n%s", differs, text_of(n));
    compared_steps += !rational_overflow;
}

static void an_implicit_step_has_the_same_expansion(void **state) {
    (void)state;
    compared_steps = 0;
    statistics s = each_mode(400, 6, claim_step);
    if (!getenv("HBG_LIMIT_SEED")) assert_true(3 * compared_steps > s.modes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_has_an_inverse_iff_parasitics_leave_one_solution),
        cmocka_unit_test(regular_modes_have_no_unbounded_part),
        cmocka_unit_test(stored_energy_does_not_enter_the_unbounded_part),
        cmocka_unit_test(a_jump_conserves_what_the_structure_conserves),
        cmocka_unit_test(a_jump_ends_where_it_leads),
        cmocka_unit_test(power_balances_in_modes_that_are_not_shorted),
        cmocka_unit_test(an_implicit_step_has_the_same_expansion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
