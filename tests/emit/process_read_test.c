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
static char *again_of(const char *text, size_t size) {
    hbg_session *session;
    hbg_text made;
    hbg_session_options how = hbg_session_options_default();
    assert_int_equal(hbg_session_new(&how, &session), HBG_OK);
    hbg_status status = hbg_hypa_again(session, "text", text, size, &made);
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

static char *again(const char *text) {
    return again_of(text, strlen(text));
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
    a_predicate_becomes("c.j[2]>b#2.f*2 > a>b.f", "c.j[2]>b#2.f*2 > a>b.f");
    a_predicate_becomes("y>z && y>z.ef && y > z.e", "y > z && y > z.ef && y > z.e");
    a_predicate_becomes(".5 > 1E3*x && x>2.", "0.5 > 1000*x && x > 2");
    a_predicate_becomes("table(\"a.csv\",\"b c\",t)*2 > 0", "table(\"a.csv\", \"b c\", t)*2 > 0");
    a_predicate_becomes("solved(impulse(c.f)) > 0", "solved(impulse(c.f)) > 0");
    a_predicate_becomes("pre(x+1, y) == 0", "pre(x + 1, y) == 0");
    becomes("d : [ work(a>b#2) == 2*work( a>b ) ] .", "d : [ work(a>b#2) == 2*work(a>b) ] .\n");
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
        {"X : { old(a) == 1 } .", "text:1:7", "expected nothing of a jump in a clause"},
        {"X : { a == sin(work(c)) } .", "text:1:16", "expected nothing of a jump in a clause"},
        {"X : [ work(a + b) ] .", "text:1:14", "expected `)`"},
        {"X : [ work() ] .", "text:1:12", "expected a bond"},
        {"X : { 3x > 1 } .", "text:1:7", "expected a number"},
        {"X : { 1..5 > a } .", "text:1:9", "expected `}`"},
        {"X : { a>b#2 } .", "text:1:10", "expected `}`"}, // a bond is no predicate
        {"X : [ a ] || B .", "text:1:11", "expected `.`"},
        {"X : [ a ] |> B .", "text:1:11", "expected `.`"},
        {"X : [ a ] (+) B .", "text:1:15", "expected another jump, `[`"},
        {"X : [ a ] (+) { b } .", "text:1:15", "expected another jump, `[`"},
        {"X : [ a ] (+) [ b ] >> c .", "text:1:11", "expected `>>`"},
        {"X : c (+) [ b ] .", "text:1:17", "expected `>>`"},
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

static void text_ends_where_its_size_says(void **state) {
    (void)state;
    static const char at_end[] = "X : { a } .\n\0Y : { b } .", in_comment[] = "X : { a } . // \0";
    static const struct {
        const char *text;
        size_t size;
        const char *place;
    } cut[] = {{at_end, sizeof at_end - 1, "text:2:1"}, {in_comment, sizeof in_comment - 1, "text:1:16"}};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        char *said = again_of(cut[i].text, cut[i].size);
        assert_non_null(strstr(said, cut[i].place));
        assert_non_null(strstr(said, "NUL byte"));
        free(said);
    }
}

/* However deep: a process, a predicate, signs, powers. */
static void what_is_nested_too_deep_is_refused(void **state) {
    (void)state;
    static const char *const units[][2] = {{"X : { ", "1 + "},  {"X : ", "("},          {"X : { ", "("},
                                           {"X : { ", "-"},     {"X : { ", "2^"},       {"X : ", "a |> "},
                                           {"X : ", "[a] >> "}, {"X : { ", "a ? b : "}, {"X : { ", "a ? "},
                                           {"X : { ", "f("}};
    enum { TIMES = 6000 };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t size = strlen(units[i][1]), first = strlen(units[i][0]);
        char *text = malloc(first + TIMES * size + 1);
        memcpy(text, units[i][0], first);
        for (int k = 0; k < TIMES; k++) memcpy(text + first + (size_t)k * size, units[i][1], size);
        text[first + TIMES * size] = '\0';
        char *said = again(text);
        assert_non_null(
            strstr(said, i == 0 ? "at most 5000 operators inside of each other" : "not nested so deep"));
        free(said);
        free(text);
    }
}

/* ( … ((x + x + …) + x + …) … ), as deep in brackets and with as many signs in each. */
static char *nested_sums(int brackets, int signs) {
    char *text = calloc(1, 40 + (size_t)brackets * (2 + 2 * (size_t)signs)), *at = text;
    at += sprintf(at, "X : { ");
    for (int i = 0; i < brackets; i++) *at++ = '(';
    *at++ = 'x';
    for (int i = 0; i < brackets; i++) {
        for (int k = 0; k < signs; k++) at += sprintf(at, "+x");
        *at++ = ')';
    }
    sprintf(at, " > 0 } .");
    return text;
}

/* However a term came to be so deep: long sums and brackets multiply. The comparison is an operator, too, and x itself counts. */
static void a_term_has_a_bounded_depth(void **state) {
    (void)state;
    static const struct {
        int brackets, signs;
        bool fits;
    } sums[] = {{1, 4998, true}, {1, 4999, false}, {34, 147, true}, {3, 4900, false}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        char *text = nested_sums(sums[i].brackets, sums[i].signs), *said = again(text);
        assert_true((strncmp(said, "X : { x + x", 11) == 0) == sums[i].fits);
        assert_true((strstr(said, "at most 5000 operators") == NULL) == sums[i].fits);
        free(said);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_bind_as_the_grammar_has_them),
        cmocka_unit_test(predicates_are_expressions_of_the_language),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(text_ends_where_its_size_says),
        cmocka_unit_test(what_is_nested_too_deep_is_refused),
        cmocka_unit_test(a_term_has_a_bounded_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
