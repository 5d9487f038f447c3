/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Selects what is drawn of a model. A closed component is one thing with ports, whatever it holds; bonds
 * inside it are not drawn, and bonds that enter it end at its ports. With a focus on a component only its
 * inside is drawn, and around it, outlined, the neighbours of its bonds. */
#include "emit/diagram_impl.h"

typedef struct {
    hbg_diagram *diagram;
    int32_t focus;     /* scope */
    int32_t depth;     /* components deeper below the focus are closed */
    int32_t *depth_of; /* by scope: steps below the focus; -1 outside of it */
    bool *around;      /* by scope: holds the focus, which is not counted */
    bool *full;        /* by scope: has an element somewhere inside */
    bool *closed;      /* by scope */
    int32_t *thing_of; /* by element: HBG_NONE if it is not drawn */
    int32_t *box_of;   /* by scope: the thing it is if it is closed; or HBG_NONE */
} view;

/* ---- scopes -------------------------------------------------------------------------------------------- */

static void measure_scopes(view *view) {
    const hbg_model *model = view->diagram->model;
    for (int32_t i = 0; i < model->elements.count; i++) view->full[model->elements.items[i].id.scope] = true;
    /* parents stand before their children */
    for (int32_t i = model->scopes.count - 1; i > 0; i--)
        if (view->full[i]) view->full[model->scopes.items[i].id.scope] = true;
    for (int32_t i = 0; i < model->scopes.count; i++) {
        int32_t parent = view->depth_of[model->scopes.items[i].id.scope];
        view->depth_of[i] = i == view->focus ? 0 : i > 0 && parent >= 0 ? parent + 1 : -1;
    }
    for (int32_t i = view->focus; i > 0;) {
        i = model->scopes.items[i].id.scope;
        view->around[i] = true;
    }
}

/* All open if that is little; else the greatest depth at which the drawing is still readable, or 0. */
static int32_t readable_depth(const view *view) {
    const hbg_model *model = view->diagram->model;
    int32_t deepest = 0;
    for (int32_t i = 0; i < model->scopes.count; i++)
        if (view->depth_of[i] > deepest) deepest = view->depth_of[i];
    int32_t *things = HBG_NEW_ARRAY(view->diagram->arena, int32_t, (size_t)deepest + 2);
    for (int32_t i = 0; i < model->elements.count; i++) {
        int32_t depth = view->depth_of[model->elements.items[i].id.scope];
        for (int32_t k = depth; k >= 0 && k <= deepest; k++) things[k]++;
    }
    for (int32_t i = 0; i < model->scopes.count; i++)
        if (view->depth_of[i] > 0 && view->full[i]) things[view->depth_of[i] - 1]++;
    if (things[deepest] <= HBG_DIAGRAM_OPEN) return deepest;
    while (deepest > 0 && things[deepest] > HBG_DIAGRAM_READABLE) deepest--;
    return deepest;
}

/* Decides which scopes are open or closed; one inside a closed scope is neither. */
static void open_scopes(view *view) {
    const hbg_model *model = view->diagram->model;
    const hbg_diagram_options *options = view->diagram->options;
    bool *shown = view->diagram->shown;
    view->depth = options->depth >= 0 ? options->depth : readable_depth(view);
    for (int32_t i = 0; i < model->scopes.count; i++) {
        int32_t parent = model->scopes.items[i].id.scope;
        if (view->depth_of[i] < 0) {
            /* a neighbour is never opened */
            view->closed[i] = view->around[parent] && !view->around[i] && i != 0;
            continue;
        }
        bool reached = i == view->focus || shown[parent];
        int8_t asked = options->open ? options->open[i] : 0;
        bool open = i == view->focus || (asked == 0 ? view->depth_of[i] <= view->depth : asked > 0);
        shown[i] = reached && open;
        view->closed[i] = reached && !open;
    }
}

/* ---- things -------------------------------------------------------------------------------------------- */

static int32_t add_thing(view *view, hbg_object object, int32_t scope, bool outside) {
    hbg_diagram *diagram = view->diagram;
    diagram->things[diagram->thing_count] = (hbg_diagram_thing){object, scope, outside};
    return diagram->thing_count++;
}

/* The closed component around a scope, or HBG_NONE. */
static int32_t closed_around(const view *view, int32_t scope) {
    for (; scope > 0; scope = view->diagram->model->scopes.items[scope].id.scope)
        if (view->closed[scope]) return scope;
    return HBG_NONE;
}

/* Whether a bond leads from an element into the focus. */
static void mark_neighbours(const view *view, bool *neighbour) {
    const hbg_model *model = view->diagram->model;
    for (int32_t i = 0; i < model->bonds.count; i++) {
        int32_t from = model->bonds.items[i].from.element, to = model->bonds.items[i].to.element;
        bool from_in = view->depth_of[model->elements.items[from].id.scope] >= 0;
        bool to_in = view->depth_of[model->elements.items[to].id.scope] >= 0;
        if (from_in != to_in) neighbour[from_in ? to : from] = true;
    }
}

static void find_things(view *view) {
    const hbg_model *model = view->diagram->model;
    bool *neighbour = HBG_NEW_ARRAY(view->diagram->arena, bool, model->elements.count + 1);
    mark_neighbours(view, neighbour);
    for (int32_t i = 0; i < model->elements.count; i++) {
        int32_t scope = model->elements.items[i].id.scope;
        bool outside = view->depth_of[scope] < 0;
        view->thing_of[i] = HBG_NONE;
        if (outside && !neighbour[i]) continue;
        int32_t box = closed_around(view, scope);
        if (box < 0) {
            view->thing_of[i] = add_thing(view, (hbg_object){HBG_OBJECT_ELEMENT, i}, scope, outside);
            continue;
        }
        if (view->box_of[box] < 0)
            view->box_of[box] = add_thing(view, (hbg_object){HBG_OBJECT_SCOPE, box},
                                          model->scopes.items[box].id.scope, outside);
        view->thing_of[i] = view->box_of[box];
        view->diagram->boxes = true;
    }
}

/* ---- links --------------------------------------------------------------------------------------------- */

/* The ports of closed components, by component and bond: the first and, if a bond leads from one of its ports
 * to another, the last. */
typedef struct {
    hbg_pair_map first;
    int32_t *last; /* by port that is a first: the last of the same bond */
} port_table;

static port_table find_ports(const view *view) {
    const hbg_model *model = view->diagram->model;
    port_table table = {.last = HBG_NEW_ARRAY(view->diagram->arena, int32_t, model->ports.count + 1)};
    hbg_base_pair_map_init(&table.first, view->diagram->arena);
    for (int32_t i = 0; i < model->ports.count; i++) {
        const hbg_port *port = &model->ports.items[i];
        if (port->bond < 0 || view->box_of[port->id.scope] < 0) continue;
        table.last[hbg_base_pair_map_add(&table.first, port->id.scope, port->bond, i)] = i;
    }
    return table;
}

static int32_t port_at(const view *view, const port_table *table, int32_t thing, int32_t bond) {
    hbg_object object = view->diagram->things[thing].object;
    if (object.kind != HBG_OBJECT_SCOPE) return HBG_NONE;
    int32_t port = hbg_base_pair_map_find(&table->first, object.index, bond);
    return port < 0 ? HBG_NONE : port;
}

static void find_links(view *view) {
    hbg_diagram *diagram = view->diagram;
    const hbg_model *model = diagram->model;
    port_table table = find_ports(view);
    for (int32_t i = 0; i < model->bonds.count; i++) {
        hbg_diagram_link link = {.bond = i,
                                 .from = view->thing_of[model->bonds.items[i].from.element],
                                 .to = view->thing_of[model->bonds.items[i].to.element]};
        if (link.from < 0 || link.to < 0) continue;
        if (diagram->things[link.from].outside && diagram->things[link.to].outside) continue;
        link.from_port = port_at(view, &table, link.from, i);
        link.to_port = port_at(view, &table, link.to, i);
        bool inside = link.from == link.to && diagram->things[link.from].object.kind == HBG_OBJECT_SCOPE;
        if (inside) link.to_port = link.from_port < 0 ? HBG_NONE : table.last[link.from_port];
        if (inside && link.to_port == link.from_port) continue;
        diagram->links[diagram->link_count++] = link;
    }
}

/* Links by thing; those of an element in the order of the model. */
static void find_incidence(hbg_diagram *diagram) {
    int32_t count = diagram->thing_count;
    int32_t *start = HBG_NEW_ARRAY(diagram->arena, int32_t, (size_t)count + 2);
    for (int32_t i = 0; i < diagram->link_count; i++) {
        start[diagram->links[i].from + 1]++;
        if (diagram->links[i].to != diagram->links[i].from) start[diagram->links[i].to + 1]++;
    }
    for (int32_t i = 0; i < count; i++) start[i + 1] += start[i];
    int32_t *next = HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) next[i] = start[i];
    diagram->incidence = HBG_NEW_ARRAY(diagram->arena, int32_t, 2 * (size_t)diagram->link_count + 1);
    for (int32_t i = 0; i < diagram->link_count; i++) {
        diagram->incidence[next[diagram->links[i].from]++] = i;
        if (diagram->links[i].to != diagram->links[i].from)
            diagram->incidence[next[diagram->links[i].to]++] = i;
    }
    diagram->incidence_start = start;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static hbg_status refuse_large(const hbg_diagram *diagram, const char **reason) {
    int32_t nodes = diagram->thing_count, bonds = diagram->link_count;
    if ((nodes <= HBG_DIAGRAM_NODES && bonds <= HBG_DIAGRAM_BONDS) || diagram->options->force) return HBG_OK;
    bool many_nodes = nodes > HBG_DIAGRAM_NODES;
    *reason = hbg_base_arena_print(diagram->arena, "the drawing has %d %s, more than %d",
                                   (int)(many_nodes ? nodes : bonds), many_nodes ? "nodes" : "bonds",
                                   many_nodes ? HBG_DIAGRAM_NODES : HBG_DIAGRAM_BONDS);
    return HBG_TOO_LARGE;
}

hbg_status hbg_emit_diagram_view(hbg_diagram *diagram, const char **reason) {
    const hbg_model *model = diagram->model;
    hbg_arena *arena = diagram->arena;
    int32_t scopes = model->scopes.count, elements = model->elements.count;
    diagram->shown = HBG_NEW_ARRAY(arena, bool, scopes + 1);
    diagram->things = HBG_NEW_ARRAY(arena, hbg_diagram_thing, elements + 1);
    diagram->links = HBG_NEW_ARRAY(arena, hbg_diagram_link, model->bonds.count + 1);
    view view = {.diagram = diagram,
                 .focus = diagram->options->focus,
                 .depth_of = HBG_NEW_ARRAY(arena, int32_t, scopes + 1),
                 .around = HBG_NEW_ARRAY(arena, bool, scopes + 1),
                 .full = HBG_NEW_ARRAY(arena, bool, scopes + 1),
                 .closed = HBG_NEW_ARRAY(arena, bool, scopes + 1),
                 .thing_of = HBG_NEW_ARRAY(arena, int32_t, elements + 1),
                 .box_of = HBG_NEW_ARRAY(arena, int32_t, scopes + 1)};
    for (int32_t i = 0; i < scopes; i++) view.box_of[i] = HBG_NONE;
    measure_scopes(&view);
    open_scopes(&view);
    find_things(&view);
    find_links(&view);
    find_incidence(diagram);
    return refuse_large(diagram, reason);
}
