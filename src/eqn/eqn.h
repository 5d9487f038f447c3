/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of a hybrid bond graph: from the causal graph of a mode to sorted assignments and loops, as exact
 * terms. Proofs read them directly; src/code makes programs of them.
 *
 * They are made from a sorted model (hbg_model_sorted), so that nothing depends on the order of
 * declarations. */
#ifndef HBG_EQN_H
#define HBG_EQN_H

#include "causal/causal.h"
#include "rt/instance.h"

typedef struct hbg_eqn hbg_eqn;

typedef struct {
    int32_t experiment;        /* whose settings are declared values too; HBG_NONE: none */
    const hbg_record *outputs; /* outputs of the system, in this order */
    int32_t output_count;
    bool may_hold; /* automata may be held in states their guards would not lead to */
    bool may_move; /* parameters may be moved along straight lines (hbg_rt_set_line) */
} hbg_eqn_options;

/* The parts and outputs of a model, by name and unit. */
typedef struct {
    const char *name;
    const hbg_rt_variable *states, *outputs, *inputs, *params;
    const hbg_rt_variable *storages, *bonds; /* elements that store; bonds, for logs */
    const hbg_rt_automaton *automata;
    const hbg_rt_clock *clocks;
    const hbg_rt_power *powers;
    int32_t state_count, output_count, input_count, param_count;
    int32_t storage_count, bond_count;
    int32_t automaton_count, clock_count, power_count;
} hbg_eqn_outline;

/* Makes the meaning of a model; it and the result live in the arena. NULL if the model has errors, which are
 * reported to its diagnostics. For one thread. */
hbg_eqn *hbg_eqn_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options);
void hbg_eqn_free(hbg_eqn *eqn);
const hbg_eqn_outline *hbg_eqn_outline_of(const hbg_eqn *eqn);

/* Appends the equations of a mode (states of the automata, NULL: the start states) in order of computation,
 * as text. Returns false if the mode has no valid assignment. */
bool hbg_eqn_print(hbg_eqn *eqn, const int32_t *states, hbg_buffer *out);

/* Whether the law of an R, C or I is linear: it has one value, or a matrix of values. */
bool hbg_eqn_is_linear(const hbg_element *element);

/* The bond of a port, from 1; of a junction its first. And 1, or -1 if the bond of an element is drawn the
 * other way, which negates the sum of the junction (semantics, section 1). */
int32_t hbg_eqn_bond_of(const hbg_model *model, int32_t element, int32_t port);
int hbg_eqn_sign(const hbg_model *model, int32_t element, int32_t port, hbg_variable variable);

/* The kind of a mode (states of the automata of this model, sorted or not) with the ideal junction as a limit
 * (semantics, section 3a). */
typedef enum {
    HBG_EQN_MODE_UNKNOWN,
    HBG_EQN_MODE_REGULAR,   /* it has a valid causal assignment, and nothing in it floats */
    HBG_EQN_MODE_FLOATS,    /* parasites decide some values: they share, and floating ones read the mean */
    HBG_EQN_MODE_CONTESTED, /* sources are in conflict unless they agree: otherwise it is mythical only */
    HBG_EQN_MODE_NONE       /* it has no valid causal assignment at all */
} hbg_eqn_mode_kind;

enum { /* properties of a bond in such a mode */
       HBG_EQN_UNBOUNDED_EFFORT = 1,
       HBG_EQN_UNBOUNDED_FLOW = 2, /* unless sources agree */
       HBG_EQN_BY_PARASITES = 4    /* an effort or flow that floats, or is shared */
};

typedef struct {
    hbg_eqn_mode_kind kind;
    uint8_t *bonds; /* by bond of the model: bits of the above */
    bool *reversed; /* by place: its parasite gives its common variable, or its sum */
} hbg_eqn_mode_limit;

/* Calls `ask` with the meaning of a model, sorted or not, as far as it concerns modes: for the functions
 * below, hbg_eqn_exact_structure and hbg_eqn_exact_is_valid. The structure lives in the arena. */
void hbg_eqn_ask_modes(hbg_arena *arena, const hbg_model *model, void (*ask)(void *context, hbg_eqn *eqn),
                       void *context);
/* Results are in the arena. Marking a mode does not check whether it has an assignment; judging does. */
hbg_eqn_mode_limit hbg_eqn_mark_mode(hbg_eqn *eqn, hbg_arena *arena, const int32_t *states);
hbg_eqn_mode_limit hbg_eqn_judge_mode(hbg_eqn *eqn, hbg_arena *arena, const int32_t *states);

/* A guard or an output that reads a value decided only by the ratio of parasites, in a mode that can be
 * real. */
typedef struct {
    int32_t transition, automaton; /* the guard of this transition; HBG_NONE: an output */
    hbg_expr output;
    int32_t signal;  /* signal of the output; HBG_NONE: it is only recorded */
    int32_t *states; /* by automaton: state in this mode; HBG_NONE: any */
} hbg_eqn_shared;
typedef HBG_VEC(hbg_eqn_shared) hbg_eqn_shared_list;
/* Lists each once, in the arena, except those of parts with very many modes. */
hbg_eqn_shared_list hbg_eqn_find_shared(hbg_eqn *eqn, hbg_arena *arena);

/* Less than 0: automaton a precedes b in the source. */
int hbg_eqn_source_order(const hbg_model *model, int32_t a, int32_t b);

/* ---- exact equations, for proofs (exact.c) ------------------------------------------------------------ */

/* The data for a proof about an instant (semantics, section 8): which automata can influence one another,
 * what their guards read, and the equations of a jump in a discrete state, all as terms. A term is an
 * operator on terms, a number or a variable; arguments have smaller numbers than the term that uses them, and
 * numbers are exact. */
typedef int32_t hbg_exact_term;

enum { /* operators besides those of the model's table; of its leaves only NUMBER and PI occur */
       HBG_EXACT_VARIABLE = HBG_OP_COUNT, /* a: variable */
       HBG_EXACT_SLOPE,                   /* a: argument, b: table; slope of the table */
       HBG_EXACT_CHARGE /* a: state, b: element; energy for charging a storage to that state */
};

typedef struct {
    int op;
    int arity;          /* arguments that are terms */
    int32_t a, b, c;    /* arguments; of a table b is the table */
    hbg_decimal number; /* of NUMBER */
} hbg_exact_node;

typedef enum {
    HBG_EXACT_COMPUTED,  /* effort or flow of a bond, a signal, a der(…): index of the bond or signal */
    HBG_EXACT_HELD,      /* a sample or sensor between its ticks; signal */
    HBG_EXACT_GIVEN,     /* whether an input was given a value; signal */
    HBG_EXACT_INPUT,     /* value given to an input; signal */
    HBG_EXACT_PARAM,     /* parameter */
    HBG_EXACT_AUTOMATON, /* number of its state; automaton */
    HBG_EXACT_PRE,       /* pre(…): number recorded at the last commit; see hbg_eqn_exact_pre */
    HBG_EXACT_IN,        /* in(…): see hbg_eqn_exact_in */
    HBG_EXACT_BOUNCE,    /* ε·Σ⁻ of a junction that bounces, else 0; element */
    HBG_EXACT_ON,        /* whether a place is on; place of the causal structure */
    HBG_EXACT_STATE,     /* q, p or integrator after the jump; state of the system */
    HBG_EXACT_OLD,       /* the same before the jump */
    HBG_EXACT_LIVE,      /* 1; 0 while left limits are recorded */
    HBG_EXACT_TIME,
    HBG_EXACT_UNDEFINED, /* common variable of a junction that has none while off: an error; element */
    HBG_EXACT_OPEN,      /* undetermined, as junctions that are off repeat a zero */
    HBG_EXACT_OTHER      /* does not occur in exported terms */
} hbg_exact_role;

typedef enum { HBG_EXACT_VALUE, HBG_EXACT_RATE, HBG_EXACT_AREA, HBG_EXACT_NO_VIEW } hbg_exact_view;

typedef struct {
    hbg_exact_role role;
    hbg_exact_view view;
    int32_t index;
    bool effort;               /* of a bond: its effort, otherwise its flow */
    int32_t value, rate, area; /* the same variable in the other views */
} hbg_exact_variable;

typedef struct { /* the variable is the term; or, implicit, the term is 0; or it is known */
    int32_t variable;
    bool known, implicit;
    hbg_exact_term term;
} hbg_exact_equation;

typedef struct { /* equations that are solved in order; those of a loop together */
    int32_t first, count;
    bool is_loop;
} hbg_exact_block;

typedef struct { /* a term that is not linear in a pulse: the area must be 0 */
    int32_t area;
    hbg_exact_term term;
} hbg_exact_check;

enum { HBG_EXACT_ORDERS = 3 }; /* an unbounded part and its first two derivatives in time */

typedef struct { /* an unbounded part, times η (semantics, section 3a) */
    int32_t of;  /* variable; of a conflict, the element */
    bool usual;  /* no effort, flow or state decides the variable: it counts as usual in a shorted mode */
    bool effort; /* of a conflict: the effort of the element, otherwise the flow */
    hbg_exact_term order[HBG_EXACT_ORDERS]; /* HBG_NONE: no such part */
} hbg_exact_part;

/* The unbounded parts of a mode, by sources in conflict. */
typedef struct hbg_exact_limit hbg_exact_limit;

typedef struct {
    bool valid; /* the mode has a valid causal assignment; otherwise the rest is unset */
    hbg_exact_equation *equations;
    int32_t count;
    hbg_exact_block *blocks;
    int32_t block_count;
    hbg_exact_check *checks;
    int32_t check_count;
    const char *refused;          /* a part without equations, or NULL */
    const hbg_exact_limit *limit; /* NULL: nothing can be unbounded */
} hbg_exact_mode;

struct hbg_exact_limit {
    hbg_exact_mode mode;   /* the equations of values that the parts read */
    hbg_exact_part *asked; /* parts of values that guards read */
    int32_t asked_count;
    hbg_exact_part *conflicts; /* the mode is shorted unless all are 0 */
    int32_t conflict_count;
};

typedef struct { /* automata that can influence one another at an instant */
    const int32_t *automata, *states, *variables, *pres, *ins, *restitution, *powers;
    int32_t automaton_count;
    int32_t state_count;       /* states that may jump */
    int32_t variable_count;    /* variables that guards, pre, in and restitution read; of any view */
    int32_t pre_count;         /* pre(…) in question */
    int32_t in_count;          /* in(…) in question */
    int32_t restitution_count; /* junctions with restitution */
    int32_t power_count;       /* sources that may do work in a jump */
    bool shares_source;        /* a source does work in jumps of other groups too: its work here is unknown */
} hbg_exact_group;

typedef struct {
    int32_t automaton, state;
    hbg_exact_term term;
} hbg_exact_in;

typedef struct {
    hbg_exact_term condition; /* HBG_NONE: always, once it has waited */
    double after;             /* s since the state was entered; NAN: it does not wait */
} hbg_exact_guard;

typedef struct {
    int32_t place;
    hbg_exact_term sum, coefficient; /* sum of the junction; ε, or the energy that it loses */
    hbg_exact_term pulse;            /* area of its common variable */
} hbg_exact_bounce;

/* Finds the groups; returns false if the start mode has no valid causal assignment. All functions below need
 * them. Automata that switch places with the same number in `contested` are put into one group (HBG_NONE: no
 * matter; NULL: all so); it must outlive the groups. */
bool hbg_eqn_exact_open(hbg_eqn *eqn, const int32_t *contested);
/* Likewise, with all automata in one group, which exists even without any: for callers that need the modes of
 * the whole. */
bool hbg_eqn_exact_open_whole(hbg_eqn *eqn);
int32_t hbg_eqn_exact_group_count(const hbg_eqn *eqn);
hbg_exact_group hbg_eqn_exact_group(const hbg_eqn *eqn, int32_t group);
/* Why the automata of a group belong together, a line for each link: "a and b: node.e, coil.f". */
void hbg_eqn_exact_reasons(hbg_eqn *eqn, int32_t group, hbg_buffer *out);

/* The jump of a discrete state, for everything that a group reads and for the variables of further terms; in
 * the arena. */
hbg_exact_mode hbg_eqn_exact_jump(hbg_eqn *eqn, hbg_arena *arena, int32_t group, const int32_t *states,
                                  const hbg_exact_term *terms, int32_t term_count);
/* The field of a discrete state: rates of these states of the system (views of their variables), and
 * everything they depend on. */
hbg_exact_mode hbg_eqn_exact_field(hbg_eqn *eqn, hbg_arena *arena, const int32_t *states,
                                   const int32_t *wanted, int32_t count);
/* Whether a term has the same meaning whatever the automata of other groups do. */
bool hbg_eqn_exact_belongs(hbg_eqn *eqn, int32_t group, hbg_exact_term term);
/* The rate of a state as a term. */
hbg_exact_term hbg_eqn_exact_rate(hbg_eqn *eqn, int32_t state);

/* The number of the cluster in which sources can be in conflict at a place; HBG_NONE: none (semantics,
 * section 3a). */
int32_t hbg_eqn_exact_cluster(const hbg_eqn *eqn, int32_t place);
/* Whether the mode has a valid causal assignment, even if it can only be passed through (semantics, section
 * 3a). */
bool hbg_eqn_exact_is_valid(hbg_eqn *eqn, const int32_t *states);

hbg_exact_node hbg_eqn_exact_node(const hbg_eqn *eqn, hbg_exact_term term);
hbg_exact_variable hbg_eqn_exact_variable(const hbg_eqn *eqn, int32_t variable);
int32_t hbg_eqn_exact_old(const hbg_eqn *eqn, int32_t state);   /* its variable before a jump */
int32_t hbg_eqn_exact_state(const hbg_eqn *eqn, int32_t state); /* its variable after a jump */
hbg_exact_guard hbg_eqn_exact_guard(const hbg_eqn *eqn, int32_t transition);
hbg_exact_term hbg_eqn_exact_pre(const hbg_eqn *eqn, int32_t pre); /* its argument */
hbg_exact_in hbg_eqn_exact_in(const hbg_eqn *eqn, int32_t in);
hbg_exact_bounce hbg_eqn_exact_bounce(hbg_eqn *eqn, int32_t junction);
/* Whether guards of the automaton are judged on the values before when the junction bounces. */
bool hbg_eqn_exact_throws(const hbg_eqn *eqn, int32_t junction, int32_t automaton);
hbg_exact_term hbg_eqn_exact_expression(hbg_eqn *eqn, hbg_expr expr); /* signals written out */
hbg_exact_term hbg_eqn_exact_compare(hbg_eqn *eqn, hbg_operator op, hbg_expr left, hbg_expr right);
hbg_exact_term hbg_eqn_exact_energy(const hbg_eqn *eqn, int32_t storage); /* by storage of the system */
hbg_exact_term hbg_eqn_exact_work(const hbg_eqn *eqn, int32_t power); /* of an independent source in a jump */
/* The first storage of the part that bonds connect it to; HBG_NONE if there is none. */
int32_t hbg_eqn_state_part(const hbg_eqn *eqn, int32_t state);
int32_t hbg_eqn_storage_part(const hbg_eqn *eqn, int32_t storage);
int32_t hbg_eqn_power_part(const hbg_eqn *eqn, int32_t power);
/* States of storages that a variable names: its own, or those whose effort or flow it is (semantics, section
 * 6). */
int32_t hbg_eqn_exact_named(const hbg_eqn *eqn, int32_t variable, const int32_t **states);
const hbg_causal_structure *hbg_eqn_exact_structure(const hbg_eqn *eqn);
void hbg_eqn_exact_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out);
void hbg_eqn_exact_print(const hbg_eqn *eqn, hbg_exact_term term, hbg_buffer *out);

#endif
