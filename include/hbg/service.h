/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service: answers to an editor about a text while it is being written, and the gestures of a
 * diagram as edits of that text. It works on the present text, even if that has errors.
 *
 *     hbg_service *service;
 *     if (hbg_service_new(NULL, &service) != HBG_OK) …
 *     if (hbg_service_open(service, "diode.hbg", text, size) != HBG_OK) …
 *     hbg_service_diagnostics found;
 *     if (hbg_service_diagnose(service, "diode.hbg", &found) == HBG_OK) …
 *     hbg_service_free(service);
 *
 * Places are bytes of a text, from 0; hbg_service_position and hbg_service_offset convert them to lines and
 * columns and back. A document is named by the path of its file, which need not exist. Results belong to the
 * service and last until the next question to that service. A service may be used by one thread at a time. */
#ifndef HBG_SERVICE_H
#define HBG_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbg/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hbg_service hbg_service; /* open documents and what is known of them */

typedef struct {
    const char *const *search; /* folders for imports, in order; files there are never edited */
    int search_count;
    const char *folder; /* folder of other models that may use a renamed object; NULL: that of the document */
    size_t memory_limit; /* bytes; 0: none */
    int64_t fail_at;     /* the n-th allocation fails, for tests; 0: none */
} hbg_service_options;

hbg_service_options hbg_service_options_default(void);
HBG_MUST_CHECK hbg_status hbg_service_new(const hbg_service_options *options, hbg_service **service);
void hbg_service_free(hbg_service *service); /* NULL does nothing */
/* Why the last failed call failed, in words; "" if the status says it all. */
const char *hbg_service_reason(const hbg_service *service);

/* ---- documents ---------------------------------------------------------------------------------------- */

/* Opens a document, or gives an open one another text. */
HBG_MUST_CHECK hbg_status hbg_service_open(hbg_service *service, const char *path, const char *text,
                                           size_t size);
/* Replaces a part of the text; HBG_BAD_ARGUMENT: there is no such part. */
HBG_MUST_CHECK hbg_status hbg_service_change(hbg_service *service, const char *path, size_t start, size_t end,
                                             const char *text, size_t size);
void hbg_service_close(hbg_service *service, const char *path);
/* Files on the disk have changed: they are read again. */
void hbg_service_touch(hbg_service *service);
/* The text of an open document; NULL if it is not open. */
const char *hbg_service_text(const hbg_service *service, const char *path, size_t *size);

/* Lines from 0, and in a line units of UTF-16, as editors count. A place after the end of a line is its end,
 * one after the text the end of the text. The file need not be open. Earlier results of the service stay
 * valid. */
HBG_MUST_CHECK hbg_status hbg_service_position(hbg_service *service, const char *path, size_t offset,
                                               uint32_t *line, uint32_t *column);
HBG_MUST_CHECK hbg_status hbg_service_offset(hbg_service *service, const char *path, uint32_t line,
                                             uint32_t column, size_t *offset);

/* ---- places and edits --------------------------------------------------------------------------------- */

typedef struct {
    const char *path; /* of the file */
    size_t start, end;
} hbg_service_place;

typedef struct {
    hbg_service_place place; /* to be replaced; start == end: an insertion */
    const char *text;        /* the replacement */
} hbg_service_edit;

typedef struct {
    const hbg_service_edit *items; /* not overlapping; in the order of each text */
    int32_t count;
    const char *name; /* of the object that a gesture made, or "" */
} hbg_service_edits;

typedef struct {
    const hbg_service_place *items;
    int32_t count;
} hbg_service_places;

/* ---- diagnostics -------------------------------------------------------------------------------------- */

typedef struct {
    hbg_service_place place;
    const char *text;
} hbg_service_note;

typedef struct {
    bool error;              /* else a warning */
    const char *code;        /* "E0301" */
    const char *name;        /* of a warning: "unused-parameter"; else "" */
    hbg_service_place place; /* always in the document of the question */
    const char *text;
    const char *help;             /* the likely repair in words, or NULL */
    const hbg_service_edit *edit; /* as an edit, or NULL */
    const hbg_service_note *notes;
    int32_t note_count;
} hbg_service_diagnostic;

typedef struct {
    const hbg_service_diagnostic *items;
    int32_t count;
} hbg_service_diagnostics;

/* All errors and warnings of the document. Those of an imported file are reported at the import. Every model
 * of the document is checked. */
HBG_MUST_CHECK hbg_status hbg_service_diagnose(hbg_service *service, const char *path,
                                               hbg_service_diagnostics *found);

/* ---- names -------------------------------------------------------------------------------------------- */

/* identifier, name. Semantic tokens, outlines and completions have these kinds. */
#define HBG_SERVICE_KIND_LIST(X)                                                                             \
    X(MODEL, "model")                                                                                        \
    X(COMPONENT, "component")                                                                                \
    X(PARAMETER, "parameter")                                                                                \
    X(ELEMENT, "element")                                                                                    \
    X(JUNCTION, "junction")                                                                                  \
    X(BOND, "bond")                                                                                          \
    X(PORT, "port")                                                                                          \
    X(SIGNAL, "signal")                                                                                      \
    X(AUTOMATON, "automaton")                                                                                \
    X(STATE, "state of an automaton")                                                                        \
    X(INSTANCE, "component instance")                                                                        \
    X(FUNCTION, "function")                                                                                  \
    X(ARGUMENT, "argument")                                                                                  \
    X(EXPERIMENT, "experiment")                                                                              \
    X(VARIABLE, "variable")                                                                                  \
    X(KEYWORD, "keyword")                                                                                    \
    X(KIND, "element kind")                                                                                  \
    X(DOMAIN, "domain")                                                                                      \
    X(UNIT, "unit")                                                                                          \
    X(NUMBER, "number")                                                                                      \
    X(TEXT, "text")                                                                                          \
    X(COMMENT, "comment")                                                                                    \
    X(OPERATOR, "operator")                                                                                  \
    X(FILE, "file")

typedef enum {
#define HBG_SERVICE_KIND_ENUM(id, text) HBG_SERVICE_##id,
    HBG_SERVICE_KIND_LIST(HBG_SERVICE_KIND_ENUM)
#undef HBG_SERVICE_KIND_ENUM
        HBG_SERVICE_KIND_COUNT
} hbg_service_kind;
const char *hbg_service_kind_text(hbg_service_kind kind);

typedef struct {
    hbg_service_place place; /* of the word at the place */
    hbg_service_kind kind;
    const char *name;
    const char *what;           /* "resistor", "0-junction", "signal": more exact than the kind */
    const char *line;           /* its declaration, in the language */
    const char *unit, *domain;  /* "" if there is none, or it is not yet determined */
    const char *value;          /* in SI, "" if it is not constant */
    const char *document;       /* its doc text, or "" */
    hbg_service_place declared; /* path NULL for words of the language */
    const char *markdown;       /* all of this, to be shown */
} hbg_service_hover;

/* The meaning of the name at a place. HBG_NOT_FOUND: there is none. */
HBG_MUST_CHECK hbg_status hbg_service_hover_at(hbg_service *service, const char *path, size_t offset,
                                               hbg_service_hover *hover);
/* The place of its declaration. */
HBG_MUST_CHECK hbg_status hbg_service_definition(hbg_service *service, const char *path, size_t offset,
                                                 hbg_service_place *place);
/* All places where it is used, including the declaration, also in other files. */
HBG_MUST_CHECK hbg_status hbg_service_references(hbg_service *service, const char *path, size_t offset,
                                                 hbg_service_places *places);
/* Whether it can be renamed, and the word to rename. The reason says why not. */
HBG_MUST_CHECK hbg_status hbg_service_can_rename(hbg_service *service, const char *path, size_t offset,
                                                 hbg_service_place *word);
HBG_MUST_CHECK hbg_status hbg_service_rename(hbg_service *service, const char *path, size_t offset,
                                             const char *name, hbg_service_edits *edits);

/* ---- completion --------------------------------------------------------------------------------------- */

typedef struct {
    hbg_service_kind kind;
    const char *label;
    const char *insert;           /* to insert; `$1`, `$2` and finally `$0` are the next places to type */
    const char *detail;           /* in a few words: "resistor", "port a: electrical" */
    const char *document;         /* longer, or "" */
    const hbg_service_edit *also; /* an import that it needs, or NULL */
    int32_t rank;                 /* lower comes first */
} hbg_service_completion;

typedef struct {
    const hbg_service_completion *items;
    int32_t count;
    hbg_service_place place; /* of the typed beginning, which is replaced */
} hbg_service_completions;

/* Completions at a place. */
HBG_MUST_CHECK hbg_status hbg_service_complete(hbg_service *service, const char *path, size_t offset,
                                               hbg_service_completions *found);

typedef struct {
    const char *text;     /* "Resistor name(resistance = 100 [Ohm])" */
    const char *document; /* or "" */
    int32_t active;       /* the parameter at the place; -1: none */
    int32_t count;
    const struct hbg_service_parameter {
        size_t start, end; /* in `text` */
        const char *document;
    } * parameters;
} hbg_service_signature;

/* For the call, the element or the component whose parentheses contain the place. HBG_NOT_FOUND: there is
 * none. */
HBG_MUST_CHECK hbg_status hbg_service_signature_at(hbg_service *service, const char *path, size_t offset,
                                                   hbg_service_signature *signature);

/* ---- the whole text ----------------------------------------------------------------------------------- */

typedef struct {
    hbg_service_kind kind;
    const char *name, *detail;
    hbg_service_place place, whole; /* of the name, and of the whole declaration */
    int32_t parent;                 /* index of the symbol around it, or -1 */
} hbg_service_symbol;

typedef struct {
    const hbg_service_symbol *items; /* outer ones before inner ones */
    int32_t count;
} hbg_service_symbols;

HBG_MUST_CHECK hbg_status hbg_service_outline(hbg_service *service, const char *path,
                                              hbg_service_symbols *symbols);

typedef struct {
    size_t start, end;
    hbg_service_kind kind;
    bool declares;
} hbg_service_token;

typedef struct {
    const hbg_service_token *items;
    int32_t count;
} hbg_service_tokens;

/* The kind of each word, for colours. */
HBG_MUST_CHECK hbg_status hbg_service_tokens_of(hbg_service *service, const char *path,
                                                hbg_service_tokens *tokens);

typedef struct {
    size_t offset;    /* it is shown after this place */
    const char *text; /* " [Ohm]", " electrical", "|" for a causal stroke at this end */
    const char *document;
} hbg_service_hint;

typedef struct {
    const hbg_service_hint *items; /* in the order of the text */
    int32_t count;
} hbg_service_hints;

/* Results of inference: units, domains, and causality in the start mode. A text with errors has no hints. */
HBG_MUST_CHECK hbg_status hbg_service_hints_of(hbg_service *service, const char *path,
                                               hbg_service_hints *hints);

/* The text in its canonical form, as edits. HBG_BAD_MODEL: it does not parse. */
HBG_MUST_CHECK hbg_status hbg_service_format(hbg_service *service, const char *path,
                                             hbg_service_edits *edits);

/* ---- the palette -------------------------------------------------------------------------------------- */

typedef struct {
    hbg_service_kind kind; /* HBG_SERVICE_KIND: of the language; HBG_SERVICE_COMPONENT */
    const char *name;      /* "R", "Resistor": `what` of a gesture */
    const char *title;     /* "resistor", "Linear resistor: v = resistance*i" */
    const char *file;      /* as imports name it; "" of the language and of the document */
    const char *ports;     /* "a: electrical, k: electrical" */
} hbg_service_piece;

typedef struct {
    const hbg_service_piece *items;
    int32_t count;
} hbg_service_pieces;

/* Elements, junctions, components of the document, its imports, and components of the search folders. */
HBG_MUST_CHECK hbg_status hbg_service_palette(hbg_service *service, const char *path,
                                              hbg_service_pieces *pieces);

/* ---- gestures ----------------------------------------------------------------------------------------- */

/* identifier, its name in protocols, what it needs besides `model` */
#define HBG_GESTURE_LIST(X)                                                                                  \
    X(ADD, "add", "`what`; `name`, `text` (arguments) and a position if it has them")                        \
    X(CONNECT, "connect",                                                                                    \
      "`object` and `other`: the ends of a bond, which points at `other` if its ports allow it")             \
    X(DELETE, "delete", "`objects`: with their bonds and what is recorded of them")                          \
    X(REVERSE, "reverse", "`object`: a bond, by its name or as `a>b`")                                       \
    X(RENAME, "rename", "`object` and `name`")                                                               \
    X(VALUE, "value", "`object`, `text`; `other`: which argument, if not the first")                         \
    X(PLACE, "place", "`object`, and a position; without one it is cleared")                                 \
    X(WRAP, "wrap", "`objects` and `name`: they become a component of this name")                            \
    X(FAULT, "fault", "`text`: a fault sentence; `other`: the experiment")                                   \
    X(EXPERIMENT, "experiment", "`text`: a sentence; `other`: the experiment, made if it is new")

typedef enum {
#define HBG_GESTURE_ENUM(id, name, needs) HBG_GESTURE_##id,
    HBG_GESTURE_LIST(HBG_GESTURE_ENUM)
#undef HBG_GESTURE_ENUM
        HBG_GESTURE_COUNT
} hbg_gesture_kind;
const char *hbg_gesture_text(hbg_gesture_kind kind);

typedef struct {
    hbg_gesture_kind kind;
    const char *model;  /* the model or component of the document; NULL: its first model */
    const char *object; /* a path in it, such as "d1.coil"; inside an instance its component is edited */
    const char *other, *name, *what, *text;
    const char *const *objects;
    int32_t object_count;
    bool placed;
    double x, y;
} hbg_gesture;

/* The gesture as edits of the text; nothing else changes. HBG_BAD_ARGUMENT or HBG_NOT_FOUND: it is
 * impossible, and the reason says why. */
HBG_MUST_CHECK hbg_status hbg_service_gesture(hbg_service *service, const char *path,
                                              const hbg_gesture *gesture, hbg_service_edits *edits);

#ifdef __cplusplus
}
#endif

#endif
