/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every assignment of a mode, by trying all values of all links, with the branches cut off that already break
 * a rule. For graphs of up to some twenty links. */
#ifndef HBG_TESTS_CAUSAL_BRUTE_IMPL_H
#define HBG_TESTS_CAUSAL_BRUTE_IMPL_H

#include "causal/causal.h"

#define BRUTE_PLACES 32
#define BRUTE_LINKS  64

typedef struct brute brute;
struct brute {
    const hbg_causal_structure *structure;
    const bool *on;      /* by place */
    const bool *dropped; /* by link: its ends need not agree; NULL for none */
    const int8_t *held;  /* by link: the value it must have unless it is cut, or HBG_NONE; NULL for none */
    int limit;           /* most derivative storages; INT32_MAX for any number */
    void (*found)(brute *b, void *user);
    void *user;

    int8_t value[BRUTE_LINKS]; /* of the assignment found */
    int determined[BRUTE_PLACES], open[BRUTE_PLACES];
    int32_t determining[BRUTE_PLACES]; /* link*2 + end, in an assignment found */
    int derivative;
    int64_t count; /* assignments found */
    int best;      /* fewest derivative storages of all found; -1 if none was */
};

static inline bool brute_is_on(const brute *b, int32_t place) {
    return place == HBG_NONE || b->on[place];
}

/* Takes a value at one end of a link; false if that breaks a rule. */
static inline bool brute_end(brute *b, int32_t link, int end, bool arrives) {
    const hbg_causal_end *at = &b->structure->links[link].end[end];
    int32_t other = b->structure->links[link].end[1 - end].place;
    if (at->place != HBG_NONE) {
        bool determines = arrives == b->structure->is_zero[at->place];
        if (!b->on[at->place]) return determines == b->structure->dual_off[at->place];
        if (!determines) return true;
        b->determining[at->place] = 2 * link + end;
        return ++b->determined[at->place] == 1;
    }
    bool wanted = arrives == at->wants_effort;
    if (at->demand == HBG_DEMAND_MUST) return wanted || (at->is_source && !brute_is_on(b, other));
    if (at->demand == HBG_DEMAND_PREFER && !wanted) b->derivative++;
    return true;
}

/* A source behind an off junction: it is cut, and its bond has no say. */
static inline bool brute_is_cut(const brute *b, int32_t link) {
    const hbg_causal_end *end = b->structure->links[link].end;
    return (end[0].is_source && !brute_is_on(b, end[1].place)) ||
           (end[1].is_source && !brute_is_on(b, end[0].place));
}

static inline void brute_next(brute *b, int32_t link);

/* Goes on with two values of the ends of a link, then takes them back. */
static inline void brute_try(brute *b, int32_t link, int first, int second) {
    const hbg_causal_end *end = b->structure->links[link].end;
    int derivative = b->derivative, determined[2] = {0, 0};
    int32_t determining[2] = {0, 0};
    for (int e = 0; e < 2; e++)
        if (end[e].place != HBG_NONE) {
            determined[e] = b->determined[end[e].place];
            determining[e] = b->determining[end[e].place];
        }
    bool good = (first < 0 || brute_end(b, link, 0, first)) && (second < 0 || brute_end(b, link, 1, second));
    for (int e = 0; e < 2; e++)
        if (end[e].place != HBG_NONE && --b->open[end[e].place] == 0 && b->on[end[e].place])
            good = good && b->determined[end[e].place] == 1;
    if (good && b->derivative <= b->limit) brute_next(b, link + 1);
    b->derivative = derivative;
    for (int e = 0; e < 2; e++)
        if (end[e].place != HBG_NONE) b->open[end[e].place]++;
    for (int e = 1; e >= 0; e--)
        if (end[e].place != HBG_NONE) {
            b->determined[end[e].place] = determined[e];
            b->determining[end[e].place] = determining[e];
        }
}

static inline void brute_next(brute *b, int32_t link) {
    if (link == b->structure->link_count) {
        b->count++;
        if (b->best < 0 || b->derivative < b->best) b->best = b->derivative;
        if (b->found) b->found(b, b->user);
        return;
    }
    const hbg_causal_link *l = &b->structure->links[link];
    int32_t here = l->end[0].place, there = l->end[1].place;
    if (b->dropped && b->dropped[link]) { // an element whose bond is gone has what it wants
        for (int first = here == HBG_NONE ? -1 : 0; first < (here == HBG_NONE ? 0 : 2); first++)
            for (int second = there == HBG_NONE ? -1 : 0; second < (there == HBG_NONE ? 0 : 2); second++)
                brute_try(b, link, first, second);
        return;
    }
    if (!brute_is_on(b, here) && !brute_is_on(b, there)) { // each sets its own end
        b->value[link] = HBG_NONE;
        brute_try(b, link, -1, -1);
        return;
    }
    for (int8_t value = 0; value < 2; value++) {
        bool held = b->held && b->held[link] != HBG_NONE && !brute_is_cut(b, link);
        if (held && b->held[link] != value) continue;
        b->value[link] = value;
        brute_try(b, link, hbg_causal_arrives(l, 0, value), hbg_causal_arrives(l, 1, value));
    }
}

static inline bool brute_is_small(const hbg_causal_structure *structure) {
    return structure->place_count <= BRUTE_PLACES && structure->link_count <= BRUTE_LINKS;
}

/* Runs through all assignments; b->best is the fewest derivative storages, -1 if there is none. */
static inline int brute_run(brute *b) {
    HBG_ASSERT(brute_is_small(b->structure));
    b->best = -1;
    b->count = 0;
    b->derivative = 0;
    for (int32_t place = 0; place < b->structure->place_count; place++) {
        b->determined[place] = 0;
        b->open[place] = b->structure->place_start[place + 1] - b->structure->place_start[place];
        if (b->open[place] == 0 && b->on[place]) return -1;
    }
    brute_next(b, 0);
    return b->best;
}

static inline int brute_best(const hbg_causal_structure *structure, const bool *on) {
    brute b = {.structure = structure, .on = on, .limit = INT32_MAX};
    return brute_run(&b);
}

#endif
