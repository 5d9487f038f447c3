/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality of a hybrid bond graph in every mode: SCAP, Hybrid SCAP, fixed, constrained and forced causality
 * (001, sections 3 to 6), with derivative causality where the structure forces it (semantics, section 3).
 *
 * There are two objects. The structure holds in all modes: it is made once from a frozen model and shared. An
 * assignment belongs to one caller, who goes through modes: it starts in one mode and follows the junctions
 * that switch.
 *
 * Places and links. A place is a junction. A link leads from a place to another place or to a one-port, along
 * a bond or through a chain of transformers and gyrators. A link *determines* a place when it sets its common
 * variable: effort arriving at a 0-junction, effort leaving a 1-junction. A place that is on is determined by
 * exactly one of its links (Definition 1: its determining bond); off, by none (0/E, 1/F) or, formally, by all
 * (0/F, 1/E).
 *
 * Gates. If parasites may have to decide at a junction bond by bond, or without a source that it cuts
 * (semantics, section 3a), the junction has a gate in each such bond: a place of the other kind with two
 * links. Off, a 0/F is a 0/E whose gates are off; a bond whose gate is on instead is given the junction's
 * effort. A gate that is off separates its source from the junction. */
#ifndef HBG_CAUSAL_H
#define HBG_CAUSAL_H

#include "model/model.h"

/* ---- structure ---------------------------------------------------------------------------------------- */

/* What the element at the end of a link demands. */
typedef enum {
    HBG_DEMAND_FREE,   /* R: takes effort or flow */
    HBG_DEMAND_PREFER, /* C, I: integral causality if possible */
    HBG_DEMAND_MUST    /* Se, Sf; with `integral` also C and I */
} hbg_causal_demand;

typedef struct {
    int32_t place;            /* junction, or HBG_NONE at an element */
    int32_t element;          /* in model.elements, place or not */
    int32_t port;             /* of the element, from 1; 0 at a junction */
    hbg_causal_demand demand; /* at an element */
    bool wants_effort;        /* at an element that demands or prefers: effort arrives there */
    bool is_source;           /* Se, Sf: cut while its junction is off */
} hbg_causal_end;

typedef struct {
    hbg_causal_end end[2];
    int32_t first_bond, bond_count; /* in structure.chain: the bonds from end 0 to end 1 */
    bool odd; /* with an odd number of gyrators: effort arrives at both ends or at neither */
} hbg_causal_link;

typedef struct {
    bool integral;     /* refuse derivative causality, as 001 does */
    const bool *gated; /* by junction, in the order of places: it needs gates; NULL: none do */
} hbg_causal_options;

typedef struct {
    const hbg_model *model;
    hbg_causal_options options;

    int32_t place_count;
    int32_t *place_element; /* by place: its junction in model.elements */
    int32_t *element_place; /* by element: its place, or HBG_NONE */
    bool *is_zero;          /* by place: a 0-junction */
    bool *controlled;       /* by place */
    bool *dual_off;         /* by place */
    int32_t
        *control_group; /* by place: places with equal control switch together; HBG_NONE if uncontrolled */
    int32_t junction_count; /* places of junctions: gates come after them, with the same element */
    int32_t *gate_of;       /* by place: the place whose gate it is, or HBG_NONE */
    int32_t *gate_bond;     /* by gate: its bond at the junction; by other places HBG_NONE */

    int32_t link_count;
    hbg_causal_link *links;
    int32_t *chain;       /* bonds of the links */
    int32_t *place_start; /* places+1: where a place's links begin in place_links */
    int32_t *place_links; /* link*2 + end */
    int32_t *bond_link;   /* by bond: its link; HBG_NONE in a closed ring of transformers */
    int32_t *bond_entry;  /* by bond of a link: where it is in chain */
    int32_t *
        link_vertex; /* by link that always determines exactly one of its places: its vertex; else HBG_NONE */
    int32_t *vertex_link; /* the inverse, from vertex place_count on */
    int32_t vertex_count;
    int32_t
        *link_worth; /* by link to a storage: its worth if integral; NULL if all are equal (preference.c) */

    uint64_t *transmission; /* by link end, twice: factor of an arriving effort, or flow (transmission.c) */
    int32_t *place_part;    /* by place: the same number if links join places */
    bool *place_in_ring;    /* by place: links of its part close a ring */

    /* the offline analysis (001, section 4); see fixed.c */
    int8_t *link_fixed;      /* by link: HBG_NONE not fixed, else its value in every mode (effort at end 0) */
    bool *place_constrained; /* by place: Definition 3 */
    bool *place_never_reassigns; /* by place: it switches without a reassignment (001, section 6) */
    bool *place_alive;           /* by place: while it is on it does not float */
    int32_t *place_region;       /* by place: parts that no reassignment crosses */
    int32_t region_count;
    int32_t *region_start; /* regions+1: where a region's places begin in region_places */
    int32_t *region_places;
    int32_t *place_bit;        /* by controlled place: its index among those of its region */
    int32_t *region_odd_start; /* regions+1: where a region's odd links begin in odd_links */
    int32_t *odd_links;        /* links that close a cycle with an odd number of gyrators */
} hbg_causal_structure;

hbg_causal_options hbg_causal_options_default(void);
/* Makes the structure of a frozen model in the arena. */
hbg_causal_structure *hbg_causal_structure_new(hbg_arena *arena, const hbg_model *model,
                                               const hbg_causal_options *options);

/* The junction that, when off, cuts the source at an end of the link, with the transformers and gyrators
 * between: it sets the variable that the source would (semantics, section 3); or HBG_NONE. */
int32_t hbg_causal_cutting_place(const hbg_causal_structure *structure, int32_t link);
/* The gate of a junction in one of its bonds; or HBG_NONE. */
int32_t hbg_causal_gate_at(const hbg_causal_structure *structure, int32_t place, int32_t bond);

/* Whether a bond can ever be the determining bond of a place: it is not in the opposite fixed causality. A
 * junction in constrained causality can take only these bonds (Definition 3). */
bool hbg_causal_can_determine(const hbg_causal_structure *structure, int32_t place, int32_t bond);

/* Effort arrives at an end of a link whose value (effort arrives at end 0) is given. */
static inline bool hbg_causal_arrives(const hbg_causal_link *link, int end, bool value) {
    return end == 0 ? value : link->odd ? value : !value;
}

/* ---- modes -------------------------------------------------------------------------------------------- */

/* Which places are on when the automata are in the given states (by automaton, index of the state). The arena
 * is for temporary memory, which is released before the return. */
void hbg_causal_mode(hbg_arena *arena, const hbg_causal_structure *structure, const int32_t *states,
                     bool *on);
/* The same for one place. */
bool hbg_causal_place_mode(const hbg_causal_structure *structure, int32_t place, const int32_t *states);

/* ---- assignments -------------------------------------------------------------------------------------- */

typedef struct hbg_causal_assignment hbg_causal_assignment;

/* An assignment in its own memory of the arena; no mode yet. All its memory is allocated here, except the
 * cache of local modes, which grows on the first visit to one. */
hbg_causal_assignment *hbg_causal_assignment_new(hbg_arena *arena, const hbg_causal_structure *structure);

/* SCAP: assigns a mode from nothing. False if it has no valid assignment; see hbg_causal_conflict. */
bool hbg_causal_assign(hbg_causal_assignment *assignment, const bool *on);

/* Hybrid SCAP: the places listed switch, all at once; only the affected parts are assigned anew. False as
 * above. */
bool hbg_causal_switch(hbg_causal_assignment *assignment, const int32_t *places, int32_t count);

/* Modes without a history. The mode that an assignment begins with is assigned from nothing; each local mode
 * of a region has the marks that Hybrid SCAP gives from there, whichever modes came before. The cost of
 * entering is that of the regions of the places that switch, or a look-up if a local mode was entered before.
 * False as above. */
bool hbg_causal_begin(hbg_causal_assignment *assignment, const bool *on);
bool hbg_causal_enter(hbg_causal_assignment *assignment, const int32_t *places, int32_t count);

/* A controlled place is reversed if its parasite gives its common variable, while it is on, or its sum, while
 * it is off (semantics, section 3a). It then has the causality of the other state: the modes above say `off`
 * for such a place that is on, and vice versa. Queries below answer with the state that the place is in. */
void hbg_causal_set_reversed(hbg_causal_assignment *assignment, int32_t place, bool reversed);
bool hbg_causal_is_reversed(const hbg_causal_assignment *assignment, int32_t place);

/* Places at which something may have changed since the last switch (all of them after an assignment from
 * nothing): on or off, floating, their determining bond, or where effort arrives on their links. */
const int32_t *hbg_causal_changed(const hbg_causal_assignment *assignment, int32_t *count);

bool hbg_causal_valid(const hbg_causal_assignment *assignment);
bool hbg_causal_is_on(const hbg_causal_assignment *assignment, int32_t place);
/* The value of a link: effort arrives at its end 0. */
bool hbg_causal_value(const hbg_causal_assignment *assignment, int32_t link);
/* The determining bond of a place; HBG_NONE while it is off or floating. */
int32_t hbg_causal_determining_bond(const hbg_causal_assignment *assignment, int32_t place);
/* Where the causal stroke of a bond is when its link has the given value. */
int hbg_causal_stroke_of(const hbg_causal_structure *structure, int32_t bond, bool value);
/* Where the causal stroke of a bond is: 0 at its `from` end, 1 at its `to` end: effort arrives there. */
int hbg_causal_stroke(const hbg_causal_assignment *assignment, int32_t bond);
/* A storage's port is in derivative causality: the storage is dependent. */
bool hbg_causal_is_derivative(const hbg_causal_assignment *assignment, int32_t element, int32_t port);
int32_t hbg_causal_derivative_count(const hbg_causal_assignment *assignment);
/* The same for one region, and whether it is valid by itself. The number after the last region stands for
 * links that join no place. */
int32_t hbg_causal_region_derivatives(const hbg_causal_assignment *assignment, int32_t region);
bool hbg_causal_region_valid(const hbg_causal_assignment *assignment, int32_t region);
/* A place that is on and joined to the rest only through off ones: its variable reads 0. */
bool hbg_causal_is_floating(const hbg_causal_assignment *assignment, int32_t place);
/* A link that repeats a zero which two off junctions already set; it has no effect. */
bool hbg_causal_is_repeated(const hbg_causal_assignment *assignment, int32_t link);

/* Forced causality (Definition 4): marks the places that have only one possible determining bond in this
 * mode. */
void hbg_causal_forced(hbg_arena *arena, const hbg_causal_assignment *assignment, bool *forced);

/* Why the mode has no valid assignment: an irreducible set of bonds, in the arena; dropping any one of them
 * makes the mode solvable. Only a set of many thousand bonds may contain superfluous ones. */
typedef struct {
    int32_t *bonds;
    int32_t count;
} hbg_causal_conflict_set;
hbg_causal_conflict_set hbg_causal_conflict(hbg_arena *arena, const hbg_causal_structure *structure,
                                            const bool *on);

/* For such a mode: 0-junctions with undetermined effort, since everything that joins them to the rest is off.
 * False: that is not the reason, or not the only one. */
typedef struct {
    HBG_VEC(int32_t) nodes; /* 0-junctions */
    HBG_VEC(int32_t) cuts;  /* 1-junctions that are off */
} hbg_causal_floating_set;
bool hbg_causal_floating(hbg_arena *arena, const hbg_causal_structure *structure, const bool *on,
                         const hbg_causal_conflict_set *conflict, hbg_causal_floating_set *found);
/* The parts that float in every mode: no mode determines the efforts of their 0-junctions. */
typedef HBG_VEC(hbg_causal_floating_set) hbg_causal_floating_sets;
hbg_causal_floating_sets hbg_causal_ungrounded(hbg_arena *arena, const hbg_model *model);

/* Algebraic loops of a valid assignment: sets of places that determine each other through resistors. `loop`
 * gets for each place the number of its loop, or HBG_NONE; returns the number of loops. */
int32_t hbg_causal_loops(hbg_arena *arena, const hbg_causal_assignment *assignment, int32_t *loop);

/* The members of the loops, numbered as above: junctions (port 0) and ports of resistors, in the order of
 * loops, elements and ports. A junction in two loops is listed twice. */
typedef struct {
    int32_t loop;
    int32_t element, port;
} hbg_causal_loop_member;
typedef struct {
    hbg_causal_loop_member *items;
    int32_t count;
    int32_t loop_count;
} hbg_causal_loop_members;
hbg_causal_loop_members hbg_causal_loops_with_members(hbg_arena *arena,
                                                      const hbg_causal_assignment *assignment);

/* Causal paths of a valid assignment: the ways that an effort or flow given at a port of a storage, source or
 * resistor takes through the junction structure until it arrives at ports of elements. No path leads through
 * the law of an element; gyrators turn effort into flow and back. Paths that begin at one port share their
 * beginnings, so they are a tree: a step is a bond passed, with a reference to the step before it. If two
 * paths lead to the same port, the one over fewer junctions is in the tree. A path may end at the port it
 * began at. */
typedef struct {
    int32_t bond;
    bool effort;           /* the bond's effort is passed on, else its flow */
    int32_t before;        /* the step before this one, smaller than its own number; HBG_NONE at the start */
    int32_t element, port; /* if a path ends with this step; else element is HBG_NONE */
} hbg_causal_step;
typedef struct {
    hbg_causal_step *steps; /* those closer to the start come first */
    int32_t count;
} hbg_causal_path_tree;
/* The paths that begin at a port of a storage, source or resistor; other elements have none. */
hbg_causal_path_tree hbg_causal_paths(hbg_arena *arena, const hbg_causal_assignment *assignment,
                                      int32_t element, int32_t port);
/* The bonds from the start to a step, in that order, in the arena; returns their number. */
int32_t hbg_causal_path_bonds(hbg_arena *arena, const hbg_causal_path_tree *tree, int32_t step,
                              int32_t **bonds);

#endif
