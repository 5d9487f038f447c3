/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The canonical form of a text: one statement per line, four blanks per level, one blank around `->`, `=`,
 * `+`, `-` and comparisons, none around `*`, `/`, `^`. Comments stay where they are, a blank line stays one
 * blank line, and a line break inside a statement stays as a continuation. Formatting twice changes
 * nothing. */
#include "lang/parser_impl.h"

#include <string.h>

typedef struct {
    hbg_lang *lang;
    const hbg_source *source;
    hbg_buffer *out;
    int depth;             /* of braces */
    HBG_VEC(int) columns;  /* after the open parentheses and brackets, innermost last */
    HBG_VEC(size_t) notes; /* where in `out` comments at line ends start */
    size_t measured;       /* how far in `out` the current line is measured, */
    int width;             /* and its width up to there */
    bool line_empty;       /* nothing on the current line yet */
    bool boundary;         /* the next token starts a statement */
    hbg_token previous;    /* TOKEN_END before the first */
    hbg_token first;       /* of the statement */
    hbg_token_kind second; /* what follows that */
    int32_t in_statement;  /* tokens of the statement so far */
} formatter;

/* ---- words -------------------------------------------------------------------------------------------- */

static bool is_one_of(const formatter *f, hbg_token token, const char *const *words, size_t count) {
    if (token.kind != TOKEN_NAME) return false;
    const char *text = hbg_base_names_get(f->lang->names, token.name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0) return true;
    return false;
}

/* Words after which an expression starts: a minus there is a sign, a parenthesis no call. */
static bool before_expression(const formatter *f, hbg_token token) {
    static const char *const words[] = {"when",  "after", "if",     "every",  "restitution",
                                        "stop",  "step",  "record", "plot",   "assume",
                                        "range", "at",    "until",  "always", "loss"};
    if (is_one_of(f, token, words, sizeof words / sizeof *words)) return true;
    for (int kind = 0; kind < HBG_FAULT_COUNT; kind++) {
        const hbg_fault_info *info =
            hbg_model_fault_info_get(kind); // noise has its two values in parentheses
        if (info->effect != HBG_EFFECT_SHAKES && is_one_of(f, token, &info->text, 1)) return true;
    }
    return false;
}

/* In `at 2 [s]: …` and `b7: …` the colon follows the word directly; others have a blank. */
static bool colon_at_word(const formatter *f) {
    static const char *const words[] = {"at", "fault"};
    bool indexed = f->second == TOKEN_LEFT_BRACKET && f->previous.kind == TOKEN_RIGHT_BRACKET;
    return f->in_statement == 1 || indexed || is_one_of(f, f->first, words, sizeof words / sizeof *words);
}

/* `} else {` is on one line. */
static bool goes_on(const formatter *f, hbg_token token) {
    static const char *const words[] = {"else"};
    return f->previous.kind == TOKEN_RIGHT_BRACE && is_one_of(f, token, words, 1);
}

static bool ends_operand(const formatter *f, hbg_token token) {
    switch (token.kind) {
    case TOKEN_NUMBER:
    case TOKEN_UNIT:
    case TOKEN_STRING:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET: return true;
    case TOKEN_NAME: return !before_expression(f, token);
    default: return false;
    }
}

/* ---- blanks ------------------------------------------------------------------------------------------- */

/* A sign before an operand: the next token follows without a blank. */
static bool is_sign(const formatter *f, bool was_operand) {
    hbg_token_kind kind = f->previous.kind;
    return kind == TOKEN_NOT || ((kind == TOKEN_MINUS || kind == TOKEN_PLUS) && !was_operand);
}

static bool binds_tight(hbg_token_kind kind) {
    return kind == TOKEN_STAR || kind == TOKEN_SLASH || kind == TOKEN_PERCENT || kind == TOKEN_CARET ||
           kind == TOKEN_DOT;
}

static bool opens(hbg_token_kind kind) {
    return kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET;
}

/* Whether a blank goes between the previous token and this one; `was_operand`: an operand came before the
 * previous. */
static bool blank_before(const formatter *f, hbg_token token, bool was_operand) {
    hbg_token previous = f->previous;
    if (opens(previous.kind) || binds_tight(previous.kind) || is_sign(f, was_operand)) return false;
    switch (token.kind) {
    case TOKEN_COMMA:
    case TOKEN_SEMICOLON:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET: return false;
    case TOKEN_COLON: return !colon_at_word(f);
    case TOKEN_LEFT_PAREN:
        return previous.kind != TOKEN_RIGHT_BRACKET &&
               (previous.kind != TOKEN_NAME || before_expression(f, previous));
    case TOKEN_LEFT_BRACKET: {
        static const char *const in[] = {"in"};
        if (previous.kind == TOKEN_RIGHT_BRACKET) return false; // `cell[i][k]`
        return previous.kind != TOKEN_NAME || is_one_of(f, previous, in, 1);
    }
    default: return !binds_tight(token.kind);
    }
}

/* ---- lines -------------------------------------------------------------------------------------------- */

static int width_of(const char *text, size_t size) {
    int characters = 0;
    for (size_t i = 0; i < size; i++) characters += ((unsigned char)text[i] & 0xC0) != 0x80;
    return characters;
}

static void end_line(formatter *f) {
    if (!f->line_empty) hbg_base_buffer_char(f->out, '\n');
    f->line_empty = true;
    f->measured = f->out->size;
    f->width = 0;
}

/* Characters of the current line. */
static int line_width(formatter *f) {
    f->width += width_of(f->out->data + f->measured, f->out->size - f->measured);
    f->measured = f->out->size;
    return f->width;
}

static void start_line(formatter *f, bool closing) {
    int blanks = 4 * (f->depth - (closing ? 1 : 0) + (f->boundary || closing ? 0 : 1));
    if (!f->boundary && f->columns.count > 0) blanks = f->columns.items[f->columns.count - 1];
    f->measured = f->out->size;
    f->width = 0;
    hbg_base_buffer_print(f->out, "%*s", blanks, "");
    f->line_empty = false;
}

static void blank_line(formatter *f) {
    end_line(f);
    bool opened = f->previous.kind == TOKEN_LEFT_BRACE || f->out->size == 0;
    bool there = f->out->size >= 2 && f->out->data[f->out->size - 2] == '\n';
    if (!opened && !there) hbg_base_buffer_char(f->out, '\n');
}

/* A comment of the gap before a token; `breaks` line ends came before it. */
static void put_comment(formatter *f, const char *text, size_t size, int breaks) {
    if (breaks > 0 || f->line_empty) {
        if (breaks > 1 && f->boundary) blank_line(f);
        end_line(f);
        start_line(f, false);
    } else {
        hbg_base_buffer_char(f->out, ' ');
        if (text[1] == '/') HBG_PUSH(f->lang->scratch, f->notes, f->out->size);
    }
    while (size > 0 && strchr(" \t\r", text[size - 1])) size--;
    for (size_t i = 0; i < size; i++)
        if (text[i] != '\r') hbg_base_buffer_char(f->out, text[i]);
    if (text[1] == '/') end_line(f);
}

/* Writes the comments between two tokens; returns how many line ends followed the last of them. */
static int put_gap(formatter *f, const char *text, const char *end, bool *commented) {
    int breaks = 0;
    *commented = false;
    while (text < end) {
        if (text[0] == '/' && (text[1] == '/' || text[1] == '*')) {
            const char *stop = text[1] == '/' ? memchr(text, '\n', (size_t)(end - text))
                                              : hbg_lang_lexer_comment_end(text + 2, end);
            if (!stop) stop = end;
            put_comment(f, text, (size_t)(stop - text), breaks);
            *commented = true;
            breaks = 0;
            text = stop;
        } else {
            breaks += *text++ == '\n';
        }
    }
    return breaks;
}

/* ---- tokens ------------------------------------------------------------------------------------------- */

static void put_text(formatter *f, hbg_token token) {
    const char *text = f->source->text + (token.span.start - f->source->base);
    hbg_base_buffer_add(f->out, text, token.span.end - token.span.start);
}

/* After a closing brace at the top of the file comes an empty line. */
static bool separates(const formatter *f) {
    return f->depth == 0 && f->previous.kind == TOKEN_RIGHT_BRACE;
}

static void put_token(formatter *f, hbg_token token, bool was_operand) {
    const char *base = f->source->text;
    bool first = f->previous.kind == TOKEN_END;
    const char *gap = first ? base : base + (f->previous.span.end - f->source->base);
    bool commented;
    int breaks = put_gap(f, gap, base + (token.span.start - f->source->base), &commented);
    bool closing = token.kind == TOKEN_RIGHT_BRACE;
    bool attached = token.kind == TOKEN_SEMICOLON && f->previous.kind == TOKEN_RIGHT_BRACE;
    if (goes_on(f, token) && !commented) {
        hbg_base_buffer_char(f->out, ' ');
        put_text(f, token);
        return;
    }
    if (f->boundary && !attached && !(closing && f->previous.kind == TOKEN_LEFT_BRACE && !commented)) {
        if (!first && !closing && !commented && (breaks > 1 || separates(f))) blank_line(f);
        if (commented && breaks > 1 && !closing) blank_line(f);
        end_line(f);
    } else if (breaks > 0 && !f->boundary && !closing) {
        end_line(f);
    }
    if (closing && !f->boundary) end_line(f);
    if (f->line_empty)
        start_line(f, closing);
    else if (!attached && !(f->boundary && first) && !(closing && f->previous.kind == TOKEN_LEFT_BRACE) &&
             (commented || blank_before(f, token, was_operand)))
        hbg_base_buffer_char(f->out, ' ');
    put_text(f, token);
    if (opens(token.kind)) {
        HBG_PUSH(f->lang->scratch, f->columns, line_width(f));
    } else if ((token.kind == TOKEN_RIGHT_PAREN || token.kind == TOKEN_RIGHT_BRACKET) &&
               f->columns.count > 0) {
        f->columns.count--;
    }
}

static void advance(formatter *f, hbg_token token) {
    if (f->boundary) {
        f->first = token;
        f->in_statement = 0;
    }
    if (f->in_statement++ == 1) f->second = token.kind;
    if (token.kind == TOKEN_LEFT_BRACE) f->depth++;
    if (token.kind == TOKEN_RIGHT_BRACE && f->depth > 0) f->depth--;
    f->boundary =
        token.kind == TOKEN_LEFT_BRACE || token.kind == TOKEN_RIGHT_BRACE || token.kind == TOKEN_SEMICOLON;
    f->previous = token;
}

static void format_tokens(formatter *f, const syntax_file *file) {
    bool was_operand = false;
    for (int32_t i = 0; i < file->tokens.count; i++) {
        hbg_token token = file->tokens.items[i];
        bool operand_before = was_operand;
        was_operand = i > 0 && ends_operand(f, f->previous);
        put_token(f, token, operand_before);
        advance(f, token);
    }
    const char *text = f->source->text;
    const char *gap = f->previous.kind == TOKEN_END ? text : text + (f->previous.span.end - f->source->base);
    bool commented;
    put_gap(f, gap, text + f->source->size, &commented);
    end_line(f);
}

/* ---- comments at line ends ---------------------------------------------------------------------------- */

/* Where the line of the offset starts. */
static size_t line_of(const hbg_buffer *text, size_t offset) {
    while (offset > 0 && text->data[offset - 1] != '\n') offset--;
    return offset;
}

/* Copies the text with the comments at the ends of neighbouring lines in one column. */
static void align_notes(const formatter *f, hbg_buffer *out) {
    size_t copied = 0;
    for (int32_t first = 0; first < f->notes.count;) {
        // a run of comments on consecutive lines, and the widest code among them
        int widest = 0;
        int32_t end = first;
        for (; end < f->notes.count; end++) {
            size_t note = f->notes.items[end], line = line_of(f->out, note);
            bool next = end == first || line_of(f->out, line - 1) == line_of(f->out, f->notes.items[end - 1]);
            if (!next) break;
            int width = width_of(f->out->data + line, note - line);
            if (width > widest) widest = width;
        }
        for (; first < end; first++) {
            size_t note = f->notes.items[first], line = line_of(f->out, note);
            hbg_base_buffer_add(out, f->out->data + copied, note - copied);
            hbg_base_buffer_print(out, "%*s", widest - width_of(f->out->data + line, note - line), "");
            copied = note;
        }
    }
    hbg_base_buffer_add(out, f->out->data + copied, f->out->size - copied);
}

bool hbg_lang_format(hbg_lang *lang, const char *path, const char *text, size_t size, hbg_buffer *out) {
    int32_t source = hbg_base_sources_add(lang->sources, path, text, size);
    if (source < 0 || !hbg_lang_lexer_check_text(lang, &lang->sources->items.items[source])) return false;
    int64_t errors = lang->diagnostics->errors;
    syntax_file *file = hbg_lang_parser_parse(lang, source, true);
    if (lang->diagnostics->errors > errors) return false;
    hbg_buffer lines;
    hbg_base_buffer_init(&lines, lang->scratch);
    formatter f = {.lang = lang, .source = &lang->sources->items.items[source], .out = &lines};
    f.line_empty = f.boundary = true;
    f.previous.kind = TOKEN_END;
    format_tokens(&f, file);
    align_notes(&f, out);
    return true;
}
