/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of units, by recursive descent over characters:
 *
 *     product = factor { ( "*" | "." | "·" | "⋅" | "/" | blank ) factor }
 *     factor  = ( number | name | "%" | "(" product ")" ) [ power ]
 *     power   = ( "^" | "**" ) integer | integer at the end of a name (m2, s-2) | superscripts (m², s⁻¹)
 *
 * A "/" divides by the one factor after it. A number needs no sign between itself and the unit it leads
 * (`60 s`, `60s`), and stands at the beginning or after "*", "·" or "/" only: after a name `m 2` and `m.2`
 * look like powers. Every name is resolved alone, so that scales stay exact. */
#include "lang/unit_parts_impl.h"

#include <string.h>

#define NESTING_LIMIT 32

typedef struct {
    hbg_units *units;
    hbg_arena *arena;
    const char *text; /* valid UTF-8 without blanks at the ends */
    size_t size, at;
    int depth;
    const char *reason, *near;
} unit_parser;

static bool fail(unit_parser *parser, const char *reason) {
    parser->reason = reason;
    return false;
}

/* ---- characters --------------------------------------------------------------------------------- */

#define MIDDLE_DOT   0x00B7
#define DOT_OPERATOR 0x22C5
#define MINUS_SIGN   0x2212

/* The code point at the beginning of the text and its length in bytes; length 0 if it is not UTF-8. */
static uint32_t decode(const char *text, size_t size, size_t *length) {
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length: longer forms are refused */
    const unsigned char *bytes = (const unsigned char *)text;
    size_t need = bytes[0] < 0x80             ? 1
                  : (bytes[0] & 0xE0) == 0xC0 ? 2
                  : (bytes[0] & 0xF0) == 0xE0 ? 3
                  : (bytes[0] & 0xF8) == 0xF0 ? 4
                                              : 0;
    *length = 0;
    if (need == 0 || need > size) return 0;
    uint32_t code = need == 1 ? bytes[0] : bytes[0] & (0xFFu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (bytes[i] & 0x3F);
    }
    if (code < LEAST[need] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0;
    *length = need;
    return code;
}

/* The next character; 0 at the end. */
static uint32_t peek(const unit_parser *parser, size_t *length) {
    *length = 0;
    return parser->at < parser->size ? decode(parser->text + parser->at, parser->size - parser->at, length)
                                     : 0;
}

static bool take(unit_parser *parser, uint32_t wanted) {
    size_t length;
    if (wanted == 0 || peek(parser, &length) != wanted) return false;
    parser->at += length;
    return true;
}

static bool is_blank(uint32_t code) {
    return code == ' ' || code == '\t';
}

static bool is_digit(uint32_t code) {
    return code >= '0' && code <= '9';
}

/* Characters in names of units: Latin and Greek letters, and the signs for degrees, ohm and angstrom. */
static bool is_letter(uint32_t code) {
    if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    if (code == 0xD7 || code == 0xF7) return false; /* times and division sign */
    if (code == 0xB0 || code == 0xB5 || code == 0x2032 || code == 0x2033) return true;
    return (code >= 0xC0 && code <= 0x24F) || (code >= 0x370 && code <= 0x3FF) || code == 0x2103 ||
           code == 0x2109 || code == 0x2126 || code == 0x212B;
}

static int superscript_digit(uint32_t code) {
    switch (code) {
    case 0x2070: return 0;
    case 0x00B9: return 1;
    case 0x00B2: return 2;
    case 0x00B3: return 3;
    default: return code >= 0x2074 && code <= 0x2079 ? (int)(code - 0x2070) : -1;
    }
}

static bool skip_blanks(unit_parser *parser) {
    size_t before = parser->at, length;
    while (is_blank(peek(parser, &length))) parser->at += length;
    return parser->at > before;
}

static bool fail_at_character(unit_parser *parser, const char *expected) {
    size_t length;
    if (peek(parser, &length) == 0)
        return fail(parser, hbg_base_arena_print(parser->arena, "it ends where %s should follow", expected));
    return fail(parser, hbg_base_arena_print(parser->arena, "`%.*s` stands where %s should follow",
                                             (int)length, parser->text + parser->at, expected));
}

/* ---- powers ------------------------------------------------------------------------------------- */

#define HUGE_POWER 1000 /* anything beyond is out of range anyway */

/* Digits that follow, plain or superscript; -1 if there are none. */
static int take_digits(unit_parser *parser, bool superscripts) {
    int value = -1;
    for (;;) {
        size_t length;
        uint32_t code = peek(parser, &length);
        int digit = superscripts ? superscript_digit(code) : is_digit(code) ? (int)(code - '0') : -1;
        if (digit < 0) return value;
        value = (value < 0 ? 0 : value) * 10 + digit;
        if (value > HUGE_POWER) value = HUGE_POWER;
        parser->at += length;
    }
}

/* `^2`, `**-1`, `⁻¹`, and for names `2` and `-2` directly after: 1 if there is none. */
static bool take_power(unit_parser *parser, bool of_name, int *power) {
    size_t start = parser->at, length;
    bool marked = take(parser, '^');
    if (!marked && parser->at + 1 < parser->size && memcmp(parser->text + parser->at, "**", 2) == 0) {
        marked = true;
        parser->at += 2;
    }
    uint32_t ahead = peek(parser, &length);
    bool superscripts = !marked && (superscript_digit(ahead) >= 0 || ahead == 0x207B || ahead == 0x207A);
    *power = 1;
    if (!marked && !superscripts && !of_name) return true;

    bool negative = superscripts ? take(parser, 0x207B) : take(parser, '-') || take(parser, MINUS_SIGN);
    if (!negative) take(parser, superscripts ? 0x207A : '+');
    int value = take_digits(parser, superscripts);
    if (value >= 0) {
        *power = negative ? -value : value;
        return true;
    }
    if (marked || superscripts) return fail_at_character(parser, "a whole number as power");
    parser->at = start;
    return true;
}

/* ---- factors ------------------------------------------------------------------------------------ */

/* Decimal digits from `at` on; their number. */
static size_t count_digits(const unit_parser *parser, size_t at) {
    size_t count = 0;
    while (at + count < parser->size && is_digit((unsigned char)parser->text[at + count])) count++;
    return count;
}

static bool parse_number(unit_parser *parser, hbg_unit *result) {
    const char *text = parser->text;
    size_t start = parser->at, end = start + count_digits(parser, start);
    /* a point or an `e` belongs to the number only if digits follow: `2.s` and `2eV` are products */
    if (end < parser->size && text[end] == '.' && count_digits(parser, end + 1) > 0)
        end += 1 + count_digits(parser, end + 1);
    if (end < parser->size && (text[end] == 'e' || text[end] == 'E')) {
        size_t sign = end + 1 < parser->size && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
        size_t digits = count_digits(parser, end + 1 + sign);
        if (digits > 0) end += 1 + sign + digits;
    }
    hbg_decimal number;
    parser->at = end;
    if (!hbg_base_decimal_parse(parser->arena, text + start, end - start, &number))
        return fail(parser, "its scale is out of range");
    return hbg_lang_unit_of_number(number, result, &parser->reason);
}

/* Whether the part that begins at `start` is a divisor. */
static bool is_below(const unit_parser *parser, size_t start) {
    while (start > 0 && is_blank((unsigned char)parser->text[start - 1])) start--;
    return start > 0 && parser->text[start - 1] == '/';
}

/* The whole text with another word in place of the one from `start` to `end`. */
static const char *put_instead(const unit_parser *parser, size_t start, size_t end, const char *word) {
    return hbg_base_arena_print(parser->arena, "%.*s%s%.*s", (int)start, parser->text, word,
                                (int)(parser->size - end), parser->text + end);
}

static bool resolve(unit_parser *parser, size_t start, size_t end, hbg_unit *result) {
    hbg_arena *arena = parser->arena;
    const char *atom = hbg_base_arena_copy(arena, parser->text + start, end - start), *second;
    if (hbg_lang_unit_table_find(arena, atom, result)) return true;
    if (hbg_lang_unit_database_find(parser->units, arena, atom, result, &parser->reason)) return true;
    const char *first = hbg_lang_unit_table_split(arena, atom, &second);
    const char *near =
        first ? hbg_base_arena_print(arena, "%s%c%s", first, is_below(parser, start) ? '/' : ' ', second)
              : hbg_lang_unit_table_near(arena, atom);
    if (near) parser->near = put_instead(parser, start, end, near);
    return false;
}

/* Letters, digits and `_`; digits at the end are left: they are a power. */
static bool parse_name(unit_parser *parser, hbg_unit *result) {
    size_t start = parser->at, end = start, length;
    uint32_t code = peek(parser, &length);
    while (is_letter(code) || is_digit(code) || code == '_' || (code == '%' && parser->at == start)) {
        parser->at += length;
        if (!is_digit(code)) end = parser->at;
        if (code == '%') break;
        code = peek(parser, &length);
    }
    parser->at = end;
    if (end - start > HBG_UNIT_ATOM_LIMIT)
        return fail(parser, hbg_base_arena_print(parser->arena, "there is no unit with a name of %zu bytes",
                                                 end - start));
    return resolve(parser, start, end, result);
}

static bool parse_product(unit_parser *parser, hbg_unit *result);

static bool parse_group(unit_parser *parser, hbg_unit *result) {
    if (parser->depth >= NESTING_LIMIT)
        return fail(parser,
                    hbg_base_arena_print(parser->arena, "its parentheses are nested more than %d deep",
                                         NESTING_LIMIT));
    parser->depth++;
    parser->at++;
    if (!parse_product(parser, result)) return false;
    parser->depth--;
    return take(parser, ')') || fail_at_character(parser, "`)`");
}

/* A unit with an offset or a logarithm has no products or powers. */
static bool check_alone(unit_parser *parser, const hbg_unit *unit, size_t start, int power) {
    if (!hbg_lang_unit_alone(unit) || (start == 0 && parser->at == parser->size && power == 1)) return true;
    if (!unit->logarithmic && power == 1) parser->near = put_instead(parser, start, parser->at, "K");
    return fail(parser, unit->logarithmic ? "a logarithmic unit stands alone, without factors and powers"
                                          : "a temperature scale stands alone, without factors and powers; a "
                                            "difference of temperatures is in K");
}

static bool parse_factor(unit_parser *parser, bool number_allowed, hbg_unit *result, bool *is_number) {
    size_t start = parser->at, length;
    uint32_t ahead = peek(parser, &length);
    bool is_name = is_letter(ahead) || ahead == '%';
    bool point = ahead == '.' && count_digits(parser, parser->at + 1) > 0;
    *is_number = is_digit(ahead) || point;
    if (*is_number && !number_allowed)
        return fail(parser, "a number stands before its unit; a power is written `m2` or `m^2`");
    if (!*is_number && !is_name && ahead != '(') return fail_at_character(parser, "a unit");

    hbg_unit unit;
    int power;
    if (!(*is_number ? parse_number(parser, &unit)
          : is_name  ? parse_name(parser, &unit)
                     : parse_group(parser, &unit)))
        return false;
    return take_power(parser, is_name, &power) && check_alone(parser, &unit, start, power) &&
           hbg_lang_unit_power(parser->arena, &unit, power, result, &parser->reason);
}

/* ---- products ----------------------------------------------------------------------------------- */

typedef enum { END, TIMES, POINT, OVER, NEXT, NOTHING } joint;

/* The operator between the last factor and the next. */
static joint take_joint(unit_parser *parser, bool after_number) {
    bool blank = skip_blanks(parser);
    size_t length;
    uint32_t ahead = peek(parser, &length);
    if (ahead == 0 || ahead == ')') return END;
    joint found = ahead == '*' || ahead == MIDDLE_DOT || ahead == DOT_OPERATOR ? TIMES
                  : ahead == '.'                                               ? POINT
                  : ahead == '/'                                               ? OVER
                                                                               : NOTHING;
    if (found != NOTHING) {
        parser->at += length;
        skip_blanks(parser);
        return found;
    }
    bool begins = is_letter(ahead) || is_digit(ahead) || ahead == '%' || ahead == '(';
    return begins && (blank || after_number) ? NEXT : NOTHING;
}

static bool parse_product(unit_parser *parser, hbg_unit *result) {
    bool is_number;
    skip_blanks(parser);
    if (!parse_factor(parser, true, result, &is_number)) return false;
    for (;;) {
        joint between = take_joint(parser, is_number);
        if (between == END) return true;
        if (between == NOTHING) return fail_at_character(parser, "`*`, `/` or the end");
        hbg_unit factor;
        bool number_allowed = between == TIMES || between == OVER;
        if (!parse_factor(parser, number_allowed, &factor, &is_number)) return false;
        if (between == OVER && !hbg_lang_unit_power(parser->arena, &factor, -1, &factor, &parser->reason))
            return false;
        if (!hbg_lang_unit_multiply(parser->arena, result, &factor, result, &parser->reason)) return false;
    }
}

/* ---- the whole ---------------------------------------------------------------------------------- */

/* NULL, or why the grammar cannot read the text. */
static const char *refuse(const char *text, size_t size) {
    if (size == 0) return "there is nothing between the brackets; a pure number has the unit `1`";
    if (size > HBG_UNIT_TEXT_LIMIT) return "it is too long for a unit";
    for (size_t at = 0, length; at < size; at += length) {
        uint32_t code = decode(text + at, size - at, &length);
        if (length == 0) return "it is not UTF-8 text";
        if ((code < ' ' && code != '\t') || code == 0x7F) return "it contains a control character";
    }
    return NULL;
}

bool hbg_lang_units_parse(hbg_units *units, hbg_arena *arena, const char *text, size_t size, hbg_unit *result,
                          const char **reason, const char **near) {
    while (size > 0 && is_blank((unsigned char)*text)) text++, size--;
    while (size > 0 && is_blank((unsigned char)text[size - 1])) size--;
    *near = NULL;
    *reason = refuse(text, size);
    if (*reason != NULL) return false;

    unit_parser parser = {.units = units, .arena = arena, .text = text, .size = size};
    if (parse_product(&parser, result)) {
        if (parser.at == size) return true;
        fail_at_character(&parser, "the end");
    }
    *reason = parser.reason;
    *near = parser.near;
    return false;
}
