/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is asked for of a model whose tables were stored: the same comes of it as if its text had been read with that. */
#include "lang/fixture_impl.h"

/* All that a table can hold: components with ports, fields, laws, collisions, every kind of signal, tables, faults, plots. */
static const char text[] =
    "component Bulb(R0 = 5 [Ohm]) { port a : electrical; R r(R0); a -> r; port out i [A] = r.f; }\n"
    "model M \"nobody needs this\" {\n"
    "    param V = 10 [V], L [mH] = 3 [mH], tau = 2 [ms], twice = 2*tau;\n"
    "    input bool sw = true; input real u [V] = 0; input event reset;\n"
    "    Se s(V + u); I coil(L, p = 1 [uWb]); C pair[2]([[1 [F], 0], [0, 1 [F]]]); Bulb bulb;\n"
    "    R bent : e = 3 [Ohm]*f + abs(f)*f*1 [Ohm/A];\n"
    "    1 j when key off effort; main: s -> j; j -> coil; j -> bulb.a; j -> pair[1]; j -> pair[2]; j -> "
    "bent;\n"
    "    I ball(1 [kg], p = 0 [N.s]); Se weight(-9.81 [N]); 1 fly; weight -> fly -> ball; Sf floor(0 "
    "[m/s]);\n"
    "    0 hit when contact restitution 0.5; fly -> hit; floor -> hit;\n"
    "    state height = 1 [m] : der = ball.f;\n"
    "    automaton contact { off free -> touching when height <= 0 && ball.f < 0; on touching -> free when "
    "ball.f > 0; }\n"
    "    automaton key { off open -> shut when sw; on shut -> open when !sw || reset || key.open; on fast -> "
    "shut after tau; }\n"
    "    sensor m = coil.f every 1 [ms] noise(0, 1e-6); sample k every 2 [ms] = pre(k) + 1; output o = "
    "coil.p, e = coil.energy;\n"
    "    experiment other { stop 3 [s]; record e; }\n"
    "    experiment mine { stop twice; solver rk4 step 10 [us]; set V = 2*5 [V], coil.p = 3 [uWb], key = "
    "fast;\n"
    "        at tau: u = 1 [V]; at 1 [ms]: reset; fault at 1 [ms] until tau: bulb.r abrupt -30 [%];\n"
    "        fault at 0: m bias 1 [mA]; fault at 1 [ms]: key stuck open; record o, main.f, bulb.i; plot o, "
    "2*coil.f; }\n"
    "    verify { range V in [1 [V], 20 [V]]; }\n"
    "}\n";

/* Stored and read back. */
static hbg_model *store_and_restore(fixture *f, const hbg_model *model, int32_t experiment) {
    hbg_buffer bytes;
    const char *reason;
    hbg_base_buffer_init(&bytes, &f->arena);
    hbg_model_store(model, experiment, &bytes);
    hbg_model *restored =
        hbg_model_restore(&f->arena, &f->names, &f->diagnostics, bytes.data, bytes.size, &reason);
    if (!restored) fail_msg("%s", reason);
    return restored;
}

static hbg_model *ask(fixture *f, hbg_model *restored, const hbg_lang_options *options) {
    hbg_model *model = hbg_lang_ask(&f->lang, restored, options);
    hbg_base_arena_fini(&f->scratch);
    hbg_base_arena_init(&f->scratch, &f->memory);
    return model;
}

static const char *dump_for_run(fixture *f, const hbg_model *model, int32_t experiment) {
    hbg_experiment kept[2];
    hbg_model view = hbg_model_for_run(model, experiment, kept);
    return dump_of(f, &view);
}

static void the_same_comes_of_tables_and_text(void **state) {
    fixture *f = *state;
    const char *const given[] = {"V=12", "bulb.R0=7 Ohm"};
    const char *const faults[] = {"at 2 [ms]: L abrupt 10 [%]", "at 1 [ms]: key stuck on"};
    const hbg_lang_options wishes[] = {
        {.experiment = "mine"},
        {.experiment = "mine", .parameters = given, .parameter_count = 2},
        {.experiment = "mine", .records = "o, key", .stop = "3*tau", .every = "1us", .step = "1 [us]"},
        {.experiment = "mine", .faults = faults, .fault_count = 2}};
    hbg_model *whole = read_with(f, text, NULL);
    if (!whole) show_diagnostics(f);
    assert_non_null(whole);
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        hbg_model *of_text = read_with(f, text, &wishes[i]);
        hbg_model *of_tables = ask(f, store_and_restore(f, whole, 1), &wishes[i]);
        if (!of_text || !of_tables) show_diagnostics(f);
        assert_non_null(of_text);
        assert_non_null(of_tables);
        assert_string_equal(dump_of(f, of_tables), dump_for_run(f, of_text, 1));
    }
}

static void what_was_asked_before_stays_but_for_what_is_asked_now(void **state) {
    fixture *f = *state;
    const char *first = "at 1 [ms]: L abrupt 10 [%]", *second = "at 2 [ms]: V abrupt 1 [%]", *given = "V=12",
               *again = "V=14";
    const char *const both[] = {first, second};
    hbg_lang_options before = {.experiment = "mine",
                               .parameters = &given,
                               .parameter_count = 1,
                               .records = "o",
                               .stop = "1 [s]",
                               .faults = &first,
                               .fault_count = 1};
    hbg_lang_options now = {.parameters = &again,
                            .parameter_count = 1,
                            .stop = "2 [s]",
                            .every = "1 [ms]",
                            .faults = &second,
                            .fault_count = 1};
    hbg_lang_options together = {.experiment = "mine",
                                 .parameters = &again,
                                 .parameter_count = 1,
                                 .records = "o",
                                 .stop = "2 [s]",
                                 .every = "1 [ms]",
                                 .faults = both,
                                 .fault_count = 2};
    hbg_model *of_tables = ask(f, store_and_restore(f, read_with(f, text, &before), 1), &now);
    assert_non_null(of_tables);
    assert_string_equal(dump_of(f, of_tables), dump_for_run(f, read_with(f, text, &together), 1));
    double declared;
    assert_true(hbg_model_constant(of_tables, of_tables->params.items[0].declared, &declared) &&
                declared == 10);
}

static void a_slip_gets_its_mark_and_the_name_that_was_meant(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text, *code, *words;
    } cases[] = {{"v=3", "E0301", "did you mean `V`"},      {"V=3 [A]", "E0403", "V"},
                 {"L=3", "E0403", "declared in [mH]"},      {"bulb.R1=3", "E0301", "did you mean `R0`"},
                 {"coil=3", "E0303", "is not a parameter"}, {"V=f(2)", "E0301", "no function `f`"}};
    hbg_model *whole = read_with(f, text, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_lang_options options = {.parameters = &cases[i].text, .parameter_count = 1};
        assert_null(ask(f, store_and_restore(f, whole, 1), &options));
        assert_diagnostic(f, cases[i].code, 1, cases[i].words);
    }
    const char *fault = "at 1 [ms]: key stuck shutt";
    hbg_lang_options options = {.faults = &fault, .fault_count = 1};
    assert_null(ask(f, store_and_restore(f, whole, 1), &options));
    assert_diagnostic(f, "E0301", 1, "did you mean `shut`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_same_comes_of_tables_and_text),
        TEST(what_was_asked_before_stays_but_for_what_is_asked_now),
        TEST(a_slip_gets_its_mark_and_the_name_that_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
