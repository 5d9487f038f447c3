/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The words of a model in exported C. Names come from the model and may contain any characters: they cannot
 * end a comment, in strings they are escaped, and in identifiers all other characters become underscores. */
#include <ctype.h>
#include <string.h>

#include "emit/export_c_impl.h"

/* ---- names in C ---------------------------------------------------------------------------------------- */

/* Part of a comment or of a line: without what ends it, or makes a compiler warn. */
static void add_in_comment(hbg_buffer *out, const char *name) {
    for (const char *at = name; *at; at++) {
        bool pair = at > name && ((at[-1] == '*' && *at == '/') || (at[-1] == '/' && *at == '*') ||
                                  (at[-1] == '?' && *at == '?') || (at[-1] == '/' && *at == '/'));
        if (pair) hbg_base_buffer_char(out, ' ');
        bool plain = (unsigned char)*at >= ' ' && *at != 0x7f && *at != '\\';
        hbg_base_buffer_char(out, plain ? *at : ' ');
    }
}

static const char *in_comment(hbg_arena *arena, const char *name) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    add_in_comment(&out, name);
    return out.data ? out.data : "";
}

/* As a string literal, one line of it for each of the text. */
const char *hbg_emit_in_string(hbg_arena *arena, const char *text) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    hbg_base_buffer_char(&out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n' && text[1])
            hbg_base_buffer_text(&out, "\\n\"\n        \"");
        else if (c == '\n')
            hbg_base_buffer_text(&out, "\\n");
        else if (c == '"' || c == '\\' || c == '?')
            hbg_base_buffer_print(&out, "\\%c", c);
        else if (c < ' ' || c >= 0x7f)
            hbg_base_buffer_print(&out, "\\%03o", c);
        else
            hbg_base_buffer_char(&out, (char)c);
    }
    hbg_base_buffer_char(&out, '"');
    return out.data;
}

static const char *upper(hbg_arena *arena, const char *name) {
    char *made = hbg_base_arena_print(arena, "%s", name);
    for (char *at = made; *at; at++) *at = (char)toupper((unsigned char)*at);
    return made;
}

/* A name as part of an identifier. */
static const char *mangled(hbg_arena *arena, const char *name) {
    char *made = hbg_base_arena_print(arena, "%s", name);
    for (char *at = made; *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        if (!plain) *at = '_';
    }
    return made;
}

/* ---- lists of the interface ---------------------------------------------------------------------------- */

enum { LONGEST_LIST = 2000 }; /* in longer lists, numbers are found by name */

typedef struct {
    hbg_buffer *out;
    const char *prefix; /* "NAME_PARAMETER_" */
    hbg_names seen;     /* of two names that would be one identifier, the first gets it */
    int32_t number;
} listing;

static void add_enumerator(listing *of, const char *name, const char *unit) {
    hbg_arena *arena = of->out->arena;
    const char *made = mangled(arena, name);
    bool is_first = hbg_base_names_find(&of->seen, made, strlen(made)) < 0;
    (void)hbg_base_names_add(&of->seen, made, strlen(made));
    if (is_first)
        hbg_base_buffer_print(of->out, "    %s%s = %d, /* ", of->prefix, made, (int)of->number);
    else
        hbg_base_buffer_print(of->out, "    /* %d: ", (int)of->number);
    add_in_comment(of->out, name);
    if (unit && unit[0]) {
        hbg_base_buffer_text(of->out, ", ");
        add_in_comment(of->out, unit);
    }
    hbg_base_buffer_text(of->out, " */\n");
    of->number++;
}

/* "enum { NAME_PARAMETERS = 2 };", then an enumerator for each. */
static const char *list_of(hbg_arena *arena, const char *name, const char *const what[2],
                           const hbg_rt_variable *list, int32_t count) {
    hbg_buffer out;
    listing of = {.out = &out, .prefix = hbg_base_arena_print(arena, "%s_%s_", upper(arena, name), what[0])};
    hbg_base_buffer_init(&out, arena);
    hbg_base_names_init(&of.seen, arena);
    hbg_base_buffer_print(&out, "enum { %s_%s = %d };", upper(arena, name), what[1], (int)count);
    if (count == 0 || count > LONGEST_LIST) return out.data;
    hbg_base_buffer_text(&out, "\nenum {\n");
    for (int32_t i = 0; i < count; i++) add_enumerator(&of, list[i].name, list[i].unit);
    hbg_base_buffer_text(&out, "};");
    return out.data;
}

static const char *list_automata(hbg_arena *arena, const hbg_emit_c *of) {
    const hbg_rt_description *system = of->system;
    hbg_rt_variable *as = HBG_NEW_ARRAY(arena, hbg_rt_variable, system->automaton_count + 1);
    for (int32_t i = 0; i < system->automaton_count; i++) {
        hbg_buffer states;
        hbg_base_buffer_init(&states, arena);
        for (int32_t k = 0; k < system->automata[i].state_count; k++)
            hbg_base_buffer_print(&states, "%s%d %s", k ? ", " : "", (int)k, system->automata[i].states[k]);
        as[i] = (hbg_rt_variable){.name = system->automata[i].name, .unit = states.data};
    }
    return list_of(arena, of->name, (const char *const[2]){"AUTOMATON", "AUTOMATA"}, as,
                   system->automaton_count);
}

/* ---- all words ----------------------------------------------------------------------------------------- */

void hbg_emit_word_add(hbg_arena *arena, hbg_emit_words *words, const char *key, const char *text) {
    HBG_PUSH(arena, *words, ((hbg_emit_word){key, text}));
}

static void add_number(hbg_arena *arena, hbg_emit_words *words, const char *key, double value) {
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, value);
    hbg_emit_word_add(arena, words, key, hbg_base_arena_print(arena, "%s", text));
}

static void add_count(hbg_arena *arena, hbg_emit_words *words, const char *key, size_t count) {
    hbg_emit_word_add(arena, words, key, hbg_base_arena_print(arena, "%zu", count));
}

static void add_flag(hbg_arena *arena, hbg_emit_words *words, const char *key, bool flag) {
    hbg_emit_word_add(arena, words, key, flag ? "true" : "false");
}

static void add_names(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words) {
    const char *model = in_comment(arena, of->model);
    const char *title = of->experiment ? hbg_base_arena_print(arena, "%s, experiment %s", model,
                                                              in_comment(arena, of->experiment))
                                       : model;
    hbg_emit_word_add(arena, words, "name", of->name);
    hbg_emit_word_add(arena, words, "NAME", upper(arena, of->name));
    hbg_emit_word_add(arena, words, "title", title);
    hbg_emit_word_add(arena, words, "title_line", title);
    hbg_emit_word_add(arena, words, "version", of->version);
    hbg_emit_word_add(arena, words, "version_line",
                      hbg_base_arena_print(arena, "Made by hbg %s.", of->version));
    hbg_emit_word_add(arena, words, "solver", of->solver);
    hbg_emit_word_add(arena, words, "notes", of->notes);
}

static void add_options(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words) {
    const hbg_rt_options *options = &of->options;
    add_number(arena, words, "stop", options->stop);
    add_flag(arena, words, "fixed", options->fixed);
    add_count(arena, words, "method", (size_t)options->method);
    add_count(arena, words, "stiffness", (size_t)options->stiffness);
    add_number(arena, words, "step", options->step);
    add_number(arena, words, "rtol", options->rtol);
    add_number(arena, words, "atol", options->atol);
    add_flag(arena, words, "ledger", options->ledger);
    add_flag(arena, words, "zeno_rest", options->zeno_rest);
    add_flag(arena, words, "slides", options->slides);
    add_flag(arena, words, "strict", options->strict);
    add_number(arena, words, "every", options->every);
    char text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(text, options->every);
    hbg_emit_word_add(arena, words, "every_words",
                      options->every > 0 ? hbg_base_arena_print(arena, "%s s", text) : "step");
}

static void add_lists(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words) {
    static const char *const parameters[2] = {"PARAMETER", "PARAMETERS"},
                             *const inputs[2] = {"INPUT", "INPUTS"},
                             *const outputs[2] = {"OUTPUT", "OUTPUTS"};
    const hbg_rt_description *system = of->system;
    hbg_emit_word_add(arena, words, "parameters",
                      list_of(arena, of->name, parameters, system->params, system->param_count));
    hbg_emit_word_add(arena, words, "inputs",
                      list_of(arena, of->name, inputs, system->inputs, system->input_count));
    hbg_emit_word_add(arena, words, "outputs",
                      list_of(arena, of->name, outputs, system->outputs, system->output_count));
    hbg_emit_word_add(arena, words, "automata", list_automata(arena, of));
    add_count(arena, words, "states", (size_t)system->state_count);
    add_count(arena, words, "parameter_count", (size_t)system->param_count);
    add_count(arena, words, "input_count", (size_t)system->input_count);
    add_count(arena, words, "output_count", (size_t)system->output_count);
    add_count(arena, words, "automaton_count", (size_t)system->automaton_count);
}

static void add_csv(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words) {
    hbg_buffer periods;
    hbg_base_buffer_init(&periods, arena);
    for (int32_t i = 0; i < of->period_count; i++) {
        char text[HBG_DOUBLE_TEXT];
        hbg_base_double_print(text, of->periods[i]);
        hbg_base_buffer_print(&periods, "%s%s", i > 0 ? ", " : "", text);
    }
    hbg_emit_word_add(arena, words, "periods", of->period_count > 0 ? periods.data : "0");
    add_count(arena, words, "period_count", (size_t)of->period_count);
    add_count(arena, words, "columns", (size_t)of->columns);
    hbg_emit_word_add(arena, words, "csv_head", hbg_emit_in_string(arena, of->csv_head));
}

void hbg_emit_c_words(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_words *words) {
    const char *code = hbg_base_arena_print(arena, "%s_code", of->name);
    add_names(arena, of, words);
    add_options(arena, of, words);
    add_lists(arena, of, words);
    add_csv(arena, of, words);
    add_count(arena, words, "size", of->size);
    add_count(arena, words, "image_size", of->image_size);
    hbg_emit_word_add(arena, words, "declare_code",
                      of->code ? hbg_base_arena_print(arena, "extern const hbg_rt_native %s;\n", code) : "");
    hbg_emit_word_add(arena, words, "code_pointer",
                      of->code ? hbg_base_arena_print(arena, "&%s", code) : "NULL");
    hbg_emit_word_add(arena, words, "code_row",
                      of->code ? hbg_base_arena_print(arena, "| %s.c | its programs as functions |\n", code)
                               : "");
}

const char *hbg_emit_word_find(const hbg_emit_words *words, const char *key, size_t size) {
    for (int32_t i = 0; i < words->count; i++)
        if (strlen(words->items[i].key) == size && memcmp(words->items[i].key, key, size) == 0)
            return words->items[i].text;
    return NULL;
}
