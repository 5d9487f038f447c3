/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model made ready to run, and what the files about runs share. It all lives in scratch memory except what
 * the session has to give back: the compiled model's own arena, the instance, open results files. */
#ifndef HBG_API_RUN_IMPL_H
#define HBG_API_RUN_IMPL_H

#include "api/report_impl.h"
#include "code/code.h"
#include "draw/draw.h"
#include "emit/emit.h"
#include "fault/fault.h"
#include "sim/sim.h"

/* ---- a model made ready ------------------------------------------------------------------------------- */

typedef struct hbg_run_state {
    hbg_model *model;    /* a separate sorted copy, with the settings of the experiment */
    int32_t experiment;  /* of the model, or HBG_NONE */
    int32_t request;     /* the request, made when it was read: one more experiment, unnamed, or HBG_NONE */
    bool *named;         /* by automaton: in the requested mode; NULL: none was requested */
    hbg_record *outputs; /* recorded, then those that are only plotted */
    int32_t record_count, output_count;
    int32_t input_count; /* of the outputs, the last: values of the inputs that are numbers */
    int32_t *inputs;     /* which inputs of the system */
    int32_t *plots;      /* which outputs are plotted */
    int32_t plot_count;
    int32_t watched_first, watched_count; /* of the outputs: values of elements; see run_watch.c */
    hbg_fault_plan *plan; /* faults of the experiment and of the request; NULL: time does not advance */
    const hbg_fault_choice *choice; /* faults of the plan that this run has; NULL: all */
    hbg_fault_schedule schedule;    /* of these */
    hbg_recheck *recheck;           /* values that settings and sweeps may have made impossible */
    hbg_code *code;
    hbg_eqn *eqn; /* of a proof, inside the code or beside it; NULL: no proof has been made */
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    hbg_rt_instance *probe;   /* another one, while the start is examined; else NULL */
    hbg_sim_writer **writers; /* NULL where one is closed */
    int32_t writer_count;
    hbg_patience patience;         /* with pipes that rows, events and pictures go to */
    double switched_at;            /* on the way to a point: the last instant at which a mode became real */
    int32_t unreached;             /* actions of the experiment after the end of the run */
    struct hbg_run_events *events; /* NULL: no events are needed */
    hbg_emit_library *library;     /* compiled code in use, or NULL */
    bool compiled;                 /* whether that was tried */
    const hbg_rt_bundle *image;    /* that has the code; NULL: it is compiled */
    struct hbg_run_part *parts;    /* independent ones; see run_parts.c */
    int32_t part_count;
    const hbg_sim_part *apart;       /* they are run separately; NULL: the whole is */
    struct hbg_run_choices *choices; /* see run_choose.c; NULL: nothing is left open */
} hbg_run_state;

typedef struct hbg_run_part {
    const hbg_model *model;
    hbg_code *code;
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    hbg_emit_library *library; /* compiled code in use, or NULL */
    const int32_t *output_of;  /* of the whole, by output */
    const hbg_record *outputs;
    int32_t output_count;
    int32_t root_first; /* in events */
} hbg_run_part;

typedef struct {
    const char *experiment; /* NULL: the first */
    const char *mode;       /* NULL: the start mode */
    bool plots;             /* also what the experiment plots */
    bool inputs;            /* read as outputs, after all others */
    bool trace;             /* outputs are all states, inputs and samples instead */
    bool time_flows;        /* so that faults have an effect */
    bool from_image;        /* code comes from the image of the model, if it has one */
    hbg_fault_ready ready;  /* for faults other than the present ones */
} hbg_run_wish;

/* Makes session->run; in any case hbg_api_run_release ends it. */
HBG_MUST_CHECK hbg_status hbg_api_run_prepare(hbg_session *session, const hbg_model *model,
                                              const hbg_run_wish *wish);
/* Likewise without an instance, to examine the equations. */
HBG_MUST_CHECK hbg_status hbg_api_run_compile(hbg_session *session, const hbg_model *model,
                                              const hbg_run_wish *wish);
/* run_code.c: the code of a model of the run, from its image or compiled; HBG_BAD_ARGUMENT: the image lacks
 * it. */
HBG_MUST_CHECK hbg_status hbg_api_run_make_code(hbg_session *session, const hbg_run_state *state,
                                                const hbg_model *model, const hbg_eqn_options *options,
                                                hbg_code **code);
/* The key of that code, and of each of its outputs. */
uint64_t hbg_api_run_code_key(hbg_arena *arena, const hbg_model *model, const hbg_eqn_options *options,
                              uint64_t *outputs);
/* Automata that the requested mode names stay in their states, or are free again. */
HBG_MUST_CHECK hbg_status hbg_api_run_hold_mode(hbg_session *session, bool hold);
void hbg_api_run_release(hbg_session *session);
/* Opens a public function that makes session->run. Close with hbg_api_run_leave. */
#define HBG_RUN_ENTER(session) HBG_ENTER_OR(session, hbg_api_run_exhausted)
hbg_status hbg_api_run_exhausted(hbg_session *session);
/* Releases, and leaves the public function with the status. */
hbg_status hbg_api_run_leave(hbg_session *session, hbg_status status);

/* run_settings.c: parameters, constants and start states as the experiment sets them, in the copy. */
void hbg_api_run_apply_settings(hbg_session *session, hbg_run_state *state);
/* Constants that other values of these parameters, and what the experiment sets, would change; in scratch memory. */
typedef struct {
    int32_t *exprs; /* each after its parts */
    int32_t expr_count;
    int32_t *params; /* with a formula */
    int32_t param_count;
} hbg_run_constants;
void hbg_api_run_find_constants(hbg_session *session, const hbg_run_state *state, const int32_t *params,
                                int32_t count, hbg_run_constants *found);
/* As hbg_api_run_apply_settings for a run in which these parameters, by number, are declared with other values. */
void hbg_api_run_vary(hbg_session *session, hbg_run_state *state, const hbg_run_constants *constants,
                      const int32_t *params, const double *values, int32_t count);
HBG_MUST_CHECK hbg_rt_status hbg_api_run_set_params(const hbg_run_state *state, hbg_rt_instance *instance);
/* Whether a run gives this parameter a value, other than the one its code has. */
bool hbg_api_run_sets_param(const hbg_run_state *state, int32_t param);
/* Whether every input has a value when a run starts; HBG_BAD_MODEL with diagnostics if not. */
HBG_MUST_CHECK hbg_status hbg_api_run_inputs_given(hbg_session *session, const hbg_run_state *state);

/* run_choose.c: what the model leaves open, and what this run decides of it. */
typedef struct {
    const char *name, *unit;
    hbg_dimension dimension;
    int32_t restitution; /* of the instance, or HBG_NONE */
    int32_t param;       /* of the model, or HBG_NONE */
    bool anew;           /* of a parameter: whenever an automaton moves */
    int32_t automaton;   /* whose moves count then; HBG_NONE: those of all */
    int32_t number;      /* as in the engine's order of choices; HBG_NONE: it is made once */
    double usual;        /* the value without a decision */
    uint64_t seed;       /* of the run */
    hbg_rt_rebound how;
} hbg_run_choice;
typedef struct hbg_run_choices {
    hbg_run_choice *items; /* in the order of the source */
    int32_t count;
    int32_t *params; /* those that are parameters, and their values */
    double *values;
    int32_t param_count;
    hbg_rt_rebounds engine;
    bool asked; /* something was */
} hbg_run_choices;
/* All but those of parameters that are `given` a value, so many. */
void hbg_api_run_list_choices(hbg_session *session, hbg_run_state *state, const int32_t *given,
                              int32_t given_count);
/* What is wrong with the intervals, for the present values of parameters; or NULL. */
const char *hbg_api_run_choices_fault(hbg_session *session, const hbg_model *model);
HBG_MUST_CHECK hbg_status hbg_api_run_read_choices(hbg_session *session, hbg_run_state *state,
                                                   const hbg_run_options *options);
/* Both, and the values of parameters. */
HBG_MUST_CHECK hbg_status hbg_api_run_open_choices(hbg_session *session, hbg_run_state *state,
                                                   const hbg_run_options *options, const int32_t *given,
                                                   int32_t given_count);
/* The instance of the run gets the decisions; constants are those that the parameters change. NULL: these
 * have been set. */
HBG_MUST_CHECK hbg_status hbg_api_run_decide(hbg_session *session, hbg_run_state *state,
                                             const hbg_run_constants *constants);
/* All of it, for a run. */
HBG_MUST_CHECK hbg_status hbg_api_run_choose(hbg_session *session, const hbg_run_options *options);
void hbg_api_run_put_choices(hbg_api_report *report, const hbg_run_state *state);

/* run_energy.c: the lines of the energy balance, J. */
#define HBG_RUN_ENERGY_LIST(X)                                                                               \
    X(STORED_BEFORE, "stored before")                                                                        \
    X(STORED_AFTER, "stored after")                                                                          \
    X(SUPPLIED, "supplied")                                                                                  \
    X(DISSIPATED, "dissipated")                                                                              \
    X(BY_MODULATION, "by modulation")                                                                        \
    X(BY_PARAMETERS, "by parameters")                                                                        \
    X(LOST_IN_JUMPS, "lost in jumps")                                                                        \
    X(RESIDUAL, "residual")

typedef enum {
#define X(id, text) HBG_RUN_##id,
    HBG_RUN_ENERGY_LIST(X)
#undef X
        HBG_RUN_ENERGY_COUNT
} hbg_run_energy_line;

typedef struct {
    double line[HBG_RUN_ENERGY_COUNT];
} hbg_run_energy;

extern const char *const hbg_api_run_energy_names[HBG_RUN_ENERGY_COUNT];
extern const hbg_run_energy hbg_api_run_no_balance;
/* Of all elements together, by a run with a ledger. */
void hbg_api_run_balance(const hbg_rt_description *system, const hbg_sim_result *result,
                         hbg_run_energy *energy);

/* run_watch.c: values of elements that are checked in every row. */
typedef HBG_VEC(hbg_record) hbg_run_records;
void hbg_api_run_watch(hbg_session *session, hbg_run_state *state, hbg_run_records *list);

/* run_records.c: what is recorded and plotted. */
void hbg_api_run_choose_outputs(hbg_session *session, const hbg_model *declared, hbg_run_state *state,
                                const hbg_run_wish *wish);

/* compile.c: the experiment of the session's run as the engine takes it; and the image of that run, complete, as bytes in scratch memory. */
void hbg_api_compile_describe(hbg_session *session, const hbg_sim_options *sim, hbg_rt_package *package);
HBG_MUST_CHECK hbg_status hbg_api_compile_run(hbg_session *session, const hbg_sim_options *sim,
                                              hbg_rt_package *package, const void **bytes, size_t *size);

/* run_sim.c: the solver of this name; fails with a suggestion. */
HBG_MUST_CHECK hbg_status hbg_api_run_find_solver(hbg_session *session, const char *name,
                                                  hbg_sim_solver *solver);
/* run_sim.c: the experiment and the request, as options of the simulation; if no stop was requested the one
 * given is taken, or for NaN that of the experiment. */
HBG_MUST_CHECK hbg_status hbg_api_run_sim_options(hbg_session *session, const hbg_run_options *options,
                                                  double stop, hbg_sim_options *sim);
/* Fails as a run that could not even begin. */
hbg_status hbg_api_run_refuse(hbg_session *session, hbg_rt_status status, const hbg_sim_result *result);
/* run_limits.c: HBG_BAD_ARGUMENT with a reason, or HBG_BAD_MODEL with diagnostics, if a run would never end.
 * `asked` and `said` are the request and the experiment. */
HBG_MUST_CHECK hbg_status hbg_api_run_check_limits(hbg_session *session, const hbg_run_options *options,
                                                   const hbg_experiment *asked, const hbg_experiment *said,
                                                   double stop);
/* A function that is asked now and then on the way to a point; false ends it. `progress` may be NULL. */
typedef struct {
    bool (*progress)(void *context, double t, double stop);
    void *context;
} hbg_run_follower;
/* Runs to the requested time, or just through the instant of the start; *failure says why it did not get
 * there, or is NULL. */
HBG_MUST_CHECK hbg_status hbg_api_run_to_point(hbg_session *session, hbg_run_follower follower,
                                               const char **failure, hbg_sim_result *result);

/* run_parts.c: finds independent parts that are worth running separately, and prepares them. */
HBG_MUST_CHECK hbg_status hbg_api_run_split(hbg_session *session, const hbg_sim_options *sim);
/* Makes the parts, even where they would not pay. A model with a single part that switches has none. */
HBG_MUST_CHECK hbg_status hbg_api_run_make_parts(hbg_session *session);
/* The options with which the code of the run, or of a part, is made. */
hbg_eqn_options hbg_api_run_eqn_options(const hbg_run_state *state);
hbg_eqn_options hbg_api_run_part_options(const hbg_run_state *state, const hbg_run_part *part);
void hbg_api_run_release_parts(hbg_run_state *state);
/* The part that a root of an event belongs to; *root becomes its own number there. */
const hbg_run_part *hbg_api_run_part_of_root(const hbg_run_state *state, int32_t *root);

/* ---- rows --------------------------------------------------------------------------------------------- */

/* The look of a plot. */
typedef struct {
    double from, to; /* the part that is shown, s; -INFINITY, INFINITY: all of it */
    bool log_x, log_y;
} hbg_api_look;

/* A curve for a plot. Of very many points only the visible ones are kept. */
typedef struct {
    double *x, *y;
    int32_t count;
} hbg_run_curve;

#define HBG_RUN_RULERS 8 /* periods that can be distinguished: rows or steps, samples, automata */

typedef struct {
    hbg_run_state *state;
    double *row;  /* time, then what is recorded: as in files */
    double *last; /* outputs at the end */
    double time;  /* of that */
    int64_t count;
    hbg_run_curve *curves;              /* by plot; NULL: nothing is plotted */
    hbg_api_look look;                  /* of the plot */
    double *before, *size;              /* by plot: the last value that lasted, the largest so far */
    int32_t failed_writer;              /* HBG_NONE */
    bool refused;                       /* an element that is watched has become impossible */
    hbg_lost refused_as;                /* in which way */
    double *largest;                    /* by element watched: the size of its value so far */
    double *room;                       /* for a matrix of any of them */
    struct hbg_run_events *events;      /* of the state */
    struct hbg_results_keeper *results; /* NULL: rows and events are not kept as values */
    const hbg_run_options *options;
    hbg_ruler rulers[HBG_RUN_RULERS]; /* regular times are rounded to readable numbers */
    int ruler_count;
    double stop;      /* s */
    bool interrupted; /* between two rows */
    struct hbg_run_story *story;
} hbg_run_rows;

/* Asks whether a run that waits for a pipe should continue; remembers in the rows if not. */
bool hbg_api_run_still_wanted(void *rows);
void hbg_api_run_rows_init(hbg_session *session, hbg_run_rows *rows, const hbg_run_options *options);
HBG_MUST_CHECK hbg_status hbg_api_run_open_files(hbg_session *session, const hbg_run_options *options,
                                                 const char *title);
/* If there was no run after all: nothing is left of the files. */
void hbg_api_run_discard_files(hbg_session *session, const hbg_run_options *options);
/* Closes the files; a reason if one cannot be completed. */
HBG_MUST_CHECK hbg_status hbg_api_run_close_files(hbg_session *session, const hbg_run_options *options,
                                                  bool complete);
bool hbg_api_run_row(void *context, double t, const double *outputs);
/* run_watch.c: false if what is watched is no longer possible; and that in words, or NULL. */
bool hbg_api_run_watched_fine(hbg_run_rows *rows, const double *outputs);
bool hbg_api_run_watch_step(void *context, double t, const double *outputs,
                            bool inside); /* the same, for rows */
const char *hbg_api_run_refused_text(hbg_session *session, const hbg_run_rows *rows);
/* If rows are regular the end falls between two of them; it is always of interest. False: it could not be
 * written. */
bool hbg_api_run_last_row(hbg_session *session, hbg_run_rows *rows, const hbg_sim_result *result);
/* What happens at regular times; and a time in readable form. */
void hbg_api_run_add_rulers(hbg_run_rows *rows, const hbg_sim_options *sim);
double hbg_api_run_tidy(const hbg_run_rows *rows, double t);
/* One more evaluation of the outputs, for curves; a mode that did not last leaves a point. */
void hbg_api_run_look(void *context, double t, const double *outputs, bool for_an_instant);

/* ---- what became of it -------------------------------------------------------------------------------- */

typedef struct hbg_run_story {
    hbg_session *session;
    const hbg_run_options *options;
    hbg_run_state *state;
    hbg_sim_options sim;
    hbg_sim_result result;
    hbg_run_rows rows;
    hbg_run_end end;
    int pictures;               /* drawn */
    const char *failure;        /* in words; "" if it finished */
    double *declared, *started; /* states before and after the jump at the start; NULL if nothing jumped */
    double lost_at_start;       /* J */
    double *start_effort, *start_flow;  /* by bond: areas in that jump, if no event reports them */
    struct hbg_results_keeper *results; /* NULL: rows and events are not kept */
} hbg_run_story;
/* run.c: says where the files of a run are that did not finish. */
void hbg_api_run_put_files(hbg_buffer *text, const hbg_run_story *story);

/* run_native.c: compiled code for the run that is to begin, if it was requested; or for the rest of a run
 * that turns out long. */
HBG_MUST_CHECK hbg_status hbg_api_run_compile_native(hbg_session *session, hbg_run_story *story);
void hbg_api_run_consider_native(hbg_run_story *story, double t);
/* What waits for a compiler. */
typedef struct {
    bool (*goes_on)(void *context); /* false: the run is not needed any more */
    void *context;
    bool patient;  /* requested, and waits as long as it takes */
    int32_t lanes; /* and needs code for so many runs side by side; 0: for one */
} hbg_run_waiter;
/* The code of the session's run, compiled for runs with these options. A mode has to have been entered. */
HBG_MUST_CHECK hbg_status hbg_api_run_load_native(hbg_session *session, const hbg_sim_options *sim,
                                                  const char *folder, const hbg_run_waiter *who,
                                                  const char **reason);
/* Likewise code for a device, whose compilation was begun then. `varies`: by parameter, whether it differs
 * from run to run. */
typedef struct {
    hbg_emit_library *library;
    const hbg_rt_native_device *table;
} hbg_run_device;
HBG_MUST_CHECK hbg_status hbg_api_run_load_device(hbg_session *session, const hbg_sim_options *sim,
                                                  const char *folder, const hbg_run_waiter *who,
                                                  const bool *varies, hbg_run_device *made,
                                                  const char **reason);
/* Whether it is in use, in some part at least. */
bool hbg_api_run_is_native(const hbg_run_state *state);
/* Whether so many steps are worth it. */
bool hbg_api_run_pays_native(const hbg_run_state *state, const hbg_sim_options *sim, double steps);

/* run_start.c: the parts of the story called declared and started, and what was lost. */
HBG_MUST_CHECK hbg_status hbg_api_run_look_at_start(hbg_session *session, hbg_run_story *story);
/* Whether a state was changed by the jump at the start. */
bool hbg_api_run_started_otherwise(const hbg_run_story *story, int32_t state);
/* The first warning of a run, with all contacts that came to rest; "" if there is none. */
const char *hbg_api_run_first_warning(hbg_session *session, const hbg_sim_result *result);

/* run_events.c: the event log, if something uses it. Open, run, close; discard if there was no run after
 * all. */
void hbg_api_run_events_init(hbg_session *session, hbg_run_story *story);
HBG_MUST_CHECK hbg_status hbg_api_run_events_open(hbg_session *session, hbg_run_story *story);
/* For a run whose system reports no start: what is known about it. */
void hbg_api_run_events_start(hbg_run_story *story);
void hbg_api_run_event(void *context, const hbg_sim_event *event); /* context: rows */
HBG_MUST_CHECK hbg_status hbg_api_run_events_close(hbg_session *session, hbg_run_story *story);
void hbg_api_run_events_discard(hbg_session *session, hbg_run_state *state);
void hbg_api_run_events_release(hbg_run_state *state);
/* Whether the run may continue; whether memory is the reason if not. */
bool hbg_api_run_events_fine(const struct hbg_run_events *events);
bool hbg_api_run_events_lack_memory(const struct hbg_run_events *events);
/* The instant with the last verdict as JSON; NULL if there was none. */
const char *hbg_api_run_events_verdict(hbg_session *session, const hbg_run_story *story);
/* run_explain.c: the story that was requested. */
void hbg_api_run_put_story(const hbg_run_story *story, hbg_buffer *out);
/* run_fault_strips.c: a strip for each fault of the run, `most` at most; how many. */
int32_t hbg_api_run_make_fault_strips(hbg_session *session, const hbg_run_story *story, int32_t most,
                                      hbg_draw_strip *strips);
/* run_bands.c: strips of the automata that switched, returns how many; points for values that lasted only an
 * instant. */
void hbg_api_run_add_pinnacle(struct hbg_run_events *events, int32_t plot, double t, double value);
int32_t hbg_api_run_make_strips(hbg_session *session, const hbg_run_story *story, hbg_draw_strip **strips,
                                int32_t *left_out);
/* Whether every automaton exists that a plot is to show. */
HBG_MUST_CHECK hbg_status hbg_api_run_check_strips(hbg_session *session, const hbg_run_options *options);
void hbg_api_run_put_pinnacles(hbg_session *session, const hbg_run_story *story, hbg_draw_series *series);

/* "0.25 V"; the number alone if the unit is not known */
const char *hbg_api_run_value_text(hbg_session *session, double value, const char *unit);
int hbg_api_run_width(const char *text);           /* in characters, not bytes */
int hbg_api_run_room(const char *text, int width); /* blanks after it up to the width of the column */
/* A list of values with a title, and a variable in it with its unit and value, in a column of that width for
 * people; 0: it is for programs only. */
hbg_api_report *hbg_api_run_put_table(hbg_api_report *report, const char *key, int32_t count);
void hbg_api_run_put_value(hbg_api_report *list, const hbg_rt_variable *of, double value, int width);
/* run_ledger.c: the energy balance. */
void hbg_api_run_put_ledger(hbg_session *session, const hbg_run_story *story, hbg_api_report *report);
/* run_report.c: the result of a run. */
HBG_MUST_CHECK hbg_status hbg_api_run_report(hbg_session *session, const hbg_run_story *story,
                                             hbg_text *text);

/* plot.c: series as a picture. */
HBG_MUST_CHECK hbg_status hbg_api_plot_figure(hbg_session *session, const hbg_draw_figure_spec *figure,
                                              hbg_draw_format format, hbg_buffer *picture);

/* plot_look.c: the look of a plot. */
HBG_MUST_CHECK hbg_status hbg_api_plot_read_look(hbg_session *session, const hbg_plot_look *asked,
                                                 bool over_time, hbg_api_look *look);
/* The format of a plot by the ending of its file; false: the ending is not known. */
bool hbg_api_plot_format(const char *path, hbg_draw_format *format);
/* Keeps the part of a curve between two places, with its values there. */
void hbg_api_plot_crop(hbg_arena *arena, const hbg_api_look *look, hbg_draw_series *series);

#endif
