/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What rates and outputs depend on, by hand: `-` not at all, `l` by a factor that only instants change, `n` otherwise. */
#include "eqn/fixture_impl.h"
#include "rt/package.h"

/* Kinds of a row as letters; the last one is that of time. */
static const char *letters(const hbg_code_dependence *kinds, int32_t row, int32_t knowns, char *text) {
    for (int32_t k = 0; k < knowns; k++) text[k] = "-ln"[kinds[row * knowns + k]];
    text[knowns] = 0;
    return text;
}

/* Rows are rates by state and then outputs, with a blank between them. */
static void assert_depends(const char *model, const char *rows) {
    fixture f;
    char reason[200] = "", line[64], all[400] = "";
    hbg_code_dependences found;
    fixture_begin(&f, model);
    hbg_rt_provider provider = hbg_code_provider(f.code);
    assert_int_equal(hbg_rt_image_complete(hbg_code_image(f.code), &provider, hbg_code_memory(&f.memory),
                                           reason, sizeof reason),
                     HBG_RT_OK);
    assert_true(hbg_code_depend(hbg_code_image(f.code), &f.arena, &found));
    assert_int_equal(found.known_count, f.system->state_count + 1);
    for (int32_t i = 0; i < f.system->state_count + f.system->output_count; i++) {
        bool rate = i < f.system->state_count;
        int32_t row = rate ? i : i - f.system->state_count;
        if (i > 0) strcat(all, " ");
        strcat(all, letters(rate ? found.rates : found.outputs, row, found.known_count, line));
    }
    if (strcmp(all, rows) != 0) fail_msg("`%s`, not `%s`:\n%s", all, rows, model);
    fixture_close(&f);
}

/* q' = f, p' = s - q/C - R f: the states are c.q and l.p. */
static void a_resonant_circuit_is_linear(void **state) {
    (void)state;
    assert_depends("model M { Se s(12); R r(3); C c(0.5, q = 2); I l(4, p = 6); 1 j; s -> j; j -> r;"
                   "j -> c; j -> l; experiment e { stop 1; record c.e, r.power, r.f; } }",
                   "-l- ll- l-- -n- -l-");
}

static void time_is_straight_or_not(void **state) {
    (void)state;
    assert_depends("model M { Se s(3*time); R r(2); C c(1); 1 j; s -> j; j -> r; j -> c;"
                   "output y = sin(time); experiment e { stop 1; record y; } }",
                   "ll -n");
}

static void a_law_that_is_no_line_bends(void **state) {
    (void)state;
    assert_depends("model M { C c(q = 0.7) : e = 2*q + 3*q^3; I m(2); 1 j; j -> c; j -> m;"
                   "output y = abs(c.q); experiment e { stop 1; record y; } }",
                   "-l- n-- n--");
}

/* Closed, the switch joins the two halves; the pattern is that of both modes. */
static void modes_are_joined(void **state) {
    (void)state;
    assert_depends("model M { C c(1, q = 3); R r(2); C d(2); 0 n; 0 k; 1 j when a; n -> c; k -> d; n -> j;"
                   "j -> k; j -> r; R load(1); k -> load;"
                   "automaton a { off open -> shut when time > 1; on shut -> open when time > 2; }"
                   "experiment e { stop 1; record j.f; } }",
                   "ll- ll- ll-");
}

/* Two masses that a clutch makes one. The states are c.q, m.p and n.p: shut, m.p is half of n.p and nothing reads it, and the spring moves
 * both; open, it moves n alone. */
static void dependent_storages_follow_the_others(void **state) {
    (void)state;
    assert_depends("model M { I m(1, p = 1); I n(2); C c(1); 1 u; 1 v; 0 j when a; u -> m; v -> n; v -> c;"
                   "u -> j; j -> v; automaton a { on shut -> open when time > 1; off open; } }",
                   "--l- l--- l---");
}

static void islands_do_not_see_each_other(void **state) {
    (void)state;
    assert_depends("model M { C c(1, q = 3); R r(2); 0 n; n -> c; n -> r; I m(1, p = 3); R s(2); 1 k; k -> m;"
                   "k -> s; }",
                   "l-- -l-");
}

/* A diode with a law of its own is solved with the resistor in one loop. */
static void what_a_loop_finds_depends_on_all_that_it_reads(void **state) {
    (void)state;
    assert_depends("model M { Se s(3); R d : f = 1e-3*(exp(2*e) - 1); R r(2); C c(1, q = 0.3); 1 j; s -> j;"
                   "j -> d; j -> r; j -> c; }",
                   "n-");
    assert_depends("model M { Se s(3); R a(1); R b(2); R g(3); C c(1, q = 0.3); 1 j; 0 n; 1 k; 0 m; s -> j;"
                   "j -> a; j -> n; n -> b; n -> k; k -> g; k -> m; m -> c; }",
                   "l-");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resonant_circuit_is_linear),
        cmocka_unit_test(time_is_straight_or_not),
        cmocka_unit_test(a_law_that_is_no_line_bends),
        cmocka_unit_test(modes_are_joined),
        cmocka_unit_test(dependent_storages_follow_the_others),
        cmocka_unit_test(islands_do_not_see_each_other),
        cmocka_unit_test(what_a_loop_finds_depends_on_all_that_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
