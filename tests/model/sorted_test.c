/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The copy of a model in the order of its names: the order of the declarations leaves no trace in it, and
 * nothing of the model is lost. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/front_end_impl.h"
#include "model/model_impl.h"

typedef struct {
    FRONT_END
} fixture;

static const char *const search[] = {HBG_SOURCE_DIR "/lib"};

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    front_end_open(f);
    f->lang.search = search;
    f->lang.search_count = 1;
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

static hbg_model *read_text(fixture *f, const char *text) {
    hbg_model *model = hbg_lang_read_text(&f->lang, "test.hbg", text, strlen(text), NULL);
    for (int32_t i = 0; !model && i < f->diagnostics.items.count; i++)
        print_error("%s\n", f->diagnostics.items.items[i].text);
    assert_non_null(model);
    return model;
}

static const char *dump(fixture *f, const hbg_model *model) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_dump(model, &buffer);
    return buffer.data;
}

static const char *path(fixture *f, const hbg_model *model, hbg_object_kind kind, int32_t index) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_path(model, (hbg_object){kind, index}, &buffer);
    return buffer.data;
}

/* ---- a model told in many orders ---------------------------------------------------------------------- */

#define COMPONENT                                                                                            \
    "component Leak(r = 5) {\n"                                                                              \
    "    port b : any;\n"                                                                                    \
    "    port a : any;\n"                                                                                    \
    "    1 j;\n"                                                                                             \
    "    R loss(r);\n"                                                                                       \
    "    a -> j -> b;\n"                                                                                     \
    "    j -> loss;\n"                                                                                       \
    "    port out heat = loss.e;\n"                                                                          \
    "}\n"

static const char *const statements[] = {
    "param V = 2*U;",
    "param U = 5;",
    "Se supply(V*(1 + gain));",
    "signal gain = table(\"gain.csv\", \"gain\", w);",
    "signal w = abs(x) + (diode.high ? 1 : min(b7.f, node.e));",
    "state x = 1 : der = coil[2].f - x;",
    "sample held every 0.1 = in(diode.high, node.e) + pre(x);",
    "I coil[2]([[3, 1], [1, 2]]);",
    "C store : e = q + 0.5*q^3;",
    "C spare(2, e = 3);",
    "0 node;",
    "1 loop;",
    "1 gate when diode;",
    "b7: node -> gate;",
    "gate -> spare;",
    "supply -> loop;",
    "loop -> coil[1];",
    "loop -> node;",
    "node -> store;",
    "node -> coil[2];",
    "Leak drain(r = 2*U);",
    "Leak away;",
    "0 far;",
    "node -> drain.a;",
    "drain.b -> far;",
    "loop -> away.a;",
    "away.b -> far;",
    "R end(7);",
    "far -> end;",
    "automaton diode { off low -> high when node.e > 1 + x; on high -> low when gate.f < -U; }",
    "automaton clock every 0.5 { off a -> b after U/5; on b -> a when w > 3; }",
    "output y = drain.heat*store.energy*coil[1].p, z = far.e;"};
#define STATEMENTS ((int)(sizeof statements / sizeof *statements))

static const char experiments[] =
    "experiment first { stop 1; set U = 3, spare.e = 1, diode = high; record y, b7.f; "
    "plot z; fault at 0.5: U abrupt 1; }\n"
    "verify { range x in [0, U]; assume node.e <= V; }\n";

static hbg_model *tell(fixture *f, const int *order) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, COMPONENT "model M {\n");
    for (int i = 0; i < STATEMENTS; i++) hbg_base_buffer_print(&text, "%s\n", statements[order[i]]);
    hbg_base_buffer_print(&text, "%s}\n", experiments);
    return read_text(f, text.data);
}

static void put_table(void) {
    FILE *file = fopen("gain.csv", "w");
    assert_non_null(file);
    fputs("x,gain\n0,0.5\n1,0.25\n", file);
    fclose(file);
}

static void shuffle(int *order, uint32_t *random) {
    for (int i = STATEMENTS - 1; i > 0; i--) {
        *random = *random * 1664525U + 1013904223U;
        int other = (int)((*random >> 8) % (uint32_t)(i + 1));
        int kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

/* Everything an equation may be made from, number by number; names and places are left out. */
static void assert_equal_models(const hbg_model *a, const hbg_model *b) {
    assert_int_equal(a->exprs.count, b->exprs.count);
    for (int32_t i = 0; i < a->exprs.count; i++) {
        const hbg_expr_node *one = &a->exprs.items[i], *other = &b->exprs.items[i];
        assert_true(one->op == other->op && one->a == other->a && one->b == other->b && one->c == other->c);
        assert_memory_equal(&a->expr_values[i], &b->expr_values[i], sizeof(double));
        assert_int_equal(a->expr_type[i], b->expr_type[i]);
    }
    assert_int_equal(a->bonds.count, b->bonds.count);
    for (int32_t i = 0; i < a->bonds.count; i++) {
        assert_int_equal(a->bonds.items[i].from.element, b->bonds.items[i].from.element);
        assert_int_equal(a->bonds.items[i].to.element, b->bonds.items[i].to.element);
        assert_int_equal(a->bonds.items[i].to.port, b->bonds.items[i].to.port);
    }
    int32_t elements = a->elements.count;
    assert_int_equal(elements, b->elements.count);
    assert_memory_equal(a->incidence_start, b->incidence_start, ((size_t)elements + 1) * sizeof(int32_t));
    assert_memory_equal(a->incidence, b->incidence, (size_t)a->incidence_start[elements] * sizeof(int32_t));
}

static void any_order_of_declarations_gives_one_sorted_model(void **state) {
    fixture *f = *state;
    put_table();
    int order[STATEMENTS];
    for (int i = 0; i < STATEMENTS; i++) order[i] = i;
    hbg_model *first = hbg_model_sorted(&f->arena, tell(f, order));
    const char *expected = dump(f, first);
    uint32_t random = 17;
    int different = 0;
    for (int round = 0; round < 40; round++) {
        shuffle(order, &random);
        hbg_model *told = tell(f, order);
        hbg_model *sorted = hbg_model_sorted(&f->arena, told);
        assert_string_equal(dump(f, sorted), expected);
        assert_equal_models(first, sorted);
        different += strcmp(dump(f, told), expected) != 0;
    }
    assert_int_equal(different, 40); // otherwise the orders tried nothing
}

static void sorting_twice_changes_nothing(void **state) {
    fixture *f = *state;
    put_table();
    int order[STATEMENTS];
    for (int i = 0; i < STATEMENTS; i++) order[i] = STATEMENTS - 1 - i;
    hbg_model *once = hbg_model_sorted(&f->arena, tell(f, order));
    hbg_model *twice = hbg_model_sorted(&f->arena, once);
    assert_string_equal(dump(f, once), dump(f, twice));
    assert_equal_models(once, twice);
}

/* ---- single claims ------------------------------------------------------------------------------------ */

static void the_sorted_model_reads_as_expected(void **state) {
    fixture *f = *state;
    hbg_model *model = read_text(f, "model M {\n"
                                    "    Se zulu(b);\n"
                                    "    param b = 2*a, a = 3;\n"
                                    "    1 loop;\n"
                                    "    R alpha(a);\n"
                                    "    loop -> alpha;\n"
                                    "    zulu -> loop;\n"
                                    "    experiment late { stop a; }\n"
                                    "    experiment early { stop b; }\n"
                                    "}\n");
    hbg_model *sorted = hbg_model_sorted(&f->arena, model);
    assert_string_equal(dump(f, sorted), "model M\n"
                                         "param a = 3 -> 3\n"
                                         "param b = 2*a -> 6\n"
                                         "element R alpha ports 1 value a net 0\n"
                                         "element 1 loop net 0\n"
                                         "element Se zulu ports 1 value b net 0\n"
                                         "bond loop>alpha: loop -> alpha[1] net 0\n"
                                         "bond zulu>loop: zulu[1] -> loop net 0\n"
                                         "experiment late solver auto stop a\n"
                                         "experiment early solver auto stop b\n"
                                         "net 0 any\n");
    // 3, then 2, a and their product, then the value of alpha
    assert_int_equal(sorted->params.items[0].value, 0);
    assert_int_equal(sorted->params.items[1].value, 3);
    assert_int_equal(sorted->entries.items[sorted->elements.items[0].first_value], 4);
    assert_true(sorted->param_values[1] == 6);
}

static void every_path_leads_to_its_object(void **state) {
    fixture *f = *state;
    put_table();
    int order[STATEMENTS];
    for (int i = 0; i < STATEMENTS; i++) order[i] = STATEMENTS - 1 - i;
    hbg_model *sorted = hbg_model_sorted(&f->arena, tell(f, order));
    for (int32_t i = 0; i < sorted->elements.count; i++) {
        const hbg_identity *id = &sorted->elements.items[i].id;
        hbg_object found = hbg_model_find(sorted, id->scope, id->name);
        assert_int_equal(found.kind, HBG_OBJECT_ELEMENT);
        assert_int_equal(found.index, i);
        if (i > 0)
            assert_true(strcmp(path(f, sorted, HBG_OBJECT_ELEMENT, i - 1),
                               path(f, sorted, HBG_OBJECT_ELEMENT, i)) < 0);
    }
    assert_int_equal(sorted->scopes.items[0].id.scope, 0);
    assert_string_equal(path(f, sorted, HBG_OBJECT_SCOPE, 0), "M");
    assert_string_equal(path(f, sorted, HBG_OBJECT_SCOPE, 1), "away");
    assert_string_equal(path(f, sorted, HBG_OBJECT_SCOPE, 2), "drain");
}

/* Twins have numbers by declaration: they are kept as names, and do not decide the order. */
static void twin_bonds_are_ordered_by_port(void **state) {
    fixture *f = *state;
    const char *texts[2] = {
        "model M { 0 a; 1 j; TF t(2); Se s(1); s -> a; a -> t[2]; a -> t[1]; a -> j; R r(1); j -> r; }",
        "model M { 0 a; 1 j; TF t(2); Se s(1); s -> a; a -> t[1]; a -> t[2]; a -> j; R r(1); j -> r; }"};
    for (int i = 0; i < 2; i++) {
        hbg_model *sorted = hbg_model_sorted(&f->arena, read_text(f, texts[i]));
        assert_int_equal(sorted->bonds.items[1].to.port, 1);
        assert_int_equal(sorted->bonds.items[2].to.port, 2);
        assert_string_equal(path(f, sorted, HBG_OBJECT_BOND, 1), i == 0 ? "a>t#2" : "a>t");
    }
}

static void a_deep_expression_needs_no_stack(void **state) {
    fixture *f = *state;
    hbg_model *model = hbg_model_new(&f->arena, &f->names, &f->diagnostics);
    hbg_expr expr = hbg_model_add_expr(model, HBG_OP_TIME, HBG_NONE, HBG_NONE, HBG_NONE, (hbg_span){0, 0});
    for (int i = 0; i < 1000000; i++)
        expr = hbg_model_add_expr(model, HBG_OP_NEGATE, expr, HBG_NONE, HBG_NONE, (hbg_span){0, 0});
    hbg_identity id = {0, hbg_base_names_add(&f->names, "deep", 4), {0, 0}};
    int32_t signal = hbg_model_add_signal(model, id, HBG_SIGNAL_SIGNAL, HBG_TYPE_REAL);
    model->signals.items[signal].value = expr;
    hbg_model_check(model);
    hbg_model *sorted = hbg_model_sorted(&f->arena, model);
    assert_int_equal(sorted->signals.items[0].value, 1000000);
}

/* ---- all examples ------------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The lines of a dump in alphabetical order, without the numbers of nets. */
static const char *lines_of(fixture *f, const char *text) {
    HBG_VEC(char *) lines = {0};
    char *copy = hbg_base_arena_copy(&f->arena, text, strlen(text));
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        char *net = strstr(line, strncmp(line, "net ", 4) == 0 ? "net " : " net ");
        if (net && net == line)
            line = strchr(line + 4, ' ');
        else if (net)
            *net = '\0';
        HBG_PUSH(&f->arena, lines, line);
    }
    qsort(lines.items, (size_t)lines.count, sizeof *lines.items, compare_lines);
    hbg_buffer joined;
    hbg_base_buffer_init(&joined, &f->arena);
    for (int32_t i = 0; i < lines.count; i++) hbg_base_buffer_print(&joined, "%s\n", lines.items[i]);
    return joined.data;
}

/* Every bond is in the incidence of its two ends, junctions have them increasing, others by port. */
static void assert_incidence(const hbg_model *model) {
    for (int32_t e = 0; e < model->elements.count; e++) {
        const hbg_element *element = &model->elements.items[e];
        for (int32_t i = model->incidence_start[e]; i < model->incidence_start[e + 1]; i++) {
            const hbg_bond *bond = &model->bonds.items[model->incidence[i]];
            assert_true(bond->from.element == e || bond->to.element == e);
            int32_t port = bond->from.element == e ? bond->from.port : bond->to.port;
            if (element->ports > 0) assert_int_equal(port, i - model->incidence_start[e] + 1);
            if (element->ports == 0 && i > model->incidence_start[e])
                assert_true(model->incidence[i - 1] < model->incidence[i]);
        }
    }
    assert_int_equal(model->incidence_start[model->elements.count], 2 * model->bonds.count);
}

static void all_examples_keep_everything(void **state) {
    fixture *f = *state;
    glob_t files;
    assert_int_equal(glob(HBG_SOURCE_DIR "/examples/*/*.hbg", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 30);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        hbg_model *model = hbg_lang_read_file(&f->lang, files.gl_pathv[i], NULL);
        assert_non_null(model);
        hbg_model *sorted = hbg_model_sorted(&f->arena, model);
        assert_string_equal(lines_of(f, dump(f, sorted)), lines_of(f, dump(f, model)));
        assert_int_equal(sorted->symbols.count, model->symbols.count);
        assert_incidence(sorted);
        for (int32_t e = 0; e < sorted->exprs.count; e++) {
            const hbg_expr_node *node = &sorted->exprs.items[e];
            for (int k = 0; k < hbg_model_expr_arity(node); k++)
                assert_true(hbg_model_expr_argument(node, k) < e);
        }
        assert_string_equal(dump(f, hbg_model_sorted(&f->arena, sorted)), dump(f, sorted));
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(any_order_of_declarations_gives_one_sorted_model),
                                       TEST(sorting_twice_changes_nothing),
                                       TEST(the_sorted_model_reads_as_expected),
                                       TEST(every_path_leads_to_its_object),
                                       TEST(twin_bonds_are_ordered_by_port),
                                       TEST(a_deep_expression_needs_no_stack),
                                       TEST(all_examples_keep_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
