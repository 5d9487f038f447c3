/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by documents of processes. Part of src/emit. */
#ifndef HBG_EMIT_LATEX_IMPL_H
#define HBG_EMIT_LATEX_IMPL_H

#include "emit/emit.h"

void hbg_emit_latex_escaped(hbg_buffer *out, const char *text, size_t size);
void hbg_emit_latex_name(hbg_buffer *out, const char *name);  /* of a process, upright */
void hbg_emit_latex_head(hbg_buffer *out, const char *model); /* up to the heading, whose brace stays open */
void hbg_emit_latex_term(const hbg_process *of, hbg_term term, hbg_buffer *out);

#endif
