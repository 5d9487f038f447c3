/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files about exported C: the words of a model that fill in its texts. */
#ifndef HBG_EMIT_EXPORT_C_IMPL_H
#define HBG_EMIT_EXPORT_C_IMPL_H

#include "emit/emit.h"

typedef struct {
    const char *key, *text;
} hbg_emit_word;
typedef HBG_VEC(hbg_emit_word) hbg_emit_words;

/* Files made from one model. */
typedef struct {
    hbg_arena *arena;
    const hbg_emit_c *of;
    hbg_emit_files *files;
    const char **reason;
    const char *folder; /* prefix of their names: "", "sources/" */
} hbg_emit_printing;

/* export_c.c: unchanged files; sources of a folder of src, renamed for one folder; the engine; the image and
 * its programs; a text of src/emit with words filled in. */
void hbg_emit_add_file(const hbg_emit_printing *p, const char *name, const hbg_buffer *text);
HBG_MUST_CHECK hbg_status hbg_emit_add_folder(const hbg_emit_printing *p, const char *folder);
HBG_MUST_CHECK hbg_status hbg_emit_add_engine(const hbg_emit_printing *p);
void hbg_emit_add_image(const hbg_emit_printing *p);
void hbg_emit_add_code(const hbg_emit_printing *p);
HBG_MUST_CHECK hbg_status hbg_emit_add_filled(const hbg_emit_printing *p, const hbg_emit_words *words,
                                              const char *from, const char *name);

/* export_c_words.c: adds a word; all words of a model, each escaped for its place; and the word of a key, or
 * NULL. */
void hbg_emit_word_add(hbg_arena *arena, hbg_emit_words *words, const char *key, const char *text);
const char *hbg_emit_in_string(hbg_arena *arena, const char *text); /* as a string literal of C */
void hbg_emit_c_words(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words);
const char *hbg_emit_word_find(const hbg_emit_words *words, const char *key, size_t size);

#endif
