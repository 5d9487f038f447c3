/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pictures, independent of their subject: text metrics, an SVG writer, boxes that lines must avoid, plots,
 * graph layout by `dot` and PNG by `rsvg-convert`, both as child processes.
 *
 * Lengths are CSS pixels, x to the right and y downwards, everywhere. A reason is set with every failure:
 * words for the user, in the arena or static. */
#ifndef HBG_DRAW_H
#define HBG_DRAW_H

#include "base/base.h"

/* ---- points and boxes ------------------------------------------------------------------------------ */

typedef struct {
    double x, y;
} hbg_draw_point;

typedef struct {
    double left, top, right, bottom;
} hbg_draw_box;

hbg_draw_box hbg_draw_box_grow(hbg_draw_box box, double by);
hbg_draw_box hbg_draw_box_move(hbg_draw_box box, double dx, double dy);
/* The smallest box around both; a box with right < left is empty and adds nothing. */
hbg_draw_box hbg_draw_box_join(hbg_draw_box a, hbg_draw_box b);
bool hbg_draw_box_overlap(hbg_draw_box a, hbg_draw_box b);
/* Where the way from a to b first meets the box, as a fraction 0…1 of it; 2 if it does not. */
double hbg_draw_box_enter(hbg_draw_box box, hbg_draw_point a, hbg_draw_point b);

extern const hbg_draw_box hbg_draw_box_empty;

/* Boxes in a grid, so that testing whether a line is free does not visit all of them. */
typedef struct {
    hbg_draw_box box;
    int32_t owner; /* a number of the caller: queries can leave out two owners */
} hbg_draw_obstacle;

typedef struct {
    hbg_arena *arena;
    HBG_VEC(hbg_draw_obstacle) items;
    HBG_VEC(int32_t) large; /* span so many cells that every query tests them */
    HBG_VEC(int32_t) next;  /* entries of the cells: the next entry, or -1 */
    HBG_VEC(int32_t) item;  /* entries of the cells: index into items */
    int32_t *cells;         /* columns × rows: first entry, or -1 */
    int32_t columns, rows;
    double cell;
    hbg_draw_box area;
} hbg_draw_obstacles;

/* `area` is where obstacles are expected; those outside still count. */
void hbg_draw_obstacles_init(hbg_draw_obstacles *obstacles, hbg_arena *arena, hbg_draw_box area);
void hbg_draw_obstacles_add(hbg_draw_obstacles *obstacles, hbg_draw_box box, int32_t owner);
/* The obstacle that a line from a to b meets first, except those of the two owners; NULL if it is free. */
const hbg_draw_obstacle *hbg_draw_obstacles_first(const hbg_draw_obstacles *obstacles, hbg_draw_point a,
                                                  hbg_draw_point b, int32_t except, int32_t except2);
/* Whether nothing overlaps the box. */
bool hbg_draw_obstacles_box_free(const hbg_draw_obstacles *obstacles, hbg_draw_box box);

/* ---- text metrics ---------------------------------------------------------------------------------- */

/* The preferred fonts; widths are measured for the first, which is among the widest of its kind. */
#define HBG_DRAW_FONT "DejaVu Sans, Verdana, Arial, sans-serif"

/* The width of UTF-8 text, at least what common sans-serif fonts need. */
double hbg_draw_text_width(const char *text, double font_size, bool bold);
/* The text, or its beginning and an ellipsis if it is wider than `width`. Line ends become spaces. */
const char *hbg_draw_text_fit(hbg_arena *arena, const char *text, double font_size, bool bold, double width);
/* Length in bytes of the part of the text that fits a line of `width`, cut at a space if there is one; at
 * least one character. Spaces after it are not counted: skip them before the next line. */
size_t hbg_draw_text_break(const char *text, double font_size, bool bold, double width);

/* ---- SVG ------------------------------------------------------------------------------------------- */

typedef enum { HBG_DRAW_START, HBG_DRAW_MIDDLE, HBG_DRAW_END } hbg_draw_anchor;

/* Appends XML text or an attribute value: characters that XML cannot hold become U+FFFD. */
void hbg_draw_escape(hbg_buffer *out, const char *text);
/* Appends a length with at most two decimals, a point in every locale; NaN and infinity become 0. */
void hbg_draw_number(hbg_buffer *out, double value);

/* An SVG document: begin, shapes and groups, end. Classes refer to `css`; NULL for none. */
void hbg_draw_svg_begin(hbg_buffer *out, double width, double height, const char *title, const char *css);
void hbg_draw_svg_end(hbg_buffer *out);
/* `title` is the tooltip of the group; NULL for none. */
void hbg_draw_group_begin(hbg_buffer *out, const char *class_name, const char *title);
/* The same with attributes of its own; values are escaped. */
typedef struct {
    const char *name, *value;
} hbg_draw_attribute;
void hbg_draw_group_with(hbg_buffer *out, const char *class_name, const hbg_draw_attribute *attributes,
                         int32_t count, const char *title);
void hbg_draw_group_end(hbg_buffer *out);
void hbg_draw_line(hbg_buffer *out, const char *class_name, hbg_draw_point a, hbg_draw_point b);
void hbg_draw_polyline(hbg_buffer *out, const char *class_name, const hbg_draw_point *points, int32_t count);
/* Lines of two points each, as one shape; a line from a point to itself is a dot if lines have round ends. */
void hbg_draw_strokes(hbg_buffer *out, const char *class_name, const hbg_draw_point *points,
                      int64_t line_count);
void hbg_draw_rect(hbg_buffer *out, const char *class_name, hbg_draw_box box, double radius);
void hbg_draw_circle(hbg_buffer *out, const char *class_name, hbg_draw_point centre, double radius);
/* `at` is on the baseline. */
void hbg_draw_text(hbg_buffer *out, const char *class_name, hbg_draw_point at, hbg_draw_anchor anchor,
                   const char *text);
/* The same with `lead` in bold before it. */
void hbg_draw_text_lead(hbg_buffer *out, const char *class_name, hbg_draw_point at, hbg_draw_anchor anchor,
                        const char *lead, const char *text);

/* ---- child processes ------------------------------------------------------------------------------- */

typedef struct {
    const char *const *arguments; /* ends with NULL; the first is the program, looked up in PATH */
    const char *package;          /* what to install if it is missing */
    const char *input;            /* for its standard input */
    size_t input_size;
    double timeout;      /* s; more and it is killed */
    size_t output_limit; /* bytes; more and it is killed */
    /* Called ten times a second; false: the program is killed with its children, which do not get Ctrl-C
     * otherwise. May be NULL. */
    bool (*goes_on)(void *context);
    void *context;
    const char *temporary; /* its TMPDIR, to find its files if it is killed; NULL: the usual one */
} hbg_draw_command;

#define HBG_DRAW_TIMEOUT      30.0
#define HBG_DRAW_OUTPUT_LIMIT ((size_t)256 << 20)

/* Runs the program to its end and appends what it prints to `output`. Missing, killed, too slow or failing:
 * HBG_NO_PROGRAM; more output than the limit: HBG_TOO_LARGE. No part of the child remains in any case. */
HBG_MUST_CHECK hbg_status hbg_draw_run(const hbg_draw_command *command, hbg_buffer *output,
                                       const char **reason);

/* ---- PNG ------------------------------------------------------------------------------------------- */

/* Appends the picture of an SVG (with a NUL after it) written by hbg_draw_svg_begin, `zoom` times as large;
 * smaller if a PNG cannot hold that, HBG_TOO_LARGE if it would not be readable any more. */
HBG_MUST_CHECK hbg_status hbg_draw_png(const char *svg, size_t size, double zoom, hbg_buffer *png,
                                       const char **reason);

/* The same with sides of at most `pixels`, for an icon, whatever becomes unreadable. */
HBG_MUST_CHECK hbg_status hbg_draw_icon(const char *svg, size_t size, int pixels, hbg_buffer *png,
                                        const char **reason);

/* The same as PDF, in its size on a page. */
HBG_MUST_CHECK hbg_status hbg_draw_pdf(const char *svg, size_t size, hbg_buffer *pdf, const char **reason);

/* ---- plots ----------------------------------------------------------------------------------------- */

/* A path goes through its samples in their order, also backwards. */
typedef enum { HBG_DRAW_LINES, HBG_DRAW_STEPS, HBG_DRAW_POINTS, HBG_DRAW_PATH } hbg_draw_style;

/* Samples in order of x: a sample that goes back is left out. Two with the same x are drawn as a jump; those
 * between the first and the last of one x are single points if they differ from the first. NaN, or a value
 * that is not positive on a logarithmic scale, breaks the line. */
typedef struct {
    const char *name;
    const char *unit; /* "V"; "" or NULL for pure numbers */
    const double *x, *y;
    int64_t count;
    hbg_draw_style style;
    /* Single points off the line, in the units of x and y: if not NULL, only these are drawn as points, not
     * samples between two with the same x. */
    const hbg_draw_point *pinnacles;
    int64_t pinnacle_count;
} hbg_draw_series;

typedef struct {
    const char *label; /* "magnitude"; NULL or "": the unit alone */
    const char *unit;  /* of all its series */
    const hbg_draw_series *series;
    int32_t series_count;
    bool logarithmic; /* y */
} hbg_draw_panel;

/* A mode that lasts: bands of one strip follow one another in time. */
typedef struct {
    double from, to;
    const char *label;
    int32_t colour; /* any number: equal ones look equal */
    bool strong;    /* in full colour, like states that are on; else pale */
} hbg_draw_band;

typedef struct {
    const char *name; /* of the object with the modes */
    const hbg_draw_band *bands;
    int32_t band_count;
} hbg_draw_strip;

/* Panels one below the other, over one x axis. Every pointer may be NULL where its count is 0. */
typedef struct {
    const char *title; /* NULL or "" for none */
    const char *x_label, *x_unit;
    bool x_logarithmic;
    const hbg_draw_strip *strips; /* above the panels */
    int32_t strip_count;
    const hbg_draw_panel *panels;
    int32_t panel_count;
    const char *mark;        /* text at a line through all panels, like why the run ends; NULL: no line */
    double mark_at, mark_to; /* its place, and the least end of the x axis */
    double width, height;    /* px; 0: automatic. A height that is too small to read is exceeded */
} hbg_draw_figure_spec;

/* Over time in seconds, of the usual width. */
hbg_draw_figure_spec hbg_draw_figure_default(void);
/* Panels of the series with equal units, in the order of their first ones. Returns their number. */
int32_t hbg_draw_panels_by_unit(hbg_arena *arena, const hbg_draw_series *series, int32_t count,
                                hbg_draw_panel **panels);
/* Appends the figure as an SVG document. Its size depends on the pixels, not on the number of samples. */
void hbg_draw_figure(hbg_buffer *out, const hbg_draw_figure_spec *spec);

/* ---- maps ------------------------------------------------------------------------------------------ */

typedef struct {
    const char *label, *unit; /* "coil.p", "Wb" */
    double low, high;         /* low < high */
} hbg_draw_range;

/* A frame over two variables, for areas and arrows. Its styles: `frame`, `grid` (the axes through 0 and the
 * ticks) and `tick`, `label` and `name` for texts. */
typedef struct {
    hbg_draw_box box; /* of the frame; numbers and labels are outside */
    const char *name; /* above it, cut to its width */
    hbg_draw_range x, y;
} hbg_draw_map;

/* Room that numbers and labels take to the left, above and below the frame. */
#define HBG_DRAW_MAP_LEFT   54.0
#define HBG_DRAW_MAP_TOP    40.0
#define HBG_DRAW_MAP_BOTTOM 36.0

hbg_draw_point hbg_draw_map_place(const hbg_draw_map *map, double x, double y);
/* The frame with round numbers at its axes, over what was drawn before. */
void hbg_draw_map_frame(hbg_arena *arena, hbg_buffer *out, const hbg_draw_map *map);

/* The kind at a point: a number from 0 on; 0 stays empty. */
typedef int32_t (*hbg_draw_kind)(void *context, double x, double y);
/* Areas of the same number as polygons of the class of that number; `classes[0]` is not used. Their borders
 * are found by bisection if they are wider than a hundredth of the frame. */
void hbg_draw_map_areas(hbg_arena *arena, hbg_buffer *out, const hbg_draw_map *map, hbg_draw_kind kind_at,
                        void *context, const char *const *classes);

/* ---- many runs --------------------------------------------------------------------------------------- */

/* An input or a result of runs. */
typedef struct {
    const char *name, *unit;
    const double *values; /* by run; NaN is left out */
} hbg_draw_variable;

/* How often each value occurred: a map for each variable, with lines at the median and beyond which 5 % lie.
 * The sizes of these three documents do not grow with the number of runs beyond a few thousand. */
void hbg_draw_histograms(hbg_buffer *out, const char *title, const hbg_draw_variable *variables,
                         int32_t count, int64_t runs);
/* A point for each run: a map for each pair. Notes are written in the maps, row by row; any may be NULL. */
void hbg_draw_scatter(hbg_buffer *out, const char *title, const hbg_draw_variable *across,
                      int32_t across_count, const hbg_draw_variable *up, int32_t up_count, int64_t runs,
                      const char *const *notes);
/* A line for each run through axes side by side, in one of five colours by its place on the last. */
void hbg_draw_parallel(hbg_buffer *out, const char *title, const hbg_draw_variable *variables, int32_t count,
                       int64_t runs);

/* ---- layout ---------------------------------------------------------------------------------------- */

typedef struct {
    double width, height; /* in */
    int32_t cluster;      /* in: innermost, or -1 */
    double anchor;        /* in: how far below its centre edges meet its sides */
    hbg_draw_point at;    /* out: its centre */
} hbg_draw_node;

typedef struct {
    int32_t from, to;                 /* in: nodes; layers go from left to right along edges */
    int32_t weight;                   /* in: heavier edges are kept short and straight; 1 is common */
    double label_width, label_height; /* in: room to keep; 0 for none */
    int32_t first_point, point_count; /* out: in layout.points, from the right side of one to the left of the
                                         other */
    hbg_draw_point label;             /* out: centre of the room */
} hbg_draw_edge;

typedef struct {
    int32_t parent;                   /* in: a cluster with a smaller number, or -1 */
    double label_width, label_height; /* in: room for a caption at the top left */
    hbg_draw_box box;                 /* out; empty if no node is inside */
} hbg_draw_cluster;

typedef struct {
    hbg_draw_node *nodes;
    hbg_draw_edge *edges;
    hbg_draw_cluster *clusters;
    int32_t node_count, edge_count, cluster_count;
    double layer_gap, node_gap; /* in: between layers, and between the nodes of one */
    double timeout;             /* in: s */
    HBG_VEC(hbg_draw_point) points;
    double width, height; /* out: everything is between 0 and these */
} hbg_draw_layout;

/* Places a graph in layers from left to right (Sugiyama, by Graphviz). Nodes do not overlap, clusters enclose
 * their own nodes and no others, edges go round nodes. */
HBG_MUST_CHECK hbg_status hbg_draw_layout_run(hbg_arena *arena, hbg_draw_layout *layout, const char **reason);

#endif
