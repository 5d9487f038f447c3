/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service. A reading is a document with all it imports, as it stood at one moment: syntax trees,
 * the symbols they declare, every place where one is named, and the checked model where there is one. Names
 * are resolved on the trees, by definition and not by instance, so that this also works in a wrong text. */
#ifndef HBG_LANG_SERVICE_IMPL_H
#define HBG_LANG_SERVICE_IMPL_H

#include "lang/elaborate_impl.h"

/* What a text declares. */
typedef struct {
    hbg_service_kind kind;
    hbg_name name;
    hbg_span span;  /* of the name where it is declared */
    hbg_span whole; /* of its whole declaration */
    int32_t owner;  /* symbol of the definition, automaton or function it is in; HBG_NONE at the top */
    const syntax_definition *definition; /* of a model or component */
    const syntax_declaration
        *declaration; /* of what stands in one, and of functions; of states: the automaton */
    const syntax_experiment *experiment;
    int32_t index; /* state: which one; argument: likewise */
} service_symbol;

/* A place where a symbol is named. */
typedef struct {
    hbg_span span;
    int32_t symbol;
    bool declares;
} service_occurrence;

struct hbg_lang_reading {
    hbg_arena *arena; /* life of all of this */
    const hbg_lang_workspace *workspace;
    const char *path; /* of the document */
    hbg_names names;
    hbg_sources sources;
    hbg_diagnostics diagnostics;
    hbg_lang lang;
    hbg_elaborator elaborator;
    const hbg_model *model; /* the first of the document, checked and without errors; or NULL */
    HBG_VEC(service_symbol) symbols;
    HBG_VEC(service_occurrence) occurrences; /* in the order of the texts */
    hbg_pair_map members;                    /* (symbol it is in, or -1 at the top, name) -> symbol */
    const syntax_file *file;                 /* of the document; never NULL */
    const hbg_source *source;                /* its text */
    bool unreadable;                         /* no text at all: nothing was parsed */
};

/* ---- texts and places (service.c) --------------------------------------------------------------------- */

const char *hbg_lang_service_name(const hbg_lang_reading *reading, hbg_name name);
const char *hbg_lang_service_name_of(const hbg_lang_reading *reading, int32_t symbol);
/* The source a span is in, and the span as a place of its file. */
const hbg_source *hbg_lang_service_source(const hbg_lang_reading *reading, uint32_t position);
hbg_service_place hbg_lang_service_place(const hbg_lang_reading *reading, hbg_span span);
/* The bytes of a span, copied; if `line` is set, white space becomes one blank. */
const char *hbg_lang_service_copy(const hbg_lang_reading *reading, hbg_arena *arena, hbg_span span,
                                  bool line);
/* A place of the document as a position. */
static inline uint32_t hbg_lang_service_at(const hbg_lang_reading *reading, size_t offset) {
    return reading->source->base +
           (uint32_t)(offset < reading->source->size ? offset : reading->source->size);
}

/* ---- symbols (service_index.c, service_walk.c) -------------------------------------------------------- */

void hbg_lang_service_index(hbg_lang_reading *reading);
void hbg_lang_service_walk(hbg_lang_reading *reading); /* finds the occurrences of what is indexed */
void hbg_lang_service_occurs(hbg_lang_reading *reading, hbg_span span, int32_t symbol, bool declares);
/* The symbol of that name in another one (HBG_NONE: at the top); HBG_NONE if there is none. */
int32_t hbg_lang_service_member(const hbg_lang_reading *reading, int32_t owner, hbg_name name);
int32_t hbg_lang_service_find(const hbg_lang_reading *reading, int32_t owner, const char *name);
/* The component of an instance. */
int32_t hbg_lang_service_component(const hbg_lang_reading *reading, int32_t instance);
/* The occurrence at a place of the document; HBG_NONE if there is none. */
int32_t hbg_lang_service_occurrence(const hbg_lang_reading *reading, size_t offset);
/* The definition a place of the document is in; HBG_NONE outside all. */
int32_t hbg_lang_service_definition_at(const hbg_lang_reading *reading, size_t offset);
/* The model or component of the document that a gesture applies to; HBG_NONE if there is none. */
int32_t hbg_lang_service_definition(const hbg_lang_reading *reading, const char *name);
/* The symbol in `next` that is the same as one here: by the names of both and of their owners. */
int32_t hbg_lang_service_same(const hbg_lang_reading *reading, int32_t symbol, const hbg_lang_reading *next);

/* ---- what is known of a symbol (service_facts.c) ------------------------------------------------------- */

typedef struct {
    const char *what; /* "resistor", "input" */
    const char *unit, *domain, *value;
} service_facts;
/* `good` is the last reading that was a model, or NULL. */
service_facts hbg_lang_service_facts(const hbg_lang_reading *reading, const hbg_lang_reading *good,
                                     hbg_arena *arena, int32_t symbol);
const char *hbg_lang_service_line(const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol);
const char *hbg_lang_service_doc(const hbg_lang_reading *reading, int32_t symbol);
/* The first object of the model that a symbol became; HBG_OBJECT_NONE. */
hbg_object hbg_lang_service_object(const hbg_lang_reading *reading, int32_t symbol);
hbg_domain hbg_lang_service_domain(const hbg_model *model, hbg_object object); /* HBG_DOMAIN_ANY: not known */
/* "a: electrical, k: electrical" */
const char *hbg_lang_service_ports(const hbg_lang_reading *reading, hbg_arena *arena, int32_t component);

/* ---- words of the language (service_words.c) ----------------------------------------------------------- */

typedef struct {
    const char *word;
    hbg_service_kind kind;
    const char *what; /* one line about it */
} service_word;
const service_word *hbg_lang_service_word(int index); /* NULL beyond the last */
const service_word *hbg_lang_service_find_word(const char *text, size_t size);

/* ---- tokens (service_context.c) ------------------------------------------------------------------------ */

typedef enum {
    CONTEXT_TOP,  /* outside all definitions */
    CONTEXT_BODY, /* of a model or component */
    CONTEXT_AUTOMATON,
    CONTEXT_STATE, /* the transitions of one, in braces */
    CONTEXT_EXPERIMENT,
    CONTEXT_VERIFY
} service_block;

/* What surrounds a place, by the tokens before it: also in a wrong text. */
typedef struct {
    service_block block;
    int32_t definition; /* symbol, or HBG_NONE */
    int32_t automaton;  /* likewise */
    int32_t first;      /* token that begins the statement; the place's own if nothing comes before it */
    int32_t end;        /* tokens [first, end) are before the word at the place */
    hbg_span word;      /* the part already typed, as a position */
    bool in_comment, in_text, in_unit;
} service_context;
service_context hbg_lang_service_context(const hbg_lang_reading *reading, size_t offset);
bool hbg_lang_service_token_is(const hbg_lang_reading *reading, int32_t token, const char *word);

/* The `(` that is open before the end of a context, or HBG_NONE; how many commas follow it, and the named
 * argument there. */
int32_t hbg_lang_service_open_paren(const hbg_lang_reading *reading, const service_context *context,
                                    int32_t *commas, hbg_name *named);

/* ---- edits (edit.c) ------------------------------------------------------------------------------------ */

typedef struct {
    const hbg_lang_reading *reading;
    hbg_arena *arena;
    HBG_VEC(hbg_service_edit) edits;
    const char *name;   /* of what was made */
    const char *reason; /* why it is impossible; NULL while it is possible */
    hbg_status status;
} service_editing;

void hbg_lang_edit_replace(service_editing *editing, hbg_span span, const char *format, ...) HBG_PRINTF(3, 4);
/* Removes a statement with its line, if nothing else is on it. */
void hbg_lang_edit_remove(service_editing *editing, hbg_span statement);
/* New lines after a statement or inside braces, indented like their neighbours. */
void hbg_lang_edit_insert_after(service_editing *editing, hbg_span statement, const char *line);
void hbg_lang_edit_insert_last(service_editing *editing, hbg_span body, hbg_span last, const char *line);
/* Refuses; the first reason is kept. */
void hbg_lang_edit_refuse(service_editing *editing, hbg_status status, const char *format, ...)
    HBG_PRINTF(3, 4);
/* A path as it is written in a gesture, from a definition on; HBG_NONE with a refusal. `owner` becomes the definition it is in. */
int32_t hbg_lang_edit_find(service_editing *editing, int32_t definition, const char *path, int32_t *owner);
/* Whether the text of a symbol may be edited: it is not part of the library. */
bool hbg_lang_edit_may(service_editing *editing, int32_t symbol);
bool hbg_lang_edit_is_name(const char *name);
/* A name that is free in the definition: the stem, or the stem with a number. */
const char *hbg_lang_edit_fresh(service_editing *editing, int32_t definition, const char *stem);
void hbg_lang_edit_sort(service_editing *editing);

void hbg_lang_edit_add(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_connect(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_reverse(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_delete(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_value(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_place(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_wrap(service_editing *editing, int32_t definition, const hbg_gesture *gesture);
void hbg_lang_edit_sentence(service_editing *editing, int32_t definition, const hbg_gesture *gesture);

#endif
