/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as HDF5: in the root group one dataset of doubles for each column, `time` first (the order of the
 * columns is the order of creation). A dataset has the attribute `unit` if there is a unit, and `name` if the
 * format cannot represent the name in the model: / becomes |, and of several columns with one name the later
 * ones get a number. The root group has the attributes `title` and `tool`. Texts are UTF-8 of variable
 * length, as h5py writes and reads them.
 *
 * Rows are gathered until there is a chunk for each column, then written at once; the datasets are made with
 * the first chunk, so the chunks of a short run are not larger than the run. Format versions are the oldest
 * that suffice, which every reader understands. */
#include <string.h>

#include "sim/results_driver_impl.h"
#include "sim/sim_impl.h"

#define CHUNK_MOST   4096               /* rows of a chunk, */
#define CHUNK_LEAST  128                /* fewer if there are many columns, */
#define BUFFER_AIMED ((size_t)16 << 20) /* so that the gathered rows take no more than this, in bytes */

#define LIBRARY_FAILED "the HDF5 library reports an error"

#define LIBRARY_MEMORY                                                                                       \
    ((size_t)24 << 20) /* more than the library takes to begin, to write a chunk, or to close, */
#define COLUMN_MEMORY ((size_t)16 << 10) /* and for each column */

typedef struct {
    hbg_memory *memory;
    hbg_sim_file *file;
    const hbg_sim_hdf5_functions *hdf5;
    hbg_sim_names names;
    hbg_sim_driver driver;
    hid_t driver_id, id;
    int32_t count;   /* of columns */
    char *originals; /* names in the model, each with its NUL, until the datasets are made */
    char *units;     /* the same way: a blank and the unit, or nothing without one */
    size_t units_size, originals_size;
    hid_t *datasets;  /* by column, once made */
    double *rows;     /* gathered, by row */
    double *chunk;    /* of one column */
    int32_t capacity; /* rows that can be gathered */
    int32_t gathered;
    hsize_t written; /* rows in the file */
    hsize_t length;  /* rows of a chunk, once the datasets are made; 0 before */
    void *reserve;   /* memory to close the file with */
} writer;

static size_t library_memory(const writer *w) {
    return LIBRARY_MEMORY + (size_t)w->count * COLUMN_MEMORY;
}

/* ---- the library's errors ----------------------------------------------------------------------------- */

typedef struct {
    H5E_auto2_t print;
    void *context;
} loudness;

/* The library prints nothing until `speak`. */
static loudness hush(const hbg_sim_hdf5_functions *hdf5) {
    loudness before;
    hdf5->H5Eget_auto2(H5E_DEFAULT, &before.print, &before.context);
    hdf5->H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

static void speak(const hbg_sim_hdf5_functions *hdf5, loudness before) {
    hdf5->H5Eset_auto2(H5E_DEFAULT, before.print, before.context);
}

static const char *verdict(const writer *w, bool good) {
    return w->file->wrong != NULL ? w->file->wrong : good ? NULL : LIBRARY_FAILED;
}

/* ---- the first chunk: datasets ------------------------------------------------------------------------ */

static bool put_attribute(const hbg_sim_hdf5_functions *hdf5, hid_t object, const char *name,
                          const char *text) {
    hid_t type = hdf5->H5Tcopy(H5T_C_S1), space = hdf5->H5Screate(H5S_SCALAR);
    hdf5->H5Tset_size(type, H5T_VARIABLE);
    hdf5->H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t attribute = hdf5->H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && hdf5->H5Awrite(attribute, type, &text) >= 0;
    if (attribute >= 0) good = hdf5->H5Aclose(attribute) >= 0 && good;
    hdf5->H5Sclose(space);
    hdf5->H5Tclose(type);
    return good;
}

/* How every dataset is made. */
typedef struct {
    hid_t space, links, creation, access;
} recipe;

static recipe recipe_make(const hbg_sim_hdf5_functions *hdf5, hsize_t length) {
    hsize_t none = 0, any = H5S_UNLIMITED;
    recipe r = {.space = hdf5->H5Screate_simple(1, &none, &any),
                .links = hdf5->H5Pcreate(H5P_LINK_CREATE),
                .creation = hdf5->H5Pcreate(H5P_DATASET_CREATE),
                .access = hdf5->H5Pcreate(H5P_DATASET_ACCESS)};
    hdf5->H5Pset_char_encoding(r.links, H5T_CSET_UTF8);
    hdf5->H5Pset_chunk(r.creation, 1, &length);
    hdf5->H5Pset_fill_time(r.creation, H5D_FILL_TIME_NEVER);
    hdf5->H5Pset_obj_track_times(r.creation, false); /* the same run gives the same file */
    hdf5->H5Pset_chunk_cache(r.access, 1, 0, 1);     /* whole chunks bypass the cache */
    return r;
}

static void recipe_end(const hbg_sim_hdf5_functions *hdf5, recipe r) {
    hdf5->H5Sclose(r.space);
    hdf5->H5Pclose(r.links);
    hdf5->H5Pclose(r.creation);
    hdf5->H5Pclose(r.access);
}

static bool make_datasets(writer *w, hsize_t length) {
    const hbg_sim_hdf5_functions *hdf5 = w->hdf5;
    recipe r = recipe_make(hdf5, length);
    const char *unit = w->units, *original = w->originals;
    bool good = true;
    for (int32_t i = 0; i < w->count && good; i++) {
        const char *name = hbg_sim_names_get(&w->names, i);
        hid_t dataset =
            hdf5->H5Dcreate2(w->id, name, H5T_NATIVE_DOUBLE, r.space, r.links, r.creation, r.access);
        w->datasets[i] = dataset;
        good = dataset >= 0;
        if (good && unit[0] != '\0') good = put_attribute(hdf5, dataset, "unit", unit + 1);
        if (good && strcmp(original, name) != 0) good = put_attribute(hdf5, dataset, "name", original);
        unit += strlen(unit) + 1;
        original += strlen(original) + 1;
    }
    recipe_end(hdf5, r);
    w->length = length;
    return good;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* Writes the gathered rows as one chunk of each column. */
static bool write_chunks(writer *w) {
    const hbg_sim_hdf5_functions *hdf5 = w->hdf5;
    hsize_t first = w->written, end = first + (hsize_t)w->gathered;
    if (w->length == 0 && !make_datasets(w, w->gathered > 0 ? (hsize_t)w->gathered : 1)) return false;
    memset(w->chunk, 0, (size_t)w->length * sizeof *w->chunk);
    for (int32_t i = 0; i < w->count && w->gathered > 0; i++) {
        for (int32_t row = 0; row < w->gathered; row++)
            w->chunk[row] = w->rows[(size_t)row * (size_t)w->count + (size_t)i];
        if (hdf5->H5Dset_extent(w->datasets[i], &end) < 0) return false;
        size_t size = (size_t)w->length * sizeof *w->chunk;
        if (hdf5->H5Dwrite_chunk(w->datasets[i], H5P_DEFAULT, 0, &first, size, w->chunk) < 0) return false;
    }
    w->written = end;
    w->gathered = 0;
    return true;
}

static const char *hdf5_row(void *self, const double *values) {
    writer *w = self;
    size_t count = (size_t)w->count;
    memcpy(w->rows + (size_t)w->gathered++ * count, values, count * sizeof *values);
    if (w->gathered < w->capacity) return NULL;
    if (!hbg_sim_has_memory(library_memory(w))) {
        w->gathered--; // the last row does not fit
        return HBG_SIM_NO_MEMORY;
    }
    loudness before = hush(w->hdf5);
    bool good = write_chunks(w);
    speak(w->hdf5, before);
    return verdict(w, good);
}

/* ---- open and close ----------------------------------------------------------------------------------- */

static void release(writer *w) {
    hbg_sim_reserve_end(w->reserve, library_memory(w));
    hbg_sim_names_fini(&w->names);
    hbg_base_memory_free(w->memory, w->units, w->units_size);
    hbg_base_memory_free(w->memory, w->originals, w->originals_size);
    hbg_base_memory_free(w->memory, w->datasets, (size_t)w->count * sizeof *w->datasets);
    hbg_base_memory_free(w->memory, w->rows, (size_t)w->capacity * (size_t)w->count * sizeof *w->rows);
    hbg_base_memory_free(w->memory, w->chunk, (size_t)w->capacity * sizeof *w->chunk);
    hbg_base_memory_free(w->memory, w, sizeof *w);
}

/* Copies names and units, which are needed when the datasets are made. */
static bool keep_texts(writer *w, const hbg_sim_head *head) {
    for (int32_t i = 0; i < head->count; i++) {
        w->originals_size += strlen(head->columns[i].name) + 1;
        w->units_size += (head->columns[i].unit != NULL ? strlen(head->columns[i].unit) + 1 : 0) + 1;
    }
    w->originals = hbg_base_memory_alloc(w->memory, w->originals_size);
    w->units = hbg_base_memory_alloc(w->memory, w->units_size);
    if (w->originals == NULL || w->units == NULL) return false;
    char *name = w->originals, *unit = w->units;
    for (int32_t i = 0; i < head->count; i++) {
        name = stpcpy(name, head->columns[i].name) + 1;
        if (head->columns[i].unit != NULL) unit = stpcpy(stpcpy(unit, " "), head->columns[i].unit);
        unit++;
    }
    return true;
}

static writer *writer_new(hbg_memory *memory, const hbg_sim_head *head) {
    writer *w = hbg_base_memory_alloc(memory, sizeof *w);
    if (w == NULL) return NULL;
    size_t fit = BUFFER_AIMED / sizeof(double) / (size_t)(head->count > 0 ? head->count : 1);
    w->memory = memory;
    w->count = head->count;
    w->names.memory = memory;
    w->capacity = fit > CHUNK_MOST ? CHUNK_MOST : fit < CHUNK_LEAST ? CHUNK_LEAST : (int32_t)fit;
    w->datasets = hbg_base_memory_alloc(memory, (size_t)w->count * sizeof *w->datasets);
    w->rows = hbg_base_memory_alloc(memory, (size_t)w->capacity * (size_t)w->count * sizeof *w->rows);
    w->chunk = hbg_base_memory_alloc(memory, (size_t)w->capacity * sizeof *w->chunk);
    bool good = w->datasets != NULL && w->rows != NULL && w->chunk != NULL && keep_texts(w, head);
    if (good && hbg_sim_names_init(&w->names, memory, head, hbg_sim_name_hdf5, 0)) return w;
    release(w);
    return NULL;
}

static bool make_file(writer *w, const char *title) {
    const hbg_sim_hdf5_functions *hdf5 = w->hdf5;
    hid_t creation = hdf5->H5Pcreate(H5P_FILE_CREATE);
    hdf5->H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hdf5->H5Pset_obj_track_times(creation, false);
    w->id = hbg_sim_driver_create(hdf5, &w->driver, w->file, creation, &w->driver_id);
    hdf5->H5Pclose(creation);
    return w->id >= 0 && put_attribute(hdf5, w->id, "title", title) &&
           put_attribute(hdf5, w->id, "tool", HBG_SIM_TOOL);
}

static bool close_file(writer *w) {
    const hbg_sim_hdf5_functions *hdf5 = w->hdf5;
    bool good = true;
    for (int32_t i = 0; i < w->count && w->length > 0; i++)
        if (w->datasets[i] > 0) good = hdf5->H5Dclose(w->datasets[i]) >= 0 && good;
    if (w->id >= 0) good = hdf5->H5Fclose(w->id) >= 0 && good;
    hdf5->H5FDunregister(w->driver_id);
    return good;
}

static const char *hdf5_open(hbg_memory *memory, hbg_sim_file *file, const hbg_sim_head *head,
                             const void *functions, void **self) {
    writer *w = writer_new(memory, head);
    *self = w;
    if (w == NULL) return HBG_SIM_NO_MEMORY;
    w->file = file;
    w->hdf5 = functions;
    w->reserve = hbg_sim_reserve(library_memory(w));
    if (w->reserve == NULL || !hbg_sim_has_memory(library_memory(w))) {
        release(w);
        *self = NULL;
        return HBG_SIM_NO_MEMORY;
    }
    loudness before = hush(w->hdf5);
    bool good = make_file(w, head->title);
    if (!good) close_file(w);
    speak(w->hdf5, before);
    if (good) return NULL;
    release(w);
    *self = NULL;
    return file->wrong != NULL ? file->wrong : LIBRARY_FAILED;
}

static const char *hdf5_close(void *self) {
    writer *w = self;
    hbg_sim_reserve_end(w->reserve, library_memory(w));
    w->reserve = NULL;
    loudness before = hush(w->hdf5);
    bool due = w->file->wrong == NULL && (w->length == 0 || w->gathered > 0);
    bool good = !due || write_chunks(w);
    bool closed = close_file(w);
    /* if the library keeps the file open, it must not complain when the program ends */
    if (closed) speak(w->hdf5, before);
    const char *wrong = verdict(w, good && closed);
    release(w);
    return wrong;
}

static const char *const library_names[] = {HBG_SIM_HDF5_LIST(HBG_LIBRARY_NAME)};
static const hbg_base_library library = {.file = HBG_LIBRARY_hdf5_serial,
                                         .package = "libhdf5-dev",
                                         .names = library_names,
                                         .count = sizeof library_names / sizeof *library_names};

const hbg_sim_format hbg_sim_hdf5 = {.library = &library,
                                     .extensions = {".h5", ".hdf5"},
                                     .open = hdf5_open,
                                     .row = hdf5_row,
                                     .close = hdf5_close};
