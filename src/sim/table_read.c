/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads a CSV file of numbers, ours or of others: a header, then rows. Cells may be quoted as in RFC 4180 and
 * are separated by commas, or by semicolons if the header has no comma; lines end in LF or CRLF; empty lines
 * and those that start with # are skipped; an empty cell is NaN. A header cell is `name` or `name [unit]`. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "sim/sim.h"

#define FILE_LIMIT ((size_t)100 * 1000 * 1000)
#define SHOWN_MOST 40 /* bytes of a cell that a message shows */

typedef struct {
    hbg_arena *arena;
    char *at, *end; /* the unread part; quotes are removed in place */
    char separator;
    int64_t line;       /* of `at`, from 1 */
    int64_t row_line;   /* where the current row starts */
    const char *reason; /* the first error, or NULL */
} reader;

typedef struct {
    const char *text;
    size_t size;
    bool last; /* cell of its line */
} cell;

static bool fail(reader *r, int64_t line, const char *what) {
    r->reason = hbg_base_arena_print(r->arena, "line %lld: %s", (long long)line, what);
    return false;
}

/* ---- cells -------------------------------------------------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static void pass_blanks(reader *r) {
    while (r->at < r->end && is_blank(*r->at)) r->at++;
}

static cell trim(cell c) {
    for (; c.size > 0 && is_blank(c.text[0]); c.size--) c.text++;
    while (c.size > 0 && is_blank(c.text[c.size - 1])) c.size--;
    return c;
}

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static bool is_mark(const char *text, size_t size) {
    return size >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0;
}

/* A copy that can be shown: bytes that are not UTF-8 become U+FFFD, control characters become blanks, byte
 * order marks vanish. */
static const char *clean_copy(hbg_arena *arena, const char *text, size_t size) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    for (size_t i = 0; i < size;) {
        size_t length = hbg_base_utf8_length(text + i, size - i);
        if (length == 0)
            hbg_base_buffer_text(&buffer, "\xef\xbf\xbd");
        else if (hbg_base_utf8_is_control(text + i))
            hbg_base_buffer_char(&buffer, ' ');
        else if (!is_mark(text + i, size - i))
            hbg_base_buffer_add(&buffer, text + i, length);
        i += length > 0 ? length : 1;
    }
    return buffer.size > 0 ? buffer.data : "";
}

/* Skips the end of a cell: the separator or the end of the line. False if neither is there. */
static bool pass_end(reader *r, cell *c) {
    c->last = r->at == r->end || *r->at != r->separator;
    if (r->at == r->end) return true;
    if (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n')) r->at++;
    if (r->at == r->end) return true;
    if (*r->at == '\n')
        r->line++;
    else if (*r->at != r->separator)
        return false;
    r->at++;
    return true;
}

/* Reads from after the opening quote to after the closing one; a quote inside is written twice. */
static bool read_quoted(reader *r, cell *c) {
    int64_t first_line = r->line;
    char *start = r->at, *to = r->at;
    bool closed = false;
    while (r->at < r->end && !closed) {
        char byte = *r->at++;
        closed = byte == '"' && (r->at == r->end || *r->at != '"');
        if (closed) break;
        if (byte == '"') r->at++;
        if (byte == '\n') r->line++;
        *to++ = byte;
    }
    *c = (cell){.text = start, .size = (size_t)(to - start)};
    return closed ? true : fail(r, first_line, "a quote is not closed");
}

static bool next_cell(reader *r, cell *c) {
    pass_blanks(r);
    if (r->at < r->end && *r->at == '"') {
        r->at++;
        if (!read_quoted(r, c)) return false;
        pass_blanks(r);
        return pass_end(r, c) ? true : fail(r, r->line, "text follows a closing quote");
    }
    *c = (cell){.text = r->at};
    while (r->at < r->end && *r->at != r->separator && *r->at != '\n') r->at++;
    c->size = (size_t)(r->at - c->text);
    bool line_ends = r->at == r->end || *r->at == '\n';
    if (line_ends && c->size > 0 && c->text[c->size - 1] == '\r') c->size--;
    *c = trim(*c);
    return pass_end(r, c);
}

/* Goes to the next line that is not empty; false at the end of the file. */
static bool next_row(reader *r) {
    while (r->at < r->end) {
        char *line = r->at;
        pass_blanks(r);
        if (r->at == r->end) return false;
        if (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n')) r->at++;
        if (r->at < r->end && *r->at != '\n' && *r->at != '#') {
            r->at = line;
            r->row_line = r->line;
            return true;
        }
        char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
        r->at = end != NULL ? end + 1 : r->end;
        r->line++;
    }
    return false;
}

/* ---- header ------------------------------------------------------------------------------------------- */

static char find_separator(const reader *r) {
    bool quoted = false, semicolon = false;
    for (const char *at = r->at; at < r->end && (quoted || *at != '\n'); at++) {
        if (*at == '"') quoted = !quoted;
        if (*at == ',' && !quoted) return ',';
        if (*at == ';' && !quoted) semicolon = true;
    }
    return semicolon ? ';' : ',';
}

/* Where the bracket of a unit stands at the end of a cell, or NULL: x[3] and y[1,2] are names. */
static const char *find_unit(cell c) {
    if (c.size < 2 || c.text[c.size - 1] != ']') return NULL;
    const char *bracket = c.text + c.size - 1;
    while (bracket > c.text && *bracket != '[') bracket--;
    if (bracket == c.text) return NULL;
    if (is_blank(bracket[-1])) return bracket;
    for (const char *at = bracket + 1; at < c.text + c.size - 1; at++)
        if ((*at < '0' || *at > '9') && *at != ',') return bracket;
    return NULL;
}

static hbg_sim_column make_column(hbg_arena *arena, cell c, int32_t index) {
    const char *text = clean_copy(arena, c.text, c.size);
    cell name = trim((cell){.text = text, .size = strlen(text)});
    const char *bracket = find_unit(name), *end = name.text + name.size;
    hbg_sim_column column = {.unit = NULL};
    if (bracket != NULL) {
        cell unit = trim((cell){.text = bracket + 1, .size = (size_t)(end - bracket) - 2});
        column.unit = hbg_base_arena_copy(arena, unit.text, unit.size);
        name = trim((cell){.text = name.text, .size = (size_t)(bracket - name.text)});
    }
    column.name = name.size > 0 ? hbg_base_arena_copy(arena, name.text, name.size)
                                : hbg_base_arena_print(arena, "column %d", (int)index + 1);
    return column;
}

static bool read_header(reader *r, hbg_sim_table *table) {
    HBG_VEC(hbg_sim_column) columns = {0};
    bool named = false;
    cell c = {.last = false};
    double number;
    if (!next_row(r)) {
        r->reason = "it is empty";
        return false;
    }
    r->separator = find_separator(r);
    while (!c.last) {
        if (!next_cell(r, &c)) return false;
        if (c.size > 0 && !hbg_base_double_parse(c.text, c.size, &number)) named = true;
        hbg_sim_column column = make_column(r->arena, c, columns.count);
        HBG_PUSH(r->arena, columns, column);
    }
    table->columns = columns.items;
    table->column_count = columns.count;
    table->sweep = columns.count > 3 && strcmp(columns.items[0].name, "run") == 0 &&
                   strcmp(columns.items[columns.count - 2].name, "verdict") == 0 &&
                   strcmp(columns.items[columns.count - 1].name, "reason") == 0;
    return named ? true : fail(r, r->row_line, "the names of the columns are missing");
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static bool is_word(cell c, const char *word) {
    return c.size == strlen(word) && strncasecmp(c.text, word, c.size) == 0;
}

static bool read_value(reader *r, cell c, double *value) {
    *value = (double)NAN;
    c = trim(c);
    if (c.size == 0 || hbg_base_double_parse(c.text, c.size, value)) return true;
    bool yes = is_word(c, "true");
    if (yes || is_word(c, "false")) {
        *value = yes ? 1 : 0;
        return true;
    }
    const char *shown = clean_copy(r->arena, c.text, c.size < SHOWN_MOST ? c.size : SHOWN_MOST);
    const char *more = c.size > SHOWN_MOST ? "…" : "";
    return fail(r, r->row_line, hbg_base_arena_print(r->arena, "`%s%s` is not a number", shown, more));
}

static bool has_words(const hbg_sim_table *table, int64_t column) {
    if (!table->sweep || column >= table->column_count) return false;
    return column >= table->column_count - 2 || strcmp(table->columns[column].name, "fault") == 0;
}

/* A cell in words: the verdict and the fault are kept. */
static void keep_words(const reader *r, hbg_sim_table *table, int64_t column, cell c) {
    if (column == table->column_count - 2)
        table->finished[table->row_count] = is_word(c, "finished");
    else if (column < table->column_count - 2)
        table->faults[table->row_count] = clean_copy(r->arena, c.text, c.size);
}

static bool read_row(reader *r, hbg_sim_table *table) {
    int64_t count = 0;
    for (cell c = {.last = false}; !c.last; count++) {
        double value = (double)NAN;
        bool words = has_words(table, count);
        if (!next_cell(r, &c) || (!words && !read_value(r, c, &value))) return false;
        if (words) keep_words(r, table, count, c);
        if (count < table->column_count) table->values[count][table->row_count] = value;
    }
    table->row_count++;
    if (count == table->column_count) return true;
    return fail(r, r->row_line,
                hbg_base_arena_print(r->arena, "there are %lld values where the header has %d names",
                                     (long long)count, (int)table->column_count));
}

/* Room for all rows there can be: a row has a line, and a byte for each of its cells. */
static void make_room(const reader *r, hbg_sim_table *table) {
    size_t columns = (size_t)table->column_count, size = (size_t)(r->end - r->at), rows = 1;
    for (const char *at = r->at; (at = memchr(at, '\n', (size_t)(r->end - at))) != NULL; at++) rows++;
    if (rows > (size + 1) / columns) rows = (size + 1) / columns;
    if (rows == 0) rows = 1;
    size_t all = rows * columns;
    double *values = HBG_NEW_ARRAY(r->arena, double, all);
    table->values = HBG_NEW_ARRAY(r->arena, double *, columns);
    for (size_t i = 0; i < columns; i++) table->values[i] = values + i * rows;
    if (!table->sweep) return;
    table->finished = HBG_NEW_ARRAY(r->arena, bool, rows);
    table->faults = HBG_NEW_ARRAY(r->arena, const char *, rows); // none without such a column
}

static bool read_text(reader *r, hbg_sim_table *table) {
    if (memchr(r->at, '\0', (size_t)(r->end - r->at)) != NULL) {
        r->reason = "it is not text: it has a zero byte";
        return false;
    }
    if (is_mark(r->at, (size_t)(r->end - r->at))) r->at += 3; /* some programs put it first */
    if (!read_header(r, table)) return false;
    make_room(r, table);
    while (next_row(r))
        if (!read_row(r, table)) return false;
    return true;
}

hbg_status hbg_sim_table_read(hbg_arena *arena, const char *path, hbg_sim_table *table, const char **reason) {
    *table = (hbg_sim_table){0};
    *reason = NULL;
    char *text;
    size_t size;
    if (hbg_base_file_read(arena, path, FILE_LIMIT, &text, &size, reason) != HBG_OK) {
        if (strcmp(*reason, "it is too large") == 0)
            *reason = "it is larger than 100 MB, the most that is read";
        return HBG_CANNOT_READ;
    }
    reader r = {.arena = arena, .at = text, .end = text + size, .line = 1};
    bool good = read_text(&r, table);
    hbg_base_arena_release(arena, text, size + 2); /* the size allocated by hbg_base_file_read */
    if (good) return HBG_OK;
    *table = (hbg_sim_table){0};
    *reason = r.reason;
    return HBG_CANNOT_READ;
}
