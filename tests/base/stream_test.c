/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pipes are written into as long as patience lasts. */
#include "fixture_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MUCH = 1000000 /* bytes: no pipe holds them */ };

/* Says yes so often; -1: always. */
static bool count_down(void *context) {
    int *left = context;
    if (*left > 0) --*left;
    return *left != 0;
}

static void a_full_pipe_ends_with_patience(void **state) {
    (void)state;
    static char data[MUCH];
    int ends[2], questions = 3;
    assert_int_equal(pipe(ends), 0);
    hbg_patience patience = {count_down, &questions};
    assert_int_equal(hbg_base_stream_write(ends[1], data, sizeof data, &patience), EINTR);
    assert_int_equal(questions, 0);
    close(ends[0]);
    close(ends[1]);
}

typedef struct {
    int file;
    size_t count;
    bool wrong;
} reader;

static void *read_slowly(void *context) {
    static char part[3000];
    reader *r = context;
    ssize_t got;
    while ((got = read(r->file, part, sizeof part)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            r->wrong = r->wrong || part[i] != (char)((r->count + (size_t)i) % 251);
        r->count += (size_t)got;
        if (r->count < 20000) (void)nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    }
    return NULL;
}

/* For one that blocks and one that does not, with patience and without. */
static void a_slow_reader_gets_every_byte(void **state) {
    (void)state;
    static char data[MUCH];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (char)(i % 251);
    for (int kind = 0; kind < 4; kind++) {
        int ends[2], always = -1;
        pthread_t thread;
        assert_int_equal(pipe(ends), 0);
        if (kind & 1) assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
        reader r = {.file = ends[0]};
        hbg_patience patience = {count_down, &always};
        assert_int_equal(pthread_create(&thread, NULL, read_slowly, &r), 0);
        assert_int_equal(hbg_base_stream_write(ends[1], data, sizeof data, kind & 2 ? &patience : NULL), 0);
        close(ends[1]);
        assert_int_equal(pthread_join(thread, NULL), 0);
        close(ends[0]);
        assert_int_equal(r.count, MUCH);
        assert_false(r.wrong);
    }
}

static void a_named_pipe_waits_for_its_reader(void **state) {
    (void)state;
    int questions = 3;
    hbg_patience patience = {count_down, &questions};
    remove("fifo");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(hbg_base_stream_open("fifo", &patience), -1);
    assert_int_equal(errno, EINTR);
    int other = open("fifo", O_RDONLY | O_NONBLOCK);
    assert_true(other >= 0);
    questions = 1;
    int file = hbg_base_stream_open("fifo", &patience);
    assert_true(file >= 0);
    assert_int_equal(questions, 1);                         // it was not asked
    assert_int_equal(fcntl(file, F_GETFL) & O_NONBLOCK, 0); // writing waits again
    close(file);
    close(other);
    assert_int_equal(hbg_base_stream_open("nowhere/fifo", &patience), -1);
    assert_int_equal(errno, ENOENT);
    remove("fifo");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_pipe_ends_with_patience),
        cmocka_unit_test(a_slow_reader_gets_every_byte),
        cmocka_unit_test(a_named_pipe_waits_for_its_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
