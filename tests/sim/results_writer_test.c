/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The format follows from the name, and exhausted memory leaves nothing behind. */
#include "results_fixture_impl.h"

static const hbg_sim_column two[] = {{"time", "s", false}, {"coil.p", "Wb", false}};

static void check_magic(fixture *f, const char *path, const char *magic) {
    close_writer(open_writer(f, path, two, 2), true);
    char *text;
    size_t size;
    assert_int_equal(hbg_base_file_read(&f->arena, path, 1 << 20, &text, &size, NULL), HBG_OK);
    assert_true(size > strlen(magic));
    assert_memory_equal(text, magic, strlen(magic));
}

static void the_format_follows_from_the_name(void **state) {
    fixture *f = *state;
    check_magic(f, "a.csv", "time,coil.p");
    check_magic(f, "a.CSV", "time,coil.p");
    check_magic(f, "a.b.csv", "time,coil.p");
    check_magic(f, "a.h5", "\x89HDF\r\n\x1a\n");
    check_magic(f, "a.hdf5", "\x89HDF\r\n\x1a\n");
    check_magic(f, "a.mat", "MATLAB 5.0 MAT-file, by " TOOL);
}

static void other_names_are_refused_with_the_formats_there_are(void **state) {
    fixture *f = *state;
    const char *why = "its name ends in none of .csv, .h5 (or .hdf5) and .mat, from which its format follows";
    check_not_opened(f, "out", why);
    check_not_opened(f, "out.txt", why);
    check_not_opened(f, "out.csv/x", why);
    check_not_opened(f, "", why);
    check_not_opened(f, ".", why);
    check_not_opened(f, "csv", why);
    assert_int_equal(count_entries(), 0);
}

static void check_memory_failures(fixture *f, const char *path) {
    for (int64_t k = 1;; k++) {
        const char *reason = NULL;
        f->memory.fail_at = f->memory.calls + k;
        hbg_sim_writer *writer = hbg_sim_writer_open(&f->arena, path, NULL, two, 2, "title", &reason);
        if (writer != NULL) {
            f->memory.fail_at = 0;
            close_writer(writer, true);
            assert_true(k > 1);
            return;
        }
        assert_string_equal(reason, "there is not enough memory");
        assert_int_equal(f->memory.used, 0);
        assert_int_equal(count_entries(), 0);
    }
}

static void memory_that_ends_at_opening_leaves_no_file(void **state) {
    fixture *f = *state;
    check_memory_failures(f, "out.csv");
    unlink("out.csv");
    check_memory_failures(f, "out.h5");
    unlink("out.h5");
    check_memory_failures(f, "out.mat");
}

static void memory_that_ends_later_is_told(void **state) {
    fixture *f = *state;
    for (int64_t k = 1;; k++) {
        hbg_sim_writer *writer = open_writer(f, "out.mat", two, 2);
        f->memory.fail_at = f->memory.calls + k;
        bool rows = true;
        for (int row = 0; row < 3000 && rows; row++) rows = hbg_sim_writer_row(writer, (double[]){row, 0});
        const char *reason = NULL;
        bool closed = hbg_sim_writer_close(writer, true, &reason);
        bool failed = f->memory.calls >= f->memory.fail_at;
        assert_int_equal(closed, !failed);
        assert_int_equal(f->memory.used, 0);
        if (!failed) break;
        assert_string_equal(reason, "there is not enough memory");
        assert_false(exists("out.mat"));
    }
    f->memory.fail_at = 0;
    assert_int_equal(count_entries(), 1);
}

static void nothing_given_is_needed_after_opening(void **state) {
    fixture *f = *state;
    const char *const paths[] = {"out.csv", "out.h5", "out.mat"};
    for (int i = 0; i < 3; i++) {
        char *name = strdup("time"), *unit = strdup("s"), *title = strdup("title"), *path = strdup(paths[i]);
        hbg_sim_column *column = malloc(sizeof *column);
        assert_non_null(column);
        *column = (hbg_sim_column){name, unit, false};
        const char *reason;
        hbg_sim_writer *writer = hbg_sim_writer_open(&f->arena, path, NULL, column, 1, title, &reason);
        free(name), free(unit), free(title), free(path), free(column);
        assert_non_null(writer);
        assert_true(hbg_sim_writer_row(writer, &(double){1}));
        close_writer(writer, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_format_follows_from_the_name),
        TEST(other_names_are_refused_with_the_formats_there_are),
        TEST(memory_that_ends_at_opening_leaves_no_file),
        TEST(memory_that_ends_later_is_told),
        TEST(nothing_given_is_needed_after_opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
