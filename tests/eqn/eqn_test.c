/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

/* The lossless circuit keeps q²/2C + p²/2L while it is integrated by hand with small steps. */
static void a_compiled_model_can_be_integrated(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(0.5, q = 1); I l(2); 1 j; j -> c; j -> l; }");
    for (int i = 0; i < 1000; i++) { // leapfrog: p at half steps
        double h = 1e-3;
        f.x[find_state(&f, "l.p")] += h / 2 * rate_of(&f, "l.p");
        f.x[find_state(&f, "c.q")] += h * rate_of(&f, "c.q");
        f.x[find_state(&f, "l.p")] += h / 2 * rate_of(&f, "l.p");
    }
    assert_near(state_of(&f, "c.q"), cos(1), 1e-6);
    assert_near(state_of(&f, "l.p"), -2 * sin(1), 1e-6);
    fixture_close(&f);
}

static void outputs_come_in_the_order_asked_for(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { C c(2, q = 6); R r(3); c -> r; experiment e { stop 1; record r.e, c.q, r.f, r.e; } }");
    assert_fine(&f, hbg_rt_outputs(f.run, 0, f.x, f.y));
    assert_exact(f.y[0], 3);
    assert_exact(f.y[1], 6);
    assert_exact(fabs(f.y[2]), 1);
    assert_exact(f.y[3], 3);
    fixture_close(&f);
}

static void a_model_without_states_has_outputs(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(6 + 1*time); R r(3); s -> r; experiment e { stop 1; record r.f; } }");
    assert_int_equal(f.system->state_count, 0);
    assert_exact(output_at(&f, "r.f", 3), 3);
    assert_int_equal(hbg_rt_jacobian_pattern(f.run).count, 0);
    fixture_close(&f);
}

static void an_empty_model_has_nothing(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { param a = 1; }");
    assert_int_equal(f.system->state_count, 0);
    assert_fine(&f, hbg_rt_rates(f.run, 0, f.x, f.dx));
    fixture_close(&f);
}

/* Every element of this net reads its neighbours only: twice as many cost about twice as much. */
static void large_models_compile_in_linear_memory(void **state) {
    size_t used[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        int sections = 1000 << k, size = 0;
        char *text = malloc(200 * (size_t)sections + 200);
        assert_non_null(text);
        size = sprintf(text, "model M { Se s(1); 1 a0; s -> a0; ");
        for (int i = 0; i < sections; i++)
            size +=
                sprintf(text + size,
                        "R r%d(2); a%d -> r%d; 0 n%d; a%d -> n%d; C c%d(1); n%d -> c%d; 1 a%d; n%d -> a%d; ",
                        i, i, i, i, i, i, i, i, i, i + 1, i, i + 1);
        sprintf(text + size, "R last(1); a%d -> last; }", sections);
        fixture f;
        fixture_begin(&f, text);
        assert_int_equal(hbg_rt_jacobian_pattern(f.run).start[sections], 3 * sections - 2);
        used[k] = f.memory.peak;
        fixture_close(&f);
        free(text);
    }
    assert_true(used[1] < 2.6 * (double)used[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compiled_model_can_be_integrated),
        cmocka_unit_test(outputs_come_in_the_order_asked_for),
        cmocka_unit_test(a_model_without_states_has_outputs),
        cmocka_unit_test(an_empty_model_has_nothing),
        cmocka_unit_test(large_models_compile_in_linear_memory),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
