/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as MATLAB level 5: a column vector for each column, `time` first, named as hbg_sim_name_matlab
 * says: coil.p is coil_p. The structure `hbg` holds the rest: `title`, `tool`, and the cell arrays
 * `variables`, `names` (those of the model) and `units`, one entry for each column in order. The format needs
 * the length of a vector before its values, so rows are kept in memory until the writer is closed. */
#include <errno.h>
#include <matio.h>
#include <string.h>
#include <unistd.h>

#include "sim/results_impl.h"
#include "sim/sim_impl.h"

#define BLOCK_AIMED ((size_t)256 << 10)       /* bytes of a block of rows */
#define NAME_MOST   63                        /* characters of a name in MATLAB */
#define ROWS_MOST   (((int64_t)1 << 28) - 64) /* a variable of this format has less than 2 GiB */
#define CELLS       3

#define LIBRARY_MEMORY ((size_t)4 << 20) /* more than the library needs to write a file, */
#define COLUMN_MEMORY  ((size_t)8 << 10) /* and for each column */

#define LIBRARY_FAILED "the matio library reports an error"
#define INCOMPLETE     "it could not be written completely"
#define TOO_LONG       "a variable of a MATLAB level 5 file holds less than 2 GiB: use .h5"

#define MATIO_LIST(X)                                                                                        \
    X(Mat_CreateVer)                                                                                         \
    X(Mat_Close)                                                                                             \
    X(Mat_VarCreate)                                                                                         \
    X(Mat_VarCreateStruct)                                                                                   \
    X(Mat_VarSetCell)                                                                                        \
    X(Mat_VarSetStructFieldByName)                                                                           \
    X(Mat_VarWrite)                                                                                          \
    X(Mat_VarFree)

typedef struct {
    MATIO_LIST(HBG_LIBRARY_POINTER)
} matio_functions; /* of the library, which is loaded when such a file is written */

typedef struct block {
    struct block *next;
    int32_t rows;
    double values[]; /* by row */
} block;

typedef struct {
    hbg_memory *memory;
    hbg_sim_file *file;
    const matio_functions *matio;
    hbg_sim_names names;
    int32_t count; /* of columns */
    char *texts;   /* title, then the name and the unit of each column, each with its NUL */
    size_t texts_size;
    block *first, *last;
    int32_t block_rows; /* room of a block */
    int64_t rows;
    double *vector; /* room for one column, allocated early so that closing needs no memory of ours */
    int64_t room;   /* of vector, in rows */
    uint16_t *wide; /* room for the longest text, as UTF-16; early for the same reason */
    size_t wide_size;
    void *reserve; /* memory to write the file with */
} writer;

static size_t library_memory(const writer *w) {
    return LIBRARY_MEMORY + (size_t)w->count * COLUMN_MEMORY + 8 * w->texts_size;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static size_t block_size(const writer *w) {
    return sizeof(block) + (size_t)w->block_rows * (size_t)w->count * sizeof(double);
}

/* Makes the vector long enough for one row more. */
static bool grow_vector(writer *w) {
    if (w->rows < w->room) return true;
    int64_t room = w->room > 0 ? 2 * w->room : 1024;
    double *vector = hbg_base_memory_alloc(w->memory, (size_t)room * sizeof *vector);
    if (vector == NULL) return false;
    hbg_base_memory_free(w->memory, w->vector, (size_t)w->room * sizeof *vector);
    w->vector = vector;
    w->room = room;
    return true;
}

static bool grow_blocks(writer *w) {
    if (w->last != NULL && w->last->rows < w->block_rows) return true;
    block *fresh = hbg_base_memory_alloc(w->memory, block_size(w));
    if (fresh == NULL) return false;
    if (w->last != NULL)
        w->last->next = fresh;
    else
        w->first = fresh;
    w->last = fresh;
    return true;
}

static const char *matlab_row(void *self, const double *values) {
    writer *w = self;
    size_t count = (size_t)w->count;
    if (w->rows >= ROWS_MOST) return TOO_LONG;
    if (!grow_vector(w) || !grow_blocks(w)) return HBG_SIM_NO_MEMORY;
    memcpy(w->last->values + (size_t)w->last->rows * count, values, count * sizeof *values);
    w->last->rows++;
    w->rows++;
    return NULL;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

/* One character of UTF-8, and where the next starts; invalid bytes count as U+FFFD. */
static uint32_t next_character(const char **at, const char *end) {
    const uint8_t *bytes = (const uint8_t *)*at;
    size_t length = hbg_base_utf8_length(*at, (size_t)(end - *at));
    *at += length > 0 ? length : 1;
    switch (length) {
    case 1: return bytes[0];
    case 2: return (bytes[0] & 0x1fU) << 6 | (bytes[1] & 0x3fU);
    case 3: return (bytes[0] & 0x0fU) << 12 | (bytes[1] & 0x3fU) << 6 | (bytes[2] & 0x3fU);
    case 4:
        return (bytes[0] & 0x07U) << 18 | (bytes[1] & 0x3fU) << 12 | (bytes[2] & 0x3fU) << 6 |
               (bytes[3] & 0x3fU);
    default: return 0xfffd;
    }
}

/* Returns the number of UTF-16 units, at most the number of bytes. */
static size_t to_utf16(const char *text, uint16_t *units) {
    size_t count = 0;
    const char *end = text + strlen(text);
    while (text < end) {
        uint32_t character = next_character(&text, end);
        if (character >= 0x10000) {
            units[count++] = (uint16_t)(0xd800 + ((character - 0x10000) >> 10));
            character = 0xdc00 + ((character - 0x10000) & 0x3ff);
        }
        units[count++] = (uint16_t)character;
    }
    return count;
}

/* A row of characters, NULL if there is no memory. */
static matvar_t *text_new(writer *w, const char *text) {
    size_t length = to_utf16(text, w->wide);
    size_t dims[2] = {length > 0 ? 1 : 0, length};
    return w->matio->Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF16, 2, dims, w->wide, 0);
}

static const char *next_text(const char *text) {
    return text + strlen(text) + 1;
}

/* Variables, names, units: as columns of cells. */
static bool fill_cells(writer *w, matvar_t *cells[CELLS]) {
    const char *name = next_text(w->texts);
    for (int32_t i = 0; i < w->count; i++) {
        const char *unit = next_text(name);
        const char *texts[CELLS] = {hbg_sim_names_get(&w->names, i), name, unit};
        for (int k = 0; k < CELLS; k++) {
            matvar_t *text = text_new(w, texts[k]);
            if (text == NULL) return false;
            w->matio->Mat_VarSetCell(cells[k], i, text);
        }
        name = next_text(unit);
    }
    return true;
}

/* The value is NULL if there was no memory for it. */
static bool set_field(const writer *w, matvar_t *structure, const char *name, matvar_t *value) {
    if (value != NULL) w->matio->Mat_VarSetStructFieldByName(structure, name, 0, value);
    return value != NULL;
}

static matvar_t *about_new(writer *w) {
    const char *fields[] = {"title", "tool", "variables", "names", "units"};
    size_t one[2] = {1, 1}, column[2] = {(size_t)w->count, 1};
    matvar_t *about = w->matio->Mat_VarCreateStruct("hbg", 2, one, fields, 2 + CELLS), *cells[CELLS];
    if (about == NULL) return NULL;
    bool good = set_field(w, about, "title", text_new(w, w->texts)) &&
                set_field(w, about, "tool", text_new(w, HBG_SIM_TOOL));
    for (int k = 0; k < CELLS && good; k++) {
        cells[k] = w->matio->Mat_VarCreate(NULL, MAT_C_CELL, MAT_T_CELL, 2, column, NULL, 0);
        good = set_field(w, about, fields[2 + k], cells[k]);
    }
    if (good && fill_cells(w, cells)) return about;
    w->matio->Mat_VarFree(about);
    return NULL;
}

/* ---- the file ----------------------------------------------------------------------------------------- */

static const char *write_about(writer *w, mat_t *mat) {
    matvar_t *about = about_new(w);
    if (about == NULL) return HBG_SIM_NO_MEMORY;
    int status = w->matio->Mat_VarWrite(mat, about, MAT_COMPRESSION_NONE);
    w->matio->Mat_VarFree(about);
    return status == 0 ? NULL : LIBRARY_FAILED;
}

static const char *write_column(writer *w, mat_t *mat, int32_t column) {
    size_t dims[2] = {(size_t)w->rows, 1}, count = (size_t)w->count;
    double *at = w->vector;
    for (const block *b = w->first; b != NULL; b = b->next)
        for (size_t row = 0; row < (size_t)b->rows; row++) *at++ = b->values[row * count + (size_t)column];
    matvar_t *variable = w->matio->Mat_VarCreate(hbg_sim_names_get(&w->names, column), MAT_C_DOUBLE,
                                                 MAT_T_DOUBLE, 2, dims, w->vector, MAT_F_DONT_COPY_DATA);
    if (variable == NULL) return HBG_SIM_NO_MEMORY;
    int status = w->matio->Mat_VarWrite(mat, variable, MAT_COMPRESSION_NONE);
    w->matio->Mat_VarFree(variable);
    return status == 0 ? NULL : LIBRARY_FAILED;
}

/* The library does not check every write, so this checks that the variables lie one after the other up to the
 * end of the file. */
static bool is_whole(const writer *w) {
    off_t end = lseek(w->file->descriptor, 0, SEEK_END), at = 128;
    int64_t found = 0;
    for (; at < end; found++) {
        uint32_t tag[2];
        if (pread(w->file->descriptor, tag, sizeof tag, at) != (ssize_t)sizeof tag || tag[0] != MAT_T_MATRIX)
            return false;
        at += (off_t)sizeof tag + (off_t)tag[1];
    }
    return at == end && found == (int64_t)w->count + 1;
}

static const char *write_file(writer *w) {
    errno = 0;
    mat_t *mat =
        w->matio->Mat_CreateVer(w->file->partial, "MATLAB 5.0 MAT-file, by " HBG_SIM_TOOL, MAT_FT_MAT5);
    if (mat == NULL) return errno != 0 ? hbg_sim_file_words(errno) : LIBRARY_FAILED;
    const char *wrong = write_about(w, mat);
    for (int32_t i = 0; i < w->count && wrong == NULL; i++) wrong = write_column(w, mat, i);
    if (w->matio->Mat_Close(mat) != 0 && wrong == NULL)
        wrong = errno != 0 ? hbg_sim_file_words(errno) : INCOMPLETE;
    if (wrong == NULL && !is_whole(w)) wrong = errno != 0 ? hbg_sim_file_words(errno) : INCOMPLETE;
    return wrong;
}

/* ---- open and close ----------------------------------------------------------------------------------- */

static void release(writer *w) {
    hbg_sim_reserve_end(w->reserve, library_memory(w));
    for (block *b = w->first, *next; b != NULL; b = next) {
        next = b->next;
        hbg_base_memory_free(w->memory, b, block_size(w));
    }
    hbg_sim_names_fini(&w->names);
    hbg_base_memory_free(w->memory, w->vector, (size_t)w->room * sizeof *w->vector);
    hbg_base_memory_free(w->memory, w->texts, w->texts_size);
    hbg_base_memory_free(w->memory, w->wide, w->wide_size);
    hbg_base_memory_free(w->memory, w, sizeof *w);
}

/* Counts one text; as UTF-16 it has at most as many units as bytes. */
static void count_text(writer *w, const char *text) {
    size_t size = strlen(text) + 1;
    w->texts_size += size;
    if (w->wide_size < size * sizeof *w->wide) w->wide_size = size * sizeof *w->wide;
}

static bool keep_texts(writer *w, const hbg_sim_head *head) {
    w->wide_size = (NAME_MOST + 1) * sizeof *w->wide; /* names of ours, and the tool */
    count_text(w, head->title);
    for (int32_t i = 0; i < head->count; i++) {
        count_text(w, head->columns[i].name);
        count_text(w, head->columns[i].unit != NULL ? head->columns[i].unit : "");
    }
    w->texts = hbg_base_memory_alloc(w->memory, w->texts_size);
    w->wide = hbg_base_memory_alloc(w->memory, w->wide_size);
    if (w->texts == NULL || w->wide == NULL) return false;
    char *at = stpcpy(w->texts, head->title) + 1;
    for (int32_t i = 0; i < head->count; i++) {
        at = stpcpy(at, head->columns[i].name) + 1;
        at = stpcpy(at, head->columns[i].unit != NULL ? head->columns[i].unit : "") + 1;
    }
    return true;
}

static const char *matlab_open(hbg_memory *memory, hbg_sim_file *file, const hbg_sim_head *head,
                               const void *functions, void **self) {
    writer *w = hbg_base_memory_alloc(memory, sizeof *w);
    *self = w;
    if (w == NULL) return HBG_SIM_NO_MEMORY;
    size_t fit = BLOCK_AIMED / sizeof(double) / (size_t)(head->count > 0 ? head->count : 1);
    w->memory = memory;
    w->file = file;
    w->matio = functions;
    w->count = head->count;
    w->names.memory = memory;
    w->block_rows = fit > 0 ? (int32_t)fit : 1;
    bool good = grow_vector(w) && keep_texts(w, head) &&
                hbg_sim_names_init(&w->names, memory, head, hbg_sim_name_matlab, NAME_MOST);
    w->reserve = good ? hbg_sim_reserve(library_memory(w)) : NULL;
    if (w->reserve != NULL) return NULL;
    release(w);
    *self = NULL;
    return HBG_SIM_NO_MEMORY;
}

static const char *matlab_close(void *self) {
    writer *w = self;
    hbg_sim_reserve_end(w->reserve, library_memory(w));
    w->reserve = NULL;
    const char *wrong = write_file(w);
    if (wrong != NULL && w->file->wrong == NULL) w->file->wrong = wrong; // the file cannot be read
    release(w);
    return wrong;
}

static const char *const library_names[] = {MATIO_LIST(HBG_LIBRARY_NAME)};
static const hbg_base_library library = {.file = HBG_LIBRARY_matio,
                                         .package = "libmatio-dev",
                                         .names = library_names,
                                         .count = sizeof library_names / sizeof *library_names};

const hbg_sim_format hbg_sim_matlab = {.library = &library,
                                       .extensions = {".mat"},
                                       .open = matlab_open,
                                       .row = matlab_row,
                                       .close = matlab_close};
