/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as CSV. */
#include "results_fixture_impl.h"

static const hbg_sim_column two[] = {{"time", "s", false}, {"coil.p", "Wb", false}};

static void header_and_rows_are_plain_lines(void **state) {
    fixture *f = *state;
    hbg_sim_writer *writer = open_writer(f, "out.csv", two, 2);
    assert_true(hbg_sim_writer_row(writer, (double[]){0, -1.5}));
    assert_true(hbg_sim_writer_row(writer, (double[]){0.1, 1e-7}));
    assert_true(hbg_sim_writer_row(writer, (double[]){0.1, 1}));
    close_writer(writer, true);
    check_content(f, "out.csv", "time,coil.p\n0,-1.5\n0.1,1e-07\n0.1,1\n");
    assert_int_equal(count_entries(), 1);
}

static void a_file_without_rows_has_its_header(void **state) {
    fixture *f = *state;
    close_writer(open_writer(f, "out.csv", two, 2), true);
    check_content(f, "out.csv", "time,coil.p\n");
    close_writer(open_writer(f, "one.csv", two, 1), true);
    check_content(f, "one.csv", "time\n");
}

static void names_are_quoted_where_it_is_needed(void **state) {
    fixture *f = *state;
    const hbg_sim_column columns[] = {{"time", NULL, false},
                                      {"a>b.e", NULL, false},
                                      {"x,y", NULL, false},
                                      {"say \"no\"", NULL, false},
                                      {"two\nlines", NULL, false},
                                      {" blank", NULL, false},
                                      {"blank ", NULL, false},
                                      {"a b", NULL, false},
                                      {"größe", NULL, false},
                                      {"a/b", NULL, false},
                                      {"#no", NULL, false},
                                      {"a;b", NULL, false},
                                      {"", NULL, false}};
    close_writer(open_writer(f, "out.csv", columns, 13), true);
    check_content(f, "out.csv",
                  "time,a>b.e,\"x,y\",\"say \"\"no\"\"\",\"two\nlines\",\" blank\",\"blank \",a "
                  "b,größe,a/b,\"#no\",\"a;b\",\n");
}

static void special_numbers_have_names(void **state) {
    fixture *f = *state;
    hbg_sim_writer *writer = open_writer(f, "out.csv", two, 2);
    assert_true(hbg_sim_writer_row(writer, (double[]){-0.0, (double)NAN}));
    assert_true(hbg_sim_writer_row(writer, (double[]){HUGE_VAL, -HUGE_VAL}));
    assert_true(hbg_sim_writer_row(writer, (double[]){0x1p-1074, 0x1.fffffffffffffp1023}));
    close_writer(writer, true);
    check_content(f, "out.csv", "time,coil.p\n-0,nan\ninf,-inf\n5e-324,1.7976931348623157e+308\n");
}

static void every_double_comes_back_with_the_same_bits(void **state) {
    fixture *f = *state;
    enum { COLUMNS = 7, ROWS = 20000 };
    hbg_sim_column columns[COLUMNS] = {{"time", "s", false}, {"a", "", false}, {"b", "", false},
                                       {"c", "", false},     {"d", "", false}, {"e", "", false},
                                       {"f", "", false}};
    static double values[ROWS][COLUMNS];
    hbg_sim_writer *writer = open_writer(f, "out.csv", columns, COLUMNS);
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < COLUMNS; i++) { // some stand still from row to row
            bool stands = row > 0 && (row + i) % 3 == 0;
            values[row][i] = stands ? values[row - 1][i] : random_double(f);
        }
        assert_true(hbg_sim_writer_row(writer, values[row]));
    }
    close_writer(writer, true);

    hbg_sim_table table;
    const char *reason;
    assert_int_equal(hbg_sim_table_read(&f->arena, "out.csv", &table, &reason), HBG_OK);
    assert_int_equal(table.column_count, COLUMNS);
    assert_int_equal(table.row_count, ROWS);
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++) check_bits(table.values[i][row], values[row][i]);
    assert_string_equal(table.columns[6].name, "f");
}

static void names_longer_than_the_buffer_are_whole(void **state) {
    fixture *f = *state;
    static char name[200001];
    memset(name, 'n', sizeof name - 1);
    const hbg_sim_column columns[] = {{"time", NULL, false}, {name, NULL, false}};
    hbg_sim_writer *writer = open_writer(f, "out.csv", columns, 2);
    assert_true(hbg_sim_writer_row(writer, (double[]){1, 2}));
    close_writer(writer, true);
    hbg_sim_table table;
    const char *reason;
    assert_int_equal(hbg_sim_table_read(&f->arena, "out.csv", &table, &reason), HBG_OK);
    assert_string_equal(table.columns[1].name, name);
    assert_true(table.values[1][0] == 2);
}

static void memory_does_not_grow_with_the_rows(void **state) {
    fixture *f = *state;
    hbg_sim_writer *writer = open_writer(f, "out.csv", two, 2);
    size_t used = f->memory.used;
    int64_t calls = f->memory.calls;
    assert_true(used < (size_t)128 << 10);
    for (int row = 0; row < 100000; row++)
        assert_true(hbg_sim_writer_row(writer, (double[]){row, 1.0 / row}));
    assert_int_equal(f->memory.used, used);
    assert_int_equal(f->memory.calls, calls);
    close_writer(writer, true);
    assert_int_equal(f->memory.used, 0);
}

static void an_unfinished_file_is_partial_and_readable(void **state) {
    fixture *f = *state;
    put_file("out.csv", "old");
    hbg_sim_writer *writer = open_writer(f, "out.csv", two, 2);
    for (int row = 0; row < 3; row++) assert_true(hbg_sim_writer_row(writer, (double[]){row, 7}));
    assert_true(exists("out.csv.partial"));
    close_writer(writer, false);
    check_content(f, "out.csv", "old");
    check_content(f, "out.csv.partial", "time,coil.p\n0,7\n1,7\n2,7\n");
}

/* A link with the right name to the device that is always full. */
static void a_full_device_is_told_and_ends_in_failure(void **state) {
    fixture *f = *state;
    assert_int_equal(symlink("/dev/full", "out.csv"), 0);
    hbg_sim_writer *writer = open_writer(f, "out.csv", two, 2);
    int taken = 0;
    while (taken < 100000 && hbg_sim_writer_row(writer, (double[]){taken, 0.5})) taken++;
    assert_in_range(taken, 1, 20000); /* the buffer has 64 KiB, a row 4 to 10 bytes */
    assert_false(hbg_sim_writer_row(writer, (double[]){0, 0}));
    const char *reason = NULL;
    assert_false(hbg_sim_writer_close(writer, true, &reason));
    assert_string_equal(reason, "there is no space left");

    /* rows still in the buffer when the writer is closed */
    writer = open_writer(f, "out.csv", two, 2);
    assert_true(hbg_sim_writer_row(writer, (double[]){0, 0}));
    assert_false(hbg_sim_writer_close(writer, true, &reason));
    assert_string_equal(reason, "there is no space left");
    assert_int_equal(count_entries(), 1);
}

static void a_full_disk_leaves_no_complete_file(void **state) {
    fixture *f = *state;
    put_file("out.csv", "old");
    hbg_sim_writer *writer = open_writer(f, "out.csv", two, 2);
    full_disk disk = fill_disk(100000);
    int taken = 0;
    while (taken < 100000 && hbg_sim_writer_row(writer, (double[]){taken, 0.125})) taken++;
    const char *reason = NULL;
    bool good = hbg_sim_writer_close(writer, true, &reason);
    free_disk(disk);
    assert_false(good);
    assert_string_equal(reason, "it would become too large");
    assert_in_range(taken, 5000, 50000);
    check_content(f, "out.csv", "old");
    assert_true(exists("out.csv.partial"));
    /* whole rows only: half a number would be a different one */
    char *text;
    size_t size;
    assert_int_equal(hbg_base_file_read(&f->arena, "out.csv.partial", 1 << 20, &text, &size, &reason),
                     HBG_OK);
    assert_in_range(size, 90000, 100000);
    assert_memory_equal(text + size - 7, ",0.125\n", 7);
}

static void the_standard_output_gets_csv(void **state) {
    fixture *f = *state;
    fflush(stdout);
    int before = dup(STDOUT_FILENO), file = open("caught", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(before >= 0 && file >= 0 && dup2(file, STDOUT_FILENO) >= 0);
    const char *reason = NULL, *device_reason = NULL;
    hbg_sim_writer *writer = hbg_sim_writer_open(&f->arena, "-", NULL, two, 2, NULL, &reason);
    bool good = writer != NULL && hbg_sim_writer_row(writer, (double[]){1, 2});
    good = writer != NULL && hbg_sim_writer_close(writer, true, &reason) && good;
    hbg_sim_writer *device =
        hbg_sim_writer_open(&f->arena, "/dev/stdout", NULL, two, 1, NULL, &device_reason);
    good = device != NULL && hbg_sim_writer_close(device, true, &device_reason) && good;
    bool still_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
    dup2(before, STDOUT_FILENO);
    close(before);
    close(file);
    assert_true(good && still_open);
    check_content(f, "caught", "time,coil.p\n1,2\ntime\n");
    assert_int_equal(count_entries(), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(header_and_rows_are_plain_lines),
        TEST(a_file_without_rows_has_its_header),
        TEST(names_are_quoted_where_it_is_needed),
        TEST(special_numbers_have_names),
        TEST(every_double_comes_back_with_the_same_bits),
        TEST(names_longer_than_the_buffer_are_whole),
        TEST(memory_does_not_grow_with_the_rows),
        TEST(an_unfinished_file_is_partial_and_readable),
        TEST(a_full_device_is_told_and_ends_in_failure),
        TEST(a_full_disk_leaves_no_complete_file),
        TEST(the_standard_output_gets_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
