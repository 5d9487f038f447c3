/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Looks at guards without a search: their answers, their moves, and that a search would have found the
 * same. */
#include "eqn/fixture_impl.h"

#define CHOPPER(more, automata)                                                                              \
    "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(1, q = 0); R load(5); s -> j; j -> r; j -> n; n -> c;" \
    "n -> load; " more automata " }"
#define TWO_POINT "automaton a { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; }"

typedef struct {
    fixture f;
    int32_t states[4];
    hbg_rt_search search;
    hbg_rt_look look;
} looker;

/* At t = 0, after the first instant. */
static void begin(looker *l, const char *text) {
    memset(l, 0, sizeof *l);
    fixture_open(&l->f, text);
    const hbg_rt_description *system = l->f.system;
    assert_true(system->automaton_count <= 4);
    assert_fine(&l->f, hbg_rt_declare(l->f.run, l->f.x));
    assert_fine(&l->f, hbg_rt_enter(l->f.run, NULL));
    memcpy(l->states, system->start_states, (size_t)system->automaton_count * sizeof *l->states);
    l->search = (hbg_rt_search){.system = system,
                                .instance = l->f.run,
                                .states = l->states,
                                .x = l->f.x,
                                .scratch = hbg_base_arena_alloc(&l->f.arena, hbg_rt_instant_scratch(system))};
    assert_fine(&l->f, hbg_rt_instant(&l->search, 0, true, NULL, 0));
    l->look.states = l->states;
}

static hbg_rt_look_end look_at(looker *l, double t, double q) {
    set_state(&l->f, "c.q", q);
    assert_fine(&l->f, hbg_rt_look_at_guards(l->f.run, t, l->f.x, &l->look));
    return l->look.end;
}

static int32_t state_of_automaton(const looker *l, const char *name) {
    for (int32_t i = 0; i < l->f.system->automaton_count; i++)
        if (strcmp(l->f.system->automata[i].name, name) == 0) return l->states[i];
    fail_msg("no automaton %s", name);
    return -1;
}

/* c.e is the charge; shut is state 0, open is 1; the current through r is (10 − q)/1 while shut. */
static void a_look_moves_what_has_to_move(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("", TWO_POINT));
    assert_int_equal(look_at(&l, 0.1, 4.5), HBG_RT_LOOK_QUIET);
    assert_exact(rate_at(&l.f, "c.q", 0.1), 5.5 - 0.9);
    assert_int_equal(look_at(&l, 0.2, 5.1), HBG_RT_LOOK_MOVED);
    assert_int_equal(l.look.moves, 1);
    assert_int_equal(l.states[0], 1);
    assert_near(rate_at(&l.f, "c.q", 0.2), -5.1 / 5, 1e-15); // the junction is off
    assert_int_equal(look_at(&l, 0.3, 4.5), HBG_RT_LOOK_QUIET);
    assert_int_equal(look_at(&l, 0.4, 3.9), HBG_RT_LOOK_MOVED);
    assert_int_equal(l.states[0], 0);
    assert_near(rate_at(&l.f, "c.q", 0.4), 6.1 - 3.9 / 5, 1e-15);
    fixture_close(&l.f);
}

/* An instant after a look finds nothing left to do, and vice versa. */
static void searches_and_looks_take_turns(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("", TWO_POINT));
    assert_int_equal(look_at(&l, 0.1, 5.5), HBG_RT_LOOK_MOVED);
    assert_fine(&l.f, hbg_rt_instant(&l.search, 0.1, false, NULL, 0));
    assert_int_equal(l.search.commits, 0);
    assert_int_equal(l.states[0], 1);
    set_state(&l.f, "c.q", 3);
    double g[40];
    assert_true(l.f.system->root_count <= 40);
    assert_fine(&l.f, hbg_rt_indicators(l.f.run, 0.2, l.f.x, g)); // it sees the crossing
    int32_t crossed = -1;
    for (int32_t i = l.f.system->guard_first; i < l.f.system->root_count; i++)
        if (g[i] < 0) crossed = i;
    assert_true(crossed >= 0);
    assert_fine(&l.f, hbg_rt_instant(&l.search, 0.2, false, &crossed, 1));
    assert_int_equal(l.search.commits, 1);
    assert_int_equal(l.states[0], 0);
    assert_int_equal(look_at(&l, 0.3, 3), HBG_RT_LOOK_QUIET);
    fixture_close(&l.f);
}

static void what_is_near_equality_is_left_to_a_search(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("", TWO_POINT));
    assert_int_equal(look_at(&l, 0.1, 4.5), HBG_RT_LOOK_QUIET);
    assert_int_equal(look_at(&l, 0.2, 5), HBG_RT_LOOK_SEARCH);
    assert_int_equal(look_at(&l, 0.2, 5 + 1e-10), HBG_RT_LOOK_SEARCH);
    assert_int_equal(look_at(&l, 0.2, 5 - 1e-10), HBG_RT_LOOK_SEARCH);
    assert_int_equal(l.states[0], 0);
    assert_int_equal(l.look.moves, 0);
    assert_int_equal(look_at(&l, 0.2, 5 + 1e-7), HBG_RT_LOOK_MOVED);
    assert_int_equal(look_at(&l, 0.3, NAN), HBG_RT_LOOK_SEARCH);
    fixture_close(&l.f);
}

/* b moves once a has: a look makes one move at a time and leaves a second one to the search. */
static void a_second_move_at_one_instant_is_left_to_a_search(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("R q(2); 1 h when b; s2 -> h; h -> q; h -> n; Se s2(3); ",
                      TWO_POINT "automaton b { on up -> down when !a && c.e > 3; off down -> up when a; }"));
    assert_int_equal(look_at(&l, 0.1, 4.5), HBG_RT_LOOK_QUIET);
    assert_int_equal(look_at(&l, 0.2, 5.5), HBG_RT_LOOK_SEARCH);
    assert_int_equal(state_of_automaton(&l, "a"), 0); // nothing has been touched
    assert_int_equal(state_of_automaton(&l, "b"), 0);
    assert_exact(rate_at(&l.f, "c.q", 0.2), (10 - 5.5) + (3 - 5.5) / 2 - 5.5 / 5);
    fixture_close(&l.f);
}

static void automata_move_at_once_on_the_values_before(void **unused) {
    looker l;
    (void)unused;
    /* each reads where the other is; both leave at the same look */
    begin(&l, CHOPPER("R q(2); 1 h when b; s2 -> h; h -> q; h -> n; Se s2(3); ",
                      "automaton a { on shut -> open when c.e >= 5 && b; off open -> shut when c.e <= 4; }"
                      "automaton b { on up -> down when c.e >= 5 && a; off down -> up when c.e <= 3; }"));
    assert_int_equal(look_at(&l, 0.1, 5.5), HBG_RT_LOOK_MOVED);
    assert_int_equal(l.look.moves, 2);
    assert_int_equal(state_of_automaton(&l, "a"), 1);
    assert_int_equal(state_of_automaton(&l, "b"), 1);
    assert_int_equal(look_at(&l, 0.2, 3.5), HBG_RT_LOOK_MOVED);
    assert_int_equal(l.look.moves, 1);
    fixture_close(&l.f);
}

static void the_first_transition_that_holds_is_taken(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("", "automaton a { on shut -> open when c.e >= 5; on shut -> locked when c.e >= 4.5;"
                          "off open -> shut when c.e <= 4; off locked -> shut when c.e <= 1; }"));
    assert_int_equal(look_at(&l, 0.1, 4.7), HBG_RT_LOOK_MOVED);
    assert_string_equal(l.f.system->automata[0].states[l.states[0]], "locked");
    assert_int_equal(look_at(&l, 0.2, 0.5), HBG_RT_LOOK_MOVED);
    assert_int_equal(look_at(&l, 0.3, 6), HBG_RT_LOOK_MOVED); // either would do
    assert_string_equal(l.f.system->automata[0].states[l.states[0]], "open");
    fixture_close(&l.f);
}

static void an_automaton_that_is_held_stays(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("", TWO_POINT));
    assert_fine(&l.f, hbg_rt_hold_automaton(l.f.run, 0, 0));
    assert_int_equal(look_at(&l, 0.1, 7), HBG_RT_LOOK_QUIET);
    assert_int_equal(l.states[0], 0);
    assert_fine(&l.f, hbg_rt_hold_automaton(l.f.run, 0, HBG_RT_HOLD_NOT));
    assert_int_equal(look_at(&l, 0.2, 7), HBG_RT_LOOK_MOVED);
    fixture_close(&l.f);
}

/* b is not calm: a relation of its present state that changes side requires a search, others do not. */
static void a_relation_of_another_automaton_asks_for_a_search(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("R q(2); 1 h when b; s2 -> h; h -> q; h -> n; Se s2(3); ", TWO_POINT
                      "automaton b { on up -> down when c.e > 6; off down -> up after 1 when c.e < 2; }"));
    assert_int_equal(look_at(&l, 0.1, 4.5), HBG_RT_LOOK_QUIET);
    assert_int_equal(look_at(&l, 0.2, 1), HBG_RT_LOOK_QUIET);    // `down` is not where it is
    assert_int_equal(look_at(&l, 0.3, 5.5), HBG_RT_LOOK_MOVED);  // a alone
    assert_int_equal(look_at(&l, 0.4, 6.5), HBG_RT_LOOK_SEARCH); // now b wants to
    assert_int_equal(look_at(&l, 0.5, 6.0), HBG_RT_LOOK_SEARCH); // or nearly
    fixture_close(&l.f);
}

/* The sizes that bands are shares of grow with the run: they are measured again every few looks. */
static void bands_follow_the_run(void **unused) {
    looker l;
    (void)unused;
    begin(&l,
          CHOPPER("state z = 0 : der = 1; ",
                  "automaton a { on shut -> open when c.e - z >= 5; off open -> shut when c.e - z <= 4; }"));
    assert_int_equal(look_at(&l, 0, 1), HBG_RT_LOOK_QUIET);
    double small = l.f.run->at.fin_band[0];
    set_state(&l.f, "z", 1e6);
    for (int i = 0; i < HBG_RT_LOOKS; i++) (void)look_at(&l, 0, 1e6 + 4.5);
    assert_true(small < 100 && l.f.run->at.fin_band[0] >= 1e6);
    assert_int_equal(look_at(&l, 0, 1e6 + 5 + 1e-5), HBG_RT_LOOK_SEARCH); // less than the band of 1e6
    fixture_close(&l.f);
}

static void a_model_without_calm_automata_always_searches_at_a_crossing(void **unused) {
    looker l;
    (void)unused;
    begin(&l, CHOPPER("", "automaton a { on shut -> open when r.f <= 5; off open -> shut after 1; }"));
    assert_int_equal(look_at(&l, 0.1, 1), HBG_RT_LOOK_QUIET); // r.f = 9
    assert_int_equal(look_at(&l, 0.2, 6), HBG_RT_LOOK_SEARCH);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_moves_what_has_to_move),
        cmocka_unit_test(searches_and_looks_take_turns),
        cmocka_unit_test(what_is_near_equality_is_left_to_a_search),
        cmocka_unit_test(a_second_move_at_one_instant_is_left_to_a_search),
        cmocka_unit_test(automata_move_at_once_on_the_values_before),
        cmocka_unit_test(the_first_transition_that_holds_is_taken),
        cmocka_unit_test(an_automaton_that_is_held_stays),
        cmocka_unit_test(a_relation_of_another_automaton_asks_for_a_search),
        cmocka_unit_test(bands_follow_the_run),
        cmocka_unit_test(a_model_without_calm_automata_always_searches_at_a_crossing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
