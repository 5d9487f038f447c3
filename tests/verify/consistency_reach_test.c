/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The weaker published condition, with modes judged as they are entered, and whether what is wrong is within reach: on small models whose
 * answer is known by hand. */
#include "consistency_impl.h"

/* What throws back is left as soon as it is entered, though a run could begin in it: only a run that begins in the other state is without a
 * mode. Where the guard reads what was before the throw, it is real. */
static void a_mode_is_judged_as_it_is_entered(void **state) {
    (void)state;
    fixture t;
#define THROW(up, down)                                                                                      \
    "I m(1); 1 v; v -> m; Sf s(-pre(v.f)); 0 c when k; s -> c -> v;\n"                                       \
    "automaton k { off a -> b when " up "; on b -> a when " down "; }\n"
    const hbg_group_result *group = examine(&t, THROW("v.f > 0", "v.f < 0"));
    assert_int_equal(group->real_mode, HBG_VERDICT_WITNESS);
    assert_string_equal(group->never_real[0], "m.p > 0");
    assert_non_null(group->never_real_from);
    assert_int_equal(group->never_real_from[0], 0);
    assert_int_equal(group->phases[1].word_count, 0);
    assert_int_equal(group->phases[1].entered_count, 1);
    assert_string_equal(group->phases[1].entered[0].words[0], "m.p > 0");
    end(&t);
    group = examine(&t, THROW("pre(v.f) > 0", "pre(v.f) < 0"));
    assert_int_equal(group->real_mode, HBG_VERDICT_PROVED);
    end(&t);
}

/* A clock lets time flow between its ticks: a mode that is left at every tick is real all the same. */
static void a_clock_leaves_time_to_flow_between_its_ticks(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, "C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"
                    "automaton a every 0.1 { off open -> closed when store.q > 1; on closed -> open when "
                    "store.q < 2; }\n");
    assert_int_equal(group->real_mode, HBG_VERDICT_PROVED);
    assert_int_equal(group->overlap, HBG_VERDICT_WITNESS);
    assert_int_equal(group->phases[0].word_count, 1);
    assert_string_equal(group->phases[0].words[0], "a ticks, store.q > 1");
    end(&t);
}

/* While the relay is open the charge stands still, so that nothing leads into the overlap; an input does. */
static void a_region_is_within_reach_if_an_exit_leads_there(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("store.q > 1", "store.q < 2"));
    assert_int_equal(group->findings[0].reachable,
                     HBG_VERDICT_WITNESS); // from above: closed, it discharges through 2
    end(&t);
    group = examine(&t, RELAY("store.q > 1 && store.q < 2", "store.q > 1 && store.q < 1.5"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS); // from above 2 the load leads down to 1.5
    assert_string_equal(group->findings[0].region[0], "1 < store.q < 1.5");
    end(&t);
    group = examine(&t, RELAY("store.q > 3", "store.q > 3 && store.q < 4"));
    assert_string_equal(group->findings[0].region[0], "3 < store.q < 4");
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS); // closed above 4, it comes down
    end(&t);
    group = examine(&t, RELAY("store.q < -1", "store.q < -1"));
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_PROVED); // nothing becomes smaller than it is
    end(&t);
}

/* A source that holds what `pre` was cannot have held another number for a while than one with which its mode would have stayed: nothing is
 * thrown back and then kept, and no guard leaves such a mode later. */
static void a_mode_that_would_have_been_lost_is_not_begun_in(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, THROW("v.f > 0", "v.f < 0"));
    assert_int_equal(group->finding_count, 1);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_PROVED); // no force changes the velocity
    end(&t);
    group = examine(&t, "I m(1); 1 v; v -> m; Se g(-1); g -> v; state x = 1 : der = v.f;\n"
                        "Sf s(-pre(v.f)); 0 c when k; s -> c -> v;\n"
                        "automaton k { off a -> b when x <= 0 && v.f < 0; on b -> a when v.f > 0; }\n");
    assert_int_equal(group->finding_count, 1);
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS); // it falls on the floor
    end(&t);
}

/* The charge comes nearer and nearer to 1 and never falls below: at the edge it stands still, and no derivative says where to. */
static void what_only_comes_near_is_not_within_reach(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, "Se s(1); R r(1); 1 j when k; s -> j -> r; C c(1); 1 l; Se t(1); R rr(1);\n"
                    "t -> l -> c; l -> rr;\n"
                    "automaton k { off o -> x when c.q < 1; on x -> o when j.f > 0.5; }\n");
    assert_string_equal(group->findings[0].region[0], "c.q < 1");
    assert_int_not_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS);
    end(&t);
    group = examine(&t, "Se s(1); R r(1); 1 j when k; s -> j -> r; C c(1); 1 l; Se t(0); R rr(1);\n"
                        "t -> l -> c; l -> rr;\n"
                        "automaton k { off o -> x when c.q < 1; on x -> o when j.f > 0.5; }\n");
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS); // it goes on to 0
    end(&t);
}

/* The source holds what it was when the mode was entered: 0 at a start, and so for ever. A number above 0, which turns the automaton to and
 * fro, is nowhere known to come about, be it at an exit or at a start; in the second model no rate is there to lead to an exit. */
static void what_a_source_holds_from_before_is_not_certain(void **state) {
    (void)state;
#define HELD(rate)                                                                                           \
    "Se se(-1); Sf sf(-pre(se.f)); 0 j; se -> j; sf -> j; state y = 0 : der = " rate ";\n"                   \
    "automaton a { off o -> x when pre(se.f) > 0 && y <= 0; on x -> o when y >= -1; }\n"
    static const char *const models[] = {HELD("-se.f"), HELD("0")};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        fixture t;
        const hbg_group_result *group = examine(&t, models[i]);
        assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
        assert_int_equal(group->findings[0].reachable, HBG_VERDICT_UNDECIDED);
        end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_mode_is_judged_as_it_is_entered),
                                       cmocka_unit_test(a_clock_leaves_time_to_flow_between_its_ticks),
                                       cmocka_unit_test(a_region_is_within_reach_if_an_exit_leads_there),
                                       cmocka_unit_test(a_mode_that_would_have_been_lost_is_not_begun_in),
                                       cmocka_unit_test(what_only_comes_near_is_not_within_reach),
                                       cmocka_unit_test(what_a_source_holds_from_before_is_not_certain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
