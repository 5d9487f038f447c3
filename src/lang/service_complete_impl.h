/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: a list of completions under construction, and what its files share. */
#ifndef HBG_LANG_SERVICE_COMPLETE_IMPL_H
#define HBG_LANG_SERVICE_COMPLETE_IMPL_H

#include "lang/service_impl.h"

#define HBG_SERVICE_COMPLETIONS 5000 /* offered at once */

typedef struct {
    const hbg_lang_reading *reading, *good;
    hbg_arena *arena;
    service_context context;
    HBG_VEC(hbg_service_completion) items;
} completing;

typedef enum {               /* what is expected where a name may stand */
               WANT_VALUE,   /* of an expression */
               WANT_BOND,    /* the end of a bond */
               WANT_SETTING, /* what an experiment can set */
               WANT_INPUT,   /* what it can change while it runs */
               WANT_TARGET   /* what can fail */
} service_want;

void hbg_lang_complete_offer(completing *c, hbg_service_kind kind, const char *label, const char *insert,
                             const char *detail, int32_t rank);
void hbg_lang_complete_words(completing *c, const char *const *words, int32_t count);

/* service_complete_names.c */
void hbg_lang_complete_names(completing *c, service_want want);
void hbg_lang_complete_path(completing *c, service_want want); /* behind a dot */
void hbg_lang_complete_states(completing *c, int32_t automaton);
/* The symbol that the path of names and dots before this token stands for; HBG_NONE. */
int32_t hbg_lang_complete_resolve(completing *c, int32_t end);
void hbg_lang_complete_components(completing *c);

/* service_complete_units.c */
void hbg_lang_complete_units(completing *c);

/* library.c: components of files in the search folders that the document does not import. */
typedef struct {
    const hbg_lang_reading *reading; /* of the file it is in */
    int32_t symbol;
    const char *file; /* as an import names it */
} service_library_item;
typedef HBG_VEC(service_library_item) service_library;
void hbg_lang_service_library(const hbg_lang_reading *reading, hbg_arena *arena, service_library *items);
/* An import of the file, as an edit of the document. */
hbg_service_edit hbg_lang_service_import(const hbg_lang_reading *reading, hbg_arena *arena, const char *file);

#endif
