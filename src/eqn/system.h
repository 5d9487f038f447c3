/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The meaning of a model, as terms: variables and their laws, guards, what is the same in every mode, and
 * islands that jump together. Code is compiled from it; proofs access it through eqn.h. */
#ifndef HBG_EQN_SYSTEM_H
#define HBG_EQN_SYSTEM_H

#include "eqn/equation.h"

/* ---- what is the same in every mode ------------------------------------------------------------------- */

/* Found once from the fixed causality of the structure; see vary.c. */
typedef struct {
    bool *select;        /* by place: it switches by a select, with the causality of its on state */
    int8_t *link_value;  /* by link: whether effort arrives at its end 0 in every mode; HBG_NONE: varies */
    bool *place_steady;  /* by place: its equations are the same in every mode */
    bool *bond_varies;   /* by bond: one of its equations depends on the mode */
    bool *may_integral;  /* by state */
    bool *may_dependent; /* by state */
    bool any;            /* some bond varies */
} variation;

/* Whether the result about storages that read their own rates follows from which of these places are on. */
bool hbg_eqn_ties_follow_from(const equations *all, const int32_t *places, int32_t count);
void hbg_eqn_find_selects(hbg_eqn *eqn);                   /* select, link_value and place_steady */
void hbg_eqn_find_variation(hbg_eqn *eqn);                 /* the rest, once variables are numbered */
bool hbg_eqn_varies(const hbg_eqn *eqn, int32_t variable); /* of any layer */
/* Variables an equation reads, or may read in some mode. Known ones are among them. */
void hbg_eqn_equations_reads(equations *all, int32_t variable, int32_map *reads);

/* What an equation of a varying bond depends on: facts of its link and of the places at its ends. As numbers
 * they are the key of compiled code. */
typedef struct {
    int32_map places, links;
    int32_map clusters; /* clusters whose places are all added: every variable of a cluster needs them */
} fact_set;
void hbg_eqn_add_facts(hbg_eqn *eqn, hbg_arena *arena, int32_t variable, fact_set *facts);
void hbg_eqn_add_clusters(hbg_eqn *eqn, hbg_arena *arena, fact_set *facts);
void hbg_eqn_close_facts(hbg_eqn *eqn, hbg_arena *arena, fact_set *facts); /* sorted, each once */
int32_t hbg_eqn_fact_count(const fact_set *facts);
void hbg_eqn_read_facts(const hbg_causal_assignment *assignment, const fact_set *facts, uint64_t *key);

/* ---- conflicts and floating parts (semantics, section 3a) --------------------------------------------- */

typedef struct {      /* a multiple of the value given by the parasite of a reversed place */
    int32_t reversed; /* its number among those of the mode */
    hbg_term factor;
} limit_share;

/* A cluster in a local mode; see limit_mode.c. */
typedef struct limit_mode {
    bool *on;          /* by place of the cluster */
    int32_t *reversed; /* reversed places; as many as the null space has dimensions */
    int32_t reversed_count;
    int32_t *start; /* first share: by variable of the cluster, then by parameter of its places; and an end */
    limit_share *shares; /* shares of these in the null space */
    hbg_term *gram;      /* by two reversed places: their product over the parameters of all places */
    bool driven;         /* sources take part: something may be unbounded */
    struct limit_mode *next;
} limit_mode;

/* Connected variables that can be unbounded in some mode; see limit.c. */
typedef struct {
    int32_map variables; /* of bonds: 2·bond for the effort, and 1 more for the flow */
    int32_map places;    /* controlled junctions among the elements */
    int32_map elements;  /* elements at these variables */
    int32_map two_ports; /* those of the elements */
    bool may_be_driven;  /* sources, or junctions with restitution, can take part in some mode */
    limit_mode *modes;   /* visited so far */
    bool *asked;         /* the local mode to find, as in `modes` */
    int32_t *part; /* by variable: number of its part, connected while all places are off; NULL: unknown */
    int32_t *element_part; /* by element, likewise; HBG_NONE: that of a place, between several */
    bool has_parts;        /* places that are off connect nothing */
} limit_cluster;

typedef struct {
    HBG_VEC(limit_cluster) clusters;
    int32_t *cluster_of;       /* by place: cluster of a controlled one that can take part, or HBG_NONE */
    int32_t *place_number;     /* by place of a cluster: its number there */
    int32_t *variable_cluster; /* by variable as above; NULL without clusters */
    int32_t *local;            /* by variable: its number there */
} limit_structure;

/* A bond may read any conflict of its cluster, but its arc leads to one of them: returns the cluster if
 * `read` is such a conflict. */
int32_t hbg_eqn_limit_ring(const hbg_eqn *eqn, int32_t reader, int32_t read);
/* The place of the local mode of a cluster among those visited, or the free place for it; `on` is by place of
 * the structure. */
limit_mode **hbg_eqn_limit_find(limit_cluster *of, const bool *on);
/* The local mode of a cluster; which places are reversed in a mode. Places that switch by a select are on. */
const limit_mode *hbg_eqn_limit_in(hbg_eqn *eqn, int32_t cluster, const bool *on);
void hbg_eqn_reverse(hbg_eqn *eqn, const bool *on, bool *reversed);
/* SCAP, with places reversed if needed. Returns false if the mode still has no valid assignment. */
bool hbg_eqn_assign(hbg_eqn *eqn, hbg_causal_assignment *assignment, const bool *on);
/* The local mode of a cluster in the mode of the equations; NULL: nothing is reversed there. */
const limit_mode *hbg_eqn_equations_limit(equations *all, int32_t cluster);
/* Whether something in the cluster can be unbounded in this mode: sources take part. */
bool hbg_eqn_equations_is_driven(equations *all, int32_t cluster);
/* The unbounded part, times η, of the parameter of a place (its common variable while it is on, its sum while
 * it is off), which is what is lost in it. */
hbg_term hbg_eqn_equations_drop(equations *all, int32_t place);
/* The same for one bond of a junction that is off the other way. */
hbg_term hbg_eqn_equations_leak(equations *all, int32_t place, int32_t bond);
/* Whether an effort, a flow or a state after a jump decides the variable, also through signals. */
bool hbg_eqn_is_physical(hbg_eqn *eqn, int32_t variable);
/* Adds the variables of a term, except parameters. */
void hbg_eqn_equations_read_term(equations *all, hbg_term term, int32_map *reads);
/* The unbounded part of a variable of the value layer, times η, as a term; HBG_NONE: none in this mode. */
hbg_term hbg_eqn_equations_unbounded(equations *all, int32_t variable);

/* ---- islands ------------------------------------------------------------------------------------------ */

/* A piece of an island, in a mode in which no place is reversed. */
typedef struct island_piece {
    bool can_jump;      /* some storage of the island is dependent */
    int32_map decisive; /* gets the variables whose equations decide what pulses */
} island_piece;

/* An island: automata, junctions, storages that may jump, and what their guards read, if they can influence
 * one another at an instant. */
typedef struct {
    int32_map automata, relations, states, variables, pres, ins, powers, bonds, restitution;
    int32_map asked;            /* variables of all layers that may be requested from its code */
    bool shares_source;         /* of a group: it shares a source with others */
    struct island_piece *piece; /* NULL: it is not a piece */
    fact_set facts;
} island;

enum { LIMIT_ORDERS = 3 }; /* an unbounded part and its first two derivatives in time */

typedef struct {
    int32_t of;  /* variable; of a conflict, the element */
    bool usual;  /* no effort, flow or state decides the variable: it counts as usual in a shorted mode */
    bool effort; /* of a conflict: the effort of the element, otherwise the flow */
    hbg_term order[LIMIT_ORDERS]; /* times η; HBG_NONE: no such part */
} limit_part;

typedef struct {
    HBG_VEC(limit_part) asked;     /* of requested variables, in that order */
    HBG_VEC(limit_part) conflicts; /* all are 0 unless the mode is shorted */
} limit_parts;

/* The unbounded parts of an island or group that switches these places, in scratch memory, and the sorted
 * equations for them. Returns false if sources take part in none of its conflicts in this mode. */
bool hbg_eqn_limit_parts(const island *of, const int32_map *places, equations *all, limit_parts *made,
                         sorted_equations *sorted);

/* ---- guards ------------------------------------------------------------------------------------------- */

/* A value in another state of an automaton. */
typedef struct {
    int32_t automaton, state;
    hbg_term term;
} in_info;

/* All terms below one, arguments first, for evaluation at instants. */
typedef struct {
    hbg_term *terms; /* the last is the term itself */
    int32_t count;
} term_walk;

/* An operator with branches that time alone decides between instants; its walk, with signals written out. */
typedef struct {
    hbg_term term;
    term_walk walk;
} term_plan;

/* A comparison of real numbers inside a guard. */
typedef struct {
    hbg_term term;
    int op;
    hbg_term difference; /* of its sides while time advances, where pre is the present value */
    hbg_term finite;     /* its finite part */
    hbg_term area;       /* its area, if it reads in(…), or HBG_NONE */
    hbg_term *walk;      /* every term of the difference, arguments first */
    int32_t walk_count;
    int32_t *variables; /* variables of the value layer that it reads */
    int32_t variable_count;
    bool reads_cells;     /* it reads floor, ceil, % or tables */
    bool reads_relations; /* its sides read relations, as conditions of choices */
    hbg_expr written;     /* as written in a guard; HBG_NONE: in a signal that a guard reads */
    int32_t place;        /* place whose conflict it always watches; HBG_NONE: it belongs to a guard */
} relation_info;

enum { ENABLES_TRUE = 1, ENABLES_FALSE = 2 };
typedef struct {
    int32_t automaton, state;
    hbg_term condition;       /* HBG_NONE: none but `after` */
    double after;             /* s since entry; NAN: none */
    int32_t *relations, *ins; /* in the condition: relations; in(…) */
    uint8_t *enables;         /* by relation: ENABLES_TRUE, ENABLES_FALSE or both */
    int32_t relation_count, in_count;
    hbg_term *walk; /* every term of the condition, arguments first */
    int32_t walk_count;
} guard_info;

/* A source whose own variable pulses, whatever the system does: the variables of its bond, and the sign of
 * power out of it. */
typedef struct {
    int32_t own, other; /* HBG_NONE: it never does */
    double sign;
} pulse_source;

/* ---- the meaning of a model --------------------------------------------------------------------------- */

typedef struct {     /* declared values; see start.c */
    hbg_expr *value; /* by state, or HBG_NONE */
    hbg_variable *variable;
    int32_t *state; /* by automaton */
} start_values;

typedef struct { /* expressions pre(…), and der(…), whose area is a jump from the value kept */
    HBG_VEC(hbg_expr) exprs;
    int32_t *of_expr;
    hbg_term *terms;     /* its argument */
    term_walk *walks;    /* walks of the arguments */
    bool has_ders;       /* some argument of a der(…) reads a pre(…) */
    hbg_term *der_terms; /* the rate of a der(…); HBG_NONE for others */
    int8_t *der_order;   /* order of the derivative that a der(…) is */
} pre_values;

typedef struct {
    HBG_VEC(hbg_expr) exprs; /* expressions in(…) */
    int32_t *of_expr;
    HBG_VEC(in_info) list; /* these first, then parts of those in guards */
    term_walk *walks;
} in_values;

typedef struct { /* outputs of the system; see describe.c */
    hbg_term *outputs, *powers, *energies;
    hbg_term *works; /* by power line: work of an independent source in a jump, area · value; 0 for others */
    pulse_source *pulse_sources; /* by power line */
    hbg_term *law_rate;     /* by element: rate of such a law by moving parameters; HBG_NONE: not needed */
    int32_t *state_storage; /* by state: its storage among those of the system, or HBG_NONE */
    int32_t *storage_part, *power_part; /* by storage, by power line: first storage of the connected part */
    int32_t *input_signal;              /* by input */
} readout_terms;

typedef struct { /* values that clocks sample */
    hbg_term *terms;
    int32_t *signal; /* by clock; -1 - automaton for the clock of an automaton */
    int32_t *level;  /* by clock: number of others in a row that sample before it; see tick_order.c */
    int32_t levels;  /* number of such levels */
    int32_map pres;  /* expressions pre(…) whose arguments are read after clocks have sampled */
    bool read_pre;   /* some clock samples pre(…) */
} tick_values;

typedef struct { /* everything evaluated at instants; see guard.c */
    int32_map relation_of_term;
    int32_map variables;          /* variables that guards, pre and in read, of any layer */
    int32_t term_count;           /* terms that instants evaluate are among the first so many */
    int32_map slacks;             /* by term: slack of a threshold in time, or HBG_NONE; see threshold.c */
    HBG_VEC(term_plan) plans;     /* in order of their terms */
    int32_map timed;              /* automata with a wait or a clock */
    int32_map restitution;        /* junctions with restitution */
    term_walk *restitution_walks; /* by element: its coefficient */
} instant_terms;

typedef struct { /* island of each item; HBG_NONE: none */
    int32_t *automaton, *state, *bond;
    int32_map *relation;
    int32_t *leader; /* by automaton: the first of its island */
} island_places;

typedef struct {              /* islands without what is never read, for proofs; see hbg_eqn_make_groups */
    const int32_t *contested; /* by place, equal numbers for automata that belong together; or NULL */
    bool whole;               /* all belong together in one group */
    island *groups;
    int32_t group_count;
    int32_t *automaton_group;
} proof_groups;

typedef struct {                   /* groups judged together in a bounce; NULL: no restitution */
    int32_t *automaton, *junction; /* the latter by element with restitution */
    int32_t count;
} throw_groups;

typedef struct { /* by variable of the value layer: states of storages it names */
    int32_t *start, *states;
} named_storages;

/* Arrays over all variables that small pieces of work reuse; each user leaves them clear. */
typedef struct {
    equation *equations[PURPOSE_COUNT]; /* by variable of all layers */
    HBG_VEC(int32_t) kept;              /* variables whose equation of the field never changes */
    int32_t *number, *local;            /* by variable of all layers */
    bool *may_pulse;                    /* by variable */
    hbg_arena arena;                    /* memory of these */
    bool busy;                          /* work is in progress, or ran out of memory */
} working_memory;

struct hbg_eqn {
    hbg_arena *arena;
    hbg_arena scratch; /* emptied when a piece of work is done */
    working_memory work;
    const hbg_model *model; /* sorted */
    hbg_causal_structure *structure;
    hbg_terms terms;
    const char *refused;                    /* why the model cannot be run, or NULL */
    int32_t first[VARIABLE_KIND_COUNT + 1]; /* number of the first variable of a kind */
    int32_t base_count;                     /* variables of a layer */
    uint8_t *kinds;                         /* by variable of a layer */
    int32_t state_count;
    state_info *states;
    int32_t *element_state; /* by element: its first state, or HBG_NONE */
    int32_t *signal_state;  /* by signal: likewise */
    hbg_term *signal_area; /* by signal that reads in(…): its area, plus 1; HBG_NONE: it does not; 0: open */
    hbg_term *expr_term;   /* by expression; HBG_NONE: none */
    start_values start;
    pre_values pres;
    in_values in;
    hbg_eqn_outline outline;
    readout_terms readouts;
    tick_values ticks;
    guard_info *guards; /* by transition of the model */
    HBG_VEC(relation_info) relations;
    instant_terms instants;
    named_storages named;
    bool has_events;    /* some guard can fire */
    bool may_move;      /* parameters may be moved: they have rates; see rate.c */
    bool is_doubted;    /* equations are made again, since one was refused: see tie.c */
    bool has_open;      /* junctions switch, so that some mode may repeat a zero */
    bool has_undefined; /* some junction has no common variable while it is off; see defined.c */
    variation varies;
    limit_structure limits;
    HBG_VEC(int32_t) dependents; /* states that may be dependent */
    int32_map *automaton_places; /* by automaton: places it controls */
    HBG_VEC(island) islands;
    bool has_islands; /* they have been made */
    island_places island_of;
    proof_groups proof;
    throw_groups throws;
};

/* ---- for the compiler --------------------------------------------------------------------------------- */

variable_kind hbg_eqn_kind_of(const hbg_eqn *eqn, int32_t variable);
/* The name for messages, which may be the same for several variables. */
void hbg_eqn_told_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out);
void hbg_eqn_print_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out);
/* Explains in words why a mode has no valid assignment; returns true if something floats. */
bool hbg_eqn_explain_mode(const hbg_model *model, const hbg_causal_structure *structure,
                          const int32_t *states, char *text, size_t size);
hbg_term
hbg_eqn_charged(hbg_eqn *eqn,
                int32_t number); /* the integrand of an element; plus the element count for its rate */
bool hbg_eqn_has_cells(int op);  /* floor, ceil, %, tables */
/* The rate of a term by moving parameters. */
hbg_term hbg_eqn_rate_by_params(hbg_eqn *eqn, hbg_term term);
/* The frequency of a term that time alone drives, as a term; HBG_NONE: it does not repeat. */
hbg_term hbg_eqn_wave(hbg_eqn *eqn, hbg_term term);
/* By term, of the first so many: whether laws or outputs read it, not only guards. Call it inside work. */
const bool *hbg_eqn_read_but_by_guards(hbg_eqn *eqn, hbg_term count);
/* Whether time alone decides a relation or step; the node as it is computed, with its slack. */
bool hbg_eqn_is_threshold(const hbg_eqn *eqn, hbg_term term);
term_node hbg_eqn_slackened(hbg_eqn *eqn, hbg_term term);
void hbg_eqn_make_islands(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
/* Sorts the equations of an instant for an island, and those of further variables of the value layer. Call it
 * inside work. */
void hbg_eqn_sort_event(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *all, sorted_equations *sorted);
/* Whether a storage of the island is dependent in this mode: then something may jump. */
bool hbg_eqn_can_jump(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment);
/* The same for the field: the equations needed for these variables while time advances. */
void hbg_eqn_sort_field(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const int32_map *targets,
                        bool plain, equations *all, sorted_equations *sorted);
/* Called around every piece of work; empties the scratch arena. */
void hbg_eqn_begin_work(hbg_eqn *eqn);
void hbg_eqn_end_work(hbg_eqn *eqn);
void hbg_eqn_clear(hbg_eqn *eqn); /* the scratch arena alone */

#endif
