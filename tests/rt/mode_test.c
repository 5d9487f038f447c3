/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"
#include "eqn/hybrid_text_impl.h"

/* ---- jumps -------------------------------------------------------------------------------------------- */

static void joined_capacitors_share_their_charge(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C a(1, q = 6); C b(2); 0 n; n -> a; n -> b; }");
    assert_close(state_of(&f, "a.q"), 2);
    assert_close(state_of(&f, "b.q"), 4);
    fixture_close(&f);
}

static void a_capacitor_takes_the_effort_of_its_source(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(5 + 2*time); C c(3, q = 1); s -> c; }");
    assert_exact(state_of(&f, "c.q"), 15);
    assert_fine(&f, hbg_rt_jump(f.run, 1.5, f.x, f.x));
    assert_exact(state_of(&f, "c.q"), 24);
    fixture_close(&f);
}

static void a_mass_takes_the_velocity_of_its_source(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Sf s(2); I m(4, p = -3); s -> m; }");
    assert_exact(state_of(&f, "m.p"), 8);
    fixture_close(&f);
}

/* f2 = 2·f1 and Δp1 = −2·Δp2: from 6 and 0 to 2 and 2. */
static void inertias_behind_a_transformer_share_their_momentum(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { I a(2, p = 6); TF t(2); I b(1); 1 j; 1 k; j -> a; j -> t -> k; k -> b; }");
    assert_close(state_of(&f, "a.p"), 2);
    assert_close(state_of(&f, "b.p"), 2);
    fixture_close(&f);
}

/* q/1 = 3·p/2 and Δp = −3·Δq. */
static void a_gyrator_makes_inertia_and_capacitor_dependent(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { I m(2, p = 6); GY g(3); C c(1); 1 j; 0 n; j -> m; j -> g -> n; n -> c; }");
    assert_close(state_of(&f, "m.p"), 12.0 / 11);
    assert_close(state_of(&f, "c.q"), 18.0 / 11);
    fixture_close(&f);
}

/* q1³ = q2 and q1 + q2 = 2. */
static void nonlinear_storages_share_by_newton(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C a(q = 2) : e = q^3; C b(1); 0 n; n -> a; n -> b; }");
    assert_close(state_of(&f, "a.q"), 1);
    assert_close(state_of(&f, "b.q"), 1);
    fixture_close(&f);
    fixture_begin(&f, "model M { C a(q = 2) : e = q^3; C b : e = q^3; 0 n; n -> a; n -> b; }");
    assert_close(state_of(&f, "a.q"), 1);
    assert_close(state_of(&f, "b.q"), 1);
    fixture_close(&f);
}

/* Both ports at effort v have q = (3v, 4v), in sum 7. */
static void ports_of_one_field_at_one_node_share(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c[2]([[2, 1], [1, 3]], q[1] = 7); 0 n; n -> c[1]; n -> c[2]; }");
    assert_close(state_of(&f, "c[1].q"), 3);
    assert_close(state_of(&f, "c[2].q"), 4);
    fixture_close(&f);
}

/* Port 2 keeps q = 2, so e2 = (2 − 5)/3 = −1 and q1 = 2·5 − 1. */
static void one_port_of_a_field_may_jump_alone(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { C c[2]([[2, 1], [1, 3]], q[1] = 1, q[2] = 2); Se s(5); R r(1); s -> c[1]; c[2] -> r;"
            "experiment e { stop 1; record c[1].e, c[2].e; } }");
    assert_close(state_of(&f, "c[1].q"), 9);
    assert_exact(state_of(&f, "c[2].q"), 2);
    assert_close(output_of(&f, "c[1].e"), 5);
    assert_close(output_of(&f, "c[2].e"), -1);
    fixture_close(&f);
}

static void bullet_and_block_have_one_velocity_behind_resistances(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { I bullet(0.01, f = 500); I block(1.99); R air(3); 1 j; j -> bullet; j -> "
                      "block; j -> air; }");
    assert_close(state_of(&f, "bullet.p"), 5 * 0.01 / 2);
    assert_close(state_of(&f, "block.p"), 5 * 1.99 / 2);
    fixture_close(&f);
}

static void without_dependence_nothing_jumps(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(3, q = 0.1); R r(7); I m(3, p = 0.7); 1 j; j -> c; j -> r; j -> m; }");
    assert_exact(state_of(&f, "c.q"), 0.1);
    assert_exact(state_of(&f, "m.p"), 0.7);
    assert_int_equal(f.run->dependent_count, 0);
    fixture_close(&f);
}

/* The modulus is 1 + x.q = 3 in the jump: f2 = 3·f1 and Δp1 = −3·Δp2, from 10 and 0 to 1 and 3. */
static void moduli_are_taken_as_they_are_at_the_jump(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { I a(1, p = 10); TF t(1 + x.q); I b(1); 1 j; 1 k; j -> a; j -> t -> k; k -> b;"
                  "C x(1, q = 2); R r(1); x -> r; }");
    assert_close(state_of(&f, "a.p"), 1);
    assert_close(state_of(&f, "b.p"), 3);
    assert_exact(state_of(&f, "x.q"), 2);
    fixture_close(&f);
}

/* ---- energies, settling ------------------------------------------------------------------------------- */

static void energies_are_those_of_the_states_given(void **state) {
    fixture f;
    double energy[2], before[2] = {6, 0}, after[2] = {2, 4};
    (void)state;
    fixture_begin(&f, "model M { C a(1, q = 6); C b(2); 0 n; n -> a; n -> b; }");
    assert_int_equal(f.system->storage_count, 2);
    assert_fine(&f, hbg_rt_energies(f.run, 0, before, energy)); // not yet settled
    assert_close(energy[0], 18);
    assert_exact(energy[1], 0);
    assert_fine(&f, hbg_rt_energies(f.run, 0, after, energy));
    assert_close(energy[0], 2);
    assert_close(energy[1], 4);
    fixture_close(&f);
}

static void settling_takes_dependent_energies_from_the_others(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { Se s(5 + 1*time); C c(3); R r(1); I m(2, p = 4); 0 n; s -> n; n -> c; n -> r; n -> m; }");
    set_state(&f, "c.q", 1000);
    assert_fine(&f, hbg_rt_settle(f.run, 2, f.x));
    assert_exact(state_of(&f, "c.q"), 21);
    assert_exact(state_of(&f, "m.p"), 4);
    fixture_close(&f);
}

/* ---- modes -------------------------------------------------------------------------------------------- */

#define SWITCHED                                                                                             \
    "model M { Se s(10); R r(5); C c(1); 1 j when a; s -> j; j -> r; j -> c;"                                \
    "automaton a { on closed -> open when false; off open -> closed when false; }"                           \
    "experiment e { stop 1; record r.f, s.e, s.f, c.f; } }"

static void each_mode_has_its_own_field(void **state) {
    fixture f;
    const int32_t open[] = {1}, closed[] = {0};
    (void)state;
    fixture_begin(&f, SWITCHED);
    assert_close(rate_of(&f, "c.q"), 2);
    assert_fine(&f, hbg_rt_enter(f.run, open));
    assert_exact(rate_of(&f, "c.q"), 0);
    assert_exact(output_of(&f, "r.f"), 0);
    assert_fine(&f, hbg_rt_enter(f.run, closed));
    assert_close(rate_of(&f, "c.q"), 2);
    for (int32_t i = 0; i < f.code->segments.count; i++) // the resistor determines the junction: a select
        assert_false(f.code->segments.items[i].varies);
    fixture_close(&f);
}

static void a_mode_without_causality_names_the_bonds(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(10); Se t(5); R r(1); 0 n; left: s -> n; right: t -> n; n -> r; }");
    assert_int_equal(hbg_rt_enter(f.run, NULL), HBG_RT_NO_CAUSALITY);
    assert_words(hbg_rt_failed(f.run)->text, "`left`");
    assert_words(hbg_rt_failed(f.run)->text, "`right`");
    fixture_close(&f);
}

/* ---- modes without a history -------------------------------------------------------------------------- */

typedef struct {
    int32_t states[HYBRID_AUTOMATA];
    hbg_rt_status status;
    double *values; /* states after the jump, rates, outputs */
    size_t count;
} arrival;

static void draw_mode(const fixture *f, test_random *random, int percent, int32_t *states) {
    for (int32_t i = 0; i < f->system->automaton_count; i++)
        if (random_chance(random, percent))
            states[i] = random_below(random, f->system->automata[i].state_count);
}

/* The results of the run in the mode it has reached, from the same energies. */
static void arrive(fixture *f, arrival *to) {
    const hbg_rt_description *system = f->system;
    double *x = HBG_NEW_ARRAY(&f->arena, double, system->state_count + 1);
    to->count = 2 * (size_t)system->state_count + (size_t)system->output_count;
    to->values = HBG_NEW_ARRAY(&f->arena, double, to->count + 1);
    for (int32_t i = 0; i < system->state_count; i++) x[i] = 1 + 0.375 * i;
    to->status = hbg_rt_enter(f->run, to->states);
    if (to->status == HBG_RT_OK) to->status = hbg_rt_jump(f->run, 1, x, to->values);
    if (to->status == HBG_RT_OK)
        to->status = hbg_rt_rates(f->run, 1, to->values, to->values + system->state_count);
    if (to->status == HBG_RT_OK)
        to->status = hbg_rt_outputs(f->run, 1, to->values, to->values + 2 * system->state_count);
}

/* Three ways to a mode: directly, through others, through others and back to it. */
static void check_ways(const char *text, test_random *random, int *modes) {
    enum { WAYS = 3, TARGETS = 6 };
    fixture f[WAYS];
    arrival at[WAYS];
    for (int target = 0; target < TARGETS; target++) {
        int32_t wanted[HYBRID_AUTOMATA] = {0};
        for (int way = 0; way < WAYS; way++) {
            fixture_open(&f[way], text);
            assert_fine(&f[way], hbg_rt_declare(f[way].run, f[way].x));
            if (way == 0) draw_mode(&f[way], random, 100, wanted);
            memset(at[way].states, 0, sizeof at[way].states);
            for (int step = 0; step < 8 * way; step++) {
                draw_mode(&f[way], random, 50, at[way].states);
                arrive(&f[way], &at[way]);
            }
            memcpy(at[way].states, wanted, sizeof wanted);
            arrive(&f[way], &at[way]);
            bool same = at[way].status == at[0].status &&
                        (at[0].status != HBG_RT_OK ||
                         memcmp(at[way].values, at[0].values, at[0].count * sizeof(double)) == 0);
            if (!same) print_error("%s", text);
            assert_true(same);
        }
        *modes += at[0].status == HBG_RT_OK;
        for (int way = 0; way < WAYS; way++) fixture_close(&f[way]);
    }
}

static void a_mode_computes_the_same_whichever_way_leads_there(void **state) {
    static char memory[1 << 16];
    static hybrid h;
    const hybrid_plan plan = {
        .junctions = 7, .sources = 30, .fields = 15, .collisions = 30, .duals = 20, .chains = 20};
    int modes = 0;
    (void)state;
    for (uint64_t i = 0; i < 60; i++) {
        test_random random = {1000003 * (i + 1)};
        graph_text text = {memory, 0, sizeof memory};
        random_hybrid(&h, &random, &plan);
        text_hybrid(&text, &h, NULL);
        check_ways(memory, &random, &modes);
    }
    print_message("%d modes\n", modes);
    assert_true(modes > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_capacitors_share_their_charge),
        cmocka_unit_test(a_capacitor_takes_the_effort_of_its_source),
        cmocka_unit_test(a_mass_takes_the_velocity_of_its_source),
        cmocka_unit_test(inertias_behind_a_transformer_share_their_momentum),
        cmocka_unit_test(a_gyrator_makes_inertia_and_capacitor_dependent),
        cmocka_unit_test(nonlinear_storages_share_by_newton),
        cmocka_unit_test(ports_of_one_field_at_one_node_share),
        cmocka_unit_test(one_port_of_a_field_may_jump_alone),
        cmocka_unit_test(bullet_and_block_have_one_velocity_behind_resistances),
        cmocka_unit_test(without_dependence_nothing_jumps),
        cmocka_unit_test(moduli_are_taken_as_they_are_at_the_jump),
        cmocka_unit_test(energies_are_those_of_the_states_given),
        cmocka_unit_test(settling_takes_dependent_energies_from_the_others),
        cmocka_unit_test(each_mode_has_its_own_field),
        cmocka_unit_test(a_mode_without_causality_names_the_bonds),
        cmocka_unit_test(a_mode_computes_the_same_whichever_way_leads_there),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
