/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about plots of results share. */
#ifndef HBG_API_PLOT_IMPL_H
#define HBG_API_PLOT_IMPL_H

#include "api/run_impl.h"

/* plot_sweep.c: puts the swept columns first, in order, and leaves out texts. */
void hbg_api_plot_take_sweep(hbg_session *session, hbg_sim_table *table);
/* Whether a column of a sweep is the last, least, greatest or mean value of something recorded; and of what. */
bool hbg_api_plot_is_of_output(const char *name);
const char *hbg_api_plot_output_of(hbg_arena *arena, const char *name);

/* The next name of a list; a name may contain commas inside brackets: `max(a, b)`. `*ends_panel`: a semicolon
 * follows. */
const char *hbg_api_plot_next_name(hbg_arena *arena, const char **list, bool *ends_panel);
/* An SVG document in the requested format. */
HBG_MUST_CHECK hbg_status hbg_api_plot_convert(hbg_session *session, hbg_draw_format format,
                                               hbg_buffer *picture);
/* plot_runs.c: the table of a sweep as the picture that `as` names. */
HBG_MUST_CHECK hbg_status hbg_api_plot_runs(hbg_session *session, const char *path,
                                            const hbg_plot_options *options, hbg_buffer *picture);

#endif
