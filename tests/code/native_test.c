/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled code in place of the interpreter gives the same bits: rates, outputs, powers, energies, Jacobians and roots of models by
 * hand, with frozen branches and without, and of many random graphs; and it is taken away again. Random graphs are printed first
 * and compiled as one text, since each call of a compiler takes its time. */
#include "compiled_impl.h"
#include "eqn/trial_impl.h"
#include "support/soak.h"

/* ---- models by hand ----------------------------------------------------------------------------------- */

/* At several places, as it is and frozen. */
static void compare_engines(const char *text, const int32_t *states) {
    fixture f;
    fixture_begin(&f, text);
    if (states) assert_fine(&f, hbg_rt_enter(f.run, states));
    hbg_rt_native_options options = {0};
    (void)answers_at(&f, 0); // tangents are there now, and are printed
    hbg_emit_library *library = load_text(&f.arena, native_text(&f, options));
    const void *table = hbg_emit_symbol(library, HBG_CODE_NATIVE);
    for (int i = 0; i < 40; i++) {
        double t = 0.37 * i;
        bool frozen = i % 4 == 3;
        for (int32_t k = 0; k < f.system->state_count; k++) f.x[k] = sin(1.7 * i + k) * (1 + i % 5);
        hbg_rt_thaw(f.run);
        if (frozen) assert_fine(&f, hbg_rt_freeze(f.run, t, f.x, NULL, 0));
        for (int32_t k = 0; k < f.system->state_count && frozen; k++) f.x[k] *= 1.5; // past some branches
        if (!engines_agree(&f, &options, table, t)) fail_msg("engines differ at t = %g:\n%s", t, text);
    }
    hbg_emit_unload(library);
    fixture_close(&f);
}

static void linear_and_nonlinear_loops_agree(void **state) {
    (void)state;
    compare_engines(
        "model M { Se s(10); R a(2); R b(3); R d(5); C c(2); 1 j; 0 n; 1 k; s -> j; j -> a; j -> n;"
        "n -> b; n -> k; k -> d; k -> c; output y = a.f; experiment e { stop 1; record y; } }",
        NULL);
    compare_engines(
        "model M { Se s(10*sin(time)); R a : e = f^3 + f; R b : e = 2*f + 0.1*f^3; C c(2); 1 j; 0 n;"
        "s -> j; j -> a; j -> n; n -> b; 1 k; R d : e = sinh(f); n -> k; k -> d; k -> c;"
        "output y = a.f; experiment e { stop 1; record y; } }",
        NULL);
}

static void branches_tables_and_functions_agree_frozen_or_not(void **state) {
    (void)state;
    compare_engines(
        "model M { I m(1); C c(1); 1 v; R r : e = abs(f) > 1 ? 2*f : f*abs(f); v -> m; v -> c; v -> r;"
        "Se s(min(2*time, 3) + max(sin(2*time), 0.2) + sign(c.q) + floor(1*time) - ceil(2*time)); s -> v;"
        "state z = 0 : der = pow(c.q^2 + 1, 0.3) + sqrt(abs(m.p)) + atan2(m.p, 2) + hypot(m.p, c.q);"
        "output y1 = m.p % 0.3, y2 = c.q^2, y3 = exp(m.p) + log(2 + c.q^2) + tanh(z) + cbrt(c.q);"
        "experiment e { stop 1; record y1, y2, y3; } }",
        NULL);
    FILE *file = fopen("bends.csv", "w");
    assert_non_null(file);
    fprintf(file, "time,v\n0,0\n1,2\n1,2.5\n4,3\n");
    assert_int_equal(fclose(file), 0);
    compare_engines("model M { C c : e = table(\"bends.csv\", \"v\", q); R r(1); 0 n; n -> c; n -> r;"
                    "Sf s(table(\"bends.csv\", \"v\")); s -> n; output y = c.e;"
                    "experiment e { stop 1; record y; } }",
                    NULL);
}

static void blocks_agree_in_every_mode(void **state) {
    static const char *const text =
        "model M { Se s(10); I m(5); C c(1); R r(2); R w : e = f^3 + f; 1 j when a; 0 n when b; s -> j; R "
        "q(1);"
        "j -> m; j -> q; j -> n; n -> c; n -> r; n -> w; output y = c.e + w.f; experiment e { stop 1; record "
        "y; }"
        "automaton a { on shut -> open when c.q > 100; off open -> shut when m.p < -100; }"
        "automaton b { on up -> down when m.p > 100; off down -> up when c.q < -100; } }";
    (void)state;
    for (int mode = 0; mode < 4; mode++) compare_engines(text, (const int32_t[]){mode & 1, mode >> 1});
}

/* ---- taking turns ------------------------------------------------------------------------------------- */

#define SWITCHED                                                                                             \
    "model M { Se s(10); I m(5); C c(1); R r(2); 1 j when a; s -> j; j -> m; j -> r; j -> c; output y = "    \
    "c.e;"                                                                                                   \
    "experiment e { stop 1; record y; }"                                                                     \
    "automaton a { on shut -> open when c.q > 100; off open -> shut when c.q < -100; } }"

static bool is_bound(const fixture *f, int32_t program) {
    return program >= 0 && program < f->code->native.count && f->code->native.code[program];
}

static int programs_in_use(fixture *f) {
    const hbg_rt_pools *pool = &f->code->image.pool;
    int count = 0;
    for (int32_t i = 0; i < f->code->segments.count; i++) {
        const variant_table *variants = &f->code->segments.items[i].variants;
        for (int32_t k = 0; k < variants->entries.count; k++)
            count +=
                is_bound(f, HBG_RT_AT(pool->variants, variants->entries.items[k].value)->code[HBG_RT_FIELD]);
        count += is_bound(f, HBG_RT_AT(pool->blocks, i)->code[HBG_RT_FIELD]);
    }
    return count;
}

/* Code of a mode that is met later stays with the interpreter. */
static void modes_met_later_are_interpreted(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, SWITCHED);
    hbg_emit_library *library = use_compiled(&f, (hbg_rt_native_options){0});
    int before = programs_in_use(&f);
    assert_true(before > 0);
    f.x[0] = 3;
    assert_exact(rate_of(&f, "m.p"), 10 - f.x[find_state(&f, "c.q")] - 2 * f.x[find_state(&f, "m.p")] / 5);
    assert_fine(&f, hbg_rt_enter(f.run, (const int32_t[]){1}));
    assert_exact(rate_of(&f, "m.p"), 0);
    assert_int_equal(programs_in_use(&f), before);
    assert_true(hbg_code_use_native(f.code, NULL, NULL));
    assert_int_equal(programs_in_use(&f), 0);
    assert_exact(rate_of(&f, "m.p"), 0);
    hbg_emit_unload(library);
    fixture_close(&f);
}

static void a_table_of_another_text_is_refused(void **state) {
    fixture f;
    hbg_rt_native_table table = {.version = HBG_RT_NATIVE_VERSION + 1, .program_count = 1000};
    hbg_rt_native_options options = {0};
    (void)state;
    fixture_begin(&f, SWITCHED);
    assert_false(hbg_code_use_native(f.code, &options, &table));
    table.version = HBG_RT_NATIVE_VERSION;
    assert_false(hbg_code_use_native(f.code, &options, &table));
    assert_int_equal(programs_in_use(&f), 0);
    assert_null(f.code->native.table);
    fixture_close(&f);
}

/* Sizes are those of the text: what is compiled is worth more the larger it is. */
static void a_larger_model_has_more_instructions(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(1, q = 1); R r(1); c -> r; }");
    int32_t small = hbg_code_size(f.code);
    fixture_close(&f);
    fixture_begin(&f, SWITCHED);
    assert_true(small > 0 && hbg_code_size(f.code) > small);
    fixture_close(&f);
}

/* ---- random graphs ------------------------------------------------------------------------------------ */

/* Texts of many models in one: names that each has for itself get its number. */
static struct {
    char *text;
    size_t size, capacity;
    int models, at, compared;
    const hbg_emit_library *library;
} batch;

static void batch_add(const char *text, size_t size) {
    if (batch.size + size + 1 > batch.capacity) {
        batch.capacity = 2 * (batch.size + size + 1);
        batch.text = realloc(batch.text, batch.capacity);
        assert_non_null(batch.text);
    }
    memcpy(batch.text + batch.size, text, size);
    batch.size += size;
    batch.text[batch.size] = '\0';
}

static void batch_define(int number, const char *name) {
    char line[120];
    int size = snprintf(line, sizeof line, "#undef %s\n#define %s m%d_%s\n", name, name, number, name);
    batch_add(line, (size_t)size);
}

static void print_one(trial *t, test_random *random) {
    static const char end_of_head[] = "looks;\n};\n";
    (void)random;
    (void)answers_at(&t->f, t->time);
    const char *text = native_text(&t->f, (hbg_rt_native_options){0});
    const char *body = strstr(text, end_of_head);
    assert_non_null(body);
    body += strlen(end_of_head);
    if (batch.models == 0) batch_add(text, (size_t)(body - text));
    batch_define(batch.models, "programs");
    batch_define(batch.models, HBG_CODE_NATIVE);
    for (int i = 0; i < 200; i++) {
        char name[2][40];
        snprintf(name[0], sizeof name[0], "static int p%d(", i);
        if (!strstr(body, name[0])) break;
        snprintf(name[0], sizeof name[0], "p%d", i);
        snprintf(name[1], sizeof name[1], "p%d_0", i);
        batch_define(batch.models, name[0]);
        batch_define(batch.models, name[1]);
    }
    batch_add(body, strlen(body));
    batch.models++;
}

static void compare_one(trial *t, test_random *random) {
    char name[60];
    hbg_rt_native_options options = {0};
    (void)answers_at(&t->f, t->time);
    snprintf(name, sizeof name, "m%d_%s", batch.at++, HBG_CODE_NATIVE);
    const void *table = hbg_emit_symbol(batch.library, name);
    TRIAL_ASSERT(t, table != NULL);
    for (int i = 0; i < 4; i++) {
        TRIAL_ASSERT(t, engines_agree(&t->f, &options, table, t->time + i));
        for (int32_t k = 0; k < t->f.system->state_count; k++)
            t->f.x[k] += random_eighths(random, 0, 32) / 7 - 2;
    }
    batch.compared++;
}

static void visit_batch(const net_plan *extra, int graphs, uint64_t seed) {
    hbg_memory memory = {0};
    hbg_arena arena;
    memset(&batch, 0, sizeof batch);
    hbg_base_arena_init(&arena, &memory);
    (void)visit_each(extra, graphs, seed, print_one);
    hbg_emit_library *library = load_text(&arena, batch.text);
    batch.library = library;
    (void)visit_each(extra, graphs, seed, compare_one);
    assert_int_equal(batch.compared, batch.models);
    hbg_emit_unload(library);
    hbg_base_arena_fini(&arena);
    free(batch.text);
}

static void random_graphs_agree(void **state) {
    (void)state;
    visit_batch(&(net_plan){0}, trials(20, 60), 71);
}

static void random_graphs_with_nonlinear_resistors_agree(void **state) {
    (void)state;
    visit_batch(&(net_plan){.cubes = 40}, trials(20, 60), 72);
}

static void random_graphs_with_switches_agree(void **state) {
    (void)state;
    visit_batch(&(net_plan){.controlled = 50}, trials(20, 60), 73);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_and_nonlinear_loops_agree),
        cmocka_unit_test(branches_tables_and_functions_agree_frozen_or_not),
        cmocka_unit_test(blocks_agree_in_every_mode),
        cmocka_unit_test(modes_met_later_are_interpreted),
        cmocka_unit_test(a_table_of_another_text_is_refused),
        cmocka_unit_test(a_larger_model_has_more_instructions),
        cmocka_unit_test(random_graphs_agree),
        cmocka_unit_test(random_graphs_with_nonlinear_resistors_agree),
        cmocka_unit_test(random_graphs_with_switches_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
