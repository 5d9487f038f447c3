/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The page: title, drawing, panel, one below the other; the drawing from the ground up: components, bonds,
 * symbols, labels. Every object is a group with its identity (`data-path`, `data-bond`), so a page can find
 * it. */
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

/* ---- components ------------------------------------------------------------------------------------ */

hbg_draw_box hbg_emit_diagram_caption_box(const hbg_diagram *diagram, int32_t cluster) {
    hbg_draw_box box = diagram->layout.clusters[cluster].box;
    const char *caption = hbg_emit_diagram_caption(diagram, diagram->scope_of_cluster[cluster]);
    double width = hbg_draw_text_width(caption, HBG_DIAGRAM_TEXT, false);
    return (hbg_draw_box){box.left + CAPTION_INDENT, box.top + 2, box.left + CAPTION_INDENT + width,
                          box.top + CAPTION_HEIGHT};
}

/* The place of a thing before the drawing is moved on its page, as places in the language and earlier
 * drawings count. */
static const char *place_text(const hbg_diagram *diagram, hbg_draw_point at) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, diagram->arena);
    hbg_draw_number(&text, at.x - diagram->moved.x);
    hbg_base_buffer_char(&text, ',');
    hbg_draw_number(&text, at.y - diagram->moved.y);
    return text.data;
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
        const hbg_draw_attribute attributes[] = {
            {"data-path", path},
            {"data-kind", "component"},
            {"data-type",
             hbg_base_names_get(diagram->model->names, diagram->model->scopes.items[scope].component)},
            {"data-open", "true"},
            {"data-ports", hbg_emit_diagram_ports(diagram, scope)},
            {"data-at", place_text(diagram, (hbg_draw_point){(cluster->box.left + cluster->box.right) / 2,
                                                             (cluster->box.top + cluster->box.bottom) / 2})},
            {"data-origin", place_text(diagram, (hbg_draw_point){diagram->origins[i].x + diagram->moved.x,
                                                                 diagram->origins[i].y + diagram->moved.y})}};
        hbg_draw_group_with(out, "component", attributes, 7, title);
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

/* Line and half arrow. */
static void paint_line(const hbg_diagram *diagram, hbg_buffer *out, const hbg_diagram_bond *bond,
                       const char *class_name) {
    const hbg_draw_point *points = diagram->points.items + bond->first_point;
    int32_t count = bond->point_count;
    hbg_draw_point *line = HBG_NEW_ARRAY(diagram->arena, hbg_draw_point, count + 1);
    hbg_draw_point harpoon[3];
    for (int32_t i = 0; i < count; i++) line[i] = points[i];
    hbg_emit_diagram_harpoon(points, count, harpoon);
    line[count] = harpoon[2];
    hbg_draw_polyline(out, class_name, line, count + 1);
}

/* The stroke at the end that has it; in a live drawing also the one at the other end, hidden. */
static void paint_strokes(const hbg_diagram *diagram, hbg_buffer *out, int32_t index,
                          const char *class_name) {
    const hbg_diagram_bond *bond = &diagram->bonds[index];
    const hbg_draw_point *points = diagram->points.items + bond->first_point;
    int32_t count = bond->point_count, model_bond = diagram->links[index].bond;
    int8_t stroke = diagram->options->stroke ? diagram->options->stroke[model_bond] : -1;
    bool fixed = hbg_emit_diagram_marked(diagram->options->fixed, model_bond), live = diagram->options->live;
    for (int end = 0; end < 2; end++) {
        if (stroke != end && !live) continue;
        const char *ends = !live ? "" : end == 0 ? " at-from" : " at-to";
        const char *stroke_class =
            hbg_base_arena_print(diagram->arena, "%s stroke%s%s%s", class_name, fixed ? " fixed" : "", ends,
                                 stroke != end ? " hidden" : "");
        if (end == 0) paint_stroke(out, stroke_class, points[1], points[0]);
        if (end == 1) paint_stroke(out, stroke_class, points[count - 2], points[count - 1]);
    }
}

static void open_bond(const hbg_diagram *diagram, hbg_buffer *out, int32_t index) {
    const hbg_diagram_link *link = &diagram->links[index];
    const hbg_bond *bond = hbg_emit_diagram_bond_of(diagram, index);
    const hbg_object ends[] = {{HBG_OBJECT_ELEMENT, bond->from.element},
                               {HBG_OBJECT_ELEMENT, bond->to.element}};
    const char *path = hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_BOND, link->bond});
    const char *domain =
        bond->net >= 0 ? hbg_model_domain_name(diagram->model->net_domain[bond->net]) : "any";
    hbg_draw_attribute attributes[7] = {{"data-bond", path},
                                        {"data-from", hbg_emit_diagram_path(diagram, ends[0])},
                                        {"data-to", hbg_emit_diagram_path(diagram, ends[1])},
                                        {"data-domain", domain}};
    int32_t count = 4;
    if (link->from_port >= 0)
        attributes[count++] = (hbg_draw_attribute){
            "data-from-port", hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_PORT, link->from_port})};
    if (link->to_port >= 0)
        attributes[count++] = (hbg_draw_attribute){
            "data-to-port", hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_PORT, link->to_port})};
    bool outside = diagram->things[link->from].outside || diagram->things[link->to].outside;
    hbg_draw_group_with(out, outside ? "link outside" : "link", attributes, count,
                        hbg_base_arena_print(diagram->arena, "bond %s, %s", path, domain));
}

static void paint_bond(const hbg_diagram *diagram, hbg_buffer *out, int32_t index) {
    int32_t bond = diagram->links[index].bond;
    const char *class_name = hbg_emit_diagram_bond_class(diagram, index);
    if (hbg_emit_diagram_marked(diagram->options->changed, bond))
        class_name = hbg_base_arena_print(diagram->arena, "%s changed", class_name);
    if (hbg_emit_diagram_marked(diagram->options->conflict, bond))
        class_name = hbg_base_arena_print(diagram->arena, "%s conflict", class_name);
    open_bond(diagram, out, index);
    /* a stroke is too short for dashes */
    bool loose = hbg_emit_diagram_marked(diagram->options->loose, bond);
    paint_line(diagram, out, &diagram->bonds[index],
               loose ? hbg_base_arena_print(diagram->arena, "%s loose", class_name) : class_name);
    paint_strokes(diagram, out, index, class_name);
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
        hbg_draw_text(
            out,
            hbg_base_arena_print(diagram->arena, "small%s%s", i == 0 ? "" : " when", off ? " faint" : ""),
            (hbg_draw_point){text.left, text.top + i * LINE_HEIGHT + SMALL_BASELINE}, HBG_DRAW_START,
            symbol->lines[i]);
}

static void paint_element(const hbg_diagram *diagram, const hbg_diagram_symbol *symbol, int32_t index,
                          hbg_buffer *out) {
    hbg_draw_point at = symbol->at;
    bool dependent = hbg_emit_diagram_marked(diagram->options->dependent, index);
    bool changed = hbg_emit_diagram_marked(diagram->options->changed_element, index);
    hbg_draw_box mark = hbg_draw_box_move(symbol->glyph, at.x, at.y);
    mark.left -= MARK_GAP;
    mark.right += MARK_GAP;
    hbg_element_kind kind = diagram->model->elements.items[index].kind;
    bool storage = kind == HBG_KIND_C || kind == HBG_KIND_I;
    if (dependent || changed)
        hbg_draw_rect(out,
                      hbg_base_arena_print(diagram->arena, "%s%s", dependent ? "dependent" : "free",
                                           changed ? " changed" : ""),
                      mark, 5);
    else if (storage && diagram->options->live)
        hbg_draw_rect(out, "hidden", mark, 5);
    hbg_draw_text_lead(out, "letters", (hbg_draw_point){at.x, at.y + 5}, HBG_DRAW_MIDDLE, symbol->letters,
                       symbol->name);
    double top = symbol->text.top + at.y;
    if (symbol->value)
        hbg_draw_text(out, "small", (hbg_draw_point){at.x, top + SMALL_BASELINE}, HBG_DRAW_MIDDLE,
                      symbol->value);
}

static void paint_symbol(const hbg_diagram *diagram, int32_t thing, hbg_buffer *out) {
    const hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    const hbg_model *model = diagram->model;
    hbg_object object = diagram->things[thing].object;
    const hbg_element *element = hbg_emit_diagram_element(diagram, thing);
    hbg_draw_attribute attributes[6] = {
        {"data-path", hbg_emit_diagram_path(diagram, object)},
        {"data-kind", element ? hbg_model_element_info_get(element->form)->text : "component"},
        {"data-at", place_text(diagram, symbol->at)}};
    int32_t count = 3;
    if (!element) {
        attributes[count++] = (hbg_draw_attribute){
            "data-type", hbg_base_names_get(model->names, model->scopes.items[object.index].component)};
        attributes[count++] = (hbg_draw_attribute){"data-open", "false"};
        attributes[count++] =
            (hbg_draw_attribute){"data-ports", hbg_emit_diagram_ports(diagram, object.index)};
    }
    if (symbol->alone) attributes[count++] = (hbg_draw_attribute){"data-alone", "true"};
    bool outside = diagram->things[thing].outside;
    hbg_draw_group_with(out,
                        hbg_base_arena_print(diagram->arena, "%s%s", element ? "node" : "component",
                                             outside ? " outside" : ""),
                        attributes, count, symbol->tooltip);
    if (!element)
        hbg_emit_diagram_paint_box(diagram, thing, out);
    else if (hbg_emit_diagram_is_junction(diagram, thing))
        paint_junction(diagram, symbol, object.index, out);
    else
        paint_element(diagram, symbol, object.index, out);
    hbg_draw_group_end(out);
}

/* ---- the page -------------------------------------------------------------------------------------- */

static void move_drawing(hbg_diagram *diagram, double dx, double dy) {
    diagram->moved = (hbg_draw_point){dx, dy};
    for (int32_t i = 0; i < diagram->thing_count; i++) {
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
    int32_t focus = diagram->options->focus;
    const char *doc = focus > 0 ? diagram->model->scopes.items[focus].doc : diagram->model->doc;
    height += paint_text(diagram, out, doc, height, width);
    return height + paint_text(diagram, out, diagram->options->note, height, width);
}

/* Components, bonds, symbols, labels, with how far all of it was moved from the places of its objects. */
static void paint_graph(hbg_diagram *diagram, hbg_buffer *out) {
    const hbg_draw_attribute attributes[] = {
        {"data-moved", place_text(diagram, (hbg_draw_point){2 * diagram->moved.x, 2 * diagram->moved.y})}};
    hbg_draw_group_with(out, "graph", attributes, 1, NULL);
    paint_clusters(diagram, out);
    for (int32_t i = 0; i < diagram->link_count; i++) paint_bond(diagram, out, i);
    for (int32_t i = 0; i < diagram->thing_count; i++) paint_symbol(diagram, i, out);
    paint_labels(diagram, out);
    hbg_draw_group_end(out);
}

static const char *title_text(const hbg_diagram *diagram) {
    const char *name = hbg_base_names_get(diagram->model->names, diagram->model->name);
    hbg_object focus = {HBG_OBJECT_SCOPE, diagram->options->focus};
    if (focus.index > 0)
        name = hbg_base_arena_print(diagram->arena, "%s, %s", name, hbg_emit_diagram_path(diagram, focus));
    return hbg_draw_text_fit(diagram->arena, name, HBG_DIAGRAM_TITLE, true, MOST_TITLE);
}

static void paint_bare(hbg_diagram *diagram, hbg_buffer *out, double width, double height) {
    if (width > 0) move_drawing(diagram, MARGIN - diagram->extent.left, MARGIN - diagram->extent.top);
    hbg_draw_svg_begin(out, ceil(width + 2 * MARGIN), ceil(height + 2 * MARGIN), title_text(diagram),
                       hbg_emit_diagram_style());
    paint_graph(diagram, out);
    hbg_draw_svg_end(out);
}

void hbg_emit_diagram_paint(hbg_diagram *diagram, hbg_buffer *out) {
    hbg_buffer title, panel;
    hbg_base_buffer_init(&title, diagram->arena);
    hbg_base_buffer_init(&panel, diagram->arena);
    const char *name = title_text(diagram);
    bool empty = diagram->extent.right < diagram->extent.left;
    double drawing_width = empty ? 0 : diagram->extent.right - diagram->extent.left;
    double drawing_height = empty ? 0 : diagram->extent.bottom - diagram->extent.top;
    if (diagram->options->bare) {
        paint_bare(diagram, out, drawing_width, drawing_height);
        return;
    }

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

    hbg_draw_svg_begin(out, ceil(width + 2 * MARGIN), ceil(y + MARGIN), name, hbg_emit_diagram_style());
    hbg_draw_rect(out, "page", (hbg_draw_box){0, 0, ceil(width + 2 * MARGIN), ceil(y + MARGIN)}, 0);
    hbg_base_buffer_add(out, title.data, title.size);
    paint_graph(diagram, out);
    hbg_base_buffer_add(out, panel.data, panel.size);
    hbg_draw_svg_end(out);
}
