/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The look of a textbook: junctions in a row from left to right, one-ports above and below them. A one-port
 * hangs at its junction if both are in the same component; the layout program then sees the junction and
 * everything that hangs there as one box. Bonds enter such a box from the left and leave it to the right, so
 * a side without bonds is free for one more element: a source on the left, a storage on the right. */
#include "emit/diagram_impl.h"

#include <math.h>

#define MOST_HUNG     8 /* a junction with more keeps ROWS_HUNG; the rest get separate places */
#define ROWS_HUNG     2
#define BESIDE_GAP    36.0 /* bond between a junction and an element left or right */
#define ROW_GAP       30.0 /* bond between a junction and an element above or below */
#define FAN_GAP       9.0  /* more for every further element of a row, so that the fan opens */
#define COLUMN_GAP    16.0 /* between the elements of a row */
#define PADDING       5.0  /* around a group */
#define DIGIT_HALF    10.0
#define CIRCLE_HALF   13.0
#define LINE_HEIGHT   13.0
#define LETTERS_HALF  9.0
#define VALUE_HEIGHT  14.0
#define LABEL_PADDING 12.0 /* around the name of a bond that hangs */

/* ---- hosts ----------------------------------------------------------------------------------------- */

/* The junction an element may hang at, or the element itself. */
static int32_t possible_host(const hbg_diagram *diagram, int32_t index) {
    const hbg_element *element = hbg_emit_diagram_element(diagram, index);
    int32_t start = diagram->incidence_start[index];
    if (!element || hbg_emit_diagram_is_junction(diagram, index) || element->ports != 1 ||
        diagram->incidence_start[index + 1] != start + 1)
        return index;
    int32_t other = hbg_emit_diagram_other_end(&diagram->links[diagram->incidence[start]], index);
    const hbg_diagram_thing *self = &diagram->things[index], *there = &diagram->things[other];
    bool together = there->scope == self->scope && there->outside == self->outside;
    return hbg_emit_diagram_is_junction(diagram, other) && together ? other : index;
}

static void choose_hosts(hbg_diagram *diagram) {
    int32_t count = diagram->thing_count;
    int32_t *wanted = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);
    int32_t *taken = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) {
        diagram->symbols[i].host = possible_host(diagram, i);
        if (diagram->symbols[i].host != i) wanted[diagram->symbols[i].host]++;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t host = diagram->symbols[i].host;
        if (host == i) continue;
        if (wanted[host] > MOST_HUNG && taken[host] >= ROWS_HUNG)
            diagram->symbols[i].host = i;
        else
            taken[host]++;
    }
}

/* ---- sides ----------------------------------------------------------------------------------------- */

/* How well an element fits at the right end of a row of junctions. */
static int end_rank(const hbg_diagram *diagram, int32_t thing) {
    switch (hbg_emit_diagram_element(diagram, thing)->kind) {
    case HBG_KIND_I: return 4;
    case HBG_KIND_C: return 3;
    case HBG_KIND_R: return 2;
    default: return 1;
    }
}

static void choose_sides(hbg_diagram *diagram, int32_t host, const int32_t *hung, int32_t count) {
    int32_t left = HBG_NONE, right = HBG_NONE, best = 0;
    for (int32_t i = 0; i < count; i++) {
        if (left < 0 && diagram->symbols[host].in_count == 0 && hbg_emit_diagram_is_source(diagram, hung[i]))
            left = hung[i];
        int32_t rank = diagram->symbols[host].out_count == 0 ? end_rank(diagram, hung[i]) : 0;
        if (rank > best && hung[i] != left) {
            best = rank;
            right = hung[i];
        }
    }
    int32_t above = 0, below = 0;
    const hbg_element *element = hbg_emit_diagram_element(diagram, host);
    bool above_first = element && element->kind == HBG_KIND_ONE;
    for (int32_t i = 0; i < count; i++) {
        hbg_diagram_symbol *symbol = &diagram->symbols[hung[i]];
        bool up = above == below ? above_first : above < below;
        if (hung[i] == left)
            symbol->side = HBG_DIAGRAM_LEFT;
        else if (hung[i] == right)
            symbol->side = HBG_DIAGRAM_RIGHT;
        else
            symbol->side = up ? HBG_DIAGRAM_ABOVE : HBG_DIAGRAM_BELOW;
        above += symbol->side == HBG_DIAGRAM_ABOVE;
        below += symbol->side == HBG_DIAGRAM_BELOW;
    }
}

/* ---- boxes ----------------------------------------------------------------------------------------- */

static void junction_boxes(hbg_diagram_symbol *symbol) {
    double half = symbol->controlled ? CIRCLE_HALF : DIGIT_HALF;
    symbol->glyph = (hbg_draw_box){-half, -half, half, half};
    /* a single name is lower, like an index; more lines are centred */
    double height = symbol->line_count * LINE_HEIGHT;
    double top = symbol->line_count == 1 ? -1 : -height / 2;
    double left = symbol->controlled ? half + 3 : half - 3;
    symbol->text = (hbg_draw_box){left, top, left + symbol->line_width, top + height};
}

static void element_boxes(hbg_diagram_symbol *symbol) {
    double half = (hbg_draw_text_width(symbol->letters, HBG_DIAGRAM_LETTERS, true) + symbol->name_width) / 2;
    symbol->glyph = (hbg_draw_box){-half, -LETTERS_HALF, half, LETTERS_HALF};
    symbol->text = hbg_draw_box_empty;
    if (!symbol->value) return;
    /* the letters stay next to the bond */
    double top = symbol->side == HBG_DIAGRAM_ABOVE ? -LETTERS_HALF - VALUE_HEIGHT : LETTERS_HALF;
    symbol->text = (hbg_draw_box){-symbol->value_width / 2, top, symbol->value_width / 2, top + VALUE_HEIGHT};
}

static hbg_draw_box symbol_box(const hbg_diagram_symbol *symbol) {
    return hbg_draw_box_join(symbol->glyph, symbol->text);
}

/* The bond of an element that hangs. */
static const hbg_diagram_bond *hanging_bond(const hbg_diagram *diagram, int32_t element) {
    return &diagram->bonds[diagram->incidence[diagram->incidence_start[element]]];
}

static double half_width(const hbg_diagram *diagram, int32_t element) {
    hbg_draw_box box = symbol_box(&diagram->symbols[element]);
    double half = fmax(-box.left, box.right);
    const hbg_diagram_bond *bond = hanging_bond(diagram, element);
    return bond->name ? fmax(half, bond->name_width + LABEL_PADDING) : half;
}

/* Elements of one side in a row: the middle one, or the gap between the middle two, right above the digit. */
static void place_row(hbg_diagram *diagram, const int32_t *row, int32_t count, double y) {
    int32_t middle = count / 2;
    double x = 0;
    if (count % 2 == 0 && count > 0) x = COLUMN_GAP / 2 + half_width(diagram, row[middle]);
    double start = x;
    for (int32_t i = middle; i < count; i++) {
        diagram->symbols[row[i]].offset = (hbg_draw_point){x, y};
        if (i + 1 < count) x += half_width(diagram, row[i]) + COLUMN_GAP + half_width(diagram, row[i + 1]);
    }
    x = start;
    for (int32_t i = middle - 1; i >= 0; i--) {
        x -= half_width(diagram, row[i + 1]) + COLUMN_GAP + half_width(diagram, row[i]);
        diagram->symbols[row[i]].offset = (hbg_draw_point){x, y};
    }
}

static void place_rows(hbg_diagram *diagram, int32_t host, const int32_t *hung, int32_t count) {
    hbg_draw_box own = symbol_box(&diagram->symbols[host]);
    for (int side = HBG_DIAGRAM_ABOVE; side <= HBG_DIAGRAM_BELOW; side++) {
        int32_t row[MOST_HUNG], in_row = 0;
        for (int32_t i = 0; i < count; i++)
            if ((int)diagram->symbols[hung[i]].side == side) row[in_row++] = hung[i];
        double gap = ROW_GAP + FAN_GAP * (in_row - 1) + LETTERS_HALF;
        place_row(diagram, row, in_row, side == HBG_DIAGRAM_ABOVE ? own.top - gap : own.bottom + gap);
    }
}

static void place_beside(hbg_diagram *diagram, int32_t host, int32_t element) {
    hbg_draw_box own = symbol_box(&diagram->symbols[host]);
    hbg_diagram_symbol *symbol = &diagram->symbols[element];
    hbg_draw_box box = symbol_box(symbol);
    double gap = fmax(BESIDE_GAP, hanging_bond(diagram, element)->name_width + 2 * LABEL_PADDING);
    bool left = symbol->side == HBG_DIAGRAM_LEFT;
    symbol->offset = (hbg_draw_point){left ? own.left - gap - box.right : own.right + gap - box.left, 0};
}

/* Room for a host and everything that hangs there. */
static void make_group(hbg_diagram *diagram, int32_t host, const int32_t *hung, int32_t count) {
    hbg_draw_box group = symbol_box(&diagram->symbols[host]);
    for (int32_t i = 0; i < count; i++) {
        const hbg_diagram_symbol *symbol = &diagram->symbols[hung[i]];
        hbg_draw_box box = symbol_box(symbol);
        bool in_row = symbol->side == HBG_DIAGRAM_ABOVE || symbol->side == HBG_DIAGRAM_BELOW;
        if (in_row) box.left = -(box.right = half_width(diagram, hung[i]));
        group = hbg_draw_box_join(group, hbg_draw_box_move(box, symbol->offset.x, symbol->offset.y));
    }
    group = hbg_draw_box_grow(group, PADDING);
    if (diagram->symbols[host].is_box) {
        group.left -= HBG_DIAGRAM_STUB - PADDING;
        group.right += HBG_DIAGRAM_STUB - PADDING;
    }
    /* whole numbers and an even height: dot rounds, and rounded halves would bend a straight row */
    group = (hbg_draw_box){floor(group.left), floor(group.top), ceil(group.right), ceil(group.bottom)};
    if (fmod(group.bottom - group.top, 2) != 0) group.bottom += 1;
    diagram->symbols[host].group = group;
}

static void hang_at(hbg_diagram *diagram, int32_t host) {
    int32_t hung[MOST_HUNG], count = 0;
    for (int32_t i = diagram->incidence_start[host]; i < diagram->incidence_start[host + 1]; i++) {
        int32_t other = hbg_emit_diagram_other_end(&diagram->links[diagram->incidence[i]], host);
        if (other != host && diagram->symbols[other].host == host && count < MOST_HUNG) hung[count++] = other;
    }
    choose_sides(diagram, host, hung, count);
    for (int32_t i = 0; i < count; i++) element_boxes(&diagram->symbols[hung[i]]);
    if (diagram->symbols[host].is_box)
        hbg_emit_diagram_measure_box(diagram, host);
    else if (hbg_emit_diagram_is_junction(diagram, host))
        junction_boxes(&diagram->symbols[host]);
    else
        element_boxes(&diagram->symbols[host]);
    place_rows(diagram, host, hung, count);
    for (int32_t i = 0; i < count; i++) {
        hbg_diagram_side side = diagram->symbols[hung[i]].side;
        if (side == HBG_DIAGRAM_LEFT || side == HBG_DIAGRAM_RIGHT) place_beside(diagram, host, hung[i]);
    }
    make_group(diagram, host, hung, count);
}

void hbg_emit_diagram_hang(hbg_diagram *diagram) {
    choose_hosts(diagram);
    hbg_emit_diagram_direct(diagram);
    for (int32_t i = 0; i < diagram->thing_count; i++)
        if (diagram->symbols[i].host == i) hang_at(diagram, i);
}
