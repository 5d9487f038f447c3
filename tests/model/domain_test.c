/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The domain table. */
#include "model/inference_impl.h"

#include "fixture_impl.h"

static void domains_are_found_by_name(void **state) {
    (void)state;
    for (int d = 0; d < HBG_DOMAIN_COUNT; d++)
        assert_int_equal(hbg_model_domain_find(hbg_model_domain_name(d), strlen(hbg_model_domain_name(d))),
                         d);
    assert_int_equal(hbg_model_domain_find("electric", 8), HBG_DOMAIN_COUNT);
}

static void variables_have_the_dimensions_of_the_language(void **state) {
    fixture *f = *state;
    const hbg_variable e = HBG_VARIABLE_EFFORT, p = HBG_VARIABLE_MOMENTUM, q = HBG_VARIABLE_DISPLACEMENT;
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_ELECTRICAL, e)), "V");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_ELECTRICAL, p)), "Wb");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_ELECTRICAL, q)), "C");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_TRANSLATIONAL, p)), "N·s");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_HYDRAULIC, q)), "m^3");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_ROTATIONAL, q)),
                        "a pure number");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_THERMAL, q)), "J");
    assert_string_equal(text_of_dimension(f, hbg_model_domain_dimension(HBG_DOMAIN_MAGNETIC, q)), "Wb");
}

static void thermal_and_magnetic_have_no_momentum(void **state) {
    (void)state;
    assert_false(hbg_model_domain_dimension(HBG_DOMAIN_THERMAL, HBG_VARIABLE_MOMENTUM).known);
    assert_false(hbg_model_domain_dimension(HBG_DOMAIN_MAGNETIC, HBG_VARIABLE_MOMENTUM).known);
    assert_false(hbg_model_domain_dimension(HBG_DOMAIN_ANY, HBG_VARIABLE_EFFORT).known);
}

static void every_quantity_decides_one_domain(void **state) {
    (void)state;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++) {
        for (int q = 0; q < HBG_QUANTITY_COUNT; q++) {
            hbg_dimension dimension = hbg_model_domain_quantity(d, q);
            assert_int_equal(dimension.known, hbg_model_domain_unit(d, q) != NULL);
            if (dimension.known)
                assert_int_equal(hbg_model_quantity_domains(q, dimension), HBG_DOMAIN_BIT(d));
        }
    }
}

static void power_is_effort_times_flow_but_for_pseudo_bonds(void **state) {
    fixture *f = *state;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++) {
        hbg_dimension power = hbg_model_dimension_multiply(hbg_model_domain_dimension(d, HBG_VARIABLE_EFFORT),
                                                           hbg_model_domain_dimension(d, HBG_VARIABLE_FLOW));
        bool watt = strcmp(text_of_dimension(f, power), "W") == 0;
        assert_int_equal(watt, d != HBG_DOMAIN_THERMAL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(domains_are_found_by_name),
        TEST(variables_have_the_dimensions_of_the_language),
        TEST(thermal_and_magnetic_have_no_momentum),
        TEST(every_quantity_decides_one_domain),
        TEST(power_is_effort_times_flow_but_for_pseudo_bonds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
