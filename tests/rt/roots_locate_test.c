/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossings that are hard to locate: nearly a jump, a root of high order, one between values of very
 * different sizes. Each is located to the resolution of time. */
#include "rt/known_roots_impl.h"

#define ONCE(guard) "model M { " CLOCK " automaton a { off o -> n when " guard "; on n; } }"

/* tanh(1e9·(x − c)) is −1 or 1 except during a billionth of a second. */
static void a_crossing_as_steep_as_a_jump_is_located(void **state) {
    const double at = 1.2345;
    (void)state;
    assert_moves(ONCE("tanh(1e9*(x - 1.2345)) > 0"), 3, 0, &at, 1, 0, 1e-14);
    assert_moves(ONCE("tanh(1e9*(x - 1.2345)) >= 0.5"), 3, 0, &at, 1, 0, 1e-9);
    assert_moves(ONCE("x > 1.2345"), 3, 0, &at, 1, 0, 1e-14);
}

/* ∛ reaches 0 with an infinite slope, a fifth power with slope 0: it is already within its band 0.01 from the
 * root. */
static void slopes_of_any_kind_are_no_hindrance(void **state) {
    const double at = 1.2345;
    (void)state;
    assert_moves(ONCE("cbrt(x - 1.2345) > 0"), 3, 0, &at, 1, 0, 1e-13);
    assert_moves(ONCE("(x - 1.2345)^5 > 0"), 3, 0, &at, 1, 0, 2e-2);
}

/* e^(20 x) passes 1e20 at ln(1e20)/20, and continues to 1e26. */
static void sizes_of_any_kind_are_no_hindrance(void **state) {
    const double late = log(1e20) / 20;
    (void)state;
    assert_moves(ONCE("exp(20*x) > 1e20"), 3, 0, &late, 1, 0, 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crossing_as_steep_as_a_jump_is_located),
        cmocka_unit_test(slopes_of_any_kind_are_no_hindrance),
        cmocka_unit_test(sizes_of_any_kind_are_no_hindrance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
