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
