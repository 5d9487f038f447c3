/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How fine values on a device are. The processor takes numbers below 2^-1022 for 0 while time advances, a
 * device keeps them: both have the same bits as long as no result is that small. A value has the grain g if
 * it is a multiple of 2^-g; a value with a grain of at most 1022 cannot be too small without being 0. A sum
 * has the finer grain of its terms, grains of factors add up, and rounding makes no value finer; a number
 * that is 0 or at least 2^-e has the grain e + 52. So grains follow from the values at the beginning of a
 * lane, and few results have to be checked: quotients, elementary functions, products of many factors, and
 * the new state at the end of a step. */
#include <math.h>

#include "code/native_impl.h"

enum {
    FINEST = 1022,
    DIGITS = 52, /* binary digits of a number after the first */
    GRAIN_OF_PARAM = DIGITS - HBG_RT_DEVICE_LEAST_PARAM,
    GRAIN_OF_STATE = DIGITS - HBG_RT_DEVICE_LEAST_STATE,
    GRAIN_OF_WEIGHT =
        GRAIN_OF_PARAM + 60,        /* of a step times a coefficient of a method, no finer than 2^-60 */
    ROOM = FINEST - GRAIN_OF_WEIGHT /* for a value multiplied by a weight */
};

/* The grain of a result, by the column `c` of the list of operators. */
typedef enum {
    GRAIN_LOOKED, /* its result is checked */
    GRAIN_WHOLE,
    GRAIN_WIDEST, /* that of its finest argument */
    GRAIN_ROOT,
    GRAIN_NUMBER /* of 1 to 4 */
} grain_rule;

#define G_none           GRAIN_LOOKED
#define G_call(name)     GRAIN_WHOLE /* the only function of the C library on a device is floor */
#define G_ours(name)     GRAIN_LOOKED
#define G_infix(sign)    GRAIN_WIDEST
#define G_relation(sign) GRAIN_WHOLE
#define G_lesser         GRAIN_WIDEST
#define G_greater        GRAIN_WIDEST
#define G_absolute       GRAIN_WIDEST
#define G_sign           GRAIN_WHOLE
#define G_remainder      GRAIN_LOOKED
#define G_ceil           GRAIN_WHOLE
#define G_sqrt           GRAIN_ROOT
#define G_select         GRAIN_WIDEST
#define G_both           GRAIN_WHOLE
#define G_either         GRAIN_WHOLE
#define G_negation       GRAIN_WHOLE
#define G_opposite       GRAIN_WIDEST
#define G_pi             GRAIN_NUMBER

static const grain_rule rules[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = G_##c,
    HBG_OPERATOR_LIST(X)
#undef X
};

static int32_t of_number(double value) {
    int exponent = 0;
    if (value == 0 || !isfinite(value)) return 0;
    double digits = ldexp(frexp(value, &exponent), DIGITS + 1);
    int32_t grain = DIGITS + 1 - exponent;
    for (; fmod(digits, 2) == 0; digits /= 2) grain--;
    return grain > 0 ? grain : 0;
}

const char *hbg_code_native_too_fine(const hbg_code *code) {
    const hbg_rt_pools *pool = &code->image.pool;
    for (int32_t i = 0; i < pool->constants.count; i++)
        if (of_number(HBG_RT_AT(pool->constants, i)->value) > FINEST) return "it has a constant below 1e-290";
    return NULL;
}

void hbg_code_native_begin_grains(stride_text *text) {
    const hbg_code *code = text->code;
    const hbg_rt_layout *layout = &code->image.layout;
    const hbg_rt_switching *switching = &code->image.instants.switching;
    if (!text->device) return;
    for (int32_t i = 0; i < code->image.code.mark.registers; i++) text->grain[i] = GRAIN_OF_PARAM;
    for (int32_t i = 0; i < layout->state.count; i++)
        text->grain[hbg_rt_ints(&code->image, layout->state.first)[i]] = GRAIN_OF_STATE;
    text->grain[layout->time] = GRAIN_OF_WEIGHT;
    for (int32_t i = 0; i < code->image.pool.constants.count; i++) {
        const hbg_rt_constant *constant = HBG_RT_AT(code->image.pool.constants, i);
        text->grain[constant->reg] = of_number(constant->value);
    }
    for (int32_t i = 0; i < code->image.instants.counts.automata; i++)
        text->grain[switching->automata[i].reg] = 0;
}

static int32_t of_argument(const stride_text *text, const instruction *at, int k) {
    return at->argument[k] < 0 ? 0 : text->grain[at->argument[k]];
}

bool hbg_code_native_take_grain(stride_text *text, const instruction *at) {
    if (!text->device) return true;
    int32_t a = of_argument(text, at, 0), b = of_argument(text, at, 1), c = of_argument(text, at, 2);
    int32_t widest = a > b ? a : b, *grain = &text->grain[at->d];
    if (c > widest) widest = c;
    if (at->op == HBG_OP_MULTIPLY && a + b <= FINEST) {
        *grain = a + b;
        return true;
    }
    *grain = GRAIN_OF_STATE;
    if (at->op == HBG_OP_MULTIPLY || at->op == HBG_OP_DIVIDE) return false;
    switch (at->op < HBG_OP_COUNT ? rules[at->op] : GRAIN_WIDEST) {
    case GRAIN_LOOKED: return false;
    case GRAIN_WHOLE: *grain = 0; break;
    case GRAIN_WIDEST: *grain = widest; break;
    case GRAIN_ROOT: *grain = a / 2 + DIGITS + 1; break;
    case GRAIN_NUMBER: *grain = DIGITS; break;
    }
    return true;
}

const char *hbg_code_native_coarse(stride_text *text, const hbg_rt_readout *of, int32_t index) {
    int32_t reg = hbg_rt_readout_registers(&text->code->image, of)[index];
    const char *value = hbg_code_native_operand(text, reg);
    return text->device && text->grain[reg] > ROOM
               ? hbg_base_arena_print(text->out->arena, "noted(%s)", value)
               : value;
}
