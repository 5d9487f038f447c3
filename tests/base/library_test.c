/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that are loaded when they are needed: functions and objects by their names, or why not. */
#include "fixture_impl.h"

#include <math.h>

#define MATHEMATICS_LIST(X)                                                                                  \
    X(cbrt)                                                                                                  \
    X(lgamma)                                                                                                \
    X(signgam)

typedef struct {
    MATHEMATICS_LIST(HBG_LIBRARY_POINTER)
} mathematics;

static const char *const names[] = {MATHEMATICS_LIST(HBG_LIBRARY_NAME) "hbg_no_such_name"};

static void names_are_found_in_their_order(void **state) {
    fixture *f = *state;
    const hbg_base_library library = {
        .file = "libm.so.6", .package = "libc6-dev", .names = names, .count = 3};
    const char *reason = NULL;
    mathematics m;
    assert_true(hbg_base_library_load(&f->arena, &library, &m, &reason));
    assert_null(reason);
    assert_float_equal(m.cbrt(27), 3, 1e-6);
    assert_float_equal(m.lgamma(-0.5), log(2 * sqrt(M_PI)), 1e-6); // the gamma function is -2 sqrt(pi) there,
    assert_int_equal(*m.signgam, -1);
    assert_float_equal(m.lgamma(4), log(6), 1e-6); // and 3! here
    assert_int_equal(*m.signgam, 1);
}

/* The program, which names it, may have it as a copy; the library writes to that. */
static void objects_are_those_of_the_program(void **state) {
    fixture *f = *state;
    const hbg_base_library library = {
        .file = "libm.so.6", .package = "libc6-dev", .names = names, .count = 3};
    const char *reason = NULL;
    mathematics m;
    assert_true(hbg_base_library_load(&f->arena, &library, &m, &reason));
    assert_ptr_equal(m.signgam, &signgam);
}

static void a_library_that_is_not_there_is_told(void **state) {
    fixture *f = *state;
    const hbg_base_library library = {
        .file = "libhbg_none.so.7", .package = "hbg-none-dev", .names = names, .count = 3};
    const char *reason = NULL;
    mathematics m;
    assert_false(hbg_base_library_load(&f->arena, &library, &m, &reason));
    assert_string_equal(
        reason,
        "a library cannot be loaded: libhbg_none.so.7: cannot open shared object file: No such file or "
        "directory; install the package hbg-none-dev");
}

/* As where a version is there that is too old. */
static void a_name_that_is_not_there_is_told(void **state) {
    fixture *f = *state;
    const hbg_base_library library = {
        .file = "libm.so.6", .package = "libc6-dev", .names = names, .count = 4};
    const char *reason = NULL;
    const void *functions[4];
    assert_false(hbg_base_library_load(&f->arena, &library, functions, &reason));
    assert_non_null(
        strstr(reason, "libm.so.6: undefined symbol: hbg_no_such_name; install the package libc6-dev"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names_are_found_in_their_order),
        TEST(objects_are_those_of_the_program),
        TEST(a_library_that_is_not_there_is_told),
        TEST(a_name_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
