/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about tables of sweeps share: the table with the kinds of its columns, and what each
 * question adds to the report. */
#ifndef HBG_API_STATS_IMPL_H
#define HBG_API_STATS_IMPL_H

#include "api/report_impl.h"
#include "sim/sim.h"

typedef struct {
    hbg_session *session;
    hbg_sim_table of;
    const char *path;
    const hbg_stats_options *options;
    int32_t *params; /* columns: what was swept */
    int32_t param_count;
    int32_t *results; /* columns: last values, extremes and means of what was recorded */
    int32_t result_count;
    int64_t *rows; /* of runs that got to their end */
    int64_t row_count;
} hbg_stats_view;

/* The column of this name, `v max` or `v.max`; HBG_NOT_FOUND after listing the existing ones. */
HBG_MUST_CHECK hbg_status hbg_api_stats_column(hbg_session *session, const hbg_sim_table *table,
                                               const char *name, int32_t *column);
/* Reads the table of a sweep. */
HBG_MUST_CHECK hbg_status hbg_api_stats_open(hbg_session *session, const char *path, hbg_stats_view *view);
int32_t hbg_api_stats_named(const hbg_sim_table *table, const char *name); /* HBG_NONE if it is not there */

/* Rank correlation of two columns, Spearman's: that of the ranks, the mean rank for equal values. NAN if one
 * is constant. */
double hbg_api_stats_spearman(hbg_arena *arena, const double *x, const double *y, int64_t count);
void hbg_api_stats_correlate(hbg_api_report *report, const hbg_stats_view *view);

/* Sobol's indices of a function from its values in a plan of `samples` groups: each f(A), f(B), then f(A with parameter i of B). */
typedef struct {
    double first, total;             /* shares of the variance */
    double first_error, total_error; /* standard errors */
} hbg_stats_sobol;
void hbg_api_stats_sobol_of(const double *values, int64_t samples, int32_t params, hbg_stats_sobol *indices);
HBG_MUST_CHECK hbg_status hbg_api_stats_sobol(hbg_api_report *report, const hbg_stats_view *view);

/* Which sensor deviates from the run without a fault, with which sign, when, for which fault. */
HBG_MUST_CHECK hbg_status hbg_api_stats_signatures(hbg_api_report *report, const hbg_stats_view *view);

#endif
