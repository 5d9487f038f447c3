/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Options of all commands from one table: reading them, and the help texts. */
#include "tool/tool_impl.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Reads the value into its place; false after reporting an error. */
typedef bool option_reader(tool_options *options, option_id id, const char *value);
static option_reader read_text, read_list, read_one, read_yes, read_no, read_positive, read_count, read_seed,
    read_seconds, read_jobs, read_explain, read_zeno, read_slides, read_engine, read_colour, read_at,
    read_depth, read_port;

static const struct {
    const char *name;
    char letter;
    const char *value;
    option_reader *read;
    double least, most;
    const char *unless;
    size_t place;
    int commands;
    const char *text;
} table[] = {
#define X(id, name, letter, value, type, least, most, unless, place, commands, text)                         \
    {name,                                                                                                   \
     letter,                                                                                                 \
     value,                                                                                                  \
     read_##type,                                                                                            \
     (double)(least),                                                                                        \
     (double)(most),                                                                                         \
     unless,                                                                                                 \
     offsetof(tool_options, place),                                                                          \
     commands,                                                                                               \
     text},
    OPTION_LIST(X)
#undef X
};

/* The type that a reader writes has to be that of the place. */
#define TYPE_text     const char *
#define TYPE_one      const char *
#define TYPE_colour   const char *
#define TYPE_at       const char *
#define TYPE_list     tool_list
#define TYPE_yes      bool
#define TYPE_no       bool
#define TYPE_zeno     bool
#define TYPE_slides   bool
#define TYPE_positive double
#define TYPE_seconds  double
#define TYPE_count    int64_t
#define TYPE_explain  int64_t
#define TYPE_seed     uint64_t
#define TYPE_jobs     int
#define TYPE_depth    int32_t
#define TYPE_port     int
#define TYPE_engine   hbg_engine
#define X(id, name, letter, value, type, least, most, unless, place, commands, text)                         \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((tool_options *)0)->place), TYPE_##type),        \
                   "what is read for --" name " goes into another type");
OPTION_LIST(X)
#undef X

static const struct {
    const char *name, *arguments, *text;
} commands[] = {
#define X(name, arguments, text) {#name, arguments, text},
    COMMAND_LIST(X)
#undef X
};

tool_command hbg_tool_find_command(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return i;
    return COMMAND_COUNT;
}

const char *hbg_tool_nearest_command(const char *word) {
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

void hbg_tool_help(FILE *out) {
    fprintf(out, "hbg %s: hybrid bond graphs from text\n\nUsage: hbg COMMAND …\n\n", hbg_version());
    for (int i = 0; i < COMMAND_COUNT; i++)
        help_command_line(out, commands[i].name, commands[i].arguments, commands[i].text);
    help_command_line(out, "help", "COMMAND",
                      "the options of a command; man: the manual page; bash, zsh, fish: completion");
    fprintf(out, "\nExit status: 0 fine, 1 property violated, 2 bad input or option,\n"
                 "  3 run not finished, 4 not decided; ended by a signal: 130 Ctrl-C, 143 SIGTERM,\n"
                 "  129 SIGHUP.\n");
    fprintf(out, "Start with docs/tutorial.md; the language is in docs/language.md.\n");
}

/* Options with another meaning for one command. */
static const struct {
    tool_command command;
    int id;
    const char *value, *text;
} meanings[] = {{COMMAND_verify, OPTION_plot, "X,Y",
                 "draw the phase space over two energy variables or inputs; -o says where: .svg or .png"},
                {COMMAND_hypa, OPTION_check_only, "",
                 "run an experiment and judge it by the process: exit 0 accepted, 1 refused, 4 not decided"},
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
    bool plain = text == table[id].text && table[id].unless[0];
    fprintf(out, "%s%s%s%s\n", text, plain ? "; " : "", plain ? table[id].unless : "",
            plain ? " if not said" : "");
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

void hbg_tool_help_command(FILE *out, tool_command command) {
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
    hbg_tool_say(stderr, format, what);
    fprintf(stderr, "; `hbg help %s` lists the options\n", commands[command].name);
    return false;
}

/* Reports an unknown option, with a suggestion from the command's options. */
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
    hbg_tool_say(stderr, "hbg: unknown option `%s`; did you mean `--%s`?\n", word, nearest);
    return false;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* The place for the value of an option. */
static void *place_of(tool_options *options, option_id id) {
    return (char *)options + table[id].place;
}

/* Reports an error of an option with its value. */
static bool refuse(const tool_options *options, option_id id, const char *format, const char *value) {
    char text[128];
    snprintf(text, sizeof text, "--%s %.60s", table[id].name, value);
    return complain(options->command, format, text);
}

static bool append(tool_list *list, tool_command command, const char *value) {
    if (list->count == LIST_LIMIT) return complain(command, "too many arguments at `%s`", value);
    list->values[list->count++] = value;
    return true;
}

static bool read_text(tool_options *options, option_id id, const char *value) {
    *(const char **)place_of(options, id) = value;
    return true;
}

static bool read_list(tool_options *options, option_id id, const char *value) {
    tool_list *list = place_of(options, id);
    if (id == OPTION_fault && list->count == LIST_LIMIT)
        return complain(options->command,
                        "too many faults at `%s`; `--faults FILE` takes a table of any length", value);
    return append(list, options->command, value);
}

/* An option that users expect to accumulate is not silently replaced. */
static bool read_one(tool_options *options, option_id id, const char *value) {
    if (!*(const char **)place_of(options, id)) return read_text(options, id, value);
    return complain(options->command, "given twice; put all into one %s",
                    id == OPTION_record ? "list: `--record a,b,c`" : "table: `--faults FILE`");
}

static bool read_yes(tool_options *options, option_id id, const char *value) {
    (void)value;
    *(bool *)place_of(options, id) = true;
    return true;
}

static bool read_no(tool_options *options, option_id id, const char *value) {
    (void)value;
    *(bool *)place_of(options, id) = false;
    return true;
}

static bool read_positive(tool_options *options, option_id id, const char *value) {
    double *number = place_of(options, id);
    char *end;
    *number = strtod(value, &end);
    if (end != value && *end == 0 && *number > 0 && *number < 1e300) return true;
    return refuse(options, id, "`%s` is not a positive number", value);
}

static bool in_range(option_id id, double number) {
    return number >= table[id].least && number <= table[id].most;
}

static bool read_seconds(tool_options *options, option_id id, const char *value) {
    if (!read_positive(options, id, value)) return false;
    if (in_range(id, *(double *)place_of(options, id))) return true;
    return complain(options->command, "`--timeout %s` is not a number of seconds up to a million", value);
}

/* A whole number that consists only of digits. */
static bool is_whole(const char *value, const char *end) {
    return value[0] >= '0' && value[0] <= '9' && *end == 0;
}

static bool read_seed(tool_options *options, option_id id, const char *value) {
    uint64_t *seed = place_of(options, id);
    char *end;
    errno = 0;
    *seed = strtoull(value, &end, 10);
    if (!is_whole(value, end))
        return complain(options->command, "`--seed %s` is not a whole number from 0 on", value);
    if (errno == 0 && *seed <= INT64_MAX) return true;
    return complain(options->command, "`--seed %s` is too large: 9223372036854775807 is the most", value);
}

static bool take_count(const tool_options *options, option_id id, const char *value, int64_t *number) {
    char *end;
    errno = 0;
    *number = strtoll(value, &end, 10);
    if (is_whole(value, end) && errno == 0 && (double)*number >= table[id].least) return true;
    return refuse(options, id, "`%s` is not a whole number from 1 on", value);
}

static bool read_count(tool_options *options, option_id id, const char *value) {
    return take_count(options, id, value, place_of(options, id));
}

static bool read_depth(tool_options *options, option_id id, const char *value) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (!is_whole(value, end)) return refuse(options, id, "`%s` is not a whole number from 0 on", value);
    *(int32_t *)place_of(options, id) = errno != 0 || number > INT32_MAX ? INT32_MAX : (int32_t)number;
    return true;
}

static bool read_jobs(tool_options *options, option_id id, const char *value) {
    int64_t number;
    if (!take_count(options, id, value, &number)) return false;
    *(int *)place_of(options, id) = (double)number > table[id].most ? (int)table[id].most : (int)number;
    return true;
}

static bool read_port(tool_options *options, option_id id, const char *value) {
    char *end;
    long number = strtol(value, &end, 10);
    *(int *)place_of(options, id) = (int)number;
    if (is_whole(value, end) && in_range(id, (double)number)) return true;
    return complain(options->command, "`--port %s` is not a number from 0 to 65535", value);
}

static bool read_explain(tool_options *options, option_id id, const char *value) {
    *(int64_t *)place_of(options, id) = value ? -1 : (int64_t)table[id].most;
    if (!value || strcmp(value, "all") == 0) return true;
    return complain(options->command, "`--explain=%s` is neither `--explain` nor `--explain=all`", value);
}

static bool read_zeno(tool_options *options, option_id id, const char *value) {
    bool *rest = place_of(options, id);
    *rest = strcmp(value, "rest") == 0;
    if (*rest || strcmp(value, "stop") == 0) return true;
    return complain(options->command, "`--zeno %s` is neither stop nor rest", value);
}

static bool read_slides(tool_options *options, option_id id, const char *value) {
    bool *slides = place_of(options, id);
    *slides = strcmp(value, "slide") == 0;
    if (*slides || strcmp(value, "tell") == 0) return true;
    return complain(options->command, "`--chattering %s` is neither tell nor slide", value);
}

static bool read_engine(tool_options *options, option_id id, const char *value) {
    static const char *const names[] = {[HBG_ENGINE_AUTO] = "auto",
                                        [HBG_ENGINE_INTERPRETER] = "interpreter",
                                        [HBG_ENGINE_NATIVE] = "native",
                                        [HBG_ENGINE_CUDA] = "cuda"};
    bool many = options->command == COMMAND_sweep;
    for (int i = HBG_ENGINE_AUTO; i <= (many ? HBG_ENGINE_CUDA : HBG_ENGINE_NATIVE); i++) {
        *(hbg_engine *)place_of(options, id) = (hbg_engine)i;
        if (strcmp(value, names[i]) == 0) return true;
    }
    return complain(options->command,
                    many ? "`--engine` takes auto, native, cuda or interpreter, not `%s`"
                         : "`--engine` takes auto, native or interpreter, not `%s`; cuda is for `hbg sweep`",
                    value);
}

static bool read_colour(tool_options *options, option_id id, const char *value) {
    if (strcmp(value, "auto") == 0 || strcmp(value, "always") == 0 || strcmp(value, "never") == 0)
        return read_text(options, id, value);
    return complain(options->command, "`--color` takes auto, always or never, not `%s`", value);
}

/* A time, but for `verify` a place. */
static bool read_at(tool_options *options, option_id id, const char *value) {
    if (options->command == COMMAND_verify) return append(&options->slice, options->command, value);
    return read_text(options, id, value);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* The option that a word names; if two have the name, that of the command; OPTION_COUNT if none. *value: its
 * attached value (`--output=x`, `-ox`), or NULL. */
static option_id find_option(tool_command command, const char *word, const char **value) {
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
        if (table[i].commands & (1 << command) && strlen(table[i].name) == size &&
            strncmp(table[i].name, word + 2, size) == 0)
            return i;
    return OPTION_COUNT;
}

/* Copies options that several functions of the library need. */
static void connect(tool_options *options) {
    hbg_load_options *load = &options->load;
    hbg_run_options *run = &options->sweep.run;
    bool sweeps = options->command == COMMAND_sweep;
    *(sweeps ? &load->sweeps : &load->parameters) = options->parameters.values;
    *(sweeps ? &load->sweep_count : &load->parameter_count) = options->parameters.count;
    load->inputs = options->inputs.values;
    load->input_count = options->inputs.count;
    load->faults = options->faults.values;
    load->fault_count = options->faults.count;
    load->faults_apart = sweeps;
    load->one_experiment = (ON_RUNS & (1 << options->command)) != 0;
    run->experiment = load->experiment;
    run->json = options->json;
    run->no_summary = options->quiet && !options->json;
    run->files = options->outputs.values;
    run->file_count = options->outputs.count;
    run->choose = options->choices.values;
    run->choose_count = options->choices.count;
    if (options->plots.count > 0) {
        run->plot = options->plots.values[0];
        run->more_plots = options->plots.values + 1;
        run->more_plot_count = options->plots.count - 1;
    }
    options->explore.run = *run;
    options->explore.runs = options->sweep.runs;
    options->explore.threads = options->sweep.threads;
    options->draw.mode = options->mode;
    options->stats.limits = options->limits.values;
    options->stats.limit_count = options->limits.count;
    options->stats.json = options->json;
    if (options->outputs.count == 0) return;
    options->output = options->sweep.file = options->outputs.values[options->outputs.count - 1];
}

/* The target of an export comes before the model. */
static bool take_target(tool_options *options) {
    options->target = options->files.values[0];
    options->files.values++;
    return --options->files.count > 0;
}

/* Keeps the options that a shard on another machine gets, too: all except its output and its share. */
static bool keep_word(tool_options *options, option_id id, const char *word, const char *value) {
    bool own = id == OPTION_slurm || id == OPTION_output || id == OPTION_resume || id == OPTION_quiet;
    if (id == OPTION_jobs) options->cluster.slurm.has_jobs = true;
    if (own) return true;
    bool apart = value && (word[1] == '-' ? !strchr(word, '=') : word[2] == 0);
    return append(&options->cluster.words, options->command, word) &&
           (!apart || append(&options->cluster.words, options->command, value));
}

bool hbg_tool_options_read(tool_options *options, tool_command command, int count, char **arguments) {
    memset(options, 0, sizeof *options);
    options->command = command;
    options->colour = "auto";
    options->sweep = hbg_sweep_options_default();
    options->explore = hbg_explore_options_default();
    options->draw = hbg_draw_options_default();
    options->stats = hbg_stats_options_default();
    options->files.values = (const char **)arguments;
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        const char *word = arguments[i], *value;
        if (only_files || word[0] != '-' || word[1] == 0) {
            options->files.values[options->files.count++] = word; // their places have been read
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_files = true;
            continue;
        }
        option_id id = find_option(command, word, &value);
        if (id == OPTION_COUNT || !(table[id].commands & (1 << command)))
            return unknown_option(command, word);
        bool may = table[id].value[0] == '[', takes = table[id].value[0] != 0 && !may;
        if (!takes && !may && value) return complain(command, "option `%s` takes no value", word);
        if (takes && !value) {
            if (i + 1 == count) return complain(command, "option `%s` needs a value", word);
            value = arguments[++i];
        }
        if (!table[id].read(options, id, value)) return false;
        options->given[id] = true;
        if (command == COMMAND_sweep && !keep_word(options, id, word, takes ? value : NULL)) return false;
        if (id == OPTION_bode) {
            if (i + 1 == count) return complain(command, "option `%s` needs an input and an output", word);
            options->bode.output = arguments[++i];
        }
    }
    bool alone = command == COMMAND_lsp; // its client names the files
    if (alone && options->files.count > 0)
        return complain(command, "%s", "it takes no file: an editor starts it");
    if (options->files.count == 0 && !alone && !options->library && command != COMMAND_studio)
        return complain(command, "%s", "no file is named");
    if (command == COMMAND_export && !take_target(options))
        return complain(command, "no model is named to be exported as `%s`", options->target);
    if (options->files.count > 1 && command != COMMAND_check && command != COMMAND_fmt &&
        command != COMMAND_plot && !options->cluster.merge && !options->library)
        return complain(command, "one model at a time: `%s` is a second one", options->files.values[1]);
    if (!hbg_tool_options_fit(options)) return false;
    connect(options);
    return true;
}

const char *hbg_tool_option_name(option_id id) {
    return table[id].name;
}
