/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "code/piece_impl.h"
#include "eqn/fixture_impl.h"

enum { BODIES = 12, CONTACTS = BODIES + 1 };

/* Bodies between walls, each of which may touch the next; each has a spring, and a damper that a junction
 * cuts off; that of the last may hang on how fast the first is. */
static void open_row(fixture *f, int32_t fewest_links, bool across) {
    static char text[16000];
    size_t used = (size_t)snprintf(text, sizeof text, "model M { Sf left(0); Sf right(0); ");
    for (int i = 1; i <= BODIES; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "1 b%d; I m%d(%d, f = %d/7); b%d -> m%d; state x%d = %d : der = b%d.f; "
            "0 p%d when s%d; R d%d(%s); C k%d(3, q = %d/3); b%d -> p%d; p%d -> d%d; "
            "b%d -> k%d; automaton s%d { off loose -> bound when x%d > 99; on bound -> loose when "
            "x%d < -99; } ",
            i, i, i + 1, 5 - i, i, i, i, i, i, i, i, i, across && i == BODIES ? "2 + b1.f*b1.f" : "2", i,
            i + 2, i, i, i, i, i, i, i, i, i);
    for (int i = 0; i <= BODIES; i++) {
        char a[16] = "left", b[16] = "right";
        if (i > 0) snprintf(a, sizeof a, "b%d", i);
        if (i < BODIES) snprintf(b, sizeof b, "b%d", i + 1);
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "0 c%d when t%d restitution 0.5; %s -> c%d; c%d -> %s; automaton t%d { off apart -> "
            "touch when %s.f > 99; on touch -> apart when %s.f < -99; } ",
            i, i, a, i, i, b, i, i > 0 ? a : b, i < BODIES ? b : a);
    }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "experiment all { stop 1; record m1.f, m%d.e, c3.e, k2.e; } }", BODIES);
    assert_true(used < sizeof text);
    fixture_open(f, text);
    hbg_code_take_apart(f->code, fewest_links);
    assert_fine(f, hbg_rt_declare(f->run, f->x));
}

/* Most contacts are off, a wall is not pressed from both sides; springs are on or off. */
static void choose_mode(unsigned *random, int32_t *states) {
    for (int i = 0; i < BODIES + CONTACTS; i++) {
        *random = *random * 1664525u + 1013904223u;
        states[i] = i < BODIES ? (int32_t)(*random >> 31) : (*random >> 29) < 2;
    }
    states[BODIES + CONTACTS / 2] = 0;
}

static void assert_same_bits(const double *a, const double *b, int32_t count) {
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void compare(fixture *whole, fixture *apart, const int32_t *states) {
    int32_t n = whole->system->state_count;
    double *a = HBG_NEW_ARRAY(&whole->arena, double, n *n + n);
    double *b = HBG_NEW_ARRAY(&apart->arena, double, n *n + n);
    hbg_rt_status status = hbg_rt_enter(whole->run, states);
    assert_int_equal(hbg_rt_enter(apart->run, states), status);
    if (status != HBG_RT_OK) return;
    assert_fine(whole, hbg_rt_declare(whole->run, whole->x));
    assert_fine(apart, hbg_rt_declare(apart->run, apart->x));
    assert_fine(whole, hbg_rt_jump(whole->run, 0, whole->x, a));
    assert_fine(apart, hbg_rt_jump(apart->run, 0, apart->x, b));
    assert_same_bits(a, b, n);
    assert_fine(whole, hbg_rt_rates(whole->run, 0, a, whole->dx));
    assert_fine(apart, hbg_rt_rates(apart->run, 0, b, apart->dx));
    assert_same_bits(whole->dx, apart->dx, n);
    assert_fine(whole, hbg_rt_outputs(whole->run, 0, a, whole->y));
    assert_fine(apart, hbg_rt_outputs(apart->run, 0, b, apart->y));
    assert_same_bits(whole->y, apart->y, whole->system->output_count);
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(whole->run);
    assert_int_equal(hbg_rt_jacobian_pattern(apart->run).start[n], pattern.start[n]);
    memcpy(whole->x, a, (size_t)n * sizeof *a);
    assert_fine(whole, hbg_rt_jacobian(whole->run, 0, whole->x, a));
    assert_fine(apart, hbg_rt_jacobian(apart->run, 0, whole->x, b));
    assert_same_bits(a, b, pattern.start[n]);
}

/* To the bit, whether signals connect pieces or not. */
static void pieces_compute_what_the_whole_does(void **state) {
    (void)state;
    for (int across = 0; across < 2; across++) {
        fixture whole, apart;
        int32_t states[BODIES + CONTACTS];
        unsigned random = 11;
        open_row(&whole, INT32_MAX, across);
        open_row(&apart, 0, across);
        for (int i = 0; i < 150; i++) {
            choose_mode(&random, states);
            compare(&whole, &apart, states);
        }
        fixture_close(&whole);
        fixture_close(&apart);
    }
}

static int32_t count_pieces(const fixture *f) {
    int32_t count = 0;
    for (int32_t i = 0; i < f->code->segments.count; i++)
        count += f->code->segments.items[i].pieces.known.count;
    for (int32_t i = 0; i < f->eqn->islands.count; i++) count += f->code->island_code[i].pieces.known.count;
    return count;
}

/* One contact after the other closes and opens again: what has nothing to do with it is there already. */
static void a_new_mode_costs_what_is_new_in_it(void **state) {
    fixture f;
    int32_t states[BODIES + CONTACTS] = {0}, known = 0;
    (void)state;
    open_row(&f, 0, false);
    for (int i = 0; i < CONTACTS; i++) {
        states[BODIES + i] = 1;
        assert_fine(&f, hbg_rt_enter(f.run, states));
        assert_fine(&f, hbg_rt_jump(f.run, 0, f.x, f.dx));
        assert_fine(&f, hbg_rt_rates(f.run, 0, f.dx, f.x));
        states[BODIES + i] = 0;
        int32_t now = count_pieces(&f);
        if (i == 1) assert_true(now > 2 * BODIES);
        if (i > 2) assert_int_equal(now - known, 2); // of the block and of the island
        known = now;
    }
    fixture_close(&f);
}

/* Where a mode is reached from makes no difference. */
static void a_mode_is_the_same_however_it_was_entered(void **state) {
    fixture walked;
    int32_t states[BODIES + CONTACTS];
    unsigned random = 5;
    (void)state;
    open_row(&walked, 0, true);
    for (int i = 0; i < 12; i++) {
        fixture fresh;
        for (int k = 0; k < 4; k++) choose_mode(&random, states);
        open_row(&fresh, 0, true);
        compare(&walked, &fresh, states);
        fixture_close(&fresh);
    }
    fixture_close(&walked);
}

/* A row that is pressed from both walls is in conflict with itself as a whole. */
static void what_is_in_conflict_is_one_whole(void **state) {
    fixture whole, apart;
    int32_t states[BODIES + CONTACTS];
    (void)state;
    open_row(&whole, INT32_MAX, false);
    open_row(&apart, 0, false);
    for (int i = 0; i < BODIES + CONTACTS; i++) states[i] = i >= BODIES;
    compare(&whole, &apart, states);
    for (int32_t i = 0; i < apart.eqn->islands.count; i++)
        assert_int_equal(apart.code->island_code[i].pieces.known.count, 0);
    fixture_close(&whole);
    fixture_close(&apart);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_compute_what_the_whole_does),
        cmocka_unit_test(a_new_mode_costs_what_is_new_in_it),
        cmocka_unit_test(a_mode_is_the_same_however_it_was_entered),
        cmocka_unit_test(what_is_in_conflict_is_one_whole),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
