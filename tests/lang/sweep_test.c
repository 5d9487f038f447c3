/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sentences that give a parameter several values: what they become, and what is wrong with them, told with its place. */
#include "lang/fixture_impl.h"

#define CIRCUIT                                                                                              \
    "model M { param R1 = 1 [Ohm], C1 = 1 [F], T = 1 [s], W = T/2, V = 3 [V]; Se s(V); R r(R1); C c(C1);\n"  \
    "  1 j; s -> j -> r; j -> c; Se z(1 [V]); R y(1 [Ohm]); 1 x when a; z -> x -> y;\n"                      \
    "  automaton a { off n -> f after W; on f -> n after W; }\n"                                             \
    "  sample m every T = c.e; output o = c.e, p = m;\n"                                                     \
    "  experiment e { stop 1 [s]; } experiment set_it { stop 1 [s]; set V = 2 [V]; } }\n"

static hbg_model *read_sweep(fixture *f, const char *sentence) {
    hbg_lang_options options = {.sweeps = &sentence, .sweep_count = 1};
    return read_with(f, CIRCUIT, &options);
}

static void assert_axis(fixture *f, const char *sentence, hbg_axis_kind kind, int32_t count,
                        const double *numbers) {
    hbg_model *m = read_sweep(f, sentence);
    if (!m) {
        show_diagnostics(f);
        fail_msg("%s is refused", sentence);
    }
    const hbg_experiment *request = &m->experiments.items[m->experiments.count - 1];
    assert_int_equal(request->axes.count, 1);
    const hbg_axis *axis = &request->axes.items[0];
    assert_int_equal(axis->kind, kind);
    assert_int_equal(axis->count, count);
    for (int32_t i = 0; i < count; i++) {
        double value;
        assert_true(hbg_model_constant(m, request->settings.items[axis->first + i].value, &value));
        if (value != numbers[i]) fail_msg("%s: number %d is %.17g", sentence, (int)i, value);
    }
}

static void grids_lists_and_distributions_become_axes(void **state) {
    fixture *f = *state;
    assert_axis(f, "R1=1:10:0.5", HBG_AXIS_GRID, 3, (double[]){1, 10, 0.5});
    assert_axis(f, " R1 = 1 kOhm : 2 [kOhm] : 10 ", HBG_AXIS_GRID, 3, (double[]){1000, 2000, 10});
    assert_axis(f, "C1=1mF,2mF,5mF,1F", HBG_AXIS_LIST, 4, (double[]){1e-3, 2e-3, 5e-3, 1});
    assert_axis(f, "V~normal(3, 0.1)", HBG_AXIS_NORMAL, 2, (double[]){3, 0.1});
    assert_axis(f, "V~uniform(-1V,1V)", HBG_AXIS_UNIFORM, 2, (double[]){-1, 1});
    assert_axis(f, "C1~lognormal(C1, 0.1)", HBG_AXIS_LOGNORMAL, 1, (double[]){1});
    assert_axis(f, "R1=max(1, 2),(true ? 3 : 4)", HBG_AXIS_LIST, 2, (double[]){2, 3});
}

static void a_plain_value_is_a_parameter(void **state) {
    fixture *f = *state;
    const char *sentence = "R1=7kOhm";
    hbg_lang_options options = {.sweeps = &sentence, .sweep_count = 1};
    hbg_model *m = read_with(f, CIRCUIT, &options);
    assert_non_null(m);
    hbg_object found = hbg_model_find(m, 0, hbg_base_names_find(&f->names, "R1", 2));
    assert_true(m->param_values[found.index] == 7000);
    assert_int_equal(m->experiments.items[m->experiments.count - 1].axes.count, 0);
}

static void what_is_wrong_is_told_with_its_place(void **state) {
    fixture *f = *state;
    static const struct {
        const char *sentence, *code, *words;
    } cases[] = {
        {"R1", "E0201", "does not say which values"},
        {"R1=1:2", "E0201", "a start, an end and a step"},
        {"R1=1:2:3:4", "E0201", "a start, an end and a step"},
        {"R1=1,,2", "E0201", "a number is missing"},
        {"R1=1,(2) 3", "E0201", "expected the end of the number"},
        {"R1~norml(1, 2)", "E0301", "no distribution `norml`"},
        {"R1~normal", "E0201", "takes two numbers"},
        {"R1~normal(1", "E0201", "takes two numbers"},
        {"R1~normal(1:2)", "E0201", "takes two numbers"},
        {"R1~normal(1,2,3)", "E0201", "takes two numbers"},
        {"R2=1:2:1", "E0301", "nothing here is called `R2`"},
        {"c=1:2:1", "E0303", "not a parameter"},
        {"R1=1:2 [V]:1", "E0403", "is in V"},
        {"R1=1:2:c.e", "E0405", "constant"},
        {"R1=1:2:0", "E0406", "step of a grid has to be positive"},
        {"R1=1:2:1e-12", "E0406", "more than 1e+09 values"},
        {"C1=-1,1", "E0406", "needs a positive one"},
        {"V~normal(1, -1)", "E0406", "deviation of a normal distribution has to be positive"},
        {"V~uniform(2, 1)", "E0406", "lower end of a uniform distribution"},
        {"V~lognormal(-2, 1)", "E0406", "median of a lognormal distribution"},
        {"V~lognormal(2, 0)", "E0406", "a spread in the run is 0, but has to be positive"},
        {"V~lognormal(2, 1 [V])", "E0403", "pure number"},
        {"T=1:2:1", "E0508", "decides the period of `m`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (read_sweep(f, cases[i].sentence)) fail_msg("%s is accepted", cases[i].sentence);
        bool told = false;
        for (int32_t k = 0; k < f->diagnostics.items.count; k++) {
            const hbg_diagnostic *item = &f->diagnostics.items.items[k];
            hbg_place place;
            told |= strcmp(hbg_base_diagnostic_kind_get(item->id)->code, cases[i].code) == 0 &&
                    strstr(item->text, cases[i].words) &&
                    hbg_base_sources_place(&f->sources, item->span, &place) &&
                    strcmp(place.path, "the command line") == 0;
        }
        if (told) continue;
        show_diagnostics(f);
        fail_msg("%s is not told: %s %s", cases[i].sentence, cases[i].code, cases[i].words);
    }
}

/* T decides the period of the sample, and through W the waits of the automaton. */
static void what_is_built_into_the_compiled_model_cannot_be_swept(void **state) {
    fixture *f = *state;
    assert_null(read_sweep(f, "T=1:2:1"));
    assert_null(read_sweep(f, "W=1,2"));
    assert_diagnostic(f, "E0508", 1, "`W` cannot be swept: it decides a wait of `a`");
    assert_non_null(read_sweep(f, "V=1,2"));
}

static void a_parameter_is_given_once(void **state) {
    fixture *f = *state;
    const char *twice[] = {"V=1,2", "V~normal(1, 2)"}, *plain[] = {"V=1,2", "V=1"};
    hbg_lang_options options = {.sweeps = twice, .sweep_count = 2};
    assert_null(read_with(f, CIRCUIT, &options));
    assert_diagnostic(f, "E0204", 1, "`V` is given twice");
    options.sweeps = plain;
    assert_null(read_with(f, CIRCUIT, &options));
}

/* Who writes kOhm once means it for all. */
static void a_bare_number_beside_one_in_kilo_is_refused(void **state) {
    fixture *f = *state;
    assert_null(read_sweep(f, "R1=1 [kOhm]:2:1"));
    assert_diagnostic(f, "E0403", 1, "`2` has no unit and would be in SI, beside `1 [kOhm]`");
    assert_null(read_sweep(f, "C1=1mF,2"));
    assert_axis(f, "R1~normal(1 [kOhm], 50)", HBG_AXIS_NORMAL, 2, (double[]){1000, 50});
    assert_axis(f, "R1=1 [Ohm]:2:1", HBG_AXIS_GRID, 3, (double[]){1, 2, 1});
    assert_axis(f, "R1=R1*1000:2 [kOhm]:10 [Ohm]", HBG_AXIS_GRID, 3, (double[]){1000, 2000, 10});
}

static void what_the_experiment_sets_can_be_swept(void **state) {
    fixture *f = *state;
    const char *sentence = "V=1,2";
    hbg_lang_options options = {.sweeps = &sentence, .sweep_count = 1, .experiment = "set_it"};
    assert_non_null(read_with(f, CIRCUIT, &options));
}

/* p1 = p0 + p0, p2 = p1 + p1 …: followed to its end, this has 2^60 paths. */
static void parameters_that_hang_on_many_are_no_trouble(void **state) {
    fixture *f = *state;
    static char text[4000];
    size_t used = (size_t)snprintf(text, sizeof text, "model M { param p0 = 1");
    for (int i = 1; i <= 60; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", p%d = p%d + p%d", i, i - 1, i - 1);
    snprintf(
        text + used, sizeof text - used,
        "; Se s(p60); R r(1); s -> r; sample m every 1 [s] = r.f; output o = m; experiment e { stop 1; } }");
    const char *sentence = "p0=1,2";
    hbg_lang_options options = {.sweeps = &sentence, .sweep_count = 1};
    assert_non_null(read_with(f, text, &options));
}

/* Whatever is written there: an answer, and memory that is given back. */
static void any_text_is_answered(void **state) {
    fixture *f = *state;
    static const char *const parts[] = {"R1", "C1",     "V",       "=",         "~",   ":",   ",",
                                        "(",  ")",      "[",       "]",         "1",   "0.5", "-2",
                                        "uF", "normal", "uniform", "lognormal", " ",   "e",   "1e999",
                                        "\"", "\xff",   "?",       "max",       "c.e", "nan", "Ohm"};
    uint64_t random = 1;
    for (int i = 0; i < 2000; i++) {
        char text[200] = "";
        random = random * 6364136223846793005u + 1442695040888963407u;
        int count = (int)(random >> 60);
        for (int k = 0; k < count; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            strcat(text, parts[(random >> 33) % (sizeof parts / sizeof *parts)]);
        }
        hbg_base_diagnostics_init(&f->diagnostics, &f->arena); // after very many it would say no more
        bool accepted = read_sweep(f, text) != NULL;
        if (accepted != (f->diagnostics.errors == 0)) fail_msg("%s: refused without a word", text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(any_text_is_answered),
        TEST(grids_lists_and_distributions_become_axes),
        TEST(a_plain_value_is_a_parameter),
        TEST(what_is_wrong_is_told_with_its_place),
        TEST(what_is_built_into_the_compiled_model_cannot_be_swept),
        TEST(a_parameter_is_given_once),
        TEST(a_bare_number_beside_one_in_kilo_is_refused),
        TEST(what_the_experiment_sets_can_be_swept),
        TEST(parameters_that_hang_on_many_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
