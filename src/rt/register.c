/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of registers: those of code that runs while time advances, and those of parameters, of what is computed from them and of the start
 * come from stretches that take turns, each twice as long as the one of its kind before; neither kind moves the other. */
#include "rt/image.h"

enum { FLOW = 128, PARAM = 64 }; /* registers of the first range of each kind; that of FLOW comes first */

/* The number of the range that contains the n-th register of a kind. */
static int stretch_of(int32_t n, int32_t length) {
    int k = 0;
    for (int64_t end = length; n >= end; end = 2 * end + length) k++;
    return k;
}

int32_t hbg_rt_register(bool flows, int32_t n) {
    int64_t doubled = (int64_t)1 << stretch_of(n, flows ? FLOW : PARAM);
    int64_t others = flows ? PARAM * (doubled - 1) : FLOW * (2 * doubled - 1);
    return (int32_t)(n + others);
}

int32_t hbg_rt_flow_number(int32_t reg) {
    int k = stretch_of(reg, FLOW + PARAM);
    int64_t doubled = (int64_t)1 << k;
    int64_t offset = reg - (FLOW + PARAM) * (doubled - 1);
    return offset < FLOW * doubled ? (int32_t)(FLOW * (doubled - 1) + offset) : HBG_RT_NONE;
}
