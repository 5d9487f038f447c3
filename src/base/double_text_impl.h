/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Doubles as text. A part of base.h that needs only the C library, as do the files that implement it,
 * number_text*.c and ruler.c: they are shipped with emitted programs, which write numbers like hbg. */
#ifndef HBG_DOUBLE_TEXT_IMPL_H
#define HBG_DOUBLE_TEXT_IMPL_H

/* Shortest text that reads back to the same double: "0.1", "1e-06", "inf". Returns its length. */
#define HBG_DOUBLE_TEXT 32
int hbg_base_double_print(char text[HBG_DOUBLE_TEXT], double value);

/* Multiples of a step without rounding errors: 3 · 0.1 is 0.3, the double nearest to the product of the
 * decimals. The step counts as the shortest decimal that reads back to it. */
typedef struct {
    double step, numerator, denominator;
} hbg_ruler;
hbg_ruler hbg_base_ruler_of(double step); /* a step of 0 has no marks */
double hbg_base_ruler_mark(const hbg_ruler *ruler, double number);
double hbg_base_ruler_snap(const hbg_ruler *ruler,
                           double value); /* the mark that equals it up to rounding, else itself */

#define HBG_DECIMAL_DIGITS 1000 /* longer literals, products and sums are refused */

#endif
