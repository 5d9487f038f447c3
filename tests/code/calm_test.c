/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which automata move without a search. Each model below differs from the calm one in the thing its name says. */
#include "eqn/fixture_impl.h"

/* A voltage, a switched resistor, a capacitor with a load: the switch follows the voltage of the capacitor. */
#define CHOPPER(more, automata)                                                                              \
    "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(1, q = 0); R load(5); s -> j; j -> r; j -> n; n -> c;" \
    "n -> load; " more automata " }"
#define TWO_POINT    "automaton a { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; }"
#define LISTEN(what) "output y = " what "; experiment e { stop 1; record y; }"

static bool lists(const fixture *f, const char *name) {
    const int32_map *calm = &f->code->calm.automata;
    for (int32_t i = 0; i < calm->count; i++) {
        hbg_name id = f->model->automata.items[calm->items[i]].id.name;
        if (strcmp(hbg_base_names_get(f->model->names, id), name) == 0) return true;
    }
    return false;
}

/* Names of the calm automata, in the order a, b; "" if there are none. */
static const char *calm_ones(const char *text) {
    fixture f;
    fixture_begin(&f, text);
    bool a = lists(&f, "a"), b = lists(&f, "b");
    fixture_close(&f);
    return a && b ? "ab" : a ? "a" : b ? "b" : "";
}

#define assert_calm(names, text)                                                                             \
    do {                                                                                                     \
        const char *found_ = calm_ones(text);                                                                \
        if (strcmp(found_, names) != 0) fail_msg("calm are `%s`, not `%s`:\n%s", found_, names, text);       \
    } while (0)

static void a_switch_that_follows_a_storage_is_calm(void **state) {
    (void)state;
    assert_calm("a", CHOPPER("", TWO_POINT));
    assert_calm("a",
                CHOPPER("state z = 0 : der = c.e;", "automaton a { on shut -> open when c.e >= 5 || z > 3;"
                                                    "off open -> shut when !(c.e > 4) && z < 9; }"));
    assert_calm("a", CHOPPER("param V = 3;", "automaton a { on shut -> open when c.e >= V*time;"
                                             "off open -> shut when c.e <= 2; }"));
}

static void one_whose_own_move_changes_what_it_reads_is_not(void **state) {
    (void)state;
    assert_calm(
        "", CHOPPER("", "automaton a { on shut -> open when r.f <= 5; off open -> shut when c.e <= 4; }"));
    assert_calm("", CHOPPER("signal i = 2*j.f + 1;",
                            "automaton a { on shut -> open when i <= 5; off open -> shut when c.e <= 4; }"));
}

static void waits_samples_and_values_beyond_the_present_are_not(void **state) {
    (void)state;
    assert_calm("", CHOPPER("", "automaton a { on shut -> open after 1; off open -> shut when c.e <= 4; }"));
    assert_calm("", CHOPPER("", "automaton a every 0.1 { on shut -> open when c.e >= 5;"
                                "off open -> shut when c.e <= 4; }"));
    assert_calm(
        "",
        CHOPPER("", "automaton a { on shut -> open when pre(c.e) >= 5; off open -> shut when c.e <= 4; }"));
    assert_calm("", CHOPPER("", "automaton a { on shut -> open when in(a.open, c.e) >= 5;"
                                "off open -> shut when c.e <= 4; }"));
}

static void a_junction_that_is_assigned_anew_is_not_calm(void **state) {
    (void)state;
    assert_calm("", "model M { Se s(10); I m(1); C c(1); 1 j when a; s -> j; j -> m; j -> c;" TWO_POINT " }");
    assert_calm(
        "", "model M { Se s(10); R r : e = 0.6 + 5*f; C c(1); 1 j when a; s -> j; j -> r; j -> c;" TWO_POINT
            " }");
}

static void storages_that_may_jump_are_not_calm(void **state) {
    (void)state;
    /* closing joins two capacitors */
    assert_calm(
        "",
        "model M { C c(1, q = 3); C d(2); 0 n; 0 k; 1 j when a; n -> c; k -> d; n -> j -> k;" TWO_POINT "}");
    assert_calm("", "model M { I m(1, p = -1); Se g(-10); 1 v; v -> m; g -> v; state y = 1 : der = m.f;"
                    "Sf ground(0); 0 contact when a restitution 0.8; v -> contact; ground -> contact;"
                    "automaton a { off free -> hit when y <= 0; on hit -> free when m.f > 0; } }");
}

static void a_guard_on_parameters_alone_has_a_band_and_is_not(void **state) {
    (void)state;
    assert_calm("", CHOPPER("param P = 3;", "automaton a { on shut -> open when c.e >= 5 && P > 2;"
                                            "off open -> shut when c.e <= 4; }"));
}

static void equality_of_numbers_is_no_side_and_not_calm(void **state) {
    (void)state;
    assert_calm("", CHOPPER("", "automaton a { on shut -> open when c.e >= 5;"
                                "off open -> shut when c.e <= 4 && c.q != 2; }"));
}

static void one_that_never_moves_by_itself_is_left_alone(void **state) {
    (void)state;
    assert_calm("", CHOPPER("input bool u = true;",
                            "automaton a { on shut -> open when !u; off open -> shut when u; }"));
}

/* A second switch beside the first. */
#define TWO(second, more)                                                                                    \
    CHOPPER("R q(2); 1 h when b; s2 -> h; h -> q; h -> n; Se s2(3); " more, TWO_POINT second)

static void automata_may_share_and_read_one_another(void **state) {
    (void)state;
    assert_calm("ab", TWO("automaton b { on up -> down when c.e > 6; off down -> up when c.e < 3; }", ""));
    assert_calm("ab", TWO("automaton b { on up -> down when c.e > 6 && a; off down -> up when !a; }", ""));
    /* one for two junctions, one of them inverted */
    assert_calm("a", CHOPPER("R q(2); 1 h when !a; s2 -> h; h -> q; h -> n; Se s2(3);", TWO_POINT));
}

static void who_is_noticed_by_one_that_is_not_calm_waits_for_it(void **state) {
    (void)state;
    /* b reads where a is */
    assert_calm(
        "", TWO("automaton b { on up -> down when c.e > 6 && a && q.f > 1; off down -> up after 1; }", ""));
    /* b reads a current that a switches */
    assert_calm("", TWO("automaton b { on up -> down when r.f > 1; off down -> up after 1; }", ""));
    /* b reads nothing of a */
    assert_calm("a", TWO("automaton b { on up -> down when c.e > 6; off down -> up after 1; }", ""));
}

static void what_a_move_changes_is_followed_through_loops_and_blocks(void **state) {
    (void)state;
    /* a nonlinear loop between the switch and the current that is read */
    assert_calm("",
                "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(1, q = 0); s -> j; j -> r; j -> n; n -> c;"
                "R w : e = f^3 + f; R w2(1); 1 h; 0 k; h -> w; n -> h -> k; k -> w2; R w3 : e = f^3 + 2*f; "
                "k -> w3; R x(1 + j.f^2); h -> x;"
                "automaton a { on shut -> open when w.f >= 5; off open -> shut when c.e <= 4; } }");
    /* the same loop, but nothing of the switch gets into it */
    assert_calm("a",
                "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(1, q = 0); s -> j; j -> r; j -> n; n -> c;"
                "R w : e = f^3 + f; R w2(1); 1 h; 0 k; h -> w; n -> h -> k; k -> w2; R w3 : e = f^3 + 2*f; "
                "k -> w3;"
                "automaton a { on shut -> open when w.f >= 5; off open -> shut when c.e <= 4; } }");
    /* a block that another automaton changes reads the current of the switch, or the voltage alone */
#define BLOCK(signal)                                                                                        \
    CHOPPER("Se m(" signal "); R w : e = 0.6 + f + f^3; R v(1); 1 g when b; m -> g; g -> w; g -> v;",        \
            "automaton b { on up -> down when false; off down -> up when false; }"                           \
            "automaton a { on shut -> open when v.e >= 5; off open -> shut when c.e <= 4; }")
    assert_calm("", BLOCK("r.f"));
    assert_calm("a", BLOCK("c.e"));
}

/* ---- what is seen of a move --------------------------------------------------------------------------- */

static void outputs_that_a_move_changes_are_known(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, CHOPPER("", TWO_POINT LISTEN("c.e + 2*load.f")));
    assert_true(hbg_rt_keeps_outputs(f.run));
    fixture_close(&f);
    fixture_begin(&f, CHOPPER("", TWO_POINT LISTEN("r.f")));
    assert_false(hbg_rt_keeps_outputs(f.run));
    fixture_close(&f);
    fixture_begin(&f, CHOPPER("", TWO_POINT LISTEN("a ? 1 : 0")));
    assert_false(hbg_rt_keeps_outputs(f.run));
    fixture_close(&f);
}

static void an_energy_that_a_move_changes_makes_looks_impossible(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  CHOPPER("C v(2 + j.f^2, q = 1); R t(1); 0 k; k -> v; k -> t;", TWO_POINT LISTEN("c.e")));
    assert_false(f.code->calm.possible);
    fixture_close(&f);
}

static void relations_of_calm_automata_and_of_others_are_told_apart(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, TWO("automaton b { on up -> down when c.e > 6; off down -> up after 1; }", ""));
    assert_int_equal(f.code->calm.relations.count, 2);
    assert_int_equal(f.code->calm.others.count, 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_switch_that_follows_a_storage_is_calm),
        cmocka_unit_test(one_whose_own_move_changes_what_it_reads_is_not),
        cmocka_unit_test(waits_samples_and_values_beyond_the_present_are_not),
        cmocka_unit_test(a_junction_that_is_assigned_anew_is_not_calm),
        cmocka_unit_test(storages_that_may_jump_are_not_calm),
        cmocka_unit_test(a_guard_on_parameters_alone_has_a_band_and_is_not),
        cmocka_unit_test(equality_of_numbers_is_no_side_and_not_calm),
        cmocka_unit_test(one_that_never_moves_by_itself_is_left_alone),
        cmocka_unit_test(automata_may_share_and_read_one_another),
        cmocka_unit_test(who_is_noticed_by_one_that_is_not_calm_waits_for_it),
        cmocka_unit_test(what_a_move_changes_is_followed_through_loops_and_blocks),
        cmocka_unit_test(outputs_that_a_move_changes_are_known),
        cmocka_unit_test(an_energy_that_a_move_changes_makes_looks_impossible),
        cmocka_unit_test(relations_of_calm_automata_and_of_others_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
