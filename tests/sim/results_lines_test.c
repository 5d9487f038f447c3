/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines of text that become a file when it is complete. */
#include "results_fixture_impl.h"

static hbg_sim_lines *open_lines(fixture *f, const char *path) {
    const char *reason;
    hbg_sim_lines *lines = hbg_sim_lines_open(&f->memory, path, NULL, &reason);
    if (!lines) fail_msg("%s", reason);
    return lines;
}

static void put(hbg_sim_lines *lines, const char *text) {
    assert_true(hbg_sim_lines_write(lines, text, strlen(text)));
}

static void lines_become_the_file_when_it_is_complete(void **state) {
    fixture *f = *state;
    const char *reason;
    put_file("e.jsonl", "old");
    hbg_sim_lines *lines = open_lines(f, "e.jsonl");
    put(lines, "one\n");
    put(lines, "two\n");
    check_content(f, "e.jsonl", "old");
    assert_true(hbg_sim_lines_close(lines, true, &reason));
    check_content(f, "e.jsonl", "one\ntwo\n");
    assert_int_equal(count_entries(), 1);
}

static void what_is_not_complete_stays_partial(void **state) {
    fixture *f = *state;
    const char *reason;
    hbg_sim_lines *lines = open_lines(f, "e.jsonl");
    put(lines, "one\n");
    assert_true(hbg_sim_lines_close(lines, false, &reason));
    check_content(f, "e.jsonl.partial", "one\n");
    assert_int_equal(count_entries(), 1);
}

/* Lines longer than the block, in pieces of every size around it. */
static void long_lines_are_written_in_order(void **state) {
    fixture *f = *state;
    const char *reason;
    static const size_t sizes[] = {65535, 2, 65536, 1, 65537, 200000, 3};
    static char text[500000], block[200001];
    size_t size = 0;
    hbg_sim_lines *lines = open_lines(f, "e.jsonl");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(block, 'a' + (int)i, sizes[i]);
        memcpy(text + size, block, sizes[i]);
        size += sizes[i];
        assert_true(hbg_sim_lines_write(lines, block, sizes[i]));
    }
    text[size] = 0;
    assert_true(hbg_sim_lines_close(lines, true, &reason));
    check_content(f, "e.jsonl", text);
}

static void a_folder_that_is_missing_is_told(void **state) {
    fixture *f = *state;
    const char *reason;
    assert_null(hbg_sim_lines_open(&f->memory, "no/e.jsonl", NULL, &reason));
    assert_string_equal(reason, "its folder does not exist");
}

/* ---- going on ----------------------------------------------------------------------------------------- */

#define HEAD "run,value\n"

static void going_on_drops_a_line_without_its_end(void **state) {
    fixture *f = *state;
    const char *reason;
    int64_t count = 0;
    put_file("t.csv.partial", HEAD "0,a\n1,b\n2,c");
    hbg_sim_lines *lines = hbg_sim_lines_resume(&f->memory, "t.csv", HEAD, &count, &reason);
    if (!lines) fail_msg("%s", reason);
    assert_int_equal(count, 2);
    put(lines, "2,d\n");
    assert_true(hbg_sim_lines_flush(lines));
    check_content(f, "t.csv.partial", HEAD "0,a\n1,b\n2,d\n");
    assert_true(hbg_sim_lines_close(lines, true, &reason));
    check_content(f, "t.csv", HEAD "0,a\n1,b\n2,d\n");
    assert_int_equal(count_entries(), 1);
}

static void going_on_with_nothing_but_the_head(void **state) {
    fixture *f = *state;
    const char *reason;
    int64_t count = 0;
    put_file("t.csv.partial", HEAD);
    hbg_sim_lines *lines = hbg_sim_lines_resume(&f->memory, "t.csv", HEAD, &count, &reason);
    if (!lines) fail_msg("%s", reason);
    assert_int_equal(count, 0);
    assert_true(hbg_sim_lines_close(lines, false, &reason));
    check_content(f, "t.csv.partial", HEAD);
}

static void where_the_head_is_cut_there_is_nothing_to_go_on_with(void **state) {
    fixture *f = *state;
    static const char *const beginnings[] = {"", "run,valu", "run,value"};
    const char *reason;
    int64_t count = 0;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        put_file("t.csv.partial", beginnings[i]);
        count = 0;
        hbg_sim_lines *lines = hbg_sim_lines_resume(&f->memory, "t.csv", HEAD, &count, &reason);
        if (!lines) fail_msg("%s", reason);
        assert_int_equal(count, -1);
        put(lines, HEAD);
        assert_true(hbg_sim_lines_close(lines, false, &reason));
        check_content(f, "t.csv.partial", HEAD);
    }
}

/* A file that does not fit stays unchanged. */
static void going_on_needs_what_fits(void **state) {
    fixture *f = *state;
    static const char *const others[] = {"run,valo",        "run,other\n0,a\n", HEAD "1,a\n",
                                         HEAD "0,a\n0,b\n", HEAD "0a\n",        HEAD "\n"};
    const char *reason;
    int64_t count = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        put_file("t.csv.partial", others[i]);
        if (hbg_sim_lines_resume(&f->memory, "t.csv", HEAD, &count, &reason)) fail_msg("%zu is taken", i);
        assert_string_equal(reason, "the lines written so far do not fit this run");
        check_content(f, "t.csv.partial", others[i]);
    }
    assert_int_equal(unlink("t.csv.partial"), 0);
    assert_null(hbg_sim_lines_resume(&f->memory, "t.csv", HEAD, &count, &reason));
    assert_non_null(strstr(reason, "there is no such file"));
    assert_int_equal(symlink("/dev/null", "t.csv.partial"), 0);
    assert_null(hbg_sim_lines_resume(&f->memory, "t.csv", HEAD, &count, &reason));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(lines_become_the_file_when_it_is_complete),
        TEST(what_is_not_complete_stays_partial),
        TEST(long_lines_are_written_in_order),
        TEST(a_folder_that_is_missing_is_told),
        TEST(going_on_drops_a_line_without_its_end),
        TEST(going_on_with_nothing_but_the_head),
        TEST(where_the_head_is_cut_there_is_nothing_to_go_on_with),
        TEST(going_on_needs_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
