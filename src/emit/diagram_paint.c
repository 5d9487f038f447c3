/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The page: title, drawing, panel, one below the other; the drawing from the ground up: components, bonds,
 * symbols, labels. Colours are muted and dark enough to be told apart on white paper. */
#include "emit/diagram_impl.h"

#include <math.h>
#include <string.h>

#define MARGIN          24.0
#define LEAST_WIDTH     400.0
#define TITLE_HEIGHT    24.0
#define MOST_TITLE      900.0
#define MOST_LINES      8 /* of the description */
#define DOC_HEIGHT      17.0
#define SECTION_GAP     20.0
#define CAPTION_INDENT  8.0
#define CAPTION_HEIGHT  18.0
#define LINE_HEIGHT     13.0
#define SMALL_BASELINE  10.0 /* from the top of a line of small text */
#define STROKE_DISTANCE 1.0  /* of a causal stroke from the end of its bond */
#define MARK_GAP        3.0  /* left and right of the letters of a storage that is marked */

static const char style[] =
    "text{fill:#1c1c1c}\n"
    ".title{font-size:18px;font-weight:bold}\n"
    ".caption{font-size:12px}\n"
    ".letters{font-size:14px}\n"
    ".small{font-size:11px;fill:#3d3d3d}\n"
    ".digit{font-size:19px;font-weight:bold}\n"
    ".bold{font-weight:bold}\n"
    ".label{font-size:11px;fill:#3d3d3d;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:"
    "round}\n"
    ".when{fill:#7a4b00}\n"
    ".page{fill:#fff}\n"
    ".cluster{fill:#5b7690;fill-opacity:.07;stroke:#a3b0bd}\n"
    ".card{fill:#fff;stroke:#c4ccd4}\n"
    ".state{fill:#fff;stroke:#8c97a3}\n"
    ".on{fill:#ffe7ad;stroke:#a97b1f}\n"
    ".start{fill:#1c1c1c}\n"
    ".control{fill:#ffe7ad;stroke:#7a4b00;stroke-width:1.3}\n"
    ".bond{fill:none;stroke:#1c1c1c;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}\n"
    ".stroke{stroke-width:1.6;stroke-linecap:butt}\n"
    ".fixed{stroke-width:3.4}\n"
    ".off{fill:#fff;stroke:#8a8a8a;stroke-dasharray:3 2.5}\n"
    ".faint{fill:#8a8a8a}\n"
    ".current{stroke:#1c1c1c;stroke-width:2.2}\n"
    ".dependent{fill:#e6daf5;stroke:#6b3fa0;stroke-width:1.3}\n"
    ".free{fill:none;stroke-width:1.3;stroke-dasharray:3 2.5}\n"
    ".electrical{stroke:#1f4e99}\n"
    ".translational{stroke:#2c6e2f}\n"
    ".rotational{stroke:#a65300}\n"
    ".hydraulic{stroke:#00727d}\n"
    ".thermal{stroke:#b02a2a}\n"
    ".magnetic{stroke:#6b3fa0}\n"
    ".changed{stroke:#d6336c}\n"
    ".conflict{stroke:#d6336c;stroke-width:3.2}\n";
static const char loose_style[] = ".loose{stroke:#b36b00;stroke-width:2;stroke-dasharray:7 3}\n";

/* ---- components ------------------------------------------------------------------------------------ */

hbg_draw_box hbg_emit_diagram_caption_box(const hbg_diagram *diagram, int32_t cluster) {
    hbg_draw_box box = diagram->layout.clusters[cluster].box;
    const char *caption = hbg_emit_diagram_caption(diagram, diagram->scope_of_cluster[cluster]);
    double width = hbg_draw_text_width(caption, HBG_DIAGRAM_TEXT, false);
    return (hbg_draw_box){box.left + CAPTION_INDENT, box.top + 2, box.left + CAPTION_INDENT + width,
                          box.top + CAPTION_HEIGHT};
}

static void paint_clusters(const hbg_diagram *diagram, hbg_buffer *out) {
    for (int32_t i = 0; i < diagram->layout.cluster_count; i++) {
        const hbg_draw_cluster *cluster = &diagram->layout.clusters[i];
        int32_t scope = diagram->scope_of_cluster[i];
        if (cluster->box.right < cluster->box.left) continue;
        const char *path = hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_SCOPE, scope});
        const char *doc = diagram->model->scopes.items[scope].doc;
        const char *title =
            hbg_base_arena_print(diagram->arena, doc && *doc ? "%s: %s" : "%s", path, doc ? doc : "");
        hbg_draw_box caption = hbg_emit_diagram_caption_box(diagram, i);
        hbg_draw_group_begin(out, NULL, title);
        hbg_draw_rect(out, "cluster", cluster->box, 8);
        hbg_draw_text(out, "caption", (hbg_draw_point){caption.left, caption.bottom - 4}, HBG_DRAW_START,
                      hbg_emit_diagram_caption(diagram, scope));
        hbg_draw_group_end(out);
    }
}

/* ---- bonds ----------------------------------------------------------------------------------------- */

/* A bar across the end of a line whose last piece goes from `before` to `end`. */
static void paint_stroke(hbg_buffer *out, const char *class_name, hbg_draw_point before, hbg_draw_point end) {
    double length = fmax(hypot(end.x - before.x, end.y - before.y), 1e-9);
    hbg_draw_point along = {(end.x - before.x) / length, (end.y - before.y) / length};
    hbg_draw_point foot = {end.x + STROKE_DISTANCE * along.x, end.y + STROKE_DISTANCE * along.y};
    hbg_draw_line(
        out, class_name,
        (hbg_draw_point){foot.x - HBG_DIAGRAM_STROKE * along.y, foot.y + HBG_DIAGRAM_STROKE * along.x},
        (hbg_draw_point){foot.x + HBG_DIAGRAM_STROKE * along.y, foot.y - HBG_DIAGRAM_STROKE * along.x});
}

static void paint_bond(const hbg_diagram *diagram, hbg_buffer *out, int32_t index) {
    const hbg_diagram_bond *bond = &diagram->bonds[index];
    const hbg_draw_point *points = diagram->points.items + bond->first_point;
    int32_t count = bond->point_count, net = diagram->model->bonds.items[index].net;
    const char *class_name = hbg_emit_diagram_bond_class(diagram, index);
    if (hbg_emit_diagram_marked(diagram->options->changed, index))
        class_name = hbg_base_arena_print(diagram->arena, "%s changed", class_name);
    if (hbg_emit_diagram_marked(diagram->options->conflict, index))
        class_name = hbg_base_arena_print(diagram->arena, "%s conflict", class_name);
    const char *path = hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_BOND, index});
    const char *domain = net >= 0 ? hbg_model_domain_name(diagram->model->net_domain[net]) : "any";
    hbg_draw_group_begin(out, NULL, hbg_base_arena_print(diagram->arena, "bond %s, %s", path, domain));

    hbg_draw_point *line = HBG_NEW_ARRAY(diagram->arena, hbg_draw_point, count + 1);
    hbg_draw_point harpoon[3];
    for (int32_t i = 0; i < count; i++) line[i] = points[i];
    hbg_emit_diagram_harpoon(points, count, harpoon);
    line[count] = harpoon[2];
    bool loose =
        hbg_emit_diagram_marked(diagram->options->loose, index); // its stroke is too short for dashes
    hbg_draw_polyline(out, loose ? hbg_base_arena_print(diagram->arena, "%s loose", class_name) : class_name,
                      line, count + 1);

    int8_t stroke = diagram->options->stroke ? diagram->options->stroke[index] : -1;
    bool fixed = hbg_emit_diagram_marked(diagram->options->fixed, index);
    const char *stroke_class =
        hbg_base_arena_print(diagram->arena, fixed ? "%s stroke fixed" : "%s stroke", class_name);
    if (stroke == 0) paint_stroke(out, stroke_class, points[1], points[0]);
    if (stroke == 1) paint_stroke(out, stroke_class, points[count - 2], points[count - 1]);
    hbg_draw_group_end(out);
}

static void paint_labels(const hbg_diagram *diagram, hbg_buffer *out) {
    for (int32_t i = 0; i < diagram->labels.count; i++) {
        const hbg_diagram_label *label = &diagram->labels.items[i];
        hbg_draw_text(
            out, "label",
            (hbg_draw_point){(label->box.left + label->box.right) / 2, label->box.top + SMALL_BASELINE},
            HBG_DRAW_MIDDLE, label->text);
    }
}

/* ---- symbols --------------------------------------------------------------------------------------- */

static void paint_junction(const hbg_diagram *diagram, const hbg_diagram_symbol *symbol, int32_t index,
                           hbg_buffer *out) {
    hbg_draw_point at = symbol->at;
    bool off = hbg_emit_diagram_marked(diagram->options->off, index);
    bool changed = hbg_emit_diagram_marked(diagram->options->changed_element, index);
    if (symbol->controlled)
        hbg_draw_circle(
            out,
            hbg_base_arena_print(diagram->arena, "control%s%s", off ? " off" : "", changed ? " changed" : ""),
            at, symbol->glyph.right);
    hbg_draw_text(out, off ? "digit faint" : "digit", (hbg_draw_point){at.x, at.y + 7}, HBG_DRAW_MIDDLE,
                  symbol->letters);
    hbg_draw_box text = hbg_draw_box_move(symbol->text, at.x, at.y);
    for (int32_t i = 0; i < symbol->line_count; i++)
        hbg_draw_text(out,
                      off      ? "small faint"
                      : i == 0 ? "small"
                               : "small when",
                      (hbg_draw_point){text.left, text.top + i * LINE_HEIGHT + SMALL_BASELINE},
                      HBG_DRAW_START, symbol->lines[i]);
}

static void paint_element(const hbg_diagram *diagram, const hbg_diagram_symbol *symbol, int32_t index,
                          hbg_buffer *out) {
    hbg_draw_point at = symbol->at;
    bool dependent = hbg_emit_diagram_marked(diagram->options->dependent, index);
    bool changed = hbg_emit_diagram_marked(diagram->options->changed_element, index);
    hbg_draw_box mark = hbg_draw_box_move(symbol->glyph, at.x, at.y);
    mark.left -= MARK_GAP;
    mark.right += MARK_GAP;
    if (dependent || changed)
        hbg_draw_rect(out,
                      hbg_base_arena_print(diagram->arena, "%s%s", dependent ? "dependent" : "free",
                                           changed ? " changed" : ""),
                      mark, 5);
    hbg_draw_text_lead(out, "letters", (hbg_draw_point){at.x, at.y + 5}, HBG_DRAW_MIDDLE, symbol->letters,
                       symbol->name);
    double top = symbol->text.top + at.y;
    if (symbol->value)
        hbg_draw_text(out, "small", (hbg_draw_point){at.x, top + SMALL_BASELINE}, HBG_DRAW_MIDDLE,
                      symbol->value);
}

static void paint_symbol(const hbg_diagram *diagram, int32_t index, hbg_buffer *out) {
    const hbg_diagram_symbol *symbol = &diagram->symbols[index];
    hbg_draw_group_begin(out, NULL, symbol->tooltip);
    if (symbol->name)
        paint_element(diagram, symbol, index, out);
    else
        paint_junction(diagram, symbol, index, out);
    hbg_draw_group_end(out);
}

/* ---- the page -------------------------------------------------------------------------------------- */

static void move_drawing(hbg_diagram *diagram, double dx, double dy) {
    for (int32_t i = 0; i < diagram->model->elements.count; i++) {
        diagram->symbols[i].at.x += dx;
        diagram->symbols[i].at.y += dy;
    }
    for (int32_t i = 0; i < diagram->points.count; i++) {
        diagram->points.items[i].x += dx;
        diagram->points.items[i].y += dy;
    }
    for (int32_t i = 0; i < diagram->layout.cluster_count; i++)
        diagram->layout.clusters[i].box = hbg_draw_box_move(diagram->layout.clusters[i].box, dx, dy);
    for (int32_t i = 0; i < diagram->labels.count; i++)
        diagram->labels.items[i].box = hbg_draw_box_move(diagram->labels.items[i].box, dx, dy);
}

/* The next line of a text and how far it goes; the last one allowed ends in an ellipsis if more follows. */
static const char *next_line(const hbg_diagram *diagram, const char *text, double width, bool last,
                             size_t *size) {
    *size = last ? strlen(text) : hbg_draw_text_break(text, HBG_DIAGRAM_TEXT, false, width);
    const char *line = hbg_base_arena_copy(diagram->arena, text, *size);
    return hbg_draw_text_fit(diagram->arena, line, HBG_DIAGRAM_TEXT, false, fmax(width, HBG_DIAGRAM_TEXT));
}

/* A text broken into lines; the height they took. */
static double paint_text(const hbg_diagram *diagram, hbg_buffer *out, const char *text, double top,
                         double width) {
    double height = 0;
    for (int i = 1; text && *text; i++) {
        size_t size;
        const char *line = next_line(diagram, text, width, i == MOST_LINES, &size);
        height += DOC_HEIGHT;
        hbg_draw_text(out, "caption", (hbg_draw_point){MARGIN, MARGIN + top + height - 5}, HBG_DRAW_START,
                      line);
        for (text += size; *text == ' ' || *text == '\n'; text++) continue;
    }
    return height;
}

/* Name and description of the model; the height they took. */
static double paint_title(const hbg_diagram *diagram, hbg_buffer *out, const char *name, double width) {
    hbg_draw_text(out, "title", (hbg_draw_point){MARGIN, MARGIN + HBG_DIAGRAM_TITLE - 3}, HBG_DRAW_START,
                  name);
    double height = TITLE_HEIGHT;
    height += paint_text(diagram, out, diagram->model->doc, height, width);
    return height + paint_text(diagram, out, diagram->options->note, height, width);
}

void hbg_emit_diagram_paint(hbg_diagram *diagram, hbg_buffer *out) {
    const hbg_model *model = diagram->model;
    hbg_buffer title, panel;
    hbg_base_buffer_init(&title, diagram->arena);
    hbg_base_buffer_init(&panel, diagram->arena);
    const char *name = hbg_draw_text_fit(diagram->arena, hbg_base_names_get(model->names, model->name),
                                         HBG_DIAGRAM_TITLE, true, MOST_TITLE);
    bool empty = diagram->extent.right < diagram->extent.left;
    double drawing_width = empty ? 0 : diagram->extent.right - diagram->extent.left;
    double drawing_height = empty ? 0 : diagram->extent.bottom - diagram->extent.top;

    /* from the top down; the widest part decides the width */
    double width = fmax(LEAST_WIDTH, fmax(drawing_width, hbg_draw_text_width(name, HBG_DIAGRAM_TITLE, true)));
    double y = MARGIN + paint_title(diagram, &title, name, width) + SECTION_GAP;
    double drawing_top = y;
    y += drawing_height;
    double panel_top = empty ? y : y + SECTION_GAP;
    hbg_diagram_size size =
        hbg_emit_diagram_panel(diagram, &panel, (hbg_draw_point){MARGIN, panel_top}, width);
    if (size.height > 0) y = panel_top + size.height;
    width = fmax(width, size.width);
    if (!empty)
        move_drawing(diagram, MARGIN + (width - drawing_width) / 2 - diagram->extent.left,
                     drawing_top - diagram->extent.top);

    hbg_draw_svg_begin(
        out, ceil(width + 2 * MARGIN), ceil(y + MARGIN), name,
        hbg_base_arena_print(diagram->arena, "%s%s", style, diagram->options->loose ? loose_style : ""));
    hbg_draw_rect(out, "page", (hbg_draw_box){0, 0, ceil(width + 2 * MARGIN), ceil(y + MARGIN)}, 0);
    hbg_base_buffer_add(out, title.data, title.size);
    paint_clusters(diagram, out);
    for (int32_t i = 0; i < model->bonds.count; i++) paint_bond(diagram, out, i);
    for (int32_t i = 0; i < model->elements.count; i++) paint_symbol(diagram, i, out);
    paint_labels(diagram, out);
    hbg_base_buffer_add(out, panel.data, panel.size);
    hbg_draw_svg_end(out);
}
