/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, declarations: what stands inside a model or component. A statement is recognised by its first one
 * or two tokens; `TYPE NAME` is an element if TYPE is one of the theory, else an instance of a component. */
#include "lang/parser_impl.h"

#include <string.h>

/* Of a wrong statement an editor still gets the name, and what was read before the mistake. */
static void push(hbg_parser *parser, syntax_definition *definition, syntax_declaration declaration) {
    bool kept = !parser->failed || (parser->lang->tolerant && declaration.name != 0);
    if (kept) HBG_PUSH(parser->arena, definition->declarations, declaration);
}

/* ---- parameters and functions ------------------------------------------------------------------------- */

/* NAME [ unit ] [ "in" interval ] [ "=" expression ] [ doc ]; a choice has its interval */
void hbg_lang_parser_param_item(hbg_parser *parser, syntax_definition *definition, bool anew) {
    syntax_declaration declaration = {.kind = DECLARE_PARAM};
    declaration.name = hbg_lang_parser_new_name(parser, anew ? "choice" : "parameter", &declaration.span);
    if (declaration.name == 0) return;
    declaration.indices = hbg_lang_parser_name_indices(parser);
    declaration.unit = hbg_lang_parser_unit(parser);
    if (hbg_lang_parser_accept_word(parser, WORD_in)) {
        syntax_expr *low = hbg_lang_parser_expression(parser);
        declaration.chosen = hbg_lang_parser_interval(parser, low, false, &declaration.param);
        if (declaration.chosen) declaration.chosen->anew = anew;
    } else if (anew) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`in` and the interval that is chosen from");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report,
                                "write `choice NAME in 0.1 .. 0.2 = 0.15;`; what has one value is a `param`");
    }
    if (hbg_lang_parser_accept(parser, TOKEN_ASSIGN)) declaration.param = hbg_lang_parser_expression(parser);
    if (declaration.param && declaration.param->kind == SYNTAX_STRING) declaration.kind = DECLARE_TEXT;
    declaration.doc = hbg_lang_parser_doc(parser);
    declaration.whole = (hbg_span){declaration.span.start, parser->previous.span.end};
    push(parser, definition, declaration);
}

static void parse_params(hbg_parser *parser, syntax_definition *definition, bool anew) {
    hbg_lang_parser_advance(parser);
    do hbg_lang_parser_param_item(parser, definition, anew);
    while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, anew ? "after the choice" : "after the parameter");
}

/* "function" NAME "(" NAME, … ")" "=" [ expression ] ";" */
void hbg_lang_parser_function(hbg_parser *parser, syntax_declaration *declaration) {
    syntax_function *function = HBG_NEW(parser->arena, syntax_function);
    declaration->kind = DECLARE_FUNCTION;
    declaration->function = function;
    hbg_lang_parser_advance(parser);
    declaration->name = hbg_lang_parser_new_name(parser, "function", &declaration->span);
    hbg_lang_parser_expect(parser, TOKEN_LEFT_PAREN, "and the function's arguments");
    while (!parser->failed && !hbg_lang_parser_at(parser, TOKEN_RIGHT_PAREN)) {
        syntax_segment parameter = {.index = HBG_NONE};
        parameter.name = hbg_lang_parser_new_name(parser, "argument", &parameter.span);
        if (parameter.name == 0) return;
        HBG_PUSH(parser->arena, function->parameters, parameter);
        if (!hbg_lang_parser_accept(parser, TOKEN_COMMA)) break;
    }
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the function's arguments");
    if (!parser->failed && !hbg_lang_parser_at(parser, TOKEN_SEMICOLON)) {
        hbg_lang_parser_expect(parser, TOKEN_ASSIGN, "before the function's value");
        if (!hbg_lang_parser_at(parser, TOKEN_SEMICOLON)) function->body = hbg_lang_parser_expression(parser);
    }
    declaration->doc = hbg_lang_parser_doc(parser);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the function");
}

/* ---- elements and instances --------------------------------------------------------------------------- */

/* [ [a, b], [c, d] ] */
static syntax_matrix *parse_matrix(hbg_parser *parser) {
    syntax_matrix *matrix = HBG_NEW(parser->arena, syntax_matrix);
    matrix->span = parser->current.span;
    HBG_VEC(syntax_expr *) entries = {0};
    hbg_lang_parser_advance(parser);
    do {
        if (!hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACKET, "to begin a row of the matrix")) break;
        int32_t before = entries.count;
        do HBG_PUSH(parser->arena, entries, hbg_lang_parser_expression(parser));
        while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
        hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACKET, "after the row");
        if (matrix->rows++ == 0) matrix->columns = entries.count;
        if (entries.count - before != matrix->columns) matrix->ragged = true;
    } while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACKET, "to end the matrix");
    matrix->entries = entries.items;
    matrix->span.end = parser->previous.span.end;
    return matrix;
}

/* `NAME =` or `NAME[k] =`; if it is something else, nothing is consumed. */
static bool parse_argument_name(hbg_parser *parser, syntax_argument *argument) {
    argument->index = HBG_NONE;
    argument->span = parser->current.span;
    if (!hbg_lang_parser_at(parser, TOKEN_NAME)) return false;
    hbg_token_kind next = hbg_lang_parser_peek(parser).kind;
    if (next != TOKEN_ASSIGN && next != TOKEN_LEFT_BRACKET) return false;
    hbg_parser saved = *parser;
    int32_t saved_tokens = parser->file->tokens.count;
    argument->name = parser->current.name;
    hbg_lang_parser_advance(parser);
    if (next == TOKEN_LEFT_BRACKET) argument->index = hbg_lang_parser_index(parser);
    if (hbg_lang_parser_accept(parser, TOKEN_ASSIGN)) return true;
    if (!parser->failed) {
        *parser = saved;
        parser->file->tokens.count = saved_tokens;
    }
    *argument = (syntax_argument){.index = HBG_NONE, .span = argument->span};
    return false;
}

static void parse_arguments(hbg_parser *parser, syntax_arguments *arguments, syntax_matrix **matrix,
                            hbg_span *parentheses) {
    hbg_span open = parser->current.span;
    if (!hbg_lang_parser_accept(parser, TOKEN_LEFT_PAREN)) return;
    while (!parser->failed && !hbg_lang_parser_at(parser, TOKEN_RIGHT_PAREN)) {
        syntax_argument argument = {0};
        if (matrix && !*matrix && arguments->count == 0 && hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) {
            *matrix = parse_matrix(parser);
        } else {
            uint32_t start = parser->current.span.start;
            parse_argument_name(parser, &argument);
            argument.value = hbg_lang_parser_expression(parser);
            if (argument.name == 0) argument.span = argument.value->span;
            argument.whole = (hbg_span){start, parser->previous.span.end};
            HBG_PUSH(parser->arena, *arguments, argument);
        }
        if (!hbg_lang_parser_accept(parser, TOKEN_COMMA)) break;
    }
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the arguments");
    *parentheses = (hbg_span){open.start, parser->previous.span.end};
}

/* ":" VARIABLE [ "[" k "]" ] "=" expression, … */
static void parse_laws(hbg_parser *parser, syntax_element *element) {
    if (!hbg_lang_parser_accept(parser, TOKEN_COLON)) return;
    do {
        syntax_argument law = {0};
        uint32_t start = parser->current.span.start;
        if (!parse_argument_name(parser, &law)) {
            hbg_diagnostic *report = hbg_lang_parser_fail(parser, "a law");
            if (report)
                hbg_base_report_fix(parser->lang->diagnostics, report, "a law reads `e = a*f + b*f^3`");
            return;
        }
        law.value = hbg_lang_parser_expression(parser);
        law.whole = (hbg_span){start, parser->previous.span.end};
        HBG_PUSH(parser->arena, element->laws, law);
    } while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
}

/* `[3]`, or `[n]` where parameters determine the number. */
static void parse_port_count(hbg_parser *parser, syntax_element *element) {
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    hbg_span bracket = parser->current.span;
    syntax_indices *indices;
    int32_t count;
    hbg_lang_parser_indices(parser, &count, &indices);
    if (parser->failed) return;
    if (!info->field) {
        hbg_diagnostic *report =
            hbg_base_report(parser->lang->diagnostics, HBG_E_PORT, bracket,
                            info->ports == 2 ? "the number of ports of a %s cannot be chosen: it has 2"
                                             : "the number of ports of an %s cannot be chosen: it has 1",
                            info->name);
        hbg_base_report_fix(parser->lang->diagnostics, report,
                            "several of them are declared in a loop: `for i in 1 .. n { %s x[i](…); }`",
                            info->text);
    } else if (!indices && (count < 1 || count > HBG_LANG_FIELD_PORTS)) {
        hbg_base_report(parser->lang->diagnostics, HBG_E_PORT, bracket,
                        count < 1 ? "a field has at least 1 port" : "a field has at most %d ports",
                        HBG_LANG_FIELD_PORTS);
    } else if (indices && indices->count > 1) {
        hbg_base_report(parser->lang->diagnostics, HBG_E_PORT, bracket, "a field has one number of ports");
    } else if (indices) {
        element->port_count = indices->items[0];
    } else {
        element->ports = count;
    }
}

static void parse_element(hbg_parser *parser, syntax_definition *definition, hbg_element_kind form) {
    syntax_declaration declaration = {.kind = DECLARE_ELEMENT};
    syntax_element *element = HBG_NEW(parser->arena, syntax_element);
    const hbg_element_info *info = hbg_model_element_info_get(form);
    declaration.element = element;
    element->form = form;
    element->ports = info->ports;
    hbg_lang_parser_advance(parser);
    declaration.name = hbg_lang_parser_new_name(parser, info->name, &declaration.span);
    declaration.indices = hbg_lang_parser_name_indices(parser);
    if (hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) parse_port_count(parser, element);
    parse_arguments(parser, &element->arguments, &element->matrix, &element->parentheses);
    parse_laws(parser, element);
    hbg_lang_parser_place(parser, &declaration);
    declaration.doc = hbg_lang_parser_doc(parser);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the element");
    push(parser, definition, declaration);
}

/* `automatn pwm {`: a slip in a word that a block follows. */
static const char *block_word_near(hbg_parser *parser, hbg_name name) {
    static const char *const words[] = {"automaton", "experiment", "verify"};
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, hbg_base_names_get(parser->lang->names, name));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hbg_base_nearest_offer(&nearest, words[i]);
    return nearest.best;
}

static void parse_instance(hbg_parser *parser, syntax_definition *definition) {
    syntax_declaration declaration = {.kind = DECLARE_INSTANCE};
    syntax_instance *instance = HBG_NEW(parser->arena, syntax_instance);
    declaration.instance = instance;
    instance->component = parser->current.name;
    instance->component_span = parser->current.span;
    hbg_lang_parser_advance(parser);
    declaration.name = hbg_lang_parser_new_name(parser, "component", &declaration.span);
    declaration.indices = hbg_lang_parser_name_indices(parser);
    if (!parser->failed && hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) {
        definition->structural = true;
        hbg_lang_parser_advance(parser);
        instance->count = hbg_lang_parser_expression(parser);
        hbg_lang_parser_expect(parser, TOKEN_RIGHT_BRACKET, "after the size of the array");
    }
    parse_arguments(parser, &instance->arguments, NULL, &instance->parentheses);
    hbg_lang_parser_place(parser, &declaration);
    declaration.doc = hbg_lang_parser_doc(parser);
    parser->kind_near =
        hbg_lang_parser_at(parser, TOKEN_LEFT_BRACE) ? block_word_near(parser, instance->component) : NULL;
    parser->kind_span = instance->component_span;
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the component");
    push(parser, definition, declaration);
}

/* ---- junctions ---------------------------------------------------------------------------------------- */

static void parse_off(hbg_parser *parser, syntax_junction *junction) {
    bool zero = junction->kind == HBG_KIND_ZERO;
    if (hbg_lang_parser_at_word(parser, WORD_flow))
        junction->dual_off = zero;
    else if (hbg_lang_parser_at_word(parser, WORD_effort))
        junction->dual_off = !zero;
    else {
        hbg_lang_parser_fail(parser, "`effort` or `flow`: what is zero while the junction is off");
        return;
    }
    hbg_lang_parser_advance(parser);
}

/* "restitution" ( expression | interval | "loss" ( expression | interval ) ) */
static void parse_restitution(hbg_parser *parser, syntax_junction *junction) {
    bool loss = hbg_lang_parser_at_loss(parser);
    if (loss) hbg_lang_parser_advance(parser);
    junction->restitution = hbg_lang_parser_expression(parser);
    if (loss || hbg_lang_parser_at(parser, TOKEN_RANGE))
        junction->chosen =
            hbg_lang_parser_interval(parser, junction->restitution, loss, &junction->restitution);
}

/* `0 n[3]`, which would be an array of a component. */
static void refuse_count(hbg_parser *parser, hbg_element_kind kind, bool is_switch) {
    hbg_span bracket = parser->current.span;
    syntax_indices *indices;
    int32_t count;
    hbg_lang_parser_indices(parser, &count, &indices);
    if (parser->failed) return;
    hbg_diagnostic *report = hbg_base_report(parser->lang->diagnostics, HBG_E_PORT, bracket,
                                             "a %s stands for itself alone: only components make arrays",
                                             is_switch ? "switch" : "junction");
    hbg_base_report_fix(parser->lang->diagnostics, report,
                        "several of them are declared in a loop: `for i in 1 .. n { %s x[i]%s; }`",
                        is_switch               ? "Sw"
                        : kind == HBG_KIND_ZERO ? "0"
                                                : "1",
                        is_switch ? " when …" : "");
}

/* ( "0" | "1" | "Sw" ) NAME [ "when" expression ] [ "off" ( "effort" | "flow" ) ] [ restitution ] */
static void parse_junction(hbg_parser *parser, syntax_definition *definition, hbg_element_kind kind,
                           bool is_switch) {
    syntax_declaration declaration = {.kind = DECLARE_JUNCTION};
    syntax_junction *junction = HBG_NEW(parser->arena, syntax_junction);
    declaration.junction = junction;
    junction->kind = kind;
    junction->is_switch = is_switch;
    hbg_lang_parser_advance(parser);
    declaration.name = hbg_lang_parser_new_name(parser, is_switch ? "switch" : "junction", &declaration.span);
    declaration.indices = hbg_lang_parser_name_indices(parser);
    if (hbg_lang_parser_at(parser, TOKEN_LEFT_BRACKET)) refuse_count(parser, kind, is_switch);
    for (bool more = true; more && !parser->failed;) {
        if (!junction->control && hbg_lang_parser_accept_word(parser, WORD_when))
            junction->control = hbg_lang_parser_expression(parser);
        else if (!is_switch && hbg_lang_parser_accept_word(parser, WORD_off))
            parse_off(parser, junction);
        else if (!is_switch && !junction->restitution &&
                 hbg_lang_parser_accept_word(parser, WORD_restitution))
            parse_restitution(parser, junction);
        else
            more = false;
    }
    if (is_switch && !junction->control) hbg_lang_parser_fail(parser, "`when` and what closes the switch");
    hbg_lang_parser_place(parser, &declaration);
    declaration.doc = hbg_lang_parser_doc(parser);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, is_switch ? "after the switch" : "after the junction");
    push(parser, definition, declaration);
}

/* A statement that starts with a number is a junction. */
static void parse_numbered(hbg_parser *parser, syntax_definition *definition) {
    hbg_span span = parser->current.span;
    char digit = parser->lexer.text[span.start - parser->lexer.base];
    if (span.end - span.start == 1 && (digit == '0' || digit == '1')) {
        parse_junction(parser, definition, digit == '0' ? HBG_KIND_ZERO : HBG_KIND_ONE, false);
        return;
    }
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "a declaration");
    if (report)
        hbg_base_report_fix(parser->lang->diagnostics, report,
                            "junctions are declared `0 node;` or `1 loop;`");
}

/* ---- bonds -------------------------------------------------------------------------------------------- */

/* `s <- r`, a bond that is written from its end. */
static bool advise_turned(hbg_parser *parser, hbg_diagnostic *report) {
    const char *text = parser->lexer.text;
    uint32_t base = parser->lexer.base, arrow = parser->current.span.start - base;
    if (parser->ends.count != 1 || strncmp(text + arrow, "<-", 2) != 0) return false;
    const char *from = text + arrow + 2;
    from += strspn(from, " \t");
    size_t size = strcspn(from, " \t\r\n;<-@\"/");
    hbg_span to = hbg_lang_path_span(&parser->ends.items[0]);
    if (size == 0) return false;
    hbg_base_report_fix(parser->lang->diagnostics, report, "turn it round: `%.*s -> %.*s`", (int)size, from,
                        (int)(to.end - to.start), text + (to.start - base));
    return true;
}

/* With the ends read so far. */
static void push_chain(hbg_parser *parser, syntax_definition *definition, syntax_declaration declaration) {
    int32_t count = parser->ends.count;
    syntax_chain *chain = HBG_NEW(parser->arena, syntax_chain);
    *chain = (syntax_chain){HBG_NEW_ARRAY(parser->arena, syntax_path, count), count};
    memcpy(chain->ends, parser->ends.items, (size_t)count * sizeof *chain->ends);
    declaration.chain = chain;
    HBG_PUSH(parser->arena, definition->declarations, declaration);
}

/* `NAME :`, in a loop also `NAME [ … ] :` */
static bool is_named_bond(hbg_parser *parser) {
    hbg_lexer ahead = parser->lexer;
    ahead.quiet = true;
    hbg_token token = hbg_lang_lexer_next(&ahead);
    while (parser->loops.count > 0 && token.kind == TOKEN_LEFT_BRACKET) {
        for (int depth = 1; depth > 0;) {
            token = hbg_lang_lexer_next(&ahead);
            if (token.kind == TOKEN_END || token.kind == TOKEN_SEMICOLON) return false;
            depth += (token.kind == TOKEN_LEFT_BRACKET) - (token.kind == TOKEN_RIGHT_BRACKET);
        }
        token = hbg_lang_lexer_next(&ahead);
    }
    return token.kind == TOKEN_COLON;
}

/* [ NAME ":" ] path "->" path { "->" path } ";" */
static void parse_chain(hbg_parser *parser, syntax_definition *definition) {
    syntax_declaration declaration = {.kind = DECLARE_CHAIN, .span = parser->current.span};
    if (is_named_bond(parser)) {
        declaration.name = hbg_lang_parser_new_name(parser, "bond", &declaration.span);
        declaration.indices = hbg_lang_parser_name_indices(parser);
        hbg_lang_parser_expect(parser, TOKEN_COLON, "after the name of the bond");
    }
    parser->ends.count = 0;
    do {
        syntax_path end = {0};
        if (!hbg_lang_parser_path(parser, &end)) break;
        HBG_PUSH(parser->arena, parser->ends, end);
    } while (hbg_lang_parser_accept(parser, TOKEN_ARROW));
    int32_t count = parser->ends.count;
    if (parser->failed) {
        if (count > 0 && parser->lang->tolerant) push_chain(parser, definition, declaration);
        return;
    }
    if (count < 2) {
        if (parser->lang->tolerant) push_chain(parser, definition, declaration);
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`->` and what the bond leads to");
        if (report && !advise_turned(parser, report))
            hbg_base_report_fix(parser->lang->diagnostics, report,
                                "a bond reads `supply -> node;`, an element `R series(330 [Ohm]);`");
        return;
    }
    if (declaration.name != 0 && count > 2) {
        hbg_base_report(parser->lang->diagnostics, HBG_E_BOND, declaration.span,
                        "a name belongs to one bond, but this chain has %d", count - 1);
        declaration.name = 0;
    }
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the bond");
    if (!parser->failed || parser->lang->tolerant) push_chain(parser, definition, declaration);
}

/* ---- signals ------------------------------------------------------------------------------------------ */

static bool parse_type(hbg_parser *parser, hbg_type *type) {
    if (hbg_lang_parser_accept_word(parser, WORD_real))
        *type = HBG_TYPE_REAL;
    else if (hbg_lang_parser_accept_word(parser, WORD_bool))
        *type = HBG_TYPE_BOOL;
    else if (hbg_lang_parser_accept_word(parser, WORD_event))
        *type = HBG_TYPE_EVENT;
    else
        return false;
    return true;
}

/* What follows the name: a state has `= initial : der = value`, a sample `every T = value`, the others `=
 * value`. */
/* [ "in" unit ] */
static void parse_display(hbg_parser *parser, syntax_signal *signal) {
    if (parser->failed || !hbg_lang_parser_accept_word(parser, WORD_in)) return;
    signal->display = hbg_lang_parser_unit(parser);
    if (!parser->failed && signal->display.end == 0)
        hbg_lang_parser_fail(parser, "a unit in brackets, as in `in [degC]`");
}

static void parse_signal_value(hbg_parser *parser, syntax_signal *signal) {
    if (signal->kind == HBG_SIGNAL_SAMPLE) {
        if (!hbg_lang_parser_accept_word(parser, WORD_every))
            hbg_lang_parser_fail(parser, "`every` and the sample period");
        if (!parser->failed) signal->every = hbg_lang_parser_expression(parser);
    }
    if (signal->kind == HBG_SIGNAL_INPUT && !hbg_lang_parser_at(parser, TOKEN_ASSIGN)) return;
    if (!hbg_lang_parser_expect(parser, TOKEN_ASSIGN, "and the value")) return;
    signal->value = hbg_lang_parser_expression(parser);
    if (signal->kind == HBG_SIGNAL_STATE) {
        signal->initial = signal->value;
        hbg_lang_parser_expect(parser, TOKEN_COLON, "and the derivative: `: der = …`");
        if (!parser->failed && !hbg_lang_parser_accept_word(parser, WORD_der))
            hbg_lang_parser_fail(parser, "`der = …`");
        hbg_lang_parser_expect(parser, TOKEN_ASSIGN, "and the derivative");
        if (!parser->failed) signal->value = hbg_lang_parser_expression(parser);
    }
    if (signal->kind == HBG_SIGNAL_OUTPUT) parse_display(parser, signal);
    if (signal->kind != HBG_SIGNAL_SENSOR) return;
    if (hbg_lang_parser_accept_word(parser, WORD_every)) signal->every = hbg_lang_parser_expression(parser);
    if (signal->every == NULL && hbg_lang_parser_at_word(parser, WORD_noise)) {
        hbg_diagnostic *report =
            hbg_base_report(parser->lang->diagnostics, HBG_E_SYNTAX, parser->current.span,
                            "white noise has samples: a sensor with noise needs a period");
        hbg_base_report_fix(parser->lang->diagnostics, report, "write `every 1 [ms]` before `noise`");
    }
    if (!hbg_lang_parser_accept_word(parser, WORD_noise)) return;
    hbg_lang_parser_expect(parser, TOKEN_LEFT_PAREN, "and the mean of the noise");
    signal->noise_mean = hbg_lang_parser_expression(parser);
    hbg_lang_parser_expect(parser, TOKEN_COMMA, "between mean and variance");
    signal->noise_variance = hbg_lang_parser_expression(parser);
    hbg_lang_parser_expect(parser, TOKEN_RIGHT_PAREN, "after the variance");
}

static void parse_signals(hbg_parser *parser, syntax_definition *definition, hbg_signal_kind kind) {
    static const char *const kind_texts[] = {
#define X(id, text) text,
        HBG_SIGNAL_LIST(X)
#undef X
    };
    hbg_lang_parser_advance(parser);
    hbg_type type = HBG_TYPE_REAL;
    bool typed = kind == HBG_SIGNAL_INPUT && hbg_lang_parser_peek(parser).kind == TOKEN_NAME &&
                 parse_type(parser, &type);
    if (kind == HBG_SIGNAL_INPUT && !typed && hbg_lang_parser_peek(parser).kind == TOKEN_NAME) {
        hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`real`, `bool` or `event`");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report, "an input reads `input bool sw = false;`");
        return;
    }
    do {
        syntax_declaration declaration = {.kind = DECLARE_SIGNAL};
        declaration.signal = HBG_NEW(parser->arena, syntax_signal);
        declaration.signal->kind = kind;
        declaration.signal->type = type;
        declaration.name = hbg_lang_parser_new_name(parser, kind_texts[kind], &declaration.span);
        if (declaration.name == 0) return;
        declaration.indices = hbg_lang_parser_name_indices(parser);
        declaration.unit = hbg_lang_parser_unit(parser);
        parse_signal_value(parser, declaration.signal);
        declaration.doc = hbg_lang_parser_doc(parser);
        declaration.whole = (hbg_span){declaration.span.start, parser->previous.span.end};
        push(parser, definition, declaration);
    } while (!parser->failed && hbg_lang_parser_accept(parser, TOKEN_COMMA));
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the declaration");
}

/* ---- ports -------------------------------------------------------------------------------------------- */

/* `port in a : electrical`: a direction belongs to signals, power may flow both ways. */
static void refuse_type(hbg_parser *parser, const syntax_declaration *declaration) {
    hbg_name type = parser->current.kind == TOKEN_NAME ? parser->current.name : 0;
    hbg_diagnostic *report = hbg_lang_parser_fail(parser, "`real`, `bool` or `event`");
    const char *domain = type ? hbg_base_names_get(parser->lang->names, type) : "";
    if (report && hbg_model_domain_find(domain, strlen(domain)) != HBG_DOMAIN_COUNT)
        hbg_base_report_fix(parser->lang->diagnostics, report,
                            "a port for power has no direction: `port %s : %s`",
                            hbg_base_names_get(parser->lang->names, declaration->name), domain);
}

/* "port" "in" NAME [ unit ] [ ":" type ] [ "=" default ]   or   "port" "out" NAME [ unit ] "=" expression */
static void parse_signal_port(hbg_parser *parser, syntax_declaration *declaration,
                              syntax_port_direction direction) {
    syntax_signal *signal = HBG_NEW(parser->arena, syntax_signal);
    declaration->kind = DECLARE_SIGNAL;
    declaration->signal = signal;
    signal->kind = HBG_SIGNAL_SIGNAL;
    signal->direction = direction;
    hbg_lang_parser_advance(parser);
    declaration->name = hbg_lang_parser_new_name(parser, "port", &declaration->span);
    declaration->indices = hbg_lang_parser_name_indices(parser);
    declaration->unit = hbg_lang_parser_unit(parser);
    if (hbg_lang_parser_accept(parser, TOKEN_COLON)) {
        if (!parse_type(parser, &signal->type)) refuse_type(parser, declaration);
        if (declaration->unit.end == 0) declaration->unit = hbg_lang_parser_unit(parser);
    }
    if (direction == PORT_OUT || hbg_lang_parser_at(parser, TOKEN_ASSIGN)) {
        hbg_lang_parser_expect(parser, TOKEN_ASSIGN, "and the value of the port");
        if (!parser->failed) signal->value = hbg_lang_parser_expression(parser);
    }
}

static void parse_port(hbg_parser *parser, syntax_definition *definition) {
    syntax_declaration declaration = {.kind = DECLARE_PORT};
    hbg_lang_parser_advance(parser);
    bool directed = hbg_lang_parser_peek(parser).kind == TOKEN_NAME;
    if (directed && hbg_lang_parser_at_word(parser, WORD_in)) {
        parse_signal_port(parser, &declaration, PORT_IN);
    } else if (directed && hbg_lang_parser_at_word(parser, WORD_out)) {
        parse_signal_port(parser, &declaration, PORT_OUT);
    } else {
        declaration.name = hbg_lang_parser_new_name(parser, "port", &declaration.span);
        declaration.indices = hbg_lang_parser_name_indices(parser);
        hbg_lang_parser_expect(parser, TOKEN_COLON, "and the domain of the port");
        declaration.domain = (syntax_segment){parser->current.name, HBG_NONE, parser->current.span, NULL};
        if (!parser->failed && !hbg_lang_parser_accept(parser, TOKEN_NAME))
            hbg_lang_parser_fail(parser, "a domain such as `electrical`");
    }
    declaration.doc = hbg_lang_parser_doc(parser);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the port");
    push(parser, definition, declaration);
}

/* ---- statements --------------------------------------------------------------------------------------- */

/* `TYPE NAME …`: an element of the theory, a switch, or an instance. */
static void parse_typed(hbg_parser *parser, syntax_definition *definition) {
    const char *type = hbg_base_names_get(parser->lang->names, parser->current.name);
    if (hbg_lang_parser_at_word(parser, WORD_Sw)) {
        parse_junction(parser, definition, HBG_KIND_ONE, true);
        return;
    }
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        if (strcmp(hbg_model_element_info_get(form)->text, type) != 0) continue;
        parse_element(parser, definition, form);
        return;
    }
    parse_instance(parser, definition);
}

/* For what belongs to the whole model. */
static bool at_outer_word(const hbg_parser *parser) {
    return hbg_lang_parser_at_word(parser, WORD_function) ||
           hbg_lang_parser_at_word(parser, WORD_experiment) || hbg_lang_parser_at_word(parser, WORD_verify);
}

static bool parse_keyword(hbg_parser *parser, syntax_definition *definition) {
    static const hbg_word signal_words[] = {WORD_signal, WORD_state,  WORD_sample,
                                            WORD_input,  WORD_sensor, WORD_output};
    for (int kind = 0; kind < HBG_SIGNAL_KIND_COUNT; kind++) {
        if (!hbg_lang_parser_at_word(parser, signal_words[kind])) continue;
        parse_signals(parser, definition, kind);
        return true;
    }
    syntax_declaration declaration = {0};
    if (hbg_lang_parser_at_word(parser, WORD_param)) {
        parse_params(parser, definition, false);
    } else if (hbg_lang_parser_at_word(parser, WORD_choice) &&
               hbg_lang_parser_peek(parser).kind == TOKEN_NAME) {
        parse_params(parser, definition, true);
    } else if (hbg_lang_parser_at_word(parser, WORD_port)) {
        parse_port(parser, definition);
    } else if (at_outer_word(parser) && hbg_lang_parser_refuse_in_block(parser)) {
        return true;
    } else if (hbg_lang_parser_at_word(parser, WORD_function)) {
        hbg_lang_parser_function(parser, &declaration);
        push(parser, definition, declaration);
    } else if (hbg_lang_parser_at_word(parser, WORD_automaton)) {
        hbg_lang_parser_automaton(parser, &declaration);
        push(parser, definition, declaration);
        hbg_lang_parser_bands(parser, definition, &declaration);
        if (!parser->failed) hbg_lang_parser_timers(parser, definition, &declaration);
    } else if (hbg_lang_parser_at_word(parser, WORD_experiment)) {
        hbg_lang_parser_experiment(parser, definition);
    } else if (hbg_lang_parser_at_word(parser, WORD_verify)) {
        hbg_lang_parser_verify(parser, definition);
    } else {
        return false;
    }
    return true;
}

static void parse_statement(hbg_parser *parser, syntax_definition *definition) {
    if (hbg_lang_parser_at(parser, TOKEN_NUMBER)) {
        parse_numbered(parser, definition);
    } else if (!hbg_lang_parser_at(parser, TOKEN_NAME)) {
        hbg_lang_parser_fail(parser, "a declaration, a bond or `}`");
    } else if (hbg_lang_parser_at_block(parser)) {
        hbg_lang_parser_block(parser, definition);
    } else if (!parse_keyword(parser, definition)) {
        if (hbg_lang_parser_peek(parser).kind == TOKEN_NAME)
            parse_typed(parser, definition);
        else
            parse_chain(parser, definition);
    }
}

void hbg_lang_parser_body(hbg_parser *parser, syntax_definition *definition) {
    while (!hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && !hbg_lang_parser_at(parser, TOKEN_END)) {
        if (hbg_lang_parser_accept(parser, TOKEN_SEMICOLON)) continue;
        int32_t first = definition->declarations.count;
        uint32_t start = parser->current.span.start;
        parse_statement(parser, definition);
        if (parser->failed) hbg_lang_parser_recover(parser);
        for (int32_t i = first; i < definition->declarations.count; i++) {
            syntax_declaration *declaration = &definition->declarations.items[i];
            declaration->statement = (hbg_span){start, parser->previous.span.end};
            if (declaration->whole.end == 0) declaration->whole = declaration->statement;
        }
    }
}
