/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation fails once. Each example is read, listed, explained, drawn as dot and formatted with the
 * first allocation failing, then the second, and so on to the last; the same again for the allocations of
 * jansson. Whatever happens, a call says HBG_NO_MEMORY or does its work, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <glob.h>

#include <jansson.h>

#include "api/api_impl.h"

#define EXAMPLES HBG_SOURCE_DIR "/examples/*/*.hbg"

/* jansson takes its memory here; the call with this number fails, 0 is none */
static int64_t json_calls, json_fail_at;

static void *json_alloc(size_t size) {
    return ++json_calls == json_fail_at ? NULL : malloc(size);
}

static void take(hbg_session *session, hbg_status status, hbg_text *text) {
    assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
    if (status == HBG_OK) hbg_text_free(session, text);
}

static void use_model(hbg_session *session, const hbg_model *model) {
    hbg_draw_options draw = hbg_draw_options_default();
    draw.format = HBG_DRAW_DOT;
    hbg_text text;
    take(session, hbg_summary_text(session, model, &text), &text);
    take(session, hbg_list_text(session, model, &text), &text);
    take(session, hbg_list_json(session, model, &text), &text);
    take(session, hbg_dump_text(session, model, &text), &text);
    take(session, hbg_draw(session, model, &draw, &text), &text);
}

static void use_file(hbg_session *session, const char *path) {
    hbg_model *model = NULL;
    hbg_text text;
    hbg_status status = hbg_load_file(session, path, NULL, &model);
    assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
    if (status == HBG_OK) use_model(session, model);
    take(session, hbg_diagnostics_text(session, false, &text), &text);
    take(session, hbg_diagnostics_json(session, &text), &text);
    status = hbg_read_file(session, path, &text);
    assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
    if (status != HBG_OK) return;
    hbg_text formatted;
    take(session, hbg_format(session, path, text.data, text.size, &formatted), &formatted);
    hbg_text_free(session, &text);
}

/* One whole use of a file; returns how many allocations it made, and checks that all came back. */
static int64_t run(const char *path, int64_t fail_at) {
    static const char *const search[] = {HBG_SOURCE_DIR "/lib"};
    hbg_session_options options = hbg_session_options_default();
    options.search = search;
    options.search_count = 1;
    options.fail_at = fail_at;
    json_calls = 0;
    hbg_session *session = NULL;
    hbg_status status = hbg_session_new(&options, &session);
    assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
    if (status != HBG_OK) return fail_at;
    use_file(session, path);
    int64_t calls = session->memory.calls;
    hbg_session_free(session);
    return calls;
}

typedef void per_file(const char *path);

static void each_example(per_file *function) {
    glob_t found;
    assert_int_equal(glob(EXAMPLES, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) function(found.gl_pathv[i]);
    globfree(&found);
}

static void sweep_memory(const char *path) {
    int64_t calls = run(path, 0);
    assert_true(calls > 0);
    for (int64_t i = 1; i <= calls; i++) run(path, i);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    each_example(sweep_memory);
}

static void sweep_json(const char *path) {
    run(path, 0);
    int64_t calls = json_calls;
    assert_true(calls > 0);
    for (json_fail_at = 1; json_fail_at <= calls; json_fail_at++) run(path, 0);
    json_fail_at = 0;
}

static void every_allocation_of_jansson_may_fail(void **state) {
    (void)state;
    each_example(sweep_json);
}

int main(void) {
    json_set_alloc_funcs(json_alloc, free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_of_jansson_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
