/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables made from the lists of kinds_impl.h: elements, variables, signals, faults, solvers. */
#include "model/model.h"

static const hbg_element_info elements[HBG_KIND_COUNT] = {
#define X(id, text, name, basic, ports, field, variables, quantity, law)                                     \
    [HBG_KIND_##id] = {text, name, HBG_KIND_##basic, ports, field, variables, HBG_QUANTITY_##quantity},
    HBG_ELEMENT_LIST(X)
#undef X
};

/* What the rest of the tree assumes about a line. */
#define X(id, text, name, basic, ports, field, variables, quantity, law)                                     \
    _Static_assert((ports == 1) == (HBG_QUANTITY_##quantity != HBG_QUANTITY_NONE),                           \
                   "a one-port has a value");                                                                \
    _Static_assert(HBG_KIND_##id == HBG_KIND_##basic ||                                                      \
                       (!field && HBG_KIND_##basic >= HBG_KIND_R && HBG_KIND_##basic <= HBG_KIND_I),         \
                   "a form is an R, C or I with one port");
HBG_ELEMENT_LIST(X)
#undef X

const hbg_element_info *hbg_model_element_info_get(hbg_element_kind form) {
    HBG_ASSERT((unsigned)form < HBG_KIND_COUNT);
    return &elements[form];
}

const char *hbg_model_variable_text(hbg_variable variable) {
    static const char *const texts[HBG_VARIABLE_COUNT] = {
#define X(id, text) [HBG_VARIABLE_##id] = text,
        HBG_VARIABLE_LIST(X)
#undef X
    };
    HBG_ASSERT((unsigned)variable < HBG_VARIABLE_COUNT);
    return texts[variable];
}

const char *hbg_model_signal_kind_text(hbg_signal_kind kind) {
    static const char *const texts[HBG_SIGNAL_KIND_COUNT] = {
#define X(id, text) [HBG_SIGNAL_##id] = text,
        HBG_SIGNAL_LIST(X)
#undef X
    };
    HBG_ASSERT((unsigned)kind < HBG_SIGNAL_KIND_COUNT);
    return texts[kind];
}

const hbg_fault_info *hbg_model_fault_info_get(hbg_fault_kind kind) {
    static const hbg_fault_info all[HBG_FAULT_COUNT] = {
#define X(id, text, effect, value, automaton, sensor) {text, HBG_EFFECT_##effect, value, automaton, sensor},
        HBG_FAULT_LIST(X)
#undef X
    };
    HBG_ASSERT((unsigned)kind < HBG_FAULT_COUNT);
    return &all[kind];
}

const char *hbg_model_fault_kind_text(hbg_fault_kind kind) {
    return hbg_model_fault_info_get(kind)->text;
}

hbg_fault_effect hbg_model_fault_effect_of(const hbg_fault *fault) {
    return hbg_model_fault_info_get(fault->kind)->effect;
}

const char *hbg_model_solver_text(hbg_solver solver) {
    static const char *const texts[HBG_SOLVER_COUNT] = {
#define X(id, text, fixed) [HBG_SOLVER_##id] = text,
        HBG_SOLVER_LIST(X)
#undef X
    };
    HBG_ASSERT((unsigned)solver < HBG_SOLVER_COUNT);
    return texts[solver];
}
