/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of a hybrid automaton in SpaceEx's format. Part of src/emit. */
#ifndef HBG_EMIT_SPACEEX_IMPL_H
#define HBG_EMIT_SPACEEX_IMPL_H

#include "emit/emit.h"

/* Names of one component. */
typedef struct {
    const char *component, *instance, *label;
    const char **variables; /* by variable */
    const char **originals; /* likewise: as in the model, or their meaning */
    const char **units;     /* likewise; "" if it has none */
    const char **locations; /* by location */
    const char **modes;     /* by location: automata and states as in the model */
} spaceex_names;

/* Names for all parts, different from one another and made of letters, digits and underscores. */
spaceex_names *hbg_emit_spaceex_names(hbg_arena *arena, const hbg_emit_hybrid *of);
/* Text for a comment, without its end mark. */
void hbg_emit_spaceex_comment(hbg_buffer *out, const char *text);

#endif
