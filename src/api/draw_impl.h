/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a drawing shows of a mode: in the picture, and as JSON for a caller that already has the picture. */
#ifndef HBG_API_DRAW_IMPL_H
#define HBG_API_DRAW_IMPL_H

#include "api/mode_impl.h"

/* By bond and by element, in scratch memory; NULL if there is nothing to show. */
typedef struct {
    bool valid;      /* it has a valid assignment */
    bool mythical;   /* sources are in conflict: it is only passed through */
    int8_t *stroke;  /* by bond: at its `from` end (0), at its `to` end (1) */
    bool *fixed;     /* by bond: the same in every mode; NULL if nothing switches: then all are */
    bool *conflict;  /* by bond */
    bool *loose;     /* by bond */
    bool *off;       /* by element */
    bool *dependent; /* by element */
    int32_t *states; /* by automaton */
    /* the differences from the mode compared with */
    const char *other;
    bool *changed, *changed_element; /* by bond, by element */
    int32_t *other_states;
    const char *note; /* the mode in words */
} hbg_draw_mode;

HBG_MUST_CHECK hbg_status hbg_api_draw_mode_find(hbg_session *session, const hbg_model *model,
                                                 const hbg_draw_options *options, hbg_draw_mode *mode);

#endif
