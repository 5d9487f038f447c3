/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Folds of nonlinear loops. Where a law is not monotone a loop may have several solutions, and one of them
 * may end: there the determinant of the Jacobian passes 0, and the nearest other solution is far away. Newton
 * finds that one without notice. The determinant on the way from the last solution shows it: its sign differs
 * between two branches. Short ways are not checked, since a solution that moves continuously has short ways
 * as steps become short; nor are large loops, which a lent solver solves. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

enum { LOOKS = 6 };

static const double short_way = 0.02; /* of the largest solution so far */

static bool is_far(const hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    for (int32_t i = 0; i < of->count; i++) {
        int32_t reg = of->reg[i];
        double here = run->r[reg],
               size = fmax(fmax(fabs(here), fabs(run->loops.kept[reg])), run->loops.reach[reg]);
        if (fabs(here - run->loops.kept[reg]) > short_way * size) return true;
    }
    return false;
}

/* −1, 0 or 1 at the present unknowns; 0 also without a slope. */
static int determinant_sign(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    size_t n = (size_t)of->count;
    int sign = 1;
    if (hbg_rt_run_program(run, of->body) != HBG_RT_OK) return 0;
    memset(run->loops.matrix, 0, n * n * sizeof *run->loops.matrix);
    for (int32_t k = 0; k < of->entry_count; k++) {
        double value = run->r[of->entries[k].reg];
        if (!isfinite(value)) return 0;
        run->loops.matrix[(size_t)of->entries[k].row * n + (size_t)of->entries[k].column] = value;
    }
    if (!hbg_rt_lu_factor(of->count, run->loops.matrix, run->loops.pivot, NULL)) return 0;
    for (size_t i = 0; i < n; i++) {
        if (run->loops.pivot[i] != (int32_t)i) sign = -sign;
        if (run->loops.matrix[i * n + i] < 0) sign = -sign;
    }
    return sign;
}

bool hbg_rt_passed_fold(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    bool changed = false;
    int sign = 0;
    if ((of->is_sparse && run->loops.lent) || run->loops.dense_capacity < of->count || !is_far(run, of))
        return false;
    for (int32_t i = 0; i < of->count; i++) run->loops.origin[i] = run->r[of->reg[i]];
    for (int k = 0; k <= LOOKS && !changed; k++) {
        for (int32_t i = 0; i < of->count; i++) {
            double from = run->loops.kept[of->reg[i]];
            run->r[of->reg[i]] = from + (run->loops.origin[i] - from) * k / LOOKS;
        }
        int now = determinant_sign(run, of);
        changed = now != 0 && sign != 0 && now != sign;
        if (now != 0) sign = now;
    }
    for (int32_t i = 0; i < of->count; i++) run->r[of->reg[i]] = run->loops.origin[i];
    return hbg_rt_run_program(run, of->body) == HBG_RT_OK && changed;
}
