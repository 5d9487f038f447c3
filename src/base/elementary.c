/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elementary functions that interpreter and compiled code share (elementary_impl.h), as code and as text. They are written
 * for processors that multiply and add in one instruction; elsewhere functions of libm take their place in both. */
#include <math.h>

#include "base/base.h"

#if defined(__x86_64__)
#define FUNCTION static inline __attribute__((target("fma")))
#else
#define FUNCTION static inline
#endif
#define RARE static __attribute__((noinline, cold))

#define ELEMENTARY(...) __VA_ARGS__
#include "base/elementary_impl.h"
#undef ELEMENTARY

bool hbg_has_elementary(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma");
#elif defined(__FP_FAST_FMA)
    return true;
#else
    return false;
#endif
}

double hbg_exp(double x) {
    return hbg_has_elementary() ? elementary_exp(x) : exp(x);
}

double hbg_log(double x) {
    return hbg_has_elementary() ? elementary_log(x) : log(x);
}

double hbg_pow(double x, double y) {
    return hbg_has_elementary() ? elementary_pow(x, y) : pow(x, y);
}

double hbg_sin(double x) {
    return hbg_has_elementary() ? elementary_sin(x) : sin(x);
}

double hbg_cos(double x) {
    return hbg_has_elementary() ? elementary_cos(x) : cos(x);
}

#define ELEMENTARY(...) #__VA_ARGS__,
static const char *const pieces[] = {
#include "base/elementary_impl.h"
};

void hbg_elementary_text(hbg_buffer *out) {
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        hbg_buffer_text(out, pieces[i]);
        hbg_buffer_char(out, '\n');
    }
}
