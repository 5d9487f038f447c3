/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults in time: what is set when. */
#include "lang/fixture_impl.h"

#include <math.h>
#include <time.h>

#include "fault/fault.h"
#include "rt/sensor.h"

#define CIRCUIT                                                                                              \
    "model M { Se s(1 [V]); R r(4 [Ohm]); C c(1 [F]); 1 j when key; s -> j -> r; j -> c; output o = c.e;\n"  \
    "  sample first every 1 [s] = c.e; sensor noisy = c.e every 1 [s] noise(1 [V], 4 [V2]);\n"               \
    "  sensor quiet = c.e every 1 [s];\n"                                                                    \
    "  automaton key { on shut -> open when c.e > 1 [V]; off open -> shut when c.e < 0 [V]; }\n"             \
    "  experiment e { stop 10 [s]; %s } }\n"

enum { MOST = 32 };

typedef struct {
    hbg_fault_plan *plan;
    hbg_fault_schedule all;
    hbg_sim_override list[MOST]; /* without the noise of the start */
    int32_t count;
} scheduled;

static scheduled schedule_of(fixture *f, const char *sentences, double stop) {
    const char *text = hbg_base_arena_print(&f->arena, CIRCUIT, sentences);
    hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, text));
    const int32_t experiments[] = {0};
    scheduled s = {.plan = hbg_fault_plan_new(&f->arena, sorted, experiments, 1)};
    s.all = hbg_fault_schedule_new(&f->arena, s.plan, stop, 7, NULL);
    for (int32_t i = 0; i < s.all.override_count; i++) {
        assert_true(i == 0 || s.all.overrides[i].time >= s.all.overrides[i - 1].time);
        if (s.all.overrides[i].cause < 0) continue;
        assert_true(s.count < MOST);
        s.list[s.count++] = s.all.overrides[i];
    }
    return s;
}

static const char *param_name(fixture *f, const scheduled *s, int32_t number) {
    hbg_buffer path;
    hbg_base_buffer_init(&path, &f->arena);
    hbg_model_path(s->plan->model, (hbg_object){HBG_OBJECT_PARAM, s->list[number].index}, &path);
    return path.data;
}

static void assert_set(fixture *f, const scheduled *s, int32_t number, double time, const char *name,
                       double value) {
    assert_true(number < s->count);
    const hbg_sim_override *of = &s->list[number];
    assert_int_equal(of->kind, HBG_RT_SET_PARAM);
    if (of->time != time || of->value != value || strcmp(param_name(f, s, number), name) != 0)
        fail_msg("at %g: %s = %.17g", of->time, param_name(f, s, number), of->value);
}

static void noise_of_the_model_is_there_from_the_start(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f, "", 10);
    assert_true(s.all.has_noise);
    assert_int_equal(s.all.override_count, 1);
    const hbg_sim_override *only = s.all.overrides;
    assert_int_equal(only->kind, HBG_RT_SENSE);
    assert_int_equal(only->index, 1); // behind the clock of `first`, before that of `quiet`
    assert_true(only->time == 0 && only->cause == HBG_NONE);
    assert_true(only->sensor->mean == 1 && only->sensor->deviation == 2 && only->sensor->seed == 7);
    assert_true(only->sensor->key == hbg_rt_sensor_key("noisy"));
}

static void an_end_brings_back_what_was(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f, "fault at 2 [s] until 3 [s]: r.R abrupt -25 [%];", 10);
    assert_int_equal(s.count, 2);
    assert_set(f, &s, 0, 2, "r*scale", 0.75);
    assert_set(f, &s, 1, 3, "r*scale", 1);
    assert_int_equal(hbg_fault_of_cause(s.list[1].cause), 0);
    assert_false(hbg_fault_ends(s.list[0].cause));
    assert_true(hbg_fault_ends(s.list[1].cause));
}

/* slope·(t - 2) = slope·t - 2·slope */
static void a_slope_begins_at_nothing(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f, "fault at 2 [s]: r.R incipient 0.5 [Ohm/s];", 10);
    assert_int_equal(s.count, 1);
    assert_set(f, &s, 0, 2, "r*bias", -1);
    assert_true(s.list[0].slope == 0.5);
}

/* One that holds it stops a line, and it goes on behind. */
static void the_run_gets_lines(void **state) {
    fixture *f = *state;
    scheduled s =
        schedule_of(f,
                    "fault at 2 [s] until 8 [s]: r.R incipient 0.5 [Ohm/s];"
                    "fault at 4 [s] until 5 [s]: r stuck 9 [Ohm]; fault at 6 [s]: r abrupt 1 [Ohm];",
                    10);
    const double expected[][4] = {{2, -1, 0.5, 0}, {4, 0, 0, 1},   {4, 9, 0, 0}, {5, 1, 0, 1},
                                  {5, -1, 0.5, 0}, {6, 0, 0.5, 0}, {8, 1, 0, 0}};
    assert_int_equal(s.count, 7);
    for (int i = 0; i < 7; i++) {
        assert_set(f, &s, i, expected[i][0], expected[i][3] != 0 ? "r*scale" : "r*bias", expected[i][1]);
        assert_true(s.list[i].is_line);
        if (expected[i][3] == 0) assert_true(s.list[i].slope == expected[i][2]);
    }
}

static void biases_add_up_and_the_last_that_holds_wins(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f,
                              "fault at 1 [s]: r abrupt 1 [Ohm]; fault at 2 [s]: r abrupt 2 [Ohm];"
                              "fault at 3 [s] until 6 [s]: r stuck 9 [Ohm];"
                              "fault at 4 [s] until 5 [s]: r stuck 8 [Ohm];",
                              10);
    assert_int_equal(s.count, 8);
    assert_set(f, &s, 0, 1, "r*bias", 1);
    assert_set(f, &s, 1, 2, "r*bias", 3);
    assert_set(f, &s, 2, 3, "r*scale", 0);
    assert_set(f, &s, 3, 3, "r*bias", 9);
    assert_set(f, &s, 4, 4, "r*bias", 8);
    assert_set(f, &s, 5, 5, "r*bias", 9);
    assert_set(f, &s, 6, 6, "r*scale", 1);
    assert_set(f, &s, 7, 6, "r*bias", 3);
}

/* What begins and ends without a change is heard of all the same. */
static void every_fault_is_heard_of(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f, "fault at 1 [s]: r stuck 9; fault at 2 [s] until 3 [s]: r abrupt 1;", 10);
    bool begins = false, ends = false;
    for (int32_t i = 0; i < s.count; i++) {
        begins |= s.list[i].time == 2 && s.list[i].cause == 2;
        ends |= s.list[i].time == 3 && s.list[i].cause == 3;
        if (s.list[i].time >= 2 && strcmp(param_name(f, &s, i), "r*bias") == 0)
            assert_true(s.list[i].value == 9);
    }
    assert_true(begins && ends);
}

static void nothing_is_scheduled_behind_the_stop(void **state) {
    fixture *f = *state;
    static const char *const faults = "fault at 2 [s] until 5 [s]: key stuck off; fault at 7 [s]: r stuck 1;";
    assert_int_equal(schedule_of(f, faults, 1).count, 0);
    assert_int_equal(schedule_of(f, faults, 2).count, 1);
    assert_int_equal(schedule_of(f, faults, 5).count, 2);
    assert_int_equal(schedule_of(f, faults, 10).count, 4); // scale and bias
}

/* Runs of one compiled model, each with faults of its own. */
static void faults_that_are_not_chosen_do_nothing(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f, "fault at 2 [s]: r abrupt 1 [Ohm]; fault at 2 [s]: r abrupt 2 [Ohm];", 10);
    const int32_t second[] = {1};
    const hbg_fault_choice choice = {second, 1};
    hbg_fault_schedule only = hbg_fault_schedule_new(&f->arena, s.plan, 10, 7, &choice);
    assert_int_equal(only.override_count, 2); // and the noise
    assert_true(only.overrides[1].value == 2);
    assert_int_equal(hbg_fault_of_cause(only.overrides[1].cause), 1);
}

static void automata_are_held_and_let_go(void **state) {
    fixture *f = *state;
    scheduled s =
        schedule_of(f,
                    "fault at 1 [s] until 4 [s]: key stuck on; fault at 2 [s] until 3 [s]: key stuck "
                    "open; fault at 5 [s]: key stuck off;",
                    10);
    static const int32_t states[] = {HBG_RT_HOLD_ON, 1, HBG_RT_HOLD_ON, HBG_RT_HOLD_NOT, HBG_RT_HOLD_OFF};
    assert_int_equal(s.count, 5);
    assert_true(s.plan->holds);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(s.list[i].kind, HBG_RT_HOLD);
        assert_int_equal(s.list[i].state, states[i]);
        assert_true(s.list[i].time == i + 1);
    }
}

static void a_fault_of_noise_replaces_that_of_the_model(void **state) {
    fixture *f = *state;
    scheduled s = schedule_of(f,
                              "fault at 1 [s] until 3 [s]: noisy noise(0, 9); fault at 2 [s]: noisy bias 0.5;"
                              "fault at 4 [s]: noisy stuck 6;",
                              10);
    assert_int_equal(s.count, 4);
    for (int32_t i = 0; i < 4; i++) assert_int_equal(s.list[i].index, 1);
    assert_true(s.list[0].sensor->mean == 0 && s.list[0].sensor->deviation == 3);
    assert_true(s.list[1].sensor->deviation == 3 && s.list[1].sensor->bias == 0.5);
    assert_true(s.list[2].sensor->deviation == 2 && s.list[2].sensor->mean == 1);
    assert_true(s.list[3].sensor->is_stuck && s.list[3].sensor->stuck == 6);
    assert_false(s.list[2].sensor->is_stuck);
}

/* Each adds 0.1 Ohm for 3 s, and all of them are in force at once for a while. Their sum is worked out from those in force: when
 * all have ended nothing is left of it, whatever rounding did on the way. */
static void very_many_faults_of_one_target_are_no_matter(void **state) {
    fixture *f = *state;
    enum { FAULTS = 20000 };
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    for (int i = 0; i < FAULTS; i++)
        hbg_base_buffer_print(&text, "fault at %g [s] until %g [s]: r abrupt 0.1 [Ohm];", i * 1e-4,
                              3 + i * 1e-4);
    const char *model = hbg_base_arena_print(&f->arena, CIRCUIT, text.data);
    hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, model));
    const int32_t experiments[] = {0};
    hbg_fault_plan *plan = hbg_fault_plan_new(&f->arena, sorted, experiments, 1);
    clock_t began = clock();
    hbg_fault_schedule all = hbg_fault_schedule_new(&f->arena, plan, 10, 7, NULL);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC, most = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < all.override_count; i++) {
        if (all.overrides[i].cause < 0) continue;
        most = fmax(most, all.overrides[i].value);
        count++;
    }
    assert_int_equal(count, 2 * FAULTS);
    assert_true(fabs(most - 0.1 * FAULTS) < 1e-9 * FAULTS);
    assert_true(all.overrides[all.override_count - 1].value == 0);
    if (seconds > 5)
        fail_msg("%g s for %d faults", seconds, FAULTS); // 40 000 moments of 20 000 would be 800 million
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(very_many_faults_of_one_target_are_no_matter, setup, teardown),
        TEST(noise_of_the_model_is_there_from_the_start),
        TEST(an_end_brings_back_what_was),
        TEST(a_slope_begins_at_nothing),
        TEST(the_run_gets_lines),
        TEST(biases_add_up_and_the_last_that_holds_wins),
        TEST(every_fault_is_heard_of),
        TEST(nothing_is_scheduled_behind_the_stop),
        TEST(faults_that_are_not_chosen_do_nothing),
        TEST(automata_are_held_and_let_go),
        TEST(a_fault_of_noise_replaces_that_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
