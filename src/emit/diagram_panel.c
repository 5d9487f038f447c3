/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Below the drawing: the legend and a card for every automaton. A card lists the states as boxes, filled
 * where the state is on, with a dot at the start state and a heavy border around the state of the mode drawn,
 * and next to each its transitions in their order. */
#include "emit/diagram_impl.h"

#include <math.h>

#define ROW_HEIGHT   19.0
#define PILL_HEIGHT  15.0
#define PILL_PADDING 7.0
#define CARD_PADDING 11.0
#define CARD_GAP     12.0
#define HEAD_HEIGHT  20.0
#define START_ROOM   12.0  /* left of a state: the mark of the first one */
#define MOST_STATE   160.0 /* wider text ends in an ellipsis */
#define MOST_GUARD   400.0
#define BASELINE     4.0 /* from the middle of a row of small text to its baseline */

/* ---- automata -------------------------------------------------------------------------------------- */

typedef struct {
    const char *text;
    bool cut; /* it ends in an ellipsis */
    const char *full;
} fitted;

typedef struct {
    const hbg_diagram *diagram;
    const hbg_automaton *automaton;
    int32_t current, other; /* the states of the mode drawn and of the one compared with, or HBG_NONE */
    const char *path, *head;
    const char **states; /* names */
    fitted *transitions; /* of all states, in order */
    double state_width, transition_width;
    hbg_diagram_size size;
} card;

static double small_width(const char *text) {
    return hbg_draw_text_width(text, HBG_DIAGRAM_SMALL, false);
}

/* A time with its unit if it is a number, else as written. */
static const char *time_text(const hbg_diagram *diagram, hbg_expr expr, int32_t scope) {
    double value;
    if (hbg_model_constant(diagram->model, expr, &value))
        return hbg_emit_diagram_quantity(diagram->arena, value, "s");
    return hbg_emit_diagram_expr(diagram, expr, scope);
}

static fitted transition_text(const card *card, const hbg_transition *transition) {
    const hbg_diagram *diagram = card->diagram;
    const hbg_model *model = diagram->model;
    int32_t scope = card->automaton->id.scope;
    const hbg_automaton_state *target =
        &model->states.items[card->automaton->first_state + transition->target];
    hbg_buffer text;
    hbg_base_buffer_init(&text, diagram->arena);
    hbg_base_buffer_print(&text, "→ %s", hbg_base_names_get(model->names, target->name));
    if (transition->guard >= 0)
        hbg_base_buffer_print(&text, " when %s", hbg_emit_diagram_expr(diagram, transition->guard, scope));
    if (transition->after >= 0)
        hbg_base_buffer_print(&text, " after %s", time_text(diagram, transition->after, scope));
    fitted result = {.full = text.data, .cut = small_width(text.data) > MOST_GUARD};
    result.text = hbg_draw_text_fit(diagram->arena, text.data, HBG_DIAGRAM_SMALL, false, MOST_GUARD);
    return result;
}

/* Rows a state takes: one for each transition, and one if there is none. */
static int32_t state_rows(const hbg_automaton_state *state) {
    return state->transition_count > 0 ? state->transition_count : 1;
}

static void measure_state(card *card, int32_t index, int32_t *used) {
    const hbg_diagram *diagram = card->diagram;
    const hbg_automaton_state *state = &diagram->model->states.items[card->automaton->first_state + index];
    const char *name = hbg_base_names_get(diagram->model->names, state->name);
    card->states[index] = hbg_draw_text_fit(diagram->arena, name, HBG_DIAGRAM_SMALL, false, MOST_STATE);
    double name_width = hbg_draw_text_width(card->states[index], HBG_DIAGRAM_SMALL, index == card->current);
    card->state_width = fmax(card->state_width, name_width + 2 * PILL_PADDING);
    for (int32_t i = 0; i < state->transition_count; i++) {
        const hbg_transition *transition = &diagram->model->transitions.items[state->first_transition + i];
        fitted text = transition_text(card, transition);
        card->transition_width = fmax(card->transition_width, small_width(text.text));
        card->transitions[(*used)++] = text;
    }
    card->size.height += state_rows(state) * ROW_HEIGHT;
}

static card make_card(const hbg_diagram *diagram, int32_t index) {
    const hbg_model *model = diagram->model;
    card card = {.diagram = diagram, .automaton = &model->automata.items[index]};
    card.current = diagram->options->states ? diagram->options->states[index] : HBG_NONE;
    card.other = diagram->options->other_states ? diagram->options->other_states[index] : HBG_NONE;
    const hbg_automaton *automaton = card.automaton;
    card.path = card.head = hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_AUTOMATON, index});
    if (automaton->every >= 0)
        card.head = hbg_base_arena_print(diagram->arena, "%s every %s", card.head,
                                         time_text(diagram, automaton->every, automaton->id.scope));
    card.head = hbg_draw_text_fit(diagram->arena, card.head, HBG_DIAGRAM_TEXT, true, MOST_GUARD);
    int32_t transitions = 0, used = 0;
    for (int32_t i = 0; i < automaton->state_count; i++)
        transitions += model->states.items[automaton->first_state + i].transition_count;
    card.states = HBG_NEW_ARRAY(diagram->arena, const char *, automaton->state_count + 1);
    card.transitions = HBG_NEW_ARRAY(diagram->arena, fitted, transitions + 1);
    card.size.height = 2 * CARD_PADDING + HEAD_HEIGHT - (ROW_HEIGHT - PILL_HEIGHT);
    for (int32_t i = 0; i < automaton->state_count; i++) measure_state(&card, i, &used);
    double rows = START_ROOM + card.state_width + PILL_PADDING + card.transition_width;
    card.size.width = 2 * CARD_PADDING + fmax(rows, hbg_draw_text_width(card.head, HBG_DIAGRAM_TEXT, true));
    return card;
}

static void paint_state(const card *card, hbg_buffer *out, int32_t index, hbg_draw_point at) {
    const hbg_automaton_state *state =
        &card->diagram->model->states.items[card->automaton->first_state + index];
    hbg_draw_box pill = {at.x + START_ROOM, at.y, at.x + START_ROOM + card->state_width, at.y + PILL_HEIGHT};
    double middle = at.y + PILL_HEIGHT / 2;
    if (card->automaton->start == index)
        hbg_draw_circle(out, "start", (hbg_draw_point){at.x + START_ROOM / 2 - 1, middle}, 2.5);
    bool current = card->current == index, other = card->other == index && !current;
    const hbg_draw_attribute attributes[] = {
        {"data-state", hbg_base_names_get(card->diagram->model->names, state->name)}};
    hbg_draw_group_with(out, "choice", attributes, 1, NULL);
    hbg_draw_rect(out,
                  hbg_base_arena_print(card->diagram->arena, "state%s%s%s", state->on ? " on" : "",
                                       current ? " current" : "", other ? " changed" : ""),
                  pill, PILL_HEIGHT / 2);
    hbg_draw_point text = {(pill.left + pill.right) / 2, middle + BASELINE};
    hbg_draw_text(out, current ? "small bold" : "small", text, HBG_DRAW_MIDDLE, card->states[index]);
    hbg_draw_group_end(out);
}

static void paint_transition(hbg_buffer *out, const fitted *text, hbg_draw_point at) {
    if (text->cut) hbg_draw_group_begin(out, NULL, text->full);
    hbg_draw_text(out, "small", at, HBG_DRAW_START, text->text);
    if (text->cut) hbg_draw_group_end(out);
}

static void paint_card(const card *card, hbg_buffer *out, hbg_draw_point at) {
    const hbg_automaton *automaton = card->automaton;
    const hbg_draw_attribute attributes[] = {{"data-automaton", card->path}};
    hbg_draw_group_with(out, "automaton", attributes, 1,
                        automaton->doc && *automaton->doc ? automaton->doc : NULL);
    hbg_draw_rect(out, "card", (hbg_draw_box){at.x, at.y, at.x + card->size.width, at.y + card->size.height},
                  5);
    double x = at.x + CARD_PADDING, y = at.y + CARD_PADDING;
    hbg_draw_text(out, "caption bold", (hbg_draw_point){x, y + HBG_DIAGRAM_TEXT - 2}, HBG_DRAW_START,
                  card->head);
    y += HEAD_HEIGHT;
    const fitted *next = card->transitions;
    for (int32_t i = 0; i < automaton->state_count; i++) {
        const hbg_automaton_state *state = &card->diagram->model->states.items[automaton->first_state + i];
        paint_state(card, out, i, (hbg_draw_point){x, y});
        for (int32_t k = 0; k < state->transition_count; k++) {
            hbg_draw_point text = {x + START_ROOM + card->state_width + PILL_PADDING,
                                   y + k * ROW_HEIGHT + PILL_HEIGHT / 2 + BASELINE};
            paint_transition(out, next++, text);
        }
        y += state_rows(state) * ROW_HEIGHT;
    }
    hbg_draw_group_end(out);
}

/* Cards from left to right, then the next row. */
static hbg_diagram_size paint_cards(const hbg_diagram *diagram, hbg_buffer *out, hbg_draw_point at,
                                    double width) {
    hbg_diagram_size size = {0, 0};
    double x = 0, row = 0;
    for (int32_t i = 0; i < diagram->model->automata.count; i++) {
        if (!diagram->shown[diagram->model->automata.items[i].id.scope]) continue;
        card card = make_card(diagram, i);
        if (x > 0 && x + card.size.width > width) {
            size.height += row + CARD_GAP;
            x = row = 0;
        }
        paint_card(&card, out, (hbg_draw_point){at.x + x, at.y + size.height});
        size.width = fmax(size.width, x + card.size.width);
        row = fmax(row, card.size.height);
        x += card.size.width + CARD_GAP;
    }
    size.height += row;
    return size;
}

/* ---- all -------------------------------------------------------------------------------------------- */

hbg_diagram_size hbg_emit_diagram_panel(const hbg_diagram *diagram, hbg_buffer *out, hbg_draw_point at,
                                        double width) {
    hbg_diagram_size size = hbg_emit_diagram_legend(diagram, out, at, width);
    bool any = false;
    for (int32_t i = 0; i < diagram->model->automata.count; i++)
        any = any || diagram->shown[diagram->model->automata.items[i].id.scope];
    if (!diagram->options->automata || !any) return size;
    if (size.height > 0) size.height += CARD_GAP;
    hbg_diagram_size cards = paint_cards(diagram, out, (hbg_draw_point){at.x, at.y + size.height}, width);
    return (hbg_diagram_size){fmax(size.width, cards.width), size.height + cards.height};
}
