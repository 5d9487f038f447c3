/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values that a sweep gives to parameters, as given on the command line:
 *
 *     R=1:10:1                    from, to, step: a grid
 *     R=1,2.2,4.7                 these
 *     C~normal(1e-3, 1e-5)        drawn: mean and deviation; likewise uniform(low, high), lognormal(median, spread)
 *
 * Every number is an expression of the language in the scope of the model, with units. They become settings
 * of the request, so that they are checked as settings are; an axis gives their purpose. A plain `R=1` is no
 * axis. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <string.h>

enum { MOST_PARTS = 1000 };

static const struct {
    const char *name;
    hbg_axis_kind kind;
} distributions[] = {
    {"normal", HBG_AXIS_NORMAL}, {"uniform", HBG_AXIS_UNIFORM}, {"lognormal", HBG_AXIS_LOGNORMAL}};
enum { DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

/* A sentence as it is shown, and the positions of its parts. */
typedef struct {
    hbg_elaborator *elaborator;
    hbg_buffer text;
    int32_t source;
    uint32_t base;
    char joint;           /* '=' or '~' */
    char between;         /* ':' or ','; 0: one part */
    hbg_span name, shape; /* of the parameter, and of the distribution */
    hbg_span *parts;
    int32_t count;
    bool doubted; /* a number without a unit has been reported */
} sentence;

/* ---- cutting ------------------------------------------------------------------------------------------ */

/* The position of one of the characters outside of brackets; the end if there is none. */
static const char *find_outside(const char *text, const char *characters) {
    int depth = 0;
    for (; *text; text++) {
        if (depth == 0 && strchr(characters, *text)) return text;
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
    }
    return text;
}

bool hbg_lang_elaborate_is_sweep(const char *text) {
    const char *joint = find_outside(text, "=~");
    return *joint != '=' || *find_outside(joint + 1, ":,") != 0;
}

/* A copy without white space around it. */
static const char *trimmed(hbg_elaborator *elaborator, const char *start, const char *end) {
    while (start < end && (*start == ' ' || *start == '\t')) start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    return hbg_base_arena_copy(elaborator->arena, start, (size_t)(end - start));
}

static hbg_span put(sentence *s, const char *text) {
    uint32_t start = (uint32_t)s->text.size;
    hbg_base_buffer_text(&s->text, text);
    return (hbg_span){start, (uint32_t)s->text.size};
}

/* The parts between `start` and `end`, each with its unit in brackets. */
static void cut_parts(sentence *s, const char *start, const char *end) {
    const char *inside = hbg_base_arena_copy(s->elaborator->arena, start, (size_t)(end - start));
    const char *first = find_outside(inside, ":,");
    char separators[2] = {*first, 0};
    s->between = *first;
    s->parts = HBG_NEW_ARRAY(s->elaborator->arena, hbg_span, MOST_PARTS);
    for (const char *part = inside;;) {
        const char *stop = *first ? find_outside(part, separators) : first;
        const char *own = trimmed(s->elaborator, part, stop);
        hbg_span span = put(s, hbg_lang_elaborate_with_brackets(s->elaborator, own));
        if (s->count < MOST_PARTS) s->parts[s->count++] = span;
        if (*stop == 0) return;
        hbg_base_buffer_char(&s->text, *stop);
        if (*stop == ',') hbg_base_buffer_char(&s->text, ' ');
        part = stop + 1;
    }
}

static void cut(sentence *s, const char *text) {
    const char *joint = find_outside(text, "=~"), *end = text + strlen(text);
    s->joint = *joint;
    s->name = put(s, trimmed(s->elaborator, text, joint));
    if (!*joint) return;
    hbg_base_buffer_char(&s->text, *joint);
    const char *rest = joint + 1 + strspn(joint + 1, " \t");
    if (*joint == '=') {
        cut_parts(s, rest, end);
        return;
    }
    const char *open = rest + strcspn(rest, "(");
    s->shape = put(s, trimmed(s->elaborator, rest, open));
    if (!*open) return;
    while (end > open && end[-1] != ')') end--;
    hbg_base_buffer_char(&s->text, '(');
    cut_parts(s, open + 1, end > open ? end - 1 : open + 1 + strlen(open + 1));
    if (end > open) hbg_base_buffer_char(&s->text, ')');
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static hbg_span placed(const sentence *s, hbg_span span) {
    return (hbg_span){span.start + s->base, span.end + s->base};
}

static hbg_diagnostic *report(sentence *s, hbg_diagnostic_id id, hbg_span span, const char *what,
                              const char *name) {
    return hbg_base_report(s->elaborator->lang->diagnostics, id, span.end ? placed(s, span) : span, what,
                           name);
}

static hbg_span whole(const sentence *s) {
    return (hbg_span){0, (uint32_t)s->text.size};
}

static bool no_sweep(sentence *s) {
    hbg_diagnostic *told =
        report(s, HBG_E_SYNTAX, whole(s), "`%s` does not say which values to take", s->text.data);
    hbg_base_report_fix(s->elaborator->lang->diagnostics, told,
                        "write `NAME=FROM:TO:STEP`, `NAME=A,B,C`, or `NAME~normal(MEAN, DEVIATION)`");
    return false;
}

static bool find_distribution(sentence *s, hbg_axis_kind *kind) {
    hbg_nearest nearest;
    const char *wanted = trimmed(s->elaborator, s->text.data + s->shape.start, s->text.data + s->shape.end);
    hbg_base_nearest_init(&nearest, wanted);
    for (int i = 0; i < DISTRIBUTIONS; i++) {
        hbg_base_nearest_offer(&nearest, distributions[i].name);
        *kind = distributions[i].kind;
        if (strcmp(distributions[i].name, wanted) == 0) return true;
    }
    hbg_diagnostic *told = report(s, HBG_E_UNKNOWN, s->shape, "there is no distribution `%s`", wanted);
    if (nearest.best)
        hbg_base_report_fix(s->elaborator->lang->diagnostics, told, "did you mean `%s`?", nearest.best);
    else
        hbg_base_report_fix(
            s->elaborator->lang->diagnostics, told,
            "there are normal(mean, deviation), uniform(low, high), lognormal(median, spread)");
    return false;
}

/* What is requested, and whether it has as many numbers as it takes. */
static bool find_kind(sentence *s, hbg_axis_kind *kind) {
    hbg_diagnostics *diagnostics = s->elaborator->lang->diagnostics;
    if (s->joint == 0) return no_sweep(s);
    if (s->joint == '=' && s->between == ',') {
        *kind = HBG_AXIS_LIST;
        if (s->count < MOST_PARTS) return true;
        report(s, HBG_E_TOO_LARGE, whole(s), "more values than a list can have%s", "");
        return false;
    }
    if (s->joint == '=') {
        *kind = HBG_AXIS_GRID;
        if (s->count == 3) return true;
        hbg_diagnostic *told =
            report(s, HBG_E_SYNTAX, whole(s), "a grid has a start, an end and a step%s", "");
        hbg_base_report_fix(diagnostics, told, "write `%s=FROM:TO:STEP`",
                            trimmed(s->elaborator, s->text.data + s->name.start, s->text.data + s->name.end));
        return false;
    }
    if (!find_distribution(s, kind)) return false;
    if (s->count == 2 && s->between == ',') return true;
    report(s, HBG_E_SYNTAX, whole(s), "this distribution takes two numbers, with a comma between%s", "");
    return false;
}

static bool find_param(sentence *s, int32_t *param) {
    hbg_elaborator *elaborator = s->elaborator;
    hbg_parser parser;
    syntax_path path = {0};
    hbg_resolved found;
    hbg_lang_parser_init_part(&parser, elaborator->lang, s->source, placed(s, s->name),
                              "the end of the name");
    if (!hbg_lang_parser_path(&parser, &path) || parser.failed) return false;
    if (!hbg_lang_elaborate_resolve_parameter(elaborator, &path, &found)) return false;
    *param = found.object.index;
    if (found.object.kind == HBG_OBJECT_PARAM && found.used == path.count) return true;
    hbg_diagnostic *told = report(s, HBG_E_NOT_A, s->name, "`%s` is not a parameter",
                                  hbg_lang_elaborate_path_text(elaborator, &path));
    hbg_lang_elaborate_advise_parameter(elaborator, told, &path);
    return false;
}

/* The first number that could be misread is reported, for all of them. A step or a deviation is a difference,
 * for which the zero of a scale does not matter. */
static bool doubt_part(sentence *s, const hbg_axis *axis, int32_t number, const syntax_expr *expr) {
    const hbg_param *param = &s->elaborator->model->params.items[axis->param];
    bool difference =
        (axis->kind == HBG_AXIS_GRID && number == 2) || (axis->kind == HBG_AXIS_NORMAL && number == 1);
    bool factor = axis->kind == HBG_AXIS_LOGNORMAL && number == 1;
    if (factor || (difference && param->display.offset != 0)) return false;
    const char *name = trimmed(s->elaborator, s->text.data + s->name.start, s->text.data + s->name.end);
    return hbg_lang_elaborate_check_bare(s->elaborator, name, param->unit, expr);
}

static bool read_part(sentence *s, const hbg_axis *axis, int32_t number, hbg_expr *value) {
    hbg_elaborator *elaborator = s->elaborator;
    hbg_parser parser;
    if (s->parts[number].start == s->parts[number].end) {
        report(s, HBG_E_SYNTAX, whole(s), "a number is missing in `%s`", s->text.data);
        return false;
    }
    hbg_lang_parser_init_part(&parser, elaborator->lang, s->source, placed(s, s->parts[number]),
                              "the end of the number");
    const syntax_expr *expr = hbg_lang_parser_expression(&parser);
    if (!parser.failed && !hbg_lang_parser_at(&parser, TOKEN_END))
        hbg_lang_parser_fail(&parser, "the end of the number");
    if (parser.failed) return false;
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    if (axis->kind == HBG_AXIS_GRID && number == 2)
        hbg_lang_elaborate_check_difference(elaborator, expr, "the step of a grid");
    if (axis->kind == HBG_AXIS_NORMAL && number == 1)
        hbg_lang_elaborate_check_difference(elaborator, expr, "a deviation");
    s->doubted = s->doubted || doubt_part(s, axis, number, expr);
    *value = hbg_lang_elaborate_anchor(&lowering, expr, hbg_lang_elaborate_lower(&lowering, expr));
    return *value != HBG_NONE;
}

/* A number alone, or with a unit after it. */
static bool is_number(const sentence *s, hbg_span part, double *value, bool *unit) {
    const char *text = s->text.data + part.start;
    size_t size = part.end - part.start, digits = 0;
    while (digits < size && text[digits] != '[') digits++;
    *unit = digits < size;
    while (digits > 0 && text[digits - 1] == ' ') digits--;
    return hbg_base_double_parse(text, digits, value);
}

/* A bare number is SI. Beside one in a unit that is not, it is a slip: `1 [kOhm]:2:1` would go from 1000 Ohm
 * down to 2. */
static void check_units(sentence *s, const hbg_axis *axis, const hbg_experiment *request) {
    const hbg_model *model = s->elaborator->model;
    int32_t scaled = HBG_NONE, bare = HBG_NONE;
    bool spreads = axis->kind == HBG_AXIS_NORMAL || axis->kind == HBG_AXIS_LOGNORMAL;
    // a step or a deviation may well be in another unit
    int32_t count = axis->kind == HBG_AXIS_GRID ? 2 : spreads ? 0 : axis->count;
    for (int32_t i = 0; i < count; i++) {
        const hbg_expr_node *node = &model->exprs.items[request->settings.items[axis->first + i].value];
        double written;
        bool unit;
        if (!is_number(s, s->parts[i], &written, &unit)) continue;
        if (!unit && written != 0 && bare == HBG_NONE) bare = i;
        if (!unit || node->op != HBG_OP_NUMBER || scaled != HBG_NONE) continue;
        if (hbg_base_decimal_to_double(model->literals.items[node->a].value) != written) scaled = i;
    }
    if (scaled == HBG_NONE || bare == HBG_NONE) return;
    const char *part = s->text.data + s->parts[scaled].start;
    int size = (int)(s->parts[scaled].end - s->parts[scaled].start);
    const char *number = hbg_base_arena_copy(s->elaborator->arena, s->text.data + s->parts[bare].start,
                                             s->parts[bare].end - s->parts[bare].start);
    hbg_diagnostics *diagnostics = s->elaborator->lang->diagnostics;
    hbg_diagnostic *told = hbg_base_report(
        diagnostics, HBG_E_UNIT, placed(s, s->parts[bare]),
        "`%s` has no unit and would be in SI, beside `%.*s`, which has one", number, size, part);
    const char *open = memchr(part, '[', (size_t)size);
    hbg_base_report_fix(diagnostics, told, "write the unit after each number: `%s %.*s`", number,
                        open ? (int)(part + size - open) : 0, open ? open : "");
}

/* The numbers become settings, except the spread of logarithms, which has no unit. */
static void add_axis(sentence *s, hbg_axis axis, hbg_experiment *request) {
    hbg_model *model = s->elaborator->model;
    axis.first = request->settings.count;
    for (int32_t i = 0; i < s->count; i++) {
        hbg_setting setting = {.target = {HBG_OBJECT_PARAM, axis.param},
                               .state = HBG_NONE,
                               .value = HBG_NONE,
                               .span = placed(s, s->parts[i])};
        if (!read_part(s, &axis, i, &setting.value)) return;
        if (axis.kind == HBG_AXIS_LOGNORMAL && i == 1) {
            axis.spread = setting.value;
            continue;
        }
        HBG_PUSH(model->arena, request->settings, setting);
        axis.count++;
    }
    HBG_PUSH(model->arena, request->axes, axis);
    check_units(s, &axis, request);
}

static bool is_given(sentence *s, const hbg_experiment *request, int32_t param) {
    bool twice = hbg_base_pair_map_find(&s->elaborator->override_params, 0, param) >= 0;
    for (int32_t i = 0; i < request->axes.count; i++) twice |= request->axes.items[i].param == param;
    const char *name = trimmed(s->elaborator, s->text.data + s->name.start, s->text.data + s->name.end);
    if (twice) report(s, HBG_E_TWICE, s->name, "`%s` is given twice", name);
    return twice;
}

static void read_sentence(hbg_elaborator *elaborator, const char *text, hbg_experiment *request) {
    hbg_lang *lang = elaborator->lang;
    sentence s = {.elaborator = elaborator};
    hbg_axis axis = {.spread = HBG_NONE};
    hbg_base_buffer_init(&s.text, elaborator->arena);
    cut(&s, text);
    s.source = hbg_base_sources_add(lang->sources, "the command line", s.text.data, s.text.size);
    if (s.source < 0 || !hbg_lang_lexer_check_text(lang, &lang->sources->items.items[s.source])) return;
    s.base = lang->sources->items.items[s.source].base;
    axis.span = placed(&s, whole(&s));
    if (!find_kind(&s, &axis.kind) || !find_param(&s, &axis.param)) return;
    if (!is_given(&s, request, axis.param)) add_axis(&s, axis, request);
}

void hbg_lang_elaborate_sweeps(hbg_elaborator *elaborator, const hbg_lang_options *options,
                               hbg_experiment *request) {
    for (int i = 0; i < options->sweep_count; i++)
        if (hbg_lang_elaborate_is_sweep(options->sweeps[i]))
            read_sentence(elaborator, options->sweeps[i], request);
}
