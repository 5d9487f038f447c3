/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of units where a dimension has several. */
#include "fixture_impl.h"

typedef struct {
    const char *written, *spoken; /* NULL: the usual name */
} example;

static void expect(hbg_dimension dimension, const example *examples) {
    for (; examples->written; examples++) {
        const char *found = hbg_model_dimension_spoken(dimension, examples->written);
        bool same =
            found && examples->spoken ? strcmp(found, examples->spoken) == 0 : found == examples->spoken;
        if (!same) fail_msg("%s is called %s", examples->written, found ? found : "as usual");
    }
}

static void a_unit_is_called_as_it_was_written(void **state) {
    (void)state;
    static const example energies[] = {{"N.m", "N·m"}, {"kN.m", "N·m"},    {"Nm", "N·m"}, {"mN*m", "N·m"},
                                       {"J", NULL},    {"kg.m2/s2", NULL}, {"", NULL},    {NULL, NULL}};
    static const example rates[] = {{"rad/s", "rad/s"}, {"mrad/s", "rad/s"}, {"rpm", "rad/s"},
                                    {"deg/s", "rad/s"}, {"kHz", "Hz"},       {"1/s", NULL},
                                    {NULL, NULL}};
    static const example fluxes[] = {{"N.m/A", "N·m/A"}, {"mN.m/A", "N·m/A"}, {"V.s/rad", "V·s/rad"},
                                     {"mV.s", "V·s"},    {"mWb", NULL},       {NULL, NULL}};
    expect(dim(2, 1, -2, 0, 0), energies);
    expect(dim(0, 0, -1, 0, 0), rates);
    expect(dim(2, 1, -2, -1, 0), fluxes);
}

static void a_dimension_with_one_name_keeps_it(void **state) {
    (void)state;
    assert_null(hbg_model_dimension_spoken(VOLT, "V"));
    assert_null(hbg_model_dimension_spoken(dim(1, 1, -2, 0, 0), "N"));
    assert_null(hbg_model_dimension_spoken(hbg_model_dimension_any, "N.m"));
    assert_null(hbg_model_dimension_spoken(dim(2, 1, -2, 0, 0), NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_is_called_as_it_was_written),
        cmocka_unit_test(a_dimension_with_one_name_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
