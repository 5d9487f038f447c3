/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about exporting share. */
#ifndef HBG_API_EXPORT_IMPL_H
#define HBG_API_EXPORT_IMPL_H

#include "hbg/export.h"

#include "api/image_impl.h"
#include "api/run_impl.h"

/* What is exported. */
typedef struct {
    hbg_session *session;
    const char *sources; /* folder of hbg's sources */
    const char *name;
    hbg_run_state *state;
    hbg_sim_options sim;
    hbg_emit_c of;
    const char *warnings[8];
    int32_t warning_count;
    int32_t output_count, file_count; /* for the report */
} hbg_api_exporting;

/* export.c: what exporting loses; whether there is a model to export; the image and its surroundings; and
 * lines of a report. */
void hbg_api_export_warn(hbg_api_exporting *e, const char *text);
HBG_MUST_CHECK hbg_status hbg_api_export_check(hbg_session *session, const hbg_model *model);
HBG_MUST_CHECK hbg_status hbg_api_export_prepare(hbg_api_exporting *e, const hbg_model *model,
                                                 const hbg_run_options *options, const hbg_run_wish *wish);
void hbg_api_export_report(hbg_api_exporting *e, hbg_api_report *to);
/* If a report as JSON was asked for and nothing was exported: the reason as such a report. Returns the status
 * unchanged. */
hbg_status hbg_api_export_end(hbg_session *session, const char *target, bool json, hbg_status status,
                              hbg_text *text);

/* export_folder.c: whether the folder can be made, without making it; and the folder with these files, or nothing. */
HBG_MUST_CHECK hbg_status hbg_api_export_check_folder(hbg_session *session, const char *folder);
HBG_MUST_CHECK hbg_status hbg_api_export_write_folder(hbg_session *session, const char *folder,
                                                      const hbg_emit_files *files);

/* Whether a file can be written there, without writing it. */
HBG_MUST_CHECK hbg_status hbg_api_export_check_file(hbg_session *session, const char *file);

/* export_terminals.c: sources of the model that follow an input. */
void hbg_api_export_find_terminals(hbg_session *session, hbg_emit_fmu *of);

/* export_name.c: the prefix of names in the exported text, from the request or from the name of the model. */
HBG_MUST_CHECK hbg_status hbg_api_export_name(hbg_session *session, const hbg_model *model, const char *asked,
                                              const char **name);

#endif
