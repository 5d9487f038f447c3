/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables: a column of a CSV file against its first column. The header names the columns, `name` or `name
 * [unit]`; values are converted to SI. The first column must not decrease; two equal entries are a jump. */
#include "lang/elaborate_impl.h"

#include <math.h>
#include <string.h>

#define TABLE_FILE_LIMIT ((size_t)1 << 28)

typedef struct {
    hbg_elaborator *elaborator;
    hbg_span span;   /* of the call, or of the name of the file elsewhere: where all errors are reported */
    hbg_span column; /* except for a missing column */
    const char *file;
    const char *text, *at; /* the file, and the reading position */
    int32_t line;
} table_reader;

typedef struct {
    const char *text;
    size_t size;
} field;

static bool fail(const table_reader *reader, const char *message) {
    hbg_diagnostics *diagnostics = reader->elaborator->lang->diagnostics;
    if (reader->line == 0)
        hbg_base_report(diagnostics, HBG_E_TABLE, reader->span, "table `%s`: %s", reader->file, message);
    else
        hbg_base_report(diagnostics, HBG_E_TABLE, reader->span, "table `%s`, line %d: %s", reader->file,
                        reader->line, message);
    return false;
}

static field trim(field f) {
    while (f.size > 0 && strchr(" \t\r\"", f.text[0])) f.text++, f.size--;
    while (f.size > 0 && strchr(" \t\r\"", f.text[f.size - 1])) f.size--;
    return f;
}

/* The distance to one of these characters, or to the end. */
static size_t size_until(const char *text, const char *stops) {
    size_t size = 0;
    while (!strchr(stops, text[size])) size++; // the end is a character of every string
    return size;
}

/* The next field of the line; false at its end. */
static bool next_field(const char **at, field *result) {
    if (!*at) return false;
    size_t size = size_until(*at, ",;\n");
    *result = trim((field){*at, size});
    *at += size;
    *at = **at == ',' || **at == ';' ? *at + 1 : NULL;
    return true;
}

static bool next_line(table_reader *reader) {
    while (*reader->at) {
        reader->line++;
        const char *line = reader->at;
        size_t size = size_until(line, "\n");
        field content = trim((field){line, size});
        if (content.size > 0 && content.text[0] != '#') return true;
        reader->at = line + size + (line[size] == '\n');
    }
    return false;
}

static void pass_line(table_reader *reader) {
    size_t size = size_until(reader->at, "\n");
    reader->at += size + (reader->at[size] == '\n');
}

/* ---- header ------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_unit unit; /* plain SI if the header has none */
    hbg_dimension dimension;
} column_unit;

static bool read_unit(const table_reader *reader, field head, size_t *name_size, column_unit *result) {
    const char *bracket = memchr(head.text, '[', head.size);
    *result = (column_unit){.dimension = hbg_model_dimension_any};
    result->unit.factor = result->unit.divisor = (hbg_decimal){"1", 0, false};
    result->unit.offset = (hbg_decimal){"0", 0, false};
    field name = trim((field){head.text, bracket ? (size_t)(bracket - head.text) : head.size});
    *name_size = name.size;
    if (!bracket) return true;
    const char *end = memchr(bracket, ']', (size_t)(head.text + head.size - bracket));
    if (!end) return fail(reader, "a unit in the header has no closing `]`");
    const char *reason = "this is not a unit", *near = NULL;
    hbg_elaborator *elaborator = reader->elaborator;
    const char *text = hbg_base_arena_copy(elaborator->arena, bracket + 1, (size_t)(end - bracket - 1));
    if (!hbg_lang_units_parse(elaborator->lang->units, elaborator->arena, text, strlen(text), &result->unit,
                              &reason, &near)) {
        reason = hbg_lang_elaborate_unit_reason(elaborator, text, reason);
        if (near) reason = hbg_base_arena_print(elaborator->arena, "%s; did you mean `[%s]`?", reason, near);
        return fail(reader, reason);
    }
    result->dimension = result->unit.dimension;
    return true;
}

/* Finds the column and the units of it and of the first. */
static bool read_header(table_reader *reader, const char *column, int32_t *index, column_unit *first,
                        column_unit *wanted) {
    if (!next_line(reader)) return fail(reader, "the file is empty");
    const char *at = reader->at;
    field head;
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, column);
    *index = HBG_NONE;
    for (int32_t i = 0; next_field(&at, &head); i++) {
        column_unit unit;
        size_t size;
        if (!read_unit(reader, head, &size, &unit)) return false;
        if (i == 0) *first = unit;
        if (size == strlen(column) && memcmp(head.text, column, size) == 0 && *index == HBG_NONE) {
            *index = i;
            *wanted = unit;
        }
        if (i < 1000)
            hbg_base_nearest_offer(&nearest, hbg_base_arena_copy(reader->elaborator->arena, head.text, size));
    }
    pass_line(reader);
    if (*index != HBG_NONE) return true;
    hbg_diagnostics *diagnostics = reader->elaborator->lang->diagnostics;
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_TABLE, reader->column,
                                             "table `%s` has no column `%s`", reader->file, column);
    if (nearest.best) hbg_base_report_fix(diagnostics, report, "did you mean `%s`?", nearest.best);
    return false;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static bool read_value(const table_reader *reader, field text, const column_unit *unit, double *value) {
    hbg_decimal decimal;
    hbg_arena *arena = reader->elaborator->arena;
    if (!hbg_base_decimal_parse(arena, text.text, text.size, &decimal))
        return fail(reader, hbg_base_arena_print(arena, "`%.*s` is not a number",
                                                 text.size > 40 ? 40 : (int)text.size, text.text));
    if (!hbg_lang_unit_to_si(arena, unit->unit, decimal, &decimal))
        return fail(reader, "a value is too large");
    *value = hbg_base_decimal_to_double(decimal);
    return isfinite(*value) ? true : fail(reader, "a value is too large");
}

static bool read_row(const table_reader *reader, int32_t index, const column_unit *first,
                     const column_unit *wanted, double *x, double *y) {
    const char *at = reader->at;
    field text;
    bool have_x = false, have_y = false;
    for (int32_t i = 0; (!have_x || !have_y) && next_field(&at, &text); i++) {
        if (i == 0 && !(have_x = read_value(reader, text, first, x))) return false;
        if (i == index && !(have_y = read_value(reader, text, wanted, y))) return false;
    }
    return have_y ? true : fail(reader, "this line has too few columns");
}

static bool read_rows(table_reader *reader, int32_t index, const column_unit *first,
                      const column_unit *wanted, hbg_table *table) {
    HBG_VEC(double) xs = {0};
    HBG_VEC(double) ys = {0};
    while (next_line(reader)) {
        double x = 0, y = 0;
        if (!read_row(reader, index, first, wanted, &x, &y)) return false;
        if (xs.count > 0 && x < xs.items[xs.count - 1])
            return fail(reader, "the first column must not decrease");
        if (xs.count > 1 && x == xs.items[xs.count - 2])
            return fail(reader, "three lines have the same first column: a jump takes two");
        HBG_PUSH(reader->elaborator->model->arena, xs, x);
        HBG_PUSH(reader->elaborator->model->arena, ys, y);
        pass_line(reader);
    }
    if (xs.count == 0) return fail(reader, "there are no values");
    table->count = xs.count;
    table->x = xs.items;
    table->y = ys.items;
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static const char *string_argument(hbg_elaborator *elaborator, const syntax_expr *expr) {
    const char *text = hbg_lang_elaborate_text(elaborator, expr->span);
    size_t size = strlen(text);
    bool closed = size >= 2 && text[size - 1] == '"';
    return hbg_base_arena_copy(elaborator->model->arena, text + 1, size - (closed ? 2 : 1));
}

/* The file is sought beside the one in which its name is written. */
static const char *table_path(hbg_elaborator *elaborator, hbg_span named, const char *file) {
    const char *model_file = hbg_lang_elaborate_file_of(elaborator, named);
    const char *slash = strrchr(model_file, '/');
    if (file[0] == '/' || !slash) return file;
    return hbg_base_arena_print(elaborator->arena, "%.*s/%s", (int)(slash - model_file), model_file, file);
}

static bool read_table(hbg_elaborator *elaborator, hbg_span place, hbg_span column, const char *path,
                       hbg_table *table) {
    table_reader reader = {.elaborator = elaborator, .span = place, .column = column, .file = table->file};
    char *text;
    size_t size;
    const char *reason = "";
    if (hbg_base_file_read(elaborator->arena, path, TABLE_FILE_LIMIT, &text, &size, &reason) != HBG_OK) {
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_FILE, place, "cannot read table `%s`: %s", path,
                        reason);
        return false;
    }
    if (strlen(text) != size) return fail(&reader, "the file is not text: it has a zero byte");
    reader.text = reader.at = text;
    int32_t index = HBG_NONE;
    column_unit first, wanted;
    if (!read_header(&reader, table->column, &index, &first, &wanted)) return false;
    table->dimension = wanted.dimension;
    table->argument_dimension = first.dimension;
    return read_rows(&reader, index, &first, &wanted, table);
}

/* File and column of the call; false with a report. */
static bool read_texts(hbg_elaborator *elaborator, int32_t scope, const syntax_expr *call,
                       const syntax_expr *texts[2]) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    bool good = call->argument_count == 2 || call->argument_count == 3;
    for (int32_t i = 0; i < 2 && good; i++)
        good = call->arguments[i]->kind == SYNTAX_STRING || call->arguments[i]->kind == SYNTAX_PATH;
    if (!good) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_ARGUMENT, call->span,
                            "a table is given by its file and its column, both in quotes");
        hbg_base_report_fix(diagnostics, report, "write `table(\"load.csv\", \"current\")`");
        return false;
    }
    for (int32_t i = 0; i < 2 && good; i++) {
        texts[i] = hbg_lang_elaborate_find_text(elaborator, scope, call->arguments[i]);
        good = texts[i] != NULL;
    }
    return good;
}

int32_t hbg_lang_elaborate_table(hbg_elaborator *elaborator, int32_t scope, const syntax_expr *call) {
    const syntax_expr *texts[2];
    if (!read_texts(elaborator, scope, call, texts)) return HBG_NONE;
    hbg_table table = {.span = call->span};
    table.file = string_argument(elaborator, texts[0]);
    table.column = string_argument(elaborator, texts[1]);
    const char *path = table_path(elaborator, texts[0]->span, table.file);
    hbg_name path_name = hbg_base_names_add(elaborator->lang->names, path, strlen(path));
    hbg_name column_name = hbg_base_names_add(elaborator->lang->names, table.column, strlen(table.column));
    int32_t known = hbg_base_pair_map_find(&elaborator->table_texts, path_name, column_name);
    if (known >= 0) return known;
    hbg_span places[2]; // for a text given from elsewhere the error is there
    for (int i = 0; i < 2; i++) places[i] = texts[i] == call->arguments[i] ? call->span : texts[i]->span;
    if (!read_table(elaborator, places[0], places[1], path, &table)) return HBG_NONE;
    hbg_model *model = elaborator->model;
    table.path = hbg_base_arena_copy(model->arena, path, strlen(path));
    HBG_PUSH(model->arena, model->tables, table);
    hbg_base_pair_map_add(&elaborator->table_texts, path_name, column_name, model->tables.count - 1);
    return model->tables.count - 1;
}
