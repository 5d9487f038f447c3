/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, expressions: precedence climbing over the operator table of the model. Precedence is C's, with `^`
 * (power, right-associative) above unary minus. Nesting is bounded, so that no input exhausts the stack here
 * or later. */
#include "lang/parser_impl.h"

#include <stdlib.h>
#include <string.h>

#define NESTING_LIMIT 200

static const hbg_operator binary_operators[TOKEN_COUNT] = {
    [TOKEN_OR] = HBG_OP_OR,
    [TOKEN_AND] = HBG_OP_AND,
    [TOKEN_EQUAL] = HBG_OP_EQUAL,
    [TOKEN_NOT_EQUAL] = HBG_OP_NOT_EQUAL,
    [TOKEN_LESS] = HBG_OP_LESS,
    [TOKEN_LESS_EQUAL] = HBG_OP_LESS_EQUAL,
    [TOKEN_GREATER] = HBG_OP_GREATER,
    [TOKEN_GREATER_EQUAL] = HBG_OP_GREATER_EQUAL,
    [TOKEN_PLUS] = HBG_OP_ADD,
    [TOKEN_MINUS] = HBG_OP_SUBTRACT,
    [TOKEN_STAR] = HBG_OP_MULTIPLY,
    [TOKEN_SLASH] = HBG_OP_DIVIDE,
    [TOKEN_PERCENT] = HBG_OP_REMAINDER,
    [TOKEN_CARET] = HBG_OP_POWER_OF,
};

static syntax_expr *parse_binary(hbg_parser *parser, int precedence);

static syntax_expr *new_expr(hbg_parser *parser, syntax_expr_kind kind, hbg_span span) {
    syntax_expr *expr = HBG_NEW(parser->arena, syntax_expr);
    expr->kind = kind;
    expr->span = span;
    return expr;
}

/* With its unit: the span of a number is that of its digits. */
static hbg_span whole_span(const syntax_expr *expr) {
    return expr->kind == SYNTAX_NUMBER ? hbg_base_span_join(expr->span, expr->unit) : expr->span;
}

static syntax_expr *new_operator(hbg_parser *parser, hbg_operator op, syntax_expr *a, syntax_expr *b,
                                 syntax_expr *c) {
    syntax_expr *expr = new_expr(parser, SYNTAX_OPERATOR, a->span);
    expr->op = op;
    expr->argument_count = c ? 3 : b ? 2 : 1;
    expr->arguments = HBG_NEW_ARRAY(parser->arena, syntax_expr *, expr->argument_count);
    syntax_expr *arguments[] = {a, b, c};
    for (int32_t i = 0; i < expr->argument_count; i++) expr->arguments[i] = arguments[i];
    expr->span = hbg_base_span_join(a->span, whole_span(arguments[expr->argument_count - 1]));
    return expr;
}

static syntax_expr *bad(hbg_parser *parser) {
    return new_expr(parser, SYNTAX_BAD, parser->current.span);
}

/* Goes one level down; false with a report when that is too deep. */
static bool enter(hbg_parser *parser) {
    if (++parser->depth <= NESTING_LIMIT) return true;
    if (!parser->failed) {
        hbg_diagnostic *report =
            hbg_base_report(parser->lang->diagnostics, HBG_E_NESTING, parser->current.span,
                            "this expression is nested deeper than %d levels", NESTING_LIMIT);
        hbg_base_report_fix(parser->lang->diagnostics, report,
                            "give parts of it a name with `signal` or `function`");
        parser->failed = true;
    }
    return false;
}

/* ---- names -------------------------------------------------------------------------------------------- */

/* A whole number without sign; false if something else follows, or it is too large. */
static bool read_count(const hbg_parser *parser, int32_t *count) {
    hbg_span span = parser->current.span;
    const char *text = parser->lexer.text + (span.start - parser->lexer.base);
    bool whole = hbg_lang_parser_at(parser, TOKEN_NUMBER);
    *count = 0;
    for (uint32_t i = 0; whole && i < span.end - span.start; i++) {
        whole = text[i] >= '0' && text[i] <= '9' && *count < 100000000;
        if (whole) *count = *count * 10 + (text[i] - '0');
    }
    return whole;
}

int32_t hbg_lang_parser_index(hbg_parser *parser) {
    if (!hbg_lang_parser_accept(parser, TOKEN_LEFT_BRACKET)) return HBG_NONE;
    int32_t index;
    if (!read_count(parser, &index) || index < 1) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "a port number from 1 on");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report,
                                "ports are counted from 1: `gear[1]`, `gear[2]`");
        return HBG_NONE;
    }
    hbg_lang_parser_advance(parser);
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACKET, "after the port number");
    return index;
}

/* `[2]`, with only a number in the brackets. */
static bool at_count(hbg_parser *parser) {
    hbg_lexer ahead = parser->lexer;
    ahead.quiet = true;
    bool number = hbg_lang_lexer_next(&ahead).kind == TOKEN_NUMBER;
    return number && hbg_lang_lexer_next(&ahead).kind == TOKEN_RIGHT_BRACKET;
}

static void parse_index_expression(hbg_parser *parser, syntax_indices *indices) {
    enum { MOST = 8 };
    if (indices->count == MOST) {
        hbg_lang_parser_fail(parser, "at most 8 indices");
        return;
    }
    if (!indices->items) indices->items = HBG_NEW_ARRAY(parser->arena, syntax_expr *, MOST);
    hbg_lang_parser_advance(parser);
    indices->items[indices->count++] = hbg_lang_parser_expression(parser);
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACKET, "after the index");
}

void hbg_lang_parser_indices(hbg_parser *parser, int32_t *index, syntax_indices **indices) {
    *index = HBG_NONE;
    *indices = NULL;
    if (at_count(parser)) { // by far the most frequent
        hbg_parser saved = *parser;
        int32_t saved_tokens = parser->file->tokens.count;
        hbg_lang_parser_advance(parser);
        bool whole = read_count(parser, index);
        hbg_lang_parser_advance(parser);
        hbg_lang_parser_advance(parser);
        if (whole && !hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) return;
        *parser = saved;
        parser->file->tokens.count = saved_tokens;
        *index = HBG_NONE;
    }
    syntax_indices *list = HBG_NEW(parser->arena, syntax_indices);
    while (!parser->failed && hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET))
        parse_index_expression(parser, list);
    if (parser->failed) return;
    *indices = list;
    if (parser->definition) parser->definition->structural = true;
}

/* Whether the brackets that begin here contain a variable of a loop. */
static bool reads_loop(hbg_parser *parser) {
    hbg_lexer ahead = parser->lexer;
    ahead.quiet = true;
    for (int depth = 1; depth > 0;) {
        hbg_token token = hbg_lang_lexer_next(&ahead);
        if (token.kind == TOKEN_END || token.kind == TOKEN_SEMICOLON) return false;
        depth += (token.kind == TOKEN_LEFT_BRACKET) - (token.kind == TOKEN_RIGHT_BRACKET);
        for (int32_t i = 0; i < parser->loops.count && token.kind == TOKEN_NAME; i++)
            if (parser->loops.items[i] == token.name) return true;
    }
    return false;
}

syntax_indices *hbg_lang_parser_name_indices(hbg_parser *parser) {
    syntax_indices *list = NULL;
    while (!parser->failed && parser->loops.count > 0 && hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET) &&
           reads_loop(parser)) {
        if (!list) list = HBG_NEW(parser->arena, syntax_indices);
        parse_index_expression(parser, list);
    }
    return list;
}

/* Outside of models nothing could give an index its value: indices are numbers, and become part of the
 * name. */
static void join_numbers(hbg_parser *parser, syntax_segment *segment) {
    const syntax_indices *indices = segment->indices;
    hbg_names *names = parser->lang->names;
    for (int32_t i = 0; i < indices->count; i++) {
        const syntax_expr *expr = indices->items[i];
        const char *text = parser->lexer.text + (expr->span.start - parser->lexer.base);
        int size = (int)(expr->span.end - expr->span.start);
        if (expr->kind != SYNTAX_NUMBER || expr->unit.end > 0 || (int)strspn(text, "0123456789") < size ||
            size > 8) {
            hbg_lang_parser_fail(parser, "a whole number as the index");
            return;
        }
        if (i + 1 == indices->count) {
            segment->index = atoi(text);
            break;
        }
        const char *name = hbg_base_arena_print(parser->arena, "%s[%d]",
                                                hbg_base_names_get(names, segment->name), atoi(text));
        segment->name = hbg_base_names_add(names, name, strlen(name));
    }
    segment->indices = NULL;
}

static bool parse_segment(hbg_parser *parser, syntax_segment *segment) {
    if (!hbg_lang_parser_at(parser, TOKEN_NAME)) {
        hbg_lang_parser_fail(parser, "a name");
        return false;
    }
    *segment = (syntax_segment){parser->current.name, HBG_NONE, parser->current.span, NULL};
    hbg_lang_parser_advance(parser);
    if (hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET))
        hbg_lang_parser_indices(parser, &segment->index, &segment->indices);
    if (segment->indices && !parser->definition) join_numbers(parser, segment);
    segment->span.end = parser->previous.span.end;
    return !parser->failed;
}

bool hbg_lang_parser_path(hbg_parser *parser, syntax_path *path) {
    syntax_segment buffer[32];
    int32_t count = 0;
    do {
        if (count == 32) {
            hbg_lang_parser_fail(parser, "a path of at most 32 names");
            return false;
        }
        if (!parse_segment(parser, &buffer[count])) return false;
        count++;
    } while (hbg_lang_parser_accept(parser, TOKEN_DOT));
    path->count = count;
    path->segments = HBG_NEW_ARRAY(parser->arena, syntax_segment, count);
    for (int32_t i = 0; i < count; i++) path->segments[i] = buffer[i];
    return true;
}

/* ---- primaries ---------------------------------------------------------------------------------------- */

static syntax_expr *parse_number(hbg_parser *parser) {
    syntax_expr *expr = new_expr(parser, SYNTAX_NUMBER, parser->current.span);
    hbg_lang_parser_advance(parser);
    expr->unit = hbg_lang_parser_unit(parser);
    return expr;
}

static void parse_arguments(hbg_parser *parser, syntax_expr *call) {
    HBG_VEC(syntax_expr *) arguments = {0};
    while (!parser->failed && !hbg_lang_parser_at(parser, TOKEN_RIGHT_PAREN)) {
        HBG_PUSH(parser->arena, arguments, hbg_lang_parser_expression(parser));
        if (!hbg_lang_parser_accept(parser, TOKEN_COMMA)) break;
    }
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the arguments");
    call->arguments = arguments.items;
    call->argument_count = arguments.count;
    call->span.end = parser->previous.span.end;
}

/* `50%` is meant as a percentage; `stop = 1` names a value that needs no sign. */
static void fail_without_expression(hbg_parser *parser) {
    const char *text = parser->lexer.text;
    if (hbg_lang_parser_at(parser, TOKEN_ASSIGN) && parser->previous.kind == TOKEN_NAME) {
        hbg_diagnostic *unwanted = hbg_lang_parser_fail(parser, "an expression");
        if (!unwanted) return;
        hbg_base_report_fix(parser->lang->diagnostics, unwanted, "leave out `=`");
        hbg_base_report_edit(parser->lang->diagnostics, unwanted, parser->current.span, "%s", "");
        return;
    }
    if (hbg_lang_parser_at(parser, TOKEN_STAR) && parser->previous.kind == TOKEN_STAR) {
        hbg_diagnostic *power = hbg_lang_parser_fail(parser, "an expression");
        if (!power) return;
        hbg_base_report_fix(parser->lang->diagnostics, power, "a power is written `a^b`");
        return;
    }
    if (hbg_lang_parser_at(parser, TOKEN_GREATER) && parser->previous.kind == TOKEN_LESS) {
        hbg_diagnostic *unequal = hbg_lang_parser_fail(parser, "an expression");
        if (!unequal) return;
        hbg_base_report_fix(parser->lang->diagnostics, unequal, "unequal is written `!=`");
        hbg_base_report_edit(parser->lang->diagnostics, unequal,
                             hbg_base_span_join(parser->previous.span, parser->current.span), "!=");
        return;
    }
    uint32_t sign = parser->previous.span.start - parser->lexer.base, start = sign;
    bool percent = parser->previous.kind == TOKEN_PERCENT;
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "an expression");
    while (percent && start > 0 && text[start - 1] == ' ') start--;
    uint32_t end = start;
    while (percent && start > 0 && strchr("0123456789.", text[start - 1])) start--;
    if (!report || start == end || end - start >= 40) return;
    hbg_base_report_fix(parser->lang->diagnostics, report, "a percentage is written `%.*s [%%]`",
                        (int)(end - start), text + start);
    hbg_base_report_edit(parser->lang->diagnostics, report, parser->previous.span, " [%%]");
}

static syntax_expr *parse_name(hbg_parser *parser) {
    syntax_expr *expr = new_expr(parser, SYNTAX_PATH, parser->current.span);
    const char *text = hbg_base_names_get(parser->lang->names, parser->current.name);
    bool is_true = strcmp(text, "true") == 0;
    if (is_true || strcmp(text, "false") == 0) {
        expr->kind = SYNTAX_BOOLEAN;
        expr->op = is_true ? HBG_OP_TRUE : HBG_OP_FALSE;
        hbg_lang_parser_advance(parser);
        return expr;
    }
    if (!hbg_lang_parser_path(parser, &expr->path)) return bad(parser);
    expr->span = hbg_lang_path_span(&expr->path);
    syntax_segment *first = expr->path.segments;
    if (expr->path.count == 1 && first->index == HBG_NONE && !first->indices &&
        hbg_lang_parser_accept(parser, TOKEN_LEFT_PAREN)) {
        expr->kind = SYNTAX_CALL;
        expr->function = first;
        parse_arguments(parser, expr);
    }
    return expr;
}

static syntax_expr *parse_primary(hbg_parser *parser) {
    switch (parser->current.kind) {
    case TOKEN_NUMBER: return parse_number(parser);
    case TOKEN_NAME: return parse_name(parser);
    case TOKEN_STRING: {
        syntax_expr *expr = new_expr(parser, SYNTAX_STRING, parser->current.span);
        hbg_lang_parser_advance(parser);
        return expr;
    }
    case TOKEN_LEFT_PAREN: {
        hbg_lang_parser_advance(parser);
        syntax_expr *expr = hbg_lang_parser_expression(parser);
        hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "to close the parenthesis");
        return expr;
    }
    default: fail_without_expression(parser); return bad(parser);
    }
}

/* ---- operators ---------------------------------------------------------------------------------------- */

/* power = primary [ "^" unary ]: the exponent may carry a sign, and `a^b^c` is `a^(b^c)`. */
static syntax_expr *parse_power(hbg_parser *parser);

static syntax_expr *parse_unary(hbg_parser *parser) {
    hbg_span start = parser->current.span;
    hbg_operator op;
    if (hbg_lang_parser_at(parser, TOKEN_MINUS))
        op = HBG_OP_NEGATE;
    else if (hbg_lang_parser_at(parser, TOKEN_NOT))
        op = HBG_OP_NOT;
    else if (hbg_lang_parser_at(parser, TOKEN_PLUS))
        op = HBG_OP_COUNT; // says nothing
    else
        return parse_power(parser);
    hbg_lang_parser_advance(parser);
    syntax_expr *operand = enter(parser) ? parse_unary(parser) : bad(parser);
    parser->depth--;
    if (op == HBG_OP_COUNT) return operand;
    syntax_expr *expr = new_operator(parser, op, operand, NULL, NULL);
    expr->span = hbg_base_span_join(start, whole_span(operand));
    return expr;
}

static syntax_expr *parse_power(hbg_parser *parser) {
    syntax_expr *base = parse_primary(parser);
    if (parser->failed || !hbg_lang_parser_accept(parser, TOKEN_CARET)) return base;
    syntax_expr *exponent = enter(parser) ? parse_unary(parser) : bad(parser);
    parser->depth--;
    return new_operator(parser, HBG_OP_POWER_OF, base, exponent, NULL);
}

static syntax_expr *parse_binary(hbg_parser *parser, int precedence) {
    syntax_expr *left = parse_unary(parser);
    while (!parser->failed) {
        hbg_operator op = binary_operators[parser->current.kind];
        if (op == 0) break; // no binary operator: entry 0 is HBG_OP_NUMBER
        int binds = hbg_model_operator_info_get(op)->precedence;
        if (binds < precedence) break;
        hbg_lang_parser_advance(parser);
        syntax_expr *right = hbg_lang_parser_operand(parser, op);
        if (!parser->failed && hbg_lang_parser_at_band(parser, op))
            right = hbg_lang_parser_band(parser, op, right);
        left = new_operator(parser, op, left, right, NULL);
    }
    return left;
}

syntax_expr *hbg_lang_parser_operand(hbg_parser *parser, hbg_operator op) {
    int binds = hbg_model_operator_info_get(op)->precedence;
    syntax_expr *right = enter(parser) ? parse_binary(parser, binds + 1) : bad(parser);
    parser->depth--;
    return right;
}

/* expression = or [ "?" expression ":" expression ] */
syntax_expr *hbg_lang_parser_expression(hbg_parser *parser) {
    syntax_expr *expr = bad(parser);
    if (enter(parser)) {
        expr = parse_binary(parser, 1);
        if (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_QUESTION)) {
            syntax_expr *yes = hbg_lang_parser_expression(parser);
            hbg_lang_parser_expect(parser, TOKEN_COLON, "between the two values of `? :`");
            syntax_expr *no = hbg_lang_parser_expression(parser);
            expr = new_operator(parser, HBG_OP_SELECT, expr, yes, no);
        }
    }
    parser->depth--;
    return expr;
}
