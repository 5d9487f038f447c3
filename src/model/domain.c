/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The physical domains: dimensions of their variables and of the values of elements. The dimensions come from HBG_DOMAIN_LIST
 * and HBG_QUANTITY_LIST alone. */
#include <string.h>

#include "model/inference_impl.h"

typedef struct {
    const char *name;
    hbg_dimension effort, flow;
    bool has_momentum;
} domain_info;

#define SIXTH HBG_DIMENSION_DENOMINATOR
#define DIMENSION(m, kg, s, ampere, kelvin)                                                                  \
    {                                                                                                        \
        .exponent = {SIXTH * (m), SIXTH * (kg), SIXTH * (s), SIXTH * (ampere), SIXTH * (kelvin), 0, 0},      \
        .known = true                                                                                        \
    }

static const domain_info domains[HBG_DOMAIN_COUNT] = {
#define X(id, text, effort_exponents, flow_exponents, p)                                                     \
    [HBG_DOMAIN_##id] = {text, DIMENSION effort_exponents, DIMENSION flow_exponents, p},
    HBG_DOMAIN_LIST(X)
#undef X
};

typedef struct {
    const char *name;
    int8_t exponent[HBG_VARIABLE_COUNT];
    const char *unit[HBG_DOMAIN_COUNT];
} quantity_info;

#define EXPONENTS(e, f, q, p)                                                                                \
    { e, f, q, p }

static const quantity_info quantities[HBG_QUANTITY_COUNT] = {
#define X(id, name, exponents, electrical, translational, rotational, hydraulic, thermal, magnetic)          \
    [HBG_QUANTITY_##id] = {name,                                                                             \
                           EXPONENTS exponents,                                                              \
                           {[HBG_DOMAIN_ELECTRICAL] = electrical,                                            \
                            [HBG_DOMAIN_TRANSLATIONAL] = translational,                                      \
                            [HBG_DOMAIN_ROTATIONAL] = rotational,                                            \
                            [HBG_DOMAIN_HYDRAULIC] = hydraulic,                                              \
                            [HBG_DOMAIN_THERMAL] = thermal,                                                  \
                            [HBG_DOMAIN_MAGNETIC] = magnetic}},
    HBG_QUANTITY_LIST(X)
#undef X
};

const char *hbg_model_domain_name(hbg_domain domain) {
    HBG_ASSERT((unsigned)domain < HBG_DOMAIN_COUNT);
    return domains[domain].name;
}

hbg_domain hbg_model_domain_find(const char *text, size_t size) {
    for (int domain = 0; domain < HBG_DOMAIN_COUNT; domain++) {
        const char *name = domains[domain].name;
        if (strlen(name) == size && memcmp(name, text, size) == 0) return domain;
    }
    return HBG_DOMAIN_COUNT;
}

hbg_dimension hbg_model_domain_dimension(hbg_domain domain, hbg_variable variable) {
    HBG_ASSERT((unsigned)domain < HBG_DOMAIN_COUNT);
    const domain_info *info = &domains[domain];
    if (domain == HBG_DOMAIN_ANY) return hbg_model_dimension_any;
    switch (variable) {
    case HBG_VARIABLE_EFFORT: return info->effort;
    case HBG_VARIABLE_FLOW: return info->flow;
    case HBG_VARIABLE_DISPLACEMENT:
        return hbg_model_dimension_multiply(info->flow, hbg_model_dimension_second());
    case HBG_VARIABLE_MOMENTUM:
        return info->has_momentum ? hbg_model_dimension_multiply(info->effort, hbg_model_dimension_second())
                                  : hbg_model_dimension_any;
    default: return hbg_model_dimension_any;
    }
}

/* A quantity in terms of effort, flow and second: displacement is flow times time, momentum effort times time. */
typedef struct {
    int effort, flow, seconds;
    bool pure, of_momentum;
} product;

static product product_of(hbg_quantity quantity) {
    HBG_ASSERT((unsigned)quantity < HBG_QUANTITY_COUNT);
    const int8_t *of = quantities[quantity].exponent;
    int momentum = of[HBG_VARIABLE_MOMENTUM], displacement = of[HBG_VARIABLE_DISPLACEMENT];
    return (product){.effort = of[HBG_VARIABLE_EFFORT] + momentum,
                     .flow = of[HBG_VARIABLE_FLOW] + displacement,
                     .seconds = momentum + displacement,
                     .pure = !of[HBG_VARIABLE_EFFORT] && !of[HBG_VARIABLE_FLOW] && !momentum && !displacement,
                     .of_momentum = momentum != 0};
}

static bool is_known(const product *of, hbg_domain domain) {
    return of->pure || (domain != HBG_DOMAIN_ANY && (!of->of_momentum || domains[domain].has_momentum));
}

/* The exponent of a base unit; for the second it is separate. */
static int exponent_of(const product *of, hbg_domain domain, int unit) {
    const domain_info *info = &domains[domain];
    return of->effort * info->effort.exponent[unit] + of->flow * info->flow.exponent[unit] +
           of->seconds * hbg_model_dimension_second().exponent[unit];
}

hbg_dimension hbg_model_domain_quantity(hbg_domain domain, hbg_quantity quantity) {
    product of = product_of(quantity);
    if (!is_known(&of, domain)) return hbg_model_dimension_any;
    hbg_dimension result = hbg_model_dimension_pure;
    for (int i = 0; i < HBG_BASE_UNITS && !of.pure; i++)
        result.exponent[i] = (int8_t)exponent_of(&of, domain, i);
    return result;
}

/* Used for every value of a model: most domains drop out at the first unit. */
hbg_domain_set hbg_model_quantity_domains(hbg_quantity quantity, hbg_dimension dimension) {
    product of = product_of(quantity);
    hbg_domain_set set = 0;
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT && dimension.known; d++) {
        int unit = 0;
        if (!is_known(&of, d)) continue;
        while (unit < HBG_BASE_UNITS && dimension.exponent[unit] == exponent_of(&of, d, unit)) unit++;
        if (unit == HBG_BASE_UNITS) set |= HBG_DOMAIN_BIT(d);
    }
    return set;
}

const char *hbg_model_domain_unit(hbg_domain domain, hbg_quantity quantity) {
    return quantities[quantity].unit[domain];
}

const char *hbg_model_quantity_name(hbg_quantity quantity) {
    return quantities[quantity].name;
}
