/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the verifier tells people about a region, read again: whether the inequalities hold for some numbers. It knows the words only, and
 * nothing of what they were made of. */
#ifndef HBG_TESTS_VERIFY_ANSWERS_WORDS_IMPL_H
#define HBG_TESTS_VERIFY_ANSWERS_WORDS_IMPL_H

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *at;
    double (*value_of)(const void *context, const char *name, size_t size); /* NaN: there is no such thing */
    const void *context;
    bool unknown; /* something cannot be read, or has no value */
    bool near;    /* a relation is so near to equality that rounded words say nothing */
} words_reader;

static inline double read_words_sum(words_reader *r);

static inline void skip_words_blank(words_reader *r) {
    while (*r->at == ' ') r->at++;
    if (*r->at != '[') return; // a unit
    while (*r->at && *r->at != ']') r->at++;
    if (*r->at) r->at++;
    skip_words_blank(r);
}

static inline double call_words(words_reader *r, const char *name, size_t size) {
    double a = read_words_sum(r), b = NAN;
    skip_words_blank(r);
    if (*r->at == ',') {
        r->at++;
        b = read_words_sum(r);
        skip_words_blank(r);
    }
    if (*r->at == ')')
        r->at++;
    else
        r->unknown = true;
    if (size == 3 && strncmp(name, "sin", 3) == 0) return sin(a);
    if (size == 3 && strncmp(name, "cos", 3) == 0) return cos(a);
    if (size == 3 && strncmp(name, "abs", 3) == 0) return fabs(a);
    if (size == 4 && strncmp(name, "sqrt", 4) == 0) return sqrt(a);
    if (size == 3 && strncmp(name, "max", 3) == 0) return fmax(a, b);
    if (size == 3 && strncmp(name, "min", 3) == 0) return fmin(a, b);
    return NAN;
}

static inline double read_words_primary(words_reader *r) {
    skip_words_blank(r);
    if (*r->at == '-') {
        r->at++;
        return -read_words_primary(r);
    }
    if (*r->at == '(') {
        r->at++;
        return call_words(r, "abs", 0); // what is in brackets has no value of its own: it is told as (…)
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        double number = strtod(r->at, &end);
        r->at = end;
        return number;
    }
    const char *name = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.') r->at++;
    size_t size = (size_t)(r->at - name);
    if (size == 0) {
        r->unknown = true;
        return NAN;
    }
    if (*r->at == '(') {
        r->at++;
        return call_words(r, name, size);
    }
    return r->value_of(r->context, name, size);
}

static inline double read_words_factor(words_reader *r) {
    double base = read_words_primary(r);
    if (*r->at != '^') return base;
    r->at++;
    return pow(base, read_words_primary(r));
}

static inline double read_words_term(words_reader *r) {
    double product = read_words_factor(r);
    while (*r->at == '*') {
        r->at++;
        product *= read_words_factor(r);
    }
    return product;
}

static inline double read_words_sum(words_reader *r) {
    double sum = read_words_term(r);
    for (;;) {
        skip_words_blank(r);
        if (*r->at != '+' && *r->at != '-') return sum;
        bool minus = *r->at++ == '-';
        double term = read_words_term(r);
        sum += minus ? -term : term;
    }
}

/* "1 < q <= 2": every relation in it. */
static inline bool read_words_chain(words_reader *r) {
    double left = read_words_sum(r);
    bool holds = true, any = false;
    for (;;) {
        skip_words_blank(r);
        if (!strchr("<>=!", *r->at) || !*r->at) break;
        char sign = *r->at++;
        bool equal = *r->at == '=';
        r->at += equal;
        double right = read_words_sum(r), distance = fabs(left - right);
        any = true;
        r->unknown |= !isfinite(left) || !isfinite(right);
        r->near |= distance <= 1e-4 * (fabs(left) + fabs(right)) + 1e-9;
        holds &= sign == '<' ? left < right : sign == '>' ? left > right : (sign == '!') == (distance > 0);
        left = right;
    }
    r->unknown |= !any;
    return holds;
}

/* Inequalities that hold together. */
static inline bool words_hold(words_reader *r, const char *text) {
    bool holds = true;
    if (strcmp(text, "everywhere") == 0) return true;
    r->at = text;
    while (*r->at && !r->unknown) {
        holds &= read_words_chain(r);
        skip_words_blank(r);
        if (*r->at == ',') r->at++;
    }
    return holds;
}

/* One of these lists does. */
static inline bool any_words_hold(words_reader *r, const char *const *texts, int32_t count) {
    bool holds = false;
    for (int32_t i = 0; i < count; i++) holds |= words_hold(r, texts[i]);
    return holds;
}

#endif
