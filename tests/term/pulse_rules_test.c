/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rules of values with pulses by another way: fin + area·δ is like fin + area·n for a number n that is larger than anything else. A term
 * of such numbers is taken at two of these n; what grows with n is its area, the rest its finite part. */
#include "term/terms_impl.h"

enum { VALUES = 4, TERMS = 800, DEPTH = 4 }; /* variables 4 … 7 are the areas of 0 … 3 */

static int32_t area_of(const void *owner, int32_t variable) {
    (void)owner;
    return variable < VALUES ? variable + VALUES : HBG_NONE;
}

static hbg_term make(algebra *a, test_random *random, int depth);

static hbg_term condition(algebra *a, test_random *random, int depth) {
    static const int relations[] = {HBG_OP_LESS,          HBG_OP_LESS_EQUAL, HBG_OP_GREATER,
                                    HBG_OP_GREATER_EQUAL, HBG_OP_EQUAL,      HBG_OP_NOT_EQUAL};
    hbg_term left = make(a, random, depth), right = make(a, random, depth);
    hbg_term one = apply(a, relations[random_below(random, 6)], left, right);
    if (random_chance(random, 60)) return one;
    if (random_chance(random, 30)) return apply(a, HBG_OP_NOT, one, HBG_NONE);
    return apply(a, random_chance(random, 50) ? HBG_OP_AND : HBG_OP_OR, one, condition(a, random, depth));
}

/* What is no linear function of a pulse is of numbers alone. */
static hbg_term make(algebra *a, test_random *random, int depth) {
    static const double factors[] = {0.5, -1, 2, -3, 4};
    static const int two[] = {HBG_OP_ADD, HBG_OP_SUBTRACT, HBG_OP_MIN, HBG_OP_MAX};
    if (depth == 0) {
        int draw = random_below(random, VALUES + 2);
        return draw < VALUES ? variable(a, draw) : number(a, draw - VALUES - 1);
    }
    switch (random_below(random, 9)) {
    case 0:
        return apply(a, HBG_OP_MULTIPLY, number(a, factors[random_below(random, 5)]),
                     make(a, random, depth - 1));
    case 1: return apply(a, HBG_OP_DIVIDE, make(a, random, depth - 1), number(a, -0.5));
    case 2: return apply(a, HBG_OP_NEGATE, make(a, random, depth - 1), HBG_NONE);
    case 3: return apply(a, HBG_OP_ABS, make(a, random, depth - 1), HBG_NONE);
    case 4: return apply(a, HBG_OP_SIGN, make(a, random, depth - 1), HBG_NONE);
    case 5:
        return hbg_term_make(&a->terms, HBG_OP_SELECT, condition(a, random, depth - 1),
                             make(a, random, depth - 1), make(a, random, depth - 1));
    default:
        return apply(a, two[random_below(random, 4)], make(a, random, depth - 1), make(a, random, depth - 1));
    }
}

static double at(const algebra *a, hbg_term term, const double *values, double n) {
    double taken[2 * VALUES] = {0};
    for (int i = 0; i < VALUES; i++) taken[i] = values[i] + values[VALUES + i] * n;
    return value_of(a, term, taken);
}

static void parts_are_those_of_a_large_number(void **state) {
    algebra *a = *state;
    test_random random = {7};
    const hbg_term_pulses pulses = {area_of, NULL};
    int pulsing = 0;
    for (int i = 0; i < TERMS; i++) {
        double values[2 * VALUES];
        for (int k = 0; k < 2 * VALUES; k++) values[k] = random_below(&random, 5) - 2;
        hbg_term term = make(a, &random, DEPTH), area;
        hbg_term fin = hbg_term_parts(&a->terms, &a->scratch, pulses, term, &area);
        const double n = 1 << 30;
        double once = at(a, term, values, n), twice = at(a, term, values, 2 * n);
        double found_area = area == HBG_NONE ? 0 : value_of(a, area, values);
        pulsing += found_area != 0;
        assert_true(value_of(a, fin, values) == 2 * once - twice);
        assert_true(found_area == (twice - once) / n);
    }
    assert_true(pulsing > TERMS / 8);
}

/* A product with what has no pulse, and finite(…), which has none. */
static void a_product_takes_the_pulse_of_one_side(void **state) {
    algebra *a = *state;
    const hbg_term_pulses pulses = {area_of, NULL};
    const double values[] = {2, 3, 5, 7, 11, 13, 0, 0}; /* 2 + 11·δ, 3 + 13·δ, 5, 7 */
    hbg_term area, fin;
    fin = hbg_term_parts(&a->terms, &a->scratch, pulses,
                         apply(a, HBG_OP_MULTIPLY, variable(a, 0), variable(a, 2)), &area);
    assert_true(value_of(a, fin, values) == 10 && value_of(a, area, values) == 55);
    fin = hbg_term_parts(&a->terms, &a->scratch, pulses,
                         apply(a, HBG_OP_DIVIDE, variable(a, 1), variable(a, 2)), &area);
    assert_true(value_of(a, fin, values) == 3.0 / 5 && value_of(a, area, values) == 13.0 / 5);
    hbg_term finite = apply(a, HBG_OP_FINITE, variable(a, 0), HBG_NONE);
    fin = hbg_term_parts(&a->terms, &a->scratch, pulses, apply(a, HBG_OP_ADD, finite, variable(a, 3)), &area);
    assert_true(value_of(a, fin, values) == 9 && value_of(a, area, values) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(parts_are_those_of_a_large_number),
        TEST(a_product_takes_the_pulse_of_one_side),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
