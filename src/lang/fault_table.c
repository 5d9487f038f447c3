/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A table of faults: a CSV file whose header names the columns at, until, target, kind and value in any
 * order; each row is a fault. The parser of sentences reads the cells in place, so that a message shows line
 * and column of the table. A cell may stand in double quotes, which `0 [V], 0.01` for noise needs; an empty
 * `until` is no end. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <string.h>

#define COLUMN_LIST(X) X(at) X(until) X(target) X(kind) X(value)

typedef enum {
#define X(name) COLUMN_##name,
    COLUMN_LIST(X)
#undef X
        COLUMN_COUNT
} column;

static const char *const column_names[COLUMN_COUNT] = {
#define X(name) #name,
    COLUMN_LIST(X)
#undef X
};

enum { MOST_CELLS = 64 };

typedef struct {
    hbg_elaborator *elaborator;
    int32_t source;
    const char *text, *at;      /* the table, and the reading position */
    uint32_t base;              /* position of its first character */
    hbg_span row;               /* the present line */
    hbg_span cells[MOST_CELLS]; /* without quotes and white space */
    int32_t count;
    int32_t columns;             /* of the header */
    int32_t place[COLUMN_COUNT]; /* its place in a row; HBG_NONE: missing */
} reader;

static hbg_diagnostic *report(reader *r, hbg_span span, const char *what, const char *name) {
    return hbg_base_report(r->elaborator->lang->diagnostics, HBG_E_TABLE, span, what, name);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static hbg_span span_of(const reader *r, const char *start, const char *end) {
    while (start < end && is_blank(*start)) start++;
    while (start < end && is_blank(end[-1])) end--;
    return (hbg_span){r->base + (uint32_t)(start - r->text), r->base + (uint32_t)(end - r->text)};
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* One cell from `start` on; returns where it ends, at a comma or at the end of the line. */
static const char *read_cell(reader *r, const char *start, const char *end) {
    while (start < end && is_blank(*start)) start++;
    const char *stop = start, *first = start, *last;
    if (start < end && *start == '"') {
        first = start + 1;
        const char *quote = memchr(first, '"', (size_t)(end - first));
        last = quote ? quote : end;
        if (!quote) report(r, span_of(r, start, end), "this cell has no closing quote%s", "");
        stop = quote ? quote + 1 : end;
    }
    const char *comma = memchr(stop, ',', (size_t)(end - stop));
    if (first == start) last = comma ? comma : end;
    if (r->count < MOST_CELLS) r->cells[r->count++] = span_of(r, first, last);
    return comma ? comma : end;
}

/* The next line that is not empty; false at the end. */
static bool next_row(reader *r) {
    while (*r->at) {
        const char *end = strchr(r->at, '\n');
        if (!end) end = r->at + strlen(r->at);
        const char *start = r->at;
        r->at = *end ? end + 1 : end;
        r->row = span_of(r, start, end);
        if (r->row.start == r->row.end || r->text[r->row.start - r->base] == '#') continue;
        r->count = 0;
        for (const char *cell = start;; cell++) {
            cell = read_cell(r, cell, end);
            if (cell == end) break;
        }
        return true;
    }
    return false;
}

/* ---- the header --------------------------------------------------------------------------------------- */

static bool is_called(const reader *r, hbg_span cell, const char *name) {
    size_t size = cell.end - cell.start;
    return size == strlen(name) && memcmp(r->text + (cell.start - r->base), name, size) == 0;
}

static void place_column(reader *r, int32_t cell) {
    hbg_nearest nearest;
    hbg_diagnostics *diagnostics = r->elaborator->lang->diagnostics;
    const char *text = hbg_lang_elaborate_text(r->elaborator, r->cells[cell]);
    hbg_base_nearest_init(&nearest, text);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        hbg_base_nearest_offer(&nearest, column_names[i]);
        if (!is_called(r, r->cells[cell], column_names[i])) continue;
        if (r->place[i] != HBG_NONE) report(r, r->cells[cell], "there are two columns `%s`", text);
        r->place[i] = cell;
        return;
    }
    hbg_diagnostic *told = report(r, r->cells[cell], "a table of faults has no column `%s`", text);
    if (nearest.best)
        hbg_base_report_fix(diagnostics, told, "did you mean `%s`?", nearest.best);
    else
        hbg_base_report_fix(diagnostics, told, "its columns are at, until, target, kind, value");
}

static bool read_header(reader *r) {
    int64_t errors = r->elaborator->lang->diagnostics->errors;
    for (int i = 0; i < COLUMN_COUNT; i++) r->place[i] = HBG_NONE;
    if (!next_row(r)) {
        report(r, (hbg_span){r->base, r->base}, "the table is empty%s", "");
        return false;
    }
    r->columns = r->count;
    for (int32_t i = 0; i < r->count; i++) place_column(r, i);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (r->place[i] == HBG_NONE && i != COLUMN_until)
            report(r, r->row, "the table of faults lacks the column `%s`", column_names[i]);
    return r->elaborator->lang->diagnostics->errors == errors;
}

/* ---- faults ------------------------------------------------------------------------------------------- */

/* {0,0} where the row has none. */
static hbg_span cell_of(const reader *r, column wanted) {
    int32_t place = r->place[wanted];
    if (place == HBG_NONE || place >= r->count) return (hbg_span){0, 0};
    hbg_span cell = r->cells[place];
    return cell.start == cell.end ? (hbg_span){0, 0} : cell;
}

static void open_cell(reader *r, column wanted, hbg_parser *parser) {
    hbg_lang_parser_init_part(parser, r->elaborator->lang, r->source, cell_of(r, wanted),
                              "the end of the cell");
}

static bool close_cell(hbg_parser *parser) {
    if (!parser->failed && !hbg_lang_parser_at(parser, TOKEN_END))
        hbg_lang_parser_fail(parser, "the end of the cell");
    return !parser->failed;
}

static bool read_time(reader *r, column wanted, syntax_expr **time) {
    hbg_parser parser;
    if (cell_of(r, wanted).end == 0) return true;
    open_cell(r, wanted, &parser);
    *time = hbg_lang_parser_expression(&parser);
    return close_cell(&parser);
}

static bool read_cells(reader *r, syntax_fault *syntax) {
    hbg_parser parser;
    syntax->span = r->row;
    bool fine = read_time(r, COLUMN_at, &syntax->at) && read_time(r, COLUMN_until, &syntax->until);
    if (!fine) return false;
    open_cell(r, COLUMN_target, &parser);
    if (!hbg_lang_parser_path(&parser, &syntax->target) || !close_cell(&parser)) return false;
    open_cell(r, COLUMN_kind, &parser);
    if (!hbg_lang_parser_fault_kind(&parser, syntax) || !close_cell(&parser)) return false;
    open_cell(r, COLUMN_value, &parser);
    hbg_lang_parser_fault_value(&parser, syntax, false);
    return close_cell(&parser);
}

static bool is_complete(reader *r) {
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i == COLUMN_until || cell_of(r, (column)i).end > 0) continue;
        report(r, r->row, "this fault lacks its `%s`", column_names[i]);
        return false;
    }
    return true;
}

/* A comma inside a number, or a cell that should be quoted, shifts the others; empty cells do not matter. */
static bool has_no_more(reader *r) {
    for (int32_t i = r->columns; i < r->count; i++) {
        if (r->cells[i].start == r->cells[i].end) continue;
        hbg_diagnostic *told =
            report(r, r->cells[i], "this row has more cells than the table has columns%s", "");
        hbg_base_report_fix(r->elaborator->lang->diagnostics, told,
                            "write numbers with a point, and a cell that has a comma in it in double quotes");
        return false;
    }
    return true;
}

/* As `--fault` takes it. */
static const char *sentence(reader *r, const syntax_fault *syntax) {
    hbg_elaborator *elaborator = r->elaborator;
    const char *value = hbg_lang_elaborate_text(elaborator, cell_of(r, COLUMN_value));
    bool bare = hbg_model_fault_info_get(syntax->kind)->effect == HBG_EFFECT_SHAKES && value[0] != '(';
    return hbg_base_arena_print(elaborator->arena, bare ? "%s %s(%s)" : "%s %s %s",
                                hbg_lang_elaborate_text(elaborator, cell_of(r, COLUMN_target)),
                                hbg_lang_elaborate_text(elaborator, cell_of(r, COLUMN_kind)), value);
}

static void read_row(reader *r, hbg_experiment *experiment) {
    hbg_elaborator *elaborator = r->elaborator;
    int64_t errors = elaborator->lang->diagnostics->errors;
    syntax_fault syntax = {0};
    hbg_fault fault;
    if (!has_no_more(r) || !is_complete(r) || !read_cells(r, &syntax) ||
        elaborator->lang->diagnostics->errors > errors)
        return;
    syntax.text = sentence(r, &syntax);
    if (!hbg_lang_elaborate_fault(elaborator, &syntax, &fault)) return;
    fault.from_table = true;
    HBG_PUSH(elaborator->model->arena, experiment->faults, fault);
}

void hbg_lang_elaborate_fault_table(hbg_elaborator *elaborator, const char *path,
                                    hbg_experiment *experiment) {
    hbg_lang *lang = elaborator->lang;
    char *text;
    size_t size;
    const char *reason = "";
    if (hbg_base_file_read(elaborator->arena, path, HBG_LANG_FILE_LIMIT, &text, &size, &reason) != HBG_OK) {
        hbg_base_report(lang->diagnostics, HBG_E_FILE, (hbg_span){0, 0}, "cannot read the faults `%s`: %s",
                        path, reason);
        return;
    }
    reader r = {.elaborator = elaborator, .source = hbg_base_sources_add(lang->sources, path, text, size)};
    if (r.source < 0) {
        hbg_base_report(lang->diagnostics, HBG_E_TOO_LARGE, (hbg_span){0, 0}, "`%s` is too large", path);
        return;
    }
    if (!hbg_lang_lexer_check_text(lang, &lang->sources->items.items[r.source])) return;
    const hbg_source *source = &lang->sources->items.items[r.source];
    r.text = r.at = source->text;
    r.base = source->base;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) r.at += 3;
    if (!read_header(&r)) return;
    while (next_row(&r)) read_row(&r, experiment);
}
