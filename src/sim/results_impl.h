/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the writers of results: the file in progress, the formats, names a format can have. Nothing here
 * jumps out: memory comes from hbg_memory directly, and a failure is a text that says why, NULL where there
 * is none. */
#ifndef HBG_SIM_RESULTS_IMPL_H
#define HBG_SIM_RESULTS_IMPL_H

#include <limits.h>
#include <sys/types.h>

#include "sim/sim.h"

#define HBG_SIM_NO_MEMORY "there is not enough memory"

/* ---- the file in progress ----------------------------------------------------------------------------- */

typedef struct {
    int descriptor;
    bool straight; /* a pipe, a terminal, the standard output: written directly, without FILE.partial */
    bool keep;     /* the descriptor is not ours to close */
    bool lines;    /* text: every whole line is worth keeping */
    dev_t device;  /* with inode: the identity of FILE.partial when it was made */
    ino_t inode;
    hbg_patience patience; /* with a straight one that accepts nothing */
    const char *wrong;     /* the first error; nothing is written after it */
    char target[PATH_MAX], partial[PATH_MAX];
} hbg_sim_file;

/* Makes FILE.partial. A symbolic link stays one: its target is replaced. A file that is not regular is
 * written into if the format needs only a stream. */
const char *hbg_sim_file_open(hbg_sim_file *file, const char *path, bool stream,
                              const hbg_patience *patience);
/* Opens the existing FILE.partial, at its beginning, to read it and to append. */
const char *hbg_sim_file_reopen(hbg_sim_file *file, const char *path);
/* Reads on; *count is 0 at the end. */
const char *hbg_sim_file_read(hbg_sim_file *file, char *data, size_t size, size_t *count);
/* Truncates the file to `size` bytes, and continues writing from there. */
const char *hbg_sim_file_cut(hbg_sim_file *file, uint64_t size);
const char *hbg_sim_file_write(hbg_sim_file *file, const char *data, size_t size);
const char *hbg_sim_file_write_at(hbg_sim_file *file, uint64_t place, const char *data, size_t size);
const char *hbg_sim_file_words(int error);
/* Gives the file its name if it is complete and nothing went wrong. Of an incomplete text whole lines stay; a
 * format that is unreadable without its end leaves nothing. */
const char *hbg_sim_file_close(hbg_sim_file *file, bool complete);
void hbg_sim_file_discard(hbg_sim_file *file); /* as if it had not been opened */

/* ---- formats ------------------------------------------------------------------------------------------ */

typedef struct {
    const hbg_sim_column *columns;
    int32_t count;
    const char *title; /* "" if there is none */
} hbg_sim_head;

/* All arguments of a writer live only as long as the call, except the memory, the file and the functions. */
typedef struct {
    const char *extensions[2];       /* with the dot; the second may be NULL */
    bool stream;                     /* can be written front to back, into a pipe */
    const hbg_base_library *library; /* used for writing, loaded before the file is made; or NULL */
    /* Puts the writer in *self, which is NULL if it fails. The functions are those of the library. */
    const char *(*open)(hbg_memory *memory, hbg_sim_file *file, const hbg_sim_head *head,
                        const void *functions, void **self);
    const char *(*row)(void *self, const double *values);
    const char *(*close)(void *self); /* writes the rest; always ends the writer */
} hbg_sim_format;

extern const hbg_sim_format hbg_sim_csv, hbg_sim_hdf5, hbg_sim_matlab;

#define HBG_SIM_TEXT_(number) #number
#define HBG_SIM_VERSION_(major, minor, patch)                                                                \
    HBG_SIM_TEXT_(major) "." HBG_SIM_TEXT_(minor) "." HBG_SIM_TEXT_(patch)
#define HBG_SIM_TOOL /* needs hbg/version.h */                                                               \
    "hbg " HBG_SIM_VERSION_(HBG_VERSION_MAJOR, HBG_VERSION_MINOR, HBG_VERSION_PATCH)

/* ---- names -------------------------------------------------------------------------------------------- */

/* Writes a name valid in the format, at most strlen(name) + HBG_SIM_NAME_EXTRA bytes with its NUL. */
typedef void (*hbg_sim_name_rule)(const char *name, char *text);
#define HBG_SIM_NAME_EXTRA 16

void hbg_sim_name_matlab(const char *name, char *text);
void hbg_sim_name_hdf5(const char *name, char *text);

/* Names by column, all different. */
typedef struct {
    hbg_memory *memory;
    char *text;
    size_t text_size;
    size_t *start; /* by column: its first byte in text */
    size_t start_size;
} hbg_sim_names;

/* The first column of several with one name keeps it, the others get _2, _3 …; a limit (0: none; otherwise
 * longer than a number, and for ASCII names) is the longest allowed. False: no memory. */
bool hbg_sim_names_init(hbg_sim_names *names, hbg_memory *memory, const hbg_sim_head *head,
                        hbg_sim_name_rule rule, size_t limit);
void hbg_sim_names_fini(hbg_sim_names *names);
const char *hbg_sim_names_get(const hbg_sim_names *names, int32_t column);

#endif
