/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms: exact expression graphs, their derivatives, the areas of their pulses, and walks over them. Only the
 * owner of the terms knows the meaning of a variable. */
#ifndef HBG_TERM_H
#define HBG_TERM_H

#include "model/model.h"
#include "rt/image.h"

/* ---- terms: exact expression graphs ------------------------------------------------------------------- */

/* A term is an operator on terms, a number or a variable. Equal terms are one term; arguments come before the
 * term that uses them. Nothing is rounded here: numbers stay exact decimals, and numbers that are not
 * decimals, as 120 [deg], refer to the term they were rounded from. */
typedef int32_t hbg_term;

enum {
    TERM_VARIABLE = HBG_RT_OP_VARIABLE, /* a: variable */
    TERM_SLOPE,                         /* a: argument, b: table; the slope of the table there */
    TERM_CHARGE, /* a: state, b: element; energy to charge it so far; b + elements: its rate by parameters */
    TERM_RATE    /* a: rate of term b of parameters only, while the run moves them; see eqn/rate.c */
};

typedef enum { LEVEL_NUMBER, LEVEL_PARAM, LEVEL_RUN } term_level; /* the highest level it depends on */

typedef struct {
    uint16_t op; /* hbg_operator except its leaves, or one of the above */
    uint8_t level;
    int32_t a, b, c;
} term_node;

typedef struct {
    hbg_arena *arena;
    HBG_VEC(term_node) nodes;
    HBG_VEC(hbg_decimal)
    numbers;        /* referred to by HBG_OP_NUMBER; its b is the term it was rounded from, or HBG_NONE */
    int32_t *slots; /* hash table: term, or HBG_NONE */
    int32_t slot_count;
    int32_t *number_slots;
    int32_t number_slot_count;
    int32_t first_param, end_param; /* variables of level PARAM */
    hbg_term small[19];             /* -9 to 9, plus 1; 0: not made yet */
    int32_t to_rate; /* from such a variable to its rate, which has that level, too; 0: they do not move */
    bool is_shared;  /* other threads may be reading: growing arrays leave the old items in place */
    HBG_VEC(int32_t) marks; /* by term: for hbg_term_walk */
    int32_t mark;
    bool stop_at_finite; /* gradients of areas do not enter finite(…) */
    hbg_term (*law_of_element)(void *owner, int32_t element); /* the derivative of a charge */
    void *owner;
    HBG_VEC(hbg_term) notes; /* by term: 0 while unused; for gradients and substitution */
    HBG_VEC(hbg_term) walk;  /* result of the last walk: every term below, arguments first */
    HBG_VEC(hbg_term) stack;
} hbg_terms;

/* Like HBG_PUSH on arrays that runs read while others compile: they continue with the items they know. */
#define HBG_TERMS_PUSH(terms, vec, ...)                                                                      \
    ((vec).items = ((vec).count < (vec).capacity)                                                            \
                       ? (vec).items                                                                         \
                       : hbg_term_grow((terms), (vec).items, &(vec).capacity, sizeof *(vec).items),          \
     (vec).items[(vec).count] = __VA_ARGS__, (vec).count++)
void *hbg_term_grow(hbg_terms *terms, void *items, int32_t *capacity, size_t size);

void hbg_term_init(hbg_terms *terms, hbg_arena *arena, int32_t first_param, int32_t end_param);
hbg_term hbg_term_number(hbg_terms *terms, hbg_decimal value);
/* A number that runs take as that decimal, and proofs as the exact term. */
hbg_term hbg_term_rounded(hbg_terms *terms, hbg_decimal value, hbg_term exact);
hbg_term hbg_term_integer(hbg_terms *terms, int32_t value);
hbg_term hbg_term_double(hbg_terms *terms, double value);
hbg_term hbg_term_variable(hbg_terms *terms, int32_t variable);
/* An operator on terms, simplified where that changes no value: x + 0, 1·x, −(−x). */
hbg_term hbg_term_make(hbg_terms *terms, int op, hbg_term a, hbg_term b, hbg_term c);
hbg_term hbg_term_add(hbg_terms *terms, hbg_term a, hbg_term b);
hbg_term hbg_term_subtract(hbg_terms *terms, hbg_term a, hbg_term b);
hbg_term hbg_term_multiply(hbg_terms *terms, hbg_term a, hbg_term b);
hbg_term hbg_term_divide(hbg_terms *terms, hbg_term a, hbg_term b);
hbg_term hbg_term_negate(hbg_terms *terms, hbg_term a);
bool hbg_term_is_zero(const hbg_terms *terms, hbg_term a);
bool hbg_term_is_one(const hbg_terms *terms, hbg_term a);
int hbg_term_arity(const term_node *node); /* arguments that are terms */
static inline hbg_term hbg_term_argument(const term_node *node, int index) {
    return index == 0 ? node->a : index == 1 ? node->b : node->c;
}

/* Lists in terms->walk every term below `root`, itself included, arguments first. */
void hbg_term_walk(hbg_terms *terms, hbg_term root);
/* Likewise, but only the variables that a run changes, those of level RUN, in the order of that walk. */
void hbg_term_walk_variables(hbg_terms *terms, hbg_term root);
/* The term with some of its variables replaced by terms: `replace` gives one, or HBG_NONE to keep it. */
hbg_term hbg_term_substitute(hbg_terms *terms, hbg_arena *scratch, hbg_term root,
                             hbg_term (*replace)(void *context, int32_t variable), void *context);
typedef struct { /* context of the simplest replacement */
    int32_t variable;
    hbg_term by;
} hbg_replacement;
hbg_term hbg_term_replace_one(void *context, int32_t variable);

/* ---- words (print.c) ----------------------------------------------------------------------------------- */

/* Names of variables. */
typedef struct {
    void (*put)(const void *owner, int32_t variable, hbg_buffer *out);
    const void *owner;
    bool is_whole; /* printed whatever its length; else it is truncated */
} hbg_term_names;
void hbg_term_print(const hbg_terms *terms, hbg_term term, hbg_term_names names, hbg_buffer *out);

/* ---- derivatives (derivative.c) ----------------------------------------------------------------------- */

/* The derivative of an operator with respect to its argument number 0, 1 or 2. */
hbg_term hbg_term_partial(hbg_terms *terms, hbg_term term, int argument);

/* Gradient: for each variable of the term its partial derivative, by reverse accumulation. Zeros are left
 * out. Parameters are constants, unless they are requested. */
typedef struct {
    int32_t variable; /* HBG_NONE: of a part that is not a variable */
    hbg_term part;
    hbg_term partial;
} gradient_entry;
typedef HBG_VEC(gradient_entry) gradient;
void hbg_term_gradient(hbg_terms *terms, hbg_arena *scratch, hbg_term root, gradient *result);
/* The same, and for the largest parts of parameters only, each as a whole. */
void hbg_term_gradient_of_parts(hbg_terms *terms, hbg_arena *scratch, hbg_term root, gradient *result);
/* For a term of parameters only: for each parameter. */
void hbg_term_gradient_of_params(hbg_terms *terms, hbg_arena *scratch, hbg_term root, gradient *result);

/* ---- powers and pulses -------------------------------------------------------------------------------- */

/* power.c: the solution of an equation in one odd power of a variable, residual = 0, and the exponent;
 * HBG_NONE for others. */
hbg_term hbg_term_solve_power(hbg_terms *terms, hbg_term residual, int32_t variable, double *exponent);

/* pulse.c: whether an operator, like abs, has the area of its larger or smaller argument. */
bool hbg_term_orders(int op);
/* Parts of a value as terms; HBG_NONE: it has no such part. A value that is unbounded in a shorted mode is
 * open: 1 there, where the finite part is not a number, and 0 elsewhere; the unbounded part and its first two
 * derivatives are 0 if they are HBG_NONE. */
typedef struct {
    hbg_term fin, area, open, far[HBG_RT_ORDERS];
} hbg_term_value;
#define HBG_TERM_NO_VALUE                                                                                    \
    {                                                                                                        \
        HBG_NONE, HBG_NONE, HBG_NONE, {                                                                      \
            HBG_NONE, HBG_NONE, HBG_NONE                                                                     \
        }                                                                                                    \
    }

/* The maker of parts of values: terms, or numbers of other objects, as the formulas of a proof. */
typedef struct {
    void *owner;
    hbg_terms *terms; /* parts are terms of these; NULL: `make` makes them */
    /* An operator on parts, also on openness: the greater of two is 1 where either is open. */
    hbg_term (*make)(void *owner, int op, hbg_term a, hbg_term b, hbg_term c);
    hbg_term (*integer)(void *owner, int32_t value);
    /* The truth of a relation; term HBG_NONE: of an order within abs, min, max or sign. */
    hbg_term (*compare)(void *owner, hbg_term term, int op, hbg_term_value a, hbg_term_value b);
    /* A term has no meaning if both have an area, or if either is unbounded. */
    void (*refuse)(void *owner, hbg_term term, hbg_term_value a, hbg_term_value b);
    /* 1 where unbounded parts leave open whether a condition holds; HBG_NONE: nowhere. */
    hbg_term (*openness)(void *owner, hbg_term_value condition);
    hbg_term nothing; /* not a number; HBG_NONE if none is needed */
} hbg_term_algebra;
typedef struct {
    int op;
    hbg_term term;           /* for messages */
    const hbg_term_value *a; /* three arguments; of a table the second is its number */
    bool constant[2];        /* the argument has only parameters */
} hbg_term_operation;
/* Parts of an operator applied to values, by the rule of the operator. */
hbg_term_value hbg_term_operate(const hbg_term_algebra *by, hbg_term_operation of);
/* The same for a term, by the parts of its arguments. */
hbg_term_value hbg_term_apply(const hbg_term_algebra *by, const hbg_terms *from, hbg_term term,
                              const hbg_term_value *a);
/* The area of a term by those of its arguments, HBG_NONE if it has none; false if it is not a linear function
 * of a pulse. */
bool hbg_term_area(hbg_terms *terms, hbg_term term, const hbg_term *areas, hbg_term *area);

/* The finite part of a term, and its area, HBG_NONE if it has none. `area_of` gives the variable that is the
 * area of another one, or HBG_NONE for one that never pulses. */
typedef struct {
    int32_t (*area_of)(const void *owner, int32_t variable);
    const void *owner;
} hbg_term_pulses;
hbg_term hbg_term_parts(hbg_terms *terms, hbg_arena *scratch, hbg_term_pulses pulses, hbg_term term,
                        hbg_term *area);

#endif
