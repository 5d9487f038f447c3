/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as MATLAB level 5, read back with the library. */
#include "results_fixture_impl.h"

#include <matio.h>

enum { COLUMNS = 6 };
static const hbg_sim_column columns[COLUMNS] = {{"time", "s", false},   {"coil.p", "Wb", false},
                                                {"a>b.e", "", false},   {"2nd/x", NULL, false},
                                                {"coil_p", "N", false}, {"end", "Ω.m", false}};
static const char *const variables[COLUMNS] = {"time", "coil_p", "a_b_e", "x2nd_x", "coil_p_2", "xend"};

/* ASCII and the letters of the tests: a unit of UTF-16 per character. */
static void check_characters(const matvar_t *variable, const uint16_t *expected, size_t count) {
    assert_non_null(variable);
    assert_int_equal(variable->class_type, MAT_C_CHAR);
    assert_int_equal(variable->dims[0] * variable->dims[1], count);
    if (count == 0) return;
    assert_int_equal(variable->data_size, sizeof *expected);
    assert_memory_equal(variable->data, expected, count * sizeof *expected);
}

static void check_text(const matvar_t *variable, const char *expected) {
    uint16_t units[256];
    size_t count = 0;
    for (const char *at = expected; *at != '\0'; at++) {
        assert_true((uint8_t)*at < 0x80);
        units[count++] = (uint8_t)*at;
    }
    check_characters(variable, units, count);
}

static matvar_t *field(matvar_t *structure, const char *name) {
    matvar_t *result = Mat_VarGetStructFieldByName(structure, name, 0);
    assert_non_null(result);
    return result;
}

static mat_t *open_file(const char *path) {
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    assert_non_null(file);
    assert_int_equal(Mat_GetVersion(file), MAT_FT_MAT5);
    return file;
}

static void names_units_and_title_are_found(void **state) {
    fixture *f = *state;
    const char *reason;
    hbg_sim_writer *writer =
        hbg_sim_writer_open(&f->arena, "out.mat", NULL, columns, COLUMNS, "A title", &reason);
    assert_non_null(writer);
    assert_true(hbg_sim_writer_row(writer, (double[]){0, 1, 2, 3, 4, 5}));
    close_writer(writer, true);
    assert_int_equal(count_entries(), 1);

    mat_t *file = open_file("out.mat");
    matvar_t *about = Mat_VarRead(file, "hbg");
    assert_non_null(about);
    assert_int_equal(about->class_type, MAT_C_STRUCT);
    check_text(field(about, "title"), "A title");
    check_text(field(about, "tool"), TOOL);
    for (int i = 0; i < COLUMNS; i++) {
        check_text(Mat_VarGetCell(field(about, "variables"), i), variables[i]);
        check_text(Mat_VarGetCell(field(about, "names"), i), columns[i].name);
        if (i < 5) check_text(Mat_VarGetCell(field(about, "units"), i), i == 3 ? "" : columns[i].unit);
    }
    check_characters(Mat_VarGetCell(field(about, "units"), 5), (uint16_t[]){0x3a9, '.', 'm'}, 3);
    assert_int_equal(field(about, "names")->dims[0], COLUMNS);
    assert_int_equal(field(about, "names")->dims[1], 1);
    Mat_VarFree(about);
    Mat_Close(file);
}

/* Characters of two, three and four bytes, of which the last has two units, and an invalid byte. */
static void texts_are_utf16(void **state) {
    fixture *f = *state;
    const hbg_sim_column time = {"time", "µ€\xf0\x9f\x98\x80\xff", false};
    hbg_sim_writer *writer = open_writer(f, "out.mat", &time, 1);
    close_writer(writer, true);
    mat_t *file = open_file("out.mat");
    matvar_t *about = Mat_VarRead(file, "hbg");
    check_characters(Mat_VarGetCell(field(about, "units"), 0),
                     (uint16_t[]){0xb5, 0x20ac, 0xd83d, 0xde00, 0xfffd}, 5);
    Mat_VarFree(about);
    Mat_Close(file);
}

static void check_rows(fixture *f, int rows, bool complete) {
    double *values = HBG_NEW_ARRAY(&f->arena, double, (rows + 1) * COLUMNS);
    hbg_sim_writer *writer = open_writer(f, "out.mat", columns, COLUMNS);
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < COLUMNS; i++) values[row * COLUMNS + i] = random_double(f);
        assert_true(hbg_sim_writer_row(writer, values + row * COLUMNS));
    }
    close_writer(writer, complete);
    assert_int_equal(exists("out.mat"), complete);
    assert_int_equal(exists("out.mat.partial"), !complete);

    mat_t *file = open_file(complete ? "out.mat" : "out.mat.partial");
    for (int i = 0; i < COLUMNS; i++) {
        matvar_t *variable = Mat_VarRead(file, variables[i]);
        assert_non_null(variable);
        assert_int_equal(variable->class_type, MAT_C_DOUBLE);
        assert_int_equal(variable->dims[0], rows);
        assert_int_equal(variable->dims[1], 1);
        const double *column = variable->data;
        for (int row = 0; row < rows; row++) check_bits(column[row], values[row * COLUMNS + i]);
        Mat_VarFree(variable);
    }
    Mat_Close(file);
    unlink("out.mat");
}

static void every_double_comes_back_with_the_same_bits(void **state) {
    fixture *f = *state;
    check_rows(f, 0, true);
    check_rows(f, 1, true);
    check_rows(f, 1025, true);
    check_rows(f, 30000, true);
}

static void an_unfinished_file_is_partial_and_readable(void **state) {
    fixture *f = *state;
    check_rows(f, 3, false);
    check_rows(f, 5000, false);
}

static void rows_before_memory_ends_are_kept(void **state) {
    fixture *f = *state;
    hbg_sim_writer *writer = open_writer(f, "out.mat", columns, COLUMNS);
    f->memory.limit = (size_t)2 << 20;
    int taken = 0;
    while (taken < 100000 && hbg_sim_writer_row(writer, (double[]){taken, 1, 2, 3, 4, 5})) taken++;
    assert_in_range(taken, 10000, 43690); /* 2 MiB are 43690 rows of 48 bytes */
    const char *reason = NULL;
    assert_false(hbg_sim_writer_close(writer, false, &reason));
    assert_string_equal(reason, "there is not enough memory");
    mat_t *file = open_file("out.mat.partial");
    matvar_t *time = Mat_VarRead(file, "time");
    assert_int_equal(time->dims[0], taken);
    assert_true(((const double *)time->data)[taken - 1] == taken - 1);
    Mat_VarFree(time);
    Mat_Close(file);
    f->memory.limit = 0;
}

static void a_full_disk_leaves_no_complete_file(void **state) {
    fixture *f = *state;
    const rlim_t rooms[] = {0, 100, 128, 1000, 5000, 100000, 400000, 481000, 481500};
    int before = listen_errors();
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        full_disk disk = fill_disk(rooms[i]);
        const char *reason = NULL;
        hbg_sim_writer *writer =
            hbg_sim_writer_open(&f->arena, "out.mat", NULL, columns, COLUMNS, NULL, &reason);
        bool good = writer != NULL;
        for (int row = 0; row < 10000 && good; row++)
            good = hbg_sim_writer_row(writer, (double[]){row, 1, 2, 3, 4, 5});
        bool closed = good && hbg_sim_writer_close(writer, true, &reason);
        free_disk(disk);
        assert_true(good);
        assert_false(closed);
        assert_string_equal(reason, "it would become too large");
        assert_false(exists("out.mat") || exists("out.mat.partial"));
    }
    assert_int_equal(heard_errors(before), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names_units_and_title_are_found),
        TEST(texts_are_utf16),
        TEST(every_double_comes_back_with_the_same_bits),
        TEST(an_unfinished_file_is_partial_and_readable),
        TEST(rows_before_memory_ends_are_kept),
        TEST(a_full_disk_leaves_no_complete_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
