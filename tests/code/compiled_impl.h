/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiled model of which the code is compiled once more, by the system's compiler; what it gives is compared bit by bit with what
 * the interpreter gives. Objects are kept in the folder of the test. */
#ifndef HBG_TESTS_CODE_COMPILED_IMPL_H
#define HBG_TESTS_CODE_COMPILED_IMPL_H

#include "code/native_impl.h"
#include "emit/emit.h"
#include "eqn/fixture_impl.h"

static inline const char *native_text(fixture *f, hbg_rt_native_options options) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    hbg_code_print_native(f->code, &options, &out);
    assert_int_equal(strlen(out.data), out.size);
    return out.data;
}

static inline hbg_emit_library *load_text(hbg_arena *arena, const char *text) {
    const char *reason = "";
    hbg_emit_library *library;
    hbg_emit_native native = {.text = text, .size = strlen(text), .folder = "cache"};
    if (hbg_emit_load(arena, &native, &library, &reason) != HBG_OK) fail_msg("%s\n%s", reason, text);
    return library;
}

static inline hbg_emit_library *use_compiled(fixture *f, hbg_rt_native_options options) {
    hbg_emit_library *library = load_text(&f->arena, native_text(f, options));
    assert_true(hbg_code_use_native(f->code, &options, hbg_emit_symbol(library, HBG_CODE_NATIVE)));
    return library;
}

/* ---- comparing ---------------------------------------------------------------------------------------- */

/* Everything a system computes at a place, one behind the other. */
typedef struct {
    double *value;
    size_t count;
    hbg_rt_status status[6];
} answers;

static inline answers answers_at(fixture *f, double t) {
    const hbg_rt_description *system = f->system;
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(f->run);
    size_t parts[6] = {(size_t)system->state_count,          (size_t)system->output_count,
                       (size_t)system->power_count,          (size_t)system->storage_count,
                       (size_t)pattern.start[pattern.count], (size_t)system->root_count};
    answers all = {0};
    for (int i = 0; i < 6; i++) all.count += parts[i];
    double *at = all.value = HBG_NEW_ARRAY(&f->arena, double, all.count + 1);
    all.status[0] = hbg_rt_rates(f->run, t, f->x, at);
    all.status[1] = hbg_rt_outputs(f->run, t, f->x, at += parts[0]);
    all.status[2] = hbg_rt_powers(f->run, t, f->x, at += parts[1]);
    all.status[3] = hbg_rt_energies(f->run, t, f->x, at += parts[2]);
    all.status[4] = hbg_rt_jacobian(f->run, t, f->x, at += parts[3]);
    all.status[5] = hbg_rt_indicators(f->run, t, f->x, at += parts[4]);
    return all;
}

static inline bool same_answers(answers a, answers b) {
    return a.count == b.count && memcmp(a.status, b.status, sizeof a.status) == 0 &&
           memcmp(a.value, b.value, a.count * sizeof *a.value) == 0;
}

/* One run, once by each engine: a loop that is solved by a search begins where it ended before, so that both find it warm. */
static inline bool engines_agree(fixture *f, const hbg_rt_native_options *options, const void *table,
                                 double t) {
    (void)hbg_code_use_native(f->code, NULL, NULL);
    (void)answers_at(f, t);
    answers interpreted = answers_at(f, t);
    assert_true(hbg_code_use_native(f->code, options, table));
    answers compiled = answers_at(f, t);
    (void)hbg_code_use_native(f->code, NULL, NULL);
    return same_answers(interpreted, compiled);
}

#endif
