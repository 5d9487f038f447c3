/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operators on plain numbers, with the same bits wherever a model is computed. */
#ifndef HBG_RT_OPERATOR_H
#define HBG_RT_OPERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/operator_list_impl.h"

/* The operator on plain numbers (booleans as 0 and 1). Only for operators with expressions as arguments, and
 * pi. */
double hbg_rt_evaluate(hbg_operator op, double a, double b, double c);
const char *hbg_rt_operator_text(hbg_operator op); /* as written in models */

/* The same bits wherever a model is computed, and exact to one unit in the last place: by the processor's
 * fused products if it has them, else by libm. */
double hbg_rt_exp(double x);
double hbg_rt_ln(double x);
double hbg_rt_pow(double x, double y);
double hbg_rt_sin(double x);
double hbg_rt_cos(double x);
/* With the sign of a, and 0 where a is a whole multiple of b up to rounding, 4 units in its last place; and
 * a/b, a whole number there. The text of the former: a C function wrapped_remainder, which calls fmod. */
double hbg_rt_remainder(double a, double b);
double hbg_rt_quotient(double a, double b);
const char *hbg_rt_remainder_text(void);
/* Whether exp to cos are those of this project; if so, their text: C functions elementary_exp and so on.
 * Before it, FUNCTION, RARE and TABLE have to be defined, the words in front of a function, of one that is
 * seldom called, and of an array; compile with fused products. */
bool hbg_rt_has_elementary(void);
const char *hbg_rt_elementary_text(void);
/* The same for several numbers in parallel: functions in the words of elementary_impl.h, which have to be
 * defined before. */
const char *hbg_rt_elementary_words(void);
const char *hbg_rt_elementary_tables(void); /* the arrays of both, alone */

/* Whether a relation between equal values is true. */
bool hbg_rt_at_equality(int op);
/* == or !=: their truth is the same on both sides, and the opposite at equality. */
bool hbg_rt_is_equality(int op);

#endif
