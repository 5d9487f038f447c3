/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The physical domains: dimensions of their variables and of the parameters of R, C and I, with the unit
 * names an engineer of the domain would use. The dimensions come from HBG_DOMAIN_LIST alone. */
#include <string.h>

#include "model/model_impl.h"

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

/* by domain, then e f q p R C I; NULL where the domain has no such thing */
static const char *const unit_names[HBG_DOMAIN_COUNT][HBG_QUANTITY_COUNT] = {
    [HBG_DOMAIN_ELECTRICAL] = {"V", "A", "C", "Wb", "Ohm", "F", "H"},
    [HBG_DOMAIN_TRANSLATIONAL] = {"N", "m/s", "m", "N·s", "N·s/m", "m/N", "kg"},
    [HBG_DOMAIN_ROTATIONAL] = {"N·m", "rad/s", "rad", "N·m·s", "N·m·s/rad", "rad/(N·m)", "kg·m^2"},
    [HBG_DOMAIN_HYDRAULIC] = {"Pa", "m^3/s", "m^3", "Pa·s", "Pa·s/m^3", "m^3/Pa", "Pa·s^2/m^3"},
    [HBG_DOMAIN_THERMAL] = {"K", "W", "J", NULL, "K/W", "J/K", NULL},
    [HBG_DOMAIN_MAGNETIC] = {"A", "Wb/s", "Wb", NULL, "A/V", "H", NULL},
};

const char *hbg_domain_name(hbg_domain domain) {
    HBG_ASSERT((unsigned)domain < HBG_DOMAIN_COUNT);
    return domains[domain].name;
}

hbg_domain hbg_domain_find(const char *text, size_t size) {
    for (int domain = 0; domain < HBG_DOMAIN_COUNT; domain++) {
        const char *name = domains[domain].name;
        if (strlen(name) == size && memcmp(name, text, size) == 0) return domain;
    }
    return HBG_DOMAIN_COUNT;
}

hbg_dimension hbg_domain_dimension(hbg_domain domain, hbg_variable variable) {
    HBG_ASSERT((unsigned)domain < HBG_DOMAIN_COUNT);
    const domain_info *info = &domains[domain];
    if (domain == HBG_DOMAIN_ANY) return hbg_dimension_any;
    switch (variable) {
    case HBG_VARIABLE_EFFORT: return info->effort;
    case HBG_VARIABLE_FLOW: return info->flow;
    case HBG_VARIABLE_DISPLACEMENT: return hbg_dimension_multiply(info->flow, hbg_dimension_second());
    case HBG_VARIABLE_MOMENTUM:
        return info->has_momentum ? hbg_dimension_multiply(info->effort, hbg_dimension_second())
                                  : hbg_dimension_any;
    default: return hbg_dimension_any;
    }
}

hbg_dimension hbg_domain_quantity(hbg_domain domain, hbg_quantity quantity) {
    hbg_dimension e = hbg_domain_dimension(domain, HBG_VARIABLE_EFFORT);
    hbg_dimension f = hbg_domain_dimension(domain, HBG_VARIABLE_FLOW);
    switch (quantity) {
    case HBG_QUANTITY_RESISTANCE: return hbg_dimension_divide(e, f);
    case HBG_QUANTITY_CAPACITANCE:
        return hbg_dimension_divide(hbg_domain_dimension(domain, HBG_VARIABLE_DISPLACEMENT), e);
    case HBG_QUANTITY_INERTANCE:
        return hbg_dimension_divide(hbg_domain_dimension(domain, HBG_VARIABLE_MOMENTUM), f);
    default: return hbg_domain_dimension(domain, (hbg_variable)quantity);
    }
}

const char *hbg_domain_unit(hbg_domain domain, hbg_quantity quantity) {
    return unit_names[domain][quantity];
}

const char *hbg_quantity_name(hbg_quantity quantity) {
    static const char *const names[HBG_QUANTITY_COUNT] = {
        "an effort",    "a flow",        "a displacement (q)", "a momentum (p)",
        "a resistance", "a capacitance", "an inertance"};
    return names[quantity];
}
