/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas for tests: a context with two symbols, and constants known between bounds. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "verify/formula_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_verify_prover *prover;
    formulas f;
    formula x, y;
} fixture;

static inline void open_fixture(fixture *t) {
    hbg_verify_options options = hbg_verify_options_default();
    memset(t, 0, sizeof *t);
    hbg_base_arena_init(&t->arena, &t->memory);
    t->prover = hbg_verify_prover_new(&t->memory);
    assert_non_null(t->prover);
    assert_true(hbg_verify_formulas_begin(&t->f, t->prover, &t->arena, &options));
    t->x = hbg_verify_formula_real(&t->f, "x");
    t->y = hbg_verify_formula_real(&t->f, "y");
}

static inline void close_fixture(fixture *t) {
    hbg_verify_formulas_end(&t->f);
    hbg_verify_prover_free(t->prover);
    hbg_base_arena_fini(&t->arena);
    assert_int_equal(t->memory.used, 0);
}

static inline formula decimal(fixture *t, const char *text) {
    hbg_decimal value;
    assert_true(hbg_base_decimal_parse(&t->arena, text, strlen(text), &value));
    return hbg_verify_formula_decimal(&t->f, value);
}

/* A constant by an operator on a number (NULL: none). */
static inline formula add_constant(fixture *t, int op, const char *argument, double low, double high) {
    formulas *f = &t->f;
    exact_symbol made = {.op = op, .constant = true, .hangs = true};
    made.argument = argument ? decimal(t, argument) : NULL;
    made.between = (interval){hbg_verify_formula_double(f, low), hbg_verify_formula_double(f, high)};
    made.sample = made.between.low;
    made.symbol = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "constant'%d", f->fresh++));
    HBG_PUSH(f->arena, f->symbols, made);
    HBG_PUSH(f->arena, f->bounds.all, hbg_verify_formula_less_equal(f, made.between.low, made.symbol));
    HBG_PUSH(f->arena, f->bounds.all, hbg_verify_formula_less_equal(f, made.symbol, made.between.high));
    return made.symbol;
}
