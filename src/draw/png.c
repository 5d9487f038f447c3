/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * SVG to PNG and PDF by `rsvg-convert`. Its drawing library (cairo) holds at most 32767 pixels a side and
 * keeps four bytes a pixel in memory, so a large picture is drawn smaller than requested, as long as its text
 * stays readable. */
#include "draw/draw.h"

#include <math.h>
#include <string.h>

#define MOST_PIXELS_A_SIDE 32000.0
#define MOST_PIXELS        1e8
#define LEAST_ZOOM         0.4 /* below, a font of 10 pixels is a grey line */

/* The value of a number attribute of the first <svg> tag; 0 if it has none. */
static double root_attribute(const char *svg, const char *name) {
    const char *tag = strstr(svg, "<svg");
    const char *end = tag ? strchr(tag, '>') : NULL;
    const char *at = tag ? strstr(tag, name) : NULL;
    if (!end || !at || at > end) return 0;
    double value = 0;
    for (at += strlen(name); *at >= '0' && *at <= '9' && value < 1e12; at++) value = value * 10 + (*at - '0');
    return *at == '.' ? value + 1 : value; /* rounded up */
}

static hbg_status convert(const char *svg, size_t size, const char *format, const char *zoom, hbg_buffer *out,
                          const char **reason) {
    const char *const arguments[] = {"rsvg-convert", "--unlimited", format, zoom, NULL};
    hbg_draw_command command = {.arguments = arguments,
                                .package = "librsvg2-bin",
                                .input = svg,
                                .input_size = size,
                                .timeout = HBG_DRAW_TIMEOUT,
                                .output_limit = HBG_DRAW_OUTPUT_LIMIT};
    return hbg_draw_run(&command, out, reason);
}

/* Without any font the program silently draws a box, or nothing, for every letter: then all letters look the
 * same. */
static hbg_status check_fonts(hbg_arena *arena, const char **reason) {
    static const char *const letters[] = {"l", "M"};
    hbg_buffer pictures[2];
    for (int i = 0; i < 2; i++) {
        const char *svg =
            hbg_base_arena_print(arena,
                                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\">"
                                 "<text x=\"2\" y=\"16\" font-size=\"14\">%s</text></svg>",
                                 letters[i]);
        hbg_base_buffer_init(&pictures[i], arena);
        HBG_TRY(convert(svg, strlen(svg), "--format=png", "--zoom=1", &pictures[i], reason));
    }
    if (pictures[0].size != pictures[1].size ||
        memcmp(pictures[0].data, pictures[1].data, pictures[0].size) != 0)
        return HBG_OK;
    *reason = "no font is installed, so a picture would have boxes for letters: install the package "
              "fonts-dejavu-core, or write an SVG";
    return HBG_NO_PROGRAM;
}

hbg_status hbg_draw_png(const char *svg, size_t size, double zoom, hbg_buffer *png, const char **reason) {
    double width = root_attribute(svg, " width=\""), height = root_attribute(svg, " height=\"");
    if (!(width >= 1 && height >= 1 && zoom > 0)) {
        *reason = "the picture has no size";
        return HBG_BAD_ARGUMENT;
    }
    double most = fmin(MOST_PIXELS_A_SIDE / fmax(width, height), sqrt(MOST_PIXELS / width / height));
    if (most < LEAST_ZOOM && most < zoom) {
        *reason = hbg_base_arena_print(
            png->arena,
            "the drawing has %.0f by %.0f pixels, more than a readable PNG can hold: write "
            "it as SVG",
            width, height);
        return HBG_TOO_LARGE;
    }
    hbg_buffer option;
    hbg_base_buffer_init(&option, png->arena);
    hbg_base_buffer_text(&option, "--zoom=");
    /* rounded down to hundredths, so that rounding does not exceed the limit */
    hbg_draw_number(&option, fmax(floor(fmin(zoom, most) * 100) / 100, 0.01));
    if (strstr(svg, "<text")) HBG_TRY(check_fonts(png->arena, reason));
    return convert(svg, size, "--format=png", option.data, png, reason);
}

hbg_status hbg_draw_icon(const char *svg, size_t size, int pixels, hbg_buffer *png, const char **reason) {
    double longest = fmax(root_attribute(svg, " width=\""), root_attribute(svg, " height=\""));
    if (!(longest >= 1)) {
        *reason = "the picture has no size";
        return HBG_BAD_ARGUMENT;
    }
    const char *zoom = hbg_base_arena_print(png->arena, "--zoom=%.5f", fmin(1, pixels / longest));
    return convert(svg, size, "--format=png", zoom, png, reason);
}

hbg_status hbg_draw_pdf(const char *svg, size_t size, hbg_buffer *pdf, const char **reason) {
    if (strstr(svg, "<text")) HBG_TRY(check_fonts(pdf->arena, reason));
    return convert(svg, size, "--format=pdf", "--zoom=1", pdf, reason);
}
