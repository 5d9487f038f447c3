/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a jump creates energy (semantics, section 6): in some part that bonds connect, more is stored after
 * it than before plus what independent sources gave. Losses of other parts at that instant do not
 * compensate. */
#include <math.h>

#include "rt/bands.h"
#include "rt/run_impl.h"

/* By the first storage of a part: the energy of its storages in an island, and what sources gave. */
typedef struct {
    double *before, *after, *most, *supplied;
} part_sums;

static int32_t storage_at(const hbg_rt_instance *run, const hbg_rt_island *of, int32_t i) {
    return run->image->instants.kept.states[hbg_rt_list(run, of->states)[i]].storage;
}

static bool has_parts(const hbg_rt_instance *run, const hbg_rt_island *of) {
    const int32_t *parts = run->image->instants.kept.storage_parts;
    int32_t part = HBG_RT_NONE;
    for (int32_t i = 0; i < of->states.count; i++) {
        int32_t storage = storage_at(run, of, i);
        if (storage == HBG_RT_NONE) continue;
        if (part != HBG_RT_NONE && parts[storage] != part) return true;
        part = parts[storage];
    }
    return false;
}

/* For the parts with storages in the island; energies are those of all storages before and after the jump and
 * at their largest. */
static void sum_parts(const hbg_rt_instance *run, int32_t island, const double *energies,
                      const part_sums *sums) {
    const hbg_rt_kept *kept = &run->image->instants.kept;
    const hbg_rt_island *of = &kept->islands[island];
    int32_t count = run->image->instants.counts.storages, last = HBG_RT_NONE;
    for (int32_t i = 0; i < of->states.count; i++) {
        int32_t storage = storage_at(run, of, i);
        if (storage == HBG_RT_NONE) continue;
        int32_t part = kept->storage_parts[storage];
        sums->before[part] = sums->after[part] = sums->most[part] = sums->supplied[part] = 0;
    }
    for (int32_t i = 0; i < of->states.count; i++) {
        int32_t storage = storage_at(run, of, i);
        if (storage == HBG_RT_NONE || storage == last) continue; // ports of a field are consecutive
        last = storage;
        sums->before[kept->storage_parts[storage]] += energies[storage];
        sums->after[kept->storage_parts[storage]] += energies[count + storage];
        sums->most[kept->storage_parts[storage]] += energies[2 * count + storage];
    }
    for (int32_t k = 0; k < of->powers.count; k++) {
        int32_t part = kept->power_parts[hbg_rt_list(run, of->powers)[k]];
        if (part != HBG_RT_NONE) sums->supplied[part] += hbg_rt_work_of_line(run, island, k);
    }
}

/* States that count as equal have no difference in energy. */
bool hbg_rt_creates(hbg_rt_instance *run, double t, const double *x, const double *x_plus, double *before,
                    double *after, double *supplied) {
    int32_t count = run->image->instants.counts.storages;
    double *old = run->at.energy, *now = old + count, *most = now + count, *sums = most + count;
    const part_sums by_part = {sums, sums + count, sums + 2 * count, sums + 3 * count};
    bool several = run->active_count > 1; // else all is one part, which the ledger covers
    for (int32_t n = 0; n < run->active_count && !several; n++)
        several = has_parts(run, hbg_rt_active_island(run, n));
    if (!several) return false;
    bool sized = hbg_rt_energies(run, t, run->at.state_size, most) == HBG_RT_OK;
    // in this order: what is computed later reads the states after the jump
    if (hbg_rt_energies(run, t, x, old) != HBG_RT_OK || hbg_rt_energies(run, t, x_plus, now) != HBG_RT_OK)
        return false;
    double all = 0; // what is small relative to it is rounding
    for (int32_t i = 0; i < 2 * count; i++) all += fabs(old[i]);
    for (int32_t n = 0; n < run->active_count; n++) {
        const hbg_rt_island *of = hbg_rt_active_island(run, n);
        sum_parts(run, run->active[n], old, &by_part);
        for (int32_t i = 0; i < of->states.count; i++) {
            int32_t storage = storage_at(run, of, i);
            if (storage == HBG_RT_NONE) continue;
            int32_t part = run->image->instants.kept.storage_parts[storage];
            *before = by_part.before[part], *after = by_part.after[part], *supplied = by_part.supplied[part];
            double gain = *after - *before - *supplied;
            double nothing = sized ? hbg_rt_no_energy(fmax(*before, *after), by_part.most[part]) : 0;
            if (gain > HBG_RT_ENERGY * fmax(all, fabs(*supplied)) && gain > nothing) return true;
        }
    }
    return false;
}
