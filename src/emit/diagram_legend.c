/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The legend: samples of the colours and marks that occur in this drawing, with a few words each, from left
 * to right and in rows. Others are not explained. */
#include "emit/diagram_impl.h"

#include <math.h>

#define ROW_HEIGHT 19.0
#define SAMPLE     28.0 /* width of a sample */
#define SAMPLE_GAP 7.0  /* to its words */
#define ITEM_GAP   22.0
#define BASELINE   4.0 /* from the middle of a row of small text to its baseline */
#define RING       7.0
#define PILL_HALF  6.5
#define DOT        2.5
#define STORAGE    20.0
#define MOST_OTHER 360.0
#define MOST_ITEMS (HBG_DOMAIN_COUNT + 16)

typedef enum { SHOW_BOND, SHOW_STROKE, SHOW_RING, SHOW_STORAGE, SHOW_STATE, SHOW_DOT } show;

typedef struct {
    show show;
    const char *class_name, *text;
} item;

typedef struct {
    const hbg_diagram *diagram;
    item items[MOST_ITEMS];
    int32_t count;
} legend;

const char *hbg_emit_diagram_bond_class(const hbg_diagram *diagram, int32_t link) {
    int32_t net = hbg_emit_diagram_bond_of(diagram, link)->net;
    if (diagram->domain_count < 2 || net < 0) return "bond";
    return hbg_base_arena_print(diagram->arena, "bond %s",
                                hbg_model_domain_name(diagram->model->net_domain[net]));
}

/* ---- items that occur -------------------------------------------------------------------------------- */

static void add(legend *legend, bool occurs, item item) {
    if (occurs) legend->items[legend->count++] = item;
}

static bool any(const bool *marks, int32_t count) {
    for (int32_t i = 0; marks && i < count; i++)
        if (marks[i]) return true;
    return false;
}

/* Whether some drawn bond has the mark. */
static bool any_link(const hbg_diagram *diagram, const bool *marks) {
    for (int32_t i = 0; marks && i < diagram->link_count; i++)
        if (marks[diagram->links[i].bond]) return true;
    return false;
}

static bool any_thing(const hbg_diagram *diagram, const bool *marks) {
    for (int32_t i = 0; marks && i < diagram->thing_count; i++)
        if (diagram->things[i].object.kind == HBG_OBJECT_ELEMENT && marks[diagram->things[i].object.index])
            return true;
    return false;
}

static void add_domains(legend *legend) {
    const hbg_diagram *diagram = legend->diagram;
    for (int i = 0; i < HBG_DOMAIN_COUNT && diagram->domain_count > 1; i++) {
        const char *name = hbg_model_domain_name((hbg_domain)i);
        const char *class_name = hbg_base_arena_print(diagram->arena, "bond %s", name);
        add(legend, diagram->domains[i],
            (item){SHOW_BOND, class_name, i == HBG_DOMAIN_ANY ? "no domain" : name});
    }
}

static void add_bonds(legend *legend) {
    const hbg_diagram_options *options = legend->diagram->options;
    int32_t bonds = legend->diagram->model->bonds.count;
    bool fixed = any_link(legend->diagram, options->fixed), strokes = false;
    for (int32_t i = 0; options->stroke && i < legend->diagram->link_count; i++) {
        int32_t bond = legend->diagram->links[i].bond;
        strokes = strokes || (options->stroke[bond] >= 0 && !hbg_emit_diagram_marked(options->fixed, bond));
    }
    add(legend, strokes, (item){SHOW_STROKE, "bond stroke", "effort arrives at the stroke"});
    add(legend, fixed,
        (item){SHOW_STROKE, "bond stroke fixed",
               strokes ? "the same in every mode" : "effort arrives at the stroke, the same in every mode"});
    add(legend, any(options->conflict, bonds),
        (item){SHOW_BOND, "bond conflict",
               options->mythical ? "unbounded: sources in conflict"
                                 : "contradict each other: no valid causal assignment"});
    add(legend, any_link(legend->diagram, options->loose),
        (item){SHOW_BOND, "bond loose", "floats or shares: parasites decide"});
}

static void add_junctions(legend *legend) {
    const hbg_diagram *diagram = legend->diagram;
    const bool *off = diagram->options->off;
    bool is_on = false, is_off = false;
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        if (!diagram->symbols[i].controlled) continue;
        bool here = hbg_emit_diagram_marked(off, diagram->things[i].object.index);
        is_off = is_off || here;
        is_on = is_on || !here;
    }
    add(legend, is_on, (item){SHOW_RING, "control", off ? "junction on" : "controlled junction"});
    add(legend, is_off, (item){SHOW_RING, "control off", "junction off"});
}

static void add_storages(legend *legend) {
    const hbg_diagram *diagram = legend->diagram;
    add(legend, any_thing(diagram, diagram->options->dependent),
        (item){SHOW_STORAGE, "dependent", "dependent storage (derivative causality)"});
}

static void add_states(legend *legend) {
    const hbg_diagram *diagram = legend->diagram;
    bool shown = false, on = false;
    for (int32_t i = 0; diagram->options->automata && i < diagram->model->automata.count; i++) {
        const hbg_automaton *automaton = &diagram->model->automata.items[i];
        if (!diagram->shown[automaton->id.scope]) continue;
        shown = true;
        for (int32_t k = 0; k < automaton->state_count; k++)
            on = on || diagram->model->states.items[automaton->first_state + k].on;
    }
    add(legend, shown && diagram->options->states, (item){SHOW_STATE, "state current", "state of this mode"});
    add(legend, shown && on, (item){SHOW_STATE, "state on", "state that is on"});
    add(legend, shown, (item){SHOW_DOT, "start", "start state"});
}

/* One colour for all differences in another mode. */
static void add_other(legend *legend) {
    const hbg_diagram *diagram = legend->diagram;
    const hbg_diagram_options *options = diagram->options;
    bool differs = any(options->changed, diagram->model->bonds.count) ||
                   any(options->changed_element, diagram->model->elements.count);
    for (int32_t i = 0; options->other_states && i < diagram->model->automata.count; i++)
        differs = differs || options->states[i] != options->other_states[i];
    if (!differs || !options->other) return;
    const char *text = hbg_base_arena_print(diagram->arena, "differs in mode %s", options->other);
    text = hbg_draw_text_fit(diagram->arena, text, HBG_DIAGRAM_SMALL, false, MOST_OTHER);
    add(legend, true, (item){SHOW_BOND, "bond changed", text});
}

/* ---- painting ---------------------------------------------------------------------------------------- */

static double sample_width(show show) {
    switch (show) {
    case SHOW_RING: return 2 * RING;
    case SHOW_DOT: return 4 * DOT;
    case SHOW_STORAGE: return STORAGE;
    default: return SAMPLE;
    }
}

/* A sample, from `at` to the right, around its height. */
static void paint_sample(hbg_buffer *out, const item *item, hbg_draw_point at) {
    double width = sample_width(item->show);
    hbg_draw_point end = {at.x + width, at.y}, middle = {at.x + width / 2, at.y};
    hbg_draw_box box = {at.x, at.y - PILL_HALF, at.x + width, at.y + PILL_HALF};
    switch (item->show) {
    case SHOW_BOND: hbg_draw_line(out, item->class_name, at, end); break;
    case SHOW_STROKE:
        end.x -= 2;
        hbg_draw_line(out, "bond", at, end);
        hbg_draw_line(out, item->class_name, (hbg_draw_point){end.x, at.y - HBG_DIAGRAM_STROKE},
                      (hbg_draw_point){end.x, at.y + HBG_DIAGRAM_STROKE});
        break;
    case SHOW_RING: hbg_draw_circle(out, item->class_name, middle, RING); break;
    case SHOW_STORAGE: hbg_draw_rect(out, item->class_name, box, 4); break;
    case SHOW_STATE: hbg_draw_rect(out, item->class_name, box, PILL_HALF); break;
    case SHOW_DOT: hbg_draw_circle(out, item->class_name, middle, DOT); break;
    }
}

hbg_diagram_size hbg_emit_diagram_legend(const hbg_diagram *diagram, hbg_buffer *out, hbg_draw_point at,
                                         double width) {
    legend legend = {.diagram = diagram};
    add_domains(&legend);
    add_bonds(&legend);
    add_junctions(&legend);
    add_storages(&legend);
    add_states(&legend);
    add_other(&legend);
    if (legend.count == 0) return (hbg_diagram_size){0, 0};
    hbg_diagram_size size = {0, ROW_HEIGHT};
    double x = 0;
    for (int32_t i = 0; i < legend.count; i++) {
        const item *item = &legend.items[i];
        double words = sample_width(item->show) + SAMPLE_GAP;
        double taken = words + hbg_draw_text_width(item->text, HBG_DIAGRAM_SMALL, false);
        if (x > 0 && x + taken > width) {
            size.height += ROW_HEIGHT;
            x = 0;
        }
        double middle = at.y + size.height - ROW_HEIGHT / 2;
        paint_sample(out, item, (hbg_draw_point){at.x + x, middle});
        hbg_draw_text(out, "small", (hbg_draw_point){at.x + x + words, middle + BASELINE}, HBG_DRAW_START,
                      item->text);
        size.width = fmax(size.width, x + taken);
        x += taken + ITEM_GAP;
    }
    return size;
}
