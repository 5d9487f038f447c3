/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * UTF-8: the length of a character, and invalid bytes. */
#include "base/base.h"

#include <string.h>

size_t hbg_base_utf8_length(const char *text, size_t left) {
    const unsigned char *at = (const unsigned char *)text;
    if (left == 0) return 0;
    if (at[0] < 0x80) return 1;
    size_t length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (at[0] < 0xC2 || at[0] > 0xF4 || left < length) return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool beyond = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

bool hbg_base_utf8_is_control(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    return at[0] < 0x20 || at[0] == 0x7F || (at[0] == 0xC2 && at[1] < 0xA0);
}

bool hbg_base_utf8_steers(const char *text, size_t length) {
    /* marks of direction: ALM, LRM and RLM, embeddings and overrides, isolates; then the separators of lines
     * and paragraphs */
    static const char *const marks[] = {"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D",
                                        "\u202E", "\u2066", "\u2067", "\u2068", "\u2069", "\u2028", "\u2029"};
    if (hbg_base_utf8_is_control(text)) return true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strlen(marks[i]) == length && memcmp(marks[i], text, length) == 0) return true;
    return false;
}

char *hbg_base_utf8_clean(char *text, bool lines) {
    char *end = text + strlen(text);
    for (char *at = text; at < end;) {
        size_t length = hbg_base_utf8_length(at, (size_t)(end - at));
        bool stays = length > 0 && ((lines && *at == '\n') || !hbg_base_utf8_steers(at, length));
        size_t bad = stays ? 0 : length > 0 ? length : 1;
        memset(at, '?', bad);
        at += bad > 0 ? bad : length;
    }
    return text;
}
