/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The `hbg` command: options, and what the subcommands share. Here, and only here, is printing. */
#ifndef HBG_TOOL_IMPL_H
#define HBG_TOOL_IMPL_H

#include <stdio.h>

#include "hbg/hbg.h"

/* What the command answers with (architecture: exit codes). */
enum { EXIT_FINE = 0, EXIT_VIOLATED = 1, EXIT_BAD_INPUT = 2, EXIT_NOT_DECIDED = 4 };

/* The commands: name, arguments, what it does. Each has a function command_NAME. */
#define COMMAND_LIST(X)                                                                                      \
    X(check, "MODEL…", "read a model and report everything that is wrong with it")                           \
    X(causality, "MODEL", "determining bonds, dependent storages and loops of a mode")                       \
    X(draw, "MODEL", "draw the bond graph as SVG, PNG or Graphviz text")                                     \
    X(fmt, "FILE…", "bring files into the canonical form")                                                   \
    X(list, "MODEL", "list elements, bonds, automata and parameters with units and values")

typedef enum {
#define X(name, arguments, text) COMMAND_##name,
    COMMAND_LIST(X)
#undef X
        COMMAND_COUNT
} tool_command;

/* The options: identifier, long name, letter (0: none), value name ("" if it takes none), commands, text. */
#define ON(command) (1 << COMMAND_##command)
#define ON_MODELS   (ON(check) | ON(causality) | ON(draw) | ON(list))
#define ON_ALL      (ON_MODELS | ON(fmt))
#define OPTION_LIST(X)                                                                                       \
    X(output, "output", 'o', "FILE", ON(draw) | ON(fmt), "write to FILE; `-` is standard output")            \
    X(parameter, "param", 'p', "NAME=VALUE", ON_MODELS,                                                      \
      "give a parameter a value: -p R1=220, -p 'L=5 [mH]'")                                                  \
    X(model, "model", 'm', "NAME", ON_MODELS, "take this model of the file instead of the first")            \
    X(include, "include", 'I', "FOLDER", ON_MODELS,                                                          \
      "look here for imports, before HBG_PATH and the library")                                              \
    X(mode, "mode", 0, "NAME=STATE,…", ON(causality) | ON(draw),                                             \
      "states of automata, by path; the others are in their start states")                                   \
    X(compare, "compare", 0, "NAME=STATE,…", ON(draw),                                                       \
      "mark the bonds whose causality differs in this mode")                                                 \
    X(no_strokes, "no-strokes", 0, "", ON(draw), "leave the causal strokes out")                             \
    X(all, "all", 0, "", ON(causality), "over all modes that can exist: a proof, or a mode that has none")   \
    X(integral, "integral", 0, "", ON(causality), "refuse derivative causality")                             \
    X(json, "json", 0, "", ON(check) | ON(causality) | ON(list), "answer as JSON on standard output")        \
    X(warning, "warning", 'W', "no-NAME|error", ON_MODELS, "turn a warning off, or treat all as errors")     \
    X(colour, "color", 0, "auto|always|never", ON_ALL, "colour in messages; auto: on a terminal")            \
    X(check_only, "check", 0, "", ON(fmt), "change nothing; exit 1 if a file is not in canonical form")      \
    X(force, "force", 0, "", ON(draw), "draw also more than 2000 nodes")                                     \
    X(no_values, "no-values", 0, "", ON(draw), "leave the values of elements out")                           \
    X(no_automata, "no-automata", 0, "", ON(draw), "leave the automata out")

#define LIST_LIMIT 256 /* values of an option that may be repeated */

typedef struct {
    const char *values[LIST_LIMIT];
    int count;
} tool_list;

typedef struct {
    tool_command command;
    tool_list files, parameters, include, warning;
    const char *output, *model, *mode, *compare, *colour;
    bool all, integral, no_strokes, json, check_only, force, no_values, no_automata;
} tool_options;

/* Reads the arguments behind the command's name; false after telling what is wrong with them. */
bool tool_options_read(tool_options *options, tool_command command, int count, char **arguments);

void tool_help(FILE *out);
void tool_help_command(FILE *out, tool_command command);
tool_command tool_find_command(const char *name); /* COMMAND_COUNT if there is none */

/* A session with the search folders and warnings the options ask for; NULL after telling why not. */
hbg_session *tool_session_new(const tool_options *options);
/* Loads the model; NULL after telling why not. Warnings are told too. For `check` the start mode has to be valid. */
hbg_model *tool_load(hbg_session *session, const tool_options *options, const char *path);
/* Prints the diagnostics for people, to standard error. */
void tool_print_diagnostics(hbg_session *session, const tool_options *options);
/* One line about a failed operation. Returns EXIT_BAD_INPUT. */
int tool_fail(hbg_session *session, const char *what, hbg_status status);
/* Prints a text to standard output and frees it. */
int tool_print(hbg_session *session, hbg_text *text);
/* Writes a text to the file, or to standard output for `-`, and frees it. */
int tool_write(hbg_session *session, const char *path, hbg_text *text);

#define X(name, arguments, text) int command_##name(const tool_options *options);
COMMAND_LIST(X)
#undef X

#endif
