/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The parser's state and the functions its files share. Each parse function is named after the grammar symbol
 * it reads (docs/language.md has the grammar) and starts with that symbol's first token current. */
#ifndef HBG_LANG_PARSER_IMPL_H
#define HBG_LANG_PARSER_IMPL_H

#include "lang/syntax_impl.h"

/* Words that cannot be names, then words with a meaning only in their place. */
#define HBG_RESERVED_LIST(X)                                                                                 \
    X(model)                                                                                                 \
    X(component)                                                                                             \
    X(import)                                                                                                \
    X(param)                                                                                                 \
    X(input)                                                                                                 \
    X(output)                                                                                                \
    X(signal) X(state) X(sample) X(sensor) X(function) X(automaton) X(experiment) X(verify) X(port) X(when)
#define HBG_CONTEXT_LIST(X)                                                                                  \
    X(after)                                                                                                 \
    X(every)                                                                                                 \
    X(off)                                                                                                   \
    X(on)                                                                                                    \
    X(start)                                                                                                 \
    X(restitution)                                                                                           \
    X(effort)                                                                                                \
    X(flow)                                                                                                  \
    X(real)                                                                                                  \
    X(bool)                                                                                                  \
    X(event)                                                                                                 \
    X(der)                                                                                                   \
    X(noise)                                                                                                 \
    X(in)                                                                                                    \
    X(out)                                                                                                   \
    X(stop)                                                                                                  \
    X(solver) X(step) X(set) X(at) X(fault) X(until) X(record) X(plot) X(range) X(assume) X(stuck) X(Sw)          \
        X(for) X(if) X(else) X(tolerance) X(loss) X(always) X(lost) X(choice)

typedef enum {
#define X(word) WORD_##word,
    HBG_RESERVED_LIST(X) WORD_RESERVED_COUNT,
    WORD_BEFORE_CONTEXT = WORD_RESERVED_COUNT - 1,
    HBG_CONTEXT_LIST(X)
#undef X
        WORD_COUNT
} hbg_word;

typedef struct {
    hbg_lexer lexer;
    hbg_token current;
    hbg_token previous; /* the previous one: where something missing was expected */
    hbg_lang *lang;
    hbg_arena *arena; /* scratch */
    syntax_file *file;
    hbg_name words[WORD_COUNT];
    hbg_pair_map states;           /* (automaton, name) -> state within it */
    HBG_VEC(syntax_path) ends;     /* of the chain being read */
    HBG_VEC(hbg_name) loops;       /* variables of the enclosing `for`s, the outermost first */
    int blocks;                    /* how many `for` and `if` enclose the statement */
    syntax_definition *definition; /* being read, or NULL */
    int32_t automaton_count;
    const syntax_declaration *automaton; /* whose transitions are read, or NULL */
    hbg_name target;                     /* the transition whose guard is read; 0: none */
    HBG_VEC(syntax_declaration) bands;   /* of its guards: their choices */
    hbg_pair_map band_targets;           /* (automaton, target) -> number of bands, in band_counts */
    HBG_VEC(int32_t) band_counts;
    const char *kind_near; /* a word before a block, similar to the one taken for a component; or NULL */
    hbg_span kind_span;    /* of that one */
    int depth;             /* of nested expressions */
    bool failed;           /* an error in this statement was reported: no further reports until it ends */
    bool ended;            /* a missing `}` at the end of the file was reported */
    const char *end_text;  /* the name of the end in messages */
    bool keep_tokens;      /* in file->tokens, for the formatter */
} hbg_parser;

/* Never NULL; errors are reported. */
syntax_file *hbg_lang_parser_parse(hbg_lang *lang, int32_t source, bool keep_tokens);

/* `path = expression`, as given on the command line. False with reports. */
bool hbg_lang_parser_parse_setting(hbg_lang *lang, int32_t source, syntax_setting *setting);
/* A fault sentence, likewise, with or without its first word. */
bool hbg_lang_parser_parse_fault(hbg_lang *lang, int32_t source, syntax_fault *fault);
/* A parser for a part of a source; messages call the end of the part by this name. */
void hbg_lang_parser_init_part(hbg_parser *parser, hbg_lang *lang, int32_t source, hbg_span part,
                               const char *end_text);
bool hbg_lang_parser_fault_kind(hbg_parser *parser, syntax_fault *fault);
/* The values that a fault of its kind takes: an expression; a mean and a variance. */
void hbg_lang_parser_fault_value(hbg_parser *parser, syntax_fault *fault, bool in_parentheses);
/* Expressions separated by commas, likewise. */
typedef HBG_VEC(syntax_expr *) syntax_expr_list;
bool hbg_lang_parser_parse_list(hbg_lang *lang, int32_t source, syntax_expr_list *list);

/* tokens */
void hbg_lang_parser_advance(hbg_parser *parser);
bool hbg_lang_parser_at(const hbg_parser *parser, hbg_token_kind kind);
bool hbg_lang_parser_at_word(const hbg_parser *parser, hbg_word word);
bool hbg_lang_parser_accept(hbg_parser *parser, hbg_token_kind kind);
bool hbg_lang_parser_accept_word(hbg_parser *parser, hbg_word word);
/* The token after the current one, without consuming it. */
hbg_token hbg_lang_parser_peek(hbg_parser *parser);
/* Takes the token or reports what was expected instead; `where` completes "expected `;` after …". */
bool hbg_lang_parser_expect(hbg_parser *parser, hbg_token_kind kind, const char *where);
/* Takes the `}` that belongs to the `{` at `open`, or reports that it is missing. */
bool hbg_lang_parser_close(hbg_parser *parser, hbg_span open, const char *where);
/* Reports `expected WHAT …` at the current token, once per statement. */
hbg_diagnostic *hbg_lang_parser_fail(hbg_parser *parser, const char *what);
/* Whether it is a word that cannot be a name anywhere. */
bool hbg_lang_parser_is_reserved(const hbg_parser *parser, hbg_name name);
/* A new name: not a reserved word. 0 with a report if there is none. */
hbg_name hbg_lang_parser_new_name(hbg_parser *parser, const char *of_what, hbg_span *span);
/* An optional unit bracket; {0,0} if there is none. */
hbg_span hbg_lang_parser_unit(hbg_parser *parser);
/* An optional text; NULL if there is none. */
const char *hbg_lang_parser_doc(hbg_parser *parser);
/* `@ (x, y)`, if it stands here. */
#define HBG_LANG_PLACE_LIMIT 1000000
void hbg_lang_parser_place(hbg_parser *parser, syntax_declaration *declaration);
const char *hbg_lang_parser_string(hbg_parser *parser); /* of the current STRING token, which is taken */
/* After an error: skips to the end of the statement, over balanced braces. */
void hbg_lang_parser_recover(hbg_parser *parser);

/* expressions (parse_expression.c) */
syntax_expr *hbg_lang_parser_expression(hbg_parser *parser);
syntax_expr *hbg_lang_parser_operand(hbg_parser *parser, hbg_operator op); /* the right side of it */
bool hbg_lang_parser_path(hbg_parser *parser, syntax_path *path);
/* `[2]`: HBG_NONE if there is no bracket or it is wrong. */
int32_t hbg_lang_parser_index(hbg_parser *parser);
/* `[2]` as its number; anything else, and more than one, as expressions. */
void hbg_lang_parser_indices(hbg_parser *parser, int32_t *index, syntax_indices **indices);
/* Indices of a new name: brackets that contain a variable of a loop. Others are units, ports or sizes. */
syntax_indices *hbg_lang_parser_name_indices(hbg_parser *parser);

/* blocks (parse_block.c) */
bool hbg_lang_parser_at_block(hbg_parser *parser);
void hbg_lang_parser_block(hbg_parser *parser, syntax_definition *definition);
/* For what cannot stand in a block: true with a report if it does. */
bool hbg_lang_parser_refuse_in_block(hbg_parser *parser);

/* declarations (parse_declaration.c, parse_automaton.c, parse_experiment.c) */
void hbg_lang_parser_body(hbg_parser *parser, syntax_definition *definition);
void hbg_lang_parser_function(hbg_parser *parser, syntax_declaration *declaration);
void hbg_lang_parser_automaton(hbg_parser *parser, syntax_declaration *declaration);
/* parse_choice.c: an interval, read up to its first end; *middle is its value without a decision. And whether
 * `loss`, not as a name, follows here. */
syntax_interval *hbg_lang_parser_interval(hbg_parser *parser, syntax_expr *low, bool loss,
                                          syntax_expr **middle);
bool hbg_lang_parser_at_loss(hbg_parser *parser);
/* `p >= 2 .. 2.2` in a guard, read up to `..`: the threshold chosen in the band. Those of an automaton that
 * has been read become declarations beside it. */
bool hbg_lang_parser_at_band(const hbg_parser *parser, hbg_operator op);
syntax_expr *hbg_lang_parser_band(hbg_parser *parser, hbg_operator op, syntax_expr *low);
void hbg_lang_parser_bands(hbg_parser *parser, syntax_definition *definition,
                           const syntax_declaration *automaton);

/* parse_timer.c: names an automaton, a state of it, or something that is declared beside it with the same indices. And automata that measure how long conditions of this one have held. */
syntax_expr *hbg_lang_parser_beside(hbg_parser *parser, const syntax_declaration *automaton, hbg_name name,
                                    hbg_name state, hbg_span span);
void hbg_lang_parser_timers(hbg_parser *parser, syntax_definition *definition,
                            const syntax_declaration *automaton);
void hbg_lang_parser_experiment(hbg_parser *parser, syntax_definition *definition);
void hbg_lang_parser_fault(hbg_parser *parser, syntax_fault *fault); /* from `at` on */
void hbg_lang_parser_verify(hbg_parser *parser, syntax_definition *definition);
/* A parameter, or with `anew` a choice. */
void hbg_lang_parser_param_item(hbg_parser *parser, syntax_definition *definition, bool anew);

#endif
