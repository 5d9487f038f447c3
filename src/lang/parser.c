/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, outer part: tokens, reports, recovery, and the top of a file. Recursive descent with one token of
 * look-ahead (two where a named argument may stand). An error ends its statement, never the file: the parser
 * passes on to the next statement, so that one run shows every mistake. */
#include "lang/parser_impl.h"

#include <string.h>

/* ---- tokens ------------------------------------------------------------------------------------------- */

void hbg_lang_parser_advance(hbg_parser *parser) {
    if (parser->keep_tokens) HBG_PUSH(parser->arena, parser->file->tokens, parser->current);
    parser->previous = parser->current;
    parser->current = hbg_lang_lexer_next(&parser->lexer);
}

bool hbg_lang_parser_at(const hbg_parser *parser, hbg_token_kind kind) {
    return parser->current.kind == kind;
}

bool hbg_lang_parser_at_word(const hbg_parser *parser, hbg_word word) {
    return parser->current.kind == TOKEN_NAME && parser->current.name == parser->words[word];
}

bool hbg_lang_parser_accept(hbg_parser *parser, hbg_token_kind kind) {
    if (parser->failed || !hbg_lang_parser_at(parser, kind)) return false;
    hbg_lang_parser_advance(parser);
    return true;
}

bool hbg_lang_parser_accept_word(hbg_parser *parser, hbg_word word) {
    if (parser->failed || !hbg_lang_parser_at_word(parser, word)) return false;
    hbg_lang_parser_advance(parser);
    return true;
}

hbg_token hbg_lang_parser_peek(hbg_parser *parser) {
    hbg_lexer ahead = parser->lexer;
    ahead.quiet = true;
    return hbg_lang_lexer_next(&ahead);
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static const char *found_text(hbg_parser *parser) {
    hbg_span span = parser->current.span;
    uint32_t size = span.end - span.start, shown = size > 40 ? 40 : size;
    if (parser->current.kind == TOKEN_END) return parser->end_text;
    const char *text = parser->lexer.text + (span.start - parser->lexer.base);
    while (shown < size && ((unsigned char)text[shown] & 0xC0) == 0x80) shown--;
    return hbg_base_arena_print(parser->arena, "`%.*s%s`", (int)shown, text, shown < size ? "…" : "");
}

/* Whether this statement fails silently: an error in it has been reported. */
static bool is_told(hbg_parser *parser) {
    // unknown characters just before, which the lexer skipped with a report
    if (parser->lexer.unknown > parser->previous.span.end) parser->failed = true;
    return parser->failed;
}

hbg_diagnostic *hbg_lang_parser_fail(hbg_parser *parser, const char *what) {
    if (is_told(parser)) return NULL;
    parser->failed = true;
    hbg_diagnostics *diagnostics = parser->lang->diagnostics;
    // a report that is not shown is counted without being worded
    const char *found = hbg_base_report_wanted(diagnostics, HBG_ERROR) ? found_text(parser) : "";
    return hbg_base_report(diagnostics, HBG_E_SYNTAX, parser->current.span, "expected %s, found %s", what,
                           found);
}

/* Whether the current token is on a later line than the previous one. */
static bool is_on_new_line(const hbg_parser *parser) {
    uint32_t from = parser->previous.span.end - parser->lexer.base;
    uint32_t to = parser->current.span.start - parser->lexer.base;
    return memchr(parser->lexer.text + from, '\n', to - from) != NULL;
}

/* A word after a number is most likely a unit without brackets; the report shows it with them, up to the next
 * blank. */
static bool advise_unit(hbg_parser *parser, hbg_diagnostic *report) {
    if (parser->previous.kind != TOKEN_NUMBER || !hbg_lang_parser_at(parser, TOKEN_NAME) ||
        is_on_new_line(parser))
        return false;
    const char *text = parser->lexer.text;
    uint32_t number = parser->previous.span.start - parser->lexer.base,
             number_end = parser->previous.span.end - parser->lexer.base,
             unit = parser->current.span.start - parser->lexer.base;
    size_t size = strcspn(text + unit, " \t\r\n,;:(){}[]\"");
    if (number_end - number > 40 || size > 40) return false;
    hbg_base_report_fix(parser->lang->diagnostics, report, "a unit stands in brackets: `%.*s [%.*s]`",
                        (int)(number_end - number), text + number, (int)size, text + unit);
    hbg_span word = {parser->current.span.start, parser->current.span.start + (uint32_t)size};
    hbg_base_report_edit(parser->lang->diagnostics, report, word, "%s[%.*s]", unit == number_end ? " " : "",
                         (int)size, text + unit);
    return true;
}

/* The word of the token, "" if it is not one. */
static const char *word_of(const hbg_parser *parser, const hbg_token *token) {
    return token->kind == TOKEN_NAME ? hbg_base_names_get(parser->lang->names, token->name) : "";
}

/* The text from the current token on; it ends with a zero. */
static const char *text_at(const hbg_parser *parser) {
    return parser->lexer.text + (parser->current.span.start - parser->lexer.base);
}

/* If an expression ends at a word that other languages use to choose or compare, what to write instead. */
static bool advise_words(hbg_parser *parser, hbg_diagnostic *report) {
    hbg_diagnostics *diagnostics = parser->lang->diagnostics;
    const char *word = word_of(parser, &parser->current), *before = word_of(parser, &parser->previous);
    const char *sign = hbg_lang_foreign_operator(word);
    hbg_span here = parser->current.span;
    if (strcmp(before, "if") == 0 || strcmp(word, "then") == 0 || strcmp(word, "else") == 0) {
        hbg_base_report_fix(diagnostics, report,
                            "a choice between two values is written `condition ? a : b`");
    } else if (strcmp(before, "not") == 0) {
        hbg_base_report_fix(diagnostics, report, "`not` is written `!`");
        hbg_base_report_edit(diagnostics, report, (hbg_span){parser->previous.span.start, here.start}, "!");
    } else if (sign && !is_on_new_line(parser)) {
        hbg_base_report_fix(diagnostics, report, "`%s` is written `%s`", word, sign);
        hbg_base_report_edit(diagnostics, report, here, "%s", sign);
    } else {
        return false;
    }
    return true;
}

/* The likely intention of a comma where a semicolon belongs. */
static const char *advise_comma(const char *where) {
    static const struct {
        const char *where, *advice;
    } others[] = {
        {"after the bond", "put `;` here, and write the next bond in full: `a -> b;`"},
        {"after the transition", "conditions are joined by `&&` if both are needed, by `||` if one will do"},
        {"after the start state", "an automaton has one start state: put `;` here"},
        {"after the sentence", "put `;` here, and begin the next sentence with its word again"},
        {"after the import", "put `;` here, and `import` before the next file again"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(where, others[i].where) == 0) return others[i].advice;
    return "put `;` here, and the kind of the next one again before its name";
}

/* The likely intention where a semicolon is missing. */
static void advise_semicolon(hbg_parser *parser, hbg_diagnostic *report, const char *where) {
    hbg_diagnostics *diagnostics = parser->lang->diagnostics;
    const char *word = word_of(parser, &parser->current);
    hbg_span here = parser->current.span;
    if (hbg_lang_parser_at(parser, TOKEN_ASSIGN)) {
        hbg_base_report_fix(diagnostics, report, "in an expression, equality is written `==`");
        hbg_base_report_edit(diagnostics, report, here, "==");
    } else if (hbg_lang_parser_at(parser, TOKEN_COLON) && strncmp(text_at(parser), ":=", 2) == 0) {
        hbg_base_report_fix(diagnostics, report, "`:=` is written `=`");
        hbg_base_report_edit(diagnostics, report, here, "%s", "");
    } else if (hbg_lang_parser_at(parser, TOKEN_COMMA)) {
        hbg_base_report_fix(diagnostics, report, "%s", advise_comma(where));
    } else if (advise_words(parser, report)) {
        return;
    } else if (hbg_lang_parser_at(parser, TOKEN_RANGE)) {
        hbg_base_report_fix(
            diagnostics, report,
            "nothing chooses from an interval here: it stands behind `restitution`, behind `in` of "
            "`param` and `choice`, and behind a comparison in a guard, `when p >= 2 .. 2.2`");
    } else if (hbg_lang_parser_at(parser, TOKEN_LEFT_BRACE) && parser->kind_near) {
        hbg_base_report_meant(diagnostics, report, parser->kind_span, parser->kind_near);
    } else if (!advise_unit(parser, report)) {
        hbg_base_report_fix(diagnostics, report, "put `;` here%s",
                            *word && !is_on_new_line(parser) ? ", or `,` if a list goes on" : "");
        uint32_t at = parser->previous.span.end;
        hbg_base_report_edit(diagnostics, report, (hbg_span){at, at}, ";");
    }
}

/* A semicolon is missing where the statement ended, not where the next one starts. If that is on another
 * line, the statement counts as ended: nothing of the next one is lost. */
static void fail_without_semicolon(hbg_parser *parser, const char *where) {
    if (is_told(parser)) return;
    uint32_t at = parser->previous.span.end;
    hbg_diagnostics *diagnostics = parser->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_SYNTAX, (hbg_span){at - 1, at}, "expected `;` %s, found %s", where,
                        hbg_base_report_wanted(diagnostics, HBG_ERROR) ? found_text(parser) : "");
    advise_semicolon(parser, report, where);
    parser->failed = !is_on_new_line(parser);
}

bool hbg_lang_parser_expect(hbg_parser *parser, hbg_token_kind kind, const char *where) {
    if (hbg_lang_parser_accept(parser, kind)) return true;
    if (parser->failed) return false;
    if (kind == TOKEN_SEMICOLON && parser->previous.span.end > 0) {
        fail_without_semicolon(parser, where);
        return false;
    }
    hbg_diagnostic *report = hbg_lang_parser_fail(
        parser, hbg_base_arena_print(parser->arena, "%s %s", hbg_lang_token_text(kind), where));
    if (report && kind == TOKEN_LEFT_BRACE && hbg_lang_parser_at(parser, TOKEN_NAME) &&
        !is_on_new_line(parser))
        hbg_base_report_fix(parser->lang->diagnostics, report, "a description stands in double quotes");
    else if (report && !advise_words(parser, report))
        (void)advise_unit(parser, report);
    return false;
}

bool hbg_lang_parser_close(hbg_parser *parser, hbg_span open, const char *where) {
    if (!hbg_lang_parser_at(parser, TOKEN_END))
        return hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACE, where);
    if (parser->ended) return false; // the enclosing blocks have no end either, and the reader knows why
    parser->ended = true;
    parser->failed = false;
    hbg_diagnostics *diagnostics = parser->lang->diagnostics;
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_SYNTAX, parser->current.span,
                                             "expected `}` %s, found the end of the file", where);
    hbg_base_report_note(diagnostics, report, open, "this `{` has no `}`");
    return false;
}

void hbg_lang_parser_recover(hbg_parser *parser) {
    int depth = 0;
    while (!hbg_lang_parser_at(parser, TOKEN_END)) {
        if (hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && depth == 0) break;
        bool ends = hbg_lang_parser_at(parser, TOKEN_SEMICOLON) && depth == 0;
        if (hbg_lang_parser_at(parser, TOKEN_LEFT_BRACE)) depth++;
        if (hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && --depth == 0) ends = true;
        hbg_lang_parser_advance(parser);
        if (ends) break;
    }
    parser->failed = false;
}

/* ---- small symbols ------------------------------------------------------------------------------------ */

bool hbg_lang_parser_is_reserved(const hbg_parser *parser, hbg_name name) {
    for (int i = 0; i < WORD_RESERVED_COUNT; i++)
        if (parser->words[i] == name) return true;
    const char *text = hbg_base_names_get(parser->lang->names, name);
    static const char *const constants[] = {"true", "false", "pi", "time", "in"};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(text, constants[i]) == 0) return true;
    return false;
}

/* `0,5` is meant to be `0.5`. */
static void advise_point(hbg_parser *parser, hbg_diagnostic *report) {
    const char *text = parser->lexer.text;
    uint32_t comma = parser->previous.span.start - parser->lexer.base, start = comma;
    uint32_t end = parser->current.span.end - parser->lexer.base;
    if (parser->previous.kind != TOKEN_COMMA || !hbg_lang_parser_at(parser, TOKEN_NUMBER) ||
        parser->current.span.start != parser->previous.span.end)
        return;
    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') start--;
    if (start == comma || end - start > 40) return;
    hbg_base_report_fix(parser->lang->diagnostics, report, "the decimal sign is a point: `%.*s.%.*s`",
                        (int)(comma - start), text + start, (int)(end - comma - 1), text + comma + 1);
    hbg_base_report_edit(parser->lang->diagnostics, report, parser->previous.span, ".");
}

hbg_name hbg_lang_parser_new_name(hbg_parser *parser, const char *of_what, hbg_span *span) {
    *span = parser->current.span;
    if (!hbg_lang_parser_at(parser, TOKEN_NAME)) {
        hbg_diagnostic *report =
            hbg_lang_parser_fail(parser, hbg_base_arena_print(parser->arena, "the name of the %s", of_what));
        if (report) advise_point(parser, report);
        return 0;
    }
    hbg_name name = parser->current.name;
    if (hbg_lang_parser_is_reserved(parser, name) && !parser->failed) {
        const char *text = hbg_base_names_get(parser->lang->names, name);
        hbg_diagnostic *report =
            hbg_base_report(parser->lang->diagnostics, HBG_E_RESERVED, *span,
                            "`%s` is a word of the language and cannot name the %s", text, of_what);
        hbg_base_report_fix(parser->lang->diagnostics, report, "choose another name, such as `%s_1`", text);
        hbg_base_report_edit(parser->lang->diagnostics, report, *span, "%s_1", text);
    }
    hbg_lang_parser_advance(parser);
    return name;
}

hbg_span hbg_lang_parser_unit(hbg_parser *parser) {
    if (!hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) return (hbg_span){0, 0};
    parser->current = hbg_lang_lexer_unit(&parser->lexer, parser->current);
    hbg_span span = parser->current.span;
    hbg_lang_parser_advance(parser);
    return span;
}

const char *hbg_lang_parser_string(hbg_parser *parser) {
    hbg_span span = parser->current.span;
    const char *text = parser->lexer.text + (span.start - parser->lexer.base);
    uint32_t size = span.end - span.start,
             first = text[0] == '"' ? 1 : (uint32_t)hbg_base_utf8_length(text, size);
    uint32_t last = size > first && text[size - 1] == '"' ? 1 : 0;
    if (first > 1) last = size - first; // other quotes, already reported: their content is useless
    hbg_lang_parser_advance(parser);
    return hbg_base_arena_copy(parser->lang->arena, text + first, size - first - last);
}

const char *hbg_lang_parser_doc(hbg_parser *parser) {
    return hbg_lang_parser_at(parser, TOKEN_STRING) ? hbg_lang_parser_string(parser) : NULL;
}

/* ---- the top of a file -------------------------------------------------------------------------------- */

static void parse_import(hbg_parser *parser) {
    uint32_t start = parser->current.span.start;
    hbg_lang_parser_advance(parser);
    hbg_span span = parser->current.span;
    if (!hbg_lang_parser_at(parser, TOKEN_STRING)) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "the file to import, in quotes");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report, "write `import \"electrical.hbg\";`");
        return;
    }
    const char *path = hbg_lang_parser_string(parser);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the import");
    syntax_import import = {path, span, {start, parser->previous.span.end}};
    HBG_PUSH(parser->arena, parser->file->imports, import);
}

/* `R r(…);` is always a resistor: no component could be used under that name. */
static void check_component_name(hbg_parser *parser, const syntax_definition *definition) {
    const char *text = hbg_base_names_get(parser->lang->names, definition->name);
    bool taken = definition->name == parser->words[WORD_Sw];
    for (int form = 0; form < HBG_KIND_COUNT && !taken; form++)
        taken = strcmp(hbg_model_element_info_get(form)->text, text) == 0;
    if (!taken || parser->failed) return;
    hbg_diagnostic *report =
        hbg_base_report(parser->lang->diagnostics, HBG_E_RESERVED, definition->span,
                        "`%s` is an element of the language and cannot name a component", text);
    hbg_base_report_fix(parser->lang->diagnostics, report, "choose a longer name");
}

/* After a slip in the head: the body is still read, since otherwise each of its lines would be an error. It
 * begins with the `{` on this line, or, if that was forgotten, with the next. */
static bool find_body(hbg_parser *parser, hbg_span *open) {
    while (!hbg_lang_parser_at(parser, TOKEN_END) && !hbg_lang_parser_at(parser, TOKEN_LEFT_BRACE) &&
           !hbg_lang_parser_at(parser, TOKEN_SEMICOLON) && !is_on_new_line(parser))
        hbg_lang_parser_advance(parser);
    *open = parser->current.span;
    if (hbg_lang_parser_at(parser, TOKEN_END) ||
        (hbg_lang_parser_at(parser, TOKEN_SEMICOLON) && !is_on_new_line(parser)))
        return false;
    parser->failed = false;
    (void)hbg_lang_parser_accept(parser, TOKEN_LEFT_BRACE);
    return true;
}

/* component NAME ( parameters ) "doc" { … }   and   model NAME "doc" { … } */
static void parse_definition(hbg_parser *parser, bool is_model) {
    syntax_definition *definition = HBG_NEW(parser->arena, syntax_definition);
    definition->is_model = is_model;
    definition->statement = parser->current.span;
    parser->definition = definition;
    hbg_lang_parser_advance(parser);
    definition->name = hbg_lang_parser_new_name(parser, is_model ? "model" : "component", &definition->span);
    if (!is_model) check_component_name(parser, definition);
    if (hbg_lang_parser_accept(parser, TOKEN_LEFT_PAREN)) {
        while (!parser->failed && !hbg_lang_parser_at(parser, TOKEN_RIGHT_PAREN)) {
            hbg_lang_parser_param_item(parser, definition, false);
            if (!hbg_lang_parser_accept(parser, TOKEN_COMMA)) break;
        }
        hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the parameters");
    }
    definition->header_count = definition->declarations.count;
    definition->doc = hbg_lang_parser_doc(parser);
    hbg_span open = parser->current.span;
    if (!hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACE,
                                is_model ? "to begin the model" : "to begin the component") &&
        (definition->name == 0 || !find_body(parser, &open))) {
        parser->definition = NULL;
        return;
    }
    HBG_PUSH(parser->arena, parser->file->definitions, definition);
    hbg_lang_parser_body(parser, definition);
    parser->definition = NULL;
    hbg_lang_parser_close(parser, open, is_model ? "to end the model" : "to end the component");
    definition->body = (hbg_span){open.start, parser->previous.span.end};
    definition->statement.end = parser->previous.span.end;
}

static void parse_top_function(hbg_parser *parser) {
    syntax_declaration declaration = {.kind = DECLARE_FUNCTION, .statement = parser->current.span};
    hbg_lang_parser_function(parser, &declaration);
    declaration.statement.end = parser->previous.span.end;
    declaration.whole = declaration.statement;
    HBG_PUSH(parser->arena, parser->file->functions, declaration);
}

/* A misspelling of one of the four words, or a declaration outside everything. */
static void report_top(hbg_parser *parser) {
    static const char *const words[] = {"import", "model", "component", "function"};
    bool name = hbg_lang_parser_at(parser, TOKEN_NAME);
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest,
                          name ? hbg_base_names_get(parser->lang->names, parser->current.name) : "");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hbg_base_nearest_offer(&nearest, words[i]);
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`import`, `model`, `component` or `function`");
    if (!report) return;
    if (nearest.best)
        hbg_base_report_meant(parser->lang->diagnostics, report, parser->current.span, nearest.best);
    else
        hbg_base_report_fix(parser->lang->diagnostics, report,
                            "declarations stand inside `model NAME { … }`");
}

static void parse_top(hbg_parser *parser) {
    if (hbg_lang_parser_at_word(parser, WORD_import))
        parse_import(parser);
    else if (hbg_lang_parser_at_word(parser, WORD_model))
        parse_definition(parser, true);
    else if (hbg_lang_parser_at_word(parser, WORD_component))
        parse_definition(parser, false);
    else if (hbg_lang_parser_at_word(parser, WORD_function))
        parse_top_function(parser);
    else {
        report_top(parser);
    }
}

/* At the top a closing brace ends nothing: skip it, or recovery would not advance. */
static void recover_top(hbg_parser *parser) {
    hbg_lang_parser_recover(parser);
    while (hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE)) hbg_lang_parser_advance(parser);
}

/* Before its first token. */
static void prepare(hbg_parser *parser, hbg_lang *lang, int32_t source, bool keep_tokens) {
    static const char *const texts[WORD_COUNT] = {
#define X(word) [WORD_##word] = #word,
        HBG_RESERVED_LIST(X) HBG_CONTEXT_LIST(X)
#undef X
    };
    *parser = (hbg_parser){.lang = lang, .arena = lang->scratch, .keep_tokens = keep_tokens};
    parser->end_text = "the end of the file";
    parser->file = HBG_NEW(parser->arena, syntax_file);
    parser->file->source = source;
    hbg_base_pair_map_init(&parser->states, parser->arena);
    hbg_base_pair_map_init(&parser->band_targets, parser->arena);
    for (int i = 0; i < WORD_COUNT; i++)
        parser->words[i] = hbg_base_names_add(lang->names, texts[i], strlen(texts[i]));
    hbg_lang_lexer_init(&parser->lexer, lang, &lang->sources->items.items[source]);
}

static void init(hbg_parser *parser, hbg_lang *lang, int32_t source, bool keep_tokens) {
    prepare(parser, lang, source, keep_tokens);
    parser->current = hbg_lang_lexer_next(&parser->lexer);
}

syntax_file *hbg_lang_parser_parse(hbg_lang *lang, int32_t source, bool keep_tokens) {
    hbg_parser parser;
    init(&parser, lang, source, keep_tokens);
    while (!hbg_lang_parser_at(&parser, TOKEN_END)) {
        parse_top(&parser);
        if (parser.failed) recover_top(&parser);
    }
    return parser.file;
}

bool hbg_lang_parser_parse_setting(hbg_lang *lang, int32_t source, syntax_setting *setting) {
    hbg_parser parser;
    init(&parser, lang, source, false);
    parser.end_text = "the end of it";
    if (!hbg_lang_parser_path(&parser, &setting->target)) return false;
    if (!hbg_lang_parser_expect(&parser, TOKEN_ASSIGN, "between the parameter and its value")) return false;
    setting->value = hbg_lang_parser_expression(&parser);
    if (!parser.failed && !hbg_lang_parser_at(&parser, TOKEN_END))
        hbg_lang_parser_fail(&parser, "the end of the value");
    return !parser.failed;
}

bool hbg_lang_parser_parse_fault(hbg_lang *lang, int32_t source, syntax_fault *fault) {
    hbg_parser parser;
    init(&parser, lang, source, false);
    parser.end_text = "the end of it";
    (void)hbg_lang_parser_accept_word(&parser, WORD_fault);
    hbg_lang_parser_fault(&parser, fault);
    (void)hbg_lang_parser_accept(&parser, TOKEN_SEMICOLON);
    if (!parser.failed && !hbg_lang_parser_at(&parser, TOKEN_END))
        hbg_lang_parser_fail(&parser, "the end of the fault");
    return !parser.failed;
}

void hbg_lang_parser_init_part(hbg_parser *parser, hbg_lang *lang, int32_t source, hbg_span part,
                               const char *end_text) {
    prepare(parser, lang, source, false);
    parser->end_text = end_text;
    parser->lexer.offset = part.start - parser->lexer.base;
    parser->lexer.size = part.end - parser->lexer.base;
    parser->current = hbg_lang_lexer_next(&parser->lexer);
}

bool hbg_lang_parser_parse_list(hbg_lang *lang, int32_t source, syntax_expr_list *list) {
    hbg_parser parser;
    init(&parser, lang, source, false);
    parser.end_text = "the end of it";
    do {
        syntax_expr *expr = hbg_lang_parser_expression(&parser);
        if (!parser.failed) HBG_PUSH(parser.arena, *list, expr);
    } while (!parser.failed && hbg_lang_parser_accept(&parser, TOKEN_COMMA));
    if (!parser.failed && !hbg_lang_parser_at(&parser, TOKEN_END))
        hbg_lang_parser_fail(&parser, "a comma or the end of the expression");
    return !parser.failed;
}
