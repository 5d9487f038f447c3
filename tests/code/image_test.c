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

/* What an instruction reads is a number, or has been written before it. */
static bool is_ready(const hbg_rt_values *values, hbg_rt_range code, int32_t until, int32_t reg) {
    if (values->beginnings[reg] != 0) return true;
    bool written = false, ever = false;
    for (int32_t i = 0; i < code.count; i++) {
        const hbg_rt_judgement *at = &values->judgements[code.first + i];
        const hbg_rt_parts *parts = at->op == HBG_RT_JUDGE_LOAD ? &values->parts[at->argument[1]] : NULL;
        bool own = at->d == reg || (parts && (parts->area == reg || parts->open == reg));
        ever |= own;
        written |= own && i < until;
    }
    return written || !ever; // the number 0
}

static void check_parts(const hbg_rt_values *values, hbg_rt_range code, int32_t until, int32_t number) {
    const hbg_rt_parts *parts = &values->parts[number];
    assert_true(is_ready(values, code, until, parts->fin));
    if (parts->area != HBG_NONE) assert_true(is_ready(values, code, until, parts->area));
}

static int32_t check_program(const hbg_rt_values *values, int32_t program) {
    hbg_rt_range code = values->judged[program].code;
    for (int32_t i = 0; i < code.count; i++) {
        const hbg_rt_judgement *at = &values->judgements[code.first + i];
        if (at->op == HBG_RT_JUDGE) {
            check_parts(values, code, i, values->comparisons[at->argument[0]].left);
            check_parts(values, code, i, values->comparisons[at->argument[0]].right);
        }
        for (int k = 0; k < 3 && at->op < HBG_RT_JUDGE_LOAD; k++)
            if (at->argument[k] != HBG_NONE) assert_true(is_ready(values, code, i, at->argument[k]));
        for (int32_t m = 0; m < i; m++) assert_int_not_equal(values->judgements[code.first + m].d, at->d);
    }
    check_parts(values, code, code.count, values->judged[program].parts);
    return code.count;
}

#define BODIES                                                                                               \
    "model M { I m1(2, f = 3); I m2(1, f = -1); 1 v1; 1 v2; v1 -> m1; v2 -> m2; C s(4); v2 -> s;"            \
    "0 c when touch restitution 0.5; v1 -> c -> v2; input event near;"                                       \
    "automaton touch { off apart -> touching when near && v1.f - v2.f > 7.5e-6;"                             \
    "                  on touching -> apart when pre(c.e) < 0.1 || in(touch.apart, v1.f) < 0;"               \
    "                  on touching2 -> apart after 2 [s]; } }"

static void programs_have_arguments_before_what_reads_them(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_instants *instants = &f.run->image->instants;
    int32_t judged = 0;
    for (int32_t i = 0; i < instants->counts.judged; i++) judged += check_program(&instants->values, i);
    assert_true(judged > 12);
    assert_int_equal(instants->counts.relations, 3);
    assert_int_equal(instants->counts.pres, 1);
    assert_true(instants->counts.ins >= 1);
    assert_int_equal(instants->guards.guards[2].condition, HBG_NONE); // nothing but its wait
    fixture_close(&f);
}

/* What the decimal text says, rounded once, and no instruction. */
static void a_number_of_a_guard_is_rounded_once(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_values *values = &f.run->image->instants.values;
    const hbg_rt_relation *relation = &f.run->image->instants.guards.relations[0];
    const hbg_rt_comparison *sides = &values->comparisons[relation->comparison];
    int32_t number = values->parts[sides->right].fin;
    assert_exact(values->beginnings[number], 7.5e-6);
    assert_int_equal(sides->relation, 0);
    for (int32_t i = 0; i < f.run->image->instants.counts.judgements; i++)
        assert_int_not_equal(values->judgements[i].d, number);
    fixture_close(&f);
}

/* A difference of speeds that jump has an area in the collision; nothing else of the guard is computed but its two parts. */
static void parts_that_nothing_has_are_not_computed(void **unused) {
    fixture f;
    (void)unused;
    fixture_begin(&f, BODIES);
    const hbg_rt_values *values = &f.run->image->instants.values;
    hbg_rt_range code = values->judged[f.run->image->instants.guards.guards[0].condition].code;
    int32_t count[HBG_RT_JUDGE_COUNT] = {0};
    for (int32_t i = 0; i < code.count; i++) count[values->judgements[code.first + i].op]++;
    assert_int_equal(count[HBG_RT_JUDGE_LOAD], 3); // near, and two speeds
    assert_int_equal(count[HBG_RT_JUDGE], 1);
    assert_int_equal(count[HBG_OP_AND], 1);
    assert_true(count[HBG_OP_SUBTRACT] >= 1 && count[HBG_OP_SUBTRACT] <= 2);
    assert_int_equal(code.count, 5 + count[HBG_OP_SUBTRACT]);
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
        cmocka_unit_test(programs_have_arguments_before_what_reads_them),
        cmocka_unit_test(parts_that_nothing_has_are_not_computed),
        cmocka_unit_test(a_number_of_a_guard_is_rounded_once),
        cmocka_unit_test(transitions_are_those_of_the_model),
        cmocka_unit_test(a_contact_sums_what_its_bonds_bring),
        cmocka_unit_test(each_island_chooses_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
