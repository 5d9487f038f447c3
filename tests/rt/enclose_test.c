/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of operators on arguments within bounds. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "rt/course_impl.h"

static double draw(uint64_t *seed) { // in 0 … 1
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Around 0 or not, narrow or wide; two in five have whole ends, and some are a single number. */
static hbg_rt_span draw_span(uint64_t *seed) {
    double middle = 8 * draw(seed) - 4, half = exp2(-6 * draw(seed)) * 3;
    hbg_rt_span made = {middle - half, middle + half};
    if (draw(seed) < 0.4) made = (hbg_rt_span){nearbyint(made.low), nearbyint(made.high)};
    if (draw(seed) < 0.2) made.high = made.low;
    return made;
}

static double draw_within(uint64_t *seed, hbg_rt_span of) {
    double share = draw(seed);
    return share < 0.1 ? of.low : share > 0.9 ? of.high : of.low + draw(seed) * (of.high - of.low);
}

static hbg_rt_span enclosed(hbg_operator op, const hbg_rt_span *a) {
    hbg_rt_instruction of = {.op = (int32_t)op, .argument = {0, 1, 2}};
    return hbg_rt_enclose(NULL, &of, a);
}

static void no_value_is_outside_its_bounds(void **state) {
    (void)state;
    uint64_t seed = 20;
    for (int op = HBG_OP_OR; op < HBG_OP_TABLE; op++)
        for (int trial = 0; trial < 4000; trial++) {
            hbg_rt_span a[3] = {draw_span(&seed), draw_span(&seed), draw_span(&seed)};
            double at[3] = {draw_within(&seed, a[0]), draw_within(&seed, a[1]), draw_within(&seed, a[2])};
            double value = hbg_rt_evaluate((hbg_operator)op, at[0], at[1], at[2]);
            hbg_rt_span of = enclosed((hbg_operator)op, a);
            if (isnan(value) || (value >= of.low && value <= of.high)) continue;
            fail_msg("%s of %.17g, %.17g, %.17g is %.17g, outside %.17g … %.17g",
                     hbg_rt_operator_text((hbg_operator)op), at[0], at[1], at[2], value, of.low, of.high);
        }
}

/* Derived by hand: bounds that save the search for crossings work. */
static void bounds_are_narrow_where_that_counts(void **state) {
    (void)state;
    hbg_rt_span around = {-1, 2}, above = {1, 2}, quarter = {0, 0.5};
    hbg_rt_span square = enclosed(HBG_OP_POWER_OF, (hbg_rt_span[3]){around, {2, 2}});
    assert_true(square.low == 0 && fabs(square.high - 4) < 1e-9);
    hbg_rt_span quotient = enclosed(HBG_OP_DIVIDE, (hbg_rt_span[3]){around, above});
    assert_true(fabs(quotient.low + 1) < 1e-9 && fabs(quotient.high - 2) < 1e-9);
    assert_true(isinf(enclosed(HBG_OP_DIVIDE, (hbg_rt_span[3]){above, around}).high));
    hbg_rt_span wave = enclosed(HBG_OP_SIN, (hbg_rt_span[3]){above}); // over its top at pi/2
    assert_true(fabs(wave.low - sin(1)) < 1e-9 && fabs(wave.high - 1) < 1e-9);
    assert_true(enclosed(HBG_OP_COS, (hbg_rt_span[3]){quarter}).low > 0.87);
    hbg_rt_span holds = enclosed(HBG_OP_GREATER, (hbg_rt_span[3]){above, quarter});
    assert_true(holds.low > 0.99 && holds.high < 1.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_is_outside_its_bounds),
        cmocka_unit_test(bounds_are_narrow_where_that_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
