/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * `off open -> closed when c for 50 [ms]`: a transition that waits until its condition has held for a while.
 * A separate automaton, `NAME.held`, measures the wait, and the transition follows it:
 *     off idle -> timing when NAME.open && c;
 *     off timing { -> idle when !(NAME.open && c); -> over after 50 [ms]; }
 *     on over -> idle when !(NAME.open && c);
 * So it is switched, drawn, proved and explained like any other. */
#include "lang/parser_impl.h"

#include <string.h>

static hbg_name intern(hbg_parser *parser, const char *text) {
    return hbg_base_names_add(parser->lang->names, text, strlen(text));
}

syntax_expr *hbg_lang_parser_beside(hbg_parser *parser, const syntax_declaration *automaton, hbg_name name,
                                    hbg_name state, hbg_span span) {
    syntax_expr *expr = HBG_NEW(parser->arena, syntax_expr);
    expr->kind = SYNTAX_PATH;
    expr->span = span;
    expr->path.count = state ? 2 : 1;
    expr->path.segments = HBG_NEW_ARRAY(parser->arena, syntax_segment, 2);
    expr->path.segments[0] = (syntax_segment){name, HBG_NONE, span, automaton->indices};
    expr->path.segments[1] = (syntax_segment){state, HBG_NONE, span, NULL};
    return expr;
}

static syntax_expr *make_operator(hbg_parser *parser, hbg_operator op, syntax_expr *a, syntax_expr *b) {
    syntax_expr *expr = HBG_NEW(parser->arena, syntax_expr);
    expr->kind = SYNTAX_OPERATOR;
    expr->op = op;
    expr->span = a->span;
    expr->argument_count = b ? 2 : 1;
    expr->arguments = HBG_NEW_ARRAY(parser->arena, syntax_expr *, 2);
    expr->arguments[0] = a;
    expr->arguments[1] = b;
    return expr;
}

static void add_move(hbg_parser *parser, syntax_state *from, const char *to, syntax_expr *guard,
                     syntax_expr *after) {
    syntax_transition transition = {.target = intern(parser, to),
                                    .target_span = from->span,
                                    .span = from->span,
                                    .guard = guard,
                                    .after = after};
    HBG_PUSH(parser->arena, from->transitions, transition);
}

static syntax_declaration make_timer(hbg_parser *parser, const syntax_declaration *of,
                                     const syntax_state *state, syntax_transition *transition, int number) {
    const char *base = hbg_base_names_get(parser->lang->names, of->name);
    const char *text = number == 1 ? hbg_base_arena_print(parser->arena, "%s.held", base)
                                   : hbg_base_arena_print(parser->arena, "%s.held%d", base, number);
    syntax_declaration timer = {.kind = DECLARE_AUTOMATON,
                                .name = intern(parser, text),
                                .indices = of->indices,
                                .span = transition->span,
                                .doc = "how long a condition has held"};
    timer.automaton = HBG_NEW(parser->arena, syntax_automaton);
    syntax_expr *waiting = hbg_lang_parser_beside(parser, of, of->name, state->name, transition->guard->span);
    syntax_expr *holds = make_operator(parser, HBG_OP_AND, waiting, transition->guard);
    syntax_expr *ends = make_operator(parser, HBG_OP_NOT, holds, NULL);
    syntax_state idle = {intern(parser, "idle"), transition->span, false, {0}}, timing = idle, over = idle;
    timing.name = intern(parser, "timing");
    over.name = intern(parser, "over");
    over.on = true;
    add_move(parser, &idle, "timing", holds, NULL);
    add_move(parser, &timing, "idle", ends, NULL);
    add_move(parser, &timing, "over", NULL, transition->held);
    add_move(parser, &over, "idle", ends, NULL);
    HBG_PUSH(parser->arena, timer.automaton->states, idle);
    HBG_PUSH(parser->arena, timer.automaton->states, timing);
    HBG_PUSH(parser->arena, timer.automaton->states, over);
    // the condition once more: at the instant at which the wait is over it may just have ended
    transition->guard = make_operator(
        parser, HBG_OP_AND, hbg_lang_parser_beside(parser, of, timer.name, 0, transition->guard->span),
        transition->guard);
    return timer;
}

void hbg_lang_parser_timers(hbg_parser *parser, syntax_definition *definition,
                            const syntax_declaration *automaton) {
    int number = 0;
    for (int32_t i = 0; i < automaton->automaton->states.count; i++) {
        syntax_state *state = &automaton->automaton->states.items[i];
        for (int32_t k = 0; k < state->transitions.count; k++) {
            syntax_transition *transition = &state->transitions.items[k];
            if (!transition->held) continue;
            if (automaton->indices) definition->structural = true;
            syntax_declaration timer = make_timer(parser, automaton, state, transition, ++number);
            HBG_PUSH(parser->arena, definition->declarations, timer);
        }
    }
}
