/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Signals in circles: b is the signal a, and a is an expression in b. */
#include "fixture_impl.h"

typedef struct {
    fixture f;
    int32_t a, b, r;
} circle;

static void begin(circle *c) {
    fixture_init(&c->f);
    fixture *f = &c->f;
    int32_t s = element(f, HBG_KIND_SE, "s", number(f, 1));
    c->r = element(f, HBG_KIND_R, "r", number(f, 1));
    bond(f, s, c->r);
    c->a = signal(f, HBG_SIGNAL_SIGNAL, "a", number(f, 1));
    c->b = signal(f, HBG_SIGNAL_SIGNAL, "b", read_signal(f, c->a));
}

static void define(circle *c, hbg_expr expr, int refused) {
    c->f.model->signals.items[c->a].value = expr;
    hbg_model_check(c->f.model);
    assert_int_equal(count_of(&c->f, HBG_E_CYCLE), refused);
    hbg_base_arena_fini(&c->f.arena);
}

static void two_that_are_each_other_are_refused(void **state) {
    (void)state;
    circle c;
    begin(&c);
    c.f.model->signals.items[c.a].value = read_signal(&c.f, c.b);
    hbg_model_check(c.f.model);
    assert_says(&c.f, HBG_E_CYCLE, "`a` is defined by nothing but signals that are defined by it");
    hbg_base_arena_fini(&c.f.arena);
    begin(&c);
    define(&c, read_signal(&c.f, c.a), 1);
    begin(&c); // a = b + time
    define(&c, op(&c.f, HBG_OP_ADD, read_signal(&c.f, c.b), op(&c.f, HBG_OP_TIME, 0, 0)), 1);
    begin(&c); // a = 4*b/4
    define(&c,
           op(&c.f, HBG_OP_DIVIDE, op(&c.f, HBG_OP_MULTIPLY, number(&c.f, 4), read_signal(&c.f, c.b)),
              number(&c.f, 4)),
           1);
}

static void what_can_be_solved_is_fine(void **state) {
    (void)state;
    circle c;
    begin(&c); // a = 0.5*b + 1: 2
    define(&c,
           op(&c.f, HBG_OP_ADD, op(&c.f, HBG_OP_MULTIPLY, number(&c.f, 0.5), read_signal(&c.f, c.b)),
              number(&c.f, 1)),
           0);
    begin(&c); // a = 1 - b: 0.5
    define(&c, op(&c.f, HBG_OP_SUBTRACT, number(&c.f, 1), read_signal(&c.f, c.b)), 0);
    begin(&c); // a = b - r.f: the element decides
    define(&c, op(&c.f, HBG_OP_SUBTRACT, read_signal(&c.f, c.b), op(&c.f, HBG_OP_FLOW, c.r, 1)), 0);
    begin(&c); // a = pre(b)
    define(&c, op(&c.f, HBG_OP_PRE, read_signal(&c.f, c.b), 0), 0);
    begin(&c); // a = b*b: 0 or 1
    define(&c, op(&c.f, HBG_OP_MULTIPLY, read_signal(&c.f, c.b), read_signal(&c.f, c.b)), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_that_are_each_other_are_refused),
                                       cmocka_unit_test(what_can_be_solved_is_fine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
