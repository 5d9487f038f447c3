/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tokens of the language. The lexer runs on demand, because a unit bracket holds text of its own grammar and
 * only the parser knows where one may stand. */
#ifndef HBG_LANG_LEXER_IMPL_H
#define HBG_LANG_LEXER_IMPL_H

#include "lang/lang.h"

/* identifier, its name in messages */
#define HBG_TOKEN_LIST(X)                                                                                    \
    X(END, "the end of the file")                                                                            \
    X(NAME, "a name")                                                                                        \
    X(NUMBER, "a number")                                                                                    \
    X(STRING, "a text in quotes")                                                                            \
    X(UNIT, "a unit")                                                                                        \
    X(LEFT_PAREN, "`(`")                                                                                     \
    X(RIGHT_PAREN, "`)`")                                                                                    \
    X(LEFT_BRACE, "`{`")                                                                                     \
    X(RIGHT_BRACE, "`}`")                                                                                    \
    X(LEFT_BRACKET, "`[`")                                                                                   \
    X(RIGHT_BRACKET, "`]`")                                                                                  \
    X(COMMA, "`,`")                                                                                          \
    X(SEMICOLON, "`;`")                                                                                      \
    X(COLON, "`:`")                                                                                          \
    X(DOT, "`.`")                                                                                            \
    X(RANGE, "`..`")                                                                                         \
    X(ARROW, "`->`")                                                                                         \
    X(ASSIGN, "`=`")                                                                                         \
    X(EQUAL, "`==`")                                                                                         \
    X(NOT_EQUAL, "`!=`")                                                                                     \
    X(LESS, "`<`")                                                                                           \
    X(LESS_EQUAL, "`<=`")                                                                                    \
    X(GREATER, "`>`")                                                                                        \
    X(GREATER_EQUAL, "`>=`")                                                                                 \
    X(PLUS, "`+`")                                                                                           \
    X(MINUS, "`-`")                                                                                          \
    X(STAR, "`*`")                                                                                           \
    X(SLASH, "`/`")                                                                                          \
    X(PERCENT, "`%`")                                                                                        \
    X(CARET, "`^`")                                                                                          \
    X(NOT, "`!`")                                                                                            \
    X(AND, "`&&`")                                                                                           \
    X(OR, "`||`")                                                                                            \
    X(QUESTION, "`?`")                                                                                       \
    X(AT, "`@`")

typedef enum {
#define X(id, text) TOKEN_##id,
    HBG_TOKEN_LIST(X)
#undef X
        TOKEN_COUNT
} hbg_token_kind;

typedef struct {
    hbg_token_kind kind;
    hbg_span span;
    hbg_name name; /* of a TOKEN_NAME */
} hbg_token;

#define HBG_LEXER_NAME_LIMIT 255 /* characters of a name: paths consist of many, and messages of paths */

typedef struct {
    const char *text; /* NUL-terminated */
    uint32_t size;
    uint32_t base;    /* position of text[0] */
    uint32_t offset;  /* where the next token is sought */
    uint32_t unknown; /* position after the last unknown characters skipped, 0 if there were none */
    hbg_lang *lang;
    bool quiet; /* looking ahead: errors are reported when the token is actually read */
} hbg_lexer;

void hbg_lang_lexer_init(hbg_lexer *lexer, hbg_lang *lang, const hbg_source *source);
hbg_token hbg_lang_lexer_next(hbg_lexer *lexer);
/* Reads the rest of a unit bracket whose `[` was the token just read. The span covers the brackets. */
hbg_token hbg_lang_lexer_unit(hbg_lexer *lexer, hbg_token bracket);
const char *hbg_lang_token_text(hbg_token_kind kind);

/* The position after the end of a comment whose inside starts at `text`; NULL if it has none before `end`. */
const char *hbg_lang_lexer_comment_end(const char *text, const char *end);

/* Reports the first byte that is not UTF-8 text, or that controls a terminal; false if there is one. */
bool hbg_lang_lexer_check_text(hbg_lang *lang, const hbg_source *source);

#endif
