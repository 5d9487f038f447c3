/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where conflicts and floating parts can be, and what can be unbounded in a mode (semantics, section 3a). */
#include "eqn/fixture_impl.h"

static int32_t place_of(const fixture *f, const char *name) {
    const hbg_causal_structure *structure = f->eqn->structure;
    for (int32_t i = 0; i < structure->place_count; i++) {
        const hbg_identity *id = &f->model->elements.items[structure->place_element[i]].id;
        if (strcmp(hbg_base_names_get(f->model->names, id->name), name) == 0) return i;
    }
    fail_msg("no junction %s", name);
    return HBG_NONE;
}

/* The only cluster, where the places named are off. */
static const limit_mode *mode_without(fixture *f, const char *const *off, int count) {
    const hbg_causal_structure *structure = f->eqn->structure;
    bool *on = HBG_NEW_ARRAY(&f->arena, bool, structure->place_count + 1);
    assert_int_equal(f->eqn->limits.clusters.count, 1);
    for (int32_t i = 0; i < structure->place_count; i++) on[i] = true;
    for (int i = 0; i < count; i++) on[place_of(f, off[i])] = false;
    return hbg_eqn_limit_in(f->eqn, 0, on);
}

static void assert_term(const fixture *f, hbg_term term, const char *wanted) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, (hbg_arena *)&f->arena);
    hbg_eqn_print_term(f->eqn, term, &text);
    assert_string_equal(text.data, wanted);
}

/* What the parameter of a place is, in the only vector there is. */
static void assert_share(const fixture *f, const limit_mode *mode, const char *name, const char *wanted) {
    const limit_cluster *of = &f->eqn->limits.clusters.items[0];
    int32_t unknown = of->variables.count + f->eqn->limits.place_number[place_of(f, name)];
    assert_int_equal(mode->start[unknown + 1] - mode->start[unknown], wanted ? 1 : 0);
    if (wanted) assert_term(f, mode->shares[mode->start[unknown]].factor, wanted);
}

#define SWITCHES                                                                                             \
    "automaton x { on yes -> no when time > 1; off no; } automaton y { on yes -> no when time > 2; off no; " \
    "}"

/* Two supplies with a switch at either side of a transformer: a flow of 1 at the first is one of 2 at the second, 1·1 + 2·2 = 5. */
static void a_transformer_scales_what_runs_through_it(void **unused) {
    fixture f;
    (void)unused;
    fixture_open(&f, "model M { Se v(24); Se w(10); 0 a; 0 b; 1 s when x; 1 u when y; TF t(2); v -> a -> s "
                     "-> t -> u -> b; w -> b;" SWITCHES " }");
    const limit_mode *mode = mode_without(&f, NULL, 0);
    assert_int_equal(mode->reversed_count, 1);
    assert_true(mode->driven);
    assert_share(&f, mode, "s", mode->reversed[0] == place_of(&f, "s") ? "1" : "1/2");
    bool first = mode->reversed[0] == place_of(&f, "s");
    assert_share(&f, mode, "u", first ? "2" : "1");
    if (first) assert_term(&f, mode->gram[0], "5");
    // one that is open keeps them apart; with both open the effort between floats, and no source has a part in it
    assert_int_equal(mode_without(&f, (const char *const[]){"s"}, 1)->reversed_count, 0);
    mode = mode_without(&f, (const char *const[]){"s", "u"}, 2);
    assert_int_equal(mode->reversed_count, 1);
    assert_false(mode->driven);
    fixture_close(&f);
}

/* Opposite moduli cancel whatever they are: what runs round is tied to nothing, and neither is it where they are equal. */
static void moduli_cancel_whatever_they_are(void **unused) {
    fixture f;
    (void)unused;
    fixture_open(
        &f, "model M { param n = 3; Se v(24); R r(1); 0 a; 0 b; 1 s when x; 1 u when y; TF t(n); TF k(n);"
            "v -> a -> s -> t -> b; a -> u -> k -> b; b -> r;" SWITCHES " }");
    const limit_mode *mode = mode_without(&f, NULL, 0);
    assert_int_equal(mode->reversed_count, 1);
    assert_false(mode->driven); // they share
    assert_term(&f, mode->gram[0], "2");
    assert_int_equal(mode_without(&f, (const char *const[]){"u"}, 1)->reversed_count, 0);
    fixture_close(&f);
}

/* Resistors and storages hold what is at them, and so do sources that a junction cuts. */
static void what_something_holds_is_in_no_cluster(void **unused) {
    static const char *const models[] = {
        "model M { Se v(24); R r(1); I m(1); 1 s when x; v -> s -> r; s -> m;" SWITCHES " }",
        "model M { Sf v(24); 1 s when x; 0 n; C c(1); v -> s -> n -> c;" SWITCHES " }",
        "model M { Se v(24); 0 n; 1 s when x; C c(1); v -> n -> s -> c;" SWITCHES " }"};
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        fixture f;
        fixture_open(&f, models[i]);
        assert_int_equal(f.eqn->limits.clusters.count, 0);
        fixture_close(&f);
    }
}

/* Each switch between two supplies is a matter of its own, though one supply belongs to both. */
static void conflicts_that_share_no_switch_are_apart(void **unused) {
    fixture f;
    (void)unused;
    fixture_open(&f, "model M { Se v(24); Se w(10); Se z(5); 0 a; 0 b; 0 c; 1 s when x; 1 u when y;"
                     "v -> a -> s -> b; w -> b -> u -> c; z -> c;" SWITCHES " }");
    const limit_mode *mode = mode_without(&f, NULL, 0);
    assert_int_equal(mode->reversed_count, 2);
    for (int i = 0; i < 4; i++) assert_term(&f, mode->gram[i], i % 3 == 0 ? "1" : "0");
    fixture_close(&f);
}

/* A junction that is off the other way has nothing in common then; on, a source at one of its bonds holds all of them. */
static void a_source_holds_a_junction_that_is_on(void **unused) {
    fixture f;
    (void)unused;
    fixture_open(&f, "model M { Se v(1); R r(3); I m(2); 0 n when x off flow; 1 s when y; v -> n -> r; n -> "
                     "s -> m;" SWITCHES " }");
    assert_int_equal(mode_without(&f, (const char *const[]){"s"}, 1)->reversed_count, 0);
    assert_int_equal(mode_without(&f, NULL, 0)->reversed_count, 0);
    fixture_close(&f);
}

/* Masses between two walls, which are in conflict once all touch: one cluster of all contacts. */
static void open_row(fixture *f, int masses) {
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "model M { Sf left(0); Sf right(0);");
    for (int i = 0; i <= masses; i++) {
        char before[16] = "left", after[16] = "right";
        if (i > 0) snprintf(before, sizeof before, "b%d", i);
        if (i < masses) snprintf(after, sizeof after, "b%d", i + 1);
        if (i > 0)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "1 b%d; I m%d(1); b%d -> m%d;", i, i, i, i);
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "0 c%d when t%d restitution 1; %s -> c%d -> %s;"
            "automaton t%d { off apart -> hit when time > 1; on hit -> apart when time > 2; }",
            i, i, before, i, after, i);
    }
    snprintf(text + used, sizeof text - used, "}");
    fixture_open(f, text);
}

static int32_t most_arcs_of_a_bond(int masses) {
    fixture f;
    equations all;
    int32_t most = 0;
    open_row(&f, masses);
    assert_int_equal(f.eqn->limits.clusters.count, 1);
    assert_int_equal(f.eqn->limits.clusters.items[0].places.count, masses + 1);
    assert_fine(&f, hbg_rt_enter(f.run, NULL));
    hbg_eqn_begin_work(f.eqn);
    hbg_eqn_equations_init(&all, &f.arena, f.eqn, hbg_code_assign_mode(f.code, f.run->on), PURPOSE_FIELD);
    all.in_any_mode = true;
    for (int32_t v = f.eqn->first[VARIABLE_EFFORT]; v < f.eqn->first[VARIABLE_FLOW + 1]; v++) {
        int32_map reads = {0};
        hbg_eqn_equations_reads(&all, v, &reads);
        for (int32_t i = 0; i < reads.count; i++) { // whoever reads a conflict is told of the others
            bool is_conflict =
                hbg_eqn_kind_of(f.eqn, reads.items[i] % f.eqn->base_count) == VARIABLE_CONFLICT;
            assert_int_equal(hbg_eqn_limit_ring(f.eqn, v, reads.items[i]), is_conflict ? 0 : HBG_NONE);
        }
        if (reads.count > most) most = reads.count;
    }
    hbg_eqn_equations_end(&all);
    hbg_eqn_end_work(f.eqn);
    fixture_close(&f);
    return most;
}

static void what_a_bond_may_read_does_not_grow_with_its_cluster(void **unused) {
    (void)unused;
    assert_int_equal(most_arcs_of_a_bond(16), most_arcs_of_a_bond(4));
}

enum { ROW = 20 };

/* Bodies between walls: a row with two driven bodies inside, each at the end of a transformer, so that some of the contacts close loops. */
static void open_bodies(fixture *f) {
    char text[6000], a[16], b[16];
    size_t used =
        (size_t)snprintf(text, sizeof text, "model M { Sf c0(0); Sf c%d(0); Sf drive(1); ", ROW + 1);
    for (int i = 1; i <= ROW; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "1 b%d; I m%d(1); b%d -> m%d; ", i, i, i, i);
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "1 d; TF t(2); drive -> d; d -> t; 0 n; t -> n; ");
    for (int i = 0; i <= ROW; i++) {
        (void)snprintf(a, sizeof a, i > 0 ? "b%d" : "c%d", i);
        (void)snprintf(b, sizeof b, i < ROW ? "b%d" : "c%d", i + 1);
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "0 k%d when x%d restitution 1; %s -> k%d -> %s; automaton x%d { on yes -> no "
                             "when time > 1; off no; } ",
                             i, i, a, i, b, i);
    }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "0 g when y; n -> b7; n -> g; g -> b12; "
                             "automaton y { on yes -> no when time > 1; off no; } }");
    assert_true(used < sizeof text);
    fixture_open(f, text);
}

/* Parts that nothing connects are looked at alone, and give what all of the cluster does. */
static void what_is_reversed_is_what_the_whole_cluster_says(void **unused) {
    fixture f;
    int quiet = 0, loud = 0;
    unsigned random = 3;
    (void)unused;
    open_bodies(&f);
    int32_t places = f.eqn->structure->place_count, most = 0;
    bool *on = HBG_NEW_ARRAY(&f.arena, bool, places + 1), *found = HBG_NEW_ARRAY(&f.arena, bool, places + 1);
    for (int32_t k = 0; k < f.eqn->limits.clusters.count; k++)
        if (f.eqn->limits.clusters.items[k].places.count > most)
            most = f.eqn->limits.clusters.items[k].places.count;
    assert_in_range(most, ROW, ROW + 2);
    for (int i = 0; i < 300; i++) {
        unsigned share = 1 + (unsigned)i % 8;
        bool *wanted = HBG_NEW_ARRAY(&f.arena, bool, places + 1), any = false;
        for (int32_t p = 0; p < places; p++) {
            random = random * 1664525u + 1013904223u;
            on[p] = !f.eqn->structure->controlled[p] || (random >> 29) < share;
        }
        for (int32_t k = 0; k < f.eqn->limits.clusters.count; k++) {
            const limit_mode *mode = hbg_eqn_limit_in(f.eqn, k, on);
            for (int32_t r = 0; r < mode->reversed_count; r++) any = wanted[mode->reversed[r]] = true;
        }
        hbg_eqn_reverse(f.eqn, on, found);
        assert_memory_equal(found, wanted, (size_t)places * sizeof *found);
        quiet += !any;
        loud += any;
    }
    assert_true(f.eqn->limits.clusters.items[0].has_parts);
    assert_true(quiet > 50 && loud > 30);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transformer_scales_what_runs_through_it),
        cmocka_unit_test(moduli_cancel_whatever_they_are),
        cmocka_unit_test(what_something_holds_is_in_no_cluster),
        cmocka_unit_test(conflicts_that_share_no_switch_are_apart),
        cmocka_unit_test(a_source_holds_a_junction_that_is_on),
        cmocka_unit_test(what_a_bond_may_read_does_not_grow_with_its_cluster),
        cmocka_unit_test(what_is_reversed_is_what_the_whole_cluster_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
