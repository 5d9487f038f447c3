/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines of text to a file that is treated like results. They are gathered into blocks, since there may be
 * very many. */
#include <stdio.h>
#include <string.h>

#include "sim/results_impl.h"

enum { BLOCK = 65536 };

struct hbg_sim_lines {
    hbg_memory *memory;
    hbg_sim_file file;
    size_t used;
    char block[BLOCK];
};

hbg_sim_lines *hbg_sim_lines_open(hbg_memory *memory, const char *path, const hbg_patience *patience,
                                  const char **reason) {
    *reason = HBG_SIM_NO_MEMORY;
    hbg_sim_lines *lines = hbg_base_memory_alloc(memory, sizeof *lines);
    if (lines == NULL) return NULL;
    lines->memory = memory;
    *reason = hbg_sim_file_open(&lines->file, path, true, patience);
    if (*reason == NULL) return lines;
    hbg_base_memory_free(memory, lines, sizeof *lines);
    return NULL;
}

static bool flush(hbg_sim_lines *lines) {
    size_t used = lines->used;
    lines->used = 0;
    return hbg_sim_file_write(&lines->file, lines->block, used) == NULL;
}

/* ---- continuing a file -------------------------------------------------------------------------------- */

/* How far a file is as expected, read from front to back. */
typedef struct {
    const char *head;  /* the rest of the first line; NULL: it has been read */
    int64_t count;     /* number of the next line after it */
    uint64_t place;    /* bytes read */
    uint64_t good;     /* bytes up to the end of the last whole line */
    char expected[24]; /* beginning of the current line */
    size_t matched;
    bool wrong;
} checker;

static void begin_line(checker *c) {
    (void)snprintf(c->expected, sizeof c->expected, "%lld,", (long long)c->count);
    c->matched = 0;
}

static void take(checker *c, char character) {
    c->place++;
    if (c->head != NULL) {
        c->wrong = *c->head != character;
        if (!c->wrong && *++c->head == '\0') {
            c->head = NULL;
            c->good = c->place;
            begin_line(c);
        }
        return;
    }
    if (c->expected[c->matched] != '\0') {
        c->wrong = c->expected[c->matched++] != character;
        return;
    }
    if (character != '\n') return;
    c->count++;
    c->good = c->place;
    begin_line(c);
}

static const char *check(hbg_sim_lines *lines, checker *c) {
    size_t count = 1;
    while (count > 0 && !c->wrong) {
        const char *wrong = hbg_sim_file_read(&lines->file, lines->block, sizeof lines->block, &count);
        if (wrong != NULL) return wrong;
        for (size_t i = 0; i < count && !c->wrong; i++) take(c, lines->block[i]);
    }
    if (c->wrong) return "the lines written so far do not fit this run";
    if (c->head != NULL) c->count = -1;
    return hbg_sim_file_cut(&lines->file, c->good);
}

hbg_sim_lines *hbg_sim_lines_resume(hbg_memory *memory, const char *path, const char *head, int64_t *count,
                                    const char **reason) {
    checker c = {.head = head, .count = *count};
    *reason = HBG_SIM_NO_MEMORY;
    hbg_sim_lines *lines = hbg_base_memory_alloc(memory, sizeof *lines);
    if (lines == NULL) return NULL;
    lines->memory = memory;
    *reason = hbg_sim_file_reopen(&lines->file, path);
    bool opened = *reason == NULL;
    if (opened) *reason = check(lines, &c);
    *count = c.count;
    if (*reason == NULL) return lines;
    const char *why = *reason;
    lines->file.wrong = NULL; // the file stays as it was
    if (opened) (void)hbg_sim_file_close(&lines->file, false);
    *reason = why;
    hbg_base_memory_free(memory, lines, sizeof *lines);
    return NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

bool hbg_sim_lines_flush(hbg_sim_lines *lines) {
    return flush(lines);
}

bool hbg_sim_lines_write(hbg_sim_lines *lines, const char *text, size_t size) {
    if (size == 0) return lines->file.wrong == NULL;
    if (size > BLOCK - lines->used && !flush(lines)) return false;
    if (size > BLOCK) return hbg_sim_file_write(&lines->file, text, size) == NULL;
    memcpy(lines->block + lines->used, text, size);
    lines->used += size;
    return lines->file.wrong == NULL;
}

bool hbg_sim_lines_close(hbg_sim_lines *lines, bool complete, const char **reason) {
    (void)flush(lines);
    *reason = hbg_sim_file_close(&lines->file, complete);
    hbg_base_memory_free(lines->memory, lines, sizeof *lines);
    return *reason == NULL;
}
