/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Part of image.h, which has the map: the data that a run reads at instants and while it watches guards, as
 * arrays of numbers. Items refer to each other by number, −1 is none, and a range is a part of another array,
 * which the comment names. Registers are those of the code. The compiler fills the arrays once; a run only
 * reads them.
 *
 * They are filled in two stages: `counts`, `outside`, `switching` and `places`, which are needed before a run
 * has a mode, with the compiled model; all the rest with its segments and islands. */
#ifndef HBG_RT_INSTANTS_IMPL_H
#define HBG_RT_INSTANTS_IMPL_H

#include <stdbool.h>
#include <stdint.h>

/* Consecutive items of another array. */
typedef struct {
    int32_t first, count;
} hbg_rt_range;

/* ---- words -------------------------------------------------------------------------------------------- */

/* What a number stands for in words. Runs do not compute with these. */
typedef enum {
    HBG_RT_WORD_VARIABLE, /* name of a variable: `name` of cells and places */
    HBG_RT_WORD_TERM,     /* a term, as written in the model if it is there: `note` of judgements */
    HBG_RT_WORD_ROOT,     /* the relation of a root: those inside laws, then those of guards */
    HBG_RT_WORD_ELEMENT,  /* path of an element */
    HBG_RT_WORD_VALUE,    /* path of the element whose value a register holds; empty: it holds none */
    HBG_RT_WORD_DOC,      /* documentation of a signal in the model; empty: none */
    HBG_RT_WORD_WRITTEN   /* the relation of a root as a guard has it; empty: in a signal or a law */
} hbg_rt_word;

/* ---- values ------------------------------------------------------------------------------------------- */

/* How a variable is read at an instant. */
typedef enum {
    HBG_RT_CELL_OTHER,    /* where the event left it, otherwise in its register */
    HBG_RT_CELL_PHYSICAL, /* likewise; when judging on values before the instant: its left limit */
    HBG_RT_CELL_PRE,      /* in its register, with the size that was recorded */
    HBG_RT_CELL_IN,       /* the value found in the other state */
    HBG_RT_CELL_PARAM,    /* in its register, always */
    HBG_RT_CELL_UNDEFINED /* like others: the common variable of a junction while that has none */
} hbg_rt_cell_kind;

typedef enum {
    HBG_RT_VIEW_VALUE, /* finite part, with its area if it has one */
    HBG_RT_VIEW_RATE,  /* a derivative */
    HBG_RT_VIEW_AREA   /* the area alone */
} hbg_rt_view;

/* A variable that instants read, or that is requested from the code of an island. */
typedef struct {
    int32_t kind, view; /* hbg_rt_cell_kind, hbg_rt_view */
    int32_t home;       /* register in which it is known from outside */
    int32_t area;       /* cell of its area */
    int32_t index;      /* among those of its kind: pre, in; place of an undefined one */
    int32_t left;       /* among the left limits that are recorded */
    int32_t name;       /* HBG_RT_WORD_VARIABLE */
} hbg_rt_cell;

/* A value at an instant has a finite part, an area, and where sources conflict an unbounded part with its
 * first two derivatives (semantics, sections 2 and 3a). These are their registers; −1: no such part, it is
 * 0. */
enum { HBG_RT_ORDERS = 3 };
typedef struct {
    int32_t fin, area;
    int32_t open; /* not 0: only its unbounded part is known */
    int32_t far[HBG_RT_ORDERS];
} hbg_rt_parts;

enum {
    HBG_RT_JUDGED_TIMED = 1,  /* a threshold that time alone reaches */
    HBG_RT_JUDGED_STATES = 2, /* compares states of automata, which are equal or not */
    HBG_RT_JUDGED_TRUTH = 4,  /* the result is a truth; of a comparison: its left side is one */
    HBG_RT_JUDGED_TRUTHS = 8  /* so are its arguments: 8 the first, 16 the second, 32 the third */
};

/* One instruction of a program judged at instants: register d becomes `op` of the registers that are its
 * arguments. These registers are not those of the code: each is written by one instruction, and has the size
 * of its largest contribution next to it. */
typedef struct {
    uint16_t op;    /* of the list of operators, or HBG_RT_JUDGE_… */
    uint16_t flags; /* HBG_RT_JUDGED_… */
    int32_t d;
    int32_t argument[3]; /* registers; argument 1 of a table, or of its slope, is the table */
    int32_t note;        /* number among operators with borders; word of a term without meaning */
} hbg_rt_judgement;

/* A comparison: values by number in parts. */
typedef struct {
    int32_t op, flags;   /* HBG_RT_JUDGED_…: TRUTHS is of the right side */
    int32_t relation;    /* its watched relation; −1: none, it has no memory */
    int32_t left, right; /* parts */
    int32_t compared[2]; /* registers: terms of a difference on the left side; −1: not one */
    int32_t plan;        /* if time alone may decide it; −1 */
} hbg_rt_comparison;

/* Instructions in the order of execution, and the parts of the result. */
typedef struct {
    hbg_rt_range code; /* judgements */
    int32_t parts;
    int32_t is_truth;
} hbg_rt_judged;

/* A step of a plan: an operator on earlier steps of the same plan, a number, or a cell (plan.c). */
typedef struct {
    uint16_t op, arity;  /* how many of a, b, c are steps */
    int32_t a, b, c;     /* steps; b of a table, or of its slope, is the table */
    int32_t cell, spare; /* of a variable */
    double number;       /* rounded once */
} hbg_rt_plan_step;

/* A term whose branch time alone decides between instants, in order of these. */
typedef struct {
    int32_t term;       /* as located relations name it */
    hbg_rt_range steps; /* plan_steps; the last one is the term */
} hbg_rt_plan;

typedef struct {
    const hbg_rt_plan *list;
    const hbg_rt_plan_step *steps;
} hbg_rt_plans;

typedef struct {
    const hbg_rt_judgement *judgements;
    const hbg_rt_judged *judged; /* programs */
    const hbg_rt_parts *parts;
    const hbg_rt_comparison *comparisons;
    const double *beginnings; /* by judged register: its first value, a constant or 0 */
    const hbg_rt_cell *cells;
    int32_t cell_count;
    int32_t left_count; /* left limits that are recorded */
} hbg_rt_values;

/* ---- automata ----------------------------------------------------------------------------------------- */

/* A transition. Those of a state are consecutive, in source order: the first one enabled is taken. */
typedef struct {
    int32_t automaton, state, target, spare;
    double after; /* s since the state was entered; NaN: it does not wait */
} hbg_rt_transition;

/* A state of an automaton. */
typedef struct {
    hbg_rt_range transitions; /* transitions */
    int32_t on;               /* 1: its junctions are on */
} hbg_rt_discrete;

typedef struct {
    hbg_rt_range states; /* discretes */
    double every;        /* s, its sample period; 0: none */
    int32_t reg;         /* register of its state */
    int32_t start;       /* state at the start */
    hbg_rt_range places; /* controlled: places that depend on it */
} hbg_rt_automaton_data;

typedef struct {
    const hbg_rt_automaton_data *automata;
    const hbg_rt_discrete *discretes;
    const hbg_rt_transition *transitions;
    const int32_t *controlled;
    const int32_t *timed; /* automata with a wait or a clock */
} hbg_rt_switching;

/* ---- places ------------------------------------------------------------------------------------------- */

/* One test of the condition that switches a place; `yes` and `no` are earlier tests, or the result. */
enum { HBG_RT_PLACE_ON = -1, HBG_RT_PLACE_OFF = -2 };
typedef struct {
    int32_t automaton;
    int32_t state; /* whether it is in this state; −1: in any state that is on */
    int32_t yes, no;
} hbg_rt_test;

/* A junction. */
typedef struct {
    int32_t control;   /* the first test, or the result */
    int32_t reg;       /* register: whether it is on */
    int32_t region;    /* of the causal structure */
    int32_t undefined; /* register used for its common variable while that has no value */
    int32_t name;      /* name of that variable: HBG_RT_WORD_VARIABLE */
    int32_t is_zero;   /* 1: a 0-junction */
    int32_t is_select; /* 1: it switches inside code that is the same in every mode: it chooses nothing */
} hbg_rt_place;

typedef struct {
    const hbg_rt_place *places;
    const hbg_rt_test *tests;
    int32_t count;
} hbg_rt_places;

/* ---- guards ------------------------------------------------------------------------------------------- */

/* A storage that a relation names: reading it where it has jumped may be forbidden. */
typedef struct {
    int32_t state;
    int32_t name; /* name of the variable that names it: HBG_RT_WORD_VARIABLE */
} hbg_rt_named;

/* A comparison of real numbers in a guard. */
typedef struct {
    int32_t op;
    int32_t comparison;        /* of its sides */
    int32_t truth;             /* judged register: whether it holds */
    int32_t difference;        /* judged: the difference of its sides while time advances */
    int32_t plan;              /* if time alone may decide it; −1 */
    int32_t watch, watch_area; /* registers of that difference and of its area in the watched code */
    hbg_rt_range named;        /* named */
    hbg_rt_range islands;      /* ints: islands whose guards read it */
    int32_t reads_borders;     /* 1: it reads floor, ceil, % or tables */
    int32_t reads_relations;   /* 1: its sides read relations, as conditions of choices */
    int32_t always;            /* 1: in no guard, and watched in every mode */
} hbg_rt_relation;

enum { HBG_RT_ENABLES_TRUE = 1, HBG_RT_ENABLES_FALSE = 2 };

/* A relation of a guard: whether the guard may become enabled when it is true, or false. */
typedef struct {
    int32_t relation, enables; /* HBG_RT_ENABLES_… */
} hbg_rt_enabling;

/* A step of the guard of a calm automaton: an operator on earlier steps, or one of these. */
enum {
    HBG_RT_STEP_RELATION = 0x8000, /* a: truth of a relation */
    HBG_RT_STEP_REGISTER,          /* a: contents of a register */
    HBG_RT_STEP_NUMBER
};
typedef struct {
    int32_t op, a, b, c;
    double number;
} hbg_rt_guard_step;

typedef struct {
    int32_t condition;      /* judged program; −1: only the wait of its transition */
    hbg_rt_range relations; /* enablings */
    hbg_rt_range steps;     /* steps, of a calm automaton */
} hbg_rt_guard;

typedef struct {
    const hbg_rt_guard *guards; /* by transition */
    const hbg_rt_relation *relations;
    const hbg_rt_enabling *enablings;
    const hbg_rt_guard_step *steps;
    const hbg_rt_named *named;
} hbg_rt_guards;

/* ---- what instants keep ------------------------------------------------------------------------------- */

/* pre(…), or the value from which der(…) jumps: its area. */
typedef struct {
    int32_t reg;
    int32_t argument; /* judged */
    int32_t is_der;   /* 1: der(…) */
} hbg_rt_pre;

/* A value in another state of an automaton. */
typedef struct {
    int32_t automaton, state;
    int32_t fin, area; /* registers */
    int32_t argument;  /* judged */
} hbg_rt_in;

typedef struct {
    int32_t cell, sign;
} hbg_rt_share;

/* A junction with restitution: it reverses its sum, times a coefficient. Instead of the coefficient, the
 * energy it loses may be given. */
typedef struct {
    int32_t place, reg;
    hbg_rt_range sum;    /* shares: left limits */
    int32_t coefficient; /* judged */
    int32_t throws;      /* group that is judged together with it */
    int32_t element;     /* HBG_RT_WORD_ELEMENT */
    int32_t energy;      /* 1: it loses an energy */
    int32_t bond;        /* its bond, whose pulse gives the loss without a rebound */
    int32_t flow;        /* 1: that pulse is one of its flow */
} hbg_rt_restitution;

/* A source whose own variable pulses by itself; by line of the ledger. */
typedef struct {
    int32_t area;  /* cell of that area */
    int32_t other; /* left limit of the other variable; −1: it never pulses */
    double sign;   /* sign of power out of it */
} hbg_rt_pulse_source;

/* A continuous state. */
typedef struct {
    int32_t cell;    /* its value after a jump */
    int32_t left;    /* its left limit */
    int32_t old;     /* register: before a jump */
    int32_t storage; /* its storage among those of the system */
} hbg_rt_state;

/* A bond whose pulses are reported. */
typedef struct {
    int32_t effort, flow; /* cells of areas */
    int32_t island;
} hbg_rt_bond;

/* An island: everything that can influence one another at an instant. Ranges are in ints. */
typedef struct {
    hbg_rt_range automata, relations, states, pres, ins;
    hbg_rt_range left;        /* cells whose left limits are recorded */
    hbg_rt_range powers;      /* lines of the ledger */
    hbg_rt_range bonds;       /* bonds that may pulse, each once */
    hbg_rt_range restitution; /* junctions with restitution */
    hbg_rt_range asked;       /* cells requested from its code, in the order of its registers */
    int32_t only_waits; /* 1: nothing in it is compared, recorded or jumps: waits end, or outside changes */
} hbg_rt_island;

typedef struct {
    const hbg_rt_island *islands;
    const hbg_rt_pre *pres;
    const hbg_rt_in *ins;
    const hbg_rt_restitution *restitution;
    const hbg_rt_share *shares;
    const hbg_rt_pulse_source *sources; /* by line of the ledger */
    const hbg_rt_state *states;
    const hbg_rt_bond *bonds;
    /* by storage, and by line of the ledger: first storage of the part that bonds connect it to; −1: none */
    const int32_t *storage_parts, *power_parts;
    const int32_t *leaders;          /* by automaton: the first of its island */
    const int32_t *automaton_island; /* by automaton */
    const int32_t *automaton_throws; /* by automaton: group judged together in a bounce */
    const int32_t *source_order;     /* automata in the order of the source */
    int32_t island_count;
    int32_t throw_count;
} hbg_rt_kept;

/* Automata that move without a search. Ranges are in ints. */
typedef struct {
    hbg_rt_range automata, islands;
    hbg_rt_range relations, others; /* relations that their guards read, and the rest */
    int32_t possible;
    int32_t keeps_outputs; /* 1: no output reads their states */
    int32_t read_states;   /* 1: one of their guards reads the state of one of them */
} hbg_rt_calm;

/* ---- what comes from outside -------------------------------------------------------------------------- */

typedef struct {
    int32_t value, given; /* registers: its value, and whether it was set */
    int32_t is_event;     /* 1: true in the first pass of an instant only */
} hbg_rt_input;

typedef struct {
    int32_t held;      /* register of the value held */
    int32_t shown;     /* register in which others that tick at this instant read its new value */
    int32_t level;     /* number of others in a row that take their values before it */
    int32_t automaton; /* owner of the clock; −1: a sample or a sensor */
} hbg_rt_clock_data;

typedef struct {
    double declared;     /* its value */
    int32_t value, rate; /* registers; rate −1: no run moves it */
} hbg_rt_param;

typedef struct {
    const hbg_rt_input *inputs;
    const hbg_rt_clock_data *clocks;
    const hbg_rt_param *params;
    const int32_t *tick_pres; /* pre(…) whose arguments are read with the new values of clocks */
    int32_t input_count, clock_count, param_count, tick_pre_count;
    int32_t tick_levels;
    int32_t live;        /* register: 1; 0 while left limits are recorded */
    int32_t open;        /* register of undetermined values: NaN */
    int32_t most_held;   /* registers that can change from outside */
    bool ticks_read_pre; /* some clock samples pre(…) */
} hbg_rt_outside;

/* Lengths of the arrays of a run. */
typedef struct {
    int32_t automata, transitions, relations, pres, ins, restitution;
    int32_t states, powers, storages, bonds;
    int32_t timed;
    int32_t longest_condition; /* steps */
    int32_t modes;             /* places of automata times their states */
    /* and of arrays to which only ranges refer */
    int32_t discretes, controlled, tests, enablings, steps, named, shares, ints;
    int32_t judgements, judged, parts, comparisons, beginnings, borders;
    int32_t plans, plan_steps;
    int32_t throws; /* automata, or 0 without restitution */
} hbg_rt_instant_counts;

typedef struct {
    hbg_rt_instant_counts counts;
    hbg_rt_outside outside;
    hbg_rt_switching switching;
    hbg_rt_places places;
    hbg_rt_values values;
    hbg_rt_guards guards;
    hbg_rt_kept kept;
    hbg_rt_calm calm;
    const int32_t *ints;
    hbg_rt_plans plans;
    uint8_t ins_read;     /* by reading, as bits: laws or outputs read in(…) */
    bool has_events;      /* some guard can fire, or automata can be held */
    bool has_open;        /* some mode may leave a value undetermined */
    bool has_undefined;   /* some junction has no common variable while it is off */
    bool has_ders_of_pre; /* some argument of a der(…) reads a pre(…) */
} hbg_rt_instants;

#endif
