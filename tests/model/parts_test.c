/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which things of a model have to do with one another, and the parts as models of their own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/front_end_impl.h"
#include "model/model_impl.h"

typedef struct {
    FRONT_END
    hbg_model *model;
    hbg_record *outputs;
    int32_t output_count;
} fixture;

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    front_end_open(f);
    *state = f;
    return f->lang.units ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    size_t left = front_end_close(f);
    free(f);
    return left == 0 ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Three circuits, a, b and c, that discharge; what else is in the model comes behind. */
#define CIRCUIT(x)                                                                                           \
    "C c_" x "(1, q = 1); R r_" x "(2); 1 j_" x " when s_" x "; j_" x " -> c_" x "; j_" x " -> r_" x ";\n"   \
    "automaton s_" x " { on run { -> rest when c_" x ".e > 3; } off rest {} }\n"
#define THREE CIRCUIT("a") CIRCUIT("b") CIRCUIT("c")

/* Reads the model with the records of its last experiment as outputs, or none. */
static hbg_parts find(fixture *f, const char *more) {
    const char *text = hbg_base_arena_print(&f->arena, "model M {\n" THREE "%s}\n", more);
    hbg_model *model = hbg_lang_read_text(&f->lang, "test.hbg", text, strlen(text), NULL);
    for (int32_t i = 0; !model && i < f->diagnostics.items.count; i++)
        print_error("%s\n", f->diagnostics.items.items[i].text);
    assert_non_null(model);
    f->model = hbg_model_sorted(&f->arena, model);
    f->output_count = 0;
    if (f->model->experiments.count > 0) {
        hbg_experiment *last = &f->model->experiments.items[f->model->experiments.count - 1];
        f->outputs = last->records.items;
        f->output_count = last->records.count;
    }
    return hbg_model_parts_find(&f->arena, f->model, f->outputs, f->output_count);
}

static int32_t index_of(const hbg_model *model, hbg_object_kind kind, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++)
        if (strcmp(hbg_base_names_get(model->names, hbg_model_identity(model, (hbg_object){kind, i})->name),
                   name) == 0)
            return i;
    return HBG_NONE;
}

static int32_t part_of(const fixture *f, const hbg_parts *parts, const char *element) {
    int32_t i = index_of(f->model, HBG_OBJECT_ELEMENT, f->model->elements.count, element);
    assert_int_not_equal(i, HBG_NONE);
    return parts->of_element[i];
}

static void expect_count(fixture *f, const char *more, int32_t count) {
    hbg_parts parts = find(f, more);
    if (parts.count != count) fail_msg("%d parts, not %d: %s", (int)parts.count, (int)count, more);
}

/* ---- which ---------------------------------------------------------------------------------------------- */

static void what_nothing_connects_is_apart(void **state) {
    fixture *f = *state;
    hbg_parts parts = find(f, "");
    assert_int_equal(parts.count, 3);
    assert_int_equal(parts.switching, 3);
    assert_int_equal(part_of(f, &parts, "c_a"), 0);
    assert_int_equal(part_of(f, &parts, "r_a"), 0);
    assert_int_equal(part_of(f, &parts, "j_b"), 1);
    assert_int_equal(part_of(f, &parts, "c_c"), 2);
    for (int32_t i = 0; i < 3; i++) assert_int_equal(parts.of_automaton[i], i);
}

static void data_connects_nothing(void **state) {
    expect_count(*state, "", 3);
    expect_count(*state,
                 "param P = 2; C x(P); R y(P); 1 j; j -> x; j -> y; C z(P); R w(P); 1 k; k -> z; k -> w;\n",
                 5);
    expect_count(*state,
                 "input real u = 3; Se x(u); C x2(1); R x3(1); 1 j; x -> j -> x2; j -> x3;\n"
                 "Se y(u); C y2(1); R y3(1); 1 k; y -> k -> y2; k -> y3;\n",
                 5);
    expect_count(
        *state,
        "input event go; automaton p { on one { -> two when go; } off two { -> one when c_a.e > 2; } }\n"
        "automaton q { on one { -> two when go; } off two { -> one when c_b.e > 2; } }\n",
        3);
}

static void bonds_guards_laws_controls_signals_and_outputs_connect(void **state) {
    static const char *const links[] = {
        "TF t(2); j_a -> t -> j_b;\n",
        "automaton x { on one { -> two when c_a.e > c_b.e; } off two {} }\n",
        "automaton x { on one { -> two when c_a.e > 2; -> two when c_b.e > 2; } off two {} }\n",
        "automaton x { on one { -> two when s_a.rest && s_b.rest; } off two {} }\n",
        "automaton x { on one { -> two when in(s_a.rest, c_b.e) > 2; } off two {} }\n",
        "Se x(c_b.e); j_a -> x;\n",
        "C x(1); R y(1); 1 j when s_a && s_b; j -> x; j -> y;\n",
        "signal x = c_a.e + c_b.e;\n",
        "signal x = c_a.e; signal y = s_b.run ? x : 0;\n",
        "state x = 0 : der = c_a.f + c_b.f;\n",
        "sample x every 1 [ms] = c_a.e + c_b.e;\n",
        "output x = c_a.e*c_b.e;\n",
        "input real u = 1; signal y = u*c_a.e; signal z = u*c_b.e; signal w = y + z;\n",
        "experiment e { stop 1 [s]; record c_a.e - c_b.e; }\n",
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        fixture *f = *state;
        hbg_parts parts = find(f, links[i]);
        if (parts.count != 2 || part_of(f, &parts, "c_a") != part_of(f, &parts, "c_b"))
            fail_msg("%d parts: %s", (int)parts.count, links[i]);
        f->outputs = NULL;
    }
}

/* What the last mode entered left is known only to who knows of all modes; guards, laws and samples read what is theirs. */
static void pre_that_is_shown_connects_all_that_switches(void **state) {
    expect_count(*state, "output x = pre(c_a.e);\n", 1);
    expect_count(*state, "signal x = pre(c_a.e); sensor y = x;\n", 1);
    expect_count(*state, "experiment e { stop 1 [s]; record pre(c_a.e); }\n", 1);
    ((fixture *)*state)->outputs = NULL;
    expect_count(*state, "sample x every 1 [ms] = pre(x) + pre(c_a.e);\n", 3);
    expect_count(*state, "state x = 0 : der = pre(c_a.e);\n", 3);
    expect_count(*state, "automaton x { on one { -> two when pre(c_a.e) > 2; } off two {} }\n", 3);
}

static void what_a_run_does_not_read_connects_nothing(void **state) {
    expect_count(
        *state,
        "experiment e { stop 1 [s]; record c_a.e - c_b.e; } experiment f { stop 1 [s]; record c_a.e; }\n", 3);
    expect_count(*state, "verify { assume c_a.e > c_b.e; }\n", 3);
}

static void what_has_no_state_goes_with_the_first(void **state) {
    fixture *f = *state;
    hbg_parts parts = find(f, "Se s(1); R zz(1); 1 j; s -> j -> zz; signal y = sin(time/(1 [s]));\n"
                              "automaton clock { on a { -> b after 1 [s]; } off b { -> a after 1 [s]; } }\n");
    assert_int_equal(parts.count, 3);
    assert_int_equal(part_of(f, &parts, "zz"), part_of(f, &parts, "c_a"));
}

static void outputs_belong_to_what_they_read(void **state) {
    fixture *f = *state;
    hbg_parts parts = find(f, "experiment e { stop 1 [s]; record c_c.e, time, 2*c_b.q; }\n");
    assert_int_equal(f->output_count, 3);
    assert_int_equal(parts.of_output[0], 2);
    assert_int_equal(parts.of_output[1], 0);
    assert_int_equal(parts.of_output[2], 1);
}

/* ---- as models -------------------------------------------------------------------------------------------- */

static const char *dump(fixture *f, const hbg_model *model) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_dump(model, &buffer);
    return buffer.data;
}

static void the_only_part_of_a_model_is_that_model(void **state) {
    fixture *f = *state;
    hbg_parts parts = find(f, "output x = c_a.e + c_b.e + c_c.e; param unread = 4; input real nobody = 2;\n");
    assert_int_equal(parts.count, 1);
    hbg_part *part = hbg_model_parts_copy(&f->arena, f->model, &parts, HBG_NONE, NULL, 0);
    hbg_model *again =
        hbg_model_sorted(&f->arena, part[0].model); // numbers of what is read on demand are its own
    assert_string_equal(dump(f, again), dump(f, hbg_model_sorted(&f->arena, f->model)));
}

static void a_part_has_what_is_its_own_and_what_it_reads(void **state) {
    fixture *f = *state;
    hbg_parts parts = find(f, "param p = 3 [V], q = 2*p, r = 1, unread = 7; input real u = 1, nobody;\n"
                              "signal in_b = u*c_b.e + q; signal in_c = r*c_c.e;\n"
                              "experiment e { stop 1 [s]; set c_b.q = q*(1 [C/V]), s_c = rest, p = 5 [V]; "
                              "record in_b, c_a.e, c_b.q; }\n");
    assert_int_equal(parts.count, 3);
    hbg_part *part = hbg_model_parts_copy(&f->arena, f->model, &parts, 0, f->outputs, f->output_count);
    const hbg_model *a = part[0].model, *b = part[1].model, *c = part[2].model;
    assert_int_equal(b->elements.count, 3);
    assert_int_equal(b->bonds.count, 2);
    assert_int_equal(b->automata.count, 1);
    assert_int_equal(b->signals.count, 2); // in_b and u
    assert_int_equal(b->params.count, 2);  // q, and p that it is made of
    assert_int_not_equal(index_of(b, HBG_OBJECT_PARAM, 2, "p"), HBG_NONE);
    assert_int_not_equal(index_of(b, HBG_OBJECT_SIGNAL, 2, "u"), HBG_NONE);
    assert_int_equal(c->params.count, 1);
    assert_int_equal(c->signals.count, 1);
    assert_int_equal(a->params.count, 1); // unread by all
    assert_int_not_equal(index_of(a, HBG_OBJECT_PARAM, 1, "unread"), HBG_NONE);
    assert_int_equal(a->signals.count, 1);
    assert_int_not_equal(index_of(a, HBG_OBJECT_SIGNAL, 1, "nobody"), HBG_NONE);
    assert_int_equal(b->experiments.items[0].settings.count, 1);
    assert_int_equal(c->experiments.items[0].settings.count, 1);
    assert_int_equal(a->experiments.items[0].settings.count, 0);
    assert_int_equal(part[1].output_count, 2);
    assert_int_equal(part[1].output_of[0], 0);
    assert_int_equal(part[1].output_of[1], 2);
    assert_int_equal(part[0].output_of[0], 1);
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_model_print_expr(b, part[1].outputs[1].value, &text);
    assert_string_equal(text.data, "c_b.q");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_nothing_connects_is_apart),
        TEST(data_connects_nothing),
        TEST(bonds_guards_laws_controls_signals_and_outputs_connect),
        TEST(pre_that_is_shown_connects_all_that_switches),
        TEST(what_a_run_does_not_read_connects_nothing),
        TEST(what_has_no_state_goes_with_the_first),
        TEST(outputs_belong_to_what_they_read),
        TEST(the_only_part_of_a_model_is_that_model),
        TEST(a_part_has_what_is_its_own_and_what_it_reads),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
