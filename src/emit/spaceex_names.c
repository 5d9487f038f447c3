/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names for SpaceEx: letters, digits and underscores, no reserved words, each unique in a file. */
#include <string.h>

#include "draw/draw.h"
#include "emit/spaceex_impl.h"

enum { LONGEST = 100 }; /* characters of the name of a location; a longer one is replaced by a number */

typedef struct {
    hbg_arena *arena;
    hbg_names taken;
} namer;

static bool is_own_word(const char *text) {
    static const char *const words[] = {"true", "false", "loc", "and", "or",   "not", "sin",
                                        "cos",  "tan",   "exp", "log", "sqrt", "pow"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) return true;
    return false;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A unique name like the text. */
static const char *name_for(namer *of, const char *text) {
    hbg_buffer made;
    hbg_base_buffer_init(&made, of->arena);
    if (!is_letter(text[0]) && text[0] != '_') hbg_base_buffer_text(&made, "v_");
    for (const char *at = text; *at; at++)
        hbg_base_buffer_char(&made, is_letter(*at) || is_digit(*at) ? *at : '_');
    if (is_own_word(made.data)) hbg_base_buffer_char(&made, '_');
    const char *name = made.data;
    for (int32_t number = 2; hbg_base_names_find(&of->taken, name, strlen(name)) > 0; number++)
        name = hbg_base_arena_print(of->arena, "%s_%d", made.data, (int)number);
    hbg_base_names_add(&of->taken, name, strlen(name));
    return name;
}

/* ---- variables ----------------------------------------------------------------------------------------- */

static void describe_variable(hbg_arena *arena, const hbg_emit_component *part, int32_t number,
                              spaceex_names *names) {
    const hbg_hybrid_variable *of = &part->of->variables.items[number];
    hbg_buffer text;
    hbg_base_buffer_init(&text, arena);
    names->units[number] = "s";
    switch (of->kind) {
    case HBG_HYBRID_STATE:
        hbg_base_buffer_text(&text, part->system->states[of->of].name);
        names->units[number] = part->system->states[of->of].unit ? part->system->states[of->of].unit : "";
        break;
    case HBG_HYBRID_HELD:
        hbg_model_path(part->model, (hbg_object){HBG_OBJECT_SIGNAL, of->of}, &text);
        names->units[number] = "";
        break;
    case HBG_HYBRID_PRE:
        hbg_base_buffer_text(&text, of->text);
        names->units[number] = "";
        break;
    case HBG_HYBRID_WAIT: hbg_base_buffer_print(&text, "wait %s", part->system->automata[of->of].name); break;
    case HBG_HYBRID_CLOCK: hbg_base_buffer_print(&text, "clock %d", (int)of->of + 1); break;
    case HBG_HYBRID_SAW:
        hbg_base_buffer_print(&text, "saw %d, %s", (int)of->of + 1, of->text);
        names->units[number] = "";
        break;
    default: hbg_base_buffer_text(&text, "time");
    }
    names->originals[number] = text.data;
}

static void name_variables(namer *of, const hbg_emit_component *part, spaceex_names *names) {
    int32_t count = part->of->variables.count;
    names->variables = HBG_NEW_ARRAY(of->arena, const char *, count + 1);
    names->originals = HBG_NEW_ARRAY(of->arena, const char *, count + 1);
    names->units = HBG_NEW_ARRAY(of->arena, const char *, count + 1);
    for (int32_t i = 0; i < count; i++) {
        describe_variable(of->arena, part, i, names);
        const hbg_hybrid_variable *variable = &part->of->variables.items[i];
        names->variables[i] =
            name_for(of, variable->kind == HBG_HYBRID_SAW
                             ? hbg_base_arena_print(of->arena, "saw %d", (int)variable->of + 1)
                             : names->originals[i]);
    }
}

/* ---- locations ----------------------------------------------------------------------------------------- */

static const char *mode_text(hbg_arena *arena, const hbg_emit_component *part, const int32_t *states,
                             const char *between, const char *next) {
    const hbg_model *model = part->model;
    hbg_buffer text;
    hbg_base_buffer_init(&text, arena);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        const hbg_automaton_state *state = &model->states.items[of->first_state + states[i]];
        hbg_base_buffer_print(&text, "%s%s%s%s", i > 0 ? next : "", part->system->automata[i].name, between,
                              hbg_base_names_get(model->names, state->name));
    }
    return text.data;
}

static void name_locations(hbg_arena *arena, const hbg_emit_component *part, spaceex_names *names) {
    int32_t count = part->of->locations.count;
    namer own = {.arena = arena};
    hbg_base_names_init(&own.taken, arena);
    names->locations = HBG_NEW_ARRAY(arena, const char *, count + 1);
    names->modes = HBG_NEW_ARRAY(arena, const char *, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const hbg_hybrid_location *of = &part->of->locations.items[i];
        hbg_buffer text;
        hbg_base_buffer_init(&text, arena);
        const char *mode = mode_text(arena, part, of->states, "_", "__");
        names->modes[i] = mode_text(arena, part, of->states, "=", ",");
        hbg_base_buffer_text(&text, strlen(mode) > LONGEST ? "mode" : mode[0] ? mode : "always");
        if (of->phase > 0) hbg_base_buffer_print(&text, "__phase_%d", (int)of->phase + 1);
        if (of->piece_count > 1) hbg_base_buffer_print(&text, "__piece_%d", (int)of->piece + 1);
        names->locations[i] = name_for(&own, text.data);
    }
}

spaceex_names *hbg_emit_spaceex_names(hbg_arena *arena, const hbg_emit_hybrid *of) {
    namer all = {.arena = arena};
    spaceex_names *names = HBG_NEW_ARRAY(arena, spaceex_names, of->part_count + 1);
    hbg_base_names_init(&all.taken, arena);
    name_for(&all, "system");
    for (int32_t i = 0; i < of->part_count; i++) {
        const char *title = of->part_count == 1
                                ? of->model
                                : hbg_base_arena_print(arena, "%s_part_%d", of->model, (int)i + 1);
        name_variables(&all, &of->parts[i], &names[i]);
        names[i].component = name_for(&all, title);
        names[i].instance = name_for(&all, hbg_base_arena_print(arena, "%s_1", names[i].component));
        names[i].label = name_for(&all, "event");
        name_locations(arena, &of->parts[i], &names[i]);
    }
    return names;
}

void hbg_emit_spaceex_comment(hbg_buffer *out, const char *text) {
    hbg_buffer plain;
    hbg_base_buffer_init(&plain, out->arena);
    for (const char *at = text; *at; at++) {
        if (*at == '-' && at > text && at[-1] == '-') hbg_base_buffer_char(&plain, ' '); // -- would end it
        hbg_base_buffer_char(&plain, *at == '\n' ? ' ' : *at);
    }
    hbg_draw_escape(out, plain.data);
}
