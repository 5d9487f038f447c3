/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Engines through the public header: which one a run takes and says it took, what happens where code cannot be compiled, and that
 * allocations which fail while it is leave nothing behind. */
#include <sys/stat.h>

#include "api/api_impl.h"
#include "api/run_fixture_impl.h"

typedef struct {
    hbg_status status;
    char engine[20], reason[400];
} answer;

static const hbg_load_options stepped = {.step = "10 [us]"};

static answer run(run_fixture *f, hbg_engine engine, const char *cache, const char *file) {
    const char *const files[] = {file};
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    answer found = {0};
    options.solver = "euler";
    options.json = true;
    options.engine = engine;
    options.cache = cache;
    options.files = files;
    options.file_count = file ? 1 : 0;
    found.status = hbg_run(f->session, f->model, &options, &end, &text);
    snprintf(found.reason, sizeof found.reason, "%s", hbg_session_reason(f->session));
    if (found.status != HBG_OK) return found;
    json_t *json = read_json(f, &text);
    const char *name = json_string_value(json_object_get(json_object_get(json, "solver"), "engine"));
    assert_non_null(name);
    snprintf(found.engine, sizeof found.engine, "%s", name);
    json_decref(json);
    return found;
}

static void assert_same_file(const char *a, const char *b) {
    FILE *one = fopen(a, "r"), *other = fopen(b, "r");
    assert_true(one && other);
    int c, count = 0;
    do {
        c = fgetc(one);
        assert_int_equal(c, fgetc(other));
        count++;
    } while (c != EOF);
    assert_true(count > 100);
    fclose(one);
    fclose(other);
}

static void a_run_takes_the_engine_it_is_told(void **state) {
    run_fixture f = fixture_load(CHARGING, &stepped);
    (void)state;
    answer native = run(&f, HBG_ENGINE_NATIVE, "cache", "native.csv");
    if (native.status != HBG_OK) fail_msg("%s", native.reason);
    answer interpreter = run(&f, HBG_ENGINE_INTERPRETER, "cache", "interpreter.csv");
    assert_string_equal(native.engine, "native");
    assert_string_equal(interpreter.engine, "interpreter");
    assert_same_file("native.csv", "interpreter.csv");
    assert_string_equal(run(&f, HBG_ENGINE_AUTO, "cache", NULL).engine,
                        "interpreter"); // 5000 steps: not worth it
    assert_int_equal(access("cache", F_OK), 0);
    fixture_free(&f);
}

static void a_run_that_cannot_be_compiled_says_why_and_writes_nothing(void **state) {
    run_fixture f = fixture_load(CHARGING, &stepped);
    (void)state;
    assert_int_equal(mkdir("open", 0700), 0);
    assert_int_equal(chmod("open", 0755), 0);
    answer refused = run(&f, HBG_ENGINE_NATIVE, "open", "refused.csv");
    assert_int_equal(refused.status, HBG_NO_PROGRAM);
    assert_non_null(strstr(refused.reason, "mode 0700"));
    assert_non_null(strstr(refused.reason, "--engine interpreter"));
    assert_int_not_equal(access("refused.csv", F_OK), 0);
    assert_int_equal(run(&f, HBG_ENGINE_AUTO, "open", NULL).status, HBG_OK);
    fixture_free(&f);
}

static bool never(void *context, double t, double stop) {
    (void)context, (void)t, (void)stop;
    return false;
}

/* Whoever wants to end it need not wait for the compiler, and gets an interrupted run, not a failure. */
static void a_run_can_be_interrupted_while_it_is_compiled(void **state) {
    run_fixture f = fixture_load(CHARGING, &stepped);
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    (void)state;
    options.solver = "euler";
    options.engine = HBG_ENGINE_NATIVE;
    options.cache = "interrupted";
    options.progress = never;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_int_equal(end, HBG_RUN_INTERRUPTED);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_run_that_cannot_start_says_so_with_either_engine(void **state) {
    (void)state;
    for (int engine = HBG_ENGINE_INTERPRETER; engine <= HBG_ENGINE_NATIVE; engine++) {
        run_fixture f = fixture_load("model Short { Se a(1 [V]); Se b(2 [V]); 0 n; a -> n; b -> n;"
                                     "R r(1 [Ohm]); C c(1 [F]); n -> r; n -> c; }",
                                     &stepped);
        answer refused = run(&f, (hbg_engine)engine, "cache", NULL);
        assert_int_not_equal(refused.status, HBG_NO_PROGRAM);
        fixture_free(&f);
    }
}

/* Whichever allocation fails: the call says so, nothing leaks, the session stays of use. */
static void survives_every_failure(const char *text, const hbg_load_options *load) {
    int64_t n = 1;
    bool reached = true;
    for (; reached; n++) {
        hbg_session_options options = hbg_session_options_default();
        run_fixture f = {0};
        options.fail_at = n;
        hbg_status status = hbg_session_new(&options, &f.session);
        if (status == HBG_NO_MEMORY) continue;
        assert_int_equal(status, HBG_OK);
        status = hbg_load_text(f.session, "model.hbg", text, strlen(text), load, &f.model);
        if (status == HBG_OK) status = run(&f, HBG_ENGINE_NATIVE, "cache", NULL).status;
        reached = f.session->memory.calls >= n;
        if (status != (reached ? HBG_NO_MEMORY : HBG_OK))
            fail_msg("allocation %lld: %d", (long long)n, status);
        assert_null(f.session->run);
        hbg_session_free(f.session);
    }
    assert_true(n > 100);
}

static void a_native_run_survives_every_failure(void **state) {
    (void)state;
    survives_every_failure(CHARGING, &stepped);
}

/* Modes that are entered on the way make code, and memory for it. */
static void a_native_run_that_switches_survives_every_failure(void **state) {
    (void)state;
    static const char text[] =
        "model M { param k = 3; input bool sw = true; Se u(k); R r(2); C c(1); C d(1, q = 1); I l(1); 0 n; 0 "
        "m; 1 s;\n"
        "  1 j when a; 1 i when b; u -> s -> n; s -> r; n -> c; n -> j -> m; m -> d; n -> i -> l;\n"
        "  automaton a { off o -> p when c.q > 0.5 && sw; on p -> o when !sw; }\n"
        "  automaton b { off o -> p when d.q > 1.2; on p -> o when l.f > 0.4; }\n"
        "  experiment e { stop 2; at 1.5: sw = false; record c.q, l.f; } }\n";
    hbg_load_options load = {.step = "10 [ms]"};
    survives_every_failure(text, &load);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_takes_the_engine_it_is_told),
        cmocka_unit_test(a_run_that_cannot_be_compiled_says_why_and_writes_nothing),
        cmocka_unit_test(a_run_can_be_interrupted_while_it_is_compiled),
        cmocka_unit_test(a_run_that_cannot_start_says_so_with_either_engine),
        cmocka_unit_test(a_native_run_survives_every_failure),
        cmocka_unit_test(a_native_run_that_switches_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
