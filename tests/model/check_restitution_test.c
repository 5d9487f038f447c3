/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards into restitution modes. */
#include "fixture_impl.h"

typedef struct {
    fixture f;
    int32_t touch, mass, position, contact;
} ball;

/* A mass in flight, its height, and a contact that is on while `touch` is. */
static void drop(ball *b, hbg_element_kind kind) {
    fixture_init(&b->f);
    fixture *f = &b->f;
    b->touch = automaton(f, "touch", "01");
    b->contact = switched(f, kind, "contact", follow(f, b->touch));
    b->mass = element(f, HBG_KIND_I, "mass", number(f, 1));
    bond(f, b->contact, b->mass);
    hbg_expr restitution = number(f, 0.8);
    f->model->elements.items[b->contact].restitution = restitution;
    b->position = signal(f, HBG_SIGNAL_STATE, "x", op(f, HBG_OP_FLOW, b->mass, 1));
    hbg_expr height = number(f, 1);
    f->model->signals.items[b->position].initial = height;
}

static hbg_expr speed(ball *b) {
    return op(&b->f, HBG_OP_FLOW, b->mass, 1);
}

static hbg_expr relation(ball *b, hbg_operator how, hbg_expr left) {
    return op(&b->f, how, left, number(&b->f, 0));
}

static void land(ball *b, hbg_expr guard, int warnings) {
    transition(&b->f, b->touch, 0, 1, guard);
    transition(&b->f, b->touch, 1, 0, relation(b, HBG_OP_GREATER_EQUAL, speed(b))); // leaving may be loose
    hbg_model_check(b->f.model);
    assert_int_equal(b->f.diagnostics.errors, 0);
    assert_int_equal(count_of(&b->f, HBG_W_RESTITUTION), warnings);
}

static void a_strict_guard_on_the_speed_is_fine(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    hbg_expr low = relation(&b, HBG_OP_LESS_EQUAL, read_signal(&b.f, b.position));
    land(&b, op(&b.f, HBG_OP_AND, low, relation(&b, HBG_OP_LESS, speed(&b))), 0);
    hbg_base_arena_fini(&b.f.arena);
}

static void a_loose_guard_on_the_speed_is_a_warning(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    hbg_expr low = relation(&b, HBG_OP_LESS_EQUAL, read_signal(&b.f, b.position));
    land(&b, op(&b.f, HBG_OP_AND, low, relation(&b, HBG_OP_LESS_EQUAL, speed(&b))), 1);
    assert_says(&b.f, HBG_W_RESTITUTION, "`mass.f <= 0`");
    assert_fix(&b.f, HBG_W_RESTITUTION, "`mass.f < 0`");
    hbg_base_arena_fini(&b.f.arena);
}

static void the_speed_is_seen_through_signals_and_pre(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    int32_t v = signal(&b.f, HBG_SIGNAL_SIGNAL, "v", op(&b.f, HBG_OP_PRE, speed(&b), HBG_NONE));
    int32_t w = signal(&b.f, HBG_SIGNAL_SIGNAL, "w",
                       op(&b.f, HBG_OP_MULTIPLY, number(&b.f, 2), read_signal(&b.f, v)));
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, read_signal(&b.f, w)), 1);
    hbg_base_arena_fini(&b.f.arena);
}

static void a_momentum_is_a_flow_and_an_acceleration_is_none(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, op(&b.f, HBG_OP_MOMENTUM, b.mass, 1)), 1);
    hbg_base_arena_fini(&b.f.arena);
    drop(&b, HBG_KIND_ZERO);
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, op(&b.f, HBG_OP_DER, speed(&b), HBG_NONE)), 0);
    hbg_base_arena_fini(&b.f.arena);
}

static void a_not_turns_strict_into_loose(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    land(&b, op(&b.f, HBG_OP_NOT, relation(&b, HBG_OP_GREATER, speed(&b)), HBG_NONE), 1);
    hbg_base_arena_fini(&b.f.arena);
    drop(&b, HBG_KIND_ZERO);
    land(&b, op(&b.f, HBG_OP_NOT, relation(&b, HBG_OP_GREATER_EQUAL, speed(&b)), HBG_NONE), 0);
    hbg_base_arena_fini(&b.f.arena);
}

static void a_one_junction_balances_efforts(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ONE);
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, speed(&b)), 0);
    hbg_base_arena_fini(&b.f.arena);
    drop(&b, HBG_KIND_ONE);
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, op(&b.f, HBG_OP_EFFORT, b.mass, 1)), 1);
    hbg_base_arena_fini(&b.f.arena);
}

static void an_inverted_contact_is_entered_by_leaving(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    b.f.model->elements.items[b.contact].control = op(&b.f, HBG_OP_NOT, follow(&b.f, b.touch), HBG_NONE);
    // now the way out of the on state leads in, and land() gives that one `>=` on the speed
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, speed(&b)), 1);
    assert_says(&b.f, HBG_W_RESTITUTION, ">=");
    hbg_base_arena_fini(&b.f.arena);
}

static void without_restitution_nothing_is_asked(void **state) {
    (void)state;
    ball b;
    drop(&b, HBG_KIND_ZERO);
    b.f.model->elements.items[b.contact].restitution = HBG_NONE;
    land(&b, relation(&b, HBG_OP_LESS_EQUAL, speed(&b)), 0);
    hbg_base_arena_fini(&b.f.arena);
}

/* Whether a coefficient is refused: a number, or the branch of a choice that the run makes. */
static int refusals(double value, bool chosen) {
    ball b;
    drop(&b, HBG_KIND_ZERO);
    fixture *f = &b.f;
    hbg_expr coefficient = number(f, value);
    if (chosen) {
        hbg_expr relative = relation(&b, HBG_OP_LESS, speed(&b));
        coefficient = op3(f, HBG_OP_SELECT, relative, number(f, 0), coefficient);
    }
    f->model->elements.items[b.contact].restitution = coefficient;
    transition(f, b.touch, 0, 1, relation(&b, HBG_OP_LESS, speed(&b)));
    transition(f, b.touch, 1, 0, relation(&b, HBG_OP_GREATER, speed(&b)));
    hbg_model_check(f->model);
    int count = count_of(f, HBG_E_VALUE);
    hbg_base_arena_fini(&f->arena);
    return count;
}

static void a_coefficient_is_between_0_and_1(void **state) {
    (void)state;
    static const struct {
        double value;
        int refused;
    } cases[] = {{0, 0}, {0.5, 0}, {1, 0}, {1.2, 1}, {-0.1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int chosen = 0; chosen < 2; chosen++)
            assert_int_equal(refusals(cases[i].value, chosen), cases[i].refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strict_guard_on_the_speed_is_fine),
        cmocka_unit_test(a_loose_guard_on_the_speed_is_a_warning),
        cmocka_unit_test(the_speed_is_seen_through_signals_and_pre),
        cmocka_unit_test(a_momentum_is_a_flow_and_an_acceleration_is_none),
        cmocka_unit_test(a_not_turns_strict_into_loose),
        cmocka_unit_test(a_one_junction_balances_efforts),
        cmocka_unit_test(an_inverted_contact_is_entered_by_leaving),
        cmocka_unit_test(without_restitution_nothing_is_asked),
        cmocka_unit_test(a_coefficient_is_between_0_and_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
