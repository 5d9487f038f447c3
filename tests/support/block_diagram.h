/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A small evaluator of exported block diagrams, from what docs/export.md says of the format and nothing else of hbg. */
#ifndef HBG_TEST_BLOCK_DIAGRAM_H
#define HBG_TEST_BLOCK_DIAGRAM_H

#include <stddef.h>

typedef struct hbg_test_diagram hbg_test_diagram;

/* NULL if the text is no diagram; `why` says why. */
hbg_test_diagram *hbg_test_diagram_read(const char *text, char *why, size_t size);
void hbg_test_diagram_free(hbg_test_diagram *diagram);

/* Rows at the end of each step, and after each mode that is entered: time, then the outputs. */
typedef struct {
    double *values; /* row by row */
    long count;
    int columns; /* with time */
} hbg_test_rows;

/* Runs it with its method and step; NULL, or why it did not come to its end. */
const char *hbg_test_diagram_run(hbg_test_diagram *diagram, hbg_test_rows *rows);
/* Times at which a mode was entered in that run. */
int hbg_test_diagram_switchings(const hbg_test_diagram *diagram);

/* What another run's row (time first) is off by at most, as a share of `sizes` by column, from the nearest row at that time; infinite if
 * there is none. */
double hbg_test_rows_off(const hbg_test_rows *rows, const double *row, const double *sizes, double same_time);

#endif
