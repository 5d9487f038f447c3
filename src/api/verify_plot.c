/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The energy phase space of a group over two of its variables, as 000 and 002 draw it: a panel for each discrete state with
 * the area grey where it is left at once, and their conjunction, with what is inconsistent marked and double arrows for the
 * jumps of real modes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/verify_impl.h"

enum { COLUMNS = 120, ROWS = 90, ARROWS_X = 7, ARROWS_Y = 5, MOST_PANELS = 16 };
#define PANEL_WIDTH  260.0
#define PANEL_HEIGHT 195.0
#define LEFT_ROOM    62.0
#define TOP_ROOM     30.0
#define BOTTOM_ROOM  36.0
#define GAP          14.0
#define HEAD         66.0

typedef struct {
    const verify_report *report;
    const hbg_group_result *group;
    int32_t x, y; /* states of the system */
    double low_x, high_x, low_y, high_y;
    double *states, *signals; /* of the point looked at */
    hbg_point point;
    hbg_buffer *out;
    double left, top; /* of the panel under way */
} phase_plot;

static const char phase_css[] =
    "text{font-family:" HBG_DRAW_FONT ";font-size:11px;fill:#222}"
    ".title{font-size:14px;font-weight:bold}.name{font-weight:bold}.small{font-size:10px;fill:#444}"
    ".area{shape-rendering:crispEdges;stroke:none}.departed{fill:#c9ccd1}.never{fill:#8d939c}.bad{fill:#"
    "d9483b}"
    ".frame{fill:none;stroke:#444;stroke-width:1}.zero{stroke:#444;stroke-width:.6;stroke-dasharray:3 2}"
    ".jump{stroke:#1f5fa8;stroke-width:1.2;fill:none}.head{fill:#1f5fa8;stroke:none}";

/* ---- points ------------------------------------------------------------------------------------------------- */

static void set_point(phase_plot *p, double x, double y) {
    p->states[p->x] = x;
    p->states[p->y] = y;
}

static bool is_departed(phase_plot *p, int32_t phase) {
    return hbg_condition_holds(p->group->phases[phase].departed, &p->point);
}

static bool is_bad(phase_plot *p) {
    for (int32_t i = 0; i < p->group->finding_count; i++) {
        const hbg_finding *finding = &p->group->findings[i];
        if (finding->kind != HBG_FINDING_CYCLE && finding->kind != HBG_FINDING_CHAIN) continue;
        if (finding->after_commit) continue; // it begins where a jump leads to, and is marked there
        for (int32_t k = 0; k < finding->where_count; k++)
            if (hbg_condition_holds(finding->where[k].where, &p->point)) return true;
    }
    return false;
}

/* Everything that decides at a point, as bits: where it changes is a border. */
static uint64_t look(phase_plot *p) {
    uint64_t bits = is_bad(p);
    for (int32_t i = 0; i < p->group->phase_count && i < 62; i++) bits = bits << 1 | is_departed(p, i);
    return bits;
}

/* ---- how much to show --------------------------------------------------------------------------------------- */

#define DECADES 24 /* 1e-12 … 1e12 */
#define STEPS   8  /* in a decade */

static double step_value(int step) {
    return pow(10, (double)step / STEPS - DECADES / 2.0);
}

/* The outermost border along an axis that is not out of all proportion to the innermost. */
static double find_extent(phase_plot *p, bool along_x) {
    static const double others[] = {0, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 1000};
    double smallest = INFINITY, found = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 18; i++) {
            double other = i < 9 ? others[i] : -others[i - 9];
            for (int sign = -1; sign <= 1; sign += 2) {
                uint64_t before = 0;
                for (int step = 0; step < DECADES * STEPS; step++) {
                    double value = sign * step_value(step);
                    set_point(p, along_x ? value : other, along_x ? other : value);
                    uint64_t now = look(p);
                    bool border = step > 0 && now != before;
                    before = now;
                    if (border && pass == 0) smallest = fmin(smallest, fabs(value));
                    if (border && pass == 1 && fabs(value) <= 100 * smallest)
                        found = fmax(found, fabs(value));
                }
            }
        }
    return found > 0 ? 1.6 * found : 1;
}

/* A range of the model is what is shown. */
static void choose_range(phase_plot *p, int32_t state, double *low, double *high, bool along_x) {
    const hbg_model *model = p->report->model;
    double extent = find_extent(p, along_x);
    *low = -extent;
    *high = extent;
    for (int32_t i = 0; i < model->ranges.count; i++) {
        hbg_buffer name;
        hbg_buffer_init(&name, &p->report->session->scratch);
        hbg_model_print_expr(model, model->ranges.items[i].value, &name);
        double a, b;
        if (strcmp(name.data, p->report->system->states[state].name) != 0) continue;
        if (hbg_model_constant(model, model->ranges.items[i].low, &a) &&
            hbg_model_constant(model, model->ranges.items[i].high, &b) && b > a) {
            *low = a;
            *high = b;
        }
    }
}

/* ---- areas -------------------------------------------------------------------------------------------------- */

static double value_at(double low, double high, double share) {
    return low + (high - low) * share;
}

static hbg_draw_point place(const phase_plot *p, double x, double y) {
    return (hbg_draw_point){p->left + PANEL_WIDTH * (x - p->low_x) / (p->high_x - p->low_x),
                            p->top + PANEL_HEIGHT * (p->high_y - y) / (p->high_y - p->low_y)};
}

/* What a cell of the grid is: a class, or NULL for what stays white. */
typedef const char *(*cell_class)(phase_plot *p, int32_t phase);

static const char *departed_class(phase_plot *p, int32_t phase) {
    return is_departed(p, phase) ? "area departed" : NULL;
}

static const char *conjunction_class(phase_plot *p, int32_t phase) {
    (void)phase;
    if (is_bad(p)) return "area bad";
    for (int32_t i = 0; i < p->group->phase_count; i++)
        if (!is_departed(p, i)) return NULL;
    return "area never";
}

static void put_run(phase_plot *p, const char *class_name, int row, int from, int to) {
    double cell_x = PANEL_WIDTH / COLUMNS, cell_y = PANEL_HEIGHT / ROWS;
    hbg_draw_box box = {p->left + from * cell_x, p->top + row * cell_y, p->left + to * cell_x,
                        p->top + (row + 1) * cell_y};
    hbg_draw_rect(p->out, class_name, box, 0);
}

static void put_areas(phase_plot *p, cell_class class_of, int32_t phase) {
    for (int row = 0; row < ROWS; row++) {
        const char *last = NULL;
        int from = 0;
        for (int column = 0; column <= COLUMNS; column++) {
            const char *now = NULL;
            set_point(p, value_at(p->low_x, p->high_x, (column + 0.5) / COLUMNS),
                      value_at(p->high_y, p->low_y, (row + 0.5) / ROWS));
            if (column < COLUMNS) now = class_of(p, phase);
            if (now == last) continue;
            if (last) put_run(p, last, row, from, column);
            last = now;
            from = column;
        }
    }
}

/* ---- jumps -------------------------------------------------------------------------------------------------- */

static double jump_to(phase_plot *p, const hbg_phase_jump *jump, int32_t state) {
    const hbg_condition *to = jump->to[state];
    return to ? hbg_condition_value(to, &p->point) : p->states[state];
}

static void put_head(phase_plot *p, hbg_draw_point tip, double dx, double dy) {
    hbg_draw_point points[4] = {tip,
                                {tip.x - 6 * dx - 3 * dy, tip.y - 6 * dy + 3 * dx},
                                {tip.x - 6 * dx + 3 * dy, tip.y - 6 * dy - 3 * dx},
                                tip};
    hbg_draw_polyline(p->out, "head", points, 4);
}

/* Two heads: it does not take any time. */
static void put_arrow(phase_plot *p, double x, double y, double to_x, double to_y) {
    to_x = fmax(p->low_x, fmin(p->high_x, to_x));
    to_y = fmax(p->low_y, fmin(p->high_y, to_y));
    hbg_draw_point a = place(p, x, y), b = place(p, to_x, to_y);
    double length = hypot(b.x - a.x, b.y - a.y);
    if (length < 14) return;
    double dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
    hbg_draw_circle(p->out, "head", a, 2);
    hbg_draw_line(p->out, "jump", a, (hbg_draw_point){b.x - 4 * dx, b.y - 4 * dy});
    put_head(p, b, dx, dy);
    put_head(p, (hbg_draw_point){b.x - 5 * dx, b.y - 5 * dy}, dx, dy);
}

static bool changes_mode(const phase_plot *p, const hbg_phase_jump *jump) {
    size_t size = (size_t)p->report->model->automata.count * sizeof *jump->start;
    return memcmp(jump->start, jump->states, size) != 0;
}

/* Whether a jump begins in these states at the point and moves it. */
static bool moves_from(phase_plot *p, const int32_t *states) {
    size_t size = (size_t)p->report->model->automata.count * sizeof *states;
    for (int32_t i = 0; i < p->group->jump_count; i++) {
        const hbg_phase_jump *jump = &p->group->jumps[i];
        if (memcmp(jump->start, states, size) == 0 && hbg_condition_holds(jump->when, &p->point)) return true;
    }
    return false;
}

/* Some discrete state is real at the point as it is: time flows there, and a jump is the matter of an odd start. */
static bool can_stay(phase_plot *p) {
    for (int32_t i = 0; i < p->group->phase_count; i++)
        if (!is_departed(p, i) && !moves_from(p, p->group->phases[i].states)) return true;
    return false;
}

/* The first jump that begins there with a change of mode; where no mode changes, of energies that do not fit the mode. */
static void put_jump(phase_plot *p, double x, double y) {
    bool some = false;
    for (int32_t i = 0; i < p->group->jump_count; i++) some |= changes_mode(p, &p->group->jumps[i]);
    set_point(p, x, y);
    if (can_stay(p)) return;
    for (int32_t i = 0; i < p->group->jump_count; i++) {
        const hbg_phase_jump *jump = &p->group->jumps[i];
        if ((some && !changes_mode(p, jump)) || !hbg_condition_holds(jump->when, &p->point)) continue;
        double to_x = jump_to(p, jump, p->x), to_y = jump_to(p, jump, p->y);
        if (!isfinite(to_x) || !isfinite(to_y) || (to_x == x && to_y == y)) continue;
        put_arrow(p, x, y, to_x, to_y);
        return;
    }
}

/* Rows and columns are shifted a little, so that arrows along an axis do not lie on one another. */
static void put_jumps(phase_plot *p) {
    for (int row = 0; row < ARROWS_Y; row++)
        for (int column = 0; column < ARROWS_X; column++)
            put_jump(p, value_at(p->low_x, p->high_x, (column + 0.35 + 0.3 * row / ARROWS_Y) / ARROWS_X),
                     value_at(p->low_y, p->high_y, (row + 0.2 + 0.6 * column / ARROWS_X) / ARROWS_Y));
}

/* ---- panels ------------------------------------------------------------------------------------------------- */

static const char *axis_text(const phase_plot *p, int32_t state) {
    const hbg_rt_variable *of = &p->report->system->states[state];
    bool unit = of->unit && of->unit[0];
    return hbg_arena_print(&p->report->session->scratch, "%s%s%s%s", of->name, unit ? " [" : "",
                           unit ? of->unit : "", unit ? "]" : "");
}

static const char *number_text(const phase_plot *p, double value) {
    return hbg_arena_print(&p->report->session->scratch, "%.3g", value == 0 ? 0.0 : value);
}

static void put_axes(phase_plot *p) {
    double right = p->left + PANEL_WIDTH, bottom = p->top + PANEL_HEIGHT;
    hbg_draw_point zero = place(p, 0, 0);
    if (p->low_x < 0 && p->high_x > 0)
        hbg_draw_line(p->out, "zero", (hbg_draw_point){zero.x, p->top}, (hbg_draw_point){zero.x, bottom});
    if (p->low_y < 0 && p->high_y > 0)
        hbg_draw_line(p->out, "zero", (hbg_draw_point){p->left, zero.y}, (hbg_draw_point){right, zero.y});
    hbg_draw_rect(p->out, "frame", (hbg_draw_box){p->left, p->top, right, bottom}, 0);
    for (int i = 0; i <= 2; i++) {
        double share = i / 2.0;
        hbg_draw_anchor anchor = i == 0 ? HBG_DRAW_START : i == 1 ? HBG_DRAW_MIDDLE : HBG_DRAW_END;
        hbg_draw_text(p->out, "small", (hbg_draw_point){p->left + share * PANEL_WIDTH, bottom + 13}, anchor,
                      number_text(p, value_at(p->low_x, p->high_x, share)));
        hbg_draw_text(p->out, "small", (hbg_draw_point){p->left - 5, bottom - share * (PANEL_HEIGHT - 8)},
                      HBG_DRAW_END, number_text(p, value_at(p->low_y, p->high_y, share)));
    }
    hbg_draw_text(p->out, "small", (hbg_draw_point){p->left + PANEL_WIDTH / 2, bottom + 27}, HBG_DRAW_MIDDLE,
                  axis_text(p, p->x));
}

static void begin_panel(phase_plot *p, int number, int columns, const char *name) {
    double wide = LEFT_ROOM + PANEL_WIDTH + GAP, high = TOP_ROOM + PANEL_HEIGHT + BOTTOM_ROOM;
    p->left = LEFT_ROOM + (number % columns) * wide;
    p->top = HEAD + TOP_ROOM + (number / columns) * high;
    name = hbg_draw_text_fit(&p->report->session->scratch, name, 11, true, PANEL_WIDTH);
    hbg_draw_text(p->out, "name", (hbg_draw_point){p->left, p->top - 7}, HBG_DRAW_START, name);
}

/* The values of what is not on an axis. */
static const char *fixed_text(phase_plot *p) {
    hbg_buffer text;
    hbg_buffer_init(&text, &p->report->session->scratch);
    for (int32_t i = 0; i < p->report->system->state_count; i++)
        if (i != p->x && i != p->y)
            hbg_buffer_print(&text, "%s%s = 0", text.size ? ", " : "at ", p->report->system->states[i].name);
    return text.size ? text.data : "";
}

static void put_legend(phase_plot *p, double width) {
    hbg_arena *scratch = &p->report->session->scratch;
    const char *lines[] = {
        hbg_arena_print(scratch, "vertical: %s. Grey: left at once; dark: by every mode", axis_text(p, p->y)),
        hbg_arena_print(scratch, "Red: the search does not end. Double arrows: jumps %s", fixed_text(p))};
    for (int i = 0; i < 2; i++)
        hbg_draw_text(p->out, "small", (hbg_draw_point){LEFT_ROOM, 42 + 14 * i}, HBG_DRAW_START,
                      hbg_draw_text_fit(scratch, lines[i], 10, false, width - 2 * GAP - LEFT_ROOM));
}

void hbg_verify_put_phases(const verify_report *report, const hbg_group_result *group, int32_t x, int32_t y,
                           hbg_buffer *out) {
    hbg_arena *scratch = &report->session->scratch;
    phase_plot p = {.report = report, .group = group, .x = x, .y = y, .out = out};
    int panels = group->phase_count < MOST_PANELS ? group->phase_count : MOST_PANELS;
    int columns = panels < 4 ? 2 : 3, rows = (panels + columns) / columns;
    p.states = HBG_NEW_ARRAY(scratch, double, report->system->state_count + 1);
    p.signals = HBG_NEW_ARRAY(scratch, double, report->model->signals.count + 1);
    p.point = (hbg_point){.states = p.states, .signals = p.signals};
    choose_range(&p, x, &p.low_x, &p.high_x, true);
    choose_range(&p, y, &p.low_y, &p.high_y, false);
    double width = columns * (LEFT_ROOM + PANEL_WIDTH + GAP) + GAP;
    double height = HEAD + rows * (TOP_ROOM + PANEL_HEIGHT + BOTTOM_ROOM) + GAP;
    const char *title = hbg_arena_print(scratch, "%s: energy phase space", hbg_model_title(report->model));
    hbg_draw_svg_begin(out, width, height, title, phase_css);
    hbg_draw_text(out, "title", (hbg_draw_point){LEFT_ROOM, 24}, HBG_DRAW_START, title);
    put_legend(&p, width);
    for (int i = 0; i < panels; i++) {
        begin_panel(&p, i, columns, hbg_verify_states_text(report, group, group->phases[i].states));
        put_areas(&p, departed_class, i);
        put_axes(&p);
    }
    begin_panel(&p, panels, columns, "conjunction");
    put_areas(&p, conjunction_class, 0);
    put_jumps(&p);
    put_axes(&p);
    hbg_draw_svg_end(out);
}
