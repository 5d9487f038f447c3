/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards of one state that can hold together. */
#include "fixture_impl.h"

typedef struct {
    fixture f;
    int32_t automaton, x, y, b, p;
} bench;

static void open_bench(bench *t) {
    fixture_init(&t->f);
    fixture *f = &t->f;
    t->x = signal(f, HBG_SIGNAL_INPUT, "x", HBG_NONE);
    t->y = signal(f, HBG_SIGNAL_INPUT, "y", HBG_NONE);
    t->b = hbg_model_add_signal(f->model, id(f, "b"), HBG_SIGNAL_INPUT, HBG_TYPE_BOOL);
    t->p = param(f, "p_th", number(f, 5));
    t->automaton = automaton(f, "a", "01");
    follow(f, t->automaton);
}

static hbg_expr compare(bench *t, int32_t signal_index, hbg_operator relation, double bound) {
    hbg_expr left = read_signal(&t->f, signal_index);
    return op(&t->f, relation, left, number(&t->f, bound));
}

static hbg_expr both(bench *t, hbg_expr a, hbg_expr b) {
    return op(&t->f, HBG_OP_AND, a, b);
}

/* Gives the two guards to one state, checks, and closes the bench. */
static void expect(bench *t, hbg_expr first, hbg_expr second, int overlaps, int shadowed) {
    transition(&t->f, t->automaton, 0, 1, first);
    transition(&t->f, t->automaton, 0, 1, second);
    hbg_model_check(t->f.model);
    assert_int_equal(count_of(&t->f, HBG_W_OVERLAP), overlaps);
    assert_int_equal(count_of(&t->f, HBG_W_LATER), shadowed);
    assert_int_equal(t->f.diagnostics.errors, 0);
    hbg_base_arena_fini(&t->f.arena);
}

static void intervals_decide(void **state) {
    (void)state;
    const struct {
        hbg_operator first;
        int a;
        hbg_operator second;
        int b;
        int overlaps, shadowed;
    } cases[] = {
        {HBG_OP_GREATER_EQUAL, 3, HBG_OP_LESS, 3, 0, 0},
        {HBG_OP_GREATER_EQUAL, 3, HBG_OP_LESS_EQUAL, 3, 1, 0},
        {HBG_OP_GREATER, 3, HBG_OP_LESS, 5, 1, 0},
        {HBG_OP_GREATER, 5, HBG_OP_LESS, 3, 0, 0},
        {HBG_OP_GREATER, 3, HBG_OP_GREATER, 5, 0, 1},
        {HBG_OP_GREATER, 5, HBG_OP_GREATER, 3, 1, 0},
        {HBG_OP_GREATER_EQUAL, 3, HBG_OP_GREATER, 3, 0, 1},
        {HBG_OP_GREATER, 3, HBG_OP_GREATER_EQUAL, 3, 1, 0},
        {HBG_OP_EQUAL, 3, HBG_OP_GREATER, 3, 0, 0},
        {HBG_OP_GREATER_EQUAL, 3, HBG_OP_EQUAL, 3, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench t;
        open_bench(&t);
        expect(&t, compare(&t, t.x, cases[i].first, cases[i].a),
               compare(&t, t.x, cases[i].second, cases[i].b), cases[i].overlaps, cases[i].shadowed);
    }
}

static void a_minus_and_a_parameter_are_seen_through(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    fixture *f = &t.f;
    hbg_expr minus = op(f, HBG_OP_NEGATE, read_signal(f, t.x), HBG_NONE);
    // x >= p_th and -x >= p_th, as in a latch: apart for p_th = 5
    expect(&t, op(f, HBG_OP_GREATER_EQUAL, read_signal(f, t.x), use(f, t.p)),
           op(f, HBG_OP_GREATER_EQUAL, minus, use(f, t.p)), 0, 0);
    open_bench(&t);
    minus = op(f, HBG_OP_NEGATE, read_signal(f, t.x), HBG_NONE);
    // x >= -5 and -x >= -5: both hold in between
    hbg_expr bound = op(f, HBG_OP_NEGATE, use(f, t.p), HBG_NONE);
    expect(&t, op(f, HBG_OP_GREATER_EQUAL, read_signal(f, t.x), bound),
           op(f, HBG_OP_GREATER_EQUAL, minus, bound), 1, 0);
}

static void a_constant_may_stand_on_the_left(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    hbg_expr left = op(&t.f, HBG_OP_LESS, number(&t.f, 3), read_signal(&t.f, t.x)); // 3 < x
    expect(&t, left, compare(&t, t.x, HBG_OP_GREATER, 4), 0, 1);
}

static void conjunctions_overlap_in_all_their_parts(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    expect(&t, both(&t, compare(&t, t.x, HBG_OP_GREATER, 0), compare(&t, t.x, HBG_OP_LESS, 2)),
           both(&t, compare(&t, t.x, HBG_OP_GREATER, 2), compare(&t, t.x, HBG_OP_LESS, 4)), 0, 0);
    open_bench(&t);
    expect(&t, both(&t, compare(&t, t.x, HBG_OP_GREATER, 0), compare(&t, t.y, HBG_OP_LESS, 2)),
           both(&t, compare(&t, t.y, HBG_OP_GREATER, 1), compare(&t, t.x, HBG_OP_GREATER, -1)), 1, 0);
    open_bench(&t);
    expect(&t, compare(&t, t.x, HBG_OP_GREATER, 0),
           both(&t, compare(&t, t.y, HBG_OP_GREATER, 1), compare(&t, t.x, HBG_OP_GREATER, 1)), 0, 1);
}

static void different_left_sides_are_left_alone(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    expect(&t, compare(&t, t.x, HBG_OP_GREATER, 0), compare(&t, t.y, HBG_OP_GREATER, 0), 0, 0);
}

static void booleans_exclude_their_opposite(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    hbg_expr yes = read_signal(&t.f, t.b), no = op(&t.f, HBG_OP_NOT, read_signal(&t.f, t.b), HBG_NONE);
    expect(&t, both(&t, yes, compare(&t, t.x, HBG_OP_GREATER, 0)),
           both(&t, no, compare(&t, t.x, HBG_OP_GREATER, 0)), 0, 0);
    open_bench(&t);
    expect(&t, read_signal(&t.f, t.b), both(&t, read_signal(&t.f, t.b), compare(&t, t.x, HBG_OP_LESS, 0)), 0,
           1);
}

static void identical_guards_shadow_each_other(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    fixture *f = &t.f;
    hbg_expr sides[2];
    for (int i = 0; i < 2; i++) // `||` is read as a whole: the same if every part is
        sides[i] =
            op(f, HBG_OP_OR, op(f, HBG_OP_LESS, read_signal(f, t.x), number(f, 0.1)), read_signal(f, t.b));
    expect(&t, sides[0], sides[1], 0, 1);
}

static void variable_bounds_are_compared_by_their_difference(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    fixture *f = &t.f;
    expect(&t, op(f, HBG_OP_LESS, read_signal(f, t.x), read_signal(f, t.y)),
           op(f, HBG_OP_GREATER, read_signal(f, t.x), read_signal(f, t.y)), 0, 0);
    open_bench(&t);
    expect(&t, op(f, HBG_OP_LESS_EQUAL, read_signal(f, t.x), read_signal(f, t.y)),
           op(f, HBG_OP_GREATER_EQUAL, read_signal(f, t.x), read_signal(f, t.y)), 1, 0);
}

static void a_guard_that_waits_shadows_nothing(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    int32_t first = transition(&t.f, t.automaton, 0, 1, compare(&t, t.x, HBG_OP_GREATER, 0));
    hbg_expr five = number(&t.f, 5);
    t.f.model->transitions.items[first].after = five;
    transition(&t.f, t.automaton, 0, 1, compare(&t, t.x, HBG_OP_GREATER, 1));
    hbg_model_check(t.f.model);
    assert_int_equal(t.f.diagnostics.warnings - count_of(&t.f, HBG_W_UNUSED_PARAMETER), 0);
    hbg_base_arena_fini(&t.f.arena);
}

static void both_guards_are_named(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    hbg_expr first = compare(&t, t.x, HBG_OP_GREATER, 3);
    transition(&t.f, t.automaton, 0, 1, first);
    transition(&t.f, t.automaton, 0, 1, compare(&t, t.x, HBG_OP_LESS, 5));
    hbg_model_check(t.f.model);
    assert_says(&t.f, HBG_W_OVERLAP, "`x > 3` and `x < 5` of `a`");
    assert_note_at(&t.f, HBG_W_OVERLAP, t.f.model->exprs.items[first].span);
    hbg_base_arena_fini(&t.f.arena);
}

static void many_transitions_take_little_time(void **state) {
    (void)state;
    bench t;
    open_bench(&t);
    for (int i = 0; i < 20000; i++) transition(&t.f, t.automaton, 0, 1, compare(&t, t.x, HBG_OP_EQUAL, i));
    hbg_model_check(t.f.model);
    assert_int_equal(count_of(&t.f, HBG_W_OVERLAP), 0);
    hbg_base_arena_fini(&t.f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_decide),
        cmocka_unit_test(a_minus_and_a_parameter_are_seen_through),
        cmocka_unit_test(a_constant_may_stand_on_the_left),
        cmocka_unit_test(conjunctions_overlap_in_all_their_parts),
        cmocka_unit_test(different_left_sides_are_left_alone),
        cmocka_unit_test(booleans_exclude_their_opposite),
        cmocka_unit_test(identical_guards_shadow_each_other),
        cmocka_unit_test(variable_bounds_are_compared_by_their_difference),
        cmocka_unit_test(a_guard_that_waits_shadows_nothing),
        cmocka_unit_test(both_guards_are_named),
        cmocka_unit_test(many_transitions_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
