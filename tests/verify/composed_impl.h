/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The composition of a model given by its declarations, for tests. */
#ifndef TESTS_VERIFY_COMPOSED_IMPL_H
#define TESTS_VERIFY_COMPOSED_IMPL_H

#include "verify/consistency_impl.h"

static inline hbg_paper composed_by(fixture *t, const char *declarations, hbg_paper_request request) {
    jmp_buf guard;
    hbg_verify_options options = hbg_verify_options_default();
    begin(t, declarations);
    if (HBG_GUARD(&t->m.memory, guard)) fail();
    hbg_paper made = hbg_verify_paper(&t->m.arena, t->prover, t->m.model, &request, &options);
    HBG_GUARD_END(&t->m.memory);
    return made;
}

static inline hbg_paper composed(fixture *t, const char *declarations, hbg_paper_reading reading) {
    return composed_by(t, declarations, (hbg_paper_request){.reading = reading});
}

static inline bool differs(const hbg_paper *of, hbg_difference code, const char *object) {
    for (int32_t i = 0; i < of->differences.count; i++)
        if (of->differences.items[i].code == code &&
            (!object || strcmp(of->differences.items[i].object, object) == 0))
            return true;
    return false;
}

static inline hbg_paper_comparison compared(fixture *t, const char *declarations, hbg_paper_reading reading) {
    jmp_buf guard;
    hbg_verify_options options = hbg_verify_options_default();
    hbg_process_request request = {.clause_limit = 100};
    hbg_paper_request wanted = {.reading = reading};
    begin(t, declarations);
    if (HBG_GUARD(&t->m.memory, guard)) fail();
    hbg_process exact = hbg_verify_process(&t->m.arena, t->prover, t->m.eqn, t->m.model, &request, &options);
    assert_null(exact.reason);
    hbg_paper_comparison made =
        hbg_verify_paper_compare(&t->m.arena, t->prover, t->m.model, &exact, &wanted, &options);
    HBG_GUARD_END(&t->m.memory);
    assert_null(made.reason);
    return made;
}

#endif
