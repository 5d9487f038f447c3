/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A small model, and what the verifier says about its first group. */
#ifndef HBG_TESTS_VERIFY_CONSISTENCY_IMPL_H
#define HBG_TESTS_VERIFY_CONSISTENCY_IMPL_H

#include <math.h>

#include "eqn/hybrid_trial_impl.h"
#include "verify/verify.h"

typedef struct {
    hybrid_model m;
    hbg_verify_prover *prover;
    hbg_consistency_result result;
} fixture;

/* The trial wants an experiment; it sets nothing here. */
static inline void begin(fixture *t, const char *declarations) {
    static char text[8192];
    snprintf(text, sizeof text, "model M {\n%s\nexperiment all { stop 1; record time; }\n}\n", declarations);
    model_open(&t->m, text);
    t->prover = hbg_verify_prover_new(&t->m.memory);
    assert_non_null(t->prover);
}

static inline const hbg_group_result *ask_first(fixture *t) {
    jmp_buf guard;
    if (HBG_GUARD(&t->m.memory, guard)) fail();
    t->result = hbg_verify_consistency(&t->m.arena, t->prover, t->m.eqn, t->m.model, NULL);
    HBG_GUARD_END(&t->m.memory);
    assert_true(t->result.group_count > 0);
    return &t->result.groups[0];
}

static inline const hbg_group_result *examine(fixture *t, const char *declarations) {
    begin(t, declarations);
    return ask_first(t);
}

static inline void end(fixture *t) {
    hbg_verify_prover_free(t->prover);
    model_close(&t->m);
}

/* A value that a relay turns on above `on` and off below `off`; the value is a capacitor's charge, and stays. */
#define RELAY(on, off)                                                                                       \
    "C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"                         \
    "automaton a { off open -> closed when " on "; on closed -> open when " off "; }\n"

#endif
