/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What floats in a mode is found, with what cuts it off, and only then; such a mode is a mode like others (semantics, section 3a). */
#include "api/mode_impl.h"
#include "api/run_fixture_impl.h"

/* A source between two nodes that a pair of switches joins to the rest. */
#define CUT_OFF(more)                                                                                        \
    "model M { Se source(1 [V]); R inner(1 [Ohm]); R load(1 [Ohm]); 0 a; 0 b; 1 between; 1 s1 when x; 1 s2 " \
    "when x;\n"                                                                                              \
    "  b -> between -> a; source -> between; between -> inner; 0 plus; 0 minus; Se ground(0 [V]);\n"         \
    "  a -> s1 -> plus; minus -> s2 -> b; 1 out; plus -> out -> minus; out -> load; ground -> minus;\n"      \
    "  automaton x { off open -> shut when time > 1 [s]; on shut; } " more " }\n"

/* What check says; "" if it is fine. */
static char *check(const char *model, char *words, size_t size) {
    run_fixture f = fixture_load(model, NULL);
    hbg_text text;
    hbg_status status = hbg_check_start_mode(f.session, f.model);
    words[0] = 0;
    assert_true(status == HBG_OK || status == HBG_BAD_MODEL);
    assert_int_equal(hbg_diagnostics_text(f.session, false, &text), HBG_OK);
    snprintf(words, size, "%s", text.data);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
    return words;
}

/* Names of junctions, in the order found. */
static void put_names(const hbg_model *model, const int32_t *junctions, int32_t count, char *words,
                      size_t size) {
    words[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t used = strlen(words);
        snprintf(words + used, size - used, "%s%s", i ? " " : "",
                 hbg_base_names_get(model->names, model->elements.items[junctions[i]].id.name));
    }
}

/* In the start mode: what floats, and what cuts it off. */
static void expect_floating(const char *text, const char *nodes, const char *cuts) {
    run_fixture f = fixture_load(text, NULL);
    hbg_arena *arena = &f.session->scratch;
    hbg_causal_structure *structure = hbg_causal_structure_new(arena, f.model, NULL);
    bool *on = HBG_NEW_ARRAY(arena, bool, structure->place_count + 1);
    int32_t *states = HBG_NEW_ARRAY(arena, int32_t, f.model->automata.count + 1);
    for (int32_t i = 0; i < f.model->automata.count; i++) states[i] = f.model->automata.items[i].start;
    hbg_causal_mode(arena, structure, states, on);
    hbg_causal_conflict_set conflict = hbg_causal_conflict(arena, structure, on);
    hbg_causal_floating_set found = {0};
    char words[200];
    assert_true(hbg_causal_floating(arena, structure, on, &conflict, &found));
    put_names(f.model, found.nodes.items, found.nodes.count, words, sizeof words);
    assert_string_equal(words, nodes);
    put_names(f.model, found.cuts.items, found.cuts.count, words, sizeof words);
    assert_string_equal(words, cuts);
    fixture_free(&f);
}

static void nodes_that_float_are_named_with_what_cuts_them_off(void **state) {
    (void)state;
    char words[4000];
    assert_string_equal(check(CUT_OFF(""), words, sizeof words), "");
    expect_floating(CUT_OFF(""), "b a", "s2 s1");
}

/* The same with components in series: a loop of several 1-junctions. And a run that gets there on its way. */
#define IN_SERIES(first, second, time)                                                                       \
    "model M { Se source(1 [V]); R inner(1 [Ohm]); R load(1 [Ohm]); 0 a; 0 b; 1 between; 1 rest; 1 s1 when " \
    "x; 1 s2 "                                                                                               \
    "when x;\n"                                                                                              \
    "  b -> between -> rest -> a; source -> between; rest -> inner; 0 plus; 0 minus; Se ground(0 [V]);\n"    \
    "  a -> s1 -> plus; minus -> s2 -> b; 1 out; plus -> out -> minus; out -> load; ground -> minus;\n"      \
    "  automaton x { " first " when time > 1 [s]; " second "; } experiment e { stop " time " [s]; } }\n"

static void components_in_series_float_together(void **state) {
    (void)state;
    char words[4000];
    const char *text = IN_SERIES("off open -> shut", "on shut", "2");
    assert_string_equal(check(text, words, sizeof words), "");
    expect_floating(text, "b a", "s2 s1");
}

static void a_run_that_gets_there_goes_on(void **state) {
    (void)state;
    run_fixture f = fixture_load(IN_SERIES("on shut -> open", "off open", "2"), NULL);
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_int_equal(end, HBG_RUN_FINISHED);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* Nothing flows there, and the nodes read what lies between the switches: it is a steady state like any other. */
static void a_mode_that_floats_has_a_steady_state(void **state) {
    (void)state;
    run_fixture f = fixture_load(IN_SERIES("on shut -> open", "off open", "0"), NULL);
    hbg_steady_options options = {.mode = "x=open"};
    hbg_text text;
    bool found;
    assert_int_equal(hbg_steady(f.session, f.model, &options, &found, &text), HBG_OK);
    assert_true(found);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_leak_holds_them(void **state) {
    (void)state;
    char words[4000];
    assert_string_equal(
        check(CUT_OFF("R leak(1 [MOhm]); 1 path; b -> path -> minus; path -> leak;"), words, sizeof words),
        "");
}

/* A battery and a bulb between two nodes: without a reference both nodes can be raised, with one of any kind they cannot. */
#define TORCH(more)                                                                                          \
    "model M { Se battery(9 [V]); R bulb(10 [Ohm]); 0 plus; 0 minus; 1 source; 1 load;\n"                    \
    "  battery -> source -> plus -> load -> minus; minus -> source; load -> bulb; " more " }\n"

static void a_circuit_without_a_ground_is_named_with_its_nodes(void **state) {
    (void)state;
    char words[4000];
    check(TORCH(""), words, sizeof words);
    if (!strstr(words, "nothing determines the effort of `plus` and `minus`: the part floats"))
        fail_msg("%s", words);
    if (!strstr(words, "`Se ground(0)` at `plus`")) fail_msg("%s", words);
    assert_string_equal(check(TORCH("Se ground(0 [V]); ground -> minus;"), words, sizeof words), "");
    assert_string_equal(check(TORCH("C earth(1 [F]); plus -> earth;"), words, sizeof words), "");
    assert_string_equal(check(TORCH("1 leak; R r(1 [Ohm]); plus -> leak -> r;"), words, sizeof words), "");
}

/* Behind a transformer there is another part, with a ground of its own or without. */
#define BEHIND_A_TRANSFORMER(more)                                                                           \
    "model M { Se mains(9 [V]); 0 live; mains -> live; 1 primary; TF ratio(2); 1 secondary; live -> "        \
    "primary -> ratio -> secondary; 0 high; 0 low; low -> secondary -> high; 1 load; R bulb(1 [Ohm]); "      \
    "high -> load -> low; load -> bulb; " more "}\n"

static void a_secondary_side_without_a_ground_is_named(void **state) {
    (void)state;
    char words[4000];
    check(BEHIND_A_TRANSFORMER(""), words, sizeof words);
    if (!strstr(words, "nothing determines the effort of `high` and `low`: the part floats"))
        fail_msg("%s", words);
    assert_string_equal(check(BEHIND_A_TRANSFORMER("Se ground(0 [V]); ground -> low; "), words, sizeof words),
                        "");
}

static void every_part_without_a_ground_is_named(void **state) {
    (void)state;
    char words[4000];
    check(TORCH("Se cell(2 [V]); R lamp(1 [Ohm]); 0 top; 0 foot; 1 s; 1 l; foot -> s -> top -> l -> foot; "
                "cell -> s; l -> lamp;"),
          words, sizeof words);
    if (!strstr(words, "`plus` and `minus`: the part floats") ||
        !strstr(words, "`top` and `foot`: the part floats"))
        fail_msg("%s", words);
}

/* A bridge of diodes blocks, and nothing at all is tied down: it is the ground that is missing. */
static void missing_ground_is_told_where_causality_fails_by_it(void **state) {
    (void)state;
    char words[4000];
    check("model M { Se mains(9 [V]); R bulb(1 [Ohm]); 0 a; 0 b; 0 p; 0 n; 1 m; 1 l; b -> m -> a; mains -> "
          "m; p -> l -> n; l -> "
          "bulb; 1 d when x; 1 e when x; a -> d -> p; n -> e -> b; automaton x { off no -> yes when time > 1 "
          "[s]; on yes; } }\n",
          words, sizeof words);
    if (!strstr(words, "nothing determines the effort of") ||
        !strstr(words, "tie one of them to a reference"))
        fail_msg("%s", words);
}

static void two_sources_at_one_node_are_another_matter(void **state) {
    (void)state;
    char words[4000];
    check("model M { Se a(1 [V]); Se b(2 [V]); 0 n; a -> n; b -> n; }\n", words, sizeof words);
    assert_non_null(strstr(words, "no valid causal assignment"));
    assert_null(strstr(words, "nothing determines the effort of"));
    check(CUT_OFF("Se c(1 [V]); Se d(1 [V]); c -> a; d -> a;"), words, sizeof words);
    assert_non_null(strstr(words, "no valid causal assignment"));
    assert_null(strstr(words, "nothing determines the effort of"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_float_are_named_with_what_cuts_them_off),
        cmocka_unit_test(components_in_series_float_together),
        cmocka_unit_test(a_run_that_gets_there_goes_on),
        cmocka_unit_test(a_mode_that_floats_has_a_steady_state),
        cmocka_unit_test(a_leak_holds_them),
        cmocka_unit_test(a_circuit_without_a_ground_is_named_with_its_nodes),
        cmocka_unit_test(a_secondary_side_without_a_ground_is_named),
        cmocka_unit_test(every_part_without_a_ground_is_named),
        cmocka_unit_test(missing_ground_is_told_where_causality_fails_by_it),
        cmocka_unit_test(two_sources_at_one_node_are_another_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
