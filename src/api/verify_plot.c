/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The energy phase space of a group over two of its variables, as 000 and 002 draw it: a map for each
 * discrete state with the area grey where it is left at once, and their conjunction, with findings in colours
 * and double arrows for the jumps of real modes. A legend explains them, and gives the values of everything
 * else in the slice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/verify_plot_impl.h"

enum { MOST_MAPS = 16 };
#define MAP_WIDTH  260.0
#define MAP_HEIGHT 195.0
#define GAP        20.0
#define MARGIN     14.0 /* names of maps begin where the title does */
#define HEAD       40.0
#define LINE       16.0 /* of the legend */
#define TEXT       11.0

static const char phase_css[] =
    ".paper{fill:#fff}text{font-size:11px;fill:#222}.title{font-size:15px;font-weight:bold}.name{font-size:"
    "12px;font-weight:bold}"
    ".tick{fill:#444}.label{font-style:italic}"
    ".area{stroke-width:.4;stroke-linejoin:round}"
    ".departed{fill:#d3d6db;stroke:#d3d6db}.never{fill:#8d939c;stroke:#8d939c}"
    ".endless{fill:#d9483b;stroke:#d9483b}.later{fill:#f2b1a8;stroke:#f2b1a8}"
    ".wrong{fill:#f0a030;stroke:#f0a030}.evolves{fill:#f7e7a0;stroke:#f7e7a0}"
    ".open{fill:#dcc9ec;stroke:#dcc9ec}.outside{fill:url(#bars);stroke:none}"
    ".frame{fill:none;stroke:#444;stroke-width:1}.grid{stroke:#444;stroke-width:.7}"
    ".key{stroke:#444;stroke-width:.6}"
    ".jump{stroke:#1f5fa8;stroke-width:1.3;fill:none}.head{fill:#1f5fa8;stroke:none}"
    ".bar{stroke:#b9bec6;stroke-width:1.2}";

static const char bars[] =
    "<defs><pattern id=\"bars\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"bar\" d=\"M-1 1L1 -1M0 6L6 0M5 7L7 5\"/></pattern></defs>\n";

/* By plot_place: class of its areas. */
static const char *const classes[PLACE_COUNT] = {
    [PLACE_DEPARTED] = "area departed",   [PLACE_NEVER] = "area never",    [PLACE_ENDLESS] = "area endless",
    [PLACE_ENDLESS_LATER] = "area later", [PLACE_WRONG] = "area wrong",    [PLACE_EVOLVES] = "area evolves",
    [PLACE_OPEN] = "area open",           [PLACE_OUTSIDE] = "area outside"};

static int32_t kind_at(void *context, double x, double y) {
    phase_plot *p = context;
    hbg_api_plot_set(p, x, y);
    return (int32_t)hbg_api_plot_place_at(p);
}

/* ---- maps --------------------------------------------------------------------------------------------------- */

static int columns_of(int maps) {
    return maps < 3 ? maps : 3;
}

/* The states without their automata if both do not fit; the pointer shows all. */
static const char *short_name(const phase_plot *p, const char *name) {
    double room = MAP_WIDTH + HBG_DRAW_MAP_LEFT - 6;
    if (p->phase == HBG_NONE || hbg_draw_text_width(name, 12, true) <= room) return name;
    const hbg_group_result *group = p->group;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &p->report->session->scratch);
    for (int32_t i = 0; i < group->of.automaton_count; i++) {
        int32_t automaton = group->of.automata[i];
        hbg_base_buffer_print(
            &text, "%s%s", i ? ", " : "",
            hbg_api_verify_state_name(p->report, automaton, group->phases[p->phase].states[automaton]));
    }
    return text.data;
}

static void put_map(phase_plot *p, int number, int columns, const char *name) {
    hbg_arena *scratch = &p->report->session->scratch;
    double wide = HBG_DRAW_MAP_LEFT + MAP_WIDTH + GAP,
           high = HBG_DRAW_MAP_TOP + MAP_HEIGHT + HBG_DRAW_MAP_BOTTOM;
    double left = MARGIN + HBG_DRAW_MAP_LEFT + (number % columns) * wide;
    double top = HEAD + HBG_DRAW_MAP_TOP + (number / columns) * high;
    p->map.box = (hbg_draw_box){left, top, left + MAP_WIDTH, top + MAP_HEIGHT};
    p->map.name = short_name(p, name);
    hbg_draw_group_begin(p->out, "map", name);
    hbg_draw_map_areas(scratch, p->out, &p->map, kind_at, p, classes);
    if (p->phase == HBG_NONE) hbg_api_plot_put_jumps(p);
    hbg_draw_map_frame(scratch, p->out, &p->map);
    hbg_draw_group_end(p->out);
}

/* ---- legend ------------------------------------------------------------------------------------------------- */

typedef struct {
    phase_plot *p;
    double width, x, y; /* where the next entry goes */
} legend;

/* An entry: its mark takes some room, its text follows; if it does not fit it goes on the next line. */
static hbg_draw_point add_entry(legend *l, double mark, const char *text) {
    double need = mark + hbg_draw_text_width(text, TEXT, false) + GAP;
    if (l->x > GAP && l->x + need > l->width) {
        l->x = GAP;
        l->y += LINE;
    }
    hbg_draw_point at = {l->x, l->y};
    hbg_draw_text(l->p->out, "entry", (hbg_draw_point){at.x + mark, at.y}, HBG_DRAW_START, text);
    l->x += need;
    return at;
}

static void add_key(legend *l, plot_place place, const char *text) {
    if (!l->p->seen[place]) return;
    hbg_draw_point at = add_entry(l, 20, text);
    hbg_draw_box box = {at.x, at.y - 9, at.x + 14, at.y + 1};
    char key[64];
    snprintf(key, sizeof key, "%s key", classes[place]);
    hbg_draw_rect(l->p->out, key, box, 0);
}

/* "energy created, forbidden guard": kinds that are drawn alike */
static const char *kinds_text(const phase_plot *p, bool wrong) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &p->report->session->scratch);
    for (int i = 0; i < HBG_FINDING_COUNT; i++) {
        if (!p->told[i] || hbg_verify_finding_is_wrong((hbg_finding_kind)i) != wrong) continue;
        hbg_base_buffer_print(&text, "%s%s", text.size ? ", " : "",
                              hbg_verify_finding_word((hbg_finding_kind)i));
    }
    return text.size ? text.data : "";
}

/* Text of any length, broken into lines. */
static void add_text(legend *l, const char *text) {
    l->x = GAP;
    l->y += LINE;
    while (*text) {
        size_t size = hbg_draw_text_break(text, TEXT, false, l->width - 2 * GAP);
        hbg_draw_text(l->p->out, "entry", (hbg_draw_point){GAP, l->y}, HBG_DRAW_START,
                      hbg_base_arena_copy(&l->p->report->session->scratch, text, size));
        text += size;
        while (*text == ' ') text++;
        if (*text) l->y += LINE;
    }
}

/* Findings that the slice does not meet, or only in lines and points. */
static const char *hidden_text(const phase_plot *p) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &p->report->session->scratch);
    for (int i = 0; i < HBG_FINDING_COUNT; i++) {
        bool found = false, drawn = p->told[i];
        if (i == HBG_FINDING_CYCLE || i == HBG_FINDING_CHAIN)
            drawn = p->seen[PLACE_ENDLESS] || p->seen[PLACE_ENDLESS_LATER];
        for (int32_t k = 0; k < p->group->finding_count; k++) found |= (int)p->group->findings[k].kind == i;
        if (found && !drawn)
            hbg_base_buffer_print(&text, "%s%s", text.size ? ", " : "",
                                  hbg_verify_finding_word((hbg_finding_kind)i));
    }
    return text.size ? text.data : NULL;
}

static double put_legend(phase_plot *p, double width, double top) {
    hbg_arena *scratch = &p->report->session->scratch;
    legend l = {.p = p, .width = width, .x = GAP, .y = top};
    const char *slice = hbg_api_plot_slice_text(p), *hidden = hidden_text(p);
    add_key(&l, PLACE_DEPARTED, "left at once");
    add_key(&l, PLACE_NEVER, "by every mode");
    add_key(&l, PLACE_ENDLESS, "the switching does not end");
    add_key(&l, PLACE_ENDLESS_LATER, "it does not end behind a jump");
    add_key(&l, PLACE_WRONG, kinds_text(p, true));
    add_key(&l, PLACE_EVOLVES, kinds_text(p, false));
    add_key(&l, PLACE_OPEN, "cannot be computed");
    add_key(&l, PLACE_OUTSIDE, "outside of what the model assumes");
    if (p->arrows > 0) {
        hbg_draw_point at = add_entry(&l, 34, "jump of the energies");
        hbg_draw_circle(p->out, "head", (hbg_draw_point){at.x + 2, at.y - 4}, 2.2);
        hbg_draw_line(p->out, "jump", (hbg_draw_point){at.x + 2, at.y - 4},
                      (hbg_draw_point){at.x + 24, at.y - 4});
        for (int i = 0; i < 2; i++) {
            hbg_draw_point tip = {at.x + 28 - 5 * i, at.y - 4};
            hbg_draw_point head[] = {tip, {tip.x - 7, tip.y - 3.2}, {tip.x - 7, tip.y + 3.2}, tip};
            hbg_draw_polyline(p->out, "head", head, 4);
        }
    }
    if (slice[0]) add_text(&l, hbg_base_arena_print(scratch, "Slice at %s (--at chooses another).", slice));
    if (hidden)
        add_text(&l, hbg_base_arena_print(scratch, "Not in this slice, or on lines only: %s.", hidden));
    return l.y + GAP;
}

/* ---- the picture -------------------------------------------------------------------------------------------- */

static const char *title_of(const phase_plot *p) {
    hbg_buffer title;
    hbg_base_buffer_init(&title, &p->report->session->scratch);
    hbg_base_buffer_print(&title, "%s: energy phase space", hbg_model_title(p->report->model));
    for (int32_t i = 0; i < p->group->of.automaton_count && p->report->result->group_count > 1; i++)
        hbg_base_buffer_print(&title, "%s%s", i ? ", " : " of ",
                              p->report->system->automata[p->group->of.automata[i]].name);
    return title.data;
}

/* For readers who cannot see it, and for programs: the axes, to the last digit. */
static void put_description(const phase_plot *p, hbg_buffer *out) {
    const hbg_draw_range *x = &p->map.x, *y = &p->map.y;
    const char *slice = hbg_api_plot_slice_text(p);
    hbg_base_buffer_text(out, "<desc>");
    hbg_draw_escape(out,
                    hbg_base_arena_print(&p->report->session->scratch,
                                         "across %s from %.17g to %.17g %s; up %s from %.17g to %.17g %s%s%s",
                                         x->label, x->low, x->high, x->unit, y->label, y->low, y->high,
                                         y->unit, slice[0] ? "; at " : "", slice));
    hbg_base_buffer_text(out, "</desc>\n");
}

static void put_maps(phase_plot *p, int maps, int columns) {
    hbg_arena *scratch = &p->report->session->scratch;
    for (int i = 0; i < maps; i++) {
        p->phase = i;
        put_map(p, i, columns, hbg_api_verify_states_text(p->report, p->group, p->group->phases[i].states));
    }
    p->phase = HBG_NONE;
    put_map(p, maps, columns,
            maps < p->group->phase_count
                ? hbg_base_arena_print(scratch, "conjunction of all %d, the first %d of which are shown",
                                       p->group->phase_count, maps)
                : "conjunction");
}

hbg_status hbg_api_verify_check_plot(const verify_report *report, const verify_plot_request *request) {
    phase_plot p;
    return hbg_api_plot_slice_init(&p, report, request->axes, request->at, request->at_count);
}

hbg_status hbg_api_verify_put_phases(const verify_report *report, const verify_plot_request *request,
                                     hbg_buffer *out) {
    hbg_arena *scratch = &report->session->scratch;
    phase_plot p;
    hbg_buffer body;
    HBG_TRY(hbg_api_plot_slice_init(&p, report, request->axes, request->at, request->at_count));
    HBG_TRY(hbg_api_plot_slice_choose(&p, request->axes));
    hbg_base_buffer_init(&body, scratch);
    p.out = &body;
    int maps = p.group->phase_count < MOST_MAPS ? p.group->phase_count : MOST_MAPS;
    int columns = columns_of(maps + 1), rows = (maps + columns) / columns;
    double width = MARGIN + columns * (HBG_DRAW_MAP_LEFT + MAP_WIDTH + GAP);
    put_maps(&p, maps, columns);
    double high = HBG_DRAW_MAP_TOP + MAP_HEIGHT + HBG_DRAW_MAP_BOTTOM;
    double height = put_legend(&p, width, HEAD + rows * high + GAP);
    const char *title = title_of(&p);
    hbg_draw_svg_begin(out, width, height, title, phase_css);
    put_description(&p, out);
    hbg_base_buffer_text(out, bars);
    hbg_draw_rect(out, "paper", (hbg_draw_box){0, 0, width, height}, 0);
    hbg_draw_text(out, "title", (hbg_draw_point){GAP, 26}, HBG_DRAW_START,
                  hbg_draw_text_fit(scratch, title, 15, true, width - 2 * GAP));
    hbg_base_buffer_add(out, body.data, body.size);
    hbg_draw_svg_end(out);
    return HBG_OK;
}
