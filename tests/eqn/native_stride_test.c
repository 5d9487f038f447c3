/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides as one compiled function: states, works, modes and counts have the bits of strides that are interpreted, for every
 * method, through thousands of looks; they end at the same places; and who has no such function says so. */
#include "compiled_impl.h"

/* A capacitor fed by two switched sources, a coil on it, a slow sine: both automata move over and over. */
#define CONVERTER(more)                                                                                      \
    "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(0.01, q = 0); R load(5); s -> j; j -> r; j -> n; n "   \
    "-> c;"                                                                                                  \
    "n -> load; I coil(0.1); R w(20); 1 k; n -> k; k -> coil; k -> w; Se s2(3); R q(2); 1 h when !b; s2 "    \
    "-> h;"                                                                                                  \
    "h -> q; h -> n; Se v(sin(40*time)); v -> k; output y = c.e; experiment e { stop 1; record y; }"         \
    "automaton a { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; }"                         \
    "automaton b { on up -> down when c.e >= 4.8 && !(coil.f < 0.15); off down -> up when c.e < 4.2 || "     \
    "coil.f "                                                                                                \
    "< 0.05; }" more " }"

typedef struct {
    fixture f;
    hbg_emit_library *library;
    hbg_rt_stepper stepper;
    hbg_rt_stride stride;
    double *work;
    double *ends[3]; /* of the last step */
    int32_t states[4];
} strider;

static void open_strider(strider *s, const char *text, hbg_rt_method method, bool books, bool native) {
    memset(s, 0, sizeof *s);
    fixture_open(&s->f, text);
    const hbg_rt_system *system = s->f.system;
    assert_fine(&s->f, system->start(s->f.run, s->f.x));
    assert_fine(&s->f, system->enter(s->f.run, NULL));
    memcpy(s->states, system->start_states, (size_t)system->automaton_count * sizeof *s->states);
    hbg_rt_search search = {.system = system,
                            .instance = s->f.run,
                            .states = s->states,
                            .x = s->f.x,
                            .scratch = hbg_arena_alloc(&s->f.arena, hbg_rt_instant_scratch(system))};
    if (system->has_events) assert_fine(&s->f, hbg_rt_instant(&search, 0, true, NULL, 0));
    s->stepper = (hbg_rt_stepper){.system = system, .instance = s->f.run, .method = method};
    s->work = HBG_NEW_ARRAY(&s->f.arena, double, system->power_count + 1);
    if (books) s->stepper.work = HBG_NEW_ARRAY(&s->f.arena, double, system->power_count + 1);
    s->stepper.scratch = HBG_NEW_ARRAY(&s->f.arena, double,
                                       hbg_rt_step_scratch(&s->stepper) + hbg_rt_stride_scratch(&s->stepper));
    s->stride = (hbg_rt_stride){.stepper = &s->stepper,
                                .step = 1e-4,
                                .x = s->f.x,
                                .states = s->states,
                                .work = books ? s->work : NULL};
    for (int i = 0; i < 3; i++) s->ends[i] = HBG_NEW_ARRAY(&s->f.arena, double, system->state_count + 1);
    if (native)
        s->library =
            use_compiled(&s->f, (hbg_eqn_native_options){.strides = true, .method = method, .books = books});
}

static void close_strider(strider *s) {
    hbg_emit_unload(s->library);
    fixture_close(&s->f);
}

static hbg_rt_stride_end stride_on(strider *s, int64_t count, bool looked) {
    s->stride.first += (double)s->stride.done;
    s->stride.count = count;
    s->stride.looked = looked;
    bool drawn = count % 2 == 0;
    s->stride.x0 = drawn ? s->ends[0] : NULL;
    s->stride.dx0 = drawn ? s->ends[1] : NULL;
    s->stride.dx1 = drawn ? s->ends[2] : NULL;
    assert_fine(&s->f, hbg_rt_stride_run(&s->stride));
    return s->stride.end;
}

static void assert_same(const strider *a, const strider *b) {
    assert_int_equal(a->stride.end, b->stride.end);
    assert_int_equal(a->stride.done, b->stride.done);
    assert_int_equal(a->stride.moves, b->stride.moves);
    assert_int_equal(a->stride.commits, b->stride.commits);
    assert_memory_equal(a->f.x, b->f.x, (size_t)a->f.system->state_count * sizeof *a->f.x);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(a->ends[i], b->ends[i], (size_t)a->f.system->state_count * sizeof *a->f.x);
    assert_memory_equal(a->states, b->states, sizeof a->states);
    assert_int_equal(a->f.run->at.looks, b->f.run->at.looks);
    for (int32_t i = 0; i < a->f.eqn->relations.count; i++)
        assert_int_equal(a->f.run->at.truth[i], b->f.run->at.truth[i]);
    if (a->stride.work)
        assert_memory_equal(a->work, b->work, (size_t)a->f.system->power_count * sizeof *a->work);
}

static bool has_stride(const strider *s) {
    return s->f.eqn->native && s->f.eqn->native->stride;
}

static void compiled_strides_have_the_bits_of_interpreted_ones(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        strider native, plain;
        hbg_rt_method method = (hbg_rt_method)(i / 2);
        int64_t moves = 0;
        open_strider(&native, CONVERTER(""), method, i % 2, true);
        open_strider(&plain, CONVERTER(""), method, i % 2, false);
        assert_true(has_stride(&native));
        for (int part = 0; part < 12; part++) { // more looks than between two measurements of sizes
            int64_t count = part == 4 ? 6000 : 1 + 97 * part;
            (void)stride_on(&native, count, part % 3 == 0);
            (void)stride_on(&plain, count, part % 3 == 0);
            assert_same(&native, &plain);
            assert_int_equal(native.stride.end, HBG_RT_STRIDE_DONE);
            moves += native.stride.moves;
        }
        assert_true(moves > 100);
        close_strider(&native);
        close_strider(&plain);
    }
}

/* An automaton that is not calm, with a guard on time: its relation ends the stride. */
#define THIRD                                                                                                \
    "Se s3(1); R q3(9); 1 h3 when d; s3 -> h3; h3 -> q3; h3 -> n;"                                           \
    "automaton d { on up -> down when time > 0.4; off down -> up after 1; }"

static void they_end_at_the_same_search(void **state) {
    strider native, plain;
    (void)state;
    open_strider(&native, CONVERTER(THIRD), HBG_RT_ODE3, true, true);
    open_strider(&plain, CONVERTER(THIRD), HBG_RT_ODE3, true, false);
    assert_true(has_stride(&native));
    assert_int_equal(stride_on(&native, 20000, false), HBG_RT_STRIDE_SEARCH);
    assert_int_equal(stride_on(&plain, 20000, false), HBG_RT_STRIDE_SEARCH);
    assert_int_equal(native.stride.done, 4000);
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

static void they_end_before_what_is_not_finite(void **state) {
    static const char *const text = "model M { state z = 1 : der = 1000*z^3; state y = 0 : der = z; }";
    strider native, plain;
    (void)state;
    for (int i = 0; i < 4; i++) {
        open_strider(&native, text, (hbg_rt_method)i, true, true);
        open_strider(&plain, text, (hbg_rt_method)i, true, false);
        assert_true(has_stride(&native));
        assert_int_equal(stride_on(&native, 20000, false), HBG_RT_STRIDE_FAILED);
        assert_int_equal(stride_on(&plain, 20000, false), HBG_RT_STRIDE_FAILED);
        assert_same(&native, &plain);
        assert_true(native.stride.done > 3 && isfinite(native.f.x[0]));
        close_strider(&native);
        close_strider(&plain);
    }
}

/* Between two strides the run may do anything else: parameters, other evaluations, a mode that was entered. */
static void runs_may_change_between_strides(void **state) {
    strider native, plain, *both[] = {&native, &plain};
    (void)state;
    for (int i = 0; i < 2; i++) {
        open_strider(both[i], CONVERTER("param unused = 1; signal extra = unused;"), HBG_RT_HEUN, false,
                     i == 0);
        (void)stride_on(both[i], 500, false);
        set_param(&both[i]->f, "unused", 2);
        (void)output_at(&both[i]->f, "y", 0.3);
        assert_fine(&both[i]->f, both[i]->f.system->hold(both[i]->f.run, 0, 0)); // interpreted meanwhile
        (void)stride_on(both[i], 500, false);
        assert_fine(&both[i]->f, both[i]->f.system->hold(both[i]->f.run, 0, HBG_RT_HOLD_NOT));
        (void)stride_on(both[i], 500, false);
    }
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

/* Made for one method, with works or without: another stride is interpreted. */
static void a_stride_of_another_kind_is_interpreted(void **state) {
    strider native, plain;
    (void)state;
    open_strider(&native, CONVERTER(""), HBG_RT_ODE3, true, true);
    open_strider(&plain, CONVERTER(""), HBG_RT_EULER, true, false);
    native.stepper.method = HBG_RT_EULER;
    (void)stride_on(&native, 1000, false);
    (void)stride_on(&plain, 1000, false);
    assert_same(&native, &plain);
    native.stepper.method = plain.stepper.method = HBG_RT_ODE3;
    native.stride.work = plain.stride.work = NULL;
    (void)stride_on(&native, 1000, false);
    (void)stride_on(&plain, 1000, false);
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

#define LOOP                                                                                                 \
    "model M { Se s(10); R a : e = f^3 + f; R b(3); R d(5); C c(2); 1 j; 0 n; 1 k; s -> j; j -> a; j -> n;"  \
    "n -> b; n -> k; k -> d; k -> c; }"
#define TABLE "model M { C c : e = table(\"bends.csv\", \"v\", q); R r(1); 0 n; n -> c; n -> r; }"
#define BLOCK                                                                                                \
    "model M { Se s(10); I m(5); C c(1); R r(2); 1 j when x; s -> j; j -> m; j -> r; j -> c;"                \
    "automaton x { on shut -> open when c.q > 100; off open -> shut when c.q < -100; } }"

static void models_with_loops_tables_or_blocks_have_none_and_stride_all_the_same(void **state) {
    static const char *const texts[] = {LOOP, TABLE, BLOCK};
    FILE *file = fopen("bends.csv", "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "time,v\n0,0\n1,2\n1,2.5\n4,3\n");
    assert_int_equal(fclose(file), 0);
    for (int i = 0; i < 3; i++) {
        strider native, plain;
        open_strider(&native, texts[i], HBG_RT_ODE3, true, true);
        open_strider(&plain, texts[i], HBG_RT_ODE3, true, false);
        assert_false(has_stride(&native));
        (void)stride_on(&native, 300, false);
        (void)stride_on(&plain, 300, false);
        assert_int_equal(native.stride.done, 300);
        assert_same(&native, &plain);
        close_strider(&native);
        close_strider(&plain);
    }
}

/* What a compiler would choke on is left to programs in parts. */
static void very_large_models_have_none(void **state) {
    fixture f;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_buffer model;
    (void)state;
    hbg_arena_init(&arena, &memory);
    hbg_buffer_init(&model, &arena);
    hbg_buffer_text(&model, "model Many { ");
    for (int i = 0; i < 1200; i++)
        hbg_buffer_print(&model, "state z%d = 1 : der = sin(z%d) - 2*z%d; ", i, (i + 1) % 1200, i);
    hbg_buffer_text(&model, "}");
    fixture_begin(&f, model.data);
    hbg_eqn_native_options options = {.strides = true, .method = HBG_RT_EULER};
    assert_null(strstr(native_text(&f, options), "static void stride("));
    fixture_close(&f);
    hbg_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_strides_have_the_bits_of_interpreted_ones),
        cmocka_unit_test(they_end_at_the_same_search),
        cmocka_unit_test(they_end_before_what_is_not_finite),
        cmocka_unit_test(runs_may_change_between_strides),
        cmocka_unit_test(a_stride_of_another_kind_is_interpreted),
        cmocka_unit_test(models_with_loops_tables_or_blocks_have_none_and_stride_all_the_same),
        cmocka_unit_test(very_large_models_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
