/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text of a model that a test writes piece by piece, in memory of its own. */
#ifndef HBG_TEST_MODEL_TEXT_H
#define HBG_TEST_MODEL_TEXT_H

#include "base/base.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_buffer text;
} model_text;

static inline void model_text_begin(model_text *m, const char *head) {
    m->memory = (hbg_memory){0};
    hbg_base_arena_init(&m->arena, &m->memory);
    hbg_base_buffer_init(&m->text, &m->arena);
    hbg_base_buffer_text(&m->text, head);
}

static inline void model_text_end(model_text *m) {
    hbg_base_arena_fini(&m->arena);
}

#endif
