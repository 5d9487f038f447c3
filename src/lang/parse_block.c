/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, blocks: declarations that are repeated (`for`) or left out (`if`). Their words are names elsewhere:
 * a block is recognised by what follows its word. */
#include "lang/parser_impl.h"

#define BLOCK_LIMIT 32 /* blocks inside blocks */

bool hbg_lang_parser_at_block(hbg_parser *parser) {
    hbg_token_kind next = hbg_lang_parser_peek(parser).kind;
    if (hbg_lang_parser_at_word(parser, WORD_for)) return next == TOKEN_NAME;
    return hbg_lang_parser_at_word(parser, WORD_if) && next != TOKEN_ARROW && next != TOKEN_COLON &&
           next != TOKEN_DOT && next != TOKEN_LEFT_BRACKET;
}

/* "{" { statement } "}", into a separate list */
static void parse_body(hbg_parser *parser, syntax_definition *definition, syntax_declarations *body,
                       const char *of) {
    hbg_span open = parser->current.span;
    if (!hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACE,
                                hbg_base_arena_print(parser->arena, "to begin the body of `%s`", of)))
        return;
    syntax_declarations outside = definition->declarations;
    definition->declarations = (syntax_declarations){0};
    hbg_lang_parser_body(parser, definition);
    *body = definition->declarations;
    definition->declarations = outside;
    hbg_lang_parser_close(parser, open, hbg_base_arena_print(parser->arena, "to end the body of `%s`", of));
}

/* "for" NAME "in" expression ".." expression body */
static void parse_for(hbg_parser *parser, syntax_definition *definition, syntax_declaration *declaration) {
    syntax_block *block = declaration->block;
    declaration->kind = DECLARE_FOR;
    hbg_lang_parser_advance(parser);
    block->variable = hbg_lang_parser_new_name(parser, "loop", &declaration->span);
    bool complete = hbg_lang_parser_accept_word(parser, WORD_in);
    if (complete) {
        block->low = hbg_lang_parser_expression(parser);
        hbg_lang_parser_expect(parser, TOKEN_RANGE, "between the first and the last value of the loop");
        block->high = hbg_lang_parser_expression(parser);
    } else {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`in` and the values of the loop");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report, "a loop reads `for i in 1 .. 5 { … }`");
    }
    HBG_PUSH(parser->arena, parser->loops, block->variable);
    parse_body(parser, definition, &block->body, "for");
    parser->loops.count--;
}

/* "if" expression body [ "else" ( body | if ) ] */
static void parse_if(hbg_parser *parser, syntax_definition *definition, syntax_declaration *declaration) {
    syntax_block *block = declaration->block;
    declaration->kind = DECLARE_IF;
    hbg_lang_parser_advance(parser);
    block->condition = hbg_lang_parser_expression(parser);
    parse_body(parser, definition, &block->body, "if");
    if (!hbg_lang_parser_accept_word(parser, WORD_else)) return;
    if (!hbg_lang_parser_at_word(parser, WORD_if)) {
        parse_body(parser, definition, &block->otherwise, "else");
        return;
    }
    syntax_declarations outside = definition->declarations;
    definition->declarations = (syntax_declarations){0};
    hbg_lang_parser_block(parser, definition);
    block->otherwise = definition->declarations;
    definition->declarations = outside;
}

void hbg_lang_parser_block(hbg_parser *parser, syntax_definition *definition) {
    syntax_declaration declaration = {.span = parser->current.span};
    if (parser->blocks == BLOCK_LIMIT) {
        hbg_base_report(parser->lang->diagnostics, HBG_E_NESTING, declaration.span,
                        "blocks are nested deeper than %d levels", BLOCK_LIMIT);
        parser->failed = true;
        return;
    }
    declaration.block = HBG_NEW(parser->arena, syntax_block);
    definition->structural = true;
    parser->blocks++;
    if (hbg_lang_parser_at_word(parser, WORD_for))
        parse_for(parser, definition, &declaration);
    else
        parse_if(parser, definition, &declaration);
    parser->blocks--;
    if (!parser->failed) HBG_PUSH(parser->arena, definition->declarations, declaration);
}

bool hbg_lang_parser_refuse_in_block(hbg_parser *parser) {
    if (parser->blocks == 0) return false;
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "a declaration or a bond");
    if (report)
        hbg_base_report_fix(parser->lang->diagnostics, report,
                            "experiments, proofs and functions stand outside of `for` and `if`");
    return true;
}
