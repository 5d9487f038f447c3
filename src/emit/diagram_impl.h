/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A diagram under construction. Stages, one file each:
 *   diagram_view       what is drawn: elements, and closed components as boxes with their ports
 *   diagram_describe   the text at every element: letters, name, value, control, tooltip;
 *                      diagram_box at components
 *   diagram_hang       which one-ports hang at their junction, and on which side; the room they need
 *   diagram_direct     the direction in which the drawing unfolds
 *   diagram_place      junction skeleton to the layout program, positions back
 *   diagram_settle     places of the language, and of an earlier drawing (diagram_earlier)
 *   diagram_route      bonds as lines: diagram_fan spreads bonds that meet, diagram_way finds the way of
 *                      each, diagram_detour one round obstacles, diagram_harpoon the half arrow
 *   diagram_label      places for the names of bonds
 *   diagram_paint      SVG, with title; diagram_style has its colours
 *   diagram_panel      automata
 *   diagram_legend     what colours and marks mean
 *
 * Positions of symbols are those of their anchor: the middle of the digit of a junction, of the letters and
 * name of an element. Bonds aim at anchors and end at the boxes around the text. */
#ifndef HBG_EMIT_DIAGRAM_H
#define HBG_EMIT_DIAGRAM_H

#include "draw/draw.h"
#include "emit/emit.h"

/* Font sizes; the style sheet repeats them (diagram_paint.c). */
#define HBG_DIAGRAM_DIGIT   19.0 /* junctions, bold */
#define HBG_DIAGRAM_LETTERS 14.0 /* elements: letters bold, name regular */
#define HBG_DIAGRAM_SMALL   11.0 /* values, names of junctions and bonds */
#define HBG_DIAGRAM_TITLE   18.0 /* bold */
#define HBG_DIAGRAM_TEXT    12.0 /* captions, panels */

#define HBG_DIAGRAM_STROKE 5.7 /* half the length of a causal stroke */

#define HBG_DIAGRAM_LINES 4 /* at a junction: name, control, off behaviour, restitution */

#define HBG_DIAGRAM_PORT_ROW 17.0 /* between the ports on one side of a closed component */
#define HBG_DIAGRAM_STUB     18.0 /* straight piece of a bond before a port */

/* A thing is an element or a closed component, with a place in the drawing. */
typedef struct {
    hbg_object object;
    int32_t scope; /* that contains it */
    bool outside;  /* a neighbour of the focus: outlined */
} hbg_diagram_thing;

/* A bond that is drawn. */
typedef struct {
    int32_t bond;               /* of the model */
    int32_t from, to;           /* things */
    int32_t from_port, to_port; /* of the model, if a thing is a component; else HBG_NONE */
} hbg_diagram_link;

typedef enum {
    HBG_DIAGRAM_OWN, /* a separate place in the layout */
    HBG_DIAGRAM_LEFT,
    HBG_DIAGRAM_RIGHT,
    HBG_DIAGRAM_ABOVE,
    HBG_DIAGRAM_BELOW
} hbg_diagram_side;

typedef struct {
    const char *letters;                  /* "0", "R", "MSe" */
    const char *name;                     /* elements: " : series"; junctions have theirs among the lines */
    const char *value;                    /* elements: second line, or NULL */
    const char *lines[HBG_DIAGRAM_LINES]; /* junctions: small text next to the digit */
    int32_t line_count;
    const char *tooltip;
    bool controlled;
    double name_width, value_width, line_width;
    bool is_box;  /* a closed component: letters are its name, the name is its type */
    int32_t rows; /* of a box: ports on the side that has more */

    int32_t host; /* the junction it hangs at, or itself */
    hbg_diagram_side side;
    hbg_draw_point offset; /* of its anchor from the host's */
    hbg_draw_box glyph;    /* around digit or letters and name, from the anchor */
    hbg_draw_box text;     /* around value or lines, from the anchor; empty if there is none */

    hbg_draw_box group;          /* hosts: everything that hangs here, from the anchor */
    int32_t in_count, out_count; /* hosts: bonds that the layout leads to the left and to the right side */
    int32_t node;                /* hosts: in the layout */
    hbg_draw_point at;           /* anchor in the picture */
    bool alone;                  /* no bond has led to it so far: where it is says nothing */
} hbg_diagram_symbol;

typedef struct {
    const char *name; /* label, or NULL */
    double name_width;
    int32_t first_point, point_count; /* in diagram.points, from the tail to the tip */
    int32_t parallel, parallel_count; /* index and number of bonds between the same two elements */
    int32_t edge;                     /* in the layout, or HBG_NONE */
    bool turned;                      /* the layout has it in the other direction */
    bool spine;                       /* the layout keeps it straight */
    double tail_shift, tip_shift;     /* how far below the middle of its two symbols it begins and ends, */
    bool tail_right, tip_right;       /* and on which side */
    bool straight;                    /* its ends have moved since the layout: it has no route */
} hbg_diagram_bond;

/* Small text next to a bond: its name, or the number of a port. */
typedef struct {
    const char *text;
    hbg_draw_box box;
} hbg_diagram_label;

typedef struct {
    const hbg_model *model;
    const hbg_diagram_options *options;
    hbg_arena *arena;
    hbg_diagram_thing *things;
    hbg_diagram_link *links;
    int32_t thing_count, link_count;
    int32_t *incidence_start;    /* things + 1: where the links of a thing begin in `incidence` */
    int32_t *incidence;          /* links */
    bool *shown;                 /* by scope: its inside is drawn */
    bool boxes;                  /* there are closed components */
    hbg_diagram_symbol *symbols; /* by thing */
    hbg_diagram_bond *bonds;     /* by link */
    const int32_t *expr_size;    /* by expression: nodes if written out, bounded */
    int32_t *cluster_of_scope;   /* by scope: cluster in the layout, HBG_NONE outside of all */
    int32_t *scope_of_cluster;
    hbg_draw_point *origins; /* by cluster: the origin of places inside */
    hbg_draw_layout layout;
    HBG_VEC(hbg_draw_point) points;
    HBG_VEC(hbg_diagram_label) labels;
    hbg_draw_box extent;            /* of the whole drawing without panels */
    hbg_draw_point moved;           /* how far the drawing was moved on its page */
    bool domains[HBG_DOMAIN_COUNT]; /* those that bonds belong to */
    int32_t domain_count;
} hbg_diagram;

HBG_MUST_CHECK hbg_status hbg_emit_diagram_view(hbg_diagram *diagram, const char **reason);
void hbg_emit_diagram_describe(hbg_diagram *diagram);
/* The text at a closed component, and the room it takes. */
void hbg_emit_diagram_describe_box(hbg_diagram *diagram, int32_t thing);
void hbg_emit_diagram_measure_box(hbg_diagram *diagram, int32_t thing);
/* The ports of a component: `a:electrical:used k:electrical:free`. */
const char *hbg_emit_diagram_ports(const hbg_diagram *diagram, int32_t scope);
void hbg_emit_diagram_paint_box(const hbg_diagram *diagram, int32_t thing, hbg_buffer *out);
void hbg_emit_diagram_hang(hbg_diagram *diagram);
void hbg_emit_diagram_direct(hbg_diagram *diagram); /* part of hanging, once hosts are known */
HBG_MUST_CHECK hbg_status hbg_emit_diagram_place(hbg_diagram *diagram, const char **reason);
void hbg_emit_diagram_settle(hbg_diagram *diagram); /* part of placing: things that have a place keep it */
void hbg_emit_diagram_route(hbg_diagram *diagram);
void hbg_emit_diagram_paint(hbg_diagram *diagram, hbg_buffer *out);
const char *hbg_emit_diagram_style(void); /* sheet */

/* The element a thing is; NULL: a component. */
static inline const hbg_element *hbg_emit_diagram_element(const hbg_diagram *diagram, int32_t thing) {
    hbg_object object = diagram->things[thing].object;
    return object.kind == HBG_OBJECT_ELEMENT ? &diagram->model->elements.items[object.index] : NULL;
}

static inline bool hbg_emit_diagram_is_junction(const hbg_diagram *diagram, int32_t thing) {
    const hbg_element *element = hbg_emit_diagram_element(diagram, thing);
    return element && (element->kind == HBG_KIND_ZERO || element->kind == HBG_KIND_ONE);
}

static inline bool hbg_emit_diagram_is_source(const hbg_diagram *diagram, int32_t thing) {
    const hbg_element *element = hbg_emit_diagram_element(diagram, thing);
    return element && (element->kind == HBG_KIND_SE || element->kind == HBG_KIND_SF);
}

static inline const hbg_bond *hbg_emit_diagram_bond_of(const hbg_diagram *diagram, int32_t link) {
    return &diagram->model->bonds.items[diagram->links[link].bond];
}

static inline int32_t hbg_emit_diagram_other_end(const hbg_diagram_link *link, int32_t thing) {
    return link->from == thing ? link->to : link->from;
}

/* Whether the layout sees the bond: not if it joins a junction and an element that hangs there. */
static inline bool hbg_emit_diagram_in_skeleton(const hbg_diagram *diagram, const hbg_diagram_link *link) {
    return diagram->symbols[link->from].host != diagram->symbols[link->to].host;
}

/* A mark of the options that may be missing. */
static inline bool hbg_emit_diagram_marked(const bool *marks, int32_t index) {
    return marks && marks[index];
}

/* Caption of a cluster, "d1 : Diode", and its place. */
const char *hbg_emit_diagram_caption(const hbg_diagram *diagram, int32_t scope);
hbg_draw_box hbg_emit_diagram_caption_box(const hbg_diagram *diagram, int32_t cluster);

/* The side of a bond that belongs to the flow, as a unit vector across its direction: below, or right of an
 * upright bond. The barb of the half arrow is there, whichever way the bond points. */
hbg_draw_point hbg_emit_diagram_flow_side(hbg_draw_point direction);
/* The half arrow at the end of a line: the last corner before it, its tip, the end of its barb. */
#define HBG_DIAGRAM_BARB 10.0
void hbg_emit_diagram_harpoon(const hbg_draw_point *points, int32_t count, hbg_draw_point harpoon[3]);

/* Text of an expression as seen from a scope: paths into it lose its own path. */
const char *hbg_emit_diagram_expr(const hbg_diagram *diagram, hbg_expr expr, int32_t scope);
const char *hbg_emit_diagram_path(const hbg_diagram *diagram, hbg_object object);
/* Makes symbols and bonds with their texts; refuses models that are too large. For both kinds of drawing. */
HBG_MUST_CHECK hbg_status hbg_emit_diagram_init(hbg_diagram *diagram, const hbg_model *model,
                                                const hbg_diagram_options *options, hbg_arena *arena,
                                                const char **reason);

/* A number of an element with its unit, as engineers write it: "5 mH", "330 Ω". */
const char *hbg_emit_diagram_quantity(hbg_arena *arena, double value, const char *unit);

/* Legend and automata, painted with their top left corner at a point; returns the size they took. */
typedef struct {
    double width, height;
} hbg_diagram_size;
hbg_diagram_size hbg_emit_diagram_panel(const hbg_diagram *diagram, hbg_buffer *out, hbg_draw_point at,
                                        double width);
hbg_diagram_size hbg_emit_diagram_legend(const hbg_diagram *diagram, hbg_buffer *out, hbg_draw_point at,
                                         double width);

/* Class of a bond for the style sheet: its domain if the drawing has several, else "". */
const char *hbg_emit_diagram_bond_class(const hbg_diagram *diagram, int32_t link);

#endif
