/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Marks of expressions. */
#include "fixture_impl.h"

static hbg_check marked(fixture *f) {
    hbg_check check = {.model = f->model, .scratch = &f->arena};
    hbg_model_check_marks(&check);
    return check;
}

static void literals_parameters_and_the_rest_are_told_apart(void **state) {
    fixture *f = *state;
    hbg_expr literal = op(f, HBG_OP_ADD, number(f, 1), op(f, HBG_OP_PI, HBG_NONE, HBG_NONE));
    hbg_expr constant = op(f, HBG_OP_SIN, use(f, param(f, "p", number(f, 1))), HBG_NONE);
    hbg_expr varying = op(f, HBG_OP_ADD, constant, op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE));
    hbg_check check = marked(f);
    assert_false(check.flags[literal] & (HBG_EXPR_VARIES | HBG_EXPR_NOT_LITERAL));
    assert_false(check.flags[constant] & HBG_EXPR_VARIES);
    assert_true(check.flags[constant] & HBG_EXPR_NOT_LITERAL);
    assert_true(check.flags[varying] & HBG_EXPR_VARIES);
}

static void event_operators_vary_by_themselves(void **state) {
    fixture *f = *state;
    hbg_expr pre = op(f, HBG_OP_PRE, number(f, 1), HBG_NONE);
    hbg_check check = marked(f);
    assert_true(check.flags[pre] & HBG_EXPR_VARIES);
}

static void only_booleans_over_states_control(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "01");
    hbg_expr truth = op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE);
    hbg_expr good = op(f, HBG_OP_AND, op(f, HBG_OP_NOT, op(f, HBG_OP_ACTIVE, a, 1), HBG_NONE), truth);
    hbg_expr bad = op(f, HBG_OP_OR, good, op(f, HBG_OP_PRE, follow(f, a), HBG_NONE));
    hbg_check check = marked(f);
    assert_false(check.flags[good] & HBG_EXPR_NOT_CONTROL);
    assert_true(check.flags[bad] & HBG_EXPR_NOT_CONTROL);
}

static void the_offender_is_the_part_that_is_to_blame(void **state) {
    fixture *f = *state;
    hbg_expr time = op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    hbg_expr sum = op(f, HBG_OP_ADD, op(f, HBG_OP_MULTIPLY, number(f, 1), number(f, 2)), time);
    hbg_expr pre = op(f, HBG_OP_PRE, time, HBG_NONE);
    hbg_expr both = op(f, HBG_OP_ADD, number(f, 1), pre);
    hbg_check check = marked(f);
    assert_int_equal(hbg_model_check_offender(&check, sum, HBG_EXPR_VARIES), time);
    assert_int_equal(hbg_model_check_offender(&check, both, HBG_EXPR_VARIES), pre);
}

static void a_lost_part_breaks_the_whole(void **state) {
    fixture *f = *state;
    hbg_expr lost = op(f, HBG_OP_ADD, number(f, 1), HBG_NONE);
    hbg_expr leaf = op(f, HBG_OP_SIGNAL, HBG_NONE, HBG_NONE);
    hbg_expr whole = op(f, HBG_OP_NEGATE, lost, HBG_NONE);
    hbg_expr fine = op(f, HBG_OP_PI, HBG_NONE, HBG_NONE);
    hbg_check check = marked(f);
    assert_true(check.flags[lost] & HBG_EXPR_BROKEN);
    assert_true(check.flags[leaf] & HBG_EXPR_BROKEN);
    assert_true(check.flags[whole] & HBG_EXPR_BROKEN);
    assert_false(check.flags[fine] & HBG_EXPR_BROKEN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(literals_parameters_and_the_rest_are_told_apart),
        TEST(event_operators_vary_by_themselves),
        TEST(only_booleans_over_states_control),
        TEST(the_offender_is_the_part_that_is_to_blame),
        TEST(a_lost_part_breaks_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
