/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Refuses options that would do nothing: those that modify another option which was not given, and options of
 * runs if there is no run. */
#include "tool/tool_impl.h"

/* `what` has an effect only together with `with`, or with `or_with`. */
static const struct {
    tool_command command;
    option_id what, with, or_with;
} needs[] = {
    {COMMAND_run, OPTION_window, OPTION_plot, OPTION_plot},
    {COMMAND_run, OPTION_log, OPTION_plot, OPTION_plot},
    {COMMAND_run, OPTION_strips, OPTION_plot, OPTION_plot},
    {COMMAND_run, OPTION_units, OPTION_output, OPTION_output},
    {COMMAND_sweep, OPTION_trace_folder, OPTION_trace, OPTION_trace},
    {COMMAND_sweep, OPTION_nominal, OPTION_faults, OPTION_faults},
    {COMMAND_stats, OPTION_count, OPTION_worst, OPTION_worst},
    {COMMAND_stats, OPTION_traces, OPTION_signatures, OPTION_signatures},
    {COMMAND_stats, OPTION_threshold, OPTION_signatures, OPTION_signatures},
};

static bool has_company(const tool_options *options) {
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (needs[i].command != options->command || !options->given[needs[i].what]) continue;
        if (options->given[needs[i].with] || options->given[needs[i].or_with]) continue;
        fprintf(stderr, "hbg: --%s does nothing without --%s\n", hbg_tool_option_name(needs[i].what),
                hbg_tool_option_name(needs[i].with));
        return false;
    }
    return true;
}

static bool is_one_of(option_id id, const option_id *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == id) return true;
    return false;
}

/* The first given option that is not in a list; OPTION_COUNT: none. */
static option_id beside(const tool_options *options, const option_id *list, size_t count) {
    int id = 0;
    while (id < OPTION_COUNT && (!options->given[id] || is_one_of((option_id)id, list, count))) id++;
    return (option_id)id;
}

/* Shards contain the options they were made with; the library and a text of a process are not models: other
 * options have no effect. */
static bool is_alone(const tool_options *options) {
    static const option_id merging[] = {OPTION_merge, OPTION_output, OPTION_quiet, OPTION_colour},
                           listing[] = {OPTION_library, OPTION_include, OPTION_json, OPTION_colour},
                           parsing[] = {OPTION_parse, OPTION_output, OPTION_colour};
    option_id found = options->cluster.merge ? beside(options, merging, sizeof merging / sizeof *merging)
                      : options->library     ? beside(options, listing, sizeof listing / sizeof *listing)
                      : options->forms.parse ? beside(options, parsing, sizeof parsing / sizeof *parsing)
                                             : OPTION_COUNT;
    if (found == OPTION_COUNT) return true;
    fprintf(
        stderr,
        options->cluster.merge
            ? "hbg: --merge makes no runs: it takes the tables of the shards and `-o FILE`, not --%s\n"
        : options->library
            ? "hbg: --library lists no model: --%s does nothing beside it\n"
            : "hbg: --parse reads a text, not a model, and writes it again: --%s does nothing beside it\n",
        hbg_tool_option_name(found));
    return false;
}

bool hbg_tool_options_fit(const tool_options *options) {
    return has_company(options) && is_alone(options);
}
