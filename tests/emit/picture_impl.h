/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A drawing read back from its SVG: boxes of all texts, pieces of all lines, the page. */
#ifndef HBG_TEST_PICTURE_H
#define HBG_TEST_PICTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"
#include "support/xml.h"

typedef struct {
    char text[128], class_name[32];
    hbg_draw_box box;
} picture_text;

typedef struct {
    hbg_draw_point points[32];
    int count;
    char class_name[64];
} picture_path;

typedef struct {
    double width, height;
    picture_text *texts;
    picture_path *paths;
    hbg_draw_box *rects;
    int text_count, path_count, rect_count, title_count;
    const char *fault;
} picture;

#define PICTURE_MOST 20000

static inline double picture_number(const hbg_test_xml_element *element, const char *name) {
    const char *value = hbg_test_xml_get(element, name);
    return value ? strtod(value, NULL) : 0;
}

/* Sizes as the style sheet has them. */
static inline double picture_font_size(const char *class_name) {
    if (strstr(class_name, "title")) return 18;
    if (strstr(class_name, "caption")) return 12;
    if (strstr(class_name, "letters")) return 14;
    if (strstr(class_name, "digit")) return 19;
    return 11;
}

static inline void picture_add_text(picture *picture, const hbg_test_xml_element *element) {
    picture_text *text = &picture->texts[picture->text_count++];
    const char *class_name = hbg_test_xml_get(element, "class");
    const char *anchor = hbg_test_xml_get(element, "text-anchor");
    snprintf(text->class_name, sizeof text->class_name, "%.31s", class_name ? class_name : "");
    snprintf(text->text, sizeof text->text, "%.127s", element->text);
    double size = picture_font_size(text->class_name);
    bool bold = strstr(text->class_name, "bold") || strstr(text->class_name, "title") ||
                strstr(text->class_name, "digit");
    double width = hbg_draw_text_width(element->text, size, bold);
    double x = picture_number(element, "x"), y = picture_number(element, "y");
    if (anchor && strcmp(anchor, "middle") == 0) x -= width / 2;
    if (anchor && strcmp(anchor, "end") == 0) x -= width;
    /* capitals and what hangs below the line, without the white around them */
    text->box = (hbg_draw_box){x, y - 0.75 * size, x + width, y + 0.2 * size};
}

static inline void picture_add_path(picture *picture, const hbg_test_xml_element *element) {
    picture_path *path = &picture->paths[picture->path_count++];
    const char *class_name = hbg_test_xml_get(element, "class");
    snprintf(path->class_name, sizeof path->class_name, "%.63s", class_name ? class_name : "");
    char *p = (char *)hbg_test_xml_get(element, "d");
    path->count = 0;
    while (p && (*p == 'M' || *p == 'L') && path->count < 32) {
        path->points[path->count].x = strtod(p + 1, &p);
        path->points[path->count++].y = strtod(p, &p);
    }
}

static inline void picture_visit(void *user, const hbg_test_xml_element *element) {
    picture *picture = user;
    if (picture->text_count == PICTURE_MOST || picture->path_count == PICTURE_MOST ||
        picture->rect_count == PICTURE_MOST)
        return;
    if (strcmp(element->tag, "svg") == 0) {
        picture->width = picture_number(element, "width");
        picture->height = picture_number(element, "height");
    }
    if (strcmp(element->tag, "title") == 0) picture->title_count++;
    if (strcmp(element->tag, "text") == 0) picture_add_text(picture, element);
    if (strcmp(element->tag, "path") == 0) picture_add_path(picture, element);
    if (strcmp(element->tag, "rect") == 0) {
        double x = picture_number(element, "x"), y = picture_number(element, "y");
        picture->rects[picture->rect_count++] =
            (hbg_draw_box){x, y, x + picture_number(element, "width"), y + picture_number(element, "height")};
    }
}

static inline picture picture_read(const char *svg) {
    picture picture = {.texts = calloc(PICTURE_MOST, sizeof *picture.texts),
                       .paths = calloc(PICTURE_MOST, sizeof *picture.paths),
                       .rects = calloc(PICTURE_MOST, sizeof *picture.rects)};
    picture.fault = hbg_test_xml_parse(svg, picture_visit, &picture);
    return picture;
}

static inline void picture_free(picture *picture) {
    free(picture->texts);
    free(picture->paths);
    free(picture->rects);
}

/* Two texts that touch, or -1. */
static inline int picture_overlap(const picture *picture, int *other) {
    for (int i = 0; i < picture->text_count; i++)
        for (int k = 0; k < i; k++)
            if (hbg_draw_box_overlap(picture->texts[i].box, picture->texts[k].box)) {
                *other = k;
                return i;
            }
    return -1;
}

/* A text that a line of the drawing crosses, or -1. */
static inline int picture_struck(const picture *picture, int *path) {
    for (int i = 0; i < picture->text_count; i++)
        for (int k = 0; k < picture->path_count; k++)
            for (int n = 0; n + 1 < picture->paths[k].count; n++)
                if (hbg_draw_box_enter(picture->texts[i].box, picture->paths[k].points[n],
                                       picture->paths[k].points[n + 1]) <= 1) {
                    *path = k;
                    return i;
                }
    return -1;
}

static inline bool picture_inside(const picture *picture, hbg_draw_box box) {
    return box.left >= 0 && box.top >= 0 && box.right <= picture->width && box.bottom <= picture->height;
}

/* A text, line or box that leaves the page: its text or kind, or NULL. */
static inline const char *picture_clipped(const picture *picture) {
    for (int i = 0; i < picture->text_count; i++)
        if (!picture_inside(picture, picture->texts[i].box)) return picture->texts[i].text;
    for (int i = 0; i < picture->rect_count; i++)
        if (!picture_inside(picture, picture->rects[i])) return "a box";
    for (int i = 0; i < picture->path_count; i++)
        for (int k = 0; k < picture->paths[i].count; k++) {
            hbg_draw_point p = picture->paths[i].points[k];
            if (!picture_inside(picture, (hbg_draw_box){p.x, p.y, p.x, p.y})) return "a line";
        }
    return NULL;
}

static inline int picture_find_text(const picture *picture, const char *text) {
    for (int i = 0; i < picture->text_count; i++)
        if (strcmp(picture->texts[i].text, text) == 0) return i;
    return -1;
}

#endif
