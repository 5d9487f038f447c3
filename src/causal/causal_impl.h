/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of src/causal share: the state of an assignment and the moves on it.
 *
 * Marks. Every end of every link has a mark: at a place, whether the link determines the place; at an
 * element, whether effort arrives there. The mark at one end gives the mark at the other. */
#ifndef HBG_CAUSAL_IMPL_H
#define HBG_CAUSAL_IMPL_H

#include "causal/causal.h"

typedef struct { /* one flip, so that it can be taken back */
    int32_t slot;
    uint8_t mark;
} causal_change;

/* The assignments of one region in the local modes visited so far (001, section 10: left there to future
 * work). */
typedef struct {
    uint64_t *keys;      /* bits of the region's controlled places, `words` for each entry */
    uint8_t **snapshots; /* by entry: a byte for each link end at the region's places */
    int32_t count, capacity;
    int32_t *slots; /* hash table: entry, or HBG_NONE */
    int32_t slot_count;
    int32_t size, words; /* of a snapshot, of a key */
    bool refused;        /* the region is too large to be remembered */
} causal_cache;

struct hbg_causal_assignment {
    const hbg_causal_structure *structure;
    hbg_arena *arena;
    bool *on;             /* by place */
    uint8_t *mark;        /* by slot: link*2 + end */
    int32_t *count;       /* by place: links that determine it */
    int32_t *determining; /* by place: sum of the slots that determine it: the slot itself where count is 1 */
    bool *waived;         /* by link: repeats a zero */
    bool *floating;       /* by place */
    bool *rigid;          /* by link: may not be changed by a search */
    bool *relaxed;        /* by link: its ends need not agree (looking for a conflict); NULL otherwise */
    int32_t *derivative_in, *waived_in, *floating_in, *bad_in; /* by region: how many there are */
    int32_t derivative_total, bad_total;

    /* search: marked with the number of the search, so that nothing needs clearing */
    int32_t search;
    int32_t *seen;    /* by place*2 + need: search that met it */
    int32_t *reached; /* by place*2 + need: slot of the flip that led there */
    int32_t *from;    /* by place*2 + need: node before; HBG_NONE at the start */
    int32_t *queue;
    int32_t *pending; /* places that may be out of balance */
    int32_t pending_count;
    bool *is_pending;
    uint8_t *chosen;              /* by slot: marks that SCAP has chosen */
    HBG_VEC(causal_change) trail; /* flips since tracing began */
    bool tracing;

    causal_cache *caches; /* by region */
    bool *region_done;    /* by region: while switching */
};

enum { NEED_ONE_MORE = 0, NEED_ONE_LESS = 1 };

/* ---- marks (assignment.c) ----------------------------------------------------------------------------- */

static inline int32_t causal_place(const hbg_causal_structure *structure, int32_t slot) {
    return structure->links[slot >> 1].end[slot & 1].place;
}

/* The mark that a mark at this end means for the other end. */
static inline uint8_t causal_partner(const hbg_causal_structure *structure, int32_t slot, uint8_t mark) {
    const hbg_causal_link *link = &structure->links[slot >> 1];
    int32_t here = link->end[slot & 1].place, there = link->end[1 - (slot & 1)].place;
    bool arrives = here == HBG_NONE || structure->is_zero[here] ? mark : !mark;
    bool other = link->odd ? arrives : !arrives;
    return there == HBG_NONE || structure->is_zero[there] ? other : !other;
}

/* Sets a mark and the mark at the other end that follows from it, keeping counts and lists. */
void hbg_causal_set(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark);
/* Sets the mark of one end alone: links that are waived or relaxed. */
void hbg_causal_set_one(hbg_causal_assignment *assignment, int32_t slot, uint8_t mark);
void hbg_causal_set_waived(hbg_causal_assignment *assignment, int32_t link, bool waived);
void hbg_causal_push(hbg_causal_assignment *assignment, int32_t place);
/* Takes back every flip since `tracing` was set. */
void hbg_causal_undo(hbg_causal_assignment *assignment);
/* The place has what it needs: one determining link if on; none or all if off. */
bool hbg_causal_balanced(const hbg_causal_assignment *assignment, int32_t place);
hbg_causal_assignment *hbg_causal_assignment_copy(hbg_arena *arena, const hbg_causal_assignment *assignment);

/* ---- moves -------------------------------------------------------------------------------------------- */

/* alternate.c: brings a place into balance along an alternating path; false if there is none. With
 * `gain_only` only paths that end without making a storage derivative. */
bool hbg_causal_alternate(hbg_causal_assignment *assignment, int32_t place, bool gain_only);
/* Turns a derivative storage integral if no other has to pay; the slot is the storage's. */
bool hbg_causal_improve(hbg_causal_assignment *assignment, int32_t slot);

/* repair.c: balances all pending places, accepts the harmless cases, improves the derivative storages of the
 * regions named. False if a place stays out of balance. */
bool hbg_causal_repair(hbg_causal_assignment *assignment);
void hbg_causal_settle(hbg_causal_assignment *assignment, int32_t region);

/* scap.c: chooses the marks of a region (or of all, HBG_NONE) from nothing; the second also settles it. */
void hbg_causal_sequence(hbg_causal_assignment *assignment, int32_t region);
void hbg_causal_clear_region(hbg_causal_assignment *assignment, int32_t region);
void hbg_causal_assign_region(hbg_causal_assignment *assignment, int32_t region);
/* odd.c: the same for a region with cycles of an odd number of gyrators. */
void hbg_causal_assign_odd(hbg_causal_assignment *assignment, int32_t region);

/* fixed.c, regions.c: the offline analysis. */
void hbg_causal_find_fixed(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_regions(hbg_arena *arena, hbg_causal_structure *structure);
void hbg_causal_find_never(hbg_arena *arena, hbg_causal_structure *structure);

/* cache.c */
bool hbg_causal_recall(hbg_causal_assignment *assignment, int32_t region);
void hbg_causal_remember(hbg_causal_assignment *assignment, int32_t region);

#endif
