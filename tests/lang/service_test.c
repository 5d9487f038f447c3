/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the language service says of a text, also of one that is wrong. */
#include "lang/service_fixture_impl.h"

#define CIRCUIT                                                                                              \
    "import \"electrical.hbg\";\n"                                                                           \
    "function square(x) = x*x;\n"                                                                            \
    "model M \"a model\" {\n"                                                                                \
    "    param V = 12 [V], R1 = 330 [Ohm] \"of the coil\";\n"                                                \
    "    input bool sw = false;\n"                                                                           \
    "    Resistor load(resistance = R1);\n"                                                                  \
    "    Ground ground;\n"                                                                                   \
    "    Se supply(V);\n"                                                                                    \
    "    0 plus;\n"                                                                                          \
    "    0 minus;\n"                                                                                         \
    "    1 closed when relay;\n"                                                                             \
    "    supply -> closed -> plus -> load.a;\n"                                                              \
    "    load.k -> minus -> ground.p;\n"                                                                     \
    "    automaton relay {\n"                                                                                \
    "        off open -> shut when sw;\n"                                                                    \
    "        on shut -> open when !sw;\n"                                                                    \
    "    }\n"                                                                                                \
    "    signal v = square(plus.e);\n"                                                                       \
    "    experiment x {\n"                                                                                   \
    "        stop 1 [s];\n"                                                                                  \
    "        set relay = shut;\n"                                                                            \
    "        record v;\n"                                                                                    \
    "    }\n"                                                                                                \
    "}\n"

/* The text with a mark at the first place where the words are. */
static const char *mark(fixture *f, const char *text, const char *words, size_t into) {
    const char *at = strstr(text, words);
    assert_non_null(at);
    at += into;
    return hbg_base_arena_print(&f->arena, "%.*s|%s", (int)(at - text), text, at);
}

static hbg_service_hover hover(fixture *f, const char *marked) {
    asked a = ask(f, marked);
    hbg_service_hover found;
    assert_true(hbg_lang_service_hover(a.reading, NULL, &f->arena, a.offset, &found));
    return found;
}

static void a_name_says_what_it_is(void **state) {
    fixture *f = *state;
    hbg_service_hover h = hover(f, mark(f, CIRCUIT, "R1);", 1));
    assert_string_equal(h.what, "parameter");
    assert_string_equal(h.line, "param R1 = 330 [Ohm] \"of the coil\"");
    assert_string_equal(h.value, "330 Ohm");
    assert_string_equal(h.document, "of the coil");
    assert_string_equal(h.declared.path, "test.hbg");
    h = hover(f, mark(f, CIRCUIT, "plus ->", 0));
    assert_string_equal(h.what, "0-junction");
    assert_string_equal(h.domain, "electrical");
    h = hover(f, mark(f, CIRCUIT, "load.a", 5));
    assert_string_equal(h.what, "port");
    assert_non_null(strstr(h.declared.path, "electrical.hbg"));
    h = hover(f, mark(f, CIRCUIT, "set relay = shut", 13));
    assert_string_equal(h.what, "state that is on");
    h = hover(f, mark(f, CIRCUIT, "v = square", 0));
    assert_string_equal(h.unit, "V^2");
    h = hover(f, mark(f, CIRCUIT, "x*x", 0));
    assert_string_equal(h.what, "argument");
    h = hover(f, mark(f, CIRCUIT, "plus.e", 5));
    assert_string_equal(h.what, "effort");
    h = hover(f, mark(f, CIRCUIT, "[Ohm]", 2));
    assert_string_equal(h.what, "unit; in SI: Ohm");
    h = hover(f, mark(f, CIRCUIT, "automaton relay", 2));
    assert_int_equal(h.kind, HBG_SERVICE_KEYWORD);
}

static void a_broken_text_keeps_its_names(void **state) {
    fixture *f = *state;
    hbg_service_hover h = hover(f, "model M {\n R load(5 [Ohm];\n 0 n;\n lo|ad -> n\n n ->\n}");
    assert_string_equal(h.what, "resistor");
    h = hover(f, "model M {\n R load(5 [Ohm]);\n 0 n;\n load -> n|");
    assert_string_equal(h.what, "0-junction");
}

static void unit_and_domain_outlive_a_mistake(void **state) {
    fixture *f = *state;
    asked good = ask(f, CIRCUIT),
          broken = ask(f, mark(f, strcat(strcpy(hbg_base_arena_alloc(&f->arena, 2000), CIRCUIT), " } }"),
                               "plus ->", 0));
    hbg_service_hover h;
    assert_null(hbg_lang_reading_model(broken.reading));
    assert_true(hbg_lang_service_hover(broken.reading, good.reading, &f->arena, broken.offset, &h));
    assert_string_equal(h.domain, "electrical");
}

static void every_use_is_found(void **state) {
    fixture *f = *state;
    hbg_service_places places;
    asked a = ask(f, mark(f, CIRCUIT, "relay {", 0));
    assert_true(hbg_lang_service_references(a.reading, &f->arena, a.offset, &places));
    assert_int_equal(places.count, 3); // the junction, the declaration, the setting
    a = ask(f, mark(f, CIRCUIT, "open -> shut", 0));
    assert_true(hbg_lang_service_references(a.reading, &f->arena, a.offset, &places));
    assert_int_equal(places.count, 2);
    a = ask(f, mark(f, CIRCUIT, "resistance =", 0)); // of the library
    hbg_service_place word;
    const char *reason;
    assert_int_not_equal(hbg_lang_service_can_rename(a.reading, &f->arena, a.offset, &word, &reason), HBG_OK);
    assert_non_null(strstr(reason, "part of the library"));
}

/* A component and who uses it, in two files of the scratch folder. */
static void a_name_changes_across_imports(void **state) {
    fixture *f = *state;
    FILE *file = fopen("part.hbg", "w");
    assert_non_null(file);
    fputs("component Part(size = 1) { port a : any; R r(size); a -> r; }\n", file);
    fclose(file);
    file = fopen("user.hbg", "w");
    assert_non_null(file);
    fputs("import \"part.hbg\";\nmodel User { Part p(size = 2); Se s(1); s -> p.a; }\n", file);
    fclose(file);
    asked a = ask(f, "import \"part.hbg\";\nmodel M { Part p(si|ze = 3); Se s(1); s -> p.a; }\n");
    hbg_service_edits edits;
    const char *reason = "";
    assert_int_equal(hbg_lang_service_rename(a.reading, &f->arena, a.offset, "length", &edits, &reason),
                     HBG_OK);
    int in_part = 0, in_user = 0, in_test = 0;
    for (int32_t i = 0; i < edits.count; i++) {
        in_part += strstr(edits.items[i].place.path, "part.hbg") != NULL;
        in_user += strstr(edits.items[i].place.path, "user.hbg") != NULL;
        in_test += strstr(edits.items[i].place.path, "test.hbg") != NULL;
    }
    assert_int_equal(in_part, 2);
    assert_int_equal(in_user, 1);
    assert_int_equal(in_test, 1);
    assert_int_equal(hbg_lang_service_rename(a.reading, &f->arena, a.offset, "a", &edits, &reason),
                     HBG_BAD_ARGUMENT);
    remove("part.hbg");
    remove("user.hbg");
}

/* ---- completion ------------------------------------------------------------------------------------------ */

static bool offers(fixture *f, const char *marked, const char *label) {
    asked a = ask(f, marked);
    hbg_service_completions found;
    hbg_lang_service_complete(a.reading, NULL, &f->arena, a.offset, &found);
    for (int32_t i = 0; i < found.count; i++)
        if (strcmp(found.items[i].label, label) == 0) return true;
    return false;
}

#define IN_MODEL(statement)                                                                                  \
    "import \"electrical.hbg\";\nmodel M {\n param V = 12 [V]; R r(1 [Ohm]); Diode d; 0 n; 1 j when a;\n "   \
    "automaton a { off x -> y when true; on "                                                                \
    "y -> x when true; }\n input bool sw = false; sensor m = r.f;\n " statement "\n}\n"

static void what_fits_is_offered(void **state) {
    fixture *f = *state;
    assert_true(offers(f, "|", "model"));
    assert_true(offers(f, IN_MODEL("|"), "param"));
    assert_true(offers(f, IN_MODEL("|"), "Capacitor"));
    assert_true(offers(f, IN_MODEL("|"), "Tank")); // of a file that is not imported
    assert_true(offers(f, IN_MODEL("n -> |"), "r"));
    assert_false(offers(f, IN_MODEL("n -> |"), "V"));
    assert_true(offers(f, IN_MODEL("n -> d.|"), "k"));
    assert_false(offers(f, IN_MODEL("n -> d.|"), "forward_drop"));
    assert_true(offers(f, IN_MODEL("signal s = |;"), "V"));
    assert_true(offers(f, IN_MODEL("signal s = a.|;"), "x"));
    assert_true(offers(f, IN_MODEL("signal s = n.|;"), "e"));
    assert_false(offers(f, IN_MODEL("signal s = n.|;"), "f"));
    assert_true(offers(f, IN_MODEL("signal s = |;"), "sin"));
    assert_true(offers(f, IN_MODEL("Diode d2(|);"), "forward_drop ="));
    assert_true(offers(f, IN_MODEL("C c(1, |"), "q ="));
    assert_true(offers(f, IN_MODEL("port p : |"), "electrical"));
    assert_true(offers(f, IN_MODEL("1 k |"), "when"));
    assert_true(offers(f, IN_MODEL("1 k when |"), "a"));
    assert_true(offers(f, IN_MODEL("automaton b { off p -> q when sw; on q -> | }"), "p"));
    assert_true(offers(f, IN_MODEL("automaton b { | }"), "off"));
}

static void experiments_are_completed(void **state) {
    fixture *f = *state;
    assert_true(offers(f, IN_MODEL("experiment e { | }"), "stop"));
    assert_true(offers(f, IN_MODEL("experiment e { solver | }"), "bdf"));
    assert_true(offers(f, IN_MODEL("experiment e { set | }"), "V"));
    assert_true(offers(f, IN_MODEL("experiment e { set a = | }"), "y"));
    assert_true(offers(f, IN_MODEL("experiment e { at 1 [s]: | }"), "sw"));
    assert_false(offers(f, IN_MODEL("experiment e { at 1 [s]: | }"), "V"));
    assert_true(offers(f, IN_MODEL("experiment e { fault at 1 [s]: | }"), "m"));
    assert_true(offers(f, IN_MODEL("experiment e { fault at 1 [s]: V | }"), "abrupt"));
    assert_true(offers(f, IN_MODEL("experiment e { fault at 1 [s]: a stuck | }"), "x"));
    assert_true(offers(f, IN_MODEL("experiment e { record | }"), "time"));
}

static void units_fit_their_place(void **state) {
    fixture *f = *state;
    assert_true(offers(f, IN_MODEL("R s(5 [|]);"), "kOhm"));
    assert_true(offers(f, IN_MODEL("R s(5 [|"), "N.s/m")); // its domain is not known
    assert_false(offers(f, IN_MODEL("R s(5 [|]);"), "mH"));
    assert_true(offers(f, IN_MODEL("Diode e(forward_drop = 1 [|]);"), "mV"));
    assert_false(offers(f, IN_MODEL("Diode e(forward_drop = 1 [|]);"), "mA"));
    assert_true(offers(f, IN_MODEL("experiment e { stop 5 [|]; }"), "ms"));
    assert_false(offers(f, IN_MODEL("experiment e { stop 5 [|]; }"), "V"));
    assert_true(offers(f, IN_MODEL("param p [|]"), "V"));
}

static void nothing_is_offered_in_comments_and_texts(void **state) {
    fixture *f = *state;
    assert_false(offers(f, IN_MODEL("// |"), "param"));
    assert_false(offers(f, IN_MODEL("/* | */"), "param"));
    assert_false(offers(f, IN_MODEL("param x = 1 \"|\";"), "V"));
    assert_true(offers(f, "import \"|\";", "electrical.hbg"));
}

static void signatures_follow_the_argument(void **state) {
    fixture *f = *state;
    asked a = ask(f, IN_MODEL("Diode e(holding_current = |"));
    hbg_service_signature s;
    assert_true(hbg_lang_service_signature(a.reading, &f->arena, a.offset, &s));
    assert_string_equal(
        s.text, "Diode e(forward_drop = 0.6 [V], holding_current = 0 [A], Ron = 0 [Ohm], Goff = 0 [S])");
    assert_int_equal(s.active, 1);
    a = ask(f, "function add(a, b) = a + b;\nmodel M { signal s = add(1, |");
    assert_true(hbg_lang_service_signature(a.reading, &f->arena, a.offset, &s));
    assert_string_equal(s.text, "add(a, b)");
    assert_int_equal(s.active, 1);
    a = ask(f, IN_MODEL("signal s = |"));
    assert_false(hbg_lang_service_signature(a.reading, &f->arena, a.offset, &s));
}

/* ---- diagnostics ----------------------------------------------------------------------------------------- */

/* The text after the first repair. */
static const char *repaired(fixture *f, const char *text) {
    asked a = ask(f, text);
    hbg_service_diagnostics found;
    hbg_lang_service_diagnose(a.reading, &f->arena, &found);
    for (int32_t i = 0; i < found.count; i++)
        if (found.items[i].edit) return apply(f, a.text, &(hbg_service_edits){found.items[i].edit, 1, ""});
    fail_msg("no repair");
    return NULL;
}

static void repairs_are_edits(void **state) {
    fixture *f = *state;
    assert_string_equal(repaired(f, "modl M { }"), "model M { }");
    assert_string_equal(repaired(f, "model M { Se s(1); R r(1) s -> r; }"),
                        "model M { Se s(1); R r(1); s -> r; }");
    assert_string_equal(repaired(f, "model M { Se s(5 V); }"), "model M { Se s(5 [V]); }");
    assert_string_equal(repaired(f, "model M { automaton a { off x -> y when p and q; } }"),
                        "model M { automaton a { off x -> y when p && q; } }");
}

static void names_meant_are_put_in_place(void **state) {
    fixture *f = *state;
    assert_string_equal(repaired(f, "model M { Se suply(1); R r(1); supply -> r; }"),
                        "model M { Se suply(1); R r(1); suply -> r; }");
    assert_string_equal(repaired(f, "model M { param x = 1, y = 2*coss(x); Se s(y); R r(1); s -> r; }"),
                        "model M { param x = 1, y = 2*cos(x); Se s(y); R r(1); s -> r; }");
    assert_string_equal(repaired(f, "import \"electricl.hbg\";"), "import \"electrical.hbg\";");
    assert_string_equal(
        repaired(
            f,
            "component Part { port p : electrcal; R r(1); p -> r; } model M { Part c; Se s(1); s -> c.p; }"),
        "component Part { port p : electrical; R r(1); p -> r; } model M { Part c; Se s(1); s -> c.p; }");
}

static int count_of(fixture *f, const char *text) {
    asked a = ask(f, text);
    hbg_service_diagnostics found;
    hbg_lang_service_diagnose(a.reading, &f->arena, &found);
    return found.count;
}

static void every_model_of_a_document_is_checked(void **state) {
    fixture *f = *state;
    assert_int_equal(count_of(f, ""), 0);
    assert_int_equal(count_of(f, "component Part { port p : electrical; R r(1); p -> r; }"), 0);
    assert_int_equal(count_of(f, "model A { Se s(1); R r(1); s -> r; } model B { Se s(1); R r(1); s -> q; }"),
                     1);
    assert_true(count_of(f, "\xff\xfe") > 0);
}

static void what_is_wrong_elsewhere_is_told_at_the_import(void **state) {
    fixture *f = *state;
    FILE *file = fopen("bad.hbg", "w");
    assert_non_null(file);
    fputs("component Bad { R r(; }\n", file);
    fclose(file);
    asked a = ask(f, "// first\nimport \"bad.hbg\";\nmodel M { Se s(1); R r(1); s -> r; }");
    hbg_service_diagnostics found;
    hbg_lang_service_diagnose(a.reading, &f->arena, &found);
    assert_true(found.count > 0);
    assert_int_equal(found.items[0].place.start, place_in(&a, "\"bad.hbg\""));
    assert_non_null(strstr(found.items[0].text, "in `bad.hbg`: "));
    assert_int_equal(found.items[0].note_count, 1);
    remove("bad.hbg");
}

/* ---- the whole text -------------------------------------------------------------------------------------- */

static void the_outline_is_a_tree(void **state) {
    fixture *f = *state;
    asked a = ask(f, CIRCUIT);
    hbg_service_symbols found;
    hbg_lang_service_outline(a.reading, &f->arena, &found);
    int states = 0;
    for (int32_t i = 0; i < found.count; i++) {
        assert_true(found.items[i].parent < i);
        assert_true(found.items[i].whole.start <= found.items[i].place.start &&
                    found.items[i].place.end <= found.items[i].whole.end);
        if (found.items[i].kind != HBG_SERVICE_STATE) continue;
        assert_string_equal(found.items[found.items[i].parent].name, "relay");
        states++;
    }
    assert_int_equal(states, 2);
}

static void tokens_cover_names_in_order(void **state) {
    fixture *f = *state;
    asked a = ask(f, CIRCUIT);
    hbg_service_tokens found;
    size_t at = 0;
    hbg_lang_service_tokens(a.reading, &f->arena, &found);
    for (int32_t i = 0; i < found.count; i++) {
        assert_true(found.items[i].start >= at && found.items[i].end > found.items[i].start);
        at = found.items[i].end;
        if (found.items[i].start == place_in(&a, "1 closed"))
            assert_int_equal(found.items[i].kind, HBG_SERVICE_KIND);
        if (found.items[i].start == place_in(&a, "closed ->"))
            assert_int_equal(found.items[i].kind, HBG_SERVICE_JUNCTION);
    }
    assert_true(at <= strlen(a.text));
}

static void hints_say_what_was_found(void **state) {
    fixture *f = *state;
    asked a = ask(f, CIRCUIT);
    hbg_service_hints found;
    bool unit = false, domain = false;
    hbg_lang_service_hints(a.reading, &f->arena, &found);
    for (int32_t i = 0; i < found.count; i++) {
        unit = unit || (found.items[i].offset == place_in(&a, "v = square") + 1 &&
                        strcmp(found.items[i].text, " [V^2]") == 0);
        domain = domain || (found.items[i].offset == place_in(&a, "0 plus") + 6 &&
                            strcmp(found.items[i].text, " electrical") == 0);
    }
    assert_true(unit && domain);
}

/* Every word of the parser has its line, and the list has no other. */
static void all_words_are_explained(void **state) {
    (void)state;
    static const char *const words[] = {
#define X(word) #word,
        HBG_RESERVED_LIST(X) HBG_CONTEXT_LIST(X)
#undef X
            "true",
        "false", "pi", "time"};
    int count = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!hbg_lang_service_find_word(words[i], strlen(words[i])))
            fail_msg("nothing is said of `%s`", words[i]);
    while (hbg_lang_service_word(count)) count++;
    assert_int_equal(count, (int)(sizeof words / sizeof *words));
}

/* Any cut of a text, and any place in it, has an answer; nothing is read beyond it. */
static void every_prefix_is_answered(void **state) {
    fixture *f = *state;
    hbg_arena arena;
    hbg_lang_workspace workspace = {.units = f->lang.units, .folder = "/nonexistent"};
    for (size_t size = 0; size <= strlen(CIRCUIT); size += 7) {
        hbg_base_arena_init(&arena, &f->memory);
        char *text = hbg_base_arena_copy(&arena, CIRCUIT, size);
        hbg_lang_reading *reading = hbg_lang_reading_new(&arena, &workspace, "test.hbg", text, size, true);
        hbg_service_completions completions;
        hbg_service_hover found;
        hbg_service_signature signature;
        hbg_service_tokens tokens;
        hbg_lang_service_complete(reading, NULL, &arena, size, &completions);
        (void)hbg_lang_service_hover(reading, NULL, &arena, size, &found);
        (void)hbg_lang_service_signature(reading, &arena, size, &signature);
        hbg_lang_service_tokens(reading, &arena, &tokens);
        assert_true(completions.place.start <= size && completions.place.end <= size);
        hbg_base_arena_fini(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_name_says_what_it_is),
        TEST(a_broken_text_keeps_its_names),
        TEST(unit_and_domain_outlive_a_mistake),
        TEST(every_use_is_found),
        TEST(a_name_changes_across_imports),
        TEST(what_fits_is_offered),
        TEST(experiments_are_completed),
        TEST(units_fit_their_place),
        TEST(nothing_is_offered_in_comments_and_texts),
        TEST(signatures_follow_the_argument),
        TEST(repairs_are_edits),
        TEST(names_meant_are_put_in_place),
        TEST(every_model_of_a_document_is_checked),
        TEST(what_is_wrong_elsewhere_is_told_at_the_import),
        TEST(the_outline_is_a_tree),
        TEST(tokens_cover_names_in_order),
        TEST(hints_say_what_was_found),
        TEST(all_words_are_explained),
        TEST(every_prefix_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
