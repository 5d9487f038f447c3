/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What runs read at instants, as arrays: numbers lead where they should, and mean what the model says. */
#include "eqn/fixture_impl.h"

/* ---- places ------------------------------------------------------------------------------------------- */

#define RING(name)                                                                                           \
    "automaton " name " { off a -> b when time > 1; on b -> c when time > 2; on c -> a when time > 3; }"

/* Every condition is decided as causality decides it, in all 27 states of three automata. */
static void a_place_is_on_where_its_condition_holds(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f,
                  "model M { Se s(1); R r(1); 0 n; s -> n; 1 always; n -> always -> r;" RING("u") RING("v")
                      RING("w") "R r1(1); R r2(1); R r3(1); R r4(1);"
                                "1 j1 when u && !(v || w.b); 1 j2 when u.a || v.c && !w;"
                                "1 j3 when !u; 1 j4 when (u || v) && (v.a || !w) && !(u.c && w.c);"
                                "n -> j1 -> r1; n -> j2 -> r2; n -> j3 -> r3; n -> j4 -> r4; }");
    int32_t on = 0, count = 0;
    for (int32_t code = 0; code < 27; code++) {
        const int32_t states[3] = {code % 3, code / 3 % 3, code / 9};
        for (int32_t place = 0; place < f.run->image->instants.places.count; place++, count++) {
            bool expected = hbg_causal_place_mode(f.eqn->structure, place, states);
            assert_int_equal(hbg_rt_place_on(f.run, place, states), expected);
            on += expected;
        }
    }
    assert_int_equal(count, 27 * 6);
    assert_true(on > 27 * 2 && on < 27 * 6); // the two that are not controlled, and some of the others
    fixture_close(&f);
}

/* Tests lead to tests before them, so that every condition ends. */
static void tests_of_a_condition_lead_down(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, "model M { Se s(1); R r(1); s -> j; 1 j when !(u.b && !(v || u.c)) || v; j -> r;" RING(
                          "u") RING("v") "}");
    const hbg_rt_places *places = &f.run->image->instants.places;
    int32_t first = places->places[0].control;
    assert_int_equal(first, 3); // each of the four tests once
    for (int32_t i = 0; i <= first; i++) {
        assert_true(places->tests[i].yes < i && places->tests[i].yes >= HBG_RT_PLACE_OFF);
        assert_true(places->tests[i].no < i && places->tests[i].no >= HBG_RT_PLACE_OFF);
    }
    fixture_close(&f);
}

/* ---- values ------------------------------------------------------------------------------------------- */

static void check_walk(const hbg_rt_values *values, hbg_rt_range walk) {
    for (int32_t i = 0; i < walk.count; i++) {
        int32_t number = values->walks[walk.first + i];
        const hbg_rt_node *node = &values->nodes[number];
        const int32_t arguments[3] = {node->a, node->b, node->c};
        for (int k = 0; k < node->arity; k++) {
            bool before = false;
            for (int32_t m = 0; m < i; m++) before |= values->walks[walk.first + m] == arguments[k];
            assert_true(before);
            assert_true(arguments[k] < number);
        }
        assert_int_equal(node->cell != HBG_NONE, node->op == TERM_VARIABLE);
        assert_true(node->cell < values->cell_count);
    }
}

#define BODIES                                                                                               \
    "model M { I m1(2, f = 3); I m2(1, f = -1); 1 v1; 1 v2; v1 -> m1; v2 -> m2; C s(4); v2 -> s;"            \
    "0 c when touch restitution 0.5; v1 -> c -> v2; input event near;"                                       \
    "automaton touch { off apart -> touching when near && v1.f - v2.f > 7.5e-6;"                             \
    "                  on touching -> apart when pre(c.e) < 0.1 || in(touch.apart, v1.f) < 0;"               \
    "                  on touching2 -> apart after 2 [s]; } }"

static void walks_have_arguments_before_what_reads_them(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_instants *instants = &f.run->image->instants;
    int32_t walked = 0;
    for (int32_t i = 0; i < instants->counts.transitions; i++)
        check_walk(&instants->values, instants->guards.guards[i].condition);
    for (int32_t i = 0; i < instants->counts.relations; i++) {
        check_walk(&instants->values, instants->guards.relations[i].difference);
        walked += instants->guards.relations[i].difference.count > 0;
    }
    check_walk(&instants->values, instants->kept.pres[0].walk);
    check_walk(&instants->values, instants->kept.ins[0].walk);
    assert_int_equal(walked, 3);
    assert_int_equal(instants->counts.pres, 1);
    assert_true(instants->counts.ins >= 1);
    fixture_close(&f);
}

/* What the decimal text says, rounded once. */
static void a_number_of_a_guard_is_rounded_once(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_values *values = &f.run->image->instants.values;
    const hbg_rt_relation *relation = &f.run->image->instants.guards.relations[0];
    assert_int_equal(values->nodes[relation->right].op, HBG_OP_NUMBER);
    assert_exact(values->nodes[relation->right].number, 7.5e-6);
    assert_int_equal(values->nodes[relation->node].relation, 0);
    fixture_close(&f);
}

/* ---- automata and junctions --------------------------------------------------------------------------- */

static void transitions_are_those_of_the_model(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_switching *switching = &f.run->image->instants.switching;
    const hbg_rt_discrete *states = switching->discretes + switching->automata[0].states.first;
    const hbg_rt_transition *last = &switching->transitions[states[2].transitions.first];
    assert_int_equal(switching->automata[0].states.count, 3);
    assert_false(states[0].on);
    assert_true(states[1].on && states[2].on);
    assert_int_equal(last->automaton, 0);
    assert_int_equal(last->state, 2);
    assert_int_equal(last->target, 0);
    assert_exact(last->after, 2);
    assert_true(isnan(switching->transitions[states[0].transitions.first].after));
    assert_int_equal(f.run->image->instants.counts.timed, 1);
    assert_true(f.run->image->instants.outside.inputs[0].is_event);
    fixture_close(&f);
}

/* The contact sums the flows of its two bonds, one to it and one away from it, and keeps their left limits. */
static void a_contact_sums_what_its_bonds_bring(void **unused) {
    fixture f;
    char name[32];
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_kept *kept = &f.run->image->instants.kept;
    const hbg_rt_restitution *contact = &kept->restitution[0];
    assert_int_equal(f.run->image->instants.counts.restitution, 1);
    assert_int_equal(contact->sum.count, 2);
    assert_int_equal(kept->shares[contact->sum.first].sign + kept->shares[contact->sum.first + 1].sign, 0);
    for (int32_t i = contact->sum.first; i < contact->sum.first + 2; i++)
        assert_true(f.run->image->instants.values.cells[kept->shares[i].cell].left >= 0);
    hbg_rt_tell(f.run, HBG_RT_WORD_ELEMENT, contact->element, name, sizeof name);
    assert_string_equal(name, "c");
    fixture_close(&f);
}

/* What is judged together where something throws back is made as islands are, and has no code. */
static void each_island_chooses_its_code(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_image *image = f.run->image;
    assert_true(f.eqn->throws.count > 0);
    assert_int_equal(image->modes.islands.count, f.eqn->islands.count);
    assert_int_equal(image->instants.kept.island_count, f.eqn->islands.count);
    for (int32_t i = 0; i < image->modes.islands.count; i++)
        assert_in_range(hbg_rt_ints(image, image->modes.islands.first)[i], 0, image->pool.choices.count - 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_on_where_its_condition_holds),
        cmocka_unit_test(tests_of_a_condition_lead_down),
        cmocka_unit_test(walks_have_arguments_before_what_reads_them),
        cmocka_unit_test(a_number_of_a_guard_is_rounded_once),
        cmocka_unit_test(transitions_are_those_of_the_model),
        cmocka_unit_test(a_contact_sums_what_its_bonds_bring),
        cmocka_unit_test(each_island_chooses_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
