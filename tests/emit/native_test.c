/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text as code, and the cache it is kept in: whose it has to be, what is believed in it, and what is made anew. Each test has a
 * folder of its own below the one it runs in. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "emit/emit.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_emit_library *library;
    const char *reason;
} cache;

static void open_cache(cache *c) {
    memset(c, 0, sizeof *c);
    hbg_base_arena_init(&c->arena, &c->memory);
}

static void close_cache(cache *c) {
    hbg_emit_unload(c->library);
    hbg_base_arena_fini(&c->arena);
    assert_int_equal(c->memory.used, 0);
}

static hbg_status load(cache *c, const char *folder, const char *text) {
    hbg_emit_unload(c->library);
    hbg_emit_native native = {.text = text, .size = strlen(text), .folder = folder};
    return hbg_emit_load(&c->arena, &native, &c->library, &c->reason);
}

static int answer(const cache *c) {
    const void *symbol = hbg_emit_symbol(c->library, "answer");
    assert_non_null(symbol);
    return *(const int *)symbol;
}

#define assert_answer(c, folder, text, number)                                                               \
    do {                                                                                                     \
        if (load(c, folder, text) != HBG_OK) fail_msg("%s", (c)->reason);                                    \
        assert_int_equal(answer(c), number);                                                                 \
    } while (0)
#define assert_refused(c, folder, text, words)                                                               \
    do {                                                                                                     \
        assert_int_equal(load(c, folder, text), HBG_NO_PROGRAM);                                             \
        if (!strstr((c)->reason, words)) fail_msg("no `%s` in: %s", words, (c)->reason);                     \
        assert_null((c)->library);                                                                           \
    } while (0)

/* The file in the folder with this end; how many there are. */
static int find_file(const char *folder, const char *end, char *path, size_t size) {
    int count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *at; (at = readdir(list)) != NULL;) {
        size_t length = strlen(at->d_name), tail = strlen(end);
        if (length <= tail || strcmp(at->d_name + length - tail, end) != 0) continue;
        snprintf(path, size, "%s/%s", folder, at->d_name);
        count++;
    }
    closedir(list);
    return count;
}

static struct stat stat_of(const char *path) {
    struct stat found;
    assert_int_equal(lstat(path, &found), 0);
    return found;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* ---- what is kept ------------------------------------------------------------------------------------- */

static void a_text_is_compiled_once_and_kept(void **state) {
    cache c;
    char object[400], text[400];
    (void)state;
    open_cache(&c);
    assert_answer(&c, "a/b/kept", "int answer = 42;", 42);
    assert_null(hbg_emit_symbol(c.library, "question"));
    assert_int_equal(find_file("a/b/kept", ".so", object, sizeof object), 1);
    assert_int_equal(find_file("a/b/kept", ".c", text, sizeof text), 1);
    assert_int_equal(stat_of("a/b/kept").st_mode & 0777, 0700);
    assert_int_equal(stat_of(object).st_mode & 0777, 0700);
    assert_int_equal(stat_of(text).st_mode & 0777, 0600);
    ino_t before = stat_of(object).st_ino;
    assert_answer(&c, "a/b/kept", "int answer = 42;", 42);
    assert_int_equal(stat_of(object).st_ino, before); // the same file
    assert_answer(&c, "a/b/kept", "int answer = 43;", 43);
    assert_int_equal(find_file("a/b/kept", ".so", object, sizeof object), 2);
    assert_int_equal(find_file("a/b/kept", ".part", object, sizeof object), 0);
    close_cache(&c);
}

static void no_descriptor_is_left_open(void **state) {
    cache c;
    (void)state;
    open_cache(&c);
    int before = dup(0);
    close(before);
    assert_answer(&c, "descriptors", "int answer = 1;", 1);
    assert_answer(&c, "descriptors", "int answer = 1;", 1);
    assert_refused(&c, "descriptors", "this is no C", "cc");
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
    close_cache(&c);
}

/* ---- what is made anew -------------------------------------------------------------------------------- */

/* A text of another answer beside the object, as if two had one hash. */
static void an_object_with_another_text_is_made_anew(void **state) {
    cache c;
    char path[400];
    (void)state;
    open_cache(&c);
    assert_answer(&c, "collision", "int answer = 5;", 5);
    assert_int_equal(find_file("collision", ".c", path, sizeof path), 1);
    write_file(path, "int answer = 6;");
    ino_t text = stat_of(path).st_ino;
    assert_answer(&c, "collision", "int answer = 5;", 5);
    assert_true(stat_of(path).st_ino != text);
    close_cache(&c);
}

static void an_object_that_was_changed_or_cut_off_is_made_anew(void **state) {
    cache c;
    char path[400], other[400];
    (void)state;
    open_cache(&c);
    assert_answer(&c, "others", "int answer = 666;", 666);
    assert_int_equal(find_file("others", ".so", other, sizeof other), 1);
    assert_answer(&c, "tampered", "int answer = 7;", 7);
    assert_int_equal(find_file("tampered", ".so", path, sizeof path), 1);
    hbg_emit_unload(c.library);
    assert_int_equal(rename(other, path), 0); // a good object with another answer
    assert_answer(&c, "tampered", "int answer = 7;", 7);
    hbg_emit_unload(c.library);
    assert_int_equal(truncate(path, 100), 0);
    assert_answer(&c, "tampered", "int answer = 7;", 7);
    hbg_emit_unload(c.library);
    assert_int_equal(truncate(path, 0), 0);
    assert_answer(&c, "tampered", "int answer = 7;", 7);
    close_cache(&c);
}

/* As where a home is shared with a machine of another kind: what is kept is what was made, but nothing that can be loaded here. */
static void an_object_that_does_not_load_is_made_anew(void **state) {
    cache c;
    (void)state;
    open_cache(&c);
    write_file("foreign_cc",
               "#!/bin/sh\n[ -e here ] && exec cc \"$@\"\n"
               "while [ \"$1\" != -o ]; do shift; done\ncat >/dev/null\necho foreign >\"$2\"\n");
    assert_int_equal(chmod("foreign_cc", 0700), 0);
    const char *text = "int answer = 11;";
    hbg_emit_native native = {
        .text = text, .size = strlen(text), .folder = "shared", .compiler = "./foreign_cc"};
    assert_int_equal(hbg_emit_load(&c.arena, &native, &c.library, &c.reason), HBG_NO_PROGRAM);
    assert_non_null(strstr(c.reason, "cannot be loaded"));
    write_file("here", "");
    if (hbg_emit_load(&c.arena, &native, &c.library, &c.reason) != HBG_OK) fail_msg("%s", c.reason);
    assert_int_equal(answer(&c), 11);
    close_cache(&c);
}

static void files_that_others_can_write_and_links_are_made_anew(void **state) {
    cache c;
    char path[400], other[400];
    (void)state;
    open_cache(&c);
    assert_answer(&c, "strange", "int answer = 8;", 8);
    assert_int_equal(find_file("strange", ".so", path, sizeof path), 1);
    assert_int_equal(chmod(path, 0722), 0);
    assert_answer(&c, "strange", "int answer = 8;", 8);
    assert_int_equal(stat_of(path).st_mode & 0777, 0700);
    hbg_emit_unload(c.library);
    snprintf(other, sizeof other, "elsewhere.so");
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink("../elsewhere.so", path), 0); // the very same object, by a link
    assert_answer(&c, "strange", "int answer = 8;", 8);
    assert_true(S_ISREG(stat_of(path).st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0700), 0); // nobody waits for its other end
    assert_answer(&c, "strange", "int answer = 8;", 8);
    assert_true(S_ISREG(stat_of(path).st_mode));
    close_cache(&c);
}

static void old_objects_and_what_killed_runs_left_are_forgotten(void **state) {
    cache c;
    char path[400];
    struct timespec old[2] = {{.tv_sec = time(NULL) - 100000}, {.tv_sec = time(NULL) - 100000}};
    (void)state;
    open_cache(&c);
    assert_answer(&c, "many", "int answer = 9;", 9);
    for (int i = 0; i < 100; i++) {
        snprintf(path, sizeof path, "many/%032d.so", i);
        write_file(path, "");
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
        old[1].tv_sec++;
        memcpy(path + strlen(path) - 2, "c", 2);
        write_file(path, "");
    }
    write_file("many/dead.1.part", "");
    assert_int_equal(utimensat(AT_FDCWD, "many/dead.1.part", old, 0), 0);
    write_file("many/alive.2.part", "");
    assert_answer(&c, "many", "int answer = 10;", 10); // one more than are kept
    snprintf(path, sizeof path, "many/%032d.so", 0);
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "many/%032d.c", 0);
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "many/%032d.so", 1);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_not_equal(access("many/dead.1.part", F_OK), 0);
    assert_int_equal(access("many/alive.2.part", F_OK), 0);
    close_cache(&c);
}

/* ---- what is refused ---------------------------------------------------------------------------------- */

static void a_folder_that_others_can_enter_is_refused(void **state) {
    cache c;
    (void)state;
    open_cache(&c);
    static const mode_t modes[] = {0701, 0710, 0720, 0755, 0777};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(mkdir("open", 0700), 0);
        assert_int_equal(chmod("open", modes[i]), 0);
        assert_refused(&c, "open", "int answer = 11;", "mode 0700");
        assert_int_equal(rmdir("open"), 0); // nothing was put there
    }
    close_cache(&c);
}

static void a_folder_of_somebody_else_is_refused(void **state) {
    cache c;
    (void)state;
    if (geteuid() != 0) skip();
    open_cache(&c);
    assert_int_equal(mkdir("foreign", 0700), 0);
    assert_int_equal(chown("foreign", 12345, 12345), 0);
    assert_refused(&c, "foreign", "int answer = 12;", "folder of your own");
    assert_int_equal(chown("foreign", 0, 0), 0);
    assert_answer(&c, "foreign", "int answer = 12;", 12);
    char path[400];
    assert_int_equal(find_file("foreign", ".so", path, sizeof path), 1);
    assert_int_equal(chown(path, 12345, 12345), 0); // a file of somebody else is made anew
    assert_answer(&c, "foreign", "int answer = 12;", 12);
    assert_int_equal(stat_of(path).st_uid, 0);
    close_cache(&c);
}

static void what_is_no_folder_is_refused(void **state) {
    cache c;
    (void)state;
    open_cache(&c);
    write_file("plain", "");
    assert_refused(&c, "plain", "int answer = 13;", "there is no folder `plain`");
    assert_refused(&c, "plain/below", "int answer = 13;", "there is no folder");
    assert_refused(&c, "/proc/no/such", "int answer = 13;", "there is no folder");
    close_cache(&c);
}

static void without_a_name_for_the_folder_nothing_is_kept(void **state) {
    cache c;
    char folder[400];
    (void)state;
    open_cache(&c);
    assert_non_null(getcwd(folder, sizeof folder - 20));
    assert_int_equal(unsetenv("HOME"), 0);
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_refused(&c, NULL, "int answer = 14;", "neither XDG_CACHE_HOME nor HOME");
    assert_int_equal(setenv("HOME", "relative", 1), 0); // not believed
    assert_int_equal(setenv("XDG_CACHE_HOME", "relative", 1), 0);
    assert_refused(&c, NULL, "int answer = 14;", "neither XDG_CACHE_HOME nor HOME");
    strcat(folder, "/home");
    assert_int_equal(setenv("HOME", folder, 1), 0);
    assert_answer(&c, NULL, "int answer = 14;", 14);
    assert_int_equal(access("home/.cache/hbg", F_OK), 0);
    strcat(folder, "/xdg");
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    assert_answer(&c, NULL, "int answer = 15;", 15);
    assert_int_equal(access("home/xdg/hbg", F_OK), 0);
    close_cache(&c);
}

static void without_a_compiler_the_reason_names_it(void **state) {
    cache c;
    (void)state;
    open_cache(&c);
    hbg_emit_native native = {
        .text = "int answer;", .size = 11, .folder = "none", .compiler = "no-such-compiler"};
    assert_int_equal(hbg_emit_load(&c.arena, &native, &c.library, &c.reason), HBG_NO_PROGRAM);
    assert_non_null(strstr(c.reason, "no-such-compiler"));
    assert_non_null(strstr(c.reason, "gcc")); // what to install
    assert_refused(&c, "none", "int answer = ;", "error");
    char path[400];
    assert_int_equal(find_file("none", ".so", path, sizeof path), 0);
    assert_int_equal(find_file("none", ".part", path, sizeof path), 0);
    native.compiler = "true"; // says that all is well and makes nothing
    assert_int_equal(hbg_emit_load(&c.arena, &native, &c.library, &c.reason), HBG_NO_PROGRAM);
    close_cache(&c);
}

static void another_compiler_has_objects_of_its_own(void **state) {
    cache c;
    char path[400];
    (void)state;
    open_cache(&c);
    assert_answer(&c, "two", "int answer = 16;", 16);
    hbg_emit_unload(c.library);
    hbg_emit_native native = {.text = "int answer = 16;", .size = 16, .folder = "two", .compiler = "gcc"};
    assert_int_equal(hbg_emit_load(&c.arena, &native, &c.library, &c.reason), HBG_OK);
    assert_int_equal(find_file("two", ".so", path, sizeof path), 2);
    close_cache(&c);
}

/* Whichever allocation fails, nothing is leaked: no memory, no descriptor, nothing half written. */
static void memory_that_runs_out_leaves_nothing_behind(void **state) {
    int64_t calls = 1;
    int before = dup(0);
    (void)state;
    close(before);
    for (int64_t fail_at = 1; fail_at <= calls; fail_at++) {
        static cache c; // survives the jump
        jmp_buf guard;
        char path[400];
        open_cache(&c);
        c.memory.fail_at = fail_at;
        if (!HBG_GUARD(&c.memory, guard)) {
            hbg_status status = load(&c, "exhausted", "int answer = 17;");
            assert_int_equal(status, HBG_OK);
            calls = c.memory.calls < fail_at ? 0 : fail_at;
        } else {
            calls = fail_at + 1;
        }
        c.memory.exhausted = NULL;
        hbg_emit_unload(c.library);
        hbg_base_arena_fini(&c.arena);
        assert_int_equal(c.memory.used, 0);
        if (access("exhausted", F_OK) == 0)
            assert_int_equal(find_file("exhausted", ".part", path, sizeof path), 0);
        assert_true(fail_at < 1000);
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_compiled_once_and_kept),
        cmocka_unit_test(no_descriptor_is_left_open),
        cmocka_unit_test(an_object_with_another_text_is_made_anew),
        cmocka_unit_test(an_object_that_was_changed_or_cut_off_is_made_anew),
        cmocka_unit_test(an_object_that_does_not_load_is_made_anew),
        cmocka_unit_test(files_that_others_can_write_and_links_are_made_anew),
        cmocka_unit_test(old_objects_and_what_killed_runs_left_are_forgotten),
        cmocka_unit_test(a_folder_that_others_can_enter_is_refused),
        cmocka_unit_test(a_folder_of_somebody_else_is_refused),
        cmocka_unit_test(what_is_no_folder_is_refused),
        cmocka_unit_test(without_a_name_for_the_folder_nothing_is_kept),
        cmocka_unit_test(without_a_compiler_the_reason_names_it),
        cmocka_unit_test(another_compiler_has_objects_of_its_own),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
