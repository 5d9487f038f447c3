/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, experiments, fault sentences and verify blocks. */
#include "lang/parser_impl.h"

#include <string.h>

static bool said_twice(hbg_parser *parser, hbg_span first, hbg_span second, const char *what) {
    if (first.end == 0) return false;
    hbg_diagnostic *report =
        hbg_base_report(parser->lang->diagnostics, HBG_E_TWICE, second, "the experiment has two %s", what);
    hbg_base_report_note(parser->lang->diagnostics, report, first, "the first is here");
    return true;
}

static void parse_stop(hbg_parser *parser, syntax_experiment *experiment) {
    hbg_span span = parser->current.span;
    said_twice(parser, experiment->stop_span, span, "stop times");
    experiment->stop_span = span;
    hbg_lang_parser_advance(parser);
    experiment->stop = hbg_lang_parser_expression(parser);
}

static hbg_solver find_solver(const char *name) {
    static const char *const texts[HBG_SOLVER_COUNT] = {
#define X(id, text, fixed) text,
        HBG_SOLVER_LIST(X)
#undef X
    };
    for (int i = 0; i < HBG_SOLVER_COUNT; i++)
        if (strcmp(texts[i], name) == 0) return i;
    return HBG_SOLVER_COUNT;
}

static void parse_solver(hbg_parser *parser, syntax_experiment *experiment) {
    said_twice(parser, experiment->solver_span, parser->current.span, "solvers");
    experiment->solver_span = parser->current.span;
    hbg_lang_parser_advance(parser);
    const char *name = hbg_lang_parser_at(parser, TOKEN_NAME)
                           ? hbg_base_names_get(parser->lang->names, parser->current.name)
                           : "";
    experiment->solver = find_solver(name);
    if (experiment->solver == HBG_SOLVER_COUNT) {
        experiment->solver = HBG_SOLVER_AUTO;
#define X(id, text, fixed) " `" text "`"
        hbg_lang_parser_fail(parser, "a solver:" HBG_SOLVER_LIST(X));
#undef X
        return;
    }
    hbg_lang_parser_advance(parser);
    if (hbg_lang_parser_accept_word(parser, WORD_step)) experiment->step = hbg_lang_parser_expression(parser);
}

static void parse_tolerance(hbg_parser *parser, syntax_experiment *experiment) {
    hbg_span span = parser->current.span;
    said_twice(parser, experiment->tolerance ? experiment->tolerance->span : (hbg_span){0, 0}, span,
               "tolerances");
    hbg_lang_parser_advance(parser);
    experiment->tolerance = hbg_lang_parser_expression(parser);
}

static void parse_settings(hbg_parser *parser, syntax_experiment *experiment) {
    hbg_lang_parser_advance(parser);
    do {
        syntax_setting setting = {0};
        if (!hbg_lang_parser_path(parser, &setting.target)) return;
        if (!hbg_lang_parser_expect(parser, TOKEN_ASSIGN, "and the value to set")) return;
        setting.value = hbg_lang_parser_expression(parser);
        HBG_PUSH(parser->arena, experiment->settings, setting);
    } while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
}

/* "at" expression ":" path [ "=" expression ] { "," … } */
static void parse_at(hbg_parser *parser, syntax_experiment *experiment) {
    hbg_lang_parser_advance(parser);
    syntax_expr *time = hbg_lang_parser_expression(parser);
    if (!hbg_lang_parser_expect(parser, TOKEN_COLON, "after the time")) return;
    do {
        syntax_action action = {.time = time};
        if (!hbg_lang_parser_path(parser, &action.target)) return;
        if (hbg_lang_parser_accept(parser, TOKEN_ASSIGN)) action.value = hbg_lang_parser_expression(parser);
        HBG_PUSH(parser->arena, experiment->actions, action);
    } while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
}

bool hbg_lang_parser_fault_kind(hbg_parser *parser, syntax_fault *fault) {
    hbg_nearest nearest;
    fault->kind_span = parser->current.span;
    const char *word = hbg_lang_parser_at(parser, TOKEN_NAME)
                           ? hbg_base_names_get(parser->lang->names, parser->current.name)
                           : "";
    hbg_base_nearest_init(&nearest, word);
    for (int i = 0; i < HBG_FAULT_COUNT; i++) {
        hbg_base_nearest_offer(&nearest, hbg_model_fault_kind_text(i));
        if (strcmp(hbg_model_fault_kind_text(i), word) != 0) continue;
        fault->kind = i;
        hbg_lang_parser_advance(parser);
        return true;
    }
#define X(id, text, effect, value, automaton, sensor) " `" text "`"
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "the kind of fault:" HBG_FAULT_LIST(X));
#undef X
    if (report && nearest.best)
        hbg_base_report_meant(parser->lang->diagnostics, report, fault->kind_span, nearest.best);
    return false;
}

void hbg_lang_parser_fault_value(hbg_parser *parser, syntax_fault *fault, bool in_parentheses) {
    bool noise = hbg_model_fault_info_get(fault->kind)->effect == HBG_EFFECT_SHAKES;
    bool parentheses = noise && (in_parentheses || hbg_lang_parser_at(parser, TOKEN_LEFT_PAREN));
    if (parentheses) hbg_lang_parser_expect(parser, TOKEN_LEFT_PAREN, "and the mean of the noise");
    fault->value = hbg_lang_parser_expression(parser);
    if (!noise) return;
    hbg_lang_parser_expect(parser, TOKEN_COMMA, "between mean and variance");
    fault->value2 = hbg_lang_parser_expression(parser);
    if (parentheses) hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the variance");
}

/* "at" expression [ "until" expression ] ":" path KIND value */
void hbg_lang_parser_fault(hbg_parser *parser, syntax_fault *fault) {
    fault->span = parser->current.span;
    if (!hbg_lang_parser_accept_word(parser, WORD_at)) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`at` and the time of the fault");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report,
                                "write `fault at 3 [s]: bulb.R abrupt -30 [%%];`");
        return;
    }
    fault->at = hbg_lang_parser_expression(parser);
    if (hbg_lang_parser_accept_word(parser, WORD_until)) fault->until = hbg_lang_parser_expression(parser);
    if (!hbg_lang_parser_expect(parser, TOKEN_COLON, "after the time")) return;
    if (!hbg_lang_parser_path(parser, &fault->target) || !hbg_lang_parser_fault_kind(parser, fault)) return;
    hbg_lang_parser_fault_value(parser, fault, true);
    fault->span.end = parser->previous.span.end;
}

/* "fault", and the rest */
static void parse_fault(hbg_parser *parser, syntax_experiment *experiment) {
    syntax_fault fault = {0};
    hbg_span span = parser->current.span;
    hbg_lang_parser_advance(parser);
    hbg_lang_parser_fault(parser, &fault);
    fault.span.start = span.start;
    if (!parser->failed) HBG_PUSH(parser->arena, experiment->faults, fault);
}

static void parse_record(hbg_parser *parser, syntax_experiment *experiment, bool plot) {
    hbg_lang_parser_advance(parser);
    do {
        syntax_expr *expr = hbg_lang_parser_expression(parser);
        if (plot)
            HBG_PUSH(parser->arena, experiment->plots, expr);
        else
            HBG_PUSH(parser->arena, experiment->records, expr);
    } while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
    if (!plot && hbg_lang_parser_accept_word(parser, WORD_every))
        experiment->record_every = hbg_lang_parser_expression(parser);
}

static void parse_experiment_statement(hbg_parser *parser, syntax_experiment *experiment) {
    if (hbg_lang_parser_at_word(parser, WORD_stop))
        parse_stop(parser, experiment);
    else if (hbg_lang_parser_at_word(parser, WORD_solver))
        parse_solver(parser, experiment);
    else if (hbg_lang_parser_at_word(parser, WORD_tolerance))
        parse_tolerance(parser, experiment);
    else if (hbg_lang_parser_at_word(parser, WORD_set))
        parse_settings(parser, experiment);
    else if (hbg_lang_parser_at_word(parser, WORD_at))
        parse_at(parser, experiment);
    else if (hbg_lang_parser_at_word(parser, WORD_fault))
        parse_fault(parser, experiment);
    else if (hbg_lang_parser_at_word(parser, WORD_record))
        parse_record(parser, experiment, false);
    else if (hbg_lang_parser_at_word(parser, WORD_plot))
        parse_record(parser, experiment, true);
    else
        hbg_lang_parser_fail(parser,
                             "`stop`, `solver`, `tolerance`, `set`, `at`, `fault`, `record` or `plot`");
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the sentence");
}

void hbg_lang_parser_experiment(hbg_parser *parser, syntax_definition *definition) {
    syntax_experiment experiment = {.solver = HBG_SOLVER_AUTO, .statement = parser->current.span};
    hbg_lang_parser_advance(parser);
    experiment.name = hbg_lang_parser_new_name(parser, "experiment", &experiment.span);
    experiment.doc = hbg_lang_parser_doc(parser);
    hbg_span open = parser->current.span;
    if (!hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACE, "to begin the experiment")) return;
    while (!hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && !hbg_lang_parser_at(parser, TOKEN_END)) {
        hbg_span sentence = parser->current.span;
        parse_experiment_statement(parser, &experiment);
        if (parser->failed) hbg_lang_parser_recover(parser);
        sentence.end = parser->previous.span.end;
        HBG_PUSH(parser->arena, experiment.sentences, sentence);
    }
    hbg_lang_parser_close(parser, open, "to end the experiment");
    experiment.body = (hbg_span){open.start, parser->previous.span.end};
    experiment.statement.end = parser->previous.span.end;
    if (!definition->is_model)
        hbg_base_report(parser->lang->diagnostics, HBG_E_SYNTAX, experiment.span,
                        "an experiment stands in a model, not in a component");
    HBG_PUSH(parser->arena, definition->experiments, experiment);
}

/* ---- verify ------------------------------------------------------------------------------------------- */

/* "range" expression "in" "[" expression "," expression "]" */
static void parse_range(hbg_parser *parser, syntax_definition *definition) {
    syntax_range range = {.span = parser->current.span};
    hbg_lang_parser_advance(parser);
    range.value = hbg_lang_parser_expression(parser);
    if (!parser->failed && !hbg_lang_parser_accept_word(parser, WORD_in))
        hbg_lang_parser_fail(parser, "`in` and the range");
    hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACKET, "to begin the range");
    if (!parser->failed) range.low = hbg_lang_parser_expression(parser);
    hbg_lang_parser_expect(parser, TOKEN_COMMA, "between the two ends of the range");
    if (!parser->failed) range.high = hbg_lang_parser_expression(parser);
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACKET, "to end the range");
    range.span.end = parser->previous.span.end;
    if (!parser->failed) HBG_PUSH(parser->arena, definition->ranges, range);
}

/* "always" ( condition | "lost" "(" junction ")" ( "<=" | "<" ) energy ) */
static void parse_always(hbg_parser *parser, syntax_definition *definition) {
    syntax_always always = {.span = parser->current.span};
    hbg_lang_parser_advance(parser);
    if (hbg_lang_parser_at_word(parser, WORD_lost) && hbg_lang_parser_peek(parser).kind == TOKEN_LEFT_PAREN) {
        hbg_lang_parser_advance(parser);
        hbg_lang_parser_advance(parser);
        always.lost = HBG_NEW(parser->arena, syntax_expr);
        always.lost->kind = SYNTAX_PATH;
        always.lost->span = parser->current.span;
        if (!hbg_lang_parser_path(parser, &always.lost->path)) return;
        hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the junction");
        always.strict = hbg_lang_parser_at(parser, TOKEN_LESS);
        if (!parser->failed && !always.strict && !hbg_lang_parser_at(parser, TOKEN_LESS_EQUAL)) {
            hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`<=` and the most that may be lost");
            if (report)
                hbg_base_report_fix(parser->lang->diagnostics, report,
                                    "write `always lost(contact) <= 3 [mJ];`");
            return;
        }
        hbg_lang_parser_advance(parser);
    }
    if (!parser->failed) always.value = hbg_lang_parser_expression(parser);
    always.span.end = parser->previous.span.end;
    if (!parser->failed) HBG_PUSH(parser->arena, definition->always, always);
}

void hbg_lang_parser_verify(hbg_parser *parser, syntax_definition *definition) {
    hbg_span span = parser->current.span;
    hbg_lang_parser_advance(parser);
    hbg_span open = parser->current.span;
    if (!hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACE, "to begin the block")) return;
    while (!hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && !hbg_lang_parser_at(parser, TOKEN_END)) {
        if (hbg_lang_parser_at_word(parser, WORD_range)) {
            parse_range(parser, definition);
        } else if (hbg_lang_parser_accept_word(parser, WORD_assume)) {
            syntax_expr *assumption = hbg_lang_parser_expression(parser);
            HBG_PUSH(parser->arena, definition->assumptions, assumption);
        } else if (hbg_lang_parser_at_word(parser, WORD_always)) {
            parse_always(parser, definition);
        } else {
            hbg_lang_parser_fail(parser, "`range`, `assume` or `always`");
        }
        hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the sentence");
        if (parser->failed) hbg_lang_parser_recover(parser);
    }
    hbg_lang_parser_close(parser, open, "to end the block");
    if (!definition->is_model)
        hbg_base_report(parser->lang->diagnostics, HBG_E_SYNTAX, span,
                        "a verify block stands in a model, not in a component");
}
