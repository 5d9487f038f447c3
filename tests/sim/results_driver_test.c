/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * HDF5 on a disk that becomes full at any moment: the writer fails and says why, the library stays silent and
 * keeps nothing open, so the next file can be written. */
#include "results_fixture_impl.h"

#include <hdf5/serial/hdf5.h>

enum { COLUMNS = 40, ROWS = 9000 };

/* Writes the rows to a disk with this room. Returns the error, or NULL. */
static const char *write_rows(fixture *f, rlim_t room) {
    hbg_sim_column columns[COLUMNS];
    char names[COLUMNS][16];
    double row[COLUMNS] = {0};
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(names[i], sizeof names[i], "x%d", i);
        columns[i] = (hbg_sim_column){names[i], "m", false};
    }
    full_disk disk = fill_disk(room);
    const char *reason = NULL;
    hbg_sim_writer *writer =
        hbg_sim_writer_open(&f->arena, "out.h5", NULL, columns, COLUMNS, "full", &reason);
    bool good = writer != NULL;
    for (int i = 0; i < ROWS && good; i++) good = hbg_sim_writer_row(writer, row);
    if (writer != NULL) good = hbg_sim_writer_close(writer, true, &reason) && good;
    free_disk(disk);
    assert_int_equal(good, reason == NULL);
    assert_int_equal(f->memory.used, 0);
    return reason;
}

static void a_full_disk_fails_in_silence_and_leaves_no_complete_file(void **state) {
    fixture *f = *state;
    const rlim_t rooms[] = {0, 1, 100, 2000, 3000, 8000, 30000, 100000, 1000000, 1400000, 2000000, 2800000};
    int before = listen_errors();
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        const char *reason = write_rows(f, rooms[i]);
        assert_false(exists("out.h5"));
        assert_non_null(reason);
        assert_string_equal(reason, "it would become too large");
        assert_false(exists("out.h5.partial")); // it could not be opened
    }
    assert_int_equal(heard_errors(before), 0);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);

    assert_null(write_rows(f, RLIM_INFINITY));
    hid_t file = H5Fopen("out.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Fclose(file);
    assert_int_equal(count_entries(), 1);
}

static void what_is_no_file_is_refused(void **state) {
    fixture *f = *state;
    assert_int_equal(symlink("/dev/full", "out.h5"), 0);
    assert_int_equal(symlink("/dev/full", "out.mat"), 0);
    check_not_opened(f, "out.h5", "it is not a regular file, which this format needs");
    check_not_opened(f, "out.mat", "it is not a regular file, which this format needs");
}

static void errors_of_others_are_printed_as_before(void **state) {
    (void)state;
    H5E_auto2_t print = NULL, after = NULL;
    void *context;
    H5Eget_auto2(H5E_DEFAULT, &print, &context);
    assert_non_null(print);
    write_rows(*state, 2000);
    write_rows(*state, RLIM_INFINITY);
    H5Eget_auto2(H5E_DEFAULT, &after, &context);
    assert_true(print == after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_full_disk_fails_in_silence_and_leaves_no_complete_file),
        TEST(what_is_no_file_is_refused),
        TEST(errors_of_others_are_printed_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
