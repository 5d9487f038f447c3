/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sources that are a part of a switch: which they are, and which only look like one. */
#include "fixture_impl.h"

#define CIRCUIT(value, arrow, into, out)                                                                     \
    "model M { param Vd = 0.6 [V], hold = 0 [A]; Se u(10 [V]); R r(1 [Ohm]); Se drop(" value                 \
    "); 1 j when d; "                                                                                        \
    "0 n; 1 k; u -> k -> r; k -> n -> j; Se g(0 [V]); j -> g; " arrow                                        \
    "; automaton d { off blocking -> conducting when " into "; on conducting -> blocking when " out "; } }"

static hbg_rt_power_kind kind_of_drop(const char *text) {
    fixture f;
    fixture_open(&f, text);
    hbg_rt_power_kind kind = HBG_RT_MODULATED;
    for (int32_t i = 0; i < f.system->power_count; i++)
        if (strcmp(f.system->powers[i].name, "drop") == 0) kind = f.system->powers[i].kind;
    fixture_close(&f);
    return kind;
}

static void the_drop_of_a_diode_dissipates_whichever_way_its_bond_points(void **state) {
    (void)state;
    assert_int_equal(kind_of_drop(CIRCUIT("-Vd", "drop -> j", "n.e > Vd", "j.f < hold")), HBG_RT_DISSIPATED);
    assert_int_equal(kind_of_drop(CIRCUIT("-Vd", "j -> drop", "n.e > Vd", "j.f < hold")), HBG_RT_DISSIPATED);
}

static void what_drives_its_junction_or_is_in_no_guard_supplies(void **state) {
    (void)state;
    assert_int_equal(kind_of_drop(CIRCUIT("Vd", "drop -> j", "n.e > Vd", "j.f < hold")), HBG_RT_SUPPLIED);
    assert_int_equal(kind_of_drop(CIRCUIT("Vd", "j -> drop", "n.e > Vd", "j.f < hold")), HBG_RT_SUPPLIED);
    assert_int_equal(kind_of_drop(CIRCUIT("-Vd", "drop -> j", "n.e > 1 [V]", "j.f < hold")), HBG_RT_SUPPLIED);
    assert_int_equal(kind_of_drop(CIRCUIT("-Vd", "drop -> j", "n.e > Vd", "n.e < Vd")), HBG_RT_SUPPLIED);
}

static void what_follows_the_automaton_of_its_junction_dissipates(void **state) {
    (void)state;
    assert_int_equal(kind_of_drop(CIRCUIT("d ? -Vd : 0 [V]", "drop -> j", "n.e > 1 [V]", "j.f < hold")),
                     HBG_RT_DISSIPATED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drop_of_a_diode_dissipates_whichever_way_its_bond_points),
        cmocka_unit_test(what_drives_its_junction_or_is_in_no_guard_supplies),
        cmocka_unit_test(what_follows_the_automaton_of_its_junction_dissipates),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
