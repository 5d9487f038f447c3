/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A closed component: a box with its name and type, the present state if it has just one automaton, and its
 * ports at the heights where their bonds arrive, with their names inside. */
#include "emit/diagram_impl.h"

#include <math.h>

#define MOST_NAME      170.0 /* pixels; longer texts end in an ellipsis; the tooltip has all */
#define MOST_PORT      90.0
#define HEAD_HEIGHT    22.0
#define LINE_HEIGHT    13.0
#define BOTTOM         3.0
#define SIDE           9.0  /* between the border and text */
#define BETWEEN        14.0 /* between the names of the ports of two sides */
#define PORT_HALF      3.0
#define SMALL_BASELINE 4.0 /* from the middle of a row to its baseline */

/* Whether a scope is another one, or inside it. */
static bool inside(const hbg_model *model, int32_t scope, int32_t of) {
    while (scope > of) scope = model->scopes.items[scope].id.scope;
    return scope == of;
}

/* The only automaton of a component; HBG_NONE if it has none, or several. */
static int32_t only_automaton(const hbg_model *model, int32_t scope) {
    int32_t found = HBG_NONE;
    for (int32_t i = 0; i < model->automata.count; i++) {
        if (!inside(model, model->automata.items[i].id.scope, scope)) continue;
        if (found >= 0) return HBG_NONE;
        found = i;
    }
    return found;
}

static const char *state_text(const hbg_diagram *diagram, int32_t automaton) {
    const hbg_model *model = diagram->model;
    const hbg_automaton *item = &model->automata.items[automaton];
    const hbg_automaton_state *state =
        &model->states.items[item->first_state + diagram->options->states[automaton]];
    return hbg_base_arena_print(diagram->arena, "%s: %s", hbg_base_names_get(model->names, item->id.name),
                                hbg_base_names_get(model->names, state->name));
}

static int32_t count_elements(const hbg_model *model, int32_t scope) {
    int32_t count = 0;
    for (int32_t i = 0; i < model->elements.count; i++)
        count += inside(model, model->elements.items[i].id.scope, scope);
    return count;
}

void hbg_emit_diagram_describe_box(hbg_diagram *diagram, int32_t thing) {
    const hbg_model *model = diagram->model;
    int32_t index = diagram->things[thing].object.index;
    const hbg_scope *scope = &model->scopes.items[index];
    hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    const char *type = hbg_base_names_get(model->names, scope->component);
    symbol->is_box = true;
    symbol->letters = hbg_draw_text_fit(diagram->arena, hbg_base_names_get(model->names, scope->id.name),
                                        HBG_DIAGRAM_LETTERS, true, MOST_NAME);
    symbol->name = *type ? hbg_base_arena_print(diagram->arena, " : %s", type) : "";
    symbol->name = hbg_draw_text_fit(diagram->arena, symbol->name, HBG_DIAGRAM_LETTERS, false, MOST_NAME);
    int32_t automaton = diagram->options->states ? only_automaton(model, index) : HBG_NONE;
    if (automaton >= 0)
        symbol->value = hbg_draw_text_fit(diagram->arena, state_text(diagram, automaton), HBG_DIAGRAM_SMALL,
                                          false, MOST_NAME);
    hbg_buffer tooltip;
    hbg_base_buffer_init(&tooltip, diagram->arena);
    hbg_base_buffer_text(&tooltip, hbg_emit_diagram_path(diagram, diagram->things[thing].object));
    if (*type) hbg_base_buffer_print(&tooltip, ": %s", type);
    if (scope->doc && *scope->doc) hbg_base_buffer_print(&tooltip, "\n%s", scope->doc);
    int32_t count = count_elements(model, index);
    hbg_base_buffer_print(&tooltip, "\nclosed: %d element%s inside", (int)count, count == 1 ? "" : "s");
    symbol->tooltip = tooltip.data;
}

/* ---- ports --------------------------------------------------------------------------------------------- */

static const char *port_name(const hbg_diagram *diagram, int32_t port) {
    if (port < 0) return "";
    return hbg_draw_text_fit(
        diagram->arena, hbg_base_names_get(diagram->model->names, diagram->model->ports.items[port].id.name),
        HBG_DIAGRAM_SMALL, false, MOST_PORT);
}

void hbg_emit_diagram_measure_box(hbg_diagram *diagram, int32_t thing) {
    hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    double left = 0, right = 0;
    for (int32_t i = diagram->incidence_start[thing]; i < diagram->incidence_start[thing + 1]; i++) {
        const hbg_diagram_link *link = &diagram->links[diagram->incidence[i]];
        bool tail = link->from == thing, enters = tail == diagram->bonds[diagram->incidence[i]].turned;
        double width = hbg_draw_text_width(port_name(diagram, tail ? link->from_port : link->to_port),
                                           HBG_DIAGRAM_SMALL, false);
        if (enters)
            left = fmax(left, width);
        else
            right = fmax(right, width);
    }
    symbol->rows = symbol->in_count > symbol->out_count ? symbol->in_count : symbol->out_count;
    if (symbol->rows == 0) symbol->rows = 1;
    double head = hbg_draw_text_width(symbol->letters, HBG_DIAGRAM_LETTERS, true) + symbol->name_width;
    double half = fmax(fmax(head, symbol->value_width), left + right + BETWEEN) / 2 + SIDE;
    double rows = symbol->rows * HBG_DIAGRAM_PORT_ROW / 2;
    double top = HEAD_HEIGHT + (symbol->value ? LINE_HEIGHT : 0);
    symbol->glyph = (hbg_draw_box){-ceil(half), -ceil(rows + top), ceil(half), ceil(rows + BOTTOM)};
    symbol->text = hbg_draw_box_empty;
}

/* A port at the end of a bond, on the border of the box. */
static void paint_port(const hbg_diagram *diagram, hbg_buffer *out, const hbg_diagram_symbol *symbol,
                       hbg_draw_point end, int32_t port) {
    hbg_draw_box box = hbg_draw_box_move(symbol->glyph, symbol->at.x, symbol->at.y);
    bool right = end.x > symbol->at.x;
    hbg_draw_point at = {right ? box.right : box.left, fmax(box.top, fmin(end.y, box.bottom))};
    if (end.x > box.left && end.x < box.right)
        at = (hbg_draw_point){end.x, end.y < box.top ? box.top : box.bottom};
    const char *full = port < 0 ? "" : hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_PORT, port});
    const char *doc = port < 0 ? NULL : diagram->model->ports.items[port].doc;
    const char *name =
        port < 0 ? "" : hbg_base_names_get(diagram->model->names, diagram->model->ports.items[port].id.name);
    hbg_draw_attribute attributes[] = {{"data-port", name}};
    hbg_draw_group_with(out, "port", attributes, 1,
                        doc && *doc ? hbg_base_arena_print(diagram->arena, "%s: %s", full, doc) : full);
    hbg_draw_rect(out, "plug",
                  (hbg_draw_box){at.x - PORT_HALF, at.y - PORT_HALF, at.x + PORT_HALF, at.y + PORT_HALF}, 1);
    hbg_draw_text(out, "small", (hbg_draw_point){right ? at.x - SIDE : at.x + SIDE, at.y + SMALL_BASELINE},
                  right ? HBG_DRAW_END : HBG_DRAW_START, port_name(diagram, port));
    hbg_draw_group_end(out);
}

static void paint_ports(const hbg_diagram *diagram, int32_t thing, hbg_buffer *out) {
    for (int32_t i = diagram->incidence_start[thing]; i < diagram->incidence_start[thing + 1]; i++) {
        int32_t index = diagram->incidence[i];
        const hbg_diagram_link *link = &diagram->links[index];
        const hbg_diagram_bond *bond = &diagram->bonds[index];
        const hbg_draw_point *points = diagram->points.items + bond->first_point;
        const hbg_diagram_symbol *symbol = &diagram->symbols[thing];
        if (link->from == thing) paint_port(diagram, out, symbol, points[0], link->from_port);
        if (link->to == thing) paint_port(diagram, out, symbol, points[bond->point_count - 1], link->to_port);
    }
}

const char *hbg_emit_diagram_ports(const hbg_diagram *diagram, int32_t scope) {
    const hbg_model *model = diagram->model;
    hbg_buffer text;
    hbg_base_buffer_init(&text, diagram->arena);
    for (int32_t i = 0; i < model->ports.count; i++) {
        const hbg_port *port = &model->ports.items[i];
        if (port->id.scope != scope) continue;
        hbg_base_buffer_print(&text, "%s%s:%s:%s", text.size ? " " : "",
                              hbg_base_names_get(model->names, port->id.name),
                              hbg_model_domain_name(port->domain), port->bond < 0 ? "free" : "used");
    }
    return text.size ? text.data : "";
}

/* ---- marks --------------------------------------------------------------------------------------------- */

/* Whether something inside the component is marked. */
static bool any_inside(const hbg_diagram *diagram, int32_t scope, const bool *bonds, const bool *elements) {
    const hbg_model *model = diagram->model;
    for (int32_t i = 0; bonds && i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        if (bonds[i] && inside(model, model->elements.items[bond->from.element].id.scope, scope) &&
            inside(model, model->elements.items[bond->to.element].id.scope, scope))
            return true;
    }
    for (int32_t i = 0; elements && i < model->elements.count; i++)
        if (elements[i] && inside(model, model->elements.items[i].id.scope, scope)) return true;
    return false;
}

void hbg_emit_diagram_paint_box(const hbg_diagram *diagram, int32_t thing, hbg_buffer *out) {
    const hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    const hbg_diagram_options *options = diagram->options;
    int32_t scope = diagram->things[thing].object.index;
    bool conflict = any_inside(diagram, scope, options->conflict, NULL);
    bool changed = any_inside(diagram, scope, options->changed, options->changed_element);
    hbg_draw_box box = hbg_draw_box_move(symbol->glyph, symbol->at.x, symbol->at.y);
    hbg_draw_rect(out,
                  hbg_base_arena_print(diagram->arena, "box%s%s", changed ? " changed" : "",
                                       conflict ? " conflict" : ""),
                  box, 6);
    hbg_draw_text_lead(out, "letters", (hbg_draw_point){symbol->at.x, box.top + 16}, HBG_DRAW_MIDDLE,
                       symbol->letters, symbol->name);
    if (symbol->value)
        hbg_draw_text(out, "small when", (hbg_draw_point){symbol->at.x, box.top + 16 + LINE_HEIGHT},
                      HBG_DRAW_MIDDLE, symbol->value);
    paint_ports(diagram, thing, out);
}
