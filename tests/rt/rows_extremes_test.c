/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Extremes inside a step: looks are at extremes, and nowhere else. Outputs are functions of time alone. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rt/bump_impl.h"
#include "rt/by_hand.h"
#include "rt/rows.h"

enum { HUMP, BEND, LINE, OUTPUTS };

static bool has_hole; /* the hump, at its maximum */

static hbg_rt_status outputs_at(void *self, double t, const double *x, double *y) {
    (void)self, (void)x;
    y[HUMP] = has_hole && t > 0.45 && t < 0.55 ? NAN : 4 * t * (1 - t);
    y[BEND] = t * (1 - t) * (1 - 2 * t);
    y[LINE] = t;
    return HBG_RT_OK;
}

static void dense(hbg_rt_integrator *stepper, double t,
                  double *x) { /* NOLINT(readability-non-const-parameter): a stepper's */
    (void)stepper, (void)t, (void)x;
}

typedef struct {
    int count;
    double t[8], y[8][OUTPUTS];
} seen;

static void look(void *context, double t, const double *outputs, bool for_an_instant) {
    seen *looks = context;
    assert_false(for_an_instant);
    assert_true(looks->count < 8);
    looks->t[looks->count] = t;
    memcpy(looks->y[looks->count++], outputs, sizeof looks->y[0]);
}

/* The looks inside a step from 0 to 1 for the first `count` of these outputs, from a time on. */
static seen looks_of(const int32_t *outputs, int32_t count, double every, double from) {
    static const hbg_rt_variable names[OUTPUTS] = {{.name = "hump"}, {.name = "bend"}, {.name = "line"}};
    seen looks = {0};
    bump *memory = calloc(1, sizeof *memory);
    hbg_rt_room room = {.memory = bump_memory(memory)};
    hbg_rt_description system = {.output_count = OUTPUTS, .outputs = names};
    hbg_rt_by_hand by_hand = {.description = &system, .outputs = outputs_at};
    hbg_rt_integrator stepper = {.dense = dense};
    hbg_rt_engine engine = {.system = &system, .stepper = &stepper};
    engine.instance = hbg_rt_by_hand_new(&by_hand, room.memory);
    hbg_rt_row_options options = {.look = look,
                                  .context = &looks,
                                  .look_every = every,
                                  .look_from = from,
                                  .look_to = 10,
                                  .look_at = outputs,
                                  .look_count = count};
    hbg_rt_rows rows;
    hbg_rt_rows_init(&room, &system, &options, &rows);
    assert_false(room.is_exhausted);
    rows.engine = &engine;
    rows.look_next = fmax(rows.look_next, 1); // the start was looked at
    assert_int_equal(hbg_rt_rows_inside(&rows, 1), HBG_RT_OK);
    free(memory);
    return looks;
}

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-12)) fail_msg("%.17g, not %.17g", value, expected);
}

static void a_hump_inside_a_step_is_looked_at_where_it_is_greatest(void **state) {
    (void)state;
    seen looks = looks_of((const int32_t[]){HUMP}, 1, 10, 0);
    assert_int_equal(looks.count, 1);
    assert_near(looks.t[0], 0.5);
    assert_near(looks.y[0][HUMP], 1);
}

/* t·(1 − t)·(1 − 2t) is 0 at both ends and in the middle; it turns where 6t² − 6t + 1 = 0, and is ±√3/18
 * there. */
static void a_step_with_a_hump_on_either_side_has_both(void **state) {
    (void)state;
    seen looks = looks_of((const int32_t[]){BEND}, 1, 10, 0);
    assert_int_equal(looks.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(looks.t[i], (3 + (i ? 1 : -1) * sqrt(3)) / 6);
        assert_near(looks.y[i][BEND], (i ? -1 : 1) * sqrt(3) / 18);
    }
}

static void several_outputs_have_theirs_in_order_of_time(void **state) {
    (void)state;
    seen looks = looks_of((const int32_t[]){HUMP, LINE, BEND}, 3, 10, 0);
    assert_int_equal(looks.count, 3);
    assert_true(looks.t[0] < looks.t[1] && looks.t[1] < looks.t[2]);
    assert_near(looks.y[1][HUMP], 1);
}

static void what_does_not_turn_is_not_looked_at(void **state) {
    (void)state;
    assert_int_equal(looks_of((const int32_t[]){LINE}, 1, 10, 0).count, 0);
    assert_int_equal(looks_of(NULL, 0, 10, 0).count, 0);
    assert_int_equal(looks_of((const int32_t[]){HUMP}, 1, 10, 2).count, 0); // before the shown range
}

/* Looks at 0.4 and 0.8, and at the hump between them. */
static void a_hump_between_two_looks_is_there_too(void **state) {
    (void)state;
    seen looks = looks_of((const int32_t[]){HUMP}, 1, 0.4, 0);
    assert_int_equal(looks.count, 3);
    assert_near(looks.t[0], 0.4);
    assert_near(looks.t[1], 0.5);
    assert_near(looks.t[2], 0.8);
}

static void looks_begin_where_a_picture_does(void **state) {
    (void)state;
    seen looks = looks_of((const int32_t[]){LINE}, 1, 0.125, 0.5);
    assert_int_equal(looks.count, 4);
    for (int i = 0; i < 4; i++) assert_near(looks.t[i], 0.5 + 0.125 * i);
}

/* No value was requested there: the run continues. */
static void where_there_is_no_value_there_is_no_look(void **state) {
    (void)state;
    has_hole = true;
    int count = looks_of((const int32_t[]){HUMP}, 1, 10, 0).count;
    has_hole = false;
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hump_inside_a_step_is_looked_at_where_it_is_greatest),
        cmocka_unit_test(a_step_with_a_hump_on_either_side_has_both),
        cmocka_unit_test(several_outputs_have_theirs_in_order_of_time),
        cmocka_unit_test(what_does_not_turn_is_not_looked_at),
        cmocka_unit_test(a_hump_between_two_looks_is_there_too),
        cmocka_unit_test(looks_begin_where_a_picture_does),
        cmocka_unit_test(where_there_is_no_value_there_is_no_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
