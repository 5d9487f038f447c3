/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Intervals that a run chooses from, `0.5 .. 0.9`. A unit behind the last number is that of both: `900 .. 1100 [N/m]`. Without a
 * decision the middle counts, and of a loss the restitution that loses the middle. */
#include "lang/parser_impl.h"

static syntax_expr *make_integer(hbg_parser *parser, int64_t value, hbg_span span) {
    syntax_expr *expr = HBG_NEW(parser->arena, syntax_expr);
    expr->kind = SYNTAX_INTEGER;
    expr->span = span;
    expr->integer = value;
    return expr;
}

static syntax_expr *make_operator(hbg_parser *parser, hbg_operator op, syntax_expr *a, syntax_expr *b,
                                  hbg_span span) {
    syntax_expr *expr = HBG_NEW(parser->arena, syntax_expr);
    expr->kind = SYNTAX_OPERATOR;
    expr->op = op;
    expr->span = span;
    expr->argument_count = b ? 2 : 1;
    expr->arguments = HBG_NEW_ARRAY(parser->arena, syntax_expr *, 2);
    expr->arguments[0] = a;
    expr->arguments[1] = b;
    return expr;
}

static syntax_expr *make_middle(hbg_parser *parser, const syntax_interval *of) {
    syntax_expr *sum = make_operator(parser, HBG_OP_ADD, of->low, of->high, of->span);
    syntax_expr *middle =
        make_operator(parser, HBG_OP_DIVIDE, sum, make_integer(parser, 2, of->span), of->span);
    if (!of->loss) return middle;
    syntax_expr *kept =
        make_operator(parser, HBG_OP_SUBTRACT, make_integer(parser, 1, of->span), middle, of->span);
    return make_operator(parser, HBG_OP_SQRT, kept, NULL, of->span);
}

/* The number that an end is, perhaps after a sign; NULL: it is something else. */
static syntax_expr *number_in(syntax_expr *end) {
    if (end->kind == SYNTAX_OPERATOR && end->op == HBG_OP_NEGATE) end = end->arguments[0];
    return end->kind == SYNTAX_NUMBER ? end : NULL;
}

bool hbg_lang_parser_at_loss(hbg_parser *parser) {
    if (!hbg_lang_parser_at_word(parser, WORD_loss)) return false;
    hbg_token next = hbg_lang_parser_peek(parser);
    if (next.kind != TOKEN_NAME) return next.kind == TOKEN_NUMBER;
    return next.name != parser->words[WORD_when] && next.name != parser->words[WORD_off];
}

syntax_interval *hbg_lang_parser_interval(hbg_parser *parser, syntax_expr *low, bool loss,
                                          syntax_expr **middle) {
    if (parser->failed) return NULL;
    if (!hbg_lang_parser_at(parser, TOKEN_RANGE)) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`..` and the other end of the interval");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report,
                                "an interval reads `0.5 .. 0.9`; where there is one value, write it alone");
        return NULL;
    }
    hbg_lang_parser_advance(parser);
    syntax_expr *high = hbg_lang_parser_expression(parser);
    if (parser->failed) return NULL;
    syntax_expr *first = number_in(low), *last = number_in(high);
    if (first && last && first->unit.end == 0) first->unit = last->unit;
    syntax_interval *made = HBG_NEW(parser->arena, syntax_interval);
    *made = (syntax_interval){low, high, loss, {low->span.start, high->span.end}};
    *middle = make_middle(parser, made);
    return made;
}
