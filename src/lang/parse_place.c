/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, places: `@ (120, 40)` after something that is drawn. They are for drawings and have no other
 * meaning. */
#include "lang/parser_impl.h"

#include <math.h>

static void fail_number(hbg_parser *parser) {
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "a number of pixels");
    if (report)
        hbg_base_report_fix(
            parser->lang->diagnostics, report,
            "a place reads `@ (120, 40)`: pixels to the right and downwards, as plain numbers");
}

/* [ "-" ] NUMBER */
static double coordinate(hbg_parser *parser) {
    bool negative = hbg_lang_parser_accept(parser, TOKEN_MINUS);
    double value = 0;
    hbg_span span = parser->current.span;
    if (!hbg_lang_parser_at(parser, TOKEN_NUMBER)) {
        fail_number(parser);
        return 0;
    }
    bool read = hbg_base_double_parse(parser->lexer.text + (span.start - parser->lexer.base),
                                      span.end - span.start, &value);
    hbg_lang_parser_advance(parser);
    if (hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) fail_number(parser);
    if (!parser->failed && (!read || !(value <= HBG_LANG_PLACE_LIMIT)))
        hbg_base_report(parser->lang->diagnostics, HBG_E_NUMBER, span,
                        "a place is at most %d pixels away from where it is counted from",
                        HBG_LANG_PLACE_LIMIT);
    return negative ? -value : value;
}

void hbg_lang_parser_place(hbg_parser *parser, syntax_declaration *declaration) {
    hbg_drawn_at *place = &declaration->place;
    hbg_span *span = &declaration->place_span;
    span->start = span->end = parser->previous.span.end;
    if (parser->failed || !hbg_lang_parser_at(parser, TOKEN_AT)) return;
    span->start = parser->current.span.start;
    hbg_lang_parser_advance(parser);
    hbg_lang_parser_expect(parser, TOKEN_LEFT_PAREN, "and the place: `@ (120, 40)`");
    if (!parser->failed) place->x = coordinate(parser);
    if (!parser->failed) hbg_lang_parser_expect(parser, TOKEN_COMMA, "between the two numbers of a place");
    if (!parser->failed) place->y = coordinate(parser);
    if (!parser->failed) hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the place");
    span->end = parser->previous.span.end;
    place->given = !parser->failed;
}
