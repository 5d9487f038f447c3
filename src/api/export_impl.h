/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about exporting share. */
#ifndef HBG_API_EXPORT_IMPL_H
#define HBG_API_EXPORT_IMPL_H

#include "hbg/export.h"

#include "api/image_impl.h"
#include "api/run_impl.h"

/* export_folder.c: whether the folder can be made, without making it; and the folder with these files, or nothing. */
HBG_MUST_CHECK hbg_status hbg_api_export_check_folder(hbg_session *session, const char *folder);
HBG_MUST_CHECK hbg_status hbg_api_export_write_folder(hbg_session *session, const char *folder,
                                                      const hbg_emit_files *files);

/* export_name.c: what names of the exported text begin with, by what was asked for or by the name of the model. */
HBG_MUST_CHECK hbg_status hbg_api_export_name(hbg_session *session, const hbg_model *model, const char *asked,
                                              const char **name);

#endif
