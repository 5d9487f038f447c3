/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text under construction in an arena: doubles its room, always ends in NUL. */
#include "base/arena_impl.h"

#include <stdio.h>
#include <string.h>

void hbg_base_buffer_init(hbg_buffer *buffer, hbg_arena *arena) {
    *buffer = (hbg_buffer){.arena = arena, .data = (char *)""}; /* never written: its capacity is 0 */
}

/* Makes room for `more` bytes and the NUL after them. */
static void reserve(hbg_buffer *buffer, size_t more) {
    if (more < buffer->capacity - buffer->size) return;
    if (more >= SIZE_MAX / 4 - buffer->size) hbg_base_memory_exhausted(buffer->arena->memory);
    size_t wanted = buffer->capacity < 64 ? 64 : buffer->capacity * 2;
    if (wanted < buffer->size + more + 1) wanted = buffer->size + more + 1;
    void *old = buffer->capacity > 0 ? buffer->data : NULL;
    buffer->data = hbg_base_arena_regrow(buffer->arena, old, buffer->capacity, wanted);
    buffer->capacity = wanted;
}

void hbg_base_buffer_add(hbg_buffer *buffer, const char *text, size_t size) {
    if (size == 0) return;
    reserve(buffer, size);
    memcpy(buffer->data + buffer->size, text, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void hbg_base_buffer_text(hbg_buffer *buffer, const char *text) {
    hbg_base_buffer_add(buffer, text, strlen(text));
}

void hbg_base_buffer_char(hbg_buffer *buffer, char c) {
    hbg_base_buffer_add(buffer, &c, 1);
}

void hbg_base_buffer_print(hbg_buffer *buffer, const char *format, ...) {
    va_list arguments;
    reserve(buffer, 127);
    size_t room = buffer->capacity - buffer->size;
    va_start(arguments, format);
    int size = vsnprintf(buffer->data + buffer->size, room, format, arguments);
    va_end(arguments);
    if (size < 0) hbg_base_memory_exhausted(buffer->arena->memory);

    /* it did not fit: now the size is known */
    if ((size_t)size >= room) {
        reserve(buffer, (size_t)size);
        va_start(arguments, format);
        vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, arguments);
        va_end(arguments);
    }
    buffer->size += (size_t)size;
}
