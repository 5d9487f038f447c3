/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parser, automata: states that are on or off, and guarded transitions between them. */
#include "lang/parser_impl.h"

/* transition = "->" NAME ( "when" expression | "after" expression )… ";" */
static void parse_transition(hbg_parser *parser, syntax_state *state) {
    syntax_transition transition = {.span = parser->current.span};
    if (!hbg_lang_parser_expect(parser, TOKEN_ARROW, "and the state to go to")) return;
    transition.target_span = parser->current.span;
    if (!hbg_lang_parser_at(parser, TOKEN_NAME) ||
        hbg_lang_parser_is_reserved(parser, parser->current.name)) {
        hbg_lang_parser_fail(parser, "the state to go to");
        return;
    }
    transition.target = parser->current.name;
    hbg_lang_parser_advance(parser);
    for (;;) {
        if (!transition.guard && hbg_lang_parser_accept_word(parser, WORD_when)) {
            parser->target = transition.target;
            transition.guard = hbg_lang_parser_expression(parser);
            parser->target = 0;
            if (hbg_lang_parser_accept_word(parser, WORD_for))
                transition.held = hbg_lang_parser_expression(parser);
        } else if (!transition.after && hbg_lang_parser_accept_word(parser, WORD_after))
            transition.after = hbg_lang_parser_expression(parser);
        else
            break;
        if (parser->failed) return;
    }
    if (!transition.guard && !transition.after) {
        hbg_diagnostic *report =
            hbg_lang_parser_fail(parser, "`when` and a condition, or `after` and a time");
        if (report)
            hbg_base_report_fix(parser->lang->diagnostics, report, "a transition reads `-> closed when sw;`");
        return;
    }
    transition.span.end = parser->previous.span.end;
    HBG_PUSH(parser->arena, state->transitions, transition);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the transition");
}

/* A state may be mentioned again: `off open -> a when x; off open -> b when y;` are transitions of one state.
 */
static syntax_state *state_named(hbg_parser *parser, syntax_automaton *automaton, const syntax_state *like) {
    int32_t fresh = automaton->states.count;
    int32_t index = hbg_base_pair_map_add(&parser->states, parser->automaton_count, like->name, fresh);
    if (index == fresh) HBG_PUSH(parser->arena, automaton->states, *like);
    syntax_state *state = &automaton->states.items[index];
    if (state->on != like->on) {
        hbg_diagnostic *report = hbg_base_report(parser->lang->diagnostics, HBG_E_AUTOMATON, like->span,
                                                 "state `%s` is both on and off",
                                                 hbg_base_names_get(parser->lang->names, like->name));
        hbg_base_report_note(parser->lang->diagnostics, report, state->span, "declared %s here",
                             state->on ? "on" : "off");
    }
    return state;
}

/* state = ( "on" | "off" ) NAME ( transition | "{" transition… "}" | ";" ) */
static void parse_state(hbg_parser *parser, syntax_automaton *automaton) {
    syntax_state like = {.on = hbg_lang_parser_at_word(parser, WORD_on)};
    hbg_lang_parser_advance(parser);
    like.name = hbg_lang_parser_new_name(parser, "state", &like.span);
    if (like.name == 0) return;
    syntax_segment mention = {like.name, HBG_NONE, like.span, NULL};
    HBG_PUSH(parser->arena, automaton->mentions, mention);
    syntax_state *state = state_named(parser, automaton, &like);
    if (hbg_lang_parser_accept(parser, TOKEN_SEMICOLON)) return;
    hbg_span open = parser->current.span;
    if (!hbg_lang_parser_accept(parser, TOKEN_LEFT_BRACE)) {
        parse_transition(parser, state);
        return;
    }
    while (!hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && !hbg_lang_parser_at(parser, TOKEN_END)) {
        parse_transition(parser, state);
        if (parser->failed) hbg_lang_parser_recover(parser);
    }
    hbg_lang_parser_close(parser, open, "after the transitions of the state");
    hbg_lang_parser_accept(parser, TOKEN_SEMICOLON);
}

static void parse_start(hbg_parser *parser, syntax_automaton *automaton) {
    hbg_lang_parser_advance(parser);
    hbg_span span = parser->current.span;
    if (automaton->start_span.end > 0) {
        hbg_diagnostic *report = hbg_base_report(parser->lang->diagnostics, HBG_E_TWICE, span,
                                                 "the automaton has two start states");
        hbg_base_report_note(parser->lang->diagnostics, report, automaton->start_span,
                             "the first is given here");
    }
    if (!hbg_lang_parser_at(parser, TOKEN_NAME)) {
        hbg_lang_parser_fail(parser, "the state to start in");
        return;
    }
    automaton->start = parser->current.name;
    automaton->start_span = span;
    hbg_lang_parser_advance(parser);
    hbg_lang_parser_expect(parser, TOKEN_SEMICOLON, "after the start state");
}

/* automaton = "automaton" NAME [ "every" expression ] [ doc ] "{" ( "start" NAME ";" | state )… "}" */
void hbg_lang_parser_automaton(hbg_parser *parser, syntax_declaration *declaration) {
    syntax_automaton *automaton = HBG_NEW(parser->arena, syntax_automaton);
    declaration->kind = DECLARE_AUTOMATON;
    declaration->automaton = automaton;
    parser->automaton_count++;
    hbg_lang_parser_advance(parser);
    declaration->name = hbg_lang_parser_new_name(parser, "automaton", &declaration->span);
    declaration->indices = hbg_lang_parser_name_indices(parser);
    if (hbg_lang_parser_accept_word(parser, WORD_every))
        automaton->every = hbg_lang_parser_expression(parser);
    declaration->doc = hbg_lang_parser_doc(parser);
    hbg_span open = parser->current.span;
    parser->automaton = declaration;
    parser->bands.count = 0;
    if (!hbg_lang_parser_expect(parser, TOKEN_LEFT_BRACE, "to begin the automaton")) return;
    while (!hbg_lang_parser_at(parser, TOKEN_RIGHT_BRACE) && !hbg_lang_parser_at(parser, TOKEN_END)) {
        if (hbg_lang_parser_at_word(parser, WORD_start))
            parse_start(parser, automaton);
        else if (hbg_lang_parser_at_word(parser, WORD_on) || hbg_lang_parser_at_word(parser, WORD_off))
            parse_state(parser, automaton);
        else {
            hbg_diagnostic *report = hbg_lang_parser_fail(parser, "a state: `on NAME …` or `off NAME …`");
            if (report)
                hbg_base_report_fix(parser->lang->diagnostics, report, "write `off open -> closed when sw;`");
        }
        if (parser->failed) hbg_lang_parser_recover(parser);
    }
    hbg_lang_parser_close(parser, open, "to end the automaton");
    automaton->body = (hbg_span){open.start, parser->previous.span.end};
}
