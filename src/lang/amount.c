/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that are added to others: of faults, of noise, the step of a grid, the deviation of a distribution.
 * Two units have a special meaning there. Percent refer to the value they are added to, also where they are
 * computed, `2*10 [%]`; and scales of temperature have a separate zero, so that a sum cannot use them: 5
 * [degC] more would be
 * 278.15 K more. Numbers alone do not show what is meant, so this looks at what is written. */
#include "lang/elaborate_impl.h"
#include "lang/unit_parts_impl.h"

/* What an expression says, as far as it is written in numbers. */
typedef struct {
    hbg_amount kind;
    int64_t
        scales; /* how often it contains the zero of a scale of temperature: 25 [degC] - 20 [degC] has none */
    bool named; /* has parts that are not numbers */
} amount;

static const hbg_dimension per_second = {.exponent = {[2] = -HBG_DIMENSION_DENOMINATOR}, .known = true};

static bool has_percent(amount a) {
    return a.kind == HBG_AMOUNT_PERCENT || a.kind == HBG_AMOUNT_PERCENT_RATE || a.kind == HBG_AMOUNT_MIXED;
}

static amount of_number(hbg_elaborator *elaborator, const syntax_expr *expr) {
    if (expr->unit.end == 0) return (amount){.kind = HBG_AMOUNT_PURE};
    const hbg_unit *unit = hbg_lang_elaborate_unit(elaborator, expr->unit);
    amount result = {.kind = HBG_AMOUNT_OTHER};
    if (!unit) return result;
    bool pure = hbg_model_dimension_agree(unit->dimension, hbg_model_dimension_pure);
    bool is_rate = hbg_model_dimension_agree(unit->dimension, per_second);
    result.scales = !unit->logarithmic && hbg_lang_unit_alone(unit);
    if (unit->percents == 0 || (!pure && !is_rate)) return result;
    result.kind = unit->percents != 1 ? HBG_AMOUNT_MIXED
                  : pure              ? HBG_AMOUNT_PERCENT
                                      : HBG_AMOUNT_PERCENT_RATE;
    return result;
}

/* A sum of percentages is a percentage, and so is a multiple. */
static hbg_amount kind_of(hbg_operator op, amount a, amount b) {
    if (!has_percent(a) && !has_percent(b))
        return a.kind == HBG_AMOUNT_PURE && b.kind == HBG_AMOUNT_PURE ? HBG_AMOUNT_PURE : HBG_AMOUNT_OTHER;
    if ((op == HBG_OP_ADD || op == HBG_OP_SUBTRACT) && a.kind == b.kind) return a.kind;
    if ((op == HBG_OP_MULTIPLY || op == HBG_OP_DIVIDE) && b.kind == HBG_AMOUNT_PURE) return a.kind;
    if (op == HBG_OP_MULTIPLY && a.kind == HBG_AMOUNT_PURE) return b.kind;
    return HBG_AMOUNT_MIXED;
}

static amount joined(hbg_operator op, amount a, amount b) {
    amount result = {.kind = kind_of(op, a, b), .named = a.named || b.named};
    result.scales = op == HBG_OP_ADD        ? a.scales + b.scales
                    : op == HBG_OP_SUBTRACT ? a.scales - b.scales
                                            : a.scales != 0 || b.scales != 0;
    return result;
}

static amount look(hbg_elaborator *elaborator, const syntax_expr *expr);

/* For functions, choices and comparisons nothing is known, but percent in them are no percentage. */
static amount of_arguments(hbg_elaborator *elaborator, const syntax_expr *expr) {
    amount result = {.kind = HBG_AMOUNT_OTHER, .named = true};
    for (int32_t i = 0; i < expr->argument_count; i++)
        if (has_percent(look(elaborator, expr->arguments[i]))) result.kind = HBG_AMOUNT_MIXED;
    return result;
}

/* The parser bounds the depth of a text, except of long sums, which are left-deep. */
static amount of_operator(hbg_elaborator *elaborator, const syntax_expr *expr) {
    HBG_VEC(const syntax_expr *) spine = {0};
    const syntax_expr *leftmost = expr;
    while (leftmost->kind == SYNTAX_OPERATOR && leftmost->argument_count == 2) {
        HBG_PUSH(elaborator->arena, spine, leftmost);
        leftmost = leftmost->arguments[0];
    }
    amount left = look(elaborator, leftmost);
    for (int32_t i = spine.count - 1; i >= 0; i--)
        left = joined(spine.items[i]->op, left, look(elaborator, spine.items[i]->arguments[1]));
    return left;
}

static amount look(hbg_elaborator *elaborator, const syntax_expr *expr) {
    bool calls = expr->kind == SYNTAX_CALL || (expr->kind == SYNTAX_OPERATOR && expr->argument_count > 2);
    if (expr->kind == SYNTAX_NUMBER) return of_number(elaborator, expr);
    if (calls) return of_arguments(elaborator, expr);
    if (expr->kind != SYNTAX_OPERATOR) return (amount){.kind = HBG_AMOUNT_OTHER, .named = true};
    if (expr->argument_count == 2) return of_operator(elaborator, expr);
    if (expr->op != HBG_OP_NEGATE) return of_arguments(elaborator, expr);
    amount inner =
        look(elaborator, expr->arguments[0]); // -5 [degC] has the zero of its scale once, as 5 [degC] has
    if (expr->arguments[0]->kind != SYNTAX_NUMBER) inner.scales = -inner.scales;
    return inner;
}

hbg_span hbg_lang_elaborate_amount_span(const syntax_expr *expr) {
    bool united = expr->kind == SYNTAX_NUMBER && expr->unit.end > 0;
    return united ? hbg_base_span_join(expr->span, expr->unit) : expr->span;
}

hbg_amount hbg_lang_elaborate_amount(hbg_elaborator *elaborator, const syntax_expr *expr) {
    return expr ? look(elaborator, expr).kind : HBG_AMOUNT_OTHER;
}

void hbg_lang_elaborate_check_difference(hbg_elaborator *elaborator, const syntax_expr *expr,
                                         const char *what) {
    if (!expr) return;
    amount found = look(elaborator, expr);
    if (found.scales == 0 || found.named) return;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNIT, hbg_lang_elaborate_amount_span(expr),
                        "%s is a difference, and a scale of temperature counts from a zero of its own", what);
    hbg_base_report_fix(diagnostics, report,
                        "a difference of temperatures is in K: write `5 [K]`, not `5 [degC]`");
}

/* A bare number has any dimension, and so has its product with another: a sum with a 0 of a known unit shows
 * which. */
hbg_expr hbg_lang_elaborate_anchor(const hbg_lowering *lowering, const syntax_expr *expr, hbg_expr value) {
    hbg_elaborator *elaborator = lowering->elaborator;
    if (value == HBG_NONE || expr->kind != SYNTAX_OPERATOR) return value;
    hbg_amount kind = hbg_lang_elaborate_amount(elaborator, expr);
    if (kind != HBG_AMOUNT_PERCENT && kind != HBG_AMOUNT_PERCENT_RATE) return value;
    hbg_dimension own = kind == HBG_AMOUNT_PERCENT ? hbg_model_dimension_pure : per_second;
    hbg_expr zero = hbg_model_add_number(elaborator->model, (hbg_decimal){.digits = "0"}, own, expr->span);
    return hbg_model_add_expr(elaborator->model, HBG_OP_ADD, value, zero, HBG_NONE, expr->span);
}
