/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Functions between fractions: against thirty digits of them that come from elsewhere. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "verify/formula_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_verify_prover *prover;
    formulas f;
} fixture;

static void open_fixture(fixture *t) {
    hbg_verify_options options = hbg_verify_options_default();
    memset(t, 0, sizeof *t);
    hbg_base_arena_init(&t->arena, &t->memory);
    t->prover = hbg_verify_prover_new(&t->memory);
    assert_non_null(t->prover);
    assert_true(hbg_verify_formulas_begin(&t->f, t->prover, &t->arena, &options));
}

static void close_fixture(fixture *t) {
    hbg_verify_formulas_end(&t->f);
    hbg_verify_prover_free(t->prover);
    hbg_base_arena_fini(&t->arena);
    assert_int_equal(t->memory.used, 0);
}

static formula decimal(fixture *t, const char *text) {
    hbg_decimal value;
    assert_true(hbg_base_decimal_parse(&t->arena, text, strlen(text), &value));
    return hbg_verify_formula_decimal(&t->f, value);
}

static interval at(fixture *t, int op, const char *a, const char *b) {
    interval first = {NULL, NULL}, second = {NULL, NULL};
    if (a) first = hbg_verify_interval_point(decimal(t, a));
    if (b) second = hbg_verify_interval_point(decimal(t, b));
    return hbg_verify_interval_function(&t->f, op, first, second);
}

static interval around(fixture *t, formula value, const char *share) {
    formulas *f = &t->f;
    formula slip = hbg_verify_formula_multiply(f, value, decimal(t, share));
    if (hbg_verify_formula_less(f, slip, f->zero) == f->yes) slip = hbg_verify_formula_negate(f, slip);
    return (interval){hbg_verify_formula_subtract(f, value, slip), hbg_verify_formula_add(f, value, slip)};
}

/* The digits, the last of them rounded, are between the bounds; and these are next to each other. */
static bool is_around(fixture *t, interval found, const char *digits) {
    formulas *f = &t->f;
    formula value = decimal(t, digits);
    interval wide = around(t, value, "1e-31"), narrow = around(t, value, "1e-37");
    return hbg_verify_interval_is_known(found) && hbg_verify_formula_less(f, wide.low, found.low) == f->yes &&
           hbg_verify_formula_less(f, found.high, wide.high) == f->yes &&
           hbg_verify_formula_less(f, found.low, narrow.high) == f->yes &&
           hbg_verify_formula_less(f, narrow.low, found.high) == f->yes;
}

static void functions_have_the_digits_that_are_known_of_them(void **state) {
    (void)state;
    static const struct {
        int op;
        const char *a, *b, *digits;
    } known[] = {
        {HBG_OP_PI, NULL, NULL, "3.1415926535897932384626433832795028841971694"},
        {HBG_OP_EXP, "1", NULL, "2.71828182845904523536028747135266249775724709"},
        {HBG_OP_EXP, "-2.5", NULL, "0.082084998623898795169528674467159807837804121"},
        {HBG_OP_EXP, "100", NULL, "26881171418161354484126255515800135873611118.8"},
        {HBG_OP_EXP, "0.0001", NULL, "1.00010000500016667083341666805557539707341545"},
        {HBG_OP_LOG, "2", NULL, "0.693147180559945309417232121458176568075500134"},
        {HBG_OP_LOG, "0.001", NULL, "-6.90775527898213705205397436405309262280330447"},
        {HBG_OP_LOG10, "2", NULL, "0.301029995663981195213738894724493026768189881"},
        {HBG_OP_SIN, "1", NULL, "0.841470984807896506652502321630298999622563061"},
        {HBG_OP_COS, "1", NULL, "0.540302305868139717400936607442976603732310421"},
        {HBG_OP_SIN, "1000", NULL, "0.826879540532002560255887429109218141212724968"},
        {HBG_OP_COS, "-2", NULL, "-0.416146836547142386997568229500762189766000771"},
        {HBG_OP_SIN, "-2.5", NULL, "-0.598472144103956494051854702186162271703597172"},
        {HBG_OP_COS, "5.5", NULL, "0.708669774291260000027421181325843734987758393"},
        {HBG_OP_ATAN, "0.5", NULL, "0.463647609000806116214256231461214402028537054"},
        {HBG_OP_ATAN, "-3", NULL, "-1.2490457723982544258299170772810901230778294"},
        {HBG_OP_ASIN, "0.3", NULL, "0.304692654015397507972002961227529166954560032"},
        {HBG_OP_ASIN, "-1", NULL, "-1.5707963267948966192313216916397514420985847"},
        {HBG_OP_ACOS, "-0.3", NULL, "1.87548898081029412720332465286728060905314473"},
        {HBG_OP_ATAN2, "1", "-2", "2.67794504458898712224838715181828848216863235"},
        {HBG_OP_ATAN2, "-1", "-2", "-2.67794504458898712224838715181828848216863235"},
        {HBG_OP_ATAN2, "0", "-2", "3.1415926535897932384626433832795028841971694"},
        {HBG_OP_ATAN2, "3", "2", "0.982793723247329067985710611014666014496877454"},
        {HBG_OP_SINH, "1", NULL, "1.17520119364380145688238185059560081515571798"},
        {HBG_OP_COSH, "-1", NULL, "1.54308063481524377847790562075706168260152911"},
        {HBG_OP_TANH, "0.1", NULL, "0.0996679946249558171183050836783521835389620958"},
        {HBG_OP_SQRT, "2", NULL, "1.41421356237309504880168872420969807856967188"},
        {HBG_OP_SQRT, "1e-7", NULL, "0.000316227766016837933199889354443271853371955514"},
        {HBG_OP_CBRT, "-2", NULL, "-1.25992104989487316476721060727822835057025146"},
        {HBG_OP_POW, "2", "0.3", "1.23114441334491628449939306916774310987613776"},
    };
    fixture t;
    open_fixture(&t);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        interval found = at(&t, known[i].op, known[i].a, known[i].b);
        if (!is_around(&t, found, known[i].digits)) print_error("not around %s\n", known[i].digits);
        assert_true(is_around(&t, found, known[i].digits));
    }
    close_fixture(&t);
}

/* Values that are fractions are these: nothing is lost at 0 and 1. */
static void fractions_stay_what_they_are(void **state) {
    (void)state;
    static const struct {
        int op;
        const char *a, *b, *value;
    } known[] = {{HBG_OP_EXP, "0", NULL, "1"},           {HBG_OP_LOG, "1", NULL, "0"},
                 {HBG_OP_COSH, "0", NULL, "1"},          {HBG_OP_SINH, "0", NULL, "0"},
                 {HBG_OP_TANH, "0", NULL, "0"},          {HBG_OP_ATAN, "0", NULL, "0"},
                 {HBG_OP_ASIN, "0", NULL, "0"},          {HBG_OP_ACOS, "1", NULL, "0"},
                 {HBG_OP_FLOOR, "-1.5", NULL, "-2"},     {HBG_OP_CEIL, "-1.5", NULL, "-1"},
                 {HBG_OP_REMAINDER, "-7.3", "2", "-1.3"}};
    fixture t;
    open_fixture(&t);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        interval found = at(&t, known[i].op, known[i].a, known[i].b);
        assert_ptr_equal(found.low, decimal(&t, known[i].value));
        assert_ptr_equal(found.high, found.low);
    }
    close_fixture(&t);
}

/* Where a function is not defined, or too large, nothing is known of it. */
static void what_has_no_value_has_no_bounds(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    assert_false(hbg_verify_interval_is_known(at(&t, HBG_OP_LOG, "0", NULL)));
    assert_false(hbg_verify_interval_is_known(at(&t, HBG_OP_SQRT, "-1", NULL)));
    assert_false(hbg_verify_interval_is_known(at(&t, HBG_OP_ASIN, "1.1", NULL)));
    assert_false(hbg_verify_interval_is_known(at(&t, HBG_OP_EXP, "1e6", NULL)));
    assert_false(hbg_verify_interval_is_known(at(&t, HBG_OP_ATAN2, "0", "0")));
    assert_false(hbg_verify_interval_is_known(at(&t, HBG_OP_REMAINDER, "1", "0")));
    interval far = at(&t, HBG_OP_SIN, "1e30", NULL); // between -1 and 1, that is all
    assert_ptr_equal(far.low, decimal(&t, "-1"));
    assert_ptr_equal(far.high, t.f.one);
    close_fixture(&t);
}

static void arithmetic_holds_all_products_of_what_is_inside(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    formulas *f = &t.f;
    interval a = {decimal(&t, "-2"), decimal(&t, "3")}, b = {decimal(&t, "-5"), decimal(&t, "1")};
    interval product = hbg_verify_interval_multiply(f, a, b), square = hbg_verify_interval_power(f, a, 2);
    assert_ptr_equal(product.low, decimal(&t, "-15"));
    assert_ptr_equal(product.high, decimal(&t, "10"));
    assert_ptr_equal(square.low, f->zero);
    assert_ptr_equal(square.high, decimal(&t, "9"));
    assert_false(hbg_verify_interval_is_known(hbg_verify_interval_divide(f, a, b))); // 0 is in it
    interval c = {decimal(&t, "2"), decimal(&t, "4")}, quotient = hbg_verify_interval_divide(f, a, c);
    assert_ptr_equal(quotient.low, decimal(&t, "-1"));
    assert_ptr_equal(quotient.high, decimal(&t, "1.5"));
    assert_int_equal(hbg_verify_interval_sign(f, c), 1);
    assert_int_equal(hbg_verify_interval_sign(f, a), 0);
    interval wide = hbg_verify_interval_function(f, HBG_OP_COSH, a, a); // least at 0, inside
    assert_ptr_equal(wide.low, f->one);
    close_fixture(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_have_the_digits_that_are_known_of_them),
                                       cmocka_unit_test(fractions_stay_what_they_are),
                                       cmocka_unit_test(what_has_no_value_has_no_bounds),
                                       cmocka_unit_test(arithmetic_holds_all_products_of_what_is_inside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
