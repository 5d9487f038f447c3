/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The operator table: what parser, checker and printer take from HBG_OPERATOR_LIST. */
#include <string.h>

#include "model/model.h"

static const hbg_operator_info operators[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = {text, arity, precedence, HBG_TYPES_##types, HBG_UNITS_##units},
    HBG_OPERATOR_LIST(X)
#undef X
};

const hbg_operator_info *hbg_model_operator_info_get(hbg_operator op) {
    HBG_ASSERT((unsigned)op < HBG_OP_COUNT);
    return &operators[op];
}

hbg_operator hbg_model_operator_find_function(const char *text, size_t size) {
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        const hbg_operator_info *info = &operators[op];
        bool is_function = info->precedence == 0;
        if (is_function && strlen(info->text) == size && memcmp(info->text, text, size) == 0) return op;
    }
    return HBG_OP_COUNT;
}
