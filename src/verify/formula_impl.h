/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas over real numbers and truths, exact, and questions about them. Part of src/verify.
 *
 * A formula is a Z3 term of the prover's working context; equal formulas are one. What is built is simplified at once, so
 * that numbers are numbers and sums of products of known numbers are linear forms. */
#ifndef HBG_VERIFY_FORMULA_IMPL_H
#define HBG_VERIFY_FORMULA_IMPL_H

#include "verify/prover_impl.h"

typedef Z3_ast formula;

enum { FAR_ORDERS = 3 }; /* an unbounded part and its first two derivatives in time */

/* A value at an instant, far/η + area·δ + fin; or a truth. In a shorted mode only the unbounded part of
 * physical values counts (semantics, section 3a). */
typedef struct {
    formula fin;  /* of a truth: it holds, and a shorted mode does not leave it open */
    formula area; /* NULL: none */
    bool is_truth;
    formula open; /* where only the unbounded part, or nothing of a truth, is known; NULL: nowhere */
    formula far[FAR_ORDERS]; /* there; NULL: 0 */
} exact_value;

/* Between two numbers; low NULL: nothing is known. */
typedef struct {
    formula low, high;
} interval;

/* A symbol for something that has no exact expression: an enclosure of it was asserted. */
typedef struct {
    formula symbol, argument, second;
    int op;
    bool constant;    /* a function of numbers alone: always between these */
    interval between; /* of a constant */
    formula sample;   /* of a constant: a simple fraction next to it */
    bool hangs;       /* a constant that is no fraction takes part in its value */
    bool exact;       /* its definition is complete: a root, a sine with its cosine */
    bool bounded;     /* an angle in a range that is also given by sine and cosine */
    formula piece;    /* where its value is known, with that value; or NULL */
    const char *text; /* the expression it stands for */
} exact_symbol;

/* A level of assertions: what was concluded on it is forgotten when it is left. */
typedef struct {
    int32_t depth, serial; /* 0, 0: what holds without any */
} formula_level;

/* The reason given where no question may be asked any more. */
#define FORMULA_SPENT                                                                                        \
    "the effort for this group is used up; `--timeout` gives it more, and a range of what it reads makes "   \
    "it easier"

#define FORMULA_MODELS 6 /* sets of values that are tried before the prover */

/* What holds everywhere for some symbols. */
typedef struct {
    HBG_VEC(formula) all;
    int32_t asserted;       /* how many of them the solver has on this level */
    HBG_VEC(int32_t) marks; /* by level: how many it had below it */
    int32_t linear;         /* the first of them have no products */
    int32_t cones;          /* the first of them are about directions of angles only */
} formula_facts;

/* What holds now, level by level. */
typedef struct {
    HBG_VEC(formula) asserted;
    HBG_VEC(int32_t) marks;   /* where a level of it begins */
    HBG_VEC(int32_t) serials; /* by level: its number among all levels so far */
    int32_t serial;           /* levels so far */
    int32_t products;         /* asserted formulas that have some */
    HBG_VEC(int32_t) product_marks;
    int32_t others; /* asserted formulas that are about more than directions of angles */
    HBG_VEC(int32_t) other_marks;
} formula_levels;

/* What was found out about formulas, by Z3's number of them. */
typedef struct {
    hbg_pair_map simple; /* in `simplified`: simpler, and equal */
    HBG_VEC(formula) simplified;
    hbg_pair_map linear;    /* known to have no products of symbols */
    hbg_pair_map linear_of; /* in linear_made, with what is known of squares */
    HBG_VEC(formula) linear_made;
    hbg_pair_map enclosed; /* closed formulas: in `enclosures` */
    HBG_VEC(interval) enclosures;
    hbg_pair_map whole;   /* closed formulas without division by a symbol */
    hbg_pair_map signs;   /* of denominators: 1 plus their sign, or 1 if it is not known */
    hbg_pair_map cones;   /* whether it is about directions of angles only */
    hbg_pair_map factors; /* of sines and cosines next to others: Z3's number of it */
} formula_memo;

/* How long and how often the prover may be asked. */
typedef struct {
    uint32_t effort; /* steps for one question */
    int32_t timeout_ms;
    int64_t deadline_ms; /* 0: none */
    int32_t questions;
} formula_limits;

/* The questions so far. */
typedef struct {
    int32_t questions; /* put so far */
    int32_t undecided; /* without an answer */
    const char *why;   /* the last of these */
    bool failed;       /* Z3 reported an error: no later result counts */
    bool no_memory;    /* it ran out of memory: what was made since may stand for something else */
    double seconds;    /* spent on questions */
    double longest;    /* on one of them */
} formula_account;

typedef struct {
    hbg_verify_prover *prover;
    hbg_arena *arena;
    Z3_context z3;
    Z3_solver solver;
    Z3_params simple;                /* of simplification */
    Z3_model models[FORMULA_MODELS]; /* values found last, newest first; NULL: none */
    bool is_simple[FORMULA_MODELS];  /* they are fractions */
    formula zero, one, yes, no;
    formula_levels levels;
    HBG_VEC(exact_symbol) symbols;
    formula_facts axioms; /* about symbols */
    formula_facts bounds; /* about constants */
    bool has_angles;      /* sines and cosines are among the symbols */
    bool has_free_angles; /* and not of numbers only */
    bool exactly;         /* no fraction stands for a constant in a question */
    formula_memo memo;
    int32_t fresh; /* names made so far */
    formula_limits limits;
    formula_account account;
} formulas;

/* Begins a new working context; false if there is no memory for it. */
bool hbg_verify_formulas_begin(formulas *f, hbg_verify_prover *prover, hbg_arena *arena,
                               const hbg_verify_options *options);
void hbg_verify_formulas_end(formulas *f);
void hbg_verify_formulas_set_limits(formulas *f, Z3_solver solver);
/* Notes what the last call of Z3 reported: the next call overwrites it. True if it went well. */
bool hbg_verify_formulas_note(formulas *f);
/* Why no later result counts; NULL: results count. */
const char *hbg_verify_formulas_failure(const formulas *f);

formula hbg_verify_formula_decimal(formulas *f, hbg_decimal number);
formula hbg_verify_formula_double(formulas *f, double number);
formula hbg_verify_formula_integer(formulas *f, int64_t number);
formula hbg_verify_formula_real(formulas *f, const char *name);  /* a symbol */
formula hbg_verify_formula_truth(formulas *f, const char *name); /* likewise */
bool hbg_verify_formula_is_number(formulas *f, formula a);
bool hbg_verify_formula_is_name(formulas *f, formula a); /* a symbol */
/* Its parts: formulas are read back after Z3 has simplified them. */
Z3_decl_kind hbg_verify_formula_kind(formulas *f, formula a);
unsigned hbg_verify_formula_argument_count(formulas *f, formula a);
formula hbg_verify_formula_argument(formulas *f, formula a, unsigned i);
bool hbg_verify_formula_is_same(formulas *f, formula a, formula b);
/* Its number, rounded; NaN if it is not a number. */
double hbg_verify_formula_to_double(formulas *f, formula a);

formula hbg_verify_formula_add(formulas *f, formula a, formula b);
formula hbg_verify_formula_sum(formulas *f, int32_t count, const formula *items);
formula hbg_verify_formula_subtract(formulas *f, formula a, formula b);
formula hbg_verify_formula_multiply(formulas *f, formula a, formula b);
formula hbg_verify_formula_divide(formulas *f, formula a, formula b); /* b is not 0 where it is used */
formula hbg_verify_formula_negate(formulas *f, formula a);
formula hbg_verify_formula_whole(formulas *f, formula a); /* of a number, the largest whole number not above
                                                           * it */
formula hbg_verify_formula_less(formulas *f, formula a, formula b);
formula hbg_verify_formula_less_equal(formulas *f, formula a, formula b);
formula hbg_verify_formula_equal(formulas *f, formula a, formula b);
formula hbg_verify_formula_not(formulas *f, formula a);
formula hbg_verify_formula_and(formulas *f, formula a, formula b);
formula hbg_verify_formula_or(formulas *f, formula a, formula b);
formula hbg_verify_formula_choose(formulas *f, formula condition, formula a, formula b);
formula hbg_verify_formula_simplify(formulas *f, formula a);
/* The formula with symbols replaced by other formulas. */
formula hbg_verify_formula_replace(formulas *f, formula a, int32_t count, const formula *from,
                                   const formula *to);
bool hbg_verify_formula_is_nonlinear(formulas *f, formula a); /* it has products of symbols */
/* Whether one of the symbols occurs in it. */
bool hbg_verify_formula_reads(formulas *f, formula a, const formula *symbols, int32_t count);

/* formula_linear.c: the formula with products as symbols; `squares` also collects that some of them are not
 * negative. */
formula hbg_verify_formula_linear(formulas *f, formula a, formula *squares);

/* formula_circle.c: the polynomial with s² written as 1 - c², s and c of every angle. */
formula hbg_verify_formula_reduce(formulas *f, formula a);
/* The factors of a product, powers written out, appended. */
enum { FORMULA_FACTORS = 64 };
typedef struct {
    formula factors[FORMULA_FACTORS];
    unsigned count;
    bool whole; /* all are listed */
} formula_product;
void hbg_verify_formula_factors(formulas *f, formula_product *into, formula a);

/* formula_share.c: the sum times a positive number, the same for all sums that are multiples of one another by constants. */
formula hbg_verify_formula_scaled(formulas *f, formula a);
/* Whether only the direction of an angle matters in it, and all else is linear. */
bool hbg_verify_formula_is_cone(formulas *f, formula a);
void hbg_verify_formula_is_circle(formulas *f,
                                  formula a); /* it says that sine and cosine are on the circle */

/* formula_interval.c: numbers between fractions */
bool hbg_verify_interval_is_known(interval a);
interval hbg_verify_interval_point(formula a);
interval hbg_verify_interval_add(formulas *f, interval a, interval b);
interval hbg_verify_interval_negate(formulas *f, interval a);
interval hbg_verify_interval_multiply(formulas *f, interval a, interval b);
interval hbg_verify_interval_divide(formulas *f, interval a, interval b); /* nothing is known if b may be 0 */
interval hbg_verify_interval_power(formulas *f, interval a, int exponent);
interval hbg_verify_interval_shorten(formulas *f, interval a,
                                     int digits);      /* wider, with so many binary digits */
int hbg_verify_interval_sign(formulas *f, interval a); /* 1 or -1; 0: neither, or not known */
interval hbg_verify_interval_pi(formulas *f);
/* An operator of the model, applied to values in two intervals. */
interval hbg_verify_interval_function(formulas *f, int op, interval a, interval b);

/* formula_enclose.c: the bounds of a formula's value, and whether it holds. */
const exact_symbol *hbg_verify_formula_symbol(const formulas *f, formula a); /* what it stands for, or NULL */
/* Whether an argument of the symbol that may vary also occurs in it by itself. */
bool hbg_verify_formula_reads_argument(formulas *f, formula a, formula argument);
bool hbg_verify_formula_is_closed(formulas *f, formula a); /* it reads numbers and constants only */
bool hbg_verify_formula_hangs(formulas *f, formula a); /* a constant that is no fraction takes part in it */
interval hbg_verify_formula_enclose(formulas *f, formula a);
/* With the values found last; a truth holds for certain only if it does for all constants within their
 * bounds. */
bool hbg_verify_formula_holds_here(formulas *f, formula a);

/* formula_fraction.c: a relation with products or quotients of symbols, freed of quotients. */
typedef enum { RELATION_LESS, RELATION_LESS_EQUAL, RELATION_EQUAL } formula_relation;
formula hbg_verify_formula_relate(formulas *f, formula_relation relation, formula a, formula b);
/* 1 or -1 where it is positive or negative everywhere; 0: neither, or not known. */
int hbg_verify_formula_sign(formulas *f, formula a);
bool hbg_verify_formula_wants_care(formulas *f, formula a, formula b);

/* formula_squares.c: it is a polynomial of at most second degree and nowhere negative. */
bool hbg_verify_formula_is_square_sum(formulas *f, formula a);

/* An assertion holds until the level is left. */
void hbg_verify_formulas_push(formulas *f);
void hbg_verify_formulas_pop(formulas *f);
void hbg_verify_formulas_assert(formulas *f, formula a);
formula_level hbg_verify_formulas_level(const formulas *f); /* the one that was entered last */
bool hbg_verify_formulas_is_open(const formulas *f, formula_level level);

/* Whether the assertions can hold together with a further formula (NULL: none). */
verify_answer hbg_verify_formulas_check(formulas *f, formula also);
/* The same without asking for values. */
verify_answer hbg_verify_formulas_try(formulas *f, formula also);
/* Whether some values fulfil this, with the axioms but without the assertions. */
verify_answer hbg_verify_formulas_check_alone(formulas *f, formula a);
void hbg_verify_formulas_allow(formulas *f, double seconds); /* from now on */
/* Why there are no more questions: time ran out, or the caller ended them. */
const char *hbg_verify_formulas_why_spent(const formulas *f);
bool hbg_verify_formulas_spent(formulas *f); /* no further question may be asked */
/* A formula with the values of the last successful check substituted; NULL if there are none. */
formula hbg_verify_formula_in_model(formulas *f, formula a);

#endif
