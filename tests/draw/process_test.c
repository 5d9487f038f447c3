/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Child processes: big streams both ways, failures in words, nothing left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "draw/draw.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_buffer output;
    const char *reason;
    hbg_draw_command command;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){.command = {.package = "nothing", .timeout = 20, .output_limit = HBG_DRAW_OUTPUT_LIMIT}};
    hbg_base_arena_init(&f.arena, &f.memory);
    hbg_base_buffer_init(&f.output, &f.arena);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

static hbg_status run(fixture *f, const char *const *arguments) {
    f->command.arguments = arguments;
    return hbg_draw_run(&f->command, &f->output, &f->reason);
}

static int open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void assert_no_child(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void ten_megabytes_pass_through_cat_unchanged(void **state) {
    fixture *f = *state;
    size_t size = 10 * 1000 * 1000 + 7;
    char *data = malloc(size);
    uint32_t seed = 1;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (char)(seed >> 24);
    }
    int before = open_descriptors();
    f->command.input = data;
    f->command.input_size = size;
    assert_int_equal(run(f, (const char *const[]){"cat", NULL}), HBG_OK);
    assert_int_equal(f->output.size, size);
    assert_memory_equal(f->output.data, data, size);
    assert_int_equal(open_descriptors(), before);
    assert_no_child();
    free(data);
}

static void output_is_appended(void **state) {
    fixture *f = *state;
    hbg_base_buffer_text(&f->output, "before ");
    assert_int_equal(run(f, (const char *const[]){"echo", "after", NULL}), HBG_OK);
    assert_string_equal(f->output.data, "before after\n");
}

static void numbers_are_printed_in_the_plain_locale(void **state) {
    fixture *f = *state;
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    assert_int_equal(run(f, (const char *const[]){"sh", "-c", "echo $LC_ALL", NULL}), HBG_OK);
    unsetenv("LC_ALL");
    assert_string_equal(f->output.data, "C\n");
}

static void missing_program_names_its_package(void **state) {
    fixture *f = *state;
    int before = open_descriptors();
    f->command.package = "graphviz";
    assert_int_equal(run(f, (const char *const[]){"no-such-program-anywhere", NULL}), HBG_NO_PROGRAM);
    assert_string_equal(f->reason,
                        "the program `no-such-program-anywhere` is missing: install the package graphviz");
    assert_int_equal(open_descriptors(), before);
    assert_no_child();
}

static void failing_child_is_quoted_and_its_output_dropped(void **state) {
    fixture *f = *state;
    const char *const arguments[] = {"sh", "-c", "echo half; echo 'bad thing' >&2; echo more >&2; exit 3",
                                     NULL};
    hbg_base_buffer_text(&f->output, "kept");
    assert_int_equal(run(f, arguments), HBG_NO_PROGRAM);
    assert_string_equal(f->reason, "the program `sh` failed with exit code 3: bad thing");
    assert_string_equal(f->output.data, "kept");
    assert_int_equal(f->output.size, 4);
    assert_no_child();
}

static void child_ended_by_a_signal_is_a_failure(void **state) {
    fixture *f = *state;
    assert_int_equal(run(f, (const char *const[]){"sh", "-c", "kill -9 $$", NULL}), HBG_NO_PROGRAM);
    assert_string_equal(f->reason, "the program `sh` was ended by signal 9");
}

static void slow_child_is_killed(void **state) {
    fixture *f = *state;
    double start = now();
    f->command.timeout = 0.2;
    assert_int_equal(run(f, (const char *const[]){"sleep", "30", NULL}), HBG_NO_PROGRAM);
    assert_string_equal(f->reason, "the program `sleep` took longer than 0.2 seconds and was stopped");
    assert_true(now() - start < 10);
    assert_no_child();
}

static bool until(void *context) {
    return now() < *(const double *)context;
}

/* A compiler is a program that starts others. */
static void a_child_nobody_waits_for_is_killed_with_all_it_started(void **state) {
    fixture *f = *state;
    double start = now(), end = start + 0.2;
    f->command.goes_on = until;
    f->command.context = &end;
    (void)unlink("late");
    assert_int_equal(run(f, (const char *[]){"sh", "-c", "(sleep 1; echo late >late) & wait", NULL}),
                     HBG_NO_PROGRAM);
    assert_non_null(strstr(f->reason, "stopped before its end"));
    assert_true(now() - start < 0.9);
    assert_no_child();
    struct timespec pause = {.tv_sec = 1, .tv_nsec = 300000000};
    nanosleep(&pause, NULL);
    assert_int_not_equal(access("late", F_OK), 0);
    end = now() + 60;
    assert_int_equal(run(f, (const char *[]){"sh", "-c", "sleep 0.3; echo fine", NULL}), HBG_OK);
    assert_string_equal(f->output.data, "fine\n");
}

static void child_that_closes_its_output_and_lingers_is_killed(void **state) {
    fixture *f = *state;
    double start = now();
    f->command.timeout = 0.2;
    const char *const arguments[] = {"sh", "-c", "exec sleep 30 >/dev/null 2>/dev/null", NULL};
    assert_int_equal(run(f, arguments), HBG_NO_PROGRAM);
    assert_true(now() - start < 10);
    assert_no_child();
}

static void child_that_does_not_read_is_no_failure(void **state) {
    fixture *f = *state;
    f->command.input_size = 4000000;
    char *data = calloc(1, f->command.input_size);
    f->command.input = data;
    assert_int_equal(run(f, (const char *const[]){"true", NULL}), HBG_OK);
    assert_int_equal(run(f, (const char *const[]){"head", "-c", "10", NULL}), HBG_OK);
    assert_int_equal(f->output.size, 10);
    free(data);
}

static void endless_output_is_cut_at_the_limit(void **state) {
    fixture *f = *state;
    f->command.output_limit = 1000000;
    assert_int_equal(run(f, (const char *const[]){"yes", NULL}), HBG_TOO_LARGE);
    assert_string_equal(f->reason, "the program `yes` answered with more than 1000000 bytes");
    assert_no_child();
}

static void endless_complaints_do_not_block(void **state) {
    fixture *f = *state;
    const char *const arguments[] = {"sh", "-c", "head -c 3000000 /dev/zero >&2; echo done", NULL};
    assert_int_equal(run(f, arguments), HBG_OK);
    assert_string_equal(f->output.data, "done\n");
}

/* Closes the standard streams in a process of its own, so that new descriptors get their numbers. */
static void closed_standard_streams_do_not_confuse_the_child(void **state) {
    fixture *f = *state;
    f->command.input = "text";
    f->command.input_size = 4;
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < 3; i++) close(i);
        hbg_status status = run(f, (const char *const[]){"cat", NULL});
        _exit(status == HBG_OK && strcmp(f->output.data, "text") == 0 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Whether the arena gave up while the child was still writing. */
static bool runs_out_of_memory(fixture *f) {
    jmp_buf guard;
    if (HBG_GUARD(&f->memory, guard)) return true;
    hbg_status status = run(f, (const char *const[]){"yes", NULL});
    HBG_GUARD_END(&f->memory);
    assert_int_equal(status, HBG_OK);
    return false;
}

static void exhausted_memory_ends_the_child_first(void **state) {
    fixture *f = *state;
    int before = open_descriptors();
    f->memory.limit = 3000000;
    assert_true(runs_out_of_memory(f));
    assert_int_equal(open_descriptors(), before);
    assert_no_child();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ten_megabytes_pass_through_cat_unchanged, setup, teardown),
        cmocka_unit_test_setup_teardown(output_is_appended, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_printed_in_the_plain_locale, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_program_names_its_package, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_child_is_quoted_and_its_output_dropped, setup, teardown),
        cmocka_unit_test_setup_teardown(child_ended_by_a_signal_is_a_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(slow_child_is_killed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_child_nobody_waits_for_is_killed_with_all_it_started, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(child_that_closes_its_output_and_lingers_is_killed, setup, teardown),
        cmocka_unit_test_setup_teardown(child_that_does_not_read_is_no_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(endless_output_is_cut_at_the_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(endless_complaints_do_not_block, setup, teardown),
        cmocka_unit_test_setup_teardown(closed_standard_streams_do_not_confuse_the_child, setup, teardown),
        cmocka_unit_test_setup_teardown(exhausted_memory_ends_the_child_first, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
