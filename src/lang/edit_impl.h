/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gestures as edits: what the files of edits share beside service_impl.h. */
#ifndef HBG_LANG_EDIT_IMPL_H
#define HBG_LANG_EDIT_IMPL_H

#include "lang/parser_impl.h"
#include "lang/service_impl.h"

/* The blanks a line begins with, and whether nothing else stands before the position. */
const char *hbg_lang_edit_indent(const service_editing *editing, uint32_t position, bool *first);
/* The syntax of the file that a position is in. */
const syntax_file *hbg_lang_edit_file(const hbg_lang_reading *reading, uint32_t position);
/* Whether the words are one expression on one line; false with a refusal. */
bool hbg_lang_edit_is_expression(service_editing *editing, const char *text);
const syntax_file *hbg_lang_edit_parse(service_editing *editing, const char *before, const char *text,
                                       const char *after, const char *what);
/* Where a new declaration of a kind goes: after the last of its kind, else after those that come before it by
 * habit; {0,0}: none. */
hbg_span hbg_lang_edit_neighbour(const syntax_definition *definition, syntax_declaration_kind kind);

/* One bond of a chain. */
typedef struct {
    const syntax_declaration *declaration;
    int32_t segment; /* from the end with this number to the next */
} edit_bond;
/* `a>b`, `a>b#2` or a name; false with a refusal. */
bool hbg_lang_edit_find_bond(service_editing *editing, int32_t definition, const char *path, edit_bond *bond);
const char *hbg_lang_edit_end_text(service_editing *editing, const syntax_path *path);

#endif
