/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elementary functions that interpreter and compiled code share (elementary_impl.h), as code and as text.
 * They are written for processors with fused multiply-add; elsewhere both use functions of libm instead. */
#include <math.h>

#include "rt/bands.h"
#include "rt/operator.h"

#if defined(__x86_64__)
#define FUNCTION static inline __attribute__((target("fma")))
#else
#define FUNCTION static inline
#endif
#define RARE  static __attribute__((noinline, cold))
#define TABLE static

/* The words of elementary_impl.h for a single number. */
#define SHARED                    FUNCTION
#define NUMBER                    double
#define WORD                      uint64_t
#define WHOLE                     int64_t
#define NAME(function)            elementary_##function
#define FMA(a, b, c)              __builtin_fma(a, b, c)
#define MAGNITUDE(a)              __builtin_fabs(a)
#define NOT(a)                    !(a)
#define BITS(a)                   elementary_bits(a)
#define VALUE(a)                  elementary_of(a)
#define AS_NUMBER(a)              ((double)(a))
#define PLACE                     uint64_t
#define PLACE_OF(a)               (a)
#define LOOK(table, place, field) table[place].field
#define PICKED(is, a, b)          ((is) ? (a) : (b))
#define SPECIAL(is, ...)                                                                                     \
    if (__builtin_expect(is, 0)) return __VA_ARGS__;
#define MENDED(value, function, x)    (value)
#define MENDED_BY_TWO(value, f, x, y) (value)

#define ELEMENTARY(...) __VA_ARGS__
#define TABLES(...)     __VA_ARGS__
#define GENERAL(...)    __VA_ARGS__
#include "rt/elementary_impl.h"
#undef ELEMENTARY
#undef TABLES
#undef GENERAL

bool hbg_rt_has_elementary(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma");
#elif defined(__FP_FAST_FMA)
    return true;
#else
    return false;
#endif
}

double hbg_rt_exp(double x) {
    return hbg_rt_has_elementary() ? elementary_exp(x) : exp(x);
}

double hbg_rt_ln(double x) {
    return hbg_rt_has_elementary() ? elementary_log(x) : log(x);
}

double hbg_rt_pow(double x, double y) {
    return hbg_rt_has_elementary() ? elementary_pow(x, y) : pow(x, y);
}

double hbg_rt_sin(double x) {
    return hbg_rt_has_elementary() ? elementary_sin(x) : sin(x);
}

double hbg_rt_cos(double x) {
    return hbg_rt_has_elementary() ? elementary_cos(x) : cos(x);
}

/* ---- remainders ---------------------------------------------------------------------------------------- */

/* 10 times 1e-6 is a bit less than 1e-5: its remainder by 1e-5 is meant to be 0. Multiples of a rounded
 * divisor, computed in any way that rounds once or twice, are within 4 units in their last place. */
#define REMAINDER(form)                                                                                      \
    form(static inline double wrapped_remainder(double a, double b) {                                        \
        double r = fmod(a, b);                                                                               \
        double left = (b < 0 ? -b : b) - (r < 0 ? -r : r);                                                   \
        return left <= (a < 0 ? -a : a) * HBG_RT_SLACK ? 0 * r : r;                                          \
    })
#define AS_CODE(...) __VA_ARGS__
#define TEXT_OF(...) #__VA_ARGS__
#define AS_TEXT(...) TEXT_OF(__VA_ARGS__) /* with the value of a band, not its name */

REMAINDER(AS_CODE)

double hbg_rt_remainder(double a, double b) {
    return wrapped_remainder(a, b);
}

double hbg_rt_quotient(double a, double b) {
    double quotient = a / b, whole = nearbyint(quotient);
    return fabs(quotient - whole) <= fabs(quotient) * HBG_RT_SLACK ? whole : quotient;
}

const char *hbg_rt_remainder_text(void) {
    return REMAINDER(AS_TEXT);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Woverlength-strings" /* compilers need not accept it, and all do */
#undef FUNCTION
#undef RARE
#undef TABLE
#define WRITTEN(...)    #__VA_ARGS__ "\n"
#define ELEMENTARY(...) WRITTEN(__VA_ARGS__)
#define TABLES(...)     WRITTEN(__VA_ARGS__)
#define GENERAL(...)    WRITTEN(__VA_ARGS__) /* with the words for a single number substituted */
const char *hbg_rt_elementary_text(void) {
    return
#include "rt/elementary_impl.h"
        ;
}

#undef ELEMENTARY
#undef TABLES
#undef GENERAL
#define ELEMENTARY(...)
#define TABLES(...)
#define GENERAL(...) #__VA_ARGS__ "\n"
const char *hbg_rt_elementary_words(void) {
    return
#include "rt/elementary_impl.h"
        ;
}

#undef TABLES
#undef GENERAL
#define TABLES(...) WRITTEN(__VA_ARGS__)
#define GENERAL(...)
const char *hbg_rt_elementary_tables(void) {
    return
#include "rt/elementary_impl.h"
        ;
}
