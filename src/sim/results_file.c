/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The file for results during a run: FILE.partial, which becomes FILE when it is complete. Links, pipes and
 * files below /dev are treated as in hbg_base_file_write. */
#include "sim/results_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ENOENT, for a file that is to be made, means that its folder is missing. */
const char *hbg_sim_file_words(int error) {
    if (error == ENOENT) return "its folder does not exist";
    return error == ENOMEM ? HBG_SIM_NO_MEMORY : hbg_base_file_words(error);
}

static const char *fail(hbg_sim_file *file, int error) {
    file->wrong = hbg_sim_file_words(error);
    return file->wrong;
}

/* `about` describes the file to be replaced, NULL if there is none yet. */
static const char *make_partial(hbg_sim_file *file, const struct stat *about) {
    int size = snprintf(file->partial, sizeof file->partial, "%s.partial", file->target);
    if (size < 0 || (size_t)size >= sizeof file->partial) return hbg_sim_file_words(ENAMETOOLONG);
    /* always a new file: the one that an earlier run left may be a link by now, or in use by another run */
    if (unlink(file->partial) != 0 && errno != ENOENT) return hbg_sim_file_words(errno);
    file->descriptor = open(file->partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (file->descriptor < 0)
        return errno == ENOENT ? hbg_base_file_unmade_words(file->partial, errno) : hbg_sim_file_words(errno);

    struct stat made;
    int error = fstat(file->descriptor, &made) != 0 ? errno : 0;
    if (error == 0 && about != NULL && fchmod(file->descriptor, about->st_mode & 0777) != 0) error = errno;
    if (error != 0) {
        hbg_sim_file_discard(file);
        return hbg_sim_file_words(error);
    }
    file->device = made.st_dev;
    file->inode = made.st_ino;
    return NULL;
}

static const char *open_straight(hbg_sim_file *file, const char *path) {
    file->straight = true;
    file->descriptor = hbg_base_stream_open(path, &file->patience);
    return file->descriptor < 0 ? hbg_sim_file_words(errno) : NULL;
}

const char *hbg_sim_file_open(hbg_sim_file *file, const char *path, bool stream,
                              const hbg_patience *patience) {
    memset(file, 0, sizeof *file);
    file->descriptor = -1;
    file->lines = stream;
    if (patience != NULL) file->patience = *patience;
    if (strcmp(path, "-") == 0 && stream) {
        file->straight = file->keep = true;
        file->descriptor = STDOUT_FILENO;
        return NULL;
    }

    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (!exists && errno != ENOENT) return hbg_sim_file_words(errno);
    if (exists && S_ISDIR(about.st_mode)) return hbg_sim_file_words(EISDIR);
    if (exists && (!S_ISREG(about.st_mode) || strncmp(path, "/dev/", 5) == 0))
        return stream ? open_straight(file, path) : "it is not a regular file, which this format needs";
    if (exists && (access(path, W_OK) != 0 || realpath(path, file->target) == NULL))
        return hbg_sim_file_words(errno);
    if (!exists && strlen(path) >= sizeof file->target) return hbg_sim_file_words(ENAMETOOLONG);
    if (!exists) strcpy(file->target, path);
    return make_partial(file, exists ? &about : NULL);
}

const char *hbg_sim_file_reopen(hbg_sim_file *file, const char *path) {
    memset(file, 0, sizeof *file);
    file->descriptor = -1;
    file->lines = true;
    if (strlen(path) + sizeof ".partial" > sizeof file->target) return hbg_sim_file_words(ENAMETOOLONG);
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) return "it is not a regular file";
    if (realpath(path, file->target) == NULL) strcpy(file->target, path);
    int size = snprintf(file->partial, sizeof file->partial, "%s.partial", file->target);
    if (size < 0 || (size_t)size >= sizeof file->partial) return hbg_sim_file_words(ENAMETOOLONG);
    file->descriptor = open(file->partial, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
    if (file->descriptor < 0)
        return errno == ENOENT ? "there is no such file with `.partial` after its name"
                               : hbg_sim_file_words(errno);
    if (fstat(file->descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(file->descriptor);
        file->descriptor = -1;
        return "what is there is not a regular file";
    }
    file->device = about.st_dev;
    file->inode = about.st_ino;
    return NULL;
}

const char *hbg_sim_file_read(hbg_sim_file *file, char *data, size_t size, size_t *count) {
    ssize_t got;
    do got = read(file->descriptor, data, size);
    while (got < 0 && errno == EINTR);
    *count = got > 0 ? (size_t)got : 0;
    return got < 0 ? fail(file, errno) : NULL;
}

const char *hbg_sim_file_cut(hbg_sim_file *file, uint64_t size) {
    if (ftruncate(file->descriptor, (off_t)size) != 0 || lseek(file->descriptor, 0, SEEK_END) < 0)
        return fail(file, errno);
    return NULL;
}

const char *hbg_sim_file_write(hbg_sim_file *file, const char *data, size_t size) {
    if (file->wrong != NULL) return file->wrong;
    int error = hbg_base_stream_write(file->descriptor, data, size, file->straight ? &file->patience : NULL);
    return error != 0 ? fail(file, error) : NULL;
}

const char *hbg_sim_file_write_at(hbg_sim_file *file, uint64_t place, const char *data, size_t size) {
    while (size > 0 && file->wrong == NULL) {
        ssize_t count = pwrite(file->descriptor, data, size, (off_t)place);
        if (count < 0 && errno != EINTR) return fail(file, errno);
        if (count <= 0) continue;
        data += count;
        place += (uint64_t)count;
        size -= (size_t)count;
    }
    return file->wrong;
}

static void close_descriptor(hbg_sim_file *file) {
    if (file->descriptor < 0 || file->keep) return;
    if (close(file->descriptor) != 0 && errno != EINTR && file->wrong == NULL) fail(file, errno);
    file->descriptor = -1;
}

/* FILE.partial is still the one that was made: another run with the same output would have made a new one. */
static bool is_ours(const hbg_sim_file *file) {
    struct stat about;
    return lstat(file->partial, &about) == 0 && about.st_dev == file->device && about.st_ino == file->inode;
}

/* The end of the last whole line; 0 if there is none. */
static off_t end_of_lines(int descriptor) {
    char part[4096];
    off_t end = lseek(descriptor, 0, SEEK_END);
    while (end > 0) {
        off_t from = end > (off_t)sizeof part ? end - (off_t)sizeof part : 0;
        ssize_t count = pread(descriptor, part, (size_t)(end - from), from);
        if (count <= 0) return 0;
        for (ssize_t i = count; i > 0; i--)
            if (part[i - 1] == '\n') return from + (off_t)i;
        end = from;
    }
    return 0;
}

/* Drops a line that a full disk or a limit has cut off: half a number would be read as another number. */
static void drop_torn(hbg_sim_file *file) {
    bool kept = file->lines && ftruncate(file->descriptor, end_of_lines(file->descriptor)) == 0;
    if (!kept && is_ours(file)) unlink(file->partial);
}

const char *hbg_sim_file_close(hbg_sim_file *file, bool complete) {
    if (!file->straight && file->wrong != NULL) drop_torn(file);
    close_descriptor(file);
    if (file->straight || file->wrong != NULL) return file->wrong;
    if (!is_ours(file))
        file->wrong = "another program has replaced what was written so far";
    else if (complete && rename(file->partial, file->target) != 0)
        fail(file, errno);
    return file->wrong;
}

void hbg_sim_file_discard(hbg_sim_file *file) {
    close_descriptor(file);
    if (!file->straight) unlink(file->partial);
}
