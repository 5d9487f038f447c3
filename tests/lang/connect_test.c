/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arrows become bonds: ports dissolve however many lie between two elements, and what cannot be one bond is
 * told. Bonds are looked at in the dump, `bond NAME: FROM -> TO`. */
#include "lang/fixture_impl.h"

#define SOURCE "Se s(1 [V]);\n"
#define LOAD   "component Load { port a : electrical; R r(1 [Ohm]); a -> r; }\n"

/* The part of the dump line of a bond up to its net. */
#define assert_bond(dump, text)                                                                              \
    do {                                                                                                     \
        if (!strstr(dump, "bond " text " net")) fail_msg("no bond `%s` in\n%s", text, dump);                 \
    } while (0)

static void an_unnamed_bond_is_called_by_its_ends(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { " SOURCE "R r(1 [Ohm]); 0 n; 1 j;\n s -> n -> j -> r; n -> j; }");
    const char *dump = dump_of(f, m);
    assert_int_equal(m->bonds.count, 4);
    assert_bond(dump, "s>n: s[1] -> n");
    assert_bond(dump, "n>j: n -> j");
    assert_bond(dump, "n>j#2: n -> j");
    assert_bond(dump, "j>r: j -> r[1]");
}

static void one_bond_runs_through_a_port(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, LOAD "model M { " SOURCE "Load load; s -> load.a; }");
    assert_int_equal(m->bonds.count, 1);
    assert_bond(dump_of(f, m), "s>load.r: s[1] -> load.r[1]");
    assert_int_equal(m->ports.items[0].bond, 0);
}

static void one_bond_runs_through_many_ports_both_ways(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, LOAD "component B { port p : electrical; Load in_b; p -> in_b.a; }\n"
                          "component D { port p : electrical; B in_c; p -> in_c.p; }\n"
                          "component Cell { port plus : electrical; Se s(1 [V]); s -> plus; }\n"
                          "component Pack { port plus : electrical; Cell cell; cell.plus -> plus; }\n"
                          "model M { Pack pack; D c; pack.plus -> c.p; }");
    assert_int_equal(m->bonds.count, 1);
    assert_bond(dump_of(f, m), "pack.cell.s>c.in_c.in_b.r: pack.cell.s[1] -> c.in_c.in_b.r[1]");
    for (int32_t i = 0; i < m->ports.count; i++) assert_int_equal(m->ports.items[i].bond, 0);
}

static void a_wire_of_ports_joins_what_lies_beyond(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, LOAD "component Wire { port x : any; port y : any; x -> y; }\n"
                                     "model M { " SOURCE "Wire w1; Wire w2; Load load;\n"
                                     "s -> w1.x; w1.y -> w2.x; w2.y -> load.a; }");
    assert_int_equal(m->bonds.count, 1);
    assert_bond(dump_of(f, m), "s>load.r: s[1] -> load.r[1]");
}

static void names_inside_and_outside_are_the_same_bond(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "component Load { port a : electrical; R r(1 [Ohm]); inner: a -> r; }\n"
                                "model M { " SOURCE "Load load; outer: s -> load.a;\n"
                                "signal x = outer.f - load.inner.f, y = load.a.e; }");
    assert_int_equal(m->bonds.count, 1);
    const char *difference = expr_of(f, m, m->signals.items[0].value);
    assert_string_equal(difference, "outer.f - outer.f");
    assert_string_equal(expr_of(f, m, m->signals.items[1].value), "outer.e");
}

static void a_circle_of_ports_is_no_bond_and_no_endless_loop(void **state) {
    fixture *f = *state;
    hbg_model *m = read_any(f, "component Wire { port x : any; port y : any; x -> y; }\n"
                               "model M { " SOURCE "R r(1 [Ohm]); s -> r; Wire w; w.y -> w.x; }");
    assert_non_null(m);
    assert_int_equal(m->bonds.count, 1);
    assert_int_equal(f->diagnostics.warnings, 2);
    assert_diagnostic(f, "W0703", 0, "`w.x`");
    assert_diagnostic(f, "W0703", 0, "`w.y`");
}

static void a_switch_brings_its_own_source_and_bond(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { input bool c = false; " SOURCE "R r(1 [Ohm]); 1 j; Sw k when a;\n"
                                "s -> j -> r; j -> n; n -> k; 0 n;\n"
                                "automaton a { off o -> x when c; on x -> o when !c; } }");
    assert_int_equal(m->bonds.count, 5);
    assert_bond(dump_of(f, m), "k.zero>k: k.zero[1] -> k");
}

static void half_arrows_must_run_through_a_port(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, LOAD "model M {\n" SOURCE "Load load;\nload.a -> s;\n}"));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0503", 5, "tail to tail");
}

static void a_port_takes_one_bond_on_each_side(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, LOAD "model M {\n" SOURCE "Load load; 0 n;\ns -> n -> load.a;\nn -> load.a;\n}"));
    assert_diagnostic(f, "E0501", 6, "a second bond outside its component");
    assert_int_equal(f->diagnostics.errors, 1);
}

#define IN  "component In { port p : electrical; R r(1 [Ohm]); 0 j; p -> j; j -> r; }\n"
#define OUT "component Out { port p : electrical; Se s(1 [V]); R r(1 [Ohm]); 1 j; s -> j -> r; j -> p; }\n"

/* The words between the `index`-th pair of back quotes. */
static const char *quoted(fixture *f, const char *text, int index) {
    const char *start = strchr(text, '`'), *end = start ? strchr(start + 1, '`') : NULL;
    for (; end && index > 0; index--) {
        start = strchr(end + 1, '`');
        end = start ? strchr(start + 1, '`') : NULL;
    }
    return end ? hbg_base_arena_copy(&f->arena, start + 1, (size_t)(end - start - 1)) : "";
}

/* Reads a text with bonds at a port that has one already; then once more for each help with a junction, with what it offers in their place. A loop
 * has a part before it, the first %s, and one inside, the second. */
static void apply(fixture *f, const char *text, const char *bonds, int offers, const char *lines) {
    const char *helps[8];
    int count = 0, same = 0;
    assert_null(read_any(f, hbg_base_arena_print(&f->arena, text, "", bonds)));
    for (int32_t i = 0; i < f->diagnostics.items.count && count < 8; i++) {
        const char *help = f->diagnostics.items.items[i].fix;
        if (help && strstr(help, "junction")) helps[count++] = help;
    }
    assert_int_equal(count, offers);
    for (int i = 0; i < count; i++) {
        bool loop = strstr(helps[i], "before the `for`") != NULL;
        const char *before = quoted(f, helps[i], 0), *inside = loop ? quoted(f, helps[i], 2) : "";
        same += strcmp(before, lines) == 0;
        hbg_base_diagnostics_init(&f->diagnostics, &f->arena);
        hbg_model *m = read_good(f, hbg_base_arena_print(&f->arena, text, before, inside));
        if (!m) fail_msg("%s", helps[i]);
    }
    assert_true(same > 0);
}

static void lines_that_join_bonds_in_a_junction_can_be_copied(void **state) {
    fixture *f = *state;
    apply(f, IN "model M { In a; In b; %s%s }", "a.p -> b.p; a.p -> b.p;", 3,
          "0 node; node -> a.p; node -> b.p;");
    apply(f, IN OUT "model M { Out a; In b; R r(1 [Ohm]); 0 node; node -> r; %s%s }",
          "a.p -> b.p; a.p -> node;", 1, "0 node2; a.p -> node2; node2 -> b.p; node2 -> node;");
    apply(f,
          IN OUT "model M { Out a; In b; In node[2]; Se s(1 [V]); 0 m; s -> m; for k in 1..2 { m -> "
                 "node[k].p; } %s%s }",
          "b.p -> a.p; a.p -> b.p;", 2, "0 node2; a.p -> node2; node2 -> b.p;");
}

static void a_chain_that_comes_back_needs_one_bond_of_the_junction(void **state) {
    fixture *f = *state;
    apply(f, OUT "model M { Out a; R r(1 [Ohm]); 0 j; j -> r; %s%s }", "a.p -> j -> a.p;", 1,
          "0 node; a.p -> node; node -> j;");
}

static void a_bond_within_runs_as_the_one_outside_does(void **state) {
    fixture *f = *state;
    apply(f,
          "component Load { port p : electrical; Sf q(1 [A]); R r(1 [Ohm]); %s%s }\n"
          "model M { " SOURCE "Load load; s -> load.p; }",
          "q -> p; p -> r;", 1, "0 node; p -> node; q -> node; node -> r;");
}

static void a_transformer_keeps_both_its_bonds(void **state) {
    fixture *f = *state;
    apply(f, OUT "model M { Out a; TF t(2); %s%s }", "a.p -> t; t -> a.p;", 1,
          "0 node; a.p -> node; node -> t; t -> node;");
}

static void a_bond_in_a_loop_is_joined_outside_of_it(void **state) {
    fixture *f = *state;
    apply(f, IN OUT "model M { Out a; In b[3]; %s for k in 1..3 { %s } }", "a.p -> b[k].p;", 1,
          "0 node; a.p -> node;");
}

static void a_bond_stays_in_its_component(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, LOAD "component B { port p : electrical; Load in_b; p -> in_b.a; }\n"
                                 "model M {\n" SOURCE "B b; 0 n; s -> n;\n"
                                 "n -> b.in_b.r;\n"
                                 "n -> b.in_b.a;\n"
                                 "n -> b;\n"
                                 "}"));
    assert_int_equal(f->diagnostics.errors, 3);
    assert_diagnostic(f, "E0504", 6, "inside a component");
    assert_diagnostic(f, "E0504", 7, "lead it out");
    assert_diagnostic(f, "E0504", 8, "write `b.p`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_unnamed_bond_is_called_by_its_ends),
        TEST(one_bond_runs_through_a_port),
        TEST(one_bond_runs_through_many_ports_both_ways),
        TEST(a_wire_of_ports_joins_what_lies_beyond),
        TEST(names_inside_and_outside_are_the_same_bond),
        TEST(a_circle_of_ports_is_no_bond_and_no_endless_loop),
        TEST(a_switch_brings_its_own_source_and_bond),
        TEST(half_arrows_must_run_through_a_port),
        TEST(a_port_takes_one_bond_on_each_side),
        TEST(lines_that_join_bonds_in_a_junction_can_be_copied),
        TEST(a_chain_that_comes_back_needs_one_bond_of_the_junction),
        TEST(a_bond_within_runs_as_the_one_outside_does),
        TEST(a_transformer_keeps_both_its_bonds),
        TEST(a_bond_in_a_loop_is_joined_outside_of_it),
        TEST(a_bond_stays_in_its_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
