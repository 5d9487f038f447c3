/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results to a file: the format that its name selects, and the sequence of calls common to all formats. */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "sim/results_impl.h"
#include "sim/sim_impl.h"

#define LOADED ((size_t)32 << 20) /* bytes: more than the libraries and their dependencies map */

struct hbg_sim_writer {
    hbg_memory *memory;
    const hbg_sim_format *format;
    void *self;        /* of the format */
    const char *wrong; /* the first error */
    hbg_sim_file file;
    void *functions[]; /* of the library of the format */
};

static size_t size_of(const hbg_sim_format *format) {
    const hbg_base_library *library = format->library;
    return sizeof(hbg_sim_writer) + (library != NULL ? (size_t)library->count * sizeof(void *) : 0);
}

#define UNKNOWN_FORMAT "its name ends in none of .csv, .h5 (or .hdf5) and .mat, from which its format follows"

/* From the last dot of the last part of the path; "" if there is none. */
static const char *extension_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? dot : "";
}

/* A pipe or a terminal without an extension, like /dev/stdout, gets the format of the standard output. */
static bool is_stream(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0) return true;
    if (extension_of(path)[0] != '\0' || stat(path, &about) != 0 || S_ISDIR(about.st_mode)) return false;
    return !S_ISREG(about.st_mode) || strncmp(path, "/dev/", 5) == 0;
}

static const hbg_sim_format *find_format(const char *path) {
    static const hbg_sim_format *const formats[] = {&hbg_sim_csv, &hbg_sim_hdf5, &hbg_sim_matlab};
    const char *extension = extension_of(path);
    for (int i = 0; i < 6; i++) {
        const char *candidate = formats[i / 2]->extensions[i % 2];
        if (candidate != NULL && strcasecmp(candidate, extension) == 0) return formats[i / 2];
    }
    return is_stream(path) ? &hbg_sim_csv : NULL;
}

/* Loads the library that the format needs. */
static const char *load(hbg_arena *arena, const hbg_base_library *library, void *functions) {
    const char *reason = HBG_SIM_NO_MEMORY;
    bool fits = hbg_sim_has_memory(LOADED);
    return fits && hbg_base_library_load(arena, library, functions, &reason) ? NULL : reason;
}

/* Opens the file, then the writer of its format; leaves nothing behind if one fails. */
static const char *open_parts(hbg_sim_writer *writer, const char *path, const hbg_patience *patience,
                              const hbg_sim_head *head) {
    const char *wrong = hbg_sim_file_open(&writer->file, path, writer->format->stream, patience);
    if (wrong != NULL) return wrong;
    wrong = writer->format->open(writer->memory, &writer->file, head, writer->functions, &writer->self);
    if (wrong != NULL) hbg_sim_file_discard(&writer->file);
    return wrong;
}

hbg_sim_writer *hbg_sim_writer_open(hbg_arena *arena, const char *path, const hbg_patience *patience,
                                    const hbg_sim_column *columns, int32_t count, const char *title,
                                    const char **reason) {
    const hbg_sim_format *format = find_format(path);
    hbg_sim_head head = {.columns = columns, .count = count, .title = title != NULL ? title : ""};
    *reason = UNKNOWN_FORMAT;
    if (format == NULL) return NULL;
    hbg_memory *memory = arena->memory;
    hbg_sim_writer *writer = hbg_base_memory_alloc(memory, size_of(format));
    *reason = HBG_SIM_NO_MEMORY;
    if (writer == NULL) return NULL;
    writer->memory = memory;
    writer->format = format;
    *reason = format->library != NULL ? load(arena, format->library, writer->functions) : NULL;
    if (*reason == NULL) *reason = open_parts(writer, path, patience, &head);
    if (*reason == NULL) return writer;
    hbg_base_memory_free(memory, writer, size_of(format));
    return NULL;
}

bool hbg_sim_writer_row(hbg_sim_writer *writer, const double *values) {
    if (writer->wrong == NULL) writer->wrong = writer->format->row(writer->self, values);
    return writer->wrong == NULL;
}

bool hbg_sim_writer_close(hbg_sim_writer *writer, bool complete, const char **reason) {
    /* also after a failure: earlier rows are worth keeping */
    const char *unwritten = writer->format->close(writer->self);
    if (writer->wrong == NULL) writer->wrong = unwritten;
    const char *unnamed = hbg_sim_file_close(&writer->file, complete && writer->wrong == NULL);
    *reason = writer->wrong != NULL ? writer->wrong : unnamed;
    hbg_base_memory_free(writer->memory, writer, size_of(writer->format));
    return *reason == NULL;
}
