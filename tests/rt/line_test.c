/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that the run moves linearly: every value at a time has the bits of a run in which they were set
 * for that time; compiled strides move them as interpreted ones do. */
#include "code/strider_impl.h"

/* R1 is read by way of `twice`, and decides a loop of two resistors; the other parameter does not move. */
#define CIRCUIT                                                                                              \
    "model M { param R1 = 4, twice = 2*R1, V = 10; Se s(V*cos(time)); R a(twice); R b(3); 1 j; 0 n; C c(2);" \
    "s -> j -> a; j -> n; n -> b; n -> c; output y = c.e, i = a.f*R1; experiment e { stop 1; record y, i; }" \
    "automaton x { on low -> high when c.e > R1; off high -> low when c.e < 0; } }"

static int32_t param_number(const fixture *f, const char *name) {
    for (int32_t i = 0; i < f->system->param_count; i++)
        if (strcmp(f->system->params[i].name, name) == 0) return i;
    fail_msg("no parameter %s", name);
    return -1;
}

static void set_line(fixture *f, const char *name, double t, double value, double slope) {
    assert_fine(f, hbg_rt_set_line(f->run, param_number(f, name), t, value, slope));
}

/* Two runs of one model: one moves, the other is set by hand at every time. */
static void every_answer_is_that_of_a_parameter_set_for_its_time(void **state) {
    static const double times[] = {2, 2.5, 2.25, 7, 2};
    fixture moved, set;
    (void)state;
    fixture_begin(&moved, CIRCUIT);
    fixture_begin(&set, CIRCUIT);
    set_line(&moved, "R1", 2, 1, 1.5); // 4 at 2 s
    set_state(&moved, "c.q", 3);
    set_state(&set, "c.q", 3);
    for (int i = 0; i < 5; i++) {
        set_param(&set, "R1", 1 + 1.5 * times[i]);
        assert_true(same_answers(answers_at(&moved, times[i]), answers_at(&set, times[i])));
    }
    set_line(&moved, "R1", 3, 9, 0); // it stays
    set_param(&set, "R1", 9);
    for (int i = 0; i < 5; i++)
        assert_true(same_answers(answers_at(&moved, times[i]), answers_at(&set, times[i])));
    fixture_close(&moved);
    fixture_close(&set);
}

/* Of three moving parameters, the second stops. */
static void several_move_at_once(void **state) {
    fixture moved, set;
    (void)state;
    fixture_begin(&moved, CIRCUIT);
    fixture_begin(&set, CIRCUIT);
    set_line(&moved, "R1", 0, 4, 1);
    set_line(&moved, "V", 0, 10, -2);
    for (int i = 0; i < 2; i++) {
        double t = 0.5 + i;
        if (i == 1) set_line(&moved, "R1", 1, 5, 0);
        set_param(&set, "R1", i == 1 ? 5 : 4 + t);
        set_param(&set, "V", 10 - 2 * t);
        assert_true(same_answers(answers_at(&moved, t), answers_at(&set, t)));
    }
    fixture_close(&moved);
    fixture_close(&set);
}

/* x' = -k·x with k = t: x = exp(-t²/2), to the order of the method; with k from the start of each step it
 * would be of order 1. */
static void stages_of_a_method_see_the_line(void **state) {
    strider s;
    (void)state;
    open_strider(
        &s,
        "model M { param k = 0; state x = 1 : der = -k*x; output y = x; experiment e { stop 1; record y; } }",
        HBG_RT_RK4, false, false);
    set_line(&s.f, "k", 0, 0, 1);
    s.stride.grid = hbg_rt_grid_of(0.01);
    (void)stride_on(&s, 100, true);
    assert_near(s.f.x[0], exp(-0.5), 1e-9);
    close_strider(&s);
}

/* The moving parameter is also a capacitance, is derived from, and selects one of two formulas, alone and
 * with another one. */
#define MOVED                                                                                                \
    CONVERTER_OF("y, z", "param g = 0.2, low = 0.21; output z = der(g*coil.f); Sf more(max(g, low)); more "  \
                         "-> n; C side(g); Se step(g > 0.2 ? 1 : 2); R slow(4); 1 to; n -> to; to -> side;"  \
                         "to -> slow; step -> to;")

static void compiled_strides_move_them_too(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        strider native, plain, *both[] = {&native, &plain};
        for (int k = 0; k < 2; k++) {
            open_strider_as(both[k], MOVED, (hbg_rt_method)(i / 2), i % 2, true);
            hbg_rt_native_options options = {
                .strides = true, .method = (hbg_rt_method)(i / 2), .books = i % 2, .lines = true};
            if (k == 0) both[k]->library = use_compiled(&both[k]->f, options);
            (void)stride_on(both[k], 300, false);
            set_line(&both[k]->f, "g", 0.03, 0.17, 1);
            (void)stride_on(both[k], 700, false);
            assert_true(both[k]->stride.moves > 4);
            set_line(&both[k]->f, "g", 0.1, 0.2, 0);
            (void)stride_on(both[k], 300, false);
        }
        assert_true(has_stride(&native));
        assert_same(&native, &plain);
        close_strider(&native);
        close_strider(&plain);
    }
}

/* Code that reads parameters only at its start is not used while one moves. */
static void code_without_them_is_left_aside(void **state) {
    strider native, plain, *both[] = {&native, &plain};
    (void)state;
    for (int k = 0; k < 2; k++) {
        open_strider(both[k], CONVERTER_OF("y", "param g = 2; Sf more(g); more -> n;"), HBG_RT_HEUN, true,
                     k == 0);
        set_line(&both[k]->f, "g", 0, 2, 3);
        (void)stride_on(both[k], 500, false);
    }
    assert_true(has_stride(&native));
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_a_parameter_set_for_its_time),
        cmocka_unit_test(several_move_at_once),
        cmocka_unit_test(stages_of_a_method_see_the_line),
        cmocka_unit_test(compiled_strides_move_them_too),
        cmocka_unit_test(code_without_them_is_left_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
