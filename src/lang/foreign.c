/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Words of other languages (Modelica, MATLAB, SPICE, C, 20-sim) that are expressed differently here, and what
 * to write instead. */
#include <string.h>

#include "lang/syntax_impl.h"

typedef struct {
    const char *word, *advice;
} foreign_word;

static const foreign_word functions[] = {
    {"mod", "a remainder is written `a % b`"},
    {"rem", "a remainder is written `a % b`"},
    {"fmod", "a remainder is written `a % b`"},
    {"round", "round to the nearest whole number by `floor(x + 0.5)`"},
    {"int", "round down by `floor(x)`"},
    {"fix", "round towards zero by `x < 0 ? ceil(x) : floor(x)`"},
    {"trunc", "round towards zero by `x < 0 ? ceil(x) : floor(x)`"},
    {"limit", "keep a value between two others by `min(max(x, low), high)`"},
    {"clip", "keep a value between two others by `min(max(x, low), high)`"},
    {"clamp", "keep a value between two others by `min(max(x, low), high)`"},
    {"saturate", "keep a value between two others by `min(max(x, low), high)`"},
    {"saturation", "keep a value between two others by `min(max(x, low), high)`"},
    {"delay", "hold a value for a period by `sample y every T = pre(x_now)`, with `sample x_now every T = "
              "x`; a lag is "
              "`state y = 0 : der = (x - y)/T`"},
    {"integral", "an integral is a state: `state y = 0 : der = x;`"},
    {"integrate", "an integral is a state: `state y = 0 : der = x;`"},
    {"ddt", "a rate of change is written `der(x)`"},
    {"derivative", "a rate of change is written `der(x)`"},
    {"arcsin", "it is called `asin`"},
    {"arccos", "it is called `acos`"},
    {"arctan", "it is called `atan`"},
    {"arctan2", "it is called `atan2`"},
    {"ln", "the natural logarithm is `log(x)`"},
    {"fabs", "it is called `abs`"},
    {"sgn", "it is called `sign`"},
    {"power", "a power is written `a^b`"},
    {"square", "a square is written `x^2`"},
    {"previous", "the value before the instant is `pre(x)`"},
    {"last", "the value before the instant is `pre(x)`"},
    {"edge", "an instant is a transition of an automaton: `-> on when x > 0;`"},
    {"interp1", "the columns of a file are interpolated by `table(\"file.csv\", \"column\", x)`"},
    {"lookup", "the columns of a file are interpolated by `table(\"file.csv\", \"column\", x)`"},
    {"pulse", "a pulse train is `time % T < D*T ? high : low`"},
    {"step", "a step is `time >= t0 ? after : before`"},
    {"heaviside", "a step is `time >= t0 ? after : before`"},
    {"ramp", "a ramp is `slope*max(time - t0, 0)`"},
    {"sat", "keep a value between two others by `min(max(x, low), high)`"},
    {"if", "a choice between two values is written `condition ? a : b`"},
    {"ifelse", "a choice between two values is written `condition ? a : b`"},
    {"initial",
     "what holds at the start is a start value, `C c(1 [uF], e = 5 [V])`, or `at 0: …;` in an experiment"},
    {"noise", "noise is that of a sensor: `sensor y = x every T noise(mean, variance);`"},
    {"rand", "noise is that of a sensor: `sensor y = x every T noise(mean, variance);`"},
};

static const foreign_word values[] = {
    {"t", "the time of a run is `time`"},
    {"TIME", "the time of a run is `time`"},
    {"Time", "the time of a run is `time`"},
    {"PI", "the number 3.14… is `pi`"},
    {"Pi", "the number 3.14… is `pi`"},
    {"M_PI", "the number 3.14… is `pi`"},
    {"True", "it is written `true`"},
    {"TRUE", "it is written `true`"},
    {"False", "it is written `false`"},
    {"FALSE", "it is written `false`"},
    {"inf", "there is no infinity: leave out what has no limit, or write 1e300"},
};

static const foreign_word operators[] = {
    {"mod", "%"}, {"rem", "%"}, {"and", "&&"}, {"or", "||"}, {"xor", "!="}, {"eq", "=="}, {"ne", "!="},
};

static const char *find(const foreign_word *words, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].word, word) == 0) return words[i].advice;
    return NULL;
}

const char *hbg_lang_foreign_function(const char *word) {
    return find(functions, sizeof functions / sizeof functions[0], word);
}

const char *hbg_lang_foreign_value(const char *word) {
    return find(values, sizeof values / sizeof values[0], word);
}

const char *hbg_lang_foreign_operator(const char *word) {
    return find(operators, sizeof operators / sizeof operators[0], word);
}
