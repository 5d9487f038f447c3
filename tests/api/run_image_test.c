/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Images: what is written is what is run, and bytes that are wrong in any place are refused, or run within their arrays. */
#include "run_fixture_impl.h"

#include "rt/mend_impl.h"

/* A switch, a diode and a coil; collisions; a table over time; a clock; pre, pulses and in; a loop with laws. */
static const char *const models[] = {"diode-inductor",  "construct-restitution",    "table-input",
                                     "construct-every", "construct-pre-impulse-in", "construct-law"};
enum { MODELS = sizeof models / sizeof *models };

static run_fixture load_example(const char *name) {
    run_fixture f;
    char path[512];
    snprintf(path, sizeof path, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
    assert_int_equal(hbg_session_new(NULL, &f.session), HBG_OK);
    assert_int_equal(hbg_load_file(f.session, path, NULL, &f.model), HBG_OK);
    return f;
}

static char *read_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 8);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void compile_to(const char *name, const char *path) {
    run_fixture f = load_example(name);
    hbg_run_options options = hbg_run_options_default();
    hbg_status status = hbg_compile(f.session, f.model, &options, path);
    if (status != HBG_OK) fail_msg("%s: %s", path, hbg_session_reason(f.session));
    hbg_session_free(f.session);
}

/* Ends a run after so many looks: a broken file may ask for a long one. */
static bool look(void *context, double t, double stop) {
    int *left = context;
    (void)t, (void)stop;
    return --*left > 0;
}

static hbg_status run_file(const char *path, const char *rows, hbg_run_end *end) {
    hbg_session *session;
    hbg_text text;
    int left = 200;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    hbg_run_options options = hbg_run_options_default();
    options.files = &rows;
    options.file_count = rows ? 1 : 0;
    options.engine = HBG_ENGINE_INTERPRETER;
    if (!rows) options.progress = look;
    options.context = &left;
    hbg_model *model = NULL;
    hbg_status status = hbg_load_image(session, path, NULL, &model);
    if (status == HBG_OK) status = hbg_run(session, model, &options, end, &text);
    if (status == HBG_OK) hbg_text_free(session, &text);
    bool told = strlen(hbg_session_reason(session)) > 0 || hbg_error_count(session) > 0;
    if (status != HBG_OK) assert_true(told || status == HBG_NO_MEMORY);
    hbg_session_free(session);
    return status;
}

/* ---- claims ------------------------------------------------------------------------------------------- */

static void an_image_gives_the_rows_of_its_model(void **state) {
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        run_fixture f = load_example(models[i]);
        hbg_run_options options = hbg_run_options_default();
        const char *rows = "model.csv";
        hbg_run_end end;
        hbg_text text;
        size_t size, other_size;
        options.files = &rows;
        options.file_count = 1;
        options.engine = HBG_ENGINE_INTERPRETER;
        assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
        assert_int_equal(end, HBG_RUN_FINISHED);
        hbg_text_free(f.session, &text);
        hbg_session_free(f.session);
        compile_to(models[i], "model.hbi");
        assert_int_equal(run_file("model.hbi", "image.csv", &end), HBG_OK);
        assert_int_equal(end, HBG_RUN_FINISHED);
        char *bytes = read_bytes("model.csv", &size), *others = read_bytes("image.csv", &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, others, size);
        free(bytes);
        free(others);
    }
}

static void the_same_model_gives_the_same_bytes(void **state) {
    size_t size, other_size;
    (void)state;
    compile_to(models[0], "once.hbi");
    compile_to(models[0], "twice.hbi");
    char *once = read_bytes("once.hbi", &size), *twice = read_bytes("twice.hbi", &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(once, twice, size);
    free(once);
    free(twice);
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    size_t size;
    hbg_run_end end;
    (void)state;
    compile_to(models[0], "whole.hbi");
    char *bytes = read_bytes("whole.hbi", &size);
    for (size_t cut = 0; cut < size; cut += cut < 2000 ? 97 : 1009) {
        write_bytes("cut.hbi", bytes, cut);
        assert_int_equal(run_file("cut.hbi", NULL, &end), HBG_BAD_ARGUMENT);
    }
    bytes[40] ^= 1; // of the sum
    write_bytes("cut.hbi", bytes, size);
    assert_int_equal(run_file("cut.hbi", NULL, &end), HBG_BAD_ARGUMENT);
    write_bytes("cut.hbi", "model M { }", 11);
    assert_int_equal(run_file("cut.hbi", NULL, &end), HBG_BAD_ARGUMENT);
    free(bytes);
}

/* ---- broken in any place ------------------------------------------------------------------------------ */

static uint64_t next_random(uint64_t *seed) { /* splitmix64 */
    uint64_t z = (*seed += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Any four bytes behind the heads become a number that is near others, at an end, or anything. */
static void break_somewhere(char *bytes, uint64_t *seed) {
    size_t at = mend_place(bytes, next_random(seed));
    const int32_t ends[] = {-1, 0, 1, 2, INT32_MAX, INT32_MIN, 1000, -2};
    int32_t old, now;
    memcpy(&old, bytes + at, sizeof old);
    switch (next_random(seed) % 4) {
    case 0: now = (int32_t)((uint32_t)old + 1); break;
    case 1: now = (int32_t)((uint32_t)old - 1); break;
    case 2: now = ends[next_random(seed) % 8]; break;
    default: now = (int32_t)next_random(seed);
    }
    memcpy(bytes + at, &now, sizeof now);
}

static void what_is_broken_is_refused_or_runs_within_its_arrays(void **state) {
    int refused = 0, ran = 0;
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        size_t size;
        compile_to(models[i], "fine.hbi");
        char *bytes = read_bytes("fine.hbi", &size), *broken = malloc(size);
        assert_non_null(broken);
        for (uint64_t n = 0; n < 120; n++) {
            uint64_t seed = 1000 * i + n;
            hbg_run_end end;
            memcpy(broken, bytes, size);
            for (uint64_t k = 0; k <= n % 3; k++) break_somewhere(broken, &seed);
            mend_file(broken);
            write_bytes("broken.hbi", broken, size);
            if (run_file("broken.hbi", NULL, &end) == HBG_OK)
                ran++;
            else
                refused++;
        }
        free(bytes);
        free(broken);
    }
    print_message("%d refused, %d ran\n", refused, ran);
    assert_true(refused > 300 && ran > 150);
}

/* ---- memory that ends ---------------------------------------------------------------------------------- */

static hbg_status compile_with(int64_t fail_at, const char *path) {
    hbg_session *session;
    hbg_model *model = NULL;
    hbg_session_options limits = hbg_session_options_default();
    hbg_run_options options = hbg_run_options_default();
    limits.fail_at = fail_at;
    hbg_status status = hbg_session_new(&limits, &session);
    if (status != HBG_OK) return status;
    status =
        hbg_load_file(session, HBG_SOURCE_DIR "/examples/diode-inductor/diode-inductor.hbg", NULL, &model);
    if (status == HBG_OK) status = hbg_compile(session, model, &options, path);
    hbg_session_free(session);
    return status;
}

static hbg_status run_with(int64_t fail_at, const char *path) {
    static const char *const fault = "at 50 [us]: series abrupt -30 [%]";
    hbg_session *session;
    hbg_model *model = NULL;
    hbg_session_options limits = hbg_session_options_default();
    hbg_load_options load = {.faults = &fault, .fault_count = 1};
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    limits.fail_at = fail_at;
    hbg_status status = hbg_session_new(&limits, &session);
    if (status != HBG_OK) return status;
    options.engine = HBG_ENGINE_INTERPRETER;
    options.explain = 5;
    status = hbg_load_image(session, path, &load, &model);
    if (status == HBG_OK) status = hbg_run(session, model, &options, &end, &text);
    if (status == HBG_OK) hbg_text_free(session, &text);
    hbg_session_free(session);
    return status;
}

/* Wherever it does, a status says so and everything is given back. */
static void memory_that_ends_is_a_status(void **state) {
    hbg_status (*const calls[])(int64_t, const char *) = {compile_with, run_with};
    (void)state;
    compile_to("diode-inductor", "image.hbi");
    for (int i = 0; i < 2; i++) {
        int failures = 0;
        hbg_status status = HBG_NO_MEMORY;
        for (int64_t fail_at = 1; status != HBG_OK; fail_at += 1 + fail_at / 12, failures++) {
            status = calls[i](fail_at, i == 0 ? "exhausted.hbi" : "image.hbi");
            if (status != HBG_OK && status != HBG_NO_MEMORY)
                fail_msg("%d: allocation %d: %s", i, (int)fail_at, hbg_status_text(status));
        }
        assert_true(failures > 30);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_gives_the_rows_of_its_model),
        cmocka_unit_test(the_same_model_gives_the_same_bytes),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(what_is_broken_is_refused_or_runs_within_its_arrays),
        cmocka_unit_test(memory_that_ends_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
