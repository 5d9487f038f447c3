/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The composition of 003's constitutive processes, and its linear form. Laws and predicates are terms;
 * composition and questions work on formulas. Part of src/verify. */
#ifndef HBG_VERIFY_PAPER_IMPL_H
#define HBG_VERIFY_PAPER_IMPL_H

#include "verify/process_impl.h"

typedef HBG_VEC(int32_t) paper_numbers;
typedef HBG_VEC(formula) paper_formulas;

/* A summand, and the modes of its switch between which it leads: of a junction off 0 and on 1, of an
 * automaton its states. */
typedef struct {
    int32_t before, after;
    hbg_paper_row told;
    int32_t laws; /* the last so many of its clause are laws, the others predicates */
    bool impact;
} paper_row;

typedef enum {
    PAPER_JUNCTION,  /* on and off by predicates of its own */
    PAPER_AUTOMATON, /* a process of its own */
    PAPER_FOLLOWER,  /* a junction that is on and off as automata are */
    PAPER_BOUNCE     /* a junction with restitution: off while time advances */
} paper_switch_kind;

/* Something with several alternatives. */
typedef struct {
    paper_switch_kind kind;
    int32_t element, automaton; /* HBG_NONE: it has none */
    int32_t modes;              /* number of its modes: 1 for a follower and for one that bounces */
    int32_t states[2]; /* of a junction: the states off and on of its automaton; HBG_NONE: there is none */
    HBG_VEC(paper_row) rows;
} paper_switch;

typedef HBG_VEC(hbg_term) paper_terms;

typedef struct {                           /* numbers of variables; HBG_NONE: there is none yet */
    int32_t *effort, *pulse_effort, *work; /* by bond; the flow is the next one */
    int32_t *energy;                       /* by element: of its first port */
    int32_t *signal, *param, *discrete, *stored, *choice;
    int32_t *rate; /* by variable */
    int32_t rate_capacity;
    int32_t time;
} paper_places;

typedef struct {
    hbg_arena *arena;
    const hbg_model *model;
    const hbg_paper_request *request;
    hbg_paper *made;
    group_proof *proof; /* formulas, and what turning them into terms asks for */
    process_map map;
    paper_places at;
    hbg_term *expressions[HBG_PROCESS_VIEWS]; /* by expression, plus 1; 0: not translated */
    int32_t depth;
    const char *refused; /* what cannot be written down */

    hbg_pair_map number_of; /* Z3's number of a symbol -> variable */
    paper_formulas numbers; /* by term: its formula, or NULL */
    paper_formulas truths;
    paper_numbers unclear; /* variables that stand for what has no counterpart */
    paper_numbers
        unknowns;   /* of these and functions: HIDDEN variables after the jump; the one before follows */
    bool *may_jump; /* by variable: an energy that some jump can change */

    HBG_VEC(paper_switch) switches;
    hbg_process_all jump, clause; /* the part that does not switch */
    bool *kept;                   /* by bond */
    bool has_bonds_in_jumps; /* laws of jumps read values of bonds: of a rebound, or of a modulated element */
} paper_work;

/* ---- paper_term.c: variables, and expressions of the model as terms ------------------------------------------- */

void hbg_verify_paper_variables(paper_work *work);
int32_t hbg_verify_paper_rate(paper_work *work, int32_t variable); /* the variable that is its rate */
hbg_term hbg_verify_paper_expression(paper_work *work, hbg_expr expr, hbg_process_view view);
hbg_term hbg_verify_paper_variable(paper_work *work, int32_t variable, hbg_process_view view);
/* Effort or flow at a port, as its element counts it: while time advances, and its pulse. */
hbg_term hbg_verify_paper_port(paper_work *work, int32_t element, int32_t port, hbg_variable variable);
hbg_term hbg_verify_paper_port_pulse(paper_work *work, int32_t element, int32_t port, hbg_variable variable);
hbg_term hbg_verify_paper_discrete(paper_work *work, int32_t automaton, int32_t state, hbg_process_view view);
hbg_term hbg_verify_paper_seen(paper_work *work, hbg_term term,
                               hbg_process_view view); /* of values before or after a jump */
const char *hbg_verify_paper_path(paper_work *work, hbg_object_kind kind, int32_t index);
void hbg_verify_paper_note(paper_work *work, const char *format, ...) HBG_PRINTF(2, 3);

/* ---- paper_predicate.c: guards as predicates -------------------------------------------------------------------- */

typedef struct {
    bool negate, relax, weaken, tighten;
    bool unclear;           /* something in it has no counterpart: it is taken as true */
    bool weakened, relaxed; /* so it was, somewhere */
} paper_predicate;
/* In negation normal form; what it asks for is a term over the same views. */
hbg_term hbg_verify_paper_predicate(paper_work *work, hbg_term term, paper_predicate *how);
hbg_term hbg_verify_paper_both(paper_work *work, hbg_term a, hbg_term b);
hbg_term hbg_verify_paper_either(paper_work *work, hbg_term a, hbg_term b);
hbg_term hbg_verify_paper_truth(paper_work *work, bool value);
bool hbg_verify_paper_is(paper_work *work, hbg_term term, bool value); /* the constant */
bool hbg_verify_paper_is_truth(const paper_work *work, hbg_term term); /* and no number */
/* stay(s): no guard that leaves the state holds; and the condition for a move from one state to another, if
 * any. */
hbg_term hbg_verify_paper_stay(paper_work *work, int32_t automaton, int32_t state, hbg_process_view view,
                               paper_predicate *how);
hbg_term hbg_verify_paper_enter(paper_work *work, int32_t automaton, int32_t from, int32_t to,
                                hbg_process_view view, paper_predicate *how);
/* Predicates of one part, one after the other. */
void hbg_verify_paper_conjuncts(paper_work *work, hbg_term term, hbg_process_all *into);

/* ---- paper_part.c: constitutive processes; paper_switch.c: those that switch ------------------------------------ */

void hbg_verify_paper_parts(paper_work *work);
/* What switches, with its laws; what jumps can change; then predicates, and the parts they belong to. */
void hbg_verify_paper_find_switches(paper_work *work);
void hbg_verify_paper_find_jumping(paper_work *work);
void hbg_verify_paper_switches(paper_work *work);
/* Mode of a switch within a mode of the whole: of a junction whether it is on, of an automaton its state. */
int32_t hbg_verify_paper_mode_of(paper_work *work, const int32_t *modes, int32_t number);
const char *hbg_verify_paper_kind(const hbg_model *model, int32_t element);
bool hbg_verify_paper_is_flow_off(const hbg_model *model,
                                  int32_t element); /* off, it takes no flow: 0/F, 1/F */

/* Laws of a junction: what is equal and what is summed to 0; `pulses` of a jump. */
typedef enum { PAPER_LAW_ON, PAPER_LAW_OFF, PAPER_LAW_NONE } paper_law;
void hbg_verify_paper_junction(paper_work *work, int32_t element, bool pulses, paper_law law,
                               hbg_process_all *into);
hbg_term hbg_verify_paper_work_sum(paper_work *work, int32_t element);
hbg_term hbg_verify_paper_relation(paper_work *work, int op, hbg_term a, hbg_term b);
void hbg_verify_paper_push(paper_work *work, hbg_process_all *into, int op, hbg_term a, hbg_term b);

/* ---- paper_formula.c: terms as formulas --------------------------------------------------------------------------- */

formula hbg_verify_paper_number(paper_work *work, hbg_term term);
formula hbg_verify_paper_holds(paper_work *work, hbg_term term);
formula hbg_verify_paper_symbol(paper_work *work, int32_t variable, hbg_process_view view);
void hbg_verify_paper_add(paper_work *work, hbg_process_variable variable); /* with its symbols */
/* Variables whose symbol it reads while time advances or after a jump. */
paper_numbers hbg_verify_paper_reads(paper_work *work, formula a);
/* The symbols in it that have numbers in the map, each once. */
paper_numbers hbg_verify_paper_leaves(paper_work *work, formula a, const hbg_pair_map *numbers);
/* The same before the jump. */
formula hbg_verify_paper_before(paper_work *work, formula a);
/* Its derivative by a symbol; NULL: it is not known. */
formula hbg_verify_paper_derivative(paper_work *work, formula a, formula symbol);

/* ---- paper_solve.c: equations -------------------------------------------------------------------------------------- */

typedef struct {
    paper_work *work;
    paper_formulas equations; /* each is 0 */
    paper_formulas bounds;    /* none is negative */
    paper_formulas unknowns;  /* unknowns to eliminate, in this order */
    paper_formulas values;    /* by unknown: its solution; NULL: open */
    bool contradicts;
} paper_system;

void hbg_verify_paper_unknown(paper_system *system, formula symbol);
void hbg_verify_paper_give(paper_system *system,
                           const hbg_process_all *laws); /* equations and inequalities */
void hbg_verify_paper_solve(paper_system *system);
/* The formula with known values substituted. */
formula hbg_verify_paper_put(const paper_system *system, formula a);
/* Fourier–Motzkin: bounds without the symbol; false where that cannot be done. */
bool hbg_verify_paper_project(paper_system *system, formula symbol);
/* a = coefficient·symbol + rest with a number that is not 0. */
bool hbg_verify_paper_linear(paper_work *work, formula a, formula symbol, formula *coefficient,
                             formula *rest);

/* ---- paper_clause.c: the clause of a mode --------------------------------------------------------------------------- */

typedef struct {
    const int32_t *modes; /* by switch */
    paper_system system;  /* unknowns: bond variables, rates, energies */
    formula predicate;    /* what it also requires, of energies and inputs as far as these decide it */
    formula hidden;       /* constraints between energies */
    formula entry;        /* time can flow from there, up to rates of rates */
    formula entry_sure;   /* and it is certain that it does */
    formula raw;          /* all its laws and predicates as they are */
    int32_t order;
} paper_clause;

void hbg_verify_paper_clause(paper_work *work, paper_clause *clause);
/* A formula as alternatives, where something else is known. */
hbg_process_any hbg_verify_paper_told(paper_work *work, bool flows, formula known, formula a);
hbg_paper_clause hbg_verify_paper_tell_clause(paper_work *work, const paper_clause *clause);

/* ---- paper_jump.c: jumps ------------------------------------------------------------------------------------------------ */

typedef struct {
    formula raw;         /* all its laws */
    paper_system pulses; /* pulses and works, solved in terms of energies on both sides */
    paper_system system; /* energies behind, too */
    formula residue;     /* what is left of it then */
    formula energies;    /* it as a relation on energies */
    bool exact;          /* whose relation that is: nothing impossible to eliminate is in it */
} paper_case;

typedef struct {
    HBG_VEC(paper_case) cases;
} paper_jump;

typedef struct { /* what a product has in front of its jump */
    const paper_clause *before, *after;
    const paper_row *const *rows; /* by switch */
    int32_t count;
} paper_product;
paper_case hbg_verify_paper_case(paper_work *work, const paper_product *of);
bool hbg_verify_paper_same_jump(paper_work *work, const paper_jump *a, const paper_jump *b, bool energies);
void hbg_verify_paper_drop_cases(paper_work *work, paper_jump *jump); /* those that others have */
formula hbg_verify_paper_on_energies(paper_work *work, const paper_jump *jump);
hbg_paper_jump hbg_verify_paper_tell_jump(paper_work *work, const paper_jump *jump);

/* ---- paper_linear.c: all of it ------------------------------------------------------------------------------------------- */

typedef struct {
    paper_work *work;
    HBG_VEC(paper_clause) clauses;
    HBG_VEC(paper_jump) jumps; /* distinct */
    paper_formulas befores;    /* by alternative: predicates before, and what entering asks for */
    paper_formulas relations;  /* by alternative: its jump on energies and pulses, some case of it */
    int32_t stride, mode_count;
} paper_linear;

paper_work *hbg_verify_paper_begin(hbg_arena *arena, hbg_verify_prover *prover, const hbg_model *sorted,
                                   const hbg_paper_request *request, const hbg_verify_options *options,
                                   hbg_paper *made);
void hbg_verify_paper_compose(paper_linear *linear);
/* Predicates of an alternative where time has advanced in a clause. */
formula hbg_verify_paper_before_in(paper_linear *linear, int32_t alternative, int32_t clause);
/* What a point after a jump must fulfil for time to advance in a clause. */
formula hbg_verify_paper_behind(paper_linear *linear, int32_t clause, bool sure);
void hbg_verify_paper_include(paper_linear *linear); /* paper_merge.c */
void hbg_verify_paper_differ(paper_linear *linear);  /* paper_difference.c */

#endif
