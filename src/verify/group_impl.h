/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A group of automata under examination: symbols for energies and inputs, values in a discrete state as
 * formulas over them, and the search for the next mode followed along all its ways. Part of src/verify. */
#ifndef HBG_VERIFY_GROUP_IMPL_H
#define HBG_VERIFY_GROUP_IMPL_H

#include "eqn/eqn.h"
#include "verify/formula_impl.h"

/* A discrete state with its equations. */
typedef struct {
    int32_t *states; /* by automaton of the model; those of other groups are at their start */
    hbg_exact_mode mode;
    hbg_pair_map place;        /* (variable, 0) -> its equation */
    struct exact_limit *limit; /* what can be unbounded; NULL: nothing */
    struct kept_values *kept;  /* values that were made; NULL: none are kept */
} exact_state;

/* What can be unbounded in a state. */
typedef struct exact_limit {
    exact_state equations;
    hbg_pair_map part; /* (variable, 0) -> its part among those that guards read */
} exact_limit;

/* Unbounded parts after the jump. */
typedef struct {
    exact_value *parts; /* of what guards read */
    formula shorted;    /* some part, or a derivative of it, is not 0 */
    formula flows;      /* it is a flow: sources are short-circuited */
    formula agree;      /* no part is unbounded at this instant, whatever follows */
    bool drifts;        /* sources that agree now may differ later, without any event */
} far_values;

/* The past, as seen from an instant: numbers that stand still during the search for a mode. */
typedef struct {
    formula *x;        /* by state of the system: energies before the jump */
    exact_value *pre;  /* by pre(…) */
    exact_value *left; /* by variable of the group: value at the last commit, or left limit */
    exact_value *in;   /* by in(…), in the state considered */
    formula *in_defined, *left_defined;          /* where these have a value; NULL: everywhere */
    const char **in_undefined, **left_undefined; /* what is wrong elsewhere */
    formula *bounce; /* by junction with restitution of the group: ε·Σ⁻, or 0 */
    bool before;     /* inputs as they were before the instant */
    bool holds;      /* and samples, though inputs are as they are now */
    bool first_pass; /* event inputs may be true */
    int32_t commit;  /* how many there were at this instant */
    formula *drawn;  /* by parameter: the choice at this instant; NULL, all or one: its earlier value */
} exact_past;

/* What a model leaves open: the coefficient of a junction, or a parameter that is chosen anew, at each commit of an instant. */
typedef struct {
    hbg_object target;
    int32_t commit;
    formula symbol;
    const char *name;
} exact_choice;

/* The coefficient of a junction that loses an energy. */
typedef struct {
    formula energy, plastic, coefficient;
} exact_loss;

/* Everything in a discrete state after the jump into it. */
typedef struct {
    const exact_state *of;
    exact_value *values;    /* by equation */
    formula *defined;       /* by equation: where it has a value; NULL: everywhere */
    const char **undefined; /* by equation: what is wrong elsewhere */
    const far_values *far;  /* NULL: nothing is unbounded */
    struct exact_scope
        *seen[2]; /* what guards see of it, by whether it is shorted: kept; NULL: not examined yet */
    bool kept;
} exact_values;

/* An unknown of a loop that is not linear. */
typedef struct {
    formula symbol;
    formula equation; /* asserted: a residual of its loop is 0 */
    formula value;    /* by the unknowns of its loop that follow, or NULL */
    formula law;      /* is 0 only at it; or NULL */
    int rises;        /* of the law: 1 or -1 */
    const char *text; /* its name: "j.f in d=x" */
    const char *name; /* and as an expression: "solved(j.f, d.x)" */
} exact_unknown;

/* Clocks of one period: they tick together. */
typedef struct {
    formula period, ticks;
    int64_t times; /* how many times the common part of all periods this one is; 0: not known */
} exact_clock;

/* What is sampled and held. */
typedef struct {
    formula ticks; /* it is taken; NULL: nothing here reads it */
    hbg_exact_term term;
    bool is_noisy; /* it may be anything */
    bool is_loose; /* its source is not known here */
} exact_sample;

typedef struct group_proof group_proof;

/* A term as a formula. */
typedef struct {
    exact_value value;
    formula defined;       /* where it has a value; NULL: everywhere */
    const char *undefined; /* what is wrong elsewhere */
    formula_level level;   /* decisions on the way to it hold on this level */
} scope_entry;

/* Terms as formulas; equal terms are translated once. */
typedef struct exact_scope exact_scope;
struct exact_scope {
    group_proof *proof;
    exact_value (*variable)(exact_scope *scope, int32_t variable);
    const exact_values *values;
    const exact_past *past;
    bool a_priori;           /* physical values are those of the past */
    bool struck;             /* and have the pulses of the collision under examination */
    formula shorted;         /* where the mode is; NULL: nowhere */
    const formula *unknowns; /* by equation of a loop, or NULL */
    int32_t first_unknown, unknown_count;
    hbg_pair_map memo;
    HBG_VEC(scope_entry) results;
};

/* Parameters as formulas, by parameter. */
typedef struct {
    exact_value *value;   /* fin NULL: not evaluated yet */
    formula_level *level; /* where its value was found */
    bool *open;           /* its value is not fixed but in a range */
    bool *drawn;          /* it depends on choices made anew at commits; NULL: none does */
    formula *before; /* if moves that are not followed here choose it anew: its value before the instant */
} group_params;

/* What comes from outside the group, by whether it is before the instant, by signal; fin NULL: not made. */
typedef struct {
    exact_value *input[2], *held[2], *given[2];
} group_signals;

/* When the group looks at which guards. */
typedef struct {
    formula *tick; /* by automaton: it looks at its guards; NULL: it always does */
    HBG_VEC(exact_clock) clocks;
    exact_sample *samples; /* by signal */
    formula *waited;       /* by transition: it has waited long enough; NULL: it does not wait */
} group_timing;

/* A further condition on a transition, over the energies before. */
typedef struct {
    formula condition; /* NULL: none */
    formula parts[2];  /* inequalities of which one is enough; the second may be NULL */
    int32_t transition;
    int32_t
        guard; /* or: unless this transition would be taken in the state the other leads to; HBG_NONE: none */
} group_extra;

/* How findings are worded. */
typedef struct {
    bool bare;      /* not at all */
    bool jumps;     /* the first jump of every instant is reported */
    double seconds; /* for one finding */
    bool as_pre;    /* energies are written as pre(…) */
    const char
        *factor_unit; /* then: values with another unit get a factor that converts, even if 1; NULL: not */
} group_words;

/* The instant that was opened last. */
typedef struct {
    formula begins;    /* it can begin there */
    formula flowed;    /* and time can have advanced there */
    formula starts;    /* or a run begins */
    bool held_by_pre;  /* there a law reads `pre` of the time when the mode was entered */
    bool never_starts; /* instants at which a run begins are left out */
} group_instant;

/* A term during evaluation. */
typedef struct {
    bool keeps_choices;       /* nothing is decided: the formula is used where other things hold */
    bool closes;              /* a strict relation holds on its edge, too */
    bool touched;             /* the value depends on the present assertions */
    bool rests;               /* some evaluated part may do so */
    bool sided;               /* some part differs before the instant, or in its first pass */
    formula pending;          /* where the operator has a value; NULL: everywhere */
    const char *pending_text; /* what is wrong elsewhere */

    bool collects;              /* requirements are not asserted but collected */
    formula collected;          /* all of them */
    const char *collected_text; /* what is wrong elsewhere */
} group_evaluation;

/* Reasons why a verdict on the group is not certain. */
typedef struct {
    const char *unclear;             /* an expression known only by an enclosure, or NULL */
    const char *riddle;              /* an unknown that may have no solution, or several; or NULL */
    const char *impossible;          /* what prevents the group from being examined, or NULL */
    HBG_VEC(const char *) undefined; /* expressions that have no value somewhere */
    HBG_VEC(const char *) nearby;    /* states in one position, for which an angle near it stands */
} group_doubts;

struct group_proof {
    formulas f;
    hbg_eqn *eqn;
    const hbg_model *model;
    const hbg_eqn_outline *system;
    const hbg_causal_structure *structure;
    hbg_arena *arena;
    int32_t number;
    hbg_exact_group of;
    int32_t *by_source; /* places among its automata, in the order of the source */
    bool forgets;       /* values follow from energies and inputs: nothing else of the past matters */
    bool plainly;       /* no shortcut is taken */
    bool passes;        /* of a mode that is shorted everywhere only what guards see matters, either */

    formula *x; /* by state of the system */
    formula time;
    group_params params;
    group_signals signals;
    group_timing timing;
    bool chooses; /* what is left open is a symbol; else it has its value without a decision */
    HBG_VEC(exact_choice) chosen;
    HBG_VEC(exact_loss) losses;
    formula *law_pre;     /* by pre(…): the number recorded in laws before the instant */
    hbg_pair_map left_of; /* (variable, 0) -> place among the variables of the group */
    HBG_VEC(exact_state *) states;
    hbg_pair_map state_of;           /* a hash of its states -> the first with it */
    HBG_VEC(exact_unknown) unknowns; /* of loops that are not linear, those of one loop adjacent */
    hbg_exact_term *assumptions;     /* that are about this group */
    int32_t assumption_count;
    int32_t *always; /* of the model: what is checked in jumps of this group */
    int32_t always_count;
    HBG_VEC(hbg_exact_term)
    asked; /* these, and the sources of samples: values that a state must have */

    formula both_known, both; /* where two discrete states are real, once that was found */
    formula *departed,
        *allowed; /* by discrete state of the group: when a run that begins in it leaves it at once */

    group_extra extra;
    group_instant instant;
    group_evaluation evaluation;
    group_words words;
    group_doubts doubts;
};

/* consistency.c: a group with its symbols, in its own working context; NULL without memory. Ranges and
 * assumptions are not read. Then what holds in every discrete state: clocks, samples, assumptions. */
group_proof *hbg_verify_group_begin(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                                    const hbg_model *model, const hbg_verify_options *options,
                                    int32_t number);
void hbg_verify_group_ask(group_proof *proof);

/* consistency_values.c: terms as formulas */
typedef HBG_VEC(hbg_exact_term) exact_terms;
/* Subterms of a term, itself included; each once. */
exact_terms hbg_verify_terms_below(group_proof *proof, hbg_exact_term root);
void hbg_verify_scope_init(exact_scope *scope, group_proof *proof, const exact_values *values,
                           const exact_past *past, bool a_priori);
/* What guards see of a mode, where it is shorted or where it is not. */
exact_scope *hbg_verify_scope_seen(group_proof *proof, exact_values *values, const exact_past *past,
                                   bool shorted);
exact_value hbg_verify_scope_evaluate(exact_scope *scope, hbg_exact_term root);
/* The same for a term that matters only under a condition: elsewhere it need not have a value. */
exact_value hbg_verify_scope_evaluate_when(exact_scope *scope, hbg_exact_term root, formula when);
formula hbg_verify_value_truth(group_proof *proof, exact_value value);
formula hbg_verify_value_number(group_proof *proof, exact_value value);
/* Where this does not hold the expression has no value: it is noted, and assumed to hold from here on. */
void hbg_verify_group_require(group_proof *proof, formula condition, const char *format, ...)
    HBG_PRINTF(3, 4);
/* The same for a variable that is read as it is. */
void hbg_verify_values_require(group_proof *proof, const exact_values *values, int32_t variable);
/* The past value of one variable of the group becomes the present one. */
void hbg_verify_past_take(exact_past *past, int32_t place, exact_scope *scope, int32_t variable);
/* The operator under evaluation has a value only where this holds. */
void hbg_verify_value_require(group_proof *proof, formula condition, const char *format, ...)
    HBG_PRINTF(3, 4);
/* The value of something that is known at an instant; fin NULL for other variables. */
exact_value hbg_verify_known_value(group_proof *proof, const exact_past *past, const exact_state *of,
                                   int32_t variable);

/* consistency_clocks.c: symbols for the clocks of the group, by automaton and by sample, and what is known of
 * them; then the variables that samples read, into `asked` */
void hbg_verify_clocks_make(group_proof *proof);
void hbg_verify_clocks_ask(group_proof *proof);
/* Samples take their values, or keep holding them, with these before the instant: asserted. */
void hbg_verify_clocks_take(group_proof *proof, const exact_values *values, const exact_past *past,
                            exact_scope *before);
/* What a condition reads of clocks and samples that is not known well enough to call it met; or NULL. */
const char *hbg_verify_clocks_doubt(group_proof *proof, formula condition);
/* All samples it reads are taken at the instant: values held from earlier ones are not followed. */
formula hbg_verify_clocks_taken(group_proof *proof, formula condition);

/* consistency_choices.c: parameters that are left open are in their interval; the coefficient of a junction
 * at a commit, NULL if it is not left open; and a formula in which values without a decision replace the
 * choices */
void hbg_verify_choices_of_params(group_proof *proof);
formula hbg_verify_choices_coefficient(group_proof *proof, int32_t junction, int32_t commit);
formula hbg_verify_choices_default(group_proof *proof, formula a);
/* The remaining speed where this energy of the largest possible loss is lost. */
formula hbg_verify_choices_after_loss(group_proof *proof, formula energy, formula plastic);
/* Parameters of a mode under examination: new values where automata have moved since the search began. */
void hbg_verify_choices_draw(group_proof *proof, const int32_t *start, const int32_t *states,
                             const exact_past *begun, exact_past *past);
/* Two modes have drawn the same values. */
formula hbg_verify_choices_same(group_proof *proof, const exact_past *a, const exact_past *b);

/* consistency_range.c: the state that an expression is, or HBG_NONE; the range, in numbers, of a state, false if it has none */
int32_t hbg_verify_group_state_of(group_proof *proof, hbg_expr expr);
bool hbg_verify_group_range(group_proof *proof, formula state, double *low, double *high);

/* consistency_words.c: in SI, of an input; NULL if it is not known. */
const char *hbg_verify_group_signal_unit(const group_proof *proof, int32_t signal);

/* consistency_operators.c: an operator of values; a condition as yes or no where what is known so far decides it */
exact_value hbg_verify_value_apply(group_proof *proof, const hbg_exact_node *node, const exact_value *a,
                                   hbg_exact_term term);
formula hbg_verify_value_settled(group_proof *proof, formula condition);

/* consistency_functions.c: an operator that is not arithmetic, of finite values */
exact_value hbg_verify_value_function(group_proof *proof, const hbg_exact_node *node,
                                      const exact_value *arguments, hbg_exact_term term);

/* consistency_symbols.c: symbols for functions */
/* Of an operator on arguments; *is_new if it has no axioms yet. */
formula hbg_verify_symbol_of(group_proof *proof, int op, formula a, formula b, hbg_exact_term term,
                             bool exact, bool *is_new);
formula hbg_verify_symbol_fraction(formulas *f, double value, double within); /* the simplest one */
formula hbg_verify_symbol_circle(formulas *f, int op, double angle);          /* of a fraction next to it */
/* The constant that a function of numbers and constants is; false if it has other arguments, or nothing is
 * known about it. */
bool hbg_verify_symbol_constant(group_proof *proof, int op, formula a, formula b, hbg_exact_term term,
                                formula *made);
bool hbg_verify_symbol_root(group_proof *proof, int n, formula a, hbg_exact_term term, formula *made);
/* Sine or cosine of a whole number of twelfths of π, where it is 0, ±1/2, ±√2/2, ±√3/2 or ±1. */
bool hbg_verify_symbol_known_angle(group_proof *proof, int op, formula angle, formula *made);
bool hbg_verify_symbol_angle(group_proof *proof, int op, formula angle, hbg_exact_term term, formula *made);

/* consistency_digits.c: whether what was found, with the values found last or others, exists for the
 * constants themselves. NONE: for no values. The values found last are some for which it does. */
verify_answer hbg_verify_group_confirm(group_proof *proof, formula found);
/* The reason where it stays open: unknown digits of a constant that it reads. */
const char *hbg_verify_group_hangs_on(group_proof *proof, formula found);

/* consistency_unknown.c: the formula without unknowns, as far as their laws express it in energies; a number
 * with the fewest unknowns that the laws allow. */
formula hbg_verify_unknowns_eliminate(group_proof *proof, formula a);
/* What holds for the unknowns left in it: without that they could be anything, and values found with them
 * might not exist. */
formula hbg_verify_unknowns_facts(group_proof *proof, formula a);
/* What is known about an unknown; NULL for other symbols. */
const exact_unknown *hbg_verify_unknowns_find(group_proof *proof, formula symbol);

/* consistency_modes.c */
/* The symbol of an input, or of a held value, now or before the instant. */
exact_value hbg_verify_group_outside(group_proof *proof, bool held, bool before, int32_t signal);
const exact_state *hbg_verify_group_state(group_proof *proof, const int32_t *states);
/* consistency_far.c: a state with what can be unbounded in it; the unbounded parts of its values */
exact_limit *hbg_verify_group_limit(group_proof *proof, const exact_state *of);
const far_values *hbg_verify_group_far(group_proof *proof, const exact_state *of, const exact_past *past);
/* A value as a shorted mode sees it. */
exact_value hbg_verify_far_value(const exact_scope *scope, int32_t variable, exact_value value);
/* Some unbounded part is not 0. */
formula hbg_verify_far_is_unbounded(group_proof *proof, exact_value value);
/* Whether unbounded parts decide the difference of two values, and that it is below 0 by them. */
formula hbg_verify_far_decides(group_proof *proof, exact_value a, exact_value b);
formula hbg_verify_far_less(group_proof *proof, exact_value a, exact_value b);

/* Inside equations pulses are separate variables: everything is a plain number. */
exact_value hbg_verify_plain_value(exact_scope *scope, int32_t variable);
/* Values in the state, entered with the energies of the past; NULL where the mode has no valid causality. */
exact_values *hbg_verify_group_values(group_proof *proof, const exact_state *of, const exact_past *past);
/* Value or area of a variable; NULL if the state has none. */
const exact_value *hbg_verify_values_find(const exact_values *values, int32_t variable);
/* Energies after the jump, by state of the system. */
void hbg_verify_values_energies(group_proof *proof, const exact_values *values, const exact_past *past,
                                formula *x);

#endif
