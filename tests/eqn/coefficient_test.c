/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Coefficients that are terms and known to be 0 or not. */
#include "eqn/fixture_impl.h"

static void moduli_cancel_and_small_numbers_are_written_out(void **unused) {
    fixture f;
    (void)unused;
    fixture_open(&f,
                 "model M { param n = 3; TF t(n); TF k(2*n); R r(1); 0 a; C c(1); c -> a -> t -> k -> r; }");
    hbg_eqn *eqn = f.eqn;
    int32_t element[2] = {0};
    for (int32_t i = 0; i < f.model->elements.count; i++)
        if (f.model->elements.items[i].kind == HBG_KIND_TF)
            element[strcmp(hbg_base_names_get(f.model->names, f.model->elements.items[i].id.name), "k") ==
                    0] = i;
    coefficient n = hbg_eqn_coefficient_of(eqn, hbg_eqn_value(eqn, element[0]));
    coefficient twice = hbg_eqn_coefficient_of(eqn, hbg_eqn_value(eqn, element[1]));
    coefficient minus = hbg_eqn_coefficient_multiply(eqn, n, hbg_eqn_coefficient_whole(eqn, -2));
    assert_int_equal(hbg_eqn_coefficient_add(eqn, twice, minus).value, 0); // 2·n − 2·n
    assert_true(hbg_eqn_coefficient_add(eqn, twice, n).value != 0);
    coefficient ratio = hbg_eqn_coefficient_solve(eqn, twice, n);
    assert_int_equal(ratio.term, hbg_term_integer(&eqn->terms, -2)); // −2·n/n
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(moduli_cancel_and_small_numbers_are_written_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
