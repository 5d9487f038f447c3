/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Selects in the text of strides: which masks there are, and who is masked. That the bits are right is for native_stride_test.c. */
#include "compiled_impl.h"

/* A boost converter: coil and capacitor do not see one another while a pair of junctions is off; a lamp behind a relay that only
 * an input moves. */
static const char boost[] =
    "model M { input bool call = true; Se s(10); 1 m; I coil(0.1); s -> m; m -> coil; 0 b when u; 1 a when "
    "u; 0 n;"
    "m -> b; b -> a; a -> n; C c(0.01, q = 0.2); R load(5); n -> c; n -> load; 1 d when k; R lamp(7); n -> d;"
    "d -> lamp; output y = c.e; experiment e { stop 1; record y; }"
    "automaton u { on shut -> open when coil.f < 1; off open -> shut when coil.f > 3; }"
    "automaton k { on pulled -> released when !call; off released -> pulled when call; } }";

/* Two sources that take turns: never both junctions on. */
static const char turns[] =
    "model M { Se s(10); R r(1); 1 a when u; Se t(1); R q(2); 1 b when !u; 0 n; C c(0.01, q = 0); R load(5); "
    "s -> a;"
    "a -> r; a -> n; t -> b; b -> q; b -> n; n -> c; n -> load; output y = c.e; experiment e { stop 1; "
    "record y; }"
    "automaton u { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; } }";

static int count_in(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) count++;
    return count;
}

static const char *stride_of(fixture *f) {
    const char *text =
        native_text(f, (hbg_rt_native_options){.strides = true, .method = HBG_RT_EULER, .books = false});
    const char *found = strstr(text, "static void stride(");
    assert_non_null(found);
    return found;
}

static void junctions_that_switch_together_share_a_mask(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, boost);
    assert_int_equal(count_in(stride_of(&f), "= mask_of(a->on["), 2 * 1); // as it begins, and after a look
    fixture_close(&f);
    fixture_begin(&f, turns);
    assert_int_equal(count_in(stride_of(&f), "= mask_of(a->on["), 2 * 2);
    fixture_close(&f);
}

/* One that no calm automaton has a say in stays as it is while the stride lasts. */
static void what_stays_is_a_mask_made_before_the_loop(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, boost);
    const char *text = stride_of(&f), *loop = strstr(text, "for (; done < a->count");
    assert_non_null(loop);
    int before = count_in(text, "    mask m") - count_in(loop, "    mask m");
    assert_int_equal(before, 2);
    assert_int_equal(count_in(loop, "    mask m"), 0);
    assert_int_equal(count_in(loop, " != 0 ? "), 0); // nobody is asked in every step
    fixture_close(&f);
}

/* Voltage and current pass two junctions each, with one mask: once for the rates of the step, and once for those at its end, which
 * only a step that is drawn through has. */
static void what_is_masked_already_is_not_masked_again(void **state) {
    fixture f;
    char word[40];
    int number;
    (void)state;
    fixture_begin(&f, boost);
    const char *text = stride_of(&f), *made = strstr(text, " = mask_of(a->on[");
    assert_non_null(made);
    while (made[-1] != 'm') made--;
    assert_int_equal(sscanf(made, "%d", &number), 1);
    snprintf(word, sizeof word, "keep(m%d, ", number);
    assert_int_equal(count_in(text, word), 4);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(junctions_that_switch_together_share_a_mask),
        cmocka_unit_test(what_stays_is_a_mask_made_before_the_loop),
        cmocka_unit_test(what_is_masked_already_is_not_masked_again),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
