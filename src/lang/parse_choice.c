/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Intervals that a run chooses from, `0.5 .. 0.9`. A unit after the last number applies to both: `900 .. 1100
 * [N/m]`. Without a decision the value is the middle, and for a loss the restitution that loses the middle.
 * In guards an interval is a band: a threshold somewhere in it. */
#include <stdio.h>
#include <string.h>

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

static syntax_expr *make_middle(hbg_parser *parser, syntax_interval *of) {
    syntax_expr *sum = make_operator(parser, HBG_OP_ADD, of->low, of->high, of->span);
    syntax_expr *middle =
        make_operator(parser, HBG_OP_DIVIDE, sum, make_integer(parser, 2, of->span), of->span);
    if (!of->loss) return middle;
    of->middle = middle;
    syntax_expr *kept =
        make_operator(parser, HBG_OP_SUBTRACT, make_integer(parser, 1, of->span), middle, of->span);
    return make_operator(parser, HBG_OP_SQRT, kept, NULL, of->span);
}

/* The number of an end, perhaps after a sign; NULL: it is something else. */
static syntax_expr *number_in(syntax_expr *end) {
    if (end->kind == SYNTAX_OPERATOR && end->op == HBG_OP_NEGATE) end = end->arguments[0];
    return end->kind == SYNTAX_NUMBER ? end : NULL;
}

bool hbg_lang_parser_at_band(const hbg_parser *parser, hbg_operator op) {
    bool order =
        op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL || op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL;
    return order && parser->target != 0 && hbg_lang_parser_at(parser, TOKEN_RANGE);
}

static syntax_interval *make_interval(hbg_parser *parser, syntax_expr *low, syntax_expr *high, bool loss,
                                      syntax_expr **middle) {
    syntax_expr *first = number_in(low), *last = number_in(high);
    if (first && last && first->unit.end == 0) first->unit = last->unit;
    syntax_interval *made = HBG_NEW(parser->arena, syntax_interval);
    *made =
        (syntax_interval){.low = low, .high = high, .loss = loss, .span = {low->span.start, high->span.end}};
    *middle = make_middle(parser, made);
    return made;
}

/* `op`: what precedes it, and binds its ends; HBG_OP_NUMBER: nothing does. A single loss is an interval of
 * one value. */
static syntax_interval *read_interval(hbg_parser *parser, syntax_expr *low, bool loss, hbg_operator op,
                                      syntax_expr **middle) {
    if (parser->failed) return NULL;
    if (loss && !hbg_lang_parser_at(parser, TOKEN_RANGE))
        return make_interval(parser, low, low, loss, middle);
    if (!hbg_lang_parser_at(parser, TOKEN_RANGE)) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`..` and the other end of the interval");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report,
                                "an interval reads `0.5 .. 0.9`; where there is one value, write it alone");
        return NULL;
    }
    hbg_lang_parser_advance(parser);
    syntax_expr *high =
        op == HBG_OP_NUMBER ? hbg_lang_parser_expression(parser) : hbg_lang_parser_operand(parser, op);
    return parser->failed ? NULL : make_interval(parser, low, high, loss, middle);
}

syntax_interval *hbg_lang_parser_interval(hbg_parser *parser, syntax_expr *low, bool loss,
                                          syntax_expr **middle) {
    return read_interval(parser, low, loss, HBG_OP_NUMBER, middle);
}

/* `relief.to_open`, and `relief.to_open2` for the second of the kind. */
static hbg_name name_band(hbg_parser *parser) {
    const hbg_names *names = parser->lang->names;
    int32_t fresh = parser->band_counts.count;
    int32_t at = hbg_base_pair_map_add(&parser->band_targets, parser->automaton_count, parser->target, fresh);
    if (at == fresh) HBG_PUSH(parser->arena, parser->band_counts, 0);
    int32_t number = ++parser->band_counts.items[at];
    char suffix[16] = "";
    if (number > 1) snprintf(suffix, sizeof suffix, "%d", (int)number);
    const char *text =
        hbg_base_arena_print(parser->arena, "%s.to_%s%s", hbg_base_names_get(names, parser->automaton->name),
                             hbg_base_names_get(names, parser->target), suffix);
    return hbg_base_names_add(parser->lang->names, text, strlen(text));
}

/* The threshold in the band is a separate choice, which is made anew whenever the automaton moves; the guard
 * names it. */
syntax_expr *hbg_lang_parser_band(hbg_parser *parser, hbg_operator op, syntax_expr *low) {
    const syntax_declaration *automaton = parser->automaton;
    syntax_declaration made = {.kind = DECLARE_PARAM, .indices = automaton->indices, .doc = "a threshold"};
    made.chosen = read_interval(parser, low, false, op, &made.param);
    if (!made.chosen) return low;
    made.name = name_band(parser);
    made.span = made.chosen->span;
    made.chosen->anew = true;
    made.chosen->automaton = hbg_lang_parser_beside(parser, automaton, automaton->name, 0, made.span);
    HBG_PUSH(parser->arena, parser->bands, made);
    return hbg_lang_parser_beside(parser, automaton, made.name, 0, made.span);
}

void hbg_lang_parser_bands(hbg_parser *parser, syntax_definition *definition,
                           const syntax_declaration *automaton) {
    if (automaton->indices && parser->bands.count > 0) definition->structural = true;
    for (int32_t i = 0; i < parser->bands.count; i++)
        HBG_PUSH(parser->arena, definition->declarations, parser->bands.items[i]);
    parser->bands.count = 0;
}

bool hbg_lang_parser_at_loss(hbg_parser *parser) {
    if (!hbg_lang_parser_at_word(parser, WORD_loss)) return false;
    hbg_token next = hbg_lang_parser_peek(parser);
    if (next.kind != TOKEN_NAME) return next.kind == TOKEN_NUMBER || next.kind == TOKEN_MINUS;
    return next.name != parser->words[WORD_when] && next.name != parser->words[WORD_off];
}
