/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hundreds of random hybrid bond graphs, run for a while: every instant of every run is gone through a second time by an oracle
 * that shares nothing with the equations (hybrid_oracle_impl.h, hybrid_replay_impl.h). HBG_SOAK=1 takes thousands;
 * HBG_HYBRID_SEED=… one, and shows it; HBG_HYBRID_TELL=1 names each, and what was refused. */
#include "hybrid_follow_impl.h"
#include "support/soak.h"

static void every_instant_is_the_one_the_laws_give(void **state) {
    (void)state;
    follow_statistics s = follow_many(many_trials(600, 2000, 20000), 1, LOOK_ALL);
    int runs = s.graphs - s.refused;
    if (getenv("HBG_HYBRID_SEED")) return;
    int undetermined = s.why[HBG_RT_UNDEFINED]; // a guard reads what off junctions leave open
    assert_true(50 * (s.refused - undetermined) <= s.graphs && 15 * undetermined <= s.graphs);
    assert_int_equal(s.why[HBG_RT_SINGULAR], 0); // zeros set twice are no error
    assert_true(s.dependent > runs / 2 && s.replay.jumps > runs / 2 && s.replay.pulses > runs / 2);
    assert_true(s.replay.mythical > runs / 20 && s.replay.pinnacles > runs / 100);
    assert_true(s.replay.verdicts[HBG_RT_DIVERGENCE] > runs / 100);
    assert_true(20 * s.replay.unfinished <= s.replay.instants);
    assert_true(80 * s.replay.turned <=
                s.replay.instants); // searches that the oracle sees come back, and the run does not
}

/* One claim at a time. */

static void energies_behind_a_jump_are_those_of_the_laws(void **state) {
    (void)state;
    follow_many(trials(25, 160), 2, LOOK_JUMPS);
}

static void areas_of_pulses_obey_every_law(void **state) {
    (void)state;
    follow_many(trials(25, 160), 3, LOOK_AREAS);
}

static void sums_the_structure_conserves_stay_what_they_were(void **state) {
    (void)state;
    follow_many(trials(25, 160), 4, LOOK_CONSERVED);
}

static void energy_lost_is_what_is_missing_and_none_is_created(void **state) {
    (void)state;
    follow_many(trials(25, 160), 5, LOOK_ENERGY);
}

static void automata_move_when_their_guards_hold_and_only_then(void **state) {
    (void)state;
    follow_many(trials(25, 500), 6, LOOK_MOVES);
}

static void verdicts_and_kinds_of_modes_are_those_of_the_iteration(void **state) {
    (void)state;
    follow_many(trials(25, 160), 7, LOOK_VERDICTS);
}

static void while_time_flows_values_obey_the_laws_and_no_guard_holds(void **state) {
    (void)state;
    follow_many(trials(25, 160), 8, LOOK_FLOW);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instant_is_the_one_the_laws_give),
        cmocka_unit_test(energies_behind_a_jump_are_those_of_the_laws),
        cmocka_unit_test(areas_of_pulses_obey_every_law),
        cmocka_unit_test(sums_the_structure_conserves_stay_what_they_were),
        cmocka_unit_test(energy_lost_is_what_is_missing_and_none_is_created),
        cmocka_unit_test(automata_move_when_their_guards_hold_and_only_then),
        cmocka_unit_test(verdicts_and_kinds_of_modes_are_those_of_the_iteration),
        cmocka_unit_test(while_time_flows_values_obey_the_laws_and_no_guard_holds),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
