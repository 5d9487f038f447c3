/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Options of all commands from one table: reading them, and the help texts. */
#include "tool/tool_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXPLAINED 50 /* events, unless all are asked for */

typedef enum {
#define X(id, name, letter, value, commands, text) OPTION_##id,
    OPTION_LIST(X)
#undef X
        OPTION_COUNT
} option_id;

static const struct {
    const char *name;
    char letter;
    const char *value;
    int commands;
    const char *text;
} table[] = {
#define X(id, name, letter, value, commands, text) {name, letter, value, commands, text},
    OPTION_LIST(X)
#undef X
};

static const struct {
    const char *name, *arguments, *text;
} commands[] = {
#define X(name, arguments, text) {#name, arguments, text},
    COMMAND_LIST(X)
#undef X
};

tool_command tool_find_command(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return i;
    return COMMAND_COUNT;
}

const char *tool_nearest_command(const char *word) {
    const char *names[COMMAND_COUNT + 1];
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i].name;
    names[COMMAND_COUNT] = "help";
    return hbg_nearest_word(word, names, COMMAND_COUNT + 1);
}

/* ---- help --------------------------------------------------------------------------------------------- */

/* A cell of a table: printf counts bytes, and `…` has three. */
static void put_cell(FILE *out, const char *text, int width) {
    int characters = 0;
    for (const char *c = text; *c; c++) characters += ((unsigned char)*c & 0xC0) != 0x80;
    fprintf(out, "%s%*s", text, width > characters ? width - characters : 0, "");
}

static void help_command_line(FILE *out, const char *name, const char *arguments, const char *text) {
    fputs("  ", out);
    put_cell(out, name, 10);
    put_cell(out, arguments, 9);
    fprintf(out, "%s\n", text);
}

void tool_help(FILE *out) {
    fprintf(out, "hbg %s: hybrid bond graphs from text\n\nUsage: hbg COMMAND …\n\n", hbg_version());
    for (int i = 0; i < COMMAND_COUNT; i++)
        help_command_line(out, commands[i].name, commands[i].arguments, commands[i].text);
    help_command_line(out, "help", "COMMAND", "the options of a command");
    fprintf(out, "\nExit status: 0 fine, 1 property violated, 2 bad input or option,\n"
                 "  3 run not finished, 4 not decided, 130 interrupted.\n");
    fprintf(out, "Start with docs/tutorial.md; the language is in docs/language.md.\n");
}

/* Options that mean something else to one command. */
static const struct {
    tool_command command;
    int id;
    const char *value, *text;
} meanings[] = {{COMMAND_verify, OPTION_plot, "X,Y",
                 "draw the phase space over two energy variables or inputs; -o says where: .svg or .png"},
                {COMMAND_verify, OPTION_at, "NAME=VALUE",
                 "with --plot: values of what is on no axis, SI: x=0.5,sw=true; may be repeated"}};

static void help_option(FILE *out, tool_command command, int id) {
    const char *value = table[id].value, *text = table[id].text;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (meanings[i].command != command || meanings[i].id != id) continue;
        value = meanings[i].value;
        text = meanings[i].text;
    }
    char left[64];
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", table[id].letter ? "-" : " ",
             table[id].letter ? table[id].letter : ' ', table[id].letter ? ", " : "  ", table[id].name,
             value[0] && value[0] != '[' ? " " : "", value);
    fputs("  ", out);
    put_cell(out, left, 30);
    fprintf(out, "%s\n", text);
}

static void help_warnings(FILE *out) {
    fprintf(out, "\nWarnings (-W no-NAME turns one off):\n");
    const char *summary, *name;
    for (int i = 0; (name = hbg_warning_name(i, &summary)) != NULL; i++)
        fprintf(out, "  %-24s %s\n", name, summary);
}

static void help_verify(FILE *out) {
    fprintf(out, "\nExamples:\n");
    fprintf(out,
            "  hbg verify ball.hbg                              a proof, or where and why it does not end\n");
    fprintf(out, "  hbg verify ball.hbg --plot mass.p,x -o ball.svg  the same as a picture\n");
    fprintf(out, "A `verify` block of the model bounds what is looked at: docs/verify.md.\n");
    fprintf(out, "\nExit status: 0 proved, 1 violated, 4 not decided, 2 bad input.\n");
}

static void help_sweep(FILE *out) {
    fprintf(out, "\nSeveral values for -p:\n");
    fprintf(out, "  NAME=FROM:TO:STEP             a grid: R1=1kOhm:2kOhm:100\n");
    fprintf(out, "  NAME=A,B,C                    these\n");
    fprintf(out, "  NAME~normal(MEAN, DEVIATION)  drawn for every run, likewise\n");
    fprintf(out, "  NAME~uniform(LOW, HIGH), NAME~lognormal(MEDIAN, SPREAD)\n");
}

void tool_help_command(FILE *out, tool_command command) {
    fprintf(out, "Usage: hbg %s %s [options]\n\n%s.\n\nOptions:\n", commands[command].name,
            commands[command].arguments, commands[command].text);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (table[i].commands & (1 << command)) help_option(out, command, i);
    fprintf(out, "  %-29s %s\n", "-h, --help", "show this");
    if (command == COMMAND_check) help_warnings(out);
    if (command == COMMAND_sweep) help_sweep(out);
    if (command == COMMAND_verify) help_verify(out);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static bool complain(tool_command command, const char *format, const char *what) {
    fputs("hbg: ", stderr);
    fprintf(stderr, format, what);
    fprintf(stderr, "; `hbg help %s` lists the options\n", commands[command].name);
    return false;
}

/* An unknown option, with the one of the command that may have been meant. */
static bool unknown_option(tool_command command, const char *word) {
    const char *names[OPTION_COUNT + 1], *nearest = NULL;
    char name[64];
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (table[i].commands & (1 << command)) names[count++] = table[i].name;
    names[count++] = "help";
    size_t size = strcspn(word, "=");
    if (word[0] == '-' && word[1] == '-' && size < sizeof name + 2) {
        snprintf(name, sizeof name, "%.*s", (int)size - 2, word + 2);
        nearest = hbg_nearest_word(name, names, count);
    }
    if (!nearest) return complain(command, "unknown option `%s`", word);
    fprintf(stderr, "hbg: unknown option `%s`; did you mean `--%s`?\n", word, nearest);
    return false;
}

static bool append(tool_list *list, tool_command command, const char *value) {
    if (list->count == LIST_LIMIT) return complain(command, "too many arguments at `%s`", value);
    list->values[list->count++] = value;
    return true;
}

/* A tolerance: a number of more than 0. */
static bool read_number(const tool_options *options, const char *name, const char *value, double *number) {
    char *end, text[96];
    *number = strtod(value, &end);
    if (end != value && *end == 0 && *number > 0 && *number < 1e300) return true;
    snprintf(text, sizeof text, "%s %.60s", name, value);
    return complain(options->command, "`%s` is no positive number", text);
}

static bool read_seed(tool_options *options, const char *value) {
    char *end;
    errno = 0;
    options->seed = strtoull(value, &end, 10);
    bool digits = value[0] >= '0' && value[0] <= '9' && *end == 0;
    if (digits && errno == 0 && options->seed <= INT64_MAX) return true;
    if (digits)
        return complain(options->command, "`--seed %s` is too large: 9223372036854775807 is the most", value);
    return complain(options->command, "`--seed %s` is no whole number from 0 on", value);
}

static bool read_count(const tool_options *options, const char *name, const char *value, int64_t *number) {
    char *end, text[96];
    errno = 0;
    *number = strtoll(value, &end, 10);
    if (value[0] >= '0' && value[0] <= '9' && *end == 0 && errno == 0 && *number > 0) return true;
    snprintf(text, sizeof text, "%s %.60s", name, value);
    return complain(options->command, "`%s` is no whole number from 1 on", text);
}

#define LONGEST 1e6 /* seconds */

static bool read_timeout(tool_options *options, const char *value) {
    if (!read_number(options, "--timeout", value, &options->timeout)) return false;
    if (options->timeout >= 1e-3 && options->timeout <= LONGEST) return true;
    return complain(options->command, "`--timeout %s` is no number of seconds up to a million", value);
}

static bool read_jobs(tool_options *options, const char *value) {
    int64_t number;
    if (!read_count(options, "--jobs", value, &number)) return false;
    options->jobs = number > 10000 ? 10000 : (int)number;
    return true;
}

static bool read_engine(tool_options *options, const char *value) {
    static const char *const names[] = {
        [HBG_ENGINE_AUTO] = "auto", [HBG_ENGINE_INTERPRETER] = "interpreter", [HBG_ENGINE_NATIVE] = "native"};
    for (int i = HBG_ENGINE_AUTO; i <= HBG_ENGINE_NATIVE; i++) {
        options->engine = (hbg_engine)i;
        if (strcmp(value, names[i]) == 0) return true;
    }
    return complain(options->command, "`--engine %s` is none of auto, native, interpreter", value);
}

/* What one would expect to add up is not replaced in silence. */
static bool set_once(const tool_options *options, const char **place, const char *value,
                     const char *instead) {
    if (*place) return complain(options->command, "given twice; put all into %s", instead);
    *place = value;
    return true;
}

static bool set_option(tool_options *options, option_id id, const char *value) {
    switch (id) {
    case OPTION_output: options->output = value; return append(&options->outputs, options->command, value);
    case OPTION_experiment: options->experiment = value; return true;
    case OPTION_stop: options->stop = value; return true;
    case OPTION_solver: options->solver = value; return true;
    case OPTION_step: options->step = value; return true;
    case OPTION_record: return set_once(options, &options->record, value, "one list: `--record a,b,c`");
    case OPTION_every: options->every = value; return true;
    case OPTION_plot: return append(&options->plots, options->command, value);
    case OPTION_at:
        if (options->command == COMMAND_verify) return append(&options->slice, options->command, value);
        options->at = value;
        return true;
    case OPTION_bode: options->bode_input = value; return true;
    case OPTION_columns: options->columns = value; return true;
    case OPTION_rtol: return read_number(options, "--rtol", value, &options->rtol);
    case OPTION_atol: return read_number(options, "--atol", value, &options->atol);
    case OPTION_timeout: return read_timeout(options, value);
    case OPTION_fault:
        if (options->faults.count < LIST_LIMIT) return append(&options->faults, options->command, value);
        return complain(options->command,
                        "too many faults at `%s`; `--faults FILE` takes a table of any length", value);
    case OPTION_faults: return set_once(options, &options->fault_table, value, "one table: `--faults FILE`");
    case OPTION_seed: return read_seed(options, value);
    case OPTION_runs: return read_count(options, "--runs", value, &options->runs);
    case OPTION_jobs: return read_jobs(options, value);
    case OPTION_nominal: options->nominal = true; return true;
    case OPTION_resume: options->resume = true; return true;
    case OPTION_trace: options->traces = value; return true;
    case OPTION_trace_folder: options->trace_folder = value; return true;
    case OPTION_events: options->events = value; return true;
    case OPTION_explain:
        options->explain = value ? -1 : EXPLAINED;
        if (!value || strcmp(value, "all") == 0) return true;
        return complain(options->command, "`--explain=%s` is neither `--explain` nor `--explain=all`", value);
    case OPTION_zeno:
        options->zeno_rest = strcmp(value, "rest") == 0;
        if (options->zeno_rest || strcmp(value, "stop") == 0) return true;
        return complain(options->command, "`--zeno %s` is neither stop nor rest", value);
    case OPTION_engine: return read_engine(options, value);
    case OPTION_strict: options->strict = true; return true;
    case OPTION_ledger: options->ledger = true; return true;
    case OPTION_no_ledger: options->no_ledger = true; return true;
    case OPTION_quiet: options->quiet = true; return true;
    case OPTION_model: options->model = value; return true;
    case OPTION_mode: options->mode = value; return true;
    case OPTION_compare: options->compare = value; return true;
    case OPTION_no_strokes: options->no_strokes = true; return true;
    case OPTION_all: options->all = true; return true;
    case OPTION_paths: options->paths = true; return true;
    case OPTION_integral: options->integral = true; return true;
    case OPTION_parameter: return append(&options->parameters, options->command, value);
    case OPTION_include: return append(&options->include, options->command, value);
    case OPTION_warning: return append(&options->warning, options->command, value);
    case OPTION_json: options->json = true; return true;
    case OPTION_check_only: options->check_only = true; return true;
    case OPTION_force: options->force = true; return true;
    case OPTION_no_values: options->no_values = true; return true;
    case OPTION_no_automata: options->no_automata = true; return true;
    case OPTION_colour:
        options->colour = value;
        if (strcmp(value, "auto") == 0 || strcmp(value, "always") == 0 || strcmp(value, "never") == 0)
            return true;
        return complain(options->command, "`--color %s` is none of auto, always and never", value);
    default: return false;
    }
}

/* The option a word names; OPTION_COUNT if none. *value: what is glued to it (`--output=x`, `-ox`), or NULL.
 */
static option_id find_option(const char *word, const char **value) {
    *value = NULL;
    if (word[1] != '-') {
        for (int i = 0; i < OPTION_COUNT; i++) {
            if (table[i].letter == 0 || table[i].letter != word[1]) continue;
            if (word[2]) *value = word + 2;
            return i;
        }
        return OPTION_COUNT;
    }
    size_t size = strcspn(word + 2, "=");
    if (word[2 + size] == '=') *value = word + 3 + size;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strlen(table[i].name) == size && strncmp(table[i].name, word + 2, size) == 0) return i;
    return OPTION_COUNT;
}

bool tool_options_read(tool_options *options, tool_command command, int count, char **arguments) {
    memset(options, 0, sizeof *options);
    options->command = command;
    options->colour = "auto";
    options->seed = 1;
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        const char *word = arguments[i], *value;
        if (only_files || word[0] != '-' || word[1] == 0) {
            if (!append(&options->files, command, word)) return false;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_files = true;
            continue;
        }
        option_id id = find_option(word, &value);
        if (id == OPTION_COUNT || !(table[id].commands & (1 << command)))
            return unknown_option(command, word);
        bool may = table[id].value[0] == '[', takes = table[id].value[0] != 0 && !may;
        if (!takes && !may && value) return complain(command, "option `%s` takes no value", word);
        if (takes && !value) {
            if (i + 1 == count) return complain(command, "option `%s` needs a value", word);
            value = arguments[++i];
        }
        if (!set_option(options, id, value)) return false;
        if (id == OPTION_bode) {
            if (i + 1 == count) return complain(command, "option `%s` needs an input and an output", word);
            options->bode_output = arguments[++i];
        }
    }
    if (options->files.count == 0) return complain(command, "%s", "no file is named");
    if (options->files.count > 1 && command != COMMAND_check && command != COMMAND_fmt)
        return complain(command, "one model at a time: `%s` is a second one", options->files.values[1]);
    return true;
}
