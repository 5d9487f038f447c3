/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Experiments, faults and verify blocks, elaborated. */
#include "lang/fixture_impl.h"

/* A model with something to set, to switch and to break, and room for an experiment. */
static const char *with(fixture *f, const char *sentences) {
    return hbg_base_arena_print(
        &f->arena,
        "component Bulb(R0 = 5 [Ohm]) { port a : electrical; R r(R0); a -> r; }\n"
        "model M {\n"
        "    param V = 10 [V]; input bool sw = true; input real u [V] = 0; input event reset;\n"
        "    Se s(V + u); I coil(1 [H]); C pair[2]([[1 [F], 0], [0, 1 [F]]]); Bulb bulb;\n"
        "    1 j when key; s -> j -> coil; j -> bulb.a; j -> pair[1]; j -> pair[2];\n"
        "    automaton key { off open -> shut when sw; on shut -> open when !sw || reset; }\n"
        "    sensor m = coil.f every 1 [ms]; output o = coil.p;\n"
        "    %s\n"
        "}\n",
        sentences);
}

static void settings_name_parameters_storages_and_automata(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(
        f, with(f, "experiment e { stop 1 [s]; set V = 2*5 [V], bulb.R0 = 1 [Ohm], coil.p = 3 [Wb],\n"
                   "coil.f = 4 [A], pair[2].q = 5 [C], key = shut; }"));
    const hbg_experiment *e = &m->experiments.items[0];
    assert_int_equal(e->settings.count, 6);
    static const hbg_object_kind kinds[] = {HBG_OBJECT_PARAM,   HBG_OBJECT_PARAM,   HBG_OBJECT_ELEMENT,
                                            HBG_OBJECT_ELEMENT, HBG_OBJECT_ELEMENT, HBG_OBJECT_AUTOMATON};
    for (int i = 0; i < 6; i++) assert_int_equal(e->settings.items[i].target.kind, kinds[i]);
    assert_int_equal(e->settings.items[2].variable, HBG_VARIABLE_MOMENTUM);
    assert_int_equal(e->settings.items[4].port, 2);
    assert_int_equal(e->settings.items[5].state, 1);
    double value;
    assert_true(hbg_model_constant(m, e->settings.items[0].value, &value));
    assert_true(value == 10);
}

static void actions_change_inputs(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(
        f, with(f, "experiment e { stop 1 [s]; at 0.5 [s]: sw = false, reset; at 0.7 [s]: u = V/2; }"));
    const hbg_experiment *e = &m->experiments.items[0];
    assert_int_equal(e->actions.count, 3);
    assert_int_equal(e->actions.items[1].value, HBG_NONE);
    assert_string_equal(expr_of(f, m, e->actions.items[2].value), "V/2");
}

static void faults_find_their_target(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, with(f, "experiment e { stop 9 [s];\n"
                                        "fault at 1 [s]: bulb.R0 abrupt -30 [%];\n"
                                        "fault at 2 [s] until 3 [s]: key stuck off;\n"
                                        "fault at 4 [s]: key stuck shut;\n"
                                        "fault at 5 [s]: m noise(0 [A], 0.1); }"));
    const hbg_experiment *e = &m->experiments.items[0];
    assert_true(e->faults.items[0].relative);
    double value;
    assert_true(hbg_model_constant(m, e->faults.items[0].value, &value));
    assert_true(value == -0.3);
    assert_false(e->faults.items[1].on);
    assert_int_equal(e->faults.items[1].state, HBG_NONE);
    assert_true(e->faults.items[1].until != HBG_NONE);
    assert_int_equal(e->faults.items[2].state, 1);
    assert_int_equal(e->faults.items[3].target.kind, HBG_OBJECT_SIGNAL);
}

static void a_state_called_off_is_meant_before_off(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, "model M { Se s(1 [V]); R r(1 [Ohm]); 1 j when k; s -> j -> r;\n"
                     "automaton k { on off -> on when r.f > 1 [A]; off on -> off when time > 1 [s]; }\n"
                     "experiment e { stop 1 [s]; fault at 0: k stuck off; } }");
    assert_int_equal(m->experiments.items[0].faults.items[0].state, 0);
}

static void records_keep_their_words(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, with(f, "experiment e { stop 1 [s]; record o,  coil.p  *2 every 5 [ms]; plot o; }"));
    const hbg_experiment *e = &m->experiments.items[0];
    assert_string_equal(e->records.items[0].label, "o");
    assert_string_equal(e->records.items[1].label, "coil.p  *2");
    assert_int_equal(e->plots.count, 1);
    double every;
    assert_true(hbg_model_constant(m, e->record_every, &every));
    assert_true(every == 0.005);
}

static void verify_blocks_become_ranges_and_assumptions(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(
        f, with(f, "verify { range coil.p in [-(1 [Wb]), V*(1 [s])]; assume key.open || coil.f > 0; }"));
    assert_int_equal(m->ranges.count, 1);
    assert_string_equal(expr_of(f, m, m->ranges.items[0].high), "V*1");
    assert_string_equal(expr_of(f, m, m->assumptions.items[0]), "key.open || coil.f > 0");
}

static void each_wrong_sentence_is_told(void **state) {
    fixture *f = *state;
    static const struct {
        const char *sentence, *code, *words;
    } cases[] = {
        {"set o = 1;", "E0508", "cannot be set"},
        {"set coil.e = 1;", "E0508", "cannot be set"},
        {"set coil = 1;", "E0508", "cannot be set"},
        {"set pair.q = 1;", "E0501", "which of the 2 ports"},
        {"set pair[3].q = 1;", "E0501", "which of the 2 ports"},
        {"set key = 1;", "E0508", "such as `open`"},
        {"set bulb = 1;", "E0508", "cannot be set"},
        {"at 0: o = 1;", "E0508", "not an input"},
        {"at 0: sw;", "E0508", "needs a value"},
        {"at 0: reset = true;", "E0508", "takes no value"},
        {"fault at 0: V bias 1;", "E0508", "`abrupt`"},
        {"fault at 0: m abrupt 1;", "E0508", "`bias`"},
        {"fault at 0: o bias 1;", "E0508", "`sensor`"},
        {"fault at 0: key bias 1;", "E0508", "`stuck on`"},
        {"fault at 0: key stuck 1;", "E0508", "by name"},
        {"fault at 0: pair stuck 1;", "E0508", "through a parameter"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *body =
            hbg_base_arena_print(&f->arena, "experiment e { stop 1 [s]; %s }", cases[i].sentence);
        assert_null(read_any(f, with(f, body)));
        assert_int_equal(f->diagnostics.errors, i + 1);
        const hbg_diagnostic *last = &f->diagnostics.items.items[f->diagnostics.items.count - 1];
        assert_string_equal(hbg_base_diagnostic_kind_get(last->id)->code, cases[i].code);
        assert_true(strstr(last->text, cases[i].words) || (last->fix && strstr(last->fix, cases[i].words)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(settings_name_parameters_storages_and_automata),
        TEST(actions_change_inputs),
        TEST(faults_find_their_target),
        TEST(a_state_called_off_is_meant_before_off),
        TEST(records_keep_their_words),
        TEST(verify_blocks_become_ranges_and_assumptions),
        TEST(each_wrong_sentence_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
