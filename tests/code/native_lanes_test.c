/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides of several runs at once: every lane has the bits of the stride of a single run, and where one lane cannot go on all stand
 * where they stood before that step, with that lane told apart. */
#include "compiled_impl.h"

/* A converter whose switch needs no search, with functions of every kind beside it. */
static const char converter[] =
    "model M { param g = 1; Se s(10); 1 m; I coil(0.1); s -> m; m -> coil; 0 b when u; 1 a when u; 0 n;"
    "m -> b; b -> a; a -> n; C c(0.01, q = 0.2); R load(5); n -> c; n -> load;"
    "state w = 0.5 : der = g * (sin(w) + exp(-w) * log(w + 2) + (w + 1)^1.5 - tanh(w) - abs(w) * w);"
    "output y = c.e, z = w; experiment e { stop 1; record y, z; }"
    "automaton u { on shut -> open when coil.f < 1; off open -> shut when coil.f > 3; } }";

enum { MOST = 8, STATES = 3 };

/* What a stride is called with, of one run. */
typedef struct {
    double x[STATES], r[4096], last[2], low[2], high[2], area[2], near[2];
    int32_t states[1];
    uint8_t truth[2];
    int64_t on[4];
    hbg_rt_native_stride call;
} lane;

static void begin(fixture *f, lane *l, double coil) {
    int32_t registers = f->code->image.code.mark.registers;
    assert_true(registers <= 4096 && f->system->state_count == STATES);
    memcpy(l->r, f->run->r, (size_t)registers * sizeof *l->r);
    memcpy(l->x, f->x, sizeof l->x);
    l->x[0] = coil;
    l->near[0] = l->near[1] = 1e-9;
    const hbg_rt_automaton_data *u = &f->code->image.instants.switching.automata[0];
    for (int i = 0; i < 4; i++) l->on[i] = i % 2 == u->start ? -1 : 0; // its first state is on
    l->states[0] = u->start;
    l->call = (hbg_rt_native_stride){.grid = {.step = 1e-3, .most = -1},
                                     .first = 3,
                                     .x = l->x,
                                     .states = l->states,
                                     .on = l->on,
                                     .near = l->near,
                                     .truth = l->truth,
                                     .last = l->last,
                                     .low = l->low,
                                     .high = l->high,
                                     .area = l->area};
}

static void lanes_have_the_bits_of_single_strides(void **state) {
    static lane one[MOST], many[MOST];
    hbg_rt_native_options options = {
        .strides = true, .method = HBG_RT_ODE3, .extent = 2, .lanes = hbg_emit_lanes()};
    const double *r[MOST];
    hbg_rt_native_stride *calls[MOST];
    const char *reason = "";
    hbg_emit_library *library;
    fixture f;
    int64_t made, moves = 0;
    (void)state;
    fixture_begin(&f, converter);
    const char *text = native_text(&f, options);
    hbg_emit_native native = {.text = text, .size = strlen(text), .folder = "cache", .lanes = options.lanes};
    if (hbg_emit_load(&f.arena, &native, &library, &reason) != HBG_OK) fail_msg("%s\n%s", reason, text);
    const hbg_rt_native_table *table = hbg_emit_symbol(library, HBG_CODE_NATIVE);
    assert_int_equal(table->width, options.lanes);
    for (int i = 0; i < options.lanes; i++) {
        begin(&f, &one[i], 0.3 * (i + 1));
        begin(&f, &many[i], 0.3 * (i + 1));
        r[i] = many[i].r;
        calls[i] = &many[i].call;
        one[i].call.count = 8;
        table->stride(one[i].r, &one[i].call);
        assert_int_equal(one[i].call.done, 8);
        moves += one[i].call.moves;
    }
    assert_true(moves > 0);
    assert_int_equal(table->lanes(options.lanes, r, calls, 5, &made), 0);
    assert_int_equal(made, 5);
    assert_int_equal(table->lanes(options.lanes, r, calls, 3, &made), 0); // it goes on where it stood
    for (int i = 0; i < options.lanes; i++) {
        assert_int_equal(many[i].call.done, 8);
        assert_int_equal(many[i].call.moves, one[i].call.moves);
        assert_int_equal(many[i].call.looks, one[i].call.looks);
        assert_int_equal(many[i].states[0], one[i].states[0]);
        assert_memory_equal(many[i].truth, one[i].truth, sizeof one[i].truth);
        assert_memory_equal(many[i].x, one[i].x, sizeof one[i].x);
        assert_memory_equal(many[i].area, one[i].area, sizeof one[i].area);
        assert_memory_equal(many[i].low, one[i].low, sizeof one[i].low);
    }
    lane before = many[0];
    many[1].x[0] = 1e308; // one lane is not finite any more: the other stays where it is
    many[1].x[2] = -1e308;
    uint32_t odd = table->lanes(2, r, calls, 5, &made);
    assert_int_equal(odd & 3, 2);
    assert_int_equal(made, 0);
    assert_memory_equal(many[0].x, before.x, sizeof before.x);
    assert_int_equal(many[0].call.moves, before.call.moves);
    hbg_emit_unload(library);
    fixture_close(&f);
}

static void nobody_gets_lanes_who_did_not_ask(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, converter);
    assert_null(strstr(native_text(&f, (hbg_rt_native_options){.strides = true}), "lanes("));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_single_strides),
        cmocka_unit_test(nobody_gets_lanes_who_did_not_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
