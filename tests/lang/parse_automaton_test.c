/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Automata: states, transitions, start, and states that are mentioned more than once. */
#include "lang/fixture_impl.h"

static const syntax_automaton *automaton_of(fixture *f, const char *text) {
    const syntax_file *file = parse(f, hbg_base_arena_print(&f->arena, "model M {\n%s\n}", text));
    assert_int_equal(file->definitions.items[0]->declarations.count, 1);
    return file->definitions.items[0]->declarations.items[0].automaton;
}

static void states_have_one_or_many_transitions(void **state) {
    fixture *f = *state;
    const syntax_automaton *a = automaton_of(f, "automaton k \"doc\" {\n"
                                                "    off a -> b when x;\n"
                                                "    on b { -> a when y; -> c after 5; }\n"
                                                "    off c -> a when x after 3;\n"
                                                "    on d;\n"
                                                "    on e { }\n"
                                                "};");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(a->states.count, 5);
    static const int counts[] = {1, 2, 1, 0, 0};
    static const bool on[] = {false, true, false, true, true};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(a->states.items[i].transitions.count, counts[i]);
        assert_int_equal(a->states.items[i].on, on[i]);
    }
    const syntax_transition *both = &a->states.items[2].transitions.items[0];
    assert_true(both->guard && both->after);
    const syntax_transition *after = &a->states.items[1].transitions.items[1];
    assert_true(!after->guard && after->after);
    assert_string_equal(name_of(f, after->target), "c");
    assert_null(a->every);
    assert_int_equal(a->start_span.end, 0);
}

static void a_state_mentioned_again_collects_transitions(void **state) {
    fixture *f = *state;
    const syntax_automaton *a = automaton_of(f, "automaton k every 2 {\n"
                                                "    start b;\n"
                                                "    off a -> b when x;\n"
                                                "    on b -> a when y;\n"
                                                "    off a -> b after 3;\n"
                                                "}");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(a->states.count, 2);
    assert_int_equal(a->states.items[0].transitions.count, 2);
    assert_non_null(a->every);
    assert_string_equal(name_of(f, a->start), "b");
}

static void a_state_cannot_be_on_and_off(void **state) {
    fixture *f = *state;
    automaton_of(f, "automaton k { off a -> b when x;\n on a -> b when y; on b; }");
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0507", 3, "declared off here");
}

static void two_automata_may_have_states_of_one_name(void **state) {
    fixture *f = *state;
    const syntax_file *file =
        parse(f, "model M { automaton k { off a; on b; } automaton l { on a; off b; } }");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_true(file->definitions.items[0]->declarations.items[1].automaton->states.items[0].on);
}

static void words_of_the_automaton_may_name_states(void **state) {
    fixture *f = *state;
    const syntax_automaton *a = automaton_of(f, "automaton on { start start;\n"
                                                "    off off -> on when x;\n"
                                                "    on on -> start after after;\n"
                                                "    off start -> off when every;\n"
                                                "}");
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(a->states.count, 3);
    assert_string_equal(name_of(f, a->start), "start");
}

static void wrong_transitions_cost_only_themselves(void **state) {
    fixture *f = *state;
    const syntax_automaton *a = automaton_of(f, "automaton k {\n"
                                                "    off a { -> b; -> b when x; -> when y; -> b after 2; }\n"
                                                "    blue c;\n"
                                                "    on b -> a when x;\n"
                                                "}");
    assert_int_equal(f->diagnostics.errors, 3);
    assert_int_equal(a->states.count, 2);
    assert_int_equal(a->states.items[0].transitions.count, 2);
    assert_int_equal(a->states.items[1].transitions.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(states_have_one_or_many_transitions),    TEST(a_state_mentioned_again_collects_transitions),
        TEST(a_state_cannot_be_on_and_off),           TEST(two_automata_may_have_states_of_one_name),
        TEST(words_of_the_automaton_may_name_states), TEST(wrong_transitions_cost_only_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
