/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Experiments, fault sentences and verify blocks as syntax trees. */
#include "lang/fixture_impl.h"

static const syntax_definition *definition_of(fixture *f, const char *body) {
    const syntax_file *file = parse(f, hbg_base_arena_print(&f->arena, "model M {\n%s\n}", body));
    return file->definitions.items[0];
}

static void every_sentence_arrives(void **state) {
    fixture *f = *state;
    const syntax_definition *d = definition_of(f, "experiment e \"doc\" {\n"
                                                  "    stop 20;\n"
                                                  "    solver ode3 step 7;\n"
                                                  "    set a.b = 1, c[2].q = 2, k = shut;\n"
                                                  "    set d = 3;\n"
                                                  "    at 2: sw = true, reset;\n"
                                                  "    record x, y + 1 every 5;\n"
                                                  "    plot x;\n"
                                                  "    plot y, z;\n"
                                                  "}");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(d->experiments.count, 1);
    const syntax_experiment *e = &d->experiments.items[0];
    assert_string_equal(e->doc, "doc");
    assert_true(e->stop && e->step && e->record_every);
    assert_int_equal(e->solver, HBG_SOLVER_ODE3);
    assert_int_equal(e->settings.count, 4);
    assert_int_equal(e->settings.items[1].target.segments[0].index, 2);
    assert_int_equal(e->actions.count, 2);
    assert_ptr_equal(e->actions.items[0].time, e->actions.items[1].time);
    assert_non_null(e->actions.items[0].value);
    assert_null(e->actions.items[1].value);
    assert_int_equal(e->records.count, 2);
    assert_int_equal(e->plots.count, 3);
}

static void every_solver_has_its_word(void **state) {
    fixture *f = *state;
    static const char *const texts[HBG_SOLVER_COUNT] = {
#define X(id, text, fixed) text,
        HBG_SOLVER_LIST(X)
#undef X
    };
    for (int i = 0; i < HBG_SOLVER_COUNT; i++) {
        const char *body = hbg_base_arena_print(&f->arena, "experiment e { stop 1; solver %s; }", texts[i]);
        assert_int_equal(definition_of(f, body)->experiments.items[0].solver, i);
    }
    assert_int_equal(f->diagnostics.errors, 0);
}

static void faults_have_times_target_kind_and_size(void **state) {
    fixture *f = *state;
    const syntax_definition *d = definition_of(f, "experiment e {\n"
                                                  "    fault at 3: bulb.R abrupt -30 [%];\n"
                                                  "    fault at 3 until 4: a incipient 2;\n"
                                                  "    fault at 5: k stuck off;\n"
                                                  "    fault at 6: v bias 1;\n"
                                                  "    fault at 7: v drift 2;\n"
                                                  "    fault at 8: v noise(3, 4);\n"
                                                  "}");
    assert_int_equal(f->diagnostics.errors, 0);
    const syntax_experiment *e = &d->experiments.items[0];
    assert_int_equal(e->faults.count, 6);
    static const hbg_fault_kind kinds[] = {HBG_FAULT_ABRUPT, HBG_FAULT_INCIPIENT, HBG_FAULT_STUCK,
                                           HBG_FAULT_BIAS,   HBG_FAULT_DRIFT,     HBG_FAULT_NOISE};
    for (int i = 0; i < 6; i++) assert_int_equal(e->faults.items[i].kind, kinds[i]);
    assert_int_equal(e->faults.items[0].target.count, 2);
    assert_null(e->faults.items[0].until);
    assert_non_null(e->faults.items[1].until);
    assert_int_equal(e->faults.items[2].value->kind, SYNTAX_PATH);
    assert_non_null(e->faults.items[5].value2);
    assert_null(e->faults.items[4].value2);
}

static void verify_blocks_add_up(void **state) {
    fixture *f = *state;
    const syntax_definition *d = definition_of(f, "verify { range a.p in [0, 1]; assume b <= 0; }\n"
                                                  "verify { assume c; range d in [-1, 2*3]; }");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(d->ranges.count, 2);
    assert_int_equal(d->assumptions.count, 2);
    assert_int_equal(d->ranges.items[1].high->op, HBG_OP_MULTIPLY);
}

static void wrong_sentences_cost_only_themselves(void **state) {
    fixture *f = *state;
    const syntax_definition *d = definition_of(f, "experiment e {\n"
                                                  "    go 5;\n"
                                                  "    stop 1;\n"
                                                  "    at : x = 3;\n"
                                                  "    at 2: y = 3;\n"
                                                  "    fault at 3: x explode;\n"
                                                  "    record z;\n"
                                                  "}\n"
                                                  "verify { prove x; assume y; }");
    assert_int_equal(f->diagnostics.errors, 4);
    assert_int_equal(d->experiments.items[0].actions.count, 1);
    assert_int_equal(d->experiments.items[0].records.count, 1);
    assert_int_equal(d->assumptions.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_sentence_arrives),
        TEST(every_solver_has_its_word),
        TEST(faults_have_times_target_kind_and_size),
        TEST(verify_blocks_add_up),
        TEST(wrong_sentences_cost_only_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
