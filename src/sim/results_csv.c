/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as CSV: one line of names, then a line for each row, numbers as the shortest text that reads back
 * to the same double. Names are quoted where RFC 4180 asks for it, and where programs might mistake them for
 * something else. */
#include <stdio.h>
#include <string.h>

#include "sim/results_impl.h"

#define BUFFER_SIZE ((size_t)64 << 10)

/* A number that was written, and where in the data. */
typedef struct {
    double value;
    int64_t flushes; /* how often the data had been flushed then */
    int32_t place, size;
} number;

typedef struct {
    hbg_memory *memory;
    hbg_sim_file *file;
    int32_t count;   /* of columns */
    number *last;    /* by column: what stands still is copied */
    int64_t flushes; /* from 1 on */
    size_t size;     /* bytes in data */
    char data[BUFFER_SIZE];
} writer;

static const char *flush(writer *w) {
    size_t size = w->size;
    w->size = 0;
    w->flushes++;
    return hbg_sim_file_write(w->file, w->data, size);
}

/* Makes room for `size` bytes. */
static const char *reserve(writer *w, size_t size) {
    return BUFFER_SIZE - w->size < size ? flush(w) : NULL;
}

static const char *put(writer *w, char c) {
    const char *wrong = reserve(w, 1);
    w->data[w->size++] = c;
    return wrong;
}

static bool needs_quotes(const char *name) {
    size_t size = strlen(name);
    if (size == 0) return false;
    return strpbrk(name, ",;\"\r\n") != NULL || strchr(" \t#", name[0]) != NULL ||
           strchr(" \t", name[size - 1]) != NULL;
}

static void put_name(const char *name, void (*put)(void *context, char c), void *context) {
    bool quotes = needs_quotes(name);
    if (quotes) put(context, '"');
    for (; *name != '\0'; name++) {
        if (*name == '"') put(context, '"');
        put(context, *name);
    }
    if (quotes) put(context, '"');
}

/* If a name needs quotes, they enclose the unit too. */
void hbg_sim_csv_head(const hbg_sim_column *column, void (*put)(void *context, char c), void *context) {
    char text[512];
    bool said = column->in_name && column->unit && column->unit[0];
    int size = said ? snprintf(text, sizeof text, "%s [%s]", column->name, column->unit) : 0;
    put_name(said && size < (int)sizeof text ? text : column->name, put, context);
}

/* The file remembers an error, so only the last result is checked. */
static void put_in(void *context, char c) {
    (void)put(context, c);
}

static const char *csv_close(void *self) {
    writer *w = self;
    const char *wrong = flush(w);
    hbg_base_memory_free(w->memory, w->last, ((size_t)w->count + 1) * sizeof *w->last);
    hbg_base_memory_free(w->memory, w, sizeof *w);
    return wrong;
}

static const char *csv_open(hbg_memory *memory, hbg_sim_file *file, const hbg_sim_head *head,
                            const void *functions, void **self) {
    (void)functions;
    writer *w = hbg_base_memory_alloc(memory, sizeof *w);
    *self = NULL;
    if (w == NULL) return HBG_SIM_NO_MEMORY;
    number *last = hbg_base_memory_alloc(memory, ((size_t)head->count + 1) * sizeof *last);
    if (last == NULL) {
        hbg_base_memory_free(memory, w, sizeof *w);
        return HBG_SIM_NO_MEMORY;
    }
    *self = w;
    w->last = last;
    w->memory = memory;
    w->file = file;
    w->count = head->count;
    w->flushes = 1;
    for (int32_t i = 0; i < head->count; i++) {
        hbg_sim_csv_head(&head->columns[i], put_in, w);
        put(w, i + 1 < head->count ? ',' : '\n');
    }
    if (file->wrong == NULL) return NULL;
    csv_close(w);
    *self = NULL;
    return file->wrong;
}

/* At an instant rows repeat the time, and what does not jump. */
static int32_t put_number(writer *w, char *at, number *last, double value) {
    bool stands = last->flushes == w->flushes && memcmp(&last->value, &value, sizeof value) == 0;
    if (stands)
        memcpy(at, w->data + last->place, (size_t)last->size);
    else
        *last = (number){value, w->flushes, (int32_t)(at - w->data), hbg_base_double_print(at, value)};
    return last->size;
}

/* Numbers of columns from one on; room for them has been made. */
static void put_numbers(writer *w, int32_t first, const double *values, int32_t count) {
    char *at = w->data + w->size;
    for (int32_t i = first; i < first + count; i++) {
        at += put_number(w, at, &w->last[i], values[i]);
        *at++ = ',';
    }
    w->size = (size_t)(at - w->data);
}

static const char *csv_row(void *self, const double *values) {
    const int32_t most = BUFFER_SIZE / (HBG_DOUBLE_TEXT + 1);
    writer *w = self;
    const char *wrong = NULL;
    for (int32_t i = 0, count; i < w->count && wrong == NULL; i += count) {
        count = w->count - i < most ? w->count - i : most;
        wrong = reserve(w, (size_t)count * (HBG_DOUBLE_TEXT + 1));
        put_numbers(w, i, values, count);
    }
    if (w->count > 0 && wrong == NULL) w->data[w->size - 1] = '\n';
    return wrong;
}

const hbg_sim_format hbg_sim_csv = {
    .extensions = {".csv"}, .stream = true, .open = csv_open, .row = csv_row, .close = csv_close};
