/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of what a test does with a session fails once: one call says so, nothing leaks, and the session stays of use. */
#ifndef HBG_TESTS_API_RUN_ALLOCATION_IMPL_H
#define HBG_TESTS_API_RUN_ALLOCATION_IMPL_H

#include "api/api_impl.h"
#include "api/run_fixture_impl.h"
#include "support/soak.h"

/* Fails the n-th allocation; false when there are fewer than n. `use` tells how many calls failed. */
static inline bool fails_at(int64_t n, int (*use)(hbg_session *session)) {
    hbg_session_options options = hbg_session_options_default();
    options.fail_at = n;
    hbg_session *session;
    hbg_status status = hbg_session_new(&options, &session);
    if (status == HBG_NO_MEMORY) return true;
    assert_int_equal(status, HBG_OK);
    int failed = use(session);
    bool reached = session->memory.calls >= n;
    if (failed != (reached ? 1 : 0)) fail_msg("allocation %lld: %d calls failed", (long long)n, failed);
    if (reached && n % 16 == 0) assert_int_equal(use(session), 0);
    assert_null(session->run);
    hbg_session_free(session);
    return reached;
}

/* Some of them; all in a soak. */
static inline void survives_every_failure(int (*use)(hbg_session *session)) {
    int64_t n = 1;
    while (fails_at(n, use)) n += next_failure();
    assert_true(n > 100);
}

#endif
