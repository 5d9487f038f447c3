/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server: messages with a header that gives their length, over two files. */
#include "studio/lsp_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MESSAGE_LIMIT ((size_t)1 << 28)
#define HEADER_LIMIT  4096 /* bytes of one line of a header */

typedef struct {
    int input;
    char buffer[65536];
    size_t start, end;
} reader;

/* False: the client has hung up. */
static bool fill(reader *r) {
    ssize_t got;
    do got = read(r->input, r->buffer, sizeof r->buffer);
    while (got < 0 && errno == EINTR);
    r->start = 0;
    r->end = got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* A line without its end; false at the end of the input, and for a line that is too long. */
static bool read_line(reader *r, char line[HEADER_LIMIT]) {
    size_t size = 0;
    for (;;) {
        if (r->start == r->end && !fill(r)) return false;
        char c = r->buffer[r->start++];
        if (c == '\n') break;
        if (size + 1 >= HEADER_LIMIT) return false;
        line[size++] = c;
    }
    if (size > 0 && line[size - 1] == '\r') size--;
    line[size] = 0;
    return true;
}

/* The length in the header; false if it is missing or invalid. */
static bool read_header(reader *r, size_t *length) {
    char line[HEADER_LIMIT];
    bool found = false;
    for (;;) {
        if (!read_line(r, line)) return false;
        if (!line[0]) return found;
        if (strncasecmp(line, "Content-Length:", 15) != 0) continue;
        char *end;
        errno = 0;
        long long value = strtoll(line + 15, &end, 10);
        if (errno != 0 || end == line + 15 || *end || value < 0 || (unsigned long long)value > MESSAGE_LIMIT)
            return false;
        *length = (size_t)value;
        found = true;
    }
}

/* The bytes of a message, as they arrive: a false length takes no memory. */
static char *read_body(reader *r, size_t length) {
    size_t size = 0, room = 0;
    char *body = NULL;
    while (size < length || !body) {
        if (size == room) {
            room = room == 0 ? 4096 : room * 2;
            if (room > length + 1) room = length + 1;
            char *more = realloc(body, room);
            if (!more) break;
            body = more;
            if (length == 0) break;
        }
        if (r->start == r->end && !fill(r)) {
            free(body);
            return NULL;
        }
        size_t take = r->end - r->start;
        if (take > length - size) take = length - size;
        if (take > room - size) take = room - size;
        memcpy(body + size, r->buffer + r->start, take);
        r->start += take;
        size += take;
    }
    if (body && size == length) return body;
    free(body);
    return NULL;
}

static bool write_all(int output, const char *data, size_t size) {
    while (size > 0) {
        ssize_t put = write(output, data, size);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        data += put;
        size -= (size_t)put;
    }
    return true;
}

static bool send(int output, const char *message) {
    char header[64];
    size_t size = strlen(message);
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", size);
    return write_all(output, header, (size_t)length) && write_all(output, message, size);
}

bool hbg_lsp_serve(hbg_lsp *lsp, int input, int output) {
    reader *r = calloc(1, sizeof *r);
    bool properly = false, open = r != NULL;
    size_t length;
    if (r) r->input = input;
    while (open && !hbg_lsp_ended(lsp, &properly) && read_header(r, &length)) {
        char *body = read_body(r, length);
        hbg_lsp_messages replies = {NULL, 0};
        if (!body) break;
        open = hbg_lsp_handle(lsp, body, length, &replies) == HBG_OK;
        free(body);
        for (int i = 0; open && i < replies.count; i++) open = send(output, replies.items[i]);
    }
    free(r);
    return hbg_lsp_ended(lsp, &properly) && properly;
}
