/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a small deviation from a point where nothing moves decays, as long as the mode lasts: by the
 * eigenvalues of the linear model there. */
#include <math.h>
#include <string.h>

#include "api/linearize_impl.h"
#include "rt/bands.h"

/* The eigenvalue with the largest real part, and the largest magnitude of all. */
static void find_extremes(const double *real, const double *imaginary, int32_t count, double *growth,
                          double *largest) {
    *growth = -INFINITY;
    *largest = 0;
    for (int32_t i = 0; i < count; i++) {
        *growth = fmax(*growth, real[i]);
        *largest = fmax(*largest, hypot(real[i], imaginary[i]));
    }
}

/* The possible error of the real part of the slowest. */
static double rounding_of(const double *real, const double *imaginary, int32_t count, double growth,
                          double largest) {
    int32_t near = 0; // to one another: digits are lost
    double wide = HBG_RT_NEUTRAL_TWICE * largest;
    for (int32_t i = 0; i < count; i++) {
        if (real[i] != growth) continue;
        for (int32_t k = 0; k < count; k++)
            near += k != i && hypot(real[k] - real[i], imaginary[k] - imaginary[i]) <= wide;
    }
    return near > 0 && fabs(growth) <= wide ? wide : HBG_RT_NEUTRAL * largest;
}

/* Leaves out states that neither move nor move anything, such as the integral of a controller without
 * integral part: they would count as not decaying. If there is nothing else, all of them count. */
static int32_t leave_out_idle(hbg_arena *arena, double *a, int32_t n) {
    int32_t *kept = HBG_NEW_ARRAY(arena, int32_t, n), count = 0;
    for (int32_t i = 0; i < n; i++) {
        bool idle = true;
        for (int32_t k = 0; k < n && idle; k++) idle = a[i * n + k] == 0 && a[k * n + i] == 0;
        if (!idle) kept[count++] = i;
    }
    if (count == 0) return n;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < count; k++) a[i * count + k] = a[kept[i] * n + kept[k]];
    return count;
}

hbg_status hbg_api_steady_find_stability(hbg_session *session, double t, const double *x,
                                         hbg_steady_stability *found) {
    *found = (hbg_steady_stability){.kind = HBG_STABILITY_UNKNOWN};
    hbg_run_state *state = session->run;
    hbg_arena *arena = &session->scratch;
    hbg_sim_linear linear;
    if (state->system->state_count == 0 || state->system->state_count > HBG_LINEARIZE_STATES) return HBG_OK;
    hbg_rt_thaw(state->instance);
    hbg_rt_status status = hbg_sim_linearize(arena, state->system, state->instance, t, x, NULL, 0, &linear);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK || linear.state_count == 0) return HBG_OK;
    int32_t n = leave_out_idle(arena, linear.a, linear.state_count);
    double *real = HBG_NEW_ARRAY(arena, double, n), *imaginary = HBG_NEW_ARRAY(arena, double, n), largest;
    if (!hbg_sim_eigenvalues(arena, n, linear.a, real, imaginary)) return HBG_OK;
    find_extremes(real, imaginary, n, &found->growth, &largest);
    double slack = rounding_of(real, imaginary, n, found->growth, largest);
    found->kind = found->growth > slack    ? HBG_STABILITY_GROWS
                  : found->growth < -slack ? HBG_STABILITY_FADES
                                           : HBG_STABILITY_NEITHER;
    return HBG_OK;
}

void hbg_api_steady_put_stability(hbg_api_report *report, const hbg_steady_stability *found) {
    static const char *const words[] = {[HBG_STABILITY_UNKNOWN] = NULL,
                                        [HBG_STABILITY_FADES] = "stable",
                                        [HBG_STABILITY_GROWS] = "unstable",
                                        [HBG_STABILITY_NEITHER] = "neutral"};
    hbg_api_text(report, "stability", words[found->kind]);
    hbg_api_number(report, "growth", found->kind == HBG_STABILITY_UNKNOWN ? NAN : found->growth);
    if (found->kind == HBG_STABILITY_FADES)
        hbg_api_say(report, "  stable: what deviates a little comes back, with a time constant of %.4g s\n",
                    -1 / found->growth);
    else if (found->kind == HBG_STABILITY_GROWS)
        hbg_api_say(report, "  not stable: what deviates a little grows, with a time constant of %.4g s\n",
                    1 / found->growth);
    else if (found->kind == HBG_STABILITY_NEITHER)
        hbg_api_say(report,
                    "  neither stable nor unstable: what deviates a little goes on, or stays where it is\n");
}
