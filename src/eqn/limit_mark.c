/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which bonds of a mode are in conflict, and which parasites decide (semantics, section 3a), for messages.
 * Whether an unbounded part vanishes is tested with random values of the sources, except constant ones:
 * sources that always agree are not in conflict, such as a diode without a drop. */
#include <math.h>
#include <stdlib.h>

#include "eqn/limit_impl.h"

/* Solves G·κ = h, which is overwritten; returns false if G is singular. */
static bool solve(uint64_t *gram, uint64_t *given, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        int32_t pivot = k;
        while (pivot < count && gram[pivot * count + k] == 0) pivot++;
        if (pivot == count) return false;
        for (int32_t j = 0; j <= count && pivot != k; j++) {
            uint64_t *a = j < count ? &gram[k * count + j] : &given[k];
            uint64_t *b = j < count ? &gram[pivot * count + j] : &given[pivot];
            uint64_t kept = *a;
            *a = *b;
            *b = kept;
        }
        uint64_t scale = hbg_base_modular_invert(gram[k * count + k]);
        for (int32_t j = 0; j < count; j++)
            gram[k * count + j] = hbg_base_modular_multiply(gram[k * count + j], scale);
        given[k] = hbg_base_modular_multiply(given[k], scale);
        for (int32_t i = 0; i < count; i++) {
            uint64_t factor = hbg_base_modular_negate(gram[i * count + k]);
            if (i == k || factor == 0) continue;
            for (int32_t j = 0; j < count; j++)
                gram[i * count + j] = hbg_base_modular_add(
                    gram[i * count + j], hbg_base_modular_multiply(factor, gram[k * count + j]));
            given[i] = hbg_base_modular_add(given[i], hbg_base_modular_multiply(factor, given[k]));
        }
    }
    return true;
}

static uint64_t lot_of_source(hbg_eqn *eqn, int32_t element) {
    bool constant;
    hbg_term term = hbg_eqn_source_value(eqn, element);
    double value = hbg_eqn_constant(eqn, term, &constant);
    return constant && isfinite(value) ? hbg_base_modular_double(value) : hbg_eqn_value_by_lot(eqn, term);
}

/* Adds the supply of a source or a junction with restitution to each vector of the null space. */
static void add_supply(const hbg_eqn *eqn, const limit_mode *mode, int32_t unknown, uint64_t value,
                       uint64_t *given) {
    for (int32_t i = mode->start[unknown]; i < mode->start[unknown + 1]; i++) {
        const limit_share *share = &mode->shares[i];
        given[share->reversed] =
            hbg_base_modular_add(given[share->reversed],
                                 hbg_base_modular_multiply(value, hbg_eqn_value_by_lot(eqn, share->factor)));
    }
}

static void add_supplies(hbg_eqn *eqn, const limit_cluster *of, const limit_mode *mode, uint64_t *given) {
    const hbg_model *model = eqn->model;
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i], unknown = hbg_eqn_limit_source(eqn, of, element);
        if (unknown == HBG_NONE) continue;
        bool flow = model->elements.items[element].kind == HBG_KIND_SE;
        uint64_t value = lot_of_source(eqn, element);
        bool turned = hbg_eqn_sign(model, element, 1, flow ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT) < 0;
        add_supply(eqn, mode, unknown, turned ? hbg_base_modular_negate(value) : value, given);
    }
    for (int32_t i = 0; i < of->places.count; i++) {
        int32_t junction = eqn->structure->place_element[of->places.items[i]];
        if (!mode->on[i] || model->elements.items[junction].restitution == HBG_NONE) continue;
        uint64_t value = hbg_eqn_value_by_lot(eqn, hbg_eqn_var(eqn, VARIABLE_BOUNCE, junction));
        add_supply(eqn, mode, of->variables.count + i, value, given);
    }
}

/* κ, by reversed place, for random values of sources; NULL: sources have no part in it. */
static uint64_t *conflict_by_lot(hbg_eqn *eqn, const limit_cluster *of, const limit_mode *mode) {
    int32_t count = mode->reversed_count;
    if (!mode->driven) return NULL;
    uint64_t *gram = HBG_NEW_ARRAY(&eqn->scratch, uint64_t, (size_t)count * (size_t)count);
    uint64_t *given = HBG_NEW_ARRAY(&eqn->scratch, uint64_t, count + 1);
    for (int32_t i = 0; i < count * count; i++) gram[i] = hbg_eqn_value_by_lot(eqn, mode->gram[i]);
    add_supplies(eqn, of, mode, given);
    return solve(gram, given, count) ? given : NULL;
}

static bool is_unbounded(const hbg_eqn *eqn, const limit_mode *mode, int32_t unknown, const uint64_t *kappa) {
    uint64_t sum = 0;
    for (int32_t i = mode->start[unknown]; i < mode->start[unknown + 1] && kappa; i++)
        sum = hbg_base_modular_add(
            sum, hbg_base_modular_multiply(kappa[mode->shares[i].reversed],
                                           hbg_eqn_value_by_lot(eqn, mode->shares[i].factor)));
    return sum != 0;
}

hbg_eqn_mode_kind hbg_eqn_mark_limits(hbg_eqn *eqn, const bool *on, uint8_t *bonds) {
    hbg_eqn_mode_kind kind = HBG_EQN_MODE_REGULAR;
    for (int32_t i = 0; i < eqn->limits.clusters.count; i++) {
        const limit_cluster *of = &eqn->limits.clusters.items[i];
        const limit_mode *mode = hbg_eqn_limit_in(eqn, i, on);
        if (mode->reversed_count == 0) continue;
        if (kind == HBG_EQN_MODE_REGULAR) kind = HBG_EQN_MODE_FLOATS;
        const uint64_t *kappa = conflict_by_lot(eqn, of, mode);
        for (int32_t k = 0; k < of->variables.count; k++) {
            bool flow = of->variables.items[k] % 2, unbounded = is_unbounded(eqn, mode, k, kappa);
            if (mode->start[k] == mode->start[k + 1]) continue;
            bonds[of->variables.items[k] / 2] |=
                (uint8_t)(unbounded ? flow ? HBG_EQN_UNBOUNDED_FLOW : HBG_EQN_UNBOUNDED_EFFORT
                                    : HBG_EQN_BY_PARASITES);
            if (unbounded) kind = HBG_EQN_MODE_CONTESTED;
        }
    }
    return kind;
}

bool hbg_eqn_is_contested(hbg_eqn *eqn, int32_t cluster, const limit_mode *mode) {
    const uint64_t *kappa = conflict_by_lot(eqn, &eqn->limits.clusters.items[cluster], mode);
    for (int32_t i = 0; kappa && i < mode->reversed_count; i++)
        if (kappa[i] != 0) return true;
    return false;
}
