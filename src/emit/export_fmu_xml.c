/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * XML as text. Names come from models and may contain any UTF-8. */
#include <string.h>

#include "emit/export_fmu_impl.h"

/* Bytes of the character at `at`; 0: XML cannot hold it. */
static size_t character(const unsigned char *at) {
    size_t size = at[0] < 0x80                    ? 1
                  : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                  : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                  : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if (size == 1 && at[0] < ' ' && at[0] != '\t' && at[0] != '\n') return 0;
    if (size == 3 && at[0] == 0xe0 && at[1] < 0xa0) return 0;                   // an overlong form
    if (size == 3 && at[0] == 0xed && at[1] >= 0xa0) return 0;                  // half of a surrogate pair
    if (size == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe) return 0; // not a character
    if (size == 4 && ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))) return 0;
    return size;
}

void hbg_emit_xml_text(hbg_buffer *out, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t size = character(at);
        switch (size == 1 ? *at : 0) {
        case '&': hbg_base_buffer_text(out, "&amp;"); break;
        case '<': hbg_base_buffer_text(out, "&lt;"); break;
        case '>': hbg_base_buffer_text(out, "&gt;"); break;
        case '"': hbg_base_buffer_text(out, "&quot;"); break;
        case '\t':
        case '\n': hbg_base_buffer_print(out, "&#%d;", *at); break;
        default:
            if (size > 0)
                hbg_base_buffer_add(out, (const char *)at, size);
            else
                hbg_base_buffer_char(out, '?');
        }
        at += size > 0 ? size : 1;
    }
}

void hbg_emit_xml_attribute(hbg_buffer *out, const char *name, const char *value) {
    hbg_base_buffer_print(out, " %s=\"", name);
    hbg_emit_xml_text(out, value);
    hbg_base_buffer_char(out, '"');
}

void hbg_emit_xml_number(hbg_buffer *out, const char *name, double value) {
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, value);
    hbg_emit_xml_attribute(out, name, text);
}

void hbg_emit_xml_flag(hbg_buffer *out, const char *name, bool value) {
    hbg_emit_xml_attribute(out, name, value ? "true" : "false");
}
