/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model, its drawing, and the picture read back. */
#ifndef HBG_TEST_DRAWING_H
#define HBG_TEST_DRAWING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emit/graph_impl.h"
#include "emit/picture_impl.h"

typedef struct {
    graph graph;
    hbg_diagram_options options;
    hbg_buffer svg;
    picture picture;
} fixture;

static inline int setup(void **state) {
    static fixture f;
    memset(&f, 0, sizeof f);
    f.options = hbg_emit_diagram_options_default();
    *state = &f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    picture_free(&f->picture);
    graph_fini(&f->graph);
    return f->graph.memory.used == 0 ? 0 : -1;
}

#define SE   HBG_KIND_SE
#define R    HBG_KIND_R
#define C    HBG_KIND_C
#define I    HBG_KIND_I
#define ZERO HBG_KIND_ZERO
#define ONE  HBG_KIND_ONE

static inline int32_t add(fixture *f, hbg_element_kind kind, const char *name, double value) {
    return graph_element(&f->graph, 0, kind, name, graph_number(&f->graph, value));
}

static inline int32_t junction(fixture *f, hbg_element_kind kind, const char *name) {
    return graph_junction(&f->graph, 0, kind, name);
}

static inline int32_t bond(fixture *f, int32_t from, int32_t to) {
    return graph_bond(&f->graph, "", from, to);
}

/* Checks and draws the model; refuses drawings with overlapping, struck or clipped text. */
static inline void draw(fixture *f) {
    hbg_model_check(f->graph.model);
    hbg_base_buffer_init(&f->svg, &f->graph.arena);
    hbg_status status = hbg_emit_diagram(f->graph.model, &f->options, &f->svg, &f->graph.reason);
    if (status != HBG_OK) fail_msg("%s", f->graph.reason);
    picture_free(&f->picture);
    f->picture = picture_read(f->svg.data);
    if (f->picture.fault) fail_msg("%s", f->picture.fault);
    int other = -1, text = picture_overlap(&f->picture, &other);
    if (text >= 0) fail_msg("'%s' overlaps '%s'", f->picture.texts[text].text, f->picture.texts[other].text);
    text = picture_struck(&f->picture, &other);
    if (text >= 0) fail_msg("a line goes through '%s'", f->picture.texts[text].text);
    const char *clipped = picture_clipped(&f->picture);
    if (clipped) fail_msg("'%s' leaves the page", clipped);
}

static inline hbg_draw_point middle_of(const fixture *f, const char *text) {
    int index = picture_find_text(&f->picture, text);
    if (index < 0) fail_msg("no '%s' in the drawing", text);
    hbg_draw_box box = f->picture.texts[index].box;
    return (hbg_draw_point){(box.left + box.right) / 2, (box.top + box.bottom) / 2};
}

static inline bool has(const fixture *f, const char *text) {
    return picture_find_text(&f->picture, text) >= 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
