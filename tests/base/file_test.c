/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files are read whole and written whole, or not at all. Works in a folder of its own below the current. */
#include "fixture_impl.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter_folder(void **state) {
    char name[] = "file_test_XXXXXX";
    return setup(state) != 0 || mkdtemp(name) == NULL || chdir(name) != 0 ? -1 : 0;
}

static int leave_folder(void **state) {
    DIR *folder = opendir(".");
    if (folder == NULL) return -1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' || strncmp(entry->d_name, ".hbg", 4) == 0) remove(entry->d_name);
    closedir(folder);
    char path[4096];
    if (getcwd(path, sizeof path) == NULL || chdir("..") != 0 || rmdir(path) != 0) return -1;
    return teardown(state);
}

static int count_entries(void) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count - 2;
}

static void put(const char *path, const char *text) {
    const char *reason;
    assert_int_equal(hbg_base_file_write(path, text, strlen(text), NULL, &reason), HBG_OK);
    assert_null(reason);
}

static void check_content(fixture *f, const char *path, const char *expected) {
    char *text;
    size_t size;
    const char *reason;
    assert_int_equal(hbg_base_file_read(&f->arena, path, 1 << 20, &text, &size, &reason), HBG_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
}

static void check_unreadable(fixture *f, const char *path, size_t limit, const char *why) {
    char *text;
    size_t size;
    const char *reason = NULL;
    assert_int_equal(hbg_base_file_read(&f->arena, path, limit, &text, &size, &reason), HBG_CANNOT_READ);
    assert_string_equal(reason, why);
    assert_null(text);
    assert_int_equal(hbg_base_file_read(&f->arena, path, limit, &text, &size, NULL), HBG_CANNOT_READ);
}

static void check_unwritable(const char *path, const char *why) {
    const char *reason = NULL;
    assert_int_equal(hbg_base_file_write(path, "text", 4, NULL, &reason), HBG_CANNOT_WRITE);
    assert_string_equal(reason, why);
}

static void what_is_written_is_read(void **state) {
    fixture *f = *state;
    put("a.hbg", "model a {}\n");
    check_content(f, "a.hbg", "model a {}\n");
    put("a.hbg", "");
    check_content(f, "a.hbg", "");
    char *text, big[100000];
    size_t size;
    for (size_t i = 0; i < sizeof big; i++) big[i] = (char)next_random(f);
    assert_int_equal(hbg_base_file_write("big", big, sizeof big, NULL, NULL), HBG_OK);
    assert_int_equal(hbg_base_file_read(&f->arena, "big", sizeof big, &text, &size, NULL), HBG_OK);
    assert_int_equal(size, sizeof big);
    assert_memory_equal(text, big, sizeof big);
    assert_int_equal(text[size], '\0');
    assert_int_equal(count_entries(), 2);
}

static void the_limit_is_the_largest_size(void **state) {
    fixture *f = *state;
    put("ten", "0123456789");
    char *text;
    size_t size;
    assert_int_equal(hbg_base_file_read(&f->arena, "ten", 10, &text, &size, NULL), HBG_OK);
    assert_int_equal(hbg_base_file_read(&f->arena, "ten", SIZE_MAX, &text, &size, NULL), HBG_OK);
    check_unreadable(f, "ten", 9, "it is too large");
    check_unreadable(f, "ten", 0, "it is too large");
    put("empty", "");
    assert_int_equal(hbg_base_file_read(&f->arena, "empty", 0, &text, &size, NULL), HBG_OK);
}

static void a_file_larger_than_it_says_is_read_whole(void **state) {
    fixture *f = *state;
    char *text;
    size_t size;
    /* files of this system say 0 */
    assert_int_equal(hbg_base_file_read(&f->arena, "/proc/self/status", 1 << 20, &text, &size, NULL), HBG_OK);
    assert_true(size > 100);
    assert_int_equal(strlen(text), size);
    check_unreadable(f, "/proc/self/status", 100, "it is too large");
}

static void what_is_no_file_is_refused_without_waiting(void **state) {
    fixture *f = *state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(symlink("circle", "circle"), 0);
    put("file", "x");
    check_unreadable(f, "pipe", 100, "it is not a regular file");
    check_unreadable(f, "/dev/zero", 100, "it is not a regular file");
    check_unreadable(f, "folder", 100, "it is a directory");
    check_unreadable(f, "missing", 100, "it does not exist");
    check_unreadable(f, "", 100, "it does not exist");
    check_unreadable(f, "file/x", 100, "a part of its path is not a directory");
    check_unreadable(f, "circle", 100, "its symbolic links lead in a circle");
}

static void what_cannot_be_written_says_why(void **state) {
    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    check_unwritable("folder", "it is a directory");
    check_unwritable("missing/file", "its folder does not exist");
    check_unwritable("/proc/file", "the system lets no file be made in its folder");
    check_unwritable("/dev/full", "there is no space left");
    check_unwritable("", "it does not exist");
    char path[6000];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    check_unwritable(path, "its path is too long");
    for (size_t i = 0; i < sizeof path - 1; i += 2) path[i] = '/';
    check_unwritable(path, "its path is too long");
    assert_int_equal(count_entries(), 1);
}

static void a_failed_write_leaves_the_old_file(void **state) {
    fixture *f = *state;
    put("file", "old");
    struct rlimit before, small = {100, 100};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    static char data[1000];
    const char *reason = NULL;
    hbg_status status = hbg_base_file_write("file", data, sizeof data, NULL, &reason);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, HBG_CANNOT_WRITE);
    assert_string_equal(reason, "it would become too large");
    check_content(f, "file", "old");
    assert_int_equal(count_entries(), 1);
}

static void a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode(void **state) {
    (void)state;
    struct stat about;
    mode_t before = umask(027);
    put("new", "1");
    umask(before);
    assert_int_equal(stat("new", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    assert_int_equal(chmod("new", 0604), 0);
    put("new", "2");
    assert_int_equal(stat("new", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0604);
}

static void a_reader_of_the_old_file_sees_all_of_it(void **state) {
    fixture *f = *state;
    put("file", "old text");
    int reader = open("file", O_RDONLY | O_CLOEXEC);
    char text[16] = "";
    assert_int_equal(read(reader, text, 3), 3);
    put("file", "new");
    assert_int_equal(read(reader, text + 3, 10), 5);
    close(reader);
    assert_string_equal(text, "old text");
    check_content(f, "file", "new");
}

static void a_symbolic_link_stays_a_link(void **state) {
    fixture *f = *state;
    struct stat about;
    put("file", "old");
    assert_int_equal(symlink("file", "link"), 0);
    put("link", "new");
    assert_int_equal(lstat("link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    check_content(f, "file", "new");
}

static void a_pipe_is_written_into(void **state) {
    (void)state;
    struct stat about;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader >= 0);
    put("pipe", "through");
    char text[16] = "";
    assert_int_equal(read(reader, text, sizeof text), 7);
    close(reader);
    assert_string_equal(text, "through");
    assert_int_equal(stat("pipe", &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
}

static void temporaries_left_by_others_are_not_touched(void **state) {
    fixture *f = *state;
    char name[64];
    snprintf(name, sizeof name, ".hbg-%ld-0.partial", (long)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
    put("file", "text");
    check_content(f, "file", "text");
    check_content(f, name, "");
}

static void no_descriptor_stays_open(void **state) {
    fixture *f = *state;
    int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(before);
    put("file", "text");
    check_content(f, "file", "text");
    check_unreadable(f, "file", 1, "it is too large");
    check_unreadable(f, ".", 1, "it is a directory");
    check_unwritable("/dev/full", "there is no space left");
    int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(after);
    assert_int_equal(before, after);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST(what_is_written_is_read),
        FILE_TEST(the_limit_is_the_largest_size),
        FILE_TEST(a_file_larger_than_it_says_is_read_whole),
        FILE_TEST(what_is_no_file_is_refused_without_waiting),
        FILE_TEST(what_cannot_be_written_says_why),
        FILE_TEST(a_failed_write_leaves_the_old_file),
        FILE_TEST(a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode),
        FILE_TEST(a_reader_of_the_old_file_sees_all_of_it),
        FILE_TEST(a_symbolic_link_stays_a_link),
        FILE_TEST(a_pipe_is_written_into),
        FILE_TEST(temporaries_left_by_others_are_not_touched),
        FILE_TEST(no_descriptor_stays_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
