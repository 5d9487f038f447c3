/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instances in memory of the caller: the measured number of bytes suffices and one less does not, no byte
 * after them is touched, and two instances are independent. */
#include <math.h>

#include "rt/image_impl.h"
#include "rt/ship.h"

enum { MOST = 1 << 20, FREE = 64 };

/* A single package, as it is shipped, aligned to 8 bytes. */
static hbg_rt_shipped ship(const char *text, hbg_rt_options options) {
    static uint64_t words[MOST / 8];
    static unsigned char bytes[MOST];
    hbg_rt_bundle bundle;
    char reason[200];
    compile_text(text, "ship.hbi");
    FILE *file = fopen("ship.hbi", "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(hbg_rt_bundle_read(&bundle, bytes, size, reason, sizeof reason));
    hbg_rt_bundle_item item = hbg_rt_bundle_at(&bundle, 0);
    memcpy(words, item.bytes, item.size);
    return (hbg_rt_shipped){.image = words, .image_size = item.size, .options = options};
}

static size_t measure(const hbg_rt_shipped *model) {
    heap of = {0};
    size_t size;
    assert_int_equal(hbg_rt_shipped_measure(model, heap_memory(&of), &size), HBG_RT_OK);
    assert_int_equal(of.used, 0);
    return size;
}

static hbg_rt_run *init(const hbg_rt_shipped *model, void *memory, size_t size) {
    hbg_rt_run *run;
    hbg_rt_status status = hbg_rt_shipped_init(model, &model->options, memory, size, &run);
    if (status != HBG_RT_OK) assert_null(run);
    return run;
}

static double read_one(hbg_rt_run *run, hbg_rt_what what) {
    double values[16];
    if (hbg_rt_run_read(run, what, values) != HBG_RT_OK) fail_msg("%s", hbg_rt_run_failed(run)->text);
    return values[0];
}

/* A charged capacitor that a switch connects to 1 ohm at t = 1; the switch opens below 1 V and closes again
 * only after u was below 3 V. */
#define SWITCHED                                                                                             \
    "model M { param C = 1 [F]; input real u = 4 [V]; C c(C, q = 4 [C]); 0 n; 1 j when s; R r(1 [ohm]);"     \
    " n -> c; n -> j -> r; automaton s { off open -> closed when time >= 1 [s] && u > 3 [V];"                \
    " on closed -> done when n.e < 1 [V]; off done -> open when u < 3 [V]; }"                                \
    " experiment main { stop 10 [s]; record c.e; } }"

static void the_bytes_that_were_measured_do(void **state) {
    (void)state;
    static unsigned char memory[MOST];
    hbg_rt_shipped model = ship(SWITCHED, (hbg_rt_options){.stop = 10, .rtol = 1e-9});
    size_t size = measure(&model);
    assert_true(size + 1 + FREE <= sizeof memory);
    for (size_t shift = 0; shift < 16; shift += 5) { // wherever the memory begins
        memset(memory, 0xa5, sizeof memory);
        hbg_rt_run *run = init(&model, memory + shift, size);
        assert_non_null(run);
        assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
        assert_int_equal(hbg_rt_run_advance(run, 10), HBG_RT_OK);
        // e decays from 4 V with 1 s from t = 1 on, and stays at the 1 V where the switch opens
        assert_true(fabs(read_one(run, HBG_RT_READ_OUTPUTS) - 1) < 1e-6);
        assert_true(read_one(run, HBG_RT_READ_COMMITS) == 2);
        assert_int_equal(hbg_rt_run_finish(run, HBG_RT_OK), HBG_RT_OK);
        for (size_t i = 0; i < FREE; i++) assert_int_equal(memory[shift + size + i], 0xa5);
    }
    for (size_t less = 0; less < size / 2; less += 97) assert_null(init(&model, memory, less));
    assert_null(init(&model, NULL, size));
}

/* Parameters, inputs and lines that are set during the run allocate nothing after the start. */
static void what_is_set_later_needs_no_memory(void **state) {
    (void)state;
    static unsigned char memory[MOST];
    hbg_rt_shipped model = ship(SWITCHED, (hbg_rt_options){.stop = 10, .rtol = 1e-6});
    hbg_rt_run *run = init(&model, memory, measure(&model));
    assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
    for (int i = 1; i < 100; i++) {
        hbg_rt_set input = {.kind = HBG_RT_INPUT, .value = i % 2 ? 4 : 2};
        hbg_rt_set line = {.kind = HBG_RT_LINE, .value = 1, .slope = i % 2 ? 0.01 : 0};
        assert_int_equal(hbg_rt_run_set(run, &input), HBG_RT_OK);
        assert_int_equal(hbg_rt_run_set(run, &line), HBG_RT_OK);
        if (hbg_rt_run_advance(run, i * 0.1) != HBG_RT_OK) fail_msg("%s", hbg_rt_run_failed(run)->text);
    }
}

static void instances_do_not_notice_each_other(void **state) {
    (void)state;
    static unsigned char first[MOST], second[MOST];
    hbg_rt_shipped model =
        ship(SWITCHED, (hbg_rt_options){.stop = 10, .fixed = true, .method = HBG_RT_RK4, .step = 1e-2});
    size_t size = measure(&model);
    hbg_rt_run *a = init(&model, first, size), *b = init(&model, second, size);
    assert_int_equal(hbg_rt_run_set(b, &(hbg_rt_set){.kind = HBG_RT_PARAM, .value = 2}), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(a), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(b), HBG_RT_OK);
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(hbg_rt_run_advance(a, i * 0.1), HBG_RT_OK);
        assert_int_equal(hbg_rt_run_advance(b, i * 0.1), HBG_RT_OK);
    }
    // a second after closing: 4/e V, and 2·e^(−1/2) V of twice the capacitance with the same charge
    assert_true(fabs(read_one(a, HBG_RT_READ_OUTPUTS) - 4 * exp(-1)) < 1e-6);
    assert_true(fabs(read_one(b, HBG_RT_READ_OUTPUTS) - 2 * exp(-0.5)) < 1e-6);
}

typedef struct {
    int count, limit;
    double last;
} rows;

static bool take_row(void *context, double t, const double *outputs) {
    rows *of = context;
    (void)outputs;
    of->last = t;
    return ++of->count < of->limit;
}

/* Rows every 4 s of 10 s are at 0, 4, 8 and at the end: nothing jumps when modes change. */
static void the_last_row_is_that_of_the_end(void **state) {
    (void)state;
    static unsigned char memory[MOST];
    rows seen = {.limit = 100};
    hbg_rt_shipped model = ship(SWITCHED, (hbg_rt_options){.stop = 10, .rtol = 1e-6, .every = 4});
    hbg_rt_options options = model.options;
    hbg_rt_run *run;
    options.row = take_row;
    options.row_context = &seen;
    assert_int_equal(hbg_rt_shipped_init(&model, &options, memory, measure(&model), &run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_advance(run, 100), HBG_RT_OK);
    assert_true(seen.last == 8);
    assert_int_equal(hbg_rt_run_finish(run, HBG_RT_OK), HBG_RT_OK);
    assert_true(seen.last == 10 && seen.count == 4);
    assert_int_equal(hbg_rt_run_advance(run, 100), HBG_RT_BAD_OPTION);
    assert_non_null(strstr(hbg_rt_run_failed(run)->text, "the run is over"));
}

static void a_row_that_cannot_be_written_ends_the_run(void **state) {
    (void)state;
    static unsigned char memory[MOST];
    rows seen = {.limit = 3};
    hbg_rt_shipped model = ship(SWITCHED, (hbg_rt_options){.stop = 10, .rtol = 1e-6, .every = 1});
    hbg_rt_options options = model.options;
    hbg_rt_run *run;
    options.row = take_row;
    options.row_context = &seen;
    assert_int_equal(hbg_rt_shipped_init(&model, &options, memory, measure(&model), &run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_advance(run, 10), HBG_RT_CANNOT_WRITE);
    assert_int_equal(seen.count, 3);
}

static void bytes_that_are_no_image_are_refused(void **state) {
    (void)state;
    static unsigned char memory[MOST];
    hbg_rt_shipped model = ship(SWITCHED, (hbg_rt_options){.stop = 10});
    hbg_rt_run *run;
    model.image = (const unsigned char *)model.image + 4;
    assert_int_equal(hbg_rt_shipped_init(&model, &model.options, memory, MOST, &run), HBG_RT_BAD_IMAGE);
    model.image = (const unsigned char *)model.image + 4;
    assert_int_equal(hbg_rt_shipped_init(&model, &model.options, memory, MOST, &run), HBG_RT_BAD_IMAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_that_were_measured_do),
        cmocka_unit_test(what_is_set_later_needs_no_memory),
        cmocka_unit_test(instances_do_not_notice_each_other),
        cmocka_unit_test(the_last_row_is_that_of_the_end),
        cmocka_unit_test(a_row_that_cannot_be_written_ends_the_run),
        cmocka_unit_test(bytes_that_are_no_image_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
