/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Signals end the command cleanly: with the exit status a shell would report, with partial files that other
 * programs can open, and also while it waits for a pipe or for a compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5/serial/hdf5.h>
#include <matio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct { int number, code; } signals[] = {{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}};
enum { SIGNALS = sizeof signals / sizeof *signals, PATIENCE = 600 /* tenths of a second */ };

static void put(const char *path, const char *text, mode_t mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int setup(void **state) {
    (void)state;
    put("ever.hbg",
        "model Ever {\n    param w = 1000 [1/s];\n    state x = 0 : der = cos(time*w);\n    output y = x;\n"
        "    experiment e { stop 1e9 [s]; }\n}\n",
        0600);
    return 0;
}

static void rest(void) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static bool is_longer(const char *path, off_t size) {
    struct stat about;
    return stat(path, &about) == 0 && about.st_size > size;
}

static void wait_until_longer(const char *path, off_t size) {
    for (int i = 0; i < PATIENCE && !is_longer(path, size); i++) rest();
    if (!is_longer(path, size)) fail_msg("%s does not grow", path);
}

/* Starts hbg with this standard output, -1: none, its messages in the file `said`. */
static pid_t start(int output, const char *const *arguments) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) return child;
    for (int i = 0; i < SIGNALS; i++) (void)signal(signals[i].number, SIG_DFL);
    int said = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (output < 0) output = open("/dev/null", O_WRONLY);
    if (said < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0) _exit(98);
    execv(getenv("HBG"), (char *const *)arguments);
    _exit(98);
}

/* Sends the signal and waits for the end, whose exit status has to be this one. One signal has to suffice. */
static void end(pid_t child, int number, int code) {
    int status;
    assert_int_equal(kill(child, number), 0);
    for (int i = 0; i < PATIENCE; i++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), code);
            return;
        }
        rest();
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    fail_msg("signal %d does not end it", number);
}

static void check_said(const char *expected) {
    char text[4096];
    FILE *file = fopen("said", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (!strstr(text, expected)) fail_msg("no \"%s\" in:\n%s", expected, text);
}

/* ---- files ------------------------------------------------------------------------------------------ */

static hsize_t rows_of_hdf5(const char *path) {
    hsize_t rows = 0;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t data = H5Dopen2(file, "y", H5P_DEFAULT);
    assert_true(data >= 0);
    hid_t space = H5Dget_space(data);
    assert_int_equal(H5Sget_simple_extent_dims(space, &rows, NULL), 1);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return rows;
}

static size_t rows_of_matlab(const char *path) {
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    assert_non_null(file);
    matvar_t *y = Mat_VarRead(file, "y");
    assert_non_null(y);
    size_t rows = y->dims[0];
    Mat_VarFree(y);
    Mat_Close(file);
    return rows;
}

static void each_signal_leaves_files_that_can_be_opened(void **state) {
    (void)state;
    const char *const arguments[] = {"hbg", "run",  "ever.hbg", "-q",    "-o", "e.csv",
                                     "-o",  "e.h5", "-o",       "e.mat", NULL};
    for (int i = 0; i < SIGNALS; i++) {
        remove("e.csv.partial");
        pid_t child = start(-1, arguments);
        wait_until_longer("e.csv.partial", 1 << 18);
        end(child, signals[i].number, signals[i].code);
        check_said("interrupted at t = ");
        check_said("the rows so far are in `e.csv.partial`, `e.h5.partial`, `e.mat.partial`");
        assert_true(rows_of_hdf5("e.h5.partial") > 1000);
        assert_int_equal(rows_of_hdf5("e.h5.partial"), rows_of_matlab("e.mat.partial"));
        assert_int_equal(access("e.csv", F_OK) | access("e.h5", F_OK) | access("e.mat", F_OK), -1);
    }
}

static void a_signal_that_was_switched_off_has_no_effect(void **state) {
    (void)state;
    remove("e.csv.partial");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGHUP, SIG_IGN); // as nohup does
        execl(getenv("HBG"), "hbg", "run", "ever.hbg", "-q", "-o", "e.csv", NULL);
        _exit(98);
    }
    wait_until_longer("e.csv.partial", 1 << 16);
    assert_int_equal(kill(child, SIGHUP), 0);
    rest();
    struct stat about;
    assert_int_equal(stat("e.csv.partial", &about), 0);
    wait_until_longer("e.csv.partial", about.st_size + (1 << 18));
    end(child, SIGTERM, 143);
}

/* ---- pipes ------------------------------------------------------------------------------------------ */

/* Waits until nothing more arrives: the contents of the pipe do not change once its writer is blocked. */
static void wait_until_full(int pipe) {
    for (int i = 0, before = 0, waiting = 0; i < PATIENCE; i++, before = waiting) {
        assert_int_equal(ioctl(pipe, FIONREAD, &waiting), 0);
        if (waiting > 0 && waiting == before) return;
        for (int k = 0; k < 5; k++) rest();
    }
    fail_msg("the pipe does not fill");
}

static void each_signal_is_heard_while_rows_wait_for_a_full_pipe(void **state) {
    (void)state;
    const char *const run[] = {"hbg", "run", "ever.hbg", "-q", "-o", "-", NULL};
    const char *const sweep[] = {"hbg",    "sweep", "ever.hbg", "-q", "-p", "w=1:1000000:0.1",
                                 "--stop", "1e-6",  NULL};
    for (int i = 0; i < 2 * SIGNALS; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
        pid_t child = start(ends[1], i < SIGNALS ? run : sweep);
        close(ends[1]);
        wait_until_full(ends[0]);
        end(child, signals[i % SIGNALS].number, signals[i % SIGNALS].code);
        check_said(i < SIGNALS ? "interrupted at t = " : "interrupted after ");
        close(ends[0]);
    }
}

/* Rows, events, a picture, a table: anything that goes to a named pipe without a reader. */
static void a_signal_is_heard_while_a_pipe_has_no_reader(void **state) {
    (void)state;
    const char *const commands[][10] = {{"hbg", "run", "ever.hbg", "-q", "-o", "fifo"},
                                        {"hbg", "run", "ever.hbg", "-q", "--events", "fifo"},
                                        {"hbg", "sweep", "ever.hbg", "-p", "w=1,2", "-o", "fifo"},
                                        {"hbg", "run", "ever.hbg", "--stop", "1e-6", "--plot", "fifo.svg"}};
    assert_int_equal(mkfifo("fifo", 0600) | mkfifo("fifo.svg", 0600), 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        pid_t child = start(-1, commands[i]);
        for (int k = 0; k < 20; k++) rest(); // it cannot report that it waits
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        end(child, SIGTERM, 143);
        check_said("interrupted");
    }
}

/* Input has to be a regular file, so reading never waits. */
static void a_model_in_a_pipe_is_refused_at_once(void **state) {
    (void)state;
    int status;
    pid_t child = start(-1, (const char *const[]){"hbg", "run", "fifo", NULL});
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 2);
    check_said("cannot read `fifo`: it is not a regular file");
}

/* ---- the compiler ----------------------------------------------------------------------------------- */

static pid_t read_number(const char *path) {
    long number = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &number), 1);
    fclose(file);
    return (pid_t)number;
}

static void each_signal_ends_the_compiler_too(void **state) {
    (void)state;
    char path[8192], folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/slow:%s", folder, getenv("PATH"));
    assert_int_equal(mkdir("slow", 0700), 0);
    put("slow/cc", "#!/bin/sh\necho $$ >compiling\nmv compiling compiler\nexec sleep 100\n", 0700);
    assert_int_equal(setenv("PATH", path, 1) | setenv("XDG_CACHE_HOME", folder, 1), 0);
    for (int i = 0; i < SIGNALS; i++) {
        remove("compiler");
        pid_t child = start(
            -1, (const char *const[]){"hbg", "run", "ever.hbg", "--engine", "native", "-o", "n.csv", NULL});
        wait_until_longer("compiler", 0);
        end(child, signals[i].number, signals[i].code);
        assert_int_equal(kill(read_number("compiler"), 0), -1);
        assert_int_equal(errno, ESRCH);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_signal_leaves_files_that_can_be_opened),
        cmocka_unit_test(a_signal_that_was_switched_off_has_no_effect),
        cmocka_unit_test(each_signal_is_heard_while_rows_wait_for_a_full_pipe),
        cmocka_unit_test(a_signal_is_heard_while_a_pipe_has_no_reader),
        cmocka_unit_test(a_model_in_a_pipe_is_refused_at_once),
        cmocka_unit_test(each_signal_ends_the_compiler_too),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
