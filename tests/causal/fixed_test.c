/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Links in fixed causality have their value in every best assignment of every mode that can exist; how many
 * more have one value in all modes, so that the linear pass misses them, is printed. Junctions said to switch
 * without a reassignment change nothing but their own bonds. */
#include "brute_impl.h"
#include "walk_impl.h"

/* ---- all modes of a graph ----------------------------------------------------------------------------- */

/* The next combination of automaton states; false after the last. */
static bool next_mode(fixture *f) {
    for (int32_t i = 0; i < f->model->automata.count; i++) {
        if (++f->states[i] < f->model->automata.items[i].state_count) {
            hbg_causal_mode(&f->arena, f->structure, f->states, f->on);
            return true;
        }
        f->states[i] = 0;
    }
    return false;
}

static void first_mode(fixture *f) {
    for (int32_t i = 0; i < f->model->automata.count; i++) f->states[i] = 0;
    hbg_causal_mode(&f->arena, f->structure, f->states, f->on);
}

typedef struct {
    int graphs, modes, links, fixed, missed;
} statistics;

typedef struct {
    const hbg_causal_structure *structure;
    bool seen[BRUTE_LINKS][2]; /* by link and value: in a best assignment of some mode */
} values;

static void note(brute *b, void *user) {
    values *v = user;
    for (int32_t link = 0; link < b->structure->link_count; link++)
        if (b->value[link] != HBG_NONE && !brute_is_cut(b, link)) v->seen[link][b->value[link]] = true;
}

/* Collects the values of all best assignments of all modes. */
static void collect_values(fixture *f, values *v, statistics *s) {
    first_mode(f);
    do {
        brute b = {.structure = f->structure, .on = f->on, .limit = INT32_MAX};
        if (brute_run(&b) < 0) continue;
        b.limit = b.best;
        b.found = note;
        b.user = v;
        brute_run(&b);
        s->modes++;
    } while (next_mode(f));
}

static void check_graph(fixture *f, const char *text, statistics *s) {
    values v = {.structure = f->structure};
    const int8_t *fixed = fixture_spread_alone(f);
    collect_values(f, &v, s);
    for (int32_t link = 0; link < f->structure->link_count; link++) {
        bool varies = v.seen[link][0] && v.seen[link][1], known = v.seen[link][0] || v.seen[link][1];
        if (fixed[link] != HBG_NONE && v.seen[link][!fixed[link]]) {
            print_message("%s\nlink %d is not fixed\n", text, link);
            fail();
        }
        s->links++;
        s->fixed += fixed[link] != HBG_NONE;
        s->missed += fixed[link] == HBG_NONE && known && !varies;
    }
    s->graphs++;
}

static void run(walk_plan plan) {
    static graph g;
    statistics s = {0};
    for (int i = 0; i < plan.graphs; i++) {
        test_random random;
        fixture f;
        const char *text = walk_text(&plan, i, &g, &random);
        fixture_open(&f, text, plan.integral);
        check_graph(&f, text, &s);
        fixture_close(&f);
    }
    print_message("%d graphs, %d valid modes: %d links, %d fixed, %d more have one value in all modes\n",
                  s.graphs, s.modes, s.links, s.fixed, s.missed);
    assert_true(s.fixed > s.links / 20 && s.fixed < s.links);
}

static void fixed_links_have_one_value_in_all_modes(void **state) {
    (void)state;
    run((walk_plan){.graphs = 500, .seed = 1, .most = {WALK_SMALL, .dual = 10}});
}

static void fixed_links_among_gyrators_have_one_value_in_all_modes(void **state) {
    (void)state;
    run((walk_plan){.graphs = 300, .seed = 2, .most = {WALK_SMALL, .gyrators = 40}});
}

static void fixed_links_have_one_value_where_storages_are_integral(void **state) {
    (void)state;
    run((walk_plan){.graphs = 400, .seed = 3, .integral = true, .most = {WALK_SMALL, .gyrators = 10}});
}

/* ---- assignments keep what is fixed ------------------------------------------------------------------- */

static bool is_cut(const walk_visit *visit, int32_t link) {
    brute b = {.structure = visit->f->structure, .on = visit->f->on};
    return brute_is_cut(&b, link);
}

static void check_kept(const walk_visit *visit) {
    const hbg_causal_structure *structure = visit->f->structure;
    if (!hbg_causal_valid(visit->assignment)) return;
    for (int32_t link = 0; link < structure->link_count; link++) {
        if (structure->link_fixed[link] == HBG_NONE || is_cut(visit, link)) continue;
        if (hbg_causal_is_repeated(visit->assignment, link)) continue;
        WALK_ASSERT(visit, hbg_causal_value(visit->assignment, link) == structure->link_fixed[link]);
    }
}

/* Also in modes with floating parts, and the links that no switch reaches. */
static void assignments_keep_fixed_links_in_every_mode(void **state) {
    (void)state;
    walk_plan plan = {.graphs = 600, .steps = 6, .moving = 50, .seed = 4, .most = {WALK_SMALL, .dual = 10}};
    plan.most.controlled = 25;
    walk_graphs(&plan, check_kept, NULL);
}

/* ---- constrained junctions ---------------------------------------------------------------------------- */

typedef struct {
    int determined, constrained;
} choices;

/* What determines a junction is one of the bonds it can take; one in constrained causality cannot take all. */
static void check_choices(const walk_visit *visit) {
    const hbg_causal_structure *structure = visit->f->structure;
    const hbg_model *model = structure->model;
    choices *counted = visit->user;
    for (int32_t place = 0; hbg_causal_valid(visit->assignment) && place < structure->place_count; place++) {
        int32_t bond = hbg_causal_determining_bond(visit->assignment, place), can = 0;
        int32_t element = structure->place_element[place], first = model->incidence_start[element];
        int32_t degree = model->incidence_start[element + 1] - first;
        if (bond == HBG_NONE) continue;
        for (int32_t i = 0; i < degree; i++)
            can += hbg_causal_can_determine(structure, place, model->incidence[first + i]);
        WALK_ASSERT(visit, hbg_causal_can_determine(structure, place, bond));
        WALK_ASSERT(visit, !structure->place_constrained[place] || (can >= 2 && can < degree));
        counted->determined++;
        counted->constrained += structure->place_constrained[place];
    }
}

static void junctions_are_determined_by_bonds_they_can_take(void **state) {
    (void)state;
    choices s = {0};
    walk_plan plan = {
        .graphs = 400, .steps = 4, .moving = 50, .seed = 6, .most = {WALK_SMALL, .gyrators = 10}};
    plan.most.resistors = 50;
    walk_graphs(&plan, check_choices, &s);
    print_message("%d junctions determined, %d of them constrained\n", s.determined, s.constrained);
    assert_true(s.constrained > s.determined / 50 && s.constrained < s.determined);
}

static bool is_constrained(const char *text) {
    fixture f;
    fixture_open(&f, text, false);
    bool constrained = f.structure->place_constrained[fixture_place(&f, "j")];
    fixture_close(&f);
    return constrained;
}

/* Definition 3: a bond that never determines the junction, and more than one that can. */
static void a_junction_is_constrained_by_what_never_determines_it(void **state) {
    (void)state;
    assert_true(is_constrained("model M { " AUTOMATON("a") "1 j when a; Se v(1); v -> j; R r(1); j -> r;\n"
                                                           "R s(1); j -> s; }"));
    assert_false(is_constrained("model M { " AUTOMATON("a") "1 j when a; R q(1); j -> q; R r(1); j -> r;\n"
                                                            "R s(1); j -> s; }")); // all can
    assert_false(is_constrained("model M { " AUTOMATON("a") "1 j when a; Se v(1); v -> j; Se w(1); w -> j;\n"
                                                            "R s(1); j -> s; }")); // only s can
    assert_false(is_constrained("model M { " AUTOMATON("a") "1 j when a; Sf v(1); v -> j; R r(1); j -> r;\n"
                                                            "R s(1); j -> s; }")); // v does
}

/* ---- switching without a reassignment ----------------------------------------------------------------- */

static int switched_quietly;

/* The link ends at a place that switches. */
static bool is_near(const hbg_causal_structure *structure, int32_t link, const bool *switching) {
    for (int end = 0; end < 2; end++) {
        int32_t place = structure->links[link].end[end].place;
        if (place != HBG_NONE && switching[place]) return true;
    }
    return false;
}

/* Switches the places on one condition and looks for marks that change elsewhere. */
static void check_group(const walk_visit *visit, int32_t group) {
    const hbg_causal_structure *structure = visit->f->structure;
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&visit->f->arena, structure);
    bool switching[BRUTE_PLACES] = {0}, before[BRUTE_LINKS];
    int32_t places[BRUTE_PLACES], count = 0;
    for (int32_t place = 0; place < structure->place_count; place++) {
        if (structure->control_group[place] != group) continue;
        if (!structure->place_never_reassigns[place]) return;
        switching[place] = true;
        places[count++] = place;
    }
    if (!hbg_causal_assign(assignment, visit->f->on)) return;
    for (int32_t link = 0; link < structure->link_count; link++)
        before[link] = hbg_causal_value(assignment, link);
    bool excused = walk_is_excused(assignment), valid = hbg_causal_switch(assignment, places, count);
    WALK_ASSERT(visit, valid || excused);
    for (int32_t link = 0; link < structure->link_count; link++)
        if (!is_near(structure, link, switching))
            WALK_ASSERT(visit, hbg_causal_value(assignment, link) == before[link]);
    switched_quietly++;
}

static void check_quiet(const walk_visit *visit) {
    const hbg_causal_structure *structure = visit->f->structure;
    for (int32_t place = 0; place < structure->place_count; place++)
        if (structure->place_never_reassigns[place]) check_group(visit, structure->control_group[place]);
}

static void junctions_that_never_reassign_change_their_own_bonds_only(void **state) {
    (void)state;
    walk_plan plan = {.graphs = 1200, .steps = 4, .moving = 50, .seed = 5, .most = {WALK_SMALL}};
    plan.most.shared = 50;
    switched_quietly = 0;
    walk_graphs(&plan, check_quiet, NULL);
    plan.integral = true;
    walk_graphs(&plan, check_quiet, NULL);
    print_message("%d switchings without a reassignment\n", switched_quietly);
    assert_true(switched_quietly > 100);
}

/* ---- single cases ------------------------------------------------------------------------------------- */

static int8_t fixed_value(const char *text, const char *bond) {
    fixture f;
    fixture_open(&f, text, false);
    int8_t value = f.structure->link_fixed[fixture_link(&f, bond)];
    fixture_close(&f);
    return value;
}

static void a_storage_beside_a_resistor_is_fixed(void **state) {
    (void)state;
    // the resistor can always determine the flow
    assert_int_not_equal(fixed_value("model M { " AUTOMATON("a") "1 j when a; C c(1); R r(1); Se v(1);\n"
                                                                 "b: j -> c; j -> r; v -> j; }",
                                     "b"),
                         HBG_NONE);
}

static void a_storage_that_a_switch_can_short_is_not_fixed(void **state) {
    (void)state;
    // off, the junction sets the capacitor's effort to zero
    assert_int_equal(fixed_value("model M { " AUTOMATON("a") "0 j when a; C c(1); R r(1);\n"
                                                             "b: j -> c; j -> r; }",
                                 "b"),
                     HBG_NONE);
}

static void a_part_that_no_switch_reaches_is_fixed(void **state) {
    (void)state;
    // two resistors behind a source: which of them determines the flow is arbitrary, but the same in all modes
    const char *text =
        "model M { " AUTOMATON("a") "1 j; R r1(1); R r2(1); Se v(1); v -> j; b: j -> r1; j -> r2;\n"
                                    "1 s when a; Se w(1); R r3(1); w -> s -> r3; }";
    assert_int_not_equal(fixed_value(text, "b"), HBG_NONE);
}

/* With s on, bond b has to determine n; with s and u off, t has its zero from u, and n floats. */
static void a_junction_that_may_float_fixes_nothing(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f,
                 "model M { " AUTOMATON("a")
                     AUTOMATON("c") "Sf x(1); 1 s when a; 0 n; 1 t; 1 u when c; R r(1);\n"
                                    "x -> s; s -> n; b: n -> t; t -> u; u -> r; }",
                 false);
    assert_int_equal(f.structure->link_fixed[fixture_link(&f, "b")], HBG_NONE);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_true(hbg_causal_valid(assignment));
    assert_determines(&f, assignment, "n", "b");
    assert_true(FLIP(&f, assignment, "s", "u"));
    assert_true(hbg_causal_is_floating(assignment, fixture_place(&f, "n")));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_links_have_one_value_in_all_modes),
        cmocka_unit_test(fixed_links_among_gyrators_have_one_value_in_all_modes),
        cmocka_unit_test(fixed_links_have_one_value_where_storages_are_integral),
        cmocka_unit_test(assignments_keep_fixed_links_in_every_mode),
        cmocka_unit_test(junctions_are_determined_by_bonds_they_can_take),
        cmocka_unit_test(a_junction_is_constrained_by_what_never_determines_it),
        cmocka_unit_test(junctions_that_never_reassign_change_their_own_bonds_only),
        cmocka_unit_test(a_storage_beside_a_resistor_is_fixed),
        cmocka_unit_test(a_storage_that_a_switch_can_short_is_not_fixed),
        cmocka_unit_test(a_part_that_no_switch_reaches_is_fixed),
        cmocka_unit_test(a_junction_that_may_float_fixes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
