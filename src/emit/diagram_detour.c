/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A short way round corners: A* on a visibility graph that is built on demand. From a point the goal is
 * tried; an obstacle in the way adds its corners, and obstacles in the way of those add theirs. Each corner
 * costs as much as a piece of way, so a way with few corners is preferred to a slightly shorter one. */
#include "emit/diagram_route_impl.h"

#include <math.h>

#define MOST_POINTS 400  /* about a hundred obstacles */
#define MOST_TRIES  48   /* lines from one point */
#define CORNER_COST 40.0 /* pixels */
#define AWAY        2.0  /* of a corner from its box, */
#define AWAY_STEP   3.0  /* and more for every second bond, so that fewer meet in one point */

typedef struct {
    hbg_draw_point at;
    double cost; /* of the best way found to it; infinite if none yet */
    int32_t before;
    int32_t tried_from; /* the station from which a line to it was tried last */
    bool done;
} station;

typedef struct {
    hbg_diagram_router *router;
    const hbg_diagram_link *link;
    station stations[MOST_POINTS]; /* the first is the start, the second the goal, then corners by fours */
    int32_t count;
    double away;
} search;

static double distance(hbg_draw_point a, hbg_draw_point b) {
    return hypot(b.x - a.x, b.y - a.y);
}

/* The first of the four stations at the corners of a box; -1 if there is no room for more. */
static int32_t find_corners(search *search, hbg_draw_box box) {
    box = hbg_draw_box_grow(box, search->away);
    hbg_draw_point corners[4] = {
        {box.left, box.top}, {box.right, box.bottom}, {box.left, box.bottom}, {box.right, box.top}};
    for (int32_t i = 2; i < search->count; i += 4) {
        hbg_draw_point first = search->stations[i].at, second = search->stations[i + 1].at;
        bool same = first.x == corners[0].x && first.y == corners[0].y && second.x == corners[1].x &&
                    second.y == corners[1].y;
        if (same) return i;
    }
    if (search->count + 4 > MOST_POINTS) return -1;
    for (int i = 0; i < 4; i++)
        search->stations[search->count++] =
            (station){.at = corners[i], .cost = INFINITY, .before = -1, .tried_from = -1};
    return search->count - 4;
}

/* The next station: its way plus the straight line from there is shortest. -1 if none is left. */
static int32_t nearest(const search *search) {
    int32_t best = -1;
    double least = INFINITY;
    for (int32_t i = 0; i < search->count; i++) {
        const station *station = &search->stations[i];
        double whole = station->cost + distance(station->at, search->stations[1].at);
        if (station->done || !(whole < least)) continue;
        best = i;
        least = whole;
    }
    return best;
}

typedef struct {
    int32_t items[MOST_TRIES];
    int32_t head, tail;
} queue;

static void offer(search *search, queue *queue, int32_t from, int32_t to) {
    station *station = &search->stations[to];
    if (station->tried_from == from || station->done || queue->tail == MOST_TRIES) return;
    station->tried_from = from;
    queue->items[queue->tail++] = to;
}

/* Tries the line between two stations. */
static void try_line(search *search, queue *queue, int32_t from, int32_t to) {
    const station *start = &search->stations[from];
    station *end = &search->stations[to];
    double cost = start->cost + distance(start->at, end->at) + CORNER_COST;
    if (cost >= end->cost) return;
    hbg_diagram_piece piece = {.a = start->at, .b = end->at, .at_tail = from == 0, .at_tip = to == 1};
    hbg_draw_box box;
    if (!hbg_emit_diagram_blocked(search->router, search->link, piece, &box)) {
        end->cost = cost;
        end->before = from;
        return;
    }
    int32_t corners = find_corners(search, box);
    for (int32_t i = 0; i < 4 && corners >= 0; i++) offer(search, queue, from, corners + i);
}

/* Tries to continue from a station: to the goal, and round obstacles. */
static void go_on(search *search, int32_t from) {
    queue queue = {.head = 0, .tail = 0};
    search->stations[from].done = true;
    offer(search, &queue, from, 1);
    while (queue.head < queue.tail) try_line(search, &queue, from, queue.items[queue.head++]);
}

bool hbg_emit_diagram_detour(hbg_diagram_router *router, int32_t index, hbg_draw_point from,
                             hbg_draw_point to) {
    search search = {.router = router, .link = &router->diagram->links[index], .count = 2};
    search.away = AWAY + AWAY_STEP * (index % 2) + 2 * AWAY_STEP * router->diagram->bonds[index].parallel;
    search.stations[0] = (station){.at = from, .before = -1, .tried_from = -1};
    search.stations[1] = (station){.at = to, .cost = INFINITY, .before = -1, .tried_from = -1};
    int32_t at = 0;
    while (at >= 0 && at != 1 && router->budget > 0) {
        go_on(&search, at);
        at = nearest(&search);
    }
    if (at != 1) return false;

    /* back along the stations, then turned round */
    router->way.count = 0;
    for (; at >= 0; at = search.stations[at].before)
        HBG_PUSH(router->diagram->arena, router->way, search.stations[at].at);
    hbg_emit_diagram_reverse(router->way.items, router->way.count);
    return true;
}
