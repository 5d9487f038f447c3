/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * CSV files of other programs and our own, valid and invalid. */
#include "results_fixture_impl.h"

static hbg_sim_table read_text(fixture *f, const char *text) {
    hbg_sim_table table;
    const char *reason = NULL;
    put_file("in.csv", text);
    if (hbg_sim_table_read(&f->arena, "in.csv", &table, &reason) != HBG_OK) fail_msg("%s", reason);
    return table;
}

static void check_refused(fixture *f, const char *text, const char *why) {
    hbg_sim_table table = {.row_count = 7};
    const char *reason = NULL;
    put_file("in.csv", text);
    assert_int_equal(hbg_sim_table_read(&f->arena, "in.csv", &table, &reason), HBG_CANNOT_READ);
    assert_string_equal(reason, why);
    assert_int_equal(table.row_count, 0);
    assert_int_equal(table.column_count, 0);
}

/* Rows are separated by |, cells by blanks; * is not a number. */
static void check_table(const hbg_sim_table *table, const char *names, const char *rows) {
    char found[1000] = "", *at = found;
    for (int32_t i = 0; i < table->column_count; i++) {
        const char *unit = table->columns[i].unit;
        at += sprintf(at, "%s%s%s%s%s", i > 0 ? " " : "", table->columns[i].name, unit != NULL ? "=" : "",
                      unit != NULL ? unit : "", "");
    }
    assert_string_equal(found, names);
    at = found, *at = '\0';
    for (int64_t row = 0; row < table->row_count; row++)
        for (int32_t i = 0; i < table->column_count; i++) {
            double value = table->values[i][row];
            at += sprintf(at, isnan(value) ? "*" : "%g", value);
            at += sprintf(at, "%s",
                          i + 1 < table->column_count  ? " "
                          : row + 1 < table->row_count ? "|"
                                                       : "");
        }
    assert_string_equal(found, rows);
}

#define CHECK(text, names, rows)                                                                             \
    do {                                                                                                     \
        hbg_sim_table table = read_text(f, text);                                                            \
        check_table(&table, names, rows);                                                                    \
    } while (0)

static void plain_files_are_read(void **state) {
    fixture *f = *state;
    CHECK("time,x\n0,1\n0.5,-2e3\n", "time x", "0 1|0.5 -2000");
    CHECK("time,x\n0,1\n0.5,-2e3", "time x", "0 1|0.5 -2000");
    CHECK("time\n1\n2\n", "time", "1|2");
    CHECK("time,x\n", "time x", "");
    CHECK("time,x", "time x", "");
}

static void line_ends_blanks_and_marks_of_others_are_understood(void **state) {
    fixture *f = *state;
    CHECK("time,x\r\n0,1\r\n2,3\r\n", "time x", "0 1|2 3");
    CHECK("time,x\r\n0,1\r\n2,3\r", "time x", "0 1|2 3");
    CHECK("\xef\xbb\xbftime,x\n1,2\n", "time x", "1 2");
    CHECK(" \xef\xbb\xbf#x,t\n1,2\n", "#x t", "1 2");
    CHECK(" time ,\tx \n 1 , 2\t\n", "time x", "1 2");
    CHECK("\n  \n# made by hand\ntime,x\n\n1,2\n\r\n# end\n3,4\n  \n", "time x", "1 2|3 4");
    CHECK("time;x\n1;2\n", "time x", "1 2");
    CHECK("\"a;b\",c;d\n1,2\n", "a;b c;d", "1 2");
}

static void cells_may_be_quoted(void **state) {
    fixture *f = *state;
    CHECK("\"time\",\"x,y\",\"say \"\"no\"\"\"\n\"1\",\"2\",3\n", "time x,y say \"no\"", "1 2 3");
    CHECK("time, \"x\" \n1,\"2\"\r\n", "time x", "1 2");
    CHECK("\"ti\nme\",x\n1,2\n", "ti me x", "1 2");
    CHECK("time,\"\"\n1,\"\"\n", "time column 2", "1 *");
}

static void units_stand_in_brackets(void **state) {
    fixture *f = *state;
    CHECK("time [s],current [A],x\n0,1,2\n", "time=s current=A x", "0 1 2");
    CHECK("time[s],\"p [kg.m/s]\",a [ ]\n0,1,2\n", "time=s p=kg.m/s a=", "0 1 2");
    /* an index is part of the name, unless a blank precedes it */
    CHECK("time,x[3],y[1,2]\n", "time x[3] y[1 2]", "");
    CHECK("time,x[3],\"y[1,2]\",z[4] [m],n [1]\n", "time x[3] y[1,2] z[4]=m n=1", "");
    CHECK("time,[m],x],y[,]\n", "time [m] x] y[ ]", "");
}

static void empty_cells_and_words_are_values(void **state) {
    fixture *f = *state;
    CHECK("time,x\n,\n1,\n,2\n", "time x", "* *|1 *|* 2");
    CHECK("time,x\nNaN,inf\n-Inf,nan\n", "time x", "* inf|-inf *");
    CHECK("time,x\ntrue,FALSE\n1,True\n", "time x", "1 0|1 1");
    CHECK("time,,x\n1,2,3\n", "time column 2 x", "1 2 3");
}

static void numbers_read_to_the_nearest_double(void **state) {
    fixture *f = *state;
    hbg_sim_table table = read_text(f, "t,x\n0.1,-0\n5e-324,1.7976931348623157e308\n");
    check_bits(table.values[0][0], 0.1);
    check_bits(table.values[1][0], -0.0);
    check_bits(table.values[0][1], 0x1p-1074);
    check_bits(table.values[1][1], 0x1.fffffffffffffp1023);
}

static void what_is_wrong_is_told_with_its_line(void **state) {
    fixture *f = *state;
    check_refused(f, "", "it is empty");
    check_refused(f, "\n\n# nothing\n", "it is empty");
    check_refused(f, "0,1\n2,3\n", "line 1: the names of the columns are missing");
    check_refused(f, "\n#\n0,1\n2,3\n", "line 3: the names of the columns are missing");
    check_refused(f, "time,x\n0,1\n1,abc\n", "line 3: `abc` is not a number");
    check_refused(f, "time,x\n\n# c\n1;5,2\n", "line 4: `1;5` is not a number");
    check_refused(f, "time;x\n0;1,5\n", "line 2: `1,5` is not a number");
    check_refused(f, "time,x\n0,0x10\n", "line 2: `0x10` is not a number");
    check_refused(f, "time,x\n0\n", "line 2: there are 1 values where the header has 2 names");
    check_refused(f, "time,x\n0,1\n0,1,2\n", "line 3: there are 3 values where the header has 2 names");
    check_refused(f, "time,x\n0,\"1\n", "line 2: a quote is not closed");
    check_refused(f, "time,\"x\n0,1\n2,3\n", "line 1: a quote is not closed");
    check_refused(f, "time,\"x\"y\n0,1\n", "line 1: text follows a closing quote");
    check_refused(f, "\"a\nb\",x\n0,1\n0,!\n", "line 4: `!` is not a number");
    check_refused(f,
                  "t,x\n0,a\x01\xff"
                  "b\n",
                  "line 2: `a \xef\xbf\xbd"
                  "b` is not a number");
    check_refused(f, "t,x\n0,xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4xxxxx\n",
                  "line 2: `xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4…` is not a number");
}

static void files_that_are_none_say_why(void **state) {
    fixture *f = *state;
    hbg_sim_table table;
    const char *reason = NULL;
    assert_int_equal(hbg_sim_table_read(&f->arena, "missing.csv", &table, &reason), HBG_CANNOT_READ);
    assert_string_equal(reason, "it does not exist");
    assert_int_equal(hbg_sim_table_read(&f->arena, ".", &table, &reason), HBG_CANNOT_READ);
    assert_string_equal(reason, "it is a directory");
    assert_int_equal(hbg_base_file_write("zero.csv", "t,x\n0,\0\n", 8, NULL, NULL), HBG_OK);
    assert_int_equal(hbg_sim_table_read(&f->arena, "zero.csv", &table, &reason), HBG_CANNOT_READ);
    assert_string_equal(reason, "it is not text: it has a zero byte");
    int file = open("large.csv", O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0 && ftruncate(file, 100000001) == 0);
    close(file);
    assert_int_equal(hbg_sim_table_read(&f->arena, "large.csv", &table, &reason), HBG_CANNOT_READ);
    assert_string_equal(reason, "it is larger than 100 MB, the most that is read");
}

/* Neither a line of a million names nor a million short lines takes much more memory than the numbers that
 * could be there. */
static void room_follows_from_the_size_of_the_file(void **state) {
    fixture *f = *state;
    enum { SIZE = 2000000 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, ',', SIZE / 2);
    memset(text + SIZE / 2, '\n', SIZE / 2);
    text[SIZE] = '\0';
    text[0] = 't';
    size_t before = f->memory.used;
    hbg_sim_table table = read_text(f, text);
    assert_int_equal(table.column_count, SIZE / 2);
    assert_int_equal(table.row_count, 0);
    free(text);
    assert_true(f->memory.used - before < (size_t)200 << 20);
}

static void memory_that_ends_ends_the_reading(void **state) {
    fixture *f = *state;
    put_file("in.csv", "time,x\n0,1\n1,2\n");
    for (int64_t k = 1, ended = 1; ended != 0; k++) {
        jmp_buf guard;
        hbg_sim_table table;
        const char *reason;
        ended = 0;
        f->memory.fail_at = f->memory.calls + k;
        if (HBG_GUARD(&f->memory, guard)) {
            hbg_base_arena_fini(&f->arena);
            assert_int_equal(f->memory.used, 0);
            assert_true(k < 100);
            ended = 1;
            continue;
        }
        assert_int_equal(hbg_sim_table_read(&f->arena, "in.csv", &table, &reason), HBG_OK);
        HBG_GUARD_END(&f->memory);
    }
    f->memory.fail_at = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(plain_files_are_read),
        TEST(line_ends_blanks_and_marks_of_others_are_understood),
        TEST(cells_may_be_quoted),
        TEST(units_stand_in_brackets),
        TEST(empty_cells_and_words_are_values),
        TEST(numbers_read_to_the_nearest_double),
        TEST(what_is_wrong_is_told_with_its_line),
        TEST(files_that_are_none_say_why),
        TEST(room_follows_from_the_size_of_the_file),
        TEST(memory_that_ends_ends_the_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
