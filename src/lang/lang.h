/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text becomes a flat, checked model: lexer, parser, imports, names, units, components. Every error is
 * reported, none is fatal: the result is a model only if the text has no errors. */
#ifndef HBG_LANG_H
#define HBG_LANG_H

#include "hbg/service.h" /* the questions of an editor, and the answers */
#include "model/model.h"

typedef struct hbg_units hbg_units; /* the unit system: owns the udunits2 handle, read when first needed */
/* NULL when memory is exhausted. It uses the heap: it outlives any arena. */
hbg_units *hbg_lang_units_new(void);
void hbg_lang_units_free(hbg_units *units);

/* A number outside of a model, perhaps with a unit, in SI: `3ms`, `3 [ms]`, `0.003`. Its dimension is unknown
 * without a unit. False: the reason says why not. */
bool hbg_lang_quantity(hbg_units *units, hbg_arena *arena, const char *text, size_t size, double *value,
                       hbg_dimension *dimension, const char **reason);

/* What an editor has in place of a file. */
typedef struct {
    const char *path; /* in the spelling of the editor */
    const char *real; /* resolved */
    const char *text;
    size_t size;
} hbg_lang_overlay;

typedef struct {
    hbg_arena *arena;   /* life of the model */
    hbg_arena *scratch; /* life of the reading: tokens and syntax trees; the caller ends it afterwards */
    hbg_names *names;
    hbg_sources *sources;
    hbg_diagnostics *diagnostics;
    hbg_units *units;
    const char *const *search; /* folders for imports, after the importing file's own */
    int search_count;
    /* for editors: */
    const hbg_lang_overlay *overlays; /* texts that are newer than their files */
    int32_t overlay_count;
    bool tolerant; /* tokens are kept, and parts of wrong statements where possible */
} hbg_lang;

typedef struct {
    const char *model;             /* the model to take; NULL: the first of the file */
    const char *const *parameters; /* "R1=220", "L=5 [mH]": values from the command line */
    int parameter_count;
    const char *records;             /* "a, b.e, 2*c.p": what a run is to record; NULL: not said */
    const char *stop, *step, *every; /* "600 [us]", "5*tau": its times; NULL: not said */
    const char *const
        *inputs; /* "sw=true", "u=5*sin(time)", "u=file.csv": inputs, instead of experiments' values */
    int input_count;
    const char *const *faults; /* "at 3 [s]: bulb.R abrupt -30 [%]": besides those of the experiment */
    int fault_count;
    const char *const
        *sweeps; /* "R=1:10:1", "C~normal(1e-3, 1e-5)": see sweep.c; plain ones are parameters */
    int sweep_count;
    const char *fault_table; /* CSV: at, until, target, kind, value; NULL: none */
    bool faults_apart;       /* each row of the table is for a separate run */
    const char *experiment;  /* the one these go with; NULL: the first */
    bool draft;              /* a model with errors is returned too: it may be drawn, but nothing else */
    bool one_experiment;     /* only that one is to be run: values of parameters in others do not matter */
} hbg_lang_options;

/* Reads, elaborates and checks. NULL if there are errors. The text of a file is at most HBG_LANG_FILE_LIMIT.
 */
#define HBG_LANG_FILE_LIMIT ((size_t)1 << 28)
hbg_model *hbg_lang_read_file(hbg_lang *lang, const char *path, const hbg_lang_options *options);
hbg_model *hbg_lang_read_text(hbg_lang *lang, const char *path, const char *text, size_t size,
                              const hbg_lang_options *options);

/* A model whose tables were read back (hbg_model_restore), with these requests: as if its text, which is not
 * needed, had been read with these options. Its experiment keeps its earlier requests unless new ones replace
 * them. NULL if there are errors. */
hbg_model *hbg_lang_ask(hbg_lang *lang, hbg_model *restored, const hbg_lang_options *options);

/* The canonical form of a text; false and diagnostics if it does not parse. */
bool hbg_lang_format(hbg_lang *lang, const char *path, const char *text, size_t size, hbg_buffer *out);

/* ---- components of the search folders (catalog.c) ------------------------------------------------------- */

typedef struct {
    const char *name;
    const char
        *what; /* of a port: its domain, or `in` and `out` with the type of the signal; of a parameter "" */
    const char *unit;  /* as declared, without brackets; "" */
    const char *value; /* default as written; "" */
    const char *doc;   /* "" */
} hbg_lang_catalog_entry;

typedef struct {
    const char *file, *name, *doc;
    const char *remark; /* the comment before it: equations; lines without their marks, "" */
    hbg_lang_catalog_entry *ports, *parameters;
    int32_t port_count, parameter_count;
} hbg_lang_catalog_item;

typedef struct {
    hbg_lang_catalog_item *items; /* by file, then in the order of the text */
    int32_t count;
} hbg_lang_catalog;

struct hbg_lang_workspace;
hbg_lang_catalog hbg_lang_catalog_read(const struct hbg_lang_workspace *workspace, hbg_arena *arena);

/* ---- language service (see hbg/service.h) -------------------------------------------------------------- */

typedef struct hbg_lang_workspace {
    hbg_units *units;
    const char *const *search;
    int search_count;
    const hbg_lang_overlay *overlays; /* the open documents */
    int32_t overlay_count;
    const char *folder;
} hbg_lang_workspace;

/* A document with all it imports, and its meaning. Everything is in the arena; the workspace outlives it, and
 * its texts are copied. If it is not to be checked, only the uses of names are known. */
typedef struct hbg_lang_reading hbg_lang_reading;
hbg_lang_reading *hbg_lang_reading_new(hbg_arena *arena, const hbg_lang_workspace *workspace,
                                       const char *path, const char *text, size_t size, bool check);
/* The checked model; NULL if the text is not one. */
const hbg_model *hbg_lang_reading_model(const hbg_lang_reading *reading);
const char *hbg_lang_service_kind_text(hbg_service_kind kind);
/* A place in the text of a model; its path is NULL if it is in no text. */
hbg_service_place hbg_lang_reading_place(const hbg_lang_reading *reading, hbg_span span);

/* Each answers into the arena. `good` is the last reading of the document that was a model, or NULL. False,
 * or a status that is not HBG_OK: there is no answer, and *reason may say why. */
void hbg_lang_service_diagnose(hbg_lang_reading *reading, hbg_arena *arena, hbg_service_diagnostics *found);
bool hbg_lang_service_hover(const hbg_lang_reading *reading, const hbg_lang_reading *good, hbg_arena *arena,
                            size_t offset, hbg_service_hover *hover);
bool hbg_lang_service_declared(const hbg_lang_reading *reading, size_t offset, hbg_service_place *place);
bool hbg_lang_service_references(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                 hbg_service_places *places);
hbg_status hbg_lang_service_can_rename(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                       hbg_service_place *word, const char **reason);
hbg_status hbg_lang_service_rename(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                   const char *name, hbg_service_edits *edits, const char **reason);
void hbg_lang_service_complete(const hbg_lang_reading *reading, const hbg_lang_reading *good,
                               hbg_arena *arena, size_t offset, hbg_service_completions *found);
bool hbg_lang_service_signature(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                hbg_service_signature *signature);
void hbg_lang_service_outline(const hbg_lang_reading *reading, hbg_arena *arena,
                              hbg_service_symbols *symbols);
void hbg_lang_service_tokens(const hbg_lang_reading *reading, hbg_arena *arena, hbg_service_tokens *tokens);
void hbg_lang_service_hints(const hbg_lang_reading *reading, hbg_arena *arena, hbg_service_hints *hints);
void hbg_lang_service_palette(const hbg_lang_reading *reading, hbg_arena *arena, hbg_service_pieces *pieces);
hbg_status hbg_lang_service_gesture(const hbg_lang_reading *reading, hbg_arena *arena,
                                    const hbg_gesture *gesture, hbg_service_edits *edits,
                                    const char **reason);

#endif
