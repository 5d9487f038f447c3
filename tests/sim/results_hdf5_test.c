/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as HDF5, read back with the library as any other program would: its own driver, by name and in
 * order. */
#include "results_fixture_impl.h"

#include <hdf5/serial/hdf5.h>

enum { COLUMNS = 6 };
static const hbg_sim_column columns[COLUMNS] = {{"time", "s", false},   {"coil.p", "Wb", false},
                                                {"a>b.e", "", false},   {"ratio/x", NULL, false},
                                                {"coil.p", "N", false}, {"µ", "Ω.m", false}};
static const char *const links[COLUMNS] = {"time", "coil.p", "a>b.e", "ratio|x", "coil.p_2", "µ"};

/* The values of a dataset; they belong to the arena. */
static double *read_dataset(fixture *f, hid_t file, const char *name, hsize_t *rows) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    hid_t space = H5Dget_space(dataset);
    hsize_t most;
    assert_int_equal(H5Sget_simple_extent_dims(space, rows, &most), 1);
    assert_true(most == H5S_UNLIMITED);
    double *values = HBG_NEW_ARRAY(&f->arena, double, *rows);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    return values;
}

/* NULL expected: there is no such attribute. */
static void check_attribute(hid_t file, const char *object, const char *name, const char *expected) {
    htri_t there = H5Aexists_by_name(file, object, name, H5P_DEFAULT);
    assert_int_equal(there, expected != NULL);
    if (expected == NULL) return;
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
    char *text = NULL;
    assert_true(H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, &text) >= 0);
    assert_string_equal(text, expected);
    H5free_memory(text);
    H5Tclose(type);
    H5Aclose(attribute);
}

static hid_t open_file(const char *path) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void names_units_and_title_are_found(void **state) {
    fixture *f = *state;
    hbg_sim_writer *writer = open_writer(f, "out.h5", columns, COLUMNS);
    assert_true(hbg_sim_writer_row(writer, (double[]){0, 1, 2, 3, 4, 5}));
    assert_true(hbg_sim_writer_row(writer, (double[]){10, 11, 12, 13, 14, 15}));
    close_writer(writer, true);
    assert_int_equal(count_entries(), 1);

    hid_t file = open_file("out.h5");
    check_attribute(file, "/", "title", "A title: Öl & Co");
    check_attribute(file, "/", "tool", TOOL);
    for (int i = 0; i < COLUMNS; i++) {
        hsize_t rows;
        double *values = read_dataset(f, file, links[i], &rows);
        assert_int_equal(rows, 2);
        assert_true(values[0] == i && values[1] == 10 + i);
        check_attribute(file, links[i], "unit", columns[i].unit);
        check_attribute(file, links[i], "name",
                        strcmp(links[i], columns[i].name) != 0 ? columns[i].name : NULL);
        char name[64];
        H5Lget_name_by_idx(file, "/", H5_INDEX_CRT_ORDER, H5_ITER_INC, (hsize_t)i, name, sizeof name,
                           H5P_DEFAULT);
        assert_string_equal(name, links[i]);
    }
    H5Fclose(file);
}

/* `rows` rows are written and read back. */
static void check_rows(fixture *f, int rows, bool complete) {
    double *values = HBG_NEW_ARRAY(&f->arena, double, (rows + 1) * COLUMNS);
    hbg_sim_writer *writer = open_writer(f, "out.hdf5", columns, COLUMNS);
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < COLUMNS; i++) values[row * COLUMNS + i] = random_double(f);
        assert_true(hbg_sim_writer_row(writer, values + row * COLUMNS));
    }
    close_writer(writer, complete);
    assert_int_equal(exists("out.hdf5"), complete);
    assert_int_equal(exists("out.hdf5.partial"), !complete);

    hid_t file = open_file(complete ? "out.hdf5" : "out.hdf5.partial");
    for (int i = 0; i < COLUMNS; i++) {
        hsize_t count;
        double *column = read_dataset(f, file, links[i], &count);
        assert_int_equal(count, rows);
        for (int row = 0; row < rows; row++) check_bits(column[row], values[row * COLUMNS + i]);
    }
    H5Fclose(file);
    unlink("out.hdf5");
}

static void every_double_comes_back_with_the_same_bits(void **state) {
    fixture *f = *state;
    check_rows(f, 0, true);
    check_rows(f, 1, true);
    check_rows(f, 4095, true);
    check_rows(f, 4096, true); /* the longest chunk */
    check_rows(f, 4097, true);
    check_rows(f, 20000, true);
}

static void an_unfinished_file_is_partial_and_readable(void **state) {
    fixture *f = *state;
    check_rows(f, 3, false);
    check_rows(f, 5000, false);
    check_rows(f, 0, false);
}

static void memory_does_not_grow_with_the_rows(void **state) {
    fixture *f = *state;
    hbg_sim_writer *writer = open_writer(f, "out.h5", columns, COLUMNS);
    size_t used = f->memory.used;
    int64_t calls = f->memory.calls;
    for (int row = 0; row < 30000; row++)
        assert_true(hbg_sim_writer_row(writer, (double[]){row, 1, 2, 3, 4, 5}));
    assert_int_equal(f->memory.used, used);
    assert_int_equal(f->memory.calls, calls);
    close_writer(writer, true);
}

static void the_same_rows_give_the_same_bytes(void **state) {
    fixture *f = *state;
    char *text[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        hbg_sim_writer *writer = open_writer(f, "out.h5", columns, COLUMNS);
        for (int row = 0; row < 100; row++)
            assert_true(hbg_sim_writer_row(writer, (double[]){row, 1, 2, 3, 4, 5}));
        close_writer(writer, true);
        assert_int_equal(hbg_base_file_read(&f->arena, "out.h5", 1 << 24, &text[i], &size[i], NULL), HBG_OK);
        if (i == 0) sleep(1);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(text[0], text[1], size[0]);
}

static void thousands_of_columns_are_written(void **state) {
    fixture *f = *state;
    enum { MANY = 3000, ROWS = 1000 };
    hbg_sim_column *many = HBG_NEW_ARRAY(&f->arena, hbg_sim_column, MANY);
    double *row = HBG_NEW_ARRAY(&f->arena, double, MANY);
    for (int i = 0; i < MANY; i++)
        many[i] = (hbg_sim_column){hbg_base_arena_print(&f->arena, "section[%d].line.e", i), "V", false};
    hbg_sim_writer *writer = open_writer(f, "out.h5", many, MANY);
    for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < MANY; i++) row[i] = k + 0.001 * i;
        assert_true(hbg_sim_writer_row(writer, row));
    }
    close_writer(writer, true);
    hid_t file = open_file("out.h5");
    for (int i = 0; i < MANY; i += 499) {
        hsize_t count;
        double *values = read_dataset(f, file, many[i].name, &count);
        assert_int_equal(count, ROWS);
        for (int k = 0; k < ROWS; k++) assert_true(values[k] == k + 0.001 * i);
    }
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names_units_and_title_are_found),
        TEST(every_double_comes_back_with_the_same_bits),
        TEST(an_unfinished_file_is_partial_and_readable),
        TEST(memory_does_not_grow_with_the_rows),
        TEST(the_same_rows_give_the_same_bytes),
        TEST(thousands_of_columns_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
