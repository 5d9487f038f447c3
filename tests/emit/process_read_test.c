/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Processes that are read: what binds how is said by the grammar of docs/processes.md, what is refused is told with its place. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/hbg.h"

/* The text again, or the first report; the caller frees it. */
static char *again(const char *text) {
    hbg_session *session;
    hbg_text made;
    hbg_session_options how = hbg_session_options_default();
    assert_int_equal(hbg_session_new(&how, &session), HBG_OK);
    hbg_status status = hbg_hypa_again(session, "text", text, strlen(text), &made);
    char *copy;
    if (status == HBG_OK) {
        copy = strdup(made.data);
        hbg_text_free(session, &made);
    } else {
        assert_int_equal(status, HBG_BAD_MODEL);
        hbg_text report;
        assert_int_equal(hbg_diagnostics_text(session, false, &report), HBG_OK);
        copy = strdup(report.data);
        hbg_text_free(session, &report);
    }
    hbg_session_free(session);
    return copy;
}

static void becomes(const char *text, const char *expected) {
    char *made = again(text);
    assert_string_equal(made, expected);
    char *twice = again(made);
    assert_string_equal(twice, expected);
    free(twice);
    free(made);
}

static void a_predicate_becomes(const char *text, const char *expected) {
    char whole[400], wanted[400];
    snprintf(whole, sizeof whole, "X : { %s } .", text);
    snprintf(wanted, sizeof wanted, "X : { %s } .\n", expected);
    becomes(whole, wanted);
}

static void processes_bind_as_the_grammar_has_them(void **state) {
    (void)state;
    becomes("X : a (+) b || c .", "X : a\n  (+)\n    b || c .\n");
    becomes("X:(a (+) b)||c.", "X : (\n    a\n  (+)\n    b\n) || c .\n");
    becomes("X : ([ p ] >> { q }) |> X .", "X : ( [ p ] >> { q } ) |> X .\n");
    becomes("X : [ p ] >> ({ q } |> X) .", "X : [ p ] >> { q } |> X .\n");
    becomes("X : [ p ] >> [ q ] >> c .", "X : [ p ] >> [ q ] >> c .\n");
    becomes("X : a |> (b |> c) .", "X : a |> b |> c .\n");
    becomes("X : (a |> b) |> c .", "X : ( a |> b ) |> c .\n");
    becomes("X : (delta) |> X . Y : c .", "X : delta |> X .\n\nY : c .\n");
    becomes("// of two\nd1 : [ p; q ] // one\n (+) [ r ] .", "d1 : [ p; q ]\n  (+)\n    [ r ] .\n");
    becomes("X : [ work(b) == der(x)*impulse(b.e) ] .", "X : [ work(b) == der(x)*impulse(b.e) ] .\n");
    becomes("X : { x, y | der(x) == y } .", "X : { x, y | der(x) == y } .\n");
}

static void predicates_are_expressions_of_the_language(void **state) {
    (void)state;
    a_predicate_becomes("a||b&&c", "a || b && c");
    a_predicate_becomes("(a || b) && !c", "(a || b) && !c");
    a_predicate_becomes("2 - (x - y) <= 2-x-y", "2 - (x - y) <= 2 - x - y");
    a_predicate_becomes("a*b/c == a*(b/c)", "a*b/c == a*(b/c)");
    a_predicate_becomes("-x^2 == (-x)^2", "-x^2 == (-x)^2");
    a_predicate_becomes("x^2^3 == (x^2)^3", "x^2^3 == (x^2)^3");
    a_predicate_becomes("a ? b : c ? d : e", "a ? b : c ? d : e");
    a_predicate_becomes("(a ? b : c) != x % 2", "(a ? b : c) != x % 2");
    a_predicate_becomes("0.00001*sin(2*pi*t) >= -3e5", "1e-05*sin(2*pi*t) >= -300000");
    a_predicate_becomes("mu'1 > ball[2].x", "mu'1 > ball[2].x");
    a_predicate_becomes("a>b.e > 3", "a>b.e > 3"); // the bond from a to b
    a_predicate_becomes("table(\"a.csv\",\"b c\",t)*2 > 0", "table(\"a.csv\", \"b c\", t)*2 > 0");
    a_predicate_becomes("pre(x+1, y) == 0", "pre(x + 1, y) == 0");
    becomes("d : [ new(p) == -(0.8*old(p)); impulse(b.e)*2 == work( b ) ] .",
            "d : [ new(p) == -(0.8*old(p)); impulse(b.e)*2 == work(b) ] .\n");
}

static void what_is_wrong_is_told_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *place, *words;
    } wrong[] = {
        {"X : { a }", "text:1:10", "expected `.`"},
        {"X { a } .", "text:1:3", "expected `:`"},
        {"X : { a } .\n3 : { b } .", "text:2:1", "expected the name of a process"},
        {"X : (a .", "text:1:8", "expected `)`"},
        {"X : { a == } .", "text:1:12", "expected a predicate"},
        {"X : { table(\"a) == 1 } .", "text:1:13", "expected a text with its closing quote"},
        {"X : { } .", "text:1:7", "expected a predicate"},
        {"X : { 1e99999 == a } .", "text:1:7", "expected a number"},
        {"X : ([ a ]) |> X .", "text:1:11", "expected `>>`"},
        {"X : [ a ] >> .", "text:1:14", "expected a clause, a name, `delta` or `(`"},
        {"X : { old(a) == 1 } .", "text:1:5", "expected nothing of a jump in a clause"},
        {"X : a /> b .", "text:1:7", "`/>` is read, and nothing is made of it"},
        {"X : encap { a } (b) .", "text:1:5", "`encap` is read, and nothing is made of it"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *said = again(wrong[i].text);
        if (!strstr(said, wrong[i].place) || !strstr(said, wrong[i].words))
            fail_msg("%s: %s at %s, but\n%s", wrong[i].text, wrong[i].words, wrong[i].place, said);
        free(said);
    }
}

/* However deep: a process, a predicate, signs, powers. */
static void what_is_nested_too_deep_is_refused(void **state) {
    (void)state;
    static const char *const units[][2] = {{"X : { ", "1 + "}, {"X : ", "("},    {"X : { ", "("},
                                           {"X : { ", "-"},    {"X : { ", "2^"}, {"X : ", "a |> "},
                                           {"X : ", "[a] >> "}};
    enum { TIMES = 6000 };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t size = strlen(units[i][1]), first = strlen(units[i][0]);
        char *text = malloc(first + TIMES * size + 1);
        memcpy(text, units[i][0], first);
        for (int k = 0; k < TIMES; k++) memcpy(text + first + (size_t)k * size, units[i][1], size);
        text[first + TIMES * size] = '\0';
        char *said = again(text);
        assert_non_null(strstr(said, i == 0 ? "not so long" : "not nested so deep"));
        free(said);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_bind_as_the_grammar_has_them),
        cmocka_unit_test(predicates_are_expressions_of_the_language),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(what_is_nested_too_deep_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
