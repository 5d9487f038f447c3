/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a CSV file of results. A file that is refused says why; one that is read has named columns
 * of one length, and written by us and read again it is the same. */
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/sim.h"

#define MEMORY_LIMIT ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *claim) {
    if (condition) return;
    fprintf(stderr, "does not hold: %s\n", claim);
    abort();
}

/* A name or a unit can be shown on a page. */
static void check_text(const char *text) {
    const char *end = text + strlen(text);
    while (text < end) {
        size_t length = hbg_base_utf8_length(text, (size_t)(end - text));
        expect(length > 0 && !hbg_base_utf8_is_control(text), "a text is clean");
        text += length > 0 ? length : 1;
    }
}

static bool read_table(hbg_arena *arena, const char *path, hbg_sim_table *table) {
    const char *reason = NULL;
    if (hbg_sim_table_read(arena, path, table, &reason) != HBG_OK) {
        expect(reason != NULL && reason[0] != '\0', "what cannot be read is told why");
        check_text(reason);
        return false;
    }
    expect(table->column_count > 0 && table->row_count >= 0, "a table has columns");
    for (int32_t i = 0; i < table->column_count; i++) {
        expect(table->columns[i].name[0] != '\0', "a column has a name");
        check_text(table->columns[i].name);
        if (table->columns[i].unit != NULL) check_text(table->columns[i].unit);
    }
    return true;
}

static void write_table(hbg_arena *arena, const char *path, const hbg_sim_table *table) {
    const char *reason = NULL;
    hbg_sim_writer *writer =
        hbg_sim_writer_open(arena, path, NULL, table->columns, table->column_count, NULL, &reason);
    if (writer == NULL) hbg_base_memory_exhausted(arena->memory);
    double *row = calloc((size_t)table->column_count, sizeof *row);
    expect(row != NULL, "there is memory");
    for (int64_t k = 0; k < table->row_count; k++) {
        for (int32_t i = 0; i < table->column_count; i++) row[i] = table->values[i][k];
        expect(hbg_sim_writer_row(writer, row), "a row is written");
    }
    free(row);
    expect(hbg_sim_writer_close(writer, true, &reason), "a file is written");
}

/* What our header cannot tell apart: units are not written, and a header of numbers is taken for a row. */
static bool is_plain(const hbg_sim_table *table) {
    bool named = false;
    double number;
    for (int32_t i = 0; i < table->column_count; i++) {
        const char *name = table->columns[i].name;
        if (strchr(name, '[') != NULL) return false;
        if (!hbg_base_double_parse(name, strlen(name), &number)) named = true;
    }
    return named;
}

static void compare(const hbg_sim_table *a, const hbg_sim_table *b) {
    expect(a->column_count == b->column_count && a->row_count == b->row_count, "nothing is lost");
    for (int32_t i = 0; i < a->column_count; i++) {
        expect(strcmp(a->columns[i].name, b->columns[i].name) == 0, "names come back");
        for (int64_t k = 0; k < a->row_count; k++) {
            double x = a->values[i][k], y = b->values[i][k];
            expect((isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0, "values come back");
        }
    }
}

static void try_input(hbg_arena *arena, const char *path, int file) {
    hbg_sim_table table, again;
    if (!read_table(arena, path, &table) || !is_plain(&table)) return;
    expect(ftruncate(file, 0) == 0, "the file can be emptied");
    write_table(arena, path, &table);
    expect(read_table(arena, path, &again), "our own file can be read");
    compare(&table, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *stream; // one file for all inputs, without a name of its own
    if (stream == NULL) stream = tmpfile();
    expect(stream != NULL, "there is a place for temporary files");
    int file = fileno(stream);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    expect(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size,
           "the input can be written");

    hbg_memory memory = {.limit = MEMORY_LIMIT};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    jmp_buf guard;
    if (!HBG_GUARD(&memory, guard)) try_input(&arena, path, file);
    HBG_GUARD_END(&memory);
    hbg_base_arena_fini(&arena);
    expect(memory.used == 0, "nothing is left behind");
    return 0;
}
