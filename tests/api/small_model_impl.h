/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A small model that has something of everything, for the tests of what is told about models. */
#ifndef HBG_TESTS_API_SMALL_MODEL_IMPL_H
#define HBG_TESTS_API_SMALL_MODEL_IMPL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hbg/hbg.h"

#define SMALL_MODEL                                                                                          \
    "component Load(R0 = 10 [Ohm]) { port a : electrical; R r(R0); a -> r; }\n"                              \
    "function double(x) = 2*x;\n"                                                                            \
    "model Small \"something of everything\" {\n"                                                            \
    "    param V = 5 [V] \"supply\", half = V*0.5;\n"                                                        \
    "    input bool sw = false;\n"                                                                           \
    "    input real u [V] = 0;\n"                                                                            \
    "    input event reset;\n"                                                                               \
    "    Se s(V + u);\n"                                                                                     \
    "    C c(100 [uF], q = 1 [mC]);\n"                                                                       \
    "    I w[2]([[1 [H], 0], [0, 2 [H]]]);\n"                                                                \
    "    R law : e = double(1 [Ohm])*f;\n"                                                                   \
    "    TF t(2);\n"                                                                                         \
    "    1 j when k;\n"                                                                                      \
    "    0 n when !k off flow;\n"                                                                            \
    "    0 far;\n"                                                                                           \
    "    Load load(R0 = 20 [Ohm]) \"the load\";\n"                                                           \
    "    Load other;\n"                                                                                      \
    "    b1: s -> j;\n"                                                                                      \
    "    j -> n -> c;\n"                                                                                     \
    "    n -> w[1];\n"                                                                                       \
    "    n -> w[2];\n"                                                                                       \
    "    n -> law;\n"                                                                                        \
    "    n -> load.a;\n"                                                                                     \
    "    n -> t -> far;\n"                                                                                   \
    "    far -> other.a;\n"                                                                                  \
    "    automaton k every 1 [ms] {\n"                                                                       \
    "        start closed;\n"                                                                                \
    "        off open -> closed when sw;\n"                                                                  \
    "        on closed { -> open when !sw || reset; -> open after 2 [s]; }\n"                                \
    "    }\n"                                                                                                \
    "    state x = 0 : der = half/(1 [V*s]);\n"                                                              \
    "    sample y every 2 [ms] = pre(c.e);\n"                                                                \
    "    sensor m = c.e every 1 [ms] noise(0 [V], 0.1);\n"                                                   \
    "    output o = load.r.f;\n"                                                                             \
    "    experiment first \"the default\" {\n"                                                               \
    "        stop 1 [s]; solver rk4 step 1 [ms]; set V = 6 [V], k = open, c.e = 1 [V];\n"                    \
    "        at 0.5 [s]: sw = true, reset;\n"                                                                \
    "        fault at 0.2 [s] until 0.3 [s]: V abrupt -10 [%]; fault at 0: k stuck on;\n"                    \
    "        fault at 0: m noise(0 [V], 1); record o, c.q*2 every 1 [ms]; plot o;\n"                         \
    "    }\n"                                                                                                \
    "    verify { range c.q in [0, 1 [C]]; assume sw || k.open; }\n"                                         \
    "}\n"

typedef struct {
    hbg_session *session;
    hbg_model *model;
} small_model;

static inline int load_small(void **state) {
    static small_model small;
    *state = &small;
    if (hbg_session_new(NULL, &small.session) != HBG_OK) return -1;
    static const char text[] = SMALL_MODEL;
    return hbg_load_text(small.session, "small.hbg", text, strlen(text), NULL, &small.model) == HBG_OK ? 0
                                                                                                       : -1;
}

static inline int free_small(void **state) {
    small_model *small = *state;
    hbg_session_free(small->session);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, load_small, free_small)

#endif
