/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One stride after the other on a compiled model, natively or not, and what two of them have to agree on. */
#ifndef HBG_TESTS_CODE_STRIDER_IMPL_H
#define HBG_TESTS_CODE_STRIDER_IMPL_H

#include "compiled_impl.h"

/* A capacitor fed by two switched sources, a coil on it, a slow sine: both automata move over and over. */
#define CONVERTER_OF(records, more)                                                                          \
    "model M { Se s(10); R r(1); 1 j when a; 0 n; C c(0.01, q = 0); R load(5); s -> j; j -> r; j -> n; n "   \
    "-> c;"                                                                                                  \
    "n -> load; I coil(0.1); R w(20); 1 k; n -> k; k -> coil; k -> w; Se s2(3); R q(2); 1 h when !b; s2 "    \
    "-> h;"                                                                                                  \
    "h -> q; h -> n; Se v(sin(40*time)); v -> k; output y = c.e; experiment e { stop 1; record " records     \
    "; }"                                                                                                    \
    "automaton a { on shut -> open when c.e >= 5; off open -> shut when c.e <= 4; }"                         \
    "automaton b { on up -> down when c.e >= 4.8 && !(coil.f < 0.15); off down -> up when c.e < 4.2 || "     \
    "coil.f "                                                                                                \
    "< 0.05; }" more " }"

#define CONVERTER(more) CONVERTER_OF("y", more)

enum { ROWS = 64 };

typedef struct {
    fixture f;
    hbg_emit_library *library;
    hbg_rt_stepper stepper;
    hbg_rt_stride stride;
    double *work;
    hbg_rt_extent extent;
    hbg_rt_row rows[ROWS];
    int32_t states[4];
} strider;

static inline void open_strider_as(strider *s, const char *text, hbg_rt_method method, bool books,
                                   bool may_move) {
    memset(s, 0, sizeof *s);
    fixture_open_as(&s->f, text, may_move);
    const hbg_rt_description *system = s->f.system;
    assert_fine(&s->f, hbg_rt_declare(s->f.run, s->f.x));
    assert_fine(&s->f, hbg_rt_enter(s->f.run, NULL));
    memcpy(s->states, system->start_states, (size_t)system->automaton_count * sizeof *s->states);
    hbg_rt_search search = {.system = system,
                            .instance = s->f.run,
                            .states = s->states,
                            .x = s->f.x,
                            .scratch = hbg_base_arena_alloc(&s->f.arena, hbg_rt_instant_scratch(system))};
    if (system->has_events) assert_fine(&s->f, hbg_rt_instant(&search, 0, true, NULL, 0));
    s->stepper = (hbg_rt_stepper){.system = system, .instance = s->f.run, .method = method};
    s->work = HBG_NEW_ARRAY(&s->f.arena, double, system->power_count + 1);
    if (books) s->stepper.work = HBG_NEW_ARRAY(&s->f.arena, double, system->power_count + 1);
    s->stepper.scratch = HBG_NEW_ARRAY(&s->f.arena, double,
                                       hbg_rt_step_scratch(&s->stepper) + hbg_rt_stride_scratch(&s->stepper));
    s->stride = (hbg_rt_stride){.stepper = &s->stepper,
                                .grid = hbg_rt_grid_of(1e-4),
                                .x = s->f.x,
                                .states = s->states,
                                .work = books ? s->work : NULL};
    s->stride.outputs = HBG_NEW_ARRAY(&s->f.arena, double, ROWS *(system->output_count + 1));
}

static inline void open_strider(strider *s, const char *text, hbg_rt_method method, bool books, bool native) {
    open_strider_as(s, text, method, books, false);
    if (native)
        s->library =
            use_compiled(&s->f, (hbg_rt_native_options){.strides = true, .method = method, .books = books});
}

/* From now on of these outputs, compiled anew for them. */
static inline void keep_extent(strider *s, int32_t count) {
    double **arrays[] = {&s->extent.last, &s->extent.low, &s->extent.high, &s->extent.area};
    for (int i = 0; i < 4; i++) *arrays[i] = HBG_NEW_ARRAY(&s->f.arena, double, count + 1);
    s->extent.count = count;
    s->stride.extent = &s->extent;
    hbg_rt_native_options options = s->f.code->native.options;
    options.extent = count;
    if (!s->library) return;
    hbg_emit_unload(s->library);
    s->library = use_compiled(&s->f, options);
}

static inline void close_strider(strider *s) {
    hbg_emit_unload(s->library);
    fixture_close(&s->f);
}

static inline hbg_rt_stride_end stride_on(strider *s, int64_t count, bool looked) {
    s->stride.first += (double)s->stride.done;
    s->stride.count = count;
    s->stride.looked = looked;
    assert_fine(&s->f, hbg_rt_stride_run(&s->stride));
    return s->stride.end;
}

static inline void assert_same(const strider *a, const strider *b) {
    assert_int_equal(a->stride.end, b->stride.end);
    assert_int_equal(a->stride.done, b->stride.done);
    assert_int_equal(a->stride.moves, b->stride.moves);
    assert_int_equal(a->stride.commits, b->stride.commits);
    assert_memory_equal(a->f.x, b->f.x, (size_t)a->f.system->state_count * sizeof *a->f.x);
    assert_int_equal(a->stride.row_done, b->stride.row_done);
    assert_memory_equal(a->stride.outputs, b->stride.outputs,
                        (size_t)(a->stride.row_done * a->f.system->output_count) * sizeof(double));
    const double *extents[][2] = {{a->extent.last, b->extent.last},
                                  {a->extent.low, b->extent.low},
                                  {a->extent.high, b->extent.high},
                                  {a->extent.area, b->extent.area}};
    for (int i = 0; i < 4 && a->stride.extent; i++)
        assert_memory_equal(extents[i][0], extents[i][1], (size_t)a->extent.count * sizeof(double));
    assert_memory_equal(a->states, b->states, sizeof a->states);
    assert_int_equal(a->f.run->at.look.looks, b->f.run->at.look.looks);
    for (int32_t i = 0; i < a->f.eqn->relations.count; i++)
        assert_int_equal(a->f.run->at.watch.truth[i], b->f.run->at.watch.truth[i]);
    if (a->stride.work)
        assert_memory_equal(a->work, b->work, (size_t)a->f.system->power_count * sizeof *a->work);
}

static inline bool has_stride(const strider *s) {
    return s->f.code->native.table && s->f.code->native.table->stride;
}

#endif
