/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of variables, as importers accept them. */
#include <string.h>

#include "emit/export_fmu_impl.h"

void hbg_emit_naming_init(hbg_emit_naming *naming, hbg_arena *arena) {
    naming->arena = arena;
    hbg_base_names_init(&naming->taken, arena);
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Whether it is identifiers with dots between them. */
static bool is_structured(const char *text) {
    bool begins = true;
    for (; *text; text++) {
        if (begins ? !is_letter(*text) : !is_letter(*text) && !is_digit(*text) && *text != '.') return false;
        begins = *text == '.';
    }
    return !begins;
}

/* In quotes, as in the convention: ASCII without control characters, with three characters escaped. */
static const char *quoted(hbg_arena *arena, const char *text) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    hbg_base_buffer_char(&out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '"' || *text == '\\') hbg_base_buffer_char(&out, '\\');
        hbg_base_buffer_char(&out, *text < ' ' || *text == 0x7f ? '_' : *text);
    }
    hbg_base_buffer_char(&out, '\'');
    return out.data;
}

static bool take(hbg_emit_naming *naming, const char *name) {
    if (hbg_base_names_find(&naming->taken, name, strlen(name)) >= 0) return false;
    (void)hbg_base_names_add(&naming->taken, name, strlen(name));
    return true;
}

/* The first of these that is free. */
static const char *choose(hbg_emit_naming *naming, const char *name, const char *other, const char *between) {
    if (take(naming, name)) return name;
    const char *made = hbg_base_arena_print(naming->arena, "%s%s%s", other, between, name);
    for (int i = 2; !take(naming, made); i++)
        made = hbg_base_arena_print(naming->arena, "%s%d%s%s", other, i, between, name);
    return made;
}

const char *hbg_emit_name_structured(hbg_emit_naming *naming, const char *text, const char *other) {
    return choose(naming, is_structured(text) ? text : quoted(naming->arena, text), other, ".");
}

const char *hbg_emit_name_port(hbg_emit_naming *naming, const char *text, const char *other) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, naming->arena);
    if (!is_letter(text[0])) hbg_base_buffer_char(&out, '_');
    for (; *text; text++) hbg_base_buffer_char(&out, is_letter(*text) || is_digit(*text) ? *text : '_');
    return choose(naming, out.data, other, "_");
}
