/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about exported C share: the words of a model that its texts are filled in with. */
#ifndef HBG_EMIT_EXPORT_C_IMPL_H
#define HBG_EMIT_EXPORT_C_IMPL_H

#include "emit/emit.h"

typedef struct {
    const char *key, *text;
} hbg_emit_word;
typedef HBG_VEC(hbg_emit_word) hbg_emit_words;

/* export_c_words.c: all words of a model, each escaped for the place it goes to; and the one of this key, or NULL. */
void hbg_emit_c_words(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words);
const char *hbg_emit_word_find(const hbg_emit_words *words, const char *key, size_t size);

#endif
