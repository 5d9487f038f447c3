/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * FILE.partial becomes FILE, whatever was there before. */
#include "results_fixture_impl.h"

static const hbg_sim_column time_column = {"time", "s", false};

static void write_file(fixture *f, const char *path) {
    hbg_sim_writer *writer = open_writer(f, path, &time_column, 1);
    assert_true(hbg_sim_writer_row(writer, &(double){3}));
    close_writer(writer, true);
}

static void the_old_file_stays_until_the_new_is_complete(void **state) {
    fixture *f = *state;
    put_file("out.csv", "old");
    hbg_sim_writer *writer = open_writer(f, "out.csv", &time_column, 1);
    check_content(f, "out.csv", "old");
    close_writer(writer, true);
    check_content(f, "out.csv", "time\n");
    assert_int_equal(count_entries(), 1);
}

static void a_symbolic_link_stays_a_link(void **state) {
    fixture *f = *state;
    struct stat about;
    put_file("file", "old");
    assert_int_equal(symlink("file", "link.csv"), 0);
    write_file(f, "link.csv");
    assert_int_equal(lstat("link.csv", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    check_content(f, "file", "time\n3\n");
    assert_int_equal(count_entries(), 2);
}

static void a_link_to_nothing_is_replaced_by_the_file(void **state) {
    fixture *f = *state;
    assert_int_equal(symlink("missing", "link.csv"), 0);
    write_file(f, "link.csv");
    check_content(f, "link.csv", "time\n3\n");
}

static void a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode(void **state) {
    fixture *f = *state;
    const char *const paths[] = {"out.csv", "out.h5", "out.mat"};
    for (int i = 0; i < 3; i++) {
        struct stat about;
        mode_t before = umask(027);
        write_file(f, paths[i]);
        umask(before);
        assert_int_equal(stat(paths[i], &about), 0);
        assert_int_equal(about.st_mode & 07777, 0640);
        assert_int_equal(chmod(paths[i], 0604), 0);
        write_file(f, paths[i]);
        assert_int_equal(stat(paths[i], &about), 0);
        assert_int_equal(about.st_mode & 07777, 0604);
    }
}

static void a_pipe_is_written_into(void **state) {
    fixture *f = *state;
    struct stat about;
    assert_int_equal(mkfifo("pipe.csv", 0600), 0);
    int reader = open("pipe.csv", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader >= 0);
    write_file(f, "pipe.csv");
    char text[32] = "";
    assert_int_equal(read(reader, text, sizeof text), 7);
    close(reader);
    assert_string_equal(text, "time\n3\n");
    assert_int_equal(stat("pipe.csv", &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    assert_int_equal(count_entries(), 1);
}

static void a_partial_file_of_before_is_no_obstacle(void **state) {
    fixture *f = *state;
    put_file("precious", "mine");
    put_file("out.csv.partial", "left by an earlier run, and longer than what comes now");
    write_file(f, "out.csv");
    check_content(f, "out.csv", "time\n3\n");
    /* nor does a link lead the rows astray */
    assert_int_equal(symlink("precious", "out.csv.partial"), 0);
    write_file(f, "out.csv");
    check_content(f, "out.csv", "time\n3\n");
    check_content(f, "precious", "mine");
}

static void another_run_to_the_same_file_is_noticed(void **state) {
    fixture *f = *state;
    hbg_sim_writer *first = open_writer(f, "out.csv", &time_column, 1);
    hbg_sim_writer *second = open_writer(f, "out.csv", &time_column, 1);
    assert_true(hbg_sim_writer_row(second, &(double){2}));
    const char *reason = NULL;
    assert_false(hbg_sim_writer_close(first, true, &reason));
    assert_string_equal(reason, "another program has replaced what was written so far");
    assert_false(exists("out.csv"));
    close_writer(second, true);
    check_content(f, "out.csv", "time\n2\n");
}

static void what_cannot_be_opened_says_why(void **state) {
    fixture *f = *state;
    assert_int_equal(mkdir("folder.csv", 0700), 0);
    assert_int_equal(mkdir("out.csv.partial", 0700), 0);
    assert_int_equal(symlink("circle.csv", "circle.csv"), 0);
    put_file("file", "x");
    check_not_opened(f, "folder.csv", "it is a directory");
    check_not_opened(f, "out.csv", "it is a directory");
    check_not_opened(f, "missing/out.csv", "its folder does not exist");
    check_not_opened(f, "/proc/out.csv", "the system lets no file be made in its folder");
    check_not_opened(f, "missing/out.h5", "its folder does not exist");
    check_not_opened(f, "missing/out.mat", "its folder does not exist");
    check_not_opened(f, "file/out.csv", "a part of its path is not a directory");
    check_not_opened(f, "circle.csv", "its symbolic links lead in a circle");
    char path[6000];
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 5, ".csv", 5);
    check_not_opened(f, path, "its path is too long");
    memcpy(path + 250, ".csv", 5); /* short enough itself, too long with the temporary ending */
    check_not_opened(f, path, "its path is too long");
    assert_int_equal(count_entries(), 4);
}

static void no_descriptor_stays_open(void **state) {
    fixture *f = *state;
    const char *const paths[] = {"out.csv", "out.h5", "out.mat"};
    for (int i = 0; i < 3; i++) write_file(f, paths[i]); /* a library may keep something open */
    int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(before);
    for (int i = 0; i < 3; i++) {
        write_file(f, paths[i]);
        close_writer(open_writer(f, paths[i], &time_column, 1), false);
    }
    int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(after);
    assert_int_equal(before, after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_old_file_stays_until_the_new_is_complete),
        TEST(a_symbolic_link_stays_a_link),
        TEST(a_link_to_nothing_is_replaced_by_the_file),
        TEST(a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode),
        TEST(a_pipe_is_written_into),
        TEST(a_partial_file_of_before_is_no_obstacle),
        TEST(another_run_to_the_same_file_is_noticed),
        TEST(what_cannot_be_opened_says_why),
        TEST(no_descriptor_stays_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
