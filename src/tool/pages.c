/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The options for other programs: the manual page for man, completions for bash, zsh and fish. All are
 * printed from the tables of commands and options, so they are complete. */
#include "tool/tool_impl.h"

#include <string.h>

static const struct {
    const char *name;
    char letter;
    const char *value, *unless;
    int commands;
    const char *text;
} options[] = {
#define X(id, name, letter, value, type, least, most, unless, place, commands, text)                         \
    {name, letter, value, unless, commands, text},
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

/* Prints a text; each of these characters is replaced by the other text. */
static void put_escaped(FILE *out, const char *text, const char *characters, const char *const *instead) {
    for (const char *c = text; *c; c++) {
        const char *found = strchr(characters, *c);
        if (found)
            fputs(instead[found - characters], out);
        else
            fputc(*c, out);
    }
}

/* ---- manual ------------------------------------------------------------------------------------------- */

/* A hyphen becomes a minus, so it can be copied; a zero-width character keeps a line from being a request. */
static void put_roff(FILE *out, const char *text) {
    static const char *const instead[] = {"\\e", "\\-", "\\(ga", "\\(aq"};
    if (text[0] == '.' || text[0] == '\'') fputs("\\&", out);
    put_escaped(out, text, "\\-`'", instead);
}

static void manual_option(FILE *out, int id) {
    fputs(".TP\n", out);
    if (options[id].letter) fprintf(out, "\\fB\\-%c\\fR, ", options[id].letter);
    fputs("\\fB\\-\\-", out);
    put_roff(out, options[id].name);
    fputs("\\fR", out);
    if (options[id].value[0]) {
        fputs(options[id].value[0] == '[' ? "\\fI" : " \\fI", out);
        put_roff(out, options[id].value);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_roff(out, options[id].text);
    if (options[id].unless[0]) {
        fputs("; ", out);
        put_roff(out, options[id].unless);
        fputs(" if not said", out);
    }
    fputs(".\n", out);
}

static void manual_command(FILE *out, int command) {
    fprintf(out, ".SS hbg %s %s\n", commands[command].name, commands[command].arguments);
    put_roff(out, commands[command].text);
    fputs(".\n", out);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options[i].commands & (1 << command)) manual_option(out, i);
}

static void put_manual(FILE *out) {
    fprintf(out, "'\\\" -*- coding: utf-8 -*-\n.TH HBG 1 \"\" \"hbg %s\" \"User commands\"\n", hbg_version());
    fputs(".SH NAME\nhbg \\- check, prove, run and export hybrid bond graphs\n", out);
    fputs(".SH SYNOPSIS\n.B hbg\n.I COMMAND\n[\\fIoption\\fR \\&...] \\fIFILE\\fR \\&...\n", out);
    fputs(".SH DESCRIPTION\nA model is text: elements, junctions and bonds, and automata that switch them. "
          "hbg checks "
          "it,\nproves that its switching is consistent, runs it through mode changes and impulses, injects "
          "faults,\n"
          "runs many variants, and exports it.\n",
          out);
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++) manual_command(out, i);
    fputs(".SH EXIT STATUS\n0 fine, 1 property violated, 2 bad input or option, 3 run not finished, 4 not "
          "decided;\n"
          "130, 143 and 129 where Ctrl\\-C, SIGTERM and SIGHUP ended it.\n",
          out);
    fputs(".SH ENVIRONMENT\n.TP\n.B HBG_PATH\nFolders for imports, with colons between them, before the "
          "library.\n",
          out);
    fputs(".SH EXAMPLES\n.nf\nhbg check ball.hbg\nhbg run ball.hbg \\-\\-stop 3 \\-\\-plot ball.svg\n"
          "hbg verify ball.hbg\n.fi\n",
          out);
}

/* ---- completions -------------------------------------------------------------------------------------- */

/* The possible values of an option, `a|b|c`, from its value name, or as explained in its help. NULL: any. */
static const char *words_of(int id) {
    static const struct {
        option_id id;
        const char *words;
    } explained[] = {
        {OPTION_solver, "auto|bdf|adams|erk|euler|heun|ode3|rk4|trapezoidal"},
        {OPTION_engine, "auto|native|interpreter|cuda"},
        {OPTION_as, "histogram|scatter|parallel"},
        {OPTION_reading, "settled|printed|loose"},
        {OPTION_plan, "sobol"},
    };
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
        if (explained[i].id == (option_id)id) return explained[i].words;
    if (!strchr(options[id].value, '|')) return NULL;
    for (const char *c = options[id].value; *c; c++)
        if (*c >= 'A' && *c <= 'Z') return NULL;
    return options[id].value;
}

static void put_words(FILE *out, const char *value) {
    for (const char *c = value; *c; c++) fputc(*c == '|' ? ' ' : *c, out);
}

static bool takes_word(int id) {
    return options[id].value[0] && options[id].value[0] != '[';
}

static void put_bash(FILE *out) {
    fputs("# completion of hbg for bash, as `hbg help bash` prints it\n_hbg() {\n", out);
    fputs("    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} names=\n    "
          "COMPREPLY=()\n",
          out);
    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        mapfile -t COMPREPLY < <(compgen -W '", out);
    for (int i = 0; i < COMMAND_COUNT; i++) fprintf(out, "%s ", commands[i].name);
    fputs("help' -- \"$word\")\n        return\n    fi\n    case $before in\n", out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!words_of(i)) continue;
        fprintf(out, "    --%s) mapfile -t COMPREPLY < <(compgen -W '", options[i].name);
        put_words(out, words_of(i));
        fputs("' -- \"$word\"); return ;;\n", out);
    }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", out);
    for (int command = 0; command < COMMAND_COUNT; command++) {
        fprintf(out, "    %s) names='", commands[command].name);
        for (int i = 0; i < OPTION_COUNT; i++)
            if (options[i].commands & (1 << command)) fprintf(out, "--%s ", options[i].name);
        fputs("--help' ;;\n", out);
    }
    fputs("    esac\n    case $word in\n    -*) mapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$word\") "
          ";;\n",
          out);
    fputs("    esac\n}\ncomplete -o default -F _hbg hbg\n", out);
}

/* Prints a text inside single quotes, or inside the brackets of a description. */
static void put_zsh(FILE *out, const char *text) {
    static const char *const instead[] = {"'\\''", "\\[", "\\]", "\\:", "\\\\"};
    put_escaped(out, text, "'[]:\\", instead);
}

static void put_zsh_option(FILE *out, int id) {
    fprintf(out, "            '*--%s%s[", options[id].name, options[id].value[0] == '[' ? "=-" : "");
    put_zsh(out, options[id].text);
    fputc(']', out);
    if (words_of(id)) {
        fputs(":value:(", out);
        put_words(out, words_of(id));
        fputc(')', out);
    } else if (options[id].value[0]) {
        fputs(options[id].value[0] == '[' ? "::" : ":", out);
        put_zsh(out, options[id].value);
        fputs(":_files", out);
    }
    fputs("' \\\n", out);
}

static void put_zsh_page(FILE *out) {
    fputs("#compdef hbg\n# completion of hbg for zsh, as `hbg help zsh` prints it\n_hbg() {\n", out);
    fputs("    if (( CURRENT == 2 )); then\n        local -a names=(\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "            '%s:", commands[i].name);
        put_zsh(out, commands[i].text);
        fputs("'\n", out);
    }
    fputs("            'help:the options of a command'\n        )\n        _describe command names\n        "
          "return\n    fi\n",
          out);
    fputs("    case $words[2] in\n", out);
    for (int command = 0; command < COMMAND_COUNT; command++) {
        fprintf(out, "    %s)\n        _arguments \\\n", commands[command].name);
        for (int i = 0; i < OPTION_COUNT; i++)
            if (options[i].commands & (1 << command)) put_zsh_option(out, i);
        fputs("            '--help[show the options]' '*:file:_files' ;;\n", out);
    }
    fputs("    esac\n}\n_hbg \"$@\"\n", out);
}

static void put_fish(FILE *out) {
    static const char *const instead[] = {"\\'", "\\\\"};
    fputs("# completion of hbg for fish, as `hbg help fish` prints it\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "complete -c hbg -n __fish_use_subcommand -a %s -d '", commands[i].name);
        put_escaped(out, commands[i].text, "'\\", instead);
        fputs("'\n", out);
    }
    fputs("complete -c hbg -n __fish_use_subcommand -a help -d 'the options of a command'\n", out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        fputs("complete -c hbg -n '__fish_seen_subcommand_from", out);
        for (int command = 0; command < COMMAND_COUNT; command++)
            if (options[i].commands & (1 << command)) fprintf(out, " %s", commands[command].name);
        fprintf(out, "' -l %s", options[i].name);
        if (options[i].letter) fprintf(out, " -s %c", options[i].letter);
        if (takes_word(i)) fputs(" -r", out);
        if (words_of(i)) {
            fputs(" -f -a '", out);
            put_words(out, words_of(i));
            fputc('\'', out);
        }
        fputs(" -d '", out);
        put_escaped(out, options[i].text, "'\\", instead);
        fputs("'\n", out);
    }
}

bool hbg_tool_page(FILE *out, const char *topic) {
    static const struct {
        const char *topic;
        void (*put)(FILE *);
    } pages[] = {{"man", put_manual}, {"bash", put_bash}, {"zsh", put_zsh_page}, {"fish", put_fish}};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(pages[i].topic, topic) != 0) continue;
        pages[i].put(out);
        return true;
    }
    return false;
}
