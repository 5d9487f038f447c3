/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Writing into pipes and terminals, whose other end sets the pace. A blocking system call cannot check
 * whether its caller still waits, and would miss a signal that arrives just before the call. So the wait is a
 * poll that returns ten times a second, and no more is written at once than a ready pipe accepts without
 * blocking. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BETWEEN_QUESTIONS = 100 /* ms */ };

static bool asks(const hbg_patience *patience) {
    return patience != NULL && patience->goes_on != NULL;
}

static bool goes_on(const hbg_patience *patience) {
    return !asks(patience) || patience->goes_on(patience->context);
}

/* A named pipe without a reader. */
static bool lacks_reader(const char *path, int error) {
    struct stat about;
    return error == ENXIO && stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

int hbg_base_stream_open(const char *path, const hbg_patience *patience) {
    const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY;
    if (!asks(patience)) return open(path, flags);
    for (;;) {
        int file = open(path, flags | O_NONBLOCK);
        if (file >= 0 && fcntl(file, F_SETFL, O_APPEND) == 0) return file;
        if (file >= 0) close(file);
        if (file >= 0 || !lacks_reader(path, errno)) return -1;
        if (!goes_on(patience)) {
            errno = EINTR;
            return -1;
        }
        (void)poll(NULL, 0, BETWEEN_QUESTIONS);
    }
}

/* Waits until the stream accepts more; 0, or the error. */
static int wait_for(int file, const hbg_patience *patience) {
    struct pollfd stream = {.fd = file, .events = POLLOUT};
    for (;;) {
        int ready = poll(&stream, 1, asks(patience) ? BETWEEN_QUESTIONS : -1);
        if (ready > 0) return 0;
        if (ready < 0 && errno != EINTR) return errno;
        if (!goes_on(patience)) return EINTR;
    }
}

int hbg_base_stream_write(int file, const char *data, size_t size, const hbg_patience *patience) {
    size_t most = asks(patience) ? PIPE_BUF : SIZE_MAX;
    bool full = asks(patience); // also if unknown
    while (size > 0) {
        int error = full ? wait_for(file, patience) : 0;
        if (error != 0) return error;
        ssize_t count = write(file, data, size > most ? most : size);
        if (count < 0 && errno != EINTR && errno != EAGAIN) return errno;
        full = asks(patience) || (count < 0 && errno == EAGAIN);
        if (count <= 0) continue;
        data += count;
        size -= (size_t)count;
    }
    return 0;
}
