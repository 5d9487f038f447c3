/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Imports: where files are looked for, that each is read once, and circles. Files are written into the test's
 * own folder. */
#include <sys/stat.h>
#include <unistd.h>

#include "lang/fixture_impl.h"

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

/* A file that defines component Part with the parameter p of this value. */
static void put_part(const char *path, int value) {
    char text[100];
    snprintf(text, sizeof text, "component Part { param p = %d; signal s = p; }\n", value);
    put(path, text);
}

static const char use_part[] = "import \"part.hbg\";\nmodel M { Part part; }\n";

static double part_value(fixture *f, const char *path) {
    hbg_model *m = hbg_lang_read_file(&f->lang, path, NULL);
    if (!m) show_diagnostics(f);
    assert_non_null(m);
    return value_of(f, m, "p");
}

static void a_file_is_looked_for_beside_then_in_the_folders_in_order(void **state) {
    fixture *f = *state;
    const char *const search[] = {"order/one", "order/two"};
    f->lang.search = search;
    f->lang.search_count = 2;
    mkdir("order", 0777);
    mkdir("order/one", 0777);
    mkdir("order/two", 0777);
    mkdir("order/models", 0777);
    put("order/models/m.hbg", use_part);
    put_part("order/two/part.hbg", 2);
    assert_true(part_value(f, "order/models/m.hbg") == 2);
    put_part("order/one/part.hbg", 1);
    assert_true(part_value(f, "order/models/m.hbg") == 1);
    put_part("order/models/part.hbg", 3);
    assert_true(part_value(f, "order/models/m.hbg") == 3);
    // the folder of the program's caller is none of them
    put_part("part.hbg", 4);
    assert_true(part_value(f, "order/models/m.hbg") == 3);
}

static void a_path_may_be_absolute(void **state) {
    fixture *f = *state;
    char folder[1000];
    assert_non_null(getcwd(folder, sizeof folder));
    put_part("absolute.hbg", 7);
    put("m.hbg",
        hbg_base_arena_print(&f->arena, "import \"%s/absolute.hbg\"; model M { Part part; }", folder));
    assert_true(part_value(f, "m.hbg") == 7);
}

static void a_file_reached_by_many_names_is_read_once(void **state) {
    fixture *f = *state;
    mkdir("many", 0777);
    put_part("many/part.hbg", 1);
    unlink("many/link.hbg");
    assert_int_equal(symlink("part.hbg", "many/link.hbg"), 0);
    put("many/left.hbg", "import \"part.hbg\";");
    put("many/m.hbg",
        "import \"part.hbg\"; import \"./part.hbg\"; import \"../many/part.hbg\"; import \"link.hbg\";\n"
        "import \"left.hbg\";\nmodel M { Part part; }");
    assert_true(part_value(f, "many/m.hbg") == 1);
    assert_int_equal(f->sources.items.count, 3);
}

static void circles_are_told_where_they_close(void **state) {
    fixture *f = *state;
    put("self.hbg", "import \"self.hbg\";\nmodel M { }");
    assert_null(hbg_lang_read_file(&f->lang, "self.hbg", NULL));
    assert_int_equal(f->diagnostics.errors, 1);
    put("a.hbg", "import \"b.hbg\";\nmodel M { }");
    put("b.hbg", "\nimport \"c.hbg\";");
    put("c.hbg", "\n\nimport \"a.hbg\";");
    assert_null(hbg_lang_read_file(&f->lang, "a.hbg", NULL));
    assert_int_equal(f->diagnostics.errors, 2);
    assert_diagnostic(f, "E0002", 3, "in a circle");
}

static void a_text_that_imports_its_own_path_is_a_circle(void **state) {
    fixture *f = *state;
    put("test.hbg", "import \"test.hbg\";\nmodel M { }");
    assert_null(read_any(f, "import \"test.hbg\";\nmodel M { }"));
    assert_diagnostic(f, "E0002", 1, "in a circle");
}

static void what_cannot_be_read_is_told_why(void **state) {
    fixture *f = *state;
    mkdir("folder.hbg", 0777);
    unlink("pipe.hbg");
    assert_int_equal(mkfifo("pipe.hbg", 0600), 0);
    put("bytes.hbg", "model M { } \xFF");
    assert_null(read_any(f, "import \"nowhere.hbg\";\n"
                            "import \"folder.hbg\";\n"
                            "import \"pipe.hbg\";\n"
                            "import \"bytes.hbg\";\n"
                            "import \"/dev/zero\";\n"
                            "import \"\";\n"
                            "model M { }"));
    assert_int_equal(f->diagnostics.errors, 6);
    assert_diagnostic(f, "E0001", 1, "looked beside `test.hbg`");
    assert_diagnostic(f, "E0001", 1, "`-I FOLDER`, or HBG_PATH");
    assert_diagnostic(f, "E0001", 2, "directory");
    assert_diagnostic(f, "E0001", 3, "pipe.hbg");
    assert_diagnostic(f, "E0105", 1, "0xFF");
    assert_diagnostic(f, "E0001", 5, "/dev/zero");
    assert_diagnostic(f, "E0001", 6, "");
}

static void long_rows_of_imports_are_bounded(void **state) {
    fixture *f = *state;
    mkdir("row", 0777);
    for (int i = 0; i < 70; i++)
        put(hbg_base_arena_print(&f->arena, "row/f%d.hbg", i),
            hbg_base_arena_print(&f->arena, "import \"f%d.hbg\"; function g%d(x) = x;", i + 1, i));
    put("row/f70.hbg", "component Last { }");
    put("row/deep.hbg", "import \"f0.hbg\"; model M { Last l; }");
    put("row/flat.hbg", "import \"f10.hbg\"; model M { Last l; }");
    assert_non_null(hbg_lang_read_file(&f->lang, "row/flat.hbg", NULL));
    assert_null(hbg_lang_read_file(&f->lang, "row/deep.hbg", NULL));
    assert_diagnostic(f, "E0202", 0, "imports are nested deeper than 64");
}

static void definitions_of_all_files_share_one_world(void **state) {
    fixture *f = *state;
    put_part("one.hbg", 1);
    put_part("two.hbg", 2);
    assert_null(read_any(f, "import \"one.hbg\"; import \"two.hbg\"; model M { Part part; }"));
    assert_diagnostic(f, "E0302", 0, "called `Part`");
    put("own.hbg", "model Imported { }");
    hbg_model *m = read_any(f, "import \"own.hbg\"; model Own { }");
    assert_non_null(m);
    assert_string_equal(name_of(f, m->name), "Own");
    // a file without a model of its own takes the first imported one
    m = read_any(f, "import \"own.hbg\";");
    assert_non_null(m);
    assert_string_equal(name_of(f, m->name), "Imported");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_looked_for_beside_then_in_the_folders_in_order),
        TEST(a_path_may_be_absolute),
        TEST(a_file_reached_by_many_names_is_read_once),
        TEST(circles_are_told_where_they_close),
        TEST(a_text_that_imports_its_own_path_is_a_circle),
        TEST(what_cannot_be_read_is_told_why),
        TEST(long_rows_of_imports_are_bounded),
        TEST(definitions_of_all_files_share_one_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
