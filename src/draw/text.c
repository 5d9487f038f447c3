/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The width of text. The picture is written without access to a font, so widths come from a table: advance
 * widths of DejaVu Sans, one of the widest sans-serif fonts. Anything outside ASCII counts as one em, more
 * than nearly every glyph needs. */
#include "draw/draw.h"

#include <string.h>

/* Advance widths of ' ' to '~' in thousandths of the font size. */
static const uint16_t regular_widths[95] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
static const uint16_t bold_widths[95] = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};

#define EM            1000
#define ELLIPSIS      "\xe2\x80\xa6"
#define ELLIPSIS_SIZE 3

/* Width of the character that begins here, in thousandths; continuation bytes of UTF-8 have none. */
static int byte_width(unsigned char byte, bool bold) {
    if (byte >= 0x80) return byte >= 0xc0 ? EM : 0;
    if (byte < ' ' || byte > '~') return EM;
    return bold ? bold_widths[byte - ' '] : regular_widths[byte - ' '];
}

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

double hbg_draw_text_width(const char *text, double font_size, bool bold) {
    double sum = 0;
    for (const char *p = text; *p; p++) sum += byte_width((unsigned char)*p, bold);
    return sum * font_size / EM;
}

/* Length of the longest beginning that fits, on a character boundary. */
static size_t fitting(const char *text, double font_size, bool bold, double width) {
    double sum = 0;
    size_t size = 0;
    while (text[size]) {
        sum += byte_width((unsigned char)text[size], bold) * font_size / EM;
        if (sum > width) break;
        size++;
        while (continues(text[size])) size++;
    }
    return size;
}

const char *hbg_draw_text_fit(hbg_arena *arena, const char *text, double font_size, bool bold, double width) {
    size_t size = strlen(text);
    bool cut = hbg_draw_text_width(text, font_size, bold) > width;
    if (cut) size = fitting(text, font_size, bold, width - font_size);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    for (size_t i = 0; i < size; i++)
        hbg_base_buffer_char(&buffer, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
    if (cut) hbg_base_buffer_add(&buffer, ELLIPSIS, ELLIPSIS_SIZE);
    return buffer.data;
}

size_t hbg_draw_text_break(const char *text, double font_size, bool bold, double width) {
    size_t size = fitting(text, font_size, bold, width);
    const char *line_end = memchr(text, '\n', size + 1);
    if (line_end) return line_end > text ? (size_t)(line_end - text) : 1;
    if (text[size] == '\0') return size;

    // back to the last space, unless the first word is longer than the line
    size_t space = size;
    while (space > 0 && text[space] != ' ') space--;
    if (space > 0) return space;
    if (size == 0) do
            size++;
        while (continues(text[size]));
    return size;
}
