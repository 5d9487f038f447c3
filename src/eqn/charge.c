/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Energy of a storage whose law is no polynomial: the integral of the law from 0 to the state, by adaptive Simpson, which
 * finds kinks and steep places by halving. Polynomials are integrated exactly over terms (translate.c). */
#include <math.h>

#include "eqn/instance_impl.h"

/* The law of the element, or what its parameters add to that in a second while they move. */
hbg_term hbg_eqn_charged(hbg_eqn *eqn, int32_t number) {
    int32_t count = eqn->model->elements.count;
    return number < count ? hbg_eqn_storage_law(eqn, number, 1) : eqn->law_rate[number - count];
}

/* The law in a stage of its own, in which the state is a register that the integral moves. */
int32_t hbg_eqn_charge_law(hbg_eqn *eqn, int32_t number) {
    int32_t count = eqn->model->elements.count;
    if (!eqn->charge_of) {
        eqn->charge_of = HBG_NEW_ARRAY(eqn->arena, int32_t, 2 * (size_t)count + 1);
        for (int32_t i = 0; i < 2 * count; i++) eqn->charge_of[i] = HBG_NONE;
    }
    if (eqn->charge_of[number] == HBG_NONE) {
        int32_t state = eqn->first[VARIABLE_STATE] + eqn->element_state[number % count];
        hbg_rt_charge made = {.state_reg = hbg_eqn_new_register(eqn, SIDE_FLOW), .is_slope = number >= count};
        int32_map own = {0};
        hbg_eqn_stage *stage = hbg_stage_new(&eqn->scratch, eqn, &own, false);
        stage->direct = true;
        hbg_stage_set(stage, state, made.state_reg);
        made.law_reg = hbg_stage_term(stage, hbg_eqn_charged(eqn, number));
        made.code = hbg_stage_program(stage);
        hbg_stage_end(stage);
        eqn->charge_of[number] = eqn->image.pool.charges.count;
        HBG_POOL_ADD(eqn->arena, eqn->image.pool.charges, made);
    }
    return eqn->charge_of[number];
}

static double law_at(hbg_rt_instance *run, const hbg_rt_charge *law, double state) {
    hbg_rt_program code = hbg_rt_program_at(run->image, law->code);
    run->r[law->state_reg] = state;
    if (hbg_eqn_execute(run, code.code, code.count) != HBG_RT_OK) return NAN;
    return run->r[law->law_reg];
}

/* Where the state is 0. */
static double law_at_begin(hbg_rt_instance *run, const hbg_rt_charge *law, double state) {
    double value = law_at(run, law, 0);
    return isfinite(value) || !law->is_slope ? value : state == 0 ? 0 : law_at(run, law, state * 1e-12);
}

typedef struct { /* three points of a stretch, and Simpson's sum over it */
    double a, b, fa, fm, fb, sum;
    int depth;
} stretch;

enum { DEPTH = 48 };

double hbg_eqn_charge(hbg_rt_instance *run, int32_t charge, double state) {
    const hbg_rt_charge *law = HBG_RT_AT(run->image->pool.charges, charge);
    stretch stack[DEPTH + 2];
    int count = 1;
    double total = 0, fa = law_at_begin(run, law, state), fm = law_at(run, law, state / 2),
           fb = law_at(run, law, state);
    stack[0] = (stretch){0, state, fa, fm, fb, state / 6 * (fa + 4 * fm + fb), 0};
    double scale = fabs(state) * (fabs(fa) + fabs(fm) + fabs(fb));
    while (count > 0) {
        stretch at = stack[--count];
        double middle = at.a + (at.b - at.a) / 2, h = (at.b - at.a) / 12;
        double left = law_at(run, law, at.a + (at.b - at.a) / 4),
               right = law_at(run, law, at.b - (at.b - at.a) / 4);
        double sum_left = h * (at.fa + 4 * left + at.fm), sum_right = h * (at.fm + 4 * right + at.fb);
        double error = sum_left + sum_right - at.sum;
        if (!(fabs(error) > 1e-15 * scale) || at.depth >= DEPTH) {
            total += sum_left + sum_right + error / 15;
            continue;
        }
        stack[count++] = (stretch){middle, at.b, at.fm, right, at.fb, sum_right, at.depth + 1};
        stack[count++] = (stretch){at.a, middle, at.fa, left, at.fm, sum_left, at.depth + 1};
    }
    return total;
}
