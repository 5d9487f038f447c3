/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Collisions with known energy loss: the remaining speed follows from the energy that would be lost if the
 * bodies stayed together, which the same mode gives without rebound. */
#include <math.h>

#include "rt/run_impl.h"

static bool loses_energy(const hbg_rt_instance *run, int32_t restitution) {
    return run->at.bounce.chooses[restitution] && run->image->instants.kept.restitution[restitution].energy;
}

double hbg_rt_coefficient_of_loss(double energy, double plastic) {
    return plastic > energy ? sqrt(1 - energy / plastic) : 0;
}

/* Half of the pulse times the sum at the junction: the energy lost without rebound. */
static double plastic_loss(hbg_rt_instance *run, int32_t restitution) {
    const hbg_rt_restitution *of = &run->image->instants.kept.restitution[restitution];
    const hbg_rt_bond *bond = &run->image->instants.kept.bonds[of->bond];
    int32_t reg = hbg_rt_event_register(run, of->flow ? bond->flow : bond->effort);
    double area = reg == HBG_RT_NONE || isnan(run->r[reg]) ? 0 : run->r[reg];
    return fabs(area * hbg_rt_bounce_sum(run, restitution)) / 2;
}

/* The rebound that follows from the energy that a junction loses, in the mode whose values were computed
 * without rebound. */
static void throw_back_rest(hbg_rt_instance *run, int32_t restitution) {
    double energy = hbg_rt_restitution_of(run, restitution), plastic = plastic_loss(run, restitution);
    double value = hbg_rt_coefficient_of_loss(energy, plastic) * hbg_rt_bounce_sum(run, restitution);
    if (run->at.bounce.choices) run->at.bounce.choices->plastic[restitution] = plastic;
    run->at.bounce.in_bounce[restitution].by = value;
    run->at.bounce.bounces[restitution] = run->at.bounce.elastic[restitution] = value != 0;
}

hbg_rt_status hbg_rt_lose_energies(hbg_rt_instance *run, const int32_t *states, double t, const double *x) {
    const hbg_rt_restitution *restitution = run->image->instants.kept.restitution;
    int32_t count = run->image->instants.counts.restitution;
    bool any = false;
    for (int32_t i = 0; i < count && !any; i++) any = loses_energy(run, i);
    if (!any) return HBG_RT_OK;
    for (int32_t i = 0; i < count; i++) { // rebounds are put aside
        if (!run->at.bounce.chooses[i]) continue;
        run->at.bounce.in_bounce[i].by = run->r[restitution[i].reg];
        run->r[restitution[i].reg] = 0;
    }
    hbg_rt_status status = hbg_rt_values_in(run, states, t, x);
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++)
        if (loses_energy(run, i)) throw_back_rest(run, i);
    for (int32_t i = 0; i < count; i++)
        if (run->at.bounce.chooses[i]) run->r[restitution[i].reg] = run->at.bounce.in_bounce[i].by;
    return status;
}
