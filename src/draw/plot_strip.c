/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strips of modes above the panels: one bar for each object with modes, coloured by mode, strong where it is
 * on, with the mode's name in every band that has room. Names without room are in a key above the bar.
 * Crowded bands that are too narrow to be seen are joined into a stretch that is shaded by the share of time
 * in which it is on: the picture stays small however often modes change, and a pulse that is on for most of
 * the time looks like that. */
#include "draw/plot_impl.h"

#include <math.h>

#define BAR          15.0
#define BAR_GAP      6.0
#define KEY          16.0 /* height of the line above a bar */
#define KEY_SWATCH   10.0
#define KEY_GAP      12.0
#define TEXT_ROOM    8.0 /* a band is wider than its text by at least this */
#define NARROWEST    1.0 /* px of a band with its own colour */
#define LEAST_SEEN   2.5 /* px: least width of a narrow one */
#define CROWDED      3.5 /* px between two narrow ones: with less the second would cover the gap */
#define COLUMN       2.0 /* px of a stretch with one shade */
#define MOST_STATES  16  /* in a key */
#define BASELINE     11.0
#define LINES_A_PX   0.1  /* changes per pixel, at most, that are drawn through the panels */
#define MOST_CHANGES 4096 /* examined for that */
#define LOOKS        8

typedef struct {
    const hbg_draw_band *band; /* the first of them */
    const char *label;
    bool shown; /* its name is in one of the bands */
} mode_state;

typedef struct {
    mode_state states[MOST_STATES];
    int32_t count;
    bool busy;   /* narrow bands are joined into a stretch somewhere */
    bool shaded; /* of modes that are on and modes that are off */
    bool needed;
} mode_key;

static const char busy_label[] = "changes too close to tell apart";
static const char shade_label[] = "changes too close to tell apart, shaded by the share of time";

static const char *text_of(const char *text) {
    return text ? text : "";
}

/* The place of a time, which may be infinite or missing on a logarithmic axis. */
static double place_edge(const hbg_draw_plot *plot, double time) {
    double clean = hbg_draw_axis_clean(&plot->x, time);
    if (isnan(clean)) return time > 0 ? plot->right : plot->left;
    return hbg_draw_axis_place(&plot->x, clean);
}

/* The place of a band on the page; false if it is outside. */
static bool band_box(const hbg_draw_plot *plot, const hbg_draw_band *band, double top, hbg_draw_box *box) {
    if (!(band->from <= band->to)) return false;
    box->left = place_edge(plot, band->from);
    box->right = place_edge(plot, band->to);
    box->top = top;
    box->bottom = top + BAR;
    return true;
}

static bool holds_label(hbg_draw_box box, const char *label) {
    return *label && hbg_draw_text_width(label, HBG_PLOT_SMALL, false) + TEXT_ROOM <= box.right - box.left;
}

static bool are_alike(const hbg_draw_band *a, const hbg_draw_band *b) {
    return a->colour == b->colour && a->strong == b->strong;
}

static mode_key find_key(const hbg_draw_plot *plot, const hbg_draw_strip *strip) {
    mode_key key = {.count = 0};
    hbg_draw_box box;
    double narrow_end = -INFINITY; // of the last narrow band
    for (int32_t i = 0; i < strip->band_count; i++) {
        const hbg_draw_band *band = &strip->bands[i];
        if (!band_box(plot, band, 0, &box)) continue;
        if (box.right - box.left < NARROWEST) {
            key.busy |= box.left < narrow_end + CROWDED;
            narrow_end = box.right;
        }
        int32_t state = 0;
        while (state < key.count && !are_alike(key.states[state].band, band)) state++;
        if (state == MOST_STATES) continue;
        if (state == key.count) key.states[key.count++] = (mode_state){band, text_of(band->label), false};
        if (holds_label(box, key.states[state].label)) key.states[state].shown = true;
    }
    for (int32_t i = 0; i < key.count; i++)
        key.needed = key.needed || (*key.states[i].label && !key.states[i].shown);
    bool on = false, off = false;
    for (int32_t i = 0; i < key.count; i++) {
        on |= key.states[i].band->strong;
        off |= !key.states[i].band->strong;
    }
    key.shaded = key.busy && on && off;
    key.needed = key.needed || key.busy;
    return key;
}

static double strip_height(const hbg_draw_plot *plot, const hbg_draw_strip *strip) {
    mode_key key = find_key(plot, strip);
    return BAR + BAR_GAP + (key.needed || !plot->beside ? KEY : 0);
}

double hbg_draw_strips_height(const hbg_draw_plot *plot) {
    double sum = 0;
    for (int32_t i = 0; i < plot->spec->strip_count; i++) sum += strip_height(plot, &plot->spec->strips[i]);
    return sum;
}

/* ---- painting -------------------------------------------------------------------------------------- */

static const char *band_class(hbg_arena *arena, const hbg_draw_band *band) {
    return hbg_base_arena_print(arena, "%s%u", band->strong ? "strong" : "band",
                                (unsigned)band->colour % LOOKS);
}

static void paint_band(hbg_draw_plot *plot, const hbg_draw_band *band, hbg_draw_box box) {
    const char *label = text_of(band->label);
    hbg_draw_rect(plot->out, band_class(plot->arena, band), box, 0);
    if (!holds_label(box, label)) return;
    hbg_draw_point at = {(box.left + box.right) / 2, box.top + BASELINE};
    hbg_draw_text(plot->out, "small", at, HBG_DRAW_MIDDLE, label);
}

/* Crowded narrow bands, with everything between them. A single one, like a mode of zero duration, keeps its
 * colour. */
typedef struct {
    hbg_draw_box box;
    int32_t count;       /* of narrow ones */
    int32_t first, last; /* bands of the strip */
} narrow_bands;

/* The longest band of a kind, on or off, in the stretch; NULL: the stretch has no band of this kind. */
static const hbg_draw_band *longest(const hbg_draw_strip *strip, const narrow_bands *narrow, bool strong) {
    const hbg_draw_band *found = NULL;
    for (int32_t i = narrow->first; i <= narrow->last; i++) {
        const hbg_draw_band *band = &strip->bands[i];
        if (band->strong != strong || !(band->from <= band->to)) continue;
        if (!found || band->to - band->from > found->to - found->from) found = band;
    }
    return found;
}

typedef struct { /* the contents of a column */
    double on, all;
    bool has_on, has_off;
} column_share;

/* The share of bands that are on, in eighths. Only a column without on bands gets 0, and only one without off
 * bands 8. */
static int shade_of(column_share share) {
    int shade = share.all > 0 ? (int)lround(8 * share.on / share.all) : share.has_on ? 4 : 0;
    if (share.has_on && shade < 1) shade = 1;
    return share.has_off && shade > 7 ? 7 : shade;
}

/* `at` is the first band that reaches into the column, and moves on with it. */
static column_share look_at_column(const hbg_draw_plot *plot, const hbg_draw_strip *strip, int32_t last,
                                   int32_t *at, double left, double right) {
    column_share share = {0};
    hbg_draw_box box;
    for (int32_t i = *at; i <= last; i++) {
        if (!band_box(plot, &strip->bands[i], 0, &box)) continue;
        if (box.left > right) break;
        if (box.right < left) {
            *at = i;
            continue;
        }
        double width = fmin(box.right, right) - fmax(box.left, left);
        share.all += width;
        if (strip->bands[i].strong) share.on += width;
        share.has_on |= strip->bands[i].strong;
        share.has_off |= !strip->bands[i].strong;
    }
    return share;
}

static void paint_shade(hbg_draw_plot *plot, const hbg_draw_band *on, int shade, hbg_draw_box box) {
    if (shade == 0) return;
    const char *look = hbg_base_arena_print(plot->arena, "%s share%d", band_class(plot->arena, on), shade);
    hbg_draw_rect(plot->out, look, box, 0);
}

/* Off bands below, on bands above them, with their share as opacity. */
static void paint_shades(hbg_draw_plot *plot, const hbg_draw_strip *strip, const narrow_bands *narrow,
                         const hbg_draw_band *on, const hbg_draw_band *off) {
    hbg_draw_box box = narrow->box;
    int32_t at = narrow->first, columns = (int32_t)ceil((box.right - box.left) / COLUMN);
    double left = box.left, width = (box.right - box.left) / columns;
    int before = -1;
    hbg_draw_rect(plot->out, band_class(plot->arena, off), box, 0);
    for (int32_t i = 0; i < columns; i++) {
        double start = narrow->box.left + i * width;
        int shade = shade_of(look_at_column(plot, strip, narrow->last, &at, start, start + width));
        if (shade == before) continue;
        box = (hbg_draw_box){left, narrow->box.top, start, narrow->box.bottom};
        if (before >= 0) paint_shade(plot, on, before, box);
        left = start;
        before = shade;
    }
    box = (hbg_draw_box){left, narrow->box.top, narrow->box.right, narrow->box.bottom};
    paint_shade(plot, on, before, box);
}

static void paint_narrow(hbg_draw_plot *plot, const hbg_draw_strip *strip, narrow_bands *narrow) {
    const hbg_draw_band *on = longest(strip, narrow, true), *off = longest(strip, narrow, false);
    double lack = LEAST_SEEN - (narrow->box.right - narrow->box.left);
    if (lack > 0) {
        narrow->box.left -= lack / 2;
        narrow->box.right += lack / 2;
    }
    if (narrow->count == 1)
        hbg_draw_rect(plot->out, band_class(plot->arena, &strip->bands[narrow->first]), narrow->box, 0);
    else if (narrow->count > 1 && on && off)
        paint_shades(plot, strip, narrow, on, off);
    else if (narrow->count > 1)
        hbg_draw_rect(plot->out, "busy", narrow->box, 0);
    narrow->count = 0;
}

static void paint_bar(hbg_draw_plot *plot, const hbg_draw_strip *strip, double top) {
    hbg_draw_box box;
    narrow_bands narrow = {0};
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < strip->band_count; i++) {
            if (!band_box(plot, &strip->bands[i], top, &box)) continue;
            bool wide = box.right - box.left >= NARROWEST;
            if (wide && pass == 0) paint_band(plot, &strip->bands[i], box);
            if (wide || pass == 0) continue;
            if (narrow.count > 0 && box.left >= narrow.box.right + CROWDED)
                paint_narrow(plot, strip, &narrow);
            narrow.box = narrow.count == 0 ? box : hbg_draw_box_join(narrow.box, box);
            if (narrow.count++ == 0) narrow.first = i;
            narrow.last = i;
        }
    }
    if (narrow.count > 0) paint_narrow(plot, strip, &narrow);
    hbg_draw_rect(plot->out, "bar", (hbg_draw_box){plot->left, top, plot->right, top + BAR}, 0);
}

/* A swatch and what it means; false if there is no room. */
static bool paint_entry(hbg_draw_plot *plot, const char *look, const char *label, double *x,
                        double baseline) {
    double end = *x + KEY_SWATCH + 4 + hbg_draw_text_width(label, HBG_PLOT_SMALL, false);
    if (end > plot->right) return false;
    hbg_draw_box box = {*x, baseline - KEY_SWATCH + 1, *x + KEY_SWATCH, baseline + 1};
    hbg_draw_rect(plot->out, look, box, 0);
    hbg_draw_rect(plot->out, "bar", box, 0);
    hbg_draw_text(plot->out, "small", (hbg_draw_point){*x + KEY_SWATCH + 4, baseline}, HBG_DRAW_START, label);
    *x = end + KEY_GAP;
    return true;
}

static void paint_busy_entry(hbg_draw_plot *plot, const mode_key *key, double *x, double baseline) {
    const hbg_draw_band *on = NULL;
    for (int32_t i = 0; i < key->count && !on; i++)
        if (key->states[i].band->strong) on = key->states[i].band;
    const char *look = key->shaded && on
                           ? hbg_base_arena_print(plot->arena, "%s share4", band_class(plot->arena, on))
                           : "busy";
    // the longer text if there is room
    if (!key->shaded || !paint_entry(plot, look, shade_label, x, baseline))
        paint_entry(plot, look, busy_label, x, baseline);
}

/* The line above a bar: its name, unless that is next to it, and the modes whose names are not shown. */
static void paint_key(hbg_draw_plot *plot, const hbg_draw_strip *strip, const mode_key *key, double top) {
    double x = plot->left, baseline = top + BASELINE;
    if (!plot->beside) {
        const char *name = hbg_draw_text_fit(plot->arena, text_of(strip->name), HBG_PLOT_HEADING, true,
                                             plot->right - plot->left);
        hbg_draw_text(plot->out, "heading", (hbg_draw_point){x, baseline}, HBG_DRAW_START, name);
        x += hbg_draw_text_width(name, HBG_PLOT_HEADING, true) + KEY_GAP;
    }
    for (int32_t i = 0; i < key->count; i++) {
        const mode_state *state = &key->states[i];
        if (state->shown || !*state->label) continue;
        if (!paint_entry(plot, band_class(plot->arena, state->band), state->label, &x, baseline)) return;
    }
    if (key->busy) paint_busy_entry(plot, key, &x, baseline);
}

bool hbg_draw_strips_are_shaded(const hbg_draw_plot *plot) {
    bool shaded = false;
    for (int32_t i = 0; i < plot->spec->strip_count && !shaded; i++)
        shaded = find_key(plot, &plot->spec->strips[i]).shaded;
    return shaded;
}

void hbg_draw_strips_paint(hbg_draw_plot *plot) {
    double top = plot->strips_top;
    for (int32_t i = 0; i < plot->spec->strip_count; i++) {
        const hbg_draw_strip *strip = &plot->spec->strips[i];
        mode_key key = find_key(plot, strip);
        double height = strip_height(plot, strip), bar = top + height - BAR_GAP - BAR;
        hbg_draw_group_begin(plot->out, "strip", text_of(strip->name));
        if (bar > top) paint_key(plot, strip, &key, top);
        paint_bar(plot, strip, bar);
        if (plot->beside)
            hbg_draw_text(plot->out, "small",
                          (hbg_draw_point){plot->right + HBG_PLOT_NAME_GAP, bar + BASELINE}, HBG_DRAW_START,
                          text_of(strip->name));
        hbg_draw_group_end(plot->out);
        top += height;
    }
}

/* ---- through the panels ---------------------------------------------------------------------------- */

static void paint_change(hbg_draw_plot *plot, double x) {
    for (int32_t i = 0; i < plot->panel_count; i++) {
        hbg_draw_box box = plot->panels[i].box;
        hbg_draw_line(plot->out, "change", (hbg_draw_point){x, box.top}, (hbg_draw_point){x, box.bottom});
    }
}

void hbg_draw_strips_paint_changes(hbg_draw_plot *plot) {
    double *places = HBG_NEW_ARRAY(plot->arena, double, MOST_CHANGES);
    int32_t count = 0, most = (int32_t)((plot->right - plot->left) * LINES_A_PX);
    hbg_draw_box box;
    for (int32_t i = 0; i < plot->spec->strip_count; i++) {
        const hbg_draw_strip *strip = &plot->spec->strips[i];
        for (int32_t k = 1; k < strip->band_count; k++) {
            if (!band_box(plot, &strip->bands[k], 0, &box)) continue;
            int32_t same = 0;
            while (same < count && fabs(places[same] - box.left) >= NARROWEST) same++;
            if (same < count) continue;
            if (count == most || count == MOST_CHANGES) return;
            places[count++] = box.left;
        }
    }
    for (int32_t i = 0; i < count; i++) paint_change(plot, places[i]);
}
