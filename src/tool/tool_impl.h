/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The `hbg` command: options, and functions shared by the subcommands. Only this folder prints. */
#ifndef HBG_TOOL_IMPL_H
#define HBG_TOOL_IMPL_H

#include <limits.h>
#include <stdio.h>

#include "hbg/hbg.h"

/* Exit codes of the command, in addition to those of proofs and runs (hbg/status.h). */
enum { EXIT_FINE = 0, EXIT_VIOLATED = 1, EXIT_BAD_INPUT = 2, EXIT_NOT_FINISHED = 3 };

/* The commands: name, arguments, what it does. Each has a function command_NAME. */
#define COMMAND_LIST(X)                                                                                      \
    X(check, "MODEL…", "read a model and report everything that is wrong with it")                           \
    X(causality, "MODEL", "determining bonds, dependent storages and loops of a mode")                       \
    X(draw, "MODEL", "draw the bond graph as SVG, PNG or Graphviz text")                                     \
    X(compile, "MODEL", "compile an experiment into an image, a file that runs without the model")           \
    X(export, "TO MODEL",                                                                                    \
      "for other programs; TO is c, fmu, spaceex (a hybrid automaton) or blocks (a diagram)")                \
    X(equations, "MODEL", "the equations of a mode in the order they are computed")                          \
    X(fmt, "FILE…", "bring files into the canonical form")                                                   \
    X(hypa, "MODEL",                                                                                         \
      "the model as a process of HyPA: clauses in which time advances, and jumps between them")              \
    X(linearize, "MODEL", "A, B, C, D and eigenvalues at a point of a run, or a Bode plot")                  \
    X(list, "MODEL", "list elements, bonds, automata and parameters with units and values; or the library")  \
    X(lsp, "", "language server for editors, on standard input and output")                                  \
    X(plot, "RESULTS…", "draw results files, or the table of a sweep (CSV)")                                 \
    X(run, "MODEL", "run an experiment; results as CSV, HDF5, MATLAB file or plot")                          \
    X(steady, "MODEL", "find a point where nothing moves")                                                   \
    X(stats, "TABLE",                                                                                        \
      "what the table of a sweep says: spread, worst runs, yield, correlation, signatures of faults")        \
    X(studio, "[MODEL]", "text, diagram, runs, faults and proofs of a model or of a folder, in the browser") \
    X(sweep, "MODEL", "many runs: grids, random values, a campaign of faults; a table with a row for each")  \
    X(verify, "MODEL", "prove that the switching is consistent, or show where it is not")

typedef enum {
#define X(name, arguments, text) COMMAND_##name,
    COMMAND_LIST(X)
#undef X
        COMMAND_COUNT
} tool_command;

/* The options: identifier, long name, letter (0: none), value name ("" if it takes none), its reader (read_…
 * in options.c), its least and greatest value (numbers only; of --explain the number of instants), its
 * default ("": see its text), its field in tool_options, commands, text. Help, checks and docs/options.md
 * follow from the line. */
#define TEXT_OF_(x) #x
#define TEXT_OF(x)  TEXT_OF_(x)
#define ON(command) (1 << COMMAND_##command)
#define ON_RUN      (ON(run) | ON(sweep))
#define ON_SHIP     (ON_RUN | ON(export))
#define ON_PACE     (ON_SHIP | ON(compile))
#define ON_RUNS     (ON_PACE | ON(linearize) | ON(steady))
#define ON_MODELS                                                                                            \
    (ON(check) | ON(causality) | ON(draw) | ON(list) | ON(equations) | ON(hypa) | ON(verify) | ON_RUNS)
#define ON_SEARCH (ON_MODELS | ON(studio) | ON(lsp))
#define ON_ALL    (ON_MODELS | ON(fmt) | ON(plot) | ON(stats))
#define OPTION_LIST(X)                                                                                       \
    X(output, "output", 'o', "FILE", list, 0, 0, "", outputs,                                                \
      ON(draw) | ON(fmt) | ON_PACE | ON(hypa) | ON(linearize) | ON(plot) | ON(verify),                       \
      "write to FILE; `-` is standard output")                                                               \
    X(experiment, "experiment", 'x', "NAME", text, 0, 0, "", load.experiment, ON_RUNS | ON(hypa),            \
      "take this experiment instead of the first")                                                           \
    X(parameter, "param", 'p', "NAME=VALUE", list, 0, 0, "", parameters, ON_MODELS,                          \
      "give a parameter a value: -p R1=220, -p 'L=5 [mH]'")                                                  \
    X(model, "model", 'm', "NAME", text, 0, 0, "", load.model, ON_MODELS,                                    \
      "take this model of the file instead of the first")                                                    \
    X(include, "include", 'I', "FOLDER", list, 0, 0, "", include, ON_SEARCH,                                 \
      "look here for imports, before HBG_PATH and the library")                                              \
    X(stop, "stop", 0, "TIME", text, 0, 0, "", load.stop, ON_PACE,                                           \
      "end here: 0.2, '600 [us]', 600us, '5*R1*C1'")                                                         \
    X(solver, "solver", 0, "NAME", text, 0, 0, "", sweep.run.solver, ON_PACE,                                \
      "auto, bdf, adams, erk; euler, heun, ode3, rk4, trapezoidal with --step")                              \
    X(step, "step", 0, "TIME", text, 0, 0, "", load.step, ON_PACE,                                           \
      "step of a fixed-step solver, largest step of the others")                                             \
    X(rtol, "rtol", 0, "NUMBER", positive, HBG_RTOL_LEAST, HBG_RTOL_MOST, TEXT_OF(HBG_RTOL_USUAL),           \
      sweep.run.rtol, ON_PACE, "relative tolerance")                                                         \
    X(atol, "atol", 0, "NUMBER", positive, 0, HUGE_VAL, "", sweep.run.atol, ON_PACE,                         \
      "absolute tolerance, SI; if not said, by the size of each state")                                      \
    X(record, "record", 0, "LIST", one, 0, 0, "", load.records, ON_RUNS,                                     \
      "what to record instead: i_coil,node.e,'2*coil.p'")                                                    \
    X(units, "units", 0, "", yes, 0, 0, "", sweep.run.units, ON(run),                                        \
      "name the unit of every column in CSV: `i_coil [A]`, not only of those that are not in SI")            \
    X(every, "every", 0, "TIME", text, 0, 0, "", load.every, ON_PACE,                                        \
      "time between rows; if not said, a row for every step")                                                \
    X(input, "input", 0, "NAME=VALUE", list, 0, 0, "", inputs, ON_PACE,                                      \
      "give an input a value: sw=true, 'u=5*sin(time)', u=file.csv; may be repeated")                        \
    X(fault, "fault", 0, "SENTENCE", list, 0, 0, "", faults, ON_PACE,                                        \
      "add a fault: 'at 3 [s]: bulb.R abrupt -30 [%]'; may be repeated")                                     \
    X(faults, "faults", 0, "FILE", one, 0, 0, "", load.fault_table, ON_PACE,                                 \
      "add faults from a table: at,until,target,kind,value")                                                 \
    X(seed, "seed", 0, "NUMBER", seed, 0, INT64_MAX, TEXT_OF(HBG_SEED_USUAL), sweep.run.seed, ON_SHIP,       \
      "of the noise of sensors, and of what is chosen at random")                                            \
    X(choose, "choose", 0, "LIST", list, 0, 0, "", choices, ON_RUN,                                          \
      "decide what the model leaves open: 0.5,0.9 or least, greatest, random; may be repeated")              \
    X(explore, "explore", 0, "", yes, 0, 0, "", explores, ON(run),                                           \
      "many runs that choose otherwise: what they reach, and by which choices")                              \
    X(choice_depth, "depth", 0, "N", jobs, 1, 1000, TEXT_OF(HBG_EXPLORE_DEPTH), explore.depth, ON(run),      \
      "with --explore: vary so many choices of a run, the first ones")                                       \
    X(points, "points", 0, "N", jobs, 0, 1000, TEXT_OF(HBG_EXPLORE_POINTS), explore.points, ON(run),         \
      "with --explore: random ones at each choice, beside both ends and the default")                        \
    X(name, "name", 0, "NAME", text, 0, 0, "", name, ON(export),                                             \
      "what names in the C text begin with; if not said, that of the model")                                 \
    X(to, "to", 0, "json|xcos|simulink", text, 0, 0, "json", ship.to, ON(export),                            \
      "what a block diagram is written as")                                                                  \
    X(fmi, "fmi", 0, "2.0|3.0", text, 0, 0, "2.0", ship.fmi, ON(export),                                     \
      "of an FMU: the version of the interface")                                                             \
    X(interface, "interface", 0, "me,cs", text, 0, 0, "me,cs", ship.interface, ON(export),                   \
      "of an FMU: model exchange, co-simulation, or both")                                                   \
    X(no_binary, "no-binary", 0, "", yes, 0, 0, "", ship.no_binary, ON(export),                              \
      "of an FMU: sources only, nothing is compiled")                                                        \
    X(breakable, "breakable", 0, "", yes, 0, 0, "", ship.breakable, ON(export),                              \
      "of an FMU and C: parameters by which every element and sensor can be made to fail")                   \
    X(plot, "plot", 0, "FILE", list, 0, 0, "", plots, ON(run) | ON(verify),                                  \
      "draw the results: .svg, .png or .pdf")                                                                \
    X(timeout, "timeout", 0, "SECONDS", seconds, HBG_TIMEOUT_LEAST, HBG_TIMEOUT_MOST,                        \
      TEXT_OF(HBG_TIMEOUT_USUAL), timeout, ON(hypa) | ON(verify),                                            \
      "computing time for each group of automata")                                                           \
    X(events, "events", 0, "FILE", text, 0, 0, "", sweep.run.events, ON(run),                                \
      "log every event, a line of JSON each; `-` is standard output")                                        \
    X(explain, "explain", 0, "[=all]", explain, 50, 50, "", sweep.run.explain, ON(run),                      \
      "tell the first 50 instants in words, or all")                                                         \
    X(zeno, "zeno", 0, "stop|rest", zeno, 0, 0, "", sweep.run.zeno_rest, ON_SHIP,                            \
      "where events accumulate: stop, or let contacts come to rest")                                         \
    X(chattering, "chattering", 0, "tell|slide", slides, 0, 0, "", sweep.run.slides, ON_SHIP,                \
      "if a run switches back and forth: tell, or slide along the surface")                                  \
    X(engine, "engine", 0, "NAME", engine, 0, 0, "", sweep.run.engine, ON_RUN,                               \
      "the engine: auto, native (compiled C), interpreter; of many runs also cuda")                          \
    X(strict, "strict", 0, "", yes, 0, 0, "", sweep.run.strict, ON_SHIP,                                     \
      "stop also where a verdict is only a warning")                                                         \
    X(ledger, "ledger", 0, "", yes, 0, 0, "", sweep.run.every_element, ON(run),                              \
      "energies of every element, however many there are")                                                   \
    X(no_ledger, "no-ledger", 0, "", no, 0, 0, "", sweep.run.ledger, ON_SHIP, "no energy balance")           \
    X(quiet, "quiet", 'q', "", yes, 0, 0, "", quiet, ON_PACE, "report only errors and warnings")             \
    X(runs, "runs", 0, "NUMBER", count, 1, INT64_MAX, "", sweep.runs, ON_RUN,                                \
      "so many for each point and fault, with other random values; with --explore at most")                  \
    X(nominal, "nominal", 0, "", yes, 0, 0, "", sweep.nominal, ON(sweep),                                    \
      "with --faults: runs without any of them, too")                                                        \
    X(jobs, "jobs", 'j', "NUMBER", jobs, 1, 10000, "as many as processors", sweep.threads, ON_RUN,           \
      "threads")                                                                                             \
    X(lanes, "lanes", 0, "NUMBER", jobs, 1, 65536, "", sweep.lanes, ON(sweep),                               \
      "runs that a thread makes side by side in vectors, or on a device; if not said, as many as fit where " \
      "it pays")                                                                                             \
    X(resume, "resume", 0, "", yes, 0, 0, "", sweep.resume, ON(sweep),                                       \
      "go on with what an interrupted sweep left")                                                           \
    X(trace, "trace", 0, "LIST|all", text, 0, 0, "", sweep.traces, ON(sweep),                                \
      "keep the rows of these runs: 0,3,10-20")                                                              \
    X(trace_folder, "trace-folder", 0, "FOLDER", text, 0, 0, "FILE-traces", sweep.trace_folder, ON(sweep),   \
      "for them")                                                                                            \
    X(slurm, "slurm", 0, "REQUEST", text, 0, 0, "", cluster.slurm.request, ON(sweep),                        \
      "as a job array: options of sbatch, and how many shards: partition=short,time=1:00:00,shards=100")     \
    X(plan, "plan", 0, "sobol", text, 0, 0, "", sweep.plan, ON(sweep),                                       \
      "runs for indices of Sobol: --runs samples, parameters and 2 more runs each")                          \
    X(shard, "shard", 0, "K/N", text, 0, 0, "", sweep.shard, ON(sweep),                                      \
      "make only the K-th of N shares of the runs")                                                          \
    X(merge, "merge", 0, "", yes, 0, 0, "", cluster.merge, ON(sweep),                                        \
      "put the tables of all shards together: sweep --merge SHARD… -o FILE")                                 \
    X(worst, "worst", 0, "COLUMN", text, 0, 0, "", stats.worst, ON(stats),                                   \
      "the runs where it is greatest, of a `min` least: v.max")                                              \
    X(count, "count", 0, "NUMBER", count, 1, INT64_MAX, "5", stats.count, ON(stats), "so many of the worst") \
    X(limit, "limit", 0, "LIMIT", list, 0, 0, "", limits, ON(stats),                                         \
      "yield against it: 'v.max <= 5', as the column has it; may be repeated")                               \
    X(correlate, "correlate", 0, "", yes, 0, 0, "", stats.correlate, ON(stats),                              \
      "rank correlation of results with what was swept")                                                     \
    X(sobol, "sobol", 0, "", yes, 0, 0, "", stats.sobol, ON(stats),                                          \
      "indices of Sobol, of a sweep with --plan sobol")                                                      \
    X(signatures, "signatures", 0, "", yes, 0, 0, "", stats.signatures, ON(stats),                           \
      "of faults: what deviates by which sign, when; which are alike")                                       \
    X(traces, "traces", 0, "FOLDER", text, 0, 0, "TABLE-traces", stats.traces, ON(stats),                    \
      "with the rows of the runs, for signatures")                                                           \
    X(threshold, "threshold", 0, "SHARE", positive, 0, HUGE_VAL, "0.02", stats.threshold, ON(stats),         \
      "ignore deviations up to this share of the range")                                                     \
    X(at, "at", 0, "TIME|steady", at, 0, 0, "0", load.stop, ON(linearize) | ON(verify),                      \
      "run up to here first; steady: then to where nothing moves")                                           \
    X(bode, "bode", 0, "INPUT OUTPUT", text, 0, 0, "", bode.input, ON(linearize),                            \
      "a Bode plot instead; -o says where")                                                                  \
    X(window, "window", 0, "FROM:TO", text, 0, 0, "", sweep.run.look.window, ON(plot) | ON(run),             \
      "plot this part only: 1ms:3ms, 1ms:, :3ms")                                                            \
    X(log, "log", 0, "x|y|xy", text, 0, 0, "", sweep.run.look.log, ON(plot) | ON(run),                       \
      "logarithmic axes of the plot")                                                                        \
    X(strips, "strips", 0, "LIST", text, 0, 0, "", sweep.run.look.strips, ON(run),                           \
      "modes of these automata in the plot: pwm,diode; or none")                                             \
    X(over, "over", 0, "COLUMN", text, 0, 0, "", sweep.run.look.over, ON(plot),                              \
      "draw over this column instead of the first: x-y plots")                                               \
    X(as, "as", 0, "KIND", text, 0, 0, "", plot.as, ON(plot),                                                \
      "the table of a sweep as histogram, scatter or parallel (coordinates)")                                \
    X(columns, "columns", 0, "LIST", text, 0, 0, "", plot.columns, ON(plot),                                 \
      "draw these columns only: i_coil,v_node")                                                              \
    X(mode, "mode", 0, "NAME=STATE,…", text, 0, 0, "", mode,                                                 \
      ON(causality) | ON(draw) | ON(equations) | ON(linearize) | ON(steady),                                 \
      "states of automata, by path; the others are in their start states")                                   \
    X(compare, "compare", 0, "NAME=STATE,…", text, 0, 0, "", draw.compare, ON(draw),                         \
      "mark the bonds whose causality differs in this mode")                                                 \
    X(form, "form", 0, "paper|exact", text, 0, 0, "paper", hypa.form, ON(hypa),                              \
      "the composition of 003, or what hbg does")                                                            \
    X(reading, "reading", 0, "NAME", text, 0, 0, "settled", hypa.reading, ON(hypa),                          \
      "of form paper: settled, printed (as 003 has its formulas) or loose")                                  \
    X(only, "only", 0, "composition|linear", text, 0, 0, "", hypa.only, ON(hypa),                            \
      "of form paper: constitutive processes, or the linear form")                                           \
    X(keep, "keep", 0, "LIST|all|none", text, 0, 0, "", hypa.keep, ON(hypa),                                 \
      "of form paper: bonds whose variables are told; if not said, all of up to 8")                          \
    X(alternatives, "limit", 0, "NUMBER", jobs, 1, 1000000, "", hypa.limit, ON(hypa),                        \
      "most alternatives of form paper (4096), or clauses of form exact (1024)")                             \
    X(compare_forms, "compare", 0, "", yes, 0, 0, "", forms.compare, ON(hypa),                               \
      "whether every jump of form exact is one of form paper; exit 1 if one is not")                         \
    X(parse, "parse", 0, "", yes, 0, 0, "", forms.parse, ON(hypa),                                           \
      "read a text that hypa wrote, instead of a model, and write it again")                                 \
    X(no_strokes, "no-strokes", 0, "", no, 0, 0, "", draw.strokes, ON(draw), "leave the causal strokes out") \
    X(all, "all", 0, "", yes, 0, 0, "", all, ON(causality),                                                  \
      "over all modes that can exist: a proof, or a mode that has none")                                     \
    X(paths, "paths", 0, "", yes, 0, 0, "", paths, ON(causality),                                            \
      "list the causal paths too: from which port what leads where")                                         \
    X(library, "library", 0, "", yes, 0, 0, "", library, ON(list),                                           \
      "list the components of the library instead; words find those they fit, with ports and parameters")    \
    X(integral, "integral", 0, "", yes, 0, 0, "", integral, ON(causality), "refuse derivative causality")    \
    X(json, "json", 0, "", yes, 0, 0, "", json,                                                              \
      ON(stats) | ON(check) | ON(causality) | ON(hypa) | ON(list) | ON(equations) | ON(verify) |             \
          (ON_RUNS & ~(ON(sweep) | ON(compile))),                                                            \
      "answer as JSON on standard output")                                                                   \
    X(warning, "warning", 'W', "no-NAME|error", list, 0, 0, "", warning, ON_MODELS,                          \
      "turn a warning off, or treat all as errors")                                                          \
    X(colour, "color", 0, "auto|always|never", colour, 0, 0, "", colour, ON_ALL,                             \
      "colour in messages; auto: on a terminal")                                                             \
    X(check_only, "check", 0, "", yes, 0, 0, "", check_only, ON(fmt) | ON(hypa),                             \
      "change nothing; exit 1 if a file is not in canonical form")                                           \
    X(depth, "depth", 0, "N", depth, 0, 0, "", draw.depth, ON(draw),                                         \
      "close components deeper than N; without it, as deep as some 60 objects can be read")                  \
    X(focus, "focus", 0, "PATH", text, 0, 0, "", draw.focus, ON(draw),                                       \
      "draw only this component, with its neighbours outlined")                                              \
    X(open, "open", 0, "PATH,…", text, 0, 0, "", draw.open, ON(draw),                                        \
      "open these components, whatever the depth")                                                           \
    X(close, "close", 0, "PATH,…", text, 0, 0, "", draw.closed, ON(draw),                                    \
      "close these components, whatever the depth")                                                          \
    X(like, "like", 0, "FILE.svg", text, 0, 0, "", like, ON(draw),                                           \
      "keep what an earlier drawing has where it is there")                                                  \
    X(force, "force", 0, "", yes, 0, 0, "", draw.force, ON(draw), "draw also more than 2000 nodes")          \
    X(no_values, "no-values", 0, "", no, 0, 0, "", draw.values, ON(draw),                                    \
      "leave the values of elements out")                                                                    \
    X(no_automata, "no-automata", 0, "", no, 0, 0, "", draw.automata, ON(draw), "leave the automata out")    \
    X(port, "port", 0, "NUMBER", port, 0, 65535, "0", studio.port, ON(studio),                               \
      "serve here; 0: where it is free")                                                                     \
    X(token, "token", 0, "TEXT", text, 0, 0, "a random one", studio.token, ON(studio),                       \
      "what the address ends in")                                                                            \
    X(no_open, "no-open", 0, "", yes, 0, 0, "", studio.no_open, ON(studio),                                  \
      "print the address, and start no browser")

typedef enum {
#define X(id, name, letter, value, type, least, most, unless, place, commands, text) OPTION_##id,
    OPTION_LIST(X)
#undef X
        OPTION_COUNT
} option_id;

#define LIST_LIMIT 256 /* values of an option that may be repeated */

typedef struct {
    const char *values[LIST_LIMIT];
    int count;
} tool_list;

typedef struct {
    hbg_slurm_options slurm;
    tool_list words; /* options of a sweep for each of its shards */
    bool merge;      /* tables of shards, without runs */
} tool_cluster;

typedef struct {
    const char *input, *output;
} tool_bode;

typedef struct { /* export */
    const char *to, *fmi, *interface;
    bool no_binary, breakable;
} tool_ship;

typedef struct {
    const char *token;
    int port;
    bool no_open;
} tool_studio;

typedef struct {
    tool_command command;
    bool given[OPTION_COUNT]; /* on the command line */
    struct {
        const char **values; /* any number */
        int count;
    } files;
    tool_list outputs, plots, parameters, include, warning, inputs, faults, slice, choices, limits;
    /* Options for functions of the library; `run` of a sweep is also that of a single run. */
    hbg_load_options load;
    hbg_sweep_options sweep;
    hbg_explore_options explore;
    bool explores;
    hbg_draw_options draw;
    hbg_plot_options plot;
    tool_cluster cluster;
    hbg_stats_options stats;
    hbg_hypa_options hypa;
    const char *output; /* the last of several */
    const char *mode, *like, *target, *name, *colour;
    tool_bode bode;
    double timeout; /* s */
    bool quiet, all, paths, integral, json, check_only, library;
    struct { /* other requests to hypa than a process */
        bool compare, parse;
    } forms;
    tool_ship ship;
    tool_studio studio;
} tool_options;

/* Reads the arguments after the command's name; false after reporting an error. */
bool hbg_tool_options_read(tool_options *options, tool_command command, int count, char **arguments);

/* Whether every option that was given does something (option_fit.c); false after reporting one that does
 * not. */
bool hbg_tool_options_fit(const tool_options *options);
const char *hbg_tool_option_name(option_id id);

void hbg_tool_help(FILE *out);
void hbg_tool_help_command(FILE *out, tool_command command);
/* The manual page (`man`), or the completion of a shell (`bash`, `zsh`, `fish`); false: there is no such
 * topic. */
bool hbg_tool_page(FILE *out, const char *topic);
tool_command hbg_tool_find_command(const char *name);   /* COMMAND_COUNT if there is none */
const char *hbg_tool_nearest_command(const char *word); /* a suggestion, or NULL */

/* Search path of imports. */
typedef struct {
    const char *folders[LIST_LIMIT];
    int count;
    char environment[PATH_MAX * 4]; /* HBG_PATH, split at its colons */
    char library[PATH_MAX];         /* the library that belongs to this program */
} tool_search;
void hbg_tool_find_search(tool_search *search, const tool_options *options);

/* A session with the search folders and warnings of the options; NULL after reporting why not. */
hbg_session *hbg_tool_session_new(const tool_options *options);
/* Whether `--at` requests the point where nothing moves instead of a time. */
bool hbg_tool_at_steady(const tool_options *options);
/* Loads the model; NULL after reporting why not. Warnings are reported too. For `check` the start mode has to
 * be valid. */
hbg_model *hbg_tool_load(hbg_session *session, const tool_options *options, const char *path);
/* The folder of this name that belongs to the program, found by a file in it; false: it is missing. */
bool hbg_tool_find_data(const char *folder, const char *file, char *place, size_t size);
/* The compiled engine for FMUs; NULL: it is missing. */
const char *hbg_tool_find_engine(char *engine, size_t size);
/* Prints the diagnostics for people, to standard error. */
void hbg_tool_print_diagnostics(hbg_session *session, const tool_options *options);
/* Signals that request an end, and a line of progress, for long work (progress.c). */
typedef struct {
    double start, shown; /* s, of a clock */
    bool terminal;       /* a person is watching */
    bool line;           /* a line of progress is shown */
} tool_watch;
void hbg_tool_watch_begin(tool_watch *watch, bool quiet);
void hbg_tool_watch_look(tool_watch *watch, bool quiet); /* without handling signals: they end it at once */
/* Whether it is time to show progress, and the time left, s, after this share of the work; false: not yet. */
bool hbg_tool_watch_due(tool_watch *watch, double share, double *left);
void hbg_tool_watch_left(double left);      /* "…, 12 min left", and the end of the line */
void hbg_tool_watch_end(tool_watch *watch); /* clears the line */
double hbg_tool_watch_spent(const tool_watch *watch);
bool hbg_tool_interrupted(void);
int hbg_tool_run_exit(hbg_run_end end); /* exit status: 128 plus the number of a signal that ended it */
/* Prints text that quotes arguments, names of files or reasons, without characters that would steer a
 * terminal. The output of hbg_tool_say is one line. */
void hbg_tool_say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hbg_tool_say_lines(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hbg_tool_say_why(const char *what, const char *reason); /* "hbg: what: reason", as an error */
/* One line about a failed operation. Returns EXIT_BAD_INPUT. */
int hbg_tool_fail(hbg_session *session, const char *what, hbg_status status);
/* Likewise about the model of the options; its diagnostics if these say more. */
int hbg_tool_refuse(hbg_session *session, const tool_options *options, hbg_status status);
/* Prints a text to standard output and frees it. */
int hbg_tool_print(hbg_session *session, hbg_text *text);
bool hbg_tool_is_picture(const char *path); /* its name has the ending of one */
/* Whether a file name is that of a plot, .svg or .png, or `-`; reports it if not. */
bool hbg_tool_plot_format(const char *path, hbg_draw_format *format);
/* Writes a text to the file, or to standard output for `-`, and frees it. */
int hbg_tool_write(hbg_session *session, const char *path, hbg_text *text);

#define X(name, arguments, text) int hbg_tool_command_##name(const tool_options *options);
COMMAND_LIST(X)
#undef X

#endif
