/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations in one odd power of their unknown, c·sign(u)·|u|ⁿ + rest = 0, in any notation: k·f·abs(f),
 * sign(f)*f^2, f^3, abs(f)^1.75*sign(f), or sums of these with the same n. They have one solution, given by a
 * formula. Newton's method converges badly: for n > 1 the slope is 0 where u is 0, and with a frozen branch
 * of abs there is another solution, or none. A turbulent orifice is the common case. */
#include <math.h>

#include "term/term.h"

/* A term as a function of the unknown u: factor·|u|ⁿ, times sign(u) if it is odd; the factor does not read
 * u. */
typedef enum { PIECE_OTHER, PIECE_FREE, PIECE_EVEN, PIECE_ODD } piece_kind;

typedef struct {
    piece_kind kind;
    hbg_term factor;
    double exponent;
} piece;

typedef struct {
    hbg_terms *terms;
    int32_t unknown; /* variable */
    int32_t visits;  /* remaining visits: a term is a graph, and walking it as a tree may be endless */
    hbg_term coefficient, rest;
    double exponent;
    bool found;
} power_search;

enum { VISITS = 2000, DEPTH = 40 };

static const piece other = {PIECE_OTHER, HBG_NONE, 0};

static hbg_term one_argument(power_search *s, int op, hbg_term a) {
    return hbg_term_make(s->terms, op, a, HBG_NONE, HBG_NONE);
}

static bool is_power(piece of) {
    return of.kind == PIECE_EVEN || of.kind == PIECE_ODD;
}

static piece product(power_search *s, piece a, piece b) {
    if (a.kind == PIECE_OTHER || b.kind == PIECE_OTHER) return other;
    piece_kind kind = a.kind == PIECE_FREE   ? b.kind
                      : b.kind == PIECE_FREE ? a.kind
                      : a.kind == b.kind     ? PIECE_EVEN
                                             : PIECE_ODD;
    return (piece){kind, hbg_term_multiply(s->terms, a.factor, b.factor), a.exponent + b.exponent};
}

/* A whole power of any piece, or any power of one without a sign. */
static piece power(power_search *s, piece of, hbg_term exponent) {
    const term_node *node = &s->terms->nodes.items[exponent];
    if (node->op != HBG_OP_NUMBER || !is_power(of)) return other;
    double value = hbg_base_decimal_to_double(s->terms->numbers.items[node->a]);
    bool whole = value == floor(value) && fabs(value) < 64;
    if (!(value > 0) || (!whole && of.kind == PIECE_ODD)) return other;
    piece_kind kind = of.kind == PIECE_ODD && fmod(value, 2) == 1 ? PIECE_ODD : PIECE_EVEN;
    hbg_term factor = hbg_term_make(s->terms, HBG_OP_POWER_OF, of.factor, exponent, HBG_NONE);
    return (piece){kind, factor, of.exponent * value};
}

static piece root(power_search *s, piece of, int op, double share) {
    if (!is_power(of) || (op == HBG_OP_SQRT && of.kind == PIECE_ODD)) return other;
    return (piece){of.kind, one_argument(s, op, of.factor), of.exponent * share};
}

static piece quotient(power_search *s, piece a, piece b) {
    if (a.kind == PIECE_OTHER || b.kind != PIECE_FREE) return other;
    a.factor = hbg_term_divide(s->terms, a.factor, b.factor);
    return a;
}

/* The piece of an operator with some argument that reads the unknown. */
static piece combine(power_search *s, const term_node *node, const piece *of) {
    switch (node->op) {
    case HBG_OP_FINITE: return of[0];
    case HBG_OP_NEGATE:
        return is_power(of[0]) ? (piece){of[0].kind, hbg_term_negate(s->terms, of[0].factor), of[0].exponent}
                               : other;
    case HBG_OP_ABS:
        return is_power(of[0]) ? (piece){PIECE_EVEN, one_argument(s, node->op, of[0].factor), of[0].exponent}
                               : other;
    case HBG_OP_SIGN:
        return of[0].kind == PIECE_ODD ? (piece){PIECE_ODD, one_argument(s, node->op, of[0].factor), 0}
                                       : other;
    case HBG_OP_MULTIPLY: return product(s, of[0], of[1]);
    case HBG_OP_DIVIDE: return quotient(s, of[0], of[1]);
    case HBG_OP_POWER_OF: return power(s, of[0], node->b);
    case HBG_OP_SQRT: return root(s, of[0], node->op, 1.0 / 2);
    case HBG_OP_CBRT: return root(s, of[0], node->op, 1.0 / 3);
    default: return other;
    }
}

static piece look_at(power_search *s, hbg_term term, int depth) {
    term_node node = s->terms->nodes.items[term];
    piece of[3] = {other, other, other};
    bool all_free = true;
    if (depth > DEPTH || --s->visits < 0) return other;
    if (node.op == TERM_VARIABLE && node.a == s->unknown)
        return (piece){PIECE_ODD, hbg_term_integer(s->terms, 1), 1};
    for (int i = 0; i < hbg_term_arity(&node); i++) {
        of[i] = look_at(s, hbg_term_argument(&node, i), depth + 1);
        all_free &= of[i].kind == PIECE_FREE;
    }
    if (node.op == TERM_CHARGE) return other;
    return all_free ? (piece){PIECE_FREE, term, 0} : combine(s, &node, of);
}

/* Adds scale·term to what has been found; false if it is not an odd power with the same n, or that is
 * unknown. */
static bool collect(power_search *s, hbg_term term, hbg_term scale, int depth) {
    hbg_terms *terms = s->terms;
    term_node node = terms->nodes.items[term];
    if (depth > DEPTH || s->visits < 0) return false;
    switch (node.op) {
    case HBG_OP_FINITE: return collect(s, node.a, scale, depth + 1);
    case HBG_OP_NEGATE: return collect(s, node.a, hbg_term_negate(terms, scale), depth + 1);
    case HBG_OP_ADD: return collect(s, node.a, scale, depth + 1) && collect(s, node.b, scale, depth + 1);
    case HBG_OP_SUBTRACT:
        return collect(s, node.a, scale, depth + 1) &&
               collect(s, node.b, hbg_term_negate(terms, scale), depth + 1);
    default: break;
    }
    piece of = look_at(s, term, depth + 1);
    hbg_term share = of.kind == PIECE_OTHER ? HBG_NONE : hbg_term_multiply(terms, scale, of.factor);
    if (of.kind == PIECE_FREE) {
        s->rest = hbg_term_add(terms, s->rest, share);
        return true;
    }
    if (of.kind != PIECE_ODD || !(of.exponent > 0) || (s->found && of.exponent != s->exponent)) return false;
    s->coefficient = hbg_term_add(terms, s->coefficient, share);
    s->exponent = of.exponent;
    s->found = true;
    return true;
}

/* sign(z)·|z|^(1/n) */
static hbg_term inverse(power_search *s, hbg_term z) {
    hbg_terms *terms = s->terms;
    double n = s->exponent;
    if (n == 1) return z;
    if (n == 3) return one_argument(s, HBG_OP_CBRT, z);
    hbg_term size = one_argument(s, HBG_OP_ABS, z);
    if (n == 0.5) return hbg_term_multiply(terms, z, size);
    hbg_term by = hbg_term_divide(terms, hbg_term_integer(terms, 1), hbg_term_double(terms, n));
    hbg_term root = n == 2 ? one_argument(s, HBG_OP_SQRT, size)
                           : hbg_term_make(terms, HBG_OP_POWER_OF, size, by, HBG_NONE);
    return hbg_term_multiply(terms, one_argument(s, HBG_OP_SIGN, z), root);
}

hbg_term hbg_term_solve_power(hbg_terms *terms, hbg_term residual, int32_t variable, double *exponent) {
    hbg_term zero = hbg_term_integer(terms, 0);
    power_search s = {
        .terms = terms, .unknown = variable, .visits = VISITS, .coefficient = zero, .rest = zero};
    if (!collect(&s, residual, hbg_term_integer(terms, 1), 0) || !s.found) return HBG_NONE;
    *exponent = s.exponent;
    return inverse(&s, hbg_term_divide(terms, hbg_term_negate(terms, s.rest), s.coefficient));
}
