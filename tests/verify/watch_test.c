/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions that are called off: in time, and without harm to those that follow. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "verify/watch_impl.h"

/* Nobody has an answer to these within a minute. */
static const char hard[] =
    "(declare-const x Real)(declare-const y Real)(declare-const z Real)(declare-const w Real)(declare-const "
    "u Real)"
    "(assert (> (+ (* x x y y z) (* w w w u x) (* y u z z z) (* (- 3) x y z w)) 1.0))"
    "(assert (< (+ (* x x x x) (* y y y w w) (* z u u x) (* w y y x z)) (* 0.5 (+ (* x y z) (* u w)))))"
    "(assert (= (+ (* x y w u u) (* z z z z) (* y y y x)) (* 7 w w w)))"
    "(assert (> (* x y z w u) (+ 1 (* x x) (* y y) (* z z) (* w w) (* u u))))";
static const char easy[] = "(declare-const x Real)(assert (= (* x x) 2.0))";

typedef struct {
    Z3_context z3;
    verify_watch watch;
} fixture;

static void open_fixture(fixture *t) {
    Z3_config config = Z3_mk_config();
    t->z3 = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(t->z3, NULL);
    hbg_verify_watch_init(&t->watch);
}

static void close_fixture(fixture *t) {
    hbg_verify_watch_fini(&t->watch);
    Z3_del_context(t->z3);
}

static Z3_lbool ask(fixture *t, const char *text, int32_t limit_ms) {
    Z3_tactic tactic = Z3_mk_tactic(t->z3, "qfnra-nlsat");
    Z3_tactic_inc_ref(t->z3, tactic);
    Z3_solver solver = Z3_mk_solver_from_tactic(t->z3, tactic);
    Z3_solver_inc_ref(t->z3, solver);
    Z3_ast_vector all = Z3_parse_smtlib2_string(t->z3, text, 0, NULL, NULL, 0, NULL, NULL);
    for (unsigned i = 0; i < Z3_ast_vector_size(t->z3, all); i++)
        Z3_solver_assert(t->z3, solver, Z3_ast_vector_get(t->z3, all, i));
    Z3_lbool answer = hbg_verify_watch_check(&t->watch, t->z3, solver, limit_ms);
    Z3_solver_dec_ref(t->z3, solver);
    Z3_tactic_dec_ref(t->z3, tactic);
    return answer;
}

static void a_question_is_called_off_and_the_next_is_answered(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ask(&t, hard, 60), Z3_L_UNDEF);
        assert_true(t.watch.late);
        assert_int_equal(ask(&t, easy, 5000), Z3_L_TRUE);
        assert_false(t.watch.late);
    }
    close_fixture(&t);
}

static bool look_three_times(void *looks, int32_t group, int32_t groups) {
    assert_int_equal(group, 1);
    assert_int_equal(groups, 2);
    return ++*(int *)looks < 3;
}

static void who_listens_ends_the_question_under_way_and_all_others(void **state) {
    (void)state;
    fixture t;
    int looks = 0;
    open_fixture(&t);
    t.watch.listener = (verify_listener){look_three_times, &looks, 1, 2};
    assert_int_equal(ask(&t, hard, 60000), Z3_L_UNDEF);
    assert_true(t.watch.stopped && !t.watch.late);
    assert_int_equal(looks, 3);
    assert_false(hbg_verify_watch_goes_on(&t.watch));
    assert_int_equal(looks, 3); // it is not asked again
    close_fixture(&t);
}

static void many_short_questions_come_to_an_end(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    for (int i = 0; i < 400; i++) assert_int_equal(ask(&t, easy, 5000), Z3_L_TRUE);
    close_fixture(&t);
}

static void without_a_limit_nobody_watches(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    assert_int_equal(ask(&t, easy, 0), Z3_L_TRUE);
    assert_false(t.watch.runs);
    close_fixture(&t);
}

static atomic_int asked_for_the_day;

/* In the place of the C library's. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the names in time.h are reserved
int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock == CLOCK_REALTIME) asked_for_the_day++;
    return (int)syscall(SYS_clock_gettime, clock, time);
}

/* Else one who sets the clock back by an hour gives every question an hour more. */
static void the_clock_of_the_day_is_not_asked(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t);
    asked_for_the_day = 0;
    assert_int_equal(ask(&t, hard, 60), Z3_L_UNDEF);
    assert_true(t.watch.late);
    assert_int_equal(asked_for_the_day, 0);
    close_fixture(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_called_off_and_the_next_is_answered),
        cmocka_unit_test(who_listens_ends_the_question_under_way_and_all_others),
        cmocka_unit_test(many_short_questions_come_to_an_end),
        cmocka_unit_test(without_a_limit_nobody_watches),
        cmocka_unit_test(the_clock_of_the_day_is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
