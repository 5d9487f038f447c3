/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text of a process as a tree. Part of src/emit. */
#ifndef HBG_EMIT_PROCESS_READ_IMPL_H
#define HBG_EMIT_PROCESS_READ_IMPL_H

#include "emit/emit.h"

typedef enum { /* from the loosest binding */
               PROCESS_TEXT_CHOICE,
               PROCESS_TEXT_PARALLEL,
               PROCESS_TEXT_AFTER, /* a jump, and its continuation */
               PROCESS_TEXT_DISRUPT,
               PROCESS_TEXT_CLAUSE,
               PROCESS_TEXT_JUMP,
               PROCESS_TEXT_NAME /* or delta */
} process_text_kind;

typedef HBG_VEC(const char *) process_text_names;

typedef struct process_text_node process_text_node;
struct process_text_node {
    process_text_kind kind;
    const char *name;
    process_text_names set;       /* of a clause or a jump: the names in front of the bar */
    HBG_VEC(hbg_term) predicates; /* likewise */
    HBG_VEC(process_text_node *) parts;
};

typedef struct {
    const char *name;
    process_text_node *is;
} process_text_definition;

typedef struct {
    hbg_terms terms;
    hbg_names names; /* a variable of the terms is the id of its name */
    HBG_VEC(process_text_definition) definitions;
} process_text;

/* process_read.c: false with a report. */
bool hbg_emit_process_read(hbg_arena *arena, hbg_diagnostics *diagnostics, const hbg_source *source,
                           process_text *made);
/* process_again.c */
void hbg_emit_process_read_term(const process_text *of, hbg_term term, hbg_buffer *out);

#endif
