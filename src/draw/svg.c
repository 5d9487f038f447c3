/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The SVG writer: plain text onto a buffer, one element a line. For any texts the result is well-formed XML:
 * bytes that are not UTF-8 and characters that XML forbids are replaced. */
#include "draw/draw.h"

#include <math.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Length of the UTF-8 sequence that begins at p and is a character allowed in XML; 0 if there is none. */
static size_t xml_character(const unsigned char *p) {
    if (*p < 0x80) return *p >= ' ' || *p == '\t' || *p == '\n' || *p == '\r' ? 1 : 0;
    size_t size = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    if (*p < 0xc2 || *p > 0xf4) return 0;
    uint32_t code = *p & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    // overlong forms, surrogates, non-characters, beyond the last code point
    if (size == 3 && code < 0x800) return 0;
    if (size == 4 && (code < 0x10000 || code > 0x10ffff)) return 0;
    if ((code >= 0xd800 && code <= 0xdfff) || code == 0xfffe || code == 0xffff) return 0;
    return size;
}

static const char *entity(char c) {
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void hbg_draw_escape(hbg_buffer *out, const char *text) {
    while (*text) {
        const char *name = entity(*text);
        size_t size = xml_character((const unsigned char *)text);
        if (name)
            hbg_base_buffer_text(out, name);
        else if (size > 0)
            hbg_base_buffer_add(out, text, size);
        else
            hbg_base_buffer_text(out, REPLACEMENT);
        text += size > 0 ? size : 1;
    }
}

void hbg_draw_number(hbg_buffer *out, double value) {
    if (!isfinite(value)) value = 0;
    value = fmax(-1e12, fmin(value, 1e12));
    int64_t hundredths = llround(value * 100);
    uint64_t size = (uint64_t)(hundredths < 0 ? -hundredths : hundredths);
    if (hundredths < 0) hbg_base_buffer_char(out, '-');
    hbg_base_buffer_print(out, "%llu", (unsigned long long)(size / 100));
    unsigned rest = (unsigned)(size % 100);
    if (rest == 0) return;
    hbg_base_buffer_char(out, '.');
    hbg_base_buffer_char(out, (char)('0' + rest / 10));
    if (rest % 10 != 0) hbg_base_buffer_char(out, (char)('0' + rest % 10));
}

static void attribute_number(hbg_buffer *out, const char *name, double value) {
    hbg_base_buffer_char(out, ' ');
    hbg_base_buffer_text(out, name);
    hbg_base_buffer_text(out, "=\"");
    hbg_draw_number(out, value);
    hbg_base_buffer_char(out, '"');
}

static void open_tag(hbg_buffer *out, const char *tag, const char *class_name) {
    hbg_base_buffer_char(out, '<');
    hbg_base_buffer_text(out, tag);
    if (!class_name) return;
    hbg_base_buffer_text(out, " class=\"");
    hbg_draw_escape(out, class_name);
    hbg_base_buffer_char(out, '"');
}

static void title_element(hbg_buffer *out, const char *title) {
    hbg_base_buffer_text(out, "<title>");
    hbg_draw_escape(out, title);
    hbg_base_buffer_text(out, "</title>\n");
}

void hbg_draw_svg_begin(hbg_buffer *out, double width, double height, const char *title, const char *css) {
    hbg_base_buffer_text(
        out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
    attribute_number(out, "width", width);
    attribute_number(out, "height", height);
    hbg_base_buffer_text(out, " viewBox=\"0 0 ");
    hbg_draw_number(out, width);
    hbg_base_buffer_char(out, ' ');
    hbg_draw_number(out, height);
    hbg_base_buffer_text(out, "\" font-family=\"" HBG_DRAW_FONT "\">\n");
    if (title) title_element(out, title);
    if (!css) return;
    hbg_base_buffer_text(out, "<style>\n");
    hbg_draw_escape(out, css);
    hbg_base_buffer_text(out, "</style>\n");
}

void hbg_draw_svg_end(hbg_buffer *out) {
    hbg_base_buffer_text(out, "</svg>\n");
}

void hbg_draw_group_with(hbg_buffer *out, const char *class_name, const hbg_draw_attribute *attributes,
                         int32_t count, const char *title) {
    open_tag(out, "g", class_name);
    for (int32_t i = 0; i < count; i++) {
        hbg_base_buffer_print(out, " %s=\"", attributes[i].name);
        hbg_draw_escape(out, attributes[i].value);
        hbg_base_buffer_char(out, '"');
    }
    hbg_base_buffer_text(out, ">\n");
    if (title) title_element(out, title);
}

void hbg_draw_group_begin(hbg_buffer *out, const char *class_name, const char *title) {
    hbg_draw_group_with(out, class_name, NULL, 0, title);
}

void hbg_draw_group_end(hbg_buffer *out) {
    hbg_base_buffer_text(out, "</g>\n");
}

static void put_point(hbg_buffer *out, char command, hbg_draw_point at) {
    hbg_base_buffer_char(out, command);
    hbg_draw_number(out, at.x);
    hbg_base_buffer_char(out, ' ');
    hbg_draw_number(out, at.y);
}

void hbg_draw_line(hbg_buffer *out, const char *class_name, hbg_draw_point a, hbg_draw_point b) {
    hbg_draw_polyline(out, class_name, (hbg_draw_point[]){a, b}, 2);
}

void hbg_draw_polyline(hbg_buffer *out, const char *class_name, const hbg_draw_point *points, int32_t count) {
    open_tag(out, "path", class_name);
    hbg_base_buffer_text(out, " d=\"");
    for (int32_t i = 0; i < count; i++) put_point(out, i == 0 ? 'M' : 'L', points[i]);
    hbg_base_buffer_text(out, "\"/>\n");
}

void hbg_draw_strokes(hbg_buffer *out, const char *class_name, const hbg_draw_point *points,
                      int64_t line_count) {
    if (line_count == 0) return;
    open_tag(out, "path", class_name);
    hbg_base_buffer_text(out, " d=\"");
    for (int64_t i = 0; i < line_count; i++) {
        hbg_draw_point from = points[2 * i], to = points[2 * i + 1];
        put_point(out, 'M', from);
        if (from.x == to.x && from.y == to.y)
            hbg_base_buffer_text(out, "h0");
        else
            put_point(out, 'L', to);
    }
    hbg_base_buffer_text(out, "\"/>\n");
}

void hbg_draw_rect(hbg_buffer *out, const char *class_name, hbg_draw_box box, double radius) {
    open_tag(out, "rect", class_name);
    attribute_number(out, "x", box.left);
    attribute_number(out, "y", box.top);
    attribute_number(out, "width", fmax(box.right - box.left, 0));
    attribute_number(out, "height", fmax(box.bottom - box.top, 0));
    if (radius > 0) attribute_number(out, "rx", radius);
    hbg_base_buffer_text(out, "/>\n");
}

void hbg_draw_circle(hbg_buffer *out, const char *class_name, hbg_draw_point centre, double radius) {
    open_tag(out, "circle", class_name);
    attribute_number(out, "cx", centre.x);
    attribute_number(out, "cy", centre.y);
    attribute_number(out, "r", radius);
    hbg_base_buffer_text(out, "/>\n");
}

static void open_text(hbg_buffer *out, const char *class_name, hbg_draw_point at, hbg_draw_anchor anchor) {
    open_tag(out, "text", class_name);
    attribute_number(out, "x", at.x);
    attribute_number(out, "y", at.y);
    if (anchor == HBG_DRAW_MIDDLE) hbg_base_buffer_text(out, " text-anchor=\"middle\"");
    if (anchor == HBG_DRAW_END) hbg_base_buffer_text(out, " text-anchor=\"end\"");
    hbg_base_buffer_char(out, '>');
}

void hbg_draw_text(hbg_buffer *out, const char *class_name, hbg_draw_point at, hbg_draw_anchor anchor,
                   const char *text) {
    open_text(out, class_name, at, anchor);
    hbg_draw_escape(out, text);
    hbg_base_buffer_text(out, "</text>\n");
}

void hbg_draw_text_lead(hbg_buffer *out, const char *class_name, hbg_draw_point at, hbg_draw_anchor anchor,
                        const char *lead, const char *text) {
    open_text(out, class_name, at, anchor);
    hbg_base_buffer_text(out, "<tspan font-weight=\"bold\">");
    hbg_draw_escape(out, lead);
    hbg_base_buffer_text(out, "</tspan>");
    hbg_draw_escape(out, text);
    hbg_base_buffer_text(out, "</text>\n");
}
