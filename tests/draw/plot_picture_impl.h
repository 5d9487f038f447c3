/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads plots back: the points of paths and the room that texts take. */
#ifndef HBG_TEST_PLOT_PICTURE_IMPL_H
#define HBG_TEST_PLOT_PICTURE_IMPL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_impl.h"
#include "support/xml.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_buffer out;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    hbg_base_arena_init(&f.arena, &f.memory);
    hbg_base_buffer_init(&f.out, &f.arena);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    return f->memory.used == 0 ? 0 : -1;
}

/* Numbers that are the same in every run. */
static inline uint32_t next_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static inline double random_between(uint64_t *seed, double low, double high) {
    return low + (high - low) * (next_random(seed) / 4294967296.0);
}

/* ---- paths ------------------------------------------------------------------------------------------ */

typedef struct {
    char command; /* M or L */
    double x, y;
} path_point;

typedef HBG_VEC(path_point) path_points;

/* The points of the first path whose class begins so; none if there is no such path. */
static inline path_points read_path(fixture *f, const char *svg, const char *class_name) {
    path_points points = {0};
    char begin[80];
    snprintf(begin, sizeof begin, "<path class=\"%s", class_name);
    const char *at = strstr(svg, begin);
    if (!at) return points;
    at = strstr(at, " d=\"");
    assert_non_null(at);
    at += 4;
    while (*at != '"') {
        path_point point = {.command = *at++};
        char *end;
        if (point.command == 'h') { /* a dot: a line of no length */
            assert_int_equal(*at++, '0');
            continue;
        }
        assert_true(point.command == 'M' || point.command == 'L');
        point.x = strtod(at, &end);
        point.y = strtod(end, &end);
        at = end;
        HBG_PUSH(&f->arena, points, point);
    }
    return points;
}

static inline int32_t count_of(const char *svg, const char *part) {
    int32_t count = 0;
    for (const char *at = strstr(svg, part); at; at = strstr(at + 1, part)) count++;
    return count;
}

/* ---- texts ------------------------------------------------------------------------------------------ */

typedef struct {
    const char *class_name, *text;
    hbg_draw_box box; /* of the letters, by the width the library reckons with */
} text_place;

typedef struct {
    fixture *f;
    HBG_VEC(text_place) texts;
    double width, height; /* of the page */
} picture;

static inline double number_of(const hbg_test_xml_element *element, const char *name) {
    const char *value = hbg_test_xml_get(element, name);
    assert_non_null(value);
    char *end;
    double number = strtod(value, &end);
    assert_int_equal(*end, '\0');
    return number;
}

static inline double size_of_class(const char *class_name) {
    static const struct {
        const char *name;
        double size;
    } sizes[] = {{"title", 15},  {"heading", 12}, {"axis", 12}, {"small", 11},
                 {"number", 11}, {"empty", 11},   {"why", 11}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].name, class_name) == 0) return sizes[i].size;
    fail_msg("a text of the unknown class %s", class_name);
    return 0;
}

static inline void visit_element(void *user, const hbg_test_xml_element *element) {
    picture *picture = user;
    if (strcmp(element->tag, "svg") == 0) {
        picture->width = number_of(element, "width");
        picture->height = number_of(element, "height");
    }
    if (strcmp(element->tag, "text") != 0) return;
    const char *class_name = hbg_test_xml_get(element, "class");
    assert_non_null(class_name);
    text_place place = {.class_name = hbg_base_arena_print(&picture->f->arena, "%s", class_name),
                        .text = hbg_base_arena_print(&picture->f->arena, "%s", element->text)};
    double size = size_of_class(place.class_name);
    bool bold = strcmp(place.class_name, "title") == 0 || strcmp(place.class_name, "heading") == 0;
    double width = hbg_draw_text_width(element->text, size, bold), x = number_of(element, "x");
    const char *anchor = hbg_test_xml_get(element, "text-anchor");
    if (anchor) x -= strcmp(anchor, "middle") == 0 ? width / 2 : width;
    double y = number_of(element, "y");
    place.box = (hbg_draw_box){x, y - 0.76 * size, x + width, y + 0.22 * size};
    HBG_PUSH(&picture->f->arena, picture->texts, place);
}

static inline picture read_picture(fixture *f, const char *svg) {
    picture picture = {.f = f};
    const char *wrong = hbg_test_xml_parse(svg, visit_element, &picture);
    if (wrong) fail_msg("%s", wrong);
    return picture;
}

/* No text touches another or leaves the page. */
static inline void assert_texts_apart(const picture *picture) {
    hbg_draw_box page = {0, 0, picture->width + 0.01, picture->height + 0.01};
    for (int32_t i = 0; i < picture->texts.count; i++) {
        const text_place *a = &picture->texts.items[i];
        if (!(a->box.left >= page.left && a->box.right <= page.right && a->box.top >= page.top &&
              a->box.bottom <= page.bottom))
            fail_msg("\"%s\" leaves the page", a->text);
        for (int32_t k = 0; k < i; k++)
            if (hbg_draw_box_overlap(a->box, picture->texts.items[k].box))
                fail_msg("\"%s\" overlaps \"%s\"", a->text, picture->texts.items[k].text);
    }
}

/* The value of a number on an axis, with its minus sign of print. */
static inline double tick_number(const char *text) {
    bool negative = strncmp(text, "−", strlen("−")) == 0;
    char *end;
    double value = strtod(negative ? text + strlen("−") : text, &end);
    assert_int_equal(*end, '\0');
    return negative ? -value : value;
}

#endif
