/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The `hbg` command: finds the subcommand and calls it. */
#include "tool/tool_impl.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int run(tool_command command, int count, char **arguments) {
    static int (*const functions[])(const tool_options *) = {
#define X(name, text, summary) hbg_tool_command_##name,
        COMMAND_LIST(X)
#undef X
    };
    tool_options options;
    if (!hbg_tool_options_read(&options, command, count, arguments)) return EXIT_BAD_INPUT;
    return functions[command](&options);
}

static int no_command(const char *word) {
    const char *nearest = hbg_tool_nearest_command(word);
    if (nearest)
        hbg_tool_say(stderr, "hbg: there is no command `%s`; did you mean `%s`?\n", word, nearest);
    else
        hbg_tool_say(stderr, "hbg: there is no command `%s`; `hbg help` lists them\n", word);
    return EXIT_BAD_INPUT;
}

static int help(const char *topic) {
    if (!topic) {
        hbg_tool_help(stdout);
        return EXIT_FINE;
    }
    if (hbg_tool_page(stdout, topic)) return EXIT_FINE;
    tool_command command = hbg_tool_find_command(topic);
    if (command == COMMAND_COUNT) return no_command(topic);
    hbg_tool_help_command(stdout, command);
    return EXIT_FINE;
}

static bool asks_for_help(int count, char **arguments) {
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) return true;
    return false;
}

/* Threads of OpenBLAS without memory, as under `ulimit -v`, keep trying to allocate endlessly, and exit waits
 * for them. */
static int leave(int result) {
    struct rlimit room;
    bool limited = getrlimit(RLIMIT_AS, &room) == 0 && room.rlim_cur != RLIM_INFINITY;
    if (limited && fflush(NULL) == 0) _exit(result);
    return result;
}

/* The output must have been written: a full disk is a failure. */
static int finish(int result) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return leave(result);
    fprintf(stderr, "hbg: cannot write to standard output\n");
    return leave(EXIT_BAD_INPUT);
}

int main(int count, char **arguments) {
    (void)signal(SIGXFSZ, SIG_IGN); // a file at its size limit gives an error, like a full disk
    if (count < 2) {
        hbg_tool_help(stderr);
        return leave(EXIT_BAD_INPUT);
    }
    const char *word = arguments[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        printf("hbg %s\n", hbg_version());
        return finish(EXIT_FINE);
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return finish(help(count > 2 ? arguments[2] : NULL));
    tool_command command = hbg_tool_find_command(word);
    if (command == COMMAND_COUNT) return finish(no_command(word));
    if (asks_for_help(count - 2, arguments + 2)) return finish(help(word));
    return finish(run(command, count - 2, arguments + 2));
}
