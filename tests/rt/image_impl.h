/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Images of examples for the engine alone: compiled into a file, and read from it. */
#ifndef HBG_TESTS_RT_IMAGE_IMPL_H
#define HBG_TESTS_RT_IMAGE_IMPL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hbg/hbg.h"
#include "rt/heap_impl.h"
#include "rt/package.h"

static inline void compile_file(const char *source, const char *path) {
    hbg_session *session;
    hbg_model *model;
    hbg_run_options options = hbg_run_options_default();
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    if (hbg_load_file(session, source, NULL, &model) != HBG_OK) fail_msg("%s cannot be read", source);
    if (hbg_compile(session, model, &options, path) != HBG_OK) fail_msg("%s cannot be compiled", source);
    hbg_session_free(session);
}

static inline void compile_example(const char *name, const char *path) {
    char source[512];
    snprintf(source, sizeof source, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
    compile_file(source, path);
}

static inline void compile_text(const char *text, const char *path) {
    FILE *file = fopen("model.hbg", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    compile_file("model.hbg", path);
}

static inline hbg_rt_loaded *read_image(const char *path, heap *of) {
    static unsigned char bytes[1 << 20];
    char reason[240] = "";
    hbg_rt_loaded *loaded;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size < sizeof bytes);
    if (hbg_rt_image_read(bytes, size, heap_memory(of), &loaded, reason, sizeof reason) != HBG_RT_OK)
        fail_msg("%s: %s", path, reason);
    return loaded;
}

#endif
