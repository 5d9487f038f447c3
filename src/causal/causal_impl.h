/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of src/causal: the state of an assignment and the moves on it.
 *
 * Marks. Every end of every link has a mark: at a place, whether the link determines the place; at an
 * element, whether effort arrives there. The mark at one end gives the mark at the other. */
#ifndef HBG_CAUSAL_IMPL_H
#define HBG_CAUSAL_IMPL_H

#include "causal/causal.h"

typedef struct { /* one flip, so that it can be undone */
    int32_t slot;
    uint8_t mark;
} causal_change;

/* The assignments of one region in the local modes visited so far (001, section 10: left there to future
 * work). */
typedef struct {
    uint64_t *keys;      /* bits of the region's controlled places, `words` for each entry */
    uint8_t **snapshots; /* by entry: a byte for each place and for each link end at the region's places */
    int32_t count, capacity;
    int32_t *slots; /* hash table: entry, or HBG_NONE */
    int32_t slot_count;
    int32_t size, words; /* of a snapshot, of a key */
    int32_t *meaning;    /* by byte of a snapshot: link end, or -1 - place */
    uint64_t *key;       /* of the present local mode of the region; valid while `keyed` */
    int32_t current;     /* entry whose snapshot equals the region's marks, or HBG_NONE */
    bool keyed;
    bool refused; /* the region is too large to be remembered */
} causal_cache;

/* Notes of a search for an alternating path (blossom.c), stamped with the number of the search, so nothing
 * needs clearing; between searches others use the lists as scratch. */
typedef struct {
    int32_t number;
    int32_t *outer, *inner;        /* by vertex: the search in which it became so */
    int32_t *parent, *parent_slot; /* by vertex: the one it was reached from, and over which link end */
    int32_t *base;                 /* by vertex: the base to which its blossom is contracted */
    int32_t *stamp;                /* by vertex: of a query within a search */
    int32_t stamped;
    int32_t *met;                   /* vertices of the search */
    int32_t *queue;                 /* vertices or places to visit */
    int32_t *path;                  /* flips: slot*2 + mark */
    bool closing;                   /* vertices met by a failed search are closed to later searches */
    int32_t round;                  /* of such searches */
    int32_t *closed, *closed_limit; /* by vertex: round and worth_limit of a failed search that met it */
} causal_search;

/* How many links and places are wrong, by region and in all. */
typedef struct {
    int32_t *derivative_in, *waived_in, *bad_in; /* by region */
    int32_t derivative_total, bad_total;
} causal_tally;

/* A set of places, in the order of insertion. */
typedef struct {
    int32_t *items;
    int32_t count;
    bool *has; /* by place */
} causal_place_set;

/* Notes from solving the equations of rings (rings.c). */
typedef struct {
    bool *met;                    /* by place */
    int32_t *all_places, *places; /* met; of the present part */
    int32_t *waits; /* by unknown: how many it waits for, then its number in `left`; HBG_NONE: in no ring */
    int32_t *order, *left, *pivot;
    uint64_t *weights;  /* by unknown; 0 in between */
    int32_t *columns;   /* link ends of elements */
    int32_t *column_of; /* by link: its place there */
    uint64_t *matrix, *rows;
    int32_t matrix_room, rows_room;
    bool is_needed;  /* some part has a ring */
    bool has_turned; /* elements have given way in some mode */
} causal_rings;

/* How a region gets its marks for a mode: it keeps them, has had them before, or searches for them from
 * nothing or from other marks. */
enum { REGION_QUIET, REGION_RECALLED, REGION_ANEW, REGION_SEARCHED };

struct hbg_causal_assignment {
    const hbg_causal_structure *structure;
    hbg_arena *arena;
    bool *on;             /* by place */
    uint8_t *mark;        /* by slot: link*2 + end */
    int32_t *count;       /* by place: links that determine it */
    int32_t *determining; /* by place: sum of the slots that determine it: the slot itself if count is 1 */
    bool *waived;         /* by link: repeats a zero */
    bool *floating;       /* by place */
    bool *dead;           /* by place: it is on, and everything joined to it is known to read 0 (repair.c) */
    bool *rigid;          /* by link: may not be changed by a search */
    bool *relaxed;        /* by link: its ends need not agree (during the search for a conflict); else NULL */
    causal_tally tally;
    int32_t worth_limit; /* only storages worth less may become derivative */
    causal_search search;

    /* affected by a change */
    causal_place_set pending; /* may be out of balance */
    causal_place_set touched; /* have been pending, to be judged at the end */
    causal_place_set changed; /* since the last switch */
    bool *is_grounded;        /* by place: its zeros are done (zeros.c); reset with touched */
    int32_t *candidates;      /* slots of storages that may become integral */
    struct {                  /* while SCAP chooses */
        uint8_t *chosen;      /* by slot: marks that it has chosen */
        bool *queued;         /* by place */
    } scap;
    struct { /* flips since tracing began */
        HBG_VEC(causal_change) flips;
        bool on;
    } trail;
    causal_rings rings;
    bool *reversed; /* by place: `on` is the causality it has, not the state it is in */

    causal_cache *caches;  /* by region */
    uint8_t *region_state; /* by region: while a mode is assigned */

    struct {             /* the mode it began with (enter.c); or NULL */
        bool *on;        /* by place */
        uint8_t *mark;   /* by slot */
        bool *waived;    /* by link */
        bool *bad;       /* by region: it has no marks to start from */
        int32_t *differ; /* places that switch on the way from there, scratch */
    } home;
};

/* ---- marks (assignment.c) ----------------------------------------------------------------------------- */

static inline int32_t causal_place(const hbg_causal_structure *structure, int32_t slot) {
    return structure->links[slot >> 1].end[slot & 1].place;
}

/* The mark at the other end that follows from a mark at this end. */
static inline uint8_t causal_partner(const hbg_causal_structure *structure, int32_t slot, uint8_t mark) {
    const hbg_causal_link *link = &structure->links[slot >> 1];
    int32_t here = link->end[slot & 1].place, there = link->end[1 - (slot & 1)].place;
    bool arrives = here == HBG_NONE || structure->is_zero[here] ? mark : !mark;
    bool other = link->odd ? arrives : !arrives;
    return there == HBG_NONE || structure->is_zero[there] ? other : !other;
}

/* The worth of integral causality at the storage at an end of this link. */
static inline int32_t causal_worth(const hbg_causal_structure *structure, int32_t link) {
    return structure->link_worth ? structure->link_worth[link] : 0;
}

/* Whether the marks of its region are unchanged or recalled. */
static inline bool causal_is_settled(const hbg_causal_assignment *assignment, int32_t place) {
    return assignment->region_state[assignment->structure->place_region[place]] < REGION_ANEW;
}

/* The link end at a port of a storage, source or resistor; HBG_NONE if there is none. */
int32_t hbg_causal_slot_at(const hbg_causal_structure *structure, int32_t element, int32_t port);

/* Notes a change by a switch; see hbg_causal_changed. */
void hbg_causal_note_change(hbg_causal_assignment *assignment, int32_t place);
void hbg_causal_forget_changes(hbg_causal_assignment *assignment);

/* Writes the mark of one end and keeps the counts. */
void hbg_causal_write(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark);
/* Sets a mark and the mark at the other end that follows from it; the places there are pending. */
void hbg_causal_set(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark);
/* Sets the mark of one end alone: links that are waived or relaxed. */
void hbg_causal_set_one(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark);
void hbg_causal_set_waived(hbg_causal_assignment *assignment, int32_t link, bool waived);
void hbg_causal_push(hbg_causal_assignment *assignment, int32_t place);
/* Clears the sets of pending and touched places. */
void hbg_causal_calm(hbg_causal_assignment *assignment);
/* Undoes every flip since `trail.on` was set. */
void hbg_causal_undo(hbg_causal_assignment *assignment);
hbg_causal_assignment *hbg_causal_assignment_copy(hbg_arena *arena, const hbg_causal_assignment *assignment);

/* A search may flip the link between two places that are on. */
bool hbg_causal_passable(const hbg_causal_assignment *assignment, int32_t link);

/* ---- moves -------------------------------------------------------------------------------------------- */

/* What a move costs or gains: how many storages become integral. */
enum { GAIN_NONE = -3, GAIN_DEFICIT = -2, GAIN_LOSS = -1, GAIN_ZERO = 0 };

/* The gain of flipping a link at the element at this end; GAIN_NONE if it may not be flipped. */
int hbg_causal_gain(const hbg_causal_assignment *assignment, int32_t slot);

/* blossom.c: a new number for the stamps `outer` and `inner`, which the caller may use freely. */
void hbg_causal_begin_search(hbg_causal_assignment *assignment);
/* From here to hbg_causal_end_round no search enters vertices where one has failed. In between only paths
 * that searches have found may be applied. */
void hbg_causal_begin_round(hbg_causal_assignment *assignment);
void hbg_causal_end_round(hbg_causal_assignment *assignment);
/* The vertex has lost its partner; finds an alternating path to another and applies it. False if no path
 * gains as much as `least`. With GAIN_DEFICIT the path may also end at a place left without a determining
 * link. */
bool hbg_causal_find_partner(hbg_causal_assignment *assignment, int32_t vertex, int least);

/* alternate.c: brings a place into balance; false if that is impossible for `least`. */
bool hbg_causal_alternate(hbg_causal_assignment *assignment, int32_t place, int least);
/* Turns a derivative storage integral if no other becomes derivative, or one of less worth; the slot is the
 * storage's. */
bool hbg_causal_improve(hbg_causal_assignment *assignment, int32_t slot);

/* zeros.c: lets each place around here have one of the zeros that off junctions set; the others are waived.
 * False if there is none, or this was done before since the last hbg_causal_calm. */
bool hbg_causal_ground(hbg_causal_assignment *assignment, int32_t place);
/* Restores the links waived around a place. */
void hbg_causal_unground(hbg_causal_assignment *assignment, int32_t place);

/* repair.c: balances all pending places, turns unnecessary derivative storages back, judges the rest:
 * floating or bad. */
void hbg_causal_settle(hbg_causal_assignment *assignment);
/* Forgets the parts that read 0 around a place. */
void hbg_causal_wake(hbg_causal_assignment *assignment, int32_t place);

/* rings.c: if the equations of a ring around touched places contradict each other, elements give way. */
void hbg_causal_begin_rings(hbg_arena *arena, hbg_causal_assignment *assignment);
void hbg_causal_solve_rings(hbg_causal_assignment *assignment);

/* hybrid.c: direct consequences at a place that has switched; then its surroundings, if found harmless
 * before, are judged again. If several switch, all offs come before all ons. */
void hbg_causal_turn(hbg_causal_assignment *assignment, int32_t place);
void hbg_causal_question(hbg_causal_assignment *assignment, int32_t place);

/* scap.c: chooses the marks of a region from nothing; it has to be settled afterwards. */
void hbg_causal_sequence(hbg_causal_assignment *assignment, int32_t region);
/* Assigns and judges the links that join no place. */
void hbg_causal_assign_bare(hbg_causal_assignment *assignment);

/* gates.c: puts gates into the links of the junctions that need them. */
void hbg_causal_make_gates(hbg_arena *arena, hbg_causal_structure *structure);

/* transmission.c, rings.c, preference.c, fixed.c, regions.c: the offline analysis. */
void hbg_causal_find_transmission(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_rings(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_worth(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_fixed(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_regions(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_never(hbg_arena *arena, hbg_causal_structure *structure);

/* cache.c: takes the marks of the region's local mode from the cache; false if it was not seen before. */
bool hbg_causal_recall(hbg_causal_assignment *assignment, int32_t region);
void hbg_causal_remember(hbg_causal_assignment *assignment, int32_t region);
/* Notes that a place has switched; that the marks of a region have changed; that everything has. */
void hbg_causal_cache_switch(hbg_causal_assignment *assignment, int32_t place);
void hbg_causal_cache_leave(hbg_causal_assignment *assignment, int32_t region);
void hbg_causal_cache_reset(hbg_causal_assignment *assignment);

#endif
