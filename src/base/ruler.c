/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multiples of a step without rounding errors. 0.1 is not a binary number: three times the double next to it
 * is 0.30000000000000004. But the step was written as a decimal m/10^n, and if m·k and 10^n are whole numbers
 * that a double holds exactly, one division rounds their quotient to the double nearest to the decimal
 * product. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/double_text_impl.h"

#define WHOLE      0x1p53 /* whole numbers up to here are exact */
#define MOST_TENTH 22     /* likewise powers of ten */

/* The digits of a text like 7.5e-06 as a whole number; *exponent is their power of ten. */
static double read_digits(const char *text, int *exponent) {
    double digits = 0;
    *exponent = 0;
    for (bool behind = false; *text && *text != 'e'; text++) {
        behind = behind || *text == '.';
        if (*text == '.') continue;
        digits = digits * 10 + (*text - '0');
        *exponent -= behind;
        if (digits >= WHOLE) return digits;
    }
    if (*text == 'e') *exponent += (int)strtol(text + 1, NULL, 10);
    return digits;
}

static double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; i++) power *= 10;
    return power;
}

hbg_ruler hbg_base_ruler_of(double step) {
    hbg_ruler ruler = {step, step, 1};
    char text[HBG_DOUBLE_TEXT];
    int exponent;
    if (!(step > 0) || !isfinite(step)) return ruler;
    hbg_base_double_print(text, step);
    double digits = read_digits(text, &exponent);
    if (digits >= WHOLE || exponent >= 0 || exponent < -MOST_TENTH) return ruler;
    ruler.numerator = digits;
    ruler.denominator = power_of_ten(-exponent);
    return ruler;
}

double hbg_base_ruler_mark(const hbg_ruler *ruler, double number) {
    double product = ruler->numerator * number;
    return fabs(product) < WHOLE ? product / ruler->denominator : ruler->step * number;
}

double hbg_base_ruler_snap(const hbg_ruler *ruler, double value) {
    double number = ruler->step > 0 ? nearbyint(value / ruler->step) : INFINITY;
    if (!(fabs(number) < WHOLE)) return value;
    double mark = hbg_base_ruler_mark(ruler, number);
    return fabs(mark - value) <= 4 * DBL_EPSILON * fabs(value) ? mark : value;
}
