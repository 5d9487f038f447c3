/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sorted numbers, and their quantiles. */
#include "base/base.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

void hbg_base_sort_numbers(double *values, int64_t count) {
    if (count > 1) qsort(values, (size_t)count, sizeof *values, by_size);
}

double hbg_base_quantile(const double *sorted, int64_t count, double share) {
    double place = share * (double)(count - 1);
    int64_t below = (int64_t)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}
