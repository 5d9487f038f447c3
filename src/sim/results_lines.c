/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines of text to a file that is treated as results are. They are gathered into blocks: a run may have very many. */
#include <string.h>

#include "sim/results_impl.h"

enum { BLOCK = 65536 };

struct hbg_sim_lines {
    hbg_memory *memory;
    hbg_sim_file file;
    size_t used;
    char block[BLOCK];
};

hbg_sim_lines *hbg_sim_lines_open(hbg_memory *memory, const char *path, const char **reason) {
    *reason = HBG_SIM_NO_MEMORY;
    hbg_sim_lines *lines = hbg_memory_alloc(memory, sizeof *lines);
    if (lines == NULL) return NULL;
    lines->memory = memory;
    *reason = hbg_sim_file_open(&lines->file, path, true);
    if (*reason == NULL) return lines;
    hbg_memory_free(memory, lines, sizeof *lines);
    return NULL;
}

static bool flush(hbg_sim_lines *lines) {
    size_t used = lines->used;
    lines->used = 0;
    return hbg_sim_file_write(&lines->file, lines->block, used) == NULL;
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
    hbg_memory_free(lines->memory, lines, sizeof *lines);
    return *reason == NULL;
}
