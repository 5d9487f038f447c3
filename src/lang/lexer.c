/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lexer: bytes to tokens. White space and comments separate; a character the language does not know is
 * reported and skipped, so that one slip does not hide the next. */
#include "lang/lexer_impl.h"

#include <limits.h>
#include <string.h>

static const char *const token_texts[TOKEN_COUNT] = {
#define X(id, text) text,
    HBG_TOKEN_LIST(X)
#undef X
};

const char *hbg_lang_token_text(hbg_token_kind kind) {
    HBG_ASSERT(kind >= 0 && kind < TOKEN_COUNT);
    return token_texts[kind];
}

void hbg_lang_lexer_init(hbg_lexer *lexer, hbg_lang *lang, const hbg_source *source) {
    lexer->text = source->text;
    lexer->size = source->size;
    lexer->base = source->base;
    lexer->offset = 0;
    lexer->unknown = 0;
    lexer->lang = lang;
    lexer->quiet = false;
    // a byte order mark says nothing about UTF-8
    if (source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) lexer->offset = 3;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    static const bool words[UCHAR_MAX + 1] = {
        ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true};
    return words[(unsigned char)c];
}

static hbg_span span_of(const hbg_lexer *lexer, uint32_t start, uint32_t end) {
    return (hbg_span){lexer->base + start, lexer->base + end};
}

/* ---- text as such ------------------------------------------------------------------------------------- */

/* The beginning of what `hbg compile` writes; src/rt/package.h has it, which this folder does not see. */
static bool is_image(const hbg_source *source) {
    static const char begin[] = "\x89HBI";
    return source->size >= sizeof begin - 1 && memcmp(source->text, begin, sizeof begin - 1) == 0;
}

static void refuse_byte(hbg_lang *lang, const hbg_source *source, uint32_t i) {
    hbg_span span = {source->base + i, source->base + i + 1};
    hbg_diagnostic *report;
    if (is_image(source)) {
        report = hbg_base_report(lang->diagnostics, HBG_E_UTF8, span,
                                 "`%s` is an image that `hbg compile` made, and no model", source->path);
        hbg_base_report_fix(lang->diagnostics, report,
                            "name the model it was compiled from; only `hbg run`, `hbg sweep` and `hbg "
                            "export` take an image");
        return;
    }
    report = hbg_base_report(lang->diagnostics, HBG_E_UTF8, span,
                             "`%s` is not plain UTF-8 text: byte %u of it is 0x%02X", source->path, i + 1,
                             (unsigned)(unsigned char)source->text[i]);
    hbg_base_report_fix(lang->diagnostics, report, "save the file as plain UTF-8 text");
}

/* Whether eight bytes are printable ASCII: no byte has its highest bit set, is less than a space, or is
 * 0x7F. */
static bool is_plain(const char *text) {
    const uint64_t ones = UINT64_C(0x0101010101010101), high = 0x80 * ones;
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return ((word | (word + ones) | (word - 0x20 * ones)) & high) == 0;
}

bool hbg_lang_lexer_check_text(hbg_lang *lang, const hbg_source *source) {
    const char *text = source->text;
    for (uint32_t i = 0; i < source->size;) {
        while (source->size - i >= 8 && is_plain(text + i)) i += 8; // most of them
        if (i == source->size) break;
        if (text[i] >= ' ' && text[i] < 0x7F) {
            i++;
            continue;
        }
        uint32_t length = (uint32_t)hbg_base_utf8_length(text + i, source->size - i);
        // terminal control characters do not belong in a text that messages and lists print
        bool blank = text[i] != 0 && strchr("\t\n\v\f\r", text[i]);
        if (length > 0 && (blank || !hbg_base_utf8_is_control(text + i))) {
            i += length;
            continue;
        }
        refuse_byte(lang, source, i);
        return false;
    }
    return true;
}

/* ---- separators --------------------------------------------------------------------------------------- */

const char *hbg_lang_lexer_comment_end(const char *text, const char *end) {
    for (; end - text >= 2; text++)
        if (text[0] == '*' && text[1] == '/') return text + 2;
    return NULL;
}

/* Skips a comment that starts at the offset; false if there is none. */
static bool skip_comment(hbg_lexer *lexer) {
    const char *text = lexer->text + lexer->offset;
    if (text[0] != '/') return false;
    if (text[1] == '/') {
        const char *end = memchr(text, '\n', lexer->size - lexer->offset);
        lexer->offset = end ? (uint32_t)(end - lexer->text) : lexer->size;
        return true;
    }
    if (text[1] != '*') return false;
    const char *end = hbg_lang_lexer_comment_end(text + 2, lexer->text + lexer->size);
    if (!end) {
        if (!lexer->quiet) {
            hbg_diagnostic *report =
                hbg_base_report(lexer->lang->diagnostics, HBG_E_COMMENT,
                                span_of(lexer, lexer->offset, lexer->offset + 2), "this comment has no end");
            hbg_base_report_fix(lexer->lang->diagnostics, report, "close it with `*/`");
        }
        lexer->offset = lexer->size;
        return true;
    }
    lexer->offset = (uint32_t)(end - lexer->text);
    return true;
}

static void skip_separators(hbg_lexer *lexer) {
    const char *end = lexer->text + lexer->size;
    do {
        const char *text = lexer->text + lexer->offset;
        while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r'))) text++; // \t \n \v \f \r
        lexer->offset = (uint32_t)(text - lexer->text);
    } while (lexer->offset < lexer->size && skip_comment(lexer));
}

/* ---- tokens ------------------------------------------------------------------------------------------- */

static hbg_token make(const hbg_lexer *lexer, hbg_token_kind kind, uint32_t start) {
    return (hbg_token){kind, span_of(lexer, start, lexer->offset), 0};
}

/* 4k7 of parts lists, whose prefix is also the decimal point. */
static bool is_prefix_as_point(const char *text, int number_size, int size) {
    if (size < number_size + 2 || size > 40 || !strchr("RkKMGmunp", text[number_size])) return false;
    for (int i = 0; i < size; i++)
        if (i != number_size && !is_digit(text[i])) return false;
    return true;
}

/* The most likely meaning of such a part. */
static const char *unit_of_prefix(char prefix) {
    switch (prefix) {
    case 'k':
    case 'K': return "kOhm";
    case 'M': return "MOhm";
    case 'G': return "GOhm";
    case 'm': return "mH";
    case 'u': return "uF";
    case 'n': return "nF";
    case 'p': return "pF";
    default: return "Ohm";
    }
}

/* A word directly after a number is most likely a unit without brackets. */
static void report_number(hbg_lexer *lexer, uint32_t start, uint32_t number_end) {
    hbg_diagnostics *diagnostics = lexer->lang->diagnostics;
    const char *text = lexer->text + start, *word = lexer->text + number_end;
    int size = (int)(lexer->offset - start), number_size = (int)(number_end - start);
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_NUMBER, span_of(lexer, start, lexer->offset),
                                             "`%.*s%s` is neither a number nor a name", size > 40 ? 40 : size,
                                             text, size > 40 ? "…" : "");
    if (number_size == 1 && text[0] == '0' && strchr("xXbB", word[0]))
        hbg_base_report_fix(diagnostics, report, "numbers are written in decimal");
    else if ((word[0] == 'e' || word[0] == 'E') && size == number_size + 1)
        hbg_base_report_fix(diagnostics, report, "an exponent has digits: `7.5e-6`");
    else if (is_prefix_as_point(text, number_size, size))
        hbg_base_report_fix(diagnostics, report, "write the point and the unit: `%.*s.%.*s [%s]`",
                            number_size, text, size - number_size - 1, word + 1, unit_of_prefix(word[0]));
    else if (size == number_size + 1 && strchr("kMGmun", word[0]))
        hbg_base_report_fix(
            diagnostics, report,
            "a prefix belongs to a unit, as in `%.*s [%cOhm]`; a bare number takes an exponent: `1e3`",
            number_size, text, word[0]);
    else if (size < 80)
        hbg_base_report_fix(diagnostics, report, "a unit stands in brackets: `%.*s [%.*s]`", number_size,
                            text, size - number_size, word);
}

/* 12, 1.5, .5, 7.5e-6 */
static hbg_token read_number(hbg_lexer *lexer) {
    const char *text = lexer->text;
    uint32_t start = lexer->offset, at = start;
    while (is_digit(text[at])) at++;
    if (text[at] == '.' && text[at + 1] != '.') at++; // `1..5` is a range
    while (is_digit(text[at])) at++;
    if (text[at] == 'e' || text[at] == 'E') {
        uint32_t exponent = at + 1;
        if (text[exponent] == '+' || text[exponent] == '-') exponent++;
        if (is_digit(text[exponent])) {
            at = exponent;
            while (is_digit(text[at])) at++;
        }
    }
    uint32_t number_end = at;
    while (is_word(text[at])) at++;
    lexer->offset = at;
    if (at > number_end && !lexer->quiet) report_number(lexer, start, number_end);
    return make(lexer, TOKEN_NUMBER, start);
}

static hbg_token read_name(hbg_lexer *lexer) {
    uint32_t start = lexer->offset;
    const char *end = lexer->text + start;
    while (is_word(*end)) end++;
    lexer->offset = (uint32_t)(end - lexer->text);
    if (lexer->offset - start > HBG_LEXER_NAME_LIMIT && !lexer->quiet)
        hbg_base_report(lexer->lang->diagnostics, HBG_E_TOO_LARGE, span_of(lexer, start, lexer->offset),
                        "this name has %u characters: more than %d is too long", lexer->offset - start,
                        HBG_LEXER_NAME_LIMIT);
    hbg_token result = make(lexer, TOKEN_NAME, start);
    result.name = hbg_base_names_add(lexer->lang->names, lexer->text + start, lexer->offset - start);
    return result;
}

/* Where a text without a closing quote ends: with its line, except for the `{` or `;` there, which is not
 * meant to be part of it. */
static void end_open_text(hbg_lexer *lexer, uint32_t start) {
    uint32_t last = lexer->offset;
    while (last > start + 1 && strchr(" \t\r", lexer->text[last - 1])) last--;
    if (last > start + 1 && (lexer->text[last - 1] == '{' || lexer->text[last - 1] == ';'))
        lexer->offset = last - 1;
}

/* A text ends on its line; there are no escapes, so a path or a sentence reads as it is written. */
static hbg_token read_string(hbg_lexer *lexer) {
    uint32_t start = lexer->offset++;
    const char *text = lexer->text + lexer->offset, *line = memchr(text, '\n', lexer->size - lexer->offset);
    if (!line) line = lexer->text + lexer->size;
    const char *quote = memchr(text, '"', (size_t)(line - text));
    lexer->offset = (uint32_t)((quote ? quote + 1 : line) - lexer->text);
    if (!quote) {
        end_open_text(lexer, start);
        if (lexer->quiet) return make(lexer, TOKEN_STRING, start);
        hbg_diagnostic *report =
            hbg_base_report(lexer->lang->diagnostics, HBG_E_STRING, span_of(lexer, start, lexer->offset),
                            "this text has no closing quote");
        hbg_base_report_fix(lexer->lang->diagnostics, report, "close it with `\"` on the same line");
    }
    return make(lexer, TOKEN_STRING, start);
}

/* Bytes of a quote that a word processor makes of `"`; 0 if there is none. */
static uint32_t curly_quote(const hbg_lexer *lexer) {
    static const char *const quotes[] = {"“", "”", "„", "‟", "«", "»"};
    const char *text = lexer->text + lexer->offset;
    if ((unsigned char)*text < 0x80) return 0;
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++)
        if (strncmp(text, quotes[i], strlen(quotes[i])) == 0) return (uint32_t)strlen(quotes[i]);
    return 0;
}

/* Text between such quotes is meant as a text: it is read as one, with one report. */
static hbg_token read_curly(hbg_lexer *lexer) {
    uint32_t start = lexer->offset, quote = curly_quote(lexer), end;
    for (lexer->offset += quote; lexer->offset < lexer->size && lexer->text[lexer->offset] != '\n';
         lexer->offset++)
        if (lexer->text[lexer->offset] == '"' || curly_quote(lexer) > 0) break;
    end = lexer->offset;
    if (lexer->offset < lexer->size && lexer->text[lexer->offset] != '\n')
        lexer->offset += lexer->text[end] == '"' ? 1 : curly_quote(lexer);
    else
        end_open_text(lexer, start + quote - 1);
    if (end > lexer->offset) end = lexer->offset;
    if (!lexer->quiet) {
        int size = (int)(end - start - quote);
        hbg_diagnostic *report = hbg_base_report(
            lexer->lang->diagnostics, HBG_E_CHARACTER, span_of(lexer, start, lexer->offset),
            "texts stand between straight quotes, not `%.*s`", (int)quote, lexer->text + start);
        if (size < 80)
            hbg_base_report_fix(lexer->lang->diagnostics, report, "write `\"%.*s\"`", size,
                                lexer->text + start + quote);
    }
    return make(lexer, TOKEN_STRING, start);
}

static const struct {
    char text[3];
    hbg_token_kind kind;
} pairs[] = {
    {"->", TOKEN_ARROW},         {"==", TOKEN_EQUAL}, {"!=", TOKEN_NOT_EQUAL}, {"<=", TOKEN_LESS_EQUAL},
    {">=", TOKEN_GREATER_EQUAL}, {"&&", TOKEN_AND},   {"||", TOKEN_OR},        {"..", TOKEN_RANGE},
};

static const uint8_t singles[UCHAR_MAX + 1] = {
    ['('] = TOKEN_LEFT_PAREN,  [')'] = TOKEN_RIGHT_PAREN,  ['{'] = TOKEN_LEFT_BRACE,
    ['}'] = TOKEN_RIGHT_BRACE, ['['] = TOKEN_LEFT_BRACKET, [']'] = TOKEN_RIGHT_BRACKET,
    [','] = TOKEN_COMMA,       [';'] = TOKEN_SEMICOLON,    [':'] = TOKEN_COLON,
    ['.'] = TOKEN_DOT,         ['='] = TOKEN_ASSIGN,       ['<'] = TOKEN_LESS,
    ['>'] = TOKEN_GREATER,     ['+'] = TOKEN_PLUS,         ['-'] = TOKEN_MINUS,
    ['*'] = TOKEN_STAR,        ['/'] = TOKEN_SLASH,        ['%'] = TOKEN_PERCENT,
    ['^'] = TOKEN_CARET,       ['!'] = TOKEN_NOT,          ['?'] = TOKEN_QUESTION,
    ['@'] = TOKEN_AT,
};

/* TOKEN_END if there is none of two characters; the longer wins. */
static hbg_token_kind find_pair(const char *text) {
    if (!memchr(">=&|.", text[1], 5)) return TOKEN_END;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (text[0] == pairs[i].text[0] && text[1] == pairs[i].text[1]) return pairs[i].kind;
    return TOKEN_END;
}

/* True with the token; false if there is no punctuation. */
static bool read_punctuation(hbg_lexer *lexer, hbg_token *result) {
    const char *text = lexer->text + lexer->offset;
    uint32_t start = lexer->offset;
    hbg_token_kind kind = find_pair(text);
    bool single = kind == TOKEN_END;
    if (single) kind = (hbg_token_kind)singles[(unsigned char)text[0]];
    if (kind == TOKEN_END) return false;
    lexer->offset += single ? 1 : 2;
    *result = make(lexer, kind, start);
    return true;
}

/* The code point of the character there. */
static unsigned code_point(const char *at, uint32_t size) {
    unsigned code = (unsigned char)at[0] & (size == 2 ? 0x1F : size == 3 ? 0x0F : 0x07);
    for (uint32_t i = 1; i < size; i++) code = code << 6 | ((unsigned char)at[i] & 0x3F);
    return code;
}

/* Characters that look like a blank, or are invisible. */
static bool is_unseen(unsigned code) {
    return code == 0xA0 || code == 0xAD || (code >= 0x2000 && code <= 0x200F) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x2060 || code == 0x3000 ||
           code == 0xFEFF;
}

static const char *character_advice(const char *at) {
    if (at[0] == '&') return "`and` is written `&&`";
    if (at[0] == '|') return "`or` is written `||`";
    if (at[0] == '#') return "a comment begins with `//`";
    if (at[0] == '\'') return "texts stand between double quotes";
    if (at[0] == '~') return at[1] == '=' ? "unequal is written `!=`" : "`not` is written `!`";
    if (strncmp(at, "\u00b0", 2) == 0) return "an angle is written `90 [deg]`, a temperature `20 [degC]`";
    if ((unsigned char)at[0] >= 0x80) return "names are made of ASCII letters, digits and `_`";
    return NULL;
}

/* Reports a run of unknown characters once and skips it. */
static void skip_unknown(hbg_lexer *lexer) {
    const char *text = lexer->text;
    uint32_t start = lexer->offset;
    uint32_t first = (uint32_t)hbg_base_utf8_length(text + start, lexer->size - start);
    lexer->offset += first ? first : 1;
    uint32_t shown = lexer->offset;
    while (lexer->offset < lexer->size && (unsigned char)text[lexer->offset] >= 0x80) lexer->offset++;
    uint32_t end = lexer->offset;
    while (text[start] == '#' && lexer->offset < lexer->size && text[lexer->offset] != '\n')
        lexer->offset++; // it was meant as a comment
    if (lexer->quiet) return;
    lexer->unknown = lexer->base + end;
    hbg_diagnostics *diagnostics = lexer->lang->diagnostics;
    unsigned code = first > 1 ? code_point(text + start, first) : 0;
    if (is_unseen(code)) {
        hbg_diagnostic *told =
            hbg_base_report(diagnostics, HBG_E_CHARACTER, span_of(lexer, start, end),
                            "the language has no character U+%04X, which cannot be seen", code);
        hbg_base_report_fix(diagnostics, told, "write a plain blank");
        return;
    }
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_CHARACTER, span_of(lexer, start, end),
                        "the language has no character `%.*s`", (int)(shown - start), text + start);
    const char *advice = character_advice(text + start);
    if (advice) hbg_base_report_fix(diagnostics, report, "%s", advice);
}

hbg_token hbg_lang_lexer_next(hbg_lexer *lexer) {
    for (;;) {
        skip_separators(lexer);
        if (lexer->offset >= lexer->size) return make(lexer, TOKEN_END, lexer->offset);
        char c = lexer->text[lexer->offset];
        if (is_digit(c) || (c == '.' && is_digit(lexer->text[lexer->offset + 1]))) return read_number(lexer);
        if (is_word(c)) return read_name(lexer);
        if (c == '"') return read_string(lexer);
        if (curly_quote(lexer) > 0) return read_curly(lexer);
        hbg_token result;
        if (read_punctuation(lexer, &result)) return result;
        skip_unknown(lexer);
    }
}

hbg_token hbg_lang_lexer_unit(hbg_lexer *lexer, hbg_token bracket) {
    uint32_t start = bracket.span.start - lexer->base;
    lexer->offset = start + 1;
    while (lexer->offset < lexer->size && !strchr("];{}\n", lexer->text[lexer->offset])) lexer->offset++;
    if (lexer->offset < lexer->size && lexer->text[lexer->offset] == ']') {
        lexer->offset++;
    } else if (!lexer->quiet) {
        hbg_diagnostic *report =
            hbg_base_report(lexer->lang->diagnostics, HBG_E_SYNTAX, span_of(lexer, start, start + 1),
                            "this unit has no closing `]`");
        hbg_base_report_fix(lexer->lang->diagnostics, report, "a unit is written like `[mH]` or `[m/s^2]`");
    }
    return make(lexer, TOKEN_UNIT, start);
}
