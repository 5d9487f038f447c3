/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of src/verify share: clauses, the literals of modes, and the marks of an assignment as
 * literals.
 *
 * Literals. A literal is a variable, from 1, or its negation, below 0. Variable 1 is true: gates and clauses
 * fold it away, so that a mode known in advance costs nothing. */
#ifndef HBG_VERIFY_IMPL_H
#define HBG_VERIFY_IMPL_H

#include <string.h>

#include "verify/verify.h"

/* ---- clauses (clauses.c) ---------------------------------------------------------------------------------
 */

enum { LITERAL_TRUE = 1, LITERAL_FALSE = -1 };

typedef struct {
    int32_t first, count, most; /* at most so many of these literals, in `limited` */
} verify_limit;

typedef struct {
    hbg_arena *arena;
    int32_t variables;
    HBG_VEC(int32_t) literals; /* clauses, each ended by 0 */
    HBG_VEC(verify_limit) limits;
    HBG_VEC(int32_t) limited;
    int32_t open; /* where the clause under construction begins */
    bool holds;   /* the clause under construction is true anyway */
} verify_clauses;

void hbg_verify_clauses_init(verify_clauses *clauses, hbg_arena *arena);
int32_t hbg_verify_variable(verify_clauses *clauses);
/* A clause is added literal by literal and then ended. */
void hbg_verify_literal(verify_clauses *clauses, int32_t literal);
void hbg_verify_clause_end(verify_clauses *clauses);
void hbg_verify_clause(verify_clauses *clauses, const int32_t *literals, int32_t count);
#define VERIFY_CLAUSE(clauses, ...)                                                                          \
    hbg_verify_clause((clauses), (const int32_t[]){__VA_ARGS__},                                             \
                      (int32_t)(sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)))
/* A literal that is true exactly if at least one of the two is. */
int32_t hbg_verify_or(verify_clauses *clauses, int32_t a, int32_t b);
int32_t hbg_verify_and(verify_clauses *clauses, int32_t a, int32_t b);
/* The literals named since the last call may not hold together more often than that. */
void hbg_verify_limit_literal(verify_clauses *clauses, int32_t literal);
void hbg_verify_limit_end(verify_clauses *clauses, int32_t most);

/* Zero, the answer to a question that was not asked, says that nothing is known. */
typedef enum { ANSWER_UNKNOWN, ANSWER_NONE, ANSWER_FOUND } verify_answer;
/* clauses_solve.c: looks for values of the variables, `values` by variable. Uses no arena. */
verify_answer hbg_verify_solve(hbg_verify_prover *prover, const verify_clauses *clauses, int32_t timeout_ms,
                               uint32_t effort, bool *values);
const char *hbg_verify_why_unknown(const hbg_verify_prover *prover);

/* ---- modes (modes.c, modes_part.c, modes_judge.c) --------------------------------------------------------
 */

/* Places in groups, joined by links of some kind. */
typedef struct {
    int32_t *group; /* by place */
    int32_t count;
    int32_t *start; /* groups+1 */
    int32_t *members;
} verify_groups;

/* What holds in every mode. */
typedef struct {
    int32_t *start;        /* by automaton */
    bool *can_be;          /* by state: reached from a start */
    bool *switches_in;     /* by region: it has a controlled place */
    verify_groups handing; /* places joined by links that hand a variable on: a zero spreads there */
    verify_groups steady;  /* uncontrolled places joined by links: on together, always */
    bool *steady_demands;  /* by group of `steady`: it has an element that is no resistor */
    verify_groups idle;    /* places in groups of `steady` that demand nothing, joined by links */
} verify_always;

/* Literals made for the search under way; 0: none yet. */
typedef struct {
    int32_t *state; /* by state */
    int32_t *expr;  /* by expression */
    int32_t *zero;  /* by place: it is on and an off junction makes its variable zero */
    int32_t *live;  /* by group of `steady`: it is on and joined to an element that is no resistor */
    HBG_VEC(int32_t) states_made, exprs_made, groups_made, live_made;
} verify_literals;

/* The assignment under construction, as literals; see causality_marks.c. */
typedef struct {
    int32_t *part;   /* by place: it is on and in the part of the graph in question */
    int32_t *active; /* by place: its marks count */
    int32_t *more;   /* by place: met needing one more */
    int32_t *less;   /* by place: met needing one less */
    int32_t *mark;   /* by link: mark at its first end that is a place */
    int8_t *held;    /* by link: mark at its end 0 while both ends are on, or HBG_NONE */
    HBG_VEC(int32_t) marks_made;
    HBG_VEC(int32_t) determining; /* of the place in hand: its links determine it */
} verify_draft;

/* Time and searches that questions use up. */
typedef struct {
    int64_t deadline_ms; /* of the question under way; 0: none */
    int32_t patience_ms; /* the time it was given */
    int32_t ran_out;     /* questions that ran out of time so far */
    int32_t searches, judged;
} verify_budget;

struct hbg_verify_modes {
    hbg_arena *arena;
    hbg_verify_prover *prover;
    const hbg_causal_structure *structure;
    hbg_verify_options options;
    verify_budget budget;
    verify_always always;

    /* the search under way */
    verify_clauses clauses;
    const bool *known; /* by place: on, in a given mode, without asking automata. NULL: the mode is sought */
    verify_literals literals;
    verify_draft draft;
    HBG_VEC(int32_t) stack, layer, ways;

    /* judging */
    hbg_verify_modes *inner; /* for a question about one mode inside another question; made when needed */
    hbg_eqn *
        eqn; /* with it a mode that is only passed through counts as valid (semantics, section 3a); or NULL */
    hbg_causal_assignment *assignment;
    bool is_regular; /* the mode judged last is valid as it is */
    int32_t *states; /* by automaton */
    bool *on;        /* by place */
    int32_t *queue;  /* places */
    bool *seen;      /* by place */
};

/* A second one about the same structure, with clauses and literals of its own. */
hbg_verify_modes *hbg_verify_modes_inner(hbg_verify_modes *modes);
/* Forgets clauses and literals. `known` as in the struct. */
void hbg_verify_begin(hbg_verify_modes *modes, const bool *known);
/* The place is on. */
int32_t hbg_verify_on(hbg_verify_modes *modes, int32_t place);
/* Reads the automaton states off the values into modes->states; automata not asked for are at their start. */
void hbg_verify_read_states(hbg_verify_modes *modes, const bool *values);

void hbg_verify_groups_init(hbg_verify_modes *modes);
int32_t hbg_verify_zero(hbg_verify_modes *modes, int32_t place);
int32_t hbg_verify_live(hbg_verify_modes *modes, int32_t place);

/* Assigns the mode of modes->states; true if it has a valid assignment. */
bool hbg_verify_judge(hbg_verify_modes *modes);
/* Collects in modes->queue the places that are on in modes->on and joined to those already there; returns how
 * many there are. `changing`: only along links that can change. hbg_verify_part_end clears what it noted. */
int32_t hbg_verify_part(hbg_verify_modes *modes, int32_t count, bool changing);
void hbg_verify_part_end(hbg_verify_modes *modes, int32_t count);
/* Rules out modes in which the part around these places is the same as in modes->on. */
void hbg_verify_exclude_part(hbg_verify_modes *modes, const int32_t *places, int32_t count);
/* Brings automata of a witness back to their start while `still` holds of modes->states. */
void hbg_verify_simplify(hbg_verify_modes *modes, bool (*still)(hbg_verify_modes *modes, void *context),
                         void *context);

/* ---- questions -------------------------------------------------------------------------------------------
 */

/* One question: its limits begin, its searches run. */
hbg_verify_result hbg_verify_question_begin(hbg_verify_modes *modes);
/* Solves the clauses of the search under way, within what is left of the limits. */
verify_answer hbg_verify_search(hbg_verify_modes *modes, bool *values);
bool hbg_verify_is_spent(hbg_verify_modes *modes); /* time, or the limit of modes, has run out */
void hbg_verify_conclude(hbg_verify_modes *modes, hbg_verify_result *result, hbg_verdict verdict);

/* causality.c: by place, the region it belongs to or is next to, if that has, or may have, a mode without a
 * valid assignment; else HBG_NONE. */
int32_t *hbg_verify_contested(hbg_verify_modes *modes);

/* ---- marks (causality_marks.c) -------------------------------------------------------------------------------------
 */

static inline int32_t verify_place(const hbg_causal_structure *structure, int32_t slot) {
    return structure->links[slot >> 1].end[slot & 1].place;
}

/* A link between two places that determines both or none; otherwise it determines one of them and hands its
 * variable on. */
static inline bool verify_determines_both(const hbg_causal_structure *structure, int32_t link) {
    const hbg_causal_link *at = &structure->links[link];
    return (structure->is_zero[at->end[0].place] != structure->is_zero[at->end[1].place]) != at->odd;
}

/* The mark at a place that a link has when effort arrives at its end 0 or not. */
static inline bool verify_mark_of_value(const hbg_causal_structure *structure, int32_t slot, bool value) {
    bool arrives = hbg_causal_arrives(&structure->links[slot >> 1], slot & 1, value);
    return structure->is_zero[verify_place(structure, slot)] == arrives;
}

/* The mark at a place that the element at the other end wants. */
static inline bool verify_wanted(const hbg_causal_structure *structure, int32_t slot) {
    const hbg_causal_link *link = &structure->links[slot >> 1];
    bool effort = link->end[1 - (slot & 1)].wants_effort;
    bool arrives = link->odd ? effort : !effort;
    return structure->is_zero[verify_place(structure, slot)] == arrives;
}

/* The mark an off junction at the other end leaves at a place: the place is determined, by a zero. */
static inline bool verify_brings_zero(const hbg_causal_structure *structure, int32_t slot) {
    bool dual = structure->dual_off[verify_place(structure, slot ^ 1)];
    return verify_determines_both(structure, slot >> 1) == dual;
}

/* A link that no search may turn over. Regions without a switch were fixed by one assignment of several; there
 * only what leads out of the region is certain. */
static inline bool verify_is_certain(const hbg_verify_modes *modes, int32_t link) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t a = verify_place(structure, 2 * link), b = verify_place(structure, 2 * link + 1);
    if (structure->link_fixed[link] == HBG_NONE) return false;
    if (a != HBG_NONE && b != HBG_NONE && structure->place_region[a] != structure->place_region[b])
        return true;
    int32_t place = a != HBG_NONE ? a : b;
    return place == HBG_NONE || modes->always.switches_in[structure->place_region[place]];
}

/* The mark at a place as a literal; 0 if the element at the other end decides. */
int32_t hbg_verify_mark(hbg_verify_modes *modes, int32_t slot);
/* A mark that may be either, whatever the link. */
int32_t hbg_verify_open_mark(hbg_verify_modes *modes, int32_t slot);
void hbg_verify_forget_marks(hbg_verify_modes *modes);
/* What the place at the other end means for a mark, and how the search goes on over the link. */
void hbg_verify_add_step(hbg_verify_modes *modes, int32_t slot, int32_t mark);
/* A place is zero already and something else insists on determining it. */
int32_t hbg_verify_contradicts_zero(hbg_verify_modes *modes, int32_t place);

typedef struct {
    int32_t any, two; /* one, and two, of the literals hold */
} verify_count;
/* Counts modes->determining; while `single` holds, at most one of them may. */
verify_count hbg_verify_count(hbg_verify_modes *modes, int32_t single);

/* causality_certificate.c: adds a certificate that a region has no valid assignment; the literals that say so
 * go to `roots`, each with a place where it begins. */
typedef struct {
    int32_t literal, place;
} verify_root;
typedef HBG_VEC(verify_root) verify_roots;
void hbg_verify_add_certificate(hbg_verify_modes *modes, int32_t region, verify_roots *roots);
bool hbg_verify_has_certificate(const hbg_verify_modes *modes, int32_t region);

#endif
