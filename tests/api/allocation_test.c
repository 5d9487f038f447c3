/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation may fail: texts with something of everything, right and wrong, are read and looked at with
 * the n-th allocation failing, for every n. A call says HBG_NO_MEMORY or does its work; nothing leaks; the
 * session stays of use. allocation_soak.c does the same for the examples. */
#include <stdio.h>
#include <stdlib.h>

#include "api/api_impl.h"
#include "api/small_model_impl.h"

static const char good[] = SMALL_MODEL;
static const char bad[] =
    "import \"nowhere.hbg\";\n" SMALL_MODEL "model Bad { Se s(unknown [V]; R r(1 [Vv]); }\n";
static const char wrong[] =
    "model Wrong { param a = b, unused = 1; Se s(3 [A]); R r(x); s -> r; 0 n;\n"
    "automaton k { off o -> p when 3; off p -> q when s.e > 1; } signal z = 1 [V] + 2 [A]; }\n";

static int take(hbg_session *session, hbg_status status, hbg_text *text) {
    assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
    if (status == HBG_OK) hbg_text_free(session, text);
    return status == HBG_NO_MEMORY;
}

/* Uses all there is to use; returns how many calls ran out of memory. */
static int use(hbg_session *session, const char *data) {
    hbg_text text;
    hbg_model *model;
    const char *const parameters[] = {"V=7 [V]"};
    bool sound = !strstr(data, "model Bad") && !strstr(data, "model Wrong");
    hbg_load_options options = {.parameters = parameters, .parameter_count = sound};
    hbg_status status = hbg_load_text(session, "small.hbg", data, strlen(data), &options, &model);
    assert_true(status == (sound ? HBG_OK : HBG_BAD_MODEL) || status == HBG_NO_MEMORY);
    int failed = status == HBG_NO_MEMORY;
    if (status == HBG_OK) {
        failed += take(session, hbg_list_text(session, model, &text), &text);
        failed += take(session, hbg_list_json(session, model, &text), &text);
        failed += take(session, hbg_dump_text(session, model, &text), &text);
        failed += take(session, hbg_summary_text(session, model, &text), &text);
    }
    failed += take(session, hbg_diagnostics_text(session, true, &text), &text);
    failed += take(session, hbg_diagnostics_json(session, &text), &text);
    status = hbg_format(session, "small.hbg", data, strlen(data), &text);
    assert_true(status == HBG_OK || status == HBG_BAD_MODEL || status == HBG_NO_MEMORY);
    if (status == HBG_OK) hbg_text_free(session, &text);
    return failed + (status == HBG_NO_MEMORY);
}

/* Fails the n-th allocation; false when there are fewer than n. */
static bool fail_at(int64_t n, const char *data) {
    hbg_session_options options = hbg_session_options_default();
    options.fail_at = n;
    hbg_session *session;
    hbg_status status = hbg_session_new(&options, &session);
    if (status == HBG_NO_MEMORY) return true;
    assert_int_equal(status, HBG_OK);
    int failed = use(session, data);
    bool reached = session->memory.calls >= n;
    assert_int_equal(failed, reached ? 1 : 0); // one failure is felt by one call
    if (reached) assert_int_equal(use(session, data), 0);
    hbg_session_free(session);
    return reached;
}

/* Memory is taken in blocks, so a failure strikes where a block ends. Padding of different length in front of
 * the text moves that place about. */
static void sweep(const char *text) {
    int paddings = getenv("HBG_SOAK") ? 400 : 6;
    for (int padding = 0; padding < paddings; padding++) {
        size_t size = strlen(text) + (size_t)padding * 40 + 100;
        char *data = malloc(size);
        int used = snprintf(data, size, "component Padding {");
        for (int i = 0; i < padding; i++)
            used += snprintf(data + used, size - (size_t)used, " param p%d = 1;", i);
        snprintf(data + used, size - (size_t)used, " }\n%s", text);
        int64_t n = 1;
        while (fail_at(n, data)) n++;
        assert_true(n > 8);
        free(data);
    }
}

static void a_model_survives_every_failure(void **state) {
    (void)state;
    sweep(good);
}

static void a_text_with_errors_survives_every_failure(void **state) {
    (void)state;
    sweep(bad);
    sweep(wrong);
}

static void a_limit_of_memory_is_a_failure_like_any(void **state) {
    (void)state;
    for (size_t limit = 1000; limit < 300000; limit += limit / 7) {
        hbg_session_options options = hbg_session_options_default();
        options.memory_limit = limit;
        hbg_session *session;
        hbg_status status = hbg_session_new(&options, &session);
        if (status != HBG_OK) continue;
        use(session, good);
        assert_true(hbg_session_peak_memory(session) <= limit);
        hbg_session_free(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_survives_every_failure),
        cmocka_unit_test(a_text_with_errors_survives_every_failure),
        cmocka_unit_test(a_limit_of_memory_is_a_failure_like_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
