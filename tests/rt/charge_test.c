/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Energy of storages whose law has kinks. */
#include "eqn/fixture_impl.h"

/* e = min(max(2q, −3), 3): a spring that gives way at q = 1.5. */
#define LIMITED                                                                                              \
    "model M { C s(q = 4) : e = min(max(2*q, -3), 3); R r(1); 0 n; n -> s; n -> r;"                          \
    "experiment x { stop 1; record s.energy, der(s.energy); } }"

static void energy_is_the_area_under_the_law(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, LIMITED);
    assert_near(output_of(&f, "s.energy"), 1.5 * 1.5 + 3 * 2.5, 1e-13);
    set_state(&f, "s.q", 1);
    assert_near(output_of(&f, "s.energy"), 1, 1e-13);
    set_state(&f, "s.q", -4);
    assert_near(output_of(&f, "s.energy"), 1.5 * 1.5 + 3 * 2.5, 1e-13);
    set_state(&f, "s.q", 0);
    assert_tiny(output_of(&f, "s.energy"), 0);
    fixture_close(&f);
}

static void it_is_the_same_while_branches_are_frozen(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, LIMITED);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    assert_near(output_of(&f, "s.energy"), 1.5 * 1.5 + 3 * 2.5, 1e-13);
    fixture_close(&f);
}

static void its_rate_is_the_power(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, LIMITED); // e = 3 V over 1 Ohm: 9 W leave
    assert_near(output_of(&f, "der(s.energy)"), -9, 1e-13);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_area_under_the_law),
        cmocka_unit_test(it_is_the_same_while_branches_are_frozen),
        cmocka_unit_test(its_rate_is_the_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
