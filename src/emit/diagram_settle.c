/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Things that have a place keep it: one that the language gives them, `@ (120, 40)`, or else that of an earlier drawing. All others go where the
 * layout program would have them, seen from their neighbours, or to the next place that is free; so does what an earlier drawing has without
 * any bond, as soon as there is one. The drawing is that of the layout program where no place is known. */
#include "emit/diagram_settle_impl.h"

#include <math.h>

#define GAP          7.0  /* between things */
#define FRAME        15.0 /* between a component's frame and its inside */
#define CAPTION      20.0 /* more above, for its caption */
#define CAPTION_SIDE 16.0 /* next to the caption */
#define RING         14.0 /* pixels from one ring of places tried to the next */
#define RINGS        70
#define DIRECTIONS   16
#define SAME         0.5 /* displacements closer than this are equal */
#define PI           3.14159265358979323846

typedef struct {
    hbg_diagram *diagram;
    hbg_diagram_earlier earlier;
    hbg_draw_point *fresh;    /* by thing: its place by the layout program */
    int8_t *strength;         /* by thing: 2 placed by the language, 1 by an earlier drawing, 0 new */
    hbg_draw_point *shift;    /* by scope: how far its place in the language moves earlier places inside */
    hbg_draw_point *moved;    /* by scope: how far it is from its place by the layout program */
    hbg_draw_point *origin;   /* by scope: the origin of places inside */
    bool *settled;            /* by thing */
    hbg_draw_box *frames;     /* by cluster, of settled things inside */
    hbg_draw_obstacles taken; /* owned by things */
} settling;

static hbg_draw_point plus(hbg_draw_point a, hbg_draw_point b) {
    return (hbg_draw_point){a.x + b.x, a.y + b.y};
}

static hbg_draw_point minus(hbg_draw_point a, hbg_draw_point b) {
    return (hbg_draw_point){a.x - b.x, a.y - b.y};
}

static hbg_draw_point middle_of(hbg_draw_box box) {
    return (hbg_draw_point){(box.left + box.right) / 2, (box.top + box.bottom) / 2};
}

static hbg_draw_point place_of(const hbg_drawn_at *place) {
    return (hbg_draw_point){place->x, place->y};
}

static const hbg_drawn_at *thing_place(const hbg_diagram *diagram, int32_t thing) {
    const hbg_element *element = hbg_emit_diagram_element(diagram, thing);
    return element ? &element->place
                   : &diagram->model->scopes.items[diagram->things[thing].object.index].place;
}

static hbg_draw_box thing_box(const hbg_diagram *diagram, int32_t thing) {
    const hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    hbg_draw_box box = hbg_draw_box_join(symbol->glyph, symbol->text);
    if (symbol->is_box) {
        box.left -= HBG_DIAGRAM_STUB;
        box.right += HBG_DIAGRAM_STUB;
    }
    return hbg_draw_box_move(box, symbol->at.x, symbol->at.y);
}

/* ---- scopes -------------------------------------------------------------------------------------------- */

/* Components from the outside in: their places, and the origins of places inside. Those of the model count
 * from 0. */
static void place_scopes(settling *s) {
    const hbg_diagram *diagram = s->diagram;
    const hbg_model *model = diagram->model;
    for (int32_t i = 1; i < model->scopes.count; i++) {
        const hbg_scope *scope = &model->scopes.items[i];
        int32_t parent = scope->id.scope, cluster = diagram->cluster_of_scope[i];
        s->shift[i] = s->shift[parent];
        s->moved[i] = s->moved[parent];
        s->origin[i] = s->origin[parent];
        bool own = diagram->shown[i] && cluster >= 0 && diagram->scope_of_cluster[cluster] == i;
        if (!own || diagram->layout.clusters[cluster].box.right < diagram->layout.clusters[cluster].box.left)
            continue;
        hbg_draw_box box = diagram->layout.clusters[cluster].box;
        const hbg_diagram_earlier_place *earlier = hbg_emit_diagram_earlier_find(
            &s->earlier, hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_SCOPE, i}));
        bool placed = scope->place.given && i != diagram->options->focus;
        hbg_draw_point wanted = plus(s->origin[parent], place_of(&scope->place));
        if (placed) s->moved[i] = minus(wanted, middle_of(box));
        if (placed && earlier) s->shift[i] = minus(wanted, earlier->at);
        s->origin[i] = plus((hbg_draw_point){box.left, box.top}, s->moved[i]);
        if (earlier) s->origin[i] = plus(earlier->origin, s->shift[i]);
    }
}

/* ---- known places -------------------------------------------------------------------------------------- */

/* Whether an earlier drawing tells where a thing belongs, and whether it has never had a bond, so that the next drawing need not keep it. One
 * whose bond is being written anew had one. */
static bool is_kept(hbg_diagram *diagram, int32_t thing, const hbg_diagram_earlier_place *earlier) {
    bool joined = diagram->incidence_start[thing + 1] > diagram->incidence_start[thing];
    diagram->symbols[thing].alone = !joined && (!earlier || earlier->alone);
    return earlier && (!earlier->alone || !joined);
}

static bool find_known(settling *s) {
    hbg_diagram *diagram = s->diagram;
    bool any = false;
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        const hbg_diagram_thing *thing = &diagram->things[i];
        const hbg_drawn_at *place = thing_place(diagram, i);
        const hbg_diagram_earlier_place *earlier =
            hbg_emit_diagram_earlier_find(&s->earlier, hbg_emit_diagram_path(diagram, thing->object));
        s->fresh[i] = diagram->symbols[i].at;
        bool kept = is_kept(diagram, i, earlier);
        s->strength[i] = place->given && !thing->outside ? 2 : kept ? 1 : 0;
        if (s->strength[i] == 2) diagram->symbols[i].at = plus(s->origin[thing->scope], place_of(place));
        if (s->strength[i] == 1) diagram->symbols[i].at = plus(earlier->at, s->shift[thing->scope]);
        /* a placed component takes its inside along */
        hbg_draw_point moved = s->moved[thing->scope];
        bool taken_along = !thing->outside && (moved.x != 0 || moved.y != 0);
        if (s->strength[i] == 0 && taken_along) {
            s->strength[i] = 1;
            diagram->symbols[i].at = plus(s->fresh[i], moved);
        }
        any = any || s->strength[i] > 0;
    }
    return any;
}

/* ---- free places --------------------------------------------------------------------------------------- */

static int32_t cluster_of(const hbg_diagram *diagram, int32_t thing) {
    const hbg_diagram_thing *of = &diagram->things[thing];
    return of->outside ? HBG_NONE : diagram->cluster_of_scope[of->scope];
}

/* Whether a cluster is another one, or around it. */
static bool around(const hbg_diagram *diagram, int32_t cluster, int32_t inner) {
    while (inner > cluster) inner = diagram->layout.clusters[inner].parent;
    return inner == cluster;
}

static hbg_draw_box framed(hbg_draw_box box) {
    box = hbg_draw_box_grow(box, FRAME);
    box.top -= CAPTION;
    return box;
}

/* Whether components stay apart from foreign things if the thing is placed in the box. */
static bool frames_free(const settling *s, int32_t thing, hbg_draw_box box) {
    const hbg_diagram *diagram = s->diagram;
    int32_t own = cluster_of(diagram, thing);
    for (int32_t i = 0; i < diagram->layout.cluster_count; i++) {
        if (around(diagram, i, own)) continue;
        if (hbg_draw_box_overlap(framed(s->frames[i]), box) && s->frames[i].right > s->frames[i].left)
            return false;
    }
    for (; own >= 0; own = diagram->layout.clusters[own].parent) {
        hbg_draw_box frame = framed(hbg_draw_box_join(s->frames[own], box));
        for (int32_t i = 0; i < diagram->thing_count; i++)
            if (s->settled[i] && !around(diagram, own, cluster_of(diagram, i)) &&
                hbg_draw_box_overlap(frame, thing_box(diagram, i)))
                return false;
    }
    return true;
}

static bool is_free(const settling *s, int32_t thing) {
    hbg_draw_box box = hbg_draw_box_grow(thing_box(s->diagram, thing), GAP);
    if (!hbg_draw_obstacles_box_free(&s->taken, box)) return false;
    return s->strength[thing] > 0 || frames_free(s, thing, box);
}

/* The place wanted, or the nearest free one in rings around it. */
static void find_free(settling *s, int32_t thing) {
    hbg_diagram_symbol *symbol = &s->diagram->symbols[thing];
    hbg_draw_point wanted = symbol->at;
    if (is_free(s, thing)) return;
    for (int ring = 1; ring <= RINGS; ring++) {
        for (int i = 0; i < DIRECTIONS; i++) {
            double angle = 2 * PI * (i + 0.5 * (ring % 2)) / DIRECTIONS;
            symbol->at = (hbg_draw_point){round(wanted.x + ring * RING * cos(angle)),
                                          round(wanted.y + ring * RING * sin(angle))};
            if (is_free(s, thing)) return;
        }
    }
    symbol->at = wanted;
}

static void settle(settling *s, int32_t thing) {
    const hbg_diagram *diagram = s->diagram;
    hbg_draw_box box = thing_box(diagram, thing);
    s->settled[thing] = true;
    hbg_draw_obstacles_add(&s->taken, box, thing);
    for (int32_t i = cluster_of(diagram, thing); i >= 0; i = diagram->layout.clusters[i].parent)
        s->frames[i] = hbg_draw_box_join(s->frames[i], box);
}

/* The place for a new thing: relative to its settled neighbours as by the layout program. */
static hbg_draw_point wanted_at(const settling *s, int32_t thing) {
    const hbg_diagram *diagram = s->diagram;
    hbg_draw_point sum = {0, 0};
    int32_t count = 0;
    for (int32_t i = diagram->incidence_start[thing]; i < diagram->incidence_start[thing + 1]; i++) {
        int32_t other = hbg_emit_diagram_other_end(&diagram->links[diagram->incidence[i]], thing);
        if (other == thing || !s->settled[other]) continue;
        sum = plus(sum, minus(diagram->symbols[other].at, s->fresh[other]));
        count++;
    }
    if (count == 0) return plus(s->fresh[thing], s->moved[diagram->things[thing].scope]);
    return (hbg_draw_point){round(s->fresh[thing].x + sum.x / count),
                            round(s->fresh[thing].y + sum.y / count)};
}

/* Settles new things from neighbour to neighbour, beginning at settled ones. */
static void settle_new(settling *s) {
    const hbg_diagram *diagram = s->diagram;
    int32_t *queue = HBG_NEW_ARRAY(diagram->arena, int32_t, diagram->thing_count + 1);
    bool *queued = HBG_NEW_ARRAY(diagram->arena, bool, diagram->thing_count + 1);
    bool *old = HBG_NEW_ARRAY(diagram->arena, bool, diagram->thing_count + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < diagram->thing_count; i++) queued[i] = old[i] = s->settled[i];
    for (int32_t start = 0, head = 0; start < diagram->thing_count; start++) {
        if (!old[start]) continue; // a new one is queued after a neighbour
        queue[count++] = start;
        for (; head < count; head++) {
            int32_t at = queue[head];
            if (!s->settled[at]) {
                diagram->symbols[at].at = wanted_at(s, at);
                find_free(s, at);
                settle(s, at);
            }
            for (int32_t i = diagram->incidence_start[at]; i < diagram->incidence_start[at + 1]; i++) {
                int32_t other = hbg_emit_diagram_other_end(&diagram->links[diagram->incidence[i]], at);
                if (queued[other]) continue;
                queued[other] = true;
                queue[count++] = other;
            }
        }
    }
    /* things that no bond joins to the rest */
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        if (s->settled[i]) continue;
        diagram->symbols[i].at = wanted_at(s, i);
        find_free(s, i);
        settle(s, i);
    }
}

/* ---- the layout, as it is now -------------------------------------------------------------------------- */

static hbg_draw_point moved_by(const settling *s, int32_t thing) {
    return minus(s->diagram->symbols[thing].at, s->fresh[thing]);
}

static bool same(hbg_draw_point a, hbg_draw_point b) {
    return fabs(a.x - b.x) < SAME && fabs(a.y - b.y) < SAME;
}

/* A bond whose ends have moved together keeps its route; others become straight. */
static void move_edges(settling *s) {
    hbg_diagram *diagram = s->diagram;
    for (int32_t i = 0; i < diagram->link_count; i++) {
        hbg_diagram_bond *bond = &diagram->bonds[i];
        const hbg_diagram_link *link = &diagram->links[i];
        hbg_draw_point from = moved_by(s, link->from), to = moved_by(s, link->to);
        if (!same(from, to)) bond->straight = true;
        if (bond->edge < 0) continue;
        hbg_draw_edge *edge = &diagram->layout.edges[bond->edge];
        for (int32_t k = 0; k < edge->point_count; k++) {
            hbg_draw_point *point = &diagram->layout.points.items[edge->first_point + k];
            *point = plus(*point, from);
        }
    }
}

/* Ports are on the side that their bond comes from: a box is as high as its side with more ports. */
static void stretch_boxes(settling *s) {
    hbg_diagram *diagram = s->diagram;
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        hbg_diagram_symbol *symbol = &diagram->symbols[i];
        int32_t sides[2] = {0, 0};
        for (int32_t k = diagram->incidence_start[i]; symbol->is_box && k < diagram->incidence_start[i + 1];
             k++) {
            int32_t index = diagram->incidence[k];
            const hbg_diagram_bond *bond = &diagram->bonds[index];
            const hbg_diagram_link *link = &diagram->links[index];
            bool tail = link->from == i;
            double away = diagram->symbols[tail ? link->to : link->from].at.x - symbol->at.x;
            /* as in aim_straight of diagram_fan */
            bool right = bond->straight ? (tail ? away >= 0 : away > 0) : tail != bond->turned;
            if (bond->edge >= 0) sides[right]++;
        }
        if (!symbol->is_box) continue;
        symbol->in_count = sides[0];
        symbol->out_count = sides[1];
        hbg_emit_diagram_measure_box(diagram, i);
    }
}

/* The letters of an element stay next to its bond, the value is on the other side. */
static void turn_values(settling *s) {
    hbg_diagram *diagram = s->diagram;
    for (int32_t i = 0; i < diagram->link_count; i++) {
        const hbg_diagram_link *link = &diagram->links[i];
        for (int end = 0; end < 2 && diagram->bonds[i].straight; end++) {
            int32_t thing = end ? link->to : link->from;
            hbg_diagram_symbol *symbol = &diagram->symbols[thing];
            bool one_port = diagram->incidence_start[thing + 1] - diagram->incidence_start[thing] == 1;
            if (symbol->is_box || !symbol->value || !one_port) continue;
            double other = diagram->symbols[end ? link->from : link->to].at.y,
                   height = symbol->text.bottom - symbol->text.top;
            bool above = other > symbol->at.y + symbol->glyph.bottom;
            symbol->text.top = above ? symbol->glyph.top - height : symbol->glyph.bottom;
            symbol->text.bottom = symbol->text.top + height;
        }
    }
}

/* Frames as by the layout program if their inside has moved as a whole; else around their inside. */
static void move_frames(settling *s) {
    hbg_diagram *diagram = s->diagram;
    hbg_draw_layout *layout = &diagram->layout;
    for (int32_t i = layout->cluster_count - 1; i >= 0; i--) {
        bool together = true, any = false;
        hbg_draw_point moved = {0, 0};
        hbg_draw_box inside = hbg_draw_box_empty;
        for (int32_t k = 0; k < diagram->thing_count; k++) {
            if (!around(diagram, i, cluster_of(diagram, k))) continue;
            together = together && (!any || same(moved, moved_by(s, k)));
            moved = moved_by(s, k);
            any = true;
            if (cluster_of(diagram, k) == i) inside = hbg_draw_box_join(inside, thing_box(diagram, k));
        }
        hbg_draw_cluster *cluster = &layout->clusters[i];
        if (!any) continue;
        if (together) {
            cluster->box = hbg_draw_box_move(cluster->box, moved.x, moved.y);
            continue;
        }
        for (int32_t k = i + 1; k < layout->cluster_count; k++)
            if (layout->clusters[k].parent == i) inside = hbg_draw_box_join(inside, layout->clusters[k].box);
        cluster->box = framed(inside);
        double least = cluster->label_width + CAPTION_SIDE;
        if (cluster->box.right - cluster->box.left < least) cluster->box.right = cluster->box.left + least;
    }
}

static void keep_origins(settling *s) {
    hbg_diagram *diagram = s->diagram;
    for (int32_t i = 0; i < diagram->layout.cluster_count; i++)
        diagram->origins[i] = s->origin[diagram->scope_of_cluster[i]];
}

static void measure(hbg_diagram *diagram) {
    hbg_draw_box all = {0, 0, diagram->layout.width, diagram->layout.height};
    for (int32_t i = 0; i < diagram->thing_count; i++) all = hbg_draw_box_join(all, thing_box(diagram, i));
    diagram->layout.width = all.right;
    diagram->layout.height = all.bottom;
}

void hbg_emit_diagram_settle(hbg_diagram *diagram) {
    hbg_arena *arena = diagram->arena;
    int32_t things = diagram->thing_count, scopes = diagram->model->scopes.count;
    settling s = {.diagram = diagram,
                  .fresh = HBG_NEW_ARRAY(arena, hbg_draw_point, things + 1),
                  .strength = HBG_NEW_ARRAY(arena, int8_t, things + 1),
                  .shift = HBG_NEW_ARRAY(arena, hbg_draw_point, scopes + 1),
                  .moved = HBG_NEW_ARRAY(arena, hbg_draw_point, scopes + 1),
                  .origin = HBG_NEW_ARRAY(arena, hbg_draw_point, scopes + 1),
                  .settled = HBG_NEW_ARRAY(arena, bool, things + 1),
                  .frames = HBG_NEW_ARRAY(arena, hbg_draw_box, diagram->layout.cluster_count + 1)};
    hbg_emit_diagram_earlier_read(&s.earlier, arena, diagram->options->earlier);
    for (int32_t i = 0; i < diagram->layout.cluster_count; i++) s.frames[i] = hbg_draw_box_empty;
    place_scopes(&s);
    keep_origins(&s);
    if (!find_known(&s)) return;
    hbg_draw_obstacles_init(&s.taken, arena,
                            (hbg_draw_box){0, 0, diagram->layout.width, diagram->layout.height});
    for (int8_t strength = 2; strength > 0; strength--) {
        for (int32_t i = 0; i < things; i++) {
            if (s.strength[i] != strength) continue;
            if (strength == 1) find_free(&s, i);
            settle(&s, i);
        }
    }
    settle_new(&s);
    move_edges(&s);
    turn_values(&s);
    stretch_boxes(&s);
    move_frames(&s);
    measure(diagram);
}
