/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg: hybrid bond graphs from text. The `hbg` command is built on this header alone.
 *
 *     hbg_session *session;
 *     hbg_model *model;
 *     if (hbg_session_new(NULL, &session) != HBG_OK) …
 *     hbg_status status = hbg_load_file(session, "diode.hbg", NULL, &model);
 *     if (status == HBG_BAD_MODEL) { hbg_text text; hbg_diagnostics_text(session, false, &text); … }
 *     hbg_session_free(session);
 *
 * hbg/simulation.h has runs with values: arrays, structs, and simulations that are stepped from outside.
 *
 * Ownership: a session owns everything made in it except hbg_text, which hbg_text_free frees. Arguments are
 * borrowed for the call. Sessions share nothing: each may run in a separate thread. No function prints,
 * exits, or keeps state outside its session. */
#ifndef HBG_HBG_H
#define HBG_HBG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbg/policy.h"
#include "hbg/status.h"
#include "hbg/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hbg_session hbg_session; /* sources, diagnostics and models of one piece of work */
typedef struct hbg_model hbg_model;     /* a checked, flat hybrid bond graph; lives as long as its session */

/* The version of the library, "0.1.0"; compare with HBG_VERSION_MAJOR and so on of the header. */
const char *hbg_version(void);

/* ---- sessions ----------------------------------------------------------------------------------------- */

typedef struct {
    size_t memory_limit;       /* bytes; 0: none */
    int64_t fail_at;           /* the n-th allocation fails, for tests; 0: none */
    const char *const *search; /* folders for imports, in order */
    int search_count;
    bool warnings_are_errors;
} hbg_session_options;

hbg_session_options hbg_session_options_default(void);

/* Makes a session; NULL options are the default ones. */
HBG_MUST_CHECK hbg_status hbg_session_new(const hbg_session_options *options, hbg_session **session);
void hbg_session_free(hbg_session *session); /* NULL does nothing */

/* Turns a warning off by its name ("unused-parameter"). HBG_NOT_FOUND: there is no such warning. */
HBG_MUST_CHECK hbg_status hbg_session_disable_warning(hbg_session *session, const char *name);
/* The names of all warnings and what they mean, by number; NULL after the last. */
const char *hbg_warning_name(int number, const char **summary);

/* Why the last failed call failed, in words; "" if the status says it all. */
const char *hbg_session_reason(const hbg_session *session);
size_t hbg_session_peak_memory(const hbg_session *session);

/* A text made for the caller. */
typedef struct {
    char *data; /* terminated by a NUL */
    size_t size;
} hbg_text;
void hbg_text_free(hbg_session *session, hbg_text *text);
/* Makes a text that quotes arguments or names of files safe for a terminal, in place: question marks replace
 * control characters, marks of direction and everything else that would steer it, and invalid UTF-8. Ends of
 * lines stay if the text may have several. */
char *hbg_text_clean(char *text, bool lines);

/* ---- reading models ----------------------------------------------------------------------------------- */

typedef struct {
    const char *model;             /* which model of the file; NULL: the first */
    const char *const *parameters; /* "R1=220", "inverter.L=5 [mH]" */
    int parameter_count;
    /* For runs, instead of the values of the experiment, as expressions in the scope of the model. NULL: not
     * given. */
    const char *records;             /* "i_coil, node.e, 2*coil.p" */
    const char *stop, *step, *every; /* "600 [us]", "5*R1*C1": end, step of the solver, time between rows */
    /* Values of inputs, instead of the actions of experiments: "sw=true", "u=5*sin(time)", "u=file.csv" (over
     * time, column u). */
    const char *const *inputs;
    int input_count;
    /* Faults besides those of the experiment (docs/faults.md), and the experiment they are meant for (NULL:
     * the first). */
    const char *const *faults; /* "at 3 [s]: bulb.R abrupt -30 [%]" */
    int fault_count;
    const char *fault_table; /* a CSV file: at, until, target, kind, value; NULL: none */
    const char *experiment;
    /* For hbg_sweep (docs/sweep.md): "R=1:10:1", "R=1,2,5", "C~normal(1e-3, 1e-5)"; a plain "R=1" sets a
     * parameter. */
    const char *const *sweeps;
    int sweep_count;
    bool faults_apart; /* each fault of the table gets a separate run */
    /* No other experiment will be run: times and values that `parameters` give the others are not checked. */
    bool one_experiment;
} hbg_load_options;

/* Reads, elaborates and checks a model. HBG_BAD_MODEL: the diagnostics say why. */
HBG_MUST_CHECK hbg_status hbg_load_file(hbg_session *session, const char *path,
                                        const hbg_load_options *options, hbg_model **model);
HBG_MUST_CHECK hbg_status hbg_load_text(hbg_session *session, const char *path, const char *text, size_t size,
                                        const hbg_load_options *options, hbg_model **model);

/* ---- diagnostics -------------------------------------------------------------------------------------- */

int64_t hbg_error_count(const hbg_session *session);
int64_t hbg_warning_count(const hbg_session *session);

/* All diagnostics in the form for people: place, source line with a mark, notes, likely fix. */
HBG_MUST_CHECK hbg_status hbg_diagnostics_text(hbg_session *session, bool colour, hbg_text *text);
/* Only those reported since the last call of either function. */
HBG_MUST_CHECK hbg_status hbg_diagnostics_news(hbg_session *session, bool colour, hbg_text *text);
/* The same for programs, as JSON. */
HBG_MUST_CHECK hbg_status hbg_diagnostics_json(hbg_session *session, hbg_text *text);

/* ---- contents of a model ------------------------------------------------------------------------------ */

const char *hbg_model_title(const hbg_model *model); /* its name */
/* Elements, bonds, automata, parameters with units and values, as aligned text or as JSON. */
HBG_MUST_CHECK hbg_status hbg_list_text(hbg_session *session, const hbg_model *model, hbg_text *text);
HBG_MUST_CHECK hbg_status hbg_list_json(hbg_session *session, const hbg_model *model, hbg_text *text);
/* Components of the library and of the other folders for imports that match all the words: a line each, or
 * with words also equations, ports and parameters. HBG_NOT_FOUND if no component matches. */
HBG_MUST_CHECK hbg_status hbg_library_text(hbg_session *session, const char *const *words, int count,
                                           hbg_text *text);
HBG_MUST_CHECK hbg_status hbg_library_json(hbg_session *session, const char *const *words, int count,
                                           hbg_text *text);
/* One line: "9 elements (3 junctions, 2 controlled), 8 bonds, 2 automata, …". */
HBG_MUST_CHECK hbg_status hbg_summary_text(hbg_session *session, const hbg_model *model, hbg_text *text);
/* Every table of the model, one line per object: for tests. */
HBG_MUST_CHECK hbg_status hbg_dump_text(hbg_session *session, const hbg_model *model, hbg_text *text);

/* ---- causality ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *mode; /* "relay=closed,breaker.latch=on"; other automata are in their start states */
    bool integral;    /* refuse derivative causality */
    bool paths;       /* list the causal paths too: many in a large model */
} hbg_causality_options;

/* Determining bonds, dependent storages, loops and conflicts in one mode; *valid says whether it has a valid
 * assignment. HBG_NOT_FOUND: the mode names something that does not exist. */
HBG_MUST_CHECK hbg_status hbg_causality_text(hbg_session *session, const hbg_model *model,
                                             const hbg_causality_options *options, bool *valid,
                                             hbg_text *text);
HBG_MUST_CHECK hbg_status hbg_causality_json(hbg_session *session, const hbg_model *model,
                                             const hbg_causality_options *options, bool *valid,
                                             hbg_text *text);

typedef struct {
    bool integral; /* refuse derivative causality */
    bool json;     /* answer as JSON instead of text */
} hbg_causality_all_options;

/* Whether every mode that can exist has a valid assignment, and which storages are dependent in some mode,
 * decided without enumerating the modes; a violated answer names a mode. */
HBG_MUST_CHECK hbg_status hbg_causality_all(hbg_session *session, const hbg_model *model,
                                            const hbg_causality_all_options *options, hbg_answer *answer,
                                            hbg_text *text);
/* Reports a diagnostic and returns HBG_BAD_MODEL if the start mode has no valid assignment. */
HBG_MUST_CHECK hbg_status hbg_check_start_mode(hbg_session *session, const hbg_model *model);

/* ---- consistency of switching -------------------------------------------------------------------------- */

typedef struct {
    bool json;          /* answer as JSON instead of text */
    int32_t timeout_ms; /* computing time for each group of automata; 0: 40 s */
    /* called now and then, perhaps by another thread while this one waits, with the number of the group in
     * progress, from 0, and the number of groups; false ends it: what is undecided then stays so. Or NULL */
    bool (*progress)(void *context, int32_t group, int32_t groups);
    void *context;
} hbg_verify_model_options;

/* Whether time diverges: for every distribution of energy, every input and every discrete state the search
 * for the next mode ends, and so does the chain of modes of an instant (docs/verify.md). Proved; or violated,
 * with values, the states visited and the region; or not decided, with the reason. */
HBG_MUST_CHECK hbg_status hbg_verify_model(hbg_session *session, const hbg_model *model,
                                           const hbg_verify_model_options *options, hbg_answer *answer,
                                           hbg_text *text);

/* ---- processes ----------------------------------------------------------------------------------------- */

typedef enum { HBG_PROCESS_TEXT, HBG_PROCESS_LATEX, HBG_PROCESS_JSON } hbg_process_format;

typedef struct {
    hbg_process_format format;
    const char *form;    /* "paper": the composition of 003; "exact": what hbg does; NULL: paper */
    const char *reading; /* of paper: "settled", "printed", "loose"; NULL: settled */
    const char *only;    /* of paper: "composition" or "linear"; NULL: both */
    const char *keep; /* of paper: bonds with listed variables, "b3,b4", "all" or "none"; NULL: all if few */
    int32_t
        limit; /* per independent part: of paper most alternatives, 0: 4096; of exact most clauses, 0: 1024 */
    int32_t timeout_ms; /* computing time for each independent part; 0: 5 min */
} hbg_hypa_options;

/* The model as a process of HyPA (docs/processes.md): clauses in which time advances, and alternatives, each
 * a jump and the clause after it, for each independent part of the model; in form paper also the constitutive
 * processes it is composed of. HBG_TOO_LARGE: it cannot be written; the reason says why. */
HBG_MUST_CHECK hbg_status hbg_hypa(hbg_session *session, const hbg_model *model,
                                   const hbg_hypa_options *options, hbg_text *text);
/* Whether every jump of form exact is one of form paper. Proved; violated, with the energies of a jump that
 * is not; or not decided. */
HBG_MUST_CHECK hbg_status hbg_hypa_compare(hbg_session *session, const hbg_model *model,
                                           const hbg_hypa_options *options, hbg_answer *answer,
                                           hbg_text *text);
/* Reads a text of hbg_hypa and writes it again, without comments. HBG_BAD_MODEL, with a diagnostic: it does
 * not follow the grammar (docs/processes.md), or uses an operator of the grammar that is not supported. */
HBG_MUST_CHECK hbg_status hbg_hypa_again(hbg_session *session, const char *path, const char *text,
                                         size_t size, hbg_text *again);

/* ---- drawing ------------------------------------------------------------------------------------------ */

typedef enum { HBG_DRAW_SVG, HBG_DRAW_PNG, HBG_DRAW_DOT, HBG_DRAW_PDF } hbg_draw_format; /* PDF: plots only */

/* The content and look of a plot. */
typedef struct {
    const char *window; /* "1ms:3ms": only this part of the run; an end may be omitted; NULL: all of it */
    const char *log;    /* "x", "y" or "xy": logarithmic axes; NULL: none */
    const char
        *strips; /* of a run: modes of these automata, "pwm,diode", or "none"; NULL: the first that switch */
    const char *over; /* of a results file: the column on the x axis; NULL: the first */
} hbg_plot_look;

typedef struct {
    hbg_draw_format format;
    bool force;          /* also above 2000 nodes */
    bool values;         /* show values at elements */
    bool automata;       /* show states and transitions */
    bool strokes;        /* show the causality of a mode, if it has a valid one */
    const char *mode;    /* as in hbg_causality_options; NULL: the start mode */
    const char *compare; /* mark the differences from this mode; NULL: nothing */
    int32_t
        depth; /* deeper components are closed boxes; negative: so deep that about 60 objects are readable */
    const char *focus; /* path of a component: only its inside, with neighbours outlined; NULL: everything */
    const char *open,
        *closed;         /* components by path, open or closed at any depth: "bank,bank.fan"; NULL: none */
    bool bare;           /* only the drawing, without title, legend and automata */
    const char *earlier; /* an SVG drawn earlier: objects in both keep their places; NULL: none */
} hbg_draw_options;

hbg_draw_options hbg_draw_options_default(void);
/* HBG_TOO_LARGE: see force. HBG_NOT_FOUND: a mode, the focus or a component names something that does not
 * exist. HBG_NO_PROGRAM: a program it calls is missing; the reason says which. */
HBG_MUST_CHECK hbg_status hbg_draw(hbg_session *session, const hbg_model *model,
                                   const hbg_draw_options *options, hbg_text *picture);

/* The same for a text in progress, even with errors: its declarations are drawn, then without causality and
 * automata. HBG_BAD_MODEL: not even these can be read. */
HBG_MUST_CHECK hbg_status hbg_draw_draft(hbg_session *session, const char *path, const char *text,
                                         size_t size, const hbg_load_options *load,
                                         const hbg_draw_options *options, hbg_text *picture);

/* What a drawing with the same options shows of its mode, without the drawing, as JSON for a page that has
 * one already (docs/drawing.md): strokes, conflicts and differences by bond, by junction, storage and
 * automaton. A bond has the `data-bond` of the drawing, an object its `data-path`. */
HBG_MUST_CHECK hbg_status hbg_draw_marks_json(hbg_session *session, const hbg_model *model,
                                              const hbg_draw_options *options, hbg_text *text);

typedef struct {
    const char *axes; /* two energy variables or inputs: "coil.p,store.q" */
    hbg_draw_format format;
    /* Values of variables on no axis, SI: "x=0.5", "sw=true"; others have the values at the start of a run,
     * or values that show more. */
    const char *const *at;
    int at_count;
    int32_t timeout_ms; /* this and the following as in hbg_verify_model_options */
    bool (*progress)(void *context, int32_t group, int32_t groups);
    void *context;
} hbg_verify_plot_options;

/* Draws the energy phase space of the switching over two variables: the area of each discrete state, and
 * their conjunction. The answer is that of hbg_verify_model. If `progress` ended it there is no picture, and
 * hbg_session_reason says so (HBG_NO_PROGRAM). */
HBG_MUST_CHECK hbg_status hbg_verify_plot(hbg_session *session, const hbg_model *model,
                                          const hbg_verify_plot_options *options, hbg_answer *answer,
                                          hbg_text *picture);

/* ---- equations and runs ------------------------------------------------------------------------------- */

/* The equations of a mode in the order of computation. HBG_NOT_FOUND: the mode names something that does not
 * exist. */
typedef struct {
    const char *mode; /* as in hbg_causality_options; NULL: the start mode */
    bool json;        /* answer as JSON instead of text */
} hbg_equations_options;
HBG_MUST_CHECK hbg_status hbg_equations(hbg_session *session, const hbg_model *model,
                                        const hbg_equations_options *options, bool *valid, hbg_text *text);

/* Limits and default values for numbers of runs and proofs. */
#define HBG_SEED_USUAL    1
#define HBG_TIMEOUT_LEAST 1e-3 /* s */
#define HBG_TIMEOUT_MOST  1e6
#define HBG_TIMEOUT_USUAL 40

/* What computes: the interpreter, or code made by the system's C compiler, with the same bits. */
typedef enum {
    HBG_ENGINE_AUTO, /* compiled code once a run is long enough to pay for it, if there is a compiler */
    HBG_ENGINE_INTERPRETER, /* no compiler is called */
    HBG_ENGINE_NATIVE,      /* compiled code from the start; failure if that is impossible */
    /* of a sweep: strides of many runs at a time on a device, the rest on the processor, with the same bits;
     * without a device everything. A single run treats it as AUTO. */
    HBG_ENGINE_CUDA
} hbg_engine;

/* Callbacks that follow a run. They are called from the thread of the run, and their arguments last for the
 * call. Any may be NULL. */
typedef struct {
    /* Before the first row: the columns of a row, of which the first is time, s. A unit is "" for a pure
     * number, NULL if unknown. */
    void (*columns)(void *context, const char *const *names, const char *const *units, int32_t count);
    bool (*row)(void *context, const double *values); /* false ends the run: out of memory */
    /* Every instant at which something happened: a line of the event log (docs/events.md), and its text for
     * people. */
    void (*event)(void *context, const char *json, const char *words);
    void *context;
} hbg_run_listener;

typedef struct {
    const char *experiment;   /* NULL: the first of the model, if it has one */
    const char *solver;       /* "auto", "bdf", "rk4"…; NULL: as the experiment says */
    HBG_RUN_POLICY;           /* rtol, atol, ledger, strict, zeno_rest, slides */
    uint64_t seed;            /* of the noise of sensors; HBG_SEED_USUAL by default */
    bool every_element;       /* in the balance, whatever their number */
    bool json;                /* the report as JSON instead of text */
    const char *const *files; /* results: .csv, .h5, .mat; "-" is CSV on the standard output */
    int file_count;
    const char *plot;              /* a picture of the results: .svg, .png; NULL: none */
    const char *const *more_plots; /* further files with that picture */
    int more_plot_count;
    const char *events; /* the event log, a line of JSON for each instant; "-": standard output; NULL: none */
    int64_t explain;    /* this many events are reported in words; 0: none, -1: all */
    bool no_summary;    /* only the report of `explain` */
    hbg_engine engine;
    const char *cache; /* folder for compiled code; NULL: hbg in XDG_CACHE_HOME, else in ~/.cache */
    /* Called now and then, also between the rows; false ends the run. May be NULL. */
    bool (*progress)(void *context, double t, double stop);
    void *context;
    const hbg_run_listener *listener; /* NULL: none */
    /* Decisions on what the model leaves open: "contact=0.5,0.9,random", "least"; see docs/processes.md */
    const char *const *choose;
    int choose_count;
    hbg_plot_look look; /* of `plot` */
    bool units;         /* CSV names the unit of every column, `i [A]`, not only if it is not SI */
} hbg_run_options;

hbg_run_options hbg_run_options_default(void);

/* Runs an experiment and judges it by the process that hbg_hypa writes: every continuous phase by its clause,
 * every instant by an alternative, to ten times the tolerance of the run. Proved: the run is a behaviour of
 * the process; violated, with the instant and the law; or not decided, if some value is unknown, or the run
 * did not finish. Of the options experiment, solver, step and tolerances count; timeout_ms is the computing
 * time for the process of each independent part, 0: 5 min. */
HBG_MUST_CHECK hbg_status hbg_hypa_check(hbg_session *session, const hbg_model *model,
                                         const hbg_run_options *options, int32_t timeout_ms, bool json,
                                         hbg_answer *answer, hbg_text *text);
/* Runs a model and reports the result: solver, initial values that did not fit, final values, energies. A run
 * that did not finish leaves FILE.partial; hbg_session_reason then says why, and where its rows are; for a
 * run that finished it has the warnings. */
HBG_MUST_CHECK hbg_status hbg_run(hbg_session *session, const hbg_model *model,
                                  const hbg_run_options *options, hbg_run_end *end, hbg_text *text);
/* Compiles a model with one experiment into an image: a file that can be run without the files of the model
 * and without a compiler. Of the options experiment, solver, rtol and atol count. */
HBG_MUST_CHECK hbg_status hbg_compile(hbg_session *session, const hbg_model *model,
                                      const hbg_run_options *options, const char *path);
/* Reads an image: hbg_run and hbg_sweep of this model use the code of the image, with the results of the
 * model it was compiled from; it can be exported too. The options are added to those it was compiled with.
 * HBG_BAD_ARGUMENT: the file is not an image, or holds another experiment. */
HBG_MUST_CHECK hbg_status hbg_load_image(hbg_session *session, const char *path,
                                         const hbg_load_options *options, hbg_model **model);

typedef struct {
    /* Experiment, solver, tolerances, seed, ledger, strict, zeno_rest, slides, engine and cache count; the
     * rest is ignored. */
    hbg_run_options run;
    int64_t runs; /* for each point of the grids and each fault; 0: 1 */
    bool nominal; /* with a table of faults: also runs without any of them */
    int threads;  /* 0: as many as there are processors */
    /* runs that a thread makes in parallel in vectors of compiled code, or on a device; 0: as many as the
     * processor has room for, where that pays, or as fill a device */
    int lanes;
    const char *file;         /* the table, CSV, a row for each run; "-": standard output */
    bool resume;              /* continue an interrupted sweep */
    const char *traces;       /* runs whose rows are kept: "0,3,10-20", "all"; NULL: none */
    const char *trace_folder; /* for them; NULL: FILE-traces */
    const char *plan;  /* "sobol": what hbg_stats takes indices of Sobol from; NULL: independent draws */
    const char *shard; /* "K/N": only the K-th of N shares of the runs; NULL: all */
    bool look_only; /* make all checks before the first run, but no run: the text is the sum of the sweep */
    /* Called now and then; false ends the sweep. May be NULL. */
    bool (*progress)(void *context, int64_t done, int64_t runs);
    void *context;
} hbg_sweep_options;

hbg_sweep_options hbg_sweep_options_default(void);
/* Many runs of a model, given by its `sweeps` and `fault_table` (hbg_load_options): every point of the grids,
 * with every fault of the table, `runs` times each. They are made in threads; rows come in the order of the
 * runs and have the same bits for any number of threads. For an interrupted sweep hbg_session_reason says
 * where its rows are. */
HBG_MUST_CHECK hbg_status hbg_sweep(hbg_session *session, const hbg_model *model,
                                    const hbg_sweep_options *options, hbg_run_end *end, hbg_text *text);
#define HBG_EXPLORE_RUNS   1000
#define HBG_EXPLORE_DEPTH  8
#define HBG_EXPLORE_POINTS 1
typedef struct {
    hbg_run_options run; /* as for a sweep; `choose` is not used, `json` is */
    int64_t runs;        /* at most; 0: HBG_EXPLORE_RUNS */
    int32_t depth;       /* this many first choices of a run are varied one by one; 0: HBG_EXPLORE_DEPTH */
    int32_t
        points;  /* random ones at each choice, besides both ends and the default; -1: HBG_EXPLORE_POINTS */
    int threads; /* 0: as many as there are processors */
    bool (*progress)(void *context, int64_t done, int64_t runs); /* false ends it; may be NULL */
    void *context;
} hbg_explore_options;
hbg_explore_options hbg_explore_options_default(void);
/* The range of runs of a model over all decisions on what it leaves open (docs/processes.md): least and
 * greatest value of each recorded variable, after each instant and overall, and the sequences of modes, each
 * with the choices that lead to it. The same for any number of threads. */
HBG_MUST_CHECK hbg_status hbg_explore(hbg_session *session, const hbg_model *model,
                                      const hbg_explore_options *options, hbg_run_end *end, hbg_text *text);
/* Merges the tables of all shards of a sweep, named in any order: the bytes of the table without shards. */
HBG_MUST_CHECK hbg_status hbg_sweep_merge(hbg_session *session, const char *const *paths, int count,
                                          const char *file, hbg_run_end *end, hbg_text *text);

typedef struct {
    int32_t shards, done, running; /* the others wait, or are submitted again */
} hbg_slurm_progress;

typedef struct {
    const char
        *request; /* options of sbatch and how many shards: "partition=short,time=01:00:00,shards=100" */
    const char *const *words; /* of the command for a shard, without the model, its shard and its file */
    int word_count;
    bool has_jobs;     /* they give the threads of a shard; else as many as it has processors */
    const char *model; /* the file; shards read it */
    const char *sum;   /* of the sweep, as reported with look_only: results to resume must have the same */
    const char *file;  /* the table, CSV; shards are in a folder next to it until it is complete */
    bool resume;       /* continue what an earlier call left there */
    /* Called ten times a second; false: the call ends. May be NULL. */
    bool (*progress)(void *context, const hbg_slurm_progress *state);
    bool (*cancels)(void *context); /* called then: whether the shards end too. NULL: they continue */
    void *context;
} hbg_slurm_options;

/* A sweep as a job array of Slurm: submits the shards, follows them, submits again those that failed or were
 * lost, three times at most, and merges their tables. HBG_NO_PROGRAM: there is no sbatch, or it refuses, or a
 * shard fails; the reason says which. Finished shards are kept. */
HBG_MUST_CHECK hbg_status hbg_sweep_slurm(hbg_session *session, const hbg_slurm_options *options,
                                          hbg_run_end *end, hbg_text *text);

typedef struct {
    const char *experiment; /* as in hbg_run_options; followed up to `stop` of hbg_load_options, else to 0 */
    const char *mode;       /* as in hbg_causality_options; NULL: the start mode */
    bool json;              /* the report as JSON instead of text */
    bool steady;            /* at the steady state that is found from there */
    /* Called now and then until the point is reached; false ends it, with HBG_BAD_ARGUMENT. May be NULL. */
    bool (*progress)(void *context, double t, double stop);
    void *context;
} hbg_linearize_options;

/* Linearizes at a point of a run: x' = A·x + B·u, y = C·x + D·u over the independent states, the inputs, and
 * the recorded variables; with eigenvalues. */
HBG_MUST_CHECK hbg_status hbg_linearize(hbg_session *session, const hbg_model *model,
                                        const hbg_linearize_options *options, hbg_text *text);
/* Draws magnitude and phase of the first recorded variable over frequency, for a small variation of an input
 * or a parameter. The option json has no meaning here. */
HBG_MUST_CHECK hbg_status hbg_bode(hbg_session *session, const hbg_model *model,
                                   const hbg_linearize_options *options, const char *input,
                                   hbg_draw_format format, hbg_text *picture);

typedef struct {
    const char *experiment; /* as in hbg_run_options: its settings, and the start of the search */
    const char *mode;       /* as in hbg_causality_options; NULL: the start mode */
    bool json;
} hbg_steady_options;

/* A steady state: states and recorded variables. *found is false if there is none; the reason says why. */
HBG_MUST_CHECK hbg_status hbg_steady(hbg_session *session, const hbg_model *model,
                                     const hbg_steady_options *options, bool *found, hbg_text *text);

typedef struct {
    const char *columns; /* "i_coil,v_node"; NULL: all */
    hbg_draw_format format;
    hbg_plot_look look;
    const char *const *more; /* further results files, drawn into the same panels */
    int more_count;
    const char *as; /* of the table of a sweep: "histogram", "scatter" or "parallel"; NULL: curves */
} hbg_plot_options;

/* Draws results files (CSV), one panel for each unit. */
HBG_MUST_CHECK hbg_status hbg_plot(hbg_session *session, const char *path, const hbg_plot_options *options,
                                   hbg_text *picture);

typedef struct {
    const char *worst; /* a column, "v max" or "v.max": the runs where it is greatest, or for a `min` least */
    const char *const *limits; /* "v max <= 5": the yield is the share of runs that keep all limits */
    int limit_count;
    bool correlate;     /* rank correlation of results with swept values */
    bool sobol;         /* indices of Sobol, for a table of the plan "sobol" */
    bool signatures;    /* of a campaign of faults: which results deviate, with sign and time */
    const char *traces; /* folder with the rows of its runs; NULL: FILE-traces */
    double threshold;   /* smaller deviations do not count, as a share of the range without faults */
    int64_t count;      /* how many of the worst */
    bool json;
} hbg_stats_options;

hbg_stats_options hbg_stats_options_default(void);
/* Statistics of the table of a sweep; by default the spread of its results. */
HBG_MUST_CHECK hbg_status hbg_stats(hbg_session *session, const char *path, const hbg_stats_options *options,
                                    hbg_text *text);

/* ---- words ------------------------------------------------------------------------------------------- */

/* The word that a misspelt one most likely means; NULL if none is close enough. */
const char *hbg_nearest_word(const char *misspelt, const char *const *words, int count);

/* ---- text and files ----------------------------------------------------------------------------------- */

/* The canonical form of a text. HBG_BAD_MODEL if it does not parse. */
HBG_MUST_CHECK hbg_status hbg_format(hbg_session *session, const char *path, const char *text, size_t size,
                                     hbg_text *formatted);
/* Reads a whole regular file; writes one so that it is only ever complete. */
HBG_MUST_CHECK hbg_status hbg_read_file(hbg_session *session, const char *path, hbg_text *text);
/* The file of this model, of its imports, or of its tables, that is the same file as `path` under any name;
 * NULL if there is none: writing there would destroy it. */
const char *hbg_input_at(const hbg_session *session, const hbg_model *model, const char *path);
HBG_MUST_CHECK hbg_status hbg_write_file(hbg_session *session, const char *path, const char *data,
                                         size_t size);

#ifdef __cplusplus
}
#endif

#endif
