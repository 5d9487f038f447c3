/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every gesture on a diagram: the text before, the gesture, the text after, which is still a model. */
#include "lang/service_fixture_impl.h"

#define CIRCUIT                                                                                              \
    "// a coil behind a switch\n"                                                                            \
    "model Coil {\n"                                                                                         \
    "    param V = 10 [V], R1 = 330 [Ohm]; // given\n"                                                       \
    "    input bool sw = false;\n"                                                                           \
    "\n"                                                                                                     \
    "    Se supply(V); // a battery\n"                                                                       \
    "    R series(R1);\n"                                                                                    \
    "    I coil(5 [mH], p = 0 [Wb]);\n"                                                                      \
    "\n"                                                                                                     \
    "    1 loop;  // everything in series\n"                                                                 \
    "\n"                                                                                                     \
    "    supply -> loop -> coil; // two bonds\n"                                                             \
    "    loop -> series;\n"                                                                                  \
    "\n"                                                                                                     \
    "    output i = coil.f, v = series.e;\n"                                                                 \
    "    experiment on {\n"                                                                                  \
    "        stop 1 [ms];\n"                                                                                 \
    "        record i, v, coil.p;\n"                                                                         \
    "    }\n"                                                                                                \
    "}\n"

static hbg_status try(fixture *f, const char *text, hbg_gesture gesture, const char **after,
                      const char **reason, const char **name) {
    asked a = ask(f, text);
    hbg_service_edits edits;
    *reason = "";
    hbg_status status = hbg_lang_service_gesture(a.reading, &f->arena, &gesture, &edits, reason);
    if (status != HBG_OK) return status;
    *after = apply(f, a.text, &edits);
    *name = edits.name;
    return status;
}

/* The text after the gesture, which has to be a model. */
static const char *do_gesture(fixture *f, const char *text, hbg_gesture gesture, const char *expected_name) {
    const char *after, *reason, *name;
    hbg_status status = try(f, text, gesture, &after, &reason, &name);
    if (status != HBG_OK) fail_msg("refused: %s", reason);
    if (expected_name) assert_string_equal(name, expected_name);
    asked again = ask(f, after);
    if (!hbg_lang_reading_model(again.reading)) {
        hbg_service_diagnostics found;
        hbg_lang_service_diagnose(again.reading, &f->arena, &found);
        fail_msg("no model: %s\n%s", found.count ? found.items[0].text : "", after);
    }
    return after;
}

/* Replaces the one place where `old` stands. */
static const char *with(fixture *f, const char *text, const char *old, const char *new) {
    const char *at = strstr(text, old);
    assert_non_null(at);
    return hbg_base_arena_print(&f->arena, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static void refused(fixture *f, const char *text, hbg_gesture gesture, const char *words) {
    const char *after, *reason, *name;
    assert_int_not_equal(try(f, text, gesture, &after, &reason, &name), HBG_OK);
    if (!strstr(reason, words)) fail_msg("`%s` does not say `%s`", reason, words);
}

static void an_element_goes_behind_the_last_of_its_kind(void **state) {
    fixture *f = *state;
    const char *after, *reason, *name;
    // a resistor without a bond is no model yet: only the text is compared
    assert_int_equal(
        try(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "R"}, &after, &reason, &name), HBG_OK);
    assert_string_equal(name, "r");
    assert_string_equal(after, with(f, CIRCUIT, "p = 0 [Wb]);\n", "p = 0 [Wb]);\n    R r(1);\n"));
    assert_int_equal(try(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "0", .name = "gnd"},
                         &after, &reason, &name),
                     HBG_OK);
    assert_string_equal(after, with(f, CIRCUIT, "in series\n", "in series\n    0 gnd;\n"));
    assert_int_equal(
        try(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "1"}, &after, &reason, &name), HBG_OK);
    assert_string_equal(name, "loop2"); // `loop` is taken
}

static void a_component_of_the_library_brings_its_import(void **state) {
    fixture *f = *state;
    const char *after, *reason, *name;
    hbg_gesture gesture = {.kind = HBG_GESTURE_ADD, .what = "Resistor", .text = "resistance = 10 [Ohm]"};
    assert_int_equal(try(f, CIRCUIT, gesture, &after, &reason, &name), HBG_OK);
    assert_string_equal(name, "resistor");
    assert_non_null(strstr(after, "import \"electrical.hbg\";\n\nmodel Coil"));
    assert_non_null(strstr(after, "    Resistor resistor(resistance = 10 [Ohm]);\n"));
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "Resistro"},
            "no element or component");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "R", .text = "1); R x(1"},
            "is no declaration");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "R", .name = "param"},
            "cannot be a name");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_ADD, .what = "R", .name = "coil"},
            "already something called");
}

static void an_empty_model_takes_its_first_object(void **state) {
    fixture *f = *state;
    const char *after, *reason, *name;
    hbg_gesture gesture = {.kind = HBG_GESTURE_ADD, .what = "Se", .text = "5 [V]"};
    assert_int_equal(try(f, "model Empty {}\n", gesture, &after, &reason, &name), HBG_OK);
    assert_string_equal(after, "model Empty {\n    Se source(5 [V]);\n}\n");
    assert_int_equal(try(f, "model Empty {\n}\n", gesture, &after, &reason, &name), HBG_OK);
    assert_string_equal(after, "model Empty {\n    Se source(5 [V]);\n}\n");
    refused(f, "component C {}", gesture, "no model in this text");
    gesture.model = "C";
    assert_int_equal(try(f, "component C { }", gesture, &after, &reason, &name), HBG_OK);
    assert_string_equal(after, "component C {\n    Se source(5 [V]);\n}");
}

static void a_bond_joins_what_can_be_joined(void **state) {
    fixture *f = *state;
    const char *text = with(f, CIRCUIT, "    1 loop;", "    R r(1);\n    1 loop;");
    const char *after = do_gesture(
        f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "loop", .other = "r"}, "loop>r");
    assert_string_equal(after,
                        with(f, text, "    loop -> series;\n", "    loop -> series;\n    loop -> r;\n"));
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "loop", .other = "coil"},
            "has its bond already");
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "loop", .other = "loop"},
            "with itself");
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "loop", .other = "V"},
            "cannot take a bond");
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "loop", .other = "nobody"},
            "nothing is called");
}

static void a_bond_to_a_component_takes_a_free_port(void **state) {
    fixture *f = *state;
    static const char text[] =
        "import \"electrical.hbg\";\n"
        "model M {\n    VoltageSource s;\n    Resistor r;\n    Ground g;\n    0 plus;\n    0 minus;\n"
        "    s.p -> plus -> r.a;\n    minus -> s.n;\n    minus -> g.p;\n}\n";
    const char *after = do_gesture(
        f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "r", .other = "minus"}, "r.k>minus");
    assert_string_equal(after, with(f, text, "g.p;\n", "g.p;\n    r.k -> minus;\n"));
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "s", .other = "minus"},
            "no port without a bond");
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "r.a", .other = "minus"},
            "has a bond already");
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "r.resistor", .other = "minus"},
            "");
}

/* What is connected stands after the last junction of a model that is not whole yet. */
static void connects(fixture *f, const char *text, const char *object, const char *other, const char *name,
                     const char *lines) {
    const char *after, *reason, *made;
    hbg_gesture gesture = {.kind = HBG_GESTURE_CONNECT, .object = object, .other = other};
    assert_int_equal(try(f, text, gesture, &after, &reason, &made), HBG_OK);
    assert_string_equal(made, name);
    assert_string_equal(after,
                        with(f, text, "0 plus;\n", hbg_base_arena_print(&f->arena, "0 plus;\n%s", lines)));
}

static void a_bond_runs_as_its_ports_do(void **state) {
    fixture *f = *state;
    static const char text[] =
        "import \"electrical.hbg\";\nimport \"translational.hbg\";\n"
        "model M {\n    VoltageSource s;\n    Switch c(closed = true, Ron = 1 [Ohm]);\n"
        "    Ground g;\n    Mass m;\n    Damper d;\n    0 plus;\n}\n";
    // a source gives at `p`, whatever it is pulled from
    connects(f, text, "c.a", "s.p", "s.p>c.a", "    s.p -> c.a;\n");
    connects(f, text, "s.p", "c.a", "s.p>c.a", "    s.p -> c.a;\n");
    connects(f, text, "plus", "c.k", "c.k>plus", "    c.k -> plus;\n");
    connects(f, text, "plus", "c.a", "plus>c.a", "    plus -> c.a;\n");
    // two that take power share an effort, two bodies a velocity
    connects(f, text, "g.p", "c.a", "node", "    0 node;\n    node -> g.p;\n    node -> c.a;\n");
    connects(f, text, "s.p", "c.k", "node", "    0 node;\n    s.p -> node;\n    c.k -> node;\n");
    connects(f, text, "m.p", "d.a", "node", "    1 node;\n    node -> m.p;\n    node -> d.a;\n");
}

static void domains_meet_only_in_transformers(void **state) {
    fixture *f = *state;
    static const char text[] =
        "model M {\n    Se v(1 [V]);\n    R r(1 [Ohm]);\n    1 a;\n    Se t(1 [N]);\n    R d(1 [N.s/m]);\n"
        "    1 b;\n    v -> a -> r;\n    t -> b -> d;\n}\n";
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_CONNECT, .object = "a", .other = "b"},
            "`a` is electrical and `b` is translational");
}

static void a_bond_is_turned_round_where_it_stands(void **state) {
    fixture *f = *state;
    const char *after = do_gesture(
        f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_REVERSE, .object = "loop>series"}, "series>loop");
    assert_string_equal(after, with(f, CIRCUIT, "loop -> series;", "series -> loop;"));
    after = do_gesture(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_REVERSE, .object = "supply>loop"}, NULL);
    assert_string_equal(after,
                        with(f, CIRCUIT, "supply -> loop -> coil;", "loop -> supply;\n    loop -> coil;"));
    after = do_gesture(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_REVERSE, .object = "loop>coil"}, NULL);
    assert_string_equal(after,
                        with(f, CIRCUIT, "supply -> loop -> coil;", "supply -> loop;\n    coil -> loop;"));
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_REVERSE, .object = "coil>series"},
            "there is no bond");
}

static void what_is_deleted_takes_bonds_and_records_along(void **state) {
    fixture *f = *state;
    const char *objects[] = {"series"};
    hbg_gesture gesture = {.kind = HBG_GESTURE_DELETE, .objects = objects, .object_count = 1};
    const char *after = do_gesture(f, CIRCUIT, gesture, NULL);
    const char *expected = with(f, CIRCUIT, "    R series(R1);\n", "");
    expected = with(f, expected, "    loop -> series;\n", "");
    expected = with(f, expected, ", v = series.e", "");
    expected = with(f, expected, ", v, coil.p", ", coil.p");
    assert_string_equal(after, expected);
    // the middle of a chain
    static const char text[] = "model M {\n    Se v(1 [V]);\n    R r(1);\n    0 a;\n    0 b;\n    v -> a -> "
                               "b -> r;\n    R s(1);\n    a -> s;\n    R t(2);\n    b -> t;\n}\n";
    objects[0] = "a>b";
    after = do_gesture(f, text, gesture, NULL);
    assert_string_equal(after, with(f, text, "v -> a -> b -> r;", "v -> a;\n    b -> r;"));
}

static void what_a_guard_reads_stays(void **state) {
    fixture *f = *state;
    const char *text = with(f, CIRCUIT, "    output",
                            "    automaton a {\n        off x -> y when coil.f > 1;\n        on y -> x when "
                            "sw;\n    }\n    output");
    const char *objects[] = {"coil"};
    hbg_gesture gesture = {.kind = HBG_GESTURE_DELETE, .objects = objects, .object_count = 1};
    refused(f, text, gesture, "`coil` is still needed in line 16: `off x -> y when coil.f > 1;`");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_DELETE, .object = "R1"},
            "`R1` is still needed in line 7");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_DELETE}, "say what to delete");
}

static void a_value_changes_in_place(void **state) {
    fixture *f = *state;
    const char *after = do_gesture(
        f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "series", .text = "2*R1"}, "series");
    assert_string_equal(after, with(f, CIRCUIT, "series(R1)", "series(2*R1)"));
    after = do_gesture(
        f, CIRCUIT,
        (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "coil", .other = "p", .text = "1 [mWb]"}, NULL);
    assert_string_equal(after, with(f, CIRCUIT, "p = 0 [Wb]", "p = 1 [mWb]"));
    after = do_gesture(f, CIRCUIT,
                       (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "R1", .text = "1 [kOhm]"}, NULL);
    assert_string_equal(after, with(f, CIRCUIT, "R1 = 330 [Ohm]", "R1 = 1 [kOhm]"));
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "series", .text = "R1); I x(1"},
            "is no value");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "series", .text = ""},
            "is no value");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "loop", .text = "1"},
            "which has no value");
}

static void arguments_of_components_are_found_and_added(void **state) {
    fixture *f = *state;
    static const char text[] = "import \"electrical.hbg\";\n"
                               "model M {\n    VoltageSource s(voltage = 5 [V]);\n    Resistor r;\n    "
                               "Ground g;\n    0 plus;\n    0 minus;\n"
                               "    s.p -> plus -> r.a;\n    r.k -> minus -> s.n;\n    minus -> g.p;\n}\n";
    const char *after = do_gesture(
        f, text, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "s", .other = "voltage", .text = "6 [V]"},
        NULL);
    assert_string_equal(after, with(f, text, "voltage = 5 [V]", "voltage = 6 [V]"));
    after = do_gesture(
        f, text, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "r", .other = "resistance", .text = "1"},
        NULL);
    assert_string_equal(after, with(f, text, "Resistor r;", "Resistor r(resistance = 1);"));
    refused(f, text, (hbg_gesture){.kind = HBG_GESTURE_VALUE, .object = "r.r", .text = "1"}, "");
}

static void a_new_name_is_given_everywhere(void **state) {
    fixture *f = *state;
    const char *after =
        do_gesture(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_RENAME, .object = "coil", .name = "winding"},
                   "winding");
    const char *expected = with(f, CIRCUIT, "I coil(", "I winding(");
    expected = with(f, expected, "loop -> coil;", "loop -> winding;");
    expected = with(f, expected, "i = coil.f", "i = winding.f");
    expected = with(f, expected, "v, coil.p", "v, winding.p");
    assert_string_equal(after, expected);
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_RENAME, .object = "coil", .name = "series"},
            "already a resistor called");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_RENAME, .object = "coil", .name = "9"},
            "cannot be a name");
}

static void sentences_join_their_experiment(void **state) {
    fixture *f = *state;
    hbg_gesture fault = {.kind = HBG_GESTURE_FAULT, .text = "at 0.5 [ms]: R1 abrupt -30 [%]"};
    const char *after = do_gesture(f, CIRCUIT, fault, "on");
    assert_string_equal(
        after, with(f, CIRCUIT, "coil.p;\n", "coil.p;\n        fault at 0.5 [ms]: R1 abrupt -30 [%];\n"));
    after =
        do_gesture(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_EXPERIMENT, .text = "stop 2 [ms]"}, "on");
    assert_string_equal(after, with(f, CIRCUIT, "stop 1 [ms];", "stop 2 [ms];"));
    after = do_gesture(f, CIRCUIT,
                       (hbg_gesture){.kind = HBG_GESTURE_EXPERIMENT, .other = "long", .text = "stop 1 [s];"},
                       "long");
    assert_string_equal(after, with(f, CIRCUIT, "coil.p;\n    }\n",
                                    "coil.p;\n    }\n    experiment long {\n        stop 1 [s];\n    }\n"));
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_FAULT, .text = "stop 1 [s]"}, "is no sentence");
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_EXPERIMENT, .text = "stop 1; stop 2"}, "");
}

static void a_selection_becomes_a_component(void **state) {
    fixture *f = *state;
    const char *objects[] = {"series", "coil"};
    hbg_gesture gesture = {.kind = HBG_GESTURE_WRAP, .objects = objects, .object_count = 2, .name = "Load"};
    const char *after = do_gesture(f, CIRCUIT, gesture, "load");
    assert_non_null(strstr(
        after,
        "component Load(R1 = 330 [Ohm]) {\n    port loop : electrical;\n    port loop2 : electrical;\n\n"
        "    R series(R1);\n    I coil(5 [mH], p = 0 [Wb]);\n\n    loop -> coil;\n    loop2 -> "
        "series;\n}\n\nmodel Coil {"));
    assert_non_null(strstr(after, "    Load load(R1 = R1);\n"));
    assert_non_null(strstr(after, "output i = load.coil.f, v = load.series.e;"));
    assert_non_null(strstr(after, "record i, v, load.coil.p;"));
    assert_non_null(strstr(after, "// two bonds"));
    gesture.name = "Coil";
    refused(f, CIRCUIT, gesture, "already a model or component");
    objects[0] = "V";
    gesture.name = "Other";
    refused(f, CIRCUIT, gesture, "cannot be wrapped");
}

static void a_position_comes_moves_and_goes(void **state) {
    fixture *f = *state;
    hbg_gesture gesture = {
        .kind = HBG_GESTURE_PLACE, .object = "series", .placed = true, .x = 120, .y = -40.5};
    const char *placed = do_gesture(f, CIRCUIT, gesture, "series");
    assert_string_equal(placed, with(f, CIRCUIT, "series(R1);", "series(R1) @ (120, -40.5);"));
    gesture.x = 7;
    assert_string_equal(do_gesture(f, placed, gesture, NULL),
                        with(f, CIRCUIT, "series(R1);", "series(R1) @ (7, -40.5);"));
    gesture.placed = false;
    assert_string_equal(do_gesture(f, placed, gesture, NULL), CIRCUIT);
    refused(f, CIRCUIT, (hbg_gesture){.kind = HBG_GESTURE_PLACE, .object = "R1", .placed = true},
            "no position");
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(an_element_goes_behind_the_last_of_its_kind),
                                       TEST(a_component_of_the_library_brings_its_import),
                                       TEST(an_empty_model_takes_its_first_object),
                                       TEST(a_bond_joins_what_can_be_joined),
                                       TEST(a_bond_to_a_component_takes_a_free_port),
                                       TEST(a_bond_runs_as_its_ports_do),
                                       TEST(domains_meet_only_in_transformers),
                                       TEST(a_bond_is_turned_round_where_it_stands),
                                       TEST(what_is_deleted_takes_bonds_and_records_along),
                                       TEST(what_a_guard_reads_stays),
                                       TEST(a_value_changes_in_place),
                                       TEST(arguments_of_components_are_found_and_added),
                                       TEST(a_new_name_is_given_everywhere),
                                       TEST(sentences_join_their_experiment),
                                       TEST(a_selection_becomes_a_component),
                                       TEST(a_position_comes_moves_and_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
