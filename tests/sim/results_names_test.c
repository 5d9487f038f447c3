/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names valid in a format. */
#include "results_fixture_impl.h"

#include "sim/results_impl.h"

static void check_rule(hbg_sim_name_rule rule, const char *name, const char *expected) {
    char text[256];
    rule(name, text);
    assert_string_equal(text, expected);
}

static void matlab_names_are_identifiers(void **state) {
    (void)state;
    check_rule(hbg_sim_name_matlab, "coil.p", "coil_p");
    check_rule(hbg_sim_name_matlab, "a>b.e", "a_b_e");
    check_rule(hbg_sim_name_matlab, "a_b", "a_b");
    check_rule(hbg_sim_name_matlab, "x[3]", "x_3_");
    check_rule(hbg_sim_name_matlab, "2nd", "x2nd");
    check_rule(hbg_sim_name_matlab, "_x", "x_x");
    check_rule(hbg_sim_name_matlab, "größe", "gr__e");
    check_rule(hbg_sim_name_matlab, "µ", "x_");
    check_rule(hbg_sim_name_matlab,
               "a\xff"
               "b",
               "a_b");
    check_rule(hbg_sim_name_matlab, "", "x");
    check_rule(hbg_sim_name_matlab, "end", "xend");
    check_rule(hbg_sim_name_matlab, "while", "xwhile");
    check_rule(hbg_sim_name_matlab, "ending", "ending");
    check_rule(hbg_sim_name_matlab, "hbg", "xhbg");
}

static void hdf5_names_have_no_slash(void **state) {
    (void)state;
    check_rule(hbg_sim_name_hdf5, "coil.p", "coil.p");
    check_rule(hbg_sim_name_hdf5, "a>b.e", "a>b.e");
    check_rule(hbg_sim_name_hdf5, "/a/b", "|a|b");
    check_rule(hbg_sim_name_hdf5, ".", "_");
    check_rule(hbg_sim_name_hdf5, "", "_");
    check_rule(hbg_sim_name_hdf5, "..", "..");
}

static void check_names(fixture *f, int32_t count, const char *const *given, size_t limit,
                        const char *const *expected) {
    hbg_sim_column columns[16];
    for (int32_t i = 0; i < count; i++) columns[i] = (hbg_sim_column){given[i], NULL, false};
    hbg_sim_head head = {columns, count, ""};
    hbg_sim_names names;
    assert_true(hbg_sim_names_init(&names, &f->memory, &head, hbg_sim_name_matlab, limit));
    for (int32_t i = 0; i < count; i++) assert_string_equal(hbg_sim_names_get(&names, i), expected[i]);
    hbg_sim_names_fini(&names);
}

static void names_are_all_different(void **state) {
    fixture *f = *state;
    const char *const given[] = {"time", "a.b", "a_b", "a>b", "a_b_2", "time", "a_b_2"};
    const char *const expected[] = {"time", "a_b", "a_b_2", "a_b_3", "a_b_2_2", "time_2", "a_b_2_3"};
    check_names(f, 7, given, 63, expected);
    /* the number replaces the end if the name would become too long */
    const char *const long_given[] = {"abcdefghijkl", "abcdefghijxx", "abcdefghij", "abcdefgh_2"};
    const char *const long_expected[] = {"abcdefghij", "abcdefgh_2", "abcdefgh_3", "abcdefgh_4"};
    check_names(f, 4, long_given, 10, long_expected);
}

/* Found quickly, although every name collides with all the ones before. */
static void a_hundred_thousand_namesakes_are_told_apart(void **state) {
    fixture *f = *state;
    enum { COUNT = 100000 };
    hbg_sim_column *columns = HBG_NEW_ARRAY(&f->arena, hbg_sim_column, COUNT);
    for (int32_t i = 0; i < COUNT; i++) columns[i].name = i % 2 == 0 ? "a.b" : "a>b";
    hbg_sim_head head = {columns, COUNT, ""};
    hbg_sim_names names;
    assert_true(hbg_sim_names_init(&names, &f->memory, &head, hbg_sim_name_matlab, 63));
    assert_string_equal(hbg_sim_names_get(&names, 0), "a_b");
    assert_string_equal(hbg_sim_names_get(&names, COUNT - 1), "a_b_100000");
    hbg_sim_names_fini(&names);
}

static void no_memory_is_told_and_nothing_is_kept(void **state) {
    fixture *f = *state;
    const hbg_sim_column columns[] = {{"time", NULL, false}, {"x", NULL, false}};
    hbg_sim_head head = {columns, 2, ""};
    for (int64_t k = 1; k <= 4; k++) {
        hbg_sim_names names;
        f->memory.fail_at = f->memory.calls + k;
        assert_false(hbg_sim_names_init(&names, &f->memory, &head, hbg_sim_name_hdf5, 0));
        assert_int_equal(f->memory.used, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(matlab_names_are_identifiers),
        TEST(hdf5_names_have_no_slash),
        TEST(names_are_all_different),
        TEST(a_hundred_thousand_namesakes_are_told_apart),
        TEST(no_memory_is_told_and_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
