/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files, whole: read at once up to a limit, written so that no reader ever sees half of one. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *hbg_base_file_words(int error) {
    switch (error) {
    case ENOENT: return "it does not exist";
    case EACCES:
    case EPERM: return "permission is denied";
    case EISDIR: return "it is a directory";
    case ENOTDIR: return "a part of its path is not a directory";
    case ELOOP: return "its symbolic links lead in a circle";
    case ENAMETOOLONG: return "its path is too long";
    case EMFILE:
    case ENFILE: return "too many files are open";
    case ENOSPC:
    case EDQUOT: return "there is no space left";
    case EFBIG: return "it would become too large";
    case EROFS: return "the file system is read-only";
    case EIO: return "the device reports an error";
    case ENXIO: return "nothing is connected to it";
    case EPIPE: return "the reader has gone";
    case EINTR: return "it was interrupted";
    case ETXTBSY: return "it is a program that is running";
    default: return "the system refuses";
    }
}

const char *hbg_base_file_unmade_words(const char *path, int error) {
    char folder[PATH_MAX];
    struct stat about;
    const char *slash = strrchr(path, '/');
    size_t size = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (error != ENOENT) return hbg_base_file_words(error);
    if (size >= sizeof folder) return hbg_base_file_words(ENAMETOOLONG);
    memcpy(folder, size > 0 ? path : ".", size > 0 ? size : 1);
    folder[size > 0 ? size : 1] = '\0';
    if (stat(folder, &about) != 0 && errno == ENOENT) return "its folder does not exist";
    return "the system lets no file be made in its folder"; // for example below /proc
}

static void set_reason(const char **reason, const char *text) {
    if (reason != NULL) *reason = text;
}

/* NULL if it is a regular file, otherwise the reason why not. */
static const char *not_regular(const struct stat *about) {
    if (S_ISDIR(about->st_mode)) return hbg_base_file_words(EISDIR);
    return S_ISREG(about->st_mode) ? NULL : "it is not a regular file";
}

/* Reads until the end or until `room` is full. NULL, or the error. */
static const char *read_into(const char *path, char *data, size_t room, size_t *size) {
    *size = 0;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return hbg_base_file_words(errno);
    struct stat about;
    const char *wrong = fstat(file, &about) != 0 ? hbg_base_file_words(errno) : not_regular(&about);
    while (wrong == NULL && *size < room) {
        ssize_t count = read(file, data + *size, room - *size);
        if (count == 0) break;
        if (count > 0) *size += (size_t)count;
        if (count < 0 && errno != EINTR) wrong = hbg_base_file_words(errno);
    }
    close(file);
    return wrong;
}

hbg_status hbg_base_file_read(hbg_arena *arena, const char *path, size_t limit, char **text, size_t *size,
                              const char **reason) {
    *text = NULL;
    *size = 0;
    set_reason(reason, NULL);
    struct stat about;
    const char *wrong = stat(path, &about) != 0 ? hbg_base_file_words(errno) : not_regular(&about);
    size_t expected = wrong == NULL ? (size_t)about.st_size : 0;

    /* Allocation may jump away, so no file is open meanwhile: room first, then open, read, close. One byte
     * more than the file has shows its end; a file that proves to be longer is read again with more room. */
    while (wrong == NULL && expected <= limit) {
        size_t count;
        char *data = hbg_base_arena_alloc_array(arena, expected < SIZE_MAX / 4 ? expected + 2 : SIZE_MAX, 1);
        wrong = read_into(path, data, expected + 1, &count);
        if (wrong == NULL && count <= expected) {
            data[count] = '\0';
            *text = data;
            *size = count;
            return HBG_OK;
        }
        if (expected == limit) break;
        expected = expected < 4096 ? 8192 : expected * 2;
        if (expected > limit) expected = limit;
    }
    set_reason(reason, wrong != NULL ? wrong : "it is too large");
    return HBG_CANNOT_READ;
}

/* Always closes the file. NULL, or the error. */
static const char *write_and_close(int file, const char *data, size_t size, const hbg_patience *patience) {
    int error = hbg_base_stream_write(file, data, size, patience);
    const char *wrong = error != 0 ? hbg_base_file_words(error) : NULL;
    if (close(file) != 0 && errno != EINTR && wrong == NULL) wrong = hbg_base_file_words(errno);
    return wrong;
}

/* A new file in the folder of `path`. The umask of the process applies, as for any new file. */
static int temporary_open(const char *path, char temporary[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        int size =
            snprintf(temporary, PATH_MAX, "%.*s.hbg-%ld-%u.partial", folder, path, (long)getpid(), attempt);
        if (size < 0 || size >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

/* `about` describes the file to be replaced, NULL if there is none yet. */
static const char *replace(const char *path, const struct stat *about, const char *data, size_t size) {
    char temporary[PATH_MAX];
    int file = temporary_open(path, temporary);
    if (file < 0) return hbg_base_file_unmade_words(path, errno);
    const char *wrong = NULL;
    if (about != NULL && fchmod(file, about->st_mode & 0777) != 0) wrong = hbg_base_file_words(errno);
    const char *unwritten = write_and_close(file, data, size, NULL);
    if (wrong == NULL) wrong = unwritten;
    if (wrong == NULL && rename(temporary, path) != 0) wrong = hbg_base_file_words(errno);
    if (wrong != NULL) unlink(temporary);
    return wrong;
}

hbg_status hbg_base_file_replace(const char *path, const char *data, size_t size, const char **reason) {
    const char *wrong = replace(path, NULL, data, size);
    set_reason(reason, wrong);
    return wrong == NULL ? HBG_OK : HBG_CANNOT_WRITE;
}

/* For files that cannot be replaced: a terminal, a pipe, the standard output of any kind. */
static const char *write_straight(const char *path, const char *data, size_t size,
                                  const hbg_patience *patience) {
    int file = hbg_base_stream_open(path, patience);
    return file < 0 ? hbg_base_file_words(errno) : write_and_close(file, data, size, patience);
}

hbg_status hbg_base_file_write(const char *path, const char *data, size_t size, const hbg_patience *patience,
                               const char **reason) {
    const char *wrong;
    char target[PATH_MAX];
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        wrong = hbg_base_file_words(EISDIR);
    else if (exists && (!S_ISREG(about.st_mode) || strncmp(path, "/dev/", 5) == 0))
        wrong = write_straight(path, data, size, patience);
    else if (exists && (access(path, W_OK) != 0 || realpath(path, target) == NULL))
        wrong = hbg_base_file_words(errno);
    else /* through a symbolic link, the file it leads to is replaced, not the link */
        wrong = replace(exists ? target : path, exists ? &about : NULL, data, size);
    set_reason(reason, wrong);
    return wrong == NULL ? HBG_OK : HBG_CANNOT_WRITE;
}

bool hbg_base_file_same(const char *one, const char *other) {
    struct stat about, about_other;
    return stat(one, &about) == 0 && stat(other, &about_other) == 0 && about.st_dev == about_other.st_dev &&
           about.st_ino == about_other.st_ino;
}
