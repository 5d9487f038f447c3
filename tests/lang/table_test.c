/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables: columns of CSV files in SI, and what is said about files that are none. Files are written into the
 * test's own folder. */
#include <sys/stat.h>

#include "lang/fixture_impl.h"

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

static hbg_model *read_column(fixture *f, const char *file, const char *column) {
    return read_any(
        f, hbg_base_arena_print(&f->arena, "model M { signal s = table(\"%s\", \"%s\"); }", file, column));
}

static void values_are_converted_to_si(void **state) {
    fixture *f = *state;
    put("units.csv",
        "t [ms], speed [km/h], angle [deg], plain, warm [degC]\n0, 36, 180, 1.5, 20\n5,72,-90,-2e3,-5\n");
    hbg_model *m = read_column(f, "units.csv", "speed");
    assert_non_null(m);
    const hbg_table *t = &m->tables.items[0];
    assert_int_equal(t->count, 2);
    assert_true(t->x[0] == 0 && t->x[1] == 0.005);
    assert_true(t->y[0] == 10 && t->y[1] == 20);
    m = read_column(f, "units.csv", "plain");
    assert_true(m->tables.items[0].y[1] == -2000);
    m = read_column(f, "units.csv", "warm");
    assert_true(m->tables.items[0].y[0] == 293.15 && m->tables.items[0].y[1] == 268.15);
    m = read_column(f, "units.csv", "angle");
    assert_true(m->tables.items[0].y[0] == 3.141592653589793);
}

static void separators_quotes_comments_and_line_ends_are_free(void **state) {
    fixture *f = *state;
    put("loose.csv", "# head\n\n \"t\" ;\t\"y [V]\"\r\n0;1\r\n# between\r\n\r\n 1 ,\t2 \n2,3");
    hbg_model *m = read_column(f, "loose.csv", "y");
    assert_non_null(m);
    assert_int_equal(m->tables.items[0].count, 3);
    assert_true(m->tables.items[0].y[2] == 3);
}

static void two_lines_with_one_argument_are_a_jump(void **state) {
    fixture *f = *state;
    put("jump.csv", "t,y\n0,0\n1,0\n1,5\n2,5\n");
    hbg_model *m = read_column(f, "jump.csv", "y");
    assert_non_null(m);
    assert_int_equal(m->tables.items[0].count, 4);
}

static void the_first_column_is_a_column_too(void **state) {
    fixture *f = *state;
    put("self.csv", "t\n0\n1\n");
    hbg_model *m = read_column(f, "self.csv", "t");
    assert_non_null(m);
    assert_true(m->tables.items[0].y[1] == 1);
}

static void a_column_is_read_once(void **state) {
    fixture *f = *state;
    put("twice.csv", "t,a,b\n0,1,2\n1,3,4\n");
    hbg_model *m = read_any(
        f, "model M { signal s = table(\"twice.csv\", \"a\") + table(\"twice.csv\", \"a\", 0.5 [s]);\n"
           "signal u = table(\"twice.csv\", \"b\"); }");
    assert_non_null(m);
    assert_int_equal(m->tables.count, 2);
}

static void the_argument_is_time_unless_given(void **state) {
    fixture *f = *state;
    put("arg.csv", "x,y\n0,1\n1,2\n");
    hbg_model *m = read_any(f, "model M { input real u = 0; signal s = table(\"arg.csv\", \"y\"), t = "
                               "table(\"arg.csv\", \"y\", 2*u); }");
    assert_non_null(m);
    assert_string_equal(expr_of(f, m, m->exprs.items[m->signals.items[1].value].a), "time");
    assert_string_equal(expr_of(f, m, m->exprs.items[m->signals.items[2].value].a), "2*u");
}

static void a_table_lies_beside_the_file_that_names_it(void **state) {
    fixture *f = *state;
    mkdir("folder", 0777);
    put("folder/beside.csv", "t,y\n0,1\n");
    const char *text = "model M { signal s = table(\"beside.csv\", \"y\"); }";
    assert_non_null(hbg_lang_read_text(&f->lang, "folder/model.hbg", text, strlen(text), NULL));
    assert_null(read_any(f, text));
    assert_diagnostic(f, "E0001", 1, "does not exist");
}

/* The box asks for the table; its file is named in another folder, by an argument of an argument. */
static void a_file_that_an_instance_is_given_lies_beside_that_instance(void **state) {
    fixture *f = *state;
    mkdir("folder", 0777);
    mkdir("parts", 0777);
    put("parts/box.hbg", "component Inner(file = \"\", column = \"y\") { signal s = table(file, column); }\n"
                         "component Box(data = \"own.csv\") { Inner i(file = data); }\n");
    put("parts/own.csv", "t,y\n0,1\n");
    put("folder/given.csv", "t,y\n0,2\n");
    put("here.csv", "t,y\n0,3\n");
    const char *text = "import \"../parts/box.hbg\";\nmodel M { Box a; Box b(data = \"given.csv\"); Box c; }";
    const char *asked = "c.i.file=\"here.csv\"";
    hbg_lang_options options = {.parameters = &asked, .parameter_count = 1};
    const hbg_model *m = hbg_lang_read_text(&f->lang, "folder/model.hbg", text, strlen(text), &options);
    assert_non_null(m);
    assert_int_equal(m->tables.count, 3);
    assert_true(m->tables.items[0].y[0] == 1 && m->tables.items[1].y[0] == 2 && m->tables.items[2].y[0] == 3);
    const char *const twice[] = {asked, asked};
    options = (hbg_lang_options){.parameters = twice, .parameter_count = 2};
    assert_null(hbg_lang_read_text(&f->lang, "folder/model.hbg", text, strlen(text), &options));
    assert_diagnostic(f, "E0204", 1, "given twice");
}

static void what_is_no_table_is_told_with_its_line(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "the file is empty"},
        {"\n\n# nothing\n", "the file is empty"},
        {"t,y\n", "there are no values"},
        {"t,x\n0,1\n", "no column `y`"},
        {"t,y\n0,1\n1\n", "line 3: this line has too few columns"},
        {"t,y\n0,1\n2,1\n1,1\n", "line 4: the first column must not decrease"},
        {"t,y\n0,1\n0,2\n0,3\n", "line 4: three lines"},
        {"t,y\n0,one\n", "line 2: `one` is not a number"},
        {"t,y\nzero,1\n", "line 2: `zero` is not a number"},
        {"t,y\n0,\n", "line 2: `` is not a number"},
        {"t,y\n0,1e999\n", "line 2: a value is too large"},
        {"t,y [kV]\n0,1e308\n", "line 2: a value is too large"},
        {"t,y [Vv]\n0,1\n", "line 1: there is no unit `Vv`; did you mean `[V]`?"},
        {"t,y [V\n0,1\n", "line 1: a unit in the header has no closing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put("wrong.csv", cases[i].text);
        assert_null(read_column(f, "wrong.csv", "y"));
        assert_int_equal(f->diagnostics.errors, i + 1);
        assert_diagnostic(f, "E0003", 1, cases[i].words);
    }
}

static void bytes_that_are_no_text_make_a_clean_message(void **state) {
    fixture *f = *state;
    put("bytes.csv", "t,y\n0,\xFF\xFE\033[31m\n");
    assert_null(read_column(f, "bytes.csv", "y"));
    assert_diagnostic(f, "E0003", 1, "`???[31m` is not a number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(values_are_converted_to_si),
        TEST(separators_quotes_comments_and_line_ends_are_free),
        TEST(two_lines_with_one_argument_are_a_jump),
        TEST(the_first_column_is_a_column_too),
        TEST(a_column_is_read_once),
        TEST(the_argument_is_time_unless_given),
        TEST(a_table_lies_beside_the_file_that_names_it),
        TEST(a_file_that_an_instance_is_given_lies_beside_that_instance),
        TEST(what_is_no_table_is_told_with_its_line),
        TEST(bytes_that_are_no_text_make_a_clean_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
