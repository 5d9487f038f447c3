/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reading models and files, formatting, writing: through the public header. Files are written into the test's
 * own folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "hbg/hbg.h"

static const char text[] = "model First { param R1 = 1 [Ohm]; Se s(1 [V]); R r(R1); s -> r; }\n"
                           "model Second { param R1 = 2 [Ohm]; Se s(1 [V]); R r(R1); s -> r; }\n";

static int new_session(void **state) {
    hbg_session *session = NULL;
    int failed = hbg_session_new(NULL, &session) != HBG_OK;
    *state = session;
    return failed;
}

static int free_session(void **state) {
    hbg_session_free(*state);
    return 0;
}

static void put(const char *path, const char *data) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(data, file);
    fclose(file);
}

static void a_file_and_its_text_are_the_same_model(void **state) {
    hbg_session *session = *state;
    put("model.hbg", text);
    hbg_model *from_file, *from_text;
    hbg_text one, two;
    assert_int_equal(hbg_load_file(session, "model.hbg", NULL, &from_file), HBG_OK);
    assert_int_equal(hbg_load_text(session, "model.hbg", text, strlen(text), NULL, &from_text), HBG_OK);
    assert_int_equal(hbg_dump_text(session, from_file, &one), HBG_OK);
    assert_int_equal(hbg_dump_text(session, from_text, &two), HBG_OK);
    assert_string_equal(one.data, two.data);
    assert_string_equal(hbg_model_title(from_file), "First");
    hbg_text_free(session, &one);
    hbg_text_free(session, &two);
}

static void options_choose_model_and_values(void **state) {
    hbg_session *session = *state;
    const char *const parameters[] = {"R1=47 [Ohm]"};
    hbg_load_options options = {.model = "Second", .parameters = parameters, .parameter_count = 1};
    hbg_model *model;
    assert_int_equal(hbg_load_text(session, "test.hbg", text, strlen(text), &options, &model), HBG_OK);
    assert_string_equal(hbg_model_title(model), "Second");
    hbg_text dump;
    assert_int_equal(hbg_dump_text(session, model, &dump), HBG_OK);
    assert_non_null(strstr(dump.data, "47"));
    hbg_text_free(session, &dump);
    options.model = "Third";
    assert_int_equal(hbg_load_text(session, "test.hbg", text, strlen(text), &options, &model), HBG_BAD_MODEL);
    assert_null(model);
}

static void models_live_as_long_as_their_session(void **state) {
    hbg_session *session = *state;
    hbg_model *models[20];
    for (int i = 0; i < 20; i++)
        assert_int_equal(hbg_load_text(session, "test.hbg", text, strlen(text), NULL, &models[i]), HBG_OK);
    hbg_text first, last;
    assert_int_equal(hbg_list_text(session, models[0], &first), HBG_OK);
    assert_int_equal(hbg_list_text(session, models[19], &last), HBG_OK);
    assert_string_equal(first.data, last.data);
    hbg_text_free(session, &first);
    hbg_text_free(session, &last);
}

static void what_cannot_be_read_is_a_diagnostic(void **state) {
    hbg_session *session = *state;
    hbg_model *model;
    mkdir("folder", 0777);
    unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    static const char *const paths[] = {"nowhere.hbg", "folder", "pipe",
                                        "/dev/zero",   "",       "folder/../nowhere"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(hbg_load_file(session, paths[i], NULL, &model), HBG_BAD_MODEL);
        assert_int_equal(hbg_error_count(session), i + 1);
    }
}

static void formatting_gives_the_canonical_form(void **state) {
    hbg_session *session = *state;
    hbg_text formatted;
    assert_int_equal(hbg_format(session, "x.hbg", "model M{R r(1);}", 16, &formatted), HBG_OK);
    assert_string_equal(formatted.data, "model M {\n    R r(1);\n}\n");
    assert_int_equal(formatted.size, strlen(formatted.data));
    hbg_text_free(session, &formatted);
    assert_int_equal(hbg_format(session, "x.hbg", "model M{", 8, &formatted), HBG_BAD_MODEL);
    assert_null(formatted.data);
    assert_int_equal(hbg_error_count(session), 1);
    // a text that parses is formatted also after one that does not
    assert_int_equal(hbg_format(session, "x.hbg", "", 0, &formatted), HBG_OK);
    assert_int_equal(formatted.size, 0);
    hbg_text_free(session, &formatted);
}

static void files_are_read_and_written_whole(void **state) {
    hbg_session *session = *state;
    hbg_text back;
    static const char data[] = "a\0b\nc";
    assert_int_equal(hbg_write_file(session, "out.bin", data, sizeof data), HBG_OK);
    assert_int_equal(hbg_read_file(session, "out.bin", &back), HBG_OK);
    assert_int_equal(back.size, sizeof data);
    assert_memory_equal(back.data, data, sizeof data);
    hbg_text_free(session, &back);
    assert_int_equal(hbg_write_file(session, "out.bin", "", 0), HBG_OK);
    assert_int_equal(hbg_read_file(session, "out.bin", &back), HBG_OK);
    assert_int_equal(back.size, 0);
    hbg_text_free(session, &back);
    assert_int_equal(hbg_write_file(session, "no/such/folder/x", data, 3), HBG_CANNOT_WRITE);
    assert_true(strlen(hbg_session_reason(session)) > 0);
    assert_int_equal(hbg_write_file(session, ".", data, 3), HBG_CANNOT_WRITE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_session, free_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_file_and_its_text_are_the_same_model), TEST(options_choose_model_and_values),
        TEST(models_live_as_long_as_their_session),   TEST(what_cannot_be_read_is_a_diagnostic),
        TEST(formatting_gives_the_canonical_form),    TEST(files_are_read_and_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
