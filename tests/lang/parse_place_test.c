/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Places of drawings: what is read of them, and that they mean nothing else. */
#include "hbg/hbg.h"
#include "lang/fixture_impl.h"

static void a_place_stands_behind_arguments_and_before_the_text(void **state) {
    fixture *f = *state;
    static const char text[] = "model M {\nR r(5) @ (12.5, -40) \"load\";\n0 n;\nR s(1)\"x\";\n}";
    const syntax_file *file = parse(f, text);
    assert_int_equal(f->diagnostics.errors, 0);
    const syntax_declaration *d = file->definitions.items[0]->declarations.items;
    assert_true(d[0].place.given && d[0].place.x == 12.5 && d[0].place.y == -40);
    assert_string_equal(d[0].doc, "load");
    assert_int_equal(d[0].place_span.end - d[0].place_span.start, strlen("@ (12.5, -40)"));
    /* where one would stand */
    uint32_t base = d[0].place_span.start - (uint32_t)(strstr(text, "@ (12") - text);
    assert_false(d[1].place.given || d[2].place.given);
    assert_int_equal(d[1].place_span.start - base, strstr(text, "0 n") + 3 - text);
    assert_int_equal(d[2].place_span.start - base, strstr(text, "s(1)") + 4 - text);
    assert_int_equal(d[2].place_span.start, d[2].place_span.end);
}

static char *run_of(const char *place, const char *option) {
    static char rows[20000];
    char model[500];
    snprintf(model, sizeof model,
             "component Part { port a : any; R r(2)%s; C c(1)%s; 1 j%s; a -> j -> r; j -> c; }\n"
             "model M { Se v(3)%s; Part p%s; v -> p.a; output q = p.c.q; experiment e { stop 1 [s]; } }",
             place, place, place, place, place);
    hbg_session *session;
    hbg_model *loaded;
    hbg_text text;
    bool valid;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "m.hbg", model, strlen(model), NULL, &loaded), HBG_OK);
    hbg_causality_options options = {0};
    if (option)
        assert_int_equal(hbg_causality_text(session, loaded, &options, &valid, &text), HBG_OK);
    else
        assert_int_equal(hbg_dump_text(session, loaded, &text), HBG_OK);
    snprintf(rows, sizeof rows, "%s", text.data);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return rows;
}

/* Every table of the model but positions in the text, and its causality. */
static void a_place_changes_nothing_else(void **state) {
    fixture *f = *state;
    const char *causality = hbg_base_arena_print(&f->arena, "%s", run_of("", "causality"));
    assert_string_equal(run_of(" @ (3, 4)", "causality"), causality);
    const char *tables = hbg_base_arena_print(&f->arena, "%s", run_of("", NULL));
    assert_string_equal(run_of(" @ (-3, 4e2)", NULL), tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_place_stands_behind_arguments_and_before_the_text),
        TEST(a_place_changes_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
