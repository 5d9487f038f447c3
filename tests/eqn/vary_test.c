/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

#define SWITCH "automaton a { on shut -> open when false; off open -> shut when false; } "

static bool is_select(const fixture *f, const char *name) {
    for (int32_t place = 0; place < f->eqn->structure->place_count; place++) {
        hbg_buffer path;
        hbg_base_buffer_init(&path, (hbg_arena *)&f->arena);
        hbg_model_path(f->model, (hbg_object){HBG_OBJECT_ELEMENT, f->eqn->structure->place_element[place]},
                       &path);
        if (strcmp(path.data, name) == 0) return f->eqn->varies.select[place];
    }
    fail_msg("no junction %s", name);
    return false;
}

/* A resistor that determines the junction is given 0 and gives 0; so is a pair of junctions that only have each other. */
static void junctions_without_reassignment_switch_by_a_select(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { " SWITCH "Se s(10); R r(5); C c(1); 1 j when a; s -> j; j -> r; j -> c; }");
    assert_true(is_select(&f, "j"));
    assert_false(f.eqn->varies.any);
    fixture_close(&f);
    fixture_open(&f, "model M { " SWITCH "C c(1); I m(1); 0 n; 1 j when a; 0 k when a; 1 h; R r(1); C d(1);"
                     "n -> c; n -> j -> k -> h; h -> m; h -> r; h -> d; }");
    assert_true(is_select(&f, "j"));
    assert_true(is_select(&f, "k"));
    fixture_close(&f);
}

/* A law need not give 0 for 0, a bounce is a balance of its own, and a mass loses its integral causality. */
static void all_others_are_assigned_anew(void **state) {
    static const char *const texts[] = {
        "model M { " SWITCH "Se s(10); R r : e = 0.6 + 5*f; C c(1); 1 j when a; s -> j; j -> r; j -> c; }",
        "model M { " SWITCH "Se s(10); I m(5); C c(1); 1 j when a; s -> j; j -> m; j -> c; }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture f;
        fixture_open(&f, texts[i]);
        assert_false(is_select(&f, "j"));
        assert_true(f.eqn->varies.any);
        fixture_close(&f);
    }
}

static void a_storage_knows_whether_it_may_depend(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { " SWITCH "Se s(10); I m(5); C c(1); 1 j when a; s -> j; j -> m; j -> c;"
                     "C d(1); Se u(1); u -> d; }");
    static const struct {
        const char *name;
        bool integral, dependent;
    } cases[] = {{"m.p", true, true}, {"c.q", true, false}, {"d.q", false, true}};
    for (int i = 0; i < 3; i++) {
        int32_t at = find_state(&f, cases[i].name);
        assert_int_equal(f.eqn->varies.may_integral[at], cases[i].integral);
        assert_int_equal(f.eqn->varies.may_dependent[at], cases[i].dependent);
    }
    fixture_close(&f);
}

/* What varies may read more than it does in any one mode, and never less. */
static void possible_reads_cover_those_of_every_mode(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f,
                 "model M { Se s(10); I m(5); C c(1); R r(2); R w : e = f^3; 1 j when a; 0 n when b; s -> j;"
                 "j -> m; j -> n; n -> c; n -> r; n -> w;"
                 "automaton a { on shut -> open when false; off open -> shut when false; }"
                 "automaton b { on up -> down when false; off down -> up when false; } }");
    for (int mode = 0; mode < 4; mode++) {
        const int32_t states[] = {mode & 1, mode >> 1};
        equations exact, possible;
        if (hbg_rt_enter(f.run, states) != HBG_RT_OK) continue;
        for (int32_t v = 0; v < f.eqn->first[VARIABLE_FLOW + 1]; v++) {
            int32_map here = {0}, ever = {0};
            hbg_eqn_begin_work(f.eqn);
            hbg_eqn_equations_init(&exact, &f.arena, f.eqn, hbg_code_assign_mode(f.code, f.run->on),
                                   PURPOSE_FIELD);
            hbg_eqn_equations_reads(&exact, v, &here);
            hbg_eqn_equations_end(&exact);
            hbg_eqn_equations_init(&possible, &f.arena, f.eqn, hbg_code_assign_mode(f.code, f.run->on),
                                   PURPOSE_FIELD);
            possible.in_any_mode = true;
            hbg_eqn_equations_reads(&possible, v, &ever);
            hbg_eqn_equations_end(&possible);
            hbg_eqn_end_work(f.eqn);
            for (int32_t i = 0; i < here.count; i++) {
                bool found = false;
                for (int32_t k = 0; k < ever.count; k++) found |= ever.items[k] == here.items[i];
                assert_true(found);
            }
        }
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(junctions_without_reassignment_switch_by_a_select),
        cmocka_unit_test(all_others_are_assigned_anew),
        cmocka_unit_test(a_storage_knows_whether_it_may_depend),
        cmocka_unit_test(possible_reads_cover_those_of_every_mode),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
