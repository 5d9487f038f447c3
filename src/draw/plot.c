/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Figures: title, strips of modes, panels one below the other, one x axis at the foot. Heights follow from
 * the room above and below the panels, the left margin from the widest number of the y axes; as these depend
 * on the heights, the page is arranged again until the margin is enough.
 *
 * The colours are distinct also for colour-blind readers, and in lightness; after eight series they are
 * repeated with dashes. */
#include "draw/plot_impl.h"

#include <math.h>
#include <string.h>

#define USUAL_WIDTH    800.0
#define LEAST_WIDTH    220.0
#define MOST_WIDTH     20000.0
#define MOST_HEIGHT    200000.0
#define MARK_GAP       5.0 /* between a mark and its text */
#define MARGIN         12.0
#define RIGHT_MARGIN   24.0 /* without names: half of a number may extend into it */
#define LEAST_LEFT     34.0
#define TITLE_HEIGHT   26.0
#define HEADING_HEIGHT 18.0 /* with its distance to the panel */
#define PANEL_GAP      10.0
#define FOOT           44.0 /* numbers and label of the x axis */
#define LEAST_PANEL    44.0
#define PADDING        0.06 /* of the y range, above and below the curves */
#define Y_GAP          10.0 /* px between numbers, down */
#define X_GAP          30.0 /* and across */
#define TICK           4.0
#define NUMBER_GAP     7.0 /* from the axis to its numbers */
#define HALF_FIGURE    4.0 /* half the height of a figure */
#define PASSES         6
#define LOOKS          8
#define DASHES         4

static const char style[] = ".figure text{fill:#26292c}\n"
                            ".figure .title{font-size:15px;font-weight:bold}\n"
                            ".figure .heading{font-size:12px;font-weight:bold}\n"
                            ".figure .axis{font-size:12px}\n"
                            ".figure .small{font-size:11px}\n"
                            ".figure .number{font-size:11px;fill:#4a5057}\n"
                            ".figure .empty{font-size:11px;fill:#7b838b}\n"
                            ".figure .page{fill:#fff}\n"
                            ".figure path{fill:none}\n"
                            ".figure .grid{stroke:#e7eaee;stroke-width:1}\n"
                            ".figure .fine{stroke:#f1f3f5;stroke-width:1}\n"
                            ".figure .zero{stroke:#b9c1c9;stroke-width:1}\n"
                            ".figure .frame{fill:none;stroke:#aab3bc;stroke-width:1}\n"
                            ".figure .tick{stroke:#aab3bc;stroke-width:1}\n"
                            ".figure .change{stroke:#8c96a0;stroke-width:.8;stroke-dasharray:1 3}\n"
                            ".figure .bar{fill:none;stroke:#aab3bc;stroke-width:.8}\n"
                            ".figure .busy{fill:#8c96a0}\n"
                            ".figure .mark{stroke:#b3261e;stroke-width:1.2}\n"
                            ".figure .why{fill:#b3261e;font-size:11px}\n"
                            ".figure .curve{stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\n"
                            ".figure .jump{stroke-width:.9;stroke-dasharray:2.5 2.5}\n"
                            ".figure .dots{stroke-width:4;stroke-linecap:round;stroke-dasharray:none}\n"
                            ".figure .ring{fill:#fff;stroke-width:1.3}\n"
                            ".figure .line0{stroke:#1c62ad}\n"
                            ".figure .line1{stroke:#e57c0b}\n"
                            ".figure .line2{stroke:#7cab6a}\n"
                            ".figure .line3{stroke:#521a63}\n"
                            ".figure .line4{stroke:#2fb3e6}\n"
                            ".figure .line5{stroke:#8f3a0f}\n"
                            ".figure .line6{stroke:#a35f86}\n"
                            ".figure .line7{stroke:#0a4028}\n"
                            ".figure .curve.wide1{stroke-width:2.8;stroke-linecap:butt}\n"
                            ".figure .curve.wide2{stroke-width:3.8;stroke-linecap:butt}\n"
                            ".figure .curve.wide3{stroke-width:4.8;stroke-linecap:butt}\n"
                            ".figure .curve.dash1{stroke-dasharray:6 3.5}\n"
                            ".figure .curve.dash2{stroke-dasharray:1.5 3.2}\n"
                            ".figure .curve.dash3{stroke-dasharray:8 3 1.5 3}\n"
                            ".figure .band0{fill:#eef1f4}\n"
                            ".figure .band1{fill:#d9e8fb}\n"
                            ".figure .band2{fill:#def2d8}\n"
                            ".figure .band3{fill:#f9ddec}\n"
                            ".figure .band4{fill:#f3ead0}\n"
                            ".figure .band5{fill:#e4def9}\n"
                            ".figure .band6{fill:#d3f1ee}\n"
                            ".figure .band7{fill:#fde3d5}\n"
                            ".figure .strong0{fill:#f5b342}\n"
                            ".figure .strong1{fill:#7fb2e5}\n"
                            ".figure .strong2{fill:#86c47a}\n"
                            ".figure .strong3{fill:#dc8fbc}\n"
                            ".figure .strong4{fill:#b9965f}\n"
                            ".figure .strong5{fill:#a99be6}\n"
                            ".figure .strong6{fill:#5fc0b9}\n"
                            ".figure .strong7{fill:#ec8a66}\n";

static const char shades[] = ".figure .share1{fill-opacity:.125}\n"
                             ".figure .share2{fill-opacity:.25}\n"
                             ".figure .share3{fill-opacity:.375}\n"
                             ".figure .share4{fill-opacity:.5}\n"
                             ".figure .share5{fill-opacity:.625}\n"
                             ".figure .share6{fill-opacity:.75}\n"
                             ".figure .share7{fill-opacity:.875}\n";

/* Only strips that change fast need shades. */
static const char *style_of(const hbg_draw_plot *plot) {
    if (!hbg_draw_strips_are_shaded(plot)) return style;
    return hbg_base_arena_print(plot->arena, "%s%s", style, shades);
}

static const char *text_of(const char *text) {
    return text ? text : "";
}

const char *hbg_draw_plot_look(hbg_arena *arena, int32_t series) {
    return hbg_base_arena_print(arena, "line%d dash%d", series % LOOKS, series / LOOKS % DASHES);
}

const char *hbg_draw_plot_heading(const hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    const char *label = text_of(panel->panel->label), *unit = panel->axis.unit_text;
    const char *text = !*label  ? unit
                       : !*unit ? label
                                : hbg_base_arena_print(plot->arena, "%s [%s]", label, unit);
    return hbg_draw_text_fit(plot->arena, text, HBG_PLOT_HEADING, true, plot->right - plot->left);
}

/* ---- ranges of axes -------------------------------------------------------------------------------- */

/* Returns whether any part of the series is visible. */
static bool include_series(hbg_draw_axis *x_axis, hbg_draw_axis *y_axis, const hbg_draw_series *series) {
    bool any = false;
    for (int64_t i = 0; i < series->count; i++) {
        double x = series->x[i], y = series->y[i];
        if (isnan(hbg_draw_axis_clean(x_axis, x)) || isnan(hbg_draw_axis_clean(y_axis, y))) continue;
        hbg_draw_axis_include(x_axis, x);
        hbg_draw_axis_include(y_axis, y);
        any = true;
    }
    for (int64_t i = 0; i < series->pinnacle_count; i++) {
        hbg_draw_point at = series->pinnacles[i];
        if (isnan(hbg_draw_axis_clean(x_axis, at.x)) || isnan(hbg_draw_axis_clean(y_axis, at.y))) continue;
        hbg_draw_axis_include(x_axis, at.x);
        hbg_draw_axis_include(y_axis, at.y);
        any = true;
    }
    return any;
}

static void prepare_panel(hbg_draw_plot *plot, hbg_draw_plot_panel *panel) {
    int32_t count = panel->panel->series_count;
    panel->names = HBG_NEW_ARRAY(plot->arena, const char *, count + 1);
    panel->ends = HBG_NEW_ARRAY(plot->arena, hbg_draw_point, count + 1);
    panel->wider = HBG_NEW_ARRAY(plot->arena, int32_t, count + 1);
    hbg_draw_axis_begin(&panel->axis, panel->panel->unit, panel->panel->logarithmic);
    for (int32_t i = 0; i < count; i++) {
        const hbg_draw_series *series = &panel->panel->series[i];
        bool any = include_series(&plot->x, &panel->axis, series);
        const char *name = text_of(series->name);
        panel->names[i] = hbg_base_arena_print(plot->arena, any ? "%s" : "%s (no data)", name);
    }
    hbg_draw_axis_settle(&panel->axis, PADDING);
    hbg_draw_axis_scale(plot->arena, &panel->axis);
}

/* A path may turn anywhere, also at the edge of the picture; a curve over time ends there. */
static bool has_path(const hbg_draw_figure_spec *spec) {
    for (int32_t i = 0; i < spec->panel_count; i++)
        for (int32_t k = 0; k < spec->panels[i].series_count; k++)
            if (spec->panels[i].series[k].style == HBG_DRAW_PATH) return true;
    return false;
}

static void prepare(hbg_draw_plot *plot) {
    static const hbg_draw_panel nothing = {0};
    const hbg_draw_figure_spec *spec = plot->spec;
    hbg_draw_axis_begin(&plot->x, spec->x_unit, spec->x_logarithmic);
    plot->panel_count = spec->panel_count > 0 ? spec->panel_count : 1;
    plot->panels = HBG_NEW_ARRAY(plot->arena, hbg_draw_plot_panel, plot->panel_count);
    for (int32_t i = 0; i < plot->panel_count; i++) {
        plot->panels[i].panel = spec->panel_count > 0 ? &spec->panels[i] : &nothing;
        prepare_panel(plot, &plot->panels[i]);
    }
    for (int32_t i = 0; i < spec->strip_count; i++) {
        for (int32_t k = 0; k < spec->strips[i].band_count; k++) {
            hbg_draw_axis_include(&plot->x, spec->strips[i].bands[k].from);
            hbg_draw_axis_include(&plot->x, spec->strips[i].bands[k].to);
        }
    }
    if (spec->mark) {
        hbg_draw_axis_include(&plot->x, spec->mark_at);
        hbg_draw_axis_include(&plot->x, spec->mark_to);
    }
    hbg_draw_axis_settle(&plot->x, has_path(spec) ? PADDING : 0);
    hbg_draw_axis_scale(plot->arena, &plot->x);
}

/* ---- positions ------------------------------------------------------------------------------------- */

static double usual_panel_height(const hbg_draw_plot *plot) {
    static const double heights[] = {300, 190, 150, 130, 120, 110, 100, 100, 90};
    int32_t count = plot->panel_count;
    return heights[count <= 9 ? count - 1 : 8] * fmax(0.6, fmin(plot->width / USUAL_WIDTH, 2));
}

static double heading_height(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    bool empty = !*hbg_draw_plot_heading(plot, panel) && (plot->beside || panel->panel->series_count == 0);
    if (empty) return 0;
    return HEADING_HEIGHT + HBG_PLOT_LINE * (panel->legend_lines - 1);
}

/* Places strips and panels for the present left margin. */
static void arrange(hbg_draw_plot *plot) {
    hbg_draw_axis_span(&plot->x, plot->left, plot->right);
    plot->strips_top = MARGIN + (*text_of(plot->spec->title) ? TITLE_HEIGHT : 0);
    double top = plot->strips_top + hbg_draw_strips_height(plot);
    double around = top + FOOT + PANEL_GAP * (plot->panel_count - 1);
    for (int32_t i = 0; i < plot->panel_count; i++) {
        plot->panels[i].legend_lines = hbg_draw_legend_lines(plot, &plot->panels[i]);
        around += heading_height(plot, &plot->panels[i]);
    }
    double wanted = plot->spec->height > 0
                        ? (fmin(plot->spec->height, MOST_HEIGHT) - around) / plot->panel_count
                        : usual_panel_height(plot);
    for (int32_t i = 0; i < plot->panel_count; i++) {
        hbg_draw_plot_panel *panel = &plot->panels[i];
        double height = fmax(wanted, LEAST_PANEL);
        if (plot->beside) height = fmax(height, hbg_draw_legend_height(panel->panel));
        panel->heading_bottom = top + HEADING_HEIGHT;
        top += heading_height(plot, panel);
        panel->box = (hbg_draw_box){plot->left, round(top), plot->right, round(top + height)};
        top = panel->box.bottom + PANEL_GAP;
        hbg_draw_axis_span(&panel->axis, panel->box.bottom, panel->box.top);
        hbg_draw_axis_make_ticks(plot->arena, &panel->axis, Y_GAP, false);
    }
    plot->height = ceil(top - PANEL_GAP + FOOT);
}

/* The left margin that the numbers of the y axes need. */
static double numbers_width(const hbg_draw_plot *plot) {
    double widest = LEAST_LEFT - NUMBER_GAP - MARGIN / 2;
    for (int32_t i = 0; i < plot->panel_count; i++) {
        const hbg_draw_axis *axis = &plot->panels[i].axis;
        for (int32_t k = 0; k < axis->ticks.count; k++) {
            const char *text = axis->ticks.items[k].text;
            if (text) widest = fmax(widest, hbg_draw_text_width(text, HBG_PLOT_SMALL, false));
        }
    }
    return ceil(widest + NUMBER_GAP + MARGIN / 2);
}

static void lay_out(hbg_draw_plot *plot) {
    double width = plot->spec->width > 0 ? plot->spec->width : USUAL_WIDTH;
    plot->width = round(fmax(LEAST_WIDTH, fmin(width, MOST_WIDTH)));
    hbg_draw_legend_choose(plot);
    plot->right = plot->width - (plot->beside ? plot->names_width + MARGIN : RIGHT_MARGIN);
    plot->left = LEAST_LEFT;
    for (int i = 0; i < PASSES; i++) {
        arrange(plot);
        double needed = numbers_width(plot);
        if (needed <= plot->left) break;
        plot->left = needed;
    }
    hbg_draw_axis_make_ticks(plot->arena, &plot->x, X_GAP, true);
    for (int32_t i = 0; i < plot->panel_count; i++) hbg_draw_cover_find(plot, &plot->panels[i]);
}

/* ---- painting -------------------------------------------------------------------------------------- */

static void paint_grid(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    hbg_draw_box box = panel->box;
    for (int32_t i = 0; i < plot->x.ticks.count; i++) {
        const hbg_draw_tick *tick = &plot->x.ticks.items[i];
        double x = hbg_draw_axis_place(&plot->x, tick->value);
        hbg_draw_line(plot->out, tick->text ? "grid" : "fine", (hbg_draw_point){x, box.top},
                      (hbg_draw_point){x, box.bottom});
    }
    for (int32_t i = 0; i < panel->axis.ticks.count; i++) {
        const hbg_draw_tick *tick = &panel->axis.ticks.items[i];
        double y = hbg_draw_axis_place(&panel->axis, tick->value);
        const char *class_name = !tick->text ? "fine" : tick->value == 0 ? "zero" : "grid";
        hbg_draw_line(plot->out, class_name, (hbg_draw_point){box.left, y}, (hbg_draw_point){box.right, y});
    }
}

static void paint_curves(hbg_draw_plot *plot, hbg_draw_plot_panel *panel) {
    hbg_draw_curve curve = {&plot->x, &panel->axis, panel->box, {0, 0}, NULL};
    for (int32_t i = 0; i < panel->panel->series_count; i++) {
        const hbg_draw_series *series = &panel->panel->series[i];
        hbg_draw_group_begin(plot->out, "series", text_of(series->name));
        const char *look = hbg_draw_plot_look(plot->arena, i);
        if (panel->wider[i] > 0)
            look = hbg_base_arena_print(plot->arena, "%s wide%d", look, (int)panel->wider[i]);
        hbg_draw_curve_paint(plot->out, &curve, series, look);
        hbg_draw_group_end(plot->out);
        panel->ends[i] = curve.last;
    }
}

static void paint_y_numbers(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    for (int32_t i = 0; i < panel->axis.ticks.count; i++) {
        const hbg_draw_tick *tick = &panel->axis.ticks.items[i];
        if (!tick->text) continue;
        double y = hbg_draw_axis_place(&panel->axis, tick->value);
        hbg_draw_line(plot->out, "tick", (hbg_draw_point){plot->left - TICK, y},
                      (hbg_draw_point){plot->left, y});
        hbg_draw_text(plot->out, "number", (hbg_draw_point){plot->left - NUMBER_GAP, y + HALF_FIGURE},
                      HBG_DRAW_END, tick->text);
    }
}

static void paint_panel(hbg_draw_plot *plot, hbg_draw_plot_panel *panel) {
    hbg_draw_box box = panel->box;
    const char *heading = hbg_draw_plot_heading(plot, panel);
    hbg_draw_group_begin(plot->out, "panel", NULL);
    hbg_draw_rect(plot->out, "frame", box, 0);
    if (*heading)
        hbg_draw_text(plot->out, "heading",
                      (hbg_draw_point){plot->left, panel->heading_bottom - HBG_PLOT_BELOW}, HBG_DRAW_START,
                      heading);
    paint_curves(plot, panel);
    paint_y_numbers(plot, panel);
    hbg_draw_legend_paint(plot, panel);
    if (panel->axis.empty)
        hbg_draw_text(plot->out, "empty",
                      (hbg_draw_point){(box.left + box.right) / 2, (box.top + box.bottom) / 2 + HALF_FIGURE},
                      HBG_DRAW_MIDDLE, "no data");
    hbg_draw_group_end(plot->out);
}

/* Numbers at the ends of the axis are moved inwards if they would leave the page. */
static void paint_x_number(hbg_draw_plot *plot, const hbg_draw_tick *tick, double bottom) {
    double x = hbg_draw_axis_place(&plot->x, tick->value);
    double half = hbg_draw_text_width(tick->text, HBG_PLOT_SMALL, false) / 2;
    hbg_draw_line(plot->out, "tick", (hbg_draw_point){x, bottom}, (hbg_draw_point){x, bottom + TICK});
    x = fmax(half + 2, fmin(x, plot->width - half - 2));
    hbg_draw_text(plot->out, "number", (hbg_draw_point){x, bottom + 17}, HBG_DRAW_MIDDLE, tick->text);
}

static void paint_x_axis(hbg_draw_plot *plot) {
    double bottom = plot->panels[plot->panel_count - 1].box.bottom;
    hbg_draw_group_begin(plot->out, "foot", NULL);
    for (int32_t i = 0; i < plot->x.ticks.count; i++)
        if (plot->x.ticks.items[i].text) paint_x_number(plot, &plot->x.ticks.items[i], bottom);
    const char *label = text_of(plot->spec->x_label), *unit = plot->x.unit_text;
    const char *text =
        *unit ? hbg_base_arena_print(plot->arena, "%s%s[%s]", label, *label ? " " : "", unit) : label;
    text = hbg_draw_text_fit(plot->arena, text, HBG_PLOT_AXIS, false, plot->right - plot->left);
    hbg_draw_text(plot->out, "axis", (hbg_draw_point){(plot->left + plot->right) / 2, bottom + 35},
                  HBG_DRAW_MIDDLE, text);
    hbg_draw_group_end(plot->out);
}

/* A line through all panels, with its text after it if there is room. */
static void paint_mark(hbg_draw_plot *plot) {
    double at = hbg_draw_axis_clean(&plot->x, plot->spec->mark_at);
    if (!plot->spec->mark || isnan(at)) return;
    double x = hbg_draw_axis_place(&plot->x, at);
    hbg_draw_group_begin(plot->out, "end", NULL);
    for (int32_t i = 0; i < plot->panel_count; i++) {
        hbg_draw_box box = plot->panels[i].box;
        hbg_draw_line(plot->out, "mark", (hbg_draw_point){x, box.top}, (hbg_draw_point){x, box.bottom});
    }
    double wanted = hbg_draw_text_width(plot->spec->mark, HBG_PLOT_AXIS, false) + 2 * MARK_GAP;
    bool behind = plot->right - x >= fmin(wanted, x - plot->left);
    double room = (behind ? plot->right - x : x - plot->left) - 2 * MARK_GAP;
    const char *words = hbg_draw_text_fit(plot->arena, plot->spec->mark, HBG_PLOT_AXIS, false, room);
    hbg_draw_point place = {behind ? x + MARK_GAP : x - MARK_GAP, plot->panels[0].box.top + 14};
    hbg_draw_text(plot->out, "why", place, behind ? HBG_DRAW_START : HBG_DRAW_END, words);
    hbg_draw_group_end(plot->out);
}

static void paint(hbg_draw_plot *plot) {
    const char *title = text_of(plot->spec->title);
    hbg_draw_svg_begin(plot->out, plot->width, plot->height, *title ? title : NULL, style_of(plot));
    hbg_draw_group_begin(plot->out, "figure", NULL);
    hbg_draw_rect(plot->out, "page", (hbg_draw_box){0, 0, plot->width, plot->height}, 0);
    if (*title)
        hbg_draw_text(
            plot->out, "title", (hbg_draw_point){plot->left, MARGIN + HBG_PLOT_TITLE - 2}, HBG_DRAW_START,
            hbg_draw_text_fit(plot->arena, title, HBG_PLOT_TITLE, true, plot->width - plot->left - MARGIN));
    hbg_draw_strips_paint(plot);
    for (int32_t i = 0; i < plot->panel_count; i++) paint_grid(plot, &plot->panels[i]);
    hbg_draw_strips_paint_changes(plot);
    for (int32_t i = 0; i < plot->panel_count; i++) paint_panel(plot, &plot->panels[i]);
    paint_mark(plot);
    paint_x_axis(plot);
    hbg_draw_group_end(plot->out);
    hbg_draw_svg_end(plot->out);
}

/* ---- the interface --------------------------------------------------------------------------------- */

hbg_draw_figure_spec hbg_draw_figure_default(void) {
    return (hbg_draw_figure_spec){.x_label = "time", .x_unit = "s", .width = USUAL_WIDTH};
}

int32_t hbg_draw_panels_by_unit(hbg_arena *arena, const hbg_draw_series *series, int32_t count,
                                hbg_draw_panel **panels) {
    hbg_draw_panel *result = HBG_NEW_ARRAY(arena, hbg_draw_panel, count + 1);
    hbg_draw_series *sorted = HBG_NEW_ARRAY(arena, hbg_draw_series, count + 1);
    bool *done = HBG_NEW_ARRAY(arena, bool, count + 1);
    int32_t panel_count = 0, sorted_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (done[i]) continue;
        hbg_draw_panel *panel = &result[panel_count++];
        *panel = (hbg_draw_panel){.unit = text_of(series[i].unit), .series = &sorted[sorted_count]};
        for (int32_t k = i; k < count; k++) {
            if (done[k] || strcmp(text_of(series[k].unit), panel->unit) != 0) continue;
            sorted[sorted_count++] = series[k];
            panel->series_count++;
            done[k] = true;
        }
    }
    *panels = result;
    return panel_count;
}

void hbg_draw_figure(hbg_buffer *out, const hbg_draw_figure_spec *spec) {
    hbg_draw_plot plot = {.arena = out->arena, .out = out, .spec = spec};
    prepare(&plot);
    lay_out(&plot);
    paint(&plot);
}
