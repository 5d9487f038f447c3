/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests of results files: a memory checked to be empty afterwards, an empty folder of its own, random
 * doubles of every kind, a full disk, and messages on the standard error output. */
#ifndef HBG_SIM_RESULTS_FIXTURE_IMPL_H
#define HBG_SIM_RESULTS_FIXTURE_IMPL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hbg/version.h"
#include "sim/sim.h"

#define TEXT_(number)                 #number
#define VERSION_(major, minor, patch) TEXT_(major) "." TEXT_(minor) "." TEXT_(patch)
#define TOOL                          "hbg " VERSION_(HBG_VERSION_MAJOR, HBG_VERSION_MINOR, HBG_VERSION_PATCH)

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    uint64_t random;
    char folder[4096];
} fixture;

static inline int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    char name[] = "results_XXXXXX";
    if (f == NULL || mkdtemp(name) == NULL || chdir(name) != 0) return -1;
    if (getcwd(f->folder, sizeof f->folder) == NULL) return -1;
    hbg_base_arena_init(&f->arena, &f->memory);
    f->random = 0x9e3779b97f4a7c15U;
    *state = f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    DIR *folder = opendir(".");
    if (folder == NULL) return -1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) remove(entry->d_name);
    closedir(folder);
    int gone = chdir("..") == 0 && rmdir(f->folder) == 0;
    hbg_base_arena_fini(&f->arena);
    size_t left = f->memory.used;
    free(f);
    return gone && left == 0 ? 0 : -1;
}

static inline uint64_t next_random(fixture *f) {
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    f->random ^= f->random << 17;
    return f->random;
}

/* Any bits: small, large, below the normal range, zeros of both signs, infinities; of the NaN only the
 * plain one. */
static inline double random_double(fixture *f) {
    uint64_t bits = next_random(f);
    switch (next_random(f) >> 60) {
    case 0: bits &= 0x800fffffffffffffU; break;
    case 1: bits &= 0x8000000000000000U; break;
    case 2: bits = (bits & 0x8000000000000000U) | 0x7ff0000000000000U; break;
    case 3: bits &= ~(uint64_t)0 << (next_random(f) % 53); break;
    case 4: bits = (bits & 0x800fffffffffffffU) | 0x3ff0000000000000U; break;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return isnan(value) ? (double)NAN : value;
}

static inline void check_bits(double value, double expected) {
    if (isnan(expected))
        assert_true(isnan(value));
    else
        assert_memory_equal(&value, &expected, sizeof value);
}

static inline bool exists(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0;
}

static inline int count_entries(void) {
    int count = -2;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static inline void check_content(fixture *f, const char *path, const char *expected) {
    char *text;
    size_t size;
    assert_int_equal(hbg_base_file_read(&f->arena, path, 1 << 20, &text, &size, NULL), HBG_OK);
    assert_string_equal(text, expected);
    assert_int_equal(size, strlen(expected));
}

static inline void put_file(const char *path, const char *text) {
    assert_int_equal(hbg_base_file_write(path, text, strlen(text), NULL, NULL), HBG_OK);
}

static inline hbg_sim_writer *open_writer(fixture *f, const char *path, const hbg_sim_column *columns,
                                          int32_t count) {
    const char *reason = "";
    hbg_sim_writer *writer =
        hbg_sim_writer_open(&f->arena, path, NULL, columns, count, "A title: Öl & Co", &reason);
    assert_null(reason);
    assert_non_null(writer);
    return writer;
}

static inline void close_writer(hbg_sim_writer *writer, bool complete) {
    const char *reason = "";
    assert_true(hbg_sim_writer_close(writer, complete, &reason));
    assert_null(reason);
}

static inline void check_not_opened(fixture *f, const char *path, const char *why) {
    static const hbg_sim_column column = {"time", "s", false};
    const char *reason = NULL;
    assert_null(hbg_sim_writer_open(&f->arena, path, NULL, &column, 1, NULL, &reason));
    assert_string_equal(reason, why);
    assert_int_equal(f->memory.used, 0);
}

/* From `fill_disk` to `free_disk` no file may become larger than this many bytes. */
typedef struct {
    struct rlimit before;
    void (*handler)(int);
} full_disk;

static inline full_disk fill_disk(rlim_t size) {
    full_disk disk;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &disk.before), 0);
    struct rlimit small = {size, disk.before.rlim_max};
    disk.handler = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    return disk;
}

static inline void free_disk(full_disk disk) {
    setrlimit(RLIMIT_FSIZE, &disk.before);
    signal(SIGXFSZ, disk.handler);
}

/* From `listen` to `heard` the standard error output goes to a file; the result is its size. */
static inline int listen_errors(void) {
    fflush(stderr);
    int before = dup(STDERR_FILENO), file = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(before >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    close(file);
    return before;
}

static inline int64_t heard_errors(int before) {
    struct stat about;
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_int_equal(stat("said", &about), 0);
    unlink("said");
    return about.st_size;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
