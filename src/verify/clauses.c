/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Clauses under construction, in an arena. The prover gets them whole, so that it and the arena are never
 * both halfway through the same work: if one runs out of memory, the other leaks nothing. */
#include "verify/verify_impl.h"

void hbg_verify_clauses_init(verify_clauses *clauses, hbg_arena *arena) {
    clauses->arena = arena;
    clauses->variables = LITERAL_TRUE;
    clauses->literals.count = clauses->limits.count = clauses->limited.count = 0;
    clauses->open = 0;
    clauses->holds = false;
}

int32_t hbg_verify_variable(verify_clauses *clauses) {
    return ++clauses->variables;
}

void hbg_verify_literal(verify_clauses *clauses, int32_t literal) {
    if (literal == LITERAL_TRUE) clauses->holds = true;
    if (literal != LITERAL_FALSE && !clauses->holds) HBG_PUSH(clauses->arena, clauses->literals, literal);
}

void hbg_verify_clause_end(verify_clauses *clauses) {
    if (clauses->holds)
        clauses->literals.count = clauses->open;
    else
        HBG_PUSH(clauses->arena, clauses->literals, 0);
    clauses->open = clauses->literals.count;
    clauses->holds = false;
}

void hbg_verify_clause(verify_clauses *clauses, const int32_t *literals, int32_t count) {
    for (int32_t i = 0; i < count; i++) hbg_verify_literal(clauses, literals[i]);
    hbg_verify_clause_end(clauses);
}

int32_t hbg_verify_or(verify_clauses *clauses, int32_t a, int32_t b) {
    if (a == LITERAL_TRUE || b == LITERAL_TRUE || a == -b) return LITERAL_TRUE;
    if (a == LITERAL_FALSE || a == b) return b;
    if (b == LITERAL_FALSE) return a;
    int32_t either = hbg_verify_variable(clauses);
    VERIFY_CLAUSE(clauses, -a, either);
    VERIFY_CLAUSE(clauses, -b, either);
    VERIFY_CLAUSE(clauses, -either, a, b);
    return either;
}

int32_t hbg_verify_and(verify_clauses *clauses, int32_t a, int32_t b) {
    return -hbg_verify_or(clauses, -a, -b);
}

void hbg_verify_limit_literal(verify_clauses *clauses, int32_t literal) {
    HBG_PUSH(clauses->arena, clauses->limited, literal);
}

void hbg_verify_limit_end(verify_clauses *clauses, int32_t most) {
    int32_t first = 0;
    if (clauses->limits.count > 0) {
        const verify_limit *last = &clauses->limits.items[clauses->limits.count - 1];
        first = last->first + last->count;
    }
    HBG_PUSH(clauses->arena, clauses->limits, (verify_limit){first, clauses->limited.count - first, most});
}
