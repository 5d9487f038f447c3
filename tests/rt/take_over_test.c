/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One compiled model for many runs: on threads each run has the bits it has alone, code is compiled once, and
 * runs do not affect each other. */
#include <pthread.h>

#include "eqn/fixture_impl.h"

enum { CELLS = 6, THREADS = 4, STEPS = 150 };

/* Coils that a junction cuts off, which makes them dependent, behind a law with a branch; each source reads
 * the capacitor of the cell before, so one cell's mode changes the computations of another. */
static void open_cells(fixture *f) {
    char text[6000] = "model M { param k = 4; ";
    size_t used = strlen(text);
    for (int i = 0; i < CELLS; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "Se s%d(5 + k%d.q/7); 1 j%d when c%d; I l%d(2 + k/%d, p = %d); C k%d(3, q = %d);"
            "R r%d : e = k*f + abs(f)*f/3; s%d -> j%d; j%d -> l%d; j%d -> k%d; j%d -> r%d;"
            "automaton c%d { on shut -> open when false; off open -> shut when false; } ",
            i, (i + CELLS - 1) % CELLS, i, i, i, i + 3, i + 1, i, 2 * i + 1, i, i, i, i, i, i, i, i, i, i);
    snprintf(text + used, sizeof text - used, "}");
    fixture_open(f, text);
}

/* A walk through modes: the results in each are the next state. */
typedef struct {
    hbg_code *code;
    hbg_rt_instance *run; /* NULL: one of its own memory */
    unsigned seed;
    double trace[STEPS * 4];
    hbg_rt_status status;
} walk;

static hbg_rt_status step(const hbg_rt_description *system, walk *w, int number, double *x) {
    double dx[4 * CELLS], values[16 * CELLS * CELLS];
    int32_t states[CELLS];
    for (int i = 0; i < CELLS; i++) {
        w->seed = w->seed * 1664525u + 1013904223u;
        states[i] = (int32_t)(w->seed >> 31);
    }
    hbg_rt_status status = hbg_rt_enter(w->run, states);
    if (status == HBG_RT_OK) status = hbg_rt_jump(w->run, 0, x, x);
    if (status == HBG_RT_OK) status = hbg_rt_rates(w->run, 0, x, dx);
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(w->run);
    if (status == HBG_RT_OK) status = hbg_rt_jacobian(w->run, 0, x, values);
    double sum = 0;
    for (int32_t k = 0; status == HBG_RT_OK && k < pattern.start[pattern.count]; k++)
        sum += (k % 5 + 1) * values[k];
    w->trace[4 * number] = x[number % system->state_count];
    w->trace[4 * number + 1] = dx[number % system->state_count];
    w->trace[4 * number + 2] = sum;
    for (int32_t k = 0; k < system->state_count; k++) x[k] = x[k] + 0.01 * dx[k] + 0.05 * (k % 3);
    return status;
}

static void *walk_on(void *context) {
    walk *w = context;
    const hbg_rt_description *system = hbg_code_system(w->code);
    hbg_memory memory = {0};
    double x[4 * CELLS];
    w->run = hbg_code_run_new(w->code, &memory);
    w->status = w->run ? hbg_rt_set_param(w->run, 0, 4 + w->seed % 3) : HBG_RT_NO_MEMORY;
    if (w->status == HBG_RT_OK) w->status = hbg_rt_declare(w->run, x);
    for (int i = 0; i < STEPS && w->status == HBG_RT_OK; i++) w->status = step(system, w, i, x);
    hbg_rt_free(w->run);
    if (memory.used != 0) w->status = HBG_RT_BAD_OPTION;
    return NULL;
}

static walk *new_walks(fixture *f, int count) {
    walk *walks = calloc((size_t)count, sizeof *walks);
    assert_non_null(walks);
    for (int i = 0; i < count; i++) walks[i] = (walk){.code = f->code, .seed = 17u + 1000u * (unsigned)i};
    return walks;
}

static void runs_on_threads_have_the_bits_they_have_alone(void **state) {
    fixture shared;
    pthread_t threads[THREADS];
    (void)state;
    open_cells(&shared);
    walk *together = new_walks(&shared, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, walk_on, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        fixture own;
        open_cells(&own);
        walk alone = {.code = own.code, .seed = 17u + 1000u * (unsigned)i};
        walk_on(&alone);
        assert_int_equal(alone.status, HBG_RT_OK);
        assert_int_equal(together[i].status, HBG_RT_OK);
        assert_memory_equal(alone.trace, together[i].trace, sizeof alone.trace);
        fixture_close(&own);
    }
    free(together);
    fixture_close(&shared);
}

/* As much for four runs on threads as for the same runs one after the other. */
static void every_piece_of_code_is_compiled_once(void **state) {
    fixture shared, single;
    pthread_t threads[THREADS];
    (void)state;
    open_cells(&shared);
    open_cells(&single);
    walk *together = new_walks(&shared, THREADS), *apart = new_walks(&single, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, walk_on, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) walk_on(&apart[i]);
    assert_true(hbg_code_compiled(single.code) >= 4 * CELLS); // blocks in two modes, with tangents
    assert_int_equal(hbg_code_compiled(shared.code), hbg_code_compiled(single.code));
    assert_int_equal(shared.code->image.code.mark.registers, single.code->image.code.mark.registers);
    int64_t compiled = hbg_code_compiled(single.code);
    walk_on(&apart[1]); // as if it were another run of the same kind
    assert_int_equal(hbg_code_compiled(single.code), compiled);
    free(together);
    free(apart);
    fixture_close(&shared);
    fixture_close(&single);
}

/* The table is read in one state only: its kinks do not concern a run that was never there. */
static void relations_of_modes_that_only_others_were_in_do_not_count(void **state) {
    fixture f;
    int32_t other = 1;
    FILE *file = fopen("load.csv", "wb");
    (void)state;
    fputs("time,value\n0,0\n3,6\n7,1\n", file);
    fclose(file);
    fixture_begin(&f,
                  "model M { Se s(5); Se t(table(\"load.csv\", \"value\")); R r(2); I l(3); 1 j; 1 a when "
                  "c; 0 n; s -> j -> r; j -> l; j -> n; t -> a; n -> a;"
                  "R leak(5); n -> leak; automaton c { off open -> shut when false; on shut -> open when "
                  "false; } }");
    hbg_rt_instance *second = hbg_code_run_new(f.code, &f.memory);
    assert_non_null(second);
    double before = hbg_rt_next_break(f.run, 0);
    assert_int_equal(hbg_rt_declare(second, f.dx), HBG_RT_OK);
    assert_int_equal(hbg_rt_enter(second, &other), HBG_RT_OK);
    assert_true(hbg_rt_next_break(second, 0) == 3);
    assert_fine(&f, hbg_rt_rates(f.run, 0, f.x, f.dx));
    assert_true(hbg_rt_next_break(f.run, 0) == before && isinf(before));
    assert_fine(&f, hbg_rt_enter(f.run, &other));
    assert_true(hbg_rt_next_break(f.run, 0) == 3);
    hbg_rt_free(second);
    fixture_close(&f);
}

/* If memory of a run is exhausted, that run ends; if that of the model is, the call fails. Neither leaves the
 * lock held. */
static void exhaustion_leaves_the_model_usable(void **state) {
    fixture f;
    hbg_memory small = {.limit = 100}, fine = {0};
    int32_t open[CELLS] = {1, 1, 1, 1, 1, 1};
    (void)state;
    open_cells(&f);
    assert_null(hbg_code_run_new(f.code, &small));
    assert_int_equal(small.used, 0);
    hbg_rt_instance *run = hbg_code_run_new(f.code, &fine);
    assert_non_null(run);
    assert_int_equal(hbg_rt_enter(run, NULL), HBG_RT_OK);
    f.memory.limit = f.memory.used + 64; // nothing can be compiled
    assert_int_equal(hbg_rt_enter(run, open), HBG_RT_NO_MEMORY);
    f.memory.limit = 0;
    assert_int_equal(hbg_rt_enter(run, open), HBG_RT_OK);
    assert_int_equal(hbg_rt_declare(run, f.x), HBG_RT_OK);
    assert_int_equal(hbg_rt_rates(run, 0, f.x, f.dx), HBG_RT_OK);
    hbg_rt_free(run);
    assert_int_equal(fine.used, 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_on_threads_have_the_bits_they_have_alone),
        cmocka_unit_test(every_piece_of_code_is_compiled_once),
        cmocka_unit_test(relations_of_modes_that_only_others_were_in_do_not_count),
        cmocka_unit_test(exhaustion_leaves_the_model_usable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
