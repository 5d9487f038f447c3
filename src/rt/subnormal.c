/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers below 1e-308 are taken for 0 while time advances. A long chain at rest is full of them a moment after its first link
 * has moved, they mean nothing, and arithmetic on them is a hundred times slower than on others. */
#include "rt/field.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

enum { RESULTS_TO_ZERO = 0x8000, OPERANDS_TO_ZERO = 0x0040 };

uint64_t hbg_rt_subnormal_skip(void) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | RESULTS_TO_ZERO | OPERANDS_TO_ZERO);
    return before;
}

void hbg_rt_subnormal_restore(uint64_t before) {
    /* flags raised meanwhile are kept */
    const unsigned mask = RESULTS_TO_ZERO | OPERANDS_TO_ZERO;
    _mm_setcsr((_mm_getcsr() & ~mask) | ((unsigned)before & mask));
}

#elif defined(__aarch64__)

static const uint64_t to_zero = UINT64_C(1) << 24;

static uint64_t control(void) {
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
}

uint64_t hbg_rt_subnormal_skip(void) {
    uint64_t before = control();
    __asm__ volatile("msr fpcr, %0" : : "r"(before | to_zero));
    return before;
}

void hbg_rt_subnormal_restore(uint64_t before) {
    __asm__ volatile("msr fpcr, %0" : : "r"((control() & ~to_zero) | (before & to_zero)));
}

#else

uint64_t hbg_rt_subnormal_skip(void) {
    return 0;
}

void hbg_rt_subnormal_restore(uint64_t before) {
    (void)before;
}

#endif
