/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models for other programs: sources that are compiled without hbg. */
#ifndef HBG_EXPORT_H
#define HBG_EXPORT_H

#include "hbg/hbg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *folder; /* to be made; an existing one has to be empty */
    const char *name;   /* prefix of names in the C text, an identifier; NULL: from the name of the model */
    const char
        *sources;   /* the folder with hbg's sources of the engine: …/share/hbg/src, or src of the tree */
    bool breakable; /* of C: every element and sensor can fail, by parameters NAME*scale and NAME*bias */
    bool json;      /* the report as JSON */
} hbg_export_options;

/* Writes a model and one experiment as C: a folder that `cc *.c -lm` compiles; docs/export.md describes its
 * content. Of the options of the run experiment, solver, tolerances and policy count. A model that cannot be
 * exported is refused before anything is written; a report of sizes and of losses goes to *text. */
HBG_MUST_CHECK hbg_status hbg_export_c(hbg_session *session, const hbg_model *model,
                                       const hbg_run_options *options, const hbg_export_options *how,
                                       hbg_text *text);

typedef struct {
    const char *file;    /* to be written, or replaced */
    const char *name;    /* as above */
    const char *sources; /* as above */
    const char *engine; /* an archive of the compiled engine; NULL: it is compiled too, which takes a while */
    int version;        /* of FMI: 2 or 3 */
    bool exchange, steps; /* interfaces: model exchange, co-simulation; at least one */
    bool no_binary;       /* sources only */
    bool breakable;       /* as above; they are NAME.scale and NAME.bias to importers */
    bool json;            /* the report as JSON */
} hbg_export_fmu_options;

/* Writes a model and one experiment as an FMU, for programs that support the Functional Mock-up Interface.
 * While its binary is compiled `progress` of the run's options is called, with times of 0: if it returns
 * false nothing is written. In all else as above. */
HBG_MUST_CHECK hbg_status hbg_export_fmu(hbg_session *session, const hbg_model *model,
                                         const hbg_run_options *options, const hbg_export_fmu_options *how,
                                         hbg_text *text);

/* Writes a model that is affine in every mode, and one experiment, as a hybrid automaton for SpaceEx: the
 * file that `folder` names, and the settings of an analysis next to it, with the ending .cfg. A model that is
 * not affine is refused, with the place, before anything is written. */
HBG_MUST_CHECK hbg_status hbg_export_spaceex(hbg_session *session, const hbg_model *model,
                                             const hbg_run_options *options, const hbg_export_options *how,
                                             hbg_text *text);

typedef struct {
    const char *file; /* to be written, or replaced; "-": the text itself goes to *text, without a report */
    const char *to;   /* "json", "xcos" or "simulink" */
    const char *name; /* name of the diagram in scripts, an identifier; NULL: from the name of the model */
    bool json;        /* the report as JSON */
} hbg_export_blocks_options;

/* Writes a model and one experiment with an explicit solver of a fixed step as a reconfigurable block
 * diagram: as JSON, or as a script that builds it in Scilab or in Simulink. A model that would not be exact
 * is refused, with the place, before anything is written. */
HBG_MUST_CHECK hbg_status hbg_export_blocks(hbg_session *session, const hbg_model *model,
                                            const hbg_run_options *options,
                                            const hbg_export_blocks_options *how, hbg_text *text);

#ifdef __cplusplus
}
#endif

#endif
