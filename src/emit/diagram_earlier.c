/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Places in an earlier drawing: `data-path`, `data-at`, `data-origin` and `data-alone` of its groups. Whatever the text is, what looks like such a group is
 * taken, and nothing else. */
#include "emit/diagram_settle_impl.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1e7 /* pixels; places further away are ignored */

/* The value of an attribute of a tag that ends at `end`; NULL if it has none. */
static const char *attribute(const char *tag, const char *end, const char *name, size_t *size) {
    size_t length = strlen(name);
    for (const char *at = tag; at + length + 2 < end; at++) {
        if (*at != ' ' || strncmp(at + 1, name, length) != 0 || at[length + 1] != '=' ||
            at[length + 2] != '"')
            continue;
        const char *value = at + length + 3, *quote = memchr(value, '"', (size_t)(end - value));
        *size = quote ? (size_t)(quote - value) : 0;
        return quote ? value : NULL;
    }
    return NULL;
}

static bool read_point(const char *tag, const char *end, const char *name, hbg_draw_point *point) {
    size_t size;
    const char *text = attribute(tag, end, name, &size);
    const char *comma = text ? memchr(text, ',', size) : NULL;
    if (!comma || !hbg_base_double_parse(text, (size_t)(comma - text), &point->x) ||
        !hbg_base_double_parse(comma + 1, (size_t)(text + size - comma - 1), &point->y))
        return false;
    return fabs(point->x) < FARTHEST && fabs(point->y) < FARTHEST;
}

void hbg_emit_diagram_earlier_read(hbg_diagram_earlier *earlier, hbg_arena *arena, const char *svg) {
    *earlier = (hbg_diagram_earlier){.arena = arena};
    hbg_base_names_init(&earlier->names, arena);
    hbg_base_pair_map_init(&earlier->index, arena);
    while (svg && (svg = strstr(svg, "<g ")) != NULL) {
        const char *end = strchr(svg, '>');
        if (!end) return;
        size_t size;
        const char *path = attribute(svg, end, "data-path", &size);
        hbg_diagram_earlier_place place = {0};
        if (path && size > 0 && read_point(svg, end, "data-at", &place.at)) {
            if (!read_point(svg, end, "data-origin", &place.origin)) place.origin = place.at;
            hbg_base_pair_map_add(&earlier->index, 0, hbg_base_names_add(&earlier->names, path, size),
                                  earlier->places.count);
            place.alone = attribute(svg, end, "data-alone", &size) != NULL;
            HBG_PUSH(arena, earlier->places, place);
        }
        svg = end;
    }
}

const hbg_diagram_earlier_place *hbg_emit_diagram_earlier_find(const hbg_diagram_earlier *earlier,
                                                               const char *path) {
    hbg_name name = hbg_base_names_find(&earlier->names, path, strlen(path));
    int32_t index = name < 0 ? -1 : hbg_base_pair_map_find(&earlier->index, 0, name);
    return index < 0 ? NULL : &earlier->places.items[index];
}
