/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A session with one small model, for the tests of causality through the public header. */
#ifndef HBG_TESTS_API_CAUSALITY_FIXTURE_IMPL_H
#define HBG_TESTS_API_CAUSALITY_FIXTURE_IMPL_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
// clang-format on

#include "hbg/hbg.h"

/* Two capacitors joined by a relay, and a second relay that would put a source across the first one. */
#define TWO_CAPACITORS                                                                                       \
    "component Cell(v = 1) { port a : any; 1 join when gate; Se s(v); s -> join; join -> a;\n"               \
    "  automaton gate { off open -> shut when false; on shut -> open when false; } }\n"                      \
    "model Two { Se source(5); C c1(1); C c2(1); 0 left; 0 right; 1 bridge when relay;\n"                    \
    "  left -> c1; right -> c2; left -> bridge -> right; Cell cell; cell.a -> left; 1 second when other;\n"  \
    "  source -> second; second -> left;\n"                                                                  \
    "  automaton relay { off open -> closed when time > 1; on closed -> open when time < 0; }\n"             \
    "  automaton other { off no -> yes when time > 2; on yes -> no when time < 0; } }\n"

/* A 1-junction with a capacitor and two resistors, behind a switch. */
#define CONSTRAINED                                                                                          \
    "model K { Se s(1); 1 k when w; 0 n; R a(1); 1 j; C c(1); R b(1); R d(1);\n"                             \
    "  s -> k; k -> n; n -> a; n -> j; j -> c; j -> b; j -> d;\n"                                            \
    "  automaton w { off open -> shut when time > 1; on shut -> open when time > 2; } }\n"

/* Source, resistor and capacitor in a row that a switch opens. */
#define SWITCHED_RC                                                                                          \
    "model S { Se s(1); R r(1); C c(1); 1 j when k; s -> j; j -> r; j -> c;\n"                               \
    "  automaton k { off open -> shut when time > 1; on shut -> open when time > 2; } }\n"

/* A divider: each resistor knows its own only through the other. */
#define TWO_RESISTORS "model L { Se s(1); R a(1); R b(1); 1 j; 0 n; s -> j; j -> a; j -> n; n -> b; }\n"

typedef struct {
    hbg_session *session;
    hbg_model *model;
} causality_fixture;

static inline causality_fixture fixture_load(const char *text) {
    causality_fixture fixture;
    assert_int_equal(hbg_session_new(NULL, &fixture.session), HBG_OK);
    assert_int_equal(hbg_load_text(fixture.session, "model.hbg", text, strlen(text), NULL, &fixture.model),
                     HBG_OK);
    return fixture;
}

#endif
