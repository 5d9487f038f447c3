/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The canonical form: what it looks like, that it is its own canonical form, and that it means the same. The
 * latter two are tried on every .hbg file of the tree. */
#define _GNU_SOURCE /* nftw */
#include <ftw.h>

#include "hbg/hbg.h"
#include "lang/fixture_impl.h"

/* The canonical form, or NULL if the text does not parse. */
static const char *formatted(fixture *f, const char *text) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    bool good = hbg_lang_format(&f->lang, "test.hbg", text, strlen(text), &out);
    return !good ? NULL : out.size == 0 ? "" : out.data;
}

static void check(fixture *f, const char *text, const char *expected) {
    const char *once = formatted(f, text);
    assert_non_null(once);
    assert_string_equal(once, expected);
    assert_string_equal(formatted(f, once), expected);
}

static void statements_stand_on_lines_of_their_own(void **state) {
    check(*state,
          "import \"a.hbg\";component A(x=1,y [V]=2){port a:electrical;R r(x);a->r;}model M{Se s(1 [V]);A "
          "a1(x=2)\"doc\";s->a1.a;}",
          "import \"a.hbg\";\n"
          "component A(x = 1, y [V] = 2) {\n"
          "    port a : electrical;\n"
          "    R r(x);\n"
          "    a -> r;\n"
          "}\n"
          "\n"
          "model M {\n"
          "    Se s(1 [V]);\n"
          "    A a1(x = 2) \"doc\";\n"
          "    s -> a1.a;\n"
          "}\n");
}

static void blanks_stand_around_weak_operators_only(void **state) {
    check(*state,
          "model M{signal a=-b+c*d/e^-f%g-h,i=!j&&k||l==m,n=o?p:q;signal r=sin( s,t )+u [ 2 ] . e-(-1)<=2;}",
          "model M {\n"
          "    signal a = -b + c*d/e^-f%g - h, i = !j && k || l == m, n = o ? p : q;\n"
          "    signal r = sin(s, t) + u[2].e - (-1) <= 2;\n"
          "}\n");
}

static void places_are_kept(void **state) {
    check(*state, "model M{R r(5 [Ohm])@(120,-40)\"a load\";1 j when a@( 1.5 , 2 );Part p@(0,0);}",
          "model M {\n"
          "    R r(5 [Ohm]) @ (120, -40) \"a load\";\n"
          "    1 j when a @ (1.5, 2);\n"
          "    Part p @ (0, 0);\n"
          "}\n");
}

static void every_construct_has_its_form(void **state) {
    check(*state,
          "model M{1 s when!a||b off effort;0 c when k restitution(e);Sw w when -a;b7:j->n;\n"
          "I w[2]([[a,b],[c,d]],p[1]=0);R r:e=a*f,f=e/a;state x=1 [m]:der=-v;sample u every 1 [ms]=k*e;\n"
          "sensor v=n.e every 1 [ms] noise(0,0.01);input real y [V]=3;port in q:bool;port out z [A]=-1;\n"
          "automaton k every T{start o;off o{->p when -x>1;->q after 5 [s];}on p->o when(x);}\n"
          "experiment e{stop 1 [s];solver ode3 step T;set a.b=1,k=o;at 2 [s]:sw=true;fault at 3 [s] until 4 "
          "[s]:R1 abrupt -30 [%];record a,b every 1 [ms];}\n"
          "verify{range c.p in[0,1];assume -a<=0;}}",
          "model M {\n"
          "    1 s when !a || b off effort;\n"
          "    0 c when k restitution (e);\n"
          "    Sw w when -a;\n"
          "    b7: j -> n;\n"
          "    I w[2]([[a, b], [c, d]], p[1] = 0);\n"
          "    R r : e = a*f, f = e/a;\n"
          "    state x = 1 [m] : der = -v;\n"
          "    sample u every 1 [ms] = k*e;\n"
          "    sensor v = n.e every 1 [ms] noise(0, 0.01);\n"
          "    input real y [V] = 3;\n"
          "    port in q : bool;\n"
          "    port out z [A] = -1;\n"
          "    automaton k every T {\n"
          "        start o;\n"
          "        off o {\n"
          "            -> p when -x > 1;\n"
          "            -> q after 5 [s];\n"
          "        }\n"
          "        on p -> o when (x);\n"
          "    }\n"
          "    experiment e {\n"
          "        stop 1 [s];\n"
          "        solver ode3 step T;\n"
          "        set a.b = 1, k = o;\n"
          "        at 2 [s]: sw = true;\n"
          "        fault at 3 [s] until 4 [s]: R1 abrupt -30 [%];\n"
          "        record a, b every 1 [ms];\n"
          "    }\n"
          "    verify {\n"
          "        range c.p in [0, 1];\n"
          "        assume -a <= 0;\n"
          "    }\n"
          "}\n");
}

static void comments_stay_and_line_up(void **state) {
    check(*state,
          "// head\n"
          "\n\n\n"
          "model M { // begins\n"
          "R r(1); // short\n"
          "R longer(2);    // long\n"
          "\n"
          "/* block */ R x(3); /* behind */\n"
          "   // alone\n"
          "} // ends\n"
          "// foot",
          "// head\n"
          "\n"
          "model M {        // begins\n"
          "    R r(1);      // short\n"
          "    R longer(2); // long\n"
          "\n"
          "    /* block */\n"
          "    R x(3); /* behind */\n"
          "    // alone\n"
          "} // ends\n"
          "// foot\n");
}

static void a_line_break_inside_a_statement_stays(void **state) {
    check(*state, "model M {\nsignal a = b +\nc;\nA x(p = 1,\nq = 2);\n}",
          "model M {\n"
          "    signal a = b +\n"
          "        c;\n"
          "    A x(p = 1,\n"
          "        q = 2);\n"
          "}\n");
}

static void line_ends_of_windows_become_ours(void **state) {
    check(*state, "\xEF\xBB\xBFmodel M {\r\n    R r(1); // c\r\n}\r\n", "model M {\n    R r(1); // c\n}\n");
}

static void nothing_is_nothing(void **state) {
    check(*state, "", "");
    check(*state, "\n\n", "");
    check(*state, "// only", "// only\n");
    check(*state, "model M {}", "model M {}\n");
}

static void what_does_not_parse_is_refused(void **state) {
    fixture *f = *state;
    static const char *const wrong[] = {"model M {", "model M { R r(1) }", "R r(1);", "\xFF",
                                        "model M { param a = 1 @ 2; }"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(formatted(f, wrong[i]));
        assert_int_equal(f->diagnostics.errors, i + 1);
    }
}

static void a_long_line_of_calls_is_formatted_in_no_time(void **state) {
    fixture *f = *state;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "model M {\n    signal s = 0");
    for (int i = 0; i < 100000; i++) hbg_base_buffer_text(&text, " + f(1)");
    hbg_base_buffer_text(&text, ";\n}\n");
    assert_string_equal(formatted(f, text.data), text.data);
}

/* ---- the tree ----------------------------------------------------------------------------------------- */

static struct { int files, models; } seen;

/* The dump of the model in the text; NULL if it is none. Read as the file it came from, for its imports. */
static char *dump_text(hbg_session *session, const char *path, const char *data, size_t size) {
    hbg_model *model;
    hbg_text dump;
    if (hbg_load_text(session, path, data, size, NULL, &model) != HBG_OK) return NULL;
    assert_int_equal(hbg_dump_text(session, model, &dump), HBG_OK);
    char *copy = strdup(dump.data);
    hbg_text_free(session, &dump);
    return copy;
}

static void check_file(const char *path) {
    static const char *const search[] = {HBG_SOURCE_DIR "/lib"};
    hbg_session_options options = hbg_session_options_default();
    options.search = search;
    options.search_count = 1;
    hbg_session *session;
    assert_int_equal(hbg_session_new(&options, &session), HBG_OK);
    hbg_text text, once, twice;
    assert_int_equal(hbg_read_file(session, path, &text), HBG_OK);
    if (hbg_format(session, path, text.data, text.size, &once) == HBG_OK) {
        seen.files++;
        assert_int_equal(hbg_format(session, path, once.data, once.size, &twice), HBG_OK);
        if (strcmp(once.data, twice.data) != 0) fail_msg("%s changes when formatted again", path);
        char *before = dump_text(session, path, text.data, text.size);
        char *after = dump_text(session, path, once.data, once.size);
        if (!before != !after || (before && strcmp(before, after) != 0))
            fail_msg("%s means something else", path);
        seen.models += before != NULL;
        free(before);
        free(after);
        hbg_text_free(session, &twice);
        hbg_text_free(session, &once);
    }
    hbg_text_free(session, &text);
    hbg_session_free(session);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *ftw) {
    (void)status;
    if (type == FTW_D && strcmp(path + ftw->base, "build") == 0) return FTW_SKIP_SUBTREE;
    if (type == FTW_D && path[ftw->base] == '.' && ftw->level > 0) return FTW_SKIP_SUBTREE;
    size_t size = strlen(path);
    if (type == FTW_F && size > 4 && strcmp(path + size - 4, ".hbg") == 0) check_file(path);
    return FTW_CONTINUE;
}

static void every_file_of_the_tree_keeps_its_meaning(void **state) {
    (void)state;
    assert_int_equal(nftw(HBG_SOURCE_DIR, visit, 16, FTW_PHYS | FTW_ACTIONRETVAL), 0);
    print_message("%d files formatted, %d of them models\n", seen.files, seen.models);
    assert_true(seen.files > 50 && seen.models > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(statements_stand_on_lines_of_their_own),
        TEST(blanks_stand_around_weak_operators_only),
        TEST(places_are_kept),
        TEST(every_construct_has_its_form),
        TEST(comments_stay_and_line_up),
        TEST(a_line_break_inside_a_statement_stays),
        TEST(line_ends_of_windows_become_ours),
        TEST(nothing_is_nothing),
        TEST(what_does_not_parse_is_refused),
        TEST(a_long_line_of_calls_is_formatted_in_no_time),
        cmocka_unit_test(every_file_of_the_tree_keeps_its_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
