/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Words of a model in exported C: whatever names hold, comments end where they should, strings say what they are, and identifiers are some;
 * and sources that are not there are told of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emit/export_c_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
} fixture;

static void open_fixture(fixture *f) {
    memset(f, 0, sizeof *f);
    hbg_base_arena_init(&f->arena, &f->memory);
}

static void close_fixture(fixture *f) {
    hbg_base_arena_fini(&f->arena);
    assert_int_equal(f->memory.used, 0);
}

static const hbg_rt_variable hostile[] = {{"a*/ int x; /*b", "V", false},
                                          {"a.b", NULL, false},
                                          {"a,b", "", false},
                                          {"q\\\n\?\?/\"c", "x*/", false},
                                          {"\xc3\xa9", NULL, false}};

static hbg_emit_c model_of(const hbg_rt_description *system) {
    return (hbg_emit_c){.name = "model",
                        .model = "M */ \\",
                        .experiment = "e\n#error",
                        .version = "1",
                        .sources = HBG_SOURCE_DIR "/src",
                        .image = (const unsigned char *)"\1\2\3\4\5\6\7\10\11",
                        .image_size = 9,
                        .system = system,
                        .options = {.stop = 0.1, .fixed = true, .method = HBG_RT_RK4, .step = 1e-3},
                        .solver = "rk4",
                        .notes = "",
                        .size = 100,
                        .csv_head = "time,\"a\"\"b\",\xc3\xa9\?\?/\n"};
}

static const char *word(const hbg_emit_words *words, const char *key) {
    const char *text = hbg_emit_word_find(words, key, strlen(key));
    assert_non_null(text);
    return text;
}

static int occurrences(const char *text, const char *what) {
    int count = 0;
    for (; (text = strstr(text, what)) != NULL; text++) count++;
    return count;
}

static void names_cannot_end_a_comment(void **state) {
    (void)state;
    fixture f;
    hbg_rt_description system = {.output_count = 5, .outputs = hostile};
    hbg_emit_c of = model_of(&system);
    hbg_emit_words words = {0};
    open_fixture(&f);
    hbg_emit_c_words(&f.arena, &of, &words);
    const char *outputs = word(&words, "outputs");
    assert_int_equal(occurrences(outputs, "/*"), 5); // one for each output
    assert_int_equal(occurrences(outputs, "*/"), 5);
    assert_int_equal(occurrences(outputs, "??"), 0);
    assert_null(strchr(outputs, '\\'));
    assert_non_null(strstr(outputs, "MODEL_OUTPUTS = 5"));
    assert_non_null(strstr(outputs, "MODEL_OUTPUT_a_b = 1, /* a.b */"));
    assert_non_null(strstr(outputs, "/* 2: a,b */")); // the identifier is taken
    const char *title = word(&words, "title");
    assert_null(strstr(title, "*/"));
    assert_null(strpbrk(title, "\\\n"));
    close_fixture(&f);
}

static void strings_say_what_they_are(void **state) {
    (void)state;
    fixture f;
    hbg_rt_description system = {0};
    hbg_emit_c of = model_of(&system);
    hbg_emit_words words = {0};
    open_fixture(&f);
    hbg_emit_c_words(&f.arena, &of, &words);
    assert_string_equal(word(&words, "csv_head"), "\"time,\\\"a\\\"\\\"b\\\",\\303\\251\\?\\?/\\n\"");
    assert_string_equal(word(&words, "stop"), "0.1");
    assert_string_equal(word(&words, "code_pointer"), "NULL");
    assert_null(hbg_emit_word_find(&words, "none", 4));
    close_fixture(&f);
}

static const hbg_emit_file *file_of(const hbg_emit_files *files, const char *name) {
    for (int32_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0) return &files->items[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static void folders_lie_flat(void **state) {
    (void)state;
    fixture f;
    hbg_rt_description system = {0};
    hbg_emit_c of = model_of(&system);
    hbg_emit_files files = {0};
    const char *reason = "";
    open_fixture(&f);
    of.code = "#include \"rt/native.h\"\nint a;\n";
    of.code_size = strlen(of.code);
    assert_int_equal(hbg_emit_export_c(&f.arena, &of, &files, &reason), HBG_OK);
    assert_string_equal(strstr(file_of(&files, "model_code.c")->text, "#include"),
                        "#include \"rt_native.h\"\nint a;\n");
    assert_non_null(strstr(file_of(&files, "rt_ship.c")->text, "#include \"rt_ship.h\""));
    assert_non_null(strstr(file_of(&files, "model.c")->text, ".native = &model_code"));
    assert_non_null(strstr(file_of(&files, "Makefile")->text, "-o $@ $(objects)"));
    // words of eight bytes, the lowest first; the last one is filled up
    assert_non_null(strstr(file_of(&files, "model_image.c")->text, "0x807060504030201u, 0x9u,"));
    for (int32_t i = 0; i < files.count; i++) assert_null(strstr(files.items[i].text, "#include \"rt/"));
    close_fixture(&f);
}

static void missing_sources_are_told(void **state) {
    (void)state;
    fixture f;
    hbg_rt_description system = {0};
    hbg_emit_c of = model_of(&system);
    hbg_emit_files files = {0};
    const char *reason = "";
    open_fixture(&f);
    of.sources = "nowhere";
    assert_int_not_equal(hbg_emit_export_c(&f.arena, &of, &files, &reason), HBG_OK);
    assert_non_null(
        strstr(reason, "a source of the engine cannot be read from `nowhere/emit/c/Makefile.in`"));
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_cannot_end_a_comment),
        cmocka_unit_test(strings_say_what_they_are),
        cmocka_unit_test(folders_lie_flat),
        cmocka_unit_test(missing_sources_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
