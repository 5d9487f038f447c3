/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs that are saved in the middle: restored, also in another run of the same image, they continue with the
 * same bits. */
#include "rt/image_impl.h"

enum { MOST = 200, PIECES = 10 };

typedef struct {
    double states[MOST], outputs[MOST], work[MOST], energies[MOST], modes[MOST];
    double t;
    hbg_rt_status status;
} place;

static void look(hbg_rt_run *run, place *at) {
    memset(at, 0, sizeof *at);
    assert_int_equal(hbg_rt_run_read(run, HBG_RT_READ_TIME, &at->t), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(run, HBG_RT_READ_STATES, at->states), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(run, HBG_RT_READ_OUTPUTS, at->outputs), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(run, HBG_RT_READ_ENERGIES, at->energies), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(run, HBG_RT_READ_WORK, at->work), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(run, HBG_RT_READ_MODES, at->modes), HBG_RT_OK);
}

/* Advances a run from its present time to its stop, in pieces. */
static void go_on(hbg_rt_run *run, double stop, int from, place *at) {
    for (int i = from; i <= PIECES; i++) {
        hbg_rt_status status = hbg_rt_run_advance(run, stop * i / PIECES);
        memset(&at[i], 0, sizeof at[i]);
        if (status == HBG_RT_OK) look(run, &at[i]);
        at[i].status = status;
        if (status != HBG_RT_OK) return;
    }
}

static void compare(const char *name, const char *how, const place *one, const place *other, int from) {
    for (int i = from; i <= PIECES; i++) {
        if (memcmp(&one[i], &other[i], sizeof *one) != 0)
            fail_msg("%s: %s from piece %d on, piece %d differs at t = %.17g and %.17g", name, how, from, i,
                     one[i].t, other[i].t);
        if (one[i].status != HBG_RT_OK) return;
    }
}

typedef struct {
    const char *name;
    double stop; /* 0: that of the experiment */
    hbg_rt_options options;
} trial;

/* Saves after each piece; saving does not affect the run. */
static void check_piece(const trial *of, const hbg_rt_loaded *loaded, const hbg_rt_options *options,
                        int piece, const place *straight) {
    static place again[PIECES + 1], back[PIECES + 1], fresh[PIECES + 1];
    hbg_rt_run *run, *other;
    assert_int_equal(hbg_rt_run_new(loaded, options, &run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
    for (int i = 1; i <= piece; i++) {
        assert_int_equal(hbg_rt_run_advance(run, options->stop * i / PIECES), HBG_RT_OK);
        look(run, &again[i]);
    }
    size_t size = hbg_rt_run_save(run, NULL, 0);
    assert_true(size > 0);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(hbg_rt_run_save(run, bytes, size), size);
    go_on(run, options->stop, piece + 1, again);
    compare(of->name, "saved and gone on", straight, again, piece + 1);
    assert_int_equal(hbg_rt_run_restore(run, bytes, size), HBG_RT_OK);
    go_on(run, options->stop, piece + 1, back);
    compare(of->name, "gone back to", straight, back, piece + 1);
    assert_int_equal(hbg_rt_run_new(loaded, options, &other), HBG_RT_OK);
    if (hbg_rt_run_restore(other, bytes, size) != HBG_RT_OK)
        fail_msg("%s: %s", of->name, hbg_rt_run_failed(other)->text);
    go_on(other, options->stop, piece + 1, fresh);
    compare(of->name, "in another run", straight, fresh, piece + 1);
    free(bytes);
    hbg_rt_run_free(run);
    hbg_rt_run_free(other);
}

static void check(const trial *of, const char *path) {
    static place straight[PIECES + 1];
    heap h = {0};
    hbg_rt_loaded *loaded = read_image(path, &h);
    hbg_rt_options options = of->options;
    options.memory = heap_memory(&h);
    options.stop = of->stop > 0 ? of->stop : hbg_rt_loaded_package(loaded)->pace.stop;
    options.ledger = true;
    hbg_rt_run *run;
    assert_int_equal(hbg_rt_run_new(loaded, &options, &run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
    go_on(run, options.stop, 1, straight);
    hbg_rt_run_free(run);
    assert_int_equal(straight[1].status, HBG_RT_OK);
    for (int piece = 1; piece < PIECES && straight[piece].status == HBG_RT_OK; piece += 2)
        check_piece(of, loaded, &options, piece, straight);
    hbg_rt_loaded_free(loaded);
    assert_int_equal(h.used, 0);
}

static void a_saved_run_goes_on_with_the_same_bits(void **state) {
    static const trial trials[] = {
        {.name = "diode-inductor"},
        {.name = "ball-restitution"},         // restitution, located guards
        {.name = "construct-after"},          // waits
        {.name = "construct-every"},          // automata with clocks
        {.name = "construct-sensors"},        // samples through sensors with noise, faults
        {.name = "construct-faults"},         // faults ahead
        {.name = "construct-pre-impulse-in"}, // pre, in, pulses
        {.name = "construct-signals"},        // tables, abs, min
        {.name = "two-capacitors"},           // dependent storages
        {.name = "construct-law"},            // laws with kinks
        {.name = "cam-valve"},
        {.name = "communicating-vessels"},
        {.name = "falling-rod"},
        {.name = "limited-force"},
        {.name = "inelastic-collapse"},
        {.name = "ball-combined"},
        {.name = "sampled-positioning", .options = {.fixed = true, .method = HBG_RT_RK4, .step = 1e-3}},
        {.name = "construct-after", .options = {.fixed = true, .method = HBG_RT_TRAPEZOIDAL, .step = 1e-3}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        compile_example(trials[i].name, "model.hbi");
        check(&trials[i], "model.hbi");
    }
}

static void what_is_not_a_saved_run_is_refused(void **state) {
    heap h = {0};
    (void)state;
    compile_example("construct-after", "model.hbi");
    hbg_rt_loaded *loaded = read_image("model.hbi", &h);
    hbg_rt_options options = {.memory = heap_memory(&h), .stop = 1};
    hbg_rt_run *run, *other;
    assert_int_equal(hbg_rt_run_new(loaded, &options, &run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_save(run, NULL, 0), 0); // it has not been started
    assert_int_equal(hbg_rt_run_start(run), HBG_RT_OK);
    size_t size = hbg_rt_run_save(run, NULL, 0);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(hbg_rt_run_save(run, bytes, size), size);
    for (size_t i = 0; i < size; i += size / 97 + 1) { // a changed bit
        bytes[i] ^= 4;
        assert_int_equal(hbg_rt_run_restore(run, bytes, size), HBG_RT_BAD_OPTION);
        bytes[i] ^= 4;
    }
    assert_int_equal(hbg_rt_run_restore(run, bytes, size - 1), HBG_RT_BAD_OPTION);
    assert_int_equal(hbg_rt_run_restore(run, bytes, 3), HBG_RT_BAD_OPTION);
    options.fixed = true;
    options.step = 0.01;
    assert_int_equal(hbg_rt_run_new(loaded, &options, &other), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_restore(other, bytes, size), HBG_RT_BAD_OPTION); // another method
    assert_non_null(strstr(hbg_rt_run_failed(other)->text, "these options"));
    assert_int_equal(hbg_rt_run_restore(run, bytes, size), HBG_RT_OK);
    free(bytes);
    hbg_rt_run_free(other);
    hbg_rt_run_free(run);
    hbg_rt_loaded_free(loaded);
    assert_int_equal(h.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_run_goes_on_with_the_same_bits),
        cmocka_unit_test(what_is_not_a_saved_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
