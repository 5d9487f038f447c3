/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that end the process if one of their allocations fails are not called without enough memory. */
#include "results_fixture_impl.h"

#include <sys/mman.h>

#include "rt/field_bench_impl.h"

/* From here on the process may map only this many more bytes. */
static struct rlimit leave(size_t bytes) {
    struct rlimit before;
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    struct rlimit small = {pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    return before;
}

static void what_is_not_there_is_not_set_aside(void **state) {
    (void)state;
    size_t size = (size_t)8 << 20;
    struct rlimit before = leave(size + size / 2);
    bool fits = hbg_sim_has_memory(size), again = hbg_sim_has_memory(size),
         larger = hbg_sim_has_memory(2 * size);
    void *place = hbg_sim_reserve(size);
    bool second = hbg_sim_has_memory(size);
    hbg_sim_reserve_end(place, size);
    bool third = hbg_sim_has_memory(size);
    setrlimit(RLIMIT_AS, &before);
    assert_true(fits && again && place != NULL && third);
    assert_false(larger || second);
}

/* Without memory for the library a file is refused, and the library is not called. */
static void files_are_refused_where_their_library_has_no_memory(void **state) {
    fixture *f = *state;
    static const hbg_sim_column column = {"time", "s", false};
    const char *const paths[] = {"out.h5", "out.mat"};
    for (int i = 0; i < 2; i++) {
        const char *reason = NULL;
        struct rlimit before = leave((size_t)1 << 20);
        hbg_sim_writer *writer = hbg_sim_writer_open(&f->arena, paths[i], NULL, &column, 1, NULL, &reason);
        setrlimit(RLIMIT_AS, &before);
        assert_null(writer);
        assert_string_equal(reason, "there is not enough memory");
        assert_int_equal(count_entries(), 0);
    }
}

static void fade(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0];
}

static void fade_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1;
}

/* So is a solver: without memory for SUNDIALS there is none, and with it there is. */
static void solvers_are_refused_where_their_library_has_no_memory(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {1}, .rates = fade, .jacobian = fade_jacobian};
    for (int adams = 0; adams < 2; adams++) {
        field_bench b;
        field_bench_init(&b, &r, 1e-6, 10, 0);
        struct rlimit before = leave((size_t)1 << 20);
        hbg_rt_integrator *none = hbg_sim_cvode_new(&b.arena, &b.field, adams);
        setrlimit(RLIMIT_AS, &before);
        hbg_rt_integrator *stepper = hbg_sim_cvode_new(&b.arena, &b.field, adams);
        assert_null(none);
        assert_non_null(stepper);
        stepper->end(stepper);
        field_bench_fini(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_not_there_is_not_set_aside),
        TEST(files_are_refused_where_their_library_has_no_memory),
        TEST(solvers_are_refused_where_their_library_has_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
