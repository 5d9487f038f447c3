/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Systems written by hand with the interface of the run-time: a field, its Jacobian, relations, powers,
 * energies as plain functions; outputs are the states and then those added by the system. And a recorder of
 * rows. */
#ifndef HBG_TESTS_SYSTEMS_IMPL_H
#define HBG_TESTS_SYSTEMS_IMPL_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "rt/bump_impl.h"
#include "rt/by_hand.h"
#include "sim/sim.h"

enum { HAND_RELATIONS = 8, HAND_INPUTS = 4, HAND_STATES = 16 };

typedef struct hand hand;

/* Fields that a test fills in; a NULL function is missing. */
typedef struct {
    int32_t n;
    double start[HAND_STATES];
    void (*start_at)(hand *h, double *x); /* instead of start, for many states */
    void (*rates)(hand *h, double t, const double *x, double *dx);
    void (*jacobian)(hand *h, double t, const double *x, double *dense); /* by rows, zeroed */
    hbg_rt_pattern pattern;                                              /* where jacobian_values is given */
    void (*jacobian_values)(hand *h, double t, const double *x, double *values);
    int32_t relation_count;
    void (*relations)(hand *h, double t, const double *x, double *g); /* true where g > 0 */
    int32_t power_count, storage_count, clock_count, input_count,
        output_count; /* outputs in addition to the states */
    hbg_rt_power powers[4];
    hbg_rt_clock clocks[4];
    void (*power)(hand *h, double t, const double *x, double *power);
    void (*energy)(hand *h, double t, const double *x, double *energy);
    void (*output)(hand *h, double t, const double *x, double *y);
    void (*jump)(hand *h, double t, const double *x, double *x_plus);
    void (*jump_work)(hand *h, double *work);
    void (*settle)(hand *h, double t, double *x);
    void (*tick)(hand *h, double t, const double *x, int32_t clock);
    double (*next_break)(hand *h, double t);
    double fails_after; /* rates fail after this time, if it is more than 0 */
    double parameter[4];
} recipe;

struct hand {
    const recipe *r;
    hbg_rt_description system;
    hbg_rt_by_hand table;
    hbg_rt_instance *instance;
    hbg_rt_variable states[HAND_STATES], outputs[2 * HAND_STATES], storages[4];
    char names[HAND_STATES][24];
    int32_t start[HAND_STATES + 1], row[HAND_STATES * HAND_STATES];
    double dense[HAND_STATES * HAND_STATES];
    hbg_rt_variable *many;
    double input[HAND_INPUTS], held[4];
    int64_t ticks, calls;
    hbg_rt_failure failure;
    bump memory; /* of the instance */
};

/* Whether relation k holds: its frozen value, or the present one. */
static inline bool holds(hand *h, int32_t k, double t, const double *x) {
    return hbg_rt_by_hand_holds(h->instance, k, t, x);
}

static hbg_rt_status hand_set(void *self, int32_t index, double value) {
    hand *h = self;
    h->input[index] = value;
    return HBG_RT_OK;
}

static hbg_rt_status hand_declare(void *self, double *x) {
    hand *h = self;
    if (h->r->start_at != NULL)
        h->r->start_at(h, x);
    else
        memcpy(x, h->r->start, (size_t)h->r->n * sizeof *x);
    return HBG_RT_OK;
}

static hbg_rt_status hand_jump(void *self, double t, const double *x, double *x_plus) {
    hand *h = self;
    h->r->jump(h, t, x, x_plus);
    return HBG_RT_OK;
}

static hbg_rt_status hand_settle(void *self, double t, double *x) {
    hand *h = self;
    h->r->settle(h, t, x);
    return HBG_RT_OK;
}

static hbg_rt_status hand_rates(void *self, double t, const double *x, double *dx) {
    hand *h = self;
    h->calls++;
    if (h->r->fails_after > 0 && t > h->r->fails_after) {
        h->failure = (hbg_rt_failure){.status = HBG_RT_SINGULAR, .time = t};
        (void)snprintf(h->failure.text, sizeof h->failure.text, "the loop of bridge.e cannot be solved");
        return HBG_RT_SINGULAR;
    }
    if (h->r->rates != NULL) h->r->rates(h, t, x, dx);
    return HBG_RT_OK;
}

static hbg_rt_status hand_outputs(void *self, double t, const double *x, double *y) {
    hand *h = self;
    memcpy(y, x, (size_t)h->r->n * sizeof *x);
    if (h->r->output != NULL) h->r->output(h, t, x, y + h->r->n);
    return HBG_RT_OK;
}

static hbg_rt_status hand_powers(void *self, double t, const double *x, double *power) {
    hand *h = self;
    h->r->power(h, t, x, power);
    return HBG_RT_OK;
}

static hbg_rt_status hand_energies(void *self, double t, const double *x, double *energy) {
    hand *h = self;
    h->r->energy(h, t, x, energy);
    return HBG_RT_OK;
}

static hbg_rt_status hand_jump_work(void *self, double *work) {
    hand *h = self;
    h->r->jump_work(h, work);
    return HBG_RT_OK;
}

static hbg_rt_status hand_jacobian(void *self, double t, const double *x, double *values) {
    hand *h = self;
    int32_t n = h->r->n;
    if (h->r->jacobian_values != NULL) {
        h->r->jacobian_values(h, t, x, values);
        return HBG_RT_OK;
    }
    memset(h->dense, 0, sizeof h->dense);
    if (h->r->jacobian != NULL) h->r->jacobian(h, t, x, h->dense);
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) values[j * n + i] = h->dense[i * n + j];
    return HBG_RT_OK;
}

static hbg_rt_status hand_relations(void *self, double t, const double *x, double *g) {
    hand *h = self;
    h->r->relations(h, t, x, g);
    return HBG_RT_OK;
}

static double hand_next_break(void *self, double t) {
    hand *h = self;
    return h->r->next_break(h, t);
}

static hbg_rt_status hand_tick(void *self, double t, const double *x, const int32_t *clocks, int32_t count) {
    hand *h = self;
    h->ticks += count;
    for (int32_t i = 0; i < count; i++)
        if (h->r->tick != NULL) h->r->tick(h, t, x, clocks[i]);
    return HBG_RT_OK;
}

static inline void hand_name(hand *h) {
    const recipe *r = h->r;
    int32_t n = r->n, few = n <= HAND_STATES ? n : 0;
    for (int32_t i = 0; i < few; i++) {
        (void)snprintf(h->names[i], sizeof h->names[i], "store%d.q", (int)i);
        h->states[i] = (hbg_rt_variable){.name = h->names[i], .unit = "C"};
        for (int32_t j = 0; j < n; j++) h->row[i * n + j] = j;
        h->start[i + 1] = (i + 1) * n;
    }
    for (int32_t i = 0; i < 2 * HAND_STATES; i++) h->outputs[i] = (hbg_rt_variable){.name = "y", .unit = ""};
    for (int32_t i = 0; i < few; i++) h->outputs[i] = h->states[i];
    for (int32_t i = 0; i < 4; i++) h->storages[i] = (hbg_rt_variable){.name = "store", .unit = "J"};
    if (n <= HAND_STATES) return;
    h->many = calloc((size_t)n, sizeof *h->many);
    assert_non_null(h->many);
    for (int32_t i = 0; i < n; i++) h->many[i] = (hbg_rt_variable){.name = "cell.q", .unit = "C"};
}

static inline void hand_describe(hand *h) {
    const recipe *r = h->r;
    h->system = (hbg_rt_description){
        .name = "by hand",
        .state_count = r->n,
        .states = h->many != NULL ? h->many : h->states,
        .output_count = r->n + r->output_count,
        .outputs = h->many != NULL ? h->many : h->outputs,
        .input_count = r->input_count,
        .inputs = h->outputs,
        .clock_count = r->clock_count,
        .clocks = r->clocks,
        .root_count = r->relation_count,
        .power_count = r->power_count,
        .powers = r->powers,
        .storage_count = r->storage_count,
        .storages = h->storages,
    };
}

static inline void hand_init(hand *h, const recipe *r) {
    memset(h, 0, sizeof *h);
    h->r = r;
    hand_name(h);
    hand_describe(h);
    h->table = (hbg_rt_by_hand){
        .description = &h->system,
        .self = h,
        .failure = &h->failure,
        .set_param = hand_set,
        .set_input = hand_set,
        .declare = hand_declare,
        .jump = r->jump != NULL ? hand_jump : NULL,
        .jump_work = r->jump_work != NULL ? hand_jump_work : NULL,
        .settle = r->settle != NULL ? hand_settle : NULL,
        .rates = hand_rates,
        .outputs = hand_outputs,
        .powers = r->power != NULL ? hand_powers : NULL,
        .energies = r->energy != NULL ? hand_energies : NULL,
        .pattern = {.count = r->n, .start = h->start, .row = h->row},
        .jacobian = hand_jacobian,
        .relations = r->relations != NULL ? hand_relations : NULL,
        .next_break = r->next_break != NULL ? hand_next_break : NULL,
        .tick = hand_tick,
    };
    if (r->jacobian_values != NULL) h->table.pattern = r->pattern;
    h->instance = hbg_rt_by_hand_new(&h->table, bump_memory(&h->memory));
    assert_non_null(h->instance);
}

static inline hbg_rt_instance *hand_instance(hand *h) {
    return h->instance;
}

static inline void hand_fini(hand *h) {
    free(h->many);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

enum { HAND_ROWS = 200000 };

typedef struct {
    int32_t width, count;
    double *time, *value;    /* value by row */
    int32_t fails_at;        /* writing fails at this row, if it is more than 0 */
    int32_t looks, stops_at; /* progress: number of calls, and which one returns false */
} rows;

static inline bool take_row(void *context, double t, const double *y) {
    rows *r = context;
    if (r->fails_at > 0 && r->count + 1 >= r->fails_at) return false;
    if (r->count < HAND_ROWS) {
        r->time[r->count] = t;
        memcpy(r->value + (size_t)r->count * (size_t)r->width, y, (size_t)r->width * sizeof *y);
        r->count++;
    }
    return true;
}

static inline bool look(void *context, double t, double stop) {
    rows *r = context;
    (void)t, (void)stop;
    r->looks++;
    return r->stops_at == 0 || r->looks < r->stops_at;
}

/* ---- a run -------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hand h;
    rows rows;
    hbg_sim_options options;
    hbg_sim_result result;
    hbg_rt_status status;
} trial;

static inline void trial_init(trial *t, const recipe *r, hbg_sim_solver solver, double stop) {
    memset(t, 0, sizeof *t);
    hbg_base_arena_init(&t->arena, &t->memory);
    hand_init(&t->h, r);
    t->rows.width = r->n + r->output_count;
    t->rows.time = malloc(HAND_ROWS * sizeof(double));
    t->rows.value = malloc((size_t)HAND_ROWS * 8 * sizeof(double));
    assert_non_null(t->rows.time);
    assert_non_null(t->rows.value);
    t->options = hbg_sim_options_default();
    t->options.solver = solver;
    t->options.stop = stop;
    t->options.row = t->rows.width <= 8 ? take_row : NULL;
    t->options.context = &t->rows;
}

static inline void trial_run(trial *t) {
    t->status = hbg_sim_run(&t->arena, &t->h.system, hand_instance(&t->h), &t->options, &t->result);
}

static inline void trial_fini(trial *t) {
    free(t->rows.time);
    free(t->rows.value);
    hand_fini(&t->h);
    hbg_base_arena_fini(&t->arena);
    assert_int_equal(t->memory.used, 0);
}

static inline double row_value(const trial *t, int32_t row, int32_t column) {
    return t->rows.value[(size_t)row * (size_t)t->rows.width + (size_t)column];
}

/* |a − b| ≤ error, reported with all digits if it fails */
#define assert_near(a, b, error)                                                                             \
    do {                                                                                                     \
        double near_a = (a), near_b = (b), near_error = (error);                                             \
        if (!(fabs(near_a - near_b) <= near_error))                                                          \
            fail_msg("%s = %.17g, wanted %.17g within %.3g", #a, near_a, near_b, near_error);                \
    } while (0)

#endif
