/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program as a child process: text in, text out, bounded in time and size.
 *
 * The three streams are socket pairs: sending with MSG_NOSIGNAL cannot raise SIGPIPE, MSG_DONTWAIT makes only
 * our end non-blocking, and both ends are created close-on-exec, so no other thread's child inherits them.
 * One poll loop pumps input and output, so there is no deadlock.
 *
 * Output goes straight into the caller's arena. An exhausted arena jumps, so the loop runs under its own
 * guard, which ends the child before it passes the jump on to the guard outside. */
#include "draw/draw.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

extern char **environ;

#define CHUNK             65536
#define BETWEEN_QUESTIONS 100  /* ms between calls of goes_on */
#define COMPLAINT         1024 /* bytes kept of what the child writes to standard error */
#define FIRST_NUMBER      3    /* descriptors below are the child's own streams */

typedef struct {
    const hbg_draw_command *command;
    hbg_buffer *output;
    size_t output_start; /* size of the buffer before */
    pid_t pid;           /* 0: none, or waited for */
    int streams[3];      /* our ends: input, output, complaints; -1 when closed */
    size_t sent;
    char complaint[COMPLAINT];
    size_t complaint_size;
    struct timespec deadline;
    int exit_status; /* as given by waitpid */
} child;

typedef enum { CHILD_DONE, CHILD_SLOW, CHILD_TALKS, CHILD_LOST, CHILD_UNWANTED } outcome;

static void close_stream(int *stream) {
    if (*stream >= 0) close(*stream);
    *stream = -1;
}

static bool is_wanted(const child *child) {
    return !child->command->goes_on || child->command->goes_on(child->command->context);
}

/* Milliseconds until the deadline; 0 when it has passed. */
static int time_left(const child *child) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double left = (double)(child->deadline.tv_sec - now.tv_sec) * 1e3 +
                  (double)(child->deadline.tv_nsec - now.tv_nsec) / 1e6;
    if (left <= 0) return 0;
    return left > 1e6 ? 1000000 : (int)left + 1;
}

static void set_deadline(child *child) {
    clock_gettime(CLOCK_MONOTONIC, &child->deadline);
    double timeout = child->command->timeout;
    if (!(timeout > 0)) timeout = 0;
    if (timeout > 1e8) timeout = 1e8;
    child->deadline.tv_sec += (time_t)timeout;
    child->deadline.tv_nsec += (long)((timeout - (double)(time_t)timeout) * 1e9);
}

/* Waits for the child, without a limit only if it was killed. False when time is over, or goes_on has
 * returned false. */
static bool wait_for(child *child, bool killed) {
    struct timespec pause = {.tv_nsec = 200000};
    while (child->pid > 0) {
        pid_t got = waitpid(child->pid, &child->exit_status, killed ? 0 : WNOHANG);
        /* a parent that ignores SIGCHLD has no children to wait for: then only the output counts */
        if (got == child->pid || (got < 0 && errno != EINTR)) {
            if (got < 0) child->exit_status = 0;
            child->pid = 0;
            return true;
        }
        if (got < 0 || killed) continue;
        if (time_left(child) == 0 || !is_wanted(child)) return false;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 20000000) pause.tv_nsec *= 2;
    }
    return true;
}

/* Releases everything: descriptors and processes. */
static void end_child(child *child) {
    for (int i = 0; i < 3; i++) close_stream(&child->streams[i]);
    if (child->pid <= 0) return;
    if (child->command->goes_on) kill(-child->pid, SIGKILL); // its own group: a compiler calls other programs
    kill(child->pid, SIGKILL);
    wait_for(child, true);
}

/* ---- starting -------------------------------------------------------------------------------------- */

/* A pair with numbers above the standard streams: the child's end is later copied onto one of those. */
static bool make_pair(int pair[2]) {
    int low[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) != 0) return false;
    for (int i = 0; i < 2; i++) {
        pair[i] = low[i];
        if (low[i] >= FIRST_NUMBER) continue;
        pair[i] = fcntl(low[i], F_DUPFD_CLOEXEC, FIRST_NUMBER);
        close(low[i]);
    }
    if (pair[0] >= 0 && pair[1] >= 0) return true;
    close_stream(&pair[0]);
    close_stream(&pair[1]);
    return false;
}

/* The environment with numbers as in the locale C, whatever the user's language. */
static char **plain_environment(hbg_arena *arena, const char *temporary) {
    size_t count = 0, kept = 0;
    while (environ && environ[count]) count++;
    char **copy = HBG_NEW_ARRAY(arena, char *, count + 3);
    for (size_t i = 0; i < count; i++) {
        bool replaced =
            strncmp(environ[i], "LC_ALL=", 7) == 0 || (temporary && strncmp(environ[i], "TMPDIR=", 7) == 0);
        if (!replaced) copy[kept++] = environ[i];
    }
    copy[kept++] = hbg_base_arena_print(arena, "LC_ALL=C");
    if (temporary) copy[kept] = hbg_base_arena_print(arena, "TMPDIR=%s", temporary);
    return copy;
}

static int spawn_with(child *child, const int theirs[3], char **environment,
                      posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
    sigset_t none, usual; // signals that may be ignored here, but not in the child
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (child->command->goes_on) flags |= POSIX_SPAWN_SETPGROUP;
    int error = posix_spawnattr_setflags(attributes, (short)flags);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &usual);
    for (int i = 0; i < 3 && error == 0; i++) error = posix_spawn_file_actions_adddup2(actions, theirs[i], i);
    if (error != 0) return error;
    const char *const *arguments = child->command->arguments;
    return posix_spawnp(&child->pid, arguments[0], actions, attributes, (char *const *)arguments,
                        environment);
}

/* Starts the program with the given ends of its streams; 0 or an error number. */
static int spawn(child *child, const int theirs[3], char **environment) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = spawn_with(child, theirs, environment, &actions, &attributes);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) child->pid = 0;
    return error;
}

static int start(child *child, char **environment) {
    int theirs[3] = {-1, -1, -1}, error = 0;
    for (int i = 0; i < 3 && error == 0; i++) {
        int pair[2];
        if (!make_pair(pair)) {
            error = errno;
            break;
        }
        child->streams[i] = pair[0];
        theirs[i] = pair[1];
    }
    if (error == 0) error = spawn(child, theirs, environment);
    for (int i = 0; i < 3; i++) close_stream(&theirs[i]);
    return error;
}

/* ---- pumping --------------------------------------------------------------------------------------- */

static bool try_again(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* A child that does not read its input to the end has not failed: it may not need the rest. */
static void pump_input(child *child) {
    size_t left = child->command->input_size - child->sent;
    if (left > CHUNK) left = CHUNK;
    ssize_t sent = left == 0 ? 0
                             : send(child->streams[0], child->command->input + child->sent, left,
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) child->sent += (size_t)sent;
    bool lost = sent < 0 && !try_again();
    if (lost || child->sent == child->command->input_size) close_stream(&child->streams[0]);
}

/* Reads the available output; false when it is over its limit. May jump (see the head). */
static bool pump_output(child *child) {
    char chunk[CHUNK];
    ssize_t got = recv(child->streams[1], chunk, sizeof chunk, MSG_DONTWAIT);
    if (got < 0 && try_again()) return true;
    if (got <= 0) {
        close_stream(&child->streams[1]);
        return true;
    }
    if (child->output->size - child->output_start + (size_t)got > child->command->output_limit) return false;
    hbg_base_buffer_add(child->output, chunk, (size_t)got);
    return true;
}

/* Keeps the beginning of the child's standard error and discards the rest. */
static void pump_complaint(child *child) {
    char chunk[CHUNK];
    ssize_t got = recv(child->streams[2], chunk, sizeof chunk, MSG_DONTWAIT);
    if (got < 0 && try_again()) return;
    if (got <= 0) {
        close_stream(&child->streams[2]);
        return;
    }
    size_t room = COMPLAINT - child->complaint_size;
    size_t kept = (size_t)got < room ? (size_t)got : room;
    memcpy(child->complaint + child->complaint_size, chunk, kept);
    child->complaint_size += kept;
}

static outcome pump(child *child) {
    while (child->streams[1] >= 0 || child->streams[2] >= 0) {
        struct pollfd polls[3] = {{.fd = child->streams[0], .events = POLLOUT},
                                  {.fd = child->streams[1], .events = POLLIN},
                                  {.fd = child->streams[2], .events = POLLIN}};
        int left = time_left(child);
        if (left == 0) return CHILD_SLOW;
        int ready =
            poll(polls, 3, child->command->goes_on && left > BETWEEN_QUESTIONS ? BETWEEN_QUESTIONS : left);
        if (ready < 0 && errno != EINTR) return CHILD_LOST;
        if (ready <= 0 && !is_wanted(child)) return CHILD_UNWANTED;
        if (ready <= 0) continue;
        if (polls[0].revents) pump_input(child);
        if (polls[1].revents && !pump_output(child)) return CHILD_TALKS;
        if (polls[2].revents) pump_complaint(child);
    }
    close_stream(&child->streams[0]);
    if (wait_for(child, false)) return CHILD_DONE;
    return time_left(child) == 0 ? CHILD_SLOW : CHILD_UNWANTED;
}

/* The loop under its own guard. The child is the caller's object, so its fields are valid after a jump. */
static outcome pump_guarded(child *child, hbg_memory *memory) {
    jmp_buf guard;
    jmp_buf *outside = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        end_child(child);
        memory->exhausted = outside;
        hbg_base_memory_exhausted(memory);
    }
    outcome outcome = pump(child);
    memory->exhausted = outside;
    end_child(child);
    return outcome;
}

/* ---- words ----------------------------------------------------------------------------------------- */

/* The first line of standard error, printable, with a colon before it; "" if there is none. */
static const char *first_complaint(child *child, hbg_arena *arena) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, arena);
    for (size_t i = 0; i < child->complaint_size && child->complaint[i] != '\n'; i++) {
        if (text.size == 0) hbg_base_buffer_text(&text, ": ");
        unsigned char c = (unsigned char)child->complaint[i];
        hbg_base_buffer_char(&text, c < ' ' || c >= 0x7f ? '?' : (char)c);
    }
    return text.data;
}

static const char *start_words(const hbg_draw_command *command, int error, hbg_arena *arena) {
    const char *program = command->arguments[0];
    if (error == ENOENT)
        return hbg_base_arena_print(arena, "the program `%s` is missing: install the package %s", program,
                                    command->package);
    if (error == EACCES) return hbg_base_arena_print(arena, "the program `%s` may not be run", program);
    return hbg_base_arena_print(arena, "the program `%s` cannot be started: system error %d", program, error);
}

static hbg_status judge(child *child, outcome outcome, hbg_arena *arena, const char **reason) {
    const char *program = child->command->arguments[0];
    int status = child->exit_status;
    if (outcome == CHILD_SLOW)
        *reason = hbg_base_arena_print(arena, "the program `%s` took longer than %g seconds and was stopped",
                                       program, child->command->timeout);
    else if (outcome == CHILD_TALKS)
        *reason = hbg_base_arena_print(arena, "the program `%s` answered with more than %zu bytes", program,
                                       child->command->output_limit);
    else if (outcome == CHILD_UNWANTED)
        *reason = hbg_base_arena_print(arena, "the program `%s` was stopped before its end", program);
    else if (outcome == CHILD_LOST)
        *reason = hbg_base_arena_print(arena, "the program `%s` was lost", program);
    else if (WIFSIGNALED(status))
        *reason = hbg_base_arena_print(arena, "the program `%s` was ended by signal %d%s", program,
                                       WTERMSIG(status), first_complaint(child, arena));
    else if (WEXITSTATUS(status) != 0)
        *reason = hbg_base_arena_print(arena, "the program `%s` failed with exit code %d%s", program,
                                       WEXITSTATUS(status), first_complaint(child, arena));
    else
        return HBG_OK;
    return outcome == CHILD_TALKS ? HBG_TOO_LARGE : HBG_NO_PROGRAM;
}

hbg_status hbg_draw_run(const hbg_draw_command *command, hbg_buffer *output, const char **reason) {
    hbg_arena *arena = output->arena;
    child child = {
        .command = command, .output = output, .output_start = output->size, .streams = {-1, -1, -1}};
    char **environment = plain_environment(arena, command->temporary);
    set_deadline(&child);
    int error = start(&child, environment);
    if (error != 0) {
        end_child(&child);
        *reason = start_words(command, error, arena);
        return HBG_NO_PROGRAM;
    }
    outcome outcome = pump_guarded(&child, arena->memory);
    hbg_status status = judge(&child, outcome, arena, reason);
    if (status != HBG_OK && output->size > child.output_start) {
        output->size = child.output_start;
        output->data[output->size] = '\0';
    }
    return status;
}
